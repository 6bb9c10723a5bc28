"""Camps: are judges of one mind, or of two and more, each with a consensus of its own?

The judges are split in two, and how far the split goes is held against panels of one mind (:mod:`camp_splits`). Where
agreement is a correlation, panels of one mind are simulated with as much noise as makes judges agree as these do, each
judge with as much as he has here. Else all judges are alike: with enough tasks their names are exchanged within each
task; with few, panels are simulated. Judges who vote have an order in mind each, drawn around one and the same, and
hold on to it as steadily as they do here. So a few careless judges, or one who is off, make no camp.

Two camps must not make judges who are held out clearly less likely, by a mixture fitted to the others, than one does,
and each camp more must make them clearly likelier. The others are split without looking at those held out. Of kinds
without such a model it is the same test that says whether a camp is split.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import NULLS, split
from quorate.inference.camp_splits import LEAST, Split, gap_of, halved, loadings, parted, several
from quorate.inference.engine import budget_of
from quorate.inference.estimate import Null
from quorate.inference.judge_squares import Compared, JudgeSquares, judge_squares
from quorate.inference.mixture import CampModel, fitted, gain, held_out, likeliest
from quorate.inference.noise import TRIALS, fitted_noise, nearest, noise_by_agreement, noise_levels
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.kernels.defined import mean_of_known, quotient
from quorate.panel.design import PanelDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

Array = NDArray[Any]
JUDGES = 8  # of fewer nothing is looked for
MOST = 200  # judges who are compared; of more, so many are drawn, and the others join the camp that fits them
LEVEL = 0.05  # of panels of one mind 1 or 2 of 100 are split by this, where most judges are careless 5
ANSWERS, OF_FEW, FEWEST = 8, 0.01, 4  # of judges who answered less, and p then: 6 of 100 were split by the other
BY_GAP = 0.02  # the same where all judges are taken to be alike: careful and careless ones look a little like camps
CAMPS = 5  # at most
ALIKE = 0.15  # correlation of two judges of a camp, at least
TASKS = 6  # from which on names are exchanged
SMALL = 1 << 18  # judges x answers, up to which panels are simulated whatever the number of tasks
PAIRS = 400  # of judges, of which so many more panels need be made until their mean agreement is known
CLEARLY = 0.75  # standard errors by which one camp more must be likelier, and two may be less likely
CELLS = 1 << 23  # pairs of judges x items at a time
SQUARES = 1 << 21  # pairs of judges x tasks; of more tasks some are drawn
ITEMS = 300  # of a task, by which orders are modelled; of more, so many are drawn


@dataclass(frozen=True, eq=False)
class Camps:
    """Which camp each judge is of, the larger ones first, and whether there is more than one."""

    camp: Array  # [judge] from 0
    share: Array  # [camp] of the judges
    within: Array  # [camp] mean agreement of two of its judges
    across: float  # mean agreement of two judges of different camps; NaN where there is one camp
    gap: float  # of the best split in two: how much more the less united camp agrees within than across
    null: Null | None  # of that split; None where it was not looked for
    member: Array | None = None  # [judge] how surely each belongs to its camp, by the mixture
    gain: float = math.nan  # in log-likelihood of a judge held out, of so many camps over one
    level: float = LEVEL  # that p was to reach

    @property
    def number(self) -> int:
        """How many camps there are."""
        return len(self.within)


def camps(method: Method, design: PanelDesign, options: Options) -> Camps | None:
    """The camps of the judges of a design; None of so few judges, or so few answers, that nothing can be told."""
    if not isinstance(design, Compared) or (isinstance(design, VoteDesign) and not _countable(design)):
        return None
    looked_at = _sampled(design, options.seed)
    model = _model(looked_at, options.seed)
    if not len(looked_at.judges) >= JUDGES or (len(looked_at.judges) < design.voters.sum() and model is None):
        return None
    search = _Search(method, looked_at, options, model)
    if search.answers < FEWEST:
        return None
    camp, gap, null = search.found()
    row = _rows(design, looked_at)
    voters = design.voters.astype(float)
    if model is None or not camp.any():
        every = np.zeros(len(design.judges), np.int64)
        every[row] = camp
        member, more = None, math.nan
    else:
        more = gain(search.held_out(model, 1), search.held_out(model, int(camp.max()) + 1))[0]
        start = np.full(len(design.judges), -1)
        start[row] = camp
        kept = np.bincount(row, minlength=len(design.judges)).astype(float)
        found = fitted(_model(design, options.seed) or model, start, int(camp.max()) + 1, kept)
        every, member = found.member.argmax(axis=0), found.member.max(axis=0)
        if np.bincount(every, voters, len(found.share)).min() < LEAST:  # with all judges they run together
            every, member, more = np.zeros(len(every), np.int64), None, math.nan
    name = _largest_first(every, voters)
    every = name[every]
    number = len(np.unique(every))
    share = np.bincount(every, voters, number) / voters.sum()
    within, across = _agreement(every[row], search.square, number)
    return Camps(every, share, within, across, gap, null, member, more, search.level)


def _sampled(design: Compared, seed: int) -> Compared:
    """At most so many judges, each for himself, and so many tasks: what every two of them are compared on. Votes are
    compared on all tasks together, and stay."""
    apart = design.voters_apart()
    if len(apart.judges) > MOST:
        keep = np.sort(stream(seed, "camps judges").choice(len(apart.judges), MOST, replace=False))
        apart = apart.some_judges(keep)
    if isinstance(apart, VoteDesign):
        return apart
    most = max(TASKS, SQUARES // max(len(apart.judges) ** 2, 1))
    return apart.sampled(most, stream(seed, "camps tasks")) or apart if len(apart.tasks) > most else apart


def _countable(votes: VoteDesign) -> bool:
    """Whether a table can hold every judge's choices between every two systems, and nobody stands for several."""
    return not votes.counted and len(votes.judges) * len(np.unique(votes.pair)) <= CELLS


