"""Panels that share their rankings and differ in their counts: matrix products find what each panel alone does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.kernels.without import mean_without
from quorate.orderings.peers import weights


@pytest.mark.parametrize("found", [mean_without, weights], ids=["means without a judge", "means with the others"])
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    judges=st.integers(1, 6),
    most=st.integers(1, 3),
    gaps=st.booleans(),
    alike=st.booleans(),
)
def test_one_square_for_all_panels_gives_what_a_square_each_does(found, seed, judges, most, gaps, alike):
    rng = np.random.default_rng(seed)
    square = rng.uniform(-1, 1, (judges, judges))
    if gaps:
        square[rng.random(square.shape) < 0.4] = np.nan
    counts = rng.integers(0, most + 1, (5, judges))
    wide = np.broadcast_to(square, (5, judges, judges))
    np.testing.assert_allclose(found(wide, counts, alike), found(wide.copy(), counts, alike), rtol=1e-9, atol=1e-12)
