"""Two judges of a panel compared, task by task: what to change in the one's groups to get the other's, in words."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.groupings.edits import Cut, Difference, edits
from quorate.panel.base import find_codes, many
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import UNSHOWN, absence

SHOWN = 8  # items of a block that are named
WIDTH = 80


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

    def text(self, width: int = WIDTH) -> str:
        """For people: counts in a sentence, then what happens to which cluster."""
        said = (_wrapped(_told(str(self.first), str(self.second), t, d), width) for t, d in self.tasks.items())
        return "\n\n".join(said) + "\n"


def compare(panel: Groupings, first: Hashable, second: Hashable, absent: str | None = None) -> Comparison:
    """What to change in the first judge's groups to get the second's, task by task; of repeats the first counts.

    Where items without a row were not shown (``absent``), on the items that both were shown.
    """
    done = {j: _groups(panel, j) for j in (first, second)}
    both = {t: (done[first][t], done[second][t]) for t in done[first] if t in done[second]}
    if absence(panel, absent) == UNSHOWN:
        both = {t: ({i: a[i] for i in a if i in b}, {i: b[i] for i in b if i in a}) for t, (a, b) in both.items()}
        both = {t: two for t, two in both.items() if two[0]}
    else:  # what neither has a row of, both leave out
        left = {t: dict.fromkeys(_items(panel, t)) for t in both}
        both = {t: (left[t] | a, left[t] | b) for t, (a, b) in both.items()}
    if not both:
        raise InputError(f"judges '{first}' and '{second}' have no task in common.")
    return Comparison(first, second, {t: edits(*two) for t, two in both.items()})


def _items(panel: Groupings, task: Hashable) -> list[Hashable]:
    """The items of a task, in the order of its rows."""
    here = panel.task.codes == find_codes(panel.task, [task], "task")[0]
    return [panel.item[r] for r in np.flatnonzero(here).tolist()]


def _groups(panel: Groupings, judge: Hashable) -> dict[Hashable, dict[Hashable, Hashable]]:
    code = int(find_codes(panel.judge, [judge], "judge")[0])
    out: dict[Hashable, dict[Hashable, Hashable]] = {}
    for a, b in zip(panel.starts[:-1].tolist(), panel.starts[1:].tolist(), strict=True):
        task = panel.task[a]
        if int(panel.judge.codes[a]) == code and task not in out:
            out[task] = {panel.item[r]: panel.value[r] for r in range(a, b)}
    return out


def _wrapped(lines: Iterator[str], width: int) -> str:
    return "\n".join(textwrap.fill(line, width, subsequent_indent="  ", break_on_hyphens=False) for line in lines)


def _told(first: str, second: str, task: Hashable, d: Difference) -> Iterator[str]:
    n = {a: d.number(a) for a in ("leave out", "split", "move", "merge", "add")}
    counts = f"{many(n['move'], 'item')} to move, {many(n['split'], 'cluster')} to split, {n['merge']} to merge"
    more = f", {many(n['leave out'], 'item')} to leave out, {n['add']} to add" if n["leave out"] or n["add"] else ""
    yield f"{task}: from {first} to {second}, {many(d.total, 'change')}: {counts}{more}."
    if d.same:
        yield f"{many(d.same, 'group')} with {many(d.same_items, 'item')} {'is' if d.same == 1 else 'are'} the same."
    if d.unused:
        yield f"Both leave out {many(d.unused, 'item')} of {d.items:,}."
    if n["split"] or n["merge"]:
        yield f"Without splitting and merging, {many(d.moves_only, 'item')} would have to move."
    if n["split"] != n["merge"]:
        yield f"{first if n['split'] > n['merge'] else second} is the one who generalises."
    for e in d.edits:
        if e.action == "leave out":
            yield f"- {second} leaves out {_few(e.items)} of {first}'s cluster '{e.source}'."
    for cut in d.cuts:
        yield f"- {first}'s cluster '{cut.group}' is split by {second} into {_parts(cut)}."
    for e in d.edits:
        if e.action == "move":
            moves = "moves" if len(e.items) == 1 else "move"
            yield f"- {_few(e.items)} {moves} from {first}'s cluster '{e.source}' to {second}'s '{e.target}'."
    for join in d.joins:
        yield f"- {first}'s clusters {_parts(join)} are merged by {second} into '{join.group}'."
    for e in d.edits:
        if e.action == "add":
            yield f"- {second} adds {_few(e.items)} to '{e.target}'."


def _parts(cut: Cut) -> str:
    said = [f"'{group}' ({_few(items)})" for group, items in cut.parts]
    return f"{', '.join(said[:-1])} and {said[-1]}"


def _few(items: Sequence[Hashable]) -> str:
    return ", ".join(map(str, items[:SHOWN])) + (f", ... ({len(items)} items)" if len(items) > SHOWN else "")
