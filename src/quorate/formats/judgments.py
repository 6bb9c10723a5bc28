"""Judgments as they are found in a tool's export, collected into the columns of a panel.

A reader walks the records of a file and says what it finds: scores, votes, orders, groups, what it leaves out and what
is wrong. Which values are numbers and which are labels is settled at the end, when all of them are known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.errors import InputError, suggest
from quorate.formats.files import File, Sink
from quorate.formats.gather import CHUNK, Ids
from quorate.formats.json_records import Bad, is_array, wrong_records
from quorate.formats.jsonl import half
from quorate.formats.parts import Part, assemble
from quorate.formats.registry import ENCODING, Option, empty, flag, listed
from quorate.formats.tables import LABELS, SCALE
from quorate.formats.wide import number
from quorate.panel.base import many
from quorate.panel.columns import Coded, Source, encode, is_blank, keys, narrow
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
        self.lines: list[int] = []
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

    def __init__(self, *, label_wanted: bool = False) -> None:
        self.label_wanted = label_wanted  # whether values are to be labels, even where they could be numbers
        self._files: list[File] = []
        self._rows: dict[str, list[tuple[File, _Rows]]] = {k: [] for k in ORDER}
        self._left: Counter[tuple[str, str]] = Counter()
        self._bad: list[Bad] = []
        self._notes: dict[str, None] = {}
        self._columns: dict[Column, None] = {}
        self._guesses: dict[Guess, None] = {}
        self._orders: Counter[tuple[Hashable, Hashable]] = Counter()

    def begin(self, file: File) -> None:
        """What follows is found in this file."""
        self._files.append(file)
        self._bad.append([])

    @property
    def file(self) -> File:
        """The file that is being read."""
        return self._files[-1]

    # -- what readers say -------------------------------------------------------------------------------------------

    def add(self, kind: str, at: int, **cells: Any) -> None:
        """A row of a kind, found at a record (or line); what is no plain value where one belongs is wrong."""
        for name, cell in cells.items():
            if isinstance(cell, list | dict):
                self.wrong(at, f"the {name} is a list or an object")
                return
            if isinstance(cell, str) and half(cell):
                self.wrong(at, f"the {name} has half a character, a surrogate without the other one")
                return
        rows = self._rows[kind]
        if not rows or rows[-1][0] is not self.file:
            rows.append((self.file, _Rows()))
        rows[-1][1].add(at, cells)

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

    def order(self, at: int, groups: Iterable[Iterable[Hashable]], *, task: Any, judge: Any, **labels: Any) -> None:
        """An ordering, best first; the same judge on the same task again is another occasion."""
        self._orders[task, judge] += 1
        occasion = self._orders[task, judge]
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

    def skip(self, what: str, hint: str = "", times: int = 1) -> None:
        """Something that is left out: it is counted, and told with how to have it read."""
        self._left[what, hint] += times

    def wrong(self, at: int, fact: str) -> None:
        """A record that cannot be read; all are told at the end."""
        self._bad[-1].append((at, fact))

    def note(self, said: str) -> None:
        """Something worth knowing."""
        self._notes[said] = None

    def guess(self, said: str, option: str) -> None:
        """What was taken to be so, and the option that settles it."""
        self._guesses[Guess(said, option)] = None

    def became(self, role: str, *names: str) -> None:
        """What fields of the file became."""
        self._columns |= dict.fromkeys(Column(n, role) for n in names)

    # -- the panel --------------------------------------------------------------------------------------------------

    def panel(
        self,
        kind: str | None = None,
        criteria: Sequence[str] | None = None,
        scale: Sequence[str] | None = None,
    ) -> Panel:
        """All that was found, as one panel."""
        for file, bad in zip(self._files, self._bad, strict=True):
            if bad:
                raise wrong_records(file, "cannot be read", bad, "mend or take out these records.")
        chosen = self._chosen(kind)
        parts = [rows.part(file) for file, rows in self._rows[chosen]]
        if chosen == "scores":
            parts = self._scored(parts, criteria)
        else:
            for part in parts:
                if "position" in part.raw:
                    part.raw["position"] = np.array(part.raw["position"].ids, float)[part.raw["position"].codes]
        names = dict.fromkeys(n for p in parts for n in p.raw)
        parts = [
            Part(
                p.name,
                {n: p.raw[n] if n in p.raw else encode([None] * len(p)) for n in names},
                p.lines,
                scale=tuple(scale or ()),
                columns=tuple(self._columns),
                guesses=tuple(self._guesses),
                word=p.word,
            )
            for p in parts
        ]
        for name in ("occasion", "task"):
            if all(name in p.raw and set(p.raw[name].ids) <= {1, ONE_TASK} for p in parts):
                for part in parts:
                    del part.raw[name]
        return assemble(chosen, parts, self._said(chosen))

    def _chosen(self, kind: str | None) -> str:
        there = [k for k in ORDER if self._rows[k]]
        where = self._files[0].name
        if not there:
            left = [f"{_counted(n, what)} left out" for (what, _), n in self._left.items()]
            raise empty(where, "no judgment in it" + (f" ({', '.join(left)})" if left else ""))
        if kind is not None and kind not in there:
            raise InputError(f"{where}: no {kind} in it, but {' and '.join(there)}.", f"say --kind {there[0]}.")
        chosen = kind or there[0]
        for other in there:
            if other != chosen:
                rows = sum(len(r.lines) for _, r in self._rows[other])
                self.note(f"{where} also holds {other} ({rows:,} rows): --kind {other} reads them")
        return chosen

    def _said(self, chosen: str) -> list[str]:
        where = self._files[0].name if len(self._files) == 1 else f"{len(self._files)} files"
        left = [
            f"{where}: {_counted(n, what)} left out{f' ({hint})' if hint else ''}"
            for (what, hint), n in self._left.items()
        ]
        return [*left, *self._notes]

    def _scored(self, parts: list[Part], criteria: Sequence[str] | None) -> list[Part]:
        """Scores as numbers where all are; else labels, and of a choice of several a yes or no on each option."""
        given: dict[Hashable, set[Any]] = {}
        for part in parts:
            part.raw.setdefault("criterion", encode([None] * len(part)))
            for c, v in _pairs(part)[0]:
                given.setdefault(c, set()).add(v)
        if criteria:
            for name in criteria:
                if name not in map(str, given):
                    raise InputError(f"no question '{name}'.", suggest(name, map(str, given), "Questions found"))
            given = {c: v for c, v in given.items() if str(c) in criteria}
            gone = [_kept(p, given) for p in parts]
            parts = [p for p in gone if len(p)]
        several = {c for c, values in given.items() if any(isinstance(v, tuple) and len(v) != 1 for v in values)}
        numeric = [c for c, values in given.items() if c not in several and all(_number(v) for v in values)]
        if len(numeric) == len(given) and not self.label_wanted:
            return [_numbers(p) for p in parts]
        if numeric and len(numeric) < len(given) and not self.label_wanted:
            names = ", ".join(map(str, numeric))
            self.note(
                f"{names} {'are numbers' if len(numeric) > 1 else 'is a number'}, the others labels: all are taken as "
                f"labels; --criteria {','.join(map(str, numeric))} reads the numbers"
            )
        options = {c: sorted({o for v in given[c] for o in _several(v)}, key=str) for c in several}
        for c in several:
            self.note(f"{c or 'the answer'} is a choice of several: each option is a criterion, yes or no")
        return [_labelled(p, options) for p in parts]


def _counted(n: int, what: str) -> str:
    """2 predictions of a model; 1 draft."""
    noun, space, rest = what.partition(" of ") if " of " in what else what.partition(" (")
    return f"{many(n, noun)}{space}{rest}"


def plain(value: Any) -> Hashable:
    """A number, a label, a tuple of labels, or None; anything else is a TypeError.

    >>> plain(" pos "), plain(True), plain([["Animals", "Dogs"], "Plants"]), plain("")
    ('pos', 'true', ('Animals / Dogs', 'Plants'), None)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return tuple(" / ".join(map(str, v)) if isinstance(v, list) else plain(v) for v in value)
    if isinstance(value, dict):
        raise TypeError
    if is_blank(value):
        return None
    return value.strip() if isinstance(value, str) else value  # type: ignore[no-any-return]


