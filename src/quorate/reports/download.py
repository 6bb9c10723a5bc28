"""The data inside the page: every figure and every judgment, compressed, with all digits where there is room.

Where there is not, they are packed as columns to a few digits (packing.py; the page's script unpacks them), and what
still does not fit is left out, the longest columns first, and named with the command that gives it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from quorate.inference.results import Answer, Finding, clean
from quorate.panel.columns import Coded
from quorate.panel.kinds import Panel
from quorate.reports.packing import Packer

if TYPE_CHECKING:
    from quorate.reports.model import Report

DATA = 1_200_000  # bytes at most, compressed
DETAILED, JUDGED = 10, 1  # bytes that a row of figures, and a judgment, take at least, compressed
DIGITS = (4, 3)  # of figures: the first with which they fit
MANY = 500_000  # judgments with which it is not tried twice
SHORT = 5_000  # values that always find room
SAMPLE = 20_000  # values that tell how large a long column would be
SLACK = 0.98  # columns packed together take a little more than alone


@dataclass(frozen=True)
class Download:
    """Compressed JSON, what is in it, and what did not fit."""

    data: bytes
    said: str
    left_out: tuple[str, ...] = ()
    only_pairs: bool = True  # what is left out are rows of every two judges on every task, if anything


def download(report: Report, most: int = DATA) -> Download:
    """The report's data in at most so many bytes, where that can be."""
    figures = sum(len(f.values) for s in report.sections if s.answer for f in s.answer.findings)
    judgments = sum(len(panel) for panel in report.panels.values())
    if figures * DETAILED + judgments * JUDGED <= most:  # what cannot fit is not tried: packing takes long
        given = {role: clean(_plain(panel)) for role, panel in report.panels.items()}
        data = _gzip(_text({**report.to_dict(), "input": given}))
        if len(data) <= most:
            return Download(data, f"every figure with its details and {_judgments(report)}, with all digits")
    return _packed(report, most)


def _judgments(report: Report) -> str:
    """Whose judgments are in the data, in words."""
    return f"the judgments of {report.some}," if report.some else "every judgment"


def columns(panel: Panel) -> dict[str, Coded | list[Any]]:
    """A panel's rows by task, item and judge, so that neighbours are alike."""
    order = np.lexsort((panel.judge.codes, panel.occasion.codes, panel.item.codes, panel.task.codes))
    rows = order.tolist()
    return {
        name: column.sorted(order) if isinstance(column, Coded) else [column[k] for k in rows]
        for name, column in panel.coded_columns().items()
    }


def _plain(panel: Panel) -> dict[str, list[Any]]:
    """The same with names written out."""
    return {name: column.values() if isinstance(column, Coded) else column for name, column in columns(panel).items()}


@dataclass(frozen=True)
class _Block:
    """Columns that go in together or not at all: a panel, a method's rows, a detail of them, or what an answer adds."""

    size: int  # how many single values, about
    question: str  # none of a panel
    columns: Mapping[str, Sequence[Any] | Coded]
    finding: Finding | None = None
    place: int = 0  # of the finding in its answer
    detail: str = ""  # or the panel's role

    @property
    def of_pairs(self) -> bool:
        """Whether it has a row for every two judges on every task: their means are in the data anyway."""
        return self.finding is not None and "pair" in self.finding.keys and "task" in self.finding.keys

    @property
    def key(self) -> tuple[int, int]:
        """Which comes first: panels, what is short or sums up, rows, details, pairs on tasks; of these the short."""
        if not self.question:
            return 0, 0
        if self.finding is None or self.size <= SHORT:
            return 1, self.size
        return (4 if self.of_pairs else 2) + bool(self.detail), self.size


def _packed(report: Report, most: int) -> Download:
    """With as many digits as leave room for all but the pairs on every task."""
    blocks = sorted(_blocks(report), key=lambda b: b.key)
    judgments = sum(len(panel) for panel in report.panels.values())
    for digits in DIGITS if judgments <= MANY else DIGITS[-1:]:  # with very many, trying would take long
        data, left, rounded = _with_digits(report, blocks, most, digits)
        if all(b.of_pairs for b in left):
            break
    said = f"{_judgments(report)} and every figure, {'numbers' if rounded else 'figures'} to {digits} digits"
    return Download(data, said, tuple(_named(left)), all(b.of_pairs for b in left))


