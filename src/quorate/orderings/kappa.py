"""Kappa of Lin, Li and Guo: how many common subsequences the rankings share, weighted by how they are spread.

Slips in the paper, settled by its Tables IV and VI, which come out in all 576 cells: the deviation d of an item is the
standard deviation of its positions (not the mean absolute deviation of Eq. 13, nor its square root in Algorithm 1).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels import chains as kernel
from quorate.kernels.ranks import marks
from quorate.orderings.rankings import Measured, OneTask, Rankings, one_task
from quorate.table import Note, checked, choice, method, number, share, whole

Array = NDArray[Any]
Theta = Callable[[Array, Array], Array]  # of an item's standard deviation and its mean position
Psi = Callable[[Array], Array]  # of the mean gap between two neighbours of a pattern
FAMILIES: dict[str, Callable[[Array, float], Array]] = {  # of x and of what is left at x = 1; all are 1 at 0
    "power": lambda x, left: left**x,
    "gaussian": lambda x, left: left ** (x * x),
    "reciprocal": lambda x, left: 1 / (1 + x * (1 / left - 1)),
    "linear": lambda x, left: np.maximum(1 - x * (1 - left), 0.0),
}
_FORM = "how it falls from 1 at 0 to {0} at 1: {0}^x, {0}^(x^2), 1 / (1 + x (1/{0} - 1)), or 1 - x (1 - {0})"
ITEMS = 5000  # up to which panels are drawn from the judges, however long that takes
CHAINS = 10.0  # numbers looked at for a judge and two items
GRID = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45)  # the paper's steps


def _looks(positions: Array) -> float:
    """Numbers looked at for the largest task: pairs of the items that all judges hold; two judges are sorted."""
    _, judges, items = positions.shape
    if judges > 2 and items > kernel.MANY:
        items = int((positions > 0).all(axis=1).sum(axis=1).max(initial=0))
    return CHAINS * judges * items**2 if judges > 2 else 0.0


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
        "length": whole("only patterns of so many items: kappa_p; none: of all lengths", optional=True),
        "theta": choice(f"weight of an item by its spread x; {_FORM.format('gamma')}", *FAMILIES),
        "psi": choice(f"weight of two neighbours by their mean gap x; {_FORM.format('lam')}", *FAMILIES),
    },
    symmetric=True,
    relabelling=True,
    copies=True,
    draws_up_to=ITEMS,
    looks=lambda positions, counts, method: _looks(positions),
    surface=lambda method: {None: ("gamma", "lam"), 1: ("gamma",)}.get(method["length"], ("lam",)),  # what counts
    note=Note(
        "What do ALL judges share: the common subsequences themselves, their number and the longest.",
        "One stray judge wipes it out, and it grows like 2^n, so compare only panels with the same items; see "
        "support for 'most judges'. A few tasks carry its mean: with 3 to 5 tasks of mixed agreement its 95% intervals "
        "hold the true mean about 80 times in 100.",
        "sum over subsequences that all rankings share of their weights: of a single item gamma^(standard deviation "
        "of its positions), of a longer one lam^(mean position of its last item - of its first); gamma = lam = 1 "
        "counts them; with other families theta and psi, of a longer one the product of psi over neighbours",
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
    length: int | None = None,
    theta: str | Theta = "power",
    psi: str | Psi = "power",
) -> Measured:
    """Weighted number of subsequences that all rankings share."""
    singles = _singles(positions, counts, gamma, zeta, p, theta)
    gaps = _gaps(psi, lam)
    if brief:
        return Measured(_brief(positions, counts, singles, gaps, length))
    whole = gamma == 1 and p == 1 and not callable(theta)  # then single items are counted, not weighed
    lengths: list[Any] = []
    told: list[Any] = []
    found = kernel.chains(positions, counts, gaps)
    for t, (weight, c) in enumerate(zip(singles.tolist(), found, strict=True)):
        first = int(weight) if whole else weight
        lengths.append(None if c.by_length is None else [first, *c.by_length])
        if length is None:
            told.append(first + c.beyond)
        elif lengths[-1] is None and 1 < length <= c.longest:  # too many items to tell all lengths apart
            told.append(float(kernel.of_length(positions[t : t + 1], counts[t : t + 1], gaps, length)[0]))
        else:
            told.append(first if length == 1 else lengths[-1][length - 1] if length <= c.longest else 0)
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


def _brief(positions: Array, counts: Array, singles: Array, gaps: kernel.Psi, length: int | None) -> Array:
    """The values alone."""
    if length is None:
        return np.asarray(singles + kernel.totals(positions, counts, gaps))
    if length > positions.shape[2]:
        return np.zeros(len(positions))
    return singles if length == 1 else kernel.of_length(positions, counts, gaps, length)


def _longer(positions: Array, counts: Array, gaps: kernel.Psi, length: int | None) -> int | float:
    """Weight of the patterns of two and more items, or of one length, of one task."""
    if length is None:
        return kernel.chains(positions, counts, gaps)[0].beyond
    return float(_brief(positions, counts, np.zeros(1), gaps, length)[0])


def _gaps(psi: str | Psi, lam: float) -> kernel.Psi:
    """What the kernel weighs gaps by: a number where weights telescope."""
    if callable(psi):
        return psi
    return lam if psi == "power" or lam == 1 else lambda gaps: FAMILIES[psi](gaps, lam)


def _singles(
    positions: Array, counts: Array, gamma: float, zeta: float | None, p: float, theta: str | Theta = "power"
) -> Array:
    """What single items weigh together, ``[task]``: where nothing is discounted, how many there are."""
    if gamma == 1 and p == 1 and zeta is None and not callable(theta):
        return np.asarray(kernel.means(positions, counts)[0].sum(axis=1))
    return np.asarray(_items(positions, counts, gamma, zeta, p, theta).sum(axis=1))


def _items(
    positions: Array, counts: Array, gamma: float, zeta: float | None, p: float, theta: str | Theta = "power"
) -> Array:
    """What each item weighs alone, ``[task, item]``; 0 where not all rankings hold it."""
    common, mu = kernel.means(positions, counts)
    sd = kernel.spreads(positions, counts, mu)
    weight = common * (theta(sd, mu) if callable(theta) else FAMILIES[theta](sd, gamma)) * p**mu
    if zeta is not None:
        weight = weight * (zeta - mu - sd > 0)
    return np.asarray(weight)


def similarity(positions: Array, **weights: Any) -> Array:
    """Kappa of every two rankings over the geometric mean of either's own, ``[task, judge, judge]``.

    1 where they are the same, 0 where they share no item: the cosine of the two as sets of subsequences.
    """
    tasks, judges, items = positions.shape
    a, b = np.triu_indices(judges, 1)
    both = np.stack([positions[:, a], positions[:, b]], axis=2).reshape(-1, 2, items)
    own = _logs(positions.reshape(-1, 1, items), weights).reshape(tasks, judges)
    shared = _logs(both, weights).reshape(tasks, len(a))
    out = np.broadcast_to(np.eye(judges), (tasks, judges, judges)).copy()
    with np.errstate(invalid="ignore"):
        out[:, a, b] = np.exp2(shared - (own[:, a] + own[:, b]) / 2)
    out[:, b, a] = out[:, a, b]
    out[np.isneginf(own)] = math.nan  # nothing to compare
    out.transpose(0, 2, 1)[np.isneginf(own)] = math.nan
    return out


def _logs(positions: Array, weights: Mapping[str, Any]) -> Array:
    """log2 of kappa of every row of rankings; minus infinity of 0."""
    found = measure(positions, np.ones(positions.shape[:2], np.int64), **weights).details["log2"]
    return np.array([-math.inf if v is None else v for v in found])


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
    _weights: Mapping[str, Any] = field(default_factory=dict)

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

    @property
    def items(self) -> list[Hashable]:
        """The items that all rankings hold, by their mean place."""
        return self._common()[1]

    def graph(self) -> list[tuple[Hashable, Hashable]]:
        """The common order as edges, without those that follow from others (its transitive reduction).

        >>> kappa(["abc", "acb"]).graph()
        [('a', 'b'), ('a', 'c')]
        """
        seats, names = self._common()
        return [(names[i], names[j]) for i, j in kernel.reduction(seats)]

    def weighted_graph(self) -> tuple[dict[Hashable, float], dict[tuple[Hashable, Hashable], float]]:
        """What each common item weighs (theta), and every two that all rankings put in this order (psi): Figure 2.

        >>> items, pairs = kappa(["abc", "acb"], gamma=0.5, lam=0.5).weighted_graph()
        >>> {item: round(w, 3) for item, w in items.items()}, {pair: round(w, 3) for pair, w in pairs.items()}
        ({'a': 1.0, 'b': 0.707, 'c': 0.707}, {('a', 'b'): 0.354, ('a', 'c'): 0.354})
        """
        w = {"gamma": 1.0, "lam": 1.0, "zeta": None, "p": 1.0, "theta": "power", "psi": "power", **self._weights}
        data = self._task.positions, self._task.counts
        seats, names = self._common()
        place = {item: k for k, item in enumerate(self._task.items)}
        here = [place[name] for name in names]
        alone = _items(*data, *(w[n] for n in ("gamma", "zeta", "p", "theta")))[0, here]
        mean, psi = kernel.means(*data)[1][0, here], _gaps(w["psi"], w["lam"])
        first, second = np.nonzero((seats[:, :, None] < seats[:, None, :]).all(axis=0))
        gaps = mean[second] - mean[first]
        ends = ((names[i], names[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True))
        weights = psi(gaps) if callable(psi) else psi**gaps
        return dict(zip(names, alone.tolist(), strict=True)), dict(zip(ends, weights.tolist(), strict=True))

    def surface(self, gammas: Sequence[float] = GRID, lams: Sequence[float] = GRID) -> dict[tuple[float, float], float]:
        """Kappa over gamma x lam: gamma touches single items only and lam the rest, so it is a sum of two lists."""
        w, length = self._weights, self._weights.get("length")
        singles = {n: w[n] for n in ("zeta", "p", "theta") if n in w}
        data = self._task.positions, self._task.counts
        alone = [float(_singles(*data, g, **{"zeta": None, "p": 1.0, **singles})[0]) for g in gammas]
        rest = [float(_longer(*data, _gaps(w.get("psi", "power"), lam), length)) for lam in lams]
        return {
            (g, lam): a * (length in (None, 1)) + r
            for (g, a), (lam, r) in itertools.product(zip(gammas, alone, strict=True), zip(lams, rest, strict=True))
        }

    def _common(self) -> tuple[Array, list[Hashable]]:
        """The places of the items that all rankings hold, ``[judge, item]``, by their mean, and their names."""
        common, mu = kernel.means(self._task.positions, self._task.counts)
        items = np.flatnonzero(common[0])
        items = items[np.argsort(mu[0, items], kind="stable")]
        return self._task.positions[0][:, items], [self._task.items[i] for i in items]


def kappa(
    rankings: Rankings,
    gamma: float = 1.0,
    lam: float = 1.0,
    *,
    zeta: float | None = None,
    p: float = 1.0,
    length: int | None = None,
    theta: str | Theta = "power",
    psi: str | Psi = "power",
) -> Kappa:
    """How many subsequences all rankings share; with weights below 1 spread and gaps are discounted.

    ``2**n - 1`` for one ranking of n items; 0 when no item is in all of them. Adding a ranking never increases it.
    ``theta`` and ``psi`` are names of families, or functions of your own: ``theta(d, mu)`` weighs an item by the
    standard deviation and the mean of its positions, ``psi(gap)`` two neighbours of a pattern by their mean gap.

    >>> k = kappa(["abcdef", "bdcefa", "bcdeghijkf", "badefc"])
    >>> k.value, k.by_length, k.longest
    (17, [5, 7, 4, 1], 4)
    >>> kappa(["abc", "acb"], psi=lambda gap: gap <= 1.5).by_length
    [3, 2.0]
    """
    named = {"theta": theta, "psi": psi}
    known = {name: how for name, how in named.items() if not callable(how)}
    weights = checked("kappa", "orderings", "agreement", gamma=gamma, lam=lam, zeta=zeta, p=p, length=length, **known)
    task = one_task(rankings)
    found = measure(task.positions, task.counts, **(weights | named))
    d = found.details
    settings = weights | named
    return Kappa(found.told[0], d["by_length"][0], d["longest"][0], d["log2"][0], d["hat"][0], task, settings)
