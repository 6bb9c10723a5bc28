"""Measures of two partitions for many pairs at once: every two judges of a task, systems with judges, shuffled copies.

A contingency table is made once for each pair and way of treating left-out items, and all measures are read off its
sums. Labels are -1 where an item was left out; where one of the two has -2, which is no item of the task or not shown,
the item is not compared. Two partitions without a common item have no value (NaN).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.kernels.bit_tables import ITEMS
from quorate.kernels.contingency import Sums, pair_sums, tables
from quorate.kernels.defined import mean_along
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each
from quorate.kernels.partition_labels import dense
from quorate.panel.columns import encode, is_blank
from quorate.panel.design import Measured
from quorate.panel.partitions import treated
from quorate.table import Method, bind, find

Array = NDArray[Any]
Partition = Mapping[Any, Any] | Sequence[Any] | Array


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of two partitions: call it with clusters and classes, or give it the sums of many tables."""

    name: str
    formula: Callable[..., Array]
    sign: int  # 1 where higher is better, -1 where lower is
    symmetric: Callable[[Mapping[str, Any]], bool]  # whether exchanging clusters and classes changes nothing
    expected: bool  # needs the expected mutual information

    def __call__(self, clusters: Partition, classes: Partition, **parameters: Any) -> float:
        """The measure of two partitions; ``left_out`` is singletons, bucket or common."""
        how = dict(bind(find(self.name, "groupings", "agreement"), parameters).parameters)
        labels = treated(two_partitions(clusters, classes), str(how["left_out"]))
        return float(self.of(tables(labels[:1], labels[1:]).sums(expected=self.expected), **how)[0])

    def of(self, sums: Sums, **parameters: Any) -> Array:
        """The measure of each table; ``left_out`` was settled before."""
        parameters.pop("left_out", None)
        found, there = self.formula(sums, **parameters), sums.items > 0
        return found if there.all() else np.where(there, found, np.nan)

    def __repr__(self) -> str:
        return f"<{self.name}: a measure of two partitions>"


MEASURES: dict[str, Measure] = {}


def measure_of(chosen: Method) -> Measure:
    """The measure that a method of agreement is."""
    return MEASURES[chosen.name]


def both_ways(chosen: Method, sums: Sums) -> tuple[Array, Array]:
    """The first partition's clusters against the second's classes, and exchanged."""
    found, how = measure_of(chosen), chosen.parameters
    forward = found.of(sums, **how)
    return forward, forward if found.symmetric(how) else found.of(sums.turned(), **how)


@dataclass(frozen=True, eq=False)
class PairValues:
    """What a measure says of each pair; where it is the same both ways the two are one array."""

    forward: Array  # the first's clusters against the second's classes
    backward: Array  # exchanged
    items: Array  # how many are compared, whatever the measure

    @property
    def mean(self) -> Array:
        """The mean of both ways."""
        return self.forward if self.backward is self.forward else np.asarray((self.forward + self.backward) / 2)

    @property
    def square(self) -> Array:
        """Of every two judges, ``[task, pair]`` as :func:`every_two` has them, the table ``[task, judge, judge]``."""
        place, upper = _places(self.forward.shape[1])
        if self.backward is self.forward:
            return _table(self.forward, place)
        return np.where(upper, _table(self.forward, place), _table(self.backward, place))

    @property
    def mean_square(self) -> Array:
        """The same with the mean of both ways."""
        return _table(self.mean, _places(self.forward.shape[1])[0])

    def reshape(self, *shape: int) -> PairValues:
        """The pairs in another arrangement."""
        forward = self.forward.reshape(shape)
        backward = forward if self.backward is self.forward else self.backward.reshape(shape)
        return PairValues(forward, backward, self.items.reshape(shape))


