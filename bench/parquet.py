"""10 million rows from Parquet: CPU seconds, and how much memory is needed at most, per row, decoding included."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench import data
from bench.clock import Row

CHILD = """
import json, re, resource, sys, time
import numpy, polars
import quorate
import quorate.formats.parquet

def peak():
    try:  # not ru_maxrss, which on Linux begins with what the parent used
        return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

def decoder():
    quorate.formats.parquet._decoder.stop()
    return resource.getrusage(resource.RUSAGE_CHILDREN)

before, start = peak(), time.process_time()
panel = quorate.read(sys.argv[1])
seconds, held, beside = time.process_time() - start, peak() - before, decoder()
seconds += beside.ru_utime + beside.ru_stime
decoded = beside.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
columns = [panel.task.codes, panel.judge.codes, panel.item.codes, panel.occasion.codes, panel.value, panel.count]
kept = sum(0 if 0 in c.strides else c.nbytes for c in columns)
print(json.dumps({"rows": len(panel), "seconds": seconds, "peak": held + decoded, "kept": kept}))
"""


def run(quick: bool) -> list[Row]:
    tasks, judges, items = (2_500 if quick else 50_000), 10, 20
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "judgments.parquet")
        _write(file, tasks, judges, items)
        size = file.stat().st_size
        done = subprocess.run([sys.executable, "-c", CHILD, file], capture_output=True, text=True)
    name = f"{tasks * judges * items:,} rows from Parquet"
    if done.returncode:
        return [Row(name, note=f"failed: {done.stderr.strip().splitlines()[-1][:200]}")]
    found = json.loads(done.stdout)
    rows = found["rows"]
    note = "above that after the imports in a fresh process, and all that the process which decodes held;"
    note += f" the file has {size / rows:.1f} bytes a row"
    return [
        Row(name, found["seconds"], figure=rows / found["seconds"], unit="rows/CPU-s"),
        Row(f"{name}, peak memory", figure=found["peak"] / rows, unit="bytes/row", note=note),
        Row(f"{name}, memory kept", figure=found["kept"] / rows, unit="bytes/row", note="arrays of the panel"),
    ]


def _write(file: Path, tasks: int, judges: int, items: int) -> None:
    """A long table with texts as ids."""
    import polars

    positions = data.noisy(tasks, judges, items, noise=3)
    columns = {}
    for name, codes, size in zip(
        ("task", "judge", "item"), np.indices(positions.shape, np.uint32), positions.shape, strict=True
    ):
        columns[name] = polars.Series([f"{name}-{k:06}" for k in range(size)]).gather(codes.ravel())
    polars.DataFrame({**columns, "position": positions.ravel()}).write_parquet(file)
