"""A method of agreement over two of its parameters, or one: how much hangs on them, and where panels change places.

The Kappa paper draws kappa over gamma and lam for two search engines: where the surfaces cross, which engine's users
agree more is a matter of the discounts. Any method with two numbers to vary has such a surface. Over one it is a curve,
as the papers draw kappa_1 over gamma, kappa_2 over lam, and what is shared over q, of as many panels as one likes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, ClassVar

import numpy as np

from quorate import table
from quorate.comparison import Pool
from quorate.document.blocks import Block, Chart, Column, Table, Text
from quorate.document.result import Result
from quorate.errors import BadParameter, InputError
from quorate.inference.budget import SURFACE
from quorate.inference.compare import compared
from quorate.inference.designs import DESIGNS
from quorate.inference.engine import Figures, estimates
from quorate.inference.estimate import Estimate
from quorate.inference.results import Options, clean
from quorate.inference.usual_methods import with_absence
from quorate.orderings.kappa import GRID
from quorate.orderings.method_parameters import alternatives
from quorate.panel.design import Design
from quorate.panel.kinds import Panel
from quorate.table import Method, Parameter, Value
from quorate.words.numbers import shown
from quorate.words.surfaces import surface_facts

MOST = 400  # cells
WHOLE = 30  # figures' worth of time for all cells together
QUORUMS = (0.25, 0.5, 0.67, 0.75, 1.0)
Axis = tuple[str, tuple[Value, ...]]
NO_AXIS: Axis = ("", (None,))  # across a curve


@dataclass(frozen=True)
class Surface(Result):
    """A method over two of its parameters, for one panel or two; or over one of them, for as many as there are."""

    called: ClassVar[str] = "a surface"
    all_rows: ClassVar[bool] = True

    kind: str
    method: Method  # what is not varied
    down: Axis
    across: Axis
    cells: Mapping[str, tuple[Estimate, ...]]  # of every panel, down and then across
    differences: tuple[Estimate, ...] = ()  # the second panel's less the first's

    @property
    def curve(self) -> bool:
        """Whether one parameter is varied, not two."""
        return self.across == NO_AXIS

    def at(self, panel: str, down: Value, across: Value = None) -> Estimate:
        """One cell of a panel."""
        return self.cells[panel][self.down[1].index(down) * len(self.across[1]) + self.across[1].index(across)]

    @property
    def crossings(self) -> list[dict[str, Any]]:
        """Between which values of the first parameter the two panels change places, for each value of the second."""
        width = len(self.across[1])
        out = []
        for k, other in enumerate(self.across[1]):
            column = [(n, float(e.value)) for n, e in enumerate(self.differences[k::width])]
            for (i, before), (j, after) in pairwise((n, v) for n, v in column if v and v == v):  # where one is above
                if before * after < 0:
                    ends = [self.down[1][i], self.down[1][j]]
                    where = {} if self.curve else {self.across[0]: other}
                    out.append({**where, self.down[0]: ends, "from": before, "to": after})
        return out

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every cell of every panel; of two also the differences, and where they cross."""
        out: dict[str, Any] = {"kind": self.kind, "method": str(self.method), "surface": self.rows()}
        return {**out, "crossings": clean(self.crossings)} if self.differences else out

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per panel and cell; of two panels a row per cell of their difference too."""
        several = len(self.cells) > 1
        pairs = list(product(self.down[1], self.across[1]))
        named = [(name, found) for name, found in self.cells.items()]
        named += [("difference", self.differences)] if self.differences else []
        out = []
        for name, found in named:
            for (a, b), e in zip(pairs, found, strict=True):
                row = {**({"panel": name} if several else {}), self.down[0]: a}
                row |= {} if self.curve else {self.across[0]: b}
                low, high = (e.interval.low, e.interval.high) if e.interval else (None, None)
                out.append(row | {"value": clean(e.value), "low": clean(low), "high": clean(high)})
        return out

    def blocks(self, **how: Any) -> Iterator[Block]:
        """What it says, then the cells; of two panels those of their difference last."""
        yield Text(tuple(map(str, surface_facts(self))), "lead")
        if self.curve:
            yield self._curves()
            return
        for name, found in self.cells.items():
            yield self._table(f"{name}: {self._title}" if len(self.cells) > 1 else self._title, found)
        if self.differences:
            one, two = self.cells
            yield self._table(f"{two} less {one}", self.differences)
        if self.crossings:
            heads = Column("at", self.across[0], "place"), Column("between", self.down[0], "names")
            rows = tuple(
                (row[self.across[0]], [shown(v, "place") for v in row[self.down[0]]]) for row in self.crossings
            )
            yield Table("Where they change places: between which values", heads, rows, name="crossings")

    @property
    def _title(self) -> str:
        if self.curve:
            return f"{self.method} over {self.down[0]}"
        return f"{self.method}, {self.down[0]} down, {self.across[0]} across"

    def _curves(self) -> Table:
        """A row per value of the parameter: every panel's figure, of two the difference too, with intervals."""
        columns = [Column("down", self.down[0], "place")]
        named = {**self.cells, **({"difference": self.differences} if self.differences else {})}
        for name, found in named.items():
            group = name if len(named) > 1 else ""
            columns.append(Column("value", "value", "figure", group=group))
            if any(e.interval for e in found):
                columns.append(Column("interval", "CI", "interval", group=group, minor=2 if len(named) > 1 else 0))
        rows = []
        for k, value in enumerate(self.down[1]):
            row: list[Any] = [value]
            for found in named.values():
                row += [found[k].value, *([found[k].interval] if any(e.interval for e in found) else [])]
            rows.append(tuple(row))
        return Table(self._title, tuple(columns), tuple(rows), name="curve")

    def _table(self, title: str, found: Sequence[Estimate]) -> Table:
        columns = (
            Column("down", self.down[0], "place"),
            *(Column(head, head, "figure") for head in (shown(v, "place") for v in self.across[1])),
        )
        width = len(self.across[1])
        rows = tuple((v, *(e.value for e in found[k * width : (k + 1) * width])) for k, v in enumerate(self.down[1]))
        return Table(title, columns, rows, name="surface")

    def picture(self) -> Chart:
        """The surface, or that of each panel and of their difference, one at a time."""
        rows = []
        for row in self.rows():
            rows.append({"panel": row.get("panel", ""), **row})
        if self.curve:
            lines = tuple({"line": row["panel"], **row} for row in rows if row["panel"] != "difference")
            settings = {"x": self.down[0], "up": str(self.method)}
            return Chart("curve", "agreement", "curves", self._title, "The band is the interval.", lines, settings)
        said = "Colour is the value of the method; hover for its interval."
        settings = {"choose": "panel", "down": self.down[0], "across": self.across[0], "value": str(self.method)}
        return Chart("surface", "agreement", "surface", self._title, said, tuple(rows), settings)

    @property
    def title(self) -> str:
        """Of the page."""
        return self._title

    def to_html(self, **how: Any) -> str:
        """A self-contained page: what it says, the picture, the tables."""
        from quorate.document.charts import specification
        from quorate.document.frame import framed
        from quorate.document.html import Html

        chart = self.picture()
        first, *rest = self.blocks()
        body = Html().blocks([first, chart, *rest])
        return framed("document/page/plain.html", {chart.name: specification(chart)}, title=self._title, body=body)


