"""What would have to change in one judge's groups to get another's: the disagreement of two judges made visible.

Items that only one of the two used are left out or added. Of the rest, each cluster of the first judge is taken for
one of the second judge's, so that as few items as possible have to move (an assignment problem, solved exactly). A
cluster of the second judge that has no counterpart is split off the cluster that holds most of it; one of the first
without counterpart is merged into where most of it belongs; every other item is moved by itself.

Splits and merges are differences of *generalisation*; moved items are mostly differences of *emphasis* or *inference*:
the three kinds of disagreement that Geiss found in people's clusterings.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quorate.columns import is_blank
from quorate.errors import InputError
from quorate.panel import find_codes, many
from quorate.panels import Groupings
from quorate.results import clean

ACTIONS = ("leave out", "add", "split", "merge", "move")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: what to do with which items, from a group of the first judge towards one of the second."""

    action: str  # one of ACTIONS
    items: tuple[Hashable, ...]
    source: Hashable | None  # group of the first judge
    target: Hashable | None  # group of the second judge


@dataclass(frozen=True, slots=True)
class Difference:
    """How to get from one partition to another."""

    same: int  # groups that both have, item by item
    same_items: int
    moves_only: int  # items to move when nothing may be split or merged: the least possible
    edits: tuple[Edit, ...]

    def number(self, action: str) -> int:
        """How many: items left out, added or moved; clusters split or merged."""
        chosen = [e for e in self.edits if e.action == action]
        return len(chosen) if action in ("split", "merge") else sum(len(e.items) for e in chosen)

    @property
    def total(self) -> int:
        """All changes: items left out, added and moved, clusters split and merged."""
        return sum(self.number(a) for a in ACTIONS)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        counts = {a.replace(" ", "_"): self.number(a) for a in ACTIONS}
        plain = {"same": self.same, "same_items": self.same_items, "moves_only": self.moves_only}
        return {**plain, **counts, "total": self.total, "edits": [clean(asdict(e)) for e in self.edits]}


def edits(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Difference:
    """A short list of edits from the first partition, ``{item: group}``, to the second; None is left out.

    Empty when they are the same, whatever the groups are called.

    >>> found = edits({"u": 1, "v": 1, "x": 1, "y": 1, "z": None}, {"u": "a", "v": "a", "x": "b", "y": "b", "z": "b"})
    >>> [(e.action, e.items) for e in found.edits]
    [('add', ('z',)), ('split', ('x', 'y'))]
    """
    one = {i: g for i, g in first.items() if not is_blank(g)}
    two = {i: g for i, g in second.items() if not is_blank(g)}
    out = _outside(one, two, "leave out") + _outside(two, one, "add")
    cells: dict[tuple[Any, Any], list[Any]] = {}
    for i, g in one.items():
        if i in two:
            cells.setdefault((g, two[i]), []).append(i)
    match = _match(cells)
    out += _inside(cells, match)
    size_one, size_two = _sizes(one), _sizes(two)
    equal = [c for c, held in cells.items() if len(held) == size_one[c[0]] == size_two[c[1]]]
    kept = sum(len(cells[c]) for c in match.items())
    moves = sum(map(len, cells.values())) - kept
    return Difference(len(equal), sum(len(cells[c]) for c in equal), moves, tuple(out))


def _sizes(partition: Mapping[Any, Any]) -> dict[Any, int]:
    out: dict[Any, int] = {}
    for g in partition.values():
        out[g] = out.get(g, 0) + 1
    return out


def _outside(one: Mapping[Any, Any], two: Mapping[Any, Any], action: str) -> list[Edit]:
    """Items that only ``one`` uses, group by group."""
    groups: dict[Any, list[Any]] = {}
    for i, g in one.items():
        if i not in two:
            groups.setdefault(g, []).append(i)
    ends = (lambda g: (g, None)) if action == "leave out" else (lambda g: (None, g))
    return [Edit(action, tuple(held), *ends(g)) for g, held in groups.items()]


def _match(cells: Mapping[tuple[Any, Any], list[Any]]) -> dict[Any, Any]:
    """Which group of the second judge each group of the first is taken for: most items stay; then the most alike."""
    from scipy.optimize import linear_sum_assignment

    rows = list(dict.fromkeys(a for a, _ in cells))
    columns = list(dict.fromkeys(b for _, b in cells))
    if not rows:
        return {}
    table = np.zeros((len(rows), len(columns)))
    for (a, b), held in cells.items():
        table[rows.index(a), columns.index(b)] = len(held)
    union = table.sum(axis=1, keepdims=True) + table.sum(axis=0, keepdims=True) - table
    alike = table / union / (min(table.shape) + 1)  # all of it together counts less than one item
    chosen = zip(*(x.tolist() for x in linear_sum_assignment(table + alike, maximize=True)), strict=True)
    return {rows[r]: columns[c] for r, c in chosen if table[r, c] > 0}


def _inside(cells: Mapping[tuple[Any, Any], list[Any]], match: Mapping[Any, Any]) -> list[Edit]:
    taken = set(match.values())
    largest: dict[tuple[str, Any], tuple[Any, Any]] = {}  # of groups without counterpart
    for (a, b), held in cells.items():
        for side, group, alone in (("first", a, a not in match), ("second", b, b not in taken)):
            best = largest.get((side, group))
            if alone and (best is None or len(held) > len(cells[best])):
                largest[side, group] = (a, b)
    how = {c: "merge" if side == "first" else "split" for (side, _), c in largest.items()}
    off = [c for c in cells if c not in match.items()]
    found = [Edit(how.get((a, b), "move"), tuple(cells[a, b]), a, b) for a, b in off]
    return sorted(found, key=lambda e: ACTIONS.index(e.action))


# -- two judges of a panel ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Two judges on the tasks that both did."""

    first: Hashable
    second: Hashable
    tasks: dict[Hashable, Difference]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        rows = [{"task": t, "pair": [self.first, self.second], **d.to_dict()} for t, d in self.tasks.items()]
        return {"kind": "groupings", "question": "judges", "compare": [self.first, self.second], "results": rows}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=str)

    def to_csv(self) -> str:
        """A row per edit."""
        import csv
        import io

        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["task", "action", "items", "source", "target"])
        for task, d in self.tasks.items():
            for e in d.edits:
                writer.writerow([task, e.action, " ".join(map(str, e.items)), e.source, e.target])
        return out.getvalue()

    def text(self) -> str:
        """For people: counts in a sentence, then the edits."""
        return "\n\n".join("\n".join(_told(self.first, self.second, t, d)) for t, d in self.tasks.items()) + "\n"


