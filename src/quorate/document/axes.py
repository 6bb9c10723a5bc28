"""Axes of the report's pictures: names that fit a phone, marks at whole numbers, and values that are all the same."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

LINE = 36  # letters of an axis' title that fit a phone
NARROW, WIDE = 17, 45  # letters of a name that there is room for, on a phone and elsewhere
TOLD = 20  # sets of names that are the same without their middle and are told apart


def room(alt: Any, narrow: int, wide: int) -> Any:
    """How long names may be in pixels, on a phone and elsewhere."""
    return alt.ExprRef(f"containerSize()[0] < 500 ? {narrow} : {wide}")


def names_down(alt: Any, names: Sequence[str], wide: int = WIDE, **more: Any) -> Any:
    """Names beside a chart, long ones shortened so that they can still be told apart."""
    return alt.Axis(labelLimit=room(alt, 130, 320), labelExpr=told_apart(names, NARROW, wide), **more)


def told_apart(names: Sequence[str], narrow: int, wide: int) -> str:
    """How Vega writes names with so many letters, on a phone and elsewhere."""
    each = [_shortened(sorted(set(names)), most) for most in (narrow, wide)]
    return "containerSize()[0] < 500 ? {} : {}".format(*each)


def _shortened(names: Sequence[str], most: int) -> str:
    """How Vega writes names of more than so many letters: they lose their middle, as they often differ at their ends.

    Of names that would be the same then, a part is left from a little before they differ: where it begins stands in a
    table by what they have in common.

    >>> _shortened(["the long name"], 7)
    "length(datum.label) > 7 ? slice(datum.label, 0, 3) + '…' + slice(datum.label, -3) : datum.label"
    """
    side = (most - 1) // 2
    alike: dict[str, list[str]] = {}
    for name in names:
        if len(name) > most:
            alike.setdefault(f"{name[:side]}\u2026{name[-side:]}", []).append(name)
    begins = {short: max(_shared(long) - 3, 0) for short, long in alike.items() if len(long) > 1}
    middle = f"slice(datum.label, 0, {side}) + '\u2026' + slice(datum.label, -{side})"
    if begins:
        at = f"{json.dumps(dict(list(begins.items())[:TOLD]))}[{middle}]"
        more = f"(length(datum.label) > {at} + {most - 2} ? '\u2026' : '')"
        part = f"'\u2026' + slice(datum.label, {at}, {at} + {most - 2}) + {more}"
        middle = f"(isValid({at}) ? {part} : {middle})"
    return f"length(datum.label) > {most} ? {middle} : datum.label"


def _shared(names: Sequence[str]) -> int:
    """How many letters names have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False)))


def names_across(alt: Any, names: Sequence[str], angle: int) -> Any:
    """Slanted names below a chart; many stand upright, and on a narrow page those that would overlap are left out."""
    more: dict[str, Any] = {"labelLimit": room(alt, 100, 160), "labelExpr": told_apart(names, 12, 22)}
    if len(names) <= 8:
        return alt.Axis(labelAngle=angle, **more)
    small = {"labelFontSize": 9} if len(names) > 30 else {}
    return alt.Axis(labelAngle=-90, labelOverlap="greedy", **more, **small)


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


def within(rows: Sequence[Mapping[str, Any]], limits: tuple[float, float] | None, *names: str) -> dict[str, Any]:
    """Ends of an axis for values that come so close to their limits that it would go on beyond them.

    >>> within([{"value": 0.2}, {"value": 1.0}], (-1, 1), "value")
    {'domainMax': 1}
    """
    found = [row[n] for row in rows for n in names if row.get(n) is not None]
    if limits is None or not found:
        return {}
    low, high = min(found), max(found)
    near = (high - low) / 8
    ends = {"domainMin": (limits[0], limits[0] <= low < limits[0] + near)}
    ends["domainMax"] = (limits[1], limits[1] - near < high <= limits[1])
    return {name: limit for name, (limit, close) in ends.items() if close}


def in_lines(text: str) -> str | list[str]:
    """A long name of a method on several lines, which fit a narrow page."""
    name, bracket, rest = text.partition("(")
    if rest and len(text) > 25:
        return [name, *(bracket + rest).replace(", ", ",\n").split("\n")]
    lines = textwrap.wrap(text, LINE)
    return lines if len(lines) > 1 else text
