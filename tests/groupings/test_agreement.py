"""Agreement of groupings: every two judges, random clusterings, what most put together, and how the answer looks."""

from __future__ import annotations

import itertools
import json
import math
import random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table, verbs
from quorate.cli import main
from quorate.errors import InputError
from quorate.groupings import MEASURES, q_support, together
from quorate.inference.engine import Figures
from quorate.inference.results import Options
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.partitions import WAYS, partitions
from tests.reference import groupings as plain

METHODS = list(table.declarations("groupings", "agreement"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)
JUDGES = {
    "ann": {"x": 1, "y": 1, "z": 2, "w": 2, "u": None},
    "bob": {"x": 1, "y": 1, "z": 1, "w": 2, "u": 2},
    "cat": {"x": 3, "y": 4, "z": 4, "w": None, "u": None},
}


@st.composite
def panels(draw, tasks=(1, 2), judges=(2, 4), items=(2, 6)):
    out = {}
    for t in range(draw(st.integers(*tasks))):
        names = [f"i{k}" for k in range(draw(st.integers(*items)))]
        out[f"t{t}"] = {
            f"j{j}": {i: draw(st.sampled_from(["a", "b", "c", None])) for i in names}
            for j in range(draw(st.integers(*judges)))
        }
    return out


def ask(groups, *methods, **how):
    panel = groups if isinstance(groups, q.Groupings) else q.Groupings.from_groups(groups)
    return q.agreement(panel, *methods, **{"permutations": 0, "resamples": 20, **how})


# -- against the plain reference ---------------------------------------------------------------------------------------


@given(groups=panels(tasks=(1, 1), judges=(2, 5)), way=st.sampled_from(WAYS))
def test_attainable_agreement_is_a_share_of_what_sizes_allow(groups, way):
    (judges,) = groups.values()
    (finding,) = ask(groups, f"attainable_rand(left_out={way})", resamples=0).findings
    assert finding.values[0] == pytest.approx(plain.attainable_rand(list(judges.values()), way), abs=1e-9, nan_ok=True)
    without = GroupingDesign.of(q.Groupings.from_groups(groups)).without_each(finding.method)[0]
    for k, judge in enumerate(sorted(judges)):
        rest = [g for j, g in judges.items() if j != judge]
        wanted = plain.attainable_rand(rest, way) if len(rest) > 1 else math.nan
        assert without[k] == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_groups_inside_groups_agree_as_much_as_can_be():
    coarse, fine = dict(zip("abcdefgh", "11112222", strict=True)), dict(zip("abcdefgh", "11223344", strict=True))
    found = ask({"ann": coarse, "bob": fine}, "attainable_rand", "adjusted_rand", resamples=0)
    assert found.findings[0].values[0] == 1.0
    assert found.findings[-1].values[0] < 0.5


@pytest.mark.parametrize("name", MEASURES)
@given(groups=panels(), way=st.sampled_from(WAYS))
def test_every_pair_is_compared_both_ways(name, groups, way):
    found = ask(groups, f"{name}(left_out={way})", copies="apart").to_dict()
    seen = {}
    for r in found["results"]:
        a, b = r["pair"]
        wanted = plain.measure(name, groups[r["task"]][a], groups[r["task"]][b], way)
        assert (math.nan if r["value"] is None else r["value"]) == pytest.approx(wanted, abs=1e-12, nan_ok=True)
        seen[r["task"], a, b] = wanted
    for task, judges in groups.items():
        for a, b in itertools.combinations(judges, 2):
            assert (task, a, b) in seen
            same = (task, b, a) not in seen
            assert same == MEASURES[name].symmetric(table.parse(name, "groupings", "agreement").parameters)


@given(groups=panels(judges=(2, 4)), need=st.integers(1, 3), way=st.sampled_from(WAYS))
def test_together_is_its_definition(groups, need, way):
    found = ask(groups, f"together(q={need}, left_out={way})")
    rows = {r["task"]: r for r in found.more["by_task"]}
    for task, judges in groups.items():
        of_items, of_pairs, mean = plain.together(list(judges.values()), need, way)
        assert rows[task]["value"] == pytest.approx(mean, nan_ok=True)
        assert [r["kappa1"] for r in rows[task]["individual"]] == pytest.approx(of_items, nan_ok=True)
        assert [r["kappa2"] for r in rows[task]["individual"]] == pytest.approx(of_pairs, nan_ok=True)


def test_with_very_many_items_together_is_estimated_from_some_pairs(monkeypatch):
    groups = made(judges=5, items=300, groups=20)
    exact = {r["method"]: r for r in ask(groups, "together").more["by_task"]}
    monkeypatch.setattr("quorate.groupings.q_support.ITEMS", 100)
    found = ask(groups, "together")
    for r in found.more["by_task"]:
        assert r["value"] == pytest.approx(exact[r["method"]]["value"], abs=0.02)
        assert r["kappa1"] == exact[r["method"]]["kappa1"]
    assert any("drawn at random" in n for n in found.notes)


def test_of_many_judges_fewer_pairs_are_drawn_and_the_note_says_how_many(monkeypatch):
    rng = np.random.default_rng(4)
    truth = rng.integers(3, size=30)
    labels = np.where(rng.random((60, 30)) < 0.2, rng.integers(3, size=(60, 30)), truth)
    groups = {f"j{k}": dict(enumerate(row.tolist())) for k, row in enumerate(labels)}
    exact = ask(groups, "together(left_out=bucket)").findings[0].overall[0].value
    monkeypatch.setattr(q_support, "ITEMS", 20)
    monkeypatch.setattr(q_support, "CELLS", 10**6)
    assert q_support.sample(60) == 277  # pairs of each judge, looked up with 60 judges, make a million
    answer = ask(groups, "together(left_out=bucket)")
    assert answer.findings[0].overall[0].value == pytest.approx(exact, abs=0.01)
    assert any("from 277 pairs of each judge" in note for note in answer.notes)


def test_together_of_one_task_lists_the_supported_pairs():
    found = together(JUDGES, q=2)
    assert found.pairs == {("x", "y"): 2, ("y", "z"): 2}
    assert found.q == 2
    assert found.individual["cat"] == (1.0, 1.0)  # x, y, z used by all; the pair y, z shared with bob
    with pytest.raises(InputError, match="one task"):
        together(q.Groupings.from_groups({"s": JUDGES, "t": JUDGES}))


@given(groups=panels(judges=(1, 4)), name=st.sampled_from(["v_beta", "v_half", "adjusted_rand"]))
def test_the_mean_of_two_judges_over_tasks_is_that_of_their_rows(groups, name):
    found = ask(groups, name)
    rows = {}
    for r in found.to_dict()["results"]:
        if r["value"] is not None:
            figures = (r["value"], *(r["details"][name] for name in ("chance", "p_holm")))
            rows.setdefault((r["method"], *r["pair"]), []).append(figures)
    if len(groups) == 1:
        assert "by_pair" not in found.more  # the rows are there
        return
    defined = {(r["method"], *r["pair"]): r for r in found.more.get("by_pair", []) if r["tasks"]}
    assert defined.keys() == rows.keys()
    for key, r in defined.items():
        values, chances, adjusted = zip(*rows[key], strict=True)
        assert r["tasks"] == len(values)
        assert r["value"] == pytest.approx(np.mean(values))
        known = [c for c in chances if c is not None]
        assert r["chance"] == pytest.approx(np.mean(known) if known else math.nan, nan_ok=True)
        beyond = [v - c for v, c in zip(values, chances, strict=True) if c is not None]
        assert r["more_than_chance"] == sum(x > 0 for x in beyond)
        assert r["no_more_than_chance"] == sum(x <= 0 for x in beyond)
        assert r["significant"] == sum(p is not None and p <= 0.05 for p in adjusted)


def test_what_the_sentence_on_pairs_says_is_in_the_rows_by_pair():
    off = {"ann": "aabbccdd", "bob": "aabbccdd", "cat": "aabbccdd", "dan": "abababab"}
    groups = {f"t{k}": {j: dict(zip("stuvwxyz", g, strict=True)) for j, g in off.items()} for k in range(3)}
    found = verbs.ask("agreement", q.Groupings.from_groups(groups), ("v_beta",), Options(copies="apart"))
    rows = [r for r in found.more["by_pair"] if r["method"] == "v_beta(left_out=bucket)"]
    below = [r["pair"] for r in rows if r["no_more_than_chance"]]
    assert below == [["ann", "dan"], ["bob", "dan"], ["cat", "dan"]]
    assert {r["no_more_than_chance"] + r["more_than_chance"] for r in rows} == {3}
    said = "In 9 of 18 comparisons of two judges on a task they agree no more than random clusterings do, most often"
    assert any(s.startswith(f"{said} ann-dan (3 times), bob-dan (3), cat-dan (3)") for s in found.sentences)


def test_the_overall_figure_is_the_mean_over_tasks_of_the_mean_over_pairs():
    groups = {"s": JUDGES, "t": {j: JUDGES[j] for j in ("ann", "bob")}}
    found = ask(groups, "v_half(left_out=bucket)")
    by = {}
    for r in found.to_dict()["results"]:
        by.setdefault(r["task"], []).append(r["value"])
    means = [sum(v) / len(v) for v in by.values()]
    assert found.findings[0].overall[0].value == pytest.approx(sum(means) / 2)
    assert [r["value"] for r in found.more["by_task"]] == pytest.approx(means)


# -- chance ------------------------------------------------------------------------------------------------------------


def made(judges=6, items=30, groups=5, noise=0.3, seed=0):
    rnd = random.Random(seed)
    truth = [rnd.randrange(groups) for _ in range(items)]
    return {
        f"j{j}": {i: g if rnd.random() > noise else rnd.randrange(groups) for i, g in enumerate(truth)}
        for j in range(judges)
    }


def test_judges_who_agree_beat_chance_and_adjusted_measures_give_0_by_chance():
    found = ask(made(), "v_beta", "nvi", "adjusted_rand", "adjusted_mutual_information", "together", permutations=1000)
    for f in found.findings:
        assert f.overall[0].chance.p <= 0.001, str(f.method)
    for name in ("adjusted_rand", "adjusted_mutual_information"):
        assert abs(found[name].overall[0].chance.value) < 0.02
    assert found["nvi"].overall[0].chance.value > found["nvi"].overall[0].value  # a distance: less is better
    assert sum(p <= 0.05 for p in found["v_beta"].details["p_value"]) >= 13  # of 15 pairs


@pytest.mark.parametrize("sizes", [pytest.param((5,), marks=pytest.mark.long), (2, 3, 9)], ids=["alike", "different"])
def test_of_judges_who_answer_at_random_one_panel_in_ten_has_p_below_a_tenth(sizes):
    p = []
    for seed in range(40):
        rnd = random.Random(1000 + seed)
        groups = {j: {i: rnd.randrange(sizes[j % len(sizes)]) for i in range(15)} for j in range(6)}
        found = ask(groups, "v_beta(left_out=singletons)", permutations=50)
        p.append(found.findings[0].overall[0].chance.p)
    assert 1 <= sum(x <= 0.1 for x in p) <= 10
    assert 0.35 < sum(p) / len(p) < 0.65


def test_a_pair_is_held_against_its_own_judges_with_random_clusterings():
    groups = made(judges=3)
    groups["odd"] = {i: i % 2 for i in range(30)}
    found = ask(groups, "adjusted_rand(left_out=singletons)", permutations=200).to_dict()
    p = {tuple(r["pair"]): r["details"]["p_value"] for r in found["results"]}
    assert max(v for k, v in p.items() if "odd" not in k) <= 0.05
    assert max(v for k, v in p.items() if "odd" in k) > 0.05


# -- what every method promises ----------------------------------------------------------------------------------------


@every
def test_the_text_form_always_says_what_left_out_items_are(declared):
    method = table.Method(declared)
    assert "left_out=singletons" in str(method)
    again = table.parse(str(method), "groupings", "agreement")
    assert again.parameters == method.parameters
    assert str(table.parse(declared.signature, "groupings", "agreement")) == str(method)


@every
def test_a_method_comes_with_singletons_and_with_a_bucket_unless_one_is_named(declared):
    found = ask(JUDGES, declared.name)
    assert [f.method["left_out"] for f in found.findings] == ["singletons", "bucket"]
    assert len(ask(JUDGES, f"{declared.name}(left_out=common)").findings) == 1


@given(groups=panels(tasks=(1, 1), judges=(3, 4)), seed=st.integers(0, 10))
def test_the_order_of_judges_and_items_does_not_matter(groups, seed):
    rnd = random.Random(seed)
    task = groups["t0"]
    names = list(task)
    rnd.shuffle(names)
    items = list(next(iter(task.values())))
    rnd.shuffle(items)
    mixed = {j: {i: task[j][i] for i in items} for j in names}
    one, two = (ask(g, *(d.name for d in METHODS)).findings for g in (task, mixed))
    assert {f.method.name for f in one} == {d.name for d in METHODS}
    for first, second in zip(one, two, strict=True):
        found = [f.overall[0].value for f in (first, second)]
        assert found[0] == pytest.approx(found[1], abs=1e-12, nan_ok=True), first.method


@pytest.mark.parametrize(
    "groups",
    [
        {"a": {"x": 1}},
        {"a": {"x": 1}, "b": {"x": 1}},
        {"a": {"x": 1, "y": 1}, "b": {"x": 2, "y": 2}, "c": {"x": 1, "y": 1}},
        {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}, "c": {"x": 1, "y": 2}},
        {"a": {"x": None, "y": None}, "b": {"x": 1, "y": 2}, "c": {"x": 1, "y": 1}},
        {"a": {"x": None}, "b": {"x": None}},
        {"a": {"x": 1, "y": 1}, "b": {"z": 1, "w": 1}},
        {"s": {"a": {"x": 1}}, "t": {"b": {"y": 1}, "c": {"y": 1}}},
    ],
    ids=[
        "one judge",
        "one item",
        "one cluster",
        "singletons",
        "left out all",
        "nothing",
        "none in common",
        "two tasks",
    ],
)
def test_degenerate_panels_give_a_number_or_nothing_and_never_an_error(groups):
    for way in WAYS:
        found = ask(groups, *(f"{d.name}(left_out={way})" for d in METHODS), permutations=5)
        for finding, declared in zip(found.findings, METHODS, strict=True):
            low, high = declared.range
            for value in [*finding.values, finding.overall[0].value]:
                assert math.isnan(value) or low - 1e-12 <= value <= high, finding.method
        json.loads(found.to_json())
        assert found.text()


