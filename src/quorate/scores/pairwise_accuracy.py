"""Does a metric order pairs as people do? Accuracy with calibrated ties, and soft pairwise accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.correlations import DIGITS
from quorate.kernels.defined import quotient
from quorate.kernels.streams import shuffles, signs, stream
from quorate.kernels.tails import p_value
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign, means_of
from quorate.scores.metric_correlations import masked
from quorate.scores.trust_method import Rows, metrics_beside, trust_method
from quorate.scores.worst_judges import table_of
from quorate.table import Note, whole

Array = NDArray[Any]
FLIPS = 300  # of signs, for p when systems are permuted
RELABELLING = 3 * 10**5  # steps of permuting systems, besides looking at every two


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two systems of every input: what people and the metric say of them."""

    input: Array
    human: Array  # -1, 0, 1
    metric: Array  # the difference

    @classmethod
    def of(cls, x: Array, z: Array) -> Pairs:
        """From tables ``[input, system]`` of the metric and of people."""
        x, z = masked(x, z)
        a, b = np.triu_indices(x.shape[1], 1)
        gap, human = _apart(x, a, b), np.sign(_apart(z, a, b))
        place, pair = np.nonzero(~np.isnan(gap))
        return cls(place, human[place, pair], gap[place, pair])

    def accuracy(self, epsilon: float) -> Array:
        """acc-eq of each input that has pairs, differences of at most epsilon being ties of the metric."""
        said = np.where(np.abs(self.metric) <= epsilon, 0.0, np.sign(self.metric))
        number = np.bincount(self.input)
        right = np.bincount(self.input, said == self.human)
        return np.asarray(right[number > 0] / number[number > 0])

    def calibrated(self) -> float:
        """The smallest epsilon for which the mean accuracy over inputs is highest; with 0 only equal values tie.

        As epsilon passes a pair's difference the pair becomes a tie: one sort and one running sum try them all.
        """
        if not len(self.metric):
            return math.nan
        each = 1 / np.bincount(self.input)[self.input]
        size = np.abs(self.metric)
        gain = each * ((self.human == 0).astype(float) - (np.sign(self.metric) == self.human))
        gain = np.where(size == 0, 0.0, gain)
        order = np.argsort(size, kind="stable")
        total = np.cumsum(gain[order])
        last = np.append(size[order][1:] != size[order][:-1], True)
        ends, sums = size[order][last], total[last]
        best = int(np.argmax(sums > sums.max() - 1e-12))
        return float(ends[best]) if sums[best] > 1e-12 else 0.0

    def some(self, inputs: Array) -> Pairs:
        """Only the pairs of these inputs."""
        keep = np.isin(self.input, inputs)
        return Pairs(self.input[keep], self.human[keep], self.metric[keep])


def _apart(x: Array, a: Array, b: Array) -> Array:
    """Differences of columns; those that differ by rounding alone are the same, so that no epsilon parts them."""
    largest = float(np.abs(x[~np.isnan(x)]).max(initial=0.0))
    places = DIGITS - math.ceil(math.log10(largest)) if largest > 0 else 0
    return np.asarray(np.round(x[:, a] - x[:, b], min(places, 300)))


def acc_eq(metric: Array, human: Array, epsilon: float | None = None) -> tuple[float, float]:
    """Pairwise accuracy with ties, and the epsilon used: the best one unless it is given.

    >>> acc_eq(np.array([[1.0, 1.1, 3.0]]), np.array([[2.0, 2.0, 5.0]]))
    (1.0, 0.1)
    """
    pairs = Pairs.of(np.asarray(metric, float), np.asarray(human, float))
    chosen = pairs.calibrated() if epsilon is None else epsilon
    return (float(pairs.accuracy(chosen).mean()), chosen) if len(pairs.metric) else (math.nan, math.nan)


def held_out(pairs: Pairs) -> float:
    """Accuracy with epsilon calibrated on every other input, each half judged by the other's."""
    inputs = np.unique(pairs.input)
    halves = pairs.some(inputs[::2]), pairs.some(inputs[1::2])
    found = [one.accuracy(other.calibrated()) for one, other in (halves, halves[::-1]) if len(one.metric)]
    return float(np.concatenate(found).mean()) if len(inputs) > 1 else math.nan


