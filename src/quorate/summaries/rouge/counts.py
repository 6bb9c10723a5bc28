"""What every pair of a summary and a reference has in common, and out of how much: one line of counts a pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.ngrams import Bags, bags, ngrams, shared, skip_bigrams
from quorate.kernels.subsequences import on_path, powers
from quorate.summaries.rouge.tokens import Tokenised
from quorate.summaries.rouge.variants import Variant
from quorate.summaries.rouge.views import Views

Array = NDArray[Any]
PAIRS = 1 << 13  # pairs of texts looked at together


class Counts(NamedTuple):
    """By pair: hits, out of how many of the reference and of the summary, and what the best reference is chosen by."""

    hits: Array
    reference: Array
    summary: Array
    chosen_by: Array


def count(variant: Variant, views: Views, summary: Array, reference: Array) -> Counts:
    """The counts of one variant; ``summary`` and ``reference`` are numbers of texts."""
    texts = views.of(variant)
    if variant.family in ("L", "W"):
        return _subsequences(variant, views.skips, summary, reference, texts)
    number = len(texts.texts) - 1
    if variant.family in ("S", "SU"):
        found = bags(*skip_bigrams(texts.tokens, texts.starts, variant.gap, variant.family == "SU"), number)
    else:
        found = bags(*ngrams(texts.tokens, texts.starts, variant.n), number)
    parts = [shared(found, summary[p], reference[p]) for p in _parts(len(summary))]
    hits = np.concatenate([np.empty(0, np.int64), *parts])
    out_of = found.totals[reference]
    # ROUGE-1.5.5 compares recalls with five decimals here.
    return Counts(hits, out_of, found.totals[summary], np.round(hits / np.maximum(out_of, 1), 5))


def _parts(pairs: int) -> Iterator[slice]:
    return (slice(a, a + PAIRS) for a in range(0, pairs, PAIRS))


def _subsequences(variant: Variant, given: Tokenised, summary: Array, reference: Array, texts: Tokenised) -> Counts:
    """Summary-level LCS: every sentence of the reference against all of the summary, hits on either counted once."""
    number = len(given.texts) - 1
    if variant.whole:
        texts = Tokenised(given.tokens, given.starts, np.arange(number + 1), given.words)
    # As in ROUGE-1.5.5, a token makes as many hits as it has places in both texts as the n-grams see them.
    single = bags(*ngrams(given.numbered_as(texts), given.starts, 1), number)
    cut = texts is not given and not variant.whole
    parts = [_hits(variant, texts, single, summary[p], reference[p], cut) for p in _parts(len(summary))]
    hits = np.concatenate([np.empty(0), *parts])
    lengths = np.diff(given.starts)[summary]
    if variant.family == "L":
        out_of = np.diff(texts.starts)[reference]
        return Counts(hits, out_of, lengths, hits / np.maximum(out_of, 1))
    text = np.repeat(np.arange(number), np.diff(texts.texts))
    sizes = np.diff(texts.sentences)
    weighted = powers(int(sizes.max(initial=0)), variant.weight)[sizes]
    base = np.bincount(text, weights=weighted, minlength=number)[reference]
    # ROUGE-1.5.5 weights the sum of the weighted sentences once more; so must we, to give its figures.
    chosen_by = quotient(hits, base, otherwise=0.0)
    # Powers are not exact: what differs by that little is a tie, and the first reference is taken.
    return Counts(hits, base**variant.weight, lengths ** float(variant.weight), np.round(chosen_by, 12))


def _hits(variant: Variant, texts: Tokenised, single: Bags, summary: Array, reference: Array, cut: bool) -> Array:
    """Hits of each pair; a token of the summary makes one hit at most, of the reference too where it was ``cut``."""
    starts = texts.starts
    lengths = starts[reference + 1] - starts[reference]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    pair = np.repeat(np.arange(len(summary)), lengths)
    place = np.arange(offsets[-1]) - offsets[pair] + starts[reference][pair]  # in texts.tokens
    union = _union(variant, texts, summary, reference, offsets)
    at = np.flatnonzero(union)
    within = _turn(pair[at] * np.int64(len(texts.words)) + texts.tokens[place[at]])
    most = _often(single, summary[pair[at]], texts.tokens[place[at]])
    if cut:
        most = np.minimum(most, _often(single, reference[pair[at]], texts.tokens[place[at]]))
    at = at[within < most]
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
    known = (token < single.size) & (single.key[at] == wanted) if len(single.key) else np.zeros(len(token), bool)
    return np.where(known, single.count[at], 0) if known.any() else known.astype(np.int64)


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
    length = before[ends] + 1 - carried
    worth = powers(int(length.max(initial=0)), weight)[length]
    return np.bincount(pair[ends], weights=worth, minlength=pairs)
