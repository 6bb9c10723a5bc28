"""Wide tables: one column per judge."""

from __future__ import annotations

import time

import numpy as np
import pytest

from quorate.errors import InputError
from quorate.formats import read, write
from quorate.panel.kinds import Groupings, Orderings, Scores


@pytest.fixture
def file(tmp_path):
    def make(content, name="in.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return make


def fails(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_positions(file):
    panel = read(file("item,ann,bob\nx,1,2\ny,2,0\nz,,1\n"), kind="orderings")
    assert panel == Orderings.from_orders({"ann": "xy", "bob": "zx"})


def test_groups(file):
    panel = read(file("item,ann,bob\nx,1,a\ny,,a\n"), kind="groupings", wide=True)
    assert panel == Groupings.from_groups({"ann": {"x": "1", "y": None}, "bob": {"x": "a", "y": "a"}})


def test_scores_without_items(file):
    panel = read(file("ann,bob\n1,2\n,3\n"), kind="scores")
    assert panel == Scores.from_matrix([[1, np.nan], [2, 3]], items=["1", "2"], judges=["ann", "bob"])


def test_tasks(file):
    panel = read(file("task,item,ann\nt,x,1\nu,x,1\n"), kind="orderings")
    assert panel.tasks == ("t", "u")


def test_what_has_no_position_is_noted(file):
    panel = read(file("item,ann,bob\nx,1,\ny,,\n"), kind="orderings")
    assert panel.judges == ("ann",)
    assert any("judge bob" in n for n in panel.notes)
    assert any("item y" in n for n in panel.notes)


def test_the_kind_is_never_guessed(file):
    path = file("item,ann,bob\nx,1,2\n")
    assert "--kind scores" in fails(path)
    assert "does not say its kind" in fails(path, wide=True)


def test_long_tables_are_not_taken_for_wide(file):
    assert "is long, not wide" in fails(file("judge,item,score\na,x,1\n"), kind="scores", wide=True)
    assert "no column 'judge'" in fails(file("jugde,item,group\na,x,1\n"), kind="groupings")
    assert "but this one has count" in fails(file("item,count,ann\nx,1,1\n"), kind="orderings")
    assert "no judge's column" in fails(file("item,task\nx,t\n"), kind="scores")
    assert "exclude each other" in fails(file("item,a,b\nx,1,1\n"), kind="scores", wide=True, criteria="a")


def test_bad_cells_are_told_with_their_judge(file):
    said = fails(file("item,ann,bob\nx,1,one\ny,two,2\n"), kind="scores")
    assert "(2 lines)" in said
    assert "line 2: judge 'bob': score 'one'" in said
    assert "line 3: judge 'ann': score 'two'" in said
    assert "position is not above 0" in fails(file("item,ann\nx,-1\n"), kind="orderings")


def test_jsonl_may_be_wide_too(file):
    panel = read(file('{"item": "x", "ann": 1}\n{"item": "y", "ann": 2}\n', "x.jsonl"), kind="orderings")
    assert panel == Orderings.from_orders({"ann": "xy"})


def test_what_a_wide_table_cannot_hold(tmp_path):
    def refused(panel, why):
        with pytest.raises(InputError, match=why):
            write(panel, tmp_path / "x.csv", wide=True)
        assert not (tmp_path / "x.csv").exists()

    rows = {"judge": ["a", "a"], "item": ["x", "x"], "score": [1, 2]}
    refused(Scores.build(rows), "occasions")
    refused(Scores.build({**rows, "criterion": ["p", "q"]}), "labels \\(criterion\\)")
    refused(Orderings.build({"judge": ["a"], "item": ["x"], "position": [1], "count": [3]}), "counts")
    refused(Groupings.from_groups({"a": {"x": 1, "y": 1}, "b": {"x": 1}}), "never had")
    refused(Orderings.from_orders({"Item": "xy"}), "judge's column 'Item'")


def test_real_tables(data):
    for path in sorted((data / "free-sorting").glob("*.csv")):
        assert len(read(path, kind="groupings").judges) >= 10
    assert read(data / "irr" / "anxiety.csv", kind="scores").value.sum() > 0
    criteria = ["coherence", "consistency", "fluency", "relevance"]
    panel = read(data / "summeval" / "summeval_experts.csv", criteria=criteria, rename={"doc": "task"})
    assert (len(panel.tasks), len(panel.items), len(panel.judges)) == (100, 16, 3)
    assert len(panel) == 100 * 16 * 3 * 4


def test_items_that_nobody_ranked_are_counted_where_there_are_many_and_cost_no_time(file):
    rows = [f"i{k},{k + 1 if k < 10_000 else ''}" for k in range(20_000)]
    begun = time.process_time()
    panel = read(file("item,ann\n" + "\n".join(rows) + "\n"), kind="orderings")
    assert time.process_time() - begun < 5
    assert len(panel.items) == 10_000
    assert panel.notes[0].endswith("i10008, i10009 and 9,990 more")
