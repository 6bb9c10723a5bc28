"""Judgments as plain Python gives them: orders in lists or texts, groups and labels in dicts, tables of numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.base import ONE_TASK

Order = Sequence[Any] | str


def read_order(order: Order) -> list[list[Hashable]]:
    """An order as tie groups, best first.

    >>> read_order("a > b = c"), read_order("abc"), read_order(["a", {"b"}])
    ([['a'], ['b', 'c']], [['a'], ['b'], ['c']], [['a'], ['b']])
    """
    if isinstance(order, str):
        if ">" in order or "=" in order:
            return [[i.strip() for i in group.split("=")] for group in order.split(">")]
        return [[c] for c in order]
    return [_group(member) for member in order]


def tie_groups(places: Sequence[int], items: Sequence[Hashable]) -> list[list[Hashable]]:
    """Positions as tie groups of items, best first; absent items are left out.

    >>> tie_groups([2, 1, 0, 2], "abcd")
    [['b'], ['a', 'd']]
    """
    groups: list[list[Hashable]] = [[] for _ in range(max(places, default=0))]
    for place, item in zip(places, items, strict=True):
        if place:
            groups[place - 1].append(item)
    return groups


def _group(member: Any) -> list[Hashable]:
    if isinstance(member, set | frozenset):
        return sorted(member, key=str)
    return list(member) if isinstance(member, list | tuple) else [member]


def orders_of(orders: Mapping[Any, Any] | Sequence[Order]) -> Iterator[tuple[Hashable, Hashable, Order]]:
    """Task, judge and order, one by one, of a list of orders, ``{judge: order}`` or ``{task: {judge: order}}``."""
    shapes = "give a list of orders, {judge: order} or {task: {judge: order}}."
    if isinstance(orders, str):
        raise InputError("one text is not a panel.", shapes)
    if not isinstance(orders, Mapping):
        orders = dict(enumerate(_listed(orders, shapes), 1))
    for outer, inner in orders.items():
        if not isinstance(inner, Mapping):
            yield ONE_TASK, outer, _listed(inner, shapes)
            continue
        if not inner:
            raise InputError(f"nobody ordered anything on task '{outer}'.", "leave the task out.")
        for judge, order in inner.items():
            yield outer, judge, _listed(order, shapes)


def _listed(order: Any, shapes: str) -> Order:
    """What can be an order, as a list or text; anything that can be gone through will do."""
    if isinstance(order, str | Sequence):
        return order
    if isinstance(order, Mapping | set | frozenset) or not hasattr(order, "__iter__"):
        raise InputError(f"{order!r} is not an order.", shapes)
    return list(order)


def rows_of(given: Any, value: str) -> list[tuple[Hashable, Hashable, Hashable, Any]]:
    """Task, judge, item and value of ``{judge: {item: value}}`` or ``{task: {judge: {item: value}}}``.

    >>> rows_of({"ann": {"x": 1, "y": 2}}, "group")
    [('all', 'ann', 'x', 1), ('all', 'ann', 'y', 2)]
    """
    shapes = f"give {{judge: {{item: {value}}}}} or {{task: {{judge: {{item: {value}}}}}}}."
    judges = _dict(given, shapes)
    nested = any(isinstance(v, Mapping) for first in judges.values() for v in _dict(first, shapes).values())
    tasks = judges if nested else {ONE_TASK: judges}
    return [
        (task, judge, item, v)
        for task, of in tasks.items()
        for judge, items in _dict(of, shapes).items()
        for item, v in _dict(items, shapes).items()
    ]


def _dict(given: Any, shapes: str) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping):
        raise InputError(f"{given!r} is not a dict.", shapes)
    return given


def named_table(table: Any, judges: Any, items: Any) -> tuple[NDArray[np.float64], list[Hashable], list[Hashable]]:
    """A table of judges x items with their names, by default 1, 2, 3, ..."""
    try:
        matrix = np.asarray(table, float)
    except (TypeError, ValueError):
        raise InputError("a table of numbers is needed, judges in rows and items in columns.", UNEVEN) from None
    if matrix.ndim != 2:
        raise InputError(f"a table of judges x items is needed, not {matrix.ndim} dimensions.")
    rows, columns = matrix.shape
    item_ids = list(items) if items is not None else list(range(1, columns + 1))
    judge_ids = list(judges) if judges is not None else list(range(1, rows + 1))
    if len(item_ids) != columns or len(judge_ids) != rows:
        raise InputError(
            f"the table is {rows} x {columns}, but {len(judge_ids)} judges and {len(item_ids)} items are named.",
            "judges are rows, items are columns.",
        )
    return matrix, judge_ids, item_ids


UNEVEN = "rows are equally long, and a judgment that is not there is NaN."


def ranks_by_score(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks by falling score, equal only where scores are; NaN is absent."""
    rank = np.unique(-scores, return_inverse=True)[1].reshape(scores.shape) + 1.0
    return np.where(np.isnan(scores), np.nan, rank)
