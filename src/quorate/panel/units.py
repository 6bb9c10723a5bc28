"""A panel of scores as arrays: units, the judges' values on them, and each judge's repeats kept apart.

A *unit* is what judges score independently of one another: an item of a task (with its system and year, where there
are such labels) on one criterion. Criteria are never poured together: :func:`by_criterion` gives each its own
:class:`Units`. Missing scores are gone here; of a judge's repeats on a unit the first is a row of ``Units``, and all of
them are in :func:`repeats`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.kernels import reliability as kernel
from quorate.kernels.defined import quotient
from quorate.panel.base import remembered
from quorate.panel.columns import Coded, by_table, keys
from quorate.panel.kinds import Scores

Array = NDArray[Any]
HUMAN, MODEL = ("human", "person", "people", "expert"), ("llm", "model", "machine", "ai")  # kinds of judges
APART = ("system", "year")  # labels that tell units apart, besides task and item
SCALE = 20  # distinct values up to which scores that come again are taken as a rating scale
UNNAMED = "(unnamed)"  # of rows whose cell is empty where others name one


@dataclass(frozen=True, eq=False)
class Units:
    """Values of one criterion, a row each, sorted by unit and then by judge; units and judges are numbered from 0."""

    unit: Array  # [row]
    judge: Array  # [row] code into ``judges``
    value: Array  # [row] never NaN
    size: int  # how many units there are
    judges: tuple[Hashable, ...]
    task: Array  # [unit] code into ``tasks``
    item: Array  # [unit] code into ``items``
    tasks: tuple[Hashable, ...] = ("all",)
    items: tuple[Hashable, ...] = ()
    criterion: Hashable | None = None
    count: Array | None = None  # [row] how many judges gave this value, where judges were counted
    row: Array | None = None  # [row] in the panel, for its labels
    panel: Scores | None = None
    even: bool = False  # whether judges' levels and spreads were taken out

    def label(self, name: str) -> Coded:
        """A label of the panel, of every row."""
        coded, rows = cast(Scores, self.panel).labels[name], cast(Array, self.row)
        return Coded(coded.ids, coded.codes[rows])

    def __len__(self) -> int:
        """Number of values."""
        return len(self.value)

    @property
    def per_unit(self) -> Array:
        """How many values each unit has; one that stands for several judges is one."""
        return np.bincount(self.unit, minlength=self.size)

    @property
    def mass(self) -> Array:
        """How many judges gave each value."""
        return np.ones(len(self)) if self.count is None else self.count

    @property
    def held(self) -> Array:
        """How many judges scored each unit, all those behind its values."""
        return np.bincount(self.unit, self.count, self.size).astype(float)

    @property
    def behind(self) -> Array:
        """How many judges each name stands for, ``[judge]``; on the unit where that is most."""
        most = np.zeros(len(self.judges), np.int64)
        np.maximum.at(most, self.judge, self.mass.astype(np.int64))
        return most

    @property
    def spread(self) -> float:
        """The standard deviation of all values: what is tiny beside it is rounding; 1 where they do not vary."""
        return float(self.value.std() if len(self) else 0.0) or 1.0

    @cached_property
    def scale(self) -> Array:
        """The distinct values, in order."""
        return np.unique(self.value)

    @property
    def rated(self) -> bool:
        """Whether values are of a rating scale, which has ends: few of them, that come again."""
        return len(self.scale) <= min(SCALE, len(self) // 2)

    def on_scale(self, values: Array) -> Array:
        """The nearest of the values that are given, of each."""
        return np.asarray(self.scale[np.searchsorted((self.scale[1:] + self.scale[:-1]) / 2, values)])

    def sums(self) -> kernel.Sums:
        """Count, sum and sum of squares of each unit's values, about the mean of all of them."""
        return kernel.sums(self.unit, self.value, self.size, self.count)

    def means(self) -> Array:
        """Mean value of each unit."""
        n = self.per_unit
        total = np.bincount(self.unit, self.value, self.size)
        return quotient(total, n)

    def matrix(self) -> Array:
        """The values as ``[unit, judge]``, NaN where there is none."""
        out = np.full((self.size, len(self.judges)), math.nan)
        out[self.unit, self.judge] = self.value
        return out

    def times(self) -> Array | None:
        """When each score was given, as numbers or seconds of ISO dates (NaN: not told); None without a column."""
        if self.panel is None or "time" not in self.panel.labels:
            return None
        coded = self.label("time")
        return np.array([_moment(t) for t in coded.ids])[coded.codes]

    def by_judge(self) -> list[Array]:
        """The rows of each judge, in order."""
        return rows_of(self.judge, len(self.judges))

    def some(self, wanted: Array) -> Units:
        """The units whose numbers are in the ascending array ``wanted``, renumbered."""
        place = np.full(self.size, -1)
        place[wanted] = np.arange(len(wanted))
        keep = np.flatnonzero(place[self.unit] >= 0)
        return self.taken(keep, unit=place[self.unit[keep]], size=len(wanted), wanted=wanted)

    def of_judges(self, wanted: Sequence[int] | Array) -> Units:
        """The rows of the judges with these codes; units keep their numbers."""
        return self.taken(np.flatnonzero(np.isin(self.judge, np.asarray(wanted))))

    def kept(self, keep: Array) -> Units:
        """The rows for which ``keep`` is true; units keep their numbers."""
        return self.taken(np.flatnonzero(keep))

    def sorted(self, judge: Array) -> Units:
        """The rows with these judges instead, sorted by unit and judge."""
        order = np.lexsort((judge, self.unit))
        return replace(self.taken(order), judge=judge[order])

    def taken(self, keep: Array, wanted: Array | None = None, **more: Any) -> Units:
        """The rows of these numbers."""
        part = {n: None if (a := getattr(self, n)) is None else a[keep] for n in ("unit", "count", "row")}
        about = {} if wanted is None else {"task": self.task[wanted], "item": self.item[wanted]}
        return replace(self, judge=self.judge[keep], value=self.value[keep], **{**part, **about, **more})

    def by_task(self) -> Iterator[tuple[int, Units]]:
        """The code of every task that has units, with these; units are sorted by task, so each is a slice."""
        codes, first = np.unique(self.task, return_index=True)
        ends = np.append(first, self.size)
        rows = np.searchsorted(self.unit, ends)
        for k, code in enumerate(codes.tolist()):
            some, mine = slice(rows[k], rows[k + 1]), slice(ends[k], ends[k + 1])
            yield (
                code,
                replace(
                    self,
                    unit=self.unit[some] - ends[k],
                    judge=self.judge[some],
                    value=self.value[some],
                    size=int(ends[k + 1] - ends[k]),
                    task=self.task[mine],
                    item=self.item[mine],
                    count=None if self.count is None else self.count[some],
                    row=None if self.row is None else self.row[some],
                ),
            )


