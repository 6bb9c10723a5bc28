"""Few judges of very many items: what is told from some of them, what is left out, and that it says so."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.errors import LimitReached
from quorate.inference import usual_methods
from quorate.inference.engine import Figures
from quorate.inference.options import Options
from quorate.inference.samples import looked_at
from quorate.kernels import drawn_pairs, order_certainty, precedence_bits, top_lists
from quorate.kernels.precedence import support as by_all_pairs
from quorate.kernels.precedence import tasks_last
from quorate.panel import stacks
from quorate.panel.stacks import OrderingDesign
from quorate.reports.packing import Packer


def module(name: str) -> Any:
    """A file of orderings, which has the name of a function in it."""
    return importlib.import_module(f"quorate.orderings.{name}")


def rankings(judges: int, items: int, gaps: float = 0.0, ties: int = 1, noise: float = 0.1) -> np.ndarray:
    rng = np.random.default_rng(judges * items)
    places = (np.arange(items) + noise * items * rng.normal(size=(judges, items))).argsort(axis=1).argsort(axis=1)
    return np.where(rng.random(places.shape) < gaps, 0, places // ties + 1)


def panel_of(places: np.ndarray) -> q.Orderings:
    judge, item = np.nonzero(places)
    return q.Orderings.build({"judge": judge, "item": item, "position": places[judge, item].astype(float)})


@pytest.mark.parametrize(("judges", "gaps", "ties"), [(3, 0.0, 1), (5, 0.4, 3), (15, 0.3, 1)])
def test_shares_of_drawn_pairs_are_near_those_of_all(monkeypatch, judges, gaps, ties):
    monkeypatch.setattr(drawn_pairs, "CELLS", 10**6)
    places, counts = rankings(judges, 150, gaps, ties), np.ones((1, judges), int)
    need = np.array([judges // 2 + 1])
    single, pairs = drawn_pairs.support(places, counts, need)
    items, every = by_all_pairs(tasks_last(places[None]), counts.T, need, 1.0, 1.0)
    np.testing.assert_allclose(single, items.T, atol=1e-12)
    error = 4 * np.sqrt(0.25 / drawn_pairs.drawn_of(places))
    assert np.abs(pairs - every.T).max() < error


def test_which_pairs_are_drawn_does_not_depend_on_the_order_of_items_and_judges(monkeypatch):
    monkeypatch.setattr(drawn_pairs, "CELLS", 10**5)
    places, counts, need = rankings(4, 200, 0.2), np.ones((1, 4), int), np.array([2])
    rng = np.random.default_rng(0)
    judges, items = rng.permutation(4), rng.permutation(200)
    whole = drawn_pairs.support(places, counts, need)
    other = drawn_pairs.support(places[judges][:, items], counts, need)
    for one, two in zip(whole, other, strict=True):
        np.testing.assert_array_equal(one[:, judges], two)


@pytest.mark.parametrize(("gaps", "ties"), [(0.0, 1), (0.0, 4), (0.5, 3)])
def test_pairs_of_two_rankings_are_counted_by_sorting(monkeypatch, gaps, ties):
    places = rankings(2, 60, gaps, ties)
    plain = precedence_bits.histogram(places)
    monkeypatch.setattr(precedence_bits, "LONG", 10)
    assert precedence_bits.histogram(places).tolist() == plain.tolist()
    assert plain[1:].all()


def test_two_rankings_without_a_common_item_share_no_pair():
    places = np.zeros((2, 1000), int)
    places[0, :500] = places[1, 500:] = np.arange(1, 501)
    assert precedence_bits.histogram(places).tolist() == [0, 500 * 499 // 2, 500 * 499 // 2, 0]


def test_support_of_two_long_rankings_is_exact_and_of_more_is_told_from_some_pairs(monkeypatch):
    two, three = panel_of(rankings(2, 120)), panel_of(rankings(3, 120))
    exact = [q.agreement(p, "support(q=2)", permutations=9)["support(q=2)"].overall[0].value for p in (two, three)]
    monkeypatch.setattr(module("support"), "PAIRS", 1000)
    monkeypatch.setattr(drawn_pairs, "MOST", 10**5)
    sorted_, drawn = (q.agreement(p, "support(q=2)", permutations=9) for p in (two, three))
    assert sorted_["support(q=2)"].overall[0].value == exact[0]
    assert "pairs_drawn" not in sorted_["support(q=2)"].details
    assert drawn["support(q=2)"].overall[0].value == pytest.approx(exact[1], abs=0.01)
    assert drawn["support(q=2)"].details["pairs_drawn"] == [10**5]
    with pytest.raises(LimitReached, match="discounts"):
        q.agreement(three, "support(lam=0.9)")


@pytest.fixture
def few_items(monkeypatch):
    """As if 60 items were very many."""
    monkeypatch.setattr(stacks, "MOST_ITEMS", 60)
    monkeypatch.setattr(stacks, "FEWEST_ITEMS", 60)


def test_some_items_keep_the_order_of_all(few_items):
    design = OrderingDesign.of(panel_of(rankings(4, 200, 0.3)))
    some = looked_at(design, 0)
    (whole,), (part,) = design.parts, some.parts
    assert part.positions.shape == (1, 4, 60)
    assert part.positions.dtype == whole.positions.dtype
    at = np.searchsorted(whole.items[0], part.items[0])
    for own, all_of in zip(part.positions[0], whole.positions[0][:, at], strict=True):
        held = all_of > 0
        assert ((own > 0) == held).all()
        assert own[held].argsort().tolist() == all_of[held].argsort().tolist()
        assert sorted(own[held]) == list(range(1, held.sum() + 1))
    again = looked_at(design, 0).parts[0].items
    assert again.tolist() == part.items.tolist() != looked_at(design, 1).parts[0].items.tolist()
    short = OrderingDesign.of(panel_of(rankings(4, 60)))
    assert looked_at(short, 0) is short


def test_chance_is_told_from_some_items_and_the_value_from_all(few_items):
    panel = panel_of(rankings(3, 200))
    found = q.agreement(panel, "tau_b", "rbo", permutations=19)
    tau = found["tau_b"].overall[0]
    assert tau.value == pytest.approx(q.orderings.pairwise.tau_b.mean(panel))
    assert tau.null.p < 0.01
    assert "tau_b: chance and p are from 60 of 200 items, drawn at random" in found.notes
    few = Figures.of(found["tau_b"].method, looked_at(OrderingDesign.of(panel.by_name), 0))
    few = replace(few, value=np.array([tau.value]))
    assert few.nulls(Options(permutations=19))[0] == tau.null


def test_who_is_off_is_found_on_some_items(few_items, monkeypatch):
    monkeypatch.setattr(module("influence"), "ITEMS", 100)
    places = rankings(6, 200)
    places[2] = np.random.default_rng(5).permutation(200) + 1
    found = q.judges(panel_of(places), permutations=19)
    assert [row["judge"] for row in found.more["flagged"]] == [2]
    assert any("who is off" in note and "from 60 of 200 items" in note for note in found.notes)
    assert any(note.startswith("influence: what the others have in common") for note in found.notes)
    assert found["influence"].details["kappa"] == [None] * 6


def test_trust_is_told_from_some_items(few_items):
    found = q.trust(panel_of(rankings(3, 200)), "split_half", resamples=20)
    assert "all figures are from 60 of 200 items, drawn at random" in found.notes


def test_quality_methods_that_do_not_fit_are_left_out_of_all_of_them(monkeypatch):
    panel = panel_of(rankings(3, 30))
    monkeypatch.setattr(module("frespa"), "ITEMS", 20)
    found = q.trust(panel, "discriminativeness", "judges_needed", resamples=20)
    assert not any("frespa" in of for of in found["discriminativeness"].keys["of"])
    assert any(note.startswith("ED of frespa: left out") for note in found.notes)
    assert all(ed is None or np.isnan(ed) for ed in found["judges_needed"].details["ed"])
    with pytest.raises(LimitReached, match="frequent patterns"):
        q.trust(panel, "discriminativeness(of=frespa)")


def test_usual_methods_that_look_at_too_many_pairs_are_left_out_and_named_ones_refused():
    panel = panel_of(rankings(2, 80_000))
    found = q.consensus(panel, resamples=0)
    assert [str(f.method) for f in found.findings] == ["rank_sum"]
    assert "copeland, supported_order and kemeny left out: a task has too many items for them" in found.notes
    with pytest.raises(LimitReached, match="80,000 items in one task are too many for schulze"):
        q.consensus(panel, "schulze")
    named = usual_methods.fitting(panel, "consensus", [table.parse("copeland", "orderings", "consensus")])
    assert [str(m) for m in named] == ["copeland"]


def test_panels_drawn_from_a_long_task_are_told_by_one_look(monkeypatch):
    """Whatever fits at a time, the draws are the same."""
    panel = panel_of(rankings(5, 120))
    for name in ("peer_correlation", "support_outliers", "influence"):
        method = table.parse(name, "orderings", "judges")
        figures = Figures.of(method, OrderingDesign.of(panel.by_name))
        known = {n: p for n, p in method.declaration.properties.items() if n != "looks_once"}
        one_by_one = replace(method, declaration=replace(method.declaration, properties=known))
        assert figures.room("judges") < replace(figures, method=one_by_one).room("judges")
        first, second = (replace(figures, method=m).sample(Options(resamples=50))[2] for m in (method, one_by_one))
        np.testing.assert_allclose(first, second, rtol=1e-12, equal_nan=True)


def test_rank_intervals_are_the_same_some_items_at_a_time(monkeypatch):
    rng = np.random.default_rng(0)
    drawn = np.stack([rng.integers(1, 8, 9) for _ in range(40)])
    whole = order_certainty.order_certainty(drawn[0], drawn, "abcdefghi", 0.9)
    monkeypatch.setattr(order_certainty, "CELLS", 20)
    assert order_certainty.order_certainty(drawn[0], drawn, "abcdefghi", 0.9) == whole


def test_counts_that_no_double_holds_are_packed_for_a_page():
    packer = Packer()
    packer.column([10**400, 1.5])
    assert packer.columns


def test_rbo_looks_no_deeper_than_it_weighs_anything(monkeypatch):
    tied, uneven = rankings(3, 900, ties=300)[None], rankings(3, 900, gaps=0.3)[None]
    lists = [top_lists.rbo(x, part=part) for x in (tied, uneven) for part in ("ext", "min", "res")]
    monkeypatch.setattr(top_lists, "NOTHING", 0.0)
    whole = [top_lists.rbo(x, part=part) for x in (tied, uneven) for part in ("ext", "min", "res")]
    np.testing.assert_allclose(lists, whole, rtol=0, atol=1e-15)
