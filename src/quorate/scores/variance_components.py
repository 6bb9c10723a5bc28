"""Where the variance of scores comes from, and what follows: how far other judges, tasks or items would move them.

Every score is the sum of random effects of the judge, the task, the item, the system and their crossings; their
variances are estimated by moments from any design, complete or not. What a crossing with systems adds to the error of a
system's mean falls with the number of judges, tasks or items it is averaged over: so the components say what would help
most, and how many judges it takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import crossed, renumbered
from quorate.kernels.stepped_up import stepped_up
from quorate.kernels.variance_components import variance_components as moments
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.panel.score_moments import REST, ScoreMoments
from quorate.scores.majority import labels_needed
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note, number

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Interval

Array = NDArray[Any]
STEPS = 20  # of looking at a row for two components
LEAST = 0.001  # correlation of two judges below which any number of them is too few
JUDGES = 200  # left out in turn at most


def facets(made: OutputDesign) -> dict[str, Array]:
    """What scores differ by, of every row a code: judge, task, item, system, as far as there are several of each.

    Where task and system (or, without systems, task and item) tell units apart, items are no facet of their own.
    """
    unit = made.scores.unit
    found = {"judge": made.scores.judge, "task": made.scores.task[unit], made.called: made.system[unit]}
    if made.named and len(np.unique(crossed(made.scores.task, made.system))) < made.scores.size:
        found["item"] = crossed(made.scores.task, made.scores.item)[unit]
    return {name: codes for name, codes in found.items() if len(np.unique(codes)) > 1}


def crossings(of: Mapping[str, Array], rows: int) -> dict[tuple[str, ...], Array]:
    """The facets and their crossings that tell rows apart in different ways, by the facets in them.

    Items that lie within tasks are the same with the task as without; a crossing with one row each is what is left.
    """
    out: dict[tuple[str, ...], Array] = {}
    seen: list[tuple[Array, int]] = []
    for size in range(1, len(of) + 1):
        for names in combinations(of, size):
            codes = np.zeros(rows, np.int64)
            for name in names:
                codes = crossed(codes, of[name])
            number = int(codes.max(initial=-1)) + 1
            if number < rows and not any(k == number == len(np.unique(crossed(codes, c))) for c, k in seen):
                out[names] = codes
                seen.append((codes, number))
    return out


@trust_method(
    "variance_components",
    range=(0.0, 1.0),
    higher="more of the variance of scores comes from it",
    default=True,
    moments=True,
    reference="Henderson 1953, method 1; Gao and Owen 2017; Brennan 2001 for what follows from the components",
    note=Note(
        "Where do differences between scores come from, and what would help most: more judges, tasks or items?",
        "With two or three judges (or tasks) their share is hardly known: look at the interval. Shares are of the "
        "design as it is: judges who each did other tasks are told from tasks only as far as they overlap.",
        "score = mean + judge + task + item + system + crossings + rest, each random; variances by moments, those "
        "below 0 taken as 0, as shares of their sum",
    ),
)
def variance_components(made: OutputDesign, core: Core) -> Trusted:
    """The share of the scores' variance that comes from judges, tasks, items, systems and their crossings.

    A judge's severity moves all systems alike; what moves systems apart are crossings with the system. The error that
    these leave in a system's mean, and what twice as many judges, tasks or items would leave, is told beside it.
    """
    found = made.moments
    names = [*found.crossings, (REST,)]
    variance = found.variances()
    shares = _shares(variance)
    over, units, drawn = _drawn(made, len(names) - 1, core)
    again = _shares(drawn)
    estimates, called = [], [" x ".join(n) for n in names]
    for k, name in enumerate(called):
        inside = core.interval_of_share(float(shares[k]), again[:, k], over, units) if len(again) else None
        labels = {**made.labels, "component": name, "variance": float(variance[k])}
        estimates.append(core.figure(float(shares[k]), labels, inside))
    keys = {**labelled(made, len(called)), "component": called}
    about = _gains(found, dict(zip(names, variance.tolist(), strict=True)))
    return Trusted(
        keys, shares.tolist(), estimates, {"variance": variance.tolist()}, about={**about, "drawn": len(again)}
    )


def _shares(variance: Array) -> Array:
    """Variances as shares of their sum, those below 0 taken as 0; NaN stays."""
    held = np.maximum(variance, 0.0)
    total = np.nansum(held, axis=-1, keepdims=True)
    return quotient(held, total)


def _drawn(made: OutputDesign, number: int, core: Core) -> tuple[str, int, Array]:
    """What is drawn, how many units of it there are (of two crossed the fewer), and the components in every draw.

    Judges and inputs are drawn together, so that the shares speak of other judges on other tasks; or as options say.
    """
    over = made.drawn_as(core.options.over or "tasksxjudges")
    work = float(STEPS * made.moments.scores * (number + 2) ** 2)
    none = made.called_over(over), 0, np.zeros((0, number + 1))
    if not core.options.resamples or not core.budget.affords(work):
        return none
    units = {n: code for n, code in units_of(made, over).items() if core.options.over or code.max(initial=0) > 0}
    over = made.called_over("x".join(units))
    if not units or any(code.max(initial=0) < 1 for code in units.values()):
        return none
    scores, factors = made.scores, list(crossings(facets(made), len(made.scores)).values())
    sizes = [int(code.max()) + 1 for code in units.values()]
    often = core.drawn_each(dict(zip(units, sizes, strict=True)), work, "components")
    return over, min(sizes), moments(scores.value, factors, list(zip(units.values(), often, strict=True)))


def units_of(made: OutputDesign, over: str) -> dict[str, Array]:
    """What is drawn, by name: the unit of every row, numbered from 0."""
    scores = made.scores
    system, item = made.system[scores.unit], scores.unit if made.named else made.system[scores.unit]
    every = {"tasks": made.input[scores.unit], "judges": scores.judge, "items": item, "systems": system}
    return {name: renumbered(every[name]) for name in over.split("x")}


def _gains(found: ScoreMoments, variance: Mapping[Any, float]) -> dict[str, Any]:
    """How reliable systems' means are, and by how much twice as many judges, tasks or items would cut their error."""
    true = max(variance.get((found.called,), 0.0), 0.0)
    left = {n: max(variance[n], 0.0) * stays for n, stays in found.errors().items()}
    left = {n: v for n, v in left.items() if not math.isnan(v)}
    error = sum(left.values())
    if not error > 0 or math.isnan(true):
        return {"reliability": math.nan, "gains": {}}
    apart = {found.called, *(("task",) if found.within_tasks else ())}
    facets_ = dict.fromkeys(n for names in found.crossings for n in names if n not in apart)
    inside = {n: f"{n}s" for n in facets_}
    halved = {
        name: sum(v for names, v in left.items() if n in names or names == (REST,)) / 2 for n, name in inside.items()
    }
    return {
        "reliability": true / (true + error),
        "gains": {name: v / error for name, v in halved.items()},
        "error": math.sqrt(error),
    }


