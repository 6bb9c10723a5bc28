"""FreSPA's parameters: what each of them changes, and which are best, told with a value that tuning has not flattered.

Tuning picks the settings with the highest discriminativeness on the panel itself, so the ED it reports is too good. The
nested value beside it is honest: the settings are picked without the task (or, of one task, without the judge) that
they are then tried on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.orderings.discriminativeness import (
    OVER,
    REFERENCE,
    Differences,
    by_task,
    differences,
    drawn_eds,
    estimate,
    of_each,
    on_some_tasks,
    sampled,
    tried,
)
from quorate.orderings.method_parameters import Alternatives, Steps, alternatives, as_absent, numbers, quality
from quorate.orderings.noise import REPEATS, affordable, with_noise
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.panel.task_design import only
from quorate.table import Method, Note, method, number

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Estimate

Array = NDArray[Any]
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
USUAL = "0|0.25|0.5|0.75|1"  # the same as a text
SWEPT: Mapping[str, tuple[float, ...]] = {
    "w_len": WEIGHTS,
    "w_sup": WEIGHTS,
    "max_len": SHARES,  # of the number of items
    "min_len": SHARES,
    "min_sup": SHARES,
}
GRID: Mapping[str, tuple[Any, ...]] = {
    "min_sup": (0.25, 0.5, 0.75, 1.0),
    "max_len": (None, 2),
    "w_len": (0.0, 1.0, 10.0),
    "w_sup": (0.0, 1.0, 10.0),
}
SWEPT_OF = Alternatives("FreSPA with what is not varied; or any method, values to try separated by bars")
LENGTHS = Steps("of the usual ranges, those of max_len and min_len: shares of a task's items", low=0.0, high=1.0)
ONE = Alternatives("the quality method that is tuned; values of a parameter to try are separated by bars")
SETTINGS = 5000  # of a grid at most
DIGITS = 12  # beyond which two EDs are the same: of equal ones the first setting is named
MANY, TRIED = 30, 3  # items from which on every order's patterns are too many, and judges then tried, if noise joins


# -- what each parameter changes --------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "sweep",
    range=(0, 2),
    higher="the parameter matters more",
    reference=f"{REFERENCE}.5",
    parameters={
        "of": SWEPT_OF,
        "ratio": number("random judges added for the noisy figures, as a share of the judges", 0),
        "repeats": REPEATS,
        "lengths": LENGTHS,
    },
    relabelling=False,
    cost=lambda judges, items: 1000.0 * judges,  # 35 settings, each with noise and without
    note=Note(
        "Does the verdict hang on a parameter of FreSPA?",
        "Random judges are drawn, so small differences between settings are noise.",
        "largest less smallest ED over the range of each parameter",
    ),
)
def sweep(
    design: OrderingDesign,
    core: Core,
    *,
    of: str = "frespa",
    ratio: float = 0.5,
    repeats: int = 2,
    lengths: str = USUAL,
) -> Trusted:
    """ED of FreSPA over the range of each of its parameters, on the panel as it is and with random judges added.

    ``of=frespa(w_len=0|1|10; max_len=2|3)`` has ranges of its own, and leaves the other parameters as they are.
    """
    over = core.over(design, *OVER, usual=design.over)
    base, swept = _ranges(of, lengths)
    shares = "|" not in of
    some = affordable(design, repeats, core, (0.0, *(ratio for _ in SHARES)))
    noisy = [with_noise(some, ratio, k, core, [base]) for k in range(repeats if ratio else 0)]
    keys: dict[str, list[Any]] = {"parameter": [], "setting": []}
    details: dict[str, list[Any]] = {"interval": [], **({"noisy": [], "noisy_interval": []} if noisy else {})}
    # A number alone does not tell 1.0, all judges, from 1, one judge.
    plain = shares or all(base.declaration.parameters[p].type != "quorum" and _numeric(v) for p, v in swept.items())
    values: list[float] = []
    spans = []
    for done, (parameter, settings) in enumerate(swept.items()):
        core.tell("sweep", done, len(swept))
        found, differences = [], []
        for setting in settings:
            few = TRIED if _all_patterns(some, parameter, setting) else None
            each = [
                _at(panel, base, parameter, setting, core, shares, few if k else None)
                for k, panel in enumerate((some, *noisy))
            ]
            names = "sweep", base, parameter, setting
            clean = estimate(each[:1], some, base, over, core, *names)
            loud = estimate(each[1:], some, base, over, core, *names) if noisy else None
            keys["parameter"].append(parameter)
            keys["setting"].append(setting if plain else base.declaration.parameters[parameter].write(setting))
            found.append((float(clean.value), keys["setting"][-1], float(loud.value) if loud else math.nan))
            differences.append(each[0])
            values.append(found[-1][0])
            details["interval"].append(clean.interval and clean.interval.ends)
            if loud:
                details["noisy"].append(found[-1][2])
                details["noisy_interval"].append(loud.interval and loud.interval.ends)
        spans.append(_span(parameter, found, differences, some, over, core))
    notes = sampled(core, some.parts, [base], "sweep") + on_some_tasks("sweep", some, design)
    if noisy and any(_all_patterns(some, "min_sup", s) for s in swept.get("min_sup", ())):
        notes += (f"sweep: noisy ED at min_sup=0 is of {TRIED} judges' orders per task, drawn at random",)
    return Trusted(keys, values, spans, details, notes, {"shares": shares})


def _all_patterns(design: OrderingDesign, parameter: str, setting: Any) -> bool:
    """Whether every pattern of every order counts, and some task has many items: then a judge takes seconds."""
    return parameter == "min_sup" and setting == 0 and max(p.shape[2] for p in design.parts) >= MANY


def _at(
    design: OrderingDesign,
    base: Method,
    parameter: str,
    setting: Any,
    core: Core,
    shares: bool,
    most: int | None = None,
) -> Differences:
    """What own orders score with one parameter set, of so many judges at most; lengths may be shares of the items."""
    if not shares:
        return of_each(design, lambda part: base.with_(**{parameter: setting}), core, most)
    return of_each(design, lambda part: _set(base, parameter, setting, part), core, most)


def _set(base: Method, parameter: str, setting: float, part: Stack) -> Method:
    """The method with one parameter set; lengths are shares of the number of items, and 0 is the shortest pattern."""
    items = part.shape[2]
    if parameter == "max_len":  # below 2 no pattern is left, as in the paper's odd row of 0.25
        return base.with_(max_len=max(int(setting * items), 1) if setting else 2)
    if parameter == "min_len":
        return base.with_(min_len=max(int(setting * items), 2))
    return base.with_(**{parameter: setting})


def _span(
    parameter: str,
    found: Sequence[tuple[float, Any, float]],
    each: Sequence[Differences],
    design: OrderingDesign,
    over: str,
    core: Core,
) -> Estimate:
    """The best setting's ED less the least one's, with the interval of that difference."""
    known = [f for f in found if not math.isnan(f[0])] or [(math.nan, math.nan, math.nan)]
    best, least = max(known, key=lambda f: round(f[0], DIGITS)), min(known, key=lambda f: round(f[0], DIGITS))
    loud = max(known, key=lambda f: -1 if math.isnan(f[2]) else round(f[2], DIGITS))
    labels = {"parameter": parameter, "best": best[1], "ed": best[0]}
    labels |= {} if math.isnan(loud[2]) else {"best_noisy": loud[1], "ed_noisy": loud[2]}
    if best[0] <= least[0] or math.isnan(best[0]):
        return core.figure(best[0] - least[0], labels)
    first, last = each[found.index(best)], each[found.index(least)]
    if over == "tasks":
        apart = core.mean(first.by_task - last.by_task, "sweep", parameter, range=(-2.0, 2.0))
        return core.figure(best[0] - least[0], labels, apart.interval)
    high, low = (drawn_eds([some], design, over, core, "sweep", parameter) for some in (first, last))  # the same panels
    judges, tasks = int(design.voters.sum()), len(design.tasks)
    units = min(judges, tasks) if "tasks" in over else judges
    between = core.interval(best[0] - least[0], high - low, over, units, (-2.0, 2.0)) if judges > 2 else None
    return core.figure(best[0] - least[0], labels, between)


def _numeric(settings: Sequence[Any]) -> bool:
    return all(isinstance(s, int | float) for s in settings)


def _ranges(of: str, lengths: str) -> tuple[Method, Mapping[str, Sequence[Any]]]:
    """The method that is swept, and the settings of each parameter: those given, or FreSPA's usual ones."""
    if "|" in of:
        if lengths != USUAL:
            raise BadParameter("lengths are of the usual ranges.", f"leave them out: {of} has ranges of its own.")
        return alternatives(of)
    base = quality(of)[0]
    lacking = [p for p in SWEPT if not base.has(p)]
    if lacking:
        hint = f"say what to try, as in sweep(of={base.name}(...=a|b)); alone, sweep is made for frespa."
        raise BadParameter(f"{base.name} has no parameter '{lacking[0]}' to sweep.", hint)
    return base, {**SWEPT, "max_len": numbers(lengths), "min_len": numbers(lengths)}


