"""Every two judges of every task compared, and every judge with random clusterings, by many measures at once.

Tasks of all sizes share one array, padded with what is no item; a contingency table is made once for each pair and way
of treating left-out items, and all measures are read off its sums, both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.batches import Batch, batches
from quorate.groupings.judge_pairs import Compared, Pairs, mean_by
from quorate.groupings.measures import both_ways, measure_of
from quorate.groupings.partitions import Partitions, treated
from quorate.groupings.random_panels import random_panels
from quorate.inference.results import Options
from quorate.kernels.contingency import pair_sums
from quorate.table import Method

Array = NDArray[Any]
WORK = 10**8  # labels compared with random clusterings at most, about
LEAST = 20  # random clusterings a task, however large


def compare(parts: Sequence[Partitions], methods: Sequence[Method], options: Options) -> tuple[Pairs, list[Compared]]:
    """Every method on every two judges, and on every judge with ``options.permutations`` random clusterings a task.

    Where nobody left anything out, methods that differ in how they treat it share what is found.
    """
    if not any((p.labels == -1).any() for p in parts):
        first: dict[tuple[Any, ...], Method] = {}
        same = [str(first.setdefault(_apart_from_treatment(m), m)) for m in methods]
        if len(first) < len(methods):
            pairs, found = compare(parts, list(first.values()), options)
            by = dict(zip(map(str, first.values()), found, strict=True))
            return pairs, [by[text] for text in same]
    pairs = Pairs.of(parts)
    number = random_number(parts, options)
    out = [_empty(len(pairs.task), len(parts), options.permutations) for _ in methods]
    lots = list(batches(parts, number))
    for done, batch in enumerate(lots):
        options.tell("comparing judges", done, len(lots))
        _fill(out, Batch.of(parts, pairs, batch, number, options), methods)
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


def _fill(out: Sequence[Compared], batch: Batch, methods: Sequence[Method]) -> None:
    """Every treatment of left-out items in turn; where nobody left any out they are the same."""
    complete = not (batch.labels == -1).any()
    known: dict[tuple[Any, ...], Compared] = {}
    for way in dict.fromkeys(str(m["left_out"]) for m in methods):
        chosen = [(m, c) for m, c in zip(methods, out, strict=True) if m["left_out"] == way]
        if complete:
            for m, c in chosen:
                same = known.setdefault(_apart_from_treatment(m), c)
                if same is not c:
                    _copy(same, c, batch)
            chosen = [(m, c) for m, c in chosen if known[_apart_from_treatment(m)] is c]
        if chosen and len(batch.pairs):
            _compared(chosen, batch, way)


def _apart_from_treatment(chosen: Method) -> tuple[Any, ...]:
    return chosen.name, *((n, v) for n, v in chosen.parameters.items() if n != "left_out")


def _copy(known: Compared, to: Compared, batch: Batch) -> None:
    for name in ("forward", "backward", "items"):
        getattr(to, name)[batch.pairs] = getattr(known, name)[batch.pairs]
    for name in ("chance", "p"):
        getattr(to, name)[:, batch.pairs] = getattr(known, name)[:, batch.pairs]
    for name in ("base", "drawn"):
        getattr(to, name)[batch.tasks] = getattr(known, name)[batch.tasks]


def _compared(chosen: Sequence[tuple[Method, Compared]], batch: Batch, way: str) -> None:
    expected = any(measure_of(m).expected for m, _ in chosen)
    labels = treated(batch.labels, way)
    for some, sums in pair_sums(labels, labels, batch.left, batch.right, expected=expected):
        at = batch.pairs[some]
        for m, c in chosen:
            c.items[at] = sums.items
            c.forward[at], c.backward[at] = both_ways(m, sums)
    if batch.number:
        _chance(chosen, batch, labels, treated(batch.random, way), expected)
        random_panels(chosen, batch, way, expected)


def _chance(
    chosen: Sequence[tuple[Method, Compared]], batch: Batch, labels: Array, random: Array, expected: bool
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
        c.base[batch.tasks] = mean_by(owner, (both[0] + both[1]) / 2, len(batch.tasks), weight)
        rows = [x.reshape(judges, batch.number) for x in both]
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
