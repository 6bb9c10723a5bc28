"""What is said of consensus partitions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from quorate.groupings.consensus_support import PAIRS
from quorate.inference.results import Answer, Finding
from quorate.panel.base import listed, many
from quorate.panel.kinds import Groupings
from quorate.words.facts import Fact
from quorate.words.groupings_agreement import absent_items
from quorate.words.numbers import share
from quorate.words.wording import on

NAMED = 12  # items that stand alone, at most
ROUGH = 20  # resampled panels, of fewer it is said roughly how often an item stays


def notes(panel: Groupings, answer: Answer) -> list[str]:
    """What was left aside, is not proven, or cannot be said."""
    out = [
        *panel.notes,
        *absent_items(panel, answer),
        *(f"{f.method}: {said}" for f in answer.findings for said in _remarks(f)),
    ]
    if panel.repeats:
        out.append(f"{many(panel.repeats, 'repeat')} left out: of each judge the first grouping of a task counts")
    return out


def _remarks(f: Finding) -> Iterator[str]:
    def column(name: str) -> Sequence[Any]:
        return f.details.get(name, [None] * len(f.values))

    def where(flags: Sequence[bool]) -> str:
        return "" if len(flags) == 1 else f" {on(sum(flags), len(flags))}"

    unproven = [optimal is False for optimal in column("optimal")]
    if any(unproven):
        each = zip(column("gap"), column("bound"), unproven, strict=True)
        below = f"pair votes are {max(gap / bound for gap, bound, open_ in each if open_):.0%} below a bound"
        yield f"the best partition is not proven{where(unproven)}: {below}; see gap"
    unseen = sum(n or 0 for n in column("unseen"))
    if unseen:
        were = "was" if unseen == 1 else "were"
        yield f"{many(unseen, 'pair')} of items {were} shown to no judge: whether they belong together is unknown"
    undecided = sum(len(items or ()) for items in column("undecided"))
    if undecided:
        yield f"{many(undecided, 'item')} could be in another group and the judges agree as much: see undecided"
    chained = [bool(ends) for ends in column("chains")]
    if any(chained):
        yield f"some groups hold together by a chain only{where(chained)}: see chains, or join=cliques"
    drawn = [n for n in column("resamples") if n]
    if drawn and min(drawn) < ROUGH:
        yield f"how often an item stays is from {min(drawn)} resampled panels a task: rough for one task"
    if not drawn:
        yield "too few judges, or too many items, for how often items stay"
    elif len(drawn) < len(f.values):
        yield f"how often items stay is told {on(len(drawn), len(f.values))}, to keep within the time"
    cut = [sum(len(g) * (len(g) - 1) // 2 for g in groups) > PAIRS for groups in f.values]
    if any(cut):
        yield f"more than {PAIRS:,} pairs{where(cut)}: those of later groups are not listed"


def facts(panel: Groupings, answer: Answer) -> list[Fact]:
    """How many groups there are, how much of them stays, and how much judges agree with them."""
    out = []
    for f in answer.findings:
        kept, data = _kept(f), {"method": str(f.method)}
        stay = "" if math.isnan(kept) else f"; with other judges like these an item keeps {share(kept)} of its group"
        if len(f.values) == 1:
            said = f"{_parts(f.values[0], f.keys['left_out'][0])}{stay} ({f.method})."
        else:
            several = [sum(len(g) > 1 for g in groups) for groups in f.values]
            mean = sum(several) / len(several)
            said = f"A task has {mean:.1f} groups of two items or more on average{stay} ({f.method})."
        out.append(Fact("first", said, {**data, "stays": kept}))
    first = answer.findings[0]
    out += _alone(first)
    if not math.isnan(first.value):
        agreed = f"The consensus by {first.method} and a judge agree on {share(first.value)} of the pairs of items."
        out.append(Fact("first", agreed, {"method": str(first.method), "estimate": first.overall[0]}))
    return out


def _alone(f: Finding) -> Iterator[Fact]:
    """Which items stand alone: no majority puts them with the others of any group."""
    alone = {task: [g[0] for g in groups if len(g) == 1] for task, groups in zip(f.keys["task"], f.values, strict=True)}
    number = sum(map(len, alone.values()))
    if not number:
        return
    if len(alone) > 1:
        said = f"{many(number, 'item')} on {many(sum(map(bool, alone.values())), 'task')} {_stand(number)} alone"
    else:
        said = f"{listed(next(iter(alone.values())), NAMED)} {_stand(number)} alone"
    text = f"{said}: most judges keep {'it' if number == 1 else 'them'} apart from every group ({f.method})."
    data = [{"task": task, "items": items} for task, items in alone.items() if items]
    yield Fact("first", text, {"method": str(f.method), "alone": data}, expert=True)


def _stand(number: int) -> str:
    return "stands" if number == 1 else "stand"


def _parts(groups: Sequence[Sequence[Any]], left: Sequence[Any]) -> str:
    alone = sum(len(g) == 1 for g in groups)
    several = len(groups) - alone
    said = [f"{many(several, 'group')} of two items or more" if several else "No two items together"]
    if alone:
        said.append(f"{many(alone, 'item')} alone")
    if left:
        said.append(f"{len(left)} left out")
    return ", ".join(said)


def _kept(f: Finding) -> float:
    """How much of its group an item keeps with other judges, on average; NaN where nothing was drawn."""
    seen = [own["stays"] for items in f.details.get("items", ()) for own in items.values() if own["stays"] is not None]
    return sum(seen) / len(seen) if seen else math.nan
