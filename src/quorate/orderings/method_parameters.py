"""A parameter that is a method itself: trust is always trust in some quality method, or in any method at all.

A text form separates the inner method's parameters by semicolons, ``noise(of=frespa(min_sup=0.5; w_len=0))``, and the
outer one's by commas; both are read with either.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from quorate import table
from quorate.errors import BadParameter, UnknownMethod, suggest
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method, Parameter, Value

ALL = "all"
KEEP, DROP = "keep", "drop"
SHORT = {"tau": "tau_b", "rho": "rho"}  # as the papers write them


@dataclass(frozen=True, slots=True)
class Nested(Parameter):
    """A quality method of orderings by its text form, or ``all`` of them."""

    type: str = "method"
    every: bool = True  # whether `all` is allowed

    def read(self, text: str) -> Value:
        """The text form of the method that a text names, checked."""
        return self.check(text)

    def check(self, value: Any) -> Value:
        """The method's own text form if there is such a method, else an error with a hint."""
        if value == ALL and self.every:
            return ALL
        if not isinstance(value, str | Method):
            raise BadParameter(f"{self.name}={value!r} is not a method.", self.rule())
        return str(table.as_method(value, "orderings", "quality"))

    def write(self, value: Value) -> str:
        """A method as the text form of another has it."""
        return str(value).replace(", ", "; ")

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is a quality method, as `quorate table` lists them{f', or {ALL}' if self.every else ''}."


@dataclass(frozen=True, slots=True)
class NestedAny(Nested):
    """A method of orderings that answers any question, by its text form."""

    every: bool = False
    but: str = ""  # the one that may not be inside

    def check(self, value: Any) -> Value:
        """The method's own text form if there is such a method, else an error with a hint."""
        if not isinstance(value, str | Method):
            raise BadParameter(f"{self.name}={value!r} is not a method.", self.rule())
        return str(anything(value, self.but))

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is a method of orderings, as `quorate table --kind orderings` lists them."


@dataclass(frozen=True, slots=True)
class Alternatives(Nested):
    """A quality method some of whose parameters have several values: ``frespa(min_sup=0.5|0.75|1; w_len=0|1)``."""

    every: bool = False

    def check(self, value: Any) -> Value:
        """The text form with every value checked, else an error with a hint."""
        if not isinstance(value, str) or "|" not in value:
            return Nested.check(self, value)
        base, grid = alternatives(value)
        known = base.declaration.parameters
        inside = {n: p.write(base[n]) for n, p in known.items() if n in dict(base.settings)}
        inside |= {n: "|".join(known[n].write(v) for v in values) for n, values in grid.items()}
        return f"{base.name}({', '.join(f'{n}={inside[n]}' for n in known if n in inside)})"

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{Nested.rule(self)} Its parameters may have several values: frespa(min_sup=0.5|0.75)."


@dataclass(frozen=True, slots=True)
class Outliers(Nested):
    """``keep``, ``drop``, or ``support_outliers`` with bounds of one's own, by its text form."""

    every: bool = False

    def check(self, value: Any) -> Value:
        """The word, or the rule's own text form, else an error with a hint."""
        if value in (KEEP, DROP):
            return str(value)
        name = value.name if isinstance(value, Method) else str(value).partition("(")[0].strip()
        if name != "support_outliers":
            raise BadParameter(f"{self.name}={value} is not known.", self.rule())
        found = str(table.as_method(value, "orderings", "judges"))
        return DROP if found == name else found

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is {KEEP}, {DROP}, or support_outliers(q=..., eps1=..., eps2=...)."


@dataclass(frozen=True, slots=True)
class Steps(Parameter):
    """Several numbers, rising, separated by bars: ``ratios=0|0.5|1``; in Python a tuple of them will do."""

    type: str = "steps"

    def read(self, text: str) -> Value:
        """The text form of the numbers that a text lists, checked."""
        return self.check(text.strip().strip("'\""))

    def check(self, value: Any) -> Value:
        """The text form of rising numbers within the range, else an error with a hint."""
        words = value.split("|") if isinstance(value, str) else value
        try:
            found = [float(word) for word in words]
        except (TypeError, ValueError):
            raise BadParameter(f"{self.name}={value!r} is no list of numbers.", self.rule()) from None
        rising = all(a < b for a, b in pairwise(found))
        if not found or not rising or not all(self.low <= v <= self.high and math.isfinite(v) for v in found):
            raise BadParameter(f"{self.name}={value!r} will not do.", self.rule())
        return "|".join(f"{v:g}" for v in found)

    def rule(self) -> str:
        """Which values are allowed, in words."""
        to = f" to {self.high:g}" if self.high < math.inf else ""
        return f"{self.name} are rising numbers from {self.low:g}{to}, separated by bars: {self.default}."


