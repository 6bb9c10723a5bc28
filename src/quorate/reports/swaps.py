"""Would the first two change places with other judges? Panels drawn from these judges, told as so many of ten cases.

A judge drawn twice counts twice; every drawn panel has as many judges as this one. What is compared is a plain mean
over judges, so that thousands of drawn panels cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import stream
from quorate.inference.results import Options
from quorate.panel.base import many
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes
from quorate.reports.picture import alike

Array = NDArray[Any]
DRAWS = 1000
CELLS = 2 * 10**7  # numbers held at a time
NEAR = 1e-12  # two means that differ by rounding alone are level
FEWEST = 3  # judges: of two there is nothing to draw


@dataclass(frozen=True)
class Swap:
    """How often the second comes before the first in drawn panels; ties count half."""

    share: float
    first: Hashable | None  # None where each task has a first and a second of its own
    second: Hashable | None
    judges: int
    draws: int
    by: str  # what orders them
    tasks: int
    on: Hashable | None = None  # criterion
    level: bool = False  # the two are equal as it is

    def sentence(self) -> str:
        """As a reader who knows no statistics understands it."""
        where = f" on {self.on}" if self.on is not None else ""
        if self.level:
            return (
                f"The top two{where}, {self.first} and {self.second}, are level: other judges might put either first."
            )
        who = "the top two items of a task" if self.first is None else f"the top two, {self.first} and {self.second},"
        over = f"; mean over {many(self.tasks, 'task')}" if self.first is None else ""
        return (
            f"If the panel were {self.judges:,} other judges like these, {who} would swap places{where} in "
            f"{cases(self.share)} (by {self.by}{over})."
        )


def cases(share: float) -> str:
    """A share as cases of ten, or of a hundred where it is small.

    >>> cases(0.31), cases(0.02), cases(0.0), cases(0.97)
    ('3 of 10 cases', '2 of 100 cases', 'fewer than 1 of 100 cases', '97 of 100 cases')
    """
    if share < 0.01:
        return "fewer than 1 of 100 cases"
    if share > 0.99:
        return "more than 99 of 100 cases"
    if share < 0.05 or share > 0.95:
        return f"{round(100 * share)} of 100 cases"
    return f"{round(10 * share)} of 10 cases"


def swaps(panel: Panel, systems: Panel | None, options: Options) -> Swap | None:
    """Of systems where there are some, else of items; None where there are not two, or too few judges."""
    if len(panel.judges) < FEWEST and (isinstance(panel, Scores) or int(_votes(panel).sum()) < FEWEST):
        return None
    if isinstance(panel, Orderings):
        return _of_items(panel, options) if systems is None else _of_lists(panel, cast(Orderings, systems), options)
    if isinstance(panel, Groupings):
        return None if systems is None else _of_clusterings(panel, cast(Groupings, systems), options)
    if isinstance(panel, Votes):
        return None  # how often the first stays first is part of the answer
    return _of_scores(cast(Scores, panel), options)


def _of_items(panel: Orderings, options: Options) -> Swap | None:
    """The first two items of every task by the mean of their ranks, spread over the whole where lists are short."""
    from quorate.kernels.ranks import mid_ranks
    from quorate.panel.stacks import stacks

    counted = alike(panel)
    times = np.zeros((1, 1), np.int64) if counted else _drawn(_votes(panel), options)
    found, names, level = [], None, False
    for part in stacks(panel):
        items = part.shape[2]
        if items < 2:
            continue
        held = part.positions > 0
        rank = mid_ranks(part.positions) * ((items + 1) / (held.sum(axis=2, keepdims=True) + 1))
        weight = part.counts[:, :, None] * held
        mean = np.divide(
            (rank * weight).sum(axis=1),
            weight.sum(axis=1),
            out=np.full(held.shape[::2], np.inf),
            where=weight.sum(axis=1) > 0,
        )
        top = np.argsort(mean, axis=1, kind="stable")[:, :2]
        pair = np.take_along_axis(np.where(held, rank, np.nan), top[:, None, :], axis=2)
        names = [panel.items[k] for k in part.items[0, top[0]].tolist()]
        level = bool(abs(np.diff(mean[0, top[0]])[0]) < NEAR)
        if counted:  # by the counts of its own task, where one order may have other judges than elsewhere
            drawn = [_drawn(counts, options) for counts in part.counts]
            here = np.arange(part.shape[1])[None]
            found += [_swapped(-one[None], by, here) for one, by in zip(pair, drawn, strict=True)]
            times = max(times, *drawn, key=lambda by: int(by[0].sum()))
        else:
            found.append(_swapped(-pair, times, part.judges))
    if not found:
        return None
    each = np.concatenate(found)
    one = len(each) == 1 and names is not None
    return _swap(each, times, "rank sums", len(each), names if one else None, level=one and level)


def _of_lists(panel: Orderings, systems: Orderings, options: Options) -> Swap | None:
    """Systems by the mean correlation (tau) of their lists with each judge."""
    from quorate import table
    from quorate.panel.lists import beside

    method = table.parse("average_correlation(measure=tau)", "orderings", "quality")
    tables = []
    for part in beside(panel, systems).parts:
        tasks, judges, items = part.positions.shape
        alone = part.positions.reshape(tasks * judges, 1, items)
        values = method(alone, np.ones((tasks * judges, 1), np.int64), np.repeat(part.lists, judges, axis=0)).values
        values = values.reshape(tasks, judges, -1)
        tables.append((np.where(part.there[:, None, :], values, np.nan), part.judges))
    return _of_systems(tables, _votes(panel), options, systems.judges, method.name)


def _of_clusterings(panel: Groupings, systems: Groupings, options: Options) -> Swap | None:
    """Systems by the mean agreement of their clusters with each judge's."""
    from quorate.groupings.quality import measured
    from quorate.panel.clusterings import clustering_design

    tables = []
    for part in clustering_design(panel, systems, absent=options.absent).parts:
        values = measured(part.clusters, part.labels, "adjusted_rand", "bucket")
        tables.append((np.where(part.done[:, None, :], values, np.nan), part.judges))
    method = "against_judges(measure=adjusted_rand, left_out=bucket)"
    return _of_systems(tables, _votes(panel), options, systems.judges, method)


