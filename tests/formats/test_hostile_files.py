"""Files that are not what they seem: the fact, the line and a hint, never a traceback."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError

GOOD = "judge,item,score\na,x,1\na,y,2\nb,x,2\nb,y,3\n"


def archive():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr("a.csv", GOOD)
    return held.getvalue()


BAD = {
    "wide.csv": (GOOD.encode("utf-16"), "NUL bytes", "--encoding utf-16 or"),
    "wide-be.csv": (GOOD.encode("utf-16-be"), "line 1", "--encoding utf-16-be"),
    "nul.csv": (b"\0" * 300, "line 1", "--encoding"),
    "scores.csv.zip": (archive(), "zip archive", "unzip it"),
    "sheet.csv": (archive(), "zip archive", "CSV"),
    "list.json": (b'[{"judge": "a", "item": "x", "score": 1}]', "JSON array", ".jsonl"),
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
    assert hint.removesuffix(" or") in done.stderr.partition("Hint:")[2]


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
    assert "no such folder" in done.stderr
