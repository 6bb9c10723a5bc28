"""Options of tables, and what the reader of one was told; what it was not told it finds out or asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.errors import InputError, suggest
from quorate.formats.crossed import crossed
from quorate.formats.names import clean
from quorate.formats.registry import Option, choice, flag, listed, paths, renaming
from quorate.formats.vote_tables import WINNER

RENAME = Option("rename", "columns to take under another name, for example doc=task", renaming)
COLUMN = Option("column", "what a column or a nested field is, for example score=answers[].value", paths)
WIDE = Option("wide", "one row per item and one column per judge; needs kind", flag)
JUDGES = Option("judge_columns", "the columns of a wide table that are judges", listed)
ITEMS = Option("item_columns", "the columns of a table of one row per judge that are items", listed)
CRITERIA = Option("criteria", "columns that each hold the scores of one criterion", listed)
LABELS = Option("labels", "the scores are labels, such as yes and no, even where they look like numbers", flag)
SCALE = Option("scale", "the labels in order, lowest first, for example low,medium,high", listed)
SEVERAL = Option("several", "the sign between labels of one cell, where judges may give an item several", str)
MISSING = Option("missing", "texts that stand for an empty cell, for example NA; none: there are no such texts", listed)
DECIMAL = Option("decimal", "the decimal sign of numbers, a point or a comma", choice(".", ","))
TOTALS = Option("totals", "drop or keep rows and columns called total, mean and the like", choice("drop", "keep"))
EXACT = Option("exact", "cells as they stand: not stripped, no Unicode form, no texts for missing ones", flag)
JUDGE = Option("judge", "whose judgments a table is that names no judge; @file: the judge is called after it", str)
TASK = Option("task", "the columns that make a task together; of votes by default question_id and turn", listed)
_MATRICES, _SCORES = (WIDE, JUDGES, ITEMS, CRITERIA), (LABELS, SCALE, SEVERAL)
OPTIONS = (RENAME, COLUMN, *_MATRICES, *_SCORES, MISSING, DECIMAL, TOTALS, EXACT, JUDGE, TASK, WINNER)


@dataclass(frozen=True)
class TableOptions:
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


def table_options(kind: str | None, layout: Mapping[str, Any]) -> TableOptions:
    """What was told, from the options of a reader."""
    given = {k: v for k, v in layout.items() if v is not None}
    given.setdefault("named", False)
    rename = dict(given.pop("rename", {})) | {old: new for new, old in given.pop("column", {}).items()}
    given = {k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}
    kind = "scores" if (given.get("labels") or given.get("scale") or given.get("several")) and kind is None else kind
    return TableOptions(kind, rename, **given)


def check_options(where: str, told: TableOptions, names: Sequence[str]) -> None:
    """An error for options that exclude each other, or name columns that are not there."""
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
    whole = () if crossed(names, told.criteria) else told.criteria  # else they are part of columns' names
    for column in map(clean, (*whole, *told.judge_columns, *told.item_columns)):
        if column not in names:
            raise InputError(f"{where}: no column '{column}'.", suggest(column, names, "Columns found"))
