"""How much do the judges agree on their votes? Two judges of the same pair on the same task choose alike or not.

Of a judge's several votes on a pair of a task the first counts: repeats are no other judges. Higher is more agreement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import counts, group_sums
from quorate.panel.array_shelf import let_go
from quorate.panel.design import Measured
from quorate.panel.judge_kinds import people
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_cells import CHUNK
from quorate.panel.vote_counts import Often
from quorate.panel.votes import Votes
from quorate.table import Method, Note, method
from quorate.votes.draws import Draws

__all__ = ["alike", "alpha", "choices", "decided_alike", "more", "same_choice"]

Array = NDArray[Any]


def choices(v: VoteDesign, votes: Array) -> Array:
    """How many judges make each choice, ``[draw, cell, choice]``: the one system, neither, the other."""
    mine = v.heard
    place = v.cell[mine] * 3 + v.side[:, mine] + 1
    found = group_sums(votes[:, mine], place, 3 * len(v.task_of_cell))
    return found.reshape(len(found), -1, 3)


def _pairs(n: Array) -> Array:
    """Pairs among so many judges."""
    return np.asarray(n * (n - 1) / 2)


def alike(v: VoteDesign, n: Array) -> tuple[Array, Array]:
    """Pairs of judges who choose alike, and all pairs, ``[draw, task]``, from ``n[draw, cell, choice]``."""
    same, of = _pairs(n).sum(axis=2), _pairs(n.sum(axis=2))
    return group_sums(same, v.task_of_cell, v.own_tasks), group_sums(of, v.task_of_cell, v.own_tasks)


def decided_alike(v: VoteDesign, often: Often) -> Sequence[Array]:
    """The same of votes that are no tie; where only tasks are drawn, made once."""

    def made(some: VoteDesign, votes: Array | None = None) -> tuple[Array, Array]:
        return alike(some, choices(some, some.count[None] if votes is None else votes)[:, :, ::2])

    return v.by_tasks("decided alike", made) if often.whole else made(v, often.votes)


@method(
    "votes",
    "agreement",
    "same_choice",
    range=(0, 1),
    higher="more agreement",
    chance="about 1/2 of votes that are no tie",
    default=True,
    symmetric=True,
    relabelling=True,
    packed=lambda method: True,
    note=Note(
        "How often would a second judge choose the same?",
        "Judges who choose at random reach one half; close races keep it low however careful the judges are.",
        "sum over cells of sum_c n(c) (n(c) - 1) / sum over cells of N (N - 1)",
    ),
)
def same_choice(v: VoteDesign, often: Often) -> Measured:
    """How often two judges of the same pair on the same task choose alike; two ties are alike, a tie and a choice not.

    Every two judges of a pair count once, so that pairs with many judges count more.
    """

    def made(some: VoteDesign, votes: Array | None = None) -> list[Array]:
        n = choices(some, some.count[None] if votes is None else votes)
        return [*alike(some, n), *alike(some, n[:1, :, ::2])]

    same, of, *decided = v.by_tasks("same_choice", made) if often.whole else made(v, often.votes)
    columns = {"alike": same[0], "pairs": of[0], "decided_alike": decided[0][0], "decided_pairs": decided[1][0]}
    details = {name: counts(column) for name, column in columns.items()}
    return Measured(quotient(same, of), details, mass=of)


def _parts(n: Array) -> tuple[Array, Array, Array]:
    """Of every cell, from ``n[..., choice]``: disagreeing pairs over judges less one, choices of a side, and ties."""
    judges = n.sum(axis=-1)
    several = judges > 1
    inside = np.where(several, judges**2 - (n**2).sum(axis=-1), 0.0) / np.where(several, judges - 1, 1.0)
    return inside, (n[..., 0] + n[..., 2]) * several, n[..., 1] * several


def _sums(v: VoteDesign, often: Often) -> list[Array]:
    """The parts of every task, ``[draw, task]`` each; where only tasks are drawn, made once."""

    def made(some: VoteDesign, votes: Array | None = None) -> list[Array]:
        n = choices(some, some.count[None] if votes is None else votes)
        return [group_sums(x, some.task_of_cell, some.own_tasks) for x in _parts(n)]

    return v.by_tasks("alpha", made) if often.whole else made(v, often.votes)


def _without(v: VoteDesign) -> Array:
    """Alpha without each judge, ``[copy, judge]``: what changes in the cells of that judge."""
    n, mine = choices(v, v.count[None]), v.heard
    here = n[:, v.cell[mine]]
    left = here - (np.arange(3) == (v.side[:, mine] + 1)[..., None]) * v.count[mine][:, None]
    changes = zip(_parts(n), _parts(left), _parts(here), strict=True)
    who, judges = v.named[..., mine], len(v.judges)
    return _alpha(*(x.sum(axis=1, keepdims=True) + group_sums(a - b, who, judges) for x, a, b in changes))


def _alpha(inside: Array, sided: Array, ties: Array) -> Array:
    """Alpha from sums; every vote is seen from both of its sides, so that no name of a system matters."""
    number = 2 * (sided + ties)
    expected = number**2 - 2 * sided**2 - (2 * ties) ** 2
    return np.asarray(1 - quotient(2 * inside * (number - 1), expected))


def _alpha_by_task(v: VoteDesign) -> Array:
    sums = _sums(v, v.often())
    found = [_alpha(*(x[0, a : a + CHUNK] for x in sums)) for a in range(0, v.own_tasks, CHUNK)]
    let_go(*sums)
    return np.concatenate([np.zeros(0), *found])


@method(
    "votes",
    "agreement",
    "alpha",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    default=True,
    reference="Krippendorff: Content Analysis (2004)",
    symmetric=True,
    relabelling=True,
    by_task=_alpha_by_task,
    without=_without,
    packed=lambda method: True,
    note=Note(
        "Agreement beyond chance, comparable between studies with more and with fewer ties.",
        "Where nearly all votes are ties there is next to nothing to disagree on, and it is erratic.",
        "1 - D_o / D_e; D_o = disagreeing pairs of votes in a cell, each over N - 1; "
        "D_e = the same of all votes, each seen from both of its sides",
    ),
)
def alpha(v: VoteDesign, often: Often) -> Measured:
    """Krippendorff's alpha of the choices: 1 minus the disagreement of judges of a pair over that of all votes.

    Choices are nominal: the one system, the other, or a tie. 0 is what judges who choose at random give.
    """
    return Measured(_alpha(*(often.over_tasks(x) for x in _sums(v, often))))


def more(panel: Votes, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """Where people and models vote: how often two people choose alike, two models, and a person and a model."""
    human = people(panel)
    if human is None:
        return {}
    v = VoteDesign.of(panel)
    own = human[v.judge]

    def pairs(often: Often) -> tuple[Array, Array]:
        """Pairs of judges who choose alike, and all, ``[draw, people | models | across]``."""
        found = [alike(v, choices(v, often.votes * some)) for some in (1.0, own, ~own)]
        both, humans, models = (np.stack([often.over_tasks(x) for x in each]) for each in found)
        same, of = np.stack([humans, models, both - humans - models], axis=2)
        return same, of

    same, of = pairs(v.often())
    draws, value = Draws(v, core, "judge_kind"), quotient(same, of)[0]
    drawn = draws.figures(lambda often: quotient(*pairs(often)))
    rows = []
    for k, (name, some) in enumerate({"people": own, "models": ~own, "across": own | ~own}.items()):
        between = draws.interval(float(value[k]), drawn[:, k], np.flatnonzero(some), (0.0, 1.0)) if len(drawn) else None
        row = {"judges": name, "value": float(value[k]), "alike": counts(same[0])[k], "pairs": counts(of[0])[k]}
        rows.append({**row, "interval": between.ends if between else None})
    return {"judge_kinds": rows}
