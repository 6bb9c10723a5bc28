"""Would the agreement table be the same with other judges, other tasks, other items like these?

Of the items half are drawn without putting back: an item drawn twice would be with its copy in every clustering. Many
measures are higher on fewer items, and all draws are moved to the value seen, within the measure's range; halves spread
around their mean as wholes would around theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.nested import MEASURE, measuring, reach, settled
from quorate.groupings.pairwise import squares
from quorate.inference.believed import Believed
from quorate.inference.board_stability import tau_b
from quorate.inference.resample import centred, stream
from quorate.inference.results import Options, Overall
from quorate.kernels.partition_labels import dense
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import LEFT_OUT, Block, blocks, partitions
from quorate.table import method
from quorate.words.numbers import two
from quorate.words.wording import LEFT_OUT as WORDS
from quorate.words.wording import listed

Array = NDArray[Any]
Halves = Callable[[Array], Array]
DRAWS = 200
ITEM_DRAWS = 50
WORK = 10**8  # labels compared for the draws of items, about
FEWEST = 10
CELLS = 1 << 20  # judges x draws at a time


@dataclass(frozen=True, eq=False)
class Table:
    """Agreement of every two judges, in tasks with as many judges each: undefined and with oneself is NaN."""

    tasks: Array  # numbers among all
    judges: Array  # [task, judge] codes from 0
    counts: Array  # [task, judge] how many judges each row stands for
    square: Array  # [task, judge, judge]

    def figures(self, times: Array, apart: Array | None = None) -> tuple[Array, Array, Array]:
        """The mean of every task, ``[task, draw]``, each judge's and whether there is one, ``[task, judge, draw]``.

        ``times[draw, judge]`` says how often each row of the panel was drawn with all its judges; one drawn twice is
        not compared with itself, only with the others of its row. With ``apart``, the pairs of draws that are of two
        judges of one row, it says how many of its judges were drawn.
        """
        own = times.T[self.judges].astype(float)
        weight = own * self.counts[:, :, None] if apart is None else own
        same = own  # of the draws of a row, for each of them those of the same judge
        if apart is not None:
            same = own - np.divide(apart.T[self.judges], own, out=np.zeros(own.shape), where=own > 0)
        known = ~np.isnan(self.square)
        filled = np.where(known, self.square, 0.0)
        diagonal = np.arange(self.square.shape[1])
        top = filled @ weight - same * filled[:, diagonal, diagonal, None]
        bottom = known.astype(float) @ weight - same * known[:, diagonal, diagonal, None]
        both, total = (weight * bottom).sum(axis=1), (weight * top).sum(axis=1)
        return _over(total, both), np.divide(top, bottom, out=np.zeros(top.shape), where=bottom > 0), bottom > 0


@dataclass(frozen=True, eq=False)
class Tables:
    """All tasks, by how many judges they have."""

    parts: tuple[Table, ...]
    tasks: int
    size: int  # judges of the panel

    @classmethod
    def of(cls, parts: Sequence[Block], measure: str, left_out: str, size: int, half: Halves | None = None) -> Tables:
        """Every two judges by a measure, the mean of both ways; with half of the items where that is asked for."""
        chosen, out = measuring(measure).with_(left_out=left_out), []
        for block in parts:
            judges = block.labels.shape[1]
            labels = block.labels if half is None else half(block.labels)
            (own,) = squares([chosen], labels)
            square = (own + own.swapaxes(1, 2)) / 2
            one = np.arange(judges)
            square[:, one, one] = np.where(block.counts > 1, square[:, one, one], np.nan)
            out.append(Table(block.tasks, block.judges, block.counts, square))
        return cls(tuple(out), sum(len(b.tasks) for b in parts), size)

    def defined(self) -> int:
        """On how many tasks agreement is defined."""
        return sum(int(np.isfinite(p.figures(np.ones((1, self.size)))[0]).sum()) for p in self.parts)

    def behind(self) -> Array | None:
        """How many judges each row of the panel stands for; None where that differs from task to task."""
        most, least = np.zeros(self.size, np.int64), np.full(self.size, np.iinfo(np.int64).max)
        for part in self.parts:
            np.maximum.at(most, part.judges, part.counts)
            np.minimum.at(least, part.judges, part.counts)
        return most if (most == least).all() else None

    def with_judges(self, times: Array, apart: Array | None = None) -> tuple[Array, Array]:
        """The mean over tasks, ``[draw]``, and each judge's mean, ``[draw, judge]``; NaN where undefined."""
        means = np.full((self.tasks, len(times)), np.nan)
        total, of = (np.zeros((self.size, len(times))) for _ in range(2))
        for part in self.parts:
            step = max(1, CELLS // max(part.judges.shape[1] * len(times), 1))
            for k in range(0, len(part.tasks), step):
                some = Table(*(getattr(part, n)[k : k + step] for n in ("tasks", "judges", "counts", "square")))
                means[some.tasks], each, there = some.figures(times, apart)
                if (some.judges == some.judges[0]).all():
                    total[some.judges[0]] += each.sum(axis=0)
                    of[some.judges[0]] += there.sum(axis=0)
                else:
                    np.add.at(total, some.judges, each)
                    np.add.at(of, some.judges, there)
        known = ~np.isnan(means)
        mean = _over(np.where(known, means, 0.0).sum(axis=0), known.sum(axis=0))
        return mean, np.where(times > 0, _over(total, of).T, np.nan)

    def with_tasks(self, often: Array) -> tuple[Array, Array]:
        """The same with tasks drawn anew, ``often[draw, task]``."""
        means = np.full(self.tasks, np.nan)
        each, there = (np.zeros((self.tasks, self.size)) for _ in range(2))
        for part in self.parts:
            found = part.figures(np.ones((1, self.size)))
            means[part.tasks] = found[0][:, 0]
            each[part.tasks[:, None], part.judges] = found[1][:, :, 0]
            there[part.tasks[:, None], part.judges] = found[2][:, :, 0]
        known = ~np.isnan(means)
        return _over(often @ np.where(known, means, 0.0), often @ known), _over(often @ each, often @ there)


def _over(top: Array, bottom: Array) -> Array:
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > 0))


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
    parts = list(blocks(partitions(panel)))
    table = Tables.of(parts, measure, left_out, len(panel.judges))
    mean, each = table.with_judges(np.ones((1, len(panel.judges)), np.int64))
    seen, order = float(mean[0]), each[0]
    sign = settled(measure)[0].sign
    keys: dict[str, list[Any]] = {"by": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"low": [], "high": [], "judge_order_tau": [], "same_lowest": [], "resamples": []}
    overall, name = [], f"agreement_stability {measure} {left_out}"
    items = sum(b.labels.shape[0] * b.labels.shape[2] for b in parts)
    units = {"judges": _judges(table), "tasks": table.defined(), "items": items}
    for by in ("judges", "tasks", "items"):
        drawn = list(_drawn(by, parts, table, measure, left_out, name, options))
        if not drawn:
            continue
        means = np.array([m for m, _ in drawn])
        taus = np.array([tau_b(sign * order, sign * each) for _, each in drawn])
        known = taus[~np.isnan(taus)]
        interval = centred(seen, means, options.level, by, units[by], reach(measure))
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
    notes = [] if overall else ["agreement_stability: too few judges, tasks and items to draw anew"]
    if options.resamples and not _item_draws(parts, options) and _halves(parts):
        notes.append("agreement_stability: too many judges and items to draw half of the items anew")
    how = f" (left-out items {WORDS[left_out]})" if any((b.labels < 0).any() for b in parts) else ""
    said = _sentences(f"{'Agreement' if sign > 0 else 'The difference'} of two judges by {measure}{how}", seen, overall)
    return Believed(keys, values, overall, details, tuple(said), tuple(notes))


