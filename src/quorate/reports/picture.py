"""A picture before it is drawn: rows of plain values with a title and a description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.inference.results import Overall, clean
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method
from quorate.words.wording import vacuous

TASKS = 40  # tasks in a picture of them
CHOSEN = 60  # tasks that can be chosen


def number(value: Any) -> float | int | None:
    """A value as a picture needs it: short, and None where it is undefined or too large to draw."""
    plain = clean(value)
    if plain is None or isinstance(plain, bool):
        return None
    if isinstance(plain, int):
        return plain if abs(plain) < 2**53 else (float(plain) if plain.bit_length() < 1000 else None)
    return float(f"{plain:.6g}")


def figure(o: Overall, method: Method | None = None) -> dict[str, Any]:
    """Value and interval as columns of a row; an interval that holds every value of the method is none."""
    said = o.interval and not (method and vacuous(o, method))
    low, high = (o.interval.low, o.interval.high) if o.interval and said else (None, None)
    return {"value": number(o.value), "low": number(low), "high": number(high)}


def has(rows: Sequence[Mapping[str, Any]], name: str) -> str | None:
    """The column's name, if there is one."""
    return name if rows and name in rows[0] else None


def which(tasks: Sequence[Any], most: int) -> str:
    """What can be chosen, in words."""
    if len(tasks) < 2:
        return ""
    return f" The first {most} of {len(tasks):,} tasks can be chosen." if len(tasks) > most else " Choose a task."


def titled(title: str, finding: str) -> str:
    """A title that says what the picture shows, where there is something to say."""
    return f"{title}: {finding}" if finding else title


def least_width(names: Sequence[str], each: int) -> int:
    """What so many columns of names need across, where they do not fit a phone anyway; else 0."""
    return 120 + each * len(names) if len(names) > 12 else 0


def many_alike(panel: Panel) -> str:
    """What a judge is where judges with the same ordering stand together, in words."""
    return " Each judge here stands for all who gave the same order." if alike(panel) else ""


def alike(panel: Panel) -> bool:
    """Whether some judge of orderings stands for several."""
    return isinstance(panel, Orderings) and bool((panel.count > 1).any())
