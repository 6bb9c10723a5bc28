"""Would another panel of such judges say the same? Split-half reliability, and how many judges it takes.

The consensus is the order by rank sums. If two panels of one judge each correlate r, two panels of k judges correlate
about k r / (1 + (k - 1) r): Spearman and Brown's formula, which also tells what more judges than there are would bring.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, stream
from quorate.inference.results import Options, Overall
from quorate.inference.student import quantile
from quorate.kernels.pair_means import mean_of_pairs, ratio
from quorate.kernels.rank_sums import rank_orders
from quorate.orderings.believed import Tasks, mean, over_tasks, trust_method
from quorate.orderings.discriminate import by_task, differences
from quorate.orderings.nested import Nested, quality
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.panel.base import many
from quorate.panel.stacks import Stack, together
from quorate.table import Method, choice, number, whole
from quorate.words.numbers import two

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"rho": rho, "tau": tau_b}
MEASURE = choice("the correlation of two consensus orders; tau is tau-b where there are ties", "rho", "tau")
CELLS = 1 << 21  # of [split, judge, item] arrays at a time
CASES = 40_000  # orders scored for ED against the number of judges, about
SPLITS = 100  # halves of the panel that tell how well one judge's order correlates with another's
PANELS = 20  # drawn for each number of judges where orders are scored
DRAWN = 200  # where they are only compared
MANY = 20  # judges whose orders are all scored, whatever the effort
LEAST = 0.001  # correlation of two judges at the low end of an interval: with less, any number of them is too few


def of_more(r: Any, times: Any) -> Any:
    """What two panels correlate that are so many times larger (Spearman and Brown).

    Below 0 the formula runs away; there it is mirrored, so that the result stays between -1 and 1.

    >>> of_more(0.5, 2), of_more(-0.5, 2)
    (0.6666666666666666, -0.6666666666666666)
    """
    return times * r / (1 + (times - 1) * abs(r))


def halves(part: Stack, measure: str, splits: int, seed: int) -> Array:
    """Correlation of the consensus orders of two random halves of the judges, ``[split, task]``."""
    return _apart(part, None, measure, splits, stream(seed, "split_half", int(part.tasks[0])))


def _apart(part: Stack, size: int | None, measure: str, draws: int, rng: np.random.Generator) -> Array:
    """Correlation of the consensus of two panels without a judge in common, of so many judges each or half of them."""
    tasks, judges, items = part.shape
    out = np.full((draws, tasks), np.nan)
    step = max(1, CELLS // max(draws * max(judges, items), 1))
    for a in range(0, tasks, step):
        panels = _two_panels(part.counts[a : a + step], size, draws, rng)
        orders = [rank_orders(part.positions[a : a + step], counts).reshape(-1, items) for counts in panels]
        values = MEASURES[measure].square(np.stack(orders, axis=1))[:, 0, 1]
        out[:, a : a + step] = values.reshape(draws, -1)
    return out


def _two_panels(counts: Array, size: int | None, draws: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Counts of two panels, ``[draw, task, judge]``; a task with too few judges gets none."""
    first, second = (np.zeros((draws, *counts.shape), np.int64) for _ in range(2))
    for t, row in enumerate(counts):
        half = int(row.sum()) // 2
        k = half if size is None else size
        if not 1 <= k <= half:
            continue
        both = rng.multivariate_hypergeometric(row, 2 * k, size=draws)
        first[:, t] = _some_of(both, k, rng)
        second[:, t] = both - first[:, t]
    return first, second


def _some_of(counts: Array, k: int, rng: np.random.Generator) -> Array:
    """k judges of each row of counts, drawn without putting back."""
    if int(counts.max(initial=0)) <= 1:  # no multiplicities: the k lowest of random numbers
        key = np.where(counts > 0, rng.random(counts.shape), 2.0)
        out = np.zeros(counts.shape, np.int64)
        np.put_along_axis(out, np.argsort(key, axis=1)[:, :k], 1, axis=1)
        return out
    return np.stack([rng.multivariate_hypergeometric(row, k) for row in counts])


