"""What a judge counts by the mean correlation with the others (WCA of Kim, Zhai and Han): one rule for all methods.

The paper says nothing of judges whom the others contradict. ``clip`` makes their weights 0, so that no weighted mean of
correlations leaves -1 to 1; ``keep`` is the formula as printed, which believes them in reverse; ``mapped`` weighs by
(1 + mean correlation) / 2. Where the weights do not add up to more than 0, all judges count the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.table import choice

Array = NDArray[Any]
NONE = 1e-12  # a weight nearer to 0 is rounding: correlations that cancel out, in whatever order they were added up
NEGATIVE = choice(
    "weights of judges whom the others contradict: 0, as they are, or all weights mapped from -1 ... 1 to 0 ... 1",
    "clip",
    "keep",
    "mapped",
)


def agreement_weights(mean: Array, counts: Array, negative: str = "clip") -> tuple[Array, Array, Array]:
    """Weights ``[..., judge]`` from mean correlations with the others and from how many judges each row stands for.

    Also how many judges the others contradict, and where all judges count the same for want of weights, ``[...]`` each.
    """
    known = np.where(counts > 0, np.nan_to_num(mean), 0.0)
    known[np.abs(known) < NONE] = 0.0
    each = {"clip": np.maximum(known, 0.0), "keep": known, "mapped": (1 + known) / 2}[negative]
    weight = counts * each
    none = np.asarray(weight.sum(axis=-1) <= NONE)
    return np.where(none[..., None], counts, weight), np.asarray((known < 0).sum(axis=-1)), none
