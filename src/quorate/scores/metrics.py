"""Automatic metrics against human scores, at every level, before and after the worst judges are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Chance, Interval, percentiles, stream
from quorate.inference.results import Options, Overall
from quorate.panel.kinds import Scores
from quorate.scores.averages import OF
from quorate.scores.believed import Metric, Rows, metrics_beside, trust_method
from quorate.scores.levels import (
    COEFFICIENTS,
    INTERVALS,
    LEVELS,
    POPULATIONS,
    correlation,
    draws,
    interval,
    resampled,
    stacked,
    undefined_inputs,
    units_of,
)
from quorate.scores.systems import Estimate, Outputs
from quorate.scores.without_worst import HOW, ORDER, WORST
from quorate.scores.worst import (
    agreed_by,
    how_to_drop,
    random_keep,
    rows_without,
    table_of,
    tables_of_judges,
    worst_first,
)
from quorate.table import choice
from quorate.words.numbers import three
from quorate.words.wording import on as said_on

Array = NDArray[Any]
RANDOM = 100  # random exclusions tried
SURE = 0.05  # of random drops may reach as far, for an improvement that they do not explain
JUDGES = 100  # other judges dropped in place of the worst one, at most
ACROSS = ("additive", "consistency_weighted")  # ways to a consensus in which one task's judges matter to another task
STACKED = 10**7  # draws x rows for which every judge's table is kept
CELLS = 2 * 10**6  # resamples x cells of the levels that pool them
COEFFICIENT = choice("which correlation", *COEFFICIENTS)
POPULATION = choice("what is resampled for intervals: what to generalise to", *POPULATIONS)


@dataclass(frozen=True, eq=False)
class Human:
    """Human scores with some of them dropped: the mean of all judges, and each judge's own."""

    table: Array
    judges: list[Array]

    @classmethod
    def of(cls, out: Outputs, keep: Array | None = None, agreed: Estimate | None = None) -> Human:
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
    interval=choice("percentiles; corrected for the bias of resampling; or moved to the value and widened", *INTERVALS),
)
def metrics(
    panel: Scores,
    made: Sequence[Outputs],
    metrics: Scores | None,
    options: Options,
    coefficient: str = "pearson",
    by: str = "alpha",
    worst: int = 2,
    drop: str = "auto",
    of: str = "mean",
    resample: str = "both",
    interval: str = "percentile",
) -> Believed:
    """Each metric's correlation with the human scores: of systems' means, per judge, per input, and over all cells.

    Before and after the worst judges are dropped, beside as many random tasks dropped. Resampling inputs adds noise, so
    a value at system level may lie above its own interval: the mean of the resamples is shown beside it.
    """
    rows = Rows("judges", "bootstrap_mean", "random", "random_interval", "without_another", "undefined")
    overall: list[Overall] = []
    sentences, notes = [], []
    for out in made:
        found = metrics_beside(out, metrics)
        steps = list(_steps(panel, out, by, worst, drop, of, options))
        if len(steps) == 1:
            notes.append(f"no judge has a value by {by}, or nothing is left without the worst: nobody is dropped")
        for metric in found:
            values: dict[tuple[str, int], float] = {}
            randoms: dict[str, Chance] = {}
            another: list[float] = []  # without another judge than the worst one
            for k, step in enumerate(steps):
                human = step.human
                for level in LEVELS if metric.by_input else LEVELS[:1]:
                    value = correlation(metric.table, human.table, level, coefficient, human.judges)
                    values[level, k] = value
                    drawn, inside = _bootstrap(metric, human, level, coefficient, resample, interval, value, options)
                    chance, band = _beside(step, metric, level, coefficient, value, out.by, options)
                    if k == 1 and chance:
                        randoms[level] = chance
                    keys = {**out.labels(), "metric": metric.name, "level": level, "worst": k}
                    centre = float(drawn[np.isfinite(drawn)].mean()) if np.isfinite(drawn).any() else math.nan
                    random = chance.value if chance else math.nan
                    ends = [band.low, band.high] if band else [math.nan, math.nan]
                    other = _without_another(step, metric, level, coefficient)
                    told = {"judges": step.judges, "bootstrap_mean": centre, "random": random}
                    left = None
                    if level == "input":
                        left, of_all = undefined_inputs(metric.table, human.table, coefficient)
                        if left and not k:
                            notes.append(_left_out(out, metric, coefficient, left, of_all))
                    rows.add(keys, value, **told, random_interval=ends, without_another=other, undefined=left)
                    more = {"bootstrap_mean": centre, "random": random, "random_low": ends[0], "random_high": ends[1]}
                    if left is not None:
                        more["undefined"] = left
                    if other:
                        more |= dict(zip(("another", "another_low", "another_high"), other, strict=True))
                        another = other
                    overall.append(Overall(value, inside, chance, {**keys, **more}))
            sentences.append(_say(out, metric, coefficient, values, randoms, another, steps))
    return Believed(rows.keys, rows.values, overall, rows.details, tuple(sentences[:8]), tuple(dict.fromkeys(notes)))


