"""Pictures of systems: leaderboards, and automatic metrics against human scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate.document.blocks import Chart
from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Options
from quorate.panel.base import many
from quorate.panel.kinds import Panel, Scores
from quorate.reports.picture import figure, number, titled
from quorate.words.wording import brief, figure_of

MOST = 1000  # systems x methods in a leaderboard
DOTS = 3000  # systems x metrics x criteria


def board(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """The leaderboard with intervals and letters; none of a single system."""
    rows: list[dict[str, Any]] = []
    for f in answer.findings:
        for o in f.overall:
            if "system" in o.labels:
                about = [str(f.method), *([str(o.labels["criterion"])] if "criterion" in o.labels else [])]
                letters = str(o.labels.get("group") or "")
                system = {"method": ", ".join(about), "system": str(o.labels["system"])}
                rows.append({**system, **figure(o, f.method), "letters": letters})
                if len(rows) == 1:
                    what_is = figure_of(f.method)
                    least, limits = o.least, f.method.declaration.range
                    where = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
    if len({row["system"] for row in rows}) < 2:
        return None
    named = answer.question == "quality"
    title = "Leaderboard" if named else "Leaderboard by the consensus"
    first = [row for row in rows if row["method"] == rows[0]["method"]]
    what = "item" if isinstance(panel, Scores) and not panel.of_systems else "system"
    between = " with its interval" if any(row["low"] is not None for row in rows) else ""
    return Chart(
        "leaderboard" if named else f"leaderboard-{answer.question}",
        answer.question,
        "dots",
        titled(title, f"{_ahead(first, what)}{where}"),
        f"Each {what}{between}, best first. {_letters(first, panel, what, least)}",
        tuple(rows[:MOST]),
        {"label": "system", "value": what_is, "text": "letters", "choose": "method", "limits": limits},
    )


def _ahead(rows: Sequence[Mapping[str, Any]], what: str) -> str:
    """Who is first, in words."""
    if rows[0]["value"] is None:  # those without a value come last
        return f"no {what} has a value"
    best = [row["system"] for row in rows if row["value"] == rows[0]["value"]]
    if len(best) == len(rows):
        return f"all {what}s are level"
    if len(best) == 1:
        return f"{brief(best[0], what=what)} is first"
    return f"{len(best)} {what}s share the first place"


def _letters(rows: Sequence[Mapping[str, Any]], panel: Panel, what: str, least: float) -> str:
    """What the letters above the dots say, and whether they can say anything: not if no p could be small enough."""
    if not any(row["letters"] for row in rows):
        return ""
    tasks, pairs = len(panel.tasks), len(rows) * (len(rows) - 1) // 2
    alike = {row["letters"] for row in rows} == {"a"} and len({row["value"] for row in rows}) > 1
    if alike and tasks > 1 and least >= ALPHA:
        return (
            f"All share the letter a, which says nothing here: on {tasks} tasks no difference can be significant among "
            f"{many(pairs, 'pair')} of {what}s, however large. Go by the intervals."
        )
    if alike and not any(row["low"] is not None for row in rows):
        return "All share the letter a, which says nothing: there are too few judges or tasks to test a difference."
    return f"{what.capitalize()}s that share a letter do not differ significantly."


def scatter(panel: Panel, metrics: Panel | None) -> Chart | None:
    """Each metric's mean of a system against the judges' mean of it."""
    if metrics is None or not isinstance(panel, Scores):
        return None
    from quorate.inference.board import mean_over_tasks
    from quorate.kernels.correlations import correlate
    from quorate.panel.outputs import OutputDesign
    from quorate.scores.trust_method import metrics_beside
    from quorate.scores.worst_judges import table_of

    found: list[tuple[float, str, list[dict[str, Any]]]] = []
    for out in OutputDesign.every(panel, metrics):
        human = table_of(out)
        here: list[tuple[float, str, list[dict[str, Any]]]] = []
        for metric in metrics_beside(out):
            if len(out.systems) < 3:
                continue  # through two dots there is always a line
            both = ~np.isnan(human) & ~np.isnan(metric.table)
            x, y = (mean_over_tasks(np.where(both, t, np.nan))[0] for t in (human, metric.table))
            r = float(correlate(x, y, "pearson"))
            on = f" with {out.scores.criterion}" if out.scores.criterion is not None else ""
            shown = f"{metric.name}{on} (r = {'undefined' if math.isnan(r) else f'{r:.3f}'})"
            rows = [
                {"shown": shown, "system": str(s), "human": number(x[k]), "metric": number(y[k])}
                for k, s in enumerate(out.systems)
                if not math.isnan(x[k]) and not math.isnan(y[k])
            ]
            here.append((r, f"{metric.name}{on}", rows))
        found += sorted(here, key=lambda one: math.inf if math.isnan(one[0]) else -one[0])
    known = [one for one in found if not math.isnan(one[0])]
    told = ""
    if known:
        r, name, _ = max(known, key=lambda one: one[0])
        told = f": {name} correlates {'most, ' if len(known) > 1 else ''}{r:.3f}"
    return Chart(
        "metrics-humans",
        "trust",
        "scatter",
        f"Metrics against the judges{told}",
        "A dot is a system: to the right the judges' mean score, upwards the metric's mean on the same tasks. The "
        "closer the dots lie to a rising line, the better the metric orders systems as the judges do; "
        "r is Pearson's correlation.",
        tuple(row for *_, rows in found for row in rows)[:DOTS],
        {"choose": "shown", "called": "metric"},
    )
