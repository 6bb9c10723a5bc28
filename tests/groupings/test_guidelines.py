"""The guidelines for judges as checks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter, InputError
from quorate.groupings.guidelines import RULES, check, check_panel
from quorate.panel.kinds import Groupings

SHEET = {
    "judge": ["ann"] * 5,
    "item": ["a1", "b1", "a2", "b2", "c1"],
    "group": ["money", "money", "war", "war", ""],
    "source": ["A", "B", "A", "B", "C"],
    "label": ["Money is short.", None, "There is a war.", "There is a war.", None],
    "importance": [2, 2, 1, 1, None],
}


def changed(**columns):
    return {**SHEET, **columns}


def told(columns, rule):
    return [b.message for b in check(columns).breaches if b.rule == rule]


def test_a_sheet_that_keeps_the_rules_is_fine():
    found = check(SHEET)
    assert found.breaches == ()
    assert found.unchecked == {}
    assert found.sentences == ("All rules are kept.",)


@pytest.mark.parametrize(
    ("rule", "columns", "message"),
    [
        ("two_items", {"group": ["money", "money", "war", "", ""]}, "cluster 'war' has one item (a2): add another"),
        ("two_sources", {"source": ["A", "A", "A", "B", "C"]}, "cluster 'money' is all from A"),
        ("two_sources", {"source": ["A", "", "A", "B", "C"]}, "cluster 'money': no source is given for b1"),
        ("one_cluster", {"item": ["a1", "b1", "a1", "b2", "c1"]}, "a1 is in 'money' and 'war': keep it"),
        ("label", {"label": ["", "", "W.", "W.", ""]}, "cluster 'money' has no label: write"),
        ("label", {"label": ["M.", "N.", "W.", "W.", ""]}, "cluster 'money' has 2 labels: write one sentence"),
        ("ranked", {"importance": [None, None, 1, 1, None]}, "cluster 'money' has no importance: rank it"),
        ("ranked", {"importance": [2, 3, 1, 1, None]}, "cluster 'money' has 2 ranks (2, 3): give one"),
        ("ranked", {"importance": [1, 1, 1, 1, None]}, "clusters 'money' and 'war' share rank 1: decide between them"),
        ("ranked", {"importance": ["top", "top", 1, 1, None]}, "cluster 'money': importance 'top' is not a number"),
    ],
)
def test_every_rule_says_what_to_mend(rule, columns, message):
    (said,) = told(changed(**columns), rule)
    assert said.startswith(message)
    assert {b.rule for b in check(changed(**columns)).breaches} == {rule}


def test_items_that_a_judge_says_nothing_of_are_named():
    two = {
        "judge": ["ann", "ann", "bob", "bob", "bob"],
        "item": ["x", "y", "x", "y", "z"],
        "group": [1, 1, 1, 1, None],
    }
    found = check(two, ["left_out"])
    assert [(b.judge, b.message) for b in found.breaches] == [
        ("ann", "nothing is said of z: place them, or leave them out with an empty group")
    ]
    assert found.broken == 1
    assert found.sentences[0] == "1 mistake to mend, in 1 of 2 judgments."
    more = check(two, ["left_out"], items=["x", "y"])
    assert [b.message for b in more.breaches] == ["z: no such item in this task"]


def test_rules_without_their_column_are_not_checked_and_it_says_so():
    found = check({"judge": ["ann", "ann"], "item": ["x", "y"], "group": [1, 1]})
    assert found.breaches == ()
    assert found.unchecked == {"two_sources": "source", "label": "label", "ranked": "importance"}
    assert "no column 'source'" in found.sentences[1]
    rules = {r["rule"]: r["breaches"] for r in json.loads(found.to_json())["rules"]}
    assert rules == {
        "two_items": 0,
        "two_sources": None,
        "one_cluster": 0,
        "left_out": 0,
        "label": None,
        "ranked": None,
    }


def test_a_panel_is_checked_like_its_columns_and_repeats_apart():
    panel = Groupings.build(SHEET)
    assert check(panel).breaches == ()
    again = {k: [*v, *v] for k, v in SHEET.items()} | {"occasion": [1] * 5 + [2] * 5}
    again["group"] = [*SHEET["group"], "money", "money", "war", "", ""]
    assert [b.judge for b in check(again, ["two_items"]).breaches] == ["ann (occasion 2)"]


def test_rules_and_columns_that_are_not_there_are_errors():
    with pytest.raises(BadParameter, match="no rule 'two_item'"):
        check(changed(), ["two_item"])
    with pytest.raises(InputError, match="no column 'group'"):
        check({"judge": ["ann"], "item": ["x"]})
    with pytest.raises(InputError, match="not of one length: judge 2, item 1, group 1"):
        check({"judge": ["ann", "bob"], "item": ["x"], "group": [1]})


def test_rules_may_come_one_by_one():
    panel = Groupings.from_groups({"ann": {"x": 1, "y": 2, "z": 2}})
    assert len(check_panel(panel, iter(["two_items"])).breaches) == 1


def test_csv_has_a_row_per_mistake():
    lines = check(changed(importance=[1, 1, 1, 1, None])).to_csv().splitlines()
    assert lines[0] == "rule,task,judge,group,message"
    assert lines[1].startswith("ranked,all,ann,war,clusters 'money' and 'war' share rank 1")


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 2) | st.none()), min_size=1, max_size=20)
)
def test_plain_counts_say_the_same(rows):
    columns = dict(zip(("judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True))
    found = check(columns)
    clusters: dict[tuple[int, int], set[int]] = {}
    places: dict[tuple[int, int], set[int | None]] = {}
    for judge, item, group in rows:
        places.setdefault((judge, item), set()).add(group)
        if group is not None:
            clusters.setdefault((judge, group), set()).add(item)
    judges = {r[0] for r in rows}
    want = {
        "two_items": sum(len(v) < 2 for v in clusters.values()),
        "one_cluster": sum(len(v) > 1 for v in places.values()),
        "left_out": sum({i for j, i, _ in rows if j == judge} != {r[1] for r in rows} for judge in judges),
    }
    assert {r: sum(b.rule == r for b in found.breaches) for r in want} == want
    assert set(RULES) == set(want) | set(found.unchecked)
