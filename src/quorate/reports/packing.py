"""Values as columns of short text, for a page with little room: names once, numbers to a few digits.

A column is a dict that says by its first key what it holds; ``unpack.js`` turns it back:

- ``low``, ``planes``: whole numbers above the lowest, as digits of base 90, a string for every place, highest first;
  with ``steps`` each is the difference from the one before
- ``numbers``, ``powers``: whole numbers times powers of ten; 0 times 10 is what is undefined
- ``numbers``, ``power``: whole numbers times one power of ten, which gives every value with all its digits
- ``names``: places in the list of names, or ``among`` a few of them
- ``lists``, ``of``: how long each list is, and what is in them
- ``maps``, ``keys``, ``of``: the same of dicts
- ``records``: of dicts that all have the same keys, a column for each
- ``shapes``, ``of``: of dicts with a few sets of keys, which set each has, and the records of every set
- ``some``, ``of``: 1 where there is a value, 0 where there is none, and the values
- ``plain``: as they are

Columns inside columns are places in the list of columns, so that equal ones are kept once.
"""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import clean
from quorate.panel.columns import Coded

BASE = 90
SHAPES = 8
_ALPHABET = np.array([k for k in range(35, 126) if k != 92], np.uint8)  # from # to }, without \: no escapes in JSON
_EXACT = 2**53
_WIDE = 1e290  # beyond this rounding could lead out of what a float holds


