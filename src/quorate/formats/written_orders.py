"""Orders written in one cell: ``x > y = z``, or ``x;y;z`` where every row has the same items in orders that differ.

So do forms hand out questions to rank. Each such column is a task, each row a judge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.formats.parts import Part
from quorate.panel.columns import Coded, encode, is_blank
from quorate.panel.plain import read_order
from quorate.panel.reading import Column, Guess

SIGNS = (";", "|", ",", "\n")  # that may stand between items, best first
LEAST = 3  # items, where a sign may part other things too


def long(part: Part, name_judges: Callable[[list[str], list[Guess]], str], told: bool = False) -> Part | None:
    """The table as one row per judge and item, if columns hold orders; ``name_judges`` finds the column of judges.

    ``told``: orders are asked for, so that finding some is no guess.
    """
    orders = {n: found for n, c in part.raw.items() if (found := _orders(encode(c)))}
    if not orders:
        return None
    guesses = list(part.guesses)
    down = name_judges(list(orders), guesses)
    judges = encode(part.raw[down]).values() if down else [str(k) for k in range(1, len(part) + 1)]
    rows = [
        (name, judge, item, float(place), row)
        for name, (codes, read) in orders.items()
        for row, (judge, code) in enumerate(zip(judges, codes, strict=True))
        for place, group in enumerate(read[code], 1)
        for item in group
    ]
    task, judge, item, place, at = (list(c) for c in zip(*rows, strict=True))
    said = f"the cells of {', '.join(map(repr, orders))} are taken as orders, best first"
    guesses += [] if told else [Guess(said, "--kind orderings")]
    raw: dict[str, Any] = {"judge": encode(judge), "item": encode(item), "position": np.array(place)}
    raw |= {"task": encode(task)} if len(orders) > 1 else {}
    roles = {down: "judge", **dict.fromkeys(orders, "order")}
    columns = tuple(Column(n, roles.get(n, "")) for n in part.raw)
    lines = None if part.lines is None else part.lines[at]
    return replace(part, raw=raw, lines=lines, kind="orderings", guesses=tuple(guesses), columns=columns)


def _orders(column: Coded) -> tuple[list[int], list[list[list[Any]]]] | None:
    """Of every row the number of its order, and the orders; None where cells are none."""
    filled = [i for i in column.ids if not is_blank(i)]
    if not filled or not all(isinstance(i, str) for i in filled):
        return None
    for split in (_with_ties, *(_parted_by(sign) for sign in SIGNS)):
        read = [split(str(i)) for i in filled]
        if all(read) and (split is _with_ties or _permuted(read)):
            made = iter(read)
            return column.codes.tolist(), [[] if is_blank(i) else next(made) for i in column.ids]
    return None


def _with_ties(cell: str) -> list[list[Any]]:
    groups = read_order(cell) if ">" in cell else []
    return groups if all(i for g in groups for i in g) else []


def _parted_by(sign: str) -> Callable[[str], list[list[Any]]]:
    return lambda cell: [[item.strip()] for item in cell.strip().rstrip(sign).split(sign) if item.strip()]


def _permuted(orders: list[list[list[Any]]]) -> bool:
    """Whether all have the same items, each once, in orders that differ."""
    items = [[i for g in order for i in g] for order in orders]
    alike = all(len(set(one)) == len(one) >= LEAST and set(one) == set(items[0]) for one in items)
    return alike and len(set(map(tuple, items))) > 1
