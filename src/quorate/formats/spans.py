"""Places of annotated stretches of text: offsets held against labels, and repaired where the text has changed."""

from __future__ import annotations

from html import unescape


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
                    self._moved.append(f"'{label[:40]}' from {start} to {found[0]}")
                return found
        self._lost.append(f"'{label[:40]}' at {start}")
        return (start, end) if inside else (-1, -1)

    def _nearest(self, wanted: str, start: int, letters_only: bool) -> tuple[int, int] | None:
        if not wanted:
            return None
        if letters_only not in self._squeezed:
            keep = [k for k, c in enumerate(self.text) if (c.isalnum() if letters_only else not c.isspace())]
            self._squeezed[letters_only] = "".join(self.text[k] for k in keep), keep
        squeezed, place = self._squeezed[letters_only]
        best: tuple[int, int] | None = None
        at = squeezed.find(wanted)
        while at >= 0:
            here = place[at], place[at + len(wanted) - 1] + 1
            if best is None or abs(here[0] - start) < abs(best[0] - start):
                best = here
            at = squeezed.find(wanted, at + 1)
        return best

    def notes(self, what: str) -> list[str]:
        """What was repaired, in words."""
        out = []
        if self._moved:
            out.append(f"{what}: {len(self._moved)} places moved to where their labels are, first {self._moved[0]}")
        if self._lost:
            out.append(f"{what}: {len(self._lost)} labels are not what the text has there, first {self._lost[0]}")
        if self._escaped:
            out.append(f"{what}: {self._escaped} labels were escaped twice")
        return out


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
