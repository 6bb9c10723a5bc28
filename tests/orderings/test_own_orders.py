"""Each judge's own order by the others, all at once, beside one by one; and what a report leaves out to be quick."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.kernels.pattern_weights import only, supported
from quorate.orderings.kemeny import soon_proven
from quorate.orderings.leave_one_out_scores import OwnOrders
from quorate.orderings.rankings import need
from quorate.orderings.simulate import simulate
from quorate.table import parse
from tests.kernels.test_common_items import rankings

METHODS = [
    f"{name}(measure={measure}{more})"
    for name, more in (
        ("average_correlation", ""),
        ("weighted_correlation", ""),
        ("weighted_correlation", ", negative=keep"),
        ("weighted_correlation", ", negative=mapped"),
        ("rank_based", ""),
        ("average_correlation", ", missing=below"),
        ("average_correlation", ", missing=top-k"),
        ("weighted_correlation", ", missing=below, negative=keep"),
    )
    for measure in ("tau", "rho")
]


@pytest.mark.parametrize("text", METHODS)
@given(seed=st.integers(0, 10**6), ties=st.booleans())
def test_own_orders_at_once_are_own_orders_one_by_one(text, seed, ties):
    module = importlib.import_module("quorate.orderings.discriminativeness")
    rng = np.random.default_rng(seed)
    positions = rankings(rng, 2, 4, 5, ties)
    counts = rng.integers(0, 3, (2, 4))
    method = parse(text, "orderings", "quality")
    at_once = module._at_once
    found = at_once(positions, counts, method)
    assert found is not None
    module._at_once = lambda *_: None
    try:
        expected = module.differences(positions, counts, method)
    finally:
        module._at_once = at_once
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("min_sup", [0.6, 0.75, 1.0])
def test_items_that_too_few_hold_change_no_pattern(min_sup):
    rng = np.random.default_rng(2)
    positions = rankings(rng, 4, 6, 9, ties=False)
    counts = np.ones((4, 6), np.int64)
    quorum = need(min_sup, counts)
    kept = supported(positions, counts, quorum)
    assert kept is not None
    held = (positions > 0).sum(axis=1)
    for t, row in enumerate(kept.tolist()):
        assert set(np.flatnonzero(held[t] >= quorum[t])) <= set(row)
    systems = rankings(rng, 4, 2, 9, ties=False)
    method = parse(f"frespa(min_sup={min_sup})", "orderings", "quality")
    few = method(only(positions, kept), counts, only(systems, kept)).values
    assert method(positions, counts, systems).values == pytest.approx(few)


def test_ed_a_few_tasks_at_a_time_is_ed_of_all_tasks_together(monkeypatch):
    panel = simulate(judges=5, items=4, tasks=7, dispersion=0.6)
    together = q.trust(panel, "discriminativeness", resamples=100).findings[0].values
    monkeypatch.setattr(
        importlib.import_module("quorate.orderings.discriminativeness"), "CELLS", 50
    )  # two tasks of five judges
    assert q.trust(panel, "discriminativeness", resamples=100).findings[0].values == pytest.approx(together, abs=1e-12)


def test_orders_of_many_judges_of_few_items_are_scored_at_once_and_long_ones_not():
    method = parse("weighted_correlation", "orderings", "quality")
    fits = [OwnOrders(np.ones((1, *shape), int), np.ones((1, shape[0]), int)).fits(method) for shape in SHAPES]
    assert fits == [True, True, False]


SHAPES = ((300, 500), (400, 10), (400, 500))  # judges, items


@pytest.mark.parametrize("method", ["rank_sum", "copeland"])
def test_resampled_panels_together_are_resampled_panels_one_by_one(method):
    positions = rankings(np.random.default_rng(3), 1, 4, 7, ties=False)
    counts = np.random.default_rng(4).multinomial(4, [0.25] * 4, size=30)
    chosen = parse(method, "orderings", "consensus")
    together = chosen(np.broadcast_to(positions, (30, 4, 7)), counts, brief=True)
    for row, found in zip(counts, together, strict=True):
        assert found.array.tolist() == chosen(positions, row[None])[0].array.tolist()


# -- a report ---------------------------------------------------------------------------------------------------------


def test_a_circle_of_many_items_is_not_soon_proven():
    circle = [[str((i + shift) % 15) for i in range(15)] for shift in (0, 5, 10)]
    assert not soon_proven(q.Orderings.from_orders(circle))
    assert soon_proven(q.Orderings.from_orders(["abc", "bca", "cab"]))


def test_a_report_says_what_it_leaves_out():
    circle = [[str((i + shift) % 15) for i in range(15)] for shift in (0, 5, 10)]
    panel = q.Orderings.from_orders(circle)
    quick = q.report(panel, resamples=100, permutations=10)
    found = quick.section("consensus").answer
    assert "kemeny" not in [f.method.name for f in found.findings]
    assert any("kemeny is left out" in note for note in quick.section("consensus").notes)
    asked = [str(m) for m in table.methods("orderings", "trust", default=True)]
    assert [str(f.method) for f in quick.section("trust").answer.findings] == asked
    assert q.report(panel, resamples=100, permutations=10).to_json() == quick.to_json()


def test_where_time_is_short_rank_intervals_are_of_the_first_tasks_and_that_is_said(monkeypatch):
    panel = q.Orderings.from_orders({t: {"ann": "abc", "bob": "acb", "cat": "bac"} for t in "xyz"})
    monkeypatch.setattr("quorate.inference.budget.SECOND", 2 * 100 * 3 * 3 * 3)
    found = q.consensus(panel, "rank_sum", seconds=1.0)
    assert [bool(r) for r in found.findings[0].details["resamples"]] == [True, True, False]
    assert any("rank intervals on 2 of 3 tasks" in note for note in found.notes)


def test_noise_says_when_only_some_judges_are_tried(monkeypatch):
    monkeypatch.setattr("quorate.inference.budget.SECOND", 1)
    panel = simulate(judges=12, items=5, dispersion=0.5)
    found = q.trust(panel, "noise(of=frespa(min_len=1), repeats=1)", resamples=100)
    assert any(note.startswith("noise of frespa(min_len=1): the orders of") for note in found.notes)
