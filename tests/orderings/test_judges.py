"""Who is off: outliers, influence and peers against their definitions, the paper's Table 2, planted judges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.inference.null import holm
from quorate.kernels import chains
from quorate.orderings import influence, peer_correlation, support, support_outliers
from quorate.orderings.simulate import mallows, simulate
from tests import strategies
from tests.reference import judges as ref
from tests.reference import orderings as plain
from tests.without import without_flags

close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
JUDGES = table.methods("orderings", "judges")


def sets(order):
    return [set(group) for group in order]


# -- against the definitions ------------------------------------------------------------------------------------------


@given(strategies.orders(), st.sampled_from([1, 2, 0.5, 1.0]), st.sampled_from([1.0, 0.5]))
def test_outliers_equal_their_definition(orders, quorum, weight):
    found = support_outliers(orders, q=quorum, eps1=0.3, eps2=0.4, gamma=weight, lam=weight)
    expected = ref.deviations(orders, plain.quorum(quorum, len(orders)), weight, weight)
    for f, (v1, v2) in zip(found.values(), expected, strict=True):
        assert (f.v1, f.v2) == (pytest.approx(v1, **close), pytest.approx(v2, **close))
        if not any(math.isclose(v, e, abs_tol=1e-9) for v, e in ((f.v1, -0.3), (f.v2, -0.4))):
            assert f.outlier == (v1 < -0.3 or v2 < -0.4)


@strategies.examples(40)
@given(strategies.orders(judges=(1, 5), items=(1, 5)))
def test_influence_in_one_pass_equals_recomputing_without_each_judge(orders):
    for k, (_, found) in enumerate(influence(orders).items()):
        others = ref.without(orders, k)
        if not others:
            assert found.kappa is None
            assert math.isnan(found.kendall_w)
            assert found.consensus == []
            continue
        assert found.kappa == ref.kappa(others)
        assert found.kendall_w == pytest.approx(ref.w(others), **close)
        assert found.tau_b == pytest.approx(ref.mean_index(others, plain.tau_b), **close)
        assert sets(found.consensus) == ref.by_rank_sums(others)
        expected = ref.mean_index(orders, plain.tau_b) - ref.mean_index(others, plain.tau_b)
        assert found.added == pytest.approx(expected, **close)


@given(strategies.votes(judges=(2, 4), items=(1, 5)))
def test_influence_takes_a_counted_row_out_as_a_whole(rows):
    found = influence(q.Orderings.build(strategies.counted(rows)))
    for k, f in enumerate(found.values()):
        others = strategies.expanded(rows[:k] + rows[k + 1 :])
        assert f.kappa == ref.kappa(others)
        assert f.kendall_w == pytest.approx(ref.w(others), **close)
        assert f.tau_b == pytest.approx(ref.mean_index(others, plain.tau_b), **close)
        assert sets(f.consensus) == ref.by_rank_sums(others)


@given(strategies.orders(judges=(1, 5)), st.sampled_from(["tau", "rho"]))
def test_peers_equal_their_definition(orders, measure):
    index = plain.tau_b if measure == "tau" else plain.rho
    found = list(peer_correlation(orders, measure).values())
    assert [f.mean for f in found] == pytest.approx(ref.peers(orders, index), **close)
    for k, f in enumerate(found):
        others = (
            [sorted(group, key=str) for group in ref.by_rank_sums(ref.without(orders, k))] if len(orders) > 1 else []
        )
        expected = index(*plain.as_compared(orders[k], others, set(), "unknown"))
        assert f.consensus == pytest.approx(expected, **close)


@given(strategies.votes(judges=(1, 4)))
def test_peers_of_counted_rows_are_those_of_the_judges_one_by_one(rows):
    counted = peer_correlation(q.Orderings.build(strategies.counted(rows)))
    one_by_one = ref.peers(strategies.expanded(rows), plain.tau_b)
    first = np.cumsum([0, *(n for _, n in rows[:-1])])
    assert [f.mean for f in counted.values()] == pytest.approx([one_by_one[k] for k in first], **close)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=6))
def test_holm_corrects_step_by_step(p):
    assert holm(np.array(p)).tolist() == pytest.approx(ref.holm(p))


def test_holm_leaves_undefined_values_alone():
    assert np.isnan(holm(np.array([math.nan, 0.01]))).tolist() == [True, False]


def test_kappa_without_each_judge_is_exact_where_doubles_are_not():
    """Sixty items in one order but for a judge with the reverse: without that judge 2^60 - 1 subsequences."""
    same = np.broadcast_to(np.arange(1, 61), (1, 3, 60))
    positions = np.concatenate([same, np.arange(60, 0, -1)[None, None]], axis=1)
    assert chains.without_each(positions) == [[60, 60, 60, 2**60 - 1]]


def test_kappa_without_each_judge_equals_the_recount_on_many_tasks():
    positions = mallows((7, 6, 12), 0.3, np.random.default_rng(3)).astype(np.int64)
    for k in range(6):
        left = np.delete(positions, k, axis=1)
        counts = np.ones(left.shape[:2], np.int64)
        expected = 12 + chains.totals(left, counts, 1.0)
        assert [row[k] for row in chains.without_each(positions)] == expected.astype(int).tolist()


# -- the q-support paper ----------------------------------------------------------------------------------------------

# Table 2 of Xue and others, q = ceil(N / 2), lambda = 0.5: a row per distinct order, a column per Dots data set.
TABLE_2 = """
.72 .68 .56 .55 / .14 .38 .29 .20 / .44 .29 .28 .18 / .44 .36 .15 .08 / .09 .08 -.03 -.09 / .06 .06 -.03 -.21
/ .47 -.01 -.15 -.10 / .11 -.27 -.04 -.11 / .02 -.04 -.35 -.41 / -.22 .02 -.37 -.21 / -.29 -.28 -.17 -.20
/ -.38 -.11 -.42 -.41 / -.71 -.13 -.20 -.56 / -.25 -.15 -.49 -.35 / -.06 -.46 -.74 -.21 / -.09 -.45 -.20 -.54
/ -.36 -.72 -.28 -.49 / -.39 -.37 -.50 -.47 / -.40 -.74 -1.00 -.55 / -.46 -1.00 -.75 -.74 / -1.00 -.44 -.50 -1.00
/ -.73 -.75 -.77 -.75 / -.12 -.45 -.52 -.54 / -.74 -.47 -.52 -.77
"""
OFF = [{"21", "24", "22", "13"}, {"20", "22", "19", "17"}, {"19", "20", "22", "15"}, {"21", "22", "24", "20"}]
AFTER = [(0.58, 0.42), (0.59, 0.44), (0.61, 0.48), (0.62, 0.49)]


def dots(data, number):
    return q.read(data / "preflib" / "00024-dots" / f"00024-0000000{number}.soc")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_table_2_of_the_paper_and_its_four_outliers(data, number):
    panel = dots(data, number)
    found = support_outliers(panel, q=0.5, eps2=0.7, gamma=0.5, lam=0.5)
    printed = [float(row.split()[number - 1]) for row in TABLE_2.split("/")]
    if number == 4:  # the paper cuts 0.188 to 0.18 here; the other 95 cells are rounded
        assert printed[2] == 0.18
        printed[2] = 0.19
    assert [round(f.v2, 2) for f in found.values()] == pytest.approx(printed, abs=1e-9)
    off = {judge for judge, f in found.items() if f.outlier}
    assert {str(j) for j in off} == OFF[number - 1]
    left = support(panel.drop_judges(*off), q=0.5, gamma=0.5, lam=0.5)
    assert (round(left.kappa1, 2), round(left.kappa2, 2)) == AFTER[number - 1]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_default_finds_the_same_outliers(data, number):
    answer = q.judges(dots(data, number), "support_outliers", resamples=100, permutations=0)
    off = {str(o.labels["judge"]) for o in answer.findings[0].overall if o.labels["flag"]}
    assert off == OFF[number - 1]


# -- every method of the cell -----------------------------------------------------------------------------------------


def worst(panel, method):
    return q.judges(panel, method, resamples=100, permutations=20).findings[0].overall[0].labels["judge"]


@pytest.mark.parametrize("method", JUDGES, ids=str)
@pytest.mark.parametrize("tasks", [1, 4])
def test_a_planted_bad_judge_is_named_as_worst(method, tasks):
    panel = simulate(judges=7, items=8, tasks=tasks, dispersion=0.4, reversed=1)
    assert worst(panel, method) == "reversed-1"


@pytest.mark.parametrize("method", JUDGES, ids=str)
@given(panel=strategies.panels(), seed=st.integers(0, 3))
def test_neither_the_order_of_judges_nor_the_names_of_items_matter(method, panel, seed):
    def told(orders):
        answer = q.judges(q.Orderings.from_orders(orders), method, resamples=100, permutations=0)
        return {(r["task"], r["judge"]): r["value"] for r in answer.to_dict()["results"]}

    mixed = {t: dict(sorted(js.items(), reverse=True)) for t, js in panel.items()}
    renamed = {t: {j: [[f"<{i}>" for i in reversed(g)] for g in o] for j, o in js.items()} for t, js in mixed.items()}
    first, second = told(panel), told(renamed)
    assert first.keys() == second.keys()
    for key, value in first.items():
        assert second[key] == (None if value is None else pytest.approx(value, abs=1e-9))


@pytest.mark.parametrize("method", JUDGES, ids=str)
@given(panel=strategies.panels(tasks=(1, 2), judges=(1, 3)))
def test_the_answer_keeps_the_contract_on_any_panel(method, panel):
    told = q.judges(q.Orderings.from_orders(panel), method, resamples=100, permutations=20).to_dict()
    assert all({"task", "judge", "method", "value", "details"} == set(r) for r in told["results"])
    assert len(told["results"]) == sum(len(js) for js in panel.values())
    named = [o["judge"] for o in told["overall"]]
    assert sorted(named) == sorted({j for js in panel.values() for j in js})
    values = [o["value"] for o in told["overall"]]
    known = [v for v in values if v is not None]
    assert known == sorted(known)
    assert all(v is None for v in values[len(known) :])
    low, high = method.declaration.range
    assert all(low - 1e-9 <= v <= high + 1e-9 for v in known)
    for o in told["overall"]:
        assert {"judge", "method", "value", "interval", "flag", "p_value"} <= set(o)
        if o["interval"] is not None:
            assert o["interval"][0] <= o["value"] <= o["interval"][1]


@pytest.mark.parametrize("method", JUDGES, ids=str)
def test_the_same_seed_gives_the_same_bytes_and_methods_do_not_disturb_one_another(method):
    panel = simulate(judges=5, items=6, tasks=3, dispersion=0.6)
    alone = q.judges(panel, method, seed=7, resamples=200)
    together = q.judges(panel, seed=7, resamples=200)
    assert q.judges(panel, method, seed=7, resamples=200).to_json() == alone.to_json()
    mine = together[str(method)]
    assert list(mine.overall) == list(alone.findings[0].overall)


# -- over tasks, and what chance gives --------------------------------------------------------------------------------


def test_a_judge_of_few_tasks_is_set_against_the_panel_on_those_tasks():
    """Ann judged only the task on which nobody agrees: she is at its mean, not below that of all tasks."""
    hard = {"ann": "abc", "bob": "bca", "cat": "cab"}
    easy = {"bob": "abc", "cat": "abc", "dan": "abc"}
    answer = q.judges(q.Orderings.from_orders({"hard": hard, "easy": easy}), "support_outliers", permutations=0)
    found = {o.labels["judge"]: o.labels for o in answer.findings[0].overall}
    assert found["ann"]["tasks"] == 1
    assert found["ann"]["v2"] == pytest.approx(0)
    assert found["dan"]["v2"] == pytest.approx(0)


def test_a_random_judge_is_flagged_by_peers_and_honest_ones_are_not():
    panel = simulate(judges=8, items=9, tasks=8, dispersion=0.5, random=1)
    answer = q.judges(panel, "peer_correlation")
    found = answer.findings[0].overall
    assert [f["judge"] for f in answer.more["flagged"]] == ["random-1"]
    assert all(o.labels["p_holm"] >= o.chance.p for o in found)


def test_nobody_is_flagged_where_nobody_agrees():
    panel = simulate(judges=6, items=6, dispersion=1.0)
    answer = q.judges(panel, "peer_correlation")
    assert answer.more["flagged"] == []
    assert "None of the 6 judges is flagged." in answer.sentences


@pytest.mark.parametrize("measure", ["tau", "rho"])
@without_flags
def test_p_values_of_random_judges_are_spread_over_0_to_1(measure):
    p = []
    for seed in range(60):  # one judge of each panel: those of one panel share their luck
        panel = simulate(judges=5, items=6, dispersion=1.0, seed=seed)
        found = q.judges(panel, f"peer_correlation(measure={measure})", resamples=0, permutations=200)
        p += [o.chance.p for o in found.findings[0].overall if o.labels["judge"] == 1]
    assert len(p) == 60
    assert 0.35 < np.mean(p) < 0.65  # four standard errors
    assert np.mean(np.array(p) <= 0.1) < 0.1 + 4 * math.sqrt(0.1 * 0.9 / 60)
    assert np.mean(np.array(p) >= 0.9) < 0.1 + 4 * math.sqrt(0.1 * 0.9 / 60)


def test_chance_is_the_same_by_products_and_pair_by_pair():
    """Complete rankings are tested by products of vectors, gapped ones pair by pair: p must stay close."""
    panel = simulate(judges=5, items=7, dispersion=0.7)
    gapped = q.Orderings.build({n: c[:-1] for n, c in panel.columns().items()})
    whole, less = (q.judges(p, "peer_correlation", permutations=500).findings[0].overall for p in (panel, gapped))
    by_judge = {o.labels["judge"]: o for o in less}
    for o in whole:
        assert by_judge[o.labels["judge"]].chance.p == pytest.approx(o.chance.p, abs=0.15)


def test_repeats_and_lonely_tasks_are_told():
    rows = [("t", "ann", "abc", 1), ("t", "ann", "acb", 2), ("t", "bob", "abc", 1), ("u", "ann", "ab", 1)]
    raw = {n: [] for n in ("task", "judge", "item", "position", "occasion")}
    for task, judge, order, occasion in rows:
        for position, item in enumerate(order, 1):
            for name, value in zip(raw, (task, judge, item, position, occasion), strict=True):
                raw[name].append(value)
    notes = " ".join(q.judges(q.Orderings.build(raw)).notes)
    assert "1 repeat is left out" in notes
    assert "on 1 of 2 tasks there is one judge only" in notes


@given(strategies.orders(judges=(2, 4)))
def test_the_consensus_without_a_judge_is_the_consensus_of_the_others(orders):
    found = influence({f"j{k}": o for k, o in enumerate(orders)})
    for k in range(len(orders)):
        others = q.Orderings.from_orders({f"j{i}": o for i, o in enumerate(orders) if i != k})
        ranking = q.consensus(others, "rank_sum", resamples=100).to_dict()["results"][0]["ranking"]
        assert sets(found[f"j{k}"].consensus) == sets(ranking)


def test_too_few_permutations_are_not_told_as_judges_who_do_not_agree():
    """With 100 permutations no p of 6 judges is below 0.05 after Holm's correction, however well they agree."""
    rng = np.random.default_rng(2)
    items = np.arange(300)
    orders = {f"j{k}": [str(x) for x in items[np.argsort(items + rng.normal(0, 20, 300))]] for k in range(6)}
    options = {"resamples": 100, "permutations": 100}
    answer = q.judges(q.Orderings.from_orders(orders), "peer_correlation", **options)
    assert max(o.labels["p_holm"] for o in answer.findings[0].overall) <= 0.05
    assert not any("nobody is flagged" in note for note in answer.notes)
