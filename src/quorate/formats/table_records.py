"""Rows of a table of text, each a record by the names in its header, with the line it starts on."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from quorate.formats.delimited import fitting, records
from quorate.formats.files import File, bad_lines
from quorate.formats.registry import empty


def delimiter_of(file: File) -> str:
    """What stands between the names in the first line of a table."""
    return fitting(file.head_lines[0]) if file.head_lines else ","


def heads(file: File) -> list[str]:
    """The names in the first line of a table; none if it is no text."""
    if file.folder or b"\0" in file.head[:1000] or file.head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"["):
        return []
    lines = file.head_lines
    try:
        return [n.strip() for n in next(csv.reader([lines[0]], delimiter=delimiter_of(file)))] if lines else []
    except csv.Error:
        return []


def rows(
    file: File, encoding: str = "utf-8", delimiter: str | None = None, quoted: bool = True
) -> Iterator[tuple[int, dict[str, str]]]:
    """Every row with its line, as a record; see :func:`table`."""
    names, found = None, table(file, encoding, delimiter, quoted)
    for line, fields in found:
        if names is None:
            names = fields
        else:
            yield line, dict(zip(names, fields, strict=True))
    if names is None:
        raise empty(file.name)


def table(
    file: File, encoding: str = "utf-8", delimiter: str | None = None, quoted: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """The names of columns, then every row, each with its line.

    A row with too few or too many fields is an error once the others have been given. Without quoting a quote is a
    letter like others, and a line a row.
    """
    bad: list[tuple[int | None, str]] = []
    names: list[str] = []
    with file.text(encoding, newline="" if quoted else "\n") as stream:
        split = ((k, line.rstrip("\r\n").split(delimiter)) for k, line in enumerate(stream, 1) if line.strip())
        for line, fields in records(file.name, stream, delimiter) if quoted else split:
            if not names and fields:
                names = [n.strip() for n in fields]
                yield line, names
            elif len(fields) == len(names):
                yield line, fields
            elif fields:
                bad.append((line, f"{len(fields)} field{'s' if len(fields) != 1 else ''}"))
    if bad:
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        hint = f"each line has {len(names)} fields: {shown}."
        raise bad_lines(file.name, f"the number of fields is not {len(names)}", bad, hint)
