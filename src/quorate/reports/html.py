"""The report as one self-contained page: style, charts' JavaScript and data inside, no request to anywhere."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from quorate.reports.charts import specification
from quorate.reports.download import DATA, Download, download
from quorate.reports.frame import framed
from quorate.reports.model import Report
from quorate.reports.tables import PAGE, Grid, of_picture, overall, shown
from quorate.reports.text import MADE_BY, definition, notes
from quorate.reports.words import WORDS, Terms, isolated, place

PAGE_SIZE = 1_990_000  # bytes of the page at most
LEFT_OUT = 5_000  # bytes to say what did not fit


def page(report: Report) -> str:
    """The page; byte-identical for the same report."""
    methods = {str(m): f"method-{k}" for k, m in enumerate(report.methods, 1)}
    terms = Terms({m.name: methods[str(m)] for m in reversed(report.methods)}, report.kind)
    used: set[str] = set()  # filled while the page is written, and read at its end

    def explained(text: str, seen: set[str]) -> list[tuple[str, str]]:
        pieces = list(terms.explained(isolated(text), seen))
        used.update(where for _, where in pieces)
        return pieces

    rendered = framed(
        "reports/page.html",
        {p.name: _shorter(specification(p)) for p in report.pictures},
        scripts=("reports/unpack.js",),
        filters={"shown": shown, "cells": _cells, "explained": explained, "isolated": isolated},
        title=report.title,
        report=report,
        sections=[
            {"of": s, "grids": overall(s.answer) if s.answer else [], "tables": [of_picture(p) for p in s.pictures]}
            for s in report.sections
        ],
        words={w: (place(w), m) for w, m in WORDS.items()},
        used=used,
        meanings={place(w): m for w, m in WORDS.items()}
        | {methods[str(m)]: m.declaration.summary for m in report.methods},
        methods=methods,
        defined=[(methods[str(m)], str(m), definition(m)) for m in report.methods],
        new_set=set,
        per_page=PAGE,
        notes=[n for n in notes(report, definitions=False)[1:] if not n.startswith(MADE_BY)],  # it stands above them
    )
    room = (PAGE_SIZE - len(rendered.encode()) - LEFT_OUT) // 4 * 3  # base64 takes a third more
    found = download(report, min(DATA, room))
    return rendered.replace(_WHAT, _what(found, report)).replace(_DATA, base64.b64encode(found.data).decode("ascii"))


_DATA, _WHAT = "<!--data-->", "<!--in the data-->"  # their places in page.html; no name on the page can hold a <


def _what(found: Download, report: Report) -> str:
    """What is in the download, and what is not with the command that gives it."""
    if not found.left_out:
        return f"<p>In it: {escape(found.said)}.</p>"
    whole = "<code>save(&quot;report.json&quot;)</code> in Python"
    if report.command:
        whole = "the command below with <code>--format json --out report.json</code>"
    points = "".join(f"<li>{escape(line)}</li>" for line in found.left_out)
    what = "what is too large for one page"
    if found.only_pairs:
        what = "the rows of every two judges on every task (their means by task and by pair are in it)"
    return (
        f"<p>In it: {escape(found.said)}, but for {what}:</p>"
        f"<ul>{points}</ul><p>With these too, and with all digits: {whole}.</p>"
    )


def _shorter(chart: dict[str, Any]) -> dict[str, Any]:
    """A chart whose rows repeat neither the names of columns nor those of judges and items; the script puts them back.

    >>> _shorter({"mark": "bar", "datasets": {"rows": [{"a": "x", "b": 2}, {"a": "x"}]}})["datasets"]["rows"]
    {'shapes': [['a', 'b'], ['a']], 'named': ['a'], 'names': ['x'], 'rows': [[0, 0, 2], [1, 0]]}
    """
    rows = chart["datasets"]["rows"]
    shapes = {shape: k for k, shape in enumerate(dict.fromkeys(map(tuple, rows)))}
    columns = dict.fromkeys(name for shape in shapes for name in shape)
    named = {c for c in columns if all(isinstance(row.get(c, ""), str) for row in rows)}
    names = {v: k for k, v in enumerate(dict.fromkeys(v for row in rows for c, v in row.items() if c in named))}
    short = {
        "shapes": [list(s) for s in shapes],
        "named": sorted(named),
        "names": list(names),
        "rows": [[shapes[tuple(r)], *(names[v] if c in named else v for c, v in r.items())] for r in rows],
    }
    return {**chart, "datasets": {**chart["datasets"], "rows": short}}


def _cells(grid: Grid) -> list[list[str]]:
    """The cells of every row as text, for turning pages."""
    return [[shown(cell) for cell in row] for row in grid.rows]
