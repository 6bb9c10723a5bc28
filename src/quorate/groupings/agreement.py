"""How much do the judges agree on their groupings?

Every two judges by the measures of :mod:`~quorate.groupings.measures`, against random clusterings, and all of them at
once by what most put together (:mod:`~quorate.groupings.support`). Judges who leave items out are compared in two ways
unless one is named: left-out items as singletons and in one bucket. Of a judge's repeats on a task the first is
compared with the other judges, and all of them with one another in a figure of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.groupings import support
from quorate.groupings.agreement_words import notes, sentences
from quorate.groupings.comparisons import compare, with_treatments
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.judge_pairs import Compared, Pairs, resampled_means, square
from quorate.groupings.measures import MEASURES, measure_of
from quorate.groupings.pair_rows import Keys, figures, ways_of
from quorate.groupings.partitions import Partitions, blocks, partitions, repeats
from quorate.inference.resample import Chance, Interval, centred, lots, mean_interval, stream
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.panel.kinds import Groupings
from quorate.table import Method

Array = NDArray[Any]
WORK = 3 * 10**9  # multiplications spent on intervals and chance of what most put together
DEALT = 500  # judges of a task whose items are dealt anew each for himself, where rows stand for very many
CALLS = 5000  # shuffled panels of all tasks together, about
LABELS = 1 << 22  # of shuffled panels held at a time


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every two judges of every task and overall, with intervals and what chance gives."""
    parts = partitions(panel)
    chosen = with_treatments(methods, parts, options)
    paired = [m for m in chosen if m.name in MEASURES]
    pairs, compared = compare(parts, paired, options)
    found = dict(zip(map(str, paired), compared, strict=True))
    del compared
    findings, by_task, by_pair = [], [], []
    keys, before = Keys(panel, parts, pairs), None
    rows: list[dict[str, Any]] = []
    for m in chosen:
        c = found.pop(str(m), None)  # millions of pairs take room: each is let go when it is told
        if c is not None and c is before:  # nobody left anything out: the other treatment finds the same
            finding, rows = replace(findings[-1], method=m), [{**row, "method": str(m)} for row in rows]
        elif c is not None:
            finding, rows = _pairwise(panel, parts, pairs, m, c, keys, options)
        else:
            finding, rows = _setwise(panel, parts, m, options)
        by_pair += keys.means(finding) if c is not None and len(parts) > 1 else []
        before = c
        findings.append(finding)
        by_task += rows
    more: dict[str, Any] = {"description": description(panel, parts), "by_task": by_task}
    if by_pair:
        more["by_pair"] = by_pair
    again = self_agreement(panel, paired)
    if again:
        more["self_agreement"] = again
    return Answer(
        "groupings",
        "agreement",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(sentences(panel, parts, findings, by_pair, options)),
        (*panel.notes, *notes(panel, parts, findings, options)),
        more,
    )


# -- two judges at a time ----------------------------------------------------------------------------------------------


def _pairwise(
    panel: Groupings,
    parts: Sequence[Partitions],
    pairs: Pairs,
    method: Method,
    c: Compared,
    keys: Keys,
    options: Options,
) -> tuple[Finding, list[dict[str, Any]]]:
    values = pairs.mean(c.values)
    sign = measure_of(method).sign
    interval = _interval(parts, pairs, c, values, method.declaration.range, options)
    overall = _overall(values, interval, c.base, c.drawn, sign)
    rows = _task_rows(panel, parts, method, values, c.base, c.drawn, sign)
    ways = ways_of(method)
    columns = figures(c, keys.some, ways)
    return Finding(method, keys.of(ways), columns.pop("value"), columns, (overall,)), rows


def _interval(
    parts: Sequence[Partitions],
    pairs: Pairs,
    c: Compared,
    values: Array,
    range: tuple[float, float],
    options: Options,
) -> Interval | None:
    """Bootstrap over tasks; with one task over judges, of whom two drawn alike are not a pair.

    The draws are the same for all methods, so that treatments of left-out items can be compared.
    """
    rng = stream(options.seed, "interval")
    if len(values) > 1:
        return mean_interval(values, rng, options.level, options.resamples, range=range)
    counts = parts[0].counts
    if int(counts.sum()) < 3:
        return None
    judges = drawn_judges(counts, rng, options.resamples)
    drawn = resampled_means(square(pairs, c.values, 0, len(counts)), judges)
    return centred(float(values[0]), drawn, options.level, "judges", int(counts.sum()), range)


