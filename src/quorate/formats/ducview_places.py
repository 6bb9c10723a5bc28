"""Places in the text of a pyramid or a peer: where each model begins, and where a label is said.

A model begins where the file's own regular expression says so, or else the usual one. The expression comes with the
file, so it is held within bounds: one that could take for ever is not tried. Offsets of labels are held against the
text, and repaired where it has changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from html import unescape
from itertools import pairwise

from quorate.panel.base import many

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


# -- labels ------------------------------------------------------------------------------------------------------------


class Repairs:
    """Checks places in one text and remembers what it had to repair.

    Offsets stand when the text there is the label, blanks aside. Otherwise the label is looked for with all blanks
    removed, then with everything but letters and digits removed, and the hit nearest to the offsets is taken. When
    nothing is found the offsets stand.

    >>> Repairs("So it is. The dam broke.").place("The dam", 4, 11)
    (10, 17)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._moved: list[str] = []
        self._lost: list[str] = []
        self._escaped = 0
        self._absent: set[tuple[str, bool]] = set()  # labels looked for in vain; a file may have one very often
        self._squeezed: dict[bool, tuple[str, list[int]]] = {}

    def place(self, label: str, start: int, end: int) -> tuple[int, int]:
        """Where the label is; (-1, -1) when the offsets lie outside the text and it is not found either."""
        inside = 0 <= start <= end <= len(self.text)
        wanted = _without_blanks(label)
        if inside and _without_blanks(self.text[start:end]) == wanted:
            return start, end
        plain = unescape(label)
        if plain != label:
            self._escaped += 1
            wanted = _without_blanks(plain)
            if inside and _without_blanks(self.text[start:end]) == wanted:
                return start, end
        for letters_only in (False, True):
            found = self._nearest(_letters(wanted) if letters_only else wanted, start, letters_only)
            if found:
                if found != (start, end):
                    self._moved.append(f"'{label[:40]}' from {start}-{end} to {found[0]}-{found[1]}")
                return found
        self._lost.append(f"'{label[:40]}' at {start}")
        return (start, end) if inside else (-1, -1)

    def _nearest(self, wanted: str, start: int, letters_only: bool) -> tuple[int, int] | None:
        if not wanted or (wanted, letters_only) in self._absent:
            return None
        if letters_only not in self._squeezed:
            keep = [k for k, c in enumerate(self.text) if (c.isalnum() if letters_only else not c.isspace())]
            self._squeezed[letters_only] = "".join(self.text[k] for k in keep), keep
        squeezed, place = self._squeezed[letters_only]
        near = bisect_left(place, start)
        after = squeezed.find(wanted, near)
        before = squeezed.rfind(wanted, 0, max(near, 0) + len(wanted) - 1)
        if before < 0 and after < 0:
            self._absent.add((wanted, letters_only))
        hits = [(place[at], place[at + len(wanted) - 1] + 1) for at in (before, after) if at >= 0]
        return min(hits, key=lambda hit: abs(hit[0] - start), default=None)  # of two as near, the first

    def notes(self, what: str) -> list[str]:
        """What was repaired, in words."""
        out = []
        if self._moved:
            out.append(f"{what}: {many(len(self._moved), 'place')} moved to where the label is, first {self._moved[0]}")
        if self._lost:
            out.append(f"{what}: {many(len(self._lost), 'label')} not what the text has there, first {self._lost[0]}")
        if self._escaped:
            out.append(f"{what}: {many(self._escaped, 'label')} escaped twice")
        return out


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
