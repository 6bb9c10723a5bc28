"""Judges who gave the same answers as others, in words: told of every question, since they count as one voice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from quorate.inference.results import Answer
from quorate.panel.base import listed
from quorate.words.facts import Fact
from quorate.words.wording import called

COPIES = 5  # copies that are named


def copy_facts(answer: Answer) -> list[Fact]:
    """That some judges gave the same answers, told before anything that rests on them."""
    by: dict[Hashable, list[Mapping[str, Any]]] = {}
    for row in answer.more.get("one_voice", ()):
        by.setdefault(row["copy_of"], []).append(row)
    out = []
    for of, rows in by.items():
        same = "the same" if all(row["same"] == row["answers"] for row in rows) else "nearly the same"
        who = listed([called(of), *(called(row["judge"]) for row in rows)], COPIES)
        said = f"{who} gave {same} answers, far more alike than the others agree: they count as one voice here."
        out.append(Fact("copies", said, {"copies": rows}))
    return out
