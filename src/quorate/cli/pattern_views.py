"""Frequent patterns for people: the ones of a panel, and why a system's list scores as it does by FreSPA."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from quorate import table
from quorate.document.blocks import Block, Column, Table, Text
from quorate.document.result import Result
from quorate.errors import BadParameter, InputError, LimitReached
from quorate.kernels import patterns as kernel
from quorate.kernels.pattern_weights import Rule, weights
from quorate.orderings.frespa import EFFORT, Explanation, check, frequent_patterns, frequent_sets, unordered
from quorate.orderings.quality import explanations
from quorate.orderings.rankings import need, one_task
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method
from quorate.words.numbers import count as counted
from quorate.words.numbers import figure, two

BY_PATTERNS = ("frespa", "frequent_sets")
MOST = 200_000  # patterns held in memory
FEWER = "raise --min-sup or lower --max-len for fewer patterns"


@dataclass(frozen=True, slots=True)
class Shown:
    """Patterns of one task: how many there are (None: not counted), and the first or heaviest ones."""

    task: Hashable
    count: int | float | None
    patterns: tuple[tuple[tuple[Hashable, ...], int], ...]
    sure: bool = True  # False: there are too many to be sure that these are the heaviest
    estimated: bool = False  # whether the count is an estimate

    @property
    def complete(self) -> bool:
        """Whether these are all there are."""
        return self.count == len(self.patterns)


def patterns(
    panel: Panel,
    min_sup: float | int,
    min_len: int,
    max_len: int | None,
    which: str,
    limit: int,
    seed: int = 0,
    sets: bool = False,
) -> Patterns:
    """The frequent patterns of every task: of all the heaviest by FreSPA's weights, of the others the first found.

    With ``sets`` they are sets of items instead of sequences. They are held in memory, so that more than ``MOST`` are
    an error, whatever the limit. Where there are too many to count, their number is estimated by ``seed``.
    """
    if not isinstance(panel, Orderings):
        raise InputError(f"patterns are of orderings; this panel holds {panel.kind}.", "give a file of orderings.")
    given = {"min_sup": min_sup, "min_len": min_len, "max_len": max_len}
    table.bind(table.find("frequent_sets" if sets else "frespa", "orderings", "quality"), given)  # checks them
    listed = frequent_sets if sets else frequent_patterns
    out: list[Shown] = []
    room = MOST
    for task in panel.tasks:
        one = panel.select(tasks=[task])
        if which == "all":
            out.append(_heaviest(one, task, min_sup, min_len, max_len, limit, room, seed, sets))
        else:
            lazily = listed(one, min_sup, min_len, max_len, which, limit=None)
            found = tuple(itertools.islice(lazily, min(limit, room) + 1))
            if len(found) > room:
                raise _too_many(None)
            out.append(Shown(task, len(found) if len(found) <= limit else None, found[:limit]))
        room -= len(out[-1].patterns)
    return Patterns(tuple(out), which, sets)


def _too_many(count: float | None) -> LimitReached:
    of = "there are more" if count is None else f"there are {counted(count)}"
    return LimitReached(f"stopped after {MOST:,} patterns; {of}.", f"{FEWER}, or lower --limit to see the first ones.")


def _heaviest(
    panel: Orderings,
    task: Hashable,
    min_sup: float | int,
    min_len: int,
    max_len: int | None,
    limit: int,
    room: int,
    seed: int,
    sets: bool,
) -> Shown:
    one, rule = one_task(panel), Rule(min_len, max_len)
    if sets:
        one = replace(one, positions=unordered(one.positions))
    quorum = need(min_sup, one.counts)
    check(one.positions, one.counts, quorum)
    order = one.positions[:, :1]  # any, to see the error
    found = weights(one.positions, one.counts, quorum, order, rule, seed=seed)
    count = float(found.patterns[0])
    if min(limit, count) > room:
        raise _too_many(count)
    bitsets = kernel.bitsets(one.positions[0], one.counts[0], int(quorum[0]))
    lengths = (min_len, len(one.items) if max_len is None else max_len)

    def weigh(length: int, support: int) -> float:
        return float(length * support)

    heavy, sure = kernel.heaviest(bitsets, None, True, weigh, lengths, limit, max(EFFORT, 2 * limit))
    shown = tuple((tuple(one.items[i] for i in pattern), support) for (pattern, support), _ in heavy)
    return Shown(task, round(count) if count < 2**53 else count, shown, sure, bool(found.error.any()))


@dataclass(frozen=True)
class Patterns(Result):
    """The frequent patterns of every task."""

    all_rows: ClassVar[bool] = True

    found: tuple[Shown, ...]
    which: str
    sets: bool = False

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Patterns, and how many there are on each task."""
        results = [
            {"task": s.task, "pattern": list(p), "support": n, "length": len(p)}
            for s in self.found
            for p, n in s.patterns
        ]
        overall = []
        for s in self.found:
            counts = {"patterns": s.count, "shown": len(s.patterns), "complete": s.complete, "estimated": s.estimated}
            overall.append({"task": s.task, "which": self.which, **counts})
        return {"kind": "orderings", "results": results, "overall": overall, "notes": self.cut_short()}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row a pattern."""
        between = ", " if self.sets else " > "
        return [{**row, "pattern": between.join(map(str, row["pattern"]))} for row in self.to_dict()["results"]]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """How many there are on each task, and those shown."""
        for s in self.found:
            head = _headline(s, self.which, "set" if self.sets else "pattern")
            yield _table(s.patterns, head, self.sets) if s.patterns else Text((head,))
        if self.cut_short():
            yield Text(tuple(self.cut_short()), "note")

    def cut_short(self) -> list[str]:
        """What to do where not all patterns are shown; how many are so far."""
        cut = [s for s in self.found if not s.complete]
        if not cut:
            return []
        held = sum(len(s.patterns) for s in cut)
        where = f" on {len(cut)} of {len(self.found)} tasks" if len(self.found) > 1 else ""
        return [f"stopped after {held:,} patterns{where}, there are more: {FEWER}, or raise --limit"]


def _headline(s: Shown, which: str, called: str) -> str:
    word = "frequent" if which == "all" else f"{which} frequent"
    if s.count == 0:
        return f"{s.task}: no {word} {called}. A lower --min-sup finds more."
    if s.count is None:
        return f"{s.task}: more than {len(s.patterns):,} {word} {called}s, the first ones:"
    which_ones = ", the heaviest:" if s.sure else ", heavy ones among them:"
    many = f"{counted(s.count)} {word} {called}{'' if s.count == 1 else 's'}"
    about = "about " if s.estimated else ""
    return f"{s.task}: {about}{many}{which_ones if len(s.patterns) < s.count else '.'}"


def _table(rows: Sequence[tuple[tuple[Hashable, ...], int]], title: str = "", sets: bool = False) -> Table:
    columns = (Column("judges", "judges", "count"), Column("items", "items", "count"))
    cells = tuple((n, len(pattern), list(pattern) if sets else [[i] for i in pattern]) for pattern, n in rows)
    last = Column("pattern", "set", "names") if sets else Column("pattern", "pattern", "order")
    return Table(title, (*columns, last), cells)


@dataclass(frozen=True)
class Explained(Result):
    """Why a system's lists score as they do: the heaviest patterns kept and broken, task by task."""

    all_rows: ClassVar[bool] = True
    called: ClassVar[str] = "--explain"

    system: str
    method: Method
    found: Mapping[Hashable, Explanation]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every task's patterns."""
        head = {"system": self.system, "method": str(self.method)}
        results = [{"task": t, **head, **asdict(e)} for t, e in self.found.items()]
        return {"kind": "orderings", "question": "quality", "results": results}

    def blocks(self, **how: Any) -> Iterator[Block]:
        """A sentence for each task, then what the list contains and what it misses."""
        for task, e in self.found.items():
            sets = self.method.name == "frequent_sets"
            word = f"{'set' if sets else 'pattern'}{'' if e.patterns == 1 else 's'}"
            told = f"{self.system} on {task}: {self.method} {two(e.value)}; {figure(e.patterns)} frequent {word}."
            yield Text((told,))
            for words, side in (("The heaviest it contains", e.contained), ("The heaviest it misses", e.missed)):
                rows = [(h.pattern, h.support) for h in side]
                yield _table(rows, words, sets) if side else Text((f"{words}: none.",))
            if not e.complete:
                yield Text(("there are too many patterns to be sure that these are the heaviest",), "note")


def explained(
    panel: Panel, systems: Panel, system: str, methods: Sequence[Method], most: int = 10, seed: int = 0
) -> Explained:
    """Why a system's lists score as they do."""
    if not isinstance(panel, Orderings) or not isinstance(systems, Orderings):
        raise InputError("--explain is for orderings.")
    usual = table.bind(table.find("frespa", "orderings", "quality"), {})
    chosen = [m for m in methods if m.name in BY_PATTERNS] or ([] if methods else [usual])
    if not chosen:
        raise BadParameter("--explain needs a method of patterns.", f"one of {', '.join(BY_PATTERNS)}.")
    return Explained(system, chosen[0], explanations(panel, systems, system, chosen[0], most, seed))
