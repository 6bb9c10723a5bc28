"""FreSPA of every judge by the others at once, against scoring them one by one."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from quorate.kernels import left_out, pattern_subsets
from quorate.kernels.missing import dense
from quorate.orderings.simulate import mallows
from quorate.table import parse

module = importlib.import_module("quorate.orderings.discriminate")


def rankings(tasks, judges, items, gaps, rng):
    """Rankings with ties, and with gaps if wanted."""
    positions = (mallows((tasks, judges, items), 0.6, rng).astype(np.int64) + 1) // 2
    if not gaps:
        return positions
    positions[rng.random(positions.shape) < 0.2] = 0
    ranked = dense(np.where(positions > 0, positions, 99))
    return np.where(positions > 0, ranked, 0)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    ("judges", "items", "min_sup"), [(10, 9, 0.75), (5, 6, 0.5), (3, 4, 0.0), (9, 7, 0.9), (2, 3, 1.0)]
)
@pytest.mark.parametrize(("w_len", "w_sup"), [(1, 1), (0, 5), (3, 0)])
def test_all_at_once_is_one_by_one(monkeypatch, gaps, judges, items, min_sup, w_len, w_sup):
    positions = rankings(4, judges, items, gaps, np.random.default_rng(judges))
    counts = np.ones(positions.shape[:2], np.int64)
    method = parse(f"frespa(min_sup={min_sup}, w_len={w_len}, w_sup={w_sup})", "orderings", "quality")
    monkeypatch.setattr(pattern_subsets, "fits", lambda *_: False)  # which would take them
    found = module.differences(positions, counts, method)
    assert module._at_once(positions, counts, method) is not None
    monkeypatch.setattr(module, "_at_once", lambda *_: None)
    assert found == pytest.approx(module.differences(positions, counts, method), abs=1e-12)


def test_tasks_are_worked_on_in_pieces(monkeypatch):
    positions = mallows((7, 6, 5), 0.5, np.random.default_rng(0))
    whole = left_out.scores(positions, 4, 1.0, 1.0)
    monkeypatch.setattr(left_out, "CELLS", 2000)
    pieces = left_out.scores(positions, 4, 1.0, 1.0)
    assert all((a == b).all() for a, b in zip(whole, pieces, strict=True))


@pytest.mark.parametrize(("judges", "items", "need"), [(20, 9, 10), (10, 25, 8), (1, 5, 1), (5, 1, 2)])
def test_what_is_too_large_or_too_small_is_left_to_others(judges, items, need):
    assert not left_out.fits(judges, items, need)
