"""Where each model begins in the text of a pyramid: by the file's own regular expression, or by the usual one.

The expression comes with the file, so it is held within bounds: one that could take for ever is not tried.
"""

from __future__ import annotations

import re
from itertools import pairwise

# When the file does not say: a line of dashes, the summary's name, a line of dashes.
USUAL = r"(?m)^[ \t]*-+[ \t]*\n\s*\S+\.M\.\d+\.\w+\.\w+[ \t]*\n[ \t]*-+[ \t]*\n"
IDENTIFIER = re.compile(r"(?<![\w-])[\w-]+\.M\.\d+\.\w+\.(\w+)")
LONGEST = 500  # characters of an expression
MOST = 200  # characters that a repetition in it may take in
_PIECE = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.)([*+]\??|\{\d*,\}\??)?", re.DOTALL)
_WIDE = re.compile(r"\.|\\[wWDS]|\[\^")  # pieces that match nearly anything


def begins(header: str, text: str) -> list[tuple[int, str]]:
    """Where each model begins, and its name: the last piece of an identifier, else its number.

    >>> begins("", "-----\\n D9901-A.M.100.K.P\\n-----\\nA dam.")
    [(0, 'P')]
    """
    listed = own(header, text) or _found(USUAL, text)
    names = [_name(head, k) for k, (_, head) in enumerate(listed, 1)]
    if len(set(names)) < len(names):  # the same writer twice
        names = [str(k) for k in range(1, len(names) + 1)]
    return [(at, name) for (at, _), name in zip(listed, names, strict=True)]


def own(header: str, text: str) -> list[tuple[int, str]]:
    """What the file's own expression finds: where, and the words there; nothing when it cannot be used."""
    return _found(bounded(header), text) if header and not unusable(header) else []


def _found(expression: str, text: str) -> list[tuple[int, str]]:
    return [(m.start(), m.group()) for m in re.finditer(expression, text) if m.group()]


def _name(head: str, number: int) -> str:
    found = IDENTIFIER.search(head)
    return found.group(1) if found else str(number)


def unusable(header: str) -> str:
    """What is wrong with an expression, or nothing.

    >>> unusable("[-]*\\\\n D[0-9]*-[A-Z]"), unusable("(a+)+"), unusable("[")
    ('', 'too involved', 'not understood')
    """
    if len(header) > LONGEST or re.search(r"\)[*+{?]", header):
        return "too involved"
    repeated = [bool(m[2]) for m in _PIECE.finditer(header)]
    wide = sum(bool(m[2] and _WIDE.match(m[1])) for m in _PIECE.finditer(header))
    if wide > 3 or any(a and b for a, b in pairwise(repeated)):
        return "too involved"
    try:
        re.compile(bounded(header))
    except (re.error, OverflowError, RecursionError):
        return "not understood"
    return ""


def bounded(header: str) -> str:
    """The same expression with an end to every repetition, so that a long line of dashes costs little.

    >>> bounded("-*\\\\n[+*]+")
    '-{0,200}\\\\n[+*]{1,200}'
    """

    def piece(m: re.Match[str]) -> str:
        if not m[2]:
            return m[0]
        lazy = "?" if m[2][1:].endswith("?") else ""
        least = {"*": "0", "+": "1"}.get(m[2][0]) or m[2].strip("{},?") or "0"
        return f"{m[1]}{{{least},{max(MOST, int(least))}}}{lazy}"

    return _PIECE.sub(piece, header)
