"""Invented words, facts and sentences: what a made-up collection is about.

A fact is a clause of made-up words and of some importance; a sentence says two or three of them. Writers say a fact in
words of their own, so that people's summaries share some words but few strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

ONSETS = (*"bdfgklmnprstv", "br", "dr", "fl", "gr", "kl", "pl", "st", "tr")
VOWELS = (*"aeiou", "ai", "ei", "ou")
VOCABULARY = 150  # words of a topic
Generator = np.random.Generator


@dataclass(frozen=True)
class Fact:
    """A clause, and how much it matters: from 1 for the first of a topic down to about 0.08."""

    words: tuple[str, ...]
    importance: float

    @cached_property
    def clause(self) -> str:
        """The fact as documents say it."""
        return " ".join(self.words)

    def by(self, writer: str) -> str:
        """The fact in a writer's own words: every third word is another one.

        >>> Fact(("a", "dam", "broke", "late"), 1.0).by("P")
        'a dampo broke late'
        """
        return " ".join(f"{w}{writer.lower()}o" if k % 3 == 1 else w for k, w in enumerate(self.words))


def word(rng: Generator) -> str:
    """A word that does not exist, of two or three syllables."""
    size = int(rng.integers(2, 4))
    return "".join(str(rng.choice(ONSETS)) + str(rng.choice(VOWELS)) for _ in range(size))


def facts(rng: Generator, number: int) -> list[Fact]:
    """The facts of a topic, the most important first."""
    vocabulary = sorted({word(rng) for _ in range(VOCABULARY)})
    out = []
    for k in range(number):
        words = rng.choice(vocabulary, int(rng.integers(4, 8)), replace=False)
        out.append(Fact(tuple(map(str, words)), float(np.exp(-2.5 * k / number))))
    return out


def sentences(rng: Generator, known: Sequence[Fact], number: int) -> list[tuple[str, float]]:
    """Sentences of two or three facts, and how important they are; important facts are said more often."""
    weight = np.array([f.importance for f in known])
    often = np.sqrt(weight)
    out = []
    for _ in range(number):
        chosen = rng.choice(len(known), int(rng.integers(2, 4)), replace=False, p=often / often.sum())
        text = ", and ".join(known[k].clause for k in chosen)
        out.append((text.capitalize() + ".", float(weight[chosen].mean())))
    return out


def share_said(text: str, known: Sequence[Fact]) -> float:
    """How much of what matters a text says, each fact once: from 0 to 1."""
    low = text.lower()
    return sum(f.importance for f in known if f.clause in low) / sum(f.importance for f in known)
