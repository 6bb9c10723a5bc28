"""Findings: what one method says, question by question. The engine computes; here figures get their names.

Each question has one shape of finding, the same for every kind: agreement a figure over all tasks and a row per task;
judges a figure per judge and a row per task and judge; quality a leaderboard and a row per task and system; consensus
what is agreed on, task by task; trust rows and figures as its methods give them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.board import ALPHA, COMPARED, differences, drawn_differences, holm_pairs, least_p, tie
from quorate.inference.board_stability import stability
from quorate.inference.budget import BY_TASK
from quorate.inference.core import Core, Trusted
from quorate.inference.engine import MANY, Figures, estimates
from quorate.inference.estimate import Estimate, Null
from quorate.inference.intervals import drawn_variance, mean_interval
from quorate.inference.judge_groups import JudgeSums, agreement_in_groups, counted
from quorate.inference.judge_pairs import every_two_judges
from quorate.inference.letters import clusters, letters, rank_ranges
from quorate.inference.null import holm, student_p
from quorate.inference.pooled_board import PooledBoard
from quorate.inference.results import Finding, Options, no_collection
from quorate.inference.samples import sampled
from quorate.inference.task_means import groups
from quorate.inference.weights import Draws, stream
from quorate.panel.columns import Coded
from quorate.panel.design import Design, Values
from quorate.panel.lists import ListDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.plain import tie_groups
from quorate.panel.task_design import TaskDesign
from quorate.table import Method

Array = NDArray[Any]
INTERVALS = 200  # tasks up to which each has an interval of its own


def rows(figures: Figures) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keys and details of a method's rows, with names in place of numbers."""
    design = figures.design
    names = {"task": design.tasks, "judge": design.judges, "item": design.items, "system": design.systems}
    size = figures.seen.array.shape[1]
    keys: dict[str, Any] = {n: Coded(names[n], column) for n, column in figures.seen.keys.items()}
    if size <= MANY:
        keys = {n: column.values() for n, column in keys.items()}
    fixed = {n: [label] * size for n, label in design.labels.items()}
    return {**keys, **fixed}, details_named(figures.method, design, figures.seen)


def _column(column: Any) -> Any:
    """A column of rows as a list; one of very many numbers as it is."""
    if isinstance(column, np.ndarray):
        return column.tolist() if len(column) <= MANY else column
    return list(column)


def details_named(method: Method, design: Design, seen: Values) -> dict[str, Any]:
    """The details of a method's rows, with names of items and judges in place of numbers."""
    details: dict[str, Any] = {n: _column(column) for n, column in seen.details.items()}
    if design.details_named:
        return details
    tasks = seen.keys["task"].tolist() if "task" in seen.keys else []
    orders = method.declaration.properties.get("orders", ())
    items = {t: _items(design, t) for t in dict.fromkeys(tasks)} if orders else {}
    for n in orders:  # positions of the task's items, behind which others may stand that nobody ranks: as tie groups
        told = zip(details[n], (items[t] for t in tasks), strict=True)
        details[n] = [tie_groups(order[: len(own)], own) for order, own in told]
    for n, called in method.declaration.properties.get("individual", {}).items():  # of the task's judges
        details[n] = [_individual(design, t, rows, called) for t, rows in zip(tasks, details[n], strict=True)]
    return details


def _individual(design: Design, task: int, rows: Array, called: Sequence[str]) -> list[dict[str, Any]]:
    """What is told of each judge of a task, ``rows[judge, figure]``, by name."""
    codes = design.judges_by_task[task] if isinstance(design, TaskDesign) else np.arange(len(rows))
    each = zip(codes.tolist(), rows.tolist(), strict=True)
    return [{"judge": design.judges[j], **dict(zip(called, row, strict=True))} for j, row in each]


def _items(design: Design, task: int) -> list[Hashable]:
    codes = design.items_of_task[task] if isinstance(design, TaskDesign) else np.arange(len(design.items))
    return [design.items[k] for k in codes.tolist()]


