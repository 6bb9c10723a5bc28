"""How well would another panel agree with this one, and how many judges does it take until it does?

The consensus of a panel is what its judges say on average: ranks of items, scores of outputs, whether two items are
together. ``Repeatability.at(k)`` is how well the consensuses of two independent panels of k judges agree, on average
over panels and tasks. Where there are 2k judges, two panels without a judge in common are drawn from them. Beyond that
the population is rebuilt: item means shrunk to their true spread (noise spreads them too), plus the judges' residuals,
drawn with replacement, so that any k can be asked about; what can be drawn from the judges says how far they spread.

Its interval is over judges: many populations are rebuilt, each as far spread, and as evenly, as the judges allow. With
few judges that includes no spread at all; then no number of judges is surely enough.

>>> rng = np.random.default_rng(1)
>>> ranks = np.argsort(np.argsort(np.arange(8) + 3 * rng.normal(size=(40, 8)), axis=1), axis=1) + 1.0
>>> found = repeatability([Answers.of(ranks)], spearman, lambda *names: np.random.default_rng(len(names)))
>>> found.at(1) < found.at(5) < found.at(50)
True
>>> needed = found.needed(0.9)
>>> needed.low <= needed.value <= needed.high
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.weights import drawn_rows, halves, some_of
from quorate.kernels.pair_means import ratio
from quorate.kernels.ranks import dense, mid_ranks

Array = NDArray[Any]
Stream = Callable[..., np.random.Generator]
Agree = Callable[[Array, Array], Array]
CELLS = 10**5  # numbers drawn for one number of judges, about
TRUTHS, DRAWS = (40, 200), 20  # possible populations, and pairs of panels from each at most
SMALL = 20  # judges up to which panels are drawn from the residuals; the mean of more is normal
MOST = 100_000  # judges; who wants more is told that no number is enough
STEADY = 0.8  # agreement below which panels drawn still tell how far item means spread
FAR, STEPS = 0.7, 7  # how far that is looked for, in so many halvings
NONE = 1e-12  # spread that is rounding alone


# -- how two consensuses agree -----------------------------------------------------------------------------------------


def pearson(first: Array, second: Array) -> Array:
    """Pearson's r of every two rows, over the items that both have; 0 where one of them is constant, NaN under two."""
    gaps = np.isnan(first) | np.isnan(second)
    size = (~gaps).sum(axis=-1)
    a, b = (np.where(gaps, 0.0, x) for x in (first, second))
    a, b = (np.where(gaps, 0.0, x - ratio(x.sum(axis=-1), size)[..., None]) for x in (a, b))
    scale = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    found = np.divide((a * b).sum(axis=-1), scale, out=np.zeros(scale.shape), where=scale > NONE)
    return np.asarray(np.where(size > 1, np.clip(found, -1, 1), math.nan))


def spearman(first: Array, second: Array) -> Array:
    """Spearman's rho of every two rows, over the items that both have; ties share their ranks."""
    gaps = np.isnan(first) | np.isnan(second)
    ranks = (mid_ranks(dense(np.where(gaps, np.inf, np.round(x, 9))[None]))[0] for x in (first, second))
    return pearson(*(np.where(gaps, math.nan, r) for r in ranks))


