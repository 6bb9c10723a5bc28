"""The systems' order without the worst judges, and without each judge in turn.

Owczarzak and others drop the tasks of judges who are inconsistent and look at how the leaderboard moves. Any drop moves
it, so that as many random tasks are dropped beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.correlations import COEFFICIENTS, correlate
from quorate.panel.design import Trusted, Weights, different
from quorate.panel.outputs import AGAIN, OutputDesign, means_of
from quorate.scores.averages import OF
from quorate.scores.trust_method import CHOSEN, Rows, trust_method
from quorate.scores.worst_judges import (
    BY,
    DROP,
    Agreed,
    agreed_by,
    how_to_drop,
    means_without,
    places,
    random_keep,
    rows_without,
    table_of,
    worst_first,
)
from quorate.table import Note, choice, parse, whole

Array = NDArray[Any]
RANGE = (-1.0, 1.0)
EXCLUSION = 3 * 10**5  # steps of dropping something at random, besides looking at all scores
SORTED, COMPARED = 100, 3000  # steps of putting a system in order, of systems beyond so many
JUDGES = 500  # left out one at a time at most
WORST = whole("how many judges to drop, one after the other", 1)
ORDER = choice("what makes a judge bad", *BY)
HOW = choice("what is dropped: the tasks a judge saw, or only the judge's scores", *DROP)


@trust_method(
    "without_worst",
    range=RANGE,
    higher="the leaderboard changes less",
    default=True,
    reference="Owczarzak, Rankel, Dang and Conroy 2012, Table 2",
    by=ORDER,
    worst=WORST,
    drop=HOW,
    of=OF,
    note=Note(
        "Does the leaderboard hang on bad judges?",
        CHOSEN + " Pearson on a few systems is high for any leaderboard with one clear winner. The interval reaches 1 "
        "unless less is left than as many random drops leave.",
        "Pearson, Spearman and Kendall correlation of the systems' means with and without the worst judges",
    ),
)
def without_worst(
    made: OutputDesign, core: Any, by: str = "alpha", worst: int = 2, drop: str = "auto", of: str = "mean"
) -> Trusted:
    """The systems' means without the worst judges against those with them; 1 when nothing moves.

    Dropping tasks moves any leaderboard, so the same number of random tasks is dropped beside it: only what lies below
    their band is the judges' doing.
    """
    rows, overall = Rows("judges", "dropped", "random", "random_interval", "changed"), []
    agreed, how = agreed_by(of), how_to_drop(made, drop)
    ranked = worst_first(made, by, drop, agreed)
    about: dict[str, Any] = {"by": by, "how": how, "what": ranked.what, "order": len(ranked.order)}
    about |= {"one_judge": len(np.unique(made.scores.judge)) == 1, "same": bool(np.ptp(made.scores.value) == 0)}
    if ranked.order:
        about |= {"first": made.judges[ranked.order[0]], "worst": ranked.value[ranked.order].tolist()}
    before, drawn = means_of(table_of(made, None, agreed)), _Drawn(made, of, core)
    for k in range(1, worst + 1 if ranked.order else 0):
        judges = [made.judges[j] for j in ranked.order[:k]]
        keep = rows_without(made, ranked.order[:k], how)
        if k > len(ranked.order) - (how == "scores") or not keep.any():
            about["nothing_left"] = k
            break
        after = means_of(table_of(made, keep, agreed))
        moved, dropped = _changed(made, before, after), _dropped(made, keep, how)
        random, between = _random_means(made, keep, how, agreed, core, k), drawn.without(ranked.order[:k], keep)
        for c in COEFFICIENTS:
            value = float(correlate(before, after, c))
            by_chance = correlate(before, random, c)
            band, chance = core.middle(by_chance, made.by), core.null(by_chance, value, -1)
            inside = between(value, c, p=chance and chance.p, at=1.0)
            keys = {**made.labels, "worst": k, "coefficient": c}
            ends = (band.low, band.high) if band else (math.nan, math.nan)
            mean = chance.value if chance else math.nan
            rows.add(
                keys,
                value,
                judges=judges,
                dropped=dropped,
                random=chance.value if chance else None,
                random_interval=list(ends) if band else None,
                changed=moved if c == "kendall" else None,
            )
            more = {
                "judges": ", ".join(map(str, judges)),
                "random": mean,
                "random_low": ends[0],
                "random_high": ends[1],
            }
            overall.append(core.figure(value, {**keys, **more}, inside, chance))
            if k == 1 and c == "spearman":
                about |= {"rho": value, "tested": chance is not None, "band": ends if band else None}
                about |= {"dropped": dropped, "changed": moved}
    return Trusted(rows.keys, rows.values, overall, rows.details, about=about)


def _random_means(made: OutputDesign, keep: Array, how: str, agreed: Agreed | None, core: Any, k: int) -> Array:
    """Systems' means with as much dropped at random, ``[draw, system]``."""
    work = EXCLUSION + len(keep) * (1 if agreed is None else AGAIN)
    work += SORTED * max(len(made.systems) - COMPARED, 0)
    kept = random_keep(made, ~keep, how, core, core.budget.nulls(work), k)
    if not len(kept):
        return np.zeros((0, len(made.systems)))
    if agreed is None:
        return means_without(made, kept)
    return np.stack([means_of(table_of(made, some, agreed)) for some in kept])


