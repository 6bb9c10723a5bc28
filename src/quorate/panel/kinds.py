"""Panels: the judgments of one kind, over tasks. Immutable; ids as given outside, small integer codes inside.

Ties, absent items, left-out items, missing scores, multiplicities and repeats are settled here and nowhere else:

* an ordering's positions are *dense*: tie groups are numbered 1, 2, 3, ...; an item without a position is absent;
* a grouping's left-out items have the group ``None``;
* a missing score is NaN; a score that is a label is its place in the panel's ``scale``;
* ``count`` says how many judges gave the same ordering;
* a vote's value is what the one shown first gets: 1, 0.5 (a tie) or 0;
* the same judge again on the same task (orderings, groupings), item (scores) or pair of a task (votes) is another
  ``occasion``, kept apart.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, UnknownId, suggest
from quorate.panel.base import ONE_TASK, Panel, blank_to_none, constant, find_codes, many
from quorate.panel.columns import (
    Coded,
    Raw,
    Source,
    encode,
    frozen,
    in_order,
    keys,
    narrow,
    numbered,
    numbers,
    repeated,
    small,
)
from quorate.panel.plain import Order, named_table, orders_of, ranks_by_score, read_order, rows_of
from quorate.panel.votes import NEEDED, Votes

__all__ = [
    "ONE_TASK",
    "PANELS",
    "Groupings",
    "Order",
    "Orderings",
    "Panel",
    "Scores",
    "Votes",
    "infer_kind",
    "read_order",
]

Array = NDArray[Any]


class Orderings(Panel):
    """Judges put items in order. ``value`` is the dense position: 1 is best, equal positions are ties."""

    kind = "orderings"
    value_column = "position"
    _repeat_fact = "an item is repeated in one ordering"

    @classmethod
    def from_orders(cls, orders: Mapping[Any, Any] | Sequence[Order]) -> Orderings:
        """From orders, best first: a list of them, ``{judge: order}``, or ``{task: {judge: order}}``.

        An order is a list whose members are items or tie groups (lists, tuples, sets of items), or a text:
        ``"a > b = c"``, or without ``>`` and ``=`` each character an item.

        >>> Orderings.from_orders({"ann": ["x", ["y", "z"]], "bob": "z > x = y"})
        <Orderings: 2 judges, 3 items, 1 task, ties>
        """
        raw: dict[str, list[Any]] = {"task": [], "judge": [], "item": [], "position": []}
        for task, judge, order in orders_of(orders):
            if not len(order):
                raise _nothing_ranked(judge)
            for position, group in enumerate(read_order(order), 1):
                for item in group:
                    raw["task"].append(task)
                    raw["judge"].append(judge)
                    raw["item"].append(item)
                    raw["position"].append(position)
        return cls.build({**raw, "position": np.array(raw["position"], float)})

    @classmethod
    def from_ranks(
        cls, ranks: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Orderings:
        """From a table of ranks with judges in rows and items in columns; 1 is best, 0 or NaN is absent.

        >>> Orderings.from_ranks([[1, 2, 3], [2, 1, 0]], items="abc").orders()
        {1: [['a'], ['b'], ['c']], 2: [['b'], ['a']]}
        """
        return cls._from_matrix(ranks, items, judges, lambda m: np.where(m == 0, np.nan, m))

    @classmethod
    def from_scores(
        cls, scores: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Orderings:
        """From a table of scores with judges in rows and items in columns; higher is better, NaN is absent.

        >>> Orderings.from_scores([[9, 5, 5]], items="abc").orders()
        {1: [['a'], ['b', 'c']]}
        """
        return cls._from_matrix(scores, items, judges, ranks_by_score)

    @classmethod
    def _from_matrix(cls, table: Any, items: Any, judges: Any, to_ranks: Any) -> Orderings:
        matrix, judge_ids, item_ids = named_table(table, judges, items)
        ranks = to_ranks(matrix)
        for k in np.flatnonzero(np.isnan(ranks).all(axis=1)).tolist():
            raise _nothing_ranked(judge_ids[k])
        j, i = np.nonzero(~np.isnan(ranks))
        raw = {"judge": [judge_ids[k] for k in j], "item": [item_ids[k] for k in i], "position": ranks[j, i]}
        return cls.build(raw)

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> Array:
        position = numbers(values, "position", source)
        bad = np.flatnonzero(position <= 0)
        if len(bad):
            what = (f"position {position[r]:g}" for r in bad.tolist())
            raise source.error(
                "position is not above 0",
                bad,
                what,
                "the best item has position 1; if places count from 0, add 1 to each. Absent items have no row.",
            )
        return position

    @classmethod
    def _sort_value(cls, value: Any) -> Array:
        return np.asarray(value)

    @classmethod
    def _finish(cls, value: Any, order: Any, starts: NDArray[Any]) -> Any:
        position = in_order(value, order)
        if position.dtype.kind in "iu" and (position[starts] == 1).all():
            rises = (position[1:] - position[:-1]).view(f"u{position.itemsize}")  # a fall is large without a sign
            rises[starts[1:] - 1] = 0
            if int(rises.max(initial=0)) <= 1:
                return narrow(position, int(position.max()) + 1)  # dense as they are
        step = np.ones(len(position), bool)
        step[1:] = position[1:] != position[:-1]
        step[starts] = True
        level = np.cumsum(step, dtype=small(len(step)))
        level -= np.repeat(level[starts] - 1, np.diff(starts, append=len(step)))
        return narrow(level, int(level.max()) + 1)

    @property
    def tied(self) -> bool:
        """Whether any judge put two items in one place."""
        same = self.value[1:] == self.value[:-1]
        same[self.starts[1:-1] - 1] = False
        return bool(same.any())

    def _particulars(self) -> list[str]:
        said = [many(self.votes, "vote")] if self.votes != len(self.starts) - 1 else []
        return [*said, "ties"] if self.tied else said

    @property
    def votes(self) -> int:
        """Orderings with their multiplicities."""
        return int(self.count[self.starts[:-1]].sum(dtype=np.int64))

    def orders(self, task: Hashable | None = None) -> dict[Hashable, list[list[Hashable]]]:
        """Each judge's order on a task as lists of tie groups; of repeats the first."""
        if task is None and len(self.tasks) > 1:
            raise UnknownId("which task?", suggest("", map(str, self.tasks), "Tasks"))
        code = 0 if task is None else int(find_codes(self.task, [task], "task")[0])
        out: dict[Hashable, list[list[Hashable]]] = {}
        for a, b in pairwise(self.starts.tolist()):
            name = self.judge.ids[self.judge.codes[a]]
            if self.task.codes[a] == code and name not in out:
                groups: list[list[Hashable]] = [[] for _ in range(int(self.value[b - 1]))]
                for row in range(a, b):
                    groups[int(self.value[row]) - 1].append(self.item.ids[self.item.codes[row]])
                out[name] = groups
        return out


