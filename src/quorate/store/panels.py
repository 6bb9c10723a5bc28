"""Judgments as panels, by names of tasks, judges and items. No database is needed.

The columns are those of any file of judgments, so that the five questions are asked of a study as of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quorate.store.definition import PANELS

Columns = dict[str, list[Any]]


def columns(judgments: Iterable[Mapping[str, Any]], items: Mapping[str, Mapping[str, Any]], kind: str) -> Columns:
    """Judgments of one kind as the columns of a long table; training tasks are left aside."""
    found = [
        {"task": j["task"], "judge": j["judge"], "occasion": j["occasion"], "judge_kind": j["judge_kind"], **row}
        for j in judgments
        if j["kind"] == kind and j["role"] != "training"
        for row in _ROWS[kind](j["state"], j["shown"], items)
    ]
    wanted = ["task", "judge", "occasion", "judge_kind", *_COLUMNS[kind]]
    out: Columns = {n: [r[n] for r in found] for n in wanted}
    if kind == "vote":
        del out["occasion"]  # a vote is told apart by its pair
    if all(k != "model" for k in out["judge_kind"]):
        del out["judge_kind"]
    if kind == "score" and not any(out["system"]):
        del out["system"]
    if kind == "score" and len(set(out["criterion"])) < 2:
        del out["criterion"]
    return out


_COLUMNS = {
    "order": ("item", "position"),
    "group": ("item", "group"),
    "score": ("item", "system", "criterion", "score"),
    "vote": ("model_a", "model_b", "winner"),
}
Row = Iterator[dict[str, Any]]


def _order(state: Any, shown: Any, items: Mapping[str, Any]) -> Row:
    for place, group in enumerate(state["ranked"], 1):
        for one in group:
            yield {"item": items[one]["name"], "position": place}


def _group(state: Any, shown: Any, items: Mapping[str, Any]) -> Row:
    used: dict[str, int] = {}
    for number, group in enumerate(state["groups"], 1):
        name = group.get("name") or f"group {number}"
        used[name] = used.get(name, 0) + 1
        called = name if used[name] == 1 else f"{name} ({used[name]})"  # two groups of one name stay two
        for one in group["items"]:
            yield {"item": items[one]["name"], "group": called}
    for one in state.get("left_out", []):
        yield {"item": items[one]["name"], "group": None}


def _score(state: Any, shown: Any, items: Mapping[str, Any]) -> Row:
    for one, scores in state["scores"].items():
        for criterion, score in scores.items():
            yield {
                "item": items[one]["name"],
                "system": items[one]["system"],
                "criterion": criterion,
                "score": float(score),
            }


def _vote(state: Any, shown: Any, items: Mapping[str, Any]) -> Row:
    words = {"a": "model_a", "b": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}
    for pair in shown["pairs"]:
        chosen = state["choices"].get(pair["id"])
        if chosen is not None:
            a, b = (items[pair[side]]["system"] or items[pair[side]]["name"] for side in "ab")
            yield {"model_a": a, "model_b": b, "winner": words[chosen]}


_ROWS = {"order": _order, "group": _group, "score": _score, "vote": _vote}


def panel(made: Columns, kind: str) -> Any:
    """The panel of such columns: an Orderings, Groupings, Scores or Votes."""
    from quorate.panel.kinds import PANELS as CLASSES

    return CLASSES[PANELS[kind]].build(made)
