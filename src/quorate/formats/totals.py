"""Totals, means and figures of leaderboards in tables: rows and columns called so are no judgments.

Of a matrix, last rows and columns called so are left out, which is a guess; one amid the others is asked about. In a
long table a judge or item may well be called so: it stays, and that is a guess.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats.like_columns import word
from quorate.formats.parts import Part
from quorate.panel.base import listed, many
from quorate.panel.columns import encode
from quorate.panel.reading import Guess

WORDS = (
    *("total", "totals", "subtotal", "grandtotal", "mean", "means", "average", "averages", "avg", "sum", "median"),
    *("sd", "stdev", "std", "stddev", "standarddeviation", "variance"),
)

# Names of columns of a leaderboard, without case and marks.
FIGURES = (
    *("winrate", "discretewinrate", "lengthcontrolledwinrate", "standarderror", "lcstandarderror", "stderr", "nwins"),
    *("ntotal", "ndraws", "avglength", "elo", "elorating", "arenaelo", "ratingq025", "ratingq975", "cilow", "cihigh"),
    *("finalranking", "numbattles", "alpha", "ci95low", "ci95high", "percentagreement"),
)


def is_total(name: object) -> bool:
    """Whether a row or column is called as totals and means are.

    >>> is_total("Std. Dev."), is_total("GRAND TOTAL"), is_total("meaning")
    (True, True, False)
    """
    return word(str(name)) in WORDS


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
