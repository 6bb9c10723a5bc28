"""What a document is made of: texts, tables and charts, with raw values in their cells.

A renderer decides how a value reads, how wide a column is and how many rows are shown; a block only says what there is.

>>> columns = (Column("judge", "judge"), Column("value", "value", "figure", group="tau_b"))
>>> Table("By judge", columns, (("ann", 0.5),)).to_dict()["rows"]
[['ann', 0.5]]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from quorate.inference.estimate import Estimate, Interval
from quorate.inference.json_text import json_text
from quorate.inference.results import clean
from quorate.words.numbers import settled

VERSION = 1  # of the JSON
Role = Literal["lead", "body", "note", "points", "code"]


@dataclass(frozen=True)
class Text:
    """Sentences: those that lead, plain ones, notes, points of a list, or a command."""

    sentences: tuple[str, ...]
    role: Role = "body"

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON."""
        return {"block": "text", "role": self.role, "sentences": list(self.sentences)}


@dataclass(frozen=True)
class Column:
    """A column: the key of its values, its heading, and the form in which values are shown (see words.numbers)."""

    key: str
    head: str
    form: str = "name"
    help: str = ""
    group: str = ""  # the heading that it shares with the columns beside it, such as a method
    minor: int = 0  # where a table is too wide, columns with the largest number are left out first


FLAGS = ("flag", "diagnosis")  # keys of columns that say that a judge is off


@dataclass(frozen=True)
class Table:
    """Rows of raw values: numbers, intervals, names, lists of names, truth values; None where a column does not apply.

    A figure that is undefined is NaN. ``of`` is how many rows there are, where the table does not hold them all.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    name: str = ""
    of: int = 0
    keys: int = 1  # columns at the left that say what a row is about

    @property
    def total(self) -> int:
        """How many rows there are, those left off included."""
        return max(self.of, len(self.rows))

    def ordered(self, at: Sequence[int]) -> Table:
        """The table with these of its columns, in this order."""
        rows = tuple(tuple(row[k] for k in at) for row in self.rows)
        return replace(self, columns=tuple(self.columns[k] for k in at), rows=rows)

    def heads(self) -> list[tuple[str, str]]:
        """Group and heading of each column; a group of one column is its heading."""
        groups = [c.group for c in self.columns]
        return [("", c.group) if c.group and groups.count(c.group) == 1 else (c.group, c.head) for c in self.columns]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON."""
        return {
            "block": "table",
            "name": self.name,
            "title": self.title,
            "columns": [asdict(c) for c in self.columns],
            "rows": [[_plain(cell) for cell in row] for row in self.rows],
            "keys": self.keys,
            "of": self.total,
            "note": self.note,
        }


@dataclass(frozen=True)
class Chart:
    """A chart before it is drawn: its form is the name of a function of charts.py, which takes rows and settings."""

    name: str
    question: str
    form: str
    title: str
    description: str
    rows: tuple[dict[str, Any], ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()  # columns that only place marks, and are no part of the data
    least: int = 0  # pixels that it needs across; on a narrower page it is moved sideways in a box of its own

    @property
    def data(self) -> list[dict[str, Any]]:
        """The rows without what only places marks."""
        return [{n: v for n, v in row.items() if n not in self.hidden} for row in self.rows]

    def table(self) -> Table:
        """What the chart shows, as a table."""
        names = [n for n in dict.fromkeys(name for row in self.rows for name in row) if n not in self.hidden]
        columns = tuple(Column(n, n, form_of([row.get(n) for row in self.rows])) for n in names)
        cells = tuple(
            tuple(_undefined(row.get(n, ""), c.form) for n, c in zip(names, columns, strict=True)) for row in self.rows
        )
        return Table(self.title, columns, cells, name=self.name)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON."""
        told = {n: getattr(self, n) for n in ("name", "form", "title", "description")}
        return {"block": "chart", **told, "settings": clean(dict(self.settings)), "rows": clean(self.data)}


@dataclass(frozen=True)
class Section:
    """Blocks under a heading; those that are ``folded`` a page shows when they are asked for."""

    heading: str
    blocks: tuple[Block, ...]
    name: str = ""
    folded: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON."""
        blocks = [b.to_dict() for b in self.blocks]
        told = {"block": "section", "name": self.name, "heading": self.heading, "blocks": blocks}
        return {**told, "folded": True} if self.folded else told


Block = Text | Table | Chart | Section


@dataclass(frozen=True)
class Document:
    """Blocks under a title; ``meta`` says what they are about."""

    title: str
    blocks: tuple[Block, ...]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts; see docs/json.md."""
        told = {"version": VERSION, "title": self.title, "meta": clean(dict(self.meta))}
        return {**told, "blocks": [b.to_dict() for b in self.blocks]}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json_text(self.to_dict())


def columns(*given: Column | str) -> tuple[Column, ...]:
    """Columns by their keys and forms.

    >>> [(c.key, c.head, c.form) for c in columns("judge", "per_item:figure")]
    [('judge', 'judge', 'name'), ('per_item', 'per item', 'figure')]
    """
    return tuple(c if isinstance(c, Column) else _column(*c.split(":", 1)) for c in given)


def _column(key: str, form: str = "name") -> Column:
    return Column(key, key.replace("_", " "), form)


def with_notes(blocks: Iterable[Block], notes: Sequence[str]) -> list[Block]:
    """The blocks, and the notes below them if there are any."""
    return [*blocks, Text(tuple(notes), "note")] if notes else list(blocks)


def form_of(values: Iterable[Any]) -> str:
    """The form that suits values of which nothing else is known.

    >>> form_of([1, None]), form_of([0.5, 1]), form_of(["a"]), form_of([True]), form_of([[0.1, 0.2]])
    ('count', 'figure', 'name', 'yes', 'interval')
    """
    known = [v for v in values if v is not None and not (isinstance(v, str) and not v)]
    if not known or any(isinstance(v, str) for v in known):
        return "name"
    if all(isinstance(v, bool) for v in known):
        return "yes"
    if all(isinstance(v, int | float) for v in known):
        whole = all(isinstance(v, int) or settled(v).is_integer() for v in known if v == v)
        return "count" if whole else "figure"
    if all(isinstance(v, Interval) or (len(v) == 2 and all(isinstance(x, int | float) for x in v)) for v in known):
        return "interval"
    return "names" if all(isinstance(v, Sequence) for v in known) else "name"


def _undefined(value: Any, form: str) -> Any:
    """A gap in a chart's numbers is a figure that is undefined."""
    return math.nan if value is None and form in ("figure", "count") else value


def _plain(cell: Any) -> Any:
    """A cell as JSON has it: both ends of an interval, and the word for a figure that is undefined."""
    if isinstance(cell, Interval):
        return [clean(cell.low), clean(cell.high)]
    if isinstance(cell, Estimate):
        return {"value": _plain(cell.value), "interval": _plain(cell.interval)}
    if isinstance(cell, float) and cell != cell:
        return "undefined"
    return clean(cell)
