"""What the judges agree on, as findings: an order, groups or a value of every item, and how sure each is."""

from __future__ import annotations

import importlib
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.certainty import calibrated
from quorate.inference.consensus_draws import Panels, consensus_drawn, consensus_panels
from quorate.inference.core import Core
from quorate.inference.engine import Figures, budget_of
from quorate.inference.estimate import Estimate
from quorate.inference.findings import quality
from quorate.inference.intervals import interval
from quorate.inference.judge_groups import JudgeSums, adding, agreed_in_groups, sums_of
from quorate.inference.results import Finding, Options
from quorate.inference.weights import drawn_rows, stream
from quorate.kernels.defined import quotient
from quorate.panel.base import ONE_TASK
from quorate.panel.design import Design
from quorate.panel.outputs import OutputDesign
from quorate.panel.plain import tie_groups
from quorate.table import Method

Array = NDArray[Any]


OVER = ("tasks", "judges", "tasksxjudges")


@dataclass(frozen=True, eq=False)
class TaskConsensus:
    """What the judges of one task agree on, and what is told of it."""

    value: Any
    details: Mapping[str, Any]
    shares: Array | None = None  # [3, judge] how much each agrees with it, where a method tells; how many each is; who
    without_outliers: Sequence[Mapping[str, Any]] = ()  # with outliers and without, where a method leaves some out


def consensus(method: Method, design: Design, options: Options) -> Finding:
    """What the judges agree on, task by task, and what panels of resampled judges agree on."""
    cell = importlib.import_module(f"quorate.{design.kind}.consensus")
    over = Core(options, method).over(design, *OVER, usual=design.over)  # panels are of judges: each task has its own
    made = by_task(method, design, options)
    names = dict.fromkeys(n for one in made.values() for n in one.details)
    columns = {n: [one.details.get(n) for one in made.values()] for n in names}
    keys = {"task": [design.tasks[t] for t in made]}
    keys |= {n: columns.pop(n) for n in getattr(cell, "KEYS", ())}
    shares = [one.shares for one in made.values() if one.shares is not None]
    overall = (_shared(method, shares, over, options),) if shares else ()
    compared = [{"task": design.tasks[t], **row} for t, one in made.items() for row in one.without_outliers]
    blocks = {"without_outliers": compared} if compared else {}
    values = [one.value for one in made.values()]
    return Finding(method, keys, values, columns, overall, called=cell.CALLED, blocks=blocks)


def by_task(method: Method, design: Design, options: Options) -> Mapping[int, TaskConsensus]:
    """What is agreed on by the number of the task, in that order."""
    elsewhere = getattr(design, "elsewhere", None)  # of tasks in files it is known from their pieces
    if elsewhere is not None:
        found: Mapping[int, TaskConsensus] = elsewhere.agreed(method, design, options)
        return found
    made = agreed(method, design, options, consensus_panels(method, design, options))
    return {t: made[t] for t in sorted(made)}


def agreed(method: Method, design: Design, options: Options, panels: Panels) -> dict[int, TaskConsensus]:
    """What is agreed on by the number of the task: of these parts, with so many panels drawn."""
    cell = importlib.import_module(f"quorate.{design.kind}.consensus")
    made: dict[int, TaskConsensus] = {}
    brief = {"brief": True} if options.brief and "brief" in method.declaration.keywords else {}
    for part in design.parts:
        _, rows, number = part.given[0].shape
        if adding(method, rows, number, design.counted) is not None and not _ranked(part):
            for t, task in enumerate(part.tasks.tolist()):
                items = [design.items[k] for k in part.codes("item")[t].tolist()]
                made[task] = of_sums(method, cast(JudgeSums, sums_of(method, design, part, t)), items, task, options)
            continue
        for t, found in enumerate(method(*part.given, part.counts, **brief)):
            task = int(part.tasks[t])
            items, judges = ([names[k] for k in codes[t].tolist()] for names, codes in _named(design, part))
            begin = {"start": found.array} if "start" in method.declaration.keywords else {}
            drawn = consensus_drawn(method, design, part, t, panels.on(task), options, panels.step, **begin)
            value, details = cell.told(found, items, judges)
            details = {**details, **cell.certainty(found, drawn, items, options.level)}
            shares = np.stack([found.shares, found.counts, part.judges[t]]) if hasattr(found, "shares") else None
            compared = _without_outliers(method, design, part, t, found, panels, options)
            made[task] = TaskConsensus(value, details, shares, compared)
    return made


def _ranked(part: Any) -> bool:
    """Whether judges say how important their groups are."""
    return len(part.given) > 1 and not np.isnan(part.given[1]).all()


def of_sums(method: Method, sums: JudgeSums, items: Sequence[Hashable], task: int, options: Options) -> TaskConsensus:
    """What very many judges of a task agree on, from what groups of them add up to."""
    found, drawn = agreed_in_groups(method, sums, task, options)
    cell = importlib.import_module(f"quorate.{method.declaration.kind}.consensus")
    value, details = cell.told(found, items, ())
    shares = None
    if hasattr(found, "shares"):
        shares = np.stack([found.shares, found.counts, np.arange(len(found.shares))])
    return TaskConsensus(value, {**details, **cell.certainty(found, drawn, items, options.level)}, shares)