def agreement(method: Method, design: Design, options: Options) -> Finding:
    """A figure over all tasks, with what judges give whose answers are permuted; a row per task."""
    sums = counted(method, design, options)
    if sums is not None:
        return _of_groups(method, design, options, sums)
    figures = Figures.of(method, design)
    by_task = design.by_task(method)
    if by_task is None:
        told = _by_task(figures, options)
        return replace(told, blocks={**told.blocks, **_by_unit(figures, options)}) if design.nesting else told
    keys, details = rows(replace(figures, seen=by_task, design=design))
    if 1 < len(design.tasks) <= INTERVALS:
        details["interval"] = _task_intervals(method, design, by_task.keys["task"], options)
    found = estimates(figures, options, labels=lambda k: {**design.labels, **row(figures.seen.details, k)})
    return Finding(method, keys, _column(by_task.array[0]), details, tuple(found))


def _of_groups(method: Method, design: Design, options: Options, sums: JudgeSums) -> Finding:
    """The finding of one task of very many judges, from what groups of them add up to."""
    found, between, chance = agreement_in_groups(method, sums, options)
    value, details = float(found.values[0]), {n: list(column) for n, column in found.details.items()}
    labels = {**design.labels, **(summary(method, details) if "summary" in method.declaration.properties else {})}
    overall = Estimate(value, between, chance, labels, n=1)
    finding = Finding(method, {"task": list(design.tasks)}, [value], details, (overall,))
    return _with_tasks(finding, [chance]) if method.declaration.properties.get("by_task") else finding


def _by_task(figures: Figures, options: Options) -> Finding:
    """The finding of a method whose values are by task; where it declares so, chance is told of every task."""
    method, design = figures.method, figures.design
    keys, details = rows(figures)
    declared = method.declaration.properties
    apart = bool(declared.get("by_task"))
    chance = figures.nulls(options, rows=apart)
    told = {**design.labels, **(summary(method, details) if "summary" in declared else {})}
    found = estimates(figures, options, chance=chance[: len(figures.value)], labels=lambda k: told)
    finding = Finding(method, keys, figures.told, details, tuple(found))
    if apart:
        finding = _with_tasks(finding, chance[len(figures.value) :])
    return every_two_judges(finding, design, options) if "pairs" in declared else finding


def _with_tasks(finding: Finding, chance: Sequence[Null | None]) -> Finding:
    """The finding with what chance gives on every task; its figures called as papers' tables do."""
    found = [(e, {"mean": e.value, "baseline": e.null.value if e.null else None}) for e in finding.overall]
    named = tuple(replace(e, labels={**e.labels, **names}) for e, names in found)
    return replace(finding, overall=named, blocks={"by_task": task_rows(finding, chance)})


def _by_unit(figures: Figures, options: Options) -> dict[str, list[dict[str, Any]]]:
    """Of nested tasks the mean in every outermost unit, highest first, with its interval over what is in it.

    Of a method whose rows tell further figures of a task, such as kappa_1 beside kappa_2, their means, too.
    """
    outer, design, seen = figures.design.nested_by[0], figures.design, figures.seen
    unit, rng = design.units_of_task[0][seen.keys["task"]], stream(options.seed, "units", figures.method)
    numbers = {n: np.array(c, float) for n, c in seen.details.items() if all(isinstance(v, float) for v in c)}
    numbers = {n: c for n, c in numbers.items() if not np.array_equal(c, seen.array[0], equal_nan=True)}
    out = []
    for k, name in enumerate(figures.table[0]):
        mine = np.flatnonzero(unit == k)
        if not len(mine):
            continue
        values = seen.array[0][mine]
        between = mean_interval(values, rng, options.level, options.resamples, range=figures.method.declaration.range)
        row: dict[str, Any] = {outer: name, "value": float(figures.table[1][k, 0]), "tasks": len(mine)}
        ends = between.ends if between else None
        out.append({**row, "ends": ends, **{n: float(np.nanmean(c[mine])) for n, c in numbers.items()}})
    out.sort(key=lambda row: worst_first(figures.method, -float(row["value"])))
    return {f"by_{outer}": out}


def task_rows(finding: Finding, chance: Sequence[Null | None]) -> list[dict[str, Any]]:
    """A row per task with what chance gives there, and the task's details; None where it is undefined."""
    return [
        {
            "task": task,
            "value": value,
            "chance": null.value if null else None,
            "p_value": null.p if null else None,
            **row(finding.details, k),
        }
        for k, (task, value, null) in enumerate(zip(finding.keys["task"], finding.values, chance, strict=True))
    ]


def row(details: Mapping[str, Sequence[Any]], k: int) -> dict[str, Any]:
    """The details of one row."""
    return {n: column[k] for n, column in details.items()}


