"""How consistent each judge is with himself, as a weight or to find the worst: the values of self-consistency alone."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import Options
from quorate.panel.kinds import Scores
from quorate.panel.units import by_criterion
from quorate.scores.self_consistency import self_consistency

Array = NDArray[Any]


def own_alphas(panel: Scores, criterion: Hashable | None) -> Array:
    """Interval alpha of each judge's repeats on one criterion, NaN where there are none or nothing varies.

    >>> panel = Scores.build({"judge": ["a"] * 4, "item": list("xyzw"), "text": list("ppqq"), "score": [1, 1, 5, 5]})
    >>> own_alphas(panel, None).tolist()
    [1.0]
    """
    units = next(u for u in by_criterion(panel) if u.criterion == criterion)
    return np.asarray(self_consistency(panel, units, Options(resamples=0)).values)
