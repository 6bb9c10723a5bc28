"""Discriminativeness (ED) of Kim, Zhai and Han: can a quality method tell a good order from a bad one?

Each judge's order is taken for a good one and its reverse for a bad one; both are scored against the *other* judges.
Scores are first brought to 0 ... 1, so that correlations and pattern weights compare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, centred, resampled_counts, stream
from quorate.inference.results import Options, Overall
from quorate.kernels import pattern_subsets
from quorate.kernels.pair_means import ratio
from quorate.kernels.pattern_rule import only, supported
from quorate.orderings.believed import Tasks, mean, over_tasks, trust_method
from quorate.orderings.frespa import by_patterns
from quorate.orderings.leave_one_out_scores import OwnOrders
from quorate.orderings.measured import Rankings, need, one_task
from quorate.orderings.nested import Nested, quality
from quorate.orderings.scored import limits, seeded
from quorate.panel.stacks import Stack, padded
from quorate.table import Method
from quorate.words.numbers import two

Array = NDArray[Any]
CELLS = 1 << 21  # of [judge left out, judge, item] or [task, judge, judge] arrays at a time
WORK = 5 * 10**7  # judge x item-pair comparisons for the ED of a stack; more judges than that allows are sampled
LEAST = 0.1  # share of that work with less effort
SETS, ITEMS = 600, 20  # sets of judges and items up to which all judges' orders are scored, whatever the work
FEW = 100  # tasks with less effort, where the judges' orders are scored one by one
UNBOUND = (-math.inf, math.inf)
OF = Nested("the quality method that is to be trusted")
REFERENCE = "Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists, section 5"


def backwards(positions: Array) -> Array:
    """Every order reversed: ties stay ties, absent items stay absent."""
    return np.where(positions > 0, positions.max(axis=-1, keepdims=True) + 1 - positions, 0)


def differences(
    positions: Array, counts: Array, method: Method, seed: int = 0, most: int | None = None, effort: float = 1.0
) -> Array:
    """The score of each judge's order less that of its reverse, by the others, ``[task, judge]``; NaN if undefined.

    Of a row that stands for many judges one is taken out. Rows with a count of 0 are not judges, and undefined.
    At ``most`` so many judges of a task are looked at, if that is given.
    """
    at_once = _at_once(positions, counts, method)
    if at_once is not None:
        return at_once
    cheap, positions = _few_sets(positions, counts, method), _of_use(positions, counts, method)
    tasks, judges, items = positions.shape
    out = np.full((tasks, judges), np.nan)
    t, j = np.nonzero(counts > 0 if cheap else tried(counts, items, seed, most, effort))
    step = max(1, CELLS // max(judges * items, 1))
    for a in range(0, len(t), step):
        task, judge = t[a : a + step], j[a : a + step]
        left = counts[task]
        left[np.arange(len(task)), judge] -= 1
        own = positions[task, judge]
        # One task: the same rankings each time, which the methods see and use.
        rankings = positions[task] if tasks > 1 else np.broadcast_to(positions, (len(task), judges, items))
        lists = np.stack([own, backwards(own)], axis=1)
        scores = method(rankings, left, lists, brief=True, **seeded(method, seed)).values
        out[task, judge] = np.where(left.any(axis=1), scores[:, 0] - scores[:, 1], np.nan) / _width(method)
    return out


def bounds(method: Method) -> tuple[float, float]:
    """What ED lies between; weighted correlation, whose weights may be negative, knows no bounds."""
    return (-1.0, 1.0) if math.isfinite(sum(limits(method))) else UNBOUND


def _width(method: Method) -> float:
    """How far apart a method's best and worst score are; a weighted mean of correlations is taken for a correlation."""
    low, high = method.declaration.range
    return high - low if math.isfinite(high - low) else 2.0


