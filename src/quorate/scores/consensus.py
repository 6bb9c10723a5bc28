"""What do the judges agree on? A score for every item by all its judges, and the systems' means over tasks.

The methods are in :mod:`~quorate.scores.averages`, and of labels in :mod:`~quorate.scores.latent_truth`. A criterion is
never mixed with another; a judge's severity and weight are the same on all tasks of a criterion. Of a judge's repeats
on an item the first counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.consensus_value import Agreed
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import from_table
from quorate.scores import labels, latent_truth
from quorate.scores.averages import METHODS as AVERAGES
from quorate.table import Method, checked

Array = NDArray[Any]
METHODS = {**AVERAGES, **latent_truth.METHODS}


def consensus_scores(table: Any, name: str = "mean", **settings: Any) -> Array:
    """The consensus of a table of judges x items as plain numbers.

    >>> consensus_scores([[1, 2], [3, 2], [8, 2]], "median").tolist()
    [3.0, 2.0]
    """
    how = checked(name, "scores", "consensus", **settings)
    return METHODS[name](from_table(table), **how).array


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Of labels those methods that labels allow."""
    return labels.fitting(panel, "consensus", methods)


def more(panel: Scores, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """The weight or effect of every judge, by the methods that have some."""
    rows: list[dict[str, Any]] = []
    confused: list[dict[str, Any]] = []
    for m in methods:
        if m.declaration.properties.get("by_unit"):
            continue  # all judges count alike
        for out in OutputDesign.every(panel):
            said = m(out.scores)  # once: models of labels take long
            rows += _of_judges(out, m, said)
            confused += _confusion(out, m, said, panel) if panel.scale else []
    found = {"weights_and_effects_of_judges": rows, "confusion_by_truth": confused}
    return {name: table for name, table in found.items() if table}


def _confusion(out: OutputDesign, method: Method, said: Agreed, panel: Scores) -> list[dict[str, Any]]:
    """A row per judge, label believed and label said, by the methods that know."""
    if method.name not in latent_truth.METHODS:
        return []
    rows = latent_truth.confusion_rows(out.scores, said, tuple(panel.scale))
    return [{**out.labels, "method": str(method), **row} for row in rows]


def _of_judges(out: OutputDesign, method: Method, said: Agreed) -> list[dict[str, Any]]:
    """A row per judge that has a weight or an effect."""
    return [
        {**out.labels, "method": str(method), "judge": out.judges[j], "is": name, "value": float(v)}
        for name, column in said.judges.items()
        for j, v in enumerate(column.tolist())
        if name != "part" and not np.isnan(v)
    ]
