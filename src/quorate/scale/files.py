"""A scan: a panel that is not in memory. The five questions and the report take it where they take a panel."""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from quorate.errors import BadParameter, InputError
from quorate.formats.file_parts import Part, columns_became
from quorate.formats.files import File, readable, size
from quorate.formats.registry import typed
from quorate.inference.drawn_judges import with_note
from quorate.inference.results import Options
from quorate.inference.samples import TASKS
from quorate.kernels.streams import sample, stream
from quorate.panel.base import many
from quorate.panel.by_name import in_name_order
from quorate.panel.kinds import Panel
from quorate.panel.many_names import some_names
from quorate.panel.reading import Reading
from quorate.panel.vote_columns import FAMILIES
from quorate.scale.all_rows import NO_TASKS, needs_memory
from quorate.scale.every_judge import EveryJudge, may_be_told, with_every_judge
from quorate.scale.forecast import PROCESS, Forecast, forecast, in_memory, of_items, rows_at_once
from quorate.scale.jobs import rows_of_tasks
from quorate.scale.judge_pieces import JudgeSurvey, judge_survey
from quorate.scale.pool import Checkpoint, Job, Pool, cluster_of, processes
from quorate.scale.scanned_panel import facade, rows_of
from quorate.scale.source import STRAIGHT, Damaged, Piece, Source, size_of
from quorate.scale.source import rows_of as cells_of
from quorate.scale.survey import Survey, begins_with_more, chunks, lengths_of, room, survey
from quorate.scale.tallies import TallyRows, in_blocks, tally_forecast
from quorate.table import Method

MEMORY = "2GB"
ROW_WRITTEN = 1000  # bytes of a row of an answer while it is written, about
FEW_TASKS = 20  # whose items are counted for a forecast
RUN_ROW = 40  # bytes of a line of a run, about
SCANNED = ("orderings", "groupings", "scores", "votes")  # kinds that need not be in memory
SPECIAL = ("occasion", "count", "criterion")  # columns that need all rows at once
ROWS_HINT = "allow more --memory, take some tasks (--task), or only the text (--format text)."
OF_SCORES = ("label", "year", "time", "judge_kind")  # the same, of scores
OF_VOTES = ("question", "turn", "judge_kind", *FAMILIES)  # the same, of votes


def scan(
    *paths: str | os.PathLike[str],
    memory: int | str = MEMORY,
    workers: int = 2,
    checkpoint: str | os.PathLike[str] | None = None,
    skip_bad: bool = False,
    cluster: Any = None,
    format: str | None = None,
    kind: str | None = None,
    rows: int | None = None,
    strict: bool = False,
    **options: Any,
) -> Scan:
    """A panel that stays in its files: paths, patterns or fsspec URLs of Parquet, Arrow, CSV, JSON Lines or TREC runs.

    ``memory`` is what all processes together may hold, ``workers`` how many there are beside this one; ``cluster`` is
    a Dask client, a scheduler's address (tcp://host:8786) or ``local:4``. In the folder ``checkpoint`` work is kept,
    so that it goes on after a crash. A damaged part of the files is an error; ``skip_bad`` skips it and says so.
    ``rows`` is how many are looked at in one go, by default as memory allows; ``strict`` makes a guess about columns an
    error; other options are those of ``read``.
    """
    if workers < 1:
        raise BadParameter(f"workers={workers} is out of range.", "one worker at least.")
    source = Source.of(paths, format, kind, **options)
    found = Scan(source, size(memory), workers, checkpoint, skip_bad, cluster, rows)
    if strict:
        found.reading.refuse_guesses()
    return found


