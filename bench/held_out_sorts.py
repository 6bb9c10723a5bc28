"""Consensus of card sorts and judges who were left out of it: the default beside average linkage and other rules.

``python -m bench.held_out_sorts [PANELS]``: of each sort that is public, and of made-up ones, half of the judges make a
consensus by every rule, and the other half says how near it is by mean adjusted Rand index. The table has that of
average linkage at the judges' median number of groups, and how much more the others have, with a standard error over
PANELS halves (60) or made-up panels (half as many). A rule worth taking has more in every row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

import quorate as q
from bench.data import public
from quorate.groupings.median_partition import median_groups, solved_linkage, solved_median
from quorate.kernels.median_partition import mean_agreement
from quorate.panel.partitions import partitions

Array = NDArray[np.int64]
HOW = {"loss": "adjusted_rand", "groups": None, "left_out": "common"}
PULLED = 0.05  # of the judges, as many as linkage counts where the default is pulled to it
MADE = [  # judges of a half, cards, groups, share of cards that are anywhere
    *((8, 20, 4, 0.3), (8, 20, 4, 0.5), (20, 20, 4, 0.6), (20, 30, 8, 0.4)),
    *((20, 30, 8, 0.6), (50, 30, 8, 0.7), (12, 40, 10, 0.4)),
]


def linkage(sorts: Array) -> Array:
    """Average linkage at the judges' median number of groups."""
    return solved_linkage(sorts[None], np.ones((1, len(sorts)), np.int64), None)[0].array


def median(sorts: Array, weights: NDArray[np.float64] | None = None, **how: object) -> Array:
    """The default, or with another loss or number of groups."""
    counts = np.ones(len(sorts)) if weights is None else weights
    return solved_median(sorts[None], counts[None], HOW | how)[0].array


def pulled(sorts: Array) -> Array:
    """The default, with linkage as one judge more who counts as some of the others."""
    return median(np.vstack([sorts, linkage(sorts)]), np.append(np.ones(len(sorts)), PULLED * len(sorts)))


RULES: dict[str, Callable[[Array], Array]] = {
    "linkage": linkage,
    "default": median,
    "median number": lambda sorts: median(sorts, groups=median_groups(sorts, np.ones(len(sorts)))),
    "by VI": lambda sorts: median(sorts, loss="vi"),
    "pulled to linkage": pulled,
}


def made(rng: np.random.Generator, judges: int, cards: int, groups: int, anywhere: float) -> Array:
    """Judges who put cards where they belong, or anywhere."""
    truth, other = rng.permutation(np.arange(cards) % groups), rng.integers(groups, size=(judges, cards))
    return np.where(rng.random(other.shape) < anywhere, other, truth)


def halves(panels: int) -> Iterator[tuple[str, list[tuple[Array, Array]]]]:
    """Every family of sorts: its name, and judges who make a consensus with those who are left out."""
    folder = public("free-sorting")
    for path in sorted(folder.glob("*.csv")) if folder else ():
        (part,) = partitions(q.read(path, kind="groupings"))
        orders = (np.random.default_rng(k).permutation(len(part.labels)) for k in range(panels))
        cut = len(part.labels) // 2
        yield path.stem.split("_")[0], [(part.labels[o[:cut]], part.labels[o[cut:]]) for o in orders]
    for judges, cards, groups, anywhere in MADE:
        each = (made(np.random.default_rng(k), 2 * judges, cards, groups, anywhere) for k in range(panels // 2))
        name = f"{judges} + {judges} judges, {cards} cards, {groups} groups, {anywhere:.0%} anywhere"
        yield name, [(sorts[:judges], sorts[judges:]) for sorts in each]


def main(panels: int = 60) -> None:
    """The table."""
    print("| sorts |", " | ".join(RULES), "|")
    print("| --- |", "---: | " * len(RULES))
    for name, pairs in halves(panels):
        found = np.array(
            [[mean_agreement(b, np.ones(len(b)), rule(a)[None])[0] for rule in RULES.values()] for a, b in pairs]
        )
        more = found[:, 1:] - found[:, :1]
        error = more.std(axis=0, ddof=1) / np.sqrt(len(more))
        told = [f"{m:+.3f} ({e:.3f})" for m, e in zip(more.mean(axis=0), error, strict=True)]
        print("|", " | ".join([name, f"{found[:, 0].mean():.3f}", *told]), "|", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
