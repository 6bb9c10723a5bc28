"""Card sorts from Python: all about the cards, and groups of judges side by side."""

from __future__ import annotations

from typing import Any

from quorate.comparison import Comparison, compare
from quorate.panel.kinds import Panel
from quorate.reports.card_sort import MEASURE
from quorate.reports.card_sort import card_sort as made
from quorate.reports.card_sort_result import CardSort


def card_sort(panel: Panel, *, by: str | None = None, **how: Any) -> CardSort:
    """Everything about a card sort: groups, names, the tree, cards that belong nowhere, and camps of judges.

    ``by`` names a column of judges whose groups are compared; ``groups`` and ``loss`` say how the consensus is made;
    options as for agreement.
    """
    options = {n: v for n, v in how.items() if n not in ("groups", "loss")}
    return made(panel, by=compared(panel, by, **options), **how)


def compared(panel: Panel, by: str | None, **options: Any) -> Comparison | None:
    """The groups of judges that a column tells, side by side by the measure that card sorts are compared with."""
    return compare(panel, MEASURE, by=by, **options) if by else None
