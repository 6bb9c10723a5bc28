"""Rates of votes one by one: the first place, flips when places are swapped, and agreement."""

from __future__ import annotations

import math

import quorate as q
from quorate.votes.places import Vote, positions, vote_agreement, votes_of


def test_a_judge_who_takes_the_first_flips_every_swapped_pair():
    votes = [Vote("j", t, *pair, pair[0]) for t in range(10) for pair in (("x", "y"), ("y", "x"))]
    found = positions(votes)[0]
    assert (found.first.hits, found.first.of, found.first.value) == (20, 20, 1.0)
    assert (found.flips.hits, found.flips.of) == (10, 10)
    assert found.first.interval[0] > 0.8


def test_a_judge_who_looks_at_the_outputs_flips_none():
    votes = [Vote("j", t, *pair, "x") for t in range(10) for pair in (("x", "y"), ("y", "x"))]
    found = positions(votes)[0]
    assert (found.first.value, found.flips.value, found.ties.value) == (0.5, 0.0, 0.0)


def test_a_tie_once_swapped_is_a_flip_but_no_reversal():
    found = positions([Vote("j", 1, "x", "y", "x"), Vote("j", 1, "y", "x", None)])[0]
    assert (found.flips.hits, found.reversals.hits) == (1, 0)


def test_one_vote_is_never_agreement():
    found = vote_agreement([Vote("a", 1, "x", "y", "x"), Vote("a", 2, "x", "y", "x"), Vote("b", 2, "y", "x", "x")])
    assert (found.agree.value, found.agree.of, found.cells, found.single) == (1.0, 1, 1, 1)
    assert math.isnan(vote_agreement([Vote("a", 1, "x", "y", "x")]).agree.value)


def test_mtbench_votes(data):
    votes = votes_of(q.read(data / "mtbench" / "human.jsonl"))
    found = vote_agreement(votes)
    assert len(votes) == 3355
    assert found.cells + found.single == 1814
    same = total = 0
    cells = {}
    for v in votes:
        cells.setdefault((v.task, *sorted((v.first, v.second))), {}).setdefault(v.judge, v.winner)
    for cell in cells.values():
        said = list(cell.values())
        for i in range(len(said)):
            for k in range(i):
                total, same = total + 1, same + (said[i] == said[k])
    assert (found.agree.hits, found.agree.of) == (same, total)
