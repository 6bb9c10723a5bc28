"""Tables for the questions whose answers are not one row per method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from rich.table import Table
from rich.text import Text

from quorate.inference.results import Answer, Finding, Overall
from quorate.terminal import grouping_layouts, partition_layouts, score_boards, score_layouts
from quorate.terminal.text import TASKS, between, figure, plain_table, shown_of


def judges(answer: Answer, width: int) -> Iterator[Table]:
    """A row per judge, worst first by the first method; with one method also its interval."""
    first = answer.findings[0]
    found = [{o.labels["judge"]: o for o in f.overall} for f in answer.findings]
    shown = first.overall[:TASKS]
    table = plain_table(f"By judge, lowest first{shown_of(len(first.overall))}")
    columns = [_judge_columns(f, len(answer.findings) == 1) for f in answer.findings]
    table.add_column("judge", overflow="fold")
    for several in columns:
        for head, _ in several:
            table.add_column(head, justify="right", overflow="fold")
    table.add_column("flagged")
    for o in shown:
        judge = o.labels["judge"]
        cells = [cell(by[judge]) for by, several in zip(found, columns, strict=True) for _, cell in several]
        table.add_row(str(judge), *cells, "yes" if any(by[judge].labels.get("flag") for by in found) else "")
    yield table


def trust(answer: Answer, width: int) -> Iterator[Table | Text | str]:
    """The overall figures of each method; then its rows, unless they are single tasks."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        if f.method.name == "bootstrap":
            yield from _redrawn(f, answer.tasks)
            continue
        yield _overall(f)
        if "task" not in f.keys:
            yield ""
            yield _rows(f)


FIGURE = {  # what a trust method's figure is, and what its rows show
    "discriminativeness": ("ED", "ED"),
    "noise": ("share lost", "ED"),
    "sweep": ("span of ED", "ED"),
    "tune": ("nested ED", "ED"),
    "split_half": ("reliability", "reliability"),
    "judges_needed": ("judges", "stability"),
    "bootstrap": ("value", "value"),
    "swaps": ("kept", "kept"),
    "votes_needed": ("votes", "right"),
}


def _overall(f: Finding) -> Table:
    between_what = next((o.interval for o in f.overall if o.interval), None)
    table = plain_table(str(f.method))
    labels = [n for n, v in f.overall[0].labels.items() if not isinstance(v, list | dict)] if f.overall else []
    for name in labels:
        table.add_column(name.replace("_", " "), overflow="fold", justify=_side(f.overall[0].labels[name]))
    table.add_column(FIGURE[f.method.name][0], justify="right")
    if between_what:
        table.add_column(f"{between_what.level:.0%} interval ({between_what.by})", justify="right")
    for o in f.overall:
        cells = [_cell(o.labels[name]) for name in labels] + [figure(o.value)]
        table.add_row(*cells, *([_ends(o)] if between_what else []))
    return table


SHARES = ("stays", "lowest", "first")  # of the panels drawn anew


def _redrawn(f: Finding, tasks: int) -> Iterator[Table | Text | str]:
    """The figures with their intervals, as many as people read; of one task's consensus every item."""
    labels = f.overall[0].labels
    names, shares = ([n for n in some if n in labels] for some in (("figure", "judge", "system", "best"), SHARES))
    yield Text(f"{f.method}{shown_of(len(f.overall))}", style="bold")
    by = next((o.interval for o in f.overall if o.interval), None)
    heads = ["share" if "item" in f.keys else "value", *([f"{by.level:.0%} interval ({by.by})"] if by else []), *shares]
    table = plain_table()
    for name in names:
        table.add_column(name, overflow="fold")
    for head in heads:
        table.add_column(head, justify="right")
    for o in f.overall[:TASKS]:
        cells = [figure(o.value), *([_ends(o)] if by else []), *(_cell(o.labels[n]) for n in shares)]
        table.add_row(*(str(o.labels[n]) for n in names), *cells)
    yield table
    if "item" not in f.keys or tasks > 1:
        return
    yield ""
    items = plain_table(f"{TASKS} of {len(f.values):,} items" if len(f.values) > TASKS else None)
    items.add_column("item", overflow="fold")
    for name in ("rank", "interval", "first"):
        items.add_column(name, justify="right")
    for i, inside in list(enumerate(f.details["interval"]))[:TASKS]:
        between_what = f"{inside[0]:g} to {inside[1]:g}" if inside else "-"
        items.add_row(str(f.keys["item"][i]), f"{f.values[i]:g}", between_what, _cell(f.details["first"][i]))
    yield items