# -- which settings are best ------------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "tune",
    range=(-math.inf, math.inf),
    higher="good orders are told from bad ones more clearly",
    reference=f"{REFERENCE}.2",
    parameters={"of": ONE},
    relabelling=True,
    cost=lambda judges, items: 500.0 * judges,  # 72 settings
    note=Note(
        "Choosing FreSPA's parameters with an honest estimate of what they are worth.",
        "Settings chosen on one panel need not be best on another; the nested figure is the one to report.",
        "ED on the task (or judge) left out, of the settings with the largest ED on the others",
    ),
)
def tune(
    design: OrderingDesign, core: Core, *, of: str = "frespa", grid: Mapping[str, Sequence[Any]] | None = None
) -> Trusted:
    """ED of the settings picked without the task or judge that they are tried on; the settings that are best on all."""
    over = core.over(design, *OVER, usual=design.over)
    base, given = alternatives(of) if "|" in of else (quality(of)[0], grid)
    base = as_absent(base, design)
    methods = list(settings_of(base, given))
    some = affordable(design, 1, core, [0.0] * max(len(methods) // 4, 1))
    each = [_of(some, m, core) for m in methods]
    means = np.array([float(core.brief.mean(d.by_task).value) for d in each])
    best = int(np.nanargmax(means)) if np.isfinite(means).any() else 0
    untuned = float(core.brief.mean(_of(some, base, core).by_task).value)
    labels = {"best": str(methods[best]), "tuned": float(means[best]), "untuned": untuned}
    nested = estimate([_honest(some, each, methods, core)], some, base, over, core, "tune", base, **labels)
    notes = sampled(core, some.parts, [methods[best]], "tune") + on_some_tasks("tune", some, design)
    return Trusted({"of": [str(m) for m in methods]}, means.tolist(), [nested], notes=notes)


def _of(design: OrderingDesign, m: Method, core: Core) -> Differences:
    return of_each(design, lambda part: m, core)


def _honest(design: OrderingDesign, each: Sequence[Differences], methods: Sequence[Method], core: Core) -> Differences:
    """What own orders score by the settings picked without the task, or of one task without the judge."""
    if len(design.tasks) == 1:
        part = design.parts[0]
        picked = _picked_without_judge(part, methods, core)
        values = np.stack([d.parts[0][1][0] for d in each])
        return Differences([(part, values[picked, np.arange(len(picked))][None])])
    picked = _picked_without_task(np.stack([d.by_task for d in each]))
    parts = []
    for k, part in enumerate(design.parts):
        values = np.stack([d.parts[k][1] for d in each])
        parts.append((part, values[picked[part.tasks], np.arange(len(part.tasks))]))
    return Differences(parts)


def settings_of(base: Method, grid: Mapping[str, Sequence[Any]] | None = None) -> Iterator[Method]:
    """The method with every combination of settings of the grid; by default FreSPA's grid, or each correlation."""
    if grid is None:
        grid = {n: v for n, v in GRID.items() if base.has(n)}
        if base.has("measure"):
            grid = {"measure": base.declaration.parameters["measure"].choices}
    size = math.prod(len(values) for values in grid.values())
    if size > SETTINGS:
        raise BadParameter(f"the grid has {size:,} settings.", f"{SETTINGS:,} can be tried; give fewer values.")
    for chosen in itertools.product(*grid.values()):
        yield base.with_(**dict(zip(grid, chosen, strict=True)))


def _picked_without_task(each: Array) -> Array:
    """For each task the setting that is best on the others."""
    known = np.nan_to_num(each)
    return np.asarray(np.argmax(known.sum(axis=1, keepdims=True) - known, axis=0))


def _picked_without_judge(part: Stack, methods: Sequence[Method], core: Core) -> Array:
    """For each judge of one task the setting with the highest ED on the panel without that judge."""
    judges = part.shape[1]
    left = np.repeat(part.counts, judges, axis=0) - np.eye(judges, dtype=part.counts.dtype)
    without = replace(only(part, np.zeros(judges, np.int64)), counts=left)
    seen = np.stack([_ed_of(without, m, core) for m in methods])
    return np.asarray(np.argmax(np.nan_to_num(seen, nan=-2.0), axis=0))


def _ed_of(part: Stack, m: Method, core: Core) -> Array:
    """ED of every task of a part."""
    choose = partial(tried, core)
    return by_task(differences(part.positions, part.counts, m, core.options.seed, choose), part.counts)
