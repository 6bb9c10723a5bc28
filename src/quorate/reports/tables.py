"""The figures of an answer as tables: a row per overall figure, a table per kind of label."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.inference.results import Answer, Overall
from quorate.reports.picture import Picture, number

MOST = 2000  # rows of a table; the rest is in the data
PAGE = 20  # rows shown at a time
LABELS = {"group": "letters", "flag": "flag"}  # shown after the figures, and what they are called
CALLED = {"of": "quality method", "by": "drawn anew", "worst": "worst judges left out"}
NAMES = ("judge", "system", "criterion", "of", "by", "measure", "worst", "coefficient")


@dataclass(frozen=True)
class Grid:
    """A table: columns, rows, and what was left off."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    left: str = ""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers, and nothing else."""
        return tuple(all(_numeric(r[c]) for r in self.rows) for c in range(len(self.columns)))

    def short(self, most: int) -> Grid:
        """The first rows only, and how many there are."""
        if len(self.rows) <= most:
            return self
        left = self.left or f"The first {most} of {len(self.rows):,} rows."
        return Grid(self.title, self.columns, self.rows[:most], left)


def overall(answer: Answer) -> list[Grid]:
    """The overall figures, those about the same thing (judges, systems, all tasks) in one table."""
    groups: dict[tuple[str, ...], list[tuple[str, Overall]]] = {}
    for f in answer.findings:
        for o in f.overall:
            names = tuple(n for n in NAMES if n in o.labels)
            groups.setdefault(names, []).append((str(f.method), o))
    return [_grid(names, figures) for names, figures in groups.items()]


def _grid(names: tuple[str, ...], figures: Sequence[tuple[str, Overall]]) -> Grid:
    level = next((o.interval.level for _, o in figures if o.interval), 0.95)
    more = [n for n in LABELS if any(n in o.labels for _, o in figures)]
    random = any(o.chance for _, o in figures)
    columns = (
        "method",
        *(CALLED.get(n, n) for n in names),
        "value",
        f"{level:.0%} interval",
        *(("chance", "p") if random else ()),
        *(LABELS[n] for n in more),
    )
    rows = []
    for method, o in figures[:MOST]:
        between = _between(o.interval.low, o.interval.high) if o.interval else ""
        chance = (o.chance.value, _p(o.chance.p)) if o.chance else ("", "")
        labels = [o.labels.get(n) for n in names]
        rows.append((method, *labels, o.value, between, *(chance if random else ()), *map(_mark, _of(o, more))))
    about = ", ".join("what is drawn anew" if n == "by" else CALLED.get(n, n) for n in names)
    title = f"Figures by {about}" if names else "Overall figures"
    return Grid(title, columns, tuple(rows), _left(len(figures)))


def of_picture(picture: Picture) -> Grid:
    """What a picture shows, as a table."""
    rows: Sequence[Mapping[str, Any]] = picture.rows
    columns = tuple(n for n in dict.fromkeys(name for row in rows for name in row) if n not in picture.hidden)
    return Grid(picture.title, columns, tuple(tuple(r.get(c, "") for c in columns) for r in rows))


def shown(value: Any) -> str:
    """A cell as people read it."""
    if value is None:
        return "undefined"
    if isinstance(value, str | bool):
        return str(value)
    if isinstance(value, int | float):
        plain = number(value)
        if plain is None:
            return "undefined" if isinstance(value, float) else "too large"
        if isinstance(plain, int) or float(plain).is_integer():
            return f"{plain:,.0f}" if abs(plain) < 1e12 else f"{float(plain):.3e}"
        if abs(plain) < 0.0005:
            return "0.000"  # no -0.000, and no powers of ten
        return f"{plain:.3f}" if abs(plain) < 1000 else f"{plain:,.1f}"
    return str(value)


def _between(low: float, high: float) -> str:
    """Both ends of an interval with the same digits: '4.977 to 5.000', not '4.977 to 5'.

    >>> _between(-1, 0.5), _between(1, 5), _between(0.25, 1200.5)
    ('-1.000 to 0.500', '1 to 5', '0.250 to 1,200.5')
    """
    ends = [shown(low), shown(high)]
    if any(re.fullmatch(r"-?\d+\.\d{3}", end) for end in ends):
        ends = [f"{end}.000" if re.fullmatch(r"-?\d+", end) else end for end in ends]
    return " to ".join(ends)


def _p(value: float) -> Any:
    return "< 0.001" if 0 <= value < 0.0005 else value


def _numeric(value: Any) -> bool:
    return value in (None, "", "< 0.001") or (isinstance(value, int | float) and not isinstance(value, bool))


def _of(o: Overall, names: Sequence[str]) -> list[Any]:
    return [o.labels.get(n) for n in names]


def _mark(value: Any) -> str:
    return {True: "flagged", False: "", None: ""}.get(value, str(value)) if not isinstance(value, str) else value


def _left(number: int) -> str:
    return f"The first {MOST} of {number:,} rows; all are in the data below." if number > MOST else ""
