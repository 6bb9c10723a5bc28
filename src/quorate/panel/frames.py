"""Data frames at the border: pandas, polars and pyarrow tables in and out, through narwhals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from quorate.errors import InputError, MissingExtra


def frame_columns(frame: Any) -> dict[str, Any]:
    """The columns of a data frame as arrays or lists."""
    import narwhals.stable.v2 as nw

    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"a {type(frame).__name__} is not a table.", "give a path, or a pandas, polars or pyarrow table."
        ) from None
    out: dict[str, Any] = {}
    for column in table.iter_columns():
        name = column.name
        if column.dtype.is_numeric() and not column.is_null().any():
            out[name] = column.to_numpy()
        else:
            out[name] = column.to_list()
    return out


def make_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A data frame of these columns, by the library named or the first one installed."""
    import narwhals.stable.v2 as nw

    chosen = backend or next((b for b in ("polars", "pandas", "pyarrow") if find_spec(b)), None)
    if chosen is None or find_spec(chosen) is None:
        wanted = chosen or "polars"
        raise MissingExtra(wanted, "tables" if wanted == "polars" else "", "A data frame")
    even = {name: _even(column, mixed=chosen == "pandas") for name, column in columns.items()}
    return nw.from_dict(even, backend=chosen).to_native()  # type: ignore[arg-type]


def _even(column: Sequence[Any], mixed: bool) -> Sequence[Any]:
    """A column of one type: numbers of two kinds as floats, other mixtures as text unless the frame takes them."""
    kinds = set(map(type, column)) - {type(None)}
    if kinds <= {int, float}:
        large = any(type(v) is int and v.bit_length() > 63 for v in column)
        return [_float(v) if type(v) is int else v for v in column] if large or len(kinds) > 1 else column
    plain = len(kinds) == 1 and kinds <= {str, bool}
    return column if mixed or plain else [None if v is None else str(v) for v in column]


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
