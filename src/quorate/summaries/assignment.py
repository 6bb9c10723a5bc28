"""Who judges what, and in which order: the lists that assessors of a study work through.

Tasks are dealt evenly, one assessor each or several (``overlap``). An assessor goes through one task after the other,
the items of each in random order; some may be shown again (``copies``), and what is identical, shown again or with the
same text, has other items between (``distance``): so that a judge can be asked whether he scores the same thing alike.
Owczarzak, Rankel, Dang, Conroy 2012, Section 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count, product
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Table, Text, columns, with_notes
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.formats.files import PathLike
from quorate.formats.table_records import needed, read_columns
from quorate.inference.weights import stream
from quorate.panel.base import ONE_TASK, many
from quorate.panel.base import listed as few_of
from quorate.summaries.declarations import APART, COPIES, DISTANCE, OVERLAP


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be judged; ``text`` tells which ones are identical."""

    task: Hashable
    id: Hashable
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an assessor's list."""

    judge: Hashable
    place: int
    task: Hashable
    item: Hashable
    occasion: int  # 2 where the item is shown again
    text: str | None = None


@dataclass(frozen=True)
class Assignment(Result):
    """Every assessor's list; built by :func:`assign`."""

    called = "an assignment"

    entries: tuple[Entry, ...]
    judges: tuple[Hashable, ...]
    distances: Mapping[Hashable, int | None]  # by judge: fewest items between identical ones; None where none are
    notes: tuple[str, ...] = ()

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for each line: with a column of scores it is a table of judgments."""
        texts = any(e.text is not None for e in self.entries)
        return [{n: v for n, v in asdict(e).items() if texts or n != "text"} for e in self.entries]

    def of(self, judge: Hashable, criteria: Sequence[str] = ("score",)) -> list[dict[str, Any]]:
        """One assessor's list, with an empty column for each criterion."""
        return [{**row, **dict.fromkeys(criteria)} for row in self.rows() if row["judge"] == judge]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """The lists, and how many tasks and items each assessor has."""
        return {"judges": self._by_judge(), "lists": self.rows(), "notes": list(self.notes)}

    def _by_judge(self) -> list[dict[str, Any]]:
        out = []
        for judge in self.judges:
            mine = [e for e in self.entries if e.judge == judge]
            counted = {"tasks": len({e.task for e in mine}), "items": len(mine)}
            again = sum(e.occasion > 1 for e in mine)
            out.append({"judge": judge, **counted, "shown_again": again, "distance": self.distances.get(judge)})
        return out

    def blocks(self, **how: Any) -> list[Block]:
        """How the work is shared in a sentence, then by assessor; the lists themselves are for files."""
        tasks = {e.task for e in self.entries}
        each = Counter(t for t, _ in {(e.task, e.judge) for e in self.entries})
        said = f"{many(len(tasks), 'task')}, {many(next(iter(each.values())), 'assessor')} each, and "
        said += f"{many(len(self.entries), 'judgment')} of {many(len(self.judges), 'assessor')}."
        heads = columns("judge", "tasks:count", "items:count", "shown_again:count", "distance:count")
        rows = tuple(tuple(r.values()) for r in self._by_judge())
        note = "distance: fewest other items between identical ones. The lists: --format csv, or --lists FOLDER."
        return with_notes([Text((said,), "lead"), Table("By assessor", heads, rows, note)], self.notes)


def assign(
    items: Sequence[Item],
    judges: Sequence[Hashable],
    *,
    overlap: int = 1,
    copies: int = 0,
    distance: int = DISTANCE,
    seed: int = 0,
) -> Assignment:
    """Deal tasks to assessors, and put every assessor's items in an order.

    >>> made = assign([Item(t, i) for t in "stu" for i in range(4)], ["ann", "bob", "cyd"], copies=1, distance=2)
    >>> sorted({(e.task, e.judge) for e in made.entries})[0][0], len(made.entries), made.distances["ann"] >= 2
    ('s', 15, True)
    """
    _check(items, judges, overlap, copies, distance)
    tasks: dict[Hashable, list[Item]] = {}
    for item in items:
        tasks.setdefault(item.task, []).append(item)
    dealt = _deal(list(tasks), len(judges), overlap, seed)
    entries: list[Entry] = []
    least: dict[Hashable, int | None] = {}
    for j, judge in enumerate(judges):
        mine = [(k, t) for k, t in enumerate(tasks) if j in dealt[t]]
        gaps, place = list[int](), count(1)
        for at in stream(seed, "assign", "tasks", j).permutation(len(mine)).tolist():
            number, task = mine[at]
            rng = stream(seed, "assign", "order", j, number)
            again = rng.choice(len(tasks[task]), min(copies, len(tasks[task])), replace=False)
            listed = [*tasks[task], *(tasks[task][k] for k in sorted(again.tolist()))]
            listed = [listed[k] for k in spaced(list(map(_same, listed)), distance, rng)]
            gaps += _gaps(list(map(_same, listed)))
            seen: set[Hashable] = set()
            for item in listed:
                occasion = 2 if item.id in seen else 1
                seen.add(item.id)
                entries.append(Entry(judge, next(place), item.task, item.id, occasion, item.text))
        least[judge] = min(gaps, default=None)
    near = [str(j) for j, gap in least.items() if gap is not None and gap < distance]
    notes = [f"too few items to keep identical ones {distance} apart: {', '.join(near)}"] if near else []
    small = [str(task) for task, found in tasks.items() if len(found) < copies]
    notes += [f"fewer than {copies:,} items, each shown again once: {few_of(small)}"] if small else []
    return Assignment(tuple(entries), tuple(judges), least, tuple(notes))


