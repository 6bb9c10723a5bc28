"""What a consensus method computes, and what all of them share: absent items, weights of judges, outliers.

``missing`` says what an absent item means: ``unknown`` (the judge said nothing of it) or ``below`` (the judge put it
below all that were ranked, tied with the other absent ones). ``weights`` says what a judge counts: ``uniform``, or
``agreement``: the mean tau-b with the other judges, negative ones as 0 (WCA of the FreSPA paper). ``outliers=drop``
leaves out the judges whom ``support_outliers`` flags by default: they share far less of what most share than the mean;
``outliers=support_outliers(q=0.67; eps2=0.5)`` has bounds of its own.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.kernels import majority
from quorate.kernels.pair_means import mean_with_others
from quorate.orderings.additive_counts import Counts, sums
from quorate.orderings.agreement_weights import agreement_weights
from quorate.orderings.method_parameters import DROP, KEEP, Outliers
from quorate.orderings.pairwise import PAIRWISE
from quorate.orderings.tally import Tally, Votes
from quorate.panel.coefficient import Additive
from quorate.panel.consensus_value import Agreed
from quorate.table import Method, Note, Parameter, choice, method

Array = NDArray[Any]
MISSING = choice("what an absent item means", "unknown", "below")
WEIGHTS = choice("what a judge counts: the same, or the mean tau-b with the others", "uniform", "agreement")
OUTLIERS = Outliers("what becomes of judges who share few of the pairs that most share")
ONE_PANEL = 3 * 10**4  # numbers looked at while a panel is solved for itself, about
ITEMS = 3000  # up to which panels are drawn from a task's judges, however long that takes
ROOM = 10_000  # items up to which a table of all pairs of them has room
MANY = 1500  # items above which circles of majorities are not looked for


Solver = Callable[..., list[Agreed]]


def consensus_method(
    name: str,
    *,
    note: Note,
    default: bool = False,
    reference: str = "",
    missing: str = "unknown",
    parameters: Mapping[str, Parameter] | None = None,
    slow: bool = False,
    steady: bool = False,  # an item that nobody ranks moves no other
    additive: bool = False,  # whether counts that add up over judges are all that it needs
    cost: Callable[[int, int], float] | None = None,
    looks: Callable[[Array, Array, Method], float] | None = None,
) -> Callable[[Solver], Solver]:
    """Declare a function of :class:`Votes` as a consensus method, with the options that all of them have."""

    def register(solver: Solver) -> Solver:
        own = inspect.signature(solver).parameters
        preset = {n: own[n].default for n in parameters or {}}

        def function(
            positions: Array,
            counts: Array,
            *,
            alike: bool = True,
            brief: bool = False,
            missing: str = missing,
            weights: str = "uniform",
            outliers: str = "keep",
            **given: Any,
        ) -> list[Agreed]:
            weight, dropped, uniform = judge_weights(positions, counts, weights, outliers, missing, alike)
            found = _placed(solver, Votes(positions, weight, missing), brief, given, steady)
            if brief:
                return found
            return [
                replace(
                    a,
                    dropped=np.flatnonzero(d).tolist(),
                    facts={**a.facts, **({"weights": "uniform: no judge agrees with the others"} if u else {})},
                )
                for a, d, u in zip(found, dropped, uniform, strict=True)
            ]

        def of(numbers: Array, where: Counts, *, brief: bool = False, missing: str, **given: Any) -> list[Agreed]:
            own = {n: v for n, v in given.items() if n in preset}
            return _placed(solver, Tally.of(numbers, where, missing), brief, own, steady)

        function.__doc__ = solver.__doc__
        method(
            "orderings",
            "consensus",
            name,
            range=(1, math.inf),
            higher="a later place",
            default=default,
            reference=reference,
            parameters={**(parameters or {}), "missing": MISSING, "weights": WEIGHTS, "outliers": OUTLIERS},
            defaults={**preset, "missing": missing, "weights": "uniform", "outliers": "keep"},
            symmetric=True,
            relabelling=True,
            slow=slow,  # resampled panels are solved one by one
            cost=cost or (_one_by_one if slow else None),
            looks=looks,
            draws_up_to=ITEMS if looks else None,
            additive=Additive(sums, of, _all_alike, _lengths, Counts) if additive else None,
            note=note,
        )(function)
        return solver

    return register


def _lengths(method: Method, gaps: bool, tied: bool) -> tuple[str, ...]:
    """What is counted beside how many judges put i before j: ranks in lists of each length, where judges lack items."""
    return ("lengths",) if gaps else ()


def _all_alike(method: Method) -> bool:
    """Whether every judge counts the same, whatever the others say."""
    return method["weights"] == "uniform" and method["outliers"] == KEEP


def every_pair(positions: Array, counts: Array, method: Method) -> float:
    """Every judge's pairs of items, some rows of a table of them at a time."""
    return float(positions.shape[1] * positions.shape[2] ** 2)


