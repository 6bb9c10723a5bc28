"""Common subsequences of rankings as chains of a partial order: counted, weighed, listed.

Item i precedes j when every judge puts it before j. Items are first sorted by mean position, so that predecessors have
smaller numbers. A chain weighs the product of psi over the mean gaps between neighbours. A number lam stands for psi =
lam ** gap, whose product telescopes: lam ** (mean position of the chain's last item - that of its first).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.kappa_of_two import common_to_two
from quorate.kernels.precedence import blocks

Array = NDArray[Any]
Psi = float | Callable[[Array], Array]  # lam, or a function of mean gaps
SINGLE = 23  # items up to which counts, below 2**24, are exact in single precision too
SMALL = 52  # up to here every count is below 2**53, so doubles are exact
BITS = 2 * 10**11  # of long integers written while lengths are told apart, at most
DOUBLES = 300  # common items above which totals are rounded to doubles as they are added up
MANY = 2000  # common items of two rankings above which only the total and the longest are computed


@dataclass(frozen=True, eq=False)
class Chains:
    """Chains of one task: their weight by length, and the length of the longest. The total is exact where it counts."""

    by_length: (
        list[int] | list[float] | None
    )  # from length 2 on; None when there are too many items to tell lengths apart
    beyond: int | float  # total weight of the chains of two and more items
    longest: int
    log2: float  # of `beyond`, also where a double cannot hold it


def means(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Which items every judge ranks, and their mean positions, each ``[task, item]``."""
    active = counts > 0
    there = positions > 0
    common = there.all(axis=1) if active.all() else (there | ~active[:, :, None]).all(axis=1)
    common &= active.any(axis=1, keepdims=True)
    total = np.einsum("tkn,tk->tn", positions, counts, dtype=np.int64, casting="unsafe")
    return np.asarray(common), np.asarray(total / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def spreads(positions: Array, counts: Array, mu: Array) -> Array:
    """Standard deviations of the items' positions, ``[task, item]``."""
    weight = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.sqrt(np.einsum("tkn,tk->tn", (positions - mu[:, None]) ** 2, weight)))


def chains(positions: Array, counts: Array, psi: Psi) -> list[Chains]:
    """The chains of every task."""
    if positions.shape[2] <= SMALL:
        return _many_small(positions, counts, psi)
    return [one_task(seats, mu, psi) for seats, mu in _large(positions, counts)]


def _large(positions: Array, counts: Array) -> Iterator[tuple[Array, Array]]:
    """Of each task the seats of the common items, sorted by mean position, and these means."""
    common, mu = means(positions, counts)
    for t in range(len(positions)):
        items = np.flatnonzero(common[t])
        items = items[np.argsort(mu[t, items], kind="stable")]
        yield np.ascontiguousarray(positions[t][:, items][counts[t] > 0]), mu[t, items]


def totals(positions: Array, counts: Array, psi: Psi) -> Array:
    """Weight of the chains of two and more items of every task, in doubles, without telling lengths apart."""
    items = positions.shape[2]
    if items > SMALL:
        found = _large(positions, counts)
        return np.array([_total(seats, mu, psi) if len(mu) > 1 else 0.0 for seats, mu in found])
    out = np.empty(len(positions))
    for part, _, _, weight in _small(positions, counts, psi):
        out[part] = _sum_of_ends(weight)
    return out


def of_length(positions: Array, counts: Array, psi: Psi, length: int) -> Array:
    """Weight of the chains of so many items, two or more, of every task, in doubles."""
    if positions.shape[2] > SMALL:
        found = ((seats, mu, _ends(seats, mu, psi, length)) for seats, mu in _large(positions, counts))
        return np.array([ends[:, length - 1].sum() if len(mu) else 0.0 for _, mu, ends in found])
    out = np.empty(len(positions))
    for part, _, _, weight in _small(positions, counts, psi):
        out[part] = _lengths(weight, length)[-1]
    return out


def _weighed(psi: Psi, gaps: Array, edge: Array) -> Array:
    """What every edge weighs by its mean gap; 0 where there is none."""
    if callable(psi):
        return np.where(edge, psi(np.where(edge, gaps, 1.0)), 0.0)
    return edge.astype(float) if psi == 1 else np.exp(math.log(psi) * np.where(edge, gaps, np.inf))


def _sum_of_ends(weight: Array) -> Array:
    """Weight of the chains of two and more items, ``[task]``, from that of edges ``[later, earlier, task]``."""
    ends = np.ones(weight.shape[1:], weight.dtype)
    for j in range(1, len(ends)):
        ends[j] += np.einsum("it,it->t", weight[j, :j], ends[:j])
    return np.asarray((ends - 1).sum(axis=0, dtype=np.float64))


