"""Pictures of how much the judges agree: every two of them, task by task, and by a method's settings."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.document.blocks import Chart
from quorate.inference.budget import CURVE
from quorate.inference.intervals import mean_interval
from quorate.inference.results import Answer, Finding, Options
from quorate.inference.weights import stream
from quorate.kernels.streams import sample
from quorate.panel.base import many
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes
from quorate.reports.picture import TASKS, has, least_width, many_alike, number, titled
from quorate.reports.squares import MOST, block_order, diverging, square
from quorate.words.numbers import share, two
from quorate.words.outcome import task_values
from quorate.words.wording import brief, figure_of

ORDERED, SOME = 500, 40  # judges that are put in order, and shown of too many
ITEMS = 2000  # of a task, beyond which no such map is drawn
SURFACES = 6  # tasks whose gamma x lam map is drawn
QUORUMS = 20  # steps of q
SAMPLE = 200  # tasks that the curve of q is taken over


def judge_by_judge(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Every two judges, in an order that shows blocks; none where a single item leaves nothing to group."""
    if not 2 < len(panel.judges) <= ORDERED or (isinstance(panel, Groupings) and len(panel.items) < 2):
        return None
    what, values = square(panel, answer)
    order = block_order(values)
    some = ""
    if len(order) > MOST:
        order = [order[int(k)] for k in np.linspace(0, len(order) - 1, SOME).round()]
        some = f" Of {len(panel.judges):,} judges in this order, {SOME} at equal distances are shown."
    names = [str(panel.judges[i]) for i in order]
    rows = tuple(
        {"judge": str(panel.judges[i]), "other": str(panel.judges[j]), "value": number(values[i, j])}
        for i in order
        for j in order
        if i != j and not math.isnan(values[i, j])
    )
    return Chart(
        "judge-by-judge",
        "agreement",
        "heat_map",
        titled("Every two judges", _ends(rows)),
        f"Agreement of every two judges by {what}{_over(panel)}. Judges who agree stand side by side: a "
        f"{'blue' if diverging(panel) else 'dark'} block is a group of like minds, a "
        f"{'white or red' if diverging(panel) else 'pale'} stripe a judge apart.{some}{many_alike(panel)}",
        rows,
        {"order": names, "value": what, "diverging": diverging(panel)},
        least=least_width(names, 18),
    )


def _over(panel: Panel) -> str:
    """What the agreement of two judges is taken over, in words: scores of all tasks are held together."""
    if isinstance(panel, Votes):
        return " on the pairs that both voted on"
    if not isinstance(panel, Scores):
        return ", mean over tasks" if len(panel.tasks) > 1 else ""
    from quorate.panel.units import criteria

    return " over all units" + (", criteria together" if len(criteria(panel)) > 1 else "")


def _ends(rows: Sequence[dict[str, Any]]) -> str:
    """Which two judges are most alike and which least, in words."""
    known = sorted({(row["value"], *sorted((row["judge"], row["other"]))) for row in rows})
    if not known or known[0][0] == known[-1][0]:
        return ""
    least, most = ([pair for pair in known if pair[0] == end[0]] for end in (known[0], known[-1]))
    return f"most alike are {_pairs(most)}, least {_pairs(least)}"


def _pairs(alike: Sequence[tuple[float, str, str]]) -> str:
    """Pairs of judges who are as alike as one another: the first by name, and how many more."""
    value, a, b = alike[0]
    more = f" and {many(len(alike) - 1, 'more pair')}" if len(alike) > 1 else ""
    return f"{brief(a, what='judge')} and {brief(b, what='judge')}{more} ({two(value)})"


