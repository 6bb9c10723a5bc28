"""Measures of two partitions for many pairs at once: every two judges of a task, systems with judges, shuffled copies.

A contingency table is made once for each pair and way of treating left-out items, and all measures are read off its
sums. Labels are -1 where an item was left out; where one of the two has -2, which is no item of the task or not shown,
the item is not compared. Two partitions without a common item have no value (NaN).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.measures import both_ways, measure_of
from quorate.groupings.partitions import treated
from quorate.kernels.contingency import pair_sums
from quorate.kernels.partition_labels import dense
from quorate.table import Method

Array = NDArray[Any]


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

    def reshape(self, *shape: int) -> PairValues:
        """The pairs in another arrangement."""
        return PairValues(*(x.reshape(shape) for x in (self.forward, self.backward, self.items)))


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


def squares(methods: Sequence[Method], labels: Array) -> list[Array]:
    """Every two judges by every method, ``[task, judge, judge]``: the clusters of the first, the second's classes.

    From ``labels[task, judge, item]``; on the diagonal a judge is compared with himself.
    """
    tasks, judges, items = labels.shape
    rows = labels.reshape(-1, items)
    a, b = np.triu_indices(judges)
    base = (np.arange(tasks) * judges)[:, None]
    out = []
    for found in pair_values(methods, rows, rows, (base + a).ravel(), (base + b).ravel()):
        square = np.empty((tasks, judges, judges))
        square[:, a, b] = found.forward.reshape(tasks, -1)
        square[:, b, a] = found.backward.reshape(tasks, -1)
        out.append(square)
    return out


def crossed(methods: Sequence[Method], first: Array, second: Array) -> list[PairValues]:
    """Every partition of ``first[..., a, item]`` with every one of ``second[..., b, item]``, ``[..., b, a]``."""
    each, of = first.shape[-2], second.shape[-2]
    one, two = (dense(x.reshape(-1, x.shape[-1])) for x in (first, second))
    right = np.repeat(np.arange(len(two)), each)
    left = np.tile(np.arange(each), len(two)) + right // of * each
    return [found.reshape(*first.shape[:-2], of, each) for found in pair_values(methods, one, two, left, right)]
