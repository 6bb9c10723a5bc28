"""Would other tasks have led to the same choice? The second year's tasks are drawn anew, the fits stay as they are.

Pearson's correlation of a line with the scores needs only the features' covariances, which are few; so that all
candidates are judged on all draws at once, and not one draw after the other.
"""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import stream
from quorate.kernels.correlations import correlate
from quorate.summaries.trained.search import Candidates, Found, best_of, on_second
from quorate.summaries.trained.sheet import Sheet

Array = NDArray[Any]
FLAT = 1e-12  # a variance below this share of its parts is rounding
CELLS = 1 << 20  # candidates x draws looked at together


def stability(found: Found, second: Sheet, draws: int = 200, seed: int = 0) -> dict[str, Any]:
    """How often the same choice is made when the second year's tasks are drawn anew; the fits stay as they are.

    ``same`` is the share of draws that choose the same features and fit, ``features`` of those that choose each
    feature, ``value`` the mean of what the choice itself reaches.
    """
    rng = stream(seed, "stability", second.year, second.part, second.population, found.target)
    lines = found.candidates
    columns = tuple(found.prepared.names.index(n) for n in found.features)
    best = next(k for k, s in enumerate(lines.subset) if s == columns and lines.fit[k] == found.fit)
    tasks = len(second.tasks)
    times = np.stack([np.bincount(rng.integers(tasks, size=tasks), minlength=tasks) for _ in range(draws)])
    value = _pearson(found, second, times) if found.coefficient == "pearson" else _others(found, second, times)
    value = value[~np.isnan(value).all(axis=1)]
    top = [best_of(v) for v in value]
    often = np.zeros(len(found.prepared.names))
    for k in top:
        often[list(lines.subset[k])] += 1
    n = max(len(top), 1)
    named = zip(found.prepared.names, (often / n).tolist(), strict=True)
    shares = dict(sorted(((k, v) for k, v in named if v), key=lambda p: (-p[1], p[0])))
    mean = float(np.mean(value[:, best])) if len(top) else math.nan
    return {"draws": len(top), "same": top.count(best) / n, "features": shares, "value": mean}


def _others(found: Found, second: Sheet, times: Array) -> Array:
    """Any coefficient of every candidate on every draw, ``[draw, candidate]``."""
    lines, out = found.candidates, []
    for some in times:
        x, y = on_second(second, found.prepared, found.target, some)
        out.append(correlate(lines.intercept[:, None] + lines.coefficients @ x.T, y, found.coefficient))
    return np.stack(out)


def _pearson(found: Found, second: Sheet, times: Array) -> Array:
    """Pearson's correlation of every candidate on every draw, ``[draw, candidate]``."""
    square, cross, own = _covariances(found, second, times.astype(float))
    place, weight = _places(found.candidates)
    out = np.full((len(place), len(times)), np.nan)
    step = max(1, CELLS // len(times))
    for a in range(0, len(place), step):
        p, w = place[a : a + step], weight[a : a + step]
        both = np.zeros((len(p), len(times)))
        spread, parts = both.copy(), both.copy()
        for i in range(p.shape[1]):
            both += w[:, [i]] * cross[p[:, i]]
        for i, j in combinations_with_replacement(range(p.shape[1]), 2):
            part = (w[:, i] * w[:, j])[:, None] * square[p[:, i], p[:, j]]
            spread += part if i == j else 2 * part
            parts += np.abs(part)
        defined = (spread > FLAT * parts) & (own > 0)
        root = np.sqrt(np.where(defined, spread * own, 1.0))
        out[a : a + step] = np.where(defined, np.clip(both / root, -1, 1), np.nan)
    return out.T


def _places(lines: Candidates) -> tuple[Array, Array]:
    """The features of each candidate and their coefficients, ``[candidate, place]``; smaller subsets filled with 0."""
    width = max(map(len, lines.subset))
    place = np.array([(*s, *(0,) * (width - len(s))) for s in lines.subset], np.int64)
    filled = np.arange(width) < np.array([len(s) for s in lines.subset])[:, None]
    return place, np.where(filled, np.take_along_axis(lines.coefficients, place, axis=1), 0.0)


def _covariances(found: Found, second: Sheet, times: Array) -> tuple[Array, Array, Array]:
    """Of features with one another, with the scores, and of the scores: ``[feature, feature, draw]`` and so on."""
    here = found.prepared
    x = second.x[:, :, [second.features.index(n) for n in here.names]]
    y = second.y[:, :, second.criterion(found.target)]
    cells = ~np.isnan(x).any(axis=2) & ~np.isnan(y)
    number = times @ cells.astype(float)  # [draw, system]
    there = number > 0
    both = np.concatenate([(x - here.mean) / here.deviation, y[:, :, None]], axis=2)
    total = np.tensordot(times, np.where(cells[:, :, None], both, 0.0), axes=1)  # [draw, system, column]
    mean = np.divide(total, number[:, :, None], out=np.zeros(total.shape), where=there[:, :, None])
    centre = mean.sum(axis=1, keepdims=True) / np.maximum(there.sum(axis=1), 1)[:, None, None]
    mean = np.where(there[:, :, None], mean - centre, 0.0)
    every = np.ascontiguousarray((mean.transpose(0, 2, 1) @ mean).transpose(1, 2, 0))
    return every[:-1, :-1], every[:-1, -1], every[-1, -1]