def from_task_to_task(made: OutputDesign) -> float:
    """How far the level of a system spreads from task to task, judges' noise left out; NaN of a single task."""
    found = crossings(facets(made), len(made.scores))
    if len(made.tasks) < 2 or made.by != "tasks":
        return math.nan
    variance = dict(zip(found, moments(made.scores.value, list(found.values()))[0].tolist(), strict=False))
    parts = [v for n, v in variance.items() if set(n) in ({"task"}, {"task", made.called})]
    return math.sqrt(max(sum(v for v in parts if not math.isnan(v)), 0.0)) if parts else math.nan


# -- other panels of judges --------------------------------------------------------------------------------------------


def one_judge(made: OutputDesign, core: Core) -> tuple[float, Interval | None]:
    """What two judges' scores of the units correlate, their levels apart, and its interval: each judge left out.

    Where other units are to be drawn, they are.
    """
    variances, judges = made.moments.pair_components()
    if not judges:
        return math.nan, None
    value, *others = _between_units(variances).tolist()
    over = made.drawn_as(core.options.over or "judges")
    if not core.options.resamples or not 0 < value < 1:
        return value, None
    if over == "judges":
        if not 2 < judges <= JUDGES:
            return value, None
        without = np.array(others)
        logit = np.log(np.clip(without, LEAST, 1 - 1e-9) / (1 - np.clip(without, LEAST, 1 - 1e-9)))
        return value, core.jackknife_between(value, logit, over)
    units = made.scores
    shared = units.some(np.flatnonzero(units.per_unit > 1))
    kept = units.per_unit[units.unit] > 1
    drawn = [renumbered(code[kept]) for code in units_of(made, over).values()]
    sizes = [int(code.max(initial=-1)) + 1 for code in drawn]
    if min(sizes) < 2:
        return value, None
    work = float(STEPS * len(shared) * 16)
    often = core.drawn_each(dict(enumerate(sizes)), work, "one judge")
    factors = [shared.unit, shared.judge]
    again = _between_units(moments(shared.value, factors, list(zip(drawn, often, strict=True))))
    return value, core.interval_of_share(value, np.clip(again, 0.0, 1.0), made.called_over(over), min(sizes))


