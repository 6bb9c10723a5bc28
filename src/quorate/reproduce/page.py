"""The reproduced papers as one self-contained page: figures redrawn, and every cell beside the printed one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate.reports.charts import draw
from quorate.reports.frame import framed
from quorate.reports.tables import Grid, of_picture, shown
from quorate.reproduce.figures import figures
from quorate.reproduce.papers import STUDIED, overview, place, sentences, signed
from quorate.reproduce.rows import NEEDS, SOURCES, Reproduced, Row

GLANCE = ("table or figure", "source", "cells", "equal", "mean difference", "largest", "points without a number")
COLUMNS = ("cell", "paper", "ours", "difference", "equal", "source", "note")


def page(found: Sequence[Reproduced], command: str = "") -> str:
    """The page; byte-identical for the same rows."""
    drawn = {paper.name: figures(paper) for paper in found}
    charts = {p.name: draw(p).to_dict() for all_ in drawn.values() for p in all_}
    return framed(
        "reproduce/page.html",
        charts,
        filters={"shown": shown},
        title="The papers, reproduced",
        papers=[
            {
                "of": paper,
                "said": sentences(paper),
                "figures": [(p, of_picture(p)) for p in drawn[paper.name]],
                "tables": tables(paper),
                "overview": glance(paper),
            }
            for paper in found
        ],
        sources=SOURCES,
        studied=STUDIED,
        command=command,
    )


def tables(paper: Reproduced) -> list[Grid]:
    """A table for each of the paper's and each source: the cells with a printed figure, and ours if it is there."""
    out = []
    found = dict.fromkeys((r.table, r.source) for r in paper.rows if r.paper is not None)
    for name, source in sorted(found, key=lambda one: place(one[0])):
        rows = [r for r in paper.rows if (r.table, r.source) == (name, source) and r.paper is not None]
        cells = [(r.cell, r.paper, _ours(r.ours), _signed(r.difference), _equal(r), r.source, r.note) for r in rows]
        out.append(Grid(f"{name}, {source}: {_count(rows)}", COLUMNS, tuple(cells)))
    return out


def glance(paper: Reproduced) -> Grid:
    """Every table and figure in a line: from what, and how near ours comes."""
    rows = [
        (
            o.table,
            o.source,
            o.cells or ("needs --data" if o.wanting else ""),
            "" if o.equal is None else o.equal,
            "" if o.mean is None else f"{o.mean:.3f}",
            "" if o.largest is None else signed(o.largest),
            o.drawn or "",
        )
        for o in overview(paper)
    ]
    return Grid(f"{paper.title}: tables and figures", GLANCE, tuple(rows))


def _count(rows: Sequence[Row]) -> str:
    known = [r for r in rows if r.compared]
    if not known:
        wanting = "need --data" if any(r.note == NEEDS for r in rows) else "have no figure of ours"
        return f"{len(rows)} cells {wanting}"
    off = [abs(r.difference) for r in known if r.difference is not None and not math.isnan(r.difference)]
    if rows[0].source == "simulation":
        return f"{len(known)} cells" + (f", off by {sum(off) / len(off):.3f} on average" if off else "")
    return f"{sum(r.equal for r in known)} of {len(known)} cells equal to the printed digits"


def _ours(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _signed(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:+.4f}"


def _equal(row: Row) -> str:
    if not row.compared:
        return "-"
    return "yes" if row.equal else "when cut" if row.cut else "no"
