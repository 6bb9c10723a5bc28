"""Who is off? Each judge's preference for a place, consistency when places are swapped, and agreement with the others.

The first is 0.5 without a preference; of the other two a lower value is a worse judge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.bradley_terry import TIES
from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import counts, first_rows, group_sums, renumbered, used
from quorate.kernels.tails import two_sided
from quorate.panel.columns import small
from quorate.panel.design import Measured
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_cells import tasks_of_judges
from quorate.panel.vote_counts import Often
from quorate.panel.votes import Votes
from quorate.table import Method, Note, choice, method, methods, parse
from quorate.votes import effects
from quorate.votes.agreement import choices

__all__ = ["Swaps", "consistency", "discrimination", "fitting", "place", "self_preference", "with_others"]

Array = NDArray[Any]


def fitting(panel: Votes, asked: Sequence[Method]) -> list[Method]:
    """The methods asked for; to the usual ones the own family is added, where judges vote on it."""
    usual = [str(m) for m in methods("votes", "judges", default=True)]
    if [str(m) for m in asked] != usual or VoteDesign.of(panel).own_family is None:
        return list(asked)
    return [*asked, parse("self_preference", "votes", "judges")]


class Swaps:
    """Pairs that one judge saw in both places on a task, and verdicts that were given on both orders together.

    Of votes in the same places the first counts.
    """

    def __init__(self, one: Array, other: Array, together: Array, changed: Array) -> None:
        self.one, self.other = one, other  # votes
        self.vote = np.concatenate([one, together])  # that stands for its judge, task and count
        self.changed = changed

    @classmethod
    def of(cls, v: VoteDesign) -> Swaps:
        """Those of a design, block by block."""
        found, begin = list[tuple[Array, ...]](), 0
        for some in v.blocks():
            way = some.said_by * 2 + (some.first > some.second)
            known, first = used(way), first_rows(renumbered(way))
            both = np.flatnonzero(known[1:] // 2 == known[:-1] // 2)
            found.append(tuple((first[k] + begin).astype(small(len(v.judge))) for k in (both, both + 1)))
            begin += len(some.judge)
        one, other = (np.concatenate(each) for each in zip(*found, strict=True))
        together = np.flatnonzero(v.changed >= 0)
        return cls(one, other, together, v.changed[together])

    def stays(self, side: Array) -> Array:
        """Whether the verdict is the same in both places, ``[copy, pair]``."""
        same = side[:, self.one] == side[:, self.other]
        told = np.broadcast_to(self.changed == 0, (len(side), len(self.changed)))
        return np.concatenate([same, told], axis=1).astype(float)


@method(
    "votes",
    "judges",
    "place",
    range=(0, 1),
    higher="a preference for the system shown first",
    chance="0.5",
    default=True,
    relabelling=True,
    middle=0.5,
    holm=True,
    packed=lambda method: True,
    note=Note(
        "Does a judge favour what is shown first? Language models often do.",
        "Says nothing of a judge who saw every pair in one order only; then the figure is undefined.",
        "mean over pairs of systems of (w_ab + w_ba) / 2; w_ab = share won by a of the votes that show a first, "
        "w_ba = share won by b of those that show b first; a pair counts n_ab n_ba / (n_ab + n_ba)",
    ),
)
def place(v: VoteDesign, often: Often) -> Measured:
    """The share of votes, ties left out, that go to the system shown first; 0.5 is no preference for a place.

    Only of pairs that the judge saw both ways, each way counting the same: else the better system may just be shown
    first more often. Undefined where a judge saw every pair in one order only: the preference is not identified. Who
    always chose the same system of a pair leaves nothing to draw: few votes without a change say little of others.
    """
    found = v.first_place(often)
    if often.drawn:
        told = v.once("place", lambda: np.isfinite(v.first_place(v.often()).z))
        return Measured(np.where(told, found.share, math.nan))
    details = {
        "first_won": counts(found.won),
        "decided": counts(found.of),
        "p": [two_sided(z) for z in found.z.tolist()],
    }
    return Measured(found.share, details, rests=v.tasks_behind(found.votes))


@method(
    "votes",
    "judges",
    "consistency",
    range=(0, 1),
    higher="verdicts that stay when places are swapped",
    chance="about 1/2",
    default=True,
    relabelling=True,
    instead=True,
    packed=lambda method: True,
    note=Note(
        "Does a judge stand by a verdict when the two change places?",
        "A judge who always ties is perfectly consistent; see the ties beside it.",
        "pairs of a task with the same verdict in both places / pairs of a task seen in both places",
    ),
)
def consistency(v: VoteDesign, often: Often, instead: Array | None = None) -> Measured:
    """Of pairs that a judge saw in both places on a task, the share whose verdict stays; a tie once only does not.

    A judge who gives one verdict on both orders together, "tie (inconsistent)" where they differ, is taken at that.
    """
    swaps: Swaps = v.once("swaps", lambda: Swaps.of(v))
    weight, task = often.votes[:, swaps.vote], v.task[swaps.vote]
    who, judges = v.judge[swaps.vote], len(v.judges)
    stays = swaps.stays(v.side if instead is None else instead)
    kept, of = (often.sums(x, task, who, judges) for x in (weight * stays, weight))
    return Measured(
        quotient(kept, of), {"stayed": counts(kept[0]), "swapped": counts(of[0])}, rests=v.tasks_behind(swaps.vote)
    )


@method(
    "votes",
    "judges",
    "with_others",
    range=(0, 1),
    higher="closer to the others",
    chance="about 1/2 of votes that are no tie",
    default=True,
    relabelling=True,
    instead=True,
    packed=lambda method: True,
    note=Note(
        "Who chooses as most others do?",
        "With two or three judges a pair, the others' majority is one or two votes; a panel may err together.",
        "votes equal to the others' most frequent choice / votes on cells where the others have one",
    ),
)
def with_others(v: VoteDesign, often: Often, instead: Array | None = None) -> Measured:
    """How often a judge chooses as most of the other judges of the same pair on the same task do.

    Where the others have no majority (nobody else voted, or two choices are equally frequent) nothing is counted.
    """
    judges = len(v.judges)
    if often.whole and instead is None and v.copies == 1:
        tally = v.in_cells("with_others", _as_others)
        found = np.zeros((1 if often.tasks is None else len(often.tasks), 2 * judges))
        found[:, tally.codes] = tally.totals(often.tasks)
        alike, of = found[:, 1::2], found[:, ::2] + found[:, 1::2]
        rests = {"tasks": tasks_of_judges(tally.task, tally.judge, judges)} if often.tasks is None else {}
        return Measured(quotient(alike, of), {"alike": counts(alike[0]), "votes": counts(of[0])}, rests=rests)
    mine = np.flatnonzero(v.heard)
    leader, mass = v.once("leader", lambda: _leader(v, often.votes)) if often.whole else _leader(v, often.votes)
    said = (v.side if instead is None else instead)[:, mine] + 1
    task, who = v.task[mine], v.judge[mine]
    alike, of = (often.sums(x, task, who, judges) for x in (mass * (said == leader), mass))
    rests = v.tasks_behind(mine[mass[0] > 0])
    return Measured(quotient(alike, of), {"alike": counts(alike[0]), "votes": counts(of[0])}, rests=rests)


def _as_others(v: VoteDesign) -> tuple[Array, Array]:
    """The votes on cells where the others have a most frequent choice: judge * 2, and 1 more where it is the vote's."""
    mine, (leader, mass) = np.flatnonzero(v.heard), _leader(v, v.count[None])
    there = np.flatnonzero(mass[0] > 0)
    mine = mine[there]
    return mine, v.judge[mine] * np.int64(2) + (v.side[0, mine] + 1 == leader[0, there])


