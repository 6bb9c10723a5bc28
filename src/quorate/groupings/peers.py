"""Each judge against the others: how much they agree, and whether the judge splits what the others keep together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings import support
from quorate.groupings.comparisons import compare
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.judge_pairs import Compared, Pairs, judge_means, square
from quorate.groupings.nested import MEASURE, measuring, reach, settled
from quorate.groupings.over_tasks import TaskDraws
from quorate.groupings.pairwise import pair_values
from quorate.groupings.partitions import LEFT_OUT, Block, Partitions, blocks
from quorate.inference.resample import Chance, Interval, centred, stream
from quorate.inference.results import Options
from quorate.table import Method, method, number, quorum

Array = NDArray[Any]
WORK = 3 * 10**9  # multiplications spent on intervals of what most put together
LABELS = 2 * 10**7  # compared with a judge's shuffled grouping at most, about
ROWS = 2 * 10**6  # pairs of a shuffled and another judge's grouping held at a time, about
LEAST = 20  # shuffles of a judge's grouping, however large
FEWEST = 5  # with less effort


@dataclass(frozen=True, eq=False)
class Judged:
    """A value per judge of every task, ``[task][judge]``, and what else is worth telling of it."""

    values: list[Array]
    details: Mapping[str, list[Array]] = field(default_factory=dict)
    random: list[Array] | None = None  # [task][judge, shuffle] the judge's items dealt anew
    spread: list[Array] | None = None  # [resample, judge] of one task: with other judges beside
    sign: int = 1
    range: tuple[float, float] = (-math.inf, math.inf)  # of the values
    others: int = 0  # of one task: how many judges a judge stands beside, those that counts stand for included


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
    seen = found.values
    values = judge_means(pairs, parts, seen, seen)
    spread = None
    if len(parts) == 1:
        if id(found) not in ready.spread:
            matrix = square(pairs, seen, 0, len(parts[0].judges))
            ready.spread[id(found)] = _over_others(matrix, parts[0].counts, options)
        spread = ready.spread[id(found)]
    sign = settled(measure)[0].sign
    random = ready.shuffled.get((measure, left_out))
    return Judged(values, {}, random, spread, sign, reach(measure), _beside(parts))


@dataclass(frozen=True, eq=False)
class Prepared:
    """All judges compared by several measures and treatments of left-out items, in one go."""

    compared: dict[tuple[Any, Any], tuple[Pairs, Compared]]
    shuffled: dict[tuple[Any, Any], list[Array]]  # [task][judge, shuffle]: the judge's items dealt anew
    spread: dict[int, list[Array] | None] = field(default_factory=dict)  # by what is compared, which treatments share


def prepare(wanted: Sequence[tuple[Any, Any]], parts: Sequence[Partitions], options: Options) -> Prepared:
    """Every two judges, and every judge's grouping with its items dealt anew against the others."""
    chosen = {w: measuring(w[0]).with_(left_out=w[1]) for w in wanted}
    pairs, found = compare(parts, list(chosen.values()), Options(permutations=0))
    compared = {w: (pairs, f) for w, f in zip(chosen, found, strict=True)}
    shuffled: dict[tuple[Any, Any], list[Array]] = {}
    if options.permutations:
        shuffled = {w: [np.empty(0)] * len(parts) for w in chosen}
        number = shuffles(parts, options)
        rng = stream(options.seed, "shuffled judges")
        rows = number * max(len(p.judges) for p in parts)  # of a judge at most
        items = min(p.labels.shape[1] for p in parts)
        for block in blocks(parts, max(min(LABELS // max(number, 1), ROWS // max(rows, 1) * items), 1)):
            options.tell("shuffled judges", int(block.tasks[0]), len(parts))
            _shuffle(block, chosen, shuffled, number, rng)
        options.tell("shuffled judges", len(parts), len(parts))
    return Prepared(compared, shuffled)


def shuffles(parts: Sequence[Partitions], options: Options) -> int:
    """How often every judge's items are dealt anew on a task; with less effort less often, if there are many tasks."""
    cost = sum(p.labels.size * len(p.judges) for p in parts)
    least = LEAST if options.effort >= 1 else FEWEST
    return min(options.permutations, max(int(LABELS * options.effort) // max(cost, 1), least))


def _shuffle(
    block: Block, chosen: Mapping[Any, Method], shuffled: dict[Any, list[Array]], number: int, rng: np.random.Generator
) -> None:
    """Every judge's grouping with its items dealt anew, against the others of the task; tasks of one shape."""
    tasks, judges, items = block.labels.shape
    weight = block.counts[:, None, :] - np.eye(judges, dtype=np.int64)  # [task, judge, other]
    use = ~np.eye(judges, dtype=bool) if (block.counts == 1).all() else np.ones((judges, judges), bool)
    other = np.nonzero(use)[1].reshape(judges, -1)
    beside = other.shape[1]
    share = weight[:, use].reshape(tasks, judges, beside, 1)
    labels = block.labels.reshape(-1, items)
    dealt = rng.permuted(np.repeat(labels, number, axis=0), axis=1).reshape(tasks, judges, number, items)
    means = np.empty((len(chosen), tasks, judges, number))
    base = (np.arange(tasks) * judges)[:, None, None, None]
    step = max(1, ROWS // max(tasks * beside * number, 1))
    for a in range(0, judges, step):
        some = dealt[:, a : a + step]
        rows = np.arange(some[..., 0].size).reshape(tasks, -1, 1, number)
        shape = (tasks, some.shape[1], beside, number)
        left, right = (np.broadcast_to(x, shape).ravel() for x in (rows, base + other[a : a + step, :, None]))
        values = pair_values(list(chosen.values()), some.reshape(-1, items), labels, left, right)
        for k, found in enumerate(values):
            means[k, :, a : a + step] = _others_mean(found.mean.reshape(shape), share[:, a : a + step])
    for w, of_tasks in zip(chosen, means, strict=True):
        for t, each in zip(block.tasks.tolist(), of_tasks, strict=True):
            shuffled[w][t] = each


def _others_mean(values: Array, weight: Array) -> Array:
    """Of ``[task, judge, other, shuffle]`` the mean over others."""
    there = ~np.isnan(values)
    count = (there * weight).sum(axis=2)
    total = (np.where(there, values, 0.0) * weight).sum(axis=2)
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
    per_cluster = [np.divide(p.used, p.clusters, out=np.full(len(p.used), np.nan), where=p.clusters > 0) for p in parts]
    details = {"clusters": [p.clusters for p in parts], "per_cluster": per_cluster}
    spread = None
    if len(parts) == 1:
        spread = _over_others(_skew(pairs, ahead, 0, len(parts[0].judges)), parts[0].counts, options)
    values = judge_means(pairs, parts, ahead, -ahead)
    return Judged(values, details, None, spread, range=(-1, 1), others=_beside(parts))


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
    found = support.of_parts(parts, q, left_out)
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
    spread = _redrawn(parts[0], q, left_out, options) if len(parts) == 1 else None
    return Judged(v2, details, None, spread, range=(-1, math.inf), others=_beside(parts))


def _beside(parts: Sequence[Partitions]) -> int:
    """How many judges a judge of the only task stands beside."""
    return int(parts[0].counts.sum()) - 1 if len(parts) == 1 else 0


def _deviation(own: Array, mean: float) -> Array:
    """(own - mean) / mean; undefined where the mean is 0."""
    return (own - mean) / mean if mean > 0 else np.full(len(own), np.nan)


def _redrawn(part: Partitions, q: float | int, left_out: str, options: Options) -> list[Array] | None:
    """Every judge's deviation when the panel is drawn anew, which changes what most put together."""
    if int(part.counts.sum()) < 3 or not options.resamples:
        return None
    resamples = int(min(options.resamples, max(WORK // max(support.cost(part.labels), 1), 100)))
    rng = stream(options.seed, "judges", "over judges")
    times = drawn_judges(part.counts, rng, resamples).times
    found = support.scores(part.labels[None], times[:, None], q, left_out)
    return [_deviation(own[0], float(mean[0])) for own, mean in zip(found["kappa2"], found["value"], strict=True)]


def _skew(pairs: Pairs, values: Array, task: int, judges: int) -> Array:
    """One task's values as ``[judge, judge]`` where the other way round is the opposite."""
    out = square(pairs, values, task, judges)
    out[np.tril_indices(judges, -1)] *= -1
    return out


def _over_others(matrix: Array, counts: Array, options: Options) -> list[Array] | None:
    """Every judge's mean when the others are drawn anew; of draws of the judge's own row those of others in it."""
    if int(counts.sum()) < 3 or not options.resamples:
        return None
    rng = stream(options.seed, "judges", "over judges")
    drawn = drawn_judges(counts, rng, options.resamples)
    times, own = drawn.times.astype(float), drawn.first.astype(float)  # of a row its first judge is looked at
    there = ~np.isnan(matrix)
    value = np.where(there, matrix, 0.0)
    number = times @ there.T - own * there.diagonal()
    total = times @ value.T - own * value.diagonal()
    return list(np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0))


def intervals(judged: Judged, mine: Sequence[Array], values: Array, draws: TaskDraws) -> list[Interval | None]:
    """Each judge's interval: over the judge's tasks, or with one task over the judges beside.

    ``mine`` are the places of each judge's values among all.
    """
    if judged.spread is not None:
        drawn = np.stack(judged.spread)
        places = [int(at[0]) for at in mine]
        level, others = draws.options.level, judged.others
        return [centred(float(values[k]), drawn[:, k], level, "judges", others, judged.range) for k in places]
    return draws.intervals([values[at] for at in mine], judged.range)


def chance(judged: Judged, mine: Sequence[Array], seen: Sequence[float], options: Options) -> list[Chance | None]:
    """What each judge's grouping gives with its items dealt anew, and how often it agrees as much.

    Items are dealt apart on every task, so any shuffle of a task may go with any of another: the few of each task make
    as many random panels as are asked for.
    """
    if judged.random is None:
        return [None] * len(mine)
    rows = np.concatenate(judged.random)
    picks: dict[int, Array] = {}
    out: list[Chance | None] = []
    for at, value in zip(mine, seen, strict=True):
        own = rows[at]
        own = own[~np.isnan(own).any(axis=1)]
        if math.isnan(value) or not own.size:
            out.append(None)
            continue
        drawn = own.mean(axis=0)
        if 1 < own.shape[1] < options.permutations and len(own) > 1:
            if len(own) not in picks:
                rng = stream(options.seed, "shuffled tasks", len(own))
                picks[len(own)] = rng.integers(own.shape[1], size=(len(own), options.permutations), dtype=np.int32)
            drawn = _recombined(own, picks[len(own)])
        reached = int((judged.sign * drawn >= judged.sign * value - 1e-12).sum())
        out.append(Chance(float(own.mean()), (reached + 1) / (len(drawn) + 1), len(drawn)))
    return out


def _recombined(values: Array, picks: Array) -> Array:
    """Means over tasks of ``values[task, shuffle]``, one shuffle of each as picked, ``[panel]``."""
    times = values.shape[1]
    mean = values.mean(axis=1, keepdims=True)
    # A task's mean is itself uncertain; and deviations from it are too small by as much.
    off = (values - mean) * math.sqrt((1 + 1 / times) * times / (times - 1))
    return np.asarray(mean.mean() + np.take_along_axis(off, picks, axis=1).mean(axis=0))


def most_agree(tested: Sequence[Chance | None]) -> bool:
    """Whether at least half of the judges agree with the others more than by chance; else nobody is off from them."""
    known = [t.p for t in tested if t is not None]
    return 2 * sum(p <= 0.05 for p in known) >= max(len(known), 1)


def below_most(sign: int, values: Sequence[float]) -> list[bool]:
    """Who agrees less than the judge in the middle: of equal judges luck may keep one from beating chance."""
    middle = sign * np.array(values)
    known = middle[np.isfinite(middle)]
    return (middle < np.median(known) - 1e-12).tolist() if len(known) else [False] * len(values)


def is_flagged(method_: Method, details: Mapping[str, Any], tested: Chance | None) -> bool:
    """Whether a judge shares little of what most share, or agrees no more than with items dealt anew."""
    if method_.name == "together_outliers":
        return bool(details["v1"] < -method_["eps1"] or details["v2"] < -method_["eps2"])  # type: ignore[operator]
    return tested is not None and tested.p > 0.05
