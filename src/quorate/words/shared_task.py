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
LEVELS = ("system", "input", "global")  # at which a metric may follow the judges, the one that decides first


def first_screen(o: Outcome, trust: Answer | None, usual: FirstScreen) -> FirstScreen:
    """Who leads and which metric follows the judges; the usual screen where no metric has a figure."""
    found = metrics(trust)
    if not found:
        return usual
    kept = {t.name: t for t in usual.tiles}
    tiles = (kept["result"], kept["certainty"], _tile(found), kept["agreement"])
    told = [f"{upper(said)}; {_best(found)}." for said in came(o.result) if said]
    short = f"{_best(found, begin=True)}."
    headline = next((said for said in told if len(said) <= LONGEST), short)
    return replace(usual, headline=headline, tiles=tiles, steps=(*usual.steps[:3], *_steps(found))[:4])


def metrics(trust: Answer | None) -> list[Estimate]:
    """Every metric with how far it follows the judges, by the first level that has figures, best first."""
    f = next((f for f in (trust.findings if trust else ()) if f.method.name == "metrics"), None)
    rows = [o for o in (f.overall if f else ()) if not o.labels["worst"] and not math.isnan(o.value)]
    first = rows[0].labels.get("criterion") if rows else None
    rows = [o for o in rows if o.labels.get("criterion") == first]
    level = next((name for name in LEVELS if any(o.labels["level"] == name for o in rows)), None)
    return sorted((o for o in rows if o.labels["level"] == level), key=lambda o: (-o.value, str(o.labels["metric"])))


def clear(o: Estimate) -> bool:
    """Whether a metric is known to follow the judges."""
    return o.interval is not None and o.interval.low >= CLEAR


def _best(found: list[Estimate], *, begin: bool = False) -> str:
    first = found[0]
    name, level = brief(first.labels["metric"], 16), first.labels["level"]
    if clear(first):
        return f"{name} follows the judges best ({two(first.value)} over {level}s)"
    no = "No metric" if begin else "no metric"
    return f"{no} is known to follow the judges, {name} comes nearest ({two(first.value)} over {level}s)"


def _tile(found: list[Estimate]) -> Tile:
    first = found[0]
    rows = tuple(
        {"name": brief(o.labels["metric"], 12), "value": o.value}
        | ({"low": o.interval.low, "high": o.interval.high} if o.interval else {"low": None, "high": None})
        for o in found[:ROWS]
    )
    said = ", ".join(f"{r['name']} {two(float(str(r['value'])))}" for r in rows)
    picture = Picture(
        "intervals", f"Correlation with the judges over {first.labels['level']}s: {said}", rows, (-1.0, 1.0)
    )
    word = brief(first.labels["metric"], 16) if clear(first) else "No metric for sure"
    figure = f"{brief(first.labels['metric'], 16)}: {interval(first)}"
    note = f"correlation over {first.labels['level']}s, of {many(len(found), 'metric')}"
    return Tile(
        "metrics",
        "Which metric follows the judges?",
        word,
        figure,
        picture,
        "trust",
        note,
        "good" if clear(first) else "warn",
    )


def _steps(found: list[Estimate]) -> Iterator[Step]:
    first = found[0]
    if clear(first):
        yield Step(f"Use {brief(first.labels['metric'])} between rounds of judging", "it follows the judges", "trust")
    else:
        yield Step("Do not choose systems by these metrics alone", "none is known to follow the judges", "trust")
