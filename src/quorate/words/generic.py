"""What is said of a method that has no words of its own: its figure, its interval, whether it is more than chance."""

from __future__ import annotations

from quorate.inference.estimate import Estimate
from quorate.inference.results import Finding
from quorate.words.numbers import two
from quorate.words.wording import by_chance


def said_of_any(f: Finding, e: Estimate) -> list[str]:
    """The sentence of any figure of agreement."""
    ends = f" (95% CI {two(e.interval.low)} to {two(e.interval.high)} over {e.interval.over})" if e.interval else ""
    chance = f", {by_chance(e.null.p)}" if e.null else ""
    return [f"Agreement by {f.method} is {two(e.value)}{ends}{chance}."]
