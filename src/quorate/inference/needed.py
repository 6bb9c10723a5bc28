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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.crossing import MOST, crossing, rising, sizes, smallest
from quorate.inference.item_means import NONE, Answers, divided
from quorate.inference.populations import Expected, means_around, possible_means, voters_of
from quorate.inference.weights import halves, some_of
from quorate.kernels.defined import quotient
from quorate.kernels.ranks import centred_ranks, worth_of_places

Array = NDArray[Any]
Stream = Callable[..., np.random.Generator]
Agree = Callable[[Array, Array], Array]
BLOCK = 1 << 14  # numbers put in order together: they stay near the processor
CELLS = 10**5  # numbers drawn for one number of judges, about
TRUTHS, DRAWS = (40, 200), 20  # possible populations, and pairs of panels from each, about
OFTEN, MORE = 5, 4 * 10**5  # of many judges a pair for so many of them, as far as so many numbers go
HALVES = (200, 4 * 10**5)  # pairs of panels drawn from the judges, and judges in them, about
SMALL = 20  # judges up to which panels are drawn from the residuals; the mean of more is normal
FEWEST = 3  # judges, of fewer an interval says nothing
STEADY = 0.8  # agreement below which panels drawn still tell how far item means spread
FAR, STEPS = 0.7, 7  # how far that is looked for, in so many halvings


# -- how two consensuses agree -----------------------------------------------------------------------------------------


def pearson(first: Array, second: Array) -> Array:
    """Pearson's r of every two rows, over the items that both have; 0 where one of them is constant, NaN under two."""
    gaps = np.isnan(first) | np.isnan(second)
    size, some = (~gaps).sum(axis=-1), bool(gaps.any())
    a, b = (np.where(gaps, 0.0, x) if some else x for x in (first, second))
    a, b = (x - quotient(x.sum(axis=-1), size)[..., None] for x in (a, b))
    a, b = (np.where(gaps, 0.0, x) if some else x for x in (a, b))
    return _correlated((a * b).sum(axis=-1), (a * a).sum(axis=-1), (b * b).sum(axis=-1), size)


def _correlated(top: Array, left: Array, right: Array, size: Array | int) -> Array:
    """The correlation by sums of products about the means; 0 where a side is constant, NaN of fewer than two items."""
    scale = np.sqrt(left * right)
    found = np.divide(top, scale, out=np.zeros(scale.shape), where=scale > NONE)
    return np.asarray(np.where(np.asarray(size) > 1, np.clip(found, -1, 1), math.nan))