def _of_scores(panel: Scores, options: Options) -> Swap | None:
    """Systems by their mean score on the first criterion; without systems the items of a single task."""
    from quorate.panel.outputs import OutputDesign, tabled

    if panel.scale or not ("system" in panel.labels or len(panel.tasks) == 1):
        return None
    for out in OutputDesign.every(panel)[:1]:
        units = out.scores
        shape = (len(out.tasks), len(out.systems))
        values = np.full((shape[0], len(units.judges), shape[1]), np.nan)
        for j in np.unique(units.judge).tolist():
            mine = np.flatnonzero(units.judge == j)
            unit = units.unit[mine]
            values[:, j] = tabled(units.value[mine], out.input[unit], out.system[unit], shape)
        judges = np.broadcast_to(np.arange(len(units.judges)), values.shape[:2])
        present = (np.bincount(units.judge, minlength=len(units.judges)) > 0).astype(np.int64)
        return _of_systems([(values, judges)], present, options, out.systems, "mean scores", units.criterion)
    return None


def _of_systems(
    tables: list[tuple[Array, Array]],
    votes: Array,
    options: Options,
    names: tuple[Hashable, ...],
    by: str,
    on: Hashable | None = None,
) -> Swap | None:
    """From ``values[task, judge, system]``: means over judges, then over tasks, in every drawn panel."""
    if len(names) < 2 or not tables:
        return None
    times = _drawn(votes, options)
    seen = _means(tables, votes[None])[0]
    order = np.argsort(np.where(np.isnan(seen), np.inf, -seen), kind="stable")[:2]
    if np.isnan(seen[order]).any():
        return None
    drawn = _means([(values[:, :, order], judges) for values, judges in tables], times)
    level = bool(abs(seen[order[0]] - seen[order[1]]) < NEAR)
    return _swap(_lower(drawn)[None], times, by, 0, [names[k] for k in order.tolist()], on, level)


