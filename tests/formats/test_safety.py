"""Files that anybody wrote: formulas, text that is turned round, too many bytes, and a process that is told to stop."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import resources

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.document.blocks import Document
from quorate.document.fitting import harmless
from quorate.document.html import page
from quorate.errors import InputError
from quorate.formats import parquet
from quorate.formats.cells import as_written, no_formula
from tests import strategies

EVIL = "=HYPERLINK(1)"
SCORES = f"judge,item,score\n{EVIL},x,1\n{EVIL},y,-2\nbob,x,2\nbob,y,-3\n"


@pytest.fixture
def file(tmp_path):
    def make(content, name="a.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_csv_for_people_has_no_formulas_and_reads_back(file, tmp_path):
    path, out = file(SCORES), tmp_path / "out.csv"
    assert CliRunner().invoke(main, ["convert", str(path), str(out)]).exit_code == 0
    assert f"'{EVIL},y,-2" in out.read_text()
    assert q.read(out) == q.read(path)
    assert CliRunner().invoke(main, ["convert", "--raw", str(path), str(out)]).exit_code == 0
    assert out.read_text() == SCORES
    q.write(q.read(path), out)
    assert out.read_text() == SCORES  # written by a program for programs
    answer = ["judges", str(path), "--method", "bias", "--format", "csv", "--resamples", "50"]
    assert f"'{EVIL}" in CliRunner().invoke(main, answer).output
    raw = CliRunner().invoke(main, [*answer, "--raw"]).output
    assert EVIL in raw
    assert f"'{EVIL}" not in raw


@strategies.examples(40)
@given(st.text(alphabet="'=+-@\t\r5.ab ", max_size=6))
def test_an_escaped_text_reads_back(text):
    for raw in (False, True):
        assert as_written(no_formula(text, raw)) == text
    assert no_formula(text)[:1] not in ("=", "@") or not text


def test_text_that_turns_round_is_shown_and_not_obeyed(file):
    path = file("judge,item,score\ngpj.\u202efdp,x,1\nbob,x,2\n")
    for command in (["inspect", str(path)], ["judges", str(path), "--method", "bias"]):
        said = CliRunner().invoke(main, command).output
        assert "\u202e" not in said
        assert command[0] == "inspect" or "[U+202E]" in said
    assert harmless("a\u2066b\u2069") == "a[U+2066]b[U+2069]"
    cell = q.judges(q.read(path), "bias", resamples=50)._repr_html_()
    assert "\u202e" not in cell
    assert "[U+202E]" in cell


def test_more_bytes_than_are_allowed(file):
    path = file(SCORES)
    assert len(q.read(path, max_bytes=len(SCORES))) == 4
    with pytest.raises(InputError, match="--max-bytes"):
        q.read(path, max_bytes=len(SCORES) - 1)
    with pytest.raises(InputError, match="is no number of bytes"):
        q.read(path, max_bytes="many")
    done = CliRunner().invoke(main, ["inspect", str(path), "--max-bytes", "10"])
    assert done.exit_code == 2
    assert "more than 10 B after unpacking" in done.stderr


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl.gz", "a.rankings.gz", "a.csv"])
def test_one_huge_line_that_was_packed_well_is_stopped(file, name):
    path = file(gzip.compress(b"judge,item,score\n" + b"a" * 30_000_000), name)
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match="--max-bytes"):
        q.read(path, max_bytes="5M")


def test_stdin_has_its_budget_too(monkeypatch):
    done = subprocess.run(
        [sys.executable, "-m", "quorate", "inspect", "-", "--max-bytes", "20"],
        input=SCORES.encode(),
        capture_output=True,
    )
    assert done.returncode == 2
    assert b"stdin: more than 20 B" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_told_to_stop_leaves_no_half_file(tmp_path, number):
    code = (
        "import signal, time\n"
        "from pathlib import Path\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored by all that nohup starts\n"
        "from quorate.cli import main\n"
        "from quorate.formats.files import whole\n"
        "@main.command('slow')\n"
        "def slow():\n"
        "    with whole(Path('out.csv')) as stream:\n"
        "        stream.write(b'half'); stream.flush(); print('ready', flush=True)\n"
        "        time.sleep(60)\n"
        "main(['slow'])\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert any(name.endswith(".part") for name in os.listdir(tmp_path))
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert os.listdir(tmp_path) == []


def test_a_damaged_parquet_file_is_an_error_and_no_more(tmp_path):
    pl = pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    pl.DataFrame(
        {"judge": ["a", "b"] * 50, "item": [f"i{k // 2}" for k in range(100)], "score": range(100)}
    ).write_parquet(path)
    whole = path.read_bytes()
    rng = random.Random(2)
    for _ in range(40):
        broken = bytearray(whole)
        for _ in range(rng.choice([1, 4, 30])):
            broken[rng.randrange(4, len(broken))] = rng.randrange(256)
        path.write_bytes(bytes(broken))
        with suppress(q.QuorateError):
            q.read(path)
    path.write_bytes(whole)
    assert len(q.read(path)) == 100


def test_a_decoder_that_dies_takes_nothing_with_it(tmp_path, monkeypatch):
    pl = pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    pl.DataFrame({"judge": ["a"], "item": ["x"], "score": [1]}).write_parquet(path)
    script = tmp_path / "parquet_decoder.py"
    script.write_text("import os\nos.abort()\n")
    parquet._decoder.stop()
    monkeypatch.setattr(parquet, "__file__", str(tmp_path / "parquet.py"))
    with pytest.raises(InputError, match="damaged"):
        q.read(path)
    monkeypatch.undo()
    assert len(q.read(path)) == 1


def test_parquet_that_unpacks_to_more_than_is_allowed(tmp_path):
    pl = pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    pl.DataFrame({"judge": ["a"] * 100_000, "item": ["x"] * 100_000, "score": [1] * 100_000}).write_parquet(path)
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match="--max-bytes"):
        q.read(path, max_bytes="100K")


def test_a_page_may_not_make_code_of_text_nor_send_anything():
    frame = resources.files("quorate.document").joinpath("page", "frame.html").read_text("utf-8")
    policy = frame.partition("Content-Security-Policy")[2].partition(">")[0]
    assert "unsafe-eval" not in policy
    for rule in ("default-src 'none'", "base-uri 'none'", "form-action 'none'"):
        assert rule in policy
        assert rule in page(Document("", ()))
