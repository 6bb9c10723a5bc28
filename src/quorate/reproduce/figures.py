"""The papers' figures redrawn from our rows; of tables along a number, the paper's figures beside ours.

Figures that a paper draws without numbers show ours alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.document.blocks import Chart
from quorate.orderings.kappa import kappa
from quorate.reports.picture import number
from quorate.reports.precedence import layered
from quorate.reproduce.kappa import EXAMPLE
from quorate.reproduce.rows import SOURCES, Reproduced, Row

WEIGHT = r"(?P<set>\S+), (?P<what>kappa_\d), (?P<choose>gamma|lambda) (?P<x>[\d.]+)"
NAMES = {"average_correlation": "AC", "weighted_correlation": "WCA", "rank_based": "RBA", "frespa": "FreSPA"}


def figures(paper: Reproduced) -> list[Chart]:
    """Every figure of a paper for which there are rows, in the order of the paper."""
    return [p for p in _DRAWN[paper.name](paper) if p.rows]


def _kappa(paper: Reproduced) -> Iterator[Chart]:
    yield _common_order()
    for figure, of in (("Figure 3", "two aggregates of clusterings"), ("Figure 4", "the searches of two engines")):
        yield _curves(
            paper,
            figure,
            WEIGHT,
            f"kappa of {of} as weights fall",
            "kappa_1 counts single items, discounted by gamma; kappa_2 and kappa_3 pairs and triples, by lambda.",
            "weight",
            {"line": "{set}", "of": "{what} over {choose}"},
            up="kappa",
        )


def _common_order() -> Chart:
    """Figure 1: what comes before what in all four rankings."""
    found = kappa(EXAMPLE)
    items = sorted(set("".join(EXAMPLE)))
    before = np.zeros((len(items), len(items)), bool)
    for one, two in found.patterns(2):
        before[items.index(str(one)), items.index(str(two))] = True
    drawn = layered(before)
    names = [items[node[0]] for node in drawn.nodes]
    rows: list[dict[str, Any]] = [
        {"item": names[a], "before": names[b], "judges": len(EXAMPLE), **_place(drawn, a), **_place(drawn, b, "2")}
        for a, b in drawn.edges
    ]
    rows += [{"item": name, **_place(drawn, k)} for k, name in enumerate(names)]
    return Chart(
        "kappa-figure-1",
        "kappa",
        "graph",
        "Figure 1: the order that all four rankings share",
        f"The rankings {', '.join(EXAMPLE)}. A line leads from an item to one that all place after it; lines that "
        "follow from others are left out. Our graph, from what the paper prints.",
        tuple(rows),
        {},
        ("x", "y", "x2", "y2"),
    )


def _place(drawn: Any, node: int, end: str = "") -> dict[str, float]:
    return {f"x{end}": drawn.across[node], f"y{end}": drawn.layer[node]}


def _q_support(paper: Reproduced) -> Iterator[Chart]:
    yield _curves(
        paper,
        "Figure 1",
        r"(?P<line>data set \d), share with rho (?P<x>\S+)",
        "votes by their correlation with the true order",
        "Share of the votes on dots with each Spearman's rho.",
        "rho with the true order",
        up="share of votes",
    )
    yield _curves(
        paper,
        "Figure 2",
        r"(?P<line>data set \d), q/N (?P<x>[\d.]+)(?:, drawn)?",
        "kappa_2 as more voters must share a pair",
        "Consensus on pairs against the share of voters who must support them.",
        "q / N",
        up="kappa_2",
    )
    yield _curves(
        paper,
        "Figure 3",
        r"(?P<line>data set \d), (?P<choose>kappa_\d), weight (?P<x>[\d.]+)(?:, drawn)?",
        "kappa as deviations are discounted",
        "Consensus of half of the voters against the weight of a place off the mean.",
        "weight",
        {"line": "{line}", "of": "{choose}"},
        up="kappa",
    )
    query = r"query (?P<x>\d+), (?P<line>.+)"
    for figure, title, description, up in (
        ("Figure 4", "Fagin's tau by query", "Mean over pairs of search teams.", "tau"),
        ("Figure 5", "Fagin's rho by query", "Mean over pairs of search teams.", "rho"),
        ("Figure 6", "q-support by query", "At least 6 of 12 teams, without weights.", "support"),
        ("Figure 7", "q-support by query, weighted", "At least 6 of 12 teams, weights 0.9.", "support"),
    ):
        yield _curves(paper, figure, query, title, description, "query", up=up)
    rows = _found(paper, "Figure 8", r"(?P<topic>topic \d+), (?P<of>kappa_\d)", {"topic": "{topic}", "of": "{of}"})
    yield Chart(
        "q-support-figure-8",
        "q-support",
        "bars",
        "Figure 8: agreement of a team with itself on three wordings",
        f"The four topics whose queries the paper prints, of 22; mean over teams. Ours, {SOURCES['data']}.",
        rows,
        {"label": "topic", "value": "mean over teams", "choose": "of"},
    )


def _frespa(paper: Reproduced) -> Iterator[Chart]:
    drawn = _curves(
        paper,
        "Table 1",
        r"(?P<line>\w+)(?:\(measure=(?P<choose>tau|rho)[^)]*\))?, ratio (?P<x>[\d.]+)",
        "discriminativeness as random judges join",
        "ED of the methods against random judges per judge. A line that stays up withstands noise.",
        "random judges per judge",
        {"line": "{line}", "measure": "{choose}"},
        both=True,
        up="ED",
    )
    # FreSPA has no correlation inside: it stands beside the others by either.
    rows = [{**row, "measure": of} for of in ("tau", "rho") for row in drawn.rows if row["measure"] in (of, "")]
    yield replace(drawn, rows=tuple(rows))
    for table, name, over, along in (
        ("Table 2", r"w_\w+", "the weights of length and support", "weight"),
        ("Table 3", r"m\w+_len", "the longest and the shortest pattern", "length, as a share of the items"),
        ("Table 4", "min_sup", "the least support of a pattern", "support, as a share of the judges"),
    ):
        drawn = _curves(
            paper,
            table,
            rf"frespa, (?P<choose>{name}) (?P<x>[\d.]+)(?: of the items)?, (?P<line>\w+)",
            f"ED of FreSPA over {over}",
            "On the panels as they are (original) and with random judges added (noisy).",
            along,
            {"line": "{line}", "parameter": "{choose}"},
            both=True,
            up="ED",
        )
        # Weights go from 0 to 100, most of them below 1.
        yield replace(drawn, settings={**drawn.settings, "log": True}) if table == "Table 2" else drawn


def _clusters(paper: Reproduced) -> Iterator[Chart]:
    yield _curves(
        paper,
        "Figure 1",
        r"(?P<line>\w+), (?P<x>\d+) clusters, by (?P<choose>\w+)",
        "measures as clusters are split and merged",
        "70 items in 15 made-up clusters. A measure fit for the task gets worse for both, and more for merging: "
        "entropy and nvi are 0 when alike and rise, the others are 1 and fall.",
        "clusters",
        {"line": "{line}", "path": "{choose}"},
        up="measure",
    )


def _assessors(paper: Reproduced) -> Iterator[Chart]:
    rows = _found(paper, "Figure 1", r"mP - aP, (?P<judge>judge \d+).*", {"judge": "{judge}"})
    source = next((r.source for r in paper.rows if r.table == "Figure 1"), "simulation")
    yield Chart(
        "assessors-figure-1",
        "assessors",
        "bars",
        "Figure 1: manual minus automatic pyramid score by judge",
        f"Lowest first. Far below the others: who missed what was accepted elsewhere. Ours, {SOURCES[source]}.",
        rows,
        {"label": "judge", "value": "manual - automatic"},
    )


_DRAWN: Mapping[str, Callable[[Reproduced], Iterator[Chart]]] = {
    "kappa": _kappa,
    "q-support": _q_support,
    "frespa": _frespa,
    "clusters": _clusters,
    "assessors": _assessors,
}


def _curves(
    paper: Reproduced,
    table: str,
    pattern: str,
    title: str,
    description: str,
    along: str,
    columns: Mapping[str, str] | None = None,
    *,
    up: str,
    both: bool = False,
) -> Chart:
    """Lines of a figure or table; with ``both`` the paper's and ours, the one beside the other in dashes, else ours."""
    shown = columns or {"line": "{line}"}
    rows = _found(paper, table, pattern, shown, x=True, both=both)
    chosen = next((name for name in shown if name != "line"), None)
    beside = {"dash": "whose"} if both else {}
    source = next((r.source for r in _rows(paper, table) if re.fullmatch(pattern, r.cell)), "printed")
    whose = "The paper's in full lines, ours in dashes" if both else "Ours"
    whole = along in ("query", "clusters")
    return Chart(
        f"{paper.name}-{table.lower().replace(' ', '-')}",
        paper.name,
        "curves",
        f"{table}: {title}",
        f"{description} {whose}, {SOURCES[source]}.",
        rows,
        {"x": "x", "along": along, "up": up, "choose": chosen, "whole": whole, **beside},
    )


def _rows(paper: Reproduced, table: str) -> list[Row]:
    return [r for r in paper.rows if r.table == table]


def _found(
    paper: Reproduced, table: str, pattern: str, columns: Mapping[str, str], *, x: bool = False, both: bool = False
) -> tuple[dict[str, Any], ...]:
    """The cells of a table that fit the pattern, a row each, those at one place once."""
    out: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in _rows(paper, table):
        match = re.fullmatch(pattern, row.cell)
        if not match:
            continue
        named = {k: NAMES.get(v or "", v or "") for k, v in match.groupdict().items()}
        told = {name: form.format(**named).strip() for name, form in columns.items()}
        at = {"x": float(named["x"])} if x else {}
        values = [({}, row.ours)] if not both else [({"whose": "paper"}, row.number), ({"whose": "ours"}, row.ours)]
        for whose, value in values:
            if isinstance(value, int | float) and number(value) is not None:
                full = {**told, **whose, **at}
                out[tuple(full.values())] = {**full, "value": number(value)}
    return tuple(out.values())
