"""Majorities of labels: would another panel name the same label, and how many judges does it take?

The labels that judges at large would give to an item are not those seen: of three who say yes a fourth may say no. So
an item's shares are drawn from a Dirichlet distribution around the labels seen, which starts from the shares of all
labels and counts as many judges as their agreement says: kappa = 1 / (judges + 1).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import Units
from quorate.scores.trust_rows import labelled, trust_method
from quorate.table import Note

if TYPE_CHECKING:
    from quorate.inference.core import Core

Array = NDArray[Any]
PANELS = 100  # drawn for every item
CELLS = 1 << 24  # numbers held at a time
NUMBERS = (1, 3, 5, 7, 9, 11, 15, 21, 31, 45, 65, 99, 151, 225, 351, 501, 751, 999)  # odd: fewer ties
PRIOR = (0.05, 1000.0)  # judges that the shares of all labels count as, at least and at most


def counted(units: Units) -> Array:
    """How many judges gave each label to each unit, ``[unit, label]``."""
    labels, code = np.unique(units.value, return_inverse=True)
    cell = units.unit * max(len(labels), 1) + code.ravel()
    return np.bincount(cell, units.mass, units.size * max(len(labels), 1)).reshape(units.size, -1)


def prior(counts: Array) -> Array:
    """What the shares of all labels count beside those of a unit, ``[label]``: the less, the more judges agree.

    >>> prior(np.array([[2.0, 0.0], [0.0, 2.0]])).round(3).tolist()
    [0.025, 0.025]
    """
    number = counts.sum(axis=1)
    share = counts.sum(axis=0) / max(counts.sum(), 1.0)
    several = number > 1
    pairs = (number * (number - 1))[several]
    same = (counts * (counts - 1)).sum(axis=1)[several]
    chance = float((share**2).sum())
    agreed = float((same / pairs).mean()) if several.any() else math.nan
    kappa = (agreed - chance) / (1 - chance) if several.any() and chance < 1 else 1.0
    return np.asarray(share * np.clip(1 / max(kappa, 1e-9) - 1, *PRIOR))


def most_given(counts: Array) -> Array:
    """The label with the most judges, ``[..., unit]``; -1 where two have as many."""
    top = counts.max(axis=-1, keepdims=True)
    return np.where((counts == top).sum(axis=-1) == 1, counts.argmax(axis=-1), -1)


def _draws(counts: Array) -> int:
    """How many panels are drawn for every item."""
    return max(min(PANELS, CELLS // max(counts.size, 1)), 5)


def labels_needed(made: OutputDesign, core: Core, target: float) -> Trusted:
    """Judges it takes until the majority of an item is that of all judges, on so large a share of items."""
    counts = counted(made.scores)
    shares, panel = core.polled(counts + prior(counts), _draws(counts), "labels needed")
    right = most_given(shares)
    rows = []  # [number of judges, unit] how often its majority is right
    for k in NUMBERS:
        rows.append((most_given(panel(k)) == right).mean(axis=0))
        if rows[-1].mean() >= min(target + 0.05, 0.995) and len(rows) > 2:
            break
    curve = np.stack(rows)
    mean, judges = np.maximum.accumulate(curve.mean(axis=1)), float(made.scores.held.mean())
    value, inside = _reached(mean, target), None
    if made.scores.size > 1 and core.options.resamples:
        times = core.drawn(made.scores.size, curve.size, "labels needed")
        again = np.maximum.accumulate(times @ curve.T / made.scores.size, axis=1)
        inside = core.middle(np.array([_reached(row, target) for row in again]), "items", at_most=math.inf)
    labels = {
        **made.labels,
        "target": target,
        "judges_per_item": judges,
        "now": float(np.interp(judges, NUMBERS[: len(mean)], mean)),
    }
    numbers = list(NUMBERS[: len(mean)])
    keys = {**labelled(made, len(numbers)), "judges": numbers}
    return Trusted(keys, mean.tolist(), [core.figure(value, labels, inside)], about={**labels, "labels": True})


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
    _, panel = core.polled(counts + prior(counts), _draws(counts), "majority")
    others = panel(np.rint(units.held).astype(np.int64))
    seen = most_given(counts)
    same = (most_given(others) == seen).mean(axis=0)
    known = np.flatnonzero(seen >= 0)
    order = known[np.argsort(same[known], kind="stable")]
    found = core.mean(
        same[known], "majority", range=(0.0, 1.0), labels={**made.labels, "items": len(known)}, over="items"
    )
    names = [(units.tasks[units.task[u]], units.items[units.item[u]]) for u in order.tolist()]
    keys = {"task": [t for t, _ in names], "item": [i for _, i in names], **labelled(made, len(order))}
    about = {"least": [(task, item, p) for (task, item), p in zip(names, same[order].tolist(), strict=True)][:10]}
    return Trusted(keys, same[order].tolist(), [found], about={**about, "tasks": len(units.tasks)})
