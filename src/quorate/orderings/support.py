"""q-support of Xue and others: how much of a ranking at least q judges share, in single items and in ordered pairs.

Counts are one mergeable object; the scores read them. The paper prints an overall kappa_1 of 4 on the Dots data: a slip
for 1, since the score is a share.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels import drawn_pairs, precedence, precedence_bits
from quorate.kernels.defined import quotient
from quorate.kernels.ranks import repeated
from quorate.orderings.rankings import Measured, OneTask, Rankings, need, one_task
from quorate.orderings.tally import Tally, counted
from quorate.panel.sections import DIGITS, UNIT
from quorate.table import Note, checked, choice, method, quorum, share

Array = NDArray[Any]
SETS, SORTED = 4, 100  # numbers looked at for a pair of items that was drawn, and for an item of sorted rankings
PAIRS = 10**9  # judges x pairs of items up to which all pairs are looked at


def is_long(judges: int, items: int) -> bool:
    """Whether the items of a task have too many pairs to look at all: rankings of two judges are then sorted, of more
    judges some pairs are drawn."""
    return judges * items * items > PAIRS


def looks_once(judges: int, items: int) -> bool:
    """Whether all panels drawn from a task's judges are told by one look at its pairs of items."""
    return is_long(judges, items) or (judges <= precedence_bits.JUDGES and items >= precedence_bits.MANY)


def _cost(judges: int, items: int) -> float:
    """Numbers looked at, in looks of all judges at all pairs of items."""
    if not is_long(judges, items):
        return 1.0
    return (SORTED * items + (SETS * drawn_pairs.number_of_pairs(judges) if judges > 2 else 0)) / items**2


def _counted(tally: Tally, own: Tally, *, q: float | int, part: str, **parameters: Any) -> Measured:
    """The same of very many rankings, from how many judges put i before j, each by the length of his list."""
    least, size = need(q, tally.judges[:, None]), tally.items**2
    pair, item = tally.before >= least[:, None, None], tally.held >= least[:, None]
    if tally.has("shares"):
        shares = tally.section("shares") / UNIT
        before, held = shares[:, :size].reshape(pair.shape), shares[:, size:]
    else:
        before, held = tally.before / float(max(math.comb(tally.items, 2), 1)), tally.held / float(tally.items)
    pairs, items = (
        quotient(np.where(there, of, 0.0).reshape(len(least), -1).sum(axis=1), tally.judges)
        for there, of in ((pair, before), (item, held))
    )
    if tally.has("shares"):
        pairs, items = pairs.round(DIGITS), items.round(DIGITS)
    value = pairs if part == "pairs" else items
    return Measured(value, {"kappa1": items.tolist(), "kappa2": pairs.tolist(), "q": least.tolist()})


@method(
    "orderings",
    "agreement",
    "support",
    range=(0, 1),
    higher="more agreement",
    default=True,
    reference="Xue, Lin, Wang, McClean: consensus of rankings by q-support patterns",
    parameters={
        "q": quorum("judges who must share a pattern: a count (6) or a share of the judges (0.5)"),
        "gamma": share("discount per place that an item lies off its mean position"),
        "lam": share("discount per place that a pair's gap is off its mean gap"),
        "part": choice("what is counted: ordered pairs (kappa_2) or single items (kappa_1)", "pairs", "items"),
    },
    surface=lambda method: ("q", "lam" if method["part"] == "pairs" else "gamma"),  # the other changes nothing
    symmetric=True,
    relabelling=True,
    copies=True,
    pads=True,
    some_items=True,
    cost=_cost,
    looks_once=looks_once,
    additive=counted(
        _counted,
        lambda method, gaps, tied: ("shares",) if gaps else (),
        lambda method: method["gamma"] == 1 and method["lam"] == 1,
    ),
    note=Note(
        "What do MOST judges share: withstands a few bad judges, handles partial lists and counted votes.",
        "With q at half, two opposite camps of equal size support every pair both ways. Look at several q.",
        "kappa_2 = mean over judges of sum over the ranking's ordered pairs that at least q judges share of "
        "lam^|gap - mean gap| / (m (m - 1) / 2); kappa_1 likewise: single items, gamma^|position - mean position| / "
        "m",
    ),
)
def measure(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    q: float | int = 0.5,
    gamma: float = 1.0,
    lam: float = 1.0,
    part: str = "pairs",
) -> Measured:
    """Share of a ranking's ordered pairs that at least q judges share, averaged over judges."""
    k1, k2 = individual(positions, counts, q, gamma, lam)
    weight = counts / counts.sum(axis=1, keepdims=True)
    first, second = (k1 * weight).sum(axis=1), (k2 * weight).sum(axis=1)
    value = second if part == "pairs" else first
    told = {"kappa1": first.tolist(), "kappa2": second.tolist(), "q": need(q, counts).tolist()}
    if not brief and is_long(*positions.shape[1:]) and positions.shape[1] > 2:
        told["pairs_drawn"] = [drawn_pairs.drawn_of(ranking) for ranking in positions]
    return Measured(value, told)


