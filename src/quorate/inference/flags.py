"""Who is off: whose leaving raises agreement more than the leaving of any judge does where all are alike.

One rule for every kind. The statistic of a judge is how much the agreement of the others exceeds that of all. It is
referred to the *largest* such rise of panels in which all judges are alike, so that of 100 panels without a bad judge
at most 5 have a flag, whatever the number of judges. With enough tasks such panels come from exchanging judges' names
within each task, which is exact. With few, names are exchanged within what a judge gives one answer to, a score or a
vote, which needs no model of errors, be they skewed, rare or wild. Of a place or a group, which depend on the judge's
others, panels are simulated with more and with less noise, of which those count in which the others agree as these do:
how much noise there is, few judges cannot tell. A flagged judge is taken out, and the others are looked at again. A
margin keeps thousands of tasks from making trifles significant.

Where honest judges may differ in a manner, as in how finely they group, how strictly they score or how much of a scale
they use, agreement is measured apart from it, and who is an outlier in the manner itself is flagged, too: by Student's
t against the others, whose spread is at least what luck makes of few answers, and only if exchanged names make such an
outlier in fewer than 1 of 40 panels: of fifty judges who score five items one may well give the same score to all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import ALIKE, ALIKE_FIRST, ALIKE_MORE, FEWEST_PERMUTED, PERMUTED, split
from quorate.inference.noise import TRIALS, fitted_noise, nearest, noise_levels
from quorate.inference.null import p_value, reaches
from quorate.inference.weights import stream
from quorate.kernels.defined import quotient
from quorate.kernels.tails import beyond
from quorate.panel.design import Manner, PanelDesign, PooledDesign, Values
from quorate.table import Method, parse

Array = NDArray[Any]
LEVEL = 0.05
MARGIN = 0.3  # of what a judge who answers at random costs, which among n judges is about 2 / n of the agreement
TASKS = 5  # from which on names are exchanged
UNEVEN = 1.25  # times as many answers to a task, from which on judges are no longer alike in how many they give
FAR = 6  # times the level, p of a few panels that does not come down to it
SURELY = 0.025  # how seldom a judge who answers at random does as little harm as one who is not called so
REVERSED = -0.3  # agreement with the others, as a share of theirs with one another, below which answers are reversed
CELLS = 1 << 12  # of panels with names exchanged, at a time
JUDGES = 300  # beyond which nobody is looked for by name
REPAIRED = 0.6  # of the rise that a repair takes away where it names what is wrong
TOLD = 3  # tasks and answers that are told
DIAGNOSES = (
    *("reversed", "shifted", "drifting", "compressed", "stretched", "constant"),
    *("splits", "merges", "place", "random", "differs"),
)


@dataclass(frozen=True, slots=True)
class Flag:
    """A judge who is off: p of the panel's worst, and agreement with and without the judge."""

    judge: int  # number in the design
    p: float
    value: float
    without: float
    diagnosis: str = "differs"  # one of DIAGNOSES
    tasks: tuple[int, ...] = ()  # where it shows most
    answers: tuple[tuple[int, int, float, float], ...] = ()  # the most unlike the others': task, item, own and theirs


@dataclass(frozen=True, eq=False)
class Rise:
    """How much agreement rises without each judge, by task and in the mean over tasks; of several panels at once."""

    value: Array  # [panel] agreement of all
    rise: Array  # [panel, judge]
    by_task: Array  # [panel, task, judge], NaN where a judge did not do a task; of all tasks together [panel, 1, judge]

    @property
    def worst(self) -> Array:
        """The number of the judge without whom agreement rises most, ``[panel]``."""
        return np.asarray(np.argmax(self.rise, axis=1))


def rises(method: Method, design: PanelDesign, copies: int = 1) -> Rise:
    """Agreement with and without each judge, of every copy of the panel."""
    return _risen(design.values(method), design.without_each(method), copies)


