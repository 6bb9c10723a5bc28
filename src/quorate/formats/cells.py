"""Cells as they are taken: stripped, in one Unicode form, texts for missing ones told, and columns of nothing left out.

Everything is done to the distinct texts of a column, so it costs next to nothing; what was changed is a note.
"""

from __future__ import annotations

import math
import re
import shlex
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.formats.file_parts import Part
from quorate.formats.names import no_name
from quorate.panel.base import many
from quorate.panel.columns import Coded, blank_ids, encode, narrow

MISSING_CODES = (  # in small letters; spreadsheets write those with a #
    *("na", "n/a", "n.a.", "<na>", "null", "nan", "-", "--", ".", "?", "*", "–", "—"),
    *("#n/a", "#div/0!", "#ref!", "#value!", "#name?", "undervote", "overvote"),
)
FAR_CODES = (88, 98, 99, 998, 999, 9999, -8, -9, -88, -99, -999, -9999)  # numbers that are written where there is none
FAR = 3  # times as far from the others as these spread, from which on such a number is asked about
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
FORMULA = re.compile(r"'*[=+\-@\t\r]")  # how a text begins that a spreadsheet takes for a formula; quotes are escapes
AS_THEY_STAND = ("text",)  # columns that are read, not compared


def is_missing_code(value: object) -> bool:
    """A text that often stands for a cell without anything.

    >>> is_missing_code("NA"), is_missing_code("."), is_missing_code("none")
    (True, True, False)
    """
    return isinstance(value, str) and value.strip().lower() in MISSING_CODES


def is_missing_number(value: object) -> bool:
    """The same where a number should be: there None is what Python writes, and no label.

    >>> is_missing_number("None"), is_missing_number("four")
    (True, False)
    """
    return is_missing_code(value) or (isinstance(value, str) and value.strip() == "None")


def is_number(value: Any) -> bool:
    """Whether a value, or a text, is a finite number.

    >>> is_number("1e3"), is_number(2), is_number("nan"), is_number(None)
    (True, True, False, False)
    """
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def is_numeral(value: Any) -> bool:
    """Whether a cell is a number, or a text as people write one: not 1_000, nor nan."""
    return bool(NUMBER.fullmatch(value.strip())) if isinstance(value, str) else isinstance(value, int | float)


def minus(text: str) -> str:
    """A number with the minus sign of print, or a dash for it, as one with a hyphen; any other text as it is.

    >>> minus("−2"), minus("–0.5"), minus("–")
    ('-2', '-0.5', '–')
    """
    return "-" + text[1:] if text[:1] in ("\u2212", "\u2013") and NUMBER.fullmatch("-" + text[1:]) else text


def no_formula(text: str, raw: bool = False) -> str:
    """A text that no spreadsheet takes for a formula: a quote stands before it. Raw, only what begins with a quote.

    >>> no_formula("=1+1"), no_formula("-5"), no_formula("'=x"), no_formula("=1+1", raw=True)
    ("'=1+1", '-5', "''=x", '=1+1')
    """
    if not FORMULA.match(text) or (raw and text[0] != "'") or NUMBER.fullmatch(text):
        return text
    return "'" + text


def as_written(text: Any) -> Any:
    """The text before :func:`no_formula`.

    >>> as_written("'=1+1"), as_written("'tis"), as_written("-5")
    ('=1+1', "'tis", '-5')
    """
    return text[1:] if isinstance(text, str) and text[:1] == "'" and FORMULA.match(text) else text


def mapped(column: Coded, change: Callable[[Any], Any]) -> Coded:
    """The column with every id changed; ids that become equal are one."""
    new = [change(i) for i in column.ids]
    if all(map(is_, new, column.ids)):
        return column
    ids = encode(new)
    return Coded(ids.ids, narrow(ids.codes[column.codes], len(ids.ids)))


