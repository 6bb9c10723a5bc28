"""Where which numbers are of those that a group of judges adds up to: in sections, of which methods name some."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
UNIT = 2.0**36  # what a part of 1 is cut into, so that sums are of whole numbers
DIGITS = 9  # after the point, of a figure that comes of numbers cut so
MOST = 1 << 16  # numbers cut so that are added up as floats, which hold whole ones up to 2^53
CELLS = 1 << 23  # judges x pairs of items that are looked at in one go


@dataclass(frozen=True)
class Sections(ABC):
    """The sections of a task of so many items. The first number is that of the judges."""

    sizes: ClassVar[Mapping[str, Callable[[int], int]]] = {}  # numbers of every section there may be, in their order
    always: ClassVar[Sequence[str]] = ()  # those that are there in any case
    cut: ClassVar[Sequence[str]] = ()  # those of numbers that are cut into whole ones

    items: int
    names: tuple[str, ...] = ()  # beside those that are always there

    @cached_property
    def every(self) -> tuple[str, ...]:
        """All sections in their order."""
        return tuple(n for n in self.sizes if n in self.always or n in self.names)

    @cached_property
    def place(self) -> dict[str, slice]:
        """The numbers of every section."""
        ends = np.cumsum([0, *(self.sizes[n](self.items) for n in self.every)]).tolist()
        return {n: slice(a, b) for n, a, b in zip(self.every, ends, ends[1:], strict=False)}

    @property
    def width(self) -> int:
        """How many numbers there are of a group of judges."""
        return sum(self.sizes[n](self.items) for n in self.every)

    def largest(self) -> int:
        """What a judge adds to a number at the most, of those that are not cut."""
        return 1

    def wide(self, judges: int) -> bool:
        """Whether sums over so many judges need long numbers."""
        return any(n in self.cut for n in self.names) or judges * self.largest() >= 2**31

    def none(self, groups: int, judges: int) -> Array:
        """Sums of so many groups, nothing so far."""
        return np.zeros((groups, self.width), np.int64 if self.wide(judges) else np.int32)

    def of(self, numbers: Array, name: str) -> Array:
        """The numbers of a section, ``[..., number]``."""
        return numbers[..., self.place[name]]

    def square(self, numbers: Array, name: str) -> Array:
        """The first items x items numbers of a section as a table."""
        found = self.of(numbers, name)[..., : self.items**2]
        return found.reshape(*numbers.shape[:-1], self.items, self.items)

    def taken(self, numbers: Array, names: Sequence[str]) -> Array:
        """The numbers of some sections."""
        own = replace(self, names=tuple(names))
        if own.every == self.every:
            return numbers
        return np.concatenate([self.of(numbers, n) for n in own.every], axis=-1)

    @property
    def steps(self) -> int:
        """How many random numbers :meth:`spread` needs."""
        return 0

    @abstractmethod
    def spread(self, seen: Array, every: Array, between: Array) -> Array:
        """What all judges would add up to by chance, from what some of them do whose answers were permuted, and from
        what all add up to as they are; ``between`` are random numbers from 0 to 1."""


def members(group: Array, groups: int) -> list[tuple[int, Array]]:
    """Every group that has judges, and their numbers."""
    number = np.bincount(group, minlength=groups)
    order, ends = np.argsort(group, kind="stable"), np.cumsum(number)
    return [(g, order[ends[g] - number[g] : ends[g]]) for g in np.flatnonzero(number).tolist()]


def blocks(judges: int, items: int) -> list[slice]:
    """So few judges at a time that their pairs of items have room, and that sums of numbers cut so are exact."""
    step = max(1, min(MOST, CELLS // max(items * items, 1)))
    return [slice(a, a + step) for a in range(0, judges, step)]
