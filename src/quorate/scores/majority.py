"""Majorities of labels: would another panel name the same label, and how many judges does it take?

The labels that judges at large would give to an item are not those seen: of three who say yes a fourth may say no. So
an item's shares are drawn from a Dirichlet distribution around the labels seen, which starts from the shares of all
labels and counts as many judges as their agreement says: kappa = 1 / (judges + 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import renumbered
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import Units
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note

if TYPE_CHECKING:
    from quorate.inference.core import Core

Array = NDArray[Any]
PANELS = 100  # drawn for every item
CELLS = 1 << 24  # numbers held at a time
AVERAGED = 1 << 20  # the same where only the mean over items is told: of many items fewer panels will do
NUMBERS = (1, 3, 5, 7, 9, 11, 15, 21, 31, 45, 65, 99, 151, 225, 351, 501, 751, 999)  # odd: fewer ties
GRID = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # times as many judges as agreement says: what drawn units may say
PRIOR = (0.05, 1000.0)  # judges that the shares of all labels count as, at least and at most


def counted(units: Units) -> Array:
    """How many judges gave each label to each unit, ``[unit, label]``."""
    labels, code = np.unique(units.value, return_inverse=True)
    cell = units.unit * max(len(labels), 1) + code.ravel()
    return np.bincount(cell, units.mass, units.size * max(len(labels), 1)).reshape(units.size, -1)


def strength(counts: Array, times: Array | None = None) -> Array:
    """How many judges the shares of all labels count as beside those of a unit, ``[draw]``: the less, the more agree.

    ``times`` says how often each unit counts, ``[draw, unit]``.

    >>> strength(np.array([[3.0, 1.0], [1.0, 3.0]])).tolist()
    [1000.0]
    """
    number, share = counts.sum(axis=1), _shares(counts)
    times = np.ones((1, len(counts))) if times is None else times
    several = number > 1
    same = np.divide(
        (counts * (counts - 1)).sum(axis=1), number * (number - 1), out=np.zeros(len(counts)), where=several
    )
    of, chance = times @ several, float((share**2).sum())
    agreed = quotient(times @ same, of, otherwise=1.0)
    kappa = (agreed - chance) / (1 - chance) if chance < 1 else np.ones(len(times))
    return np.asarray(np.clip(1 / np.maximum(kappa, 1e-9) - 1, *PRIOR))


def _shares(counts: Array) -> Array:
    return np.asarray(counts.sum(axis=0) / max(counts.sum(), 1.0))


def most_given(counts: Array) -> Array:
    """The label with the most judges, ``[..., unit]``; -1 where two have as many."""
    top = counts.max(axis=-1, keepdims=True)
    return np.where((counts == top).sum(axis=-1) == 1, counts.argmax(axis=-1), -1)


def _drawn(
    made: OutputDesign, core: Core, work: float, name: str, units: Array | None = None
) -> tuple[str, int, Array]:
    """What is drawn, items or their tasks; how many there are; and how often each of these units is drawn."""
    over = core.over(made, "items", "tasks", why="what other judges would say is what it tells")
    some = np.arange(made.scores.size) if units is None else units
    code = renumbered(made.scores.task[some]) if over == "tasks" else np.arange(len(some))
    number = int(code.max(initial=-1)) + 1
    return over, number, core.drawn(number, work, name)[:, code]


def _draws(counts: Array, cells: int = CELLS) -> int:
    """How many panels are drawn for every item."""
    return max(min(PANELS, cells // max(counts.size, 1)), 5)


def labels_needed(made: OutputDesign, core: Core, target: float) -> Trusted:
    """Judges it takes until the majority of an item is that of all judges, on so large a share of items.

    The interval is over items: those drawn say how often, and how much, judges agree.
    """
    counts, judges = counted(made.scores), float(made.scores.held.mean())
    if made.scores.held.max(initial=0) < 2:  # nothing says how often judges differ
        told = {**made.labels, "target": target, "judges_per_item": judges, "now": math.nan}
        keys = {**labelled(made, 0), "judges": []}
        return Trusted(keys, [], [core.figure(math.nan, told)], about={**told, "labels": True, "alone": True})
    seen = float(strength(counts)[0])
    curve = right_by_number(counts, seen, core, NUMBERS, min(target + 0.05, 0.995))
    numbers = NUMBERS[: len(curve)]
    mean = np.maximum.accumulate(curve.mean(axis=1))
    value, inside = _reached(mean, target), None
    over, number, times = _drawn(made, core, curve.size * len(GRID), "labels needed")
    if number > 1 and len(times):
        each = [curve if g == 1 else right_by_number(counts, seen * g, core, numbers) for g in GRID]
        grid = (
            np.stack([times @ c.T for c in each], axis=2) / times.sum(axis=1)[:, None, None]
        )  # [draw, number, strength]
        at = np.interp(np.log(strength(counts, times) / seen), np.log(GRID), np.arange(len(GRID)))
        low = np.minimum(at.astype(np.int64), len(GRID) - 2)
        part, rows = (at - low)[:, None], np.arange(len(times))
        again = grid[rows, :, low] * (1 - part) + grid[rows, :, low + 1] * part
        found = np.array([_reached(row, target) for row in np.maximum.accumulate(again, axis=1)])
        inside = core.middle(found, over, at_most=math.inf)
    now = float(np.interp(judges, numbers, mean))
    labels = {**made.labels, "target": target, "judges_per_item": judges, "now": now}
    keys = {**labelled(made, len(numbers)), "judges": list(numbers)}
    return Trusted(keys, mean.tolist(), [core.figure(value, labels, inside)], about={**labels, "labels": True})


def right_by_number(counts: Array, judges: float, core: Core, numbers: Sequence[int], enough: float = 2.0) -> Array:
    """How often the majority of so many judges is that of all, ``[number, unit]``; up to where that is often enough.

    The shares of all labels count as so many ``judges`` beside those who judged a unit.
    """
    shares, panel = core.polled(counts + _shares(counts) * judges, _draws(counts, AVERAGED), "labels needed")
    right, rows = most_given(shares), []
    for k in numbers:
        rows.append((most_given(panel(k)) == right).mean(axis=0))
        if rows[-1].mean() >= enough and len(rows) > 4:
            break
    return np.stack(rows)


def _reached(curve: Array, target: float) -> float:
    """The number of judges at which a curve reaches the target; NaN where it does not."""
    there = np.flatnonzero(curve >= target)
    return NUMBERS[int(there[0])] if len(there) else math.nan


@trust_method(
    "majority_stability",
    range=(0.0, 1.0),
    higher="another panel would name the same labels",
    labels=True,
    note=Note(
        "Labels: on how many items would another panel of as many judges have the same majority, and on which not?",
        "Of an item with one judge it rests on the agreement of the others' items alone.",
        "mean over items with a majority of P(the majority of as many other judges is the same); the labels of other "
        "judges by a Dirichlet distribution around those seen",
    ),
)
def majority_stability(made: OutputDesign, core: Core) -> Trusted:
    """The share of items whose majority label another panel of as many such judges would name too; item by item."""
    units, counts = made.scores, counted(made.scores)
    if units.held.max(initial=0) < 2:
        keys = {"task": [], "item": [], **labelled(made, 0)}
        about = {"least": [], "tasks": len(units.tasks), "alone": True}
        return Trusted(keys, [], [core.figure(math.nan, {**made.labels, "items": 0})], about=about)
    _, panel = core.polled(counts + _shares(counts) * strength(counts), _draws(counts), "majority")
    others = panel(np.rint(units.held).astype(np.int64))
    seen = most_given(counts)
    same = (most_given(others) == seen).mean(axis=0)
    known = np.flatnonzero(seen >= 0)
    order = known[np.argsort(same[known], kind="stable")]
    over, number, times = _drawn(made, core, float(len(known)), "majority", known)
    value = float(same[known].mean()) if len(known) else math.nan
    again = quotient(times @ same[known], times.sum(axis=1))
    between = core.interval(value, again, over, number, (0.0, 1.0)) if len(again) else None
    found = core.figure(value, {**made.labels, "items": len(known)}, between)
    names = [(units.tasks[units.task[u]], units.items[units.item[u]]) for u in order.tolist()]
    keys = {"task": [t for t, _ in names], "item": [i for _, i in names], **labelled(made, len(order))}
    about = {"least": [(task, item, p) for (task, item), p in zip(names, same[order].tolist(), strict=True)][:10]}
    return Trusted(keys, same[order].tolist(), [found], about={**about, "tasks": len(units.tasks)})
