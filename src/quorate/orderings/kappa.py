"""Kappa of Lin, Li and Guo: how many common subsequences the rankings share, weighted by how they are spread.

Slips in the paper, settled by its Tables IV and VI, which come out in all 576 cells: the deviation d of an item is the
standard deviation of its positions (not the mean absolute deviation of Eq. 13, nor its square root in Algorithm 1).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels import chains as kernel
from quorate.kernels.ranks import marks
from quorate.orderings.rankings import Measured, OneTask, Rankings, one_task
from quorate.table import Note, checked, method, number, share

Array = NDArray[Any]
GRID = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45)  # the paper's steps


@method(
    "orderings",
    "agreement",
    "kappa",
    range=(0, math.inf),
    higher="more agreement",
    default=True,
    reference="Lin, Li, Guo: consensus of rankings by common subsequences",
    parameters={
        "gamma": share("discount of an item per unit of spread of its positions"),
        "lam": share("discount of a longer pattern per unit of mean gap it spans"),
        "zeta": number(
            "items placed after this count for nothing alone (top-k weighting)", 0, open_low=True, optional=True
        ),
        "p": share("discount of an item per place from the top (top-k weighting)"),
    },
    symmetric=True,
    relabelling=True,
    copies=True,
    note=Note(
        "What do ALL judges share: the common subsequences themselves, their number and the longest.",
        "One stray judge wipes it out, and it grows like 2^n, so compare only panels with the same items; see "
        "support for 'most judges'. A few tasks carry its mean: with 3 to 5 tasks of mixed agreement its 95% intervals "
        "hold the true mean about 80 times in 100.",
        "sum over subsequences that all rankings share of their weights: of a single item gamma^(standard deviation "
        "of its positions), of a longer one lam^(mean position of its last item - of its first); gamma = lam = 1 "
        "counts them",
    ),
)
def measure(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    gamma: float = 1.0,
    lam: float = 1.0,
    zeta: float | None = None,
    p: float = 1.0,
) -> Measured:
    """Weighted number of subsequences that all rankings share."""
    singles = _singles(positions, counts, gamma, zeta, p)
    if brief:
        return Measured(singles + kernel.totals(positions, counts, lam))
    whole = gamma == 1 and p == 1  # then single items are counted, not weighed
    lengths: list[Any] = []
    told: list[Any] = []
    found = kernel.chains(positions, counts, lam)
    for weight, c in zip(singles.tolist(), found, strict=True):
        first = int(weight) if whole else weight
        told.append(first + c.beyond)
        lengths.append(None if c.by_length is None else [first, *c.by_length])
    details = {
        "by_length": lengths,
        "longest": [c.longest for c in found],
        "log2": [_log2(v, c.log2) for v, c in zip(told, found, strict=True)],
        "hat": [
            v + extra if math.isfinite(v) else v
            for v, extra in zip(map(_float, told), duplicates(positions, counts), strict=True)
        ],
    }
    return Measured(np.array([_float(v) for v in told]), details, told)


def _singles(positions: Array, counts: Array, gamma: float, zeta: float | None, p: float) -> Array:
    common, mu = kernel.means(positions, counts)
    if gamma == 1 and p == 1 and zeta is None:
        return np.asarray(common.sum(axis=1))
    sd = kernel.spreads(positions, counts, mu)
    weight = common * gamma**sd * p**mu
    if zeta is not None:
        weight = weight * (zeta - mu - sd > 0)
    return np.asarray(weight.sum(axis=1))


def _float(value: float | int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _log2(value: float | int, beyond: float) -> float | None:
    if isinstance(value, float) and math.isinf(value):
        return beyond  # single items do not show beside so many patterns
    return math.log2(value) if value > 0 else None


def duplicates(positions: Array, counts: Array) -> list[float]:
    """What kappa-hat adds for rankings given more than once: rankings x largest multiplicity / distinct rankings."""
    mark = marks(positions)
    order = np.argsort(mark, axis=1, kind="stable")
    mark, count = np.take_along_axis(mark, order, axis=1), np.take_along_axis(counts, order, axis=1)
    group = np.zeros(mark.shape, np.int64)
    group[:, 1:] = (mark[:, 1:] != mark[:, :-1]).cumsum(axis=1)
    group += np.arange(len(mark))[:, None] * mark.shape[1]
    times = np.bincount(group.ravel(), count.ravel(), minlength=mark.size).reshape(mark.shape)
    added = times.sum(axis=1) * times.max(axis=1) / np.maximum((times > 0).sum(axis=1), 1)
    return added.tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Kappa:
    """Kappa of one set of rankings: the value, its parts by length, and the patterns behind it."""

    value: int | float
    by_length: list[Any] | None
    longest: int
    log2: float | None
    hat: float
    _task: OneTask

    def __float__(self) -> float:
        return float(self.value)

    def patterns(self, length: int | None = None, limit: int | None = 10_000) -> Iterator[tuple[Hashable, ...]]:
        """The common subsequences of a length (by default the longest), one by one; more than ``limit`` is an error.

        >>> list(kappa(["abcdef", "bdcefa", "bcdeghijkf", "badefc"]).patterns())
        [('b', 'd', 'e', 'f')]
        """
        seats, names = self._common()
        size = self.longest if length is None else length
        for found, chain in enumerate(kernel.walk(seats, size) if size else ()):
            if limit is not None and found == limit:
                raise LimitReached(
                    f"stopped after {limit:,} patterns of length {size}.", "raise limit=, or ask for another length."
                )
            yield tuple(names[i] for i in chain)

    def graph(self) -> list[tuple[Hashable, Hashable]]:
        """The common order as edges, without those that follow from others (its transitive reduction).

        >>> kappa(["abc", "acb"]).graph()
        [('a', 'b'), ('a', 'c')]
        """
        seats, names = self._common()
        return [(names[i], names[j]) for i, j in kernel.reduction(seats)]

    def surface(self, gammas: Sequence[float] = GRID, lams: Sequence[float] = GRID) -> dict[tuple[float, float], float]:
        """Kappa over gamma x lam: gamma touches single items only and lam the rest, so it is a sum of two lists."""
        positions, counts = self._task.positions, self._task.counts
        alone = [float(_singles(positions, counts, g, None, 1.0)[0]) for g in gammas]
        rest = [float(kernel.chains(positions, counts, lam)[0].beyond) for lam in lams]
        return {
            (g, lam): a + r
            for (g, a), (lam, r) in itertools.product(zip(gammas, alone, strict=True), zip(lams, rest, strict=True))
        }

    def _common(self) -> tuple[Array, list[Hashable]]:
        """The places of the items that all rankings hold, ``[judge, item]``, by their mean, and their names."""
        common, mu = kernel.means(self._task.positions, self._task.counts)
        items = np.flatnonzero(common[0])
        items = items[np.argsort(mu[0, items], kind="stable")]
        return self._task.positions[0][:, items], [self._task.items[i] for i in items]


def kappa(
    rankings: Rankings, gamma: float = 1.0, lam: float = 1.0, *, zeta: float | None = None, p: float = 1.0
) -> Kappa:
    """How many subsequences all rankings share; with weights below 1 spread and gaps are discounted.

    ``2**n - 1`` for one ranking of n items; 0 when no item is in all of them. Adding a ranking never increases it.

    >>> k = kappa(["abcdef", "bdcefa", "bcdeghijkf", "badefc"])
    >>> k.value, k.by_length, k.longest
    (17, [5, 7, 4, 1], 4)
    """
    weights = checked("kappa", "orderings", "agreement", gamma=gamma, lam=lam, zeta=zeta, p=p)
    task = one_task(rankings)
    found = measure(task.positions, task.counts, **weights)
    d = found.details
    return Kappa(found.told[0], d["by_length"][0], d["longest"][0], d["log2"][0], d["hat"][0], task)
