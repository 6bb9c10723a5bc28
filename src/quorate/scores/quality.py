"""How good is a system, according to the judges? Leaderboards of systems by criterion, from the judges' scores.

No second file is needed: the scores are of systems' outputs. Systems that share a letter do not differ significantly;
clusters are told apart by every test between them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from quorate.panel.consensus_value import Agreed
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores import labels
from quorate.scores.averages import OF
from quorate.scores.bradley_terry import bradley_terry
from quorate.table import Method, Note, method, parse

__all__ = ["bradley_terry", "fitting", "mean_score"]


def fitting(panel: Scores, methods: Sequence[Method]) -> list[Method]:
    """Labels have no quality."""
    return labels.fitting(panel, "quality", methods)


@method(
    "scores",
    "quality",
    "mean_score",
    range=(-math.inf, math.inf),
    higher="better",
    default=True,
    parameters={"of": OF},
    symmetric=True,
    relabelling=True,
    null=False,
    clusters=True,
    note=Note(
        "A leaderboard from scores, with letters for differences that are significant.",
        "Systems scored by different judges or on different tasks are not comparable by it; use of=additive.",
        "mean over tasks of the judges' consensus on the system's output",
    ),
)
def mean_score(units: Units, of: str = "mean") -> Agreed:
    """The mean over tasks of what the judges agree on; of votes, the share of them that a system won."""
    found: Agreed = parse(of, "scores", "consensus")(units)
    return found
