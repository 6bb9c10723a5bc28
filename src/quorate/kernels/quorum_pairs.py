"""Of the pairs of items that a judge puts together, which ones enough judges do: many panels of one shape at once.

Panels run along the last axis and labels are small, so that a pair of items is compared for thousands of panels in
one go, a byte each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 19  # of a chunk: judges x items x panels
ITEMS = 64  # of a panel, above which numbers might not fit


def shared_pairs(labels: Array, counts: Array, need: Array) -> tuple[Array, Array, Array]:
    """Each judge's supported pairs and all pairs, ``[panel, judge]``, and how many pairs are supported, ``[panel]``.

    From ``labels[panel, judge, item]``; -1 is with nothing.

    A pair is supported when the judges who put it together count ``need[panel]`` or more.
    """
    panels, judges, items = labels.shape
    shared, own, known = np.zeros((judges, panels)), np.zeros((judges, panels)), np.zeros(panels)
    step = max(1, CELLS // max(judges * items, 1))
    for a in range(0, panels, step):
        some = slice(a, min(a + step, panels))
        found = _chunk(np.ascontiguousarray(labels[some].transpose(1, 2, 0), np.int8), counts[some], need[some])
        shared[:, some], own[:, some], known[some] = found
    return shared.T, own.T, known


def _chunk(labels: Array, counts: Array, need: Array) -> tuple[Array, Array, Array]:
    judges, items, panels = labels.shape
    other = np.where(labels < 0, np.int8(-2), labels)  # what is left out equals nothing
    plain = bool((counts == 1).all()) and judges < 256
    weight = counts.T[:, None]
    enough = np.clip(need, 0, 255).astype(np.uint8) if plain else need
    impossible = need > 255 if plain else np.zeros(panels, bool)
    shared, own = (np.zeros((judges, panels), np.int32) for _ in range(2))
    known = np.zeros(panels, np.int64)
    for i in range(items - 1):
        same = labels[:, i, None] == other[:, i + 1 :]  # [judge, item, panel]
        together = _sum(same, axis=0) if plain else (same * weight).sum(axis=0)
        supported = together >= enough
        if impossible.any():
            supported[:, impossible] = False
        own += _sum(same, axis=1)
        same &= supported
        shared += _sum(same, axis=1)
        known += _sum(supported, axis=0)
    return shared, own, known


def _sum(held: Array, axis: int) -> Array:
    """How many are true: fewer than 256, so a byte holds them."""
    return np.asarray(np.add.reduce(held.view(np.uint8), axis=axis, dtype=np.uint8))
