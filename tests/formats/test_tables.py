"""Long tables: CSV, TSV, JSON Lines, Parquet, data frames."""

from __future__ import annotations

import gzip
import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from quorate.errors import InputError, MissingExtra
from quorate.formats import column_builder, read, write
from quorate.panel.kinds import Groupings, Orderings, Scores

ORDERS = "judge,item,position\nann,x,1\nann,y,2\nbob,y,1\nbob,x,2\n"


@pytest.fixture
def file(tmp_path):
    def make(content, name="in.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def fails(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_kind_is_inferred_from_the_columns(file):
    assert isinstance(read(file(ORDERS)), Orderings)
    assert isinstance(read(file("judge,item,group\na,x,1\n")), Groupings)
    assert isinstance(read(file("judge,item,score\na,x,1\n")), Scores)


def test_names_are_found_in_any_case_with_blanks_and_a_mark(file):
    panel = read(file("\ufeff JUDGE ;Item; Position\nann;x;1\n"))
    assert panel == Orderings.from_orders({"ann": ["x"]})


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_delimiter_is_found(file, mark):
    assert read(file(ORDERS.replace(",", mark))) == read(file(ORDERS, "again.csv"))


def test_delimiter_may_be_told(file):
    assert read(file(ORDERS.replace(",", "!")), delimiter="!").judges == ("ann", "bob")
    assert "delimiter" in fails(file(ORDERS), delimiter="ab")


def test_unknown_columns_are_labels(file):
    panel = read(file("judge,item,position,Mood\nann,x,1,good\nann,y,2,\n"))
    assert panel.labels["Mood"].values() == ["good", None]


def test_item_is_the_system_where_there_is_no_item(file):
    panel = read(file("judge,system,score\nann,S1,3\n"))
    assert panel.items == ("S1",)
    assert panel.labels["system"].ids == ("S1",)


def test_occasions_are_numbers_if_written_so(file):
    panel = read(file("judge,item,position,occasion\nann,x,1,1\nann,x,1,2\n"))
    assert panel.occasion.ids == (1, 2)
    panel = read(file("judge,item,position,occasion\nann,x,1,May\n"))
    assert panel.occasion.ids == ("May",)


def test_chunks_make_no_difference(file, monkeypatch):
    path = file(ORDERS)
    whole = read(path)
    monkeypatch.setattr(column_builder, "CHUNK", 1)
    assert read(path) == whole


def test_several_tables_are_more_rows(file):
    a = file("judge,item,position\nann,x,1\n", "a.csv")
    b = file("judge,item,position\n\nann,y,2\nbob,x,1\n", "b.csv")
    assert read(a, b) == Orderings.from_orders({"ann": "xy", "bob": ["x"]})


def test_a_repeat_across_files_names_file_and_line(file):
    a = file("judge,item,position\nann,x,1\n", "a.csv")
    b = file("judge,item,position\nbob,x,1\nann,x,2\n", "b.csv")
    said = fails(a, b)
    assert "b.csv, line 3: judge 'ann' has item 'x' again" in said
    assert "a.csv, line" not in said


def test_files_together_need_the_same_columns(file):
    a = file("judge,item,position\nann,x,1\n", "a.csv")
    assert "only one of them has 'task'" in fails(a, file("judge,item,position,task\nann,x,1,t\n", "b.csv"))
    assert "scores, but" in fails(a, file("judge,item,score\nann,x,1\n", "c.csv"))
    assert "is jsonl, but" in fails(a, file('{"judge": 1}', "d.jsonl"))


# -- what is wrong, and where ----------------------------------------------------------------------------------------


def test_quoted_line_breaks_do_not_shift_lines(file):
    said = fails(file('judge,item,position\n"a\nb",x,1\n\nann,y,zwei\n'))
    assert "line 5: position 'zwei'" in said


def test_wrong_number_of_fields(file):
    said = fails(file("judge,item,position\nann,x\nann,y,2\nann,z,3,4\n"))
    assert "not 3 (2 lines)" in said
    assert "line 2: 2 fields" in said
    assert "line 4: 4 fields" in said


def test_ten_bad_lines_are_shown_and_all_counted(file):
    rows = "".join(f"ann,x{k},no\n" for k in range(25))
    said = fails(file("judge,item,score\n" + rows))
    assert "(25 lines)" in said
    assert "line 11: score 'no'" in said
    assert "line 12" not in said
    assert "... and 15 more" in said


def test_decimal_commas_get_a_hint(file):
    assert "decimal sign is a point" in fails(file('judge,item,score\nann,x,"2,5"\n'))


def test_empty_cells(file):
    assert np.isnan(read(file("judge,item,score\nann,x,\n")).value[0])
    assert "line 2: the column 'position' is empty" in fails(file("judge,item,position\nann,x,\n"))
    assert "line 3: the column 'judge' is empty" in fails(file("judge,item,score\nann,x,1\n,x,1\n"))


def test_texts_for_missing_values(file):
    path = file("judge,item,score\nann,x,NA\nbob,x,3\n")
    assert "score 'NA'" in fails(path)
    assert np.isnan(read(path, missing="NA,-").value[0])


@pytest.mark.parametrize("content", ["", "\n\n", " \n"])
def test_empty_file(file, content):
    fails(file(content))
    assert "empty" in fails(file("", "in.unknown"))
    assert "empty" in fails(file("", "in.jsonl"))


def test_header_only(file):
    assert "no rows below the column names" in fails(file("judge,item,position\n"))


def test_columns_that_do_not_fit(file):
    assert "same name: judge" in fails(file("judge,Judge ,item,score\na,a,x,1\n"))
    assert "no name (column 2)" in fails(file("judge,,item,score\na,a,x,1\n"))
    assert "more than one kind" in fails(file("judge,item,score,position\na,x,1,1\n"))
    assert "did you mean 'jugde'" in fails(file("jugde,item,position\na,x,1\n"), kind="orderings")
    assert "no column 'item'" in fails(file("judge,position\na,1\n"))


def test_kind_settles_which_column_counts(file):
    panel = read(file("judge,item,score,position\na,x,7,1\n"), kind="orderings")
    assert panel.labels["score"].ids == ("7",)


def test_encodings(file):
    content = "judge,item,score\nJürgen,x,1\nann,x,2\n"
    said = fails(file(content.encode("latin-1")))
    assert "line 2: byte 0xfc" in said
    assert "encoding=latin-1" in said
    assert read(file(content.encode("latin-1")), encoding="latin-1").judges == ("Jürgen", "ann")
    assert "encoding=utf-16-le" in fails(file(content.encode("utf-16-le")))
    assert read(file(content.encode("utf-16"))).judges == ("Jürgen", "ann")  # its mark tells
    assert read(file(content.encode("utf-16")), encoding="utf-16").judges == ("Jürgen", "ann")
    assert "no encoding 'klingon'" in fails(file(content), encoding="klingon")
    assert "no encoding 'undefined'" in fails(file(content), encoding="undefined")


def test_an_open_quote_does_not_swallow_the_file(file):
    said = fails(file('judge,item,score\nann,x,1\nbob,"x,1\ncid,x,1\n'))
    assert "line 3: a quote is not closed" in said


def test_long_fields(file):
    assert len(read(file(f"judge,item,score,text\nann,x,1,{'a' * 200_000}\n")).labels["text"].ids[0]) == 200_000


def test_rename(file):
    path = file("rater,doc,item,score\nann,d1,x,1\n")
    panel = read(path, rename="rater=judge,doc=task")
    assert (panel.judges, panel.tasks) == (("ann",), ("d1",))
    assert read(path, rename={"rater": "judge", "doc": "task"}) == panel
    assert "did you mean 'rater'" in fails(path, rename={"ratr": "judge"})


def test_criteria_become_rows(file):
    path = file("doc,system,judge,fluency,focus\nd1,S1,ann,5,\nd1,S1,bob,4,2\n")
    panel = read(path, criteria=["fluency", "focus"], rename={"doc": "task"})
    assert panel.labels["criterion"].values() == ["fluency", "focus"] * 2
    assert panel.items == ("S1",)
    np.testing.assert_array_equal(panel.value, [5, np.nan, 4, 2])
    assert read(path, criteria="fluency, focus", rename="doc=task") == panel
    assert "no column 'form'" in fails(path, criteria=["form"])
    assert "criteria are for scores" in fails(path, criteria=["focus"], kind="orderings")
    assert "line 3: fluency 'x'" in fails(file("system,judge,fluency\nS1,ann,5\nS1,bob,x\n"), criteria="fluency")


# -- JSON Lines ------------------------------------------------------------------------------------------------------


def test_jsonl_keeps_types(file):
    panel = read(
        file('{"judge": 1, "item": "1", "score": 2.5}\n\n{"judge": "1", "item": "1", "score": null}\n', "x.jsonl")
    )
    assert panel.judges == (1, "1")
    assert np.isnan(panel.value[1])


def test_jsonl_keys_may_come_and_go(file, monkeypatch):
    path = file('{"judge": 1, "item": 1, "score": 2}\n{"Judge ": 2, "item": 1, "score": 2}\n', "x.jsonl")
    assert "same name" in fails(path)
    path = file('{"judge": 1, "item": 1, "score": 2}\n{"judge": 2, "item": 1, "score": 2, "mood": "good"}\n', "x.jsonl")
    assert read(path).labels["mood"].values() == [None, "good"]
    from quorate.formats import jsonl

    monkeypatch.setattr(jsonl, "CHUNK", 1)
    assert read(path).labels["mood"].values() == [None, "good"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 2"),
        ("[1]", "not an object"),
        ('{"judge": 1, "judge": 2, "item": 1, "score": 1}', "'judge' is there twice"),
        ('{"judge": [1], "item": 1, "score": 1}', "'judge' holds a list"),
        ('{"judge": 1, "item": 1, "score": "high"}', "line 2: score 'high'"),
        ('{"item": 1, "score": 1}', "line 2: the column 'judge' is empty"),
    ],
)
def test_bad_json(file, line, why):
    assert why in fails(file('{"judge": 1, "item": 1, "score": 1}\n' + line + "\n", "x.jsonl"))


