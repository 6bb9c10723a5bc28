"""Is a benchmark slower than in another tree? Rows that both trees have, in CPU seconds, and their ratio.

``python -m bench.beside OLD_TREE [NAME]...`` runs the benchmarks of another checkout on its own source and those of
this one on this, turn by turn, each in a process of its own; of a few turns the least counts. Peers are left out. The
table is the one ``docs/architecture.md`` shows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
MOST = 1.15  # no row may take more than so many times what it took

CHILD = """
import json, sys
from bench import kappa, peers, tau

def nobody(*asked):
    raise peers.NotAvailable("not asked")

peers.run, tau.SECONDS, kappa.algorithm_1 = nobody, 1, kappa.vectorised  # the slow ones that are asked in the process
from bench.__main__ import BENCHMARKS

made = BENCHMARKS[sys.argv[1]](False) if sys.argv[1] in BENCHMARKS else []
print("\\n" + json.dumps({row.name: row.ours for row in made if row.ours is not None}))
"""

Seconds = dict[str, float]  # by row


def in_tree(tree: Path, name: str) -> Seconds:
    """The rows of a benchmark as that tree has it, measured on that tree's source."""
    path = os.pathsep.join(map(str, (tree / "src", tree)))
    kept = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}  # compiled once, as installed
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), **kept}
    command = [sys.executable, "-c", CHILD, name]
    done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def beside(old: Path, names: list[str], turns: int) -> Iterator[tuple[str, float, float]]:
    """The least CPU seconds of every row that both trees have, old and new."""
    for name in names:
        runs: dict[Path, list[Seconds]] = {old: [], ROOT: []}
        for turn in range(turns):
            print(f"{name}, {turn + 1} of {turns} ...", file=sys.stderr, flush=True)
            for tree, found in runs.items():
                found.append(in_tree(tree, name))
        least = [{row: min(run[row] for run in found) for row in found[0]} for found in runs.values()]
        yield from ((row, least[0][row], seconds) for row, seconds in least[1].items() if row in least[0])


def table_row(name: str, old: float, new: float) -> str:
    """A row in Markdown; the ratio in bold where it is higher than it may be."""
    ratio = f"**{new / old:.2f}**" if new > MOST * old else f"{new / old:.2f}"
    return f"| {name} | {old:.3g} | {new:.3g} | {ratio} |"


def main() -> int:
    """Compare two trees; 1 if a row became slower than it may."""
    from bench.__main__ import BENCHMARKS

    parser = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    parser.add_argument("old", metavar="OLD_TREE", type=Path, help="a checkout of another commit")
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks (all)")
    parser.add_argument("--turns", type=int, default=3, help="the least of so many counts (3)")
    asked = parser.parse_args()
    print("| benchmark | CPU s before | CPU s now | now / before |\n|---|--:|--:|--:|", flush=True)
    slower = 0
    for name, old, new in beside(asked.old.resolve(), asked.names or list(BENCHMARKS), asked.turns):
        print(table_row(name, old, new), flush=True)
        slower += new > MOST * old
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
