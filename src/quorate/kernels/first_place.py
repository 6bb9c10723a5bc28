"""How often the first place wins, told apart from the systems shown there: only of pairs that are shown both ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import group_sums, renumbered, used

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class FirstPlace:
    """What the first place wins in each group of votes, and how surprising that is."""

    share: Array  # [draw, group] 0.5 without a preference; NaN where no pair is shown both ways
    won: Array  # [group] of the first draw: votes for the first place on such pairs
    of: Array  # [group] all of them that are no tie
    z: Array  # [group] Mantel and Haenszel's: 0 without a preference; NaN where nothing could tell
    votes: Array  # [vote] whether it is one of them


def first_place(group: Array, pair: Array, swapped: Array, gets: Array, weight: Array, groups: int) -> FirstPlace:
    """From the group, the pair and the order of every vote, and what the first place gets, ``[draw, vote]``.

    Each way of a pair counts the same, a pair by the inverse of its variance: a better system which is shown first more
    often makes no difference.
    """
    code = pair.astype(np.int64) * groups + group
    known, cell = used(code), renumbered(code)
    way = cell * 2 + swapped
    found = from_ways(group_sums(weight, way * 3 + (2 * gets).astype(np.int64), 6 * len(known)), known, groups)
    return replace(found, votes=found.votes[cell] & (weight[0] > 0) & (gets[0] != 0.5))


def from_ways(sums: Array, known: Array, groups: int) -> FirstPlace:
    """The same from sums over the votes of each cell (pair * groups + group), way and outcome, ``[draw, cell x 6]``.

    Of votes it is told whether those of a cell are looked at, ``[cell]``.
    """
    who = known % groups
    lost, _, won = np.moveaxis(sums.reshape(len(sums), len(known), 2, 3), 3, 0)
    of = won + lost
    both = of.sum(axis=2)
    mass = of[..., 0] * of[..., 1] / np.where(both > 0, both, 1.0)
    share = np.where(mass > 0, (won / np.where(of > 0, of, 1.0)).mean(axis=2), 0.0)
    value = quotient(group_sums(mass * share, who, groups), group_sums(mass, who, groups))
    told = mass[0] > 0
    first, total = (group_sums(np.where(told, x[0].sum(axis=1), 0.0), who, groups)[0] for x in (won, of))
    # Given how often either system of a pair wins, votes for it are spread over the two ways at random.
    number, one = both[0], won[0, :, 0] + of[0, :, 1] - won[0, :, 1]
    gap = np.where(told, won[0, :, 0] - of[0, :, 0] * one / np.where(number > 0, number, 1.0), 0.0)
    spread = np.where(told, mass[0] * one * (number - one) / np.maximum(number * (number - 1), 1.0), 0.0)
    gap, spread = (group_sums(x, who, groups)[0] for x in (gap, spread))
    z = np.sign(gap) * quotient(np.maximum(np.abs(gap) - 0.5, 0.0), np.sqrt(spread))
    return FirstPlace(value, first, total, z, told)
