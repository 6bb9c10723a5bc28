"""What each unit is worth by its judges: means, medians, means that trust consistent judges more, and majorities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.kernels.additive import judge_effects
from quorate.kernels.correlations import correlate
from quorate.kernels.defined import quotient
from quorate.panel.base import remembered
from quorate.panel.consensus_value import Agreed
from quorate.panel.outputs import voters
from quorate.panel.units import Units, from_table, redrawn  # noqa: F401  (for the examples)
from quorate.scores.self_consistency import own_alphas
from quorate.table import Note, choice, method, number

Array = NDArray[Any]
DENSE = 4  # times as many cells of judges and units as scores, up to which a table of them pays
CELLS = 1 << 22  # numbers held at a time
OF = choice("how judges become one score", "mean", "median", "trimmed_mean", "additive", "consistency_weighted")


def consensus_method(
    name: str,
    *,
    note: Note,
    default: bool = False,
    by_unit: bool = False,  # whether a unit's own scores are all that its value rests on
    weighted: Any = None,
    redrawn: Any = None,  # the same of judges drawn, as often as if the method were asked again
    usual: Any = None,
    **parameters: Any,
) -> Callable[..., Any]:
    """Declare a consensus method of scores: a function of units."""
    return method(
        "scores",
        "consensus",
        name,
        range=(-np.inf, np.inf),
        higher="a higher score",
        default=default,
        parameters=parameters,
        symmetric=True,
        relabelling=True,
        null=False,
        clusters=True,
        by_unit=by_unit,
        weighted=weighted,
        redrawn=redrawn,
        usual=usual,
        note=note,
    )


def _weighted_means(units: Units, times: Array) -> Iterator[Array]:
    """Means where each judge counts so many times, ``times[draw, judge]``, draw by draw.

    Where most judges scored most units, as products of matrices.
    """
    if units.size * len(units.judges) > DENSE * len(units):
        for often in times:
            weight = often[units.judge]
            total = np.bincount(units.unit, weight * units.value, units.size)
            yield quotient(total, np.bincount(units.unit, weight, units.size))
        return
    value, there = remembered(units, "_by_judge_and_unit", _by_judge_and_unit)
    step = max(1, CELLS // max(units.size, 1))
    for a in range(0, len(times), step):
        some = times[a : a + step]
        yield from quotient(some @ value, some @ there)


def _by_judge_and_unit(units: Units) -> tuple[Array, Array]:
    """Sums and numbers of scores, ``[judge, unit]``; numbers ``[judge, 1]`` where they are of each unit the same."""
    shape, cell = (len(units.judges), units.size), units.judge * units.size + units.unit
    value, there = (np.bincount(cell, w, shape[0] * shape[1]).reshape(shape) for w in (units.value, None))
    there = there.astype(float)  # as a product of matrices would have it anyway
    return value, there[:, :1] if (there == there[:, :1]).all() else there


@consensus_method(
    "mean",
    by_unit=True,
    default=True,
    weighted=_weighted_means,
    note=Note(
        "The usual choice, when every judge scored every unit.",
        "One judge far off moves it, and judges of different severity on different units make it unfair.",
        "1/N sum of x_ju",
    ),
)
def mean(units: Units) -> Agreed:
    """The mean of the judges' scores.

    One judge far off moves it as much as all others together can hold it back.

    >>> mean(from_table([[1, 2], [3, 2], [5, None]])).array.tolist()
    [3.0, 2.0]
    """
    return Agreed(units.means())


def _medians(units: Units, times: Array) -> Iterator[Array]:
    """Medians where each judge counts so many times, ``times[draw, judge]``, draw by draw.

    Where most judges scored most units, each unit's scores are put in order once, and the middle ones are those that so
    many are below.
    """
    judges, cell = len(units.judges), units.judge * units.size + units.unit
    dense = units.size * judges <= DENSE * len(units)
    if not dense or (np.bincount(cell, minlength=1) > 1).any():
        for often in times.astype(np.int64):
            yield _trimmed(redrawn(units, np.repeat(np.arange(judges), often)), 0.5)
        return
    value, order = remembered(units, "_in_order", _in_order)
    every = np.arange(units.size)
    for often in times:
        upto = np.append(often, 0.0).astype(np.int32)[order]
        for below, place in pairwise(upto):
            place += below  # much quicker than a sum along a table's first axis
        number = upto[-1]
        low, high = (
            value[np.minimum((upto <= middle).sum(axis=0, dtype=np.int32), judges - 1), every]
            for middle in ((number - 1) // 2, number // 2)
        )
        yield np.where(number > 0, np.where(number % 2, low, (low + high) / 2), np.nan)


def _in_order(units: Units) -> tuple[Array, Array]:
    """Each unit's scores from the lowest on, and whose they are, ``[place, unit]``; nobody's count nothing."""
    judges = len(units.judges)
    value = np.full((judges, units.size), np.inf)
    value[units.judge, units.unit] = units.value
    order = np.argsort(value, axis=0, kind="stable")
    value = np.take_along_axis(value, order, axis=0)
    order[np.isinf(value)] = judges
    return value, order.astype(np.int32)


@consensus_method(
    "median",
    by_unit=True,
    default=True,
    redrawn=_medians,
    note=Note(
        "Half of the judges may be off without moving it.",
        "Takes few values on a short scale, so systems tie.",
        "the middle of the judges' scores; of an even number the mean of the two middle ones",
    ),
)
def median(units: Units) -> Agreed:
    """The median of the judges' scores: half of them may be off.

    >>> median(from_table([[1, 2], [3, 4], [50, None]])).array.tolist()
    [3.0, 3.0]
    """
    return Agreed(_trimmed(units, 0.5))


@consensus_method(
    "trimmed_mean",
    by_unit=True,
    share=number("left off at either end, of the judges of a unit", 0.0, 0.5),
    note=Note(
        "Between mean and median, with five judges or more.",
        "With three judges a quarter is nobody: it is the mean.",
        "mean without the floor(share * N) highest and lowest",
    ),
)
def trimmed_mean(units: Units, share: float = 0.25) -> Agreed:
    """The mean without the highest and the lowest scores; 0 is the mean, 0.5 the median.

    Whole scores are left off, rounded down: of three judges a quarter is nobody.

    >>> trimmed_mean(from_table([[1], [2], [3], [40]])).array.tolist()
    [2.5]
    """
    return Agreed(_trimmed(units, share))


def _trimmed(units: Units, share: float) -> Array:
    order = np.lexsort((units.value, units.unit))
    unit, value = units.unit[order], units.value[order]
    n = units.per_unit
    place = np.arange(len(unit)) - (np.cumsum(n) - n)[unit]
    # At most all but one (odd) or two (even), as the median does; a share is a share in spite of rounding.
    off = np.minimum(np.floor(share * n + 1e-9).astype(np.int64), np.maximum(n - 1, 0) // 2)
    keep = (place >= off[unit]) & (place < (n - off)[unit])
    total = np.bincount(unit[keep], value[keep], units.size)
    left = n - 2 * off
    return quotient(total, left)


@consensus_method(
    "consistency_weighted",
    weights=choice("what a judge counts", "correlation", "consistency"),
    note=Note(
        "Judges of clearly unequal reliability, enough units to measure it.",
        "Weights from few units are noise; a clique of like minds gives itself weight.",
        "sum of w_j x_ju / sum of w_j; w = correlation with the mean of the others, or alpha of own repeats; below "
        "0 it is 0",
    ),
)
def consistency_weighted(units: Units, weights: str = "correlation") -> Agreed:
    """The mean of the judges' scores, consistent judges counting more.

    Weights are each judge's correlation with the mean of the others, or the alpha of the judge's own repeats; below 0
    they are 0, and a judge without one gets the mean weight. When no judge has one, all count the same.

    >>> found = consistency_weighted(from_table([[1, 2, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1]]))
    >>> found.judges["weight"].tolist(), found.array.tolist()
    ([0.0, 0.0, 0.0], [2.0, 2.3333333333333335, 2.6666666666666665, 3.0])
    """
    raw = with_others(units) if weights == "correlation" else _own_alphas(units)
    here = np.bincount(units.judge, minlength=len(units.judges)) > 0
    known = ~np.isnan(raw) & here
    weight = np.where(known, np.maximum(np.nan_to_num(raw), 0.0), 0.0)
    about: dict[str, Any] = {"weights": weights, "no_weight": not weight.any()}
    of = np.where(here, 1.0, 0.0)
    if weight.any():
        usual = np.average(weight[known], weights=voters(units)[1][known])
        of = np.where(known, weight, usual) * here
        about["mean_weight"] = int((here & ~known).sum())
    each = of[units.judge]
    top = np.bincount(units.unit, each * units.value, units.size)
    bottom = np.bincount(units.unit, each, units.size)
    plain = units.means()  # where only judges of weight 0 looked, they are all there is
    values = np.divide(top, bottom, out=plain.copy(), where=bottom > 0)
    about["weightless_units"] = int((bottom == 0).sum()) if weight.any() else 0
    return Agreed(values, None, about, judges={"weight": np.where(here, of if weight.any() else weight, np.nan)})


def _own_alphas(units: Units) -> Array:
    """Of the judges as they are, or resampled: then each is a number of the panel's."""
    if units.panel is None:
        return np.full(len(units.judges), np.nan)
    own = own_alphas(units)
    return own if units.judges == units.panel.judges else own[np.array(units.judges, np.int64)]


