"""Populations to plan for: from a pilot panel, or from assumptions.

Of a pilot the variances are estimated by moments (:mod:`quorate.kernels.variance_components`), and those of task x
system and of judge x system moved towards none as far as their own error asks for: few judges seem to differ by luck,
and the votes planned for that may be thousands. The systems' means are moved towards one another in the same way, and
resampled around that as they may be: a pilot whose systems differ by luck promises nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.groupings.pairwise import mean_square
from quorate.inference.decision_study import LEVEL, Population, Study
from quorate.inference.noise import fitted_noise
from quorate.kernels.group_sums import crossed, renumbered
from quorate.kernels.ranks import dense, mid_ranks
from quorate.kernels.variance_components import variance_components
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import parse
from quorate.votes.quality import bradley_terry

Array = NDArray[Any]
TRUTHS = 2000
DRAWS = 4000  # places of which their variance is known
PEOPLE = 40  # of the card sort that assumptions stand for
LIKELY, STEP = 21, 8  # variances as a pilot allows them, and by which step those of tasks go with those of judges
SHARED = 1.5  # tasks of a system on average, from which on systems are compared over tasks


@dataclass(frozen=True, eq=False)
class Rows:
    """Judgments as numbers, the higher the better, each of a system by a judge on a task."""

    value: Array
    system: Array
    task: Array
    judge: Array
    names: tuple[Any, ...]

    def of(self, which: Array) -> Rows:
        """Some of the rows, with their systems renumbered."""
        names = tuple(self.names[k] for k in np.unique(self.system[which]).tolist())
        return Rows(
            self.value[which], renumbered(self.system[which]), self.task[which], renumbered(self.judge[which]), names
        )


def rows_of(panel: Panel, criterion: object = None) -> Rows:
    """The judgments of a pilot; of several criteria those of one."""
    if isinstance(panel, Orderings):
        return _orderings(OrderingDesign.of(panel))
    if isinstance(panel, Scores) and not panel.scale:
        found = [d for d in OutputDesign.every(panel) if criterion is None or d.labels.get("criterion") == criterion]
        made, unit = found[0], found[0].scores.unit
        return Rows(made.scores.value, made.system[unit], made.input[unit], made.scores.judge, made.systems)
    raise InputError(
        "the pilot panel holds labels.",
        "of labels: quorate trust FILE --method judges_needed says how many judges an item takes.",
    )


def _orderings(design: OrderingDesign) -> Rows:
    """Every item's place, from the last: mid-ranks, so that ties share theirs."""
    found = []
    for p in design.parts:
        there = p.positions > 0
        ranks = mid_ranks(dense(np.where(there, p.positions, np.iinfo(np.int32).max)))
        t, j, i = np.nonzero(there)
        found.append((-ranks[t, j, i], p.items[t, i], p.tasks[t], p.judges[t, j]))
    value, item, task, judge = (np.concatenate(x) for x in zip(*found, strict=True))
    return Rows(value.astype(float), item, task, judge, design.items)


def pilot(panel: Panel, rng: np.random.Generator, *, own: float = 0.0, criterion: object = None) -> list[Population]:
    """The populations behind a pilot: one, or one for every task where each has items of its own.

    None where it does not compare two systems by two judges.
    """
    if isinstance(panel, Votes):
        return [replace(p, own=own) for p in _votes(VoteDesign.of(panel), rng)]
    rows = rows_of(panel, criterion)
    pairs = np.unique(crossed(rows.system, rows.task))
    tasks = np.unique(rows.task)
    if len(tasks) > 1 and len(pairs) < SHARED * len(np.unique(rows.system)):
        each = [rows.of(np.flatnonzero(rows.task == t)) for t in tasks.tolist()]
    else:
        each = [rows.of(np.arange(len(rows.value)))]
    each = [some for some in each if len(some.names) > 1 and some.judge.max(initial=0) > 0]
    return [replace(p, own=own) for p in _populations(each, rng)] if each else []


