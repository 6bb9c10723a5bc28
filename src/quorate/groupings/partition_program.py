"""The partition that gathers the most weight inside groups: small, proven best within a limited effort or with a bound.

Items fall apart into parts that no positive weight connects; a part of few items is solved by looking at all its
partitions. Of a larger one items that are alike towards all others stay together: real panels shrink a lot by these
two. What is left and not proven best by a bound is an integer program over pairs, solved by HiGHS, in which of the
rules "i with j and j with k make i with k" only those are written down that a solution broke. A part that is too large
for it has a bound only. The effort is counted in steps of the solver, not in seconds: the same panel then gives the
same groups on every machine.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import partition_proof
from quorate.kernels.effort import Effort
from quorate.kernels.partition_labels import components, dense
from quorate.kernels.partition_proof import ROUNDS, bound, contracted, twins
from quorate.kernels.partition_search import descend, searched, worth

Array = NDArray[Any]
LOCAL = 64  # items of a part up to which all tasks are searched at once
TOGETHER = 1000  # parts searched at a time
SHAKES = 30  # shaken copies of the best partition of a part, that search begins from again
PROOFS = 200  # parts that go through the program, of all tasks
MOST = 250  # items of a part, beyond which the program is not tried
RULES = 4000  # added at a time, the most broken first
WORK = 3e7  # steps of the simplex method x rules, for the proof of a task: seconds
ROOT = 100  # what beginning in whole numbers takes, in solutions of the program in fractions
AHEAD = 2  # times as much must be left, for there may be other parts
NODE = 1e5  # what a branch takes at the least, however quick the program in fractions was
WHOLE = 1 << 24  # up to which whole numbers have room in half the width
EXACT = 1e-4  # weights are whole: a bound that rounds down to the worth is the worth


@dataclass(frozen=True, eq=False)
class Solution:
    """The partition of every task, what it is worth, and what no partition exceeds."""

    labels: Array  # [task, item]
    worth: Array  # [task]
    bound: Array

    @property
    def optimal(self) -> Array:
        """Where no partition is worth more, ``[task]``."""
        return np.asarray(self.bound - self.worth < 1 - EXACT)

    @property
    def facts(self) -> list[dict[str, Any]]:
        """What the partition of every task is worth, and what no partition is worth more than."""
        out = []
        for value, highest, optimal in zip(
            self.worth.tolist(), self.bound.tolist(), self.optimal.tolist(), strict=True
        ):
            most = math.floor(highest + EXACT)
            out.append({"worth": round(value), "optimal": optimal, "bound": most, "gap": most - round(value)})
        return out


class Proofs:
    """How many parts may go through the program: of thousands of tasks not all, whoever asks and however."""

    def __init__(self, left: int = PROOFS) -> None:
        self.left = left

    def taken(self) -> bool:
        """Take one, if there is one left."""
        self.left -= 1
        return self.left >= 0


def solve(
    weights: Array, starts: Array | None = None, seconds: float | None = None, proofs: Proofs | None = None
) -> Solution:
    """The best partition of every task for whole-numbered ``weights[task, i, j]``.

    ``starts[task, start, item]`` are partitions to begin from. Parts of few items, from all tasks together, are solved
    by looking at all partitions; larger ones by local search in all tasks at once, very large ones one by one. Only
    where no bound says that it is the best does the program come in.

    >>> solve(np.array([[[0, 3, -1], [3, 0, 2], [-1, 2, 0]]])).labels.tolist()
    [[0, 0, 0]]
    """
    tasks, items = weights.shape[:2]
    scale = np.maximum(np.gcd.reduce(np.abs(weights).astype(np.int64).reshape(tasks, -1), axis=1), 1) if items else 1
    weights = (weights / np.reshape(scale, (-1, 1, 1))).astype(np.float32 if items <= LOCAL else np.float64)
    starts = np.zeros((tasks, 0, items), np.int64) if starts is None else starts
    found = solve_parts(parts(weights, starts), tasks, items, seconds, proofs)
    return Solution(found.labels, found.worth * scale, found.bound * scale)


def solve_parts(
    every: Iterable[Part],
    tasks: int,
    items: int,
    seconds: float | None = None,
    proofs: Proofs | None = None,
    looks: float = math.inf,
) -> Solution:
    """The same of the parts of every task, those of fewer items first; what is in none of them is alone.

    ``looks`` are rounds for the bound of a part of more than a few items, for each of its items; never more than usual.
    """
    proofs = Proofs(sys.maxsize) if seconds is not None else proofs or Proofs()
    efforts = [Effort(WORK, seconds) for _ in range(tasks)]
    value, gap = np.zeros(tasks), np.zeros(tasks)

    def proven(task: Array, own: Array, begin: Array) -> Array:
        some = [efforts[t] for t in task.tolist()]
        if own.shape[1] <= LOCAL:
            found, more = _small(own, begin, some, proofs)
        else:
            found, more = _large(own, begin, some, int(min(looks * own.shape[1], ROUNDS)))
        np.add.at(value, task, worth(own, found))
        np.add.at(gap, task, more)
        return found

    labels = np.broadcast_to(np.arange(items), (tasks, items)).copy()
    for part in every:
        _put(labels, part, proven)
    return Solution(dense(labels), value, value + gap)


def search(weights: Array, starts: Array) -> Array:
    """Good partitions, not proven, ``[panel, item]``, for ``weights[panel, i, j]``; ``starts[panel, start, item]``."""
    if weights.shape[1] <= LOCAL:
        return dense(searched(weights.astype(np.float32), starts))
    return search_parts(parts(weights, starts), *weights.shape[:2])


def search_parts(every: Iterable[Part], panels: int, items: int) -> Array:
    """The same of panels of many items, from their parts."""

    def some(task: Array, own: Array, begin: Array) -> Array:
        narrow = own.shape[1] <= LOCAL or np.abs(own).sum(axis=2).max() < WHOLE
        return searched(own.astype(np.float32 if narrow else np.float64), begin)

    labels = np.broadcast_to(np.arange(items), (panels, items)).copy()
    for part in every:
        _put(labels, part, some)
    return dense(labels)


class Part(NamedTuple):
    """Parts of one size that no positive weight connects with other items."""

    task: Array  # [part]
    inside: Array  # [part, place] which items
    weights: Array  # [part, place, place]
    starts: Array  # [part, start, place]


def parts(weights: Array, starts: Array) -> Iterator[Part]:
    """The parts of two items and more of every task, by size."""
    tasks, items = weights.shape[:2]
    key = (np.arange(tasks)[:, None] * items + components(weights > 0)).ravel()
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    size = np.diff(first, append=len(key))
    for length in np.unique(size[size > 1]).tolist():
        part = order[first[size == length][:, None] + np.arange(length)]
        task, inside = part[:, 0] // items, part % items
        if length > LOCAL:
            own = np.stack([weights[t].take(i, axis=0).take(i, axis=1) for t, i in zip(task, inside, strict=True)])
        else:
            own = weights[task[:, None, None], inside[:, :, None], inside[:, None, :]]
        begin = starts[task[:, None, None], np.arange(starts.shape[1])[:, None], inside[:, None, :]]
        yield Part(task, inside, own, begin)


def _put(labels: Array, part: Part, solver: Callable[[Array, Array, Array], Array]) -> None:
    """Put what the solver finds of some parts into the labels of their tasks, each group named after its first item."""
    found = solver(part.task, part.weights, part.starts)
    head = (found[:, :, None] == found[:, None, :]).argmax(axis=2)
    labels[part.task[:, None], part.inside] = np.take_along_axis(part.inside, head, axis=1)


def _small(weights: Array, starts: Array, efforts: Sequence[Effort], proofs: Proofs) -> tuple[Array, Array]:
    """The best partitions of parts of one size, and how much more others might be worth."""
    labels, gap = np.zeros(weights.shape[:2], np.int64), np.zeros(len(weights))
    torn = np.flatnonzero((weights < 0).any(axis=(1, 2)))  # the rest stays in one piece
    if weights.shape[1] <= partition_proof.MOST:
        labels[torn] = partition_proof.best(weights[torn])
        return labels, gap
    for a in range(0, len(torn), TOGETHER):
        some = torn[a : a + TOGETHER]
        own = weights[some]
        labels[some] = searched(own, starts[some])
        gap[some] = bound(own) - worth(own, labels[some])
    for k in np.flatnonzero(gap > 1 - EXACT).tolist():
        if proofs.taken():
            labels[k], gap[k] = _part(weights[k].astype(float), [labels[k], *starts[k]], efforts[k])
    return labels, np.where(gap > 1 - EXACT, gap, 0.0)


def _large(weights: Array, starts: Array, efforts: Sequence[Effort], rounds: int) -> tuple[Array, Array]:
    """The same of parts of very many items, one by one."""
    found = [_part(own, list(begin), e, rounds) for own, begin, e in zip(weights, starts, efforts, strict=True)]
    return np.stack([labels for labels, _ in found]), np.array([gap for _, gap in found])


def _part(weights: Array, starts: Sequence[Array], effort: Effort, rounds: int = ROUNDS) -> tuple[Array, float]:
    """The best partition of a connected part, and how much more another might be worth."""
    twin = twins(weights)
    small = contracted(weights, twin)
    if len(small) == 1:
        return np.zeros(len(weights), np.int64), 0.0
    first = np.unique(twin, return_index=True)[1]
    begin = np.stack([s[first] for s in starts])[None] if len(starts) else np.zeros((1, 0, len(first)), np.int64)
    best = searched(small[None], begin, SHAKES)[0]
    highest = float(bound(small[None], rounds)[0])
    if len(small) <= MOST:
        best, gap = _program(small, best, highest, effort)
    else:
        gap = highest - float(worth(small[None], best[None])[0])
    return best[twin], gap


def _program(weights: Array, best: Array, highest: float, effort: Effort) -> tuple[Array, float]:
    """From a good partition to the best one, and how much more some partition might still be worth."""
    size = len(weights)
    pairs = np.triu_indices(size, 1)
    value = weights[pairs]
    gain = float(value[value > 0].sum())
    apart = value <= -gain  # together they would cost more than everything else can bring
    value = np.where(apart, 0.0, value)
    most = float(worth(weights[None], best[None])[0])
    rules: list[Array] = [np.zeros((0, 3), np.int64)]
    whole, last = False, 0.0
    while highest - most > 1 - EXACT and effort.left:
        matrix = _matrix(np.concatenate(rules), size)
        if whole:
            reached, found = _in_whole_numbers(value, apart, matrix, last, effort)
        else:
            reached, found, last = _in_fractions(value, apart, matrix, effort)
        highest = min(highest, reached)
        if found is None:
            break
        square = np.zeros((size, size))
        square[pairs] = found
        square += square.T
        tried = descend(weights[None], components((square > 0.5)[None]), each=True)
        if (more := float(worth(weights[None], tried)[0])) > most:
            best, most = tried[0], more
        broken = _broken(square)
        if len(broken):
            rules.append(broken)
        elif whole:
            break
        whole = whole or not len(broken)  # all rules hold, but some pairs are half together: now in whole numbers
    gap = highest - most
    return best, gap if gap > 1 - EXACT else 0.0


def _matrix(rules: Array, size: int) -> Any:
    """A row per rule: two pairs together make the third."""
    from scipy.sparse import csr_array

    number = np.zeros((size, size), np.int64)
    number[np.triu_indices(size, 1)] = np.arange(size * (size - 1) // 2)
    number += number.T
    a, b, c = rules.T
    columns = np.stack([number[a, b], number[b, c], number[a, c]], axis=1).ravel()
    signs = np.tile([1.0, 1.0, -1.0], len(rules))
    shape = (len(rules), size * (size - 1) // 2)
    return csr_array((signs, columns, np.arange(0, len(columns) + 1, 3)), shape=shape)


def _in_fractions(value: Array, apart: Array, matrix: Any, effort: Effort) -> tuple[float, Array | None, float]:
    """A bound, the solution of the rules when pairs may be half together, and the work that it took."""
    from scipy.optimize import linprog

    rules = matrix.shape[0]
    if not rules:
        return float(value[value > 0].sum()), ((value > 0) & ~apart).astype(float), 0.0
    largest = float(np.abs(value).max()) or 1.0
    steps = {} if math.isinf(effort.work) else {"maxiter": int(effort.work // rules) + 1}
    found = linprog(
        -value / largest,
        A_ub=matrix,
        b_ub=np.ones(rules),
        bounds=np.stack([np.zeros(len(value)), np.where(apart, 0.0, 1.0)], axis=1),
        method="highs-ds",
        options=steps | effort.options(),
    )
    took = float(found.nit * rules)
    effort.spend(took)
    if found.status != 0:
        return np.inf, None, took
    return -float(found.fun) * largest, found.x, took


def _in_whole_numbers(
    value: Array, apart: Array, matrix: Any, last: float, effort: Effort
) -> tuple[float, Array | None]:
    """A bound by branching, and the best solution found; ``last`` is the work of the program in fractions."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    nodes = {}
    if not math.isinf(effort.work):
        if effort.work < AHEAD * ROOT * last:
            return np.inf, None
        nodes = {"node_limit": int((effort.work - ROOT * last) // max(last, NODE)) + 1}
    largest = float(np.abs(value).max()) or 1.0
    found = milp(
        -value / largest,
        integrality=np.ones(len(value), np.int64),
        bounds=Bounds(0, np.where(apart, 0.0, 1.0)),
        constraints=[LinearConstraint(matrix, -np.inf, 1)] if matrix.shape[0] else [],
        options={"mip_rel_gap": 0.0} | nodes | effort.options(),
    )
    effort.spend((ROOT + int(found.get("mip_node_count") or 1)) * max(last, NODE))
    reached = found.get("mip_dual_bound")
    return (np.inf if reached is None else -float(reached) * largest), found.x


def _broken(square: Array) -> Array:
    """Rules a-b-c, ``[rule, 3]``: a with b and b with c more than a with c allows; the most broken ones."""
    found, excess = [], []
    for b in range(len(square)):
        near = np.flatnonzero(square[b] > 1e-6)
        near = near[near != b]
        over = square[b, near][:, None] + square[b, near][None, :] - square[np.ix_(near, near)] - 1
        i, k = np.nonzero(np.triu(over, 1) > 1e-6)
        found.append(np.stack([near[i], np.full(len(i), b), near[k]], axis=1))
        excess.append(over[i, k])
    rules, much = np.concatenate(found), np.concatenate(excess)
    return rules[np.argsort(-much, kind="stable")[:RULES]]
