"""Copies of a judge, exact or changed a little, of every kind; and panels without any, of judges more and less careful.

``python -m tests.calibration.copied`` says how many copies of one order could be found by who knows the true noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

import quorate as q
from quorate.inference.results import Options
from quorate.inference.voices import copies_in
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import columns_of

JUDGES = 8
ITEMS = {"orderings": 9, "groupings": 20, "scores": 10, "labels": 10}
CARE = (0.6, 0.6, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0)  # times the usual noise
Array = NDArray[np.int64]


def answers(kind: str, tasks: int, care: tuple[float, ...], generator: np.random.Generator) -> Array:
    """What judges say, ``[task, judge, item]``: places by a noise of 1.2, groups and labels of which 80 % are right,
    scores from 1 to 5 with a noise of 0.7."""
    size, each = (tasks, JUDGES, ITEMS[kind]), np.array(care)[:, None]
    if kind == "orderings":
        seen = np.arange(size[2]) + 1.2 * each * generator.normal(size=size)
        return np.asarray(seen.argsort(axis=2).argsort(axis=2) + 1)
    if kind == "scores":
        worth = generator.normal(size=(tasks, 1, size[2]))
        return np.clip(np.rint(3 + worth + 0.7 * each * generator.normal(size=size)), 1, 5).astype(np.int64)
    wrong = generator.random(size) < 0.2 * each
    return np.where(wrong, generator.integers(4, size=size), generator.integers(4, size=(tasks, 1, size[2])))


def changed(kind: str, own: Array, generator: np.random.Generator) -> Array:
    """Answers ``[task, item]`` with one adjacent swap per task, or 5 % of them drawn anew."""
    if kind != "orderings":
        return np.where(generator.random(own.shape) < 0.05, generator.integers(1, 5, size=own.shape), own)
    place = generator.integers(1, own.shape[1], size=(len(own), 1))
    return np.where(own == place, place + 1, np.where(own == place + 1, place, own))


def panel(kind: str, values: Array) -> q.Orderings | q.Groupings | q.Scores:
    """The answers as a panel."""
    if kind == "labels":
        return q.Scores.build(columns_of(np.array(list("vwxyz"))[values], "label"))
    if kind == "scores":
        return q.Scores.build(columns_of(values, "score"))
    if kind == "groupings":
        return q.Groupings.build(columns_of(values, "group"))
    return q.Orderings.build(columns_of(values, "position"))


def told(
    seed: int, kind: str, tasks: int, copy: str = "", care: tuple[float, ...] = (1.0,) * JUDGES
) -> dict[str, float]:
    """Whether the last judge is told to be a copy of the first, and whether others are."""
    generator = rng(seed)
    values = answers(kind, tasks, care, generator)
    if copy:
        own = values[:, 0]
        values[:, -1] = own if copy == "exact" else changed(kind, own, generator)
    found = {row["judge"] for row in copies_in(panel(kind, values), Options(seed=seed))}
    last = {f"j{JUDGES - 1}"} if copy else set[str]()
    return ({"named": float(last <= found)} if copy else {}) | {"others": float(bool(found - last))}


def copies() -> Iterator[Experiment]:
    """With a copy, exact or changed a little; and without, of judges alike or more and less careful."""
    for kind in ITEMS:
        of = "scores" if kind == "labels" else kind
        for tasks in (1, 2, 3, 6):
            for copy in ("exact", "changed"):
                run = partial(told, kind=kind, tasks=tasks, copy=copy)
                yield Experiment("power", of, f"{tasks} x {JUDGES}, {kind}, one copy, {copy}", run)
        for care, who in (((1.0,) * JUDGES, "alike"), (CARE, "more and less careful")):
            run = partial(told, kind=kind, tasks=3, care=care)
            yield Experiment("null", of, f"no copies, 3 x {JUDGES}, {kind}, judges {who}", run, promise=0.05)


def bound(noise: float, items: int = 9, judges: int = JUDGES, level: float = 0.05, draws: int = 1_000_000) -> float:
    """The share of exact copies of one order that the best test finds who knows the order and the noise.

    It calls a copy who gave the same order as another where that is seldom given; how seldom, so that in so many of
    panels without copies two judges share such an order.
    """
    generator = np.random.default_rng(0)
    seen = np.arange(items, dtype=np.float32) + noise * generator.standard_normal((draws, items), dtype=np.float32)
    number = np.sort(np.unique(seen.argsort(axis=1) @ items ** np.arange(items), return_counts=True)[1])
    shared = np.cumsum(number * (number - 1.0)) * judges * (judges - 1) / 2 / (draws * (draws - 1.0))
    return float(number[: np.searchsorted(shared, level)].sum() / draws)


if __name__ == "__main__":
    for noise in (0.8, 1.0, 1.2, 1.5):
        print(f"noise {noise:g}: {bound(noise):.0%}")
