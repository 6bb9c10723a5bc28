"""Scores: judges give items scores. One file per question; plain functions of tables of scores are here.

>>> from quorate.scores import alpha, icc
>>> round(alpha([[1, 2, 3], [1, 2, 4]]), 4), round(icc([[1, 2, 3], [1, 2, 4]]).value, 4)
(0.878, 0.9)
"""

from quorate.scores import judges
from quorate.scores.agreement import alpha, alpha_without, cohen, fleiss, gwet, icc, kendall_w, percent

__all__ = [
    "alpha",
    "alpha_without",
    "cohen",
    "fleiss",
    "gwet",
    "icc",
    "judges",
    "kendall_w",
    "percent",
]
