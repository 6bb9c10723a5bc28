"""Basic elements: a head, its modifier and the relation between them, as a parser found them, compared as wholes.

A line is ``HEAD|MODIFIER|RELATION``, where ``NIL`` stands for none. Making them takes a parser, which is not here; the
files of another program's are read, as ROUGE-1.5.5 does with ``-3``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from quorate.formats.rouge_files import element_fields
from quorate.summaries.rouge.tokens import SHORT, Tokenised, split_words

NIL = "nil"
MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")


def elements(texts: Sequence[str], mode: str, stem: Callable[[str], str] | None = None) -> Tokenised:
    """The elements of every text as numbers, one token each.

    ``H`` takes heads without a modifier, ``HM`` heads with one, ``HMR`` all three where there is a relation. ``HM1``
    and ``HMR2`` take every line, ``HMR1`` every line with a modifier.

    >>> elements(["cat|big|mod\\ndog|NIL|NIL"], "HM").of(0), elements(["cat|big|mod\\ndog|NIL|NIL"], "HM1").of(0)
    (['cat|big'], ['cat|big', 'dog|nil'])
    """
    numbers: dict[str, int] = {}
    tokens: list[int] = []
    starts = [0]
    for text in texts:
        for fields in element_fields(text):
            unit = _unit(fields, mode, stem)
            if unit is not None:
                tokens.append(numbers.setdefault(unit, len(numbers)))
        starts.append(len(tokens))
    return Tokenised(np.array(tokens, np.int64), np.array(starts), np.arange(len(texts) + 1), tuple(numbers))


def _unit(fields: tuple[str, str, str], mode: str, stem: Callable[[str], str] | None) -> str | None:
    """What is compared of one line, or None where the mode leaves it out."""
    head, modifier, relation = (_small(f) for f in fields)
    wanted = {"H": modifier == NIL, "HM": modifier != NIL, "HMR": relation != NIL, "HMR1": modifier != NIL}
    if not wanted.get(mode, True):
        return None
    parts = [head, modifier][: 1 if mode == "H" else 2]
    if stem is not None:
        parts = [" ".join(w if len(w) <= SHORT else stem(w) for w in split_words(p)) for p in parts]
    return "|".join([*parts, relation] if mode.startswith("HMR") else parts)


def _small(text: str) -> str:
    """Small letters; as in ROUGE-1.5.5, of A to Z only."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
