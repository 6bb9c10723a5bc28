"""The progress bar of a long report: shown on a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="needs a Unix terminal")
CSV = "judge,item,position\n" + "".join(
    f"{j},{i},{p}\n" for j, order in (("ann", "abc"), ("bob", "acb"), ("cat", "abc")) for p, i in enumerate(order, 1)
)
SCRIPT = """
import itertools, sys, types
from quorate.cli import main, shared
shared.time = types.SimpleNamespace(monotonic=itertools.count(0, 10).__next__)  # ten seconds pass at every look
main(["report", sys.argv[1], "--format", "text", "--resamples", "100", "--permutations", "20"])
"""


@pytest.fixture
def command(tmp_path):
    (tmp_path / "in.csv").write_text(CSV)
    return [sys.executable, "-c", SCRIPT, str(tmp_path / "in.csv")]


def test_without_a_terminal_nothing_is_printed_beside_the_report(command):
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.startswith(b"Report on orderings")
    assert done.stderr == b""


def test_on_a_terminal_a_bar_is_shown_and_taken_away(command):
    ours, theirs = pty.openpty()
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    report, _ = done.communicate()
    assert done.returncode == 0
    assert "━".encode() in seen  # the bar
    assert b"/" in seen  # so many of so many
    assert b"\x1b[2K" in seen  # its line is cleared
    assert report.startswith(b"Report on orderings")
