"""Orders written in one cell: ``x > y = z``, ``["x", ["y", "z"]]``, ``x;y;z``, or a line each, numbered or not.

So do forms hand out questions to rank, and logs of language models that rank answers. A list, or items with a sign
between them, is an order where every row has the same items in orders that differ, or where the column is called
``ranking``. Each row is a judge's, or that of as many as its ``count`` says; a column of tasks tells a judge's rows
apart, and several columns of orders are a task each.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.formats.cells import is_numeral
from quorate.formats.file_parts import Part
from quorate.formats.names import standing_for, taken
from quorate.formats.vote_tables import joined
from quorate.panel.columns import Coded, encode, is_blank, keys
from quorate.panel.plain import read_order
from quorate.panel.reading import Column, Guess

SIGNS = (";", "|", ",", "\n")  # that may stand between items, best first
LEAST = 3  # items, where a sign may part other things too
NUMBERED = re.compile(r"\s*\d+[.)]\s+")  # before an item of a list by lines
NAMED = re.compile(r"(.*[\W_])?(rankings?|ranks|order|ordering|ranked|ranked[\W_]?list|preference[\W_]?order)", re.I)
LONGEST = 100_000  # characters of a list in a cell


def long(part: Part, name_judges: Callable[[list[str], list[Guess]], str], told: bool = False) -> Part | None:
    """The table as one row per judge and item, if columns hold orders; ``name_judges`` finds the column of judges.

    ``told``: orders are asked for, so that finding some is no guess.
    """
    orders = {n: found for n, c in part.raw.items() if (found := _orders(n, encode(c)))}
    if not orders:
        return None
    guesses = list(part.guesses)
    down = name_judges(list(orders), guesses) or _systems(part, list(orders), guesses)
    judges = encode(part.raw[down]).values() if down else [str(k) for k in range(1, len(part) + 1)]
    about = _tasks(part, [down, *orders], judges)
    if about not in ("", "task"):
        guesses.append(taken(about, "task"))
    rows = [
        (name, judge, item, float(place), row)
        for name, (codes, read) in orders.items()
        for row, (judge, code) in enumerate(zip(judges, codes, strict=True))
        for place, group in enumerate(read[code], 1)
        for item in group
    ]
    task, judge, item, place, at = (list(c) for c in zip(*rows, strict=True))
    tasks = [encode(part.raw[about]).take(np.array(at))] if about else []
    tasks += [encode(task)] if len(orders) > 1 else []
    said = f"the cells of {', '.join(map(repr, orders))} are taken as orders, best first"
    said += "" if down else "; no column names the judges, so each row is a judge, numbered from 1"
    guesses += [] if told else [Guess(said, "--kind orderings")]
    raw: dict[str, Any] = {"judge": encode(judge), "item": encode(item), "position": np.array(place)}
    raw |= {"task": joined(tasks)} if tasks else {}
    often = _counted(part, bool(down), guesses)
    raw |= {"count": encode(part.raw[often]).take(np.array(at))} if often else {}
    roles = {down: "judge", about: "task", often: "count", **dict.fromkeys(orders, "order")}
    columns = tuple(Column(n, roles.get(n, "")) for n in part.raw)
    lines = None if part.lines is None else part.lines[at]
    return replace(part, raw=raw, lines=lines, kind="orderings", guesses=tuple(guesses), columns=columns)


def _systems(part: Part, taken_up: Sequence[str], guesses: list[Guess]) -> str:
    """Without judges, a column of systems, each with an order of its own: ``model``."""
    found = standing_for("system", [n for n in part.raw if n not in taken_up and n != "task"])
    if found:
        guesses.append(taken(found, "judge"))
    return found or ""


def _tasks(part: Part, taken_up: Sequence[str], judges: Sequence[Any]) -> str:
    """The column of tasks: called so, or by a word for it that tells the several rows of judges apart."""
    if "task" in part.raw:
        return "task"
    judge = encode(list(judges))
    free = [n for n in part.raw if n not in taken_up] if len(judge.ids) < len(judge) else []
    for role in ("task", "unit", "item"):
        found = standing_for(role, free)
        if found and len(np.unique(keys(judge, encode(part.raw[found])))) == len(judge):
            return found
    return ""


def _counted(part: Part, named: bool, guesses: list[Guess]) -> str:
    """The column that says how many judges gave each order: called so, or by a word for it where none is ``named``."""
    if "count" in part.raw:
        return "count"
    found = standing_for("count", [n for n, c in part.raw.items() if not named and all(map(is_numeral, encode(c).ids))])
    guesses += [taken(found, "count")] if found else []
    return found or ""


def written(name: str, value: Any) -> Any:
    """A list of items under a name for orders, as the text of one cell; anything else as it is.

    >>> written("ranking", ["x", ["y", "z"]]), written("tags", ["x"])
    ('["x", ["y", "z"]]', ['x'])
    """
    if not isinstance(value, list) or not NAMED.fullmatch(name):
        return value
    text = json.dumps(value)
    return text if _list(text) else value


def looks_written(cells: Iterable[Any]) -> bool:
    """Whether the cells of a column called ``ranking`` are orders.

    >>> looks_written(["a > b", "b > a"]), looks_written(['["a", "b"]']), looks_written(["1st", "2nd"])
    (True, True, False)
    """
    return _orders("ranking", encode(list(cells))) is not None


def _orders(name: str, column: Coded) -> tuple[list[int], list[list[list[Any]]]] | None:
    """Of every row the number of its order, and the orders; None where cells are none."""
    filled = [i for i in column.ids if not is_blank(i)]
    if not filled or not all(isinstance(i, str) for i in filled):
        return None
    named = NAMED.fullmatch(name) is not None
    for split in (_with_ties, _list, *(_parted_by(sign) for sign in SIGNS)):
        read = [split(str(i)) for i in filled]
        if all(read) and (split is _with_ties or (named and _each_once(read)) or _permuted(read)):
            made = iter(read)
            return column.codes.tolist(), [[] if is_blank(i) else next(made) for i in column.ids]
    return None


def _with_ties(cell: str) -> list[list[Any]]:
    groups = read_order(cell) if ">" in cell else []
    return groups if all(i for g in groups for i in g) else []


def _list(cell: str) -> list[list[Any]]:
    """A list as JSON or Python writes it; members that are lists are tied."""
    if not cell.strip().startswith("[") or len(cell) > LONGEST:
        return []
    try:
        found = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    groups = [list(m) if isinstance(m, list | tuple) else [m] for m in found]
    plain = all(isinstance(i, str | int) and not isinstance(i, bool) and str(i).strip() for g in groups for i in g)
    return groups if plain and all(groups) else []


def _each_once(orders: list[list[list[Any]]]) -> bool:
    """Whether all have at least two items, each once."""
    return all(len(set(one)) == len(one) > 1 for one in ([i for g in order for i in g] for order in orders))


def _parted_by(sign: str) -> Callable[[str], list[list[Any]]]:
    def split(cell: str) -> list[list[Any]]:
        items = [i for item in cell.strip().rstrip(sign).split(sign) if (i := item.strip())]
        if sign == "\n" and all(map(NUMBERED.match, items)):
            items = [NUMBERED.sub("", i, count=1) for i in items]
        return [[i] for i in items]

    return split


def _permuted(orders: list[list[list[Any]]]) -> bool:
    """Whether all have the same items, each once, in orders that differ."""
    items = [[i for g in order for i in g] for order in orders]
    alike = all(len(set(one)) == len(one) >= LEAST and set(one) == set(items[0]) for one in items)
    return alike and len(set(map(tuple, items))) > 1
