"""Which measures to trust, and whether other judges, tasks or items would say the same."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter, InputError
from quorate.groupings import MEASURES
from quorate.groupings.sensitivity import GRID, Curve, _on_grid
from quorate.groupings.trust import _same_lowest, made_up, sensitivity
from quorate.inference import budget
from quorate.kernels.split_merge import merges, splits
from tests.calibration.simulated import groupings
from tests.without import in_small

METHODS = table.methods("groupings", "trust")
PAPER = sensitivity(repetitions=40)
SAYS = {row["measure"]: row for row in PAPER.summary()}


def test_the_made_up_clustering_has_the_papers_size():
    labels = made_up()
    assert len(labels) == 70
    assert len(set(labels.tolist())) == 15
    assert np.bincount(labels).min() >= 2


def test_rand_with_singletons_is_about_091():
    assert SAYS["rand"]["at_singletons"] == pytest.approx(0.91, abs=0.005)


def test_f_with_singletons_is_0_and_f_uses_its_full_range():
    assert SAYS["f"]["at_singletons"] == 0
    assert SAYS["f"]["range_used"] == 1
    assert SAYS["f"]["full_range"]


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_is_best_at_the_clustering_itself(name):
    curve = PAPER[name]
    for path in (curve.split, curve.merge):
        assert (curve.sign * path <= curve.sign * path[:, :1] + 1e-12).all()
        assert (path[:, 0] == path[0, 0]).all()


def test_rand_stays_near_1_most_of_the_time_and_only_rand_saturates():
    curve = PAPER["rand"]
    along = np.concatenate([curve.split.mean(axis=0), curve.merge.mean(axis=0)])
    assert (along > 0.84).mean() > 0.8
    assert [m for m, row in SAYS.items() if row["saturates"]] == ["rand"]


def test_the_papers_choice_of_measures_falls_more_for_merging():
    for name in ("v_beta", "v_half", "nvi", "vi", "entropy"):
        assert SAYS[name]["punishes"] == "merging", name
    assert SAYS["completeness"]["punishes"] == "splitting"
    assert SAYS["recall"]["punishes"] == "splitting"


def test_what_a_measure_punishes_goes_by_the_interval_of_the_mean_not_by_single_paths():
    # Of 40 paths half lose more by splitting, but less than the others do by merging.
    merge = np.stack([np.ones(40), np.where(np.arange(40) % 2, 0.6, 1.0)], axis=1)
    split = np.stack([np.ones(40), np.full(40, 0.9)], axis=1)
    assert Curve("rand", split, merge, 1.0, 1).verdict()["punishes"] == "merging"
    assert Curve("rand", merge, split, 1.0, 1).verdict()["punishes"] == "splitting"
    assert Curve("rand", split[:1], merge[:1], 1.0, 1).verdict()["punishes"] == "both alike"  # one path says nothing


def test_v_half_reacts_to_splitting_less_than_v_beta():
    assert SAYS["v_half"]["split_loss"] < SAYS["v_beta"]["split_loss"]


def test_homogeneity_and_purity_do_not_see_splits():
    # The paper says of purity that splits and merges have almost the same effect: true only with the roles exchanged.
    for name in ("homogeneity", "purity", "entropy"):
        assert SAYS[name]["split_loss"] == pytest.approx(0, abs=1e-12)


def test_v_also_reaches_0():
    # The paper calls F the only measure that uses its full range; with one cluster homogeneity, and so V, are 0.
    assert SAYS["v_beta"]["at_one"] == 0


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9), st.integers(0, 99))
def test_paths_go_one_step_at_a_time_to_the_ends(values, seed):
    labels = np.unique(values, return_inverse=True)[1]
    rng = np.random.default_rng(seed)
    down, up = splits(labels, rng), merges(labels, rng)
    clusters = int(labels.max()) + 1
    assert [len(set(row.tolist())) for row in down] == list(range(clusters, len(labels) + 1))
    assert [len(set(row.tolist())) for row in up] == list(range(clusters, 0, -1))
    for path in (down, up):
        assert (path[0] == labels).all()
        assert all(set(row.tolist()) == set(range(int(row.max()) + 1)) for row in path)
    for coarse, fine in [*itertools.pairwise(down), *itertools.pairwise(up[::-1])]:
        assert len({(a, b) for a, b in zip(coarse.tolist(), fine.tolist(), strict=True)}) == len(set(fine.tolist()))


def test_curves_are_the_measures_along_the_paths():
    found = sensitivity([0, 0, 0, 1, 1], repetitions=3, seed=7)
    rng_rows = {(r["measure"], r["path"], r["clusters"]): r for r in found.rows()}
    gold = [0, 0, 0, 1, 1]
    for name, measure in MEASURES.items():
        assert rng_rows[name, "split", 5]["value"] == pytest.approx(measure(list(range(5)), gold))
        assert rng_rows[name, "merge", 1]["value"] == pytest.approx(measure([0] * 5, gold))
        assert rng_rows[name, "split", 2]["value"] == pytest.approx(measure(gold, gold))
    assert all(r["low"] <= r["value"] + 1e-12 and r["value"] <= r["high"] + 1e-12 for r in found.rows())


def test_left_out_items_are_no_part_of_the_clustering():
    found = sensitivity({"a": 1, "b": 1, "c": 2, "d": 2, "e": None}, ["rand"], repetitions=2)
    assert (found.items, found.clusters) == (4, 2)


def test_mistakes_are_errors():
    with pytest.raises(InputError, match="at least two items"):
        sensitivity([1])
    with pytest.raises(BadParameter, match="did you mean 'rand'"):
        sensitivity([1, 1, 2], ["rend"])
    with pytest.raises(BadParameter, match="repetitions=0"):
        sensitivity([1, 1, 2], repetitions=0)
    with pytest.raises(BadParameter, match="10 items do not make 6"):
        made_up(10, 6)
    with pytest.raises(BadParameter, match="no curve of 'f'"):
        _ = sensitivity([1, 1, 2], ["rand"], repetitions=1)["f"]


# -- panels ------------------------------------------------------------------------------------------------------------


def panel_of(judges=6, items=14, tasks=1, noise=0.4, seed=0):
    rng = np.random.default_rng(seed)
    out = {}
    for t in range(tasks):
        truth = rng.integers(4, size=items)
        rows = np.where(rng.random((judges, items)) < noise, rng.integers(4, size=(judges, items)), truth)
        out[t] = {f"j{j}": dict(enumerate(row.tolist())) for j, row in enumerate(rows)}
    return q.Groupings.from_groups(out)


def test_the_sensitivity_of_a_panel_says_which_measures_to_trust():
    answer = q.trust(panel_of(), "sensitivity(repetitions=5)", resamples=100)
    rows = answer.to_dict()["results"]
    assert len(rows) == len(MEASURES) * 2 * 11
    assert {"measure", "path", "share", "method", "value", "details"} == set(rows[0])
    overall = {o.labels["measure"]: o for o in answer.findings[0].overall}
    assert set(overall) == set(MEASURES)
    assert overall["v_beta"].labels["punishes"] == "merging"
    assert overall["v_beta"].interval.low > 0
    assert answer.sentences[0].endswith("fall more for merging: 16 measures, all but completeness, recall.")
    assert max(map(len, answer.text().splitlines())) <= 80


def test_the_agreement_table_with_judges_tasks_and_items_drawn_anew():
    answer = q.trust(panel_of(tasks=4), "agreement_stability", resamples=100)
    overall = {o.labels["by"]: o for o in answer.findings[0].overall}
    assert list(overall) == ["judges", "tasks", "items"]
    squares = []
    for t in range(4):
        rows = panel_of(tasks=4).select(tasks=[t])
        own = [rows.select(judges=[j]).columns() for j in rows.judges]
        sheets = [dict(zip(c["item"], c["group"], strict=True)) for c in own]
        squares += [MEASURES["v_beta"](a, b) for k, a in enumerate(sheets) for b in sheets[:k]]
    for o in overall.values():
        assert o.value == pytest.approx(sum(squares) / len(squares))
        assert o.interval.low <= o.value <= o.interval.high
        assert -1 <= o.labels["judge_order_tau"] <= 1


def test_equal_judges_agree_fully_however_drawn():
    same = q.Groupings.from_groups({j: {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3} for j in "xyz"})
    overall = q.trust(same, "agreement_stability", resamples=50).findings[0].overall
    assert [o.labels["by"] for o in overall] == ["judges", "items"]
    for o in overall:
        assert o.value == 1
        assert o.interval is None or (o.interval.low, o.interval.high) == (1, 1)


@pytest.mark.parametrize("m", METHODS, ids=str)
@in_small()
def test_methods_parse_back_and_repeat_by_seed(m):
    parsed = table.parse(str(m), "groupings", "trust")
    assert (str(parsed), parsed.parameters) == (str(m), m.parameters)
    one, again = (q.trust(panel_of(tasks=2), m, resamples=10, seed=3).to_json() for _ in range(2))
    assert one == again
    assert one != q.trust(panel_of(tasks=2), m, resamples=10, seed=4).to_json()


@pytest.mark.parametrize("m", METHODS, ids=str)
@pytest.mark.parametrize(
    "groups",
    [
        {"a": {"x": 1, "y": 1, "z": 2}},
        {"a": {"x": 1}, "b": {"x": 1}},
        {j: {"x": 1, "y": 1} for j in "abc"},
        {"a": {"x": 1}, "b": {"y": 1}, "c": {"z": 1}},
        {j: {"x": None, "y": None} for j in "abc"},
    ],
)
def test_degenerate_panels_give_an_answer(m, groups):
    answer = q.trust(q.Groupings.from_groups(groups), m, resamples=20)
    assert answer.text()
    json.loads(answer.to_json())
    low, high = m.declaration.range
    assert all(math.isnan(o.value) or low <= o.value <= high for o in answer.findings[0].overall)


def test_the_order_of_judges_does_not_matter_to_the_agreement_seen():
    found = {f"j{k}": {i: (i * k) % 3 for i in range(9)} for k in range(4)}
    one = q.trust(q.Groupings.from_groups(found), "agreement_stability", resamples=20).findings[0]
    other = q.trust(q.Groupings.from_groups(dict(reversed(found.items()))), "agreement_stability", resamples=20)
    assert one.values == pytest.approx(other.findings[0].values)


def test_a_hundred_thousand_rows():
    panel = panel_of(judges=100, items=100, tasks=10)
    assert len(panel) == 100_000
    answer = q.trust(panel, "agreement_stability", resamples=50)
    assert answer.findings[0].overall[0].interval.by == "judges"


def test_where_halves_of_the_items_take_too_long_that_is_noted(monkeypatch):
    monkeypatch.setattr(budget, "SECOND", 1000)
    answer = q.trust(panel_of(tasks=2), "agreement_stability", resamples=50, seconds=1.0)
    assert [o.labels["by"] for o in answer.findings[0].overall] == ["judges", "tasks"]
    assert any("too many judges and items to resample half of the items" in note for note in answer.notes)


def test_of_two_tasks_the_interval_reaches_beyond_their_two_values():
    panel = panel_of(tasks=2)
    rows = {o.labels["by"]: o for o in q.trust(panel, "agreement_stability").findings[0].overall}
    on_tasks = [r["value"] for r in q.agreement(panel, "v_beta(left_out=bucket)").more["by_task"]]
    assert rows["tasks"].interval.low < min(on_tasks) < max(on_tasks) < rows["tasks"].interval.high


def test_real_sortings(data):
    panel = q.read(data / "free-sorting" / "aromas_FreeSortR.csv", kind="groupings")
    answer = q.trust(panel, "sensitivity(repetitions=3)", resamples=50)
    punished = {o.labels["measure"]: o.labels["punishes"] for o in answer.findings[0].overall}
    assert punished["v_beta"] == punished["nvi"] == "merging"


def test_intervals_over_items_stay_within_the_range_of_the_measure():
    panel = q.Groupings.from_groups({"a": {"x": 1, "y": 1, "z": 2}, "b": {"u": 1, "v": 1, "w": 2}})
    overall = q.trust(panel, "agreement_stability", resamples=50).findings[0].overall
    assert [o.labels["by"] for o in overall] == ["items"]
    for o in overall:
        assert 0 <= o.interval.low <= o.interval.high <= 1


def test_long_paths_are_looked_at_in_places_and_interpolated(monkeypatch):
    labels = [k % 6 for k in range(120)]
    whole = sensitivity(labels, ["v_beta", "f", "rand"], repetitions=3, seed=2)
    monkeypatch.setitem(sensitivity.__globals__, "WORK", 120 * 3 * 60)
    part = sensitivity(labels, ["v_beta", "f", "rand"], repetitions=3, seed=2)
    for a, b in zip(whole.curves, part.curves, strict=True):
        assert a.split.shape == b.split.shape
        assert (a.merge == b.merge).all()
        same = (a.split == b.split).all(axis=0)
        assert same[:20].all()  # where it was looked at
        assert same[-20:].all()
        assert 40 < same.sum() < len(same)
        assert np.abs(a.split - b.split).mean() < 0.01  # a single split can be a jump


@pytest.mark.parametrize("name", ["agreement_stability", "judges_needed", "sensitivity(repetitions=2)"])
@in_small()
def test_what_is_drawn_is_as_asked_or_refused(name):
    panel = groupings(np.random.default_rng(1), tasks=4, judges=5, items=12)
    for over in ("judges", "tasks", "tasksxjudges"):
        (found,) = q.trust(panel, name, over=over, resamples=10).findings
        drawn = "tasksxjudges" if name == "judges_needed" and over == "tasks" else over
        assert {o.interval.over for o in found.overall} == {drawn}
    with pytest.raises(BadParameter, match="over=cards is not known"):
        q.trust(panel, name, over="cards", resamples=30)
    if name != "agreement_stability":
        with pytest.raises(BadParameter, match="it has one over judges or tasks"):
            q.trust(panel, name, over="items", resamples=30)
    else:
        (found,) = q.trust(panel, name, over="items", resamples=30).findings
        assert found.keys["by"] == ["items"]


@given(st.integers(0, 10**6))
def test_paths_on_a_grid_are_as_numpy_has_them(seed):
    path = np.random.default_rng(seed).random((3, 1 + seed % 30))
    wanted = [np.interp(GRID, np.linspace(0, 1, path.shape[1]), row).tolist() for row in path]
    assert _on_grid(path).tolist() == wanted


@given(st.integers(0, 10**6))
def test_who_is_lowest_again_is_told_of_all_draws_together_as_of_each(seed):
    rng = np.random.default_rng(seed)
    order, each = (np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 4, n)) for n in (5, (6, 5)))
    wanted = []
    for row in each:
        known = [(a, b) for a, b in zip(order, row, strict=True) if not np.isnan(a + b)]
        wanted.append(bool(known) and min(known, key=lambda two: two[0])[1] <= np.nanmin(row))
    assert _same_lowest(order, each).tolist() == wanted
