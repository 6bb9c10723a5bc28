"""Krippendorff's alpha: one minus the disagreement seen inside units, divided by that between all values."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.kernels import reliability as kernel
from quorate.kernels.defined import quotient
from quorate.panel.coefficient import Additive, Coefficient
from quorate.panel.score_facts import inside, inside_by_task, resting
from quorate.panel.units import Units, from_table, together
from quorate.scores.alpha_meetings import DENSE, Meetings, apart_from, few_values
from quorate.table import Note, checked, choice, method

Array = NDArray[Any]
LEVEL = choice("what a difference of two values means", "interval", "ordinal", "nominal", "ratio", shown=True)
ROWS = 1 << 14  # of copies of a panel looked at together
PAIRED = 4000  # distinct values up to which ratio differences of all pairs are held


def alpha(
    scores: Any,
    level: str = "interval",
    *,
    judge_weights: Sequence[float] | None = None,
    unit_weights: Sequence[float] | None = None,
) -> float:
    """Krippendorff's alpha of a table of judges x items; None or NaN is missing, in any pattern.

    1 when judges give each item one value, 0 when they agree no more than values dealt at random; below 0 when they
    differ more. NaN when all values are the same: nothing varies, so nothing can agree. A judge's weight multiplies
    the weight of every pair of values it is part of; an item of weight 2 counts like two such items. Labels that are
    not numbers are for ``level="nominal"``.

    >>> round(alpha([[1, 2, 3, 3], [1, 2, 3, 4], [None, 3, 3, 4]]), 4)
    0.8276
    >>> round(alpha([["yes", "no", "no"], ["yes", "no", "yes"]], "nominal"), 4)
    0.4444
    """
    how = checked("alpha", "scores", "agreement", level=level)
    units = from_table(scores)
    if how["level"] != "nominal" and not isinstance(scores, Units):
        _refuse_labels(scores)
    if judge_weights is None and unit_weights is None:
        return float(coefficient(units, how["level"]).value)
    weight = None if judge_weights is None else _positive(judge_weights, len(units.judges), "judge")[units.judge]
    found = coefficient(units, how["level"], weight)
    often = np.ones(units.size) if unit_weights is None else _positive(unit_weights, units.size, "item")
    return float(found.of(often[None, :])[0])


def _positive(weights: Sequence[float], size: int, what: str) -> Array:
    out = np.asarray(weights, float)
    if out.shape != (size,) or not (np.isfinite(out).all() and (out >= 0).all()):
        raise BadParameter(f"weights of {what}s must be {size} numbers from 0.", f"one weight for each {what}.")
    return out


def _refuse_labels(table: Any) -> None:
    try:
        np.asarray(table, float)
    except (TypeError, ValueError):
        raise InputError(
            "labels that are not numbers have no distances.", "level='nominal' takes any labels."
        ) from None


def _by_task(units: Units, level: str) -> tuple[Array, dict[str, Any]]:
    """Alpha of every task, with what it rests on."""
    return np.array([coefficient(part, level).value for _, part in units.by_task()]), inside_by_task(units)


def _parts(units: Units, centre: float, level: str) -> Array:
    """What each unit adds to alpha of interval level."""
    return kernel.sums(units.unit, units.value, units.size, units.count, shift=centre).parts()


@method(
    "scores",
    "agreement",
    "alpha",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    default=True,
    reference="Krippendorff: Content Analysis (2004); Hayes and Krippendorff 2007",
    parameters={"level": LEVEL},
    symmetric=True,
    interval="student",
    judges="weighted",
    by_task=_by_task,
    additive=Additive(_parts, lambda totals, level: kernel.alpha_of(totals), lambda m: m["level"] == "interval"),
    without=lambda copies, level: without_each(copies, level),
    at_once=lambda copies, level: _of_copies(copies, level),
    note=Note(
        "The default: any number of judges, missing scores, any level of measurement.",
        "Where nearly all scores are the same it is low or undefined though judges agree: see percent and gwet. The "
        "level must fit the scale.",
        "1 - D_o / D_e; D_o = mean squared difference of two scores of one unit, D_e = of any two scores; nominal: "
        "1 where they differ; ordinal: of their ranks; ratio: of (a - b) / (a + b)",
    ),
)
def coefficient(units: Units, level: str = "interval", weight: Array | None = None) -> Coefficient:
    """Krippendorff's alpha: 1 minus the disagreement of judges on a unit over that of all values with one another."""
    if level == "interval":
        found = kernel.sums(units.unit, units.value, units.size, units.count, weight)
        parts = found.parts()
        return Coefficient(lambda w: kernel.alpha_of(w @ parts), units.size, inside(units))
    rows = _Rows.of(units, weight)
    if level == "ratio" and len(rows.known) and rows.known[0] < 0:
        raise InputError("a ratio needs scores from 0.", "use level=interval for scores below 0.")
    rests = resting(units) if level == "nominal" else {}
    if len(rows.known) <= DENSE:
        return Coefficient(_dense(rows, level), units.size, inside(units), len(rows.known) ** 2, rests)
    of = {"nominal": _nominal, "ordinal": _ordinal, "ratio": _ratio}[level](rows)
    return Coefficient(of, units.size, inside(units), 10 + 10 * len(units) // max(units.size, 1), rests)


class _Rows:
    """Values that pair with another one of their unit, as codes of the distinct values in ascending order."""

    def __init__(self, units: Units, weight: Array | None) -> None:
        n = np.bincount(units.unit, weight, units.size)
        p = n if weight is None else np.bincount(units.unit, weight**2, units.size)
        if units.count is not None and weight is None:
            n = p = np.bincount(units.unit, units.count, units.size)
        pairs = n * n - p > 1e-12
        keep = pairs[units.unit]
        whole = bool(keep.all())
        self.unit = units.unit if whole else units.unit[keep]
        self.size = units.size
        value = units.value if whole else units.value[keep]
        mass = units.count if weight is None else weight
        self.mass = None if mass is None else mass[keep]
        self.known, self.code = kernel.codes(value)
        self.n = np.where(pairs, n, 0.0)
        self.p = np.where(pairs, p, 0.0)
        self.norm = np.where(pairs, n - quotient(p, n, otherwise=0.0), 1.0)

    @classmethod
    def of(cls, units: Units, weight: Array | None = None) -> _Rows:
        return cls(units, weight)

    def alpha(self, apart: Array, expected: Array, n: Array, p: Array) -> Array:
        """From observed and expected differences, each a sum over pairs of values."""
        pairs = n * n - p
        ok = (pairs > 0) & (expected > kernel.SAME * np.maximum(n, 1.0))
        safe = np.where(ok, expected, 1.0)
        return np.where(ok, 1 - (apart / np.where(n > 0, n, 1.0)) * (pairs / safe), math.nan)


def _dense(rows: _Rows, level: str) -> Any:
    """Few distinct values: per unit how often every two of them meet."""
    kinds = len(rows.known)
    cells = np.bincount(rows.unit * kinds + rows.code, rows.mass, rows.size * kinds).reshape(rows.size, kinds)
    first, second = np.triu_indices(kinds, 1)
    both: Array = cells[:, first] * cells[:, second]
    meet = 2 * both / rows.norm[:, None]
    features = np.concatenate([meet, cells, rows.n[:, None], rows.p[:, None]], axis=1)

    def of(weights: Array) -> Array:
        total = weights @ features
        met, held, n, p = np.split(total, [len(first), len(first) + kinds, len(first) + kinds + 1], axis=1)
        if level == "ordinal":
            rank = np.cumsum(held, axis=1) - held / 2
            apart = (rank[:, first] - rank[:, second]) ** 2
        else:
            apart = apart_from(rows.known[first], rows.known[second], level)
        expected = (2 * held[:, first] * held[:, second] * apart).sum(axis=1)
        return rows.alpha((met * apart).sum(axis=1), expected, n[:, 0], p[:, 0])

    return of


def _nominal(rows: _Rows) -> Any:
    kinds = len(rows.known)
    same = kernel.same_value(rows.unit, rows.code, rows.size, kinds, rows.mass)
    features = np.stack([(rows.n**2 - same) / rows.norm, rows.n, rows.p], axis=1)

    def of(weights: Array) -> Array:
        apart, n, p = (weights @ features).T
        return rows.alpha(apart, n * n - np.array([(_held(rows, w) ** 2).sum() for w in weights]), n, p)

    return of


def _held(rows: _Rows, weight: Array) -> Array:
    """How often each distinct value is there when units count as often as the weights say."""
    often = weight[rows.unit]
    return np.bincount(rows.code, often if rows.mass is None else often * rows.mass, len(rows.known))


def _ordinal(rows: _Rows) -> Any:
    """Interval differences of mid-ranks, which every resample has anew; rows lie in the order of their values."""
    order = np.argsort(rows.code)
    unit, code, mass = rows.unit[order], rows.code[order], None if rows.mass is None else rows.mass[order]
    first = np.flatnonzero(np.diff(code, prepend=-1))
    times = np.diff(np.append(first, len(code)))

    def one(weight: Array) -> float:
        often = weight[unit] if mass is None else weight[unit] * mass
        held = often if len(first) == len(code) else np.add.reduceat(often, first)
        rank = np.cumsum(held) - held / 2
        rank -= held.sum() / 2
        x = rank if len(first) == len(code) else np.repeat(rank, times)
        y = x if mass is None else x * mass
        s, q = np.bincount(unit, y, rows.size), np.bincount(unit, y * x, rows.size)
        inner = 2 * np.maximum(rows.n * q - s * s, 0.0) / rows.norm
        totals = [weight @ column for column in (inner, rows.n, rows.p, s, q)]
        return float(kernel.alpha_of(np.array(totals)))

    return lambda weights: np.array([one(w) for w in weights])


def _ratio(rows: _Rows) -> Any:
    values = rows.known[rows.code]
    each = kernel.within(rows.unit, values, lambda a, b: apart_from(a, b, "ratio"), rows.mass)
    apart = 2 * np.bincount(rows.unit, each, rows.size) / rows.norm
    square = None
    if len(rows.known) <= PAIRED:
        square = apart_from(rows.known[:, None], rows.known[None, :], "ratio")

    def expected(held: Array) -> float:
        if square is not None:
            return float(held @ square @ held)
        total = 0.0
        for block in np.array_split(np.arange(len(held)), max(1, len(held) ** 2 >> 22)):
            total += float(held[block] @ (apart_from(rows.known[block, None], rows.known[None, :], "ratio") @ held))
        return total

    def of(weights: Array) -> Array:
        seen, n, p = (weights @ np.stack([apart, rows.n, rows.p], axis=1)).T
        return rows.alpha(seen, np.array([expected(_held(rows, w)) for w in weights]), n, p)

    return of


# -- without each judge ------------------------------------------------------------------------------------------------


def _of_copies(copies: Sequence[Units], level: str) -> Array:
    """Alpha of every copy of a panel, ``[copy]``; many in one pass but where judges are counted or values are many."""
    if level == "interval":
        return np.concatenate([_alphas(lot) for lot in _lots(copies)])
    if (known := few_values(copies)) is None:
        return np.array([coefficient(copy, level).value for copy in copies])
    return np.concatenate([Meetings(lot, known, level).alphas() for lot in _lots(copies, len(known) ** 2)])


def without_each(copies: Sequence[Units], level: str = "interval") -> Array:
    """Alpha without each judge in turn, ``[copy, judge]``; as a rule of many copies in one pass."""
    if level == "interval" and copies[0].count is None:
        return np.concatenate([_alphas_without(lot) for lot in _lots(copies)])
    if level != "interval" and (known := few_values(copies)) is not None:
        return np.concatenate([Meetings(lot, known, level).without_each() for lot in _lots(copies, len(known) ** 2)])
    return np.stack([_one_by_one(copy, level) for copy in copies])


def _lots(copies: Sequence[Units], cost: int = 1) -> Iterator[Sequence[Units]]:
    """As many copies at a time as stay in the cache; ``cost``: numbers held for each value."""
    step = max(1, ROWS * 8 // (max(len(copies[0]), 1) * max(cost, 8)))
    return (copies[a : a + step] for a in range(0, len(copies), step))


def _alphas(copies: Sequence[Units]) -> Array:
    units = together(copies)
    return kernel.alpha_of(kernel.grouped(units.sums().parts(), units.task, len(copies)))


def _alphas_without(copies: Sequence[Units]) -> Array:
    units = together(copies)
    totals = kernel.without_each(units.unit, units.judge, units.value, units.size, len(units.judges), len(copies))
    return kernel.alpha_of(totals).reshape(len(copies), -1)


def _one_by_one(units: Units, level: str) -> Array:
    """Alpha without each judge in turn, ``[judge]``, of counted judges or of many distinct values."""
    judges = len(units.judges)
    if level == "ordinal" and units.count is None:
        known, code = kernel.codes(units.value)
        return _ordinal_without(units, len(known), code)
    codes = range(judges)
    return np.array([coefficient(units.of_judges(np.delete(np.arange(judges), j)), level).value for j in codes])


def _ordinal_without(units: Units, kinds: int, code: Array) -> Array:
    """Many distinct values: sorted once, ranked anew without each judge."""
    unit, size = units.unit, units.size
    every = np.bincount(unit, minlength=size)
    out = []
    for judge in range(len(units.judges)):
        others = units.judge != judge
        n = every - np.bincount(unit[~others], minlength=size)
        mass = (others & (n > 1)[unit]).astype(float)
        held = np.bincount(code, mass, kinds)
        rank = np.cumsum(held) - held / 2
        x = (rank - mass.sum() / 2)[code]
        y = x * mass
        n = np.where(n > 1, n, 0).astype(float)
        found = kernel.Sums(n, n, np.bincount(unit, y, size), np.bincount(unit, y * x, size))
        out.append(found.parts().sum(axis=0))
    return kernel.alpha_of(np.array(out).reshape(-1, 5))


def drawn_without_each(units: Units, level: str) -> Callable[[Array], tuple[Array, Array]]:
    """Alpha where units count so often, ``[draw]``, and without each judge, ``[draw, judge]``: a function of that."""
    if level != "interval" and (known := few_values([units])) is not None:
        return Meetings([units], known, level).drawn
    judges = np.arange(len(units.judges))

    def of(weights: Array) -> tuple[Array, Array]:
        left = [coefficient(units.of_judges(np.delete(judges, j)), level).of(weights) for j in judges.tolist()]
        return coefficient(units, level).of(weights), np.stack(left, axis=1)

    return of


def alpha_without(scores: Any, level: str = "interval") -> dict[Hashable, float]:
    """Alpha without each judge in turn.

    >>> {j: round(a, 3) for j, a in alpha_without([[1, 2, 3, 4], [1, 2, 3, 4], [4, 1, 3, 2]]).items()}
    {0: -0.225, 1: -0.225, 2: 1.0}
    """
    units = from_table(scores)
    how = checked("alpha", "scores", "agreement", level=level)
    return dict(zip(units.judges, without_each([units], how["level"])[0].tolist(), strict=True))
