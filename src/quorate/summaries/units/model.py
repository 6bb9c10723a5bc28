"""The one model of content units: *unit* x *item* x *judge* -> support in [0, 1], with where the item says it.

Pyramid units, atomic units, nuggets and rubric lines are all rows of this table; scores are sums over it. A row is one
mention: a judge who found a unit twice in an item has two rows, one who looked and did not find it has one row of
support 0. What an item says that is no unit has the unit id ``0`` and weighs nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.panel.base import ONE_TASK, constant, many
from quorate.panel.columns import Coded, Raw, Source, encode, frozen, ids, is_blank
from quorate.panel.frames import make_frame

Array = NDArray[Any]
OUTSIDE = "0"  # the unit id of what fits no unit
SUPPORT = {"full": 1.0, "partial": 0.5, "none": 0.0, "yes": 1.0, "no": 0.0, "present": 1.0, "absent": 0.0} | {
    "support": 1.0,  # and as language models are asked to answer
    "partial_support": 0.5,
    "not_support": 0.0,
    **dict.fromkeys(("not_entailment", "neutral", "contradiction"), 0.0),
    "entailment": 1.0,
}
WEIGHT = {"vital": 1.0, "okay": 0.5}
ONE_JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of an item: its words, and where; -1 where it is not known."""

    text: str
    start: int = -1
    end: int = -1
    label: str | None = field(default=None, compare=False)  # the words as a file has them, where they differ

    @property
    def noted(self) -> str:
        """The words as they were noted down."""
        return self.text if self.label is None else self.label


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that an item of a task may say."""

    task: Hashable
    id: Hashable
    text: str = ""
    weight: float = 1.0
    models: tuple[str, ...] = ()  # whose models say it, once for each time they do
    said: tuple[tuple[Span, ...], ...] = field(default=(), compare=False)  # how they say it, where that is known


@dataclass(frozen=True, slots=True)
class Item:
    """What is looked through for units."""

    task: Hashable
    id: Hashable
    text: str | None = None


class ModelsText(NamedTuple):
    """The texts of a task's models in one, and the regular expression that finds where each begins."""

    text: str
    header: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class ContentUnits:
    """Rows of unit, item, judge and support, each with the spans of one mention. Immutable."""

    units: tuple[Unit, ...]
    items: tuple[Item, ...]
    judges: tuple[Hashable, ...]
    unit: Array  # [row] place in ``units``
    item: Array  # [row] place in ``items``
    judge: Array  # [row] place in ``judges``
    support: Array  # [row]
    spans: tuple[tuple[Span, ...], ...]  # [row]; several where one mention is interrupted
    models: Mapping[Hashable, tuple[str, ...]] = field(default_factory=dict)  # of each task, where models are known
    notes: tuple[str, ...] = ()
    models_texts: Mapping[Hashable, ModelsText] = field(default_factory=dict)  # of each task, where they are known

    @property
    def tasks(self) -> tuple[Hashable, ...]:
        """Ids of the tasks, in order of first appearance."""
        return tuple(dict.fromkeys([u.task for u in self.units] + [i.task for i in self.items]))

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.support)

    def __repr__(self) -> str:
        said = [many(len(self.units), "unit"), many(len(self.items), "item"), many(len(self.judges), "judge")]
        return f"<ContentUnits: {', '.join(said)}, {many(len(self.tasks), 'task')}, {many(len(self), 'row')}>"

    @property
    def weight(self) -> Array:
        """Weight of each unit."""
        return np.array([u.weight for u in self.units], float)

    @property
    def outside(self) -> Array:
        """Which units stand for what is no unit."""
        return np.array([u.id == OUTSIDE for u in self.units], bool)

    @property
    def judged(self) -> tuple[Array, Array]:
        """Every item that a judge looked through: item and judge, sorted."""
        pairs = np.unique(self.item * max(len(self.judges), 1) + self.judge)
        return pairs // max(len(self.judges), 1), pairs % max(len(self.judges), 1)

    def cells(self) -> tuple[Array, Array, Array, Array, Array]:
        """Mentions put together: unit, item, judge, greatest support and number of mentions, a row for each."""
        judges, items = max(len(self.judges), 1), max(len(self.items), 1)
        key = (self.unit * items + self.item) * judges + self.judge
        known, place = np.unique(key, return_inverse=True)
        support = np.zeros(len(known))
        np.maximum.at(support, place, self.support)
        mentions = np.bincount(place, self.support > 0, len(known)).astype(np.int64)
        return known // judges // items, known // judges % items, known % judges, support, mentions

    # -- in ---------------------------------------------------------------------------------------------------------

    @classmethod
    def nothing(cls, units: Sequence[Unit], models: Mapping[Hashable, tuple[str, ...]]) -> ContentUnits:
        """Units that nobody has looked for yet."""
        none = np.zeros(0, np.int64)
        known = {t: m for t, m in models.items() if m}
        return cls(tuple(units), (), (), none, none, none, np.zeros(0), (), known)

    def about(self, *, texts: Mapping[Hashable, ModelsText], notes: Sequence[str] = ()) -> ContentUnits:
        """The same with the models' texts, and more notes."""
        return replace(self, models_texts=dict(texts), notes=(*self.notes, *notes))

    @classmethod
    def build(cls, raw: Raw, source: Source | None = None, *, texts: Mapping[Any, str] | None = None) -> ContentUnits:
        """From columns ``unit, item, support`` and, where there are such, ``judge, task, weight, text, models,
        evidence, start, end, mention, model``; ``texts`` are the items' texts by ``(task, item)`` or item.

        Support is a number from 0 to 1 or a word (full, partial, none, yes, no); weight a number, vital or okay, and
        where there is no such column the number of models. Rows with the same ``mention`` are parts of one; without
        that column each row is a mention of its own. A row with a ``model`` in place of an item is where a model says
        the unit.

        >>> ContentUnits.build({"unit": ["a", "b"], "item": ["x", "x"], "support": ["full", "none"]})
        <ContentUnits: 2 units, 1 item, 1 judge, 1 task, 2 rows>
        """
        source = source or Source()
        if "model" in raw:
            return with_contributors(raw, source, texts)
        for name in ("unit", "item", "support"):
            if name not in raw:
                found = ", ".join(map(str, raw))
                raise InputError(f"{source.name or 'input'}: no column '{name}'.", f"columns found: {found}.")
        size = len(raw["unit"])
        if not size:
            raise InputError(f"{source.name or 'input'}: no rows.", "a table of units has at least one.")
        column = {n: ids(raw[n], n, source) for n in ("unit", "item")}
        column["task"] = ids(raw["task"], "task", source) if "task" in raw else constant(ONE_TASK, size)
        column["judge"] = ids(raw["judge"], "judge", source) if "judge" in raw else constant(ONE_JUDGE, size)
        support = _numbers(raw["support"], "support", SUPPORT, source)
        _refuse_outside(support, source)
        units, unit = _units(raw, column, source)
        items, item = _items(column, texts or {})
        rows = _mentions(raw, unit, item, column["judge"])
        _refuse_mixed(rows, support, source)
        first = np.array([r[0] for r in rows], np.int64)
        spans = tuple(tuple(_spans(raw, r, source)) for r in rows)
        models = _task_models(units)
        judge = column["judge"].codes[first].astype(np.int64)
        judges = tuple(column["judge"].ids)
        table = cls(units, items, judges, unit[first], item[first], judge, frozen(support[first]), spans, models)
        return replace(table, notes=tuple(_both_ways(table)))

    def decided(self, threshold: float) -> ContentUnits:
        """Support as yes or no: 1 from ``threshold`` on, else 0.

        Where support is the probability that a model gives, these are its labels (Lite3Pyramid).

        >>> ContentUnits.build({"unit": "abc", "item": "xxx", "support": [0.2, 0.5, 0.9]}).decided(0.5).support.tolist()
        [0.0, 1.0, 1.0]
        """
        if not 0 < threshold <= 1:
            raise BadParameter(f"threshold={threshold} is out of range.", "a number above 0, at most 1.")
        return replace(self, support=frozen((self.support >= threshold).astype(float)))

    def with_rows(self, rows: Sequence[tuple[int, int, int, float]], spans: Sequence[tuple[Span, ...]]) -> ContentUnits:
        """Other rows (places of unit, item and judge, and support) about the same units, items and judges."""
        table = np.array(rows, float).reshape(-1, 4)
        unit, item, judge = (frozen(table[:, k].astype(np.int64)) for k in range(3))
        support = frozen(table[:, 3])
        return replace(self, unit=unit, item=item, judge=judge, support=support, spans=tuple(spans))

    # -- out --------------------------------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The table as plain columns, a row for each span; ``build`` reads them back."""
        out: dict[str, list[Any]] = {n: [] for n in COLUMNS}
        number: dict[tuple[int, int, int], int] = {}
        for u, i, j, s, spans in self.rows():
            number[u, i, j] = number.get((u, i, j), 0) + 1
            unit, item = self.units[u], self.items[i]
            for span in spans or (None,):
                place = (span.text, span.start, span.end) if span else (None, None, None)
                head = (unit.task, unit.id, item.id, self.judges[j], s, unit.weight, unit.text)
                for name, value in zip(COLUMNS, (*head, " ".join(unit.models), *place, number[u, i, j]), strict=True):
                    out[name].append(value if value != -1 else None)
        return out

    def rows(self) -> Iterator[tuple[int, int, int, float, tuple[Span, ...]]]:
        """Row by row: places of unit, item and judge, support, and the spans."""
        plain = (self.unit.tolist(), self.item.tolist(), self.judge.tolist(), self.support.tolist())
        return zip(*plain, self.spans, strict=True)

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame: 'polars', 'pandas' or 'pyarrow'; by default the first one installed."""
        return make_frame(self.columns(), backend)


COLUMNS = (
    *("task", "unit", "item", "judge", "support", "weight", "text", "models"),
    *("evidence", "start", "end", "mention"),
)


def _numbers(values: Any, name: str, words: Mapping[str, float], source: Source) -> Array:
    """A column of numbers in which some words stand for numbers."""
    coded = encode(values)
    known = np.array([_number(v, words) for v in coded.ids], float)
    bad = np.flatnonzero(np.isnan(known[coded.codes]))
    if len(bad):
        what = (f"{name} {coded[r]!r}" for r in bad.tolist())
        raise source.error(f"{name} is not a number", bad, what, f"numbers, or {', '.join(words)}.")
    return known[coded.codes]


def _number(value: object, words: Mapping[str, float]) -> float:
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")
    return found if np.isfinite(found) else float("nan")


def _refuse_outside(support: Array, source: Source) -> None:
    bad = np.flatnonzero((support < 0) | (support > 1))
    if len(bad):
        what = (f"support {support[r]:g}" for r in bad.tolist())
        raise source.error("support is not between 0 and 1", bad, what, "0 is not there, 1 is fully there.")


def _units(raw: Raw, column: Mapping[str, Coded], source: Source) -> tuple[tuple[Unit, ...], Array]:
    task, unit = column["task"], column["unit"]
    key = task.codes.astype(np.int64) * len(unit.ids) + unit.codes
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    number = place[inverse.ravel()]
    first = first[order]
    weight = _numbers(raw["weight"], "weight", WEIGHT, source) if "weight" in raw else None
    bad = np.flatnonzero([] if weight is None else weight != weight[first][number])
    if weight is not None and len(bad):
        what = (f"unit {unit[r]!r} of task {task[r]!r} weighs {weight[r]:g} here" for r in bad.tolist())
        raise source.error("a unit has two weights", bad, what, "a unit weighs the same in every row.")
    made = []
    for r in first.tolist():
        name = OUTSIDE if str(unit[r]) == OUTSIDE else unit[r]
        models = tuple(str(_cell(raw, "models", r) or "").split())
        told = float(len(models) or 1) if weight is None else float(weight[r])
        weighs = 0.0 if name == OUTSIDE else told
        made.append(Unit(task[r], name, str(_cell(raw, "text", r) or ""), weighs, models))
    return tuple(made), number


def _items(column: Mapping[str, Coded], texts: Mapping[Any, str]) -> tuple[tuple[Item, ...], Array]:
    task, item = column["task"], column["item"]
    known: dict[tuple[int, int], int] = {}
    pairs = zip(task.codes.tolist(), item.codes.tolist(), strict=True)
    number = np.array([known.setdefault(p, len(known)) for p in pairs], np.int64)
    made = []
    for t, i in known:
        named = task.ids[t], item.ids[i]
        made.append(Item(*named, texts.get(named, texts.get(named[1]))))
    return tuple(made), number


def _mentions(raw: Raw, unit: Array, item: Array, judge: Coded) -> list[list[int]]:
    """Rows that are parts of one mention."""
    if "mention" not in raw:
        return [[r] for r in range(len(unit))]
    out: dict[tuple[Any, ...], list[int]] = {}
    cells = zip(unit.tolist(), item.tolist(), judge.codes.tolist(), encode(raw["mention"]).values(), strict=True)
    for row, key in enumerate(cells):
        out.setdefault(key, []).append(row)
    return list(out.values())


def _refuse_mixed(mentions: Sequence[Sequence[int]], support: Array, source: Source) -> None:
    bad = [r for rows in mentions for r in rows[1:] if support[r] != support[rows[0]]]
    if bad:
        what = (f"support {support[r]:g}" for r in bad)
        raise source.error("one mention has two supports", np.array(bad), what, "other mentions have other numbers.")


def _both_ways(table: ContentUnits) -> Iterator[str]:
    """What is said of units that a judge found in an item and did not find in it."""
    key = (table.unit * len(table.items) + table.item) * len(table.judges) + table.judge
    found = table.support > 0
    both = len(np.intersect1d(key[found], key[~found]))
    if both:
        yield f"one judge both found and did not find {many(both, 'unit')} of an item, which counts as found"


def _spans(raw: Raw, rows: Sequence[int], source: Source) -> Iterator[Span]:
    for r in rows:
        text, start, end = (_cell(raw, n, r) for n in ("evidence", "start", "end"))
        if text is not None or start is not None:
            begin, stop = (_whole(v, n, r, source) for v, n in ((start, "start"), (end, "end")))
            yield Span(str(text or ""), begin, stop)


def _whole(value: Any, name: str, row: int, source: Source) -> int:
    """A place in a text; -1 where none is given."""
    if value is None:
        return -1
    try:
        return int(value) if str(value).strip().lstrip("-").isdecimal() else _exactly(float(value))
    except (TypeError, ValueError, OverflowError):
        hint = "start and end count characters of the item's text."
        raise source.error("not a place in a text", np.array([row]), [f"{name} {value!r}"], hint) from None


def _exactly(value: float) -> int:
    """A whole number that came as 3.0; anything else is a ValueError."""
    if value != int(value):
        raise ValueError(value)
    return int(value)


def _cell(raw: Raw, name: str, row: int) -> Any:
    if name not in raw:
        return None
    value = raw[name][row]
    return None if is_blank(value) else value


def with_contributors(raw: Raw, source: Source, texts: Mapping[Any, str] | None) -> ContentUnits:
    """A table some of whose rows are contributors of the pyramids: they become what models say of the units."""
    there = np.array([not is_blank(v) for v in raw["model"]], bool)

    def part(rows: Array) -> dict[str, Any]:
        return {n: [raw[n][r] for r in rows.tolist()] for n in raw if n != "model"}

    items, models = np.flatnonzero(~there), np.flatnonzero(there)
    lines = source.lines
    made = ContentUnits.nothing((), {})
    if len(items):
        made = ContentUnits.build(
            part(items), Source(source.name, None if lines is None else lines[items]), texts=texts
        )
    if not len(models):
        return made
    theirs = part(models) | {"item": [str(raw["model"][r]) for r in models.tolist()], "judge": ["-"] * len(models)}
    theirs["support"] = [1] * len(models)
    pyramid = ContentUnits.build(theirs, Source(source.name, None if lines is None else lines[models]))
    said: dict[tuple[Hashable, Hashable], list[tuple[str, tuple[Span, ...]]]] = {}
    for place, i, _, _, how in pyramid.rows():
        unit = pyramid.units[place]
        said.setdefault((unit.task, unit.id), []).append((str(pyramid.items[i].id), how))
    units = list(made.units)
    known = {(u.task, u.id) for u in units}
    units += [u for u in pyramid.units if (u.task, u.id) not in known]
    for k, u in enumerate(units):
        if (u.task, u.id) in said:
            names, spans = zip(*said[u.task, u.id], strict=True)
            weight = u.weight if "weight" in raw or u.id == OUTSIDE else float(len(names))
            units[k] = replace(u, models=tuple(names), said=tuple(spans), weight=weight)
    return replace(made, units=tuple(units), models=_task_models(units))


def _task_models(units: Sequence[Unit]) -> dict[Hashable, tuple[str, ...]]:
    out: dict[Hashable, dict[str, None]] = {}
    for u in units:
        if u.models:
            out.setdefault(u.task, {}).update(dict.fromkeys(u.models))
    return {task: tuple(names) for task, names in out.items()}
