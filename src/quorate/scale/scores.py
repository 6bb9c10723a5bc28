"""Scores in files: of every task a few numbers that add up, and the scores of units in a sample.

One pass tells what there is, units, judges and scores of every task, and what methods need of each, by the sums that
they declare (:class:`~quorate.panel.coefficient.Additive`). Another fetches the units that were drawn for chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import BadParameter
from quorate.inference.results import Options
from quorate.inference.usual_methods import fitting
from quorate.kernels.group_sums import used
from quorate.kernels.reliability import grouped
from quorate.kernels.streams import sample, stream
from quorate.panel.by_name import by_name, name_order
from quorate.panel.coefficient import Additive, Coefficient, additive
from quorate.panel.columns import Coded, narrow
from quorate.panel.design import Design, Values, Weights
from quorate.panel.judge_cells import JudgeCells, Known, by_judge
from quorate.panel.kinds import Scores
from quorate.panel.one_by_one import OneByOne
from quorate.panel.score_design import DRAWING, VALUES, ScoreDesign
from quorate.panel.score_facts import ScoreFacts, inside_by_task
from quorate.panel.units import Units, by_criterion
from quorate.scale.jobs import Ask, Facts, marks_of, named, numbers
from quorate.scale.judge_cells import CellRows
from quorate.scale.outputs import OutputRows, by_unit
from quorate.scale.source import Piece, Source
from quorate.table import Method

Array = NDArray[Any]
COLUMNS = ("judges", "units", "single", "values")  # numbers of every task


@dataclass(frozen=True)
class ScoreAsk(Ask):
    """What is asked of every piece: also what scores are taken about, and units of tasks that are wanted themselves."""

    centre: float = 0.0
    wanted: tuple[tuple[Hashable, tuple[int, ...]], ...] = ()


@dataclass(frozen=True, eq=False)
class TaskScores:
    """What there is of a piece's tasks."""

    tasks: tuple[Hashable, ...]
    columns: Mapping[str, Array]  # [task] each: judges, units that several scored, units that one did, scores
    low: float
    high: float
    missing: int
    items: Array  # marks of the distinct items
    rows: int
    notes: tuple[str, ...]
    sums: Mapping[str, Array]  # of each method [task, number]


@dataclass(frozen=True, eq=False)
class SomeUnits:
    """Units of a piece that were wanted."""

    units: Units
    place: Array  # [unit] within its task