def _rows(design: PanelDesign, apart: PanelDesign) -> Array:
    """The number of each judge looked at in the whole design; several may be behind one name."""
    place: dict[Hashable, int] = {name: k for k, name in enumerate(design.judges)}
    return np.array([place[name] for name in apart.judges])


def _model(design: PanelDesign, seed: int) -> CampModel | None:
    """What is known of the judges of a camp; None of kinds without such a model."""
    if isinstance(design, ScoreDesign) and design.measured:
        from quorate.scores.camp_model import Profiles

        return Profiles(design.levelled().scores.matrix().T)
    if isinstance(design, VoteDesign):
        from quorate.votes.camp_model import BradleyTerry

        return BradleyTerry.of(design)
    if not isinstance(design, OrderingDesign):
        return None
    from quorate.orderings.camp_model import Mallows

    tasks = []
    for part in design.parts:
        for who, positions, code in zip(part.judges, part.positions, part.tasks.tolist(), strict=True):
            items = positions.shape[1]
            if items > ITEMS:
                rng = stream(seed, "camps items", str(design.tasks[code]))
                positions = positions[:, np.sort(rng.choice(items, ITEMS, replace=False))]
            tasks.append((who, positions))

    return Mallows(tasks, len(design.judges), design.absent == "below")


@dataclass(frozen=True, eq=False)
class _Search:
    """Splits of a panel's judges, and whether they are worth it."""

    method: Method
    design: Compared
    options: Options
    model: CampModel | None
    _held: dict[int, Array] = field(default_factory=dict, repr=False)

    @cached_property
    def square(self) -> Array:
        """Agreement of every two judges, ``[judge, judge]``."""
        return np.asarray(judge_squares(self.method, self.design).mean[0])

    @property
    def split(self) -> Split:
        """How judges are split in two: by what they have in common where agreement is a correlation and panels of such
        judges can be made, else by the gap."""
        made = self.design
        correlated = isinstance(made, OrderingDesign) or (isinstance(made, ScoreDesign) and made.measured)
        few = len(made.tasks) < TASKS or made.work * len(made.judges) <= SMALL
        return parted if correlated and few else halved

    @property
    def level(self) -> float:
        """What p must reach."""
        return BY_GAP if self.split is halved else LEVEL if self.answers >= ANSWERS else OF_FEW

    @cached_property
    def answers(self) -> float:
        """How many items a judge ranked, or scored, on average."""
        design = self.design
        if isinstance(design, OrderingDesign):
            return sum(int(np.count_nonzero(p.positions)) for p in design.parts) / len(design.judges)
        return len(design.scores) / len(design.judges) if isinstance(design, ScoreDesign) else math.inf

    def found(self) -> tuple[Array, float, Null | None]:
        """The camp of every judge, and the gap of the first split with its null."""
        square = self.square
        camp = np.zeros(len(square), np.int64)
        half, seen = self.split(square[None])
        null, gap = self._null(float(seen[0]), np.arange(len(camp))), float(gap_of(square[None], half)[0])
        if null is None or null.p > self.level:
            return camp, gap, null
        return (self._by_test(half[0]) if self.model is None else self._by_likelihood(self.model)), gap, null

    def _by_likelihood(self, model: CampModel) -> Array:
        """As many camps as make judges held out likelier; more than two, as clearly do."""
        camp, every = np.zeros(len(self.square), np.int64), np.ones(len(self.square), bool)
        likely = self.held_out(model, 1)
        for number in range(2, CAMPS + 1):
            found = likeliest(model, self._starts(every, number), number)
            more = camp if found is None else found.member.argmax(axis=0)
            likelier = self.held_out(model, number)
            rise, error = gain(likely, likelier)
            enough = rise > (CLEARLY if number > 2 else -CLEARLY) * error
            if not enough or np.bincount(more, minlength=number).min() < LEAST or not self._united(more):
                break
            camp, likely = more, likelier
        return camp

    def held_out(self, model: CampModel, number: int) -> Array:
        """The log-likelihood of every judge by so many camps of others, ``[judge]``."""
        if number not in self._held:
            self._held[number] = held_out(model, self._starts, len(self.square), number)
        return self._held[number]

    def _starts(self, kept: Array, number: int) -> list[Array]:
        """Camps of the judges who are kept, by every way to split them; -1 of the others."""
        if number == 1:
            return [np.where(kept, 0, -1)]
        own, out = self.square[np.ix_(kept, kept)], []
        for how in dict.fromkeys((self.split, halved)):
            camp = np.full(len(kept), -1)
            if (found := several(own, number, how)) is not None:
                camp[kept] = found
                out.append(camp)
        return out

    def _united(self, camp: Array) -> bool:
        """Whether the judges of every camp agree: where agreement is a correlation, careless ones are of no mind."""
        within, _ = _agreement(camp, self.square, int(camp.max()) + 1)
        return self.split is halved or bool((within >= ALIKE).all())

    def _by_test(self, half: Array) -> Array:
        """The two camps, split further as long as the same test says so."""
        camp, waiting = half.astype(np.int64), [0, 1]
        while waiting and int(camp.max()) + 1 < CAMPS:
            mine = np.flatnonzero(camp == waiting[0])
            if len(mine) >= JUDGES:
                (own,), (seen,) = halved(self.square[np.ix_(mine, mine)][None])
                null = self._null(float(seen), mine)
                if null is not None and null.p <= self.level:
                    waiting.append(int(camp.max()) + 1)
                    camp[mine[own]] = waiting[-1]
                    continue
            waiting.pop(0)
        return camp

    def _null(self, seen: float, mine: Array) -> Null | None:
        """How often panels of alike judges, who agree as these do, are split as far."""
        if not math.isfinite(seen) or not self.options.permutations:
            return None
        whole = len(mine) == len(self.design.judges)
        design = self.design if whole else self.design.some_judges(mine)
        of = -1 if whole else int(mine[0])
        rng, search = (stream(self.options.seed, name, self.method, of) for name in ("camps", "camps noise"))
        squares, judges = judge_squares(self.method, design), len(design.judges)
        draw: Callable[[int], Array]
        if isinstance(design, VoteDesign):
            draw, work = _of_one_mind(design, rng), design.work
        elif len(design.tasks) >= TASKS and self.split is halved:
            draw, work = partial(_exchanged, squares, rng), squares.total[0].size
        else:
            draw = _Imitated(self.method, design, squares.mean, self.split, search, rng).drawn
            work = design.work * judges
        most = min(NULLS, budget_of(self.options).nulls(work + 10.0 * judges**2))
        return sequential(draw, np.array([seen]), most)[0] if most else None


