"""Of very many tasks, or items of a task, some that are drawn at random: on them chance and flags are told."""

from __future__ import annotations

from typing import TypeVar

from quorate.inference.weights import stream
from quorate.panel.design import Design

D = TypeVar("D", bound=Design)
TASKS = 2000  # that chance is estimated on at most


def sampled(design: D, seed: int) -> D | None:
    """Some of very many tasks, the same for all that is estimated on some; None where there are not so many."""
    known: dict[int, D | None] = design.__dict__.setdefault("_sampled", {})  # once for all methods that are asked
    if seed not in known:
        known[seed] = design.sampled(TASKS, stream(seed, "tasks"))
    return known[seed]


def looked_at(design: D, seed: int) -> D:
    """Some of very many tasks, and of very many items of a task, on which it is told who is off."""
    return of_some_items(sampled(design, seed) or design, seed)


def of_some_items(design: D, seed: int) -> D:
    """Some of very many items of each task, the same for all that is told from some."""
    return design.sampled_items(stream(seed, "items looked at")) or design
