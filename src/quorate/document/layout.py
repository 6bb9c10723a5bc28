"""An answer as blocks: its sentences, its tables, its notes. The same for terminal, Markdown, page and JSON.

Which labels are shown and how is declared in :mod:`quorate.document.columns`; here it is said what a row is about:
a judge, a system, an item, a task.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, islice
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Column, Document, Table, Text, with_notes
from quorate.document.columns import BESIDE, HIDDEN, NOTES, OF, OUTLIERS, ROWS, VALUES, ci_column, column
from quorate.document.consensus_tables import decided_table, group_count_table, group_tables, order_table, place_table
from quorate.document.pivot import (
    MOST,
    VALUE,
    Entry,
    Key,
    about_keys,
    as_number,
    did_all_tasks,
    distinct_findings,
    every_figure,
    figures,
    interval_column,
    method_headings,
    pivot,
    row_keys,
    undefined_last,
)
from quorate.formats.inspect import Receipt
from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding
from quorate.panel.columns import Coded
from quorate.panel.kinds import Scores
from quorate.words.numbers import place

# Lists of an answer that have a place of their own.
APART = ("description", "by_task", "by_pair", "ranks", "flagged", "without_flagged")
ASIDE = ("interval_by", "resamples", "median_pair")  # which are in the JSON only
ACROSS = {"without_worst": "coefficient", "metrics": "worst"}  # labels whose values stand side by side
FEW = 4  # tasks that are told side by side
FLAGGED = Column("flag", "flagged by", "names")
DIAGNOSIS = Column("diagnosis", "diagnosis", help="what a flagged judge seems to do")


def document(answer: Answer) -> Document:
    """The whole answer."""
    return Document("", tuple(blocks(answer)), {"kind": answer.kind, "question": answer.question})


def blocks(answer: Answer) -> list[Block]:
    """What was read, in two lines; then sentences, then tables, then notes."""
    out: list[Block] = []
    if answer.panel is not None and answer.panel.reading.files:
        out.append(Text(Receipt(answer.panel).brief()))
    if answer.sentences:
        out.append(Text(answer.sentences, "lead"))
    return with_notes([*out, *tables(answer)], answer.notes)


def tables(answer: Answer) -> list[Block]:
    """The tables of an answer, and what is said between them; empty ones are left out."""
    found = [*_LAYOUTS[answer.question](answer), *_description(answer), *_more(answer)]
    return [b for b in found if not isinstance(b, Table) or b.rows]


# -- agreement ---------------------------------------------------------------------------------------------------------


def _agreement(answer: Answer) -> Iterator[Block]:
    """A row per method and criterion; below it every two judges, and the tasks."""
    found = distinct_findings(answer)
    overall = every_figure(found)
    keys = [*(["criterion"] if any("criterion" in o.labels for o in overall) else []), "method"]
    inside = interval_column(overall)
    entries: list[Entry] = [
        (tuple(str(f.method) if k == "method" else o.labels[k] for k in keys), "", cells)
        for f in found
        for o, cells in figures(f, inside, labels=(), ends=False)
    ]
    yield pivot("", keys, entries, name="overall")
    if all(o.value != o.value for o in overall):  # also of counts too large for a float
        return  # nor is any of its parts defined
    yield from _pairs([f for f in found if "pair" in f.keys and len(f.values)])
    if answer.panel is not None and answer.panel.nesting:
        yield from _by_unit(answer, found, answer.panel.nesting[0])
    if answer.tasks > 1:
        yield _by_task(answer, found)


def _by_unit(answer: Answer, found: Sequence[Finding], unit: str) -> Iterator[Table]:
    """What tasks are nested in, most agreement by the first method first, with intervals over the tasks inside."""
    rows, names = answer.more.get(f"by_{unit}", ()), method_headings(found)
    inside = Column("interval", "interval", "interval", "over the tasks in it", minor=2)
    entries: list[Entry] = []
    extra = dict.fromkeys(n for r in rows for n in r if n not in (unit, "value", "ends", "tasks", "method"))
    heads = {n: column(n, [r[n] for r in rows if n in r]) for n in extra}  # one for all rows, whatever their values
    for r in rows:
        more = {head: r[n] for n, head in heads.items() if n in r}
        if r["method"] in names:
            cells = {VALUE: as_number(r["value"]), inside: r["ends"], column("tasks"): r["tasks"], **more}
            entries.append(((r[unit],), names[r["method"]], cells))
    if entries:
        title = f"By {unit}, most agreement{f' by {found[0].method}' if len(found) == 1 else ''} first"
        yield pivot(title, [Column(unit, unit)], entries, name=f"by-{unit}")


def _by_task(answer: Answer, found: Sequence[Finding]) -> Table:
    """Tasks with the values of all methods, least agreement by the first one first."""
    keys, names, sign = ["task"], method_headings(found), _sign(found[0])
    if "by_task" in answer.more:
        values: dict[str, dict[Key, Any]] = {str(f.method): {} for f in found}
        for r in answer.more["by_task"]:
            values.get(r["method"], {})[r["task"],] = r["value"]
        lead = values[str(found[0].method)]
        number, order = len(lead), sorted(lead, key=lambda key: undefined_last(lead[key], sign))[:MOST]
    else:
        keys = [k for k in ("task", "criterion") if k in found[0].keys]
        first, number = found[0], len(found[0].values)
        least = np.argsort(sign * np.array(first.values, float), kind="stable")[:MOST].tolist()  # undefined ones last
        order = [tuple(first.keys[k][i] for k in keys) for i in least]
        values = {str(f.method): _values_of(f, order, keys, (first, least)) for f in found}
    entries = [(k, names[m], {VALUE: as_number(of.get(k))}) for m, of in values.items() for k in order]
    by = f" by {found[0].method}" if len(found) == 1 else ""
    return pivot(f"By task, least agreement{by} first", keys, entries, name="by-task", of=number)


def _values_of(
    f: Finding, wanted: Sequence[Key], keys: Sequence[str], known: tuple[Finding, Sequence[int]]
) -> dict[Key, Any]:
    """What a method says of some rows by their keys; of very many rows at the places that they have in a finding."""
    first, places = known
    columns = [(f.keys[n], first.keys[n]) for n in keys if n in f.keys]
    if all(isinstance(a, Coded) and isinstance(b, Coded) and a.same_as(b) for a, b in columns):
        return {key: f.values[i] for key, i in zip(wanted, places, strict=True)}
    some = set(wanted)
    return {k: v for k, v in zip(row_keys(f, keys), f.values, strict=True) if k in some}


def _pairs(found: Sequence[Finding]) -> Iterator[Table]:
    """Every two judges, those who agree least first, below what chance gives; of two ways the mean."""
    if not found:
        return
    first, ways, names = found[0], _ways(found[0]), method_headings(found)
    values = {str(f.method): np.asarray(f.values, float).reshape(-1, _ways(f)).mean(axis=1) for f in found}
    lead = values[str(first.method)]
    order = np.argsort(np.where(np.isnan(lead), np.inf, _sign(first) * lead), kind="stable")[:MOST].tolist()
    start = 0 if len(set(first.keys["task"])) > 1 else 1  # a task only where there are several
    about = [(first.keys["task"][k * ways], tuple(map(str, first.keys["pair"][k * ways])))[start:] for k in order]
    entries: list[Entry] = []
    for f in found:
        if f.overall and f.overall[0].chance:
            entries.append((("", "chance")[start:], names[str(f.method)], {VALUE: f.overall[0].chance.value}))
    for m, of in values.items():
        entries += [(key, names[m], {VALUE: v}) for key, v in zip(about, of[order].tolist(), strict=True)]
    both = "; mean of both ways" if any(_ways(f) > 1 for f in found) else ""
    title = f"Every two judges, least agreement first{both}"
    yield pivot(title, ["task", "pair"][start:], entries, name="pairs", of=len(lead))


def _ways(f: Finding) -> int:
    """How many rows a pair has, one below the other: two where it matters which judge comes first."""
    pairs = f.keys["pair"]
    return 2 if len(pairs) > 1 and list(pairs[0]) == list(pairs[1])[::-1] else 1


def _sign(f: Finding) -> int:
    return -1 if f.method.declaration.higher == "less agreement" else 1


# -- judges ------------------------------------------------------------------------------------------------------------


def _judges(answer: Answer) -> Iterator[Block]:
    """A row per judge with the figures of all methods, those flagged first; a table per criterion."""
    found = [f for f in distinct_findings(answer) if f.overall]
    criteria = list(dict.fromkeys(o.labels.get("criterion") for o in every_figure(found)))
    for criterion in criteria:
        some = [
            replace(f, overall=tuple(o for o in f.overall if o.labels.get("criterion") == criterion)) for f in found
        ]
        off = [r for r in answer.more.get("flagged", ()) if r.get("criterion", criterion) == criterion]
        yield _judged(answer, [f for f in some if f.overall], off, f"{criterion}: " if len(criteria) > 1 else "")
    yield from (table for f in found if "year" in f.keys for table in _by_year(f))


def _judged(answer: Answer, found: Sequence[Finding], off: Sequence[Mapping[str, Any]], named: str) -> Table:
    alone, inside, names = len(found) == 1, interval_column(every_figure(found)), method_headings(found)
    ranks: dict[Any, Mapping[str, Any]] = {r["judge"]: r for r in answer.more.get("ranks", ())}
    flagged: dict[Any, list[str]] = {judge: [] for judge in ranks}
    flagged |= {r["judge"]: [str(r["evidence"]["method"])] for r in off}
    figured, (found, number) = list[Entry](), _first_judges(found, {r["judge"] for r in off})
    for f in found:
        hidden = ("tasks",) if did_all_tasks(f, answer) else ()
        for o, told in figures(f, inside, labels=None if alone else ("leans",)):
            judge = o.labels["judge"]
            flagged.setdefault(judge, []).extend([f.method.name] if o.labels.get("flag") else [])
            seen = {c: v for c, v in told.items() if c.key not in hidden}
            cells = {c: None if c.key == "value" and v != v and not o.n else v for c, v in seen.items()}  # of nothing
            figured.append(((judge,), names[str(f.method)], cells))
    any_off, diagnosed = any(flagged.values()), {r["judge"]: r["diagnosis"] for r in off}
    entries: list[Entry] = []
    for judge in sorted(flagged, key=lambda j: (j not in diagnosed, -len(set(flagged[j])))):
        head: dict[Column, Any] = {DIAGNOSIS: diagnosed.get(judge, "") if off else None}
        if not alone:
            head[FLAGGED] = list(dict.fromkeys(flagged[judge])) if any_off else None
        head |= {column(n): ranks[judge][n] for n in ("mean_rank", "left_out") if ranks}
        entries.append(((judge,), "", head))
    who = "outliers" if alone and found[0].method.name in OUTLIERS and not off else "flagged ones"
    first = f"{who} first" if any_off else "worst first"
    method = f"{found[0].method}: " if alone else ""
    title = f"{method}{named}by judge, {first}" if alone or named else f"By judge, {first}"
    return pivot(title, ["judge"], [*entries, *figured], name="judges", of=number)


def _first_judges(found: Sequence[Finding], off: set[Any]) -> tuple[Sequence[Finding], int]:
    """The figures of as many judges as a table has room for, those flagged first, and how many judges there are."""
    flags: dict[Any, int] = {}
    for o in every_figure(found):
        flags[o.labels["judge"]] = flags.get(o.labels["judge"], 0) + bool(o.labels.get("flag"))
    if len(flags) <= MOST:
        return found, len(flags)
    kept = set(sorted(flags, key=lambda j: (j not in off, -flags[j]))[:MOST])
    return [replace(f, overall=tuple(o for o in f.overall if o.labels["judge"] in kept)) for f in found], len(flags)


def _by_year(f: Finding) -> Iterator[Table]:
    """The same year by year: a row per judge, years side by side."""
    rows, inside = sorted(f.rows(), key=lambda r: str(r["year"])), Column("interval", "interval", "interval", minor=2)
    for criterion in dict.fromkeys(r.get("criterion") for r in rows):
        entries: list[Entry] = [
            (
                (r["judge"],),
                str(r["year"]),
                {
                    VALUE: as_number(r["value"]),
                    inside: r["details"].get("interval"),
                    column("units"): r["details"]["units"],
                },
            )
            for r in rows
            if r.get("criterion") == criterion
        ]
        on = "" if criterion is None else f" on {criterion}"
        yield pivot(f"{f.method}{on} by year", ["judge"], entries, name="by-year")


# -- consensus ---------------------------------------------------------------------------------------------------------


def _consensus(answer: Answer) -> Iterator[Block]:
    """Rankings, groups or scores, by what the values are called."""
    called, findings = {f.called for f in answer.findings}, answer.findings
    if called == {"ranking"}:
        one = all(len(f.values) == 1 for f in findings)  # of one task, or of all tasks together
        yield place_table(answer) if one else order_table(answer)
    elif called == {"groups"}:
        for f in findings:
            yield from group_tables(f) if answer.tasks == 1 else [group_count_table(f)]
        inside = interval_column(every_figure(findings))
        entries = [((str(f.method),), "", cells) for f in findings for _, cells in figures(f, inside)]
        yield pivot("Agreement of a judge with the consensus", ["method"], entries, name="overall")
    else:
        yield from _systems(answer)
        if decided := [f for f in findings if "votes" in f.details]:
            yield decided_table(decided)
        if findings:
            yield Text((f"Every item: --format csv or json ({len(findings[0].values):,} values a method).",))


# -- quality -----------------------------------------------------------------------------------------------------------


def _systems(answer: Answer) -> Iterator[Block]:
    """A row per system, best first by the first method; methods and criteria side by side."""
    found = [f for f in answer.findings if f.overall and "group" in f.overall[0].labels]
    if not found:
        return
    inside, names = interval_column(every_figure(found)), method_headings(found)
    entries: list[Entry] = []
    shown, of = _shown([f.overall for f in found])
    for f, some in zip(found, shown, strict=True):
        hidden = ("p", "first", *(("tasks",) if did_all_tasks(f, answer) else ()))
        for o, cells in figures(replace(f, overall=some), inside):
            on = [str(o.labels["criterion"])] if "criterion" in o.labels else []
            group = ", ".join([*([names[str(f.method)]] if len(found) > 1 or not on else []), *on])
            told = {c: v for c, v in cells.items() if c.key not in hidden}
            entries.append(((o.labels["system"],), group, {c: v for c, v in told.items() if c.key != "tasks"}))
            entries.append(((o.labels["system"],), "", {c: v for c, v in told.items() if c.key == "tasks"}))
    overall = every_figure(found)
    what = _what(answer)
    letters = f"{what}s that share a letter do not differ significantly"
    if all(o.least >= ALPHA for o in overall) and {o.labels["group"] for o in overall} <= {"", "a"}:
        letters = "letters say nothing here"
    name = str(found[0].method) if len(found) == 1 else f"{what.capitalize()}s"
    yield pivot(f"{name}, best first; {letters}", [what], entries, groups=[""], name="systems", of=of)


def _shown(boards: Sequence[Sequence[Estimate]]) -> tuple[list[tuple[Estimate, ...]], int]:
    """The figures of the systems that a table has room for, the first that there are; and how many there are.

    A cell costs as much as a figure, and of a million items few are shown.
    """
    every = dict.fromkeys([o.labels["system"] for overall in boards for o in overall])
    few = set(islice(every, MOST))
    for overall in boards:  # beyond, one that has what those may lack: the columns are those of all
        for has in ([o.interval for o in overall], [o.null for o in overall], [o.labels["group"] for o in overall]):
            few.update(o.labels["system"] for o in islice(compress(overall, has), 1))
    return [tuple(o for o in overall if o.labels["system"] in few) for overall in boards], len(every)


def _what(answer: Answer) -> str:
    """What a leaderboard is of: scores of a panel without systems are of its items."""
    return "item" if isinstance(answer.panel, Scores) and not answer.panel.of_systems else "system"


def per_task(answer: Answer) -> Iterator[Table]:
    """Of each method a row per task and a column per system."""
    for f in answer.findings:
        if "system" in f.keys and "task" in f.keys:
            order = [str(o.labels["system"]) for o in f.overall]
            rows = zip(f.keys["task"], f.keys["system"], f.values, strict=True)
            entries = [((t,), str(s), {VALUE: as_number(v)}) for t, s, v in rows]
            yield pivot(f"{f.method} by task", ["task"], entries, groups=order, name="per-task")


# -- trust -------------------------------------------------------------------------------------------------------------


def _trust(answer: Answer) -> Iterator[Block]:
    """The figures of each method; then its rows, where they say more."""
    for f in answer.findings:
        if f.overall:
            yield _figures(f)
        if f.method.name in ROWS and "task" not in f.keys:
            yield _rows(f)
        if f.method.name == "bootstrap" and "item" in f.keys and answer.tasks == 1:
            yield _resampled(f)


def _figures(f: Finding) -> Table:
    """A row per thing that the figures are about: a method of quality, a judge, a metric."""
    across = ACROSS.get(f.method.name, "")
    names = about_keys(f.overall[0], across)
    names += ("judges",) if across == "coefficient" else ()  # who was left out
    columns = [column(k, (o.labels.get(k) for o in f.overall)) for k in names] or [column("method")]
    if f.method.name in OF:
        columns = [replace(c, head=OF[f.method.name]) if c.key == "of" else c for c in columns]
    entries: list[Entry] = []
    for o, cells in figures(f, interval_column(f.overall)):
        group = str(o.labels[across]) if across else ""
        if across == "worst":
            group = f"without the {o.labels['worst']} worst" if o.labels["worst"] else "all judges"
        key = tuple(o.labels[k] for k in names) or (str(f.method),)
        entries.append((key, group, {c: v for c, v in cells.items() if c.key not in names}))
    told = all(about.get("shares", True) for about in f.about)  # of a sweep: lengths as shares, not as counts
    note = NOTES.get(f.method.name, "") if told else ""
    return pivot(str(f.method), columns, entries, name=f.method.name, note=note)


def _rows(f: Finding) -> Table:
    """The rows of a method by their keys; of two keys the second stands across, where there is one value each."""
    names, value = list(f.keys), ROWS[f.method.name]
    shown = [n for n in f.details if n not in HIDDEN or n in BESIDE.get(f.method.name, ())]
    title = f"{f.method}: {value.head} by {' and '.join(column(n).head for n in names)}"
    name = f"{f.method.name}-rows"
    if len(names) == 2 and not shown:
        rows = zip(*f.keys.values(), f.values, strict=True)
        entries: list[Entry] = [((down,), f"{names[1]} {place(across)}", {value: v}) for down, across, v in rows]
        return pivot(title, names[:1], entries, name=name)
    order: Sequence[int] = range(len(f.values))
    if names == ["of"]:
        order, title = sorted(order, key=lambda k: undefined_last(f.values[k], -1)), f"{title}, best first"
    columns = {n: column(n, f.details[n]) for n in shown}
    entries = [
        (
            tuple(f.keys[n][k] for n in names),
            "",
            {value: f.values[k]} | {c: f.details[n][k] for n, c in columns.items()},
        )
        for k in order[:MOST]
    ]
    return pivot(title, [column(n, f.keys[n]) for n in names], entries, name=name)


def _resampled(f: Finding) -> Table:
    """Every item of one task's consensus, with where it would stand on other panels."""
    columns = [Column("rank", "rank", "place"), Column("interval", "interval", "interval:place"), column("first")]
    told = zip(f.keys["item"], f.values, f.details["interval"], f.details["first"], strict=True)
    entries = [((item,), "", dict(zip(columns, cells, strict=True))) for item, *cells in told]
    return pivot("By item", ["item"], entries, name="items")


