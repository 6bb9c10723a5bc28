"""Discriminativeness (ED) of Kim, Zhai and Han: can a quality method tell a good order from a bad one?

Each judge's order is taken for a good one and its reverse for a bad one; both are scored against the *other* judges. To
a method of sets an order and its reverse are the same: there as many of the task's items, drawn at random, are the bad
one, which scores what such sets do on average. Scores are first brought to 0 ... 1, so that correlations and pattern
weights compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.pattern_states import without_own
from quorate.kernels.pattern_weights import SHORT, Rule, only, supported
from quorate.orderings.frespa import by_patterns, of_sets, random_sets
from quorate.orderings.leave_one_out_scores import OwnOrders, backwards
from quorate.orderings.method_parameters import ALL, Nested, quality
from quorate.orderings.pairwise import JUDGES
from quorate.orderings.rankings import Rankings, need, one_task
from quorate.panel.design import Trusted, Weights
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.table import Method, Note, method

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Estimate

Array = NDArray[Any]
Choose = Callable[[Array, int], Array]  # of counts and the number of items: which judges' orders are scored
CELLS = 1 << 21  # of [judge left out, judge, item] or [task, judge, judge] arrays at a time
COST = 6  # numbers looked at for a judge and a pair of items, about, when an order and its reverse are scored
LEAST = 8  # judges of a task whose orders are scored, however long it takes
TASKS = 100  # that are looked at, however long it takes
MANY = 50  # judges of a task, from whom on it is looked at by itself, every order once
WIDE = 10_000  # columns of rows that are compared as a whole
SETS, ITEMS = 600, 20  # sets of judges and items up to which all judges' orders are scored, whatever the work
UNBOUND = (-math.inf, math.inf)
OVER = ("tasks", "judges", "tasksxjudges")  # what intervals can be over
OF = Nested("the quality method that is to be trusted")
REFERENCE = "Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists, section 5"


def differences(positions: Array, counts: Array, method: Method, seed: int = 0, choose: Choose | None = None) -> Array:
    """The score of each judge's order less that of its reverse, by the others, ``[task, judge]``; NaN if undefined.

    Of a row that stands for many judges one is taken out. Rows with a count of 0 are not judges, and undefined.
    Where orders have to be scored one by one, those that ``choose`` says.
    """
    at_once = _at_once(positions, counts, method)
    if at_once is not None:
        return at_once
    items, sizes = (positions > 0).any(axis=1).sum(axis=1), (positions > 0).sum(axis=2)
    cheap, positions = _few_sets(positions, counts, method), _of_use(positions, counts, method)
    chosen = counts > 0 if cheap or choose is None else choose(counts, positions.shape[2])
    if len(positions) > 1 and positions.shape[1] < MANY:
        return _one_by_one(positions, counts, chosen, sizes, items, method, seed)
    found = []
    for t in range(len(positions)):
        own = slice(t, t + 1)
        given = positions[own], counts[own], chosen[own], sizes[own], items[own]
        found.append(_order_by_order(*given, method, seed))
    return np.concatenate(found)


def _order_by_order(
    positions: Array, counts: Array, chosen: Array, sizes: Array, items: Array, method: Method, seed: int
) -> Array:
    """The same of one task: judges with the same order, of whom many have one where items are few, are scored once."""
    first, which = _distinct(np.concatenate([positions[0], sizes.T], axis=1))
    often, wanted = (np.bincount(which, given[0], len(first)) for given in (counts, chosen))
    some = positions[:, first], often.astype(counts.dtype)[None], wanted[None] > 0, sizes[:, first]
    found = _one_by_one(*some, items, method, seed)[:, which]
    return np.where(chosen, found, np.nan)


def _distinct(rows: Array) -> tuple[Array, Array]:
    """The first of every set of equal rows, in order, and the number of each row's set; quicker than ``np.unique``."""
    if rows.shape[1] > WIDE:  # a key for every column would take more than the rows
        text = [row.astype(">u8").tobytes() for row in rows]  # whole numbers that sort as their bytes do
        order = np.array(sorted(range(len(rows)), key=text.__getitem__), np.int64)
    else:
        order = np.lexsort(rows.T[::-1])
    new = np.concatenate([[True], (rows[order[1:]] != rows[order[:-1]]).any(axis=1)])
    which = np.empty(len(rows), np.int64)
    which[order] = np.cumsum(new) - 1
    return order[new], which