def _populations(each: Sequence[Rows], rng: np.random.Generator) -> list[Population]:
    """Tasks with items of their own, or all tasks together: noise, and how far items spread, are those of all."""
    several = len(each) == 1 and bool(np.ptp(each[0].task) > 0)
    found = [_variances(r, several) for r in each]
    by_task, by_judge, rest = (float(np.mean(v)) for v in zip(*(made.values for made in found), strict=True))
    ends = tuple(np.mean([made.ends for made in found], axis=0).tolist())
    may = np.mean([made.may for made in found], axis=0)
    means, errors = [_means(rows) for rows in each], []
    for rows in each:
        cells, outputs = crossed(crossed(rows.system, rows.task), rows.judge), crossed(rows.system, rows.task)
        tasks, judges = len(np.unique(rows.task)), len(np.unique(rows.judge))
        voices = len(np.unique(cells)) / len(np.unique(outputs))  # judges of an output
        errors.append(by_task / tasks + by_judge / judges + rest / (voices * tasks))
    true = float(np.mean([m.var(ddof=1) - e for m, e in zip(means, errors, strict=True)]))
    made = (_levels(m, e, max(true, 0.0), rng) for m, e in zip(means, errors, strict=True))
    return [Population(levels, by_task, by_judge, rest, tasks=several, judge_ends=ends, may=may) for levels in made]


def _variances(rows: Rows, several: bool) -> Variances:
    """Of task x system, judge x system and the rest, in which is what the design does not tell from it."""
    factors = {"system": rows.system, "judge": rows.judge, "judge x system": crossed(rows.judge, rows.system)}
    if several:
        factors |= {"task": rows.task, "task x system": crossed(rows.task, rows.system)}
        factors |= {"task x judge": crossed(rows.task, rows.judge)}
    size = {name: len(np.unique(codes)) for name, codes in factors.items()}
    kept = {name: codes for name, codes in factors.items() if 1 < size[name] < len(rows.value)}
    found = variance_components(rows.value, list(kept.values()))[0].tolist()
    variance = dict(zip([*kept, "rest"], (max(v, 0.0) if math.isfinite(v) else 0.0 for v in found), strict=True))

    def part(name: str) -> Part:
        if f"{name} x system" not in kept:
            return Part()
        noise = variance["rest"] * size[f"{name} x system"] / len(rows.value)
        return Part(variance[f"{name} x system"], noise, (size[name] - 1) * (size["system"] - 1))

    return Variances.sure(part("task"), part("judge"), variance["rest"])


