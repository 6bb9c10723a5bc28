"""How CPU time grows with the number of rows: every question of every kind at three sizes, and the exponent fitted.

Ten times the tasks (votes, of votes) are ten times the rows; an exponent of 1 is ten times the CPU time, one below it
less, as where fewer draws are made of more rows. Each kind runs in a process of its own (``python -m bench.growth
KIND``), after the same questions of a small panel, so that imports do not count.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bench import report
from bench.clock import Row

KINDS = ("orderings", "groupings", "scores", "votes")
QUESTIONS = ("agreement", "judges", "consensus", "quality", "trust")
SMALL, SIZES, QUICK = 3, (500, 1500, 5000), (50, 150, 500)  # tasks; a task has 200 rows
SYSTEMS, ROWS = 3, report.JUDGES * report.ITEMS
MOST = 1.1


def panels(kind: str, tasks: int) -> tuple[Any, Any]:
    """A panel of so many tasks, and the systems that quality is asked of, where they are a panel of their own."""
    made = getattr(report, kind)
    return made(tasks), made(tasks, SYSTEMS) if kind in ("orderings", "groupings") else None


def alone(kind: str, sizes: tuple[int, ...]) -> dict[str, list[float]]:
    """CPU seconds of every question at each size, in this process."""
    import quorate

    found: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    for tasks in (SMALL, *sizes):
        panel, systems = panels(kind, tasks)
        for question in QUESTIONS:
            given = (panel, systems) if question == "quality" and systems is not None else (panel,)
            start = time.process_time()
            getattr(quorate, question)(*given)
            found[question].append(time.process_time() - start)
    return {question: each[1:] for question, each in found.items()}


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size that CPU seconds grow with: the slope of a line through their logarithms.

    >>> round(exponent((1, 10, 100), (3.0, 30.0, 300.0)), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def run(quick: bool) -> list[Row]:
    rows = []
    sizes = QUICK if quick else SIZES
    for kind in KINDS:
        asked = [sys.executable, "-m", "bench.growth", kind, *map(str, sizes)]
        found = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
        for question, seconds in found.items():
            name = f"{kind}, {question}, {sizes[0] * ROWS:,} to {sizes[-1] * ROWS:,} rows"
            note = f"{', '.join(f'{s:.2f}' for s in seconds)} CPU s of {', '.join(f'{n * ROWS:,}' for n in sizes)} rows"
            rows.append(Row(name, seconds[-1], None, MOST, True, exponent(sizes, seconds), "power", note))
    return rows


if __name__ == "__main__":
    print(json.dumps(alone(sys.argv[1], tuple(map(int, sys.argv[2:])))))
