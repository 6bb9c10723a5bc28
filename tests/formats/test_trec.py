"""TREC runs and qrels."""

from __future__ import annotations

import io
import sys

import pytest

from quorate.errors import InputError
from quorate.formats import read, write
from quorate.panel.kinds import Orderings, Scores

RUN = "q1 Q0 a 0 2.5 bm25\nq1 Q0 b 0 3 bm25\nq1 Q0 c 0 2.5 bm25\nq1 Q0 d 0 -1 bm25\nq2 Q0 a 0 1 bm25\n"
QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 2\n"


@pytest.fixture
def file(tmp_path):
    def make(content, name="mine.run"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return make


def fails(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_score_decides_not_rank(file):
    panel = read(file(RUN))
    assert panel.orders("q1") == {"mine": [["b"], ["a"], ["c"], ["d"]]}
    assert "equal scores keep the order of the file (1 times)" in panel.notes[0]


def test_ties(file):
    panel = read(file(RUN), ties=True)
    assert panel.orders("q1") == {"mine": [["b"], ["a", "c"], ["d"]]}
    assert panel.notes == ()


def test_top(file):
    assert read(file(RUN), top=2).orders("q1") == {"mine": [["b"], ["a"]]}
    assert read(file(RUN), top=2, ties="yes").orders("q1") == {"mine": [["b"], ["a", "c"]]}
    assert read(file(RUN), top="1", ties=True).orders("q1") == {"mine": [["b"]]}
    assert "top=0 makes no sense" in fails(file(RUN), top=0)


def test_files_are_judges(file):
    panel = read(file(RUN, "a.run"), file(RUN, "b.run"))
    assert panel.judges == ("a", "b")
    assert read(file(RUN, "input.x"), file(RUN, "input.y")).judges == ("input.x", "input.y")
    assert len(read(file(RUN, "p/r.run"), file(RUN, "q/r.run")).judges) == 2


def test_tags_are_judges(file, monkeypatch):
    both = RUN + RUN.replace("bm25", "lm")
    assert read(file(both)).judges == ("bm25", "lm")
    assert read(file(RUN), tags=True).judges == ("bm25",)
    assert "query 'q1' of judge 'bm25' is in" in fails(file(RUN, "a.run"), file(RUN, "b.run"), tags=True)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert read("-").judges == ("bm25",)


def test_wrong_runs(file):
    assert "line 6: 5 fields" in fails(file(RUN + "q1 Q0 e 1 2\n"))
    assert "line 6: score 'high'" in fails(file(RUN + "q1 Q0 e 1 high x\n"))
    assert "line 6: score nan" in fails(file(RUN + "q1 Q0 e 1 nan x\n"))
    assert "line 6: document 'a' again in query 'q1'" in fails(file(RUN + "q1 Q0 a 1 0 bm25\n"))
    assert "empty" in fails(file(""))


def test_runs_are_written_with_the_judge_as_tag(tmp_path):
    panel = Orderings.from_orders({"q1": {"ann": "a > b = c", "bob": "c"}})
    write(panel, tmp_path / "x.run")
    text = (tmp_path / "x.run").read_text()
    assert text == "q1 Q0 a 1 2 ann\nq1 Q0 b 2 1 ann\nq1 Q0 c 3 1 ann\nq1 Q0 c 1 1 bob\n"
    assert read(tmp_path / "x.run", ties=True) == panel


def test_what_a_run_cannot_hold(tmp_path):
    def refused(panel, why, name="x.run"):
        with pytest.raises(InputError, match=why):
            write(panel, tmp_path / name)

    refused(Orderings.from_orders({"ann lee": "ab"}), "told apart by blanks")
    refused(Orderings.build({"judge": ["a"], "item": ["x"], "position": [1], "count": [2]}), "cannot hold counts")
    refused(Scores.from_matrix([[1]]), "holds orderings, not scores")
    refused(Orderings.from_orders({"x": "ab"}), "holds scores, not orderings", "x.qrels")
    refused(Scores.from_matrix([[1], [2]]), "one judge, the panel has 2", "x.qrels")
    refused(Scores.from_matrix([[1]], judges=["ann"]), "write to ann.qrels", "x.qrels")
    refused(Scores.from_matrix([[1.5]], judges=["x"]), "whole numbers", "x.qrels")


def test_qrels(file):
    panel = read(file(QRELS, "gold.txt"))
    assert isinstance(panel, Scores)
    assert panel.judges == ("gold",)
    orders = read(file(QRELS, "gold.qrels"), kind="orderings")
    assert orders.orders() == {"gold": [["a", "c"], ["b"]]}
    assert read(file(QRELS, "a.qrels"), file(QRELS, "b.qrels")).judges == ("a", "b")
    assert "again in query" in fails(file(QRELS + "q1 0 a 1\n", "a.qrels"), kind="orderings")
    assert "holds scores and orderings, not groupings" in fails(file(QRELS, "a.qrels"), kind="groupings")


def test_real_runs(data):
    folder = data / "clef-ehealth-2015"
    panel = read(*sorted((folder / "runs_top100").glob("*.dat")), top=20)
    assert (len(panel.judges), len(panel.tasks)) == (10, 67)
    assert int(panel.value.max()) == 20
    qrels = read(folder / "qrels.eng.clef2015.test.graded.txt")
    assert qrels.kind == "scores"
    assert len(qrels.tasks) == 66
