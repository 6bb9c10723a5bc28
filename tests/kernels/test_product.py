"""Matrix products in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from quorate.kernels.product import SMALL, WIDE, product


@pytest.mark.parametrize(
    "shape", [(0, 3, 2), (1, 1, 1), (3, 0, 2), (40, 90, 200), (2, SMALL // 2, 5), (700, 5, 900), (3, 7, 2 * WIDE + 1)]
)
def test_a_product_in_pieces_is_the_product(shape):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, shape[:2]).astype(float), rng.integers(-9, 9, shape[1:]).astype(float)
    assert (product(a, b) == a @ b).all()
