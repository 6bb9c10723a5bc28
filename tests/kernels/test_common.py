"""What two judges have in common, looked up once for any number of dealt copies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.kernels import missing, similar
from quorate.kernels.common import Common
from quorate.kernels.ranks import mid_ranks
from quorate.orderings.pairwise import average
from quorate.orderings.peers import weights

KERNELS = {"tau": similar.tau_b, "rho": similar.rho}


def rankings(rng: np.random.Generator, tasks: int, judges: int, items: int, ties: bool) -> np.ndarray:
    """Lists with gaps, each of at least one item."""
    raw = (
        rng.integers(1, 4, (tasks, judges, items))
        if ties
        else rng.permuted(np.tile(np.arange(1, items + 1), (tasks, judges, 1)), axis=2)
    )
    raw = np.where(rng.random(raw.shape) < 0.5, raw, 0)
    raw[:, :, 0] = np.maximum(raw[:, :, 0], 1)
    return np.where(raw > 0, missing.dense(np.where(raw > 0, raw, 99)), 0).astype(np.int16)


@pytest.mark.parametrize("measure", ["tau", "rho"])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("items", [2, 7, 45])
def test_every_two_judges_as_pair_by_pair(measure, ties, items):
    positions = rankings(np.random.default_rng(items), 3, 4, items, ties)
    expected = missing._pair_by_pair(KERNELS[measure], positions, "unknown")
    own = np.arange(4)
    expected[:, own, own] = np.where(positions.max(axis=2) > 1, 1.0, np.nan)
    assert Common.of(positions).square(measure) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), ties=st.booleans(), measure=st.sampled_from(["tau", "rho"]))
def test_dealt_copies_are_rankings_with_the_same_places(seed, ties, measure):
    rng = np.random.default_rng(seed)
    positions = rankings(rng, 2, 3, 6, ties)
    counts = rng.integers(0, 3, (2, 3))
    common = Common.of(positions)
    dealt = common.dealt(rng, 4)
    means = common.means(common.correlate(measure, dealt, dealt), counts)
    for copy in range(4):
        wide = np.zeros_like(positions)
        for t, j in np.ndindex(2, 3):
            there = np.flatnonzero(positions[t, j])
            places = dealt[:, copy].reshape(common.lists.shape)[t, j, : len(there)]
            wide[t, j, there] = missing.dense(places[None, None])[0, 0]
            assert sorted(wide[t, j, there]) == sorted(positions[t, j, there])
        square = missing._pair_by_pair(KERNELS[measure], wide, "unknown")
        own = np.arange(3)
        square[:, own, own] = np.where(wide.max(axis=2) > 1, 1.0, np.nan)
        assert means[:, copy] == pytest.approx(average(square, counts, True).values, nan_ok=True)


def test_a_dealt_judge_beside_the_others_as_they_are():
    rng = np.random.default_rng(1)
    positions = rankings(rng, 3, 4, 8, ties=True)
    counts = np.ones((3, 4), np.int64)
    common = Common.of(positions)
    dealt = common.dealt(rng, 1)
    first, second = (common.correlate("tau", *two) for two in ((dealt, common.own), (common.own, dealt)))
    wide = np.zeros_like(positions)
    for t, j in np.ndindex(3, 4):
        there = np.flatnonzero(positions[t, j])
        wide[t, j, there] = dealt[:, 0].reshape(common.lists.shape)[t, j, : len(there)]
    both = np.concatenate([wide, positions], axis=1)
    square = missing._pair_by_pair(similar.tau_b, both, "unknown")[:, :4, 4:]
    found = common.others(first, second, counts)[:, :, 0]
    assert found == pytest.approx(weights(square, counts), nan_ok=True)


def test_ranks_by_counting_are_ranks():
    from quorate.kernels.common import _by_counting

    values = np.random.default_rng(0).integers(1, 9, (20, 5, 2)).astype(np.int8)
    ranks = mid_ranks(missing.dense(values.reshape(20, 10).T[None]))[0].T.reshape(values.shape)
    assert _by_counting(values) == pytest.approx(2 * ranks - 21)
