"""Who was dropped before agreement was measured again, in words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from quorate.words.facts import Fact
from quorate.words.wording import those

SHOWN = 12  # judges named


def dropped_fact(before: Any, dropped: Sequence[Hashable], by: str) -> Fact:
    """Who was dropped, and by what rule."""
    rule = "who is flagged" if by == "flagged" else f"outliers by {by}"
    data = {"dropped": list(dropped), "by": by}
    if not dropped:
        return Fact("dropped", f"No judge is dropped ({rule}): before and after are the same.", data)
    said = f"{len(dropped):,} of {before.judges:,} judges dropped ({rule}): {those(dropped, shown=SHOWN)}."
    return Fact("dropped", said, data)