class _Drawn:
    """Leaderboards of tasks, or judges, resampled: with all judges and without some.

    The draws are the same whoever is left out, so that judges can be compared. An easy input drawn twice counts twice
    with the judge and without, and so the two orders are more alike in the draws than they are: the interval is moved.
    """

    def __init__(self, made: OutputDesign, of: str, core: Any) -> None:
        self.made, self.core, self.method = made, core, parse(of, "scores", "consensus")
        self.over = core.over(made, "tasks", "judges", "tasksxjudges")
        self.all = core.figures(self.method, made)
        work = len(made.tasks) * len(made.systems) if self.over == "tasks" else self.all.work(self.over)
        fewest = min(self._units(np.arange(len(made.scores))).values())
        draws = core.budget.draws(work + len(made.tasks)) if fewest > 1 else 0
        self.weights = core.bootstrap(made, self.over, draws, core.stream("drawn"))

    def _units(self, rows: Array) -> dict[str, int]:
        """How many there are of what is drawn, in these rows."""
        scores = self.made.scores
        every = {"tasks": self.made.input[scores.unit], "judges": scores.judge}
        return {n: int(np.count_nonzero(np.bincount(every[n][rows]))) for n in self.over.split("x")}

    def without(self, judges: Sequence[int], keep: Array) -> Callable[..., Any]:
        """The interval, as a function of value and coefficient, of what leaderboards with and without these correlate;
        None where there is one unit only."""
        boards, draw = self._boards(judges, keep) if self.weights.draws else (None, None)
        called, units = self.made.called_over(self.over), min(self._units(keep).values())

        def interval(value: float, coefficient: str, **more: Any) -> Any:
            if boards is None:
                return None
            drawn = correlate(*boards, coefficient)[draw]
            return self.core.interval(value, drawn, called, units, RANGE, **more)

        return interval

    def _boards(self, without: Sequence[int], keep: Array) -> tuple[tuple[Array, Array], Array]:
        """Systems' means before and after, ``[different draw, system]``, and which of them each draw is; those who are
        left out are there once before, whoever else is drawn."""
        made, weights = self.made, self.weights
        if weights.judges is not None:
            judges = weights.judges.copy()
            judges[:, list(without)] = 1.0
            weights = replace(weights, judges=judges)
        weights, draw = different(weights)
        kept = replace(made, parts=(made.scores.kept(keep),), known={})
        before = self.board if weights is self.weights else self._means(self.all, weights)
        return (before, self._means(self.core.figures(self.method, kept), weights)), draw

    @cached_property
    def board(self) -> Array:
        """Systems' means with all judges."""
        return self._means(self.all, self.weights)

    def _means(self, figures: Any, weights: Weights) -> Array:
        out = np.full((weights.draws, len(self.made.systems)), np.nan)
        out[:, figures.keys["system"]] = figures.drawn(weights)
        return out


def _dropped(made: OutputDesign, keep: Array, how: str) -> int:
    """How many inputs, or scores, are gone."""
    if how == "scores":
        return int((~keep).sum())
    place = made.input[made.scores.unit]
    return len(np.unique(place)) - len(np.unique(place[keep]))


def _changed(made: OutputDesign, before: Array, after: Array) -> list[dict[str, Any]]:
    """Systems whose place is another one, largest moves first."""
    old, new = places(before), places(after)
    order = np.argsort(-np.abs(np.nan_to_num(new - old)), kind="stable")
    moved = order[(old[order] != new[order]) & ~np.isnan(old[order])]
    return [
        {"system": made.systems[s], "from": int(place), "to": None if math.isnan(to) else int(to)}
        for s, place, to in zip(moved.tolist(), old[moved].tolist(), new[moved].tolist(), strict=True)
    ]


# -- each judge in turn ------------------------------------------------------------------------------------------------


@trust_method(
    "influence",
    range=RANGE,
    higher="the judge matters less",
    default=True,
    drop=HOW,
    of=OF,
    note=Note(
        "Which single judge moves the leaderboard, and which places?",
        "With drop=tasks the tasks go too, which moves places by itself.",
        "tau-b of the leaderboard with and without the judge",
    ),
)
def influence(made: OutputDesign, core: Any, drop: str = "auto", of: str = "mean") -> Trusted:
    """Every place of the leaderboard without each judge in turn; tau-b of the orders with and without, 1 when alike."""
    rows, found = Rows("place", "mean", "mean_without"), []
    agreed, how = agreed_by(of), how_to_drop(made, drop)
    before = means_of(table_of(made, None, agreed))
    old, every, drawn = places(before), _most_scores(made), _Drawn(made, of, core)
    known = np.flatnonzero(~np.isnan(old))
    systems = [made.systems[s] for s in known.tolist()]
    place, mean = old[known].astype(np.int64).tolist(), before[known].tolist()
    for j in every:
        keep = rows_without(made, [j], how)
        if keep.all() or not keep.any():
            continue
        after = means_of(table_of(made, keep, agreed))
        new = places(after)
        keys = {**made.labels, "judge": made.judges[j]}
        rows.extend(
            {**{name: [key] * len(known) for name, key in keys.items()}, "system": systems},
            [None if place != place else int(place) for place in new[known].tolist()],
            place=place,
            mean=mean,
            mean_without=after[known].tolist(),
        )
        tau = float(correlate(before, after, "kendall"))
        inside = drawn.without([j], keep)(tau, "kendall")
        moved = _changed(made, before, after)
        most = f"{moved[0]['system']} from {moved[0]['from']} to {moved[0]['to'] or 'none'}" if moved else ""
        found.append(core.figure(tau, {**keys, "moved": len(moved), "most": most}, inside))
    found.sort(key=lambda e: (math.isnan(e.value), e.value))
    about = {"some": len(every) if len(every) < len(made.judges) else 0}
    return Trusted(rows.keys, rows.values, found, rows.details, about=about)


def _most_scores(made: OutputDesign) -> list[int]:
    """The judges, or of very many those whose absence can matter most."""
    number = np.bincount(made.scores.judge, minlength=len(made.judges))
    return np.sort(np.argsort(-number, kind="stable")[:JUDGES]).tolist()  # type: ignore[no-any-return]
