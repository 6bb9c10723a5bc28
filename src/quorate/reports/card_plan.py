"""How many people must sort cards? For groups that another panel would make too, and for shares of a given width.

With more cards than a person can sort, each gets some of them: two cards must then be seen together by as many people.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from quorate.errors import BadParameter
from quorate.inference.pilots import assumed_groupings
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.kinds import Panel
from quorate.verbs import ask


@dataclass(frozen=True)
class CardNeed:
    """One goal: so many people who sort so many cards each."""

    goal: str
    wanted: float
    judges: float  # infinite where no number is enough
    interval: tuple[float, float] | None
    cards: int
    cost: float | None
    of_two: tuple[Hashable, ...] = ()  # cards that belong to two groups, as it seems

    def row(self) -> dict[str, Any]:
        """As a row of a table."""
        return {
            "goal": self.goal,
            "wanted": self.wanted,
            "judges": int(self.judges) if math.isfinite(self.judges) else None,
            "interval": self.interval,
            "cards": self.cards,
            "cost": self.cost,
            "of_two": list(self.of_two),
        }


def card_needs(
    panel: Panel | None,
    agreement: float | None,
    items: int,
    groups: int,
    certainty: float,
    width: float,
    cards: int | None,
    cost: float,
    seed: int,
) -> tuple[tuple[CardNeed, ...], tuple[Mapping[str, Any], ...], str, Mapping[str, Any]]:
    """What a card sort needs, what more people gain, whether a pilot or assumptions say so, and what is assumed."""
    source, assumed = "pilot", dict[str, Any]()
    if panel is None:
        source, wanted = "assumptions", 0.5 if agreement is None else agreement
        panel = assumed_groupings(items, groups, wanted, stream(seed, "card plan"))
        assumed = {"cards": items, "groups": groups, "adjusted Rand of two judges": wanted}
    number = max(len(set(panel.items)), 2)
    each = number if cards is None else min(cards, number)
    if each < 2:
        raise BadParameter(f"cards={cards} is out of range.", "a person sorts two cards at least.")
    wider = number * (number - 1) / (each * (each - 1))  # people until two cards are seen together as often
    curve = ask("trust", panel, (f"judges_needed(target={certainty})",), Options(seed=seed)).findings[0]
    found = curve.overall[0]
    people = float(found.value)
    ends = None if found.interval is None else (_up(found.interval.low * wider), _up(found.interval.high * wider))
    shares = (2 * NormalDist().inv_cdf((1 + Options().level) / 2) * 0.5 / width) ** 2
    torn = tuple(item for about in curve.about for item in about.get("of_two", ())) if source == "pilot" else ()
    made = []
    for goal, wanted, needed, between, of_two in (
        ("the same groups", certainty, people, ends, torn),
        ("width of a share", width, shares, None, ()),
    ):
        total = _up(needed * wider)
        paid = total * cost if cost and math.isfinite(total) else None
        made.append(CardNeed(goal, wanted, total, between, each, paid, of_two))
    rows = zip(curve.keys["judges"], curve.values, strict=True)
    gained = tuple({"judges": _up(k * wider), "value": value} for k, value in rows if not math.isnan(value))
    return tuple(made), gained, source, assumed


def _up(number: float) -> float:
    return math.ceil(number - 1e-9) if math.isfinite(number) else math.inf
