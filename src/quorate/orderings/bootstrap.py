"""How sure is any figure of a panel? The trust method `bootstrap`: the same method on resampled panels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.kernels.order_certainty import order_certainty
from quorate.orderings.method_parameters import NestedAny, anything, as_absent
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method, Note, choice, method, whole

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Estimate, Interval

Array = NDArray[Any]
NEAR = 1e-12  # values that differ by rounding alone are equal
FEWEST = 20  # panels that another trust method is asked of, however long each takes
NO_LIMIT = 1e9  # seconds, where the number of panels is given
OVER = ("judges", "tasks", "tasksxjudges")
OF_ONE = ("discriminativeness", "tune")  # whose figures are 1 at most, but for negative weights


@method(
    "orderings",
    "trust",
    "bootstrap",
    range=(-math.inf, math.inf),
    higher="whatever it means for the method",
    parameters={
        "of": NestedAny("the method in question, of any of the five questions", but="bootstrap", shown=True),
        "over": choice("what is drawn: judges (unless --over says otherwise), tasks, or both", *OVER, optional=True),
        "resamples": whole("panels drawn; none: as many as --resamples says and time allows", 2, optional=True),
    },
    relabelling=False,  # which judges are drawn depends on their order
    note=Note(
        "How far would any figure move with other judges or tasks like these?",
        "A resample has fewer different judges than the panel, so some figures shift; few judges give rough intervals.",
        "the method on panels drawn with replacement from the judges or tasks",
    ),
)
def bootstrap(
    design: OrderingDesign, core: Core, *, of: str = "kendall_w", over: str | None = None, resamples: int | None = None
) -> Trusted:
    """Any method on panels whose judges or tasks are resampled: where its figures lie, how often the first stays."""
    m, over = as_absent(anything(of), design), _over(design, core, over)
    if "tasks" in over and len(design.tasks) < 2:
        raise BadParameter(f"over={over} needs several tasks, the panel has one.", "write over=judges.")
    if "tasks" in over and m.question == "consensus":
        raise BadParameter("a task's consensus does not depend on the other tasks.", "write over=judges.")
    found = (
        _trust(design, m, core, over, resamples)
        if m.question == "trust"
        else ASKED[m.question](design, m, _drawing(core, over, resamples))
    )
    notes, number = list(found.notes), int(found.estimates[0].labels["resamples"])
    if all(e.interval is None for e in found.estimates) and int(design.judges_of_task.max()) < 3:
        notes.append("bootstrap: with fewer than three judges there is nothing to draw from")
    elif "judges" in over and (m.question == "trust" or m.declaration.properties.get("copies")):
        notes.append("bootstrap: a judge drawn twice agrees with himself; the interval is moved to make up for it")
    if resamples is None and 0 < number < core.options.resamples:
        wanted = core.options.resamples
        notes.append(f"bootstrap({m}): {number:,} panels are drawn, not {wanted:,}, to keep within the time")
    return replace(found, notes=tuple(notes))


def _over(design: OrderingDesign, core: Core, over: str | None) -> str:
    """What is drawn: as the method or the options say, which must not contradict each other; else judges."""
    asked = core.over(design, *OVER) if core.options.over else None
    if over and asked and over != asked:
        raise BadParameter(f"bootstrap(over={over}) and over={asked} contradict each other.", "say it once.")
    return over or asked or "judges"


def _drawing(core: Core, over: str, resamples: int | None) -> Core:
    """The core with what is drawn, and how often: so many panels, however long it takes, or as the budget has it."""
    if resamples is None:
        return replace(core, options=replace(core.options, over=over))
    return replace(core, options=replace(core.options, over=over, resamples=resamples, seconds=NO_LIMIT))


def _labels(m: Method, over: str | None, number: int, **more: Any) -> dict[str, Any]:
    return {"of": str(m), **more, "over": over, "resamples": number}


def _ends(found: Interval | None) -> list[float] | None:
    return found.ends if found else None


# -- one question each -------------------------------------------------------------------------------------------------


def _agreement(design: OrderingDesign, m: Method, core: Core) -> Trusted:
    """The mean over tasks; and, with other judges, every task of its own."""
    figures = core.figures(m, design)
    sample = figures.sample(core.options)
    between = figures.intervals(core.options, sample)[0]
    each: list[Interval | None] = [None] * len(figures.seen.array[0])
    if core.options.over == "judges":
        each = figures.each_row().intervals(core.options)
    whole = core.figure(float(figures.value[0]), _labels(m, core.options.over, len(sample[2])), between)
    keys = {"task": [design.tasks[t] for t in figures.seen.keys["task"].tolist()]}
    return Trusted(keys, figures.seen.array[0].tolist(), [whole], {"interval": [_ends(i) for i in each]})


def _judges(design: OrderingDesign, m: Method, core: Core) -> Trusted:
    return _each(core.figures(m, design), "judge", design.judges, "lowest", 1, core)


def _quality(design: OrderingDesign, m: Method, core: Core) -> Trusted:
    if design.beside is None:
        raise InputError(f"{m.name} is a quality method and needs systems.", "give their lists: --systems FILE.")
    return _each(core.figures(m, design.beside), "system", design.beside.systems, "first", -1, core)


def _each(figures: Any, kind: str, names: Sequence[Any], first: str, sign: int, core: Core) -> Trusted:
    """A figure for each judge or system, in order, with how often it is the lowest or the best."""
    m, value = figures.method, figures.value
    sample = figures.sample(core.options)
    limits = m.declaration.limits(m, figures.seen.details)
    between, drawn = figures.intervals(core.options, sample, limits), sample[2]
    key = np.where(np.isfinite(drawn), sign * drawn, np.inf)
    least = key.min(axis=1, keepdims=True)
    share = ((key <= least + NEAR) & np.isfinite(least)).mean(axis=0) if len(drawn) else np.full(len(value), np.nan)
    order = np.argsort(np.where(np.isfinite(value), sign * value, np.inf), kind="stable").tolist()
    found = []
    for k in order:
        labels = {kind: names[int(figures.keys[kind][k])], first: float(share[k])}
        found.append(core.figure(float(value[k]), _labels(m, core.options.over, len(drawn), **labels), between[k]))
    details = {"interval": [_ends(e.interval) for e in found], first: [e.labels[first] for e in found]}
    return Trusted({kind: [e.labels[kind] for e in found]}, [e.value for e in found], found, details)


def _trust(design: OrderingDesign, m: Method, core: Core, over: str, resamples: int | None) -> Trusted:
    """The figures of another trust method, each panel anew; and how often it picks the same settings, if it does."""
    if m.name == "sweep":  # noise has no part in the figures
        m = m.with_(ratio=0.0)
    number = resamples or min(core.options.resamples, max(core.budget.tasks(design.work_of(m)), FEWEST))
    first: Sequence[Estimate] = m(design, core.brief).estimates
    drawn, picked = np.full((number, len(first)), np.nan), []
    weights = core.bootstrap(design, over, number, core.stream("bootstrap", m, over))
    for k, panel in enumerate(design.drawn(weights)):
        core.tell("bootstrap", k, number)
        found: Sequence[Estimate] = m(panel, core.brief).estimates
        drawn[k] = [e.value for e in found]
        picked.append(found[0].labels.get("best"))
    number_of = {"tasks": len(design.tasks), "judges": int(design.voters.sum())}
    units = min(number_of[unit] for unit in over.split("x"))
    told = []
    for e, values in zip(first, drawn.T, strict=True):
        labels = _labels(m, over, number, figure=str(e.labels.get("of", e.labels.get("parameter", m.name))))
        if m.name == "tune":
            labels |= {"best": e.labels["best"], "stays": picked.count(e.labels["best"]) / max(number, 1)}
        between = _between(float(e.value), values, m, over, units, core) if over == "tasks" or units > 2 else None
        told.append(core.figure(e.value, labels, between))
    undefined = int((~np.isfinite(drawn)).any(axis=1).sum())
    notes = (f"bootstrap({m}): undefined on {undefined} of {number} panels drawn",) if undefined else ()
    keys = {"figure": [e.labels["figure"] for e in told]}
    return Trusted(keys, [float(e.value) for e in told], told, {"interval": [_ends(e.interval) for e in told]}, notes)


def _between(value: float, drawn: Array, m: Method, over: str, units: int, core: Core) -> Interval | None:
    """As in the answers themselves: around the value, since judges drawn twice agree with themselves."""
    low, high = m.declaration.range
    log = low >= 0 and high == math.inf and over == "judges"  # numbers of judges
    return core.interval(value, drawn, over, units, (low, max(1.0, value) if m.name in OF_ONE else high), log=log)


# -- consensus ---------------------------------------------------------------------------------------------------------


def _consensus(design: OrderingDesign, m: Method, core: Core) -> Trusted:
    """Each item's rank with other judges, and how often what is first stays first, first before second, and all."""
    number = core.budget.draws(design.work_of(m))
    rows: list[tuple[int, Any, float, list[float] | None, float]] = []
    stay = np.full((len(STAYS), len(design.tasks)), np.nan)
    for part in design.parts:
        for t, agreed in enumerate(m(*part.given, part.counts, brief=True)):
            task, own = int(part.tasks[t]), agreed.array
            core.tell("bootstrap", task, len(design.tasks))
            drawn = core.consensus(m, design, part, t, number)
            told = order_certainty(own, drawn, range(len(own)), core.options.level)
            between, first = told["rank_interval"] or {}, told["first"]
            if drawn is not None:
                stay[:, task] = [share(own, drawn) for share in STAYS.values()]
            for i in np.argsort(own, kind="stable").tolist():
                often = math.nan if first is None else first.get(str(i), 0.0)
                item = design.items[int(part.items[t, i])]
                rows.append((task, item, told["rank"][str(i)], between.get(str(i)), often))
    rows.sort(key=lambda row: row[0])
    tasks, items, values, intervals, firsts = (list(column) for column in zip(*rows, strict=True))
    found = [
        core.mean(shares, "bootstrap", m, name, range=(0, 1), labels=_labels(m, core.options.over, number, figure=name))
        for name, shares in zip(STAYS, stay, strict=True)
    ]
    keys = {"task": [design.tasks[t] for t in tasks], "item": items}
    return Trusted(keys, values, found, {"interval": intervals, "first": firsts})


def _top(own: Array, drawn: Array) -> float:
    """The share of panels in which all that is first is still first."""
    return float((drawn[:, own == 1] == 1).all(axis=1).mean())


def _two(own: Array, drawn: Array) -> float:
    """The share in which what is first still comes before what is second; undefined where all is tied."""
    first, second = drawn[:, own == 1], drawn[:, own == 2]
    return float((first.max(axis=1) < second.min(axis=1)).mean()) if second.shape[1] else math.nan


def _all(own: Array, drawn: Array) -> float:
    """The share in which the whole order is the same, ties included."""
    return float((drawn == own).all(axis=1).mean())


STAYS: dict[str, Callable[[Array, Array], float]] = {
    "top stays": _top,
    "top two in order": _two,
    "order stays": _all,
}
ASKED: dict[str, Callable[[OrderingDesign, Method, Core], Trusted]] = {
    "agreement": _agreement,
    "judges": _judges,
    "consensus": _consensus,
    "quality": _quality,
}
