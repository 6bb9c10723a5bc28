"""Each judge against the others: the mean correlation with them, and the correlation with their consensus.

The mean correlation is the weight that the weighted correlation of Kim, Zhai and Han gives a judge. The p-value says
how often the judge's places, dealt anew among the judge's items, agree with the others as well; Holm's correction makes
up for there being many judges.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import without
from quorate.kernels.ranks import complete, mid_ranks
from quorate.kernels.without import ratio
from quorate.orderings.judged import Judged, Rows, mean
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.panels import Orderings
from quorate.resample import Chance, Interval, holm, mean_interval, percentiles, resampled_counts, shuffled, stream
from quorate.results import Options, Overall
from quorate.stacks import Stack
from quorate.table import Method, checked, choice, method

Array = NDArray[Any]
WORK = 2 * 10**8  # numbers handled for the p-values, about
BATCH = 1 << 22  # of them at a time
CELLS = 1 << 23  # of [resample, judge] arrays
PER_JUDGE = 100  # permutations for each judge there is, so that Holm's correction can still find p below 0.05
MOST = 5000  # permutations at most
MEASURES: dict[str, Pairwise] = {"tau": tau_b, "rho": rho}


@method(
    "orderings",
    "judges",
    "peer_correlation",
    range=(-1, 1),
    higher="more in common with the others",
    default=True,
    reference="Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists (the weight of WCA)",
    parameters={"measure": choice("the correlation of two rankings; tau is tau-b where there are ties", "tau", "rho")},
    relabelling=True,
)
def compare(positions: Array, counts: Array, *, measure: str = "tau") -> Judged:
    """A judge's mean correlation with the other judges, and the correlation with their order by rank sums."""
    index = MEASURES[measure]
    return Judged(
        weights(index.square(positions), counts),
        {"consensus": _with_consensus(index, positions, counts)},
    )


def weights(square: Array, counts: Array, alike: bool = True) -> Array:
    """Each judge's mean correlation with the others who count; a row for many judges has ``alike`` ones beside it."""
    judges = counts.shape[1]
    weight = np.repeat(counts[:, None, :], judges, axis=1).astype(float)
    diagonal = np.arange(judges)
    weight[:, diagonal, diagonal] = np.maximum(counts - 1, 0) if alike else 0
    weight = np.where(np.isnan(square), 0.0, weight)
    return ratio((np.where(weight > 0, square, 0.0) * weight).sum(axis=2), weight.sum(axis=2))


def _with_consensus(index: Pairwise, positions: Array, counts: Array) -> Array:
    tasks, judges, items = positions.shape
    others = without.rank_order_without(positions, counts)
    two = np.stack([positions.reshape(-1, items), others.reshape(-1, items)], axis=1)
    return index.square(two)[:, 0, 1].reshape(tasks, judges)


