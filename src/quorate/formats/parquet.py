"""Parquet, by polars: one column at a time, texts straight to codes; millions of rows never are Python objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.errors import InputError, MissingExtra
from quorate.formats.files import File, Sink
from quorate.formats.names import panel_columns
from quorate.formats.parts import Part
from quorate.formats.registry import Format
from quorate.formats.tables import OPTIONS, plan, together
from quorate.panel.columns import Coded, narrow
from quorate.panel.kinds import Panel

if TYPE_CHECKING:
    import polars as pl

MAGIC = b"PAR1"


def _polars() -> Any:
    if find_spec("polars") is None:
        raise MissingExtra("polars", "tables", "Parquet")
    import polars

    return polars


def read(files: Sequence[File], kind: str | None, **layout: Any) -> Panel:
    """A panel from Parquet files."""
    pl = _polars()
    parts = []
    for file in files:
        with file.binary() as stream:
            if file.head[:4] != MAGIC:
                raise InputError(f"{file.name}: not a Parquet file.", "its first four bytes are not PAR1.")
            source: Any = file.local or stream
            try:
                columns = list(pl.read_parquet_schema(_again(source)))
                meant = plan(file.name, columns, kind, **layout)
                raw = {
                    new: _column(pl, _again(source), old, new, meant.numeric().blank, file.name)
                    for old, new in zip(columns, meant.names, strict=True)
                }
            except pl.exceptions.PolarsError as error:
                raise InputError(f"{file.name}: cannot be read ({error}).", "is it a whole Parquet file?") from None
        parts.append(meant.shape(Part(file.name, raw)))
    return together(parts, kind)


def _again(source: Any) -> Any:
    if hasattr(source, "seek"):
        source.seek(0)
    return source


def _column(pl: Any, source: Any, old: str, new: str, numeric: Mapping[str, bool], where: str) -> Any:
    series = pl.read_parquet(source, columns=[old]).to_series()
    if series.dtype.is_nested() or series.dtype == pl.Binary:
        raise InputError(f"{where}: the column '{old}' holds {series.dtype}.", "a column holds texts or numbers.")
    if new in numeric and series.dtype.is_numeric():
        return series.cast(pl.Float64).fill_null(np.nan).to_numpy()
    return codes(pl, series)


def codes(pl: Any, series: pl.Series) -> Coded:
    """A polars column as codes in order of first appearance."""
    if isinstance(series.dtype, pl.Categorical | pl.Enum):
        series = series.cast(pl.String)
    ids = series.unique(maintain_order=True)
    if series.dtype == pl.String:
        present = ids.drop_nulls()
        number = series.cast(pl.Enum(present)).to_physical()
        if len(present) < len(ids):  # nulls come last
            ids = pl.concat([present, pl.Series(ids.name, [None], pl.String)])
            number = number.cast(pl.UInt32).fill_null(len(present))
    else:
        new = pl.Series(range(len(ids)), dtype=pl.UInt32)
        number = series.replace_strict(ids, new, return_dtype=pl.UInt32)
    return Coded(tuple(ids.to_list()), narrow(number.to_numpy(), len(ids)))


# -- out -------------------------------------------------------------------------------------------------------------


def write(panel: Panel, sink: Sink) -> None:
    """A panel as Parquet."""
    pl = _polars()
    columns = {
        name: _series(pl, name, column) if isinstance(column, Coded) else _numbers(pl, column)
        for name, column in panel_columns(panel).items()
    }
    with sink.binary() as stream:
        pl.DataFrame(columns).write_parquet(stream)


def _numbers(pl: Any, values: Any) -> Any:
    return (
        pl.Series(values=np.ascontiguousarray(values)).fill_nan(None)
        if values.dtype.kind == "f"
        else pl.Series(values=values)
    )


def _series(pl: Any, name: str, column: Coded) -> Any:
    """The ids of a column row by row; they must be of one type."""
    types = {type(i) for i in column.ids if i is not None}
    if len(types) > 1 or not types <= {str, int, float, bool}:
        said = ", ".join(sorted(t.__name__ for t in types))
        raise InputError(
            f"parquet holds one type per column, texts or numbers; the column '{name}' has {said}.",
            "jsonl holds texts and numbers side by side.",
        )
    try:
        ids = pl.Series(name, list(column.ids), dtype=None if types else pl.String)
    except (OverflowError, UnicodeEncodeError, pl.exceptions.PolarsError) as error:
        raise InputError(f"parquet cannot hold the column '{name}': {error}.", "jsonl can.") from None
    return ids.gather(column.codes.astype(np.uint32))


def sniff(file: File) -> bool:
    """The four bytes PAR1."""
    return file.head[:4] == MAGIC


PARQUET = Format(
    "parquet",
    ("parquet", "pq"),
    "long table in columns, for many rows; ids keep their type",
    ("orderings", "groupings", "scores", "votes"),
    read,
    write,
    sniff,
    "tables",
    OPTIONS,
)
