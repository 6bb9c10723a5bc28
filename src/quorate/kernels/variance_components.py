"""Variance components of unbalanced crossed and nested random factors, by moments: no matrix of rows is ever made.

For every factor the squared sums of its levels, each divided by how many rows the level has, are added up; so are those
of the grand mean and of single rows. Their expectations are linear in the variances, which solves for them (Henderson's
method 1, 1953; Gao and Owen 2017 for data of any size). Unbiased whatever the pattern of missing cells, and in a
balanced design the components of the analysis of variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import crossed, renumbered

Array = NDArray[Any]
Draws = tuple[Array, Array]  # the unit of each row, and how often each unit is drawn, [draw, unit]
CELLS = 1 << 23  # of a unit x level table, up to which a thousand draws are products of matrices
ROWS = 1 << 16  # of all draws looked at together
NEAR = 1e-9  # of the largest singular value, below which moments say the same
ROUNDING = 1e-12  # of the variance of all values, below which a component is what rounding left of none


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of two factors, or the levels of one. Factors that part the rows alike have the same ``Cells``."""

    of: Array  # the cell of every row
    row: Array  # a row of every cell, which tells the levels of both


Meetings = dict[tuple[int, int], Cells]


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
    x = value - value.mean() if rows else value
    scale = float(np.sqrt(x @ x / rows)) if rows else 0.0
    if not _varies(scale, value):
        return np.full((len(drawn[0][1]) if drawn else 1, len(factors) + 1), 0.0 if rows > 1 else np.nan)
    levels, meet = _crossings(factors, rows)
    nested = [[_nested(level, unit) for unit, _ in drawn] for level in levels]
    if len(drawn) == 1 and _dense(levels, meet, [n[0] for n in nested], drawn[0]):
        equations = _products(x / scale, levels, meet, [n[0] for n in nested], *drawn[0])
    else:
        each = [_equations(x / scale, levels, meet, nested, often) for often in _often(drawn, rows)]
        equations = np.concatenate([left for left, _ in each]), np.concatenate([right for _, right in each])
    return identified(*equations)[:, 1:] * scale**2


def components_of_copies(values: Array, factors: Sequence[Array]) -> Array:
    """The same of several copies of one design with other ``values[copy, row]``, ``[copy, factor + 1]``: what sums are
    expected to be is the same in all."""
    number, rows = values.shape
    x = values - values.mean(axis=1, keepdims=True) if rows else values
    scale = np.sqrt(np.einsum("cr,cr->c", x, x) / max(rows, 1))
    varies = np.array([_varies(s, own) for s, own in zip(scale.tolist(), values, strict=True)], bool)
    out = np.full((number, len(factors) + 1), 0.0 if rows > 1 else np.nan)
    if varies.any():
        levels, meet = _crossings(factors, rows)
        x, scale = x[varies] / scale[varies, None], scale[varies]
        left, _ = _equations(x[0], levels, meet, [[] for _ in levels], [])
        sums = [_sums(level, x, int(level.max()) + 1) ** 2 / np.bincount(level) for level in levels]
        right = np.stack([each.sum(axis=1) for each in sums], axis=1)
        out[varies] = identified(left, right)[:, 1:] * scale[:, None] ** 2
    return out


def _varies(scale: float, value: Array) -> bool:
    """Whether values differ by more than rounding."""
    return scale > NEAR * float(np.abs(value).max(initial=0.0))


def _crossings(factors: Sequence[Array], rows: int) -> tuple[list[Array], Meetings]:
    """The levels of all rows, of one row each, and of the factors between; and the cells of every two."""
    levels = [np.zeros(rows, np.int64), *(renumbered(f) for f in factors), np.arange(rows)]
    known: list[Cells] = []
    meet = {(f, g): _meeting(levels, f, g, known) for f in range(len(levels)) for g in range(f, len(levels))}
    return levels, meet | {(g, f): cells for (f, g), cells in meet.items()}


def _nested(level: Array, unit: Array) -> bool:
    """Whether each level lies within one unit."""
    return bool((unit[_row_of(level)][level] == unit).all())


def _row_of(level: Array) -> Array:
    """A row of every level."""
    out = np.zeros(int(level.max(initial=-1)) + 1, np.int64)
    out[level] = np.arange(len(level))
    return out


def _meeting(levels: Sequence[Array], f: int, g: int, known: list[Cells]) -> Cells:
    """The cells of two factors: those known already, if they are the same but for their numbers."""
    last = len(levels) - 1
    nested = f == g or 0 in (f, g) or last in (f, g)  # all rows are one level of the first, each is one of the last
    of = levels[max(f, g)] if nested else crossed(levels[f], levels[g])
    row = _row_of(of)
    for cells in known:
        if len(cells.row) == len(row) and np.array_equal(of[cells.row][cells.of], of):
            return cells
    known.append(Cells(of, row))
    return known[-1]


# -- one unit drawn: sums over units, so that a thousand draws are products of matrices --------------------------------


def _dense(levels: Sequence[Array], meet: Meetings, nested: Sequence[bool], drawn: Draws) -> bool:
    """Whether tables of units and of the levels that are crossed with them are small enough."""
    crossed = [k for k, n in enumerate(nested) if not n]
    most = max((len(meet[f, g].row) for f in crossed for g in crossed), default=0)
    return bool(drawn[1].shape[1] * most <= CELLS)


