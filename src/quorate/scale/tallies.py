"""Few tasks of very many judges: rankings are counted a block of judges at a time, and what is counted is added up.

Each job goes through many pieces and gives sums (``additive=`` of a method's declaration), so neither a worker nor
whoever puts them together holds more than these, however many judges there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import InputError
from quorate.inference.answer import with_absence
from quorate.inference.consensus_findings import TaskConsensus, of_sums
from quorate.inference.engine import TASKS, budget_of
from quorate.inference.judge_groups import AT_ONCE, JUDGES, adding, group_of, groups
from quorate.inference.results import Options
from quorate.orderings.tally import numbers_of, wide
from quorate.panel.by_name import name_order
from quorate.panel.coefficient import Additive, additive
from quorate.panel.design import Design
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.scale.designs import ScannedOrderings
from quorate.scale.elsewhere import Elsewhere
from quorate.scale.forecast import PROCESS, READ, ROW, Forecast, in_memory
from quorate.scale.jobs import Ask, Facts, marks_of, named
from quorate.scale.judge_pieces import JudgeSurvey, look_at_judges
from quorate.scale.pool import Job
from quorate.scale.source import Damaged, Piece, Source
from quorate.scale.survey import lengths_of
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan

Array = NDArray[Any]
COUNTED = 4e-10  # CPU seconds of a pair of items of a judge
IN_WORKER, IN_WHOLE = 8, 16  # bytes of a sum where judges are counted, and where all are put together
LOOKED = 50  # bytes of a judge while it is made sure that nobody comes twice
DRAWN = 40  # bytes of a pair of items of panels that are drawn in one go
TIED = "without --memory and --workers they are read into memory; consensus (rank_sum, copeland) counts ties too."
JOBS = 16  # of as many pieces or more; on a cluster four for each core


@dataclass(frozen=True)
class TallyAsk(Ask):
    """What is asked of every piece: also every task's items, in the order of names, and whether judges lack some."""

    items: tuple[tuple[Hashable, tuple[Hashable, ...]], ...] = ()
    gaps: tuple[bool, ...] = ()
    wide: tuple[Hashable, ...] = ()  # tasks whose sums need long numbers


@dataclass(frozen=True, eq=False)
class Tallies:
    """What some judges add up to: of each method and task ``[group, number]``."""

    sums: Mapping[tuple[str, Hashable], Array]
    tied: bool
    deepest: int
    notes: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...] = ()  # pieces that cannot be read, and why


def tallied(source: Source, pieces: Sequence[Piece], ask: TallyAsk, skip_bad: bool) -> Tallies:
    """What the judges of some pieces add up to."""
    methods = {text: table.parse(text, "orderings", "consensus") for text in ask.methods}
    items, gaps = dict(ask.items), {task: own for (task, _), own in zip(ask.items, ask.gaps, strict=True)}
    place = {task: {name: k for k, name in enumerate(names)} for task, names in items.items()}
    sums: dict[tuple[str, Hashable], Array] = {}
    tied, deepest, notes, skipped = False, 0, dict[str, None](), list[tuple[str, str]]()
    for piece in pieces:
        try:
            part_of = source.part(piece)
        except Damaged as error:
            if not skip_bad:
                raise
            skipped.append((str(piece), error.fact))
            continue
        panel = cast(Orderings, named(source.panel([part_of]), ask))
        tied, deepest = tied or panel.tied, max(deepest, int(panel.value.max(initial=0)))
        notes.update(dict.fromkeys(panel.notes))
        for part in stacks(panel):
            for t, number in enumerate(part.tasks.tolist()):
                task = panel.tasks[number]
                own = np.array([place[task][panel.items[k]] for k in part.items[t].tolist()])
                positions = np.zeros((part.positions.shape[1], len(items[task])), part.positions.dtype)
                positions[:, own] = part.positions[t]
                if not gaps[task] and not positions.all():
                    raise InputError(f"{piece}: a judge repeats an item, or leaves one out.", "one row for each.")
                names, size = [panel.judges[k] for k in part.judges[t].tolist()], groups(len(items[task]))
                group = group_of(names, size)
                for text, m in methods.items():
                    adds = cast(Additive, additive(m))
                    found = adds.sums(positions, group, size, gaps[task], sums.get((text, task)), **m.parameters)
                    sums[text, task] = found.astype(np.int64, copy=False) if task in ask.wide else found
    return Tallies(sums, tied, deepest, tuple(notes), tuple(skipped))


