"""Scores: judges give items scores. One file per question; plain functions of tables of scores are here.

>>> from quorate.scores import alpha, icc
>>> round(alpha([[1, 2, 3], [1, 2, 4]]), 4), round(icc([[1, 2, 3], [1, 2, 4]]).value, 4)
(0.878, 0.9)
"""

from quorate.scores import judges
from quorate.scores.agreement import alpha, alpha_without, cohen, fleiss, gwet, icc, kendall_w, percent
from quorate.scores.consensus import consensus_scores
from quorate.scores.quality import mean_score  # noqa: F401  (registers the methods)
from quorate.scores.trust import acc_eq, discriminated, permutation_test, spa, williams

LETTERS = """
A unit is what several judges gave one score each: an item of a task by one criterion. In formulas x_ju is judge j's
score of unit u, a_u the level of the unit and b_j the shift of the judge; N is the number of judges and n of units; P_o
is the share of pairs of judges who agree on a unit, mean over units, and P_e what chance gives.
"""  # in the formulas of methods
ORDER = {  # of methods, as they are shown; of each question the first default one comes first in answers
    "agreement": "alpha percent fleiss gwet cohen icc kendall_w across label_sets",
    "judges": (
        "alternative auto_pyramid copies independence peer_correlation bias severity noise influence "
        "peer_agreement label_bias scale_use drift self_consistency"
    ),
    "consensus": (
        "mean median trimmed_mean consistency_weighted additive majority dawid_skene ordinal one_coin mace glad"
    ),
    "quality": "mean_score bradley_terry",
    "trust": (
        "without_worst influence variance_components split_half judges_needed majority_stability "
        "prediction_powered people_worth model_bias calibration metrics "
        "metric_differences discriminative_power pairwise_accuracy "
        "soft_pairwise_accuracy"
    ),
}

__all__ = [
    "acc_eq",
    "alpha",
    "alpha_without",
    "cohen",
    "consensus_scores",
    "discriminated",
    "fleiss",
    "gwet",
    "icc",
    "judges",
    "kendall_w",
    "percent",
    "permutation_test",
    "spa",
    "williams",
]