@trust_method(
    "pairwise_accuracy",
    range=(0.0, 1.0),
    higher="the metric orders pairs as people do",
    metrics=True,
    reference="Deutsch, Foster and Freitag 2023",
    note=Note(
        "Metrics with ties or few values, on single outputs.",
        "The tie threshold is chosen on the same data: held_out says what it is worth on others.",
        "mean over inputs of the share of pairs of its outputs that metric and people order, or tie, alike; the "
        "metric ties what differs by at most epsilon",
    ),
)
def pairwise_accuracy(made: OutputDesign, core: Any) -> Trusted:
    """The share of two outputs for one input that a metric orders, or ties, as people do (acc-eq, ties calibrated).

    Epsilon is chosen on these very data; ``held_out`` says what it is worth on others. ``of_means`` is the share of
    two systems whose means are ordered alike.
    """
    rows, overall, human = Rows("epsilon", "held_out", "of_means"), [], table_of(made)
    over = made.called_over(core.over(made, "tasks"))
    for m in metrics_beside(made):
        x, z = masked(m.table, human)
        pairs, keys = Pairs.of(x, z), {**made.labels, "metric": m.name}
        means = Pairs.of(means_of(x)[None], means_of(z)[None])
        told: dict[str, float] = {"epsilon": math.nan, "held_out": math.nan}
        told["of_means"] = float(means.accuracy(0.0).mean()) if len(means.metric) else math.nan
        value, inside = math.nan, None
        if m.by_input and len(pairs.metric):
            told |= {"epsilon": pairs.calibrated(), "held_out": held_out(pairs)}
            each = pairs.accuracy(told["epsilon"])
            value = float(each.mean())
            drawn = core.drawn(len(each)) @ each / len(each)
            inside = core.interval(value, drawn, over, len(each), (0.0, 1.0))
        rows.add(keys, value, **told)
        known = told if m.by_input and len(pairs.metric) else {n: v for n, v in told.items() if n != "held_out"}
        overall.append(core.figure(value, {**keys, **known}, inside))
    return Trusted(rows.keys, rows.values, overall, rows.details)


# -- soft --------------------------------------------------------------------------------------------------------------


def one_sided(x: Array, flipped: Array) -> Array:
    """``p[a, b]``: how often flipped signs put system a as far above b as it is; NaN where they share no input.

    Draws that leave the two just as far apart count for both, so p[a, b] + p[b, a] is above 1 where scores are coarse.
    """
    systems = x.shape[1]
    out = np.full((systems, systems), np.nan)
    there = ~np.isnan(x)
    filled = np.where(there, x, 0.0)
    whole = bool(there.all())
    slack = 1e-9 * float(np.abs(filled).sum(axis=0).max(initial=0.0))
    sums, turned = filled.sum(axis=0), flipped @ filled
    for a in range(systems - 1):
        rest = slice(a + 1, None)
        if whole:  # the flipped sum of a difference is the difference of flipped sums: one product serves all pairs
            seen, drawn = sums[a] - sums[rest], turned[:, a, None] - turned[:, rest]
            known = np.ones(len(seen), bool)
        else:
            both = there[:, a, None] & there[:, rest]
            gap = np.where(both, filled[:, a, None] - filled[:, rest], 0.0)
            seen, drawn = gap.sum(axis=0), flipped @ gap
            known = np.asarray(both.any(axis=0))
        above, below = (drawn >= seen - slack).sum(axis=0), (drawn <= seen + slack).sum(axis=0)
        out[a, rest] = np.where(known, p_value(above, len(flipped)), np.nan)
        out[rest, a] = np.where(known, p_value(below, len(flipped)), np.nan)
    return out


def soft_pairs(x: Array, z: Array, permutations: int = 1000, seed: int = 0) -> Array:
    """1 - |difference of p| of every two systems, ``[system, system]``; the same signs serve people and metric.

    The mean of both directions of a pair, for which the one-sided tests differ where scores are coarse: else the order
    of the systems would matter.
    """
    x, z = masked(np.asarray(x, float), np.asarray(z, float))
    flipped = signs(stream(seed, "signs"), permutations, len(x)).astype(float)
    return _alike(one_sided(z, flipped), one_sided(x, flipped))


