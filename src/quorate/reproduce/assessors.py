"""The effect of inconsistent assessors (Owczarzak, Rankel, Dang, Conroy): Tables 1 to 5 and Figure 1 by simulation.

The TAC collections are licensed. A made-up collection, laid out as NIST hands it out and with one erratic and one
careless judge planted, goes through the same program; those who hold the real one give its folder as the data, or as
``tac`` in it. Of judges only their order counts: the worst of ours stands beside the worst of the paper's.

Tables 1 to 4 and Figure 1 are of the last year; Table 5 trains on the two years before it. The last year is read only
after the trained metrics are written down. Somebody is worst in every table; who clearly is, is told by all years
together: a single year of a small collection has few identical summaries for each judge.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.document.blocks import Block, Column, Table, Text, form_of
from quorate.document.terminal import render
from quorate.errors import InputError
from quorate.inference.answer import answer
from quorate.inference.results import Finding, Options, clean
from quorate.panel.kinds import Scores
from quorate.reproduce.rows import How, Reproduced, Row, facts
from quorate.summaries.trained import lock, table5
from quorate.summaries.trained.campaign import YEARS, campaigns, intake, three_years
from quorate.summaries.trained.content import recall
from quorate.summaries.trained.criteria import GAP, of_values
from quorate.summaries.trained.search import Progress
from quorate.summaries.trained.table5 import BESIDES, gains, table_5, told
from quorate.summaries.trained.year import PARTS, Year, as_columns, read_year, scores_of
from quorate.summaries.units.gaps import READINGS
from quorate.summaries.units.made_up import MARK, MadeUp
from quorate.table import parse

TITLE = "The effect of inconsistent assessors (Owczarzak, Rankel, Dang, Conroy)"
JUDGES = "ACDEFGH"  # the paper's, of 2011
STANDS = "a made-up collection stands in for TAC"
TOPICS, SYSTEMS = 14, 24  # of the made-up collection; TAC has about 45 and 50
STUDIED = 24, 30  # topics and systems of the collections on which training with and without judges is compared
TRAINING: Mapping[str, Any] = {"size": 2, "budget": 60, "again": 0}  # of the made-up one, to be quick
JUDGED: Mapping[str, Any] = {  # fitted: see FITTED
    "noise": 0.15,
    "identical": 0.5,
    "misses": 0.01,
    "careless": {"F": 0.15},
    "erratic": {"C": 0.6},
    "lapses": {},
}
FITTED = (
    "Table 1: the judges' noise and how many summaries are identical were chosen among three settings of an earlier "
    "made-up collection, by Table 1 (then 0.10 off on average, 0.13 with the present one). Tables 2 to 5 were not "
    "fitted.",
)
Found = dict[str, Any]  # a row of one of our tables
Key = tuple[str, str, str, str]  # table, criterion, place, figure
SLIPS = (
    "CLASSY is cited as of 2011 and ReCal as of 2004; the references have 2012 and 2010.",
    "The caption of Table 5 leaves out the most inconsistent topic; the text leaves out all topics of the most "
    "inconsistent judge or judges.",
    "Removing noisy topics is said to help in most cases: in Table 5 it does in 12 of 20, and by alpha in 1 of 4 of "
    "Pyramid; no change is significant, as the paper says itself.",
)


WANTED = "three years of TAC, called 2009 or as NIST's archives unpack (UpdateSumm09_eval), here or in a folder tac"


def has_data(how: How) -> bool:
    """Whether there is a collection to compute from."""
    return collection(how.data) is not None


def reproduce(how: How) -> Reproduced:
    """All cells of Tables 1 to 5; Figure 1 has no printed numbers."""
    given = collection(how.data)
    invented = given is None or (given / MARK).is_file()
    source, note = ("simulation", STANDS) if invented else ("data", "")
    shown = basis = ""
    if given is None:
        found = _made_up(how)
    else:
        found = tables(given, seed=how.seed, progress=how.progress, **_training(how, {}))
        taken = intake(three_years(given))
        shown = text(found) + "\n" + taken.text()
        found += [{"table": "intake", **row} for row in taken.lists]
        basis = f"from the made-up collection in {given}" if invented else f"from the data in {given}"
    ours = dict(_keyed(found))
    rows = [_row(fact, ours, source, note) for fact in facts("assessors_tables")]
    gaps = [value for key, value in ours.items() if key[0] == "figure 1"]
    about = f"drawn only; {note}" if note else "drawn only"
    rows += [
        Row("Figure 1", f"mP - aP, judge {k} from the lowest", None, v, source, about) for k, v in enumerate(gaps, 1)
    ]
    studied = _studied(how) if given is None and how.studies > 1 else []
    missing, fitted = tuple(_missing(given is None, invented)), FITTED if given is None else ()
    told = tuple(r.note for r in studied)
    every = (*rows, *studied)
    return Reproduced("assessors", TITLE, every, SLIPS, missing, fitted, shown, tuple(found), basis, told)


def _training(how: How, usual: Mapping[str, Any]) -> dict[str, Any]:
    """How metrics are trained: as usual, but for what was asked."""
    asked = {"budget": how.budget, "choice": how.choice}
    return {**usual, **{k: v for k, v in asked.items() if v is not None}}


def _missing(ours: bool, invented: bool) -> Iterator[str]:
    yield "Table 5: how CLASSY2 and CLASSY4 differ the paper does not say; ours differ in the fit."
    if invented:
        yield (
            "Tables 3 and 4, readability and responsiveness: how well a made-up system chooses and how it writes have "
            "nothing to do with one another, so ROUGE-2 goes with these scores less than with real ones."
        )
    if ours:
        yield "Table 5 is trained on few subsets of features; a folder tac in --data is read in full."


def collection(data: Path | None) -> Path | None:
    """A collection laid out as NIST hands it out: the folder itself, or ``tac`` in it."""
    both = (data / "tac", data) if data is not None else ()
    return next((f for f in both if f.is_dir() and len(campaigns(f)) >= YEARS), None)


def _made_up(how: How) -> list[Found]:
    with tempfile.TemporaryDirectory() as folder:
        MadeUp(judges=JUDGES, seed=how.seed, topics=TOPICS, systems=SYSTEMS, **JUDGED).write(folder)
        return tables(
            Path(folder), seed=how.seed, resamples=100, controls=2, progress=how.progress, **_training(how, TRAINING)
        )


def _studied(how: How) -> list[Row]:
    """Whether training without the worst judges pays, over several collections with the generator's own judges."""
    tables = []
    for k in range(how.studies):
        if how.progress:
            how.progress("collections", k, how.studies)
        tables.append(table_5(MadeUp(seed=how.seed + k, topics=STUDIED[0], systems=STUDIED[1]), seed=how.seed + k))
    out = []
    for g in gains(tables):
        cell = f"{g.labels['target'] or 'all targets'}, gain against {BESIDES[g.labels['beside']]}"
        out.append(Row("Table 5", cell, None, g.value, "simulation", told(g)))
    return out


