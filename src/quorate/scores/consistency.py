"""How consistent each judge is on repeats: alpha over what the judge scored more than once on a task.

Repeats are the same item again (another occasion), or identical texts of different items, where texts are known.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.columns import Coded, keys, narrow
from quorate.kernels import reliability as kernel
from quorate.panels import Scores
from quorate.scores.units import criteria

Array = NDArray[Any]


def own_alphas(panel: Scores, criterion: Hashable | None) -> Array:
    """Interval alpha of each judge's repeats on one criterion, NaN where there are none or nothing varies.

    >>> panel = Scores.build({"judge": ["a"] * 4, "item": list("xyzw"), "text": list("ppqq"), "score": [1, 1, 5, 5]})
    >>> own_alphas(panel, None).tolist()
    [1.0]
    """
    rows = next(rows for name, rows in criteria(panel) if name == criterion)
    more = [panel.labels["year"]] if "year" in panel.labels else []
    what = _texts(panel.labels["text"]) if "text" in panel.labels else None
    same = [what] if what is not None else [panel.item, *([panel.labels["system"]] if "system" in panel.labels else [])]
    group = keys(panel.judge, panel.task, *same, *more)[rows]
    judge = panel.judge.codes[rows]
    if what is not None:  # an item without a text repeats nothing
        known = np.array([t is not None for t in what.ids], bool)[what.codes[rows]]
        rows, group, judge = rows[known], group[known], judge[known]
    _, unit = np.unique(group, return_inverse=True)
    unit = unit.ravel()
    out = np.full(len(panel.judges), np.nan)
    for j in range(len(out)):
        mine = np.flatnonzero(judge == j)
        if len(mine) > 1:
            _, place = np.unique(unit[mine], return_inverse=True)
            found = kernel.sums(place.ravel(), panel.value[rows[mine]], int(place.max()) + 1)
            out[j] = float(kernel.alpha_of(found.parts().sum(axis=0)))
    return out


def _texts(text: Coded) -> Coded:
    """Texts with line ends and runs of blanks made alike."""
    clean: dict[Any, int] = {}
    code = [clean.setdefault(" ".join(str(t).split()) if t is not None else None, len(clean)) for t in text.ids]
    return Coded(tuple(clean), narrow(np.array(code, np.int64)[text.codes], len(clean)))