def _moment(value: Any) -> float:
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        pass
    try:
        date = datetime.fromisoformat(str(value))
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        raise InputError(f"time {value!r} is neither a number nor an ISO date.", "2024-05-31T14:00 is one.") from None


def rows_of(code: Array, size: int) -> list[Array]:
    """The rows of each code from 0 on, in order: one sort, however many there are.

    >>> [rows.tolist() for rows in rows_of(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    order = np.argsort(code, kind="stable")
    return np.split(order, np.cumsum(np.bincount(code, minlength=size))[:-1])


def by_criterion(panel: Scores) -> list[Units]:
    """The panel's units, criterion by criterion in order of appearance; without criteria there is one. Made once.

    >>> first, = by_criterion(Scores.from_matrix([[1, 2, 3], [1, float("nan"), 3]]))
    >>> first.per_unit.tolist(), first.value.tolist()
    ([2, 1, 2], [1.0, 1.0, 2.0, 3.0, 3.0])
    """
    return list(
        remembered(panel, "_units", lambda panel: [_units(panel, rows, name) for name, rows in criteria(panel)])
    )


def criteria(panel: Scores) -> list[tuple[Hashable | None, Array]]:
    """Every criterion with the panel's rows of it that have a score; without a criterion column the one is None.

    Where some rows only have an empty cell there, they are a criterion too, and need a word beside the others' names.
    """
    there = np.flatnonzero(~np.isnan(panel.value))
    if "criterion" not in panel.labels:
        return [(None, there)]
    coded = panel.labels["criterion"]
    codes = coded.codes[there]
    named = [UNNAMED if name is None and len(coded.ids) > 1 else name for name in coded.ids]
    return [(name, there[codes == c]) for c, name in enumerate(named)]


def unit_keys(panel: Scores) -> Array:
    """One integer per row of the panel: equal for rows about the same item of the same task, system and year."""
    return keys(panel.task, panel.item, *(panel.labels[n] for n in APART if n in panel.labels))


def _units(panel: Scores, rows: Array, criterion: Hashable | None) -> Units:
    rows, key = first_of_repeats(panel, rows)
    new = np.diff(key, prepend=-1) > 0  # they ascend
    begin = rows[new]
    task, item = panel.task.codes[begin].astype(np.int64), panel.item.codes[begin].astype(np.int64)
    count = panel.count[rows]
    return Units(
        np.cumsum(new) - 1,
        panel.judge.codes[rows].astype(np.int64),
        panel.value[rows],
        len(begin),
        panel.judges,
        task,
        item,
        panel.tasks,
        panel.items,
        criterion,
        count.astype(np.float64) if (count != 1).any() else None,
        rows,
        panel,
    )


def first_of_repeats(panel: Scores, rows: Array) -> tuple[Array, Array]:
    """Of these rows, the first occasion of each judge on each unit, sorted by unit and judge; and their unit keys."""
    order, key, new = _sorted(panel, rows)
    return (order, key) if new.all() else (order[new], key[new])


def repeats(panel: Scores, rows: Array) -> list[tuple[int, Array, Array]]:
    """Judges who scored a unit more than once: judge code, unit numbers and rows of the panel, of such units only."""
    if len(panel.occasion.ids) < 2:
        return []
    order, _, new = _sorted(panel, rows)
    group = np.cumsum(new) - 1
    again = np.bincount(group)[group] > 1 if len(group) else np.zeros(0, bool)
    order, group = order[again], group[again]
    judge = panel.judge.codes[order]
    out = []
    for code in np.unique(judge).tolist():
        mine = np.flatnonzero(judge == code)
        out.append((int(code), np.unique(group[mine], return_inverse=True)[1].ravel(), order[mine]))
    return out


def _sorted(panel: Scores, rows: Array) -> tuple[Array, Array, Array]:
    """Rows by unit, judge and occasion, their unit keys, and which of them begin another unit or judge."""
    key, judge, every = unit_keys(panel), panel.judge.codes, len(rows) == len(panel)
    key, judge = (key, judge) if every else (key[rows], judge[rows])
    order = by_table(key, judge)  # which does where nobody scored a unit twice
    order = np.lexsort((occasion_order(panel.occasion)[rows], judge, key)) if order is None else order
    key, judge = key[order], judge[order]
    new = np.ones(len(key), bool)
    new[1:] = (key[1:] != key[:-1]) | (judge[1:] != judge[:-1])
    return order if every else rows[order], key, new


def occasion_order(occasion: Coded) -> Array:
    """The place of each row's occasion: by number where all are numbers, else in order of appearance."""
    try:
        place = np.argsort(np.argsort([float(i) for i in occasion.ids], kind="stable"))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        place = np.arange(len(occasion.ids))
    return np.asarray(place[occasion.codes])


