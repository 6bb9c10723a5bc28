"""Headers of matrices: numbers where names belong, and a first column without a name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quorate.errors import InputError
from quorate.formats.cells import NUMBER
from quorate.formats.names import ROW
from quorate.formats.parts import Part


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
        "--header no if the table has no line of names (columns are then called 1, 2, 3, ...; say --kind too), "
        "--header yes if they are names.",
    )


def named_rows(part: Part) -> Part:
    """A first column without a name names the rows, as R and pandas write it; any other is an error."""
    raw = {
        (ROW if k == 0 and n[:1] == "\0" and len(part.raw) > 1 else n): c for k, (n, c) in enumerate(part.raw.items())
    }
    nameless = [n[1:] for n in raw if n[:1] == "\0"]
    if nameless:
        fact = f"{part.name}: a column has no name (column {', '.join(nameless)})."
        raise InputError(fact, "name every column in the first line.")
    return replace(part, raw=raw)
