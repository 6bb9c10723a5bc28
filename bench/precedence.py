"""Precedence counts of 1000 rankings of 500 items: the same loop in C, compiled here with -O3, and ours."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench import data
from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    from quorate.kernels import precedence

    judges, items = (200, 200) if quick else (1000, 500)
    ranks = data.random(judges, items)
    last, counts = precedence.tasks_last(ranks[None]), np.ones((judges, 1), np.int64)
    rows = []
    ours, mine = cpu(lambda: precedence.precedence(last, counts))
    with tempfile.TemporaryDirectory() as folder:
        for more in ([], ["-march=native"]):
            row = Row(
                f"precedence counts of {judges} x {items}, C {' '.join(['-O3', *more])}", ours, at_most=True, unit="x C"
            )
            row.target = None if more else 5
            rows.append(row)
            loop = _compile(Path(folder), more)
            if loop is None:
                row.note = "no C compiler here"
                continue
            row.peer, theirs = cpu(lambda loop=loop: loop(ranks))
            row.figure = row.ours / row.peer
            row.note = "counts are equal" if np.array_equal(mine[:, :, 0], theirs) else "counts DIFFER"
    return rows


def _compile(folder: Path, more: list[str]) -> Any:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library = folder / f"precedence{len(more)}.so"
    source = Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-O3", *more, "-shared", "-fPIC", "-o", library, source], check=True)
    function = ctypes.CDLL(str(library)).precedence

    def loop(ranks: np.ndarray) -> np.ndarray:
        before = np.zeros((ranks.shape[1],) * 2, np.int32)
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (ranks, before)]
        function(pointers[0], ctypes.c_int64(ranks.shape[0]), ctypes.c_int64(ranks.shape[1]), pointers[1])
        return before

    return loop
