"""That judges are of several camps, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer
from quorate.panel.base import Panel, listed
from quorate.panel.kinds import Groupings, Orderings, Scores
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.numbers import p_is, share, two
from quorate.words.wording import brief, called

AGAINST = -0.3  # agreement across, below which camps say the opposite of one another
TOLD = 3  # answers that are named
NUMBERS = ("", "", "two", "three", "four", "five")


def camp_facts(panel: Panel, answer: Answer) -> Iterator[Fact]:
    """Of every criterion on which judges are of several camps: how many, how large, how united, and what parts them."""
    for test in answer.more.get("camp_tests", ()):
        if test["camps"] < 2:
            continue
        on = test.get("criterion")
        rows = [r for r in answer.more["camps"] if r.get("criterion") == on]
        items = [r for r in answer.more["camps_part_on"] if r.get("criterion") == on]
        data = {"camps": rows, "part_on": items, **test}
        yield Fact("camps", f"{_minds(panel, rows, test)}{_parts(panel, items)}", data)


def camps(shares: Sequence[float]) -> str:
    """How many camps there are, and how large they are.

    >>> camps([0.6, 0.4])
    'two camps, 60% and 40%'
    """
    return f"{NUMBERS[len(shares)]} camps, {listed([share(s) for s in shares], len(shares))}"


def _minds(panel: Panel, rows: Sequence[Mapping[str, Any]], test: Mapping[str, Any]) -> str:
    sizes = listed([f"{r['judges']:,} ({share(r['share'])})" for r in rows], len(rows))
    on = f" on {called(test['criterion'], 'criterion')}" if "criterion" in test else ""
    said = f"The judges fall into {NUMBERS[len(rows)]} camps{on}, {sizes}: "
    if isinstance(panel, Votes):
        within = listed([share(r["agreement"]) for r in rows], len(rows))
        said += f"two votes on the same two systems go the same way in {within} within a camp"
        said += f", in {share(test['across'])} across ({p_is(test['p_value'])})."
        return said
    by = {Orderings: "tau-b", Groupings: "adjusted Rand", Scores: "correlation"}.get(type(panel), "agreement")
    by = "equal labels" if isinstance(panel, Scores) and panel.scale else by
    within = listed([two(r["agreement"]) for r in rows], len(rows))
    said += f"within a camp they agree by {within} ({by}), across by {two(test['across'])} ({p_is(test['p_value'])})."
    if len(rows) == 2 and test["across"] < AGAINST:
        said += " One says nearly the opposite of the other: another view, or a scale that was flipped?"
    return said


def _parts(panel: Panel, items: Sequence[Mapping[str, Any]]) -> str:
    if not items:
        return ""
    if isinstance(panel, Votes):
        wins = [
            (r["system"], listed([share(v) for n, v in r.items() if n.startswith("camp_")], 5)) for r in items[:TOLD]
        ]
        told = [f"{brief(name, what='system')} (wins {each})" for name, each in wins]
        return f" They part most on {listed(told, TOLD)}."
    what = "place" if isinstance(panel, Orderings) else "score"
    told = []
    for r in items[:TOLD]:
        where = f" on {brief(r['task'], what='task')}" if "task" in r else ""
        each = listed([two(v) for n, v in r.items() if n.startswith("camp_")], 5)
        told.append(f"{brief(r.get('item', 'the answer'), what='item')}{where} (mean {what} {each})")
    return f" They part most on {listed(told, TOLD)}."
