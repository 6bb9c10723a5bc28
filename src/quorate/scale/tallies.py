"""Few tasks of very many judges: answers are counted a block of judges at a time, and what is counted is added up.

Two passes over the files: marks of what each judge answered, by which judges come into groups and some are drawn
(:mod:`~quorate.scale.judge_blocks`); and sums of every group (``additive=`` of a method's declaration). So neither a
worker nor whoever puts them together holds more than these, and 30 bytes for each judge.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.inference.consensus_findings import TaskConsensus, of_sums
from quorate.inference.drawn_judges import SOME, drawable
from quorate.inference.engine import budget_of
from quorate.inference.judge_groups import (
    AT_ONCE,
    JUDGES,
    JudgeSums,
    adding,
    additive_of,
    drawn_judges,
    groups,
    missing_of,
    needed,
    permuted_judges,
)
from quorate.inference.results import Options
from quorate.inference.samples import TASKS
from quorate.inference.usual_methods import fitting, with_absence
from quorate.kernels.row_marks import lots, marks
from quorate.panel.by_name import MANY, name_order
from quorate.panel.coefficient import additive
from quorate.panel.design import Design
from quorate.panel.kinds import Groupings, Panel
from quorate.panel.partitions import UNSHOWN, absence
from quorate.panel.permuted_groups import shuffled as shuffled_groups
from quorate.panel.sheets import Sheets, unevenness
from quorate.panel.stacks import shuffled
from quorate.scale.designs import ScannedGroupings, ScannedOrderings
from quorate.scale.forecast import PROCESS, READ, ROW, Forecast, in_memory
from quorate.scale.jobs import Facts, marks_of
from quorate.scale.judge_blocks import (
    BlockAsk,
    Marked,
    Summed,
    answers_in,
    first_by_name,
    marked,
    rows_of_judges,
    some_judges,
    tallied,
)
from quorate.scale.judge_pieces import JudgeSurvey, look_at_judges
from quorate.scale.pool import Job
from quorate.scale.scanned_panel import Elsewhere
from quorate.scale.source import Damaged, Piece
from quorate.scale.survey import lengths_of
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan

Array = NDArray[Any]
COUNTED = {"orderings": 4e-10, "groupings": 3e-8}  # CPU seconds of a pair of items of a judge
EVERY_TWO = 4 * 10**8  # bytes of a row for every two of the judges who were drawn, of groupings
IN_WORKER, IN_WHOLE = 8, 28  # bytes of a sum where judges are counted, and where all are put together as they come
LOOKED = 50  # bytes of a judge while it is made sure that nobody comes twice, and while groups are made
DRAWN = 40  # bytes of a pair of items of panels that are drawn in one go
KINDS = ("orderings", "groupings")
PERMUTED_BY: Mapping[str, Any] = {"orderings": shuffled, "groupings": shuffled_groups}  # how answers are permuted
JOBS = 16  # of as many pieces or more; on a cluster four for each core


def added(found: Iterable[Mapping[tuple[Summed, Hashable], Array]]) -> dict[tuple[Summed, Hashable], Array]:
    """What jobs counted, together: the numbers are whole, so that their order does not matter."""
    sums: dict[tuple[Summed, Hashable], Array] = {}
    for one in found:
        for key, own in one.items():
            if key not in sums:
                sums[key] = own.astype(np.int64, copy=False)
            else:
                sums[key] += own
    return sums


class TallyRows(Elsewhere):
    """The rows of few tasks of very many judges, and what is asked of them."""

    methods: tuple[Method, ...] = ()
    told: str | None = None  # what an absent item is said to be
    _added: tuple[Any, dict[tuple[Summed, Hashable], Array]] | None = None

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
        self.settle(options.absent)
        chosen = fitting(self.panel, question, [with_absence(m, options.absent) for m in methods])
        (design,) = self.designs("", options.absent)
        self.methods = tuple(dict.fromkeys(design.canonical(m) for m in chosen))

    def settle(self, absent: str | None) -> None:
        """What an item without a row is: of groupings as is told, or as the design looks."""
        if self.scan.kind == "groupings":
            absent = absence(cast(Groupings, self.panel), absent)
        self.told, self.ask = absent, replace(self.ask, absent=absent)

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all tasks, without their rows."""
        given: dict[str, Any] = {"judges": self.judges, "items": (), "parts": (), "elsewhere": self}
        if self.scan.kind == "groupings":
            return [ScannedGroupings(self.tasks, **given)]
        return [ScannedOrderings(self.tasks, **given, absent=absent or "")]

    # -- what is counted -----------------------------------------------------------------------------------------------

    def uneven(self, task: Hashable) -> tuple[bool, bool]:
        """Whether some judge of a task lacks some item, and whether some tie any; of groupings, whether some judge left
        an item out, and whether some were not shown any."""
        if self.scan.kind == "orderings":
            return self.survey.gaps(task), self._marked.tied
        used, rows, _ = (np.concatenate(self._sheets_of(task))[:, k] for k in range(3))
        items, unshown = len(self.items[task]), self.ask.absent == UNSHOWN
        return bool((used < (rows if unshown else items)).any()), unshown and bool((rows < items).any())

    @property
    def complete(self) -> bool:
        """Whether nobody left an item out."""
        return not any(self.uneven(task)[0] for task in self.tasks)

    def _sheets_of(self, task: Hashable) -> list[Array]:
        """Of every judge of a task, items used, rows, and groups made, ``[judge, 3]``, piece by piece."""
        found = self._marked.sheets
        return [found[key] for key in sorted(key for key in found if key[1] == task)]

    @cached_property
    def sheets(self) -> Sheets:
        """What judges made of their tasks, in numbers; who they are is in the files."""
        columns = []
        for t, task in enumerate(self.tasks):
            own, used = np.concatenate(self._sheets_of(task)).astype(np.int64), self._marked.used[task]
            same = np.ones(len(own), np.int64)
            more = (same * len(used), same * unevenness(used))
            columns.append((same * t, np.arange(len(own)), own[:, 0], own[:, 1], own[:, 2], *more))
        return Sheets(*(np.concatenate(column) for column in zip(*columns, strict=True)))

    def adds_up(self, method: Method) -> bool:
        """Whether what a method needs of the judges is counted."""
        return needed(method, *self.uneven(self.tasks[0])) is not None

    def agreed(self, method: Method, design: Design, options: Options) -> dict[int, TaskConsensus]:
        """What the judges of every task agree on, by the number of the task."""
        return {
            k: of_sums(method, self._of(method, task), self.items[task], k, options)
            for k, task in enumerate(self.tasks)
        }

    @property
    def before(self) -> Iterator[Array]:
        """Of orderings how many judges put i before j, task by task, as the usual consensus counts them."""
        usual = table.methods(self.scan.kind, "consensus", default=True)
        self.expect("consensus", usual, Options(absent=self.told), None)
        for task in self.tasks:
            found = self._of(self.methods[0], task)
            yield found.where.square(found.sums.sum(axis=0), "before")

    def counted(self, method: Method) -> JudgeSums:
        """What the judges of the one task add up to."""
        return self._of(method, self.tasks[0])

    def _of(self, method: Method, task: Hashable) -> JudgeSums:
        adds, missing, (gaps, tied) = additive_of(method), missing_of(method), self.uneven(task)
        names = needed(method, gaps, tied) or ()
        items = len(self.items[task])
        key = next(one for one in self._summed if one[0] == missing)
        sums = adds.sections(items, key[1]).taken(self._sums[key, task], names)
        where, permuted = adds.sections(items, names), PERMUTED_BY[self.scan.kind]
        return JudgeSums(adds, where, sums, gaps, tied, missing, self._some, permuted)

    @cached_property
    def ask(self) -> BlockAsk:
        """What is asked of every block."""
        items, gaps = tuple(self.items.items()), tuple(self.survey.gaps(task) for task in self.tasks)
        plain = ("judge",) if len(self.survey.judges) > MANY else ()
        return BlockAsk(self.scan.kind, "", (), plain=plain, items=items, gaps=gaps)

    @cached_property
    def _parts(self) -> list[Sequence[Piece]]:
        """The pieces of every job."""
        pieces = self.survey.pieces
        jobs = min(len(pieces), JOBS if self.scan.cluster is None else max(JOBS, 4 * self.scan.pool.workers))
        return [pieces[k * len(pieces) // jobs : (k + 1) * len(pieces) // jobs] for k in range(jobs)]

    def jobs(self, function: Callable[..., Any], *more: Any) -> list[Job]:
        """A job for every part of the pieces: what a function gives of these, with what else it is told."""
        given = [(self.survey.source, own, *more, self.scan.skip_bad) for own in self._parts]
        return [Job(function, of, f"{of[1][0]} to {of[1][-1]}") for of in given]

    def _jobs(self, stage: str, begun: Sequence[Job], some: Sequence[Sequence[Piece]], *text: Any) -> Any:
        """What every job gives, as they are done."""
        mark = hashlib.blake2b(repr((*text, len(some))).encode(), digest_size=6).hexdigest()
        return self.scan.each(f"{stage}-{mark}", begun, [sum(p.rows for p in own) for own in some])

    @cached_property
    def _marked(self) -> Marked:
        """Marks of all judges' answers, and what else is to be known of them before anything is counted."""
        found = [each for _, each in self._jobs("marks", self.jobs(marked, self.ask), self._parts)]
        known = {k: v for f in found for k, v in f.marks.items()}
        sheets = {k: v for f in found for k, v in f.sheets.items()}
        notes = tuple(dict.fromkeys(note for f in found for note in f.notes))
        self.scan.skipped.update(dict(s for f in found for s in f.skipped))
        used: dict[Hashable, Array] = {}
        for f in found:
            used |= {task: used.get(task, 0) + own for task, own in f.used.items()}
        deepest = max((f.deepest for f in found), default=0)
        return Marked(known, sheets, used, any(f.tied for f in found), deepest, notes)

    def _marks(self, key: tuple[int, Hashable]) -> Array:
        """The marks of the judges of a piece and task, as an item without a row is meant."""
        found = self._marked.marks[key]
        return found if found.ndim == 1 else found[int(self.ask.absent == UNSHOWN)]

    def _every(self, task: Hashable) -> tuple[list[tuple[int, Hashable]], Array]:
        """The pieces in which a task has judges, and the marks of all of these, one after the other."""
        keys = sorted(key for key in self._marked.marks if key[1] == task)
        return keys, np.concatenate([self._marks(key) for key in keys])

    @cached_property
    def _groups(self) -> dict[tuple[int, Hashable], Array]:
        """The group of every judge of every piece."""
        out: dict[tuple[int, Hashable], Array] = {}
        for task in self.tasks:
            keys, every = self._every(task)
            group = lots(every, groups(len(self.items[task]))).astype(np.int16)
            ends = np.cumsum([len(self._marks(key)) for key in keys])[:-1]
            out |= dict(zip(keys, np.split(group, ends), strict=True))
        return out

    @property
    def _summed(self) -> tuple[Summed, ...]:
        """What is counted for all methods that count anything: by what an absent item means, all sections."""
        found: dict[str, dict[str, None]] = {}
        for m in self.methods:
            for task in self.tasks:
                names = needed(m, *self.uneven(task))
                if names is not None:
                    found.setdefault(missing_of(m), {}).update(dict.fromkeys(names))
        return tuple((missing, tuple(sorted(names))) for missing, names in found.items())

    @property
    def _sums(self) -> Mapping[tuple[Summed, Hashable], Array]:
        """What all judges add up to, as the question needs it; that of the question before is held no longer."""
        key = self._summed, self.ask.absent
        if self._added is None or self._added[0] != key:
            self._added = None
            self._added = key, self._added_up()
        return self._added[1]

    def _added_up(self) -> dict[tuple[Summed, Hashable], Array]:
        """The sums of all groups of judges."""
        some, ask = self._parts, replace(self.ask, summed=self._summed)
        number = {task: groups(len(names)) for task, names in self.items.items()}
        begun = []
        for own in some:
            there = {p.number for p in own}
            group = {key: of for key, of in self._groups.items() if key[0] in there}
            given = (self.survey.source, own, ask, group, number, self.scan.skip_bad)
            begun.append(Job(tallied, given, f"{own[0]} to {own[-1]}"))
        return added(one for _, one in self._jobs("tally", begun, some, self._summed, ask.absent))

    # -- some judges ---------------------------------------------------------------------------------------------------

    def _drawn(self, size: int) -> Panel:
        """So many judges drawn at random, as a panel of their rows by name."""
        (task,) = self.tasks
        keys, every = self._every(task)
        wanted = Counter(every[drawn_judges(every, size)].tolist())
        pieces = {p.number: p for p in self.survey.pieces}
        there = [(pieces[n], wanted.keys() & set(self._marks((n, task)).tolist())) for n, _ in keys]
        asked = [(p, {m: wanted[m] for m in own}) for p, own in there if own]
        begun = [Job(rows_of_judges, (self.survey.source, p, self.ask, own), str(p)) for p, own in asked]
        parts = [one for _, one in sorted(self._jobs("judges", begun, [[p] for p, _ in asked], size, self.ask.absent))]
        source, plain = self.survey.source, bool(self.ask.plain)
        candidates = source.panel(parts).by_name
        found = [(candidates.judges[k], m) for k, m in _marks_of(candidates, self.ask)]
        chosen = set(first_by_name([n for n, _ in found], np.array([m for _, m in found]), wanted, plain))
        return source.panel([some_judges(part, chosen) for part in parts]).by_name

    @cached_property
    def drawn_panel(self) -> Panel:
        """Some of the judges, for methods that hold every one against the others."""
        found = self._drawn(SOME)
        return replace(found, notes=(), absent=self.survey.source.absent, reading=self.scan.reading)

    @cached_property
    def _permuted(self) -> dict[int, Array]:
        return {}

    def _some(self, size: int) -> Array:
        """The answers of so many judges drawn at random, in the order of their marks."""
        (task,) = self.tasks
        items = len(self.items[task])
        if self.scan.kind == "orderings" and not any(self.uneven(task)):
            return np.tile(np.arange(1, items + 1, dtype=np.int16), (size, 1))  # whatever they are, they are permuted
        if size not in self._permuted:
            ((_, _, answers),) = answers_in(Piece(0, ()), self._drawn(size), self.ask, self.ask.absent or "")
            self._permuted[size] = answers[np.argsort(marks(answers), kind="stable")]
        return self._permuted[size]

    @cached_property
    def facts(self) -> Facts:
        """What sentences need to know."""
        found, told = self.survey, self._marked
        items = marks_of({name for names in found.items.values() for name in names})
        judges = np.array([len(self._every(task)[1]) for task in self.tasks])
        gaps = any(found.gaps(task) for task in self.tasks) if self.scan.kind == "orderings" else False
        return Facts(found.rows, judges, items, {}, gaps, told.tied, told.deepest, told.notes)


def _marks_of(panel: Panel, ask: BlockAsk) -> list[tuple[int, int]]:
    """The number and mark of every judge of a panel of one task."""
    ((_, judges, answers),) = answers_in(Piece(0, ()), panel, ask, ask.absent or "")
    return list(zip(judges.tolist(), marks(answers).tolist(), strict=True))


def in_blocks(scan: Scan, question: str, methods: Sequence[Method], options: Options) -> bool:
    """Whether few tasks have so many judges that they are counted a block at a time, or some of them drawn, and
    methods need no more."""
    over = {"consensus": (None, "judges", "tasks"), "agreement": (None, "judges")}.get(question, (options.over,))
    if scan.source.meaning.kind not in KINDS or question == "quality" or options.over not in over:
        return False
    if "importance" in scan.source.meaning.names and question == "consensus":  # of groups, which needs every judge
        return False
    if not all(answerable(m) for m in methods) or not _may_be(scan):
        return False
    found = scan.judge_survey
    sizes = [(found.judges_of[task], len(names)) for task, names in found.items.items()]
    one = question != "consensus" or any(map(_drawn_for, methods))
    if any(judges <= JUDGES for judges, _ in sizes) or len(sizes) > (1 if one else TASKS):
        return False
    return all(_drawn_for(m) or adding(m, *size, False) is not None for m in methods for size in sizes)


def answerable(method: Method) -> bool:
    """Whether a method needs no more of very many judges than sums of them, or some of them."""
    return _drawn_for(method) or additive(method) is not None


def _drawn_for(method: Method) -> bool:
    """Whether some judges stand for all."""
    return method.question in ("judges", "trust") or drawable(method)


def _may_be(scan: Scan) -> bool:
    """Whether the first rows may be of tasks with so many judges; else there is no need to look at all of them."""
    lengths, _ = lengths_of(scan.source, scan.skip_bad)
    if sum(size for _, size in lengths) <= JUDGES:
        return False
    file, size = next((f, n) for f, n in lengths if n)
    try:
        seen = look_at_judges(scan.source, Piece(0, ((file, 0, min(size, scan.rows)),)))
    except Damaged:
        if not scan.skip_bad:
            raise
        return True
    whole = len(seen.tasks) > 1 and not (np.diff(seen.task) < 0).any()  # the first task, as another one follows
    few = whole and len(np.unique(seen.judge[seen.task == 0])) <= JUDGES
    return len(seen.tasks) <= TASKS and not few


def _permuted(found: JudgeSurvey, kind: str, question: str) -> int:
    """How many judges' answers are looked at themselves, beside counts of all: for chance, or beside groups."""
    if question == "agreement":
        return max(permuted_judges(len(names), found.judges_of[task]) for task, names in found.items.items())
    return SOME if (kind, question) == ("groupings", "consensus") else 0


def tally_forecast(scan: Scan, question: str, methods: Sequence[Method], options: Options) -> Forecast:
    """What counting will take: every process holds the sums, whatever the number of judges."""
    found, kind = scan.judge_survey, scan.kind
    chosen = [with_absence(m, options.absent) for m in methods if additive(m) is not None]
    sums, widths = 0, [0]
    for task, names in found.items.items():
        by: dict[str, set[str]] = {}
        for m in chosen:
            by.setdefault(missing_of(m), set()).update(needed(m, found.gaps(task), True) or ())
        if chosen:
            widths.append(max(additive_of(chosen[0]).sections(len(names), tuple(own)).width for own in by.values()))
            sums += groups(len(names)) * widths[-1] * len(by)
    pairs = sum(found.judges_of[task] * len(names) ** 2 for task, names in found.items.items())
    once = min(scan.rows, found.rows) * ROW * scan.workers
    draws, held = budget_of(options).draws(max(sums, 0)), scan.workers * IN_WORKER + IN_WHOLE
    drawn = DRAWN * min(AT_ONCE, draws * max(widths))
    rows = max((found.rows_of[task] // max(found.judges_of[task], 1) for task in found.tasks), default=0)
    some = in_memory(SOME * rows, kind, question) - PROCESS if any(map(_drawn_for, methods)) else 0
    some += EVERY_TWO * (kind == "groupings" and question == "agreement" and any(map(_drawn_for, methods)))
    some += _permuted(found, kind, question) * rows * ROW
    most = max(held * sums + drawn, LOOKED * len(found.judges))  # the one after the other
    return Forecast(
        found.rows,
        len(found.tasks),
        sum(len(names) for names in found.items.values()) * len(methods),
        len(found.pieces),
        3.0 + 5 * READ * found.rows + COUNTED[kind] * pairs * bool(chosen),
        (scan.workers + 1) * PROCESS + once + most + some,
        in_memory(found.rows, kind, question),
        draws,
        0,
        max((groups(len(names)) for names in found.items.values()), default=0),
    )
