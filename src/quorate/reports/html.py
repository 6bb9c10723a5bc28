"""The report as one self-contained page: style, charts' JavaScript and data inside, no request to anywhere."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from quorate.document.blocks import Section
from quorate.document.charts import specification
from quorate.document.frame import framed
from quorate.document.html import Html
from quorate.document.screen import first_screen
from quorate.reports.contents import MISSED, NOTES, VERDICT, contents, definition, files, notes
from quorate.reports.download import DATA, Download, download
from quorate.words.direction import isolated
from quorate.words.glossary import WORDS, Terms, place

if TYPE_CHECKING:
    from quorate.reports.model import Report

PAGE_SIZE = 1_990_000  # bytes of the page at most
UNITS = 200  # that a judge missed, of each judge
COMPARED = 500  # judges that can be put side by side
LEFT_OUT = 5_000  # bytes to say what did not fit


def _names(report: Report) -> frozenset[str]:
    """What judges, items, tasks, systems, criteria and labels are called."""
    columns = ((p.task, p.judge, p.item, *p.labels.values()) for p in report.panels.values())
    labels = (str(name) for p in report.panels.values() for name in getattr(p, "scale", ()))
    return frozenset([*labels, *(str(name) for some in columns for column in some for name in column.ids)])


def page(report: Report) -> str:
    """The page; byte-identical for the same report."""
    methods = {str(m): f"method-{k}" for k, m in enumerate(report.methods, 1)}
    terms = Terms({m.name: methods[str(m)] for m in reversed(report.methods)}, report.kind, _names(report))
    used: set[str] = set()  # filled while the blocks are written

    def explain(text: str, seen: set[str]) -> list[tuple[str, str]]:
        pieces = list(terms.explained(text, seen))
        used.update(where for _, where in pieces)
        return pieces

    meanings = {place(w): m for w, m in WORDS.items()}
    meanings |= {methods[str(m)]: m.declaration.summary for m in report.methods}
    html = Html(explain, meanings, methods)
    parts = {part.name: part for part in contents(report).blocks if isinstance(part, Section)}
    if report.missed:
        parts[MISSED] = replace(parts[MISSED], blocks=tuple(report.missed.blocks(UNITS)))
    parts = {name: part for name, part in parts.items() if name not in (VERDICT, NOTES)}
    sections = [html.section(part) for part in parts.values()]
    rendered = framed(
        "document/page/page.html",
        {p.name: _shorter(specification(p)) for p in report.pictures},
        scripts=("document/page/unpack.js", "document/page/compare.js"),
        title=report.title,
        report=report,
        headings={part.name: part.heading for part in parts.values()},
        verdict=first_screen(report.first_screen),
        sections=sections,
        **_judges(report),
        words=[(place(w), w, m) for w, m in WORDS.items() if place(w) in used],
        defined=[(methods[str(m)], str(m), definition(m)) for m in report.methods],
        files=files(report),
        notes=[line for line in notes(report)[1:] if line not in files(report)],
    )
    room = (PAGE_SIZE - len(rendered.encode()) - LEFT_OUT) // 4 * 3  # base64 takes a third more
    found = download(report, min(DATA, room))
    return rendered.replace(_WHAT, _what(found, report)).replace(_DATA, base64.b64encode(found.data).decode("ascii"))


def _judges(report: Report) -> dict[str, Any]:
    """Who can be put side by side, who is off, in the order of the parts that say so, and the tasks to look into."""
    panel = report.panels.get("judgments")
    names = [(str(j), isolated(str(j))) for j in panel.judges] if panel is not None else []
    answer = next((s.answer for s in report.sections if s.question == "judges"), None)
    off = dict.fromkeys(str(f["judge"]) for f in (answer.more.get("flagged", ()) if answer else ()))
    return {
        "judges": names if 1 < len(names) <= COMPARED else [],
        "off": json.dumps(list(off), ensure_ascii=False),
        "tasks": [str(t) for t in panel.tasks[:COMPARED]] if panel is not None else [],
    }


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
