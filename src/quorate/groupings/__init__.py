"""Groupings: judges put items in groups. One file per question; plain functions of two partitions are here.

>>> from quorate.groupings import adjusted_rand, v_beta
>>> v_beta([1, 1, 2, 2], ["x", "x", "y", "y"]), adjusted_rand([1, 1, 2, 2], [1, 2, 1, 2])
(1.0, -0.5)
"""

from quorate.groupings.association import Association
from quorate.groupings.consensus import as_panel, consensus_groups
from quorate.groupings.documents import Document, read_documents
from quorate.groupings.edits import Cut, Difference, Edit, edits
from quorate.groupings.guidelines import check
from quorate.groupings.judges import compare
from quorate.groupings.measures import (
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
from quorate.groupings.pairwise import MEASURES, Measure
from quorate.groupings.quality import explain
from quorate.groupings.sentence_sets import build_sentence_set
from quorate.groupings.support import Together, together
from quorate.groupings.trust import sensitivity
from quorate.groupings.two_judges import Comparison

__all__ = [
    "MEASURES",
    "Association",
    "Comparison",
    "Cut",
    "Difference",
    "Document",
    "Edit",
    "Measure",
    "Together",
    "adjusted_mutual_information",
    "adjusted_rand",
    "as_panel",
    "b_cubed",
    "build_sentence_set",
    "check",
    "compare",
    "completeness",
    "consensus_groups",
    "edits",
    "entropy",
    "explain",
    "f",
    "fowlkes_mallows",
    "homogeneity",
    "nmi",
    "nvi",
    "precision",
    "purity",
    "rand",
    "read_documents",
    "recall",
    "sensitivity",
    "together",
    "v",
    "v_beta",
    "v_half",
    "vi",
]
