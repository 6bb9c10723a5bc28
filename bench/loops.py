"""Kernels beside the same by plain loops in C (loops.c), compiled here with -O3; times as long as these take."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench import data
from bench.alpha import scores
from bench.clock import Row, cpu
from bench.groupings import labels
from bench.kappa import GAMMA, LAM
from bench.rouge import collection

Loops = ctypes.CDLL
Made = tuple[Callable[[], Any], Callable[[Loops], Any]]  # ours, and the loop's


def run(quick: bool) -> list[Row]:
    sizes: dict[str, tuple[Callable[..., Made], tuple[int, ...], float]] = {
        "precedence counts of {} x {}": (precedence, (200, 200) if quick else (1000, 500), 5),
        "tau, all pairs of {} x {}": (tau, (200, 50) if quick else (1000, 100), 3),
        "kappa of {} x {}": (kappa, (5, 400) if quick else (5, 2000), 3),
        "contingency table of {:,} items, {} x {}": (contingency, (50_000 if quick else 10**6, 100, 100), 3),
        "alpha interval, {} x {:,}, 80 % missing": (alpha, (20, 5000) if quick else (50, 100_000), 3),
        "ROUGE-2 no stems, of {:,} summaries x {} references": (rouge, (50, 4) if quick else (1000, 4), 8),
    }
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        loops = _compiled(Path(folder))
        for name, (make, size, target) in sizes.items():
            row = Row(f"{name.format(*size)}, C -O3", target=target, at_most=True, unit="x C")
            rows.append(row)
            ours, theirs = make(*size)
            row.ours, mine = cpu(ours, 5)
            if loops is None:
                row.note = "no C compiler here"
                continue
            row.peer, found = cpu(lambda theirs=theirs: theirs(loops), 5)
            row.figure = row.ours / row.peer
            same = np.shape(mine) == np.shape(found) and np.allclose(mine, found, rtol=1e-9, atol=1e-12)
            row.note = f"values {'agree' if same else 'DIFFER'}"
    return rows


def _compiled(folder: Path) -> Loops | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library, source = folder / "loops.so", Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def _given(*values: Any) -> list[Any]:
    """Arrays as pointers, whole numbers of 64 bits, floats as doubles."""
    kinds = {int: ctypes.c_int64, float: ctypes.c_double}
    return [
        v.ctypes.data_as(ctypes.c_void_p)
        if isinstance(v, np.ndarray)
        else v
        if isinstance(v, bytes)
        else kinds[type(v)](v)
        for v in values
    ]


def precedence(judges: int, items: int) -> Made:
    from quorate.kernels import precedence as kernel

    ranks = data.random(judges, items)
    last, counts = kernel.tasks_last(ranks[None]), np.ones((judges, 1), np.int64)

    def loop(loops: Loops) -> np.ndarray:
        before = np.zeros((items, items), np.int32)
        loops.precedence(*_given(ranks, judges, items, before))
        return before

    return lambda: kernel.precedence(last, counts)[:, :, 0], loop


def tau(judges: int, items: int) -> Made:
    from quorate.orderings import tau as kernel

    ranks = data.random(judges, items)

    def loop(loops: Loops) -> np.ndarray:
        out = np.empty((judges, judges))
        loops.tau(*_given(ranks, judges, items, out))
        return out

    return lambda: kernel.square(ranks[None])[0], loop


def kappa(judges: int, items: int) -> Made:
    from quorate.table import parse

    method = parse(f"kappa(gamma={GAMMA}, lam={LAM})", "orderings", "agreement")
    positions = data.noisy(1, judges, items, items / 10)

    def loop(loops: Loops) -> np.ndarray:
        out = np.empty(items + 1)
        loops.kappa.restype = ctypes.c_int64
        return out[: loops.kappa(*_given(positions, judges, items, GAMMA, LAM, out))]

    return lambda: method(positions, data.ones(positions)).details["by_length"][0], loop


def contingency(items: int, clusters: int, classes: int) -> Made:
    from quorate.kernels.contingency import tables

    first, second = labels(items, clusters, classes)

    def ours() -> np.ndarray:
        found = tables(first[None], second[None])
        return np.sort(found.count)

    def loop(loops: Loops) -> np.ndarray:
        counts = np.zeros((clusters, classes), np.int64)
        loops.contingency(*_given(first, second, items, classes, counts))
        return np.sort(counts[counts > 0])

    return ours, loop


def alpha(judges: int, items: int) -> Made:
    from quorate.scores import alpha as coefficient

    table = scores(judges, items, "five")

    def loop(loops: Loops) -> float:
        loops.alpha.restype = ctypes.c_double
        return float(loops.alpha(*_given(table, judges, items)))

    return lambda: coefficient(table, "interval"), loop


def rouge(number: int, of: int) -> Made:
    from quorate.summaries.rouge import rouge as score

    summaries, references = collection(number)
    texts = [t.encode() for s, r in zip(summaries, references, strict=True) for t in (s, *r[:of])]
    starts = np.cumsum([0, *map(len, texts)])
    joined = b"".join(texts)

    def loop(loops: Loops) -> np.ndarray:
        out = np.empty(number)
        loops.rouge2(*_given(joined, starts, number, of, max(map(len, texts)), out))
        return out

    return lambda: score(summaries, references, ["2"], mode="best")["2_R"], loop
