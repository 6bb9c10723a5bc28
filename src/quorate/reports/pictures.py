"""What the report's pictures show: rows of plain values with a title and a description; drawn in charts.py.

A picture is made from an answer, so that every number in it stands in the answer too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.panels import Orderings, Panel
from quorate.reports.squares import MOST, block_order, square
from quorate.results import Answer, Finding, clean

TASKS = 40  # tasks in a picture of them
CHOSEN = 60  # tasks that can be chosen
ITEMS = 25  # items of a task
FLOW = 12  # tasks whose rankings can be followed
SURFACES = 6
Rows = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Picture:
    """A picture before it is drawn: its form is the name of a function of charts.py, which takes rows and settings."""

    name: str
    question: str
    form: str
    title: str
    description: str
    rows: Rows
    settings: Mapping[str, Any] = field(default_factory=dict)


def pictures(panel: Panel, answer: Answer) -> list[Picture]:
    """The pictures of one answer; those with nothing in them are left out."""
    made: list[Picture | None] = []
    for make in _MAKERS[answer.question]:
        made.append(make(panel, answer))
    return [p for p in made if p is not None and p.rows]


# -- how much do the judges agree? ------------------------------------------------------------------------------------


def judge_by_judge(panel: Panel, answer: Answer) -> Picture | None:
    """Every two judges, in an order that shows blocks."""
    if not 2 < len(panel.judges) <= MOST:
        return None
    what, values = square(panel, answer)
    order = block_order(values)
    names = [str(panel.judges[i]) for i in order]
    rows = tuple(
        {"judge": str(panel.judges[i]), "other": str(panel.judges[j]), "value": number(values[i, j])}
        for i in order
        for j in order
        if i != j and not math.isnan(values[i, j])
    )
    return Picture(
        "judge-by-judge",
        "agreement",
        "heat_map",
        "Every two judges",
        f"Agreement of every two judges by {what}, mean over tasks. Judges who agree stand side by side: a dark block "
        "is a group of like minds, a pale stripe a judge apart.",
        rows,
        {"order": names, "value": what},
    )


def by_task(panel: Panel, answer: Answer) -> Picture | None:
    """Agreement on each task, the hardest first."""
    finding = answer.findings[0]
    found = task_values(finding)
    if len(found) < 2:
        return None
    lower_first = -1 if "dis" in finding.method.declaration.higher or "less" in finding.method.declaration.higher else 1
    found.sort(key=lambda pair: (lower_first * pair[1], pair[0]))
    shown = found[:TASKS]
    rows = tuple({"task": task, "value": number(value)} for task, value in shown)
    part = f"the {TASKS} hardest of {len(found):,} tasks" if len(found) > TASKS else f"{len(found)} tasks"
    hardest = ", ".join(task for task, _ in shown[:3])
    chance = next((number(o.chance.value) for o in finding.overall if o.chance), None)
    return Picture(
        "by-task",
        "agreement",
        "bars",
        "The hardest tasks",
        f"Agreement by {finding.method} on {part}, least first. Hardest: {hardest}."
        + ("" if chance is None else f" The dashed line is chance: {two(chance)}."),
        rows,
        {"label": "task", "value": str(finding.method), "line": chance},
    )


def surface(panel: Panel, answer: Answer) -> Picture | None:
    """Kappa over gamma x lam, of the tasks with most in common."""
    if not isinstance(panel, Orderings) or len(panel.judges) > MOST:
        return None
    from quorate.orderings import kappa

    finding = next((f for f in answer.findings if f.method.name == "kappa"), None)
    if finding is None:
        return None
    some = [i for i, value in enumerate(finding.values) if _size(value) > 0]  # elsewhere there is nothing to see
    at = sorted(some, key=lambda i: -_size(finding.values[i]))[:SURFACES]
    rows = []
    for i in at:
        task: Hashable = finding.keys["task"][i]
        for (gamma, lam), value in kappa(panel.select(tasks=[task])).surface().items():
            rows.append({"task": str(task), "gamma": gamma, "lam": lam, "value": number(value)})
    return Picture(
        "surface",
        "agreement",
        "surface",
        "Kappa by its two weights",
        "How many common subsequences count when spread-out items (gamma) and gaps (lam) are discounted; 1 is no "
        "discount. If the colour falls quickly, the judges share items but not their places. "
        + ("One task can be chosen." if len(at) > 1 else ""),
        tuple(rows),
        {"choose": "task"},
    )


# -- who is off? ------------------------------------------------------------------------------------------------------


def each_judge(panel: Panel, answer: Answer) -> Picture | None:
    """Every judge with interval, and who is flagged."""
    about = [f for f in answer.findings if any("judge" in o.labels for o in f.overall)]
    if not about:
        return None
    finding = next((f for f in about if f.method.name.startswith("peer")), about[0])
    flagged: dict[str, list[str]] = {}
    for f in about:
        for o in f.overall:
            if o.labels.get("flag") is True:
                flagged.setdefault(str(o.labels["judge"]), []).append(str(f.method))
    rows = tuple(
        {
            "judge": str(o.labels["judge"]),
            **({"criterion": str(o.labels["criterion"])} if "criterion" in o.labels else {}),
            **_figure(o),
            "flag": "flagged" if str(o.labels["judge"]) in flagged else "not flagged",
            "flagged by": ", ".join(dict.fromkeys(flagged.get(str(o.labels["judge"]), []))),
        }
        for o in finding.overall[: MOST * (10 if "criterion" in finding.overall[0].labels else 1)]
    )
    more = f" The first {len(rows)} of {len(panel.judges):,} judges." if len(panel.judges) > len(rows) else ""
    return Picture(
        "each-judge",
        "judges",
        "dots",
        "Each judge against the others",
        f"{finding.method} of each judge with its interval; a higher value means {finding.method.declaration.higher}. "
        f"Judges in another colour and shape are flagged by some method.{more}",
        rows,
        {"label": "judge", "value": str(finding.method), "mark": "flag", "choose": _has(rows, "criterion")},
    )


# -- what do they agree on? -------------------------------------------------------------------------------------------


def places(panel: Panel, answer: Answer) -> Picture | None:
    """The consensus order of a task with the places that other judges like these would give."""
    finding = answer.findings[0]
    if "rank" not in finding.details:
        return None
    rows = []
    for i, task in enumerate(finding.keys["task"][:CHOSEN]):
        rank, interval = finding.details["rank"][i], finding.details["rank_interval"][i] or {}
        for item in sorted(rank, key=lambda x: (rank[x], str(x)))[:ITEMS]:
            low, high = interval.get(item, (None, None))
            rows.append({"task": str(task), "item": str(item), "value": number(rank[item]), "low": low, "high": high})
    return Picture(
        "places",
        "consensus",
        "dots",
        "Places in the consensus",
        f"Place of each item by {finding.method}, 1 is first; the line is where it would be with other judges like "
        f"these. At most {ITEMS} items." + _which(finding.keys["task"], CHOSEN),
        tuple(rows),
        {"label": "item", "value": "place", "choose": "task"},
    )


def flow(panel: Panel, answer: Answer) -> Picture | None:
    """From each judge's ranking to the consensus."""
    if not isinstance(panel, Orderings) or len(panel.judges) > 30:
        return None
    finding = answer.findings[0]
    rows = []
    for i, task in enumerate(finding.keys["task"][:FLOW]):
        rank = finding.details["rank"][i]
        top = sorted(rank, key=lambda x: (rank[x], str(x)))[:10]
        for judge, groups in panel.orders(task).items():
            place = _places(groups)
            rows += [
                {"task": str(task), "judge": str(judge), "item": str(x), "value": place[x]} for x in top if x in place
            ]
        rows += [{"task": str(task), "judge": "consensus", "item": str(x), "value": number(rank[x])} for x in top]
    return Picture(
        "flow",
        "consensus",
        "flow",
        "From the judges to the consensus",
        "Place of the ten first items of the consensus with every judge; the last column is the consensus. Lines that "
        "run level are items that the judges agree on." + _which(finding.keys["task"], FLOW),
        tuple(rows),
        {"choose": "task", "order": [*map(str, panel.judges), "consensus"]},
    )


