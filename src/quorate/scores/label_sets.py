"""Several labels an item: agreement of judges whose answer is a set of labels, more or less alike.

Judges who say {joy, surprise} and {joy} agree in part. A panel of yes or no on several labels, which is how such
answers are read, is one of sets too; a label alone is a set of one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import LimitReached
from quorate.kernels import reliability as kernel
from quorate.panel.coefficient import Coefficient
from quorate.panel.columns import Coded, keys, narrow
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_facts import inside
from quorate.panel.units import Units
from quorate.table import Note, choice, method

Array = NDArray[Any]
SETS = 4000  # different sets at most, of which every two are compared
PARTLY = {"equal": 1.0, "inside": 2 / 3, "overlap": 1 / 3}  # Passonneau's monotonicity


def set_distance(a: frozenset[Any], b: frozenset[Any], kind: str = "masi") -> float:
    """How far two sets are apart: 0 the same, 1 nothing in common; masi counts a set inside another as nearer.

    >>> both, one = frozenset("ab"), frozenset("a")
    >>> set_distance(both, one, "jaccard"), round(set_distance(both, one), 3)
    (0.5, 0.667)
    """
    if a == b:
        return 0.0
    shared = len(a & b) / len(a | b)
    if kind == "jaccard":
        return 1 - shared
    how = "inside" if a <= b or b <= a else "overlap"
    return 1 - shared * PARTLY[how]


def _sets(units: Units, known: Array) -> list[frozenset[Any]]:
    scale = units.panel.scale if units.panel is not None else ()
    names = [scale[int(v)] if scale else v for v in known.tolist()]
    return [frozenset(n) if isinstance(n, tuple) else frozenset([n]) for n in names]


@method(
    "scores",
    "agreement",
    "label_sets",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    reference="Krippendorff's alpha by Passonneau's MASI (2006) or Jaccard's distance",
    parameters={"distance": choice("how far two sets of labels are apart", "masi", "jaccard", shown=True)},
    symmetric=True,
    relabelling=True,
    interval="student",
    judges="apart",
    note=Note(
        "Judges give an item several labels: half the labels the same is half an agreement, or so.",
        "Where most items have one label it is nominal alpha; rare labels hardly count, see the labels one by one.",
        "1 - D_o / D_e as alpha; jaccard: d = 1 - |A and B| / |A or B|; masi: d = 1 - m |A and B| / |A or B|, m = 1 "
        "the same, 2/3 one inside the other, 1/3 overlapping",
    ),
)
def label_sets(units: Units, *, distance: str = "masi") -> Coefficient:
    """Alpha of sets of labels: 1 where judges give the same sets, 0 where no more alike than any two sets given."""
    held = units.held
    rows = np.flatnonzero(held[units.unit] > 1)
    unit, mass = units.unit[rows], units.mass[rows]
    known, code = kernel.codes(units.value[rows])
    if len(known) > SETS:
        raise LimitReached(f"{len(known):,} different sets of labels are too many.", f"up to {SETS:,} are compared.")
    sets = _sets(units, known)
    square = np.zeros((len(sets), len(sets)))
    for i, a in enumerate(sets):
        for j in range(i):
            square[i, j] = square[j, i] = set_distance(a, sets[j], distance)
    each = kernel.within(unit, code, lambda a, b: square[a, b], mass)
    pairs = np.where(held > 1, held, 0.0)
    apart = 2 * np.bincount(unit, each, units.size) / np.maximum(held - 1, 1)

    def of(weights: Array) -> Array:
        seen, n = weights @ apart, weights @ pairs
        times = np.stack([np.bincount(code, w[unit] * mass, len(known)) for w in weights])
        expected = np.einsum("dk,kl,dl->d", times, square, times)
        ok = (n > 1) & (expected > kernel.SAME * np.maximum(n, 1.0))
        return np.where(ok, 1 - seen / np.where(n > 0, n, 1.0) * n * (n - 1) / np.where(ok, expected, 1.0), math.nan)

    return Coefficient(of, units.size, inside(units), 10 + len(known))


def chooses_several(panel: Scores) -> bool:
    """Whether a panel is one of yes or no on several labels."""
    several = "criterion" in panel.labels and len(panel.labels["criterion"].ids) > 1
    return several and bool(panel.scale) and {str(s) for s in panel.scale} <= {"yes", "no"}


def as_sets(panel: Scores) -> Scores:
    """Yes or no on several labels as one label a row, which is the set of those with a yes."""
    labels = panel.labels["criterion"]
    yes = np.array([str(s) == "yes" for s in panel.scale])
    said = ~np.isnan(panel.value)
    said[said] = yes[panel.value[said].astype(np.int64)]
    apart = [panel.labels[n] for n in ("system", "year") if n in panel.labels]
    _, first, place = np.unique(
        keys(panel.task, panel.judge, panel.item, panel.occasion, *apart), return_index=True, return_inverse=True
    )
    table_ = np.zeros((len(first), len(labels.ids)), bool)
    table_[place.ravel()[said], labels.codes[said]] = True
    patterns, code = np.unique(table_, axis=0, return_inverse=True)
    sets = [tuple(labels.ids[k] for k in np.flatnonzero(row).tolist()) for row in patterns]
    raw: dict[str, Any] = {n: getattr(panel, n).take(first) for n in ("task", "judge", "item", "occasion")}
    raw |= {n: c.take(first) for n, c in panel.labels.items() if n != "criterion"}
    made = Scores.build(
        {**raw, "count": panel.count[first], "label": Coded(tuple(sets), narrow(code.ravel(), len(sets)))}
    )
    return replace(made, notes=panel.notes)


def set_agreement(panel: Scores, core: Any) -> list[dict[str, Any]]:
    """Where judges choose several labels: agreement of the sets that they choose, a row for each distance."""
    if not chooses_several(panel):
        return []
    made = as_sets(panel)
    (design,) = ScoreDesign.of(made)
    out = []
    for name in ("masi", "jaccard"):
        chosen = table.parse(f"label_sets(distance={name})", "scores", "agreement")
        found = core.estimate(chosen, design)
        ends = found.ends
        out.append({"method": str(chosen), "value": found.value, "interval": ends, "sets": len(made.scale)})
    return out
