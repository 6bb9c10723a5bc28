"""What any method says of panels drawn anew from a panel's own judges or tasks, as many as there are.

A judge who is drawn twice counts twice, on every task; with counted rows of a single task the judges behind the rows
are drawn. Nothing is copied: only the counts change, and many panels go through a method together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.inference.board import bootstrap as drawn_means
from quorate.inference.board import mean_over_tasks
from quorate.inference.resample import resampled_counts
from quorate.inference.results import Options, Overall
from quorate.kernels import ranks
from quorate.kernels.pair_means import mean_of_pairs, mean_with_others, mean_without_each, ratio
from quorate.orderings.believed import Tasks
from quorate.orderings.pairwise import tau_b
from quorate.orderings.peers import MEASURES
from quorate.orderings.scored import seeded
from quorate.panel.kinds import Orderings
from quorate.panel.lists import beside
from quorate.panel.stacks import Stack
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 22  # of [panel, judge, item, item] arrays at a time


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of a panel by their names, and the same of panels drawn anew."""

    names: Mapping[str, Sequence[Any]]  # columns that tell the figures apart
    values: Array  # [figure]
    drawn: Array  # [panel, figure]
    copies: bool = False  # whether a judge drawn twice moves them


@dataclass(frozen=True, eq=False)
class Orders:
    """The consensus of one task and of panels drawn anew: dense positions and mid-ranks."""

    task: Any
    items: Sequence[Any]
    positions: Array  # [item]
    ranks: Array
    drawn: Array  # [panel, item]
    drawn_ranks: Array


# -- drawing -----------------------------------------------------------------------------------------------------------


def drawn_judges(tasks: Tasks, number: int, rng: np.random.Generator) -> Array:
    """How often each judge is drawn, ``[panel, judge]``; of one task ``[panel, row]``."""
    if len(tasks) == 1:
        return resampled_counts(tasks.parts[0].counts[0], rng, number)
    judges = len(tasks.panel.judges)
    return rng.multinomial(judges, np.full(judges, 1 / judges), size=number)


def counts_of(tasks: Tasks, part: Stack, t: int, drawn: Array) -> Array:
    """What the rows of one task count on the panels drawn, ``[panel, row]``."""
    return drawn if len(tasks) == 1 else drawn[:, part.judges[t]] * part.counts[t]


def panels(tasks: Tasks, over: str, number: int, rng: np.random.Generator) -> Iterator[Tasks]:
    """The panels one by one, for methods that need them whole; tasks without a judge are not in them."""
    if over == "tasks":
        sizes = np.cumsum([0, *(p.shape[0] for p in tasks.parts)])
        for _ in range(number):
            chosen = np.sort(rng.integers(len(tasks), size=len(tasks)))
            rows = [chosen[(chosen >= a) & (chosen < b)] - a for a, b in pairwise(sizes)]
            parts = [_taken(p, at, p.counts[at]) for p, at in zip(tasks.parts, rows, strict=True) if len(at)]
            yield Tasks(tasks.names, tuple(parts), tasks.panel)
        return
    for times in drawn_judges(tasks, number, rng):
        parts = []
        for p in tasks.parts:
            if len(tasks) == 1:  # who is not drawn is gone
                here = times > 0
                parts.append(Stack(p.tasks, p.judges[:, here], p.items, p.positions[:, here], times[None, here]))
                continue
            counts = times[p.judges] * p.counts
            there = np.flatnonzero(counts.any(axis=1))
            if len(there):
                parts.append(_taken(p, there, counts[there]))
        yield Tasks(tasks.names, tuple(parts), tasks.panel)


def _taken(part: Stack, rows: Array, counts: Array) -> Stack:
    return Stack(part.tasks[rows], part.judges[rows], part.items[rows], part.positions[rows], counts)