def _means(tables: list[tuple[Array, Array]], times: Array) -> Array:
    """Means over judges by how often each is drawn, then over tasks, ``[draw, system]``."""
    total, number = 0.0, 0.0
    for values, judges in tables:
        for task, who in zip(values, judges, strict=True):
            known = ~np.isnan(task)
            weight = times[:, who].astype(float)
            of = weight @ known
            mean = np.divide(weight @ np.where(known, task, 0.0), of, out=np.zeros(of.shape), where=of > 0)
            total, number = total + mean, number + (of > 0)
    return np.asarray(np.divide(total, number, out=np.full(np.shape(total), np.nan), where=np.asarray(number) > 0))


def _swapped(pair: Array, times: Array, judges: Array) -> Array:
    """Per task, how often the second is above the first: ``pair[task, judge, 2]``, higher is better."""
    out = np.empty(len(pair))
    drawn = np.ascontiguousarray(times.T, float)  # [judge, draw]
    for a, b in _blocks(len(pair), times.shape[0] * 4):
        sums, of = [], []
        for which in range(2):
            given = pair[a:b, :, which]
            known = ~np.isnan(given)
            value, there = (np.zeros((b - a, len(drawn))) for _ in range(2))
            np.put_along_axis(value, judges[a:b], np.where(known, given, 0.0), axis=1)
            np.put_along_axis(there, judges[a:b], known, axis=1)
            sums.append(value @ drawn)
            of.append(there @ drawn)
        means = [np.divide(x, n, out=np.full(n.shape, np.nan), where=n > 0) for x, n in zip(sums, of, strict=True)]
        lower = _lower(np.stack(means, axis=-1).reshape(-1, 2)).reshape(b - a, -1)
        number = (~np.isnan(lower)).sum(axis=1)
        total = np.where(np.isnan(lower), 0.0, lower).sum(axis=1)
        out[a:b] = np.divide(total, number, out=np.full(b - a, np.nan), where=number > 0)
    return out


def _lower(means: Array) -> Array:
    """1 where the second of two is above the first, 0.5 where they are level, NaN where one is unknown."""
    gap = means[:, 1] - means[:, 0]
    level = np.abs(gap) < NEAR
    return np.where(np.isnan(gap), np.nan, np.where(level, 0.5, gap > 0))


def _share(lower: Array) -> float:
    known = lower[~np.isnan(lower)]
    return float(known.mean()) if len(known) else float("nan")


def _swap(
    each: Array,
    times: Array,
    by: str,
    tasks: int,
    names: list[Hashable] | None,
    on: Hashable | None = None,
    level: bool = False,
) -> Swap | None:
    share = _share(np.ravel(each))
    if np.isnan(share):
        return None
    first, second = names if names else (None, None)
    return Swap(share, first, second, int(times[0].sum()), len(times), by, tasks, on, level)


def _votes(panel: Panel) -> Array:
    """How many judges each of the panel's judges stands for."""
    votes = np.zeros(len(panel.judges), np.int64)
    np.maximum.at(votes, panel.judge.codes, panel.count)
    return votes


def _drawn(votes: Array, options: Options) -> Array:
    """How often each judge is drawn, ``[draw, judge]``."""
    total = int(votes.sum())
    rng = stream(options.seed, "swaps")
    return rng.multinomial(total, votes / total, size=max(min(options.resamples, DRAWS), 100))


def _blocks(tasks: int, each: int) -> Iterator[tuple[int, int]]:
    step = max(1, CELLS // max(each, 1))
    for a in range(0, tasks, step):
        yield a, min(a + step, tasks)
