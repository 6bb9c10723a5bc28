"""Tables for the answers about scores: leaderboards by criterion, the worst judges dropped, metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.table import Table

from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Finding, Overall
from quorate.terminal.text import TASKS, between, figure, plain_table, shown_of

CRITERIA = 5  # that fit side by side


def leaderboards(answer: Answer, width: int) -> Iterator[Any]:
    """A leaderboard per method: of one criterion with intervals, of several side by side, with letters."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        if not f.overall:
            continue
        if "decided" in f.overall[0].labels:
            yield _labelled(f)
            continue
        criteria = list(dict.fromkeys(o.labels.get("criterion") for o in f.overall))
        yield _one(f) if len(criteria) == 1 else _side_by_side(f, criteria)
    if answer.question == "consensus":
        yield ""
        yield f"Every item: --format csv or json ({len(answer.findings[0].values):,} values a method)."


def _labelled(f: Finding) -> Table:
    """Items by the label that most judges gave."""
    several = "criterion" in f.keys
    table = plain_table(f"{f.method}{shown_of(len(f.values))}; no label where two were given equally often")
    for name in ("criterion", "task", "item", "label"):
        if name != "criterion" or several:
            table.add_column(name, overflow="fold")
    table.add_column("votes", justify="right")
    for i, label in enumerate(f.values[:TASKS]):
        first = [str(f.keys["criterion"][i])] if several else []
        votes = f"{f.details['votes'][i]} of {f.details['judges'][i]}"
        said = "-" if label is None else str(label)
        table.add_row(*first, str(f.keys["task"][i]), str(f.keys["item"][i]), said, votes)
    return table


def _letters(f: Finding) -> str:
    """What the letters mean; nothing, where no difference could be significant."""
    if all(o.least >= ALPHA for o in f.overall) and {o.labels["group"] for o in f.overall} <= {"", "a"}:
        return "letters say nothing here"
    return "systems that share a letter do not differ"


def _one(f: Finding) -> Table:
    seen = next((o.interval for o in f.overall if o.interval), None)
    table = plain_table(f"{f.method}{shown_of(len(f.overall))}; {_letters(f)}")
    table.add_column("system", overflow="fold")
    table.add_column("value", justify="right")
    table.add_column(f"{seen.level:.0%} interval ({seen.by})" if seen else "interval", justify="right")
    table.add_column("group", overflow="fold", max_width=24)
    for o in f.overall[:TASKS]:
        table.add_row(str(o.labels["system"]), figure(o.value), between(o.interval), o.labels["group"])
    return table


def _side_by_side(f: Finding, criteria: list[Any]) -> Table:
    shown = criteria[:CRITERIA]
    more = f", {len(criteria) - CRITERIA} more criteria in --format json" if len(criteria) > CRITERIA else ""
    cells = {(o.labels["system"], o.labels["criterion"]): o for o in f.overall}
    systems = list(dict.fromkeys(o.labels["system"] for o in f.overall))
    table = plain_table(f"{f.method}{shown_of(len(systems))}; {_letters(f)}{more}")
    table.add_column("system", overflow="fold")
    for c in shown:
        table.add_column(str(c), justify="right", overflow="fold")
        table.add_column("", overflow="fold", max_width=8)
    for s in systems[:TASKS]:
        row: list[str] = []
        for c in shown:
            o = cells.get((s, c))
            row += [f"{o.value:.3f}" if o and not math.isnan(o.value) else "-", o.labels["group"] if o else ""]
        table.add_row(str(s), *row)
    return table


# -- trust -------------------------------------------------------------------------------------------------------------


