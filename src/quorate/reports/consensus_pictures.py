"""Pictures of what the judges agree on: places, the way to them, shared orders, and how firmly items sit in groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from quorate.document.blocks import Chart
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.kinds import Orderings, Panel
from quorate.reports.picture import CHOSEN, alike, least_width, many_alike, number, titled, which
from quorate.reports.precedence import Layered, layered
from quorate.words.numbers import share
from quorate.words.wording import brief

ITEMS = 25  # items of a task
FLOW = 12  # tasks whose rankings can be followed
DRAWN = 15  # items of a graph
GROUPED = 4000  # items of all tasks in the picture of groups


def places(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """The consensus order of a task with the places that other judges like these would give."""
    finding = answer.findings[0]
    if "rank" not in finding.details:
        return None
    rows = []
    cut = False
    for i, task in enumerate(finding.keys["task"][:CHOSEN]):
        rank, interval = finding.details["rank"][i], finding.details["rank_interval"][i] or {}
        if len(set(rank.values())) < 2:
            continue  # all in one place: nothing to see
        top = _first(rank, ITEMS)
        furthest = 2 * max(rank[item] for item in top)  # else dots would crowd where a line is very long
        for item in top:
            low, high = interval.get(item, (None, None))
            row = {"task": str(task), "item": str(item), "value": number(rank[item]), "low": low, "high": high}
            cut = cut or (high is not None and high > furthest)
            rows.append({**row, "to": None if high is None else number(min(high, furthest))})
    return Chart(
        "places",
        "consensus",
        "dots",
        titled("Places in the consensus", _leads(rows)),
        "Place of each item, 1 is first"
        + ("; the line is where it would be with other judges like these." if _known(rows) else ".")
        + (" Lines that end at the right edge go on further." if cut else "")
        + (f" Only the {ITEMS} first items." if _longest(finding) > ITEMS else "")
        + which(finding.keys["task"], CHOSEN),
        tuple(rows),
        {"label": "item", "value": "place", "choose": "task", "whole": True, "until": "to"},
        ("to",),
    )


def flow(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """From each judge's ranking to the consensus, with the consensus' rank intervals."""
    finding = answer.findings[0]
    if not isinstance(panel, Orderings) or not 1 < len(panel.judges) <= 30 or "rank" not in finding.details:
        return None
    rows: list[dict[str, Any]] = []
    far: dict[str, list[float]] = {str(judge): [] for judge in panel.judges}
    gaps = cut = False
    for i, task in enumerate(finding.keys["task"][:FLOW]):
        rank, interval = finding.details["rank"][i], finding.details["rank_interval"][i] or {}
        top = _first(rank, 10)
        begun = len(rows)
        for judge, groups in panel.orders(task).items():
            place = _places(groups)
            there = [x for x in top if x in place]
            gaps = gaps or len(there) < len(top)
            far[str(judge)] += [abs(place[x] - rank[x]) for x in there]
            rows += [_stop(task, str(judge), x, place[x], (None, None)) for x in there]
        lowest = max([rank[x] for x in top] + [row["value"] for row in rows[begun:]]) + 0.5
        for k, x in enumerate(top):
            stop = _stop(task, "consensus", x, rank[x], interval.get(x, (None, None)))
            if "low" in stop:  # an interval may reach far below every place that is drawn
                stop |= {"offset": 6 + 2.4 * k, "to": min(stop["high"], lowest)}
                cut = cut or stop["high"] > lowest
            rows.append(stop)
        if len({row["value"] for row in rows[begun:]}) < 2:
            del rows[begun:]  # all in one place: nothing to see
    order = sorted(far, key=lambda judge: -sum(far[judge]) / len(far[judge]) if far[judge] else 0.0)
    columns = [*order, "consensus"]
    return Chart(
        "flow",
        "consensus",
        "flow",
        "From the judges to the consensus",
        f"Place of {'the ten first items' if _longest(finding) > 10 else 'every item'} with every judge, the judge "
        "furthest from the consensus on the left; the last column is the consensus"
        + (", its thin lines where an item would be with other judges like these. " if _known(rows) else ". ")
        + ("Thin lines that end below all dots go on further. " if cut else "")
        + "Lines that run level are items that the judges agree on."
        + (" Where a line has no dot, the judge left the item out." if gaps else "")
        + many_alike(panel)
        + which(finding.keys["task"], FLOW),
        tuple(rows),
        {"choose": "task", "order": columns},
        ("offset", "to"),
        least=least_width(columns, 20),
    )


def shared_by_all(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """The order that all judges share."""
    return _shared(panel, answer.findings[0], every=True)


def shared_by_most(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """The order that more than half of the judges share."""
    return _shared(panel, answer.findings[0], every=False)


def kept(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Of groupings: how firmly each item sits in its group of the consensus."""
    finding = answer.findings[0]
    if finding.called != "groups":
        return None
    rows: list[dict[str, Any]] = []
    for i, task in enumerate(finding.keys["task"][:CHOSEN]):
        told = finding.details["items"][i]
        groups = sorted((g for g in finding.values[i] if len(g) > 1), key=lambda g: -len(g))
        for place, group in enumerate(groups, 1):
            for item in group:
                if len(rows) < GROUPED:
                    value = number(told[item]["stays"] if item in told else None)
                    rows.append({"task": str(task), "item": str(item), "group": f"group {place}", "value": value})
    return Chart(
        "kept",
        "consensus",
        "bars",
        titled("How firmly items sit in their groups", _loosest(rows)),
        "Share of an item's group that it would keep with other judges like these; groups of two "
        "items or more, the largest first. Bars of one colour are a group." + which(finding.keys["task"], CHOSEN),
        tuple(rows),
        {"label": "item", "value": "share kept", "colour": "group", "choose": "task"},
    )