# -- the judges and their population -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answers:
    """What judges say on tasks of one shape, as numbers whose means over judges are the consensus."""

    values: Array  # [task, row, item], NaN where nothing is said
    counts: Array  # [task, row] how many judges a row stands for
    judges: Array  # [task, row] who they are: judges of several tasks are drawn with all of them

    @classmethod
    def of(cls, values: Array) -> Answers:
        """One task with a row per judge."""
        rows = np.arange(len(values))[None]
        return cls(np.asarray(values, float)[None], np.ones_like(rows), rows)

    @cached_property
    def held(self) -> Array:
        """1 where something is said, ``[task, row, item]``."""
        return (~np.isnan(self.values)).astype(float)

    @cached_property
    def filled(self) -> Array:
        """The values, 0 where nothing is said."""
        return np.nan_to_num(self.values)

    @cached_property
    def size(self) -> Array:
        """Judges of each task."""
        return np.asarray(self.voting.sum(axis=1))

    @cached_property
    def holders(self) -> Array:
        """How many judges say something of each item, ``[task, item]``."""
        return np.asarray(np.einsum("tj,tji->ti", self.counts.astype(float), self.held))

    @cached_property
    def known(self) -> Array:
        """Items of which two judges say something: of others nobody knows the noise."""
        return np.asarray(self.holders > 1)

    @cached_property
    def means(self) -> Array:
        """Item means less their mean, ``[task, item]``; 0 for items that are not known."""
        sums = np.einsum("tj,tji->ti", self.counts.astype(float), self.filled)
        return self.centred(np.where(self.known, ratio(sums, self.holders), 0.0))

    @cached_property
    def residuals(self) -> Array:
        """What is left of each judge's values, made as large as noise is, ``[task, row, item]``."""
        sums = np.einsum("tj,tji->ti", self.counts.astype(float), self.filled)
        mean = np.where(self.known, ratio(sums, self.holders), 0.0)
        wide = np.sqrt(np.where(self.known, self.holders / np.maximum(self.holders - 1, 1), 0.0))
        return np.asarray((self.filled - mean[:, None]) * self.held * wide[:, None])

    @cached_property
    def errors(self) -> Array:
        """Each row's part in the errors of the item means: a normal number times these, added up, is such an error."""
        own = np.sqrt(self.counts)[:, :, None] * self.residuals / np.maximum(self.holders, 1)[:, None]
        return self.centred(own, self.known[:, None])

    @cached_property
    def error_root(self) -> Array:
        """As many rows as items at most that give errors of the same covariance, ``[task, row, item]``."""
        if self.errors.shape[1] <= self.errors.shape[2]:
            return self.errors
        size, axes = np.linalg.eigh(np.matmul(self.errors.transpose(0, 2, 1), self.errors))
        return np.asarray(np.sqrt(np.maximum(size, 0.0))[:, :, None] * axes.transpose(0, 2, 1))

    @cached_property
    def spread(self) -> Array:
        """Squares of the item means, ``[task]``."""
        return np.asarray((self.means**2).sum(axis=1))

    @cached_property
    def noises(self) -> Array:
        """What each row adds to the squares of item means by noise, ``[task, row]``."""
        return np.asarray((self.errors**2).sum(axis=2))

    @cached_property
    def defined(self) -> Array:
        """Tasks on which two panels can be compared: two judges, two items, and some difference between items."""
        differs = self.spread + self.noises.sum(axis=1) > NONE
        return np.asarray((self.size > 1) & (self.known.sum(axis=1) > 1) & differs)

    def centred(self, values: Array, known: Array | None = None) -> Array:
        """Values less their mean over the items that are known, 0 for the others."""
        known = self.known if known is None else known
        mean = ratio(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))[..., None]
        return np.asarray(np.where(known, values - mean, 0.0))

    @property
    def compared(self) -> Answers:
        """Without items of which fewer than two judges say something: no two panels both have them."""
        most = int(self.known.sum(axis=1).max(initial=0))
        kept = np.argsort(~self.known, axis=1, kind="stable")[:, None, :most]
        return self if most == self.known.shape[1] else replace(self, values=np.take_along_axis(self.values, kept, 2))

    def only(self, tasks: Array) -> Answers:
        """Some of the tasks."""
        return Answers(self.values[tasks], self.counts[tasks], self.judges[tasks])

    @cached_property
    def voting(self) -> Array:
        """How many judges each row stands for, 0 where it says nothing, ``[task, row]``."""
        return np.asarray(self.counts * self.held.any(axis=2))

    def error(self, normal: Array) -> Array:
        """Errors of item means, of normal numbers ``[draw, judge]``: ``[draw, task, item]``."""
        return np.stack([normal[:, who] @ own for who, own in zip(self.judges, self.errors, strict=True)], axis=1)

    def consensus(self, panels: Array) -> Array:
        """What panels say on average, ``panels[task, draw, row]``: ``[task, draw, item]``."""
        sums, of = np.matmul(panels, self.filled), np.matmul(panels, self.held)
        return np.where(of > 0, ratio(sums, of), math.nan)


