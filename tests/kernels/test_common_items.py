"""What two judges have in common, looked up, beside one pair after the other."""

from __future__ import annotations

import numpy as np
import pytest

from quorate.kernels import missing, rank_correlation
from quorate.kernels.ranks import dense, mid_ranks

KERNELS = {"tau": rank_correlation.tau_b, "rho": rank_correlation.rho}


def rankings(rng: np.random.Generator, tasks: int, judges: int, items: int, ties: bool) -> np.ndarray:
    """Lists with gaps, each of at least one item."""
    raw = (
        rng.integers(1, 4, (tasks, judges, items))
        if ties
        else rng.permuted(np.tile(np.arange(1, items + 1), (tasks, judges, 1)), axis=2)
    )
    raw = np.where(rng.random(raw.shape) < 0.5, raw, 0)
    raw[:, :, 0] = np.maximum(raw[:, :, 0], 1)
    return np.where(raw > 0, dense(np.where(raw > 0, raw, 99)), 0).astype(np.int16)


def pair_by_pair(kernel, positions):
    """Every two judges, also each with itself, over the items of both, put side by side for the kernel."""
    judges = positions.shape[1]
    a, b = (k.ravel() for k in np.indices((judges, judges)))
    return missing.pair_by_pair(kernel, positions, "unknown", a, b)[0].reshape(len(positions), judges, judges)


@pytest.mark.parametrize("measure", ["tau", "rho"])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("items", [2, 7, 45])
def test_every_two_judges_as_pair_by_pair(measure, ties, items):
    positions = rankings(np.random.default_rng(items), 3, 4, items, ties)
    expected = pair_by_pair(KERNELS[measure], positions)
    own = np.arange(4)
    expected[:, own, own] = np.where(positions.max(axis=2) > 1, 1.0, np.nan)
    assert KERNELS[measure](positions) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert KERNELS[measure](positions[:, :1], positions[:, 1:]) == pytest.approx(
        expected[:, :1, 1:], abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("measure", ["tau", "rho"])
@pytest.mark.parametrize("ties", [False, True])
def test_what_one_of_two_lists_lacks_comes_last(measure, ties):
    positions = rankings(np.random.default_rng(3), 3, 4, 9, ties)
    a, b = np.triu_indices(4, 1)
    expected = missing.pair_by_pair(KERNELS[measure], positions, "top-k", a, b)[0]
    found = KERNELS[measure](positions, missing="top-k")
    assert found[:, a, b] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_ranks_by_counting_are_ranks():
    values = np.random.default_rng(0).integers(1, 9, (20, 10)).astype(np.int8)
    ranks = mid_ranks(dense(values.T[None]))[0].T
    assert rank_correlation._centred(values) == pytest.approx(2 * ranks - 21)
