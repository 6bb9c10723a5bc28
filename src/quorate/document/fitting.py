"""Widths of columns: a table made to fit without cutting anything off.

What does not fit is folded between words: first headings, then texts, then long names anywhere, and last intervals such
as ``0.1 to 0.2``. A single number is never folded: a table that does not fit even so stays wider.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

NAME = 16  # a word of a name longer than this may be folded
SHORT = HEAD = 10  # and a heading, where nothing else helps
GAP = 2  # blanks between columns
WHOLE, HALF, LAST = 3, 4, 6  # steps of narrowing: those that leave intervals in one line, in two, and all
CONTROL = {k: "\ufffd" for k in (*range(32), *range(127, 160)) if k not in (9, 10)}
BIDI = {k: f"[U+{k:04X}]" for k in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2066, 0x2067)}  # turn text round
ISOLATES = {k: f"[U+{k:04X}]" for k in (0x2068, 0x2069)}  # which a page also uses itself, around names
ATOM = re.compile(r"\S+?(?:[(,=/_-](?=\S)|(?=\s)|$)")  # what stays together of a heading: alpha( level= interval)


def harmless(text: str) -> str:
    """The text without characters that would steer a terminal or turn it round; names come from files.

    >>> harmless("\\x1b[31mred"), harmless("gpj.\\u202efdp")
    ('\ufffd[31mred', 'gpj.[U+202E]fdp')
    """
    return text.translate(CONTROL | BIDI | ISOLATES) if not text.isprintable() else text


def unturned(page: str) -> str:
    """A page in which nothing turns text round: sign by sign, as ``translate`` is slow on much text."""
    for sign, shown in BIDI.items():
        page = page.replace(chr(sign), shown)
    return page


def wrapped(text: str, width: int, indent: str = "") -> str:
    """Lines of at most so many columns, broken at blanks only; lines keep their indent, later ones get one more.

    >>> wrapped("one two three", 8)
    'one two\\nthree'
    """
    return "\n".join(line for given in harmless(text).split("\n") for line in _lines(given, width, indent))


def _lines(text: str, width: int, more: str) -> list[str]:
    if cell_len(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    out = [indent]
    for word in text.split():
        with_it = out[-1] + (" " if out[-1].strip() else "") + word
        if out[-1].strip() and cell_len(with_it) > width:
            out.append(indent + more + word)
        else:
            out[-1] = with_it
    return out


def widths(
    heads: Sequence[str], columns: Sequence[Sequence[str]], right: Sequence[bool], room: int, steps: int = LAST
) -> list[int]:
    """How wide each column is so that all fit into the room, if they can in so many steps of narrowing."""
    sizes = [_sizes(*column) for column in zip(heads, columns, right, strict=True)]
    best = [s[0] for s in sizes]
    room -= GAP * (len(best) - 1)
    for step in range(1, steps + 1):
        best = shrunk(best, [s[step] for s in sizes], room)
    return best


def _sizes(head: str, cells: Sequence[str], right: bool) -> list[int]:
    """How wide a column would like to be, and how narrow it may get, step by step."""
    longest, words = max(map(cell_len, cells), default=0), max(map(longest_word, cells), default=0)
    atom = folded_head(head)
    heads = [cell_len(head), longest_word(head), atom, atom, atom, min(atom, HEAD), min(atom, HEAD)]
    half = max(map(_halved, cells), default=0) if right else 0
    inside = (
        [longest, longest, longest, longest, half, half, words]
        if right
        else [longest, longest, words, *[min(words, NAME)] * 2, *[min(words, SHORT)] * 2]
    )
    return [max(h, c, 1) for h, c in zip(heads, inside, strict=True)]


def folded_head(head: str) -> int:
    """How many columns a heading takes when it is folded between words, brackets and commas.

    >>> folded_head("alpha(level=interval)")
    9
    """
    return min(max((cell_len(a) for a in ATOM.findall(head)), default=0), NAME)


def folded(text: str, size: int) -> list[str]:
    """A heading or name in lines: broken at blanks, a word too long after brackets, equal signs and the like.

    >>> folded("alpha(level=interval)", 12), folded("v_beta, peer_correlation", 12)
    (['alpha(level=', 'interval)'], ['v_beta,', 'peer_', 'correlation'])
    """
    if cell_len(text) <= size:
        return [text]
    lines = [""]
    for word in text.split():
        for k, piece in enumerate(p for atom in _atoms(word, size) for p in _cut(atom, size)):
            with_it = lines[-1] + (" " if lines[-1] and not k else "") + piece
            if lines[-1] and cell_len(with_it) > size:
                lines.append(piece)
            else:
                lines[-1] = with_it
    return lines


def _atoms(word: str, size: int) -> list[str]:
    return ATOM.findall(word) if cell_len(word) > size else [word]


def _cut(atom: str, size: int) -> list[str]:
    """What has no place to be broken is broken anywhere."""
    out = [""]
    for letter in atom:
        if out[-1] and cell_len(out[-1] + letter) > size:
            out.append("")
        out[-1] += letter
    return out


def _halved(text: str) -> int:
    """The least width in which a text takes two lines at most."""
    words = text.split()
    cuts = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    return min((max(map(cell_len, cut)) for cut in cuts), default=cell_len(text))


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
