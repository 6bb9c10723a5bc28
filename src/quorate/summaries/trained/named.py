"""Who is clearly worse than the others, over all years together: by alpha of each criterion, and by what was missed.

A single year of a small collection has few identical summaries for each judge; over the years there are enough to tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quorate import table
from quorate.inference.answer import answer
from quorate.inference.results import Finding, Options
from quorate.panel.kinds import Scores
from quorate.summaries.trained.sheet import CRITERIA
from quorate.summaries.trained.year import Year

Row = dict[str, Any]
ALPHA, GAP = "alpha", "mP-aP"
ROUTES = {ALPHA: "alpha over identical summaries", GAP: "manual minus automatic scores"}


def named(years: Sequence[Year], seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Every judge by both routes, worst first: the value over all years, an interval, p, and whether to be named."""
    yield from _rows(_found("self_consistency", scores_of(years), seed, resamples), ALPHA, years)
    if all(y.annotated is not None for y in years):
        yield from _rows(_found("auto_pyramid", _gaps(years), seed, resamples), GAP, years)


def _found(method: str, panel: Scores, seed: int, resamples: int) -> Finding:
    chosen = table.parse(method, "scores", "judges")
    return answer("judges", panel, [chosen], Options(seed=seed, resamples=resamples)).findings[0]


def _rows(found: Finding, route: str, years: Sequence[Year]) -> Iterator[Row]:
    for o in found.overall:
        row: Row = {"table": "named", "route": route, "criterion": o.labels["criterion"], "judge": o.labels["judge"]}
        row |= {"value": o.value, "interval": [o.interval.low, o.interval.high] if o.interval else None}
        yield {**row, "p": o.labels["p"], "named": o.labels["flag"], "years": [y.name for y in years]}


def scores_of(years: Sequence[Year]) -> Scores:
    """Judges' scores of the systems' summaries of several years, with the texts."""
    raw: dict[str, list[Any]] = {
        n: [] for n in ("year", "task", "item", "system", "judge", "criterion", "score", "text")
    }
    for year in years:
        for (task, who), found in year.scores.items():
            if (task, who) in year.peers:
                for c in CRITERIA:
                    row = (year.name, task, who, who, year.judges[task], c, found[c], year.peers[task, who])
                    for column, cell in zip(raw.values(), row, strict=True):
                        column.append(cell)
    return Scores.build(raw)


def _gaps(years: Sequence[Year]) -> Scores:
    names = ("task", "item", "judge", "criterion", "score", "auto")
    every = [(f"{y.name} {g.task}", g.item, g.judge, "pyramid", g.manual, g.auto) for y in years for g in y.auto.items]
    return Scores.build(dict(zip(names, map(list, zip(*every, strict=True)), strict=True)))


def sentences(rows: Sequence[Row]) -> list[str]:
    """Who stands out by each route, in words; who is merely the lowest is called so."""
    mine = [r for r in rows if r["table"] == "named" and r["value"] is not None]
    if not mine:
        return ["No judge scored identical summaries."]
    years = mine[0]["years"]
    out = []
    for route in ROUTES:
        said = []
        here = [r for r in mine if r["route"] == route]
        for criterion in dict.fromkeys(r["criterion"] for r in here):
            said.append(_said([r for r in here if r["criterion"] == criterion]))
        if said:
            out.append(f"By {ROUTES[route]}, {years[0]} to {years[-1]}: {'; '.join(said)}.")
    return out


def _said(rows: Sequence[Row]) -> str:
    bad = [r for r in rows if r["named"]]
    if not bad:
        return f"nobody stands out on {rows[0]['criterion']} (lowest: {_shown(rows[0])})"
    return f"on {rows[0]['criterion']} {' and '.join(map(_shown, bad))} {'stands' if len(bad) == 1 else 'stand'} out"


def _shown(row: Row) -> str:
    return f"{row['judge']} {row['value']:.2f}"
