"""Automatic metrics against human scores, at every level, before and after the worst judges are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.scores.averages import OF
from quorate.scores.metric_correlations import (
    COEFFICIENTS,
    LEVELS,
    POPULATIONS,
    correlation,
    population,
    resampled,
    stacked,
    undefined_inputs,
    units_of,
)
from quorate.scores.trust_method import CHOSEN, Metric, Rows, metrics_beside, trust_method
from quorate.scores.without_worst import EXCLUSION, HOW, ORDER, WORST
from quorate.scores.worst_judges import (
    Agreed,
    agreed_by,
    how_to_drop,
    random_keep,
    rows_without,
    table_of,
    tables_of_judges,
    worst_first,
)
from quorate.table import Note, choice

Array = NDArray[Any]
JUDGES = 100  # other judges dropped in place of the worst one, at most
ACROSS = ("additive", "consistency_weighted")  # ways to a consensus in which one task's judges matter to another task
STACKED = 10**7  # draws x rows for which every judge's table is kept
CELL = 150  # steps for each cell of a table that is pooled or dropped anew
COEFFICIENT = choice("which correlation", *COEFFICIENTS)
POPULATION = choice("what is resampled for intervals: what to generalise to", *POPULATIONS)
KINDS = ("percentile", "corrected", "centred")  # of intervals


@dataclass(frozen=True, eq=False)
class Human:
    """Human scores with some of them dropped: the mean of all judges, and each judge's own."""

    table: Array
    judges: list[Array]

    @classmethod
    def of(cls, out: OutputDesign, keep: Array | None = None, agreed: Agreed | None = None) -> Human:
        """Of the rows kept."""
        return cls(table_of(out, keep, agreed), tables_of_judges(out, keep))


@trust_method(
    "metrics",
    range=(-1.0, 1.0),
    higher="the metric goes with the human scores",
    metrics=True,
    reference="Owczarzak, Rankel, Dang and Conroy 2012, Tables 3 and 4; Deutsch, Dror and Roth 2021",
    coefficient=COEFFICIENT,
    by=ORDER,
    worst=WORST,
    drop=HOW,
    of=OF,
    resample=POPULATION,
    interval=choice("percentiles; corrected for the bias of resampling; or moved to the value and widened", *KINDS),
    note=Note(
        "Does an automatic metric go with the judges, and does it still without the worst?",
        "Few systems give wide intervals; an outlying system alone can make Pearson high. " + CHOSEN,
        "correlation of the metric's and the judges' means over systems; per judge and per input beside it",
    ),
)
def metrics(
    made: OutputDesign,
    core: Any,
    coefficient: str = "pearson",
    by: str = "alpha",
    worst: int = 2,
    drop: str = "auto",
    of: str = "mean",
    resample: str = "both",
    interval: str = "percentile",
) -> Trusted:
    """Each metric's correlation with the human scores: of systems' means, per judge, per input, and over all cells.

    Before and after the worst judges are dropped, beside as many random tasks dropped. Resampling inputs adds noise, so
    a value at system level may lie above its own interval: the mean of the resamples is shown beside it.
    """
    rows, overall = Rows("judges", "bootstrap_mean", "random", "random_interval", "without_another", "undefined"), []
    steps, resample = list(_steps(made, by, worst, drop, of, core)), population(made, core, "resample", resample)
    told = []
    for metric in metrics_beside(made):
        fact: dict[str, Any] = {"metric": metric.name, "values": {}, "another": None, "random": None, "undefined": None}
        for k, step in enumerate(steps):
            for level in LEVELS if metric.by_input else LEVELS[:1]:
                value = correlation(metric.table, step.human.table, level, coefficient, step.human.judges)
                fact["values"][level, k] = value
                drawn = _drawn(metric, step.human, level, coefficient, resample, core)
                inputs, systems = step.human.table.shape
                over = "systems and inputs" if resample == "both" else resample
                inside = core.interval_of_kind(interval, value, drawn, over, units_of(resample, inputs, systems))
                others = _dropped_at_random(step, metric, level, coefficient)
                chance = core.null(others, value)
                band = core.middle(others, made.by) if chance else None
                if k == 1 and level == "system":
                    fact["random"] = chance and (chance.value, chance.p)
                keys = {**made.labels, "metric": metric.name, "level": level, "worst": k}
                centre = float(drawn[np.isfinite(drawn)].mean()) if np.isfinite(drawn).any() else math.nan
                random = chance.value if chance else math.nan
                ends = [band.low, band.high] if band else [math.nan, math.nan]
                other, left = _without_another(step, metric, level, coefficient), None
                if level == "input":
                    left, of_all = undefined_inputs(metric.table, step.human.table, coefficient)
                    fact["undefined"] = fact["undefined"] or ((left, of_all) if left and not k else None)
                more = {"judges": step.judges, "bootstrap_mean": centre, "random": random}
                rows.add(keys, value, **more, random_interval=ends, without_another=other, undefined=left)
                labels = {"bootstrap_mean": centre, "random": random, "random_low": ends[0], "random_high": ends[1]}
                labels |= {} if left is None else {"undefined": left}
                if other:
                    labels |= dict(zip(("another", "another_low", "another_high"), other, strict=True))
                    fact["another"] = other
                overall.append(core.figure(value, {**keys, **labels}, inside, chance))
        told.append(fact)
    worst_judge = steps[1].judges[0] if len(steps) > 1 else None
    about = {"metrics": told, "steps": len(steps), "worst": worst_judge, "by": by}
    return Trusted(rows.keys, rows.values, overall, rows.details, about=about)


