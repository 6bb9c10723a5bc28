"""The answer to 'how much do the judges agree on their orderings?': figures, notes, repeats, forms."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

from quorate import Groupings, Orderings, QuorateError, UnknownMethod, agreement, table
from quorate.orderings import tau, tau_b
from quorate.orderings.simulate import simulate

pytestmark = pytest.mark.usefixtures("in_small")

PANEL = Orderings.from_orders(
    {"t1": {"ann": "abcd", "bob": "abdc", "cat": "bacd"}, "t2": {"ann": "xyz", "bob": "zyx", "cat": "xzy"}}
)
FAST = {"resamples": 50, "permutations": 20}


def only(panel, method, **how):
    return agreement(panel, method, **{**FAST, **how}).findings[0]


def test_without_a_name_the_defaults_of_the_cell_are_asked():
    expected = [d.name for d in table.declarations("orderings", "agreement") if d.default]
    assert [f.method.name for f in agreement(PANEL, **FAST).findings] == expected
    assert {"kappa", "support", "kendall_w", "tau_b", "rbo"} <= set(expected)


def test_the_overall_value_is_the_mean_over_tasks():
    found = only(PANEL, "tau")
    assert found.keys["task"] == ["t1", "t2"]
    assert found.overall[0].value == pytest.approx(np.mean(found.values))


def test_undefined_tasks_are_left_out_of_the_mean_and_said_so():
    panel = Orderings.from_orders({"t1": {"ann": "abc", "bob": "acb"}, "t2": {"ann": "abc"}})
    answer = agreement(panel, "tau", **FAST)
    assert answer.findings[0].overall[0].value == pytest.approx(1 / 3)
    alone = "on 1 of 2 tasks there is one judge only and nothing to agree with; it is left out of every mean"
    assert [note for note in answer.notes if "1 of 2 tasks" in note] == [alone]


def test_with_one_task_judges_are_resampled_and_with_more_tasks():
    assert only(PANEL, "tau").overall[0].interval.by == "tasks"
    assert only(PANEL.select(tasks=["t1"]), "tau").overall[0].interval.by == "judges"


def test_two_judges_on_one_task_have_no_interval():
    panel = Orderings.from_orders(["abc", "acb"])
    assert only(panel, "tau").overall[0].interval is None


@pytest.mark.parametrize("method", ["kappa", "support", "kendall_w", "tau_b", "rho", "rbo"])
def test_an_interval_over_judges_holds_the_value(method):
    found = only(simulate(judges=12, items=6, dispersion=0.6, seed=1), method, resamples=200).overall[0]
    assert found.interval.low <= found.value <= found.interval.high
    assert found.interval.low < found.interval.high


@pytest.mark.parametrize("method", ["tau", "kendall_w", "support"])
def test_judges_behind_a_count_are_permuted_each_alone(method):
    orders = {"ann": "abcd", "bob": "dbca", "cat": "cadb"}
    rows = [(j, i, k, 20) for j, order in orders.items() for k, i in enumerate(order, 1)]
    counted = Orderings.build(dict(zip(("judge", "item", "position", "count"), zip(*rows, strict=True), strict=True)))
    apart = Orderings.from_orders({f"{j}{n}": order for j, order in orders.items() for n in range(20)})
    one, two = (only(panel, method, permutations=200).overall[0] for panel in (counted, apart))
    assert one.value == pytest.approx(two.value)
    assert one.chance.value == pytest.approx(two.chance.value, abs=0.02)  # as a block they would agree with themselves
    assert one.chance.p == pytest.approx(two.chance.p, abs=0.05)


def test_chance_is_what_shuffled_rankings_give():
    random = only(simulate(judges=6, items=8, tasks=30, dispersion=1.0, seed=2), "tau").overall[0]
    agreed = only(simulate(judges=6, items=8, tasks=30, dispersion=0.3, seed=2), "tau").overall[0]
    assert random.chance.value == pytest.approx(0, abs=0.05)
    assert random.chance.p > 0.05
    assert agreed.chance.value == pytest.approx(0, abs=0.05)
    assert agreed.chance.p < 1e-6  # by the tail of the draws, none of which gets as far


def test_permutations_can_be_left_out():
    assert only(PANEL, "tau", permutations=0).overall[0].chance is None


def test_the_level_widens_the_interval():
    panel = simulate(judges=4, items=5, tasks=20, dispersion=0.8, seed=3)
    narrow, wide = (only(panel, "tau", level=v, resamples=400).overall[0].interval for v in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_a_judge_with_a_missing_item_is_kept_and_the_policy_is_said():
    orders = {"ann": "abcd", "bob": "abdc", "cat": "dcb"}
    answer = agreement(Orderings.from_orders(orders), "tau", **FAST)
    found = answer.findings[0]
    assert found.details["pairs"] == [3]
    assert found.values[0] == pytest.approx((tau("abcd", "abdc") + tau("abcd", "dcb") + tau("abdc", "dcb")) / 3)
    assert found.values[0] != pytest.approx(tau("abcd", "abdc"))
    assert "some judges left items out; an absent item means: unknown" in answer.notes
    below = agreement(Orderings.from_orders(orders), "tau(missing=below)", **FAST)
    assert "some judges left items out; an absent item means: below" in below.notes
    assert below.findings[0].values != found.values


def test_pairs_without_enough_in_common_are_counted():
    found = only(Orderings.from_orders({"ann": "abc", "bob": "acb", "cat": "xyz"}), "tau")
    assert found.details["pairs"] == [1]
    assert found.details["undefined_pairs"] == [2]


# -- repeats ----------------------------------------------------------------------------------------------------------


def repeated_panel() -> Orderings:
    rows = [("ann", "abc", 1), ("ann", "acb", 2), ("ann", "cba", 3), ("bob", "abc", 1)]
    raw = {n: [] for n in ("judge", "item", "position", "occasion")}
    for judge, order, occasion in rows:
        for position, item in enumerate(order, 1):
            for name, value in zip(raw, (judge, item, position, occasion), strict=True):
                raw[name].append(value)
    return Orderings.build(raw)


def test_repeats_are_not_mixed_into_agreement_between_judges():
    panel = repeated_panel()
    assert panel.repeats == 2
    answer = agreement(panel, "tau", **FAST)
    assert answer.findings[0].values == [1.0]
    assert answer.findings[0].details["pairs"] == [1]
    assert "2 repeats are not compared with other judges; see self-agreement" in answer.notes


def test_repeats_of_a_judge_are_compared_with_one_another():
    told = agreement(repeated_panel(), "tau", **FAST).to_dict()["self_agreement"]
    expected = (tau("abc", "acb") + tau("abc", "cba") + tau("acb", "cba")) / 3
    assert told == [{"judge": "ann", "method": "tau", "value": pytest.approx(expected), "pairs": 3}]


def test_self_agreement_is_by_tau_b_where_no_index_of_two_is_asked():
    told = agreement(repeated_panel(), "kappa", **FAST).to_dict()["self_agreement"]
    assert told[0]["method"] == "tau_b"
    assert told[0]["value"] == pytest.approx((tau_b("abc", "acb") + tau_b("abc", "cba") + tau_b("acb", "cba")) / 3)


def test_panels_without_repeats_have_no_self_agreement():
    assert "self_agreement" not in agreement(PANEL, "tau", **FAST).to_dict()


# -- forms ------------------------------------------------------------------------------------------------------------


def test_json_has_the_documented_keys():
    told = json.loads(agreement(PANEL, "kappa", "support", "tau", **FAST).to_json())
    assert {"kind", "question", "tasks", "judges", "items", "results", "overall"} <= set(told)
    assert (told["kind"], told["question"]) == ("orderings", "agreement")
    assert (told["tasks"], told["judges"], told["items"]) == (2, 3, 7)
    rows = {(r["task"], r["method"]): r for r in told["results"]}
    assert rows["t1", "kappa"]["details"]["by_length"] == [4, 4]
    assert rows["t1", "kappa"]["details"]["longest"] == 2
    support = rows["t2", "support"]
    assert support["details"]["kappa2"] == support["value"]
    assert {"kappa1", "kappa2"} <= set(support["details"])
    assert {"method", "value", "interval", "chance"} <= set(told["overall"][0])


def test_nan_is_null_in_json():
    told = json.loads(agreement(Orderings.from_orders(["abc"]), "tau", **FAST).to_json())
    assert told["results"][0]["value"] is None
    assert told["overall"][0]["value"] is None


def test_csv_and_frame_have_a_row_a_task_and_method():
    answer = agreement(PANEL, "kappa", "tau", **FAST)
    rows = list(csv.DictReader(io.StringIO(answer.to_csv())))
    assert [(r["task"], r["method"]) for r in rows] == [("t1", "kappa"), ("t2", "kappa"), ("t1", "tau"), ("t2", "tau")]
    assert float(rows[2]["value"]) == answer["tau"].values[0]
    assert [len(answer.to_frame(b, rows=True)) for b in ("pandas", "polars")] == [4, 4]
    assert [len(answer.to_frame(b)) for b in ("pandas", "polars")] == [2, 2]


def test_text_fits_and_puts_a_sentence_first():
    text = agreement(PANEL, **FAST).text()
    assert text.startswith("3 judges ordered 7 items on 2 tasks.")
    assert max(map(len, text.splitlines())) <= 80


def test_findings_are_found_by_name_or_text_form():
    answer = agreement(PANEL, "kappa(lam=0.9)", **FAST)
    assert answer["kappa"] is answer["kappa(lam=0.9)"]
    with pytest.raises(KeyError, match="no finding 'tau'"):
        answer["tau"]


def test_repr_and_html_say_what_was_found():
    answer = agreement(Orderings.from_orders([list("abcd")] * 2), "kappa", **FAST)
    assert repr(answer) == "<orderings x agreement: kappa 15>"
    marked = agreement(Orderings.from_orders({t: {"ann": "ab", "bob": "ab"} for t in ("<b>", "t")}), "kappa", **FAST)
    assert "&lt;b&gt;" in marked._repr_html_()
    assert "<b>" not in marked._repr_html_()


def test_counts_too_large_for_a_double_are_told_in_every_form():
    panel = Orderings.from_orders([list(range(1100))] * 2)
    answer = agreement(panel, "kappa", resamples=2, permutations=1)
    assert answer.findings[0].overall[0].value == 2**1100 - 1
    assert json.loads(answer.to_json())["overall"][0]["value"] == 2**1100 - 1
    assert "All judges share 2^1100.0 common subsequences" in answer.text().replace("\n", " ")
    assert repr(answer) == "<orderings x agreement: kappa 2^1100.0>"
    assert answer.to_csv()


def test_a_mean_too_large_for_a_double_is_told_where_another_task_has_nothing():
    long = list(range(1100))
    panel = Orderings.from_orders({"t1": {"ann": "x", "bob": "y"}, "t2": {"ann": long, "bob": long}})
    answer = agreement(panel, "kappa", resamples=2, permutations=1)
    assert "All judges share on average 2^1099.0 common subsequences, the longest of 1,100 items" in answer.sentences[1]
    assert answer.to_frame(rows=True).shape[0] == 2


def test_counts_of_more_digits_than_python_prints_by_default():
    panel = Orderings.from_orders([list(range(15000))] * 2)
    answer = agreement(panel, "kappa", resamples=2, permutations=0)
    assert answer.findings[0].values[0] == 2**15000 - 1
    told = json.loads(answer.to_json(), parse_int=str)["results"][0]
    assert told["details"]["log2"] == pytest.approx(15000)


def test_progress_is_told_from_start_to_end():
    told = []
    agreement(PANEL, "tau", "rho", **FAST, progress=lambda what, done, of: told.append((what, done, of)))
    assert told[0] == ("agreement", 0, 2)
    assert told[-1] == ("agreement", 2, 2)


def test_a_cell_without_methods_says_so(monkeypatch):
    monkeypatch.setattr(table, "methods", lambda *cell, default=False: [])
    with pytest.raises(UnknownMethod, match="no method answers groupings x agreement yet"):
        agreement(Groupings.from_groups({"ann": {"x": 1}}))


def test_a_method_of_another_cell_is_refused():
    others = {(d.kind, d.question): d for d in table.declarations()}
    del others["orderings", "agreement"]
    assert len(others) == 19
    for declared in others.values():
        with pytest.raises(UnknownMethod, match="does not answer orderings x agreement"):
            agreement(PANEL, table.Method(declared))


@pytest.mark.parametrize("wrong", [{"level": 2}, {"level": 0}, {"resamples": -1}, {"seed": -1}, {"permutations": 0.5}])
def test_wrong_options_are_named(wrong):
    with pytest.raises(QuorateError, match=next(iter(wrong))):
        agreement(simulate(judges=4, items=4), "tau", **wrong)


def test_chance_of_very_many_tasks_is_estimated_on_a_sample(monkeypatch):
    monkeypatch.setattr("quorate.inference.samples.TASKS", 5)
    panel = simulate(judges=3, items=4, tasks=40, dispersion=0.3, seed=4)
    found = only(panel, "tau").overall[0]
    assert found.value > 0.3
    assert found.chance.p < 0.1
    assert math.isfinite(found.chance.value)
