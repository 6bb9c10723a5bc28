"""Intervals hold the value they are of, stay inside the range, and hold the true value about as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.orderings.simulate import as_panel, mallows, simulate
from tests import strategies

FEW = {"resamples": 100, "permutations": 0}
QUALITY = tuple(map(str, table.methods("orderings", "quality")))
TRUST = ("discriminativeness", "split_half", "bootstrap(of=kappa, resamples=20)", "bootstrap(of=support, resamples=20)")


def holds_its_value(answer):
    assert answer.findings
    for f in answer.findings:
        low, high = f.method.declaration.range
        for o in f.overall:
            if o.interval is None:
                continue
            assert not math.isnan(o.value)
            assert o.interval.low <= o.value <= o.interval.high, str(f.method)
            assert low - 1e-12 <= o.interval.low, str(f.method)
            assert o.interval.high <= high + 1e-12, str(f.method)


@given(tasks=strategies.panels(), level=st.sampled_from([0.5, 0.9, 0.95]))
def test_intervals_hold_their_value_and_stay_in_the_range(tasks, level):
    panel = q.Orderings.from_orders(tasks)
    holds_its_value(q.agreement(panel, *table.methods("orderings", "agreement"), level=level, **FEW))
    holds_its_value(q.judges(panel, level=level, **FEW))
    holds_its_value(q.quality(panel, panel, *QUALITY, level=level, **FEW))
    holds_its_value(q.trust(panel, *TRUST, level=level, **FEW))


@given(votes=strategies.votes(judges=(1, 5)))
def test_intervals_over_counted_judges_hold_their_value(votes):
    panel = q.Orderings.build(strategies.counted(votes))
    holds_its_value(q.agreement(panel, **FEW))
    holds_its_value(q.judges(panel, **FEW))
    holds_its_value(q.quality(panel, panel, **FEW))


def nearly_one():
    """Two tasks on which all agree, and one on which two neighbours are swapped by some: means just below 1."""
    agreed = dict.fromkeys(["ann", "bob", "cat", "dan", "eve"], "abcd")
    return q.Orderings.from_orders({"t1": agreed, "t2": agreed, "t3": {**agreed, "cat": "abdc"}})


WEIGHTED = "weighted_correlation(measure=tau{})"


@pytest.mark.parametrize("weights", ["", ", negative=keep", ", negative=mapped"])
def test_a_weighted_correlation_ends_at_one_unless_weights_are_below_zero(weights):
    panel = nearly_one()
    found = q.quality(panel, panel, WEIGHTED.format(weights), **FEW).findings[0].overall
    assert 0.8 < found[-1].value < 1
    assert found[-1].interval.high == 1
    contrary = q.Orderings.from_orders({t: {**panel.orders(t), "fay": "dcba"} for t in panel.tasks})
    found = q.quality(contrary, panel, WEIGHTED.format(weights), copies="apart", **FEW).findings[0].overall
    assert (max(o.interval.high for o in found) > 1) == ("keep" in weights)


def test_ed_of_weights_that_are_not_below_zero_ends_at_one():
    clipped = WEIGHTED.format("")
    for text in (f"discriminativeness(of={clipped})", f"tune(of={clipped})"):
        found = q.trust(nearly_one(), text, **FEW).findings[0].overall[0]
        assert 0.8 < found.value < 1
        assert found.interval.high == 1
    texts = [f"bootstrap(of={of}, over=tasks, resamples=50)" for of in (clipped, f"discriminativeness(of={clipped})")]
    for text in texts:
        found = q.trust(nearly_one(), text, systems=nearly_one(), **FEW).findings[0].overall
        assert max(o.interval.high for o in found) == 1


def test_fewer_resamples_of_one_long_task_are_said(monkeypatch):
    monkeypatch.setattr("quorate.inference.budget.SECOND", 10**5)
    long, short = (simulate(judges=3, items=n, dispersion=0.5) for n in (20, 5))
    found = q.agreement(long, "tau_b", "support", resamples=150, permutations=0)
    assert [f.overall[0].interval.resamples for f in found.findings] == [150, 100]  # every two are compared once
    assert "support: intervals are of 100 resamples, not 150, to keep within the time" in found.notes
    assert not [n for n in q.agreement(short, "tau_b", resamples=150, permutations=0).notes if "resamples" in n]


@pytest.mark.parametrize(
    ("method", "true"),
    [
        pytest.param("tau_b", 0.1182, marks=pytest.mark.long),
        pytest.param("kendall_w", 0.2563, marks=pytest.mark.long),
        ("support", 0.7833),
    ],
)
def test_about_nine_of_ten_intervals_over_judges_hold_the_true_value(method, true):
    # True values: means over 20,000 simulated panels. Draws of judges alone, reflected around the value, held that of W
    # in 5 to 8 and of support in 6 to 8 of 10.
    orders = mallows((120, 8, 6), 0.7, np.random.default_rng(3))
    hits = 0
    for k, one in enumerate(orders):
        found = q.agreement(as_panel(one[None]), method, resamples=200, permutations=0, seed=k).findings[0].overall[0]
        hits += found.interval.low <= true <= found.interval.high
    assert hits / len(orders) >= 0.86


@pytest.mark.parametrize(
    ("judges", "dispersion", "true"), [(8, 0.3, 14.16), pytest.param(12, 0.5, 7.51, marks=pytest.mark.long)]
)
def test_intervals_of_kappa_over_judges_hold_the_true_value(judges, dispersion, true):
    # True values: means over 3,000 simulated panels. While the ends followed the draws, which are never below the
    # value, 85 and 86 of 100 held it: the true value was always below them.
    orders = mallows((120, judges, 6), dispersion, np.random.default_rng(3))
    hits = 0
    for k, one in enumerate(orders):
        found = q.agreement(as_panel(one[None]), "kappa", resamples=200, permutations=0, seed=k).findings[0].overall[0]
        hits += found.interval.low <= true <= found.interval.high
    assert hits / len(orders) >= 0.92


def test_two_systems_that_are_alike_seldom_differ_on_one_task():
    # By symmetry, judges around 1, 2, ..., 8 like a list with the first two swapped as well as one with the last two.
    systems = as_panel(np.array([[[2, 1, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 8, 7]]]))
    orders = mallows((100, 8, 8), 0.8, np.random.default_rng(5))
    alarms = 0
    for k, one in enumerate(orders):
        found = q.quality(as_panel(one[None]), systems, "average_correlation", seed=k, resamples=200, permutations=0)
        alarms += found.findings[0].overall[1].labels["p_best"] < 0.05
    assert alarms <= 12
