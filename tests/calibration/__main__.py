"""Measure every promise by simulation: ``python -m tests.calibration [WORD]... [--panels 20] [--write]``.

An interrupted run goes on where it stopped. How long it takes is said as soon as each experiment has had two panels.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.calibration import pieces
from tests.calibration.experiment import Experiment
from tests.calibration.experiments import Job, every, outcomes
from tests.calibration.page import missed, page, pictures, rates

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
AT_A_TIME = 5  # panels a process is handed


def main() -> int:
    """Run what is asked for; 1 where a promise is missed beyond chance."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description="What is promised, measured.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="of a section, of a kind, or in the setting (all)")
    parser.add_argument("--panels", type=int, help="of each experiment (40 to 100)")
    parser.add_argument("--processes", type=int, default=2, help="at a time (2)")
    parser.add_argument("--so-far", action="store_true", help="run nothing: the page of what is measured already")
    parser.add_argument("--write", action="store_true", help="write docs/calibration.md and its pictures")
    asked = parser.parse_args()
    for threads in THREADS:
        os.environ.setdefault(threads, "1")
    chosen = [e for e in every() if all(w in (e.section, e.kind) or w in e.setting for w in asked.words)]
    if not chosen:
        parser.error("no such experiment; words: flags, power, null, coverage, needed, a kind, a part of a setting.")
    wanted = {e.key: asked.panels or e.panels for e in chosen}
    if asked.so_far:
        chosen = [e for e in chosen if pieces.read(e)]
    else:
        run(chosen, wanted, asked.processes)
    found = {e.key: [o for o in pieces.read(e) if o[0] < wanted[e.key]] for e in chosen}
    rows = [(e, rates(found[e.key])) for e in chosen]
    text = page(rows, sum(seconds for some in found.values() for _, seconds, _ in some) / 60)
    if asked.write:
        PAGE.write_text(text, "utf-8")
        PAGE.with_suffix("").mkdir(exist_ok=True)
        for name, svg in pictures(rows).items():
            (PAGE.with_suffix("") / f"{name}.svg").write_text(svg, "utf-8")
    sys.stdout.write(text)
    return int(any(missed(*row) for row in rows))


def run(chosen: Sequence[Experiment], wanted: dict[tuple[str, str, str], int], processes: int) -> None:
    """Two panels of every experiment, by which it is said how long all take, and then the others."""
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        measure(pool, chosen, {key: min(2, number) for key, number in wanted.items()})
        _say(f"{_estimate(chosen, wanted) / 60 / processes:.0f} minutes to go, about")
        measure(pool, chosen, wanted)


def measure(pool: ProcessPoolExecutor, chosen: Sequence[Experiment], wanted: dict[tuple[str, str, str], int]) -> None:
    """Run the panels that are still to be made, a few of every experiment at a time, and keep what comes out."""
    named, jobs = {e.key: e for e in chosen}, list[Job]()
    for e in chosen:
        known = {seed for seed, *_ in pieces.read(e)}
        left = [seed for seed in range(wanted[e.key]) if seed not in known]
        jobs += [(e.key, tuple(left[a : a + AT_A_TIME])) for a in range(0, len(left), AT_A_TIME)]
    jobs.sort(key=lambda job: job[1][0])
    waiting = {pool.submit(outcomes, job): job for job in jobs}
    for done, future in enumerate(as_completed(waiting), 1):
        pieces.keep(named[waiting[future][0]], future.result())
        if done % 50 == 0 or done == len(jobs):
            _say(f"{done} of {len(jobs)} pieces")


def _estimate(chosen: Sequence[Experiment], wanted: dict[tuple[str, str, str], int]) -> float:
    """CPU seconds that are left, by what panels took so far."""
    total = 0.0
    for e in chosen:
        took = [seconds for _, seconds, _ in pieces.read(e)]
        total += max(wanted[e.key] - len(took), 0) * min(took)  # the first also takes what is measured once
    return total


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
