"""Very many names in a column of polars: 16 to 30 bytes each, where a Python text has 60 and a place in every tuple.

A sequence like any other to whoever asks for a name, some of them, or all in turn.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
AT_ONCE = 100_000  # names that are Python objects at a time


class ManyNames(Sequence[Hashable]):
    """Names, all of them texts or all whole numbers."""

    def __init__(self, names: Any) -> None:
        self.names = names.rechunk()

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Hashable: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Hashable]: ...
    def __getitem__(self, place: int | slice) -> Any:
        found = self.names[place]
        return ManyNames(found) if isinstance(place, slice) else found

    def __iter__(self) -> Iterator[Hashable]:
        for a in range(0, len(self), AT_ONCE):
            yield from self.names.slice(a, AT_ONCE).to_list()

    @property
    def size(self) -> int:
        """Bytes that they take."""
        return int(self.names.estimated_size())

    def take(self, places: Array) -> ManyNames:
        """The names at some places, in their order; these names where they are all as they stand."""
        if len(places) == len(self) and (places[1:] > places[:-1]).all():
            return self
        return ManyNames(self.names.gather(places))

    def places_among(self, known: ManyNames) -> Array:
        """The place of each among others, which have all of these."""
        if self is known or self.names.equals(known.names):
            return np.arange(len(self), dtype=np.uint32)
        mine, others = self.names.alias("name").to_frame(), known.names.alias("name").to_frame().with_row_index("place")
        return np.asarray(mine.join(others, on="name", maintain_order="left").get_column("place").to_numpy())

    def order(self) -> Array:
        """The places of names in their order: texts by their letters alone, numbers by size."""
        if self.names.is_sorted():
            return np.arange(len(self), dtype=np.uint32)
        return np.asarray(self.names.arg_sort().to_numpy())


def some_names(names: Sequence[Hashable], places: Array) -> Sequence[Hashable]:
    """The names at some places, in their order, in the form that all of them have."""
    if isinstance(names, ManyNames):
        return names.take(places)
    return tuple(names[k] for k in places.tolist())
