"""Data frames at the border: pandas, polars and pyarrow tables, Hugging Face datasets, plain lists and dicts.

Nothing is imported that is not there already: a frame is known by what it can do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from quorate.errors import InputError, MissingExtra
from quorate.panel.columns import Coded, narrow

TABLE = "give a path, a pandas, polars or pyarrow table, a dataset, a list of dicts or a dict of lists."
OF_DICTS = "Groupings.from_groups, Scores.from_labels take {judge: {item: ...}}, Orderings.from_orders {judge: order}."
NO_TABLE = {  # what to do with other things that people have
    "Series": "make a table of it: series.reset_index(), with columns judge, item and score.",
    "ndarray": "Scores.from_matrix and Orderings.from_ranks take an array of judges x items.",
    "list": f"Orderings.from_orders takes a list of orders; or {TABLE}",
}


def frame_columns(frame: Any) -> dict[str, Any]:
    """The columns of a data frame as arrays, codes of texts, or lists."""
    plain = _plain(frame)
    if plain is not None:
        return {name: _typed(list(column)) for name, column in plain.items()}
    import narwhals.stable.v2 as nw

    if type(frame).__name__ == "LazyFrame":
        raise InputError("a lazy frame has no rows yet.", "collect it: frame.collect().")
    try:
        table = nw.from_native(_with_index(frame), eager_only=True)
    except TypeError:
        what = type(frame).__name__
        an = "an" if what[0] in "aeinAEIO" else "a"
        raise InputError(f"{an} {what} is not a table.", NO_TABLE.get(what, TABLE)) from None
    out: dict[str, Any] = {}
    for column in table.iter_columns():
        name = column.name
        whole = len(column) > 0 and not column.is_null().any()
        if whole and column.dtype.is_numeric():
            out[name] = column.to_numpy()
        elif whole and column.dtype == nw.String:
            out[name] = _coded(column)
        else:
            out[name] = _typed(column.to_list())
    return out


def _coded(column: Any) -> Coded:
    """A column of texts as codes, by the frame's own means: a list of a million texts takes as long as all else."""
    native = column.to_native()
    if hasattr(native, "factorize"):
        codes, ids = native.factorize()
        return Coded(tuple(ids.tolist()), narrow(codes, len(ids)))
    import narwhals.stable.v2 as nw

    ids = column.unique(maintain_order=True).to_list()
    codes = column.replace_strict(ids, range(len(ids)), return_dtype=nw.Int64)
    return Coded(tuple(ids), narrow(codes.to_numpy(), len(ids)))


def _with_index(frame: Any) -> Any:
    """A pandas frame with its index as columns, where that says something: it has names, or holds texts."""
    index = getattr(frame, "index", None) if hasattr(frame, "reset_index") else None
    if index is None or not hasattr(frame, "columns") or frame.columns.nlevels > 1:
        return frame
    names = [n for n in index.names if n is not None]
    if names and len(names) == index.nlevels and not {str(n) for n in names} & {str(c) for c in frame.columns}:
        return frame.reset_index()
    texts = not names and index.nlevels == 1 and len(index) > 0 and all(isinstance(i, str) for i in index)
    return frame.rename_axis("").reset_index() if texts and "" not in frame.columns else frame


def _plain(frame: Any) -> Mapping[str, Any] | None:
    """The columns of what is no data frame but a table all the same; None of anything else.

    >>> _plain([{"judge": "ann", "score": 3}, {"judge": "bob"}])
    {'judge': ['ann', 'bob'], 'score': [3, None]}
    """
    if _is_dataset(frame):
        if isinstance(frame, Mapping):
            first = next(iter(frame), "train")
            raise InputError(
                f"a dataset with the splits {', '.join(map(str, frame))}.", f"take one: dataset[{first!r}]."
            )
        frame = frame.with_format(None)
        frame = frame[:] if hasattr(frame, "__len__") else list(frame)
    if isinstance(frame, Mapping):
        if any(isinstance(c, Mapping) for c in frame.values()):
            raise InputError("a dict of dicts does not say which of its keys are judges.", OF_DICTS)
        sizes = {len(c) if hasattr(c, "__len__") and not isinstance(c, str) else -1 for c in frame.values()}
        if len(sizes) != 1 or -1 in sizes:
            raise InputError("a dict is a table if its values are lists of one length.", TABLE)
        return {str(name): column for name, column in frame.items()}
    if isinstance(frame, list | tuple) and frame and all(isinstance(row, Mapping) for row in frame):
        names = dict.fromkeys(name for row in frame for name in row)
        return {str(name): [row.get(name) for row in frame] for name in names}
    return None


def _is_dataset(frame: Any) -> bool:
    """Whether it is a Hugging Face dataset, or several splits of one."""
    kinds = {f"{c.__module__.partition('.')[0]}.{c.__name__}" for c in type(frame).__mro__}
    return bool(kinds & {f"datasets.{n}" for n in ("Dataset", "IterableDataset", "DatasetDict", "IterableDatasetDict")})


def _typed(values: list[Any]) -> list[Any]:
    """The values; true and false as texts, for as keys they would be 1 and 0, and pandas' NA as nothing."""
    kinds = set(map(type, values))
    if any(kind.__name__ in ("NAType", "NaTType") for kind in kinds):
        values = [None if type(v).__name__ in ("NAType", "NaTType") else v for v in values]
    if bool in kinds:
        return [v if type(v) is not bool else "true" if v else "false" for v in values]
    return values


def make_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A data frame of these columns, by the library named or the first one installed."""
    import narwhals.stable.v2 as nw

    chosen = backend or next((b for b in ("polars", "pandas", "pyarrow") if find_spec(b)), None)
    if chosen is None or find_spec(chosen) is None:
        wanted = chosen or "polars"
        raise MissingExtra(wanted, "tables" if wanted == "polars" else "", "A data frame")
    even = {name: _even(column, mixed=chosen == "pandas") for name, column in columns.items()}
    return nw.from_dict(even, backend=chosen).to_native()


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
