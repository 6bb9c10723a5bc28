"""N-grams and skip-bigrams of many texts at once, and how many of them two texts share.

Texts are one array of tokens (numbers from 0) and the places where each begins: text ``t`` is
``tokens[starts[t]:starts[t + 1]]``. Grams are numbers, equal where the grams are; no text is ever joined to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LARGEST = 1 << 62  # keys beyond it are made dense first


@dataclass(frozen=True, eq=False)
class Bags:
    """The different grams of every text with their counts, sorted by text, then gram."""

    key: Array  # text * size + gram
    count: Array
    starts: Array  # [text + 1] where each text's grams begin
    totals: Array  # [text] grams in all
    size: int  # grams are below it


def ngrams(tokens: Array, starts: Array, n: int) -> tuple[Array, Array]:
    """Every run of ``n`` tokens: its gram and its text."""
    text = _text_of(starts)
    whole = len(tokens) - n + 1
    if whole <= 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    inside = text[:whole] == text[n - 1 :]
    size = int(tokens.max()) + 1
    gram, bound = tokens[:whole].astype(np.int64), size
    for k in range(1, n):
        if bound > LARGEST // size:
            gram, bound = _dense(gram)
        gram = gram * size + tokens[k : k + whole]
        bound *= size
    return gram[inside], text[:whole][inside]


def skip_bigrams(tokens: Array, starts: Array, gap: int, unigrams: bool) -> tuple[Array, Array]:
    """Every two tokens in order with at most ``gap`` between them (below 0: any number), and their text.

    With ``unigrams`` the single tokens too, but for the last of each text: ROUGE-1.5.5 begins a pair at every token but
    the last, and counts a token where it begins pairs.
    """
    text = _text_of(starts)
    size = int(tokens.max()) + 1 if len(tokens) else 1
    longest = int(np.diff(starts).max(initial=0))
    reach = longest - 1 if gap < 0 else min(gap + 1, longest - 1)
    grams, texts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for far in range(1, reach + 1):
        inside = text[:-far] == text[far:]
        grams.append((tokens[:-far].astype(np.int64) * size + tokens[far:])[inside])
        texts.append(text[:-far][inside])
    if unigrams:
        inner = np.ones(len(tokens), bool)
        inner[starts[1:][np.diff(starts) > 0] - 1] = False
        grams.append(tokens[inner] + np.int64(size) * size)
        texts.append(text[inner])
    return np.concatenate(grams), np.concatenate(texts)


def bags(grams: Array, texts: Array, number: int) -> Bags:
    """Grams counted text by text."""
    size = int(grams.max()) + 1 if len(grams) else 1
    if size > LARGEST // max(number, 1):
        grams, size = _dense(grams)
    key, count = np.unique(texts * np.int64(size) + grams, return_counts=True)
    starts = np.searchsorted(key, np.arange(number + 1, dtype=np.int64) * size)
    return Bags(key, count, starts, np.bincount(texts, minlength=number), size)


def shared(found: Bags, left: Array, right: Array) -> Array:
    """Grams that the texts ``left[p]`` and ``right[p]`` share, each as often as both have it."""
    lengths = found.starts[left + 1] - found.starts[left]
    pair = np.repeat(np.arange(len(left)), lengths)
    row = np.arange(len(pair)) + np.repeat(found.starts[left] - (np.cumsum(lengths) - lengths), lengths)
    wanted = found.key[row] + (right - left)[pair] * np.int64(found.size)
    at = np.searchsorted(found.key, wanted)
    at[at == len(found.key)] = 0
    both = np.where(found.key[at] == wanted, np.minimum(found.count[row], found.count[at]), 0) if len(row) else row
    return np.bincount(pair, weights=both, minlength=len(left)).astype(np.int64)


def _text_of(starts: Array) -> Array:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _dense(values: Array) -> tuple[Array, int]:
    different, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int64), len(different)
