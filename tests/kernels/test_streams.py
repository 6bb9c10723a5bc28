"""Random draws that several rooms make: every sample is as likely as any other."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from quorate.kernels.streams import samples, stream


def test_every_sample_is_drawn_as_often():
    found, often = np.unique(samples(stream(1, "samples"), 6, 3, 20_000), axis=0, return_counts=True)
    assert found.tolist() == [list(some) for some in combinations(range(6), 3)]
    assert abs(often - 1000).max() < 5 * np.sqrt(1000)  # standard errors
