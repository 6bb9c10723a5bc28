"""Consensus partitions of panels drawn anew from the judges of each task, and how much of a consensus stays in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.consensus_partition import CELLS, consensus
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.sheets import Sheet
from quorate.groupings.task_consensus import pairs_of_items
from quorate.inference.resample import stream
from quorate.inference.results import Options
from quorate.panel.partitions import blocks
from quorate.table import Method

Array = NDArray[Any]
WORK = 4 * 10**8  # judge x item-pair counts spent on resampled panels of a method, about
DRAWS = 200  # resampled panels of a task at most: each is solved anew
SOLVED = 10_000  # resampled panels of all tasks together, about
FEWEST = 10  # resampled panels that say how often an item stays


def draws(options: Options, tasks: int, judges: int, items: int) -> int:
    """How many resampled panels a task is worth."""
    most = max(int(SOLVED * options.effort) // tasks, FEWEST)
    return min(options.resamples, DRAWS, most, WORK // max(tasks * judges * items * items, 1))


def drawn(tasks: Sequence[Sheet], method: Method, found: Sequence[Array], options: Options) -> list[Array | None]:
    """Consensus partitions of resampled panels, ``[resample, item]`` of each task; None of few judges or much work."""
    out: list[Array | None] = [None] * len(tasks)
    room = max(CELLS // max(draws(options, len(tasks), 1, 1), 1), 1)
    for block in blocks(tasks, room, pairs_of_items):
        _, judges, items = block.labels.shape
        number = draws(options, len(tasks), judges, items)
        enough = block.counts.sum(axis=1) >= 3
        if number < min(FEWEST, max(options.resamples, 1)) or not enough.any():
            continue
        options.tell(f"consensus by {method}, drawn anew", int(block.tasks[0]), len(tasks))
        some, labels, counts = block.tasks[enough], block.labels[enough], block.counts[enough]
        rng = stream(options.seed, "consensus", method, tasks[int(some[0])].task)
        if len(some) == 1:
            times = drawn_judges(counts[0], rng, number).times[:, None]
        else:
            total = counts.sum(axis=1)
            each = rng.multinomial(total[:, None], (counts / total[:, None])[:, None], size=(len(some), number))
            times = each.transpose(1, 0, 2)
        again = consensus(method, labels, times, np.stack([found[k] for k in some.tolist()]))
        for n, k in enumerate(some.tolist()):
            out[k] = again[:, n]
    return out


def stays(labels: Array, drawn: Array) -> Array:
    """How much of an item's group it keeps in resampled panels, ``[..., item]``: overlap over union, on average.

    From ``labels[..., item]`` and ``drawn[..., resample, item]``. An item that is left out stays when it is left out
    again.
    """
    items = labels.shape[-1]
    flat, again = labels.reshape(-1, items), drawn.reshape(-1, *drawn.shape[-2:])
    out = np.zeros(flat.shape)
    step = max(1, (1 << 20) // max(items**2, 1))
    for a in range(0, len(flat), step):
        some = slice(a, a + step)
        same = flat[some, :, None] == flat[some, None, :]
        left, size = flat[some] < 0, same.sum(axis=2)
        for k in range(again.shape[1]):
            one = again[some, k]
            then = one[:, :, None] == one[:, None, :]
            total = size + then.sum(axis=2)
            then &= same
            overlap = then.sum(axis=2)
            out[some] += np.where(left | (one < 0), left & (one < 0), overlap / (total - overlap))
    return np.asarray(out / again.shape[1]).reshape(labels.shape)
