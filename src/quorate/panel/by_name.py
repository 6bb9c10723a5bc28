"""A panel in the order of its names, so that no answer depends on the order of rows in a file.

Random draws go through judges, tasks and items by their number. Numbered by name, the same judgments get the same
draws however their rows are shuffled. Numbers in names count as numbers: t2 comes before t10. Only tasks and criteria
are told in the order of the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.panel.columns import (
    Coded,
    by_table,
    combinations,
    encode,
    frozen,
    in_order,
    narrow,
    order_of,
    ordered,
    ranges,
    starts_of,
)
from quorate.panel.many_names import ManyNames

if TYPE_CHECKING:
    from quorate.panel.base import Panel

P = TypeVar("P", bound="Panel")
Array = NDArray[Any]
MANY = 200_000  # names, from which on their letters alone decide: telling numbers from letters takes a second
LONG = 2**62  # numbers that numpy holds are smaller
AS_GIVEN = ("criterion",)  # told in the order in which they were named; each is drawn for itself
_DIGITS = re.compile(r"([0-9]+)")
_AS_ZERO = str.maketrans("123456789", "000000000")


def by_name(panel: P, plain: Collection[str] = ()) -> P:
    """The panel with ids and rows in the order of their names; the panel itself where they are so already.

    ``plain`` names columns of which this panel has only some of very many ids, whose letters alone decide.

    >>> from quorate import Orderings
    >>> panel = Orderings.build({"judge": ["j10", "j2"], "item": ["x", "x"], "position": [1, 1]})
    >>> panel.judges, by_name(panel).judges
    (('j10', 'j2'), ('j2', 'j10'))
    """
    if panel.kind == "orderings" and (found := _by_judgment(panel, plain)) is not None:
        return found
    named = zip(("task", "judge", "item", "occasion"), _ids(panel), strict=True)
    task, judge, item, occasion = (_sorted(c, name in plain) for name, c in named)
    labels = _labels(panel)
    value = panel.value.codes if isinstance(panel.value, Coded) else np.asarray(panel.value)
    place = value if panel.kind == "orderings" else np.zeros(len(panel), np.int8)
    judgment = combinations(task, judge, occasion)
    order = _rows(judgment, place, item, [labels[n] for n in sorted(labels)])
    same = all(a is b for a, b in zip((task, judge, item, occasion), _ids(panel), strict=True))
    if order is None and same and all(labels[n] is c for n, c in panel.labels.items()):
        return panel
    chosen = slice(None) if order is None else order
    starts = starts_of(judgment, chosen)
    return replace(
        panel,
        task=task.of_judgments(chosen, starts),
        judge=judge.of_judgments(chosen, starts),
        item=item.sorted(chosen),
        occasion=occasion.of_judgments(chosen, starts),
        value=_groups(panel.value, chosen) if isinstance(panel.value, Coded) else frozen(in_order(value, chosen)),
        count=panel.count if (panel.count == panel.count[:1]).all() else frozen(in_order(panel.count, chosen)),
        labels={n: c.sorted(chosen) for n, c in labels.items()},
    )


def _by_judgment(panel: P, plain: Collection[str]) -> P | None:
    """The same of orderings without ties, whose rows stay as they are within each judgment; None of others."""
    begin, length = panel.starts[:-1], np.diff(panel.starts)
    rises = panel.value[1:] > panel.value[:-1]
    rises[begin[1:] - 1] = True
    if not rises.all():
        return None
    heads = {n: getattr(panel, n).sorted(begin) for n in ("task", "judge", "occasion")}
    named = {n: _sorted(c, n in plain) for n, c in heads.items()}
    judgment = combinations(*named.values())
    order = None if ordered([judgment]) else order_of(judgment)
    if not ordered([judgment if order is None else judgment[order]], strictly=True):
        return None
    item, labels = _sorted(panel.item, "item" in plain), _labels(panel)
    same = item is panel.item and all(named[n] is c for n, c in heads.items())
    if order is None and same and all(labels[n] is c for n, c in panel.labels.items()):
        return panel
    order = np.arange(len(begin)) if order is None else order
    rows = ranges(begin[order], length[order])
    several, times = {n: c for n, c in named.items() if len(c.ids) > 1}, length[order]
    moved: dict[str, Any] = {n: Coded(c.ids, frozen(np.repeat(c.codes[order], times))) for n, c in several.items()}
    return replace(
        panel,
        **moved,
        item=item.sorted(rows),
        value=frozen(in_order(panel.value, rows)),
        count=panel.count if (panel.count == panel.count[:1]).all() else frozen(in_order(panel.count, rows)),
        labels={n: c.sorted(rows) for n, c in labels.items()},
    )


def ordered_ids(names: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The distinct names in their order.

    >>> ordered_ids(["m10", "m2", "m10"])
    ('m2', 'm10')
    """
    return tuple(sorted(dict.fromkeys(names), key=lambda name: _key(name, False)))


