"""Thousands of voters: the shorter sums of very many judges are those of comparing every two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.kernels.pair_means import mean_with_others
from quorate.kernels.ranks import dense
from quorate.orderings import leave_one_out_scores
from quorate.orderings.peer_correlation import _square, tau_with_others
from quorate.table import parse


def orders(seed, tasks=2, judges=6, items=4, ties=False):
    rng = np.random.default_rng(seed)
    if ties:
        return dense(rng.integers(1, 4, (tasks, judges, items)))
    return rng.permuted(np.tile(np.arange(1, items + 1), (tasks, judges, 1)), axis=2)


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_mean_tau_of_an_order_with_the_others(seed, ties, alike):
    positions, own = orders(seed, ties=ties), orders(seed + 1, ties=ties)
    counts = np.random.default_rng(seed).integers(1, 4, positions.shape[:2])
    square = _square("tau", positions, own)
    expected = mean_with_others(square, counts, alike)
    found = tau_with_others(own, positions, counts, alike)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from(["weighted_correlation", "weighted_correlation(negative=keep)"]),
)
def test_each_judges_order_by_the_others_without_that_judge(seed, ties, method):
    positions = orders(seed, judges=7, items=5, ties=ties)
    counts = np.random.default_rng(seed).integers(1, 4, positions.shape[:2])
    known = parse(method, "orderings", "quality")
    expected = leave_one_out_scores.OwnOrders(positions, counts).by(known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leave_one_out_scores, "JUDGES", 1)
        found = leave_one_out_scores.OwnOrders(positions, counts).by(known)
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("voters", [310, pytest.param(1000, marks=pytest.mark.long)])
def test_more_voters_than_are_looked_at_by_name_are_answered_whole(voters):
    """More than 300 take the shorter sums."""
    rng = np.random.default_rng(0)
    worth = rng.normal(size=5)
    columns = {"judge": [], "item": [], "position": []}
    for voter in range(voters):
        for place, item in enumerate(np.argsort(-(worth + rng.gumbel(size=5))).tolist(), 1):
            for name, value in zip(columns, (f"v{voter}", f"c{item}", place), strict=True):
                columns[name].append(value)
    panel = q.Orderings.build(columns)
    answer = q.judges(panel, permutations=19)
    assert len(answer["peer_correlation"].overall) == voters
    assert answer.more["flagged"] == []