def _products(
    x: Array, levels: Sequence[Array], meet: Meetings, nested: Sequence[bool], unit: Array, weights: Array
) -> tuple[Array, Array]:
    """The equations of every draw, ``[draw, factor, factor]`` and ``[draw, factor]``."""
    size, units = len(levels), weights.shape[1]
    left, right = np.zeros((len(weights), size, size)), np.zeros((len(weights), size))

    def drawn(of: Array, column: Array, values: Array, number: int) -> Array:
        return np.asarray(weights @ np.bincount(of * number + column, values, units * number).reshape(units, number))

    for f, level in enumerate(levels):
        row, number = _row_of(level), int(level.max()) + 1
        if nested[f]:  # its levels are drawn with their unit
            held, whose = np.bincount(level), unit[row]
            right[:, f] = weights @ np.bincount(whose, np.bincount(level, x) ** 2 / held, units)
            for g in range(size):
                cells = meet[f, g]
                each = np.bincount(level[cells.row], np.bincount(cells.of).astype(float) ** 2, number) / held
                left[:, f, g] = weights @ np.bincount(whose, each, units)
            continue
        held = drawn(unit, level, np.ones(len(x)), number)
        safe = np.where(held > 0, held, 1.0)
        right[:, f] = (drawn(unit, level, x, number) ** 2 / safe).sum(axis=1)
        for g in range(size):
            cells, at = meet[f, g], meet[f, g].row
            if nested[g]:  # its levels are drawn with their unit, those of f are the same in all
                together = drawn(unit[at], level[at], np.bincount(cells.of).astype(float) ** 2, number)
            else:
                order = np.argsort(level[at], kind="stable")
                begin = np.searchsorted(level[at][order], np.arange(number))
                often = drawn(unit, cells.of, np.ones(len(x)), len(at))[:, order]
                together = np.add.reduceat(often**2, begin, axis=1)
            left[:, f, g] = (together / safe).sum(axis=1)
    return left, right


# -- several units drawn crossed ---------------------------------------------------------------------------------------


def _often(drawn: Sequence[Draws], rows: int) -> Iterator[list[Array]]:
    """How often the unit of every row is drawn, ``[unit][draw, row]``, as many draws at a time as stay in the cache."""
    if not drawn:
        yield []
        return
    step = max(1, ROWS // rows)
    for a in range(0, len(drawn[0][1]), step):
        yield [weights[a : a + step, unit] for unit, weights in drawn]


def _equations(
    x: Array, levels: Sequence[Array], meet: Meetings, nested: Sequence[Sequence[bool]], often: list[Array]
) -> tuple[Array, Array]:
    """The equations of some draws: what the squared sums are expected to be for variances of 1, and what they are."""
    size, draws = len(levels), len(often[0]) if often else 1

    @cache
    def product(*wanted: bool) -> Array:
        out = np.ones((draws, len(x)))
        for times, want in zip(often, wanted, strict=True):
            out = out * times if want else out
        return out

    @cache
    def held(cells: Cells, *wanted: bool) -> Array:
        return _sums(cells.of, product(*wanted), len(cells.row))

    @cache  # whole numbers, so that equal sums are the same to the last bit, however cells are numbered
    def met(f: int, cells: Cells, own: tuple[bool, ...], rest: tuple[bool, ...]) -> Array:
        together = held(cells, *rest) ** 2 * _at(product(*own), cells.row)
        return _sums(levels[f][cells.row], together, int(levels[f].max()) + 1)

    left, right = np.zeros((draws, size, size)), np.zeros((draws, size))
    for f, level in enumerate(levels):
        row, number = _row_of(level), int(level.max()) + 1
        copies = _at(product(*nested[f]), row)  # of the level, each with so many of the row
        times = product(*(not n for n in nested[f]))
        drawn = _sums(level, times, number)
        safe = np.where(drawn > 0, drawn, 1.0)
        right[:, f] = (copies * _sums(level, times * x, number) ** 2 / safe).sum(axis=1)
        for g in range(size):
            own = tuple(b and not a for a, b in zip(nested[f], nested[g], strict=True))
            rest = tuple(not a and not b for a, b in zip(nested[f], nested[g], strict=True))
            left[:, f, g] = (copies * met(f, meet[f, g], own, rest) / safe).sum(axis=1)
    return left, right


def _sums(code: Array, values: Array, number: int) -> Array:
    """The sums of ``values[draw, row]`` over the rows of each code, ``[draw, code]``."""
    if number == len(code) and _in_turn(code):
        return values
    place = np.arange(len(values))[:, None] * number + code
    return np.bincount(place.ravel(), values.ravel(), len(values) * number).reshape(len(values), number)


def _at(values: Array, rows: Array) -> Array:
    """``values[draw, row]`` of these rows; of all of them as they are."""
    return values if len(rows) == values.shape[1] and _in_turn(rows) else values.take(rows, axis=1)


def _in_turn(code: Array) -> bool:
    return bool((code == np.arange(len(code))).all())


def identified(left: Array, right: Array) -> Array:
    """The solutions, ``[draw, factor]``, NaN where the equations leave it open; one left side may serve all draws.

    Squares are of values whose variance is 1; what rounding alone left of a component is none.
    """
    size = np.sqrt(np.diagonal(left, axis1=1, axis2=2))
    size = np.where(size > 0, size, 1.0)
    u, s, v = np.linalg.svd(left / size[:, :, None] / size[:, None, :])
    kept = s > NEAR * np.maximum(s[:, :1], NEAR)
    along = np.einsum("drk,dr->dk", u, right / size) / np.where(kept, s, 1.0) * kept
    found = np.einsum("dk,dkr->dr", along, v) / size
    open_ = (np.abs(v) * ~kept[:, :, None]).max(axis=1) > NEAR**0.5
    return np.where(open_, np.nan, np.where(np.abs(found) < ROUNDING, 0.0, found))
