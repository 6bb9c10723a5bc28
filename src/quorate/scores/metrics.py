"""Automatic metrics against human scores, at every level, before and after the worst judges are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panels import Scores
from quorate.resample import Chance, Interval, percentiles, stream
from quorate.results import Options, Overall
from quorate.scores.believed import Believed, Metric, Rows, metrics_beside, trust_method
from quorate.scores.levels import COEFFICIENTS, LEVELS, POPULATIONS, correlation, draws, interval, resampled
from quorate.scores.systems import Outputs
from quorate.scores.without_worst import HOW, ORDER, WORST
from quorate.scores.worst import (
    how_to_drop,
    random_keep,
    rows_without,
    table_of,
    tables_of_judges,
    worst_first,
)
from quorate.table import choice

Array = NDArray[Any]
RANDOM = 100  # random exclusions tried
CELLS = 2 * 10**6  # resamples x cells of the levels that pool them
COEFFICIENT = choice("which correlation", *COEFFICIENTS)
POPULATION = choice("what is resampled for intervals: what to generalise to", *POPULATIONS)


@dataclass(frozen=True, eq=False)
class Human:
    """Human scores with some of them dropped: the mean of all judges, and each judge's own."""

    table: Array
    judges: list[Array]

    @classmethod
    def of(cls, out: Outputs, keep: Array | None = None) -> Human:
        return cls(table_of(out, keep), tables_of_judges(out, keep))


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
    resample=POPULATION,
    interval=choice("percentiles, or corrected for the bias of resampling", "percentile", "corrected"),
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
    resample: str = "both",
    interval: str = "percentile",
) -> Believed:
    """Each metric's correlation with the human scores: of systems' means, per judge, per input, and over all cells.

    Before and after the worst judges are dropped, beside as many random tasks dropped. Resampling inputs adds noise, so a
    value at system level may lie above its own interval: the mean of the resamples is shown beside it.
    """
    rows = Rows("judges", "bootstrap_mean", "random", "random_interval")
    overall: list[Overall] = []
    sentences, notes = [], []
    for out in made:
        found = metrics_beside(out, metrics)
        steps = list(_steps(panel, out, by, worst, drop))
        if len(steps) == 1:
            notes.append(f"no judge has a value by {by}: nobody is dropped")
        for metric in found:
            values: dict[tuple[str, int], float] = {}
            randoms: dict[str, Chance] = {}
            for k, judges, keep in steps:
                human = Human.of(out, keep)
                for level in LEVELS if metric.by_input else LEVELS[:1]:
                    value = correlation(metric.table, human.table, level, coefficient, human.judges)
                    values[level, k] = value
                    drawn, inside = _bootstrap(metric, human, level, coefficient, resample, interval, value, options)
                    chance = band = None
                    if keep is not None:
                        how = how_to_drop(out, drop)
                        chance, band = _beside(out, metric, keep, how, level, coefficient, value, options)
                        if k == 1 and chance:
                            randoms[level] = chance
                    keys = {**out.labels(), "metric": metric.name, "level": level, "worst": k}
                    centre = float(drawn[np.isfinite(drawn)].mean()) if np.isfinite(drawn).any() else math.nan
                    rows.add(
                        keys,
                        value,
                        judges=judges,
                        bootstrap_mean=centre,
                        random=chance.value if chance else None,
                        random_interval=[band.low, band.high] if band else None,
                    )
                    more = {"bootstrap_mean": centre, "random": chance.value if chance else math.nan}
                    more |= {"random_low": band.low if band else math.nan}
                    more |= {"random_high": band.high if band else math.nan}
                    overall.append(Overall(value, inside, chance, {**keys, **more}))
            sentences.append(_say(out, metric, coefficient, values, randoms, steps))
    return Believed(rows.keys, rows.values, overall, rows.details, tuple(sentences[:8]), tuple(dict.fromkeys(notes)))


Step = tuple[int, list[Any], Array | None]


def _steps(panel: Scores, out: Outputs, by: str, worst: int, drop: str) -> Iterator[Step]:
    """Nobody dropped, then the worst 1, 2, ... judges: how many, who, and the rows kept."""
    yield 0, [], None
    ranked = worst_first(panel, out, by, drop)
    how = how_to_drop(out, drop)
    for k in range(1, min(worst, len(ranked.order) - 1) + 1):
        keep = rows_without(out, ranked.order[:k], how)
        if not keep.any():
            return
        yield k, [out.units.judges[j] for j in ranked.order[:k]], keep


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
    if level in ("global", "judge"):
        number = max(min(number, CELLS // max(inputs * systems, 1)), 100)
    rng = stream(options.seed, "metrics", resample, inputs, systems)  # the same draws for every metric
    drawn = resampled(
        metric.table,
        human.table,
        level,
        coefficient,
        *draws(rng, resample, inputs, systems, number),
        human.judges,
    )
    by = "systems and inputs" if resample == "both" else resample
    return drawn, interval(value, drawn, options.level, by, kind)


def _beside(
    out: Outputs,
    metric: Metric,
    keep: Array,
    how: str,
    level: str,
    coefficient: str,
    value: float,
    options: Options,
) -> tuple[Chance | None, Interval | None]:
    """What as many random tasks, or judgments, dropped give; p: how often they reach the value."""
    rng = stream(options.seed, "metrics random", out.units.criterion, int(keep.sum()))
    kept = random_keep(out, ~keep, how, rng, RANDOM)
    if how == "tasks":
        human = Human.of(out)
        place = out.input[out.units.unit]
        first = np.unique(place, return_index=True)
        times = np.zeros((len(kept), len(out.inputs)))
        times[:, first[0]] = kept[:, first[1]]
        ones = np.ones((len(kept), len(out.systems)))
        found = resampled(metric.table, human.table, level, coefficient, times, ones, human.judges)
    else:
        humans = [Human.of(out, some) for some in kept]
        found = np.array([correlation(metric.table, h.table, level, coefficient, h.judges) for h in humans])
    found = found[np.isfinite(found)]
    if not len(found) or math.isnan(value):
        return None, None
    p = (np.count_nonzero(found >= value - 1e-12) + 1) / (len(found) + 1)
    return Chance(float(found.mean()), float(p), len(found)), percentiles(found, options.level, out.by)


def _say(
    out: Outputs,
    metric: Metric,
    coefficient: str,
    values: dict[tuple[str, int], float],
    randoms: dict[str, Chance],
    steps: Sequence[Step],
) -> str:
    on = f" with {out.units.criterion}" if out.units.criterion is not None else ""
    said = f"{metric.name} correlates{on} {_two(values['system', 0])} at system level ({coefficient})"
    if ("judge", 0) in values:
        said += f", {_two(values['judge', 0])} per judge"
    if len(steps) > 1 and ("system", 1) in values:
        random = f"; as many random drops: {_two(randoms['system'].value)}" if "system" in randoms else ""
        said += f"; without judge {steps[1][1][0]} {_two(values['system', 1])}{random}"
    return said + "."


def _two(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.3f}"