def _check(items: Sequence[Item], judges: Sequence[Hashable], overlap: int, copies: int, distance: int) -> None:
    OVERLAP.check(overlap)
    COPIES.check(copies)
    APART.check(distance)
    if not items:
        raise InputError("nothing to assign.", "a table of task, item and, where it is known, text.")
    twice = [k for k, n in Counter((i.task, i.id) for i in items).items() if n > 1]
    if twice:
        raise InputError(
            f"item {twice[0][1]} of task {twice[0][0]} is there twice.", "list each once; --copies repeats."
        )
    if len(set(judges)) < len(judges) or not judges:
        raise InputError("assessors are missing, or two have one name.", "--judges A,B,C.")
    if overlap > len(judges):
        raise InputError(f"{overlap} assessors a task, of {len(judges)}.", "overlap is at most their number.")


def _deal(tasks: Sequence[Hashable], judges: int, overlap: int, seed: int) -> dict[Hashable, list[int]]:
    """The numbers of each task's assessors: who has least so far, then who has least with those already chosen."""
    rng = stream(seed, "assign", "deal")
    load, together = np.zeros(judges), np.zeros((judges, judges))
    out: dict[Hashable, list[int]] = {}
    for at in rng.permutation(len(tasks)).tolist():
        chosen: list[int] = []
        for _ in range(overlap):
            tie = rng.random(judges)
            left = [j for j in range(judges) if j not in chosen]
            chosen.append(min(left, key=lambda j: (load[j], together[j, chosen].sum(), tie[j])))
        load[chosen] += 1
        together[np.ix_(chosen, chosen)] += 1
        out[tasks[at]] = chosen
    return out


def _same(item: Item) -> Hashable:
    """What identical items share: their words, or without a text their name."""
    return ("text", " ".join(item.text.split())) if item.text else ("item", item.id)


def spaced(groups: Sequence[Hashable], distance: int, rng: np.random.Generator) -> list[int]:
    """A random order in which members of a group have so many others between them, or as many as there can be.

    >>> order = spaced("aabbcde", 2, stream(0, "doctest"))
    >>> sorted(order), min(_gaps(["aabbcde"[k] for k in order])) >= 2
    ([0, 1, 2, 3, 4, 5, 6], True)
    """
    shuffled: list[int] = rng.permutation(len(groups)).tolist()
    for apart, careful in product(range(distance, 0, -1), (False, True)):
        order = _greedy(groups, shuffled, apart, careful)
        if min(_gaps([groups[k] for k in order]), default=apart) >= apart:
            return order
    return shuffled


def _greedy(groups: Sequence[Hashable], shuffled: Sequence[int], apart: int, careful: bool) -> list[int]:
    """One after the other whose group has not been for so long; first a group for which it is high time.

    ``careful``: always one of the largest group that is left, which finds room wherever there is some.
    """
    left, out = list(shuffled), list[int]()
    number, last = Counter(groups), dict[Hashable, int]()
    for at in range(len(groups)):
        free = [k for k in left if at - last.get(groups[k], -len(groups) - apart) > apart] or left
        late = [k for k in free if careful or (number[groups[k]] - 1) * (apart + 1) >= len(groups) - at - 1]
        chosen = max(late, key=lambda k: number[groups[k]]) if late else free[0]
        left.remove(chosen)
        number[groups[chosen]] -= 1
        last[groups[chosen]] = at
        out.append(chosen)
    return out


def _gaps(groups: Sequence[Hashable]) -> list[int]:
    """How many others are between two of a group, next to one another in the order."""
    last: dict[Hashable, int] = {}
    out = []
    for at, group in enumerate(groups):
        if group in last:
            out.append(at - last[group] - 1)
        last[group] = at
    return out


def read_items(path: PathLike) -> list[Item]:
    """What is to be judged, from a table: item (or system), and task and text where they are there.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "items.csv")
    >>> _ = path.write_text("task,item\\nt,x\\nt,y\\n")
    >>> [item.id for item in read_items(path)]
    ['x', 'y']
    """
    found, source = read_columns([path], {})
    who = "item" if "item" in found else "system"
    needed(source.name, found, who)
    size = len(found[who])
    tasks, texts = found.get("task", [ONE_TASK] * size), found.get("text", [None] * size)
    return [Item(str(t), str(i), x) for t, i, x in zip(tasks, found[who], texts, strict=True)]
