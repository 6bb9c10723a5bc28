"""Orderings: judges put items in order. One file per question; plain functions of rankings are here.

>>> from quorate.orderings import kappa, tau
>>> kappa(["abc", "acb"]).value, tau("abc", "acb")
(5, 0.3333333333333333)
"""

from quorate.orderings.agreement import kappa, kendall_w, support
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
from quorate.orderings.support import Counts, Support

__all__ = [
    "PAIRWISE",
    "Counts",
    "Kappa",
    "Pairwise",
    "Support",
    "fagin_footrule",
    "fagin_rho",
    "fagin_tau",
    "footrule",
    "kappa",
    "kendall_w",
    "rbo",
    "rho",
    "rho_top",
    "support",
    "tau",
    "tau_ap",
    "tau_b",
    "tau_shieh",
    "tau_vigna",
    "tau_x",
]
