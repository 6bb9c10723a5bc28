"""How far a result can be trusted, as tables: the figures of each method, and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.document.blocks import Block, Column, Table
from quorate.document.columns import HIDDEN, NOTES, ROWS, column
from quorate.document.pivot import (
    MOST,
    Entry,
    about,
    figures,
    interval_column,
    pivot,
    undefined_last,
)
from quorate.inference.results import Answer, Finding
from quorate.words.numbers import place

ACROSS = {"without_worst": "coefficient", "metrics": "worst"}  # labels whose values stand side by side


def trust(answer: Answer) -> Iterator[Block]:
    """The figures of each method; then its rows, where they say more."""
    for f in answer.findings:
        if f.overall:
            yield _figures(f)
        if f.method.name in ROWS and "task" not in f.keys:
            yield _rows(f)
        if f.method.name == "bootstrap" and "item" in f.keys and answer.tasks == 1:
            yield _resampled(f)


def _figures(f: Finding) -> Table:
    """A row per thing that the figures are about: a method of quality, a judge, a metric."""
    across = ACROSS.get(f.method.name, "")
    names = about(f.overall[0], across)
    names += ("judges",) if across == "coefficient" else ()  # who was left out
    columns = [column(k, (o.labels.get(k) for o in f.overall)) for k in names] or [column("method")]
    entries: list[Entry] = []
    for o, cells in figures(f, interval_column(f.overall)):
        group = str(o.labels[across]) if across else ""
        if across == "worst":
            group = f"without the {o.labels['worst']} worst" if o.labels["worst"] else "all judges"
        key = tuple(o.labels[k] for k in names) or (str(f.method),)
        entries.append((key, group, {c: v for c, v in cells.items() if c.key not in names}))
    return replace(pivot(str(f.method), columns, entries, name=f.method.name), note=NOTES.get(f.method.name, ""))


def _rows(f: Finding) -> Table:
    """The rows of a method by their keys; of two keys the second stands across, where there is one value each."""
    names, value = list(f.keys), ROWS[f.method.name]
    shown = [n for n in f.details if n not in HIDDEN]
    title = f"{f.method}: {value.head} by {' and '.join(column(n).head for n in names)}"
    name = f"{f.method.name}-rows"
    if len(names) == 2 and not shown:
        rows = zip(*f.keys.values(), f.values, strict=True)
        entries: list[Entry] = [((down,), f"{names[1]} {place(across)}", {value: v}) for down, across, v in rows]
        return pivot(title, [column(names[0])], entries, name=name)
    order: Sequence[int] = range(len(f.values))
    if names == ["of"]:
        order, title = sorted(order, key=lambda k: undefined_last(f.values[k], -1)), f"{title}, best first"
    columns = {n: column(n, f.details[n]) for n in shown}
    entries = [
        (
            tuple(f.keys[n][k] for n in names),
            "",
            {value: f.values[k]} | {c: f.details[n][k] for n, c in columns.items()},
        )
        for k in order[:MOST]
    ]
    return pivot(title, [column(n, f.keys[n]) for n in names], entries, name=name)


def _resampled(f: Finding) -> Table:
    """Every item of one task's consensus, with where it would stand on other panels."""
    columns = [Column("rank", "rank", "place"), Column("interval", "interval", "interval:place"), column("first")]
    told = zip(f.keys["item"], f.values, f.details["interval"], f.details["first"], strict=True)
    entries = [((item,), "", dict(zip(columns, cells, strict=True))) for item, *cells in told]
    return pivot("By item", [column("item")], entries, name="items")
