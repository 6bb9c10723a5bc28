"""Blocks as HTML: tables and texts of a page, and of a notebook's cell.

On a page words of the glossary and methods are explained where they first stand in a section, long tables are turned
page by page, and a chart has its data below; ``page/`` has the style and the script for that. A notebook needs neither.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import resources
from typing import Any

from quorate.document.blocks import FLAGS, Block, Chart, Column, Document, Section, Table, Text
from quorate.document.fitting import unturned
from quorate.document.terminal import ROWS
from quorate.inference.estimate import Estimate
from quorate.words.direction import isolated
from quorate.words.numbers import numeric, shown

PAGE = 20  # rows shown at a time
STYLE = (  # of a notebook's cell
    ".quorate div{overflow-x:auto}.quorate caption{text-align:left;font-weight:bold}.quorate .n{text-align:right}"
    ".quorate td,.quorate th{white-space:nowrap;padding:.1em .5em}.quorate td.long{white-space:normal}"
    ".quorate .off td:first-child{color:#b3261e;font-weight:bold}"
)
LONG = 24  # letters of a cell that may be broken into lines
WIDE = 160  # pixels of an interval that is drawn in a cell
_NONE: Mapping[int, str] = {}
Explain = Callable[[str, set[str]], Iterable[tuple[str, str]]]


def _unexplained(text: str, seen: set[str]) -> Iterable[tuple[str, str]]:
    return [(text, "")]


@dataclass(frozen=True)
class Html:
    """How blocks become HTML: what is explained, and where on the page."""

    explain: Explain = _unexplained  # a text in pieces, each with the place where it is defined, or ''
    meanings: Mapping[str, str] = field(default_factory=dict)  # of each such place
    methods: Mapping[str, str] = field(default_factory=dict)  # the place of each method, by its text form
    paged: bool = True  # long tables are turned page by page, by a script; else they are there as a whole

    def blocks(self, blocks: Iterable[Block], level: int = 2) -> str:
        """Blocks of one section: the first table is open, the others and those of sections inside can be opened.

        A table alone stands by itself.
        """
        seen: set[str] = set()
        out, opened, blocks = [], level > 3, list(blocks)
        alone = sum(isinstance(b, Table) for b in blocks) == 1 and not opened and self.paged
        for block in blocks:
            if isinstance(block, Table):
                first = not opened or not self.paged
                out.append(self.table(block, block.title, seen) if alone else self.opened(block, seen, first=first))
                opened = True
            elif isinstance(block, Chart):
                out.append(self.chart(block, seen))
            elif isinstance(block, Text):
                out.append(self.text(block, seen))
            else:
                out.append(self.section(block, level))
        return "\n".join(out)

    def section(self, section: Section, level: int = 2) -> str:
        """A section under its heading, or a part that opens when it is asked for."""
        name, h = escape(section.name), f"h{level}"
        if section.folded:
            summary = f"<summary>{escape(isolated(section.heading))}</summary>"
            inside = self.blocks(section.blocks, level)
            return f'<details class="part" id="{name}">{summary}\n{inside}\n</details>'
        head = f'<section id="{name}" aria-labelledby="h-{name}">\n<{h} id="h-{name}">{escape(section.heading)}</{h}>'
        return f"{head}\n{self.blocks(section.blocks, level + 1)}\n</section>"

    def text(self, text: Text, seen: set[str]) -> str:
        """Sentences as paragraphs, points of a list, notes or a command."""
        if text.role == "code":
            return "".join(
                f'<pre tabindex="0" aria-label="Command"><code>{escape(s)}</code></pre>' for s in text.sentences
            )
        if text.role == "points":
            points = "\n".join(f"<li>{self.said(s, seen)}</li>" for s in text.sentences)
            return f'<ul class="verdict">\n{points}\n</ul>'
        if text.role == "note":
            return "\n".join(f'<p class="note">Note: {self.coded(s, seen)}.</p>' for s in text.sentences)
        return "\n".join(f"<p>{self.said(s, seen)}</p>" for s in text.sentences)

    def said(self, text: str, seen: set[str]) -> str:
        """A text with its terms explained."""
        return "".join(self._term(*piece) for piece in self.explain(isolated(text), seen))

    def _term(self, piece: str, where: str) -> str:
        if not where:
            return escape(piece)
        means = f'aria-describedby="{where}-means" data-means="{escape(self.meanings[where])}"'
        return f'<a class="word" href="#{where}" {means}>{escape(piece)}</a>'

    def coded(self, text: str, seen: set[str]) -> str:
        """A text in which commands stand between backticks."""
        parts = text.split("`")
        if len(parts) % 2 == 0:
            return self.said(text, seen)
        return "".join(f"<code>{escape(p)}</code>" if k % 2 else self.said(p, seen) for k, p in enumerate(parts))

    def chart(self, chart: Chart, seen: set[str]) -> str:
        """The place of a chart with its title, its description and its data."""
        name, title = escape(chart.name), escape(isolated(chart.title))
        wide = f' style="min-width: {chart.least}px"' if chart.least else ""
        told = f'role="group" aria-labelledby="t-{name}" aria-describedby="d-{name}"'
        place = f'<div class="chart" id="c-{name}" data-chart="{name}" {told}{wide}></div>'
        if chart.least:
            label = escape(f"{chart.title}, wide")
            place = f'<div class="wide" role="group" aria-label="{label}" tabindex="0">\n{place}\n</div>'
        head = f'<h3 id="t-{name}">{title}</h3><p id="d-{name}">{self.said(chart.description, seen)}</p>'
        data = self.table(chart.table(), f"data of {chart.title}", seen, chart.name)
        summary = f"Data of &ldquo;{escape(chart.title.partition(': ')[0])}&rdquo;"
        details = f"<details><summary>{summary}</summary>\n{data}\n</details>"
        return f"<figure>\n<figcaption>{head}</figcaption>\n{place}\n{details}\n</figure>"

    def opened(self, table: Table, seen: set[str], first: bool) -> str:
        """A table under its title, which opens it."""
        title = table.title or "All figures"
        body = self.table(table, title, seen)
        return f"<details{' open' if first else ''}><summary>{escape(title)}</summary>\n{body}\n</details>"

    def table(self, table: Table, about: str, seen: set[str], chart: str = "") -> str:
        """A table of which so many rows are shown at a time; a chart's rows are on the page already."""
        label = escape(about)
        first = table.rows[:PAGE] if self.paged else table.rows
        drawn = {k: whiskers([row[k] for row in first]) for k, c in enumerate(table.columns) if c.form == "whisker"}
        pictures = ({k: column[r] for k, column in drawn.items()} for r in range(len(first)))
        rows = "\n".join(self._row(row, table.columns, seen, p) for row, p in zip(first, pictures, strict=True))
        head = self._head(table, seen)
        out = [f'<div class="paged" data-rows="{escape(chart)}">' if chart else '<div class="paged">']
        grid = f"<table>\n{head}\n<tbody>\n{rows}\n</tbody></table>"
        out.append(f'<div class="wide" role="group" aria-label="{label}" tabindex="0">{grid}</div>')
        if len(table.rows) > len(first):
            buttons = '<button type="button" data-by="-1">Previous</button><span role="status"></span>'
            buttons += '<button type="button" data-by="1">Next</button>'
            out.append(f'<div class="pages" role="group" aria-label="Pages of {label}" hidden>{buttons}</div>')
            out.append(f'<p class="small paper">The first {PAGE} of {len(table.rows):,} rows.</p>')
            if not chart:
                out.append(f'<script type="application/json" class="rows">{_cells(table)}</script>')
        left = f"The first {len(table.rows):,} of {table.total:,} rows; all are in the data below."
        out += [
            f'<p class="small">{escape(said)}</p>'
            for said in (table.note, left if table.total > len(table.rows) else "")
            if said
        ]
        return "\n".join([*out, "</div>"])

    def _head(self, table: Table, seen: set[str]) -> str:
        """One line of headings, or two where columns share one."""
        heads = table.heads()
        above = ""
        if any(group for group, _ in heads):
            above = f"<tr>{''.join(self._groups(table, seen))}</tr>\n"
        cells = []
        for (_, head), c in zip(heads, table.columns, strict=True):
            help_ = f' title="{escape(c.help)}"' if c.help else ""
            side = ' class="n"' if numeric(c.form) else ""
            cells.append(f'<th scope="col"{side} data-form="{c.form}"{help_}>{self.said(head, seen)}</th>')
        return f"<thead>{above}<tr>{''.join(cells)}</tr></thead>"

    def _groups(self, table: Table, seen: set[str]) -> Iterator[str]:
        spans: list[list[Any]] = []
        for group, _ in table.heads():
            if spans and group and spans[-1][0] == group:
                spans[-1][1] += 1
            else:
                spans.append([group, 1])
        for group, size in spans:
            yield f'<th scope="colgroup" colspan="{size}">{self.said(group, seen)}</th>' if group else "<td></td>"

    def _row(
        self, row: tuple[Any, ...], columns: tuple[Column, ...], seen: set[str], pictures: Mapping[int, str] = _NONE
    ) -> str:
        cells = "".join(
            self._cell(cell, c, seen, pictures.get(k, "")) for k, (cell, c) in enumerate(zip(row, columns, strict=True))
        )
        off = any(c.key in FLAGS and cell for cell, c in zip(row, columns, strict=True))
        return f'<tr class="off">{cells}</tr>' if off else f"<tr>{cells}</tr>"

    def _cell(self, value: Any, column: Column, seen: set[str], picture: str = "") -> str:
        text = shown(value, column.form)
        if column.form == "interval":
            text = text.replace(" to ", " to\u00a0")  # on a phone it is broken once
        if column.form == "marked":
            return f'<td class="long">{"".join(_marked(*part) for part in value)}</td>'
        if picture:
            return f'<td class="n drawn">{picture}{escape(text)}</td>'
        side = ' class="n"' if numeric(column.form) else ' class="long"' if len(text) > LONG else ""
        where = self.methods.get(text, "") if column.form == "name" else ""
        if not where or where in seen:
            return f"<td{side}>{_broken(text)}</td>"
        seen.add(where)
        link = f'<a class="word" href="#{where}" data-means="{escape(self.meanings[where])}">{_broken(text)}</a>'
        return f"<td{side}>{link}</td>"


