"""A bound on what partitions are worth holds, and is better than the sum of all that wants to be together."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.groupings import partition_program
from quorate.kernels import partition_proof
from quorate.kernels.partition_proof import bound, pairings


def partitions(items):
    """Every partition of so many items, as labels."""
    rows = [[0]]
    for _ in range(items - 1):
        rows = [[*row, g] for row in rows for g in range(max(row) + 2)]
    return rows


def best(weights):
    pairs = list(itertools.combinations(range(len(weights)), 2))
    return max(sum(weights[i][j] for i, j in pairs if row[i] == row[j]) for row in partitions(len(weights)))


@st.composite
def symmetric(draw):
    size = draw(st.integers(1, 6))
    weights = np.zeros((size, size), int)
    for i, j in itertools.combinations(range(size), 2):
        weights[i, j] = weights[j, i] = draw(st.integers(-4, 4))
    return weights


@given(symmetric(), st.sampled_from([0, 1, 3, 1000]), st.sampled_from([0, 64]))
def test_no_partition_is_worth_more(weights, rounds, few):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_proof, "FEW", few)  # above: only items that want to be together are looked at
        (found,) = partition_proof.bound(weights[None], rounds)
    assert best(weights.tolist()) <= found <= np.triu(np.maximum(weights, 0)).sum()


@given(symmetric(), symmetric(), st.sampled_from([1, 3, 1000]))
def test_rounds_in_which_nothing_can_be_lost_are_left_out_and_counted(one, other, rounds):
    size = min(len(one), len(other))
    weights = np.stack([one[:size, :size], other[:size, :size]])
    found = partition_proof.bound(weights, rounds)
    with pytest.MonkeyPatch.context() as patch:
        every = lambda pull, push, rounds: itertools.islice(pairings(len(pull)), rounds)  # noqa: E731
        patch.setattr(partition_proof, "_worthwhile", every)
        assert np.array_equal(found, partition_proof.bound(weights, rounds))


def test_triples_that_share_no_pair_are_all_counted():
    path = np.array([[0, 2, -5], [2, 0, 3], [-5, 3, 0]])
    weights = np.kron(np.eye(3, dtype=int), path)
    assert bound(weights[None]) == 3 * 3 == best(path.tolist()) * 3


@pytest.mark.parametrize("size", range(2, 9))
def test_rounds_hold_every_pair_once_and_nobody_twice(size):
    rounds = [list(zip(a.tolist(), b.tolist(), strict=True)) for a, b in pairings(size)]
    pairs = [tuple(sorted(p)) for r in rounds for p in r]
    assert sorted(pairs) == list(itertools.combinations(range(size), 2))
    for r in rounds:
        assert len({i for p in r for i in p}) == 2 * len(r)


@given(symmetric())
def test_parts_are_solved_alike_by_looking_at_all_by_the_program_and_one_by_one(weights):
    most = best(weights.tolist())
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((partition_proof, "MOST"), (partition_program, "LOCAL")):
            assert partition_program.solve(weights[None]).worth == most
            patch.setattr(module, name, 0)
        assert partition_program.solve(weights[None]).worth == most
        patch.setattr(partition_program, "MOST", 0)
        found = partition_program.solve(weights[None])  # too large for the program
    assert found.worth <= most <= found.bound