def scores_of(source: Source, piece: Piece, ask: ScoreAsk) -> TaskScores:
    """What there is of a piece's tasks, and what methods need of them."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    (units,) = by_criterion(panel)
    there, size = used(units.task), len(panel.tasks)
    columns = {n: _spread(np.array(c, np.int64), there, size) for n, c in inside_by_task(units).items()}
    low, high = (float(f(units.value, initial=e)) for f, e in ((np.min, np.inf), (np.max, -np.inf)))
    sums = {}
    for text in ask.methods:
        method = table.parse(text, ask.kind, ask.question)
        each = cast(Additive, additive(method)).sums(units, ask.centre, **method.parameters)
        sums[text] = grouped(each, units.task, size)
    told = (panel.missing, marks_of(panel.items), len(panel), panel.notes, sums)
    return TaskScores(panel.tasks, columns, low, high, *told)


def units_of(source: Source, piece: Piece, ask: ScoreAsk) -> SomeUnits | None:
    """The units of a piece that are wanted."""
    found = source.part(piece, [name for name, _ in ask.wanted])
    if not len(found.raw["judge"]):
        return None
    panel = cast(Scores, named(source.panel([found]), ask))
    (units,) = by_criterion(panel)
    place, begin = dict(ask.wanted), np.searchsorted(units.task, np.arange(len(panel.tasks)))
    wanted = np.concatenate([begin[k] + np.array(place[name]) for k, name in enumerate(panel.tasks)])
    some = replace(units.some(wanted), row=None, panel=None)
    return SomeUnits(some, wanted - begin[some.task])


def prepared_rows(source: Source, piece: Piece, ask: Ask) -> dict[str, list[Any]] | None:
    """The rows of a piece of which a method makes other units, as plain columns; None where there are none."""
    method = table.parse(ask.methods[0], ask.kind, ask.question)
    panel = named(source.panel([source.part(piece)]), ask)
    rows = method.declaration.properties["prepared_from"](panel, **method.parameters)
    if not len(rows):
        return None
    some = panel._rows(rows)
    return {"task": some.task.values(), "occasion": some.occasion.values(), **some.columns()}


def _spread(values: Array, at: Array, size: int) -> Array:
    out = np.zeros(size, values.dtype)
    out[at] = values
    return out


@dataclass(frozen=True, eq=False)
class ScannedScores(OneByOne, ScoreDesign):
    """Scores in files: figures of all tasks together, from what each task adds to them."""

    elsewhere: Any = None
    chosen: Array = field(default_factory=lambda: np.zeros(0, np.int64))  # [task] numbers among all tasks

    def _column(self, name: str) -> Array:
        return np.asarray(self.elsewhere.columns[name][self.chosen])

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges did each task."""
        return self._column("judges")

    @property
    def units(self) -> int:
        """All units of these tasks."""
        return int(self.sizes.sum())

    @cached_property
    def sizes(self) -> Array:
        """How many units each task has."""
        return self._column("units") + self._column("single")

    @property
    def over(self) -> str:
        """Other tasks: there are very many."""
        return "tasks"

    @property
    def drawn_systems(self) -> int:
        """Systems are not scanned."""
        return 0

    @property
    def work(self) -> int:
        """Every value, and the drawing of every unit."""
        return int(self._column("values").sum()) + DRAWING * self.units

    def work_of(self, method: Method) -> float:
        """The same, as often as the method looks at a unit."""
        return float(self.work + self.coefficient(method).cost * self.units)

    def prepared(self, method: Method) -> Design:
        """Of agreement without the tasks that one judge did alone; of a method of other units, these."""
        if "prepare" in method.declaration.properties:
            found: ScoreDesign = self.elsewhere.prepared(method, self)
            return found
        if method.question != "agreement":
            return self
        several = np.flatnonzero(self.judges_of_task > 1)
        return self if len(several) in (0, len(self.tasks)) else self.some_tasks(several)

    def some_tasks(self, keep: Array) -> ScannedScores:
        """The design of some tasks."""
        names = tuple(self.tasks[k] for k in keep.tolist())
        return replace(self, tasks=names, chosen=self.chosen[keep], known={})

    def coefficient(self, method: Method) -> Coefficient:
        """What a method's figure rests on; the figure itself comes from sums."""

        def of(weights: Array) -> Array:
            raise BadParameter("judges or items of a scan cannot be drawn.", "over=tasks, or read it into memory.")

        several, single, values = (int(self._column(n).sum()) for n in ("units", "single", "values"))
        details = {"units": several, "single": single, "judges": len(self.judges), "values": values}
        return Coefficient(of, self.units, details)

    def sums(self, method: Method, adds: Additive) -> Array:
        """What the units of every task add up to."""
        return np.asarray(self.elsewhere.sums(method)[self.chosen])

    @cached_property
    def _scored(self) -> int:
        """On how many tasks there are scores."""
        return int((self.sizes > 0).sum())

    @cached_property
    def tasks_of_judge(self) -> Array:
        """How many tasks each judge did."""
        return np.asarray(self.elsewhere.tasks_of_judge)

    def cells_add_up(self, method: Method) -> bool:
        """Whether a judge's figure is made of what the judge's scores on every task add up to."""
        return by_judge(method) is not None

    def cells(self, method: Method) -> tuple[Known, JudgeCells]:
        """What each judge's scores on every task add up to."""
        found: tuple[Known, JudgeCells] = self.elsewhere.cells(method)
        return found

    def _of_judges(self, method: Method, weights: Weights) -> Array:
        return self.coefficient(method).of(np.zeros(0))

    def by_task(self, method: Method) -> Values | None:
        """The rows of every task that has units."""
        there, adds = np.flatnonzero(self.sizes), cast(Additive, additive(method))
        details = {n: self._column(n)[there].tolist() for n in ("units", "single", "judges", "values")}
        return Values(adds.of(self.sums(method, adds)[there], **method.parameters)[None], {"task": there}, details)

    def sampled(self, tasks: int, rng: np.random.Generator) -> Any:
        """Some of the units, in memory."""
        return self.elsewhere.sample(self, self.drawn_units(rng))

    def drawn_units(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Units drawn for chance as a design in memory draws them: the tasks of each, and their places in these."""
        values, size = int(self._column("values").sum()), self.units
        number = size if values <= VALUES else max(2, size * VALUES // values)
        unit = sample(rng, size, number)
        ends = np.cumsum(self.sizes)
        task = np.searchsorted(ends, unit, side="right")
        return self.chosen[task], unit - (ends - self.sizes)[task]


class ScoreRows(CellRows, OutputRows):
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` is of other kinds, of scores: see there."""

    without: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    number: dict[Hashable, int]
    scan: Any
    panel: Any
    asked: Any
    _plain: tuple[str, ...]
    _run: Any

    @cached_property
    def _looked(self) -> list[TaskScores]:
        first = ScoreAsk("scores", "agreement", (), plain=self._plain, without=self.without)  # before anything is asked
        return self._scores(replace(self.asked, wanted=()) if isinstance(self.asked, ScoreAsk) else first)

    def _scores(self, ask: ScoreAsk) -> list[TaskScores]:
        if ask not in self._known:
            self._known[ask] = self._run("scores", scores_of, ask)
        return self._known[ask]

    @cached_property
    def _known(self) -> dict[ScoreAsk, list[TaskScores]]:
        return {}

    @cached_property
    def centre(self) -> float:
        """The first score, by the names of task, item and judge."""
        found = self.scan.survey
        for k in self._in_order:
            piece = found.pieces[int(found.piece_of[k])]
            ask = Ask("scores", "", (), plain=self._plain, without=self.without)
            some = named(found.source.panel([found.source.part(piece, [found.tasks[k]])]), ask)
            value = [v for u in by_criterion(cast(Scores, some)) for v in u.value[:1].tolist()] if len(some) else []
            if value:
                return float(value[0])
        return 0.0

    @cached_property
    def columns(self) -> dict[str, Array]:
        """Numbers of every task: judges, units that several scored, units that one did, scores."""
        out = {n: np.zeros(len(self.tasks), np.int64) for n in COLUMNS}
        for f in self._looked:
            at = numbers(f.tasks, self.number)
            for n, column in f.columns.items():
                out[n][at] = column
        return out

    @cached_property
    def facts(self) -> Facts:
        """What all kinds know of themselves."""
        items = np.unique(np.concatenate([f.items for f in self._looked]))
        notes = tuple(dict.fromkeys(note for f in self._looked for note in f.notes))
        return Facts(sum(f.rows for f in self._looked), self.columns["judges"], items, notes=notes)

    @cached_property
    def _in_order(self) -> list[int]:
        """The numbers of the survey's tasks in the order of their names."""
        return name_order(self.scan.survey.tasks)

    @cached_property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names, those that still have a judge."""
        names = self.scan.survey.tasks
        if not self.without and not self.scan.skipped:
            return tuple(names[k] for k in self._in_order)
        there = {t for f in self._looked for t in f.tasks}
        return tuple(names[k] for k in self._in_order if names[k] in there)

    @property
    def score_facts(self) -> list[ScoreFacts]:
        """What sentences need to know."""
        single, shared, values = (int(self.columns[n].sum()) for n in ("single", "units", "values"))
        low, high = min(f.low for f in self._looked), max(f.high for f in self._looked)
        return [ScoreFacts(None, single + shared, single, shared, values, low if low == high else None)]

    @property
    def missing(self) -> int:
        """How many scores are missing."""
        return sum(f.missing for f in self._looked)

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """What will be asked, so that one pass answers it; the units that chance is estimated on among it."""
        chosen = fitting(self.panel, question, methods)
        if question == "judges":  # sums of judges on tasks, by passes of their own
            self.judged_by = tuple(str(m) for m in chosen if by_judge(m))
        elif question != "agreement":  # rows of tasks and systems, by a pass of their own
            self.rated_for = question
            self.rated = tuple(dict.fromkeys(str(by_unit(m)) for m in chosen if question != "trust"))
        if question != "agreement":
            chosen = fitting(self.panel, "agreement", [table.parse("alpha", "scores", "agreement")])
            question = "agreement"
        asked = ScoreAsk("scores", question, tuple(map(str, chosen)), plain=self._plain, without=self.without)
        self.asked = replace(asked, centre=self.centre)
        design = cast(ScannedScores, self.designs("", None)[0])
        both = [design, cast(ScannedScores, design.prepared(chosen[0]))]
        drawn = [d.drawn_units(stream(options.seed, "tasks")) for d in both]
        task, place = (np.concatenate(columns) for columns in zip(*drawn, strict=True))
        self.asked = replace(self.asked, wanted=self._named_units(task, place))

    def prepared(self, method: Method, design: ScannedScores) -> ScoreDesign:
        """The design of other units that a method declares how to make, of the rows that they are made of."""
        ask = Ask("scores", "judges", (str(method),), plain=self._plain, without=self.without)
        found: list[dict[str, list[Any]]] = self._run("rows", prepared_rows, ask)
        make, source = method.declaration.properties["prepare"], self.scan.survey.source
        if found:
            raw = {n: [v for part in found for v in part[n]] for n in found[0]}
            panel = by_name(Scores.build(raw), self._plain)
        else:  # a few rows, for the columns
            first = source.part(self.scan.survey.pieces[0], self.scan.survey.tasks[:1])
            panel = cast(Scores, named(source.panel([first]), replace(ask, without=())))
        judge, task = (
            Coded(ids, narrow(numbers(column.ids, {name: k for k, name in enumerate(ids)})[column.codes], len(ids)))
            for column, ids in ((panel.judge, design.judges), (panel.task, design.tasks))
        )
        (units,) = by_criterion(replace(panel, judge=judge, task=task))
        return ScoreDesign.around(make(units, **method.parameters))

    def _named_units(self, task: Array, place: Array) -> tuple[tuple[Hashable, tuple[int, ...]], ...]:
        found: dict[int, set[int]] = {}
        for t, k in zip(task.tolist(), place.tolist(), strict=True):
            found.setdefault(t, set()).add(k)
        return tuple((self.tasks[t], tuple(sorted(found[t]))) for t in sorted(found))

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        if own in ("scores quality", "scores consensus", "scores trust"):
            return list(self.outputs)
        given: dict[str, Any] = {"centre": self.centre, "elsewhere": self, "chosen": np.arange(len(self.tasks))}
        return [ScannedScores(self.tasks, self.judges, (), (), **given)]

    def sums(self, method: Method) -> Array:
        """What every task adds to a method's figure, ``[task, number]``."""
        text = str(method)
        if text in self._sums:
            return self._sums[text]
        asked = replace(self.asked, wanted=(), centre=self.centre)
        found = self._scores(asked if text in asked.methods else replace(asked, methods=(text,)))
        out = np.zeros((len(self.tasks), found[0].sums[text].shape[1]))
        for f in found:
            out[numbers(f.tasks, self.number)] = f.sums[text]
        return self._sums.setdefault(text, out)

    @cached_property
    def _sums(self) -> dict[str, Array]:
        return {}

    def sample(self, design: ScannedScores, drawn: tuple[Array, Array]) -> ScoreDesign:
        """The design of some units, of which the tasks and the places in these are given."""
        wanted, known = self._named_units(*drawn), dict(self.asked.wanted)
        there = all(set(places) <= set(known.get(task, ())) for task, places in wanted)
        ask = replace(self.asked, methods=(), wanted=self.asked.wanted if there else wanted)
        if ask not in self._fetched:
            self._fetched[ask] = self._run("units", units_of, ask)
        units = self._units(self._fetched[ask], design, drawn)
        return ScoreDesign(design.tasks, design.judges, units.items, (units,), centre=design.centre)

    @cached_property
    def _fetched(self) -> dict[ScoreAsk, list[SomeUnits]]:
        return {}

    def _units(self, found: Sequence[SomeUnits], design: ScannedScores, drawn: tuple[Array, Array]) -> Units:
        """The drawn ones of the units that pieces gave, by task and place, renumbered."""
        width = int(design.sizes.max(initial=0)) + 1
        wanted, judge = drawn[0] * width + drawn[1], {name: k for k, name in enumerate(self.judges)}
        items: dict[Hashable, int] = {}
        units, rows = list[tuple[Array, ...]](), list[tuple[Array, ...]]()
        key: Array
        item: Array
        for f in found:
            given = f.units
            key = numbers(given.tasks, self.number)[given.task] * width + f.place
            some = given.some(np.flatnonzero(np.isin(key, wanted)))
            item = np.array([items.setdefault(given.items[i], len(items)) for i in some.item.tolist()], np.int64)
            kept = key[np.isin(key, wanted)]
            units.append((kept, item))
            rows.append((kept[some.unit], numbers(given.judges, judge)[some.judge], some.value))
        key, item = (np.concatenate(column) for column in zip(*units, strict=True))
        at, who, value = (np.concatenate(column) for column in zip(*rows, strict=True))
        order, by = np.argsort(key), np.lexsort((who, at))
        key, unit = key[order], np.searchsorted(key[order], at[by])
        task = np.searchsorted(design.chosen, key // width)
        about = (len(key), self.judges, task, item[order], design.tasks, tuple(items))
        return Units(unit, who[by], value[by], *about)
