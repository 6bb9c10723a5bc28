"""Features of language, from the text alone: length, variety, redundancy, and flaws on the surface.

The published metrics name such features without formulas; these are a reconstruction. An empty text has the value 0 in
all of them, so that no summary is lost.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.summaries.trained.material import Material, add
from quorate.summaries.trained.sentences import sentences

Array = NDArray[Any]
Tokens = list[list[str]]  # of the sentences
DATELINE = re.compile(r"[A-Z][A-Z .,'-]{2,40}(\([A-Z][^)]{0,20}\))?\s*(--|_|\u2014|\u2013)\s")
CAPITALS = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,}){2,}\b")
_LEADING = "and but or so yet however also then because he she it they this these those that"
LEADING = frozenset(_LEADING.split())
T = TypeVar("T")
Declare = Callable[[Callable[[T], float]], Callable[[T], float]]


def _feature(name: str, better: int, of: Callable[[Material], Sequence[T]], empty: Callable[[T], bool]) -> Declare[T]:
    """Declare a function of what ``of`` gives of each text as a feature; of an empty one it is 0."""

    def declare(function: Callable[[T], float]) -> Callable[[T], float]:
        def every(material: Material) -> Array:
            different = dict(zip(material.texts, of(material), strict=True))  # runs of one team are often identical
            found = {text: 0.0 if empty(each) else function(each) for text, each in different.items()}
            return np.array([found[text] for text in material.texts], float)

        add(name, every, (), better, (function.__doc__ or "").split("\n")[0])
        return function

    return declare


def of_sentences(name: str, better: int = 0) -> Declare[Tokens]:
    """Declare a function of the tokens of sentences as a feature."""
    return _feature(name, better, lambda material: material.sentences, lambda tokens: not tokens)


def of_text(name: str, better: int = 0) -> Declare[str]:
    """Declare a function of the text as it stands as a feature."""
    return _feature(name, better, lambda material: material.texts, lambda text: not text.strip())


# -- length ------------------------------------------------------------------------------------------------------------


@of_sentences("sentences")
def number(s: Tokens) -> float:
    """Number of sentences."""
    return len(s)


@of_sentences("log_sentences")
def log_number(s: Tokens) -> float:
    """Number of sentences, its logarithm to base 2."""
    return math.log2(len(s))


@of_sentences("mean_length")
def mean_length(s: Tokens) -> float:
    """Mean length of a sentence in words."""
    return sum(map(len, s)) / len(s)


@of_sentences("longest")
def longest(s: Tokens) -> float:
    """Length of the longest sentence in words."""
    return max(map(len, s))


@of_sentences("length_spread")
def length_spread(s: Tokens) -> float:
    """Standard deviation of the lengths of sentences; 0 for one sentence."""
    return float(np.std([len(x) for x in s]))


def _over(material: Material) -> Array:
    if material.limit is None:
        return np.zeros(len(material.texts))
    return np.array([max(0, len(t.split()) - material.limit) for t in material.texts], float)


add("over_limit", _over, (), -1, "Words beyond the limit.")


# -- variety and redundancy --------------------------------------------------------------------------------------------


@of_sentences("entropy", better=1)
def entropy(s: Tokens) -> float:
    """Entropy of the words in bits."""
    times = np.array(list(Counter(w for x in s for w in x).values()), float)
    share = times / times.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0


@of_sentences("evenness", better=1)
def evenness(s: Tokens) -> float:
    """Entropy of the words over the largest that so many different words can have; 0 for one word."""
    different = len({w for x in s for w in x})
    return entropy(s) / math.log2(different) if different > 1 else 0.0


@of_sentences("redundancy", better=-1)
def redundancy(s: Tokens) -> float:
    """Mean cosine of two sentences; 0 for one sentence."""
    if len(s) < 2:
        return 0.0
    both = _cosines(s)
    return float(both[np.triu_indices(len(s), 1)].mean())


@of_sentences("dominance", better=-1)
def dominance(s: Tokens) -> float:
    """Share of the largest squared singular value of the term by sentence matrix: 1 when all sentences say the same."""
    return float(np.linalg.eigvalsh(_cosines(s))[-1] / len(s))


@of_sentences("neighbours")
def neighbours(s: Tokens) -> float:
    """Mean cosine of a sentence and the next one; 0 for one sentence."""
    return float(np.diagonal(_cosines(s), 1).mean()) if len(s) > 1 else 0.0


def _cosines(s: Tokens) -> Array:
    column = {w: k for k, w in enumerate(dict.fromkeys(w for x in s for w in x))}
    table = np.zeros((len(s), len(column)))
    for row, x in enumerate(s):
        for w in x:
            table[row, column[w]] += 1
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    return np.asarray(table @ table.T)


@of_sentences("type_token", better=1)
def type_token(s: Tokens) -> float:
    """Different words over words."""
    words = [w for x in s for w in x]
    return len(set(words)) / len(words)


@of_sentences("repeated_bigrams", better=-1)
def repeated_bigrams(s: Tokens) -> float:
    """Share of pairs of neighbouring words that were there before."""
    pairs = list(pairwise(w for x in s for w in x))
    return 1 - len(set(pairs)) / len(pairs) if pairs else 0.0


# -- flaws on the surface ----------------------------------------------------------------------------------------------


@of_text("cut_off", better=-1)
def cut_off(text: str) -> float:
    """1 where the last sentence has no end."""
    return not text.rstrip().rstrip("\"'\u201d\u2019)").endswith((".", "!", "?"))


@of_text("unended", better=-1)
def unended(text: str) -> float:
    """Share of sentences without a full stop, question or exclamation mark at the end."""
    listed = sentences(text)
    return sum(map(cut_off, listed)) / len(listed)


@of_text("dateline", better=-1)
def dateline(text: str) -> float:
    """1 where a sentence begins with a dateline."""
    return any(DATELINE.match(s) for s in sentences(text))


@of_text("quotes", better=-1)
def quotes(text: str) -> float:
    """1 where quotation marks or brackets are not in pairs."""
    odd = text.count('"') % 2 or text.count("``") != text.count("''")
    return bool(odd or text.count("\u201c") != text.count("\u201d") or text.count("(") != text.count(")"))


@of_text("capitals", better=-1)
def capitals(text: str) -> float:
    """1 where three words or more in a row are in capitals."""
    return bool(CAPITALS.search(text))


@of_text("leading", better=-1)
def leading(text: str) -> float:
    """Share of sentences that begin with a conjunction or pronoun."""
    listed = sentences(text)
    first = [re.findall(r"\w+", s.lower())[:1] for s in listed]
    return sum(bool(w) and w[0] in LEADING for w in first) / len(listed)
