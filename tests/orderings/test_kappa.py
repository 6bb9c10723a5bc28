"""Kappa: the worked example, exact integers, weights, duplicates, patterns, the graph and the surface."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import BadParameter, InputError, LimitReached, Orderings
from quorate.kernels import chains
from quorate.orderings import kappa
from tests import strategies
from tests.reference import orderings as ref

EXAMPLE = ["abcdef", "bdcefa", "bcdeghijkf", "badefc"]
weight = st.sampled_from([1.0, 0.9, 0.5])


def test_the_papers_worked_example():
    found = kappa(EXAMPLE)
    assert found.value == 17
    assert found.by_length == [5, 7, 4, 1]
    assert found.longest == 4
    assert found.log2 == pytest.approx(math.log2(17))


@given(strategies.orders(items=(1, 5)), weight, weight, st.sampled_from([None, 1.0, 2.5, 4.0]), weight)
def test_kappa_with_every_weight_equals_its_definition(orders, gamma, lam, zeta, p):
    expected = ref.kappa_by_length(orders, gamma, lam, zeta, p)
    found = kappa(orders, gamma, lam, zeta=zeta, p=p)
    assert found.by_length == pytest.approx(expected)
    assert found.value == pytest.approx(sum(expected))
    assert found.hat == pytest.approx(ref.kappa_hat(orders, sum(expected)))


@given(strategies.orders(items=(1, 5)))
def test_without_weights_the_count_is_a_python_int(orders):
    found = kappa(orders)
    assert type(found.value) is int
    assert found.value == len(ref.common_subsequences(orders))


@given(strategies.votes(items=(1, 5)), weight, weight)
def test_counts_stand_for_rankings_given_again(rows, gamma, lam):
    counted = kappa(Orderings.build(strategies.counted(rows)), gamma, lam)
    alone = kappa(strategies.expanded(rows), gamma, lam)
    assert counted.by_length == pytest.approx(alone.by_length)
    assert counted.hat == pytest.approx(alone.hat)


def test_kappa_hat_adds_rankings_times_the_largest_multiplicity_over_distinct_ones():
    assert kappa(["abc", "abc", "acb"]).hat == 5 + 3 * 2 / 2


@given(strategies.orders(judges=(2, 5), items=(1, 6)))
def test_adding_a_ranking_never_increases_kappa(orders):
    assert kappa(orders).value <= kappa(orders[:-1]).value


def test_a_ranking_that_keeps_the_common_order_leaves_kappa_unchanged():
    rankings = ["abcd", "acbd"]
    assert kappa([*rankings, "abcd"]).value == kappa(rankings).value == 2 * 3 * 2 - 1


@pytest.mark.parametrize("items", [1, 10, 52, 53, 60, 200])
def test_one_ranking_has_every_subset(items):
    found = kappa([list(range(items))])
    assert found.value == 2**items - 1
    assert found.by_length == [math.comb(items, k) for k in range(1, items + 1)]


def test_a_thousand_items_are_counted_exactly():
    found = kappa([list(range(1000))] * 3)
    assert found.value == 2**1000 - 1
    assert found.log2 == pytest.approx(1000)
    assert found.longest == 1000


def test_two_rankings_of_five_thousand_items_are_counted_exactly():
    swapped = [i ^ 1 for i in range(5000)]  # neighbours swapped: one of two, or none, from each pair
    found = kappa([list(range(5000)), swapped])
    assert found.value == 3**2500 - 1
    assert found.longest == 2500
    assert found.by_length is None


def test_a_weighted_value_too_large_for_a_double_is_infinite_with_a_finite_log2():
    found = kappa([list(range(2000))] * 3, lam=0.99)
    assert found.value == math.inf
    # sum over gaps g between the ends of (2000 - g) 0.99**g 2**(g - 1), beside which single items do not show
    logs = [math.log2(2000 - g) + g * math.log2(0.99) + g - 1 for g in range(1, 2000)]
    assert found.log2 == pytest.approx(max(logs) + math.log2(sum(2 ** (v - max(logs)) for v in logs)))


@pytest.mark.parametrize("lam", [1.0, 0.8])
@pytest.mark.parametrize("judges", [2, 3])
def test_every_path_gives_the_same(monkeypatch, lam, judges):
    orders = ["abcdefghij", "bacdfeghji", "abdcefhgij"][:judges]
    expected = kappa(orders, 0.9, lam)
    monkeypatch.setattr(chains, "SMALL", 4)
    large = kappa(orders, 0.9, lam)
    assert large.by_length == pytest.approx(expected.by_length)
    monkeypatch.setattr(chains, "MANY", 4)
    found = kappa(orders, 0.9, lam)
    assert found.value == pytest.approx(expected.value)
    assert (found.by_length is None) == (judges == 2)


def test_nothing_in_common_is_zero_without_a_logarithm():
    found = kappa(["ab", "cd"])
    assert (found.value, found.longest, found.log2) == (0, 0, None)
    assert list(found.patterns()) == []
    assert found.graph() == []


def test_patterns_are_listed_by_length():
    found = kappa(EXAMPLE)
    assert list(found.patterns()) == [("b", "d", "e", "f")]
    assert set(found.patterns(3)) == {("b", "d", "e"), ("b", "d", "f"), ("b", "e", "f"), ("d", "e", "f")}
    assert list(found.patterns(5)) == []


@given(strategies.orders(items=(1, 5)))
def test_patterns_of_all_lengths_are_the_common_subsequences(orders):
    found = kappa(orders)
    listed = [p for size in range(1, found.longest + 1) for p in found.patterns(size)]
    assert sorted(listed) == sorted(ref.common_subsequences(orders))


def test_patterns_come_one_by_one_and_stop_at_the_limit():
    found = kappa(["abcdefghijklmnopqrstuvwxyz"] * 2)
    assert next(found.patterns(13)) == tuple("abcdefghijklm")
    with pytest.raises(LimitReached, match="stopped after 5 patterns of length 2"):
        list(found.patterns(2, limit=5))
    assert len(list(found.patterns(2, limit=None))) == 26 * 25 / 2


def test_the_graph_leaves_out_what_follows():
    assert set(kappa(["abcd", "acbd"]).graph()) == {("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")}


def test_tied_items_have_no_order():
    assert kappa([["a", ["b", "c"]]]).by_length == [3, 2]
    assert kappa([[["a", "b", "c"]]]).by_length == [3]


def test_the_surface_is_kappa_at_each_point():
    found = kappa(EXAMPLE)
    surface = found.surface((1.0, 0.5), (1.0, 0.7))
    assert set(surface) == {(1.0, 1.0), (1.0, 0.7), (0.5, 1.0), (0.5, 0.7)}
    for (gamma, lam), value in surface.items():
        assert value == pytest.approx(float(kappa(EXAMPLE, gamma, lam).value))


def test_float_of_kappa_is_its_value():
    assert float(kappa(EXAMPLE)) == 17.0


def test_one_task_is_needed():
    panel = Orderings.from_orders({"t1": {"ann": "ab"}, "t2": {"ann": "ba"}})
    with pytest.raises(InputError, match="one task is needed, the panel has 2"):
        kappa(panel)
    assert kappa(panel.select(tasks=["t1"])).value == 3


@pytest.mark.parametrize("wrong", [{"gamma": 2}, {"gamma": 0}, {"lam": -0.5}, {"p": 1.5}, {"zeta": 0}])
def test_weights_out_of_range_are_refused(wrong):
    with pytest.raises(BadParameter, match="out of range"):
        kappa(["abc", "acb"], **wrong)
