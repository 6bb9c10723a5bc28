"""Is one metric better than another? Permutation tests and Williams' test of two correlations with the same scores."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.kernels.correlations import blocks, correlate
from quorate.kernels.defined import quotient
from quorate.kernels.streams import signs, stream
from quorate.kernels.tails import p_value
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign, means_of
from quorate.scores.metric_correlations import (
    POPULATIONS,
    correlation,
    masked,
    population,
    resampled,
    stacked,
    units_of,
)
from quorate.scores.metrics import COEFFICIENT
from quorate.scores.t_test import lower_tail
from quorate.scores.trust_method import Rows, metrics_beside, trust_method
from quorate.scores.worst_judges import table_of
from quorate.table import Note, choice

Array = NDArray[Any]


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Williams' t and its two-sided p: do X and Y correlate alike with Z? ``r12`` = r(X,Z), ``r13`` = r(Y,Z).

    >>> t, p = williams(0.9, 0.6, 0.5, 20)
    >>> round(t, 3), round(p, 4)
    (2.753, 0.0136)
    """
    if n < 4 or any(math.isnan(r) for r in (r12, r13, r23)):
        return math.nan, math.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * max(k, 0.0) * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if below <= 0:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return t, 2 * lower_tail(-abs(t), n - 3)


def permutation_test(
    x: Array,
    y: Array,
    z: Array,
    level: str = "system",
    coefficient: str = "pearson",
    swap: str = "systems",
    permutations: int = 1000,
    seed: int = 0,
) -> float:
    """Two-sided p of ``r(x, z) - r(y, z)`` for tables ``[input, system]``, by swapping the two metrics at random.

    Swapped are whole systems, whole inputs, or single cells (both); only swapped systems speak for other systems than
    these: two equally good metrics, each with its own favourites among systems, differ by swapped cells. p = (as far +
    1) / (permutations + 1), never 0.

    >>> z = np.random.default_rng(0).normal(size=(20, 16))
    >>> permutation_test(z, -z, z, permutations=99)
    0.01
    """
    tables = _comparable(x, y, z, swap)
    seen = abs(correlation(tables[0], z, level, coefficient) - correlation(tables[1], z, level, coefficient))
    if math.isnan(seen):
        return math.nan
    drawn = apart_when_swapped(
        *tables, level, coefficient, swap, permutations, stream(seed, "swap", level, coefficient, swap)
    )
    return float(p_value(np.count_nonzero(drawn >= seen * (1 - 1e-9) - 1e-12), permutations))


def apart_when_swapped(
    x: Array,
    y: Array,
    z: Array,
    level: str,
    coefficient: str,
    swap: str,
    number: int,
    rng: np.random.Generator,
) -> Array:
    """How far apart two metrics' correlations are in each of so many random swaps of the two, ``[swap]``."""
    gone = np.isnan(z)
    inputs, systems = z.shape
    step, count = np.nan_to_num(y - x), (~gone).sum(axis=0)
    sums = [np.nan_to_num(t).sum(axis=0) for t in (x, y)]
    human, out = quotient(np.nan_to_num(z).sum(axis=0), count), np.empty(number)
    shape = {"both": (inputs, systems), "systems": (1, systems), "inputs": (inputs, 1)}[swap]
    for some in blocks(number, x.size * (systems if coefficient == "kendall" else 1)):
        mask = signs(rng, some.stop - some.start, *shape) > 0
        if level == "system":  # the means follow from what is moved
            moved = (mask * step).sum(axis=1)
            gap = correlate(_over(sums[0] + moved, count), human, coefficient)
            gap = gap - correlate(_over(sums[1] - moved, count), human, coefficient)
        else:
            gap = stacked(z, np.where(mask, y, x), level, coefficient)
            gap = gap - stacked(z, np.where(mask, x, y), level, coefficient)
        out[some] = np.abs(np.nan_to_num(gap))
    return out


