"""Decodes Parquet in a process of its own: a damaged file may end this process, and no other.

Run as a script by :mod:`quorate.formats.parquet`, which asks one question after the other; so it knows polars and numpy
only, and polars only where it decodes. Questions and answers are pickles.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

RUNS = 1000  # rows by which it is told whether those of one id stand together
RECUR = 8  # times that ids come on average, from which on a table of their hashes pays
SPARE = 32  # cells of that table for each id, so that few share one
AT_ONCE = 1 << 18  # rows of which ids are looked up at a time


def send(stream: Any, message: Any) -> None:
    """A message; arrays go into the stream as they lie in memory."""
    pickle.dump(message, stream, protocol=5)
    stream.flush()


class Decoder:
    """One file at a time, one column at a time."""

    def __init__(self) -> None:
        import polars

        self._pl: Any = polars
        self._source: Any = None

    def open(self, source: str | bytes) -> tuple[list[str], int, bool]:
        """The names of a file's columns, how many rows there are, and whether cells hold lists or objects."""
        pl, self._source = self._pl, source
        schema = pl.read_parquet_schema(self._again())
        rows = pl.scan_parquet(self._again()).select(pl.len()).collect().item() if schema else 0
        return list(schema), int(rows), any(t.is_nested() for t in schema.values())

    def rows(self, start: int, count: int) -> bytes:
        """Some rows as JSON Lines; of bytes nothing is said."""
        pl, out = self._pl, io.BytesIO()
        schema = pl.read_parquet_schema(self._again())
        plain = [n for n, t in schema.items() if t != pl.Binary]
        pl.scan_parquet(self._again()).select(plain).slice(start, count).collect().write_ndjson(out)
        return out.getvalue()

    def _again(self) -> Any:
        return io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source

    def column(self, name: str, as_number: bool) -> tuple[str, Any, int]:
        """A column: what it is (numbers, codes, nested), its values, and its size in bytes."""
        pl = self._pl
        series = pl.read_parquet(self._again(), columns=[name]).to_series()
        size = int(series.estimated_size())
        if series.dtype.is_nested() or series.dtype == pl.Binary:
            return "nested", str(series.dtype), size
        if as_number and series.dtype.is_numeric():
            return "numbers", values(pl, series), size
        return "codes", codes(pl, series), size


def values(pl: Any, series: Any) -> Any:
    """A column of numbers: whole ones as they are, others as floats, NaN where there is none."""
    if series.dtype.is_integer() and not series.null_count():
        return series.to_numpy()
    return series.cast(pl.Float64).fill_null(np.nan).to_numpy()


