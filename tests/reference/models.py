"""People and models, slowly and plainly: what a model is worth, what it owes to a column, and sets of labels."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from statistics import fmean


def worth(people, model):
    """Of scores by item: people's lists, and the model's or None. Every pair of answers is looked at."""
    units = [(xs, y) for xs, y in zip(people, model, strict=True) if len(xs) > 1 and y is not None]
    one = [x for xs, _ in units for x in xs]
    own = [y for xs, y in units for _ in xs]
    mean, level = fmean(one), fmean(own)
    pairs = [(x * z, 1 / (len(xs) - 1)) for xs, _ in units for x, z in itertools.permutations(xs, 2)]
    shared = sum(p * w for p, w in pairs) / len(one) - mean**2
    person = fmean(x * x for x in one) - mean**2
    across = fmean(x * y for xs, y in units for x in xs) - mean * level
    spread = fmean(y * y for y in own) - level**2
    if shared <= 1e-12 or person <= shared:
        return math.nan
    if spread <= 1e-12:
        return 0.0
    alike, seen = shared / person, across * abs(across) / (spread * shared)
    if seen >= 1:
        return math.inf
    return max(seen, 0.0) * (1 - alike) / (alike * (1 - seen))


def slope(people, model, z):
    """c in y = a + b t + c z by sums over units, the variance of t being the covariance of two people."""
    units = [(xs, y, v) for xs, y, v in zip(people, model, z, strict=True) if len(xs) > 1]
    t, y, v = [fmean(xs) for xs, _, _ in units], [y for _, y, _ in units], [v for _, _, v in units]
    shared = fmean(fmean(a * b for a, b in itertools.permutations(xs, 2)) for xs, _, _ in units) - fmean(t) ** 2

    def covariance(a, b):
        return fmean(i * j for i, j in zip(a, b, strict=True)) - fmean(a) * fmean(b)

    tz, zz, yt, yz = covariance(t, v), covariance(v, v), covariance(y, t), covariance(y, v)
    return (yz * shared - yt * tz) / (shared * zz - tz * tz)


def set_alpha(table, kind):
    """Krippendorff's alpha of a table of sets, judge by judge, None where there is none: every pair of values."""
    units = [[s for s in column if s is not None] for column in zip(*table, strict=True)]
    units = [u for u in units if len(u) > 1]
    values = [s for u in units for s in u]
    if not values:
        return math.nan
    seen = sum(Fraction(_apart(a, b, kind)) / (len(u) - 1) for u in units for a, b in itertools.permutations(u, 2))
    every = sum(Fraction(_apart(a, b, kind)) for a, b in itertools.permutations(values, 2))
    return math.nan if not every else float(1 - seen * (len(values) - 1) / every)


def _apart(a, b, kind):
    if a == b:
        return Fraction(0)
    shared = Fraction(len(a & b), len(a | b))
    if kind == "masi":
        shared *= Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - shared
