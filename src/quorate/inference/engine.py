"""From a method and a design to estimates: the value, its interval over the units asked for, and its null.

Everything that is computed of a method, other than its formula, is computed here, for every kind and question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import NULLS, Budget, batch, split
from quorate.inference.estimate import Estimate, Interval, Null
from quorate.inference.intervals import drawn_variance, intervals, jackknife_variance, student
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.samples import of_some_items, sampled
from quorate.inference.task_means import groups, nested, over_tasks, task_sums
from quorate.inference.weights import Draws, bootstrap, counted_at_once, leave_one_out, stream, units_alike
from quorate.kernels.defined import quotient
from quorate.panel.design import Design, Values, Weights
from quorate.panel.rows import VoterDesign
from quorate.panel.task_design import VOTERS, TaskDesign
from quorate.table import Method

Array = NDArray[Any]
COUNTED = 16  # numbers held for a judge in a draw, where every two are compared once
JUDGES = 300  # of very many, in whom a method that samples them is permuted
MANY = 10**6  # rows, beyond which columns stay arrays: as lists they would take four times the room
HALVED = 4  # items of a task, of fewer a half says nothing
FEW_UNITS = 1 << 16  # units in all draws together, up to which draws are kept for the next task
KEPT = 40  # draws of judges that are kept to be met again: three judges can be drawn in ten ways, four in 35
LEAST = {"tasks": 2, "judges": 3, "items": 2, "systems": 2}  # units, of fewer there is no interval


@dataclass(frozen=True, eq=False)
class Figures:
    """What a method says of a design: rows, and the mean over tasks of the rows that belong together."""

    method: Method
    design: Design
    seen: Values
    value: Array  # [figure]
    keys: dict[str, Array]  # numbers of the figure's judge, system or item; none where there is one figure
    number: Array  # [figure] tasks on which it is defined
    apart: bool = False  # whether every row is a figure of its own

    @classmethod
    def of(cls, method: Method, design: Design) -> Figures:
        """The figures of the panel as it is."""
        design = design.prepared(method)
        seen = nested(design.values(method), design.units_of_task)
        group, keys = groups(seen)
        defined = np.isfinite(seen.array[0]).astype(float)
        number = np.bincount(group, defined, int(group.max(initial=-1)) + 1) if len(group) else np.zeros(0)
        number = seen.rests.get("tasks", number)
        return cls(method, design, seen, over_tasks(seen)[0], keys, number.astype(np.int64))

    @property
    def told(self) -> Sequence[Any]:
        """The rows' values as they are shown."""
        if self.seen.exact is not None:
            return self.seen.exact
        found = self.seen.array[0]
        return found.tolist() if len(found) <= MANY else found  # type: ignore[no-any-return]

    def each_row(self) -> Figures:
        """The same with every row as a figure of its own: what it would be with other judges."""
        defined = np.isfinite(self.seen.array[0]).astype(np.int64)
        return replace(self, value=self.seen.array[0], keys=dict(self.seen.keys), number=defined, apart=True)

    def drawn(self, weights: Weights) -> Array:
        """The figures in every draw, ``[draw, figure]``."""
        if self.apart:
            return self.design.values(self.method, weights).array
        fixed = weights.judges is None and weights.units is None and weights.systems is None
        if fixed and "task" in self.seen.keys:
            return over_tasks(self.seen, weights.tasks, None if weights.tasks is None else self._task_sums)
        return over_tasks(nested(self.design.values(self.method, weights), self.design.units_of_task), weights.tasks)

    def in_turn(self, over: str, sizes: Sequence[int], rng: np.random.Generator) -> Iterator[Array]:
        """The figures in so many draws at a time, ``[draw, figure]``.

        Few judges can be drawn in few ways: where draws are so much work that they are made one by one, judges who were
        drawn before, as often, are not asked again.
        """
        known: dict[bytes, Array] = {}
        for k in sizes:
            weights = bootstrap(self.design, over, k, rng)
            if k > 1 or over != "judges" or weights.judges is None:
                yield self.drawn(weights)
                continue
            who = weights.judges.tobytes()
            found = known[who] if who in known else self.drawn(weights)
            if len(known) < KEPT:
                known[who] = found
            yield found

    @cached_property
    def _task_sums(self) -> tuple[Array, Array] | None:
        return task_sums(self.seen)

    # -- intervals --------------------------------------------------------------------------------------------------

    def over(self, options: Options) -> str:
        """What is drawn: as asked, or as the method or else the design has it."""
        own = self.method.declaration.properties.get("over")
        asked = options.over and self.design.drawn_as(options.over)
        return asked or (own(self.design) if callable(own) else own) or self.design.over

    def sample(self, options: Options) -> tuple[str, Array, Array]:
        """What is drawn, how many units each figure rests on, and the figures drawn, ``[draw, figure]``."""
        over, units, drawn = self.draws(options)
        return over, units, drawn.every

    def draws(self, options: Options) -> tuple[str, Array, Draws]:
        """The same with draws that are the same held once."""
        over = self.over(options)
        if isinstance(self.design, TaskDesign) and "items" in over.split("x"):
            over, units, halves = self._halves(over, options)
            return over, units, Draws.of([halves])
        units, none = self.units(over), np.zeros((0, len(self.value)))
        least = LEAST[over.split("x")[0]] - (self.method.question == "judges" and over == "judges")  # of the others
        if (units < least).all() or not np.isfinite(self.value).any():
            return over, units, Draws.of([none])
        whole, own = self._voters_apart() if "judges" in over else (self, slice(None))
        number = draws_of(self.method, whole.design, options, whole.work(over))
        step = batch(whole.room(over) + len(whole.value))
        step = min(step, counted_at_once(len(whole.design.tasks))) if over == "tasks" else step
        if over == "items" and number <= step and self._few_alike(number):
            found = [self.drawn(units_alike(options.seed, self.method, self.design.units, number))] if number else []
        else:
            rng = stream(options.seed, "interval", self.method)
            found = list(whole.in_turn(over, split(number, step), rng))
        found = [some[:, own] for some in found] if own != slice(None) else found or [none]
        return over, units, Draws.of(found, units < least)

    def _few_alike(self, number: int) -> bool:
        """Whether so many draws are of few units that are all alike: tasks with as many of them share draws."""
        alike = self.design.strata is None and self.design.unit_counts is None
        return alike and number * self.design.units <= FEW_UNITS

    def _halves(self, over: str, options: Options) -> tuple[str, Array, Array]:
        """The same where items of the tasks are drawn: half of them, without replacement, spread a figure as far as as
        many others would. What else is drawn is added. Patterns grow with the items: their number has no such spread.
        """
        units, none = self.units(over), np.zeros((0, len(self.value)))
        design, others = cast(TaskDesign, self.design), [unit for unit in over.split("x") if unit != "items"]
        base = self.sample(replace(options, over="x".join(others)))[2] if others else self.value[None]
        grows = math.isinf(self.method.declaration.range[1]) and self.method.sign > 0
        if grows or not len(base) or min(p.codes("item").shape[1] for p in design.parts) < HALVED:
            return over, units, none
        rng, work = stream(options.seed, "items", self.method), self.work("judges")
        number = budget_of(options).draws(work)
        found = [none]
        for k in split(number, batch(work)):
            found.append(self.of_copies(design.half_of_items(rng, k), k))
        drawn = np.concatenate(found)
        known = np.isfinite(drawn)
        mean = quotient(np.where(known, drawn, 0.0).sum(axis=0), known.sum(axis=0))
        return over, units, drawn - mean + base[np.arange(number) % len(base)]

    def of_copies(self, design: TaskDesign, copies: int) -> Array:
        """The figures of so many copies of all tasks, changed in some way, ``[copy, figure]``."""
        values = self._in_copies(design.values(self.method), copies)
        return over_tasks(nested(values, self.design.units_of_task))

    def _in_copies(self, values: Values, copies: int) -> Values:
        """Values of so many copies of all tasks as draws of the figures' own rows; NaN where a copy lacks a row."""
        tasks, names = len(self.design.tasks), [n for n in values.keys if n != "task"]

        def place(keys: Mapping[str, Array]) -> Array:
            out = keys["task"] % tasks
            for n in names:
                out = out * (int(self.seen.keys[n].max(initial=0)) + 1) + keys[n]
            return np.asarray(out)

        own = place(self.seen.keys)
        order = np.argsort(own)
        row, copy = order[np.searchsorted(own[order], place(values.keys))], values.keys["task"] // tasks
        array = np.full((copies, len(own)), math.nan)
        array[copy, row] = values.array[0]
        mass = None if values.mass is None else np.zeros(array.shape)
        if mass is not None and values.mass is not None:
            mass[copy, row] = values.mass[0]
        return Values(array, self.seen.keys, mass=mass)

    def _voters_apart(self) -> tuple[Figures, Any]:
        """The same of a design with a row for every judge, unless they are too many, and which figures are these.

        A row for three and three rows for one are then drawn alike: a judge who is drawn twice is no pair of his own.
        Where a method compares some of very many judges, it is these who are drawn: as far as its value may be off.
        """
        design = self.design
        if isinstance(design, VoterDesign) and "judge" not in self.keys:
            some = design.sampled_judges(self.method)
            if some is not design:
                return Figures.of(self.method, some), slice(None)
        if not isinstance(design, VoterDesign) or not design.counted or design.voters.sum() > VOTERS:
            return self, slice(None)
        whole = Figures.of(self.method, design.voters_apart())
        if "judge" not in self.keys:
            return whole, slice(None)
        first = {name: k for k, name in reversed(list(enumerate(whole.design.judges)))}  # of a row one judge
        return whole, [first[design.judges[j]] for j in self.keys["judge"].tolist()]

    def intervals(
        self,
        options: Options,
        sample: tuple[str, Array, Array | Draws] | None = None,
        range: tuple[float, float] | None = None,
    ) -> list[Interval | None]:
        """Each figure's interval over the units that options name, or else the design does."""
        inside = range or self.method.declaration.range
        way = self.method.declaration.properties.get("interval")
        # Of a mean over pairs of judges draws spread too little: one who is drawn twice makes pairs fewer.
        if way == "student" or (way == "jackknife" and sample is None and self.over(options) == "judges"):
            return self._student(options, inside)
        over, units, drawn = sample or self.sample(options)
        # Numbers of patterns double with every item; a distance without an end does not.
        log = inside[1] == math.inf and over == "judges" and self.method.question == "agreement"
        log = log and self.method.sign > 0
        over = self._called(over)
        return intervals(self.value, drawn, units, level=options.level, over=over, range=inside, log=log)

    def _called(self, over: str) -> str:
        """What is drawn, as the design calls it."""
        return over.replace("items", self.design.units_called).replace("tasks", self.design.tasks_called)

    def _student(self, options: Options, range: tuple[float, float]) -> list[Interval | None]:
        """Each figure's interval by Student's t, from the error that every unit alone makes."""
        over = self.over(options)
        found = [self._variance(unit, options) for unit in over.split("x")]
        draws = max(made for *_, made in found)
        if not draws:
            return [None] * len(self.value)
        return [
            student(
                v,
                [(float(variance[k]), int(units[k])) for variance, units, *_ in found],
                v + sum(float(mean[k]) - v for _, _, mean, _ in found),
                level=options.level,
                over=self._called(over),
                draws=draws,
                range=range,
            )
            for k, v in enumerate(self.value.tolist())
        ]

    def _variance(self, unit: str, options: Options) -> tuple[Array, Array, Array, int]:
        """The variance that drawing a unit makes, how many there are, the draws' mean, and how many draws were made.

        Judges are left out in turn: one drawn twice would agree with himself.
        """
        if unit != "judges":
            _, units, drawn = self.sample(replace(options, over=unit))
            variance, mean = drawn_variance(drawn, units)
            return variance, units, mean, len(drawn)
        units, nobody = self.units(unit), np.full(len(self.value), math.nan)
        if not options.resamples or (units < LEAST[unit]).all():
            return nobody, units, nobody, 0
        whole, own = self._voters_apart()
        weights = leave_one_out(whole.design)
        without = whole.drawn(weights)[:, own]
        return np.where(units < LEAST[unit], math.nan, jackknife_variance(without)), units, self.value, weights.draws

    def units(self, over: str) -> Array:
        """How many units each figure rests on, ``[figure]``: of two crossed the fewer."""
        found = []
        for unit in over.split("x"):
            if unit == "tasks":
                found.append(np.minimum(self.seen.rests.get("clusters", self.outermost), self.number))
            elif unit in self.seen.rests:
                found.append(self.seen.rests[unit])
            else:
                number = {"judges": int(self.design.voters.sum()), "systems": self.design.drawn_systems}
                number |= {"items": self.design.items_in_tasks} if isinstance(self.design, TaskDesign) else {}
                size = number.get(unit, self.design.units)
                found.append(np.full(len(self.value), size - (self.method.question == "judges")))
        return np.asarray(np.minimum.reduce(found))

    @property
    def outermost(self) -> Array:
        """How many outermost units each figure is defined in, ``[figure]``: tasks, where they are not nested."""
        if not self.design.nesting:
            return self.number
        if "task" not in self.seen.keys:
            return np.full(len(self.value), len(np.unique(self.design.units_of_task[0])))
        return np.asarray(np.isfinite(self.table[1]).sum(axis=0))

    @property
    def table(self) -> tuple[list[Hashable], Array]:
        """The rows by task, ``[task, figure]``, and the tasks' names; where tasks are nested, by outermost unit."""
        design, group = self.design, groups(self.seen)[0]
        task, clusters = self.seen.keys["task"], design.units_of_task[0] if design.nesting else None
        if clusters is None:
            out = np.full((len(design.tasks), len(self.value)), math.nan)
            out[task, group] = self.seen.array[0]
            return list(design.tasks), out
        names = list(dict.fromkeys(design.nesting[t][0] for t in design.tasks))
        out = np.full((len(names), len(self.value)), math.nan)
        for unit in range(len(names)):
            mine = np.flatnonzero(clusters[task] == unit)
            if len(mine):
                mass = None if self.seen.mass is None else self.seen.mass[:, mine]
                some = replace(self.seen, array=self.seen.array[:, mine], mass=mass)
                some = replace(some, keys={n: column[mine] for n, column in self.seen.keys.items()})
                out[unit, np.unique(group[mine])] = over_tasks(some)[0]
        return names, out

    def work(self, over: str) -> float:
        """What one draw costs: sums alone where tasks are drawn, or judges of whom every two are compared once."""
        if over == "tasks" and "task" in self.seen.keys:
            return float(len(self.seen.array[0]))
        if over == "judges" and self.method.declaration.properties.get("weighs_pairs"):
            return float(sum(p.counts.size * p.counts.shape[1] for p in self.design.parts))
        return float(self.design.work_of(self.method))

    def room(self, over: str) -> float:
        """Numbers held for one draw: of judges of whom every two are compared once, or whose answers are looked at once
        for all draws (``looks_once=``), what each counts for."""
        known, parts = self.method.declaration.properties, self.design.parts
        looks = known.get("looks_once")
        once = known.get("weighs_pairs") or (looks is not None and all(looks(*p.shape[1:]) for p in parts))
        if over == "judges" and once:
            return float(COUNTED * sum(p.counts.size for p in parts))
        return min(self.work(over), self.design.room_of(self.method))

    # -- chance -----------------------------------------------------------------------------------------------------

    def nulls(
        self,
        options: Options,
        permuted: Callable[[Design, np.random.Generator, int], Values] | None = None,
        *,
        own: bool = False,
        rows: bool = False,
    ) -> list[Null | None]:
        """What permuted designs give: ``permuted(design, rng, copies)``, by default of every judge's answers; with
        ``own`` each judge's figure with that judge's answers permuted and the others as they are.

        Of very many tasks chance is known well enough from some, drawn at random. With ``rows`` those of the rows
        follow, from the same draws: as many as the figures need.
        """
        seen = np.concatenate([self.value, self.seen.array[0]]) if rows else self.value
        by_sample = permuted is None or isinstance(self.design, TaskDesign)
        some = sampled(self.design, options.seed) if by_sample else None
        plain = permuted is None and not own
        if some is None and plain and isinstance(self.design, VoterDesign) and not rows:
            fewer = self.design.sampled_judges(self.method, JUDGES)
            some = None if fewer is self.design else fewer
        if some is None and not rows and self.method.declaration.properties.get("some_items"):
            fewer_items = of_some_items(self.design, options.seed)
            some = None if fewer_items is self.design else fewer_items
        if some is not None:
            part = Figures.of(self.method, some)
            part = replace(part, value=self.value) if len(some.tasks) == len(self.design.tasks) else part
            known = dict(zip(part.names(), part.nulls(options, permuted, own=own), strict=True))
            return [*(known.get(name) for name in self.names()), *[None] * (len(seen) - len(self.value))]
        design, which = (self.design, None) if rows or "system" not in self.keys else self.design.alike_by_chance()
        design = design.one_each() if plain else design
        most = budget_of(options).nulls(design.null_work(self.method))
        if most < 1 or not np.isfinite(self.value).any():
            return [None] * len(seen)
        rng = stream(options.seed, "null", self.method)
        shared = design.shared_permutations(self.method, options.seed, own) if permuted is None else None
        make = permuted or (self._own_permuted if own else self._all_permuted)
        make = make if shared is None else (lambda design, rng, copies: shared(copies))
        step = batch(min(design.null_work(self.method), design.room_of(self.method)))
        column = slice(None) if which is None else np.unique(which[self.keys["system"]], return_inverse=True)[1]

        def draw(number: int) -> Array:
            made = (by_copy(make(design, rng, k), k, len(design.tasks)) for k in split(number, step))
            found = (nested(values, design.units_of_task) for values in made)
            return np.concatenate([np.hstack([over_tasks(v), *([v.array] if rows else [])]) for v in found])[:, column]

        return sequential(draw, seen, most, self.method.sign, deciding=len(self.value))

    def _all_permuted(self, design: Any, rng: np.random.Generator, copies: int) -> Values:
        """What so many copies of a design give with everybody's answers permuted."""
        return design.permuted(rng, copies).values(self.method)  # type: ignore[no-any-return]

    def _own_permuted(self, design: Any, rng: np.random.Generator, copies: int) -> Values:
        """The same of every judge with the judge's own permuted and the others' as they are."""
        permuted = design.permuted(rng, copies)
        return design.one_by_one(VOTERS).values_instead(self.method, permuted)  # type: ignore[no-any-return]

    def names(self) -> list[tuple[int, ...]]:
        """What tells the figures apart: numbers of judge, system or item."""
        columns = [column.tolist() for column in self.keys.values()]
        return list(zip(*columns, strict=True)) if columns else [()] * len(self.value)


