"""Answers: frozen, the same in text, JSON, CSV and as a data frame.

An :class:`Answer` holds a :class:`Finding` per method; a finding holds rows (a task each, or a task and a pair, judge
or system) and the overall figures.
"""

from __future__ import annotations

import csv
import gc
import io
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Estimate, Interval, Null
from quorate.inference.json_text import json_pieces
from quorate.inference.options import Options as Options
from quorate.panel.columns import Coded
from quorate.panel.frames import make_frame
from quorate.panel.many_names import ManyNames
from quorate.table import Method

Array = NDArray[Any]

KEYS = (  # labels that say what a figure is of
    *("task", "criterion", "judge", "column", "favours", "says", "system", "systems", "item", "pair", "metric"),
    *("other", "level", "measure", "of", "by", "parameter", "figure", "worst", "component", "coefficient", "effect"),
)
ESTIMATE = ("method", "value", "low", "high", "over", "chance", "p")  # columns that every figure has
Overall = Estimate


@contextmanager
def no_collection() -> Iterator[None]:
    """Meanwhile nothing is looked through for garbage: of a million figures, all of which stay, that takes longest."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def estimate_dict(e: Estimate, method: Method | str | None = None) -> dict[str, Any]:
    """An estimate as in the JSON output, with the method, or its text, where it is known."""
    out = {**clean(e.labels), **({} if method is None else {"method": str(method)}), "value": clean(e.value)}
    out["interval"] = [clean(e.interval.low), clean(e.interval.high)] if e.interval else None
    out["interval_by"] = e.interval.over if e.interval else None
    out["chance"] = clean(e.null.value) if e.null else None
    out["p_value"] = clean(e.null.p) if e.null else None
    return out


@dataclass(frozen=True, slots=True)
class Finding:
    """What one method says: columns of rows, and overall figures."""

    method: Method
    keys: Mapping[str, Sequence[Any]]  # task, and where it applies pair, judge or system
    values: Sequence[Any]
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    overall: tuple[Overall, ...] = ()
    called: str = "value"  # what the values are: a ranking where the answer is one
    about: tuple[Mapping[str, Any], ...] = ()  # for words: of every design what else is known
    notes: tuple[str, ...] = ()  # what a reader must know of the method on these data
    blocks: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)  # rows of further blocks, by name

    @property
    def value(self) -> float | int:
        """The first overall figure."""
        return self.overall[0].value if self.overall else math.nan

    @property
    def interval(self) -> Interval | None:
        """Its interval."""
        return self.overall[0].interval if self.overall else None

    @property
    def null(self) -> Null | None:
        """Its null."""
        return self.overall[0].null if self.overall else None

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return " ".join([str(self.method), *(_brief(o.value) for o in self.overall[:1])])

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dict a row, as in the JSON output."""
        text = str(self.method)
        details = [(name, column, _cleaned(column)) for name, column in self.details.items()]
        for i, value in enumerate(self.values):
            row: dict[str, Any] = {name: column[i] for name, column in self.keys.items()}
            row["method"] = text
            row[self.called] = clean(value)
            row["details"] = {n: clean(column[i]) if plain is None else plain[i] for n, column, plain in details}
            yield row


class Faces(Protocol):
    """How answers are shown: handed in by the front door, since the core knows nothing of words, tables and charts."""

    def text(self, answer: Answer, width: int) -> str:
        """As plain text."""

    def html(self, answer: Answer) -> str:
        """As HTML, for notebooks."""

    def chart(self, answer: Answer, name: str) -> Any:
        """As an Altair chart."""