def kinds(panel: Scores | None) -> tuple[Array, Array]:
    """Codes of the human judges and of the models, by the label ``judge_kind``."""
    if panel is None or "judge_kind" not in panel.labels:
        raise InputError(
            "no column 'judge_kind': who is human, who is a model?",
            "--models A,B names the models; or add a column judge_kind with human or llm.",
        )
    label = panel.labels["judge_kind"]
    out: list[set[int]] = [set(), set()]
    pairs = np.unique(panel.judge.codes.astype(np.int64) * len(label.ids) + label.codes)
    for pair in pairs.tolist():
        judge, word = divmod(pair, len(label.ids))
        said = str(label.ids[word]).strip().lower()
        if said not in HUMAN + MODEL:
            raise InputError(f"judge_kind '{label.ids[word]}' is not known.", "write human or llm.")
        out[said in MODEL].add(judge)
    if out[0] & out[1]:
        name = panel.judges[min(out[0] & out[1])]
        raise InputError(f"judge {name!r} is both human and a model.", "one judge_kind for each judge.")
    if not out[0] or not out[1]:
        missing = "human judge" if not out[0] else "model"
        raise InputError(f"judge_kind: there is no {missing}.", "human and llm judges are compared.")
    return np.array(sorted(out[0])), np.array(sorted(out[1]))