def _broken(text: str) -> str:
    """A text that can be broken into lines behind brackets."""
    return "(<wbr>".join(map(escape, text.split("(")))


def _marked(before: str, words: str, after: str) -> str:
    return f"<p>{escape(before)}<mark>{escape(words)}</mark>{escape(after)}</p>"


def whiskers(estimates: Sequence[Estimate]) -> list[str]:
    """Estimates with their intervals as pictures on one scale, 0 marked; the figures stand beside them."""
    ends = [0.0] + [x for e in estimates for x in (e.value, *(e.interval.ends if e.interval else ())) if x == x]
    low, wide = min(ends), max(max(ends) - min(ends), 1e-9)

    def at(value: float) -> str:
        return f"{4 + (WIDE - 8) * (value - low) / wide:.1f}"

    out = []
    for e in estimates:
        inside = f'<line class="zero" x1="{at(0)}" x2="{at(0)}" y1="0" y2="16"/>'
        if e.interval:
            inside += f'<line x1="{at(e.interval.low)}" x2="{at(e.interval.high)}" y1="8" y2="8"/>'
        if e.value == e.value:
            inside += f'<circle cx="{at(e.value)}" cy="8" r="4"/>'
        out.append(f'<svg class="whisker" width="{WIDE}" height="16" aria-hidden="true">{inside}</svg>')
    return out