class Scan:
    """Files of judgments, and how they are to be worked on."""

    scanned: ClassVar[bool] = True

    def __init__(
        self,
        source: Source,
        memory: int,
        workers: int,
        checkpoint: str | os.PathLike[str] | None,
        skip_bad: bool,
        cluster: Any,
        rows: int | None,
    ) -> None:
        self.source = source
        self.memory = memory
        self.workers = workers
        self.folder = Path(checkpoint) if checkpoint is not None else None
        self.skip_bad = skip_bad
        self.cluster = cluster
        self.rows = rows or rows_at_once(memory, workers)
        self.progress: Any = None
        self.skipped: dict[str, str] = {}
        self.told = False  # whether all rows of an answer will be written
        self._known: dict[Any, bool] = {}  # whether questions can be answered in blocks of judges
        self._rows: dict[str | None, TallyRows] = {}  # blocks of judges, by what an absent item is said to be

    def __repr__(self) -> str:
        rows = self._at_once("")[0]
        return f"<Scan: {self.told_kind}, {len(self.source.files)} files, {rows:,} rows>"

    def on(self, cluster: Any) -> Scan:
        """The same scan, worked on by a cluster."""
        return Scan(self.source, self.memory, self.workers, self.folder, self.skip_bad, cluster, self.rows)

    @property
    def kind(self) -> str:
        """The kind of judgments."""
        return self.told_kind or self.whole().kind

    @property
    def told_kind(self) -> str:
        """The kind that the columns tell; empty where the rows do."""
        return "orderings" if self.source.format == "run" else self.source.meaning.kind or ""

    @cached_property
    def reading(self) -> Reading:
        """How the files are read."""
        meant, first, some = self.source.meaning, File(self.source.files[0]), self.source.first_rows
        columns = columns_became(meant.given, meant.names, some or Part("", dict.fromkeys(meant.names)))
        guesses = meant.guesses if some is None else some.guesses
        why = f"by its extension .{first.extension}"
        told = typed({"kind": self.source.kind, **self.source.layout})
        return Reading(tuple(map(readable, self.source.files)), self.source.format, why, columns, guesses, told)

    @cached_property
    def pool(self) -> Pool:
        """Who works."""
        return processes(self.workers) if self.cluster is None else cluster_of(self.cluster)

    @cached_property
    def fingerprint(self) -> str:
        """What changes when the files, the way they are read, or this package do."""
        sizes = [(f, *size_of(f)) for f in self.source.files]
        said = repr((sizes, self.source, self.rows, version("quorate"), self.skip_bad))
        return hashlib.blake2b(said.encode(), digest_size=10).hexdigest()

    @cached_property
    def _own_folder(self) -> Path:
        """Where things are written: the checkpoint's, or one that goes when this does."""
        if self.folder is not None:
            return self.folder / self.fingerprint
        if self.cluster is not None:
            raise InputError(
                "rows of a task are not neighbours, and the cluster has no common folder.",
                "--checkpoint DIR on a path that all workers see, or files sorted by task.",
            )
        made = tempfile.mkdtemp(prefix="quorate-scan-")
        weakref.finalize(self, shutil.rmtree, made, ignore_errors=True)
        return Path(made)

    @cached_property
    def survey(self) -> Survey:
        """What is in the files."""
        if self.source.format not in STRAIGHT:
            room(self._own_folder, sum(size_of(f)[0] for f in self.source.files))
        return survey(self.source, self.rows, self.run, self._written_to, skip_bad=self.skip_bad)

    @cached_property
    def judge_survey(self) -> JudgeSurvey:
        """What is in the files, in pieces of whole judges."""
        if self.source.format not in STRAIGHT:
            room(self._own_folder, sum(size_of(f)[0] for f in self.source.files))
        return judge_survey(self.source, self.rows, self.run, self._written_to, skip_bad=self.skip_bad)

    @property
    def _written_to(self) -> Any:
        """The folder in which rows are rewritten, if need be."""
        return _Lazily(self) if self.folder is None else self.folder / self.fingerprint

    def run(self, stage: str, jobs: Sequence[Job], rows: Sequence[int]) -> list[Any]:
        """What every job gives, in their order; None of those that are skipped."""
        out: list[Any] = [None] * len(jobs)
        for k, found in self.each(stage, jobs, rows):
            out[k] = found
        return out

    def each(self, stage: str, jobs: Sequence[Job], rows: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """The number of every job and what it gives, as they are done; those that are skipped are not among them. What
        is kept is not done again."""
        kept = Checkpoint(None if self.folder is None else self.folder / self.fingerprint)
        todo = []
        for k in range(len(jobs)):
            before = kept.kept(f"{stage}-{k:06d}")
            if before is None:
                todo.append(k)
            else:
                yield k, before
        total, done, begun = sum(rows), sum(rows) - sum(rows[k] for k in todo), time.monotonic()
        for number, how, found in self.pool.each([jobs[k] for k in todo]):
            k = todo[number]
            done += rows[k]
            if how == "done":
                kept.keep(f"{stage}-{k:06d}", found)
                yield k, found
            elif how == "damaged" and self.skip_bad:
                self.skipped[jobs[k].what] = found[0]
            elif how == "absent":
                raise InputError(f"{found}, or on no worker of the cluster.", "put it where all workers see it.")
            else:
                raise InputError(*found)
            if self.progress is not None and time.monotonic() - begun > 0.2:
                self.progress(f"{stage.split('-')[0]}: rows", done, total)

    # -- the panel ----------------------------------------------------------------------------------------------------

    @cached_property
    def in_memory(self) -> Panel:
        """All rows as a panel."""
        if self.source.format == "run":
            from quorate.formats import read

            return read(*self.source.files)
        lengths, notes = lengths_of(self.source, self.skip_bad)
        parts = []
        step = self.rows if self.skip_bad else max((n for _, n in lengths), default=1)
        ranges = [(f, a, min(a + step, n)) for f, n in lengths for a in range(0, n, step)]
        for piece in [Piece(k, (one,)) for k, one in enumerate(ranges)]:
            try:
                parts.append(self.source.part(piece))
            except Damaged:
                if not self.skip_bad:
                    raise
                notes.append(f"skipped, for damaged: {piece}")
        if not parts:
            raise InputError(f"{self.source}: nothing in it can be read.", "fetch or write it again.")
        panel = self.source.panel(parts)
        return replace(panel, notes=(*panel.notes, *notes), reading=self.reading)

    def forecast(self, question: str, methods: Sequence[Method], options: Options) -> Forecast:
        """What it will take: rows, tasks, CPU seconds, memory and draws."""
        if self.in_blocks(question, methods, options):
            told = tally_forecast(self, question, methods, options)
            every = may_be_told(self, question, methods)
            return with_every_judge(told, len(self.judge_survey.judges), len(methods)) if every else told
        return forecast(self, question, methods, options)

    @property
    def unscannable(self) -> str:
        """Why the files cannot be scanned whatever is asked; empty where they can."""
        if self.source.format == "run":
            return "runs are read at once"
        meant = self.source.meaning
        if meant.layout not in ("long", "votes") or (self.one_task and meant.kind not in ("orderings", "groupings")):
            return NO_TASKS
        if meant.layout == "votes" and "winner" not in meant.names:
            return "votes without a column of winners need all rows at once"
        some = self.source.first_rows if self.one_task else None
        if some is not None and "task" in some.raw:
            return "a task that no column is named after needs all rows at once"
        columns = (*SPECIAL, *{"scores": OF_SCORES, "votes": OF_VOTES}.get(str(meant.kind), ()))
        special = next((c for c in columns if self.source.column(c) is not None), None)
        if special:
            return f"a column '{special}' needs all rows at once"
        return "" if meant.kind in SCANNED else f"{meant.kind} need all rows at once"

    @cached_property
    def number_of_rows(self) -> int:
        """How many rows there are; of files that can be read, where others are skipped."""
        return sum(size for _, size in lengths_of(self.source, self.skip_bad)[0])

    @property
    def one_task(self) -> bool:
        """Whether no column tells tasks apart."""
        return self.source.column("task") is None

    @cached_property
    def _many_tasks(self) -> bool:
        """Whether the first rows show that tasks are not few."""
        return begins_with_more(self.source, TASKS, self.rows)

    def in_blocks(self, question: str, methods: Sequence[Method], options: Options) -> bool:
        """Whether few tasks have very many judges, who are counted a block at a time."""
        key = question, tuple(map(str, methods)), options.over
        if key not in self._known:
            many = self.unscannable or self._many_tasks
            self._known[key] = not many and in_blocks(self, question, methods, options)
        return self._known[key]

    def judge_rows(self, absent: str | None) -> TallyRows:
        """The rows of few tasks of very many judges: what is known of all of these is found once for all questions."""
        if absent not in self._rows:
            self._rows = {absent: TallyRows(self)}
        self._rows[absent].settle(absent)
        return self._rows[absent]

    @cached_property
    def of_very_many_judges(self) -> bool:
        """Whether it is one task of so many judges that some are drawn where each is held against the others."""
        return self.in_blocks("judges", (), Options())

    def whole(self, why: str = "this needs all rows at once", question: str = "", told: bool = False) -> Panel:
        """The panel in memory, if it fits; else an error that says why it must. ``told``: all rows are written."""
        _, needed = self._at_once(question, told)
        if needed > self.memory:
            some = "" if self.one_task else ", or take some tasks (--task)"
            raise _too_much(why, needed, self.memory, f"allow {_rounded(needed)} (--memory){some}.")
        return self.in_memory

    def fits(self, question: str) -> bool:
        """Whether all rows fit into memory on the way to an answer."""
        return self._at_once(question, self.told)[1] <= self.memory

    @property
    def sampled(self) -> bool:
        """Whether there are so many judges of one task, or so many tasks, that some of them stand for all."""
        if self.of_very_many_judges:
            return True
        return self.source.format != "run" and not self.one_task and len(self.survey.tasks) > TASKS

    def some_tasks_in_memory(self, seed: int) -> Panel:
        """The tasks on which chance is estimated, as a panel; an error where they do not fit."""
        names = self.survey.tasks
        rows = round(self.survey.rows * TASKS / len(names))
        needed = in_memory(rows, self.kind, "report", self.told)
        if needed > self.memory:
            raise _too_much(f"a report on {TASKS:,} tasks", needed, self.memory, "allow more --memory.")
        chosen = in_name_order(names)[sample(stream(seed, "tasks"), len(names), TASKS)]
        return self.tasks_in_memory(some_names(names, chosen))

    def tasks_in_memory(self, tasks: Sequence[Hashable]) -> Panel:
        """Some tasks as a panel; each piece gives its own."""
        found, wanted = self.survey, set(tasks)
        mine: list[list[Hashable]] = [[] for _ in found.pieces]
        for task, piece in zip(found.tasks, found.piece_of.tolist(), strict=True):
            if task in wanted:
                mine[piece].append(task)
        pieces = [(p, own) for p, own in zip(found.pieces, mine, strict=True) if own]
        jobs = [Job(rows_of_tasks, (found.source, p, own), str(p)) for p, own in pieces]
        mark = hashlib.blake2b(repr(sorted(map(str, wanted))).encode(), digest_size=6).hexdigest()
        parts = [part for part in self.run(f"tasks-{mark}", jobs, [p.rows for p, _ in pieces]) if part is not None]
        return replace(found.source.panel(parts), notes=found.notes, reading=self.reading)

    def answers(self, question: str, methods: Sequence[Method], options: Options, beside: Sequence[Any]) -> bool:
        """Whether a question can be answered of all tasks, in the memory that is allowed."""
        if self.needs_memory(question, methods, options, beside):
            return self.fits(question) and all(b.fits(question) for b in beside if isinstance(b, Scan))
        return self.forecast(question, methods, options).memory <= self.memory

    def panel_for(
        self, question: str, methods: Sequence[Method], options: Options, beside: Sequence[Any] = ()
    ) -> tuple[Panel, list[Panel]]:
        """What a question is asked of: the scan without its rows, or the panel in memory where it must be and can."""
        why = self.needs_memory(question, methods, options, beside)
        if why:
            return self.whole(why, question), [b.whole() if isinstance(b, Scan) else b for b in beside]
        told = self.forecast(question, methods, options)
        if told.memory > self.memory:
            asked = f"{question} of {many(told.tasks, 'task')} by {many(len(methods), 'method')}"
            raise _too_much(asked, told.memory, self.memory, self._instead(told, methods))
        if self.in_blocks(question, methods, options):
            if may_be_told(self, question, methods):
                each = EveryJudge(self)
                each.expect(question, methods, options, None)
                if each.told_from_counts:
                    return facade(each), []
            rows = self.judge_rows(options.absent)
            if question in ("judges", "trust"):
                return with_note(rows.drawn_panel, len(rows.judges), question), []
            return facade(rows), []
        lists = beside[0] if beside else None
        return facade(rows_of(self, lists)), [facade(rows_of(lists))] if lists else []

    def _instead(self, told: Forecast, methods: Sequence[Method]) -> str:
        """What to do where a question does not fit."""
        ways = [f"allow {_rounded(told.memory)} (--memory)"]
        fewer = self.cluster is None and told.memory - (self.workers - 1) * PROCESS <= self.memory
        ways += ["one process (--workers 1)"] if fewer else []
        ways += ["name fewer methods (--method)"] if len(methods) > 1 else []
        ways += ["take some tasks (--task)"] if told.tasks > 1 else []
        return f"{', '.join(ways[:-1])}{', or ' if len(ways) > 1 else ''}{ways[-1]}."

    def usual(
        self, question: str, methods: Sequence[Method], options: Options, beside: Sequence[Any]
    ) -> tuple[Sequence[Method], str]:
        """The usual methods, without those that need more rows at once than there is memory for, which a note tells."""
        if not self.needs_memory(question, methods, options, beside) or self.fits(question):
            return methods, ""
        kept = [m for m in methods if not self.needs_memory(question, [m], options, beside)]
        gone = ", ".join(str(m) for m in methods if m not in kept)
        return (kept, f"{gone}: left out, for all rows would have to be in memory at once") if kept else (methods, "")

    def told_before(self, question: str, methods: Sequence[Method], options: Options) -> str:
        """The forecast in words, with why all rows are needed at once, if they are."""
        why = self.needs_memory(question, methods, options, ())
        if self.unscannable or (why and self.one_task):
            rows, needed = self._at_once(question)
            return f"{rows:,} rows; {why}: about {needed / 1e9:.2f} GB"
        told = self.forecast(question, methods, options)
        return f"{told.text()}\n{why}: about {told.in_memory / 1e9:.2f} GB" if why else told.text()

    def _at_once(self, question: str, told: bool = False) -> tuple[int, int]:
        """How many rows there are, and the bytes that they take in memory."""
        runs = self.source.format == "run"
        rows = sum(size_of(f)[0] // RUN_ROW for f in self.source.files) if runs else self.number_of_rows
        kind = self.told_kind or "scores"
        return rows, in_memory(rows, kind, question, told, self.items if of_items(kind, question) else 0)

    @cached_property
    def items(self) -> int:
        """How many items there are, where all rows are of one task, and how many that are scored of a few tasks,
        together; 0 of others, of which rows tell what memory they take."""
        task, name = self.source.column("task"), self.source.column("item")
        if self.source.format == "run" or name is None:
            return 0
        if task is not None and (self.told_kind != "scores" or self.source.column("system") or self._many_tasks):
            return 0
        names = [name] if task is None else [task, name]
        found: Any = None
        for piece in chunks(lengths_of(self.source, self.skip_bad)[0], self.rows):
            with suppress(Damaged):  # told, or skipped, where it is read
                some = cells_of(piece, names).unique()
                found = some if found is None else found.vstack(some).unique()
        few = found is not None and (task is None or found.get_column(task).n_unique() <= FEW_TASKS)
        return len(found) if few else 0

    @property
    def size(self) -> tuple[int, str]:
        """How many rows there are, and of which kind."""
        return self._at_once("")[0], self.told_kind or "scores"

    def check_rows(self, question: str, methods: Sequence[Method], options: Options) -> None:
        """Whether a row for every value can be written; an error where they cannot be held."""
        why = self.needs_memory(question, methods, options, ())
        if why:
            _, needed = self._at_once(question, told=True)
            if needed > self.memory:
                raise _too_much(f"{why}, and all rows of the answer", needed, self.memory, ROWS_HINT)
        else:
            rows = self.forecast(question, methods, options).values
            if rows * ROW_WRITTEN > self.memory:
                raise _too_much(f"a row for each of {rows:,} values", rows * ROW_WRITTEN, self.memory, ROWS_HINT)

    def needs_memory(self, question: str, methods: Sequence[Method], options: Options, beside: Sequence[Any]) -> str:
        """Why a question needs all rows at once; empty where it does not."""
        return needs_memory(self, question, methods, options, beside)


def _rounded(size: int) -> str:
    """So many bytes as an option has them, rounded up."""
    return f"{math.ceil(size / 1e8) / 10:.1f}GB"


def _too_much(what: str, needed: int, memory: int, hint: str) -> BadParameter:
    fact = f"{what}: about {needed / 1e9:.1f} GB are needed, and --memory is {memory / 1e9:.1f} GB."
    return BadParameter(fact, hint)


class _Lazily:
    """A folder that is made when something is put in it."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan

    def __truediv__(self, name: str) -> Path:
        return self._scan._own_folder / name


def tasks_in(scan: Scan, tasks: Sequence[Hashable]) -> Panel:
    """Some tasks of a scan, in memory."""
    return scan.tasks_in_memory(tasks)
