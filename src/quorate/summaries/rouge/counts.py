"""What every pair of a summary and a reference has in common, out of how much, and recall, precision and F of that."""

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


# -- figures of counts -------------------------------------------------------------------------------------------------


def together(
    counts: Counts, summary: Array, number: int, mode: str, jackknife: bool, own: Array, weight: float, alpha: float
) -> tuple[Array, Array]:
    """Recall, precision and F of every summary, from the counts of its pairs with references, ``[summary, 3]``.

    And the counts of all its references, or of the best: in the reference, in the summary, and in both.
    """
    parts = np.stack([counts.hits, counts.reference, counts.summary]).astype(float)
    references = np.bincount(summary, minlength=number)
    if mode == "best":
        top, second = _best(counts.chosen_by, summary, number)
        whole = parts[:, top]
        without = np.where(np.arange(len(summary)) == top[summary], second[summary], top[summary])
        left = parts[:, without]
    else:
        whole = np.stack([np.bincount(summary, weights=p, minlength=number) for p in parts])
        left = whole[:, summary] - parts
    out = _figures(whole, weight, alpha)
    if jackknife:
        each = _figures(left, weight, alpha)
        mean = np.stack([np.bincount(summary, weights=e, minlength=number) for e in each.T], axis=1)
        many = (references > 1) & ~own  # people already have a reference less
        out[many] = mean[many] / references[many, None]
    return out, whole[[1, 2, 0]].T


def _best(score: Array, summary: Array, number: int) -> tuple[Array, Array]:
    """The best and the second best pair of every summary, the earlier one first; the best again where it is alone."""
    order = np.lexsort((np.arange(len(score)), -score, summary))
    first = np.searchsorted(summary[order], np.arange(number))
    again = np.minimum(first + 1, len(order) - 1)
    again = np.where(summary[order][again] == np.arange(number), again, first)
    return order[first], order[again]


def _figures(counts: Array, weight: float, alpha: float) -> Array:
    """Recall, precision and F, ``[..., 3]``; a weight is taken out again by its root."""
    hits, reference, summary = counts
    recall, precision = (quotient(hits, of, otherwise=0.0) ** (1 / weight) for of in (reference, summary))
    return np.stack([recall, precision, f_measure(recall, precision, alpha)], axis=-1)


def corpus_figures(counts: Array, alpha: float) -> Array:
    """R, P and F of counts added up, ``[..., reference summary hits]``; of W no root is taken, as in the script."""
    reference, summary, hits = np.moveaxis(np.asarray(counts, float), -1, 0)
    r, p = (quotient(hits, of, otherwise=0.0) for of in (reference, summary))
    return np.stack([r, p, f_measure(r, p, alpha)], axis=-1)


def f_measure(recall: Array, precision: Array, alpha: float) -> Array:
    """The weighted harmonic mean of both; 0 where both are."""
    below = (1 - alpha) * precision + alpha * recall
    out: Array = quotient(precision * recall, below, otherwise=0.0)
    return out
