"""Very many judges of one task: what they add up to in groups, and panels in which groups are drawn.

A panel of a million judges is not drawn judge by judge: what a method needs of them adds up (``additive=`` of its
declaration), so they are put into groups by their names, and groups are drawn. Rankings in files give the same sums a
block at a time.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import split
from quorate.inference.engine import budget_of
from quorate.inference.estimate import Interval, Null
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import GROUPS, drawn, interval, stream
from quorate.kernels.ranks import strict
from quorate.panel.coefficient import Additive, additive
from quorate.panel.design import Design
from quorate.table import Method

Array = NDArray[Any]
JUDGES = 10_000  # of a task, beyond which they are drawn in groups
ITEMS = 3000  # up to which a table of all pairs of them has room
FEWEST = 20  # groups
CELLS = 1 << 24  # pairs of items in all groups, about
AT_ONCE = 1 << 22  # of panels that are looked at in one go
DEALT, FEWEST_DEALT = 2000, 200  # judges who rank at random, for chance


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
    known = {"missing": "unknown", **method.parameters}
    return np.asarray(adds.sums(positions, group_of(names, number), number, gaps, **known))


def counted(method: Method, design: Any, options: Options) -> tuple[Additive, Array, int] | None:
    """How a method's numbers add up over the judges of one task, what they are group by group, and its items; None
    where judges are few, or a method or a ranking needs more: one that lacks items or ties some."""
    if design.kind != "orderings" or len(design.tasks) != 1 or options.over not in (None, "judges"):
        return None
    elsewhere = getattr(design, "elsewhere", None)  # of rankings in files sums are all there is
    if elsewhere is not None:
        found: tuple[Additive, Array, int] | None = elsewhere.counted(method) if in_files(design) else None
        return found
    part = design.parts[0]
    _, judges, items = part.positions.shape
    adds = adding(method, judges, items, design.counted)
    if adds is None or not strict(part.positions):
        return None
    return adds, sums_of(method, adds, design, part, 0), items


def in_files(design: Any) -> bool:
    """Whether all that is known of a design's judges is what groups of them add up to."""
    return hasattr(design.elsewhere, "counted")


def agreement_in_groups(
    method: Method, adds: Additive, sums: Array, items: int, options: Options
) -> tuple[Any, Interval | None, Null | None]:
    """What a method says of all judges of a task, its interval over groups of them, and what chance gives."""
    whole, sizes = sums.astype(float), sums[:, 0].astype(float)  # whole numbers still

    def say(numbers: Array, own: Array) -> Any:
        return adds.of(numbers, items, own, **method.parameters)

    found, judges = say(whole.sum(axis=0)[None], sizes.sum(keepdims=True)), sizes.sum()
    value, rng, drawn_values = float(found.values[0]), stream(options.seed, "interval", method), [np.zeros(0)]
    for k in split(budget_of(options).draws(sums.size), max(1, AT_ONCE // sums.shape[1])):
        often = drawn(len(sums), k, rng)
        drawn_values.append(say(often @ whole, often**2 @ sizes).values)  # one drawn twice has a pair with itself
    there, inside = int(np.count_nonzero(sizes)), method.declaration.range
    every = np.concatenate(drawn_values)
    between = interval(value, every, level=options.level, over="judges", units=there, range=inside)
    some = int(min(judges, max(FEWEST_DEALT, min(DEALT, CELLS // items**2))))
    deal, own = stream(options.seed, "null", method), np.full(1, judges)

    def dealt(number: int) -> Array:
        made = [say(_by_chance(adds, some, items, judges, deal), own).values for _ in range(number)]
        return np.stack(made) if made else np.zeros((0, 1))

    most = budget_of(options).nulls(some * items**2)
    null = sequential(dealt, found.values, most, method.sign)[0] if most and math.isfinite(value) else None
    return found, between, null


def _by_chance(adds: Additive, some: int, items: int, judges: float, rng: np.random.Generator) -> Array:
    """What so many judges add up to who rank at random, ``[1, number]``: counted of some, and spread as of all.

    Counts of independent judges lie about half of them, at a distance that grows with the root of their number; between
    the steps that counts of fewer make, any whole number is as likely.
    """
    positions = rng.random((some, items), np.float32).argsort(axis=1).astype(np.int16) + np.int16(1)
    seen = adds.sums(positions, np.zeros(some, np.int64), 1, False, missing="unknown")
    before, (first, second) = seen[0, 1 + items :].reshape(items, items), np.triu_indices(items, 1)
    away = before[first, second] - some / 2 + rng.random(len(first)) - 0.5
    out = np.full(seen.shape, judges)
    square = out[0, 1 + items :].reshape(items, items)
    square[first, second] = np.clip(np.rint(judges / 2 + math.sqrt(judges / some) * away), 0, judges)
    square[second, first] = judges - square[first, second]
    np.fill_diagonal(square, 0.0)
    return out


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
