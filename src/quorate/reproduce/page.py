"""The reproduced papers as one self-contained page: figures redrawn, and every cell beside the printed one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate.document.blocks import Table, columns
from quorate.document.charts import draw
from quorate.document.frame import framed
from quorate.document.html import Html
from quorate.reproduce.figures import figures
from quorate.reproduce.papers import STUDIED, overview, place, sentences
from quorate.reproduce.rows import NEEDS, SOURCES, Reproduced, Row

GLANCE = ("table_or_figure", "source", "cells:count", "equal:count", "mean_difference:figure", "largest:signed")
COLUMNS = ("cell", "paper:digits", "ours:digits", "difference:signed", "equal", "source", "note:text")


def page(found: Sequence[Reproduced], command: str = "") -> str:
    """The page; byte-identical for the same rows."""
    drawn = {paper.name: figures(paper) for paper in found}
    charts = {p.name: draw(p).to_dict() for all_ in drawn.values() for p in all_}
    return framed(
        "reproduce/page.html",
        charts,
        filters={"table": lambda table: Html().table(table, table.title, set())},
        title="The papers, reproduced",
        papers=[
            {
                "of": paper,
                "said": sentences(paper),
                "figures": [(p, p.table()) for p in drawn[paper.name]],
                "tables": tables(paper),
                "overview": glance(paper),
            }
            for paper in found
        ],
        sources=SOURCES,
        studied=STUDIED,
        command=command,
    )


def tables(paper: Reproduced) -> list[Table]:
    """A table for each of the paper's and each source: the cells with a printed figure, and ours if it is there."""
    out = []
    found = dict.fromkeys((r.table, r.source) for r in paper.rows if r.paper is not None)
    for name, source in sorted(found, key=lambda one: place(one[0])):
        rows = [r for r in paper.rows if (r.table, r.source) == (name, source) and r.paper is not None]
        cells = [(r.cell, r.paper, _ours(r.ours), _known(r.difference), _equal(r), r.source, r.note) for r in rows]
        out.append(Table(f"{name}, {source}: {_count(rows)}", columns(*COLUMNS), tuple(cells)))
    return out


def glance(paper: Reproduced) -> Table:
    """Every table and figure in a line: from what, and how near ours comes."""
    rows = tuple(
        (
            o.table,
            o.source,
            o.cells or ("needs --data" if o.wanting else ""),
            o.equal,
            o.mean,
            o.largest,
            o.drawn or None,
        )
        for o in overview(paper)
    )
    heads = columns(*GLANCE, "points_without_a_number:count")
    return Table(f"{paper.title}: tables and figures", heads, rows, keys=2)


def _count(rows: Sequence[Row]) -> str:
    known = [r for r in rows if r.compared]
    if not known:
        wanting = "need --data" if any(r.note == NEEDS for r in rows) else "have no figure of ours"
        return f"{len(rows)} cells {wanting}"
    off = [abs(r.difference) for r in known if r.difference is not None and not math.isnan(r.difference)]
    if rows[0].source == "simulation":
        return f"{len(known)} cells" + (f", off by {sum(off) / len(off):.3f} on average" if off else "")
    return f"{sum(r.equal for r in known)} of {len(known)} cells equal to the printed digits"


def _ours(value: Any) -> Any:
    """Words as they are, whole numbers without decimals."""
    return value if value is None or isinstance(value, float) else str(value)


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _equal(row: Row) -> str:
    if not row.compared:
        return "-"
    return "yes" if row.equal else "when cut" if row.cut else "no"
