"""What every pair of a summary and a reference has in common, and out of how much: one line of counts a pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.ngrams import Bags, bags, ngrams, shared, skip_bigrams
from quorate.kernels.subsequences import on_path
from quorate.rouge.tokens import Tokenised
from quorate.rouge.variants import Variant

Array = NDArray[Any]
PAIRS = 1 << 13  # pairs of texts looked at together


class Counts(NamedTuple):
    """By pair: hits, out of how many of the reference and of the summary, and what the best reference is chosen by."""

    hits: Array
    reference: Array
    summary: Array
    chosen_by: Array


def count(variant: Variant, texts: Tokenised, summary: Array, reference: Array) -> Counts:
    """The counts of one variant; ``summary`` and ``reference`` are numbers of texts."""
    if variant.family in ("L", "W"):
        return _subsequences(variant, texts, summary, reference)
    number = len(texts.texts) - 1
    if variant.family == "N":
        found = bags(*ngrams(texts.tokens, texts.starts, variant.n), number)
    else:
        found = bags(*skip_bigrams(texts.tokens, texts.starts, variant.gap, variant.family == "SU"), number)
    parts = [shared(found, summary[p], reference[p]) for p in _parts(len(summary))]
    hits = np.concatenate([np.empty(0, np.int64), *parts])
    out_of = found.totals[reference]
    # ROUGE-1.5.5 compares recalls with five decimals here.
    return Counts(hits, out_of, found.totals[summary], np.round(hits / np.maximum(out_of, 1), 5))


def _parts(pairs: int) -> Iterator[slice]:
    return (slice(a, a + PAIRS) for a in range(0, pairs, PAIRS))


def _subsequences(variant: Variant, texts: Tokenised, summary: Array, reference: Array) -> Counts:
    """Summary-level LCS: every sentence of the reference against all of the summary, hits on either counted once."""
    if variant.whole:
        number = len(texts.texts) - 1
        texts = Tokenised(texts.tokens, texts.starts, np.arange(number + 1), texts.words)
    single = bags(*ngrams(texts.tokens, texts.starts, 1), len(texts.texts) - 1)
    parts = [_hits(variant, texts, single, summary[p], reference[p]) for p in _parts(len(summary))]
    hits = np.concatenate([np.empty(0), *parts])
    lengths = np.diff(texts.starts)
    if variant.family == "L":
        out_of = lengths[reference]
        return Counts(hits, out_of, lengths[summary], hits / np.maximum(out_of, 1))
    text = np.repeat(np.arange(len(lengths)), np.diff(texts.texts))
    weighted = np.diff(texts.sentences) ** float(variant.weight)
    base = np.bincount(text, weights=weighted, minlength=len(lengths))[reference]
    # ROUGE-1.5.5 weights the sum of the weighted sentences once more; so must we, to give its figures.
    chosen_by = np.divide(hits, base, out=np.zeros(len(hits)), where=base > 0)
    # Powers are not exact: what differs by that little is a tie, and the first reference is taken.
    return Counts(hits, base**variant.weight, lengths[summary] ** float(variant.weight), np.round(chosen_by, 12))


def _hits(variant: Variant, texts: Tokenised, single: Bags, summary: Array, reference: Array) -> Array:
    """Hits of each pair; a token of the summary makes one hit at most."""
    starts = texts.starts
    lengths = starts[reference + 1] - starts[reference]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    pair = np.repeat(np.arange(len(summary)), lengths)
    place = np.arange(offsets[-1]) - offsets[pair] + starts[reference][pair]  # in texts.tokens
    union = _union(variant, texts, summary, reference, offsets)
    at = np.flatnonzero(union)
    within = _turn(pair[at] * np.int64(single.size) + texts.tokens[place[at]])
    at = at[within < _often(single, summary[pair[at]], texts.tokens[place[at]])]
    if variant.family == "L":
        return np.bincount(pair[at], minlength=len(summary)).astype(float)
    sentence = np.searchsorted(texts.sentences, place, side="right")
    sentence += pair * np.int64(len(texts.sentences) + 1)
    return _runs(union, at, pair, sentence, variant.weight, len(summary))


def _union(variant: Variant, texts: Tokenised, summary: Array, reference: Array, offsets: Array) -> Array:
    """Which tokens of the references lie on a common subsequence with some sentence of the summary."""
    first, theirs = texts.texts[reference], texts.texts[reference + 1] - texts.texts[reference]
    ours = texts.texts[summary + 1] - texts.texts[summary]
    pair = np.repeat(np.arange(len(summary)), theirs * ours)
    turn = np.arange(len(pair)) - np.repeat(np.cumsum(theirs * ours) - theirs * ours, theirs * ours)
    width = np.maximum(ours, 1)[pair]
    a, b = first[pair] + turn // width, texts.texts[summary][pair] + turn % width
    ends = texts.sentences
    marks = on_path(texts.tokens, (ends[a], ends[a + 1]), (ends[b], ends[b + 1]), variant.weight)
    sizes = ends[a + 1] - ends[a]
    begin = offsets[pair] + ends[a] - texts.starts[reference][pair]
    inside = np.arange(len(marks)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    out = np.zeros(int(offsets[-1]), bool)
    out[(np.repeat(begin, sizes) + inside)[marks]] = True
    return out


def _turn(keys: Array) -> Array:
    """How many equal keys come before each."""
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys), bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    first = np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))
    out = np.empty(len(keys), np.int64)
    out[order] = np.arange(len(keys)) - first
    return out


def _often(single: Bags, text: Array, token: Array) -> Array:
    """How often a token is in a text."""
    wanted = text * np.int64(single.size) + token
    at = np.minimum(np.searchsorted(single.key, wanted), max(len(single.key) - 1, 0))
    return np.where(single.key[at] == wanted, single.count[at], 0) if len(wanted) else np.empty(0, np.int64)


def _runs(union: Array, at: Array, pair: Array, sentence: Array, weight: float, pairs: int) -> Array:
    """Weighted hits: a run ends with a hit after which nothing is matched, or with the sentence.

    As in ROUGE-1.5.5, a matched token that makes no hit does not end a run, and a run that ends in one is carried on.
    """
    hit = np.zeros(len(union), bool)
    hit[at] = True
    last = np.ones(len(union), bool)
    last[:-1] = (sentence[1:] != sentence[:-1]) | ~union[1:]
    ends = np.flatnonzero(hit & last)
    before = np.cumsum(hit) - hit
    begins = np.searchsorted(sentence, sentence[ends])
    carried = before[begins]
    same = np.zeros(len(ends), bool)
    same[1:] = sentence[ends][1:] == sentence[ends][:-1]
    carried[same] = before[ends[:-1][same[1:]]] + 1
    length = (before[ends] + 1 - carried).astype(float)
    return np.bincount(pair[ends], weights=length**weight, minlength=pairs)