def individual(positions: Array, counts: Array, q: float | int, gamma: float, lam: float) -> tuple[Array, Array]:
    """Each judge's kappa_1 and kappa_2, ``[task, judge]``."""
    plain, least = gamma == 1 and lam == 1, need(q, counts)
    if is_long(*positions.shape[1:]):
        if not plain:
            fact = f"{positions.shape[2]:,} items in one task are too many for discounts by positions and gaps."
            raise LimitReached(fact, "leave gamma and lam at 1, or select some items.")
        kernel = precedence_bits if positions.shape[1] <= 2 else drawn_pairs
        rows = [slice(None)] if repeated(positions) else [slice(t, t + 1) for t in range(len(positions))]
        found = [kernel.support(positions[t][0], counts[t], least[t]) for t in rows]
        return np.concatenate([k1 for k1, _ in found]), np.concatenate([k2 for _, k2 in found])
    if plain and precedence_bits.fits(positions):
        return precedence_bits.support(positions[0], counts, least)
    k1, k2 = precedence.support(precedence.tasks_last(positions), counts.T, least, gamma, lam)
    return k1.T, k2.T


@dataclass(frozen=True, eq=False)
class Counts:
    """How many judges hold each item and each ordered pair, with position and gap sums. Counts of parts add up."""

    judges: int
    items: tuple[Hashable, ...]
    held: Array  # [item]
    places: Array  # [item] sum of positions
    before: Array  # [item, item] judges who put the first before the second
    gaps: Array  # [item, item] sum of their gaps

    @classmethod
    def of(cls, rankings: Rankings) -> Counts:
        """The counts of some rankings."""
        return cls.of_task(one_task(rankings))

    @classmethod
    def of_task(cls, task: OneTask) -> Counts:
        """The counts of a task's rankings, multiplicities included."""
        last, counts = precedence.tasks_last(task.positions), task.counts.T
        there, places = precedence.held(last, counts)
        before, gaps = precedence.precedence(last, counts), precedence.gap_sums(last, counts)
        return cls(
            int(counts.sum()), task.items, there[:, 0], places[:, 0], before[:, :, 0].astype(np.int64), gaps[:, :, 0]
        )

    def __add__(self, other: Counts) -> Counts:
        """The counts of both sets of rankings together."""
        items = tuple(dict.fromkeys((*self.items, *other.items)))
        mine, yours = self._spread(items), other._spread(items)
        return Counts(self.judges + other.judges, items, *(a + b for a, b in zip(mine, yours, strict=True)))

    def _spread(self, items: tuple[Hashable, ...]) -> tuple[Array, Array, Array, Array]:
        where = {item: k for k, item in enumerate(items)}
        at = np.array([where[i] for i in self.items], np.int64)
        held, places = np.zeros((2, len(items)), np.int64)
        before, gaps = np.zeros((2, len(items), len(items)), np.int64)
        held[at], places[at] = self.held, self.places
        before[np.ix_(at, at)], gaps[np.ix_(at, at)] = self.before, self.gaps
        return held, places, before, gaps

    def quorum(self, q: float | int) -> int:
        """The number of judges that q stands for."""
        return int(need(q, np.array([[self.judges]]))[0])

    def supported_items(self, q: float | int = 0.5) -> list[Hashable]:
        """Items that at least q judges hold."""
        return [i for i, n in zip(self.items, self.held.tolist(), strict=True) if n >= self.quorum(q)]

    def supported_pairs(self, q: float | int = 0.5) -> dict[tuple[Hashable, Hashable], int]:
        """Ordered pairs that at least q judges share, with how many do."""
        rows, columns = np.nonzero(self.before >= self.quorum(q))
        return {
            (self.items[i], self.items[j]): int(self.before[i, j])
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        }


