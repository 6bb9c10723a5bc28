"""Branches of a tree of cards: those said to stay are made by another panel, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from quorate.groupings.linkage_tree import Tree
from quorate.groupings.median_partition import tree_of
from quorate.inference.branches import branch_stability
from quorate.inference.results import Options
from tests.calibration.experiment import Experiment, rng

FIRM = 0.9  # share of resampled panels with the branch, from which on it is said to stay


def stay(seed: int, cards: int, groups: int, people: int, moved: float) -> tuple[list[bool], list[bool]]:
    """Of branches that stay whether they are in the tree of a second panel of as many people; and of planted groups
    whether they are branches that stay."""
    generator, base = rng(seed), np.arange(cards) % groups

    def sorts() -> np.ndarray:
        anywhere = generator.integers(groups, size=(people, cards))
        return np.where(generator.random((people, cards)) < moved, anywhere, base)

    def branches(tree: Tree) -> list[tuple[int, ...]]:
        return [tuple(row.tolist()) for row in tree.branches()]

    first, second, once = sorts(), sorts(), np.ones(people, int)
    tree = tree_of(first, once)
    often, _ = branch_stability(tree, first, once, Options(seed=seed))
    stays = dict(zip(branches(tree)[:-1], often[:-1].tolist(), strict=True))  # the last is all cards
    other = set(branches(tree_of(second, once)))
    firm = [branch in other for branch, share in stays.items() if share >= FIRM]
    planted = [stays.get(tuple(np.flatnonzero(base == g).tolist()), 0.0) >= FIRM for g in range(groups)]
    return firm, planted


def again(seed: int, **how: Any) -> dict[str, float]:
    """The share of branches that stay which another panel makes, too."""
    firm, _ = stay(seed, **how)
    return {"made again": float(np.mean(firm))} if firm else {}


def planted(seed: int, **how: Any) -> dict[str, float]:
    """The share of planted groups that are branches which stay."""
    return {"planted groups stay": float(np.mean(stay(seed, **how)[1]))}


def branch_experiments() -> Iterator[Experiment]:
    """Of two numbers of people."""
    for people, moved in ((15, 0.3), (40, 0.4)):
        how = {"cards": 20, "groups": 4, "people": people, "moved": moved}
        about = f"branches that stay in 90%, {people} people, {moved:.0%} of 20 cards anywhere"
        yield Experiment("power", "groupings", about, partial(planted, **how))
        yield Experiment("coverage", "groupings", about, partial(again, **how), promise=0.9)
