"""What do the judges agree on? One order of the systems, by their strengths or by the share of votes they won."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority
from quorate.kernels.order_certainty import order_certainty
from quorate.panel.design import Measured
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_counts import Often
from quorate.table import Note, method
from quorate.votes import bradley_terry as strength

__all__ = ["certainty", "order", "strengths", "win_rate"]

Array = NDArray[Any]
CALLED = "ranking"  # what the answer is


@method(
    "votes",
    "consensus",
    "strengths",
    range=(1, float("inf")),
    higher="a later place",
    default=True,
    parameters=strength.PARAMETERS,
    reference="Bradley and Terry 1952; Davidson 1970; Rao and Kupper 1967",
    symmetric=True,
    relabelling=True,
    cost=strength.cost,
    looks=strength.looks,
    packed=strength.plain_pairs,
    note=Note(
        "One order of systems that did not all meet one another equally often.",
        "Where preferences go round in a circle no strength can tell it; parts that nobody compared are not ordered.",
        "order of s, where the log odds that a, shown first, beats b are s_a - s_b + place + x @ effects",
    ),
)
def strengths(
    v: VoteDesign,
    often: Often,
    ties: str = "davidson",
    place: str = "auto",
    prior: float = 0.5,
    covariates: str | None = None,
    discrimination: str = "same",
) -> Measured:
    """Systems by their strengths in the one model of votes, which weighs who was beaten."""
    return strength.strengths(v, often, ties, place, prior, covariates, discrimination)


@method(
    "votes",
    "consensus",
    "win_rate",
    range=(1, float("inf")),
    higher="a later place",
    default=True,
    symmetric=True,
    relabelling=True,
    packed=lambda method: True,
    note=Note(
        "One order that everybody can check by counting.",
        "A system that met only weak ones comes out too high.",
        "order of wins / votes",
    ),
)
def win_rate(v: VoteDesign, often: Often) -> Measured:
    """Systems by the share of votes they won, a tie counting half."""
    return Measured(strength.win_rates(v, often))


def order(values: Array) -> Array:
    """Dense positions by falling value, ``[draw, system]``; systems without a value come last."""
    return majority.places(np.where(np.isnan(values), -np.nanmin(values, initial=0.0) + 1, -values))


def certainty(positions: Array, drawn: Array | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """Where each system's place lies in resampled panels, and how often each is first there."""
    return order_certainty(positions, drawn, items, level)
