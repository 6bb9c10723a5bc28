"""What comes out without the judges who are off."""

import numpy as np
import pytest

import quorate as q
from quorate.inference.result_without import _moved
from quorate.words.result_without import changes

BRIEF = {"resamples": 0, "permutations": 9}


def scores(rows):
    columns = dict(zip(("task", "judge", "item", "system", "score"), zip(*rows, strict=True), strict=True))
    return q.Scores.build(columns)


def test_an_order_that_one_judge_turns_round():
    orders = {f"j{k}": "abcdefgh" if k % 2 else "abcdefhg" for k in range(6)}
    found = q.judges(q.Orderings.from_orders(orders | {"odd": "hgfedcba"}), copies="apart", **BRIEF)
    (row,) = found.more["without_flagged"]
    assert row["judges"] == ["odd"]
    assert row["first"] == ["a", "a"]
    told = [f.text for f in found.facts if f.name == "without"]
    assert told in (["Without odd, a still comes first."], ["Without odd, the items keep their order."])
    assert found.to_dict()["without_flagged"][0]["form"] == "order"


def test_the_same_as_asking_without_them():
    rng = np.random.default_rng(3)
    rows = [
        (f"t{t}", f"j{j}", f"t{t}{s}", s, float(level + rng.normal() * 0.3))
        for t in range(8)
        for s, level in (("x", 4.0), ("y", 3.0), ("z", 2.0))
        for j in range(4)
    ]
    rows += [(t, "odd", i, s, 6 - v + 3 * (s == "z")) for t, j, i, s, v in rows if j == "j0"]
    panel = scores(rows)
    found = q.judges(panel, **BRIEF)
    assert [f["judge"] for f in found.flagged] == ["odd"]
    (row,) = found.more["without_flagged"]
    with_all, without = (
        [o.labels["system"] for o in q.quality(p, **BRIEF).findings[0].overall]
        for p in (panel, panel.drop_judges("odd"))
    )
    assert row["first"] == [with_all[0], without[0]]
    assert row["same"] == (with_all == without)
    assert any(changes(row) in step for step in [q.report(panel).first_screen.sub])


def test_nothing_is_told_where_nobody_is_off():
    found = q.judges(q.Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd"}), **BRIEF)
    assert "without_flagged" not in found.more


@pytest.mark.parametrize(
    ("whole", "less", "moved"),
    [
        ([["a", "b"], ["c"]], [["c"], ["b", "a"]], 0),
        ([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]], 1),
        ([["a", "b"]], [], 2),
    ],
)
def test_items_that_change_groups_whatever_groups_are_called(whole, less, moved):
    assert _moved(whole, less) == moved


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"form": "orders", "same": False, "first_stays": 3, "tasks": 4}, "the same item comes first on 3 of 4 tasks"),
        ({"form": "orders", "same": True, "first_stays": 4, "tasks": 4}, "every task keeps its order"),
        ({"form": "board", "same": False, "first": ["a", "b"]}, "b comes first, not a"),
        ({"form": "board", "same": False, "first": None, "of": "systems"}, "some systems change places"),
        ({"form": "groups", "same": False, "moved": 1, "items": 9}, "1 of 9 items would be in another group"),
        ({"form": "labels", "same": True, "moved": 0, "items": 9}, "every item keeps its label"),
        ({"form": "labels", "same": False, "moved": 3, "items": 10}, "30% of the labels change"),
        (
            {"form": "means", "same": False, "correlation": 0.9},
            "the items' means change: those with and without correlate 0.90",
        ),
    ],
)
def test_words(found, said):
    assert changes(found) == said
