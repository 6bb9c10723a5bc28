"""Can the verdict be believed: ED, noise, sweeps, tuning, reliability, the bootstrap, the paper's tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.inference.core import Core
from quorate.inference.item_means import Answers
from quorate.inference.needed import repeatability, spearman
from quorate.inference.panel_bootstrap import bootstrap
from quorate.inference.results import Options
from quorate.kernels import pattern_states
from quorate.kernels.ranks import ranks_of
from quorate.orderings import discriminate, discriminativeness, reliability
from quorate.orderings.discriminativeness import differences, of_all, of_panels
from quorate.orderings.method_parameters import quality
from quorate.orderings.noise import joined, with_noise
from quorate.orderings.reliability import numbers
from quorate.orderings.simulate import mallows, simulate
from quorate.orderings.tuning import settings_of
from quorate.panel.stacks import OrderingDesign, stacks
from quorate.reproduce import frespa
from tests import strategies
from tests.family import LONG
from tests.reference import orderings as plain
from tests.reference import trust as ref

pytestmark = pytest.mark.usefixtures("in_small")

close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
TRUST = table.methods("orderings", "trust")
QUICK = {"resamples": 100, "permutations": 0}


def overall(panel, method, **more):
    return q.trust(panel, method, **{**QUICK, **more}).findings[0].overall


# -- discriminativeness ---------------------------------------------------------------------------------------------


@given(
    strategies.orders(judges=(1, 4), items=(1, 5)),
    st.sampled_from([0.0, 0.5, 0.75, 1.0]),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from([None, 2]),
)
def test_ed_of_frespa_equals_enumeration(orders, min_sup, weight, max_len):
    text = f"frespa(min_sup={min_sup}, w_len={weight}, w_sup={weight}, max_len={max_len})"
    expected = ref.ed(orders, lambda o, others: ref.frespa(o, others, min_sup, 2, max_len, weight, weight), 0, 1)
    assert discriminate(orders, text) == pytest.approx(expected, **close)


@given(strategies.orders(judges=(1, 5), items=(1, 5)), st.sampled_from(["tau", "rho"]))
def test_ed_of_correlations_equals_its_definition(orders, measure):
    for name in ("average_correlation", "rank_based"):
        expected = ref.ed(orders, lambda o, others, n=name: getattr(ref, n)(o, others, measure), -1, 1)
        assert discriminate(orders, f"{name}(measure={measure})") == pytest.approx(expected, **close)


@given(strategies.votes(judges=(1, 3), items=(1, 4)), st.sampled_from(["frespa", "average_correlation", "rank_based"]))
def test_ed_of_counted_rows_takes_out_one_judge_at_a_time(rows, of):
    counted = discriminate(q.Orderings.build(strategies.counted(rows)), of)
    assert counted == pytest.approx(discriminate(strategies.expanded(rows), of), **close)


def test_equal_orders_of_several_tasks_are_scored_once(monkeypatch):
    rng = np.random.default_rng(4)
    positions = rng.permuted(np.tile([1, 2, 3], (3, 12, 1)), axis=2)
    counts, of = rng.integers(0, 3, (3, 12)), table.parse("frespa(min_sup=0.5)", "orderings", "quality")
    found = []
    for most in (1, 100):
        monkeypatch.setattr(discriminativeness, "MANY", most)
        monkeypatch.setattr(discriminativeness, "_at_once", lambda *_: None)
        found.append(differences(positions, counts, of))
    assert np.array_equal(*found, equal_nan=True)


@given(strategies.strict(judges=(2, 5), items=(2, 6)))
def test_ed_of_average_tau_is_the_mean_tau_of_all_pairs(orders):
    """The paper's first cell is so the panel's mean tau; the simulation is calibrated by it."""
    mean = q.agreement(q.Orderings.from_orders(orders), "tau", **QUICK).findings[0].overall[0].value
    assert discriminate(orders, "average_correlation") == pytest.approx(mean, **close)


def test_ed_over_tasks_is_the_mean_of_the_tasks():
    panel = simulate(judges=5, items=6, tasks=4, dispersion=0.6)
    found = q.trust(panel, "discriminativeness(of=frespa)", **QUICK).findings[0]
    one_by_one = [discriminate(panel.select(tasks=[t]), "frespa") for t in panel.tasks]
    assert found.values == pytest.approx(one_by_one)
    assert found.overall[0].value == pytest.approx(np.mean(one_by_one))


def test_all_quality_methods_are_asked_with_both_correlations():
    names = [str(m) for m in quality("all")]
    assert names[-1] == "frespa"
    assert sum("measure=tau" in n for n in names) == sum("measure=rho" in n for n in names) == 3
    assert "frequent_sets" not in names  # a set has no reverse


def test_of_large_panels_some_judges_are_tried_and_that_is_said(monkeypatch):
    panel = simulate(judges=30, items=6, dispersion=0.5)
    whole = q.trust(panel, "discriminativeness(of=average_correlation(missing=below))", **QUICK)
    monkeypatch.setattr("quorate.inference.budget.SECOND", 1)
    monkeypatch.setattr("quorate.orderings.leave_one_out_scores.JUDGES", 1)
    monkeypatch.setattr("quorate.orderings.leave_one_out_scores.WORK", 1)
    some = q.trust(panel, "discriminativeness(of=average_correlation(missing=below))", **QUICK)
    assert "the orders of 8 of 30 judges are tried" in " ".join(some.notes)
    assert not any("tried" in note for note in whole.notes)
    assert some.findings[0].overall[0].value == pytest.approx(whole.findings[0].overall[0].value, abs=0.15)


# -- a method inside a method -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "of", ["frespa", "frespa(min_sup=0.5)", "frespa(min_sup=0.5, w_len=0)", "rank_based(measure=rho)"]
)
def test_the_text_form_of_a_nested_method_parses_back(of):
    m = table.methods("orderings", "trust")[0].with_(of=of)
    assert table.parse(str(m), "orderings", "trust") == m
    assert "," not in str(m).partition("of=")[2]
    panel = simulate(judges=4, items=5)
    expected = overall(panel, "discriminativeness", of=of)[0].value
    assert overall(panel, str(m))[0].value == pytest.approx(expected)
    assert discriminate(panel, of) == pytest.approx(expected)


def test_a_wrong_inner_method_is_told_with_a_hint():
    panel = simulate(judges=4, items=5)
    with pytest.raises(q.UnknownMethod, match="did you mean 'frespa'"):
        q.trust(panel, of="fresp")
    with pytest.raises(q.BadParameter, match="min_sup"):
        q.trust(panel, "noise(of=frespa(min_sup=2.5))")
    with pytest.raises(q.BadParameter, match="made for frespa"):
        q.trust(panel, "sweep(of=rank_based)")


# -- noise ------------------------------------------------------------------------------------------------------------


def test_noise_adds_a_share_of_the_judges_and_leaves_the_others():
    part = next(iter(stacks(simulate(judges=8, items=5, tasks=3))))
    more = joined(part, 0.5, np.random.default_rng(1))
    assert more.counts.sum(axis=1).tolist() == [12, 12, 12]
    assert (more.positions[:, :8] == part.positions).all()
    assert (np.sort(more.positions[:, 8:], axis=2) == np.arange(1, 6)).all()
    again, other = (joined(part, 0.5, np.random.default_rng(seed)) for seed in (1, 2))
    assert (again.positions == more.positions).all()
    assert (other.positions != more.positions).any()


def test_noise_is_drawn_per_counted_judge():
    raw = strategies.counted([([["a"], ["b"]], 3), ([["b"], ["a"]], 1)])
    part = next(iter(stacks(q.Orderings.build(raw))))
    assert joined(part, 1.0, np.random.default_rng(0)).counts.tolist() == [[3, 1, 1, 1, 1, 1]]


def test_panels_with_noise_are_scored_together_as_each_alone():
    design, core = OrderingDesign.of(simulate(judges=6, items=5, tasks=3)), Core(Options(resamples=0))
    methods = quality("all", design)
    panels = [with_noise(design, 0.5, k, core, methods) for k in range(3)]
    together = of_panels(panels, methods, core)
    for m, each in enumerate(together):
        for one, alone in zip(each, panels, strict=True):
            assert one.by_task == pytest.approx(of_all(alone, methods, core)[m].by_task, **close)


def test_noise_lowers_ed_and_the_curve_is_in_the_rows():
    panel = simulate(judges=8, items=7, tasks=4, dispersion=0.4)
    found = q.trust(panel, "noise(of=average_correlation, repeats=3)", **QUICK).findings[0]
    assert list(found.keys["ratio"]) == [0, 0.25, 0.5, 0.75, 1]
    assert found.values == sorted(found.values, reverse=True)
    o = found.overall[0]
    assert o.value == pytest.approx(1 - found.values[-1] / found.values[0])
    assert o.labels["max-min"] == pytest.approx(found.values[0] - found.values[-1])
    assert o.interval.low <= o.value <= o.interval.high
    # Mean tau over all pairs: those of honest judges keep theirs, the others have 0.
    assert found.values[-1] == pytest.approx(found.values[0] * 8 * 7 / (16 * 15), abs=0.05)


# -- tuning -----------------------------------------------------------------------------------------------------------


def test_an_ed_beyond_one_is_said_to_be_so():
    panel = q.Orderings.from_orders(["bdca", "adcb", "adcb", "abdc", "adcb"])
    for negative, said in (("keep", "beyond 1, since judges"), ("clip", "1 at most")):
        text = q.trust(panel, f"discriminativeness(of=weighted_correlation(negative={negative}))", **QUICK).text()
        assert said in " ".join(text.split())


def test_a_sweep_over_ranges_of_ones_own():
    panel = q.Orderings.from_orders(["abcd", "abdc", "bacd", "acbd"])
    own = "sweep(of=frespa(w_len=0|3; max_len=2|3|none; min_sup=1|1.0), repeats=1)"
    found = q.trust(panel, own, **QUICK).findings[0]
    told = dict(zip(zip(found.keys["parameter"], found.keys["setting"], strict=True), found.values, strict=True))
    assert set(told) == {("w_len", "0"), ("w_len", "3"), *(("max_len", n) for n in ("2", "3", "none"))} | {
        ("min_sup", "1"),  # one judge
        ("min_sup", "1.0"),  # all of them
    }
    for (name, setting), value in told.items():
        alone = overall(panel, f"discriminativeness(of=frespa({name}={setting}))")[0]
        assert value == pytest.approx(alone.value, **close)
    assert all(len(each) == len(told) for each in found.details.values())
    assert all(found.details["noisy_interval"])
    assert [set(e.labels) >= {"best", "ed", "best_noisy", "ed_noisy"} for e in found.overall] == [True] * 3
    columns = q.trust(panel, "sweep(of=frespa(w_len=0|3))", **QUICK).to_columns()
    assert columns["setting"] == [0, 3]
    assert {"low", "high", "noisy_low", "noisy_high"} <= set(columns)


def test_a_sweep_over_lengths_of_ones_own_as_shares_of_the_items():
    panel = simulate(judges=4, items=6, tasks=2, dispersion=0.5)
    found = q.trust(panel, "sweep(ratio=0, lengths=0|0.34|0.5)", **QUICK).findings[0]
    told = dict(zip(zip(*found.keys.values(), strict=True), found.values, strict=True))
    assert [s for p, s in told if p == "max_len"] == [s for p, s in told if p == "min_len"] == [0, 0.34, 0.5]
    for share, items in ((0, 2), (0.34, 2), (0.5, 3)):
        alone = overall(panel, f"discriminativeness(of=frespa(max_len={items}))")[0]
        assert told["max_len", share] == pytest.approx(alone.value, **close)
    for wrong in ("sweep(lengths=0|2)", "sweep(of=frespa(w_len=0|1), lengths=0|1)"):
        with pytest.raises(q.BadParameter, match="lengths"):
            q.trust(panel, wrong)


def test_a_sweep_of_any_quality_method_and_without_noise():
    panel = q.Orderings.from_orders(["abcd", "abdc", "bacd", "acbd"])
    answer = q.trust(panel, "sweep(of=rank_based(measure=tau|rho), ratio=0)", **QUICK)
    assert answer.findings[0].keys["setting"] == ["tau", "rho"]
    assert set(answer.findings[0].details) == {"interval"}
    assert "undefined" not in answer.text()
    assert "shares of a task" not in answer.text()
    with pytest.raises(q.BadParameter, match="whole number"):
        q.trust(panel, "sweep(of=frespa(max_len=0.5|2))")


def test_a_sweep_has_the_papers_settings_and_agrees_with_ed():
    panel = simulate(judges=5, items=8, tasks=2, dispersion=0.5)
    found = q.trust(panel, "sweep(repeats=1)", **QUICK).findings[0]
    value = dict(zip(zip(*found.keys.values(), strict=True), found.values, strict=True))
    assert len(value) == 35
    assert value["min_sup", 0.75] == value["w_len", 1] == value["max_len", 1] == value["min_len", 0]
    expected = overall(panel, "discriminativeness", of="frespa(max_len=2)")[0].value
    assert value["max_len", 0] == value["max_len", 0.25] == pytest.approx(expected)
    assert value["min_sup", 0.5] == pytest.approx(
        overall(panel, "discriminativeness", of="frespa(min_sup=0.5)")[0].value
    )


def test_patterns_shorter_than_two_items_are_none_as_in_the_papers_odd_row():
    panel = simulate(judges=5, items=7, tasks=2, dispersion=0.3)
    found = q.trust(panel, "sweep(repeats=1, ratio=0)", **QUICK).findings[0]
    rows = dict(zip(zip(*found.keys.values(), strict=True), found.values, strict=True))
    assert rows["max_len", 0.25] == 0
    assert rows["max_len", 0] > 0.5


@pytest.mark.parametrize("tasks", [1, 4])
def test_the_nested_value_is_no_better_than_the_tuned_one(tasks):
    panel = simulate(judges=6, items=6, tasks=tasks, dispersion=0.7, seed=3)
    o = overall(panel, "tune")[0]
    assert o.value <= o.labels["tuned"] + 1e-9
    assert o.labels["untuned"] <= o.labels["tuned"] + 1e-9
    assert o.labels["tuned"] == pytest.approx(overall(panel, "discriminativeness", of=o.labels["best"])[0].value)


def test_tuning_without_a_task_picks_by_the_other_tasks():
    panel = simulate(judges=5, items=6, tasks=3, dispersion=0.8, seed=1)
    methods = list(settings_of(quality("frespa")[0]))
    each = np.array([[discriminate(panel.select(tasks=[t]), str(m)) for t in panel.tasks] for m in methods])
    honest = [each[np.argmax(np.delete(each, t, axis=1).mean(axis=1)), t] for t in range(3)]
    assert overall(panel, "tune")[0].value == pytest.approx(np.mean(honest))


def test_tuning_without_a_judge_picks_on_the_panel_without_the_judge():
    panel = simulate(judges=4, items=5, dispersion=0.9, seed=2)
    methods = list(settings_of(quality("rank_based")[0]))
    assert [str(m) for m in methods] == ["rank_based(measure=tau)", "rank_based(measure=rho)"]
    orders = list(panel.orders().values())
    honest = []
    for k in range(4):
        rest = orders[:k] + orders[k + 1 :]
        seen = [discriminate(rest, str(m)) for m in methods]
        measure = ("tau", "rho")[int(np.argmax(seen))]
        own = [ref.rank_based(o, rest, measure) for o in (orders[k], ref.reverse(orders[k]))]
        honest.append((own[0] - own[1]) / 2)
    assert overall(panel, "tune(of=rank_based)")[0].value == pytest.approx(np.mean(honest))


# -- reliability ------------------------------------------------------------------------------------------------------


@given(strategies.orders(judges=(2, 4), items=(2, 5)), st.sampled_from(["rho", "tau"]))
def test_split_half_is_the_mean_over_all_splits(orders, measure):
    index = plain.rho if measure == "rho" else plain.tau_b
    found = overall(q.Orderings.from_orders(orders), f"split_half(measure={measure}, splits=20000)")[0]
    half = found.labels["half"]  # stepping up makes luck of the draws larger, so it is checked apart
    assert half == pytest.approx(ref.halves(orders, index), abs=0.06, nan_ok=True)
    assert found.value == pytest.approx(ref.spearman_brown(half, len(orders) / (len(orders) // 2)), nan_ok=True)


def test_copies_are_reliable_and_random_judges_are_not():
    assert overall(simulate(judges=6, dispersion=0.0), "split_half")[0].value == pytest.approx(1)
    assert abs(overall(simulate(judges=6, tasks=30, dispersion=1.0), "split_half")[0].value) < 0.25


def test_split_half_of_one_task_has_an_interval_around_it():
    o = overall(simulate(judges=8, dispersion=0.6), "split_half")[0]
    assert o.interval.by == "judges"
    assert o.interval.low <= o.value <= o.interval.high


def test_more_judges_are_foretold_about_as_they_turn_out():
    """Six judges foretell what two panels of 20 such judges correlate."""
    small = simulate(judges=6, items=9, tasks=60, dispersion=0.7)
    big = simulate(judges=40, items=9, tasks=60, dispersion=0.7)
    parts = [Answers(ranks_of(p.positions), p.counts, p.judges) for p in stacks(small)]
    foretold = repeatability(parts, spearman, lambda *names: np.random.default_rng(len(names))).at(20)
    seen = np.mean(q.trust(big, "split_half", **QUICK).findings[0].details["half"])
    assert foretold == pytest.approx(seen, abs=0.06)


def test_judges_needed_grows_with_the_target_and_with_noise():
    clear, vague = (simulate(judges=8, tasks=5, dispersion=d) for d in (0.4, 0.8))
    needed = [
        overall(p, f"judges_needed(target={t})")[0].value for p, t in ((clear, 0.8), (clear, 0.95), (vague, 0.95))
    ]
    assert needed == sorted(needed)
    assert needed[0] < needed[2]


def test_the_numbers_of_judges_shown_end_with_all_of_them():
    assert numbers(1) == []
    assert numbers(2) == [2]
    assert numbers(10)[-1] == 10
    assert len(numbers(1000)) < 25


# -- the bootstrap ----------------------------------------------------------------------------------------------------


def test_the_bootstrap_of_a_mean_is_that_of_its_tasks():
    panel = simulate(judges=4, items=5, tasks=8, dispersion=0.7)
    found = bootstrap(panel, "discriminativeness(of=average_correlation)", resamples=200)
    answer = overall(panel, "discriminativeness(of=average_correlation)", resamples=2000)[0]
    assert found.value == pytest.approx(answer.value)
    assert found.interval.low == pytest.approx(answer.interval.low, abs=0.06)
    assert found.interval.high == pytest.approx(answer.interval.high, abs=0.06)


def test_the_bootstrap_takes_any_function_of_a_panel_and_draws_judges_too():
    panel = simulate(judges=5, items=4, tasks=2)
    found = bootstrap(panel, lambda p: len(p.judges), by="judges", resamples=5)
    assert found.drawn.tolist() == [5] * 5
    assert (
        bootstrap(panel, "tau", by="judges", resamples=5, seed=2).drawn.tolist()
        == bootstrap(panel, "tau", by="judges", resamples=5, seed=2).drawn.tolist()
    )


@pytest.mark.parametrize(("figure", "by"), [("tau", "items"), ("no_such", "tasks")])
def test_a_wrong_bootstrap_is_told(figure, by):
    with pytest.raises(q.QuorateError, match="Hint"):
        bootstrap(simulate(judges=3, items=3), figure, by)


# -- every method of the cell -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", TRUST, ids=str)
@settings(max_examples=6 if LONG else 3, deadline=None)
@given(panel=strategies.panels(tasks=(1, 2), judges=(1, 3), items=(1, 4)))
def test_any_panel_gets_an_answer(method, panel):
    told = q.trust(q.Orderings.from_orders(panel), _quick(method), **QUICK)
    low, high = method.declaration.range
    for row in told.to_dict()["overall"]:
        assert row["value"] is None or low - 1e-9 <= row["value"] <= high + 1e-9
        low_end, high_end = row["interval"] or (None, None)  # an end may have no limit
        assert low_end is None or high_end is None or low_end <= high_end
    assert told.text()


@pytest.mark.parametrize("method", TRUST, ids=str)
def test_the_same_seed_gives_the_same_bytes(method):
    panel = simulate(judges=4, items=5, tasks=2, dispersion=0.6)
    first, again = (q.trust(panel, _quick(method), seed=4, **QUICK).to_json() for _ in range(2))
    assert first == again


@pytest.mark.parametrize("method", [m for m in TRUST if m.declaration.properties["relabelling"]], ids=str)
def test_neither_names_nor_the_order_of_items_matter(method):
    panel = simulate(judges=4, items=5, tasks=2, dispersion=0.6)
    raw = panel.columns()
    renamed = q.Orderings.build({**raw, "item": [f"<{9 - i}>" for i in raw["item"]]})
    first, second = (overall(p, _quick(method)) for p in (panel, renamed))
    for a, b in zip(first, second, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-9)


def _quick(method):
    return method.with_(**{n: v for n, v in {"repeats": 1, "splits": 20}.items() if method.has(n)})


# -- the paper --------------------------------------------------------------------------------------------------------


def test_the_dispersion_is_calibrated_to_the_papers_first_cell():
    phi = frespa.calibrated()
    drawn = mallows((1, 400, 9), phi, np.random.default_rng(0))
    i, j = np.triu_indices(9, 1)
    sign = np.sign(drawn[0][:, j] - drawn[0][:, i]).mean(axis=0)
    assert (sign**2).mean() == pytest.approx(frespa.expected_tau(9, phi), abs=0.02)
    sizes = [n for n, _ in frespa.SETS]
    assert np.mean(sizes) == 8.8
    assert np.mean([n for _, n in frespa.SETS]) == 10.4
    assert np.mean([frespa.expected_tau(n, phi) for n in sizes]) == pytest.approx(0.454, abs=1e-6)


@pytest.fixture(scope="module")
def first_table():
    rows = frespa.tables(studies=3, repeats=1, only=(1,))
    return {r.cell: r for r in rows}


def test_table_1_by_simulation_has_the_papers_shape(first_table):
    ours = {cell: r.ours for cell, r in first_table.items()}
    assert all(r.source == "simulation" for r in first_table.values())
    for measure in ("tau", "rho"):
        ac, wca, rba = (
            f"{n}(measure={measure})" for n in ("average_correlation", "weighted_correlation", "rank_based")
        )
        assert ours[f"{ac}, ratio 0"] < ours[f"{wca}, ratio 0"] < ours[f"{rba}, ratio 0"]
        for r in ("0.25", "0.5", "0.75", "1"):
            assert ours[f"{ac}, ratio {r}"] < ours[f"{rba}, ratio {r}"]
        for better in (wca, rba, "frespa"):
            assert ours[f"{better}: degradation"] < ours[f"{ac}: degradation"] - 0.1
    for name in ("average_correlation", "weighted_correlation", "rank_based"):
        assert ours[f"{name}(measure=tau), ratio 0"] < ours[f"{name}(measure=rho), ratio 0"]
    assert ours["frespa, ratio 0"] > ours["rank_based(measure=tau), ratio 0"]
    assert max(abs(r.difference) for c, r in first_table.items() if "ratio" in c) < 0.15


def test_the_printed_degradation_follows_from_the_printed_ed():
    """The paper's last two rows are those of its first ones: nothing was lost in copying them."""
    printed = {k: float(v) for k, v in frespa.printed().items()}
    for of in {k[1] for k in printed if k[0] == "1"}:
        ed = {k[3]: v for k, v in printed.items() if k[:3] == ("1", of, "ratio")}
        assert printed["1", of, "", "", "", "max-min"] == pytest.approx(ed["0"] - ed["1"], abs=1.1e-3)
        assert printed["1", of, "", "", "", "degradation"] == pytest.approx(1 - ed["1"] / ed["0"], abs=2e-3)