@dataclass(frozen=True)
class Needed:
    """How many judges it takes, and the interval of that number; infinite where no number is enough."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Repeatability:
    """How well the consensuses of two independent panels of k judges agree, for any k."""

    parts: tuple[Answers, ...]  # tasks on which two panels can be compared
    agree: Agree
    stream: Stream
    level: float
    draws: int  # pairs of panels for each of the possible truths
    truths: tuple[Array, ...] = ()  # of each part item means as they may be, [task, truth, item]
    _at: dict[int, float] = field(default_factory=dict, repr=False)
    _known: dict[int, Array] = field(default_factory=dict, repr=False)
    _errors: dict[tuple[int, int], Array] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        """Whether anything can be said."""
        return bool(self.parts)

    @property
    def judges(self) -> int:
        """How many judges it rests on; with fewer than three an interval says nothing."""
        return int(_voters(self.parts).sum()) if self.parts else 0

    def at(self, k: int) -> float:
        """The mean agreement of two panels of k judges: of panels drawn, and of the population where k is too large."""
        if k not in self._at:
            enough = [part.size >= 2 * k for part in self.parts]
            own = [self._drawn(n, k, np.flatnonzero(e)) for n, e in enumerate(enough) if e.any()]
            drawn = np.concatenate([np.zeros(0), *own])
            rest = sum(int((~e).sum()) for e in enough)
            value = float(_mean(drawn)) if len(drawn) else 0.0
            if rest:
                beyond = self.possible(k) if not len(drawn) else self._every(k, [~e for e in enough])
                value = (value * len(drawn) + float(np.median(beyond)) * rest) / (len(drawn) + rest)
            self._at[k] = value
        return self._at[k]

    def possible(self, k: int) -> Array:
        """The same of every possible population, ``[truth]``."""
        if k not in self._known:
            self._known[k] = self._every(k, [np.ones(len(p.size), bool) for p in self.parts])
        return self._known[k]

    def _every(self, k: int, which: Sequence[Array]) -> Array:
        """The mean over some tasks of every possible population, ``[truth]``."""
        return _mean(
            np.concatenate([self._rebuilt(n, k, np.flatnonzero(w)) for n, w in enumerate(which) if w.any()]), 0
        )

    def calibrated(self) -> Repeatability:
        """The same with truths that spread so far that panels agree as those do that can be drawn from the judges.

        Only farther: the noise in item means makes them less even than they are, and harder to put in order.
        """
        most = max(int(p.size.max()) for p in self.parts) // 2
        number = 1
        for k in sizes(most):
            if self.at(k) >= STEADY:
                break
            number = k
        sizes_of = [np.minimum(p.size // 2, number) for p in self.parts]
        each = [(part, int(k), np.flatnonzero(own == k)) for part, own in enumerate(sizes_of) for k in np.unique(own)]
        wanted = float(_mean(np.concatenate([self._drawn(*one) for one in each])))
        low, high = 0.0, FAR
        for _ in range(STEPS):
            factor = (low + high) / 2
            found = np.concatenate([self._rebuilt(*one, math.exp(factor)) for one in each])
            low, high = (factor, high) if float(np.median(_mean(found, 0))) < wanted else (low, factor)
        truths = tuple(t * math.exp(low) for t in self.truths)
        least = min(int(p.size.min()) for p in self.parts)
        return replace(self, truths=truths, _known={}, _at={k: v for k, v in self._at.items() if 2 * k <= least})

    def between(self, k: int) -> tuple[float, float]:
        """The interval of :meth:`at`, over judges."""
        value, ends = self.at(k), np.quantile(self.possible(k), [(1 - self.level) / 2, (1 + self.level) / 2])
        return min(float(ends[0]), value), max(float(ends[1]), value)

    def needed(self, target: float) -> Needed:
        """The smallest k for which two panels of k judges agree at least as the target, with its interval."""
        tail = (1 - self.level) / 2
        never = self.possible(MOST) < target
        wanted = 1 - tail / 2 if never.mean() <= tail else 4 * tail  # then only the low end is finite
        ks, value = [], math.inf if self.at(MOST) < target else smallest(self.at, target)
        for k in sizes(MOST):
            ks.append(k)
            below = self.possible(k) < target
            if len(ks) > 1 and ((~below).mean() >= wanted or not (below & ~never).any()):
                break
        curves = np.stack([self.possible(k) for k in ks], axis=1)
        each = [crossing(ks, _rising(curve), target) for curve in curves.tolist()]
        low, high = np.quantile(each, [tail, 1 - tail], method="nearest")
        return Needed(value, min(value, float(low)), max(value, float(high)))

    def _drawn(self, number: int, k: int, tasks: Array) -> Array:
        """Agreement of panels drawn from the judges, ``[task]``."""
        own = self.parts[number].only(tasks)
        two = self._halves(own, k, self.stream("halves", number, k))
        return _mean(self._agreed(*(own.consensus(panels) for panels in two)), 1)

    def _rebuilt(self, number: int, k: int, tasks: Array, factor: float = 1.0) -> Array:
        """Agreement of panels of the possible populations, ``[task, truth]``."""
        truth = np.repeat(self.truths[number][tasks] * factor, self.draws, axis=1)
        found = self._agreed(*(truth + noise[tasks] for noise in self._noise(number, k)))
        return _mean(found.reshape(len(tasks), -1, self.draws), 2)

    def _agreed(self, first: Array, second: Array) -> Array:
        items = first.shape[-1]
        return self.agree(first.reshape(-1, items), second.reshape(-1, items)).reshape(first.shape[:2])

    def _halves(self, part: Answers, k: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Two panels of k judges without one in common, ``[task, draw, row]`` each."""
        counts, draws = part.voting, self.draws * self.truths[0].shape[1]
        if counts.max(initial=0) > 1:
            each = [halves(row, draws, rng, k) for row in counts]
            return np.stack([a for a, _ in each]), np.stack([b for _, b in each])
        both = some_of(np.repeat(counts, draws, axis=0), 2 * k, rng)
        first = some_of(both, k, rng)
        shape = (len(counts), draws, -1)
        return first.reshape(shape), (both - first).reshape(shape)

    def _noise(self, number: int, k: int) -> Array:
        """Errors of two consensuses of k judges, ``[2, task, draw, item]``; NaN where none of them says anything."""
        if (number, k) not in self._errors:
            self._errors[number, k] = self._normal(number, k) if k > SMALL else self._resampled(number, k)
        return self._errors[number, k]

    def _normal(self, number: int, k: int) -> Array:
        """The same numbers serve every k, so that more judges never look worse by luck."""
        if (number, 0) not in self._errors:
            part, draws = self.parts[number], self.draws * self.truths[0].shape[1]
            normal = self.stream("normal", number).normal(size=(2, len(part.size), draws, part.error_root.shape[1]))
            own = np.matmul(normal, part.error_root) * np.sqrt(part.size)[:, None, None]
            self._errors[number, 0] = np.where(part.known[:, None], own, math.nan)
        return self._errors[number, 0] / math.sqrt(k)

    def _resampled(self, number: int, k: int) -> Array:
        """The first k of the judges drawn with replacement: the same for every k."""
        part, draws, rng = self.parts[number], self.draws * self.truths[0].shape[1], self.stream("residuals", number)
        tasks, rows, _ = part.values.shape
        task = np.arange(tasks)
        upto = np.cumsum(part.voting, axis=1) / part.size[:, None]
        chosen = np.stack([rng.random((2, draws, tasks)) for _ in range(k)]) * (1 - NONE) + task
        row = np.searchsorted((upto + task[:, None]).ravel(), chosen, side="right") - task * rows
        panel = (np.arange(2 * draws).reshape(2, -1, 1) * tasks + task) * rows
        often = np.bincount((panel + row).ravel(), minlength=2 * draws * tasks * rows)
        panels = often.reshape(2, draws, tasks, rows).transpose(0, 2, 1, 3).astype(float)
        sums, of = np.matmul(panels, part.residuals), np.matmul(panels, part.held)
        return np.where((of > 0) & part.known[:, None], ratio(sums, of), math.nan)


