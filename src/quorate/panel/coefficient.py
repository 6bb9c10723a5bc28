"""What a formula says of scores: a function of how often each unit counts, or of numbers that add up over units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.table import Method

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Coefficient:
    """What a formula says of units: a function of how often each of them counts.

    Once for each unit it is the value; as often as a bootstrap draws it, a resample's value. Most formulas need only
    sums over units, so that a thousand resamples are one product of matrices.
    """

    of: Callable[[Array], Array]  # weights[draw, unit] -> values[draw], or of every judge values[draw, judge]
    size: int  # units
    details: Mapping[str, Any] = field(default_factory=dict)  # of every judge a sequence each
    cost: int = 1  # steps per unit and draw, about
    rests: Mapping[str, Array] = field(default_factory=dict)  # [judge] items, or tasks, that each judge's rests on
    about: Mapping[str, Any] = field(default_factory=dict)  # for words

    @cached_property
    def once(self) -> Array:
        """On the units as they are, ``[1]`` or of every judge ``[1, judge]``; computed once."""
        return self.of(np.ones((1, self.size)))

    @property
    def value(self) -> Any:
        """On the units as they are; NaN where it is undefined."""
        found = self.once[0]
        return found if np.ndim(found) else float(found)


@dataclass(frozen=True)
class Additive:
    """Numbers that add up, and what a method makes of their sums: those of parts are added, in whatever order.

    Of scores those of units add up to those of tasks, and these as often as tasks are drawn: so a draw costs as much as
    there are tasks, and what is needed of units that are not in memory is a row a task. Of orderings and
    groupings those of judges add up to those of groups of judges, and these as often as groups are drawn.
    """

    sums: Callable[..., Array]
    # of scores (units, centre, **parameters) -> [unit, number]; of scores about the centre
    # of answers of judges (answers[judge, item], group, groups, names, out, missing=) -> [group, number], added to out
    of: Callable[..., Any]
    # of scores ([..., number], **parameters) -> values[...]
    # of answers ([draw, number], sections, **parameters) -> what each draw agrees on; of agreement also what pairs of a
    # judge with himself add up to, after the sections
    when: Callable[[Method], bool] = lambda method: True  # whether they do with these parameters
    needs: Callable[[Method, bool, bool], tuple[str, ...] | None] = lambda method, gaps, tied: ()
    # of answers the sections that are counted, where judges lack items, or tie some (of groupings: left
    # items out, or were not shown some); None where no sum will do
    sections: Callable[[int, tuple[str, ...]], Any] = lambda items, names: None  # of answers, where which numbers are


def additive(method: Method) -> Additive | None:
    """How a method's numbers add up; None where they do not."""
    declared: Additive | None = method.declaration.properties.get("additive")
    return declared if declared is not None and declared.when(method) else None


@dataclass(frozen=True)
class ByCounts:
    """A figure of every judge that follows from what all judges add up to and from the judge's own answers.

    So very many judges of one task are told one by one, each block of them by itself; what is relative to all, such as
    a mean, comes last.
    """

    sums: Callable[..., Array]  # as of Additive
    sections: Callable[[int, tuple[str, ...]], Any]
    each: Callable[..., Array]  # (answers[judge, item], numbers, sections, **parameters) -> [judge, number]
    of: Callable[..., Any]  # ([judge, number] of all judges by name, **parameters) -> figures [1, judge]
    needs: Callable[[Method, bool, bool], tuple[str, ...] | None] = lambda method, gaps, tied: ()
    when: Callable[[Method], bool] = lambda method: True


def by_counts(method: Method) -> ByCounts | None:
    """How a figure of every judge follows from counts of all; None where it does not."""
    declared: ByCounts | None = method.declaration.properties.get("by_counts")
    return declared if declared is not None and declared.when(method) else None
