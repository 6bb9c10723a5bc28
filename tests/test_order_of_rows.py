"""No answer depends on the order of rows in a file: the same judgments, shuffled, are drawn alike."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.panel import by_name as ways
from quorate.panel.by_name import by_name
from tests.family import LONG

pytestmark = pytest.mark.usefixtures("in_small")
FEW = {"resamples": 40, "permutations": 20}


def orderings():
    rnd = random.Random(1)
    rows = []
    for task in ("t2", "t10", "t1"):
        for judge in ("Zoë", "ann", "j10", "j9", "bob"):
            items = sorted("abcdef", key=lambda x: ord(x) + rnd.gauss(0, 2))
            rows += [(task, judge, x, k // 2 if judge == "ann" else k) for k, x in enumerate(items, 2)]
    return q.Orderings, ("task", "judge", "item", "position"), rows


def groupings():
    rnd = random.Random(2)
    rows = []
    for task in ("t2", "t10", "t1"):
        for judge in ("Zoë", "ann", "j10", "j9"):
            rows += [(task, judge, f"{task}-{k}", rnd.choice(["p", "q", "r", ""])) for k in range(9)]
    return q.Groupings, ("task", "judge", "item", "group"), rows


def scores():
    rnd = random.Random(3)
    rows = []
    for task in ("t2", "t10", "t1", "t3"):
        for system in ("new", "old", "s10", "s9"):
            for judge in ("Zoë", "ann", "j9"):
                for criterion in ("true", "clear"):
                    row = (task, judge, f"{task}-{system}", rnd.randint(1, 5), system, criterion)
                    rows += [row] if rnd.random() < 0.9 else []
    return q.Scores, ("task", "judge", "item", "score", "system", "criterion"), rows


def panel_of(kind, names, rows):
    return kind.build(dict(zip(names, zip(*rows, strict=True), strict=True)))


def answers(panel):
    """All five questions, as JSON; tasks and criteria are in the order of the file by right."""
    out = {}
    for question in table.QUESTIONS:
        beside = [panel] if question == "quality" and panel.kind != "scores" else []
        found = getattr(q, question)(panel, *beside, **FEW).to_dict()
        for part in ("results", "overall", "notes"):
            found[part] = sorted(map(json.dumps, found[part]))
        out[question] = json.dumps(found)
    return out


@pytest.mark.parametrize("made", [orderings, groupings, scores])
def test_shuffled_rows_give_the_same_answers_to_the_last_byte(made):
    kind, names, rows = made()
    first = answers(panel_of(kind, names, rows))
    for seed in range(2 if LONG else 1):
        random.Random(seed).shuffle(rows)
        again = answers(panel_of(kind, names, rows))
        for question in table.QUESTIONS:
            assert again[question] == first[question], question


def test_metrics_held_against_shuffled_scores_are_the_same():
    kind, names, rows = scores()
    metrics = [(*r[:1], "metric", *r[2:3], r[3] + 0.1 * k % 7, *r[4:]) for k, r in enumerate(rows) if r[1] == "ann"]
    metrics = [r for r in metrics if r[5] == "true"]
    asked = ["metrics", "metric_differences", "soft_pairwise_accuracy", "pairwise_accuracy"]
    seen = set()
    for seed in range(3):
        for some in (rows, metrics) if seed else ():
            random.Random(seed).shuffle(some)
        beside = panel_of(kind, names[:5], [r[:5] for r in metrics])
        judged = panel_of(kind, names[:5], [r[:5] for r in rows if r[5] == "true"])
        seen.add(q.trust(judged, *asked, metrics=beside, **FEW).to_json())
    assert len(seen) == 1


def test_rows_of_tasks_stay_in_the_order_of_the_file():
    kind, names, rows = orderings()
    found = q.agreement(panel_of(kind, names, rows), "tau", **FEW)["tau"]
    assert found.keys["task"] == ["t2", "t10", "t1"]
    one = q.agreement(panel_of(kind, names, [r for r in rows if r[0] == "t10"]), "tau", **FEW)["tau"]
    assert found.values[1] == one.values[0]


def test_numbers_in_names_count_as_numbers_and_a_panel_in_order_is_itself():
    raw = {"judge": ["b", "a10", "a9", "a09", 3, 20], "item": ["x"] * 6, "position": [1] * 6}
    panel = by_name(q.Orderings.build(raw))
    assert panel.judges == (3, 20, "a09", "a9", "a10", "b")
    assert by_name(panel) is panel
    assert panel == q.Orderings.build(raw)


@given(st.lists(st.from_regex(r"(q|qu|q0|)(\d{1,3}|٣)?", fullmatch=True), min_size=1, max_size=8, unique=True))
def test_names_that_are_a_word_and_a_number_are_in_the_order_of_all_names(names):
    by_key = sorted(range(len(names)), key=lambda k: ways._key(names[k], False))
    assert ways.name_order(names) == by_key


def test_a_name_of_thousands_of_digits_is_a_name():
    long = "9" * 10_000
    assert by_name(q.Orderings.build({"judge": [long, "1"], "item": ["x"] * 2, "position": [1, 1]})).judges[0] == "1"


@given(st.data())
def test_whole_orderings_are_moved_as_their_rows_would_be(data):
    judgments = data.draw(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1, unique=True))
    raw = {n: [] for n in ("task", "judge", "item", "position", "occasion", "note")}
    for task, judge in judgments:
        for position, item in enumerate(data.draw(st.permutations([f"i{k}" for k in range(12)]))[: 1 + task], 1):
            note = data.draw(st.sampled_from("xyz"))
            for name, value in zip(raw, (f"t{task}", f"j{judge}", item, position, judge % 3, note), strict=True):
                raw[name].append(value)
    panel = q.Orderings.build(raw)
    whole = ways._by_judgment(panel, ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "_by_judgment", lambda panel, plain: None)
        rows = by_name(panel)
    assert whole is not None
    for name in ("task", "judge", "item", "occasion"):
        assert getattr(whole, name).ids == getattr(rows, name).ids
        np.testing.assert_array_equal(getattr(whole, name).codes, getattr(rows, name).codes)
    np.testing.assert_array_equal(whole.value, rows.value)
    assert whole.labels["note"].values() == rows.labels["note"].values()


def test_orderings_with_ties_are_moved_row_by_row():
    kind, names, rows = orderings()
    assert ways._by_judgment(panel_of(kind, names, rows), ()) is None
