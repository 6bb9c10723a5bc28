"""FreSPA's parameters: what each of them changes, and which are best, told with a value that tuning has not flattered.

Tuning picks the settings with the highest discriminativeness on the panel itself, so the ED it reports is too good. The
nested value beside it is honest: the settings are picked without the task (or, of one task, without the judge) that
they are then tried on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, mean_interval, stream
from quorate.inference.results import Options, Overall
from quorate.orderings.believed import Tasks, mean, over_tasks, trust_method
from quorate.orderings.discriminate import REFERENCE, bounds, by_task, differences, of_stack, sampled
from quorate.orderings.nested import Alternatives, Nested, alternatives, quality
from quorate.orderings.noise import REPEATS, affordable, joined
from quorate.panel.stacks import Stack
from quorate.table import Method, number
from quorate.words.numbers import two

Array = NDArray[Any]
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
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
FRESPA = Nested("FreSPA, with the parameters that are not varied", every=False)
ONE = Alternatives("the quality method that is tuned; values of a parameter to try are separated by bars")
SETTINGS = 5000  # of a grid at most
MANY, TRIED = 30, 3  # items from which on every order's patterns are too many, and judges then tried, if noise joins


# -- what each parameter changes --------------------------------------------------------------------------------------


@trust_method(
    "sweep",
    range=(0, 2),
    higher="the parameter matters more",
    reference=f"{REFERENCE}.5",
    relabelling=False,
    of=FRESPA,
    ratio=number("random judges added for the noisy figures, as a share of the judges", 0),
    repeats=REPEATS,
)
def sweep(tasks: Tasks, options: Options, *, of: str = "frespa", ratio: float = 0.5, repeats: int = 2) -> Believed:
    """ED of FreSPA over the range of each of its parameters, on the panel as it is and with random judges added."""
    base, some = _frespa(of), affordable(tasks, repeats, options, (0.0, *(ratio for _ in SHARES)))
    noisy = [
        Tasks(some.names, tuple(joined(p, ratio, options.seed, k) for p in some.parts))
        for k in range(repeats if ratio else 0)
    ]
    keys: dict[str, list[Any]] = {"parameter": [], "setting": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"interval": [], "noisy": [], "noisy_interval": []}
    overall = []
    for done, (parameter, settings) in enumerate(SWEPT.items()):
        options.tell("sweep", done, len(SWEPT))
        found = []
        for setting in settings:
            clean = _at(some, base, parameter, setting, options.seed)
            few = TRIED if _all_patterns(some, parameter, setting) else None
            loud = [_at(more, base, parameter, setting, options.seed, few) for more in noisy]
            rng = stream(options.seed, "sweep", base, parameter, setting)
            keys["parameter"].append(parameter)
            keys["setting"].append(setting)
            values.append(mean(clean))
            details["interval"].append(_ends(over_tasks(clean, rng, options, bounds(base))))
            means = np.mean(loud, axis=0) if loud else np.array([])
            details["noisy"].append(mean(means))
            details["noisy_interval"].append(_ends(over_tasks(means, rng, options, bounds(base))))
            found.append((values[-1], setting, details["noisy"][-1]))
        overall.append(_span(parameter, found))
    best = max(overall, key=lambda o: -1 if math.isnan(o.value) else o.value)
    said = _say_most(best, base)
    notes = sampled(some.parts, [base], "sweep", options.seed)
    notes += () if len(some) == len(tasks) else (f"sweep: on {len(some)} of {len(tasks)} tasks, drawn at random",)
    if noisy and _all_patterns(some, "min_sup", 0.0):
        notes += (f"sweep: noisy ED at min_sup=0 is of {TRIED} judges' orders per task, drawn at random",)
    return Believed(keys, values, overall, details, (said,), notes)


def _all_patterns(tasks: Tasks, parameter: str, setting: float) -> bool:
    """Whether every pattern of every order counts, and some task has many items: then a judge takes seconds."""
    return parameter == "min_sup" and setting == 0 and max(p.shape[2] for p in tasks.parts) >= MANY


def _at(tasks: Tasks, base: Method, parameter: str, setting: float, seed: int, most: int | None = None) -> Array:
    """ED of every task with one parameter set, by so many judges' orders at most."""
    return tasks.each(lambda part: of_stack(part, _set(base, parameter, setting, part), seed, most))


def _set(base: Method, parameter: str, setting: float, part: Stack) -> Method:
    """The method with one parameter set; lengths are shares of the number of items, and 0 is the shortest pattern."""
    items = part.shape[2]
    if parameter == "max_len":  # below 2 no pattern is left, as in the paper's odd row of 0.25
        return base.with_(max_len=max(int(setting * items), 1) if setting else 2)
    if parameter == "min_len":
        return base.with_(min_len=max(int(setting * items), 2))
    return base.with_(**{parameter: setting})


