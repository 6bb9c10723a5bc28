"""NIST's tables of manual scores, TAC 2008 to 2011: ``manual.peer`` and ``manual.model``, split by docset or not.

Plain fields between blanks, no header. Which field is what is a :class:`Schema`; the number of fields tells which one,
and a user may give another: a list of names, or a file of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quorate.columns import encode
from quorate.errors import InputError, suggest
from quorate.formats.files import File, Sink
from quorate.formats.gather import collect
from quorate.formats.parts import Part, assemble
from quorate.formats.registry import ENCODING, Format, Option, listed, text
from quorate.formats.wide import melt_criteria
from quorate.panels import Panel

SCORES = ("pyramid", "pyramid_jackknife", "readability", "responsiveness", "scus", "repetitions")
USUAL = ("pyramid", "readability", "responsiveness")


@dataclass(frozen=True)
class Schema:
    """Which field of a table is what; ``-`` is passed over, unknown names become labels."""

    name: str
    fields: tuple[str, ...]


SCHEMAS = (
    Schema(
        "tac2008.peer",
        (
            *("task", "system", "pyramid", "scus", "repetitions", "judge"),
            *("pyramid_jackknife", "readability", "responsiveness"),
        ),
    ),
    Schema(
        "tac2009.peer",
        (
            *("task", "system", "pyramid", "scus", "repetitions", "judge", "second_judge"),
            *("pyramid_jackknife", "readability", "responsiveness"),
        ),
    ),
    Schema("tac2008.model", ("task", "system", "scus", "judge", "pyramid", "readability", "responsiveness")),
    Schema(
        "tac2009.model",
        ("task", "system", "scus", "judge", "second_judge", "pyramid", "readability", "responsiveness"),
    ),
)


@dataclass(frozen=True)
class SummaryId:
    """The pieces of a summary's name, such as ``D9901-A.M.100.K.7``.

    >>> SummaryId.parse("D9901-A.M.100.K.7")
    SummaryId(topic='D9901', docset='A', kind='M', length=100, selector='K', summarizer='7')
    >>> SummaryId.parse("D9901-A.M.100.K.P").human
    True
    """

    topic: str
    docset: str | None
    kind: str
    length: int
    selector: str
    summarizer: str

    @property
    def human(self) -> bool:
        """Whether a person wrote it: letters are people, digits are systems."""
        return self.summarizer.isalpha()

    @property
    def task(self) -> str:
        """Topic and docset, as NIST's tables write them."""
        return f"{self.topic}-{self.docset}" if self.docset else self.topic

    @classmethod
    def parse(cls, name: str) -> SummaryId:
        """Five pieces between dots; anything else is an error."""
        pieces = name.strip().split(".")
        if len(pieces) != 5 or not pieces[2].isdigit() or not all(pieces):
            raise InputError(f"'{name}' is not the name of a summary.", "D9901-A.M.100.K.7: five pieces between dots.")
        topic, _, docset = pieces[0].partition("-")
        return cls(topic, docset or None, pieces[1], int(pieces[2]), pieces[3], pieces[4])


def _columns(value: Any) -> tuple[str, ...]:
    """Names of fields: a list, a text with commas or blanks, or a file that holds them."""
    if isinstance(value, str):
        path = Path(value)
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            value = " ".join(line.partition("#")[0] for line in lines)
        value = value.replace(",", " ").split()
    names = tuple(text(v) for v in value)
    used = [n for n in names if n != "-"]
    if not {"task", "system", "judge"} <= set(used) or len(set(used)) < len(used) or not set(used) & set(SCORES):
        raise ValueError
    return names


COLUMNS = Option(
    "columns",
    "names of the fields, or a file of them: task, system, judge, at least one of "
    f"{', '.join(SCORES)}; - passes a field over",
    _columns,
)
SCHEMA = Option("schema", f"which of {', '.join(s.name for s in SCHEMAS)}; by default the one that fits", text)
CRITERIA = Option("criteria", f"which scores to read; by default {', '.join(USUAL)}", listed)
YEAR = Option("year", "the year of these tables, kept as a label", lambda v: int(str(v)))


def read(
    files: Sequence[File],
    kind: str | None,
    *,
    columns: tuple[str, ...] | None = None,
    schema: str | None = None,
    criteria: Sequence[str] | None = None,
    year: int | None = None,
    encoding: str = "utf-8",
) -> Panel:
    """A panel of scores: tasks are docsets, items and systems the peers or models, criteria the kinds of score."""
    return assemble("scores", [_read_one(f, columns, schema, criteria, year, encoding) for f in files])


def _read_one(
    file: File,
    columns: tuple[str, ...] | None,
    schema: str | None,
    criteria: Sequence[str] | None,
    year: int | None,
    encoding: str,
) -> Part:
    names = columns or _schema(file, schema).fields
    kept = [n if n != "-" else f"-{k}" for k, n in enumerate(names)]
    numeric = dict.fromkeys((n for n in kept if n in SCORES), True)
    with file.text(encoding) as stream:
        part = collect(file.name, ((k, line.split()) for k, line in enumerate(stream, 1)), kept, numeric)
    wanted = list(criteria or [n for n in USUAL if n in kept] or [n for n in SCORES if n in kept])
    for name in wanted:
        if name not in numeric:
            raise InputError(f"{file.name}: no score '{name}'.", suggest(name, list(numeric), "Scores here"))
    system = encode(part.raw["system"])
    raw = {n: c for n, c in part.raw.items() if not n.startswith("-") and (n not in SCORES or n in wanted)}
    raw["item"] = raw["system"] = system
    who = encode(["human" if str(s).isalpha() else "system" for s in system.values()])
    raw["system_kind"] = who
    if year is not None:
        raw["year"] = encode([year] * len(part))
    return melt_criteria(Part(part.name, raw, part.lines, part.notes), wanted)


def _schema(file: File, name: str | None) -> Schema:
    if name is not None:
        found = next((s for s in SCHEMAS if s.name == name), None)
        if found is None:
            raise InputError(f"no schema '{name}'.", suggest(name, [s.name for s in SCHEMAS], "Schemas"))
        return found
    lines = file.head_lines
    width = len(lines[0].split()) if lines else 0
    fitting = next((s for s in SCHEMAS if len(s.fields) == width), None)
    if fitting is None:
        known = ", ".join(f"{s.name} ({len(s.fields)})" for s in SCHEMAS)
        raise InputError(f"{file.name}: {width} fields, which fit no schema.", f"say columns=...; schemas: {known}.")
    return fitting


def write(panel: Panel, sink: Sink) -> None:
    """Refused: these tables are NIST's."""
    raise InputError("TAC tables are read, not written.", "csv holds all that is in them.")


_SET = re.compile(r"[A-Z]\d{3,5}(-[A-Z])?")


def sniff(file: File) -> bool:
    """Seven to ten fields, the first a docset and the last two numbers."""
    rows = [line.split() for line in file.head_lines[:20]]
    return bool(rows) and all(
        7 <= len(r) <= 10 and _SET.fullmatch(r[0]) is not None and all(map(_is_number, r[-2:])) for r in rows
    )


def _is_number(word: str) -> bool:
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


TAC = Format(
    "tac",
    ("peer", "model"),
    "TAC tables of manual scores: manual.peer, manual.model",
    ("scores",),
    read,
    write,
    sniff,
    "tac",
    (COLUMNS, SCHEMA, CRITERIA, YEAR, ENCODING),
)
