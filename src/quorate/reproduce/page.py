"""The reproduced papers as one self-contained page: figures redrawn, and every cell beside the printed one."""

from __future__ import annotations

from collections.abc import Sequence

from quorate.document.charts import specification
from quorate.document.frame import framed
from quorate.document.html import Html
from quorate.reproduce.figures import figures
from quorate.reproduce.papers import FITTED, MISSING, SLIPS, STUDIED, glance, sentences, tables
from quorate.reproduce.procedures import PROCEDURES
from quorate.reproduce.rows import SOURCES, Reproduced


def page(found: Sequence[Reproduced], command: str = "") -> str:
    """The page; byte-identical for the same rows."""
    drawn = {paper.name: figures(paper) for paper in found}
    charts = {p.name: specification(p) for all_ in drawn.values() for p in all_}
    return framed(
        "reproduce/page.html",
        charts,
        table=lambda table: Html().table(table, table.title, set()),
        title="The papers, reproduced",
        papers=[
            {
                "of": paper,
                "said": sentences(paper),
                "figures": [(p, p.table()) for p in drawn[paper.name]],
                "tables": tables(paper),
                "overview": glance(paper),
                "commands": PROCEDURES[paper.name],
            }
            for paper in found
        ],
        sources=SOURCES,
        heads={"studied": STUDIED, "slips": SLIPS, "fitted": FITTED, "missing": MISSING},
        command=command,
    )
