"""Which rows and columns of a table hold what judges said: those of like values, and none of totals and means.

Of a matrix, last rows and columns called as totals are left out, which is a guess; one amid the others is asked about.
In a long table a judge or item may well be called so: it stays, and that is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats import wide
from quorate.formats.cells import is_index, is_missing_code, is_numeral
from quorate.formats.file_parts import Part
from quorate.formats.names import SYNONYMS
from quorate.panel.base import listed, many
from quorate.panel.columns import Coded, encode, is_blank
from quorate.panel.reading import Guess

DATE = re.compile(r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d).*", re.DOTALL)
# Words for what numbers the rows.
ID_WORDS = ("id", "nr", "no", "number", "case", "row", "index", "name", "patient", "object", "target", "stimulus")

CARDS = ("card", "cards", "cardlabel", "cardname", "cardtitle", "cardtext", "cardid")  # names of a column of cards
RATER = re.compile(r"([a-z]+?)[ _.-]?(\d+|[a-z])", re.IGNORECASE)
TOTALS = (  # names of rows and columns of totals, without case and marks
    *("total", "totals", "subtotal", "grandtotal", "mean", "means", "average", "averages", "avg", "sum", "median"),
    *("sd", "stdev", "std", "stddev", "standarddeviation", "variance"),
    *("gesamt", "summe", "mittelwert", "durchschnitt", "standardabweichung"),  # as German spreadsheets do,
    *("moyenne", "somme", "écarttype", "promedio", "suma", "desviaciónestándar"),  # French and Spanish ones
)

# Names of columns of a leaderboard, without case and marks.
FIGURES = (
    *("winrate", "discretewinrate", "lengthcontrolledwinrate", "standarderror", "lcstandarderror", "stderr", "nwins"),
    *("ntotal", "ndraws", "avglength", "elo", "elorating", "arenaelo", "ratingq025", "ratingq975", "cilow", "cihigh"),
    *("finalranking", "numbattles", "alpha", "ci95low", "ci95high", "percentagreement"),
)


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


# -- totals, means and figures of leaderboards -------------------------------------------------------------------------


def is_total(name: object) -> bool:
    """Whether a row or column is called as totals and means are.

    >>> is_total("Std. Dev."), is_total("GRAND TOTAL"), is_total("meaning")
    (True, True, False)
    """
    text = str(name)
    return not text[-1:].isdigit() and word(text) in TOTALS  # of very many names most end in a number


def is_figure(name: object) -> bool:
    """Whether a column is called as those of a leaderboard are: no judge is called ``win_rate``."""
    return word(str(name)) in FIGURES


def without_total_rows(part: Part, down: str, told: str | None) -> tuple[Part, str]:
    """The rows of a matrix without totals, and what was left out; ``told`` is the option, drop or keep.

    Where it is not told, only the last rows are left out, and one amid the others is an error that asks.
    """
    if not down or told == "keep" or len(part) < 2:
        return part, ""
    names = encode(part.raw[down])
    odd = np.array([is_total(i) for i in names.ids], bool)[names.codes]
    rows = np.flatnonzero(odd)
    if not len(rows) or odd.all():
        return part, ""
    amid = rows[rows < np.flatnonzero(~odd)[-1]]
    if len(amid) and told is None:
        said = (f"the row '{names[r]}'" for r in amid.tolist())
        hint = "--totals drop leaves out rows and columns called so; --totals keep reads them like the others."
        raise part.source.error("is this a total or mean of the others?", amid, said, hint)
    called = [str(names[r]) for r in rows.tolist()]
    return _kept(part, ~odd), f"the row{'s' * (len(rows) > 1)} {listed(called)}"


def of_long_table(part: Part, told: str | None) -> Part:
    """A long table with judges and items called as totals are: they are named, and left out if that is told."""
    odd = np.zeros(len(part), bool)
    found: list[str] = []
    for role in ("judge", "item") if told != "keep" else ():
        if role in part.raw:
            column = encode(part.raw[role])
            called = [is_total(i) for i in column.ids]
            odd |= np.array(called, bool)[column.codes]
            found += [f"the {role} '{i}'" for i, so in zip(column.ids, called, strict=True) if so]
    if not found or odd.all():
        return part
    if told == "drop":
        note = f"{part.name}: {many(int(odd.sum()), 'row')} left out as totals ({listed(found)})"
        return replace(_kept(part, ~odd), notes=[*part.notes, note])
    read, so = ("is", "it is a total") if len(found) == 1 else ("are", "they are totals")
    said = f"{listed(found)} {read} read like the others (if {so}: --totals drop)"
    return replace(part, guesses=(*part.guesses, Guess(said, "--totals keep")))


def _kept(part: Part, rows: NDArray[np.bool_]) -> Part:
    keep = np.flatnonzero(rows)
    raw: dict[str, Any] = {
        n: c[keep] if isinstance(c, np.ndarray) else encode(c).take(keep) for n, c in part.raw.items()
    }
    return replace(part, raw=raw, lines=None if part.lines is None else part.lines[keep])
