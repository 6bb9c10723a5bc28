"""What chance gives for each judge against the others: the judge's places dealt anew, the others as they are.

With so many tasks that dealing would take long, the mean over them is normal, and its spread is known: dealt places
have mean 0 against any other order, and a variance that follows from the others' orders.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Chance, shuffled, stream
from quorate.inference.results import Options
from quorate.kernels.common_items import Common
from quorate.kernels.inversions import LONG
from quorate.kernels.pair_means import mean_with_others, ratio
from quorate.kernels.ranks import complete, mid_ranks, strict
from quorate.orderings.judged import Rows, mean
from quorate.orderings.pairwise import Pairwise, in_pieces, rho, tau_b
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, padded
from quorate.table import Method

Array = NDArray[Any]
WORK = 2 * 10**8  # numbers handled for the p-values, about
CHEAP = WORK // 4  # of them that hardly anybody has to wait for
BATCH = 1 << 22  # of them at a time
PER_JUDGE = 100  # permutations for each judge there is, so that Holm's correction can still find p below 0.05
FEWEST = 25  # of them at least, where lists are short
MOST = 5000  # permutations at most
LEAST = 1e-12  # p-value that the normal distribution is believed to
TASKS = 200  # tasks, from which on their mean is taken for normal where dealing takes long


def by_chance(
    panel: Orderings, parts: Sequence[Stack], rows: Rows, index: Pairwise, chosen: Method, options: Options
) -> list[Chance | None]:
    """For each judge: the mean over the judge's tasks when the judge's places are dealt anew, and p."""
    judges = len(panel.judges)
    seen = np.array([mean(rows.values[at]) for _, at in rows.judges()])
    if options.permutations < 1:
        return [None] * judges
    sparse, dense = _apart(parts, index)
    cost = sum(p.shape[0] * p.shape[1] * p.shape[2] ** 2 // 2 for p in dense) + 2 * sum(c.work for _, c in sparse)
    wanted = min(max(options.permutations, PER_JUDGE * judges), MOST)
    many = sum(p.shape[0] for p in parts) >= TASKS
    plain = not sparse and all((p.counts == 1).all() and strict(p.positions) for p in dense)
    long = all(p.shape[2] >= LONG for p in parts)  # correlations with dealt places are normal then, too
    if (many or long) and plain and cost * wanted > WORK:
        return _normal(dense, index, seen)
    least = 100
    if not (many and options.effort < 1):  # what Holm's correction needs, where lists are short or it costs little
        needed = FEWEST * judges
        least = max(100, needed if sparse and not dense else min(needed, CHEAP // max(cost, 1)))
    if long and index is not rho:
        least = FEWEST
    number = int(min(wanted, max(WORK * options.effort // max(cost, 1), least)))
    rng = stream(options.seed, "chance", chosen)
    total, of = np.zeros((number, judges)), np.zeros((number, judges))
    for part in dense:
        _add_dealt(part, index, rng, total, of)
    for part, common in sparse:
        _add_common(part, common, index, rng, total, of)
    dealt = ratio(total, of)
    count = _as_normal if (many or long) and number < FEWEST * judges else _reached
    return [count(dealt[:, k], seen[k]) for k in range(judges)]


def _apart(parts: Sequence[Stack], index: Pairwise) -> tuple[list[tuple[Stack, Common]], list[Stack]]:
    """The stacks whose lists have gaps, with what their judges have in common; and the others."""
    gaps = [p for p in parts if not complete(p.positions).all() and (p.counts == 1).all() and p.shape[1] > 1]
    sparse, dense = [], [p for p in parts if p not in gaps]
    for part in padded(gaps):
        pieces = in_pieces(part)
        sparse += [(piece, Common.of(piece.positions)) for piece in pieces]
        dense += [] if pieces else [part]
    return sparse, dense


def _reached(dealt: Array, seen: float) -> Chance | None:
    dealt = dealt[~np.isnan(dealt)]
    if not len(dealt) or math.isnan(seen):
        return None
    reached = int((dealt >= seen - 1e-12).sum())
    return Chance(float(dealt.mean()), (reached + 1) / (len(dealt) + 1), len(dealt))


def _as_normal(dealt: Array, seen: float) -> Chance | None:
    """The same, where the mean over many tasks is normal and so few permutations only show its mean and spread."""
    dealt = dealt[~np.isnan(dealt)]
    spread = float(dealt.std(ddof=1)) if len(dealt) > 1 else 0.0
    if spread <= 0 or math.isnan(seen):
        return _reached(dealt, seen)
    p = math.erfc((seen - float(dealt.mean())) / spread / math.sqrt(2)) / 2
    return Chance(float(dealt.mean()), max(p, LEAST), len(dealt))


def _add(values: Array, part: Stack, a: int, total: Array, of: Array) -> None:
    """Add values ``[permutation, task, judge]`` to the sums of the judges, from permutation ``a`` on."""
    values = np.where((part.counts.sum(axis=1) < 2)[None, :, None], np.nan, values)
    places = part.judges.ravel()
    values = values.reshape(len(values), -1)
    known = ~np.isnan(values)
    for row in range(len(values)):
        total[a + row] += np.bincount(places[known[row]], values[row, known[row]], minlength=total.shape[1])
        of[a + row] += np.bincount(places[known[row]], minlength=total.shape[1])


def _add_common(
    part: Stack, common: Common, index: Pairwise, rng: np.random.Generator, total: Array, of: Array
) -> None:
    """The same for lists with gaps: dealt copies of one judge's places beside the other's own."""
    step = max(1, BATCH // max(common.lists.size, len(common.lists) * common.pairs))
    for a in range(0, len(total), step):
        dealt = common.dealt(rng, min(step, len(total) - a))
        first, second = (common.correlate(index.common, *two) for two in ((dealt, common.own), (common.own, dealt)))
        _add(common.others(first, second, part.counts).transpose(2, 0, 1), part, a, total, of)


def _add_dealt(part: Stack, index: Pairwise, rng: np.random.Generator, total: Array, of: Array) -> None:
    """Adds, per permutation, each judge's value on the stack's tasks with the judge's places dealt anew."""
    tasks, judges, items = part.shape
    if items < 2:
        return
    step = max(1, BATCH // max(tasks * judges * items * items // 2, 1))
    whole = bool(complete(part.positions).all())
    for a in range(0, len(total), step):
        size = min(step, len(total) - a)
        dealt = shuffled(np.tile(part.positions, (size, 1, 1)), rng)
        if whole and (items < LONG or index is rho):
            # A dealt ranking has the same ties, so its correlation is a product with fixed unit vectors.
            values = _by_vectors(part, index, dealt)
        elif items >= LONG:
            values = _by_twos(part, index, dealt)
        else:
            both = np.concatenate([dealt, np.tile(part.positions, (size, 1, 1))], axis=1)
            square = index.square(both)[:, :judges, judges:]
            values = mean_with_others(square, np.tile(part.counts, (size, 1)), counted=True)
        _add(values.reshape(size, tasks, judges), part, a, total, of)


def _by_twos(part: Stack, index: Pairwise, dealt: Array) -> Array:
    """The same for long rankings, every dealt one with every other judge's own: ``[dealt task, judge]``."""
    tasks, judges, _ = part.shape
    own = np.tile(part.positions, (len(dealt) // tasks, 1, 1))
    square = np.full((len(dealt), judges, judges), np.nan)
    for a in range(judges):
        for b in range(judges):
            if a != b or (part.counts[:, a] > 1).any():
                square[:, a, b] = index.square(np.stack([dealt[:, a], own[:, b]], axis=1))[:, 0, 1]
    return mean_with_others(square, np.tile(part.counts, (len(dealt) // tasks, 1)), counted=True)


def _by_vectors(part: Stack, index: Pairwise, dealt: Array) -> Array:
    """Mean correlation of each dealt ranking with the others, for complete rankings: ``[dealt task, judge]``."""
    vectors = _unit(dealt, index)
    others = _others(part, index)
    vectors = vectors.reshape(-1, *others.shape)
    return np.asarray(np.einsum("ptjv,tjv->ptj", vectors, others)).reshape(-1, others.shape[1])


def _others(part: Stack, index: Pairwise) -> Array:
    """The mean vector of each judge's others, ``[task, judge, entry]``."""
    own, counts = _unit(part.positions, index), part.counts
    defined = ~np.isnan(own[:, :, :1])
    own = np.where(defined, own, 0.0)
    weight = np.where(defined, counts[:, :, None], 0)
    others = (own * weight).sum(axis=1, keepdims=True) - own * np.where(defined, 1, 0)
    return ratio(others, weight.sum(axis=1, keepdims=True) - defined)


def _unit(positions: Array, index: Pairwise) -> Array:
    """Vectors whose products are the correlations: signs of pairs or centred ranks; NaN if all is tied."""
    if index is rho:
        vector = mid_ranks(positions) - (positions.shape[2] + 1) / 2
    else:
        i, j = np.triu_indices(positions.shape[2], 1)
        vector = np.sign(positions[:, :, j] - positions[:, :, i]).astype(float)
    length = np.sqrt((vector**2).sum(axis=2, keepdims=True))
    return ratio(vector, length)


# -- many tasks: normal -----------------------------------------------------------------------------------------------


def _normal(parts: Sequence[Stack], index: Pairwise, seen: Array) -> list[Chance | None]:
    """Chance and p of complete rankings without ties, from the variance of the mean over tasks."""
    total, of = np.zeros(len(seen)), np.zeros(len(seen))
    for part in parts:
        step = max(1, BATCH // max(part.shape[1] * part.shape[2] ** 2, 1))
        for a in range(0, part.shape[0], step):
            some = Stack(*(getattr(part, n)[a : a + step] for n in ("tasks", "judges", "items", "positions", "counts")))
            spread = _long_variance(some) if part.shape[2] >= LONG and index is not rho else None
            if spread is None:
                spread = variance(_others(some, index), part.shape[2], index)
            known = np.isfinite(spread)
            total += np.bincount(some.judges[known], spread[known], minlength=len(seen))
            of += np.bincount(some.judges[known], minlength=len(seen))
    out: list[Chance | None] = []
    for value, squares, number in zip(seen.tolist(), total.tolist(), of.tolist(), strict=True):
        if math.isnan(value) or squares <= 0:
            out.append(None)
        else:
            p = math.erfc(value * number / math.sqrt(2 * squares)) / 2
            out.append(Chance(0.0, max(p, LEAST), 0))
    return out


def _long_variance(part: Stack) -> Array:
    """What :func:`variance` gives for tau, without a vector of all pairs: products of two judges' signs are their tau.

    An item's signs add up to twice the distance of its rank from the middle.
    """
    _, judges, items = part.shape
    pairs = items * (items - 1) / 2
    every = np.nan_to_num(tau_b.square(part.positions))
    rank = mid_ranks(part.positions) - (items + 1) / 2
    sums = 2 * (rank.sum(axis=1, keepdims=True) - rank)
    own = np.diagonal(every, axis1=1, axis2=2)
    squares = every.sum(axis=(1, 2))[:, None] - 2 * every.sum(axis=2) + own
    return np.asarray((squares + (sums**2).sum(axis=2) / pairs) / (3 * pairs * max(judges - 1, 1) ** 2))


def variance(others: Array, items: int, index: Pairwise) -> Array:
    """Variance of the product of a dealt ranking's vector, without ties, with others' vectors, ``[task, judge]``.

    Two signs of pairs with an item in common go together in one case of three: the variance is a third of the squares
    of the pairs' entries and of the items' sums. Ranks dealt anew vary as drawn without putting back.
    """
    if index is rho:
        return np.asarray((others**2).sum(axis=2) / max(items - 1, 1))
    i, j = np.triu_indices(items, 1)
    sums = np.zeros((*others.shape[:2], items))
    for k in range(items):
        sums[:, :, k] = others[:, :, i == k].sum(axis=2) - others[:, :, j == k].sum(axis=2)
    return np.asarray(((others**2).sum(axis=2) + (sums**2).sum(axis=2)) / 3 / len(i))
