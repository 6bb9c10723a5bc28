"""TREC runs, qrels and top lists.

A run has six fields, ``query Q0 document rank score tag``; it orders the documents of each query by score, highest
first (the rank field is ignored, as trec_eval does). Qrels have four, ``query iteration document grade``. A query is a
task, a document an item, a file a judge.

Top lists have a file per system and a line per query, the documents of the line between blanks, best first. So is the
top 20 of CLEF eHealth 2015 laid out, as ``TOP20_<team>_EN.dat``. Nothing in a file says which query a line is of: lines
are numbered 1, 2, ... and ``skip`` names queries that have no line.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.formats.cells import is_number
from quorate.formats.column_builder import between_blanks, collect
from quorate.formats.file_parts import Part, assemble
from quorate.formats.files import Bad, File, Sink, bad_lines, distinct
from quorate.formats.limits import as_text, one_word, refuse
from quorate.formats.registry import ENCODING, Format, Option, empty, flag, read_only, whole
from quorate.panel.base import constant
from quorate.panel.columns import Coded, encode, keys, repeated
from quorate.panel.kinds import Orderings, Panel
from quorate.panel.reading import Guess

RUN_FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
QRELS_FIELDS = ("query", "iteration", "document", "grade")

TIES = Option("ties", "equal scores are ties; by default they keep the order of the file", flag)
TOP = Option("top", "only the first so many documents of each query; a tie that starts among them is kept whole", whole)
TAGS = Option("tags", "the judge is the tag in the last field, not the file's name", flag)


def _collect(file: File, encoding: str, names: tuple[str, ...], number: str) -> Part:
    with file.text(encoding) as stream:
        part = collect(file.name, between_blanks(stream), names, {number: False})
    if not len(part):
        raise empty(file.name)
    values = part.raw[number]
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        said = (f"{number} {values[r]}" for r in bad.tolist())
        raise part.source.error(f"{number} is not a number", bad, said, f"a {number} is a number such as 1 or 2.5.")
    return part


def read_run(
    files: Sequence[File],
    kind: str | None,
    *,
    ties: bool = False,
    top: int | None = None,
    tags: bool = False,
    encoding: str = "utf-8",
) -> Panel:
    """A panel from runs: each file a judge, or each tag where a file has several."""
    parts = [_collect(f, encoding, RUN_FIELDS, "score") for f in files]
    tagged = [tags or len(p.raw["tag"].ids) > 1 or not f.path for f, p in zip(files, parts, strict=True)]
    names = [f.name for f in files] if all(tagged) else distinct(files, [f.stem for f in files])
    out, equal = [], 0
    for part, name, by_tag in zip(parts, names, tagged, strict=True):
        judge = part.raw["tag"] if by_tag else constant(name, len(part))
        ordered, same = _order(part, judge, part.raw["score"], ties, top)
        out.append(ordered)
        equal += same
    _check_apart(out)
    note = f"equal scores keep the order of the file ({equal:,} times); ties=True ties them"
    return replace(
        assemble("orderings", out, [note] if equal else []), absent="below"
    )  # what a run lacks, it puts last


def _check_apart(parts: Sequence[Part]) -> None:
    """Two files must not order one query for one judge: their documents would be mixed."""
    seen: dict[tuple[Hashable, Hashable], str] = {}
    for part in parts:
        task, judge = part.raw["task"], part.raw["judge"]
        for key in np.unique(keys(task, judge)).tolist():
            pair = task.ids[key // len(judge.ids)], judge.ids[key % len(judge.ids)]
            if pair in seen:
                raise InputError(
                    f"{part.name}: query {pair[0]!r} of judge {pair[1]!r} is in {seen[pair]} already.",
                    "give each run a tag of its own, or leave out tags.",
                )
            seen[pair] = part.name


def _order(part: Part, judge: Coded, score: NDArray[np.float64], ties: bool, top: int | None) -> tuple[Part, int]:
    """Positions from scores, within each judge and query; and how many items score as the one before them."""
    task, item = part.raw["query"], part.raw["document"]
    again = repeated(keys(judge, task, item))
    if len(again):
        what = (
            f"document {item.ids[item.codes[r]]!r} again in query {task.ids[task.codes[r]]!r}" for r in again.tolist()
        )
        raise part.source.error(
            "a document is there twice in one query", again, what, "list a document once per query."
        )
    run = keys(judge, task)
    order = np.lexsort((-score, run))  # stable: equal scores keep the order of the file
    new = np.ones(len(order), bool)
    new[1:] = run[order][1:] != run[order][:-1]
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    place = np.arange(len(order)) - first + 1
    same = ~new
    same[1:] &= score[order][1:] == score[order][:-1]
    if ties:  # the place where the group of equal scores begins
        place = np.maximum.accumulate(np.where(same, 0, np.arange(len(order)))) - first + 1
    position = np.empty(len(order), np.float64)
    position[order] = place
    rows = np.flatnonzero(position <= top) if top else np.arange(len(order))
    equal = 0 if ties else int((same & (place <= top if top else True)).sum())
    raw = {"task": task, "judge": judge, "item": item, "position": position}
    return Part(part.name, raw, part.lines).take(rows), equal


def read_qrels(files: Sequence[File], kind: str | None, *, encoding: str = "utf-8") -> Panel:
    """A panel from qrels, each file a judge: scores, or orderings with equal grades tied."""
    judges = distinct(files, [f.stem for f in files])
    out = []
    for file, name in zip(files, judges, strict=True):
        part = _collect(file, encoding, QRELS_FIELDS, "grade")
        judge = constant(name, len(part))
        if kind == "orderings":
            out.append(_order(part, judge, part.raw["grade"], True, None)[0])
        else:
            raw = {"task": part.raw["query"], "judge": judge, "item": part.raw["document"], "score": part.raw["grade"]}
            out.append(Part(part.name, raw, part.lines))
    return assemble(kind or "scores", out)


# -- out -------------------------------------------------------------------------------------------------------------


def _words(panel: Panel, format: str) -> tuple[list[str], list[str], list[str]]:
    return (
        as_text(panel.task, "task", format, one_word),
        as_text(panel.judge, "judge", format, one_word),
        as_text(panel.item, "item", format, one_word),
    )


def write_run(panel: Panel, sink: Sink) -> None:
    """An orderings panel as a run; the tag is the judge, and tied items have equal scores."""
    refuse(panel, "run", kinds=("orderings",), counts=True, occasions=True, labels=True)
    panel = cast(Orderings, panel)
    tasks, judges, items = _words(panel, "run")
    sizes = np.diff(panel.starts)
    last = np.repeat(panel.value[panel.starts[1:] - 1].astype(np.int64), sizes)
    score = last - panel.value.astype(np.int64) + 1
    rank = np.arange(len(panel)) - np.repeat(panel.starts[:-1], sizes) + 1
    with sink.text() as stream:
        for t, i, r, s, j in _rows(panel.task.codes, panel.item.codes, rank, score, panel.judge.codes):
            stream.write(f"{tasks[t]} Q0 {items[i]} {r} {s} {judges[j]}\n")


def _rows(*columns: NDArray[Any]) -> Iterator[tuple[int, ...]]:
    return zip(*(c.tolist() for c in columns), strict=True)


def write_qrels(panel: Panel, sink: Sink) -> None:
    """A scores panel of one judge as qrels; the judge's name is the file's."""
    refuse(panel, "qrels", kinds=("scores",), counts=True, occasions=True, labels=True)
    if len(panel.judges) > 1:
        raise InputError(
            f"qrels hold one judge, the panel has {len(panel.judges)}.",
            "write each judge to a file of its own: write(panel.select(judges=[...]), ...).",
        )
    if sink.path and str(panel.judges[0]) != sink.stem:
        raise InputError(
            f"qrels have no name for the judge '{panel.judges[0]}' but the file's.",
            f"write to {panel.judges[0]}.qrels.",
        )
    if (np.isnan(panel.value) | (panel.value != np.floor(panel.value))).any():
        raise InputError("qrels hold whole numbers; the panel has missing scores or fractions.", "csv holds them.")
    tasks, _, items = _words(panel, "qrels")
    with sink.text() as stream:
        for t, i, grade in _rows(panel.task.codes, panel.item.codes, panel.value.astype(np.int64)):
            stream.write(f"{tasks[t]} 0 {items[i]} {grade}\n")


def _sniff(file: File, width: int, number: int) -> bool:
    rows = [line.split() for line in file.head_lines[:20]]
    return bool(rows) and all(len(r) == width and is_number(r[number]) for r in rows)


RUN = Format(
    "run",
    ("run", "res"),
    "TREC run: query Q0 document rank score tag",
    ("orderings",),
    read_run,
    write_run,
    lambda file: _sniff(file, 6, 4),
    "trec",
    (TIES, TOP, TAGS, ENCODING),
    of_one_judge=True,
)
QRELS = Format(
    "qrels",
    ("qrels", "qrel"),
    "TREC qrels: query iteration document grade",
    ("scores", "orderings"),
    read_qrels,
    write_qrels,
    lambda file: _sniff(file, 4, 3),
    "trec",
    (ENCODING,),
)


# -- top lists ---------------------------------------------------------------------------------------------------------

NAME = re.compile(r"TOP\d+_(.+?)(?:_[A-Z]{2})?\.dat(?:\.gz)?", re.IGNORECASE)
CLEF, CLEF_LINES, CLEF_SKIPS = "TOP20_", 66, (62,)  # the collection's read-me: query 62 has no line


def _numbers(given: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in str(given).replace(",", " ").split()) if given not in (None, "") else ()


SKIP = Option("skip", "numbers of queries that have no line, such as 62 or 5,62; none of them: ''", _numbers)


def read_top_lists(
    files: Sequence[File], kind: str | None, *, skip: tuple[int, ...] | None = None, encoding: str = "utf-8"
) -> Panel:
    """A panel from top lists: each file a judge, each line a task."""
    found = [NAME.fullmatch(f.path.name) if f.path else None for f in files]
    names = distinct(files, [m[1] if m else f.stem for m, f in zip(found, files, strict=True)])
    parts = [_top_lists(file, name, skip, encoding) for file, name in zip(files, names, strict=True)]
    return replace(assemble("orderings", parts), absent="below")  # what a list lacks, it puts last


def _top_lists(file: File, judge: str, skip: tuple[int, ...] | None, encoding: str) -> Part:
    with file.text(encoding) as stream:
        lists = [(number, fields) for number, fields in between_blanks(stream) if fields]
    if not lists:
        raise empty(file.name, "no lists")
    guesses: tuple[Guess, ...] = ()
    if skip is None:
        clef = file.path is not None and file.path.name.upper().startswith(CLEF) and len(lists) == CLEF_LINES
        skip = CLEF_SKIPS if clef else ()
        said = f"{CLEF_LINES} lines of a top 20 are CLEF eHealth's queries 1 to 67 without 62"
        guesses = (Guess(said, "--input-option skip=62"),) if clef else ()
    bad: Bad = [(line, f"document {d!r} twice") for line, one in lists for d in dict.fromkeys(one) if one.count(d) > 1]
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


def sniff_top_lists(file: File) -> bool:
    """By its name: TOP20_team_EN.dat."""
    return file.path is not None and bool(NAME.fullmatch(file.path.name))


TOP_LISTS = Format(
    "top-lists",
    (),
    "top lists of search engines: a file per system, a line per query (CLEF eHealth's TOP20_team_EN.dat)",
    ("orderings",),
    read_top_lists,
    read_only("top-lists is read, not written: it takes a file per judge."),
    sniff_top_lists,
    "trec",
    (SKIP, ENCODING),
    telling=True,
    of_one_judge=True,
)
