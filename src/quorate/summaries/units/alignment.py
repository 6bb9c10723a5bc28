"""Texts that were typed again, with blanks or headers put in: which words of one are which words of the other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from quorate.errors import InputError

WORD = re.compile(r"\w+")
SHARED = 0.5  # of the words that all texts must have, at least, to be of the same models
Place = tuple[int, int]  # where a word begins and ends


def words(text: str) -> list[Place]:
    """Where the words of a text are."""
    return [m.span() for m in WORD.finditer(text)]


def same_words(text: str, other: str) -> dict[Place, Place]:
    """Where words of a text are in another one, by the longest runs of words that both have in the same order.

    >>> same_words("a dam broke", "Model P: a dam  broke")
    {(0, 1): (9, 10), (2, 5): (11, 14), (6, 11): (16, 21)}
    """
    mine, theirs = words(text), words(other)
    said = [[t[a:b].lower() for a, b in places] for t, places in ((text, mine), (other, theirs))]
    blocks = SequenceMatcher(None, said[0], said[1], autojunk=False).get_matching_blocks()
    return {mine[b.a + k]: theirs[b.b + k] for b in blocks for k in range(b.size)}


def aligned(texts: Sequence[str], what: str) -> tuple[list[Mapping[Place, Place] | None], list[Place], list[str]]:
    """Of each text where its words are in the shortest one, the words that all have, and what is to be said of it.

    Texts that are the same need no such map: it is None. Texts that share too little are an error: they are not of the
    same models.
    """
    reference = min(set(texts), key=lambda t: (len(words(t)), t))
    every = words(reference)
    if len(set(texts)) == 1:
        return [None] * len(texts), every, []
    found = [same_words(t, reference) for t in texts]
    common = sorted(set(every).intersection(*(f.values() for f in found)))
    if len(common) < SHARED * len(every):
        fact = f"{what}: the judges' pyramids are of different texts: {len(common)} of {len(every)} words are the same."
        raise InputError(fact, "compare pyramids of the same models.")
    longest = max(len(words(t)) for t in texts)
    aside = f"up to {longest - len(common)} others are left aside"
    said = f"{what}: the judges' texts differ; the {len(common)} words that all have in the same order are compared"
    return list(found), common, [f"{said}, {aside}"]