def by_copy(values: Values, copies: int, tasks: int) -> Values:
    """Values of so many copies of all tasks in a row, as those of so many draws."""
    if "task" not in values.keys:
        return values
    order = np.argsort(values.keys["task"] // tasks, kind="stable")

    def apart(array: Array | None) -> Array | None:
        return None if array is None else array[0][order].reshape(copies, -1)

    array = values.array[0][order].reshape(copies, -1)
    keys = {n: column[order][: array.shape[1]] for n, column in values.keys.items()}
    return Values(array, {**keys, "task": keys["task"] % tasks}, mass=apart(values.mass))


def budget_of(options: Options) -> Budget:
    """The budget that options leave."""
    usual = options.permutations == Options.__dataclass_fields__["permutations"].default
    return Budget(options.resamples, NULLS if usual else options.permutations, options.seconds)


def draws_of(method: Method, design: Design, options: Options, work: float) -> int:
    """How many draws, each of so much work: as the budget has it.

    A method may declare up to how many items of a task they are made at any cost; of more, there are none where the
    fewest that tell anything would take much longer than planned.
    """
    budget, up_to = budget_of(options), method.declaration.properties.get("draws_up_to")
    number = budget.draws(work)
    large = up_to is not None and any(part.shape[2] > up_to for part in design.parts)
    return 0 if large and not budget.affords(work, number) else number


def estimates(
    figures: Figures,
    options: Options,
    *,
    chance: Sequence[Null | None] | None = None,
    labels: Callable[[int], dict[str, Any]] = lambda k: {},
) -> list[Estimate]:
    """The figures as estimates, in the order of their keys; ``chance``: their nulls, where they are known."""
    between = figures.intervals(options)
    chance = figures.nulls(options) if chance is None else chance
    return [
        Estimate(_number(figures, k), between[k], chance[k], labels(k), n=int(figures.number[k]))
        for k in range(len(between))
    ]


def _number(figures: Figures, k: int) -> float | int:
    """The value of a figure; where it is that of one row, exact."""
    if len(figures.told) == 1:
        return figures.told[0]  # type: ignore[no-any-return]
    return float(figures.value[k])