def _shared(method: Method, shares: Sequence[Array], over: str, options: Options) -> Estimate:
    """How much judges agree with what is found, on average over tasks; ``shares`` are those of each task's judges."""
    known = [own[:, ~np.isnan(own[0])] for own in shares]
    means = np.array([np.average(own[0], weights=own[1]) for own in known if own.size])
    if not len(means):
        return Estimate(math.nan)
    rng, tasks = stream(options.seed, "interval", method), [own for own in known if own.size]
    work = len(means) if over == "tasks" else sum(own.shape[1] for own in tasks)
    number, units = budget_of(options).draws(work), len(means)
    drawn = np.broadcast_to(means, (number, len(means)))
    if "judges" in over:
        who, code = np.unique(np.concatenate([own[2] for own in tasks]), return_inverse=True)
        counts = np.zeros(len(who))
        np.maximum.at(counts, code.ravel(), np.concatenate([own[1] for own in tasks]))
        times = drawn_rows(counts, number, rng) / counts  # [draw, judge]
        mine = np.split(code.ravel(), np.cumsum([own.shape[1] for own in tasks])[:-1])
        weights = [times[:, at] * own[1] for own, at in zip(tasks, mine, strict=True)]
        drawn = np.stack([quotient(w @ own[0], w.sum(axis=1)) for own, w in zip(tasks, weights, strict=True)], axis=1)
        units = int(counts.sum()) if over == "judges" else min(units, int(counts.sum()))
    often = drawn_rows(np.ones(len(means)), number, rng) if "tasks" in over else np.ones((number, len(means)))
    often = often * np.isfinite(drawn)
    drawn = quotient((often * np.where(np.isfinite(drawn), drawn, 0.0)).sum(axis=1), often.sum(axis=1))
    ends, value = method.declaration.range, float(means.mean())
    return Estimate(
        value, interval(value, drawn, level=options.level, over=over, units=units, range=ends), n=len(means)
    )


def unit_consensus(method: Method, design: OutputDesign, options: Options) -> Finding:
    """What the judges agree on, unit by unit, and the leaderboard of systems that comes of it; of labels, the share of
    units that have one."""
    keys, values, details = design.told(method)
    if "certainty" in details:
        details = {**details, "certainty": _certainty(method, design, details, options)}
    board = (
        quality(method, design, options) if "spread" in details else _decided(method, design, values, details, options)
    )
    return replace(board, keys=keys, values=values, details=details)


def _certainty(
    method: Method, design: OutputDesign, details: Mapping[str, Sequence[Any]], options: Options
) -> list[float]:
    """How likely every label is right, by what certainties mean on panels like this one."""
    belief = np.array([list(row.values()) for row in details["posterior"]])
    said = np.array(details["certainty"])
    return calibrated(method, design.scores, said, belief, options.seed).tolist()  # type: ignore[no-any-return]


def _decided(
    method: Method, design: OutputDesign, names: Sequence[Any], details: Mapping[str, Sequence[Any]], options: Options
) -> Finding:
    """The share of units with a label, or of labels that are expected to be right; and the most frequent label."""
    given = [n for n in names if n is not None]
    often = {n: given.count(n) for n in sorted(set(given), key=str)}
    top = max(often, key=lambda n: often[n], default=None)
    labels = {**design.labels, "units": len(names), "decided": len(given), "most_common": top}
    labels |= {"times": often.get(top, 0), "labels": often}
    core, has = Core(options, method), np.array([name is not None for name in names], float)
    has, value = np.asarray(details.get("certainty", has)), float(np.mean(details.get("certainty", has)))
    over = core.over(design, "items", "tasks", why="how other judges would label is told by trust (majority_stability)")
    if over == "items" and "certainty" not in details:
        between = core.share(len(given), len(names))
    else:
        place = design.scores.task if over == "tasks" else np.arange(len(has))
        times = core.drawn(int(place.max(initial=-1)) + 1, len(has), "decided")[:, place]
        drawn = quotient(times @ has, times.sum(axis=1))
        between = core.interval(value, drawn, over, len(np.unique(place)), (0.0, 1.0))
    share = Estimate(value, between, labels=labels, n=len(names))
    return Finding(method, {}, (), overall=(share,))


def order_consensus(method: Method, design: Design, options: Options) -> Finding:
    """One order of the systems on all tasks together, by their figures, and the orders of resampled panels."""
    cell = importlib.import_module(f"quorate.{design.kind}.consensus")
    figures = Figures.of(method, design)
    _, _, drawn = figures.sample(options)
    order, names = cell.order(figures.value[None])[0], list(design.systems)
    scores = {str(s): v for s, v in zip(names, figures.value.tolist(), strict=True)}
    places = cell.order(drawn) if len(drawn) else None
    details = {"scores": scores, "dropped": [], **cell.certainty(order, places, names, options.level)}
    told, ranking = {n: [v] for n, v in details.items()}, tie_groups(order.tolist(), names)
    about = ({**design.labels, **figures.seen.about},)
    return Finding(method, {"task": [ONE_TASK]}, [ranking], told, called=cell.CALLED, about=about)


def _named(design: Design, part: Any) -> tuple[tuple[Sequence[Hashable], Array], ...]:
    return (design.items, part.codes("item")), (design.judges, part.codes("judge"))


def _drops(method: Method) -> bool:
    return method.has("outliers") and method["outliers"] != "keep"


def _without_outliers(
    method: Method, design: Design, part: Any, t: int, less: Any, panels: Panels, options: Options
) -> list[dict[str, Any]]:
    """Where outliers of a task were left out: does that make a better consensus? A row with them and one without."""
    if not _drops(method) or not less.dropped:
        return []
    cell, whole = importlib.import_module(f"quorate.{design.kind}.consensus"), method.with_(outliers="keep")
    one = [x[t : t + 1] for x in part.given]
    drawn = [consensus_drawn(m, design, part, t, panels.number, options, panels.step) for m in (whole, method)]
    every = whole(*one, part.counts[t : t + 1])[0]
    rows = cell.without_outliers(every, less, drawn, part.given[0][t], part.counts[t])
    return [{"method": str(m), **row} for m, row in zip((whole, method), rows, strict=True)]
