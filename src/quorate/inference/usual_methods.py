"""Which methods a question is asked by: those that a panel allows; and by which it is told who is off."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from quorate import table
from quorate.errors import LimitReached
from quorate.inference.budget import LOOKS, MOST_LOOKS
from quorate.panel.base import Panel
from quorate.panel.kinds import Groupings, Orderings, Votes
from quorate.panel.partitions import partitions
from quorate.panel.stacks import stacks
from quorate.table import Method

MISSING = {"below": "below", "left-out": "unknown", "not-shown": "unknown", "unknown": "unknown"}  # of orderings


def cell_of(panel: Panel, question: str) -> Any:
    """The file of a kind and a question."""
    return importlib.import_module(f"quorate.{panel.kind}.{question}")


def with_absence(method: Method, absent: str | None) -> Method:
    """The method as an absent item is meant, unless the method says so itself."""
    return method.with_default(missing=MISSING[absent]) if absent else method


def fitting(panel: Panel, question: str, methods: Sequence[Method]) -> Sequence[Method]:
    """The methods that a panel allows, of those asked for or instead of them."""
    cell = cell_of(panel, question)
    found = cell.fitting(panel, methods) if hasattr(cell, "fitting") else methods
    every = {str(m): m for given in found for m in variants(given)}
    kept = [m for m in every.values() if _has_room(panel, m, are_usual(panel.kind, question, methods))]
    return kept or list(every.values())


def are_usual(kind: str, question: str, methods: Sequence[Method]) -> bool:
    """Whether methods are those of a cell that answer when none is named: what cannot be had is then left out."""
    return [m.name for m in methods] == [m.name for m in table.methods(kind, question, default=True)]


def looks(method: Method, answers: Iterable[tuple[Any, Any]]) -> float:
    """Numbers that a method looks at for its value on the largest task, where it declares so; else 0.

    ``answers`` are those of the tasks, ``[task, judge, item]``, and how many judges each row stands for.
    """
    declared = method.declaration.properties.get("looks")
    return max((declared(*given, method) for given in answers), default=0.0) if declared else 0.0


def _answers(panel: Panel) -> Iterator[tuple[Any, Any]]:
    if isinstance(panel, Orderings):
        yield from ((part.positions, part.counts) for part in stacks(panel))
    elif isinstance(panel, Groupings):
        yield from ((task.labels[None], task.counts[None]) for task in partitions(panel))
    elif isinstance(panel, Votes):
        yield np.broadcast_to(0, (1, len(panel.judges), len(panel.items))), np.ones((1, len(panel.judges)))


def too_large(panel: Panel, method: Method, most: float = LOOKS) -> bool:
    """Whether a task of a panel in memory has so many items that a method would look at more numbers than that."""
    return panel.elsewhere is None and looks(method, _answers(panel)) > most


def _has_room(panel: Panel, method: Method, usual: bool) -> bool:
    """Whether a method is not too much for the largest task: a usual one is left out, one that was named refused."""
    if usual:
        return not too_large(panel, method)
    if too_large(panel, method, MOST_LOOKS):
        items = max(given.shape[2] for given, _ in _answers(panel))
        hint = "select some items, or name another method; without --method those that fit are taken."
        raise LimitReached(f"{items:,} items in one task are too many for {method}.", hint)
    return True


def variants(method: Method) -> Sequence[Method]:
    """The method; where it leaves a parameter open that it declares to be worth trying in several ways, each."""
    out = [method]
    for name, values in method.declaration.properties.get("variants", {}).items():
        if name not in dict(method.settings):
            out = [m.with_(**{name: value}) for m in out for value in values]
    return out


def deciding(panel: Panel, absent: str | None = None) -> Method:
    """The method of agreement by which it is told who is off: the one declared for it, or the first default one."""
    usual = fitting(panel, "agreement", table.methods(panel.kind, "agreement", default=True))
    chosen = next((m for m in usual if m.declaration.properties.get("flags")), usual[0])
    return with_absence(chosen, absent or panel.absent)
