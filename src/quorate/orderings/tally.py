"""Rankings as consensus methods see them: each judge's, or what groups of judges add up to.

Most of what is agreed on follows from how many judges put i before j. These counts add up over judges, so rankings that
do not fit into memory are counted a block at a time, and very many judges are drawn in groups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority, ranks
from quorate.kernels.ranks import fill_below, repeated
from quorate.orderings.additive_counts import Counts, sums
from quorate.panel.coefficient import Additive
from quorate.table import Method

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Votes:
    """Rankings as the methods see them: every item is ranked by some judge who counts."""

    positions: Array  # (T, N, n)
    counts: Array  # (T, N) whole numbers, or weights
    missing: str

    @cached_property
    def complete(self) -> Array:
        """The positions with absent items where the policy puts them: below, or still absent."""
        return fill_below(self.positions) if self.missing == "below" else self.positions

    @cached_property
    def before(self) -> Array:
        """Weight of the judges who put i before j, ``[task, i, j]``."""
        found = majority.before(self.complete, self.counts)
        # Weights added up in another order differ in their last digits, which must not decide between pairs.
        return np.round(found, 10) if found.dtype.kind == "f" else found

    @cached_property
    def beaten(self) -> Array:
        """Which items a majority puts before which, ``[task, i, j]``; differences by rounding alone are none."""
        margin = self.before - self.before.transpose(0, 2, 1)
        return np.asarray(margin > majority.NEAR * self.judges[:, None, None])

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.positions.shape[2])

    @property
    def judges(self) -> Array:
        """How many judges there are, or what they weigh, ``[task]``."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def fractions(self) -> bool:
        """Whether judges may weigh other than whole numbers."""
        return self.counts.dtype.kind == "f"

    @cached_property
    def held(self) -> Array:
        """How many judges, by what they count, have the item, ``[task, item]``."""
        return self.per_judge(lambda positions: (positions > 0).astype(float))

    @cached_property
    def rank_sums(self) -> Array:
        """Sums of ranks, those of a list of m items spread over all n, r (n + 1) / (m + 1), ``[task, item]``."""
        return self.per_judge(ranks.spread_ranks)

    @property
    def seen(self) -> Array:
        """Which items a judge who counts has ranked, ``[task, item]``."""
        held, counts = self.positions[:1] > 0 if self.once else self.positions > 0, self.counts > 0
        return np.asarray(counts @ held[0] if self.once else (held & counts[:, :, None]).any(axis=1))

    def only(self, t: int, there: Array) -> Votes:
        """Some items of a task, and the judges who count."""
        counts = self.counts[t] > 0
        positions = self.positions[t : t + 1][:, counts][:, :, there]
        return Votes(positions, self.counts[t : t + 1][:, counts], self.missing)

    @property
    def once(self) -> bool:
        """Whether all tasks hold the same rankings and differ in the counts only."""
        return repeated(self.positions)

    def per_judge(self, compute: Callable[[Array], Array]) -> Array:
        """Sum over judges of something computed from each ranking, ``[task, item]``."""
        if self.once:
            return np.asarray(self.counts @ compute(self.complete[:1])[0])
        return np.asarray((compute(self.complete) * self.counts[:, :, None]).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Tally(Votes):
    """What the rankings of groups of judges add up to, for methods that need no more."""

    numbers: Array  # (T, number) as :func:`~quorate.orderings.additive_counts.sums` has them
    where: Counts

    @classmethod
    def of(cls, numbers: Array, where: Counts, missing: str) -> Tally:
        """Numbers of so many items, ``[task, number]``."""
        judges = np.rint(numbers[:, :1]).astype(np.int64)
        return cls(np.zeros((len(numbers), 1, where.items), np.int16), judges, missing, numbers, where)

    def section(self, name: str) -> Array:
        """The numbers of a section, ``[task, number]``."""
        return self.where.of(self.numbers, name)

    def has(self, name: str) -> bool:
        """Whether a section was asked for."""
        return name in self.where.every

    @property
    def before(self) -> Array:
        """How many judges put i before j, ``[task, i, j]``."""
        return self.where.square(self.numbers, "before")

    @property
    def held(self) -> Array:
        """How many judges have the item, ``[task, item]``."""
        return self.section("held")

    @property
    def seen(self) -> Array:
        """Which items some judge has ranked, ``[task, item]``."""
        return np.asarray(self.held > 0)

    @cached_property
    def rank_sums(self) -> Array:
        """Sums of ranks, those of shorter lists spread over all items: by the length of the list, or of pairs."""
        if not self.has("lengths"):  # r = (n + 1 + items before - items after) / 2
            after = self.before.sum(axis=1) - self.before.sum(axis=2)
            return np.asarray((self.judges[:, None] * (self.items + 1) + after) / 2)
        size = np.arange(1, self.items + 1)
        return np.asarray(((self.items + 1) / (size + 1) / 2) @ self.where.square(self.numbers, "lengths"))

    def only(self, t: int, there: Array) -> Votes:
        """Some items of a task, for what is agreed on of them."""
        kept = [self.numbers[t, :1], self.held[t, there], self.before[t][np.ix_(there, there)].ravel()]
        if self.has("lengths"):
            size = np.zeros((int(there.sum()), int(there.sum())))
            own = self.where.square(self.numbers, "lengths")[t][:, there]
            size[: min(len(own), len(size))] = own[: len(size)]  # nobody's list is longer than the items there are
            kept.append(size.ravel())
        names = ("lengths",) if self.has("lengths") else ()
        return Tally.of(np.concatenate(kept)[None], Counts(int(there.sum()), names), self.missing)


def counted(
    say: Callable[..., Any],
    needs: Callable[[Method, bool, bool], tuple[str, ...] | None],
    when: Callable[[Method], bool] = lambda method: True,
) -> Additive:
    """How an agreement method's numbers add up over judges.

    ``say(tally, own, **parameters)``: ``own`` is what pairs of a judge with himself add up to, ``[draw]`` as the tally.
    ``needs(method, gaps, tied)`` are the sections that it takes; None where judges who lack items, or tie some, have
    each a scale that no sum knows.
    """

    def of(numbers: Array, where: Counts, own: Array, *, missing: str = "unknown", **parameters: Any) -> Any:
        return say(Tally.of(numbers, where, missing), Tally.of(own, where, missing), **parameters)

    return Additive(sums, of, when, needs, Counts)
