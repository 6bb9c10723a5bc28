"""Weightings: draws of tasks, judges or units, each judge left out, halves, and k of n judges.

A method is a function of weights, so interval, influence, reliability and learning curve are ways to weigh, written
here once. Every use has a random stream of its own, made from the seed and what is asked, never from names of judges or
items: asking for one more method, or renaming a judge, changes no draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Interval
from quorate.kernels.defined import quotient
from quorate.kernels.streams import stream as stream
from quorate.kernels.tails import quantile, widening
from quorate.panel.columns import frozen
from quorate.panel.design import Design, Values, Weights
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time
COUNTED = 1 << 16  # cells of which counts are made at a time: they stay near the processor
TABLE = 4  # times as many cells of tasks and figures as rows, up to which a table of them pays
ROOM = 1 << 18  # drawn figures whose intervals are found together
NEAR = 1e-12  # values that differ by rounding alone
FEW = 4  # units up to which an interval is Student's t
GROUPS = 200  # of judges that are left out together, where there are more


# -- weightings --------------------------------------------------------------------------------------------------------


def drawn(size: int, draws: int, rng: np.random.Generator) -> Array:
    """How often each of so many units is drawn, with replacement, ``[draw, unit]``."""
    out = np.empty((draws, size))
    step = max(1, COUNTED // max(size, 1))
    for a in range(0, draws, step):
        rows = min(step, draws - a)
        picked = rng.integers(size, size=(rows, size))
        picked[1:] += np.arange(1, rows)[:, None] * size
        out[a : a + rows] = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size)
    return out


def counted_at_once(size: int) -> int:
    """How many draws of so many units are made in one go, where nothing but counts is drawn: what memory was just used
    is used again, which is faster than asking for more. A multiple of four, as products of matrices are summed; of
    very many units one."""
    return max(CELLS // max(size, 1) // 4 * 4, 4) if size <= CELLS else 1


def bootstrap(design: Design, over: str, draws: int, rng: np.random.Generator) -> Weights:
    """Panels drawn with replacement: of tasks, judges, systems, units below the task, or of several crossed."""
    tasks = drawn_tasks(design, draws, rng) if "tasks" in over else None
    judges = drawn_judges(design, draws, rng) if "judges" in over else None
    units = drawn_units(design, draws, rng) if "items" in over else None
    systems = drawn(design.drawn_systems, draws, rng) if "systems" in over else None
    return Weights(draws, judges, tasks, units, systems)


def drawn_tasks(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each task is drawn, ``[draw, task]``; those of a cluster together."""
    if design.clusters is None:
        return drawn(len(design.tasks), draws, rng)
    known, cluster = np.unique(design.clusters, return_inverse=True)
    return drawn(len(known), draws, rng)[:, cluster.ravel()]