@trust_method(
    "split_half",
    range=(-1, 1),
    higher="another panel of such judges would say the same",
    default=True,
    reference="Spearman 1910; Brown 1910",
    measure=MEASURE,
    splits=whole("how often the judges are split at random"),
)
def split_half(tasks: Tasks, options: Options, *, measure: str = "rho", splits: int = 100) -> Believed:
    """Reliability of the consensus by rank sums: correlation of two halves of the judges, stepped up to all of them."""
    tasks = replace(tasks, parts=tuple(together(tasks.parts)))
    half = tasks.each(lambda part: _defined_mean(halves(part, measure, splits, options.seed)))
    sizes = tasks.each(lambda part: part.counts.sum(axis=1))
    values = _stepped(half, sizes)
    rng = stream(options.seed, "split_half", measure)
    between = (
        over_tasks(values, rng, options, (-1, 1))
        if len(tasks) > 1
        else _jackknife(tasks.parts[0], measure, splits, options)
    )
    overall = Overall(mean(values), between, None, {"half": mean(half)})
    said = "" if math.isnan(overall.value) else _say_half(overall.value)
    details = {"half": half.tolist(), "judges": sizes.tolist()}
    return Believed({"task": tasks.named}, values.tolist(), [overall], details, (said,))


def _say_half(value: float) -> str:
    other = "The consensus of another panel of such judges"
    if two(value) == "0.00" or value < 0:
        return f"{other} would not be like this one's: it would correlate {two(value)}."
    return f"{other} would correlate {two(value)} with this one's."


