"""Rates of votes one by one: does the place in which two outputs are shown decide, and do voters agree?

A vote is a judge, a task, the output shown first, the one shown second, and the winner. Every rate comes with its
numerator and denominator and an interval. A pair with one vote says nothing about agreement and is only counted.

Some judges give one verdict on both orders together, a tie marked inconsistent where the two differ: that is a flip.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from quorate.kernels.binomial import wilson
from quorate.panel.votes import CHANGED, Votes


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote; ``winner`` is the first or second output itself, or None for a tie.

    ``swapped`` says of a verdict on both orders together whether it changed with the order; None is a single order.
    """

    judge: Hashable
    task: Hashable
    first: Hashable
    second: Hashable
    winner: Hashable | None
    swapped: bool | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with what it is of; NaN of nothing. The interval is Wilson's, 95 % unless asked otherwise."""

    hits: int
    of: int
    interval: tuple[float, float] | None

    @property
    def value(self) -> float:
        """The share."""
        return self.hits / self.of if self.of else math.nan


@dataclass(frozen=True, slots=True)
class Positions:
    """What the place of an output does to one judge's votes."""

    judge: Hashable
    votes: int
    first: Rate  # votes for the output shown first, of the votes that are no tie; 0.5 without a bias
    flips: Rate  # pairs voted on in both places whose verdict is not the same
    reversals: Rate  # pairs with a vote for each place in which the other output wins once places are swapped
    ties: Rate


def rate(hits: int, of: int, level: float = 0.95) -> Rate:
    """A share with its interval.

    >>> rate(0, 0).value, rate(1, 4).interval is not None
    (nan, True)
    """
    return Rate(hits, of, wilson(hits, of, level))


def votes_of(panel: Votes) -> list[Vote]:
    """The votes of a panel, one by one.

    >>> votes_of(Votes.from_votes([("j", "y", "x", "x")]))
    [Vote(judge='j', task='all', first='y', second='x', winner='x', swapped=None)]
    """
    first, second = (panel.labels[n].values() for n in ("model_a", "model_b"))
    swapped = panel.labels["swapped"].values() if "swapped" in panel.labels else [None] * len(panel)
    who = zip(panel.judge.values(), panel.task.values(), first, second, panel.value.tolist(), swapped, strict=True)
    return [
        Vote(judge, task, a, b, None if value == 0.5 else a if value else b, None if s is None else s == CHANGED)
        for judge, task, a, b, value, s in who
    ]


def votes_dict(votes: Sequence[Vote], level: float = 0.95) -> dict[str, Any]:
    """What places do to each judge's votes, and how often judges agree, as plain lists and dicts."""

    def told(r: Rate) -> dict[str, Any]:
        return {"value": r.value, "hits": r.hits, "of": r.of, "interval": r.interval}

    found, every = vote_agreement(votes, level), positions(votes, level)
    judges = [
        {
            "judge": p.judge,
            "votes": p.votes,
            **{n: told(getattr(p, n)) for n in ("first", "flips", "reversals", "ties")},
        }
        for p in every
    ]
    notes = [
        f"{judge}: verdicts are on both orders together, so 'first' is the output named first, not the one shown first"
        for judge in dict.fromkeys(v.judge for v in votes if v.swapped is not None)
    ]
    single = [v for v in votes if v.swapped is None]  # of verdicts on both orders nobody knows which was shown first
    decided = [v for v in single if v.winner is not None]
    together = {
        "first": rate(sum(v.winner == v.first for v in decided), len(decided), level),
        "flips": rate(sum(p.flips.hits for p in every), sum(p.flips.of for p in every), level),
        "ties": rate(sum(v.winner is None for v in votes), len(votes), level),
    }
    both = {"agree": told(found.agree), "decided": told(found.decided), "cells": found.cells, "single": found.single}
    all_judges = {name: told(r) for name, r in together.items()}
    return {"votes": len(votes), "judges": judges, "together": all_judges, "agreement": both, "notes": notes}


def positions(votes: Sequence[Vote], level: float = 0.95) -> list[Positions]:
    """Of each judge: how often the output shown first wins, and how often swapping places changes the verdict.

    >>> swapped = [Vote("j", 1, "x", "y", "x"), Vote("j", 1, "y", "x", "y")]
    >>> [(p.first.value, p.flips.hits, p.flips.of) for p in positions(swapped)]
    [(1.0, 1, 1)]
    """
    mine: dict[Hashable, list[Vote]] = defaultdict(list)
    for v in votes:
        mine[v.judge].append(v)
    return [_positions(judge, some, level) for judge, some in mine.items()]


def _positions(judge: Hashable, votes: Sequence[Vote], level: float) -> Positions:
    places: dict[tuple[Hashable, frozenset[Hashable]], dict[Hashable, Hashable | None]] = defaultdict(dict)
    for v in votes:  # of votes in the same places the first counts
        places[v.task, frozenset((v.first, v.second))].setdefault(v.first, v.winner)
    both = [list(p.values()) for p in places.values() if len(p) == 2]
    together = [v.swapped for v in votes if v.swapped is not None]
    decided = [v for v in votes if v.winner is not None]
    return Positions(
        judge,
        len(votes),
        rate(sum(v.winner == v.first for v in decided), len(decided), level),
        rate(sum(a != b for a, b in both) + sum(together), len(both) + len(together), level),
        rate(sum(a != b and None not in (a, b) for a, b in both), len(both), level),
        rate(len(votes) - len(decided), len(votes), level),
    )


@dataclass(frozen=True, slots=True)
class VoteAgreement:
    """How often two judges who voted on the same pair of outputs gave the same verdict."""

    agree: Rate  # of pairs of votes by two judges
    decided: Rate  # the same without ties
    cells: int  # pairs of outputs on a task with at least two judges
    single: int  # with one judge: nothing to agree with


def vote_agreement(votes: Sequence[Vote], level: float = 0.95) -> VoteAgreement:
    """Agreement of judges on the same pair of outputs; of a judge's several votes on a pair the first counts.

    >>> found = vote_agreement([Vote("i", 1, "x", "y", "x")])
    >>> found.agree.value, found.single
    (nan, 1)
    """
    cells: dict[tuple[Hashable, frozenset[Hashable]], dict[Hashable, Hashable | None]] = defaultdict(dict)
    for v in votes:
        cells[v.task, frozenset((v.first, v.second))].setdefault(v.judge, v.winner)
    same = of = same_decided = decided = 0
    for cell in cells.values():
        for a, b in combinations(cell.values(), 2):
            of += 1
            same += a == b
            if a is not None and b is not None:
                decided += 1
                same_decided += a == b
    several = sum(len(cell) > 1 for cell in cells.values())
    return VoteAgreement(rate(same, of, level), rate(same_decided, decided, level), several, len(cells) - several)
