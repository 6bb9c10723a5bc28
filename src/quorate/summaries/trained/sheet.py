"""A sheet: features and judges' scores of one year, part and population, by task and system. What is trained on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest

Array = NDArray[Any]
CRITERIA = ("pyramid", "responsiveness", "readability")  # of NIST's tables


@dataclass(frozen=True, eq=False)
class Sheet:
    """Features ``x`` and scores ``y``; NaN where there is none.

    Where several judges score a task, ``votes`` has their scores and ``y`` is their mean.
    """

    year: str
    part: str
    population: str
    tasks: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]  # of each task; with votes, of each vote's first axis
    features: tuple[str, ...]
    x: Array  # [task, system, feature]
    y: Array  # [task, system, criterion]
    notes: tuple[str, ...] = ()
    criteria: tuple[str, ...] = CRITERIA
    votes: Array | None = None  # [judge, task, system, criterion]

    def criterion(self, name: str) -> int:
        """The place of a criterion."""
        if name not in self.criteria:
            raise BadParameter(f"no criterion '{name}'.", suggest(name, self.criteria, "Criteria"))
        return self.criteria.index(name)

    def without(self, judges: Iterable[str]) -> Sheet:
        """Without these judges: their tasks are gone; where others score the same tasks, only their scores are."""
        gone = set(judges)
        if self.votes is None:
            y, who = self.y, self.judges
            keep = [k for k, j in enumerate(who) if j not in gone]
            who = tuple(who[k] for k in keep)
            votes = None
        else:
            rows = [k for k, j in enumerate(self.judges) if j not in gone]
            votes, who = self.votes[rows], tuple(self.judges[k] for k in rows)
            y = mean_vote(votes) if rows else np.full(self.y.shape, np.nan)
            keep = np.flatnonzero(~np.isnan(y).all(axis=(1, 2))).tolist()
            votes = votes[:, keep]
        if not keep:
            raise InputError(f"{self.year}: no task is left without judges {', '.join(sorted(gone))}.", "drop fewer.")
        tasks = tuple(self.tasks[k] for k in keep)
        return replace(self, tasks=tasks, judges=who, x=self.x[keep], y=y[keep], votes=votes)


def mean_vote(votes: Array) -> Array:
    """The mean over judges of those who gave a score; NaN where nobody did.

    >>> mean_vote(np.array([[1.0, np.nan, np.nan], [2.0, 3.0, np.nan]])).tolist()
    [1.5, 3.0, nan]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nobody's mean is NaN, which is what is wanted
        return np.asarray(np.nanmean(votes, axis=0))
