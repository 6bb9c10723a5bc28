"""Pictures of systems: leaderboards, and automatic metrics against human scores."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from quorate.panels import Panel, Scores
from quorate.reports.picture import Picture, figure, number
from quorate.results import Answer, Options

MOST = 1000  # systems x methods in a leaderboard
DOTS = 3000  # systems x metrics x criteria


def board(panel: Panel, answer: Answer, options: Options) -> Picture | None:
    """The leaderboard with intervals and letters."""
    rows = []
    for f in answer.findings:
        for o in f.overall:
            if "system" in o.labels:
                about = [str(f.method), *([str(o.labels["criterion"])] if "criterion" in o.labels else [])]
                letters = str(o.labels.get("group") or "")
                system = {"method": ", ".join(about), "system": str(o.labels["system"])}
                rows.append({**system, **figure(o), "letters": letters})
    named = answer.question == "quality"
    return Picture(
        "leaderboard" if named else f"leaderboard-{answer.question}",
        answer.question,
        "dots",
        "Leaderboard" if named else "Leaderboard by the consensus",
        "Mean of each system with its interval. Systems that share a letter do not differ significantly.",
        tuple(rows[:MOST]),
        {"label": "system", "value": "mean", "text": "letters", "choose": "method"},
    )


def scatter(panel: Panel, metrics: Panel | None) -> Picture | None:
    """Each metric's mean of a system against the judges' mean of it."""
    if metrics is None or not isinstance(panel, Scores):
        return None
    from quorate.kernels.correlations import correlate
    from quorate.leaderboard import mean_over_tasks
    from quorate.scores.believed import metrics_beside
    from quorate.scores.consensus import every_output
    from quorate.scores.worst import table_of

    rows = []
    for out in every_output(panel):
        human = table_of(out)
        for metric in metrics_beside(out, cast(Scores, metrics)):
            if len(out.systems) < 3:
                continue  # through two dots there is always a line
            both = ~np.isnan(human) & ~np.isnan(metric.table)
            x, y = (mean_over_tasks(np.where(both, t, np.nan))[0] for t in (human, metric.table))
            r = float(correlate(x, y, "pearson"))
            on = f" with {out.units.criterion}" if out.units.criterion is not None else ""
            shown = f"{metric.name}{on} (r = {'undefined' if math.isnan(r) else f'{r:.2f}'})"
            rows += [
                {"shown": shown, "system": str(s), "human": number(x[k]), "metric": number(y[k])}
                for k, s in enumerate(out.systems)
                if not math.isnan(x[k]) and not math.isnan(y[k])
            ]
    return Picture(
        "metrics-humans",
        "trust",
        "scatter",
        "Metrics against the judges",
        "A dot is a system: to the right the judges' mean score, upwards the metric's mean on the same tasks. The "
        "closer the dots lie to the line, the better the metric orders systems as the judges do; "
        "r is Pearson's correlation.",
        tuple(rows[:DOTS]),
        {"choose": "shown", "called": "metric"},
    )
