"""Rows of several files become one panel: each file is a part, and mistakes still point at its file and line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN, InputError
from quorate.formats.names import VALUES, is_query, is_run
from quorate.panel.columns import Coded, Source, encode, narrow
from quorate.panel.kinds import PANELS, Orderings, Panel, Scores
from quorate.panel.reading import Column, Guess, Reading
from quorate.panel.votes import NEEDED


@dataclass(frozen=True)
class Part:
    """The rows of one file, as columns."""

    name: str
    raw: dict[str, Any]
    lines: NDArray[np.int64] | None = None
    notes: list[str] = field(default_factory=list)
    scale: tuple[str, ...] = ()  # of scores that are labels: lowest first
    columns: tuple[Column, ...] = ()  # of the file, and what each became
    guesses: tuple[Guess, ...] = ()
    kind: str = ""  # where it is found out from the columns
    several: str = ""  # the sign between labels of one cell, where there may be several
    word: str = "line"  # what ``lines`` are numbers of
    became: Mapping[str, str] = field(default_factory=dict)  # roles of columns that their names did not give them

    def __len__(self) -> int:
        return len(next(iter(self.raw.values()), ()))

    @property
    def source(self) -> Source:
        """Where the part's rows come from."""
        return Source(self.name, self.lines, self.word)

    def take(self, rows: NDArray[Any]) -> Part:
        """Some rows, or the same rows several times, by their numbers."""
        raw = {n: c[rows] if isinstance(c, np.ndarray) else encode(c).take(rows) for n, c in self.raw.items()}
        return replace(self, raw=raw, lines=None if self.lines is None else self.lines[rows])


@dataclass(frozen=True)
class Sources(Source):
    """Several files, one after the other."""

    names: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()  # first row of each file

    def some(self, rows: NDArray[np.int64]) -> Sources:
        """The sources of some rows, by their ascending numbers."""
        lines = None if self.lines is None else self.lines[rows]
        return replace(self, lines=lines, starts=tuple(np.searchsorted(rows, self.starts).tolist()))

    def error(self, fact: str, rows: NDArray[Any], what: Iterable[str], hint: str = "") -> InputError:
        """As for one file, with each line's file before it."""
        shown: list[tuple[int | None, str]] = []
        for row, text in zip(rows[:SHOWN].tolist(), what, strict=False):
            file = bisect_right(self.starts, row) - 1
            line = self.line(row)
            at = f"{self.word} {line}" if line is not None else f"row {row - self.starts[file] + 1}"
            shown.append((None, f"{self.names[file]}, {at}: {text}"))
        n, where = len(rows), "row" if self.lines is None else self.word
        return InputError(
            f"{fact} ({n} {where}{'s' if n != 1 else ''})", hint, source=self.name, problems=shown, count=n
        )


def assemble(kind: str, parts: Sequence[Part], notes: Sequence[str] = ()) -> Panel:
    """One panel of all parts; they must have the same columns."""
    more = [*notes, *(n for p in parts for n in p.notes)]
    if len(parts) == 1:
        return _finished(PANELS[kind].build(parts[0].raw, parts[0].source, more), parts)
    names = set(parts[0].raw)
    for part in parts[1:]:
        if set(part.raw) != names:
            odd = ", ".join(f"'{n}'" for n in sorted(names ^ set(part.raw)))
            raise InputError(
                f"{part.name}: its columns are not those of {parts[0].name}; only one of them has {odd}.",
                "files read together need the same columns.",
            )
    raw = {n: stack([p.raw[n] for p in parts]) for n in parts[0].raw}
    return _finished(PANELS[kind].build(raw, _sources(parts), more), parts)


def _finished(panel: Panel, parts: Sequence[Part]) -> Panel:
    """The panel, its labels in the order of the scale that was given, with what was guessed."""
    if isinstance(panel, Scores) and parts[0].scale:
        panel = panel.with_scale(parts[0].scale)
    columns = dict.fromkeys(c for p in parts for c in p.columns)
    guesses = dict.fromkeys(g for p in parts for g in p.guesses)
    if isinstance(panel, Orderings) and _searched(columns):
        panel = replace(panel, absent="below")  # what a list lacks, it puts last
    return replace(panel, reading=Reading(columns=tuple(columns), guesses=tuple(guesses)))


def _searched(columns: Iterable[Column]) -> bool:
    """Whether columns are those of lists that systems found for queries."""
    name = {c.role: c.name for c in columns}
    return is_run(name.get("judge", "")) and is_query(name.get("task", ""))


def columns_became(given: Sequence[str], names: Sequence[str], part: Part) -> tuple[Column, ...]:
    """What each column of a long table became."""
    said = {PANELS[part.kind].value_column, "label"} if part.kind else {*VALUES}
    roles = {"judge", "item", "task", "count", "occasion", "system", "criterion", "judge_kind", *said, *NEEDED}
    made = dict.fromkeys(_criteria_of(part), "criterion")
    out = []
    for old, name in zip(given, names, strict=True):
        new = part.became.get(name, name)
        new = "label" if new == "score" and "label" in part.raw else new  # words
        role = new if new in roles and new in part.raw else made.get(new, "")
        out.append(Column(old, role or ("beside" if new in part.raw else "")))
    return tuple(out)


def _criteria_of(part: Part) -> list[Any]:
    return list(part.raw["criterion"].ids) if isinstance(part.raw.get("criterion"), Coded) else []


def _sources(parts: Sequence[Part]) -> Sources:
    starts = np.cumsum([0, *(len(p) for p in parts[:-1])])
    lined = [p.lines for p in parts if p.lines is not None]
    return Sources(
        name=f"{parts[0].name} and {len(parts) - 1} more file{'s' if len(parts) > 2 else ''}",
        lines=np.concatenate(lined) if len(lined) == len(parts) else None,
        word=parts[0].word,
        names=tuple(p.name for p in parts),
        starts=tuple(starts.tolist()),
    )


def stack(columns: Sequence[Any]) -> Any:
    """Columns one below the other."""
    if all(isinstance(c, np.ndarray) for c in columns):
        return np.concatenate(columns)
    code: dict[Hashable, int] = {}
    codes = []
    for column in map(encode, columns):
        new = np.array([code.setdefault(i, len(code)) for i in column.ids], np.int64)
        codes.append(new[column.codes])
    return Coded(tuple(code), narrow(np.concatenate(codes), len(code)))


def judgments(panel: Orderings) -> Iterator[tuple[int, list[list[int]]]]:
    """Each ordering: the row it starts on, and its tie groups as item codes."""
    for a, b in pairwise(panel.starts.tolist()):
        groups: list[list[int]] = [[] for _ in range(int(panel.value[b - 1]))]
        for item, place in zip(panel.item.codes[a:b].tolist(), panel.value[a:b].tolist(), strict=True):
            groups[place - 1].append(item)
        yield a, groups
