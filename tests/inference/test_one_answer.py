"""Judges who give one answer to everything: nobody's copies, and told for what they are."""

from __future__ import annotations

import pytest

import quorate as q

IDLE, OTHERS, ITEMS = ("ann", "bob", "cat"), ("dan", "eve", "fay"), 12
SHIFTED = {"dan": 0, "eve": 1, "fay": 2}


def answered(idle, others) -> dict:
    rows = [(j, f"i{k:02d}", idle(k)) for j in IDLE for k in range(ITEMS)]
    rows += [(j, f"i{k:02d}", others(k, SHIFTED[j])) for j in OTHERS for k in range(ITEMS)]
    return dict(zip(("judge", "item", "value"), map(list, zip(*rows, strict=True)), strict=True))


PANELS = {
    "alone": (q.Groupings, "group", lambda k: k, lambda k, by: (k + (by * k % 5 == 1)) // 4, "group of its own"),
    "in one": (q.Groupings, "group", lambda k: 0, lambda k, by: (k + (by * k % 5 == 1)) // 4, "all items in one group"),
    "tied": (q.Orderings, "position", lambda k: 1, lambda k, by: 1 + (k * (1 + 4 * by)) % ITEMS, "tied all items"),
    "scores": (q.Scores, "score", lambda k: 3, lambda k, by: 1 + (k + by * (k % 3)) % 5, "same score"),
    "labels": (q.Scores, "label", lambda k: "a", lambda k, by: "abc"[(k + (k % 5 == by)) % 3], "same label"),
}


@pytest.mark.parametrize("which", PANELS)
def test_one_answer_to_everything_is_no_copy_and_is_told(which):
    kind, name, idle, others, said = PANELS[which]
    columns = answered(idle, others)
    columns[name] = columns.pop("value")
    answer = q.judges(kind.build(columns), resamples=0, permutations=0)
    assert "one_voice" not in answer.more
    assert answer.more["one_answer"] == list(IDLE)
    assert {f["diagnosis"] for f in answer.more["flagged"]} <= {"constant"}
    assert any(said in s and "says nothing about the items" in s for s in answer.sentences)


def test_who_always_prefers_one_system_has_said_something_and_who_ties_all_has_not():
    rows = [(j, f"t{t}", "x", "y", "tie") for j in IDLE for t in range(12)]
    rows += [(j, f"t{t}", "x", "y", "model_a") for j in OTHERS for t in range(12)]
    names = ("judge", "task", "model_a", "model_b", "winner")
    panel = q.Votes.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert q.judges(panel, resamples=0, permutations=0).more["one_answer"] == list(IDLE)
