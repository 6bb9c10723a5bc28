"""Copies: judges whose answers are the same far beyond what the agreement of the others allows.

One rule for every kind. Two judges who gave nearly all of the same answers are held against panels of the same size
whose judges are all alike, and in which one of the two most alike agrees as much with those nearest, the other of the
two left aside: where even the two most alike of such a panel hardly ever share as many answers, one of them is a
copy. Where everybody agrees with everybody, or all good judges with one another, that is agreement. Sixty answers that
are all the same say more than ten: what counts is by how many errors two judges share more than is usual. Who gives one
answer to everything, as many may who do not care, is nobody's copy.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import ALIKE, ALIKE_FIRST, split
from quorate.inference.judge_squares import judge_squares
from quorate.inference.noise import TRIALS, fitted_noise, nearest, noise_levels
from quorate.inference.null import p_value, reaches
from quorate.inference.weights import stream
from quorate.kernels.defined import mean_of_known, quotient
from quorate.kernels.group_sums import used
from quorate.kernels.row_pairs import few_meet, row_pairs
from quorate.panel.design import Design, PanelDesign
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

Array = NDArray[Any]
SHARE = 0.95  # of the answers, from which two judges may be copies
SEVERAL = 3  # answers that are all the same, of which it is told
CELLS = 8  # answers of both, of fewer nothing is said
LEVEL = 0.05
FAR = 4  # times the level, p of a few panels that does not come down to it
NEAR = 1e-9  # of a share: rounding
NEAREST = 2  # judges, with whom the agreement of one who was copied is measured
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
    share, says = _share(same, both), ~design.one_answer()
    first = _first_alike((share[0] >= SHARE) & says & says[:, None])
    alike = {of: np.flatnonzero((first == of) & (np.arange(size) != of)) for of in used(first).tolist()}
    alike = {of: mine for of, mine in alike.items() if len(mine)}
    if not alike:
        return []
    usual = float(np.tril(same[0], -1).sum() / max(np.tril(both[0], -1).sum(), 1.0))
    far, agreement = _beyond(same, both, usual)[0], _agreement(method, design, same, both)
    near = {of: float(_near(agreement, share, both, np.array([of]))[0]) for of in alike}
    found, honest = list[Copy](), -math.inf
    for of in sorted((of for of in alike if not math.isnan(near[of])), key=lambda of: (near[of], of)):
        most = float(far[alike[of], of].max())
        if most <= honest:  # what alike judges reach who agree less with others, those reach who agree more
            continue
        drawn = _farthest(method, design, near[of], usual, most, stream(seed, "copies", method, of))
        told = [k for k in alike[of].tolist() if p_value(int(reaches(drawn, far[k, of]).sum()), len(drawn)) <= LEVEL]
        found += [Copy(k, of, int(same[0, k, of]), int(both[0, k, of])) for k in told]
        honest = honest if told else max(honest, most)
    return sorted(found, key=lambda c: c.judge)


def one_answer(designs: Sequence[Design]) -> list[Hashable]:
    """The judges who gave one answer to everything, by every criterion, where they gave several."""
    found: list[list[Hashable]] = []
    for d in designs:
        if isinstance(d, PanelDesign) and len(d.judges) <= JUDGES and not d.counted:
            enough = np.bincount(d.said()[1], minlength=len(d.judges)) >= SEVERAL
            found.append([d.judges[k] for k in np.flatnonzero(d.one_answer() & enough).tolist()])
    return [judge for judge in (found[0] if found else ()) if all(judge in names for names in found)]


def _agreement(method: Method, design: PanelDesign, same: Array, both: Array) -> Array:
    """How much every two judges agree, ``[panel, judge, judge]``: by the answers that they share, or, where an answer
    depends on the judge's others, so that one item in another group makes all answers about both groups others, by how
    near they are."""
    if isinstance(design, OrderingDesign | GroupingDesign):
        return np.nan_to_num(judge_squares(method, design, len(same)).mean, nan=-1.0)
    return quotient(same, both, otherwise=0.0)


def _near(agreement: Array, share: Array, both: Array, of: Array) -> Array:
    """How much one judge of every panel agrees with those nearest, ``[panel]``, copies left aside: those with all the
    same answers, or the one with most; with all others together where nobody has enough answers in common; NaN where
    those are too few as well.

    Two good judges among many bad ones share most of their answers and are no copies: that is why the nearest count.
    """
    panel = np.arange(len(of))
    agreement, share, both = agreement[panel, of], share[panel, of], both[panel, of]
    share[panel, of], both[panel, of] = -1.0, 0.0
    aside = np.maximum((share >= 1 - NEAR).sum(axis=1), 1)[:, None]
    others = np.argsort(np.lexsort((-agreement, -share)), axis=1) >= aside
    nearest = -np.sort(-np.where(others & (share >= 0), agreement, -math.inf), axis=1)[:, :NEAREST]
    known = np.isfinite(nearest)
    found = quotient(np.where(known, nearest, 0.0).sum(axis=1), known.sum(axis=1))
    met = np.where(others, both, 0.0)
    together = np.where(met.sum(axis=1) >= CELLS, quotient((met * agreement).sum(axis=1), met.sum(axis=1)), math.nan)
    return np.where(np.isnan(found), together, found)


def _farthest(
    method: Method, design: PanelDesign, near: float, usual: float, most: float, rng: np.random.Generator
) -> Array:
    """The largest :func:`_beyond` of any two judges of panels whose judges are alike, ``[panel]``: of panels with all
    sorts of noise those in which one of the two most alike agrees most nearly as much with those nearest.

    Few panels, where these tell that nobody who gets as far as the ``most`` seen here is a copy.
    """

    def made(noise: float, panels: int) -> tuple[Array, Array]:
        found = [_most_alike(method, design.alike(noise, rng, k), usual) for k in split(panels, _at_a_time(design))]
        return np.concatenate([x for x, _ in found]), np.concatenate([x for _, x in found])

    levels = noise_levels(
        fitted_noise(lambda noise: mean_of_known(made(noise, TRIALS)[0]), near, design.most_noise), design.most_noise
    )
    drawn = nearest(made, levels, near, ALIKE_FIRST)
    if p_value(int(reaches(drawn, most).sum()), len(drawn)) > FAR * LEVEL:
        return drawn
    return nearest(made, levels, near, ALIKE)


def _most_alike(method: Method, design: PanelDesign, usual: float) -> tuple[Array, Array]:
    """Of the two most alike of every panel how much one agrees with those nearest, and :func:`_beyond`."""
    same, both = shared(design)
    share, judges = _share(same, both), same.shape[1]
    far, agreement = _beyond(same, both, usual), _agreement(method, design, same, both)
    far[:, np.arange(judges), np.arange(judges)] = -math.inf
    two = (far + NEAR * agreement).reshape(len(far), -1).argmax(axis=1)  # of those who share as much, who agree more
    return _near(agreement, share, both, two % judges), far.max(axis=(1, 2))


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


def _share(same: Array, both: Array) -> Array:
    """The share of the same answers of every two judges; -1, unknown, where too few are of both."""
    return quotient(same, np.where(both >= CELLS, both, 0.0), otherwise=-1.0)


def _beyond(same: Array, both: Array, usual: float) -> Array:
    """How far every two judges share more answers than is usual, in errors of so many answers, but for a factor: of
    two with equally large shares those who both gave more answers are farther. Where too few are of both, 0."""
    many = both >= CELLS
    return np.divide(same - usual * both, np.sqrt(both), out=np.zeros(same.shape), where=many)


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
