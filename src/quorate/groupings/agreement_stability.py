"""Would the agreement table be the same with other judges, other tasks, other items like these?

Of the items half are drawn without putting back: an item drawn twice would be with its copy in every clustering. Many
measures are higher on fewer items, so the draws are moved to the value seen, within the measure's range; halves spread
around their mean as wholes would around theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.believed import Believed
from quorate.groupings.against import measured
from quorate.groupings.leaderboard_stability import tau_b
from quorate.groupings.nested import MEASURE, measuring, settled
from quorate.groupings.partitions import LEFT_OUT
from quorate.groupings.sheets import Sheet, sheets
from quorate.panels import Groupings
from quorate.resample import percentiles, stream
from quorate.results import Options, Overall
from quorate.table import method

Array = NDArray[Any]
DRAWS = 200
ITEM_DRAWS = 50
WORK = 5 * 10**7  # labels compared for the draws of items, about
FEWEST = 10


@dataclass(frozen=True, eq=False)
class Table:
    """Agreement of every two judges, ``square[judge, judge]`` per task; NaN where undefined and with oneself."""

    squares: tuple[Array, ...]
    judges: tuple[Array, ...]  # codes from 0
    counts: tuple[Array, ...]  # how many judges each row stands for
    size: int  # judges of the panel

    def figures(self, tasks: Sequence[int], times: Array) -> tuple[float, Array]:
        """The mean over tasks, and each judge's mean; ``times`` says how often each judge was drawn."""
        total, of = np.zeros(self.size), np.zeros(self.size)
        means = []
        for k in tasks:
            square, codes = self.squares[k], self.judges[k]
            own = times[codes].astype(float)  # of each judge of a row, who is drawn with the others of it
            weight = own * self.counts[k]
            known = ~np.isnan(square)
            filled = np.where(known, square, 0.0)
            top, bottom = filled @ weight, known @ weight  # with the others, as often as they were drawn
            top, bottom = top - own * filled.diagonal(), bottom - own * known.diagonal()
            both = float(weight @ bottom)
            means.append(float(weight @ top) / both if both else math.nan)
            total[codes] += np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), 0.0)
            of[codes] += bottom > 0
        defined = [m for m in means if not math.isnan(m)]
        each = np.divide(total, of, out=np.full(self.size, np.nan), where=of > 0)
        return sum(defined) / len(defined) if defined else math.nan, np.where(times > 0, each, np.nan)


def _table(tasks: Sequence[Sheet], measure: str, left_out: str, size: int) -> Table:
    squares = []
    for t in tasks:
        square = measured(t.labels, t.labels, measure, left_out)
        square = (square + square.T) / 2  # both ways
        square[np.diag_indices(len(square))] = np.where(t.counts > 1, square.diagonal(), np.nan)
        squares.append(square)
    return Table(tuple(squares), tuple(t.judge_codes for t in tasks), tuple(t.counts for t in tasks), size)


@method(
    "groupings",
    "trust",
    "agreement_stability",
    range=(-1, math.inf),
    higher="more agreement, unless the measure is a distance",
    default=True,
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    relabelling=True,
)
def agreement_stability(
    panel: Groupings, options: Options, *, measure: str = "v_beta", left_out: str = "bucket"
) -> Believed:
    """The mean agreement of two judges with judges, tasks or half of the items drawn anew, and the order of the judges.

    A judge drawn twice counts twice with the others but is never compared with itself, so agreement is not pushed up.
    """
    tasks = list(sheets(panel))
    table = _table(tasks, measure, left_out, len(panel.judges))
    once = np.ones(len(panel.judges), np.int64)
    seen, order = table.figures(range(len(tasks)), once)
    sign = settled(measure)[0].sign
    keys: dict[str, list[Any]] = {"by": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"low": [], "high": [], "judge_order_tau": [], "same_lowest": [], "resamples": []}
    overall, name = [], f"agreement_stability {measure} {left_out}"
    for by in ("judges", "tasks", "items"):
        drawn = list(_drawn(by, tasks, table, measure, left_out, name, options))
        if not drawn:
            continue
        means = np.array([m for m, _ in drawn])
        if by == "items" and not np.isnan(means).all():
            means = np.clip(seen + means - np.nanmean(means), *measuring(measure).declaration.range)
        taus = np.array([tau_b(sign * order, sign * each) for _, each in drawn])
        known = taus[~np.isnan(taus)]
        interval = percentiles(means, options.level, by)
        tau = float(known.mean()) if len(known) else math.nan
        lowest = [_same_lowest(sign * order, sign * each) for _, each in drawn]
        share = sum(lowest) / len(lowest)
        keys["by"].append(by)
        values.append(seen)
        row = (interval.low if interval else math.nan, interval.high if interval else math.nan, tau, share, len(drawn))
        for column, cell in zip(details.values(), row, strict=True):
            column.append(cell)
        known_tau = None if math.isnan(tau) else tau
        labels = {"by": by, "judge_order_tau": known_tau, "same_lowest": share, "resamples": len(drawn)}
        overall.append(Overall(seen, interval, labels=labels))
    notes = () if overall else ("agreement_stability: too few judges, tasks and items to draw anew",)
    return Believed(keys, values, overall, details, tuple(_sentences(measure, left_out, seen, overall)), notes)


def _drawn(
    by: str, tasks: Sequence[Sheet], table: Table, measure: str, left_out: str, name: str, options: Options
) -> Iterator[tuple[float, Array]]:
    rng = stream(options.seed, name, by)
    judges, every = table.size, range(len(tasks))
    once = np.ones(judges, np.int64)
    number = min(options.resamples, DRAWS)
    if by == "judges" and judges > 2:
        for times in rng.multinomial(judges, np.full(judges, 1 / judges), size=number):
            yield table.figures(every, times)
    elif by == "tasks" and len(tasks) > 1:
        for _ in range(number):
            yield table.figures(rng.integers(len(tasks), size=len(tasks)).tolist(), once)
    elif by == "items" and max(len(t.items) for t in tasks) > 3:
        work = sum(t.labels.size * len(t.labels) for t in tasks)
        number = min(number, ITEM_DRAWS, WORK // max(work, 1))
        for _ in range(number if number >= min(FEWEST, options.resamples) else 0):
            halves = [
                t.some_items(np.sort(rng.choice(len(t.items), max(len(t.items) // 2, 1), replace=False))) for t in tasks
            ]
            yield _table(halves, measure, left_out, judges).figures(every, once)


def _same_lowest(order: Array, each: Array) -> bool:
    """Whether the judge with the least agreement is again (alone or tied) the lowest of those drawn."""
    if np.isnan(order).all() or np.isnan(each).all():
        return False
    among = np.where(np.isnan(each), np.nan, order)
    if np.isnan(among).all():
        return False
    return bool(each[int(np.nanargmin(among))] <= np.nanmin(each))


def _sentences(measure: str, left_out: str, seen: float, overall: Sequence[Overall]) -> Iterator[str]:
    if math.isnan(seen):
        return
    said = [f"{o.interval.low:.2f} to {o.interval.high:.2f} with other {o.interval.by}" for o in overall if o.interval]
    between = f": {', '.join(said)}" if said else ""
    yield f"Two judges agree by {measure} ({left_out}) {seen:.2f}{between}."
    order = [(o.labels["by"], o.labels["judge_order_tau"]) for o in overall]
    taus = [f"{tau:.2f} ({by})" for by, tau in order if tau is not None]
    if taus:
        yield f"The order of the judges by their agreement keeps a tau of {', '.join(taus)}."