class TallyRows(Elsewhere):
    """The rows of few tasks of very many judges, and what is asked of them."""

    methods: tuple[Method, ...] = ()

    @property
    def survey(self) -> JudgeSurvey:
        """What is in the files."""
        return cast(JudgeSurvey, self.scan.judge_survey)

    @cached_property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names."""
        names = self.survey.tasks
        return tuple(names[k] for k in name_order(names))

    @property
    def judges(self) -> range:  # type: ignore[override]
        """As many as there are; their names are in the files."""
        return self.survey.judges

    @cached_property
    def items(self) -> dict[Hashable, tuple[Hashable, ...]]:
        """The items of every task in the order of their names."""
        listed = self.survey.items
        every = tuple(dict.fromkeys(name for task in self.tasks for name in listed[task]))
        place = {every[k]: n for n, k in enumerate(name_order(every))}
        return {task: tuple(sorted(listed[task], key=place.__getitem__)) for task in self.tasks}

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """What will be asked, so that one pass answers it."""
        self.methods = tuple(with_absence(m, options.absent) for m in methods)

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        given: dict[str, Any] = {"judges": self.judges, "items": (), "parts": (), "elsewhere": self}
        return [ScannedOrderings(self.tasks, **given, absent=absent or "")]

    def agreed(self, method: Method, design: Design, options: Options) -> dict[int, TaskConsensus]:
        """What the judges of every task agree on, by the number of the task."""
        made = {}
        for k, task in enumerate(self.tasks):
            sums = self._sums[_alike(method), task]
            made[k] = of_sums(method, cast(Additive, additive(method)), sums, self.items[task], k, options)
        return made

    def counted(self, method: Method) -> tuple[Additive, Array, int]:
        """How a method's numbers add up over the judges of the one task, what they are, and its items."""
        (task,) = self.tasks
        if self._tallies.tied:
            raise InputError(f"some judges tie items: {method} needs all rankings at once.", TIED)
        return cast(Additive, additive(method)), self._sums[_alike(method), task], len(self.items[task])

    @cached_property
    def _tallies(self) -> Tallies:
        """What all judges add up to, whatever the order in which jobs are done: the numbers are whole."""
        found, texts = self.survey, tuple(dict.fromkeys(map(_alike, self.methods)))
        items = tuple(self.items.items())
        gaps = tuple(found.gaps(task) for task in self.tasks)
        sizes = [
            (found.judges_of[task], len(self.items[task]), gap) for task, gap in zip(self.tasks, gaps, strict=True)
        ]
        long = tuple(task for task, size in zip(self.tasks, sizes, strict=True) if wide(*size))
        ask = TallyAsk("orderings", "consensus", texts, items=items, gaps=gaps, wide=long)
        jobs = min(len(found.pieces), JOBS if self.scan.cluster is None else max(JOBS, 4 * self.scan.pool.workers))
        some = [found.pieces[k * len(found.pieces) // jobs : (k + 1) * len(found.pieces) // jobs] for k in range(jobs)]
        stage = f"tally-{hashlib.blake2b(repr((texts, jobs)).encode(), digest_size=6).hexdigest()}"
        begun = [Job(tallied, (found.source, own, ask, self.scan.skip_bad), f"{own[0]} to {own[-1]}") for own in some]
        sums: dict[tuple[str, Hashable], Array] = {}
        tied, deepest, notes = False, 0, dict[str, None]()
        for _, one in self.scan.each(stage, begun, [sum(p.rows for p in own) for own in some]):
            tied, deepest = tied or one.tied, max(deepest, one.deepest)
            notes.update(dict.fromkeys(one.notes))
            self.scan.skipped.update(one.skipped)
            for key, own in one.sums.items():
                sums[key] = np.add(sums[key], own, out=sums[key]) if key in sums else own
        return Tallies(sums, tied, deepest, tuple(notes))

    @property
    def _sums(self) -> Mapping[tuple[str, Hashable], Array]:
        return self._tallies.sums

    @cached_property
    def facts(self) -> Facts:
        """What sentences need to know."""
        found, told = self.survey, self._tallies
        items = marks_of({name for names in found.items.values() for name in names})
        judges = np.array([int(self._sums[_alike(self.methods[0]), task][:, 0].sum()) for task in self.tasks])
        gaps = any(found.gaps(task) for task in self.tasks)
        return Facts(found.rows, judges, items, {}, gaps, told.tied, told.deepest, told.notes)


def _alike(method: Method) -> str:
    """One of the methods whose sums are the same: absent items are all that matters; for agreement there are none."""
    return f"rank_sum(missing={method['missing'] if method.question == 'consensus' else 'unknown'})"


def in_blocks(scan: Scan, question: str, methods: Sequence[Method], options: Options) -> bool:
    """Whether few tasks have so many judges that they are counted a block at a time, and methods need no more."""
    over = {"consensus": (None, "judges", "tasks"), "agreement": (None, "judges")}.get(question, ())
    if scan.source.meaning.kind != "orderings" or options.over not in over:
        return False
    if any(additive(m) is None for m in methods) or not _may_be(scan, question):
        return False
    found = scan.judge_survey
    sizes = [(found.judges_of[task], len(names)) for task, names in found.items.items()]
    if question == "agreement" and (len(sizes) > 1 or found.gaps(found.tasks[0])):
        return False
    return len(sizes) <= TASKS and all(adding(m, *size, False) is not None for m in methods for size in sizes)


def _may_be(scan: Scan, question: str) -> bool:
    """Whether the first rows may be of tasks with so many judges, who for agreement tie nothing; else there is no need
    to look at all of them."""
    lengths, _ = lengths_of(scan.source, scan.skip_bad)
    if sum(size for _, size in lengths) <= JUDGES:
        return False
    file, size = next((f, n) for f, n in lengths if n)
    first = Piece(0, ((file, 0, min(size, scan.rows)),))
    try:
        seen = look_at_judges(scan.source, first)
        if question == "agreement" and cast(Orderings, scan.source.panel([scan.source.part(first)])).tied:
            return False
    except Damaged:
        if not scan.skip_bad:
            raise
        return True
    whole = len(seen.tasks) > 1 and not (np.diff(seen.task) < 0).any()  # the first task, as another one follows
    few = whole and len(np.unique(seen.judge[seen.task == 0])) <= JUDGES
    return len(seen.tasks) <= TASKS and not few


def tally_forecast(scan: Scan, methods: Sequence[Method], options: Options) -> Forecast:
    """What counting will take: every process holds the sums, whatever the number of judges."""
    found, kinds = scan.judge_survey, len(set(map(_alike, methods)))
    sizes = [(len(names), found.gaps(task), found.judges_of[task]) for task, names in found.items.items()]
    sums = [groups(items) * numbers_of(items, gaps) for items, gaps, _ in sizes]
    pairs = sum(judges * items * items for items, _, judges in sizes)
    once = min(scan.rows, found.rows) * ROW * scan.workers
    draws, held = budget_of(options).draws(max(sums, default=0)), scan.workers * IN_WORKER + IN_WHOLE
    drawn = DRAWN * min(AT_ONCE, draws * max((numbers_of(items, gaps) for items, gaps, _ in sizes), default=0))
    most = max(held * kinds * sum(sums) + drawn, LOOKED * len(found.judges))  # the one after the other
    memory = (scan.workers + 1) * PROCESS + once + most
    return Forecast(
        found.rows,
        len(found.tasks),
        sum(items for items, *_ in sizes) * len(methods),
        len(found.pieces),
        3.0 + 3 * READ * found.rows + COUNTED * kinds * pairs,
        memory,
        in_memory(found.rows, "orderings", "consensus"),
        draws,
        0,
        max((groups(items) for items, *_ in sizes), default=0),
    )