def surface(
    panels: Panel | Mapping[str, Panel],
    method: str | Method = "kappa",
    *,
    parameters: int = 2,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 0,
    seconds: float = 0.3,
    absent: str | None = None,
    copies: str = "one",
) -> Surface:
    """A method of agreement over two of its parameters, of one panel or of two, with intervals; or over one of them.

    The values to try are named with bars, ``kappa(gamma=1|0.5, lam=1|0.5)``; without them the first two numbers that
    the method takes are varied, or with ``parameters=1`` the first: a curve, of any number of panels. Of several tasks
    the mean is told. ``permutations`` is not used: a p for each of many cells would mislead.

    >>> from quorate import Orderings
    >>> found = surface(Orderings.from_orders(["abc", "acb"]), "kappa(gamma=1|0.5, lam=1|0.5)")
    >>> [round(e.value, 3) for e in found.cells["panel"]]
    [5, 3.707, 4.414, 3.121]
    """
    named = {"panel": panels} if isinstance(panels, Panel) else {str(n): p for n, p in panels.items()}
    if len(named) > 2 and parameters > 1:
        raise InputError(
            f"{len(named)} panels: a surface is of one, or of two and their difference.", "a curve is of any."
        )
    first = next(iter(named.values()))
    if any(p.kind != first.kind for p in named.values()):
        raise InputError("the panels hold judgments of different kinds.", "compare panels of one kind.")
    base, down, across = axes(method, first.kind, max(len(p.items) for p in named.values()), parameters)
    cells = [(a, b) for a in down[1] for b in across[1]]
    if len(cells) > MOST:
        raise BadParameter(f"the surface has {len(cells):,} cells.", f"{MOST} can be computed; give fewer values.")
    time = seconds * min(1.0, WHOLE / len(cells))
    whole = Options(seed, level, resamples, 0, over, seconds, None, absent, copies)  # a p for every cell would mislead
    options = replace(whole, resamples=min(resamples, SURFACE), seconds=time)
    given = [{down[0]: a} | ({} if across == NO_AXIS else {across[0]: b}) for a, b in cells]
    methods = [with_absence(base.with_(**values), absent or first.absent or None) for values in given]
    designs = {name: _design(p.by_name, absent) for name, p in named.items()}
    every = {  # the first cell is told in words, with the interval that it has everywhere
        name: tuple(_cell(m, design, options if k else whole) for k, m in enumerate(methods))
        for name, design in designs.items()
    }
    apart: tuple[Estimate, ...] = ()
    if len(named) == 2:
        (one, two), panel = designs.values(), [p.by_name for p in named.values()]
        pool = Pool(panel[0], panel[1], DESIGNS[first.kind], absent)
        apart = tuple(compared(m, one, two, options, lambda: pool.design(one))[1][0] for m in methods)
    return Surface(first.kind, base, down, across, every, apart)