def _exchanged(squares: JudgeSquares, rng: np.random.Generator, number: int) -> Array:
    """The gaps of panels in which judges' names are exchanged within each task, ``[panel, 1]``."""
    return _split([np.concatenate([squares.exchanged(rng) for _ in range(number)])], halved)


def _of_one_mind(votes: VoteDesign, rng: np.random.Generator) -> Callable[[int], Array]:
    """The gaps of panels whose judges each have an order in mind, drawn around one and the same, ``[panel, 1]``."""
    from quorate.votes.camp_model import BradleyTerry, alike, steadiness

    strengths, steady = BradleyTerry.of(votes).strengths, steadiness(*(each[0] for each in alike(votes)))
    step = max(1, CELLS // max(len(votes.judge), len(votes.judges) * len(votes.systems), 1))

    def gaps(number: int) -> Array:
        made = (votes.of_one_mind(strengths, steady, rng, k) for k in split(number, step))
        found = (alike(panels) for panels in made)
        return _split([quotient(same, many) for same, many in found], halved)

    return gaps


@dataclass(frozen=True, eq=False)
class _Imitated:
    """Panels of one mind, with all sorts of noise, in which judges agree most nearly as these do, and how far each is
    split. Where agreement is a correlation each judge has as much noise as he has here, so that care alone makes no
    camp; elsewhere all are alike."""

    method: Method
    design: Compared
    seen: Array  # [1, judge, judge] agreement of every two judges
    split: Split
    search: np.random.Generator
    rng: np.random.Generator

    def drawn(self, number: int) -> Array:
        """How far so many panels are split, ``[panel, 1]``."""

        def make(noise: float, panels: int) -> tuple[Array, Array]:
            found = self._squares(noise * self._own, self.rng, panels)
            return np.concatenate([_means(x) for x in found]), _split(found, self.split)

        return nearest(make, noise_levels(self._noise, self.design.most_noise), self._agreement, number)

    def _squares(self, noise: float | Array, rng: np.random.Generator, panels: int) -> list[Array]:
        design = self.design
        step = max(1, CELLS // max(design.work * len(design.judges), 1))
        made = ((design.alike(noise, rng, k), k) for k in split(panels, step))
        return [judge_squares(self.method, some, k).mean for some, k in made]

    def _mean(self, noise: float) -> float:
        enough = max(2, TRIALS * PAIRS // len(self.design.judges) ** 2)
        trials = TRIALS if self.split is halved else min(TRIALS, enough)
        return mean_of_known(np.concatenate(self._squares(noise, self.search, trials)))

    @property
    def _agreement(self) -> float:
        return mean_of_known(self.seen)

    @cached_property
    def _noise(self) -> float:
        """With which alike judges agree as these do."""
        if self.split is halved:
            return fitted_noise(self._mean, self._agreement, self.design.most_noise)
        return float(self._with(self._agreement))

    @cached_property
    def _with(self) -> Callable[[Any], Array]:
        """The noise with which alike judges agree so."""
        return noise_by_agreement(self._mean, self.design.most_noise)

    @cached_property
    def _own(self) -> Array:
        """Of every judge how many times that noise: two who have as much of it agree by the square of his loading."""
        if self.split is halved:
            return np.ones(len(self.design.judges))
        return np.asarray(self._with(loadings(self.seen)[0] ** 2) / max(self._noise, 1e-9))


def _means(squares: Array) -> Array:
    """The mean agreement of each panel, ``[panel]``; NaN where none is known."""
    known = np.isfinite(squares)
    return np.asarray(quotient(np.where(known, squares, 0.0).sum(axis=(1, 2)), known.sum(axis=(1, 2))))


def _split(squares: Sequence[Array], how: Split) -> Array:
    """How far the best split of each panel goes, ``[panel, 1]``; -1 where there is none."""
    found = np.concatenate([how(some)[1] for some in squares])
    return np.where(np.isfinite(found), found, -1.0)[:, None]


def _largest_first(camp: Array, voters: Array) -> Array:
    """The number that each camp gets: the largest is 0, of equal ones the first; those that nobody is of are gone."""
    there, first = np.unique(camp, return_index=True)
    size = np.bincount(camp, voters)[there]
    name = np.zeros(int(camp.max()) + 1, np.int64)
    name[there[np.lexsort((first, -size))]] = np.arange(len(there))
    return name


def _agreement(camp: Array, square: Array, number: int) -> tuple[Array, float]:
    """Mean agreement within every camp, and across."""
    same, other = camp[:, None] == camp, ~np.eye(len(camp), dtype=bool)

    def mean(which: Array) -> float:
        known = square[which & np.isfinite(square)]
        return float(known.mean()) if len(known) else math.nan

    within = [mean(same & other & (camp == k)[:, None]) for k in range(number)]
    return np.array(within), mean(~same) if number > 1 else math.nan
