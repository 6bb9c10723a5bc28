"""Reading CSV beside polars' own parse of the same file: CPU seconds and memory, with and without the extra.

Tables of four columns, plain and with every text in quotes, some with a comma, a quote or a line break in it; each is
read in a process of its own, after the imports.
"""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.clock import Row

CHILD = """
import json, re, resource, sys, time
if sys.argv[1] == "without":
    sys.modules["polars"] = None
import numpy
if sys.argv[1] == "polars":
    import polars
    read = polars.read_csv
else:
    import quorate
    read = quorate.read
read(sys.argv[2])

def peak():
    try:  # not ru_maxrss, which on Linux begins with what the parent used
        return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

before, start = peak(), time.process_time()
found = read(sys.argv[3])
print(json.dumps({"seconds": time.process_time() - start, "peak": peak() - before, "rows": len(found)}))
"""
SMALL = "judge,item,score\nann,x,1\nbob,x,2\n"
MOST, MOST_WITHOUT = 3.0, 10.0  # times what polars takes


def run(quick: bool) -> list[Row]:
    rows, out = (100_000 if quick else 1_000_000), []
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.csv")
        small.write_text(SMALL, encoding="utf-8")
        for form in ("plain", "quoted"):
            file = Path(folder, f"{form}.csv")
            _write(file, rows, form == "quoted")
            peer = _least("polars", small, file)
            for who, most in (("quorate", MOST), ("without", MOST_WITHOUT)):
                took = _least(who, small, file)
                name = f"{rows:,} rows of CSV, {form}{', without polars' if who == 'without' else ''}"
                note = f"{took['peak'] / 2**20:.0f} MB above the imports, polars {peer['peak'] / 2**20:.0f} MB"
                out.append(Row(name, took["seconds"], peer["seconds"], target=most, at_most=True, note=note))
    return out


def _write(file: Path, rows: int, quoted: bool) -> None:
    """Tasks, judges, items and scores."""
    draw = random.Random(1)
    with file.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL)
        out.writerow(["task", "judge", "item", "score"])
        for k in range(rows):
            item = f"item {k // 10 % 2000}"
            if quoted and k % 100 < 3:
                item += (", part 2", ' "b"', "\nsecond line")[k % 100]
            out.writerow([f"task-{k // 20_000}", f"judge-{k % 10}", item, draw.randint(0, 1000) / 10])


def _least(who: str, small: Path, file: Path) -> dict[str, float]:
    """The least CPU seconds of three, with the peak of memory."""
    code = [sys.executable, "-c", CHILD, who, str(small), str(file)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = [subprocess.run(code, capture_output=True, text=True, check=True, env=env).stdout for _ in range(3)]
    return min((json.loads(f) for f in found), key=lambda f: f["seconds"])
