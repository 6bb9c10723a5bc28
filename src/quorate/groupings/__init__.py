"""Groupings: judges put items in groups. One file per question; plain functions of two partitions are here.

>>> from quorate.groupings import adjusted_rand, v_beta
>>> v_beta([1, 1, 2, 2], ["x", "x", "y", "y"]), adjusted_rand([1, 1, 2, 2], [1, 2, 1, 2])
(1.0, -0.5)
"""

from quorate.groupings import agreement as _agreement  # noqa: F401  declares what most put together
from quorate.groupings.measures import (
    MEASURES,
    Measure,
    adjusted_mutual_information,
    adjusted_rand,
    b_cubed,
    completeness,
    entropy,
    f,
    fowlkes_mallows,
    homogeneity,
    nmi,
    nvi,
    precision,
    purity,
    rand,
    recall,
    v,
    v_beta,
    v_half,
    vi,
)

__all__ = [
    "MEASURES",
    "Measure",
    "adjusted_mutual_information",
    "adjusted_rand",
    "b_cubed",
    "completeness",
    "entropy",
    "f",
    "fowlkes_mallows",
    "homogeneity",
    "nmi",
    "nvi",
    "precision",
    "purity",
    "rand",
    "recall",
    "v",
    "v_beta",
    "v_half",
    "vi",
]
