"""What is said of the judges of votes."""

from __future__ import annotations

import math

from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.flags import flag_facts
from quorate.words.limits import fewer_draws
from quorate.words.numbers import share
from quorate.words.votes_agreement import repeats
from quorate.words.wording import listed, voters

MATTERS = 0.1  # a preference for a place that is nearer to even than this is a trifle
NAMED = 3  # judges of whom a preference is told
NOT_IDENTIFIED = "every pair is shown in one order only, so that a preference for a place is not identified"


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *repeats(panel)]
    for f in answer.findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined == len(f.overall):
            out.append(f"{f.method}: {_WHY[f.method.name]}")
        elif undefined:
            out.append(f"{f.method}: undefined for {undefined:,} of {len(f.overall):,} judges")
    return out + fewer_draws(answer)


_WHY = {
    "place": NOT_IDENTIFIED,
    "consistency": "no judge saw a pair in both places on a task",
    "with_others": "no other judges voted on the same pair of a task",
}


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """Who is off, and who favours a place, for people who read no table."""
    out = []
    if voters(panel) == 1:
        out.append(Fact("nothing", "There is one judge only: nobody to compare with."))
    for f in answer.findings:
        known = [o for o in f.overall if not math.isnan(o.value)]
        if known:
            out += _SAY[f.method.name](f, known)
    return [*out, *flag_facts(panel, answer)]


def _place(f: Finding, known: list[Overall]) -> list[Fact]:
    data = {"method": str(f.method)}
    favour = [o for o in known if abs(o.value - 0.5) >= MATTERS and o.labels["p_holm"] < ALPHA]
    if not favour:
        who = "No judge" if len(known) > 1 else "The judge does not"
        said = f"{who} clearly {'favours' if len(known) > 1 else 'favour'} a place."
        return [Fact("judge", said, {**data, "worst": known[0]}, expert=True)]
    said = listed([f"{o.labels['judge']} ({share(o.value)})" for o in favour], NAMED)
    return [
        Fact("judge", f"The system shown first is chosen unevenly by {said}; 50% is even.", {**data, "off": favour})
    ]


def _consistency(f: Finding, known: list[Overall]) -> list[Fact]:
    worst = known[0]
    stayed, of = worst.labels["stayed"], worst.labels["swapped"]
    said = f"{worst.labels['judge']} keeps {share(worst.value)} of verdicts when places are swapped"
    return [Fact("judge", f"{said} ({stayed:,.0f} of {of:,.0f}).", {"method": str(f.method), "worst": worst})]


def _with_others(f: Finding, known: list[Overall]) -> list[Fact]:
    worst, mean = known[0], sum(o.value for o in known) / len(known)
    said = f"{worst.labels['judge']} chooses as most others do {share(worst.value)} of the time"
    return [Fact("judge", f"{said}; mean of the judges {share(mean)}.", {"method": str(f.method), "worst": worst})]


_SAY = {"place": _place, "consistency": _consistency, "with_others": _with_others}