def test_the_same_seed_gives_the_same_bytes_and_another_method_changes_nothing():
    groups = {"s": made(judges=3), "t": made(judges=4, seed=1)}
    one, two = (ask(groups, permutations=20, seed=5).to_json() for _ in range(2))
    assert one == two
    assert one != ask(groups, permutations=20, seed=6).to_json()
    alone = ask(groups, "nvi", permutations=20, seed=5).to_dict()
    rows = [r for r in json.loads(one)["results"] if r["method"].startswith("nvi")]
    assert rows == alone["results"]


# -- the answer --------------------------------------------------------------------------------------------------------


def test_the_json_has_the_contract():
    found = json.loads(ask({"s": JUDGES}, permutations=20).to_json())
    for r in found["results"]:
        if r["method"].startswith("together"):  # of all judges at once: a row per task
            assert set(r) == {"task", "method", "value", "details"}
            continue
        assert set(r) == {"task", "pair", "method", "value", "details"}
        assert len(r["pair"]) == 2
        assert set(r["details"]) == {"chance", "p_value", "p_holm", "items"}
    assert {o["method"] for o in found["overall"]} >= {"v_beta(left_out=singletons)", "v_beta(left_out=bucket)"}
    for o in found["overall"]:
        assert {"value", "interval", "interval_by", "chance", "p_value"} <= set(o)
        assert (o["mean"], o["baseline"]) == (o["value"], o["chance"])
    assert found["description"][0] == {
        "task": "s",
        "judge": "ann",
        "used": 4,
        "clusters": 2,
        "per_cluster": 2.0,
        "left_out": pytest.approx(0.2),
    }