@dataclass(frozen=True, eq=False)
class Step:
    """The worst so many judges dropped, and as much dropped at random."""

    judges: list[Any]
    human: Human
    others: Array | None = None  # [draw, input] which inputs are kept, where tasks are dropped; of all scores
    full: Human | None = None
    stack: Human | None = None  # [draw, input, system], where scores are dropped
    good: Sequence[Array] = ()  # the table without each of the other judges instead, where one is dropped


def _steps(panel: Scores, out: Outputs, by: str, worst: int, drop: str, of: str, options: Options) -> Iterator[Step]:
    """Nobody dropped, then the worst 1, 2, ... judges."""
    agreed = agreed_by(panel, of)
    full = Human.of(out, None, agreed)
    yield Step([], full)
    ranked = worst_first(panel, out, by, drop, agreed)
    how = how_to_drop(out, drop)
    for k in range(1, min(worst, len(ranked.order) - 1) + 1):
        keep = rows_without(out, ranked.order[:k], how)
        if not keep.any():
            return
        judges = [out.units.judges[j] for j in ranked.order[:k]]
        rng = stream(options.seed, "metrics random", out.units.criterion, k)
        kept = random_keep(out, ~keep, how, rng, RANDOM)
        good = [rows_without(out, [j], how) for j in ranked.order[1 : 1 + JUDGES]] if k == 1 else []
        others = [table_of(out, some, agreed) for some in good if some.any()]
        left = Human.of(out, keep, agreed)
        if how == "tasks" and of not in ACROSS:
            place, first = np.unique(out.input[out.units.unit], return_index=True)
            times = np.zeros((len(kept), len(out.inputs)))
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


def _stack(out: Outputs, kept: Array, agreed: Estimate | None) -> Human:
    """The human scores of every random draw."""
    tables = [table_of(out, some, agreed) for some in kept]
    units = out.units
    shape = (len(kept), len(out.inputs), len(out.systems))
    judges = []
    for j in np.unique(units.judge).tolist() if kept.size < STACKED else []:
        mine = np.flatnonzero(units.judge == j)
        one = tables_of_judges(out, units.judge == j)[0]
        place, first = np.unique(out.input[units.unit[mine]], return_index=True)
        here = np.zeros(shape[:2], bool)
        here[:, place] = kept[:, mine[first]]
        judges.append(np.where(here[:, :, None], one, np.nan))
    return Human(np.stack(tables), judges)


