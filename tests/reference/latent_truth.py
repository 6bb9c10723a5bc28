"""The label behind the judges' labels, by dictionaries and loops: the models as printed, one step after the other."""

from __future__ import annotations

import math

FLOOR = 1e-10


def shares(answers, labels):
    """``answers``: lists of (judge, label), one list a unit."""
    return [[sum(x == k for _, x in unit) / len(unit) for k in labels] for unit in answers]


def normalised(row):
    top = max(row)
    likely = [math.exp(v - top) for v in row]
    return [v / sum(likely) for v in likely]


def mean(belief, k):
    return sum(row[k] for row in belief) / len(belief)


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
                    log(mean(belief, k))
                    + sum(log(skill[j]) if labels[k] == x else log((1 - skill[j]) / others) for j, x in unit)
                    for k in every
                ]
            )
            for unit in answers
        ]
    return belief
