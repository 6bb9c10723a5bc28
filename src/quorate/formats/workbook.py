"""Workbooks (.xlsx): the first sheet, or the one that is named, read row by row as a table.

The header is the first row with two cells or more; what stands above it is told. Cells keep their type, dates become
texts, and of formulas the value is taken that the spreadsheet program computed. openpyxl is pure Python: a damaged file
is an error and can be no more than that.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time
from importlib.util import find_spec
from itertools import chain, count
from typing import IO, Any

from quorate.errors import InputError, MissingExtra, suggest
from quorate.formats import survey
from quorate.formats.column_builder import collect
from quorate.formats.delimited import HEADER
from quorate.formats.file_parts import Part
from quorate.formats.files import File, too_large
from quorate.formats.registry import Format, Option, empty, read_only, text
from quorate.formats.table_options import OPTIONS
from quorate.formats.tables import plan, together
from quorate.panel.base import listed, many
from quorate.panel.kinds import PANELS, Panel

ZIP = b"PK\x03\x04"
SHEET = Option("sheet", "the name of a workbook's sheet; the first by default", text)
SHEETS = re.compile(r"xl/worksheets/[^/]+\.xml")
ODD = {
    re.compile(rb"<mergeCell "): "cells are merged, of which only the first has the value: unmerge and fill them",
    re.compile(
        rb"</f>(<v\s*/>|<v></v>|</c>)"
    ): "formulas without a value are empty: open and save it in a spreadsheet program",
}  # what is odd in a sheet, by its sign
PIECE = 2**20
Row = tuple[int, list[Any]]


def read(
    files: Sequence[File],
    kind: str | None,
    *,
    sheet: str | None = None,
    header: bool | None = None,
    previews: bool = False,
    **layout: Any,
) -> Panel:
    """A panel from workbooks."""
    if find_spec("openpyxl") is None:
        raise MissingExtra("openpyxl", "tables", "A workbook")
    odd: list[str] = []
    with _hinted(odd):
        return together([_read_one(f, kind, sheet, header, previews, layout, odd) for f in files], kind)


def _read_one(
    file: File,
    kind: str | None,
    sheet: str | None,
    header: bool | None,
    previews: bool,
    layout: dict[str, Any],
    odd: list[str],
) -> Part:
    with file.binary() as raw:
        strange = _check(file, raw)
        with _sheet(file, raw, sheet) as (found, notes):
            notes += strange
            odd += notes
            rows = _filled(file, found)
            first = next(rows, None)
            if first is None:
                raise empty(file.name, "the sheet is empty")
            table = _heads(file.name, first, rows, header, previews)
            survey.check(file.name, table, layout)
            width = len(table.names)
            meant = plan(file.name, table.names, kind, named=header is not None, **layout)
            even = ((n, [*cells, *[None] * (width - len(cells))]) for n, cells in table.rows)
            part = collect(file.name, even, meant.names, meant.numeric(), word="row")
    return meant.shape(replace(part, notes=[*notes, *table.notes, *part.notes]))


@contextmanager
def _hinted(odd: Sequence[str]) -> Iterator[None]:
    """Where a workbook cannot be understood, which of its sheets was read, and what is odd in it."""
    try:
        yield
    except InputError as error:
        if not odd:
            raise
        said = (n.partition(": ")[2] for n in odd)
        hint = " ".join([error.hint, *(f"{n[:1].upper()}{n[1:]}." for n in said)])
        told = InputError(error.fact, hint)
        told.problems, told.count, told.source = error.problems, error.count, error.source
        raise told from None


def _check(file: File, raw: IO[bytes]) -> list[str]:
    """What is odd in a workbook: an error if it is none, or larger than it may be when it is unpacked."""
    if file.head[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise InputError(f"{file.name}: an old or encrypted workbook (.xls).", "save it as .xlsx or as CSV.")
    if b"\0" not in file.head and file.head.strip() and not file.head.startswith(ZIP):
        raise InputError(f"{file.name}: text, and no workbook.", "--input-format csv reads it, whatever it is called.")
    try:
        with zipfile.ZipFile(raw) as packed:
            names = set(packed.namelist())
            if sum(i.file_size for i in packed.infolist()) > file.most:
                raise too_large(file.name, file.most)
            odd = [
                said for sign, said in ODD.items() if any(_has(packed, n, sign) for n in names if SHEETS.fullmatch(n))
            ]
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise InputError(f"{file.name}: not a whole workbook ({error}).", "fetch it again, or save it again.") from None
    if "xl/workbook.xml" not in names:
        raise InputError(f"{file.name}: a zip archive, but no workbook (.xlsx).", "unzip it, or save it as .xlsx.")
    raw.seek(0)
    return [f"{file.name}: {said}" for said in odd]


def _has(packed: zipfile.ZipFile, name: str, sign: re.Pattern[bytes]) -> bool:
    """Whether a sheet has such a sign, looked for piece by piece."""
    with packed.open(name) as stream:
        rest = b""
        while piece := stream.read(PIECE):
            if sign.search(rest + piece):
                return True
            rest = piece[-100:]
    return False


@contextmanager
def _sheet(file: File, raw: IO[bytes], wanted: str | None) -> Iterator[tuple[Any, list[str]]]:
    """A sheet by name, or the first."""
    import openpyxl

    with _told(file):
        book = openpyxl.load_workbook(raw, read_only=True, data_only=True)
        names = [s.title for s in book.worksheets]
    try:
        if not names or (wanted is not None and wanted not in names):
            raise InputError(f"{file.name}: no sheet '{wanted or ''}'.", suggest(wanted or "", names, "Sheets"))
        others = listed([f"'{n}'" for n in names[1:]], 5)
        note = f"{file.name}: of {len(names)} sheets the first, '{names[0]}', is read (--sheet reads {others})"
        yield book[wanted or names[0]], [note] if wanted is None and len(names) > 1 else []
    finally:
        book.close()


@contextmanager
def _told(file: File) -> Iterator[None]:
    """Whatever a damaged file makes the package say is an error of that file."""
    try:
        yield
    except Exception as error:  # a damaged file fails in any of a thousand places
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"{file.name}: this workbook cannot be read ({why}).", "save it again, or as CSV.") from None


def _filled(file: File, sheet: Any) -> Iterator[Row]:
    """Rows with anything in them, each with its number, without empty cells at the end."""
    with _told(file):
        rows = iter(sheet.iter_rows(values_only=True))
    for number in count(1):
        with _told(file):
            values = next(rows, None)
        if values is None:
            return
        cells = [_cell(v) for v in values]
        while cells and (cells[-1] is None or cells[-1] == ""):
            cells.pop()
        if cells:
            yield number, cells


def _cell(value: Any) -> Any:
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, datetime | date | time) else value


def _heads(where: str, first: Row, rows: Iterator[Row], header: bool | None, previews: bool) -> survey.Table:
    """The table below its names, and what was passed over above them."""
    above = 0
    while header is None and len([c for c in first[1] if c is not None]) < 2:
        following = next(rows, None)
        if following is None:
            break
        above, first = above + 1, following
    said = [f"{where}: {many(above, 'row')} above the names of columns left aside"] if above else []
    if header is False:
        return survey.Table([str(k) for k in range(1, len(first[1]) + 1)], chain([first], rows), said)
    texts = (first[0], ["" if c is None else str(c) for c in first[1]])
    table = survey.heads(where, chain([texts], rows), previews)
    table.notes[:0] = said
    return table


def packed(file: File) -> bool:
    """A zip archive with a workbook in it."""
    try:
        with file.binary() as raw, zipfile.ZipFile(raw) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, InputError):
        return False


XLSX = Format(
    "xlsx",
    ("xlsx", "xlsm"),
    "workbook: its first sheet, or --sheet, as a long or wide table",
    tuple(PANELS),
    read,
    read_only("a workbook is read, not written.", "spreadsheet programs open csv."),
    None,
    "workbooks",
    (*OPTIONS, SHEET, HEADER, survey.PREVIEWS),
    telling=True,
    packed=packed,
)
