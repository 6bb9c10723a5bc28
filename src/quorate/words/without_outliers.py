"""Who was dropped before agreement was measured again, in words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from quorate.words.facts import Fact

SHOWN = 12  # judges named


def dropped_fact(before: Any, dropped: Sequence[Hashable], by: str) -> Fact:
    """Who was dropped, and by what rule."""
    rule = "who is flagged" if by == "flagged" else f"outliers by {by}"
    data = {"dropped": list(dropped), "by": by}
    if not dropped:
        return Fact("dropped", f"No judge is dropped ({rule}): before and after are the same.", data)
    names = list(map(str, dropped))
    named = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
    return Fact("dropped", f"{len(names):,} of {before.judges:,} judges dropped ({rule}): {named}.", data)
