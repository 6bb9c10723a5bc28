"""Pairs of items by the judges who share them, against counting for every panel."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import majority, precedence, precedence_bits


@st.composite
def rankings(draw):
    """Rankings of a few judges with ties and gaps, or complete ones without."""
    judges, items = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    if draw(st.booleans()):
        return np.array([draw(st.permutations(range(1, items + 1))) for _ in range(judges)])
    rows = [draw(st.lists(st.integers(0, items), min_size=items, max_size=items)) for _ in range(judges)]
    return np.array([[sorted({x for x in row if x}).index(x) + 1 if x else 0 for x in row] for row in rows])


@given(rankings())
def test_the_histogram_counts_pairs_by_the_judges_who_order_them_so(ranking):
    judges, items = ranking.shape
    expected = [0] * (1 << judges)
    for i in range(items):
        for j in range(items):
            expected[sum(1 << k for k, row in enumerate(ranking) if 0 < row[i] < row[j])] += 1
    expected[0] = 0
    assert precedence_bits.histogram(ranking).tolist() == expected


@given(rankings(), st.data())
def test_drawn_panels_share_what_counting_says(ranking, data):
    count = st.lists(st.integers(0, 3), min_size=len(ranking), max_size=len(ranking))
    counts = np.array(data.draw(st.lists(count, min_size=1, max_size=3)))
    need = np.array(data.draw(st.lists(st.integers(1, 6), min_size=len(counts), max_size=len(counts))))
    wide = np.broadcast_to(ranking, (len(counts), *ranking.shape)).astype(np.int16)
    slow = precedence.support(precedence.tasks_last(wide), counts.T, need, 1.0, 1.0)
    quick = precedence_bits.support(ranking, counts, need)
    assert all(np.array_equal(a.T, b) for a, b in zip(slow, quick, strict=True))


def test_rows_looked_at_in_several_steps_give_the_same_histogram(monkeypatch):
    ranking = np.array([np.random.default_rng(k).permutation(30) + 1 for k in range(4)])
    whole = precedence_bits.histogram(ranking).tolist()
    monkeypatch.setattr(precedence_bits, "CELLS", 100)
    assert precedence_bits.histogram(ranking).tolist() == whole


def test_only_one_task_with_few_judges_fits():
    one = np.ones((1, 3, 200), np.int16)
    assert precedence_bits.fits(one)
    assert precedence_bits.fits(np.broadcast_to(one, (5, 3, 200)))
    assert not precedence_bits.fits(np.ones((5, 3, 200), np.int16))
    assert not precedence_bits.fits(np.ones((1, 40, 200), np.int16))


@given(st.integers(1, 12), st.floats(0, 0.4), st.integers(0, 10**6))
def test_what_can_be_reached_is_the_same_by_products_as_item_by_item(items, share, seed):
    edge = np.random.default_rng(seed).random((items, items)) < share
    assert majority.reach(edge).tolist() == majority.reach(edge[None])[0].tolist()
