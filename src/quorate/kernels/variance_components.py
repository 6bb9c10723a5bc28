"""Variance components of unbalanced crossed and nested random factors, by moments: no matrix of rows is ever made.

For every factor the squared sums of its levels, each divided by how many rows the level has, are added up; so are those
of the grand mean and of single rows. Their expectations are linear in the variances, which solves for them (Henderson's
method 1, 1953; Gao and Owen 2017 for data of any size). Unbiased whatever the pattern of missing cells, and in a
balanced design the components of the analysis of variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Draws = tuple[Array, Array]  # the unit of each row, and how often each unit is drawn, [draw, unit]
NEAR = 1e-9  # of the largest singular value, below which moments say the same


def variance_components(value: Array, factors: Sequence[Array], drawn: Sequence[Draws] = ()) -> Array:
    """The variance of each factor's levels, then that of what is left, ``[draw, factor + 1]``; may fall below 0.

    ``factors`` are codes from 0 of the level of every row: of judges, tasks, items, systems, or of their crossings. NaN
    is a component that the design does not tell from another: a factor with a level for every row, or two alike.
    ``drawn`` resamples one or several units: a unit drawn twice is two units, with levels of their own for all factors
    nested in it (each level within one unit), while factors crossed with it keep theirs. Without it there is one draw.

    >>> items, judges = np.divmod(np.arange(6), 3)
    >>> variance_components(np.array([1.0, 2, 3, 5, 6, 7]), [items, judges]).round(6).tolist()
    [[8.0, 1.0, 0.0]]
    """
    rows = len(value)
    levels = [np.zeros(rows, np.int64), *(np.unique(f, return_inverse=True)[1].ravel() for f in factors)]
    levels.append(np.arange(rows))
    nested = [[_nested(level, unit) for unit, _ in drawn] for level in levels]
    meet = {(f, g): _meetings(levels[f], levels[g]) for f in range(len(levels)) for g in range(len(levels))}
    x = value - value.mean() if rows else value
    scale = float(np.sqrt(x @ x / rows)) if rows else 0.0
    if not scale > NEAR * float(np.abs(value).max(initial=0.0)):
        return np.full((len(drawn[0][1]) if drawn else 1, len(factors) + 1), 0.0 if rows > 1 else np.nan)
    found = [_solved(x / scale, levels, nested, meet, often) for often in _often(drawn, rows)]
    return np.array(found) * scale**2


def _nested(level: Array, unit: Array) -> bool:
    """Whether each level lies within one unit."""
    first = np.zeros(int(level.max(initial=-1)) + 1, np.int64)
    first[level] = unit
    return bool((first[level] == unit).all())


def _meetings(f: Array, g: Array) -> tuple[Array, Array, Array]:
    """The cells of two factors: the cell of every row, and a row of every cell, which tells both levels."""
    cell = f * np.int64(int(g.max(initial=0)) + 1) + g
    _, row, place = np.unique(cell, return_index=True, return_inverse=True)
    return place.ravel(), row, f[row]


def _often(drawn: Sequence[Draws], rows: int) -> Iterator[list[Array]]:
    """How often the unit of every row is drawn, ``[unit][row]``, draw by draw."""
    if not drawn:
        yield []
        return
    for k in range(len(drawn[0][1])):
        yield [weights[k][unit] for unit, weights in drawn]


def _solved(
    x: Array, levels: Sequence[Array], nested: Sequence[Sequence[bool]], meet: Any, often: list[Array]
) -> Array:
    """The components of one draw, without that of the grand mean."""
    size = len(levels)
    left, right = np.zeros((size, size)), np.zeros(size)
    for f, level in enumerate(levels):
        copies = _product(often, nested[f], len(x))  # of the level, each with so many of the row
        times = _product(often, [not n for n in nested[f]], len(x))
        number, total = np.bincount(level, times), np.bincount(level, times * x)
        first = np.zeros(len(number), np.int64)
        first[level] = np.arange(len(x))
        safe = np.where(number > 0, number, 1.0)
        right[f] = float((copies[first] * total**2 / safe).sum())
        for g in range(size):
            place, row, of = meet[f, g]
            own = _product(often, [b and not a for a, b in zip(nested[f], nested[g], strict=True)], len(x))
            rest = _product(often, [not a and not b for a, b in zip(nested[f], nested[g], strict=True)], len(x))
            together = np.bincount(place, rest) ** 2 * own[row]
            left[f, g] = float((copies[first] * np.bincount(of, together, len(number)) / safe).sum())
    return _identified(left, right)[1:]


def _product(often: list[Array], wanted: Sequence[bool], rows: int) -> Array:
    out = np.ones(rows)
    for times, want in zip(often, wanted, strict=True):
        out = out * times if want else out
    return out


def _identified(left: Array, right: Array) -> Array:
    """The solution, NaN where the equations leave it open."""
    if not left.any():
        return np.full(len(right), np.nan)
    size = np.sqrt(np.diag(left))
    size = np.where(size > 0, size, 1.0)
    u, s, v = np.linalg.svd(left / size[:, None] / size)
    kept = s > NEAR * s[0]
    found = v.T[:, kept] @ ((u.T[kept] @ (right / size)) / s[kept]) / size
    open_ = np.abs(v[~kept]).max(axis=0, initial=0.0) > NEAR**0.5
    return np.where(open_, np.nan, found)
