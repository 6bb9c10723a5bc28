"""Few people, many models: what people would say of systems, from a part that they judged and models' scores of all.

Models alone are cheap and biased; people alone are right and few. On the inputs that both judged one sees how far
models are off, and takes that off what they say of the others (Angelopoulos and others 2023). How much they count is
chosen so that the error is least (2024): models who go with nobody count nothing, and nothing is lost by them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign, tabled
from quorate.panel.units import both_kinds, kinds
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.panel.kinds import Scores

Array = NDArray[Any]
FEW = 5  # inputs that people and models judged, of fewer nothing is told


def models_alone(panel: Scores) -> float:
    """Which share of the units models scored and no person did, where people scored some."""
    if not both_kinds(panel) or panel.scale:
        return 0.0
    people, _ = kinds(panel)
    seen = np.isin(panel.judge.codes, people)
    units = panel.item.codes.astype(np.int64) * len(panel.tasks) + panel.task.codes
    return len(np.setdiff1d(units[~seen], units[seen])) / len(np.unique(units))


def tables(made: OutputDesign) -> tuple[Array, Array]:
    """The means of people and of models, ``[input, system]``, NaN where there are none."""
    units = made.scores
    people, models = kinds(units.panel)
    shape = (len(made.tasks), len(made.systems))

    def means(judges: Array) -> Array:
        mine = np.isin(units.judge, judges)
        return tabled(units.value[mine], made.input[units.unit[mine]], made.system[units.unit[mine]], shape)

    return means(people), means(models)


def weight_of_models(people: Array, models: Array) -> float:
    """How much models' scores count, the same for all systems: as makes the error least, 0 where they go with nobody.

    Covariance and variance are within systems; ``1 + n / m`` is for models' own error on the inputs that they alone
    judged.
    """
    both = ~np.isnan(people) & ~np.isnan(models)
    alone = np.isnan(people) & ~np.isnan(models)
    top = bottom = 0.0
    for k in np.flatnonzero((both.sum(axis=0) > 1) & alone.any(axis=0)).tolist():
        y, f = people[both[:, k], k], models[both[:, k], k]
        more = 1 + both[:, k].sum() / alone[:, k].sum()
        top += float(((y - y.mean()) * (f - f.mean())).sum())
        bottom += float(((f - f.mean()) ** 2).sum()) * more
    return max(top / bottom, 0.0) if bottom > 0 else 0.0


@trust_method(
    "prediction_powered",
    range=(-math.inf, math.inf),
    higher="a better system, according to people",
    reference="Angelopoulos, Bates, Fannjiang, Jordan, Zrnic 2023; Angelopoulos, Duchi, Zrnic 2024",
    note=Note(
        "People judged a part, models all: systems' means as people would have them, with valid intervals.",
        "The part that people judged must be a random one; hand-picked inputs make it wrong. With fewer than about 20 "
        "of them the gain is small.",
        "w mean of f on inputs of models alone + mean of (y - w f) on inputs of both; w = cov(y, f) / (var f (1 + n / "
        "m)), n inputs of both, m of models alone; error^2 = var(y - w f) / n + w^2 var f / m, Student's t",
    ),
)
def prediction_powered(made: OutputDesign, core: Core) -> Trusted:
    """Systems' means as people would have them, from people's scores of a part and models' scores of all.

    Beside it: people alone, how many inputs people would have to judge for as small an error, and for half of it.
    """
    over = core.over(made, "tasks")
    if not both_kinds(made.scores.panel):
        return Trusted(
            {"system": []}, [], [], notes=("prediction_powered: who is human, who is a model? --models A,B",)
        )
    people, models = tables(made)
    weight = weight_of_models(people, models)
    estimates, rows = [], []
    for k, system in enumerate(made.systems):
        y, f = people[:, k], models[:, k]
        both, alone = ~np.isnan(y) & ~np.isnan(f), np.isnan(y) & ~np.isnan(f)
        n, m = int(both.sum()), int(alone.sum())
        if n < FEW or not m:
            continue
        left, own = y[both] - weight * f[both], y[both]
        value = float(weight * f[alone].mean() + left.mean())
        error = [(float(left.var(ddof=1)) / n, n)]
        if weight and m > 1:
            error.append((weight**2 * float(f[alone].var(ddof=1)) / m, m))
        total, plain = sum(v for v, _ in error), float(own.var(ddof=1)) / n
        alone_as_good = n * plain / total if total > 0 else math.nan
        worth = min(alone_as_good, n + m)  # all there are, at most
        rest = total - error[0][0]
        half = n * error[0][0] / (total / 4 - rest) if total / 4 > rest else math.inf
        half = min(half, 4 * alone_as_good)  # as many people do it without models
        labels = {
            **made.labels,
            "system": system,
            "people_only": float(own.mean()),
            "people": n,
            "models": n + m,
            "worth": worth,
            "to_halve": half,
        }
        estimates.append(core.figure(value, labels, core.student(value, error, over)))
        rows.append((system, value))
    estimates.sort(key=lambda e: -float(e.value))
    rows.sort(key=lambda row: -row[1])
    keys = {**labelled(made, len(rows)), "system": [s for s, _ in rows]}
    return Trusted(keys, [v for _, v in rows], estimates, about={"weight": weight})
