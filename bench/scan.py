"""Whole commands on made-up Parquet files that stay in their files: rows a CPU second, and memory of all processes."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.clock import Row
from bench.made_up import ballots, write


def run(quick: bool) -> list[Row]:
    size = 1_000_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        names = ("sorted", "shuffled", "lists", "scores", "ballots")
        sorted_rows, mixed, lists, scores, polled = (Path(folder, n) for n in names)
        write(size, sorted_rows)
        write(size, mixed, shuffled=True)
        write(size, lists, systems=True)
        write(size, scores, scores=True)
        ballots(size, polled, 50)
        judged, listed = (str(f / "*.parquet") for f in (sorted_rows, lists))
        return [
            _row("agreement, tau_b, sorted by task", size, "agreement", judged, "--method", "tau_b"),
            _row("agreement, tau_b, shuffled", size, "agreement", str(mixed / "*.parquet"), "--method", "tau_b"),
            _row("judges, peer_correlation", size, "judges", judged, "--method", "peer_correlation"),
            _row("quality, two systems", size, "quality", judged, listed, "--method", "average_correlation"),
            _row("scores, agreement, alpha", size, "agreement", str(scores / "*.parquet"), "--method", "alpha"),
            _row("scores, quality, mean_score", size, "quality", str(scores / "*.parquet")),
            _row("one task, copeland", size, "consensus", str(polled / "*.parquet"), "--method", "copeland"),
        ]


def _row(name: str, rows: int, *command: str) -> Row:
    """A command's CPU seconds, of all its processes, and the most memory that they held together."""
    words = [sys.executable, "-m", "quorate", *command, "--memory", "2GB", "--workers", "2"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        most = max(most, _held(child.pid))
        time.sleep(0.25)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    title = f"{rows:,} rows in files, {name}"
    if child.returncode:
        return Row(title, note=f"failed: exit code {child.returncode}")
    note = f"all processes held {most / 1e6:,.0f} MB at most; starting two workers included"
    return Row(title, seconds, figure=rows / seconds, unit="rows/CPU-s", note=note)


def _held(pid: int) -> int:
    """Bytes of memory of a process and its children; 0 where that cannot be told."""
    try:
        import psutil

        own = psutil.Process(pid)
        return sum(p.memory_info().rss for p in (own, *own.children(recursive=True)))
    except Exception:  # it may have just ended
        return 0
