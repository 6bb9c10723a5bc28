"""How far can the result be trusted? Does it survive swapping places, and how many votes does it take?"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import counts, group_sums, shares
from quorate.panel.design import Trusted
from quorate.panel.pairs import VoteDesign
from quorate.table import Note, method, number, whole
from quorate.votes.bradley_terry import SYSTEMS, strengths
from quorate.votes.judges import Swaps
from quorate.votes.quality import win_rate

__all__ = ["majority_share", "swaps", "votes_needed"]

Array = NDArray[Any]
SIZES = (1, 3, 10, 30, 100, 300, 1000)  # numbers of votes that are told


def _units(v: VoteDesign, core: Any) -> tuple[str, Array, int]:
    """What is drawn, the unit of every vote, and how many units there are."""
    over = core.options.over or v.over
    return (over, v.task, len(v.tasks)) if over == "tasks" else ("judges", v.judge, len(v.judges))


@method(
    "votes",
    "trust",
    "swaps",
    range=(0, 1),
    higher="verdicts that stay when places are swapped",
    chance="about 1/2",
    default=True,
    note=Note(
        "Before believing votes of a language model: would it say the same with the places swapped?",
        "Only pairs that a judge saw in both places on a task count; a judge who always ties never changes.",
        "pairs with the same verdict in both places / pairs seen in both places, by one judge on one task",
    ),
)
def swaps(v: VoteDesign, core: Any) -> Trusted:
    """The share of verdicts that stay when the two places are swapped, of all judges together and of each.

    A verdict that turns into a tie, or out of one, changed; one that goes to the other system is reversed as well.
    """
    found = Swaps(v)
    weight, stays = v.count[found.vote], found.stays(v.side)[0]
    over, unit, size = _units(v, core)
    kept, of = (group_sums(x, unit[found.vote], size)[0] for x in (weight * stays, weight))
    value = float(kept.sum() / of.sum()) if of.sum() else math.nan
    between = None
    if (of > 0).sum() > 1:
        draws = core.drawn(size, size, "swaps")
        between = core.interval(value, shares(draws @ kept, draws @ of), over, int((of > 0).sum()), (0.0, 1.0))
    other = v.side[0, found.one] * v.side[0, found.other] < 0
    decided = (v.changed < 0) & (v.outcome[0] != 0.5)
    numbers = {
        "changed": of.sum() - kept.sum(),
        "reversed": v.count[found.one][other].sum(),
        "swapped": of.sum(),
        "first_won": v.count[decided & (v.outcome[0] == 1)].sum(),
        "decided": v.count[decided].sum(),
        "ties": v.count[v.outcome[0] == 0.5].sum(),
        "votes": v.count.sum(),
    }
    labels = {name: round(float(n)) for name, n in numbers.items()}
    who, judges = v.judge[found.vote], len(v.judges)
    mine, each = (group_sums(x, who, judges)[0] for x in (weight * stays, weight))
    rows = {"stayed": counts(mine), "swapped": counts(each)}
    figure = core.figure(value, labels, between)
    return Trusted({"judge": list(v.judges)}, shares(mine, each).tolist(), [figure], rows)


@method(
    "votes",
    "trust",
    "votes_needed",
    range=(1, math.inf),
    higher="a closer race",
    default=True,
    parameters={
        "target": number("how often the majority should be that of all votes", 0.5, 0.9999),
        "leaders": whole("how many of the first systems are compared, two by two", 2, 50),
    },
    note=Note(
        "Is the lead of the first system worth anything with as few votes as there are?",
        "Takes votes as independent; those of one judge or one task are not, so it takes more.",
        "z^2 (p + q - (p - q)^2) / (p - q)^2; p, q = shares of votes for either; z = normal quantile of the target",
    ),
)
def votes_needed(v: VoteDesign, core: Any, target: float = 0.95, leaders: int = 3) -> Trusted:
    """How many votes on two leading systems it takes until their majority is, mostly, that of all votes on the two.

    Votes are taken as independent and as often for either system as these are, so the number is a lower bound.
    """
    plain = v.often()
    strength = strengths(v, plain, 0.01) if len(v.systems) <= SYSTEMS else win_rate(v, plain)
    falling = np.where(np.isnan(strength.values[0]), np.inf, -np.round(strength.values[0], 9))
    order = np.argsort(falling, kind="stable")[:leaders]
    over, unit, size = _units(v, core)
    draws = core.drawn(size, size, "votes_needed")
    pairs, values, rows = [], [], []
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            one, two = int(order[a]), int(order[b])
            table = _results(v, one, two, unit, size)
            needed, between, chances = _race(table, draws, target, core, over)
            pair = f"{v.systems[one]} and {v.systems[two]}"
            won, tied, lost = counts(table.sum(axis=0))
            labels = {"systems": pair, "wins": won, "ties": tied, "losses": lost}
            values.append(core.figure(needed, labels, between))
            pairs += [pair] * len(SIZES)
            rows += chances
    return Trusted({"systems": pairs, "votes": [*SIZES] * len(values)}, rows, values)


def _results(v: VoteDesign, one: int, two: int, unit: Array, size: int) -> Array:
    """Votes that the one system won, tied and lost against the other, by unit: ``[unit, 3]``."""
    mine = np.flatnonzero(v.pair == min(one, two) * len(v.systems) + max(one, two))
    gets = np.where(v.first[mine] == one, v.outcome[0, mine], 1 - v.outcome[0, mine])
    place = unit[mine] * 3 + np.rint(2 - 2 * gets).astype(np.int64)
    return np.asarray(group_sums(v.count[mine], place, size * 3)[0].reshape(size, 3))


def _race(table: Array, draws: Array, target: float, core: Any, over: str) -> tuple[float, Any, list[float]]:
    """The votes it takes, with their interval, and how often the majority of so many votes is that of all."""
    total = table.sum(axis=0)
    won, tied, lost = total.tolist()
    needed = float(_needed(total[None], target)[0])
    units = int((table.sum(axis=1) > 0).sum())
    between = None
    if math.isfinite(needed) and units > 1:
        # Their logarithm is nearer to normal; draws in which the two are level have none.
        logs = np.log(_needed(draws @ table, target))
        found = core.interval(math.log(needed), logs, over, units, (0.0, math.inf))
        between = found and replace(found, low=math.exp(found.low), high=math.exp(found.high))
    number = int(needed) if math.isfinite(needed) else needed
    return number, between, [majority_share(won, tied, lost, votes=k) for k in SIZES]


def _needed(table: Array, target: float) -> Array:
    """Votes until the majority is right so often, by the normal approximation, ``[draw]``; NaN of a level race."""
    share = shares(table, table.sum(axis=1, keepdims=True))
    lead = np.abs(share[:, 0] - share[:, 2])
    spread = share[:, 0] + share[:, 2] - lead**2
    z = NormalDist().inv_cdf(target)
    number = np.where(lead > 0, np.ceil(shares(z**2 * spread, lead**2) - 1e-9), math.nan)
    return np.asarray(number + (number % 2 == 0))  # an even number of votes is no better than one vote fewer


def majority_share(won: float, tied: float, lost: float, votes: int) -> float:
    """How often the majority of so many votes, drawn from these, is the majority of all; an even split counts half.

    >>> round(majority_share(7, 0, 3, votes=1), 3), round(majority_share(7, 0, 3, votes=3), 3)
    (0.7, 0.784)
    """
    total = won + tied + lost
    if not total or won == lost:
        return math.nan if not total else 0.5
    more, less = max(won, lost) / total, min(won, lost) / total
    angle = np.exp(-2j * np.pi * np.arange(2 * votes + 1) / (2 * votes + 1))
    # The lead after so many votes, between -votes and votes, by its characteristic function.
    lead = np.real(np.fft.ifft((more * angle + tied / total + less / angle) ** votes))
    ahead, even = float(lead[1 : votes + 1].sum()), float(lead[0])
    return min(max(ahead + even / 2, 0.0), 1.0)
