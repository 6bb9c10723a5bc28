"""How many more votes on two systems it takes until the leaderboard tells them apart, by the one model of votes.

The difference of two strengths and its error rest on all votes, those between others among them. The error is that of
the leaderboard: clustered as its intervals are, tested as its letters are. With m votes more on the two, each a cluster
of its own, the fit weighs every vote alike, so that

    Var after = (Var + m I H^2) / (1 + m I H)^2

with I the information of one such vote, H the variance that the model gives where no votes are clustered, and Var as it
is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

from quorate.kernels.tails import beyond, quantile
from quorate.panel.pairs import VoteDesign
from quorate.table import parse
from quorate.votes.bradley_terry import fitted
from quorate.votes.information import Asked

PRIOR = 0.5
POWER = 0.8  # with which two systems are to be told apart
EQUAL = 1e-9  # a difference of strengths by rounding alone
MOST = 10**9  # votes; more are no number


class Separation:
    """What is known of the difference of any two systems."""

    def __init__(self, v: VoteDesign, core: Any) -> None:
        self.design, self.core = v, core
        self.asked = Asked(fitted(v, "davidson", "auto", PRIOR, ()))

    @cached_property
    def board(self) -> Any:
        """The leaderboard by strengths, as it is shown: the same draws, the same tests."""
        return self.core.board(parse("bradley_terry", "votes", "quality"), self.design)

    @cached_property
    def _chance(self) -> float:
        return float(self.board.alpha / max(self.board.open_pairs, 1))

    def between(self, one: int, two: int) -> Difference:
        """That of two systems."""
        board, c, s = self.board, self.asked.covariance, self.asked.strength
        gap = abs(float(s[one] - s[two])) if board.part[one] == board.part[two] else math.nan
        model, drawn = max(float(c[one, one] + c[two, two] - 2 * c[one, two]), 1e-300), board.variance(one, two)
        return Difference(
            0.0 if gap < EQUAL else gap,
            model if math.isnan(drawn) else max(drawn, model / 2),
            model,
            float(self.asked.each[one, two]),
            int(board.units_of(one, two)),
            self._chance,
            float(board.p[one, two]) < board.alpha if len(board.drawn) else None,
        )


@dataclass(frozen=True)
class Difference:
    """The difference of two strengths, its error, and what votes more would make of it."""

    gap: float  # NaN where nobody compared the two, not even by way of others
    variance: float  # clustered; by few clusters it may come out far too small: at least half of the next
    model: float  # the variance if no votes were clustered
    each: float  # information of one vote between the two
    units: int  # tasks, judges or votes that were drawn
    chance: float  # that p must be below, before it is corrected for the pairs that are not told apart yet
    told: bool | None  # whether the leaderboard tells them apart; None where nothing was drawn

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return math.sqrt(self.variance)

    @property
    def told_apart(self) -> bool:
        """Whether the leaderboard tells the two apart by the votes there are; by this error where nothing was drawn."""
        return self._enough(0, 0.0) if self.told is None else self.told

    def power(self, more: int) -> float:
        """How often the two would be told apart with so many votes more, if they differ by as much as they seem to."""
        if math.isnan(self.gap) or self._few(more):
            return math.nan if math.isnan(self.gap) else 0.0
        far, least = self.gap / math.sqrt(self._after(more)), quantile(1 - self.chance, self._freedom(more))
        return NormalDist().cdf(far - least) + NormalDist().cdf(-far - least)

    def more(self, power: float = POWER) -> float:
        """The fewest votes more that tell the two apart so often: 0 where they are, inf where they are level."""
        if math.isnan(self.gap) or self.gap == 0:
            return math.nan if math.isnan(self.gap) else math.inf
        if self.told_apart:
            return 0
        reach, low, high = NormalDist().inv_cdf(power), 0, 1
        while not self._enough(high, reach):
            low, high = high, 2 * high
            if high > MOST:
                return math.inf
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._enough(middle, reach) else (middle, high)
        return high

    def _after(self, more: int) -> float:
        """The variance with so many votes more."""
        told = more * self.each * self.model
        return (self.variance + told * self.model) / (1 + told) ** 2

    def _enough(self, more: int, reach: float) -> bool:
        """Whether the difference is significant even where it comes out lower by so many standard errors."""
        far = self.gap / math.sqrt(self._after(more)) - reach
        return far > 0 and not self._few(more) and beyond(far, self._freedom(more)) < self.chance

    def _few(self, more: int) -> bool:
        """Whether so few tasks or judges vote that no difference could be significant, however large."""
        return 2.0 ** -min(self._freedom(more), 1000) >= self.chance

    def _freedom(self, more: int) -> int:
        return max(self.units + more - 1, 1)
