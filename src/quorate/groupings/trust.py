"""Can the verdict be believed? Which measures to trust, and whether other judges, tasks or items would say the same.

* :mod:`~quorate.groupings.sensitivity`: measures along random splits and merges;
* :mod:`~quorate.groupings.agreement_stability`: the agreement table with judges, tasks and items drawn anew;

Whether a leaderboard of systems would stay the same is told with their quality.
"""

from __future__ import annotations

from collections.abc import Sequence

from quorate.groupings.agreement_stability import agreement_stability
from quorate.groupings.sensitivity import Sensitivity, made_up, sensitivity
from quorate.inference.believed import Believed
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import many
from quorate.panel.kinds import Groupings
from quorate.table import Method

__all__ = ["Sensitivity", "agreement_stability", "answer", "made_up", "sensitivity"]


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method, with intervals and what it says in sentences."""
    believed: list[Believed] = [method(panel, options) for method in methods]
    findings = tuple(
        Finding(method, b.keys, b.values, b.details, tuple(b.overall))
        for method, b in zip(methods, believed, strict=True)
    )
    notes = [*panel.notes, *(note for b in believed for note in b.notes)]
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    return Answer(
        "groupings",
        "trust",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        findings,
        tuple(sentence for b in believed for sentence in b.sentences),
        tuple(notes),
    )
