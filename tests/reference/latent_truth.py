"""The label behind the judges' labels, by dictionaries and loops: the models as printed, one step after the other."""

from __future__ import annotations

import math
from itertools import pairwise

FLOOR = 1e-10


def shares(answers, labels):
    """``answers``: lists of (judge, label), one list a unit."""
    return [[sum(x == k for _, x in unit) / len(unit) for k in labels] for unit in answers]


def normalised(row):
    top = max(row)
    likely = [math.exp(v - top) for v in row]
    return [v / sum(likely) for v in likely]


def mean(belief, k, answers=(), prior=0.0):
    """How frequent a label is; with a prior equal shares count as the units that so many answers are of."""
    units = prior * len(belief) / sum(map(len, answers)) if prior else 0.0
    return (sum(row[k] for row in belief) + units / len(belief[0])) / (len(belief) + units)


def log(p):
    return math.log(max(p, FLOOR))


def dawid_skene(answers, labels, steps):
    """Maximum likelihood by so many steps, no prior."""
    belief = shares(answers, labels)
    every = range(len(labels))
    for _ in range(steps):
        judges = {j for unit in answers for j, _ in unit}
        said = {
            (j, k, x): sum(row[k] for unit, row in zip(answers, belief, strict=True) if (j, x) in unit)
            for j in judges
            for k in every
            for x in labels
        }
        belief = [
            normalised(
                [
                    log(mean(belief, k))
                    + sum(log(said[j, k, x] / (sum(said[j, k, y] for y in labels) or 1.0)) for j, x in unit)
                    for k in every
                ]
            )
            for unit in answers
        ]
    return belief


def ordered_judge(labels, shift, noise, guess):
    """What a judge says who sees label k at k + shift with logistic noise, and now and then guesses: ``[k][l]``."""

    def below(k, end):
        return 1 / (1 + math.exp(-max(min((end - k - shift) / noise, 700), -700)))

    rows = []
    for k in range(labels):
        ends = [0.0, *(below(k, x + 0.5) for x in range(labels - 1)), 1.0]
        rows.append([(b - a) * (1 - guess) + guess / labels for a, b in pairwise(ends)])
    return rows


def ordinal(answers, labels, steps, prior, grid):
    """Dawid and Skene's model drawn towards judges of the ``grid`` of (shift, noise, guess), so many steps."""
    belief, every = shares(answers, labels), range(len(labels))
    known = [(ordered_judge(len(labels), *how), (how[0] / 0.5) ** 2 / 2) for how in grid]
    for _ in range(steps):
        judges = sorted({j for unit in answers for j, _ in unit})
        count = {
            (j, k, x): sum(row[k] for unit, row in zip(answers, belief, strict=True) if (j, labels[x]) in unit)
            for j in judges
            for k in every
            for x in every
        }
        total = sum(count.values())
        usual = {(k, x): sum(count[j, k, x] for j in judges) / max(total, 1.0) for k in every for x in every}
        said = {}
        for j in judges:
            fit = [
                sum((count[j, k, x] + prior * usual[k, x]) * log(p[k][x]) for k in every for x in every) - far
                for p, far in known
            ]
            weight = normalised(fit)
            for k in every:
                held = sum(count[j, k, x] for x in every)
                for x in every:
                    mean_said = sum(w * p[k][x] for w, (p, _) in zip(weight, known, strict=True))
                    said[j, k, labels[x]] = (count[j, k, x] + prior * mean_said) / (held + prior)
        belief = [
            normalised([log(mean(belief, k, answers, prior)) + sum(log(said[j, k, x]) for j, x in unit) for k in every])
            for unit in answers
        ]
    return belief


def label_bias(answers, labels):
    """By judge and label: how much more often it is said than others of the same units say it."""
    parts = {}
    for unit in answers:
        for j, x in unit:
            others = [y for i, y in unit if i != j]
            for k in labels if others else ():
                beyond = (x == k) - sum(y == k for y in others) / len(others)
                parts.setdefault((j, k), []).append(beyond)
    return {key: sum(values) / len(values) for key, values in parts.items()}


def one_coin(answers, labels, steps, prior):
    belief = shares(answers, labels)
    every = range(len(labels))
    for _ in range(steps):
        total = sum(len(unit) for unit in answers)
        right = {}
        number = {}
        for unit, row in zip(answers, belief, strict=True):
            for j, x in unit:
                right[j] = right.get(j, 0.0) + row[labels.index(x)]
                number[j] = number.get(j, 0) + 1
        usual = sum(right.values()) / total
        skill = {j: (right[j] + prior * usual) / (number[j] + prior) for j in right}
        others = max(len(labels) - 1, 1)
        belief = [
            normalised(
                [
                    log(mean(belief, k, answers, prior))
                    + sum(log(skill[j]) if labels[k] == x else log((1 - skill[j]) / others) for j, x in unit)
                    for k in every
                ]
            )
            for unit in answers
        ]
    return belief