# -- many small tasks at once ---------------------------------------------------------------------------------------


def _many_small(positions: Array, counts: Array, psi: Psi) -> list[Chains]:
    out: list[Chains] = []
    for _, there, edge, weight in _small(positions, counts, psi):
        longest = _levels(there, edge)
        table = _lengths(weight, int(longest.max(initial=0)))
        out += _unpack(table, longest, exact=psi == 1)
    return out


def _small(positions: Array, counts: Array, psi: Psi) -> Iterator[tuple[slice, Array, Array, Array]]:
    """Blocks of tasks: which items count ``[item, task]``, edges ``[later, earlier, task]`` plain and weighted.

    Items are sorted by mean position. The arrays are used again for the next block: fresh memory costs more than work.
    """
    judges, items = positions.shape[1:]
    common, mu = means(positions, counts)
    parts = blocks(len(positions), items * 2)  # small enough for the cache
    size = min(parts[0].stop, len(positions)) if parts else 0
    exact = psi == 1 and items <= SINGLE
    edges, less = np.empty((2, items, items, size), bool)
    weights = np.empty((items, items, size), np.float32 if exact else np.float64)
    for part in parts:
        order = np.argsort(np.where(common[part], mu[part], np.inf), axis=1, kind="stable")
        seat = np.take_along_axis(positions[part], order[:, None, :], axis=2).astype(np.int8)  # at most SMALL
        seat[counts[part] == 0] = np.arange(items)  # a judge taken out agrees with everything
        last = np.ascontiguousarray(seat.transpose(1, 2, 0))
        there = np.ascontiguousarray(np.take_along_axis(common[part], order, axis=1).T)
        edge, now, weight = (array[:, :, : last.shape[2]] for array in (edges, less, weights))
        np.logical_and(there[:, None], there[None, :], out=edge)
        for k in range(judges):
            np.less(last[k, None], last[k, :, None], out=now)
            np.logical_and(edge, now, out=edge)
        np.copyto(weight, edge)
        if psi != 1:
            centre = np.take_along_axis(mu[part], order, axis=1).T
            weight *= _weighed(psi, centre[:, None] - centre[None, :], edge)
        yield part, there, edge, weight


def _levels(there: Array, edge: Array) -> Array:
    """Items on the longest chain, ``[task]``."""
    level = there.astype(np.int16)
    for j in range(1, len(level)):
        level[j] += np.where(edge[j, :j], level[:j], 0).max(axis=0)
    return np.asarray(level.max(axis=0, initial=0))


def _lengths(weight: Array, longest: int) -> Array:
    """Weight of the chains of 2, 3, ... items, ``[length, task]``."""
    items, _, tasks = weight.shape
    table = np.zeros((max(longest - 1, 0), tasks))
    ends = np.ones((items, tasks), weight.dtype)
    for row in table:
        after = np.zeros((items, tasks), weight.dtype)
        for j in range(1, items):
            after[j] = np.einsum("it,it->t", weight[j, :j], ends[:j])
        after.sum(axis=0, dtype=np.float64, out=row)
        ends = after
    return table


def _unpack(table: Array, longest: Array, exact: bool) -> list[Chains]:
    out = []
    columns = table.astype(np.int64).T.tolist() if exact else table.T.tolist()
    for size, column in zip(longest.tolist(), columns, strict=True):
        lengths = column[: max(size - 1, 0)]
        total = sum(lengths)
        out.append(Chains(lengths, total, size, math.log2(total) if total > 0 else -math.inf))
    return out


# -- one large task -------------------------------------------------------------------------------------------------


def predecessors(seats: Array, start: int, stop: int) -> Array:
    """Which items precede items start..stop-1: ``[item - start, earlier item]``; items sorted by mean position."""
    out = np.ones((stop - start, stop), bool)
    for row in seats:
        out &= row[None, :stop] < row[start:stop, None]
    return out


def one_task(seats: Array, mu: Array, psi: Psi) -> Chains:
    """The chains of one task: ``seats[judge, item]`` of the common items, sorted by mean position."""
    items = seats.shape[1]
    if items == 0:
        return Chains([], 0, 0, -math.inf)
    if len(seats) == 2 and items > MANY and not callable(psi):
        return two_rankings(seats[0], seats[1], mu, psi)
    return _exact(seats) if psi == 1 else _weighted(seats, mu, psi)


