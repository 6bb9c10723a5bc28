"""What table layouts ask of findings: headings, keys of rows, and the order of figures that are undefined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from quorate.document.columns import KEYS
from quorate.document.pivot import Key
from quorate.inference.results import Answer, Finding, Overall


def about_keys(o: Overall, without: str = "") -> tuple[str, ...]:
    """What a figure is about: the names of those labels."""
    return tuple(c.key for c in KEYS if c.key in o.labels and c.key != without)


def method_headings(findings: Sequence[Finding]) -> dict[str, str]:
    """Methods as headings of columns: by their names, and where one is there twice by what tells them apart."""
    out = {}
    for m in (f.method for f in findings):
        alike = [f.method for f in findings if f.method.name == m.name]
        out[str(m)] = ", ".join([m.name, *(str(m[n]) for n in m.parameters if len({str(x[n]) for x in alike}) > 1)])
    return out


def distinct_findings(answer: Answer) -> list[Finding]:
    """The findings; of treatments of left-out items that all give the same, one."""
    seen: dict[Any, Finding] = {}
    for f in answer.findings:
        given = tuple(s for s in f.method.settings if s[0] != "left_out")
        same = tuple((*(str(o.labels[k]) for k in about_keys(o)), str(o.value)) for o in f.overall)
        seen.setdefault((f.method.name, given, same) if f.method.has("left_out") else id(f), f)
    return list(seen.values())


def every_figure(findings: Iterable[Finding]) -> list[Overall]:
    """All overall figures."""
    return [o for f in findings for o in f.overall]


def row_keys(f: Finding, names: Sequence[str]) -> list[Key]:
    """What each row is about, by these keys."""
    return list(zip(*(f.keys[n] for n in names), strict=True))


def as_number(value: Any) -> Any:
    """A figure that is undefined as a table has it."""
    return math.nan if value is None else value


def undefined_last(value: Any, sign: int = 1) -> tuple[bool, float]:
    """A key to sort figures by, what is undefined last."""
    undefined = value is None or value != value
    return undefined, 0.0 if undefined else sign * float(value)


def did_all_tasks(f: Finding, answer: Answer) -> bool:
    """Whether everyone did all tasks: their number then goes without saying."""
    return all(o.labels.get("tasks", answer.tasks) == answer.tasks for o in f.overall)
