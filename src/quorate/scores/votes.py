"""Pairwise votes: does the place in which two outputs are shown decide, and do voters agree?

A vote is a judge, a task, the output shown first, the one shown second, and the winner. Every rate comes with its
numerator and denominator and an interval. A pair with one vote says nothing about agreement and is only counted.

Some judges give one verdict on both orders together, a tie marked inconsistent where the two differ: that is a flip.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

from quorate.errors import InputError
from quorate.kernels.binomial import wilson
from quorate.panel.kinds import Orderings

FIRST, SECOND, TIE = ("a", "model_a", "first"), ("b", "model_b", "second"), ("tie", "draw", "both", "none")


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


def read_votes(rows: Iterable[Mapping[str, Any]]) -> list[Vote]:
    """Votes from rows with judge, task, a, b, winner (the winner's name, a / b, model_a / model_b, or tie).

    >>> read_votes([{"judge": "j", "task": 1, "a": "x", "b": "y", "winner": "model_b"}])[0].winner
    'y'
    """
    out = []
    for number, row in enumerate(rows, 1):
        missing = [n for n in ("judge", "task", "a", "b", "winner") if n not in row]
        if missing:
            raise InputError(f"vote {number} has no {', '.join(missing)}.", "a vote has judge, task, a, b, winner.")
        changed = True if "inconsistent" in str(row["winner"]).lower() else None
        out.append(Vote(row["judge"], row["task"], row["a"], row["b"], _winner(row, number), changed))
    both = {v.judge for v in out if v.swapped}
    return [replace(v, swapped=bool(v.swapped)) if v.judge in both else v for v in out]


def _winner(row: Mapping[str, Any], number: int) -> Hashable | None:
    said = row["winner"]
    if said in (row["a"], row["b"]):
        return said  # type: ignore[no-any-return]
    word = str(said).strip().lower()
    if word in FIRST:
        return row["a"]  # type: ignore[no-any-return]
    if word in SECOND:
        return row["b"]  # type: ignore[no-any-return]
    if said is None or word.split(" ")[0] in TIE:
        return None
    raise InputError(f"vote {number}: winner {said!r} is neither of the two.", "write a, b, tie or the winner's name.")


_SWAPPED: dict[Any, bool] = {"changed": True, "same": False}


def votes_of(panel: Orderings) -> list[Vote]:
    """The votes of a panel read from a file of votes: orderings of two items whose label ``shown`` tells the first.

    >>> raw = {"judge": ["j", "j"], "item": ["x", "y"], "position": [1, 2], "shown": [2, 1]}
    >>> votes_of(Orderings.build(raw))
    [Vote(judge='j', task='all', first='y', second='x', winner='x', swapped=None)]
    """
    shown = panel.label("shown")
    out = []
    for a, b in pairwise(panel.starts.tolist()):
        if b - a != 2:
            raise InputError("a vote is between two items.", "read a file of votes: judge, model_a, model_b, winner.")
        best, other = (a, a + 1)
        first, second = (best, other) if shown[best] == 1 else (other, best)
        tie = panel.value[best] == panel.value[other]
        swapped = _SWAPPED.get(panel.labels["swapped"][a]) if "swapped" in panel.labels else None
        winner = None if tie else panel.item[best]
        out.append(Vote(panel.judge[a], panel.task[a], panel.item[first], panel.item[second], winner, swapped))
    return out


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
