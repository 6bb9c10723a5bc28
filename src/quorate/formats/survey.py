"""Header rows of survey tools: Qualtrics writes three (names, questions, import ids); the questions name the items.

``Rank these - apple`` in the second row becomes ``Rank these [apple]``: a question and one of its items, as other
survey tools write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats import pick_group_rank
from quorate.formats.file_parts import Part
from quorate.formats.registry import Option, flag
from quorate.panel.base import many
from quorate.panel.columns import encode, is_blank

Rows = Iterator[tuple[int, list[Any]]]
BESIDE = (  # columns that Qualtrics writes of every response; who answered is the first of them
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate"),
    *("RecipientLastName", "RecipientFirstName", "RecipientEmail", "ExternalReference", "LocationLatitude"),
    *("LocationLongitude", "DistributionChannel", "UserLanguage"),
)
SUBMITTED = ("submitdate", "Date submitted", "Finished")  # columns that say whether an answer was sent off
PREVIEWS = Option("previews", "answers given in a survey's preview are read too: yes or no (default)", flag)
PREVIEWED = ("survey preview", "survey test", "spam", "1", "2", "8")  # what Qualtrics says of them, in words or codes


@dataclass(frozen=True)
class Table:
    """The names of columns, the rows below them, what is to be said of it, and whether a survey tool wrote it."""

    names: list[str]
    rows: Rows
    notes: list[str] = field(default_factory=list)
    survey: bool = False


def heads(where: str, rows: Rows, previews: bool = False) -> Table:
    """The table below the rows of names; no names where there is nothing."""
    filled = ((line, fields) for line, fields in rows if fields)
    first = next(filled, None)
    if first is None:
        return Table([], rows)
    second, third = next(filled, None), next(filled, None)
    below = [r for r in (second, third) if r is not None]
    if second and third and _import_ids(third[1]) and len(first[1]) == len(second[1]):
        notes: list[str] = []
        answers = filled if previews else _answers(where, first[1], filled, notes)
        if pick_group_rank.asked(first[1]):
            names, rows, said = pick_group_rank.long(first[1], second[1], answers)
            return Table(names, rows, [*notes, said], True)
        notes.insert(0, "of its three header rows the questions name the columns")
        return Table(_questions(first[1], second[1]), answers, notes, True)
    return Table(first[1], chain(below, filled))


def _answers(where: str, names: Sequence[str], rows: Rows, notes: list[str]) -> Rows:
    """The rows without those that were given in the survey's preview, which are counted and told."""
    at = names.index("Status") if "Status" in names else -1
    left = kept = 0
    for line, fields in rows:
        if 0 <= at < len(fields) and str(fields[at]).strip().lower() in PREVIEWED:
            left += 1
        else:
            kept += 1
            yield line, fields
    hint = "--input-option previews=yes reads them"
    if left and not kept:
        raise InputError(f"{where}: all {many(left, 'answer')} were given in the survey's preview.", f"{hint}.")
    if left:
        notes.append(f"{where}: {many(left, 'answer')} of the survey's preview left out ({hint})")


def check(where: str, table: Table, layout: Mapping[str, Any]) -> None:
    """An error for a survey in which no question has several items, and nobody says which columns are meant."""
    said = {n for n, v in layout.items() if v} & {"item_columns", "judge_columns", "rename", "criteria", "column"}
    if table.survey and not said and not any(n.endswith("]") or n == "item" for n in table.names):
        own = [n for n in table.names if n not in BESIDE and n != "ResponseId"]
        raise InputError(
            f"{where}: a survey in which no question has several items.",
            f"--item-columns names the columns of items; questions found: {', '.join(own[:40])}.",
        )


def unsubmitted(part: Part) -> list[str]:
    """A note on answers that were begun and not sent off, which survey tools may export too."""
    for name in part.raw:
        if name in SUBMITTED or name.partition(". ")[2] in SUBMITTED:
            column = encode(part.raw[name])
            begun = np.array([is_blank(i) or str(i).lower() in ("false", "0") for i in column.ids], bool)
            left = int(begun[column.codes].sum())
            if 0 < left < len(part):
                return [f"{part.name}: {many(left, 'answer')} not sent off (by '{name}'), but read like the others"]
    return []


def _import_ids(fields: Sequence[str]) -> bool:
    filled = [str(f) for f in fields if f]
    return bool(filled) and all(f.startswith('{"ImportId"') for f in filled)


def _questions(names: Sequence[str], questions: Sequence[str]) -> list[str]:
    """Names of columns: of a question with several items both, else the column's own name."""
    pairs = [_split(str(q or "")) for q in questions]
    often = Counter(stem for stem, _ in pairs if stem)
    out = [
        f"{stem} [{item}]" if stem and often[stem] > 1 and "_DO_" not in name and name not in BESIDE else name
        for name, (stem, item) in zip(names, pairs, strict=True)
    ]
    return out if len(set(out)) == len(out) else list(names)


def _split(question: str) -> tuple[str, str]:
    """The question and its item: ``Rank these - apple``."""
    stem, dash, item = question.rpartition(" - ")
    return (" ".join(stem.split()), " ".join(item.split())) if dash and item.strip() else ("", question)
