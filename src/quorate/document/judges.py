"""Who is off, as tables: a row per judge with the figures of all methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate.document.blocks import Block, Column, Table
from quorate.document.columns import column
from quorate.document.description import description
from quorate.document.pivot import (
    VALUE,
    Entry,
    distinct,
    every,
    figures,
    headings,
    interval_column,
    number,
    pivot,
    without_all_tasks,
)
from quorate.inference.results import Answer, Finding


def judges(answer: Answer) -> Iterator[Block]:
    """A row per judge with the figures of all methods, those flagged first; a table per criterion."""
    found = [f for f in distinct(answer) if f.overall]
    criteria = list(dict.fromkeys(o.labels.get("criterion") for o in every(found)))
    for criterion in criteria:
        named = f"{criterion}: " if len(criteria) > 1 else ""
        some = [
            replace(f, overall=tuple(o for o in f.overall if o.labels.get("criterion") == criterion)) for f in found
        ]
        off = [r for r in answer.more.get("flagged", ()) if r.get("criterion", criterion) == criterion]
        yield _judged(answer, [f for f in some if f.overall], off, named)
    for f in found:
        if "year" in f.keys:
            yield from _by_year(f)
    if "description" in answer.more:
        yield description(answer.more["description"])


FLAGGED = Column("flag", "flagged by", "names")
DIAGNOSIS = Column("diagnosis", "diagnosis", help="what a flagged judge seems to do")


def _judged(answer: Answer, found: Sequence[Finding], off: Sequence[Mapping[str, Any]], named: str) -> Table:
    alone = len(found) == 1
    inside, names = interval_column(every(found)), headings(found)
    ranks: dict[Any, Mapping[str, Any]] = {r["judge"]: r for r in answer.more.get("ranks", ())}
    flagged: dict[Any, list[str]] = {judge: [] for judge in ranks}
    flagged |= {r["judge"]: [str(r["evidence"]["method"])] for r in off}
    figured: list[Entry] = []
    for f in found:
        for o, told in figures(f, inside, labels=None if alone else ("leans",)):
            cells = {
                c: None if c.key == "value" and v != v and not o.n else v for c, v in told.items()
            }  # of nothing: "-"
            judge = o.labels["judge"]
            flagged.setdefault(judge, []).extend([f.method.name] if o.labels.get("flag") else [])
            figured.append(((judge,), names[str(f.method)], without_all_tasks(cells, f, answer)))
    any_off, diagnosed = any(flagged.values()), {r["judge"]: r["diagnosis"] for r in off}
    entries: list[Entry] = []
    for judge in sorted(flagged, key=lambda j: (j not in diagnosed, -len(set(flagged[j])))):
        cells = {DIAGNOSIS: diagnosed.get(judge, "") if off else None}
        if not alone:
            cells |= {FLAGGED: list(dict.fromkeys(flagged[judge])) if any_off else None}
        cells |= {column(n): ranks[judge][n] for n in ("mean_rank", "left_out") if ranks}
        entries.append(((judge,), "", cells))
    first = "flagged ones first" if any_off else "worst first"
    alone_in = f"{found[0].method}: " if alone else ""
    title = f"{alone_in}{named}by judge, {first}" if alone or named else f"By judge, {first}"
    return pivot(title, [column("judge")], [*entries, *figured], name="judges")


def _by_year(f: Finding) -> Iterator[Table]:
    """The same year by year: a row per judge, years side by side."""
    rows = sorted(f.rows(), key=lambda r: str(r["year"]))
    inside = Column("interval", "interval", "interval", minor=2)
    for criterion in dict.fromkeys(r.get("criterion") for r in rows):
        entries: list[Entry] = []
        for r in (r for r in rows if r.get("criterion") == criterion):
            cells = {VALUE: number(r["value"]), inside: r["details"].get("interval")}
            entries.append(((r["judge"],), str(r["year"]), cells | {column("units"): r["details"]["units"]}))
        on = "" if criterion is None else f" on {criterion}"
        yield pivot(f"{f.method}{on} by year", [column("judge")], entries, name="by-year")