@pytest.mark.long
def test_tables_2_to_4_by_simulation_have_the_papers_shape():
    rows = list(frespa.tables(studies=1, repeats=1, only=(2, 3, 4)))
    assert len(rows) == 70
    ours = {r.cell: r.ours for r in rows}
    clean = [ours[f"frespa, min_sup {s}, original"] for s in ("0", "0.25", "0.5", "0.75", "1")]
    assert clean == sorted(clean)  # without noise, the more consensus is asked for the better
    assert ours["frespa, min_sup 0.75, noisy"] > ours["frespa, min_sup 1, noisy"]  # with noise, too much is asked for
    assert ours["frespa, w_len 0, original"] > ours["frespa, w_len 100, original"]
    assert ours["frespa, w_sup 0, original"] < ours["frespa, w_sup 100, original"]
    assert ours["frespa, max_len 0.25 of the items, original"] < ours["frespa, max_len 0 of the items, original"]
    assert ours["frespa, min_len 1 of the items, original"] == 0


# -- the seed ---------------------------------------------------------------------------------------------------------

MANY_SETS = "frespa(min_sup=0.4; max_len=3)"  # of 17 judges: more sets of judges than are looked at one by one


@pytest.mark.parametrize(
    "text",
    [
        f"discriminativeness(of={MANY_SETS})",
        f"noise(of={MANY_SETS}, repeats=1)",
        f"judges_needed(of={MANY_SETS})",
        f"tune(of={MANY_SETS.replace('3)', '2|3)')})",
        pytest.param(f"sweep(of={MANY_SETS}, repeats=1)", marks=pytest.mark.long),
        f"bootstrap(of=discriminativeness(of={MANY_SETS}), resamples=2)",
        f"bootstrap(of={MANY_SETS}, resamples=2)",
    ],
)
def test_what_is_drawn_among_patterns_follows_the_seed(text, monkeypatch):
    seen = set()

    def spied(*given, seed=0, **more):
        seen.add(seed)
        return weights(*given, seed=seed, **more)

    weights = pattern_states.weights
    monkeypatch.setattr(pattern_states, "weights", spied)
    panel = simulate(judges=17, items=13, dispersion=0.8)
    q.trust(panel, text, systems=panel.select(judges=panel.judges[:2]), seed=7, **QUICK)
    assert seen == {7}


