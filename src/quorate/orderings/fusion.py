"""Fusion rules of search, as consensus: CombSUM, CombMNZ and a relative of probFuse that needs no relevance judgments.

The rules were made for engines' scores; of ranks alone, a list of m items gives its item of rank r the score
1 - (r - 1) / m. An absent item gets nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority, ranks
from quorate.orderings.consensus_method import consensus_method
from quorate.orderings.tally import Votes
from quorate.orderings.voting import rank_sum
from quorate.panel.consensus_value import Agreed
from quorate.table import Note, whole

Array = NDArray[Any]


def _scores(positions: Array) -> Array:
    """1 - (r - 1) / m of every item in every list; 0 where it is absent."""
    size = np.maximum((positions > 0).sum(axis=2, keepdims=True), 1)
    return np.where(positions > 0, 1 - (ranks.mid_ranks(positions) - 1) / size, 0.0)


def _held(positions: Array) -> Array:
    return (positions > 0).astype(float)


def _fused(votes: Votes, times: Any) -> list[Agreed]:
    raw = Votes(votes.positions, votes.counts, "unknown")  # absent items stay absent
    total, held = raw.per_judge(_scores), raw.per_judge(_held)
    if votes.missing == "unknown":  # who lacks an item says nothing of it
        judges = votes.counts.sum(axis=1, keepdims=True)
        total, held = total * (judges / np.where(held > 0, held, 1)), np.broadcast_to(judges, held.shape)
    fused = times(total, held)
    return [Agreed(p, s) for p, s in zip(majority.places(-fused), fused, strict=True)]


@consensus_method(
    "comb_sum",
    missing="below",
    reference="Fox and Shaw 1994",
    note=Note(
        "Search runs of different depth: an item gains by every list that has it, more the higher it stands.",
        "From ranks alone: engines' own scores, for which it was made, are not used. Long lists give more in all.",
        "items by sum over the judges' lists that hold the item of 1 - (r - 1) / m, highest first",
    ),
)
def comb_sum(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """Items by the sum of their scores in all lists, highest first (CombSUM)."""
    return _fused(votes, lambda total, held: total)


@consensus_method(
    "comb_mnz",
    missing="below",
    reference="Fox and Shaw 1994; Lee 1997",
    note=Note(
        "Search runs: items that many lists hold go before those that one list puts first.",
        "What few lists found cannot win, however good it is. Of complete rankings it is the order of the rank sums.",
        "items by (lists that hold the item) * sum over these of 1 - (r - 1) / m, highest first",
    ),
)
def comb_mnz(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """Items by the sum of their scores times the number of lists that hold them, highest first (CombMNZ)."""
    return _fused(votes, lambda total, held: total * held)


@consensus_method(
    "prob_fuse",
    missing="below",
    reference="after Lillis, Toolan, Collier, Dunnion 2006",
    parameters={"segments": whole("parts that a list is divided into")},
    slow=True,
    note=Note(
        "Search runs of unequal trust: a list counts by how much of each part of it the other lists confirm.",
        "The original learns from relevance judgments; here the other judges stand in for them, so a clique confirms "
        "itself. Inside a segment the rank sums decide.",
        "items by sum over lists of P(k) / k, k the item's segment, P(k) = mean over the segment's items of the share "
        "of the other lists that hold it in their upper half",
    ),
)
def prob_fuse(votes: Votes, *, brief: bool = False, segments: int = 25) -> list[Agreed]:
    """Items by how often other lists confirm the parts of the lists they stand in, over the parts' numbers."""
    sums = np.stack([a.array for a in rank_sum(votes, brief=True)])
    out = []
    for ranking, counts, then in zip(votes.positions, votes.counts, sums, strict=True):
        use = counts > 0
        score = _confirmed(ranking[use], counts[use].astype(float), segments)
        places = majority.places(-np.round(score, 12)[None])[0]
        both = places * (len(then) + 1.0) + then
        out.append(Agreed(majority.places(both[None])[0], score))
    return out


def _confirmed(ranking: Array, counts: Array, segments: int) -> Array:
    """The sum over lists of P(k) / k of each item, ``[item]``."""
    held = ranking > 0
    size = np.maximum(held.sum(axis=1, keepdims=True), 1)
    rank = ranks.top_ranks(ranking[None])[0]
    part = np.where(held, np.ceil(rank * segments / size), 0).astype(np.int64)
    upper = held & (2 * rank <= size + 1)
    others = counts.sum() - 1.0  # one judge of each row is the one whose list it is
    score = np.zeros(ranking.shape[1])
    confirm = counts @ upper
    for row, own, mine, weight in zip(part, upper, held, counts.tolist(), strict=True):
        share = (confirm - own) / others if others > 0 else np.ones(len(own))
        inside = np.bincount(row[mine], share[mine], segments + 1)
        mean = inside / np.maximum(np.bincount(row[mine], minlength=segments + 1), 1)
        score[mine] += weight * mean[row[mine]] / row[mine]
    return score