def tried(counts: Array, items: int, seed: int = 0, most: int | None = None, effort: float = 1.0) -> Array:
    """Which judges' orders are tried, ``[task, judge]``: all, or of large panels some drawn at random."""
    tasks, judges = counts.shape
    work, least = (WORK, 8) if effort >= 1 else (int(WORK * max(effort, LEAST)), 20)
    most = min(max(work // max(tasks * judges * items * items, 1), least), most or judges)
    if most >= judges:
        return counts > 0
    key = np.where(counts > 0, stream(seed, "tried", tasks, judges, items).random(counts.shape), 2.0)
    return (counts > 0) & (key <= np.sort(key, axis=1)[:, most - 1 : most])


def sampled(
    parts: Sequence[Stack], methods: Sequence[Method], called: str = "ED", seed: int = 0, effort: float = 1.0
) -> tuple[str, ...]:
    """Notes: where not all judges' orders are tried, and where patterns are too many to count."""
    some, of = 0, 0
    names: list[str] = []
    notes = []
    for m in methods:
        shapes = [(p.counts, _one_by_one(p.positions, p.counts, m)) for p in parts]
        tries = [c > 0 if items is None else tried(c, items, effort=effort) for c, items in shapes]
        mine, all_of = sum(int(t.sum()) for t in tries), sum(int((c > 0).sum()) for c, _ in shapes)
        if mine < all_of:
            some, of, names = mine, all_of, [*names, str(m)]
        guessed = sum(_estimated(p, m, seed) for p, (_, items) in zip(parts, shapes, strict=True) if items is not None)
        if guessed:
            tasks = sum(len(p.tasks) for p in parts)
            notes.append(f"{called} of {m}: too many patterns on {guessed} of {tasks} tasks; some are drawn (--seed)")
    if names:
        notes.append(
            f"{called} of {', '.join(names)}: the orders of {some:,} of {of:,} judges are tried, drawn at random"
        )
    return tuple(notes)


def _estimated(part: Stack, method: Method, seed: int) -> int:
    """On how many tasks the method is an estimate; as an example each task's first order is scored."""
    if not method.declaration.properties.get("seeded"):
        return 0
    found = method(part.positions, part.counts, part.positions[:, :1], seed=seed).details.get("estimated")
    return 0 if found is None else int(found.sum())


def _one_by_one(positions: Array, counts: Array, method: Method) -> int | None:
    """How many items a task has where scoring every judge's order takes long; None where it does not."""
    if _few_items(positions, counts, method) or _few_sets(positions, counts, method):
        return None
    if OwnOrders(positions, counts).fits(method):
        return None
    return int(_of_use(positions, counts, method).shape[2])


def _of_use(positions: Array, counts: Array, method: Method) -> Array:
    """Of patterns, only the items that can be part of one, whoever is left out."""
    if not by_patterns(method):
        return positions
    quorum = need(float(method["min_sup"] or 0), np.maximum(counts.sum(axis=1, keepdims=True) - 1, 0))
    return only(positions, supported(positions, counts, quorum, least=1))


def _at_once(positions: Array, counts: Array, method: Method) -> Array | None:
    """Correlations, and FreSPA of few items, for all judges at once; None where that is not so."""
    if _few_items(positions, counts, method):
        p: dict[str, Any] = method.parameters
        quorum = int(need(float(p["min_sup"]), counts[:1, 1:])[0])
        given = (p["w_len"], p["w_sup"], p["min_len"], p["max_len"])
        forward, backward = pattern_subsets.scores(positions, quorum, *given)
        return forward - backward
    orders = OwnOrders(positions, counts)
    return orders.by(method) if orders.fits(method) else None


def _few_items(positions: Array, counts: Array, method: Method) -> bool:
    """Whether FreSPA of all judges at once is quickest by the subsets of their places."""
    if method.name != "frespa" or not pattern_subsets.fits(*positions.shape[1:]):
        return False
    return int(method["min_len"] or 0) >= 2 and bool((counts == 1).all())


def _few_sets(positions: Array, counts: Array, method: Method) -> bool:
    """Whether enough judges are so few sets, and items so few, that no judge's order need be left untried."""
    if method.name != "frespa" or not (counts == 1).all():
        return False
    p: dict[str, Any] = method.parameters
    _, judges, items = positions.shape
    quorum = int(need(float(p["min_sup"]), counts[:1, 1:])[0])
    plain = p["min_len"] == 2 and (p["max_len"] is None or p["max_len"] >= items)
    if not plain or not 2 <= judges <= 16 or sum(math.comb(judges, u) for u in range(quorum, judges + 1)) > SETS:
        return False
    kept = supported(positions, counts, np.full(len(counts), quorum), least=2)
    return bool((items if kept is None else kept.shape[1]) <= ITEMS)


def by_task(values: Array, counts: Array) -> Array:
    """The mean over judges where it is defined, ``[task]``."""
    weight = np.where(np.isnan(values), 0, counts)
    return ratio((np.nan_to_num(values) * weight).sum(axis=-1), weight.sum(axis=-1))


def of_stack(part: Stack, method: Method, seed: int = 0, most: int | None = None) -> Array:
    """ED of every task of a stack."""
    return by_task(differences(part.positions, part.counts, method, seed, most), part.counts)


def of_all(tasks: Tasks, methods: Sequence[Method], seed: int = 0, effort: float = 1.0) -> Array:
    """ED by each method on every task, ``[method, task]``: what several methods need is computed once."""
    if all(not m.has("missing") or m["missing"] == "unknown" for m in methods):  # absent items make no difference
        tasks = replace(tasks, parts=tuple(padded(tasks.parts)))
    return tasks.each(lambda part: _of_all(part, methods, seed, effort))


def _of_all(part: Stack, methods: Sequence[Method], seed: int, effort: float) -> Array:
    tasks, judges, _ = part.shape
    by_pairs = [OwnOrders(part.positions, part.counts).fits(m) for m in methods]
    each = np.full((len(methods), tasks, judges), np.nan)
    for k, m in enumerate(methods):
        if not by_pairs[k]:
            each[k] = differences(part.positions, part.counts, m, seed, effort=effort)
    step = max(1, CELLS // judges**2)
    for a in range(0, tasks if any(by_pairs) else 0, step):
        orders = OwnOrders(part.positions[a : a + step], part.counts[a : a + step])  # computes every two judges once
        for k in np.flatnonzero(by_pairs).tolist():
            each[k, a : a + step] = orders.by(methods[k])
    return np.stack([by_task(values, part.counts) for values in each])


@trust_method(
    "discriminativeness",
    range=(-math.inf, math.inf),  # up to 1, but for weighted correlation with its negative weights
    higher="good orders are told from bad ones more clearly",
    default=True,
    reference=REFERENCE,
    of=OF,
)
def discriminativeness(tasks: Tasks, options: Options, *, of: str = "all") -> Believed:
    """ED: how far apart a quality method scores a judge's order and its reverse, by the other judges."""
    methods = quality(of)
    tasks, fewer = tasks.fewer("ED", options)
    every, tasks = len(tasks), affordable(tasks, methods, options)
    keys: dict[str, list[Any]] = {"task": [], "of": []}
    values: list[float] = []
    overall = []
    for m, seen in zip(methods, of_all(tasks, methods, options.seed, options.effort), strict=True):
        keys["task"] += tasks.named
        keys["of"] += [str(m)] * len(seen)
        values += seen.tolist()
        overall.append(Overall(mean(seen), interval(tasks, seen, m, options), None, {"of": str(m)}))
    notes = fewer + sampled(tasks.parts, methods, "ED", options.seed, options.effort)
    if len(tasks) < every:
        notes += (f"ED: on {len(tasks)} of {every:,} tasks, drawn at random to be quick; `--effort 1` takes all",)
    return Believed(keys, values, overall, sentences=(_sentence(overall),), notes=notes)


def affordable(tasks: Tasks, methods: Sequence[Method], options: Options) -> Tasks:
    """All tasks; with less effort some of them, where that is slow."""
    if options.effort >= 1 or len(tasks) <= FEW:
        return tasks
    if all(_one_by_one(p.positions, p.counts, m) is None for p in tasks.parts for m in methods if by_patterns(m)):
        return tasks
    return tasks.some(FEW, stream(options.seed, "discriminativeness", "tasks"))


def interval(tasks: Tasks, seen: Array, m: Method, options: Options) -> Interval | None:
    """Over tasks; of one task over judges, each of whom counts twice: by the own order, and in scoring the others'."""
    rng = stream(options.seed, "discriminativeness", m)
    if len(tasks) > 1:
        return over_tasks(seen, rng, options, bounds(m))
    part = tasks.parts[0]
    if int(part.counts.sum()) < 3:
        return None
    each = differences(part.positions, part.counts, m, options.seed, effort=options.effort)
    drawn = resampled_counts(part.counts[0], rng, min(options.resamples, max(10**7 // part.shape[1], 100)))
    value, moved = float(seen[0]), by_task(np.broadcast_to(each, drawn.shape), drawn)
    units = int(part.counts.sum())
    return centred(value, value + 2 * (moved - value), options.level, "judges", units, bounds(m))


def _sentence(overall: list[Overall]) -> str:
    known = sorted((o for o in overall if not math.isnan(o.value)), key=lambda o: o.value)
    if not known:
        return "No quality method can be asked to tell good from bad: no two judges can be compared."
    best, least = known[-1], known[0]
    top, bottom = two(best.value), two(least.value)
    if len(known) == 1:
        side = "below" if best.value < 0 else "above"
        if top == "0.00":
            return f"{best.labels['of']} scores a judge's order and its reverse alike."
        return f"{best.labels['of']} scores a judge's order {two(abs(best.value))} {side} its reverse (1 at most)."
    if best.value < 0.005:
        gives = f"all give {top}" if top == bottom else f"{best.labels['of']} comes nearest, {top}"
        return f"No quality method scores a judge's order above its reverse: {gives}."
    if top == bottom:
        return f"Every quality method scores a judge's order {top} above its reverse (1 at most)."
    said = f"{best.labels['of']} scores a judge's order {top} above its reverse (1 at most), the most"
    return f"{said}; {least.labels['of']} the least, {bottom}."


def discriminate(rankings: Rankings, of: str = "frespa", *, seed: int = 0) -> float:
    """ED of a quality method on one task: its score of a judge's order less that of the reverse, by the other judges.

    1 when every judge's order gets the best score and its reverse the worst; about 0 among random orders.

    >>> round(discriminate(["abcd", "abdc", "bacd"], "average_correlation(measure=tau)"), 4)
    0.5556
    """
    task = one_task(rankings)
    chosen = quality(str(OF.check(of)))[0]
    return float(by_task(differences(task.positions, task.counts, chosen, seed), task.counts)[0])
