"""Quorate: what a panel of judges agrees on, and whether its verdict can be trusted.

>>> import quorate as q
>>> panel = q.Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd"})
>>> round(q.agreement(panel, "kendall_w")["kendall_w"].overall[0].value, 4)
0.8222

Names are loaded when they are first used, so that importing the package, and every ``quorate --help``, costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quorate.card_sorts import card_sort
    from quorate.comparison import compare
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
    from quorate.formats import read, write
    from quorate.formats.inspect import inspect
    from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
    from quorate.reports import report
    from quorate.reports.label_quality import label_quality
    from quorate.reports.model_judges import model_judges
    from quorate.reports.plan import plan
    from quorate.scale import scan
    from quorate.summaries.rouge import rouge
    from quorate.verbs import agreement, consensus, judges, quality, trust

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
    "Votes",
    "agreement",
    "card_sort",
    "compare",
    "consensus",
    "inspect",
    "judges",
    "label_quality",
    "model_judges",
    "plan",
    "quality",
    "read",
    "report",
    "rouge",
    "scan",
    "trust",
    "write",
]

_HOME = {
    **dict.fromkeys(("agreement", "consensus", "judges", "quality", "trust"), "verbs"),
    **dict.fromkeys(("Groupings", "Orderings", "Scores", "Votes"), "panel.kinds"),
    **dict.fromkeys(("read", "write"), "formats"),
    "inspect": "formats.inspect",
    "report": "reports",
    "rouge": "summaries.rouge",
    "card_sort": "card_sorts",
    "label_quality": "reports.label_quality",
    "model_judges": "reports.model_judges",
    "scan": "scale",
    "compare": "comparison",
    "plan": "reports.plan",
}
_ROOMS = ("errors", "formats", "groupings", "orderings", "panel", "scores", "summaries", "table", "verbs", "votes")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"quorate.{name}")
    if name in __all__:
        return getattr(importlib.import_module(f"quorate.{_HOME.get(name, 'errors')}"), name)
    raise AttributeError(f"module 'quorate' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "__version__"])
