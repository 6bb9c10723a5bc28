"""Scores of automatic metrics: AESOP tables, ROUGE's output, tables with a column per metric."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import InputError
from quorate.formats import read_metrics


@pytest.fixture
def file(tmp_path):
    def make(text, name):
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


def cells(panel):
    columns = panel.columns()
    rows = zip(*(columns.get(n, ["all"] * len(panel)) for n in ("task", "judge", "item", "score")), strict=True)
    return {(t, j, i): v for t, j, i, v in rows}


def test_aesop_tables_have_a_judge_per_metric_and_gaps(file):
    path = file("Summarizer Topic m1 m2\ns7 tD01 0.5 NaN\ns8 tD01 0.25 3\n", "aesop_allpeers_A")
    found = cells(q.read(path))
    assert found["tD01", "m1", "s7"] == 0.5
    assert math.isnan(found["tD01", "m2", "s7"])
    assert cells(q.read(path, prefix=True))["D01", "m1", "8"] == 0.25


ROUGE = """---------------------------------------------
7 ROUGE-2 Average_R: 0.10382 (95%-conf.int. 0.09741 - 0.11064)
.............................................
7 ROUGE-2 Eval D9901-A.M.100.K.7 R:0.20 P:0.11211 F:0.11275
7 ROUGE-2 Eval D9901-A.M.100.K.7 R:0.10 P:0.11211 F:0.11275
8 ROUGE-2 Eval D9901-A.M.100.K.8 R:0.30000 P:0.2 F:0.24
"""


def test_rouge_lines_per_summary_are_read_and_jackknifed_ones_averaged(file):
    panel = q.read(file(ROUGE, "rouge.out"))
    found = cells(panel)
    assert found["D9901-A", "ROUGE-2_R", "7"] == pytest.approx(0.15)
    assert found["D9901-A", "ROUGE-2_F", "8"] == 0.24
    assert any("averaged" in n for n in panel.notes)
    assert any("averages of systems are left aside" in n for n in panel.notes)
    assert q.read(file(ROUGE, "rouge.out"), measure="R").judges == ("ROUGE-2_R",)


def test_averages_are_all_there_is_where_no_summary_is_listed(file):
    panel = q.read(file("\n".join(ROUGE.splitlines()[:2]), "x.rouge"))
    assert cells(panel) == {("all", "ROUGE-2_R", "7"): 0.10382}


def test_other_lines_are_an_error(file):
    with pytest.raises(InputError, match=r"line 7: 7 ROUGE-2 Evil"):
        q.read(file(ROUGE + "7 ROUGE-2 Evil\n", "x.rouge"))


def test_a_table_with_a_column_per_metric(file):
    path = file("doc,system,rouge2,bert,remark\nd1,s1,0.1,3,ok\nd1,s2,,4,ok\n", "m.csv")
    panel = read_metrics(path)
    assert panel.judges == ("rouge2", "bert")
    assert cells(panel)["d1", "bert", "s2"] == 4
    assert math.isnan(cells(panel)["d1", "rouge2", "s2"])
    assert any("remark" in n for n in panel.notes)
    with pytest.raises(InputError, match="no column of numbers"):
        read_metrics(file("doc,system,remark\nd,s,ok\n", "n.csv"))


def test_long_tables_and_the_other_formats_are_metrics_too(file):
    assert read_metrics(file(ROUGE, "r.rouge")).judges[0] == "ROUGE-2_R"
    assert read_metrics(file("Summarizer Topic m1\ns t 1\n", "a.aesop")).judges == ("m1",)
    assert read_metrics(file("judge,item,score\nm,s,1\n", "l.csv")).judges == ("m",)
    with pytest.raises(InputError, match="holds orderings"):
        read_metrics(file("judge,item,position\nm,s,1\n", "o.csv"))


words = st.text("abcXYZ123-", min_size=1, max_size=4)


@given(rows=st.dictionaries(st.tuples(words, words), st.floats(-9, 9) | st.just(math.nan), min_size=1, max_size=6))
def test_aesop_tables_read_back_what_was_written(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("a") / "x.aesop"
    task, item = zip(*rows, strict=True)
    raw = {"task": task, "item": item, "system": item, "judge": ["m"] * len(rows), "score": list(rows.values())}
    panel = q.Scores.build(raw)
    q.write(panel, path)
    assert q.read(path) == panel


def test_rouge_output_reads_back_what_was_written(file, tmp_path):
    panel = q.read(file(ROUGE, "rouge.out"))
    q.write(panel, tmp_path / "again.rouge")
    assert q.read(tmp_path / "again.rouge") == panel
    with pytest.raises(InputError, match="NAME_R"):
        q.write(q.Scores.from_matrix([[1.0]], judges=["m"]), tmp_path / "no.rouge")
