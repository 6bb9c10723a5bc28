"""Labels in order: what a judge says for what is so, who sees it with a shift, with noise, and now and then guesses.

The true label k lies at k on a line and is seen at k + shift + noise x error, of a logistic distribution; what is said
is the label nearest to that. So a judge errs to labels near the true one, and how far is told by three numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.latent_labels import logs, normalised

Array = NDArray[Any]
SHIFTS = np.linspace(-2.0, 2.0, 17)  # in labels
SHIFTED = 0.5  # their standard deviation beforehand: that all judges shift nobody can tell from other truths
NOISES = np.geomspace(0.08, 3.0, 12)
GUESSES = np.array([0.01, 0.1, 0.3, 0.9])  # share of answers, of any label alike


@lru_cache(maxsize=4)
def ordered_judges(labels: int) -> Array:
    """What judges of every shift, noise and share of guesses say, ``[judge, true, said]``.

    >>> near = ordered_judges(3).reshape(17, 12, 4, 3, 3)[8, 4, 0]
    >>> bool(near[0, 0] > near[0, 1] > near[0, 2]), bool(abs(near[1, 0] - near[1, 2]) < 1e-12)
    (True, True)
    """
    ends = np.arange(labels - 1) + 0.5
    gap = ends - np.arange(labels)[:, None] - SHIFTS[:, None, None]  # [shift, true, end]
    below = 1 / (1 + np.exp(-np.clip(gap[:, None] / NOISES[:, None, None], -700, 700)))  # [shift, noise, true, end]
    said = np.diff(below, axis=-1, prepend=0.0, append=1.0)
    guess = GUESSES[:, None, None]
    found = said[:, :, None] * (1 - guess) + guess / max(labels, 1)
    return np.asarray(found.reshape(-1, labels, labels))


def ordered_confusion(counts: Array, prior: float) -> Array:
    """What a judge says who errs to near labels as each one does, ``[judge, true, said]``, from how often each says it.

    The mean over all such judges, each as likely as its answers are, with ``prior`` answers of the usual judge among
    them.
    """
    labels = counts.shape[1]
    every = counts.sum(axis=0)
    known = ordered_judges(labels).reshape(-1, labels * labels)
    far = np.repeat((SHIFTS / SHIFTED) ** 2 / 2, len(NOISES) * len(GUESSES))
    given = counts + prior * every / max(float(every.sum()), 1.0)
    likely = normalised(given.reshape(len(counts), -1) @ logs(known).T - far)
    return np.asarray((likely @ known).reshape(counts.shape))