def test_of_one_task_the_interval_is_over_judges_of_several_over_tasks():
    one = ask({"s": made()}, "v_beta").findings[0].overall[0]
    assert one.interval.by == "judges"
    assert one.interval.low < one.value < one.interval.high
    two = ask({"s": made(), "t": made(seed=1)}, "v_beta").findings[0].overall[0]
    assert two.interval.by == "tasks"
    assert ask({"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 2}}, "v_beta").findings[0].overall[0].interval is None


def test_repeats_of_a_judge_are_a_figure_of_their_own():
    rows = {"task": ["t"] * 12, "judge": ["a"] * 8 + ["b"] * 4, "item": list("wxyz") * 3}
    rows |= {"group": [1, 1, 2, 2, 1, 2, 1, 2, 1, 1, 2, 2], "occasion": [1] * 4 + [2] * 4 + [1] * 4}
    found = ask(q.Groupings.build(rows), "rand(left_out=singletons)")
    assert found.findings[0].values == [1.0]  # a's first with b
    (row,) = found.more["self_agreement"]
    assert row["judge"] == "a"
    assert row["value"] == pytest.approx(1 / 3)
    assert any("1 repeat is not compared" in n for n in found.notes)


def test_the_text_fits_and_shows_both_treatments_side_by_side(tmp_path):
    path = tmp_path / "clusters.csv"
    q.write(q.Groupings.from_groups({"Rushdie": JUDGES, "Volcano": JUDGES}), path)
    shown = CliRunner().invoke(main, ["agreement", str(path)])
    assert shown.exit_code == 0, shown.output
    assert max(map(len, shown.output.splitlines())) <= 80
    assert "a judge left out 20% of the items on average" in " ".join(shown.output.split())
    head = next(line for line in shown.output.splitlines() if line.startswith("task") and "singletons" in line)
    assert head.index("bucket") > head.index("singletons")
    assert "ann-bob" in shown.output
    assert "clusters" in shown.output
    assert CliRunner().invoke(main, ["agreement", str(path), "--method", "vbeta"]).exit_code == 2


def test_nothing_left_out_is_said_and_shown_once():
    found = ask({"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 2}}, "v_beta")
    assert any("no judge left an item out" in n for n in found.notes)
    assert "bucket" not in found.text().split("Note")[0]


# -- size --------------------------------------------------------------------------------------------------------------


def test_a_hundred_thousand_rows_and_a_thousand_tasks():
    rng = np.random.default_rng(0)
    tasks, judges, items = (x.ravel() for x in np.indices((1000, 10, 10)))
    rows = {"task": tasks, "judge": judges, "item": items, "group": rng.integers(4, size=100_000)}
    found = q.agreement(q.Groupings.build(rows), "v_beta(left_out=singletons)", permutations=20, resamples=100)
    assert len(found.findings[0].values) == 1000 * 45
    assert found.findings[0].overall[0].value == pytest.approx(found.findings[0].overall[0].chance.value, abs=0.01)


@pytest.mark.parametrize(
    "name", [pytest.param("amari_DistatisR", marks=pytest.mark.long), "aromas_FreeSortR", "beers_DistatisR"]
)
def test_real_sortings_agree_more_than_by_chance(data, name):
    panel = q.read(data / "free-sorting" / f"{name}.csv", kind="groupings")
    found = q.agreement(panel, "v_beta(left_out=singletons)", "adjusted_rand(left_out=bucket)", permutations=100)
    judges = len(partitions(panel)[0].judges) - len(
        found.more.get("one_voice", ())
    )  # two of amari's gave the same twice
    assert len(found.findings[0].values) == judges * (judges - 1) // 2
    for f in found.findings:
        assert f.overall[0].chance.p <= 0.05


def test_the_p_values_of_pairs_come_corrected_for_their_number_too():
    groups = made(judges=4)
    found = ask(groups, "v_half(left_out=bucket)", permutations=200)
    rows = sorted((r["details"] for r in found.to_dict()["results"]), key=lambda d: d["p_value"])
    assert len(rows) == 12  # both ways
    steps = [(12 - k) * r["p_value"] for k, r in enumerate(rows)]
    wanted = [min(max(steps[: k + 1]), 1) for k in range(12)]  # Holm: never below the one before
    assert [r["p_holm"] for r in rows] == pytest.approx(wanted)
    assert any("Holm" in s for s in found.sentences)


@pytest.mark.parametrize("judges", [4, 12])
def test_which_pairs_are_significant_does_not_depend_on_how_many_permutations_are_asked_for(judges):
    rows = [ask(made(judges=judges), "v_beta", permutations=n).to_dict()["results"] for n in (20, 50, 200)]
    assert [r["details"] for r in rows[0]] == [r["details"] for r in rows[1]] == [r["details"] for r in rows[2]]
    assert any(r["details"]["p_holm"] <= 0.05 for r in rows[0])


def test_two_judges_are_held_against_their_own_groups_permuted():
    """Fine groups look alike by V_beta whatever is in them: what two judges of coarse groups reach is no measure."""
    rng, below = np.random.default_rng(1), []
    for _ in range(30):
        sizes = (9, 9, 2, 2)  # two judges split everything up
        rows = {f"j{k}": dict(enumerate(rng.integers(n, size=10).tolist())) for k, n in enumerate(sizes)}
        (f, _) = ask(rows, "v_beta", permutations=100).findings
        below += [
            p <= 0.1 for pair, p in zip(f.keys["pair"], f.details["p_value"], strict=True) if pair == ["j0", "j1"]
        ]
    assert sum(below) <= 8  # 3 of 30 are meant


def test_few_items_can_be_permuted_in_few_ways_and_no_p_is_below_that():
    same = {"ann": dict(zip("uvwxyz", "aaabbb", strict=True)), "bob": dict(zip("uvwxyz", "bbbccc", strict=True))}
    (p,) = ask(same, "adjusted_rand(left_out=bucket)", permutations=100).findings[0].details["p_value"]
    assert p == pytest.approx(0.1, abs=0.04)
    mostly = {j: dict(enumerate("aaaaaaaab")) for j in ("ann", "bob")}
    (p,) = ask(mostly, "v_beta(left_out=bucket)", permutations=100).findings[0].details["p_value"]
    assert p == pytest.approx(1 / 9, abs=0.04)


@pytest.mark.parametrize(
    ("items", "judges", "groups"),
    [pytest.param(6, 30, 3, marks=pytest.mark.long), pytest.param(12, 10, 4, marks=pytest.mark.long), (8, 5, 3)],
)
def test_p_of_panels_that_answer_at_random(items, judges, groups):
    """The short form: 120 panels a size; of 1000 each, p <= 0.05 in 4.1 to 5.4 % and p <= 0.001 in at most 0.2 %."""
    method = table.parse("v_beta(left_out=common)", "groupings", "agreement")
    rng, p = np.random.default_rng(items), []
    for seed in range(120):
        labels = rng.integers(groups, size=(judges, items)).tolist()
        panel = q.Groupings.from_groups({f"j{j}": dict(enumerate(row)) for j, row in enumerate(labels)})
        p.append(Figures.of(method, GroupingDesign.of(panel)).nulls(Options(seed=seed))[0].p)
    assert sum(x <= 0.05 for x in p) <= 13  # one in a hundred at a true 5 %
    assert sum(x <= 0.001 for x in p) <= 1


def test_the_csv_has_task_and_judges_first():
    panel = q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 2, "z": 2}})
    first = q.agreement(panel, "rand", resamples=100).to_csv().splitlines()[0]
    assert first.startswith("task,judge_a,judge_b,method,value")


def test_what_most_put_together_lies_in_its_interval():
    # A judge drawn twice moves the draws: reflected around the value, the interval used to lie beside it.
    rng = np.random.default_rng(4)
    truth = rng.integers(4, size=15)
    rows = np.where(rng.random((10, 15)) < 0.6, rng.integers(4, size=(10, 15)), truth)
    panel = q.Groupings.from_groups({f"j{j}": dict(enumerate(row.tolist())) for j, row in enumerate(rows)})
    found = q.agreement(panel, "together(left_out=common)", resamples=200).findings[0].overall[0]
    assert found.interval.low < found.value < found.interval.high


def test_measures_that_share_what_is_permuted_say_what_each_says_alone():
    names = ("v_beta(left_out=bucket)", "adjusted_rand(left_out=bucket)", "adjusted_mutual_information", "nvi")
    groups = {j: {i: (i * (j + 3)) % (3 + j) if i % 5 else None for i in range(14)} for j in range(5)}
    several = ask({"t": groups, "u": {j: groups[j] for j in range(4)}}, *names, permutations=100)
    for found in several.findings:
        (alone,) = ask(
            {"t": groups, "u": {j: groups[j] for j in range(4)}}, str(found.method), permutations=100
        ).findings
        assert alone.overall == found.overall
        assert list(alone.values) == list(found.values)
        assert {n: list(c) for n, c in alone.details.items()} == {n: list(c) for n, c in found.details.items()}