def _labels(panel: Panel) -> dict[str, Coded]:
    return {n: c if n in AS_GIVEN else _sorted(c) for n, c in panel.labels.items()}


def _ids(panel: Panel) -> tuple[Coded, ...]:
    return panel.task, panel.judge, panel.item, panel.occasion


def _rows(judgment: Array, place: Array, item: Coded, labels: Sequence[Coded]) -> Array | None:
    """The order of rows: by judgment, then place, then item, then labels; None where they are in it.

    They are put in order by the first columns that tell all rows apart: labels of the same judge and item seldom count.
    """
    columns = [judgment, place, item.codes, *(c.codes for c in labels)]
    if ordered(columns):
        return None
    order = by_table(judgment, place) if place.any() else by_table(judgment, item.codes)
    if order is not None:
        return order
    items = max(len(item.ids), 1)
    for end in (3, len(columns)):
        if end == 3 and not place.any() and int(judgment.max()) < 2**62 // items:
            order = order_of(judgment.astype(np.int64) * items + item.codes)  # faster than two keys
        else:
            order = np.lexsort(columns[:end][::-1])
        if ordered([c[order] for c in columns[:end]], strictly=end < len(columns)):
            break
    return order


def name_order(ids: Sequence[Hashable], plain: bool = False) -> list[int]:
    """The places of ids in the order of their names; of very many, or where ``plain``, their letters alone decide."""
    plain = plain or len(ids) > MANY
    kinds = set(map(type, ids))
    if kinds == {int} and min(ids) > -LONG and max(ids) < LONG:  # type: ignore[type-var, operator]
        return np.argsort(np.array(ids, np.int64), kind="stable").tolist()  # type: ignore[no-any-return]
    if kinds == {int} or (kinds == {str} and (plain or _one_form(ids))):  # type: ignore[arg-type]
        return sorted(range(len(ids)), key=ids.__getitem__)  # type: ignore[arg-type]
    if kinds == {str} and (numbers := _numbered(ids)) is not None:  # type: ignore[arg-type]
        return np.argsort(numbers).tolist()  # type: ignore[no-any-return]
    names = [_key(i, plain) for i in ids]
    return sorted(range(len(names)), key=names.__getitem__)


def in_name_order(ids: Sequence[Hashable]) -> Array:
    """The same as an array; names in a column are very many."""
    return ids.order() if isinstance(ids, ManyNames) else np.array(name_order(ids), np.int64)


def _one_form(names: Sequence[str]) -> bool:
    """Whether names differ in digits alone, such as q007 and q123: by numbers or letters, they have one order."""
    form = names[0].translate(_AS_ZERO)
    return "\n" not in form and "\n".join(names).translate(_AS_ZERO) == "\n".join([form] * len(names))


def _numbered(names: Sequence[str]) -> Array | None:
    """The numbers of names that are one word with a number behind it, such as q7 and q123; None of others."""
    word = _DIGITS.split(names[0], maxsplit=1)[0]
    ends = [name[len(word) :] for name in names if name.startswith(word)]
    if len(ends) < len(names) or not "".join(ends).isascii() or not all(map(str.isdigit, ends)):
        return None
    if max(map(len, ends)) > 18 or any(end[0] == "0" != end for end in ends):  # 07 and 7 are two names
        return None
    return np.array(ends, np.int64)


def _sorted(column: Coded, plain: bool = False) -> Coded:
    """The column with its ids in the order of their names; the column itself where they are."""
    if len(column.ids) < 2:
        return column
    order = name_order(column.ids, plain)
    if order == list(range(len(order))):
        return column
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return Coded(tuple(map(column.ids.__getitem__, order)), narrow(number[column.codes], len(order)))


def _key(name: Hashable, plain: bool) -> tuple[Any, ...]:
    """What a name is sorted by: numbers first, then texts with the numbers in them as numbers, then all else."""
    if isinstance(name, int | float):
        return 0, name, ""
    if name is None:
        return 3, "", ""
    text = str(name)
    if not isinstance(name, str):
        return 2, text, type(name).__name__
    if plain:
        return 1, text, ""
    pieces: list[Any] = _DIGITS.split(text)  # letters and digits in turn, letters first
    pieces[1::2] = [(len(p.lstrip("0")), p.lstrip("0")) for p in pieces[1::2]]  # a longer number is larger
    return 1, pieces, text


def _groups(value: Coded, order: Any) -> Coded:
    """Groups numbered as they come; their names mean nothing beyond a judge and task."""
    codes = encode(np.asarray(value.codes)[order].astype(np.int64))
    return Coded(tuple(value.ids[int(str(c))] for c in codes.ids), codes.codes)
