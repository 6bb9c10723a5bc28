"""Means over tasks with the tasks drawn anew: the same draws for every judge and method that has as many tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import DRAWS, Interval, centred, stream
from quorate.inference.results import Options

Array = NDArray[Any]
CELLS = 1 << 21  # counts made at a time
KEPT = 1 << 23  # counts kept for the next to ask


class TaskDraws:
    """Draws of so many tasks with putting back, ``[resample, task]`` how often each is drawn; made when asked for."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._kept: dict[int, Array] = {}

    def means(self, values: Array) -> Array:
        """Of ``values[task, column]``, all defined, the means over drawn tasks, ``[resample, column]``."""
        tasks = len(values)
        if tasks not in self._kept:
            number = max(min(self.options.resamples, DRAWS // tasks), 200)
            if number * tasks > KEPT:
                return np.concatenate([part @ values for part in self._made(tasks, number)]) / tasks
            self._kept[tasks] = np.concatenate(list(self._made(tasks, number)))
        return np.asarray(self._kept[tasks] @ values / tasks)

    def _made(self, tasks: int, number: int) -> Any:
        rng = stream(self.options.seed, "tasks drawn anew", tasks)
        step = max(1, CELLS // tasks)
        for a in range(0, number, step):
            rows = min(step, number - a)
            drawn = rng.integers(tasks, size=(rows, tasks)) + np.arange(rows)[:, None] * tasks
            yield np.bincount(drawn.ravel(), minlength=rows * tasks).reshape(rows, tasks).astype(float)

    def intervals(self, columns: list[Array], range: tuple[float, float]) -> list[Interval | None]:
        """The interval of each column's mean, over the tasks in which it is defined; None of fewer than two."""
        known = [c[~np.isnan(c)] for c in columns]
        out: list[Interval | None] = [None] * len(columns)
        for size in {len(c): None for c in known if len(c) > 1}:
            alike = [k for k, c in enumerate(known) if len(c) == size]
            drawn = self.means(np.stack([known[k] for k in alike], axis=1))
            for k, means in zip(alike, drawn.T, strict=True):
                out[k] = centred(float(known[k].mean()), means, self.options.level, "tasks", size, range)
        return out
