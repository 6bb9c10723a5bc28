"""Orderings: judges put items in order. One file per question; plain functions of rankings are here.

>>> from quorate.orderings import kappa, tau
>>> kappa(["abc", "acb"]).value, tau("abc", "acb")
(5, 0.3333333333333333)
"""

from quorate.orderings.agreement import kappa, kendall_w, support
from quorate.orderings.consensus import consensus_order
from quorate.orderings.judges import influence, peer_correlation, support_outliers
from quorate.orderings.kappa import Kappa
from quorate.orderings.pairwise import (
    PAIRWISE,
    Pairwise,
    fagin_footrule,
    fagin_rho,
    fagin_tau,
    footrule,
    rbo,
    rho,
    rho_top,
    tau,
    tau_ap,
    tau_b,
    tau_shieh,
    tau_vigna,
    tau_x,
)
from quorate.orderings.quality import (
    average_correlation,
    explain,
    frequent_patterns,
    frequent_sets,
    frespa,
    rank_based,
    weighted_correlation,
)
from quorate.orderings.support import Counts, Support
from quorate.orderings.trust import discriminate

LETTERS = """
In formulas N is the number of judges, n of items and m of the items in one ranking; C and D are the pairs of items that
two rankings order alike and the other way round; r is an item's rank, 1 the best. Indices of two rankings are averaged
over all pairs of judges.
"""  # in the formulas of methods
ORDER = {  # of methods, as they are shown; of each question the first default one comes first in answers
    "agreement": (
        "tau tau_b tau_x tau_ap tau_shieh tau_vigna rho rho_top footrule fagin_tau fagin_footrule fagin_rho rbo "
        "kendall_w kappa support"
    ),
    "judges": "support_outliers peer_correlation influence",
    "consensus": (
        "rank_sum reciprocal_rank comb_sum comb_mnz prob_fuse copeland schulze supported_order common_extension "
        "elastic pattern_model kemeny mallows plackett_luce"
    ),
    "quality": "average_correlation weighted_correlation rank_based frespa frequent_sets",
    "trust": "discriminativeness noise split_half judges_needed bootstrap sweep tune held_out",
}

__all__ = [
    "PAIRWISE",
    "Counts",
    "Kappa",
    "Pairwise",
    "Support",
    "average_correlation",
    "consensus_order",
    "discriminate",
    "explain",
    "fagin_footrule",
    "fagin_rho",
    "fagin_tau",
    "footrule",
    "frequent_patterns",
    "frequent_sets",
    "frespa",
    "influence",
    "kappa",
    "kendall_w",
    "peer_correlation",
    "rank_based",
    "rbo",
    "rho",
    "rho_top",
    "support",
    "support_outliers",
    "tau",
    "tau_ap",
    "tau_b",
    "tau_shieh",
    "tau_vigna",
    "tau_x",
    "weighted_correlation",
]
