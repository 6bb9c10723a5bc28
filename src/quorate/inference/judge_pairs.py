"""Every two judges: a row for each task and pair, what their own permuted answers give, and their means over tasks.

For methods of agreement that compare two judges at a time, and declare how: ``pairs`` compares every two of a task.
Chance is that of the two: the answers of all judges are permuted, and the same two are compared again. There may be
millions of rows: beyond a number they are kept as codes and plain numbers, and names and floats are made when a row is
asked for.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import NULLS, batch, split
from quorate.inference.engine import budget_of
from quorate.inference.null import holm, means_and_p
from quorate.inference.results import Finding, Options
from quorate.inference.samples import sampled
from quorate.inference.weights import stream
from quorate.kernels.defined import quotient
from quorate.panel.design import Design
from quorate.panel.rows import RowDesign
from quorate.table import Method

Array = NDArray[Any]
SIGNIFICANT = 0.05  # after Holm's correction
FEWEST = 5  # times that answers are permuted, however many pairs there are: Student's t knows how few that is
MANY = 100_000  # rows from which on they are kept as numbers: as Python's own they take four times the room
CELLS = 1 << 24  # values of permuted designs that are kept for the other methods


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

    def numbered(self, number: Mapping[Hashable, int]) -> Array:
        """The pairs as numbers of the names, ``[pair, 2]``, without a look at each."""
        return np.array([number[name] for name in self._names])[self._codes]

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
    chance: Array  # [pair, way] what their permuted answers give
    p: Array  # [pair, way]

    @property
    def ways(self) -> int:
        """How many values two judges have."""
        return int(self.value.shape[1])


def every_two_judges(finding: Finding, design: Design, options: Options) -> Finding:
    """The finding with its rows by pair: those of the tasks are a block, and means over tasks another.

    Of very many tasks some are looked at for the means, drawn at random, and rows stay those of the tasks.
    """
    if not isinstance(design, RowDesign):
        return finding
    some = sampled(design, options.seed)
    if some is not None:
        found = compared(finding.method, some, options)
        means = _over_tasks(found, holm(found.p.ravel()), some, finding.method)
        return replace(finding, blocks={**finding.blocks, "by_pair": means})
    found = compared(finding.method, design, options)
    adjusted = holm(found.p.ravel())  # for as many rows as there are
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
        "p_holm": adjusted,
    }
    over = {"by_pair": _over_tasks(found, adjusted, design, finding.method)} if len(design.tasks) > 1 else {}
    columns = {name: _column(column) for name, column in details.items()}
    return replace(
        finding, keys=keys, values=_column(found.value.ravel()), details=columns, blocks={**finding.blocks, **over}
    )


def compared(method: Method, design: RowDesign, options: Options) -> Pairs:
    """Every two judges, and the same two with the answers of all judges permuted."""
    known = design.every_two(method) or [_of_part([method], part.given[0])[0] for part in design.parts]
    seen = [(_ways(both), both.items[:, _different(both.items)]) for both in known]
    shapes = [value.shape for value, _ in seen]
    value = np.concatenate([value.ravel() for value, _ in seen])
    permuted = 0

    def draw(number: int) -> Array:
        nonlocal permuted
        begin, permuted = permuted, permuted + number

        def make(methods: Sequence[Method]) -> Sequence[Array]:
            rng = stream(options.seed, "pairs", design.kind, begin)
            parts = [_permuted(methods, design, part.given[0], number, rng) for part in design.parts]
            return [np.hstack(own) for own in zip(*parts, strict=True)]

        cells = number * len(value) * len(design.methods)
        return (
            design.shared(method, ("pairs", options.seed, begin, number), make) if cells < CELLS else make([method])[0]
        )

    chance, p, number = means_and_p(draw, value, _draws(method, design, options), method.sign)
    there = (number > 0) & ~np.isnan(value)
    least = [_least(method, part.given[0], shape[2]) for part, shape in zip(design.parts, shapes, strict=True)]
    p = np.where(there, np.maximum(p, np.concatenate(least)), np.nan)
    columns = [value, np.where(there, chance, np.nan), p]
    ends = np.cumsum([math.prod(shape) for shape in shapes])[:-1]
    told = zip(*(np.split(column, ends) for column in columns), strict=True)
    found = []
    for part, (_, items), shape, of in zip(design.parts, seen, shapes, told, strict=True):
        first, second = np.triu_indices(part.given[0].shape[1], 1)
        codes = np.stack([part.judges[:, first], part.judges[:, second]], axis=2).reshape(-1, 2)
        flat = (x.reshape(-1, shape[2]) for x in of)
        found.append((np.repeat(part.tasks, len(first)), codes, items.ravel(), *flat))
    every = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(every[0], kind="stable")
    return Pairs(*(column[order] for column in every))


def _draws(method: Method, design: Design, options: Options) -> int:
    """How often answers are permuted: as time allows, whatever was asked for, so that what is significant stays so."""
    if not options.permutations:
        return 0
    cost = method.declaration.properties["cost"]
    shapes = [part.given[0].shape for part in design.parts]
    work = sum(tasks * judges * (judges - 1) / 2 * items * cost(judges, items) for tasks, judges, items in shapes)
    return replace(budget_of(options), resamples=NULLS).draws(work, FEWEST)


def _of_part(methods: Sequence[Method], answers: Array) -> Sequence[Any]:
    """What each method says of every two judges, ``[task, pair]``, who is compared with himself among them."""
    found: Sequence[Any] = methods[0].declaration.properties["pairs"](methods, answers)
    return found


def _ways(both: Any) -> Array:
    """The values of every two different judges, ``[task, pair, way]``."""
    ways = [both.forward] if both.backward is both.forward else [both.forward, both.backward]
    return np.stack(ways, axis=2)[:, _different(both.forward)]


def _different(pairs: Array) -> Array:
    """Which of the pairs, the last axis, are of two judges."""
    first, second = np.triu_indices(math.isqrt(2 * pairs.shape[-1]))
    return np.asarray(first != second)


def _permuted(
    methods: Sequence[Method], design: RowDesign, answers: Array, number: int, rng: np.random.Generator
) -> list[Array]:
    """The values of every two judges whose answers were permuted so many times, of each method ``[draw, value]``."""
    out: list[list[Array]] = [[] for _ in methods]
    for k in split(number, batch(answers.size * answers.shape[1])):
        many = design.shuffled(np.tile(answers, (k, 1, 1)), rng)
        for own, both in zip(out, _of_part(methods, many), strict=True):
            own.append(_ways(both).reshape(k, -1))
    return [np.concatenate(own) for own in out]


def _least(method: Method, answers: Array, ways: int) -> Array:
    """The least p that two judges can have, as :func:`_ways` has them: chance must give one of them the same again.

    Few items can be permuted in few ways, which the tail of a smooth distribution does not know.
    """
    again = method.declaration.properties["again"](answers)  # [task, judge]
    first, second = np.triu_indices(answers.shape[1], 1)
    return np.repeat(np.maximum(again[:, first], again[:, second]).ravel(), ways)


def _over_tasks(found: Pairs, corrected: Array, design: Design, method: Method) -> list[dict[str, Any]]:
    """Of every two judges the mean over the tasks that both did, and on how many of these chance does as well."""
    judges = len(design.judges)
    twos, owner = np.unique(found.codes[:, 0] * judges + found.codes[:, 1], return_inverse=True)
    names = list(Named(design.judges, np.stack(np.divmod(twos, judges), axis=1)))
    adjusted = corrected.reshape(found.p.shape)
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
    return quotient(total, of)


def _column(values: Array) -> Sequence[Any]:
    if len(values) <= MANY:
        return values.tolist()  # type: ignore[no-any-return]
    return array("q" if values.dtype.kind == "i" else "d", values.astype(values.dtype.kind + "8").tobytes())
