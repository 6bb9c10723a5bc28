"""Judgments as they are found in a tool's export, collected into the columns of a panel.

A reader walks the records of a file and says what it finds: scores, votes, orders, groups, what it leaves out and what
is wrong. Which values are numbers and which are labels is settled at the end, when all of them are known.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.errors import InputError, QuorateError
from quorate.formats.answers import plain, settled
from quorate.formats.archives import ZIP
from quorate.formats.column_builder import CHUNK, Ids
from quorate.formats.file_parts import Part, assemble
from quorate.formats.files import Bad, File, readable
from quorate.formats.json_paths import half
from quorate.formats.json_records import is_array, wrong_records
from quorate.formats.registry import ENCODING, Format, Option, empty, flag, listed, read_only
from quorate.formats.table_options import LABELS, SCALE
from quorate.formats.vote_tables import even, with_winners
from quorate.panel.base import many
from quorate.panel.columns import Source
from quorate.panel.kinds import ONE_TASK, Panel
from quorate.panel.reading import Column, Guess

ORDER = ("votes", "orderings", "groupings", "scores")  # which kind is read where a file holds several
CRITERIA = Option("criteria", "the questions to read, by name; all by default", listed)
SHARED = (CRITERIA, LABELS, SCALE, ENCODING)
MODELS = Option("models", "answers of models that came with the items are judges too: yes or no (default)", flag)
SYSTEM_NAMES = ("system", "model", "model_name", "generator")  # fields of a record that name what made the item


class _Rows:
    """Rows of one file and kind, growing; a column may begin late."""

    def __init__(self) -> None:
        self.columns: dict[str, Ids] = {}
        self.lines = array("q")
        self._held: list[dict[str, Any]] = []

    def add(self, at: int, cells: dict[str, Any]) -> None:
        self.lines.append(at)
        self._held.append(cells)
        if len(self._held) == CHUNK:
            self.flush()

    def flush(self) -> None:
        begun = len(self.lines) - len(self._held)
        for name in dict.fromkeys(n for row in self._held for n in row):
            if name not in self.columns:
                self.columns[name] = Ids()
                self.columns[name].add([None] * begun, 0)
        for name, column in self.columns.items():
            column.add([row.get(name) for row in self._held], begun)
        self._held = []

    def part(self, file: File) -> Part:
        self.flush()
        word = "record" if is_array(file) else "line"
        source = Source(file.name, np.array(self.lines, np.int64), word)
        raw = {n: c.done(n, source) for n, c in self.columns.items()}
        return Part(file.name, raw, source.lines, word=word)


class Judgments:
    """What is found in files, one after the other."""

    file: File  # that is being read

    def __init__(self, kind: str | None = None, criteria: Sequence[str] | None = None, *, labels: bool = False) -> None:
        self.kind, self.criteria = kind, criteria  # as they were asked for
        self.label_wanted = labels  # whether values are to be labels, even where they could be numbers
        self._files: dict[int, File] = {}  # by their identity
        self._rows: dict[str, dict[int, _Rows]] = {k: {} for k in ORDER}
        self._left: Counter[tuple[str, str]] = Counter()
        self._bad: dict[int, Bad] = {}
        self._notes: dict[str, None] = {}
        self._columns: dict[Column, None] = {}
        self._named: set[tuple[str, str]] = set()
        self._guesses: dict[Guess, None] = {}
        self._often: Counter[Hashable] = Counter()
        self.winner: str | None = None  # what a winner is, name or place, where the tool or the user says so
        self._options = False  # whether options were chosen, rather than numbers given

    def begin(self, file: File) -> None:
        """What follows is found in this file; one of a folder or an archive takes its place."""
        before = self.file if self._files else file
        container = before is not file and (before.folder or before.head.startswith(ZIP))
        if container and not self._found_in(before):
            del self._files[id(before)]
        self._files.setdefault(id(file), file)
        self.file = file

    def _found_in(self, file: File) -> bool:
        return id(file) in self._bad or any(id(file) in rows for rows in self._rows.values())

    # -- what readers say -------------------------------------------------------------------------------------------

    def add(self, kind: str, at: int, **cells: Any) -> None:
        """A row of a kind, found at a record (or line); what is no plain value where one belongs is wrong."""
        for name, cell in cells.items():
            if isinstance(cell, list | dict):
                self.wrong(at, f"the {name} is a list or an object")
                return
            texts = cell if isinstance(cell, tuple) else (cell,)
            if any(isinstance(t, str) and not t.isascii() and half(t) for t in texts):
                self.wrong(at, f"the {name} has half a character, a surrogate without the other one")
                return
        self._rows[kind].setdefault(id(self.file), _Rows()).add(at, cells)

    def choice(self, at: int, value: Any, **cells: Any) -> None:
        """An option that was chosen, or several: labels, unless all are called by numbers, which is then told."""
        self._options = True
        self.score(at, value, **cells)

    def score(self, at: int, value: Any, **cells: Any) -> None:
        """A score or label; a list of labels is a choice of several. Nothing is left out and counted."""
        try:
            given = plain(value)
        except TypeError:
            self.wrong(at, f"no number or label: {str(value)[:40]}")
            return
        if given is None:
            self.skip("empty answer")
        else:
            self.add("scores", at, value=given, **cells)

    def output(self, at: int, value: Any, *, judge: Any, task: Any, system: Any, **cells: Any) -> None:
        """A score of what a system made of a task."""
        self.score(at, value, judge=judge, task=task, item=f"{task}: {system}", system=system, **cells)

    def order(self, at: int, groups: Iterable[Iterable[Hashable]], *, task: Any, judge: Any, **labels: Any) -> None:
        """An ordering, best first; the same judge on the same task again is another occasion."""
        occasion = self.occasion(task, judge)
        for position, group in enumerate(groups, 1):
            for item in group:
                self.add(
                    "orderings",
                    at,
                    task=task,
                    judge=judge,
                    item=item,
                    position=float(position),
                    occasion=occasion,
                    **labels,
                )

    def occasion(self, *who: Hashable) -> int:
        """How often the same judge has met the same thing by now, this time included."""
        self._often[who] += 1
        return self._often[who]

    def each(self, records: Iterable[tuple[int, Any]], take: Callable[[int, Any], None]) -> None:
        """Takes in record after record; one of another form than the tool's is wrong, and the others are read."""
        for at, record in records:
            try:
                take(at, record)
            except QuorateError:
                raise
            except (TypeError, ValueError, LookupError, AttributeError) as error:
                self.wrong(at, f"of another form than the tool's ({type(error).__name__}: {str(error)[:60]})")

    def skip(self, what: str, hint: str = "", times: int = 1) -> None:
        """Something that is left out, counted and told, with how to have it read; a star marks where an s goes."""
        self._left[what, hint] += times

    def wrong(self, at: int, fact: str) -> None:
        """A record that cannot be read; all are told at the end."""
        self._bad.setdefault(id(self.file), []).append((at, fact))

    def note(self, said: str) -> None:
        """Something worth knowing."""
        self._notes[said] = None

    def guess(self, said: str, option: str) -> None:
        """What was taken to be so, and the option that settles it."""
        self._guesses[Guess(readable(said), readable(option))] = None

    def became(self, role: str, *names: str) -> None:
        """What fields of the file became."""
        for name in names:
            if (role, name) not in self._named:
                self._named.add((role, name))
                self._columns[Column(readable(name), role)] = None

    def judge(self, record: Mapping[str, Any], names: Sequence[str], nobody: str, said: str) -> Any:
        """Who judged: what the first of these fields says that is there; else ``nobody``, which is noted."""
        name = next((n for n in names if record.get(n) not in (None, "")), None)
        if name is None:
            self.note(said)
            return nobody
        self.became("judge", name)
        return record[name]

    # -- the panel --------------------------------------------------------------------------------------------------

    def panel(self, scale: Sequence[str] | None = None) -> Panel:
        """All that was found, as one panel."""
        for which, bad in self._bad.items():
            raise wrong_records(self._files[which], "cannot be read", bad, "mend or take out these records.")
        chosen = self._chosen(self.kind)
        for file in self._files.values():
            if not self._found_in(file):
                self.note(f"{file.name}: no judgment in it")
        parts = [rows.part(self._files[which]) for which, rows in self._rows[chosen].items()]
        if chosen == "scores":
            parts = settled(parts, self.criteria, self.label_wanted, self.note)
            if self._options and "score" in parts[0].raw:
                self.note("the options that were chosen are called by numbers, so they are scores (--labels: labels)")
        if chosen == "votes":
            parts = [with_winners(part, self.winner) for part in parts]
        for part in parts:
            if chosen == "orderings":
                part.raw["position"] = np.array(part.raw["position"].ids, float)[part.raw["position"].codes]
        columns, told = tuple(self._columns), tuple(scale or ())
        parts = [replace(p, scale=told, columns=columns, guesses=(*self._guesses, *p.guesses)) for p in even(parts)]
        for name, nothing in (("occasion", 1), ("task", ONE_TASK), ("criterion", None), ("system", None)):
            if all(name in p.raw and p.raw[name].ids == (nothing,) for p in parts):
                for part in parts:
                    del part.raw[name]
        return assemble(chosen, parts, self._said(chosen))

    def _chosen(self, kind: str | None) -> str:
        there = [k for k in ORDER if self._rows[k]]
        where = next(iter(self._files.values())).name
        if not there:
            left = [
                f"{_counted(n, what)} left out{f': {hint}' if hint else ''}" for (what, hint), n in self._left.items()
            ]
            raise empty(where, "no judgment in it" + (f" ({', '.join(left)})" if left else ""))
        if kind is not None and kind not in there:
            raise InputError(f"{where}: no {kind} in it, but {' and '.join(there)}.", f"say --kind {there[0]}.")
        chosen = kind or there[0]
        for other in there:
            if other != chosen:
                rows = sum(len(r.lines) for r in self._rows[other].values())
                self.note(f"{where} also holds {other} ({rows:,} rows): --kind {other} reads them")
        return chosen

    def _said(self, chosen: str) -> list[str]:
        where = self.file.name if len(self._files) == 1 else f"{len(self._files)} files"
        left = [
            f"{where}: {_counted(n, what)} left out{f' ({hint})' if hint else ''}"
            for (what, hint), n in self._left.items()
        ]
        return [readable(note) for note in (*left, *self._notes)]