class Packer:
    """Collects columns and the names in them.

    >>> packer = Packer()
    >>> packer.column(["ann", "bob", "ann"])
    2
    >>> packer.names, packer.columns[0]
    (['ann', 'bob'], '{"low":0,"planes":["#$#"]}')
    """

    def __init__(self, digits: int = 4) -> None:
        self.digits = digits
        self.columns: list[str] = []
        self.names: list[Any] = []
        self._places: dict[str, int] = {}
        self._codes: dict[Any, int] = {}

    def exact(self, values: Any) -> int:
        """Put values in with all digits; the place of their column."""
        if isinstance(values, Coded):
            return self.column(values) if _texts(values) else self.exact(values.values())
        plain = clean(list(values))
        if set(map(type, plain)) != {float} or (power := decimals(np.array(plain))) is None:
            return self.column(values) if float not in map(type, plain) else self._put({"plain": plain})
        whole = self._whole(np.rint(np.array(plain) * 10.0**power).astype(np.int64))
        return self._put({"numbers": whole, "power": -power}) if power else whole

    def column(self, values: Any) -> int:
        """Put values in, numbers to so many digits; the place of their column."""
        if isinstance(values, Coded):
            return self._coded(values) if _texts(values) else self.column(values.values())
        if isinstance(values, array):  # a column of millions
            values = np.asarray(values)
        if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuf":
            return self._numbers(values)
        plain = list(values)
        kinds = set(map(type, plain))
        if not kinds <= _PLAIN:
            plain = [_unwrapped(v) for v in plain]
            kinds = set(map(type, plain))
        if kinds == {int, float} and any(type(v) is int and abs(v) >= _EXACT for v in plain):  # counts of patterns
            return self._put({"plain": [_short(clean(v), self.digits) for v in plain]})
        if kinds == {float} or kinds == {int, float} or kinds == {float, type(None)}:
            return self._numbers(np.array([math.nan if v is None else v for v in plain], float))
        if kinds == {int}:
            return self._ints(plain)
        if kinds <= {str, bool, int, float, type(None)}:
            return self._named([clean(v) for v in plain] if float in kinds else plain)
        if type(None) in kinds:
            some = self._whole(np.array([v is not None for v in plain], np.int64))
            return self._put({"some": some, "of": self.column([v for v in plain if v is not None])})
        if kinds <= {list, tuple}:
            inside = self.column([v for each in plain for v in each])
            return self._put({"lists": self._whole(np.array([len(v) for v in plain])), "of": inside})
        if kinds == {dict}:
            return self._dicts(plain)
        return self._put({"plain": [_short(clean(v), self.digits) for v in plain]})

    def _dicts(self, values: Sequence[dict[Any, Any]]) -> int:
        keys = tuple(values[0])
        if len(keys) <= 100 and all(tuple(v) == keys for v in values):
            records = {str(k): self.column([v[k] for v in values]) for k in keys}
            return self._put({"records": records, "of": len(values)})
        shapes = list(dict.fromkeys(map(tuple, values)))
        if 1 < len(shapes) <= SHAPES:  # one shape of many keys is a map
            which = [shapes.index(tuple(v)) for v in values]
            each = [self._dicts([v for v, s in zip(values, which, strict=True) if s == k]) for k in range(len(shapes))]
            return self._put({"shapes": self._whole(np.array(which)), "of": each})
        lengths = self._whole(np.array([len(v) for v in values]))
        named = self._named([str(k) for v in values for k in v])
        return self._put({"maps": lengths, "keys": named, "of": self.column([x for v in values for x in v.values()])})

    def _named(self, values: Sequence[Any]) -> int:
        texts = set(map(type, values)) == {str}
        keys = values if texts else list(zip(map(type, values), values, strict=True))  # True and 1 are two names
        for key in dict.fromkeys(keys):
            self._name(key, key if texts else _short(clean(key[1]), self.digits))
        return self._names(np.fromiter(map(self._codes.__getitem__, keys), np.int64, len(keys)))

    def _coded(self, column: Coded) -> int:
        """Texts that are numbered already, in the order in which they come."""
        rows = len(column)
        place, first = np.zeros(len(column.ids), np.int64), np.full(len(column.ids), rows)
        first[column.codes[::-1]] = np.arange(rows)[::-1]  # of several the last that is written stays
        for k in np.argsort(first, kind="stable")[: np.count_nonzero(first < rows)].tolist():
            place[k] = self._name(column.ids[k], column.ids[k])
        return self._names(place[column.codes])

    def _name(self, key: Any, name: Any) -> int:
        """The number of a name, which is a new one or known already."""
        if key not in self._codes:
            self._codes[key] = len(self.names)
            self.names.append(name)
        return self._codes[key]

    def _names(self, found: NDArray[np.int64]) -> int:
        there = np.zeros(len(self.names), bool)
        there[found] = True
        few = np.flatnonzero(there)
        if len(few) <= BASE:
            return self._put({"names": self._whole((np.cumsum(there) - 1)[found]), "among": self._whole(few)})
        return self._put({"names": self._whole(found, steps=True)})

    def _ints(self, values: Sequence[int]) -> int:
        if max(max(values), -min(values)) >= _EXACT:
            return self._put({"plain": [clean(v) for v in values]})
        return self._whole(np.array(values, np.int64))

    def _numbers(self, values: NDArray[Any]) -> int:
        x = values.astype(float)
        x[np.isinf(x)] = np.nan  # as in JSON
        if not np.isnan(x).any() and (np.abs(x) < _EXACT).all() and (x == np.rint(x)).all():
            return self._whole(x.astype(np.int64))
        if (x < 0).any():  # unlike p-values, which may be tiny
            x[np.abs(x) < 1e-15] = 0.0  # what adding up left over
        size = np.abs(x[np.isfinite(x) & (x != 0)])
        if len(size) and (size.max() > _WIDE or size.min() < 1 / _WIDE):
            return self._put({"plain": clean(x)})
        mantissa, power = rounded(x, self.digits)
        return self._put({"numbers": self._whole(mantissa), "powers": self._whole(power)})

    def _whole(self, values: NDArray[np.int64], steps: bool = False) -> int:
        """Whole numbers, or the steps from one to the next where neighbours are alike."""
        if steps:
            values = np.diff(values, prepend=0)
        low = int(values.min()) if len(values) else 0
        rest, planes = values - low, []
        for _ in range(_places(int(rest.max()) if len(rest) else 0)):
            planes.append(_ALPHABET[rest % BASE].tobytes().decode("ascii"))
            rest = rest // BASE
        column: dict[str, Any] = {"low": low, "planes": planes[::-1]}
        if not planes:
            column["of"] = len(values)
        return self._put({**column, "steps": True} if steps else column)

    def _put(self, column: dict[str, Any]) -> int:
        text = _text(column)
        if text not in self._places:
            self._places[text] = len(self.columns)
            self.columns.append(text)
        return self._places[text]

    def listed(self, start: int = 0) -> tuple[list[int], list[Any]]:
        """The names: how many letters are those of the one before, and the others.

        >>> packer = Packer()
        >>> place = packer.column(["doc-1", "doc-2", None, "doc-3"])
        >>> packer.listed()
        ([0, 4, 0, 0], ['doc-1', '2', None, 'doc-3'])
        """
        shared: list[int] = []
        rest: list[Any] = []
        before, same = "", 0
        for name in self.names[start:]:
            text = name if isinstance(name, str) else ""
            same = min(same, len(text), len(before))
            if text[:same] != before[:same]:
                same = 0
            while same < min(len(text), len(before)) and text[same] == before[same]:
                same += 1
            shared.append(same)
            rest.append(text[same:] if isinstance(name, str) else name)
            before = text
        return shared, rest

    # -- trying -----------------------------------------------------------------------------------------------------

    def mark(self) -> tuple[int, int]:
        """Where it stands, to come back to."""
        return len(self.columns), len(self.names)

    def since(self, mark: tuple[int, int]) -> str:
        """What came in after a mark, as text."""
        return "".join(self.columns[mark[0] :]) + _text(self.listed(mark[1])[1])

    def back(self, mark: tuple[int, int]) -> None:
        """Take out what came in after a mark."""
        for text in self.columns[mark[0] :]:
            del self._places[text]
        del self.columns[mark[0] :], self.names[mark[1] :]
        self._codes = {value: code for value, code in self._codes.items() if code < mark[1]}


