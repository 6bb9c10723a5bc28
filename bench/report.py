"""Where the time of a report goes: section by section, for the four kinds and several sizes, with peak memory.

Every report runs in a process of its own (``python -m bench.report NAME``), after a small one that loads what is
imported late: the figures are CPU seconds after imports, all threads.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench import data
from bench.clock import Row

TASKS, JUDGES, ITEMS = 5000, 10, 20


def clef() -> Any:
    """66 queries, 12 runs, the first 20 documents of each."""
    from quorate import Orderings

    folder = data.public("consensus-papers", "top20_CLEFeHealth_data")
    if folder is None:
        return None
    runs = {file.stem: file.read_text().splitlines() for file in sorted(folder.glob("TOP20_*.dat"))}
    return Orderings.from_orders({k: {team: lines[k].split() for team, lines in runs.items()} for k in range(66)})


def orderings(tasks: int = TASKS, judges: int = JUDGES, items: int = ITEMS) -> Any:
    """Complete rankings, made up."""
    from quorate import Orderings

    positions = data.noisy(tasks, judges, items, 4.0)
    task, judge, item = (x.ravel() for x in np.indices(positions.shape))
    columns = {"task": task, "judge": judge, "item": item + items * task, "position": positions.ravel().astype(float)}
    return Orderings.build(columns)


def scores(tasks: int = TASKS, judges: int = JUDGES, items: int = ITEMS) -> Any:
    """Scores of so many systems on every task, made up."""
    from quorate import Scores

    rng = np.random.default_rng(0)
    shape = (tasks, judges, items)
    task, judge, item = (x.ravel() for x in np.indices(shape))
    good, bias, noise = rng.normal(size=items), rng.normal(0, 0.3, judges), rng.normal(size=task.size)
    score = np.clip(np.round(3 + good[item] / 2 + bias[judge] + noise), 1, 5)
    columns = {"task": task, "judge": judge, "item": item + items * task, "score": score}
    return Scores.build({**columns, "system": np.char.add("s", item.astype(str))})


def summeval() -> Any:
    """Three experts, 1,600 summaries, four criteria."""
    from quorate import read

    folder = data.public("summeval")
    files = sorted(folder.glob("*.csv")) + sorted(folder.glob("*.jsonl*")) if folder else []
    return read(files[0]) if files else None


def groupings(tasks: int = TASKS, judges: int = JUDGES, items: int = ITEMS, groups: int = 5) -> Any:
    """Twenty items in about five groups, made up."""
    from quorate import Groupings

    rng = np.random.default_rng(0)
    task, judge, item = (x.ravel() for x in np.indices((tasks, judges, items)))
    common = rng.integers(groups, size=(tasks, items))[task, item]
    group = np.where(rng.random(task.size) < 0.3, rng.integers(groups, size=task.size), common)
    return Groupings.build({"task": task, "judge": judge, "item": item + items * task, "group": group.astype(str)})


def votes(tasks: int = TASKS, judges: int = JUDGES, items: int = ITEMS) -> Any:
    """Votes of judges between models, made up: as many as the other kinds have rows."""
    from quorate import Votes

    rng, number = np.random.default_rng(0), tasks * judges * items
    first = rng.integers(items, size=number)
    second = (first + 1 + rng.integers(items - 1, size=number)) % items
    good = rng.normal(size=items)
    won = rng.random(number) < 1 / (1 + np.exp(good[second] - good[first]))
    winner = np.where(rng.random(number) < 0.1, "tie", np.where(won, "a", "b"))
    models = {"model_a": np.char.add("m", first.astype(str)), "model_b": np.char.add("m", second.astype(str))}
    judge, task = rng.integers(judges, size=number), rng.integers(tasks, size=number)
    return Votes.build({"judge": judge, "task": task, **models, "winner": winner})


REPORTS: dict[str, tuple[str, Callable[[], Any], float | None]] = {
    "clef": ("orderings, CLEF, 66 queries x 12 runs, top 20", clef, 6.0),
    "orderings": (f"orderings, {TASKS:,} tasks x {JUDGES} judges x {ITEMS} items", orderings, 45.0),
    "scores": (f"scores, {TASKS:,} tasks x {JUDGES} judges x {ITEMS} items", scores, 45.0),
    "summeval": ("scores, SummEval, 1,600 x 3 experts x 4 criteria", summeval, None),
    "groupings": (f"groupings, {TASKS:,} tasks x {JUDGES} judges x {ITEMS} items", groupings, 45.0),
    "votes": (f"votes, {TASKS * JUDGES * ITEMS:,} on {TASKS:,} tasks, {JUDGES} judges, {ITEMS} systems", votes, 45.0),
    "page-orderings": ("orderings, 1,000 tasks x 20 judges x 20 items", lambda: orderings(1000, 20), None),
    "page-scores": ("scores, 1,000 tasks x 20 judges x 20 items", lambda: scores(1000, 20), None),
    "page-groupings": ("groupings, 1,000 tasks x 20 judges x 20 items", lambda: groupings(1000, 20), None),
}
SMALL: dict[str, Callable[[], Any]] = {
    "orderings": lambda: orderings(3),
    "scores": lambda: scores(3),
    "groupings": lambda: groupings(3),
    "votes": lambda: votes(3),
}


def measure(panel: Any) -> dict[str, float]:
    """CPU seconds of each section (its pictures too), of the rest, of the page; MB of memory at most."""
    from quorate.reports import model

    whole, found, began = model.answered, {}, time.process_time()

    def timed(question: str, *given: Any) -> Any:
        start = time.process_time()
        section = whole(question, *given)
        found[question] = time.process_time() - start
        return section

    model.answered = timed  # type: ignore[assignment]
    try:
        made = model.report(panel)
    finally:
        model.answered = whole
    rest = time.process_time() - began - sum(found.values())
    start = time.process_time()
    page = made.html()
    found |= {"verdict": rest, "html": time.process_time() - start}
    return {
        **found,
        "total": sum(found.values()),
        "page MB": len(page) / 1e6,
        "memory MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def alone(name: str) -> dict[str, float] | None:
    """A report in this process: first a small one, so that imports do not count."""
    from quorate.reports.model import report

    panel = REPORTS[name][1]()
    if panel is None:
        return None
    report(SMALL[panel.kind](), resamples=100, permutations=10).html()
    gc.freeze()  # as the command does
    return measure(panel)


def run(quick: bool) -> list[Row]:
    rows = []
    for name, (title, _, target) in REPORTS.items():
        if quick and name not in ("clef", "summeval"):
            continue
        said = subprocess.run([sys.executable, "-m", "bench.report", name], capture_output=True, text=True, check=True)
        found = json.loads(said.stdout)
        if found is None:
            rows.append(Row(f"report: {title}", note="skipped: no public data; set QUORATE_DATA to their folder"))
            continue
        told = "; ".join(f"{k} {v:.2f}" for k, v in found.items() if k != "total")
        rows.append(Row(f"report: {title}", found["total"], None, target, True, found["total"], "s", told))
    return rows


if __name__ == "__main__":
    print(json.dumps(alone(sys.argv[1])))
