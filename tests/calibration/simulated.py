"""Made-up panels whose judges are all alike, and one planted among them; the truth behind a panel is known.

A task is a common order, partition, worth of items or strengths of systems; judges see it with noise. With ``fixed``
all tasks of all panels have the same truth, so that a panel of many tasks is many panels of one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import quorate as q

Array = NDArray[Any]
Rng = np.random.Generator


def columns_of(values: Array, name: str, prefix: str = "i") -> dict[str, list[Any]]:
    """Columns of ``values[task, judge, item]``."""
    task, judge, item = (index.ravel().tolist() for index in np.indices(values.shape))
    return {
        "task": [f"t{t}" for t in task],
        "judge": [f"j{j}" for j in judge],
        "item": [f"t{t}{prefix}{i}" for t, i in zip(task, item, strict=True)],
        name: values.ravel().tolist(),
    }


def _same(rng: Rng, fixed: bool) -> Rng:
    """The random numbers of the truth: the panel's own, or always the same."""
    return np.random.default_rng(3) if fixed else rng


def orderings(
    rng: Rng,
    *,
    tasks: int = 1,
    judges: int = 8,
    items: int = 8,
    noise: float = 2.0,
    planted: str = "",
    uneven: float = 0.0,
) -> q.Orderings:
    """Judges see one order with normal noise of so many places, on some tasks more than on others."""
    places = noise * np.exp(uneven * rng.normal(size=(tasks, 1, 1)))
    seen = np.arange(items) + places * rng.normal(size=(tasks, judges, items))
    if planted == "random":
        seen[:, -1] = rng.random((tasks, items))
    if planted == "reversed":
        seen[:, -1] *= -1
    if planted == "copied":
        seen[:, -1] = seen[:, 0]
    return q.Orderings.build(columns_of(seen.argsort(axis=2).argsort(axis=2) + 1, "position"))


