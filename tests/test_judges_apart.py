"""Pages for a judge, before and after dropping outliers, judges beside a truth, content sets; also as commands."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.content_sets import content_sets
from quorate.dissent import dissent
from quorate.orderings.simulate import simulate
from quorate.reports.truth import against_truth
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.panels import as_sets
from quorate.without_outliers import without_outliers
from tests import strategies
from tests.reference import orderings as ref

FOUR = {"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "dcba"}


def run(*words):
    done = CliRunner(env={"COLUMNS": "80"}).invoke(main, [str(w) for w in words])
    assert done.exit_code == 0, done.output
    return done.stdout


def table(path, orders):
    lines = [f"{j},{i},{k}" for j, order in orders.items() for k, i in enumerate(order, 1)]
    path.write_text("\n".join(["judge,item,position", *lines]), "utf-8")
    return path


# -- what a judge holds that most do not ------------------------------------------------------------------------------


@given(strategies.orders(judges=(1, 4), items=(1, 5)))
def test_pairs_that_most_of_the_others_reverse(orders):
    panel = q.Orderings.from_orders(dict(enumerate(orders)))
    at = [ref.places(o) for o in orders]
    expected = {}
    for x in at[0]:
        for y in at[0]:
            same = sum(x in s and y in s and s[x] < s[y] for s in at[1:])
            other = sum(x in s and y in s and s[x] > s[y] for s in at[1:])
            if at[0][x] < at[0][y] and other > same:
                expected[x, y] = (same, other)
    found = dissent(panel, 0)
    assert {(r["before"], r["after"]): (r["same"], r["other"]) for r in found.found} == expected
    assert len(expected) <= found.compared


def test_a_counted_row_is_held_against_the_others_it_stands_for():
    rows = {"judge": ["a"] * 2 + ["b"] * 2, "item": list("xyyx"), "position": [1, 2, 1, 2], "count": [3, 3, 4, 4]}
    (row,) = dissent(q.Orderings.build(rows), "a").found
    assert (row["same"], row["other"]) == (2, 4)


@given(st.lists(st.lists(st.integers(1, 4), min_size=3, max_size=3), min_size=1, max_size=4))
def test_scores_that_most_of_the_others_lie_beside(scores):
    rows = [(j, i, v) for j, row in enumerate(scores) for i, v in enumerate(row)]
    panel = q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    expected = set()
    for item in range(3):
        own, others = scores[0][item], [row[item] for row in scores[1:]]
        sides = sum(v > own for v in others), sum(v < own for v in others)
        if 2 * max(sides) > len(others):
            expected.add((item, *sides))
    assert {(r["item"], r["above"], r["below"]) for r in dissent(panel, 0).found} == expected


def test_labels_and_groups_that_most_see_otherwise():
    labels = q.Scores.build({"judge": list("abc"), "item": ["x"] * 3, "label": ["yes", "no", "no"]})
    (row,) = dissent(labels, "a").found
    assert (row["own"], row["others"], row["share"]) == ("yes", "no", 1.0)
    most = {"x": 1, "y": 2, "z": 2}
    groups = q.Groupings.from_groups({"a": {"x": 1, "y": 1, "z": 2}, "b": most, "c": most})
    found = {(r["item"], r["with"], r["own"]) for r in dissent(groups, "a").found}
    assert found == {("x", "y", "together"), ("y", "z", "apart")}


def test_the_page_goes_to_the_judge(tmp_path):
    panel = table(tmp_path / "p.csv", {"jürgen": "abc", "bob": "cba", "cat": "cba"})
    page, note = tmp_path / "j.html", tmp_path / "j.md"
    run("judges", panel, "--explain", "jürgen", "--out", page)
    run("judges", panel, "--explain", "jürgen", "--out", note)
    assert "For jürgen" in page.read_text("utf-8")
    assert note.read_text("utf-8").startswith("# For jürgen: what most of the other judges see otherwise")
    told = json.loads(run("judges", panel, "--explain", "jürgen", "--format", "json"))
    assert (told["compared"], len(told["results"])) == (3, 3)
    done = CliRunner().invoke(main, ["judges", str(panel), "--explain", "nobody"])
    assert done.exit_code == 2
    assert "no judge 'nobody'" in done.output
    assert "none" in dissent(q.Orderings.from_orders({"a": "xy", "b": "xy"}), "a").text()
    assert "Nobody else" in dissent(q.Orderings.from_orders({"a": "xy"}), "a").text()


# -- before and after -------------------------------------------------------------------------------------------------


def test_outliers_are_dropped_and_agreement_measured_again():
    panel = q.Orderings.from_orders(FOUR)
    found = without_outliers(panel, "tau_b", "support", by="support_outliers(eps2=0.5)", permutations=0)
    assert found.dropped == ("dan",)
    rest = {j: o for j, o in FOUR.items() if j != "dan"}
    for method, before, after in found.pairs:
        assert before.value == q.agreement(panel, method, permutations=0).findings[0].value
        assert after.value == q.agreement(q.Orderings.from_orders(rest), method, permutations=0).findings[0].value
    each = without_outliers(
        panel, "peer_correlation", question="judges", by="support_outliers(eps2=0.5)", permutations=0
    )
    assert [b is None for _, a, b in each.pairs if a.labels["judge"] == "dan"] == [True]


def test_nobody_dropped_is_said(tmp_path):
    found = without_outliers(q.Orderings.from_orders({"a": "abc", "b": "abc"}), "tau_b")
    assert found.dropped == ()
    assert "No judge is dropped" in found.text()
    with pytest.raises(q.BadParameter, match="outliers cannot be told by"):
        without_outliers(q.Orderings.from_orders(FOUR), by="worst")
    file = table(tmp_path / "p.csv", FOUR)
    text = run("agreement", file, "--without-outliers", "--method", "tau_b", "--resamples", "20")
    assert "Before and after" in text
    assert "1 of 4 judges dropped" in run("judges", file, "--drop", "support_outliers(eps2=0.5)", "--resamples", "20")


def test_consensus_without_outliers_by_bounds_of_ones_own(tmp_path):
    file, quick = table(tmp_path / "p.csv", FOUR), ("--method", "kemeny", "--resamples", "20", "--format", "json")
    usual = json.loads(run("consensus", file, "--without-outliers", *quick))
    own = json.loads(run("consensus", file, "--drop", "support_outliers(eps2=0.5)", *quick))
    assert [r["results"][0]["details"]["dropped"] for r in (usual, own)] == [[], ["dan"]]
    method = "kemeny(outliers=support_outliers(eps2=0.5))"
    assert q.consensus(q.Orderings.from_orders(FOUR), method).to_dict()["results"][0]["details"]["dropped"] == ["dan"]
    done = CliRunner().invoke(main, ["consensus", str(file), "--drop", "worst"])
    assert done.exit_code != 0
    assert "outliers cannot be told by 'worst'" in done.output


def test_consensus_without_flagged_judges(tmp_path):
    orders = {f"j{k}": "abcdefgh" for k in range(7)} | {"ünal": "hgfedcba"}
    orders["j1"], orders["j2"], orders["j3"] = "bacdefgh", "abdcefgh", "abcdfegh"
    file = table(tmp_path / "p.csv", orders)
    text = run("consensus", file, "--drop", "flagged", "--method", "rank_sum", "--resamples", "20")
    assert "1 of 8 judges dropped (who is flagged): ünal." in text
    found = json.loads(run("consensus", file, "--drop", "flagged", "--method", "rank_sum", "--format", "json"))
    rest = q.Orderings.from_orders({j: o for j, o in orders.items() if j != "ünal"})
    assert found["orders"][1]["order"] == q.consensus(rest, "rank_sum").findings[0].values[0]
    assert run("consensus", file, "--drop", "flagged", "--method", "rank_sum", "--format", "csv").count("\n") == 3
    out = tmp_path / "order.csv"
    run("consensus", file, "--drop", "flagged", "--method", "rank_sum", "--out", out)
    assert q.read(out).judges == ("rank_sum",)
    done = CliRunner().invoke(main, ["consensus", str(file), "--drop", "flagged", "--candidates", str(file)])
    assert "does not go with --candidates" in done.output


def test_flagged_judges_of_other_kinds():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=40)
    scores = {j: truth + 0.3 * rng.normal(size=40) for j in "abcde"} | {"z": rng.normal(size=40)}
    rows = [(j, i, float(v)) for j, values in scores.items() for i, v in enumerate(values)]
    panel = q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    found = without_outliers(panel, "alpha", resamples=0, permutations=0)
    assert found.dropped == ("z",)
    (_, before, after), *_ = found.pairs
    assert after.value > before.value


# -- a known truth ----------------------------------------------------------------------------------------------------


def test_voters_beside_the_truth():
    orders = ["abcd", "abdc", "dcba"]
    rows = [(j, i, k, c) for j, (o, c) in enumerate(zip(orders, (5, 3, 2), strict=True)) for k, i in enumerate(o, 1)]
    columns = ("judge", "item", "position", "count")
    panel = q.Orderings.build(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    found = against_truth(panel, q.Orderings.from_orders({"true": "abcd"}))
    assert dict(found.values) == {1.0: 5, 0.8: 3, -1.0: 2}
    assert found.mean.value == pytest.approx((5 + 0.8 * 3 - 2) / 10)
    assert found.mean.interval.low < found.mean.value < found.mean.interval.high
    with pytest.raises(q.InputError, match="has 2 rankings"):
        against_truth(panel, q.Orderings.from_orders({"a": "abcd", "b": "dcba"}))
    with pytest.raises(q.InputError, match="no judge can be compared with"):
        against_truth(panel, q.Orderings.from_orders({"true": "wxyz"}))
    with pytest.raises(q.InputError, match="no index of two rankings"):
        against_truth(panel, q.Orderings.from_orders({"true": "abcd"}), "support")


def test_items_that_only_the_truth_has_come_last():
    panel, true = q.Orderings.from_orders({"ann": "ab"}), q.Orderings.from_orders({"true": "axb"})
    assert against_truth(panel, true, "tau").judges[0][2] == 1.0
    assert against_truth(panel, true, "fagin_tau").judges[0][2] < 1.0


# -- content sets -----------------------------------------------------------------------------------------------------


def units():
    held = {"u1": "A B C", "u2": "A B", "u3": "C", "u4": "A"}
    said = {"x": "u1 u2", "y": "u3 u4", "z": "u1"}
    rows = [(t, u, i, int(u in said[i].split()), m) for t in ("t1", "t2") for i in said for u, m in held.items()]
    return dict(zip(("task", "unit", "item", "support", "models"), map(list, zip(*rows, strict=True)), strict=True))


def test_models_hold_sets_of_units_and_items_are_scored_by_the_frequent_ones(tmp_path):
    table = ContentUnits.build(units())
    judges, systems = as_sets(table)
    assert set(judges.judges) == set("ABC")
    assert set(systems.judges) == set("xyz")
    found = content_sets(table, "frequent_sets(min_sup=2)", resamples=20)
    by = {row["system"]: row["sets"] for row in found.rows()}
    # Frequent: {u1} of 3, {u2} and {u1, u2} of 2 each; weights items x judges: 3, 2, 4.
    assert by == pytest.approx({"x": 1.0, "z": 3 / 9, "y": 0.0})
    assert found.pyramid["x"] > found.pyramid["y"]
    assert found.tau > 0
    tuned = content_sets(table, "frequent_sets(min_sup=1|2, max_len=1|2)", tune=True, resamples=20)
    assert "settings chosen without the tasks" in tuned.text().replace("\n", " ")
    file = tmp_path / "units.csv"
    columns = units()
    lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    file.write_text("\n".join([",".join(columns), *lines]))
    models, said = tmp_path / "m.csv", tmp_path / "s.csv"
    out = run(
        "pyramid", "sets", file, "--method", "frequent_sets(min_sup=2)", "--models-out", models, "--systems-out", said
    )
    assert "pyramid score" in out
    assert "u1, u2" in run("patterns", models, "--sets", "--min-sup", "2")


def test_units_without_models_are_an_error():
    raw = {n: column for n, column in units().items() if n != "models"}
    with pytest.raises(q.InputError, match="no models are known"):
        as_sets(ContentUnits.build(raw))


def test_explained_sets_are_printed_as_sets(tmp_path):
    judges = table(tmp_path / "j.csv", {"a": "xy", "b": "yx", "c": "xyz"})
    lists = table(tmp_path / "l.csv", {"one": "zx"})
    out = run("quality", judges, lists, "--method", "frequent_sets", "--explain", "one")
    assert "frequent sets" in out
    assert "x, y" in out
    assert ">" not in out


def test_candidates_have_intervals():
    panel = simulate(judges=8, items=6, tasks=1, dispersion=0.5)
    from quorate.reports.candidates import evaluate_consensus

    found = evaluate_consensus(panel, {"good": [1, 2, 3, 4, 5, 6], "bad": [6, 5, 4, 3, 2, 1]})
    good, bad = found["good"], found["bad"]
    assert good.interval[0] < good.mean_tau < good.interval[1]
    assert (good.behind, good.behind_interval) == (0.0, None)
    assert bad.behind_interval[1] < 0
    assert bad.behind == pytest.approx(bad.mean_tau - good.mean_tau)
