"""Blocks as lines of text: for a terminal with colours, for pipes and files without.

Nothing is cut off. A table that is too wide leaves out what chance gives, then its intervals, and says so; what is
still too wide goes on below, with the names of its rows again. Of a long table the first rows are shown.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len

from quorate.document.blocks import FLAGS, Block, Column, Document, Section, Table, Text
from quorate.document.fitting import GAP, HALF, LAST, WHOLE, folded, folded_head, harmless, widths, wrapped
from quorate.words.numbers import numeric, shown

WIDEST = 120  # a terminal may be wider, lines are not: they could not be read
USUAL = 80  # in files and pipes
NARROWEST = 20
ROWS = 20  # of a table
ALPHA = 0.05
BOLD, DIM, RED, GREEN, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[32m", "\x1b[0m"

Paint = Callable[[str, str], str]


def page_width() -> int:
    """How many columns there are for standard output: those of COLUMNS, or of the terminal up to 120; 80 elsewhere."""
    said = os.environ.get("COLUMNS", "").strip()
    if said.isdecimal() and int(said) > 0:
        return max(int(said), NARROWEST)
    if not sys.stdout.isatty():
        return USUAL
    return max(min(shutil.get_terminal_size((USUAL, 24)).columns, WIDEST), NARROWEST)


def in_colour() -> bool:
    """Whether standard output is a terminal that shows colours, and nobody asked for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render(what: Document | Iterable[Block], width: int = USUAL, *, colour: bool = False, rows: int = ROWS) -> str:
    """The blocks as text: a document with its title underlined, other blocks as they are."""
    paint: Paint = (
        (lambda text, style: f"{style}{text}{PLAIN}" if style and text.strip() else text) if colour else _bare
    )
    lines: list[str] = []
    if isinstance(what, Document):
        lines += [*_underlined(what.title, "=", width, paint), ""] if what.title else []
        what = what.blocks
    lines += _blocks(what, width, paint, rows)
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _bare(text: str, style: str) -> str:
    return text


def _blocks(blocks: Iterable[Block], width: int, paint: Paint, rows: int) -> list[str]:
    """The blocks with a blank line between them, two before a section."""
    out: list[str] = []
    for block in blocks:
        if isinstance(block, Section) and block.folded:
            lines = _blocks(block.blocks, width, paint, rows)
            out += ["", *lines] if out and lines else lines
            continue
        if isinstance(block, Section):
            inside = [*_underlined(block.heading, "-", width, paint), "", *_blocks(block.blocks, width, paint, rows)]
            out += ["", "", *inside] if out else inside
            continue
        lines = list(_lines(block, width, paint, rows))
        out += ["", *lines] if out and lines else lines
    return out


def _lines(block: Block, width: int, paint: Paint, rows: int) -> Iterator[str]:
    if isinstance(block, Text):
        yield from _text(block, width, paint)
    elif isinstance(block, Table) and block.columns:
        yield from _table(block, width, paint, rows)


def _underlined(heading: str, mark: str, width: int, paint: Paint) -> list[str]:
    lines = wrapped(heading, width).split("\n")
    return [*(paint(line, BOLD) for line in lines), mark * min(cell_len(heading), width)]


def _text(text: Text, width: int, paint: Paint) -> Iterator[str]:
    style = {"lead": BOLD, "note": DIM}.get(text.role, "")
    for sentence in text.sentences:
        if text.role == "code":
            yield from command(sentence, width)
            continue
        said = {"note": f"Note: {sentence}.", "points": f"- {sentence}"}.get(text.role, sentence)
        indent = "  " if text.role == "points" else ""
        yield from (paint(line, style) for line in wrapped(said, width, indent).split("\n"))


def command(line: str, width: int) -> list[str]:
    """A command over several lines, as a shell takes it: none is broken inside a quoted name."""
    out = [""]
    for word in map(shlex.quote, shlex.split(harmless(line))):
        if (
            out[-1] and cell_len(out[-1]) + cell_len(word) + 3 > width
        ):  # a blank before it, a blank and a backslash after
            out[-1] += " \\"
            out.append(f"  {word}")
        else:
            out[-1] += f" {word}" if out[-1] else word
    return out


# -- tables ------------------------------------------------------------------------------------------------------------


def _table(table: Table, width: int, paint: Paint, rows: int) -> Iterator[str]:
    cut = replace(table, rows=table.rows[:rows])
    seen = _visible(cut, width)
    gone = list(dict.fromkeys(c.head for c in table.columns if c.minor and c not in seen.columns))
    title = table.title
    if len(cut.rows) < table.total:
        title += f"{' (' if title else ''}{len(cut.rows)} of {table.total:,}{')' if title else ' rows'}"
    if title:
        yield from (paint(line, BOLD) for line in wrapped(title, width).split("\n"))
    for number, band in enumerate(_bands(seen, width)):
        if number:
            yield ""
        yield from _grid(band, width, paint)
    left = f"On a wider page or in --format json: {', '.join(gone)}." if gone else ""
    for note in filter(None, (table.note, left)):
        yield from (paint(line, DIM) for line in wrapped(note, width).split("\n"))


def _visible(table: Table, width: int) -> Table:
    """The table without as many of its minor columns as there is no room for."""
    for most in sorted({c.minor for c in table.columns}, reverse=True):
        seen = table.ordered([k for k, c in enumerate(table.columns) if c.minor <= most])
        if _needs(seen, width, WHOLE) <= width or len(_units(seen)) == 1 or not most:
            return seen
    return table


