"""What autoPyramid found as a way to order judges: in `judges`, in `without_worst`, and beside alpha."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.panel.units import by_criterion
from quorate.scores.auto_pyramid import gaps
from tests.reference import trained as plain

ROW = st.tuples(
    st.sampled_from("ABC"),
    st.sampled_from(["s", "t"]),
    st.integers(0, 4),
    st.one_of(st.none(), st.integers(0, 4)),
)


def panel(rows):
    """Rows of judge, task, score, auto; every row is an item of its own."""
    columns = zip(*rows, strict=True)
    raw = dict(zip(("judge", "task", "score", "auto"), map(list, columns), strict=True))
    return q.Scores.build({**raw, "item": [f"i{k}" for k in range(len(rows))]})


@given(st.lists(ROW, min_size=1, max_size=20))
def test_the_gap_is_the_mean_of_task_means(rows):
    made = panel(rows)
    value, _ = gaps(by_criterion(made)[0])
    expected = plain.gaps(rows)
    found = {j: v for j, v in zip(made.judges, value.tolist(), strict=True) if not math.isnan(v)}
    assert found == pytest.approx(expected)


def test_judges_shows_the_gap_where_there_is_a_column_auto():
    rows = [("A", t, 0.5, 0.5) for t in "stuv"] + [("F", t, 0.3, 0.5) for t in "wxyz"]
    found = q.judges(panel(rows))
    first = found["auto_pyramid"].overall[0]
    assert first.labels["judge"] == "F"
    assert first.value == pytest.approx(-0.2)
    assert first.labels["tasks"] == 4


def test_without_the_column_the_gap_is_undefined_and_a_note_says_so():
    made = q.Scores.build({"judge": ["A", "B"], "item": ["x", "x"], "score": [1, 2]})
    found = q.judges(made, "auto_pyramid")
    assert all(math.isnan(o.value) for o in found.findings[0].overall)
    assert any("no column auto" in n for n in found.notes)


def test_without_worst_drops_the_tasks_of_the_judge_who_misses_most():
    rows = []
    for judge, task in zip("AABBFF", "stuvwx", strict=True):
        for k in range(4):
            rows.append((judge, task, k / 4 - (0.2 if judge == "F" else 0), k / 4))
    columns = list(zip(*rows, strict=True))
    raw = dict(zip(("judge", "task", "score", "auto"), map(list, columns), strict=True))
    made = q.Scores.build({**raw, "item": [f"i{k % 4}" for k in range(len(rows))]})
    found = q.trust(made, "without_worst(by=gap, worst=1)").findings[0]
    assert found.overall[0].labels["judges"] == "F"
    silent = q.Scores.build({k: v for k, v in raw.items() if k != "auto"} | {"item": [f"i{k % 4}" for k in range(24)]})
    assert "needs a column auto" in " ".join(q.trust(silent, "without_worst(by=gap)").sentences)


def test_a_hundred_thousand_scores_are_no_trouble():
    rows = 100_000
    raw = {"judge": [f"j{k % 8}" for k in range(rows)], "task": [f"t{k % 96}" for k in range(rows)]}
    raw |= {
        "item": [f"i{k // 96}" for k in range(rows)],
        "score": [1.0] * rows,
        "auto": [k % 8 / 8 for k in range(rows)],
    }
    made = q.Scores.build(raw)
    value, by_task = gaps(by_criterion(made)[0])
    assert value.tolist() == pytest.approx([1 - k / 8 for k in range(8)])
    assert by_task.shape == (8, 96)
