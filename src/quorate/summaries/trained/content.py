"""Features of content: what a summary has in common with models, with earlier models, and with its documents."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.summaries.rouge.counts import Counts, count, together
from quorate.summaries.rouge.nouveau import PUBLISHED
from quorate.summaries.rouge.variants import Variant
from quorate.summaries.trained.material import Lists, Material, add, feature

Array = NDArray[Any]
ROUGE = {"rouge_1": "1", "rouge_2": "2", "rouge_3": "3", "rouge_4": "4"}
ROUGE |= {"rouge_l": "L", "rouge_w": "W-1.2", "rouge_su4": "SU4"}


def recall(material: Material, references: Lists, kind: str, jackknife: bool | None = None) -> Array:
    """ROUGE recall of every summary against its references, pooled; NaN where there are none."""
    out = np.full(len(material.texts), np.nan)
    rows = [k for k, some in enumerate(references) if some]
    if not rows:
        return out
    variant, (views, number) = Variant.parse(kind), material.views
    pairs = [(k, r) for k in rows for r in references[k]]
    known = material.counted.setdefault(kind, {})
    new = {(material.texts[k], r): (k, len(out) + number[r]) for k, r in pairs if (material.texts[k], r) not in known}
    if new:
        found = count(variant, views, *np.array(list(new.values()), np.int64).T)
        known.update(zip(new, zip(found.hits.tolist(), found.reference.tolist(), strict=True), strict=True))
    hits, length = np.array([known[material.texts[k], r] for k, r in pairs], float).T
    counts, place = (
        Counts(hits, length, length, hits),
        np.repeat(np.arange(len(rows)), [len(references[k]) for k in rows]),
    )
    own = np.array(material.own or [False] * len(out), bool)[rows]
    again = material.jackknife if jackknife is None else jackknife
    out[rows] = together(counts, place, len(rows), "pooled", again, own, variant.weight, 0.5)[0][:, 0]
    return out


def _rouge(material: Material, kind: str) -> Array:
    return recall(material, material.models, kind)


for _name, _kind in ROUGE.items():
    _about = f"Recall of ROUGE-{_kind} against the models, pooled."
    add(_name, partial(_rouge, kind=_kind), ("models",), 1, _about)


def _coverage(material: Material, n: int) -> Array:
    """Of each n-gram of the summary the share of models that have it, averaged over the summary's n-grams."""
    known: dict[str, set[tuple[str, ...]]] = {}
    every = list(dict.fromkeys(m for some in material.models for m in some))
    for text, tokens in zip(every, material.tokens(every), strict=True):
        known[text] = set(grams(tokens, n))
    out = np.full(len(material.texts), np.nan)
    for k, tokens in enumerate(material.tokens(material.texts)):
        models = [known[m] for m in material.models[k]]
        mine = grams(tokens, n)
        if models:
            hits = sum(g in m for m in models for g in mine)
            out[k] = hits / (len(models) * len(mine)) if mine else 0.0
    return out


def grams(tokens: list[str], n: int) -> list[tuple[str, ...]]:
    """Every run of n tokens.

    >>> grams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(tokens[k:] for k in range(n)), strict=False))


for _n in (1, 2):
    _about = f"Share of models that have a {_n}-gram of the summary, averaged over its {_n}-grams."
    add(f"coverage_{_n}", partial(_coverage, n=_n), ("models",), 1, _about)


@feature("divergence", "documents", better=-1)
def divergence(material: Material) -> Array:
    """Jensen-Shannon divergence of the summary's words from the documents', in bits: 0 alike, 1 nothing shared."""
    known: dict[tuple[str, ...], Counter[str]] = {}
    out = np.full(len(material.texts), np.nan)
    for k, tokens in enumerate(material.tokens(material.texts)):
        documents = material.documents[k]
        if documents and documents not in known:
            known[documents] = Counter(t for some in material.tokens(documents) for t in some)
        if documents:
            out[k] = jensen_shannon(Counter(tokens), known[documents])
    return out


def jensen_shannon(left: Counter[str], right: Counter[str]) -> float:
    """The divergence of two bags of words in bits; 1 where one of them is empty.

    >>> jensen_shannon(Counter("ab"), Counter("ab")), jensen_shannon(Counter("a"), Counter("b"))
    (0.0, 1.0)
    """
    n, m = left.total(), right.total()
    if not n or not m:
        return 1.0
    out, there = 0.0, 0.0  # what only the right has gives half a bit for each unit of its share
    for word, times in left.items():
        p, q = times / n, right[word] / m
        out += p * math.log2(2 * p / (p + q)) + (q * math.log2(2 * q / (p + q)) if q else 0.0)
        there += q
    return max(0.0, (out + (1 - there)) / 2)


def _nouveau(material: Material, n: int) -> Array:
    old = recall(material, material.earlier, str(n), jackknife=False)
    return PUBLISHED[n].score(old, recall(material, material.models, str(n)))


for _n in (1, 2):
    _about = f"Nouveau-ROUGE-{_n} with the published coefficients; of updates only."
    add(f"nouveau_{_n}", partial(_nouveau, n=_n), ("models", "earlier"), 1, _about)
