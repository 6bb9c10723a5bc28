"""What a trust method says of scores, how one is declared, and metrics beside human scores."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.inference.believed import Believed
from quorate.panel.kinds import Scores
from quorate.scores.consensus import every_output
from quorate.scores.systems import Outputs, tabled
from quorate.table import method

Array = NDArray[Any]


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
    default: bool = False,
    metrics: bool = False,
    reference: str = "",
    **parameters: Any,
) -> Callable[[Callable[..., Believed]], Callable[..., Believed]]:
    """Declare a trust method: a function of the panel, its outputs, the metrics beside them, and the options."""
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
    )


def metrics_beside(made: Outputs, metrics: Scores | None) -> list[Metric]:
    """The metrics as tables of the human scores' inputs and systems; ids are matched as texts.

    A metric with criteria of its own is held against the same criterion only, where there is one.
    """
    if metrics is None:
        raise InputError("this method needs automatic metrics.", "give a file of their scores: metrics=, or --metrics.")
    of = every_output(metrics)
    same = [o for o in of if made.units.criterion is not None and o.units.criterion == made.units.criterion]
    out = []
    for o in same or of:
        for j, name in enumerate(o.units.judges):
            called = name if same or len(of) == 1 else f"{name} {o.units.criterion}"
            found = _beside(made, o, j, called)
            if found is not None:
                out.append(found)
    return out


def _beside(made: Outputs, metric: Outputs, judge: int, name: Hashable) -> Metric | None:
    units = metric.units
    mine = np.flatnonzero(units.judge == judge)
    system = _matched(metric.systems, made.systems)[metric.system[units.unit[mine]]]
    shape = (len(made.inputs), len(made.systems))
    if len(metric.inputs) == 1 and len(made.inputs) > 1:
        place = np.zeros(len(mine), np.int64)
        known = system >= 0
        if not known.any():
            return None
        row = tabled(units.value[mine][known], place[known], system[known], (1, shape[1]))
        return Metric(name, np.repeat(row, shape[0], axis=0), False)
    place = _matched(metric.inputs, made.inputs)[metric.input[units.unit[mine]]]
    known = (system >= 0) & (place >= 0)
    if not known.any():
        return None
    return Metric(name, tabled(units.value[mine][known], place[known], system[known], shape), True)


def _matched(ids: Sequence[Hashable], wanted: Sequence[Hashable]) -> Array:
    place = {str(w): k for k, w in enumerate(wanted)}
    return np.array([place.get(str(i), -1) for i in ids], np.int64)


def check_match(made: Sequence[Outputs], metrics: Scores | None) -> tuple[str, ...]:
    """What of the metrics does not fit the human scores, in words; nothing in common is an error."""
    if metrics is None:
        return ()
    notes = []
    of = every_output(metrics)
    if not made or not of:
        raise InputError("there are no scores to compare.", "both files need some.")
    for name, ours, theirs in (
        ("systems", made[0].systems, of[0].systems),
        (made[0].by, made[0].inputs, of[0].inputs),
    ):
        fit = int((_matched(theirs, ours) >= 0).sum())
        if name != "systems" and len(theirs) == 1 and len(ours) > 1:
            notes.append("the metrics have one value per system, so only the system level is known")
        elif not fit:
            raise InputError(
                f"the metrics and the scores have no {name[:-1]} in common.",
                f"scores have {_some(ours)}; metrics have {_some(theirs)}.",
            )
        elif fit < len(theirs) or fit < len(ours):
            notes.append(f"metrics and scores have {fit} {name} in common, of {len(ours)} scored and {len(theirs)}")
    return tuple(notes)


def _some(ids: Sequence[Hashable]) -> str:
    return ", ".join(map(str, ids[:3])) + (", ..." if len(ids) > 3 else "")


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
