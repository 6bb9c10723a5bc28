"""The label behind the judges' labels: judges are weighed by how often they are right, which is found out on the way.

Nobody has to know the truth: who agrees with the others more than their errors allow is right more often, and counts
more, which says better what is so. What comes out is a label, how likely each label is, and what each judge is like.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import latent_labels as kernel
from quorate.kernels import reliability
from quorate.kernels.ordered_labels import ordered_confusion
from quorate.panel.consensus_value import Agreed
from quorate.panel.units import Units, from_table  # noqa: F401  (for the examples)
from quorate.scores.averages import consensus_method
from quorate.table import Note, Parameter, number

Array = NDArray[Any]
LABELS = 200  # values, of more they are no labels
ORDERED = 30  # the same of labels in order
STEPS = 25  # down the cost of GLAD, between two looks at what is believed
NEAR = 1e-9  # two labels as likely as one another

PRIOR: Parameter = number("answers that what is usual among the judges counts as; 0: none", 0.0)


def _truth(units: Units, model: Callable[[kernel.Answers], kernel.Truth], most: int = LABELS) -> Agreed:
    """What a model believes of every unit; NaN where two labels are as likely."""
    known, code = reliability.codes(units.value)
    labels = len(known)
    if not 0 < labels <= most:
        nothing = np.full(units.size, math.nan)
        return Agreed(nothing, np.zeros(units.size), {"labels": labels})
    answers = kernel.Answers(units.unit, units.judge, code, units.mass, units.size, len(units.judges), labels)
    found = model(answers)
    order = np.sort(found.belief, axis=1)
    best = found.belief.argmax(axis=1)
    tied = order[:, -1] - order[:, -2] < NEAR if labels > 1 else np.zeros(units.size, bool)
    votes = np.bincount(units.unit, units.mass * (code == best[units.unit]), units.size)
    facts = {**found.facts, "belief": found.belief, "known": known, "confusion": found.confusion}
    return Agreed(np.where(tied, math.nan, known[best]), votes, facts, judges={"accuracy": found.right})


@consensus_method(
    "dawid_skene",
    prior=PRIOR,
    note=Note(
        "Labels by crowds, or by people and models, of unequal care; judges who take one label for another.",
        "Judges who err together are believed. With few answers a judge it is a little surer than it is right.",
        "P(k | answers of u) ~ p_k product over judges of c_j[k, x_ju]; c_j[k, l] = (times j said l where k is "
        "believed + prior m_j[k, l]) / (times k is believed + prior), m_j what a judge as often right says who errs "
        "as all do, and all alike as far as little is known; p_k is drawn towards equal shares; by expectation and "
        "maximisation from the shares of labels",
    ),
)
def dawid_skene(units: Units, prior: float = 20.0) -> Agreed:
    """The likeliest label when every judge confuses labels in a way of his own (Dawid and Skene 1979).

    A judge with few answers is taken to be as the others are: ``prior`` answers' worth; of few items, labels are taken
    to be equally frequent. 0 is the model as printed.

    >>> table = [[0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 0, 1], [1, 1, 0, 0, 1, 0], [1, 1, 0, 0, 1, 0]]
    >>> dawid_skene(from_table(table)).array.tolist()
    [0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    """
    return _truth(units, lambda answers: kernel.dawid_skene(answers, prior))


@consensus_method(
    "ordinal",
    prior=PRIOR,
    usual=ordered_confusion,
    note=Note(
        "Labels in order (--scale low,medium,high): judges err to labels next to the true one, some always upwards.",
        "Labels without an order, for which it takes neighbours to be alike. Judges who err together are believed.",
        "as dawid_skene, with m_j[k, l] = P(l - 1/2 < k + shift_j + noise_j e < l + 1/2), e logistic, and a share of "
        "guesses: the mean over all shifts, noises and shares, each as likely as it makes j's answers",
    ),
)
def ordinal(units: Units, prior: float = 20.0) -> Agreed:
    """The likeliest label when labels have an order, and every judge sees them with a shift and noise of his own.

    What judges with many answers say may differ from that: it counts as ``prior`` answers for each label.

    >>> table = [[0, 1, 2, 1, 0, 2], [0, 1, 2, 1, 0, 2], [0, 1, 2, 1, 0, 2], [1, 2, 2, 2, 1, 2], [1, 2, 2, 2, 1, 2]]
    >>> ordinal(from_table(table)).array.tolist()
    [0.0, 1.0, 2.0, 1.0, 0.0, 2.0]
    """
    return _truth(units, lambda answers: kernel.dawid_skene(answers, prior, ordered_confusion), ORDERED)


@consensus_method(
    "one_coin",
    prior=PRIOR,
    note=Note(
        "Many judges with few labels each: one number a judge is all that they can tell.",
        "A judge who confuses two labels only, or always says the same, is not seen as such.",
        "as dawid_skene, with c_j[k, k] = s_j and (1 - s_j) / (labels - 1) elsewhere",
    ),
)
def one_coin(units: Units, prior: float = 20.0) -> Agreed:
    """The likeliest label when every judge is right as often on all labels, and errs to each other label alike.

    >>> one_coin(from_table([[0, 1, 1], [0, 1, 1], [1, 1, 0]])).array.tolist()
    [0.0, 1.0, 1.0]
    """
    return _truth(units, lambda answers: kernel.one_coin(answers, prior))


@consensus_method(
    "mace",
    note=Note(
        "Judges who may not look: each knows or guesses, and who guesses has habits.",
        "Careful judges who err are taken for guessers now and then.",
        "P(x_ju = l | k) = t_j [l = k] + (1 - t_j) g_j[l]; by variational Bayes",
    ),
)
def mace(units: Units) -> Agreed:
    """The likeliest label when every judge either knows it or guesses by a habit (Hovy and others 2013).

    A judge's ``accuracy`` is how often he knows.

    >>> mace(from_table([[0, 1, 1], [0, 1, 1], [1, 1, 0]])).array.tolist()
    [0.0, 1.0, 1.0]
    """
    from scipy.special import digamma

    return _truth(units, lambda answers: kernel.mace(answers, digamma))


@consensus_method(
    "glad",
    note=Note(
        "Items of unequal difficulty, and judges of unequal ability.",
        "With two or three judges an item its difficulty is mostly a guess.",
        "P(x_ju = k) = 1 / (1 + exp(-a_j exp(b_u))), the rest shared by the other labels; a and b near 1 by a normal "
        "prior",
    ),
)
def glad(units: Units) -> Agreed:
    """The likeliest label when judges are able and items are hard (Whitehill and others 2009).

    >>> glad(from_table([[0, 1, 1], [0, 1, 1], [1, 1, 0]])).array.tolist()
    [0.0, 1.0, 1.0]
    """
    return _truth(units, lambda answers: kernel.glad(answers, some_steps))


def some_steps(cost: Callable[..., tuple[float, Array]], begin: Array, right: Array) -> Array:
    """Some steps down a cost, by a memory of its slopes."""
    from scipy.optimize import minimize

    return np.asarray(minimize(cost, begin, (right,), "L-BFGS-B", jac=True, options={"maxiter": STEPS}).x)


METHODS: dict[str, Callable[..., Agreed]] = {
    "dawid_skene": dawid_skene,
    "ordinal": ordinal,
    "one_coin": one_coin,
    "mace": mace,
    "glad": glad,
}


def confusion_rows(units: Units, found: Agreed, scale: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Of a model that has them: what each judge says where each label is believed; the worst mistakes first."""
    said = found.facts.get("confusion")
    if said is None:
        return []
    names = [scale[int(v)] for v in found.facts["known"].tolist()]
    here = np.bincount(units.judge, minlength=len(units.judges)) > 0
    rows = [
        {"judge": units.judges[j], "truth": names[k], "label": names[m], "share": float(said[j, k, m])}
        for j in np.flatnonzero(here).tolist()
        for k in range(len(names))
        for m in range(len(names))
    ]
    return sorted(rows, key=lambda row: (row["truth"] == row["label"], -row["share"]))
