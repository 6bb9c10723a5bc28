"""Scores as a design: units that judges score, and formulas that are functions of how often each unit counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import used
from quorate.kernels.reliability import grouped
from quorate.kernels.streams import sample
from quorate.panel.beside_people import people_and_models, said_beside_people
from quorate.panel.coefficient import Additive, Coefficient, additive
from quorate.panel.design import ONCE, Design, Manner, PooledDesign, Values, Weights, exchanged_names
from quorate.panel.judge_cells import AdditiveByJudge, JudgeCells, Known, by_judge, cells_of, known_of, told
from quorate.panel.kinds import Scores
from quorate.panel.residuals import Errors
from quorate.panel.score_facts import inside_by_task
from quorate.panel.score_manners import ScoreManners, levelled
from quorate.panel.score_repairs import repairs
from quorate.panel.units import Units, both_kinds, by_criterion, redrawn
from quorate.table import Method

Array = NDArray[Any]
DRAWING = 8  # steps that drawing a unit takes, about
PERMUTING, BEGIN = 40, 3 * 10**5  # steps of permuting a value and looking at it again, and of beginning to
NEAR = 1e-9  # of the spread of scores: rounding
VALUES = 20_000  # from which chance is known well enough


@dataclass(frozen=True, eq=False)
class ScoreDesign(PooledDesign):
    """Scores of one criterion: a unit is scored by some of the judges. Several parts are copies, each permuted."""

    kind: ClassVar[str] = "scores"

    parts: tuple[Units, ...]
    known: dict[Method, Coefficient] = field(default_factory=dict)  # what methods said of the units as they are
    centre: float = 0.0  # the first score: sums of squares about one of the scores lose no digits

    @classmethod
    def of(cls, panel: Scores) -> list[ScoreDesign]:
        """The designs of a panel, one for each criterion; of a judge's repeats on a unit the first."""
        return [cls.around(units) for units in by_criterion(panel)]

    @classmethod
    def around(cls, units: Units) -> ScoreDesign:
        """The design of some units."""
        labels = {} if units.criterion is None else {"criterion": units.criterion}
        centre = float(units.value[0]) if len(units) else 0.0
        return cls(units.tasks, units.judges, units.items, (units,), labels, centre=centre)

    @property
    def scores(self) -> Units:
        """The units as they are."""
        return self.parts[0]

    @property
    def place(self) -> Array:
        """The task of every unit."""
        return self.scores.task

    @cached_property
    def counted(self) -> bool:
        """Whether some rows stand for several judges."""
        return self.scores.count is not None

    @cached_property
    def voters(self) -> Array:
        """How many judges each name stands for, ``[judge]``, on the unit where that is most."""
        return self.scores.behind

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges did each task, ``[task]``."""
        task, judge = self._pairs
        return np.bincount(task, self.voters[judge], len(self.tasks)).astype(np.int64)

    @cached_property
    def tasks_of_judge(self) -> Array:
        """How many tasks each judge did, ``[judge]``."""
        return np.bincount(self._pairs[1], minlength=len(self.judges))

    @cached_property
    def _pairs(self) -> tuple[Array, Array]:
        """Every task with every judge who did it."""
        size = max(len(self.judges), 1)
        cells = used(self.scores.task[self.scores.unit] * np.int64(size) + self.scores.judge)
        return cells // size, cells % size

    @property
    def units(self) -> int:
        """Units that can be drawn each for itself."""
        return self.scores.size

    @cached_property
    def strata(self) -> Array | None:
        """The judge of every unit, where each belongs to one judge alone, as groups of identical outputs do."""
        units, whose = self.scores, np.zeros(self.scores.size, np.int64)
        whose[units.unit] = units.judge
        return whose if bool((whose[units.unit] == units.judge).all()) else None

    @property
    def over(self) -> str:
        """What figures generalise to unless told otherwise: other tasks, with their items; of one task other items."""
        return "tasks" if self._scored > 1 else "items"

    @cached_property
    def _system(self) -> tuple[int, Array]:
        """How many systems there are, and that of every unit; none where the panel has no such column."""
        units = self.scores
        if units.panel is None or "system" not in units.panel.labels:
            return 0, np.zeros(units.size, np.int64)
        label, of = units.label("system"), np.zeros(units.size, np.int64)
        of[units.unit] = label.codes
        return len(label.ids), of

    @property
    def drawn_systems(self) -> int:
        """Systems, each with all its units."""
        return self._system[0]

    @property
    def work(self) -> int:
        """Every value, and the drawing of every unit."""
        return len(self.scores) + DRAWING * self.scores.size

    def work_of(self, method: Method) -> float:
        """The same, as often as the method looks at a unit."""
        return self.work + (1 if self.cells_add_up(method) else self.coefficient(method).cost) * self.scores.size

    def null_work(self, method: Method) -> float:
        """The steps of permuting all values, and of looking at them."""
        return BEGIN + PERMUTING * len(self.scores) + self.coefficient(method).cost * self.scores.size

    def sampled(self, tasks: int, rng: np.random.Generator) -> ScoreDesign | None:
        """Some of very many units, from which chance is known well enough."""
        if len(self.scores) <= VALUES:
            return None
        number = max(2, self.scores.size * VALUES // len(self.scores))
        return replace(self, parts=(self.scores.some(sample(rng, self.scores.size, number)),), known={})

    def prepared(self, method: Method) -> Design:
        """Other units, where a method declares how to make them: groups of identical outputs.

        For agreement without the tasks that one judge did alone: they say nothing about it, by any method.
        """
        make = method.declaration.properties.get("prepare")
        if make is not None:
            return ScoreDesign.around(make(self.scores, **method.parameters))
        several = np.flatnonzero(self.judges_of_task > 1)
        lone = method.question == "agreement" and 0 < len(several) < len(self.tasks)
        return self.some_tasks(several) if lone else self

    # -- values -----------------------------------------------------------------------------------------------------

    def coefficient(self, method: Method) -> Coefficient:
        """What a method says of the units, computed once."""
        if method not in self.known:
            self.known[method] = said_beside_people(method, self.scores)
        return self.known[method]

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of all units together, in every draw; of copies by its closed form if it has one."""
        if len(self.parts) > 1:
            at_once = method.declaration.properties.get("at_once")
            if at_once:
                return self._rows(at_once(self.parts, **method.parameters))
            return self._rows(np.concatenate([method(part).once for part in self.parts]))
        if weights.judges is not None:
            return self._rows(self._of_judges(method, weights))
        fixed = weights.units is None and weights.systems is None
        if fixed and self.cells_add_up(method):
            return self._of_cells(method, weights)
        found, adds = self.coefficient(method), additive(method)
        if adds and fixed:
            tasks = np.ones((1, len(self.tasks))) if weights.tasks is None else weights.tasks
            return self._rows(adds.of(tasks @ self.sums(method, adds), **method.parameters), found)
        if weights.plain:
            return self._rows(found.once, found)
        return self._rows(found.of(self.often(weights)), found)

    def sums(self, method: Method, adds: Additive) -> Array:
        """What the units of every task add up to, ``[task, number]``, found once."""
        if method not in self._sums:
            each = adds.sums(self.scores, self.centre, **method.parameters)
            self._sums[method] = grouped(each, self.scores.task, len(self.tasks))
        return self._sums[method]

    def cells_add_up(self, method: Method) -> bool:
        """Whether a judge's figure is made of what the judge's scores on every task add up to."""
        beside = method.declaration.properties.get("people") and both_kinds(self.scores.panel)
        return by_judge(method) is not None and not beside

    def cells(self, method: Method) -> tuple[Known, JudgeCells]:
        """What each judge's scores on every task add up to, and what all scores tell, found once."""
        if method not in self._cells:
            adds = cast(AdditiveByJudge, by_judge(method))
            known = known_of(self.scores, self.centre, adds)
            self._cells[method] = known, cells_of(self.scores, known, adds)
        return self._cells[method]

    def _of_cells(self, method: Method, weights: Weights) -> Values:
        """A method's value of every judge, as often as tasks were drawn."""
        adds, (known, cells) = cast(AdditiveByJudge, by_judge(method)), self.cells(method)
        values = cells.values(adds, weights.tasks)
        if not weights.plain:
            return Values(values, {"judge": np.arange(len(self.judges))})
        return self._rows(values, told(adds, values[0], cells.whole, known, lambda often: values, self.units))

    @cached_property
    def _cells(self) -> dict[Method, tuple[Known, JudgeCells]]:
        return {}

    @cached_property
    def _scored(self) -> int:
        """On how many tasks there are scores."""
        return len(used(self.scores.task))

    @cached_property
    def _sums(self) -> dict[Method, Array]:
        return {}

    def often(self, weights: Weights) -> Array:
        """How often each unit counts, ``[draw, unit]``: as its task and itself were drawn."""
        each = [] if weights.units is None else [weights.units]
        if weights.tasks is not None:
            each.append(weights.tasks[:, self.place])
        if weights.systems is not None:
            each.append(weights.systems[:, self._system[1]])
        return reduce(np.multiply, each) if each else np.ones((weights.draws, self.scores.size))

    def _rows(self, array: Array, found: Coefficient | None = None) -> Values:
        """Values ``[draw]`` as one figure, ``[draw, judge]`` as one of every judge."""
        if array.ndim > 1:
            size = array.shape[1]
            keys, details = {"judge": np.arange(size)}, {} if found is None else dict(found.details)
        else:
            array, size, keys = array[:, None], 1, {}
            details = {} if found is None else {n: [v] for n, v in found.details.items()}
        judges = np.full(size, int(self.voters.sum()) - bool(keys))
        tasks = self.tasks_of_judge if keys else np.array([self._scored])
        rests = {"items": np.full(size, self.units), "tasks": tasks, "judges": judges}
        rests |= {} if found is None else found.rests
        return Values(array, keys, details, rests=rests, about={} if found is None else found.about)

    def _of_judges(self, method: Method, weights: Weights) -> Array:
        """Values where judges count differently, draw by draw."""
        often = self.often(weights)
        judges = np.asarray(weights.judges)
        return np.array([self._counting(method, w).of(u[None])[0] for w, u in zip(judges, often, strict=True)])

    def _counting(self, method: Method, times: Array) -> Coefficient:
        """What a method says when every judge counts so many times.

        A formula that knows weights of judges is given them. Else a judge drawn twice is two judges: on the rows as so
        many behind each, or where a formula does not know of these, as rows of their own.
        """
        weight = times[self.scores.judge]
        known = method.declaration.properties.get("judges", "")
        if known == "weighted" and not self.counted:
            return method(self.scores, weight=weight)  # type: ignore[no-any-return]
        if known == "apart":
            return method(redrawn(self.scores, np.repeat(np.arange(len(times)), np.rint(times).astype(np.int64))))  # type: ignore[no-any-return]
        kept = self.scores.kept(weight > 0)
        return said_beside_people(method, replace(kept, count=kept.mass * weight[weight > 0]))

    def without_each(self, method: Method) -> Array:
        """What a method of agreement says without each judge, ``[copy, judge]``; by its closed form if it has one."""
        closed = method.declaration.properties.get("without")
        if closed:
            return np.asarray(closed(self.parts, **method.parameters))
        judges = np.arange(len(self.judges))
        left = [[method(part.of_judges(np.delete(judges, j))).value for j in judges.tolist()] for part in self.parts]
        return np.array(left)

    def said(self) -> tuple[Array, Array, Array, Array]:
        """Every score with its copy, judge and unit."""
        size = self.scores.size
        found = [(np.full(len(p), k), p.judge, p.unit + k * size, p.value) for k, p in enumerate(self.parts)]
        copy, judge, cell, value = (np.concatenate(column) for column in zip(*found, strict=True))
        return copy, judge, cell, value

    def asked(self) -> tuple[Array, Array]:
        """The task and item of every unit."""
        return self.scores.task, self.scores.item

    def looked_for(self) -> Sequence[tuple[ScoreDesign, Array]]:
        """People among people, and each model beside the people: models never outvote them."""
        if not both_kinds(self.scores.panel):
            return super().looked_for()
        people, models = people_and_models(self.scores)
        beside = [self.some_judges(np.append(people, m)) for m in models.tolist()]
        return [
            (self.some_judges(people), np.arange(len(people))),
            *((some, np.array([len(people)])) for some in beside),
        ]

    @cached_property
    def measured(self) -> bool:
        """Scores are numbers, unless they stand for labels."""
        panel = self.scores.panel
        return panel is None or panel.ordered or not panel.scale

    def manner(self, judge: int) -> str:
        """One value throughout has a word of its own."""
        own = self.scores.value[self.scores.judge == judge]
        return "constant" if len(own) > 2 and np.ptp(own) <= NEAR * self.scores.spread else ""

    def repaired(self, judge: int) -> Mapping[str, ScoreDesign]:
        """One judge's scores moved to the level of the others, freed of a drift, or given their spread too."""
        if not self.measured:
            return {}
        return {name: self._copies([value]) for name, value in repairs(self.scores, judge).items()}

    def by_task(self, method: Method) -> Values | None:
        """The rows of every task: of methods that know how, of all at once."""
        if method.question != "agreement":
            return None
        together, adds = method.declaration.properties.get("by_task"), additive(method)
        codes = np.unique(self.scores.task)
        if adds:
            values, details = adds.of(self.sums(method, adds)[codes], **method.parameters), inside_by_task(self.scores)
        elif together is None:
            found = [method(part) for _, part in self.scores.by_task()]
            values = np.array([f.value for f in found])
            details = {n: [f.details[n] for f in found] for n in (found[0].details if found else ())}
        else:
            values, details = together(self.scores, **method.parameters)
        return Values(values[None], {"task": codes}, details)

    # -- other panels -----------------------------------------------------------------------------------------------

    def _copies(self, values: Iterable[Array]) -> ScoreDesign:
        """The same units with other values, those of each copy."""
        return replace(self, parts=tuple(replace(self.scores, value=value) for value in values), known={})

    def permuted(self, rng: np.random.Generator, copies: int = 1) -> ScoreDesign:
        """Each judge's values permuted among the units that the judge scored."""
        return self._shuffled(self.scores.by_judge(), rng, copies)

    def permuted_by(self, judge: int, rng: np.random.Generator, copies: int = 1) -> ScoreDesign:
        """The values of one judge permuted, the others as they are."""
        return self._shuffled([np.flatnonzero(self.scores.judge == judge)], rng, copies)

    def _shuffled(self, each: Sequence[Array], rng: np.random.Generator, copies: int) -> ScoreDesign:
        mine = [rows for rows in each if len(rows) > 1]  # one value can be permuted in one way only

        def shuffled() -> Array:
            value = self.scores.value.copy()
            for rows in mine:
                value[rows] = rng.permutation(value[rows])
            return value

        return self._copies([shuffled() for _ in range(copies)])

    def voters_apart(self) -> ScoreDesign:
        """Every judge behind a name as a judge of that name."""
        if not self.counted:
            return self
        units, behind = self.scores, self.voters
        first = np.cumsum(behind) - behind
        count = units.mass.astype(np.int64)
        row = np.repeat(np.arange(len(units)), count)
        copy = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        judges = tuple(name for name, number in zip(self.judges, behind.tolist(), strict=True) for _ in range(number))
        apart = replace(units.taken(row), judges=judges, count=None).sorted(first[units.judge[row]] + copy)
        return replace(self, judges=judges, parts=(apart,), known={})

    @cached_property
    def _manners(self) -> ScoreManners:
        """The manners of every judge, and the scores without level and spread."""
        return ScoreManners.of(self.scores)

    def manners(self) -> Sequence[Manner]:
        """How strictly judges score, how much of the scale they use, and how far they drift where it is told when."""
        return self._manners.manners if self.measured else ()

    def manners_of_each(self) -> Iterator[Sequence[Manner]]:
        """The same of every copy."""
        return (ScoreManners.of(part).manners for part in self.parts)

    def levelled(self) -> ScoreDesign:
        """All judges at the same level with the same spread."""
        if not self.measured:
            return self
        parts = tuple(levelled(self.parts)) if len(self.parts) > 1 else (self._manners.levelled,)
        return replace(self, parts=parts, known={})

    def exchanged(self, rng: np.random.Generator, copies: int = 1, *, cells: bool = False) -> ScoreDesign:
        """Names exchanged within each task or unit, all judges at the same level with the same spread but for luck."""
        within = self.scores.unit if cells else self.scores.task[self.scores.unit]
        level = self._manners.of_luck() if self.measured else self.scores
        names = exchanged_names(within, self.scores.judge, rng, copies)
        return replace(self, parts=tuple(level.sorted(own) for own in names), known={})

    def alike(self, noise: float | Array, rng: np.random.Generator, copies: int = 1) -> ScoreDesign:
        """Judges who see each unit's mean with an error of so many standard deviations of the scores.

        Errors are what the levels of units and judges leave of the scores, resampled among units that are scored
        nearly alike. Where values come again, the answers are of them. Labels that are no numbers are a unit's usual
        one, or, the more noise the more often, any that is given.
        """
        each = np.broadcast_to(noise, len(self.judges))[self.scores.judge]
        if not self.measured:
            usual, part = self._usual_labels[self.scores.unit], each / (1 + each)
            other = (rng.choice(self.scores.value, len(usual)) for _ in range(copies))
            return self._copies([np.where(rng.random(len(usual)) < part, x, usual) for x in other])
        units, (expected, errors) = self.scores, self._errors
        values = expected + each * units.spread * errors.drawn(rng, copies)
        return self._copies(units.on_scale(values) if len(units.scale) <= len(units) // 2 else values)

    @cached_property
    def _errors(self) -> tuple[Array, Errors]:
        """What is seen of every score's unit, and errors."""
        even = self.levelled().scores
        seen = even.means()[even.unit]
        return seen, Errors.of(seen, even.value - seen)

    @cached_property
    def _usual_labels(self) -> Array:
        """The label that most judges gave each unit, ``[unit]``."""
        label, code = np.unique(self.scores.value, return_inverse=True)
        cell = self.scores.unit * np.int64(len(label)) + code.ravel()
        often = np.bincount(cell, minlength=self.scores.size * len(label))
        return np.asarray(label[often.reshape(self.scores.size, len(label)).argmax(axis=1)])

    def some_judges(self, keep: Array) -> ScoreDesign:
        """The design of some judges; units that none of them scored are gone."""
        number = np.full(len(self.judges), -1)
        number[keep] = np.arange(len(keep))
        left = self.scores.of_judges(keep)
        left = left.some(np.unique(left.unit))
        names = tuple(self.judges[k] for k in keep.tolist())
        units = replace(left, judges=names).sorted(number[left.judge])
        return replace(self, judges=names, parts=(units,), known={})

    def some_tasks(self, keep: Array) -> ScoreDesign:
        """The design of some tasks."""
        number = np.full(len(self.tasks), -1)
        number[keep] = np.arange(len(keep))
        some = self.scores.some(np.flatnonzero(number[self.scores.task] >= 0))
        names = tuple(self.tasks[k] for k in keep.tolist())
        units = replace(some, task=number[some.task], tasks=names)
        return replace(self, tasks=names, parts=(units,), known={})
