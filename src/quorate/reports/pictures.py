"""Which pictures the report shows for each question; drawn in charts.py.

A picture is made from an answer, so that every number in it stands in the answer too, or from the panel itself where
the answer has no such figure.
"""

from __future__ import annotations

from collections.abc import Callable

from quorate.document.blocks import Chart
from quorate.inference.results import Answer, Options
from quorate.panel.kinds import Panel
from quorate.reports.agreement_pictures import by_task, confusions, judge_by_judge, quorum_curve, surface
from quorate.reports.consensus_pictures import flow, kept, places, shared_by_all, shared_by_most
from quorate.reports.judge_pictures import each_judge
from quorate.reports.label_pictures import disputed
from quorate.reports.picture import number
from quorate.reports.system_pictures import board, scatter
from quorate.reports.trust_pictures import judges_needed, noise, sensitivity, stability, without_worst
from quorate.words.numbers import two
from quorate.words.outcome import task_values

__all__ = ["Chart", "number", "pictures", "task_values", "two"]

_Maker = Callable[[Panel, Answer, Options], Chart | None]
_MAKERS: dict[str, tuple[_Maker, ...]] = {
    "agreement": (confusions, judge_by_judge, by_task, surface, quorum_curve),
    "judges": (each_judge,),
    "consensus": (places, flow, shared_by_all, shared_by_most, kept, disputed, board),
    "quality": (board,),
    "trust": (judges_needed, stability, without_worst, noise, sensitivity),
}


def pictures(panel: Panel, answer: Answer, options: Options | None = None, metrics: Panel | None = None) -> list[Chart]:
    """The pictures of one answer; those with nothing in them are left out."""
    made = [make(panel, answer, options or Options()) for make in _MAKERS[answer.question]]
    if answer.question == "trust":
        made.append(scatter(panel, metrics))
    return [p for p in made if p is not None and any(row.get("value", 0) is not None for row in p.rows)]
