"""CSV and TSV: real quoting, delimiter by the first line, UTF-8 unless told otherwise, and the line of every row kept.

Ids are texts; an empty cell is nothing. Written files have commas (TSV: tabs), quotes where needed and plain line ends.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import IO, Any

from quorate.errors import InputError
from quorate.formats import byte_tables, survey
from quorate.formats import wide as wide_tables
from quorate.formats.cells import as_written, mapped, no_formula
from quorate.formats.column_builder import CHUNK, Numeric, collect
from quorate.formats.file_parts import Part
from quorate.formats.files import BOMS, HEAD, File, Sink
from quorate.formats.limits import as_text
from quorate.formats.names import KNOWN, clean, panel_columns
from quorate.formats.registry import ENCODING, Format, Option, empty, flag, text
from quorate.formats.table_options import OPTIONS, WIDE
from quorate.formats.tables import plan, together
from quorate.panel.base import many
from quorate.panel.columns import Coded, encode
from quorate.panel.kinds import PANELS, Panel

DELIMITERS = (",", ";", "\t", "|")
Record = tuple[int, list[str]]  # the line it starts on, and its fields
EXCEL = re.compile(r"\ufeff?\"?sep=(.)\"?", re.IGNORECASE)
RULE = re.compile(r":?-+:?")  # below the names of columns in Markdown
LEAST = HEAD  # bytes of a file, from which on arrays are faster than rows
AHEAD = 100  # rows looked at before their columns are told
LONGEST = 2**30  # characters in a field; the csv module stops at 131,072


def one_character(value: Any) -> str:
    """A delimiter: one character, or the word tab."""
    mark = "\t" if value in ("tab", "\\t") else text(value)
    if len(mark) != 1 or mark in '"\r\n':
        raise ValueError
    return mark


DELIMITER = Option(
    "delimiter", "the character between fields; by default the one that fits the first line", one_character
)

HEADER = Option("header", "yes: the first line has the names of columns; no: there are none", flag)


def read(
    files: Sequence[File],
    kind: str | None,
    *,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: bool | None = None,
    previews: bool = False,
    **layout: Any,
) -> Panel:
    """A panel from CSV or TSV files."""
    return together([_read_one(f, kind, encoding, delimiter, header, previews, layout) for f in files], kind)


def _read_one(
    file: File,
    kind: str | None,
    encoding: str,
    delimiter: str | None,
    header: bool | None,
    previews: bool,
    layout: dict[str, Any],
) -> Part:
    with file.text(encoding, newline="") as stream:
        mark, lines = told_delimiter(stream, delimiter)
        rows = records(file.name, lines, mark)
        above: list[str] = []
        if header is not False:
            table = survey.heads(file.name, _below_titles(file.name, rows, above), previews)
        else:
            table = _numbered(rows)
        if not table.names:
            raise empty(file.name)
        table = _with_row_names(file.name, _without_rule(file.name, table))
        survey.check(file.name, table, layout)
        meant = plan(file.name, table.names, kind, named=header is not None, **layout)
        numeric = meant.numeric(None if mark != "," else False)
        first = next(table.rows, None)
        if first is None and not any(n.strip() for n in table.names):
            raise empty(file.name)
        plain = first is not None and not table.survey
        part = _by_bytes(file, encoding, mark, first[0], meant.names, numeric) if first and plain else None
        if part is None:
            part = collect(file.name, chain([first] if first else [], table.rows), meant.names, numeric)
    part.raw.update({n: mapped(c, as_written) for n, c in part.raw.items() if isinstance(c, Coded)})
    if "occasion" in part.raw:
        part.raw["occasion"] = whole_ids(part.raw["occasion"])
    return meant.shape(replace(part, notes=[*above, *table.notes, *part.notes]))


def _below_titles(where: str, rows: Iterator[Record], notes: list[str]) -> Iterator[Record]:
    """The rows from the names of columns on: comments, and titles alone in their row, are passed over and told.

    A line that begins with ``#`` is a comment unless it has as many fields as the next one; several are comments.
    """
    passed = 0
    first = next(rows, None)
    held: list[Record] = []
    while first is not None and (not first[1] or first[1][0].startswith("#")):
        held.append(first)
        first = next(rows, None)
    if sum(bool(fields) for _, fields in held) > 1 and first is not None:
        passed = sum(bool(fields) for _, fields in held)
    else:
        rows = chain(held[1:], [first] if held and first is not None else [], rows)
        first = held[0] if held else first
    while first is not None:
        following = next(rows, None)
        line, fields = first
        filled = [f for f in fields if f.strip()]
        comment = fields[:1] and fields[0].startswith("#") and (not following or len(following[1]) != len(fields))
        if fields and not comment and (len(filled) > 1 or len(fields) == 1):
            if passed:
                notes.append(f"{where}: {many(passed, 'line')} above the names of columns left aside")
            named = fields[0].removeprefix("# ").removeprefix("#") or fields[0]
            yield from chain([(line, [named, *fields[1:]])], [following] if following else [], rows)
            return
        passed += bool(filled)
        first = following


def _by_bytes(file: File, encoding: str, mark: str, line: int, names: Sequence[str], numeric: Numeric) -> Part | None:
    """The rows from a line on of a large table in which nothing is odd; None of any other."""
    told = encoding.lower().replace("_", "-") in ("utf-8", "utf8", "ascii") and file.head[:2] not in BOMS
    if not told or len(file.head) < LEAST or file.head.count(b"\r") != file.head.count(b"\r\n"):
        return None
    with file.binary() as stream, suppress(byte_tables.NotPlain):
        return byte_tables.read(file.name, stream, line, mark, names, numeric)
    return None


def _with_row_names(where: str, table: survey.Table) -> survey.Table:
    """The table with a first column without a name where rows have one field more than there are names, as R writes.

    Row names are the numbers 1, 2, 3, ..., or all different; otherwise a field too many is an error that rows tell.
    """
    ahead = list(islice(table.rows, AHEAD))
    filled = [fields for _, fields in ahead if fields]
    table = replace(table, rows=chain(ahead, table.rows))
    first = [f[0] for f in filled]
    wider = bool(filled) and all(len(f) == len(table.names) + 1 for f in filled) and any(f[-1].strip() for f in filled)
    numbered = first == [str(k) for k in range(1, len(first) + 1)]
    named = len(set(first)) == len(first) > 1 and not any(clean(n) in KNOWN for n in table.names)
    if not wider or not (numbered or named):
        return table
    note = f"{where}: the first line has one name less than the others have fields, so the first field names the rows"
    return replace(table, names=["", *table.names], notes=[*table.notes, note])


def _without_rule(where: str, table: survey.Table) -> survey.Table:
    """The table without a line of dashes below the names, as Markdown has it."""
    first = next(table.rows, None)
    filled = [f.strip() for f in first[1] if f and str(f).strip()] if first else []
    if first is None or "--" not in "".join(filled) or not all(map(RULE.fullmatch, filled)):
        return replace(table, rows=chain([first] if first else [], table.rows))
    return replace(table, notes=[*table.notes, f"{where}: the line of dashes below the names of columns is left out"])


def _numbered(rows: Iterator[Record]) -> survey.Table:
    """Columns without names are called 1, 2, 3, ..."""
    first = next(((line, fields) for line, fields in rows if fields), None)
    if first is None:
        return survey.Table([], rows)
    return survey.Table([str(k) for k in range(1, len(first[1]) + 1)], chain([first], rows))


def told_delimiter(stream: Iterable[str], delimiter: str | None = None) -> tuple[str, Iterator[str]]:
    """The delimiter and the lines; a first line such as ``sep=;``, which Excel writes, tells it."""
    lines = _ahead(stream)
    first = next(lines)
    told = EXCEL.fullmatch(first.strip())
    if told:
        lines = chain(["\n"], islice(lines, 1, None))  # an empty line in its place, so that others keep their number
    return delimiter or (one_character(told[1]) if told else fitting(first)), lines


def records(where: str, lines: Iterable[str], delimiter: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it starts on; a quoted field may run over several lines."""
    if delimiter is None:
        delimiter, lines = told_delimiter(lines)
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 1
    try:
        for fields in reader:
            yield start, fields
            start = reader.line_num + 1
    except csv.Error as error:
        why = "a quote is not closed" if "end of data" in str(error) else str(error)
        raise InputError(
            "not CSV",
            'a field with a quote in it is written "like ""this""".',
            source=where,
            problems=[(start, f"{why} (the record starts here)")],
        ) from None


