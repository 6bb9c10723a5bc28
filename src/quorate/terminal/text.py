"""Answers in a terminal: the sentences first, then the tables. Fits 80 columns; colour only where it is wanted."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.table import Table
from rich.text import Text

from quorate.inference.resample import Interval
from quorate.inference.results import Answer
from quorate.panel.base import many
from quorate.terminal.fitting import GAP, folded_head, longest_word, meek
from quorate.terminal.page import Page

TASKS = 20  # task rows shown; the rest are in --format csv
APART = ("description", "by_task", "by_pair", "ranks")  # blocks that a layout shows in its own way


def render(answer: Answer, width: int = 80) -> str:
    """The answer as plain text."""
    out = io.StringIO()
    show(answer, plain_console(out, width))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines()) + "\n"


def plain_console(out: io.StringIO, width: int) -> Page:
    """A console that writes plain text; names in brackets are names, not markup."""
    return Page(out, width, plain=True)


def show(answer: Answer, console: Console) -> None:
    """Print the answer to a console."""
    for sentence in answer.sentences:
        console.print(sentence, style="bold", highlight=False)
    console.print()
    from quorate.terminal.layouts import LAYOUTS  # it builds on this file

    layout = LAYOUTS.get(f"{answer.kind} x {answer.question}", LAYOUTS.get(answer.question))
    if layout:
        for piece in layout(answer, console.width):
            console.print(piece)
    else:
        console.print(overall_table(answer))
    if answer.tasks > 1 and not layout:
        console.print()
        console.print(task_table(answer, console.width))
    for extra in extras(answer):
        console.print()
        console.print(extra)
    if answer.notes:
        console.print()
    for note in answer.notes:
        console.print(f"Note: {note}.", style="dim", highlight=False)


def overall_table(answer: Answer) -> Table:
    """A row per method: value, interval, chance."""
    by = next((o.interval.by for f in answer.findings for o in f.overall if o.interval), None)
    level = next((o.interval.level for f in answer.findings for o in f.overall if o.interval), 0.95)
    table = plain_table()
    apart = any("criterion" in o.labels for f in answer.findings for o in f.overall)
    if apart:
        table.add_column("criterion", overflow="fold")
    table.add_column("method", overflow="fold")
    table.add_column("value" if answer.tasks == 1 or answer.kind == "scores" else "mean", justify="right")
    table.add_column(f"{level:.0%} interval ({by})" if by else "interval", justify="right")
    table.add_column("chance", justify="right")
    table.add_column("p", justify="right")
    for f in answer.findings:
        for o in f.overall:
            chance, p = (figure(o.chance.value), f"{o.chance.p:.2g}") if o.chance else ("-", "-")
            first = [str(o.labels["criterion"])] if apart else []
            table.add_row(*first, str(f.method), figure(o.value), between(o.interval), chance, p)
    return table


def task_table(answer: Answer, width: int) -> Table:
    """A row per task, a column per method as far as the width allows; the tasks with least agreement first."""
    lead = answer.findings[0]
    tasks, criteria = lead.keys["task"], lead.keys.get("criterion")
    order = sorted(range(len(tasks)), key=lambda i: sort_key(lead.values[i]))[:TASKS]
    names = [str(tasks[i]) if criteria is None else f"{tasks[i]}, {criteria[i]}" for i in order]
    cells = [[figure(f.values[i]) for i in order] for f in answer.findings]
    room = width - max(map(longest_word, ["task", *names]))
    heads = (folded_head(str(f.method)) for f in answer.findings)
    wide = accumulate(GAP + max(head, *map(cell_len, c)) for head, c in zip(heads, cells, strict=True))
    shown = list(answer.findings)[: max(1, sum(used <= room for used in wide))]
    title = (
        f"The {TASKS} of {len(tasks):,} tasks with the lowest {lead.method}"
        if len(tasks) > TASKS
        else "By task, lowest first"
    )
    more = len(answer.findings) - len(shown)
    table = plain_table(title + (f"; {many(more, 'more method')} in --format csv" if more else ""))
    table.add_column("task", overflow="fold")
    for f in shown:
        table.add_column(str(f.method), justify="right", overflow="fold")
    for row in zip(names, *cells[: len(shown)], strict=True):
        table.add_row(*row)
    return table


def extras(answer: Answer) -> list[Table]:
    """Tables of the further blocks that some answers have."""
    out = []
    for name, rows in answer.more.items():
        if name not in APART and isinstance(rows, list) and rows and isinstance(rows[0], dict):
            table = plain_table(name.replace("_", " ").capitalize() + shown_of(len(rows)))
            columns = _told(name, rows)
            for column in columns:
                side: JustifyMethod = "right" if column in ("value", "pairs") else "left"
                table.add_column(column.replace("_", " "), overflow="fold", justify=side)
            for row in rows[:TASKS]:
                table.add_row(*(_extra(row[column]) for column in columns))
            out.append(table)
    return out


def _told(name: str, rows: Sequence[dict[str, Any]]) -> list[str]:
    """The columns of a block that say something here; all of them are in --format json."""
    silent = {"interval_by"} | {c for c in rows[0] if all(row[c] is None or row[c] is False for row in rows)}
    return [c for c in rows[0] if c not in silent and not (c == "method" and all(row[c] == name for row in rows))]


def _extra(value: Any) -> str:
    """A cell: a number, the two ends of an interval, or a word."""
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, float) for v in value):
        return f"{figure(value[0])} to {figure(value[1])}"
    if isinstance(value, bool):
        return "yes" if value else ""
    return figure(value) if isinstance(value, float) else "-" if value is None else str(value)


class PlainTable(Table):
    """A table whose title may be wider than itself: it is a line of its own."""

    heading: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.heading:
            yield Text(self.heading, style="bold")
        yield from super().__rich_console__(console, options)


def plain_table(title: str | None = None) -> Table:
    """The look of every table."""
    table = PlainTable(box=None, header_style="bold", pad_edge=False)
    table.heading = meek(title)
    return table


def shown_of(number: int) -> str:
    """What a title says of a table that shows only so many of its rows."""
    return f" ({TASKS} of {number:,})" if number > TASKS else ""


def figure(value: Any) -> str:
    """A number as people read it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "undefined"
    if isinstance(value, int):
        return (
            f"{value:,}"
            if abs(value) < 10**12
            else f"{float(value):.3e}"
            if value.bit_length() < 1000
            else f"2^{value.bit_length() - 1}"
        )
    if math.isinf(value):
        return "too large"
    if abs(value) < 0.00005:
        value = 0.0  # without a sign
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}" if abs(value) < 1e9 else f"{value:.3e}"


def between(interval: Interval | None) -> str:
    """An interval as people read it."""
    return f"{figure(interval.low)} to {figure(interval.high)}" if interval else "-"


def sort_key(value: Any) -> tuple[int, Any]:
    """Undefined values last."""
    undefined = value is None or (isinstance(value, float) and math.isnan(value))
    return (1, 0) if undefined else (0, value)


def matrix_table(title: str, names: Sequence[Any], square: Any, width: int) -> Table:
    """A judge x judge matrix, cut to the width."""
    fit = max(1, (width - 16) // 9)
    table = plain_table(
        title if len(names) <= fit else f"{title} (first {fit} of {len(names)} judges; all in --format json)"
    )
    table.add_column("judge", overflow="fold")
    for name in names[:fit]:
        table.add_column(str(name), justify="right", overflow="fold")
    for name, row in zip(names[:fit], square, strict=False):
        table.add_row(str(name), *("." if v is None or math.isnan(v) else f"{v:.3f}" for v in row[:fit]))
    return table
