"""Kendall's W of complete rankings, W without each judge, and the Skillings-Mack test where judges left items out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.ranks import mid_ranks

Array = NDArray[Any]


def concordance(ranks: Array, counts: Array) -> tuple[Array, Array]:
    """Kendall's W of complete rankings, corrected for ties, and its chi-square, each ``[task]``; NaN if all is tied.

    W is the spread of the rank sums over the largest these tied ranks allow: N times the sum of each judge's own.
    """
    items = ranks.shape[2]
    judges = counts.sum(axis=1)
    centred = ranks - (items + 1) / 2
    sums = (centred * counts[:, :, None]).sum(axis=1)
    own = ((centred**2).sum(axis=2) * counts).sum(axis=1)
    largest = judges * own
    w = quotient((sums**2).sum(axis=1), largest)
    return w, judges * (items - 1) * w


def concordance_without(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Kendall's W of the other judges, and whether it is defined as such: they rank the same items in full."""
    there = positions > 0
    judges = positions.shape[1]
    holders = there.sum(axis=1)[:, None] - there
    whole = ((holders == 0) | (holders == judges - 1)).all(axis=2)
    centre = (there.sum(axis=2, keepdims=True) + 1) / 2
    off = np.where(there, mid_ranks(positions) - centre, 0.0)
    weight = counts[:, :, None]
    sums = (off * weight).sum(axis=1)[:, None] - off * weight
    own = (off**2).sum(axis=2) * counts
    number = counts.sum(axis=1, keepdims=True) - counts
    largest = number * (own.sum(axis=1, keepdims=True) - own)
    # What is left of a sum of squares after subtraction is zero or at least one half; less is rounding.
    w = quotient((sums**2).sum(axis=2), np.where(largest > 0.25, largest, 0))
    return np.where(number < 2, np.nan, w), whole


def skillings_mack(positions: Array, counts: Array) -> tuple[float, int]:
    """The Skillings-Mack chi-square and its degrees of freedom for one task, ``positions[judge, item]``, with gaps.

    Friedman's test for rankings in which judges left items out; equal to it when nobody did and nothing is tied.
    """
    there = positions > 0
    size = there.sum(axis=1)
    use = (size > 1) & (counts > 0)
    if not use.any():
        return float("nan"), 0
    positions, there, size, counts = positions[use], there[use], size[use], counts[use]
    rank = mid_ranks(positions[None])[0]
    scaled = np.where(there, np.sqrt(12 / (size + 1))[:, None] * (rank - (size[:, None] + 1) / 2), 0.0)
    total = (scaled * counts[:, None]).sum(axis=0)
    part = _linked(there)
    used = there.any(axis=0)
    df = int(used.sum()) - len(np.unique(part[used]))
    return _quadratic(there[:, used].astype(float), size, counts, total[used], part[used]), df


def _quadratic(there: Array, size: Array, counts: Array, total: Array, part: Array) -> float:
    """total' C^- total, where the covariance C is diagonal but for one product of vectors a judge: solved by judges, or
    by items where these are fewer.

    C is singular within every ``part`` of linked items, where the totals add up to 0; what is added there makes the
    system regular and changes nothing.
    """
    diagonal = (counts * size) @ there
    root = np.sqrt(counts)[:, None] * there
    if len(root) > len(total):
        linked = (part[:, None] == part) * (diagonal.mean() / len(total))
        return float(total @ np.linalg.solve(np.diag(diagonal) - root.T @ root + linked, total))
    judge = part[there.argmax(axis=1)]
    null = np.where(judge[:, None] == np.unique(part), (np.sqrt(counts) * size)[:, None], 0.0)
    square = np.eye(len(root)) - (root / diagonal) @ root.T + (null / np.maximum((null**2).sum(axis=0), 1)) @ null.T
    right = root @ (total / diagonal)
    return float(total @ (total / diagonal) + right @ np.linalg.solve(square, right))


def _linked(there: Array) -> Array:
    """A number for each item, the same for items that some judge holds both of, directly or through others."""
    items = there.shape[1]
    number = np.arange(items)
    while True:
        judge = np.where(there, number, items).min(axis=1, initial=items)
        least = np.minimum(number, np.where(there, judge[:, None], items).min(axis=0, initial=items))
        if (least == number).all():
            return number
        number = least
