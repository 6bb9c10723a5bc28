"""Alpha of few distinct values: how often every two of them meet in a unit, with and without each judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.kernels.defined import quotient
from quorate.panel.units import Units, together

Array = NDArray[Any]
DENSE = 12  # distinct values up to which every pair of them is counted unit by unit
ROWS = 1 << 14  # taken out of their units together: as many as stay in the cache


def apart_from(a: Array, b: Array, level: str) -> Array:
    """How far values are apart: 1 or 0 of labels, of ratios the square of their difference over their sum."""
    if level == "nominal":
        return np.asarray((a != b).astype(float))
    both = a + b
    return np.asarray(quotient(a - b, both, otherwise=0.0) ** 2)


def few_values(copies: Sequence[Units]) -> Array | None:
    """The distinct values of all copies, where they are few and nobody is counted."""
    if copies[0].count is not None:
        return None
    known = np.unique(copies[0].value)
    for copy in copies[1:]:  # as a rule the same: to find that out takes less than to sort them
        if len(known) > 4 * DENSE:
            return None
        if (known[np.minimum(_codes(known, copy.value), len(known) - 1)] != copy.value).any():
            known = np.union1d(known, copy.value)
    return known if len(known) <= 4 * DENSE else None


def _codes(known: Array, values: Array) -> Array:
    """How many of the distinct values are below each value, which of one of them is its number."""
    if len(known) > DENSE:
        return np.searchsorted(known, values)
    code = np.zeros(len(values), np.int64)
    for one in known.tolist():
        code += values > one
    return code


class Meetings:
    """Few distinct values: how often every two of them meet in a unit, and how often each is there, of many copies."""

    def __init__(self, copies: Sequence[Units], known: Array, level: str) -> None:
        self.units, self.copies = together(copies), len(copies)
        self.code = _codes(known, self.units.value)
        size, kinds = self.units.size, len(known)
        cells = np.bincount(self.units.unit * kinds + self.code, minlength=size * kinds)
        self.cells = cells.reshape(size, kinds).astype(float)
        self.n = self.cells.sum(axis=1)
        self.apart = None if level == "ordinal" else apart_from(known[:, None], known[None, :], level)
        self.totals = [x.reshape(self.copies, size // self.copies, *x.shape[1:]).sum(axis=1) for x in self._whole()]

    def _met(self, cells: Array, n: Array) -> tuple[Array, Array]:
        """Meetings ``[unit, value, value]`` and values ``[unit, value]`` of units with so many values.

        One value alone in a unit does not count. Where it is known how far values are apart, only how far those are
        that meet, ``[unit]``.
        """
        pairs = n > 1
        scaled = cells * np.divide(1.0, n - 1, out=np.zeros(len(n)), where=pairs)[:, None]
        if self.apart is not None:
            return np.einsum("uk,uk->u", scaled, cells @ self.apart), cells * pairs[:, None]
        by_value, scaled = np.ascontiguousarray(cells.T), np.ascontiguousarray(scaled.T)  # units are many, values few
        return (scaled[:, None] * by_value).transpose(2, 0, 1), cells * pairs[:, None]

    def _whole(self) -> list[Array]:
        """The meetings of all units, in the order in which they are added up."""
        return [np.ascontiguousarray(each) for each in self._met(self.cells, self.n)]

    def alphas(self) -> Array:
        """Alpha of every copy."""
        return self._alpha(*self.totals)

    @cached_property
    def _order(self) -> Array:
        """Rows in the order of judges; small numbers are sorted much faster."""
        judge = self.units.judge
        return np.argsort(judge.astype(np.int16) if len(self.units.judges) < 1 << 15 else judge, kind="stable")

    def _taken(self, rows: Array) -> list[Array]:
        """What changes where each of some rows is taken out of its unit, ``[row, ...]``."""
        unit = self.units.unit[rows]
        before, n = self.cells.take(unit, axis=0), self.n.take(unit)
        after = before.copy()
        after[np.arange(len(rows)), self.code[rows]] -= 1
        new, old = self._met(after, n - 1), self._met(before, n)
        return [np.subtract(a, b, out=a) for a, b in zip(new, old, strict=True)]

    @cached_property
    def _every_taken(self) -> list[Array]:
        return [np.ascontiguousarray(each) for each in self._taken(self._order)]

    def without_each(self) -> Array:
        """Alpha without each judge, ``[copy, judge]``: the judge's values are taken out of the judge's units."""
        if self.apart is not None:
            return self._alpha(*self._left(self.apart)).reshape(self.copies, -1)
        whose, begin, rows = np.unique(self.units.judge[self._order], return_index=True, return_counts=True)
        left = [np.repeat(total, len(self.units.judges) // self.copies, axis=0) for total in self.totals]
        lots = np.split(np.arange(len(whose)), np.flatnonzero(np.diff((begin + rows - 1) // ROWS)) + 1)
        for some in lots if len(whose) else ():
            part = slice(begin[some[0]], begin[some[-1]] + rows[some[-1]])
            for each, change in zip(left, self._taken(self._order[part]), strict=True):
                each[whose[some]] += np.add.reduceat(change, begin[some] - part.start, axis=0)
        return self._alpha(*left).reshape(self.copies, -1)

    def _left(self, apart: Array) -> tuple[Array, Array]:
        """What is left of the totals without each judge, where it is known how far values are apart, ``[judge, ...]``.

        A value that is taken out leaves the others of its unit, less twice how far it is from them; and where one other
        was there, nothing.
        """
        unit, judge, code, judges = self.units.unit, self.units.judge, self.code, len(self.units.judges)
        far = self.cells @ apart  # [unit, value]: how far a value is from all in the unit
        total, kinds = np.einsum("uk,uk->u", self.cells, far), self.cells.shape[1]
        n = self.n[unit]
        gone = np.divide(total, self.n - 1, out=np.zeros(len(total)), where=self.n > 1)[unit]
        left = total[unit] - 2 * far.ravel()[unit * kinds + code]
        change = np.divide(left, n - 2, out=np.zeros(len(n)), where=n > 2) - gone
        held = np.bincount((judge * kinds + code)[n > 2], minlength=judges * kinds).reshape(judges, kinds).astype(float)
        alone = np.flatnonzero(n == 2)
        for k in range(kinds):
            held[:, k] += np.bincount(judge[alone], self.cells[unit[alone], k], judges)
        met, all_held = (np.repeat(x, judges // self.copies, axis=0) for x in self.totals)
        return met + np.bincount(judge, change, judges), all_held - held

    def drawn(self, weights: Array) -> tuple[Array, Array]:
        """Alpha of one copy where units count so often, ``[draw]``, and without each judge, ``[draw, judge]``."""
        order, taken = self._order, self._every_taken
        judge, unit = self.units.judge[order], self.units.unit[order]
        whole = [np.tensordot(weights, each, axes=1) for each in self._whole()]
        value = self._alpha(*whole)
        out = np.repeat(value[:, None], len(self.units.judges), axis=1)
        for j in np.unique(judge).tolist():
            mine = slice(*np.searchsorted(judge, (j, j + 1)).tolist())
            some = weights[:, unit[mine]]
            out[:, j] = self._alpha(
                *(w + np.tensordot(some, x[mine], axes=1) for w, x in zip(whole, taken, strict=True))
            )
        return value, out

    def _alpha(self, met: Array, held: Array) -> Array:
        n = held.sum(axis=1)
        if self.apart is None:
            rank = np.cumsum(held, axis=1) - held / 2
            apart = (rank[:, :, None] - rank[:, None, :]) ** 2
            expected = (held[:, :, None] * apart * held[:, None, :]).sum(axis=(1, 2))
            met = (met * apart).sum(axis=(1, 2))
        else:
            expected = (held @ self.apart * held).sum(axis=1)
        ok = (n >= 2) & (expected > kernel.SAME * n)
        seen = met * (n - 1)
        return np.where(ok, 1 - seen / np.where(ok, expected, 1.0), math.nan)