def _loosest(rows: Sequence[dict[str, Any]]) -> str:
    """Which item keeps least of its group, in words."""
    known = sorted((row["value"], row["item"], row["task"]) for row in rows if row["value"] is not None)
    if not known:
        return ""
    low, item, task = known[0]
    if low == known[-1][0]:
        return f"each keeps {share(low)}" if len(known) > 1 else ""
    on = f" on {brief(task, what='task')}" if len({row["task"] for row in rows}) > 1 else ""
    return f"{brief(item, what='item')}{on} keeps least, {share(low)}"


def _leads(rows: Sequence[dict[str, Any]]) -> str:
    """Who is first, if there is one task and one item is."""
    first = [row["item"] for row in rows if row["value"] == 1]
    return (
        f"{brief(first[0], what='item')} is first"
        if len(first) == 1 and len({row["task"] for row in rows}) == 1
        else ""
    )


def _known(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether any row has an interval."""
    return any(row.get("low") is not None for row in rows)


def _longest(finding: Finding) -> int:
    """How many items the consensus of a task puts in order, at most."""
    return max(map(len, finding.details["rank"]), default=0)


def _shared(panel: Panel, finding: Finding, every: bool) -> Chart | None:
    """A graph a task, of the items that come first in the consensus; of two judges, more than half are all."""
    fewest = 2 if every or alike(panel) else 3
    if not isinstance(panel, Orderings) or len(panel.judges) < fewest or "rank" not in finding.details:
        return None
    tasks = list(finding.keys["task"][:FLOW])
    found = _graphs(panel, finding, tasks, every)
    rows = [row for task in tasks for row in found.get(task, ())]
    drawn = len({row["task"] for row in rows})
    who = "all judges" if every else "more than half of the judges"
    first = f"the first {len(tasks)}" if len(tasks) < len(finding.keys["task"]) else f"{len(tasks)}"
    return Chart(
        "shared-by-all" if every else "shared-by-most",
        "consensus",
        "graph",
        f"The order that {who} share",
        f"A line leads down from an item to one that {who} put after it; lines that follow from others are left out. "
        "Items that go round in a circle share a dot, items without any such line are not drawn."
        + (f" Of the {DRAWN} items that the consensus puts first." if _longest(finding) > DRAWN else "")
        + (f" On {len(tasks) - drawn} of {first} tasks there is no such line." if drawn < len(tasks) else "")
        + (" Choose a task." if drawn > 1 else f" Task: {rows[0]['task']}." if drawn and len(tasks) > 1 else ""),
        tuple(rows),
        {"choose": "task"},
        ("x", "y", "x2", "y2", "room"),
    )


def _graphs(
    panel: Orderings, finding: Finding, tasks: Sequence[Hashable], every: bool
) -> dict[Hashable, list[dict[str, Any]]]:
    """Rows of the graph of each task."""
    rank = dict(zip(finding.keys["task"], finding.details["rank"], strict=True))
    found: dict[Hashable, list[dict[str, Any]]] = {}
    for task, judges, items, counts in _counts(panel, tasks):
        need = judges if every else judges // 2 + 1
        top = sorted(range(len(items)), key=lambda k: (rank[task].get(items[k], np.inf), str(items[k])))[:DRAWN]
        names, support = [str(items[k]) for k in top], counts(top)
        found[task] = _graph(str(task), layered(support >= need), names, support, judges)
    return found


def _counts(panel: Orderings, tasks: Sequence[Hashable]) -> Iterator[tuple[Hashable, int, Sequence[Hashable], Any]]:
    """Of every task how many judges there are, the items, and a function of some: how many judges put i before j."""
    from quorate.kernels.majority import before
    from quorate.panel.stacks import Stack, stacks

    if panel.elsewhere is not None:
        own = panel.elsewhere
        for task, judges, counts in zip(own.tasks, own.facts.judges.tolist(), own.before, strict=True):
            yield task, judges, own.items[task], lambda top, counts=counts: counts[np.ix_(top, top)]
        return
    some = panel.select(tasks=list(tasks))
    for part in stacks(some):
        for t, code in enumerate(part.tasks.tolist()):
            items = [some.items[k] for k in part.items[t].tolist()]
            at = slice(t, t + 1)

            def counted(top: Sequence[int], part: Stack = part, at: slice = at) -> Any:
                return before(part.positions[at, :, top], part.counts[at])[0]

            yield some.tasks[code], int(part.counts[t].sum()), items, counted


def _graph(task: str, drawn: Layered, items: Sequence[str], support: Any, judges: int) -> list[dict[str, Any]]:
    """Rows of a graph: an edge with both ends, a node with one."""
    names = [" = ".join(items[k] for k in node) for node in drawn.nodes]
    place: list[tuple[Any, float, Any]] = []
    for depth, x in zip(drawn.layer, drawn.across, strict=True):
        wide = drawn.layer.count(depth)
        lower = wide > 3 and round((x + 0.5) * wide - 0.5) % 2  # so that names have room
        place.append((number(x), depth + 0.4 * lower, number((2 if wide > 3 else 1) / wide)))
    rows = []
    for a, b in drawn.edges:
        most = int(max(support[i, j] for i in drawn.nodes[a] for j in drawn.nodes[b]))
        ends: dict[str, Any] = {"x": place[a][0], "y": place[a][1], "x2": place[b][0], "y2": place[b][1]}
        rows.append({"task": task, "item": names[a], "before": names[b], "judges": f"{most:,} of {judges:,}", **ends})
    for name, (x, y, room) in zip(names, place, strict=True):
        rows.append({"task": task, "item": name, "x": x, "y": y, "room": room})
    return rows


def _stop(task: Any, judge: str, item: Any, value: Any, ends: tuple[Any, Any]) -> dict[str, Any]:
    row = {"task": str(task), "judge": judge, "item": str(item), "value": number(value)}
    return {**row, "low": number(ends[0]), "high": number(ends[1])} if ends[0] is not None else row


def _first(rank: dict[Any, float], most: int) -> list[Any]:
    return sorted(rank, key=lambda x: (rank[x], str(x)))[:most]


def _places(groups: list[list[Hashable]]) -> dict[Hashable, float]:
    """Mid-ranks of an order given as tie groups."""
    out: dict[Hashable, float] = {}
    for group in groups:
        place = len(out) + (len(group) + 1) / 2
        out |= dict.fromkeys(group, place)
    return out
