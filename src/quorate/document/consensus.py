"""What judges agree on, as tables: places, orders, groups, labels or leaderboards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quorate.document.blocks import Block, Column, Table, Text
from quorate.document.columns import column
from quorate.document.pivot import (
    MOST,
    Entry,
    every,
    figures,
    headings,
    interval_column,
    pivot,
    row_keys,
)
from quorate.document.systems import systems
from quorate.inference.results import Answer, Finding


def consensus(answer: Answer) -> Iterator[Block]:
    """Rankings, groups or scores, by what the values are called."""
    called = {f.called for f in answer.findings}
    if called == {"ranking"}:
        yield _places(answer) if answer.tasks == 1 else _orders(answer)
    elif called == {"groups"}:
        for f in answer.findings:
            yield from _groups(f) if answer.tasks == 1 else [_group_counts(f)]
        inside = interval_column(every(answer.findings))
        entries = [((str(f.method),), "", cells) for f in answer.findings for _, cells in figures(f, inside)]
        yield pivot("Agreement of a judge with the consensus", [column("method")], entries, name="overall")
    else:
        yield from systems(answer)
        yield from (_decided(f) for f in answer.findings if "votes" in f.details)
        if answer.findings:
            yield Text((f"Every item: --format csv or json ({len(answer.findings[0].values):,} values a method).",))


def _places(answer: Answer) -> Table:
    """Of one task a row per item in the first method's order."""
    where, names = Column("place", "place", "place"), headings(answer.findings)
    inside = Column("rank_interval", "interval", "interval:place", "with other judges like these", minor=2)
    entries: list[Entry] = []
    for f in answer.findings:
        ends = (f.details["rank_interval"][0] if "rank_interval" in f.details else None) or {}
        for k, tied in enumerate(f.values[0], 1):
            entries += [((i,), names[str(f.method)], {where: k, inside: ends.get(i, ends.get(str(i)))}) for i in tied]
    return pivot("Places; items in one place are tied", [column("item")], entries, name="places")


def _orders(answer: Answer) -> Table:
    """Of several tasks a row per task and method."""
    order, findings = Column("order", "order", "order"), answer.findings
    tasks = findings[0].keys["task"]
    most = -(-MOST // len(findings))
    entries = [
        ((task, str(f.method)), "", {order: f.values[k]}) for k, task in enumerate(tasks[:most]) for f in findings
    ]
    return pivot("By task", [column("task"), column("method")], entries, name="by-task", of=len(tasks) * len(findings))


def _groups(f: Finding) -> Iterator[Block]:
    """Of one task a row per group of two items or more; then those alone, left out or undecided."""
    groups, d = f.values[0], f.details
    importance = d["importance"][0] if "importance" in d else [None] * len(groups)
    entries: list[Entry] = []
    for k, g in enumerate(groups):
        if len(g) > 1:
            told = d["group_support"][0][k]
            cells = {Column("importance", "importance", "place"): importance[k], column("items"): len(g)}
            cells |= {Column("support", "support", "share"): told["support"], column("stays"): told["stays"]}
            entries.append(((k + 1,), "", cells | {Column("which", "which", "names"): g}))
    proof = "" if "optimal" not in d else ", proven best" if d["optimal"][0] else ", the best found"
    yield pivot(f"{f.method}{proof}", [Column("group", "group", "count")], entries, name="groups")
    listed = {"Alone": [g[0] for g in groups if len(g) == 1], "Left out": f.keys["left_out"][0]}
    listed |= {n.capitalize(): list(map(_joined, d[n][0])) for n in ("undecided", "chains") if n in d}
    said = tuple(f"{name}: {_few(some)}" for name, some in listed.items() if some)
    if said:
        yield Text(said)


def _joined(item: Any) -> str:
    return " and ".join(map(str, item)) if isinstance(item, list) else str(item)


def _few(items: Sequence[Any], most: int = 20) -> str:
    return ", ".join(map(str, items[:most])) + (f" and {len(items) - most:,} more" if len(items) > most else "")


def _group_counts(f: Finding) -> Table:
    """Of several tasks a row per task."""
    groups_, alone_, left_ = (Column(n, n.replace("_", " "), "count") for n in ("groups", "alone", "left_out"))
    entries: list[Entry] = []
    for k, groups in enumerate(f.values[:MOST]):
        alone = sum(len(g) == 1 for g in groups)
        kept = [v["stays"] for v in f.details["items"][k].values() if v["stays"] is not None]
        cells: dict[Column, Any] = {groups_: len(groups) - alone, alone_: alone, left_: len(f.keys["left_out"][k])}
        cells[Column("agreement", "agreement", "share")] = f.details["agreement"][k]
        cells[column("stays")] = sum(kept) / len(kept) if kept else None
        if "optimal" in f.details:
            cells[Column("optimal", "proven", "yes")] = f.details["optimal"][k]
        entries.append(((f.keys["task"][k],), "", cells))
    return pivot(str(f.method), [column("task")], entries, name="by-task", of=len(f.values))


def _decided(f: Finding) -> Table:
    """Items by the label that most judges gave."""
    keys = [k for k in ("criterion", "task", "item") if k in f.keys]
    label, votes, judged = Column("label", "label"), Column("votes", "votes", "count"), Column("judges", "of", "count")
    told = list(zip(row_keys(f, keys), f.values, f.details["votes"], f.details["judges"], strict=True))
    entries = [(key, "", {label: given, votes: n, judged: of}) for key, given, n, of in told[:MOST]]
    title = f"{f.method}; no label where two were given equally often"
    return pivot(title, [column(k) for k in keys], entries, name="labels", of=len(f.values))