def _one_by_one(
    positions: Array, counts: Array, chosen: Array, sizes: Array, items: Array, method: Method, seed: int
) -> Array:
    """The same of the judges ``chosen[task, judge]``, each by a call of the method."""
    tasks, judges, length = positions.shape
    out = np.full((tasks, judges), np.nan)
    t, j = np.nonzero(chosen)
    step = max(1, CELLS // max(judges * length, 1))
    for a in range(0, len(t), step):
        task, judge = t[a : a + step], j[a : a + step]
        left = counts[task]
        left[np.arange(len(task)), judge] -= 1
        own = positions[task, judge]
        # One task: the same rankings each time, which the methods see and use.
        rankings = positions[task] if tasks > 1 else np.broadcast_to(positions, (len(task), judges, length))
        lists = np.stack([own, backwards(own)], axis=1)
        scores = method(rankings, left, lists, brief=True, **({"seed": seed} if _seeded(method) else {})).values
        if of_sets(method):
            scores[:, 1] = random_sets(rankings, left, sizes[task, judge], items[task], method, seed)
        out[task, judge] = np.where(left.any(axis=1), scores[:, 0] - scores[:, 1], np.nan) / _width(method)
    return out


def bounds(method: Method) -> tuple[float, float]:
    """What ED lies between; weighted correlation, whose weights may be negative, knows no bounds."""
    at_worst = method.declaration.limits(method, {"negative_weights": [True]})
    return (-1.0, 1.0) if math.isfinite(sum(at_worst)) else UNBOUND


def _seeded(method: Method) -> bool:
    """Whether the method may have to sample."""
    return "seed" in method.declaration.keywords


def _width(method: Method) -> float:
    """How far apart a method's best and worst score are; a weighted mean of correlations is taken for a correlation."""
    low, high = method.declaration.range
    return high - low if math.isfinite(high - low) else 2.0


def tried(core: Core, counts: Array, items: int, most: int | None = None) -> Array:
    """Which judges' orders are scored, ``[task, judge]``: as many as the budget has, drawn at random, or ``most``."""
    tasks, judges = counts.shape
    number = max(core.budget.tasks(COST * tasks * judges * items * items), LEAST)
    number = min(number, judges if most is None else most)
    if number >= judges:
        return np.asarray(counts > 0)
    return np.asarray(core.some_of((counts > 0).astype(float), number, core.stream("tried", tasks, judges, items)) > 0)


def sampled(core: Core, parts: Sequence[Stack], methods: Sequence[Method], called: str = "ED") -> tuple[str, ...]:
    """Notes: where not all judges' orders are tried, and where patterns are too many to count."""
    some, of = 0, 0
    names: list[str] = []
    notes = []
    for m in methods:
        shapes = [(p.counts, _slow_on(p.positions, p.counts, m)) for p in parts]
        tries = [c > 0 if items is None else tried(core, c, items) for c, items in shapes]
        mine, all_of = sum(int(t.sum()) for t in tries), sum(int((c > 0).sum()) for c, _ in shapes)
        if mine < all_of:
            some, of, names = mine, all_of, [*names, str(m)]
        slow = [p for p, (_, items) in zip(parts, shapes, strict=True) if items is not None]
        guessed = sum(_estimated(p, m, core.options.seed) for p in slow)
        if guessed:
            tasks = sum(len(p.tasks) for p in parts)
            notes.append(f"{called} of {m}: too many patterns on {guessed} of {tasks} tasks; some are drawn (--seed)")
    if names:
        notes.append(
            f"{called} of {', '.join(names)}: the orders of {some:,} of {of:,} judges are tried, drawn at random"
        )
    return tuple(notes)


def _estimated(part: Stack, method: Method, seed: int) -> int:
    """On how many tasks the method is an estimate; as an example each task's first order is scored."""
    if not _seeded(method):
        return 0
    found = method(part.positions, part.counts, part.positions[:, :1], seed=seed).details.get("estimated")
    return 0 if found is None else int(found.sum())


def _slow_on(positions: Array, counts: Array, method: Method) -> int | None:
    """How many items a task has where scoring every judge's order takes long; None where it does not."""
    if _few_sets(positions, counts, method) or OwnOrders(positions, counts).fits(method):
        return None
    return int(_of_use(positions, counts, method).shape[2])


def _of_use(positions: Array, counts: Array, method: Method) -> Array:
    """Of patterns, only the items that can be part of one, whoever is left out."""
    if not by_patterns(method):
        return positions
    p: dict[str, Any] = method.parameters
    quorum = need(p["min_sup"], np.maximum(counts.sum(axis=1, keepdims=True) - 1, 0))
    return only(positions, supported(positions, counts, quorum, least=1))


def _at_once(positions: Array, counts: Array, method: Method) -> Array | None:
    """Correlations for all judges at once, and patterns of short lists; None of other methods."""
    if _few_sets(positions, counts, method):
        p: dict[str, Any] = method.parameters
        rule, quorum = Rule(p["min_len"], p["max_len"], p["w_len"], p["w_sup"]), need(p["min_sup"], counts[:1, 1:])
        if positions.shape[2] <= SHORT:
            own, reverse = without_own(positions, backwards(positions), int(quorum[0]), rule)
            return own - reverse
    orders = OwnOrders(positions, counts)
    return orders.by(method) if orders.fits(method) else None


def _few_sets(positions: Array, counts: Array, method: Method) -> bool:
    """Whether enough judges are so few sets, and items so few, that no judge's order need be left untried."""
    if method.name != "frespa" or not (counts == 1).all():
        return False
    p: dict[str, Any] = method.parameters
    _, judges, items = positions.shape
    quorum = int(need(p["min_sup"], counts[:1, 1:])[0])
    plain = p["min_len"] == 2 and (p["max_len"] is None or p["max_len"] >= items)
    if not plain or not 2 <= judges <= 16 or sum(math.comb(judges, u) for u in range(quorum, judges + 1)) > SETS:
        return False
    if items <= ITEMS:
        return True
    kept = supported(positions, counts, np.full(len(counts), quorum), least=2)
    return kept is not None and kept.shape[1] <= ITEMS


def by_task(values: Array, counts: Array) -> Array:
    """The mean over judges where it is defined, ``[task]``."""
    weight = np.where(np.isnan(values), 0, counts)
    return quotient((np.nan_to_num(values) * weight).sum(axis=-1), weight.sum(axis=-1))


@dataclass(frozen=True, eq=False)
class Differences:
    """What every judge's order scores more than its reverse, on all tasks: ED is the mean over judges, then tasks."""

    parts: Sequence[tuple[Stack, Array]]  # tasks of one shape, and ``[task, judge]`` of each

    @cached_property
    def by_task(self) -> Array:
        """ED of every task, in their order."""
        order = np.argsort(np.concatenate([p.tasks for p, _ in self.parts]), kind="stable")
        return np.concatenate([by_task(values, p.counts) for p, values in self.parts])[order]

    def drawn(self, weights: Weights) -> Array:
        """ED in panels drawn. A judge counts twice, by the own order and in scoring the others': what drawing judges
        changes in the mean over own orders is taken twice."""
        same = self._mean(replace(weights, judges=None))
        return same if weights.judges is None else same + 2 * (self._mean(weights) - same)

    def _mean(self, weights: Weights) -> Array:
        """The mean over judges, then tasks, each as often as drawn, ``[draw]``; random judges are there always."""
        total, of = np.zeros((2, weights.draws))
        for p, values in self.parts:
            often = p.counts[None]
            if weights.judges is not None:
                often = np.where(p.judges >= 0, weights.judges[:, p.judges], 1.0) * p.counts
            seen = np.broadcast_to(by_task(values, often), (weights.draws, len(p.tasks)))
            times = np.isfinite(seen) * (1.0 if weights.tasks is None else weights.tasks[:, p.tasks])
            total += (np.nan_to_num(seen) * times).sum(axis=1)
            of += times.sum(axis=1)
        return quotient(total, of)


def of_each(
    design: OrderingDesign, method: Callable[[Stack], Method], core: Core, most: int | None = None
) -> Differences:
    """The differences by a method, which may depend on the size of the task, of at most so many judges' orders."""
    choose = partial(tried, core, most=most)
    return Differences(
        [(p, differences(p.positions, p.counts, method(p), core.options.seed, choose)) for p in design.parts]
    )


def of_all(design: OrderingDesign, methods: Sequence[Method], core: Core) -> list[Differences]:
    """The differences by each method: what several methods need is computed once."""
    return [each[0] for each in of_panels([design], methods, core)]


def of_panels(panels: Sequence[OrderingDesign], methods: Sequence[Method], core: Core) -> list[list[Differences]]:
    """The same of several panels whose parts have the same shapes, ``[method][panel]``."""
    if all(not m.has("missing") or m["missing"] == "unknown" for m in methods):  # absent items make no difference
        panels = [panel.padded for panel in panels]
    parts = list(zip(*(panel.parts for panel in panels), strict=True))
    found = [_together(same, methods, core) for same in parts]
    return [
        [
            Differences([(same[k], each[m, k]) for same, each in zip(parts, found, strict=True)])
            for k in range(len(panels))
        ]
        for m in range(len(methods))
    ]


def _together(parts: Sequence[Stack], methods: Sequence[Method], core: Core) -> Array:
    """The differences of parts of the same shape, ``[method, part, task, judge]``; in one call where all are tried."""
    tasks, judges, items = parts[0].shape
    if len(parts) == 1 or not tried(core, np.ones((tasks, judges), np.int64), items).all():
        return np.stack([_of_all(part, methods, core, partial(tried, core)) for part in parts], axis=1)
    columns = {f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(parts[0])}
    each = _of_all(Stack(**columns), methods, core, lambda counts, items: counts > 0)
    return each.reshape(len(methods), len(parts), tasks, judges)


def estimate(
    repeats: Sequence[Differences],
    design: OrderingDesign,
    m: Method,
    over: str,
    core: Core,
    *names: object,
    **labels: Any,
) -> Estimate:
    """ED, the mean over repeats where there are several, with its interval over tasks, judges, or both."""
    seen = np.mean([d.by_task for d in repeats], axis=0)
    if over == "tasks":
        return core.mean(seen, *names, range=bounds(m), labels=labels)
    value, judges, tasks = float(core.brief.mean(seen).value), int(design.voters.sum()), int(np.isfinite(seen).sum())
    between = None
    if judges > 2 and (over == "judges" or tasks > 1):
        drawn = drawn_eds(repeats, design, over, core, *names)
        between = core.interval(value, drawn, over, min(judges, tasks) if "tasks" in over else judges, bounds(m))
    return core.figure(value, labels, between)


def drawn_eds(repeats: Sequence[Differences], design: OrderingDesign, over: str, core: Core, *names: object) -> Array:
    """ED in panels whose judges, or tasks and judges, are drawn with replacement, ``[draw]``."""
    work = sum(p.counts.size for d in repeats for p, _ in d.parts)
    draws, rng = core.budget.draws(work), core.stream("judges", *names)
    found = []
    for a in range(0, draws, step := max(1, CELLS // max(work, 1))):
        weights = core.bootstrap(design, over, min(step, draws - a), rng)
        found.append(np.mean([d.drawn(weights) for d in repeats], axis=0))
    return np.concatenate(found) if found else np.zeros(0)


def _of_all(part: Stack, methods: Sequence[Method], core: Core, choose: Choose) -> Array:
    """The differences of a part by each method, ``[method, task, judge]``, of judges that ``choose`` says."""
    tasks, judges, _ = part.shape
    by_pairs = [OwnOrders(part.positions, part.counts).fits(m) for m in methods]
    each = np.full((len(methods), tasks, judges), np.nan)
    for k, m in enumerate(methods):
        if not by_pairs[k]:
            each[k] = differences(part.positions, part.counts, m, core.options.seed, choose)
    step = max(1, CELLS // judges**2)
    for a in range(0, tasks if any(by_pairs) else 0, step):
        orders = OwnOrders(part.positions[a : a + step], part.counts[a : a + step])  # computes every two judges once
        for k in np.flatnonzero(by_pairs).tolist():
            each[k, a : a + step] = orders.by(methods[k])
    return each


@method(
    "orderings",
    "trust",
    "discriminativeness",
    range=UNBOUND,  # up to 1, but for weighted correlation with its negative weights
    scale=(-1.0, 1.0),
    higher="good orders are told from bad ones more clearly",
    default=True,
    reference=REFERENCE,
    parameters={"of": OF},
    relabelling=True,
    cost=lambda judges, items: COST * judges,
    note=Note(
        "Choosing among quality methods on your own panel: which tells good orders from bad?",
        "It asks only for the easiest distinction, an order and its reverse; a high ED does not mean fine "
        "differences are seen.",
        "ED = mean over judges of S(the judge's order) - S(that order reversed); S = the score by the other judges, "
        "correlations c as (c + 1) / 2; of sets, less the mean S of as many items drawn at random",
    ),
)
def discriminativeness(design: OrderingDesign, core: Core, *, of: str = "all") -> Trusted:
    """ED: how far apart a quality method scores a judge's order and its reverse, by the other judges."""
    over = core.over(design, *OVER, usual=design.over)
    compared, notes = fewer_judges(design, "ED", core)
    methods, left = quality_with_room(of, compared, "ED", core)
    some = affordable(compared, methods, core)
    keys: dict[str, list[Any]] = {"task": [], "of": []}
    values: list[float] = []
    found = []
    for m, each in zip(methods, of_all(some, methods, core), strict=True):
        keys["task"] += some.tasks
        keys["of"] += [str(m)] * len(some.tasks)
        values += each.by_task.tolist()
        found.append(estimate([each], some, m, over, core, "discriminativeness", m, of=str(m)))
    notes += sampled(core, some.parts, methods) + contradicted(some, methods)
    return Trusted(keys, values, found, notes=notes + left + on_some_tasks("ED", some, design))


def quality_with_room(of: str, design: OrderingDesign, called: str, core: Core) -> tuple[list[Method], tuple[str, ...]]:
    """The quality methods that a text stands for; of all those that have room, and a note of the others."""
    methods = quality(of, design)
    return core.with_room(methods, design, called) if of == ALL else (methods, ())


def fewer_judges(design: OrderingDesign, called: str, core: Core) -> tuple[OrderingDesign, tuple[str, ...]]:
    """At most so many judges on a task, where work grows with their square; and a note."""
    rows = max(p.shape[1] for p in design.parts)
    some = design.fewer_judges(JUDGES, core.stream("judges", rows))
    note = f"{called}: with {JUDGES:,} of {rows:,} judges on a task, drawn at random to keep within the time"
    return some, (note,) if rows > JUDGES else ()


def affordable(design: OrderingDesign, methods: Sequence[Method], core: Core) -> OrderingDesign:
    """All tasks, or as many as the budget has where orders are scored one by one, a few on every task."""
    slow = [p for p in design.parts if any(_slow_on(p.positions, p.counts, m) is not None for m in methods)]
    work = sum(COST * LEAST * p.shape[0] * p.shape[1] * p.shape[2] ** 2 for p in slow)
    return core.some_tasks(design, max(core.budget.tasks(work / len(design.tasks)), TASKS), "discriminativeness")


def on_some_tasks(called: str, some: OrderingDesign, of: OrderingDesign) -> tuple[str, ...]:
    """A note, where not all tasks were looked at."""
    few, every = len(some.tasks), len(of.tasks)
    return () if few == every else (f"{called}: on {few:,} of {every:,} tasks, drawn at random",)


def contradicted(design: OrderingDesign, methods: Sequence[Method]) -> tuple[str, ...]:
    """Notes, where judges whom the others contradict weigh otherwise than by their correlation."""
    found: dict[str, list[str]] = {}
    for m in methods:
        if m.has("negative") and m["negative"] != "keep":
            some = design.joined if m["missing"] == "unknown" else design
            tasks = int((some.each_task(partial(_contradicted, m)) > 0).sum())
            rule = "weigh 0" if m["negative"] == "clip" else "weigh less than half of what others can"
            where = f", on {tasks:,} of {len(design.tasks):,} tasks" if len(design.tasks) > 1 else ""
            if tasks:
                found.setdefault(rule + where, []).append(str(m))
    return tuple(f"ED of {', '.join(ms)}: judges who contradict the others {rule}" for rule, ms in found.items())


def _contradicted(m: Method, part: Stack) -> Array:
    """How many judges of each task the others contradict."""
    return np.asarray(m(part.positions, part.counts, part.positions[:, :1]).details["negative_weights"])


def discriminate(rankings: Rankings, of: str = "frespa", *, seed: int = 0) -> float:
    """ED of a quality method on one task: its score of a judge's order less that of the reverse, by the other judges.

    1 when every judge's order gets the best score and its reverse the worst; about 0 among random orders.

    >>> round(discriminate(["abcd", "abdc", "bacd"], "average_correlation(measure=tau)"), 4)
    0.5556
    """
    task = one_task(rankings)
    chosen = quality(str(OF.check(of)))[0]
    return float(by_task(differences(task.positions, task.counts, chosen, seed), task.counts)[0])