def _number(value: Any) -> bool:
    one = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    try:
        return math.isfinite(float(one))
    except (TypeError, ValueError, OverflowError):
        return False


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _pairs(part: Part) -> tuple[list[tuple[Hashable, Any]], Any]:
    """The criteria with their values, each once, and the place of every row among them."""
    criterion, value = part.raw["criterion"], part.raw["value"]
    _, first, place = np.unique(keys(criterion, value), return_index=True, return_inverse=True)
    return [(criterion[r], value[r]) for r in first.tolist()], place.ravel()


def _kept(part: Part, given: Mapping[Hashable, Any]) -> Part:
    """The rows of some criteria."""
    column = part.raw["criterion"]
    rows = np.flatnonzero(np.array([c in given for c in column.ids], bool)[column.codes])
    lines = part.lines[rows] if part.lines is not None else None
    return Part(part.name, {n: c.take(rows) for n, c in part.raw.items()}, lines, word=part.word)


def _numbers(part: Part) -> Part:
    value = part.raw.pop("value")
    numbers = np.array([float(_several(v)[0]) for v in value.ids])
    part.raw["score"] = numbers[value.codes]
    return _without_criterion(part)


def _labelled(part: Part, options: Mapping[Hashable, list[Any]]) -> Part:
    pairs, place = _pairs(part)
    outcome: list[list[tuple[Hashable, str]]] = [
        [(f"{c}: {o}" if c else o, "yes" if o in _several(v) else "no") for o in options[c]]
        if c in options
        else [(c, _text(_several(v)[0]))]
        for c, v in pairs
    ]
    size = np.array([len(o) for o in outcome])
    begin = np.concatenate([[0], np.cumsum(size)[:-1]])
    each = np.repeat(np.arange(len(place)), size[place])
    first = np.repeat(np.cumsum(size[place]) - size[place], size[place])
    at = begin[place][each] + np.arange(len(each)) - first
    flat = [pair for one in outcome for pair in one]
    raw = {n: c.take(each) for n, c in part.raw.items() if n not in ("value", "criterion")}
    for name, column in zip(("criterion", "label"), zip(*flat, strict=True), strict=True):
        coded = encode(column)
        raw[name] = Coded(coded.ids, narrow(coded.codes[at], len(coded.ids)))
    lines = part.lines[each] if part.lines is not None else None
    return _without_criterion(Part(part.name, raw, lines, word=part.word))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


def _without_criterion(part: Part) -> Part:
    if part.raw["criterion"].ids == (None,):
        del part.raw["criterion"]
    return part


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
        found.skip(f"{what} of a model", "--input-option models=yes reads models as judges", times)


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
        found = Judgments(label_wanted=bool(labels or scale))
        for file in files:
            found.begin(file)
            walk(file, found, encoding, **own)
        return found.panel(kind, criteria, scale)

    return read


def read_only(name: str, why: str) -> Callable[..., None]:
    """The writer of a format that is only read."""

    def write(panel: Panel, sink: Sink, **options: Any) -> None:
        raise InputError(f"{name} is read, not written: {why}.", "write csv, jsonl or parquet.")

    return write