def both_kinds(panel: Scores | None) -> bool:
    """Whether a panel tells people and models apart and has both."""
    if panel is None or "judge_kind" not in panel.labels:
        return False
    label = panel.labels["judge_kind"]
    said = {str(label.ids[c]).strip().lower() for c in np.unique(label.codes).tolist()}
    return bool(said & {*HUMAN}) and bool(said & {*MODEL})


def redrawn(units: Units, judges: Array) -> Units:
    """The units as these judges saw them; a judge drawn twice counts as two."""
    order = np.argsort(units.judge, kind="stable")
    begin = np.searchsorted(units.judge[order], np.arange(len(units.judges) + 1))
    size = np.diff(begin)[judges]
    who = np.repeat(np.arange(len(judges)), size)
    within = np.arange(len(who)) - np.repeat(np.cumsum(size) - size, size)
    row = order[np.repeat(begin[judges], size) + within]
    sort = np.lexsort((who, units.unit[row]))
    row = row[sort]
    return replace(
        units,
        unit=units.unit[row],
        judge=who[sort],
        value=units.value[row],
        judges=tuple(judges.tolist()),
        count=None if units.count is None else units.count[row],
        row=None if units.row is None else units.row[row],
    )


def together(copies: Sequence[Units]) -> Units:
    """Copies of one panel's units as one panel: units and judges of each copy follow those of the one before.

    The copy stands in the place of the task.
    """
    first, number = copies[0], len(copies)
    judges = len(first.judges)
    several = number > 1  # one alone is not copied
    return replace(
        first,
        unit=np.concatenate([copy.unit + k * first.size for k, copy in enumerate(copies)]) if several else first.unit,
        judge=np.concatenate([copy.judge + k * judges for k, copy in enumerate(copies)]) if several else first.judge,
        value=np.concatenate([copy.value for copy in copies]) if several else first.value,
        size=number * first.size,
        judges=tuple(range(number * judges)),
        task=np.repeat(np.arange(number), first.size),
        item=np.tile(first.item, number),
        count=None if first.count is None else np.concatenate([copy.mass for copy in copies]),
        row=None,
        panel=None,
    )


def from_table(table: Any) -> Units:
    """Units from a table of judges x items (a list of judges, each a list of values; None or NaN is missing).

    Values may be any labels; labels that are not numbers are numbered in sorted order.

    >>> from_table([["no", "yes"], ["yes", None]]).value.tolist()
    [0.0, 1.0, 1.0]
    """
    if isinstance(table, Units):
        return table
    matrix = _matrix(table)
    judges, size = matrix.shape
    flat = np.ascontiguousarray(matrix.T).ravel()
    there = np.flatnonzero(~np.isnan(flat))
    unit = there // max(judges, 1)
    nowhere = np.zeros(size, np.int64)
    return Units(unit, there - unit * judges, flat[there], size, tuple(range(judges)), nowhere, np.arange(size))


def _matrix(table: Any) -> NDArray[np.float64]:
    try:
        matrix = np.asarray(table, np.float64)
    except (TypeError, ValueError):
        matrix = _coded(table)
    if matrix.ndim != 2:
        raise InputError(
            f"a table of judges x items is needed, not {matrix.ndim} dimensions.", "one row of values a judge."
        )
    if np.isinf(matrix).any():
        raise InputError("a score is infinite.", "scores are finite numbers; None or NaN is missing.")
    return matrix


def _coded(table: Any) -> NDArray[np.float64]:
    rows = [list(row) for row in table]
    if len({len(row) for row in rows}) != 1:
        raise InputError("the judges have different numbers of items.", "None marks a missing value.")
    missing = {v for row in rows for v in row if v is None or v != v}
    known = {v for row in rows for v in row if not (v is None or v != v)}
    numeric = all(isinstance(v, int | float) for v in known)
    code: dict[Any, float] = {v: float(v) if numeric else float(k) for k, v in enumerate(sorted(known, key=str))}
    code |= dict.fromkeys(missing, math.nan)
    return np.array([[math.nan if v is None or v != v else code[v] for v in row] for row in rows])
