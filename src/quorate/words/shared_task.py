"""The first screen of a shared task: which system leads, and which automatic metric says what the judges say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer
from quorate.panel.base import many
from quorate.words.headline import LONGEST, came
from quorate.words.numbers import two
from quorate.words.outcome import Outcome
from quorate.words.screen import FirstScreen, Picture, Step, Tile
from quorate.words.tiles import interval
from quorate.words.wording import brief, upper

ROWS = 5  # metrics of a picture
CLEAR = 0.5  # correlation whose interval must lie above it for a metric to be called a good one
FEW = 4  # systems: with fewer, one order of six or less would do, which a metric may hit by chance
UNITS = {"system": "system", "input": "task", "global": "output"}
LEVELS = ("system", "input", "global")  # at which a metric may follow the judges, the one that decides first


def first_screen(o: Outcome, trust: Answer | None, usual: FirstScreen) -> FirstScreen:
    """Who leads and which metric follows the judges; the usual screen where no metric has a figure."""
    found = metrics(trust)
    if not found:
        return usual
    kept, number = {t.name: t for t in usual.tiles}, _number(o, found[0])
    whom = kept["judges" if o.off.names else "agreement"]  # those who are off may hide that the others agree
    tiles = (kept["result"], kept["certainty"], _tile(found, number), whom)
    told = [f"{upper(said)}; {_best(found, number)}." for said in came(o.result) if said]
    short = f"{_best(found, number, begin=True)}."
    headline = next((said for said in told if len(said) <= LONGEST), short)
    return replace(usual, headline=headline, tiles=tiles, steps=(*usual.steps[:3], *_steps(found, number))[:4])


def metrics(trust: Answer | None) -> list[Estimate]:
    """Every metric with how far it follows the judges, by the first level that has figures, best first."""
    f = next((f for f in (trust.findings if trust else ()) if f.method.name == "metrics"), None)
    rows = [o for o in (f.overall if f else ()) if not o.labels["worst"] and not math.isnan(o.value)]
    first = rows[0].labels.get("criterion") if rows else None
    rows = [o for o in rows if o.labels.get("criterion") == first]
    level = next((name for name in LEVELS if any(o.labels["level"] == name for o in rows)), None)
    return sorted((o for o in rows if o.labels["level"] == level), key=lambda o: (-o.value, str(o.labels["metric"])))


def clear(o: Estimate, number: int) -> bool:
    """Whether a metric is known to follow the judges: by its interval, over so many units that it is no chance."""
    return o.interval is not None and o.interval.low >= CLEAR and number >= FEW


def _number(o: Outcome, first: Estimate) -> int:
    """How many systems, tasks or outputs a correlation is over."""
    systems, tasks = len(o.result.rows) or len(o.panel.items), len(o.panel.tasks)
    return {"system": systems, "input": tasks}.get(first.labels["level"], systems * tasks)


def _best(found: list[Estimate], number: int, *, begin: bool = False) -> str:
    first = found[0]
    over = many(number, UNITS[first.labels["level"]])
    name, much = brief(first.labels["metric"], 16), f"{two(first.value)} over {over}"
    the, no = ("The", "No") if begin else ("the", "no")
    if clear(first, number):
        return f"{the} metric {name} follows the judges{' best' if len(found) > 1 else ''} ({much})"
    if len(found) == 1:
        return f"{the} metric {name} is not known to follow the judges ({much})"
    return f"{no} metric is known to follow the judges, {name} comes nearest ({much})"


def _tile(found: list[Estimate], number: int) -> Tile:
    first, known = found[0], clear(found[0], number)
    rows = tuple(
        {"name": brief(o.labels["metric"], 12), "value": o.value}
        | ({"low": o.interval.low, "high": o.interval.high} if o.interval else {"low": None, "high": None})
        for o in found[:ROWS]
    )
    said = ", ".join(f"{r['name']} {two(float(str(r['value'])))}" for r in rows)
    picture = Picture(
        "intervals", f"Correlation with the judges over {first.labels['level']}s: {said}", rows, (-1.0, 1.0)
    )
    word = brief(first.labels["metric"], 16) if known else "No metric for sure"
    figure = f"{brief(first.labels['metric'], 16)}: {interval(first)}"
    note = f"correlation over {many(number, UNITS[first.labels['level']])}, of {many(len(found), 'metric')}"
    return Tile(
        "metrics",
        "Which metric follows the judges?",
        word,
        figure,
        picture,
        "trust",
        note,
        "good" if known else "warn",
    )


def _steps(found: list[Estimate], number: int) -> Iterator[Step]:
    first = found[0]
    if clear(first, number):
        yield Step(f"Use {brief(first.labels['metric'])} between rounds of judging", "it follows the judges", "trust")
    else:
        yield Step("Do not choose systems by these metrics alone", "none is known to follow the judges", "trust")