def _bootstrap(
    metric: Metric,
    human: Human,
    level: str,
    coefficient: str,
    resample: str,
    kind: str,
    value: float,
    options: Options,
) -> tuple[Array, Interval | None]:
    inputs, systems = human.table.shape
    number = options.resamples
    if level in ("global", "judge") and coefficient != "pearson":
        number = max(min(number, CELLS // max(inputs * systems, 1)), 100)
    drawn = resampled(
        metric.table,
        human.table,
        level,
        coefficient,
        *draws(options.seed, resample, inputs, systems, number),
        human.judges,
    )
    by = "systems and inputs" if resample == "both" else resample
    return drawn, interval(value, drawn, options.level, by, kind, units_of(resample, inputs, systems))


def _beside(
    step: Step, metric: Metric, level: str, coefficient: str, value: float, by: str, options: Options
) -> tuple[Chance | None, Interval | None]:
    """What as many random tasks, or judgments, dropped give; p: how often they reach the value."""
    if step.full is not None and step.others is not None:
        ones = np.ones((len(step.others), metric.table.shape[1]))
        full = step.full
        found = resampled(metric.table, full.table, level, coefficient, step.others, ones, full.judges)
    elif step.stack is not None:
        found = stacked(metric.table, step.stack.table, level, coefficient, step.stack.judges)
    else:
        return None, None
    found = found[np.isfinite(found)]
    if not len(found) or math.isnan(value):
        return None, None
    p = (np.count_nonzero(found >= value - 1e-12) + 1) / (len(found) + 1)
    return Chance(float(found.mean()), float(p), len(found)), percentiles(found, options.level, by)


def _left_out(out: Outputs, metric: Metric, coefficient: str, left: int, of: int) -> str:
    on = f" on {out.units.criterion}" if out.units.criterion is not None else ""
    rest = "; the mean at input level is over the others" if left < of else ""
    where = f"{said_on(left, of, out.by[:-1])} (fewer than two systems, or all alike){rest}"
    return f"{metric.name}{on}: {coefficient} is undefined {where}"


def _say(
    out: Outputs,
    metric: Metric,
    coefficient: str,
    values: dict[tuple[str, int], float],
    randoms: dict[str, Chance],
    another: Sequence[float],
    steps: Sequence[Step],
) -> str:
    on = f" with {out.units.criterion}" if out.units.criterion is not None else ""
    if math.isnan(values["system", 0]):
        why = "there is one only" if len(out.systems) == 1 else "they are all alike, or nothing is shared"
        return f"{metric.name} cannot be correlated{on} over systems: {why}."
    said = f"{metric.name} correlates{on} {three(values['system', 0])} at system level ({coefficient})"
    if not math.isnan(values.get(("judge", 0), math.nan)):
        said += f", {three(values['judge', 0])} per judge"
    said += ". Of two systems that is always 1 or -1" if len(out.systems) == 2 else ""
    if len(steps) > 1 and not math.isnan(values.get(("system", 1), math.nan)):
        random = f"; as many random drops give {three(randoms['system'].value)}" if "system" in randoms else ""
        said += f". Without judge {steps[1].judges[0]} it is {three(values['system', 1])}{random}"
    return said + "." + _verdict(steps, values, another, randoms.get("system"))


def _verdict(
    steps: Sequence[Step], values: dict[tuple[str, int], float], another: Sequence[float], random: Chance | None
) -> str:
    """Whether dropping the worst judge brings the systems nearer to the metric, and dropping another one does too."""
    if len(steps) < 2 or not another:
        return ""
    before, after = values["system", 0], values["system", 1]
    if math.isnan(before) or math.isnan(after):
        return ""
    mean, low, high = another
    helps, other = after > before + 1e-12, mean > before + 1e-12
    link = "does too" if helps and other else "does not" if helps else "does" if other else "does not either"
    no_more = ", but no more than random drops may" if helps and (random is None or random.p >= SURE) else ""
    return (
        f" Dropping {steps[1].judges[0]} {'improves' if helps else 'does not improve'} it{no_more}; dropping one of "
        f"the others instead {link} ({three(mean)} on average, {three(low)} to {three(high)})."
    )
