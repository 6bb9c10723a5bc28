"""Scores in files: of every task a few numbers that add up, and the scores of units in a sample.

One pass tells what there is: units, judges and scores of every task. Another gives what methods need of each task, by
the sums that they declare (:class:`~quorate.panel.coefficient.Additive`), and the scores of units drawn for chance.
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
from quorate.inference.answer import fitting
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.kernels.reliability import grouped
from quorate.panel.by_name import name_order
from quorate.panel.coefficient import Additive, Coefficient, additive
from quorate.panel.design import Design, Values, Weights
from quorate.panel.kinds import Scores
from quorate.panel.score_design import DRAWING, VALUES, ScoreDesign
from quorate.panel.score_facts import ScoreFacts, inside_by_task
from quorate.panel.units import Units, by_criterion
from quorate.scale.jobs import Ask, Facts, marks, named, numbers
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
    judges: tuple[Hashable, ...]
    columns: Mapping[str, Array]  # [task] each: judges, units that several scored, units that one did, scores
    first: Array  # [task] the first score; NaN where there is none
    low: float
    high: float
    missing: int
    done: Array  # [judge] tasks that each did
    items: Array  # marks of the distinct items
    rows: int
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class TaskSums:
    """What methods need of a piece's tasks, and the units that were wanted."""

    tasks: tuple[Hashable, ...]
    sums: dict[str, Array]  # of each method [task, number]
    units: Units | None
    place: Array  # [unit] within its task


def scores_of(source: Source, piece: Piece, ask: Ask) -> TaskScores:
    """What there is of a piece's tasks."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    (units,) = by_criterion(panel)
    there, size = np.unique(units.task), len(panel.tasks)
    columns = {n: _spread(np.array(c, np.int64), there, size) for n, c in inside_by_task(units).items()}
    begin = np.searchsorted(units.task[units.unit], there)
    design = ScoreDesign.around(units)
    low, high = (float(f(units.value, initial=e)) for f, e in ((np.min, np.inf), (np.max, -np.inf)))
    first = np.full(size, np.nan)
    first[there] = units.value[begin]
    told = (panel.missing, design.tasks_of_judge, marks(panel), len(panel), panel.notes)
    return TaskScores(panel.tasks, panel.judges, columns, first, low, high, *told)


def sums_of(source: Source, piece: Piece, ask: ScoreAsk) -> TaskSums:
    """What methods need of a piece's tasks."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    (units,) = by_criterion(panel)
    methods = {text: table.parse(text, ask.kind, ask.question) for text in ask.methods}
    sums = {}
    for text, method in methods.items():
        each = cast(Additive, additive(method)).sums(units, ask.centre, **method.parameters)
        sums[text] = grouped(each, units.task, len(panel.tasks))
    place = {name: k for k, name in enumerate(panel.tasks)}
    begin = np.searchsorted(units.task, np.arange(len(panel.tasks)))
    mine = [begin[place[name]] + np.array(k) for name, k in ask.wanted if name in place]
    if not mine:
        return TaskSums(panel.tasks, sums, None, np.zeros(0, np.int64))
    wanted = np.sort(np.concatenate(mine))
    some = replace(units.some(wanted), row=None, panel=None)
    return TaskSums(panel.tasks, sums, some, wanted - begin[some.task])


def _spread(values: Array, at: Array, size: int) -> Array:
    out = np.zeros(size, values.dtype)
    out[at] = values
    return out


@dataclass(frozen=True, eq=False)
class ScannedScores(ScoreDesign):
    """Scores in files: figures of all tasks together, from what each task adds to them."""

    elsewhere: Any = None
    chosen: Array = field(default_factory=lambda: np.zeros(0, np.int64))  # [task] numbers among all tasks

    def _column(self, name: str) -> Array:
        return np.asarray(self.elsewhere.columns[name][self.chosen])

    @cached_property
    def counted(self) -> bool:
        """Rows that stand for several judges are not scanned."""
        return False

    @cached_property
    def voters(self) -> Array:
        """Every name is one judge."""
        return np.ones(len(self.judges), np.int64)

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
        """Without the tasks that one judge did alone."""
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

    def _rows(self, array: Array, found: Coefficient | None = None) -> Values:
        details = {n: [v] for n, v in found.details.items()} if found else {}
        rests = {"items": self.units, "tasks": int((self.sizes > 0).sum()), "judges": len(self.judges)}
        return Values(array[:, None], {}, details, rests={n: np.array([v]) for n, v in rests.items()})

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
        unit = np.arange(size) if number == size else np.sort(rng.choice(size, number, replace=False))
        ends = np.cumsum(self.sizes)
        task = np.searchsorted(ends, unit, side="right")
        return self.chosen[task], unit - (ends - self.sizes)[task]


