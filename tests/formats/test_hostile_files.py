"""Files that are not what they seem: the fact, the line and a hint, never a traceback."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError, LimitReached
from quorate.groupings.guidelines import check
from quorate.kernels import patterns, rank_correlation
from quorate.orderings.frespa import frequent_patterns, frespa
from quorate.orderings.noise import joined
from quorate.panel.stacks import Stack

GOOD = "judge,item,score\na,x,1\na,y,2\nb,x,2\nb,y,3\n"


def archive(*names):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name in names or ("a.csv",):
            packed.writestr(name, GOOD)
    return held.getvalue()


BAD = {
    "wide.csv": (GOOD.encode("utf-16-le"), "NUL bytes", "--encoding utf-16-le"),
    "wide-be.csv": (GOOD.encode("utf-16-be"), "line 1", "--encoding utf-16-be"),
    "nul.csv": (b"\0" * 300, "line 1", "--encoding"),
    "scores.csv.zip": (archive("a.csv", "b.csv"), "zip archive (2 files: a.csv, b.csv)", "unzip it"),
    "sheet.csv": (archive(), "zip archive", "unzip it"),
    "sheet.xlsx": (archive(), "no workbook", ".xlsx"),
    "old.xlsx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old or encrypted workbook", "CSV"),
    "cut.xlsx": (archive()[:-40], "not a whole workbook", "save it again"),
    "list.json": (b'[{"judge": "a", "item": "x", "score": 1}', "not JSON", "is the file whole"),
    "numbers.json": (b"[1, 2]", "not an object", "plain values"),
    "half.jsonl": (b'{"judge": "\\ud800", "item": "x", "score": 1}\n', "line 1", "plain values"),
    "large.csv": (b"judge,item,score\na,x,1e200\na,y,2\n", "line 2: score 1e+200", "1e+150"),
    "latin.csv": ("judge,item,score\nJosé,x,1\n".encode("latin-1"), "line 2", "--encoding latin-1"),
    "cut.csv.gz": (gzip.compress(GOOD.encode())[:-9], "gzip", "fetch it again"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["agreement", "judges", "consensus", "quality", "trust"])
def test_every_question_says_what_is_wrong_with_a_file(name, command, tmp_path):
    path = tmp_path / name
    content, fact, hint = BAD[name]
    path.write_bytes(content)
    done = CliRunner().invoke(main, [command, str(path)])
    assert done.exit_code == 2, done.output
    assert str(path) in done.stderr
    assert fact in done.stderr
    assert hint in done.stderr.partition("Hint:")[2]


def test_an_encoding_that_is_given_is_taken(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_bytes(GOOD.encode("utf-16"))
    assert len(q.read(path, encoding="utf-16")) == 4


def test_a_surrogate_pair_is_a_character(tmp_path):
    path = tmp_path / "pair.jsonl"
    path.write_text('{"judge": "\\ud83d\\ude00", "item": "x", "score": 1}\n')
    assert q.read(path).judges == ("\N{GRINNING FACE}",)


def test_scores_that_can_be_squared_are_taken():
    assert q.Scores.build({"judge": ["a"], "item": ["x"], "score": [1e149]}).value.tolist() == [1e149]
    with pytest.raises(InputError, match="too large"):
        q.Scores.build({"judge": ["a"], "item": ["x"], "score": [-1e151]})


def test_a_name_does_not_steer_the_terminal(tmp_path):
    path = tmp_path / "steer.csv"
    path.write_text("judge,item,score\n\x1b[31mred,x,1\nb,x,2\n")
    done = CliRunner().invoke(main, ["judges", str(path), "--method", "bias"])
    assert "\x1b" not in done.stdout
    assert "\ufffd[31mred" in done.stdout
    wrong = CliRunner().invoke(main, ["agreement", str(path), "--task", "\x1b[31m"])
    assert wrong.exit_code == 2
    assert "\x1b" not in wrong.stderr


def test_an_answer_cannot_be_written_where_there_is_no_folder(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(GOOD)
    done = CliRunner().invoke(main, ["agreement", str(path), "--out", str(tmp_path / "none" / "a.txt")])
    assert done.exit_code == 2
    assert "there is no folder" in done.stderr


@pytest.mark.parametrize(
    ("command", "name"), [("agreement", "deep.jsonl"), ("agreement", "deep.votes"), ("sentences", "deep.jsonl")]
)
def test_objects_inside_objects_without_end_are_a_bad_line(command, name, tmp_path):
    path = tmp_path / name
    path.write_text('{"judge":' * 100_000 + "\n")
    out = [str(tmp_path / "out.csv")] if command == "sentences" else []
    done = CliRunner().invoke(main, [command, str(path), *out])
    assert done.exit_code == 2, done.output
    assert "line 1" in done.stderr


def test_a_number_too_long_to_read_is_no_document(tmp_path):
    path = tmp_path / "long.jsonl"
    path.write_text('{"id": ' + "9" * 5000 + ', "text": "One. Two."}\n')
    done = CliRunner().invoke(main, ["sentences", str(path), str(tmp_path / "out.csv")])
    assert done.exit_code == 2
    assert "line 1: not JSON" in done.stderr


@pytest.mark.parametrize("value", ["position", "group", "score"])
@pytest.mark.parametrize("count", ["1000001", "1e12", "9" * 30])
def test_a_count_that_would_fill_the_memory_is_refused(value, count, tmp_path):
    path = tmp_path / "counted.csv"
    path.write_text(f"judge,item,{value},count\na,x,1,{count}\na,y,2,{count}\nb,x,1,1\nb,y,2,1\n")
    done = CliRunner().invoke(main, ["consensus", str(path)])
    assert done.exit_code == 2
    assert "count is too large (2 lines)" in done.stderr
    assert "1,000,000" in done.stderr.partition("Hint:")[2]


def test_a_million_judges_behind_each_grouping_are_not_drawn_one_by_one():
    columns = {"judge": list("aaabbbccc"), "item": list("xyz" * 3), "group": [1, 1, 2, 1, 1, 2, 1, 2, 2]}
    many, few = (
        q.consensus(q.Groupings.build({**columns, "count": [n] * 9}), resamples=100).to_dict()["overall"][0]
        for n in (1_000_000, 1000)
    )
    assert many["value"] == pytest.approx(few["value"])
    low, high = many["interval"]
    assert few["interval"][0] < low < many["value"] < high < few["interval"][1]


def test_counts_of_scores_that_cannot_be_laid_out_are_refused():
    columns = {"judge": list("aabb"), "item": list("xyxy"), "score": [1, 2, 2, 3], "count": [900_000] * 4}
    with pytest.raises(LimitReached, match="3,600,000 scores"):
        q.consensus(q.Scores.build(columns))


def test_patterns_of_too_many_items_are_refused_before_the_memory_is_full():
    items = [f"i{k}" for k in range(5001)]
    with pytest.raises(LimitReached, match="5,001 items"):
        next(frequent_patterns([items, items]))
    with pytest.raises(LimitReached, match="at most 5,000"):
        frespa(items, [items, items])
    ours = [[*items[:10], *items[10 + 2500 * k : 2510 + 2500 * k]] for k in range(2)]
    assert frespa(items[:10], ours, min_sup=1.0) == 1  # what one judge alone holds takes no room


def test_the_search_for_heavy_patterns_stops_before_long_ones_fill_the_memory(monkeypatch):
    monkeypatch.setattr(patterns, "CELLS", 1000)
    row = np.arange(1, 41)
    task = patterns.bitsets(np.stack([row, row]), np.array([1, 1]), 2)
    found, sure = patterns.heaviest(task, None, True, lambda n, s: float(n * s), (2, 40), 5, 200_000)
    assert not sure
    assert len(found) < 5
    monkeypatch.undo()
    found, sure = patterns.heaviest(task, None, True, lambda n, s: float(n * s), (2, 40), 5, 200_000)
    assert sure
    assert len(found) == 5


def test_left_out_items_of_a_large_task_are_checked_at_once():
    items = [f"i{k}" for k in range(20_000)]
    found = check({"judge": ["a"] * 20_000, "item": items, "group": [1] * 20_000}, ["left_out"])
    assert found.breaches == ()


def test_pairs_of_items_come_in_pieces_and_in_order(monkeypatch):
    monkeypatch.setattr(rank_correlation, "CELLS", 10)
    for items in range(8):
        pieces = list(rank_correlation.signs(np.tile(np.arange(1, items + 1), (1, 2, 1))))
        pairs = [(i, j) for _, first, second in pieces for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        assert pairs == list(itertools.combinations(range(items), 2))


@pytest.mark.parametrize("count", [1, 7, 2500, 2501, 1_000_000])
def test_random_orders_that_join_a_large_panel_are_few_rows_that_count_for_many(count):
    row, two = np.array([[0]]), np.array([[[1, 2, 3], [2, 1, 3]]])
    part = Stack(row[0], np.array([[0, 1]]), np.array([[0, 1, 2]]), two, np.array([[count, count]]))
    found = joined(part, 1.0, np.random.default_rng(0))
    assert found.counts[0, :2].tolist() == [count, count]
    assert found.counts[0, 2:].sum() == 2 * count
    assert found.shape[1] == 2 + min(2 * count, 5000)


def test_too_little_memory_is_said_and_no_traceback(tmp_path, monkeypatch):
    path = tmp_path / "scores.csv"
    path.write_text(GOOD)

    def full(*_, **__):
        raise MemoryError("Unable to allocate 2 TiB")

    monkeypatch.setattr(q.Scores, "build", full)
    done = CliRunner().invoke(main, ["agreement", str(path)])
    assert done.exit_code == 2
    assert done.stderr.startswith("Not enough memory. Unable to allocate 2 TiB")
    assert "--method" in done.stderr.partition("Hint:")[2]


def test_a_vote_by_a_list_is_a_bad_line(tmp_path):
    path = tmp_path / "nested.jsonl"
    path.write_text('{"judge": ["a"], "model_a": "x", "model_b": {"y": 1}, "winner": "tie"}\n')
    done = CliRunner().invoke(main, ["votes", str(path)])
    assert done.exit_code == 2, done.output
    assert "line 1: the model_b is a list or an object" in done.stderr


def test_a_vote_with_a_very_long_field_is_read(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("judge,model_a,model_b,winner\n" + "a" * 2000 + ",x,y,tie\n")
    usual = csv.field_size_limit(1000)
    try:
        done = CliRunner().invoke(main, ["votes", str(path), "--input-format", "votes"])
    finally:
        csv.field_size_limit(usual)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("judge,model_a,model_b,winner\n\n\na,x,y,nobody\n", "line 4: winner 'nobody'"),
        ("judge,model_a,model_b,winner\na,x,y,tie,more\n", "line 2: 5 fields"),
        ('judge,model_a,model_b,winner\na,x,y,"tie\n', "line 2: a quote is not closed"),
        ("judge,model_a,model_b,winner,judge\na,x,y,tie,b\n", "two columns have the same name: judge"),
        ('{"judge": "\\ud800", "model_a": "x", "model_b": "y", "winner": "tie"}\n', "line 1: there is half a char"),
    ],
)
def test_a_bad_vote_is_told_with_its_line(content, said, tmp_path):
    path = tmp_path / "odd.votes"
    path.write_text(content)
    done = CliRunner().invoke(main, ["votes", str(path)])
    assert done.exit_code == 2, done.output
    assert said in done.stderr


def test_blanks_around_the_names_of_a_table_of_votes_do_not_matter(tmp_path):
    path = tmp_path / "blanks.csv"
    path.write_text("judge, model_a, model_b, winner\nann,x,y,x\n")
    assert q.read(path).columns()["winner"] == ["model_a"]
