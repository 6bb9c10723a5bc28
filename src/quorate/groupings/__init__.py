"""Groupings: judges put items in groups. One file per question; plain functions of two partitions are here.

>>> from quorate.groupings import adjusted_rand, v_beta
>>> v_beta([1, 1, 2, 2], ["x", "x", "y", "y"]), adjusted_rand([1, 1, 2, 2], [1, 2, 1, 2])
(1.0, -0.5)
"""

from quorate.groupings.association import Association
from quorate.groupings.consensus import as_panel, consensus_groups
from quorate.groupings.documents import Document, read_documents
from quorate.groupings.edits import Cut, Difference, Edit, edits
from quorate.groupings.group_names import Suggestion, normal_name, suggested
from quorate.groupings.guidelines import check
from quorate.groupings.importance import importance_orders
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
from quorate.groupings.q_support import Together, together
from quorate.groupings.quality import explain
from quorate.groupings.sentence_sets import build_sentence_set
from quorate.groupings.sheet import Sheet, sheet
from quorate.groupings.text_linkage import text_linkage
from quorate.groupings.trust import sensitivity
from quorate.groupings.two_judges import Comparison

LETTERS = """
In formulas L are the clusters of one judge and C the classes of the other judge (or gold standard); |L| is how many
there are, H an entropy, I their mutual information, E what is expected of random clusterings with the same sizes, and
n the number of items. Of the pairs of items TP are together in both, FP in the clusters only, FN in the classes only,
TN in neither. Measures of two judges are averaged over all pairs of judges, both ways where the two differ.
"""  # in the formulas of methods
ORDER = {  # of methods, as they are shown; of each question the first default one comes first in answers
    "agreement": (
        "homogeneity completeness v v_beta v_half nmi vi nvi entropy adjusted_mutual_information purity b_cubed "
        "rand precision recall f adjusted_rand attainable_rand fowlkes_mallows together"
    ),
    "judges": "peer_agreement leaning together_outliers",
    "consensus": "median_partition pairs quorum linkage",
    "quality": "against_judges against_consensus",
    "trust": "agreement_stability judges_needed sensitivity",
}

__all__ = [
    "MEASURES",
    "Association",
    "Comparison",
    "Cut",
    "Difference",
    "Document",
    "Edit",
    "Measure",
    "Sheet",
    "Suggestion",
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
    "importance_orders",
    "nmi",
    "normal_name",
    "nvi",
    "precision",
    "purity",
    "rand",
    "read_documents",
    "recall",
    "sensitivity",
    "sheet",
    "suggested",
    "text_linkage",
    "together",
    "v",
    "v_beta",
    "v_half",
    "vi",
]
