"""What do the judges agree on? A score for every item by all its judges, and the systems' means over tasks.

The methods are in :mod:`~quorate.scores.averages`. A criterion is never mixed with another; a judge's severity and
weight are the same on all tasks of a criterion. Of a judge's repeats on an item the first counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.scores import labels
from quorate.scores.averages import METHODS, consensus_scores
from quorate.table import Method

__all__ = ["METHODS", "consensus_scores", "fitting", "more"]


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Of labels those methods that labels allow."""
    return labels.fitting(panel, "consensus", methods)


def more(panel: Scores, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """The weight or effect of every judge, by the methods that have some."""
    if panel.scale:
        return {}
    made = OutputDesign.every(panel)
    rows = [row for m in methods for out in made for row in _of_judges(out, m)]
    return {"weights_and_effects_of_judges": rows} if rows else {}


def _of_judges(out: OutputDesign, method: Method) -> list[dict[str, Any]]:
    """A row per judge that has a weight or an effect."""
    return [
        {**out.labels, "method": str(method), "judge": out.judges[j], "is": name, "value": float(v)}
        for name, column in method(out.scores).judges.items()
        for j, v in enumerate(column.tolist())
        if name != "part" and not np.isnan(v)
    ]