def kept(panel: Panel, answer: Answer) -> Picture | None:
    """Of groupings: how firmly each item sits in its group of the consensus."""
    finding = answer.findings[0]
    if finding.called != "groups":
        return None
    rows: list[dict[str, Any]] = []
    for i, task in enumerate(finding.keys["task"][:CHOSEN]):
        told = finding.details["items"][i]
        groups = sorted((g for g in finding.values[i] if len(g) > 1), key=lambda g: -len(g))
        for place, group in enumerate(groups, 1):
            for item in group:
                if len(rows) < 4000:
                    value = number(told[item]["stays"] if item in told else None)
                    rows.append({"task": str(task), "item": str(item), "group": f"group {place}", "value": value})
    return Picture(
        "kept",
        "consensus",
        "bars",
        "How firmly items sit in their groups",
        f"Share of an item's group by {finding.method} that it would keep with other judges like these; groups of two "
        "items or more, the largest first." + _which(finding.keys["task"], CHOSEN),
        tuple(rows),
        {"label": "item", "value": "share kept", "colour": "group", "choose": "task", "sorted": False},
    )


# -- how good are systems? --------------------------------------------------------------------------------------------


def board(panel: Panel, answer: Answer) -> Picture | None:
    """The leaderboard with intervals and letters."""
    rows = []
    for f in answer.findings:
        for o in f.overall:
            if "system" in o.labels:
                about = [str(f.method), *([str(o.labels["criterion"])] if "criterion" in o.labels else [])]
                letters = str(o.labels.get("group") or "")
                system = {"method": ", ".join(about), "system": str(o.labels["system"])}
                rows.append({**system, **_figure(o), "letters": letters})
    return Picture(
        "leaderboard" if answer.question == "quality" else f"leaderboard-{answer.question}",
        answer.question,
        "dots",
        "Leaderboard",
        "Mean of each system with its interval. Systems that share a letter do not differ significantly.",
        tuple(rows[:1000]),
        {"label": "system", "value": "mean", "text": "letters", "choose": "method"},
    )