def confusions(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Label x label: what another judge says where one says a label."""
    found = answer.more.get("confused", ())
    if not found or not isinstance(panel, Scores) or len(panel.scale) > MOST:
        return None
    names = [str(label) for label in panel.scale]
    sides = (("label", "other_label", "of_label"), ("other_label", "label", "of_other"))
    rows = [
        {"one says": str(r[one]), "another": str(r[other]), "value": number(r[of]), **_criterion(r)}
        for r in found
        for one, other, of in sides
    ]
    for r in answer.more.get("labels", ()):  # what both say
        own = str(r["label"])
        rows.append({"one says": own, "another": own, "value": number(r["value"]), **_criterion(r)})
    one, other = (brief(found[0][n], what="label") for n in ("label", "other_label"))
    return Chart(
        "confusions",
        "agreement",
        "heat_map",
        f"Labels that are confused: most often {one} and {other}",
        "A row is the label that one judge gives, a column what another judge of the same item says. Dark off the "
        "diagonal is a pair of labels that judges mix up: make clear in the guidelines where one ends.",
        tuple(rows),
        {"order": names, "value": "share", "down": "one says", "across": "another", "choose": has(rows, "criterion")},
        least=least_width(names, 18),
    )


def _criterion(row: Mapping[str, Any]) -> dict[str, str]:
    return {"criterion": str(row["criterion"])} if "criterion" in row else {}


def by_task(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Agreement on each task, the hardest first."""
    if len(panel.tasks) < 2:  # which may have millions of pairs
        return None
    finding = answer.findings[0]
    found = task_values(finding)
    if len(found) < 2:
        return None
    lower_first = -1 if "dis" in finding.method.declaration.higher or "less" in finding.method.declaration.higher else 1
    found.sort(key=lambda pair: (lower_first * pair[1], pair[0]))
    shown = found[:TASKS]
    part = f"the {TASKS} hardest of {len(found):,} tasks" if len(found) > TASKS else f"{len(found)} tasks"
    chance = _chance(finding)
    several = len({o.labels.get("criterion") for o in finding.overall})
    mean = f", mean over {several} criteria" if several > 1 else ""
    return Chart(
        "by-task",
        "agreement",
        "bars",
        titled("The hardest tasks", _hardest([task for task, _ in found])),
        f"Agreement on {part}{mean}, least first."
        + ("" if chance is None else f" The dashed line is chance: {two(chance)}."),
        tuple({"task": task, "value": number(value)} for task, value in shown),
        {"label": "task", "value": figure_of(finding.method), "line": chance},
    )


def _chance(finding: Finding) -> float | None:
    """What chance gives, the mean over criteria where there are several."""
    given = [o.chance.value for o in finding.overall if o.chance]
    return number(math.fsum(given) / len(given)) if given else None


def _hardest(tasks: Sequence[str]) -> str:
    """The first three of tasks, hardest first, but no more than half of them.

    >>> _hardest(["t2", "t1", "t3"]), _hardest(["t2", "t1", "t3", "t4"])
    ('t2 first', 't2, t1')
    """
    named = [brief(task, what="task") for task in tasks[: min(3, len(tasks) // 2)]]
    return ", ".join(named) if len(named) > 1 else f"{named[0]} first"


def surface(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Kappa over gamma x lam, of the tasks with most in common."""
    if not isinstance(panel, Orderings) or not 1 < len(panel.judges) <= MOST:
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
        own = panel.select(tasks=[task])
        found = kappa(own).surface() if len(own.items) <= ITEMS else {}  # a hundred times what kappa takes
        if len(set(found.values())) > 1:  # single items have neither spread nor gaps
            rows += [
                {"task": str(task), "gamma": gamma, "lam": lam, "value": number(value)}
                for (gamma, lam), value in found.items()
            ]
    drawn = len({row["task"] for row in rows})
    return Chart(
        "surface",
        "agreement",
        "surface",
        titled("Kappa by its two weights", _left(rows)),
        "How many common subsequences count when spread-out items (gamma) and gaps (lam) are discounted; 1 is no "
        "discount. If the colour fades quickly, the judges share items but not their places."
        + _to_choose(drawn, len(panel.tasks)),
        tuple(rows),
        {"choose": "task"},
    )


def _to_choose(drawn: int, tasks: int) -> str:
    """Which tasks can be chosen, in words."""
    if drawn < 2:
        return ""
    return " Choose a task." if drawn == tasks else f" The {drawn} tasks with most in common can be chosen."


def _left(rows: Sequence[dict[str, Any]]) -> str:
    """How much of the first task's kappa is left when both discounts are at their strongest, in words."""
    here = {(row["gamma"], row["lam"]): row["value"] for row in rows if row["task"] == rows[0]["task"]}
    if not here or None in here.values():
        return ""
    low = min(here)
    on = f" on {brief(rows[0]['task'], what='task')}" if len({row["task"] for row in rows}) > 1 else ""
    return f"{share(here[low] / here[max(here)])} is left{on} when both are {low[0]:g}"


def quorum_curve(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Support against q: how much is shared by at least so many judges."""
    if not isinstance(panel, Orderings) or len(panel.judges) < 2:
        return None
    tasks, settings = _sampled(panel, options.seed), _weights(answer)
    most = max((int(p.counts.sum(axis=1).max()) for p in tasks), default=0)
    steps = sorted({int(q) for q in np.unique(np.linspace(1, most, min(most, QUORUMS)).round())})
    rows: list[dict[str, Any]] = []
    for q in steps:
        for line, values in _supported(tasks, q, **settings).items():
            inside = mean_interval(values, stream(options.seed, "q curve", q, line), options.level, CURVE, range=(0, 1))
            value = float(values[~np.isnan(values)].mean()) if (~np.isnan(values)).any() else math.nan
            ends = (inside.low, inside.high) if inside else (None, None)
            row = {"line": line, "q": q, "share": number(q / most), "value": number(value)}
            rows.append({**row, "low": number(ends[0]), "high": number(ends[1])})
    some = {row["line"] for row in rows if row["value"]}  # without pairs in any order there is nothing to share
    if some == {"items"} and all(row["value"] == 1 for row in rows if row["line"] == "items"):
        return None  # every judge has every item, and no order: nothing to see
    over = sum(len(p.tasks) for p in tasks)
    return Chart(
        "q-curve",
        "agreement",
        "curves",
        titled("What is left as more judges must agree", _shared_by_all(rows, most)),
        f"Share of a judge's items, and of the pairs that the judge puts in order, that at least q of {most} judges "
        f"share; the mean over judges{' and tasks, with its interval over tasks' if over > 1 else ''}. A line that "
        "stays high until the end is a panel that agrees as a whole."
        + (f" From {over} of {len(panel.tasks):,} tasks." if over < len(panel.tasks) else "")
        + ("" if len(some) > 1 else " No judge puts any two items in order."),
        tuple(row for row in rows if row["line"] in some),
        {"x": "q", "along": "judges who must share it (q)", "up": "share", "whole": True},
    )


def _shared_by_all(rows: Sequence[dict[str, Any]], most: int) -> str:
    """What all judges share, in words."""
    pairs = [row for row in rows if row["line"] != "items"]
    shares = [row["value"] for row in pairs if row["q"] == most and row["value"] is not None]
    if not shares or not any(row["value"] for row in pairs):
        return ""
    who = "both" if most == 2 else f"all {most:,}"
    return f"{who} share {share(shares[0]) if shares[0] else 'none'} of the pairs in order"


def _weights(answer: Answer) -> dict[str, float]:
    """The discounts that the answer's own support has."""
    method = next((f.method for f in answer.findings if f.method.name == "support"), None)
    return {n: float(str(method[n])) for n in ("gamma", "lam")} if method is not None else {"gamma": 1.0, "lam": 1.0}


def _sampled(panel: Orderings, seed: int) -> list[Any]:
    from quorate.panel.stacks import padded, stacks

    if len(panel.tasks) > SAMPLE:
        keep = sample(stream(seed, "q curve"), len(panel.tasks), SAMPLE)
        panel = panel.select(tasks=[panel.tasks[k] for k in keep.tolist()])
    return padded(list(stacks(panel)))  # an item that nobody ranks makes no difference to support


def _supported(tasks: list[Any], q: int, gamma: float, lam: float) -> dict[str, Any]:
    """Overall support of every task by one q: of items and of pairs; undefined where there are fewer judges than q."""
    from quorate.orderings.support import individual

    found: dict[str, list[Any]] = {"items": [], "pairs in order": []}
    for part in tasks:
        weight = part.counts / part.counts.sum(axis=1, keepdims=True)
        few = part.counts.sum(axis=1) < q
        for line, each in zip(found, individual(part.positions, part.counts, q, gamma, lam), strict=True):
            found[line].append(np.where(few, np.nan, (each * weight).sum(axis=1)))
    return {line: np.concatenate(values) for line, values in found.items()}


def _size(value: Any) -> float:
    found = number(value)
    return -1.0 if found is None else float(found)
