"""What the pattern papers describe: weights of one's own, surfaces, consensus by patterns and fusion, sets, tuning."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

import quorate as q
from quorate.orderings import kappa, peer_correlation, support
from quorate.orderings.consensus import consensus_order
from quorate.orderings.discriminativeness import discriminate
from quorate.orderings.fusion import _confirmed
from quorate.orderings.kappa import FAMILIES, similarity
from quorate.orderings.pattern_consensus import pattern_wins, strengths
from quorate.orderings.rankings import one_task
from quorate.orderings.simulate import simulate
from quorate.surfaces import axes, surface
from tests import strategies
from tests.reference import consensus as ref_consensus
from tests.reference import orderings as ref
from tests.reference import trust as ref_trust

close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
KAPPA = ["abcdef", "bdcefa", "bcdeghijkf", "badefc"]


# -- kappa ------------------------------------------------------------------------------------------------------------


@given(
    strategies.orders(judges=(1, 3), items=(1, 5)),
    st.sampled_from(sorted(FAMILIES)),
    st.sampled_from(sorted(FAMILIES)),
    st.sampled_from([0.4, 1.0]),
    st.sampled_from([None, 1, 2, 3, 9]),
)
def test_families_of_weights_by_enumeration(orders, theta, psi, left, length):
    forms = {
        "power": lambda x: left**x,
        "gaussian": lambda x: left ** (x * x),
        "reciprocal": lambda x: 1 / (1 + x * (1 / left - 1)),
        "linear": lambda x: max(1 - x * (1 - left), 0.0),
    }
    expected = ref.weighted_kappa(orders, lambda d, mu: forms[theta](d), forms[psi], length)
    found = kappa(orders, left, left, theta=theta, psi=psi, length=length)
    assert float(found.value) == pytest.approx(expected, **close)


@given(strategies.orders(judges=(1, 3), items=(1, 5)))
def test_functions_of_ones_own(orders):
    found = kappa(orders, theta=lambda d, mu: 1 / (d + mu), psi=lambda gap: 1 / (1 + gap))
    expected = ref.weighted_kappa(orders, lambda d, mu: 1 / (d + mu), lambda gap: 1 / (1 + gap))
    assert float(found.value) == pytest.approx(expected, **close)


def test_functions_of_ones_own_on_more_items_than_the_small_kernel_has():
    orders = [list(range(60)), list(range(60))]
    one = kappa(orders, psi=lambda gap: 0.5**gap)
    assert float(one.value) == pytest.approx(float(kappa(orders, lam=0.5).value))
    assert float(kappa(orders, length=2).value) == 60 * 59 / 2
    assert kappa(["ab", "cd"]).value == 0


@given(strategies.orders(judges=(2, 4), items=(1, 5)))
def test_kappa_of_two_rankings_is_a_likeness(orders):
    square = similarity(one_task(orders).positions)[0]
    assert np.allclose(square, square.T)
    for i, a in enumerate(orders):
        for j, b in enumerate(orders):
            assert square[i, j] == pytest.approx(ref.kappa_likeness(a, b), **close)
    assert (square >= -1e-12).all()
    assert (square <= 1 + 1e-12).all()


def test_kappa_hat_is_told_where_rankings_repeat():
    told = q.agreement(q.Orderings.from_orders({1: "abc", 2: "acb", 3: "acb"}), "kappa", copies="apart", permutations=0)
    assert "kappa-hat, which counts that, is 8" in told.text()  # 5 + 3 * 2 / 2
    assert "kappa-hat" not in q.agreement(q.Orderings.from_orders(KAPPA), "kappa", permutations=0).text()


def test_kappa_by_length_is_the_papers():
    assert [kappa(KAPPA, length=p).value for p in (1, 2, 3, 4, 5)] == [5, 7, 4, 1, 0]
    told = q.agreement(q.Orderings.from_orders(KAPPA), "kappa(length=2)", permutations=0, resamples=0)
    assert "7 common subsequences of 2 items" in told.text().replace("\n", " ")


# -- surfaces ---------------------------------------------------------------------------------------------------------


def test_a_surface_is_the_method_at_each_point():
    panel = q.Orderings.from_orders(KAPPA)
    found = surface(panel, "kappa(zeta=2|4, p=0.5|0.9|1, gamma=0.8)", resamples=0)
    assert (found.down[0], found.across[0]) == ("zeta", "p")
    for row in found.rows():
        own = kappa(KAPPA, 0.8, zeta=row["zeta"], p=row["p"])
        assert row["value"] == pytest.approx(float(own.value))
    two = surface(panel, "support(q=2|4, lam=1|0.5)", resamples=50)
    assert two.at("panel", 2, 0.5).value == pytest.approx(support(KAPPA, 2, 1.0, 0.5).kappa2)
    assert two.at("panel", 2, 0.5).interval is not None


def test_the_discounts_that_matter_are_varied_unless_told_otherwise():
    assert [axis[0] for axis in axes("kappa", "orderings", 5)[1:]] == ["gamma", "lam"]
    assert [axis[0] for axis in axes("support", "orderings", 5)[1:]] == ["lam", "q"]
    assert [axis[0] for axis in axes("support(part=items)", "orderings", 5)[1:]] == ["gamma", "q"]
    with pytest.raises(q.BadParameter, match="rbo has only p to vary"):
        axes("rbo", "orderings", 5)
    with pytest.raises(q.BadParameter, match="3 parameters have several values"):
        axes("kappa(gamma=1|0.5, lam=1|0.5, p=1|0.5)", "orderings", 5)


def test_two_panels_cross_where_their_difference_changes_its_sign():
    apart = q.Orderings.from_orders(["abcdef", "fedcba"])  # more in common, far apart
    near = q.Orderings.from_orders(["abcde", "abcde"])
    found = surface({"near": near, "apart": apart}, "kappa(length=1, gamma=1|0.9|0.5|0.3, lam=1|0.5)", resamples=0)
    assert found.crossings
    first = found.crossings[0]
    assert first["from"] * first["to"] < 0
    assert "is a matter of gamma and lam" in found.text().replace("\n", " ")
    with pytest.raises(q.InputError, match="3 panels"):
        surface({"a": near, "b": near, "c": near})


def test_the_surface_has_every_cell_at_80_columns():
    lines = surface(q.Orderings.from_orders(KAPPA), "kappa", resamples=0).text(80).splitlines()
    assert max(map(len, lines)) <= 80
    heads = [word for line in lines if line.startswith("gamma ") for word in line.split()[1:]]
    assert len(heads) == 12


def test_the_first_figure_of_a_surface_has_the_interval_that_it_has_alone():
    panel = q.Orderings.from_orders(KAPPA)
    alone = q.agreement(panel, "kappa")["kappa"]
    found = surface(panel, "kappa(gamma=1|0.5, lam=1|0.5)").cells["panel"][0]
    assert (found.value, found.interval) == (alone.value, alone.interval)


def test_a_surface_of_many_cells_has_its_picture_where_the_page_looks_for_its_rows():
    page = surface(q.Orderings.from_orders(KAPPA), "kappa", resamples=0).to_html()
    charts = json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL)[1])
    assert len(charts["surface"]["datasets"]["rows"]) == 144


# -- q-support --------------------------------------------------------------------------------------------------------


@given(strategies.orders(judges=(1, 4), items=(1, 5)), st.integers(1, 3))
def test_supported_sets_are_what_the_scores_count(orders, least):
    found = support(orders, least)
    for (judge, held), order in zip(found.sets.items(), orders, strict=True):
        at = ref.places(order)
        seats = [ref.places(o) for o in orders]
        assert set(held.items) == {x for x in at if sum(x in s for s in seats) >= least}
        pairs = {(x, y) for x in at for y in at if at[x] < at[y]}
        assert set(held.pairs) == {
            (x, y) for x, y in pairs if sum(x in s and y in s and s[x] < s[y] for s in seats) >= least
        }
        assert found.individual[judge][0] == pytest.approx(len(held.items) / len(at))


def test_any_index_of_two_rankings_per_judge():
    orders = {"ann": "abc", "bob": "abd", "cat": "dcb"}
    found = peer_correlation(orders, "fagin_tau(penalty=0)")
    pairs = q.orderings.fagin_tau.matrix(orders, penalty=0)
    for k, judge in enumerate(orders):
        assert found[judge].mean == pytest.approx(np.delete(pairs[k], k).mean())
    with pytest.raises(q.BadParameter, match="not an index of two rankings"):
        peer_correlation(orders, "support")


def test_a_count_or_a_share_of_judges_everywhere():
    orders = ["abc", "acb", "abc", "bac"]
    assert q.orderings.frespa("abc", orders, 3) == q.orderings.frespa("abc", orders, 0.75)
    assert q.orderings.frespa("abc", orders, 1) != q.orderings.frespa("abc", orders, 1.0)
    assert list(q.orderings.frequent_patterns(orders, 4)) == list(q.orderings.frequent_patterns(orders, 1.0))
    with pytest.raises(q.BadParameter, match="neither a count nor a share"):
        q.orderings.frespa("abc", orders, 1.5)


# -- consensus --------------------------------------------------------------------------------------------------------


@given(
    strategies.votes(judges=(1, 3), items=(1, 4)),
    st.sampled_from([1.0, 0.5]),
    st.sampled_from([1.0, 0.5]),
    st.integers(1, 4),
)
def test_elastic_is_the_order_that_shares_most(votes, gamma, lam, longest):
    panel = q.Orderings.build(strategies.counted(votes))
    text = f"elastic(gamma={gamma}, lam={lam}, max_len={longest})"
    found = q.consensus(panel, text, resamples=0, copies="apart").findings[0].values[0]
    assert [set(g) for g in found] == ref_consensus.elastic(votes, gamma, lam, longest)


def test_elastic_with_pairs_alone_contradicts_as_little_as_kemeny():
    panel = simulate(judges=6, items=9, tasks=1, dispersion=0.8, seed=2)
    costs = []
    for name in ("elastic(max_len=2)", "kemeny"):
        order = [i for group in q.consensus(panel, name, resamples=0).findings[0].values[0] for i in group]
        costs.append(ref_consensus.cost([(o, 1) for o in panel.orders(panel.tasks[0]).values()], tuple(order)))
    assert costs[0] == costs[1]


@given(strategies.votes(judges=(1, 3), items=(1, 4)), st.integers(1, 3), st.integers(2, 3))
def test_wins_of_the_pattern_model_by_enumeration(votes, least, longest):
    task = one_task(q.Orderings.build(strategies.counted(votes)))
    found = pattern_wins(task.positions[0], task.counts[0], least, longest)
    expected = ref_consensus.pattern_wins(votes, least, longest)
    for i, a in enumerate(task.items):
        for j, b in enumerate(task.items):
            assert found[i, j] == pytest.approx(expected.get((a, b), 0.0))


def test_strengths_are_at_the_maximum():
    wins = np.array([[0, 5, 7.0], [1, 0, 3], [0, 2, 0]])
    s, settled = strengths(wins, 1.0)
    assert settled
    s = s + brentq(lambda c: np.tanh((s + c) / 2).sum(), -5, 5)  # they add up to 0; the prior is about an average item

    def likelihood(s):
        pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
        prior = sum(-math.log(1 + math.exp(-x)) - math.log(1 + math.exp(x)) for x in s)
        return prior + sum(-wins[i, j] * math.log(1 + math.exp(s[j] - s[i])) for i, j in pairs)

    for k in range(3):
        for step in (-0.01, 0.01):
            assert likelihood(s + step * np.eye(3)[k]) < likelihood(s)


@given(strategies.votes(judges=(1, 4), items=(1, 5)))
def test_fusion_rules_by_definition(votes):
    panel = q.Orderings.build(strategies.counted(votes))
    for name, mnz in (("comb_sum", False), ("comb_mnz", True)):
        found = q.consensus(panel, name, resamples=0, copies="apart").findings[0].values[0]
        assert [set(g) for g in found] == ref_consensus.comb(votes, mnz)
    task = one_task(panel)
    use = task.counts[0] > 0
    score = _confirmed(task.positions[0][use], task.counts[0][use].astype(float), 3)
    assert dict(zip(task.items, score, strict=True)) == pytest.approx(ref_consensus.confirmed(votes, 3))


def test_fusion_prefers_what_many_lists_hold():
    assert consensus_order(["ab", "cb", "db"], "comb_mnz")[0] == ["b"]


def test_held_out_judges_tell_consensus_methods_apart():
    panel = simulate(judges=8, items=6, tasks=6, dispersion=0.3)
    found = q.trust(panel, "held_out", resamples=100, permutations=0).findings[0]
    assert {e.labels["of"] for e in found.overall} >= {"rank_sum", "kemeny", "elastic", "pattern_model"}
    assert all(0.3 < e.value <= 1 for e in found.overall)
    assert max(e.labels["behind"] for e in found.overall) == 0
    one = panel.select(tasks=[panel.tasks[0]])
    own = q.trust(one, "held_out(of=rank_sum)", resamples=0, permutations=0).findings[0].overall[0].value
    orders = one.orders(one.tasks[0])
    expected = []
    for judge, order in orders.items():
        rest = {j: o for j, o in orders.items() if j != judge}
        expected.append(q.orderings.tau_b(order, consensus_order(rest, "rank_sum")))
    assert own == pytest.approx(np.mean(expected))
    assert math.isnan(q.trust(q.Orderings.from_orders(["abc"]), "held_out").findings[0].overall[0].value)


def test_the_interval_of_held_out_over_judges_holds_the_mean():
    found = []
    for seed in range(60):
        panel = simulate(judges=8, items=5, tasks=1, dispersion=0.6, seed=seed)
        found += q.trust(panel, "held_out(of=rank_sum)", resamples=200, permutations=0).findings[0].overall
    mean = np.mean([e.value for e in found])
    assert np.mean([e.interval.low <= mean <= e.interval.high for e in found]) >= 0.88


# -- sets, noise, tuning ----------------------------------------------------------------------------------------------


@given(
    strategies.orders(judges=(1, 4), items=(1, 5)),
    st.sampled_from([1, 2, 0.5, 1.0]),
    st.sampled_from([None, 2]),
    st.sampled_from([0.0, 1.0]),
)
def test_ed_of_sets_by_enumeration(orders, least, longest, weight):
    text = f"frequent_sets(min_sup={least}, max_len={longest}, w_len={weight}, w_sup={weight})"
    expected = ref_trust.ed_of_sets(orders, least, 1, longest, weight, weight)
    assert discriminate(orders, text) == pytest.approx(expected, **close)


def test_sets_that_judges_share_are_told_from_random_ones():
    shared = {t: {j: "abcd"[:3] + "wxyz"[j] for j in range(4)} for t in range(3)}
    panel = q.Orderings.from_orders(shared)
    found = q.trust(panel, "discriminativeness", of="frequent_sets(min_sup=0.75)", resamples=50)
    assert found.findings[0].overall[0].value > 0.5
    tuned = q.trust(panel, "tune(of=frequent_sets(min_sup=0.5|0.75; max_len=1|2))", resamples=50)
    assert tuned.findings[0].overall[0].labels["best"].startswith("frequent_sets")
    noisy = q.trust(panel, "noise(of=frequent_sets(min_sup=0.75); ratios=0|2, repeats=1)", resamples=20)
    assert noisy.findings[0].overall[0].value > 0


def test_ratios_and_repeats_of_noise():
    panel = simulate(judges=5, items=5, tasks=2, dispersion=0.5)
    found = q.trust(panel, "noise(of=rank_based, ratios=0|3, repeats=2)", resamples=20, permutations=0)
    assert found.findings[0].keys["ratio"] == [0.0, 3.0]
    assert "3 times as many random judges" in found.text().replace("\n", " ")
    for bad in ("1|0", "x", "-1|2", ""):
        with pytest.raises(q.BadParameter, match="ratios"):
            q.trust(panel, f"noise(ratios={bad})")


def test_the_sweep_has_intervals():
    panel = simulate(judges=4, items=5, tasks=4, dispersion=0.5)
    found = q.trust(panel, "sweep(repeats=1, ratio=0)", resamples=50, permutations=0)
    spans = [e for e in found.findings[0].overall if e.value > 0]
    assert spans
    assert all(e.interval is not None for e in spans)
    assert "to" in found.text().split("ED by parameter")[1]


def test_tuned_settings_are_applied_to_new_lists():
    panel = simulate(judges=6, items=6, tasks=3, dispersion=0.5)
    lists = q.Orderings.from_orders({t: {"good": [1, 2, 3, 4, 5, 6], "bad": [6, 5, 4, 3, 2, 1]} for t in panel.tasks})
    grid = "frespa(min_sup=0.5|0.75, max_len=2|3)"
    found = q.quality(panel, lists, grid, tune=True, resamples=50, permutations=0)
    asked = q.trust(panel, f"tune(of={grid.replace(', ', '; ')})", resamples=50, permutations=0)
    best = asked.findings[0].overall[0]
    assert str(found.findings[0].method) == best.labels["best"]
    assert found.more["tuned"][0]["value"] == best.value  # the honest one
    again = q.quality(panel, lists, best.labels["best"], resamples=50, permutations=0)
    assert found.findings[0].overall[0].value == again.findings[0].overall[0].value
    assert "picked without what it is tried on" in found.text().replace("\n", " ")
    with pytest.raises(q.InputError, match="applied to systems' lists"):
        q.quality(panel, tune=True)


@pytest.mark.parametrize("negative", ["clip", "keep", "mapped"])
def test_no_correlation_is_above_one_unless_the_formula_as_printed_is_asked_for(negative):
    orders = ["abcd", "abdc", "dcba", "dcab", "abcd"]
    panel = q.Orderings.from_orders(orders)
    text = f"weighted_correlation(negative={negative})"
    value = q.orderings.weighted_correlation("abcd", orders, negative=negative)
    ed = q.trust(panel, "discriminativeness", of=text, resamples=0).findings[0].overall[0].value
    if negative != "keep":
        assert abs(value) <= 1
        assert abs(ed) <= 1
