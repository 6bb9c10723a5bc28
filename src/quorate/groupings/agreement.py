"""How much do the judges agree on their groupings?

Every two judges by the measures of :mod:`~quorate.groupings.measures`, against random clusterings, and all of them at
once by what most put together (:mod:`~quorate.groupings.support`). Judges who leave items out are compared in two ways
unless one is named: left-out items as singletons and in one bucket. Of a judge's repeats on a task the first is
compared with the other judges, and all of them with one another in a figure of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings import support
from quorate.groupings.comparisons import Compared, Pairs, compare, resampled_means, square, with_treatments
from quorate.groupings.measures import MEASURES, measure_of
from quorate.groupings.partitions import Partitions, lots, partitions, repeats
from quorate.panel import many
from quorate.panels import Groupings
from quorate.resample import Chance, Interval, holm, mean_interval, percentiles, resampled_counts, stream
from quorate.results import Answer, Finding, Options, Overall
from quorate.table import Method

Array = NDArray[Any]
WORK = 3 * 10**9  # multiplications spent on intervals and chance of what most put together
DEALT = 500  # judges of a task whose items are dealt anew each for himself, where rows stand for very many
CALLS = 5000  # shuffled panels of all tasks together, about
COUNTED = "a row with a count stands for so many judges, in all means; they are compared with one another too"
FEW = 10  # tasks, below which an interval over tasks is rough


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every two judges of every task and overall, with intervals and what chance gives."""
    parts = partitions(panel)
    chosen = with_treatments(methods)
    paired = [m for m in chosen if m.name in MEASURES]
    pairs, compared = compare(parts, paired, options)
    found = dict(zip(map(str, paired), compared, strict=True))
    findings, by_task = [], []
    for m in chosen:
        if str(m) in found:
            finding, rows = _pairwise(panel, parts, pairs, m, found[str(m)], options)
        else:
            finding, rows = _setwise(panel, parts, m, options)
        findings.append(finding)
        by_task += rows
    more: dict[str, Any] = {"description": description(panel, parts), "by_task": by_task}
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
        tuple(_sentences(panel, parts, findings)),
        (*panel.notes, *_notes(panel, parts, findings, by_task)),
        more,
    )


# -- two judges at a time ----------------------------------------------------------------------------------------------


def _pairwise(
    panel: Groupings, parts: Sequence[Partitions], pairs: Pairs, method: Method, c: Compared, options: Options
) -> tuple[Finding, list[dict[str, Any]]]:
    values = pairs.mean(c.values)
    sign = measure_of(method).sign
    overall = _overall(values, _interval(parts, pairs, c, values, options), c.base, c.drawn, sign)
    rows = []
    for t, part in enumerate(parts):
        chance = _chance(float(values[t]), float(c.base[t]), c.drawn[t], sign)
        rows.append(_task_row(panel.tasks[part.task], method, float(values[t]), chance))
    ways = 1 if measure_of(method).symmetric(method.parameters) else 2
    keys, columns = _rows(panel, parts, pairs, c, ways)
    return Finding(method, keys, columns.pop("value"), columns, (overall,)), rows


def _rows(
    panel: Groupings, parts: Sequence[Partitions], pairs: Pairs, c: Compared, ways: int
) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """A row per pair; where the two ways differ another one with the judges exchanged, right below."""
    some = ~pairs.copies
    task = [panel.tasks[parts[t].task] for t in pairs.task[some].tolist()]
    judges = [[panel.judges[j] for j in p.judges.tolist()] for p in parts]
    places = zip(*(x[some].tolist() for x in (pairs.task, pairs.first, pairs.second)), strict=True)
    forward = [[judges[t][a], judges[t][b]] for t, a, b in places]
    two = [forward, [[b, a] for a, b in forward]]
    columns = {
        "value": np.stack([c.forward, c.backward])[:ways, some],
        "chance": c.chance[:ways, some],
        "p_value": c.p[:ways, some],
        "items": np.stack([c.items, c.items])[:ways, some],
    }
    keys = {
        "task": [t for t in task for _ in range(ways)],
        "pair": [two[k][i] for i in range(len(forward)) for k in range(ways)],
    }
    flat = {name: column.T.ravel() for name, column in columns.items()}
    flat["p_holm"] = holm(flat["p_value"])  # for as many rows as there are
    return keys, {name: column.tolist() for name, column in flat.items()}


def _interval(
    parts: Sequence[Partitions], pairs: Pairs, c: Compared, values: Array, options: Options
) -> Interval | None:
    """Bootstrap over tasks; with one task over judges, of whom two drawn alike are not a pair.

    The draws are the same for all methods, so that treatments of left-out items can be compared.
    """
    rng = stream(options.seed, "interval")
    if len(values) > 1:
        return mean_interval(values, rng, options.level, options.resamples)
    counts = parts[0].counts
    if int(counts.sum()) < 3:
        return None
    times = resampled_counts(counts, rng, options.resamples)
    drawn = resampled_means(square(pairs, c.values, 0, len(counts)), times, counts)
    return percentiles(drawn, options.level, "judges")


