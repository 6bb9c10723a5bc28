"""Is this tree slower than another one? CPU seconds of every golden panel and question in both, and their ratio.

``python -m bench.golden OLD_SRC [PANEL]...`` runs this tree's panels on this tree's ``src`` and on ``OLD_SRC``, each in
processes of its own, turn by turn; of a few repeats the least counts. A question that is asked without a method is
answered by the usual ones, which are more than they were; ``--methods`` asks for every method by itself, and compares
those that both trees have.
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
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LEAST = 0.05  # CPU seconds of a panel below which its ratio is noise

Seconds = dict[str, dict[str, float]]  # by panel and question


def measure(names: list[str], methods: bool = False) -> Seconds:
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
        found[name] = _by_method(case) if methods else {}
        for question in () if methods else answers.asked(case):
            start = time.process_time()
            with contextlib.suppress(
                NotImplementedError, TypeError, AttributeError
            ):  # an older tree cannot be asked so
                answers.output(case, question)
                found[name][question] = time.process_time() - start
    return found


def _by_method(case: Any) -> dict[str, float]:
    """CPU seconds of every method that answers one of the five questions."""
    import quorate
    from quorate import table
    from quorate.errors import QuorateError

    found = {}
    for method in table.methods(case.panel.kind):
        question = method.declaration.question
        beside = [case.systems] if question == "quality" and case.systems is not None else []
        start = time.process_time()
        with contextlib.suppress(QuorateError, NotImplementedError, TypeError, AttributeError):
            getattr(quorate, question)(case.panel, *beside, str(method), seed=0)
            found[f"{question} {method}"] = time.process_time() - start
    return found


def in_tree(source: Path, names: list[str], methods: bool = False) -> Seconds:
    """The same in a process that imports quorate from ``source``."""
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(source)}
    command = [sys.executable, "-m", "bench.golden", "--measure", *(["--methods"] if methods else []), *names]
    said = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    made = json.loads(said.stdout)
    if Path(made["source"]) != source:
        raise SystemExit(f"quorate came from {made['source']}, not from {source}")
    return made["seconds"]


def least(runs: list[Seconds]) -> Seconds:
    """Of every panel and question the least time."""
    return {name: {q: min(run[name][q] for run in runs) for q in runs[0][name]} for name in runs[0]}


def told(old: Seconds, new: Seconds, worst: int) -> list[str]:
    """Seconds and ratio of every question, of what both have, then of the panels that became slowest."""
    cells = [(f"{name} {q}", old[name][q], new[name][q]) for name, of in new.items() for q in of if q in old[name]]
    questions = list(dict.fromkeys(name.split()[1] for name, *_ in cells))
    rows = [_row(q, *(sum(c[k] for c in cells if c[0].split()[1] == q) for k in (1, 2))) for q in questions]
    rows.append(_row("all", *(sum(c[k] for c in cells) for k in (1, 2))))
    slower = sorted((c for c in cells if max(c[1:]) >= LEAST), key=lambda c: c[1] / c[2])[:worst]
    head = f"{'':60} {'old CPU s':>10} {'new CPU s':>10} {'new/old':>8}"
    return [head, *rows, "", f"worst panels (of {LEAST} CPU s and more)", *(_row(*c) for c in slower)]


def _row(name: str, old: float, new: float) -> str:
    return f"{name:60} {old:10.3f} {new:10.3f} {new / old if old else float('nan'):8.2f}"


def main() -> int:
    """Compare two trees, or measure one."""
    parser = argparse.ArgumentParser(prog="python -m bench.golden", description=__doc__)
    parser.add_argument("old", metavar="OLD_SRC", help="the folder src of another checkout")
    parser.add_argument("panels", nargs="*", metavar="PANEL", help="names, * and ? allowed (all)")
    parser.add_argument("--repeats", type=int, default=3, help="the least of so many counts (3)")
    parser.add_argument("--worst", type=int, default=10, help="panels to list (10)")
    parser.add_argument("--methods", action="store_true", help="every method by itself")
    if sys.argv[1:2] == ["--measure"]:
        import quorate

        source = str(Path(quorate.__file__).resolve().parents[1])
        names = [n for n in sys.argv[2:] if n != "--methods"]
        print(json.dumps({"source": source, "seconds": measure(names, methods="--methods" in sys.argv)}))
        return 0
    asked = parser.parse_args()
    from tests.golden.panels import PANELS

    names = [n for n in PANELS if not asked.panels or any(fnmatch.fnmatch(n, p) for p in asked.panels)]
    trees = {"old": Path(asked.old).resolve(), "new": ROOT / "src"}
    runs: dict[str, list[Seconds]] = {tree: [] for tree in trees}
    for turn in range(asked.repeats):
        for tree, source in trees.items():
            print(f"{tree}, {turn + 1} of {asked.repeats} ...", file=sys.stderr, flush=True)
            runs[tree].append(in_tree(source, names, asked.methods))
    old, new = least(runs["old"]), least(runs["new"])
    print("\n".join(told(old, {name: of for name, of in new.items() if name in old}, asked.worst)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
