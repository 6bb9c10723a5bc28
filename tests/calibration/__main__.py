"""Measure every promise by simulation and write the page: ``python -m tests.calibration [WORD]... [--share 0.1]``."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

from tests.calibration.experiments import Experiment, every, outcomes

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LUCK = 0.001  # how likely chance alone may give what is marked
AT_A_TIME = 10  # panels a process is handed
TITLES = {
    "flags": (
        "False flags",
        "Judges who are all alike: of 100 panels at most 5 should have a flag. Sizes are tasks x judges.",
    ),
    "power": (
        "Planted judges",
        "One judge is planted: how often is that judge named, with the right diagnosis, and how often somebody else?",
    ),
    "null": (
        "p-values where there is nothing to find",
        "Judges or systems that answer at random, or systems that are equal: p is at most 0.05 in 5 of 100 panels.",
    ),
    "coverage": (
        "Intervals",
        "95% intervals of agreement should hold the value of very many tasks (or judges) like these in 95 of 100.",
    ),
    "needed": (
        "Judges needed",
        "Said from a panel of so many judges, against what drawing pairs of panels gives (target 0.9).",
    ),
}
HEAD = """# Calibration

What figures promise, measured by simulation: `make calibration` makes all panels anew and writes this page ({seconds}
CPU minutes when it was last run). In brackets is the number of panels; beside a rate that misses its promise by more
than luck (less than once in 1,000 times) stands an exclamation mark.
"""


def main() -> int:
    """Run what is asked for; 1 where a promise is missed beyond chance."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description="What is promised, measured.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="experiments whose section or kind it is (all)")
    parser.add_argument("--share", type=float, default=1.0, help="of the panels of each experiment (1)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (2)")
    parser.add_argument("--write", action="store_true", help="write docs/calibration.md")
    asked = parser.parse_args()
    for threads in THREADS:
        os.environ.setdefault(threads, "1")
    chosen = [e for e in every() if all(w in (e.section, e.kind) for w in asked.words)]
    found = measured(chosen, asked.share, asked.processes)
    text = page(chosen, found)
    if asked.write:
        PAGE.write_text(text, "utf-8")
    sys.stdout.write(text)
    return int(any(missed(e, rates) for e, rates in zip(chosen, found, strict=True)))


Rates = dict[str, tuple[float, int]]  # by name: the rate, and of how many panels


def measured(chosen: Sequence[Experiment], share: float, processes: int) -> list[Rates]:
    """The rates of every experiment."""
    jobs = [
        (e.section, e.kind, e.setting, a, min(a + AT_A_TIME, number))
        for e in chosen
        for number in [max(2, round(share * e.panels))]
        for a in range(0, number, AT_A_TIME)
    ]
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        results = list(pool.map(outcomes, jobs))
    out = []
    for e in chosen:
        rows = [
            row
            for job, rows in zip(jobs, results, strict=True)
            if job[:3] == (e.section, e.kind, e.setting)
            for row in rows
        ]
        names = dict.fromkeys(n for row in rows for n in row)
        values = {n: [float(row[n]) for row in rows if n in row] for n in names}
        out.append({n: (sum(v) / len(v), len(v)) for n, v in values.items()})
    return out


def off(rate: float, number: int, promise: float) -> bool:
    """Whether a rate is worse than promised, more alarms or less coverage, by more than luck: once in 1,000 times."""
    wrong, error = (rate, promise) if promise < 0.5 else (1 - rate, 1 - promise)
    hits = range(round(wrong * number), number + 1)
    return sum(math.comb(number, k) * error**k * (1 - error) ** (number - k) for k in hits) < LUCK


def missed(experiment: Experiment, rates: Rates) -> list[str]:
    """The names of what misses its promise."""
    if experiment.promise is None:
        return []
    return [n for n, (rate, number) in rates.items() if off(rate, number, experiment.promise)]


def page(chosen: Sequence[Experiment], found: Sequence[Rates]) -> str:
    """The page: a table per section and kind."""
    minutes = sum(os.times()[:4]) / 60
    lines = [HEAD.format(seconds=round(minutes))]
    for section, rows in groupby(zip(chosen, found, strict=True), key=lambda row: row[0].section):
        title, about = TITLES[section]
        lines += [f"## {title}\n", about, ""]
        for kind, some in groupby(rows, key=lambda row: row[0].kind):
            lines += [f"**{kind}**\n", *table(list(some)), ""]
    return "\n".join(lines)


def table(rows: Sequence[tuple[Experiment, Rates]]) -> Iterator[str]:
    """Settings down, figures across; where figures are many, the other way round."""
    names = list(dict.fromkeys(n for _, rates in rows for n in rates))
    cells = {(n, e.setting): cell(e, n, rates) for e, rates in rows for n in names}
    settings = [e.setting for e, _ in rows]
    down, across = (settings, names) if len(names) <= 3 else (names, settings)
    yield _line(["", *across])
    yield _line(["---", *["---:"] * len(across)])
    for d in down:
        yield _line([f"`{d}`" if d in names else d, *(cells[(d, a) if d in names else (a, d)] for a in across)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(experiment: Experiment, name: str, rates: Rates) -> str:
    """A rate as a percentage with the number of panels."""
    if name not in rates:
        return "-"
    rate, number = rates[name]
    alarm = " !" if name in missed(experiment, rates) else ""
    return f"{100 * rate:.0f}% ({number}){alarm}"


if __name__ == "__main__":
    sys.exit(main())
