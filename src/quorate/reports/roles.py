"""What a panel is, so that its page has what only pages of that role have: a card sort, models as judges, labels.

Told by the panel alone: what such a page is made of is loaded for the panels that need it.
"""

from __future__ import annotations

from quorate.panel.judge_kinds import people
from quorate.panel.kinds import Groupings, Panel, Scores
from quorate.panel.units import both_kinds


def is_card_sort(panel: Panel) -> bool:
    """Whether a panel looks like one: groupings of one task from a tool for card sorts, or with named categories."""
    if not isinstance(panel, Groupings) or len(panel.tasks) > 1:
        return False
    return panel.reading.format == "cardsort" or "category" in panel.labels


def has_models(panel: Panel) -> bool:
    """Whether a panel tells people and models apart, and has both."""
    return both_kinds(panel) if isinstance(panel, Scores) else people(panel) is not None


def has_labels(panel: Panel) -> bool:
    """Whether a panel holds labels that somebody else labelled too."""
    return isinstance(panel, Scores) and bool(panel.scale) and len(panel.judges) > 1