# -- can the verdict be believed? -------------------------------------------------------------------------------------


def curves(panel: Panel, answer: Answer) -> Picture | None:
    """The first finding that runs along a number: noise, splits, judges left out."""
    for f in answer.findings:
        for x, by in (("ratio", "of"), ("share", "measure"), ("worst", "coefficient")):
            if x in f.keys and by in f.keys and len(set(f.keys[x])) > 1:
                return _curve(f, x, by)
    return None


def judges_needed(panel: Panel, answer: Answer) -> Picture | None:
    """How good the consensus of so many judges would be."""
    for f in answer.findings:
        if f.method.name == "judges_needed" and len(f.values) > 1:
            return _curve(f, "judges", None)
    return None


def _curve(f: Finding, x: str, by: str | None) -> Picture:
    rows = []
    path = f.keys.get("path")
    for i, value in enumerate(f.values):
        line = str(f.keys[by][i]) if by else str(f.method)
        row = {"line": line, x: number(f.keys[x][i]), "value": number(value)}
        rows.append({"path": str(path[i]), **row} if path else row)
    said = {
        "ratio": "What happens as random judges join: a line that stays up is a method that withstands them.",
        "share": "What each measure does as clusters are split or merged at random, from none (0) to all (1).",
        "worst": "How the order of systems correlates with the full one when the worst judges are left out.",
        "judges": "How well the consensus of so many judges correlates with that of as many others.",
    }[x]
    named = {"ratio": "random judges per judge", "share": "share moved", "worst": "judges left out", "judges": "judges"}
    return Picture(
        f"curve-{f.method.name}".replace("_", "-"),
        "trust",
        "curves",
        f.method.name.replace("_", " ").capitalize(),
        said,
        tuple(rows),
        {"x": x, "along": named[x], "choose": "path" if path else None},
    )


_Maker = Callable[[Panel, Answer], Picture | None]
_MAKERS: dict[str, tuple[_Maker, ...]] = {
    "agreement": (judge_by_judge, by_task, surface),
    "judges": (each_judge,),
    "consensus": (places, flow, kept, board),
    "quality": (board,),
    "trust": (curves, judges_needed),
}


# -- small things -----------------------------------------------------------------------------------------------------


def number(value: Any) -> float | int | None:
    """A value as a picture needs it: short, and None where it is undefined or too large to draw."""
    plain = clean(value)
    if plain is None or isinstance(plain, bool):
        return None
    if isinstance(plain, int):
        return plain if abs(plain) < 2**53 else (float(plain) if plain.bit_length() < 1000 else None)
    return float(f"{plain:.6g}")


def two(value: float) -> str:
    """With two decimals, and no minus before zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def task_values(finding: Finding) -> list[tuple[str, float]]:
    """A value per task: the mean over its pairs or criteria, where there are several."""
    sums: dict[Any, list[float]] = {}
    for task, value in zip(finding.keys.get("task", ()), finding.values, strict=False):
        if isinstance(value, int | float) and math.isfinite(value):
            sums.setdefault(task, []).append(float(value))
    return [(str(task), sum(values) / len(values)) for task, values in sums.items()]


def _figure(o: Any) -> dict[str, Any]:
    low, high = (o.interval.low, o.interval.high) if o.interval else (None, None)
    return {"value": number(o.value), "low": number(low), "high": number(high)}


def _size(value: Any) -> float:
    found = number(value)
    return -1.0 if found is None else float(found)


def _has(rows: Sequence[Mapping[str, Any]], name: str) -> str | None:
    return name if rows and name in rows[0] else None


def _which(tasks: Sequence[Any], most: int) -> str:
    if len(tasks) < 2:
        return ""
    return f" The first {most} of {len(tasks):,} tasks can be chosen." if len(tasks) > most else " Choose a task."


def _places(groups: Iterator[list[Hashable]] | list[list[Hashable]]) -> dict[Hashable, float]:
    """Mid-ranks of an order given as tie groups."""
    out: dict[Hashable, float] = {}
    for group in groups:
        place = len(out) + (len(group) + 1) / 2
        out |= dict.fromkeys(group, place)
    return out
