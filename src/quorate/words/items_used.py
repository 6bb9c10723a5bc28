"""Judges of groupings who put far fewer items into groups than the others do, in words."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median

from quorate.inference.results import Answer
from quorate.panel.base import listed
from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.wording import called

FEW = 0.5  # of the median of the others


def few_used_facts(answer: Answer) -> Iterator[Fact]:
    """Who used less than half of what the others did: left-out items as singletons make such a judge look alike."""
    by_judge: dict[object, list[float]] = {}
    for row in answer.more.get("description", ()):
        by_judge.setdefault(row["judge"], []).append(1 - row["left_out"])
    used = {judge: fmean(each) for judge, each in by_judge.items()}
    usual = {judge: median([v for other, v in used.items() if other != judge]) for judge in used if len(used) > 2}
    few = [judge for judge, middle in usual.items() if used[judge] < FEW * middle]
    if not few:
        return
    most = max(usual[judge] for judge in few)
    own = [share(used[judge]) for judge in few]
    said = f"{listed([f'{called(j)} ({u})' for j, u in zip(few, own, strict=True)])} put few of the items into groups"
    if len(few) == 1:
        said = f"{called(few[0])} put few of the items into groups: {own[0]}"
    text = f"{said}; half of the other judges use {share(most)} or more."
    yield Fact("few_used", text, {"judges": few, "used": [used[j] for j in few], "median": most})
