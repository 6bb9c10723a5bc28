"""Names of columns of a survey's grid: a question, and in brackets the item that was asked about."""

from __future__ import annotations

import re

GRID = re.compile(r"(?:\w+\[[^\[\]]+\]\. )?(?P<stem>.*?)\s*\[(?P<item>[^\[\]]+)\]\s*$", re.DOTALL)


def asked_about(name: str) -> tuple[str, str] | None:
    """The question and its item; of a grid of numbers the question is that of its column. None of other names.

    >>> asked_about("Rate the talks [Opening]"), asked_about("Rate [Opening][Style]"), asked_about("rank")
    (('Rate the talks', 'Opening'), ('Rate [Style]', 'Opening'), None)
    """
    found = GRID.fullmatch(name)
    if not found or not found["stem"].strip():
        return None
    stem, item = found["stem"].strip(), found["item"].strip()
    outer = GRID.fullmatch(stem)
    if outer and outer["stem"].strip():
        return f"{outer['stem'].strip()} [{item}]", outer["item"].strip()
    return stem, item
