"""Judges who share little of what most judges share: the outliers of Xue and others.

A judge's deviation is how far the share of supported items (v1) or ordered pairs (v2) in the judge's ranking lies from
the mean of all judges, in units of that mean: -1 is nothing shared, 0 the mean, 1 twice the mean.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Interval, centred, resampled_counts, stream
from quorate.inference.results import Options, Overall
from quorate.kernels.pair_means import ratio
from quorate.kernels.precedence_bits import fits
from quorate.orderings.judged import Judged, Rows
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.support import individual
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack
from quorate.table import Method, checked, method, number, quorum, share

Array = NDArray[Any]
WORK = 10**8  # judge x item-pair comparisons spent on intervals, about
DRAWS = 10**7  # rows drawn for the intervals of all judges
RANGE = (-1.0, float("inf"))


@method(
    "orderings",
    "judges",
    "support_outliers",
    range=RANGE,
    higher="more in common with the others",
    default=True,
    reference="Xue, Lin, Wang, McClean: consensus of rankings by q-support patterns, section 5",
    parameters={
        "q": quorum("judges who must share a pattern: a count (6) or a share of the judges (0.5)"),
        "eps1": number("a judge is an outlier when v1 is below -eps1", 0, open_low=True),
        "eps2": number("a judge is an outlier when v2 is below -eps2", 0, open_low=True),
        "gamma": share("discount per place that an item lies off its mean position"),
        "lam": share("discount per place that a pair's gap is off its mean gap"),
    },
    relabelling=True,
)
def measure(
    positions: Array,
    counts: Array,
    *,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    gamma: float = 1.0,
    lam: float = 1.0,
) -> Judged:
    """How much less of a judge's ordered pairs most judges share than of the others' (v2), and of the items (v1)."""
    k1, k2 = individual(positions, counts, q, gamma, lam)
    weight = counts / counts.sum(axis=1, keepdims=True)
    mean1, mean2 = (np.broadcast_to((k * weight).sum(axis=1, keepdims=True), k.shape) for k in (k1, k2))
    v1, v2 = deviation(k1, mean1), deviation(k2, mean2)
    details = {"v1": v1, "v2": v2, "kappa1": k1, "kappa2": k2, "mean1": mean1, "mean2": mean2}
    return Judged(v2, {**details, "outlier": is_outlier(v1, v2, eps1, eps2)})


def deviation(own: Any, mean: Any) -> Array:
    """(own - mean) / mean; undefined where the mean is 0."""
    own, mean = np.asarray(own, float), np.asarray(mean, float)
    return ratio(own - mean, mean)


def is_outlier(v1: Array, v2: Array, eps1: float, eps2: float) -> Array:
    """Whether either deviation is below its bound; an undefined one is not."""
    return np.asarray((v1 < -eps1) | (v2 < -eps2))


def overall(panel: Orderings, parts: Sequence[Stack], rows: Rows, chosen: Method, options: Options) -> list[Overall]:
    """A figure per judge: the judge's means set against the panel's means on the same tasks."""
    spread = {} if len(panel.tasks) > 1 else _over_judges(parts[0], chosen, options)
    rng = stream(options.seed, "judges", chosen)
    resamples = int(np.clip(DRAWS // len(rows.task), 100, options.resamples))
    d = rows.details
    out = []
    for code, at in rows.judges():
        k1, k2, m1, m2 = (float(d[name][at].mean()) for name in ("kappa1", "kappa2", "mean1", "mean2"))
        v1, v2 = deviation(k1, m1), deviation(k2, m2)
        interval = spread.get(code)
        if len(at) > 1:
            draw = rng.integers(len(at), size=(resamples, len(at)))
            own, mean = d["kappa2"][at][draw].mean(axis=1), d["mean2"][at][draw].mean(axis=1)
            interval = centred(float(v2), deviation(own, mean), options.level, "tasks", len(at), RANGE)
        labels = {
            "judge": panel.judges[code],
            "tasks": len(at),
            "flag": bool(is_outlier(v1, v2, chosen["eps1"], chosen["eps2"])),  # type: ignore[arg-type]
            "v1": float(v1),
            "v2": float(v2),
            "kappa1": k1,
            "kappa2": k2,
            "panel_kappa2": m2,
        }
        out.append(Overall(float(v2), interval, None, labels))
    return out


def _over_judges(part: Stack, chosen: Method, options: Options) -> dict[int, Interval | None]:
    """Each judge's interval when the panel is drawn anew, which changes what most judges share."""
    _, judges, items = part.shape
    if int(part.counts.sum()) < 3:
        return {}
    rng = stream(options.seed, "judges", chosen, "over judges")
    resamples = int(min(options.resamples, max(WORK // max(judges * items * items, 1), 100)))
    drawn = []
    counts = resampled_counts(part.counts[0], rng, resamples)
    rankings = np.broadcast_to(part.positions, (resamples, judges, items))
    once = chosen["gamma"] == chosen["lam"] == 1 and fits(rankings)  # one look at all pairs serves every panel
    pieces = 1 if once else max(1, min(resamples, resamples * judges * items * items >> 24))
    for block in np.array_split(counts, pieces):
        drawn.append(chosen(np.broadcast_to(part.positions, (len(block), judges, items)), block).values)
    values, seen = np.concatenate(drawn), chosen(part.positions, part.counts).values[0]
    others = int(part.counts.sum()) - 1
    return {
        int(code): centred(float(seen[k]), values[:, k], options.level, "judges", others, RANGE)
        for k, code in enumerate(part.judges[0].tolist())
    }


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far one judge's shares lie from the panel's means."""

    v1: float
    v2: float
    kappa1: float
    kappa2: float
    outlier: bool


def support_outliers(
    rankings: Rankings,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    gamma: float = 1.0,
    lam: float = 1.0,
) -> dict[Hashable, Deviation]:
    """How much less than the mean each judge shares with most judges, in items (v1) and ordered pairs (v2).

    -1 when nothing is shared, 0 at the mean. Nobody is an outlier where the mean is 0: then nothing is shared at all.

    >>> found = support_outliers(["abcd", "abdc", "bacd", "dcba"], eps2=0.5)
    >>> {judge: (round(f.v2, 2), f.outlier) for judge, f in found.items()}
    {1: (0.2, False), 2: (0.2, False), 3: (0.2, False), 4: (-0.6, True)}
    """
    task = one_task(rankings)
    given = checked("support_outliers", "orderings", "judges", q=q, eps1=eps1, eps2=eps2, gamma=gamma, lam=lam)
    found = measure(task.positions, task.counts, **given)
    columns = [found.details[n][0].tolist() for n in ("v1", "v2", "kappa1", "kappa2", "outlier")]
    return {judge: Deviation(*row) for judge, row in zip(task.judges, zip(*columns, strict=True), strict=True)}