def _cells(table: Table) -> str:
    """The cells of every row as text, for turning pages: no name in them can end the script."""
    rows = [[shown(cell, c.form) for cell, c in zip(row, table.columns, strict=True)] for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page(document: Document) -> str:
    """The document as one self-contained page without a script: it asks nothing of anybody, and prints well."""
    style = resources.files("quorate.document").joinpath("page", "page.css").read_text("utf-8")
    safe = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    title, body = escape(document.title), Html(paged=False).blocks(document.blocks)
    return unturned(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{safe}">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n<header><h1>{title}</h1></header>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def fragment(document: Document) -> str:
    """The document for a cell of a notebook: its texts, and the first rows of its tables."""
    html = Html()
    out = []
    for block in document.blocks:
        if isinstance(block, Table):
            short = replace(block, rows=block.rows[:ROWS])
            cut = f" ({len(short.rows)} of {block.total:,})" if len(short.rows) < block.total else ""
            rows = "\n".join(html._row(row, short.columns, set()) for row in short.rows)
            title = f"<caption>{escape(block.title + cut)}</caption>" if block.title or cut else ""
            head = html._head(short, set())
            out.append(f"<div><table>{title}{head}<tbody>\n{rows}\n</tbody></table></div>")
        else:
            out.append(html.blocks([block]))
    style = f"<style>{STYLE}</style>"
    return unturned(f'<div class="quorate">{style}\n' + "\n".join(out) + "\n</div>")
