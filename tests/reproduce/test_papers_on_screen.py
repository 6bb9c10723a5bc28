"""What the papers print, as commands do: outliers by both bounds, curves, candidates, ratios, what is left out."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.groupings.judges import compare
from quorate.inference.estimate import Estimate
from quorate.orderings import kappa
from quorate.reports.candidates import with_candidates
from quorate.summaries.units.made_up import MadeUp
from quorate.surfaces import NO_AXIS, Surface, surface

EXAMPLE = {"r1": "abcdef", "r2": "bcdefa", "r3": "bdaghf", "r4": "bacdfe"}  # Example 1 of q-support
NEAR, FAR = {"x": "abcde", "y": "abcde"}, {"x": "abcdef", "y": "fedcba"}


def write(path, orders, judge="judge"):
    rows = [(name, item, k) for name, order in orders.items() for k, item in enumerate(order, 1)]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([(judge, "item", "position"), *rows])
    return str(path)


def run(*words):
    done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def line(text, start):
    return next(words for row in text.splitlines() if (words := row.split()) and words[0] == start)


# -- q-support ---------------------------------------------------------------------------------------------------------


def test_shares_of_items_are_not_called_pairs(tmp_path):
    file = write(tmp_path / "p.csv", EXAMPLE)
    said = run("agreement", file, "--method", "support(q=3)", "--method", "support(q=3, part=items)", "--resamples", 0)
    said = " ".join(said.split())
    assert "Of a ranking's ordered pairs, 60% are shared by at least 3 judges" in said
    assert "Of a ranking's items, 92% are shared by at least 3 judges" in said
    assert "discounted" not in said
    said = " ".join(run("agreement", file, "--method", "support(q=3, lam=0.5)", "--resamples", 0).split())
    assert "once differing gaps are discounted" in said


def test_what_most_share_of_all_rankings_is_the_union_of_what_they_share_of_each(tmp_path):
    file = write(tmp_path / "p.csv", EXAMPLE)
    words = ("agreement", file, "--show", "supported", "--method", "support(q=3)")
    found = json.loads(run(*words, "--format", "json"))[0]
    assert {row["item"] for row in found["items"]} == set("abcdef")  # S1(3) and S2(3) of the paper's Example 1
    pairs = {"".join(row["pair"]) for row in found["pairs"]}
    assert pairs == {"".join(row["pair"]) for judge in found["judges"] for row in judge["pairs"]}
    assert pairs == {"af", "ba", "bc", "bd", "be", "bf", "cd", "ce", "cf", "de", "df"}
    assert (round(found["kappa1"], 2), round(found["kappa2"], 2)) == (0.92, 0.6)
    assert "all rankings" in run(*words)


def test_an_outlier_is_shown_by_both_deviations_and_called_one(tmp_path):
    file = write(tmp_path / "p.csv", EXAMPLE)
    text = run("judges", file, "--method", "support_outliers(q=3, eps1=0.2)", "--resamples", 0)
    assert "Outlier by the bounds of support_outliers: r3." in " ".join(text.split())
    text = text.partition("by judge")[2]
    assert "flagged" not in text  # by the paper's rule, not by ours
    assert line(text, "judge") == ["judge", "v2", "v1", "outlier"]
    assert line(text, "r3") == ["r3", "-0.444", "-0.273", "yes"]  # (0.33 - 0.6) / 0.6 and (0.67 - 0.92) / 0.92
    assert line(text, "r1") == ["r1", "0.111", "0.091"]


def test_agreement_without_the_outliers_of_ones_own_bounds(tmp_path):
    file = write(tmp_path / "p.csv", EXAMPLE)
    words = ("agreement", file, "--method", "support(q=3, part=items)", "--resamples", 0, "--format", "json")
    found = json.loads(run(*words, "--drop", "support_outliers(q=3, eps1=0.2)"))
    assert found["dropped"] == ["r3"]
    assert [found["figures"][0][when]["value"] for when in ("before", "after")] == [pytest.approx(11 / 12), 1]
    assert json.loads(run(*words, "--without-outliers"))["dropped"] == []  # by the usual bounds nobody


def test_a_ratio_stands_beside_a_difference_where_agreement_begins_at_0(tmp_path):
    one, two = write(tmp_path / "one.csv", EXAMPLE), write(tmp_path / "two.csv", {**EXAMPLE, "r3": "bacdef"})
    words = ("compare", one, two, "--resamples", 0, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--method", "tau_b", "--method", "support(q=3)"))))
    assert [row["method"] for row in rows] == ["tau_b", "support(q=3)"]
    assert rows[0]["ratio"] == ""
    assert float(rows[1]["ratio"]) == pytest.approx(float(rows[1]["second"]) / float(rows[1]["first"]))


def test_no_empty_table_where_two_groups_share_no_judge(tmp_path):
    one, two = (write(tmp_path / f"{k}.csv", {f"{k}{n}": o for n, o in EXAMPLE.items()}) for k in "ab")
    text = run("compare", one, two, "--question", "judges", "--method", "peer_correlation", "--resamples", 0)
    assert "nothing to compare" in text
    assert "Differences" not in text


def test_units_have_one_column_for_each_figure_whatever_its_values():
    rows = [
        ("flu", "q1", "ann", "abc"),
        ("flu", "q2", "ann", "abd"),
        ("rash", "q3", "ann", "abc"),
        ("rash", "q4", "ann", "xyz"),
        ("rash", "q3", "bob", "abc"),
        ("rash", "q4", "bob", "xyz"),
    ]
    flat = [(u, t, j, i, k) for u, t, j, order in rows for k, i in enumerate(order, 1)]
    columns = dict(zip(("topic", "task", "judge", "item", "position"), map(list, zip(*flat, strict=True)), strict=True))
    panel = q.read(columns, nested="topic/task", among="tasks")
    text = q.agreement(panel, "support(q=2, gamma=0.9, part=items)", resamples=0, permutations=0).text(120)
    assert line(text, "topic").count("kappa2") == 1
    assert any("judges here are the tasks of a topic" in note for note in panel.notes)


# -- Kappa -------------------------------------------------------------------------------------------------------------


def test_the_graph_has_the_weights_of_items_and_pairs(tmp_path):
    orders = {"r1": "abcdef", "r2": "bdcefa", "r3": "bcdeghijkf", "r4": "badefc"}  # the paper's motivating example
    file, chosen = write(tmp_path / "p.csv", orders), "kappa(gamma=0.9, lam=0.9)"
    found = json.loads(run("agreement", file, "--show", "graph", "--method", chosen, "--format", "json"))[0]
    pairs = {row["from"] + row["to"]: row["weight"] for row in found["pairs"]}
    assert set(pairs) == {"bc", "bd", "be", "bf", "de", "df", "ef"}
    assert pairs["bc"] == pytest.approx(0.9 ** (9 / 4))  # gaps 1, 2, 1, 5
    assert pairs["bf"] == pytest.approx(0.9 ** (21 / 4))  # gaps 4, 4, 9, 4
    assert '"b" -> "f" [label="0.575"];' in run("agreement", file, "--show", "graph", "--method", chosen)
    lone = write(tmp_path / "lone.csv", {"x": "ab", "y": "ba"})
    assert run("agreement", lone, "--show", "graph") == 'digraph "all" {\n  "a";\n  "b";\n}\n'


@given(
    st.lists(st.permutations("abcde").map(lambda o: o[:4]), min_size=1, max_size=4),
    st.sampled_from([1.0, 0.8]),
    st.sampled_from(["power", "gaussian", "linear"]),
)
def test_kappa_1_and_kappa_2_are_the_sums_of_the_graphs_weights(orders, discount, family):
    found = kappa(orders, discount, discount, theta=family, psi=family, p=0.9)
    items, pairs = found.weighted_graph()
    sums = [sum(items.values()), sum(pairs.values())]
    assert sums == pytest.approx([*map(float, found.by_length), 0, 0][:2])


def test_a_curve_is_a_method_over_one_number_of_any_panels():
    panels = {name: q.Orderings.from_orders(o) for name, o in (("near", NEAR), ("far", FAR), ("one", EXAMPLE))}
    found = surface(panels, "kappa(length=1, gamma=1|0.5)", parameters=1, resamples=0)
    assert found.curve
    assert [found.at("far", g).value for g in (1, 0.5)] == [6, pytest.approx(2 * (0.5**2.5 + 0.5**1.5 + 0.5**0.5))]
    assert line(found.text(), "gamma") == ["gamma", "near", "far", "one"]
    assert {"panel", "gamma", "value", "low", "high"} == set(found.rows()[0])
    assert found.picture().form == "curves"


def test_two_curves_cross_where_the_paper_looks_for_it():
    found = surface(
        {"near": q.Orderings.from_orders(NEAR), "far": q.Orderings.from_orders(FAR)}, "kappa(length=1)", parameters=1
    )
    assert found.down[0] == "gamma"
    assert [row["gamma"] for row in found.crossings] == [[0.9, 0.85]]  # 2 (g^2.5 + g^1.5 + g^0.5) is 5 there
    assert "is a matter of gamma, crossing between 0.9 and 0.85." in " ".join(found.text().split())


def test_panels_that_meet_in_a_value_cross_there():
    same = {"x": "abcdef", "y": "abcdef"}
    panels = {"far": q.Orderings.from_orders(FAR), "same": q.Orderings.from_orders(same)}
    found = surface(panels, "kappa(length=1, gamma=1|0.5)", parameters=1, resamples=0)  # 6 both, then same is above
    assert not found.crossings
    assert "same is above far in 1 of 2 values." in found.text()
    alike = surface({"a": panels["far"], "b": panels["far"]}, "kappa(length=1, gamma=1|0.5)", parameters=1, resamples=0)
    assert "Neither a nor b is above the other." in alike.text()
    values = (1.0, 0.0, math.nan, -1.0)
    made = Surface("orderings", found.method, ("gamma", (1, 0.9, 0.8, 0.7)), NO_AXIS, {}, tuple(map(Estimate, values)))
    assert [row["gamma"] for row in made.crossings] == [[1, 0.7]]


def test_what_a_curve_is_over_unless_told():
    panel = q.Orderings.from_orders(EXAMPLE)
    assert surface(panel, "kappa(length=2)", parameters=1, resamples=0).down[0] == "lam"  # gamma does nothing there
    assert surface(panel, "rbo", parameters=1, resamples=0).down[0] == "p"
    with pytest.raises(q.BadParameter, match="tau has none to vary"):
        surface(panel, "tau", parameters=1)
    with pytest.raises(q.BadParameter, match="2 parameters have several values"):
        surface(panel, "kappa(gamma=1|0.5, lam=1|0.5)", parameters=1)


def test_candidates_are_added_to_the_judges_one_at_a_time(tmp_path):
    judges, orders = write(tmp_path / "judges.csv", FAR), write(tmp_path / "c.csv", {"GA": "abcdef", "CE": "cbadef"})
    found = json.loads(run("consensus", judges, "--candidates", orders, "--show", "curve", "--format", "json"))
    rows = {(row["panel"], row["gamma"]): row for row in found["surface"]}
    assert [rows[name, 1]["value"] for name in ("GA", "CE", "difference")] == [6, 6, 0]
    assert rows["GA", 1]["low"] is None  # a candidate is not drawn
    alone = CliRunner().invoke(main, ["consensus", judges, "--show", "curve"])
    assert alone.exit_code == 2
    with pytest.raises(q.InputError, match="which no judge ranked"):
        with_candidates(q.Orderings.from_orders(FAR), {"GA": "abz"})


def test_candidates_of_several_tasks_join_their_own():
    panel = q.Orderings.from_orders({"t": {"ann": "abc", "bob": "acb"}, "u": {"ann": "xyz", "bob": "xyz"}})
    added = with_candidates(panel, q.Orderings.from_orders({"t": {"new": "cba"}}))["new"]
    assert added.orders("t")["candidate new"] == [["c"], ["b"], ["a"]]
    assert "candidate new" not in added.orders("u")


# -- FreSPA ------------------------------------------------------------------------------------------------------------


def test_a_sweep_is_shown_whole_when_asked_and_says_what_lengths_are(tmp_path):
    file = write(tmp_path / "p.csv", {f"j{k}": o for k, o in enumerate(("abcd", "abdc", "bacd", "abcd"))})
    words = ("trust", file, "--method", "sweep(repeats=1)", "--resamples", 0)
    assert "(20 of 35)" in run(*words)
    text = run(*words, "--rows", 35)
    assert len([row for row in text.splitlines() if row.startswith("min_sup")]) == 1 + 5  # its span, and its settings
    assert "0 is two items" in text


# -- Clusters ----------------------------------------------------------------------------------------------------------


def test_what_two_judges_both_leave_out_is_counted():
    rows = [
        ("ann", "a", 1),
        ("ann", "b", 1),
        ("ann", "c", ""),
        ("bob", "a", 1),
        ("bob", "b", ""),
        ("cat", "d", 1),
        ("cat", "a", 1),
    ]
    columns = dict(zip(("judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True))
    found = compare(q.Groupings.build(columns), "ann", "bob")
    assert (found.tasks["all"].unused, found.tasks["all"].items) == (2, 4)  # c, and d that only cat has
    assert "Both leave out 2 items of 4." in found.text()


def test_the_sheet_has_room_for_all_that_is_checked(tmp_path):
    (tmp_path / "items.csv").write_text("item,text\na,One.\n", encoding="utf-8")
    assert "| item | text | group | label | importance |" in run("sheet", "-", "--items", tmp_path / "items.csv")
    assert "| item | text | group | label |\n" in run(
        "sheet", "-", "--profile", "cards", "--items", tmp_path / "items.csv"
    )


def test_judges_left_out_in_turn_are_no_saving():
    panel = q.Groupings.from_groups(
        {"a": {"x": 1, "y": 1, "z": 2}, "b": {"x": 1, "y": 2, "z": 2}, "c": {"x": 1, "y": 1, "z": 2}}
    )
    found = q.agreement(panel, "v_beta")
    assert found["v_beta"].interval is not None
    assert not [note for note in found.notes if "resamples" in note]


# -- Assessors ---------------------------------------------------------------------------------------------------------


def test_rouge_of_a_campaigns_year_goes_into_the_metrics(tmp_path):
    MadeUp(topics=3, systems=4, documents=1).write(tmp_path / "tac")
    year, out = tmp_path / "tac" / "2009", tmp_path / "rouge.csv"
    run("rouge", year, "--rouge", "2", "--format", "csv", "--out", out)
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 * 4  # two tasks a topic
    assert 0 < max(float(row["ROUGE-2_R"]) for row in rows) < 1
    done = CliRunner().invoke(main, ["rouge", str(year), "--list", "SPL"])
    assert done.exit_code == 2
    done = CliRunner().invoke(main, ["rouge", str(tmp_path / "tac")])
    assert done.exit_code == 2
    assert "give one of them: 2009, 2010, 2011" in done.output


def test_a_file_for_each_task_is_how_preflib_is_written(tmp_path):
    (tmp_path / "p.csv").write_text("task,judge,item,position\nt,a,x,1\nt,a,y,2\nu,a,x,1\nu,a,y,2\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["convert", str(tmp_path / "p.csv"), str(tmp_path / "p.soc")])
    assert "{task}" in done.output
    run("convert", tmp_path / "p.csv", tmp_path / "{task}.soc")
    assert {p.name for p in tmp_path.glob("*.soc")} == {"t.soc", "u.soc"}


def test_the_help_of_compare_names_a_command_that_runs():
    assert "`quorate table`" in run("compare", "--help")
    assert "`quorate table --question trust`" in " ".join(run("trust", "--help").split())
