"""Every two judges of every task compared, and every judge with random clusterings, by many measures at once.

Tasks of all sizes share one array, padded with what is no item; a contingency table is made once for each pair and way
of treating left-out items, and all measures are read off its sums, both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.measures import measure_of
from quorate.groupings.partitions import NOWHERE, Partitions, random_partitions, treated
from quorate.kernels.contingency import Sums, all_sums, pair_sums
from quorate.resample import stream
from quorate.results import Options
from quorate.table import Method

Array = NDArray[Any]
WORK = 10**8  # labels compared with random clusterings at most, about
LEAST = 20  # random clusterings a task, however large
CELLS = 1 << 22  # labels of a batch of tasks
POOL, OF_TASK = 2000, 100  # shuffled pairs that random panels are drawn from: of all tasks, of one at least
MOST = 20_000  # of a task's pairs, those that are shuffled


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two judges of every task, in order of task and judges; of a row that stands for several, those as well."""

    task: Array  # [pair] number of the task among the panel's parts
    first: Array  # [pair] number of the judge within the task
    second: Array
    starts: Array  # [task + 1] where a task's pairs begin
    weight: Array  # [pair] how many pairs of judges it is

    @classmethod
    def of(cls, parts: Sequence[Partitions]) -> Pairs:
        """All pairs."""
        both = [np.nonzero(np.triu(_pair_counts(p.counts))) for p in parts]
        sizes = np.array([len(a) for a, _ in both], np.int64)
        first = np.concatenate([a for a, _ in both])
        second = np.concatenate([b for _, b in both])
        weight = np.concatenate([_pair_counts(p.counts)[at] for p, at in zip(parts, both, strict=True)])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return cls(np.repeat(np.arange(len(parts)), sizes), first, second, starts, weight)

    @property
    def copies(self) -> Array:
        """Which pairs are of judges who are told apart by their count only."""
        return np.asarray(self.first == self.second)

    def mean(self, values: Array) -> Array:
        """The mean of a task's pairs, ``[task]``, of those where the value is defined."""
        return _mean_by(self.task, values, len(self.starts) - 1, self.weight)


