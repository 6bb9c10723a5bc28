"""How many judges must label an item? As many as it takes until the majority is that of all such judges.

From a pilot: how sure its judges are of each item, and of which, is what more of them would be asked about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate.errors import BadParameter
from quorate.inference.results import Finding, Options
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.reports.plan_result import Line, Plan
from quorate.table import parse
from quorate.verbs import ask

GOAL = "majority"


def label_plan(panel: Scores, want: Sequence[str], certainty: float, cost: float, seed: int) -> Plan:
    """The judges an item takes for each criterion, of ``certainty`` the share of items whose majority is right."""
    if set(want) - {"winner"}:
        raise BadParameter(f"{', '.join(want)}: labels compare no systems.", "of labels the goal is winner, or none.")
    method = parse(f"judges_needed(target={certainty})", "scores", "trust")
    answer = ask("trust", panel, (method,), Options(seed=seed))
    (found,) = answer.findings
    units = {d.labels.get("criterion"): d.scores.size for d in OutputDesign.every(panel)}
    lines = [_line(found, e.value, e.labels.get("criterion"), certainty, units, cost) for e in found.overall]
    curve = _curve(found, found.overall[0].labels.get("criterion"))
    told = tuple(fact for fact in answer.facts if fact.name == "needed")
    return Plan("labels", "pilot", 0, False, tuple(lines), tuple(curve), facts=told, notes=answer.notes)


def _line(found: Finding, needed: float, criterion: Any, wanted: float, units: dict[Any, int], cost: float) -> Line:
    goal = GOAL if criterion is None else f"{GOAL} on {criterion}"
    if math.isnan(needed):
        return Line(goal, wanted, None, None, 1, None, None, None)
    judges = math.ceil(needed)
    reached = next((row["value"] for row in _curve(found, criterion) if row["judges"] >= judges), None)
    number = judges * units[criterion]
    return Line(goal, wanted, judges, 1, 1, number, reached, number * cost if cost else None)


def _curve(found: Finding, criterion: Any) -> list[dict[str, Any]]:
    """How often so many judges would name the label of all."""
    of = found.keys.get("criterion", [None] * len(found.values))
    rows = zip(of, found.keys["judges"], found.values, strict=True)
    return [{"judges": k, "tasks": 1, "value": v} for c, k, v in rows if c == criterion]
