"""Panels: the judgments of one kind, over tasks. Immutable; ids as given outside, small integer codes inside.

Ties, absent items, left-out items, missing scores, multiplicities and repeats are settled here and nowhere else:

* an ordering's positions are *dense*: tie groups are numbered 1, 2, 3, ...; an item without a position is absent;
* a grouping's left-out items have the group ``None``;
* a missing score is NaN;
* ``count`` says how many judges gave the same ordering;
* the same judge again on the same task (orderings, groupings) or item (scores) is another ``occasion``, kept apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quorate.columns import Coded, Raw, Source, encode, frozen, ids, is_blank, keys, narrow, numbers, repeated
from quorate.errors import InputError, UnknownId, suggest

ONE_TASK = "all"  # the task's id when the input has no task column
Order = Sequence[Any] | str
Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Panel:
    """What the three kinds share: rows of task, judge, item and a value, sorted, with optional label columns."""

    kind: ClassVar[str]
    value_column: ClassVar[str]

    task: Coded
    judge: Coded
    item: Coded
    occasion: Coded
    value: Array  # position, group code or score
    count: NDArray[np.int64]  # of the row's judgment; 1 unless judges were counted
    labels: Mapping[str, Coded] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what was repaired or left aside while reading

    # -- what is inside ---------------------------------------------------------------------------------------------

    @property
    def tasks(self) -> tuple[Hashable, ...]:
        """Ids of the tasks, in order of first appearance."""
        return self.task.ids

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
        key = keys(self.task, self.judge, self.occasion)
        change = np.flatnonzero(key[1:] != key[:-1]) + 1
        return frozen(np.concatenate([[0], change, [len(key)]]) if len(key) else np.zeros(1, np.int64))

    @property
    def repeats(self) -> int:
        """Judgments beyond a judge's first on the same task."""
        first = self.starts[:-1]
        pairs = keys(self.task, self.judge)[first]
        return len(first) - len(np.unique(pairs))

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
                keep &= np.isin(column.codes, _find(column, chosen, name))
        return self._rows(np.flatnonzero(keep))

    def drop_judges(self, *judges: Hashable) -> Self:
        """The panel without these judges."""
        return self._rows(np.flatnonzero(~np.isin(self.judge.codes, _find(self.judge, judges, "judge"))))

    def label(self, name: str) -> Coded:
        """A label column by name."""
        if name not in self.labels:
            raise UnknownId(f"no label column '{name}'.", suggest(name, self.labels, "Labels"))
        return self.labels[name]

    def _rows(self, rows: NDArray[np.int64]) -> Self:
        if not len(rows):
            raise InputError("nothing is left of the panel.", f"the panel has {_counts(self)}.")
        raw: dict[str, Any] = {
            "task": self.task.take(rows),
            "judge": self.judge.take(rows),
            "item": self.item.take(rows),
            "occasion": self.occasion.take(rows),
            "count": self.count[rows],
            self.value_column: self._values(rows),
            **{n: c.take(rows) for n, c in self.labels.items()},
        }
        return self.build(raw, notes=self.notes)

    # -- making one -------------------------------------------------------------------------------------------------

    @classmethod
    def build(cls, raw: Raw, source: Source | None = None, notes: Sequence[str] = ()) -> Self:
        """From columns by name; every check is made here."""
        source = source or Source()
        where = source.name or "input"
        for name in ("judge", "item", cls.value_column):
            if name not in raw:
                raise InputError(
                    f"{where}: no column '{name}'.", suggest(name, raw, f"{cls.kind} need judge, item, {cls.value_column}; columns found")
                )
        size = len(raw["judge"])
        if not size:
            raise InputError(f"{where}: no rows.", "a panel needs at least one judgment.")
        task = ids(raw["task"], "task", source) if "task" in raw else _constant(ONE_TASK, size)
        judge = ids(raw["judge"], "judge", source)
        item = ids(raw["item"], "item", source)
        known = {"task", "judge", "item", "occasion", "count", cls.value_column}
        labels = {n: encode(_blank_to_none(v)) for n, v in raw.items() if n not in known}
        value = cls._read_values(raw[cls.value_column], source)
        more = list(notes)
        if "occasion" in raw:
            occasion = ids(raw["occasion"], "occasion", source)
        else:
            occasion = cls._occasions(task, judge, item, labels, source, more)
        again = repeated(keys(task, judge, occasion, item, *cls._apart(labels)))
        if len(again):
            raise cls._repeat_error(again, task, judge, item, source)
        count = _counted(raw, keys(task, judge, occasion), source)
        order = _sorting(keys(task, judge, occasion), cls._sort_value(value))
        return cls(
            *(Coded(c.ids, frozen(c.codes[order])) for c in (task, judge, item, occasion)),
            value=cls._finish(value, order, task, judge, occasion),
            count=frozen(count[order]),
            labels={n: Coded(c.ids, frozen(c.codes[order])) for n, c in labels.items()},
            notes=tuple(more),
        )

    @classmethod
    def from_frame(cls, frame: Any) -> Self:
        """From a pandas, polars or pyarrow table with the columns of this kind."""
        return cls.build(frame_columns(frame))

    # -- what differs between the kinds -------------------------------------------------------------------------------

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> Any:
        raise NotImplementedError  # pragma: no cover

    @classmethod
    def _sort_value(cls, value: Any) -> Array:
        return np.zeros(len(value), np.int8)

    @classmethod
    def _finish(cls, value: Any, order: Any, task: Coded, judge: Coded, occasion: Coded) -> Any:
        return frozen(value[order])

    @classmethod
    def _apart(cls, labels: Mapping[str, Coded]) -> list[Coded]:
        return []

    @classmethod
    def _occasions(
        cls, task: Coded, judge: Coded, item: Coded, labels: Mapping[str, Coded], source: Source, notes: list[str]
    ) -> Coded:
        return _constant(1, len(task))

    @classmethod
    def _repeat_error(cls, rows: Array, task: Coded, judge: Coded, item: Coded, source: Source) -> InputError:
        what = (
            f"judge {judge.ids[judge.codes[r]]!r} has item {item.ids[item.codes[r]]!r} again on task {task.ids[task.codes[r]]!r}"
            for r in rows.tolist()
        )
        return source.error(
            cls._repeat_fact, rows, what, "if the judge did the task again, say so in a column 'occasion' (1, 2, ...)."
        )

    _repeat_fact: ClassVar[str] = "an item is repeated"

    def _values(self, rows: NDArray[np.int64]) -> Any:
        return self.value[rows]

    # -- out --------------------------------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The panel as plain columns; what is the same everywhere and optional is left out."""
        out: dict[str, list[Any]] = {}
        if self.tasks != (ONE_TASK,):
            out["task"] = self.task.values()
        out["judge"] = self.judge.values()
        out["item"] = self.item.values()
        out[self.value_column] = self._plain_values()
        if self.occasion.ids != (1,):
            out["occasion"] = self.occasion.values()
        if (self.count != 1).any():
            out["count"] = self.count.tolist()
        return out | {n: c.values() for n, c in self.labels.items()}

    def _plain_values(self) -> list[Any]:
        return self.value.tolist()  # type: ignore[no-any-return]

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
        value = columns.pop(self.value_column)
        named = [columns.get(n, [None] * len(self)) for n in ("task", "judge", "item", "occasion", "count", *sorted(self.labels))]
        return dict(zip(zip(*named, strict=True), map(_comparable, value), strict=True))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {_counts(self)}>"

    def _repr_html_(self) -> str:
        shown = {n: v[:5] for n, v in self.columns().items()}
        head = "".join(f"<th>{escape(n)}</th>" for n in shown)
        body = "".join("<tr>" + "".join(f"<td>{escape(str(v))}</td>" for v in row) + "</tr>" for row in zip(*shown.values(), strict=True))
        more = f"<p>... {len(self) - 5:,} more rows</p>" if len(self) > 5 else ""
        return f"<p><b>{type(self).__name__}</b>: {escape(_counts(self))}</p><table><tr>{head}</tr>{body}</table>{more}"


