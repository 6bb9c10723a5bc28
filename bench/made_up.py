"""Made-up judgments of any number of rows, written piece by piece: ``python -m bench.made_up 1e8 FOLDER``.

A task is 10 judges x 10 items, so 10^8 rows are a million tasks. Orderings are those of judges who see one order with
noise; the systems' lists of ``--systems`` are two more such judges, one of them noisier; ``--scores`` are whole numbers
from 1 to 5. Rows are sorted by task, unless ``--shuffled``. ``--ballots 200`` are complete rankings of 200 items of one
task, each by a judge of its own who sees one order with much noise, or less by ``--noise``; ``--ties 8`` puts the items
into as many places, ``--gaps 0.3`` leaves so many out, ``--top 100`` all but a judge's best 100. ``--sorts 40`` are
groups of 40 items of one task, each by a judge of its own who puts 30% of them anywhere among eight groups, or among
``--groups``. ``--votes`` are of 50 judges between 20 systems (``--compared``), one pair a task, shown either way: of
ten judges on each task, or as many as ``--of`` says. ``--rated 1000`` are scores of 1,000 items of a task by three
judges (``--of``), or ``--labels``, in as many tasks as there are rows for.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import polars as pl

JUDGES, ITEMS, TASKS = 10, 10, 50_000  # of a task, and tasks of a file
VOTERS, SYSTEMS = 50, 20  # of votes


def frame(tasks: np.ndarray, judges: list[str], noise: list[float], seed: int, scores: bool) -> pl.DataFrame:
    """All rows of some tasks."""
    size, number = len(tasks), len(judges)
    truth = np.random.default_rng([0, int(tasks[0])])  # the same for judges and systems
    level = truth.permuted(np.tile(np.arange(ITEMS), (size, 1)), axis=1)[:, None, :]
    rng = np.random.default_rng([seed, int(tasks[0])])
    seen = level + np.array(noise)[None, :, None] * rng.normal(size=(size, number, ITEMS))
    if scores:
        value = pl.Series("score", np.clip(np.rint(1 + seen / 2), 1, 5).astype(np.int8).ravel())
    else:
        value = pl.Series("position", (seen.argsort(axis=2).argsort(axis=2) + 1).astype(np.int8).ravel())
    task = pl.Series("task", [f"q{t:08d}" for t in tasks.tolist()])
    each = pl.Series("judge", judges)
    item = pl.Series("item", [f"d{i}" for i in range(ITEMS)])
    rows = np.arange(size * number * ITEMS, dtype=np.uint32)
    return pl.DataFrame(
        [
            task.gather(rows // (number * ITEMS)),
            each.gather(rows // ITEMS % number),
            item.gather(rows % ITEMS),
            value,
        ]
    )


def write(rows: int, folder: Path, *, systems: bool = False, scores: bool = False, shuffled: bool = False) -> int:
    """So many rows of judgments, or of as many tasks the systems' lists; how many were written."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks, written = max(1, rows // (JUDGES * ITEMS)), 0
    judges = [f"s{k}" for k in range(2)] if systems else [f"j{k}" for k in range(JUDGES)]
    noise = [1.5, 6.0] if systems else [2.0 + 0.2 * k for k in range(JUDGES)]
    for a in range(0, tasks, TASKS):
        part = frame(np.arange(a, min(a + TASKS, tasks)), judges, noise, 7 if systems else 1, scores)
        part = part.sample(fraction=1, shuffle=True, seed=a) if shuffled else part
        part.write_parquet(folder / f"part-{a // TASKS:04d}.parquet", row_group_size=250_000)
        written += part.height
    return written