def compare(panel: Groupings, first: Hashable, second: Hashable) -> Comparison:
    """What to change in the first judge's groups to get the second's, task by task; of repeats the first counts."""
    done = {j: _groups(panel, j) for j in (first, second)}
    both = [t for t in done[first] if t in done[second]]
    if not both:
        raise InputError(f"judges '{first}' and '{second}' have no task in common.")
    return Comparison(first, second, {t: edits(done[first][t], done[second][t]) for t in both})


def _groups(panel: Groupings, judge: Hashable) -> dict[Hashable, dict[Hashable, Hashable]]:
    code = int(find_codes(panel.judge, [judge], "judge")[0])
    out: dict[Hashable, dict[Hashable, Hashable]] = {}
    for a, b in zip(panel.starts[:-1].tolist(), panel.starts[1:].tolist(), strict=True):
        task = panel.task[a]
        if int(panel.judge.codes[a]) == code and task not in out:
            out[task] = {panel.item[r]: panel.value[r] for r in range(a, b)}
    return out


def _told(first: Hashable, second: Hashable, task: Hashable, d: Difference) -> list[str]:
    out = [f"{task}: from {first} to {second}, {many(d.total, 'change')}."]
    if d.same:
        out.append(
            f"{many(d.same, 'group')} with {many(d.same_items, 'item')} {'is' if d.same == 1 else 'are'} the same."
        )
    parts = [f"{a} {many(d.number(a), 'cluster' if a in ('split', 'merge') else 'item')}" for a in ACTIONS]
    said = [p for p, a in zip(parts, ACTIONS, strict=True) if d.number(a)]
    if said:
        text = ", ".join(said)
        out.append(f"{text[0].upper()}{text[1:]}.")
    if d.number("split") or d.number("merge"):
        out.append(f"Without splitting and merging, {many(d.moves_only, 'item')} would have to move.")
    more, less = d.number("split"), d.number("merge")
    if more != less:
        out.append(f"{first if more > less else second} is the one who generalises.")
    for e in d.edits:
        ends = {"leave out": f"of {e.source}", "add": f"to {e.target}"}
        way = ends.get(e.action, f"{e.source} -> {e.target}")
        shown = ", ".join(map(str, e.items[:8])) + (f", ... ({len(e.items)} items)" if len(e.items) > 8 else "")
        out.append(f"  {e.action:<9}  {way}: {shown}")
    return out