def _ends(o: Overall) -> str:
    if o.interval and isinstance(o.value, int):  # a number of judges has no decimals
        return f"{o.interval.low:.0f} to {o.interval.high:.0f}"
    return between(o.interval)


def _rows(f: Finding) -> Table:
    """The rows by their keys; several values of one key side by side when there are two keys."""
    keys = list(f.keys)
    if len(keys) == 2 and not set(f.details) - {"interval", "repeats"}:
        return _crossed(f, *keys)
    shown = [n for n in f.details if "interval" not in n]
    order = sorted(range(len(f.values)), key=lambda i: -f.values[i]) if keys == ["of"] else range(len(f.values))
    table = plain_table(f"The best {TASKS} of {len(f.values)}" if keys == ["of"] and len(f.values) > TASKS else None)
    for name in (*keys, FIGURE[f.method.name][1], *shown):
        table.add_column(name, overflow="fold", justify="left" if name in ("of", "parameter") else "right")
    for i in list(order)[: TASKS if keys == ["of"] else None]:
        heads = [f"{f.keys[k][i]:g}" if k == "setting" else _cell(f.keys[k][i]) for k in keys]
        table.add_row(*heads, figure(f.values[i]), *(_cell(f.details[n][i]) for n in shown))
    return table


def _crossed(f: Finding, down: str, across: str) -> Table:
    heads = list(dict.fromkeys(f.keys[across]))
    table = plain_table()
    table.add_column(down, overflow="fold")
    for head in heads:
        table.add_column(f"r = {head:g}" if across == "ratio" else str(head), justify="right")
    cells = dict(zip(zip(f.keys[down], f.keys[across], strict=True), f.values, strict=True))
    for name in dict.fromkeys(f.keys[down]):
        table.add_row(str(name), *(figure(cells[name, head]) for head in heads))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "-" if value is None or (isinstance(value, float) and math.isnan(value)) else figure(value)


def _side(value: Any) -> Any:
    return "left" if isinstance(value, str) else "right"


Cell = Callable[[Overall], str]


def _judge_columns(f: Finding, alone: bool) -> list[tuple[str, Cell]]:
    """The columns that a method fills: its value, and where there are some its interval and corrected p."""
    name = f.method.name if alone and f.method.name == "peer_correlation" else str(f.method)  # the only wide one
    out: list[tuple[str, Cell]] = [(name, lambda o: figure(o.value))]
    level = next((o.interval for o in f.overall if o.interval), None)
    if alone and level:
        out.append((f"{level.level:.0%} interval ({level.by})", lambda o: between(o.interval)))
    if any("p_holm" in o.labels and o.chance for o in f.overall):
        out.append(("p", lambda o: _p(o.labels["p_holm"])))
    if alone and any("consensus_p_holm" in o.labels for o in f.overall):
        out.append(("consensus", lambda o: figure(o.labels["consensus"])))  # of the others; its p is in the JSON
    return out


def _p(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2g}"


