"""Answers that are known beforehand, of gold and training tasks, and how a judge's state compares with them.

An answer is made of one mark per item: its place in the order, the name of its group, or its score; of a vote, the
item with the smaller mark wins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

Mark = float | str


def compared(state: Any, shown: Mapping[str, Any], about: Mapping[str, Any]) -> tuple[float, list[dict[str, str]]]:
    """The share of what is right, and where it is not: one entry per item or pair."""
    marks: dict[str, Mark] = json.loads(about["answer"] or "{}")
    checked = list(_CHECKS[shown["kind"]](state, shown, marks))
    wrong: dict[str, str] = {}
    for where, text, right in checked:
        if not right:
            wrong.setdefault(where, text)
    share = sum(right for _, _, right in checked) / len(checked) if checked else 1.0
    return share, [{"where": where, "text": text} for where, text in wrong.items()]


Checked = Iterator[tuple[str, str, bool]]  # where, what to say if it is wrong, whether it is right


def _order(state: Any, shown: Any, marks: Mapping[str, Any]) -> Checked:
    place = {item: k for k, group in enumerate(state["ranked"]) for item in group}
    for a, b in combinations([i for i in shown["items"] if i in marks], 2):
        if marks[a] == marks[b]:
            continue
        high, low = (a, b) if marks[a] < marks[b] else (b, a)
        end = len(shown["items"])
        yield high, "This belongs further up.", place.get(high, end) < place.get(low, end)


def _group(state: Any, shown: Any, marks: Mapping[str, Any]) -> Checked:
    group = {item: g["id"] for g in state["groups"] for item in g["items"]}
    for a, b in combinations([i for i in shown["items"] if i in marks], 2):
        together = a in group and group.get(a) == group.get(b)
        said = "This belongs with another item." if marks[a] == marks[b] else "This is together with what differs."
        yield b, said, together == (marks[a] == marks[b])


def _score(state: Any, shown: Any, marks: Mapping[str, Any]) -> Checked:
    for item in shown["items"]:
        for criterion, score in state["scores"].get(item, {}).items():
            if item in marks:
                said = f"{criterion}: {marks[item]:g} is expected here."
                yield item, said, abs(score - marks[item]) <= 1


def _vote(state: Any, shown: Any, marks: Mapping[str, Any]) -> Checked:
    for pair in shown["pairs"]:
        a, b = marks.get(pair["a"]), marks.get(pair["b"])
        if a is not None and b is not None:
            right = "tie" if a == b else "a" if a < b else "b"
            chosen = state["choices"].get(pair["id"])
            yield pair["id"], "The other one is better here.", chosen == right


_CHECKS = {"order": _order, "group": _group, "score": _score, "vote": _vote}
