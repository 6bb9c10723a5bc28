"""Splits of judges in two, from how much every two of them agree, ``squares[panel, judge, judge]``.

Two ways to say how far a split goes. ``halved``: how much more the less united half agrees within itself than the two
do across. ``parted``, where agreement is a correlation: how much more judges have in common with the mean of their own
half than with the mean of all, in squares of correlations. The latter sees weaker camps, and a judge who has little in
common with anybody adds little to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
Split = Callable[[Array], tuple[Array, Array]]  # of squares of agreement: the best split, and how far it goes
LEAST = 3  # judges of a camp
ROUNDS = 20  # of moving judges
POWERS = 40  # by which a main axis is found
STEPS = 30  # by which loadings are found
TINY = 1e-9


def halved(squares: Array) -> tuple[Array, Array]:
    """The best split in two of each panel, ``[panel, judge]``, and how much more the less united half agrees within.

    From ``squares[panel, judge, judge]``. -inf where no split leaves LEAST judges on both sides.
    """
    panels, judges, _ = squares.shape
    known = np.isfinite(squares) & ~np.eye(judges, dtype=bool)
    mean = (np.where(known, squares, 0.0).sum(axis=(1, 2)) / np.maximum(known.sum(axis=(1, 2)), 1))[:, None, None]
    value = np.where(known, squares - mean, 0.0)
    side = _axis(value)  # along which agreement is most of two minds
    centred = value - value.mean(axis=2, keepdims=True) - value.mean(axis=1, keepdims=True)
    centred += value.mean(axis=(1, 2), keepdims=True)
    main = _axis(centred)
    best, most = np.zeros((panels, judges), bool), np.full(panels, -np.inf)
    for start in (main, side):
        half = _settled(value, start > 0)
        gap = _gap(value, known, half)
        better = gap > most
        best[better], most[better] = half[better], gap[better]
    turn = best[:, 0]  # the first judge is in the first half
    return np.where(turn[:, None], ~best, best), most


def _axis(squares: Array) -> Array:
    """The main axis of each square, ``[panel, judge]``, nearly: by powers, shifted so that none counts backwards."""
    panels, judges, _ = squares.shape
    shift = 2 * np.sqrt((squares**2).sum(axis=(1, 2)) / judges)[:, None]
    axis = np.broadcast_to(np.cos(np.arange(1.0, judges + 1)), (panels, judges))[:, :, None]
    for _ in range(POWERS):
        axis = squares @ axis + shift[:, :, None] * axis
        axis = axis / np.maximum(np.abs(axis).max(axis=1, keepdims=True), 1e-300)
    return np.asarray(axis[:, :, 0])


def _settled(value: Array, half: Array) -> Array:
    """Judges moved to the half whose judges they agree with more on average, all at once, until none moves."""
    half = half.copy()
    for _ in range(ROUNDS):
        ones, zeros = half.sum(axis=1, keepdims=True), (~half).sum(axis=1, keepdims=True)
        to_ones = np.einsum("pij,pj->pi", value, half.astype(float)) / np.maximum(ones - half, 1)
        to_zeros = np.einsum("pij,pj->pi", value, (~half).astype(float)) / np.maximum(zeros - ~half, 1)
        new = to_ones > to_zeros
        if (new == half).all():
            break
        half = new
    return half


def gap_of(squares: Array, half: Array) -> Array:
    """How much more the less united half of each panel agrees within itself than the two do across, ``[panel]``."""
    known = np.isfinite(squares) & ~np.eye(squares.shape[1], dtype=bool)
    return _gap(np.where(known, squares, 0.0), known, half)


def _gap(value: Array, known: Array, half: Array) -> Array:
    """How much more the less united half agrees within itself than the two across, ``[panel]``."""
    one, two = half.astype(float), (~half).astype(float)

    def mean(a: Array, b: Array) -> Array:
        total = np.einsum("pi,pij,pj->p", a, value, b)
        number = np.einsum("pi,pij,pj->p", a, known.astype(float), b)
        return quotient(total, number)

    gap = np.fmin(mean(one, one), mean(two, two)) - mean(one, two)
    small = np.minimum(half.sum(axis=1), (~half).sum(axis=1)) < LEAST
    return np.where(small | np.isnan(gap), -np.inf, gap)


def parted(squares: Array) -> tuple[Array, Array]:
    """The split in two of each panel after which judges have most in common with their own half, ``[panel, judge]``,
    and how much more that is than with all, ``[panel]``; -inf where no split leaves LEAST judges on both sides."""
    whole = _whole(squares)
    loading = loadings(squares)
    left = whole - loading[:, :, None] * loading[:, None, :]
    left[:, np.arange(left.shape[1]), np.arange(left.shape[1])] = 0.0
    all_ = _common(whole, np.ones(loading.shape)).sum(axis=1)
    best, most = np.zeros(loading.shape, bool), np.full(len(whole), -np.inf)
    for half in (_axis(left) > 0, halved(squares)[0]):
        for _ in range(ROUNDS):
            one, two = (_common(whole, each.astype(float)) for each in (half, ~half))
            gain = np.maximum(one, two).sum(axis=1) - all_
            gain[np.minimum(half.sum(axis=1), (~half).sum(axis=1)) < LEAST] = -np.inf
            better = gain > most + TINY
            best[better], most[better] = half[better], gain[better]
            new = one > two
            if (new == half).all():
                break
            half = new
    most[~np.isfinite(squares).any(axis=(1, 2))] = -np.inf
    turn = best[:, 0]
    return np.where(turn[:, None], ~best, best), most


def several(square: Array, number: int, how: Split) -> Array | None:
    """So many camps of one panel's judges, ``[judge]``: again and again the camp whose split goes farthest is split;
    None where they are too few."""
    camp = np.zeros(len(square), np.int64)
    for new in range(1, number):
        best: tuple[float, Array] = (-np.inf, camp[:0])
        for k in range(new):
            mine = np.flatnonzero(camp == k)
            if len(mine) >= 2 * LEAST:
                (half,), (far,) = how(square[np.ix_(mine, mine)][None])
                best = max(best, (float(far), mine[half]), key=lambda found: found[0])
        if not np.isfinite(best[0]):
            return None
        camp[best[1]] = new
    return camp


def loadings(squares: Array) -> Array:
    """How much every judge has of what all share, ``[panel, judge]``: the agreement of two is the product of theirs,
    as nearly as can be; from 0 to 1."""
    whole = _whole(squares)
    judges = whole.shape[1]
    whole[:, np.arange(judges), np.arange(judges)] = 0.0
    usual = np.maximum(whole.sum(axis=(1, 2)) / max(judges * (judges - 1), 1), TINY)
    found = np.repeat(np.sqrt(usual)[:, None], judges, axis=1)
    for _ in range(STEPS):
        others = (found**2).sum(axis=1, keepdims=True) - found**2
        own = np.einsum("pij,pj->pi", whole, found) / np.maximum(others, TINY)
        found = (found + np.clip(own, 0.0, 1.0)) / 2
    return found


def _whole(squares: Array) -> Array:
    """The squares with 1 for oneself, and where two judges have nothing in common the mean."""
    judges = squares.shape[1]
    known = np.isfinite(squares) & ~np.eye(judges, dtype=bool)
    mean = quotient(np.where(known, squares, 0.0).sum(axis=(1, 2)), known.sum(axis=(1, 2)), otherwise=0.0)
    out = np.where(known, squares, mean[:, None, None])
    out[:, np.arange(judges), np.arange(judges)] = 1.0
    return out


def _common(whole: Array, who: Array) -> Array:
    """The square of every judge's correlation with the mean of some, 0 where it is below 0, ``[panel, judge]``."""
    with_each = np.einsum("pij,pj->pi", whole, who)
    spread = np.maximum((with_each * who).sum(axis=1, keepdims=True), TINY)
    return np.asarray(np.clip(with_each / np.sqrt(spread), 0.0, 1.0) ** 2)