def tidy(part: Part, missing: Collection[str] = (), exact: bool = False) -> Part:
    """The part with its texts stripped and in Unicode's form NFC, missing ones blank, and no empty rows or columns."""
    raw, notes = dict(part.raw), list(part.notes)
    for name, given in part.raw.items():
        if isinstance(given, np.ndarray) and given.dtype.kind != "O":
            continue
        column = encode(given)
        if missing:
            column = mapped(column, lambda i: None if isinstance(i, str) and i.strip() in missing else i)
        if not exact and name not in AS_THEY_STAND and not _all_plain(column.ids):
            plain = mapped(column, _plain)
            if plain is not column:
                notes.append(_changed(part.name, name, column, plain))
            column = plain
        raw[name] = column
    return _without_empty(replace(part, raw=raw, notes=notes))


def _all_plain(ids: Sequence[Any]) -> bool:
    """Whether all are texts in which there is nothing to change, where that can be told fast."""
    return set(map(type, ids)) == {str} and "".join(ids).isascii() and all(map(is_, map(str.strip, ids), ids))


def _plain(value: Any) -> Any:
    if not isinstance(value, str) or (value.isascii() and value == value.strip()):
        return value
    plain = value.strip()
    plain = plain if plain.isascii() else minus(unicodedata.normalize("NFC", plain))
    return value if plain == value or not plain else plain


def _changed(where: str, name: str, before: Coded, after: Coded) -> str:
    changed = [i for i in before.ids if isinstance(i, str) and _plain(i) != i]
    blanks = sum(i != i.strip() for i in changed)
    signs = sum(minus(i) != i for i in changed)
    it = "it" if len(changed) == 1 else "them"
    forms = (
        (f"blanks around {it}", blanks),
        ("the minus sign of print", signs),
        ("another Unicode form than NFC", len(changed) - blanks - signs),
    )
    what = " and ".join(said for said, there in forms if there)
    fewer = len(before.ids) - len(after.ids)
    alike = f"; {many(fewer, 'of them')[:-1] if fewer > 1 else '1 of them'} became equal to another" if fewer else ""
    named = name if name[:1] != "\0" else "column " + name[1:]
    return f"{where}: {many(len(changed), 'text')} of the column '{named}' had {what}, which is mended{alike}"


def _without_empty(part: Part) -> Part:
    """The part without rows, and columns without a name, in which there is nothing."""
    raw, notes = dict(part.raw), list(part.notes)
    hollow = [n for n, c in raw.items() if n[:1] == "\0" and _blank(c).all()]
    if hollow and len(part):
        raw = {n: c for n, c in raw.items() if n not in hollow}
        notes.append(f"{part.name}: {many(len(hollow), 'empty column')} without a name left out")
    rows = np.ones(len(part), bool)
    for column in raw.values():
        if rows.any():
            rows &= _blank(column)
    if rows.any() and not rows.all():
        notes.append(f"{part.name}: {many(int(rows.sum()), 'empty row')} left out")
    part = replace(part, raw=raw, notes=notes)
    return part.take(np.flatnonzero(~rows)) if rows.any() and not rows.all() else part


def _blank(column: Any) -> Any:
    if isinstance(column, Coded):
        blank = blank_ids(column.ids)
        return np.isin(column.codes, blank) if blank else np.zeros(len(column), bool)
    return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)


def name_all(part: Part) -> Part:
    """The part without a first column of row names or numbers; any other column must have a name."""
    raw = dict(part.raw)
    first = next(iter(raw), "")
    if first == "\0001" and len(raw) > 1 and is_index(encode(raw[first])):
        del raw[first]
        note = f"{part.name}: the first column has no name and numbers the rows; left out"
        part = replace(part, raw=raw, notes=[*part.notes, note])
    nameless = [n[1:] for n in raw if n[:1] == "\0"]
    if nameless:
        raise no_name(part.name, nameless)
    return part


