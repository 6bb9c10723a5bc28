"""What judges say as numbers: item means, the judges' residuals, and the error of the means that these tell."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
NONE = 1e-12  # spread that is rounding alone


@dataclass(frozen=True, eq=False)
class Answers:
    """What judges say on tasks of one shape, as numbers whose means over judges are the consensus."""

    values: Array  # [task, row, item], NaN where nothing is said
    counts: Array  # [task, row] how many judges a row stands for
    judges: Array  # [task, row] who they are: judges of several tasks are drawn with all of them

    @classmethod
    def of(cls, values: Array) -> Answers:
        """One task with a row per judge."""
        rows = np.arange(len(values))[None]
        return cls(np.asarray(values, float)[None], np.ones_like(rows), rows)

    @cached_property
    def held(self) -> Array:
        """1 where something is said, ``[task, row, item]``."""
        return (~np.isnan(self.values)).astype(float)

    @cached_property
    def filled(self) -> Array:
        """The values, 0 where nothing is said."""
        return np.nan_to_num(self.values)

    @cached_property
    def size(self) -> Array:
        """Judges of each task."""
        return np.asarray(self.voting.sum(axis=1))

    @cached_property
    def holders(self) -> Array:
        """How many judges say something of each item, ``[task, item]``."""
        return np.asarray(np.einsum("tj,tji->ti", self.counts.astype(float), self.held))

    @cached_property
    def known(self) -> Array:
        """Items of which two judges say something: of others nobody knows the noise."""
        return np.asarray(self.holders > 1)

    @cached_property
    def means(self) -> Array:
        """Item means less their mean, ``[task, item]``; 0 for items that are not known."""
        sums = np.einsum("tj,tji->ti", self.counts.astype(float), self.filled)
        return self.centred(np.where(self.known, quotient(sums, self.holders), 0.0))

    @cached_property
    def residuals(self) -> Array:
        """What is left of each judge's values, made as large as noise is, ``[task, row, item]``."""
        sums = np.einsum("tj,tji->ti", self.counts.astype(float), self.filled)
        mean = np.where(self.known, quotient(sums, self.holders), 0.0)
        wide = np.sqrt(np.where(self.known, self.holders / np.maximum(self.holders - 1, 1), 0.0))
        return np.asarray((self.filled - mean[:, None]) * self.held * wide[:, None])

    @cached_property
    def errors(self) -> Array:
        """Each row's part in the errors of the item means: a normal number times these, added up, is such an error."""
        own = np.sqrt(self.counts)[:, :, None] * self.residuals / np.maximum(self.holders, 1)[:, None]
        return self.centred(own, self.known[:, None])

    @cached_property
    def error_root(self) -> Array:
        """As many rows as items at most that give errors of the same covariance, ``[task, row, item]``.

        Of more rows the root that is symmetric: there is one, where axes may be chosen in many ways.
        """
        if self.errors.shape[1] <= self.errors.shape[2]:
            return self.errors
        size, axes = np.linalg.eigh(np.matmul(self.errors.transpose(0, 2, 1), self.errors))
        root = np.sqrt(np.where(size > NONE * size.max(axis=1, keepdims=True), size, 0.0))
        return np.asarray(np.matmul(axes * root[:, None, :], axes.transpose(0, 2, 1)))

    @cached_property
    def spread(self) -> Array:
        """Squares of the item means, ``[task]``."""
        return np.asarray((self.means**2).sum(axis=1))

    @cached_property
    def noises(self) -> Array:
        """What each row adds to the squares of item means by noise, ``[task, row]``."""
        return np.asarray((self.errors**2).sum(axis=2))

    @cached_property
    def defined(self) -> Array:
        """Tasks on which two panels can be compared: two judges, two items, and some difference between items."""
        differs = self.spread + self.noises.sum(axis=1) > NONE
        return np.asarray((self.size > 1) & (self.known.sum(axis=1) > 1) & differs)

    def centred(self, values: Array, known: Array | None = None) -> Array:
        """Values less their mean over the items that are known, 0 for the others."""
        known = self.known if known is None else known
        mean = quotient(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))[..., None]
        return np.asarray(np.where(known, values - mean, 0.0))

    @property
    def compared(self) -> Answers:
        """Without items of which fewer than two judges say something: no two panels both have them."""
        most = int(self.known.sum(axis=1).max(initial=0))
        kept = np.argsort(~self.known, axis=1, kind="stable")[:, None, :most]
        return self if most == self.known.shape[1] else replace(self, values=np.take_along_axis(self.values, kept, 2))

    def only(self, tasks: Array) -> Answers:
        """Some of the tasks."""
        return Answers(self.values[tasks], self.counts[tasks], self.judges[tasks])

    @cached_property
    def voting(self) -> Array:
        """How many judges each row stands for, 0 where it says nothing, ``[task, row]``."""
        return np.asarray(self.counts * self.held.any(axis=2))

    def error(self, normal: Array) -> Array:
        """Errors of item means, of normal numbers ``[draw, judge]``: ``[draw, task, item]``."""
        return np.stack([normal[:, who] @ own for who, own in zip(self.judges, self.errors, strict=True)], axis=1)

    def consensus(self, panels: Array) -> Array:
        """What panels say on average, ``panels[task, draw, row]``: ``[task, draw, item]``."""
        return divided(np.matmul(panels, self.filled), np.matmul(panels, self.held))


def divided(sums: Array, of: Array) -> Array:
    """Sums over how many they are of, in their own place; NaN of none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        np.divide(sums, of, out=sums)
    np.copyto(sums, math.nan, where=of <= 0)
    return sums