def _stepped(half: Array, sizes: Array) -> Array:
    """From halves of n // 2 judges to all n of them."""
    return np.asarray(of_more(half, sizes / np.maximum(sizes // 2, 1)))


def _defined_mean(values: Array) -> Array:
    """The mean over the first axis of what is defined."""
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0).sum(axis=0), known.sum(axis=0))


def _jackknife(part: Stack, measure: str, splits: int, options: Options) -> Interval | None:
    """An interval from leaving out each judge in turn."""
    number = int(part.counts.sum())
    judges = part.shape[1]
    if number < 4 or judges > 200:
        return None
    left = np.repeat(part.counts, judges, axis=0)
    left[np.arange(judges), np.arange(judges)] -= 1
    wide = [np.repeat(x, judges, axis=0) for x in (part.tasks, part.judges, part.items, part.positions)]
    without = Stack(wide[0], wide[1], wide[2], wide[3], left)
    whole_value = float(_stepped(_defined_mean(halves(part, measure, splits, options.seed)), np.array([number]))[0])
    values = _stepped(_defined_mean(halves(without, measure, splits, options.seed)), left.sum(axis=1))
    weight = part.counts[0][np.isfinite(values)]
    values = values[np.isfinite(values)]
    if len(values) < 2 or math.isnan(whole_value):
        return None
    centre = np.average(values, weights=weight)
    error = math.sqrt((number - 1) / number * float((weight * (values - centre) ** 2).sum()))
    reach = quantile(options.level, number - 1) * error
    return Interval(max(whole_value - reach, -1.0), min(whole_value + reach, 1.0), options.level, "judges", judges)


# -- how many judges it takes -----------------------------------------------------------------------------------------


@trust_method(
    "judges_needed",
    range=(1, math.inf),
    higher="more judges are needed",
    default=True,
    reference="Spearman 1910; Brown 1910",
    target=number("correlation of two panels' consensus orders that is wanted", 0, 0.999, open_low=True),
    of=Nested("the quality method whose ED is shown beside it", every=False),
    measure=MEASURE,
)
def judges_needed(
    tasks: Tasks, options: Options, *, target: float = 0.9, of: str = "frespa", measure: str = "rho"
) -> Believed:
    """Judges it takes until another panel's consensus correlates as wanted; agreement, ED and stability by number."""
    m = quality(of)[0]
    tasks = replace(tasks, parts=tuple(together(tasks.parts)))
    single = tasks.each(lambda part: _of_one(part, measure, options))
    sizes = tasks.each(lambda part: part.counts.sum(axis=1))
    cases = int(CASES * options.effort)
    some = tasks.some(max(cases // max(int(sizes.mean() ** 2) * PANELS, 1), 2), stream(options.seed, "needed", "tasks"))
    some, fewer = some.fewer("judges_needed", options)
    largest = max(int(p.counts.sum(axis=1).max()) for p in some.parts)
    r = mean(single)
    needed = wanted(r, target)
    keys: dict[str, list[Any]] = {"judges": []}
    values: list[float] = []
    details: dict[str, list[Any]] = {"observed": [], "agreement": [], "ed": [], "tasks": []}
    for k in numbers(largest):
        options.tell("judges needed", k, largest)
        row = _panels_of(some, k, m, measure, options)
        keys["judges"].append(k)
        values.append(float(of_more(r, k)) if not math.isnan(r) else math.nan)
        for name, value in row.items():
            details[name].append(value)
    overall = Overall(needed, _needed_interval(single, target, options), None, {"target": target, "one_judge": r})
    notes = [f"judges_needed: ED and agreement on {len(some)} of {len(tasks)} tasks"] if len(some) < len(tasks) else []
    notes += fewer
    if _splits(options) < SPLITS:
        few = f"judges_needed: the panel is halved {_splits(options)} times instead of {SPLITS}"
        orders = ", and ED is that of some judges' orders where there are many" if largest > MANY else ""
        notes.append(f"{few}{orders} to keep the page quick; `--effort 1` takes all")
    return Believed(keys, values, [overall], details, (_say_needed(overall, target, sizes),), tuple(notes))


def _splits(options: Options) -> int:
    """How often the panel is halved."""
    return max(int(SPLITS * options.effort), 25)


def _of_one(part: Stack, measure: str, options: Options) -> Array:
    """What two panels of one judge each would correlate, from what halves of the panel do."""
    half = _defined_mean(halves(part, measure, _splits(options), options.seed))
    size = np.maximum(part.counts.sum(axis=1) // 2, 1)
    return np.asarray(half / (size - (size - 1) * np.abs(half)))


def wanted(r: float, target: float) -> float:
    """How many judges bring two panels to the target, if one judge each correlates r; NaN when none can.

    >>> wanted(0.5, 0.9), wanted(1.0, 0.9)
    (9, 1)
    """
    if math.isnan(r) or r <= 0:
        return math.nan
    return max(math.ceil(target * (1 - r) / (r * (1 - target)) - 1e-9), 1)


def numbers(most: int) -> list[int]:
    """Some numbers of judges from 2 on, close at first, then in larger steps."""
    out, k = [], 2
    while k < most:
        out.append(k)
        k = max(k + 1, round(k * 1.4))
    return [*out, most] if most >= 2 else out


def _panels_of(tasks: Tasks, k: int, m: Method, measure: str, options: Options) -> dict[str, Any]:
    """Panels of k judges drawn from the judges there are: stability as observed, agreement, ED, tasks with so many."""
    observed, agreement, ed = ([] for _ in range(3))
    for part in tasks.parts:
        enough = part.counts.sum(axis=1) >= k
        if not enough.any():
            continue
        rng = stream(options.seed, "needed", int(part.tasks[0]), k)
        mine = Stack(*(x[enough] for x in (part.tasks, part.judges, part.items, part.positions, part.counts)))
        observed.append(_defined_mean(_apart(mine, k, measure, DRAWN, rng)))
        counts = np.stack([rng.multivariate_hypergeometric(row, k, size=DRAWN) for row in mine.counts])
        alike = mean_of_pairs(tau_b.square(mine.positions), counts.transpose(1, 0, 2), counted=True)
        agreement.append(_defined_mean(alike))
        ed.append(_defined_mean(_ed(mine.positions, counts[:, : min(PANELS, max(4000 // k, 2))], m, options).T))
    told = {"observed": observed, "agreement": agreement, "ed": ed}
    found = {name: mean(np.concatenate(parts)) if parts else math.nan for name, parts in told.items()}
    return {**found, "tasks": sum(map(len, ed))}


def _ed(positions: Array, counts: Array, m: Method, options: Options) -> Array:
    """ED of the panels drawn, ``[task, draw]``; only the rows drawn are handed on."""
    tasks, draws, _ = counts.shape
    rows = np.argsort(counts == 0, axis=2, kind="stable")[:, :, : int((counts > 0).sum(axis=2).max())]
    few = np.take_along_axis(counts, rows, axis=2).reshape(tasks * draws, -1)
    drawn = positions[np.arange(tasks)[:, None, None], rows].reshape(*few.shape, -1)
    found = differences(drawn, few, m, options.seed, effort=options.effort)
    return by_task(found, few).reshape(tasks, draws)


def _needed_interval(single: Array, target: float, options: Options) -> Interval | None:
    known = single[np.isfinite(single)]
    if len(known) < 2:
        return None
    of_one = over_tasks(known, stream(options.seed, "needed", target), options, (-1, 1))
    if of_one is None or known.mean() <= 0:
        return None
    low, high = (wanted(max(r, LEAST), target) for r in (of_one.high, of_one.low))
    return Interval(low, high, of_one.level, of_one.by, of_one.resamples)


def _say_needed(overall: Overall, target: float, sizes: Array) -> str:
    if sizes.max() < 2:
        return "How many judges it takes cannot be told from one: at least two are needed on a task."
    if math.isnan(overall.labels["one_judge"]):
        return "How many judges it takes cannot be told: no two judges have orders, not all tied, of the same items."
    if math.isnan(overall.value):
        return f"No number of such judges brings the consensus to {target:g}: their orders do not go together."
    there = f"{int(sizes.min())} to {int(sizes.max())}" if sizes.min() < sizes.max() else f"{int(sizes.max())}"
    return f"For a correlation of {target:g} it takes about {many(int(overall.value), 'judge')}; there are {there}."