def _task_intervals(method: Method, design: Design, tasks: Array, options: Options) -> list[list[float] | None]:
    """The interval of every task alone, over its units: of figures that are no mean over tasks."""
    brief = replace(options, resamples=min(options.resamples, BY_TASK), over=None)
    known: dict[int, Design] = design.__dict__.setdefault("_alone", {})  # the same for all methods that are asked
    known |= {t: design.some_tasks(np.array([t])) for t in tasks.tolist() if t not in known}
    found = [Figures.of(method, known[t]).intervals(brief)[0] for t in tasks.tolist()]
    return [ends.ends if ends else None for ends in found]


def joined(method: Method, found: Sequence[Finding]) -> Finding:
    """What a method says of several designs, such as criteria, one after the other."""
    if not found:
        return Finding(method, {}, ())
    if len(found) == 1:
        return found[0]
    keys = dict.fromkeys(n for f in found for n in f.keys)
    details = dict.fromkeys(n for f in found for n in f.details)
    return replace(
        found[0],
        keys={n: [v for f in found for v in f.keys.get(n, [None] * len(f.values))] for n in keys},
        values=[v for f in found for v in f.values],
        details={n: [v for f in found for v in f.details.get(n, [None] * len(f.values))] for n in details},
        overall=tuple(o for f in found for o in f.overall),
        about=tuple(fact for f in found for fact in f.about),
    )


def judges(method: Method, design: Design, options: Options) -> Finding:
    """A figure per judge, worst first, with what the judge's answers give when they are permuted."""
    figures = Figures.of(method, design)
    if "task" not in figures.seen.keys:
        return _judges_of_all(figures, options)
    keys, details = rows(figures)
    between = figures.intervals(options, range=method.declaration.limits(method, details))
    chance = _own_answers_permuted(figures, options)
    corrected = holm(np.array([n.p if n else math.nan for n in chance]))
    group, _ = groups(figures.seen)
    found = []
    for k, judge in enumerate(figures.keys["judge"].tolist()):
        mine = np.flatnonzero(group == k)
        labels: dict[str, Any] = {"judge": design.judges[judge], "tasks": len(mine), "flag": None}
        labels |= summary(method, {n: _some(column, mine) for n, column in details.items()})
        if "verdict" in method.declaration.properties:  # of value and interval
            labels |= method.declaration.properties["verdict"](float(figures.value[k]), between[k])
        if chance[k] is not None:
            labels["p_holm"] = float(corrected[k])
        found.append(Estimate(float(figures.value[k]), between[k], chance[k], labels, n=len(mine)))
    order = sorted(found, key=lambda e: worst_first(method, float(e.value)))
    return Finding(method, keys, figures.told, details, tuple(order))


def _some(column: Any, rows: Array) -> list[Any]:
    """Some rows of a column."""
    return column[rows].tolist() if isinstance(column, np.ndarray) else [column[i] for i in rows]


def _judges_of_all(figures: Figures, options: Options) -> Finding:
    """The same of figures that are no means over tasks: a row per judge, or finer ones where the method has some."""
    method, design = figures.method, figures.design
    known = method.declaration.properties
    details = dict(figures.seen.details)
    if "more" in known:
        details |= known["more"](design, Core(options), **method.parameters)
    if known.get("holm"):
        details["p_holm"] = holm(np.array(details.pop("p")), design.voters).tolist()
    sample = figures.sample(options) if "drawn_p" in known else None
    if sample is not None:  # how far from that value a figure is, by the error that draws show
        _, units, drawn = sample
        apart, variance = figures.value - known["drawn_p"], drawn_variance(drawn, units)[0]
        details["p_holm"] = holm(np.array([*map(student_p, apart, variance, units)])).tolist()
    ends = details.pop("interval", None) or figures.intervals(options, sample)
    chance = _own_answers_permuted(figures, options)
    if any(chance):
        details["p_holm"] = holm(np.array([n.p if n else math.nan for n in chance])).tolist()
    order = sorted(range(len(figures.value)), key=lambda k: worst_first(method, float(figures.value[k])))
    found = []
    for k in order:
        told = row(details, k)
        if not math.isnan(figures.value[k]) or any(v is not None for v in told.values()):  # else it is not of this one
            labels = {"judge": design.judges[k], **design.labels, **told}
            found.append(Estimate(float(figures.value[k]), ends[k], chance[k], labels, n=int(figures.number[k])))
    if "rows" in known and (finer := known["rows"](design, Core(options), **method.parameters)):
        table = [{"judge": r["judge"], **design.labels, **r} for r in finer]
    else:
        table = [{**e.labels, "value": e.value} for e in found]
    keys = [n for n in ("judge", *design.labels, *known.get("keys", ())) if table and n in table[0]]
    columns = {n: [r[n] for r in table] for n in (table[0] if table else ())}
    finer_details = {n: column for n, column in columns.items() if n not in (*keys, "value")}
    return Finding(
        method,
        {n: columns[n] for n in keys},
        columns.get("value", []),
        finer_details,
        tuple(found),
        about=({**design.labels, **figures.seen.about},),
    )


