"""What the reader of a table was told; what it was not told it finds out or asks. Impossible wishes are errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.errors import InputError, suggest
from quorate.formats.names import clean


@dataclass(frozen=True)
class Wishes:
    """What the reader was told; what it was not told it finds out or asks."""

    kind: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    wide: bool | None = None
    judge_columns: tuple[str, ...] = ()
    item_columns: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    labels: bool = False
    scale: tuple[str, ...] = ()
    several: str = ""
    missing: tuple[str, ...] = ()
    decimal: str | None = None
    totals: str | None = None
    exact: bool = False
    judge: str = ""
    task: tuple[str, ...] = ()
    winner: str | None = None
    named: bool = False  # the first line is known to be names of columns


def wishes(kind: str | None, layout: Mapping[str, Any]) -> Wishes:
    """What was told, from the options of a reader."""
    given = {k: v for k, v in layout.items() if v is not None}
    given.setdefault("named", False)
    rename = dict(given.pop("rename", {})) | {old: new for new, old in given.pop("column", {}).items()}
    given = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
    kind = "scores" if (given.get("labels") or given.get("scale") or given.get("several")) and kind is None else kind
    return Wishes(kind, rename, **given)


def check_wishes(where: str, told: Wishes, names: Sequence[str]) -> None:
    """An error for wishes that exclude each other, or name columns that are not there."""
    if (told.labels or told.scale or told.several) and told.kind != "scores":
        raise InputError(f"labels are scores, not {told.kind}.", "leave out labels and scale, or say kind=scores.")
    if told.criteria and told.kind not in (None, "scores"):
        raise InputError(f"criteria are for scores, not {told.kind}.", "leave out kind, or criteria.")
    if told.wide and told.criteria:
        raise InputError("wide and criteria exclude each other.", "a wide table has one column per judge.")
    if told.judge_columns and told.item_columns:
        raise InputError("judge_columns and item_columns exclude each other.", "a column is a judge's or an item's.")
    if told.wide and {"judge", "item"} <= set(names):
        raise InputError(f"{where}: a table with a column 'judge' is long, not wide.", "leave out wide.")
    if told.wide and told.kind is None:
        raise InputError(
            f"{where}: a wide table does not say its kind.", "pass kind=orderings, groupings or scores (--kind)."
        )
    for column in map(clean, (*told.criteria, *told.judge_columns, *told.item_columns)):
        if column not in names:
            raise InputError(f"{where}: no column '{column}'.", suggest(column, names, "Columns found"))
