"""How a trust method of scores is declared, its rows, and automatic metrics beside the judges' scores."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign, tabled
from quorate.table import Note, method

Array = NDArray[Any]
CHOSEN = "The worst are chosen on the data they are then dropped from, hence the random band beside it."


@dataclass(frozen=True, eq=False)
class Metric:
    """One automatic metric beside the human scores of one criterion."""

    name: Hashable
    table: Array  # [input, system] of the human scores' inputs and systems
    by_input: bool  # whether it has a value per input, or per system only


def trust_method(
    name: str,
    *,
    range: tuple[float, float],
    higher: str,
    note: Note,
    default: bool = False,
    metrics: bool = False,
    labels: bool = False,
    moments: bool = False,
    reference: str = "",
    scale: tuple[float, float] | None = None,  # on which its figures are read, where it is not the range
    **parameters: Any,
) -> Callable[[Callable[..., Trusted]], Callable[..., Trusted]]:
    """Declare a trust method: a function of the outputs (with the metrics beside them) and of the core."""
    return method(
        "scores",
        "trust",
        name,
        range=range,
        higher=higher,
        default=default,
        reference=reference,
        parameters=parameters,
        relabelling=True,
        metrics=metrics,
        labels=labels,
        scale=scale,
        moments=moments,
        note=note,
    )


def metrics_beside(made: OutputDesign) -> list[Metric]:
    """The metrics as tables of the human scores' inputs and systems; ids are matched as texts.

    A metric with criteria of its own is held against the same criterion only, where there is one.
    """
    of = made.beside
    if not of:
        raise InputError("this method needs automatic metrics.", "give a file of their scores: metrics=, or --metrics.")
    criterion = made.scores.criterion
    same = [o for o in of if criterion is not None and o.scores.criterion == criterion]
    out = []
    for o in same or of:
        for j, name in enumerate(o.judges):
            called = name if same or len(of) == 1 else f"{name} {o.scores.criterion}"
            found = _beside(made, o, j, called)
            if found is not None:
                out.append(found)
    return out


def _beside(made: OutputDesign, metric: OutputDesign, judge: int, name: Hashable) -> Metric | None:
    units = metric.scores
    mine = np.flatnonzero(units.judge == judge)
    system = matched(metric.systems, made.systems)[metric.system[units.unit[mine]]]
    shape = (len(made.tasks), len(made.systems))
    if len(metric.tasks) == 1 and len(made.tasks) > 1:
        place = np.zeros(len(mine), np.int64)
        known = system >= 0
        if not known.any():
            return None
        row = tabled(units.value[mine][known], place[known], system[known], (1, shape[1]))
        return Metric(name, np.repeat(row, shape[0], axis=0), False)
    place = matched(metric.tasks, made.tasks)[metric.input[units.unit[mine]]]
    known = (system >= 0) & (place >= 0)
    if not known.any():
        return None
    return Metric(name, tabled(units.value[mine][known], place[known], system[known], shape), True)


def matched(ids: Sequence[Hashable], wanted: Sequence[Hashable]) -> Array:
    """The place of each id among those wanted, as texts; -1 where it is not."""
    place = {str(w): k for k, w in enumerate(wanted)}
    return np.array([place.get(str(i), -1) for i in ids], np.int64)


def labelled(made: OutputDesign, rows: int) -> dict[str, Sequence[Any]]:
    """The criterion, where there are several, of so many rows."""
    return {n: [label] * rows for n, label in made.labels.items()}


class Rows:
    """Columns that grow row by row."""

    def __init__(self, *details: str) -> None:
        self.keys: dict[str, list[Any]] = {}
        self.values: list[Any] = []
        self.details: dict[str, list[Any]] = {name: [] for name in details}

    def add(self, keys: Mapping[str, Any], value: Any, **details: Any) -> None:
        """One more row."""
        for name, key in keys.items():
            self.keys.setdefault(name, []).append(key)
        self.values.append(value)
        for name, column in self.details.items():
            column.append(details.get(name))

    def extend(self, keys: Mapping[str, Sequence[Any]], values: Sequence[Any], **details: Sequence[Any]) -> None:
        """Many more rows, column by column."""
        for name, column in keys.items():
            self.keys.setdefault(name, []).extend(column)
        self.values.extend(values)
        for name, column in self.details.items():
            column.extend(details[name])
