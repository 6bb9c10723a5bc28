"""Copies: judges whose answers are the same far beyond what the agreement of the others allows.

One rule for every kind. Two judges who gave nearly all of the same answers are held against panels of the same size
whose judges are all alike and agree as the first of the two and those nearest to him do, copies left aside: where even
the two most alike of such a panel hardly ever share as many answers, one of them is a copy. Where everybody agrees with
everybody, or all good judges with one another, that is agreement. Sixty answers that are all the same say more than
ten: what counts is by how many errors two judges share more than is usual. Who gives one answer to everything, as many
may who do not care, is nobody's copy.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import ALIKE, split
from quorate.inference.noise import TRIALS, fitted_noise
from quorate.inference.null import p_value, reaches
from quorate.inference.weights import stream
from quorate.kernels.defined import mean_of_known
from quorate.panel.design import Design, PanelDesign
from quorate.table import Method

Array = NDArray[Any]
SHARE = 0.95  # of the answers, from which two judges may be copies
SEVERAL = 3  # answers that are all the same, of which it is told
CELLS = 8  # answers of both, of fewer nothing is said
LEVEL = 0.01
NEAR = 1e-9  # of a share: rounding
FEW = 2  # judges who may have been copied; of more, those are let go at once whom no test could name
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
    same, both = (found[0] for found in shared(design))
    share = _share(same, both)
    says = ~design.one_answer()
    first = _first_alike((share >= SHARE) & says & says[:, None])
    alike = {of: np.flatnonzero((first == of) & (np.arange(size) != of)) for of in np.unique(first).tolist()}
    usual = float(np.tril(same, -1).sum() / max(np.tril(both, -1).sum(), 1.0))
    far = _beyond(same, both, usual)
    most = {of: float(far[mine, of].max()) for of, mine in alike.items() if len(mine)}
    drawn, every = np.zeros(0), math.inf
    if len(most) > FEW:  # what alike judges reach who agree less, those reach who agree more
        every = mean_of_known(design.levelled().values(method).array)
        drawn = _farthest(method, design, every, usual, max(most.values()), stream(seed, "copies", method))
    found = []
    for of, largest in most.items():
        agreement = _agreement_near(method, design, share[of], of)
        if math.isnan(agreement) or (agreement >= every and _reached(drawn, largest)):
            continue
        own = _farthest(method, design, agreement, usual, largest, stream(seed, "copies", method, of))
        for judge in alike[of].tolist():
            if p_value(int(reaches(own, far[judge, of]).sum()), len(own)) <= LEVEL:
                found.append(Copy(judge, of, int(same[judge, of]), int(both[judge, of])))
    return sorted(found, key=lambda c: c.judge)


def one_answer(designs: Sequence[Design]) -> list[Hashable]:
    """The judges who gave one answer to everything, by every criterion, where they gave several."""
    found: list[list[Hashable]] = []
    for d in designs:
        if isinstance(d, PanelDesign) and len(d.judges) <= JUDGES and not d.counted:
            enough = np.bincount(d.said()[1], minlength=len(d.judges)) >= SEVERAL
            found.append([d.judges[k] for k in np.flatnonzero(d.one_answer() & enough).tolist()])
    return [judge for judge in (found[0] if found else ()) if all(judge in names for names in found)]


def _agreement_near(method: Method, design: PanelDesign, share: Array, of: int) -> float:
    """How much one judge and those nearest to him agree, copies left aside; NaN where nobody is left.

    Two good judges among many bad ones share most of their answers and are no copies: that is why the nearest count.
    """
    others = np.delete(np.arange(len(share)), of)
    others = others[np.argsort(-share[others], kind="stable")]
    alike = int((share[others] >= 1 - NEAR).sum())
    left = others[max(alike, 1) :]  # without those with all the same answers, or the one who has most
    if not len(left):
        return math.nan
    near = np.sort(np.append(of, left[:NEAREST]))
    return mean_of_known(design.some_judges(near).levelled().values(method).array)


def _farthest(
    method: Method, design: PanelDesign, agreement: float, usual: float, most: float, rng: np.random.Generator
) -> Array:
    """The largest :func:`_beyond` of any two judges of panels whose judges are alike and agree so much, ``[panel]``.

    No more panels are made once so many reach the ``most`` seen here that nobody can be a copy.
    """
    noise = fitted_noise(
        lambda noise: mean_of_known(design.alike(noise, rng, TRIALS).levelled().values(method).array),
        agreement,
        design.most_noise,
    )
    drawn = np.zeros(0)
    for k in _sizes(design):
        drawn = np.append(drawn, _most_alike(design, noise, usual, rng, k))
        if _reached(drawn, most):
            break
    return drawn


def _reached(drawn: Array, most: float) -> bool:
    """Whether so many panels reach this that nobody who does can be a copy."""
    return bool(p_value(int(reaches(drawn, most).sum()), ALIKE) > LEVEL)


def shared(design: PanelDesign) -> tuple[Array, Array]:
    """Of every two judges the answers that are the same, and the answers that both gave, ``[copy, judge, judge]``."""
    copy, judge, cell, value = design.said()
    _, code = np.unique(value, return_inverse=True)
    answer = cell * np.int64(int(code.max(initial=0)) + 1) + code.ravel()
    rows = [np.flatnonzero(copy == k) for k in range(int(copy.max(initial=0)) + 1)]
    same, both = ([_meetings(judge[r], column[r], len(design.judges)) for r in rows] for column in (answer, cell))
    return np.stack(same), np.stack(both)


def _share(same: Array, both: Array) -> Array:
    """The share of the same answers of every two judges; 0 where too few are of both."""
    return np.divide(same, both, out=np.zeros(same.shape), where=both >= CELLS)


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


def _sizes(design: PanelDesign) -> list[int]:
    """How many panels at a time."""
    return split(ALIKE, max(1, ANSWERS // max(len(design.said()[0]), 1)))


def _most_alike(design: PanelDesign, noise: float, usual: float, rng: np.random.Generator, number: int) -> Array:
    """The largest :func:`_beyond` of any two judges who are alike, ``[copy]``."""
    far = _beyond(*shared(design.alike(noise, rng, number)), usual)
    far[:, np.arange(far.shape[1]), np.arange(far.shape[1])] = 0.0
    return np.asarray(far.max(axis=(1, 2)))
