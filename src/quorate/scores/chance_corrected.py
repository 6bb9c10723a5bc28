"""Agreement beyond chance on categories: percent agreement, Fleiss' kappa, Gwet's AC1 and AC2, Cohen's kappa.

They differ in what chance is: the shares of categories over all judges (Fleiss), how evenly categories are used
(Gwet), each judge's own shares (Cohen). A unit with one value has nothing to agree with; it still tells how often
categories are used. Categories are the values found; distances between them are differences of values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.kernels.defined import quotient
from quorate.kernels.streams import sample, stream
from quorate.panel.coefficient import Additive, Coefficient
from quorate.panel.score_facts import inside, resting
from quorate.panel.units import Units, from_table, together
from quorate.scores.alpha_meetings import few_values
from quorate.scores.coefficient import corrected
from quorate.table import Note, checked, choice, method, number

Array = NDArray[Any]
WEIGHTS = choice("what a difference costs: all alike, its size, or its square", "none", "linear", "quadratic")
PAIRS = 2000  # pairs of judges that Cohen's kappa is averaged over at most
CELLS = 1 << 24
ROWS = 1 << 16  # of copies of a panel looked at together


def _places(known: Array, values: Array) -> Array:
    """Which of the known values each one is."""
    return np.searchsorted(known, values)


class _Use:
    """How units use the categories: shares of each, and agreeing pairs."""

    def __init__(self, units: Units, known: Array | None = None) -> None:
        self.units = units
        self.known, self.code = kernel.codes(units.value) if known is None else (known, _places(known, units.value))
        self.mass = np.ones(len(units)) if units.count is None else units.count
        self.n = np.bincount(units.unit, self.mass, units.size)
        self.pairs = self.n > 1

    @cached_property
    def there(self) -> Array:
        """1 for units with values."""
        return (self.n > 0).astype(float)

    @cached_property
    def each(self) -> Array:
        """What every row is of its unit."""
        return np.asarray(self.mass / self.n[self.units.unit])

    @cached_property
    def dense(self) -> Array | None:
        """The share of each category in each unit; None where there are too many."""
        size, kinds = self.units.size, len(self.known)
        if size * kinds > CELLS:
            return None
        return np.bincount(self.units.unit * kinds + self.code, self.each, size * kinds).reshape(size, kinds)

    def shares(self, weights: Array) -> Array:
        """Mean over units of each category's share, ``[resample, category]``."""
        if self.dense is not None:
            total = weights @ self.dense
        else:
            units = self.units
            total = np.array([np.bincount(self.code, self.each * w[units.unit], len(self.known)) for w in weights])
        return np.asarray(total / np.maximum(weights @ self.there, 1.0)[:, None])

    def agree(self, kind: str) -> Array:
        """Per unit the mean agreement of two of its values, 1 less their distance; 0 where nothing pairs."""
        units, n = self.units, self.n
        span = float(self.known[-1] - self.known[0]) if len(self.known) > 1 else 1.0
        apart: Array
        if kind == "none":
            apart = n * n - kernel.same_value(units.unit, self.code, units.size, max(len(self.known), 1), self.mass)
        elif kind == "quadratic":
            sums = units.sums()
            apart = 2 * np.maximum(sums.n * sums.q - sums.s**2, 0) / span**2
        else:
            each = kernel.within(units.unit, units.value, lambda a, b: np.abs(a - b), self.mass)
            apart = 2 * np.bincount(units.unit, each, units.size) / span
        full = np.where(self.pairs, n * (n - 1), 1.0)
        return np.where(self.pairs, 1 - apart / full, 0.0)

    def mean(self, per_unit: Array, weights: Array) -> Array:
        """Mean over the units that hold pairs."""
        total = weights @ np.stack([per_unit * self.pairs, self.pairs], axis=1)
        return quotient(total[:, 0], total[:, 1])


def _pairs_alike(units: Units, centre: float, tolerance: float) -> Array:
    """Of each unit how often two of its judges give the same value, and 1; zeros where nothing pairs."""
    return _counted(*_equal(units, tolerance))


def _counted(use: _Use, agree: Array) -> Array:
    return np.stack([agree * use.pairs, use.pairs], axis=1)


def _share(totals: Array, tolerance: float) -> Array:
    return quotient(totals[..., 0], totals[..., 1])


