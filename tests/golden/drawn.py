"""Which figures are drawn: those that move with the seed. All others may not move at all.

``python -m tests.golden --seed 1`` shows whether the list is whole: a figure that moves and is not on it counts as
changed.
"""

from __future__ import annotations

from functools import cache

DRAWN = {  # kind, question, method: fields (of a block, or inside one)
    "* * *": "interval chance p_value p_holm",
    "groupings agreement *": "baseline more_than_chance no_more_than_chance significant",
    "groupings judges peer_agreement": "flag",
    "groupings consensus *": "stays",
    "groupings quality *": "p_best group tau same_best",
    "groupings trust agreement_stability": "low high judge_order_tau same_lowest",
    "groupings trust sensitivity": (
        "value low high split_loss merge_loss at_singletons at_one range_used middle punishes"
    ),
    "orderings judges peer_correlation": "consensus_interval consensus_p consensus_p_holm flag",
    "orderings consensus *": "first rank_interval",
    "orderings quality *": "p_best group",
    "orderings trust judges_needed": "value one_judge observed agreement ed",
    "orderings trust noise": "value max-min",
    "orderings trust split_half": "value half",
    "orderings trust sweep": "noisy noisy_interval best_noisy ed_noisy",
    "scores judges alternative": "advantage_interval",
    "scores judges auto_pyramid": "p flag",
    "scores judges independence": "effective_interval",
    "scores judges peer_agreement": "flag",
    "scores judges peer_correlation": "flag",
    "scores judges self_consistency": "p flag",
    "scores consensus *": "p_best group cluster",
    "scores quality *": "p_best group cluster",
    "scores trust metrics": "bootstrap_mean random random_low random_high random_interval",
    "scores trust soft_pairwise_accuracy": "value",
    "scores trust without_worst": "random random_low random_high random_interval",
}
EXACT = {  # though their names are those of drawn fields
    "scores judges bias": "p_holm",
    "scores judges copies": "interval",
}

LEAPS = {  # over a few tasks they jump from one value to another: any will do
    "groupings judges ranks": "interval",
    "orderings trust judges_needed": "value interval",
    "scores trust influence": "interval",
    "scores trust without_worst": "interval",
}

# A drawn figure may move by TIMES its spread over SEEDS seeds (the largest over the rows of a method), and by ...
SEEDS, TIMES = 5, 3.0
STEPS = {"rank_interval": 1.5, "cluster": 1, "more_than_chance": 1, "no_more_than_chance": 1, "significant": 1}
SHARE = 0.15  # ... of an interval's width, and of a figure's distance from zero
P, LEAST = 0.05, 0.02  # ... of a p-value, and of any other figure


@cache
def is_drawn(kind: str, question: str, method: str, *names: str) -> bool:
    """Whether a figure is drawn, by the names of its field and of the place inside it."""
    if not set(names).isdisjoint(_fields(EXACT, kind, question, method)):
        return False
    return not set(names).isdisjoint(_fields(DRAWN, kind, question, method))


@cache
def leaps(kind: str, question: str, method: str, *names: str) -> bool:
    """Whether nobody can tell how far a drawn figure may move."""
    return not set(names).isdisjoint(_fields(LEAPS, kind, question, method))


@cache
def least(name: str) -> float:
    """How far a drawn figure may move anyway, by the name of its field."""
    is_p = name == "p" or name.startswith("p_") or name.endswith(("_p", "_p_holm"))
    return STEPS.get(name, P if is_p else LEAST)


def _fields(declared: dict[str, str], *place: str) -> set[str]:
    return {f for key, fields in declared.items() if _fits(key, place) for f in fields.split()}


def _fits(key: str, place: tuple[str, ...]) -> bool:
    return all(a in ("*", b) for a, b in zip(key.split(), place, strict=True))
