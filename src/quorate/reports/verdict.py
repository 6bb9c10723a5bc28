"""The verdict: what a reader in a hurry takes away. It chooses among facts, by what they are, never by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quorate.words.facts import Fact, chosen, named
from quorate.words.generic import headline

if TYPE_CHECKING:
    from quorate.inference.results import Answer
    from quorate.reports.model import Section
    from quorate.reports.swaps import Swap


def verdict(sections: Sequence[Section], swap: Swap | None = None) -> list[str]:
    """A sentence or two a question, none twice."""
    said: list[str] = []
    ranked = any(s.question == "quality" and s.answer for s in sections)
    for section in sections:
        if section.answer is None:
            said.append(f"{section.heading} No answer: {section.trouble.partition(' Hint:')[0]}")
            continue
        facts = told(section.answer, ranked)
        said += [f.brief for f in facts]
        if section.question == ("quality" if ranked else "consensus"):
            said += _swapped(swap, facts)
    return list(dict.fromkeys(said))


def told(answer: Answer, ranked: bool) -> list[Fact]:
    """The facts of an answer that a reader in a hurry needs."""
    facts = answer.facts
    if answer.question == "agreement":
        found = chosen(facts, "nothing") or chosen(facts, "agreement")
        return [*chosen(facts, "size"), *named(facts, "copies"), *found, *headline(answer, found)]
    if answer.question == "judges":
        off = chosen(facts, "nothing", "off", "nobody", most=3)
        return [*off, *[f for f in chosen(facts, "judge", most=9) if "flagged" not in f.data][:1]]
    if answer.question == "consensus":
        return [] if ranked and answer.kind in ("scores", "votes") else chosen(facts, "first", "nothing")
    if answer.question == "quality":
        return chosen(facts, "leader", "nothing") or chosen(facts, "size")
    first = chosen(facts, "repeatable") + chosen(facts, "needed")
    return (first + [f for f in named(facts, "trust", "nothing") if not f.expert])[:2]


def _swapped(swap: Swap | None, said: Sequence[Fact]) -> list[str]:
    """How often the first two would swap places; nothing where it was just said that all are equal."""
    equal = swap is not None and swap.level and any(f.data.get("equal") for f in said)
    return [swap.sentence()] if swap and not equal else []