def groupings(
    rng: Rng,
    *,
    tasks: int = 1,
    judges: int = 8,
    items: int = 20,
    groups: int = 5,
    keep: float = 0.75,
    planted: str = "",
    uneven: float = 0.0,
    fixed: bool = False,
    grain: float = 0.0,
) -> q.Groupings:
    """Judges copy one partition and put an item anywhere with probability ``1 - keep``.

    With ``grain`` the partition has groups inside groups, of which each judge sees more or fewer: as many times the
    usual number as a factor says whose logarithm spreads so far.
    """
    if grain:
        number = np.clip(np.rint(groups * np.exp(grain * rng.normal(size=judges))), 2, items // 2).astype(int)
        tree = np.stack([_nested(rng, items) for _ in range(tasks)])
        one = tree[:, number - 1]
        kept = rng.random(one.shape) < keep
        return q.Groupings.build(
            columns_of(np.where(kept, one, rng.integers(number[:, None], size=one.shape)), "group")
        )
    truth = _same(rng, fixed).integers(groups, size=(1 if fixed else tasks, 1, items))
    kept = 1 / (1 + np.exp(-np.log(max(keep, 1e-9) / max(1 - keep, 1e-9)) - uneven * rng.normal(size=(tasks, 1, 1))))
    anywhere = rng.integers(groups, size=(tasks, judges, items))
    seen = np.where(rng.random(anywhere.shape) < kept, truth, anywhere)
    if planted == "random":
        seen[:, -1] = rng.integers(groups, size=(tasks, items))
    if planted == "splits":
        seen[:, -1] += groups * rng.integers(4, size=(tasks, items))
    if planted == "merges":
        seen[:, -1] //= (groups + 1) // 2
    if planted == "copied":
        seen[:, -1] = seen[:, 0]
    return q.Groupings.build(columns_of(seen, "group"))


def _nested(rng: Rng, items: int) -> Array:
    """Partitions into 1, 2, 3, ... groups, ``[partition, item]``: each splits a group of the one before in two."""
    found = [np.zeros(items, int)]
    while len(found) < items:
        size = np.bincount(found[-1])
        group = int(rng.choice(np.flatnonzero(size == size.max())))  # the largest
        members = rng.permutation(np.flatnonzero(found[-1] == group))
        cut = int(np.clip(len(members) * rng.uniform(0.3, 0.7), 1, len(members) - 1))
        found.append(found[-1].copy())
        found[-1][members[:cut]] = len(size)
    return np.stack(found)


def scores(
    rng: Rng,
    *,
    tasks: int = 1,
    judges: int = 8,
    items: int = 20,
    noise: float = 1.0,
    between: float = 0.0,
    planted: str = "",
    scale: int = 7,
    fixed: bool = False,
    severity: float = 0.0,
    stretch: float = 0.0,
) -> q.Scores:
    """Scores from 1 to 7: an item's worth, of whose spread a share is the task's, and the judge's noise.

    Judges differ in level by so many points, and in how much of the scale they use by a factor whose logarithm spreads
    so far.
    """
    middle, spread = (1 + scale) / 2, 1.3
    share = spread * np.sqrt([between, 1 - between])
    one, number = _same(rng, fixed), 1 if fixed else tasks
    worth = middle + share[0] * one.normal(size=(number, 1, 1)) + share[1] * one.normal(size=(number, 1, items))
    seen = worth + noise * rng.normal(size=(tasks, judges, items))
    if severity or stretch:
        seen = middle + (seen - middle) * np.exp(stretch * rng.normal(size=(judges, 1)))
        seen += severity * rng.normal(size=(judges, 1))
    last = seen[:, -1]
    if planted == "random":
        last[:] = middle + 1.6 * rng.normal(size=last.shape)
    if planted == "reversed":
        last[:] = 2 * middle - last
    if planted == "shifted":
        last -= 2.0
    if planted == "compressed":
        last[:] = middle + (last - middle) / 4
    if planted == "constant":
        last[:] = middle
    if planted == "copied":
        last[:] = seen[:, 0]
    if planted == "drifting":
        last += np.linspace(-2.5, 2.5, items)  # in every task, from its first item to its last
    columns = columns_of(np.clip(np.rint(seen), 1, scale), "score")
    when = {"time": np.tile(np.arange(items), tasks * judges).tolist()} if planted == "drifting" else {}
    return q.Scores.build(columns | when)


def votes(
    rng: Rng,
    *,
    tasks: int = 10,
    judges: int = 6,
    systems: int = 4,
    spread: float = 1.0,
    differ: float = 1.0,
    ties: float = 0.1,
    planted: str = "",
) -> q.Votes:
    """Judges vote on every two systems of every task, shown in either order; on a task systems differ by more."""
    strength = np.linspace(spread, -spread, systems)
    rows: dict[str, list[Any]] = {n: [] for n in ("task", "judge", "model_a", "model_b", "winner")}
    for t in range(tasks):
        quality = strength + differ * rng.normal(size=systems)
        first: list[tuple[int, int, str]] = []  # what the first judge saw and said
        for j in range(judges):
            for a in range(systems):
                for b in range(a):
                    x, y = (a, b) if rng.random() < 0.5 else (b, a)
                    gap = quality[x] - quality[y]
                    if j == judges - 1 and planted:
                        gap = {"random": 0.0, "reversed": -gap, "place": 9.0, "copied": gap}[planted]
                    won = "tie" if rng.random() < ties else "a" if rng.random() < 1 / (1 + np.exp(-1.5 * gap)) else "b"
                    if j == judges - 1 and planted == "copied":
                        x, y, won = first.pop(0)
                    if j == 0:
                        first.append((x, y, won))
                    for name, value in zip(rows, (f"t{t}", f"j{j}", f"s{x}", f"s{y}", won), strict=True):
                        rows[name].append(value)
    return q.Votes.build(rows)


MAKE = {"orderings": orderings, "groupings": groupings, "scores": scores, "votes": votes}
PLANTED = {
    "orderings": ("random", "reversed", "copied"),
    "groupings": ("random", "splits", "merges", "copied"),
    "scores": ("random", "reversed", "shifted", "compressed", "constant", "drifting", "copied"),
    "votes": ("random", "reversed", "place", "copied"),
}
