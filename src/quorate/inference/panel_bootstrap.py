"""How far any figure of a panel would move with other tasks or other judges like these."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import BadParameter, UnknownMethod, suggest
from quorate.inference.answer import answer
from quorate.inference.estimate import Interval
from quorate.inference.intervals import interval
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.kinds import Orderings

Array = NDArray[Any]
BY = ("tasks", "judges")
OPTIONS = Options(resamples=0, permutations=0, copies="apart")  # a judge drawn twice is no copy to be looked for


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """A figure, its interval, and the values on the panels drawn."""

    value: float
    interval: Interval | None
    drawn: Array


def bootstrap(
    panel: Orderings,
    figure: str | Callable[[Orderings], float],
    by: str = "tasks",
    *,
    resamples: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> Bootstrap:
    """Any figure on panels whose tasks (or judges) are resampled from this one's, as many as there are.

    The figure is a function of a panel, or a method by its text form. A judge drawn twice is two judges who agree,
    which pushes figures of agreement up; the interval is moved back around the value, and widened for few units.

    >>> orders = {"t1": {"ann": "abcd", "bob": "abdc"}, "t2": {"ann": "abcd", "bob": "bacd"}, "t3": {"ann": "abcd"}}
    >>> orders["t3"]["bob"] = "abcd"
    >>> panel = Orderings.from_orders(orders)
    >>> found = bootstrap(panel, "tau", resamples=100)
    >>> round(found.value, 2), round(found.interval.low, 2), round(found.interval.high, 2)
    (0.78, 0.29, 1.0)
    """
    if by not in BY:
        raise BadParameter(f"by={by} is not known.", suggest(by, BY, "Choices"))
    if resamples < 2:
        raise BadParameter(f"resamples={resamples} is out of range.", "resamples is a whole number from 2.")
    panel = panel.by_name
    compute, inside = named(figure) if isinstance(figure, str) else (figure, None)
    rng = stream(seed, "bootstrap", figure if isinstance(figure, str) else "", by)
    drawn = np.array([float(compute(drawn_panel(panel, by, rng))) for _ in range(resamples)])
    value = float(compute(panel))
    seen = np.append(drawn[np.isfinite(drawn)], value)
    inside = inside or (float(seen.min()), float(seen.max()))  # whatever a function's range is, it has been there
    units = len(panel.tasks if by == "tasks" else panel.judges)
    between = interval(value, drawn, level=level, over=by, units=units, range=inside)
    return Bootstrap(value, between, drawn)


def named(text: str) -> tuple[Callable[[Orderings], float], tuple[float, float]]:
    """The overall figure of a method of agreement or trust as a function of a panel, and what it lies between."""
    for question in ("agreement", "trust"):
        try:
            method = table.parse(text, "orderings", question)
        except UnknownMethod:
            continue

        def compute(panel: Orderings, question: str = question, method: table.Method = method) -> float:
            found = answer(question, panel.by_name, (method,), OPTIONS).findings[0].overall
            return float(found[0].value) if found else math.nan

        return compute, method.declaration.range
    known = [d.name for q in ("agreement", "trust") for d in table.declarations("orderings", q)]
    raise UnknownMethod(f"no method '{text}' with one overall figure.", suggest(text, known))


def drawn_panel(panel: Orderings, by: str, rng: np.random.Generator) -> Orderings:
    """A panel of as many tasks or judges, drawn with replacement; one drawn again gets a name of its own."""
    column = panel.task if by == "tasks" else panel.judge
    order = np.argsort(column.codes, kind="stable")
    ends = np.searchsorted(column.codes[order], np.arange(len(column.ids) + 1))
    chosen = rng.integers(len(column.ids), size=len(column.ids)).tolist()
    rows = np.concatenate([order[ends[c] : ends[c + 1]] for c in chosen])
    names = [f"{column.ids[c]} ({k})" for k, c in enumerate(chosen, 1) for _ in range(ends[c + 1] - ends[c])]
    raw: dict[str, Any] = {
        "task": panel.task.take(rows),
        "judge": panel.judge.take(rows),
        "item": panel.item.take(rows),
        "occasion": panel.occasion.take(rows),
        "count": panel.count[rows],
        "position": panel.value[rows].astype(float),
    }
    raw["task" if by == "tasks" else "judge"] = names
    return Orderings.build(raw)
