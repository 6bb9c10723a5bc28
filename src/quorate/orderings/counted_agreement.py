"""Agreement of very many complete rankings without ties, from how many judges put i before j.

These counts add up over judges (:mod:`~quorate.orderings.tally`). Where a ranking lacks items or ties some, tau, rho
and W need every ranking by itself, for each has a scale of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.orderings.rankings import Measured
from quorate.orderings.tally import Tally

Array = NDArray[Any]


def tau(tally: Tally, own: Array, **parameters: Any) -> Measured:
    """Mean tau over pairs of judges: squares of (before - after) less what every judge has with itself."""
    first, second = np.triu_indices(tally.items, 1)
    lead = 2 * tally.before[:, first, second] - tally.judges[:, None]
    return _mean(tally, np.einsum("tp,tp->t", lead, lead), own, len(first))


def rho(tally: Tally, own: Array, **parameters: Any) -> Measured:
    """Mean rho over pairs of judges: squares of rank sums less what every judge has with itself."""
    return _mean(tally, squares(tally), own, tally.items * (tally.items**2 - 1) / 12)


def squares(tally: Tally) -> Array:
    """Squares of rank sums about their mean."""
    away = tally.rank_sums - (tally.judges * (tally.items + 1) / 2)[:, None]
    return np.asarray(np.einsum("ti,ti->t", away, away))


def _mean(tally: Tally, products: Array, own: Array, each: float) -> Measured:
    """The mean over pairs of judges of what adds up to ``products`` over all of them, and ``each`` with itself."""
    judges = tally.judges.astype(float)
    number = (tally.judges * (tally.judges - 1) // 2).tolist()
    value = quotient(products - own * each, (judges**2 - own) * each)
    return Measured(value, {"pairs": number, "undefined_pairs": [0] * len(number)})
