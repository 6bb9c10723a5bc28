"""How sure is any figure of a panel? The trust method `bootstrap`: the same method on panels drawn anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.inference.believed import Believed
from quorate.inference.resample import Interval, centred, stream
from quorate.inference.results import Options, Overall
from quorate.orderings import redrawn
from quorate.orderings.believed import Tasks, mean, over_tasks, trust_method
from quorate.orderings.frespa import affordable_panels
from quorate.orderings.nested import NestedAny, anything
from quorate.orderings.redrawn import Figures, Orders
from quorate.orderings.scored import limits
from quorate.table import Method, choice, whole

Array = NDArray[Any]
WORK = 2 * 10**9  # judge x item-pair comparisons, about
FEWEST, FEWEST_SLOW = 50, 20  # panels that an interval needs, and where each takes its time
SLOW = 200  # panels at most, where each takes its time
SLOWEST = {"noise": 50, "sweep": 20, "judges_needed": 50, "tune": 20}  # and where each takes more
OF_ONE = ("discriminativeness", "tune")  # whose figures are 1 at most, but for negative weights
SLOW_TASKS = 20_000  # panels over all tasks at most there


@trust_method(
    "bootstrap",
    range=(-math.inf, math.inf),
    higher="whatever it means for the method",
    relabelling=False,  # which judges are drawn depends on their order
    of=NestedAny("the method in question, of any of the five questions", but="bootstrap", shown=True),
    over=choice("what is drawn anew: judges, or tasks", "judges", "tasks"),
    resamples=whole("panels drawn; none: as many as --resamples says and time allows", 2, optional=True),
)
def bootstrap(
    tasks: Tasks, options: Options, *, of: str = "kendall_w", over: str = "judges", resamples: int | None = None
) -> Believed:
    """Any method on panels whose judges or tasks are drawn anew: where its figures lie, how often the first stays."""
    m = anything(of)
    question = m.declaration.question
    if over == "tasks" and len(tasks) < 2:
        raise BadParameter("over=tasks needs several tasks, the panel has one.", "write over=judges.")
    if over == "tasks" and question == "consensus":
        raise BadParameter("a task's consensus does not depend on the other tasks.", "write over=judges.")
    number = resamples or _affordable(tasks, m, options)
    rng = stream(options.seed, "bootstrap", m, over)
    found = _ASKED[question](tasks, m, over, number, rng, options)
    notes = list(found.notes)
    if number < options.resamples and not resamples:
        notes.append(f"bootstrap({m}): {number} panels are drawn, not {options.resamples}, to save time")
    return replace(found, notes=tuple(notes))


def _affordable(tasks: Tasks, m: Method, options: Options) -> int:
    """How many panels to draw."""
    slow = m.declaration.question == "trust" or bool(m.declaration.properties.get("slow"))
    each = sum(p.shape[0] * p.shape[1] * p.shape[2] ** 2 for p in tasks.parts)
    number = min(options.resamples, WORK // max(each, 1))
    fewest = FEWEST
    if m.declaration.question == "quality" and m.declaration.properties.get("copies"):  # patterns of every panel anew
        number = min(number, 5 * SLOW_TASKS // len(tasks), *(affordable_panels(number, *p.shape) for p in tasks.parts))
    if slow:
        large = max(p.shape[2] for p in tasks.parts) / 20
        number = min(number, SLOWEST.get(m.name, SLOW), int(SLOW_TASKS / (len(tasks) * max(1.0, large**2))))
        fewest = FEWEST_SLOW
    return max(number, min(fewest, options.resamples), 2)


def _between(value: float, drawn: Array, m: Method, units: int, over: str, options: Options) -> Interval | None:
    """As in the answers themselves: around the value, since judges drawn twice agree with themselves, and widened."""
    low, high = limits(m)
    if m.name in OF_ONE:
        high = max(1.0, value)
    log = low >= 0 and high == math.inf and over == "judges"  # numbers of patterns, or of judges
    return centred(value, drawn, options.level, over, units, (low, high), log=log)


def _units(tasks: Tasks, m: Method, over: str) -> int:
    """How many were drawn from: tasks, judges, or for a figure of one judge the others."""
    if over == "tasks":
        return len(tasks)
    judges = int(tasks.parts[0].counts.sum()) if len(tasks) == 1 else len(tasks.panel.judges)
    return judges - 1 if m.declaration.question == "judges" else judges


def _enough(tasks: Tasks, over: str) -> bool:
    """Whether there is something to draw from."""
    return over == "tasks" or max(int(p.counts.sum(axis=1).max()) for p in tasks.parts) > 2


def _intervals(tasks: Tasks, f: Figures, m: Method, over: str, options: Options) -> list[Interval | None]:
    if not _enough(tasks, over):
        return [None] * len(f.values)
    columns = zip(f.values.tolist(), f.drawn.reshape(len(f.drawn), -1).T, strict=True)
    units = _units(tasks, m, over)
    return [None if math.isnan(value) else _between(value, drawn, m, units, over, options) for value, drawn in columns]


def _ends(found: Interval | None) -> list[float] | None:
    return [found.low, found.high] if found else None


def _few(tasks: Tasks, over: str, f: Figures | None = None) -> tuple[str, ...]:
    notes = []
    if not _enough(tasks, over):
        notes.append("bootstrap: with fewer than three judges there is nothing to draw from")
    if f is not None and f.copies and over == "judges":
        notes.append("bootstrap: a judge drawn twice agrees with himself; the interval is moved to make up for it")
    return tuple(notes)


def _said(m: Method, value: float, interval: Interval | None, over: str, number: int) -> str:
    if math.isnan(value):
        return f"{m} is undefined here."
    if interval is None:
        return f"{m} is {_short(value)}; how far it would move cannot be told."
    return (
        f"{m} is {_short(value)}; with other {over} like these it would lie between {_short(interval.low)} and "
        f"{_short(interval.high)} ({interval.level:.0%}, {number} panels drawn)."
    )


def _short(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.4g}"


# -- one question each -------------------------------------------------------------------------------------------------


def _agreement(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options) -> Believed:
    whole, each = redrawn.of_agreement(tasks, m, over, number, rng)
    whole = replace(whole, drawn=whole.drawn[:, None])
    interval = _intervals(tasks, whole, m, over, options)[0]
    value = float(whole.values[0])
    labels = {"of": str(m), "over": over, "resamples": number}
    inside = [_ends(i) for i in _intervals(tasks, each, m, over, options)] if over == "judges" else [None] * len(tasks)
    return Believed(
        {"task": each.names["task"]},
        each.values.tolist(),
        [Overall(value, interval, None, labels)],
        {"interval": inside},
        (_said(m, value, interval, over, number),),
        _few(tasks, over, whole),
    )


def _each(
    tasks: Tasks, m: Method, over: str, number: int, f: Figures, options: Options, first: str, best: bool
) -> Believed:
    """A figure for each judge or system, in order, with how often it is the lowest or the best."""
    (kind, names), *_ = f.names.items()
    intervals = _intervals(tasks, f, m, over, options)
    sign = -1.0 if best else 1.0
    key = np.where(np.isfinite(f.drawn), sign * f.drawn, np.inf)
    least = key.min(axis=1, keepdims=True)
    share = ((key <= least + 1e-12) & np.isfinite(least)).mean(axis=0)
    order = np.argsort(np.where(np.isfinite(f.values), sign * f.values, np.inf), kind="stable").tolist()
    overall = [
        Overall(
            float(f.values[k]),
            intervals[k],
            None,
            {"of": str(m), kind: names[k], "over": over, "resamples": number, first: float(share[k])},
        )
        for k in order
    ]
    top = overall[0]
    said = f"{m} is undefined here."
    if not math.isnan(top.value):
        what = f"{kind.capitalize()} {top.labels[kind]} has the {'highest' if best else 'lowest'} {m}, {top.value:.2f}"
        said = f"{what}, and keeps that place in {share[order[0]]:.0%} of {number} panels of {over} drawn anew."
    details = {"interval": [_ends(o.interval) for o in overall], first: [o.labels[first] for o in overall]}
    values = [o.value for o in overall]
    return Believed({kind: [names[k] for k in order]}, values, overall, details, (said,), _few(tasks, over, f))


def _judges(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options) -> Believed:
    f = redrawn.of_judges(tasks, m, over, number, rng)
    return _each(tasks, m, over, number, f, options, "lowest", best=False)


def _quality(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options) -> Believed:
    f = redrawn.of_quality(tasks, m, over, number, rng, options.seed)
    return _each(tasks, m, over, number, f, options, "first", best=True)


def _trust(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options) -> Believed:
    f, picked = redrawn.of_trust(tasks, m, over, number, rng, options)
    overall = []
    for figure, value, interval in zip(
        f.names["figure"], f.values.tolist(), _intervals(tasks, f, m, over, options), strict=True
    ):
        labels: dict[str, Any] = {"of": str(m), "figure": figure, "over": over, "resamples": number}
        if picked:
            labels["best"], labels["stays"] = picked[0], picked[1:].count(picked[0]) / max(len(picked) - 1, 1)
        whole_number = m.name == "judges_needed" and math.isfinite(value)
        overall.append(Overall(int(value) if whole_number else value, interval, None, labels))
    known = [o for o in overall if not math.isnan(o.value)] or overall
    top = known[0] if len(known) == 1 else max(known, key=lambda o: o.value)
    said = _said(m, top.value, top.interval, over, number)
    if len(overall) > 1:
        said = said.replace(str(m), f"{m} of {top.labels['figure']}", 1)
    undefined = int((~np.isfinite(f.drawn)).any(axis=1).sum())
    notes = (f"bootstrap({m}): undefined on {undefined} of {number} panels drawn",) if undefined else ()
    details = {"interval": [_ends(o.interval) for o in overall]}
    return Believed(
        {"figure": f.names["figure"]}, f.values.tolist(), overall, details, (said,), (*_few(tasks, over, f), *notes)
    )


# -- consensus ---------------------------------------------------------------------------------------------------------


def _consensus(tasks: Tasks, m: Method, over: str, number: int, rng: np.random.Generator, options: Options) -> Believed:
    found = redrawn.of_consensus(tasks, m, number, rng, options)
    keys: dict[str, list[Any]] = {"task": [], "item": []}
    details: dict[str, list[Any]] = {"interval": [], "first": []}
    values: list[float] = []
    sure = _enough(tasks, over)
    for o in found:
        low, high = (
            np.quantile(
                o.drawn_ranks, [(1 - options.level) / 2, (1 + options.level) / 2], axis=0, method="inverted_cdf"
            )
            if sure and len(o.drawn)
            else np.full((2, len(o.items)), np.nan)
        )
        first = (o.drawn == 1).mean(axis=0) if sure and len(o.drawn) else np.full(len(o.items), np.nan)
        for i in np.argsort(o.positions, kind="stable").tolist():
            keys["task"].append(o.task)
            keys["item"].append(o.items[i])
            values.append(float(o.ranks[i]))
            details["interval"].append(None if math.isnan(low[i]) else [float(low[i]), float(high[i])])
            details["first"].append(float(first[i]))
    stay = {name: np.array([share(o) if sure else math.nan for o in found]) for name, share in _STAYS.items()}
    overall = [
        Overall(
            mean(shares),
            over_tasks(shares, stream(options.seed, "bootstrap", m, name), options, (0, 1)),
            None,
            {"of": str(m), "figure": name, "over": over, "resamples": number},
        )
        for name, shares in stay.items()
    ]
    return Believed(keys, values, overall, details, (_say_order(m, found, overall, number),), _few(tasks, over))


def _top(o: Orders) -> float:
    """The share of panels in which all that is first is still first."""
    return float((o.drawn[:, o.positions == 1] == 1).all(axis=1).mean()) if len(o.drawn) else math.nan


def _two(o: Orders) -> float:
    """The share in which what is first still comes before what is second; undefined where all is tied."""
    first, second = o.drawn[:, o.positions == 1], o.drawn[:, o.positions == 2]
    if not second.shape[1] or not len(o.drawn):
        return math.nan
    return float((first.max(axis=1) < second.min(axis=1)).mean())


def _all(o: Orders) -> float:
    """The share in which the whole order is the same, ties included."""
    return float((o.drawn == o.positions).all(axis=1).mean()) if len(o.drawn) else math.nan


_STAYS: dict[str, Callable[[Orders], float]] = {"top stays": _top, "top two in order": _two, "order stays": _all}


def _say_order(m: Method, found: Sequence[Orders], overall: Sequence[Overall], number: int) -> str:
    top, two = overall[0].value, overall[1].value
    if math.isnan(top):
        return f"How far the consensus by {m} would move cannot be told."
    anew = f"of {number} panels of judges drawn anew"
    if len(found) > 1:
        before = f", and it stays before the second in {two:.0%}" if not math.isnan(two) else ""
        return f"By {m}, what is first on a task stays first in {top:.0%} {anew}{before}, on average over tasks."
    o = found[0]
    first, second = ([str(o.items[i]) for i in np.flatnonzero(o.positions == k).tolist()] for k in (1, 2))
    before = f", and before {_listed(second)} in {two:.0%}" if second else ""
    stays = "stays" if len(first) == 1 else "stay"
    return f"By {m}, {_listed(first)} {stays} first in {top:.0%} {anew}{before}."


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:3]) + ([f"{len(names) - 3} others"] if len(names) > 3 else [])
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


_ASKED: dict[str, Callable[..., Believed]] = {
    "agreement": _agreement,
    "judges": _judges,
    "consensus": _consensus,
    "quality": _quality,
    "trust": _trust,
}
