"""Made-up rankings, seeded, and where the public data are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent


def noisy(tasks: int, judges: int, items: int, noise: float, seed: int = 0) -> NDArray[np.int16]:
    """``positions[task, judge, item]``: a common order per task, each judge off by normal noise of ``noise`` places."""
    rng = np.random.default_rng(seed)
    out = np.empty((tasks, judges, items), np.int16)
    step = max(1, 2_000_000 // (judges * items))
    for a in range(0, tasks, step):
        size = min(step, tasks - a)
        common = rng.permuted(np.tile(np.arange(items, dtype=np.float32), (size, 1)), axis=1)[:, None, :]
        seen = common + noise * rng.standard_normal((size, judges, items), dtype=np.float32)
        out[a : a + size] = seen.argsort(axis=2).argsort(axis=2) + 1
    return out


def random(judges: int, items: int, seed: int = 0) -> NDArray[np.int16]:
    """``positions[judge, item]`` of judges who order at random."""
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(1, items + 1, dtype=np.int16), (judges, 1)), axis=1)


def ones(positions: NDArray[Any]) -> NDArray[np.int64]:
    """Every judge counts once: ``counts[task, judge]``."""
    return np.ones(positions.shape[:2], np.int64)


def public(*parts: str) -> Path | None:
    """A folder of the public data, in $QUORATE_DATA or beside the repository; None where it is not."""
    for base in (os.environ.get("QUORATE_DATA"), ROOT.parent / "shared" / "data"):
        if base and Path(base, *parts).is_dir():
            return Path(base, *parts)
    return None
