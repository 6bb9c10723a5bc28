"""How an answer is computed: the options of every verb and command, declared once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from quorate.table import Parameter, choice, number, whole

COPIES = ("one", "apart")  # judges with the same answers: one voice, or as many as they are
ABSENT = ("below", "left-out", "not-shown", "unknown")  # a list's tail; seen and put nowhere; never offered; no matter


def _option(default: Any, declared: Parameter) -> Any:
    """A field of the options, with what it means and which values it takes."""
    return field(default=default, metadata={"declared": replace(declared, default=default)})


@dataclass(frozen=True, slots=True)
class Options:
    """How an answer is computed: the keywords of every verb, and the options of every command that asks a question.

    >>> Options(level=1.5)
    Traceback (most recent call last):
    quorate.errors.BadParameter: level=1.5 is out of range.
    <BLANKLINE>
    Hint: level is a number above 0 below 1.
    """

    seed: int = _option(0, whole("Random seed: the same seed gives the same output", 0))
    level: float = _option(0.95, number("Confidence level of intervals", 0, 1, open_low=True, open_high=True))
    resamples: int = _option(1000, whole("Resamples for intervals, at most", 0))
    permutations: int = _option(100, whole("Draws for what chance gives; unless set, as many as p takes", 0))
    over: str | None = _option(
        None,
        Parameter("What intervals generalise to: tasks, judges, items, systems, or two crossed (tasksxjudges)", "text"),
    )
    seconds: float = _option(0.3, number("CPU seconds that one figure may take, about", 0, open_low=True))
    progress: Callable[[str, int, int], None] | None = None  # who is told of every step; in Python only
    absent: str | None = _option(
        None,
        choice(
            "What an item without a row means: below the listed ones, left out on purpose, not shown, or unknown",
            *ABSENT,
        ),
    )
    copies: str = _option("one", choice("Whether judges who copied count as one voice or each for itself", *COPIES))
    brief: bool = False  # what is agreed on alone, without what is told beside it; where the core itself asks

    @classmethod
    def declared(cls) -> dict[str, Parameter]:
        """Every option that can be written down, by its name."""
        found = ((f.name, f.metadata.get("declared")) for f in fields(cls))
        return {name: replace(p, name=name, optional=p.default is None) for name, p in found if p}

    def __post_init__(self) -> None:
        for name, parameter in _DECLARED.items():
            parameter.check(getattr(self, name))

    def tell(self, what: str, done: int, of: int) -> None:
        """Report progress to whoever listens."""
        if self.progress:
            self.progress(what, done, of)


_DECLARED = Options.declared()
