"""Who is off? Each judge of scores in several respects, worst first.

Level, noise and step with the others (:mod:`~quorate.scores.judge_effects`), use of the scale and drift
(:mod:`~quorate.scores.scale_use`), consistency with oneself (:mod:`~quorate.scores.self_consistency`), models in place
of humans (:mod:`~quorate.scores.alternative`), judges who err together (:mod:`~quorate.scores.independence`), and what
annotators missed (:mod:`~quorate.scores.auto_pyramid`). What a higher value means differs from method to method; the
worst judge comes first in each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate import table
from quorate.panel.kinds import Scores
from quorate.panel.units import both_kinds
from quorate.scores import labels
from quorate.scores.alternative import alternative
from quorate.scores.auto_pyramid import auto_pyramid
from quorate.scores.confusion import judge_confusion
from quorate.scores.independence import copies, independence
from quorate.scores.judge_effects import bias, influence, noise, peer_agreement, peer_correlation, severity
from quorate.scores.label_bias import label_bias
from quorate.scores.scale_use import drift, scale_use
from quorate.scores.self_consistency import self_consistency
from quorate.table import Method

__all__ = [
    "alternative",
    "auto_pyramid",
    "bias",
    "copies",
    "drift",
    "fitting",
    "independence",
    "influence",
    "label_bias",
    "more",
    "noise",
    "peer_agreement",
    "peer_correlation",
    "scale_use",
    "self_consistency",
    "severity",
    "shown",
    "unasked",
]

JUDGES = 30  # up to which errors made together are looked for unasked, two judges at a time
WHEN = {"time": "drift", "judge_kind": "alternative", "auto": "auto_pyramid"}  # columns that make a method a usual one


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """The methods asked for; to the usual ones those are added that the panel's columns allow.

    Of labels those that labels allow.
    """
    if not _usual(methods):
        return labels.fitting(panel, "judges", methods)
    there = [c for c in WHEN if c in panel.labels and (c != "judge_kind" or both_kinds(panel))]
    names = [WHEN[column] for column in there]
    return labels.fitting(panel, "judges", [*methods, *(table.parse(name, "scores", "judges") for name in names)])


def shown(finding: Any) -> bool:
    """Whether some judge has a value."""
    return any(not math.isnan(o.value) for o in finding.overall)


def more(panel: Scores, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """Of labels what each judge says where the others say something else."""
    return {"confusion": rows} if (rows := judge_confusion(panel)) else {}


def unasked(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Near-duplicates and the effective number of judges, told beside the usual methods.

    The number only where humans are the reference: without them copies make one another look right.
    """
    usual = fitting(panel, table.methods("scores", "judges", default=True))
    if [str(m) for m in methods] != [str(m) for m in usual] or not 2 < len(panel.judges) <= JUDGES or panel.scale:
        return []
    names = ("copies", "independence") if both_kinds(panel) else ("copies",)
    return [table.parse(name, "scores", "judges") for name in names]


def _usual(methods: Sequence[Method]) -> bool:
    return [m.name for m in methods] == [m.name for m in table.methods("scores", "judges", default=True)]
