"""Which consensus predicts best what a judge says who had no part in it? Consensus methods on judges left out.

Every judge is left out in turn, the consensus of the others is made by each method, and tau-b with the judge's own
ranking says how near it comes: rank sums, Kemeny, patterns and models side by side, without a known truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.kernels import rank_correlation
from quorate.orderings.discriminativeness import Differences
from quorate.orderings.method_parameters import NestedAny, as_absent
from quorate.panel.design import Trusted
from quorate.panel.stacks import OrderingDesign, Stack
from quorate.table import Method, Note, Value, method

if TYPE_CHECKING:
    from quorate.inference.core import Core
    from quorate.inference.estimate import Interval

Array = NDArray[Any]
ALL = ("rank_sum", "copeland", "kemeny", "supported_order", "elastic", "pattern_model")
COST = 40.0  # looks of all judges at all pairs of items that one consensus takes, about
FEWEST, JUDGES = 5, 30  # tasks, however long they take, and judges of a task that are left out at most


@dataclass(frozen=True, slots=True)
class Consensus(NestedAny):
    """A consensus method by its text form, or ``all`` of those that are usually compared."""

    def check(self, value: Any) -> Value:
        """The method's own text form, else an error with a hint."""
        return "all" if value == "all" else str(table.as_method(value, "orderings", "consensus"))

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is a consensus method, as `quorate table` lists them, or all: {', '.join(ALL)}."


@method(
    "orderings",
    "trust",
    "held_out",
    range=(-1.0, 1.0),
    higher="nearer to judges who had no part in the consensus",
    parameters={"of": Consensus("the consensus method, or all that are usually compared")},
    relabelling=True,
    cost=lambda judges, items: COST * judges * len(ALL),
    note=Note(
        "Choosing among consensus methods on your own panel: which predicts a judge best who had no part in it?",
        "It rewards what the next judge would say, not what is true: where most judges err alike, so does the winner.",
        "mean over judges of tau-b of the judge's ranking and the consensus of the others",
    ),
)
def held_out(design: OrderingDesign, core: Core, *, of: str = "all") -> Trusted:
    """How near the consensus of the other judges comes to a judge who is left out, by each method."""
    over = core.over(design, "tasks", "judges", usual=design.over)
    names = ALL if of == "all" else (of,)
    methods = [as_absent(table.parse(name, "orderings", "consensus"), design) for name in names]
    work = COST * len(methods) * sum(p.shape[0] * p.shape[1] ** 2 * p.shape[2] ** 2 for p in design.parts)
    some = core.some_tasks(design, max(core.budget.tasks(work / len(design.tasks)), FEWEST), "held_out")
    each = []
    for done, m in enumerate(methods):
        core.tell("held_out", done, len(methods))
        each.append([(p, left_out(p, m, core)) for p in some.parts])
    means = [Differences(found).by_task for found in each]
    values = [float(np.nanmean(v)) if np.isfinite(v).any() else math.nan for v in means]
    best = int(np.nanargmax(values)) if np.isfinite(values).any() else 0
    found = []
    for k, m in enumerate(methods):
        behind = _interval(core, over, means[k] - means[best], _less(each[k], each[best]), (-2.0, 2.0), "behind", m)
        labels: dict[str, Any] = {"of": str(m), "behind": values[k] - values[best] if len(methods) > 1 else None}
        labels["behind_interval"] = behind.ends if behind and k != best else None
        between = _interval(core, over, means[k], each[k], (-1.0, 1.0), m)
        found.append(core.figure(values[k], labels, between))
    keys: dict[str, list[Any]] = {"task": list(some.tasks) * len(methods)}
    keys["of"] = [str(m) for m in methods for _ in some.tasks]
    notes: tuple[str, ...] = ()
    if len(some.tasks) < len(design.tasks):
        notes = (f"held_out: on {len(some.tasks):,} of {len(design.tasks):,} tasks, drawn at random",)
    return Trusted(keys, [float(v) for values in means for v in values], found, notes=notes)


def left_out(part: Stack, m: Method, core: Core) -> Array:
    """Tau-b of each judge's ranking with the consensus of the others, ``[task, judge]``; NaN where it is undefined."""
    tasks, judges, items = part.shape
    out = np.full((tasks, judges), math.nan)
    for t in range(tasks):
        who = np.flatnonzero(part.counts[t] > 0)
        if part.counts[t].sum() < 2:
            continue
        who = who[core.sample(len(who), JUDGES, "held_out", int(part.tasks[t]))]
        left = np.repeat(part.counts[t : t + 1], len(who), axis=0)
        left[np.arange(len(who)), who] -= 1
        same = np.broadcast_to(part.positions[t], (len(who), judges, items))
        agreed = np.stack([a.array for a in m(same, left, brief=True)])
        two = np.stack([part.positions[t, who], agreed], axis=1)
        out[t, who] = rank_correlation.tau_b(two)[:, 0, 1]
    return out


def _less(one: list[tuple[Stack, Array]], other: list[tuple[Stack, Array]]) -> list[tuple[Stack, Array]]:
    return [(p, a - b) for (p, a), (_, b) in zip(one, other, strict=True)]


def _interval(
    core: Core,
    over: str,
    by_task: Array,
    each: list[tuple[Stack, Array]],
    range: tuple[float, float],
    *names: object,
) -> Interval | None:
    """Over the tasks, or of one task over the judges.

    A judge counts twice, by the own ranking and in the consensus of the others: what drawing judges changes in the mean
    over those left out is taken twice, as in ED. The true mean was then held 94 to 100 times in 100.
    """
    if over == "tasks":
        return core.mean(by_task, "held_out", *names, range=range).interval
    judges = np.concatenate([np.repeat(v[~np.isnan(v)], p.counts[~np.isnan(v)]) for p, v in each])
    if len(judges) < 3:
        return None
    mean = float(judges.mean())
    drawn = core.drawn(len(judges), 1.0, "held_out", *names) @ judges / len(judges)
    return core.interval(mean, mean + 2 * (drawn - mean), "judges", len(judges), range)