# -- all judges at once ------------------------------------------------------------------------------------------------


def _setwise(
    panel: Groupings, parts: Sequence[Partitions], method: Method, options: Options
) -> tuple[Finding, list[dict[str, Any]]]:
    """What most put together. It has no rows of pairs: a task's values are in the block by task."""
    q, way = cast(float, method["q"]), str(method["left_out"])
    found = support.of_parts(parts, q, way)
    values = np.array([f["value"] for f in found])
    apart = [lots(p.counts, DEALT) for p in parts]  # judges who are counted in one row are dealt anew each for himself
    cost = sum(support.cost(p.labels) * len(row) // len(p.labels) for p, (row, _) in zip(parts, apart, strict=True))
    number = min(options.permutations, max(min(WORK // max(cost, 1), CALLS // len(parts)), 20))
    rng = stream(options.seed, "chance")
    drawn = _shuffled(parts, apart, method, number, rng, options)
    interval = _set_interval(parts, values, method, options, cost)
    panels = drawn
    if len(parts) > 1 and number < options.permutations:  # tasks are dealt apart: any of each may go with any other
        some = rng.integers(number, size=(len(parts), options.permutations))
        panels = np.take_along_axis(drawn, some, axis=1)
    base = _row_means(drawn)
    rows = _task_rows(panel, parts, method, values, base, drawn, 1)
    for row, part, f in zip(rows, parts, found, strict=True):
        each = zip(part.judges.tolist(), f["kappa1"].tolist(), f["kappa2"].tolist(), strict=True)
        individual = [{"judge": panel.judges[j], "kappa1": k1, "kappa2": k2} for j, k1, k2 in each]
        row |= {"kappa1": f["items"], "kappa2": f["value"], "q": f["q"], "individual": individual}
    empty: dict[str, list[Any]] = {"task": [], "pair": []}
    kappa1 = _mean(np.array([f["items"] for f in found]))
    overall = _overall(values, interval, base, panels, 1, kappa1=kappa1)
    return Finding(method, empty, [], {}, (overall,)), rows


def _shuffled(
    parts: Sequence[Partitions],
    apart: Sequence[tuple[Array, Array]],
    method: Method,
    number: int,
    rng: np.random.Generator,
    options: Options,
) -> Array:
    """What most put together in panels whose judges' items are dealt anew, ``[task, panel]``."""
    q, way = cast(float, method["q"]), str(method["left_out"])
    drawn = np.full((len(parts), number), np.nan)
    for block in blocks(parts, max(LABELS // max(number, 1), 1)):
        options.tell(str(method), int(block.tasks[0]), len(parts))
        if (block.counts == 1).all() and block.labels.size * number <= LABELS:
            tasks, judges, items = block.labels.shape
            rows = np.repeat(block.labels, number, axis=0).reshape(-1, items)
            dealt = rng.permuted(rows, axis=1).reshape(tasks * number, judges, items)
            found = support.scores(dealt, np.ones((1, tasks * number, judges), np.int64), q, way)
            drawn[block.tasks] = found["value"].reshape(tasks, number)
            continue
        for t in block.tasks.tolist():
            own, counts = apart[t]
            for k in range(number):
                drawn[t, k] = method(rng.permuted(parts[t].labels[own], axis=1), counts=counts)["value"]
    options.tell(str(method), len(parts), len(parts))
    return drawn


def _set_interval(
    parts: Sequence[Partitions], values: Array, method: Method, options: Options, cost: int
) -> Interval | None:
    rng = stream(options.seed, "interval")
    if len(values) > 1:
        return mean_interval(values, rng, options.level, options.resamples, range=(0, 1))
    counts = parts[0].counts
    if int(counts.sum()) < 3 or math.isnan(values[0]):
        return None
    number = int(min(options.resamples, max(WORK // max(cost, 1), 100)))
    times = drawn_judges(counts, rng, number).times
    q, way = cast(float, method["q"]), str(method["left_out"])
    drawn = support.scores(parts[0].labels[None], times[:, None], q, way)["value"][:, 0]
    # A judge drawn twice supports himself, and votes come in lumps, which moves the values either way: they are moved
    # back to the one seen. (Reflected around it the interval would be moved twice, and often miss the value itself.)
    return centred(float(values[0]), drawn, options.level, "judges", int(counts.sum()), (0, 1))


# -- over tasks --------------------------------------------------------------------------------------------------------


def _overall(values: Array, interval: Interval | None, base: Array, drawn: Array, sign: int, **more: float) -> Overall:
    """The mean over tasks; value and chance also by the names of the paper's table, mean and baseline."""
    seen = _mean(values)
    means = _row_means(drawn.T)
    chance = _chance(seen, _mean(base), means, sign)
    return Overall(seen, interval, chance, {"mean": seen, "baseline": chance.value if chance else None, **more})


def _chance(seen: float, base: float, drawn: Array, sign: int) -> Chance | None:
    """What chance gives, and how often random panels agree as much."""
    drawn = drawn[~np.isnan(drawn)]
    if math.isnan(seen) or math.isnan(base) or not len(drawn):
        return None
    reached = int((sign * drawn >= sign * seen - 1e-12).sum())
    return Chance(base, (reached + 1) / (len(drawn) + 1), len(drawn))


def _mean(values: Array) -> float:
    values = values[~np.isnan(values)]
    return float(values.mean()) if len(values) else math.nan


def _row_means(values: Array) -> Array:
    there = ~np.isnan(values)
    number = there.sum(axis=1)
    total = np.where(there, values, 0.0).sum(axis=1)
    return np.asarray(np.divide(total, number, out=np.full(len(values), np.nan), where=number > 0))


def _task_rows(
    panel: Groupings, parts: Sequence[Partitions], method: Method, values: Array, base: Array, drawn: Array, sign: int
) -> list[dict[str, Any]]:
    """A row per task, with what chance gives and how often random panels agree as much; None where undefined."""
    number = (~np.isnan(drawn)).sum(axis=1)
    reached = (sign * drawn >= (sign * values - 1e-12)[:, None]).sum(axis=1)
    known = ~np.isnan(values) & ~np.isnan(base) & (number > 0)
    columns = (x.tolist() for x in (values, base, (reached + 1) / (number + 1), known))
    text = str(method)
    return [
        {
            "task": panel.tasks[part.task],
            "method": text,
            "value": value,
            "chance": chance if there else None,
            "p_value": p if there else None,
        }
        for part, value, chance, p, there in zip(parts, *columns, strict=True)
    ]


def description(panel: Groupings, parts: Sequence[Partitions]) -> list[dict[str, Any]]:
    """Of every task and judge: items used, clusters made, items in a cluster on average, share of items left out."""
    out = []
    for p in parts:
        task, items = panel.tasks[p.task], p.labels.shape[1]
        for judge, used, clusters in zip(p.judges.tolist(), p.used.tolist(), p.clusters.tolist(), strict=True):
            row: dict[str, Any] = {"task": task, "judge": panel.judges[judge], "used": used, "clusters": clusters}
            row["per_cluster"] = used / clusters if clusters else math.nan
            row["left_out"] = 1 - used / items
            out.append(row)
    return out


def self_agreement(panel: Groupings, methods: Sequence[Method]) -> list[dict[str, Any]]:
    """How much judges agree with themselves on repeats: the measures asked for, judge by judge."""
    if not panel.repeats:
        return []
    parts = repeats(panel)
    pairs, found = compare(parts, methods, Options(permutations=0))
    out = []
    for m, c in zip(methods, found, strict=True):
        for judge in dict.fromkeys(int(p.judges[0]) for p in parts):
            own = np.isin(pairs.task, [t for t, p in enumerate(parts) if int(p.judges[0]) == judge])
            row = {"judge": panel.judges[judge], "method": str(m), "value": _mean(c.values[own])}
            out.append({**row, "pairs": int(own.sum())})
    return out
