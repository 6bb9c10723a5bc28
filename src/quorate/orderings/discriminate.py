"""Discriminativeness (ED) of Kim, Zhai and Han: can a quality method tell a good order from a bad one?

Each judge's order is taken for a good one and its reverse for a bad one; both are scored against the *other* judges.
Scores are first brought to 0 ... 1, so that correlations and pattern weights compare.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.believed import Believed
from quorate.kernels import left_out
from quorate.kernels.without import ratio
from quorate.orderings.believed import Tasks, mean, over_tasks, trust_method
from quorate.orderings.measured import Rankings, need, one_task
from quorate.orderings.nested import Nested, quality
from quorate.resample import Interval, percentiles, resampled_counts, stream
from quorate.results import Options, Overall
from quorate.stacks import Stack
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 21  # of [judge left out, judge, item] arrays at a time
WORK = 5 * 10**7  # judge x item-pair comparisons for the ED of a stack; more judges than that allows are sampled
OF = Nested("the quality method that is to be trusted")
REFERENCE = "Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists, section 5"


def backwards(positions: Array) -> Array:
    """Every order reversed: ties stay ties, absent items stay absent."""
    return np.where(positions > 0, positions.max(axis=-1, keepdims=True) + 1 - positions, 0)


def differences(positions: Array, counts: Array, method: Method) -> Array:
    """The score of each judge's order less that of its reverse, by the others, ``[task, judge]``; NaN if undefined.

    Of a row that stands for many judges one is taken out. Rows with a count of 0 are not judges, and undefined.
    """
    tasks, judges, items = positions.shape
    at_once = _at_once(positions, counts, method)
    if at_once is not None:
        return at_once
    out = np.full((tasks, judges), np.nan)
    t, j = np.nonzero(tried(counts, items))
    step = max(1, CELLS // max(judges * items, 1))
    for a in range(0, len(t), step):
        task, judge = t[a : a + step], j[a : a + step]
        left = counts[task]
        left[np.arange(len(task)), judge] -= 1
        own = positions[task, judge]
        # One task: the same rankings each time, which the methods see and use.
        rankings = positions[task] if tasks > 1 else np.broadcast_to(positions, (len(task), judges, items))
        scores = method(rankings, left, np.stack([own, backwards(own)], axis=1), brief=True).values
        out[task, judge] = np.where(left.any(axis=1), scores[:, 0] - scores[:, 1], np.nan) / _width(method)
    return out


def _width(method: Method) -> float:
    """How far apart a method's best and worst score are; a weighted mean of correlations is taken for a correlation."""
    low, high = method.declaration.range
    return high - low if math.isfinite(high - low) else 2.0


def tried(counts: Array, items: int) -> Array:
    """Which judges' orders are tried, ``[task, judge]``: all, or of large panels some drawn at random."""
    tasks, judges = counts.shape
    most = max(WORK // max(tasks * judges * items * items, 1), 8)
    if most >= judges:
        return counts > 0
    key = np.where(counts > 0, stream(0, "tried", tasks, judges, items).random(counts.shape), 2.0)
    return (counts > 0) & (key <= np.sort(key, axis=1)[:, most - 1 : most])


def sampled(tasks: Tasks) -> tuple[str, ...]:
    """A note, where not all judges' orders are tried."""
    tries = [tried(p.counts, p.shape[2]) for p in tasks.parts]
    some, of = sum(int(t.sum()) for t in tries), sum(p.counts.size for p in tasks.parts)
    return (f"ED: the orders of {some:,} of {of:,} judges are tried, drawn at random",) if some < of else ()


def _at_once(positions: Array, counts: Array, method: Method) -> Array | None:
    """FreSPA of a small panel for all judges at once; None where that is not so."""
    if method.name != "frespa" or not (counts == 1).all():
        return None
    p: dict[str, Any] = method.parameters
    _, judges, items = positions.shape
    quorum = int(need(float(p["min_sup"]), counts[:1, 1:])[0])
    plain = p["min_len"] == 2 and (p["max_len"] is None or p["max_len"] >= items)
    if not plain or not left_out.fits(judges, items, quorum):
        return None
    forward, backward = left_out.scores(positions, quorum, p["w_len"], p["w_sup"])
    return forward - backward


def by_task(values: Array, counts: Array) -> Array:
    """The mean over judges where it is defined, ``[task]``."""
    weight = np.where(np.isnan(values), 0, counts)
    return ratio((np.nan_to_num(values) * weight).sum(axis=-1), weight.sum(axis=-1))


def of_stack(part: Stack, method: Method) -> Array:
    """ED of every task of a stack."""
    return by_task(differences(part.positions, part.counts, method), part.counts)


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
    keys: dict[str, list[Any]] = {"task": [], "of": []}
    values: list[float] = []
    overall = []
    for done, m in enumerate(methods):
        options.tell("discriminativeness", done, len(methods))
        seen = tasks.each(lambda part, m=m: of_stack(part, m))  # type: ignore[misc]
        keys["task"] += tasks.named
        keys["of"] += [str(m)] * len(seen)
        values += seen.tolist()
        overall.append(Overall(mean(seen), interval(tasks, seen, m, options), None, {"of": str(m)}))
    return Believed(keys, values, overall, sentences=(_sentence(overall),), notes=sampled(tasks))


def interval(tasks: Tasks, seen: Array, m: Method, options: Options) -> Interval | None:
    """Over tasks; of one task over the judges whose orders are told from their reverse."""
    rng = stream(options.seed, "discriminativeness", m)
    if len(tasks) > 1:
        return over_tasks(seen, rng, options)
    part = tasks.parts[0]
    if int(part.counts.sum()) < 3:
        return None
    each = differences(part.positions, part.counts, m)
    drawn = resampled_counts(part.counts[0], rng, min(options.resamples, max(10**7 // part.shape[1], 100)))
    return percentiles(by_task(np.broadcast_to(each, drawn.shape), drawn), options.level, "judges")


def _sentence(overall: list[Overall]) -> str:
    known = sorted((o for o in overall if not math.isnan(o.value)), key=lambda o: o.value)
    if not known:
        return "No quality method can be asked to tell good from bad: there is one judge only."
    best, least = known[-1], known[0]
    said = f"{best.labels['of']} scores a judge's order {best.value:.2f} above its reverse"
    if best is least:
        return said + " (of 1 at most)."
    return said + f" (of 1 at most), the most; {least.labels['of']} the least, {least.value:.2f}."


def discriminate(rankings: Rankings, of: str = "frespa") -> float:
    """ED of a quality method on one task: its score of a judge's order less that of the reverse, by the other judges.

    1 when every judge's order gets the best score and its reverse the worst; about 0 among random orders.

    >>> round(discriminate(["abcd", "abdc", "bacd"], "average_correlation(measure=tau)"), 4)
    0.5556
    """
    task = one_task(rankings)
    chosen = quality(str(OF.check(of)))[0]
    return float(by_task(differences(task.positions, task.counts, chosen), task.counts)[0])
