"""What the judges agree on: every method against its definition, and what all of them promise."""

from __future__ import annotations

import csv
import json
import math
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import InputError, UnknownId
from quorate.inference.consensus_panel import as_panel
from quorate.kernels import kemeny as kernel
from quorate.kernels import majority, ranks
from quorate.orderings import consensus_order, kappa, support_outliers, tau_b
from quorate.orderings.consensus_method import judge_weights
from quorate.orderings.kemeny import solve
from quorate.orderings.models import dispersion
from quorate.orderings.rankings import one_task
from quorate.orderings.simulate import simulate
from quorate.reports.candidates import evaluate_consensus
from tests import strategies
from tests.reference import consensus as ref

PAPER = Path(__file__).resolve().parents[2] / "src" / "quorate" / "data"
METHODS = list(table.declarations("orderings", "consensus"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)


def panel_of(votes):
    """A panel of (order, count) pairs."""
    rows = [(f"j{k}", i, p, c) for k, (o, c) in enumerate(votes) for p, group in enumerate(o, 1) for i in group]
    judge, item, position, count = (list(column) for column in zip(*rows, strict=True))
    return q.Orderings.build({"judge": judge, "item": item, "position": np.array(position, float), "count": count})


def agreed(panel, method):
    """Ranking as sets and the details of one task."""
    found = q.consensus(panel, method, resamples=0).to_dict()["results"][0]
    return [set(group) for group in found["ranking"]], found["details"]


# -- against the definitions ------------------------------------------------------------------------------------------


@given(strategies.votes(), st.sampled_from(["unknown", "below"]), st.sampled_from(["rank_sum", "copeland", "schulze"]))
def test_points_and_majorities_equal_their_definitions(votes, missing, name):
    ranking, _ = agreed(panel_of(votes), f"{name}(missing={missing})")
    assert ranking == getattr(ref, name)(ref.below(votes) if missing == "below" else votes)


@given(strategies.votes(), st.sampled_from([0.0, 1.0, 60.0]))
def test_reciprocal_rank_equals_its_definition(votes, k):
    ranking, _ = agreed(panel_of(votes), f"reciprocal_rank(k={k})")
    assert ranking == ref.reciprocal_rank(votes, k)


@given(strategies.votes(judges=(1, 6)), st.sampled_from(["unknown", "below"]))
def test_kemeny_is_the_least_cost_of_all_orders_then_nearest_the_rank_sums(votes, missing):
    ranking, details = agreed(panel_of(votes), f"kemeny(missing={missing})")
    seen = ref.below(votes) if missing == "below" else votes
    least, best = ref.kemeny(seen)
    assert (details["distance"], details["optimal"], details["gap"]) == (least, True, 0)
    assert tuple(details["order"]) in best
    assert details["several"] == (len(best) > 1)
    nearest = ref.nearest(best, ref.rank_sum(seen))
    assert set(ref.broken(ranking)) <= set(nearest)  # however ties are broken
    assert (details["optima"], details["shared_complete"]) == (len(best), True)
    told = details["shared"]
    assert told is None if len(best) == 1 else {(a, b) for a, b in told} == ref.covers(ref.shared(best))


def test_items_in_a_circle_are_not_tied():
    """Two abc, two bca, one cab: bca and abc contradict the least, cab and any other order more."""
    votes = [([["a"], ["b"], ["c"]], 2), ([["b"], ["c"], ["a"]], 2), ([["c"], ["a"], ["b"]], 1)]
    ranking, details = agreed(panel_of(votes), "kemeny")
    assert len(ranking) == 3
    assert tuple(details["order"]) in ref.kemeny(votes)[1]
    found = q.consensus(panel_of([([[x] for x in o], 1) for o in ("abc", "bca", "cab")]), "kemeny")
    said = next(f for f in found.facts if f.name == "optima")
    assert said.text.startswith("3 orders are equally good (kemeny)")
    assert said.text.endswith("there is no pair that all of them order alike.")
    both = q.consensus(panel_of([([["a"], ["b"], ["c"]], 1), ([["a"], ["c"], ["b"]], 1)]), "kemeny")
    assert both.findings[0].values[0] == [["a"], ["b", "c"]]
    assert "2 orders are equally good (kemeny)" in " ".join(both.sentences)
    assert "All of them put a before b and a before c" in " ".join(both.sentences)


@given(strategies.votes(judges=(2, 5), items=(8, 8)))
def test_kemeny_of_eight_items(votes):
    _, details = agreed(panel_of(votes), "kemeny")
    least, best = ref.kemeny(votes)
    assert details["distance"] == least
    assert details["several"] == (len(best) > 1)


@pytest.mark.parametrize("seed", range(6))
def test_the_integer_program_finds_what_subsets_find(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    items = 11
    rankings = rng.permuted(np.tile(np.arange(1, items + 1), (1, 5 + seed, 1)), axis=2)
    before = majority.before(rankings, np.ones((1, 5 + seed), np.int64))[0]
    sums = rankings[0].sum(axis=0)
    then = sums[:, None] < sums[None, :]
    by_subsets = solve(before, 30, then)
    monkeypatch.setattr(kernel, "FEW", 2)
    by_program = solve(before, 30, then)
    assert by_program.optimal
    assert by_program.cost == by_subsets.cost
    assert by_program.several == by_subsets.several
    both = before * float(before.size) + then  # among orders equally near the rank sums each may choose its own
    assert kernel.cost(both, by_program.order) == kernel.cost(both, by_subsets.order)
    assert not (by_program.shared & ~by_subsets.shared).any()  # what is told is so, though it may not be all
    assert by_program.least <= by_subsets.number
    assert by_program.number in (None, by_subsets.number)


def test_forty_items_of_fifty_noisy_judges_are_proven_best():
    rng = np.random.default_rng(1)
    seen = np.arange(40) + 20 * rng.standard_normal((1, 50, 40))
    rankings = seen.argsort(axis=2).argsort(axis=2) + 1
    before = majority.before(rankings, np.ones((1, 50), np.int64))[0]
    found = solve(before, 60)
    assert found.optimal
    assert found.bound <= found.cost
    assert found.cost == kernel.cost(before, found.order)
    assert sorted(found.order.tolist()) == list(range(40))
    assert max(map(len, majority.blocks_in_line(before - before.T))) > kernel.FEW


def test_a_hundred_random_items_end_at_the_time_limit_with_a_bound():
    rng = np.random.default_rng(0)
    panel = q.Orderings.from_ranks(rng.permuted(np.tile(np.arange(1, 101), (20, 1)), axis=1))
    start = time.monotonic()
    answer = q.consensus(panel, "kemeny(seconds=1)", resamples=0)
    assert time.monotonic() - start < 6
    details = answer.to_dict()["results"][0]["details"]
    assert details["optimal"] is False
    assert 0 < details["bound"] < details["distance"]
    assert 0 < details["gap"] < 0.2
    assert details["several"] is None
    assert any("is not proven within the limit" in note for note in answer.notes)


def test_the_proof_ends_after_the_same_steps_whatever_the_time(monkeypatch):
    rng = np.random.default_rng(1)
    rankings = rng.permuted(np.tile(np.arange(1, 61), (1, 9, 1)), axis=2)
    before = majority.before(rankings, np.ones((1, 9), np.int64))[0]
    monkeypatch.setattr("quorate.orderings.kemeny.WORK", 1e6)
    monkeypatch.setattr("quorate.kernels.effort.time.monotonic", lambda: pytest.fail("a clock was read"))
    first, again = solve(before), solve(before)
    assert not first.optimal
    assert 0 < first.bound < first.cost
    assert (first.cost, first.bound) == (again.cost, again.bound)
    assert first.order.tolist() == again.order.tolist()


@given(strategies.orders(), st.sampled_from([1, 2, 0.5, 1.0]))
def test_supported_order_keeps_every_supported_pair_it_did_not_give_up(orders, quorum):
    panel = q.Orderings.from_orders(orders)
    ranking, details = agreed(panel, f"supported_order(q={quorum!r})")
    place = {i: p for p, group in enumerate(ranking) for i in group}
    need = quorum if isinstance(quorum, int) else math.ceil(quorum * len(orders) - 1e-9)
    given_up = {tuple(pair) for pair in details["broken"]}
    votes = [(o, 1) for o in orders]
    for a in place:
        for b in place:
            if a != b and ref.before(votes, a, b) >= need:
                assert (a, b) in given_up or place[a] < place[b]
    assert bool(given_up) == bool(details["supported_cycles"])
    assert details["broken_support"] == sorted(details["broken_support"])


@given(strategies.orders(), st.sampled_from(["unknown", "below"]))
def test_a_common_extension_keeps_kappa(orders, missing):
    ranking = consensus_order(orders, f"common_extension(missing={missing})")
    assert kappa([*orders, ranking]).by_length == kappa(orders).by_length


@given(strategies.strict(judges=(2, 6), items=(2, 5)))
def test_mallows_phi_is_the_likeliest(orders):
    votes = [(o, 1) for o in orders]
    _, details = agreed(q.Orderings.from_orders(orders), "mallows")
    phi, centre = details["phi"], tuple(details["order"])
    best = ref.mallows_likelihood(min(max(phi, 1e-9), 1.0), centre, votes)
    for other in (phi * 0.9, phi + 0.05):
        if 0 < other <= 1:
            assert ref.mallows_likelihood(other, centre, votes) <= best + 1e-9


def test_mallows_phi_is_undefined_where_nobody_ordered_two_items():
    panel = q.Orderings.from_orders({"ann": "a", "bob": "a", "cat": "b"})
    _, details = agreed(panel, "mallows")
    assert details["phi"] is None  # undefined, not "all agree"
    assert details["theta"] is None


def test_mallows_dispersion_of_top_lists_counts_the_absent_below():
    positions = np.array([[1, 2, 0, 0], [2, 1, 0, 0]])
    counts = np.array([1, 1])
    mean, phi = dispersion(positions, counts, np.arange(4), "below")
    assert mean == 0.5
    assert 0 < phi < 1
    # Two places of four items pass over phi + 2 phi^2 + ... items; their expectation is the mean distance.
    expected = sum(sum(j * phi**j for j in range(left)) / sum(phi**j for j in range(left)) for left in (4, 3))
    assert expected == pytest.approx(mean)


@given(strategies.votes(items=(2, 5)), st.sampled_from(["unknown", "below"]))
def test_plackett_luce_strengths_are_the_likeliest(votes, missing):
    panel = panel_of(votes)
    _, details = agreed(panel, f"plackett_luce(missing={missing})")
    if missing == "below" and any(sum(map(len, order)) < len(panel.items) for order, _ in votes):
        return  # the plain twin has no top lists
    # Strengths are told as shares; the prior compares them with an item of strength 1, so the scale is found anew.
    shares = details["scores"]

    def likelihood(scale, change=None):
        strength = {i: shares[str(i)] * scale * (change or {}).get(i, 1.0) for i in panel.items}
        return ref.luce_likelihood(strength, votes, 0.1)

    scale = max(np.geomspace(0.01, 1000, 4001), key=likelihood)
    best = likelihood(scale)
    for item in panel.items:
        for factor in (0.9, 1.1):
            assert likelihood(scale, {item: factor}) <= best + 1e-4


# -- what every method promises ---------------------------------------------------------------------------------------


@every
@given(strategies.order(strategies.NAMES[:5]), st.integers(1, 4))
def test_a_unanimous_panel_returns_the_common_order(declared, order, judges):
    found = consensus_order([order] * judges, declared.name)
    assert [set(g) for g in found] == [set(g) for g in order]


@every
@given(strategies.orders(judges=(2, 5)), st.randoms(use_true_random=False))
def test_the_order_of_judges_does_not_matter(declared, orders, random):
    shuffled = list(orders)
    random.shuffle(shuffled)
    one, other = consensus_order(orders, declared.name), consensus_order(shuffled, declared.name)
    assert [set(g) for g in one] == [set(g) for g in other]


@every
@given(strategies.orders(judges=(2, 5)), st.permutations(strategies.NAMES))
def test_names_of_items_do_not_matter(declared, orders, names):
    rename = dict(zip(strategies.NAMES, names, strict=True))
    renamed = [[[rename[i] for i in group] for group in order] for order in orders]
    one, other = consensus_order(orders, declared.name), consensus_order(renamed, declared.name)
    one = [[rename[i] for i in g] for g in one]
    if declared.name in ("kemeny", "mallows"):  # of several orders equally good, names choose one
        votes = [(order, 1) for order in renamed]
        assert ref.cost(votes, ref.broken(one)[0]) == ref.cost(votes, ref.broken(other)[0])
    else:
        assert [set(g) for g in one] == [set(g) for g in other]


@every
@given(votes=strategies.votes(judges=(1, 4)), weights=st.sampled_from(["uniform", "agreement"]), drop=st.booleans())
@example(  # each judge's correlations with the others cancel out: no weight, whichever way they are added up
    votes=[([["a"], ["b"], ["c"], ["d"]], 3), ([["c"], ["d"], ["b"], ["a"]], 3)], weights="agreement", drop=False
)
def test_counts_stand_for_equal_judges(declared, votes, weights, drop):
    method = table.bind(declared, {"weights": weights, "outliers": "drop" if drop else "keep"})
    spread = [order for order, count in votes for _ in range(count)]
    one, _ = agreed(panel_of(votes), method)
    other, _ = agreed(q.Orderings.from_orders(spread), method)
    assert one == other


@every
@given(tasks=strategies.panels(), missing=st.sampled_from(["unknown", "below"]))
def test_tasks_do_not_touch_one_another(declared, tasks, missing):
    method = table.bind(declared, {"missing": missing})
    panel = q.Orderings.from_orders(tasks)
    how = {"resamples": 0, "copies": "apart"}  # who is a copy is told from all tasks
    together = q.consensus(panel, method, **how).findings[0]
    for task, ranking in zip(together.keys["task"], together.values, strict=True):
        alone = q.consensus(panel.select(tasks=[task]), method, **how).findings[0].values[0]
        assert [set(g) for g in ranking] == [set(g) for g in alone]
        assert {i for g in ranking for i in g} == {i for o in tasks[task].values() for g in o for i in g}


def test_with_very_many_tasks_fewer_panels_are_drawn_for_each_and_it_is_said(monkeypatch):
    monkeypatch.setattr("quorate.inference.budget.SECOND", 120 * 3 * 4 * 4 * 4)
    panel = simulate(judges=4, items=4, tasks=3)
    answer = q.consensus(panel, "rank_sum", "copeland", resamples=150, seconds=1.0)
    assert [f.details["resamples"] for f in answer.findings] == [[120] * 3] * 2
    assert any("rank_sum, copeland: rank intervals are of 120 resamples a task, not 150" in n for n in answer.notes)
    assert not [n for n in q.consensus(panel, "rank_sum", resamples=50).notes if "resamples" in n]


@every
def test_the_same_seed_gives_the_same_bytes(declared):
    panel = q.Orderings.from_orders({"t": {f"j{k}": o for k, o in enumerate(["abcd", "abdc", "bac", "dcab", "cab"])}})
    one, again = (q.consensus(panel, declared.name, seed=3, resamples=60).to_json() for _ in range(2))
    assert one == again
    row = json.loads(one)["results"][0]
    assert set(row) == {"task", "method", "ranking", "details"}
    assert sorted(row["details"]["rank_interval"]) == list("abcd")
    assert all(1 <= low <= high <= 4 for low, high in row["details"]["rank_interval"].values())
    assert sum(row["details"]["first"].values()) >= 1 - 1e-9


@every
def test_one_judge_and_one_item(declared):
    assert consensus_order(["a"], declared.name) == [["a"]]
    assert consensus_order(["ba"], declared.name) == [["b"], ["a"]]
    answer = q.consensus(q.Orderings.from_orders(["ba"]), declared.name)
    assert answer.findings[0].details["rank_interval"] == [None]
    assert "The only judge puts b first" in answer.text()


@every
def test_a_circle_of_majorities_is_reported(declared):
    answer = q.consensus(q.Orderings.from_orders(["abcd", "bcad", "cabd"]), declared.name)
    details = answer.to_dict()["results"][0]["details"]
    assert [sorted(c) for c in details["cycles"]] == [["a", "b", "c"]]
    groups = answer.findings[0].values[0]
    if declared.name in ("kemeny", "mallows"):  # one of three orders equally good; tied, none of them would be shown
        assert [len(g) for g in groups] == [1, 1, 1, 1]
        assert (details["optima"], groups[3]) == (3, ["d"])
    else:
        assert [set(g) for g in groups] == [{"a", "b", "c"}, {"d"}]
    assert "go round in a circle among a, b and c" in answer.text(200)


@every
def test_items_that_only_dropped_judges_ranked_come_last(declared):
    orders = {"a": "wxyz", "b": "wxyz", "c": "wxyz", "d": "wxzy", "e": "zyxwv"}
    method = table.bind(declared, {"outliers": "drop", "missing": "unknown"})
    ranking, details = agreed(q.Orderings.from_orders(orders), method)
    assert details["dropped"] == ["e"]
    assert ranking[-1] == {"v"}
    assert details["unplaced"] == ["v"]
    assert ranking[0] == {"w"}


# -- weights and outliers ---------------------------------------------------------------------------------------------


@given(strategies.orders(judges=(2, 5)))
def test_agreement_weights_are_mean_tau_with_the_others(orders):
    task = one_task(orders)
    weight, _, uniform = judge_weights(task.positions, task.counts, "agreement", "keep")
    square = tau_b.matrix(orders)
    expected = []
    for i in range(len(orders)):
        others = [square[i, j] for j in range(len(orders)) if j != i and not math.isnan(square[i, j])]
        expected.append(max(0.0, sum(others) / len(others)) if others else 0.0)
    if sum(expected) < 1e-12:
        assert uniform.all()
        assert weight[0].tolist() == [1.0] * len(orders)
    else:
        assert weight[0].tolist() == pytest.approx(expected, abs=1e-12)


@given(strategies.orders(judges=(1, 6)))
def test_dropped_judges_are_the_support_outliers(orders):
    task = one_task(orders)
    found = support_outliers(orders)
    dropped = judge_weights(task.positions, task.counts, "uniform", "drop")[1]
    assert dropped[0].tolist() == [f.outlier for f in found.values()]


@given(strategies.orders(judges=(1, 6)), st.sampled_from([0.34, 0.5, 2]), st.sampled_from([0.1, 0.5]))
def test_bounds_of_ones_own_say_who_is_dropped(orders, share, eps):
    task = one_task(orders)
    found = support_outliers(orders, q=share, eps2=eps)
    rule = f"support_outliers(q={share}; eps2={eps})"
    assert judge_weights(task.positions, task.counts, "uniform", rule)[1][0].tolist() == [
        f.outlier for f in found.values()
    ]
    method = table.parse(f"kemeny(outliers={rule})", "orderings", "consensus")
    assert table.parse(str(method), "orderings", "consensus") == method


@pytest.mark.parametrize("rule", ["flagged", "support_outliers(eps=1)", "peer_correlation"])
def test_a_rule_for_outliers_that_is_none(rule):
    with pytest.raises(q.BadParameter):
        table.parse(f"kemeny(outliers={rule})", "orderings", "consensus")


def test_leaving_out_outliers_is_compared():
    panel = q.Orderings.from_orders(["abcdef"] * 3 + ["abcdfe", "bacdef"] + ["fedcba"])
    answer = q.consensus(panel, "rank_sum(outliers=drop)")
    rows = answer.to_dict()["without_outliers"]
    assert [r["judges"] for r in rows] == [6, 5]
    assert rows[1]["tau_kept"] >= rows[0]["tau_kept"]
    assert answer.to_dict()["results"][0]["details"]["dropped"] == [6]
    assert "Without judge 6, the other judges together put a first" in answer.text(200)


def test_resampled_panels_are_drawn_as_one_by_one():
    """The short way for the same rankings under many counts gives what each count gives alone."""
    panel = q.Orderings.from_orders(["abcd", "adbc", "bac", "dcab", [["c", "d"], "a"]])
    task = one_task(panel)
    counts = np.random.default_rng(0).multinomial(5, np.full(5, 0.2), size=25)
    stretched = np.broadcast_to(task.positions, (25, 5, 4))
    for declared in METHODS:
        for settings_ in ({}, {"missing": "below"}, {"missing": "unknown", "weights": "agreement", "outliers": "drop"}):
            method = table.bind(declared, settings_)
            short = method(stretched, counts, alike=False, brief=True)
            copied = method(stretched.copy(), counts, alike=False, brief=True)
            if declared.name != "plackett_luce":  # there the short way stops early
                assert [a.array.tolist() for a in short] == [a.array.tolist() for a in copied], method


@given(st.integers(0, 10**6))
def test_drawn_panels_that_lack_items_are_ordered_together_as_one_by_one(seed):
    rng = np.random.default_rng(seed)
    positions = np.where(rng.random((4, 6)) < 0.5, rng.integers(1, 7, (4, 6)), 0)
    counts = rng.multinomial(4, np.full(4, 0.25), size=12)
    places = ranks.dense(positions[None]) - (positions == 0).any(axis=1)[None, :, None]  # absent items have place 0
    stretched = np.broadcast_to(places, (12, 4, 6))
    for name in ("rank_sum", "copeland", "supported_order", "supported_order(q=0.2)", "supported_order(q=2)"):
        method = table.parse(name, "orderings", "consensus")
        together, alone = (method(stretched, counts, brief=brief) for brief in (True, False))
        assert [a.array.tolist() for a in together] == [a.array.tolist() for a in alone], name


# -- real data --------------------------------------------------------------------------------------------------------


def test_dots_are_ordered_by_their_number(data):
    files = sorted((data / "preflib" / "00024-dots").glob("*.soc"))
    assert files
    answer = q.consensus(q.read(*files), *[d.name for d in METHODS if d.name != "common_extension"], resamples=0)
    for finding in answer.findings:
        for ranking in finding.values:
            assert [len(g) for g in ranking] == [1] * 4
            dots = [int(g[0]) for g in ranking]
            assert dots == sorted(dots), finding.method


def test_candidates_reproduce_table_4_of_the_kappa_paper():
    rankings = q.read(PAPER / "kappa_rankings.csv")
    found = evaluate_consensus(rankings.select(tasks=["clustering"]), rankings.select(tasks=["clustering-aggregates"]))
    with open(PAPER / "kappa_tables.csv", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["ranking_set"].startswith("clustering+")]
    assert len(rows) == 288
    for row in rows:
        surface = {(s["gamma"], s["lam"]): s["kappa"] for s in found[row["ranking_set"].split("+")[1]].surface}
        digits = len(row["kappa"].partition(".")[2])
        value = surface[float(row["gamma"]), float(row["lambda"])]
        assert value == pytest.approx(float(row["kappa"]), abs=0.5000001 * 10**-digits)


def test_ga_is_more_sensitive_to_lam_and_ce_to_gamma_as_the_paper_finds():
    rankings = q.read(PAPER / "kappa_rankings.csv")
    judges, given_ = rankings.select(tasks=["clustering"]), rankings.select(tasks=["clustering-aggregates"])
    found = evaluate_consensus(judges, given_)
    assert found["CE"].to_gamma > found["GA"].to_gamma
    assert found["GA"].to_lam > found["CE"].to_lam
    assert [(c.kappa, c.decline, c.by_length) for c in found.rows] == [(19, 0, [10, 8, 1])] * 2
    ours = evaluate_consensus(judges, ["kemeny"])["kemeny"]
    assert ours.distance <= min(c.distance for c in found.rows)
    assert ours.distance == 87
    assert ours.mean_tau > max(c.mean_tau for c in found.rows)


# -- candidates and panels --------------------------------------------------------------------------------------------


def test_candidates_are_orders_panels_answers_or_methods():
    panel = q.Orderings.from_orders({"t1": {1: "abc", 2: "acb"}, "t2": {1: "xy", 2: "yx"}})
    by_method = evaluate_consensus(panel, ["rank_sum", "kemeny"])
    by_answer = evaluate_consensus(panel, q.consensus(panel, "rank_sum", "kemeny"))
    assert by_method.to_dict() == by_answer.to_dict()  # NaN, which equals nothing, is None there
    assert [(c.task, c.candidate) for c in by_method.rows] == [
        ("t1", "rank_sum"),
        ("t1", "kemeny"),
        ("t2", "rank_sum"),
        ("t2", "kemeny"),
    ]
    by_name = evaluate_consensus(panel, {"t1": {"mine": "abc"}})
    assert by_name.to_dict()["candidates"][0]["distance"] == 1
    with pytest.raises(UnknownId, match="no task 't3'"):
        evaluate_consensus(panel, {"t3": {"mine": "abc"}, "t1": {"mine": "abc"}})
    with pytest.raises(InputError, match="no judge ranked"):
        evaluate_consensus(panel, {"t1": {"mine": "abz"}})
    with pytest.raises(UnknownId, match="no candidate"):
        by_name["yours"]


def test_a_tie_in_a_candidate_counts_half():
    found = evaluate_consensus(q.Orderings.from_orders(["ab", "ab", "ba"]), {"tied": [["a", "b"]]})
    assert found["tied"].distance == 1.5


def test_orders_as_a_panel():
    panel = q.Orderings.from_orders({"t": {1: "abc", 2: "acb", 3: "abc"}})
    made = as_panel(q.consensus(panel, "kemeny", "copeland(missing=below, weights=agreement)"))
    assert made.judges == ("kemeny", "copeland(missing=below,weights=agreement)")
    assert made.orders("t")["kemeny"] == [["a"], ["b"], ["c"]]
    assert all(str(table.parse(str(j), "orderings", "consensus")) for j in made.judges)