@dataclass(frozen=True, eq=False)
class Step:
    """The worst so many judges dropped, and as much dropped at random."""

    judges: list[Any]
    human: Human
    others: Array | None = None  # [draw, input] which inputs are kept, where tasks are dropped; of all scores
    full: Human | None = None
    stack: Human | None = None  # [draw, input, system], where scores are dropped
    good: Sequence[Array] = ()  # the table without each of the other judges instead, where one is dropped


def _steps(out: OutputDesign, by: str, worst: int, drop: str, of: str, core: Any) -> Iterator[Step]:
    """Nobody dropped, then the worst 1, 2, ... judges."""
    agreed = agreed_by(of)
    full = Human.of(out, None, agreed)
    yield Step([], full)
    ranked = worst_first(out, by, drop, agreed)
    how = how_to_drop(out, drop)
    for k in range(1, min(worst, len(ranked.order) - 1) + 1):
        keep = rows_without(out, ranked.order[:k], how)
        if not keep.any():
            return
        judges = [out.judges[j] for j in ranked.order[:k]]
        work = EXCLUSION + len(keep) + CELL * full.table.size
        kept = random_keep(out, ~keep, how, core, core.budget.nulls(work), k)
        good = [rows_without(out, [j], how) for j in ranked.order[1 : 1 + JUDGES]] if k == 1 else []
        others = [table_of(out, some, agreed) for some in good if some.any()]
        left = Human.of(out, keep, agreed)
        if not len(kept):
            yield Step(judges, left, good=others)
        elif how == "tasks" and of not in ACROSS:
            place, first = np.unique(out.input[out.scores.unit], return_index=True)
            times = np.zeros((len(kept), len(out.tasks)))
            times[:, place] = kept[:, first]
            yield Step(judges, left, times, full, good=others)
        else:
            yield Step(judges, left, stack=_stack(out, kept, agreed), good=others)


def _without_another(step: Step, metric: Metric, level: str, coefficient: str) -> list[float] | None:
    """Mean, least and most of the correlation at system level without one of the other judges, the worst one kept."""
    if level != "system" or not step.good:
        return None
    found = [correlation(metric.table, table, level, coefficient) for table in step.good]
    known = [v for v in found if not math.isnan(v)]
    return [sum(known) / len(known), min(known), max(known)] if known else None


def _stack(out: OutputDesign, kept: Array, agreed: Agreed | None) -> Human:
    """The human scores of every random draw."""
    tables = [table_of(out, some, agreed) for some in kept]
    units = out.scores
    shape = (len(kept), len(out.tasks), len(out.systems))
    judges = []
    for j in np.unique(units.judge).tolist() if kept.size < STACKED else []:
        mine = np.flatnonzero(units.judge == j)
        one = tables_of_judges(out, units.judge == j)[0]
        place, first = np.unique(out.input[units.unit[mine]], return_index=True)
        here = np.zeros(shape[:2], bool)
        here[:, place] = kept[:, mine[first]]
        judges.append(np.where(here[:, :, None], one, np.nan))
    return Human(np.stack(tables), judges)


def _drawn(metric: Metric, human: Human, level: str, coefficient: str, resample: str, core: Any) -> Array:
    """The correlation with inputs and systems resampled, the same draws for all."""
    inputs, systems = human.table.shape
    pooled = level in ("global", "judge") and coefficient != "pearson"
    often, times = core.crossed(resample, inputs, systems, CELL * inputs * systems if pooled else 1.0)
    return resampled(metric.table, human.table, level, coefficient, often, times, human.judges)


def _dropped_at_random(step: Step, metric: Metric, level: str, coefficient: str) -> Array:
    """What as many random tasks, or judgments, dropped give."""
    if step.full is not None and step.others is not None:
        ones = np.ones((len(step.others), metric.table.shape[1]))
        return resampled(metric.table, step.full.table, level, coefficient, step.others, ones, step.full.judges)
    if step.stack is not None:
        return stacked(metric.table, step.stack.table, level, coefficient, step.stack.judges)
    return np.zeros(0)
