"""Where groups of judges differ in what they agree on, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quorate.panel.base import listed, many
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import called, those

NAMED = 5  # groups or items by name


def group_facts(found: Any) -> Iterator[Fact]:
    """Where the groups differ."""
    who = listed([f"{n} ({many(a.judges, 'judge')})" for n, a in found.answers.items()], NAMED)
    differ, items = found.differ, found.items
    if not items:
        yield Fact("nothing", f"{who}: no two groups judged the same items.")
        return
    if found.labels:
        names = those([row["item"] for row in differ], "item", NAMED)
        which = f": {names}" if differ else ""
        text = f"{who}: the groups' labels differ on {len(differ):,} of {many(items, 'item')}{which}."
    else:
        row = differ[0] if differ else None
        told = [f"{n} {two(row[n])}" for n in found.answers if row.get(n) is not None] if row else []
        apart = (
            f"most apart on {called(row['item'], 'item')} ({', '.join(told)})" if row else "they say the same of all"
        )
        text = f"{who}: {apart}."
    yield Fact("by_group", text, {"items": [row["item"] for row in differ]})