def with_others(units: Units) -> Array:
    """Each judge's correlation with the mean of the other judges of the same units; NaN where there is none."""
    n = units.per_unit[units.unit]
    rest = (np.bincount(units.unit, units.value, units.size)[units.unit] - units.value) / np.maximum(n - 1, 1)
    shared = n > 1
    out = np.full(len(units.judges), np.nan)
    for j, rows in enumerate(units.by_judge()):
        mine = rows[shared[rows]]
        if len(mine) > 1:
            out[j] = float(correlate(units.value[mine], rest[mine], "pearson"))
    return out


@consensus_method(
    "additive",
    note=Note(
        "Judges scored different units and differ in severity.",
        "Parts that share no judge or unit cannot be compared; the answer says so.",
        "a_u in x_ju = a_u + b_j by least squares",
    ),
)
def additive(units: Units) -> Agreed:
    """The judges' scores with each judge's severity taken out, by least squares: score = unit + judge.

    Equal to the mean when every judge scored every unit: effects add up to 0 over all judges, also those who share a
    name. Judges must be connected through units they share; parts that share none keep the mean of their own judges,
    and it is said.

    >>> additive(from_table([[1, 2, None], [None, 4, 5]])).array.tolist()
    [2.0, 3.0, 4.0]
    """
    behind = voters(units)[1]
    effect, part = judge_effects(units.unit, units.judge, units.value, units.size, len(behind), behind=behind)
    n = units.per_unit
    total = np.bincount(units.unit, units.value - effect[units.judge], units.size)
    values = quotient(total, n)
    facts = {"parts": int(part.max(initial=-1)) + 1}
    return Agreed(values, None, facts, judges={"effect": effect, "part": part + 1.0})


