"""What a consensus method says: the one shape of result of that question, the same for every kind."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Agreed:
    """What the judges of a task agree on, a number per item: its place (1 is best), its group (-1: left out), a score.

    Names come later: a kind's ``consensus.told`` makes orders and groups of items from the numbers.
    """

    array: Array  # [item]
    scores: Array | None = None  # [item] what the numbers were made of: rank sums, strengths, votes for a label
    facts: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)  # item numbers, to be replaced by the items' names
    judges: Mapping[str, Array] = field(default_factory=dict)  # [judge] the weight or the effect of each
    dropped: Sequence[int] = ()  # judges left out as outliers


def named(what: Any, items: Sequence[Hashable]) -> Any:
    """Item numbers, in lists of any depth, as the items' names."""
    if isinstance(what, list | tuple):
        return [named(w, items) for w in what]
    return None if what is None else items[int(what)]
