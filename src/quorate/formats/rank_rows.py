"""Whether the rows or columns of a matrix of numbers are orders: the places 1, 2, 3, ..., with ties perhaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quorate.formats.like_columns import values
from quorate.panel.columns import Coded

ONCE = "the numbers 1, 2, 3, ... once"
TIED = "the numbers 1, 2, 3, ..., some of them with ties"


def places_in_rows(columns: Sequence[Coded]) -> str:
    """What every row holds, if these are places, as many as it has numbers; nothing if they are not.

    Rows with ties are places too where most rows have none: the next place follows a tie, with or without a gap.
    """
    table = np.stack([values(c) for c in columns])
    ranked = np.sort(np.where(np.isnan(table) | (table == 0), np.inf, table), axis=0)
    filled = np.isfinite(ranked)
    if not (filled.sum(axis=0) > 1).all():
        return ""
    place = np.arange(1, len(columns) + 1)[:, None]
    strict = ((ranked == place) | ~filled).all(axis=0)
    if strict.all():
        return ONCE
    same = np.zeros_like(filled)
    same[1:] = ranked[1:] == ranked[:-1]
    with_gaps = ((ranked == place) | same | ~filled).all(axis=0)
    steps = np.diff(np.where(filled, ranked, 0), axis=0, prepend=0)
    without = ((steps == 1) | same | ~filled).all(axis=0)
    return TIED if (with_gaps | without).all() and 2 * strict.sum() > strict.size else ""


def places_in_columns(columns: Sequence[Coded]) -> bool:
    """Whether every column holds 1, 2, ..., as many as there are rows."""
    places = np.arange(1, len(columns[0]) + 1)
    return len(places) > 2 and all((np.sort(values(c)) == places).all() for c in columns)
