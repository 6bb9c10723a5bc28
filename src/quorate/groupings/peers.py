"""Each judge against the others: how much they agree, and whether the judge splits what the others keep together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings import support
from quorate.groupings.comparisons import Compared, Pairs, both_ways, compare, square
from quorate.groupings.measures import measure_of
from quorate.groupings.nested import MEASURE, measuring, settled
from quorate.groupings.partitions import LEFT_OUT, Partitions, treated
from quorate.kernels.contingency import pair_sums
from quorate.resample import Chance, Interval, percentiles, resampled_counts, stream
from quorate.results import Options
from quorate.table import Method, method, number, quorum

Array = NDArray[Any]
WORK = 3 * 10**9  # multiplications spent on intervals of what most put together
LABELS = 2 * 10**7  # compared with a judge's shuffled grouping at most, about
LEAST = 20  # shuffles of a judge's grouping, however large


@dataclass(frozen=True, eq=False)
class Judged:
    """A value per judge of every task, ``[task][judge]``, and what else is worth telling of it."""

    values: list[Array]
    details: Mapping[str, list[Array]] = field(default_factory=dict)
    random: list[Array] | None = None  # [task][judge, shuffle] the judge's items dealt anew
    spread: list[Array] | None = None  # [resample, judge] of one task: with other judges beside
    sign: int = 1


@method(
    "groupings",
    "judges",
    "peer_agreement",
    range=(-math.inf, math.inf),
    higher="as the measure has it",
    chance="the judge's grouping with its items dealt anew",
    default=True,
    reference="Geiss: inter-judge agreement",
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    relabelling=True,
)
def peer_agreement(
    parts: Sequence[Partitions],
    options: Options,
    measure: str = "v_beta",
    left_out: str = "singletons",
    prepared: Prepared | None = None,
) -> Judged:
    """A judge's mean agreement with each of the others, both ways, by a measure of two groupings."""
    ready = prepared or prepare([(measure, left_out)], parts, options)
    pairs, found = ready.compared[measure, left_out]
    matrices = [square(pairs, found.values, t, len(p.judges)) for t, p in enumerate(parts)]
    values = [_row_means(m, p.counts) for m, p in zip(matrices, parts, strict=True)]
    spread = _over_others(matrices[0], parts[0].counts, options) if len(parts) == 1 else None
    return Judged(values, {}, ready.shuffled.get((measure, left_out)), spread, settled(measure)[0].sign)


@dataclass(frozen=True, eq=False)
class Prepared:
    """All judges compared by several measures and treatments of left-out items, in one go."""

    compared: dict[tuple[Any, Any], tuple[Pairs, Compared]]
    shuffled: dict[tuple[Any, Any], list[Array]]  # [task][judge, shuffle]: the judge's items dealt anew


