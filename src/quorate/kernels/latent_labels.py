"""The true label behind many judges' labels, by expectation and maximisation: what each judge is like, and what is so.

Answers are rows: a unit, a judge, a label and what the row counts; units are numbered in the order of their rows. Every
model begins at the shares of the labels given, so that nothing is drawn. In turn the judges are fitted to what is
believed of the units, and the units are believed what the judges as fitted make likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
STEPS = 500  # of the search at most
NEAR = 1e-7  # change of what is believed at which it ends
FLOOR = 1e-10  # of a probability
FREE, NOISE = 0.5, 10.0  # MACE's priors: of knowing and of guessing, and of each label when guessing


@dataclass(frozen=True, eq=False)
class Answers:
    """Labels as rows, sorted by unit."""

    unit: Array  # [row]
    judge: Array  # [row]
    label: Array  # [row]
    mass: Array  # [row] how many judges said so
    units: int
    judges: int
    labels: int

    def by_unit(self, values: Array) -> Array:
        """Sums over the rows of each unit, ``[unit, ...]``; of one without rows 0."""
        if not len(self.unit):
            return np.zeros((self.units, *values.shape[1:]))
        starts = np.searchsorted(self.unit, np.arange(self.units))
        sums = np.add.reduceat(values, np.minimum(starts, len(values) - 1), axis=0)
        sums[np.bincount(self.unit, minlength=self.units) == 0] = 0.0
        return np.asarray(sums)

    def by_judge(self, values: Array) -> Array:
        """Sums over the rows of each judge, ``[judge]``."""
        return np.bincount(self.judge, values, self.judges)

    def shares(self) -> Array:
        """The shares of the labels that each unit was given, ``[unit, label]``: where every search begins."""
        cell = self.unit * self.labels + self.label
        given = np.bincount(cell, self.mass, self.units * self.labels).reshape(self.units, self.labels)
        total = given.sum(axis=1, keepdims=True)
        even = np.full(given.shape, 1 / max(self.labels, 1))
        return np.asarray(np.divide(given, total, out=even, where=total > 0))

    def confusion(self, belief: Array) -> Array:
        """How often each judge says each label where each is believed, ``[judge, believed, said]``."""
        cell, size = self.judge * self.labels + self.label, self.judges * self.labels
        each = [np.bincount(cell, self.mass * belief[self.unit, k], size) for k in range(self.labels)]
        return np.stack(each).reshape(self.labels, self.judges, self.labels).transpose(1, 0, 2)


@dataclass(frozen=True, eq=False)
class Truth:
    """What is believed of each unit, and what the judges are like."""

    belief: Array  # [unit, label]
    right: Array  # [judge] how often the judge says what is believed; NaN of one who says nothing
    confusion: Array | None = None  # [judge, believed, said] as shares, of a model that has them
    facts: dict[str, Any] = field(default_factory=dict)


def search(begin: Array, step: Callable[[Array, int], Array]) -> tuple[Array, dict[str, Any]]:
    """Beliefs made better step by step until they stay as they are."""
    belief = begin
    for k in range(STEPS):
        better = step(belief, k)
        change = float(np.abs(better - belief).max(initial=0.0))
        belief = better
        if change < NEAR:
            return belief, {"steps": k + 1, "converged": True}
    return belief, {"steps": STEPS, "converged": False}


def normalised(log: Array) -> Array:
    """Probabilities from their logarithms, row by row."""
    likely = np.exp(log - log.max(axis=1, keepdims=True)) if log.size else log
    return np.asarray(likely / likely.sum(axis=1, keepdims=True)) if log.size else log


def logs(shares: Array) -> Array:
    """Logarithms of probabilities, none of them below a floor."""
    return np.log(np.maximum(shares, FLOOR))


# -- Dawid and Skene ---------------------------------------------------------------------------------------------------


Usual = Callable[[Array, float], Array]  # what is usual, from how often each judge says what, [judge, believed, said]


def dawid_skene(answers: Answers, prior: float, usual: Usual | None = None) -> Truth:
    """Every judge confuses labels in a way of his own; ``prior``: answers that what is usual counts as.

    What is usual has levels, so that a judge of five answers is not believed beyond them: how often a judge is right is
    drawn towards how often all are, what a judge says in place of a label towards what a judge so often right would
    say, erring as all do (or as another ``usual`` tells), how all err towards erring alike, and how frequent labels are
    towards equal shares. 0: as printed by Dawid and Skene.
    """
    said = np.zeros(0)

    def step(belief: Array, k: int) -> Array:
        nonlocal said
        said = shrunk_confusion(answers, belief, prior, usual)
        likely = logs(said).transpose(0, 2, 1)[answers.judge, answers.label]  # [row, believed]
        return normalised(logs(frequent(answers, belief, prior)) + answers.by_unit(likely * answers.mass[:, None]))

    belief, facts = search(answers.shares(), step)
    return Truth(belief, how_often_right(answers, belief), said, facts)


def frequent(answers: Answers, belief: Array, prior: float) -> Array:
    """How frequent each label is, ``[label]``; equal shares count as the units that ``prior`` answers are of.

    Of a handful of units the shares are hardly known: without this a majority is overruled because its label is rare.
    """
    units = prior * answers.units / max(float(answers.mass.sum()), FLOOR)
    return np.asarray((belief.sum(axis=0) + units / max(answers.labels, 1)) / max(answers.units + units, FLOOR))


def shrunk_confusion(answers: Answers, belief: Array, prior: float, usual: Usual | None = None) -> Array:
    """What each judge says where each label is believed, as shares drawn towards what is usual, ``[judge, .., ..]``."""
    counts = answers.confusion(belief)
    total = counts.sum(axis=2, keepdims=True) + prior
    shares = counts + prior * (usual or usual_confusion)(counts, prior)
    return quotient(shares, total, otherwise=0.0)


def usual_confusion(counts: Array, prior: float) -> Array:
    """What a judge who is as often right as each one would say who errs as all do, ``[judge, believed, said]``."""
    labels = counts.shape[1]
    right, said = np.trace(counts, axis1=1, axis2=2), counts.sum(axis=(1, 2))
    mean = (right.sum() + 0.5) / (said.sum() + 1)
    alike = np.full((labels, labels), (1 - mean) / max(labels - 1, 1))
    np.fill_diagonal(alike, mean)
    every = counts.sum(axis=0) + prior * alike
    every = every / every.sum(axis=1, keepdims=True)  # [believed, said]
    skill = quotient(right + prior * mean, said + prior, otherwise=mean)
    log_odds = odds_of(np.diagonal(every)) + (odds_of(skill) - odds_of(mean))[:, None]  # [judge, believed]
    hit = 1 / (1 + np.exp(-log_odds))
    miss = every * (1 - np.eye(labels))
    miss = miss / np.maximum(miss.sum(axis=1, keepdims=True), FLOOR)
    return np.asarray(hit[:, :, None] * np.eye(labels) + (1 - hit)[:, :, None] * miss)


def odds_of(share: Any) -> Any:
    """Log odds, of shares kept off 0 and 1."""
    some = np.clip(share, 1e-6, 1 - 1e-6)
    return np.log(some / (1 - some))


def how_often_right(answers: Answers, belief: Array) -> Array:
    """How often each judge says what is believed, ``[judge]``."""
    said = answers.by_judge(answers.mass)
    agreed = answers.by_judge(answers.mass * belief[answers.unit, answers.label])
    return quotient(agreed, said)


# -- one coin ----------------------------------------------------------------------------------------------------------


def one_coin(answers: Answers, prior: float) -> Truth:
    """Every judge is right as often on every label and errs to each other label alike.

    ``prior``: answers of the usual judge that each judge begins with.
    """
    others = max(answers.labels - 1, 1)
    skill = np.zeros(0)

    def step(belief: Array, k: int) -> Array:
        nonlocal skill
        right = answers.mass * belief[answers.unit, answers.label]
        usual = float(right.sum() / max(answers.mass.sum(), FLOOR))
        skill = (answers.by_judge(right) + prior * usual) / np.maximum(answers.by_judge(answers.mass) + prior, FLOOR)
        wrong = logs((1 - skill) / others)
        gain = answers.mass * (logs(skill) - wrong)[answers.judge]
        cell = answers.unit * answers.labels + answers.label
        log = np.bincount(cell, gain, belief.size).reshape(belief.shape)
        return normalised(
            logs(frequent(answers, belief, prior)) + log
        )  # what is wrong on all labels alike makes no difference

    belief, facts = search(answers.shares(), step)
    return Truth(belief, np.where(answers.by_judge(answers.mass) > 0, skill, math.nan), None, facts)


# -- MACE --------------------------------------------------------------------------------------------------------------


def mace(answers: Answers, digamma: Callable[[Array], Array]) -> Truth:
    """A judge knows the label or guesses, in a way of his own (Hovy and others 2013), by variational Bayes."""
    knows = np.zeros(0)

    def step(belief: Array, k: int) -> Array:
        nonlocal knows
        right = belief[answers.unit, answers.label]
        sure = right if not k else right * _known(answers, knows, guess)
        knows, guess[:] = _fitted(answers, sure, digamma)
        told = knows[answers.judge, 0]
        blind = knows[answers.judge, 1] * guess[answers.judge, answers.label]
        gain = answers.mass * (np.log(told + blind) - np.log(np.maximum(blind, FLOOR)))
        cell = answers.unit * answers.labels + answers.label
        return normalised(np.bincount(cell, gain, belief.size).reshape(belief.shape))

    guess = np.zeros((answers.judges, answers.labels))
    belief, facts = search(answers.shares(), step)
    share = knows[:, 0] / knows.sum(axis=1) if len(knows) else np.zeros(answers.judges)
    return Truth(belief, np.where(answers.by_judge(answers.mass) > 0, share, math.nan), None, facts)


def _known(answers: Answers, knows: Array, guess: Array) -> Array:
    """Of an answer that is right: how likely it was known, not guessed, ``[row]``."""
    told = knows[answers.judge, 0]
    return np.asarray(told / (told + knows[answers.judge, 1] * guess[answers.judge, answers.label]))


def _fitted(answers: Answers, sure: Array, digamma: Callable[[Array], Array]) -> tuple[Array, Array]:
    """How likely each judge knows and guesses, ``[judge, 2]``, and guesses each label, ``[judge, label]``."""
    knew, guessed = answers.mass * sure, answers.mass * (1 - sure)
    times = np.stack([answers.by_judge(knew), answers.by_judge(guessed)], axis=1) + FREE
    cell = answers.judge * answers.labels + answers.label
    said = np.bincount(cell, guessed, answers.judges * answers.labels).reshape(answers.judges, -1) + NOISE
    knows, guess = (np.exp(digamma(x) - digamma(x.sum(axis=1, keepdims=True))) for x in (times, said))
    return knows, guess


# -- GLAD --------------------------------------------------------------------------------------------------------------


def glad(answers: Answers, minimise: Callable[[Callable[..., tuple[float, Array]], Array, Array], Array]) -> Truth:
    """Judges are able and units are hard (Whitehill and others 2009): right with odds exp(ability x ease).

    ``minimise(cost, begin, right)`` goes some steps down from ``begin``, by values and slopes of the cost.
    """
    others = max(answers.labels - 1, 1)
    state = np.ones(answers.judges + answers.units)  # abilities, and logarithms of how easy units are

    def odds(x: Array) -> tuple[Array, Array, Array]:
        ability, ease = x[: answers.judges][answers.judge], np.exp(np.clip(x[answers.judges :], -8, 8))[answers.unit]
        return ability, ease, ability * ease

    def cost(x: Array, right: Array) -> tuple[float, Array]:
        ability, ease, z = odds(x)
        fit = answers.mass * (right * np.logaddexp(0, -z) + (1 - right) * (np.logaddexp(0, z) + math.log(others)))
        slope = answers.mass * (1 / (1 + np.exp(-np.clip(z, -700, 700))) - right)
        pull = x - 1
        by_unit = np.bincount(answers.unit, slope * ability * ease, answers.units)
        gradient = np.concatenate([answers.by_judge(slope * ease), by_unit]) + pull
        return float(fit.sum() + 0.5 * (pull**2).sum()), gradient

    def step(belief: Array, k: int) -> Array:
        nonlocal state
        right = belief[answers.unit, answers.label]
        state = minimise(cost, state, right)
        z = odds(state)[2]
        gain = answers.mass * (z + math.log(others))  # log odds of being right, beside any one other label
        cell = answers.unit * answers.labels + answers.label
        return normalised(np.bincount(cell, gain, belief.size).reshape(belief.shape))

    belief, facts = search(answers.shares(), step)
    about = {**facts, "ease": state[answers.judges :]}
    return Truth(belief, how_often_right(answers, belief), None, about)
