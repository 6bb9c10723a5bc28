"""How certain an order is: where each item's place lies in resampled panels, and how often each is first there."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import ranks

Array = NDArray[Any]


def order_certainty(positions: Array, drawn: Array | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """Each item's rank, where it lies in resampled panels, and how often each item is first there, alone or tied."""
    rank = ranks.mid_ranks(positions[None, None])[0, 0]
    out: dict[str, Any] = {"rank": {str(i): r for i, r in zip(items, rank.tolist(), strict=True)}}
    if drawn is None:
        return {**out, "rank_interval": None, "first": None, "resamples": 0}
    number, places = len(drawn), ranks.mid_ranks(drawn[None])[0]
    ends = [max(math.ceil(number * share - 1), 0) for share in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.partition(places, ends, axis=0)[ends]  # ranks that occur, so that none lies between places
    first = (drawn == 1).mean(axis=0)
    out["rank_interval"] = {str(i): [a, b] for i, a, b in zip(items, low.tolist(), high.tolist(), strict=True)}
    out["first"] = {str(i): s for i, s in zip(items, first.tolist(), strict=True) if s > 0}
    out["resamples"] = number
    return out