def _units(table: Table) -> list[list[int]]:
    """Columns that stay together behind the names of the rows: those of a group, others alone."""
    out: list[list[int]] = []
    for k in range(table.keys, len(table.columns)):
        group = table.columns[k].group
        if out and group and table.columns[out[-1][-1]].group == group:
            out[-1].append(k)
        else:
            out.append([k])
    return out


def _bands(table: Table, width: int) -> list[Table]:
    """The table, or parts of it that fit, each with the names of the rows."""
    units = _units(table)
    steps = WHOLE if any(c.group for c in table.columns) else HALF
    if len(units) < 2 or _needs(table, width, steps) <= width:
        return [table]
    bands: list[Table] = []
    kept: list[int] = []
    for unit in units:
        wider = _of(table, [*kept, *unit])
        if kept and _needs(wider, width, steps) > width:
            bands.append(_of(table, kept))
            kept = []
        kept += unit
    return [*bands, _of(table, kept)]


def _of(table: Table, at: Sequence[int]) -> Table:
    return table.ordered([*range(table.keys), *at])


def _needs(table: Table, width: int, steps: int) -> int:
    sizes, _ = _sizes(table, width, steps)
    return sum(sizes) + GAP * (len(sizes) - 1)


def _cells(table: Table) -> list[list[str]]:
    """The cells as text, column by column."""
    told = ([harmless(shown(row[k], c.form)) for row in table.rows] for k, c in enumerate(table.columns))
    return [[" ".join(cell.split("\n")) for cell in column] for column in told]


def _sizes(table: Table, width: int, steps: int) -> tuple[list[int], list[tuple[str, str]]]:
    heads = [(harmless(group), harmless(head)) for group, head in table.heads()]
    right = [numeric(c.form) for c in table.columns]
    sizes = widths([head for _, head in heads], _cells(table), right, width, steps)
    spare = width - sum(sizes) - GAP * (len(sizes) - 1)
    for first, last, group in _spans(heads):  # a group is as wide as the longest piece of its name, where there is room
        wanted = folded_head(group) - sum(sizes[first : last + 1]) - GAP * (last - first)
        more = max(0, min(wanted, spare))
        sizes[last] += more
        spare -= more
    return sizes, heads


def _spans(heads: Sequence[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """First and last column of each group."""
    out: list[tuple[int, int, str]] = []
    for k, (group, _) in enumerate(heads):
        if group and out and out[-1][1] == k - 1 and out[-1][2] == group:
            out[-1] = (out[-1][0], k, group)
        elif group:
            out.append((k, k, group))
    return out


def _grid(table: Table, width: int, paint: Paint) -> Iterator[str]:
    sizes, heads = _sizes(table, width, LAST)
    right = [numeric(c.form) for c in table.columns]
    yield from (paint(line, BOLD) for line in _above(heads, sizes))
    named = [folded(head, size) for (_, head), size in zip(heads, sizes, strict=True)]
    if any(head for _, head in heads):
        yield from _row(named, sizes, right, paint, [BOLD] * len(sizes), low=True)
    for row, cells in zip(table.rows, zip(*_cells(table), strict=True), strict=True):
        lines = [folded(cell, size) for cell, size in zip(cells, sizes, strict=True)]
        yield from _row(lines, sizes, right, paint, _styles(row, table.columns))


def _above(heads: Sequence[tuple[str, str]], sizes: Sequence[int]) -> Iterator[str]:
    """The names of groups over their columns, on the lowest line where they take several."""
    starts = [sum(sizes[:k]) + GAP * k for k in range(len(sizes))]
    names = [(starts[a], folded(group, starts[b] + sizes[b] - starts[a])) for a, b, group in _spans(heads)]
    deep = max((len(lines) for _, lines in names), default=0)
    for n in range(deep):
        line = ""
        for start, lines in names:
            line += " " * (start - cell_len(line)) + ("" if n < deep - len(lines) else lines[n - deep + len(lines)])
        yield line


def _row(
    cells: Sequence[Sequence[str]],
    sizes: Sequence[int],
    right: Sequence[bool],
    paint: Paint,
    styles: Sequence[str],
    low: bool = False,
) -> Iterator[str]:
    """Cells of several lines side by side; those of headings stand on the lowest line."""
    deep = max(map(len, cells))
    for n in range(deep):
        line = []
        for lines, size, at_right, style in zip(cells, sizes, right, styles, strict=True):
            k = n - deep + len(lines) if low else n
            text = lines[k] if 0 <= k < len(lines) else ""
            blanks = " " * (size - cell_len(text))
            line.append(blanks + paint(text, style) if at_right else paint(text, style) + blanks)
        yield (" " * GAP).join(line)


def _styles(row: Sequence[Any], columns: Sequence[Column]) -> list[str]:
    """Red for who is flagged, green for what is significant."""
    off = any(c.key in FLAGS and cell for c, cell in zip(columns, row, strict=True))
    out = []
    for k, (c, cell) in enumerate(zip(columns, row, strict=True)):
        low = c.form == "p" and isinstance(cell, float) and cell < ALPHA
        out.append(RED if off and (k == 0 or c.key in FLAGS) else GREEN if low else "")
    return out
