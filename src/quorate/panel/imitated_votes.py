"""What judges of one mind would vote on the same pairs: outcomes for the first of two, ``[copy, vote]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from quorate.panel.pairs import VoteDesign

Array = NDArray[Any]


def of_judges_alike(votes: VoteDesign, noise: float | Array, rng: np.random.Generator, copies: int) -> Array:
    """Judges who see one better system of each pair on a task, miss it by so much noise, and tie all as often.

    They miss it in about one cell at least, in two where there are three judges only: that judges agree on a few
    cells is no proof that they never err.
    """
    size, cells = (copies, len(votes.judge)), len(votes.task_of_cell)
    others = max(votes.opening.sum() / max(cells, 1) - 2, 1.0)  # beside the worst and the one who tells of the worst
    each = np.broadcast_to(noise, len(votes.judges))[votes.judge]
    missed = np.maximum(0.5 * each / (1 + each), (1 + 1 / others) / (cells + 2))
    better = rng.random((copies, cells), dtype=np.float32)[:, votes.cell] < 0.5
    right = rng.random(size, dtype=np.float32) >= missed
    low = np.where(_tied(votes, rng.random(size, dtype=np.float32)), 0.5, np.where(better == right, 1.0, 0.0))
    return np.where(votes.first < votes.second, low, 1 - low)


def of_one_mind(votes: VoteDesign, strengths: Array, steady: float, rng: np.random.Generator, copies: int) -> Array:
    """Judges who each have an order in mind, drawn by Plackett and Luce from common strengths, ``[system]``.

    Two votes of a judge go by it with probability ``steady``, else by orders drawn for the vote; ties are as many.
    """
    size = (copies, len(votes.judge))
    own = strengths + rng.gumbel(size=(copies, len(votes.judges), len(strengths)))
    gap = own[:, votes.judge, votes.first] - own[:, votes.judge, votes.second]
    anew = strengths[votes.first] - strengths[votes.second] + rng.logistic(size=size)
    outcome = np.where(rng.random(size) < np.sqrt(steady), gap, anew) > 0
    return np.where(_tied(votes, rng.random(size)), 0.5, outcome)


def _tied(votes: VoteDesign, drawn: Array) -> Array:
    """Which votes are ties: as large a share as the panel has."""
    return np.asarray(drawn < np.average(votes.outcome[0] == 0.5, weights=votes.count))
