"""Very many judges of one task: what they add up to in groups, and panels in which groups are drawn.

A panel of a million judges is not drawn judge by judge: what a method needs of them adds up (``additive=`` of its
declaration), so they are put into groups by their names, and groups are drawn. Rankings in files give the same sums a
block at a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import split
from quorate.inference.engine import budget_of
from quorate.inference.results import Options
from quorate.inference.weights import GROUPS, drawn, stream
from quorate.panel.coefficient import Additive, additive
from quorate.panel.design import Design
from quorate.table import Method

Array = NDArray[Any]
JUDGES = 10_000  # of a task, beyond which they are drawn in groups
ITEMS = 3000  # up to which a table of all pairs of them has room
FEWEST = 20  # groups
CELLS = 1 << 24  # pairs of items in all groups, about
AT_ONCE = 1 << 22  # of panels that are looked at in one go


def adding(method: Method, judges: int, items: int, counted: bool) -> Additive | None:
    """How a method's numbers add up over judges, where they are so many that groups of them are drawn; else None."""
    return additive(method) if judges > JUDGES and items <= ITEMS and not counted else None


def groups(items: int) -> int:
    """How many groups there are."""
    return int(min(GROUPS, max(FEWEST, CELLS // max(items * items, 1))))


def group_of(names: Sequence[Hashable], number: int) -> Array:
    """The group of every judge, by name: the same whoever else is there."""
    return np.fromiter((zlib.crc32(str(name).encode()) % number for name in names), np.int64, len(names))


def sums_of(method: Method, adds: Additive, design: Design, part: Any, t: int) -> Array:
    """What the judges of a task add up to, group by group, ``[group, number]``."""
    positions, number = part.given[0][t], groups(part.given[0].shape[2])
    names = [design.judges[k] for k in part.judges[t].tolist()]
    gaps = bool((positions == 0).any())
    return np.asarray(adds.sums(positions, group_of(names, number), number, gaps, **method.parameters))


def agreed_in_groups(
    method: Method, adds: Additive, sums: Array, items: int, task: int, options: Options
) -> tuple[Any, Array | None]:
    """What all judges agree on, and what those of groups drawn anew do, ``[draw, item]``."""
    sums = sums.astype(float)  # whole numbers still
    found = adds.of(sums.sum(axis=0)[None], items, **method.parameters)[0]
    rng, out = stream(options.seed, "consensus", method, task), []
    for k in split(budget_of(options).draws(sums.size), max(1, AT_ONCE // sums.shape[1])):
        panels = drawn(len(sums), k, rng) @ sums
        out += [one.array for one in adds.of(panels, items, brief=True, **method.parameters)]
    return found, np.stack(out) if out else None
