"""Columns of like values: which columns of a matrix hold what judges said, and which stand beside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate.formats import wide
from quorate.formats.cells import is_index, is_missing_code, is_numeral
from quorate.formats.names import SYNONYMS
from quorate.panel.columns import Coded, is_blank

DATE = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d).*", re.DOTALL)
# Words for what numbers the rows.
ID_WORDS = ("id", "nr", "no", "number", "case", "row", "index", "name", "patient", "object", "target", "stimulus")

CARDS = ("card", "cards", "cardlabel", "cardname", "cardtitle", "cardtext", "cardid")  # names of a column of cards
RATER = re.compile(r"([a-z]+?)[ _.-]?(\d+|[a-z])", re.IGNORECASE)


def word(name: str) -> str:
    """A name without case, blanks and marks."""
    return re.sub(r"[\W_]+", "", name).lower()


def dates(column: Coded) -> bool:
    """Whether a column holds dates and nothing else."""
    filled = [i for i in column.ids if not is_blank(i)]
    return bool(filled) and all(isinstance(i, str) and DATE.fullmatch(i.strip()) for i in filled)


def of_one_sort(columns: Mapping[str, Coded], unnamed: bool) -> list[str]:
    """The columns that hold values like those of most others: numbers of about the same size, or the same words.

    Columns that number the rows are left out: by their name, or the first of a table whose rows are ``unnamed``.
    """
    number = {n: c for n, c in columns.items() if share_of_numbers(c) >= 0.5}
    worded = {n: c for n, c in columns.items() if n not in number}
    if len(worded) > len(number):
        shared = {n for n in worded if _shares(n, worded)}
        return [n for n in worded if n in shared] or list(worded)
    spans = {n: _span(c) for n, c in number.items()}
    kept = []
    lows, highs = sorted(s[0] for s in spans.values()), sorted((s[2] for s in spans.values()), reverse=True)
    for n, (bottom, middle, top) in spans.items():
        if len(spans) < 3 or len(columns[n]) < 3:
            kept.append(n)
            continue
        low, high = lows[lows[0] == bottom], highs[highs[0] == top]  # of the others
        margin = max(high - low, abs(low) / 2, abs(high) / 2, 1)
        if low - margin <= middle <= high + margin:
            kept.append(n)
    index = [n for n in kept if is_index(columns[n]) and len(columns[n]) > 2 and len(kept) > 2]
    numbers = [n for n in index if word(n) in ID_WORDS or (unnamed and n == next(iter(columns)))]
    return [n for n in kept if n not in numbers or len(index) == len(kept)]


def _span(column: Coded) -> tuple[float, float, float]:
    found = values(column)
    found = found[~np.isnan(found)]
    return (float(found.min()), float(np.median(found)), float(found.max())) if len(found) else (0.0, 0.0, 0.0)


def share_of_numbers(column: Coded) -> float:
    """How many of a column's different values are numbers, from 0 to 1; missing ones do not count."""
    filled = [i for i in column.ids if not is_blank(i) and not is_missing_code(i)]
    return sum(map(is_numeral, filled)) / len(filled) if filled else 1.0


def _shares(name: str, columns: Mapping[str, Coded]) -> bool:
    """Whether at least half of a column's cells hold words that another column has too."""
    own = columns[name]
    others = {i for n, c in columns.items() if n != name for i in c.ids}
    known = np.array([is_blank(i) or i in others for i in own.ids], bool)[own.codes]
    return bool(known.mean() >= 0.5)


def each_its_own(column: Coded) -> bool:
    """Whether every row has a value of its own, as notes and names have."""
    return len(column) > 3 and len(column.ids) == len(column)


def values(column: Coded) -> Any:
    """A column's numbers; nan where there is none."""
    return np.array([wide.cell_number(i) if is_numeral(i) else np.nan for i in column.ids], float)[column.codes]


def of_cards(down: str, columns: Sequence[Coded]) -> bool:
    """Whether rows are cards and cells words: the groups into which each judge, a column, put them."""
    return word(down) in CARDS and all(share_of_numbers(c) < 0.5 for c in columns)


def is_rater(name: str) -> bool:
    """Whether a column is called as judges are that have a number or a letter: rater1, Expert B."""
    found = RATER.fullmatch(name)
    return found is not None and found[1].lower() in (*SYNONYMS["judge"], "expert", "observer", "scorer")
