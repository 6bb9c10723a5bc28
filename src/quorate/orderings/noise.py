"""How much of a quality method's discriminativeness is left when judges who order at random join the panel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, percentiles, stream
from quorate.inference.results import Options, Overall
from quorate.orderings.believed import Tasks, mean, over_tasks, ratio_interval, trust_method
from quorate.orderings.discriminate import OF, REFERENCE, bounds, of_all, sampled
from quorate.orderings.nested import quality
from quorate.orderings.simulate import random_orders
from quorate.panel.stacks import Stack
from quorate.table import Method, whole

Array = NDArray[Any]
RATIOS = (0.0, 0.25, 0.5, 0.75, 1.0)
WORK = 2 * 10**7  # judge x item-pair comparisons for one quality method, about; more tasks than that allows are sampled
FEWEST = 5  # tasks
MANY = 100  # judges, from which on one draw of random orders is as good as several
ROWS = 5000  # random orders in one task at most; beyond, each stands for several judges: pairs of rows take room
REPEATS = whole("how often the random orders are drawn anew")


def joined(part: Stack, ratio: float, seed: int, repeat: int) -> Stack:
    """The stack with so many random orders more, as a share of its judges: the same for every quality method."""
    tasks, _, items = part.shape
    extra = [round(ratio * n) for n in part.counts.sum(axis=1).tolist()]
    most = min(max(extra), ROWS)
    if not most:
        return part
    # Every task has a stream of its own, so that leaving out a task leaves the others' noise as it was.
    noise = np.concatenate(
        [random_orders((1, most, items), stream(seed, "noise", int(t), ratio, repeat)) for t in part.tasks]
    )
    positions = np.concatenate([part.positions, noise.astype(part.positions.dtype)], axis=1)
    each, rest = np.divmod(np.array(extra)[:, None], most)
    there = (each + (np.arange(most) < rest)).astype(part.counts.dtype)
    judge = np.concatenate([part.judges, np.full((tasks, most), -1)], axis=1)
    return Stack(part.tasks, judge, part.items, positions, np.concatenate([part.counts, there], axis=1))


def noisy(tasks: Tasks, methods: Sequence[Method], ratio: float, repeats: int, seed: int, effort: float = 1.0) -> Array:
    """ED with noise by each method, ``[method, repeat, task]``; all methods see the same random orders."""
    if ratio == 0:
        return of_all(tasks, methods, seed, effort)[:, None]
    drawn = (replace(tasks, parts=tuple(joined(p, ratio, seed, k) for p in tasks.parts)) for k in range(repeats))
    return np.stack([of_all(noisy_tasks, methods, seed, effort) for noisy_tasks in drawn], axis=1)


def affordable(tasks: Tasks, repeats: int, options: Options, ratios: Sequence[float] = RATIOS) -> Tasks:
    """As many of the tasks as can be looked at in reasonable time."""
    one = sum(p.shape[0] * p.shape[1] ** 2 * p.shape[2] ** 2 for p in tasks.parts) / len(tasks)
    each = one * sum((1 + r) ** 2 * (repeats if r else 1) for r in ratios)
    if options.effort < 1:  # as many at the least: with one draw of random orders each, tasks tell more than repeats
        return tasks.some(max(int(WORK * options.effort / each), FEWEST), stream(options.seed, "noise", "tasks"))
    return tasks.some(max(int(WORK / each), FEWEST), stream(options.seed, "noise", "tasks"))


@trust_method(
    "noise",
    range=(-math.inf, math.inf),
    higher="more is lost to noise",
    default=True,
    reference=REFERENCE,
    relabelling=False,  # the random orders fall on other items
    of=OF,
    repeats=REPEATS,
)
def noise(tasks: Tasks, options: Options, *, of: str = "all", repeats: int = 5) -> Believed:
    """The share of ED that is lost when as many judges who order at random join the panel; ED at each step."""
    large = any(p.counts.sum(axis=1).max() > ROWS for p in tasks.parts)
    if large or min(p.shape[1] for p in tasks.parts) >= MANY:
        repeats = 1
    tasks, fewer = tasks.fewer("noise", options)
    methods, some = quality(of), affordable(tasks, repeats, options)
    keys: dict[str, list[Any]] = {"of": [], "ratio": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"interval": [], "repeats": []}
    overall = []
    steps = {}
    for done, r in enumerate(RATIOS):
        options.tell("noise", done, len(RATIOS))
        steps[r] = noisy(some, methods, r, repeats, options.seed, options.effort)
    for at, m in enumerate(methods):
        seen = {r: each[at] for r, each in steps.items()}
        for r, each in seen.items():
            keys["of"].append(str(m))
            keys["ratio"].append(r)
            values.append(mean(each.mean(axis=0)))
            between = _interval(each, m, r, options)
            details["interval"].append([between.low, between.high] if between else None)
            details["repeats"].append(len(each))
        overall.append(_lost(seen, m, options))
    notes: tuple[str, ...] = (
        () if len(some) == len(tasks) else (f"noise: on {len(some)} of {len(tasks)} tasks, drawn at random",)
    )
    if large:
        notes += (f"noise: at most {ROWS:,} random orders in a task; where more are due, each counts for several",)
    most = [joined(p, RATIOS[-1], options.seed, 0) for p in some.parts]
    notes += fewer + sampled(most, methods, "noise", options.seed, options.effort)
    return Believed(keys, values, overall, details, (_sentence(overall),), notes)


def _interval(each: Array, m: Method, ratio: float, options: Options) -> Interval | None:
    """Over tasks; of one task over the random orders drawn."""
    rng = stream(options.seed, "noise", m, ratio)
    if each.shape[1] > 1:
        return over_tasks(each.mean(axis=0), rng, options, bounds(m))
    return percentiles(each[:, 0], options.level, "repeats")


def _lost(seen: dict[float, Array], m: Method, options: Options) -> Overall:
    """The share of ED lost with the most noise, and the largest less the smallest ED."""
    before, after = (seen[r].mean(axis=0) for r in (RATIOS[0], RATIOS[-1]))
    known = np.isfinite(before) & np.isfinite(after)
    means = [mean(seen[r].mean(axis=0)[known]) for r in RATIOS]
    lost = 1 - means[-1] / means[0] if means[0] > 0 else math.nan
    rng = stream(options.seed, "noise", m, "lost")
    kept = ratio_interval(after[known], before[known], rng, options)
    interval = Interval(1 - kept.high, 1 - kept.low, kept.level, kept.by, kept.resamples) if kept else None
    return Overall(
        lost, interval, None, {"of": str(m), "max-min": max(means) - min(means) if known.any() else math.nan}
    )


def _sentence(overall: list[Overall]) -> str:
    known = sorted((o for o in overall if not math.isnan(o.value)), key=lambda o: o.value)
    if not known:
        return ""
    first, last = (f"{_lost_share(o.value)} of that lead over the reverse" for o in (known[0], known[-1]))
    if len(known) > 1 and first == last:
        return f"With as many random judges again, every quality method loses {first}."
    said = f"With as many random judges again, {known[0].labels['of']} loses {first}"
    return said + (f", {known[-1].labels['of']} {_lost_share(known[-1].value)}." if len(known) > 1 else ".")


def _lost_share(value: float) -> str:
    """A share lost, in words where it is none or all: random judges may by luck add a little, or turn the order."""
    return "nothing" if value < 0.005 else "all" if value >= 0.995 else f"{value:.0%}"
