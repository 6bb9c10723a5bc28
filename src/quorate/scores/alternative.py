"""May this model replace a human judge? The alternative-annotator test of Calderon, Reichart and Dror (2025).

Each human in turn steps aside: on every unit, who is nearer to the remaining humans, the model or the human? The model
wins against that human unless it is nearer significantly less often, once ``epsilon`` is granted to it for being
cheaper. A model that wins against at least half the humans may replace one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.panel.coefficient import Coefficient
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units, kinds
from quorate.scores.t_test import lower_tail
from quorate.table import Note, choice, method, number, share, whole

Array = NDArray[Any]
WIN = 0.5  # of the humans


def _tested(units: Units, align: str, each: str, least: int) -> dict[int, list[Contest]]:
    """Of every model the contests with humans that share enough units."""
    human, model = kinds(units.panel)
    humans = units.of_judges(human)
    every = {int(m): _contests(units.of_judges([m]), humans, align, each) for m in model.tolist()}
    return {m: [c for c in contests if len(c[1][0]) >= least] for m, contests in every.items()}


def _p_values(contests: Sequence[Contest], epsilon: float) -> Array:
    return np.array([_p(own - models, epsilon) for _, (_, models, own) in contests])


def _rows(
    design: ScoreDesign, core: Any, *, epsilon: float, align: str, fdr: float, least: int, each: str
) -> list[dict[str, Any]]:
    """Every model against every human."""
    judges, out = design.judges, []
    for m, contests in _tested(design.scores, align, each, least).items():
        p = _p_values(contests, epsilon)
        for (h, (unit, models, own)), pp, b in zip(contests, p.tolist(), yekutieli(p, fdr).tolist(), strict=True):
            row = {"judge": judges[m], "human": judges[h], "value": float(models.mean())}
            out.append({**row, "human_advantage": float(own.mean()), "p": pp, "won": bool(b), "units": len(unit)})
    return out


def _advantage(
    design: ScoreDesign, core: Any, *, align: str, each: str, least: int, **others: Any
) -> dict[str, list[Any]]:
    """The interval of how often a model is the nearer one, the mean over humans: units, or tasks, are drawn."""
    size, over = design.scores.size, design.drawn_as(core.options.over or f"{each}s".replace("unit", "item"))
    ends: list[list[float] | None] = [None] * len(design.judges)
    for m, contests in _tested(design.scores, align, each, least).items():
        if (
            contests and "judges" not in over and (each == "unit" or over == "tasks")
        ):  # the humans are those who are there
            draws = core.budget.draws(size * (2 + len(contests)))
            often = design.often(core.bootstrap(design, over, draws, core.stream("drawn")))
            drawn = np.mean([_share(often[:, unit], models) for _, (unit, models, _) in contests], axis=0)
            value = float(np.mean([models.mean() for _, (_, models, _) in contests]))
            used = np.unique(np.concatenate([unit for _, (unit, _, _) in contests]))
            number = len(np.unique(design.scores.task[used])) if over == "tasks" else len(used)
            around = core.interval(value, drawn, over, number, (0.0, 1.0))
            ends[m] = around and around.ends
    return {"advantage_interval": ends, "interval": [None] * len(ends)}


def _share(often: Array, won: Array) -> Array:
    return np.asarray(often @ won / np.maximum(often.sum(axis=1), 1))


@method(
    "scores",
    "judges",
    "alternative",
    range=(0, 1),
    higher="wins against more of the humans",
    reference="Calderon, Reichart, Dror 2025",
    parameters={
        "epsilon": number("how much less often than the human the model may be the nearer one", 0, 1),
        "align": choice("nearer by root mean square error, or by share of equal scores", "rmse", "accuracy"),
        "fdr": share("false discovery rate over the humans (Benjamini and Yekutieli)"),
        "each": choice("what one contest is about: a unit, or a task with all of its units", "unit", "task"),
        "least": whole("units that a human must share with the model and another human", 2),
    },
    more=_advantage,
    rows=_rows,
    keys=("human",),
    both_kinds=True,
    note=Note(
        "May a model stand in for human judges? Tested against each human in turn.",
        "Epsilon is a concession that you choose; with few shared units nothing can be shown.",
        "share of humans j with (share of units where j is nearer to the other humans) - (where the model is) < "
        "epsilon, by one-sided t tests, corrected (Benjamini and Yekutieli)",
    ),
)
def alternative(
    units: Units, *, epsilon: float = 0.2, align: str = "rmse", fdr: float = 0.05, each: str = "unit", least: int = 30
) -> Coefficient:
    """Share of the human judges against whom a model holds its own as the judge nearer to the other humans."""
    values = np.full(len(units.judges), math.nan)
    details: dict[str, list[Any]] = {n: [None] * len(values) for n in ("advantage", "replaces", "humans", "won")}
    for m, contests in _tested(units, align, each, least).items():
        if contests:
            beaten = yekutieli(_p_values(contests, epsilon), fdr)
            values[m] = beaten.mean()
            details["advantage"][m] = float(np.mean([models.mean() for _, (_, models, _) in contests]))
            details["replaces"][m] = bool(values[m] >= WIN)
            details["humans"][m], details["won"][m] = len(contests), int(beaten.sum())
    about = {"skipped": _skipped(units, align, each, least), "least": least}
    return Coefficient(lambda weights: np.tile(values, (len(weights), 1)), units.size, details, about=about)


def _skipped(units: Units, align: str, each: str, least: int) -> list[Hashable]:
    """The humans who share too few units with some model."""
    human, model = kinds(units.panel)
    humans = units.of_judges(human)
    every = (c for m in model.tolist() for c in _contests(units.of_judges([m]), humans, align, each))
    few = {h for h, contest in every if len(contest[0]) < least}
    return [units.judges[h] for h in sorted(few)]


Contest = tuple[int, tuple[Array, Array, Array]]


def _contests(model: Units, humans: Units, align: str, each: str) -> list[Contest]:
    """For each human: shared units, whether the model is at least as near to the others, whether the human is.

    Of whole tasks the first unit stands for each.
    """
    said = np.full(model.size, math.nan)
    said[model.unit] = model.value
    n = humans.per_unit
    rows = np.flatnonzero((n[humans.unit] > 1) & ~np.isnan(said[humans.unit]))
    unit, x, y = humans.unit[rows], humans.value[rows], said[humans.unit[rows]]
    left = (n[unit] - 1).astype(float)
    if align == "rmse":
        shift = kernel.centre(humans.value)
        u, v = x - shift, y - shift
        every = humans.value - shift
        s = np.bincount(humans.unit, every, humans.size)[unit] - u
        q = np.bincount(humans.unit, every**2, humans.size)[unit] - u * u
        far_human, far_model = (np.maximum(w * w - 2 * w * s / left + q / left, 0) for w in (u, v))
    else:
        far_human, far_model = -(_equal(humans, unit, x) - 1) / left, -(_equal(humans, unit, y) - (x == y)) / left
    judge = humans.judge[rows]
    if each == "task":
        judge, unit, far_human, far_model = _whole_tasks(judge, humans.task[unit], unit, far_human, far_model)
    if align == "rmse":
        far_human, far_model = np.sqrt(far_human), np.sqrt(far_model)
    near = 1e-9 * (humans.spread if align == "rmse" else 1.0)  # rounding alone
    model_wins, human_wins = far_model <= far_human + near, far_human <= far_model + near
    out = []
    for h in np.unique(judge).tolist():
        mine = np.flatnonzero(judge == h)
        out.append((int(h), (unit[mine], model_wins[mine].astype(float), human_wins[mine].astype(float))))
    return out


def _whole_tasks(judge: Array, task: Array, unit: Array, *far: Array) -> tuple[Array, ...]:
    """The same of whole tasks: a row per judge and task, distances as means over its units."""
    cell = judge * np.int64(int(task.max(initial=0)) + 1) + task
    _, first, place, held = np.unique(cell, return_index=True, return_inverse=True, return_counts=True)
    means = (np.bincount(place.ravel(), distance, len(first)) / held for distance in far)
    return judge[first], unit[first], *means


def _equal(humans: Units, unit: Array, value: Array) -> Array:
    """How many humans gave these values on these units."""
    known, code = kernel.codes(np.concatenate([humans.value, value]))
    size = np.int64(len(known))
    held, times = np.unique(humans.unit * size + code[: len(humans)], return_counts=True)
    wanted = unit * size + code[len(humans) :]
    place = np.minimum(np.searchsorted(held, wanted), len(held) - 1)
    return np.where(held[place] == wanted, times[place], 0).astype(float)


def _p(difference: Array, epsilon: float) -> float:
    """One-sided t test that the human's advantage over the model is below epsilon."""
    size = len(difference)
    deviation = float(difference.std(ddof=1))
    if deviation < 1e-12:
        return 0.0 if float(difference.mean()) < epsilon else 1.0
    return lower_tail((float(difference.mean()) - epsilon) / (deviation / math.sqrt(size)), size - 1)


def yekutieli(p: Array, rate: float) -> Array:
    """Which hypotheses are rejected at a false discovery rate, whatever their dependence.

    >>> yekutieli(np.array([0.001, 0.02, 0.5]), 0.05).tolist()
    [True, False, False]
    """
    size = len(p)
    order = np.argsort(p, kind="stable")
    steps = rate * np.arange(1, size + 1) / (size * np.sum(1 / np.arange(1, size + 1)))
    below = np.flatnonzero(p[order] <= steps)
    out = np.zeros(size, bool)
    if len(below):
        out[order[: below[-1] + 1]] = True
    return out
