"""How much the judges of groupings agree, in words: by the first measure, two by two, and by the other methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.judge_pairs import SIGNIFICANT
from quorate.inference.judge_pairs import beyond as above_chance
from quorate.inference.results import Answer, Finding
from quorate.kernels.pair_support import quorum
from quorate.panel.base import listed
from quorate.panel.kinds import Groupings
from quorate.words.facts import Fact
from quorate.words.numbers import share, two
from quorate.words.wording import (
    LEFT_OUT,
    at_least,
    beyond,
    judges_of_tasks,
    said_of_any,
    share_left_out,
    upper,
)

PAIRS = 3  # pairs of judges named


def grouping_facts(panel: Groupings, answer: Answer) -> Iterator[Fact]:
    """The first measure with all its treatments of left-out items, every two judges by it, and the other methods."""
    from quorate.groupings.pairwise import MEASURES

    gone, by_name = share_left_out(panel, answer), dict[str, list[Finding]]()
    for f in answer.findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].value):
        yield _fact(first[0], _measure(first if gone else first[:1], bool(gone)))
        last = first[-1]
        rows = [r for r in answer.more.get("by_pair", ()) if r["method"] == str(last.method)]
        rows = rows or (_one_task(last) if "chance" in last.details else [])
        how = f"by {last.method.name}" + (f", left-out items {LEFT_OUT[str(last.method['left_out'])]}" if gone else "")
        yield from (_fact(last, said) for said in _pairs(rows, len(panel.tasks) > 1, how))
    for name, fs in by_name.items():
        if name not in MEASURES and fs[0].value == fs[0].value:
            say = _together(fs[0], panel) if name == "together" else said_of_any(fs[0], fs[0].overall[0])
            yield from (_fact(fs[0], said) for said in say)


def _fact(f: Finding, said: str) -> Fact:
    return Fact("agreement", said, {"method": str(f.method), "estimate": f.overall[0]})


def _measure(findings: Sequence[Finding], treatments: bool) -> str:
    pieces = []
    for k, f in enumerate(findings):
        o = f.overall[0]
        random = f" ({'random' if k else 'random clusterings'} {two(o.null.value)})" if o.null else ""
        them = "them" if k else "left-out items"
        how = f" with {them} {LEFT_OUT[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{two(o.value)}{random}{how}")
    name, sure = findings[0].method.name, beyond(findings[0].overall[0])
    if findings[0].method.sign < 0:  # a distance: less is more agreement
        return f"Two judges differ by {name} {listed(pieces)}{sure.replace(', ', ': they agree ', 1)}."
    return f"Two judges agree by {name} {listed(pieces)}{sure}."


def _together(f: Finding, panel: Groupings) -> list[str]:
    q, most = f.method["q"], int(judges_of_tasks(panel).max())
    if quorum(q, most) < 2:  # type: ignore[arg-type]  # met by everything that a judge puts together
        return []
    o = f.overall[0]
    return [f"Of the pairs that a judge puts together, {share(o.value)} are put together by {at_least(q)}{beyond(o)}."]


def _one_task(f: Finding) -> list[dict[str, Any]]:
    """The rows of one task, counted like those of two judges over several."""
    above = above_chance(f.method, np.array(f.values, float), np.array(f.details["chance"], float))
    columns = above > 0, above <= 0, np.array(f.details["p_holm"], float) <= SIGNIFICANT
    return [
        {"pair": pair, "more_than_chance": more, "no_more_than_chance": below, "significant": sure}
        for pair, more, below, sure in zip(f.keys["pair"], *(c.astype(int).tolist() for c in columns), strict=True)
    ]


def _pairs(rows: Sequence[Mapping[str, Any]], several: bool, how: str) -> list[str]:
    """How often two judges agree no more than random clusterings do, who most often, and how many agree for sure."""
    above, below, sure = (sum(r[n] for r in rows) for n in ("more_than_chance", "no_more_than_chance", "significant"))
    known, pairs = above + below, {frozenset(r["pair"]) for r in rows}
    if known < 2 or (len(pairs) < 2 and not several):  # of one pair all is said
        return []
    start, what = (
        ("In ", "comparisons of two judges on a task they agree") if several else ("", "pairs of judges agree")
    )
    some = "none" if not sure else "all" if sure == known else f"{sure:,}"
    told = f"{some} of them significantly (Holm)" if not below else f"{some} agree significantly more (Holm)"
    if below == known:
        return [f"No two judges agree more than random clusterings do{' on any task' if several else ''} ({how})."]
    if not below:
        return [f"{upper(f'{start}all {known:,} {what}')} more than random clusterings do, {told} ({how})."]
    what = f"{below:,} of {known:,} {what}{'s' if below == 1 and not several else ''}"
    return [f"{start}{what} no more than random clusterings do{_most(rows)}; {told} ({how})."]


def _most(rows: Sequence[Mapping[str, Any]]) -> str:
    """The two judges who most often agree no more than chance, the first three such pairs."""
    often: dict[frozenset[Any], tuple[int, str]] = {}
    for r in rows:
        if r["no_more_than_chance"]:
            number, name = often.get(frozenset(r["pair"]), (0, "-".join(map(str, r["pair"]))))
            often[frozenset(r["pair"])] = number + r["no_more_than_chance"], name
    if len({frozenset(r["pair"]) for r in rows}) < 2:
        return ""
    first = sorted(often.values(), key=lambda one: -one[0])[:PAIRS]
    more = ", ..." if len(often) > PAIRS else ""
    if first[0][0] == 1:
        return f": {', '.join(name for _, name in first)}{more}"
    times = (f"{name} ({number:,}{'' if k else ' times'})" for k, (number, name) in enumerate(first))
    return f", most often {', '.join(times)}{more}"