def _pair_counts(counts: Array) -> Array:
    """How many pairs of judges two rows make, ``[row, row]``; on the diagonal, a row's judges among themselves."""
    out = np.outer(counts, counts)
    np.fill_diagonal(out, counts * (counts - 1) // 2)
    return np.asarray(out)


@dataclass(frozen=True, eq=False)
class Compared:
    """What one measure says. ``forward``: the first judge's clusters, the second's classes; ``backward``: exchanged."""

    forward: Array  # [pair]
    backward: Array
    items: Array  # [pair] items compared
    chance: Array  # [2, pair] mean of both judges against random clusterings; forward, backward
    p: Array  # [2, pair]
    base: Array  # [task] mean of all judges against random clusterings
    drawn: Array  # [task, random] means over pairs of panels of random clusterings

    @property
    def values(self) -> Array:
        """The mean of both ways."""
        return np.asarray((self.forward + self.backward) / 2)


def compare(parts: Sequence[Partitions], methods: Sequence[Method], options: Options) -> tuple[Pairs, list[Compared]]:
    """Every method on every two judges, and on every judge with ``options.permutations`` random clusterings a task."""
    pairs = Pairs.of(parts)
    number = _random_number(parts, options.permutations)
    out = [_empty(len(pairs.task), len(parts), number) for _ in methods]
    batches = list(_batches(parts, number))
    for done, batch in enumerate(batches):
        options.tell("comparing judges", done, len(batches))
        _fill(out, _Batch.of(parts, pairs, batch, number, options.seed), methods)
    options.tell("comparing judges", len(batches), len(batches))
    return pairs, out


def _random_number(parts: Sequence[Partitions], wanted: int) -> int:
    labels = sum(p.labels.size for p in parts)
    return min(wanted, max(WORK // max(labels, 1), LEAST))


def _empty(pairs: int, tasks: int, number: int) -> Compared:
    one, two = np.full(pairs, np.nan), np.full((2, pairs), np.nan)
    base, drawn = np.full(tasks, np.nan), np.full((tasks, number), np.nan)
    return Compared(one, one.copy(), np.zeros(pairs, np.int64), two, two.copy(), base, drawn)


def _batches(parts: Sequence[Partitions], number: int) -> Iterator[list[int]]:
    """Tasks of about the same size together, as many as fit."""
    batch: list[int] = []
    rows = 0
    for t in sorted(range(len(parts)), key=lambda t: parts[t].labels.shape[1]):
        judges, items = parts[t].labels.shape
        more = judges * (judges - 1) + judges * number + max(POOL // len(parts), OF_TASK)
        if batch and (rows + more) * items > CELLS:
            yield batch
            batch, rows = [], 0
        batch.append(t)
        rows += more
    if batch:
        yield batch


@dataclass(frozen=True, eq=False)
class _Batch:
    """Some tasks in one array."""

    tasks: Array
    labels: Array  # [judge of a task, item]
    random: Array  # [random clustering of a task, item]
    judge_task: Array  # [judge of a task] number within the batch
    judge_count: Array  # [judge of a task] how many judges it is
    pairs: Array  # numbers of the batch's pairs among all
    left: Array  # [pair] row of labels
    right: Array
    weight: Array  # [pair] how many pairs of judges it is
    number: int
    shuffles: int  # pairs of a task that are shuffled
    seed: int

    @classmethod
    def of(cls, parts: Sequence[Partitions], pairs: Pairs, tasks: list[int], number: int, seed: int) -> _Batch:
        width = max(parts[t].labels.shape[1] for t in tasks)
        sizes = np.array([len(parts[t].judges) for t in tasks], np.int64)
        labels = np.full((int(sizes.sum()), width), NOWHERE, np.int32)
        random = np.full((len(tasks) * number, width), NOWHERE, np.int32)
        first = np.cumsum(sizes) - sizes
        found: list[tuple[Array, ...]] = []
        for k, t in enumerate(tasks):
            own = parts[t].labels
            labels[first[k] : first[k] + sizes[k], : own.shape[1]] = own
            drawn = random_partitions(own, number, stream(seed, "random clusterings", t), parts[t].counts)
            random[k * number : (k + 1) * number, : own.shape[1]] = drawn
            some = slice(int(pairs.starts[t]), int(pairs.starts[t + 1]))
            found.append(
                (np.arange(some.start, some.stop), first[k] + pairs.first[some], first[k] + pairs.second[some])
            )
        owner = np.repeat(np.arange(len(tasks)), sizes)
        numbers, left, right = (np.concatenate(x).astype(np.int64) for x in zip(*found, strict=True))
        shuffles = max(POOL // len(parts), OF_TASK)
        counts = np.concatenate([parts[t].counts for t in tasks])
        weight = pairs.weight[numbers]
        return cls(np.array(tasks), labels, random, owner, counts, numbers, left, right, weight, number, shuffles, seed)


def _fill(out: Sequence[Compared], batch: _Batch, methods: Sequence[Method]) -> None:
    for way in dict.fromkeys(str(m["left_out"]) for m in methods):
        chosen = [(m, c) for m, c in zip(methods, out, strict=True) if m["left_out"] == way]
        expected = any(measure_of(m).expected for m, _ in chosen)
        labels, random = treated(batch.labels, way), treated(batch.random, way)
        if len(batch.pairs):
            sums = all_sums(labels, labels, batch.left, batch.right, expected=expected)
            for m, c in chosen:
                c.items[batch.pairs] = sums.items
                c.forward[batch.pairs], c.backward[batch.pairs] = both_ways(m, sums)
            if batch.number:
                _chance(chosen, batch, labels, random, expected)
                _panels(chosen, batch, way, expected)


def both_ways(chosen: Method, sums: Sums) -> tuple[Array, Array]:
    """The first partition's clusters against the second's classes, and exchanged."""
    found, how = measure_of(chosen), chosen.parameters
    forward = found.of(sums, **how)
    return forward, forward if found.symmetric(how) else found.of(sums.turned(), **how)


def _chance(
    chosen: Sequence[tuple[Method, Compared]], batch: _Batch, labels: Array, random: Array, expected: bool
) -> None:
    """Every judge against every random clustering of the task."""
    judges = len(labels)
    left = np.repeat(np.arange(judges), batch.number)
    right = (batch.judge_task[:, None] * batch.number + np.arange(batch.number)).ravel()
    seen = [(np.empty(len(left)), np.empty(len(left))) for _ in chosen]
    for some, sums in pair_sums(labels, random, left, right, expected=expected):
        for (m, _), (forward, backward) in zip(chosen, seen, strict=True):
            forward[some], backward[some] = both_ways(m, sums)
    for (m, c), both in zip(chosen, seen, strict=True):
        owner = np.repeat(batch.judge_task, batch.number)
        weight = np.repeat(batch.judge_count, batch.number)
        c.base[batch.tasks] = _mean_by(owner, (both[0] + both[1]) / 2, len(batch.tasks), weight)
        rows = [x.reshape(judges, batch.number) for x in both]
        sign = measure_of(m).sign
        # A pair is held against its first judge with random classes and random clusters with its second judge.
        ways = ((c.forward, batch.left, batch.right), (c.backward, batch.right, batch.left))
        for k, (values, a, b) in enumerate(ways):
            c.chance[k, batch.pairs], c.p[k, batch.pairs] = _against(values[batch.pairs], rows[0], rows[1], a, b, sign)


def _panels(chosen: Sequence[tuple[Method, Compared]], batch: _Batch, way: str, expected: bool) -> None:
    """Panels of judges whose items were dealt anew: means over as many pairs as the judges have.

    Shuffled pairs are independent even where they share a judge, since the other's items are dealt anew. So each pair
    is shuffled a few times, and panels are drawn from how far the shuffled values lie from their pair's mean.
    """
    owner = batch.judge_task[batch.left]
    labels = treated(batch.labels, way)
    for k, t in enumerate(batch.tasks.tolist()):
        own = np.flatnonzero(owner == k)
        if not len(own):
            continue
        rng = stream(batch.seed, "random panels", t)
        some = rng.permutation(own)[:MOST]
        items = int((batch.labels[batch.left[some[0]]] != NOWHERE).sum())
        most = min(WORK // 4 // max(len(some) * items, 1), batch.number)
        times = max(min(-(-batch.shuffles // len(some)), most), 2)
        left, right = np.tile(batch.left[some], times), np.tile(batch.right[some], times)
        dealt = treated(rng.permuted(batch.labels[right, :items], axis=1), way)
        sums = all_sums(labels[:, :items], dealt, left, np.arange(len(right)), expected=expected)
        share = np.tile(batch.weight[some], times)
        total = int(batch.weight[own].sum())
        panels = rng.multinomial(total, share / share.sum(), size=batch.number).astype(float)
        for m, c in chosen:
            values = np.mean(both_ways(m, sums), axis=0).reshape(times, -1)
            missed = [_mean(c.values[batch.pairs[x]], batch.weight[x]) for x in (own, some)]  # those not shuffled
            c.drawn[t] = _drawn(values, panels, batch.weight[some]) + missed[0] - missed[1]


def _drawn(values: Array, panels: Array, weight: Array) -> Array:
    """Means of panels, ``[panel]``, from ``values[time, pair]``; ``panels`` says how often each of them is drawn."""
    there = ~np.isnan(values)
    number = there.sum(axis=0)
    mean = np.divide(np.where(there, values, 0.0).sum(axis=0), number, out=np.zeros(len(number)), where=number > 0)
    off = np.where(there, values - mean, 0.0).ravel()
    times = len(values)
    # A pair's mean is itself uncertain; and deviations from it are too small by as much.
    off *= np.sqrt((1 + 1 / times) * times / (times - 1))
    known = panels @ there.ravel()
    spread = np.divide(panels @ off, known, out=np.full(len(panels), np.nan), where=known > 0)
    return np.asarray(_mean(mean[number > 0], weight[number > 0]) + spread)


def _mean(values: Array, weight: Array) -> float:
    there = ~np.isnan(values)
    return float(np.average(values[there], weights=weight[there])) if there.any() else float("nan")


def _mean_by(owner: Array, values: Array, tasks: int, weight: Array) -> Array:
    there = ~np.isnan(values)
    number = np.bincount(owner[there], weight[there], tasks)
    total = np.bincount(owner[there], values[there] * weight[there], tasks)
    return np.asarray(np.divide(total, number, out=np.full(tasks, np.nan), where=number > 0))


def _against(values: Array, forward: Array, backward: Array, a: Array, b: Array, sign: int) -> tuple[Array, Array]:
    """What chance gives for each pair, and how often it is as good as the value."""
    chance, p = np.full((2, len(values)), np.nan)
    step = max(1, (1 << 20) // max(forward.shape[1], 1))
    for k in range(0, len(values), step):
        some = slice(k, k + step)
        base = np.concatenate([forward[a[some]], backward[b[some]]], axis=1)
        there = ~np.isnan(base)
        number = there.sum(axis=1)
        reached = (sign * base >= sign * values[some, None] - 1e-12).sum(axis=1)
        known = ~np.isnan(values[some]) & (number > 0)
        total = np.where(there, base, 0.0).sum(axis=1)
        chance[some] = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0)
        p[some] = np.where(known, (reached + 1) / (number + 1), np.nan)
    return chance, p


def square(pairs: Pairs, values: Array, task: int, judges: int) -> Array:
    """One task's values as ``[judge, judge]``; on the diagonal NaN, unless the row stands for several judges."""
    out = np.full((judges, judges), np.nan)
    some = slice(int(pairs.starts[task]), int(pairs.starts[task + 1]))
    a, b = pairs.first[some], pairs.second[some]
    out[a, b] = out[b, a] = values[some]
    return out


def resampled_means(matrix: Array, times: Array, counts: Array) -> Array:
    """Means over pairs of different judges of ``matrix[judge, judge]``, judges drawn as often as ``times`` says.

    Of draws of a row that stands for several judges, as many are of different ones as is to be expected.
    """
    there = ~np.isnan(matrix)
    other, value = there.astype(float), np.where(there, matrix, 0.0)
    own, own_value = other.diagonal().copy(), value.diagonal().copy()
    np.fill_diagonal(other, 0.0)
    np.fill_diagonal(value, 0.0)
    weight = times.astype(float)
    within = weight * (weight - 1) * (1 - 1 / counts)
    total = ((weight @ value) * weight).sum(axis=1) + within @ own_value
    number = ((weight @ other) * weight).sum(axis=1) + within @ own
    return np.asarray(np.divide(total, number, out=np.full(len(times), np.nan), where=number > 0))


def with_treatments(methods: Sequence[Method]) -> list[Method]:
    """The methods; one that leaves open what a left-out item is comes twice, with singletons and with a bucket."""
    out: dict[str, Method] = {}
    for m in methods:
        open_ = "left_out" not in dict(m.settings) and m["left_out"] == "singletons"
        for each in [m.with_(left_out=w) for w in ("singletons", "bucket")] if open_ else [m]:
            out[str(each)] = each
    return list(out.values())
