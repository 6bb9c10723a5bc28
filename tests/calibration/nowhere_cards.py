"""Cards that belong nowhere: of incomplete card sorts without such a card, and with two."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import quorate as q
from quorate.card_sorts import card_sort
from tests.calibration.experiment import Experiment, rng

CARDS, GROUPS = 40, 5


def sorts(generator: np.random.Generator, people: int, each: tuple[int, int], moved: float, lost: int) -> q.Groupings:
    """People who are shown some of the cards each, and put some of those anywhere; lost ones half the time alone."""
    rows = []
    for judge in range(people):
        shown = generator.choice(CARDS, generator.integers(each[0], each[1] + 1), replace=False)
        for card in shown.tolist():
            anywhere = generator.random() < (1 if card < lost else moved)
            group = int(generator.integers(GROUPS)) if anywhere else card % GROUPS
            alone = card < lost and generator.random() < 0.5
            rows.append((f"p{judge}", f"c{card}", f"own {card}" if alone else f"g{group}"))
    return q.Groupings.build(dict(zip(("judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True)))


def named(seed: int, people: int, each: tuple[int, int], moved: float, lost: int = 0) -> dict[str, float]:
    """Whether a card is said to belong nowhere that does not; and the share of those said that do."""
    panel = sorts(rng(seed), people, each, moved, lost)
    found = set(card_sort(panel, seed=seed, resamples=0, permutations=0).nowhere)
    planted = {f"c{card}" for card in range(lost)}
    if lost:
        return {"named": len(found & planted) / lost, "others named": float(bool(found - planted))}
    return {"a card": float(bool(found))}


def nowhere_cards() -> Iterator[Experiment]:
    """Incomplete sorts, and complete ones of few people."""
    for people, each, moved in ((30, (15, 20), 0.3), (30, (15, 20), 0.4), (20, (15, 20), 0.3), (15, (40, 40), 0.3)):
        shown = f"{each[0]} to {each[1]}" if each[0] < each[1] else f"{each[0]}"
        setting = f"{people} people with {shown} of {CARDS} cards, {moved:.0%} of them anywhere"
        run = partial(named, people=people, each=each, moved=moved)
        yield Experiment("null", "groupings", f"no card belongs nowhere, {setting}", run, promise=0.05)
        run = partial(named, people=people, each=each, moved=moved, lost=2)
        yield Experiment("power", "groupings", f"2 cards belong nowhere, {setting}", run)
