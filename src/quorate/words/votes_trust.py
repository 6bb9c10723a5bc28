"""What is said of how far a result from votes can be trusted."""

from __future__ import annotations

import math

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.votes_agreement import size
from quorate.words.votes_judges import NOT_IDENTIFIED

LITTLE = 0.05  # a preference for a place that is nearer to even than this


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *(note for f in answer.findings for note in f.notes)]
    if any(f.method.name == "votes_needed" and any(f.values) for f in answer.findings):
        out.append("votes_needed is of votes on different tasks by different judges: several on one task tell less")
    return out


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """Does the place decide, does the verdict survive swapping, and are there enough votes and judges?"""
    return [size(panel), *(fact for f in answer.findings for fact in _SAY[f.method.name](f))]


def _place(f: Finding) -> list[Fact]:
    o = f.overall[0]
    data = {"method": str(f.method), "estimate": o}
    if math.isnan(o.value):
        return [Fact("trust", f"Whether a place is favoured cannot be told: {NOT_IDENTIFIED}.", data)]
    said = f"On pairs shown both ways the system shown first wins {share(o.value)} of the votes that are no tie"
    if o.interval is None:
        return [Fact("trust", f"{said}.", data)]
    low, high = o.interval.low, o.interval.high
    lean = "first" if low > 0.5 else "second" if high < 0.5 else ""
    little = ", a little" if abs(o.value - 0.5) < LITTLE else ""
    verdict = f"the {lean} place is favoured{little}" if lean else "no sign that a place is favoured"
    return [Fact("trust", f"{said} (95% CI {share(low)} to {share(high)}): {verdict}.", data)]


def _swaps(f: Finding) -> list[Fact]:
    o, d = f.overall[0], f.overall[0].labels
    data = {"method": str(f.method), "estimate": o}
    if math.isnan(o.value):
        said = "No judge saw a pair in both places on a task, so nobody can tell what swapping places would change."
        return [Fact("trust", said, data)]
    ends = f"; 95% CI {share(o.interval.low)} to {share(o.interval.high)}" if o.interval else ""
    said = f"Swapping the places keeps the verdict {share(o.value)} of the time"
    return [Fact("trust", f"{said} ({d['swapped'] - d['changed']:,.0f} of {d['swapped']:,.0f}{ends}).", data)]


def _votes_needed(f: Finding) -> list[Fact]:
    out = []
    often = share(float(str(f.method["target"])))
    for o in f.overall:
        votes = o.labels["wins"] + o.labels["ties"] + o.labels["losses"]
        data = {"method": str(f.method), "estimate": o}
        if not votes:
            said = f"Nobody compared {o.labels['systems']}."
        elif not math.isfinite(o.value):
            said = f"{o.labels['systems']} are level: no number of votes would tell them apart."
        else:
            enough = "there are" if votes >= o.value else "there are only"
            takes = (
                f"To tell {o.labels['systems']} apart {often} of the time takes about {o.value:,.0f} votes{_ends(o)}"
            )
            said = f"{takes}; {enough} {votes:,.0f}."
        out.append(Fact("needed", said, data))
    return out[:1] + [Fact(x.name, x.text, x.data, expert=True) for x in out[1:]]


def _judges_needed(f: Finding) -> list[Fact]:
    o, often = f.overall[0], share(float(str(f.method["target"])))
    data = {"method": str(f.method), "estimate": o}
    if math.isnan(o.value):
        return []  # nobody voted on the same pair: said where agreement is
    if not math.isfinite(o.value):
        said = "Two judges choose alike no more often than by chance: no number of judges would settle a pair."
        return [Fact("needed", said, data)]
    judges = "1 judge is" if o.value == 1 else f"{o.value:,.0f} judges are"
    said = f"About {judges} needed on a pair of a task{_ends(o)} for a majority that {often} of the time is that of all"
    return [Fact("needed", f"{said} such judges.", data)]


def _ends(o: Overall) -> str:
    """The interval of how many it takes; without an end where it cannot be told from so few."""
    if o.interval is None:
        return ""
    if not math.isfinite(o.interval.high):
        return f" (95% CI from {o.interval.low:,.0f}; how many at most cannot be told from so few)"
    return f" (95% CI {o.interval.low:,.0f} to {o.interval.high:,.0f})"


_SAY = {"place": _place, "swaps": _swaps, "votes_needed": _votes_needed, "judges_needed": _judges_needed}