def _percent_of_copies(copies: Sequence[Units], tolerance: float) -> Array:
    """The share of every copy of a panel, ``[copy]``; many in one pass where values are few."""
    known = few_values(copies)
    if known is None or tolerance > 0:
        return np.concatenate([measure_percent(copy, tolerance=tolerance).once for copy in copies])
    step, found = max(1, ROWS // max(len(copies[0]), 1)), []
    for a in range(0, len(copies), step):
        some = together(copies[a : a + step])
        use = _Use(some, known)
        found.append(kernel.grouped(_counted(use, use.agree("none")), some.task, len(copies[a : a + step])))
    return _share(np.concatenate(found), tolerance)


@method(
    "scores",
    "agreement",
    "percent",
    range=(0, 1),
    higher="more agreement",
    default=True,
    parameters={"tolerance": number("values that differ by no more count as the same", 0)},
    symmetric=True,
    interval="student",
    additive=Additive(_pairs_alike, _share),
    at_once=_percent_of_copies,
    note=Note(
        "Plain language: how often do two judges say the same?",
        "Not corrected for chance: with two labels and one of them frequent, guessing gives a high value. Of few units "
        "that nearly all judges agree on its 95% interval is too narrow (of 6 units and a true value of 0.9 held in 49 "
        "of 100 panels of two judges and 87 of twenty; of 20 units in 85 to 96).",
        "mean over units of (pairs of judges with |difference| <= tolerance) / (pairs)",
    ),
)
def measure_percent(units: Units, *, tolerance: float = 0.0) -> Coefficient:
    """Percent agreement: the share of pairs of judges who give a unit the same value, averaged over units."""
    use, agree = _equal(units, tolerance)
    return Coefficient(lambda w: use.mean(agree, w), units.size, inside(units), rests=resting(units))


def _equal(units: Units, tolerance: float) -> tuple[_Use, Array]:
    """How units use their values, and the share of pairs of judges who give each unit the same."""
    use = _Use(units)
    agree = use.agree("none")
    if tolerance > 0:
        near = kernel.within(units.unit, units.value, lambda a, b: np.abs(a - b) <= tolerance + 1e-12, use.mass)
        same = 2 * np.bincount(units.unit, near, units.size)
        if units.count is not None:  # judges counted as one row agree with one another
            same += np.bincount(units.unit, units.count * (units.count - 1), units.size)
        agree = same / np.where(use.pairs, use.n * (use.n - 1), 1.0)
    return use, agree


@method(
    "scores",
    "agreement",
    "fleiss",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    reference="Fleiss 1971; different numbers of judges a unit: Gwet 2014",
    symmetric=True,
    interval="student",
    note=Note(
        "Labels without an order, many judges, comparison with published figures.",
        "Falls towards 0 when one label is frequent, whatever the agreement.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q^2, q = the share of a category",
    ),
)
def measure_fleiss(units: Units) -> Coefficient:
    """Fleiss' kappa: percent agreement beyond what the shares of the categories give by chance."""
    use = _Use(units)
    of = partial(_beyond_shares, use, use.agree("none"))
    return Coefficient(of, units.size, inside(units), rests=resting(units))


def _beyond_shares(use: _Use, agree: Array, often: Array) -> Array:
    return corrected(use.mean(agree, often), (use.shares(often) ** 2).sum(axis=1))


@method(
    "scores",
    "agreement",
    "gwet",
    range=(-math.inf, 1),
    higher="more agreement",
    reference="Gwet 2008 (AC1), 2014 (AC2)",
    parameters={"weights": WEIGHTS},
    symmetric=True,
    interval="student",
    note=Note(
        "Labels of which one is very frequent, where kappas collapse.",
        "Its chance model is lenient: it can be high when judges only share a habit. Report it beside alpha.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q (1 - q) / (categories - 1), q = the share of a "
        "category; with weights near scores agree in part, in both",
    ),
)
def measure_gwet(units: Units, *, weights: str = "none") -> Coefficient:
    """Gwet's AC1, or with weights AC2: agreement beyond chance that stays steady where one category is frequent."""
    use = _Use(units)
    agree, kinds = use.agree(weights), len(use.known)
    rest = _alike(use.known, weights) / max(kinds * (kinds - 1), 1)

    def of(often: Array) -> Array:
        if kinds < 2:  # one category throughout: no variation, nothing to agree on
            return np.full(len(often), math.nan)
        held = use.shares(often)
        return corrected(use.mean(agree, often), rest * (held * (1 - held)).sum(axis=1))

    rests = resting(units) if weights == "none" else {}
    return Coefficient(of, units.size, {**inside(units), "categories": kinds}, rests=rests)


def _alike(known: Array, kind: str) -> float:
    """The sum over all ordered pairs of categories of 1 less their distance as a share of the span."""
    kinds = len(known)
    if kind == "none" or kinds < 2:
        return float(kinds)
    span = float(known[-1] - known[0])
    x = known - known.mean()
    if kind == "quadratic":
        return kinds * kinds - 2 * kinds * float((x * x).sum()) / span**2
    return kinds * kinds - 2 * float(((2 * np.arange(kinds) - kinds + 1) * x).sum()) / span


@method(
    "scores",
    "agreement",
    "cohen",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    reference="Cohen 1960, 1968; more than two judges: Light 1971",
    parameters={"weights": WEIGHTS},
    symmetric=True,
    interval="student",
    judges="apart",
    at_once=lambda copies, weights: _of_copies(copies, weights),
    note=Note(
        "Two judges with labels, or all pairs of more; weights for ordered labels.",
        "Judges with different habits get a higher value than judges with the same ones, other things equal. A mean "
        "over pairs hides a bad judge.",
        "(P_o - P_e) / (1 - P_e), P_e = sum over categories of q_1 q_2, each judge's own shares; mean over pairs of "
        "judges; with weights near scores agree in part, in both",
    ),
)
def measure_cohen(units: Units, *, weights: str = "none") -> Coefficient:
    """Cohen's kappa: agreement of two judges beyond their own shares; the mean over all pairs of more judges."""
    rows, sampled = _pairs(units)
    pairs = [(common, units.value[a], units.value[b]) for common, a, b in rows]
    details = {**inside(units), "pairs": len(pairs)} | ({"pairs_sampled": True} if sampled else {})

    def of(often: Array) -> Array:
        found = np.array([_kappa(a, b, often[:, common], weights) for common, a, b in pairs])
        if not len(found):
            return np.full(len(often), math.nan)
        known = np.isfinite(found)
        return quotient(np.where(known, found, 0.0).sum(axis=0), known.sum(axis=0))

    cost = 3 * sum(len(common) for common, _, _ in pairs) // max(units.size, 1)
    return Coefficient(of, units.size, details, max(cost, 1), resting(units) if weights == "none" else {})


def _pairs(units: Units) -> tuple[list[tuple[Array, Array, Array]], bool]:
    """Of every two judges with units in common: these units, and both judges' rows."""
    mine = [rows for rows in units.by_judge() if len(rows)]
    every = len(mine) * (len(mine) - 1) // 2
    sampled = every > PAIRS
    chosen = sample(stream(0, "pairs of judges"), every, PAIRS)  # whatever the seed: part of the formula
    place = np.arange(len(mine))
    begin = place * (len(mine) - 1) - place * (place - 1) // 2  # of the pairs of each judge with those behind
    first = np.searchsorted(begin, chosen, side="right") - 1
    second = chosen - begin[first] + first + 1
    out = []
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        common, at, bt = np.intersect1d(units.unit[mine[a]], units.unit[mine[b]], True, return_indices=True)
        if len(common):
            out.append((common, mine[a][at], mine[b][bt]))
    return out, sampled


def _kappa(a: Array, b: Array, weights: Array, kind: str) -> Array:
    """Kappa of two judges' values, for each row of weights."""
    n = weights.sum(axis=1)
    safe = np.maximum(n, 1.0)
    span = float(max(a.max(), b.max()) - min(a.min(), b.min())) or 1.0
    if kind == "quadratic":
        middle = kernel.centre(np.concatenate([a, b]))
        x, y = (a - middle) / span, (b - middle) / span
        means = weights @ np.stack([x, y, x * x, y * y, x * y], axis=1) / safe[:, None]
        squares = means[:, 2] + means[:, 3]
        seen, expected = squares - 2 * means[:, 4], squares - 2 * means[:, 0] * means[:, 1]
    else:
        known, code = kernel.codes(np.concatenate([a, b]))
        own, other = (_held(c, weights, len(known)) / safe[:, None] for c in np.split(code, 2))
        if kind == "none":
            seen, expected = weights @ (a != b) / safe, 1 - (own * other).sum(axis=1)
        else:
            f, g = np.cumsum(own, axis=1)[:, :-1], np.cumsum(other, axis=1)[:, :-1]
            seen = weights @ (np.abs(a - b) / span) / safe
            expected = (f * (1 - g) + g * (1 - f)) @ (np.diff(known) / span)
    ok = (n > 0) & (expected > 1e-12)
    return np.where(ok, 1 - seen / np.where(ok, expected, 1.0), math.nan)


def _of_copies(copies: Sequence[Units], weights: str) -> Array:
    """Cohen's kappa of every copy of a panel, ``[copy]``: of all pairs of judges in one pass, where these did the same
    units in all copies."""
    units = copies[0]
    rows, _ = _pairs(units)
    known = np.unique(np.concatenate([np.unique(copy.value) for copy in copies]))
    same = all(copy.unit is units.unit and copy.judge is units.judge for copy in copies)
    if not (rows and same) or len(rows) * len(known) > CELLS:
        return np.array([measure_cohen(copy, weights=weights).value for copy in copies])
    begin = np.cumsum([0, *(len(common) for common, _, _ in rows[:-1])])
    first, second = (np.concatenate([row[side] for row in rows]) for side in (1, 2))
    return np.array([_mean_kappa(c.value[first], c.value[second], begin, known, weights) for c in copies])


def _mean_kappa(a: Array, b: Array, begin: Array, known: Array, kind: str) -> float:
    """The mean kappa of pairs of judges, whose values on common units stand one pair after the other."""
    n = np.diff(begin, append=len(a)).astype(float)
    span = np.maximum.reduceat(np.maximum(a, b), begin) - np.minimum.reduceat(np.minimum(a, b), begin)
    span = np.where(span > 0, span, 1.0)
    pair, kinds = np.repeat(np.arange(len(n)), n.astype(np.int64)), len(known)
    own, other = (
        np.bincount(pair * kinds + np.searchsorted(known, x), minlength=len(n) * kinds).reshape(-1, kinds) / n[:, None]
        for x in (a, b)
    )
    if kind == "none":
        seen, expected = np.add.reduceat((a != b).astype(float), begin) / n, 1 - (own * other).sum(axis=1)
    elif kind == "linear":
        f, g = np.cumsum(own, axis=1)[:, :-1], np.cumsum(other, axis=1)[:, :-1]
        seen = np.add.reduceat(np.abs(a - b), begin) / n / span
        expected = (f * (1 - g) + g * (1 - f)) @ np.diff(known) / span
    else:
        x = known - kernel.centre(known)
        seen = np.add.reduceat((a - b) ** 2, begin) / n / span**2
        expected = ((own + other) @ x**2 - 2 * (own @ x) * (other @ x)) / span**2
    ok = expected > 1e-12
    return float(np.mean(1 - seen[ok] / expected[ok])) if ok.any() else math.nan


def _held(code: Array, weights: Array, kinds: int) -> Array:
    if len(code) * kinds <= CELLS:
        one = np.zeros((len(code), kinds))
        one[np.arange(len(code)), code] = 1.0
        return np.asarray(weights @ one)
    return np.array([np.bincount(code, w, kinds) for w in weights])


def percent(scores: Any, tolerance: float = 0.0) -> float:
    """Percent agreement of a table of judges x items: the share of pairs of judges with the same value.

    1 when judges never differ, 0 when no two ever agree. What judges reach by luck depends on the number of
    categories; see :func:`fleiss` or :func:`gwet`. Values may be any labels.

    >>> percent([["a", "b", "b"], ["a", "b", "c"], ["a", "b", "c"]])
    0.7777777777777778
    """
    return float(
        measure_percent(from_table(scores), **checked("percent", "scores", "agreement", tolerance=tolerance)).value
    )


def fleiss(scores: Any) -> float:
    """Fleiss' kappa of a table of judges x items; values may be any labels, None is missing.

    1 when judges never differ, 0 when they agree as often as their categories' shares give by chance; NaN when there
    is one category only.

    >>> round(fleiss([["a", "b", "b", "a"], ["a", "b", "c", "a"], ["a", "b", "c", "a"]]), 4)
    0.7273
    """
    return float(measure_fleiss(from_table(scores)).value)


def gwet(scores: Any, weights: str = "none") -> float:
    """Gwet's AC1 of a table of judges x items; with ``weights`` linear or quadratic AC2.

    1 when judges never differ, 0 at chance. Unlike kappa it does not collapse when nearly all items are of one
    category. Labels that are not numbers are for weights ``none``.

    >>> round(gwet([[1, 1, 1, 1, 2], [1, 1, 1, 2, 2]]), 4), round(fleiss([[1, 1, 1, 1, 2], [1, 1, 1, 2, 2]]), 4)
    (0.6552, 0.5238)
    """
    return float(measure_gwet(from_table(scores), **checked("gwet", "scores", "agreement", weights=weights)).value)


def cohen(scores: Any, weights: str = "none") -> float:
    """Cohen's kappa of a table of two judges x items; of more judges the mean over all pairs (Light's kappa).

    1 when two judges never differ, 0 when they agree as often as their own shares of categories give by chance.
    Weights are distances of the values themselves, not of their ranks.

    >>> round(cohen([[1, 2, 3, 3], [1, 2, 3, 2]]), 4), round(cohen([[1, 2, 3, 3], [1, 2, 3, 2]], "quadratic"), 4)
    (0.6364, 0.8)
    """
    return float(measure_cohen(from_table(scores), **checked("cohen", "scores", "agreement", weights=weights)).value)
