"""What a trust method may ask of the core: draws, figures of any method, intervals and nulls.

A trust method is a function of a design and of a :class:`Core`, ``f(design, core, **parameters) -> Trusted``: it
weighs, permutes or imitates panels by the core's means and has no random numbers or intervals of its own. The core is
handed in, so that a kind knows nothing of inference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import NotDrawn
from quorate.inference.board_stability import drawn_together
from quorate.inference.budget import LOOKS, Budget
from quorate.inference.consensus_draws import consensus_drawn
from quorate.inference.engine import Figures, budget_of, estimates
from quorate.inference.estimate import Estimate, Interval, Null
from quorate.inference.intervals import (
    agreeing,
    drawn_variance,
    interval,
    interval_of_kind,
    jackknife,
    percentiles,
    student,
)
from quorate.inference.item_means import Answers
from quorate.inference.needed import Agree, Repeatability, pearson, repeatability, spearman
from quorate.inference.null import holm, null_of, sequential, student_p
from quorate.inference.pooled_board import PooledBoard
from quorate.inference.populations import Expected
from quorate.inference.results import Options
from quorate.inference.usual_methods import looks
from quorate.inference.weights import bootstrap, crossed, drawn, halves, polled, some_of, stream
from quorate.inference.worst_judge_test import clearly_worse, mean_of_sums
from quorate.kernels.binomial import wilson
from quorate.kernels.streams import sample
from quorate.panel.design import Design, Weights
from quorate.panel.design import Trusted as Trusted
from quorate.table import Method

Array = NDArray[Any]
D = TypeVar("D", bound=Design)
FULL = (-math.inf, math.inf)
SLACK = 0.01  # added to shares before odds are taken: those of 0 and 1 have some
HUGE = 1e18  # in place of what has no end


@dataclass(frozen=True, slots=True)
class Core:
    """The core as one trust method sees it."""

    options: Options
    method: Method | None = None  # that asks, for messages

    def over(self, design: Design, *known: str, usual: str = "", why: str = "") -> str:
        """What is drawn for an interval: as asked for, which must be known; else the usual, or the first of these.
        ``why`` says why it is nothing else."""
        if self.options.over is None:
            return usual if usual in known else known[0]
        asked = design.drawn_as(self.options.over).split("x")
        for one in known:
            if sorted(one.split("x")) == sorted(asked):
                return one
        raise NotDrawn(self.method or "this figure", self.options.over, *known, why=why)

    @property
    def brief(self) -> Core:
        """The core for a method inside a method, of which only the values are wanted."""
        return Core(replace(self.options, resamples=0, permutations=0, progress=None))

    @property
    def budget(self) -> Budget:
        """How much may be drawn."""
        return budget_of(self.options)

    def stream(self, *names: object) -> np.random.Generator:
        """A random generator for this purpose alone."""
        return stream(self.options.seed, *names)

    def seed(self, *names: object) -> int:
        """A seed for this purpose alone, for a plain function that takes one."""
        return int(self.stream(*names).integers(2**31))

    def drawn_together(self, several: Sequence[Figures], by: str, *names: object) -> list[Array]:
        """The figures of several methods on the same draws of judges, tasks or half of the items."""
        return drawn_together(several, by, self.stream("drawn", by, *names), self.options)

    def with_room(self, methods: Sequence[Method], design: Design, called: str) -> tuple[list[Method], tuple[str, ...]]:
        """The methods that are not too much for the largest task, and a note of the others."""
        kept = [m for m in methods if looks(m, ((p.given[0], p.counts) for p in design.parts)) <= LOOKS]
        gone = ", ".join(str(m) for m in methods if m not in kept)
        return kept, (f"{called} of {gone}: left out, for a task has too many items for it",) if gone else ()

    def figures(self, method: Method, design: Design) -> Figures:
        """The figures of any method, ready to be drawn."""
        return Figures.of(method, design)

    def board(self, method: Method, design: Design) -> PooledBoard:
        """The leaderboard of a method whose figures are no means over tasks: the same draws and tests as its answer."""
        figures = Figures.of(method, design)
        return PooledBoard.of(figures, figures.sample(self.options))

    def some_tasks(self, design: D, most: int, *names: object) -> D:
        """At most so many tasks, drawn at random."""
        size = len(design.tasks)
        return design if size <= most else design.some_tasks(self.sample(size, most, "tasks", *names))

    def sample(self, size: int, most: int, *names: object) -> Array:
        """The numbers of at most so many of so many things, drawn at random."""
        return sample(self.stream(*names), size, most)

    def bootstrap(self, design: Design, over: str, draws: int, rng: np.random.Generator) -> Weights:
        """Panels drawn with replacement."""
        return bootstrap(design, over, draws, rng)

    def halves(self, votes: Array, draws: int, rng: np.random.Generator, k: int | None = None) -> tuple[Array, Array]:
        """Two panels of k judges each (half of them) without a judge in common, ``[draw, judge]`` each."""
        return halves(votes, draws, rng, k)

    def some_of(self, votes: Array, k: int, rng: np.random.Generator) -> Array:
        """k judges of each row of votes, drawn without replacement."""
        return some_of(votes, k, rng)

    def consensus(self, method: Method, design: Design, part: Any, t: int, number: int) -> Array | None:
        """The consensus of resampled panels from one task's judges, ``[draw, item]``; None of too few judges."""
        return consensus_drawn(method, design, part, t, number, self.options)

    def drawn(self, size: int, work: float = 1.0, *names: object) -> Array:
        """How often each of so many units is drawn, ``[draw, unit]``, each draw being so much work."""
        return drawn(size, self.budget.draws(work + size), self.stream("drawn", *names))

    def drawn_each(self, sizes: Mapping[object, int], work: float, *names: object) -> list[Array]:
        """The same for several kinds of unit, by name, which are drawn as many times."""
        number = self.budget.draws(work + max(sizes.values()))
        return [drawn(size, number, self.stream("drawn", *names, n)) for n, size in sizes.items()]

    def polled(self, weights: Array, draws: int, *names: object) -> tuple[Array, Callable[[Any], Array]]:
        """Shares of answers among all judges, ``[draw, unit, answer]``, and panels of so many judges drawn of them."""
        return polled(weights, draws, self.stream("polled", *names))

    def crossed(self, by: str, inputs: int, systems: int, work: float = 1.0) -> tuple[Array, Array]:
        """How often each input and each system is drawn, the same for all that have as many."""
        return crossed(self.options.seed, by, inputs, systems, self.budget.draws(work))

    def estimate(self, method: Method, design: Design) -> Estimate:
        """A method's only figure on a design, with its interval."""
        return estimates(Figures.of(method, design), self.options, chance=[None])[0]

    def figure(
        self, value: float, labels: Mapping[str, Any], interval: Interval | None = None, null: Null | None = None
    ) -> Estimate:
        """A figure of a method's own as an estimate."""
        return Estimate(value, interval, null, labels)

    def share(self, hits: int, of: int) -> Interval | None:
        """The interval of a share, by Wilson's closed form."""
        ends = wilson(hits, of, self.options.level)
        return None if ends is None else Interval(*ends, self.options.level, "Wilson", 0)

    def ends(self, low: float, high: float, over: str) -> Interval:
        """An interval whose ends are known."""
        return Interval(low, high, self.options.level, over, self.options.resamples)

    def middle(self, values: Array, over: str, at_most: float = math.nan) -> Interval | None:
        """The middle share of drawn values, where they are what is asked about; undefined ones count as ``at_most``."""
        known = np.where(np.isnan(values), at_most, values)
        found = percentiles(np.where(np.isinf(known), HUGE, known), self.options.level, over)
        return found and self.changed(found, lambda x: math.inf if x >= HUGE / 2 else x)

    def changed(self, between: Interval, of: Callable[[float], float]) -> Interval:
        """The interval of a figure that rises, or falls, with another: its ends are those of the other, changed."""
        ends = sorted((float(of(between.low)), float(of(between.high))))
        return replace(between, low=ends[0], high=ends[1])

    def student(self, value: float, variances: Sequence[tuple[float, int]], over: str) -> Interval | None:
        """Student's t about a figure whose error has several parts: the variance of each, and of how many units."""
        return student(value, variances, value, level=self.options.level, over=over, draws=0, range=FULL)

    def student_test(self, value: float, variance: float, units: int, over: str) -> tuple[Interval | None, float]:
        """Student's t about a figure of so many units, and the p of its being 0."""
        return self.student(value, [(variance, units)], over), student_p(value, variance, units)

    def tested(self, value: float, values: Array, over: str, units: int) -> tuple[Interval | None, float]:
        """The same of a figure whose variance is that of draws."""
        variance, _ = drawn_variance(values[:, None], np.array([units]))
        return self.student_test(value, float(variance[0]), units, over)

    def clearly_worse(self, parts: Array, judge: Array, judges: int, level: float | None = None) -> tuple[Array, Array]:
        """p of each judge's mean being so low, corrected for their number, and who is named; ``parts[cell]`` are a
        number of units and the sum of their values, each cell one judge's."""
        chance = 1 - self.options.level if level is None else level
        return clearly_worse(parts, judge, judges, mean_of_sums, self.stream("clearly worse"), chance)

    def holm(self, p: Array) -> Array:
        """p-values corrected for their number."""
        return holm(p)

    def folds(self, cluster: Array, number: int, *names: object) -> Array:
        """So many parts, ``[unit]``: units of one cluster are in one of them."""
        known, code = np.unique(cluster, return_inverse=True)
        place = self.stream("folds", *names).permutation(len(known)) % number
        return np.asarray(place[code.ravel()])

    def jackknife_between(self, value: float, logits: Array, over: str) -> Interval | None:
        """The interval of a share, from the log odds of what it is without each unit."""
        seen = math.log(value / (1 - value))
        found = jackknife(seen, logits, np.ones(len(logits)), level=self.options.level, over=over, range=FULL)
        return found and replace(self.changed(found, lambda x: 1 / (1 + math.exp(-x))), draws=0)

    def interval_of_kind(self, kind: str, value: float, values: Array, over: str, units: int) -> Interval | None:
        """Of a correlation: by percentiles, bias-corrected, or as all others."""
        level = self.options.level
        return interval_of_kind(kind, value, values, level=level, over=over, units=units, range=(-1.0, 1.0))

    def interval(
        self,
        value: float,
        values: Array,
        over: str,
        units: int,
        range: tuple[float, float] = FULL,
        *,
        log: bool = False,
        p: float | None = None,
        at: float = 0.0,
    ) -> Interval | None:
        """An interval from drawn values; with the ``p`` of a test against ``at``, without that where p is small."""
        found = interval(value, values, level=self.options.level, over=over, units=units, range=range, log=log)
        return found if found is None or p is None else agreeing(found, value, p, at)

    def interval_of_share(self, value: float, values: Array, over: str, units: int) -> Interval | None:
        """An interval from drawn shares, by their log odds: a share of few units is known within a factor at best."""

        def odds(x: Any) -> Any:
            return np.log((x + SLACK) / (1 - x + SLACK))

        def share(x: float) -> float:
            return min(max((1 + 2 * SLACK) / (1 + math.exp(-x)) - SLACK, 0.0), 1.0)

        found = self.interval(float(odds(value)), odds(values), over, units)
        return found and self.changed(found, share)

    def jackknife(
        self, value: float, without: Array, counts: Array, over: str, range: tuple[float, float] = FULL
    ) -> Interval | None:
        """An interval from what a figure is without each unit."""
        return jackknife(value, without, counts, level=self.options.level, over=over, range=range)

    def null(self, values: Array, seen: float, sign: int = 1) -> Null | None:
        """What chance gives, from drawn values."""
        return null_of(values, seen, sign)

    def nulls(
        self, draw: Callable[[int, np.random.Generator], Array], seen: float, work: float, *names: object
    ) -> Null | None:
        """How often ``draw(k, rng)`` gets as far as what is seen, draws being added while p may matter."""
        rng = self.stream(*names)
        return sequential(lambda k: draw(k, rng)[:, None], np.array([seen]), self.budget.nulls(work))[0]

    def mean(
        self,
        values: Array,
        *names: object,
        range: tuple[float, float] = FULL,
        labels: Mapping[str, Any] | None = None,
    ) -> Estimate:
        """The mean over tasks of what is defined, with its interval over these."""
        known = np.asarray(values, float)
        known = known[np.isfinite(known)]
        value = float(known.mean()) if len(known) else math.nan
        between = None
        if len(known) > 1:
            weights = drawn(len(known), self.budget.draws(len(known)), self.stream("tasks", *names))
            between = self.interval(value, weights @ known / len(known), "tasks", len(known), range)
        return Estimate(value, between, labels=dict(labels or {}), n=len(known))

    def repeatability(
        self,
        parts: Sequence[tuple[Array, Array, Array]],
        agree: str | Agree,
        *names: object,
        around: Expected | None = None,
    ) -> Repeatability:
        """How well the consensuses of two panels of any number of judges would agree, and how many judges it takes.

        ``parts`` are tasks of one shape: values ``[task, row, item]``, NaN where nothing is said, whose means over
        judges are the consensus; how many judges a row stands for, and who they are, ``[task, row]``. ``agree`` is
        "spearman", "pearson", or a function of two consensuses ``[draw, item]`` that gives ``[draw]``. ``around`` says
        what item means are expected to be, where that is not the same for all.
        """
        every = [Answers(*part) for part in parts]
        how = {"spearman": spearman, "pearson": pearson}[agree] if isinstance(agree, str) else agree
        every = [part.compared for part in every] if isinstance(agree, str) else every
        tasks, most = "tasks" in (self.options.over or ""), self.options.resamples
        rng, level = partial(self.stream, *names), self.options.level
        return repeatability(every, how, rng, level=level, tasks=tasks, most=most, around=around)

    def tell(self, what: str, done: int, of: int) -> None:
        """Report progress to whoever listens."""
        self.options.tell(what, done, of)
