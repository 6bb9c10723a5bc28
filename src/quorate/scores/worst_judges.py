"""Which judges are worst, and what is left without them: their tasks dropped, or only their scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.kernels.correlations import correlate
from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import renumbered
from quorate.panel.outputs import OutputDesign, means_of, tabled
from quorate.panel.units import Units, rows_of
from quorate.scores.auto_pyramid import gaps
from quorate.scores.judge_effects import bias, noise, severity
from quorate.scores.judge_sums import beside
from quorate.scores.self_consistency import own_alphas
from quorate.table import parse

Array = NDArray[Any]
BY = ("alpha", "bias", "noise", "influence", "auto_pyramid", "gap")  # the last two are one thing
DROP = ("auto", "tasks", "scores")
CELLS = 1 << 16  # rows kept or gone that are looked at together: they stay near the processor


@dataclass(frozen=True, eq=False)
class Worst:
    """Judges from worst to best by a criterion; those without a value are left out."""

    order: list[int]
    value: Array  # [judge]
    what: str  # what the value is, in words


Agreed = Callable[[Units], Array]  # how judges' scores become one value of each unit


def agreed_by(of: str) -> Agreed | None:
    """How judges' scores become one, as a function of units; None is the mean."""
    if of == "mean":
        return None
    method = parse(of, "scores", "consensus")
    return lambda units: np.asarray(method(units).array)


def worst_first(made: OutputDesign, by: str, drop: str, agreed: Agreed | None = None) -> Worst:
    """The judges ordered by what is wrong with them."""
    if by == "alpha":
        value, what = _alpha(made)
        bad = -value
    elif by in ("gap", "auto_pyramid"):
        value, _ = gaps(made.scores)
        bad, what = -value, "the score minus the automatic one in column auto, mean over tasks of task means"
    elif by == "influence":
        value = np.array([_with_and_without(made, j, drop, agreed) for j in range(len(made.scores.judges))])
        bad, what = -value, "Pearson's correlation of the systems' means with and without the judge"
    else:
        bias, noise = shift_and_noise(made)
        value, what = (bias, "mean shift") if by == "bias" else (noise, "standard deviation of what is left")
        bad = np.abs(value)
    bad = np.where(np.bincount(made.scores.judge, minlength=len(bad)) > 0, bad, np.nan)
    order = np.argsort(np.where(np.isnan(bad), np.inf, -bad), kind="stable").tolist()
    return Worst([j for j in order if not np.isnan(bad[j])], value, what)


def _alpha(made: OutputDesign) -> tuple[Array, str]:
    """Of a judge's own repeats; where nobody has any, of the judge with the mean of the others."""
    own = own_alphas(made.scores)
    if not np.isnan(own).all():
        return own, "alpha of the judge's own repeats"
    have = beside(made.scores)
    out = np.full(len(made.scores.judges), np.nan)
    for j, mine in enumerate(rows_of(made.scores.judge[have.rows], len(out))):
        if len(mine):
            both = np.concatenate([have.value[mine], have.others[mine]])
            found = kernel.sums(np.tile(np.arange(len(mine)), 2), both, len(mine))
            out[j] = float(kernel.alpha_of(found.parts().sum(axis=0)))
    return out, "alpha of the judge with the mean of the others (nobody has repeats)"


def shift_and_noise(made: OutputDesign) -> tuple[Array, Array]:
    """Each judge's mean shift, and the standard deviation of what unit (or system) and shift do not explain.

    Judges who share units are compared on them, as ``quorate judges`` does; judges who share none, on the systems they
    saw.
    """
    units = made.scores
    if (units.per_unit > 1).any():
        return bias(units).value, noise(units).value
    nowhere = np.zeros(len(made.systems), np.int64)
    of_systems = replace(units, unit=made.system[units.unit], size=len(nowhere), task=nowhere, item=nowhere)
    of_systems = of_systems.sorted(units.judge)
    return -severity(of_systems).value, noise(of_systems).value


# -- without them ------------------------------------------------------------------------------------------------------


def how_to_drop(made: OutputDesign, drop: str) -> str:
    """Tasks where every input has one judge, scores where judges share inputs; or as told."""
    if drop != "auto":
        return drop
    place = made.input[made.scores.unit]
    one = np.full(len(made.tasks), -1, np.int64)
    one[place] = made.scores.judge  # of several the last that is written
    return "tasks" if (one[place] == made.scores.judge).all() else "scores"


def rows_without(made: OutputDesign, judges: Sequence[int], drop: str) -> Array:
    """Which rows are left when these judges' inputs, or their scores, are dropped."""
    theirs = np.isin(made.scores.judge, np.asarray(judges, np.int64))
    if drop == "scores":
        return np.asarray(~theirs)
    place = made.input[made.scores.unit]
    return np.asarray(~np.isin(place, place[theirs]))


