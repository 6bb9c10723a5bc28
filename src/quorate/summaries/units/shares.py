"""Shares of units: LitePyramid and atomic units, nuggets, rubrics. Sums over the one table; higher is better.

All lie between 0 and 1, except a rubric's with negative weights. A unit that a judge did not look for in an item counts
neither for nor against it.

A long item says more units and more besides. With a penalty for length its share is multiplied by exp(min(0, 1 - words
/ words of a model) / alpha), so that an item no longer than a model keeps its share. A small alpha punishes more. Liu
and others 2023.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.formats.ducview_places import begins
from quorate.kernels.defined import quotient
from quorate.panel.kinds import Scores
from quorate.summaries.units.model import ContentUnits, ModelsText

Array = NDArray[Any]
Sums = Callable[[Array, Array], tuple[Array, Array]]  # of weight and support: what a unit adds, and what it could


def _share(weight: Array, support: Array) -> tuple[Array, Array]:
    return support, np.ones(len(weight))


def _rubric(weight: Array, support: Array) -> tuple[Array, Array]:
    return weight * support, np.maximum(weight, 0.0)


def _strict(of: Sums) -> Sums:
    return lambda weight, support: of(weight, (support >= 1.0).astype(float))


def _vital(weight: Array, support: Array) -> tuple[Array, Array]:
    vital = (weight >= 1.0).astype(float)
    return vital * support, vital


SCHEMES: Mapping[str, Sums] = {
    "share": _share,  # LitePyramid, atomic units: every unit counts the same
    "strict_share": _strict(_share),  # nuggets: only full support counts
    "rubric": _rubric,  # weights; of nuggets vital 1 and okay 0.5
    "strict_rubric": _strict(_rubric),
    "vital": _vital,  # nuggets: the vital ones only
    "vital_strict": _strict(_vital),
}


def shares(table: ContentUnits, scheme: str = "share") -> tuple[Array, Array, Array]:
    """Item, judge and share of every judged item; NaN where the units looked for could add nothing.

    >>> raw = {"unit": ["a", "b", "c"], "item": ["x"] * 3, "support": ["full", "partial", "none"]}
    >>> table = ContentUnits.build({**raw, "weight": ["vital", "vital", "okay"]})
    >>> [float(shares(table, s)[2][0]) for s in ("share", "strict_share", "rubric", "vital", "vital_strict")]
    [0.5, 0.3333333333333333, 0.6, 0.75, 0.5]
    """
    if scheme not in SCHEMES:
        raise BadParameter(f"no scheme '{scheme}'.", suggest(scheme, SCHEMES, "Schemes"))
    unit, item, judge, support, _ = table.cells()
    real = ~table.outside[unit]
    unit, item, judge, support = unit[real], item[real], judge[real], support[real]
    adds, could = SCHEMES[scheme](table.weight[unit], support)
    items, judges = table.judged
    pair, number = items * len(table.judges) + judges, len(items)
    place = np.searchsorted(pair, item * len(table.judges) + judge)
    total = np.bincount(place, adds, number)
    most = np.bincount(place, could, number)
    return items, judges, quotient(total, most)


def to_scores(table: ContentUnits, scheme: str = "share", criterion: Hashable | None = None) -> Scores:
    """The shares as a panel of scores, so that every question can be asked of them; the items are the systems.

    >>> raw = {"unit": ["a", "b"], "item": ["x", "x"], "judge": ["ann", "ann"], "support": [1, 0]}
    >>> to_scores(ContentUnits.build(raw)).value.tolist()
    [0.5]
    """
    item, judge, value = shares(table, scheme)
    listed = [table.items[i] for i in item.tolist()]
    return Scores.build(
        {
            "task": [i.task for i in listed],
            "item": [i.id for i in listed],
            "judge": [table.judges[j] for j in judge.tolist()],
            "criterion": [criterion or scheme] * len(listed),
            "score": value,
        },
        notes=table.notes,
    )


ALPHAS = (0.01, 100.0)  # among which the one that takes out length is looked for


def normalised(values: Array, words: Array, reference: Array, alpha: float) -> Array:
    """Shares of items of so many words, whose models have ``reference`` words, with the penalty.

    >>> normalised(np.array([0.5, 0.5]), np.array([50, 200]), np.array([100, 100]), 1.0).round(4).tolist()
    [0.5, 0.1839]
    """
    if not alpha > 0:
        raise BadParameter(f"alpha={alpha} is out of range.", "alpha is a number above 0.")
    return np.asarray(values * np.exp(np.minimum(0.0, 1.0 - words / reference) / alpha))


def lengths(table: ContentUnits) -> tuple[Array, Array]:
    """Words of each item, and of a model of its task on average.

    >>> texts = {"x": "A dam broke.", "y": "It rained."}
    >>> raw = {"unit": ["a", "a"], "item": ["x", "y"], "support": [1, 0]}
    >>> table = ContentUnits.build(raw, texts=texts).about(texts={"all": ModelsText("A dam broke today.")})
    >>> [found.tolist() for found in lengths(table)]
    [[3.0, 2.0], [4.0, 4.0]]
    """
    bare = next((i for i in table.items if i.text is None), None)
    if bare is not None:
        raise InputError(
            f"the text of item {bare.id} is not known, nor so how long it is.", "--texts FILE with task, item, text."
        )
    known = {task: _model_words(text) for task, text in table.models_texts.items()}
    lost = next((t for t in table.tasks if not known.get(t)), None)
    if lost is not None:
        raise InputError(
            f"the model of task {lost} is not known, nor so how long it is.",
            "--texts FILE: the row of a task without an item is its model.",
        )
    words = np.array([len((i.text or "").split()) for i in table.items], float)
    return words, np.array([known[i.task] for i in table.items], float)


def _model_words(models: ModelsText) -> float:
    """Words of an average model, without the lines that say whose it is."""
    found = begins(models.header, models.text)
    if not found:
        return float(len(models.text.split()))
    ends = [at for at, _ in found[1:]] + [len(models.text)]
    return sum(_said(models.text[a:b]) for (a, _), b in zip(found, ends, strict=True)) / len(found)


def _said(model: str) -> int:
    lines = model.split("\n")
    while lines and (not lines[0].strip().strip("-") or ".M." in lines[0]):
        lines.pop(0)
    return len(" ".join(lines).split())


def without_length(values: Array, words: Array, reference: Array) -> float:
    """The alpha with which the shares have nothing to do with length: their correlation with it is 0."""
    known = ~np.isnan(values)

    def slope(alpha: float) -> float:
        made = normalised(values[known], words[known], reference[known], alpha)
        return float(np.cov(made, words[known])[0, 1])

    low, high = ALPHAS
    if known.sum() < 3 or not slope(low) < 0 < slope(high):
        raise InputError(
            "no alpha takes the length out of these shares.",
            "longer items do not have higher shares here, or none is longer than the models; give a number.",
        )
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return math.sqrt(low * high)


def penalised(table: ContentUnits, item: Array, values: Array, alpha: float | None) -> tuple[Array, float]:
    """Shares of items (their places in the table) with the penalty, and its alpha; None looks for it."""
    words, reference = (found[item] for found in lengths(table))
    chosen = without_length(values, words, reference) if alpha is None else alpha
    return normalised(values, words, reference, chosen), chosen
