"""Variance components of unbalanced crossed and nested random factors, by moments: no matrix of rows is ever made.

For every factor the squared sums of its levels, each divided by how many rows the level has, are added up; so are those
of the grand mean and of single rows. Their expectations are linear in the variances, which solves for them (Henderson's
method 1, 1953; Gao and Owen 2017 for data of any size). Unbiased whatever the pattern of missing cells, and in a
balanced design the components of the analysis of variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
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
        equations_of = _Equations(x / scale, levels, meet, nested, [unit for unit, _ in drawn]).of
        each = [equations_of(weights) for weights in _some_draws(drawn, rows)]
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
        left, _ = _Equations(x[0], levels, meet, [[] for _ in levels], []).of([])
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


def _some_draws(drawn: Sequence[Draws], rows: int) -> Iterator[list[Array]]:
    """How often every unit is drawn, ``[unit][draw, unit]``, as many draws at a time as stay in the cache."""
    if not drawn:
        yield []
        return
    step = max(1, ROWS // rows)
    for a in range(0, len(drawn[0][1]), step):
        yield [weights[a : a + step] for _, weights in drawn]


Wanted = tuple[bool, ...]  # of the units drawn, which count


@dataclass(frozen=True, eq=False)
class _Lots:
    """The rows of each level that are drawn together: what they add up to is known before any draw."""

    begin: Array  # [level] where its lots begin
    units: list[Array | None]  # of each unit drawn, which one every lot is of; None where the unit does not count
    sums: list[Array]  # of each column, ``[lot]``

    @classmethod
    def of(cls, level: Array, units: Sequence[Array | None], columns: Sequence[Array]) -> _Lots:
        """From the level of every row, and its units."""
        code = level
        for unit in units:
            code = code if unit is None else crossed(code, unit)
        row = _row_of(code)
        begin = np.searchsorted(level[row], np.arange(int(level.max(initial=-1)) + 1))
        sums = [np.bincount(code, column, len(row)) for column in columns]
        return cls(begin, [None if unit is None else unit[row] for unit in units], sums)

    def drawn(self, weights: Sequence[Array]) -> list[Array]:
        """What every level adds up to in every draw, ``[draw, level]``, of each column."""
        times = _times(self.units, weights)
        each = [own[None] if times is None else times * own for own in self.sums]
        return [x if x.shape[1] == len(self.begin) else np.add.reduceat(x, self.begin, axis=1) for x in each]


def _times(units: Sequence[Array | None], weights: Sequence[Array]) -> Array | None:
    """How often what is of these units is drawn, ``[draw, ...]``; None where none counts."""
    each = [w.take(unit, axis=1) for unit, w in zip(units, weights, strict=True) if unit is not None]
    return reduce(np.multiply, each) if each else None


class _Equations:
    """What the squared sums are expected to be for variances of 1, and what they are, of any draws of several units."""

    def __init__(
        self,
        x: Array,
        levels: Sequence[Array],
        meet: Meetings,
        nested: Sequence[Sequence[bool]],
        units: Sequence[Array],
    ) -> None:
        self.x, self.levels, self.meet, self.nested, self.units = x, levels, meet, nested, units
        self.rows = [_row_of(level) for level in levels]
        self._lots: dict[tuple[Any, ...], _Lots] = {}

    def of(self, weights: Sequence[Array]) -> tuple[Array, Array]:
        """The equations of some draws, ``[draw, factor, factor]`` and ``[draw, factor]``."""
        size, draws = len(self.levels), len(weights[0]) if weights else 1
        left, right = np.zeros((draws, size, size)), np.zeros((draws, size))
        known: dict[tuple[Any, ...], Array] = {}
        for f, nested in enumerate(self.nested):
            copies = _times(self._of(self.rows[f], nested), weights)  # of the level, each with so many of the row
            drawn, total = self._level(f).drawn(weights)
            right[:, f] = _divided(total**2, copies, drawn)
            for g, other in enumerate(self.nested):
                own = tuple(b and not a for a, b in zip(nested, other, strict=True))
                rest = tuple(not a and not b for a, b in zip(nested, other, strict=True))
                cells = self.meet[f, g]
                if (f, cells, own, rest) not in known:
                    known[f, cells, own, rest] = _divided(self._met(f, cells, own, rest, weights, known), copies, drawn)
                left[:, f, g] = known[f, cells, own, rest]
        return left, right

    def _of(self, rows: Array | None, wanted: Sequence[bool]) -> list[Array | None]:
        """The units that count of some rows, or of all."""
        every = zip(self.units, wanted, strict=True)
        return [(unit if rows is None else unit[rows]) if want else None for unit, want in every]

    def _level(self, f: int) -> _Lots:
        """How often rows of each level are drawn beside their level, and what they add up to."""
        if (f,) not in self._lots:
            crossed_with = self._of(None, [not n for n in self.nested[f]])
            self._lots[f,] = _Lots.of(self.levels[f], crossed_with, [np.ones(len(self.x)), self.x])
        return self._lots[f,]

    def _met(
        self, f: int, cells: Cells, own: Wanted, rest: Wanted, weights: Sequence[Array], known: dict[Any, Array]
    ) -> Array:
        """The squares of how many rows the cells hold, added up by level, ``[draw, level]``.

        Whole numbers, so that equal sums are the same to the last bit, however cells are numbered.
        """
        level = self.levels[f][cells.row]
        if not any(rest):
            if (f, cells, own) not in self._lots:
                square = np.bincount(cells.of).astype(float) ** 2
                self._lots[f, cells, own] = _Lots.of(level, self._of(cells.row, own), [square])
            return self._lots[f, cells, own].drawn(weights)[0]
        if (cells, rest) not in self._lots:
            self._lots[cells, rest] = _Lots.of(cells.of, self._of(None, rest), [np.ones(len(self.x))])
        if (cells, rest) not in known:
            known[cells, rest] = self._lots[cells, rest].drawn(weights)[0] ** 2
        times = _times(self._of(cells.row, own), weights)
        held = known[cells, rest]
        return _sums(level, held if times is None else held * times, len(self.rows[f]))


def _divided(squares: Array, copies: Array | None, by: Array) -> Array:
    """Squares of every level over how many rows it has, as often as the level is there, added up, ``[draw]``."""
    each = squares / np.where(by > 0, by, 1.0)
    return np.asarray((each if copies is None else each * copies).sum(axis=1))


def _sums(code: Array, values: Array, number: int) -> Array:
    """The sums of ``values[draw, row]`` over the rows of each code, ``[draw, code]``."""
    if number == len(code) and _in_turn(code):
        return values
    place = np.arange(len(values))[:, None] * number + code
    return np.bincount(place.ravel(), values.ravel(), len(values) * number).reshape(len(values), number)


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
