"""Tables of scores: a row per judge and criterion, and of self-consistency the judges ranked side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.table import Table

from quorate.inference.results import Answer, Finding, Overall
from quorate.terminal.text import TASKS, between, figure, plain_table, shown_of

SHORT = {"peer_correlation": "peers", "self_consistency": "self", "scale_use": "scale"}
ALONE = (
    "units",
    "nearest",
    "others",
    "alpha_without",
    "advantage",
    "humans",
    "won",
    "distinct",
    "most_common",
    "share",
)


def judges(answer: Answer, width: int) -> Iterator[Any]:
    """Of several methods a table per criterion, a column each; of one method its interval and details."""
    if not answer.findings:
        return
    if len(answer.findings) == 1:
        yield _one(answer.findings[0])
    else:
        for number, criterion in enumerate(_criteria(answer)):
            if number:
                yield ""
            yield _several(answer, criterion)
    for f in answer.findings:
        if f.method.name == "self_consistency":
            yield from _ranked(f)


def _criteria(answer: Answer) -> list[Any]:
    return list(dict.fromkeys(o.labels.get("criterion") for f in answer.findings for o in f.overall))


def _several(answer: Answer, criterion: Any) -> Table:
    all_names = [f.method.name for f in answer.findings]
    found = {
        # Told apart by their parameters where a method is there twice.
        f.method.name if all_names.count(f.method.name) == 1 else str(f.method): {
            o.labels["judge"]: o for o in f.overall if o.labels.get("criterion") == criterion
        }
        for f in answer.findings
    }
    names = list(dict.fromkeys(j for by in found.values() for j in by))
    marks = {j: [SHORT.get(m, m) for m, by in found.items() if j in by and by[j].labels.get("flag")] for j in names}
    names.sort(key=lambda j: -len(marks[j]))
    cut = f", {TASKS} of {len(names)} judges" if len(names) > TASKS else ""
    title = "By judge" if criterion is None else str(criterion)
    table = plain_table(f"{title}, those with most against them first{cut}")
    table.add_column("judge", overflow="fold")
    for name in found:
        table.add_column(SHORT.get(name, name), justify="right", overflow="fold")
    table.add_column("flagged for", overflow="fold")
    for judge in names[:TASKS]:
        cells = [_short(by.get(judge)) for by in found.values()]
        table.add_row(str(judge), *cells, ", ".join(marks[judge]))
    return table


def _short(o: Overall | None) -> str:
    return "-" if o is None or math.isnan(o.value) else f"{o.value:.2f}"


def _one(f: Finding) -> Table:
    level = next((o.interval for o in f.overall if o.interval), None)
    named = any("criterion" in o.labels for o in f.overall)
    shown = [n for n in ALONE if any(n in o.labels for o in f.overall)][:4]
    flags = any("flag" in o.labels for o in f.overall)
    cut = f", {TASKS} of {len(f.overall)}" if len(f.overall) > TASKS else ""
    table = plain_table(f"{f.method}: worst first{cut}")
    heads = [*(["criterion"] if named else []), "judge", "value"]
    heads += [f"{level.level:.0%} interval ({level.by})"] if level else []
    for head in [*heads, *(n.replace("_", " ") for n in shown), *(["flagged"] if flags else [])]:
        table.add_column(
            head, overflow="fold", justify="left" if head in ("criterion", "judge", "flagged") else "right"
        )
    for o in f.overall[:TASKS]:
        cells = [str(o.labels["criterion"])] if named else []
        cells += [str(o.labels["judge"]), figure(o.value), *([between(o.interval)] if level else [])]
        cells += [_cell(o.labels.get(n)) for n in shown]
        table.add_row(*cells, *(["yes" if o.labels.get("flag") else ""] if flags else []))
    return table


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.3g}"
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _ranked(f: Finding) -> Iterator[Any]:
    """Judges by consistency with themselves, best first, each criterion a column: alpha, interval and units."""
    columns: dict[Any, list[Overall]] = {}
    for o in f.overall:
        columns.setdefault(o.labels.get("criterion"), []).append(o)
    if not any(not math.isnan(o.value) for o in f.overall):
        return
    yield ""
    per = 2
    names = list(columns)
    for a in range(0, len(names), per):
        some = names[a : a + per]
        listed = max(len(columns[n]) for n in some)
        table = plain_table(f"Consistency with oneself, best first{shown_of(listed)}: alpha, interval, units")
        for name in some:
            table.add_column("judge", overflow="fold")
            table.add_column("alpha" if name is None else str(name), justify="right", overflow="fold")
        ranked = [sorted(columns[n], key=lambda o: (math.isnan(o.value), -o.value)) for n in some]
        for row in range(min(max(map(len, ranked)), TASKS)):
            cells: list[str] = []
            for column in ranked:
                cells += _entry(column[row]) if row < len(column) else ["", ""]
            table.add_row(*cells)
        yield table
    if "year" in f.keys:
        for name in names:
            yield from _by_year(f, name, sorted(columns[name], key=lambda o: (math.isnan(o.value), -o.value)))


def _by_year(f: Finding, criterion: Any, ranked: list[Overall]) -> Iterator[Any]:
    """The same year by year: a row per judge in the order of the pooled figures, two years side by side."""
    cells: dict[tuple[Any, Any], str] = {}
    for row in f.rows():
        if row.get("criterion") == criterion:
            ends, value = row["details"].get("interval"), row["value"]
            around = f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends and None not in ends else ""
            said = "undefined" if value is None else f"{value:.3f}{around}"
            cells[row["judge"], row["year"]] = f"{said}, {row['details']['units']}"
    years = sorted({year for _, year in cells}, key=str)
    on = "" if criterion is None else f" on {criterion}"
    for a in range(0, len(years), 2):
        table = plain_table(f"Consistency with oneself{on} by year{shown_of(len(ranked))}")
        table.add_column("judge", overflow="fold")
        for year in years[a : a + 2]:
            table.add_column(str(year), justify="right", overflow="fold")
        for o in ranked[:TASKS]:
            judge = o.labels["judge"]
            table.add_row(str(judge), *(cells.get((judge, y), "-") for y in years[a : a + 2]))
        yield ""
        yield table


def _entry(o: Overall) -> list[str]:
    units = o.labels["units"]
    if math.isnan(o.value):
        return [str(o.labels["judge"]), f"undefined, {units}"]
    ends = f" ({o.interval.low:.2f} to {o.interval.high:.2f})" if o.interval else ""
    return [str(o.labels["judge"]), f"{o.value:.3f}{ends}, {units}"]


LAYOUTS = {"scores x judges": judges}
