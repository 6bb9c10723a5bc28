"""Texts and tables made to fit a width without cutting anything off.

What does not fit is folded between words: first headings, then texts, then long names anywhere, then numbers such as
``0.1 to 0.2`` between their words, and last ``[0.1..0.2]`` behind its dots. A single number is never folded: a table
that does not fit even so stays wider.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.table import Column, Table
from rich.text import Text

NAME = 16  # a word of a name longer than this may be folded
SHORT, HEAD = 10, 7  # and a heading, where nothing else helps
CONTROL = {k: "\ufffd" for k in (*range(32), *range(127, 160)) if k not in (9, 10)}
GAP = 2  # blanks between columns
DOTS = ".."  # between the two ends of a range
ATOM = re.compile(r"\S+?(?:[(,=/_-](?=\S)|(?=\s)|$)")  # what stays together of a heading: alpha( level= interval)


def harmless(text: str) -> str:
    """The text without characters that would steer a terminal; names come from files that anybody wrote.

    >>> harmless("\\x1b[31mred")
    '\ufffd[31mred'
    """
    return text.translate(CONTROL) if not text.isprintable() else text


def meek(piece: Any) -> Any:
    """A text, plain or styled, made harmless; anything else as it is."""
    if isinstance(piece, Text) and not piece.plain.isprintable():
        piece.plain = harmless(piece.plain)  # as long as before, so that styles stay where they are
    return harmless(piece) if isinstance(piece, str) else piece


def wrapped(text: str, width: int) -> str:
    """Lines of at most so many columns, broken at blanks only; lines keep their indent.

    >>> wrapped("one two three", 8)
    'one two\\nthree'
    """
    return "\n".join(line for given in harmless(text).split("\n") for line in _lines(given, width))


def _lines(text: str, width: int) -> list[str]:
    if cell_len(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    out = [indent]
    for word in text.split():
        with_it = out[-1] + (" " if out[-1].strip() else "") + word
        if out[-1].strip() and cell_len(with_it) > width:
            out.append(indent + word)
        else:
            out[-1] = with_it
    return out


def fit(table: Table, width: int) -> int:
    """Set the columns' widths so that the table fits the width if it can; returns how wide it is then."""
    if not table.columns:
        return 0
    table.title = meek(table.title)
    for column in table.columns:
        column.header = meek(column.header)
        column._cells[:] = [meek(c) for c in column.cells]
    room = width - GAP * (len(table.columns) - 1)
    sizes = [_sizes(column) for column in table.columns]
    best = [s[0] for s in sizes]
    if sum(best) > room:  # what asked to be kept narrow is, before the others give way
        best = [max(min(b, c.max_width or b), s[-1]) for b, c, s in zip(best, table.columns, sizes, strict=True)]
    for step in range(1, len(sizes[0])):
        best = shrunk(best, [s[step] for s in sizes], room)
    for column, size in zip(table.columns, best, strict=True):
        column.width, column.max_width, column.overflow = size, None, "fold"
        column.header = folded(plain(column.header), size)
        if column.justify != "right":
            column._cells[:] = [c if longest_line(plain(c)) <= size else _refolded(c, size) for c in column.cells]
        elif max(map(longest_word, map(plain, column.cells)), default=0) > size:
            column._cells[:] = [c.replace(DOTS, f"{DOTS}\n") if isinstance(c, str) else c for c in column.cells]
    return sum(best) + GAP * (len(best) - 1)


def _sizes(column: Column) -> list[int]:
    """How wide a column would like to be, and how narrow it may get, step by step."""
    head, cells = plain(column.header), [plain(c) for c in column.cells]
    number = column.justify == "right"
    longest, words = max(map(longest_line, cells), default=0), max(map(longest_word, cells), default=0)
    atom = folded_head(head)
    heads = [longest_line(head), longest_word(head), *[atom] * 3, *[min(atom, HEAD)] * 3]
    half = max(map(_halved, cells), default=0) if number else 0
    ends = max((longest_word(c.replace(DOTS, f"{DOTS} ")) for c in cells), default=0)
    inside = (
        [longest, longest, longest, longest, half, half, words, ends]
        if number
        else [longest, longest, words, *[min(words, NAME)] * 2, *[min(words, SHORT)] * 3]
    )
    return [max(h, c) for h, c in zip(heads, inside, strict=True)]


def folded_head(head: str) -> int:
    """How many columns a heading takes when it is folded between words, brackets and commas.

    >>> folded_head("alpha(level=interval)")
    9
    """
    return min(max((cell_len(a) for a in ATOM.findall(head)), default=0), NAME)


def _refolded(cell: Any, size: int) -> Any:
    return folded(cell, size) if isinstance(cell, str) else cell


def folded(head: str, size: int) -> str:
    """A heading or name in lines, broken at blanks; a word too long after brackets, equal signs and the like.

    >>> folded("alpha(level=interval)", 12), folded("v_beta, peer_correlation", 12)
    ('alpha(level=\\ninterval)', 'v_beta,\\npeer_\\ncorrelation')
    """
    if longest_line(head) <= size:
        return head
    lines = [""]
    for word in head.split():
        for k, piece in enumerate(ATOM.findall(word) if cell_len(word) > size else [word]):
            with_it = lines[-1] + (" " if lines[-1] and not k else "") + piece
            if lines[-1] and cell_len(with_it) > size:
                lines.append(piece)
            else:
                lines[-1] = with_it
    return "\n".join(lines)


def _halved(text: str) -> int:
    """The least width in which a text takes two lines at most."""
    words = text.split()
    cuts = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min((max(map(cell_len, cut)) for cut in cuts), default=cell_len(text))


def plain(cell: Any) -> str:
    """The text of a cell."""
    return cell.plain if isinstance(cell, Text) else str(cell)


def longest_line(text: str) -> int:
    """Columns of the longest line."""
    return max(map(cell_len, text.split("\n")), default=0)


def longest_word(text: str) -> int:
    """Columns of the longest word."""
    return max(map(cell_len, text.split()), default=0)


def shrunk(sizes: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Sizes made smaller until they fit, the widest first, none below its least.

    >>> shrunk([30, 10, 20], [5, 10, 5], 40)
    [15, 10, 15]
    """
    out = list(sizes)
    for _ in range(sum(out) - room):
        free = [k for k, size in enumerate(out) if size > least[k]]
        if not free:
            break
        out[max(free, key=lambda k: out[k])] -= 1
    return out
