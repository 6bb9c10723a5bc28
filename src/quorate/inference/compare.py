"""Two panels side by side: the difference of every figure, its interval, and a test.

The panels may be two rounds of judging, experts and crowd, or the halves of one file. What they share decides the test:

- *paired*: tasks that both did are resampled together, and the signs of their differences flipped;
- *swapped*: judges who did the same task in both panels exchange their two answers at random;
- *relabelled*: other judges of the same items, or other tasks, are assigned to the two panels at random;
- *apart*: panels with nothing in common are resampled each for itself, and the difference is referred to Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.board import differences, drawn_differences
from quorate.inference.budget import batch, split
from quorate.inference.engine import Figures, budget_of
from quorate.inference.estimate import Estimate, Interval, Null
from quorate.inference.intervals import interval
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import drawn, stream
from quorate.panel.design import Design, Weights
from quorate.table import Method

Array = NDArray[Any]
Whole = tuple[Design, Mapping[Hashable, tuple[int, Hashable]]]  # judges of two panels, and each one's panel and name
PAIRED = 2  # tasks in common from which on tasks are paired
WORDS = {
    "paired": "the tasks that both did, in pairs",
    "swapped": "the two answers of each judge exchanged at random",
    "relabelled": "{units} assigned to the two panels at random",
    "apart": "each panel resampled for itself",
}


@dataclass(frozen=True, eq=False)
class Two:
    """The same figures of two designs, and by what they are compared."""

    method: Method
    one: Figures
    two: Figures
    test: str  # paired, swapped, relabelled or apart
    names: list[tuple[Hashable, ...]]  # whose figures both have: judges, systems
    at: Array  # [figure, 2] their numbers in either


def compared(
    method: Method, one: Design, two: Design, options: Options, pool: Callable[[], Whole | None]
) -> tuple[str, list[Estimate]]:
    """How figures were compared, and the difference of each that both have: the second panel's less the first's.

    ``pool`` makes one design of the judges of both, where they judged the same items of the same task.
    """
    both = _two(method, one, two, options)
    if not len(both.at):
        return both.test, []
    by_task = both.test == "paired" and "task" in both.one.seen.keys
    found = (_by_task if by_task else _drawn)(both, options)
    if both.test == "relabelled":
        over = both.one.over(options)
        nulls = _tasks_relabelled(both, options) if over == "tasks" else None
        whole = pool() if over == "judges" else None
        if whole is not None and not both.one.keys:
            nulls, swapped = _judges_relabelled(both, whole, options)
            both = replace(both, test="swapped" if swapped else "relabelled")
        if nulls is None:
            both = replace(both, test="apart")
        else:
            found = [(d, between, null or own) for (d, between, own), null in zip(found, nulls, strict=True)]
    keys = list(both.one.keys)
    out = []
    for (value, between, null), name, (a, b) in zip(found, both.names, both.at.tolist(), strict=True):
        labels: dict[str, Any] = {**dict(zip(keys, name, strict=True)), **one.labels}
        labels |= {"first": float(both.one.value[a]), "second": float(both.two.value[b]), "test": both.test}
        number = int(min(both.one.number[a], both.two.number[b]))
        labels |= {"smallest_p": 2.0 ** (1 - number)} if by_task and null else {}
        out.append(Estimate(value, between, null, labels, n=number))
    return both.test, out


def _two(method: Method, one: Design, two: Design, options: Options) -> Two:
    """Both designs on the tasks that they share, where these are enough to be paired."""
    shared = set(one.tasks) & set(two.tasks)
    test = "relabelled"
    if len(shared) >= PAIRED:
        one, two = (_only(d, shared) for d in (one, two))
        test = "paired"
    a, b = Figures.of(method, one), Figures.of(method, two)
    over = a.over(options)
    same_items = one.units == two.units and tuple(one.items) == tuple(two.items)
    if test == "paired" and over != "tasks":
        test = "relabelled"
    if test == "relabelled" and over == "items":
        test = "paired" if same_items else "apart"
    if "x" in over:
        test = "paired" if tuple(one.tasks) == tuple(two.tasks) else "apart"
    known = {name: k for k, name in enumerate(_names(b))}
    names = [name for name in _names(a) if name in known]
    place = {name: k for k, name in enumerate(_names(a))}
    at = np.array([(place[n], known[n]) for n in names], np.int64).reshape(-1, 2)
    return Two(method, a, b, test, names, at)


def _only(design: Design, tasks: set[Hashable]) -> Design:
    keep = np.array([k for k, t in enumerate(design.tasks) if t in tasks], np.int64)
    return design if len(keep) == len(design.tasks) else design.some_tasks(keep)


def _names(figures: Figures) -> list[tuple[Hashable, ...]]:
    """What tells the figures apart, by name."""
    ids = {"judge": figures.design.judges, "system": figures.design.systems, "item": figures.design.items}
    columns = [[ids[n][k] for k in column.tolist()] for n, column in figures.keys.items()]
    return list(zip(*columns, strict=True)) if columns else [()] * len(figures.value)


Found = list[tuple[float, Interval | None, Null | None]]


def _by_task(both: Two, options: Options) -> Found:
    """Of means over tasks: the mean of the tasks' differences, and the test that flips their signs."""
    (names, first), (others, second) = both.one.table, both.two.table
    order = {t: k for k, t in enumerate(others)}
    shared = [k for k, t in enumerate(names) if t in order]
    same = [order[names[k]] for k in shared]
    tables, over = (first[shared], second), both.one.design.tasks_called
    inside = _reach(both.method)
    out: Found = []
    for k, (a, b) in enumerate(both.at.tolist()):
        values = np.stack([tables[0][:, a], tables[1][same, b]], axis=1)
        values = values[np.isfinite(values).all(axis=1)]
        if not len(values):
            out.append((math.nan, None, None))
            continue
        gap = values[:, 1] - values[:, 0]
        rng = stream(options.seed, "compare", both.method)
        means = _drawn_means(gap, options, rng)
        between = interval(float(gap.mean()), means, level=options.level, over=over, units=len(gap), range=inside)
        p = float(differences(values, stream(options.seed, "compare flips", both.method, k))[0, 1])
        out.append((float(gap.mean()), between, Null(0.0, p, 0) if len(gap) > 1 else None))
    return out


