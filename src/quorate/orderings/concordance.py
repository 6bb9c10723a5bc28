"""Kendall's W, corrected for ties, with its test; and W when judges left items out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import concordance as kernel
from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_of_pairs
from quorate.kernels.ranks import complete, fill_below, mid_ranks
from quorate.kernels.tails import chi_square_tail
from quorate.orderings.counted_agreement import of_complete, squares
from quorate.orderings.pairwise import MISSING, rho, sample_judges, sampled_counts
from quorate.orderings.rankings import Measured, Rankings, one_task
from quorate.orderings.tally import Tally, counted
from quorate.table import Note, checked, method

Array = NDArray[Any]


def _counted(tally: Tally, own: Tally, **parameters: Any) -> Measured:
    """The same of very many complete rankings, from what they add up to."""
    judges, free = tally.judges, tally.items - 1
    spread = tally.section("squares")[:, 0] if tally.has("squares") else judges * float(tally.items**3 - tally.items)
    w = quotient(12 * squares(tally), judges * spread)
    chi2, df = judges * free * w, np.full(len(w), free)
    return Measured(w, {"chi2": chi2.tolist(), "df": df.tolist(), "p": chi_square_tail(chi2, df).tolist()})


@method(
    "orderings",
    "agreement",
    "kendall_w",
    range=(0, 1),
    higher="more agreement",
    default=True,
    reference="Kendall and Babington Smith 1939; incomplete: Skillings and Mack 1981 (test)",
    parameters={"missing": MISSING},
    symmetric=True,
    relabelling=True,
    some_items=True,
    copies=True,
    additive=counted(_counted, of_complete("squares")),
    sampled=lambda positions, *some: None if complete(positions).all() else sampled_counts(positions, *some),
    note=Note(
        "One figure for the whole panel on one scale, with a classical test behind it.",
        "It is about 1 / N by chance, so small panels look agreed. It cannot tell two camps from a lukewarm whole.",
        "12 S / (N^2 (n^3 - n) - N T); S = sum over items of (rank sum - mean rank sum)^2, T = sum over all ties of "
        "t items of t^3 - t; with absent items (1 + (N - 1) mean rho) / N",
    ),
)
def measure(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    seed: int = 0,
    missing: str = "unknown",
) -> Measured:
    """Kendall's W: how far the judges' rank sums are from equal."""
    tasks, _, items = positions.shape
    filled = fill_below(positions) if missing == "below" else positions
    whole = complete(np.where(counts[:, :, None] > 0, filled, 1))
    w, chi2, df = np.full(tasks, math.nan), np.full(tasks, math.nan), np.full(tasks, max(items - 1, 0))
    if whole.any():
        w[whole], chi2[whole] = kernel.concordance(mid_ranks(filled[whole]), counts[whole])
    if not whole.all():
        rest = positions if not whole.any() else positions[~whole]
        w[~whole] = _incomplete(rest, counts[~whole], missing, seed)
    alone = counts.sum(axis=1) < 2  # one judge agrees with nobody
    w[alone], chi2[alone] = math.nan, math.nan
    if brief:
        return Measured(w)
    if missing == "unknown":
        for t in np.flatnonzero(~whole & ~alone):
            chi2[t], df[t] = kernel.skillings_mack(positions[t], counts[t])
    return Measured(w, {"chi2": chi2.tolist(), "df": df.tolist(), "p": chi_square_tail(chi2, df).tolist()})


def _incomplete(positions: Array, counts: Array, missing: str, seed: int) -> Array:
    """W from the mean rho of all pairs, (1 + (N - 1) rho) / N, which is W itself when nothing is absent or tied."""
    judges = np.maximum(counts.sum(axis=1), 1)
    if len(positions) == 1:
        positions, counts = sample_judges(positions, counts, seed)
    mean = mean_of_pairs(rho.once(positions, missing=missing), counts, counted=True)
    return np.asarray(np.maximum((1 + (judges - 1) * mean) / judges, 0.0))


@dataclass(frozen=True, slots=True)
class Concordance:
    """Kendall's W and the test against judges who rank at random."""

    value: float
    chi2: float
    df: int
    p: float


def kendall_w(rankings: Rankings, missing: str = "unknown") -> Concordance:
    """Kendall's W: how far the judges' rank sums are from equal.

    1 when all judges give the same order; about 1 / judges when they order at random. Ties are corrected for. Where
    judges left items out (and ``missing`` is ``unknown``), W is taken from the mean rho of all pairs and the test is
    Skillings and Mack's.

    >>> round(kendall_w(["abc", "abc", "acb"]).value, 4)
    0.7778
    """
    how = checked("kendall_w", "orderings", "agreement", missing=missing)
    task = one_task(rankings)
    found = measure(task.positions, task.counts, **how)
    d = found.details
    return Concordance(float(found.values[0]), d["chi2"][0], d["df"][0], d["p"][0])