def _mean(values: Array, axis: int | None = None) -> Array:
    """The mean of what is defined."""
    known = np.isfinite(values)
    of = known.sum(axis=axis)
    return ratio(np.where(known, values, 0.0).sum(axis=axis), of)


def repeatability(
    parts: Sequence[Answers],
    agree: Agree,
    stream: Stream,
    *,
    level: float = 0.95,
    tasks: bool = False,
    most: int = TRUTHS[1],
) -> Repeatability:
    """From what judges say to how well panels of any size would agree.

    ``agree(first[draw, item], second[draw, item])`` says how two consensuses agree: :func:`spearman`, :func:`pearson`,
    or that of two partitions. ``stream(*names)`` gives a random generator for each purpose. With ``tasks`` the interval
    is over tasks as well as judges. ``most`` is how many possible populations are wanted at most, if not too few.
    """
    parts = tuple(part.only(part.defined) for part in parts if part.defined.any())
    if not parts:
        return Repeatability((), agree, stream, level, 0)
    cells = sum(len(p.values) * max(p.values.shape[1] // 4, p.values.shape[2]) for p in parts)
    truths = int(np.clip(min(CELLS // cells, most), *TRUTHS))
    draws = int(np.clip(CELLS // (cells * truths), 1, DRAWS))
    return Repeatability(
        parts, agree, stream, level, draws, _truths(parts, stream("truths"), truths, tasks)
    ).calibrated()


def _voters(parts: Sequence[Answers]) -> Array:
    """How many judges each number stands for."""
    out = np.zeros(max(int(p.judges.max(initial=0)) for p in parts) + 1, np.int64)
    for p in parts:
        np.maximum.at(out, p.judges, p.counts.astype(np.int64))
    return out


def _signal(parts: Sequence[Answers]) -> tuple[float, list[Array]]:
    """How far the spread of item means exceeds its noise, of all tasks; and each task's share in that.

    Tasks differ, but less than their estimates do: each is moved towards the whole as far as its own noise asks for.
    """
    spread, noise = (np.concatenate(x) for x in ([p.spread for p in parts], [p.noises.sum(axis=1) for p in parts]))
    items = np.concatenate([p.known.sum(axis=1) for p in parts])
    noisy = noise > NONE * spread
    if not noisy.any():
        return 1.0, [np.ones(len(p.values)) for p in parts]  # nobody differs: there is nothing to shrink
    every = float(spread[noisy].sum() / noise[noisy].sum()) - 1
    own = ratio(spread, noise) - 1
    within = (2 * (1 + 2 * np.maximum(own, 0)) / (items - 1))[noisy].mean()
    between = max(float(own[noisy].var()) - float(within), 0.0)
    moved = every + between / (between + float(within)) * (own - every) if noisy.sum() > 1 else own
    relative = np.maximum(moved, 0.0) / every if every > 0 else np.ones(len(own))
    signal = max(every, 0.0)
    shape = np.sqrt(np.where(noisy, relative * ratio(noise, spread), 1 / max(signal, NONE)))
    return signal, np.split(shape, np.cumsum([len(p.values) for p in parts])[:-1])


def _truths(parts: Sequence[Answers], rng: np.random.Generator, draws: int, tasks: bool) -> tuple[Array, ...]:
    """Item means as they may be, given those seen: of each part ``[task, truth, item]``.

    How far they spread: at what signal would drawn noise give just the ratio of spread to noise that was seen? The
    share of draws below a signal is then the chance that a population with that signal shows as much, or more. What
    they look like: the means seen less drawn noise, the more of it the less they rise above it, and the less they do so
    the more evenly they may stand.
    """
    voters, (_, shapes) = _voters(parts), _signal(parts)
    judges = int(voters.sum())
    seen = ratio(*(np.asarray(sum(x)) for x in ([p.spread.sum() for p in parts], [p.noises.sum() for p in parts])))
    spread = np.sqrt((judges - 1) / rng.chisquare(judges - 1, size=(2, draws, 1)))  # the noise is itself estimated
    normal, other = rng.normal(size=(2, draws, len(voters))) * spread
    often = drawn_rows(voters, draws, rng) / np.maximum(voters, 1)
    number = sum(len(p.values) for p in parts)
    times = drawn_rows(np.ones(number), draws, rng) if tasks else np.ones((draws, number))
    square, linear, error, noise = np.zeros((4, draws))
    begin = 0
    for p, shape in zip(parts, shapes, strict=True):
        weight = times[:, begin : begin + len(p.values)]
        begin += len(p.values)
        off = p.error(normal)
        square += weight @ (shape**2 * p.spread)
        linear += (weight * np.einsum("bti,ti->bt", off, p.means * shape[:, None])).sum(axis=1)
        error += (weight * (off**2).sum(axis=2)).sum(axis=1)
        noise += (weight * np.einsum("btj,tj->bt", often[:, p.judges], p.noises)).sum(axis=1)
    degrees = sum(int((p.known.sum(axis=1) - 1).sum()) for p in parts)
    least = 1 + math.sqrt(2 / degrees)  # spread that noise alone often gives: to see less is luck, and tells no more
    left = max(float(seen), least) * noise - error  # what true means have to explain
    root = np.sqrt(np.maximum(linear**2 + square * left, 0.0)) - linear
    signal = np.where((left > 0) & (square > 0), ratio(root, square), 0.0) ** 2
    if not math.isfinite(seen):
        signal = np.ones(draws)
    out = []
    for p, shape in zip(parts, shapes, strict=True):
        rises = (shape**2 * p.spread / np.maximum(p.noises.sum(axis=1), NONE)) * signal[:, None]  # [draw, task]
        kept = (rises / (1 + rises))[:, :, None]
        like = _unit(kept * p.means + np.sqrt(kept) * p.error(other))
        even = _unit(p.centred(np.argsort(np.argsort(np.where(p.known, like, np.inf), axis=2), axis=2).astype(float)))
        like = _unit(like + (1 - kept) * rng.random((draws, 1, 1)) * (even - like))
        out.append((like * np.sqrt(signal[:, None] * shape**2 * p.spread)[:, :, None]).transpose(1, 0, 2))
    return tuple(out)


def _unit(values: Array) -> Array:
    """Every row made as long as 1."""
    size = np.sqrt((values**2).sum(axis=-1, keepdims=True))
    return np.asarray(np.divide(values, size, out=np.zeros(values.shape), where=size > 0))


# -- the smallest number that is enough --------------------------------------------------------------------------------


def sizes(most: float = math.inf) -> Iterator[int]:
    """Some numbers of judges, close at first, then in larger steps, up to the largest.

    >>> list(sizes(20))
    [1, 2, 3, 4, 6, 8, 11, 15, 20]
    """
    k = 1
    while k < most:
        yield k
        k = max(k + 1, round(k * 1.4))
    if most < math.inf and most >= 1:
        yield int(most)


def smallest(curve: Callable[[int], float], target: float) -> float:
    """The smallest k at which a rising curve, known with some error, reaches the target; infinite if it never does."""
    ks: list[int] = []
    values: list[float] = []
    for k in sizes(MOST):
        ks.append(k)
        values.append(curve(k))
        if math.isnan(values[-1]) and len(ks) > 1:
            return math.nan
        if len(values) > 1 and min(values[-2:]) >= target:
            break
    return crossing(ks, _rising(values), target)


def crossing(ks: Sequence[int], rising: Sequence[float], target: float) -> float:
    """Where a curve that never falls reaches the target; infinite if it never does. Undefined points are left aside."""
    known = [(k, v) for k, v in zip(ks, rising, strict=True) if not math.isnan(v)]
    if not known or known[-1][1] < target:
        return math.inf
    if known[0][1] >= target:
        return 1.0
    (a, low), (b, high) = next(two for two in pairwise(known) if two[1][1] >= target)
    return float(math.ceil(a * (b / a) ** ((target - low) / (high - low)) - 1e-6))


def _rising(values: Sequence[float]) -> list[float]:
    """The nearest values that never fall: neighbours that do are replaced by their mean.

    >>> _rising([0.1, 0.4, 0.2, 0.5])
    [0.1, 0.30000000000000004, 0.30000000000000004, 0.5]
    """
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]
