"""Scores of systems' outputs: which system made each unit, on which input, and tables of input x system.

Without a column ``system`` the items are the systems. An input is a task; where there is one task only and systems
share its items (documents, prompts), an input is an item. Inputs are the tasks of the design: what a leaderboard
averages over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, LimitReached, NotDrawn
from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import used
from quorate.panel.base import Panel
from quorate.panel.consensus_value import Agreed
from quorate.panel.design import ONCE, Design, Values, Weights
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_moments import ScoreMoments
from quorate.panel.units import Units, by_criterion, redrawn
from quorate.table import Method, parse

Array = NDArray[Any]
ROWS = 2_000_000  # scores that counts may stand for
AGAIN, WEIGHED = 100, 10  # steps of asking a method anew, for each score; and by a closed form


def _none() -> Array:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class OutputDesign(ScoreDesign):
    """Units of one criterion, each with the system that made it and the input it was made for."""

    system: Array = field(default_factory=_none)  # [unit] number of its system
    input: Array = field(default_factory=_none)  # [unit] number of its input, which is a task of the design
    by: str = "tasks"  # what inputs are: tasks or items
    named: bool = False  # whether there is a column of systems
    beside: tuple[OutputDesign, ...] = ()  # automatic metrics, whose judges they are

    @classmethod
    def every(cls, panel: Scores, metrics: Panel | None = None, seed: int = 0) -> list[OutputDesign]:
        """The design of every criterion that has scores; counted judges as so many rows."""
        if panel.elsewhere is not None:
            scanned: list[OutputDesign] = panel.elsewhere.outputs
            return scanned
        beside = () if metrics is None else _metrics(metrics)
        found = [cls.made(panel, expanded(u), beside) for u in by_criterion(panel) if len(u)]
        if metrics is not None:
            _refuse_strangers(found, beside)
        return found

    @classmethod
    def made(cls, panel: Scores, units: Units, beside: tuple[OutputDesign, ...] = ()) -> OutputDesign:
        """The units with their systems and inputs."""
        first = cast(Array, units.row)[np.searchsorted(units.unit, np.arange(units.size))]
        label = panel.labels.get("system")
        coded = label if label is not None else panel.item
        system = coded.codes[first].astype(np.int64)
        items = label is not None and len(panel.tasks) == 1 and _shared(units.item, system)
        return cls(
            panel.items if items else panel.tasks,
            units.judges,
            units.items,
            (units,),
            {} if units.criterion is None else {"criterion": units.criterion},
            coded.ids,
            system=system,
            input=units.item if items else units.task,
            by="items" if items else "tasks",
            named=label is not None,
            beside=beside,
        )

    @property
    def number_of_scores(self) -> int:
        """How many scores there are."""
        return len(self.scores)

    @property
    def labelled(self) -> bool:
        """Whether scores are labels."""
        return self.scores.panel is not None and bool(self.scores.panel.scale)

    @property
    def called(self) -> str:
        """What systems are called: without a column of them they are items."""
        return "system" if self.named else "item"

    @property
    def place(self) -> Array:
        """The input of every unit."""
        return self.input

    @property
    def over(self) -> str:
        """Other inputs, or of a single one other judges."""
        return "tasks" if len(self.tasks) > 1 else "judges"

    def drawn_as(self, over: str) -> str:
        """Inputs are drawn where tasks are asked for, and where items are that are inputs."""
        found = super().drawn_as(over)
        return found.replace("items", "tasks") if self.by == "items" else found

    @property
    def tasks_called(self) -> str:
        """What inputs are: tasks, or items of a single one."""
        return self.by

    def called_over(self, over: str) -> str:
        """What is drawn, in words: inputs may be items."""
        return over.replace("tasks", self.by)

    @cached_property
    def moments(self) -> ScoreMoments:
        """What the scores add up to, where variances come from."""
        value = self.scores.value
        low, high = (float(f(value)) for f in (np.min, np.max))
        return ScoreMoments.of(self, low, high, len(self.judges), self.scores.judge)

    @cached_property
    def each_judge(self) -> tuple[Units, Array]:
        """One row for each judge and unit, and how many judges each name stands for."""
        return voters(self.scores)

    @cached_property
    def voters(self) -> Array:
        """How many judges each name stands for."""
        return self.each_judge[1]

    @cached_property
    def counted(self) -> bool:
        """Whether some names stand for several judges."""
        return bool((self.voters > 1).any())

    def work_of(self, method: Method) -> float:
        """A method is asked again in every draw of judges, unless it has a closed form for all of them."""
        closed = method.declaration.properties.get("weighted") is not None
        return (WEIGHED if closed else AGAIN) * (1000.0 + self.number_of_scores)

    def prepared(self, method: Method) -> Design:
        """Votes of every two systems, where a method declares how to make them."""
        make: Callable[[OutputDesign], Design] | None = method.declaration.properties.get("votes")
        return self if make is None else make(self)

    def canonical(self, method: Method) -> Method:
        """A leaderboard by means over tasks is that of the consensus averaged: the same figures and draws."""
        return parse(str(method["of"]), "scores", "consensus") if method.name == "mean_score" else method

    def table(self, values: Array) -> Array:
        """Values of units as means ``[input, system]``, NaN where there is none."""
        return tabled(values, self.input, self.system, (len(self.tasks), len(self.systems)))

    # -- values -----------------------------------------------------------------------------------------------------

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of every input and system."""
        if weights.units is not None or weights.systems is not None:
            raise NotDrawn(method, "items" if weights.systems is None else "systems", "tasks", "judges", "tasksxjudges")
        if method not in self.as_it_is:
            self.as_it_is[method] = self._values(method)
        found = self.as_it_is[method]
        if weights.judges is None:
            return found
        task, system = found.keys["task"], found.keys["system"]
        drawn = self._of_judges_drawn(method, weights.judges)
        unit = self.unit_of_cell[task, system] if self.unit_of_cell is not None else None
        array = np.empty((len(weights.judges), len(task)))
        for row, v in zip(array, drawn, strict=True):
            row[:] = self.table(v)[task, system] if unit is None else v.take(unit)
        return replace(found, array=array)

    @cached_property
    def as_it_is(self) -> dict[Method, Values]:
        """What methods said of the judges as they are: every draw needs to know of which outputs it is."""
        return {}

    def _values(self, method: Method) -> Values:
        """The same of the judges as they are."""
        found = method(self.scores)
        table = self.table(found.array)
        task, system = np.nonzero(~np.isnan(table))
        rests = {"judges": self.judges_of_system[used(system)]}
        return Values(table[task, system][None], {"task": task, "system": system}, rests=rests, about=found.facts)

    @cached_property
    def unit_of_cell(self) -> Array | None:
        """The unit of each input and system, ``[input, system]``; None where some are means of several."""
        cell = self.input * len(self.systems) + self.system
        out = np.zeros(len(self.tasks) * len(self.systems), np.int64)
        out[cell] = np.arange(len(cell))
        alone = bool((out[cell] == np.arange(len(cell))).all())
        return out.reshape(len(self.tasks), len(self.systems)) if alone else None

    def _of_judges_drawn(self, method: Method, times: Array) -> Iterator[Array]:
        """The units' values when judges count so many times, draw by draw; by a closed form if there is one."""
        closed = method.declaration.properties.get("weighted") or method.declaration.properties.get("redrawn")
        if closed is None:
            return (method(self.drawn(w)).array for w in times)
        units, behind = self.each_judge
        return closed(units, np.rint(times * behind))  # type: ignore[no-any-return]

    def drawn(self, times: Array) -> Units:
        """The units as so many judges of every name saw them; of several behind a name, some."""
        units, behind = self.each_judge
        number = np.rint(times * behind).astype(np.int64)
        return redrawn(units, np.repeat(np.arange(len(number)), number))

    @cached_property
    def judges_of_system(self) -> Array:
        """How many judges scored each system."""
        units, behind = self.each_judge
        pairs = used(self.system[units.unit] * np.int64(len(behind)) + units.judge)
        return np.bincount(pairs // len(behind), behind[pairs % len(behind)], len(self.systems)).astype(np.int64)

    def told(self, method: Method) -> tuple[dict[str, list[Any]], list[Any], dict[str, list[Any]]]:
        """The units by their names, what a method says of each, and how many judges it rests on."""
        units, panel = self.scores, cast(Scores, self.scores.panel)
        found = method(units)
        keys: dict[str, list[Any]] = {
            "task": [units.tasks[t] for t in units.task.tolist()],
            "item": [units.items[i] for i in units.item.tolist()],
        }
        if self.named and not panel.scale:
            keys["system"] = [self.systems[s] for s in self.system.tolist()]
        keys |= {n: [label] * units.size for n, label in self.labels.items()}
        judges = units.per_unit.tolist()
        if panel.scale:
            names = [None if np.isnan(v) else panel.scale[int(v)] for v in found.array.tolist()]
            told = {"judges": judges, "votes": found.scores.astype(int).tolist()}
            return keys, names, {**told, **_beliefs(found, panel.scale)}
        return keys, found.array.tolist(), {"judges": judges, "spread": _spread(units).tolist()}


def _beliefs(found: Agreed, scale: Sequence[Hashable]) -> dict[str, list[Any]]:
    """How likely each unit's label is, and every label, by a method that tells."""
    belief = found.facts.get("belief")
    if belief is None:
        return {}
    names = [str(scale[int(v)]) for v in found.facts["known"].tolist()]
    likely = [dict(zip(names, row, strict=True)) for row in belief.tolist()]
    return {"certainty": belief.max(axis=1).tolist(), "posterior": likely}


def _metrics(metrics: Panel) -> tuple[OutputDesign, ...]:
    """Automatic metrics as designs."""
    if not isinstance(metrics, Scores):
        raise InputError(f"the metrics are {metrics.kind}.", "metrics are scores: a table of task, system and numbers.")
    if metrics.scale:
        raise InputError("the metrics are labels.", "metrics are scores: a table of task, system and numbers.")
    return tuple(OutputDesign.every(metrics))


def _refuse_strangers(made: list[OutputDesign], beside: tuple[OutputDesign, ...]) -> None:
    """Metrics that have no system, or no input, in common with the scores are an error."""
    if not made or not beside:
        raise InputError("there are no scores to compare.", "both files need some.")
    ours, theirs = made[0], beside[0]
    for name, mine, others in (("systems", ours.systems, theirs.systems), (ours.by, ours.tasks, theirs.tasks)):
        by_system = name != "systems" and len(others) == 1 and len(mine) > 1
        if not by_system and not in_common(others, mine):
            raise InputError(
                f"the metrics and the scores have no {name[:-1]} in common.",
                f"scores have {_some(mine)}; metrics have {_some(others)}.",
            )


def in_common(ids: Sequence[Hashable], wanted: Sequence[Hashable]) -> int:
    """How many ids are among those wanted, as texts."""
    known = set(map(str, wanted))
    return sum(str(i) in known for i in ids)


def _some(ids: Sequence[Hashable]) -> str:
    return ", ".join(map(str, ids[:3])) + (", ..." if len(ids) > 3 else "")


def _spread(units: Units) -> Array:
    """Standard deviation of each unit's scores, NaN with one judge."""
    n = units.per_unit
    gap = np.bincount(units.unit, (units.value - units.means()[units.unit]) ** 2, units.size)
    return np.sqrt(quotient(gap, np.where(n > 1, n - 1, 0)))


def tabled(values: Array, row: Array, column: Array, shape: tuple[int, int]) -> Array:
    """Means of values by row and column, NaN where there is none."""
    there = ~np.isnan(values)
    cell = (row * shape[1] + column)[there]
    number = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(cell, values[there], shape[0] * shape[1]).reshape(shape)
    return quotient(total, number)


def means_of(table: Array) -> Array:
    """Systems' means over the inputs that they have, of ``[input, system]`` or of several such tables."""
    there = ~np.isnan(table)
    return quotient(np.where(there, table, 0.0).sum(axis=-2), there.sum(axis=-2))


def _shared(item: Array, system: Array) -> bool:
    """Whether some item was given to several systems."""
    return len(used(item * (system.max(initial=0) + np.int64(1)) + system)) > len(used(item))


def expanded(units: Units) -> Units:
    """Rows that stand for several judges as so many rows."""
    if units.count is None:
        return units
    if units.count.sum() > ROWS:
        raise LimitReached(
            f"the counts stand for {int(units.count.sum()):,} scores, too many to take one by one.",
            f"at most {ROWS:,}; divide all counts by the same number.",
        )
    times = np.repeat(np.arange(len(units)), units.count.astype(np.int64))
    return replace(units.taken(times), count=None)


def voters(units: Units) -> tuple[Units, Array]:
    """One row for each judge and unit, and how many judges each judge stands for, ``[judge]``.

    Where a judge's rows stand for now more and now fewer judges nobody can tell who they are: each name is one judge.
    """
    size = max(units.size, 1)
    key, first, times = np.unique(units.judge * size + units.unit, return_index=True, return_counts=True)
    votes = np.zeros(len(units.judges), np.int64)
    np.maximum.at(votes, key // size, times)
    if (times == votes[key // size]).all():
        keep = np.zeros(len(units), bool)
        keep[first] = True
        return units.kept(keep), votes
    return units, np.minimum(votes, 1)
