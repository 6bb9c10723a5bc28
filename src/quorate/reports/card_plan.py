"""How many people must sort cards? For groups that another panel would make too, and for shares of a given width.

With more cards than a person can sort, each gets some of them: two cards must then be seen together by as many people.
The people of a pilot may have been shown some of them, too.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from quorate.errors import BadParameter
from quorate.inference.pilots import assumed_groupings
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.kinds import Groupings, Panel
from quorate.panel.partitions import partitions
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
    number, seen = shown(panel)
    each = math.ceil(0.5 + math.sqrt(0.25 + seen * number * (number - 1)) - 1e-9) if cards is None else cards
    each = min(each, number)
    if each < 2:
        raise BadParameter(f"cards={cards} is out of range.", "a person sorts two cards at least.")
    both = each * (each - 1) / (number * (number - 1))  # of the people see any two cards together
    wider = seen / both  # people until two cards are seen together as often as by those of the pilot
    curve = ask("trust", panel, (f"judges_needed(target={certainty})",), Options(seed=seed)).findings[0]
    found = curve.overall[0]
    people = float(found.value)
    ends = None if found.interval is None else (_up(found.interval.low * wider), _up(found.interval.high * wider))
    shares = (2 * NormalDist().inv_cdf((1 + Options().level) / 2) * 0.5 / width) ** 2
    torn = tuple(item for about in curve.about for item in about.get("of_two", ())) if source == "pilot" else ()
    made = []
    for goal, wanted, needed, between, of_two in (
        ("the same groups", certainty, people * wider, ends, torn),
        ("width of a share", width, shares / both, None, ()),
    ):
        total = _up(needed)
        paid = total * cost if cost and math.isfinite(total) else None
        made.append(CardNeed(goal, wanted, total, between, each, paid, of_two))
    rows = zip(curve.keys["judges"], curve.values, strict=True)
    gained = tuple({"judges": _up(k * wider), "value": value} for k, value in rows if not math.isnan(value))
    return tuple(made), gained, source, assumed


def shown(panel: Panel) -> tuple[int, float]:
    """How many cards there are in a sort, and the share of the people who were shown any two of them."""
    parts = partitions(panel) if isinstance(panel, Groupings) else []
    number = max((len(p.items) for p in parts), default=2)
    pairs = [p.shown * (p.shown - 1) / (len(p.items) * (len(p.items) - 1)) for p in parts if len(p.items) > 1]
    return max(number, 2), float(np.mean(np.concatenate(pairs))) if pairs else 1.0


def _up(number: float) -> float:
    return math.ceil(number - 1e-9) if math.isfinite(number) else math.inf