def drawn_units(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each unit below the tasks is drawn, ``[draw, unit]``; within strata, where a design has some, and where
    a unit stands for many, by how many of them are."""
    if (behind := design.unit_counts) is not None:
        return rng.multinomial(int(behind.sum()), behind / behind.sum(), size=draws) / behind
    if design.strata is None:
        return drawn(design.units, draws, rng)
    out = np.empty((draws, design.units))
    for stratum in np.unique(design.strata).tolist():
        mine = np.flatnonzero(design.strata == stratum)
        out[:, mine] = drawn(len(mine), draws, rng)
    return out


@lru_cache(maxsize=4)
def units_alike(seed: int, method: Method, units: int, draws: int) -> Weights:
    """The units drawn for an interval by a method: the same for all designs, such as those of single tasks, that have
    as many."""
    return Weights(draws, units=frozen(drawn(units, draws, stream(seed, "interval", method))))


def drawn_judges(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each judge counts when as many are drawn, ``[draw, judge]``; a name for many is drawn as often.

    On one task these are the voters behind the names; on several a name is one judge, who did all of them.
    """
    if len(design.tasks) > 1 or not design.counted:
        return drawn(len(design.judges), draws, rng)
    votes = design.voters
    return rng.multinomial(int(votes.sum()), votes / votes.sum(), size=draws) / np.maximum(votes, 1)


def drawn_rows(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """How often each row is drawn when as many units are as the rows stand for, ``[draw, row]``."""
    return rng.multinomial(int(counts.sum()), counts / counts.sum(), size=draws)


def leave_one_out(design: Design) -> Weights:
    """Each judge left out in turn, or where they are many each of so many groups of them."""
    judges = len(design.judges)
    size = min(judges, GROUPS)
    return Weights(size, (np.arange(judges) % size != np.arange(size)[:, None]).astype(float))


def halves(votes: Array, draws: int, rng: np.random.Generator, k: int | None = None) -> tuple[Array, Array]:
    """Two panels of k judges each (half of them) without a judge in common, ``[draw, judge]`` each.

    ``votes`` says how many judges each name stands for.
    """
    size = int(votes.sum()) // 2 if k is None else k
    both = some_of(np.broadcast_to(votes, (draws, len(votes))), 2 * size, rng)
    first = some_of(both, size, rng)
    return first, both - first


def some_of(votes: Array, k: int, rng: np.random.Generator) -> Array:
    """k judges of each row of votes, drawn without replacement."""
    if int(votes.max(initial=0)) <= 1:
        key = np.where(votes > 0, rng.random(votes.shape), 2.0)
        out = np.zeros(votes.shape)
        chosen = np.argpartition(key, k - 1, axis=1)[:, :k] if 0 < k < key.shape[1] else np.argsort(key, axis=1)[:, :k]
        np.put_along_axis(out, chosen, 1.0, axis=1)
        return out * (votes > 0)
    votes = votes.astype(np.int64)
    if (votes == votes[0]).all():
        return rng.multivariate_hypergeometric(votes[0], k, size=len(votes)).astype(float)
    return np.stack([rng.multivariate_hypergeometric(row, k) for row in votes]).astype(float)


def polled(weights: Array, draws: int, rng: np.random.Generator) -> tuple[Array, Callable[[Any], Array]]:
    """Shares of answers from a Dirichlet distribution of these weights, ``[draw, unit, answer]``; and what so many
    judges (of each unit) answer who are drawn from these shares: how many of them give each answer."""
    found = rng.standard_gamma(weights, size=(draws, *weights.shape))
    shares = found / np.maximum(found.sum(axis=2, keepdims=True), 1e-300)
    return shares, lambda judges: rng.multinomial(judges, shares)


@lru_cache(maxsize=4)
def crossed(seed: int, by: str, inputs: int, systems: int, number: int) -> tuple[Array, Array]:
    """How often each input and each system is drawn, ``[resample, ...]``; what is not resampled is there once.

    The same draws serve every metric, criterion and level, so that differences between them are paired.
    """
    rng = stream(seed, "draws", by, inputs, systems)

    def drawn(size: int, wanted: bool) -> Array:
        if not wanted:
            return frozen(np.ones((number, size)))
        return frozen(rng.multinomial(size, np.full(size, 1 / size), size=number).astype(float))

    return drawn(inputs, by in ("both", "inputs")), drawn(systems, by in ("both", "systems"))


@dataclass(frozen=True, eq=False)
class Draws:
    """Figures in every draw, as they were made: very many are nowhere copied, and draws that are the same held once."""

    made: tuple[Array, ...]  # [different draw, figure], some draws each
    row: Array  # [draw] which of the different draws it is

    @classmethod
    def of(cls, found: Sequence[Array], nowhere: Any = False) -> Draws:
        """Of figures ``[draw, figure]`` of some draws each, where those that are the same are the same array; figures
        that are known ``nowhere`` are NaN."""
        different = {id(some): some for some in found}
        start = dict(zip(different, np.cumsum([0, *map(len, different.values())]).tolist(), strict=False))
        row = np.concatenate([np.arange(start[id(some)], start[id(some)] + len(some)) for some in found])
        hidden = np.any(nowhere)
        return cls(tuple(np.where(nowhere, math.nan, some) if hidden else some for some in different.values()), row)

    def __len__(self) -> int:
        return len(self.row)

    @property
    def different(self) -> Iterator[Array]:
        """The draws that are not the same, one by one."""
        return (row for some in self.made for row in some)

    @property
    def every(self) -> Array:
        """All of them, ``[draw, figure]``."""
        return self.some(slice(None))

    def some(self, figures: slice) -> Array:
        """All draws of some figures."""
        found = np.concatenate([some[:, figures] for some in self.made], dtype=float)
        return found if len(found) == len(self.row) else found[self.row]


# -- means over tasks --------------------------------------------------------------------------------------------------


def groups(values: Values) -> tuple[Array, dict[str, Array]]:
    """The figure that each row belongs to, and the keys of every figure: rows that differ only in the task are one."""
    others = [n for n in values.keys if n != "task"]
    if not others:
        return np.broadcast_to(np.int64(0), values.array.shape[1]), {}
    code = np.zeros(values.array.shape[1], np.int64)
    for n in others:
        code = code * (int(values.keys[n].max(initial=0)) + 1) + values.keys[n]
    if (code[1:] > code[:-1]).all():  # rows of one task: each is a figure, and they are in order
        return np.arange(len(code)), {n: values.keys[n] for n in others}
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    return group.ravel(), {n: values.keys[n][first] for n in others}


def nested(values: Values, units: Array) -> Values:
    """The values with what each counts in a mean of means: of units, of the units in them, down to the tasks.

    ``units[level, task]`` are numbers of the units that a task belongs to, the outermost first. A unit in which nothing
    is defined does not count; the others count the same, whatever they hold.
    """
    if "task" not in values.keys or not len(units):
        return values
    figure, _ = groups(values)
    task, defined = values.keys["task"], np.isfinite(values.array)
    mass = np.ones(values.array.shape)
    below = np.unique(np.stack([figure, task]), axis=1, return_inverse=True)[1].ravel()  # each row, by itself
    for level in units[::-1]:
        above = np.unique(np.stack([figure, level[task]]), axis=1, return_inverse=True)[1].ravel()
        first = np.unique(below, return_index=True)[1]  # a row for each unit below
        some = np.stack([_summed(own, below) > 0 for own in defined])
        number = np.stack([_summed(own, above[first]) for own in some])
        mass /= np.maximum(number[:, above], 1)
        below = above
    return replace(values, mass=mass if values.mass is None else mass * values.mass)


def _summed(values: Array, group: Array) -> Array:
    return np.bincount(group, values, int(group.max(initial=-1)) + 1)


def over_tasks(values: Values, tasks: Array | None = None, sums: tuple[Array, Array] | None = None) -> Array:
    """Each figure's mean over the tasks where it is defined, ``[draw, figure]``; tasks as often as they were drawn.

    ``sums`` are those of :func:`task_sums`, where they were made before.
    """
    if "task" not in values.keys:
        return values.array
    group, others = groups(values)
    if not len(group):
        return np.zeros((len(values.array), 0))
    if tasks is None and values.mass is None and len(group) == int(group[-1]) + 1 and (group[1:] > group[:-1]).all():
        return values.array.astype(float, copy=False)  # means of one row each
    if tasks is not None and (sums := sums or task_sums(values)) is not None:
        total, of = sums
        tasks = tasks[:, : len(of)]
        below = tasks @ of
        return quotient(tasks @ total, below)
    order: Any = np.argsort(group, kind="stable") if others else slice(None)  # one figure's rows are as they are
    starts = np.flatnonzero(np.diff(group[order], prepend=-1)) if others else np.zeros(1, np.int64)
    task, array = values.keys["task"][order], values.array[:, order]
    mass = None if values.mass is None else values.mass[:, order]
    draws = len(array) if tasks is None else len(tasks)
    out = np.empty((draws, len(starts)))
    for some in blocks(draws, len(group)):
        v = array[some] if len(array) > 1 else array
        there = ~np.isnan(v)
        weight = there.astype(float) if tasks is None else there * tasks[some][:, task]
        if mass is not None:
            weight = weight * (mass[some] if len(mass) > 1 else mass)
        seen = np.where(weight > 0, v, 0.0)
        seen *= weight
        out[some] = quotient(np.add.reduceat(seen, starts, axis=1), np.add.reduceat(weight, starts, axis=1))
    return out


def task_sums(values: Values) -> tuple[Array, Array] | None:
    """What each task adds to every figure, and what it counts, ``[task, figure]``: products with draws are all means.

    None of values that draws change, and where there would be many more cells than rows.
    """
    task, (group, others) = values.keys["task"], groups(values)
    if len(values.array) > 1 or (values.mass is not None and len(values.mass) > 1):
        return None
    figures = int(group.max()) + 1 if others else 1
    if (int(task.max()) + 1) * figures > TABLE * len(group):
        return None
    there = ~np.isnan(values.array[0])
    weight = there.astype(float) if values.mass is None else there * values.mass[0]
    total, of = (np.zeros((int(task.max()) + 1, figures)) for _ in range(2))
    of[task, group] = weight
    seen = np.where(weight > 0, values.array[0], 0.0)
    seen *= weight
    total[task, group] = seen
    return total, of


def blocks(draws: int, size: int) -> Iterator[slice]:
    """The draws a few at a time, so that ``[draw, size]`` arrays stay small."""
    step = max(1, CELLS // max(size, 1))
    for a in range(0, draws, step):
        yield slice(a, min(a + step, draws))


# -- intervals ---------------------------------------------------------------------------------------------------------


def interval(
    value: float,
    values: Array,
    *,
    level: float,
    over: str,
    units: int,
    range: tuple[float, float] = (-math.inf, math.inf),
    log: bool = False,
) -> Interval | None:
    """Drawn values moved until their mean is the value seen, and widened for few units.

    Always holds the value itself and stays inside ``range``. Moving matters where judges are drawn: one drawn twice
    agrees with himself, which pushes most figures of agreement up. ``log`` is for counts of patterns, which double with
    every item; and since fewer distinct judges never share fewer patterns, draws say nothing of how few others would
    share: the interval reaches as many times below the value as above it. None when fewer than two values are defined,
    or all are the same.
    """
    made, values = len(values), values[np.isfinite(values)]
    if len(values) < 2 or units < 2 or not math.isfinite(value):
        return None
    most = max(float(values.max()), value) if log else math.inf  # no panel drawn has more patterns
    seen = math.log1p(value) if log else value
    values = np.log1p(values) if log else values
    known, low, high = (each[0] for each in _reach(values[None], level, units))
    if not known:
        return None  # where all draws are the same nothing is known of how far others are
    low = min(low, -high) if log else low
    wide = widening(level, units)
    ends = np.array([seen + wide * min(float(low), 0.0), seen + wide * max(float(high), 0.0)])
    with np.errstate(over="ignore"):  # counts of patterns that no double holds
        ends = np.clip(np.expm1(ends) if log else ends, range[0], min(range[1], most))
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value), level, over, made)


def _reach(values: Array, level: float, units: int) -> tuple[Array, Array, Array]:
    """Whether values ``[figure, draw]`` differ from draw to draw, and how far below and above their mean they reach."""
    spread = values.std(axis=1)
    known = spread > NEAR * np.abs(values).max(axis=1)
    if units <= FEW:  # draws of so few take few values, whose ends say little: Student's t, by their spread
        reach = NormalDist().inv_cdf((1 + level) / 2) * spread
        return known, -reach, reach
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1) - values.mean(axis=1)
    return known, low, high


