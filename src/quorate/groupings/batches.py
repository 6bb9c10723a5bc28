"""Some tasks of a panel in one array, with their pairs of judges and with random clusterings of their items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.judge_pairs import Pairs
from quorate.groupings.partitions import NOWHERE, Partitions
from quorate.inference.resample import lots, stream
from quorate.inference.results import Options

Array = NDArray[Any]
CELLS = 1 << 22  # labels of a batch of tasks
POOL, OF_TASK = 2000, 100  # shuffled pairs that random panels are drawn from: of all tasks, of one at least


def batches(parts: Sequence[Partitions], number: int) -> Iterator[list[int]]:
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
class Batch:
    """Some tasks in one array."""

    tasks: Array
    items: Array  # [task] how many
    labels: Array  # [judge of a task, item]
    random: Array  # [random clustering of a task, item]
    judge_task: Array  # [judge of a task] number within the batch
    judge_count: Array  # [judge of a task] how many judges it is
    pairs: Array  # numbers of the batch's pairs among all
    left: Array  # [pair] row of labels
    right: Array
    weight: Array  # [pair] how many pairs of judges it is
    number: int
    panels: int  # random panels of a task
    shuffles: int  # pairs of a task that are shuffled
    seed: int

    @classmethod
    def of(cls, parts: Sequence[Partitions], pairs: Pairs, tasks: list[int], number: int, options: Options) -> Batch:
        """From these tasks, with so many random clusterings each."""
        some = [parts[t] for t in tasks]
        items = np.array([p.labels.shape[1] for p in some], np.int64)
        sizes = np.array([len(p.judges) for p in some], np.int64)
        labels = np.full((int(sizes.sum()), int(items.max())), NOWHERE, np.int32)
        first = np.cumsum(sizes) - sizes
        for p, row, own in zip(some, first.tolist(), items.tolist(), strict=True):
            labels[row : row + len(p.labels), :own] = p.labels
        random = random_clusterings(
            some, labels, first, items, number, stream(options.seed, "random clusterings", tasks[0])
        )
        number_of = np.diff(pairs.starts)[tasks]
        numbers = np.concatenate([np.arange(a, a + k) for a, k in zip(pairs.starts[tasks], number_of, strict=True)])
        base = np.repeat(first, number_of)
        left, right = base + pairs.first[numbers], base + pairs.second[numbers]
        owner = np.repeat(np.arange(len(tasks)), sizes)
        counts = np.concatenate([p.counts for p in some])
        shuffles = max(POOL // len(parts), OF_TASK)
        return cls(
            np.array(tasks),
            items,
            labels,
            random,
            owner,
            counts,
            numbers,
            left,
            right,
            pairs.weight[numbers],
            number,
            options.permutations,
            shuffles,
            options.seed,
        )


def random_clusterings(
    parts: Sequence[Partitions], labels: Array, first: Array, items: Array, number: int, rng: np.random.Generator
) -> Array:
    """Random clusterings of every task, ``[task x number, item]``: those of one size dealt in one go."""
    rows = np.empty((len(parts), number), np.int64)
    for k, p in enumerate(parts):
        turn = np.arange(len(p.counts)) if (p.counts == 1).all() else lots(p.counts)[0]
        rows[k] = first[k] + turn[rng.permutation(len(turn))[np.arange(number) % len(turn)]]
    out = labels[rows.ravel()]
    of = np.repeat(items, number)
    for size in np.unique(items).tolist():
        same = of == size
        out[same, :size] = rng.permuted(out[same, :size], axis=1)
    return np.asarray(out)
