"""What do the judges agree on? A score for every item by all its judges, and the systems' means over tasks.

The methods are in :mod:`~quorate.scores.averages`. A criterion is never mixed with another; a judge's severity and
weight are the same on all tasks of a criterion. Of a judge's repeats on an item the first counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion
from quorate.scores.averages import METHODS, Agreed, consensus_scores
from quorate.scores.labels import fitting
from quorate.scores.majority import answer as labels_answer
from quorate.scores.self_consistency import own_alphas
from quorate.scores.systems import Outputs, expanded, leaderboard, outputs, overall
from quorate.table import Method
from quorate.words.leading import leads
from quorate.words.scores_labels import left_out
from quorate.words.wording import voters

__all__ = ["METHODS", "answer", "consensus_scores", "estimate", "every_output", "said_of_systems", "shared_notes"]


def every_output(panel: Scores) -> list[Outputs]:
    """The units of every criterion that has scores, with systems and inputs; counted judges as so many rows."""
    return [outputs(panel, expanded(u)) for u in by_criterion(panel) if len(u)]


def estimate(panel: Scores, method: Method, units: Units) -> Agreed:
    """The consensus of units by a method."""
    found: Agreed = method(units, alphas=_alphas(panel, method, units))
    return found


def _alphas(panel: Scores, method: Method, units: Units) -> Any:
    if not (method.has("weights") and method["weights"] == "consistency"):
        return None
    if units.judges == panel.judges:
        return own_alphas(units)
    return own_alphas(units)[np.array(units.judges, np.int64)]  # drawn anew: judges are codes


def answer(panel: Scores, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every unit, and the leaderboard of systems by criterion."""
    if panel.scale:
        methods, left = fitting(panel, "consensus", methods), left_out(panel, methods)
        return labels_answer(panel, methods, options, left)
    made = every_output(panel)
    findings, notes = [], []
    weights: list[dict[str, Any]] = []
    for done, method in enumerate(methods):
        options.tell("consensus", done, len(methods))
        finding, more = _finding(panel, made, method, options, weights)
        findings.append(finding)
        notes += more
    options.tell("consensus", len(methods), len(methods))
    return Answer(
        "scores",
        "consensus",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(said_of_systems(panel, made, findings)),
        (*panel.notes, *shared_notes(panel, made), *dict.fromkeys(notes)),
        {"weights_and_effects_of_judges": weights} if weights else {},
    )


def _finding(
    panel: Scores, made: Sequence[Outputs], method: Method, options: Options, weights: list[dict[str, Any]]
) -> tuple[Finding, list[str]]:
    keys: dict[str, list[Any]] = {}
    details: dict[str, list[Any]] = {"judges": [], "spread": []}
    values: list[float] = []
    rows: list[Overall] = []
    notes: list[str] = []
    for out in made:
        found = estimate(panel, method, out.units)
        values += found.values.tolist()
        for name, column in _keys(out).items():
            keys.setdefault(name, []).extend(column)
        details["judges"] += out.units.per_unit.tolist()
        details["spread"] += _spread(out.units).tolist()
        ranking = leaderboard(out, found.values, lambda u: estimate(panel, method, u).values, options, method)
        rows += overall(out, ranking)
        about = f"{out.units.criterion}: " if out.units.criterion is not None else ""
        notes += [f"{method}: {about}{note}" for note in found.notes]
        weights += _of_judges(out, method, found.judges)
    return Finding(method, keys, values, details, tuple(rows)), notes


def _keys(out: Outputs) -> dict[str, list[Any]]:
    units = out.units
    keys: dict[str, list[Any]] = {
        "task": [units.tasks[t] for t in units.task.tolist()],
        "item": [units.items[i] for i in units.item.tolist()],
    }
    if out.named:
        keys["system"] = [out.systems[s] for s in out.system.tolist()]
    if units.criterion is not None:
        keys["criterion"] = [units.criterion] * units.size
    return keys


def _spread(units: Units) -> Any:
    """Standard deviation of each unit's scores, NaN with one judge."""
    n = units.per_unit
    gap = np.bincount(units.unit, (units.value - units.means()[units.unit]) ** 2, units.size)
    return np.sqrt(np.divide(gap, n - 1, out=np.full(units.size, np.nan), where=n > 1))


def _of_judges(out: Outputs, method: Method, found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row per judge that has a weight or an effect."""
    return [
        {**out.labels(), "method": str(method), "judge": out.units.judges[j], "is": name, "value": float(v)}
        for name, column in found.items()
        for j, v in enumerate(column.tolist())
        if name != "part" and not np.isnan(v)
    ]


# -- words -------------------------------------------------------------------------------------------------------------


def shared_notes(panel: Scores, made: Sequence[Outputs]) -> list[str]:
    """What is worth knowing of the panel for every figure about systems."""
    notes = []
    missing = int(np.isnan(panel.value).sum())
    if missing:
        notes.append(f"{many(missing, 'score')} of {len(panel):,} {'is' if missing == 1 else 'are'} missing")
    used = sum(len(out.units) for out in made)
    again = len(panel) - missing - used
    if again > 0 and (panel.count == 1).all():
        notes.append(f"{many(again, 'repeated score')} left aside: of a judge's repeats on an item the first counts")
    if made and len(made[0].inputs) == 1:
        notes.append("one task only: intervals and differences are over judges, not tasks")
    elif made and not made[0].named and made[0].by == "tasks":
        notes.append("no column 'system': every item is taken as a system")
    return notes


def said_of_systems(panel: Scores, made: Sequence[Outputs], findings: Sequence[Finding]) -> list[str]:
    """How many there are, and who leads by the first method on each criterion."""
    if not made:
        return ["There are no scores."]
    first = made[0]
    what = first.called
    out = [
        f"{many(len(first.systems), what)} on {many(len(first.inputs), first.by[:-1])}, "
        f"scored by {many(voters(panel), 'judge')}."
    ]
    if findings:
        groups: dict[Any, list[Overall]] = {}
        for o in findings[0].overall:
            groups.setdefault(o.labels.get("criterion"), []).append(o)
        by = first.by[:-1]
        out += [_leads(findings[0].method, name, rows, what, by) for name, rows in list(groups.items())[:6]]
    return out


def _leads(method: Method, criterion: Any, rows: Sequence[Overall], what: str, by: str) -> str:
    on = f" on {criterion}" if criterion is not None else ""
    best = f"{rows[0].labels['system']} is best{on} by {method}"
    return leads(rows, best, f"{method}{on}", what=what, by=by)