def _counted(n: int, what: str) -> str:
    """A number of things; a star stands where the plural has its s.

    >>> _counted(2, "mark* on a region"), _counted(1, "draft"), _counted(3, "draft")
    ('2 marks on a region', '1 draft', '3 drafts')
    """
    noun, star, rest = what.partition("*")
    return f"{many(n, noun)}{rest}" if star else many(n, what)


def system_of(data: Mapping[str, Any], found: Judgments) -> dict[str, Any]:
    """The system that made an item, where a field of its record is called so."""
    name = next((n for n in SYSTEM_NAMES if isinstance(data.get(n), str) and data[n]), None)
    if name is None:
        return {}
    found.became("system", name)
    return {"system": data[name]}


def models_left(found: Judgments, what: str, times: int) -> None:
    """Answers of models that are left out because nobody asked for them."""
    if times:
        found.skip(f"{what}* of a model", "--input-option models=yes reads models as judges", times)


# -- a reader made of a walk ----------------------------------------------------------------------------------------

Walk = Callable[..., None]  # (file, found, encoding, **own options): says what is in one file


def reader(walk: Walk) -> Callable[..., Panel]:
    """The reader of a format whose ``walk(file, found, encoding, **options)`` says what is in one file."""

    def read(
        files: Sequence[File],
        kind: str | None,
        *,
        criteria: Sequence[str] | None = None,
        labels: bool | None = None,
        scale: Sequence[str] | None = None,
        encoding: str = "utf-8",
        **own: Any,
    ) -> Panel:
        found = Judgments(kind, criteria, labels=bool(labels or scale))
        for file in files:
            found.begin(file)
            walk(file, found, encoding, **own)
        return found.panel(scale)

    return read


def export(
    name: str,
    description: str,
    kinds: tuple[str, ...],
    walk: Walk,
    options: tuple[Option, ...] = SHARED,
    *,
    write: Callable[..., None] | None = None,
    why: str = "",
    extensions: tuple[str, ...] = (),
    sniff: Callable[[File], bool] | None = None,
    **told_by: Any,
) -> Format:
    """A tool's export, known by its content; it is written by ``write``, or else ``why`` says that it is not."""
    writer = write or read_only(f"{name} is read, not written: {why}.")
    how = (reader(walk), writer, sniff, name, options)
    return Format(name, extensions, description, kinds, *how, telling=True, **told_by)
