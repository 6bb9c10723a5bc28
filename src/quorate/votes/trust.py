"""How far can the result be trusted? Does a place decide, and how many votes and judges does it take?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.bradley_terry import SYSTEMS, TIES
from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import counts, group_sums
from quorate.panel.design import Trusted
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_counts import Often
from quorate.panel.votes import Votes
from quorate.table import Method, Note, Parameter, choice, method, methods, number, parse, whole
from quorate.votes import effects as model_effects
from quorate.votes import next_pairs as asked_next
from quorate.votes.agreement import decided_alike
from quorate.votes.bradley_terry import outcomes_of_pairs
from quorate.votes.draws import Draws
from quorate.votes.judges import Swaps
from quorate.votes.separation import Separation

__all__ = [
    "effects",
    "fitting",
    "judges_needed",
    "majority_of_judges",
    "next_pairs",
    "place",
    "swaps",
    "votes_needed",
]

Array = NDArray[Any]
SIZES = (0, 30, 100, 300, 1000, 3000)  # votes more, of which the power is told
JUDGES = (1, 3, 5, 7, 9, 15, 25, 49)  # numbers of judges
MOST = 2001  # judges, beyond which the normal distribution tells how many it takes
POINTS = 400  # at which shares of judges are looked at


@method(
    "votes",
    "trust",
    "place",
    range=(0, 1),
    higher="a preference for the system shown first",
    chance="0.5",
    default=True,
    packed=lambda method: True,
    note=Note(
        "Does the place decide? Above one half the first place is favoured, below it the second.",
        "Says nothing where every pair is shown in one order only: the preference is not identified.",
        "as the judges' place, of all votes together: mean over pairs of (w_ab + w_ba) / 2",
    ),
)
def place(v: VoteDesign, core: Any) -> Trusted:
    """The share of votes, ties left out, that go to the system shown first, of pairs that are shown both ways.

    Both ways of a pair count the same, so that a better system which is shown first more often makes no difference.
    """
    found = v.first_place(v.often(), by_judge=False)
    value, between = float(found.share[0, 0]), None
    if found.votes.any():
        draws = Draws(v, core, "place")
        drawn = draws.figures(lambda often: v.first_place(often, by_judge=False).share[:, 0])
        between = draws.interval(value, drawn, found.votes, (0.0, 1.0))
    labels = {"first_won": counts(found.won)[0], "decided": counts(found.of)[0]}
    return Trusted({}, (), [core.figure(value, labels, between)])


def fitting(panel: Votes, asked: Sequence[Method]) -> list[Method]:
    """The methods asked for; to the usual ones effects are added, where votes have covariates or judges a family."""
    usual = [str(m) for m in methods("votes", "trust", default=True)]
    if [str(m) for m in asked] != usual or not model_effects.decides_more(VoteDesign.of(panel)):
        return list(asked)
    return [asked[0], parse("effects", "votes", "trust"), *asked[1:]]


@method(
    "votes",
    "trust",
    "effects",
    range=(-math.inf, math.inf),
    higher="wins more with more of it",
    chance="0",
    parameters={
        "covariates": Parameter("what else may decide, with + between; all: all there is", "text", optional=True),
        "ties": choice("what a tie is", *TIES),
    },
    packed=lambda method: True,
    note=Note(
        "Is it length, style, place or the judge's own family that wins, rather than the system?",
        "Better systems may rightly write more: an effect is what goes with length among votes on the same systems.",
        "effects in log odds = s_a - s_b + place + x @ effects; x = first less second, over its root mean square",
    ),
)
def effects(v: VoteDesign, core: Any, covariates: str | None = "all", ties: str = "davidson") -> Trusted:
    """What place, length, style and the own family are worth in log odds, beside the systems, by the one model.

    0 is nothing; exp of it is by how much the odds of winning are multiplied by one typical difference. One that
    systems alone could explain is not identified, and has no figure.
    """
    return model_effects.effects(v, core, covariates, ties)


@method(
    "votes",
    "trust",
    "next_pairs",
    range=(0, 1),
    higher="votes that tell more",
    parameters={
        "votes": whole("how many votes are to be asked for", 1, 10_000),
        "between": Parameter("two systems with + between, to tell of these alone", "text", optional=True),
        "first": whole("decide who is among the first so many; none: all strengths alike", 1, optional=True),
    },
    note=Note(
        "Where to spend the next votes: close pairs of which little is known tell more than lopsided ones.",
        "Each vote is taken to be on a task of its own. Who only wants to know the leader needs fewer: first=1.",
        "next pair = argmax log(1 + I_ab Var(s_a - s_b)), the covariance updated after each; I_ab of one vote at the "
        "fit; with first, sum over pairs across its border of exp(-gap^2 / 2 Var) log(Var / Var after the vote); to "
        "separate: as votes_needed",
    ),
)
def next_pairs(
    v: VoteDesign, core: Any, votes: int = 100, between: str | None = None, first: int | None = None
) -> Trusted:
    """Which pairs to ask about next, each vote where it is expected to tell most about all strengths together.

    The figure is how much narrower intervals of differences get by these votes, on average. With ``first`` they decide
    who is among the first so many, and it is of differences across that border, as open as they are.
    """
    return asked_next.next_pairs(v, core, votes, between, first)


@method(
    "votes",
    "trust",
    "swaps",
    range=(0, 1),
    higher="verdicts that stay when places are swapped",
    chance="about 1/2",
    default=True,
    packed=lambda method: True,
    note=Note(
        "Before believing votes of a language model: would it say the same with the places swapped?",
        "Only pairs that a judge saw in both places on a task count; a judge who always ties never changes.",
        "pairs with the same verdict in both places / pairs seen in both places, by one judge on one task",
    ),
)
def swaps(v: VoteDesign, core: Any) -> Trusted:
    """The share of verdicts that stay when the two places are swapped, of all judges together and of each.

    A verdict that turns into a tie, or out of one, changed; one that goes to the other system is reversed as well.
    """
    found = Swaps.of(v)
    stays = found.stays(v.side)[0]

    def kept(often: Often) -> Array:
        weight = often.votes[:, found.vote] * often.of(v.task[found.vote])
        return quotient((weight * stays).sum(axis=1), weight.sum(axis=1))

    value, between, draws = float(kept(v.often())[0]), None, Draws(v, core, "swaps")
    if len(found.vote):
        between = draws.interval(value, draws.figures(kept), found.vote, (0.0, 1.0))
    other = v.side[0, found.one] * v.side[0, found.other] < 0
    weight = v.count[found.vote]
    numbers = {
        "changed": (weight * (1 - stays)).sum(),
        "reversed": v.count[found.one][other].sum(),
        "swapped": weight.sum(),
        "ties": v.count[v.outcome[0] == 0.5].sum(),
        "votes": v.count.sum(),
    }
    labels = {name: round(float(n)) for name, n in numbers.items()}
    who, judges = v.judge[found.vote], len(v.judges)
    mine, each = (group_sums(x, who, judges)[0] for x in (weight * stays, weight))
    there = np.flatnonzero(each > 0)
    rows = {"stayed": counts(mine[there]), "swapped": counts(each[there])}
    names = [v.judges[k] for k in there.tolist()]
    return Trusted({"judge": names}, (mine[there] / each[there]).tolist(), [core.figure(value, labels, between)], rows)


@method(
    "votes",
    "trust",
    "votes_needed",
    range=(0, math.inf),
    higher="a closer race",
    default=True,
    parameters={
        "power": number("how often they should be told apart, if they differ by as much as they seem to", 0.5, 0.9999),
        "leaders": whole("how many of the first systems are compared, two by two", 2, 50),
    },
    packed=lambda method: True,
    note=Note(
        "Is it worth asking on about two systems that the leaderboard does not tell apart?",
        "A difference that came out too large by luck promises too few votes. Every vote more is taken to be on a task "
        "of its own: several on one task tell less, so that it takes more.",
        "fewest m with P(|t| > t_(0.05 / pairs not told apart)) >= power; t = (s_a - s_b) / sqrt(Var after), Var after "
        "= (Var + m I H^2) / (1 + m I H)^2; Var by clusters, H by the model, I of one vote on the two",
    ),
)
def votes_needed(v: VoteDesign, core: Any, power: float = 0.8, leaders: int = 3) -> Trusted:
    """How many more votes on two leading systems it takes until the leaderboard tells them apart.

    0 where it does already. By the strengths, which rest on all votes, and their error by clusters; each vote more is
    on a task of its own.
    """
    if len(v.systems) > SYSTEMS:
        return Trusted({"systems": (), "more": ()}, (), (), notes=(f"votes_needed takes {SYSTEMS:,} systems at most",))
    known = Separation(v, core)
    strength = np.where(known.board.part >= 0, known.asked.strength, -np.inf)
    order = np.argsort(-np.round(strength, 9), kind="stable")[:leaders].tolist()
    names, rows, found = [], [], []
    for one, two in combinations(order, 2):
        between, systems = known.between(one, two), f"{v.systems[one]} and {v.systems[two]}"
        labels = {"systems": systems, "apart": between.gap, "error": between.error, **_votes_between(v, one, two)}
        found.append(core.figure(between.more(power), labels))
        names += [systems] * len(SIZES)
        rows += [between.power(size) for size in SIZES]
    about = {"over": v.drawn_as(core.options.over or v.over)}
    return Trusted({"systems": names, "more": [*SIZES] * len(found)}, rows, found, about=about)


def _votes_between(v: VoteDesign, one: int, two: int) -> dict[str, int]:
    """What became of the votes between two systems, as the one sees it."""
    tally, size = v.in_cells("pairs", outcomes_of_pairs), len(v.systems)
    shown, outcome = tally.codes // 6, tally.codes % 3
    totals, out = tally.totals(None)[0], np.zeros(3)
    for pair, seen in ((one * size + two, outcome), (two * size + one, 2 - outcome)):
        out += np.bincount(seen[shown == pair], totals[shown == pair], 3)
    return dict(zip(("wins", "ties", "losses"), counts(out), strict=True))


@method(
    "votes",
    "trust",
    "judges_needed",
    range=(1, math.inf),
    higher="judges who agree less",
    default=True,
    parameters={"target": number("how often the majority should be that of all such judges", 0.5, 0.9999)},
    packed=lambda method: True,
    note=Note(
        "How many judges should vote on each pair of a task?",
        "On average over pairs: clear ones need fewer, close ones more. Of a single pair see votes_needed.",
        "the fewest k with P(majority of k judges = majority of all) >= target, the share of judges for a side being "
        "distributed as Beta(a, a) with a from how often two judges choose alike, ties left out",
    ),
)
def judges_needed(v: VoteDesign, core: Any, target: float = 0.9) -> Trusted:
    """How many judges a pair of a task takes until their majority is, mostly, that of all such judges.

    By how often two judges of the same pair choose alike, ties left out; never by correlations of two items.
    """

    def rate(often: Often) -> Array:
        return quotient(*(often.over_tasks(x) for x in decided_alike(v, often)))

    (judged_twice,) = v.by_tasks("judged twice", _judged_twice)
    several = judged_twice.sum() > 1  # of a single pair the votes needed tell all
    value, between = float(rate(v.often())[0]) if several else math.nan, None
    needed = _judges(value, target)
    if not math.isnan(needed):
        draws, decided = Draws(v, core, "judges_needed"), v.outcome[0] != 0.5
        shared = decided & (judged_twice > 0)[v.task]
        found = draws.of_all(shared) if value == 1 else draws.interval(value, draws.figures(rate), decided, (0.0, 1.0))
        between = found and _turned(found, lambda same: _judges(same, target), needed)
    labels = {"same_choice": value}
    sizes = () if math.isnan(value) else JUDGES
    rows = [majority_of_judges(value, k) for k in sizes]
    return Trusted({"judges": sizes}, rows, [core.figure(needed, labels, between)])


def _judged_twice(v: VoteDesign) -> list[Array]:
    """How many pairs of each task several judges voted on, ``[task]``."""
    judges = np.bincount(v.cell[v.heard], v.count[v.heard], len(v.task_of_cell))
    return [np.bincount(v.task_of_cell[judges > 1], minlength=v.own_tasks)]


def _judges(same: float, target: float) -> float:
    if math.isnan(same):
        return math.nan
    return _needed(partial(majority_of_judges, same), target, _very_many(same, target))


def _turned(inside: Any, needed: Callable[[float], float], value: float) -> Any:
    """The interval of how many it takes, from that of what it takes less of."""
    low, high = (_odd(needed(end)) for end in (inside.high, inside.low))
    return replace(inside, low=min(low, value), high=max(high, value))


def _odd(size: float) -> float:
    """At least so many, an odd number: an even one is no better than one fewer."""
    return size if not math.isfinite(size) else max(math.ceil((size - 1 - 1e-9) / 2), 0) * 2 + 1


def _needed(right: Callable[[int], float], target: float, far: float = math.inf) -> float:
    """The fewest, an odd number, that are right so often; of very many ``far``, and without end where none are.

    >>> _needed(lambda k: 1 - 0.3 / k, 0.95)
    7
    """
    if math.isnan(right(1)):
        return math.nan
    low, high = -1, 0  # places of odd numbers: one too few, and one that is enough
    while right(2 * high + 1) < target:
        low, high = high, 2 * high + 1
        if 2 * high + 1 > MOST:
            return int(_odd(far)) if math.isfinite(far) else far
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if right(2 * middle + 1) >= target else (middle, high)
    return 2 * high + 1


def majority_of_judges(same: float, judges: int) -> float:
    """How often the majority of so many judges is that of all of them, where two choose alike so often.

    The share p of all judges who are for a side differs from pair to pair as Beta(a, a) does, with a such that two
    judges choose alike so often: (a + 1) / (2 a + 1).

    >>> round(majority_of_judges(0.8, 1), 3), majority_of_judges(1.0, 1), majority_of_judges(0.5, 9)
    (0.857, 1.0, 0.5)
    """
    if math.isnan(same) or same <= 0.5 or same >= 1:
        return math.nan if math.isnan(same) else 0.5 if same <= 0.5 else 1.0
    a = (1 - same) / (2 * same - 1)
    # Of p above one half, q = 1 - p; below a = 1, where the density has a pole at q = 0, by equal steps of q^a.
    power = min(a, 1.0)
    less = np.maximum(((np.arange(POINTS) + 0.5) / POINTS * 0.5**power) ** (1 / power), 1e-300)
    density = np.exp((a - power) * np.log(less) + (a - 1) * np.log1p(-less))
    k = np.arange(judges // 2 + 1)  # judges for the other side, at which the majority is right or split
    ways = np.array([math.lgamma(judges + 1) - math.lgamma(i + 1) - math.lgamma(judges - i + 1) for i in k.tolist()])
    terms = np.exp(ways[:, None] + k[:, None] * np.log(less) + (judges - k)[:, None] * np.log1p(-less))
    right = (terms * np.where(2 * k == judges, 0.5, 1.0)[:, None]).sum(axis=0)
    return min(float(np.average(right, weights=density)), 1.0)


def _very_many(same: float, target: float) -> float:
    """The same of so many judges that only pairs near to an even split are missed: k where 0.4 f(1/2) / sqrt(k) are."""
    if not 0.5 < same < 1:
        return math.inf if same < 1 else 1.0
    a = (1 - same) / (2 * same - 1)
    log = 2 * math.lgamma(a) - math.lgamma(2 * a) + (2 * a - 2) * math.log(2)  # minus that of the density at one half
    return float((math.exp(-log) / math.sqrt(2 * math.pi) / (1 - target)) ** 2)
