"""A million rows: the same bytes from memory, two processes and a Dask cluster, and memory as it was allowed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import quorate as q
from bench.made_up import ballots, votes, write

BRIEF = {"resamples": 100, "permutations": 20}


@pytest.fixture(scope="module")
def million(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("million")
    write(1_000_000, folder)
    return str(folder / "*.parquet")


@pytest.fixture(scope="module")
def expected(million) -> str:
    return q.agreement(q.read(*q.scan(million).source.files), "tau_b", **BRIEF).to_json()


@pytest.mark.long
def test_a_million_rows_in_two_processes(million, expected):
    assert q.agreement(q.scan(million, workers=2), "tau_b", **BRIEF).to_json() == expected


@pytest.mark.long
def test_a_million_rows_on_a_cluster(million, expected):
    pytest.importorskip("distributed")
    assert q.agreement(q.scan(million), "tau_b", cluster="local:2", **BRIEF).to_json() == expected


def peak(command: list[str], out: Path) -> int:
    """The most memory that a command and its processes held at a time, in bytes."""
    psutil = pytest.importorskip("psutil")
    with out.open("w") as stream:
        run = subprocess.Popen(command, stdout=stream)
        most, root = 0, psutil.Process(run.pid)
        while run.poll() is None:
            held = 0
            try:
                for process in [root, *root.children(recursive=True)]:
                    held += process.memory_info().rss
            except psutil.NoSuchProcess:
                pass
            most = max(most, held)
            time.sleep(0.05)
    assert run.returncode == 0
    return most


@pytest.mark.parametrize("rows", [50_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_memory_stays_below_what_is_allowed(rows, tmp_path):
    write(rows, tmp_path)
    allowed = 800 * 10**6
    command = ["agreement", str(tmp_path / "*.parquet"), "--method", "tau_b", "--memory", "800MB", "--workers", "2"]
    out = tmp_path / "answer.json"
    held = peak([sys.executable, "-m", "quorate", *command, "--format", "json"], out)
    assert 0 < held < allowed
    assert json.loads(out.read_text())["tasks"] == rows // 100


@pytest.mark.parametrize("rows", [50_000, pytest.param(6_000_000, marks=pytest.mark.long)])
def test_rankings_of_one_task_are_counted_in_as_little(rows, tmp_path):
    ballots(rows, tmp_path, 20)
    command = ["consensus", str(tmp_path / "*.parquet"), "--method", "copeland", "--memory", "800MB", "--workers", "2"]
    out = tmp_path / "answer.json"
    held = peak([sys.executable, "-m", "quorate", *command, "--format", "json"], out)
    assert 0 < held < 800 * 10**6
    assert json.loads(out.read_text())["judges"] == rows // 20


@pytest.mark.parametrize("rows", [50_000, pytest.param(2_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        pytest.param("scores", ("judges", "noise"), marks=pytest.mark.long),
        ("votes", ("quality", "win_rate")),
    ],
)
def test_judges_of_scores_and_votes_take_as_little(kind, asked, rows, tmp_path):
    write(rows, tmp_path, scores=True) if kind == "scores" else votes(rows, tmp_path)
    question, method = asked
    command = [question, str(tmp_path / "*.parquet"), "--method", method, "--memory", "900MB", "--workers", "1"]
    out = tmp_path / "answer.json"
    held = peak([sys.executable, "-m", "quorate", *command, "--resamples", "20", "--format", "json"], out)
    assert 0 < held < 900 * 10**6
    assert json.loads(out.read_text())["tasks"] == rows // (100 if kind == "scores" else 10)
