"""Scores: judges give items scores. One file per question; plain functions of tables of scores are here.

>>> from quorate.scores import alpha, icc
>>> round(alpha([[1, 2, 3], [1, 2, 4]]), 4), round(icc([[1, 2, 3], [1, 2, 4]]).value, 4)
(0.878, 0.9)
"""

from quorate.scores import judges
from quorate.scores.agreement import alpha, alpha_without, cohen, fleiss, gwet, icc, kendall_w, percent
from quorate.scores.consensus import consensus_scores
from quorate.scores.quality import mean_score  # noqa: F401  (registers the methods)
from quorate.scores.trust import acc_eq, discriminated, permutation_test, spa, williams

__all__ = [
    "acc_eq",
    "alpha",
    "alpha_without",
    "cohen",
    "consensus_scores",
    "discriminated",
    "fleiss",
    "gwet",
    "icc",
    "judges",
    "kendall_w",
    "percent",
    "permutation_test",
    "spa",
    "williams",
]