def _blocks(part: Stack, t: int, counts: Array, call: Callable[[Array, Array], Array]) -> Array:
    """A function of one task's rankings and panels' counts, some panels at a time."""
    _, judges, items = part.shape
    pieces = np.array_split(counts, max(1, min(len(counts), len(counts) * judges * items * items // CELLS)))
    wide = part.positions[t : t + 1]
    return np.concatenate([call(np.broadcast_to(wide, (len(c), judges, items)), c) for c in pieces])


# -- agreement ---------------------------------------------------------------------------------------------------------


def of_agreement(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator) -> tuple[Figures, Figures]:
    """The mean over tasks; and every task of its own."""
    values = tasks.each(lambda part: m(part.positions, part.counts, brief=True).values.astype(float))
    copies = bool(m.declaration.properties.get("copies"))
    names = {"task": tasks.named}
    if over == "tasks":
        draw = rng.integers(len(values), size=(number, len(values)))
        alone = Figures(names, values, np.full((number, len(values)), np.nan))
        return Figures({}, _mean(values[None]), _mean(values[draw])), alone
    drawn = drawn_judges(tasks, number, rng)

    def redrawn(part: Stack) -> Array:
        alike = bool((part.counts > 1).any())
        out = np.full((number, part.shape[0]), np.nan)
        for t in range(part.shape[0]):
            counts = counts_of(tasks, part, t, drawn)
            there = counts.any(axis=1)
            if there.any():
                out[there, t] = _blocks(part, t, counts[there], lambda p, c: m(p, c, alike=alike, brief=True).values)
        return out

    each = tasks.each(redrawn)
    return Figures({}, _mean(values[None]), _mean(each), copies), Figures(names, values, each, copies)


def _mean(values: Array) -> Array:
    """The mean over the last axis of what is defined, for each row."""
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))


# -- judges ------------------------------------------------------------------------------------------------------------


def of_judges(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator) -> Figures:
    """Each judge's figure: a mean over tasks, or a ratio of two such means."""
    judges = len(tasks.panel.judges)
    drawn = drawn_judges(tasks, number, rng) if over == "judges" else None
    draw = rng.multinomial(len(tasks), np.full(len(tasks), 1 / len(tasks)), size=number) if drawn is None else None
    whole, sums = np.zeros((2, 1, judges)), np.zeros((2, number, judges))
    at = 0
    for part in tasks.parts:
        alike = bool((part.counts > 1).any())
        for t in range(part.shape[0]):
            code = part.judges[t]
            own = np.stack(_fraction(m, part.positions[t : t + 1], part.counts[t : t + 1], True))
            whole[:, :, code] += own
            if draw is not None:
                sums[:, :, code] += draw[:, at, None] * own
            elif drawn is not None:
                counts = counts_of(tasks, part, t, drawn)
                there = np.flatnonzero(counts.any(axis=1))

                def call(p: Array, c: Array, alike: bool = alike) -> Array:
                    return np.stack(_fraction(m, p, c, alike), axis=1)

                found = _blocks(part, t, counts[there], call)
                sums[:, there[:, None], code] += found.transpose(1, 0, 2)
            at += 1
    return Figures({"judge": list(tasks.panel.judges)}, ratio(*whole)[0], ratio(*sums))


def _fraction(m: Method, positions: Array, counts: Array, alike: bool) -> tuple[Array, Array]:
    """What a judge's figure is a ratio of, ``[panel, judge]``; both 0 where the task says nothing of the judge."""
    if m.name == "support_outliers":
        d = m(positions, counts).details
        return d["kappa2"] - d["mean2"], d["mean2"]
    index = tau_b if m.name == "influence" else MEASURES[str(m["measure"])]
    square = index.square(positions[:1])
    if m.name == "influence":
        value = mean_of_pairs(square, counts, alike)[:, None] - mean_without_each(square, counts, alike)
        value = np.where(counts > 0, value, np.nan)  # who is not on the panel has no influence
    else:
        value = mean_with_others(square, counts, alike)
    known = np.isfinite(value)
    return np.where(known, value, 0.0), known.astype(float)


# -- quality -----------------------------------------------------------------------------------------------------------


def of_quality(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, seed: int = 0) -> Figures:
    """Each system's mean over tasks."""
    if tasks.systems is None:
        raise InputError(f"{m.name} is a quality method and needs systems.", "give their lists: --systems FILE.")
    lists = beside(tasks.panel, tasks.systems)
    names = {"system": list(tasks.systems.judges)}
    more = seeded(m, seed)
    values = np.concatenate(
        [np.where(p.there, m(p.positions, p.counts, p.lists, brief=True, **more).values, np.nan) for p in lists.parts]
    )
    means = mean_over_tasks(values)[0]
    if over == "tasks":
        return Figures(names, means, drawn_means(values, rng, number))
    drawn = drawn_judges(tasks, number, rng)
    total, of = np.zeros((2, number, len(means)))
    for p in lists.parts:
        part = Stack(p.tasks, p.judges, p.items, p.positions, p.counts)
        for t in range(part.shape[0]):
            counts = counts_of(tasks, part, t, drawn)
            there = np.flatnonzero(counts.any(axis=1))

            def call(wide: Array, c: Array, row: Array = p.lists[t : t + 1]) -> Array:
                every = np.broadcast_to(row, (len(c), *row.shape[1:]))
                return np.asarray(m(wide, c, every, brief=True, **more).values)

            found = np.where(p.there[t], _blocks(part, t, counts[there], call), np.nan)
            known = np.isfinite(found)
            total[there] += np.where(known, found, 0.0)
            of[there] += known
    return Figures(names, means, ratio(total, of), bool(m.declaration.properties.get("copies")))


# -- trust and consensus -----------------------------------------------------------------------------------------------


def of_trust(
    tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options
) -> tuple[Figures, list[str]]:
    """The figures of another trust method, each panel anew; and the settings that it picks on each, if it does."""
    brief = Options(options.seed, options.level, 100, 0)
    if m.name == "sweep":  # noise has no part in the figures
        m = m.with_(ratio=0.0)
    first: Sequence[Overall] = m(tasks, brief).overall
    drawn, picked = np.full((number, len(first)), np.nan), []
    for k, panel in enumerate(panels(tasks, over, number, rng)):
        options.tell("bootstrap", k, number)
        found: Sequence[Overall] = m(panel, brief).overall
        drawn[k] = [o.value for o in found]
        picked += [str(o.labels["best"]) for o in found if m.name == "tune"]
    figure = [str(o.labels.get("of", o.labels.get("parameter", m.name))) for o in first]
    values = np.array([o.value for o in first], float)
    best = [str(o.labels["best"]) for o in first if m.name == "tune"]
    return Figures({"figure": figure}, values, drawn, over == "judges"), [*best, *picked]


def of_consensus(tasks: Tasks, m: Method, number: int, rng: np.random.Generator, options: Options) -> list[Orders]:
    """The consensus of every task, and of panels of judges drawn anew."""
    drawn = drawn_judges(tasks, number, rng)
    panel: Orderings = tasks.panel
    out: dict[int, Orders] = {}
    for part in tasks.parts:
        whole = m(part.positions, part.counts, brief=True)
        alike = bool((part.counts > 1).any())
        for t, code in enumerate(part.tasks.tolist()):
            options.tell("bootstrap", len(out), len(tasks))
            counts = counts_of(tasks, part, t, drawn)
            there = counts.any(axis=1)

            def call(p: Array, c: Array, alike: bool = alike) -> Array:
                return np.stack([a.positions for a in m(p, c, alike=alike, brief=True)])

            found = _blocks(part, t, counts[there], call) if there.any() else np.zeros((0, part.shape[2]), np.int64)
            own = whole[t].positions
            items = [panel.items[i] for i in part.items[t].tolist()]
            mid, many = ranks.mid_ranks(own[None, None])[0, 0], ranks.mid_ranks(found[None])[0]
            out[code] = Orders(tasks.names[code], items, own, mid, found, many)
    return [out[code] for code in sorted(out)]
