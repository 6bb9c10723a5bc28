"""A surface or curve in words: how much is left at its far ends, and where two panels cross."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from quorate.words.facts import Fact
from quorate.words.numbers import figure, place, share
from quorate.words.wording import ci


def surface_facts(found: Any) -> Iterator[Fact]:
    """What a surface says, for one panel or two."""
    for name in found.cells:
        yield _fall(found, name)
    if found.differences:
        yield _apart(found)


def _fall(found: Any, name: str) -> Fact:
    """The value at the near corner and how much of it is left at the far end of either parameter."""
    axes = [axis for axis in (found.down, found.across) if axis[0]]
    first = [values[0] for _, values in axes]
    near = found.at(name, *first)
    who = f"{name}: " if len(found.cells) > 1 else ""
    where = " and ".join(f"{parameter} {place(values[0])}" for parameter, values in axes)
    begin = f"{who}{found.method.name} is {figure(near.value)}{ci(near, figure)} at {where}"
    if not near.value or math.isnan(float(near.value)):
        return Fact("surface", f"{begin}.", {"panel": name})
    left, ends = [], []
    for k, (parameter, values) in enumerate(axes):
        far = found.at(name, *(values[-1] if n == k else v for n, v in enumerate(first)))
        left.append(float(far.value) / float(near.value))
        ends.append(f"at {parameter} {place(values[-1])} {share(left[-1])}{'' if k else ' of it is left'}")
    return Fact("surface", f"{begin}; {', '.join(ends)}.", {"panel": name, "left": left})


def _apart(found: Any) -> Fact:
    """In how many cells the second panel is above the first, in how many surely, and whether they change places."""
    one, two = found.cells
    values = [float(e.value) for e in found.differences]
    above, below = sum(v > 0 for v in values), sum(v < 0 for v in values)
    sure = sum(bool(e.interval and (e.interval.low > 0 or e.interval.high < 0)) for e in found.differences)
    more, less, most = (one, two, below) if below >= above else (two, one, above)
    said = f"{more} is above {less} in {most:,} of {len(values):,} {'values' if found.curve else 'cells'}"
    if not most:
        return Fact("crossing", f"Neither {one} nor {two} is above the other.", {"above": 0, "below": 0})
    if min(above, below):
        said += f" and below in {min(above, below):,}: which panel agrees more is a matter of {found.down[0]}"
        between = [" and ".join(map(place, row[found.down[0]])) for row in found.crossings] if found.curve else []
        said += f", crossing between {', '.join(between)}" if found.curve else f" and {found.across[0]}"
    if not any(e.interval for e in found.differences):
        return Fact("crossing", f"{said}.", {"above": above, "below": below})
    known = "in none" if not sure else "in all" if sure == len(values) else f"in {sure:,}"
    data = {"above": above, "below": below, "sure": sure}
    return Fact("crossing", f"{said}; {known} of them the interval of the difference leaves out 0.", data)