def _risen(found: Values, without: Array, copies: int) -> Rise:
    """The same of agreement with all and ``without[task, judge]``."""
    whole = found.array[:, 0]  # of all tasks together, of every copy
    if "task" in found.keys:  # a task whose judges are all gone has no value
        whole = np.full(len(without), math.nan)
        whole[found.keys["task"]] = found.array[0]
    tasks = len(whole) // copies
    by_task = (without - whole[:, None]).reshape(copies, tasks, -1)
    value = whole.reshape(copies, tasks)
    known = ~np.isnan(value)
    number = np.maximum(known.sum(axis=1), 1)
    mean = np.where(known.any(axis=1), np.where(known, value, 0.0).sum(axis=1) / number, math.nan)
    return Rise(mean, np.where(np.isnan(by_task), 0.0, by_task).sum(axis=1) / number[:, None], by_task)


def flagged(method: Method, design: PanelDesign, seed: int = 0) -> list[Flag]:
    """The judges who are off, the worst first. Of two nobody can tell which one is."""
    out: list[Flag] = []
    if not 2 < design.voters.sum() <= JUDGES:
        return out
    d = design.voters_apart()
    names = np.arange(len(d.judges))
    if len(d.judges) > len(design.judges):  # several judges of one name
        place = {name: k for k, name in enumerate(design.judges)}
        names = np.array([place[name] for name in d.judges])
    most, by = len(names) // 2 + 1, _measured_by(method)
    while len(names) > max(2, most):
        even = d.levelled()
        seen = rises(by, even)
        shown = seen if by == method and even is d else rises(method, d)
        value = float(shown.value[0])
        matter = {j for j, rise in enumerate(shown.rise[0].tolist()) if _matters(value, value + rise, len(names))}
        found = _least_agreeing(by, d, seen, matter, seed, len(out)) or _outlier(by, d, matter, seed, len(out))
        if found is None:
            break
        worst, p, manner = found
        others = value + float(shown.rise[0, worst])
        told = np.argsort(-np.nan_to_num(shown.by_task[0, :, worst]), kind="stable")[:TOLD]
        told = told if shown.by_task.shape[1] == len(d.tasks) else told[:0]
        what = d.manner(worst) or manner or _diagnosis(method, d, worst, (value, others), seed)
        out.append(Flag(int(names[worst]), p, value, others, what, tuple(told.tolist()), most_unlike(d, worst)))
        keep = np.delete(np.arange(len(names)), worst)
        d, names = d.some_judges(keep), names[keep]
    return out


def _measured_by(method: Method) -> Method:
    """The method that it is told by: another one, where the one that decides depends on a manner of judges."""
    other = method.declaration.properties.get("flags")
    if not isinstance(other, str) or not other:
        return method
    known = {n: v for n, v in method.settings if n == "left_out"}
    return parse(other, method.declaration.kind, "agreement").with_default(**known)


def _matters(value: float, others: float, judges: int) -> bool:
    """Whether agreement without a judge is so much more that it matters."""
    return others - value > MARGIN * max(others, 0.0) * 2 / judges


Draw = Callable[[np.random.Generator, int], Array]  # the largest rise of so many panels
Found = tuple[int, float, str]  # a judge, p, and the diagnosis where it is known already


def _least_agreeing(
    method: Method, design: PanelDesign, seen: Rise, matter: Set[int], seed: int, step: int
) -> Found | None:
    """The judge without whom agreement rises most, if it rises more than it does where all are alike."""
    worst, value = int(seen.worst[0]), float(seen.value[0])
    if worst not in matter or not _matters(value, value + float(seen.rise[0, worst]), len(design.judges)):
        return None
    p = _looks(design) * _p(method, design, seen, seed, step)
    return (worst, p, "") if p <= LEVEL else None


def _looks(design: PanelDesign) -> int:
    """How often scores are looked at, for who agrees least and for who is an outlier in a manner: both are to flag 1 of
    20 together, so that each is asked for so many times as rare a chance. Once, where nobody can be such an outlier."""
    return 2 if isinstance(design, PooledDesign) and _farthest(design.manners()) is not None else 1