def _with_digits(report: Report, blocks: Sequence[_Block], most: int, digits: int) -> tuple[bytes, list[_Block], bool]:
    """The data with figures to so many digits, what does not fit, and whether judgments had to be rounded too."""
    packer = Packer(digits)
    found: dict[str, Any] = {
        "head": packer.column([_without_rows(report).to_dict()]),
        "input": {role: {} for role in report.panels},
        "more": {s.question: {} for s in report.sections},
        "results": {s.question: [_empty(f) for f in s.answer.findings] if s.answer else [] for s in report.sections},
    }
    room = most * SLACK - _size(packer.since((0, 0)))
    left: list[_Block] = []
    rounded, gone = False, set[int]()  # findings whose rows are left out: their details would be of nothing
    for block in blocks:
        if block.detail and id(block.finding) in gone:
            left.append(block)
            continue
        places, room = _fitted(packer, block, room, packer.column if block.question else packer.exact)
        if places is None and not block.question:
            places, room = _fitted(packer, block, room, packer.column)
            rounded = True
        if places is None:
            left.append(block)
            gone |= {id(block.finding)} if block.finding and not block.detail else set()
        elif block.finding is None:
            found["more" if block.question else "input"][block.question or block.detail].update(places)
        else:
            found["results"][block.question][block.place]["details" if block.detail else "columns"].update(places)
    found["input"] = {role: places for role, places in found["input"].items() if places}
    return _gzip(_joined(packer, {**found, "left_out": _named(left)})), left, rounded


def _empty(f: Finding) -> dict[str, Any]:
    return {"method": str(f.method), "called": f.called, "keys": list(f.keys), "columns": {}, "details": {}}


def _fitted(
    packer: Packer, block: _Block, room: float, put: Callable[[Sequence[Any] | Coded], int]
) -> tuple[dict[str, int] | None, float]:
    """The places of columns that fit, and the room that is left; None where they do not fit.

    Of long ones the first rows are tried before: encoding takes long.
    """
    mark = packer.mark()
    rows = max(map(len, block.columns.values()))
    if block.size > 2 * SAMPLE and rows > 1:
        some = max(1, rows * SAMPLE // block.size)
        for values in block.columns.values():
            put(Coded(values.ids, values.codes[:some]) if isinstance(values, Coded) else values[:some])
        taken = _size(packer.since(mark))
        packer.back(mark)
        if taken * rows > 1.2 * room * some:
            return None, room
    places = {name: put(values) for name, values in block.columns.items()}
    taken = _size(packer.since(mark))
    if taken <= room:
        return places, room - taken
    packer.back(mark)
    return None, room


def _blocks(report: Report) -> Iterator[_Block]:
    for role, panel in report.panels.items():
        yield _Block(len(panel), "", columns(panel), detail=role)
    for section in report.sections:
        for place, f in enumerate(section.answer.findings if section.answer else ()):
            if len(f.values):
                yield _Block(_leaves(f.values), section.question, {**f.keys, f.called: f.values}, f, place)
                for name, column in f.details.items():
                    yield _Block(_leaves(column), section.question, {name: column}, f, place, name)
        for name, value in (section.answer.more if section.answer else {}).items():
            yield _Block(_leaves([value]), section.question, {name: [value]})


def _leaves(values: Sequence[Any]) -> int:
    """How many single values there are, judged by the first."""

    def inside(value: Any) -> int:
        if isinstance(value, Mapping):
            return sum(map(inside, value.values()))
        return _leaves(value) if isinstance(value, list | tuple) else 1

    some = list(values[:50])
    return sum(map(inside, some)) * len(values) // max(len(some), 1)


def _named(left: Sequence[_Block]) -> list[str]:
    """What is left out, in words, a line for every method."""
    out = []
    by: dict[int, tuple[str, Finding, list[_Block]]] = {}
    for block in left:
        if block.finding is not None:
            by.setdefault(id(block.finding), (block.question, block.finding, []))[2].append(block)
        elif block.question:
            out.append(f"{block.question}: {', '.join(block.columns)}, about {block.size:,} figures")
        else:
            out.append(f"{block.detail}: all {block.size:,} rows")
    for question, f, blocks in by.values():
        rows = f"{len(f.values):,} row{'' if len(f.values) == 1 else 's'} ({', '.join(f.keys)})"
        details = ", ".join(b.detail for b in blocks)
        what = f"details ({details}) of {rows}" if all(b.detail for b in blocks) else f"all {rows}"
        out.append(f"{question} by {f.method}: {what}")
    return out


def _without_rows(report: Report) -> Report:
    """The report with sentences and overall figures only."""

    def bare(answer: Answer) -> Answer:
        empty = (replace(f, keys={}, values=(), details={}) for f in answer.findings)
        return replace(answer, findings=tuple(empty), more={})

    return replace(report, sections=tuple(replace(s, answer=s.answer and bare(s.answer)) for s in report.sections))


def _joined(packer: Packer, found: dict[str, Any]) -> bytes:
    """One JSON text; of names only what differs from the one before."""
    shared, rest = packer.listed()
    alike = packer.column(shared)
    head = json.dumps({"packed": alike, "names": rest, **found}, ensure_ascii=False, separators=(",", ":"), default=str)
    return f'{head[:-1]},"columns":[{",".join(packer.columns)}]}}'.encode()


def _size(text: str) -> int:
    return len(zlib.compress(text.encode(), 6))


def _text(found: dict[str, Any]) -> bytes:
    return json.dumps(found, ensure_ascii=False, default=str, allow_nan=False, separators=(",", ":")).encode()


def _gzip(text: bytes) -> bytes:
    return gzip.compress(text, 6, mtime=0)  # 9 takes six times as long for 1 % less