@consensus_method(
    "majority",
    note=Note(
        "Labels, which have no mean.",
        "Undefined where two labels are equally frequent; a frequent label wins by habit.",
        "the most frequent score",
    ),
)
def majority(units: Units) -> Agreed:
    """The score that most judges gave; undefined where two were given equally often.

    The only consensus of labels, which have no mean. Scores that hardly ever repeat have no majority.

    >>> majority(from_table([[1, 1], [1, 2], [5, None]])).array.tolist()
    [1.0, nan]
    """
    known, code = kernel.codes(units.value)
    kinds = max(len(known), 1)
    cell, place = np.unique(units.unit * np.int64(kinds) + code, return_inverse=True)
    held = np.bincount(place.ravel(), units.mass, len(cell))
    unit = cell // kinds
    top = np.zeros(units.size)
    np.maximum.at(top, unit, held)
    best = held >= top[unit] - 1e-12
    values = np.full(units.size, np.nan)
    values[unit[best]] = known[cell[best] % kinds] if len(known) else np.nan
    values[np.bincount(unit[best], minlength=units.size) != 1] = np.nan
    return Agreed(values, top, {"tied": int(np.isnan(values).sum()), "units": units.size})


METHODS: dict[str, Callable[..., Agreed]] = {
    "mean": mean,
    "median": median,
    "trimmed_mean": trimmed_mean,
    "consistency_weighted": consistency_weighted,
    "additive": additive,
    "majority": majority,
}