def worst_first(method: Method, value: float) -> tuple[int, float]:
    """What judges are sorted by: the worst value first, undefined ones last; rounding alone parts nobody."""
    middle = method.declaration.properties.get("middle")  # of a figure that is best there: 0.5, no preference
    sign, value = method.sign, round(value, 12)
    if middle is not None:
        sign, value = 0, value - middle
    return (1, 0.0) if math.isnan(value) else (0, sign * value if sign else -abs(value))


@no_collection()
def quality(method: Method, design: Design, options: Options) -> Finding:
    """A leaderboard of systems, best first, with what their own answers give when they are permuted."""
    figures = Figures.of(method, design)
    known = method.declaration.properties
    pooled = "task" not in figures.seen.keys
    keys, details = ({"task": [], "system": []}, {}) if pooled else rows(figures)
    over, units, draws = figures.draws(options)
    sample = over, units, draws if len(figures.value) > COMPARED else draws.every
    limits = method.declaration.limits(method, details)
    between = figures.intervals(options, sample, limits)
    nothing = [None] * len(figures.value)
    chance = figures.nulls(options, _other_items(figures)) if known.get("null", True) else nothing
    p, least = _differences(figures, sample, options)
    sign = method.sign
    rounded = figures.value.round(12)  # equal but for rounding is equal
    ranking = np.argsort(np.where(np.isnan(rounded), np.inf, -sign * rounded), kind="stable")
    order = ranking.tolist()
    letter = letters(p < ALPHA, order) if len(order) <= COMPARED else ("",) * len(order)
    cluster = clusters(p, order) if 0 < len(order) <= COMPARED else [1] * len(order)
    ranks = rank_ranges(p, order) if known.get("ranks") and len(order) <= COMPARED else []
    first = _first(sign, sample[2], np.isfinite(figures.value))
    found = []
    # Lists are quicker, item by item, and the more so with numbers side by side that are looked at in turn.
    value, number = figures.value[ranking].tolist(), figures.number[ranking].tolist()
    beside = p[order[0]][ranking].tolist() if order else []
    leads = first[ranking].tolist() if len(first) else [None] * len(order)
    names = [design.systems[s] for s in figures.keys["system"][ranking].tolist()]
    clustered = known.get("clusters")
    for at, k in enumerate(order):
        if pooled and not number[at]:
            continue  # it was compared with no other
        best = beside[at]
        labels = {"system": names[at], **design.labels, "group": letter[k]}
        if clustered:
            labels["cluster"] = cluster[k]
        if ranks:
            labels |= {"ranks": list(ranks[k]), **row(figures.seen.details, k)}
        labels["tasks"] = number[at]
        labels["p_best"] = best if best == best else None
        labels["first"] = leads[at]
        found.append(Estimate(value[at], between[k], chance[k], labels, number[at], 0.0, least))
    about = ({**design.labels, **figures.seen.about, "tie": _tie(figures, sample[0], p, order)},)
    told = [] if pooled else figures.told
    return Finding(method, keys, told, details, tuple(found), about=about, blocks=_board_blocks(figures, options))


def _tie(figures: Figures, over: str, p: Array, order: Sequence[int]) -> dict[str, Any] | None:
    """The first two systems that cannot be told apart, and how many tasks would; None where draws are of others."""
    if over != "tasks" or "task" not in figures.seen.keys or len(order) > COMPARED:
        return None
    found = tie(figures.table[1], p, order)
    if found is None:
        return None
    names = [figures.design.systems[int(figures.keys["system"][k])] for k in (found.first, found.second)]
    return {"systems": names, "over": figures.design.tasks_called, "tasks": found.tasks, "needed": found.needed}