def numbers(text: Value) -> tuple[float, ...]:
    """The numbers that a text form of several lists."""
    return tuple(float(word) for word in str(text).split("|"))


@dataclass(frozen=True, slots=True)
class Index(Nested):
    """An index of two rankings by its text form; ``tau`` and ``rho`` are the correlations that know of ties."""

    every: bool = False
    known: tuple[str, ...] = ()

    def check(self, value: Any) -> Value:
        """The index's own text form if there is such an index, else an error with a hint."""
        if value in SHORT:
            return str(value)
        if not isinstance(value, str | Method):
            raise BadParameter(f"{self.name}={value!r} is not an index of two rankings.", self.rule())
        name = value.name if isinstance(value, Method) else value.partition("(")[0].strip()
        if name not in self.known:
            raise BadParameter(f"{self.name}={name} is not an index of two rankings.", suggest(name, self.known))
        return str(table.as_method(value, "orderings", "agreement"))

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is an index of two rankings: {', '.join(dict.fromkeys((*SHORT, *self.known)))}."


def alternatives(
    text: str, kind: str = "orderings", question: str = "quality"
) -> tuple[Method, dict[str, list[Value]]]:
    """The method with the parameters that have one value, and the values of the others.

    >>> m, grid = alternatives("frespa(min_sup=0.5|1, w_len=0)")
    >>> str(m), grid
    ('frespa(w_len=0)', {'min_sup': [0.5, 1]})
    """
    name, _, inside = text.strip().partition("(")
    declared = table.find(name.strip(), kind, question)
    several = [piece for piece in re.split("[,;]", inside.removesuffix(")")) if "|" in piece]
    base = text
    for piece in several:
        base = base.replace(piece, "", 1)
    grid: dict[str, list[Value]] = {}
    for piece in several:
        key, eq, words = (part.strip() for part in piece.partition("="))
        if not eq or key not in declared.parameters:
            raise BadParameter(f"'{piece.strip()}' in '{text}' names no parameter.", f"write {declared.signature}.")
        values = [declared.parameters[key].read(word) for word in words.split("|")]
        if key in grid:
            raise BadParameter(f"{key} is given twice in '{text}'.")
        grid[key] = list({(type(v), v): v for v in values}.values())  # 1, one judge, is not 1.0, all of them
    chosen = table.parse(base, kind, question)
    twice = [n for n in grid if n in dict(chosen.settings)]
    if twice:
        raise BadParameter(f"{twice[0]} is given twice in '{text}'.")
    return chosen, grid


def anything(of: str | Method, but: str = "") -> Method:
    """The method of orderings that a text names, whatever question it answers."""
    if isinstance(of, Method):
        return of
    name = of.partition("(")[0].strip()
    known = {d.name: d.question for d in table.declarations("orderings") if d.name != but}
    if name not in known:
        raise UnknownMethod(f"no method '{name}' for orderings.", suggest(name, known))
    return table.parse(of, "orderings", known[name])


def quality(of: str, design: OrderingDesign | None = None) -> list[Method]:
    """The quality methods that a text stands for; ``all`` are the default ones, with each correlation.

    What an absent item means is as the design has it, unless the text says so.
    """
    out = [table.parse(of, "orderings", "quality")] if of != ALL else []
    for m in table.methods("orderings", "quality", default=True) if of == ALL else ():
        if m.has("measure"):
            out += [m.with_(measure=c) for c in m.declaration.parameters["measure"].choices]
        else:
            out.append(m)
    return [as_absent(m, design) for m in out]


def as_absent(m: Method, design: OrderingDesign | None) -> Method:
    """The method with absent items as the design has them, unless the method says so itself."""
    return m.with_default(missing="below") if design is not None and design.absent == "below" else m
