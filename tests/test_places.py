"""Draws and p-values are made in the core; what is made elsewhere stands in one list, with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.house import CORE, DRAWN, ROOT, TESTED, draws, p_values, places, quotients


def outside(count) -> set[str]:
    return {name for name in places(ROOT, count) if not name.startswith(CORE)}


@pytest.mark.parametrize(("count", "listed"), [(draws, DRAWN), (p_values, TESTED)], ids=["draws", "p-values"])
def test_what_is_made_outside_of_the_core_is_listed(count, listed):
    assert outside(count) == set(listed)


def test_p_of_counts_is_written_once():
    assert places(ROOT, quotients) == {"kernels/tails.py": 1}


def test_a_draw_and_a_p_value_are_seen(tmp_path: Path):
    made = tmp_path / "made.py"
    made.write_text(
        "import numpy as np\nrng = np.random.default_rng(0)\nx = rng.normal()\np = (k + 1) / (len(x) + 1)\n"
    )
    assert (draws(made), p_values(made), quotients(made)) == (2, 1, 1)
    made.write_text("def f(x):\n    'rng.normal()'\n    return x.choice()  # rng.random()\n")
    assert (draws(made), p_values(made)) == (0, 0)
