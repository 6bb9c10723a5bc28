"""The paper on inconsistent assessors from end to end, on a collection laid out as NIST hands it out.

Tables 1 to 4 and Figure 1 are of the last year; Table 5 trains on the two years before it. The last year is read only
after the trained metrics are written down. Somebody is worst in every table; who clearly is, is told by all years
together: a single year of a small collection has few identical summaries for each judge. Owczarzak, Rankel, Dang,
Conroy, ACL 2012.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from quorate import table
from quorate.document.blocks import Block, Column, Table, Text, form_of
from quorate.errors import InputError
from quorate.inference.answer import answer
from quorate.inference.results import Finding, Options, clean
from quorate.panel.kinds import Scores
from quorate.summaries.trained import lock, table5
from quorate.summaries.trained.campaign import three_years
from quorate.summaries.trained.content import recall
from quorate.summaries.trained.criteria import GAP, of_values
from quorate.summaries.trained.search import Progress
from quorate.summaries.trained.year import JUDGED, PARTS, Year, as_columns, read_year
from quorate.summaries.units.gaps import READINGS

Row = dict[str, Any]


def reproduce(
    directory: str | Path,
    *,
    choice: str | Path | None = None,
    worst: int = 2,
    controls: int = 5,
    stem: bool = True,
    seed: int = 0,
    resamples: int = 500,
    progress: Progress | None = None,
    **training: Any,
) -> list[Row]:
    """Rows of all tables, each with its ``table``: 1 to 5, "figure 1", and "named" for who stands out.

    ``choice`` is the file that the trained metrics are written to before the last year is opened; by default a
    temporary one. ``controls`` metrics are trained beside each filtered one without as many other judges drawn at
    random. ``training`` goes to the search: ``size``, ``budget``, ``level``, ``drop``, ...
    """
    folders = three_years(directory)
    first, second = (read_year(f, stem=stem) for f in folders[:2])
    test = lock.Sealed(lambda: read_year(folders[2], stem=stem))
    trained = table5.train_all(first, second, seed=seed, controls=controls, progress=progress, **training)
    beside = [clean(c.body()) for t in trained for c in t.controls]
    metrics = [clean(t.metric.body()) for t in trained]
    body = {"years": [f.name for f in folders], "metrics": metrics, "controls": beside}
    with tempfile.TemporaryDirectory() as place:
        path = Path(choice) if choice is not None else Path(place, "choice.json")
        lock.write(path, body)
        third = test.open(path)
    out: list[Row] = [*consistency(third, seed, resamples), *missed(third, seed, resamples)]
    out += exclusion(third, worst, seed, resamples)
    out += rouge_2(third, worst, seed, resamples)
    out += ({"table": "5", **row} for row in table5.rows(trained, third, seed=seed))
    out += named((first, second, third), seed, resamples)
    out += alike(out, seed)
    return [dict(clean(r)) for r in out]


def consistency(year: Year, seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Table 1: each judge's alpha with himself over identical summaries, worst first."""
    for o in _asked("judges", "self_consistency", year.panel, seed, resamples).overall:
        row = {"table": "1", "judge": o.labels["judge"], "criterion": o.labels["criterion"], "alpha": o.value}
        yield {**row, "interval": o.ends, "units": o.labels["units"]}