def codes(pl: Any, series: Any) -> tuple[list[Any], Any]:
    """A column's ids in order of first appearance, and the number of each row's; true and false are texts."""
    if isinstance(series.dtype, pl.Categorical | pl.Enum) or series.dtype == pl.Boolean:
        series = series.cast(pl.String)
    some = series.slice(len(series) // 2, RUNS)
    if 2 * len(some.rle()) < len(some):  # rows of one id stand together: look at each such run once
        runs = series.rle().struct.unnest()
        ids, number = codes(pl, runs.get_column("value"))
        return ids, np.repeat(number, runs.get_column("len").to_numpy())
    if period := _period(series):
        ids, number = codes(pl, series.head(period))
        return ids, np.resize(number, len(series))
    found = _by_hash(pl, series) if series.dtype == pl.String or series.dtype.is_integer() else None
    names, place = _by_value(pl, series) if found is None else found
    return names.to_list(), place.astype(np.min_scalar_type(max(len(names) - 1, 0)), copy=False)


def _period(series: Any) -> int:
    """After how many rows the same ids come again in the same order, throughout; 0 where they do not.

    So are items of which every judge tells in the order of the list: comparing rows is faster than looking them up.
    """
    head = series.head(RUNS)
    again = head.slice(1).eq_missing(head.head(1)).arg_true()
    for column in (head, series) if len(again) else ():
        period = int(again[0]) + 1
        if not column.slice(period).equals(column.head(len(column) - period)):
            return 0
    return int(again[0]) + 1 if len(again) else 0


def renumbered(number: Any, names: Any) -> tuple[list[Any], Any]:
    """The same of a column of numbers, of which the names behind them are known: nothing is looked up."""
    first = np.full(len(names), len(number), np.int64)
    first[number[::-1]] = np.arange(len(number) - 1, -1, -1)  # of rows that are equal the last that is set is the first
    there = np.flatnonzero(first < len(number))
    order = there[np.argsort(first[there])]
    first[order] = np.arange(len(order))  # no longer where a name comes first, but its number
    place = first.astype(np.min_scalar_type(max(len(order) - 1, 0)))
    return names.gather(order).to_list(), place[number]


def _by_hash(pl: Any, series: Any) -> tuple[Any, Any] | None:
    """The ids, and the place of every row's among them, found by their hashes, some rows at a time: memory that was
    just used is used again. None where ids seldom recur."""
    known, out = Known(series), np.empty(len(series), np.uint32)
    for a in range(0, len(series), AT_ONCE):
        out[a : a + AT_ONCE] = known.places(series.slice(a, AT_ONCE))
        if RECUR * len(known.ids) > len(series):
            return None
    if series.dtype == pl.String and known.ids.null_count():  # none comes last
        ids, moved = _by_value(pl, known.ids)
        return ids, moved[out]
    return known.ids, out


def _in_order(pl: Any, ids: Any) -> Any:
    """The ids in order of first appearance; of texts none comes last."""
    if ids.dtype != pl.String or not ids.null_count():
        return ids
    return pl.concat([ids.drop_nulls(), ids.filter(ids.is_null())])


def _by_value(pl: Any, series: Any) -> tuple[Any, Any]:
    """The ids, and the place of every row's among them, found by comparing them."""
    ids = _in_order(pl, series.unique(maintain_order=True))
    if series.dtype == pl.String:
        number = series.cast(pl.Enum(ids.drop_nulls()), strict=False).to_physical().cast(pl.UInt32)
        return ids, number.fill_null(len(ids) - 1).to_numpy()
    new = pl.Series(range(len(ids)), dtype=pl.UInt32)
    return ids, series.replace_strict(ids, new, default=0, return_dtype=pl.UInt32).to_numpy()


class Known:
    """Ids in order of first appearance, and a table of their places by their hashes.

    Of several ids in a cell the table has the first. What it says is held against the rows' ids, and those that it does
    not have are looked up by their values.
    """

    def __init__(self, series: Any) -> None:
        self.ids = series.clear()
        self._others: dict[Any, int] = {}  # ids that the table does not have
        self._table = np.zeros(0, np.uint32)
        self._taken = np.zeros(0, bool)  # cells of the table

    def places(self, rows: Any) -> Any:
        """The place of every row's id; new ids are added."""
        found, unknown = self._looked_up(rows)
        if len(unknown):
            others = rows.gather(unknown)
            self._add(others.unique(maintain_order=True))
            found[unknown], left = self._looked_up(others)
            found[unknown[left]] = [self._others[i] for i in others.gather(left).to_list()]
        return found

    def _looked_up(self, rows: Any) -> tuple[Any, Any]:
        """The place of every row's id by the table, and the rows where the id at that place is another."""
        if not len(self.ids):
            return np.zeros(len(rows), np.uint32), np.arange(len(rows))
        found = self._table[self._cells(rows)]
        return found, self.ids.gather(found).ne_missing(rows).arg_true().to_numpy()

    def _cells(self, ids: Any) -> Any:
        """By the first digits of the hash."""
        return (ids.hash().to_numpy() >> np.uint64(65 - len(self._table).bit_length())).astype(np.int64)

    def _add(self, ids: Any) -> None:
        """Add those of some ids that are new; none of them is in the table."""
        if self._others:
            ids = ids.gather([k for k, i in enumerate(ids.to_list()) if i not in self._others])
        start, self.ids = len(self.ids), self.ids.append(ids).rechunk()
        if SPARE * len(self.ids) > 4 * len(self._table):  # too many for it: a larger one
            size = 1 << (SPARE * len(self.ids)).bit_length()
            start, self._others = 0, {}
            self._table, self._taken = np.zeros(size, np.uint32), np.zeros(size, bool)
        own = self._cells(self.ids.slice(start))
        cell, first = np.unique(own, return_index=True)
        free = ~self._taken[cell]
        self._table[cell[free]], self._taken[cell[free]] = start + first[free], True
        late = np.delete(np.arange(len(own)), first[free])
        self._others.update(zip(self.ids.slice(start).gather(late).to_list(), (start + late).tolist(), strict=True))


def main() -> None:
    """Answer until nobody asks."""
    decoder = Decoder()
    known: dict[str, Callable[..., Any]] = {"open": decoder.open, "column": decoder.column, "rows": decoder.rows}
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    while True:
        try:
            name, *given = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            found = ("ok", known[name](*given))
        except BaseException as error:  # a panic of the decoder is no Exception
            found = ("error", " ".join(str(error).split())[:300])
        send(out, found)


if __name__ == "__main__":
    main()
