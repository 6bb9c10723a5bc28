"""Systems' clusterings beside the judges' groupings: the same tasks, the same items, as blocks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.grouping_design import without_treatment
from quorate.panel.kinds import Groupings, Panel
from quorate.panel.partitions import CELLS, LEFT, Block, Partitions, blocks, partitions
from quorate.panel.permuted_groups import shuffled
from quorate.panel.rows import VoterDesign
from quorate.table import Method

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Part(Block):
    """Tasks with as many judges and items each, and the systems' clusterings of these items."""

    clusters: Array  # (T, S, n), -1 where a system left the item out
    done: Array  # (T, S) whether the system did the task

    @property
    def given(self) -> tuple[Array, ...]:
        """What formulas are given: the judges' labels and the systems'."""
        return self.labels, self.clusters

    def codes(self, axis: str) -> Array:
        """Numbers of the judges, items, or systems along an axis of values."""
        if axis == "system":
            return np.where(self.done, np.arange(self.done.shape[1]), -1)
        return super().codes(axis)


@dataclass(frozen=True, eq=False)
class Clusterings:
    """All tasks that both judges and systems did, and what was left aside."""

    tasks: list[tuple[Partitions, Array, Array]]  # the judges', the systems' clusters, and which systems did the task
    unjudged: tuple[Hashable, ...]  # tasks that only systems did
    undone: tuple[Hashable, ...]  # tasks that no system did
    unknown: int  # systems' rows of items that no judge has
    rows: int  # systems' rows in all

    @property
    def judged(self) -> int:
        """Tasks that have both judges and systems."""
        return len(self.tasks)

    @property
    def complete(self) -> bool:
        """Whether nobody left an item out, neither judge nor system."""
        return not any((own.labels == -1).any() or (their[did] == -1).any() for own, their, did in self.tasks)

    @property
    def done(self) -> Array:
        """How many tasks each system did, ``[system]``."""
        return np.asarray(np.stack([there for _, _, there in self.tasks]).sum(axis=0))


def beside(panel: Groupings, systems: Groupings, absent: str | None = None) -> Clusterings:
    """The systems' clusterings on the judges' items; an item that a system has no row for is left out by it.

    ``absent`` says what an item is that a judge has no row for: systems are meant to have all.
    """
    theirs = {systems.tasks[p.task]: p for p in partitions(systems, LEFT)}
    number = {item: k for k, item in enumerate(panel.items)}
    code = np.array([number.get(item, -1) for item in systems.items], np.int64)
    tasks, undone, unknown, rows = [], [], 0, 0
    for own in partitions(panel, absent):
        other = theirs.pop(panel.tasks[own.task], None)
        if other is None:
            undone.append(panel.tasks[own.task])
            continue
        place = {int(c): k for k, c in enumerate(own.items)}
        at = np.array([place.get(int(c), -1) for c in code[other.items]], np.int64)
        known = at >= 0
        clusters = np.full((len(systems.judges), len(own.items)), -1, np.int64)
        clusters[np.ix_(other.judges, at[known])] = other.labels[:, known]
        done = np.zeros(len(systems.judges), bool)
        done[other.judges] = True
        unknown += int((other.labels[:, ~known] >= 0).sum())
        rows += int((other.labels >= 0).sum())
        tasks.append((own, clusters, done))
    if not tasks:
        raise InputError(
            "the systems did none of the judges' tasks.",
            f"the judges' tasks: {_few(panel.tasks)}; the systems': {_few(systems.tasks)}.",
        )
    return Clusterings(tasks, tuple(theirs), tuple(undone), unknown, rows)


def _few(names: Sequence[Hashable]) -> str:
    return ", ".join(map(str, names[:5])) + (", ..." if len(names) > 5 else "")


@dataclass(frozen=True, eq=False)
class ClusteringDesign(VoterDesign):
    """Systems' clusterings beside the judges' groupings."""

    kind: ClassVar[str] = "groupings"

    parts: tuple[Part, ...]

    @property
    def work(self) -> int:
        """Every system's and judge's items."""
        return sum(p.labels.size * p.clusters.shape[1] for p in self.parts)

    @cached_property
    def complete(self) -> bool:
        """Whether nobody left an item out, neither judge nor system."""
        return not any((p.labels == -1).any() or (p.clusters[p.done] == -1).any() for p in self.parts)

    def canonical(self, method: Method) -> Method:
        """Where nobody left anything out, what becomes of left-out items makes no difference."""
        return without_treatment(method) if self.complete else method

    def permuted(self, rng: np.random.Generator, copies: int = 1) -> ClusteringDesign:
        """Chance: every system's items permuted among its own groups; the judges stay as they are."""
        return self.copied(copies, lambda clusters: shuffled(clusters, rng), "clusters")


def clustering_design(panel: Groupings, systems: Panel, seed: int = 0, absent: str | None = None) -> ClusteringDesign:
    """The design of a panel and of systems' clusterings on its tasks."""
    if not isinstance(systems, Groupings):
        raise InputError(f"the systems are {systems.kind}.", "judges' groupings need systems' groupings.")
    found = beside(panel, systems, absent).tasks
    parts = []
    for block in blocks([own for own, _, _ in found], CELLS, lambda judges, items: items * max(judges, items)):
        clusters, done = (np.stack([found[t][k] for t in block.tasks.tolist()]) for k in (1, 2))
        parts.append(Part(block.tasks, block.judges, block.items, block.labels, block.counts, clusters, done))
    names = tuple(panel.tasks[own.task] for own, _, _ in found)
    return ClusteringDesign(names, panel.judges, panel.items, tuple(parts), systems=systems.judges, seed=seed)