def intervals(
    value: Array,
    drawn: Array | Draws,
    units: Array,
    *,
    level: float,
    over: str,
    range: tuple[float, float],
    log: bool = False,
) -> list[Interval | None]:
    """The interval of every figure, of ``drawn[draw, figure]`` and the units that it rests on.

    As :func:`interval` of one by one, which those are that lack a draw; of the others a few thousand at a time.
    """
    out: list[Interval | None] = [None] * len(value)
    if not len(drawn):
        return out
    made = len(drawn)
    step = max(1, ROOM // made)
    for a in np.arange(0, len(value), step).tolist():
        some = slice(a, a + step)
        held = np.ascontiguousarray((drawn.some(some) if isinstance(drawn, Draws) else drawn[:, some]).T)
        whole = np.isfinite(held).all(axis=1) & np.isfinite(value[a : a + step]) & (made > 1)
        for n in np.unique(units[a : a + step]).tolist():
            mine = np.flatnonzero(units[a : a + step] == n)
            together = mine[whole[mine]] if n >= 2 and not log else mine[:0]
            for k in mine[~np.isin(mine, together)].tolist():
                how: Any = {"level": level, "over": over, "units": int(n), "range": range, "log": log}
                out[a + k] = interval(float(value[a + k]), held[k], **how)
            if len(together):
                known, low, high = _reach(held[together], level, n)
                seen, wide = value[a + together], widening(level, n)
                ends = np.stack([seen + wide * np.minimum(low, 0.0), seen + wide * np.maximum(high, 0.0)])
                ends = np.clip(ends, *range)
                low, high = np.minimum(ends[0], seen)[known].tolist(), np.maximum(ends[1], seen)[known].tolist()
                for k, one, other in zip((a + together[known]).tolist(), low, high, strict=True):
                    out[k] = Interval(one, other, level, over, made)
    return out


def agreeing(between: Interval, value: float, p: float, at: float = 0.0) -> Interval:
    """The interval as a test against the value ``at`` has it: without that value where p is small, else with it.

    >>> agreeing(Interval(-0.1, 0.9, 0.95, "systems", 999), 0.4, 0.03).low
    0.0
    """
    low, high = between.low, between.high
    if p > 1 - between.level + 1e-12:
        return replace(between, low=min(low, at), high=max(high, at))
    return replace(between, low=max(low, at) if value > at else low, high=min(high, at) if value < at else high)


def mean_interval(
    values: Array,
    rng: np.random.Generator,
    level: float,
    resamples: int,
    over: str = "tasks",
    range: tuple[float, float] = (-math.inf, math.inf),
    counts: Array | None = None,
) -> Interval | None:
    """The interval of a mean of units; undefined values are left aside, and of fewer than two there is none.

    ``counts`` say how many units each value stands for.
    """
    if counts is not None and (counts != 1).any():
        total = int(counts.sum())
        means = rng.multinomial(total, counts / total, resamples) @ values / total
        value = float(np.average(values, weights=counts))
        return interval(value, means, level=level, over=over, units=total, range=range) if total > 1 else None
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    means = drawn(len(values), resamples, rng) @ values / len(values)
    return interval(float(values.mean()), means, level=level, over=over, units=len(values), range=range)


def jackknife(
    value: float, without: Array, counts: Array, *, level: float, over: str, range: tuple[float, float]
) -> Interval | None:
    """From what a figure is without each unit, for figures that draws with replacement would flatter.

    ``counts`` says how many units each value stands for.
    """
    size, known = int(counts.sum()), np.isfinite(without)
    values, weight = without[known], counts[known]
    if len(values) < 2 or math.isnan(value):
        return None
    centre = np.average(values, weights=weight)
    error = math.sqrt((size - 1) / size * float((weight * (values - centre) ** 2).sum()))
    reach = quantile(level, size - 1) * error
    return Interval(max(value - reach, range[0]), min(value + reach, range[1]), level, over, len(without))


def jackknife_variance(without: Array) -> Array:
    """The variance of figures from what they are without each unit, ``[unit, figure]``; NaN of fewer than two."""
    known = np.isfinite(without)
    number = known.sum(axis=0)
    left = np.where(known, without - _mean(without), 0.0)
    return np.where(number > 1, (number - 1) / np.maximum(number, 1) * (left**2).sum(axis=0), math.nan)


def drawn_variance(drawn: Array, units: Array) -> tuple[Array, Array]:
    """The variance of figures from draws of so many units, made up for there being few, and the draws' mean."""
    known, mean = np.isfinite(drawn), _mean(drawn)
    number = known.sum(axis=0)
    left = np.where(known, drawn - mean, 0.0)
    found = (left**2).sum(axis=0) / np.maximum(number, 1) * units / np.maximum(units - 1, 1)
    return np.where(number > 1, found, math.nan), mean


def _mean(drawn: Array) -> Array:
    """The mean of what is defined, ``[figure]``."""
    known = np.isfinite(drawn)
    return np.asarray(np.where(known, drawn, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))


def student(
    value: float,
    variances: Sequence[tuple[float, int]],
    centre: float,
    *,
    level: float,
    over: str,
    draws: int,
    range: tuple[float, float],
) -> Interval | None:
    """Student's t about a figure that is no mean, such as a quotient of variances: its draws are skewed the wrong way.

    ``variances`` are those of each unit drawn, and how many units there are. What crossed units add, adds up (Cameron,
    Gelbach and Miller 2011, the safe side), with Satterthwaite's degrees of freedom. ``centre`` is the mean of the
    draws: as far as they lie to one side of the value the interval reaches farther to the other.
    """
    total = sum(v for v, _ in variances)
    if not math.isfinite(value) or not total > 0 or any(n < 2 for _, n in variances):
        return None  # where all draws are the same nothing is known of how far others are
    freedom = max(1, int(1 / sum((v / total) ** 2 / (n - 1) for v, n in variances) + 1e-9))  # of tiny ones, too
    reach, move = quantile(level, freedom) * math.sqrt(total), value - centre
    ends = np.clip([value - reach + min(move, 0.0), value + reach + max(move, 0.0)], *range)
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value), level, over, draws)