@lru_cache(maxsize=16)
def _places(pairs: int) -> tuple[Array, Array]:
    """Which of so many pairs each cell of a table of judges is, and which cells have the pair as it is."""
    judges = math.isqrt(2 * pairs)
    a, b = np.triu_indices(judges)
    place = np.empty((judges, judges), np.intp)
    place[a, b] = place[b, a] = np.arange(pairs)
    return place, np.triu(np.ones((judges, judges), bool), 1)


def _table(pairs: Array, place: Array) -> Array:
    """The table ``[task, judge, judge]`` of values ``[task, pair]``."""
    return pairs.take(place.ravel(), axis=1).reshape(len(pairs), *place.shape)


def apart_from_treatment(chosen: Method) -> Hashable:
    """A measure with its parameters, whatever becomes of left-out items."""
    return chosen.name, *((n, v) for n, v in chosen.parameters.items() if n != "left_out")


def pair_values(methods: Sequence[Method], first: Array, second: Array, left: Array, right: Array) -> list[PairValues]:
    """Every method on the pairs of ``first[left]`` with ``second[right]``, labels ``[partition, item]``.

    Where nothing is left out, methods that differ in how they treat that share what is found.
    """
    complete = not ((first == -1).any() or (second == -1).any())
    keys = [("common" if complete else m["left_out"], apart_from_treatment(m)) for m in methods]
    distinct = dict(zip(keys, methods, strict=True))
    out: dict[Hashable, PairValues] = {}
    for way in dict.fromkeys(way for way, _ in keys):
        items = np.empty(len(left), np.int32)
        out |= {key: _empty(m, items) for key, m in distinct.items() if key[0] == way}
        some = [(m, out[key]) for key, m in distinct.items() if key[0] == way]
        one = treated(first, str(way))
        two = one if second is first else treated(second, str(way))
        expected = any(measure_of(m).expected for m, _ in some)
        for part, sums in pair_sums(one, two, left, right, expected=expected):
            items[part] = sums.items
            for m, found in some:
                found.forward[part], found.backward[part] = both_ways(m, sums)
    return [out[key] for key in keys]


def _empty(chosen: Method, items: Array) -> PairValues:
    forward = np.empty(len(items))
    same = measure_of(chosen).symmetric(chosen.parameters)
    return PairValues(forward, forward if same else np.empty(len(items)), items)


def every_two(methods: Sequence[Method], labels: Array, himself: bool = True) -> list[PairValues]:
    """Every two judges by every method, ``[task, pair]``, in the order of :func:`numpy.triu_indices`, himself too.

    From ``labels[task, judge, item]``.
    """
    tasks, judges, items = labels.shape
    rows = labels.reshape(-1, items)
    base = (np.arange(tasks) * judges)[:, None]
    left, right = ((base + x).ravel() for x in np.triu_indices(judges, 0 if himself else 1))
    return [found.reshape(tasks, -1) for found in pair_values(methods, rows, rows, left, right)]


def squares(methods: Sequence[Method], labels: Array) -> list[Array]:
    """Every two judges by every method, ``[task, judge, judge]``: the clusters of the first, the second's classes.

    From ``labels[task, judge, item]``; on the diagonal a judge is compared with himself.
    """
    return [found.square for found in every_two(methods, labels)]


def once(labels: Array) -> Array:
    """The labels; of draws of one task, which all hold the same, the first."""
    return labels[:1] if len(labels) > 1 and labels.strides[0] == 0 else labels


def mean_square(chosen: Method, labels: Array) -> Array:
    """Every two judges, the mean of both ways, ``[task, judge, judge]``; one task where all hold the same."""
    return mean_squares([chosen], labels)[0]


def mean_squares(methods: Sequence[Method], labels: Array) -> list[Array]:
    """The same by several methods."""
    return [found.mean_square for found in every_two(methods, once(labels))]


def agreements(methods: Sequence[Method], labels: Array, counts: Array, alike: bool) -> list[Measured]:
    """The mean over every two judges, ``[task]``; ``alike``: a row that stands for many judges has pairs of its own."""
    return [Measured(mean_of_pairs(square, counts, alike)) for square in mean_squares(methods, labels)]


