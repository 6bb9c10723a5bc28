"""Places of annotated stretches of text: offsets held against labels, and repaired where the text has changed."""

from __future__ import annotations

from bisect import bisect_left
from html import unescape

from quorate.panel.base import many


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
