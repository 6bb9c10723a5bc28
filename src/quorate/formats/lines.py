"""One ranking per line, as one would write it down.

    # comments and blank lines are skipped
    ann: x > y = z
    lunch | bob: z > x
    74 * y > z > x

Before the order may stand how many gave it (``74 *``), the task (``lunch |``) and the judge (``bob:``). A line without
a judge is a judge of its own, numbered 1, 2, ... within its task.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from quorate.formats.file_parts import Part, assemble, judgments
from quorate.formats.files import Bad, File, Sink, bad_lines
from quorate.formats.limits import as_text, one_line, refuse
from quorate.formats.registry import ENCODING, Format, empty
from quorate.panel.columns import encode
from quorate.panel.kinds import ONE_TASK, Orderings, Panel

COUNT = re.compile(r"\s*(\d+)\s*\*")
DIGITS = 15  # of a count, at most
MARKS = ">=:|"


@dataclass(frozen=True)
class _Line:
    count: int
    task: str | None
    judge: str | None
    places: list[list[str]]


def parse(line: str) -> _Line:
    """A line's parts; a ValueError says what is wrong with it.

    >>> parse("74 * lunch | bob: x > y = z")
    _Line(count=74, task='lunch', judge='bob', places=[['x'], ['y', 'z']])
    """
    match = COUNT.match(line)
    if match and len(match[1]) > DIGITS:
        raise ValueError(f"the count has more than {DIGITS} digits")
    count, rest = (int(match[1]), line[match.end() :]) if match else (1, line)
    task, bar, after = rest.partition("|")
    task, rest = (task, after) if bar else ("", rest)
    judge, colon, after = rest.partition(":")
    judge, rest = (judge, after) if colon else ("", rest)
    places = [[i.strip() for i in place.split("=")] for place in rest.split(">")]
    if count < 1:
        raise ValueError("the count is 0")
    if (bar and not task.strip()) or (colon and not judge.strip()):
        raise ValueError(f"nothing before '{'|' if bar and not task.strip() else ':'}'")
    if any(m in rest for m in "|:") or any(m in task + judge for m in MARKS):
        raise ValueError("a mark too many or out of place")
    if not all(i for p in places for i in p):
        raise ValueError("an item is missing" if rest.strip() else "no items")
    return _Line(count, task.strip() or None, judge.strip() or None, places)


def read(files: Sequence[File], kind: str | None, *, encoding: str = "utf-8") -> Panel:
    """A panel from files of rankings."""
    unnamed: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    return assemble("orderings", [_read_one(f, encoding, unnamed, seen) for f in files])


def _read_one(file: File, encoding: str, unnamed: Counter[str], seen: set[tuple[str, str]]) -> Part:
    rows: list[tuple[str, str, str, int, int, int]] = []
    bad: Bad = []
    with file.text(encoding) as stream:
        for number, text in enumerate(stream, 1):
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            try:
                line = parse(text)
            except ValueError as error:
                bad.append((number, f"{error}: {text.strip()[:50]}"))
                continue
            task = line.task or ONE_TASK
            unnamed[task] += line.judge is None
            judge = line.judge or str(unnamed[task])
            if (task, judge) in seen:
                bad.append((number, f"judge '{judge}' again on one task"))
            seen.add((task, judge))
            for position, place in enumerate(line.places, 1):
                rows.extend((task, judge, item, position, line.count, number) for item in place)
    if bad:
        hint = "a line is: judge: a > b = c, or 74 * task | judge: a > b; repeats and ids with > = : | need csv."
        raise bad_lines(file.name, "not a ranking", bad, hint)
    if not rows:
        raise empty(file.name, "no rankings")
    columns = list(zip(*rows, strict=True))
    raw: dict[str, Any] = {n: encode(c) for n, c in zip(("task", "judge", "item"), columns[:3], strict=True)}
    raw |= {"position": np.array(columns[3], np.float64), "count": np.array(columns[4], np.float64)}
    return Part(file.name, raw, np.array(columns[5], np.int64))


# -- out -------------------------------------------------------------------------------------------------------------


def _bad(text: str) -> str | None:
    if any(m in text for m in MARKS):
        return f"the marks {' '.join(MARKS)} have a meaning here"
    return one_line(text)


def _bad_first(text: str) -> str | None:
    if text.startswith(("#", "\ufeff")) or COUNT.match(text):
        return "a line cannot begin with it"
    return _bad(text)


def write(panel: Panel, sink: Sink) -> None:
    """An orderings panel, one ranking per line."""
    refuse(panel, "lines", kinds=("orderings",), occasions=True, labels=True)
    panel = cast(Orderings, panel)
    tasks = as_text(panel.task, "task", "lines", _bad_first)
    judges = as_text(panel.judge, "judge", "lines", _bad_first)
    items = as_text(panel.item, "item", "lines", _bad)
    with sink.text() as stream:
        for row, groups in judgments(panel):
            count = f"{panel.count[row]} * " if panel.count[row] != 1 else ""
            task = "" if panel.tasks == (ONE_TASK,) else f"{tasks[panel.task.codes[row]]} | "
            order = " > ".join(" = ".join(items[i] for i in g) for g in groups)
            stream.write(f"{count}{task}{judges[panel.judge.codes[row]]}: {order}\n")


def sniff(file: File) -> bool:
    """Lines with ``>`` in them, and no line without a mark."""
    lines = [x for x in file.head_lines if not x.lstrip().startswith("#")][:50]
    return any(">" in x for x in lines) and all(any(m in x for m in ">=:") for x in lines)


LINES = Format(
    "lines",
    ("rankings",),
    "one ranking per line: judge: a > b = c",
    ("orderings",),
    read,
    write,
    sniff,
    "lines",
    (ENCODING,),
)
