"""Every two judges: a row for each task and pair, what random answers like theirs give, and their means over tasks.

For methods of agreement that compare two judges at a time, and declare how: ``pairs`` compares every two of a task,
``crossed`` every judge with other answers. There may be millions of rows: beyond a number they are kept as codes and
plain numbers, and names and floats are made when a row is asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import batch
from quorate.inference.engine import budget_of
from quorate.inference.null import holm, p_value, reaches
from quorate.inference.results import Finding, Options
from quorate.inference.weights import blocks, stream
from quorate.panel.design import Design
from quorate.panel.rows import VOTERS, RowDesign, lots
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


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two judges of every task, task by task; where it matters who comes first both ways, else one."""

    task: Array  # [pair]
    codes: Array  # [pair, 2] numbers of the judges
    items: Array  # [pair] how many are compared
    value: Array  # [pair, way]
    chance: Array  # [pair, way] what random answers give
    p: Array  # [pair, way]

    @property
    def ways(self) -> int:
        """How many values two judges have."""
        return int(self.value.shape[1])


def every_two_judges(finding: Finding, design: Design, options: Options) -> Finding:
    """The finding with its rows by pair: those of the tasks are a block, and means over tasks another."""
    if not isinstance(design, RowDesign):
        return finding
    found = compared(finding.method, design, options)
    codes = found.codes if found.ways == 1 else np.stack([found.codes, found.codes[:, ::-1]], axis=1).reshape(-1, 2)
    pairs = Named(design.judges, codes)
    keys = {
        "task": [design.tasks[t] for t in np.repeat(found.task, found.ways).tolist()],
        "pair": pairs if len(pairs) > MANY else list(pairs),
    }
    details = {
        "chance": found.chance.ravel(),
        "p_value": found.p.ravel(),
        "items": np.repeat(found.items, found.ways),
        "p_holm": holm(found.p.ravel()),  # for as many rows as there are
    }
    over = {"by_pair": _over_tasks(found, design, finding.method)} if len(design.tasks) > 1 else {}
    columns = {name: _column(column) for name, column in details.items()}
    return replace(
        finding, keys=keys, values=_column(found.value.ravel()), details=columns, blocks={**finding.blocks, **over}
    )


def random_number(method: Method, design: Design, options: Options) -> int:
    """With how many random answers of a task its judges are compared."""
    return budget_of(options).nulls(sum(_work(method, part) for part in design.parts))


def _work(method: Method, part: Any) -> float:
    """What it takes to compare the judges of a part with one random row each."""
    cost = method.declaration.properties["cost"]
    return float(part.given[0].size * cost(*part.given[0].shape[1:]))


def compared(method: Method, design: RowDesign, options: Options) -> Pairs:
    """Every two judges, and both of them with random answers."""
    number, rng = random_number(method, design, options), stream(options.seed, "random answers", method)
    found = [_of_part(method, design, part, number, rng) for part in design.parts]
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return Pairs(*(column[order] for column in columns))


def _of_part(method: Method, design: RowDesign, part: Any, number: int, rng: np.random.Generator) -> tuple[Array, ...]:
    answers = part.given[0]
    tasks, judges, _ = answers.shape
    first, second = np.triu_indices(judges)
    (both,) = method.declaration.properties["pairs"]([method], answers)
    other = first != second
    first, second = first[other], second[other]
    ways = [both.forward] if both.backward is both.forward else [both.forward, both.backward]
    value = np.stack(ways, axis=2)[:, other]  # [task, pair, way]
    chance, p = np.full(value.shape, np.nan), np.full(value.shape, np.nan)
    step = batch(max(number, 1) * _work(method, part) / tasks)
    for a in range(0, tasks if number and len(first) else 0, step):
        some = slice(a, a + step)
        random = design.shuffled(any_judges(answers[some], part.counts[some], number, rng), rng)
        (beside,) = method.declaration.properties["crossed"]([method], answers[some], random)
        # A pair is held against its first judge with random classes and random clusters with its second judge.
        for way, (x, y) in enumerate(((first, second), (second, first))[: len(ways)]):
            drawn = (beside.forward, x), (beside.backward, y)
            chance[some, :, way], p[some, :, way] = _against(value[some, :, way], drawn, method.sign)
    codes = np.stack([part.judges[:, first], part.judges[:, second]], axis=2)
    task = np.repeat(part.tasks, len(first))
    shape = (-1, len(ways))
    return task, codes.reshape(-1, 2), both.items[:, other].ravel(), *(x.reshape(shape) for x in (value, chance, p))