def missed(year: Year, seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Figure 1: each judge's mean of manual minus automatic pyramid scores, lowest first."""
    for e in year.auto.judges(seed=seed, resamples=resamples):
        counted = {n: e.labels[n] for n in ("tasks", "items", *READINGS)}
        yield {"table": "figure 1", "judge": e.labels["judge"], "gap": e.value, "interval": e.ends, **counted}


def exclusion(year: Year, worst: int = 2, seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Table 2: the systems' order without the tasks of the worst judges, beside as many random tasks."""
    for name, panel, by in _ways(year):
        method = f"without_worst(by={by}, worst={worst}, drop=tasks)"
        for o in _asked("trust", method, panel, seed, resamples).overall:
            if o.labels["coefficient"] != "kendall":
                row: Row = {"table": "2", "criterion": name or o.labels["criterion"], "worst": o.labels["worst"]}
                row |= {"judges": o.labels["judges"], "coefficient": o.labels["coefficient"], "value": o.value}
                yield {**row, "interval": o.ends, "random": o.labels["random"]}


def rouge_2(year: Year, worst: int = 2, seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Tables 3 and 4: ROUGE-2 and the judges, of systems' means and of each judge's summaries, before and after."""
    for name, panel, by in _ways(year):
        metric = _rouge_panel(year, "system" in panel.labels)
        method = f"metrics(by={by}, worst={worst}, drop=tasks)"
        for o in _asked("trust", method, panel, seed, resamples, metric).overall:
            if o.labels["level"] in ("system", "judge"):
                row: Row = {"table": "3" if o.labels["level"] == "system" else "4"}
                row |= {"criterion": name or o.labels["criterion"], "worst": o.labels["worst"], "pearson": o.value}
                yield {**row, "interval": o.ends, "random": o.labels["random"]}


def _asked(question: str, method: str, panel: Scores, seed: int, resamples: int, *metrics: Scores) -> Finding:
    chosen = [table.parse(method, "scores", question)]
    return answer(question, panel, chosen, Options(seed=seed, resamples=resamples), *metrics).findings[0]


def _ways(year: Year) -> Iterator[tuple[str | None, Scores, str]]:
    """The scores with judges ordered by alpha, and the pyramid scores with judges ordered by what they missed."""
    yield None, year.panel, "alpha"
    if year.annotated is not None:
        yield "mP-aP", year.gaps, "gap"


def _rouge_panel(year: Year, systems: bool) -> Scores:
    rows: list[tuple[Any, ...]] = []
    for part in PARTS:
        keys, material = year.material(part, "NoModels")
        values = recall(material, material.models, "2").tolist()
        rows += [(task, who, "ROUGE-2", value) for (task, who), value in zip(keys, values, strict=True)]
    raw = as_columns(("task", "item", "judge", "score"), rows)
    return Scores.build({**raw, "system": raw["item"]} if systems else raw)


def alike(rows: Sequence[Row], seed: int = 0) -> list[Row]:
    """How far the criteria of Table 1 and Figure 1 put judges in the same order, every two and all of them."""
    values: dict[str, dict[Any, float]] = {}
    for row in rows:
        if row["table"] in ("1", "figure 1"):
            name, value = (row["criterion"], row["alpha"]) if row["table"] == "1" else (GAP, row["gap"])
            if value is not None and value == value:
                values.setdefault(name, {})[row["judge"]] = value
    try:
        found = of_values(values, Options(seed=seed))
    except InputError:  # fewer than two orders
        return []
    every = {"criterion": "all", "other": "all", **found.to_dict()["overall"]}
    return [{"table": "criteria", **row} for row in (*found.rows(), every)]


TITLES = {
    "1": "Table 1: alpha of each judge with himself, worst first",
    "figure 1": "Figure 1: manual minus automatic pyramid score, lowest first",
    "2": "Table 2: the systems' order without the worst judges' tasks",
    "3": "Table 3: ROUGE-2 and the judges, systems' means",
    "4": "Table 4: ROUGE-2 and the judges, summaries of each judge",
    "criteria": "Table 1 against Figure 1: how far criteria put judges in the same order",
}


def text(found: list[Row], width: int = 80) -> str:
    """All tables for people."""
    from quorate.document.terminal import render

    pieces: list[Block] = [Text(tuple(sentences(found)), "lead")]
    for number, title in TITLES.items():
        rows = [r for r in found if r["table"] == number]
        heads = [h for h in rows[0] if h != "table"] if rows else []
        columns = tuple(Column(h, "95% CI" if h == "interval" else h, form_of(r[h] for r in rows)) for h in heads)
        pieces += [Table(title, columns, tuple(tuple(r[h] for h in heads) for r in rows))] if rows else []
    pieces += table5.blocks([r for r in found if r["table"] == "5"])
    return render(pieces, width, rows=len(found))


ALPHA = "alpha"
ROUTES = {ALPHA: "alpha over identical summaries", GAP: "manual minus automatic scores"}


def named(years: Sequence[Year], seed: int = 0, resamples: int = 500) -> Iterator[Row]:
    """Every judge by both routes, worst first: the value over all years, an interval, p, and whether to be named."""
    yield from _rows(_asked("judges", "self_consistency", scores_of(years), seed, resamples), ALPHA, years)
    if all(y.annotated is not None for y in years):
        yield from _rows(_asked("judges", "auto_pyramid", _gaps(years), seed, resamples), GAP, years)


def _rows(found: Finding, route: str, years: Sequence[Year]) -> Iterator[Row]:
    for o in found.overall:
        row: Row = {"table": "named", "route": route, "criterion": o.labels["criterion"], "judge": o.labels["judge"]}
        row |= {"value": o.value, "interval": o.ends}
        yield {**row, "p": o.labels["p"], "named": o.labels["flag"], "years": [y.name for y in years]}


def scores_of(years: Sequence[Year]) -> Scores:
    """Judges' scores of the systems' summaries of several years, with the texts."""
    rows = ((year.name, *row) for year in years for row in year.judged_rows())
    return Scores.build(as_columns(("year", *JUDGED), rows))


def _gaps(years: Sequence[Year]) -> Scores:
    names = ("task", "item", "judge", "criterion", "score", "auto")
    every = ((f"{y.name} {g.task}", g.item, g.judge, "pyramid", g.manual, g.auto) for y in years for g in y.auto.items)
    return Scores.build(as_columns(names, every))


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
