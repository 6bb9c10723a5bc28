"""How much do the judges agree on their orderings?

Four families: what all share (:mod:`~quorate.orderings.kappa`), what most share (:mod:`~quorate.orderings.support`),
indices of two rankings (:mod:`~quorate.orderings.pairwise`) and Kendall's W (:mod:`~quorate.orderings.concordance`).
Higher is more agreement throughout. A judge's repeats do not count as agreement between judges: the first is compared
with the other judges, and all of them with one another in a figure of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.orderings.concordance import kendall_w
from quorate.orderings.kappa import kappa
from quorate.orderings.pairwise import PAIRWISE, tau_b
from quorate.orderings.support import support
from quorate.panel.kinds import Orderings
from quorate.table import Method

__all__ = ["kappa", "kendall_w", "more", "support"]


def more(panel: Orderings, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """Agreement of judges with themselves, where some did a task more than once."""
    return {"self_agreement": rows} if (rows := self_agreement(panel, methods)) else {}


def self_agreement(panel: Orderings, methods: Sequence[Method]) -> list[dict[str, Any]]:
    """How much judges agree with themselves on repeats: the indices asked for (or tau-b), judge by judge."""
    if not panel.repeats:
        return []
    indices = [(str(m), PAIRWISE[m.name], m.parameters) for m in methods if m.name in PAIRWISE]
    out = []
    for name, index, parameters in indices or [("tau_b", tau_b, {})]:
        for judge, values in _repeats(panel, index, parameters).items():
            defined = [v for v in values if not math.isnan(v)]
            mean = sum(defined) / len(defined) if defined else math.nan
            out.append({"judge": judge, "method": name, "value": mean, "pairs": len(values)})
    return out


def _repeats(panel: Orderings, index: Any, parameters: dict[str, Any]) -> dict[Any, list[float]]:
    found: dict[Any, dict[int, list[list[list[Any]]]]] = {}
    for a, b in zip(panel.starts[:-1].tolist(), panel.starts[1:].tolist(), strict=True):
        groups: list[list[Any]] = [[] for _ in range(int(panel.value[b - 1]))]
        for row in range(a, b):
            groups[int(panel.value[row]) - 1].append(panel.item.ids[panel.item.codes[row]])
        judge = panel.judge.ids[panel.judge.codes[a]]
        found.setdefault(judge, {}).setdefault(int(panel.task.codes[a]), []).append(groups)
    out: dict[Any, list[float]] = {}
    for judge, tasks in found.items():
        for orders in tasks.values():
            if len(orders) > 1:
                square = index.matrix(orders, **parameters)
                out.setdefault(judge, []).extend(square[np.triu_indices(len(orders), 1)].tolist())
    return out
