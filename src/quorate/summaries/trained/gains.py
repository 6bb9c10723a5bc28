"""Does training without the worst judges pay? Table 5 over several collections, each counted once.

A single Table 5 cannot tell: its cells share one collection and one set of judges. Over collections the mean gain has
an interval (Student's t, collections as units). Two comparisons: with training on all tasks, and with training without
as many *other* judges, which is the fair one: both lost as many tasks.

The study of the documentation was fixed before it was run: seeds 100 to 115, collections of 24 topics and 30 systems
with the generator's own settings, the worst judge of each year left out, and one statistic: the mean over collections
of the mean difference of all metrics against training on all tasks. "Not worse" means that the lower end of its 95 %
interval is above -0.01. The other figures are shown, not tested.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quorate.inference.student import quantile
from quorate.summaries.trained import lock, table5
from quorate.summaries.trained.features import registry
from quorate.summaries.trained.year import read_year
from quorate.summaries.units.made_up import MadeUp

MARGIN = 0.01  # of a correlation: a mean loss below this is taken for none
SLOW = ("rouge_l", "rouge_w")  # cost more than all other features together, and say what rouge_1 and rouge_2 say
BESIDES = {"all": "training on all tasks", "random": "training without as many other judges"}


@dataclass(frozen=True)
class Gain:
    """The mean difference in Pearson's correlation on the test year, over collections."""

    target: str  # "" for all of them
    beside: str  # "all" or "random"
    collections: int
    value: float
    low: float
    high: float

    @property
    def not_worse(self) -> bool:
        """Whether a loss of more than the margin is outside the interval."""
        return self.low > -MARGIN

    @property
    def better(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.low > 0

    def sentence(self) -> str:
        """The gain in words."""
        about = f" of {self.target}" if self.target else ""
        said = f"Metrics{about} trained without the worst judges gain {self.value:+.4f} ({self.low:+.4f} to "
        said += f"{self.high:+.4f}, {self.collections} collections) against {BESIDES[self.beside]}: "
        return said + ("better." if self.better else f"not worse by {MARGIN}." if self.not_worse else "not shown.")


def gains(tables: Sequence[Sequence[Mapping[str, Any]]], level: float = 0.95) -> list[Gain]:
    """The gains over collections: of all metrics, then by target. ``tables`` holds the rows of each Table 5.

    >>> row = {"target": "pyramid", "training": "new (alpha)", "pearson": 0.9, "difference": 0.02, "random": 0.87}
    >>> first = gains([[row], [{**row, "difference": 0.04}]])[0]
    >>> first.beside, round(first.value, 3), first.better
    ('all', 0.03, False)
    """
    kept = [[r for r in rows if "difference" in r] for rows in tables]
    targets = list(dict.fromkeys(str(r["target"]) for rows in kept for r in rows))
    out = []
    for target in ("", *targets):
        for beside in BESIDES:
            means = [_mean([r for r in rows if target in ("", r["target"])], beside) for rows in kept]
            out.append(_gain(target, beside, [m for m in means if not math.isnan(m)], level))
    return out


def _mean(rows: Sequence[Mapping[str, Any]], beside: str) -> float:
    found = [r["difference"] if beside == "all" else _less(r["pearson"], r.get("random")) for r in rows]
    known = [d for d in found if d is not None and not math.isnan(d)]
    return float(np.mean(known)) if known else math.nan


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _gain(target: str, beside: str, means: Sequence[float], level: float) -> Gain:
    n = len(means)
    value = float(np.mean(means)) if n else math.nan
    half = quantile(level, n - 1) * float(np.std(means, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Gain(target, beside, n, value, value - half, value + half)


def table_5(made: MadeUp, *, size: int = 2, controls: int = 3, seed: int = 0, **how: Any) -> list[dict[str, Any]]:
    """The rows of Table 5 on a made-up collection: three years, the last one locked until the metrics are written."""
    how = {"features": [f for f in registry() if f not in SLOW], "again": 0, **how}
    with tempfile.TemporaryDirectory() as place:
        made.write(place)
        folders = [Path(place, str(y)) for y in made.year_names()]
        years = [read_year(f) for f in folders[:2]]
        trained = table5.train_all(years[0], years[1], size=size, controls=controls, seed=seed, **how)
        choice = Path(place, "choice.json")
        lock.write(choice, {"metrics": [t.metric.body() for t in trained]})
        test = lock.Sealed(lambda: read_year(folders[2])).open(choice)
        return list(table5.rows(trained, test, seed=seed, permutations=1))  # the collections are the test here
