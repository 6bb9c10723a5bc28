"""Very many judges of one task: what they add up to in groups, and panels in which groups are drawn.

A panel of a million judges is not drawn judge by judge: what a method needs of them adds up (``additive=`` of its
declaration), so they are put into groups, by what they answered, and groups are drawn. Answers in files give the same
sums a block at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import split
from quorate.inference.engine import budget_of
from quorate.inference.estimate import Interval, Null
from quorate.inference.intervals import interval
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import GROUPS, drawn, stream
from quorate.kernels.row_marks import lots, marks
from quorate.kernels.streams import some_rows
from quorate.panel.base import remembered
from quorate.panel.coefficient import Additive, additive
from quorate.table import Method

Array = NDArray[Any]
JUDGES = 10_000  # of a task, beyond which they are drawn in groups
ITEMS = 3000  # up to which a table of all pairs of them has room
FEWEST = 20  # groups
CELLS = 1 << 24  # pairs of items in all groups, about
AT_ONCE = 1 << 22  # of panels that are looked at in one go
PERMUTED, FEWEST_PERMUTED = 2000, 200  # judges whose answers are permuted, for chance


@dataclass(frozen=True, eq=False)
class JudgeSums:
    """What the judges of a task add up to, group by group, in the sections that a method needs."""

    adds: Additive
    where: Any  # the sections of the numbers
    sums: Array  # [group, number]
    gaps: bool  # whether judges lack items
    tied: bool
    missing: str
    some: Callable[[int], Array]  # the answers of so many judges drawn at random, [judge, item]
    deal: Callable[[Array, np.random.Generator], Array]  # answers of judges permuted

    @property
    def items(self) -> int:
        """How many there are."""
        return int(self.where.items)


def adding(method: Method, judges: int, items: int, counted: bool) -> Additive | None:
    """How a method's numbers add up over judges, where they are so many that groups of them are drawn; else None."""
    return additive(method) if judges > JUDGES and items <= ITEMS and not counted else None


def needed(method: Method, gaps: bool, tied: bool) -> tuple[str, ...] | None:
    """The sections of numbers that a method needs of judges who lack items or tie some; None where no sum will do."""
    adds = additive(method)
    if adds is None:
        return None
    filled = gaps and missing_of(method) == "below"  # then absent items are tied
    return adds.needs(method, gaps and not filled, tied or filled)


def missing_of(method: Method) -> str:
    """What an absent item means to a method: it is below the others, or nothing is known of it; of groupings, what
    was left out is in one group, or in none."""
    if method.has("left_out"):
        return "bucket" if method["left_out"] == "bucket" else "unknown"
    return "below" if method.has("missing") and method["missing"] == "below" else "unknown"


