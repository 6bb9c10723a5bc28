"""Run benchmarks and print the table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import (
    alpha,
    autopyramid,
    clef,
    correlations,
    csv_tables,
    groupings,
    growth,
    kappa,
    kemeny,
    labels,
    loops,
    parquet,
    patterns,
    rbo,
    report,
    rouge,
    scan,
    startup,
    subset_search,
    tasks,
    tau,
    trust,
    votes,
)
from bench.clock import Row, table

BENCHMARKS = {
    "tau": tau.run,
    "rbo": rbo.run,
    "loops": loops.run,
    "kappa": kappa.run,
    "kemeny": kemeny.run,
    "clef": clef.run,
    "tasks": tasks.run,
    "patterns": patterns.run,
    "trust": trust.run,
    "csv": csv_tables.run,
    "parquet": parquet.run,
    "groupings": groupings.run,
    "autopyramid": autopyramid.run,
    "subset_search": subset_search.run,
    "startup": startup.run,
    "alpha": alpha.run,
    "labels": labels.run,
    "correlations": correlations.run,
    "rouge": rouge.run,
    "report": report.run,
    "growth": growth.run,
    "scan": scan.run,
    "votes": votes.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Side-by-side benchmarks in CPU time.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)} (all)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes: to see that all works, not to judge speed")
    parser.add_argument("--json", metavar="FILE", help="write the rows there too")
    parser.add_argument("--threads", type=int, metavar="N", help="threads of numpy's BLAS (as the environment has it)")
    asked = parser.parse_args()
    unknown = [n for n in asked.names if n not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if asked.threads and any(os.environ.get(v) != str(asked.threads) for v in THREADS):
        # BLAS reads them when numpy is loaded, which has happened: begin again.
        os.environ.update(dict.fromkeys(THREADS, str(asked.threads)))
        sys.stdout.flush()
        return subprocess.run([sys.executable, "-m", "bench", *sys.argv[1:]]).returncode
    rows: list[Row] = []
    for name in asked.names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += BENCHMARKS[name](asked.quick)
    if asked.quick:
        for row in rows:
            row.target = None
    print(f"{machine()}{'; --quick: smaller sizes, targets do not apply' if asked.quick else ''}\n")
    print(table(rows))
    if asked.json:
        Path(asked.json).write_text(
            json.dumps({"machine": machine(), "rows": [r.plain() for r in rows]}, indent=1) + "\n"
        )
    return 0


def machine() -> str:
    """Cores, threads and versions."""
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "default")
    versions = ", ".join(map(_version, PACKAGES))
    return f"{os.cpu_count()} cores, BLAS threads: {threads}, Python {platform.python_version()}, {versions}"


THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
PACKAGES = ("numpy", "scipy", "pandas", "polars")


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


if __name__ == "__main__":
    sys.exit(main())
