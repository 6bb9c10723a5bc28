"""What very many judges agree on: small, from what they add up to (:mod:`~quorate.groupings.additive_counts`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.additive_counts import Counts, sums, votes_of
from quorate.groupings.association import Association
from quorate.groupings.consensus_partition import sized
from quorate.groupings.consensus_support import behind
from quorate.groupings.median_partition import linkage_of
from quorate.groupings.pair_partition import pairs_drawn, pairs_of, quorum_drawn, quorum_of
from quorate.groupings.partition_program import Proofs
from quorate.panel.coefficient import Additive
from quorate.panel.consensus_value import Agreed
from quorate.table import Method, bind, find

Array = NDArray[Any]
SOME = 1000  # judges drawn at random, whose agreement with a consensus is told


def consensus_of(name: str) -> Additive:
    """How a consensus method's numbers add up."""

    def of(
        numbers: Array,
        where: Counts,
        *,
        brief: bool = False,
        start: Array | None = None,
        some: Callable[[int], Array] | None = None,
        **given: Any,
    ) -> list[Any]:
        by = bind(find(name, "groupings", "consensus"), given)
        votes, cut = votes_of(numbers, where), _median_made(numbers, where)
        if brief and start is not None:
            return [Agreed(own) for own in drawn_of_votes(by, votes, start, cut)]
        found = sized(solved_of_votes(by, votes, cut))
        labels = some(SOME) if some is not None else np.zeros((0, where.items), np.int64)
        told = behind(votes, labels[None], np.ones((1, len(labels)), np.int64), found, [None] * len(found))
        return [replace(one, facts={**one.facts, "judges_drawn": len(labels)}) for one in told]

    return Additive(sums, of, needs=lambda method, left, unshown: _sections_of(name, left, unshown), sections=Counts)


def _sections_of(name: str, left_out: bool, unshown: bool) -> tuple[str, ...]:
    both = ("both",) if left_out or unshown else ()
    return (*both, *(("shown",) if unshown else ()), *(("made",) if name == "linkage" else ()))


def _median_made(numbers: Array, where: Counts) -> list[int]:
    """The median number of groups that judges made, the lower one where two are in the middle; at least one."""
    if "made" not in where.every:
        return [1] * len(numbers)
    made = np.cumsum(where.of(numbers, "made"), axis=1)
    return [max(int(np.searchsorted(own, own[-1] / 2)), 1) for own in made]


def solved_of_votes(method: Method, votes: Association, cut: Sequence[int]) -> list[Agreed]:
    """The consensus of every task from what judges add up to; ``cut`` are the medians of the numbers of groups made."""
    how: Mapping[str, Any] = method.parameters
    if method.name == "linkage":
        return linkage_of(votes, cut, how["groups"])
    if method.name == "pairs":
        return pairs_of(votes, Proofs(), how["left_out"], how["seconds"])
    return quorum_of(votes, Proofs(), how["q"], how["join"], how["seconds"])


def drawn_of_votes(method: Method, votes: Association, start: Array, cut: Sequence[int]) -> Array:
    """The same of panels drawn from one task's judges, ``[draw, item]``: the best found from ``start[item]``."""
    how: Mapping[str, Any] = method.parameters
    if method.name == "linkage":
        return np.stack([a.array for a in linkage_of(votes, cut, how["groups"])])
    if method.name == "quorum":
        return quorum_drawn(votes, how["q"], how["join"])
    return pairs_drawn(votes, start, how["left_out"])