# -- all judges at once ------------------------------------------------------------------------------------------------


def _setwise(
    panel: Groupings, parts: Sequence[Partitions], method: Method, options: Options
) -> tuple[Finding, list[dict[str, Any]]]:
    """What most put together. It has no rows of pairs: a task's values are in the block by task."""
    found = [method(p.labels, counts=p.counts) for p in parts]
    values = np.array([f["value"] for f in found])
    apart = [lots(p.counts, DEALT) for p in parts]  # judges who are counted in one row are dealt anew each for himself
    cost = sum(support.cost(p.labels) * len(row) // len(p.labels) for p, (row, _) in zip(parts, apart, strict=True))
    number = min(options.permutations, max(min(WORK // max(cost, 1), CALLS // len(parts)), 20))
    rng = stream(options.seed, "chance")
    drawn = np.full((len(parts), number), np.nan)
    for t, (p, (own, counts)) in enumerate(zip(parts, apart, strict=True)):
        for k in range(number):
            drawn[t, k] = method(rng.permuted(p.labels[own], axis=1), counts=counts)["value"]
        options.tell(str(method), t + 1, len(parts))
    interval = _set_interval(parts, values, method, options, cost)
    panels = drawn
    if len(parts) > 1 and number < options.permutations:  # tasks are dealt apart: any of each may go with any other
        some = rng.integers(number, size=(len(parts), options.permutations))
        panels = np.take_along_axis(drawn, some, axis=1)
    rows = []
    for t, (part, f) in enumerate(zip(parts, found, strict=True)):
        chance = _chance(f["value"], _mean(drawn[t]), drawn[t], 1)
        row = _task_row(panel.tasks[part.task], method, f["value"], chance)
        each = zip(part.judges.tolist(), f["kappa1"].tolist(), f["kappa2"].tolist(), strict=True)
        individual = [{"judge": panel.judges[j], "kappa1": k1, "kappa2": k2} for j, k1, k2 in each]
        rows.append({**row, "kappa1": f["items"], "kappa2": f["value"], "q": f["q"], "individual": individual})
    empty: dict[str, list[Any]] = {"task": [], "pair": []}
    kappa1 = _mean(np.array([f["items"] for f in found]))
    overall = _overall(values, interval, np.array([_mean(d) for d in drawn]), panels, 1, kappa1=kappa1)
    return Finding(method, empty, [], {}, (overall,)), rows


def _set_interval(
    parts: Sequence[Partitions], values: Array, method: Method, options: Options, cost: int
) -> Interval | None:
    rng = stream(options.seed, "interval")
    if len(values) > 1:
        return mean_interval(values, rng, options.level, options.resamples)
    counts = parts[0].counts
    if int(counts.sum()) < 3 or math.isnan(values[0]):
        return None
    members = support.prepared(parts[0].labels, str(method["left_out"]))
    number = int(min(options.resamples, max(WORK // max(cost, 1), 100)))
    drawn = [
        support.mean(members.scores(times, method["q"])[1], times)  # type: ignore[arg-type]
        for times in resampled_counts(counts, rng, number)
    ]
    # A judge drawn twice supports himself, and votes come in lumps, which moves the values either way: they are moved
    # back to the one seen. (Reflected around it the interval would be moved twice, and often miss the value itself.)
    moved = values[0] + np.array(drawn) - _mean(np.array(drawn))
    return percentiles(np.clip(moved, 0, 1), options.level, "judges")


# -- over tasks --------------------------------------------------------------------------------------------------------


def _overall(values: Array, interval: Interval | None, base: Array, drawn: Array, sign: int, **more: float) -> Overall:
    """The mean over tasks; value and chance also by the names of the paper's table, mean and baseline."""
    seen = _mean(values)
    there = ~np.isnan(drawn)
    number = there.sum(axis=0)
    total = np.where(there, drawn, 0.0).sum(axis=0)
    means = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0)
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


def _task_row(task: Any, method: Method, value: float, chance: Chance | None) -> dict[str, Any]:
    row = {"task": task, "method": str(method), "value": value}
    return {**row, "chance": chance.value if chance else None, "p_value": chance.p if chance else None}


def description(panel: Groupings, parts: Sequence[Partitions]) -> list[dict[str, Any]]:
    """Of every task and judge: items used, clusters made, items in a cluster on average, share of items left out."""
    out = []
    for p in parts:
        for judge, used, clusters in zip(p.judges.tolist(), p.used.tolist(), p.clusters.tolist(), strict=True):
            row: dict[str, Any] = {"task": panel.tasks[p.task], "judge": panel.judges[judge]}
            row |= {"used": used, "clusters": clusters, "per_cluster": used / clusters if clusters else math.nan}
            out.append({**row, "left_out": 1 - used / len(p.items)})
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


# -- in words ----------------------------------------------------------------------------------------------------------


def _notes(
    panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding], by_task: Sequence[dict[str, Any]]
) -> list[str]:
    notes = []
    if panel.repeats:
        notes.append(f"{panel.repeats} repeats are not compared with other judges; see self-agreement")
    if (panel.count != 1).any():
        notes.append(COUNTED)
    single = sum(len(p.judges) == 1 for p in parts)
    if single:
        notes.append(f"{single} of {len(parts)} tasks have one judge only: there is nothing to agree with")
    if 1 < len(parts) < FEW:
        notes.append(f"{len(parts)} tasks are few: the intervals over tasks are rough")
    nothing = sum(int((p.used == 0).sum()) for p in parts)
    if nothing:
        notes.append(f"{many(nothing, 'grouping')} left out every item")
    if not any((p.labels < 0).any() for p in parts):
        notes.append("no judge left an item out: singletons, bucket and common are the same")
    large = sum(p.labels.shape[1] > support.ITEMS for p in parts)
    if large and any(f.method.name == "together" for f in findings):
        told = f"{many(large, 'task')} with more than {support.ITEMS:,} items"
        notes.append(f"together: on {told}, from {support.SAMPLE:,} pairs of each judge drawn at random")
    notes += _too_many(findings)
    for f in findings:
        undefined = sum(isinstance(v, float) and math.isnan(v) for v in f.values)
        if undefined:
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.values)} pairs, left out of the mean")
        elif not f.values and f.overall and math.isnan(f.overall[0].value):
            notes.append(f"{f.method}: undefined, no judge put two items together")
    return notes


def _too_many(findings: Sequence[Finding]) -> list[str]:
    """That no pair can be significant, where there are more of them than random clusterings can tell."""
    for f in findings:
        tested = [p for p in f.details.get("p_value", ()) if not math.isnan(p)]
        chance = f.overall[0].chance
        if tested and chance and len(tested) / (2 * chance.permutations + 1) > 0.05:
            enough = math.ceil((len(tested) / 0.05 - 1) / 2)
            few = f"{chance.permutations} random clusterings are too few for {len(tested):,} pairs"
            return [f"{few} to be significant by Holm's correction; --permutations {enough} would do"]
    return []


def _sentences(panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding]) -> list[str]:
    cells = sum(p.labels.size for p in parts)
    out = 1 - sum(int(p.used.sum()) for p in parts) / cells
    said = f"{many(len(panel.judges), 'judge')} grouped {many(len(panel.items), 'item')} on "
    left = f"; of the items a judge left out {out:.0%} on average" if out else ""
    sentences = [f"{said}{many(len(parts), 'task')}{left}."]
    by_name: dict[str, list[Finding]] = {}
    for f in findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].overall[0].value):
        sentences.append(_say_measure(first if out else first[:1], bool(out)))
        sentences += _say_pairs(first[-1])
    for f in by_name.get("together", [])[:1]:
        o = f.overall[0]
        if not math.isnan(o.value):
            q = f.method["q"]
            most = f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"
            sentences.append(
                f"Of the pairs that a judge puts together, {o.value:.0%} are put together by {most}{_p(o)}."
            )
    return sentences