@dataclass(frozen=True)
class Answer:
    """The answer to one question about a panel."""

    faces: ClassVar[Faces]

    kind: str
    question: str
    tasks: int
    judges: int
    items: int
    findings: tuple[Finding, ...]
    facts: tuple[Any, ...] = ()  # what it says: typed facts, see quorate.words.facts
    notes: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)  # further blocks of the JSON output
    options: Options = field(default_factory=Options)
    panel: Any = field(default=None, repr=False, compare=False)  # what was asked
    left: tuple[Method, ...] = ()  # methods that were asked for and are not shown; words say why

    def __getitem__(self, name: str) -> Finding:
        """The finding of a method, by its text form or its bare name."""
        for f in self.findings:
            if name in (str(f.method), f.method.name):
                return f
        known = ", ".join(str(f.method) for f in self.findings)
        raise KeyError(f"no finding '{name}'; there are: {known}")

    @property
    def flagged(self) -> list[dict[str, Any]]:
        """Of ``judges``: who is off, in which way, with which p and what evidence, the worst first.

        >>> from quorate import Orderings, judges
        >>> orders = {f"j{k}": "abcdefgh" for k in range(5)} | {"finn": "hgfedcba"}
        >>> [f["judge"] for f in judges(Orderings.from_orders(orders), copies="apart").flagged]
        ['finn']
        """
        return list(self.more.get("flagged", ()))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts' sentences."""
        return tuple(map(str, self.facts))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts; NaN is None."""
        return {k: list(v) if isinstance(v, Iterator) else v for k, v in self._told().items()}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return "".join(self.json_pieces())

    def json_pieces(self) -> Iterator[str]:
        """The JSON text piece by piece: of very many items it takes more room than the answer."""
        return json_pieces(self._told())

    def _told(self) -> dict[str, Any]:
        """What the dict has; rows and figures as they are asked for."""
        return {
            "kind": self.kind,
            "question": self.question,
            "tasks": self.tasks,
            "judges": self.judges,
            "items": self.items,
            "results": (row for f in self.findings for row in f.rows()),
            "overall": (estimate_dict(o, text) for f in self.findings for text in (str(f.method),) for o in f.overall),
            "notes": list(self.notes),
            **{k: clean(v) for k, v in self.more.items()},
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """The rows as columns; details that are single values become columns of their own, of intervals both ends."""
        rows = [row for f in self.findings for row in f.rows()]
        names: dict[str, None] = {}
        flat = []
        for row in rows:
            details = row.pop("details")
            ends = {k: cell for name, value in details.items() for k, cell in _ends(name, value)}
            row |= {k: v for k, v in ends.items() if not isinstance(v, list | dict)}
            if "ranking" in row:  # in one cell: a > b = c
                row["ranking"] = " > ".join(" = ".join(map(str, group)) for group in row["ranking"])
            if "groups" in row:  # in one cell: a, b | c
                row["groups"] = " | ".join(", ".join(map(str, group)) for group in row["groups"])
                row["left_out"] = ", ".join(map(str, row["left_out"]))
            if "pair" in row:  # in its place
                row = {k: v for name, value in row.items() for k, v in _members(name, value)}
            names |= dict.fromkeys(row)
            flat.append(row)
        return {n: [row.get(n) for row in flat] for n in names}

    def to_frame(self, backend: str | None = None, *, rows: bool = False) -> Any:
        """A tidy data frame: a row per figure, its value, interval, chance and p in columns; or the rows by task.

        What is agreed on is told of every item: its place, group, label or score, and how firm it is.

        >>> from quorate import Orderings, agreement
        >>> answer = agreement(Orderings.from_orders(["abc", "acb", "abc"]), "tau_b", "kappa")
        >>> list(answer.to_frame("pandas").columns)
        ['method', 'value', 'low', 'high', 'over', 'chance', 'p']
        """
        columns = self.to_columns() if rows else self.agreed() if self.question == "consensus" else self.figures()
        return make_frame(columns, backend)

    def agreed(self) -> dict[str, list[Any]]:
        """What is agreed on as columns, a row per item and method.

        >>> from quorate import Orderings, consensus
        >>> told = consensus(Orderings.from_orders(["abc", "acb", "abc"]), "rank_sum", resamples=20).agreed()
        >>> told["item"], told["place"], list(told)
        (['a', 'b', 'c'], [1.0, 2.0, 3.0], ['task', 'item', 'method', 'place', 'low', 'high', 'first'])
        """
        rows = [told for f in self.findings for row in f.rows() for told in _items(row)]
        names = dict.fromkeys(name for row in rows for name in row)
        cells = {n: [row.get(n) for row in rows] for n in names}
        return {n: c for n, c in cells.items() if n == "value" or 2 * sum(v is not None for v in c) >= len(c)}

    def figures(self) -> dict[str, list[Any]]:
        """The overall figures as columns: what each is of, the method, its estimate, and labels that most figures have.

        What only a few figures are of stands in one column, ``about``: no column is mostly empty.
        """
        found = [(f, e) for f in self.findings for e in f.overall]
        plain = (str, int, float, bool)
        labels = dict.fromkeys(n for _, e in found for n, v in e.labels.items() if isinstance(v, plain))
        cells = {n: [clean(e.labels.get(n)) for _, e in found] for n in labels if n not in ESTIMATE}
        most = {n: c for n, c in cells.items() if 2 * sum(v is not None for v in c) > len(c)}
        few = [n for n in KEYS if n in cells and n not in most]
        about = ["; ".join(f"{n}={cells[n][k]}" for n in few if cells[n][k] is not None) for k in range(len(found))]
        out: dict[str, list[Any]] = {n: most[n] for n in KEYS if n in most} | ({"about": about} if few else {})
        out["method"] = [str(f.method) for f, _ in found]
        out["value"] = [clean(e.value) for _, e in found]
        for n in ("low", "high", "over"):
            out[n] = [clean(getattr(e.interval, n)) if e.interval else None for _, e in found]
        out["chance"] = [clean(e.null.value) if e.null else None for _, e in found]
        out["p"] = [e.null.p if e.null else None for _, e in found]
        there = {n: c for n, c in out.items() if any(v is not None for v in c)}
        return there | {n: c for n, c in most.items() if n not in KEYS}

    def to_csv(self) -> str:
        """The rows as CSV text."""
        columns = self.to_columns()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        return out.getvalue()

    def text(self, width: int = 80) -> str:
        """The answer for people: sentences first, then the tables."""
        return self.faces.text(self, width)

    def plot(self, name: str = "") -> Any:
        """The chart of the report as an Altair chart: the first, or the one of this name."""
        return self.faces.chart(self, name)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        said = ", ".join(str(f) for f in self.findings if f.overall)
        return f"<{self.kind} x {self.question}: {said}>"

    def _repr_html_(self) -> str:
        return self.faces.html(self)


def _items(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a row says is agreed on, item by item: places of an order, groups, or a unit's own value."""
    details, of = row["details"], {"task": row.get("task")}
    if "ranking" in row:
        between, first = details.get("rank_interval") or {}, details.get("first")
        for item in (str(i) for place in row["ranking"] for i in place):
            low, high = between.get(item) or (None, None)
            own = {"place": details["rank"][item], "low": low, "high": high}
            yield {**of, "item": item, "method": row["method"], **own, "first": first and first.get(item, 0.0)}
    elif "groups" in row:
        parts = [(k, item) for k, group in enumerate(row["groups"], 1) for item in group]
        for k, item in [*parts, *((None, item) for item in row["left_out"])]:
            own = (details.get("items") or {}).get(str(item), {})
            yield {**of, "item": item, "method": row["method"], "group": k, **own}
    else:
        yield {n: v for n, v in {**row, **details}.items() if not isinstance(v, list | dict)}