def _texts(column: Coded) -> bool:
    """Whether there are rows, and all names are texts."""
    return len(column) > 0 and set(map(type, column.ids)) == {str}


_PLAIN = {str, bool, int, float, type(None), list, tuple, dict}


def _unwrapped(value: Any) -> Any:
    """A value of a plain kind: what is inside of a list or a dict is seen to with its column."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif isinstance(value, Mapping):
        value = dict(value)
    elif isinstance(value, list | tuple):
        value = list(value)
    return value if type(value) in {list, tuple, dict} else clean(value)


def decimals(values: NDArray[np.float64]) -> int | None:
    """How many decimals give every value exactly; None if not even 15 do.

    >>> decimals(np.array([1.5, 2.25])), decimals(np.array([3.0])), decimals(np.array([1 / 3]))
    (2, 0, None)
    """
    for places in range(16):
        whole = np.rint(values * 10.0**places)
        if not (np.abs(whole) < _EXACT).all():
            return None
        if (whole / 10.0**places == values).all():
            return places
    return None


def rounded(values: NDArray[np.float64], digits: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Whole numbers and powers of ten that give the values to so many digits; 0 and 1 where undefined.

    >>> [x.tolist() for x in rounded(np.array([0.123456, -20.0, 0.99999, 0, math.nan]), 4)]
    [[1235, -2000, 1000, 0, 0], [-4, -2, -3, 0, 1]]
    """
    known = np.isfinite(values) & (values != 0)
    size = np.abs(np.where(known, values, 1.0))
    power = np.floor(np.log10(size)).astype(np.int64) - digits + 1
    mantissa = np.rint(size / 10.0**power).astype(np.int64)
    over = mantissa >= 10**digits
    mantissa, power = np.where(over, mantissa // 10, mantissa), power + over
    mantissa = np.where(known, np.where(values < 0, -mantissa, mantissa), 0)
    return mantissa, np.where(known, power, np.isnan(values).astype(np.int64))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)


def _places(most: int) -> int:
    """How many digits of the base a number takes; none for 0."""
    places = 0
    while most:
        most, places = most // BASE, places + 1
    return places


def _short(value: Any, digits: int) -> Any:
    """A value with its numbers to so many digits."""
    if type(value) is float:
        return float(f"{value:.{digits}g}") if abs(value) < _WIDE else value
    if isinstance(value, list | tuple):
        return [_short(v, digits) for v in value]
    if isinstance(value, dict):
        return {k: _short(v, digits) for k, v in value.items()}
    return value