def _first(sign: int, drawn: Array | Draws, there: Array) -> Array:
    """The share of drawn leaderboards on which each system is first, those who share it counted in parts.

    On one that lacks a system that is ``there`` nobody knows who is first: none is counted.
    """
    if isinstance(drawn, Draws):
        return _first_of_many(sign, drawn, there)
    drawn = sign * drawn
    known = drawn[there.any() & ~np.isnan(drawn[:, there]).any(axis=1)].round(12)
    if not known.size:
        return np.zeros(0)
    top = np.where(np.isnan(known), -np.inf, known) == np.nanmax(known, axis=1, keepdims=True)
    return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))


def _first_of_many(sign: int, drawn: Draws, there: Array) -> Array:
    """The same of very many systems, draw by draw."""

    def leading(row: Array) -> Array:
        row = (sign * row).round(12)
        if np.isnan(row[there]).any():
            return np.zeros(0, np.int64)
        row = np.where(np.isnan(row), -np.inf, row)
        return np.flatnonzero(row == row.max())

    first = [leading(row) for row in drawn.different] if there.any() else []
    known = [first[k] for k in drawn.row.tolist() if len(first[k])] if first else []
    total = np.zeros(len(there))
    for systems in known:
        total[systems] += 1 / len(systems)
    return total / len(known) if known else np.zeros(0)


def _board_blocks(figures: Figures, options: Options) -> dict[str, list[dict[str, Any]]]:
    """Where a method declares so: what a judge reaches against the others, and whether the board would stay."""
    declared, out = figures.method.declaration.properties, {}
    if ("ceiling" in declared or declared.get("stability")) and (some := sampled(figures.design, options.seed)):
        figures = Figures.of(figures.method, some)
    if "ceiling" in declared:
        design = figures.design
        values = np.concatenate([declared["ceiling"](p.given[0], p.counts, figures.method) for p in design.parts])
        known = values[~np.isnan(values)]
        out["judges_against_each_other"] = [{"value": float(known.mean()) if len(known) else math.nan}]
    if declared.get("stability") and (steady := stability(figures, options)):
        out["stability"] = steady
    return out


def _other_items(figures: Figures) -> Callable[[Any, np.random.Generator, int], Values] | None:
    """How systems' answers are permuted where only membership counts; None: as the design permutes them."""
    design, method = figures.design, figures.method
    if not method.declaration.properties.get("membership") or not isinstance(design, ListDesign):
        return None
    return lambda some, rng, copies: some.rechosen(rng, copies).values(method)


def _differences(figures: Figures, sample: tuple[str, Array, Any], options: Options) -> tuple[Array, float]:
    """p of every two systems, corrected; and the smallest that any two could have.

    Over several tasks by flipping the signs of their differences; of a single one by the error that draws show.
    """
    over, units, drawn = sample
    size = len(figures.value)
    if size > COMPARED:
        return np.broadcast_to(math.nan, (size, size)), 1.0  # takes no room
    if "task" not in figures.seen.keys:
        found = PooledBoard.of(figures, sample)
        return found.p, found.least
    if over != "tasks":
        return holm_pairs(drawn_differences(figures.value, drawn, units)), 0.0
    _, table = figures.table
    table = table[~np.isnan(table).all(axis=1)]
    return holm_pairs(differences(table, stream(options.seed, "flips", figures.method))), least_p(table)


def trust(method: Method, design: Design, options: Options) -> Finding:
    """Rows and figures as the method gives them."""
    found: Trusted = method(design, Core(options, method))
    estimates, about = tuple(found.estimates), ({**design.labels, **found.about},)
    return Finding(method, found.keys, found.values, found.details, estimates, notes=found.notes, about=about)


def summary(method: Method, columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """What a judge's rows say together: as the method declares it, else the means of their numbers."""
    declared = method.declaration.properties.get("summary")
    if declared:
        return dict(declared(columns, method))
    return {n: _mean(column) for n, column in columns.items() if _numbers(column)}


def _numbers(column: Sequence[Any]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in column)


def _mean(column: Sequence[Any]) -> float:
    known = [float(v) for v in column if v is not None and math.isfinite(v)]
    return sum(known) / len(known) if known else math.nan


def _own_answers_permuted(figures: Figures, options: Options) -> list[Null | None]:
    """What each judge's figure is when that judge's answers are permuted and the others stay as they are."""
    method, design = figures.method, figures.design
    if not method.declaration.properties.get("instead") or not isinstance(design, TaskDesign | VoteDesign):
        return [None] * len(figures.value)

    return figures.nulls(options, own=True)
