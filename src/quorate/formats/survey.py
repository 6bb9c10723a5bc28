"""Header rows of survey tools: Qualtrics writes three (names, questions, import ids); the questions name the items.

``Rank these - apple`` in the second row becomes ``Rank these [apple]``: a question and one of its items, as other
survey tools write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

Rows = Iterator[tuple[int, list[str]]]
BESIDE = (  # columns that Qualtrics writes of every response; who answered is the first of them
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate"),
    *("RecipientLastName", "RecipientFirstName", "RecipientEmail", "ExternalReference", "LocationLatitude"),
    *("LocationLongitude", "DistributionChannel", "UserLanguage"),
)


def heads(rows: Rows) -> tuple[list[str] | None, Rows, list[str]]:
    """The names of columns, the rows below them, and what is to be said of it."""
    filled = ((line, fields) for line, fields in rows if fields)
    first = next(filled, None)
    if first is None:
        return None, rows, []
    second, third = next(filled, None), next(filled, None)
    below = [r for r in (second, third) if r is not None]
    if second and third and _import_ids(third[1]) and len(first[1]) == len(second[1]):
        return _questions(first[1], second[1]), filled, ["of its three header rows the questions name the columns"]
    return first[1], chain(below, filled), []


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