def _between_units(variance: Array) -> Array:
    """The variance between units, the first, as a share of it and of what is left, the third; ``[draw]``."""
    level, rest = variance[:, 0], np.maximum(variance[:, 2], 0.0)
    return np.clip(quotient(level, level + rest), -1.0, 1.0)


def wanted(r: float, target: float) -> float:
    """How many judges bring two panels to the target; NaN where no number does that anybody would ask.

    >>> wanted(0.5, 0.9), wanted(0.0, 0.9)
    (9, nan)
    """
    return max(math.ceil(target * (1 - r) / (r * (1 - target)) - 1e-9), 1) if r > LEAST else math.nan


@trust_method(
    "split_half",
    range=(-1.0, 1.0),
    scale=(0.0, 1.0),
    higher="another panel of such judges would say the same",
    default=True,
    moments=True,
    reference="Spearman 1910; Brown 1910",
    note=Note(
        "Reliability of the items' means in one number.",
        "Of these items: among others that differ less it is lower. Judges are taken as exchangeable.",
        "k r / (1 + (k - 1) |r|), r the share of variance between items when a judge's severity is taken out, k the "
        "mean number of judges of an item: what all random halves, stepped up, give on average",
    ),
)
def split_half(made: OutputDesign, core: Core) -> Trusted:
    """What the items' means by another panel of as many such judges would correlate with these (Pearson)."""
    r, inside = one_judge(made, core)
    judges = made.moments.judges_per_item
    ends = None if inside is None else core.changed(inside, partial(stepped_up, times=judges))
    value = float(stepped_up(r, judges))
    found = core.figure(value, {**made.labels, "one_judge": r, "judges_per_item": judges}, ends)
    return Trusted(labelled(made, 1), [value], [found], about={"judges_per_item": judges})


@trust_method(
    "judges_needed",
    range=(1.0, math.inf),
    higher="more judges are needed",
    default=True,
    moments=True,
    reference="Spearman 1910; Brown 1910",
    target=number(
        "correlation of two panels' item means, or share of labels that are those of all", 0, 0.999, open_low=True
    ),
    note=Note(
        "Planning: how many judges an item until another panel would say the same?",
        "An extrapolation from the judges at hand: with few of them the interval is wide, or has no end.",
        "scores: k = target (1 - r) / (r (1 - target)), r what two judges correlate; labels: the smallest k of whom "
        "most give the label that most judges would, on so large a share of items",
    ),
)
def judges_needed(made: OutputDesign, core: Core, target: float = 0.9) -> Trusted:
    """Judges it takes until another panel's item means correlate as wanted; of labels, until majorities are right."""
    if made.labelled:
        return labels_needed(made, core, target)
    r, inside = one_judge(made, core)
    ends = None if inside is None else core.changed(inside, lambda x: wanted(x, target) if x > LEAST else math.inf)
    if ends is None and core.options.resamples and 0 < r < 1 and made.moments.pair_components()[1] == 2:
        ends = core.ends(1.0, math.inf, "judges")
    labels = {**made.labels, "target": target, "one_judge": r, "judges_per_item": made.moments.judges_per_item}
    found = core.figure(wanted(r, target), labels, ends)
    known = math.isfinite(found.value)
    most = int(min(max(found.value if known else 0, made.moments.most_judges), 10_000))
    numbers = sorted({min(round(1.4**k), most) for k in range(60) if round(1.4**k) < 2 * most}) if known else []
    keys = {**labelled(made, len(numbers)), "judges": numbers}
    return Trusted(keys, [float(stepped_up(r, k)) for k in numbers], [found], about=labels)
