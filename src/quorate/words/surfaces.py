"""A surface in words: how much is left at its far corner, which parameter matters more, and where two panels cross."""

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
    (down, rows), (across, columns) = found.down, found.across
    near = found.at(name, rows[0], columns[0])
    who = f"{name}: " if len(found.cells) > 1 else ""
    where = f"at {down} {place(rows[0])} and {across} {place(columns[0])}"
    begin = f"{who}{found.method.name} is {figure(near.value)}{ci(near, figure)} {where}"
    if not near.value or math.isnan(float(near.value)):
        return Fact("surface", f"{begin}.", {"panel": name})
    left = [
        float(e.value) / float(near.value)
        for e in (found.at(name, rows[-1], columns[0]), found.at(name, rows[0], columns[-1]))
    ]
    ends = (
        f"at {down} {place(rows[-1])} {share(left[0])} of it is left, at {across} {place(columns[-1])} {share(left[1])}"
    )
    return Fact("surface", f"{begin}; {ends}.", {"panel": name, "left": left})


def _apart(found: Any) -> Fact:
    """In how many cells the second panel is above the first, in how many surely, and whether they change places."""
    one, two = found.cells
    values = [float(e.value) for e in found.differences]
    above, below = sum(v > 0 for v in values), sum(v < 0 for v in values)
    sure = sum(bool(e.interval and (e.interval.low > 0 or e.interval.high < 0)) for e in found.differences)
    more, less, most = (one, two, below) if below >= above else (two, one, above)
    said = f"{more} is above {less} in {most:,} of {len(values):,} cells"
    if min(above, below):
        said += f" and below in {min(above, below):,}: which panel agrees more is a matter of {found.down[0]}"
        said += f" and {found.across[0]}"
    known = "in none" if not sure else "in all" if sure == len(values) else f"in {sure:,}"
    data = {"above": above, "below": below, "sure": sure}
    return Fact("crossing", f"{said}; {known} of them the interval of the difference leaves out 0.", data)
