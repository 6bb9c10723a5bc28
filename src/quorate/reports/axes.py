"""Axes of the report's pictures: names that fit a phone, marks at whole numbers, and values that are all the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

# On a phone, long names lose their middle: names often differ at their ends.
_MIDDLE = (
    "containerSize()[0] < 500 && length(datum.label) > 17 ? "
    "slice(datum.label, 0, 8) + '\u2026' + slice(datum.label, -8) : datum.label"
)


def room(alt: Any, narrow: int, wide: int) -> Any:
    """How long names may be in pixels, on a phone and elsewhere."""
    return alt.ExprRef(f"containerSize()[0] < 500 ? {narrow} : {wide}")


def names_down(alt: Any) -> Any:
    """Names beside a chart; on a phone long ones lose their middle, because names often differ at their ends."""
    return alt.Axis(labelLimit=room(alt, 130, 300), labelExpr=_MIDDLE)


def names_across(alt: Any, names: Sequence[str], angle: int) -> Any:
    """Slanted names below a chart; many stand upright, and on a narrow page those that would overlap are left out."""
    if len(names) <= 8:
        return alt.Axis(labelAngle=angle, labelLimit=room(alt, 90, 140))
    small = {"labelFontSize": 9} if len(names) > 30 else {}
    return alt.Axis(labelAngle=-90, labelLimit=room(alt, 90, 140), labelOverlap="greedy", **small)


def whole(alt: Any, values: Sequence[float], **more: Any) -> Any:
    """An axis with marks at whole numbers only, at most about a dozen of them: 1, 2, 3 or 1, 5, 10."""
    low, high = math.floor(min(values, default=1)), math.ceil(max(values, default=1))
    steps = (n * 10**k for k in range(16) for n in ((1, 5) if k == 0 else (1, 2, 5)))
    step = next(n for n in steps if high - low <= 12 * n)
    marks = range(low, high + 1) if step == 1 else [low, *(n for n in range(0, high + 1, step) if n > low + step / 2)]
    return alt.Axis(values=list(marks), format="d", **more)


def whole_across(alt: Any, values: Sequence[float]) -> Any:
    """The same below a chart, with as many marks as its width has room for."""
    return whole(alt, values, tickCount=alt.ExprRef("ceil(width / 28)"))


def same(rows: Sequence[Mapping[str, Any]], *names: str) -> dict[str, Any]:
    """An axis of its own for values that are all the same, which would be marked with a wrong number.

    >>> same([{"value": 0.5}, {"value": 0.5}], "value"), same([{"value": 0.5}, {"value": 0.6}], "value")
    ({'domain': [0.4, 0.6]}, {})
    """
    found = {row[n] for row in rows for n in names if row.get(n) is not None}
    if len(found) != 1:
        return {}
    (value,) = found
    return {"domain": [value - 0.1 * (value != 0), value + 0.1 * (value != 1)]}  # no share below 0 or above 1


def in_lines(text: str) -> str | list[str]:
    """A long name of a method on several lines, which fit a narrow page."""
    name, bracket, rest = text.partition("(")
    return [name, *(bracket + rest).replace(", ", ",\n").split("\n")] if rest and len(text) > 25 else text
