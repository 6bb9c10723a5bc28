"""Groupings as a design: blocks of labels, how they are permuted and imitated, and what is told of a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.partition_labels import dense
from quorate.kernels.streams import stream
from quorate.panel.design import Manner
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import CELLS, NOWHERE, Block, blocks, partitions
from quorate.panel.permuted_groups import fineness, nested, shuffled, typical
from quorate.panel.rows import RowDesign
from quorate.table import Method

Array = NDArray[Any]
ITEMS = 3000  # of a task, up to which every two are looked at
FINER = 4  # times as often
USUAL_JUDGES = 4  # judges of whom it is known as if they were on the panel
OTHERS = 4  # judges beside an outlier in grain: of fewer, one who differs may as well be of another school
USUAL = 0.3  # spread of the logarithm of how many groups people make, as in four published sortings


def _together(labels: Array) -> Array:
    """Which two items are in one group, ``[item, item]``."""
    return np.asarray((labels[:, None] == labels) & (labels >= 0))


def _shown(labels: Array) -> Array:
    """Which two items a judge was shown both of, ``[item, item]``."""
    there = labels > NOWHERE
    return np.asarray(there[:, None] & there & ~np.eye(len(labels), dtype=bool))


@dataclass(frozen=True, eq=False)
class GroupingDesign(RowDesign):
    """Groupings as blocks: labels, -1 where a judge left an item out, -2 where it was not shown."""

    kind: ClassVar[str] = "groupings"

    parts: tuple[Block, ...]

    @classmethod
    def of(cls, panel: Groupings, absent: str | None = None) -> GroupingDesign:
        """The design of a panel; of a judge's repeats on a task the first. ``absent``: what items without a row are."""
        return cls(panel.tasks, panel.judges, panel.items, tuple(blocks(partitions(panel, absent), CELLS)))

    @property
    def work(self) -> int:
        """Every two judges' items."""
        return sum(p.labels.size * (p.labels.shape[1] + 1) // 2 for p in self.parts)

    @property
    def most_noise(self) -> float:
        """All items moved."""
        return 1.0

    @cached_property
    def complete(self) -> bool:
        """Whether nobody left an item out."""
        return not any((p.labels == -1).any() for p in self.parts)

    def canonical(self, method: Method) -> Method:
        """Where nobody left anything out, what becomes of left-out items makes no difference."""
        return without_treatment(method) if self.complete else method

    @staticmethod
    def uneven(answers: Array) -> tuple[bool, bool]:
        """Whether judges left items out, and whether some were not shown any, ``answers[judge, item]``."""
        return bool((answers == -1).any()), bool((answers == NOWHERE).any())

    def told_apart(self, answers: Array) -> Array:
        """Labels numbered by first member: those who make the same groups have the same."""
        return told_apart(answers)

    def shuffled(self, answers: Array, rng: np.random.Generator, some: Array | None = None) -> Array:
        """Every judge's labels, or those of some, permuted among the items shown to the judge, those left out
        included."""
        permuted = shuffled(answers, rng)
        return permuted if some is None else np.where(some[..., None], permuted, answers)

    def comparable(self, answers: Array) -> Array:
        """A number for every set of items that are together: the sum of large ones drawn for its items."""
        width = int(answers.max(initial=0)) + 2  # what is left out is together, too
        weight = stream(0, "sets of items").integers(1, 1 << 40, size=answers.shape[-1]).astype(float)
        rows = answers.reshape(-1, answers.shape[-1])
        code = np.arange(len(rows))[:, None] * width + np.where(rows < 0, width - 1, rows)
        total = np.bincount(code.ravel(), np.tile(weight, len(rows)), len(rows) * width)
        return total[code].reshape(answers.shape)

    def likeness(self, judge: int) -> Array | None:
        """Of each item how often others, of it and another one, say the same: together, or apart."""
        if max(p.labels.shape[2] for p in self.parts) > ITEMS:
            return None
        out = []
        for p in self.parts:
            alike = np.ones((p.labels.shape[0], p.labels.shape[2]))
            for t, row in zip(*np.nonzero(p.judges == judge), strict=True):
                own, seen = _together(p.labels[t, row]), _shown(p.labels[t, row])
                same, number = np.zeros((2, p.labels.shape[2]))
                for other in np.delete(p.labels[t], row, axis=0):
                    both = seen & _shown(other)
                    same += ((own == _together(other)) & both).sum(axis=1)
                    number += both.sum(axis=1)
                alike[t] = quotient(same, number, otherwise=1.0)
            out.append(alike.ravel())
        return np.concatenate(out)

    def manner(self, judge: int) -> str:
        """Whether a judge splits what the others put together, or merges what they keep apart, FINER times as often."""
        split = merged = 0.0
        for p in self.parts:
            for t, row in zip(*np.nonzero(p.judges == judge), strict=True):
                labels = np.delete(p.labels[t], row, axis=0)
                first, second = np.triu_indices(labels.shape[1], 1)
                there = (labels[:, first] >= 0) & (labels[:, second] >= 0)
                number = np.maximum(there.sum(axis=0), 1)
                others = ((labels[:, first] == labels[:, second]) & there).sum(axis=0) / number
                own = p.labels[t, row]
                known = (own[first] >= 0) & (own[second] >= 0)
                together = own[first] == own[second]
                split += float((known & ~together & (others > 0.5)).sum())
                merged += float((known & together & (others < 0.5)).sum())
        if max(split, merged) < FINER * max(min(split, merged), 1.0):
            return ""
        return "splits" if split > merged else "merges"

    def held(self, answers: Array) -> Array:
        """Which items a judge was shown."""
        return np.asarray(answers > NOWHERE)

    def undecided(self, answers: Array) -> Array:
        """Who puts all items of a task together, or each by itself; who leaves some out has said something."""
        shown, used = (answers > NOWHERE).sum(axis=2), (answers >= 0).sum(axis=2)
        groups = answers.max(axis=2, initial=-1) + 1
        left = shown > used
        return np.asarray((used > 0) & ~left & ((groups == 1) | (groups == used)))

    def alike(self, noise: float | Array, rng: np.random.Generator, copies: int = 1) -> GroupingDesign:
        """Judges who see one structure as finely as they did, each with so large a share of the items moved.

        The structure is that of a typical judge, with groups inside groups; an item that is moved goes to the place of
        another. Everybody leaves out what he left out.
        """
        each = np.broadcast_to(noise, len(self.judges))

        def noisy(labels: Array, share: Array) -> Array:
            one = nested(typical(labels), fineness(labels), rng)
            moved = np.where(rng.random(labels.shape) < share[:, :, None], rng.permuted(one, axis=2), one)
            return np.where(labels < 0, labels, moved)

        many = self.copied(copies, lambda labels: labels)
        return replace(many, parts=tuple(replace(p, labels=noisy(p.labels, each[p.judges])) for p in many.parts))

    def manners(self) -> Sequence[Manner]:
        """How finely judges group beside the median of each task, in logarithms, on average; in usual spreads."""
        total, tasks = np.zeros(len(self.judges)), np.zeros(len(self.judges))
        for p in self.parts:
            found = fineness(p.labels)
            np.add.at(total, p.judges, found - np.median(found, axis=1, keepdims=True))
            np.add.at(tasks, p.judges, 1)
        grain = np.divide(total, USUAL * tasks, out=np.full(len(total), np.nan), where=tasks > 0)
        return [Manner(grain, np.zeros(len(total)), usual=USUAL_JUDGES, variance=1.0, others=OTHERS)]


def without_treatment(method: Method) -> Method:
    """The method with left-out items treated as usual."""
    known = method.declaration.parameters
    return method.with_(left_out=known["left_out"].default) if "left_out" in known else method


def told_apart(labels: Array) -> Array:
    """Groups numbered by first member, ``[judge, item]``, in little room; some judges at a time."""
    small, step = np.int16 if labels.shape[1] < 1 << 15 else np.int32, max(1, CELLS // max(labels.shape[1], 1))
    found = [dense(labels[a : a + step]).astype(small) for a in range(0, len(labels), step)]
    return np.concatenate(found) if found else labels.astype(small)
