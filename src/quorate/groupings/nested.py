"""Parameters that are methods themselves: the measure of two partitions, the consensus that is the gold standard.

In a text form the inner method's parameters are separated by semicolons, because commas separate those of the outer
one: ``against_judges(measure=b_cubed(part=precision; average=cluster), left_out=common)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from quorate.errors import BadParameter, suggest
from quorate.groupings.pairwise import MEASURES, Measure, measure_of
from quorate.table import Method, Parameter, Value, declarations, parse


@dataclass(frozen=True, slots=True)
class Nested(Parameter):
    """A method of agreement or consensus by its text form; what a left-out item is stands with the outer method."""

    type: str = "method"
    question: str = "agreement"
    examples: str = ""

    def read(self, text: str) -> Value:
        """The text form of the method that a text names, checked."""
        return self.check(text.strip().strip("'\""))

    def check(self, value: Any) -> Value:
        """The method's own text form if there is such a method, else an error with a hint."""
        if not isinstance(value, str | Method):
            raise BadParameter(f"{self.name}={value!r} is not a method.", self.rule())
        name = value.name if isinstance(value, Method) else value.partition("(")[0].strip()
        known = self._known()
        if name not in known:
            raise BadParameter(f"{self.name}={name} is not known.", suggest(name, known, "Choices"))
        inner = _parsed(value, self.question) if isinstance(value, str) else value
        if self.question == "agreement" and "left_out" in dict(inner.settings):
            hint = f"write it outside: {self.name}=..., left_out=..."
            raise BadParameter(f"left_out is given within {self.name}.", hint)
        return _text(inner) if self.question == "agreement" else str(inner).replace(", ", "; ")

    def rule(self) -> str:
        """Which values are allowed, in words."""
        return f"{self.name} is one of {', '.join(self._known())}; some have parameters: {self.examples}."

    def _known(self) -> list[str]:
        return (
            list(MEASURES) if self.question == "agreement" else [d.name for d in declarations("groupings", "consensus")]
        )


MEASURE = Nested("measure of two partitions", name="measure", shown=True, examples="v(beta=0.5)")
CONSENSUS = Nested("how the consensus is made", question="consensus", examples="quorum(q=0.3)")


@lru_cache(maxsize=256)
def _parsed(text: str, question: str) -> Method:
    return parse(text.replace(";", ","), "groupings", question)


def measuring(text: str) -> Method:
    """The method of agreement that a nested measure is.

    >>> measuring("b_cubed(part=recall; average=cluster)")["average"]
    'cluster'
    """
    return _parsed(text, "agreement")


def solving(text: str) -> Method:
    """The consensus method that a nested one is."""
    return _parsed(text, "consensus")


def settled(text: str) -> tuple[Measure, dict[str, Value]]:
    """The measure that a text names, and its parameters without the way of treating left-out items."""
    chosen = measuring(text)
    return measure_of(chosen), {n: v for n, v in chosen.parameters.items() if n != "left_out"}


def reach(text: str) -> tuple[float, float]:
    """The least and the most that a nested measure can be.

    >>> reach("adjusted_rand")
    (-0.5, 1)
    """
    return measuring(text).declaration.range


def _text(inner: Method) -> str:
    """The measure with what it always states (B-cubed its averaging) and what is not as usual."""
    known = inner.declaration.parameters
    inside = [
        f"{n}={known[n].write(v)}"
        for n, v in inner.parameters.items()
        if n != "left_out" and (known[n].shown or v != known[n].default)
    ]
    return f"{inner.name}({'; '.join(inside)})" if inside else inner.name
