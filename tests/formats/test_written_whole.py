"""A file that is written is there whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.formats.files import Sink

GOOD = "judge,item,score\na,x,1\na,y,2\nb,x,2\nb,y,3\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(GOOD)
    return path


def half_written(target):
    with Sink(target).text() as stream:
        stream.write("half " * 10_000)
        raise KeyboardInterrupt


def test_who_is_interrupted_keeps_what_was_there(tmp_path):
    target = tmp_path / "page.html"
    target.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        half_written(target)
    assert target.read_text() == "before"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_report_that_cannot_be_finished_leaves_nothing(good, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        q.report(q.read(good), resamples=100, permutations=0).save(tmp_path / "page.txt")
    assert os.listdir(tmp_path) == ["in.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_permissions_and_links_stay(tmp_path):
    target, link, new = (tmp_path / n for n in ("kept.txt", "link.txt", "new.txt"))
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    for path in (link, new):
        with Sink(path).text() as stream:
            stream.write("after")
    assert link.is_symlink()
    assert target.read_text() == new.read_text() == "after"
    assert target.stat().st_mode & 0o777 == 0o640
    mask = os.umask(0)
    os.umask(mask)
    assert new.stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk here")
@pytest.mark.parametrize("command", ["agreement", "report"])
def test_a_full_disk_is_said(good, command):
    form = ["--format", "json"]
    done = CliRunner().invoke(main, [command, str(good), *form, "--out", "/dev/full"])
    assert done.exit_code == 2
    assert "/dev/full: cannot be written (No space left on device)" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk here")
def test_a_full_disk_behind_standard_output_is_said(good):
    import subprocess

    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "quorate.cli", "agreement", str(good)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("No space left on device.\n\nHint: ")


@pytest.mark.parametrize("command", ["agreement", "judges", "consensus", "quality", "trust", "report"])
def test_the_answer_is_not_written_over_the_judgments(good, command, monkeypatch):
    monkeypatch.chdir(good.parent)
    done = CliRunner().invoke(main, [command, "in.csv", "--format", "json", "--out", str(good)])
    assert done.exit_code == 2
    assert "the command reads this file" in done.stderr
    assert good.read_text() == GOOD


@pytest.mark.parametrize(
    "call",
    [
        "pyramid score units.csv --texts {0}",
        "pyramid auto units.csv --teams {0}",
        "pyramid agreement units.csv --judges {0}",
        "metric score {0} year.csv",
        "metric train {0} other.csv",
        "rouge --peers peers.csv --models peers.csv --stop-words-file {0}",
        "report other.csv --units {0}",
    ],
)
def test_nor_over_any_other_file_that_a_command_reads(good, call, monkeypatch):
    monkeypatch.chdir(good.parent)
    for name in ("units.csv", "year.csv", "other.csv", "peers.csv"):
        good.with_name(name).write_text(GOOD)
    done = CliRunner().invoke(main, [*call.format(good).split(), "--out", "../" + good.parent.name + "/in.csv"])
    assert done.exit_code == 2
    assert "the command reads this file" in done.stderr
    assert good.read_text() == GOOD


@pytest.mark.parametrize(
    "call", ["agreement none.csv", "patterns none.csv", "reproduce kappa", "pyramid score none.pan"]
)
def test_a_folder_that_is_not_there_is_told_before_the_work(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, [*call.split(), "--out", "no/such.txt"])
    assert done.exit_code == 2
    assert "there is no folder no. Make it" in done.stderr


QUORATE = [sys.executable, "-m", "quorate.cli"]


def test_standard_input_that_is_closed_is_told(good):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *QUORATE, "convert", "-", "-"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("InputError: standard input is closed.\n\nHint: ")


@pytest.mark.parametrize("form", ["text", pytest.param("json", marks=pytest.mark.long)])
def test_standard_output_that_is_closed_is_told_where_it_is_needed(good, form):
    call = [*QUORATE, "agreement", str(good), "--method", "percent", "--format", form]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *call], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Standard output is closed.")
    written = ["--out", str(good.with_name("answer.txt"))]
    assert subprocess.run(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *call, *written]).returncode == 0


def test_a_name_that_standard_output_has_no_letters_for_is_escaped(good):
    good.write_text(GOOD.replace("a,", "李雷,"), encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    call = [*QUORATE, "judges", str(good)]
    done = subprocess.run(call, capture_output=True, env=ascii_only)
    assert done.returncode == 0, done.stderr
    assert rb"\u674e\u96f7" in done.stdout
    done = subprocess.run([*call, "--format", "json"], capture_output=True, env=ascii_only)
    assert "李雷" in {row["judge"] for row in json.loads(done.stdout.decode("utf-8"))["results"]}


def test_a_file_whose_name_is_no_utf8_can_be_reported_on(good):
    odd = os.fsdecode(os.fsencode(good.parent) + b"/\xfe.csv")
    os.rename(good, odd)
    done = CliRunner().invoke(main, ["report", odd, "--out", str(good.with_name("page.json"))])
    assert done.exit_code == 0, done.output
    assert json.loads(good.with_name("page.json").read_text())["inputs"][0]["name"].endswith(r"\udcfe.csv")
