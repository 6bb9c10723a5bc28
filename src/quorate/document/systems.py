"""Leaderboards as tables: a row per system, methods and criteria side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quorate.document.blocks import Block, Table
from quorate.document.columns import column
from quorate.document.pivot import (
    VALUE,
    Entry,
    every,
    figures,
    headings,
    interval_column,
    number,
    pivot,
    without_all_tasks,
)
from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Finding


def systems(answer: Answer) -> Iterator[Block]:
    """A row per system, best first by the first method; methods and criteria side by side."""
    found = [f for f in answer.findings if f.overall and "group" in f.overall[0].labels]
    if not found:
        return
    inside, names = interval_column(every(found)), headings(found)
    entries: list[Entry] = []
    for f in found:
        for o, cells in figures(f, inside):
            on = [str(o.labels["criterion"])] if "criterion" in o.labels else []
            group = ", ".join([*([names[str(f.method)]] if len(found) > 1 or not on else []), *on])
            told = {c: v for c, v in without_all_tasks(cells, f, answer).items() if c.key not in ("p", "first")}
            entries.append(((o.labels["system"],), group, {c: v for c, v in told.items() if c.key != "tasks"}))
            entries.append(((o.labels["system"],), "", {c: v for c, v in told.items() if c.key == "tasks"}))
    name = str(found[0].method) if len(found) == 1 else "Systems"
    yield pivot(f"{name}, best first; {_letters(found)}", [column("system")], entries, groups=[""], name="systems")


def _letters(found: Sequence[Finding]) -> str:
    """What the letters mean; nothing, where no difference could be significant."""
    overall = every(found)
    if all(o.least >= ALPHA for o in overall) and {o.labels["group"] for o in overall} <= {"", "a"}:
        return "letters say nothing here"
    return "systems that share a letter do not differ significantly"


def per_task(answer: Answer) -> Iterator[Table]:
    """Of each method a row per task and a column per system."""
    for f in answer.findings:
        if "system" in f.keys and "task" in f.keys:
            order = [str(o.labels["system"]) for o in f.overall]
            rows = zip(f.keys["task"], f.keys["system"], f.values, strict=True)
            entries = [((t,), str(s), {VALUE: number(v)}) for t, s, v in rows]
            yield pivot(f"{f.method} by task", [column("task")], entries, groups=order, name="per-task")