def trust(answer: Answer, width: int) -> Iterator[Any]:
    """A table per method."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        if f.overall:
            yield _TABLES.get(f.method.name, _plain)(f)


def _without_worst(f: Finding) -> Table:
    """As Table 2 of the paper: a row per criterion and number of judges dropped; random drops beside."""
    table = plain_table(f"{f.method}: correlation with the full leaderboard [as many random drops]")
    rows: dict[tuple[Any, int], dict[str, Overall]] = {}
    for o in f.overall:
        rows.setdefault((o.labels.get("criterion"), o.labels["worst"]), {})[o.labels["coefficient"]] = o
    named = any(c is not None for c, _ in rows)
    if named:
        table.add_column("criterion", overflow="fold")
    table.add_column("without", overflow="fold", max_width=16)
    for c in ("Pearson", "Spearman", "Kendall"):
        table.add_column(c, justify="right", overflow="fold")
    for (criterion, _), found in rows.items():
        cells = [f"{_three(o.value)} {_band(o)}" for o in found.values()]
        who = next(iter(found.values())).labels["judges"]
        table.add_row(*([str(criterion)] if named else []), str(who), *cells)
    return table


def _band(o: Overall) -> str:
    low, high = o.labels["random_low"], o.labels["random_high"]
    return f"[{_three(low)}..{_three(high)}]" if not math.isnan(low) else ""


def _three(value: Any) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.3f}"


def _influence(f: Finding) -> Table:
    table = plain_table(f"{f.method}: the leaderboard without each judge{shown_of(len(f.overall))}")
    return _columns(table, f, {"moved": "systems moved", "most": "most"}, "tau-b")


def _metrics(f: Finding) -> Table:
    """As Tables 3 and 4: a row per metric, criterion and level; before, and without the worst judges."""
    table = plain_table(f"{f.method}: correlation with human scores, and without the worst judges [random drops]")
    rows: dict[tuple[Any, ...], dict[int, Overall]] = {}
    for o in f.overall:
        key = (o.labels["metric"], o.labels.get("criterion"), o.labels["level"])
        rows.setdefault(key, {})[o.labels["worst"]] = o
    named = any(k[1] is not None for k in rows)
    table.add_column("metric", overflow="fold", max_width=12)
    if named:
        table.add_column("criterion", overflow="fold", max_width=12)
    table.add_column("level")
    most = max(k for found in rows.values() for k in found)
    for k in range(most + 1):
        table.add_column("all" if not k else f"-{k} worst", justify="right", overflow="fold")
    shown = list(rows.items())[: 2 * TASKS]
    for (metric, criterion, level), found in shown:
        ends = found[0].interval
        first = _three(found[0].value) + (f" ({ends.low:.2f}..{ends.high:.2f})" if ends else "")
        cells = [f"{_three(found[k].value)} {_band(found[k])}" if k in found else "-" for k in range(1, most + 1)]
        table.add_row(str(metric), *([str(criterion)] if named else []), level, first, *cells)
    if len(shown) < len(rows):
        table.caption = f"{len(rows) - len(shown)} more rows in --format json"
    return table


def _plain(f: Finding) -> Table:
    names = {n: n.replace("_", " ") for n in f.overall[0].labels if n not in ("criterion", "metric", "other")}
    return _columns(plain_table(f"{f.method}{shown_of(len(f.overall))}"), f, names, "value")


def _columns(table: Table, f: Finding, more: dict[str, str], called: str) -> Table:
    keys = [n for n in ("criterion", "judge", "metric", "other") if n in f.overall[0].labels]
    for name in keys:
        table.add_column(name, overflow="fold", max_width=16)
    seen = next((o.interval for o in f.overall if o.interval), None)
    table.add_column(called, justify="right")
    table.add_column(f"{seen.level:.0%} ({seen.by})" if seen else "interval", justify="right", overflow="fold")
    tested = any(o.chance for o in f.overall)
    if tested:
        table.add_column("p", justify="right")
    for head in more.values():
        table.add_column(head, justify="right", overflow="fold")
    for o in f.overall[:TASKS]:
        cells = [str(o.labels[n]) for n in keys]
        cells += [_three(o.value), f"{_three(o.interval.low)} to {_three(o.interval.high)}" if o.interval else "-"]
        cells += [f"{o.chance.p:.2g}" if o.chance else "-"] if tested else []
        table.add_row(*cells, *(_any(o.labels.get(n)) for n in more))
    return table


def _any(value: Any) -> str:
    return _three(value) if isinstance(value, float) else "" if value is None else str(value)


_TABLES = {"without_worst": _without_worst, "influence": _influence, "metrics": _metrics}

LAYOUTS = {"scores x consensus": leaderboards, "scores x quality": leaderboards, "scores x trust": trust}
