"""Would another panel of such judges say the same? Split-half reliability, and how many judges it takes.

The consensus is the order by rank sums; two panels agree as their orders correlate. What panels of any size would do is
told by :mod:`quorate.inference.needed`; halves are stepped up to the whole panel by Spearman and Brown's formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_of_pairs
from quorate.kernels.ranks import dense, rank_orders, ranks_of
from quorate.kernels.stepped_up import stepped_up
from quorate.orderings.discriminativeness import by_task, differences, fewer_judges, tried
from quorate.orderings.method_parameters import Nested, quality
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.panel.base import remembered
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.panel.task_design import only
from quorate.table import Method, Note, choice, method, number, whole

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Interval
    from quorate.inference.needed import Repeatability

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"rho": rho, "tau": tau_b}
MEASURE = choice("the correlation of two consensus orders; tau is tau-b where there are ties", "rho", "tau")
CELLS = 1 << 21  # of [split, judge, item] arrays at a time
CURVE = 1000  # judges up to which it is told how well panels of them would agree
DETAILS = ("observed", "agreement", "ed", "tasks")
SPLITS, LEAST = 100, 20  # halves of the panel, and as many however long they take
COST = 4  # numbers looked at for a judge and an item in one of them, about
TASKS = 200  # from which it is told how many judges it takes, at most
PANELS = 20  # drawn for each number of judges where orders are scored
CASE = 7500  # numbers looked at to score one order there, about
PAIR = 2  # the same for every two items, of so many that this is more
DRAWN = 200  # panels where orders are only compared


def _tau(first: Array, second: Array) -> Array:
    """Tau-b of every two orders by rank sums; 0 where one of them puts all items in one place."""
    both = np.stack([first, second], axis=1)
    places = np.where(np.isnan(both).any(axis=1, keepdims=True), 0, dense(np.round(np.nan_to_num(both), 9)))
    found = tau_b.square(places)[:, 0, 1]
    return np.asarray(np.where(np.isnan(found) & ((places > 0).all(axis=1).sum(axis=1) > 1), 0.0, found))


def two_panels(part: Stack, measure: str, draws: int, core: Core, k: int | None = None) -> Array:
    """Mean correlation of the consensus of two panels of k judges each, or of half of them, ``[task]``.

    The panels have no judge in common; NaN where there are too few judges for them.
    """
    tasks, judges, items = part.shape
    out = np.full((draws, tasks), np.nan)
    rng = core.stream("two panels", judges, items, k)
    step = max(1, CELLS // max(draws * max(judges, items), 1))
    for a in range(0, tasks, step):
        counts = part.counts[a : a + step]
        panels = np.zeros((2, draws, *counts.shape))
        for t, row in enumerate(counts):
            if int(row.sum()) // 2 >= (k or 1):
                panels[:, :, t] = core.halves(row, draws, rng, k)
        orders = [rank_orders(part.positions[a : a + step], panel).reshape(-1, items) for panel in panels]
        out[:, a : a + step] = MEASURES[measure].square(np.stack(orders, axis=1))[:, 0, 1].reshape(draws, -1)
    return _defined_mean(out)


def _defined_mean(values: Array) -> Array:
    """The mean over the first axis of what is defined."""
    known = np.isfinite(values)
    return quotient(np.where(known, values, 0).sum(axis=0), known.sum(axis=0))


# -- split halves -----------------------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "split_half",
    range=(-1, 1),
    scale=(0.0, 1.0),
    higher="another panel of such judges would say the same",
    default=True,
    reference="Spearman 1910; Brown 1910",
    parameters={"measure": MEASURE, "splits": whole("how often the judges are split at random")},
    relabelling=True,
    cost=lambda judges, items: float(SPLITS),
    note=Note(
        "Reliability of the consensus in one number, as psychologists report it.",
        "Stepping up assumes that judges are exchangeable; two camps split unevenly are not.",
        "2 r / (1 + r), r = mean correlation of the consensus orders of two random halves; an odd judge is left out "
        "of a split, and N / floor(N / 2) takes the place of 2",
    ),
)
def split_half(design: OrderingDesign, core: Core, *, measure: str = "rho", splits: int = SPLITS) -> Trusted:
    """Reliability of the consensus by rank sums: correlation of two halves of the judges, stepped up to all of them."""
    over = core.over(design, "tasks", "judges", "tasksxjudges", usual=design.over)
    made, notes = _affordable(design, splits, core)
    half = design.compared.each_task(lambda part: two_panels(part, measure, made, core))
    sizes = design.judges_of_task
    values = _stepped(half, sizes)
    labels = {"half": float(core.brief.mean(half).value)}
    found = core.mean(values, "split_half", measure, range=(-1.0, 1.0), labels=labels)
    if over != "tasks":
        between = _between(float(found.value), core, design, measure, over)
        found = core.figure(float(found.value), labels, between)
    details = {"half": half.tolist(), "judges": sizes.tolist()}
    return Trusted({"task": design.tasks}, values.tolist(), [found], details, notes)


def _affordable(design: OrderingDesign, splits: int, core: Core) -> tuple[int, tuple[str, ...]]:
    """How many splits the budget has, and a note where they are fewer than asked for."""
    work = COST * sum(int(np.prod(p.shape)) for p in design.parts)
    made = min(splits, max(core.budget.tasks(work), LEAST))
    return made, (f"split_half: {made} splits, not {splits:,}, to keep within the time",) if made < splits else ()


def _stepped(half: Array, sizes: Array) -> Array:
    """From halves of n // 2 judges to all n of them."""
    return np.asarray(stepped_up(half, sizes / np.maximum(sizes // 2, 1)))


def _between(value: float, core: Core, design: OrderingDesign, measure: str, over: str) -> Interval | None:
    """What two panels of as many judges would agree, in the populations that these judges may be from."""
    found = _repeatability(core, design, measure)
    if math.isnan(value) or found.few or not core.options.resamples:
        return None
    low, high = found.between(int(np.median(design.judges_of_task)))
    if math.isnan(low) or math.isnan(high):
        return None
    return core.ends(min(low, value), max(high, value), over)


def _repeatability(core: Core, design: OrderingDesign, measure: str) -> Repeatability:
    """Found once for all that is asked of a design."""

    def find(design: OrderingDesign) -> Repeatability:
        some = core.some_tasks(design, TASKS, "repeatability")
        ranks = [(ranks_of(p.positions), p.counts, p.judges) for p in some.compared.parts]
        return core.repeatability(ranks, "spearman" if measure == "rho" else _tau, "repeatability", measure)

    return remembered(design, f"_repeatability {measure} {core.options}", find)


# -- how many judges it takes -----------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "judges_needed",
    range=(1, math.inf),
    higher="more judges are needed",
    default=True,
    reference="Spearman 1910; Brown 1910",
    parameters={
        "target": number("correlation of two panels' consensus orders that is wanted", 0, 0.999, open_low=True),
        "of": Nested("the quality method whose ED is shown beside it", every=False),
        "measure": MEASURE,
    },
    relabelling=True,
    cost=lambda judges, items: 100.0 * judges,
    note=Note(
        "Planning: how many judges until another panel would say the same?",
        "Beyond half of the judges at hand it is an extrapolation: with few of them believe the interval only.",
        "smallest k for which the rank-sum orders of two panels of k judges correlate at least target on average; "
        "panels drawn without replacement for 2k <= N; beyond, item means shrunk to their true spread plus residuals",
    ),
)
def judges_needed(
    design: OrderingDesign, core: Core, *, target: float = 0.9, of: str = "frespa", measure: str = "rho"
) -> Trusted:
    """Judges it takes until another panel's consensus correlates as wanted; agreement, ED and stability by number."""
    over = core.over(design, "judges", "tasks", "tasksxjudges")
    repeatable, m = _repeatability(core, design, measure), quality(of, design)[0]
    design, sizes = design.joined, design.judges_of_task
    case = max(CASE, PAIR * max(p.shape[2] for p in design.parts) ** 2)
    most = max(core.budget.tasks(case * PANELS * int(sizes.mean() ** 2)), 2)
    some, notes = fewer_judges(core.some_tasks(design, most, "needed"), "judges_needed", core)
    if len(some.tasks) < len(design.tasks):
        notes = (f"judges_needed: ED and agreement on {len(some.tasks)} of {len(design.tasks)} tasks", *notes)
    if len(design.tasks) > TASKS:
        notes = (f"judges_needed is told from {TASKS} of {len(design.tasks)} tasks", *notes)
    if over not in ("judges", _over(core)):
        said = f"judges_needed: how many it takes is a matter of judges; its interval is over {_over(core)}, not {over}"
        notes = (said, *notes)
    largest = int(some.judges_of_task.max())
    has_room, left = core.with_room([m], some, "ED")
    rows, notes, squares = [], notes + left, [tau_b.square(p.positions) for p in some.parts]
    for k in numbers(largest):
        core.tell("judges needed", k, largest)
        drawn = repeatable.at(k) if 2 * k <= sizes.min() else math.nan
        rows.append({**_panels_of(some, squares, k, m if has_room else None, core), "observed": drawn})
    value, between = _needed(repeatable, target, core)
    beyond = [k for k in numbers(int(min(value, CURVE))) if k > largest] if math.isfinite(value) else []
    rows += [dict.fromkeys(DETAILS, None) for _ in beyond]  # more than there are: nothing to draw them from
    details = {name: [row[name] for row in rows] for name in DETAILS}
    found = core.figure(value, {"target": target, "one_judge": repeatable.at(1) if repeatable else math.nan}, between)
    keys = {"judges": [*numbers(largest), *beyond]}
    values = [repeatable.at(k) if repeatable else math.nan for k in keys["judges"]]
    return Trusted(keys, values, [found], details, notes)


def _needed(repeatable: Repeatability, target: float, core: Core) -> tuple[float, Interval | None]:
    """How many judges it takes, and the interval over judges; infinite where no number is enough."""
    if not repeatable:
        return math.nan, None
    found = repeatable.needed(target)
    return found.value, core.ends(found.low, found.high, _over(core)) if core.options.resamples else None


def _over(core: Core) -> str:
    """What is drawn: judges always, and tasks where they are asked for."""
    return "tasksxjudges" if "tasks" in (core.options.over or "") else "judges"


def numbers(most: int) -> list[int]:
    """Some numbers of judges from 2 on, close at first, then in larger steps."""
    out, k = [], 2
    while k < most:
        out.append(k)
        k = max(k + 1, round(k * 1.4))
    return [*out, most] if most >= 2 else out


def _panels_of(
    design: OrderingDesign, squares: Sequence[Array], k: int, m: Method | None, core: Core
) -> dict[str, Any]:
    """Panels of k judges drawn from the judges there are: agreement by tau-b of every two, part by part, ED where
    there is a method, and tasks with so many."""
    told: dict[str, list[Array]] = {"agreement": [], "ed": []}
    rng = core.stream("needed", k)
    for part, square in zip(design.parts, squares, strict=True):
        enough = part.counts.sum(axis=1) >= k
        mine = only(part, enough)
        if len(mine.tasks):
            shape = (DRAWN, mine.shape[1])
            counts = np.stack([core.some_of(np.broadcast_to(row, shape), k, rng) for row in mine.counts], axis=1)
            alike = mean_of_pairs(square[enough], counts, counted=True)
            told["agreement"].append(_defined_mean(alike))
            few = counts[: min(PANELS, max(4000 // k, 2))]
            ed = np.full(few.shape[:2], np.nan) if m is None else _ed(mine.positions, few, m, core)
            told["ed"].append(_defined_mean(ed))
    found = {n: float(core.brief.mean(np.concatenate(parts)).value) if parts else math.nan for n, parts in told.items()}
    return {**found, "tasks": sum(map(len, told["ed"]))}


def _ed(positions: Array, counts: Array, m: Method, core: Core) -> Array:
    """ED of the panels drawn, ``[draw, task]``; only the rows drawn are handed on."""
    draws, tasks, _ = counts.shape
    rows = np.argsort(counts == 0, axis=2, kind="stable")[:, :, : int((counts > 0).sum(axis=2).max())]
    few = np.take_along_axis(counts, rows, axis=2).reshape(draws * tasks, -1).astype(np.int64)
    drawn = positions[np.arange(tasks)[:, None], rows].reshape(*few.shape, -1)
    found = differences(drawn, few, m, core.options.seed, partial(tried, core))
    return by_task(found, few).reshape(draws, tasks)
