"""What chance gives for the mean of a panel: judges whose items are dealt anew, drawn from a pool of shuffled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.batches import CELLS, Batch
from quorate.groupings.judge_pairs import Compared
from quorate.groupings.pairwise import pair_values
from quorate.inference.resample import stream
from quorate.table import Method

Array = NDArray[Any]
WORK = 25 * 10**6  # labels of a task that are shuffled, about
MOST = 20_000  # of a task's pairs, those that are shuffled


def random_panels(chosen: Sequence[tuple[Method, Compared]], batch: Batch) -> None:
    """Panels of judges whose items were dealt anew: means over as many pairs as the judges have.

    Shuffled pairs are independent even where they share a judge, since the other's items are dealt anew. So each pair
    is shuffled a few times, and panels are drawn from how far the shuffled values lie from their pair's mean.
    """
    owner = batch.judge_task[batch.left]
    number = np.bincount(owner, minlength=len(batch.tasks))
    begin = np.cumsum(number) - number
    weighted = np.bincount(owner, batch.weight != 1, len(batch.tasks)) > 0
    rng = stream(batch.seed, "random panels", batch.tasks[0])
    for size, items in {(int(k), int(i)): None for k, i in zip(number, batch.items, strict=True) if k}:
        alike = np.flatnonzero((number == size) & (batch.items == items))
        plain = alike[~weighted[alike]] if size <= MOST else alike[:0]
        times = _times(batch, min(size, MOST), items)
        step = max(1, CELLS // (times * size * items))
        groups = [plain[k : k + step] for k in range(0, len(plain), step)]
        groups += [np.array([k]) for k in alike.tolist() if size > MOST or weighted[k]]
        for some in groups:
            _dealt(chosen, batch, some, begin[some][:, None] + np.arange(size), times, rng)


def _times(batch: Batch, pairs: int, items: int) -> int:
    """How often each pair of a task is shuffled."""
    most = min(WORK // max(pairs * items, 1), batch.panels)
    return max(min(-(-batch.shuffles // pairs), most), 2)


def _dealt(
    chosen: Sequence[tuple[Method, Compared]],
    batch: Batch,
    tasks: Array,
    own: Array,
    times: int,
    rng: np.random.Generator,
) -> None:
    """Some tasks of one shape; ``own[task, pair]`` are their pairs. More than one only where no row stands for many."""
    some = own if own.shape[1] <= MOST else rng.permutation(own[0])[None, :MOST]
    items = int(batch.items[tasks[0]])
    left, right = (np.repeat(x[some][:, None], times, axis=1).ravel() for x in (batch.left, batch.right))
    dealt = rng.permuted(batch.labels[right, :items], axis=1)
    values = pair_values([m for m, _ in chosen], batch.labels[:, :items], dealt, left, np.arange(len(right)))
    draw = _Draw.of(batch.weight[some], batch.weight[own], times, batch.panels, rng)
    for (_, c), v in zip(chosen, values, strict=True):
        missed = [_means(c.values[batch.pairs[x]], batch.weight[x]) for x in (own, some)]  # those not shuffled
        found = draw.means(v.mean.reshape(len(some), times, -1), batch.weight[some])
        c.drawn[batch.tasks[tasks]] = found + (missed[0] - missed[1])[:, None]


@dataclass(frozen=True, eq=False)
class _Draw:
    """Which shuffled pairs make up each random panel: ``picked[task, panel, pair]`` are numbers among a task's.

    Where rows stand for many judges, of one task ``picked[panel, shuffled pair]`` is how often each is drawn instead.
    """

    picked: Array

    @classmethod
    def of(cls, some: Array, own: Array, times: int, panels: int, rng: np.random.Generator) -> _Draw:
        tasks, pairs = some.shape
        if (own == 1).all() and own.shape == some.shape:
            return cls(rng.integers(times * pairs, size=(tasks, panels, pairs), dtype=np.int32))
        share = np.tile(some[0], times)
        return cls(rng.multinomial(int(own.sum()), share / share.sum(), size=panels).astype(float))

    def means(self, values: Array, weight: Array) -> Array:
        """Means of panels, ``[task, panel]``, from ``values[task, time, pair]``."""
        there = ~np.isnan(values)
        number = there.sum(axis=1)
        total = np.where(there, values, 0.0).sum(axis=1)
        mean = np.divide(total, number, out=np.zeros(number.shape), where=number > 0)
        off = np.where(there, values - mean[:, None], 0.0).reshape(len(values), -1)
        times = values.shape[1]
        # A pair's mean is itself uncertain; and deviations from it are too small by as much.
        off *= np.sqrt((1 + 1 / times) * times / (times - 1))
        known, spread = self._added(there.reshape(len(values), -1), off)
        spread = np.divide(spread, known, out=np.full(spread.shape, np.nan), where=known > 0)
        return np.asarray(_means(np.where(number > 0, mean, np.nan), weight)[:, None] + spread)

    def _added(self, there: Array, off: Array) -> tuple[Array, Array]:
        """How many of a panel's pairs are defined, and the sum of how far they are off."""
        if self.picked.ndim == 2:
            return (self.picked @ there[0])[None], (self.picked @ off[0])[None]
        tasks, panels, pairs = self.picked.shape
        flat = self.picked.reshape(tasks, -1)
        spread = np.take_along_axis(off, flat, axis=1).reshape(tasks, panels, pairs).sum(axis=2)
        if there.all():
            return np.full((tasks, panels), float(pairs)), spread
        return np.take_along_axis(there, flat, axis=1).reshape(tasks, panels, pairs).sum(axis=2), spread


def _means(values: Array, weight: Array) -> Array:
    """Weighted means of the last axis, of what is defined."""
    there = ~np.isnan(values)
    number = (weight * there).sum(axis=-1)
    total = (weight * np.where(there, values, 0.0)).sum(axis=-1)
    return np.asarray(np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0))
