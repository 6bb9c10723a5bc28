"""Sentences of a text: cut where sentences end, whether lines break there, inside of them, or not at all.

A sentence ends with a full stop, question or exclamation mark, closing quotes and brackets included, before what may
begin another; not after an initial, an abbreviation or a title. A line break ends one too, unless the next line goes on
in small letters, or most lines of the text do that break inside of sentences; an empty line always does. A text without
any such mark is a sentence a line.
"""

from __future__ import annotations

import re
from itertools import pairwise

MARK = r"""[.!?\u2026]["'\u201d\u2019)\]]*"""
END, ENDED = re.compile(rf"{MARK}(?=\s|$)"), re.compile(f"{MARK}$")
BEGIN = re.compile(r"""\s+["'\u201c\u2018`(\[]*[A-Z0-9\u00c0-\u00de]""")
_WORDS = "mr mrs ms dr prof gen sen rep gov lt col sgt capt adm maj rev hon st mt jr sr inc corp co ltd vs etc"
_WORDS += " jan feb mar apr jun jul aug sep sept oct nov dec"
ABBREVIATION = re.compile(rf"(?:\b(?:{_WORDS.replace(' ', '|')})|\b[a-z]|\b(?:[a-z]\.)+[a-z])\.$", re.I)
NUMBER = re.compile(r"\bno\.\s+\d", re.I)
LONGEST = 12  # characters before a full stop that are looked at for an abbreviation


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences("A dam broke. Nine died."), sentences("A dam\\nbroke. Mr. Poe of the U.S. Army\\nwas there.")
    (['A dam broke.', 'Nine died.'], ['A dam broke.', 'Mr. Poe of the U.S. Army was there.'])
    >>> sentences("Dam breaks\\nNine died.\\n\\nit rained"), sentences("a dam\\nnine dead")
    (['Dam breaks', 'Nine died.', 'it rained'], ['a dam', 'nine dead'])
    """
    lines = [line.strip() for line in text.splitlines()]
    if not any(map(END.search, lines)):
        return [line for line in lines if line]
    inside = [b[0].islower() for a, b in pairwise(lines) if a and b and not ENDED.search(a)]
    wrapped = 2 * sum(inside) > len(inside)
    joined: list[str] = []
    for before, line in pairwise(["", *lines]):
        if line and before and not ENDED.search(before) and (wrapped or line[0].islower()):
            joined[-1] += f" {line}"
        elif line:
            joined.append(line)
    return [s for line in joined for s in _cut(line)]


def _cut(line: str) -> list[str]:
    """A line after each sentence in it."""
    out, start = [], 0
    for m in END.finditer(line):
        more = BEGIN.match(line, m.end())
        short = m.group()[0] == "." and ABBREVIATION.search(line[max(start, m.start() - LONGEST) : m.start() + 1])
        if more and not short and not NUMBER.match(line, max(m.start() - 2, 0)):
            out.append(line[start : m.end()].strip())
            start = m.end()
    return [s for s in (*out, line[start:].strip()) if s]
