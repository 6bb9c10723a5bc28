"""Text into columns, chunk by chunk: an id is kept once and a row holds its code, so memory follows the rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import SHOWN
from quorate.formats.files import bad_lines
from quorate.formats.parts import Part
from quorate.panel.columns import Coded, Source, is_blank, narrow

CHUNK = 2_000  # rows held as Python objects at a time; more is slower, for the garbage collector visits them all


class _Codes(dict[Hashable, int]):
    """Gives each new id the next code."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = code = len(self)
        return code


class Ids:
    """A column of ids, growing."""

    def __init__(self) -> None:
        self._codes = _Codes()
        self._chunks: list[NDArray[np.uint32]] = []

    def add(self, values: Sequence[Hashable], row: int) -> None:
        """The next values; ``row`` is the number of the first."""
        self._chunks.append(np.fromiter(map(self._codes.__getitem__, values), np.uint32, len(values)))

    def done(self, name: str, source: Source) -> Coded:
        """The column."""
        return Coded(tuple(self._codes), narrow(_joined(self._chunks, np.uint32), len(self._codes)))


class Numbers:
    """A column of numbers, growing; what is not a number is remembered and told at the end."""

    def __init__(self, blank_allowed: bool) -> None:
        self._blank_allowed = blank_allowed
        self._chunks: list[NDArray[np.float64]] = []
        self._bad: list[tuple[int, object]] = []

    def add(self, values: Sequence[Any], row: int) -> None:
        """The next values; ``row`` is the number of the first."""
        try:
            numbers = np.fromiter(map(float, values), np.float64, len(values))
        except (ValueError, TypeError, OverflowError):
            numbers = np.array([self._number(v, row + k) for k, v in enumerate(values)], np.float64)
        self._chunks.append(numbers)

    def _number(self, value: Any, row: int) -> float:
        try:
            return float(value)
        except (ValueError, TypeError, OverflowError):
            if not (self._blank_allowed and is_blank(value)):
                self._bad.append((row, value))
            return math.nan

    def done(self, name: str, source: Source) -> NDArray[np.float64]:
        """The column."""
        if self._bad:
            rows = np.array([r for r, _ in self._bad])
            what = (f"the column '{name}' is empty" if is_blank(v) else f"{name} {v!r}" for _, v in self._bad)
            raise source.error(f"{name} is not a number", rows, what, _number_hint(name, self._bad))
        return _joined(self._chunks, np.float64)


def _number_hint(name: str, bad: list[tuple[int, object]]) -> str:
    if any("," in str(v) for _, v in bad[:SHOWN]):
        return f"'{name}' takes numbers such as 1 or 2.5; the decimal sign is a point."
    if name == "score" and all(isinstance(v, str) and not is_blank(v) for _, v in bad):
        return "'score' takes numbers such as 1 or 2.5; labels=yes (--labels) takes them as labels."
    blank = (
        "leave out the row of an absent item." if name == "position" else "leave the cell empty where it is missing."
    )
    return f"'{name}' takes numbers such as 1 or 2.5; {blank}"


def _joined(chunks: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate(chunks) if chunks else np.zeros(0, kind)


def column(name: str, numeric: Mapping[str, bool]) -> Ids | Numbers:
    """An empty column; ``numeric`` says which names are numbers and whether they may be blank."""
    return Numbers(numeric[name]) if name in numeric else Ids()


def collect(
    where: str, records: Iterable[tuple[int, list[str]]], names: Sequence[str], numeric: Mapping[str, bool]
) -> Part:
    """Records (line number, fields) as columns; empty ones are passed over, too few or too many fields are an error."""
    columns = {n: column(n, numeric) for n in names}
    lines: list[NDArray[np.int64]] = []
    wrong: list[tuple[int | None, str]] = []
    size = 0
    for batch in _batches(records):
        good = [r for r in batch if len(r[1]) == len(names)]
        if len(good) < len(batch):
            bad = (r for r in batch if r[1] and len(r[1]) != len(names))
            wrong.extend((line, f"{len(fields)} field{'s' if len(fields) != 1 else ''}") for line, fields in bad)
        if good and not wrong:
            for store, values in zip(columns.values(), zip(*(fields for _, fields in good), strict=True), strict=True):
                store.add(values, size)
            lines.append(np.array([line for line, _ in good], np.int64))
            size += len(good)
    if wrong:
        listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        hint = f"each line has {len(names)} fields: {listed}."
        raise bad_lines(where, f"the number of fields is not {len(names)}", wrong, hint)
    source = Source(where, _joined(lines, np.int64))
    return Part(where, {n: c.done(n, source) for n, c in columns.items()}, source.lines)


def _batches(records: Iterable[tuple[int, list[str]]]) -> Iterator[list[tuple[int, list[str]]]]:
    iterator = iter(records)
    while batch := list(islice(iterator, CHUNK)):
        yield batch