def any_judges(answers: Array, counts: Array, number: int, rng: np.random.Generator) -> Array:
    """So many rows of every task: those of its judges in turn, ``[task, number, item]``."""
    rows = np.empty((len(answers), number), np.int64)
    for t, each in enumerate(counts):
        turn = lots(each, VOTERS)[0]
        rows[t] = turn[rng.permutation(len(turn))[np.arange(number) % len(turn)]]
    return np.take_along_axis(answers, rows[:, :, None], axis=1)


def _against(values: Array, drawn: Sequence[tuple[Array, Array]], sign: int) -> tuple[Array, Array]:
    """What chance gives for each pair, ``[task, pair]``, and how often it is as good as the value.

    ``drawn`` holds values ``[task, draw, judge]`` and which judge of a pair they are of.
    """
    number, total, reached = (np.zeros(values.shape) for _ in range(3))
    for array_, at in drawn:
        known = ~np.isnan(array_)
        number += known.sum(axis=1)[:, at]
        total += np.where(known, array_, 0.0).sum(axis=1)[:, at]
        for some in blocks(len(at), array_.shape[0] * array_.shape[1]):
            reached[:, some] += reaches(array_[:, :, at[some]], values[:, None, some], sign).sum(axis=1)
    there = number > 0
    chance = np.divide(total, number, out=np.full(values.shape, np.nan), where=there)
    return chance, np.where(there & ~np.isnan(values), p_value(reached, number), np.nan)


def _over_tasks(found: Pairs, design: Design, method: Method) -> list[dict[str, Any]]:
    """Of every two judges the mean over the tasks that both did, and on how many of these chance does as well."""
    judges = len(design.judges)
    twos, owner = np.unique(found.codes[:, 0] * judges + found.codes[:, 1], return_inverse=True)
    names = list(Named(design.judges, np.stack(np.divmod(twos, judges), axis=1)))
    adjusted = holm(found.p.ravel()).reshape(found.p.shape)
    ways = []
    for way in range(found.ways):
        value, chance = found.value[:, way], found.chance[:, way]
        above = beyond(method, value, chance)
        columns = {
            "value": _mean_by(owner, value, len(twos)),
            "chance": _mean_by(owner, chance, len(twos)),
            "tasks": np.bincount(owner[~np.isnan(value)], minlength=len(twos)),
            "more_than_chance": np.bincount(owner[above > 0], minlength=len(twos)),
            "no_more_than_chance": np.bincount(owner[above <= 0], minlength=len(twos)),
            "significant": np.bincount(owner[adjusted[:, way] <= SIGNIFICANT], minlength=len(twos)),
        }
        ways.append({name: column.tolist() for name, column in columns.items()})
    return [
        {"pair": pair[::-1] if way else pair, **{name: column[row] for name, column in columns.items()}}
        for row, pair in enumerate(names)
        for way, columns in enumerate(ways)
    ]


def beyond(method: Method, value: Array, chance: Array) -> Array:
    """How much more two judges agree than chance does; NaN where one of the two is undefined."""
    return np.asarray(method.sign * (value - chance))


def _mean_by(owner: Array, values: Array, number: int) -> Array:
    """Means of what is defined, by owner."""
    there = ~np.isnan(values)
    of = np.bincount(owner[there], minlength=number)
    total = np.bincount(owner[there], values[there], number)
    return np.asarray(np.divide(total, of, out=np.full(number, np.nan), where=of > 0))


def _column(values: Array) -> Sequence[Any]:
    if len(values) <= MANY:
        return values.tolist()  # type: ignore[no-any-return]
    return array("q" if values.dtype.kind == "i" else "d", values.astype(values.dtype.kind + "8").tobytes())