def _row(fact: Mapping[str, str], ours: Mapping[Key, float | None], source: str, note: str) -> Row:
    what = fact["who"] if fact["table"] == "5" else fact["criterion"]  # of Table 5 the version of CLASSY
    key = fact["table"], what, fact["place"], fact["figure"]
    cell = f"{fact['criterion']}, {fact['place']}, {fact['figure']}"
    who = f" ({fact['who']})" if fact["who"] else ""
    return Row(f"Table {fact['table']}", cell + who, fact["value"], ours.get(key), source, note)


def _keyed(found: Iterable[Found]) -> Iterator[tuple[Key, float | None]]:
    """Our rows by the paper's cells; judges by their place from the most consistent one."""
    alphas: dict[str, list[float]] = {}
    for n, r in enumerate(found):
        if r["table"] == "1" and r["alpha"] is not None:
            alphas.setdefault(r["criterion"], []).append(r["alpha"])
        elif r["table"] == "2" and r["worst"]:
            yield ("2", r["criterion"], f"without {r['worst']} worst", r["coefficient"]), r["value"]
        elif r["table"] in ("3", "4"):
            yield (r["table"], r["criterion"], f"without {r['worst']} worst", "pearson"), r["pearson"]
        elif r["table"] == "5":
            yield ("5", r["version"], f"{r['population']}, {r['part']}", r["training"]), r["pearson"]
        elif r["table"] == "figure 1":
            yield ("figure 1", "mP-aP", str(n), "gap"), r["gap"]
    for criterion, values in alphas.items():
        for k, alpha in enumerate(sorted(values, reverse=True), 1):
            yield ("1", criterion, f"{k} of {len(JUDGES)}", "alpha"), alpha


# -- our tables, of a collection with three years ----------------------------------------------------------------------


def tables(
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
) -> list[Found]:
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
    out: list[Found] = [*consistency(third, seed, resamples), *missed(third, seed, resamples)]
    out += exclusion(third, worst, seed, resamples)
    out += rouge_2(third, worst, seed, resamples)
    out += ({"table": "5", **row} for row in table5.rows(trained, third, seed=seed))
    out += named((first, second, third), seed, resamples)
    out += alike(out, seed)
    return [dict(clean(r)) for r in out]


