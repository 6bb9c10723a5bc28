"""The rows of every two judges as columns: who they are, and what a measure says of them.

There may be millions of them: beyond a number they are kept as codes and plain numbers, and names and floats are made
when a row is asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.judge_pairs import Compared, Pairs, mean_by
from quorate.groupings.measures import measure_of
from quorate.groupings.partitions import Partitions
from quorate.inference.resample import holm
from quorate.inference.results import Finding
from quorate.panel.kinds import Groupings
from quorate.table import Method

Array = NDArray[Any]
SIGNIFICANT = 0.05  # after Holm's correction
MANY = 100_000  # rows from which on they are kept as numbers: as Python's own they take four times the room


class Named(Sequence[Any]):
    """Pairs of names by their codes.

    >>> Named(["ann", "bob"], np.array([[0, 1], [1, 0]]))[1]
    ['bob', 'ann']
    """

    def __init__(self, names: Sequence[Hashable], codes: Array) -> None:
        self._names, self._codes = names, codes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, at: Any) -> Any:
        names, found = self._names, self._codes[at].tolist()
        return [[names[a], names[b]] for a, b in found] if isinstance(at, slice) else [names[k] for k in found]

    def __iter__(self) -> Iterator[Any]:
        for a in range(0, len(self), MANY):
            yield from self[a : a + MANY]


class Keys:
    """Task and judges of every row, once for all methods: a row per pair, or where the two ways differ two of them."""

    def __init__(self, panel: Groupings, parts: Sequence[Partitions], pairs: Pairs) -> None:
        self.some = np.flatnonzero(~pairs.copies)
        task, first, second = (x[self.some] for x in (pairs.task, pairs.first, pairs.second))
        code = np.concatenate([p.judges for p in parts])
        sizes = np.array([len(p.judges) for p in parts])
        row = (np.cumsum(sizes) - sizes)[task]
        self._tasks = [panel.tasks[parts[t].task] for t in task.tolist()]
        self._names = panel.judges
        self._codes = np.stack([code[row + first], code[row + second]], axis=1)
        self._made: dict[int, dict[str, Sequence[Any]]] = {}

    def of(self, ways: int) -> dict[str, Sequence[Any]]:
        """As columns; where there are two ways the second, with the judges exchanged, right below the first."""
        if ways not in self._made:
            codes = self._codes if ways == 1 else np.stack([self._codes, self._codes[:, ::-1]], axis=1).reshape(-1, 2)
            pair = Named(self._names, codes)
            tasks = self._tasks if ways == 1 else [t for t in self._tasks for _ in range(2)]
            self._made[ways] = {"task": tasks, "pair": pair if len(pair) > MANY else list(pair)}
        return dict(self._made[ways])

    @cached_property
    def _twos(self) -> tuple[list[list[Any]], Array]:
        """Every two judges who have a task in common, and which of these each row is of."""
        number = len(self._names)
        codes, owner = np.unique(self._codes[:, 0] * number + self._codes[:, 1], return_inverse=True)
        return list(Named(self._names, np.stack(np.divmod(codes, number), axis=1))), owner

    def means(self, f: Finding) -> list[dict[str, Any]]:
        """Of every two judges the mean over the tasks that both did, and on how many of these chance does as well.

        Where the two ways differ there is a row for each.
        """
        twos, owner = self._twos
        number, ways, once = len(twos), ways_of(f.method), np.ones(len(self.some))
        names = ("chance", "p_holm")
        value, chance, adjusted = (
            np.array(x, float).reshape(-1, ways).T for x in (f.values, *map(f.details.get, names))
        )
        columns = [
            {
                "value": mean_by(owner, value[k], number, once),
                "chance": mean_by(owner, chance[k], number, once),
                "tasks": np.bincount(owner[~np.isnan(value[k])], minlength=number),
                "more_than_chance": np.bincount(owner[beyond(f.method, value[k], chance[k]) > 0], minlength=number),
                "no_more_than_chance": np.bincount(owner[beyond(f.method, value[k], chance[k]) <= 0], minlength=number),
                "significant": np.bincount(owner[adjusted[k] <= SIGNIFICANT], minlength=number),
            }
            for k in range(ways)
        ]
        plain = [{name: column.tolist() for name, column in way.items()} for way in columns]
        return [
            {"pair": pair[::-1] if k else pair, "method": str(f.method), **{n: c[row] for n, c in plain[k].items()}}
            for row, pair in enumerate(twos)
            for k in range(ways)
        ]


def beyond(method: Method, value: Array, chance: Array) -> Array:
    """How much more two judges agree than chance does; NaN where one of the two is undefined."""
    return np.asarray(measure_of(method).sign * (value - chance))


def ways_of(method: Method) -> int:
    """How many values two judges have: 2 where it matters who of them comes first."""
    return 1 if measure_of(method).symmetric(method.parameters) else 2


def figures(c: Compared, some: Array, ways: int) -> dict[str, Sequence[Any]]:
    """The figures of each row."""
    columns = {
        "value": np.stack([c.forward, c.backward])[:ways, some],
        "chance": c.chance[:ways, some],
        "p_value": c.p[:ways, some],
        "items": np.stack([c.items, c.items])[:ways, some],
    }
    flat = {name: column.T.ravel() for name, column in columns.items()}
    flat["p_holm"] = holm(flat["p_value"])  # for as many rows as there are
    return {name: _column(column) for name, column in flat.items()}


def _column(values: Array) -> Sequence[Any]:
    if len(values) <= MANY:
        return values.tolist()  # type: ignore[no-any-return]
    return array("q" if values.dtype.kind == "i" else "d", values.tobytes())
