"""Answers as tables: a row per judge, system, task or method, whatever the panel."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import quorate as q
from quorate.document.blocks import Table, Text
from quorate.document.layout import document, per_task, tables
from quorate.document.markdown import render as markdown
from quorate.document.terminal import render
from tests.family import some

QUICK = {"resamples": 100, "permutations": 20}


def scores(judges="ABC", systems="xyz", tasks=3, criteria=(None,), seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        (t, j, s, s, c, int(rng.integers(1, 6)))
        for t in range(tasks)
        for j in judges
        for s in systems
        for c in criteria
    ]
    names = ("task", "judge", "item", "system", "criterion", "score")
    given = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build({n: v for n, v in given.items() if n != "criterion" or criteria != (None,)})


def orderings(tasks=1):
    one = {"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "dcba"}
    return q.Orderings.from_orders({f"t{k}": one for k in range(tasks)} if tasks > 1 else one)


def groupings(tasks=1):
    one = {j: dict(zip("uvwx", g, strict=True)) for j, g in (("ann", [1, 1, 2, 2]), ("bob", [1, 1, 2, None]))}
    return q.Groupings.from_groups({f"t{k}": one for k in range(tasks)} if tasks > 1 else one)


def named(answer, name):
    return next(b for b in tables(answer) if isinstance(b, Table) and b.name == name)


def column_of(table, key, group=""):
    at = next(k for k, c in enumerate(table.columns) if (c.key, c.group) == (key, group))
    return [row[at] for row in table.rows]


def test_judges_have_one_row_each_with_the_figures_of_all_methods():
    answer = q.judges(orderings(3), **QUICK)
    table = named(answer, "judges")
    assert sorted(row[0] for row in table.rows) == ["ann", "bob", "cat", "dan"]
    assert {c.group for c in table.columns if c.group} == {f.method.name for f in answer.findings}
    for f in answer.findings:
        values = dict(zip(column_of(table, "judge"), column_of(table, "value", f.method.name), strict=True))
        assert values == {o.labels["judge"]: o.value for o in f.overall}


def test_who_is_flagged_comes_first_with_the_methods_that_say_so():
    answer = q.judges(scores(), "noise", "bias", **QUICK)

    def flagging(f):
        return replace(
            f, overall=tuple(replace(o, labels={**o.labels, "flag": o.labels["judge"] == "C"}) for o in f.overall)
        )

    table = named(replace(answer, findings=tuple(map(flagging, answer.findings))), "judges")
    assert table.rows[0][0] == "C"
    assert column_of(table, "flag") == [["noise", "bias"], [], []]


def test_a_flagged_judge_has_a_diagnosis_beside_the_name():
    answer = q.judges(orderings(3), **QUICK)
    off = {"judge": "dan", "diagnosis": "reversed", "p": 0.01, "evidence": {"method": "tau_b", "value": -0.3}}
    table = named(replace(answer, more={**answer.more, "flagged": [off]}), "judges")
    assert table.rows[0][0] == "dan"
    assert column_of(table, "diagnosis")[0] == "reversed"
    assert column_of(table, "flag")[0][0] == "tau_b"
    assert "Flagged" not in [b.title for b in tables(answer) if isinstance(b, Table)]


def test_one_method_shows_its_labels_and_several_criteria_a_table_each():
    alone = named(q.judges(scores(), "scale_use", **QUICK), "judges")
    assert {"distinct", "most_common", "units"} <= {c.key for c in alone.columns}
    apart = [b for b in tables(q.judges(scores(criteria=("c", "d")), "bias", "noise", **QUICK)) if b.name == "judges"]
    assert [b.title.partition(":")[0] for b in apart] == ["c", "d"]


def test_systems_have_one_row_each_with_letters_and_methods_side_by_side():
    lists = q.Orderings.from_orders({f"t{k}": {"new": "abcd", "old": "dcba"} for k in range(3)})
    answer = q.quality(orderings(3), lists, "frespa", "rank_based", **QUICK)
    table = named(answer, "systems")
    assert [row[0] for row in table.rows] == ["new", "old"]
    keys = [
        c.key for c in table.columns if c.group == "frespa" and c.key != "interval"
    ]  # none where all tasks are alike
    assert keys == ["value", "chance", "group"]
    [first, *_] = per_task(answer)
    assert [row[0] for row in first.rows] == ["t0", "t1", "t2"]
    assert first.heads()[1:] == [("", "new"), ("", "old")]


def test_criteria_of_systems_stand_side_by_side():
    table = named(q.quality(scores(criteria=("c", "d")), "mean_score", **QUICK), "systems")
    assert list(dict.fromkeys(c.group for c in table.columns if c.group)) == ["c", "d"]
    assert len(table.rows) == 3


def test_a_system_without_all_tasks_says_on_how_many():
    rows = [(t, "A", s, s, t + k) for t in range(3) for k, s in enumerate("xyz") if (t, s) != (0, "x")]
    names = ("task", "judge", "item", "system", "score")
    panel = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    table = named(q.quality(panel, "mean_score", **QUICK), "systems")
    assert sorted(column_of(table, "tasks")) == [2, 3, 3]


def test_tasks_with_the_least_agreement_come_first_and_undefined_ones_last():
    answer = q.agreement(scores(tasks=4), "alpha", "percent", **QUICK)
    first = column_of(named(answer, "by-task"), "value", "alpha")
    known = [v for v in first if not math.isnan(v)]
    assert first[: len(known)] == sorted(known)


def test_less_agreement_first_where_a_high_value_means_that():
    panel = q.Groupings.from_groups(
        {
            "same": {"a": dict.fromkeys("uvwx", 1), "b": dict.fromkeys("uvwx", 1)},
            "apart": {
                "a": dict(zip("uvwx", [1, 1, 2, 2], strict=True)),
                "b": dict(zip("uvwx", [1, 2, 1, 2], strict=True)),
            },
        }
    )
    table = named(q.agreement(panel, "vi", **QUICK), "by-task")
    assert [row[0] for row in table.rows] == ["apart", "same"]


def test_treatments_of_left_out_items_that_are_the_same_are_shown_once():
    whole = q.Groupings.from_groups(
        {"a": dict(zip("uvw", [1, 1, 2], strict=True)), "b": dict(zip("uvw", [1, 2, 2], strict=True))}
    )
    assert len(named(q.agreement(whole, **QUICK), "overall").rows) < len(q.agreement(whole, **QUICK).findings)


def test_consensus_of_one_task_has_a_row_per_item_and_of_many_one_per_task_and_method():
    answer = q.consensus(orderings(), "rank_sum", "kemeny", **QUICK)
    one = named(answer, "places")
    assert sorted(row[0] for row in one.rows) == list("abcd")
    rank = answer["rank_sum"].details["rank"][0]  # of which the interval is
    assert column_of(one, "place", "rank_sum") == [rank[row[0]] for row in one.rows]
    many = named(q.consensus(orderings(3), "rank_sum", "kemeny", **QUICK), "by-task")
    assert [row[:2] for row in many.rows][:2] == [("t0", "rank_sum"), ("t0", "kemeny")]
    assert sorted(i for tied in many.rows[0][2] for i in tied) == list("abcd")


def test_groups_of_one_task_are_listed_and_of_many_counted():
    one = named(q.consensus(groupings(), "pairs", **QUICK), "groups")
    assert column_of(one, "which")[0] == ["u", "v"]
    many = named(q.consensus(groupings(3), "pairs", **QUICK), "by-task")
    assert len(many.rows) == 3


def test_two_keys_of_a_trust_method_are_crossed():
    table = named(q.trust(orderings(3), "noise", **QUICK), "noise-rows")
    assert len(table.columns) > 3
    assert table.columns[1].group.startswith("ratio ")


ODD = {
    "one judge": q.Orderings.from_orders({"ann": "abc"}),
    "one item": q.Orderings.from_orders({"ann": "a", "bob": "a"}),
    "nothing in common": q.Orderings.from_orders({"ann": "abc", "bob": "def"}),
    "one item grouped": q.Groupings.from_groups({"ann": {"x": 1}, "bob": {"x": None}}),
    "two tasks of groups": groupings(2),
    "all the same": q.Scores.from_matrix([[1, 1, 1], [1, 1, 1]]),
    "one score": q.Scores.from_matrix([[1.0]]),
    "labels": q.Scores.from_labels({"a": {"x": "yes", "y": "no"}, "b": {"x": "yes", "y": "yes"}}),
    "two criteria": scores(criteria=("c", "d")),
    "names that are markup": q.Orderings.from_orders({"<b>": ["x|y", "[red]"], "\x1b[31m": ["[red]", "x|y"]}),
}


@pytest.mark.parametrize("question", ["agreement", "judges", "consensus", "quality", "trust"])
@pytest.mark.parametrize("panel", some(ODD.values(), 2), ids=some(ODD, 2))
def test_an_odd_panel_has_tables_of_whole_rows_in_every_form(panel, question):
    if (question == "quality" and panel.kind != "scores") or (
        question in ("quality", "trust") and panel is ODD["labels"]
    ):
        pytest.skip("has no such answer")
    answer = getattr(q, question)(panel, **QUICK)
    made = document(answer)
    for block in made.blocks:
        if isinstance(block, Table):
            assert block.rows
            assert all(len(row) == len(block.columns) for row in block.rows)
    assert made.to_json()
    assert answer._repr_html_()
    assert "\x1b" not in markdown(made) + answer.text()
    for width in (60, 80, 140):
        text = render(replace(made, blocks=tuple(b for b in made.blocks if not isinstance(b, Text))), width)
        assert max(map(len, text.splitlines()), default=0) <= width
