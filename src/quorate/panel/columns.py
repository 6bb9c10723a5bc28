"""Columns as arrays: ids become integer codes, numbers become floats, and every bad value is found in one pass.

A column of ids is :class:`Coded`: the distinct ids in order of first appearance, and one small integer per row.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN, InputError

Codes = NDArray[np.unsignedinteger[Any]]
Raw = Mapping[str, Any]  # column name -> Coded, array or sequence of values
TABLE = 16  # times as many cells as rows that a table of all keys has at most
DENSE = 4  # the same where the places of the keys are wanted as well
DIGITS, MANY = 16, 10_000  # binary digits that NumPy sorts by without comparing, and rows from which on that pays
FEW = 1000  # keys, among which it is fast to look
LARGEST = 1e150  # a score beyond it has no square


@dataclass(frozen=True, eq=False)
class Coded:
    """Ids as codes: ``ids[codes[row]]`` is the row's id."""

    ids: tuple[Hashable, ...]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> Hashable:
        return self.ids[int(self.codes[row])]

    def sorted(self, order: Any) -> Coded:
        """The rows in another order, or some of them."""
        if len(self.ids) == 1 and isinstance(order, np.ndarray) and order.dtype != bool and len(order) == len(self):
            return self
        return Coded(self.ids, frozen(in_order(self.codes, order)))

    def of_judgments(self, order: Any, starts: NDArray[np.int64]) -> Coded:
        """The same of a column that is constant within a judgment: looked up only where, in order, judgments begin."""
        if isinstance(order, slice) or len(self.ids) == 1:
            return self.sorted(order)
        return Coded(self.ids, frozen(np.repeat(self.codes[order[starts]], np.diff(starts, append=len(order)))))

    def values(self) -> list[Hashable]:
        """The ids row by row."""
        ids = tuple(self.ids)
        return [ids[c] for c in self.codes.tolist()]

    def same_as(self, other: Coded) -> bool:
        """Whether all rows have the same ids, coded alike."""
        return self.ids is other.ids and np.array_equal(self.codes, other.codes)

    def take(self, rows: NDArray[Any]) -> Coded:
        """Some rows, with only the ids they use, in the old order."""
        codes = self.codes[rows]
        used = np.zeros(len(self.ids), bool)
        used[codes] = True
        if used.all():
            return Coded(self.ids, frozen(codes))
        renumber = np.cumsum(used) - 1
        ids = tuple(i for i, u in zip(self.ids, used.tolist(), strict=True) if u)
        return Coded(ids, narrow(renumber[codes], len(ids)))


@dataclass(frozen=True)
class Source:
    """Where rows come from, so that a mistake can be pointed at."""

    name: str = ""
    lines: NDArray[np.int64] | None = None  # line number of each row
    word: str = "line"  # what is numbered: a line, or a record of a JSON array

    def line(self, row: int) -> int | None:
        """The line that a row was read from, where there is one."""
        return int(self.lines[row]) if self.lines is not None else None

    def some(self, rows: NDArray[np.int64]) -> Source:
        """The source of some rows, by their ascending numbers."""
        return self if self.lines is None else replace(self, lines=self.lines[rows])

    def error(self, fact: str, rows: NDArray[Any], what: Iterable[str], hint: str = "") -> InputError:
        """An error that shows the first bad rows and counts all; ``what`` says what is wrong with each of them."""
        where = self.word if self.lines is not None else "row"
        shown: list[tuple[int | None, str]] = []
        for row, text in zip(rows[:SHOWN].tolist(), what, strict=False):
            line = self.line(row)
            at = row + 1 if line is None else line
            shown.append((line, text) if where == "line" else (None, f"{where} {at}: {text}"))
        n = len(rows)
        return InputError(
            f"{fact} ({n} {where}{'s' if n != 1 else ''})", hint, source=self.name, problems=shown, count=n
        )


def narrow(codes: NDArray[Any], size: int) -> Codes:
    """Codes in the smallest unsigned integers that hold ``size`` of them."""
    return frozen(np.asarray(codes).astype(np.min_scalar_type(max(size - 1, 0))))


def small(size: int) -> Any:
    """Integers of 32 bits where they hold numbers up to a size, else of 64."""
    return np.int32 if size < 2**31 else np.int64


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array, read-only."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def in_order(array: NDArray[Any], order: Any) -> NDArray[Any]:
    """``array[order]``, where an order that is an array of places has no place that is not there: then it is faster."""
    if isinstance(order, np.ndarray) and order.dtype != bool:
        return array.take(order, mode="clip")
    return np.asarray(array[order])