def _say_most(best: Overall, base: Method) -> str:
    """Which parameter moves ED most, and what its best setting gives; '' where ED is undefined."""
    told = best.labels
    if math.isnan(best.value):
        return ""
    if two(best.value) == "0.00":
        return f"No parameter matters to {base.name}: ED is {two(told['ed'])} at every setting."
    return f"{told['parameter']} matters most to {base.name}: ED is highest, {two(told['ed'])}, at {told['best']:g}."


def _span(parameter: str, found: Sequence[tuple[float, float, float]]) -> Overall:
    known = [f for f in found if not math.isnan(f[0])] or [(math.nan, math.nan, math.nan)]
    best, least = max(known), min(known)
    loud = max(known, key=lambda f: -1 if math.isnan(f[2]) else f[2])
    labels = {"parameter": parameter, "best": best[1], "ed": best[0], "best_noisy": loud[1], "ed_noisy": loud[2]}
    return Overall(best[0] - least[0], None, None, labels)


def _ends(found: Interval | None) -> list[float] | None:
    return [found.low, found.high] if found else None


def _frespa(of: str) -> Method:
    base = quality(of)[0]
    lacking = [p for p in SWEPT if not base.has(p)]
    if lacking:
        raise BadParameter(f"{base.name} has no parameter '{lacking[0]}' to sweep.", "sweep is made for frespa.")
    return base


# -- which settings are best ------------------------------------------------------------------------------------------


@trust_method(
    "tune",
    range=(-math.inf, math.inf),
    higher="good orders are told from bad ones more clearly",
    reference=f"{REFERENCE}.2",
    of=ONE,
)
def tune(
    tasks: Tasks, options: Options, *, of: str = "frespa", grid: Mapping[str, Sequence[Any]] | None = None
) -> Believed:
    """ED of the settings picked without the task or judge that they are tried on; the settings that are best on all."""
    base, given = alternatives(of) if "|" in of else (quality(of)[0], grid)
    methods = list(settings_of(base, given))
    some = affordable(tasks, 1, options, [0.0] * max(len(methods) // 4, 1))
    single = len(some) == 1
    each = np.stack([_units(some, m, options.seed) for m in methods])  # [setting, task or judge]
    weight = some.parts[0].counts[0].astype(float) if single else np.ones(each.shape[1])
    means = _mean(each, weight)
    best = int(np.nanargmax(means)) if np.isfinite(means).any() else 0
    picked = _picked_without_judge(some.parts[0], methods, options.seed) if single else _picked_without_task(each)
    honest = each[picked, np.arange(each.shape[1])]
    rng = stream(options.seed, "tune", base)
    between = (
        mean_interval(
            np.repeat(honest, weight.astype(int)), rng, options.level, options.resamples, "judges", bounds(base)
        )
        if single
        else over_tasks(honest, rng, options, bounds(base))
    )
    untuned = float(_mean(_units(some, base, options.seed)[None], weight)[0])
    labels = {"best": str(methods[best]), "tuned": float(means[best]), "untuned": untuned}
    value = float(_mean(honest[None], weight)[0])
    said = (
        f"Tuned on the panel, {methods[best]} has ED {two(means[best])}; picked without what it is tried on, "
        f"{two(value)}; untuned, {two(untuned)}."
    )
    said = "" if math.isnan(value) else said  # one judge tells nothing
    keys = {"of": [str(m) for m in methods]}
    notes = sampled(some.parts, [methods[best]], "tune", options.seed)
    notes += () if len(some) == len(tasks) else (f"tune: on {len(some)} of {len(tasks)} tasks, drawn at random",)
    return Believed(keys, means.tolist(), [Overall(value, between, None, labels)], {}, (said,), notes)


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


def _units(tasks: Tasks, m: Method, seed: int) -> Array:
    """What ED is the mean of: a value per task, or of one task per judge."""
    if len(tasks) > 1:
        return tasks.each(lambda part: of_stack(part, m, seed))
    part = tasks.parts[0]
    return np.asarray(differences(part.positions, part.counts, m, seed)[0])


def _mean(each: Array, weight: Array) -> Array:
    return by_task(each, np.broadcast_to(weight, each.shape))


def _picked_without_task(each: Array) -> Array:
    """For each task the setting that is best on the others."""
    known = np.nan_to_num(each)
    return np.asarray(np.argmax(known.sum(axis=1, keepdims=True) - known, axis=0))


def _picked_without_judge(part: Stack, methods: Sequence[Method], seed: int) -> Array:
    """For each judge of one task the setting with the highest ED on the panel without that judge."""
    judges = part.shape[1]
    left = np.repeat(part.counts, judges, axis=0)
    left[np.arange(judges), np.arange(judges)] -= 1
    rankings = np.repeat(part.positions, judges, axis=0)
    seen = np.stack([by_task(differences(rankings, left, m, seed), left) for m in methods])
    return np.asarray(np.argmax(np.nan_to_num(seen, nan=-2.0), axis=0))
