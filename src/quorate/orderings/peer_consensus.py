"""Each judge against the consensus of the others: intervals, and what places dealt anew would reach.

The consensus is the others' order by rank sums. Where dealing would take long, the mean over tasks is taken for normal,
with the variance of a correlation of random orders.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Interval, centred, holm, mean_interval, resampled_counts, shuffled, stream
from quorate.inference.results import Options
from quorate.kernels.pair_means import ratio
from quorate.kernels.rank_sums import rank_order_without
from quorate.kernels.ranks import complete
from quorate.orderings.judged import Rows, mean
from quorate.orderings.pairwise import Pairwise, rho
from quorate.orderings.peer_chance import MOST, PER_JUDGE, _unit
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack
from quorate.table import Method

Array = NDArray[Any]
WORK = 5 * 10**7  # judge x item-pair comparisons for the p-values, about
BATCH = 1 << 21  # of them at a time
CELLS = 1 << 23  # of [resample, judge, item pair] arrays
LEAST = 1e-12  # p-value that the normal distribution is believed to


@dataclass(frozen=True, eq=False)
class WithConsensus:
    """By judge: where the correlation with the others' consensus lies, and p before and after Holm's correction."""

    intervals: dict[int, Interval | None]
    p: Array
    p_holm: Array


def with_consensus(index: Pairwise, positions: Array, counts: Array) -> Array:
    """The correlation of each judge with the order of the others by rank sums, ``[task, judge]``."""
    return _compared(index, positions, rank_order_without(positions, counts))


def _compared(index: Pairwise, own: Array, others: Array) -> Array:
    two = np.stack([own.reshape(-1, own.shape[2]), others.reshape(-1, own.shape[2])], axis=1)
    return np.asarray(index.square(two)[:, 0, 1].reshape(own.shape[:2]))


def held_against(
    panel: Orderings, parts: Sequence[Stack], rows: Rows, index: Pairwise, chosen: Method, options: Options
) -> WithConsensus:
    """Intervals over tasks, of one task over judges drawn anew; p by dealing each judge's places anew."""
    rng = stream(options.seed, "judges", chosen, "consensus")
    values = rows.details["consensus"]
    intervals = {} if len(panel.tasks) > 1 else _over_judges(parts[0], index, rng, options)
    for code, at in rows.judges():
        if len(at) > 1:
            most = min(options.resamples, 10**7 // len(rows.task))
            intervals[code] = mean_interval(values[at], rng, options.level, most, range=(-1, 1))
    seen = np.array([mean(values[at]) for _, at in rows.judges()])
    p = np.full(len(seen), np.nan)
    if options.permutations:
        p = _p(parts, seen, index, options, stream(options.seed, "chance", chosen, "consensus"))
    return WithConsensus(intervals, p, holm(p))


def _over_judges(
    part: Stack, index: Pairwise, rng: np.random.Generator, options: Options
) -> dict[int, Interval | None]:
    """Each judge's interval when the other judges are drawn anew; copies of the judge are not among the others."""
    _, judges, items = part.shape
    number = int(min(options.resamples, CELLS // max(judges * items * items, 1)))
    if int(part.counts.sum()) < 3 or number < 2:
        return {}
    drawn = []
    counts = resampled_counts(part.counts[0], rng, number)
    for block in np.array_split(counts, max(1, number * judges * items * items // BATCH)):
        wide = np.broadcast_to(part.positions, (len(block), judges, items))
        drawn.append(_compared(index, wide, rank_order_without(wide, block)))
    values, seen = np.concatenate(drawn), with_consensus(index, part.positions, part.counts)[0]
    others = int(part.counts.sum()) - 1
    return {
        int(c): centred(float(seen[k]), values[:, k], options.level, "judges", others, (-1, 1))
        for k, c in enumerate(part.judges[0].tolist())
    }


def _p(parts: Sequence[Stack], seen: Array, index: Pairwise, options: Options, rng: np.random.Generator) -> Array:
    """How likely places dealt anew come as near to the others' consensus, by judge."""
    cost = sum(p.shape[0] * p.shape[1] * p.shape[2] ** 2 for p in parts)
    wanted = min(max(options.permutations, PER_JUDGE * len(seen)), MOST)
    number = int(min(wanted, WORK // max(cost, 1)))
    if number < min(wanted, 100):
        return _normal(parts, seen, index)
    total, of = np.zeros((2, number, len(seen)))
    for part in parts:
        others = rank_order_without(part.positions, part.counts)
        step = max(1, BATCH // max(part.positions.size * part.shape[2], 1))
        for a in range(0, number, step):
            values = _dealt(part, others, index, min(step, number - a), rng)
            known = np.isfinite(values)
            for k in range(part.shape[0]):  # a judge is on a task once: no two of these fall together
                total[a : a + step, part.judges[k]] += np.where(known[:, k], values[:, k], 0.0)
                of[a : a + step, part.judges[k]] += known[:, k]
    dealt = ratio(total, of)
    reached = (dealt >= seen - 1e-12).sum(axis=0)
    defined = np.isfinite(dealt).sum(axis=0)
    return np.where(np.isfinite(seen) & (defined > 0), (reached + 1) / (defined + 1), np.nan)


def _dealt(part: Stack, others: Array, index: Pairwise, size: int, rng: np.random.Generator) -> Array:
    """Correlations of dealt places with the others' consensus, ``[deal, task, judge]``."""
    dealt = shuffled(np.tile(part.positions, (size, 1, 1)), rng)
    if complete(part.positions).all() and (others > 0).all():
        vectors = _unit(dealt, index).reshape(size, *part.shape[:2], -1)
        return np.asarray(np.einsum("ptjv,tjv->ptj", vectors, _unit(others, index)))
    values = _compared(index, dealt, np.tile(others, (size, 1, 1)))
    return values.reshape(size, *part.shape[:2])


def _normal(parts: Sequence[Stack], seen: Array, index: Pairwise) -> Array:
    """p of a mean over many tasks, from the variance of the correlation of two random orders without ties."""
    total, of = np.zeros((2, len(seen)))
    for part in parts:
        others = rank_order_without(part.positions, part.counts)
        m = ((part.positions > 0) & (others > 0)).sum(axis=2)
        known = np.isfinite(_compared(index, part.positions, others))
        spread = 1 / np.maximum(m - 1, 1) if index is rho else 2 * (2 * m + 5) / np.maximum(9 * m * (m - 1), 1)
        total += np.bincount(part.judges[known], spread[known], minlength=len(seen))
        of += np.bincount(part.judges[known], minlength=len(seen))
    z = np.divide(seen * of, np.sqrt(2 * total), out=np.full(len(seen), np.nan), where=total > 0)
    return np.array([math.nan if math.isnan(x) else max(math.erfc(x) / 2, LEAST) for x in z.tolist()])
