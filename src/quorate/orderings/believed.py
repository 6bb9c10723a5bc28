"""What a trust method says, and what all of them share: the tasks they look at, and means over tasks with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, centred, mean_interval, stream
from quorate.inference.results import Options
from quorate.kernels.pair_means import ratio
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, stacks
from quorate.table import method

Array = NDArray[Any]
JUDGES = 1000  # of a task, beyond which so many are drawn where work grows with their square
FEW = 200  # with less effort


def trust_method(
    name: str,
    *,
    range: tuple[float, float],
    higher: str,
    default: bool = False,
    reference: str = "",
    relabelling: bool = True,
    **parameters: Any,
) -> Callable[[Callable[..., Believed]], Callable[..., Believed]]:
    """Declare a trust method: a function of a panel's stacks and the options."""
    return method(
        "orderings",
        "trust",
        name,
        range=range,
        higher=higher,
        default=default,
        reference=reference,
        parameters=parameters,
        relabelling=relabelling,
    )


@dataclass(frozen=True, eq=False)
class Tasks:
    """The tasks of a panel as stacks, with their names."""

    names: tuple[Any, ...]
    parts: tuple[Stack, ...]
    panel: Any = None  # the Orderings they are of, for methods that name judges and items
    systems: Orderings | None = None  # the lists of systems, for what is about them

    @classmethod
    def of(cls, panel: Orderings, systems: Orderings | None = None) -> Tasks:
        """All tasks of a panel."""
        return cls(panel.tasks, tuple(stacks(panel)), panel, systems)

    def __len__(self) -> int:
        return sum(p.shape[0] for p in self.parts)

    @property
    def order(self) -> Array:
        """Where each task of the panel stands among the tasks of the stacks."""
        return np.argsort(np.concatenate([p.tasks for p in self.parts]), kind="stable")

    @property
    def named(self) -> list[Any]:
        """The names of the tasks in the panel's order."""
        codes = np.concatenate([p.tasks for p in self.parts])
        return [self.names[t] for t in codes[self.order].tolist()]

    def each(self, figure: Callable[[Stack], Array]) -> Array:
        """A figure per task, in the panel's order; the task is the last axis."""
        return np.concatenate([figure(p) for p in self.parts], axis=-1)[..., self.order]

    def some(self, most: int, rng: np.random.Generator) -> Tasks:
        """At most so many tasks, drawn at random."""
        if len(self) <= most:
            return self
        keep = np.zeros(len(self), bool)
        keep[rng.choice(len(self), most, replace=False)] = True
        parts, start = [], 0
        for p in self.parts:
            mask = keep[start : start + p.shape[0]]
            start += p.shape[0]
            if mask.any():
                parts.append(Stack(p.tasks[mask], p.judges[mask], p.items[mask], p.positions[mask], p.counts[mask]))
        return Tasks(self.names, tuple(parts), self.panel, self.systems)

    def fewer(self, called: str, options: Options) -> tuple[Tasks, tuple[str, ...]]:
        """At most so many judges on each task, drawn at random, for work that grows with their square; and a note."""
        most = JUDGES if options.effort >= 1 else FEW
        rows = max((p.shape[1] for p in self.parts), default=0)
        if rows <= most:
            return self, ()
        rng = stream(options.seed, "judges", rows)
        parts = tuple(p if p.shape[1] <= most else _drawn(p, most, rng) for p in self.parts)
        quick = "; `--effort 1` takes more" if options.effort < 1 else ""
        note = f"{called}: with {most:,} of {rows:,} judges on a task, drawn at random to be quick{quick}"
        return Tasks(self.names, parts, self.panel, self.systems), (note,)


def _drawn(part: Stack, most: int, rng: np.random.Generator) -> Stack:
    """So many judges of each task; those who count for nobody come last."""
    key = np.where(part.counts > 0, rng.random(part.counts.shape), 2.0)
    keep = np.sort(np.argsort(key, axis=1)[:, :most], axis=1)
    at = np.arange(len(keep))[:, None]
    return Stack(part.tasks, part.judges[at, keep], part.items, part.positions[at, keep], part.counts[at, keep])


def mean(values: Array) -> float:
    """The mean of what is defined; NaN when nothing is."""
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else math.nan


def over_tasks(
    values: Array, rng: np.random.Generator, options: Options, range: tuple[float, float]
) -> Interval | None:
    """Bootstrap of a mean over tasks; None for a single task."""
    return mean_interval(values, rng, options.level, options.resamples, range=range)


def drawn_tasks(tasks: int, rng: np.random.Generator, options: Options) -> Array:
    """Tasks drawn anew, ``[resample, task]``, for figures that are not plain means."""
    return rng.integers(tasks, size=(min(options.resamples, max(10**6 // tasks, 100)), tasks))


def ratio_interval(top: Array, bottom: Array, rng: np.random.Generator, options: Options) -> Interval | None:
    """Bootstrap over tasks of mean(top) / mean(bottom)."""
    if len(top) < 2:
        return None
    draw = drawn_tasks(len(top), rng, options)
    drawn = ratio(top[draw].mean(axis=1), bottom[draw].mean(axis=1))
    return centred(float(ratio(top.mean(), bottom.mean())), drawn, options.level, "tasks", len(top))
