"""Quorate: what a panel of judges agrees on, and whether its verdict can be trusted.

>>> import quorate as q
>>> panel = q.Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd"})
>>> round(q.agreement(panel, "kendall_w")["kendall_w"].overall[0].value, 4)
0.7778
"""

from quorate.ask import agreement
from quorate.errors import (
    BadParameter,
    Degenerate,
    InputError,
    LimitReached,
    MissingExtra,
    QuorateError,
    QuorateWarning,
    UnknownId,
    UnknownMethod,
)
# from quorate.formats import read, write
from quorate.panels import Groupings, Orderings, Scores

__version__ = "0.1.0"

__all__ = [
    "BadParameter",
    "Degenerate",
    "Groupings",
    "InputError",
    "LimitReached",
    "MissingExtra",
    "Orderings",
    "QuorateError",
    "QuorateWarning",
    "Scores",
    "UnknownId",
    "UnknownMethod",
    "agreement",
    # "read",
    # "write",
]
