"""How much of a quality method's discriminativeness is left when judges who order at random join the panel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.kernels.defined import quotient
from quorate.orderings.discriminativeness import (
    OF,
    OVER,
    REFERENCE,
    Differences,
    drawn_eds,
    estimate,
    fewer_judges,
    of_panels,
    on_some_tasks,
    quality_with_room,
    sampled,
)
from quorate.orderings.frespa import of_sets
from quorate.orderings.method_parameters import Steps, numbers
from quorate.orderings.simulate import random_orders
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.table import Method, Note, method, whole

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Estimate

USUAL = "0|0.25|0.5|0.75|1"
RATIOS = Steps("random judges added, as shares of the judges; the least and the most are compared", low=0.0)
COST = 15  # numbers looked at for two judges and a pair of items, about
FEWEST = 5  # tasks, however long they take
MANY = 100  # judges, from which on one draw of random orders is as good as several
ROWS = 5000  # random orders in one task at most; beyond, each stands for several judges: pairs of rows take room
REPEATS = whole("how often random orders are drawn")


def joined(part: Stack, ratio: float, rng: np.random.Generator, sets: bool = False) -> Stack:
    """The stack with so many random orders more, as a share of its judges; of ``sets`` as many items as they hold."""
    tasks, _, items = part.shape
    extra = [round(ratio * n) for n in part.counts.sum(axis=1).tolist()]
    most = min(max(extra), ROWS)
    if not most:
        return part
    noise = random_orders((tasks, most, items), rng).astype(part.positions.dtype)
    if sets:
        size = (part.positions > 0).sum(axis=2)[:, np.arange(most) % part.shape[1]]
        noise = np.where(noise <= size[:, :, None], noise, 0)
    each, rest = np.divmod(np.array(extra)[:, None], most)
    there = (each + (np.arange(most) < rest)).astype(part.counts.dtype)
    judge = np.concatenate([part.judges, np.full((tasks, most), -1)], axis=1)
    positions, counts = np.concatenate([part.positions, noise], axis=1), np.concatenate([part.counts, there], axis=1)
    return Stack(part.tasks, judge, part.items, positions, counts)


def with_noise(
    design: OrderingDesign, ratio: float, repeat: int, core: Core, methods: Sequence[Method] = ()
) -> OrderingDesign:
    """The panel with random judges: the same for every quality method, but for those of sets."""
    rng = core.stream("noise", ratio, repeat)
    sets = bool(methods) and all(of_sets(m) for m in methods)
    return replace(design, parts=tuple(joined(p, ratio, rng, sets) for p in design.parts))


def noisy(
    design: OrderingDesign, methods: Sequence[Method], ratio: float, repeats: int, core: Core
) -> list[list[Differences]]:
    """What own orders score with noise, by each method and in each repeat."""
    panels = [with_noise(design, ratio, k, core, methods) for k in range(repeats)] if ratio else [design]
    return of_panels(panels, methods, core)


def affordable(design: OrderingDesign, repeats: int, core: Core, ratios: Sequence[float]) -> OrderingDesign:
    """As many of the tasks as the budget has."""
    pairs = sum(p.shape[0] * p.shape[1] ** 2 * p.shape[2] ** 2 for p in design.parts) / len(design.tasks)
    work = COST * pairs * sum((1 + r) ** 2 * (repeats if r else 1) for r in ratios)
    return core.some_tasks(design, max(core.budget.tasks(work), FEWEST), "noise")


def _repeats(some: OrderingDesign, most: int, core: Core, ratios: Sequence[float]) -> int:
    """How often random orders are drawn: less often where tasks have so many items that it takes much too long."""
    work = sum(p.shape[0] * p.shape[1] ** 2 * float(p.shape[2]) ** 2 for p in some.parts)
    once = COST * work * sum((1 + r) ** 2 for r in ratios)
    return max((k for k in range(1, most + 1) if core.budget.affords(once, k)), default=1)


@method(
    "orderings",
    "trust",
    "noise",
    range=(-math.inf, math.inf),
    scale=(0.0, 1.0),
    higher="more is lost to noise",
    default=True,
    reference=REFERENCE,
    parameters={"of": OF, "repeats": REPEATS, "ratios": RATIOS},
    relabelling=False,  # the random orders fall on other items
    cost=lambda judges, items: COST * judges * 50,  # with five times as many judges, drawn five times
    note=Note(
        "Would the quality method survive careless judges?",
        "Random orders are the mildest bad judges: colluding or reversed ones hurt more.",
        "(ED - ED with r N random judges added) / ED, r the largest of the ratios",
    ),
)
def noise(design: OrderingDesign, core: Core, *, of: str = "all", repeats: int = 5, ratios: str = USUAL) -> Trusted:
    """The share of ED that is lost when as many judges who order at random join the panel; ED at each step."""
    ratio = numbers(ratios)
    large = any(p.counts.sum(axis=1).max() > ROWS for p in design.parts)
    if large or min(p.shape[1] for p in design.parts) >= MANY:
        repeats = 1
    over = core.over(design, *OVER, usual=design.over)
    compared, fewer = fewer_judges(design, "noise", core)
    some = affordable(compared, repeats, core, ratio)
    repeats = _repeats(some, repeats, core, ratio)
    methods, left = quality_with_room(of, some, "noise", core)
    steps = {}
    for done, r in enumerate(ratio):
        core.tell("noise", done, len(ratio))
        steps[r] = noisy(some, methods, r, repeats, core)
    keys: dict[str, list[Any]] = {"of": [], "ratio": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"interval": [], "repeats": []}
    for at, m in enumerate(methods):
        for r, each in steps.items():
            step = _at(each[at], some, m, r, over, core)
            keys["of"].append(str(m))
            keys["ratio"].append(r)
            values.append(float(step.value))
            details["interval"].append(step.interval and step.interval.ends)
            details["repeats"].append(len(each[at]))
    found = [_lost({r: each[at] for r, each in steps.items()}, some, m, over, core) for at, m in enumerate(methods)]
    notes = on_some_tasks("noise", some, design) + fewer + left
    if large:
        notes += (f"noise: at most {ROWS:,} random orders in a task; where more are due, each counts for several",)
    notes += sampled(core, with_noise(some, ratio[-1], 0, core, methods).parts, methods, "noise")
    return Trusted(keys, values, found, details, notes, {"tried": len(some.tasks), "tasks": len(design.tasks)})


def _at(
    each: Sequence[Differences], design: OrderingDesign, m: Method, ratio: float, over: str, core: Core
) -> Estimate:
    """ED at one step; of one task, unless judges are asked for, its interval is over the random orders drawn."""
    if len(design.tasks) > 1 or core.options.over:
        return estimate(each, design, m, over, core, "noise", m, ratio)
    values = np.array([d.by_task[0] for d in each])
    return core.figure(float(values.mean()), {}, core.middle(values, "repeats"))


def _lost(steps: dict[float, list[Differences]], design: OrderingDesign, m: Method, over: str, core: Core) -> Estimate:
    """The share of ED lost with the most noise, and the largest less the smallest ED."""
    seen = {r: np.mean([d.by_task for d in each], axis=0) for r, each in steps.items()}
    first, last = min(steps), max(steps)
    before, after = seen[first], seen[last]
    known = np.isfinite(before) & np.isfinite(after)
    number, judges = int(known.sum()), int(design.voters.sum())
    means = [float(each[known].mean()) if number else math.nan for each in seen.values()]
    lost = 1 - means[-1] / means[0] if means[0] > 0 else math.nan
    labels = {"of": str(m), "max-min": max(means) - min(means)}
    if over == "tasks" or (not core.options.over and len(design.tasks) == 1):
        tasks = core.drawn(number, 1.0, "noise", m)
        drawn = quotient(tasks @ after[known], tasks @ before[known])
        return core.figure(lost, labels, core.interval(lost, 1 - drawn, "tasks", number))
    if judges < 3:
        return core.figure(lost, labels)
    ends = [drawn_eds(steps[r], design, over, core, "noise", m) for r in (last, first)]  # on the same panels
    units = min(judges, number) if "tasks" in over else judges
    return core.figure(lost, labels, core.interval(lost, 1 - quotient(*ends), over, units))
