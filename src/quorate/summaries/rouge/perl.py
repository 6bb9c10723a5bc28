"""Averages and intervals as ROUGE-1.5.5 computes them, so that its output can be compared line by line.

It rounds recall and precision to five decimals before anything else, prints as average the mean of its resamples (not
of the summaries), and seeds Perl's generator with the number of the resample: no seed of ours changes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats.rouge_files import Average
from quorate.summaries.rouge.counts import corpus_figures, f_measure

if TYPE_CHECKING:
    from quorate.summaries.rouge.score import Rouge

Array = NDArray[Any]
FACTOR, STEP, BITS = 0x5DEECE66D, 0xB, 48


def averages(found: Rouge, level: float = 0.95, resamples: int = 1000, *, by_tokens: bool = False) -> Iterator[Average]:
    """What ROUGE prints for every system, in its order, and every variant; ``by_tokens`` as with ``-t 1``."""
    texts = found.texts
    by_system: dict[str, list[int]] = {}
    for k, system in enumerate(texts.systems):
        by_system.setdefault(str(system), []).append(k)
    alpha = found.options.get("alpha", 0.5)
    for system in sorted(by_system):
        rows = by_system[system]
        names = {k: f"{texts.tasks[k]}.{system}" for k in rows}
        rows = sorted(rows, key=lambda k: names[k])
        drawn = draws(len(rows), resamples)
        for v, variant in enumerate(found.variants):
            counts = None
            if by_tokens and found.counts is not None:
                values = found.counts[v, rows]
                figures = [_spread(r, level) for r in corpus_figures(_sums(values, drawn), alpha).T]
                counts = tuple(values.sum(axis=0).tolist())
            else:
                values = rounded(found.values[v, rows], alpha)
                figures = [_spread(r / len(rows), level) for r in _sums(values, drawn).T]
            order = sorted(range(len(rows)), key=lambda r: _by_number(names[rows[r]]))
            each = [(names[rows[r]], values[r].tolist()) for r in order]
            yield Average(system, str(variant), figures, each, counts)


def rounded(values: Array, alpha: float) -> Array:
    """R and P with five decimals, and F of those."""
    out = np.array([[float(f"{x:.5f}") for x in row] for row in values[:, :2].tolist()]).reshape(-1, 2)
    f = [float(f"{x:.5f}") for x in f_measure(out[:, 0], out[:, 1], alpha).tolist()]
    return np.column_stack([out, f])


def draws(number: int, resamples: int) -> Array:
    """Perl's ``srand(r); int(rand(number))`` as often as there are summaries, ``[resample, draw]``.

    >>> draws(10, 4)[3].tolist()
    [7, 8, 3, 2, 5, 4, 1, 2, 5, 6]
    """
    mask = np.uint64((1 << BITS) - 1)
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    out = np.empty((resamples, number), np.int64)
    for k in range(number):
        state = (state * np.uint64(FACTOR) + np.uint64(STEP)) & mask
        out[:, k] = (state.astype(float) / (1 << BITS) * number).astype(np.int64)
    return out


def _sums(values: Array, drawn: Array) -> Array:
    """Sums of each resample, added up in the order of the script, ``[resample, column]``."""
    sums = np.zeros((len(drawn), values.shape[1]))
    for k in range(drawn.shape[1]):
        sums += values[drawn[:, k]]
    return sums


def _spread(values: Array, level: float) -> tuple[float, float, float]:
    """Mean of the resamples, and the ends of the interval."""
    means = np.sort(values)
    number = len(means)
    beyond = number * ((100 - level * 100) / 2) / 100
    high, low = int(number - beyond - 1), int(beyond)
    part = number - beyond - 1 - high

    def between(at: int) -> float:
        after = min(at + 1, number - 1)
        return float(means[at] + (means[after] - means[at]) * part)

    return float(np.cumsum(means)[-1] / number), between(low), between(high)


def _by_number(name: str) -> tuple[int, int, str]:
    """Names that begin with a number by it, others as text after them."""
    found = re.match(r"\d+", name)
    return (0, int(found[0]), name) if found else (1, 0, name)
