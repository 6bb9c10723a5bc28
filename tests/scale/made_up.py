"""Small panels of very many tasks: ties, gaps, lone judges, names in other alphabets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from quorate.scale import Scan
from quorate.scale.pool import Job


class Here:
    """Whoever works jobs off in this process, the last one first."""

    def each(self, jobs: Sequence[Job]) -> Iterator[tuple[int, str, Any]]:
        for k in reversed(range(len(jobs))):
            yield k, *jobs[k]()

    def rest(self) -> None:
        self.rested = True


def here(scan: Scan) -> Scan:
    """A scan whose work is done in this process: where processes are not what is looked at."""
    scan.__dict__["pool"] = Here()
    return scan


TASKS = 90  # more than chance is estimated on
SCORED = 230  # tasks whose scores are more than are held at once


def orderings(
    seed: int = 0, tasks: int = TASKS, judges: tuple[str, ...] = ("ann", "bob", "çelik", "j10", "j9")
) -> pl.DataFrame:
    """Orderings of 1 to 5 judges and 2 to 5 items a task, with ties and gaps; one judge is at random."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in rng.permutation(tasks).tolist():
        items = [f"文{i}" for i in range(int(rng.integers(2, 6)))]
        there = [j for j in judges if rng.random() < 0.8] or [judges[0]]
        for judge in there:
            noise = 9.0 if judge == judges[-1] else 1.0
            key = np.arange(len(items)) + noise * rng.normal(size=len(items))
            place = np.argsort(np.argsort(key)) + 1
            place = (place + 1) // 2 if rng.random() < 0.2 else place
            kept = [k for k in range(len(items)) if rng.random() < 0.9] or [0]
            rows += [(f"t{t}", judge, items[k], int(place[k])) for k in kept]
    return pl.DataFrame(rows, schema=["task", "judge", "item", "position"], orient="row")


def files(frame: pl.DataFrame, folder: Path, pieces: int = 2) -> str:
    """The rows in several files, whole tasks together; the pattern that names them."""
    folder.mkdir(parents=True, exist_ok=True)
    size = -(-frame.height // pieces)
    for k in range(pieces):
        frame.slice(k * size, size).write_parquet(folder / f"part-{k}.parquet", row_group_size=250)
    return str(folder / "*.parquet")


def groupings(
    seed: int = 0,
    tasks: int = TASKS,
    judges: tuple[str, ...] = ("ann", "bob", "çelik", "j10", "j9"),
    *,
    left_out: float = 0.1,
) -> pl.DataFrame:
    """Groupings of 1 to 5 judges and 3 to 7 items a task, some items left out with a row or without; one at random."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in rng.permutation(tasks).tolist():
        number = int(rng.integers(3, 8))
        truth = rng.integers(0, 3, number)
        for judge in [j for j in judges if rng.random() < 0.8] or [judges[0]]:
            moved = rng.random(number) < (0.9 if judge == judges[-1] else 0.15)
            group = np.where(moved, rng.integers(0, 3, number), truth)
            draw = rng.random(number)
            for k in range(number):
                if k and draw[k] < left_out / 2:
                    continue
                rows.append((f"t{t}", judge, f"文{k}", None if draw[k] < left_out else f"g{group[k]}"))
    return pl.DataFrame(rows, schema=["task", "judge", "item", "group"], orient="row")


def scores(
    seed: int = 0, tasks: int = SCORED, judges: tuple[str, ...] = ("ann", "bob", "çelik", "j10", "j9")
) -> pl.DataFrame:
    """Scores of 1 to 5 judges and 1 to 5 items a task, in quarters, some of them missing; one judge is at random."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in rng.permutation(tasks).tolist():
        level = rng.normal(3, 1, int(rng.integers(1, 6)))
        for judge in [j for j in judges if rng.random() < 0.6] or [judges[0]]:
            seen = level + rng.normal(0, 3.0 if judge == judges[-1] else 0.4, len(level))
            value = (np.rint(4 * seen) / 4 + 0.1).tolist()
            rows += [
                (f"t{t}", judge, f"文{k}", None if rng.random() < 0.03 else v)
                for k, v in enumerate(value)
                if rng.random() < 0.9
            ]
    return pl.DataFrame(rows, schema=["task", "judge", "item", "score"], orient="row")


def ballots(judges: int = 30, tasks: tuple[str, ...] = ("",), gaps: float = 0.2, seed: int = 0) -> pl.DataFrame:
    """Rankings of 6 items with ties, and gaps unless there are none; without a column of tasks where there is one."""
    rng, rows = np.random.default_rng(seed), []
    for task in tasks:
        for judge in range(judges):
            place = np.argsort(np.argsort(np.arange(6) + rng.normal(0, 3, 6))) + 1
            place = (place + 1) // 2 if judge % 5 == 0 else place
            kept = [k for k in range(6) if rng.random() >= gaps] or [0]
            rows += [(task, f"vöter {judge}", f"文{k}", int(place[k])) for k in kept]
    frame = pl.DataFrame(rows, schema=["task", "judge", "item", "position"], orient="row")
    return frame.drop("task") if tasks == ("",) else frame


def votes(
    seed: int = 0, tasks: int = SCORED, judges: tuple[str, ...] = ("ann", "bob", "çelik", "j10", "j9")
) -> pl.DataFrame:
    """Votes of 1 to 5 judges on one pair a task or more, some of them again, in the other places or without a winner;
    bob gives verdicts on both orders, and one judge is at random."""
    rng, rows = np.random.default_rng(seed), []
    for t in rng.permutation(tasks).tolist():
        for judge in [j for j in judges if rng.random() < 0.7] or [judges[0]]:
            for _ in range(int(rng.integers(1, 3))):
                a, b = rng.choice(6, 2, replace=False).tolist() if rng.random() < 0.3 else (t % 3, 3 + t % 2)
                odds = 0.0 if judge == judges[-1] else (a - b) / 1.5
                said = "model_a" if rng.random() < 1 / (1 + np.exp(-odds)) else "model_b"
                said = "tie" if rng.random() < 0.1 else "" if rng.random() < 0.03 else said
                said = "tie (inconsistent)" if judge == "bob" and rng.random() < 0.1 else said
                rows.append((f"t{t}", judge, f"文{a}", f"文{b}", said))
                if rng.random() < 0.2:
                    rows.append((f"t{t}", judge, f"文{b}", f"文{a}", said))
    return pl.DataFrame(rows, schema=["task", "judge", "model_a", "model_b", "winner"], orient="row")


def card_sorts(judges: int = 45, *, left_out: float = 0.0, shown: int = 9, seed: int = 0) -> pl.DataFrame:
    """One task: groups of up to 9 cards by many judges, some cards left out with a row or without, or some shown."""
    rng = np.random.default_rng(seed)
    rows = []
    for j in rng.permutation(judges).tolist():
        group = np.where(rng.random(9) < 0.3, rng.integers(0, 3, 9), np.arange(9) // 3)
        for k in np.sort(rng.choice(9, shown, replace=False)).tolist():
            draw = rng.random()
            if draw >= left_out / 2:
                rows.append((f"sorter {j}", f"çard {k}", None if draw < left_out else f"g{group[k]}"))
    return pl.DataFrame(rows, schema=["judge", "item", "group"], orient="row")