def prepare(wanted: Sequence[tuple[Any, Any]], parts: Sequence[Partitions], options: Options) -> Prepared:
    """Every two judges, and every judge's grouping with its items dealt anew against the others."""
    chosen = {w: measuring(w[0]).with_(left_out=w[1]) for w in wanted}
    pairs, found = compare(parts, list(chosen.values()), Options(permutations=0))
    compared = {w: (pairs, f) for w, f in zip(chosen, found, strict=True)}
    shuffled: dict[tuple[Any, Any], list[Array]] = {w: [] for w in chosen} if options.permutations else {}
    cost = sum(p.labels.size * len(p.judges) for p in parts)
    number = min(options.permutations, max(LABELS // max(cost, 1), LEAST))
    for t, p in enumerate(parts if shuffled else []):
        judges = len(p.judges)
        rng = stream(options.seed, "shuffled judges", t)
        dealt = rng.permuted(np.repeat(p.labels, number, axis=0), axis=1)  # [judge x shuffle]
        weight = _others(p.counts)
        use = np.ones_like(weight, bool) if (p.counts > 1).any() else weight > 0
        own, other = (x[use] for x in np.indices((judges, judges)))
        rows = (own[:, None] * number + np.arange(number)).ravel()
        for way in dict.fromkeys(w[1] for w in chosen):
            some = {w: m for w, m in chosen.items() if w[1] == way}
            values = {w: np.empty(len(rows)) for w in some}
            expected = any(measure_of(m).expected for m in some.values())
            first, second = treated(dealt, way), treated(p.labels, way)
            for part, sums in pair_sums(first, second, rows, np.repeat(other, number), expected=expected):
                for w, m in some.items():
                    values[w][part] = np.mean(both_ways(m, sums), axis=0)
            for w, v in values.items():
                shuffled[w].append(_others_mean(v.reshape(judges, -1, number), weight[use].reshape(judges, -1, 1)))
        options.tell("shuffled judges", t + 1, len(parts))
    return Prepared(compared, shuffled)


def _others(counts: Array) -> Array:
    """How many other judges of a row there are for a judge of each row, ``[judge, judge]``."""
    return np.asarray(counts[None, :] - np.eye(len(counts), dtype=np.int64))


def _others_mean(values: Array, weight: Array) -> Array:
    """Of ``[judge, other, shuffle]`` the mean over others."""
    there = ~np.isnan(values)
    count = (there * weight).sum(axis=1)
    total = (np.where(there, values, 0.0) * weight).sum(axis=1)
    return np.asarray(np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0))


@method(
    "groupings",
    "judges",
    "leaning",
    range=(-1, 1),
    higher="splits more than the others do; below 0 generalises more",
    chance="none",
    default=True,
    reference="Geiss: generalisation as a kind of disagreement",
    parameters={"left_out": LEFT_OUT},
    relabelling=True,
)
def leaning(parts: Sequence[Partitions], options: Options, left_out: str = "common") -> Judged:
    """Homogeneity minus completeness of a judge's clusters, the others' being the gold; below 0 for a generaliser."""
    both = [("homogeneity", left_out), ("completeness", left_out)]
    (pairs, pure), (_, whole) = prepare(both, parts, Options(permutations=0)).compared.values()
    ahead = pure.forward - whole.forward  # what one judge splits the other merges
    matrices = [_skew(pairs, ahead, t, len(p.judges)) for t, p in enumerate(parts)]
    per_cluster = [np.divide(p.used, p.clusters, out=np.full(len(p.used), np.nan), where=p.clusters > 0) for p in parts]
    details = {"clusters": [p.clusters for p in parts], "per_cluster": per_cluster}
    spread = _over_others(matrices[0], parts[0].counts, options) if len(parts) == 1 else None
    means = [_row_means(m, p.counts) for m, p in zip(matrices, parts, strict=True)]
    return Judged(means, details, None, spread)


@method(
    "groupings",
    "judges",
    "together_outliers",
    range=(-1, math.inf),
    higher="more in common with the others",
    chance="none",
    default=True,
    reference="Xue, Lin, Wang, McClean: outliers by q-support, carried over to groups",
    parameters={
        "q": quorum("judges who must put a pair together: a count (3) or a share of the judges (0.5)"),
        "eps1": number("a judge is an outlier when v1 is below -eps1", 0, open_low=True),
        "eps2": number("a judge is an outlier when v2 is below -eps2", 0, open_low=True),
        "left_out": LEFT_OUT,
    },
    relabelling=True,
)
def together_outliers(
    parts: Sequence[Partitions],
    options: Options,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    left_out: str = "singletons",
) -> Judged:
    """How much less of what a judge puts together most judges do (v2) than on average, and of used items (v1)."""
    found = [support.measure(p.labels, q, left_out, p.counts) for p in parts]
    v1 = [_deviation(f["kappa1"], f["items"]) for f in found]
    v2 = [_deviation(f["kappa2"], f["value"]) for f in found]
    details = {
        "v1": v1,
        "v2": v2,
        "kappa1": [f["kappa1"] for f in found],
        "kappa2": [f["kappa2"] for f in found],
        "covered": [f["covered"] for f in found],
        "outlier": [(a < -eps1) | (b < -eps2) for a, b in zip(v1, v2, strict=True)],
    }
    return Judged(v2, details, None, _redrawn(parts[0], q, left_out, options) if len(parts) == 1 else None)


def _deviation(own: Array, mean: float) -> Array:
    """(own - mean) / mean; undefined where the mean is 0."""
    return (own - mean) / mean if mean > 0 else np.full(len(own), np.nan)


def _redrawn(part: Partitions, q: float | int, left_out: str, options: Options) -> list[Array] | None:
    """Every judge's deviation when the panel is drawn anew, which changes what most put together."""
    if int(part.counts.sum()) < 3:
        return None
    members = support.prepared(part.labels, left_out)
    resamples = int(min(options.resamples, max(WORK // max(support.cost(part.labels), 1), 100)))
    rng = stream(options.seed, "judges", "over judges")
    out = []
    for times in resampled_counts(part.counts, rng, resamples):
        own = members.scores(times, q)[1]
        out.append(_deviation(own, support.mean(own, times)))
    return out


def _row_means(matrix: Array, counts: Array) -> Array:
    there, weight = ~np.isnan(matrix), _others(counts)
    number = (there * weight).sum(axis=1)
    total = (np.where(there, matrix, 0.0) * weight).sum(axis=1)
    return np.asarray(np.divide(total, number, out=np.full(len(matrix), np.nan), where=number > 0))


def _skew(pairs: Pairs, values: Array, task: int, judges: int) -> Array:
    """One task's values as ``[judge, judge]`` where the other way round is the opposite."""
    out = square(pairs, values, task, judges)
    out[np.tril_indices(judges, -1)] *= -1
    return out


def _over_others(matrix: Array, counts: Array, options: Options) -> list[Array] | None:
    """Every judge's mean when the others are drawn anew; of draws of the judge's own row those of others in it."""
    if int(counts.sum()) < 3:
        return None
    rng = stream(options.seed, "judges", "over judges")
    times = resampled_counts(counts, rng, options.resamples).astype(float)
    there = ~np.isnan(matrix)
    value = np.where(there, matrix, 0.0)
    own = times / counts  # to be expected of one judge of the row
    number = times @ there.T - own * there.diagonal()
    total = times @ value.T - own * value.diagonal()
    return list(np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0))


def intervals(judged: Judged, of: Mapping[int, list[tuple[int, int]]], options: Options) -> dict[int, Interval | None]:
    """Each judge's interval: over the judge's tasks, or with one task over the judges beside."""
    if judged.spread is not None:
        drawn = np.stack(judged.spread)
        return {j: percentiles(drawn[:, at[0][1]], options.level, "judges") for j, at in of.items()}
    out: dict[int, Interval | None] = {}
    for j, at in of.items():
        values = np.array([judged.values[t][k] for t, k in at])
        values = values[~np.isnan(values)]
        rng = stream(options.seed, "judges", j)
        if len(values) > 1:
            means = values[rng.integers(len(values), size=(options.resamples, len(values)))].mean(axis=1)
            out[j] = percentiles(means, options.level, "tasks")
        else:
            out[j] = None
    return out


def chance(judged: Judged, at: Sequence[tuple[int, int]], value: float) -> Chance | None:
    """What the judge's grouping gives with its items dealt anew, and how often it agrees as much."""
    if judged.random is None or math.isnan(value):
        return None
    rows = np.stack([judged.random[t][k] for t, k in at])
    there = ~np.isnan(rows)
    number_ = there.sum(axis=0)
    drawn = np.where(there, rows, 0.0).sum(axis=0)[number_ > 0] / number_[number_ > 0]
    if not len(drawn):
        return None
    reached = int((judged.sign * drawn >= judged.sign * value - 1e-12).sum())
    return Chance(float(drawn.mean()), (reached + 1) / (len(drawn) + 1), len(drawn))


def is_flagged(method_: Method, details: Mapping[str, Any], tested: Chance | None) -> bool:
    """Whether a judge shares little of what most share, or agrees no more than with items dealt anew."""
    if method_.name == "together_outliers":
        return bool(details["v1"] < -method_["eps1"] or details["v2"] < -method_["eps2"])  # type: ignore[operator]
    return tested is not None and tested.p > 0.05
