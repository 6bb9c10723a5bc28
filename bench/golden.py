"""Is this tree slower than another one? CPU seconds of every golden panel and question in both, and their ratio.

``python -m bench.golden OLD_SRC [PANEL]...`` runs this tree's panels on this tree's ``src`` and on ``OLD_SRC``, each in
processes of its own, turn by turn; of a few repeats the least counts.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LEAST = 0.05  # CPU seconds of a panel below which its ratio is noise

Seconds = dict[str, dict[str, float]]  # by panel and question


def measure(names: list[str]) -> Seconds:
    """CPU seconds in this process, after a first small round that loads what is imported late."""
    from tests.golden import answers
    from tests.golden.panels import PANELS, NoData

    for name in ("orderings-two-tasks", "groupings-two-judges", "scores-systems"):
        case = PANELS[name]()
        for question in answers.asked(case):
            answers.output(case, question)
    found: Seconds = {}
    for name in names:
        try:
            case = PANELS[name]()
        except (NoData, ModuleNotFoundError, AttributeError):  # an older tree has no such generator, or no such kind
            continue
        found[name] = {}
        for question in answers.asked(case):
            start = time.process_time()
            with contextlib.suppress(
                NotImplementedError, TypeError, AttributeError
            ):  # an older tree cannot be asked so
                answers.output(case, question)
                found[name][question] = time.process_time() - start
    return found


def in_tree(source: Path, names: list[str]) -> Seconds:
    """The same in a process that imports quorate from ``source``."""
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(source)}
    command = [sys.executable, "-m", "bench.golden", "--measure", *names]
    said = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    made = json.loads(said.stdout)
    if Path(made["source"]) != source:
        raise SystemExit(f"quorate came from {made['source']}, not from {source}")
    return made["seconds"]


def least(runs: list[Seconds]) -> Seconds:
    """Of every panel and question the least time."""
    return {name: {q: min(run[name][q] for run in runs) for q in runs[0][name]} for name in runs[0]}


def told(old: Seconds, new: Seconds, worst: int) -> list[str]:
    """Seconds and ratio of every question, then of the panels that became slowest."""
    questions = list(dict.fromkeys(q for of in new.values() for q in of))
    rows = [_row(q, *(sum(of.get(q, 0.0) for of in run.values()) for run in (old, new))) for q in questions]
    rows.append(_row("all", *(sum(sum(of.values()) for of in run.values()) for run in (old, new))))
    cells = [(f"{name} {q}", old[name][q], new[name][q]) for name, of in new.items() for q in of if q in old[name]]
    slower = sorted((c for c in cells if max(c[1:]) >= LEAST), key=lambda c: c[1] / c[2])[:worst]
    head = f"{'':40} {'old CPU s':>10} {'new CPU s':>10} {'new/old':>8}"
    return [head, *rows, "", f"worst panels (of {LEAST} CPU s and more)", *(_row(*c) for c in slower)]


def _row(name: str, old: float, new: float) -> str:
    return f"{name:40} {old:10.3f} {new:10.3f} {new / old if old else float('nan'):8.2f}"


def main() -> int:
    """Compare two trees, or measure one."""
    parser = argparse.ArgumentParser(prog="python -m bench.golden", description=__doc__)
    parser.add_argument("old", metavar="OLD_SRC", help="the folder src of another checkout")
    parser.add_argument("panels", nargs="*", metavar="PANEL", help="names, * and ? allowed (all)")
    parser.add_argument("--repeats", type=int, default=3, help="the least of so many counts (3)")
    parser.add_argument("--worst", type=int, default=10, help="panels to list (10)")
    if sys.argv[1:2] == ["--measure"]:
        import quorate

        source = str(Path(quorate.__file__).resolve().parents[1])
        print(json.dumps({"source": source, "seconds": measure(sys.argv[2:])}))
        return 0
    asked = parser.parse_args()
    from tests.golden.panels import PANELS

    names = [n for n in PANELS if not asked.panels or any(fnmatch.fnmatch(n, p) for p in asked.panels)]
    trees = {"old": Path(asked.old).resolve(), "new": ROOT / "src"}
    runs: dict[str, list[Seconds]] = {tree: [] for tree in trees}
    for turn in range(asked.repeats):
        for tree, source in trees.items():
            print(f"{tree}, {turn + 1} of {asked.repeats} ...", file=sys.stderr, flush=True)
            runs[tree].append(in_tree(source, names))
    old, new = least(runs["old"]), least(runs["new"])
    print("\n".join(told(old, {name: of for name, of in new.items() if name in old}, asked.worst)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
