"""What stands first in a section: the facts that a reader in a hurry needs, chosen by what they are, never by text."""

from __future__ import annotations

from quorate.inference.results import Answer
from quorate.words.agreement import headline
from quorate.words.facts import Fact, chosen, named


def leading(answer: Answer, ranked: bool) -> list[Fact]:
    """A sentence or two of an answer; ``ranked``: the leaderboard is in a section of its own."""
    facts = answer.facts
    if answer.question == "agreement":
        found = chosen(facts, "nothing") or chosen(facts, "agreement")
        return [*chosen(facts, "size"), *named(facts, "copies"), *found, *headline(answer, found)]
    if answer.question == "judges":
        off = chosen(facts, "nothing", "off", "nobody", most=3)
        return [*off, *[f for f in chosen(facts, "judge", most=9) if "flagged" not in f.data][:1]]
    if answer.question == "consensus":
        board = ranked and answer.kind in ("scores", "votes")
        return chosen(facts, "size", "nothing") if board else chosen(facts, "first", "leader", "nothing")
    if answer.question == "quality":
        return chosen(facts, "leader", "nothing") or chosen(facts, "size")
    first = chosen(facts, "repeatable") + chosen(facts, "needed")
    return (first + [f for f in named(facts, "trust", "nothing") if not f.expert])[:2]