def _members(name: str, value: Any) -> list[tuple[str, Any]]:
    """A pair of judges as two columns, any other value as its own."""
    return [(f"judge_{'ab'[i]}", member) for i, member in enumerate(value)] if name == "pair" else [(name, value)]


def _ends(name: str, value: Any) -> list[tuple[str, Any]]:
    """An interval as two columns, any other value as its own."""
    if not name.endswith("interval") or not (value is None or (isinstance(value, list) and len(value) == 2)):
        return [(name, value)]
    low, high = value or (None, None)
    before = name.removesuffix("interval")
    return [(f"{before}low", low), (f"{before}high", high)]


def _brief(value: float | int) -> str:
    return f"2^{math.log2(value):.1f}" if isinstance(value, int) and value >= 2**1000 else f"{value:.4g}"


_AS_THEY_ARE, _NUMBERS = frozenset({str, bool, type(None)}), frozenset({float, bool})
_LONGEST = 13_000  # binary digits of a number that Python prints


def clean(value: Any) -> Any:
    """A value as JSON can hold it: NaN, infinities and numbers of over 4000 digits are None, numpy is gone."""
    kind = type(value)  # the plain kinds first: a report cleans millions
    if kind is float:
        return value if math.isfinite(value) else None
    if kind is str or value is None or kind is bool:
        return value
    if kind is dict:
        return {k if type(k) is str else str(k): clean(v) for k, v in value.items()}
    if kind is list or kind is tuple:
        kinds = set(map(type, value))
        if kinds <= _AS_THEY_ARE or (kinds <= _NUMBERS and all(map(math.isfinite, value))):  # long columns, mostly
            return list(value)
        if kinds == {int} and max(map(int.bit_length, value)) <= _LONGEST:
            return list(value)
        if kinds == {list} and set(map(type, chain.from_iterable(value))) <= _AS_THEY_ARE:  # orders and groups
            return list(map(list, value))
        return [clean(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and value.bit_length() > _LONGEST:
        return None
    if hasattr(value, "tolist"):
        return clean(value.tolist())
    if isinstance(value, Mapping):
        return {str(k): clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [clean(v) for v in value]
    return estimate_dict(value) if isinstance(value, Estimate) else value


def _cleaned(column: Sequence[Any]) -> list[Any] | None:
    """A list of plain values cleaned at once; None of any other column, of which each value is."""
    plain = type(column) is list and set(map(type, column)) <= {*_AS_THEY_ARE, float, int}
    return clean(column) if plain else None


def in_order(answer: Answer, tasks: Sequence[Hashable]) -> Answer:
    """The answer with its rows of tasks in this order, that of the file; answers are computed in the order of names."""
    number = Places(tasks)
    return replace(answer, findings=tuple(_rows_in_order(f, number) for f in answer.findings))


class Places:
    """The places of tasks in the file."""

    def __init__(self, tasks: Sequence[Hashable]) -> None:
        self.tasks = tasks

    @cached_property
    def _known(self) -> Mapping[Hashable, int]:
        return {task: k for k, task in enumerate(self.tasks)}

    def of(self, named: Any) -> Array:
        """Those of the tasks of rows; of very many rows each name is looked up once."""
        if isinstance(named, Coded):
            return self.of(named.ids)[named.codes]
        if isinstance(named, ManyNames) and isinstance(self.tasks, ManyNames):
            return named.places_among(self.tasks)
        return np.fromiter(map(self._known.get, named, repeat(len(self.tasks))), np.int64, len(named))


def _rows_in_order(found: Finding, places: Places) -> Finding:
    named = found.keys.get("task", ())
    if len(named) != len(found.values) or len(named) < 2:
        return found
    number = places.of(named)
    if (number[1:] >= number[:-1]).all():
        return found
    order = np.argsort(number, kind="stable")
    values, *columns = (
        _some(column, order) for column in (found.values, *found.keys.values(), *found.details.values())
    )
    keys = dict(zip(found.keys, columns, strict=False))
    details = dict(zip(found.details, columns[len(keys) :], strict=True))
    return replace(found, keys=keys, values=values, details=details)


def _some(column: Any, rows: Array) -> Any:
    """Rows of a column in this order, in the form that the column has."""
    if isinstance(column, Coded):
        return column.sorted(rows)
    return column[rows] if isinstance(column, np.ndarray) else [column[i] for i in rows.tolist()]