def encode(values: Any) -> Coded:
    """A column of ids as codes, in order of first appearance."""
    if isinstance(values, Coded):
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and (found := _by_value(values)):
        return found
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        ids, first, inverse = np.unique(values, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return Coded(tuple(ids[order].tolist()), narrow(rank[inverse.ravel()], len(ids)))
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    codes: dict[Hashable, int] = {v: k for k, v in enumerate(dict.fromkeys(listed))}
    number = np.fromiter(map(codes.__getitem__, listed), np.int64, len(listed))
    return Coded(tuple(codes), narrow(number, len(codes)))


def _by_value(values: NDArray[Any]) -> Coded | None:
    """Whole numbers as codes by a table of all that there may be, without sorting; None where it would be too long."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, TABLE)
    if high - low >= TABLE * len(values):
        return None
    place = (values - values.dtype.type(low)).astype(np.int64, copy=False)
    first = np.full(high - low + 1, len(values), np.int64)
    first[place[::-1]] = np.arange(len(values) - 1, -1, -1)  # of rows that are equal the last that is set is the first
    there = np.flatnonzero(first < len(values))
    order = there[np.argsort(first[there])]
    first[order] = np.arange(len(order))  # no longer where a number comes first, but its code
    return Coded(tuple((order + low).tolist()), narrow(first[place], len(order)))


def is_blank(value: object) -> bool:
    """Nothing there: None, NaN, or a text of blanks."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    return isinstance(value, str) and not value.strip()


def blank_ids(ids: Sequence[Hashable]) -> list[int]:
    """The codes of ids that are blank."""
    kinds = set(map(type, ids))
    if kinds == {int} or (kinds == {str} and all(map(str.strip, ids))):  # type: ignore[arg-type]  # which is fast
        return []
    return [c for c, i in enumerate(ids) if is_blank(i)]


def ids(values: Any, column: str, source: Source) -> Coded:
    """A column of ids in which every row must have one."""
    coded = encode(values)
    blank = blank_ids(coded.ids)
    if blank:
        rows = np.flatnonzero(np.isin(coded.codes, blank))
        what = (f"the column '{column}' is empty" for _ in rows)
        an = "an" if column[0] in "aio" else "a"
        raise source.error(f"no {column}", rows, what, f"every row needs {an} {column}; leave out totals and notes.")
    return coded


def numbers(values: Any, column: str, source: Source, *, blank_allowed: bool = False) -> NDArray[Any]:
    """A column of finite numbers, floats or whole ones as they are; with ``blank_allowed`` an empty cell is NaN."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind in "fb":
        out, blank = values.astype(np.float64), np.isnan(values)
        coded = None
    else:
        coded = encode(values)
        out = np.array([number_in(i) for i in coded.ids], np.float64)[coded.codes]
        blank = np.array([is_blank(i) for i in coded.ids], bool)[coded.codes]
    bad = ~np.isfinite(out)
    if blank_allowed:
        bad &= ~blank
    if bad.any():
        rows = np.flatnonzero(bad)
        shown = ((values[r].item() if coded is None else coded[r]) for r in rows.tolist())
        what = (f"{column} {value!r} is not a number" for value in shown)
        labels = " Are they labels? labels=yes (--labels) takes them so." if column == "score" else ""
        hint = f"'{column}' takes numbers such as 1 or 2.5.{labels}"
        raise source.error(f"{column} is not a number", rows, what, hint)
    large = np.flatnonzero(np.abs(out) > LARGEST)
    if len(large) and column == "score":
        hint = f"scores are squared and added up, so they stay below {LARGEST:g}: divide them."
        raise source.error("score is too large", large, (f"score {out[r]:g}" for r in large), hint)
    return out


def number_in(value: object) -> float:
    """What a cell says as a number; NaN where it says none."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):  # the last for whole numbers without end
        return math.nan


def keys(*columns: Coded, short: bool = False) -> NDArray[Any]:
    """One integer per row that tells combinations of ids apart, ordered as the codes are; of 64 bits, or with ``short``
    of 32 where they hold all combinations: nothing is to be made of these but comparisons."""
    first, *rest = (c for c in columns if len(c.ids) > 1) if any(len(c.ids) > 1 for c in columns) else columns[:1]
    every = math.prod(len(c.ids) for c in (first, *rest))
    key, size = first.codes.astype(small(every) if short else np.int64), max(len(first.ids), 1)
    for column in rest:
        if size * len(column.ids) >= 2**63:
            used, key = np.unique(key, return_inverse=True)
            size = len(used)
        size *= len(column.ids)
        key *= len(column.ids)
        key += column.codes
    return key


def changes(*columns: Coded) -> NDArray[np.bool_]:
    """Whether a row's ids differ from those of the row before it; of the first they do."""
    out = np.zeros(len(columns[0]), bool)
    out[:1] = True
    for column in columns:
        if len(column.ids) > 1:
            out[1:] |= column.codes[1:] != column.codes[:-1]
    return out


def starts_of(judgment: NDArray[Any], order: Any) -> NDArray[np.int64]:
    """The rows at which judgments begin once rows are in order of judgment, which ``order`` puts them in."""
    if isinstance(order, slice) or int(judgment.max()) > TABLE * len(judgment):
        judgment = judgment[order]
        return np.flatnonzero(np.append(True, judgment[1:] != judgment[:-1]))
    rows = np.bincount(judgment)
    rows = rows[rows > 0]
    return np.asarray(np.cumsum(rows) - rows)


def ranges(begin: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[Any]:
    """The rows of each range, so many from where it begins, one range after the other.

    >>> ranges(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    if len(length) and (length == length[0]).all():
        return np.asarray(begin[:, None] + np.arange(length[0])).ravel()
    return np.asarray(np.arange(int(length.sum())) + np.repeat(begin - np.cumsum(length) + length, length))


def ordered(columns: Sequence[NDArray[Any]], strictly: bool = False) -> bool:
    """Whether rows ascend by these columns; strictly: and no two rows are equal in all of them."""
    after = np.zeros(max(len(columns[0]) - 1, 0), bool)
    equal = ~after
    for column in columns:
        after |= equal & (column[1:] > column[:-1])
        equal &= column[1:] == column[:-1]
        if not (after | equal).all():
            return False
    return not (strictly and equal.any())


def combinations(*columns: Coded) -> NDArray[Any]:
    """One integer per row, as :func:`keys` has short ones; no sums where rows ascend already."""
    if ordered([c.codes for c in columns if len(c.ids) > 1] or [columns[0].codes]):
        return np.cumsum(changes(*columns), dtype=small(len(columns[0])))
    return keys(*columns, short=True)


def by_table(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any] | None:
    """The rows in the order of two columns of whole numbers from 0, by a table of all pairs of them, without sorting.

    None where that does not do: two rows are equal in both, or the table would be many times as long as the columns.
    """
    width = int(second.max(initial=0)) + 1
    size = (int(first.max(initial=0)) + 1) * width
    if size > TABLE * len(first):
        return None
    key = first.astype(small(size))
    key *= width
    key += second
    row = np.full(size, -1, small(len(key)))
    row[key] = np.arange(len(key), dtype=row.dtype)
    order = row[row >= 0]
    return order if len(order) == len(key) else None


def order_of(key: NDArray[Any]) -> NDArray[Any]:
    """The rows in the order of whole numbers, equal ones as they come: of many rows 16 binary digits at a time.

    >>> order_of(np.array([70_000, 3, 70_000, 2])).tolist()
    [3, 1, 0, 2]
    """
    if len(key) < MANY or key.dtype.kind not in "iu" or int(key.min()) < 0 or int(key.max()) >= 1 << 4 * DIGITS:
        return np.argsort(key, kind="stable")
    order = np.argsort(key.astype(np.uint16), kind="stable")  # the lowest digits: the others are cut off
    for shift in range(DIGITS, int(key.max()).bit_length(), DIGITS):
        order = order[np.argsort((key >> shift).astype(np.uint16)[order], kind="stable")]
    return order


def repeated(key: NDArray[Any]) -> NDArray[np.int64]:
    """Rows whose key an earlier row has, in row order."""
    rows, number = _occurrences(key)
    return np.asarray(rows[number > 0])


def numbered(key: NDArray[np.int64]) -> Coded:
    """The occasion of every row: 1 where its key comes first, 2 where it comes again, and so on."""
    rows, number = _occurrences(key)
    last = int(number.max(initial=0)) + 1
    codes = np.zeros(len(key), np.min_scalar_type(last - 1))
    codes[rows] = number
    return Coded(tuple(range(1, last + 1)), frozen(codes))


def _occurrences(key: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that may share their key with another row, and how many that do come before each."""
    rows = _shared(key)
    own = key[rows]
    order = order_of(own)
    place, own = np.arange(len(own)), own[order]
    first = np.ones(len(own), bool)
    first[1:] = own[1:] != own[:-1]
    number = np.empty(len(own), np.int64)
    number[order] = place - np.maximum.accumulate(np.where(first, place, 0))
    return rows, number


def _shared(key: NDArray[Any]) -> NDArray[np.int64]:
    """Rows whose key another row has, in row order, or all rows where those may be many."""
    if (key[1:] > key[:-1]).all():
        return np.zeros(0, np.int64)
    most = int(key.max()) + 1
    if most <= TABLE * len(key):
        there = np.zeros(most, bool)
        there[key] = True
        return np.arange(len(key) if np.count_nonzero(there) < len(key) else 0)
    put = np.sort(key)  # half the time of their order
    twice = put[1:][put[1:] == put[:-1]]
    if not 0 < len(twice) <= FEW:
        return np.arange(len(key) if len(twice) else 0)
    at = np.searchsorted(twice, key)
    return np.flatnonzero(twice[np.minimum(at, len(twice) - 1)] == key)


def distinct(numbers: NDArray[Any], below: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The distinct numbers in their order, and the place of each among them; by a table, where they are dense.

    >>> [found.tolist() for found in distinct(np.array([5, 2, 5]), 6)]
    [[2, 5], [1, 0, 1]]
    """
    if below > DENSE * len(numbers):
        known, place = np.unique(numbers, return_inverse=True)
        return known, place.ravel()
    seen = np.zeros(below, bool)
    seen[numbers] = True
    return np.flatnonzero(seen), (np.cumsum(seen, dtype=np.int64) - 1)[numbers]