def _outlier(method: Method, design: PanelDesign, matter: Set[int], seed: int, step: int) -> Found | None:
    """Of the judges whose leaving matters the one who is most unlike the others in a manner, if an outlier, and not by
    the luck of few answers: who costs little agreement does not hide who costs much."""
    found = _farthest(design.manners(), matter)
    if found is None or found[0] > LEVEL:
        return None
    p, judge, diagnosis = found
    if isinstance(design, PooledDesign):
        p = max(p, _looks(design) * _by_luck(design, p, stream(seed, "manners", method, step)))
    return (judge, p, diagnosis) if p <= LEVEL else None


def _farthest(manners: Sequence[Manner], which: Set[int] | None = None) -> tuple[float, int, str] | None:
    """The judge who is most unlike the others in some manner, of all or of some: p of the farthest of so many judges,
    and what is wrong."""
    found = [far for manner in manners for far in _distances(manner) if which is None or far[1] in which]
    if not found:
        return None
    p, judge, diagnosis = min(found)
    return p * len(manners), judge, diagnosis


def _by_luck(design: PooledDesign, p: float, rng: np.random.Generator) -> float:
    """How often somebody is as unlike the others where names are exchanged within what is answered once, which leaves
    no manner but of luck: on a scale of few steps, or where one of them is hardly used, few answers make outliers that
    no formula of errors knows of."""
    drawn = map(_farthest, design.exchanged(rng, ALIKE, cells=True).manners_of_each())
    return float(p_value(sum(far is not None and far[0] <= p for far in drawn), ALIKE))


def _distances(manner: Manner) -> Iterator[tuple[float, int, str]]:
    """How far every judge is from the others: p of the farthest of so many, the judge, and what is wrong."""
    known = np.flatnonzero(np.isfinite(manner.value))
    if len(known) <= manner.others:
        return
    value, luck = manner.value[known], manner.luck[known]
    for k, judge in enumerate(known.tolist()):
        others, theirs = np.delete(value, k), float(np.delete(luck, k).mean())
        freedom = len(others) - 1 + manner.usual
        known_before = manner.usual * (manner.variance + theirs)
        variance = max((float(((others - others.mean()) ** 2).sum()) + known_before) / freedom, theirs)
        variance = variance * (1 + 1 / len(others)) + max(float(luck[k]) - theirs, 0.0)
        gap = float(value[k] - others.mean())
        far = gap / math.sqrt(variance) if variance > 0 else 0.0
        yield beyond(far, freedom) * len(known), judge, manner.diagnosis[gap > 0]


def _p(method: Method, design: PanelDesign, seen: Rise, seed: int, step: int) -> float:
    """How often the worst of a panel of alike judges raises agreement as much by leaving."""
    p = 0.0
    for draw in _draws(method, design, seen, stream(seed, "noise", method, step)):
        p = max(p, _reached(draw, seen, seed, method, step))
        if p > LEVEL:
            break
    return p


def _draws(method: Method, design: PanelDesign, seen: Rise, search: np.random.Generator) -> Iterator[Draw]:
    """The largest rise of panels whose judges are alike, in each way in which this one must stand out: names exchanged
    within tasks; with few tasks, or uneven ones, within what a judge gives one answer to; or panels simulated, where an
    answer depends on the judge's others, as a place and a group do."""
    if len(design.tasks) >= TASKS:
        if isinstance(design, PooledDesign) and seen.by_task.shape[1] < TASKS:
            yield partial(_panels, method, design)
        else:
            yield _exchanged(seen)
        if not _uneven(design):
            return
    if isinstance(design, PooledDesign):
        yield partial(_panels, method, design, cells=True)
    else:
        yield _imitated(method, design, float(seen.value[0] + seen.rise.max()), search)


