"""Tables of consensus: orders, groups, and what was decided of every item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quorate.document.blocks import Block, Column, Table, Text
from quorate.document.columns import column
from quorate.document.pivot import MOST, Entry, method_headings, pivot, row_keys
from quorate.inference.adjudication import certainty, to_adjudicate
from quorate.inference.results import Answer, Finding


def place_table(answer: Answer) -> Table:
    """Of one order a row per item, in the first method's order."""
    where, names = Column("place", "place", "place"), method_headings(answer.findings)
    inside = Column("rank_interval", "interval", "interval:place", "with other judges like these", minor=2)
    entries: list[Entry] = []
    orders = [[str(i) for tied in f.values[0] for i in tied] for f in answer.findings]
    every = dict.fromkeys(item for order in orders for item in order)
    shown = set(list(every)[:MOST])
    for f, order in zip(answer.findings, orders, strict=True):
        rank, ends, name = f.details["rank"][0], f.details["rank_interval"][0] or {}, names[str(f.method)]
        there = (item for item in order if item in shown)
        entries += [((item,), name, {where: rank[item], inside: ends.get(item)}) for item in there]
    return pivot("Places; tied items have the mean of theirs", ["item"], entries, name="places", of=len(every))


def order_table(answer: Answer) -> Table:
    """Of several tasks a row per task and method."""
    order, findings = Column("order", "order", "order"), answer.findings
    tasks = findings[0].keys["task"]
    most = -(-MOST // len(findings))
    entries = [
        ((task, str(f.method)), "", {order: f.values[k]}) for k, task in enumerate(tasks[:most]) for f in findings
    ]
    return pivot("By task", ["task", "method"], entries, name="by-task", of=len(tasks) * len(findings))


def group_tables(f: Finding) -> Iterator[Block]:
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
    yield from [Text(said)] if said else []


def _joined(item: Any) -> str:
    return " and ".join(map(str, item)) if isinstance(item, list) else str(item)


def _few(items: Sequence[Any], most: int = 20) -> str:
    return ", ".join(map(str, items[:most])) + (f" and {len(items) - most:,} more" if len(items) > most else "")


def group_count_table(f: Finding) -> Table:
    """Of several tasks a row per task."""
    groups_, alone_, left_ = (Column(n, n.replace("_", " "), "count") for n in ("groups", "alone", "left_out"))
    agreement_, stays_ = Column("agreement", "agreement", "share"), column("stays")
    proven_ = Column("optimal", "proven", "yes")
    entries: list[Entry] = []
    for k, groups in enumerate(f.values[:MOST]):
        alone = sum(len(g) == 1 for g in groups)
        kept = [v["stays"] for v in f.details["items"][k].values() if v["stays"] is not None]
        cells: dict[Column, Any] = {groups_: len(groups) - alone, alone_: alone, left_: len(f.keys["left_out"][k])}
        cells |= {agreement_: f.details["agreement"][k], stays_: sum(kept) / len(kept) if kept else None}
        if "optimal" in f.details:
            cells[proven_] = f.details["optimal"][k]
        entries.append(((f.keys["task"][k],), "", cells))
    return pivot(str(f.method), ["task"], entries, name="by-task", of=len(f.values))


def decided_table(findings: Sequence[Finding]) -> Table:
    """Items by the labels that methods give them, those to adjudicate first at the top."""
    first = findings[0]
    keys = [k for k in ("criterion", "task", "item") if k in first.keys]
    keys = [k for k in keys if k != "task" or len(set(first.keys["task"])) > 1]
    label, votes, judged = Column("label", "label"), Column("votes", "votes", "count"), Column("judges", "of", "count")
    likely, names = Column("certainty", "certainty", "share"), method_headings(findings)
    shown, rows = to_adjudicate(findings)[:MOST], row_keys(first, keys)
    entries: list[Entry] = []
    for k in shown:
        for f in findings:
            cells = {label: f.values[k]}
            cells |= {likely: f.details["certainty"][k]} if "certainty" in f.details else {votes: f.details["votes"][k]}
            entries.append((rows[k], names[str(f.method)] if len(findings) > 1 else "", cells))
        entries.append((rows[k], "", {judged: first.details["judges"][k]}))
    how = "the most disputed first" if certainty(findings) is None else "the least certain first"
    title = f"Labels, {how}; none where two are level"
    return pivot(title, keys, entries, name="labels", of=len(first.values))
