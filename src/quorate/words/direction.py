"""Names that are written from right to left, inside of sentences that are not."""

from __future__ import annotations

import re

_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff"  # letters that are written from right to left
_FROM_RIGHT = re.compile(f"[{_RIGHT}]+(?:[ '.-]+[{_RIGHT}]+)*")


def isolated(text: str) -> str:
    """The text with names that are written from right to left held apart, or a number after one would stand before it.

    >>> isolated("judge \u05d3\u05df, 0.5") == "judge \u2068\u05d3\u05df\u2069, 0.5"
    True
    """
    return _FROM_RIGHT.sub("\u2068\\g<0>\u2069", text.replace("\u2068", "[U+2068]").replace("\u2069", "[U+2069]"))