def _uneven(design: PanelDesign) -> bool:
    """Whether some judges answer much more of a task than others: luck moves those more who answer less, and names
    cannot be exchanged without a thought."""
    _, judge, cell, _ = design.said()
    done = np.unique(design.asked()[0][cell] * np.int64(len(design.judges)) + judge) % len(design.judges)
    answers = quotient(*(np.bincount(x, minlength=len(design.judges)) for x in (judge, done)))
    return bool(np.nanmax(answers) > UNEVEN * np.nanmin(answers))


def _reached(draw: Draw, seen: Rise, seed: int, method: Method, step: int) -> float:
    """The share of panels in which the largest rise is as large as here; more are drawn where it is near the level."""
    rise = float(seen.rise.max())

    def reached(rng: np.random.Generator, number: int) -> int:
        return int(reaches(draw(rng, number), rise).sum())

    first = p_value(reached(stream(seed, "flags first", method, step), ALIKE_FIRST), ALIKE_FIRST)
    if first > FAR * LEVEL:  # a few panels tell that nobody is off
        return float(first)
    rng, made = stream(seed, "flags", method, step), ALIKE
    number = reached(rng, made)
    if 0.2 < p_value(number, made) / LEVEL < 3:  # near enough to need more
        number, made = number + reached(rng, ALIKE_MORE - ALIKE), ALIKE_MORE
    return float(p_value(number, made))