def quality(answer: Answer, width: int) -> Iterator[Any]:
    """A leaderboard per method, best first; systems that share a letter do not differ significantly."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        cut = f" ({TASKS} of {len(f.overall):,} systems)" if len(f.overall) > TASKS else ""
        yield Text(f"{f.method}{cut}", style="bold")
        seen = next((o.interval for o in f.overall if o.interval), None)
        gaps = any(o.labels["tasks"] < answer.tasks for o in f.overall)
        table = plain_table()
        table.add_column("system", overflow="fold")
        table.add_column("value" if answer.tasks == 1 else "mean", justify="right")
        table.add_column(f"{seen.level:.0%} interval ({seen.by})" if seen else "interval", justify="right")
        lucky = any(o.chance for o in f.overall)
        if lucky:
            table.add_column("chance", justify="right")
        table.add_column("group", overflow="fold", max_width=24)
        if gaps:
            table.add_column("tasks", justify="right")
        for o in f.overall[:TASKS]:
            more = [f"{o.labels['tasks']:,}"] if gaps else []
            name = str(o.labels["system"])
            luck = [figure(o.chance.value) if o.chance else "-"] if lucky else []
            table.add_row(name, figure(o.value), between(o.interval), *luck, o.labels["group"], *more)
        yield table


def by_task(answer: Answer, width: int) -> Iterator[Any]:
    """Of each method a row per task and a column per system, as many as fit."""
    for f in answer.findings:
        systems = [o.labels["system"] for o in f.overall]
        fit = max(1, (width - 16) // 10)
        tasks: dict[Any, dict[Any, Any]] = {}
        for task, system, value in zip(f.keys["task"], f.keys["system"], f.values, strict=True):
            tasks.setdefault(task, {})[system] = value
        cut = f", first {fit} of {len(systems)} systems" if len(systems) > fit else ""
        cut += f", first {TASKS} of {len(tasks):,} tasks" if len(tasks) > TASKS else ""
        yield ""
        yield Text(f"{f.method} by task{cut}", style="bold")
        table = plain_table()
        table.add_column("task", overflow="fold")
        for system in systems[:fit]:
            table.add_column(str(system), justify="right", overflow="fold")
        for task, row in list(tasks.items())[:TASKS]:
            table.add_row(str(task), *(figure(row[s]) if s in row else "-" for s in systems[:fit]))
        yield table


def consensus(answer: Answer, width: int) -> Iterator[Table]:
    """Of one order a row per item, in the first method's order; of many tasks a row per task and method."""
    one = all(len(f.values) == 1 for f in answer.findings)  # of one task, or of all tasks together
    yield _by_item(answer, width) if one else _by_task(answer)


def _by_item(answer: Answer, width: int) -> Table:
    items = [str(i) for group in answer.findings[0].values[0] for i in group]
    left = width - min(max(map(len, items)), 20) - 16
    fit = max(1, sum(used <= left for used in accumulate(len(str(f.method)) + 2 for f in answer.findings)))
    shown = list(answer.findings)[:fit]
    places = [{str(i): (p, len(g)) for p, g in enumerate(f.values[0], 1) for i in g} for f in shown]
    inside = shown[0].details["rank_interval"][0]
    cut = f"; {TASKS} of {len(items):,} items" if len(items) > TASKS else ""
    more = f"; {len(answer.findings) - fit} more methods in --format json" if fit < len(answer.findings) else ""
    table = plain_table(f"Places, = tied{f'; interval of {shown[0].method}' if inside else ''}{cut}{more}")
    table.add_column("item", overflow="fold")
    for f in shown:
        table.add_column(str(f.method), justify="right", overflow="fold")
    if inside:
        table.add_column("interval", justify="right")
    for item in items[:TASKS]:
        cells = [f"{p[item][0]}{'=' if p[item][1] > 1 else ''}" for p in places]
        low, high = inside[item] if inside else (0, 0)
        table.add_row(item, *cells, *([f"{low:g} to {high:g}"] if inside else []))
    return table


def _by_task(answer: Answer) -> Table:
    rows = [
        row for f in answer.findings for row in zip(f.keys["task"], [f.method] * len(f.values), f.values, strict=True)
    ]
    order = {task: k for k, task in enumerate(dict.fromkeys(t for t, _, _ in rows))}
    rows.sort(key=lambda row: order[row[0]])
    most = TASKS * len(answer.findings)
    table = plain_table(
        f"By task{f' (first {TASKS} of {len(order):,}; all in --format csv)' if len(rows) > most else ''}"
    )
    for column in ("task", "method", "order"):
        table.add_column(column, overflow="fold")
    for task, method, ranking in rows[:most]:
        groups = [" = ".join(map(str, group)) for group in ranking[:TASKS]]
        table.add_row(str(task), str(method), " > ".join(groups) + (" > ..." if len(ranking) > TASKS else ""))
    return table


LAYOUTS: Mapping[str, Callable[[Answer, int], Iterator[Any]]] = {
    "consensus": consensus,
    "judges": judges,
    "quality": quality,
    "trust": trust,
    **grouping_layouts.LAYOUTS,
    **partition_layouts.LAYOUTS,
    **score_layouts.LAYOUTS,
    **score_boards.LAYOUTS,
}