def overall(panel: Orderings, parts: Sequence[Stack], rows: Rows, chosen: Method, options: Options) -> list[Overall]:
    """A figure per judge with interval, chance and p; who is no better than chance while most judges are is flagged."""
    index = MEASURES[str(chosen["measure"])]
    spread = {} if len(panel.tasks) > 1 else _over_judges(parts[0], index, chosen, options)
    chance = _chance(panel, parts, rows, index, chosen, options)
    p = np.array([c.p if c else math.nan for c in chance])
    corrected = holm(p)
    crowd = bool((corrected <= 0.05).sum() * 2 >= len(p))
    rng = stream(options.seed, "judges", chosen)
    out = []
    for code, at in rows.judges():
        values = rows.values[at]
        interval = spread.get(code)
        if len(at) > 1:
            interval = mean_interval(values, rng, options.level, min(options.resamples, 10**7 // len(rows.task)))
        labels = {
            "judge": panel.judges[code],
            "tasks": len(at),
            "flag": bool(crowd and corrected[code] > 0.05) if chance[code] else None,
            "consensus": mean(rows.details["consensus"][at]),
            "p_holm": float(corrected[code]),
        }
        out.append(Overall(mean(values), interval, chance[code], labels))
    return out


# -- what chance gives ------------------------------------------------------------------------------------------------


def _chance(
    panel: Orderings, parts: Sequence[Stack], rows: Rows, index: Pairwise, chosen: Method, options: Options
) -> list[Chance | None]:
    """For each judge: the mean over the judge's tasks when the judge's places are dealt anew, and p."""
    judges = len(panel.judges)
    seen = np.array([mean(rows.values[at]) for _, at in rows.judges()])
    if options.permutations < 1:
        return [None] * judges
    cost = sum(p.shape[0] * p.shape[1] * p.shape[2] ** 2 // 2 for p in parts)
    wanted = min(max(options.permutations, PER_JUDGE * judges), MOST)
    number = int(min(wanted, max(WORK // max(cost, 1), 100)))
    rng = stream(options.seed, "chance", chosen)
    total, of = np.zeros((number, judges)), np.zeros((number, judges))
    for part in parts:
        _add_dealt(part, index, rng, total, of)
    dealt = ratio(total, of)
    return [_reached(dealt[:, k], seen[k]) for k in range(judges)]


def _reached(dealt: Array, seen: float) -> Chance | None:
    dealt = dealt[~np.isnan(dealt)]
    if not len(dealt) or math.isnan(seen):
        return None
    reached = int((dealt >= seen - 1e-12).sum())
    return Chance(float(dealt.mean()), (reached + 1) / (len(dealt) + 1), len(dealt))


def _add_dealt(part: Stack, index: Pairwise, rng: np.random.Generator, total: Array, of: Array) -> None:
    """Adds, per permutation, each judge's value on the stack's tasks with the judge's places dealt anew."""
    tasks, judges, items = part.shape
    if items < 2:
        return
    step = max(1, BATCH // max(tasks * judges * items * items // 2, 1))
    whole = bool(complete(part.positions).all())
    alone = (part.counts.sum(axis=1) < 2)[None, :, None]
    places = part.judges.ravel()
    for a in range(0, len(total), step):
        size = min(step, len(total) - a)
        dealt = shuffled(np.tile(part.positions, (size, 1, 1)), rng)
        if whole:  # a dealt ranking has the same ties, so its correlation is a product with fixed unit vectors
            values = _by_vectors(part, index, dealt)
        else:
            both = np.concatenate([dealt, np.tile(part.positions, (size, 1, 1))], axis=1)
            square = index.square(both)[:, :judges, judges:]
            values = weights(square, np.tile(part.counts, (size, 1)))
        values = np.where(alone, np.nan, values.reshape(size, tasks, judges)).reshape(size, -1)
        known = ~np.isnan(values)
        for row in range(size):
            total[a + row] += np.bincount(places[known[row]], values[row, known[row]], minlength=total.shape[1])
            of[a + row] += np.bincount(places[known[row]], minlength=total.shape[1])


def _by_vectors(part: Stack, index: Pairwise, dealt: Array) -> Array:
    """Mean correlation of each dealt ranking with the others, for complete rankings: ``[dealt task, judge]``."""
    own, counts = _unit(part.positions, index), part.counts
    defined = ~np.isnan(own[:, :, :1])
    own = np.where(defined, own, 0.0)
    weight = np.where(defined, counts[:, :, None], 0)
    others = (own * weight).sum(axis=1, keepdims=True) - own * np.where(defined, 1, 0)
    number = weight.sum(axis=1, keepdims=True) - defined
    vectors = _unit(dealt, index).reshape(-1, *own.shape)
    return np.asarray(np.einsum("ptjv,tjv->ptj", vectors, ratio(others, number))).reshape(-1, own.shape[1])


def _unit(positions: Array, index: Pairwise) -> Array:
    """Vectors whose products are the correlations: signs of pairs or centred ranks; NaN if all is tied."""
    if index is rho:
        vector = mid_ranks(positions) - (positions.shape[2] + 1) / 2
    else:
        i, j = np.triu_indices(positions.shape[2], 1)
        vector = np.sign(positions[:, :, j] - positions[:, :, i]).astype(float)
    length = np.sqrt((vector**2).sum(axis=2, keepdims=True))
    return ratio(vector, length)


def _over_judges(part: Stack, index: Pairwise, chosen: Method, options: Options) -> dict[int, Interval | None]:
    """Each judge's interval when the other judges are drawn anew."""
    judges = part.shape[1]
    if int(part.counts.sum()) < 3:
        return {}
    rng = stream(options.seed, "judges", chosen, "over judges")
    counts = resampled_counts(part.counts[0], rng, int(min(options.resamples, max(CELLS // judges**2, 100))))
    square = index.square(part.positions)[0]
    known = ~np.isnan(square)
    # Of a row that stands for many judges, all but one are others.
    kept = 1 - 1 / part.counts[0]
    known_weight = known * np.where(np.eye(judges, dtype=bool), kept, 1.0)
    values = np.where(known, square, 0.0) * known_weight
    drawn = ratio(counts @ values.T, counts @ known_weight.T)
    return {int(c): percentiles(drawn[:, k], options.level, "judges") for k, c in enumerate(part.judges[0].tolist())}


@dataclass(frozen=True, slots=True)
class Peer:
    """One judge beside the others."""

    mean: float  # correlation with the others, on average
    consensus: float  # correlation with their order by rank sums


def peer_correlation(rankings: Rankings, measure: str = "tau") -> dict[Hashable, Peer]:
    """Each judge's mean correlation with the others, and the correlation with the others' order by rank sums.

    1 among copies, about 0 for a judge who orders at random, below 0 for one who goes against the rest. The mean stays
    below the correlation with the consensus, because the others' own noise is in it.

    >>> found = peer_correlation(["abcd", "abdc", "bacd", "dcba"])
    >>> {judge: (round(f.mean, 2), round(f.consensus, 2)) for judge, f in found.items()}
    {1: (0.11, 0.33), 2: (0.11, 0.33), 3: (0.11, 0.33), 4: (-0.78, -1.0)}
    """
    task = one_task(rankings)
    given = checked("peer_correlation", "orderings", "judges", measure=measure)
    found = compare(task.positions, task.counts, **given)
    columns = found.values[0].tolist(), found.details["consensus"][0].tolist()
    return {judge: Peer(*row) for judge, row in zip(task.judges, zip(*columns, strict=True), strict=True)}
