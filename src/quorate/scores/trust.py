"""Can the verdict be believed? Leaderboards without the worst judges, and automatic metrics against human scores.

* :mod:`~quorate.scores.without_worst`: the systems' order without the worst judges, and without each;
* :mod:`~quorate.scores.metrics`: metrics against human scores at four levels, before and after;
* :mod:`~quorate.scores.correlation_tests`: is one metric better than another;
* :mod:`~quorate.scores.pairwise_accuracy`: do metrics order pairs as people do;
* :mod:`~quorate.scores.discriminative`: do they find the same significant differences.
"""

from __future__ import annotations

from typing import Any

from quorate.errors import InputError
from quorate.inference.believed import Believed
from quorate.inference.results import Answer, Finding
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.scores.believed import check_match
from quorate.scores.consensus import every_output, shared_notes
from quorate.scores.correlation_tests import metric_differences, permutation_test, williams
from quorate.scores.discriminative import discriminated, discriminative_power
from quorate.scores.labels import fitting
from quorate.scores.metrics import metrics
from quorate.scores.pairwise_accuracy import acc_eq, pairwise_accuracy, soft_pairwise_accuracy, spa
from quorate.scores.without_worst import influence, without_worst
from quorate.words.wording import voters

__all__ = [
    "acc_eq",
    "answer",
    "discriminated",
    "discriminative_power",
    "influence",
    "metric_differences",
    "metrics",
    "pairwise_accuracy",
    "permutation_test",
    "soft_pairwise_accuracy",
    "spa",
    "williams",
    "without_worst",
]


def answer(panel: Scores, *asked: Any) -> Answer:
    """Every method: ``answer(panel, methods, options)``; with metrics, these come after the panel."""
    *beside, methods, options = asked
    given = beside[0] if beside else None
    if given is not None and not isinstance(given, Scores):
        raise InputError(f"the metrics are {given.kind}.", "metrics are scores: a table of task, system and numbers.")
    fitting(panel, "trust", methods)
    if given is not None and given.scale:
        raise InputError("the metrics are labels.", "metrics are scores: a table of task, system and numbers.")
    made = every_output(panel)
    shared = [n for n in shared_notes(panel, made) if "over judges" not in n]  # these intervals are over other things
    notes = [*panel.notes, *shared, *check_match(made, given)]
    believed: list[Believed] = []
    for done, method in enumerate(methods):
        options.tell("trust", done, len(methods))
        believed.append(method(panel, made, given, options))
    options.tell("trust", len(methods), len(methods))
    findings = tuple(
        Finding(m, b.keys, b.values, b.details, tuple(b.overall)) for m, b in zip(methods, believed, strict=True)
    )
    head = (
        [
            f"{many(len(made[0].systems), made[0].called)} on {many(len(made[0].inputs), made[0].by[:-1])}, scored by "
            f"{many(voters(panel), 'judge')}."
        ]
        if made
        else ["There are no scores."]
    )
    return Answer(
        "scores",
        "trust",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        findings,
        (*head, *(s for b in believed for s in b.sentences)),
        tuple(dict.fromkeys((*notes, *(note for b in believed for note in b.notes)))),
    )