class SupportedPairs(Mapping[tuple[Hashable, Hashable], int]):
    """Ordered pairs that at least q judges share, with how many do: counted at once, named one by one when asked for.

    Two thousand items have two million pairs, of every ranking: naming them all is for those who want them all.
    """

    def __init__(self, items: Sequence[Hashable], shared: Array, ranks: Array | None = None) -> None:
        """``shared``: how many judges share each pair, 0 where too few; ``ranks``: of one ranking, 0 what it lacks."""
        self._names, self._shared, self._ranks = items, shared, ranks

    def first(self, most: int | None = None) -> list[tuple[tuple[Hashable, Hashable], int]]:
        """The first pairs, in the ranking's order, and how many judges share each."""
        order = np.arange(len(self._names))
        if self._ranks is not None:
            order = np.flatnonzero(self._ranks)
            order = order[np.argsort(self._ranks[order], kind="stable")]
        out: list[tuple[tuple[Hashable, Hashable], int]] = []
        for i in order.tolist():
            later = order if self._ranks is None else order[self._ranks[order] > self._ranks[i]]
            after = later[self._shared[i, later] > 0]
            named = zip(after.tolist(), self._shared[i, after].tolist(), strict=True)
            out += [((self._names[i], self._names[j]), n) for j, n in named]
            if most is not None and len(out) >= most:
                break
        return out[:most]

    @cached_property
    def _number(self) -> int:
        if self._ranks is None:
            return int(np.count_nonzero(self._shared))
        there = np.flatnonzero(self._ranks)
        ranks, shared = (
            self._ranks[there],
            self._shared[np.ix_(there, there)] if len(there) < len(self._names) else self._shared,
        )
        return int(np.count_nonzero((shared > 0) & (ranks[:, None] < ranks)))

    @cached_property
    def _all(self) -> dict[tuple[Hashable, Hashable], int]:
        return dict(self.first())

    def __len__(self) -> int:
        """How many pairs."""
        return self._number

    def __iter__(self) -> Iterator[tuple[Hashable, Hashable]]:
        """The pairs, in the ranking's order."""
        return iter(self._all)

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> int:
        """How many judges share a pair."""
        return self._all[pair]

    def __repr__(self) -> str:
        """As a dictionary."""
        return repr(self._all)


@dataclass(frozen=True, slots=True)
class Supported:
    """What of one ranking at least q judges share, with how many do: its items (S1), and its ordered pairs (S2)."""

    items: dict[Hashable, int]
    pairs: SupportedPairs


@dataclass(frozen=True, eq=False)
class Support:
    """q-support of one set of rankings: overall, judge by judge, and the patterns behind it."""

    kappa1: float
    kappa2: float
    q: int
    individual: dict[Hashable, tuple[float, float]]  # judge -> kappa_1, kappa_2
    _task: OneTask

    @cached_property
    def counts(self) -> Counts:
        """The counts that the scores were read from."""
        return Counts.of_task(self._task)

    @property
    def whole(self) -> Supported:
        """The supported items and ordered pairs of all rankings together, with how many judges share each.

        >>> support(["abc", "acb", "ab"], q=2).whole.pairs
        {('a', 'b'): 3, ('a', 'c'): 2}
        """
        return Supported(self._held, SupportedPairs(self._task.items, self._shared))

    @property
    def sets(self) -> dict[Hashable, Supported]:
        """The supported items (S1) and ordered pairs (S2) of every ranking, with how many judges share each.

        >>> support(["abc", "acb", "ab"], q=2).sets[2].pairs
        {('a', 'c'): 2, ('a', 'b'): 3}
        """
        return {judge: self._of(ranks) for judge, ranks in zip(self._task.judges, self._task.positions[0], strict=True)}

    def _of(self, ranks: Array) -> Supported:
        """What of one ranking is supported."""
        there = np.flatnonzero(ranks)
        named = [self._task.items[i] for i in there[np.argsort(ranks[there], kind="stable")].tolist()]
        items = {i: self._held[i] for i in named if i in self._held}
        return Supported(items, SupportedPairs(self._task.items, self._shared, ranks))

    @cached_property
    def _held(self) -> dict[Hashable, int]:
        counts = self.counts
        return {i: n for i, n in zip(counts.items, counts.held.tolist(), strict=True) if n >= self.q}

    @cached_property
    def _shared(self) -> Array:
        """How many judges share each ordered pair; 0 where fewer than q."""
        before = self.counts.before
        return np.where(before >= self.q, before, 0).astype(np.int32)


def support(rankings: Rankings, q: float | int = 0.5, gamma: float = 1.0, lam: float = 1.0) -> Support:
    """How much of each ranking at least q judges share: single items (kappa_1) and ordered pairs (kappa_2).

    Both are 1 when all rankings are the same. A share q counts from the smallest whole number not below it.

    >>> s = support(["abcdef", "bcdefa", "bdaghf", "bacdfe"], q=3)
    >>> round(s.kappa1, 2), round(s.kappa2, 2), [round(k2, 2) for _, k2 in s.individual.values()]
    (0.92, 0.6, [0.67, 0.67, 0.33, 0.73])
    """
    how = checked("support", "orderings", "agreement", q=q, gamma=gamma, lam=lam)
    task = one_task(rankings)
    k1, k2 = individual(task.positions, task.counts, how["q"], how["gamma"], how["lam"])
    total = measure(task.positions, task.counts, **how).details
    each = dict(zip(task.judges, zip(k1[0].tolist(), k2[0].tolist(), strict=True), strict=True))
    return Support(total["kappa1"][0], total["kappa2"][0], total["q"][0], each, task)
