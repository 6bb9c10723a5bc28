"""The page of what was measured beside what is promised: tables, and a picture for each section."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tests.calibration.experiment import Experiment
from tests.calibration.experiments import Outcome
from tests.calibration.picture import picture

Rates = dict[str, tuple[float, int]]  # by name: the rate, and of how many panels
Row = tuple[Experiment, Rates]
LUCK = 0.001  # how likely chance alone may give what is marked
TITLES = {
    "flags": (
        "False flags",
        "Judges who are all alike: of 100 panels at most 5 should have a flag. Sizes are tasks x judges.",
    ),
    "power": (
        "Planted judges",
        "One judge is planted: how often is that judge named, with the right diagnosis, and how often somebody else?",
    ),
    "null": (
        "p-values where there is nothing to find",
        "Judges or systems that answer at random, or systems that are equal: p is at most 0.05 in 5 of 100 panels.",
    ),
    "coverage": (
        "Intervals",
        "95% intervals should hold the value of very many tasks (or judges) like these in 95 of 100 panels.",
    ),
    "needed": (
        "Judges needed",
        "Said from a panel of so many judges, against what drawing pairs of panels gives (target 0.9), or for scores "
        "the formula of Spearman and Brown.",
    ),
}
ENDS = {"flags": (0, 0.2), "null": (0, 0.2), "coverage": (0.75, 1.0)}  # of the pictures' axes
HEAD = """# Calibration

What figures promise, measured by simulation: `make calibration` simulates all panels and writes this page (it took
{minutes} CPU minutes). In parentheses: panels; beside a rate that misses its promise by more than luck
(less than once in 1,000 times) stands an exclamation mark. In the pictures the dashed line is the promise, a dot is a
rate with its 95% interval, red where it misses the promise.
"""


def rates(outcomes: Sequence[Outcome]) -> Rates:
    """The mean of every outcome."""
    names = dict.fromkeys(n for *_, found in outcomes for n in found)
    values = {n: [found[n] for *_, found in outcomes if n in found] for n in names}
    return {n: (sum(v) / len(v), len(v)) for n, v in values.items()}


def off(rate: float, number: int, promise: float) -> bool:
    """Whether a rate is worse than promised, more alarms or less coverage, by more than luck: once in 1,000 times."""
    wrong, error = (rate, promise) if promise < 0.5 else (1 - rate, 1 - promise)
    hits = range(round(wrong * number), number + 1)
    return sum(math.comb(number, k) * error**k * (1 - error) ** (number - k) for k in hits) < LUCK


def missed(experiment: Experiment, found: Rates) -> list[str]:
    """The names of what misses its promise."""
    if experiment.promise is None:
        return []
    return [n for n, (rate, number) in found.items() if off(rate, number, experiment.promise)]


def page(rows: Sequence[Row], minutes: float) -> str:
    """The page: a picture for each section, and a table for each of its kinds."""
    lines = [HEAD.format(minutes=round(minutes))]
    for section, some in groupby(rows, key=lambda row: row[0].section):
        title, about = TITLES[section]
        of_section = list(some)
        lines += [f"## {title}\n", about, "", f"![{title}, rates and what is promised](calibration/{section}.svg)", ""]
        for kind in dict.fromkeys(e.kind for e, _ in of_section):
            for block in blocks([row for row in of_section if row[0].kind == kind]):
                lines += [f"**{kind}**\n", *table(block), ""]
    return "\n".join(lines)


def pictures(rows: Sequence[Row]) -> dict[str, str]:
    """The picture of every section: a line for each kind and figure, a dot for each setting; or the other way round."""
    out = {}
    for section, some in groupby(rows, key=lambda row: row[0].section):
        lines: dict[str, list[tuple[float, int, bool]]] = {}
        promise = None
        for e, found in some:
            promise = e.promise
            for name, (rate, number) in found.items():
                about = e.setting if section == "flags" else f"{e.setting}: {name}" if promise is None else name
                lines.setdefault(f"{e.kind}: {about}", []).append((rate, number, name in missed(e, found)))
        out[section] = picture(lines, ENDS.get(section, (0, 1)), promise)
    return out


def blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows of one kind that have the same figures: a table each."""
    by: dict[frozenset[str], list[Row]] = {}
    for row in rows:
        by.setdefault(frozenset(row[1]), []).append(row)
    yield from by.values()


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Settings down, figures across; where figures are many, the other way round."""
    names = list(dict.fromkeys(n for _, found in rows for n in found))
    cells = {(n, e.setting): cell(e, n, found) for e, found in rows for n in names}
    settings = [e.setting for e, _ in rows]
    down, across = (settings, names) if len(names) <= 3 else (names, settings)
    yield _line(["", *across])
    yield _line(["---", *["---:"] * len(across)])
    for d in down:
        yield _line([f"`{d}`" if d in names else d, *(cells[(d, a) if d in names else (a, d)] for a in across)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(experiment: Experiment, name: str, found: Rates) -> str:
    """A rate as a percentage with the number of panels."""
    if name not in found:
        return "-"
    rate, number = found[name]
    alarm = " !" if name in missed(experiment, found) else ""
    return f"{100 * rate:.0f}% ({number}){alarm}"