def groups(items: int) -> int:
    """How many groups there are."""
    return int(min(GROUPS, max(FEWEST, CELLS // max(items * items, 1))))


def permuted_judges(items: int, judges: int) -> int:
    """How many judges' answers are permuted, for chance."""
    return int(min(judges, max(FEWEST_PERMUTED, min(PERMUTED, CELLS // max(items * items, 1)))))


@dataclass(frozen=True, eq=False)
class Answered:
    """What the judges of a task in memory answered, and their marks."""

    answers: Array  # [judge, item]
    gaps: bool
    tied: bool

    @cached_property
    def marks(self) -> Array:
        """By which judges are told apart, ``[judge]``."""
        return marks(self.answers)

    @cached_property
    def group(self) -> Array:
        """The group of every judge."""
        return lots(self.marks, groups(self.answers.shape[1]))

    def some(self, size: int) -> Array:
        """The answers of so many judges drawn at random."""
        return np.asarray(self.answers[drawn_judges(self.marks, size)])


def answered(design: Any, part: Any, t: int) -> Answered:
    """What the judges of a task answered; made once."""

    def make(of: Any) -> Answered:
        answers = design.told_apart(of.given[0][t])
        return Answered(answers, *design.uneven(answers))

    return remembered(part, f"_answered {t}", make)


def sums_of(method: Method, design: Any, part: Any, t: int) -> JudgeSums | None:
    """What the judges of a task in memory add up to; None where a method needs more than sums."""
    _, judges, items = part.given[0].shape
    if adding(method, judges, items, design.counted) is None:
        return None
    found = answered(design, part, t)
    names = needed(method, found.gaps, found.tied)
    if names is None:
        return None
    adds, missing = additive_of(method), missing_of(method)
    sums = adds.sums(found.answers, found.group, groups(items), names, missing=missing)
    where = adds.sections(items, names)
    return JudgeSums(adds, where, sums, found.gaps, found.tied, missing, found.some, design.shuffled)


def additive_of(method: Method) -> Additive:
    """How a method's numbers add up, which is known to do so."""
    found = additive(method)
    if found is None:
        raise ValueError(f"{method} does not add up.")
    return found


def drawn_judges(mark: Array, size: int) -> Array:
    """The numbers of so many judges drawn at random, by what they answered, in the order of their marks."""
    often = some_rows(stream(0, "judges"), mark, np.ones(len(mark), np.int64), min(size, len(mark)))
    rows = np.flatnonzero(often)
    return np.asarray(rows[np.argsort(mark[rows], kind="stable")])


def adds_up(method: Method, design: Any, options: Options) -> bool:
    """Whether very many judges of one task are counted: not where they are few, or a method needs more than sums."""
    if len(design.tasks) != 1 or options.over not in (None, "judges") or not hasattr(design, "uneven"):
        return False
    elsewhere = getattr(design, "elsewhere", None)  # of answers in files sums are all there is
    if elsewhere is not None:
        return hasattr(elsewhere, "counted") and elsewhere.adds_up(method)
    _, judges, items = design.parts[0].given[0].shape
    if adding(method, judges, items, design.counted) is None:
        return False
    found = answered(design, design.parts[0], 0)
    return needed(method, found.gaps, found.tied) is not None


def counted(method: Method, design: Any, options: Options) -> JudgeSums | None:
    """What the judges of one task add up to; None where they are few, or a method needs more than sums of them."""
    if not adds_up(method, design, options):
        return None
    elsewhere = getattr(design, "elsewhere", None)
    return sums_of(method, design, design.parts[0], 0) if elsewhere is None else elsewhere.counted(method)


def agreement_in_groups(method: Method, found: JudgeSums, options: Options) -> tuple[Any, Interval | None, Null | None]:
    """What a method says of all judges of a task, its interval over groups of them, and what chance gives."""
    whole = found.sums.astype(float)  # whole numbers still
    sizes = whole[:, 0]

    def say(numbers: Array, own: Array) -> Any:
        return found.adds.of(numbers, found.where, own, **method.parameters)

    every = whole.sum(axis=0)[None]
    told = say(every, every)
    value, rng, drawn_values = float(told.values[0]), stream(options.seed, "interval", method), [np.zeros(0)]
    for k in split(budget_of(options).draws(whole.size), max(1, AT_ONCE // whole.shape[1])):
        often = drawn(len(whole), k, rng)
        drawn_values.append(say(often @ whole, often**2 @ whole).values)  # one drawn twice has a pair with itself
    there, inside = int(np.count_nonzero(sizes)), method.declaration.range
    between = interval(
        value, np.concatenate(drawn_values), level=options.level, over="judges", units=there, range=inside
    )
    some = permuted_judges(found.items, int(sizes.sum()))
    most = budget_of(options).nulls(some * found.items**2)
    if not most or not math.isfinite(value):
        return told, between, None
    answers, deal = found.some(some), stream(options.seed, "null", method)
    pairs = bool(method.declaration.properties.get("weighs_pairs"))

    def permuted(number: int) -> Array:
        made = [_by_chance(found, answers, every[0], deal, pairs) for _ in range(number)]
        return np.stack([say(one[None], one[None]).values for one in made]) if made else np.zeros((0, 1))

    return told, between, sequential(permuted, told.values, most, method.sign)[0]


def _by_chance(found: JudgeSums, answers: Array, every: Array, rng: np.random.Generator, pairs: bool) -> Array:
    """What judges add up to whose answers are permuted, ``[number]``: counted of some; where they answer all items,
    spread as of all of them. Where they do not, so many times as much, unless ``pairs`` of judges are compared, whose
    mean is that of as few judges."""
    permuted, names = found.deal(answers[None], rng)[0], found.where.names
    seen = found.adds.sums(permuted, np.zeros(len(permuted), np.int64), 1, names, missing=found.missing)[0].astype(
        float
    )
    if not found.gaps:
        return np.asarray(found.where.spread(seen, every, rng.random(found.where.steps)))
    return seen if pairs else np.asarray(seen * (every[0] / seen[0]))


def agreed_in_groups(method: Method, found: JudgeSums, task: int, options: Options) -> tuple[Any, Array | None]:
    """What all judges agree on, and what those of resampled groups do, ``[draw, item]``."""
    sums = found.sums.astype(float)  # whole numbers still
    told = found.adds.of(sums.sum(axis=0)[None], found.where, some=found.some, **method.parameters)[0]
    rng, out = stream(options.seed, "consensus", method, task), []
    for k in split(budget_of(options).draws(sums.size), max(1, AT_ONCE // sums.shape[1])):
        panels = drawn(len(sums), k, rng) @ sums
        out += [
            one.array for one in found.adds.of(panels, found.where, brief=True, start=told.array, **method.parameters)
        ]
    return told, np.stack(out) if out else None
