"""A standard algorithm to try a gold standard with: average linkage of texts by TF-IDF and cosine."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from quorate.errors import BadParameter, InputError
from quorate.groupings.association import check
from quorate.groupings.linkage_tree import average_linkage
from quorate.panel.kinds import Groupings

WORD = re.compile(r"[^\W_]+")
SYSTEM = "average_linkage"


def text_linkage(
    items: Sequence[Hashable],
    texts: Sequence[str],
    groups: int | None = None,
    tasks: Sequence[Hashable] | None = None,
    *,
    singletons: bool = False,
) -> Groupings:
    """A system's clusters of texts, task by task: so many groups, or the square root of half as many as texts.

    Of a cluster of one text it is said that it is left out, as the guidelines have it, unless ``singletons`` are kept.

    >>> texts = ["ash fell on roofs", "ash on the roofs", "people fled", "the people fled by bus"]
    >>> text_linkage("abcd", texts, groups=2).columns()["group"]
    [1, 1, 2, 2]
    """
    if not items:
        raise InputError("no texts.", "give a table with the columns item and text.")
    if groups is not None and groups < 1:
        raise BadParameter(f"groups={groups} is out of range.", "one group or more.")
    where: dict[Hashable, list[int]] = {}
    for k in range(len(items)):
        where.setdefault(None if tasks is None else tasks[k], []).append(k)
    group: list[int | None] = [None] * len(items)
    for rows in where.values():
        check(len(rows))
        some = min(groups or max(1, round(math.sqrt(len(rows) / 2))), len(rows))
        found = average_linkage(distances([texts[k] for k in rows])).cut(some)
        size = np.bincount(found)
        for k, own in zip(rows, found.tolist(), strict=True):
            group[k] = own + 1 if singletons or size[own] > 1 or len(rows) == 1 else None
    raw = {"judge": [SYSTEM] * len(items), "item": list(items), "group": group}
    return Groupings.build(raw if tasks is None else {"task": list(tasks), **raw})


def distances(texts: Sequence[str]) -> np.ndarray:
    """1 less the cosine of every two texts, words weighted by their frequency times log(texts / texts with them) + 1.

    A text without a word is at distance 1 from all others.
    """
    counts = [Counter(WORD.findall(text.casefold())) for text in texts]
    words = {word: k for k, word in enumerate(sorted({w for own in counts for w in own}))}
    if not words:
        return np.asarray(1.0 - np.eye(len(texts)))
    table = np.zeros((len(texts), len(words)), np.float32)
    for row, own in zip(table, counts, strict=True):
        row[[words[w] for w in own]] = list(own.values())
    table *= np.log(len(texts) / (table > 0).sum(axis=0)) + 1
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
    out = 1.0 - (table @ table.T).astype(float).round(6)  # rounded: the same on every machine
    np.fill_diagonal(out, 0.0)
    return np.asarray(np.clip(out, 0.0, 1.0))
