"""Kendall's W of scores: do the judges put the units in the same order?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.tails import chi_square_tail
from quorate.panel.coefficient import Coefficient
from quorate.panel.score_facts import inside
from quorate.panel.units import Units, from_table
from quorate.scores.icc import complete
from quorate.table import Note, method

Array = NDArray[Any]


@method(
    "scores",
    "agreement",
    "kendall_w",
    range=(0, 1),
    higher="more agreement",
    chance="about 1 / judges",
    reference="Kendall and Babington Smith 1939",
    symmetric=True,
    interval="student",
    judges="apart",
    note=Note(
        "Judges who use the scale differently: only the order of units counts.",
        "About 1 / judges by chance; needs the units that all judges scored.",
        "12 S / (N^2 (n^3 - n) - N T) of the judges' ranks of units; S = sum over units of (rank sum - mean rank "
        "sum)^2, T = sum over all ties of t units of t^3 - t",
    ),
)
def measure(units: Units) -> Coefficient:
    """Kendall's W, corrected for ties: how far the judges' rank sums of units are from equal."""
    place, table = complete(units)
    orders = [np.unique(column, return_inverse=True)[1].ravel() for column in table.T]
    judges = table.shape[1]

    def of(weights: Array) -> Array:
        often = weights[:, place]
        n = often.sum(axis=1)
        total, ties = np.zeros_like(often), np.zeros(len(often))
        for code in orders:
            held = np.array([np.bincount(code, w, int(code.max(initial=0)) + 1) for w in often])
            total += (np.cumsum(held, axis=1) - held / 2 + 0.5)[:, code]
            ties += (held**3 - held).sum(axis=1)
        spread = (often * (total - (judges * (n + 1) / 2)[:, None]) ** 2).sum(axis=1)
        room = judges**2 * (n**3 - n) - judges * ties
        return quotient(12 * spread, np.where(room > 1e-9, room, 0.0)) if judges > 1 else np.full(len(often), math.nan)

    found = Coefficient(of, units.size, inside(units), 4 * judges)
    w, n = found.value, len(place)
    chi2 = judges * (n - 1) * w
    p = float(chi_square_tail(np.array([chi2]), np.array([n - 1]))[0])
    details = {**inside(units), "complete_units": n, "chi2": chi2, "df": max(n - 1, 0), "p": p}
    return Coefficient(of, units.size, details, 4 * judges)


def kendall_w(scores: Any) -> float:
    """Kendall's W of a table of judges x items, on the items that every judge scored.

    1 when all judges put the items in the same order, about 1 / judges when at random. Levels do not matter, only
    order: a judge who is harsher throughout agrees.

    >>> kendall_w([[1, 2, 3], [10, 20, 30]])
    1.0
    """
    return float(measure(from_table(scores)).value)
