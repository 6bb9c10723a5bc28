"""Nouveau-ROUGE: of an update summary, what is new against what readers know already.

``a0 + old * ROUGE(summary, earlier models) + new * ROUGE(summary, update models)``: old content costs (old < 0), new
content pays (new > 0). With the published coefficients the figure is on the scale of the judges' scores, not 0 to 1.
Conroy, Schlesinger and O'Leary, Computational Linguistics 37(1), 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.errors import BadParameter, InputError
from quorate.summaries.rouge.score import rouge

Array = NDArray[Any]
LEAST = 4  # summaries for three coefficients and an error


@dataclass(frozen=True)
class Nouveau:
    """Coefficients of Nouveau-ROUGE; fitted ones know from how many summaries and how well (R squared).

    >>> float(PUBLISHED[2].score(0.02, 0.10).round(4))
    2.9191
    """

    constant: float
    old: float
    new: float
    summaries: int | None = None
    r_squared: float | None = None

    @property
    def plausible(self) -> bool:
        """Old content costs and new content pays."""
        return self.old < 0 < self.new

    def score(self, earlier: ArrayLike, update: ArrayLike) -> Array:
        """The score from ROUGE against the earlier and against the update models."""
        return np.asarray(self.constant + self.old * np.asarray(earlier, float) + self.new * np.asarray(update, float))


PUBLISHED = {1: Nouveau(-0.0271, -7.3550, 13.4227), 2: Nouveau(0.9126, -5.4536, 21.1556)}  # by n of ROUGE-n recall


def fit(earlier: ArrayLike, update: ArrayLike, scores: ArrayLike) -> Nouveau:
    """Coefficients by least squares from judges' scores; rows with a missing figure are left aside.

    Look at ``plausible`` before use: other signs mean that the data do not tell old from new.
    """
    table = np.column_stack([np.asarray(c, float).ravel() for c in (earlier, update, scores)])
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) < LEAST:
        raise InputError(f"{len(table)} summaries are too few for three coefficients.", f"give at least {LEAST}.")
    design = np.column_stack([np.ones(len(table)), table[:, :2]])
    found, _, rank, _ = np.linalg.lstsq(design, table[:, 2], rcond=None)
    if rank < design.shape[1]:
        raise InputError(
            "the figures do not tell the coefficients apart.", "both kinds of ROUGE must vary, not together."
        )
    spread = float(((table[:, 2] - table[:, 2].mean()) ** 2).sum())
    errors = float(((table[:, 2] - design @ found) ** 2).sum())
    r_squared = 1 - errors / spread if spread > 0 else float("nan")
    constant, old, new = found.tolist()
    return Nouveau(constant, old, new, len(table), r_squared)


def nouveau_rouge(
    summaries: Sequence[str],
    earlier: Sequence[Sequence[str]],
    update: Sequence[Sequence[str]],
    n: int = 2,
    coefficients: Nouveau | None = None,
    **options: Any,
) -> Array:
    """Nouveau-ROUGE-n of update summaries; options are those of :func:`quorate.summaries.rouge.rouge`."""
    if coefficients is None:
        if n not in PUBLISHED:
            raise BadParameter(
                f"no published coefficients for n={n}.", f"n is 1 or 2, or give coefficients (see {fit.__name__})."
            )
        coefficients = PUBLISHED[n]
    old, new = (rouge(summaries, models, [str(n)], **options)[f"{n}_R"] for models in (earlier, update))
    return coefficients.score(old, new)
