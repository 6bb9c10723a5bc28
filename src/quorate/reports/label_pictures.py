"""Pictures of labels: which items the judges give different ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.document.blocks import Chart
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import listed
from quorate.panel.kinds import Panel
from quorate.reports.picture import TASKS, has, number
from quorate.words.numbers import share
from quorate.words.wording import brief

UNDECIDED = "undecided"  # two labels were given equally often


def disputed(panel: Panel, answer: Answer, options: Options) -> Chart | None:
    """Of labels: the share of an item's judges who gave the label that most gave, the most disputed items first."""
    finding = next((f for f in answer.findings if f.method.name == "majority" and "votes" in f.details), None)
    if finding is None:
        return None
    every = _rows(finding, len(panel.tasks) > 1)
    if all(row["value"] == 1 for row in every):
        return None  # nobody differs
    by_criterion: dict[Any, list[dict[str, Any]]] = {}
    for row in every:
        by_criterion.setdefault(row.get("criterion"), []).append(row)
    shown = [row for rows in by_criterion.values() for row in rows[:TASKS]]
    (on, first), *_ = by_criterion.items()
    some = f", the {TASKS} most disputed items" if max(map(len, by_criterion.values())) > TASKS else ""
    tied = any(row["label"] == UNDECIDED for row in shown)
    return Chart(
        "disputed",
        "consensus",
        "bars",
        f"Where judges give different labels{f' on {on}' if on is not None else ''}: {_lowest(first)}",
        f"Share of an item's judges who gave the label that most gave{some}, lowest first. Bars of one colour have the "
        f"same label{'; where two were given equally often the item is undecided' if tied else ''}.",
        tuple(shown),
        {"label": "item", "value": "share of judges", "colour": "label", "choose": has(every, "criterion")},
    )


def _rows(finding: Finding, tasks: bool) -> list[dict[str, Any]]:
    """A row an item, the lowest share first."""
    names = list(finding.keys)
    rows: list[dict[str, Any]] = []
    counts = (finding.details["votes"], finding.details["judges"])
    for *keys, label, votes, judges in zip(*finding.keys.values(), finding.values, *counts, strict=True):
        about = dict(zip(names, keys, strict=True))
        item = f"{about['task']}: {about['item']}" if tasks else str(about["item"])
        rows.append(
            {
                **({"criterion": str(about["criterion"])} if "criterion" in about else {}),
                "item": item,
                "label": UNDECIDED if label is None or label != label else str(label),
                "judges": f"{votes:,.0f} of {judges:,.0f}",
                "value": number(votes / judges),
            }
        )
    return sorted(rows, key=lambda row: (row["value"], row["item"]))


def _lowest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Which items are the most disputed, in words; how many where they are too many to name."""
    low = rows[0]["value"]
    same = [row["item"] for row in rows if row["value"] == low]
    if low == 1:
        return "on no item"
    if len(same) <= 3:
        return f"most on {listed([brief(item, what='item') for item in same])}"
    return f"on {len(same):,} items only {share(low)} of the judges agree"
