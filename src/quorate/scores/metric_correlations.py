"""How an automatic metric goes with human scores: at system, input, judge and global level, plain or resampled.

Tables are ``[input, system]``, NaN where there is none. A resample is how often each input and each system was drawn;
dropping inputs is drawing them 0 times, so bootstrap and random exclusion are one function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.kernels.correlations import COEFFICIENTS, blocks, by_column, correlate, levelled, ratio, weighted
from quorate.kernels.defined import mean_of_known, quotient
from quorate.panel.outputs import OutputDesign, means_of

Array = NDArray[Any]
LEVELS = ("system", "judge", "input", "global")
POPULATIONS = ("both", "systems", "inputs")
SQUARE = 3000  # cells for which every two of them are compared at once

__all__ = ["COEFFICIENTS", "LEVELS", "POPULATIONS", "correlation", "masked", "population", "resampled"]


def masked(x: Array, z: Array) -> tuple[Array, Array]:
    """Two tables with only the cells that both have."""
    gone = np.isnan(x) | np.isnan(z)
    return np.where(gone, np.nan, x), np.where(gone, np.nan, z)


def correlation(x: Array, z: Array, level: str, coefficient: str, judges: Sequence[Array] = ()) -> float:
    """The correlation of a metric and human scores at a level; ``judges`` are the tables of single judges.

    >>> x = np.array([[1.0, 2, 3], [1, 3, 2]])
    >>> correlation(x, np.array([[1.0, 2, 3], [1, 2, 3]]), "input", "pearson")
    0.75
    """
    whole = x
    x, z = masked(x, z)
    if level == "system":
        return float(correlate(means_of(x), means_of(z), coefficient))
    if level == "input":
        return mean_of_known(correlate(x, z, coefficient))
    if level == "global":
        return _pooled(x, z, coefficient)
    return mean_of_known(np.array([_pooled(*masked(whole, one), coefficient) for one in judges]))


def undefined_inputs(x: Array, z: Array, coefficient: str) -> tuple[int, int]:
    """Inputs with human scores on which the correlation is undefined, and how many there are in all.

    >>> undefined_inputs(np.array([[1.0, 2], [3, 3]]), np.array([[1.0, 2], [1, 2]]), "pearson")
    (1, 2)
    """
    scored = ~np.isnan(z).all(axis=1)
    return int(np.isnan(correlate(x, z, coefficient))[scored].sum()), int(scored.sum())


def _pooled(x: Array, z: Array, coefficient: str) -> float:
    there = ~(np.isnan(x) | np.isnan(z))
    a, b = x[there], z[there]
    if coefficient == "kendall" and len(a) > SQUARE:
        from scipy.stats import kendalltau

        return float(kendalltau(levelled(a), levelled(b)).statistic)
    return float(correlate(a, b, coefficient)) if len(a) else math.nan


def resampled(
    x: Array, z: Array, level: str, coefficient: str, inputs: Array, systems: Array, judges: Sequence[Array] = ()
) -> Array:
    """The correlation at a level in every resample; undefined ones are NaN."""
    whole = x
    x, z = masked(x, z)
    if level == "system":
        number = inputs @ (~np.isnan(x)).astype(float)
        means = [quotient(inputs @ np.nan_to_num(t), number) for t in (x, z)]
        return weighted(means[0], means[1], systems, coefficient)
    if level == "input":
        each = by_column(x.T, z.T, systems, coefficient)
        known = ~np.isnan(each)
        return quotient((np.where(known, each, 0.0) * inputs).sum(axis=1), (known * inputs).sum(axis=1))
    tables = [z] if level == "global" else judges
    pooled = _pooled_pearson if coefficient == "pearson" else _pooled_resampled
    found = [pooled(*masked(whole, t), coefficient, inputs, systems) for t in tables]
    return _over(np.stack(found or [_none(inputs)]), axis=0)


def stacked(x: Array, z: Array, level: str, coefficient: str, judges: Sequence[Array] = ()) -> Array:
    """The correlation of a metric with each of many human tables ``[draw, input, system]``; judges' tables likewise."""
    if level == "system":
        gone = np.isnan(z) | np.isnan(x)
        number = (~gone).sum(axis=1)
        human = quotient(np.where(gone, 0.0, z).sum(axis=1), number)
        return correlate(quotient(np.where(gone, 0.0, x).sum(axis=1), number), human, coefficient)
    if level == "input":
        return _over(correlate(x, z, coefficient), axis=1)
    if coefficient == "kendall" and x.size > SQUARE:
        return _none(z)
    flat = [t.reshape(len(z), -1) for t in ([z] if level == "global" else judges)]
    return _over(np.stack([correlate(x.ravel(), t, coefficient) for t in flat] or [_none(z)]), axis=0)


def _over(values: Array, axis: int) -> Array:
    """Means of what is defined."""
    known = ~np.isnan(values)
    return quotient(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis))


def _none(draws: Array) -> Array:
    return np.full(len(draws), np.nan)


def _pooled_pearson(x: Array, z: Array, coefficient: str, inputs: Array, systems: Array) -> Array:
    """A cell is drawn as often as its input and its system together: sums over cells are two products."""
    there = ~np.isnan(x)
    if not there.any():
        return _none(inputs)
    a, b = (np.where(there, t - t[there].mean(), 0.0) for t in (x, z))
    sums = inputs @ np.concatenate([there, a, b, a * a, b * b, a * b], axis=1)
    n, sa, sb, aa, bb, ab = (sums.reshape(len(inputs), 6, -1) * systems[:, None, :]).sum(axis=2).T
    return ratio(n, sa, sb, aa, bb, ab)


def _pooled_resampled(x: Array, z: Array, coefficient: str, inputs: Array, systems: Array) -> Array:
    i, s = np.nonzero(~np.isnan(x))
    a, b = x[i, s], z[i, s]
    out = _none(inputs)
    if not len(a) or (coefficient == "kendall" and len(a) > SQUARE):
        return out
    for some in blocks(len(inputs), len(a)):
        weight = inputs[some][:, i] * systems[some][:, s]
        if coefficient == "spearman":
            out[some] = weighted(a, b, weight, coefficient)
        else:
            out[some] = by_column(a[:, None], b[:, None], weight, coefficient)[:, 0]
    return out


def population(made: OutputDesign, core: Any, name: str, value: str) -> str:
    """What is resampled: as ``over`` says, else as the method's own parameter of that name has it."""
    if core.options.over is None:
        return value
    known = {"tasksxsystems": "both", "systems": "systems", "tasks": "inputs"}
    found = known[core.over(made, *known)]
    if core.method is not None and name in dict(core.method.settings) and value != found:
        raise BadParameter(f"over={core.options.over} and {name}={value} contradict each other.", "leave out either.")
    return found


def units_of(resample: str, inputs: int, systems: int) -> int:
    """How many units an interval rests on: of what is resampled the fewer.

    >>> units_of("both", 48, 12), units_of("inputs", 48, 12)
    (12, 48)
    """
    return {"inputs": inputs, "systems": systems}.get(resample, min(inputs, systems))