def _total(seats: Array, mu: Array, psi: Psi) -> float:
    """Weight of the chains of two and more items as a double; whole numbers are exact up to 2**53."""
    found = float((_ends(seats, mu, psi, 1) - 1).sum())
    if len(mu) > DOUBLES or psi != 1 or found < 2**53:
        return found if found < 2.0**1023 else math.inf
    whole = one_task(seats, mu, psi)
    return float(whole.beyond) if whole.log2 < 1023 else math.inf


def _number(seats: Array) -> int:
    """Chains of one and more items, exact, of ``seats[judge, item]`` of items sorted by mean position."""
    found = float(_ends(seats, np.zeros(seats.shape[1]), 1.0, 1).sum())
    if found < 2**53:
        return int(found)
    ends: list[int] = []
    _sums(seats, ends, lambda s: s + 1)
    return sum(ends)


def _ends(seats: Array, mu: Array, psi: Psi, lengths: int) -> Array:
    """Weight of the chains that end in each item, by length up to ``lengths``; 1: of all lengths together.

    A block of items at a time: one matrix product with the earlier items.
    """
    items = len(mu)
    ends = np.ones(items) if lengths == 1 else np.tile(np.arange(lengths) == 0, (items, 1)).astype(float)
    longer, chain = (ends, ends) if lengths == 1 else (ends[:, 1:], ends[:, :-1])
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, items, 64):
            stop = min(start + 64, items)
            before = predecessors(seats, start, stop)
            weight = _weighed(psi, mu[start:stop, None] - mu[None, :stop], before)
            longer[start:stop] += weight[:, :start] @ chain[:start]
            for j in range(start + 1, stop):
                longer[j] += weight[j - start, start:j] @ chain[start:j]
            if lengths == 1 and not np.isfinite(ends[start:stop]).all():
                return np.full(items, math.inf)
    return ends


def levels(seats: Array) -> Array:
    """Items on the longest chain that ends in each item."""
    level = np.ones(seats.shape[1], np.int64)
    for start in range(0, len(level), 64):
        stop = min(start + 64, len(level))
        before = predecessors(seats, start, stop)
        for j in range(start, stop):
            earlier = level[:j][before[j - start, :j]]
            if earlier.size:
                level[j] = 1 + earlier.max()
    return level


def _sums(seats: Array, ends: list[int], step: Callable[[int], int]) -> None:
    """``ends[j] = step(sum of ends over j's predecessors)``, in exact integers.

    Neighbouring items have nearly the same predecessors when judges agree, so a sum is taken over from the item before
    and corrected where that is less work: identical rankings cost one addition an item instead of n.
    """
    previous, carried = np.zeros(0, bool), 0
    for j in range(seats.shape[1]):
        row = predecessors(seats, j, j + 1)[0][:j]
        padded = np.zeros(j, bool)
        padded[: len(previous)] = previous
        changed = np.flatnonzero(row != padded)
        if 2 * len(changed) < np.count_nonzero(row):
            for i in changed.tolist():
                carried += ends[i] if row[i] else -ends[i]
        else:
            carried = sum(ends[i] for i in np.flatnonzero(row).tolist())
        ends.append(step(carried))
        previous = row


