"""Would another panel of such judges say the same? Split-half reliability, and how many judges it takes.

The consensus is the order by rank sums. If two panels of one judge each correlate r, two panels of k judges correlate
about k r / (1 + (k - 1) r): Spearman and Brown's formula, which also tells what more judges than there are would bring.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pair_means import mean_of_pairs, ratio
from quorate.kernels.rank_sums import rank_orders
from quorate.orderings.discriminate import by_task, differences, fewer_judges, tried
from quorate.orderings.nested import Nested, quality
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.table import Method, Note, choice, method, number, whole

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Estimate, Interval

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"rho": rho, "tau": tau_b}
MEASURE = choice("the correlation of two consensus orders; tau is tau-b where there are ties", "rho", "tau")
CELLS = 1 << 21  # of [split, judge, item] arrays at a time
SPLITS = 100  # halves of the panel that tell how well one judge's order correlates with another's
PANELS = 20  # drawn for each number of judges where orders are scored
CASE = 7500  # numbers looked at to score one order there, about
DRAWN = 200  # panels where orders are only compared
LEAST = 0.001  # correlation of two judges at the low end of an interval: with less, any number of them is too few
JUDGES = 200  # left out in turn at most


def of_more(r: Any, times: Any) -> Any:
    """What two panels correlate that are so many times larger (Spearman and Brown).

    Below 0 the formula runs away; there it is mirrored, so that the result stays between -1 and 1.

    >>> of_more(0.5, 2), of_more(-0.5, 2)
    (0.6666666666666666, -0.6666666666666666)
    """
    return times * r / (1 + (times - 1) * abs(r))


def of_one(half: Array, judges: Array) -> Array:
    """What two panels of one judge each would correlate, from what halves of so many judges do."""
    size = np.maximum(judges // 2, 1)
    return np.asarray(half / (size - (size - 1) * np.abs(half)))


def wanted(r: float, target: float) -> float:
    """How many judges bring two panels to the target, if one judge each correlates r; NaN when none can.

    >>> wanted(0.5, 0.9), wanted(1.0, 0.9)
    (9, 1)
    """
    if math.isnan(r) or r <= 0:
        return math.nan
    return max(math.ceil(target * (1 - r) / (r * (1 - target)) - 1e-9), 1)


def two_panels(part: Stack, measure: str, draws: int, core: Core, k: int | None = None) -> Array:
    """Mean correlation of the consensus of two panels of k judges each, or of half of them, ``[task]``.

    The panels have no judge in common; NaN where there are too few judges for them.
    """
    tasks, judges, items = part.shape
    out = np.full((draws, tasks), np.nan)
    rng = core.stream("two panels", judges, items, k)
    step = max(1, CELLS // max(draws * max(judges, items), 1))
    for a in range(0, tasks, step):
        counts = part.counts[a : a + step]
        panels = np.zeros((2, draws, *counts.shape))
        for t, row in enumerate(counts):
            if int(row.sum()) // 2 >= (k or 1):
                panels[:, :, t] = core.halves(row, draws, rng, k)
        orders = [rank_orders(part.positions[a : a + step], panel).reshape(-1, items) for panel in panels]
        out[:, a : a + step] = MEASURES[measure].square(np.stack(orders, axis=1))[:, 0, 1].reshape(draws, -1)
    return _defined_mean(out)


def _defined_mean(values: Array) -> Array:
    """The mean over the first axis of what is defined."""
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0).sum(axis=0), known.sum(axis=0))


# -- split halves -----------------------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "split_half",
    range=(-1, 1),
    higher="another panel of such judges would say the same",
    default=True,
    reference="Spearman 1910; Brown 1910",
    parameters={"measure": MEASURE, "splits": whole("how often the judges are split at random")},
    relabelling=True,
    cost=lambda judges, items: float(SPLITS),
    note=Note(
        "Reliability of the consensus in one number, as psychologists report it.",
        "Stepping up assumes that judges are exchangeable; two camps split unevenly are not.",
        "2 r / (1 + r), r = mean correlation of the consensus orders of two random halves; an odd judge is left out "
        "of a split, and N / floor(N / 2) takes the place of 2",
    ),
)
def split_half(design: OrderingDesign, core: Core, *, measure: str = "rho", splits: int = SPLITS) -> Trusted:
    """Reliability of the consensus by rank sums: correlation of two halves of the judges, stepped up to all of them."""
    half = design.joined.each_task(lambda part: two_panels(part, measure, splits, core))
    sizes = design.judges_of_task
    values = _stepped(half, sizes)
    labels = {"half": float(core.brief.mean(half).value)}
    found = core.mean(values, "split_half", measure, range=(-1.0, 1.0), labels=labels)
    if len(values) == 1:
        between = _jackknife(float(values[0]), design.parts[0], measure, splits, core)
        found = core.figure(float(values[0]), labels, between)
    details = {"half": half.tolist(), "judges": sizes.tolist()}
    return Trusted({"task": design.tasks}, values.tolist(), [found], details)


def _stepped(half: Array, sizes: Array) -> Array:
    """From halves of n // 2 judges to all n of them."""
    return np.asarray(of_more(half, sizes / np.maximum(sizes // 2, 1)))


def _jackknife(value: float, part: Stack, measure: str, splits: int, core: Core) -> Interval | None:
    """An interval from leaving out each judge in turn."""
    judges, size = part.shape[1], int(part.counts.sum())
    if size < 4 or judges > JUDGES or not core.options.resamples:
        return None
    left = np.repeat(part.counts, judges, axis=0) - np.eye(judges, dtype=part.counts.dtype)
    without = replace(part.only(np.zeros(judges, np.int64)), counts=left)
    values = _stepped(two_panels(without, measure, splits, core), left.sum(axis=1))
    return core.jackknife(value, values, part.counts[0], "judges", (-1.0, 1.0))


# -- how many judges it takes -----------------------------------------------------------------------------------------


@method(
    "orderings",
    "trust",
    "judges_needed",
    range=(1, math.inf),
    higher="more judges are needed",
    default=True,
    reference="Spearman 1910; Brown 1910",
    parameters={
        "target": number("correlation of two panels' consensus orders that is wanted", 0, 0.999, open_low=True),
        "of": Nested("the quality method whose ED is shown beside it", every=False),
        "measure": MEASURE,
    },
    relabelling=True,
    cost=lambda judges, items: 100.0 * judges,
    note=Note(
        "Planning: how many judges until another panel would say the same?",
        "An extrapolation from the judges at hand: with few of them the number is rough.",
        "Spearman-Brown: k = target (1 - r) / (r (1 - target)), r the reliability of one judge",
    ),
)
def judges_needed(
    design: OrderingDesign, core: Core, *, target: float = 0.9, of: str = "frespa", measure: str = "rho"
) -> Trusted:
    """Judges it takes until another panel's consensus correlates as wanted; agreement, ED and stability by number."""
    design, m = design.joined, quality(of)[0]
    sizes = design.judges_of_task
    half = design.each_task(lambda part: two_panels(part, measure, SPLITS, core))
    single = core.mean(of_one(half, sizes), "needed", measure, range=(-1.0, 1.0))
    r = float(single.value)
    most = max(core.budget.tasks(CASE * PANELS * int(sizes.mean() ** 2)), 2)
    some, notes = fewer_judges(core.some_tasks(design, most, "needed"), "judges_needed", core)
    if len(some.tasks) < len(design.tasks):
        notes = (f"judges_needed: ED and agreement on {len(some.tasks)} of {len(design.tasks)} tasks", *notes)
    largest = int(some.judges_of_task.max())
    rows = []
    for k in numbers(largest):
        core.tell("judges needed", k, largest)
        rows.append(_panels_of(some, k, m, measure, core))
    details = {name: [row[name] for row in rows] for name in ("observed", "agreement", "ed", "tasks")}
    labels = {"target": target, "one_judge": r}
    found = core.figure(wanted(r, target), labels, _needed(single, target))
    keys = {"judges": numbers(largest)}
    return Trusted(keys, [float(of_more(r, k)) for k in keys["judges"]], [found], details, notes)


def _needed(single: Estimate, target: float) -> Interval | None:
    """The interval of one judge's correlation as one of how many judges it takes."""
    between = single.interval
    if between is None or single.value <= 0:
        return None
    low, high = (wanted(max(r, LEAST), target) for r in (between.high, between.low))
    return replace(between, low=low, high=high)


def numbers(most: int) -> list[int]:
    """Some numbers of judges from 2 on, close at first, then in larger steps."""
    out, k = [], 2
    while k < most:
        out.append(k)
        k = max(k + 1, round(k * 1.4))
    return [*out, most] if most >= 2 else out


def _panels_of(design: OrderingDesign, k: int, m: Method, measure: str, core: Core) -> dict[str, Any]:
    """Panels of k judges drawn from the judges there are: stability as observed, agreement, ED, tasks with so many."""
    told: dict[str, list[Array]] = {"observed": [], "agreement": [], "ed": []}
    rng = core.stream("needed", k)
    for part in design.parts:
        mine = part.only(part.counts.sum(axis=1) >= k)
        if len(mine.tasks):
            shape = (DRAWN, mine.shape[1])
            counts = np.stack([core.some_of(np.broadcast_to(row, shape), k, rng) for row in mine.counts], axis=1)
            alike = mean_of_pairs(tau_b.square(mine.positions), counts, counted=True)
            told["observed"].append(two_panels(mine, measure, DRAWN, core, k))
            told["agreement"].append(_defined_mean(alike))
            told["ed"].append(_defined_mean(_ed(mine.positions, counts[: min(PANELS, max(4000 // k, 2))], m, core)))
    found = {n: float(core.brief.mean(np.concatenate(parts)).value) if parts else math.nan for n, parts in told.items()}
    return {**found, "tasks": sum(map(len, told["ed"]))}


def _ed(positions: Array, counts: Array, m: Method, core: Core) -> Array:
    """ED of the panels drawn, ``[draw, task]``; only the rows drawn are handed on."""
    draws, tasks, _ = counts.shape
    rows = np.argsort(counts == 0, axis=2, kind="stable")[:, :, : int((counts > 0).sum(axis=2).max())]
    few = np.take_along_axis(counts, rows, axis=2).reshape(draws * tasks, -1).astype(np.int64)
    drawn = positions[np.arange(tasks)[:, None], rows].reshape(*few.shape, -1)
    found = differences(drawn, few, m, core.options.seed, partial(tried, core))
    return by_task(found, few).reshape(draws, tasks)
