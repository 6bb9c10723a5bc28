"""How many judges must label an item? As many as it takes until the labels are right, of so large a share of items.

From a pilot the majority is to be that of all such judges: how sure its judges are of each item, and of which, is what
more of them would be asked about. From assumptions it is to be the right label, by the majority or by a model that
knows which judges guess.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from quorate.errors import BadParameter
from quorate.inference.decision_study import LEVEL, Costs, Study
from quorate.inference.label_forecast import Labelling
from quorate.inference.results import Finding, Options
from quorate.inference.weights import stream
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.reports.plan_result import Line, Plan
from quorate.table import parse
from quorate.verbs import ask

MAJORITY, MODEL, SHARE = "majority", "model", "share"
GOALS = {"winner": (MAJORITY, MODEL), "width": (SHARE,)}
NUMBERS = (*range(1, 20, 2), 25, 31, 45, 65, 99, 151, 225, 351, 501, 751, 999)  # odd: fewer ties
BEYOND = 0.05  # what the curve shows beyond the share that is wanted
LEAST = 7  # judges that it shows at least


def goals(want: Sequence[str]) -> list[str]:
    """What is planned of labels."""
    if set(want) - set(GOALS):
        fact = f"{', '.join(want)}: labels compare no systems."
        raise BadParameter(
            fact, "of labels: winner (the right label) and width (of a label's share); systems are compared by 1 and 0."
        )
    return [goal for name in want or GOALS for goal in GOALS[name]]


def label_plan(panel: Scores, want: Sequence[str], certainty: float, width: float, costs: Costs, seed: int) -> Plan:
    """From a pilot the judges an item takes for each criterion, of ``certainty`` the share of items whose majority is
    that of all judges."""
    wanted, lines, curve, told, notes = goals(want), list[Line](), list[dict[str, Any]](), [], tuple[str, ...]()
    if MAJORITY in wanted:
        method = parse(f"judges_needed(target={certainty})", "scores", "trust")
        answer = ask("trust", panel, (method,), Options(seed=seed))
        (found,) = answer.findings
        units = {d.labels.get("criterion"): d.scores.size for d in OutputDesign.every(panel)}
        lines = [_line(found, e.value, e.labels.get("criterion"), certainty, units, costs) for e in found.overall]
        curve = _curve(found, found.overall[0].labels.get("criterion"))
        told, notes = [fact for fact in answer.facts if fact.name == "needed"], answer.notes
    lines += [share_line(width, 1, costs)] if SHARE in wanted else []
    settings = {"certainty": certainty, "width": width}
    return Plan(
        "labels", "pilot", 0, False, tuple(lines), tuple(curve), {}, settings, facts=tuple(told), notes=tuple(notes)
    )


def assumed_label_plan(
    of: Labelling, items: int, want: Sequence[str], certainty: float, width: float, costs: Costs, seed: int
) -> Plan:
    """From assumptions the judges an item takes until ``certainty`` the share of labels is right, and the share of a
    label known within a ``width``."""
    wanted, curve = goals(want), _forecasts(of, certainty, seed)
    names = [g for g in (MAJORITY, MODEL) if g in wanted and (g == MAJORITY or of.careless)]
    lines = []
    for name in names:
        judges, reached = next(((r["judges"], r[name]) for r in curve if r[name] >= certainty), (None, None))
        lines.append(_study(name, certainty, judges, items, reached, costs))
    least = min((line.judges for line in lines if line.judges), default=1)
    lines += [share_line(width, least, costs)] if SHARE in wanted else []
    first = names[0] if names else None
    assumed = {
        "labels": of.labels,
        "a careful judge is right": round(of.right, 4),
        "judges who guess": round(of.careless, 4),
        "alpha of two judges": round(of.alpha, 4),
        "items": items,
    }
    settings = {"certainty": certainty, "width": width}
    shown = tuple(row | {"tasks": 1, "value": row[first]} for row in curve) if first else ()
    return Plan("labels", "assumptions", 0, False, tuple(lines), shown, assumed, settings)


def _forecasts(of: Labelling, wanted: float, seed: int) -> list[dict[str, Any]]:
    """What more and more judges an item come to, until both are beyond what is wanted."""
    rows, rng = list[dict[str, Any]](), stream(seed, "label plan")
    enough = min(wanted + BEYOND, (1 + wanted) / 2)
    for judges in NUMBERS:
        found = of.forecast(judges, rng)
        before = (rows[-1][MAJORITY], rows[-1][MODEL]) if rows else (0.0, 0.0)  # more judges are never worse
        rows.append({"judges": judges} | dict(zip((MAJORITY, MODEL), map(max, found, before), strict=True)))
        if judges >= LEAST and min(found) >= enough:
            break
    return rows


def share_line(width: float, judges: int, costs: Costs) -> Line:
    """As many items as it takes to know the share of a label, at most a half of them."""
    items = math.ceil((NormalDist().inv_cdf((1 + LEVEL) / 2) / width) ** 2 - 1e-9)
    return _study(SHARE, width, judges, items, width, costs)


def _line(found: Finding, needed: float, criterion: Any, wanted: float, units: Mapping[Any, int], costs: Costs) -> Line:
    goal = MAJORITY if criterion is None else f"{MAJORITY} on {criterion}"
    judges = None if math.isnan(needed) else math.ceil(needed)
    reached = next((row["value"] for row in _curve(found, criterion) if judges and row["judges"] >= judges), None)
    return _study(goal, wanted, judges, units[criterion], reached, costs)


def _study(goal: str, wanted: float, judges: int | None, items: int, figure: float | None, costs: Costs) -> Line:
    if judges is None:
        return Line(goal, wanted, None, None, 1, None, None, None)
    number = judges * items
    cost = costs.of(Study(judges, items), number) if costs else None
    return Line(goal, wanted, judges, items, 1, number, figure, cost)


def _curve(found: Finding, criterion: Any) -> list[dict[str, Any]]:
    """How often so many judges would name the label of all."""
    of = found.keys.get("criterion", [None] * len(found.values))
    rows = zip(of, found.keys["judges"], found.values, strict=True)
    return [{"judges": k, "tasks": 1, "value": v} for c, k, v in rows if c == criterion]