def consistency(year: Year, seed: int = 0, resamples: int = 500) -> Iterator[Found]:
    """Table 1: each judge's alpha with himself over identical summaries, worst first."""
    for o in _asked("judges", "self_consistency", year.panel, seed, resamples).overall:
        row = {"table": "1", "judge": o.labels["judge"], "criterion": o.labels["criterion"], "alpha": o.value}
        yield {**row, "interval": o.ends, "units": o.labels["units"]}


def missed(year: Year, seed: int = 0, resamples: int = 500) -> Iterator[Found]:
    """Figure 1: each judge's mean of manual minus automatic pyramid scores, lowest first."""
    for e in year.auto.judges(seed=seed, resamples=resamples):
        counted = {n: e.labels[n] for n in ("tasks", "items", *READINGS)}
        yield {"table": "figure 1", "judge": e.labels["judge"], "gap": e.value, "interval": e.ends, **counted}


def exclusion(year: Year, worst: int = 2, seed: int = 0, resamples: int = 500) -> Iterator[Found]:
    """Table 2: the systems' order without the tasks of the worst judges, beside as many random tasks."""
    for name, panel, by in _ways(year):
        method = f"without_worst(by={by}, worst={worst}, drop=tasks)"
        for o in _asked("trust", method, panel, seed, resamples).overall:
            if o.labels["coefficient"] != "kendall":
                row: Found = {"table": "2", "criterion": name or o.labels["criterion"], "worst": o.labels["worst"]}
                row |= {"judges": o.labels["judges"], "coefficient": o.labels["coefficient"], "value": o.value}
                yield {**row, "interval": o.ends, "random": o.labels["random"]}


def rouge_2(year: Year, worst: int = 2, seed: int = 0, resamples: int = 500) -> Iterator[Found]:
    """Tables 3 and 4: ROUGE-2 and the judges, of systems' means and of each judge's summaries, before and after."""
    for name, panel, by in _ways(year):
        metric = _rouge_panel(year, "system" in panel.labels)
        method = f"metrics(by={by}, worst={worst}, drop=tasks)"
        for o in _asked("trust", method, panel, seed, resamples, metric).overall:
            if o.labels["level"] in ("system", "judge"):
                row: Found = {"table": "3" if o.labels["level"] == "system" else "4"}
                row |= {"criterion": name or o.labels["criterion"], "worst": o.labels["worst"], "pearson": o.value}
                yield {**row, "interval": o.ends, "random": o.labels["random"]}


def _asked(question: str, method: str, panel: Scores, seed: int, resamples: int, *metrics: Scores) -> Finding:
    chosen = [parse(method, "scores", question)]
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


def alike(rows: Sequence[Found], seed: int = 0) -> list[Found]:
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


def text(found: list[Found], width: int = 80) -> str:
    """All tables for people."""
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


def named(years: Sequence[Year], seed: int = 0, resamples: int = 500) -> Iterator[Found]:
    """Every judge by both routes, worst first: the value over all years, an interval, p, and whether to be named."""
    yield from _rows(_asked("judges", "self_consistency", scores_of(years), seed, resamples), ALPHA, years)
    if all(y.annotated is not None for y in years):
        yield from _rows(_asked("judges", "auto_pyramid", _gaps(years), seed, resamples), GAP, years)


def _rows(found: Finding, route: str, years: Sequence[Year]) -> Iterator[Found]:
    for o in found.overall:
        row: Found = {"table": "named", "route": route, "criterion": o.labels["criterion"], "judge": o.labels["judge"]}
        row |= {"value": o.value, "interval": o.ends}
        yield {**row, "p": o.labels["p"], "named": o.labels["flag"], "years": [y.name for y in years]}


def _gaps(years: Sequence[Year]) -> Scores:
    names = ("task", "item", "judge", "criterion", "score", "auto")
    every = ((f"{y.name} {g.task}", g.item, g.judge, "pyramid", g.manual, g.auto) for y in years for g in y.auto.items)
    return Scores.build(as_columns(names, every))


def sentences(rows: Sequence[Found]) -> list[str]:
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


def _said(rows: Sequence[Found]) -> str:
    bad = [r for r in rows if r["named"]]
    if not bad:
        return f"nobody stands out on {rows[0]['criterion']} (lowest: {_shown(rows[0])})"
    return f"on {rows[0]['criterion']} {' and '.join(map(_shown, bad))} {'stands' if len(bad) == 1 else 'stand'} out"


def _shown(row: Found) -> str:
    return f"{row['judge']} {row['value']:.2f}"
