"""What is said of how far a result from votes can be trusted."""

from __future__ import annotations

import math

from quorate.inference.results import Answer, Finding
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.votes_agreement import size


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *(note for f in answer.findings for note in f.notes)]
    if any(f.method.name == "votes_needed" for f in answer.findings):
        out.append("votes_needed takes votes as independent; those of one judge or task are not, so it takes more")
    return out


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """Does the verdict survive swapping places, and are there enough votes?"""
    out = [size(panel)]
    for f in answer.findings:
        out += _swaps(f) if f.method.name == "swaps" else _needed(f)
    return out


def _swaps(f: Finding) -> list[Fact]:
    o, d = f.overall[0], f.overall[0].labels
    data = {"method": str(f.method), "estimate": o}
    out = []
    if math.isnan(o.value):
        said = "No judge saw a pair in both places on a task, so nobody can tell what swapping places would change."
        out.append(Fact("trust", said, data))
    else:
        ends = f"; 95% CI {share(o.interval.low)} to {share(o.interval.high)}" if o.interval else ""
        said = f"Swapping the places keeps the verdict {share(o.value)} of the time"
        of = f"{d['swapped'] - d['changed']:,.0f} of {d['swapped']:,.0f}{ends}"
        out.append(Fact("trust", f"{said} ({of}).", data))
    if d["decided"]:
        won, of = d["first_won"], d["decided"]
        said = f"The system shown first won {share(won / of)} of the votes that are no tie ({won:,.0f} of {of:,.0f})."
        out.append(Fact("trust", said, data))
    return out


def _needed(f: Finding) -> list[Fact]:
    out = []
    for o in f.overall:
        votes = o.labels["wins"] + o.labels["ties"] + o.labels["losses"]
        data = {"method": str(f.method), "estimate": o}
        if not votes:
            said = f"Nobody compared {o.labels['systems']}."
        elif math.isnan(o.value):
            said = f"{o.labels['systems']} are level: no number of votes would tell them apart."
        else:
            enough = "there are" if votes >= o.value else "there are only"
            often = share(float(str(f.method["target"])))
            takes = f"To tell {o.labels['systems']} apart {often} of the time takes about {o.value:,.0f} votes"
            said = f"{takes}; {enough} {votes:,.0f}."
        out.append(Fact("needed", said, data))
    return out[:1] + [Fact(x.name, x.text, x.data, expert=True) for x in out[1:]]
