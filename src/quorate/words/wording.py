"""Small words of sentences: more than by chance, names in a row, and on how many tasks.

A sentence must hold on any panel: one task is "here" and no "1 of 1 tasks"; two of two are "both", three of three
"all 3".

>>> on(1, 1), on(8, 8), on(3, 8)
('here', 'on all 8 tasks', 'on 3 of 8 tasks')
"""

from __future__ import annotations

import numpy as np

from quorate.panel.base import Panel, many
from quorate.panel.base import listed as listed
from quorate.words.numbers import p_is

_OURS = ("no", "none", "of", "on", "with", "there", "one", "so", "most", "the", "all", "what", "without", "none")
LEFT_OUT = {"singletons": "as singletons", "bucket": "in one bucket", "common": "set aside"}  # items, in groupings


def by_chance(p: float, level: float = 0.05) -> str:
    """Whether a figure is more than chance gives; where chance rarely gives as much, that is not clear.

    >>> by_chance(0.01), by_chance(0.2), by_chance(0.8)
    ('more than by chance (p = 0.01)', 'not clearly more than by chance (p = 0.2)', 'no more than by chance (p = 0.8)')
    """
    return f"{above(p, level)} than by chance ({p_is(p)})"


def above(p: float, level: float = 0.05) -> str:
    """More, not clearly more, or no more: by how often chance gives as much."""
    return "more" if p <= level else "not clearly more" if p < 0.5 else "no more"


def on(some: int, of: int, word: str = "task") -> str:
    """On how many tasks: 'here' where there is one only."""
    if of == 1:
        return "here"
    return f"on {all_of(of)} {word}s" if some == of else f"on {some:,} of {many(of, word)}"


def all_of(number: int) -> str:
    """All of them: 'both' of two."""
    return "both" if number == 2 else f"all {number:,}"


def brief(name: object, most: int = 24) -> str:
    """A name that fits a title: a long one loses its middle, because names often differ at their ends.

    >>> brief("a name that is much too long to stand in a title")
    'a name that i…in a title'
    """
    text, end = str(name), most // 2 - 2
    return text if len(text) <= most else f"{text[: most - end - 1]}\u2026{text[-end:]}"


def upper(text: str) -> str:
    """A text with a capital letter at its beginning, unless that belongs to a name: such a text starts with no word
    of ours, so only small words are raised.

    >>> upper("no model"), upper("run-04's order"), upper("with others")
    ('No model', "run-04's order", 'With others')
    """
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first in _OURS else text


def as_lists_do(panel: Panel, absent: str | None) -> str:
    """Why an absent item means what it does, where that is a matter of the format."""
    return "; a run puts last what it lacks (--absent changes that)" if panel.absent == absent == "below" else ""


def voters(panel: Panel) -> int:
    """How many judges there are; one whose count is 10 stands for as many, on the task where that is most.

    >>> from quorate import Orderings
    >>> voters(Orderings.from_orders(["ab", "ba"]))
    2
    """
    if (panel.count == 1).all():
        return len(panel.judges)
    most = np.zeros(len(panel.judges), np.int64)
    np.maximum.at(most, panel.judge.codes, panel.count.astype(np.int64))
    return int(most.sum())