def _leader(v: VoteDesign, votes: Array) -> tuple[Array, Array]:
    """The most frequent choice of the others on the cell of every vote that is heard, ``[draw, vote]``, and what the
    vote counts: nothing where the others have none."""
    mine = v.heard
    weight, cell = votes[:, mine], v.cell[mine]
    if v.crowd is None:
        own = (np.arange(3) == (v.side[:, mine] + 1)[..., None]) * weight[..., None]
    else:  # a name has several votes on a cell
        said = v.said_by[mine]
        own = group_sums(weight, said * 3 + v.side[:, mine] + 1, 3 * (int(said.max(initial=-1)) + 1))
        own = own.reshape(len(own), -1, 3)[:, said]
    others = choices(v, votes)[:, cell] - own
    most = others.max(axis=2)
    leading = (others >= most[..., None] - 1e-9) & (most[..., None] > 1e-9)
    return leading.argmax(axis=2), (leading.sum(axis=2) == 1) * weight


@method(
    "votes",
    "judges",
    "self_preference",
    range=(-math.inf, math.inf),
    higher="a preference for systems of its own family",
    chance="0",
    relabelling=True,
    middle=0.0,
    drawn_p=0.0,
    note=Note(
        "Does a model vote for its own family more than the other judges do?",
        "A judge's family may write what this judge rightly likes: the figure says that it differs from the others' "
        "votes, not why. Not identified where nobody else votes on the same systems.",
        "effect of x in log odds = s_a - s_b + place + x @ effects; x of a judge = 1 where only a is of its family, "
        "-1 where only b is",
    ),
)
def self_preference(v: VoteDesign, often: Often) -> Measured:
    """What its own family is worth to a judge in log odds, beyond what the systems are worth to all judges.

    Beside the place, and covariates such as length where votes have columns of both systems' (length_a, length_b). 0 is
    no preference; exp of it is by how much the odds are multiplied. Families are columns (``judge_family``,
    ``family_a``, ``family_b``); without them only a system of the judge's own name is its own.
    """
    return effects.self_preference(v, often)


@method(
    "votes",
    "judges",
    "discrimination",
    range=(-math.inf, math.inf),
    higher="votes that follow the strengths of the systems more closely",
    chance="0",
    parameters={"ties": choice("what a tie is", *TIES)},
    reference="Liu and others 2025: am-ELO: A Stable Framework for Arena-based LLM Evaluation",
    relabelling=True,
    drawn_p=1.0,
    note=Note(
        "Who votes carelessly, or the wrong way round, although judges hardly ever voted on the same pairs?",
        "Relative to the others: the mean is 1. A judge of another mind is told as a careless one. Of a judge with few "
        "votes it stays near 1.",
        "d of log odds = d_judge (s_a - s_b) + place; mean of d = 1; beforehand d is normal with a deviation of 0.5",
    ),
)
def discrimination(v: VoteDesign, often: Often, ties: str = "davidson") -> Measured:
    """How much a judge's votes follow the strengths: 1 is the average judge, 0 votes at random, below 0 the wrong way.

    By the one model of votes, ``bradley_terry(discrimination=judge)``: with other judges of the same systems, on
    whichever pairs and tasks. p is that of a judge who is as the average one is.
    """
    return effects.discriminations(v, often, ties)