def whole_ids(values: Any) -> Coded:
    """Ids that are all written as whole numbers become numbers: occasions 1, 2, 3."""
    coded = encode(values)
    texts = [i for i in coded.ids if isinstance(i, str)]
    if not texts or not all(t.isascii() and t.isdigit() and (t == "0" or t[0] != "0") and len(t) < 16 for t in texts):
        return coded
    return mapped(coded, lambda i: int(i) if isinstance(i, str) else i)


def _ahead(stream: Iterable[str]) -> Iterator[str]:
    """The first line with something on it that is no comment, told ahead; then all lines."""
    held = []
    rest = iter(stream)
    for line in rest:
        held.append(line)
        if line.strip() and not line.startswith("# "):
            break
    yield held[-1] if held else ""
    yield from held
    yield from rest


def fitting(line: str) -> str:
    """The delimiter that makes the most known names of a line of column names, or else the most fields.

    >>> fitting("judge;item;position")
    ';'
    """

    def fit(mark: str) -> tuple[int, int]:
        names = next(csv.reader([line], delimiter=mark), [])
        return sum(clean(n) in KNOWN for n in names), len(names)

    return max(DELIMITERS, key=fit)


# -- out -------------------------------------------------------------------------------------------------------------


def write_csv(panel: Panel, sink: Sink, *, delimiter: str = ",", wide: bool = False, for_people: bool = False) -> None:
    """A panel as CSV; ``for_people``, so that a spreadsheet takes no text for a formula."""
    if wide:
        rows = wide_tables.spread(panel)
        with sink.text() as stream:
            _writer(stream, delimiter).writerows([[no_formula(c, not for_people) for c in row] for row in rows])
        return
    columns = _texts(panel, not for_people)
    with sink.text() as stream:
        writer = _writer(stream, delimiter)
        writer.writerow(no_formula(name, not for_people) for name in columns)
        for start in range(0, len(panel), CHUNK):
            writer.writerows(zip(*(_slice(c, start) for c in columns.values()), strict=True))


