"""Nested designs: means of means, the outermost unit drawn, answers turned to agreement among tasks, and top lists."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli.group import main
from quorate.errors import InputError, UnknownId
from quorate.formats.nesting import read_levels
from quorate.inference.task_means import nested, over_tasks
from quorate.inference.weights import bootstrap, stream
from quorate.panel.design import Values
from quorate.panel.nesting import among_tasks
from quorate.panel.nesting import nested as in_units

DATA = os.environ.get("QUORATE_DATA")
TOPICS = {"12": 15, "46": 15, "66": 15, "31": 11, "49": 11, "59": 11, "36": 21, "48": 21, "64": 21, "6": 18, "15": 18}
TOPICS |= {"30": 18}


def panel_of(orders):
    rows = [(t, j, i, k) for (t, j), order in orders.items() for k, i in enumerate(order, 1)]
    return q.Orderings.build(dict(zip(("task", "judge", "item", "position"), zip(*rows, strict=True), strict=True)))


def six_queries():
    rng = np.random.default_rng(1)
    return panel_of({(f"q{t}", f"j{j}"): rng.permutation(list("abcde")).tolist() for t in range(6) for j in range(3)})


UNITS = {"q0": "x", "q1": "x", "q2": "x", "q3": "y", "q4": "z", "q5": "z"}


def plain_mean(value, paths):
    """The slow twin: the mean of the means inside, level by level; what is undefined does not count."""
    if not paths[0]:
        return value[0]
    parts = {}
    for v, path in zip(value, paths, strict=True):
        parts.setdefault(path[0], []).append((v, path[1:]))
    means = [plain_mean(*map(list, zip(*rows, strict=True))) for rows in parts.values()]
    known = [m for m in means if not math.isnan(m)]
    return sum(known) / len(known) if known else math.nan


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from([0.0, 0.25, 1.0, math.nan])),
        min_size=1,
        max_size=9,
    )
)
def test_means_are_means_of_means(rows):
    value = [v for *_, v in rows]
    units = np.array([[a for a, _, _ in rows], [2 * a + b for a, b, _ in rows]])
    found = over_tasks(nested(Values(np.array([value]), {"task": np.arange(len(rows))}), units))[0, 0]
    paths = [(a, b, k) for k, (a, b, _) in enumerate(rows)]
    assert found == pytest.approx(plain_mean(value, paths), nan_ok=True)


def test_the_overall_value_follows_the_nesting_and_so_do_draws():
    panel = six_queries()
    inside = q.agreement(in_units(panel, "topic", UNITS), "tau_b")
    tau = dict(zip(inside["tau_b"].keys["task"], inside["tau_b"].values, strict=True))
    means = {u: np.mean([tau[t] for t in UNITS if UNITS[t] == u]) for u in "xyz"}
    assert inside["tau_b"].value == pytest.approx(np.mean(list(means.values())))
    assert inside["tau_b"].value != pytest.approx(q.agreement(panel, "tau_b")["tau_b"].value)
    assert {r["topic"]: pytest.approx(r["value"]) for r in inside.more["by_topic"]} == means
    assert inside["tau_b"].interval.over == "topics"


def test_tasks_of_a_unit_are_drawn_together():
    from quorate.inference.designs import DESIGNS

    panel = in_units(six_queries(), "topic", UNITS).by_name
    (design,) = DESIGNS["orderings"](panel, None)
    times = bootstrap(design, "tasks", 50, stream(0, "test")).tasks
    assert (times[:, 0] == times[:, 1]).all()
    assert (times[:, 4] == times[:, 5]).all()
    assert times[:, [0, 3, 4]].sum(axis=1).tolist() == [3] * 50


def test_balanced_nesting_leaves_values_as_they_are():
    panel = six_queries()
    pairs = {f"q{k}": f"u{k // 2}" for k in range(6)}
    assert q.agreement(in_units(panel, "topic", pairs), "tau_b")["tau_b"].value == pytest.approx(
        q.agreement(panel, "tau_b")["tau_b"].value
    )


def test_order_of_rows_does_not_matter():
    panel = in_units(six_queries(), "topic", UNITS)
    columns = panel.columns()
    order = np.random.default_rng(2).permutation(len(panel)).tolist()
    again = q.Orderings.build({n: [c[k] for k in order] for n, c in columns.items()})
    one, two = q.agreement(panel, "tau_b"), q.agreement(in_units(again, "topic"), "tau_b")
    assert one["tau_b"].interval == two["tau_b"].interval
    assert one.more["by_topic"] == two.more["by_topic"]


def test_scores_and_groupings_are_nested_too():
    rng = np.random.default_rng(0)
    rows = [
        (f"t{t}", j, f"t{t}{i}", int(rng.integers(5)), f"u{t // 2}") for t in range(6) for j in "abc" for i in "xyz"
    ]
    columns = dict(zip(("task", "judge", "item", "score", "set"), zip(*rows, strict=True), strict=True))
    found = q.agreement(in_units(q.Scores.build(columns), "set/task"), "alpha")
    assert found["alpha"].interval.over in ("sets", "items")
    columns["group"] = columns.pop("score")
    groups = q.agreement(in_units(q.Groupings.build(columns), "set"), "adjusted_rand")
    assert groups.findings[0].interval.over == "sets"
    assert len(groups.more["by_set"]) == 3 * len(groups.findings)


def test_among_tasks_holds_each_judge_against_himself():
    orders = {("q1", "ann"): "abc", ("q2", "ann"): "abc", ("q1", "bob"): "abc", ("q2", "bob"): "cba"}
    turned = among_tasks(in_units(panel_of(orders), "topic", {"q1": "flu", "q2": "flu"}))
    found = q.agreement(turned, "tau_b")["tau_b"]
    assert dict(zip(found.keys["task"], found.values, strict=True)) == {"flu ann": 1.0, "flu bob": -1.0}
    with pytest.raises(InputError, match="needs a nested design"):
        among_tasks(panel_of(orders))


def test_bad_nesting_is_told():
    panel = six_queries()
    with pytest.raises(UnknownId, match="no column 'topic'"):
        in_units(panel, "topic")
    with pytest.raises(InputError, match="none of the panel's tasks"):
        in_units(panel, "topic", {"other": 1})
    noted = in_units(panel, "topic", {"q1": 1, "q2": 1})
    assert "4 of 6 tasks are in no topic of the map and left aside" in noted.notes[0]
    rows = {"task": ["t", "t"], "judge": ["a", "b"], "item": ["x", "x"], "position": [1, 1], "set": ["u", "v"]}
    with pytest.raises(InputError, match="task 't' is in set 'u' and in 'v'"):
        in_units(q.Orderings.build(rows), "set")


def test_the_command_reads_a_map_or_a_column(tmp_path):
    q_file, units = tmp_path / "runs.csv", tmp_path / "topics.csv"
    q.write(six_queries(), q_file)
    units.write_text("topic,query\n" + "".join(f"{u},{t}\n" for t, u in UNITS.items()), encoding="utf-8")
    out = CliRunner().invoke(main, ["agreement", str(q_file), "--method", "tau_b", "--nested", str(units)])
    assert "95% CI (topics)" in out.output
    assert "By topic, most agreement by tau_b first" in out.output
    units.write_text("topic,query\nx,q1\ny,q1\n", encoding="utf-8")
    out = CliRunner().invoke(main, ["agreement", str(q_file), "--nested", str(units)])
    assert "task 'q1' is in 'x' already" in out.output + str(out.exception)


def test_compared_panels_are_paired_by_unit():
    one, two = in_units(six_queries(), "topic", UNITS), in_units(six_queries(), "topic", UNITS)
    (found,) = q.compare({"a": one, "b": two}, "tau_b")["tau_b"]
    assert found.value == 0
    assert found.labels["test"] == "paired"


def test_top_lists_are_read(tmp_path):
    for team in ("Xu", "Y_Z"):
        (tmp_path / f"TOP20_{team}_EN.dat").write_text("a b c\nb a\n", encoding="utf-8")
    panel = q.read(*sorted(tmp_path.glob("*.dat")))
    assert (panel.judges, panel.tasks, panel.absent) == (("Xu", "Y_Z"), ("1", "2"), "below")
    assert q.read(tmp_path / "TOP20_Xu_EN.dat", skip="2").tasks == ("1", "3")
    (tmp_path / "TOP20_Xu_EN.dat").write_text("a b a\n", encoding="utf-8")
    with pytest.raises(InputError, match="twice in one list"):
        q.read(tmp_path / "TOP20_Xu_EN.dat")


def test_66_lines_of_a_top_20_are_clefs(tmp_path):
    (tmp_path / "TOP20_Xu_EN.dat").write_text("a b c\n" * 66, encoding="utf-8")
    panel = q.read(tmp_path / "TOP20_Xu_EN.dat")
    assert panel.tasks[60:63] == ("61", "63", "64")
    assert panel.reading.guesses[0].option == "--input-option skip=62"


@pytest.mark.skipif(not DATA, reason="needs QUORATE_DATA")
def test_topics_of_the_paper():
    files = sorted(Path(DATA, "consensus-papers", "top20_CLEFeHealth_data").glob("*.dat"))
    panel = q.read(*files, nested=TOPICS, among="tasks")
    found = q.agreement(panel, "support(q=2, gamma=0.9, lam=0.9)", resamples=0, permutations=0)
    by = {r["topic"]: (r["kappa1"], r["value"]) for r in found.more["by_topic"]}
    assert by["15"] == (pytest.approx(0.442, abs=5e-4), pytest.approx(0.370, abs=5e-4))
    assert by["11"] == (pytest.approx(0.327, abs=5e-4), pytest.approx(0.178, abs=5e-4))
    assert all(by[t][1] < 0.01 for t in ("21", "18"))


def test_a_map_of_several_levels(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text("task,topic,team\nq1,t1,x\nq2,t1,x\nq3,t2,x\nq4,t3,y\n", "utf-8")
    assert list(read_levels(str(path))) == ["team", "topic"]  # the outermost first, wherever it stands
    orders = {f"q{k}": {"ann": "abc", "bob": "acb"} for k in range(1, 5)}
    rows = [(t, j, i, k) for t, by in orders.items() for j, o in by.items() for k, i in enumerate(o, 1)]
    table = tmp_path / "panel.csv"
    table.write_text("task,judge,item,position\n" + "".join(f"{','.join(map(str, r))}\n" for r in rows), "utf-8")
    assert q.read(table, nested=str(path)).nesting == ("team", "topic")
    path.write_text("task,topic,team\nq1,t1,x\nq1,t2,x\nq2,t1\n", "utf-8")
    with pytest.raises(q.InputError, match="line 3: task 'q1' is in topic 't1' already") as told:
        q.read(table, nested=str(path))
    assert "line 4: 3 cells are needed" in str(told.value)


def test_that_intervals_of_counts_over_topics_are_too_narrow_is_said():
    rows = [(f"q{t}", f"t{t // 2}", j, i, p) for t in range(8) for j in "abc" for p, i in enumerate("xyz", 1)]
    columns = dict(zip(("task", "topic", "judge", "item", "position"), map(list, zip(*rows, strict=True)), strict=True))
    columns["position"][0], columns["position"][1] = 2, 1
    panel = q.read(columns, nested="topic")
    said = " ".join(q.agreement(panel, "kappa", "tau_b", resamples=30, permutations=0).notes)
    assert "kappa: intervals over topics are too narrow" in said
    assert "tau_b: intervals" not in said
