"""What is said of any method: its figure, its interval, and whether it is more than chance."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import by_chance


def said_of_any(f: Finding, e: Estimate) -> list[str]:
    """The sentence of any figure of agreement."""
    chance = f", {by_chance(e.null.p)}" if e.null else ""
    return [f"Agreement by {f.method} is {two(e.value)}{between(e)}{chance}."]


def between(e: Estimate) -> str:
    """An estimate's interval in brackets, and over what it is; '' where there is none."""
    if e.interval is None:
        return ""
    ends = f"{two(e.interval.low)} to {two(e.interval.high)}"
    return f" ({e.interval.level:.0%} CI {ends} over {e.interval.over})"


def headline(answer: Answer, said: Sequence[Fact]) -> list[Fact]:
    """The first figure with its interval and what chance gives, unless it was said, or there is nothing to say."""
    first = next((o for f in answer.findings[:1] for o in f.overall[:1]), None)
    if first is None or any(f.name == "nothing" or f.data.get("interval") for f in said):
        return []
    if isinstance(first.value, float) and not math.isfinite(first.value):
        return []
    on = f" on {first.labels['criterion']}" if "criterion" in first.labels else ""
    chance = f"; judges who answer at random give {two(first.null.value)}" if first.null else ""
    text = f"Agreement{on} by {answer.findings[0].method.name} is {two(first.value)}{between(first)}{chance}."
    return [Fact("agreement", text, {"estimate": first, "interval": True})]
