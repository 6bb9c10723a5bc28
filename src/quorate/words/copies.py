"""Copies in words: whose answers are the same, and that they count as one voice."""

from __future__ import annotations

from collections.abc import Hashable

from quorate.inference.results import Answer
from quorate.panel.base import listed
from quorate.words.facts import Fact

NAMED = 5  # copies that are named


def copy_facts(answer: Answer) -> list[Fact]:
    """That some judges gave the same answers, told before anything that rests on them."""
    rows = answer.more.get("one_voice", ())
    by: dict[Hashable, list[Hashable]] = {}
    for row in rows:
        by.setdefault(row["copy_of"], []).append(row["judge"])
    return [_told(list(rows), of, judges) for of, judges in by.items()]


def _told(rows: list[dict[str, object]], of: Hashable, judges: list[Hashable]) -> Fact:
    own = [row for row in rows if row["judge"] in judges]
    exact = all(row["same"] == row["answers"] for row in own)
    said = "the same answers" if exact else "nearly the same answers"
    text = f"{listed([of, *judges], NAMED)} gave {said}, far beyond what the agreement of the others allows"
    return Fact("copies", f"{text}: they count as one voice here.", {"copies": own})