def spearman(first: Array, second: Array) -> Array:
    """Spearman's rho of every two rows, over the items that both have; ties share their ranks."""
    step = max(1, BLOCK // max(first.shape[-1], 1))
    if len(first) > step:
        return np.concatenate([spearman(first[k : k + step], second[k : k + step]) for k in range(0, len(first), step)])
    gaps = np.isnan(first) | np.isnan(second)
    most = int(np.flatnonzero(~gaps.all(axis=0)).max(initial=0)) + 1  # items that are known come first
    gaps = np.ascontiguousarray(gaps[:, :most])
    worth, size = worth_of_places(gaps)
    a, b = (centred_ranks(x[:, :most], gaps, worth) for x in (first, second))
    # Ranks are whole or halves: their sums are exact in whatever order.
    top, left, right = (np.einsum("...i,...i->...", x, y) for x, y in ((a, b), (a, a), (b, b)))
    return _correlated(top, left, right, size[:, 0])


# -- two panels of a population ----------------------------------------------------------------------------------------


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
    erring: tuple[Answers, ...] = ()  # judges whose residuals are drawn: those of the parts, or made ones
    _at: dict[int, float] = field(default_factory=dict, repr=False)
    _known: dict[int, Array] = field(default_factory=dict, repr=False)
    _errors: dict[tuple[int, int], Array] = field(default_factory=dict, repr=False)
    _pairs: dict[tuple[Any, ...], Array] = field(default_factory=dict, repr=False)
    _rooms: dict[int, Array] = field(default_factory=dict, repr=False)
    _drawing: dict[int, tuple[np.random.Generator, list[Array]]] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        """Whether anything can be said."""
        return bool(self.parts)

    @property
    def judges(self) -> int:
        """How many judges it rests on."""
        return int(voters_of(self.parts).sum()) if self.parts else 0

    @property
    def few(self) -> bool:
        """Whether they are too few for an interval."""
        return self.judges < FEWEST

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

        def too_near(factor: float) -> bool:
            found = np.concatenate([self._rebuilt(*one, math.exp(factor)) for one in each])
            return float(np.median(_mean(found, 0))) < wanted

        low, high = 0.0, FAR
        for _ in range(STEPS if too_near(FAR / 2**STEPS) else 0):  # as a rule they are not: nothing to be looked for
            factor = (low + high) / 2
            low, high = (factor, high) if too_near(factor) else (low, factor)
        truths = tuple(t * math.exp(low) for t in self.truths)
        least = min(int(p.size.min()) for p in self.parts)
        return replace(self, truths=truths, _known={}, _at={k: v for k, v in self._at.items() if 2 * k <= least})

    def between(self, k: int) -> tuple[float, float]:
        """The interval of :meth:`at`, over judges."""
        value, ends = self.at(k), np.quantile(self.possible(k), [(1 - self.level) / 2, (1 + self.level) / 2])
        return min(float(ends[0]), value), max(float(ends[1]), value)

    def needed(self, target: float) -> Needed:
        """The smallest k for which two panels of k judges agree at least as the target, with its interval.

        Of two judges nobody knows how far others would be: any number may be needed.
        """
        tail = (1 - self.level) / 2
        never = self.possible(MOST) < target
        wanted = 1 - tail / 2 if never.mean() <= tail else 4 * tail  # then only the low end is finite
        ks, value = [], math.inf if self.at(MOST) < target else smallest(self.at, target)
        if self.few:
            return Needed(value, 1.0, math.inf)
        for k in sizes(MOST):
            ks.append(k)
            below = self.possible(k) < target
            if len(ks) > 1 and ((~below).mean() >= wanted or not (below & ~never).any()):
                break
        curves = np.stack([self.possible(k) for k in ks], axis=1)
        each = [crossing(ks, rising(curve), target) for curve in curves.tolist()]
        low, high = np.quantile(each, [tail, 1 - tail], method="nearest")
        return Needed(value, min(value, float(low)), max(value, float(high)))

    def _drawn(self, number: int, k: int, tasks: Array) -> Array:
        """Agreement of panels drawn from the judges, ``[task]``."""
        asked = number, k, tasks.tobytes()
        if asked not in self._pairs:
            own = self.parts[number].only(tasks)
            two = self._halves(own, k, self.stream("halves", number, k))
            self._pairs[asked] = _mean(self._agreed(*(own.consensus(panels) for panels in two)), 1)
        return self._pairs[asked]

    def _rebuilt(self, number: int, k: int, tasks: Array, factor: float = 1.0) -> Array:
        """Agreement of panels of the possible populations, ``[task, truth]``."""
        noise, root = self._noise(number, k)
        some = slice(None) if len(tasks) == noise.shape[1] else tasks  # of all, without a copy
        truth = self.truths[number][some] * factor
        shape = (*truth.shape[:2], self.draws, truth.shape[2])
        two = []
        for side, own in enumerate(noise):
            panels = np.divide(own[some].reshape(shape), root, out=self._room(side, shape))
            panels += truth[:, :, None]
            two.append(panels.reshape(len(tasks), -1, truth.shape[2]))
        return _mean(self._agreed(*two).reshape(shape[:3]), 2)

    def _room(self, side: int, shape: tuple[int, ...]) -> Array:
        """Where panels are put: the same place again, which is sooner than asking for another."""
        size = math.prod(shape)
        if side not in self._rooms or self._rooms[side].size < size:
            self._rooms[side] = np.empty(size)
        return self._rooms[side][:size].reshape(shape)

    def _agreed(self, first: Array, second: Array) -> Array:
        items = first.shape[-1]
        return self.agree(first.reshape(-1, items), second.reshape(-1, items)).reshape(first.shape[:2])

    def _halves(self, part: Answers, k: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Two panels of k judges without one in common, ``[task, draw, row]`` each."""
        counts = part.voting
        draws = min(self.draws * self.truths[0].shape[1], max(HALVES[0], HALVES[1] // counts.size))
        if counts.max(initial=0) > 1:
            each = [halves(row, draws, rng, k) for row in counts]
            return np.stack([a for a, _ in each]), np.stack([b for _, b in each])
        both = some_of(np.repeat(counts, draws, axis=0), 2 * k, rng)
        first = some_of(both, k, rng)
        shape = (len(counts), draws, -1)
        return first.reshape(shape), (both - first).reshape(shape)

    def _noise(self, number: int, k: int) -> tuple[Array, float]:
        """Errors of two consensuses of k judges, ``[2, task, draw, item]``, NaN where none of them says anything; and
        what they are to be divided by."""
        if k > SMALL:
            return self._normal(number), math.sqrt(k)
        if (number, k) not in self._errors:
            self._errors[number, k] = self._resampled(number, k)
        return self._errors[number, k], 1.0

    def _normal(self, number: int) -> Array:
        """The same numbers serve every k, so that more judges never look worse by luck."""
        if (number, 0) not in self._errors:
            part, draws = self.erring[number], self.draws * self.truths[0].shape[1]
            normal = self.stream("normal", number).normal(size=(2, len(part.size), draws, part.error_root.shape[1]))
            own = np.matmul(normal, part.error_root)
            own *= np.sqrt(part.size)[:, None, None]
            np.copyto(own, math.nan, where=~part.known[:, None])
            self._errors[number, 0] = own
        return self._errors[number, 0]

    def _resampled(self, number: int, k: int) -> Array:
        """Of panels of the first k of the judges drawn with replacement: the same for every k."""
        part, row = self.erring[number], self._chosen(number, k)
        _, rows, items = part.values.shape
        sums, of = _added(part, row) if k * items < rows else _counted(part, row)
        np.copyto(of, 0.0, where=~part.known[:, None])
        return divided(sums, of)

    def _chosen(self, number: int, k: int) -> Array:
        """The rows of the judges of two panels of k, ``[judge, panel, draw, task]``."""
        part, draws = self.erring[number], self.draws * self.truths[0].shape[1]
        tasks, rows, _ = part.values.shape
        rng, known = self._drawing.setdefault(number, (self.stream("residuals", number), []))
        if k > len(known):
            task = np.arange(tasks)
            upto = np.cumsum(part.voting, axis=1) / part.size[:, None]
            chosen = np.stack([rng.random((2, draws, tasks)) for _ in range(len(known), k)]) * (1 - NONE) + task
            known.extend(np.searchsorted((upto + task[:, None]).ravel(), chosen, side="right") - task * rows)
        return np.asarray(known[:k])


def _counted(part: Answers, row: Array) -> tuple[Array, Array]:
    """What judges drawn, ``row[k, 2, draw, task]``, leave and say in all, ``[2, task, draw, item]``, by how often each
    is drawn."""
    _, _, draws, tasks = row.shape
    rows = part.values.shape[1]
    panel = (np.arange(2 * draws).reshape(2, -1, 1) * tasks + np.arange(tasks)) * rows
    often = np.bincount((panel + row).ravel(), minlength=2 * draws * tasks * rows)
    panels = often.reshape(2, draws, tasks, rows).transpose(0, 2, 1, 3).astype(float)
    return np.matmul(panels, part.residuals), np.matmul(panels, part.held)


def _added(part: Answers, row: Array) -> tuple[Array, Array]:
    """The same, judge by judge: few of very many."""
    task = np.arange(row.shape[3])[:, None]
    sums, of = np.zeros((2, 2, row.shape[3], row.shape[2], part.values.shape[2]))
    for one in row.transpose(0, 1, 3, 2):
        sums += part.residuals[task, one]
        of += part.held[task, one]
    return sums, of


def _mean(values: Array, axis: int | None = None) -> Array:
    """The mean of what is defined."""
    known = np.isfinite(values)
    of = known.sum(axis=axis)
    return quotient(np.where(known, values, 0.0).sum(axis=axis), of)


def repeatability(
    parts: Sequence[Answers],
    agree: Agree,
    stream: Stream,
    *,
    level: float = 0.95,
    tasks: bool = False,
    most: int = TRUTHS[1],
    around: Expected | None = None,
) -> Repeatability:
    """From what judges say to how well panels of any size would agree.

    ``agree(first[draw, item], second[draw, item])`` says how two consensuses agree: :func:`spearman`, :func:`pearson`,
    or that of two partitions. ``stream(*names)`` gives a random generator for each purpose. With ``tasks`` the interval
    is over tasks as well as judges. ``most`` is how many possible populations are wanted at most, if not too few.
    ``around(part, rng, truths)`` says what item means are expected to be, where they are not all alike; else they are
    expected at their mean, and truths spread as far as panels that can be drawn agree.
    """
    parts = tuple(part.only(part.defined) for part in parts if part.defined.any())
    if not parts:
        return Repeatability((), agree, stream, level, 0)
    cells = sum(len(p.values) * max(p.values.shape[1] // 4, p.values.shape[2]) for p in parts)
    truths = int(np.clip(min(CELLS // cells, most), *TRUTHS))
    draws = int(np.clip(CELLS // (cells * truths), 1, DRAWS))
    if around is None:  # the more judges, the less populations differ: it takes more pairs of panels to see by how much
        size = sum(math.prod(p.values.shape[::2]) for p in parts)
        draws = max(draws, min(int(voters_of(parts).sum()) // OFTEN, MORE // (size * truths)))
    if around is not None:
        expected = [around(part, stream("around", n), truths) for n, part in enumerate(parts)]
        means = means_around(parts, expected, stream("truths"), truths)
        erring = tuple(_made(part, own[-1]) for part, own in zip(parts, expected, strict=True))
        return Repeatability(parts, agree, stream, level, draws, means, erring)
    means = possible_means(parts, stream("truths"), truths, tasks)
    return Repeatability(parts, agree, stream, level, draws, means, parts).calibrated()


def _made(part: Answers, values: Array) -> Answers:
    """Made judges, who say something of what is known of the tasks."""
    rows = np.broadcast_to(np.arange(values.shape[1]), values.shape[:2])
    return Answers(np.where(part.known[:, None], values, math.nan), np.ones_like(rows), rows)
