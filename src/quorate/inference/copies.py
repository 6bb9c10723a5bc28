"""Copies: judges whose answers are the same far beyond what the agreement of the others allows.

One rule for every kind. Two judges who gave nearly the same answers are the likelier copies the less both agree with
the others: who is right agrees with everybody, and who shares another's errors has copied them. How far the two go is
held against panels of the same size whose judges answer by themselves, each with as much noise as he seems to have by
his agreement with the others, the copied ones left aside: where even the two who go farthest in such a panel hardly
ever go as far, one of them is a copy. Where everybody agrees with everybody, or all good judges with one another, that
is agreement. Who gives one answer to everything, as many may who do not care, is nobody's copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import ALIKE, ALIKE_FIRST, split
from quorate.inference.camp_splits import loadings
from quorate.inference.judge_squares import Compared, judge_squares
from quorate.inference.noise import TRIALS, nearest, noise_by_agreement, noise_levels
from quorate.inference.null import p_value, reaches
from quorate.inference.weights import stream
from quorate.kernels.defined import mean_of_known, quotient
from quorate.kernels.row_pairs import few_meet, row_pairs
from quorate.panel.design import Design, PanelDesign
from quorate.panel.partitions import GroupingDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

Array = NDArray[Any]
SHARE = 0.9  # of the answers, from which two judges may be copies
NEARLY = 0.8  # the same of orders and groups, by how alike they are
USUAL = 1  # other who agrees with a judge as is usual, beside those there are
DIFFERS = 3.0  # times as much an answer counts in which two differ
SEVERAL = 3  # answers that are all the same, of which it is told
CELLS = 8  # answers of both, of fewer nothing is said
LEVEL = 0.05
FAR = 4  # times the level, p of a few panels that does not come down to it
NEAR = 1e-9  # of a share: rounding
NEAREST = 3  # judges, with whom the agreement of one who may have been copied is measured
JUDGES = 300  # beyond which nobody is compared
ANSWERS = 1 << 18  # of panels made at a time
BLOCK = 1 << 20  # cells of judges and answers at a time


@dataclass(frozen=True, slots=True)
class Copy:
    """A judge who counts as one voice with another."""

    judge: int  # number in the design
    of: int  # the first of those with the same answers
    same: int  # answers that are the same
    cells: int  # answers of both

    @property
    def share(self) -> float:
        """The share of the same answers."""
        return self.same / self.cells


def copies(method: Method, design: PanelDesign, seed: int = 0) -> list[Copy]:
    """The judges whose answers are those of an earlier judge. Of two judges, or of counted ones, nobody can tell."""
    size = len(design.judges)
    if not 2 < size <= JUDGES or design.counted:
        return []
    same, both = shared(design)
    alike, says = _Alike(method, design), ~design.one_answer()
    seen = alike.of(same, both, design)
    first = _first_alike((seen[0] >= alike.least) & says & says[:, None])
    pairs = [(k, of) for k, of in enumerate(first.tolist()) if k != of]
    if not pairs:
        return []
    far = _beyond(seen, both)[0]
    apart, suspects = _apart(seen[0], far, pairs)
    most = max(float(far[pair]) for pair in pairs)
    drawn = _farthest(alike, apart, suspects, most, stream(seed, "copies", method))
    told = [pair for pair in pairs if p_value(int(reaches(drawn, far[pair]).sum()), len(drawn)) <= LEVEL]
    return [Copy(k, of, int(same[0, k, of]), int(both[0, k, of])) for k, of in told]


def one_answer(designs: Sequence[Design]) -> list[Hashable]:
    """The judges who gave one answer to everything, by every criterion, where they gave several."""
    found: list[list[Hashable]] = []
    for d in designs:
        if isinstance(d, PanelDesign) and len(d.judges) <= JUDGES and not d.counted:
            enough = np.bincount(d.said()[1], minlength=len(d.judges)) >= SEVERAL
            found.append([d.judges[k] for k in np.flatnonzero(d.one_answer() & enough).tolist()])
    return [judge for judge in (found[0] if found else ()) if all(judge in names for names in found)]


@dataclass(frozen=True, eq=False)
class _Alike:
    """How alike every two judges of a design, and of panels that are made after it, are: 1 at the most, and about 0
    where they have nothing in common."""

    method: Method
    design: PanelDesign

    @property
    def by_answers(self) -> bool:
        """Whether by the answers that two share; not where an answer depends on the judge's others, so that one item in
        another group makes all answers about both groups others."""
        return not isinstance(self.design, OrderingDesign | GroupingDesign)

    @cached_property
    def chance(self) -> float:
        """The share of answers that two would have in common who give them at random, as often as all judges do."""
        number = np.unique(self.design.said()[3], return_counts=True)[1]
        return float(((number / number.sum()) ** 2).sum()) if self.by_answers else 0.0

    @property
    def least(self) -> float:
        """How alike two must be to be looked at."""
        return (SHARE - self.chance) / max(1 - self.chance, NEAR) if self.by_answers else NEARLY

    def of(self, same: Array, both: Array, design: PanelDesign) -> Array:
        """Of every two judges, ``[panel, judge, judge]``; NaN of oneself, and where too few answers are of both."""
        if self.by_answers:
            found = (quotient(same, both) - self.chance) / max(1 - self.chance, NEAR)
        else:
            found = judge_squares(self.method, cast(Compared, design), len(same)).mean
        return np.where((both >= CELLS) & ~np.eye(same.shape[1], dtype=bool), found, np.nan)

    def made(self, noise: float | Array, rng: np.random.Generator, panels: int) -> tuple[Array, Array]:
        """The same of panels whose judges answer by themselves, with so much noise; and the answers of both."""
        out = []
        for number in split(panels, _at_a_time(self.design)):
            some = self.design.alike(noise, rng, number)
            same, both = shared(some)
            out.append((self.of(same, both, some), both))
        return np.concatenate([x for x, _ in out]), np.concatenate([x for _, x in out])


def _nearest(alike: Array) -> Array:
    """How alike every judge is with those nearest and one more, the nearest first, ``[panel, judge, rank]``; NaN where
    there are fewer."""
    ranks = min(NEAREST + 1, alike.shape[2])
    return -np.sort(np.where(np.isfinite(alike), -alike, np.inf), axis=2)[:, :, :ranks]


def _near(alike: Array) -> Array:
    """How alike every judge is with those nearest on average, ``[panel, judge]``; NaN where there is nobody.

    Not with all: two good judges among many bad ones, or of one of two camps, are alike and no copies.
    """
    top = _nearest(alike)[:, :, :NEAREST]
    known = np.isfinite(top)
    return quotient(np.where(known, top, 0.0).sum(axis=2), known.sum(axis=2))


def _beyond(alike: Array, both: Array) -> Array:
    """How far every two judges go, ``[panel, judge, judge]``: how little both have in common with those nearest to
    them otherwise, less some times how much they differ, in answers; so that is, about, how many times likelier a copy
    is. -inf where nothing is known."""
    top = _nearest(alike)
    known = np.isfinite(top)
    value, last = np.where(known, top, 0.0), top[:, :, min(NEAREST, top.shape[2]) - 1]
    among = alike >= np.where(np.isfinite(last), last, -np.inf)[:, :, None]  # the other is one of those nearest
    own = np.where(np.isfinite(alike), alike, 0.0)
    total = np.where(among, value.sum(axis=2)[:, :, None] - own, value[:, :, :NEAREST].sum(axis=2)[:, :, None])
    number = np.where(among, known.sum(axis=2)[:, :, None] - 1, known[:, :, :NEAREST].sum(axis=2)[:, :, None])
    others = quotient(total, number)
    alone = (others + others.transpose(0, 2, 1)) / 2
    return np.where(np.isfinite(alike + alone), both * (1 - alone - DIFFERS * (1 - own)), -math.inf)


def _apart(alike: Array, far: Array, pairs: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
    """How alike judges are, not known of those who may be copies of one another; and who may be one of another,
    ``[judge]``: of every judge the one who goes farthest, and those with all the same answers."""
    out, suspects = alike.copy(), np.zeros(len(alike), bool)
    for of in dict.fromkeys(of for _, of in pairs):
        mine = np.array([k for k, other in pairs if other == of])
        one = mine[(alike[mine, of] >= 1 - NEAR) | (mine == mine[far[mine, of].argmax()])]
        suspects[one] = True
        one = np.append(one, of)
        out[one[:, None], one] = np.nan
    return out, suspects


def _farthest(alike: _Alike, apart: Array, suspects: Array, most: float, rng: np.random.Generator) -> Array:
    """How far the two go who go farthest of panels whose judges answer by themselves, ``[panel]``: of panels with all
    sorts of noise those in which judges agree most nearly as much, copies left aside.

    Few panels, where these tell that nobody who gets as far as the ``most`` seen here is a copy.
    """

    own = _own_noise(alike, apart, rng)
    noise = float(own.mean())

    def made(level: float, panels: int) -> tuple[Array, Array]:
        found, both = alike.made(level / max(noise, NEAR) * own, rng, panels)
        far, every = _beyond(found, both), np.arange(found.shape[1])
        two = far.reshape(panels, -1).argmax(axis=1) % len(every)
        return _without(found, every == two[:, None]), far.max(axis=(1, 2))

    levels, seen = noise_levels(noise, alike.design.most_noise), float(_without(apart[None], suspects[None])[0])
    drawn = nearest(made, levels, seen, ALIKE_FIRST)
    if p_value(int(reaches(drawn, most).sum()), len(drawn)) > FAR * LEVEL:
        return drawn
    return nearest(made, levels, seen, ALIKE)


def _own_noise(alike: _Alike, apart: Array, rng: np.random.Generator) -> Array:
    """How much noise each judge seems to have, ``[judge]``: as if all had as much who are nearest, or who have as much
    in common with all; the lesser, so that judges are taken to be as good as can be."""

    def noise_of(common: Callable[[Array], Array]) -> Array:
        table = noise_by_agreement(
            lambda noise: mean_of_known(common(alike.made(noise, rng, TRIALS)[0])), alike.design.most_noise
        )
        found = common(apart[None])[0]
        return table(np.where(np.isfinite(found), found, mean_of_known(found)))

    return np.minimum(noise_of(_near), noise_of(_common))


def _common(alike: Array) -> Array:
    """How alike two judges would be who have as much in common with all as each has, ``[panel, judge]``; the fewer
    others that is told from, the nearer to the mean of all."""
    own, others = loadings(alike) ** 2, np.isfinite(alike).sum(axis=2)
    mean = own.mean(axis=1, keepdims=True)
    return np.asarray(mean + others / (others + USUAL) * (own - mean))


def _without(alike: Array, some: Array) -> Array:
    """How alike judges are with those nearest on average, some of them left aside, ``some[panel, judge]``:
    ``[panel]``."""
    near = _near(np.where(some[:, :, None] | some[:, None, :], np.nan, alike))
    known = np.isfinite(near)
    return quotient(np.where(known, near, 0.0).sum(axis=1), known.sum(axis=1), otherwise=0.0)


def shared(design: PanelDesign) -> tuple[Array, Array]:
    """Of every two judges the answers that are the same, and the answers that both gave, ``[copy, judge, judge]``."""
    copy, judge, cell, value = design.said()
    rows = [np.flatnonzero(copy == k) for k in range(int(copy.max(initial=0)) + 1)]
    if few_meet(cell, len(design.judges)):
        return _listed([(judge[r], cell[r] - cell[r][:1], value[r]) for r in rows], len(design.judges))
    _, code = np.unique(value, return_inverse=True)
    answer = cell * np.int64(int(code.max(initial=0)) + 1) + code.ravel()
    same, both = ([_meetings(judge[r], column[r], len(design.judges)) for r in rows] for column in (answer, cell))
    return np.stack(same), np.stack(both)


def _listed(panels: Sequence[tuple[Array, Array, Array]], judges: int) -> tuple[Array, Array]:
    """The same where few of very many judges answer the same, from a list of every two answers to one thing: that of
    the panel before, where the same judges answered."""
    same, both = list[Array](), list[Array]()
    before = np.zeros(0), np.zeros(0)
    for judge, cell, value in panels:
        if not both or not all(np.array_equal(a, b) for a, b in zip(before, (judge, cell), strict=True)):
            order = np.argsort(cell, kind="stable")
            first, second = (order[k] for k in row_pairs(cell[order]))
            place, before = judge[first] * judges + judge[second], (judge, cell)
            every = np.bincount(place, minlength=judges**2)
        alike = np.bincount(place[value[first] == value[second]], minlength=judges**2)
        same.append(alike)
        both.append(every)
    found = (np.stack(x).reshape(-1, judges, judges) for x in (same, both))
    one, other = (np.asarray(x + x.swapaxes(1, 2), float) for x in found)
    return one, other


def _meetings(judge: Array, column: Array, judges: int) -> Array:
    """In how many columns every two judges are, ``[judge, judge]``; a judge is once in a column.

    Columns of one judge are left aside: nobody meets there.
    """
    order = np.argsort(column, kind="stable")
    judge, column = judge[order], column[order]
    new = np.diff(column, prepend=column[:1] - 1) != 0
    place = np.cumsum(new) - 1
    several = (np.bincount(place) > 1)[place] if len(place) else np.zeros(0, bool)
    judge, place = judge[several], np.cumsum(new[several]) - 1
    columns = int(place.max(initial=-1)) + 1
    out, step = np.zeros((judges, judges)), max(1, min(columns, BLOCK // max(judges, 1)))
    for a in range(0, columns, step):
        rows = slice(*np.searchsorted(place, (a, a + step)).tolist())
        there = np.zeros((judges, step))
        there[judge[rows], place[rows] - a] = 1.0
        out += there @ there.T
    return out


def _first_alike(alike: Array) -> Array:
    """Of every judge the first of those alike, ``[judge]``: the judge itself where there is none before."""
    first = np.arange(len(alike))
    for judge in range(len(alike)):
        before = np.flatnonzero(alike[judge, :judge])
        if len(before):
            first[judge] = first[before[0]]
    return first


def _at_a_time(design: PanelDesign) -> int:
    """How many panels are made at a time."""
    return max(1, ANSWERS // max(len(design.said()[0]), 1))