class Groupings(Panel):
    """Judges put items in groups. ``value`` is a code of ``group_ids``; the id None marks left-out items."""

    kind = "groupings"
    value_column = "group"
    _repeat_fact = "an item is in two groups, or twice in one"

    @property
    def group_ids(self) -> tuple[Hashable, ...]:
        """Names of the groups; a name means nothing beyond its judge and task."""
        return tuple(self.value.ids)

    @classmethod
    def from_groups(cls, groups: Mapping[Any, Any]) -> Groupings:
        """From ``{judge: {item: group}}`` or ``{task: {judge: {item: group}}}``; the group None means left out.

        >>> Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}})
        <Groupings: 1 judge, 3 items, 1 task, 1 left out>
        """
        columns = list(zip(*rows_of(groups, "group"), strict=True)) or [(), (), (), ()]
        return cls.build(dict(zip(("task", "judge", "item", "group"), columns, strict=True)))

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> Any:
        return encode(blank_to_none(values))

    @classmethod
    def _finish(cls, value: Any, order: Any, starts: NDArray[Any]) -> Any:
        return value.sorted(order)

    def _values(self, rows: NDArray[np.int64]) -> Any:
        return self.value.take(rows)

    def _plain_values(self) -> Coded | list[Any]:
        return cast(Coded, self.value)

    def _particulars(self) -> list[str]:
        left = self.items_left_out
        return [f"{left:,} left out"] if left else []

    @property
    def items_left_out(self) -> int:
        """How many rows are left-out items."""
        return int(self.left_out.sum())

    @property
    def left_out(self) -> NDArray[np.bool_]:
        """Which rows are left-out items."""
        return np.isin(self.value.codes, [c for c, i in enumerate(self.group_ids) if i is None])


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Panel):
    """Judges give items scores. ``value`` is the score; NaN is missing. Criteria are told apart by a label.

    Where judges give labels (yes, no; names of categories) instead of numbers, the column is called ``label``;
    ``value`` is then the label's place in ``scale``, which means something only if the scale is ``ordered``.
    """

    kind = "scores"
    value_column = "score"
    _repeat_fact = "an item is scored twice on one occasion"

    scale: tuple[Hashable, ...] = ()  # the labels, where scores are labels
    ordered: bool = False  # whether the labels' order means something: low, medium, high

    @property
    def of_systems(self) -> bool:
        """Whether a column says which system made an item; else items are what leaderboards are of."""
        return bool(self.elsewhere.of_systems) if self.elsewhere is not None else "system" in self.labels

    @classmethod
    def from_matrix(
        cls, scores: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Scores:
        """From a table of scores with judges in rows and items in columns; NaN is missing.

        >>> Scores.from_matrix([[1, 2], [3, float("nan")]])
        <Scores: 2 judges, 2 items, 1 task, 1 missing>
        """
        matrix, judge_ids, item_ids = named_table(scores, judges, items)
        judge = [j for j in judge_ids for _ in item_ids]
        item = item_ids * len(judge_ids)
        return cls.build({"judge": judge, "item": item, "score": matrix.ravel()})

    @classmethod
    def from_labels(cls, labels: Mapping[Any, Any], scale: Sequence[Hashable] = ()) -> Scores:
        """From ``{judge: {item: label}}`` or ``{task: {judge: {item: label}}}``; None is missing.

        A ``scale`` gives the labels an order, lowest first.

        >>> Scores.from_labels({"ann": {"x": "yes", "y": "no"}, "bob": {"x": "yes", "y": None}})
        <Scores: 2 judges, 2 items, 1 task, 2 labels, 1 missing>
        """
        columns = list(zip(*rows_of(labels, "label"), strict=True)) or [(), (), (), ()]
        panel = cls.build(dict(zip(("task", "judge", "item", "label"), columns, strict=True)))
        return panel.with_scale(scale) if scale else panel

    @classmethod
    def build(cls, raw: Raw, source: Source | None = None, notes: Sequence[str] = ()) -> Self:
        """From columns by name; a column ``label`` and no ``score`` makes the scores labels."""
        if "label" not in raw or "score" in raw:
            return super().build(raw, source, notes)
        coded = blank_to_none(raw["label"])
        scale = tuple(sorted((i for i in coded.ids if i is not None), key=str))
        place: dict[Hashable, float] = {label: float(k) for k, label in enumerate(scale)}
        value = np.array([place.get(i, math.nan) for i in coded.ids])[coded.codes]
        rest = {n: v for n, v in raw.items() if n != "label"}
        return replace(super().build({**rest, "score": value}, source, notes), scale=scale)

    def with_scale(self, scale: Sequence[Hashable]) -> Self:
        """The panel with its labels in this order, lowest first: they must all be on the scale, compared as texts.

        >>> panel = Scores.from_labels({"ann": {"x": "low", "y": "high"}})
        >>> panel.with_scale(["low", "medium", "high"]).value.tolist()
        [0.0, 2.0]
        """
        place = {str(label): k for k, label in enumerate(scale)}
        if not self.scale:
            raise InputError("the scores are numbers, which have their order.", "a scale is for labels.")
        if len(place) < len(scale):
            raise InputError("the scale names a label twice.", "name each label once, lowest first.")
        for label in self.scale:
            if str(label) not in place:
                raise UnknownId(f"the label '{label}' is not on the scale.", suggest(str(label), place, "The scale"))
        new = np.array([place[str(label)] for label in self.scale], float)
        there = ~np.isnan(self.value)
        value = np.full(len(self), math.nan)
        value[there] = new[self.value[there].astype(np.int64)]
        kept = {place[str(label)]: label for label in self.scale}
        names = tuple(kept.get(k, label) for k, label in enumerate(scale))
        return replace(self, value=frozen(value), scale=names, ordered=True)

    @property
    def value_name(self) -> str:
        """``label`` where scores are labels."""
        return "label" if self.scale else self.value_column

    @property
    def label_column(self) -> Coded:
        """The labels row by row, None where there is none; only where scores are labels."""
        code = np.where(np.isnan(self.value), len(self.scale), self.value).astype(np.int64)
        return Coded((*self.scale, None), narrow(code, len(self.scale) + 1))

    def _rows(self, rows: NDArray[np.int64]) -> Self:
        return replace(super()._rows(rows), scale=self.scale, ordered=self.ordered)

    def _plain_values(self) -> Coded | list[Any]:
        return self.label_column if self.scale else list(self.value.tolist())

    def _particulars(self) -> list[str]:
        said = [many(len(self.scale), f"{'ordered ' if self.ordered else ''}label")] if self.scale else []
        return [*said, f"{self.missing:,} missing"] if self.missing else said

    @property
    def missing(self) -> int:
        """How many scores are missing."""
        return int(np.isnan(self.value).sum())

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> NDArray[np.float64]:
        return numbers(values, "score", source, blank_allowed=True).astype(np.float64, copy=False)

    @classmethod
    def _apart(cls, labels: Mapping[str, Coded]) -> list[Coded]:
        return [labels[n] for n in ("criterion", "system", "year") if n in labels]

    @classmethod
    def _occasions(
        cls, task: Coded, judge: Coded, item: Coded, labels: Mapping[str, Coded], source: Source, notes: list[str]
    ) -> Coded:
        key = keys(task, judge, item, *cls._apart(labels))
        again = len(repeated(key))
        if not again:
            return constant(1, len(key))
        found = numbered(key)
        last = len(found.ids)
        kept = "1 repeated score is" if again == 1 else f"{again:,} repeated scores are"
        notes.append(f"{kept} kept apart as occasion{'' if last == 2 else 's 2 to'} {last}")
        return found


PANELS: dict[str, type[Panel]] = {p.kind: p for p in (Orderings, Groupings, Scores, Votes)}


def infer_kind(columns: Iterable[str], source: str = "input") -> str:
    """The kind that a table's column names say it is."""
    names = list(columns)
    if set(NEEDED) <= set(names):
        return "votes"
    found = [k for k, p in PANELS.items() if p.value_column in names and k != "votes"]
    if len(found) == 1:
        return found[0]
    if not found and "label" in names:
        return "scores"
    hint = (
        "orderings have a column 'position', groupings 'group', scores 'score' (or 'label'), votes 'model_a', "
        "'model_b' and 'winner'; columns found: " + ", ".join(map(str, names))
    )
    if found:
        raise InputError(f"{source}: the columns fit more than one kind ({', '.join(found)}).", hint)
    raise InputError(f"{source}: the columns fit no kind.", hint)


def _nothing_ranked(judge: Hashable) -> InputError:
    return InputError(f"judge {judge!r} ranked nothing.", "leave the judge out, or give at least one item.")
