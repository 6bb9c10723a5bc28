"""How CPU time grows with the number of rows: every question of every kind at three sizes, and the exponent fitted.

Ten times the tasks (votes, of votes), items or judges are ten times the rows; an exponent of 1 is ten times the CPU
time, one below it less, as where fewer draws are made of more rows. *Units* are items of a single task by five judges,
who put them into groups of about twenty. Each kind runs in a process of its own (``python -m bench.growth KIND
tasks|units|items|judges SIZES``), after the same questions of a small panel, so that imports do not count.
"""

from __future__ import annotations

import json
import math
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
SMALL, QUICK = 3, 10  # tasks to begin with; and how many times smaller sizes are where it should be quick
SIZES = {
    "tasks": (500, 1500, 5000),  # of a task there are 200 rows
    "units": (2000, 6000, 20_000),
    "items": (20, 60, 200),
    "judges": (10, 30, 100),
}
OTHER_SIZES = {("scores", "units"): (30_000, 100_000, 300_000), ("scores", "items"): (60, 200, 1000)}
SYSTEMS, TASKS = 3, 20  # tasks where items or judges grow
ONE, GROUP = 5, 20  # judges of a single task, and items of a group of theirs
MOST = 1.1


def panels(kind: str, along: str, size: int) -> tuple[Any, Any]:
    """A panel of so many tasks, items or judges, and systems beside it, where they are a panel of their own."""
    how = shape(along, size) | ({"groups": size // GROUP} if (kind, along) == ("groupings", "units") else {})
    made = getattr(report, kind)
    beside = made(**{**how, "judges": SYSTEMS}) if kind in ("orderings", "groupings") else None
    return made(**how), beside


def shape(along: str, size: int) -> dict[str, int]:
    """How many tasks, judges and items there are."""
    if along == "units":
        return {"tasks": 1, "judges": ONE, "items": size}
    return {"tasks": TASKS, "judges": report.JUDGES, "items": report.ITEMS, along: size}


def rows(along: str, size: int) -> int:
    """How many rows a panel has."""
    return math.prod(shape(along, size).values())


def alone(kind: str, along: str, sizes: tuple[int, ...]) -> dict[str, list[float]]:
    """CPU seconds of every question at each size, in this process."""
    import quorate

    found: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    for given in (("tasks", SMALL), *((along, size) for size in sizes)):
        panel, systems = panels(kind, *given)
        for question in QUESTIONS:
            both = (panel, systems) if question == "quality" and systems is not None else (panel,)
            start = time.process_time()
            getattr(quorate, question)(*both)
            found[question].append(time.process_time() - start)
    return {question: each[1:] for question, each in found.items()}


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size that CPU seconds grow with: the slope of a line through their logarithms.

    >>> round(exponent((1, 10, 100), (3.0, 30.0, 300.0)), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def run(quick: bool) -> list[Row]:
    out = []
    for along, whole in SIZES.items():
        for kind in KINDS if along == "tasks" else KINDS[:-1]:  # votes have no more items than systems
            every = OTHER_SIZES.get((kind, along), whole)
            smaller = quick and along in ("tasks", "units")
            sizes = tuple(size // QUICK for size in every) if smaller else every[: 2 if quick else 3]
            number = [rows(along, size) for size in sizes]
            asked = [sys.executable, "-m", "bench.growth", kind, along, *map(str, sizes)]
            found = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
            for question, seconds in found.items():
                name = f"{kind}, {question}, {along}, {number[0]:,} to {number[-1]:,} rows"
                note = f"{', '.join(f'{s:.2f}' for s in seconds)} CPU s of {', '.join(f'{n:,}' for n in number)} rows"
                out.append(Row(name, seconds[-1], None, MOST, True, exponent(sizes, seconds), "power", note))
    return out


if __name__ == "__main__":
    print(json.dumps(alone(sys.argv[1], sys.argv[2], tuple(map(int, sys.argv[3:])))))
