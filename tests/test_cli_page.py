"""Pages: as wide as the terminal or COLUMNS say, plain and without trailing blanks in pipes, nothing cut off."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from quorate.cli import main

LONG = "a-judge-whose-name-is-much-longer-than-any-column-should-be"
QUORATE = [sys.executable, "-m", "quorate.cli"]


@pytest.fixture(scope="module")
def panel(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "scores.csv"
    rows = ["task,judge,item,criterion,score"]
    for task in range(4):
        for k, judge in enumerate((LONG, "ben", "cleo")):
            rows += [f"t{task},{judge},i{i},{c},{1 + (i * 7 + task + k * i) % 5}" for i in range(6) for c in ("p", "q")]
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


def piped(*words, **env):
    return CliRunner(env={"COLUMNS": None, "NO_COLOR": None, **env}).invoke(main, words)


def on_terminal(columns, *words, **env):
    """What a terminal of so many columns is sent."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    with subprocess.Popen(
        [*QUORATE, *words], stdout=follower, stderr=subprocess.DEVNULL, env={**kept, "TERM": "xterm", **env}
    ) as done:
        os.close(follower)
        out = b""
        while True:
            try:
                part = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            out += part
    os.close(leader)
    assert done.returncode == 0
    return out.decode().replace("\r", "")


@pytest.mark.parametrize("columns", [60, 100, 140])
def test_a_pipe_is_as_wide_as_columns_say_and_has_no_trailing_blanks(panel, columns):
    out = piped("agreement", panel, COLUMNS=str(columns)).stdout
    lines = out.splitlines()
    assert max(map(len, lines)) <= columns
    assert all(line == line.rstrip() for line in lines)
    assert "\x1b" not in out
    assert "…" not in out


def test_a_pipe_without_columns_is_80_wide(panel):
    out = piped("judges", panel, "--method", "bias", "--method", "noise").stdout
    assert 60 < max(map(len, out.splitlines())) <= 80


def test_a_narrow_terminal_is_kept_to(panel):
    out = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", on_terminal(60, "agreement", panel, "--method", "percent"))
    assert max(len(line.rstrip()) for line in out.splitlines()) <= 60


def test_without_colour_a_terminal_gets_no_escapes():
    assert "\x1b" not in on_terminal(80, "formats", NO_COLOR="1")
    assert "\x1b[1m" in on_terminal(80, "formats")


@pytest.mark.parametrize("output", ["text", pytest.param("csv", marks=pytest.mark.long)])
def test_a_reader_that_goes_away_is_no_error(panel, output):
    words = [*QUORATE, "consensus", panel, "--format", output, "--method", "mean"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        done.stdout.close()
        errors = done.stderr.read()
    assert (done.returncode, errors) == (0, b"")


def worked(process):
    """Seconds of a processor that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def test_an_interrupt_ends_with_130_and_no_traceback():
    words = ["plan", "--studies", "100000000", "--width", "0.002"]
    with subprocess.Popen([*QUORATE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        time.sleep(0 if Path("/proc").is_dir() else 2.5)
        while Path("/proc").is_dir() and worked(done.pid) < 1.2:  # by then it has started, on a busy machine too
            time.sleep(0.05)
        done.send_signal(signal.SIGINT)
        errors = done.stderr.read()
    assert (done.returncode, errors) == (130, b"Interrupted.\n")


@pytest.mark.parametrize(
    "call",
    [
        "judges clusters.csv --compare ann,bob",
        "pyramid score nuggets.csv",
        "rouge --peers summaries.csv --models models.csv",
        "metric features",
        "trust reviews.csv --metrics reviews_metrics.csv --method metrics",
    ],
)
def test_what_is_not_a_table_of_methods_is_as_wide_as_columns_say_too(call, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[1] / "docs" / "examples")
    narrow, wide = (piped(*call.split(), COLUMNS=str(columns)).stdout for columns in (60, 160))
    assert max(map(cell_len, narrow.splitlines())) <= 60
    assert max(map(cell_len, wide.splitlines())) > 60
