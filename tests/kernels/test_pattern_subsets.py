"""FreSPA of every judge by the others through the subsets of their places, against enumeration."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import pattern_subsets
from quorate.kernels.ranks import dense
from quorate.orderings.measured import one_task
from quorate.orderings.simulate import mallows
from quorate.table import parse
from tests import strategies
from tests.reference import trust as ref


@given(
    strategies.orders(judges=(2, 5), items=(2, 5)),
    st.integers(1, 4),
    st.sampled_from([(1.0, 1.0), (0.0, 0.0), (0.3, 7.0), (100.0, 0.1)]),
    st.sampled_from([(2, None), (2, 2), (3, None), (3, 4), (4, 3)]),
)
def test_scores_equal_enumeration_with_ties_and_gaps(orders, need, weights, lengths):
    task = one_task(orders)
    if not pattern_subsets.fits(*task.positions.shape[1:]):
        return
    forward, backward = pattern_subsets.scores(task.positions, need, *weights, *lengths)
    for k, own in enumerate(orders):
        others = orders[:k] + orders[k + 1 :]
        share = need / len(others)
        for found, order in ((forward, own), (backward, ref.reverse(own))):
            expected = ref.frespa(order, others, share, *lengths, *weights) if share <= 1 else 0.0
            assert found[0, k] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def rankings(tasks, judges, items, gaps, rng):
    """Rankings with ties, and with gaps if wanted."""
    positions = (mallows((tasks, judges, items), 0.6, rng).astype(np.int64) + 1) // 2
    if not gaps:
        return positions
    positions[rng.random(positions.shape) < 0.2] = 0
    ranked = dense(np.where(positions > 0, positions, 99))
    return np.where(positions > 0, ranked, 0)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("judges", "items", "min_sup"),
    [(10, 9, 0.75), (5, 6, 0.5), (3, 4, 0.0), (9, 7, 0.9), (2, 3, 1.0), (16, 12, 0.8), (2, 12, 0.5)],
)
@pytest.mark.parametrize(("w_len", "w_sup"), [(1, 1), (0, 5), (3, 0)])
def test_all_judges_at_once_are_judges_one_by_one(monkeypatch, gaps, judges, items, min_sup, w_len, w_sup):
    module = importlib.import_module("quorate.orderings.discriminativeness")
    positions = rankings(4, judges, items, gaps, np.random.default_rng(judges))
    counts = np.ones(positions.shape[:2], np.int64)
    method = parse(f"frespa(min_sup={min_sup}, w_len={w_len}, w_sup={w_sup})", "orderings", "quality")
    found = module.differences(positions, counts, method)
    assert module._at_once(positions, counts, method) is not None
    monkeypatch.setattr(module, "_at_once", lambda *_: None)
    assert found == pytest.approx(module.differences(positions, counts, method), abs=1e-12)


def test_large_weights_do_not_blur_what_only_one_judge_misses():
    """All patterns are shared by all: without anyone the rest still shares all of them, exactly."""
    same = np.broadcast_to(np.arange(1, 10), (3, 12, 9)).copy()
    forward, backward = pattern_subsets.scores(same, 11, 100.0, 100.0)
    assert (forward == 1).all()
    assert (backward == 0).all()


def test_tasks_are_worked_on_in_pieces(monkeypatch):
    positions = mallows((7, 6, 5), 0.5, np.random.default_rng(0))
    whole = pattern_subsets.scores(positions, 4, 1.0, 1.0)
    monkeypatch.setattr(pattern_subsets, "CELLS", 1000)
    pieces = pattern_subsets.scores(positions, 4, 1.0, 1.0)
    assert all((a == b).all() for a, b in zip(whole, pieces, strict=True))


@pytest.mark.parametrize(("judges", "items"), [(17, 9), (10, 13), (1, 5), (5, 1)])
def test_what_is_too_large_or_too_small_is_left_to_others(judges, items):
    assert not pattern_subsets.fits(judges, items)
