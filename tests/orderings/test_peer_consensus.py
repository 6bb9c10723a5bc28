"""Each judge against the consensus of the others: p-values against all orders there are, intervals, the normal case."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.orderings.simulate import simulate
from tests import strategies
from tests.reference import judges as ref
from tests.reference import orderings as plain


def overall(panel, measure="tau", **more):
    asked = f"peer_correlation(measure={measure}, against=consensus)"
    return {o.labels["judge"]: o for o in q.judges(panel, asked, **{"resamples": 100, **more}).findings[0].overall}


@given(strategies.strict(judges=(2, 4), items=(3, 4)), st.sampled_from(["tau", "rho"]))
def test_p_is_the_share_of_all_orders_that_come_as_near(orders, measure):
    index = plain.tau_b if measure == "tau" else plain.rho
    found = overall(q.Orderings.from_orders(orders), measure, permutations=2000)
    for k, own in enumerate(orders):
        others = orders[:k] + orders[k + 1 :]
        consensus = [sorted(group) for group in ref.by_rank_sums(others)]
        items = [x for group in own for x in group]

        def near(order, consensus=consensus):
            return index(*plain.as_compared(order, consensus, set(), "unknown"))

        seen = near(own)
        told = found[k + 1]
        assert told.value == pytest.approx(seen, nan_ok=True)
        if math.isnan(seen):
            assert told.null is None
            continue
        every = [near([[x] for x in order]) for order in itertools.permutations(items)]
        share = np.mean([v >= seen - 1e-12 for v in every])
        assert told.null.p == pytest.approx(
            share, abs=0.01 + 4 * math.sqrt(share * (1 - share) / 99)
        )  # clear after 99 draws
        assert told.labels["p_holm"] >= told.null.p - 1e-12


@pytest.mark.parametrize("tasks", [1, 6])
def test_intervals_hold_the_correlation_and_follow_the_seed(tasks):
    panel = simulate(judges=8, items=6, tasks=tasks, dispersion=0.6)
    first, again = overall(panel, seed=1), overall(panel, seed=1)
    assert first == again
    for told in first.values():
        assert told.interval.low <= told.value + 1e-9
        assert told.interval.high >= told.value - 1e-9


def test_who_orders_at_random_is_no_nearer_than_chance():
    found = overall(simulate(judges=8, items=8, tasks=5, dispersion=0.4, random=1))
    assert found["random-1"].labels["p_holm"] > 0.05
    assert all(told.labels["p_holm"] < 0.05 for judge, told in found.items() if judge != "random-1")


def test_without_permutations_there_is_no_p_and_gaps_are_no_trouble():
    panel = q.Orderings.from_orders({"t": {"a": "xyz", "b": "xy", "c": "zw", "d": "xw"}})
    assert all(told.null is None for told in overall(panel, permutations=0).values())
    assert any(told.null and told.null.p <= 1 for told in overall(panel).values())