def _drawn(
    by: str, parts: Sequence[Block], table: Tables, measure: str, left_out: str, name: str, options: Options
) -> Iterator[tuple[float, Array]]:
    rng = stream(options.seed, name, by)
    judges, tasks = table.size, table.tasks
    once = np.ones((1, judges), np.int64)
    number = min(options.resamples, DRAWS)
    if by == "judges" and _judges(table) > 2:
        counts = table.behind()
        drawn_rows = drawn_judges(np.ones(judges, np.int64) if counts is None else counts, rng, number)
        means, every = table.with_judges(drawn_rows.times, None if counts is None else drawn_rows.apart)
        yield from zip(means.tolist(), every, strict=True)
    elif by == "tasks" and tasks > 1 and number:
        drawn = rng.integers(tasks, size=(number, tasks)) + np.arange(number)[:, None] * tasks
        often = np.bincount(drawn.ravel(), minlength=number * tasks).reshape(number, tasks).astype(float)
        means, every = table.with_tasks(often)
        yield from zip(means.tolist(), every, strict=True)
    elif by == "items" and _halves(parts):
        for _ in range(_item_draws(parts, options)):
            again = Tables.of(parts, measure, left_out, judges, lambda labels: _half(labels, rng))
            means, every = again.with_judges(once)
            yield float(means[0]), every[0]


def _judges(table: Tables) -> int:
    """How many judges are drawn: those behind rows one by one, unless nobody can tell who they are."""
    counts = table.behind()
    return table.size if counts is None else int(counts.sum())


def _halves(parts: Sequence[Block]) -> bool:
    """Whether a task has items enough for half of them to be grouped."""
    return any(b.labels.shape[2] > 3 for b in parts)


def _item_draws(parts: Sequence[Block], options: Options) -> int:
    """How often there is time to compare all judges on half of the items; 0 where that would be too seldom."""
    work = sum(b.labels.size * b.labels.shape[1] for b in parts)
    number = min(options.resamples, ITEM_DRAWS, WORK // max(work, 1))
    return number if number >= min(FEWEST, options.resamples) else 0


def _half(labels: Array, rng: np.random.Generator) -> Array:
    """Every task's labels of half of its items, drawn without putting back, numbered anew."""
    tasks, _, items = labels.shape
    chosen = np.argsort(rng.random((tasks, items)), axis=1)[:, : max(items // 2, 1)]
    return dense(np.take_along_axis(labels, chosen[:, None], axis=2))


def _same_lowest(order: Array, each: Array) -> bool:
    """Whether the judge with the least agreement is again (alone or tied) the lowest of those drawn."""
    if np.isnan(order).all() or np.isnan(each).all():
        return False
    among = np.where(np.isnan(each), np.nan, order)
    if np.isnan(among).all():
        return False
    return bool(each[int(np.nanargmin(among))] <= np.nanmin(each))


def _sentences(what: str, seen: float, overall: Sequence[Overall]) -> Iterator[str]:
    if math.isnan(seen):
        return
    ends = [(two(o.interval.low), two(o.interval.high), o.interval.by) for o in overall if o.interval]
    said = [f"{low} to {high} with other {by}{'' if k else ' like these'}" for k, (low, high, by) in enumerate(ends)]
    between = f"; it would be {listed(said)}" if said else ""
    yield f"{what} is {two(seen)}{between}."
    order = [(o.labels["by"], o.labels["judge_order_tau"]) for o in overall]
    taus = [f"{two(tau)} with other {by}" for by, tau in order if tau is not None]
    if taus:
        yield f"The order of the judges by their agreement keeps a tau of {listed(taus)} (1 is the same order)."