@dataclass(frozen=True)
class Part:
    """A variance as a pilot has it, what noise adds to the mean square that it is told by, and degrees of freedom."""

    value: float = 0.0
    noise: float = 0.0
    freedom: int = 0

    @property
    def sure(self) -> float:
        """The part of it that noise does not explain: a half of one as large as noise alone often makes it, which is
        as far as its estimate spreads where there is none.

        >>> round(Part(1.0, 2.0, 8).sure, 3), Part(1.0, 1.0, 0).sure, Part(1.0, 0.0, 8).sure
        (0.5, 0.0, 1.0)
        """
        if self.value <= 0 or self.freedom < 1:
            return 0.0
        return self.value**3 / (self.value**2 + 2 / self.freedom * self.noise**2)

    @property
    def ends(self) -> tuple[float, float]:
        """Between which it may be."""
        low, high = self.quantiles(self.value, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        return low, high

    def quantiles(self, value: float, shares: Sequence[float]) -> list[float]:
        """What it is below with such probabilities, by the distribution of a mean square, if it seems to be so much."""
        if self.freedom < 1:
            return [0.0] * len(shares)
        from scipy.special import chdtri

        square = (value + self.noise) * self.freedom
        return [max(square / float(chdtri(self.freedom, share)) - self.noise, 0.0) for share in shares]


@dataclass(frozen=True, eq=False)
class Variances:
    """Of task x system, of judge x system and of the rest; between which ends the second may be, and both as likely."""

    values: tuple[float, float, float]
    ends: tuple[float, float]
    may: Array  # [draw, 2]

    @classmethod
    def sure(cls, task: Part, judge: Part, rest: float) -> Variances:
        """Those of task x system and judge x system that are sure; what is not is of the rest."""
        left = task.value - task.sure + judge.value - judge.sure
        shares = [(k + 0.5) / LIKELY for k in range(LIKELY)]
        by_task, by_judge = (part.quantiles(part.sure, shares) for part in (task, judge))
        mixed = [by_task[k * STEP % LIKELY] for k in range(LIKELY)]  # any of them with any
        return cls((task.sure, judge.sure, rest + left), judge.ends, np.column_stack([mixed, by_judge]))

    def times(self, factor: float) -> Variances:
        """The same, of what is measured on another scale."""
        by_task, by_judge, rest = (factor * v for v in self.values)
        ends = (factor * self.ends[0], factor * self.ends[1])
        return Variances((by_task, by_judge, rest), ends, factor * self.may)


def _means(rows: Rows) -> Array:
    """Every system's mean: judges of a task first, then tasks; each task measured from its own mean."""
    cell = crossed(rows.system, rows.task)
    number = np.bincount(cell)
    mean = np.bincount(cell, rows.value) / np.maximum(number, 1)
    first = np.unique(cell, return_index=True)[1]
    system, task = rows.system[first], renumbered(rows.task[first])
    level = np.bincount(task, mean) / np.bincount(task)
    return np.asarray(np.bincount(system, mean - level[task]) / np.maximum(np.bincount(system), 1))


def _levels(means: Array, error: float, true: float, rng: np.random.Generator) -> Array:
    """Levels as they may be, given means with such an error of levels with such a variance, ``[truth, system]``."""
    kept = true / (true + error) if true + error > 0 else 0.0
    centre = means.mean() + kept * (means - means.mean())
    return np.asarray(centre + math.sqrt(kept * error) * rng.normal(size=(TRUTHS, len(means))))


def _votes(v: VoteDesign, rng: np.random.Generator) -> list[Population]:
    """Systems' shares of votes against all others, by the strengths of Bradley and Terry; a tie is half a vote."""
    logs = bradley_terry(v, v.often()).values[0]
    known = np.flatnonzero(np.isfinite(logs))
    if len(known) < 2:
        return []
    wins = 1 / (1 + np.exp(-(logs[:, None] - logs)))
    number = len(known)
    level = (wins[np.ix_(known, known)].sum(axis=1) - 0.5) / (number - 1)
    use = np.flatnonzero(np.isin(v.first, known) & np.isin(v.second, known))
    gets = v.outcome[0, use] - wins[v.first[use], v.second[use]]
    system, task, judge = (
        np.concatenate([v.first[use], v.second[use]]),
        *(np.tile(x[use], 2) for x in (v.task, v.judge)),
    )
    found = _shared(np.concatenate([gets, -gets]), system, task, judge).times(number / (number - 1))
    by_task, by_judge, rest = found.values  # what one system wins, another loses
    error = by_task / len(np.unique(task)) + by_judge / len(np.unique(judge)) + rest / (len(system) / number)
    true = max(float(level.var(ddof=1)) - error, 0.0)
    levels = _levels(level, error, true, rng)
    return [Population(levels, by_task, by_judge, rest, answers=number - 1, judge_ends=found.ends, may=found.may)]


def _shared(value: Array, system: Array, task: Array, judge: Array) -> Variances:
    """Variances of task x system and of judge x system, and the rest, from what votes leave of a system's odds.

    What two votes on a system share that are on one task by two judges is due to the task, what two of one judge on two
    tasks share to the judge. Each vote is there from both of its sides, one for either system: an analysis of variance
    would take the one mirrored in the other for noise. As residuals of a fit, those of a system add up to about 0.
    """
    of_task, of_judge = (crossed(system, code) for code in (task, judge))
    total, rows = float(np.mean(value**2)), float(np.mean(np.bincount(system)[system]))

    def sums(code: Array) -> Array:
        return np.array([(np.bincount(code, value) ** 2).sum(), (np.bincount(code) ** 2).sum()])

    one = not np.ptp(task)  # of one task every vote stands for itself, or nothing is known of how judges differ
    own = sums(np.arange(len(value)) if one else crossed(of_task, judge))  # else a judge's votes on a task are no two
    systems, found = len(np.unique(system)), []
    for code, of in ((task, of_task), (judge, of_judge)):
        products, pairs = sums(of) - own
        many = len(np.unique(code))
        seen = max(float(products / pairs) + total / rows, 0.0) if pairs and many > 1 else 0.0
        found.append(Part(seen, total * many * systems / len(value), (many - 1) * (systems - 1)))
    return Variances.sure(found[0], found[1], max(total - sum(part.value for part in found), 0.0))


# -- assumptions -------------------------------------------------------------------------------------------------------


def assumed_orderings(items: int, tau: float, rng: np.random.Generator, deviation: float = 0.0) -> Population:
    """Items at equal distances, seen with so much noise that the orders of two judges correlate so, by tau."""
    apart = np.subtract.outer(np.arange(items), np.arange(items))
    normal = NormalDist()

    def found(noise: float) -> float:
        sure = [2 * normal.cdf(d / (noise * math.sqrt(2))) - 1 for d in range(1, items)]
        return sum((items - d) * s**2 for d, s in enumerate(sure, 1)) / math.comb(items, 2)

    low, high = 1e-3, 100.0 * items
    for _ in range(60):
        noise = math.sqrt(low * high)
        low, high = (noise, high) if found(noise) > tau else (low, noise)
    before = np.vectorize(normal.cdf)(apart / (low * math.sqrt(2)))
    places = np.argsort(np.argsort(np.arange(items) + low * rng.normal(size=(DRAWS, items)), axis=1), axis=1)
    rest = float(places.var(axis=0).mean()) * items / (items - 1)
    levels = np.broadcast_to(-before.sum(axis=1), (TRUTHS, items))
    return Population(levels, deviation**2, 0.0, rest, tasks=deviation > 0)


def assumed_groupings(items: int, groups: int, agreement: float, rng: np.random.Generator) -> Groupings:
    """People who share one partition into groups of equal size, and put so many cards anywhere that they agree so."""
    if not 1 < groups < items:
        raise BadParameter(f"groups={groups} is out of range.", "from 2 to one fewer than there are cards.")
    method = parse("adjusted_rand(left_out=common)", "groupings", "agreement")
    chance, other = rng.random((PEOPLE, items)), rng.integers(0, groups, (PEOPLE, items))

    def labels(moved: float) -> Array:
        return np.where(chance >= moved, np.arange(items) % groups, other)

    def found(moved: float) -> float:
        square = mean_square(method, labels(moved)[None])[0]
        return float(np.nanmean(square[~np.eye(PEOPLE, dtype=bool)]))

    rows = labels(fitted_noise(found, agreement, 1.0)).tolist()
    return Groupings.from_groups({f"p{k:02}": {f"c{i}": g for i, g in enumerate(row)} for k, row in enumerate(rows)})


def assumed_scores(systems: int, alpha: float, points: int, difference: float, deviation: float | None) -> Population:
    """Systems so many points apart; judges' scores of an output correlate by alpha, and spread as on such a scale."""
    step = (points - 1) / 4 if points else 1.0
    by_task = alpha * step**2 if deviation is None else deviation**2
    levels = np.broadcast_to(-difference * np.arange(systems), (TRUTHS, systems))
    return Population(levels, by_task, 0.0, (1 - alpha) * step**2)


def assumed_votes(systems: int, share: float, deviation: float = 0.0) -> Population:
    """Systems of which each wins so large a share of the votes against the next one."""
    logit = math.log(share / (1 - share))
    wins = 1 / (1 + np.exp(logit * np.subtract.outer(np.arange(systems), np.arange(systems))))
    other = ~np.eye(systems, dtype=bool)
    level = (wins * other).sum(axis=1) / (systems - 1)
    rest = float((wins * (1 - wins))[other].mean()) * systems / (systems - 1)
    return Population(np.broadcast_to(level, (TRUTHS, systems)), deviation**2, 0.0, rest, answers=systems - 1)


def judgments(kind: str, study: Study, systems: int) -> int:
    """How many orders, scores or votes a study takes."""
    each = {"orderings": 1, "scores": systems, "votes": math.comb(systems, 2)}[kind]
    return study.judges * study.tasks * study.repeats * each