def _exact(seats: Array) -> Chains:
    """Exact counts by length: first the total, then all lengths at once, packed into the digits of long integers."""
    ends: list[int] = []
    _sums(seats, ends, lambda s: s + 1)
    items = seats.shape[1]
    total = sum(ends)
    longest = int(levels(seats).max())
    beyond = total - items
    lengths = _packed(seats, longest, -(-total.bit_length() // 8))
    return Chains(lengths, beyond, longest, math.log2(beyond) if beyond else -math.inf)


def _packed(seats: Array, longest: int, width: int) -> list[int] | None:
    """Counts by length from 2 on, as digits of ``width`` bytes, which cannot run over; None if that is too much."""
    if 8 * width * longest * seats.shape[1] > BITS:
        return None
    packed: list[int] = []
    _sums(seats, packed, lambda s: (s + 1) << (8 * width))
    digits = sum(packed).to_bytes(width * (longest + 1), "little")
    return [int.from_bytes(digits[width * p : width * (p + 1)], "little") for p in range(2, longest + 1)]


def _weighted(seats: Array, mu: Array, psi: Psi) -> Chains:
    """Weights by length in doubles."""
    longest = int(levels(seats).max())
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = _ends(seats, mu, psi, longest).sum(axis=0)[1:].tolist() if longest > 1 else []
    beyond = math.fsum(lengths) if all(map(math.isfinite, lengths)) else math.inf
    return Chains(lengths, beyond, longest, _log2(seats, mu, psi) if math.isinf(beyond) else _safe_log2(beyond))


def _safe_log2(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf


def _log2(seats: Array, mu: Array, psi: Psi) -> float:
    """log2 of the total where a double cannot hold it."""
    logs, weights = np.empty(len(mu)), np.empty(len(mu))
    for j in range(len(mu)):
        row = np.flatnonzero(predecessors(seats, j, j + 1)[0][:j])
        with np.errstate(divide="ignore"):
            edge = np.log(_weighed(psi, mu[j] - mu[row], np.ones(len(row), bool)))
        weights[j] = np.logaddexp.reduce(logs[row] + edge) if len(row) else -np.inf
        logs[j] = np.logaddexp(0.0, weights[j])
    return float(np.logaddexp.reduce(weights)) / math.log(2)


def two_rankings(first: Array, second: Array, mu: Array, lam: float) -> Chains:
    """The total of two rankings in O(n log n): exact integers, or logarithms when chains are weighted."""
    return Chains(None, *common_to_two(first, second, mu, lam))


# -- without each judge ------------------------------------------------------------------------------------------------


def without_each(positions: Array) -> list[list[int]]:
    """How many subsequences of one and more items all the other judges share, ``[task][judge]``, exact.

    It is what all judges share, but without a judge who alone goes against what all the others have in common.
    """
    tasks, judges, items = positions.shape
    if judges < 2 or not tasks:
        return [[0] * judges for _ in range(tasks)]
    out = [[number] * judges for number in _shared(positions, np.ones((tasks, judges), np.int64))]
    task, alone = np.nonzero(np.concatenate([_alone_against(positions[part]) for part in blocks(tasks, items)]))
    for part in blocks(len(task), math.isqrt(judges * items) + 1):
        others = (np.arange(judges) != alone[part, None]).astype(np.int64)
        found = _shared(positions[task[part]], others)
        for t, k, number in zip(task[part].tolist(), alone[part].tolist(), found, strict=True):
            out[t][k] = number
    return out


def _shared(positions: Array, counts: Array) -> list[int]:
    """How many subsequences of one and more items judges share, ``[task]``, exact."""
    if positions.shape[2] > SMALL:
        return [_number(seats) for seats, _ in _large(positions, counts)]
    found = means(positions, counts)[0].sum(axis=1) + totals(positions, counts, 1.0)
    return [int(n) for n in found.tolist()]


def _alone_against(positions: Array) -> Array:
    """Which judges are the only one without an item, or without two items in an order, ``[task, judge]``.

    That can only be of items that all but one judge have, which of lists' tails are few.
    """
    often = ((positions > 0).sum(axis=1) >= positions.shape[1] - 1).any(axis=0)
    last = np.ascontiguousarray(positions[:, :, often].transpose(1, 2, 0))
    _, items, tasks = last.shape
    item = np.arange(items)

    def lacks(seats: Array) -> Array:
        there = seats > 0
        unlike = ~((seats[:, None] < seats) & there[:, None])
        unlike[item, item] = ~there
        return unlike

    number = np.zeros((items, items, tasks), np.int32)
    for seats in last:
        number += lacks(seats)
    one = number == 1
    return np.stack([(lacks(seats) & one).any(axis=(0, 1)) for seats in last], axis=1)


# -- the chains themselves, and the graph -----------------------------------------------------------------------------


def walk(seats: Array, length: int) -> Iterator[tuple[int, ...]]:
    """Every chain of this length as item numbers, in lexical order; nothing is stored, dead ends are not entered."""
    items = seats.shape[1]
    after = [np.flatnonzero((seats[:, i : i + 1] < seats).all(axis=0)) for i in range(items)]
    depth = np.ones(items, np.int64)  # items on the longest chain that starts here
    for i in range(items - 1, -1, -1):
        if len(after[i]):
            depth[i] = 1 + depth[after[i]].max()
    stack: list[tuple[int, ...]] = [(i,) for i in range(items - 1, -1, -1) if depth[i] >= length]
    while stack:
        chain = stack.pop()
        if len(chain) == length:
            yield chain
            continue
        left = length - len(chain)
        stack.extend((*chain, int(j)) for j in after[chain[-1]][::-1] if depth[j] >= left)


def reduction(seats: Array) -> list[tuple[int, int]]:
    """The edges of the common order that do not follow from others: the picture of the order."""
    items = seats.shape[1]
    before = predecessors(seats, 0, items)
    packed = np.packbits(before, axis=1)
    out = []
    for j in range(items):
        direct = np.flatnonzero(before[j])
        implied = np.bitwise_or.reduce(packed[direct], axis=0) if len(direct) else packed[j] & 0
        left = np.unpackbits(packed[j] & ~implied, count=items)
        out += [(int(i), j) for i in np.flatnonzero(left)]
    return sorted(out)
