"""What comes out without the judges who are off, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.inference.results import Answer
from quorate.panel.base import listed, many
from quorate.words.facts import Fact
from quorate.words.numbers import share, two
from quorate.words.wording import brief, called, on, upper

ALIKE = 0.99  # correlation of means that hardly change


def result_without(answer: Answer | None) -> Mapping[str, Any] | None:
    """How the result changes without those who are flagged, where that is known."""
    rows = answer.more.get("without_flagged", ()) if answer else ()
    return rows[0] if rows else None


def fact(answer: Answer) -> list[Fact]:
    """The sentence of it."""
    found = result_without(answer)
    if found is None:
        return []
    who = listed([called(name) for name in found["judges"]])
    return [Fact("without", f"{upper(f'without {who}, {changes(found)}')}.", found)]


def changes(found: Mapping[str, Any]) -> str:
    """What changes without them, to follow "without Kim": the first place, systems, groups or labels."""
    form, same = found["form"], found["same"]
    if form == "orders":
        often = on(found["first_stays"], found["tasks"])
        return "every task keeps its order" if same else f"the same item comes first {often}"
    if form in ("board", "order"):
        return _first(found, found.get("of", "items"))
    if form == "groups":
        moved = f"{found['moved']:,} of {many(found['items'], 'item')} would be in another group"
        return "the groups stay the same" if same else moved
    if form == "labels":
        return (
            "every item keeps its label" if same else f"{share(found['moved'] / found['items'])} of the labels change"
        )
    much = "hardly change" if found["correlation"] > ALIKE else "change"
    return f"the items' means {much}: those with and without correlate {two(found['correlation'])}"


def _first(found: Mapping[str, Any], what: str) -> str:
    if found["same"]:
        return f"the {what} keep their order"
    if not found["first"]:
        return f"some {what} change places"
    before, after = (brief(name, what=what[:-1]) for name in found["first"])
    return f"{before} still comes first" if before == after else f"{after} comes first, not {before}"
