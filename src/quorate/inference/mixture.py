"""Mixtures: judges of several camps, each with a consensus of its own, fitted by EM; and how many camps there are.

A model is told how much every judge counts in every camp, fits each camp, and says how likely all judges' answers are
in it. Judges who count nothing are held out: their likelihood says whether one camp more is worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ROUNDS, STILL = 10, 0.01  # of EM at most, and no judge's share in a camp changes more when it is settled
FOLDS = 5  # in which judges are held out
LEAST = 0.5  # judge who belongs to every camp beforehand


Starts = Callable[[Array, int], Sequence[Array]]  # of the judges kept, so many camps, [judge] with -1 of the others


class CampModel(Protocol):
    """What is known of judges of a camp."""

    def fit(self, weights: Array) -> Array:
        """The log-likelihood of every judge's answers in every camp, ``[camp, judge]``, of camps fitted to weights."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Judges in camps: how large each camp is, and how surely each judge belongs to each."""

    share: Array  # [camp]
    member: Array  # [camp, judge] sums to 1 over camps
    likelihood: Array  # [judge] log


def fitted(model: CampModel, camp: Array, number: int, keep: Array | None = None) -> Mixture:
    """The mixture that EM reaches from camps of judges, ``[judge]``; only those kept are fitted to."""
    kept = np.ones(len(camp)) if keep is None else keep.astype(float)
    member = (camp == np.arange(number)[:, None]).astype(float)
    for _ in range(ROUNDS):
        weights = member * kept
        share = (weights.sum(axis=1) + LEAST) / (kept.sum() + LEAST * number)
        joint = np.log(share)[:, None] + model.fit(weights)
        top = joint.max(axis=0)
        likelihood = top + np.log(np.exp(joint - top).sum(axis=0))
        new = np.exp(joint - likelihood)
        moved = float((np.abs(new - member) * kept).max(initial=0.0))
        member = new
        if number == 1 or moved < STILL:
            break
    return Mixture(share, member, likelihood)


def likeliest(model: CampModel, starts: Sequence[Array], number: int, keep: Array | None = None) -> Mixture | None:
    """The mixture by which those kept are likeliest, of those that EM reaches from several splits; None of none."""
    found = [fitted(model, camp, number, keep) for camp in starts]
    kept = slice(None) if keep is None else keep
    return max(found, key=lambda mixture: float(mixture.likelihood[kept].sum()), default=None)


def held_out(model: CampModel, starts: Starts, judges: int, number: int) -> Array:
    """The log-likelihood of every judge's answers by a mixture of others, split without looking at the judge,
    ``[judge]``; by that of one camp where the others cannot be split."""
    fold, one = np.arange(judges) % FOLDS, np.zeros(judges, np.int64)
    out = np.empty(judges)
    for k in range(FOLDS):
        mine = fold == k
        found = likeliest(model, starts(~mine, number), number, ~mine) or fitted(model, one, 1, ~mine)
        out[mine] = found.likelihood[mine]
    return out


def gain(few: Array, more: Array) -> tuple[float, float]:
    """How much likelier judges held out are by one camp more, on average, and the standard error of that."""
    apart = more - few
    return float(apart.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart))) if len(apart) > 1 else 0.0