class _PlainEnds:
    """Ends lines plainly. The csv module quotes a field for the sake of a line end only if lines end in that."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, line: str) -> int:
        """A record, its end changed."""
        return self._stream.write(line.removesuffix("\r\n") + "\n")


def _writer(stream: IO[str], delimiter: str) -> Any:
    return csv.writer(_PlainEnds(stream), delimiter=delimiter, lineterminator="\r\n")


def write_tsv(panel: Panel, sink: Sink, *, delimiter: str = "\t", wide: bool = False, for_people: bool = False) -> None:
    """A panel as TSV."""
    write_csv(panel, sink, delimiter=delimiter, wide=wide, for_people=for_people)


def _slice(column: Any, start: int) -> list[str]:
    if isinstance(column, tuple):
        texts, codes = column
        return [texts[c] for c in codes[start : start + CHUNK].tolist()]
    return ["" if v != v else wide_tables.number(v) for v in column[start : start + CHUNK].tolist()]


def _texts(panel: Panel, raw: bool) -> dict[str, Any]:
    """The panel's columns: numbers as an array, ids as their texts and codes."""
    optional = {"group", "label", *panel.labels}
    return {
        name: (
            [no_formula(t, raw) for t in as_text(column, name, "a table of text", blank=name in optional)],
            column.codes,
        )
        if isinstance(column, Coded)
        else column
        for name, column in panel_columns(panel).items()
    }


def sniff_csv(file: File) -> bool:
    """A first line with commas or semicolons."""
    lines = file.head_lines
    return bool(lines) and ("," in lines[0] or ";" in lines[0])


def sniff_tsv(file: File) -> bool:
    """A first line with tabs."""
    lines = file.head_lines
    return bool(lines) and "\t" in lines[0] and fitting(lines[0]) == "\t"


_READ = (*OPTIONS, DELIMITER, HEADER, survey.PREVIEWS, ENCODING)
PEOPLE = Option("for_people", "a quote before a text that a spreadsheet would take for a formula", flag)
_WRITE = (DELIMITER, WIDE, PEOPLE)
OWN = ("judge item position|group|score|label",)  # columns of a table as Quorate writes it: nothing else has them
CSV = Format(
    "csv",
    ("csv",),
    "long or wide table, fields between commas",
    tuple(PANELS),
    read,
    write_csv,
    sniff_csv,
    "tables",
    _READ,
    _WRITE,
    columns=OWN,
)
TSV = Format(
    "tsv",
    ("tsv", "tab"),
    "long or wide table, fields between tabs",
    tuple(PANELS),
    read,
    write_tsv,
    sniff_tsv,
    "tables",
    _READ,
    _WRITE,
    columns=OWN,
)
