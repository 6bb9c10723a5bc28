"""Items of a study from a table, JSON Lines or lines of text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from quorate.errors import InputError, suggest
from quorate.store.definition import KINDS

COLUMNS = ("task", "item", "text", "source", "date", "system", "role", "answer", *(f"answer_{k}" for k in KINDS))
FORMATS = ("csv", "jsonl", "lines")
LONGEST = 100_000  # characters of one item


def read(text: str, format: str = "csv", source: str = "items") -> tuple[list[dict[str, str]], list[str]]:
    """Rows with the columns above, and notes: what was not understood and left aside.

    >>> read("text,system\\nA walk,ash\\nA ride,elm")[0][0]
    {'text': 'A walk', 'system': 'ash'}
    """
    if format not in FORMATS:
        raise InputError(f"there is no format '{format}' of items.", suggest(format, FORMATS, "Formats"))
    text = text.removeprefix("\ufeff")
    found = list({"csv": _csv, "jsonl": _jsonl, "lines": _lines}[format](text, source))
    if not found:
        raise InputError(f"{source}: no items.", "one item a line, or a table with a column 'text'.")
    unknown: dict[str, None] = {}
    out = []
    for line, row in found:
        unknown |= dict.fromkeys(n for n in row if n not in COLUMNS)
        kept = {n: str(row[n]).strip() for n in COLUMNS if row.get(n) not in (None, "")}
        if not kept.get("text") and not kept.get("item"):
            problem = [(line, "neither a text nor the name of an item")]
            raise InputError("an item is empty", "give it a text.", source=source, problems=problem)
        if len(kept.get("text", "")) > LONGEST:
            raise InputError(
                "a text is too long", f"at most {LONGEST:,}.", source=source, problems=[(line, "too long")]
            )
        out.append(kept)
    notes = [f"column '{n}' is not used" for n in unknown]
    return out, notes


def _csv(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in first else ",", strict=True)
    try:
        header = [h.strip().lower() for h in next(reader, [])]
        if not {"text", "item"} & set(header):
            hint = suggest("text", header, "a table of items has a column 'text' (or 'item'); columns found")
            raise InputError(f"{source}: no column 'text'.", hint)
        for cells in reader:
            if any(c.strip() for c in cells):
                if len(cells) > len(header):
                    problem = [(reader.line_num, f"{len(cells)} cells, but {len(header)} columns")]
                    raise InputError("a row is too long", "quote texts with commas.", source=source, problems=problem)
                yield reader.line_num, dict(zip(header, cells, strict=False))
    except csv.Error as error:
        raise InputError(f"{source}: line {reader.line_num}: {error}.", "is a quotation mark left open?") from None


def _jsonl(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise InputError("a line is no JSON object", source=source, problems=[(number, line[:60])])
        yield number, row


def _lines(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, {"text": line.strip()}
