"""What headers and cells of matrices look like: grids of surveys, names that are numbers, numbers as people write them.

Percentages, places such as 1st or First choice, and ends of a scale are numbers: ``1 - not at all`` beside ``2`` and
``3`` is the number 1; where every cell has words after its number, the cells are labels, for ``4. Neurosis`` is no more
than ``2. Schizophrenia``. Rows or columns that hold the places 1, 2, 3, ..., with ties perhaps, are orders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.cells import NUMBER, is_numeral, mapped
from quorate.formats.column_content import is_figure, one_row_each, values
from quorate.formats.file_parts import Part
from quorate.formats.names import ROW, no_name
from quorate.formats.number_forms import END, NTH, OF_WHAT, ORDINAL, PLACED, digits, numbers_of, one_name_each
from quorate.panel.columns import Coded, encode, is_blank
from quorate.panel.reading import option

GRID = re.compile(r"(?:\w+\[[^\[\]]+\]\. )?(?P<stem>.*?)\s*\[(?P<item>[^\[\]]+)\]\s*$", re.DOTALL)
PERCENT = re.compile(rf"({NUMBER.pattern})\s*%")
PLACE = re.compile(rf"{PLACED}?[\s_.-]*#?(\d+)|(?:{NTH}){OF_WHAT}", re.IGNORECASE)
PLACES = re.compile(rf"{PLACED}[ _.-]?\d+|(?:{NTH}){OF_WHAT}", re.IGNORECASE)
ONCE = "the numbers 1, 2, 3, ... once"
TIED = "the numbers 1, 2, 3, ..., some of them with ties"


# -- headers -----------------------------------------------------------------------------------------------------------


def check_headers(part: Part, told: Any) -> None:
    """Numbers as names of columns are asked about: a table without a header would lose its first row."""
    names = [n for n in part.raw if n[:1] != "\0"]
    odd = [n for n in names if NUMBER.fullmatch(n)]
    if not odd or told.named or told.wide or told.judge_columns or told.item_columns:
        return
    in_a_row = len(odd) > 1 and all(n.isdigit() and int(n) == int(odd[0]) + k for k, n in enumerate(odd))
    if len(odd) < len(names) and in_a_row and int(odd[0]) < 2:
        return
    shown = ", ".join(odd[:5]) + (", ..." if len(odd) > 5 else "")
    raise InputError(
        f"{part.name}: the first line has numbers where columns have their names ({shown}).",
        f"{_headless(part)}--header no if the table has no line of names (columns are then called 1, 2, 3, ...; say "
        "--kind too), --header yes if they are names.",
    )


def _headless(part: Part) -> str:
    """What reads a long table without a header, where it looks like one."""
    long = one_row_each(replace(part, raw={str(k): c for k, c in enumerate(part.raw.values(), 1)}))
    return f"--header no {long} if there is no line of names and each row is one judgment, " if long else ""


def named_rows(part: Part) -> Part:
    """A first column without a name names the rows, as R and pandas write it; any other is an error."""
    raw = {
        (ROW if k == 0 and n[:1] == "\0" and len(part.raw) > 1 else n): c for k, (n, c) in enumerate(part.raw.items())
    }
    nameless = [n[1:] for n in raw if n[:1] == "\0"]
    if nameless:
        raise no_name(part.name, nameless)
    return replace(part, raw=raw)


def asked_about(name: str) -> tuple[str, str] | None:
    """The question and its item; of a grid of numbers the question is that of its column. None of other names.

    >>> asked_about("Rate the talks [Opening]"), asked_about("Rate [Opening][Style]"), asked_about("rank")
    (('Rate the talks', 'Opening'), ('Rate [Style]', 'Opening'), None)
    """
    found = GRID.fullmatch(name)
    if not found or not found["stem"].strip():
        return None
    stem, item = found["stem"].strip(), found["item"].strip()
    outer = GRID.fullmatch(stem)
    if outer and outer["stem"].strip():
        return f"{outer['stem'].strip()} [{item}]", outer["item"].strip()
    return stem, item


# -- numbers as people write them --------------------------------------------------------------------------------------


def place_named(name: str) -> int | None:
    """The place that a column is for, by its name.

    >>> place_named("Rank 2"), place_named("Third choice"), place_named("apple")
    (2, 3, None)
    """
    found = PLACE.fullmatch(name.strip())
    return int(digits(found)) if found else None


def bare(columns: Mapping[str, Coded]) -> tuple[dict[str, Coded], str]:
    """The columns with plain numbers where all cells are numbers written so, and what is to be said of it."""
    filled = [i for c in columns.values() for i in c.ids if isinstance(i, str) and not is_blank(i)]
    worded = [i for i in filled if not is_numeral(i)]
    for form, what, among in ((PERCENT, "percentages", filled), (ORDINAL, "places", filled), (END, "cells", worded)):
        if among and all(form.fullmatch(i.strip()) for i in among) and (form is not END or _ends(filled, worded)):
            said = f"{what} such as {among[0]} are taken as the number alone"
            return {n: mapped(c, partial(_number_of, form)) for n, c in columns.items()}, said
    found = numbers_of(worded, 0) if worded and len(worded) == len(filled) else None
    if found:
        number = {cell: f"{value:g}" for cell, value in zip(worded, found[0], strict=True)}
        return {n: mapped(c, lambda i: number.get(i, i)) for n, c in columns.items()}, found[1]
    return dict(columns), ""


def _ends(filled: list[str], worded: list[str]) -> bool:
    """Whether cells with words name a few steps of a scale: other cells have none, and no number has two names."""
    return len(worded) < len(filled) and one_name_each((_number_of(END, i), i.strip()) for i in worded)


def _number_of(form: re.Pattern[str], cell: Any) -> Any:
    found = form.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return digits(found) if found else cell


# -- which is asked ----------------------------------------------------------------------------------------------------


def unclear(part: Part, names: Sequence[str], given: Sequence[str]) -> InputError:
    """Nothing tells what the columns are: judges, or items, or those of a long table."""
    if len(part.raw) == 1:
        return InputError(
            f"{part.name}: the first line is a single field, {names[0][:80]!r}.",
            "--delimiter says what stands between fields (a blank: --delimiter ' '); or is each line put in quotes as "
            "a whole?",
        )
    figures = [n for n in part.raw if is_figure(n)]
    if len(figures) > 1:
        return InputError(
            f"{part.name}: a leaderboard or summary ({', '.join(figures[:4])}), not the judgments behind it.",
            "give what the judges said, a row each: annotations, battles or samples; figures alone tell no agreement.",
        )
    some = option("item-columns", *names) if len(names) <= 8 else f"--item-columns {names[0]},{names[1]},..."
    long = one_row_each(part)
    row = f"if each row is one judgment, {long}" if long else "a long table has one row per judge and item"
    counts = _counts([encode(part.raw[n]) for n in names])
    more = (
        f" Or do the cells count judges, as each row adds up to {counts}? Then who said what is lost: write one row "
        "per judge and item."
        if counts
        else ""
    )
    return InputError(
        f"{part.name}: no column 'judge', and nothing says what the columns are.",
        f"{row}; if there is one column per judge, --kind scores (or orderings, groupings); if one per item, {some}. "
        f"Columns found: {', '.join(given[:40])}.{more}",
    )


def _counts(columns: Sequence[Coded]) -> int:
    """How many judges every row counts, if cells may count them: whole numbers with the same sum; else 0."""
    table = np.stack([values(c) for c in columns])
    total = table.sum(axis=0)
    whole = len(columns) > 1 and len(total) > 2 and np.isfinite(table).all() and (table == np.rint(table)).all()
    same = whole and (table >= 0).all() and (table == 0).any() and (total == total[0]).all() and total[0] > 1
    return int(total[0]) if same else 0


# -- places ------------------------------------------------------------------------------------------------------------


def places_in_rows(columns: Sequence[Coded]) -> str:
    """What every row holds, if these are places, as many as it has numbers; nothing if they are not.

    Rows with ties are places too where most rows have none: the next place follows a tie, with or without a gap.
    """
    table = np.stack([values(c) for c in columns])
    ranked = np.sort(np.where(np.isnan(table) | (table == 0), np.inf, table), axis=0)
    filled = np.isfinite(ranked)
    if not (filled.sum(axis=0) > 1).all():
        return ""
    place = np.arange(1, len(columns) + 1)[:, None]
    strict = ((ranked == place) | ~filled).all(axis=0)
    if strict.all():
        return ONCE
    same = np.zeros_like(filled)
    same[1:] = ranked[1:] == ranked[:-1]
    with_gaps = ((ranked == place) | same | ~filled).all(axis=0)
    steps = np.diff(np.where(filled, ranked, 0), axis=0, prepend=0)
    without = ((steps == 1) | same | ~filled).all(axis=0)
    return TIED if (with_gaps | without).all() and 2 * strict.sum() > strict.size else ""


def places_in_columns(columns: Sequence[Coded]) -> bool:
    """Whether every column holds 1, 2, ..., as many as there are rows."""
    places = np.arange(1, len(columns[0]) + 1)
    return len(places) > 2 and all((np.sort(values(c)) == places).all() for c in columns)
