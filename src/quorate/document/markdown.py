"""Blocks as Markdown, for an issue, a wiki or a README: names stay names, nothing in them is taken for markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quorate.document.blocks import Block, Document, Section, Table, Text
from quorate.document.fitting import harmless
from quorate.words.numbers import numeric, shown

ROWS = 60  # of a table


def render(document: Document) -> str:
    """The whole document."""
    head = [f"# {plain(document.title)}", ""] if document.title else []
    return "\n".join([*head, *_blocks(document.blocks)]).rstrip() + "\n"


def _blocks(blocks: Iterable[Block]) -> list[str]:
    out: list[str] = []
    for block in blocks:
        lines = list(_lines(block))
        out += ["", *lines] if out and lines else lines
    return out


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Section) and block.folded:
        yield from _blocks(block.blocks)
    elif isinstance(block, Section):
        yield from (f"## {plain(block.heading)}", "", *_blocks(block.blocks))
    elif isinstance(block, Text):
        yield from _text(block)
    elif isinstance(block, Table) and block.columns:
        yield from _table(block)


def _text(text: Text) -> Iterator[str]:
    for sentence in text.sentences:
        if text.role == "code":
            yield code(sentence)
        else:
            said = plain(sentence)
            yield {"note": f"> Note: {said}.", "points": f"- {said}"}.get(text.role, f"{said}  ")


def code(command: str) -> str:
    """A command to be copied as it is; one with signs that are not printed is text.

    >>> code("quorate report 'a`b.csv'")
    "`` quorate report 'a`b.csv' ``"
    """
    if not command.isprintable():
        return plain(command)
    fence = "`"
    while fence in command:
        fence += "`"
    return f"{fence} {command} {fence}" if "`" in command else f"`{command}`"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"**{plain(table.title)}**", "")
    heads = (plain(", ".join(filter(None, pair))) for pair in table.heads())
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join('---:' if numeric(c.form) else '---' for c in table.columns)}|"
    for row in table.rows[:ROWS]:
        cells = (plain(shown(cell, c.form)) for cell, c in zip(row, table.columns, strict=True))
        yield f"| {' | '.join(cells)} |"
    if table.total > ROWS:
        yield from ("", f"The first {min(ROWS, len(table.rows))} of {table.total:,} rows.")
    if table.note:
        yield from ("", plain(table.note))


def plain(text: str) -> str:
    """A text in one line of which nothing is taken for Markdown."""
    if not text.isprintable():
        text = " ".join(harmless(text).splitlines())
    for mark in "\\|*_<>`[]#&":
        text = text.replace(mark, "\\" + mark)
    return text
