"""The texts of a made-up collection: invented words, facts and sentences, and systems that write them down badly.

A fact is a clause of made-up words and of some importance; a sentence says two or three of them. Writers say a fact in
words of their own, so that people's summaries share some words but few strings. A system has habits: how often each
kind of flaw befalls a sentence. The readability of a text falls with the flaws that are in it, whoever wrote it, so
that identical texts are equally readable and features of the text can predict it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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


# How much each kind takes from readability when every sentence has it.
SEVERITY: Mapping[str, float] = {
    "broken": 2.2,  # a sentence ends in the middle
    "repeated": 2.6,  # a sentence is said again
    "leading": 1.6,  # They, It, But, ...: with nothing before it that it could refer to
    "dateline": 1.2,  # TORONTO (ZN) -- in front of a sentence
    "quote": 1.2,  # a quotation mark that is never closed
    "capitals": 1.2,  # words in capitals
    "bare": 1.0,  # no capital at the beginning and no stop at the end
}
BEGINNINGS = ("They said", "It was said that", "But", "And", "However", "This was when")
OFTEN = 0.25  # of a kind, at most
FLAWLESS, UNREADABLE = 4.7, 1.0


@dataclass(frozen=True)
class Written:
    """A text, and how readable it is on a scale from 1 to 5."""

    text: str
    readability: float


def habits(rng: Generator, careless: float) -> dict[str, float]:
    """How often a system's sentences have each kind of flaw, and whether they are cut off at the word limit (``end``).

    Who is careless (from 0 to 1) is so in many ways, in some more than in others.
    """
    kinds = {k: OFTEN * careless * float(rng.uniform(0.5, 1)) for k in SEVERITY}
    return {**kinds, "end": float(rng.random() < 0.3 + 0.6 * careless)}


def write(rng: Generator, order: Sequence[str], often: Mapping[str, float], limit: int) -> Written:
    """The first sentences of ``order`` that are not mostly said already, with flaws, within a word limit; a line each.

    A system that does not cut off leaves out what does not fit.
    """
    lines: list[str] = []
    seen: set[str] = set()
    marks: Counter[str] = Counter()
    left, fresh = limit, iter(order)
    while left > 3:
        again = bool(lines) and rng.random() < often["repeated"]
        sentence = lines[int(rng.integers(len(lines)))] if again else _new(fresh, seen)
        if sentence is None:
            break
        made, kinds = (sentence, ["repeated"]) if again else spoil(rng, sentence, often)
        words = made.split(" ")
        if len(words) > left:
            if not often["end"]:
                break
            kinds = [*kinds, "broken"]
        marks.update(set(kinds))
        lines.append(" ".join(words[:left]))
        left -= len(words)
    return Written("\n".join(lines), readability({k: n / max(len(lines), 1) for k, n in marks.items()}))


def _new(fresh: Iterator[str], seen: set[str]) -> str | None:
    for sentence in fresh:
        plain = {w.strip(",.").lower() for w in sentence.split(" ")}
        if 2 * len(plain & seen) <= len(plain):
            seen |= plain
            return sentence
    return None


def spoil(rng: Generator, sentence: str, often: Mapping[str, float]) -> tuple[str, list[str]]:
    """A sentence as a system with these habits prints it, and the flaws that it then has."""
    kinds = [k for k in SEVERITY if k != "repeated" and rng.random() < often[k]]
    words = sentence.split(" ")
    if "broken" in kinds:
        words = words[: max(2, int(len(words) * rng.uniform(0.4, 0.9)))]
    if "capitals" in kinds:
        words[-3:] = [w.upper() for w in words[-3:]]
    if "bare" in kinds:
        words = [words[0].lower(), *words[1:-1], words[-1].rstrip(".")]
    if "leading" in kinds:
        words = [*str(rng.choice(BEGINNINGS)).split(" "), words[0].lower(), *words[1:]]
    if "quote" in kinds:
        words[0] = '"' + words[0]
    if "dateline" in kinds:
        words = [word(rng).upper(), "(ZN)", "--", *words]
    return " ".join(words), kinds


def readability(shares: Mapping[str, float]) -> float:
    """From the share of sentences with each kind of flaw: 4.7 without any, towards 1 with many.

    >>> readability({}), round(readability({"broken": 0.5}), 2)
    (4.7, 2.23)
    """
    total = sum(SEVERITY[k] * share for k, share in shares.items())
    return UNREADABLE + (FLAWLESS - UNREADABLE) * float(np.exp(-total))
