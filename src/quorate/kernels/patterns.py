"""Frequent sequential patterns over judge bitsets, listed one by one.

A judge holds a pattern when each of its items stands strictly before the next. So the judges who hold it are the AND,
over its consecutive pairs, of the bitsets of judges who hold the pair: no candidates are generated and nothing is
projected, one integer AND extends a pattern. Bitsets are Python integers here: any number of judges.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Found = tuple[tuple[int, ...], int]  # a pattern as item numbers, and its support
CELLS = 50_000_000  # items of the patterns that wait to be looked at: long ones fill the memory before they are many


@dataclass(frozen=True, eq=False)
class Bitsets:
    """One task: who holds each item, who puts which item before which, and how many judges a bitset stands for."""

    held: list[int]
    before: list[dict[int, int]]  # before[i][j]: judges who put i before j, where enough do
    need: int
    support: Callable[[int], int]
    places: Array  # [judge, item] where each judge puts it; 0: nowhere


def bitsets(positions: Array, counts: Array, need: int) -> Bitsets:
    """The bitsets of ``positions[judge, item]``; judges with a count of 0 are left out."""
    there = counts > 0
    rows, weights = positions[there], counts[there].tolist()
    support = _support(weights)
    held = _as_integers(rows > 0)
    before: list[dict[int, int]] = []
    for i in range(rows.shape[1]):
        pairs = _as_integers((rows[:, i : i + 1] > 0) & (rows > rows[:, i : i + 1]))
        before.append({j: s for j, s in enumerate(pairs) if s and support(s) >= need})
    return Bitsets(held, before, need, support, rows)


def _as_integers(judge_by_item: Array) -> list[int]:
    packed = np.packbits(judge_by_item, axis=0, bitorder="little")
    return [int.from_bytes(column.tobytes(), "little") for column in packed.T]


def _support(weights: list[int]) -> Callable[[int], int]:
    """How many judges a bitset stands for."""
    if all(w == 1 for w in weights):
        return int.bit_count
    known: dict[int, int] = {}

    def weigh(bits: int) -> int:
        if bits not in known:
            known[bits] = sum(w for k, w in enumerate(weights) if bits >> k & 1)
        return known[bits]

    return weigh


def walk(task: Bitsets, min_len: int, max_len: int | None, which: str) -> Iterator[Found]:
    """Every frequent pattern with its support, depth first; nothing is stored but the path.

    ``maximal``: no frequent pattern contains it. ``closed``: none with the same support does. Both are meant among all
    frequent patterns; the lengths only say which ones are given out.
    """
    longest = len(task.held) if max_len is None else max_len
    fits = _fitting(task)
    stack: list[tuple[tuple[int, ...], int, bool]] = [
        ((i,), s, True) for i, s in reversed(list(enumerate(task.held))) if s and task.support(s) >= task.need
    ]
    while stack:
        pattern, judges, new = stack.pop()
        if which != "all" and fits(pattern, judges, new):
            continue  # the item that fits in here fits into every continuation too
        after = [(j, judges & s) for j, s in task.before[pattern[-1]].items()]
        after = [(j, s) for j, s in after if s and task.support(s) >= task.need]
        if len(pattern) >= min_len and _wanted(task, pattern, judges, after, which):
            yield pattern, task.support(judges)
        if len(pattern) < longest:
            stack.extend(((*pattern, j), s, s != judges) for j, s in reversed(after))


def _wanted(task: Bitsets, pattern: tuple[int, ...], judges: int, after: list[tuple[int, int]], which: str) -> bool:
    if which == "closed":
        return all(s != judges for _, s in after)  # a fit further ahead has been ruled out before
    return which == "all" or not (after or _grows(task, pattern, judges))


def _fitting(task: Bitsets) -> Callable[[tuple[int, ...], int, bool], bool]:
    """Tells whether an item fits in before a pattern's last one and all its judges keep it.

    If the judges are not new, those of the pattern without its last item, only the last gap can have room.
    """
    behind: list[dict[int, int]] = [{} for _ in task.held]
    for i, row in enumerate(task.before):
        for j, s in row.items():
            behind[j][i] = s

    @lru_cache(maxsize=1 << 14)
    def sides(judges: int, x: int) -> tuple[int, int]:
        """Items, as bits, that all these judges put after x and before x."""
        later = sum(1 << y for y, s in task.before[x].items() if judges & ~s == 0)
        return later, sum(1 << y for y, s in behind[x].items() if judges & ~s == 0)

    def fits(pattern: tuple[int, ...], judges: int, new: bool) -> bool:
        for k in range(0 if new else len(pattern) - 1, len(pattern)):
            room = sides(judges, pattern[k])[1]
            if room and (k == 0 or room & sides(judges, pattern[k - 1])[0]):
                return True
        return False

    return fits


def _grows(task: Bitsets, pattern: tuple[int, ...], judges: int) -> bool:
    """Whether an item fits in before the pattern's last one so that enough judges keep it."""
    for y, row in enumerate(task.before):
        for k, x in enumerate(pattern):
            kept = judges & row.get(x, 0)
            if k:
                kept &= task.before[pattern[k - 1]].get(y, 0)
            if kept and task.support(kept) >= task.need:
                return True
    return False


def heaviest(
    task: Bitsets,
    inside: Array | None,
    contained: bool,
    weight: Callable[[int, int], float],
    lengths: tuple[int, int],
    most: int,
    effort: int,
) -> tuple[list[tuple[Found, float]], bool]:
    """The heaviest patterns that a list contains, or misses; and whether the search came to its end.

    ``inside[i, j]`` says that the list has i before j (``None`` for i = j: that it holds i). Best first: a pattern can
    grow by no more items than the longest chain that one of its judges still has behind its last item.
    """
    reach = _reach(task)
    min_len, max_len = lengths
    queue: list[tuple[float, int, tuple[int, ...], int, bool, bool]] = []
    found: list[tuple[Found, float]] = []
    cells = 0

    def push(pattern: tuple[int, ...], judges: int, held: bool) -> None:
        nonlocal cells
        size, support = len(pattern), task.support(judges)
        if not contained or held:
            cells += size
            further = max(r for k, r in enumerate(reach[pattern[-1]]) if judges >> k & 1)
            bound = weight(min(size + further, max_len), support)
            heapq.heappush(queue, (-bound, -size, pattern, judges, held, False))

    for i, s in enumerate(task.held):
        if s and task.support(s) >= task.need:
            push((i,), s, bool(inside is None or inside[i, i]))
    while queue and len(found) < most and effort and cells <= CELLS:
        bound, size, pattern, judges, held, final = heapq.heappop(queue)
        if final:
            found.append(((pattern, task.support(judges)), -bound))
            continue
        effort -= 1
        cells += size  # which is negative
        if -size >= min_len and held == contained:
            heapq.heappush(queue, (-weight(-size, task.support(judges)), size, pattern, judges, held, True))
        if -size < max_len:
            for j, s in task.before[pattern[-1]].items():
                left = judges & s
                if left and task.support(left) >= task.need:
                    push((*pattern, j), left, held and bool(inside is None or inside[pattern[-1], j]))
    return found, not queue or len(found) == most


def _reach(task: Bitsets) -> list[list[int]]:
    """For each item and judge: items of the longest chain behind it that this judge holds pair by pair."""
    reach = [[0] * len(task.places) for _ in task.held]
    for k, row in enumerate(task.places):
        for i in np.argsort(-row, kind="stable").tolist():  # what follows an item comes later in the judge's order
            reach[i][k] = max((1 + reach[j][k] for j, s in task.before[i].items() if s >> k & 1), default=0)
    return reach