def student_of_mean(values: Array, *, level: float, over: str) -> Interval | None:
    """Of a mean: where units are few and nothing is drawn; None of fewer than two."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    mean, error = float(values.mean()), float(values.var(ddof=1)) / len(values)
    full = (-math.inf, math.inf)
    return student(mean, [(error, len(values))], mean, level=level, over=over, draws=0, range=full)


def percentiles(values: Array, level: float, over: str) -> Interval | None:
    """The middle share of drawn values; None when fewer than two are defined."""
    made, values = len(values), values[np.isfinite(values)]
    if len(values) < 2:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, over, made)


def corrected(value: float, drawn: Array, level: float, by: str) -> Interval | None:
    """The bias-corrected percentile interval: ends moved by how far the draws lie to one side of the value."""
    made, drawn = len(drawn), drawn[np.isfinite(drawn)]
    if len(drawn) < 2 or math.isnan(value):
        return None
    below = (np.count_nonzero(drawn < value) + 0.5 * np.count_nonzero(drawn == value)) / len(drawn)
    normal = NormalDist()
    shift = normal.inv_cdf(min(max(below, 0.5 / len(drawn)), 1 - 0.5 / len(drawn)))
    ends = [normal.cdf(2 * shift + normal.inv_cdf(q)) for q in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.quantile(drawn, ends)
    return Interval(float(low), float(high), level, by, made)


def interval_of_kind(
    kind: str, value: float, values: Array, *, level: float, over: str, units: int, range: tuple[float, float]
) -> Interval | None:
    """By percentiles, bias-corrected, or moved to the value and widened for so few units; an undefined value has none.

    The middle of the draws alone is what the literature of metrics reports; it may lie below the value.
    """
    if math.isnan(value):
        return None
    if kind == "centred":
        return interval(value, values, level=level, over=over, units=units, range=range)
    return corrected(value, values, level, over) if kind == "corrected" else percentiles(values, level, over)
