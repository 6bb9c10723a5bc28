"""Scores as votes: of every two systems that one judge scored on one input, the one with the higher score wins.

Their strengths are those of the one model of votes, ``bradley_terry`` of votes x quality.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels.bradley_terry import SYSTEMS, TIES
from quorate.kernels.group_sums import crossed
from quorate.panel.design import Measured
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.units import Units
from quorate.panel.vote_counts import Often
from quorate.table import Note, choice, method, number, parse

Array = NDArray[Any]


def as_votes(made: OutputDesign) -> VoteDesign:
    """Every two systems that one judge scored on one input; where systems share the items of a task, on one item."""
    if len(made.systems) > SYSTEMS:
        what = "systems" if made.named else "items"
        fact = f"strengths of {len(made.systems):,} {what} would take too long and fill the memory."
        raise LimitReached(fact, f"at most {SYSTEMS:,}; mean_score takes any number.")
    units, behind = made.each_judge
    place = crossed(made.scores.task, made.scores.item if _items_are_shared(made) else made.input)
    group = crossed(crossed(place[units.unit], units.judge), _copies(units))
    order = np.argsort(group, kind="stable")
    first, second = _pairs(group[order])
    a, b = order[first], order[second]
    one, two = (made.system[units.unit[rows]] for rows in (a, b))
    apart = one != two
    outcome = (1 + np.sign(units.value[a] - units.value[b])) / 2
    judge = units.judge[a][apart]
    return VoteDesign(
        made.tasks,
        units.judges,
        (),
        (),
        made.labels,
        made.systems,
        judge=judge,
        task=made.input[units.unit[a]][apart],
        first=one[apart],
        second=two[apart],
        outcome=outcome[apart][None],
        count=behind[judge].astype(float),
        changed=np.full(len(judge), -1),
        single=False,
    )


def _items_are_shared(made: OutputDesign) -> bool:
    """Whether several systems made something of one item of a task, as of one question."""
    item = crossed(made.scores.task, made.scores.item)
    return made.named and int(crossed(item, made.system).max(initial=-1)) > int(item.max(initial=-1))


def _copies(units: Units) -> Array:
    """The number, from 0, of each row among those of the same unit and judge, which lie together."""
    new = np.ones(len(units), bool)
    new[1:] = (units.unit[1:] != units.unit[:-1]) | (units.judge[1:] != units.judge[:-1])
    place = np.arange(len(units))
    return place - np.maximum.accumulate(np.where(new, place, 0))


def _pairs(group: Array) -> tuple[Array, Array]:
    """Rows of every two members of a group, in rows sorted by group."""
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for far in range(1, len(group)):
        same = np.flatnonzero(group[far:] == group[:-far])
        if not len(same):
            break
        firsts.append(same)
        seconds.append(same + far)
    return np.concatenate(firsts), np.concatenate(seconds)


@method(
    "scores",
    "quality",
    "bradley_terry",
    range=(-math.inf, math.inf),
    higher="wins more often",
    parameters={
        "ties": choice("what two equal scores are", *TIES),
        "prior": number("wins and losses given to each system where the scores alone set no limit", 0.0),
    },
    reference="Bradley and Terry 1952; Davidson 1970; Rao and Kupper 1967",
    symmetric=True,
    relabelling=True,
    votes=as_votes,
    null=False,
    clusters=True,
    note=Note(
        "Scores from which only 'better than' is trusted.",
        "Assumes one scale for all: circles (rock, paper, scissors) are averaged away. Where every system has won and "
        "lost there is no prior; else each is given some wins and losses.",
        "P(a beats b) = 1 / (1 + exp(s_b - s_a)), s of greatest likelihood; equal scores are half a win each way, or "
        "as in the model of votes",
    ),
)
def bradley_terry(v: VoteDesign, often: Often, ties: str = "half", prior: float = 0.5) -> Measured:
    """Bradley and Terry's log strengths from every two systems that one judge compared, by the model of votes.

    Strengths add up to 0; the odds that one system beats another are exp of their difference. Of two equal scores each
    is half a win, unless ties are modelled.
    """
    model = parse("bradley_terry(place=no)", "votes", "quality").with_(ties=ties, prior=prior)
    found: Measured = model(v, often)
    if often.drawn:
        return found
    games = np.bincount(np.concatenate([v.first, v.second]), minlength=len(v.systems))
    about = {
        "comparisons": int(v.count.sum()),
        "ties": int(v.count[v.outcome[0] == 0.5].sum()),
        "never": [v.systems[s] for s in np.flatnonzero(games == 0).tolist()],
    }
    return replace(found, details={}, about={**found.about, **about})