def in_a_table(positions: Array, counts: Array, method: Method) -> float:
    """The same where the table is made at once, as far as it has room."""
    return every_pair(positions, counts, method) if positions.shape[2] <= ROOM else math.inf


def _one_by_one(judges: int, items: int) -> float:
    """What a panel costs that is solved for itself, in looks at all pairs of items."""
    return ONE_PANEL * max(1.0, items / 20) / max(judges * items * items, 1)


def _placed(solver: Solver, votes: Votes, brief: bool, given: Mapping[str, Any], steady: bool) -> list[Agreed]:
    """Solve; items that no judge who counts has ranked come last, tied, and are named."""
    seen = votes.seen
    if votes.missing == "below" or seen.all():
        found = solver(votes, brief=brief, **given)
        return found if brief else [_with_cycles(a, votes, t) for t, a in enumerate(found)]
    if brief and steady:
        places = np.stack([a.array for a in solver(votes, brief=True, **given)])
        return [Agreed(p) for p in majority.places(np.where(seen, places, places.shape[1] + 1).astype(float))]
    out = []
    for t, there in enumerate(seen):
        part = votes.only(t, there)
        alone = solver(part, brief=brief, **given)[0]
        if not brief:
            alone = _with_cycles(alone, part, 0)
        out.append(_spread(alone, there))
    return out


def _spread(a: Agreed, there: Array) -> Agreed:
    number = np.flatnonzero(there)
    positions = np.full(len(there), int(a.array.max(initial=0)) + 1, np.int64)
    positions[there] = a.array
    scores = None
    if a.scores is not None:
        scores = np.full(len(there), math.nan)
        scores[there] = a.scores
    about = {name: _numbered(what, number) for name, what in a.about.items()}
    if not there.all():
        about["unplaced"] = np.flatnonzero(~there).tolist()
    return replace(a, array=positions, scores=scores, about=about)


def _numbered(what: Any, number: Array) -> Any:
    if isinstance(what, list | tuple):
        return [_numbered(w, number) for w in what]
    return None if what is None else int(number[what])


def _with_cycles(a: Agreed, votes: Votes, t: int) -> Agreed:
    """Say where majorities go round in a circle: no order can then agree with all of them."""
    if len(a.array) > MANY:
        return replace(a, facts={**a.facts, "cycles": None})
    beaten = np.ascontiguousarray(votes.beaten[t], bool)
    cycles = _circles(beaten.tobytes(), len(beaten))
    return replace(a, about={**a.about, "cycles": [sorted(c, key=lambda i: (a.array[i], i)) for c in cycles]})


@lru_cache(maxsize=256)  # methods that weigh the judges alike ask for the same circles
def _circles(beaten: bytes, items: int) -> tuple[tuple[int, ...], ...]:
    wins = np.frombuffer(beaten, bool).reshape(items, items)
    out: list[tuple[int, ...]] = []
    for part in majority.blocks_in_line(wins.astype(np.int8) - wins.T):  # most panels have no circle at all
        if len(part) > 2:
            out += [tuple(part[c].tolist()) for c in majority.circles(wins[np.ix_(part, part)])]
    return tuple(out)


def judge_weights(
    positions: Array, counts: Array, weights: str, outliers: str, missing: str = "unknown", alike: bool = True
) -> tuple[Array, Array, Array]:
    """What each judge counts, who was dropped as an outlier, and where no judge agreed so that all count the same."""
    dropped = np.zeros(counts.shape, bool)
    if outliers != KEEP:
        rule = table.parse("support_outliers" if outliers == DROP else outliers, "orderings", "judges")
        dropped = rule(positions, counts).details["outlier"] & (counts > 0)
    kept = np.where(dropped, 0, counts)
    if weights == "uniform":
        return kept, dropped, np.zeros(len(counts), bool)
    weight, _, none = agreement_weights(mean_tau_b(positions, kept, missing, alike), kept)
    return weight, dropped, none


def mean_tau_b(positions: Array, counts: Array, missing: str = "unknown", alike: bool = True) -> Array:
    """Each judge's mean tau-b with the others, ``[task, judge]``; a judge with nothing to compare has 0."""
    square = PAIRWISE["tau_b"].once(positions, missing=missing)
    mean = np.nan_to_num(mean_with_others(square, counts, alike))
    return np.asarray(np.round(mean, 12))  # so that what cancels out is 0, in whatever order it was added up
