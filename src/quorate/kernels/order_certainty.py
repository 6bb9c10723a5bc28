"""How certain an order is: where each item's place lies in resampled panels, and how often each is first there."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import ranks

Array = NDArray[Any]
CELLS = 1 << 22  # ranks worked on at a time
HALVES = 1 << 22  # items, of fewer every rank is exact in single precision


def _ends(drawn: Array, ends: list[int]) -> Array:
    """The ranks of every item at these places among its ranks in all draws, ``[end, item]``: ranks that occur, so that
    none lies between places. Of very many items some at a time."""
    number, items = drawn.shape
    places = np.empty(drawn.shape, np.float32 if items < HALVES else np.float64)
    for rows in (slice(a, a + step) for step in [max(1, CELLS // items)] for a in range(0, number, step)):
        places[rows] = ranks.mid_ranks(drawn[rows][None])[0]
    out = np.empty((len(ends), items))
    for some in (slice(a, a + step) for step in [max(1, CELLS // number)] for a in range(0, items, step)):
        out[:, some] = np.partition(places[:, some], ends, axis=0)[ends]
    return out


def order_certainty(positions: Array, drawn: Array | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """Each item's rank, where it lies in resampled panels, and how often each item is first there, alone or tied."""
    rank = ranks.mid_ranks(positions[None, None])[0, 0]
    out: dict[str, Any] = {"rank": {str(i): r for i, r in zip(items, rank.tolist(), strict=True)}}
    if drawn is None:
        return {**out, "rank_interval": None, "first": None, "resamples": 0}
    number = len(drawn)
    low, high = _ends(drawn, [max(math.ceil(number * share - 1), 0) for share in ((1 - level) / 2, (1 + level) / 2)])
    first = (drawn == 1).mean(axis=0)
    out["rank_interval"] = {str(i): [a, b] for i, a, b in zip(items, low.tolist(), high.tolist(), strict=True)}
    out["first"] = {str(i): s for i, s in zip(items, first.tolist(), strict=True) if s > 0}
    out["resamples"] = number
    return out