def _say_measure(findings: Sequence[Finding], treatments: bool) -> str:
    words = {"singletons": "as singletons", "bucket": "in one bucket", "common": "set aside"}
    pieces = []
    for f in findings:
        o = f.overall[0]
        how = f" with left-out items {words[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{o.value:.2f}{how}{f' (random clusterings {o.chance.value:.2f})' if o.chance else ''}")
    return f"Two judges agree by {findings[0].method.name} {', '.join(pieces)}{_p(findings[0].overall[0])}."


def _p(o: Overall) -> str:
    if o.chance is None:
        return ""
    return f", {'more' if o.chance.p <= 0.05 else 'no more'} than by chance (p = {o.chance.p:.2g})"


def _say_pairs(f: Finding) -> list[str]:
    """How many pairs are no better than the random baseline."""
    sign = measure_of(f.method).sign
    known = [i for i, c in enumerate(f.details["chance"]) if not math.isnan(c) and not math.isnan(f.values[i])]
    below = [i for i in known if sign * (f.values[i] - f.details["chance"][i]) <= 0]
    if not known:
        return []
    sure = sum(p <= 0.05 for p in f.details["p_holm"])
    word = "all" if sure == len(known) else str(sure or "none")
    few = bool(_too_many([f]))  # then it is a note that none can be
    if not below:
        told = "" if few else f", {word} of them significantly by Holm's correction"
        return [f"All {len(known):,} pairs agree more than random clusterings{told} ({f.method})."]
    pairs: dict[tuple[Any, frozenset[Any]], str] = {}
    several = len({*f.keys["task"]}) > 1
    for i in below:
        task, pair = f.keys["task"][i], f.keys["pair"][i]
        where = f"{task}: " if several else ""
        pairs.setdefault((task, frozenset(pair)), where + "-".join(map(str, pair)))
    shown = ", ".join(list(pairs.values())[:3])
    more = ", ..." if len(pairs) > 3 else ""
    said = f"{len(below):,} of {len(known):,} pairs agree no more than random clusterings do: {shown}{more}"
    told = "" if few else f"; {word} agree significantly more, by Holm's correction"
    return [f"{said}{told} ({f.method})."]