def ballots(
    rows: int, folder: Path, items: int, ties: int = 0, gaps: float = 0.0, noise: float = 1.0, top: int = 0
) -> int:
    """So many rows of rankings of one task, and those of absent items; how many rows there would be without gaps."""
    folder.mkdir(parents=True, exist_ok=True)
    judges, at_once = rows // items, max(1, 5_000_000 // items)
    names = pl.Series("item", [f"d{i:04d}" for i in range(items)])
    for k, a in enumerate(range(0, judges, at_once)):
        size = min(at_once, judges - a)
        rng = np.random.default_rng([1, k])
        seen = np.arange(items) + noise * items * rng.normal(size=(size, items)).astype(np.float32)
        place = np.empty(seen.shape, np.int32)
        np.put_along_axis(place, seen.argsort(axis=1), np.arange(1, items + 1, dtype=np.int32)[None], axis=1)
        listed = (rng.random(place.size) >= gaps) & (place.ravel() <= (top or items))
        place = -(-place.astype(np.int64) * ties // items).astype(np.int32) if ties else place
        row = np.flatnonzero(listed).astype(np.uint32)
        judge = pl.Series("judge", [f"v{j:08d}" for j in range(a, a + size)])
        part = [judge.gather(row // items), names.gather(row % items), pl.Series("position", place.ravel()[row])]
        pl.DataFrame(part).write_parquet(folder / f"part-{k:04d}.parquet", row_group_size=250_000)
    return judges * items


def sorts(rows: int, folder: Path, items: int, groups: int = 8) -> int:
    """So many rows of groupings of one task; how many were written."""
    folder.mkdir(parents=True, exist_ok=True)
    judges, at_once = rows // items, max(1, 5_000_000 // items)
    names = {
        n: pl.Series(n, [f"{n[0]}{k:04d}" for k in range(size)]) for n, size in (("item", items), ("group", groups))
    }
    for k, a in enumerate(range(0, judges, at_once)):
        size, rng = min(at_once, judges - a), np.random.default_rng([3, k])
        anywhere = rng.random((size, items)) < 0.3
        group = np.where(anywhere, rng.integers(groups, size=(size, items)), np.arange(items) % groups).ravel()
        row = np.arange(size * items, dtype=np.uint32)
        judge = pl.Series("judge", [f"v{j:08d}" for j in range(a, a + size)])
        part = [judge.gather(row // items), names["item"].gather(row % items), names["group"].gather(group)]
        pl.DataFrame(part).write_parquet(folder / f"part-{k:04d}.parquet", row_group_size=250_000)
    return judges * items


def rated(rows: int, folder: Path, items: int, judges: int = 3, labels: bool = False) -> int:
    """So many scores from 1 to 5, or labels, of items of a task by some judges; how many were written."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = max(1, rows // (judges * items))
    at_once = max(1, 5_000_000 // (judges * items))
    names = {
        n: pl.Series(n, [f"{n[0]}{k:07d}" for k in range(size)]) for n, size in (("item", items), ("judge", judges))
    }
    for k, a in enumerate(range(0, tasks, at_once)):
        size, rng = min(at_once, tasks - a), np.random.default_rng([4, k])
        seen = rng.normal(3, 1, (size, 1, items)) + rng.normal(0, 0.7, (size, judges, items))
        score = np.clip(np.rint(seen), 1, 5).astype(np.int8).ravel()
        row = np.arange(score.size, dtype=np.uint32)
        task = pl.Series("task", [f"q{t:08d}" for t in range(a, a + size)])
        part = [task.gather(row // (judges * items))] if tasks > 1 else []
        part += [names["judge"].gather(row // items % judges), names["item"].gather(row % items)]
        said = pl.Series("label", ["", "no", "rather not", "unsure", "rather", "yes"]).gather(score)
        pl.DataFrame([*part, said if labels else pl.Series("score", score)]).write_parquet(
            folder / f"part-{k:04d}.parquet", row_group_size=250_000
        )
    return tasks * judges * items


def votes(rows: int, folder: Path, judges: int = 10, systems: int = SYSTEMS) -> int:
    """So many votes, as many judges on each task; how many were written."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks, at_once = rows // judges, 5_000_000 // judges
    names = {n: pl.Series([f"{n}{k}" for k in range(size)]) for n, size in (("j", VOTERS), ("m", systems))}
    for k, a in enumerate(range(0, tasks, at_once)):
        size, rng = min(at_once, tasks - a), np.random.default_rng([2, k])
        who = (rng.integers(VOTERS, size=(size, 1)) + 7 * np.arange(judges)) % VOTERS  # no judge twice, up to 50
        one = rng.integers(systems, size=(size, 1))
        two = (one + rng.integers(1, systems, size=(size, 1))) % systems
        swapped = rng.random((size, judges)) < 0.5
        first, second = np.where(swapped, two, one), np.where(swapped, one, two)
        wins = rng.random((size, judges)) < 1 / (1 + np.exp((first - second) * SYSTEMS / systems / 5))
        said = np.where(rng.random((size, judges)) < 0.1, 2, wins)
        task = pl.Series("task", [f"q{t:08d}" for t in range(a, a + size)])
        columns = {"judge": names["j"].gather(who.ravel()), "model_a": names["m"].gather(first.ravel())}
        columns |= {"model_b": names["m"].gather(second.ravel())}
        winner = pl.Series(["model_b", "model_a", "tie"]).gather(said.ravel())
        part = {"task": task.gather(np.repeat(np.arange(size, dtype=np.uint32), judges)), **columns, "winner": winner}
        pl.DataFrame(part).write_parquet(folder / f"part-{k:04d}.parquet", row_group_size=250_000)
    return tasks * judges


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.made_up", description=__doc__)
    parser.add_argument("rows", type=float)
    parser.add_argument("folder", type=Path)
    for name in ("systems", "scores", "shuffled", "votes", "labels"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--of", type=int, metavar="JUDGES")
    parser.add_argument("--compared", type=int, default=SYSTEMS, metavar="SYSTEMS")
    parser.add_argument("--ballots", type=int, metavar="ITEMS")
    parser.add_argument("--ties", type=int, default=0, metavar="PLACES")
    parser.add_argument("--gaps", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--top", type=int, default=0, metavar="ITEMS")
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--sorts", type=int, metavar="ITEMS")
    parser.add_argument("--groups", type=int, default=8)
    parser.add_argument("--rated", type=int, metavar="ITEMS")
    given = parser.parse_args()
    print(f"{_made(int(given.rows), given.folder, given):,} rows in {given.folder}")


def _made(rows: int, folder: Path, given: argparse.Namespace) -> int:
    """What was asked for; how many rows."""
    if given.ballots:
        more = {name: getattr(given, name) for name in ("ties", "gaps", "noise", "top")}
        return ballots(rows, folder, given.ballots, **more)
    if given.sorts:
        return sorts(rows, folder, given.sorts, given.groups)
    if given.rated:
        return rated(rows, folder, given.rated, given.of or 3, given.labels)
    if given.votes:
        return votes(rows, folder, given.of or 10, given.compared)
    how = {name: getattr(given, name) for name in ("systems", "scores", "shuffled")}
    return write(rows, folder, **how)


if __name__ == "__main__":
    main()