def is_index(column: Coded) -> bool:
    """Whether a column numbers the rows: 1, 2, 3, ... or 0, 1, 2, ..."""
    if len(column.ids) != len(column) or not all(str(i).isdigit() for i in column.ids):
        return False
    first = int(str(column.ids[0])) if column.ids else 2
    return first < 2 and all(int(str(i)) == k for k, i in enumerate(column.ids, first))


def refuse_missing_codes(part: Part, columns: Sequence[str], missing: Collection[str]) -> None:
    """An error for a text such as NA among labels, groups or winners, or a number such as 99 among scores or places: is
    it one of them, or none at all?"""
    for name in columns:
        if name not in part.raw or "none" in missing:
            continue
        column = part.raw[name]
        if name in ("score", "position"):
            _refuse_far_code(part, name, column)
        if not isinstance(column, Coded):
            continue
        odd = np.array([is_missing_code(i) for i in column.ids], bool)
        if odd.any():
            rows = np.flatnonzero(odd[column.codes])
            codes = ",".join(dict.fromkeys(str(column.ids[c]) for c in column.codes[rows].tolist()))
            said = (f"{name} {column[r]!r}" for r in rows.tolist())
            raise part.source.error(
                f"is {codes} a {name}, or does it mean that there is none?", rows, said, missing_hint(codes, name)
            )


def _refuse_far_code(part: Part, name: str, column: Coded | NDArray[Any]) -> None:
    """An error for a number that is often written for none, and lies far from all others."""
    if isinstance(column, Coded):
        if not all(map(is_numeral, column.ids)):
            return
        every = np.array([float(str(i)) for i in column.ids])
    else:
        every = column[np.isfinite(column)]
    code = far_code(every)
    if code is not None:
        rows = np.flatnonzero((every[column.codes] if isinstance(column, Coded) else column) == code)
        said = (f"{name} {code:g}, far from all others" for _ in rows)
        hint = f"{missing_hint(f'{code:g}', name).rstrip('.')}; --missing-values none if it is meant as it stands."
        raise part.source.error(f"is {code:g} a {name}, or does it mean that there is none?", rows, said, hint)


def far_code(values: NDArray[Any]) -> float | None:
    """A number that is often written where there is none, if it lies far from all others, which are whole numbers, or
    is the only one below 0.

    >>> far_code(np.array([1.0, 5, 3, 99])), far_code(np.array([60.0, 99, 97])), far_code(np.array([0.0, 4, -9]))
    (99.0, None, -9.0)
    """
    for code in (values.max(initial=0), values.min(initial=0)):
        others = values[values != code] if code in FAR_CODES else values[:0]
        if len(others) and (others == np.floor(others)).all():
            low, high = others.min(), others.max()
            if code < 0 <= low or max(code - high, low - code) > FAR * max(high - low, 1):
                return float(code)
    return None


def without_codes(part: Part, missing: Collection[str]) -> Part:
    """The part with scores that are numbers for none empty, and without places that are."""
    codes = [float(m) for m in missing if is_numeral(m)]
    for name in ("score", "position") if codes else ():
        column = part.raw.get(name)
        if isinstance(column, Coded):
            column = mapped(column, lambda i: None if is_numeral(i) and float(str(i)) in codes else i)
            none = np.array([i is None for i in column.ids], bool)[column.codes]
        elif column is not None:
            none = np.isin(column, codes)
            column = np.where(none, np.nan, column)
        if column is None or not none.any():
            continue
        part = replace(part, raw={**part.raw, name: column})
        if name == "position":
            note = f"{part.name}: {many(int(none.sum()), 'row')} left out whose place is a number for none"
            part = replace(part.take(np.flatnonzero(~none)), notes=[*part.notes, note])
    return part


def missing_hint(codes: str, name: str) -> str:
    """How to say what a text such as NA means."""
    return f"--missing-values {shlex.quote(codes)} (missing={codes!r}) if it means that the {name} is missing" + (
        "; --missing-values none if it is meant as it stands." if name not in ("score", "position", "count") else "."
    )
