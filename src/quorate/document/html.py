"""Blocks as HTML: tables and texts of a page, and of a notebook's cell.

On a page words of the glossary and methods are explained where they first stand in a section, long tables are turned
page by page, and a chart has its data below; ``page/`` has the style and the script for that. A notebook needs neither.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from quorate.document.blocks import FLAGS, Block, Chart, Column, Document, Section, Table, Text
from quorate.document.terminal import ROWS
from quorate.words.glossary import isolated
from quorate.words.numbers import numeric, shown

PAGE = 20  # rows shown at a time
STYLE = (  # of a notebook's cell
    ".quorate div{overflow-x:auto}.quorate caption{text-align:left;font-weight:bold}.quorate .n{text-align:right}"
    ".quorate td,.quorate th{white-space:nowrap;padding:.1em .5em}.quorate td.long{white-space:normal}"
    ".quorate .off td:first-child{color:#b3261e;font-weight:bold}"
)
LONG = 24  # letters of a cell that may be broken into lines
Explain = Callable[[str, set[str]], Iterable[tuple[str, str]]]


def _unexplained(text: str, seen: set[str]) -> Iterable[tuple[str, str]]:
    return [(text, "")]


@dataclass(frozen=True)
class Html:
    """How blocks become HTML: what is explained, and where on the page."""

    explain: Explain = _unexplained  # a text in pieces, each with the place where it is defined, or ''
    meanings: Mapping[str, str] = field(default_factory=dict)  # of each such place
    methods: Mapping[str, str] = field(default_factory=dict)  # the place of each method, by its text form

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Blocks of one section: the first table is open, the others can be opened; one alone stands by itself."""
        seen: set[str] = set()
        out, opened, blocks = [], False, list(blocks)
        alone = sum(isinstance(b, Table) for b in blocks) == 1
        for block in blocks:
            if isinstance(block, Table):
                out.append(self.table(block, block.title, seen) if alone else self.opened(block, seen, not opened))
                opened = True
            elif isinstance(block, Chart):
                out.append(self.chart(block, seen))
            elif isinstance(block, Text):
                out.append(self.text(block, seen))
            else:
                out.append(self.section(block))
        return "\n".join(out)

    def section(self, section: Section) -> str:
        """A section under its heading, or a part that opens when it is asked for."""
        name = escape(section.name)
        if section.folded:
            summary = f"<summary>{escape(isolated(section.heading))}</summary>"
            return f'<details class="part" id="{name}">{summary}\n{self.blocks(section.blocks)}\n</details>'
        head = f'<section id="{name}" aria-labelledby="h-{name}">\n<h2 id="h-{name}">{escape(section.heading)}</h2>'
        return f"{head}\n{self.blocks(section.blocks)}\n</section>"

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
        rows = "\n".join(self._row(row, table.columns, seen) for row in table.rows[:PAGE])
        head = self._head(table, seen)
        out = [f'<div class="paged" data-rows="{escape(chart)}">' if chart else '<div class="paged">']
        grid = f"<table>\n{head}\n<tbody>\n{rows}\n</tbody></table>"
        out.append(f'<div class="wide" role="group" aria-label="{label}" tabindex="0">{grid}</div>')
        if len(table.rows) > PAGE:
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

    def _row(self, row: tuple[Any, ...], columns: tuple[Column, ...], seen: set[str]) -> str:
        cells = "".join(self._cell(cell, c, seen) for cell, c in zip(row, columns, strict=True))
        off = any(c.key in FLAGS and cell for cell, c in zip(row, columns, strict=True))
        return f'<tr class="off">{cells}</tr>' if off else f"<tr>{cells}</tr>"

    def _cell(self, value: Any, column: Column, seen: set[str]) -> str:
        text = shown(value, column.form)
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


def _cells(table: Table) -> str:
    """The cells of every row as text, for turning pages: no name in them can end the script."""
    rows = [[shown(cell, c.form) for cell, c in zip(row, table.columns, strict=True)] for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


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
    return f'<div class="quorate">{style}\n' + "\n".join(out) + "\n</div>"
