"""A parameter that is a method itself: trust is always trust in some quality method.

In a text form the inner method's parameters are separated by semicolons, ``noise(of=frespa(min_sup=0.5; w_len=0))``,
because commas separate those of the outer one. Where the inner method stands alone (``--of``, Python), commas do too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quorate import table
from quorate.errors import BadParameter
from quorate.table import Method, Parameter, Value

ALL = "all"


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
        text = value.replace(";", ",") if isinstance(value, str) else value
        return str(table.as_method(text, "orderings", "quality"))

    def write(self, value: Value) -> str:
        """A method as the text form of another has it."""
        return str(value).replace(", ", "; ")

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is a quality method, as `quorate table` lists them{f', or {ALL}' if self.every else ''}."


def quality(of: str) -> list[Method]:
    """The quality methods that a text stands for; ``all`` are the default ones, with each correlation."""
    if of != ALL:
        return [table.parse(of, "orderings", "quality")]
    out = []
    for m in table.methods("orderings", "quality", default=True):
        if m.has("negative"):  # kept negative weights carry scores beyond -1 ... 1, and ED compares scores of one range
            m = m.with_(negative="clip")
        if m.has("measure"):
            out += [m.with_(measure=c) for c in m.declaration.parameters["measure"].choices]
        else:
            out.append(m)
    return out
