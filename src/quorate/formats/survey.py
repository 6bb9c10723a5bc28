"""Header rows of survey tools: Qualtrics writes three (names, questions, import ids); the questions name the items.
SurveyMonkey writes two: a question stands above the first of its items, which the second row names.

``Rank these - apple`` in the second row becomes ``Rank these [apple]``: a question and one of its items, as other
survey tools write it.

Questions of the sort pick, group and rank say who put which items into which group: ``Q1_0_GROUP`` holds the items of
the first group, with commas between them, or ``Q1_0_GROUP_1`` one of them; ``Q1_0_2_RANK`` is the rank of the second
item there. What a group and an item are called is told by the second row: ``Sort these - Ranks - Good - apple - Rank``.
Of several groups the groups are read; with one alone ("your first three"), the ranks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from quorate.errors import InputError
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
WRITTEN = re.compile(r"other\b|open-ended response|comment", re.IGNORECASE)  # answers beside a question's items
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
        if _grouped_or_ranked(first[1]):
            names, rows, said = _long(first[1], second[1], answers)
            return Table(names, rows, [*notes, said], True)
        notes.insert(0, "of its three header rows the questions name the columns")
        return Table(_questions(first[1], second[1]), answers, notes, True)
    if second and _two_rows(first[1], second[1]):
        said = "of its two header rows the first has the questions, the second their items"
        return Table(_with_items(first[1], second[1]), chain(below[1:], filled), [said], True)
    return Table(first[1], chain(below, filled))


def _two_rows(names: Sequence[Any], items: Sequence[Any]) -> bool:
    """Whether SurveyMonkey wrote it: a question stands above the first of its items, nothing below the ids."""
    head = str(names[0]).strip().lower() == "respondent id" and len(items) == len(names) and is_blank(items[0])
    without = [i for n, i in zip(names, items, strict=True) if is_blank(n)] if head else []
    return head and not all(map(is_blank, items)) and not any(map(is_blank, without))


def _with_items(names: Sequence[Any], items: Sequence[Any]) -> list[str]:
    """Names of columns: of a question with several items both; what was written beside them is no item."""
    out, stem = [], ""
    for name, item in zip(names, items, strict=True):
        stem = stem if is_blank(name) else str(name).strip()
        said = "" if is_blank(item) else str(item).strip()
        if said.lower() in ("", "response", "open-ended response") and not is_blank(name):
            out.append(stem)
        else:
            out.append(f"{stem}: {said}" if WRITTEN.match(said) else f"{stem} [{said}]")
    return out


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


# -- pick, group and rank ----------------------------------------------------------------------------------------------

GROUP = re.compile(r"(?P<tag>.+)_(?P<group>\d+)_GROUP(?:_\d+)?")
RANK = re.compile(r"(?P<tag>.+)_(?P<group>\d+)_(?P<item>\d+)_RANK")
OF_GROUP = re.compile(r"(?P<stem>.*) - Groups - (?P<group>.*?)(?: - .*)?", re.DOTALL)
OF_RANK = re.compile(r"(?P<stem>.*) - Ranks - (?P<group>.*) - (?P<item>.*)", re.DOTALL)
JUDGES = ("ResponseId", "ResponseID")


class Place(NamedTuple):
    """A column of a question: its number, the question's tag, and the group, or the item whose rank it holds."""

    column: int
    tag: str
    name: str


def _grouped_or_ranked(names: Sequence[str]) -> bool:
    """Whether columns are those of such a question."""
    return any(GROUP.fullmatch(n) for n in names)


def _long(names: Sequence[str], questions: Sequence[Any], rows: Rows) -> tuple[list[str], Rows, str]:
    """Names and rows of a long table, a row for each judge and item, and what is to be said of it."""
    groups, ranks = _columns(names, questions)
    who = next((k for k, n in enumerate(names) if n in JUDGES), None)
    judged = ((line, f[who] if who is not None else str(k), f) for k, (line, f) in enumerate(rows, 1))
    several = len({(g.tag, g.name) for g in groups}) > len({g.tag for g in groups})
    if ranks and not several:
        said = "items picked and ranked (the columns ..._RANK): a row for each participant and item picked"
        return ["judge", "task", "item", "position"], _ranked(ranks, judged), f"{said}; other columns are left aside"
    said = "items put into groups (the columns ..._GROUP, at their commas): a row for each participant and item"
    return ["judge", "task", "item", "group"], _grouped(groups, ranks, judged), f"{said}; other columns are left aside"


def _columns(names: Sequence[str], questions: Sequence[Any]) -> tuple[list[Place], list[Place]]:
    groups, ranks = [], []
    for k, (name, question) in enumerate(zip(names, questions, strict=True)):
        group, rank, text = GROUP.fullmatch(name), RANK.fullmatch(name), str(question or "").strip()
        if group:
            said = OF_GROUP.fullmatch(text)
            groups.append(Place(k, group["tag"], said["group"].strip() if said else group["group"]))
        elif rank:
            said = OF_RANK.fullmatch(text.removesuffix(" - Rank"))
            ranks.append(Place(k, rank["tag"], said["item"].strip() if said else rank["item"]))
    return groups, ranks


def _ranked(ranks: Sequence[Place], judged: Iterator[tuple[int, Any, list[Any]]]) -> Rows:
    for line, judge, fields in judged:
        for k, tag, item in ranks:
            if _cell(fields, k):
                yield line, [judge, tag, item, _cell(fields, k)]


def _grouped(groups: Sequence[Place], ranks: Sequence[Place], judged: Iterator[tuple[int, Any, list[Any]]]) -> Rows:
    """Items that a judge put nowhere have no group; of a judge who put none at all there is no row."""
    known: dict[str, dict[str, None]] = {g.tag: {} for g in groups}
    for _, tag, item in ranks:
        known.setdefault(tag, {})[item] = None
    for line, judge, fields in judged:
        put: dict[str, dict[str, str]] = {}
        for k, tag, group in groups:
            for item in _items(_cell(fields, k), known[tag]):
                put.setdefault(tag, {})[item] = group
        for tag, placed in put.items():
            for item in dict.fromkeys((*known[tag], *placed)):
                yield line, [judge, tag, item, placed.get(item, "")]


def _cell(fields: Sequence[Any], column: int) -> str:
    return str(fields[column] if column < len(fields) and fields[column] is not None else "").strip()


def _items(cell: str, known: dict[str, None]) -> list[str]:
    """The items of a cell; those that are known may have commas of their own.

    >>> _items("salt, pepper,oil", {"salt, pepper": None})
    ['salt, pepper', 'oil']
    """
    out = [""]
    for piece in cell.split(","):
        out[-1] += f",{piece}" if out[-1] else piece
        so_far = out[-1].strip()
        if so_far in known or not any(k.startswith(f"{so_far},") for k in known):
            out.append("")
    return [i for item in out if (i := item.strip())]
