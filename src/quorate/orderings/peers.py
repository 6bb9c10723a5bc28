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

from quorate.inference.resample import Interval, centred, holm, mean_interval, resampled_counts, stream
from quorate.inference.results import Options, Overall
from quorate.kernels.pair_means import mean_with_others, ratio
from quorate.orderings.judged import Judged, Rows, mean
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.orderings.peer_chance import by_chance
from quorate.orderings.peer_consensus import held_against, with_consensus
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack
from quorate.table import Method, checked, choice, method

Array = NDArray[Any]
CELLS = 1 << 23  # of [resample, judge] arrays
RANGE = (-1.0, 1.0)
MEASURES: dict[str, Pairwise] = {"tau": tau_b, "rho": rho}


@method(
    "orderings",
    "judges",
    "peer_correlation",
    range=RANGE,
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
        mean_with_others(index.square(positions), counts, counted=True),
        {"consensus": with_consensus(index, positions, counts)},
    )


def overall(panel: Orderings, parts: Sequence[Stack], rows: Rows, chosen: Method, options: Options) -> list[Overall]:
    """A figure per judge with interval, chance and p; who is no better than chance while most judges are is flagged."""
    index = MEASURES[str(chosen["measure"])]
    spread = {} if len(panel.tasks) > 1 else _over_judges(parts[0], index, chosen, options)
    chance = by_chance(panel, parts, rows, index, chosen, options)
    p = np.array([c.p if c else math.nan for c in chance])
    corrected = holm(p)
    crowd = bool((corrected <= 0.05).sum() * 2 >= len(p))
    beside = held_against(panel, parts, rows, index, chosen, options)
    rng = stream(options.seed, "judges", chosen)
    out = []
    for code, at in rows.judges():
        values = rows.values[at]
        interval = spread.get(code)
        if len(at) > 1:
            most = min(options.resamples, 10**7 // len(rows.task))
            interval = mean_interval(values, rng, options.level, most, range=RANGE)
        labels = {
            "judge": panel.judges[code],
            "tasks": len(at),
            "flag": bool(crowd and corrected[code] > 0.05) if chance[code] else None,
            "consensus": mean(rows.details["consensus"][at]),
            "consensus_interval": [between.low, between.high] if (between := beside.intervals.get(code)) else None,
            "consensus_p": float(beside.p[code]),
            "consensus_p_holm": float(beside.p_holm[code]),
            "p_holm": float(corrected[code]),
        }
        out.append(Overall(mean(values), interval, chance[code], labels))
    return out


# -- one task: over judges -------------------------------------------------------------------------------------------


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
    seen = mean_with_others(square[None], part.counts, counted=True)[0]
    others = int(part.counts.sum()) - 1
    return {
        int(c): centred(float(seen[k]), drawn[:, k], options.level, "judges", others, RANGE)
        for k, c in enumerate(part.judges[0].tolist())
    }


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
