"""Means over pairs of judges by looking at one pair after the other."""

from __future__ import annotations

import math


def voices(weights, counted):
    """Every judge who counts as (row, weight): rows of several judges as so many of weight 1."""
    if counted:
        return [(row, 1) for row, times in enumerate(weights) for _ in range(times)]
    return [(row, weight) for row, weight in enumerate(weights) if weight]


def mean_of_pairs(square, weights, counted, without=None):
    """Over ordered pairs of different judges whose index is defined."""
    judges = [v for v in voices(weights, counted) if v[0] != without]
    top = bottom = 0.0
    for a, (j, w) in enumerate(judges):
        for b, (k, v) in enumerate(judges):
            if a != b and not math.isnan(square[j][k]):
                top += w * v * square[j][k]
                bottom += w * v
    return top / bottom if bottom else math.nan


def mean_with_others(square, weights, counted, judge):
    """One judge of this row with all who are not that judge."""
    others = voices(weights, counted)
    if counted and weights[judge]:
        others.remove((judge, 1))
    if not counted:
        others = [v for v in others if v[0] != judge]
    defined = [(w, square[judge][k]) for k, w in others if not math.isnan(square[judge][k])]
    total = sum(w for w, _ in defined)
    return sum(w * value for w, value in defined) / total if total else math.nan


def mean_without(square, weights, counted, judge):
    """All pairs of judges who are not of this row."""
    return mean_of_pairs(square, weights, counted, without=judge)