# -- Parquet and frames ----------------------------------------------------------------------------------------------


def test_parquet_types_and_nulls(tmp_path):
    frame = pl.DataFrame(
        {
            "judge": [1, 1, 2],
            "item": ["x", "y", "x"],
            "score": [1, None, 3],
            "text": [None, "b", None],
            "day": pl.Series(["p", "q", "p"], dtype=pl.Categorical),
        }
    )
    frame.write_parquet(tmp_path / "x.parquet")
    panel = read(tmp_path / "x.parquet")
    assert panel.judges == (1, 2)
    assert panel.labels["text"].values() == [None, "b", None]
    assert panel.labels["day"].values() == ["p", "q", "p"]
    assert panel == read(frame)


def test_parquet_that_cannot_be_read(tmp_path, file, monkeypatch):
    assert "not a Parquet file" in fails(file("hello", "x.parquet"))
    assert "cannot be read" in fails(file(b"PAR1 and more", "x.parquet"))
    pl.DataFrame({"judge": ["a"], "item": [["x"]], "score": [1]}).write_parquet(tmp_path / "y.parquet")
    assert "holds List" in fails(tmp_path / "y.parquet")
    nested = pl.DataFrame({"judge": ["a"], "item": ["x"], "score": [1], "turns": [["x"]]})
    nested.write_parquet(tmp_path / "n.parquet")
    assert "left aside, for they are lists or objects: turns" in read(tmp_path / "n.parquet").notes[0]
    pl.DataFrame({"judge": ["a", None], "item": ["x", "x"], "score": [1, 2]}).write_parquet(tmp_path / "z.parquet")
    assert "row 2: the column 'judge' is empty" in fails(tmp_path / "z.parquet")
    monkeypatch.setattr("quorate.formats.parquet.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="quorate\\[tables\\]"):
        read(tmp_path / "z.parquet")


def test_parquet_text_positions(tmp_path):
    pl.DataFrame({"judge": ["a", "a"], "item": ["x", "y"], "position": ["1", "2"]}).write_parquet(
        tmp_path / "x.parquet"
    )
    assert read(tmp_path / "x.parquet") == Orderings.from_orders({"a": "xy"})


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames(make):
    frame = make({"Judge": ["ann", "ann"], "item": ["x", "y"], "position": [1, 2]})
    panel = read(frame)
    assert panel == Orderings.from_orders({"ann": "xy"})
    more = make({"Judge": ["bob"], "item": ["x"], "position": [1]})
    assert read(frame, more).judges == ("ann", "bob")
    assert read(frame, rename={"position": "score"}).kind == "scores"
    assert "no option 'top'" in fails(frame, top=3)
    assert "cannot be read together" in fails(frame, "x.csv")
    assert "data frame: no column 'item'" in fails(make({"judge": ["a"], "score": [1]}))


# -- files -----------------------------------------------------------------------------------------------------------


def test_paths_that_lead_nowhere(tmp_path, file):
    path = file(ORDERS, "panel.csv")
    assert "did you mean 'panel.csv'" in fails(tmp_path / "panl.csv")
    assert "no such folder" in fails(tmp_path / "none" / "panel.csv")
    (tmp_path / "empty").mkdir()
    assert "this is a folder" in fails(tmp_path / "empty")
    with pytest.raises(InputError, match="this is a folder"):
        write(read(path), tmp_path, format="csv")
    with pytest.raises(InputError, match="no such folder"):
        write(read(path), tmp_path / "none" / "x.csv")


def test_gzip(file, tmp_path):
    packed = gzip.compress(ORDERS.encode())
    assert read(file(packed, "x.csv.gz")) == read(file(packed, "unmarked.csv")) == read(file(ORDERS))
    assert "not a whole gzip file" in fails(file(packed[:-9], "x.csv.gz"))
    assert "not a whole gzip file" in fails(file(ORDERS, "x.csv.gz"))
    write(read(file(ORDERS)), tmp_path / "a.csv.gz")
    write(read(file(ORDERS)), tmp_path / "b.csv.gz")
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_stdin_and_stdout(monkeypatch, capsysbinary):
    def stdin(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    stdin(ORDERS.encode())
    panel = read("-")
    stdin(gzip.compress(b'{"judge": "ann", "item": "x", "position": 1}'))
    assert read("-") == Orderings.from_orders({"ann": ["x"]})
    write(panel, "-")
    assert capsysbinary.readouterr().out == ORDERS.encode()
    write(panel, "-", format="lines")
    assert capsysbinary.readouterr().out == b"ann: x > y\nbob: y > x\n"
    stdin(b"judge,item,position\nann,x,-1\n")
    assert "stdin: position is not above 0" in fails("-")


def test_formats_by_name(file, tmp_path):
    path = file(ORDERS, "x.txt")
    panel = read(path)
    assert read(path, format="csv") == panel
    assert "Formats: " in fails(path, format="excel")
    assert "Kinds: orderings" in fails(path, kind="order")
    with pytest.raises(InputError, match="tells no format"):
        write(panel, tmp_path / "x.odd")
    write(panel, tmp_path / "x.odd", format="jsonl")
    assert read(tmp_path / "x.odd") == panel
    assert "tell the format" in fails(file("hello world\n", "x.txt"))


def test_options_belong_to_formats(file, tmp_path):
    assert "it belongs to run" in fails(file(ORDERS), top=3)
    assert "did you mean 'encoding'" in fails(file(ORDERS), encodng="x")
    with pytest.raises(InputError, match="takes no option 'anonymous'"):
        write(read(file(ORDERS)), tmp_path / "x.csv", anonymous=True)
    assert read(file(ORDERS), encoding=None).judges == ("ann", "bob")


# -- writing ---------------------------------------------------------------------------------------------------------


def test_ids_that_would_look_alike_are_refused(tmp_path):
    panel = Orderings.from_orders({1: "xy", "1": "yx"})
    with pytest.raises(InputError, match="two judges alike: 1 and '1'"):
        write(panel, tmp_path / "x.csv")
    with pytest.raises(InputError, match="one type per column"):
        write(panel, tmp_path / "x.parquet")
    write(panel, tmp_path / "x.jsonl")
    assert read(tmp_path / "x.jsonl") == panel


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
def test_ids_that_are_neither_text_nor_number_are_refused(tmp_path, name):
    with pytest.raises(InputError):
        write(Orderings.from_orders({("a", 1): "xy"}), tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_half_characters_are_refused(tmp_path, name):
    with pytest.raises(InputError):
        write(Orderings.from_orders({"\ud800": "xy"}), tmp_path / name)


def test_labels_with_names_that_mean_something_else_are_refused(tmp_path):
    panel = Scores.build({"judge": ["a"], "item": ["x"], "score": [1], "Group ": ["g"]})
    with pytest.raises(InputError, match="cannot be called 'Group '"):
        write(panel, tmp_path / "x.csv")


def test_whole_scores_are_written_short(tmp_path):
    write(Scores.from_matrix([[1, 2.5]], items="xy", judges="a"), tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == "judge,item,score\na,x,1\na,y,2.5\n"


def test_a_system_stands_where_a_judge_would_in_lists_and_groups(tmp_path):
    for column in ("position", "group"):
        path = tmp_path / f"{column}.csv"
        path.write_text(f"system,item,{column}\ns1,a,1\ns1,b,2\n")
        assert read(path).judges == ("s1",)


def test_a_rank_is_not_taken_for_a_score(tmp_path):
    path = tmp_path / "ranks.csv"
    path.write_text("judge,item,rank\na,x,1\na,y,2\n")
    guessed = read(path)
    assert guessed.kind == "orderings"
    assert [g.option for g in guessed.reading.guesses] == ["--rename rank=position"]
    assert "--rename rank=score" in guessed.reading.guesses[0].said
    assert read(path, rename={"rank": "position"}).kind == "orderings"
    assert read(path, criteria=["rank"]).kind == "scores"


def test_a_folder_of_one_extension_is_read_like_the_files_in_it(tmp_path):
    text = "judge,item,position\n{0},x,1\n{0},y,2\n"
    files = [tmp_path / f"part-{k}.csv" for k in range(3)]
    for file in files:
        file.write_text(text.format(file.stem))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".part-0.csv.crc").write_bytes(b"\0")
    assert read(tmp_path) == read(*files)
    (tmp_path / "about.txt").write_text("what this is")
    with pytest.raises(InputError, match="this is a folder, not a file"):
        read(tmp_path)
