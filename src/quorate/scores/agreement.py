"""How much do the judges agree on their scores?

Krippendorff's alpha (:mod:`~quorate.scores.alpha`), intraclass correlations (:mod:`~quorate.scores.icc`), coefficients
for categories (:mod:`~quorate.scores.chance_corrected`) and Kendall's W (:mod:`~quorate.scores.concordance`). Higher is
more agreement throughout. Criteria are apart: each has its own figure over all units and one per task. Of a judge's
repeats the first is compared with the other judges; all of them with one another in ``self_agreement``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate import table
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units, criteria, repeats
from quorate.scores import labels
from quorate.scores.alpha import alpha, alpha_without
from quorate.scores.chance_corrected import cohen, fleiss, gwet, percent
from quorate.scores.concordance import kendall_w
from quorate.scores.confusion import category_agreement, confused
from quorate.scores.icc import icc
from quorate.scores.label_sets import set_agreement
from quorate.scores.people_and_models import by_kind
from quorate.table import Method

__all__ = ["alpha", "alpha_without", "cohen", "fitting", "fleiss", "gwet", "icc", "kendall_w", "more", "percent"]


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Of labels those methods that labels allow."""
    return labels.fitting(panel, "agreement", methods)


def more(panel: Scores, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """Agreement of people, of models and across; which labels are confused; and of judges with themselves."""
    found = {
        "by_kind": by_kind(panel, list(methods), core),
        "labels": category_agreement(panel, core),
        "confused": confused(panel),
        "label_sets": set_agreement(panel, core),
        "self_agreement": self_agreement(panel, methods, core),
    }
    return {name: rows for name, rows in found.items() if rows}


def self_agreement(panel: Scores, methods: Sequence[Method], core: Any) -> list[dict[str, Any]]:
    """How much judges agree with themselves on units they scored more than once: alpha, judge by judge."""
    levels = list(dict.fromkeys(str(m["level"]) for m in methods if m.name == "alpha"))
    levels = levels or ["interval" if not panel.scale else "ordinal" if panel.ordered else "nominal"]
    out = []
    for criterion, rows in criteria(panel):
        for judge, unit, mine in repeats(panel, rows):
            size, nobody = int(unit.max()) + 1, np.zeros(len(unit), np.int64)
            units = Units(unit, nobody, panel.value[mine], size, ("",), np.zeros(size, np.int64), np.arange(size))
            for level in levels:
                method = table.parse(f"alpha(level={level})", "scores", "agreement")
                found = core.estimate(method, ScoreDesign.around(units))
                row = {"judge": panel.judges[judge]} | ({} if criterion is None else {"criterion": criterion})
                row |= {"method": str(method), "value": found.value, "units": size}
                out.append({**row, "interval": found.ends})
    return out
