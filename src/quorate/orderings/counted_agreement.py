"""Agreement of very many rankings, from what they add up to (:mod:`~quorate.orderings.additive_counts`).

Where rankings are complete, or made so by putting absent items below the others, what two judges have in common is a
product of what each has: signs of pairs of items, or ranks, on the judge's own scale. So the sum over all pairs of
judges is the square of the sum over judges, less what every judge has with himself. Items that a judge says nothing of
leave every two judges a scale of their own, and then no sum will do; but for support, which asks of each judge alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.orderings.rankings import Measured
from quorate.orderings.tally import Tally
from quorate.panel.sections import DIGITS, UNIT
from quorate.table import Method

Array = NDArray[Any]


def of_complete(*if_tied: str) -> Callable[[Method, bool, bool], tuple[str, ...] | None]:
    """The sections of a method of complete rankings; those beside the usual ones where some judge ties items."""
    return lambda method, gaps, tied: None if gaps else if_tied if tied else ()


def tau(tally: Tally, own: Tally, **parameters: Any) -> Measured:
    """Mean tau over pairs of judges: squares of (before - after), less a judge's own, those that he does not tie."""
    lead, untied = _lead(tally), _upper(own.before) + _upper(own.before.transpose(0, 2, 1))
    return _mean(tally.judges, own.judges, _squares(lead) - untied.sum(axis=1), lead.shape[1])


def tau_b(tally: Tally, own: Tally, **parameters: Any) -> Measured:
    """Mean tau-b over pairs of judges, of whom each is scaled by the root of the pairs that he does not tie."""
    if not tally.has("signs"):
        return tau(tally, own)
    signs, size = tally.section("signs") / UNIT, tally.items**2
    return _of_scaled(tally, own, "signs", _squares(_upper(signs[:, :size].reshape(tally.before.shape))))


def tau_x(tally: Tally, own: Tally, **parameters: Any) -> Measured:
    """Mean tau-x over pairs of judges: squares of (before - after) and of ties, less a judge's own, all pairs."""
    lead, there = _lead(tally), tally.judges[:, None]
    tied = there - _upper(tally.before) - _upper(tally.before.transpose(0, 2, 1))
    each = lead.shape[1]
    return _mean(tally.judges, own.judges, _squares(lead) + _squares(tied) - own.judges * float(each), each)


def rho(tally: Tally, own: Tally, **parameters: Any) -> Measured:
    """Mean rho over pairs of judges: squares of rank sums, less what every judge has with himself."""
    if tally.has("ranks"):
        return _of_scaled(tally, own, "ranks", _squares(tally.section("ranks")[:, :-1] / UNIT))
    each = tally.items * (tally.items**2 - 1) / 12
    return _mean(tally.judges, own.judges, squares(tally) - own.judges * each, each)


def squares(tally: Tally) -> Array:
    """Squares of rank sums about their mean."""
    return _squares(tally.rank_sums - (tally.judges * (tally.items + 1) / 2)[:, None])


def _of_scaled(tally: Tally, own: Tally, section: str, products: Array) -> Measured:
    """The mean over pairs of those judges who have a scale: who ties all items has none."""
    there, alone = (np.rint(of.section(section)[:, -1]).astype(np.int64) for of in (tally, own))
    found = _mean(there, alone, products - alone, 1.0)
    every = (tally.judges * (tally.judges - 1) // 2).tolist()
    pairs = found.details["pairs"]
    return Measured(
        found.values.round(DIGITS),
        {"pairs": pairs, "undefined_pairs": [a - b for a, b in zip(every, pairs, strict=True)]},
    )


def _mean(judges: Array, own: Array, products: Array, each: float) -> Measured:
    """The mean over pairs of judges of what adds up to ``products`` over all of them."""
    number = (judges * (judges - 1) // 2).tolist()
    value = quotient(products, (judges.astype(float) ** 2 - own) * each)
    return Measured(value, {"pairs": number, "undefined_pairs": [0] * len(number)})


def _lead(tally: Tally) -> Array:
    """Judges who put the first of two items before the second less those who put it after, ``[task, pair]``."""
    return _upper(tally.before) - _upper(tally.before.transpose(0, 2, 1))


def _upper(square: Array) -> Array:
    first, second = np.triu_indices(square.shape[1], 1)
    return square[:, first, second]


def _squares(values: Array) -> Array:
    return np.asarray(np.einsum("tp,tp->t", values, values))
