"""NIST's discriminative power: which significant differences between systems a metric shares with people."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.scores.metric_correlations import masked
from quorate.scores.trust_method import Rows, metrics_beside, trust_method
from quorate.scores.worst_judges import table_of
from quorate.table import Note, number

Array = NDArray[Any]


def significant(table: Array, times: Array, critical: float) -> Array:
    """Signs of the significant differences ``[resample, system, system]``, 0 where there is none.

    One-way analysis of variance with Tukey and Kramer's comparison; ``critical`` is the studentised range.
    """
    there = ~np.isnan(table)
    x = np.where(there, table - np.nanmean(table) if there.any() else 0.0, 0.0)
    n = times @ there
    mean = quotient(times @ x, n)
    inside = times @ (x * x) - np.where(n > 0, n * np.nan_to_num(mean) ** 2, 0.0)
    free = n.sum(axis=1) - (n > 0).sum(axis=1)
    error = quotient(np.maximum(inside, 0).sum(axis=1), free)
    inverse = quotient(1.0, n)
    width = critical * np.sqrt(error[:, None, None] / 2 * (inverse[:, :, None] + inverse[:, None, :]))
    gap = mean[:, :, None] - mean[:, None, :]
    return np.where(np.abs(gap) > width, np.sign(gap), 0.0)


def critical_range(table: Array, level: float) -> float:
    """The studentised range that chance exceeds in ``level`` of the cases; NaN without degrees of freedom."""
    there = ~np.isnan(table)
    groups = int(there.any(axis=0).sum())
    free = int(there.sum()) - groups
    if groups < 2 or free < 1:
        return math.nan
    return _studentised(level, groups, free)


@lru_cache(maxsize=64)
def _studentised(level: float, groups: int, free: int) -> float:
    from scipy.stats import studentized_range  # slow: an integral for each

    return float(studentized_range.isf(level, groups, free))


def discriminated(x: Array, z: Array, level: float = 0.05) -> dict[str, int]:
    """Pairs of systems by what metric ``x`` and people ``z`` say of them, tables ``[input, system]``.

    >>> z = np.random.default_rng(0).normal(size=(40, 3)) + [0, 2, 4]
    >>> discriminated(z, z)
    {'shared': 3, 'lost': 0, 'contradicted': 0, 'only_metric': 0, 'neither': 0}
    """
    x, z = masked(np.asarray(x, float), np.asarray(z, float))
    critical = critical_range(z, level)
    once = np.ones((1, len(z)))
    return {n: int(v[0]) for n, v in _kinds(significant(x, once, critical), significant(z, once, critical)).items()}


def _kinds(metric: Array, people: Array) -> dict[str, Array]:
    a, b = np.triu_indices(metric.shape[1], 1)
    m, p = metric[:, a, b], people[:, a, b]
    return {
        "shared": ((p != 0) & (m == p)).sum(axis=1),
        "lost": ((p != 0) & (m == 0)).sum(axis=1),
        "contradicted": ((p != 0) & (m == -p)).sum(axis=1),
        "only_metric": ((p == 0) & (m != 0)).sum(axis=1),
        "neither": ((p == 0) & (m == 0)).sum(axis=1),
    }


@trust_method(
    "discriminative_power",
    range=(0.0, 1.0),
    higher="the metric sees what people see",
    metrics=True,
    reference="NIST, TAC AESOP 2009 to 2011",
    level=number("of significance", 0.0001, 0.5),
    note=Note(
        "Does the metric find the differences that people find?",
        "Depends on how many tasks there are: with more of them everything is significant.",
        "(significant pairs found by both, same direction) / (significant pairs by people), Tukey's test",
    ),
)
def discriminative_power(made: OutputDesign, core: Any, level: float = 0.05) -> Trusted:
    """The share of systems' significant differences by people that a metric finds too; others are lost or contradicted.

    By one-way analysis of variance with Tukey's comparison of every two systems; undefined when people see none.
    """
    names = ("shared", "lost", "contradicted", "only_metric", "neither")
    rows, overall, human = Rows(*names), [], table_of(made)
    over = made.called_over(core.over(made, "tasks"))
    for m in metrics_beside(made):
        if not m.by_input or len(made.tasks) < 2:
            continue
        x, z = masked(m.table, human)
        critical = critical_range(z, level)
        often = core.drawn(len(z), 20 * len(z) * z.shape[1] ** 2)
        times = np.concatenate([np.ones((1, len(z))), often])
        found = _kinds(significant(x, times, critical), significant(z, times, critical))
        seen = found["shared"] + found["lost"] + found["contradicted"]
        share = quotient(found["shared"], seen)
        counts: dict[str, Any] = {n: int(found[n][0]) for n in names}
        keys = {**made.labels, "metric": m.name}
        rows.add(keys, float(share[0]), **counts)
        inside = None if math.isnan(share[0]) else core.middle(share[1:], over)
        overall.append(core.figure(float(share[0]), {**keys, **counts}, inside))
    return Trusted(rows.keys, rows.values, overall, rows.details)