def _design(panel: Panel, absent: str | None) -> Design:
    made = list(DESIGNS[panel.kind](panel, absent or panel.absent or None))
    if len(made) > 1:
        raise InputError(
            "the panel has several criteria.", "choose one: --criterion C, or panel.select(criterion=...)."
        )
    return made[0]


def _cell(method: Method, design: Design, options: Options) -> Estimate:
    figures = Figures.of(design.canonical(method), design)
    return estimates(figures, options, chance=[None] * len(figures.value))[0]


def axes(method: str | Method, kind: str, items: int, parameters: int = 2) -> tuple[Method, Axis, Axis]:
    """What is not varied, and the two parameters that are, with their values; of one the second is no axis."""
    if isinstance(method, Method):
        base, given = method, dict[str, list[Value]]()
    else:
        base, given = alternatives(method, kind, "agreement")
    known = base.declaration.parameters
    fixed = dict(base.settings)
    numbers = [n for n, p in known.items() if p.type in ("number", "quorum", "whole") and n not in fixed]
    usual = base.declaration.properties.get("surface", lambda method: ())(base)
    order = sorted(numbers, key=lambda n: (n not in usual, known[n].type != "number"))  # discounts first
    chosen = [*given, *(n for n in order if n not in given)][: max(parameters, len(given))]
    many, what = ("one", "a curve is over one number") if parameters == 1 else ("two", "a surface is over two numbers")
    if len(given) > parameters:
        raise BadParameter(f"{len(given)} parameters have several values.", f"{what}.")
    if len(chosen) < parameters:
        have = f"only {chosen[0]}" if chosen else "none"
        able = [d.name for d in table.declarations(kind, "agreement") if _numbers(d.parameters.values()) >= parameters]
        hint = f"these have {many}: {', '.join(able)}." if able else f"no method of this kind has {many}."
        raise BadParameter(f"{what}; {base} has {have} to vary.", hint)
    down, *more = ((n, tuple(given.get(n) or steps(known[n], items))) for n in chosen)
    return base, down, more[0] if more else NO_AXIS


def _numbers(parameters: Any) -> int:
    return sum(p.type in ("number", "quorum", "whole") for p in parameters)


def steps(parameter: Parameter, items: int) -> Sequence[Value]:
    """Values to try of a parameter that were not named: the paper's steps of a discount, places of the lists.

    >>> steps(Parameter("places", "whole", 1), 4)
    [1, 2, 3, 4]
    """
    if parameter.type == "quorum":
        return QUORUMS
    if parameter.type == "number" and parameter.high <= 1:
        return [v for v in GRID if v <= parameter.high]
    top = max(items, 2) if math.isinf(parameter.high) else parameter.high
    places = np.unique(np.linspace(max(parameter.low, 1), top, min(12, int(top))).round())
    return [int(v) for v in places] if parameter.type == "whole" else [float(v) for v in places]
