"""What the four kinds of panel share: rows of task, judge, item and a value, checked, sorted and read-only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, UnknownId, suggest
from quorate.panel.columns import (
    Coded,
    Raw,
    Source,
    blank_ids,
    by_table,
    changes,
    combinations,
    encode,
    frozen,
    ids,
    in_order,
    is_blank,
    keys,
    narrow,
    numbers,
    order_of,
    ordered,
    repeated,
    starts_of,
)
from quorate.panel.frames import frame_columns, make_frame
from quorate.panel.reading import Reading

ONE_TASK = "all"  # the task's id when the input has no task column
MOST_ALIKE = 1_000_000  # judges behind one judgment: squares of their sums stay exact
Array = NDArray[Any]


P = TypeVar("P")
T = TypeVar("T")


def remembered(of: P, name: str, make: Callable[[P], T]) -> T:
    """What is made of a panel or design, made once: five questions ask for the same, and neither changes."""
    known = of.__dict__
    if name not in known:
        known[name] = make(of)
    found: T = known[name]
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Panel(ABC):
    """What the four kinds share: rows of task, judge, item and a value, sorted, with optional label columns."""

    kind: ClassVar[str]
    value_column: ClassVar[str]
    repeats_are_occasions: ClassVar[bool] = False  # every time is one, unless a column tells

    task: Coded
    judge: Coded
    item: Coded
    occasion: Coded
    value: Any  # positions, coded groups or scores
    count: Array  # of the row's judgment, in small integers; 1 unless judges were counted
    labels: Mapping[str, Coded] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what was repaired or left aside while reading
    absent: str = ""  # what an item without a row means, where the format tells: below, left-out, not-shown, unknown
    reading: Reading = field(default_factory=Reading)  # how it was read, where it comes from a file
    nesting: tuple[str, ...] = ()  # label columns of what its tasks belong to, the outermost first
    elsewhere: Any = None  # where the rows are, of a panel that is not in memory: see quorate.scale
    drawn_from: int = 0  # of how many judges these were drawn at random, where there were too many

    # -- what is inside ---------------------------------------------------------------------------------------------

    @property
    def tasks(self) -> tuple[Hashable, ...]:
        """Ids of the tasks, in order of first appearance."""
        return self.task.ids

    @property
    def value_name(self) -> str:
        """The value's column in a table: the kind's, or another where values are of another sort."""
        return self.value_column

    @property
    def judges(self) -> tuple[Hashable, ...]:
        """Ids of the judges, in order of first appearance."""
        return self.judge.ids

    @property
    def items(self) -> tuple[Hashable, ...]:
        """Ids of the items of all tasks, in order of first appearance."""
        return self.item.ids

    def __len__(self) -> int:
        """Number of rows: one judge on one item."""
        return len(self.task)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Row where each judgment (task, judge, occasion) begins, and the number of rows at the end."""
        return frozen(np.append(np.flatnonzero(changes(self.task, self.judge, self.occasion)), len(self)))

    @cached_property
    def by_name(self) -> Self:
        """The same judgments with tasks, judges and items in the order of their names, as every answer draws them."""
        from quorate.panel.by_name import by_name

        return by_name(self)

    @cached_property
    def repeats(self) -> int:
        """Judgments beyond a judge's first on the same task."""
        return len(self.starts) - 1 - int(np.count_nonzero(changes(self.task, self.judge)))

    # -- parts ------------------------------------------------------------------------------------------------------

    def select(
        self,
        tasks: Iterable[Hashable] | None = None,
        judges: Iterable[Hashable] | None = None,
        items: Iterable[Hashable] | None = None,
        **labels: Iterable[Hashable],
    ) -> Self:
        """The rows of these tasks, judges, items or labels; an id that is not there is an error."""
        keep = np.ones(len(self), bool)
        wanted: dict[str, tuple[Coded, Iterable[Hashable] | None]] = {
            "task": (self.task, tasks),
            "judge": (self.judge, judges),
            "item": (self.item, items),
        }
        for name, values in labels.items():
            wanted[name] = (self.label(name), values)
        for name, (column, chosen) in wanted.items():
            if chosen is not None:
                keep &= np.isin(column.codes, find_codes(column, chosen, name))
        return self._rows(np.flatnonzero(keep))

    def drop_judges(self, *judges: Hashable) -> Self:
        """The panel without these judges."""
        return self._rows(np.flatnonzero(~np.isin(self.judge.codes, find_codes(self.judge, judges, "judge"))))

    def label(self, name: str) -> Coded:
        """A label column by name."""
        if name not in self.labels:
            raise UnknownId(f"no label column '{name}'.", suggest(name, self.labels, "Labels"))
        return self.labels[name]

    def _rows(self, rows: NDArray[np.int64]) -> Self:
        if not len(rows):
            raise InputError("nothing is left of the panel.", f"the panel has {self.inside()}.")
        raw: dict[str, Any] = {
            "task": self.task.take(rows),
            "judge": self.judge.take(rows),
            "item": self.item.take(rows),
            "occasion": self.occasion.take(rows),
            "count": self.count[rows],
            self.value_column: self._values(rows),
            **{n: c.take(rows) for n, c in self.labels.items()},
        }
        made = self.build(raw, notes=self.notes)
        return replace(made, absent=self.absent, reading=self.reading, nesting=self.nesting)

    # -- making one -------------------------------------------------------------------------------------------------

    @classmethod
    def build(cls, raw: Raw, source: Source | None = None, notes: Sequence[str] = ()) -> Self:
        """From columns by name; every check is made here."""
        source = source or Source()
        where = source.name or "input"
        for name in ("judge", "item", cls.value_column):
            if name not in raw:
                raise InputError(
                    f"{where}: no column '{name}'.",
                    suggest(name, map(str, raw), f"{cls.kind} need judge, item, {cls.value_column}; columns found"),
                )
        size = len(raw["judge"])
        if not size:
            raise InputError(f"{where}: no rows.", "a panel needs at least one judgment.")
        task = ids(raw["task"], "task", source) if "task" in raw else constant(ONE_TASK, size)
        judge = ids(raw["judge"], "judge", source)
        item = ids(raw["item"], "item", source)
        known = {"task", "judge", "item", "occasion", "count", cls.value_column}
        labels = {n: encode(blank_to_none(v)) for n, v in raw.items() if n not in known}
        value = cls._read_values(raw[cls.value_column], source)
        more = list(notes)
        if "occasion" in raw:
            occasion = ids(raw["occasion"], "occasion", source)
        else:
            occasion = cls._occasions(task, judge, item, labels, source, more)
        apart = (task, judge, occasion, item, *cls._apart(labels))
        sure = cls.repeats_are_occasions and "occasion" not in raw
        if not (sure or ordered([c.codes for c in apart], strictly=True)) and len(
            again := repeated(keys(*apart, short=True))
        ):
            raise cls._repeat_error(again, task, judge, item, source)
        judgment = cls._judgments(task, judge, occasion, item)
        count = _counted(raw, judgment, source)
        order = _sorting(judgment, cls._sort_value(value))
        moved = slice(None) if ordered([judgment]) else order  # what is the same within a judgment need not be copied
        starts = starts_of(judgment, moved)
        return cls(
            task=task.of_judgments(moved, starts),
            judge=judge.of_judgments(moved, starts),
            item=item.sorted(order),
            occasion=occasion.of_judgments(moved, starts),
            value=cls._finish(value, order, starts),
            count=frozen(count[order] if "count" in raw else count),
            labels={n: c.sorted(order) for n, c in labels.items()},
            notes=tuple(more),
        )

    @classmethod
    def from_frame(cls, frame: Any) -> Self:
        """From a pandas, polars or pyarrow table with the columns of this kind."""
        return cls.build(frame_columns(frame))

    # -- what differs between the kinds -------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def _read_values(cls, values: Any, source: Source) -> Any: ...

    @classmethod
    def _sort_value(cls, value: Any) -> Array:
        return np.zeros(len(value), np.int8)

    @classmethod
    def _finish(cls, value: Any, order: Any, starts: NDArray[Any]) -> Any:
        """The values in order; in that order judgments begin at the rows ``starts``."""
        return frozen(in_order(value, order))

    @classmethod
    def _apart(cls, labels: Mapping[str, Coded]) -> list[Coded]:
        return []

    @classmethod
    def _judgments(cls, task: Coded, judge: Coded, occasion: Coded, item: Coded) -> NDArray[Any]:
        """One integer per row: equal for rows that a judge gave together."""
        return combinations(task, judge, occasion)

    @classmethod
    def _occasions(
        cls, task: Coded, judge: Coded, item: Coded, labels: Mapping[str, Coded], source: Source, notes: list[str]
    ) -> Coded:
        return constant(1, len(task))

    @classmethod
    def _repeat_error(cls, rows: Array, task: Coded, judge: Coded, item: Coded, source: Source) -> InputError:
        what = (f"judge {judge[r]!r} has item {item[r]!r} again on task {task[r]!r}" for r in rows.tolist())
        return source.error(
            cls._repeat_fact, rows, what, "if the judge did the task again, say so in a column 'occasion' (1, 2, ...)."
        )

    _repeat_fact: ClassVar[str] = "an item is repeated"

    def _values(self, rows: NDArray[np.int64]) -> Any:
        return self.value[rows]

    # -- out --------------------------------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The panel as plain columns; what is the same everywhere and optional is left out."""
        return {n: c.values() if isinstance(c, Coded) else c for n, c in self.coded_columns().items()}

    def coded_columns(self) -> dict[str, Coded | list[Any]]:
        """The same with names as they are held, numbered."""
        out: dict[str, Coded | list[Any]] = {}
        if self.tasks != (ONE_TASK,):
            out["task"] = self.task
        out |= {"judge": self.judge, "item": self.item, self.value_name: self._plain_values()}
        if self.occasion.ids != (1,):
            out["occasion"] = self.occasion
        if (self.count != 1).any():
            out["count"] = self.count.tolist()
        return out | dict(self.labels)

    def _plain_values(self) -> Coded | list[Any]:
        return list(self.value.tolist())

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame: 'polars', 'pandas' or 'pyarrow'; by default the first one installed."""
        return make_frame(self.columns(), backend)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Panel) or self.kind != other.kind:
            return NotImplemented
        if len(self) != len(other) or set(self.labels) != set(other.labels):
            return False
        return self._canonical() == other._canonical()

    __hash__ = None  # type: ignore[assignment]

    def _canonical(self) -> dict[Any, Any]:
        columns = self.columns()
        value = columns.pop(self.value_name)
        named = [
            columns.get(n, [None] * len(self))
            for n in ("task", "judge", "item", "occasion", "count", *sorted(self.labels))
        ]
        return dict(zip(zip(*named, strict=True), map(_comparable, value), strict=True))

    def inside(self) -> str:
        """What is in the panel, in words."""
        said = [many(len(self.judges), "judge"), many(len(self.items), "item"), many(len(self.tasks), "task")]
        said += self._particulars()
        if self.repeats:
            said.append(many(self.repeats, "repeat"))
        return ", ".join(said)

    def _particulars(self) -> list[str]:
        return []

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.inside()}>"

    def _repr_html_(self) -> str:
        shown = {n: v[:5] for n, v in self.columns().items()}
        head = "".join(f"<th>{escape(n)}</th>" for n in shown)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(str(v))}</td>" for v in row) + "</tr>"
            for row in zip(*shown.values(), strict=True)
        )
        more = f"<p>... {len(self) - 5:,} more rows</p>" if len(self) > 5 else ""
        return f"<p><b>{type(self).__name__}</b>: {escape(self.inside())}</p><table><tr>{head}</tr>{body}</table>{more}"


def is_scan(panel: object) -> bool:
    """Whether this is a scan (:mod:`quorate.scale`), which costs to load: a panel that stays in its files."""
    return bool(getattr(panel, "scanned", False))


def constant(value: Hashable, size: int) -> Coded:
    """The same id in every row."""
    return Coded((value,), frozen(np.zeros(size, np.uint8)))


def blank_to_none(values: Any) -> Coded:
    """A column of ids in which nothing is the id None."""
    coded = encode(values)
    if not blank_ids(coded.ids):
        return coded
    clean = encode([None if is_blank(i) else i for i in coded.ids])
    return Coded(clean.ids, narrow(clean.codes[coded.codes], len(clean.ids)))


def _counted(raw: Raw, judgment: NDArray[Any], source: Source) -> Array:
    if "count" not in raw:
        return np.ones(len(judgment), np.uint8)
    count = numbers(raw["count"], "count", source)
    bad = np.flatnonzero((count < 1) | (count != np.floor(count)))
    if len(bad):
        said = (f"count {count[r]:g}" for r in bad.tolist())
        raise source.error("count is not a whole number from 1", bad, said, "it is how many judges said the same.")
    bad = np.flatnonzero(count > MOST_ALIKE)
    if len(bad):
        hint = f"at most {MOST_ALIKE:,} judges stand behind one judgment; divide all counts by the same number."
        raise source.error("count is too large", bad, (f"count {count[r]:g}" for r in bad.tolist()), hint)
    _, first, inverse = np.unique(judgment, return_index=True, return_inverse=True)
    bad = np.flatnonzero(count != count[first][inverse.ravel()])
    if len(bad):
        what = (f"count {count[r]:g}, but {count[first][inverse.ravel()[r]]:g} before" for r in bad.tolist())
        raise source.error("count differs within one judgment", bad, what, "give the same count on each of its rows.")
    return narrow(count, int(count.max()) + 1)


def _sorting(judgment: NDArray[Any], value: Array) -> Any:
    """The rows in order of judgment and value; rows that are so already are not copied."""
    if ordered([judgment, value]):
        return slice(None)
    if value.any():
        whole = value.astype(np.int64) if value.dtype.kind == "f" and value.max() < len(value) else value
        order = by_table(judgment, whole) if whole.dtype.kind in "iu" and (whole == value).all() else None
        return np.lexsort((value, judgment)) if order is None else order
    return order_of(judgment)


def find_codes(column: Coded, wanted: Iterable[Hashable], name: str) -> NDArray[np.int64]:
    """Codes of the wanted ids; one that is not there is an error."""
    code = {i: c for c, i in enumerate(column.ids)}
    listed = [wanted] if isinstance(wanted, str) else list(wanted)
    for w in listed:
        if w not in code:
            raise UnknownId(f"no {name} '{w}'.", suggest(str(w), map(str, column.ids), f"The panel's {name}s"))
    return np.array([code[w] for w in listed], np.int64)


def many(n: int, word: str) -> str:
    """A number and its noun: 1 judge, 2,000 judges."""
    return f"{n:,} {word if n == 1 else plural(word)}"


def plural(word: str) -> str:
    """More than one of it, as English has most words.

    >>> plural("topic"), plural("category"), plural("essay")
    ('topics', 'categories', 'essays')
    """
    return f"{word[:-1]}ies" if word[-1:] == "y" and word[-2:-1] not in "aeiou" else f"{word}s"


def listed(names: Sequence[Any], shown: int = 3) -> str:
    """Names in a row: a; a and b; a, b and c; a, b, c and 2 more.

    >>> listed("ab"), listed("abcde")
    ('a and b', 'a, b, c and 2 more')
    """
    if len(names) > shown:
        return f"{', '.join(map(str, names[:shown]))} and {len(names) - shown:,} more"
    first, last = ", ".join(map(str, names[:-1])), str(names[-1]) if names else ""
    return f"{first} and {last}" if first else last


def _comparable(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value