# -- further lists -----------------------------------------------------------------------------------------------------


def _description(answer: Answer) -> Iterator[Table]:
    """What judges of groupings made, by judge: of a few tasks each, of more their means."""
    rows: Sequence[Mapping[str, Any]] = answer.more.get("description", ())
    own: dict[Any, list[Mapping[str, Any]]] = {}
    for r in rows:
        own.setdefault(r["judge"], []).append(r)
    means = len({r["task"] for r in rows}) > FEW
    form = "figure" if means else "count"
    columns = [Column("used", "used", form), Column("clusters", "clusters", form)]
    columns += [Column("per_cluster", "per cluster", "figure"), column("left_out")]
    title, entries = "What the judges made", list[Entry]()
    if means:
        title = f"{title}, mean over their tasks"
        for judge, of in own.items():
            cells = {c: _mean([r[c.key] for r in of]) for c in columns}
            entries.append(((judge,), "", {column("tasks"): len(of)} | cells))
    else:
        entries = [((r["judge"],), str(r["task"]), {c: r[c.key] for c in columns}) for r in rows]
    yield from [pivot(title, ["judge"], entries, name="description")] if rows else []


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else math.nan


def _more(answer: Answer) -> Iterator[Table]:
    """Tables of the further lists that some answers have."""
    nested = [f"by_{unit}" for unit in (answer.panel.nesting if answer.panel is not None else ())]
    for name, rows in answer.more.items():
        if name not in (*APART, *nested) and isinstance(rows, list) and rows and isinstance(rows[0], dict):
            columns = [_listed(name, n, rows, answer.options.level) for n in telling(name, rows)]
            cells = tuple(tuple(row[c.key] for c in columns) for row in rows[:MOST])
            yield Table(name.replace("_", " ").capitalize(), tuple(columns), cells, name=name, of=len(rows))


def _listed(name: str, key: str, rows: Sequence[Mapping[str, Any]], level: float) -> Column:
    """A column of a further list: the value as the method of that name has it, intervals with their level."""
    own = VALUES.get(name)
    if key == "value" and own is not None:
        return own
    if key == "interval":
        return ci_column(level, f"interval:{own.form}" if own is not None else "interval")
    return column(key, (r[key] for r in rows))


def telling(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of a list that say something here; all of them are in --format json."""
    silent = {c for c in rows[0] if c in ASIDE or all(row[c] is None or row[c] is False for row in rows)}
    return [c for c in rows[0] if c not in silent and not (c == "method" and all(row[c] == name for row in rows))]


_LAYOUTS: Mapping[str, Callable[[Answer], Iterator[Block]]] = {
    "agreement": _agreement,
    "judges": _judges,
    "consensus": _consensus,
    "quality": _systems,
    "trust": _trust,
}