def _comparable(x: Array, y: Array, z: Array, swap: str) -> tuple[Array, Array, Array]:
    """Three tables of the cells that all have, the metrics on one scale: that of systems' means, or that of cells."""
    gone = np.isnan(x) | np.isnan(y) | np.isnan(z)
    x, y, z = (np.where(gone, np.nan, t) for t in (x, y, z))
    x, y = (_standard(t, means_of(t) if swap == "systems" else t) for t in (x, y))
    return x, y, z


def _standard(x: Array, of: Array) -> Array:
    """A metric less the mean of some of its values, by their spread, so that swapped metrics can be averaged."""
    known = of[~np.isnan(of)]
    spread = known.std() if len(known) else 0.0
    return np.asarray((x - known.mean()) / spread if spread > 0 else x - (known.mean() if len(known) else 0.0))


def _over(sums: Array, count: Array) -> Array:
    return quotient(sums, np.broadcast_to(count, sums.shape))


@trust_method(
    "metric_differences",
    range=(-2.0, 2.0),
    higher="the first metric goes with the human scores better than the second",
    metrics=True,
    reference="Deutsch, Dror and Roth 2021; Williams 1959",
    level=choice("of what", "system", "input"),
    coefficient=COEFFICIENT,
    swap=choice("what is swapped between the metrics, and drawn: what to generalise to", *POPULATIONS),
    note=Note(
        "Is one metric really better than another, on other systems too?",
        "One comparison at a time: with many metrics some p are small by chance. With swap=both or swap=inputs p "
        "speaks of these very systems only: two equally good metrics differ by it in 22 to 55 of 100 simulated panels.",
        "r(metric 1, judges) - r(metric 2, judges); p by swapping the metrics' standardised scores of whole systems",
    ),
)
def metric_differences(
    made: OutputDesign, core: Any, level: str = "system", coefficient: str = "pearson", swap: str = "systems"
) -> Trusted:
    """How much better one metric correlates with the human scores than another; p by swapping them, and Williams' p.

    What is swapped is drawn for the interval too, which leaves out 0 exactly where p is that small. p-values are of
    single comparisons; with many metrics some are small by chance.
    """
    rows, overall = Rows("williams_t", "williams_p", "p_value"), []
    human, swap = table_of(made), population(made, core, "swap", swap)
    found = [m for m in metrics_beside(made) if m.by_input or level == "system"]
    for a, b in combinations(found, 2):
        mode = swap if a.by_input and b.by_input else "systems"
        if mode != swap and core.options.over:
            raise BadParameter(f"over={core.options.over}: '{a.name}' or '{b.name}' has values of systems alone.")
        x, y, z = _comparable(a.table, b.table, human, mode)
        r = [correlation(*masked(p, q), level, coefficient) for p, q in ((x, z), (y, z), (x, y))]
        value, systems = r[0] - r[1], int((~np.isnan(z)).any(axis=0).sum())
        chance = core.nulls(
            partial(apart_when_swapped, x, y, z, level, coefficient, mode),
            abs(value),
            z.size,
            "swap",
            level,
            coefficient,
        )
        chance = chance and replace(chance, value=0.0)
        t, wp = williams(r[0], r[1], r[2], systems) if level == "system" else (math.nan, math.nan)
        often = core.crossed(mode, *human.shape)
        gap = resampled(x, z, level, coefficient, *often) - resampled(y, z, level, coefficient, *often)
        keys = {**made.labels, "metric": a.name, "other": b.name}
        rows.add(keys, value, williams_t=t, williams_p=wp, p_value=chance.p if chance else math.nan)
        over = "systems and inputs" if mode == "both" else mode
        inside = core.interval(value, gap, over, units_of(mode, len(z), systems), (-2.0, 2.0), p=chance and chance.p)
        overall.append(core.figure(value, {**keys, "williams_p": wp}, inside, chance))
    return Trusted(rows.keys, rows.values, overall, rows.details, about={"level": level, "pairs": len(overall)})