def agreements_at_once(methods: Sequence[Method], labels: Array, counts: Array, alike: bool) -> list[Measured]:
    """The same for several methods together; of rows that are one judge each nobody is compared with himself."""
    if (counts != 1).any() or labels.shape[1] < 2:
        return agreements(methods, labels, counts, alike)
    return [Measured(mean_along(both.mean)) for both in every_two(methods, labels, himself=False)]


def agreement_without_each(chosen: Method, labels: Array, counts: Array) -> Array:
    """The same without each judge, ``[task, judge]``."""
    return mean_without_each(mean_square(chosen, labels), counts, counted=True)


def table_cost(judges: int, items: int) -> float:
    """What the table of two partitions costs, an item: small ones are made of bits."""
    return 250 / max(items, 1) + (2.0 if items <= ITEMS else 15.0)


def _narrow(labels: Array) -> Array:
    """The labels, renumbered where tables of them would be too large."""
    return labels if int(labels.max(initial=0)) <= labels.shape[-1] else dense(labels)


def with_others(methods: Sequence[Method], own: Array, labels: Array) -> list[Array]:
    """The mean of every judge's ``own[copy, judge, item]`` with what the others say, ``labels[task, judge, item]``,
    ``[copy, judge]``: both ways; of shorter labels from their beginning again."""
    judges = labels.shape[1]
    one, two = (_narrow(x.reshape(-1, x.shape[-1])) for x in (own, labels))
    others = np.flatnonzero(~np.eye(judges, dtype=bool)).reshape(judges, -1) % judges
    left, begin = np.repeat(np.arange(len(one)), judges - 1), np.arange(len(own)) * judges % len(two)
    right = (begin[:, None, None] + others).ravel()
    shape = (*own.shape[:2], judges - 1)
    return [mean_along(found.mean.reshape(shape)) for found in pair_values(methods, one, two, left, right)]


def crossed(methods: Sequence[Method], first: Array, second: Array) -> list[PairValues]:
    """Every partition of ``first[..., a, item]`` with every one of ``second[..., b, item]``, ``[..., b, a]``; of a
    shorter ``second`` from its beginning again."""
    each, of = first.shape[-2], second.shape[-2]
    one, two = (_narrow(x.reshape(-1, x.shape[-1])) for x in (first, second))
    right = np.repeat(np.arange(len(one) // each * of), each)
    left = np.tile(np.arange(each), len(right) // each) + right // of * each
    right %= len(two)
    return [found.reshape(*first.shape[:-2], of, each) for found in pair_values(methods, one, two, left, right)]


def two_partitions(clusters: Partition, classes: Partition) -> Array:
    """Two plain partitions, ``{item: group}`` or one label an item, as ``labels[2, item]``; None is left out."""
    if isinstance(clusters, Mapping) != isinstance(classes, Mapping):
        raise InputError(
            "one partition is {item: group}, the other is not.", "give both as dicts, or both as lists of labels."
        )
    if isinstance(clusters, Mapping) and isinstance(classes, Mapping):
        items = dict.fromkeys((*clusters, *classes))
        return np.stack([_labels([p.get(i) for i in items]) for p in (clusters, classes)])
    if len(clusters) != len(classes):
        raise InputError(
            f"the partitions have {len(clusters)} and {len(classes)} items.",
            "two lists of labels are compared place by place; use {item: group} where items differ.",
        )
    return np.stack([_labels(clusters), _labels(classes)])


def _labels(values: Any) -> Array:
    """One label per item as dense integers; nothing there is left out."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
        if low >= 0 and high <= 2 * values.size + 16:  # dense enough as they are
            return values.astype(np.int64)
        return np.unique(values, return_inverse=True)[1].ravel()
    coded = encode(values)
    blank = np.array([is_blank(i) for i in coded.ids], bool)
    codes = coded.codes.astype(np.int64)
    if blank.any():
        codes[blank[coded.codes]] = -1
        codes = dense(codes)
    return codes