def table_of(made: OutputDesign, keep: Array | None = None, agreed: Agreed | None = None) -> Array:
    """Scores ``[input, system]`` of the rows kept: the judges' mean, or what ``agreed`` makes of them."""
    units = made.scores
    if agreed is not None:
        return made.table(agreed(units if keep is None else units.kept(keep)))
    unit, value = (units.unit, units.value) if keep is None else (units.unit[keep], units.value[keep])
    number = np.bincount(unit, minlength=units.size)
    total = np.bincount(unit, value, units.size)
    return made.table(quotient(total, number))


def tables_of_judges(made: OutputDesign, keep: Array | None = None) -> list[Array]:
    """Each judge's own scores as ``[input, system]``, for judges who have some."""
    units = made.scores
    rows = np.arange(len(units)) if keep is None else np.flatnonzero(keep)
    shape = (len(made.tasks), len(made.systems))
    out = []
    for j in np.unique(units.judge[rows]).tolist():
        mine = rows[units.judge[rows] == j]
        unit = units.unit[mine]
        out.append(tabled(units.value[mine], made.input[unit], made.system[unit], shape))
    return out


def random_keep(made: OutputDesign, dropped: Array, drop: str, core: Any, number: int, *names: object) -> Array:
    """As many random inputs, or judgments of an input by a judge, dropped as ``dropped`` rows are: kept rows."""
    units = made.scores
    place = made.input[units.unit]
    group = place if drop == "tasks" else place * len(units.judges) + units.judge
    group = renumbered(group)
    size = int(group.max(initial=-1)) + 1
    left = size - len(np.unique(group[dropped]))
    kept = core.some_of(np.ones((number, size)), left, core.stream("random", *names))
    return np.asarray((kept > 0).take(group, axis=1))


def means_without(made: OutputDesign, kept: Array) -> Array:
    """Systems' means of the rows kept, ``[choice, system]``, from ``kept[choice, row]``: the judges' plain mean.

    So many choices at a time as there is room for.
    """
    step = max(1, CELLS // max(kept.shape[1], 1))
    parts = [_means_without(made, kept[k : k + step]) for k in range(0, max(len(kept), 1), step)]
    return np.concatenate(parts)


def _means_without(made: OutputDesign, kept: Array) -> Array:
    """From the sums of the rows kept, which are sorted by unit."""
    units, shape, choices = made.scores, (len(made.tasks), len(made.systems)), len(kept)
    begin = np.flatnonzero(np.diff(units.unit, prepend=-1))
    many = np.diff(begin, append=len(units))
    order = np.argsort(-many, kind="stable")  # of most judges first
    begin, many = begin[order], many[order]
    total, number = np.zeros((2, choices, len(begin)))
    for k in range(int(many.max(initial=0))):  # the judges of every unit, one after the other
        row = begin[: np.count_nonzero(many > k)] + k
        one = kept.take(row, axis=1)
        total[:, : len(row)] += one * units.value[row]
        number[:, : len(row)] += one
    scored = units.unit[begin]
    task, system = made.input[scored], made.system[scored]
    cell = task * shape[1] + system
    if (np.bincount(cell) <= 1).all():  # of every task one output of a system
        tables = np.full((choices, shape[0] * shape[1]), np.nan)
        tables[:, cell] = quotient(total, number)
        return means_of(tables.reshape(choices, *shape))
    place = np.arange(choices)[:, None] * shape[0] + task
    columns = np.broadcast_to(system, place.shape)
    tables = tabled(quotient(total, number).ravel(), place.ravel(), columns.ravel(), (choices * shape[0], shape[1]))
    return means_of(tables.reshape(choices, *shape))


def places(means: Array) -> Array:
    """Places by mean, 1 the best; equal means share the better place; NaN without a mean.

    >>> places(np.array([0.5, 0.9, 0.5, np.nan])).tolist()
    [2.0, 1.0, 2.0, nan]
    """
    known = np.sort(means[~np.isnan(means)])
    above = len(known) - np.searchsorted(known, means + 1e-12, side="right")
    return np.where(np.isnan(means), np.nan, above + 1.0)


def _with_and_without(made: OutputDesign, judge: int, drop: str, agreed: Agreed | None) -> float:
    keep = rows_without(made, [judge], how_to_drop(made, drop))
    if keep.all() or not keep.any():
        return float("nan")
    with_all, without = (means_of(table_of(made, rows, agreed)) for rows in (None, keep))
    return float(correlate(with_all, without, "pearson"))