class ScoreRows:
    """What :class:`~quorate.scale.elsewhere.Elsewhere` is of other kinds, of scores: see there."""

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
        return cast(
            list[TaskScores],
            self._run("scores", scores_of, Ask("scores", "", (), plain=self._plain, without=self.without)),
        )

    @cached_property
    def columns(self) -> dict[str, Array]:
        """Numbers of every task: judges, units that several scored, units that one did, scores; and the first score."""
        out = {n: np.zeros(len(self.tasks), np.int64) for n in COLUMNS} | {"first": np.full(len(self.tasks), np.nan)}
        for f in self._looked:
            at = numbers(f.tasks, self.number)
            for n, column in (*f.columns.items(), ("first", f.first)):
                out[n][at] = column
        return out

    @cached_property
    def facts(self) -> Facts:
        """What all kinds know of themselves."""
        items = np.unique(np.concatenate([f.items for f in self._looked]))
        notes = tuple(dict.fromkeys(note for f in self._looked for note in f.notes))
        return Facts(sum(f.rows for f in self._looked), self.columns["judges"], items, notes=notes)

    @cached_property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names, those that still have a judge."""
        there = {t for f in self._looked for t in f.tasks}
        names = [t for t in self.scan.survey.tasks if t in there]
        return tuple(names[k] for k in name_order(names))

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
        design = cast(ScannedScores, self.designs("", None)[0])
        both = [design, cast(ScannedScores, design.prepared(chosen[0]))]
        drawn = [d.drawn_units(stream(options.seed, "tasks")) for d in both]
        task, place = (np.concatenate(columns) for columns in zip(*drawn, strict=True))
        asked = ScoreAsk("scores", question, tuple(map(str, chosen)), plain=self._plain, without=self.without)
        self.asked = replace(asked, centre=design.centre, wanted=self._named_units(task, place))

    def _named_units(self, task: Array, place: Array) -> tuple[tuple[Hashable, tuple[int, ...]], ...]:
        found: dict[int, set[int]] = {}
        for t, k in zip(task.tolist(), place.tolist(), strict=True):
            found.setdefault(t, set()).add(k)
        return tuple((self.tasks[t], tuple(sorted(found[t]))) for t in sorted(found))

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        first = self.columns["first"]
        there = first[~np.isnan(first)]
        centre = float(there[0]) if len(there) else 0.0
        given: dict[str, Any] = {"centre": centre, "elsewhere": self, "chosen": np.arange(len(self.tasks))}
        return [ScannedScores(self.tasks, self.judges, (), (), **given)]

    def _found_sums(self, ask: ScoreAsk) -> list[TaskSums]:
        if ask not in self._known:
            self._known[ask] = self._run("sums", sums_of, ask)
        return self._known[ask]

    @cached_property
    def _known(self) -> dict[ScoreAsk, list[TaskSums]]:
        return {}

    def sums(self, method: Method) -> Array:
        """What every task adds to a method's figure, ``[task, number]``."""
        text = str(method)
        ask = self.asked if text in self.asked.methods else replace(self.asked, methods=(text,), wanted=())
        found = self._found_sums(ask)
        out = np.zeros((len(self.tasks), found[0].sums[text].shape[1]))
        for f in found:
            out[numbers(f.tasks, self.number)] = f.sums[text]
        return out

    def sample(self, design: ScannedScores, drawn: tuple[Array, Array]) -> ScoreDesign:
        """The design of some units, of which the tasks and the places in these are given."""
        wanted, known = self._named_units(*drawn), dict(self.asked.wanted)
        there = all(set(places) <= set(known.get(task, ())) for task, places in wanted)
        ask = self.asked if there else replace(self.asked, methods=(), wanted=wanted)
        units = self._units([f for f in self._found_sums(ask) if f.units is not None], design, drawn)
        return ScoreDesign(design.tasks, design.judges, units.items, (units,), centre=design.centre)

    def _units(self, found: Sequence[TaskSums], design: ScannedScores, drawn: tuple[Array, Array]) -> Units:
        """The drawn ones of the units that pieces gave, by task and place, numbered anew."""
        width = int(design.sizes.max(initial=0)) + 1
        wanted, judge = drawn[0] * width + drawn[1], {name: k for k, name in enumerate(self.judges)}
        items: dict[Hashable, int] = {}
        units, rows = list[tuple[Array, ...]](), list[tuple[Array, ...]]()
        key: Array
        item: Array
        for f in found:
            given = cast(Units, f.units)
            key = numbers(f.tasks, self.number)[given.task] * width + f.place
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
