"""Pearson, Spearman and Kendall's tau-b of many pairs of vectors at once; plain, or with weights that stand for copies.

Values lie along the last axis; NaN is missing, and only what both vectors have counts. Undefined (fewer than two
values, or all alike) is NaN. Weights are how often a bootstrap drew each value: a resample need not be built.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import LONG, agreeing
from quorate.kernels.product import SMALL, product

Array = NDArray[Any]
COEFFICIENTS = ("pearson", "spearman", "kendall")
CELLS = 1 << 22  # numbers held at a time
ROOM = 1 << 18  # of them numbers of rows, which are looked at often: they stay near the processor
COUNTED = 48  # values from which on pairs are counted as bits, a vector at a time
TINY = 1e-12  # a variance below this share of the mean square is rounding
DIGITS = 12  # kept of values that are ranked: means that are equal but for the order of adding up are ties


def correlate(x: Array, y: Array, coefficient: str) -> Array:
    """Coefficients along the last axis; the other axes are broadcast."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    return weighted(x, y, np.ones(x.shape), coefficient)


def weighted(x: Array, y: Array, weight: Array, coefficient: str) -> Array:
    """Coefficients along the last axis when value k stands for ``weight[..., k]`` copies of itself."""
    x, y, weight = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float), np.asarray(weight, float))
    shape = x.shape[:-1]
    if not x.shape[-1]:
        return np.full(shape, np.nan)
    flat = [a.reshape(-1, x.shape[-1]) for a in (x, y, weight)]
    step = max(1, ROOM // max(x.shape[-1] ** (2 if coefficient == "kendall" else 1), 1))
    out = np.empty(len(flat[0]))
    for a in range(0, len(out), step):
        first, second, times = (f[a : a + step] for f in flat)
        out[a : a + step] = _block(first, second, times, coefficient)
    return out.reshape(shape)


def _block(x: Array, y: Array, weight: Array, coefficient: str) -> Array:
    there = ~(np.isnan(x) | np.isnan(y))
    weight = np.where(there, weight, 0.0)
    x, y = np.where(there, x, 0.0), np.where(there, y, 0.0)
    if coefficient != "pearson":
        x, y = levelled(x), levelled(y)
    if coefficient == "kendall":
        return _tau(x, y, weight)
    if coefficient == "spearman":
        x, y = _ranks(x, weight), _ranks(y, weight)
    least_x, least_y = _noise(x, weight), _noise(y, weight)
    total = np.maximum(weight.sum(axis=-1, keepdims=True), 1e-300)
    x = x - (weight * x).sum(axis=-1, keepdims=True) / total
    y = y - (weight * y).sum(axis=-1, keepdims=True) / total
    x2, y2 = (weight * x * x).sum(axis=-1), (weight * y * y).sum(axis=-1)
    return _ratio((weight * x * y).sum(axis=-1), x2, y2, least_x, least_y)


def levelled(x: Array, axis: int = -1) -> Array:
    """Values over the largest of them along the axis, rounded: what differs by rounding alone is the same.

    >>> a, b = levelled(np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1])).tolist()
    >>> a == b
    True
    """
    largest = np.abs(np.where(np.isnan(x), 0.0, x)).max(axis=axis, keepdims=True, initial=0.0)
    return np.asarray(np.round(x / np.where(largest > 0, largest, 1.0), DIGITS))


def _noise(x: Array, weight: Array) -> Array:
    """What rounding alone may leave of a sum of squares where all values are alike."""
    largest = np.abs(np.where(weight > 0, x, 0.0)).max(axis=-1, initial=0.0)
    return np.asarray(weight.sum(axis=-1) * (1e-14 * largest) ** 2)


def _ratio(both: Array, first: Array, second: Array, least_first: Array, least_second: Array) -> Array:
    defined = (first > least_first) & (second > least_second)
    first, second = np.where(defined, first, 1.0), np.where(defined, second, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        square = first * second
    plain = (square > 1e-290) & (square < 1e290)  # the root of a product is exact where two roots are not
    scale = np.where(plain, np.sqrt(np.where(plain, square, 1.0)), np.sqrt(first) * np.sqrt(second))
    return np.where(defined, np.clip(both / scale, -1.0, 1.0), np.nan)


def _ranks(x: Array, weight: Array) -> Array:
    """Mid-ranks along the last axis among the copies; where the weight is 0 the rank counts for nothing."""
    order = np.argsort(np.where(weight > 0, x, np.inf), axis=-1, kind="stable")
    value = np.take_along_axis(x, order, axis=-1)
    upto = np.take_along_axis(weight, order, axis=-1).cumsum(axis=-1)
    new = np.ones(value.shape, bool)
    new[..., 1:] = value[..., 1:] != value[..., :-1]
    last = np.ones(value.shape, bool)
    last[..., :-1] = new[..., 1:]
    before = np.concatenate([np.zeros((*upto.shape[:-1], 1)), upto[..., :-1]], axis=-1)
    low = np.maximum.accumulate(np.where(new, before, 0.0), axis=-1)
    high = np.flip(np.minimum.accumulate(np.flip(np.where(last, upto, np.inf), -1), axis=-1), -1)
    out = np.empty(x.shape)
    np.put_along_axis(out, order, (low + high + 1) / 2, axis=-1)
    return out


def _tau(x: Array, y: Array, weight: Array) -> Array:
    if x.shape[-1] >= LONG and (weight == np.floor(weight)).all():
        times = weight.astype(np.int64)
        return np.array([_long_tau(np.repeat(a, k), np.repeat(b, k)) for a, b, k in zip(x, y, times, strict=True)])
    if x.shape[-1] >= COUNTED and ((weight == 0) | (weight == 1)).all():
        both, one, other = _counts(x, y, weight > 0)
        zero = np.zeros(len(x))
        return _ratio(2.0 * both, 2.0 * one, 2.0 * other, zero, zero)
    a = np.sign(x[:, :, None] - x[:, None, :])
    b = np.sign(y[:, :, None] - y[:, None, :])

    def sums(s: Array) -> Array:
        return np.asarray((np.matmul(weight[:, None, :], s)[:, 0, :] * weight).sum(axis=-1))

    zero = np.zeros(len(x))
    return _ratio(sums(a * b), sums(np.abs(a)), sums(np.abs(b)), zero, zero)


def _counts(x: Array, y: Array, there: Array) -> tuple[Array, Array, Array]:
    """Concordant less discordant pairs of every two rows, and pairs that are no tie in the one and in the other.

    Whole numbers, counted among bits: who is above whom in both, and in the one above and in the other below.
    """
    out = np.empty((3, len(x)), np.int64)
    for k, (first, second, known) in enumerate(zip(_places(x), _places(y), there, strict=True)):
        a, b = first[known], second[known]
        over, above, below = a[:, None] > a, b[:, None] > b, b[:, None] < b
        out[1:, k] = np.count_nonzero(over), np.count_nonzero(above)
        above &= over
        below &= over
        out[0, k] = np.count_nonzero(above) - np.count_nonzero(below)
    return out[0], out[1], out[2]


def _places(x: Array) -> Array:
    """Values along the last axis by their number among the different ones: small numbers are quickly compared."""
    order = np.argsort(x, axis=-1)
    value = np.take_along_axis(x, order, axis=-1)
    out = np.zeros(x.shape, np.uint16)
    np.put_along_axis(out, order, np.cumsum(np.diff(value, axis=-1, prepend=value[:, :1]) > 0, axis=-1), axis=-1)
    return out


def _long_tau(x: Array, y: Array) -> float:
    """Tau-b of two long vectors without looking at every pair."""
    one, other = (np.unique(v, return_inverse=True)[1].ravel() for v in (x, y))
    top, _, left, right = agreeing(one, other[None])
    below = int(left) * int(right[0])
    return float(np.clip(int(top[0]) / math.sqrt(below), -1.0, 1.0)) if below else math.nan


# -- one pair of tables, many resamples --------------------------------------------------------------------------------


def by_column(x: Array, y: Array, weight: Array, coefficient: str) -> Array:
    """Coefficients down each column of two tables ``[row, column]``, with rows drawn by ``weight[resample, row]``.

    All resamples of all columns are a few matrix products: the tables are looked at once, not once per resample.
    """
    there = ~(np.isnan(x) | np.isnan(y))
    if coefficient == "pearson":
        return _pearson_columns(_standard(x, there), _standard(y, there), there.astype(float), weight)
    one = _spearman_columns if coefficient == "spearman" else _tau_columns
    x, y = levelled(x, 0), levelled(y, 0)
    rows, columns = x.shape
    out = np.empty((len(weight), columns))
    step = max(1, CELLS // max(rows * rows, 1))
    for a in range(0, columns, step):
        some = slice(a, a + step)
        out[:, some] = one(x[:, some], y[:, some], there[:, some], weight)
    return out


def _standard(x: Array, there: Array) -> Array:
    """Columns with mean 0 and mean square 1 where they are defined, 0 elsewhere."""
    number = np.maximum(there.sum(axis=0), 1)
    x = np.where(there, x, 0.0)
    largest = np.abs(x).max(axis=0, initial=0.0)
    x = np.where(there, x - x.sum(axis=0) / number, 0.0)
    spread = np.sqrt((x * x).sum(axis=0) / number)
    alike = spread <= 1e-14 * largest
    return np.asarray(np.where(alike, 0.0, x) / np.where(alike, 1.0, spread))


def _pearson_columns(x: Array, y: Array, there: Array, weight: Array) -> Array:
    columns = x.shape[1]
    sums = product(weight, np.concatenate([there, x, y, x * x, y * y, x * y], axis=1))
    n, sx, sy, sxx, syy, sxy = (sums[:, k * columns : (k + 1) * columns] for k in range(6))
    return ratio(n, sx, sy, sxx, syy, sxy)


def ratio(n: Array, sx: Array, sy: Array, sxx: Array, syy: Array, sxy: Array) -> Array:
    """Pearson's coefficients from sums of values that are centred already, near enough."""
    n = np.maximum(n, 1e-300)
    return _ratio(sxy - sx * sy / n, sxx - sx * sx / n, syy - sy * sy / n, TINY * sxx, TINY * syy)


def _signs(x: Array, there: Array) -> Array:
    """Who is above whom, ``[row, row, column]``: 1, 0 for ties and what is missing, -1."""
    both = there[:, None, :] & there[None, :, :]
    return np.where(both, np.sign(np.where(there, x, 0.0)[:, None, :] - np.where(there, x, 0.0)[None, :, :]), 0.0)


def _spearman_columns(x: Array, y: Array, there: Array, weight: Array) -> Array:
    # Copies below less copies above are twice the rank, about its mean: whole numbers, exact.
    rows, columns = x.shape
    kind = _exact(weight, 3)
    signs = np.concatenate([_signs(t, there).transpose(2, 0, 1) for t in (x, y)])
    above = np.ascontiguousarray(signs, kind)  # [column, row, row]
    out = np.empty((len(weight), columns))
    step = max(16, SMALL // max(rows * rows, 1))
    for a in range(0, len(weight), step):
        drawn = weight[a : a + step].astype(kind)
        ranks = np.matmul(drawn, above)  # [column, resample, row]
        times = ranks * drawn
        squares = np.einsum("cnr,cnr->nc", times, ranks).astype(float)
        xy = np.einsum("cnr,cnr->nc", times[:columns], ranks[columns:]).astype(float)
        xx, yy = squares[:, :columns], squares[:, columns:]
        out[a : a + step] = _ratio(xy, xx, yy, np.zeros(xx.shape), np.zeros(yy.shape))
    return out


def _tau_columns(x: Array, y: Array, there: Array, weight: Array) -> Array:
    rows, columns = x.shape
    kind = _exact(weight, 2)
    first, second = np.triu_indices(rows, 1)
    a, b = _signs(x, there)[first, second], _signs(y, there)[first, second]
    table = np.concatenate([a * b, np.abs(a), np.abs(b)], axis=1).astype(kind)
    out = np.empty((len(weight), columns))
    for some in blocks(len(weight), max(len(first), 1)):
        drawn = weight[some].astype(kind)
        sums = product(drawn[:, first] * drawn[:, second], table).astype(float)
        both, one, two = (sums[:, k * columns : (k + 1) * columns] for k in range(3))
        out[some] = _ratio(both, one, two, np.zeros(one.shape), np.zeros(two.shape))
    return out


def _exact(weight: Array, power: int) -> type[np.floating[Any]]:
    """Single precision where it holds every sum exactly: of whole weights whose total to a power stays below 2^24."""
    whole = bool((weight == np.floor(weight)).all())
    total = float(weight.sum(axis=1).max(initial=0.0))
    return np.float32 if whole and total**power < 2**24 else np.float64


def blocks(number: int, size: int) -> Iterator[slice]:
    """Slices of so many things that keep ``size`` numbers each within what is held at a time."""
    step = max(1, CELLS // max(size, 1))
    for a in range(0, number, step):
        yield slice(a, min(a + step, number))
