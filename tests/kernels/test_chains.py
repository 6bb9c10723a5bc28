"""Common subsequences: every way of counting them gives what trying them all gives."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import chains
from tests import strategies
from tests.reference import orderings as ref

WEIGHTS = st.sampled_from([1.0, 0.9, 0.5, 0.05])


def sorted_seats(positions):
    """The common items of one task, sorted by mean position, as the large path takes them."""
    seats = positions[0]
    items = [i for i in range(seats.shape[1]) if (seats[:, i] > 0).all()]
    items.sort(key=lambda i: int(seats[:, i].sum()))
    return seats[:, items], seats[:, items].mean(axis=0)


def reversed_blocks(*sizes: int) -> list[list[int]]:
    """Two rankings: one of blocks in order, the other with each block backwards. A chain has one item a block."""
    first, second, start = [], [], 0
    for size in sizes:
        block = list(range(start, start + size))
        first += block
        second += block[::-1]
        start += size
    return [first, second]


def positions_of(orders):
    return strategies.one_stack([[[i] for i in order] for order in orders])


@given(strategies.orders(items=(1, 5)), WEIGHTS)
def test_small_and_large_paths_equal_trying_all_sequences(orders, lam):
    expected = ref.kappa_by_length(orders, lam=lam)[1:]
    positions = strategies.one_stack(orders)
    counts = np.ones(positions.shape[:2], int)
    small = chains.chains(positions, counts, lam)[0]
    large = chains.one_task(*sorted_seats(positions), lam)
    for found in (small, large):
        assert found.by_length == pytest.approx(expected)
        assert found.beyond == pytest.approx(sum(expected))
    longest = max(map(len, ref.common_subsequences(orders)), default=0)
    assert small.longest == large.longest == longest
    assert chains.totals(positions, counts, lam)[0] == pytest.approx(sum(expected))


@given(strategies.orders(judges=(2, 2), items=(1, 6)), WEIGHTS)
def test_two_rankings_in_n_log_n_equal_the_general_path(orders, lam):
    seats, mu = sorted_seats(strategies.one_stack(orders))
    if not len(mu):
        return
    general, fast = chains.one_task(seats, mu, lam), chains.two_rankings(seats[0], seats[1], mu, lam)
    assert fast.longest == general.longest
    assert fast.beyond == pytest.approx(general.beyond, rel=1e-12)
    assert fast.log2 == pytest.approx(general.log2, rel=1e-9, abs=1e-9)
    if lam == 1:
        assert isinstance(fast.beyond, int)
        assert fast.beyond == general.beyond


@given(strategies.orders(items=(2, 6)), WEIGHTS)
def test_many_tasks_at_once_equal_one_by_one(orders, lam):
    positions = strategies.one_stack(orders)
    stacked = np.concatenate([positions, positions[:, ::-1], positions[:, :, ::-1]])
    found = chains.chains(stacked, np.ones(stacked.shape[:2], int), lam)
    alone = chains.chains(positions, np.ones(positions.shape[:2], int), lam)[0]
    for c in found:
        assert c.longest == alone.longest
        assert c.by_length == pytest.approx(alone.by_length)


@pytest.mark.parametrize("lam", [1.0, 0.9])
def test_thresholds_do_not_change_the_result(monkeypatch, lam):
    rng = np.random.default_rng(0)
    positions = np.argsort(rng.random((3, 2, 30)) + np.arange(30) / 12, axis=2).argsort(axis=2) + 1
    counts = np.ones((3, 2), int)
    small = chains.chains(positions, counts, lam)
    monkeypatch.setattr(chains, "SMALL", 3)
    large = chains.chains(positions, counts, lam)
    monkeypatch.setattr(chains, "MANY", 3)
    fenwick = chains.chains(positions, counts, lam)
    for s, g, f in zip(small, large, fenwick, strict=True):
        assert s.by_length == pytest.approx(g.by_length, rel=1e-12)
        assert f.by_length is None
        assert s.longest == g.longest == f.longest
        assert f.beyond == pytest.approx(s.beyond, rel=1e-12)
        if lam == 1:
            assert s.beyond == g.beyond == f.beyond


def test_judges_with_count_zero_are_out_on_both_paths(monkeypatch):
    positions = strategies.one_stack([[[i] for i in order] for order in ("abcd", "abdc", "dcba")])
    counts = np.array([[1, 1, 0]])
    expected = ref.kappa_by_length([[[i] for i in order] for order in ("abcd", "abdc")])[1:]
    assert chains.chains(positions, counts, 1.0)[0].by_length == expected
    assert chains.totals(positions, counts, 1.0)[0] == sum(expected)
    monkeypatch.setattr(chains, "SMALL", 1)
    assert chains.chains(positions, counts, 1.0)[0].by_length == expected
    assert chains.totals(positions, counts, 1.0)[0] == sum(expected)


@pytest.mark.parametrize("lam", [0.99, 0.7])
def test_weights_beyond_one_block_of_items_equal_a_plain_sum(lam):
    rng = np.random.default_rng(1)
    seats = np.sort(rng.random((3, 150)), axis=1).argsort(axis=1) + 1
    for row in seats:  # swaps of neighbours, so that there is something to disagree on
        for k in rng.choice(149, 60, replace=False):
            row[[k, k + 1]] = row[[k + 1, k]]
    seats, mu = sorted_seats(seats[None])
    ends = np.zeros(150)
    for j in range(150):
        before = [i for i in range(150) if (seats[:, i] < seats[:, j]).all()]
        ends[j] = sum(lam ** (mu[j] - mu[i]) * (1 + ends[i]) for i in before)
    assert chains.one_task(seats, mu, lam).beyond == pytest.approx(ends.sum(), rel=1e-10)


@pytest.mark.parametrize("items", [52, 53, 60, 300])
def test_identical_rankings_have_all_subsets_exactly(items):
    positions = np.tile(np.arange(1, items + 1), (1, 3, 1))
    found = chains.chains(positions, np.ones((1, 3), int), 1.0)[0]
    assert found.beyond == 2**items - 1 - items
    assert found.by_length == [math.comb(items, k) for k in range(2, items + 1)]
    assert found.longest == items


def test_exact_integers_of_two_rankings_of_five_thousand_items():
    positions = positions_of(reversed_blocks(*[2, 3] * 1000))
    found = chains.chains(positions, np.ones((1, 2), int), 1.0)[0]
    assert found.beyond == 3**1000 * 4**1000 - 1 - 5000
    assert found.longest == 2000
    assert found.log2 == pytest.approx(1000 * math.log2(12))


def test_exact_integers_of_many_judges_where_doubles_would_round():
    orders = reversed_blocks(*[3] * 35)
    found = chains.chains(positions_of([*orders, orders[0]]), np.ones((1, 3), int), 1.0)[0]
    assert found.by_length == [math.comb(35, k) * 3**k for k in range(2, 36)]
    assert found.by_length[-1] % 2 == 1
    assert max(found.by_length) > 2**53


def test_lengths_are_not_told_apart_where_that_would_take_too_long(monkeypatch):
    monkeypatch.setattr(chains, "BITS", 1)
    positions = positions_of([range(60)] * 3)
    found = chains.chains(positions, np.ones((1, 3), int), 1.0)[0]
    assert found.by_length is None
    assert found.beyond == 2**60 - 61


def test_a_weighted_total_too_large_for_a_double_has_a_logarithm():
    items, lam = 1200, 0.99
    seats = np.tile(np.arange(1, items + 1), (3, 1))
    found = chains.one_task(seats, seats[0].astype(float), lam)
    assert found.beyond == math.inf
    # With equal rankings sum(lam ** (last - first) * 2 ** (between)) over the first and last item of a chain.
    logs = [math.log2(items - gap) + gap * math.log2(lam) + (gap - 1) for gap in range(1, items)]
    expected = max(logs) + math.log2(sum(2 ** (v - max(logs)) for v in logs))
    assert found.log2 == pytest.approx(expected)
    assert chains.two_rankings(seats[0], seats[1], seats[0].astype(float), lam).log2 == pytest.approx(expected)


@given(strategies.orders(items=(1, 5)))
def test_walk_lists_each_common_subsequence_once(orders):
    seats, mu = sorted_seats(strategies.one_stack(orders))
    expected = [len(c) for c in ref.common_subsequences(orders)]
    for length in range(1, 6):
        walked = list(chains.walk(seats, length)) if len(mu) else []
        assert len(walked) == len(set(walked)) == expected.count(length)
        assert all((seats[:, a] < seats[:, b]).all() for c in walked for a, b in itertools.pairwise(c))


@given(strategies.orders(items=(1, 6)))
def test_reduction_keeps_only_edges_without_a_detour(orders):
    seats, mu = sorted_seats(strategies.one_stack(orders))
    items = range(len(mu))
    edges = {(i, j) for i in items for j in items if (seats[:, i] < seats[:, j]).all()}
    needed = {(i, j) for i, j in edges if not any((i, k) in edges and (k, j) in edges for k in items)}
    assert set(chains.reduction(seats)) == needed