def _exchanged(seen: Rise) -> Draw:
    """The largest rise of panels in which judges' names are exchanged within each task: what a task says of its judges
    does not depend on their names, so only the rows of rises are shuffled."""
    own = seen.by_task[0]
    there = ~np.isnan(own)
    place = np.argsort(~there, axis=1, kind="stable")
    value = np.where(there, own, 0.0)

    def draw(rng: np.random.Generator, number: int) -> Array:
        out = []
        for k in split(number, max(1, CELLS // max(own.size, 1))):
            key = np.where(there, rng.random((k, *own.shape)), 2.0)
            mixed = np.zeros(key.shape)
            shuffled = np.take_along_axis(value[None], np.argsort(key, axis=2), axis=2)
            np.put_along_axis(mixed, place[None], shuffled, axis=2)
            out.append(mixed.sum(axis=1).max(axis=1) / max(len(own), 1))
        return np.concatenate(out)

    return draw


def _panels(
    method: Method, design: PooledDesign, rng: np.random.Generator, number: int, *, cells: bool = False
) -> Array:
    """The largest rise of so many panels in which judges' names are exchanged within each task, or within each cell."""
    return _worst(method, design, partial(design.exchanged, rng, cells=cells), number)[1]


def _worst(method: Method, design: PanelDesign, make: Callable[[int], PanelDesign], number: int) -> tuple[Array, Array]:
    """Of so many panels agreement without the worst judge, and how much more that is; as many at a time as fit."""
    step = max(1, int((1 << 24) / max(design.work_of(method), 1)))
    found = [rises(method, make(k).levelled(), k) for k in split(number, step)]
    rise = np.concatenate([r.rise.max(axis=1) for r in found])
    return np.concatenate([r.value for r in found]) + rise, rise


def _imitated(method: Method, design: PanelDesign, others: float, search: np.random.Generator) -> Draw:
    """The largest rise of panels with all sorts of noise in which the others agree most nearly as these do."""
    levels = noise_levels(_noise(method, design, others, search), design.most_noise)

    def make(rng: np.random.Generator, noise: float, panels: int) -> tuple[Array, Array]:
        return _worst(method, design, partial(design.alike, noise, rng), panels)

    return lambda rng, number: nearest(partial(make, rng), levels, others, number)


def _noise(method: Method, design: PanelDesign, others: float, rng: np.random.Generator) -> float:
    """The noise at which judges, the worst left out, agree as these do in every second panel: where the others agree
    on all they both judged, which of few answers many do, that is not taken for no noise."""

    def agreement(noise: float) -> float:
        found = rises(method, design.alike(noise, rng, TRIALS).levelled(), TRIALS)
        near = (found.value + found.rise.max(axis=1))[np.isfinite(found.value)]
        return float(np.median(near)) if len(near) else math.nan

    return fitted_noise(agreement, others, design.most_noise)


def _diagnosis(method: Method, design: PanelDesign, judge: int, agreement: tuple[float, float], seed: int) -> str:
    """What is wrong with a judge who is off, by agreement with and without.

    Put right by a repair that the kind knows; against the others; at random; or only different.

    In a mean over pairs of n judges, one who agrees with the others by r leaves (n r_all - (n - 2) r_others) / 2 = r.
    """
    value, others = agreement
    own = (len(design.judges) * value - (len(design.judges) - 2) * others) / 2
    for name, repaired in design.repaired(judge).items():  # the simplest first
        seen = rises(method, repaired)
        if float(seen.rise[0, judge]) < (1 - REPAIRED) * (others - value):
            return name
    rng = stream(seed, "diagnosis", method, judge)
    draws = max(FEWEST_PERMUTED, min(ALIKE, PERMUTED // max(len(design.tasks), 1)))
    without = np.tile(design.without_each(method), (draws, 1))  # the judge, whose answers then make no difference
    permuted = design.values_permuted_by(method, judge, rng, draws)
    found = _mixed(_risen(permuted, without, draws), judge, rng)
    low, high = np.quantile(found, [SURELY, 1 - LEVEL])  # what the judge's answers do when they are permuted
    if own < REVERSED * others and others - value > high:
        return "reversed"
    return "random" if others - value >= low else "differs"


def _mixed(seen: Rise, judge: int, rng: np.random.Generator) -> Array:
    """Rises by a judge whose answers are permuted: task by task, so any permutations of them go together."""
    own = seen.by_task[:, :, judge]
    if own.shape[1] == 1:
        return np.asarray(seen.rise[:, judge])
    tasks = int((~np.isnan(seen.by_task[0]).all(axis=1)).sum())
    which = rng.integers(len(own), size=(ALIKE_MORE, own.shape[1]))
    return np.asarray(np.nansum(np.take_along_axis(own, which, axis=0), axis=1) / max(tasks, 1))


def most_unlike(design: PanelDesign, judge: int) -> tuple[tuple[int, int, float, float], ...]:
    """The answers of a judge that are most unlike those of the others: task, item, the answer and theirs.

    Of numbers theirs is the mean, and the farthest are told; else it is the share who say the same, and the least. Of
    groups it is how often the others say the same of the item and another one.
    """
    _, who, cell, value = design.said()
    mine = np.flatnonzero(who == judge)
    size = int(cell.max(initial=0)) + 1
    if design.measured:
        others = who != judge
        number = np.bincount(cell[others], minlength=size)
        theirs = np.bincount(cell[others], value[others], size) / np.maximum(number, 1)
        gap = np.abs(value[mine] - theirs[cell[mine]])
    else:
        _, answer = np.unique(np.stack([cell.astype(float), value]), axis=1, return_inverse=True)
        number = np.bincount(cell, minlength=size) - np.bincount(cell[mine], minlength=size)
        same = np.bincount(answer.ravel())[answer.ravel()[mine]] - 1
        degree = design.likeness(judge)
        theirs = np.zeros(size) if degree is None else degree
        if degree is None:
            theirs[cell[mine]] = same / np.maximum(number[cell[mine]], 1)
        gap = 1 - theirs[cell[mine]]
    order = np.argsort(-np.where(number[cell[mine]] > 0, gap, -1.0), kind="stable")[:TOLD]
    task, item = design.asked()
    chosen = [mine[k] for k in order.tolist() if number[cell[mine[k]]] > 0 and gap[k] > 0]
    return tuple((int(task[c]), int(item[c]), float(value[k]), float(theirs[c])) for k in chosen for c in [cell[k]])