class Orderings(Panel):
    """Judges put items in order. ``value`` is the dense position: 1 is best, equal positions are ties."""

    kind = "orderings"
    value_column = "position"
    _repeat_fact = "an item is repeated in one ordering"

    @classmethod
    def from_orders(cls, orders: Mapping[Any, Any] | Sequence[Order]) -> Orderings:
        """From orders, best first: a list of them, ``{judge: order}``, or ``{task: {judge: order}}``.

        An order is a list whose members are items or tie groups (lists, tuples, sets of items), or a text: ``"a > b = c"``,
        or without ``>`` and ``=`` each character an item.

        >>> Orderings.from_orders({"ann": ["x", ["y", "z"]], "bob": "z > x = y"})
        <Orderings: 2 judges, 3 items, 1 task, ties>
        """
        raw: dict[str, list[Any]] = {"task": [], "judge": [], "item": [], "position": []}
        for task, judge, order in _spread(orders):
            for position, group in enumerate(read_order(order), 1):
                for item in group:
                    raw["task"].append(task)
                    raw["judge"].append(judge)
                    raw["item"].append(item)
                    raw["position"].append(position)
        return cls.build({**raw, "position": np.array(raw["position"], float)})

    @classmethod
    def from_ranks(
        cls, ranks: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Orderings:
        """From a table of ranks with judges in rows and items in columns; 1 is best, 0 or NaN is absent.

        >>> Orderings.from_ranks([[1, 2, 3], [2, 1, 0]], items="abc").orders()
        {1: [['a'], ['b'], ['c']], 2: [['b'], ['a']]}
        """
        return cls._from_matrix(ranks, items, judges, lambda m: np.where(m == 0, np.nan, m))

    @classmethod
    def from_scores(
        cls, scores: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Orderings:
        """From a table of scores with judges in rows and items in columns; higher is better, equal is tied, NaN is absent.

        >>> Orderings.from_scores([[9, 5, 5]], items="abc").orders()
        {1: [['a'], ['b', 'c']]}
        """
        return cls._from_matrix(scores, items, judges, lambda m: np.nanmax(m, initial=0.0) - m + 1)

    @classmethod
    def _from_matrix(cls, table: Any, items: Any, judges: Any, to_ranks: Any) -> Orderings:
        matrix = np.asarray(table, float)
        if matrix.ndim != 2:
            raise InputError(f"a table of judges x items is needed, not {matrix.ndim} dimensions.")
        rows, columns = matrix.shape
        item_ids = list(items) if items is not None else list(range(1, columns + 1))
        judge_ids = list(judges) if judges is not None else list(range(1, rows + 1))
        if len(item_ids) != columns or len(judge_ids) != rows:
            raise InputError(
                f"the table is {rows} x {columns}, but {len(judge_ids)} judges and {len(item_ids)} items are named.",
                "judges are rows, items are columns.",
            )
        ranks = to_ranks(matrix)
        j, i = np.nonzero(~np.isnan(ranks))
        raw = {"judge": [judge_ids[k] for k in j], "item": [item_ids[k] for k in i], "position": ranks[j, i]}
        return cls.build(raw)

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> NDArray[np.float64]:
        position = numbers(values, "position", source)
        bad = np.flatnonzero(position <= 0)
        if len(bad):
            what = (f"position {position[r]:g}" for r in bad.tolist())
            raise source.error(
                "position is not above 0", bad, what, "the best item has position 1; leave out the row of an absent item."
            )
        return position

    @classmethod
    def _sort_value(cls, value: Any) -> Array:
        return np.asarray(value)

    @classmethod
    def _finish(cls, value: Any, order: Any, task: Coded, judge: Coded, occasion: Coded) -> Any:
        position = value[order]
        key = keys(task, judge, occasion)[order]
        new = np.ones(len(position), bool)
        new[1:] = key[1:] != key[:-1]
        step = new.copy()
        step[1:] |= position[1:] != position[:-1]
        level = np.cumsum(step)
        dense = level - np.repeat(level[new], np.diff(np.append(np.flatnonzero(new), len(new)))) + 1
        return narrow(dense, int(dense.max()) + 1)

    @property
    def tied(self) -> bool:
        """Whether any judge put two items in one place."""
        same = self.value[1:] == self.value[:-1]
        same[self.starts[1:-1] - 1] = False
        return bool(same.any())

    @property
    def votes(self) -> int:
        """Orderings with their multiplicities."""
        return int(self.count[self.starts[:-1]].sum())

    def orders(self, task: Hashable | None = None) -> dict[Hashable, list[list[Hashable]]]:
        """Each judge's order on a task as lists of tie groups; of repeats the first."""
        if task is None and len(self.tasks) > 1:
            raise UnknownId("which task?", suggest("", map(str, self.tasks), "Tasks"))
        code = 0 if task is None else int(_find(self.task, [task], "task")[0])
        out: dict[Hashable, list[list[Hashable]]] = {}
        for a, b in _spans(self.starts):
            name = self.judge.ids[self.judge.codes[a]]
            if self.task.codes[a] == code and name not in out:
                groups: list[list[Hashable]] = [[] for _ in range(int(self.value[b - 1]))]
                for row in range(a, b):
                    groups[int(self.value[row]) - 1].append(self.item.ids[self.item.codes[row]])
                out[name] = groups
        return out


class Groupings(Panel):
    """Judges put items in groups. ``value`` is a code of ``group_ids``; the id None marks left-out items."""

    kind = "groupings"
    value_column = "group"
    _repeat_fact = "an item is in two groups, or twice in one"

    @property
    def group_ids(self) -> tuple[Hashable, ...]:
        """Names of the groups; a name means nothing beyond its judge and task."""
        return self.value.ids  # type: ignore[attr-defined,no-any-return]

    @classmethod
    def from_groups(cls, groups: Mapping[Any, Any]) -> Groupings:
        """From ``{judge: {item: group}}`` or ``{task: {judge: {item: group}}}``; the group None means left out.

        >>> Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}})
        <Groupings: 1 judge, 3 items, 1 task, 1 left out>
        """
        first = next(iter(groups.values()), {})
        nested = isinstance(first, Mapping) and isinstance(next(iter(first.values()), None), Mapping)
        tasks = groups if nested else {ONE_TASK: groups}
        rows = [(t, j, i, g) for t, js in tasks.items() for j, its in js.items() for i, g in its.items()]
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return cls.build(dict(zip(("task", "judge", "item", "group"), columns, strict=True)))

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> Any:
        return encode(_blank_to_none(values))

    @classmethod
    def _finish(cls, value: Any, order: Any, task: Coded, judge: Coded, occasion: Coded) -> Any:
        return Coded(value.ids, frozen(value.codes[order]))

    def _values(self, rows: NDArray[np.int64]) -> Any:
        return self.value.take(rows)  # type: ignore[attr-defined]

    def _plain_values(self) -> list[Any]:
        return self.value.values()  # type: ignore[attr-defined,no-any-return]

    @property
    def left_out(self) -> NDArray[np.bool_]:
        """Which rows are left-out items."""
        return np.isin(self.value.codes, [c for c, i in enumerate(self.group_ids) if i is None])  # type: ignore[attr-defined]


class Scores(Panel):
    """Judges give items scores. ``value`` is the score; NaN is missing. Criteria are told apart by a label."""

    kind = "scores"
    value_column = "score"
    _repeat_fact = "an item is scored twice on one occasion"

    @classmethod
    def from_matrix(
        cls, scores: Any, *, items: Sequence[Hashable] | None = None, judges: Sequence[Hashable] | None = None
    ) -> Scores:
        """From a table of scores with judges in rows and items in columns; NaN is missing.

        >>> Scores.from_matrix([[1, 2], [3, float("nan")]])
        <Scores: 2 judges, 2 items, 1 task, 1 missing>
        """
        matrix = np.asarray(scores, float)
        rows, columns = matrix.shape
        judge = [j for j in (judges or range(1, rows + 1)) for _ in range(columns)]
        item = list(items or range(1, columns + 1)) * rows
        return cls.build({"judge": judge, "item": item, "score": matrix.ravel()})

    @classmethod
    def _read_values(cls, values: Any, source: Source) -> NDArray[np.float64]:
        return numbers(values, "score", source, blank_allowed=True)

    @classmethod
    def _apart(cls, labels: Mapping[str, Coded]) -> list[Coded]:
        return [labels[n] for n in ("criterion", "system", "year") if n in labels]

    @classmethod
    def _occasions(
        cls, task: Coded, judge: Coded, item: Coded, labels: Mapping[str, Coded], source: Source, notes: list[str]
    ) -> Coded:
        key = keys(task, judge, item, *cls._apart(labels))
        again = repeated(key)
        if not len(again):
            return _constant(1, len(task))
        order = np.argsort(key, kind="stable")
        first = np.ones(len(key), bool)
        first[1:] = key[order][1:] != key[order][:-1]
        run = np.arange(len(key)) - np.maximum.accumulate(np.where(first, np.arange(len(key)), 0))
        number = np.empty(len(key), np.int64)
        number[order] = run
        notes.append(f"{len(again)} repeated scores are kept apart as occasions 2 to {int(number.max()) + 1}")
        return Coded(tuple(range(1, int(number.max()) + 2)), narrow(number, int(number.max()) + 1))


PANELS: dict[str, type[Panel]] = {p.kind: p for p in (Orderings, Groupings, Scores)}


def infer_kind(columns: Iterable[str], source: str = "input") -> str:
    """The kind that a table's column names say it is."""
    names = list(columns)
    found = [k for k, p in PANELS.items() if p.value_column in names]
    if len(found) == 1:
        return found[0]
    hint = "orderings have a column 'position', groupings 'group', scores 'score'; columns found: " + ", ".join(map(str, names))
    if found:
        raise InputError(f"{source}: the columns fit more than one kind ({', '.join(found)}).", hint)
    raise InputError(f"{source}: the columns fit no kind.", hint)


def read_order(order: Order) -> list[list[Hashable]]:
    """An order as tie groups, best first.

    >>> read_order("a > b = c"), read_order("abc"), read_order(["a", {"b"}])
    ([['a'], ['b', 'c']], [['a'], ['b'], ['c']], [['a'], ['b']])
    """
    if isinstance(order, str):
        if ">" in order or "=" in order:
            return [[i.strip() for i in group.split("=")] for group in order.split(">")]
        return [[c] for c in order]
    return [_group(member) for member in order]


def _group(member: Any) -> list[Hashable]:
    if isinstance(member, set | frozenset):
        return sorted(member, key=str)
    return list(member) if isinstance(member, list | tuple) else [member]


def frame_columns(frame: Any) -> dict[str, Any]:
    """The columns of a data frame as arrays or lists."""
    import narwhals.stable.v2 as nw

    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"a {type(frame).__name__} is not a table.", "give a path, or a pandas, polars or pyarrow table."
        ) from None
    out: dict[str, Any] = {}
    for name in table.columns:
        column = table[name]
        if column.dtype.is_numeric() and not column.is_null().any():
            out[name] = column.to_numpy()
        else:
            out[name] = column.to_list()
    return out


def make_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A data frame of these columns, by the library named or the first one installed."""
    from importlib.util import find_spec

    import narwhals.stable.v2 as nw

    from quorate.errors import MissingExtra

    chosen = backend or next((b for b in ("polars", "pandas", "pyarrow") if find_spec(b)), None)
    if chosen is None or find_spec(chosen) is None:
        raise MissingExtra(chosen or "polars", "tables", "A data frame")
    return nw.from_dict(dict(columns), backend=chosen).to_native()  # type: ignore[arg-type]


def _spread(orders: Mapping[Any, Any] | Sequence[Order]) -> Iterator[tuple[Hashable, Hashable, Order]]:
    if not isinstance(orders, Mapping):
        if isinstance(orders, str):
            raise InputError("one text is not a panel.", "give a list of orders, or {judge: order}.")
        orders = dict(enumerate(orders, 1))
    for outer, inner in orders.items():
        if isinstance(inner, Mapping):
            for judge, order in inner.items():
                yield outer, judge, order
        else:
            yield ONE_TASK, outer, inner


def _constant(value: Hashable, size: int) -> Coded:
    return Coded((value,), frozen(np.zeros(size, np.uint8)))


def _blank_to_none(values: Any) -> Coded:
    coded = encode(values)
    if not any(is_blank(i) for i in coded.ids):
        return coded
    clean = encode([None if is_blank(i) else i for i in coded.ids])
    return Coded(clean.ids, narrow(clean.codes[coded.codes], len(clean.ids)))


def _counted(raw: Raw, judgment: NDArray[np.int64], source: Source) -> NDArray[np.int64]:
    if "count" not in raw:
        return np.ones(len(judgment), np.int64)
    count = numbers(raw["count"], "count", source)
    bad = np.flatnonzero((count < 1) | (count != np.floor(count)))
    if len(bad):
        raise source.error("count is not a whole number from 1", bad, (f"count {count[r]:g}" for r in bad.tolist()))
    _, first, inverse = np.unique(judgment, return_index=True, return_inverse=True)
    bad = np.flatnonzero(count != count[first][inverse.ravel()])
    if len(bad):
        what = (f"count {count[r]:g}, but {count[first][inverse.ravel()[r]]:g} before" for r in bad.tolist())
        raise source.error("count differs within one judgment", bad, what, "give the same count on each of its rows.")
    return count.astype(np.int64)


def _sorting(judgment: NDArray[np.int64], value: Array) -> Any:
    """The rows in order of judgment and value; rows that are so already are not copied."""
    step = np.diff(judgment)
    if (step >= 0).all() and (value[1:] >= value[:-1])[step == 0].all():
        return slice(None)
    return np.lexsort((value, judgment))


def _find(column: Coded, wanted: Iterable[Hashable], name: str) -> NDArray[np.int64]:
    code = {i: c for c, i in enumerate(column.ids)}
    listed = [wanted] if isinstance(wanted, str) else list(wanted)
    for w in listed:
        if w not in code:
            raise UnknownId(f"no {name} '{w}'.", suggest(str(w), map(str, column.ids), f"The panel's {name}s"))
    return np.array([code[w] for w in listed], np.int64)


def _spans(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    listed = starts.tolist()
    return zip(listed[:-1], listed[1:], strict=True)


def _counts(panel: Panel) -> str:
    def many(n: int, word: str) -> str:
        return f"{n:,} {word}{'' if n == 1 else 's'}"

    said = [many(len(panel.judges), "judge"), many(len(panel.items), "item"), many(len(panel.tasks), "task")]
    if isinstance(panel, Orderings):
        if panel.votes != len(panel.starts) - 1:
            said.append(many(panel.votes, "vote"))
        if panel.tied:
            said.append("ties")
    if isinstance(panel, Groupings) and panel.left_out.any():
        said.append(f"{int(panel.left_out.sum()):,} left out")
    if isinstance(panel, Scores) and np.isnan(panel.value).any():
        said.append(f"{int(np.isnan(panel.value).sum()):,} missing")
    if panel.repeats:
        said.append(many(panel.repeats, "repeat"))
    return ", ".join(said)


def _comparable(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value
