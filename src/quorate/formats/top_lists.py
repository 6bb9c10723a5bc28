"""Top lists: a file per system, a line per query, the documents of the line between blanks, best first.

So is the top 20 of CLEF eHealth 2015 laid out, as ``TOP20_<team>_EN.dat``. Nothing in a file says which query a line
is of: lines are numbered 1, 2, ... and ``skip`` names queries that have no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.formats.file_parts import Part, assemble
from quorate.formats.files import File, bad_lines, distinct
from quorate.formats.judgments import read_only
from quorate.formats.registry import ENCODING, Format, Option, empty
from quorate.panel.columns import encode
from quorate.panel.kinds import Panel
from quorate.panel.reading import Guess

NAME = re.compile(r"TOP\d+_(.+?)(?:_[A-Z]{2})?\.dat(?:\.gz)?", re.IGNORECASE)
CLEF, CLEF_LINES, CLEF_SKIPS = "TOP20_", 66, (62,)  # the collection's read-me: query 62 has no line


def _numbers(given: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in str(given).replace(",", " ").split()) if given not in (None, "") else ()


SKIP = Option("skip", "numbers of queries that have no line, such as 62 or 5,62; none of them: ''", _numbers)


def read(
    files: Sequence[File], kind: str | None, *, skip: tuple[int, ...] | None = None, encoding: str = "utf-8"
) -> Panel:
    """A panel from top lists: each file a judge, each line a task."""
    found = [NAME.fullmatch(f.path.name) if f.path else None for f in files]
    names = distinct(files, [m[1] if m else f.stem for m, f in zip(found, files, strict=True)])
    parts = [_read_one(file, name, skip, encoding) for file, name in zip(files, names, strict=True)]
    return replace(assemble("orderings", parts), absent="below")  # what a list lacks, it puts last


def _read_one(file: File, judge: str, skip: tuple[int, ...] | None, encoding: str) -> Part:
    with file.text(encoding) as stream:
        lists = [(number, line.split()) for number, line in enumerate(stream, 1) if line.strip()]
    if not lists:
        raise empty(file.name, "no lists")
    guesses: tuple[Guess, ...] = ()
    if skip is None:
        clef = file.path is not None and file.path.name.upper().startswith(CLEF) and len(lists) == CLEF_LINES
        skip = CLEF_SKIPS if clef else ()
        said = f"{CLEF_LINES} lines of a top 20 are CLEF eHealth's queries 1 to 67 without 62"
        guesses = (Guess(said, "--input-option skip=62"),) if clef else ()
    bad: list[tuple[int | None, str]] = [
        (line, f"document {d!r} twice") for line, one in lists for d in dict.fromkeys(one) if one.count(d) > 1
    ]
    if bad:
        raise bad_lines(file.name, "a document is there twice in one list", bad, "list a document once per query.")
    numbers = [n for n in range(1, len(lists) + len(skip) + 1) if n not in skip]
    rows = [
        (str(query), item, place, line)
        for query, (line, one) in zip(numbers, lists, strict=False)
        for place, item in enumerate(one, 1)
    ]
    task, item, place, line = (list(c) for c in zip(*rows, strict=True))
    raw = {"task": encode(task), "judge": encode([judge] * len(rows)), "item": encode(item)}
    return Part(file.name, {**raw, "position": np.array(place, float)}, np.array(line, np.int64), guesses=guesses)


def sniff(file: File) -> bool:
    """By its name: TOP20_team_EN.dat."""
    return file.path is not None and bool(NAME.fullmatch(file.path.name))


TOP_LISTS = Format(
    "top-lists",
    (),
    "top lists of search engines: a file per system, a line per query (CLEF eHealth's TOP20_team_EN.dat)",
    ("orderings",),
    read,
    read_only("top-lists", "it takes a file per judge"),
    sniff,
    "trec",
    (SKIP, ENCODING),
    telling=True,
)