def _drawn_means(values: Array, options: Options, rng: np.random.Generator) -> Array:
    times = drawn(len(values), budget_of(options).draws(len(values)), rng)
    return np.asarray(times @ values / len(values))


def _reach(method: Method) -> tuple[float, float]:
    """What a difference lies between."""
    low, high = method.declaration.range
    return low - high, high - low


def _drawn(both: Two, options: Options) -> Found:
    """Of any figures: both resampled panels, together where their units are the same, and Student's t."""
    paired = both.test == "paired" or tuple(both.one.design.judges) == tuple(both.two.design.judges)
    other = options if paired else replace(options, seed=options.seed + 1)
    over, units_a, a = both.one.sample(options)
    _, units_b, b = both.two.sample(other)
    size = min(len(a), len(b))
    out: Found = []
    for x, y in both.at.tolist():
        values = np.array([both.one.value[x], both.two.value[y]], float)
        pairs = np.stack([a[:size, x], b[:size, y]], axis=1)
        units = np.array([units_a[x], units_b[y]])
        gap = float(values[1] - values[0])
        inside = _reach(both.method)
        between = interval(
            gap, pairs[:, 1] - pairs[:, 0], level=options.level, over=over, units=int(units.min()), range=inside
        )
        p = float(drawn_differences(values, pairs, units)[0, 1]) if size > 1 else math.nan
        out.append((gap, between, None if math.isnan(p) else Null(0.0, p, 0)))
    return out


def _tasks_relabelled(both: Two, options: Options) -> Sequence[Null | None] | None:
    """Tasks assigned to the two panels at random, of figures that are means over tasks; None of others."""
    if "task" not in both.one.seen.keys:
        return None
    tables = [f.table[1] for f in (both.one, both.two)]
    out: list[Null | None] = []
    for k, (a, b) in enumerate(both.at.tolist()):
        first, second = (t[np.isfinite(t[:, at]), at] for t, at in zip(tables, (a, b), strict=True))
        if min(len(first), len(second)) < 2:
            out.append(None)
            continue
        out.append(_permuted(np.concatenate([first, second]), len(first), options, both.method, k))
    return out


def _permuted(values: Array, size: int, options: Options, method: Method, k: int) -> Null | None:
    """How often so many values assigned to the first panel, the others to the second, are as far apart."""
    rng = stream(options.seed, "compare tasks", method, k)
    total, rest = float(values.sum()), len(values) - size
    seen = abs(float(values[size:].mean() - values[:size].mean()))

    def draw(number: int) -> Array:
        first = np.stack([rng.permutation(values)[:size].sum() for _ in range(number)])
        return np.abs((total - first) / rest - first / size)[:, None]

    return _two_sided(draw, seen, budget_of(options).nulls(len(values)))


def _judges_relabelled(both: Two, whole: Whole, options: Options) -> tuple[Sequence[Null | None], bool]:
    """Judges of the same items assigned to the two panels at random; those who are in both exchange their answers."""
    design, who = whole
    figures = Figures.of(both.method, design)
    member = np.array([who[judge][0] for judge in design.judges])
    names = [who[judge][1] for judge in design.judges]
    twins = _twins(member, names)
    swapped = 2 * len(twins) == len(names)
    rng = stream(options.seed, "compare judges", both.method)

    def members(number: int) -> Array:
        if swapped:
            out = np.tile(member, (number, 1))
            turn = rng.random((number, len(twins))) < 0.5
            for k, (i, j) in enumerate(twins):
                out[:, i], out[:, j] = turn[:, k], ~turn[:, k]
            return out
        return np.stack([rng.permutation(member) for _ in range(number)])

    def draw(number: int) -> Array:
        found = []
        for some in split(number, batch(figures.work("judges"))):
            second = members(some)
            values = [figures.drawn(Weights(some, own.astype(float)))[:, 0] for own in (1 - second, second)]
            found.append(np.abs(values[1] - values[0]))
        return np.concatenate(found)[:, None]

    a, b = both.at[0].tolist()
    seen = abs(float(both.two.value[b] - both.one.value[a]))
    return [_two_sided(draw, seen, budget_of(options).nulls(2 * figures.work("judges")))], swapped


def _twins(member: Array, names: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The rows of every judge who is in both panels."""
    place: dict[Hashable, dict[int, int]] = {}
    for k, (panel, name) in enumerate(zip(member.tolist(), names, strict=True)):
        place.setdefault(name, {})[panel] = k
    return [(of[0], of[1]) for of in place.values() if len(of) == 2]


def _two_sided(draw: Callable[[int], Array], seen: float, most: int) -> Null | None:
    """The null of an absolute difference, whose expectation under it is 0."""
    if most < 1 or math.isnan(seen):
        return None
    (found,) = sequential(draw, np.array([seen]), most)
    return None if found is None else replace(found, value=0.0)
