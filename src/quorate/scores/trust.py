"""How far can the result be trusted? Leaderboards without the worst judges, and automatic metrics against human scores.

* :mod:`~quorate.scores.without_worst`: the systems' order without the worst judges, and without each;
* :mod:`~quorate.scores.variance_components`: where the variance comes from, and how many judges it takes;
* :mod:`~quorate.scores.majority`: would another panel name the same labels;
* :mod:`~quorate.scores.prediction_powered`: systems' means as people would have them, from a part that they judged;
* :mod:`~quorate.scores.people_worth`: how many people a model is worth;
* :mod:`~quorate.scores.model_bias`: what a model favours that people do not;
* :mod:`~quorate.scores.calibration`: what a model's score means;
* :mod:`~quorate.scores.metrics`: metrics against human scores at four levels, before and after;
* :mod:`~quorate.scores.metric_differences`: is one metric better than another;
* :mod:`~quorate.scores.pairwise_accuracy`: do metrics order pairs as people do;
* :mod:`~quorate.scores.discriminative_power`: do they find the same significant differences.

A method is a function of a criterion's outputs, with the metrics beside them, and of the core.
"""

from __future__ import annotations

from collections.abc import Sequence

from quorate import table
from quorate.panel.kinds import Scores
from quorate.scores import labels
from quorate.scores.calibration import calibration
from quorate.scores.discriminative_power import discriminated, discriminative_power
from quorate.scores.majority import majority_stability
from quorate.scores.metric_differences import metric_differences, permutation_test, williams
from quorate.scores.metrics import metrics
from quorate.scores.model_bias import model_bias
from quorate.scores.pairwise_accuracy import acc_eq, pairwise_accuracy, soft_pairwise_accuracy, spa
from quorate.scores.people_worth import people_worth
from quorate.scores.prediction_powered import models_alone, prediction_powered
from quorate.scores.variance_components import judges_needed, split_half, variance_components
from quorate.scores.without_worst import influence, without_worst
from quorate.table import Method

__all__ = [
    "acc_eq",
    "calibration",
    "discriminated",
    "discriminative_power",
    "fitting",
    "influence",
    "judges_needed",
    "majority_stability",
    "metric_differences",
    "metrics",
    "model_bias",
    "pairwise_accuracy",
    "people_worth",
    "permutation_test",
    "prediction_powered",
    "soft_pairwise_accuracy",
    "spa",
    "split_half",
    "variance_components",
    "williams",
    "without_worst",
]


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Labels make no leaderboard: of them it is told whether another panel would name the same.

    Where models scored what people did not, systems' means as people would have them come first.
    """
    found = labels.fitting(panel, "trust", methods)
    usual = table.methods("scores", "trust", default=True)
    if [str(m) for m in found] == [str(m) for m in usual] and models_alone(panel):
        found = [table.parse("prediction_powered", "scores", "trust"), *found]
    return found
