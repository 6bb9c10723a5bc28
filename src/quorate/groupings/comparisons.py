"""Every two judges of every task compared, and every judge with random clusterings, by many measures at once.

Tasks of all sizes share one array, padded with what is no item.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.batches import Batch, batches
from quorate.groupings.judge_pairs import Compared, Pairs, mean_by
from quorate.groupings.measures import measure_of
from quorate.groupings.pairwise import apart_from_treatment, pair_values
from quorate.groupings.partitions import Partitions
from quorate.groupings.random_panels import random_panels
from quorate.inference.results import Options
from quorate.table import Method

Array = NDArray[Any]
WORK = 10**8  # labels compared with random clusterings at most, about
LEAST = 20  # random clusterings a task, however large


def compare(parts: Sequence[Partitions], methods: Sequence[Method], options: Options) -> tuple[Pairs, list[Compared]]:
    """Every method on every two judges, and on every judge with ``options.permutations`` random clusterings a task.

    Where nobody left anything out, methods that differ in how they treat it share what is found.
    """
    if not any((p.labels == -1).any() for p in parts):
        first: dict[Hashable, Method] = {}
        same = [str(first.setdefault(apart_from_treatment(m), m)) for m in methods]
        if len(first) < len(methods):
            pairs, found = compare(parts, list(first.values()), options)
            by = dict(zip(map(str, first.values()), found, strict=True))
            return pairs, [by[text] for text in same]
    pairs = Pairs.of(parts)
    number = random_number(parts, options)
    out = [_empty(len(pairs.task), len(parts), options.permutations) for _ in methods]
    lots = list(batches(parts, number))
    for done, tasks in enumerate(lots):
        options.tell("comparing judges", done, len(lots))
        batch = Batch.of(parts, pairs, tasks, number, options)
        chosen = list(zip(methods, out, strict=True))
        values = pair_values(methods, batch.labels, batch.labels, batch.left, batch.right)
        for c, value in zip(out, values, strict=True):
            for name in ("forward", "backward", "items"):
                getattr(c, name)[batch.pairs] = getattr(value, name)
        if chosen and number and len(batch.pairs):
            _chance(chosen, batch)
            random_panels(chosen, batch)
    options.tell("comparing judges", len(lots), len(lots))
    return pairs, out


def random_number(parts: Sequence[Partitions], options: Options) -> int:
    """How many random clusterings of a task its judges are compared with."""
    labels = sum(p.labels.size for p in parts)
    return min(options.permutations, max(int(WORK * options.effort) // max(labels, 1), LEAST))


def _empty(pairs: int, tasks: int, number: int) -> Compared:
    one, two = np.full(pairs, np.nan), np.full((2, pairs), np.nan)
    base, drawn = np.full(tasks, np.nan), np.full((tasks, number), np.nan)
    return Compared(one, one.copy(), np.zeros(pairs, np.int64), two, two.copy(), base, drawn)


def _chance(chosen: Sequence[tuple[Method, Compared]], batch: Batch) -> None:
    """Every judge against every random clustering of the task."""
    judges = len(batch.labels)
    left = np.repeat(np.arange(judges), batch.number)
    right = (batch.judge_task[:, None] * batch.number + np.arange(batch.number)).ravel()
    seen = pair_values([m for m, _ in chosen], batch.labels, batch.random, left, right)
    for (m, c), found in zip(chosen, seen, strict=True):
        owner = np.repeat(batch.judge_task, batch.number)
        weight = np.repeat(batch.judge_count, batch.number)
        c.base[batch.tasks] = mean_by(owner, found.mean, len(batch.tasks), weight)
        rows = [x.reshape(judges, batch.number) for x in (found.forward, found.backward)]
        sign = measure_of(m).sign
        # A pair is held against its first judge with random classes and random clusters with its second judge.
        same = measure_of(m).symmetric(m.parameters)
        ways = ((c.forward, batch.left, batch.right), (c.backward, batch.right, batch.left))
        for k, (values, a, b) in enumerate(ways[: 1 if same else 2]):
            c.chance[k, batch.pairs], c.p[k, batch.pairs] = _against(values[batch.pairs], rows[0], rows[1], a, b, sign)
        if same:
            c.chance[1, batch.pairs], c.p[1, batch.pairs] = c.chance[0, batch.pairs], c.p[0, batch.pairs]


def _against(values: Array, forward: Array, backward: Array, a: Array, b: Array, sign: int) -> tuple[Array, Array]:
    """What chance gives for each pair, and how often it is as good as the value."""
    number, total = (
        sum(x) for x in zip(*(_known(rows, at) for rows, at in ((forward, a), (backward, b))), strict=True)
    )
    chance = np.divide(total, number, out=np.full(len(values), np.nan), where=number > 0)
    reached = np.zeros(len(values), np.int64)
    step = max(1, (1 << 18) // max(forward.shape[1], 1))
    for k in range(0, len(values), step):
        some = slice(k, k + step)
        enough = (sign * values[some] - 1e-12)[:, None]
        for rows, at in ((forward, a), (backward, b)):
            reached[some] += (sign * rows[at[some]] >= enough).sum(axis=1)
    known = ~np.isnan(values) & (number > 0)
    return np.asarray(chance), np.where(known, (reached + 1) / (number + 1), np.nan)


def _known(rows: Array, at: Array) -> tuple[Array, Array]:
    """How many of some rows' values are defined, and their sums."""
    there = ~np.isnan(rows)
    return there.sum(axis=1)[at], np.where(there, rows, 0.0).sum(axis=1)[at]


def with_treatments(methods: Sequence[Method], parts: Sequence[Partitions], options: Options) -> list[Method]:
    """The methods; one that leaves open what a left-out item is comes twice, with singletons and with a bucket.

    With less effort, as a report has, it comes once where nobody left an item out: both would say the same.
    """
    once = options.effort < 1 and not any((p.labels < 0).any() for p in parts)
    out: dict[str, Method] = {}
    for m in methods:
        open_ = "left_out" not in dict(m.settings) and m["left_out"] == "singletons" and not once
        for each in [m.with_(left_out=w) for w in ("singletons", "bucket")] if open_ else [m]:
            out[str(each)] = each
    return list(out.values())