def _alike(people: Array, metric: Array) -> Array:
    """1 - |difference of p|, both directions of a pair averaged, above the diagonal; NaN elsewhere."""
    apart = np.abs(people - metric)
    upper = np.triu(np.ones(apart.shape, bool), 1)
    return np.asarray(np.where(upper, 1 - (apart + apart.T) / 2, np.nan))


def spa(x: Array, z: Array, permutations: int = 1000, seed: int = 0) -> float:
    """Soft pairwise accuracy of tables ``[input, system]``; 1 when the metric is as sure of every pair as people are.

    >>> z = np.random.default_rng(0).normal(size=(30, 5))
    >>> spa(z, z), round(spa(-z, z), 2) < 0.8
    (1.0, True)
    """
    pairs = soft_pairs(x, z, permutations, seed)
    known = pairs[~np.isnan(pairs)]
    return float(known.mean()) if len(known) else math.nan


@trust_method(
    "soft_pairwise_accuracy",
    range=(0.0, 1.0),
    higher="the metric is as sure of system differences as people are",
    metrics=True,
    reference="Thompson, Mathur, Deutsch and Khayrallah 2024",
    permutations=whole("how often signs are flipped", 1),
    note=Note(
        "System level with few systems: rewards a metric for being as sure as people are.",
        "A metric that knows nothing has 1/2 or more; only one that contradicts people comes near 0.",
        "mean over pairs of systems of 1 - |p by people - p by the metric|; p = how often flipped signs put one "
        "system as far above the other",
    ),
)
def soft_pairwise_accuracy(made: OutputDesign, core: Any, permutations: int = 1000) -> Trusted:
    """Mean over system pairs of 1 - |p of people - p of the metric|, one-sided paired permutation tests.

    1 when the metric is as sure of every difference as people are; a metric that knows nothing is at 1/2 where all
    differences are clear, and near 2/3 where none is.
    """
    rows, overall, human, left = Rows("pairs"), [], table_of(made), []
    over = core.over(made, "systems")
    for m in metrics_beside(made):
        if not m.by_input or len(made.tasks) < 2:
            left.append(m.name)
            continue
        keys = {**made.labels, "metric": m.name}
        found = soft_pairs(m.table, human, permutations, core.options.seed)
        known = found[~np.isnan(found)]
        value = float(known.mean()) if len(known) else math.nan
        drawn = over_systems(found, core.drawn(len(found), found.size))
        inside = core.interval(value, drawn, over, len(found), (0.0, 1.0))
        rows.add(keys, value, pairs=len(known))
        draw, work = relabelled(m.table, human, core.stream("signs", m.name)), RELABELLING + 10 * found.size
        overall.append(core.figure(value, keys, inside, core.nulls(draw, value, work, "relabelled")))
    return Trusted(rows.keys, rows.values, overall, rows.details, about={"left": left})


def over_systems(found: Array, often: Array) -> Array:
    """Means over pairs of systems drawn so often; a system is no pair with itself."""
    there = ~np.isnan(found)
    total = ((often @ np.where(there, found, 0.0)) * often).sum(axis=1)
    return quotient(total, ((often @ there) * often).sum(axis=1))


def relabelled(x: Array, z: Array, rng: np.random.Generator) -> Callable[[int, np.random.Generator], Array]:
    """What the metric gives when its systems are permuted, as a function of how often."""
    x, z = masked(x, z)
    flipped = signs(rng, FLIPS, len(x)).astype(float)
    people, metric = one_sided(z, flipped), one_sided(x, flipped)

    def draw(number: int, rng: np.random.Generator) -> Array:
        orders = shuffles(rng, len(people), number)
        found = (_alike(people, metric[np.ix_(order, order)]) for order in orders)
        known = [gap[~np.isnan(gap)] for gap in found]
        return np.array([gap.mean() if len(gap) else math.nan for gap in known])

    return draw