def test_ed_of_too_many_patterns_is_the_same_for_the_same_seed_and_says_that_it_is_drawn(monkeypatch):
    monkeypatch.setattr(pattern_states, "STATES", 40)
    monkeypatch.setattr(pattern_states, "DRAWN", 10)
    panel = simulate(judges=17, items=13, dispersion=0.6)
    first, again, other = (q.trust(panel, f"discriminativeness(of={MANY_SETS})", seed=s, **QUICK) for s in (1, 1, 2))
    assert first.findings[0].values == again.findings[0].values != other.findings[0].values
    assert "ED of frespa(min_sup=0.4, max_len=3): too many patterns on 1 of 1 tasks; some are drawn" in str(first.notes)


def test_shorter_tasks_are_not_filled_up_with_items_on_which_all_lists_agree():
    rng = np.random.default_rng(3)
    orders = {
        f"t{size}": {f"j{j}": [f"{size}-{i}" for i in rng.permutation(size)[:4].tolist()] for j in range(4)}
        for size in (6, 30)
    }
    design = OrderingDesign.of(q.Orderings.from_orders(orders), "below")
    found = reliability._repeatability(Core(Options()), design, "rho")
    held = [len({i for order in of.values() for i in order}) for of in orders.values()]
    assert sorted(part.values.shape[2] for part in found.parts) == sorted(held)
    assert reliability._repeatability(Core(Options()), design, "rho") is found  # once for all that is asked
