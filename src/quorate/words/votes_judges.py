"""What is said of the judges of votes."""

from __future__ import annotations

import math

from quorate.inference.board import ALPHA
from quorate.inference.flags import JUDGES
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import listed
from quorate.panel.pairs import VoteDesign
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.flags import flag_facts
from quorate.words.limits import fewer_draws
from quorate.words.numbers import share
from quorate.words.votes_agreement import repeats
from quorate.words.wording import voters

MATTERS = 0.1  # a preference for a place that is nearer to even than this is a trifle
NAMED = 3  # judges of whom a preference is told
ENOUGH = 10  # votes of a judge, from which the judge's share is told by name
NOT_IDENTIFIED = "every pair is shown in one order only, so that a preference for a place is not identified"


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *repeats(panel)]
    for f in answer.findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined == len(f.overall):
            out.append(f"{f.method}: {_why(panel, f.method.name)}")
        elif undefined:
            out.append(f"{f.method}: does not apply to {undefined:,} of {len(f.overall):,} judges")
    return out + fewer_draws(answer)


def _why(panel: Votes, name: str) -> str:
    """Why a method says nothing of any judge."""
    if name == "place" and VoteDesign.of(panel).both_ways:
        return "no judge saw a pair both ways, so that nobody's preference for a place is identified"
    return {
        "place": NOT_IDENTIFIED,
        "consistency": "no judge saw a pair in both places on a task",
        "with_others": "no other judges voted on the same pair of a task",
    }[name]


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
    stayed, of = (sum(o.labels[n] for o in known) for n in ("stayed", "swapped"))
    said = f"{_who(known)} {share(stayed / of)} of verdicts when places are swapped ({stayed:,.0f} of {of:,.0f})"
    worst = _named(known, "swapped")
    told = f"; {worst.labels['judge']} keeps {share(worst.value)}" if worst and len(known) > 1 else ""
    return [Fact("judge", f"{said}{told}.", {"method": str(f.method), "worst": worst or known[0]}, expert=of < ENOUGH)]


def _who(known: list[Overall]) -> str:
    return f"{known[0].labels['judge']} keeps" if len(known) == 1 else "The judges keep"


def _with_others(f: Finding, known: list[Overall]) -> list[Fact]:
    worst, mean = _named(known, "votes"), share(sum(o.value for o in known) / len(known))
    said = f"The judges choose as most others do {mean} of the time, on average"
    if worst is not None:
        said = f"{worst.labels['judge']} chooses as most others do {share(worst.value)} of the time"
        said = f"{said}; mean of the judges {mean}"
    return [Fact("judge", f"{said}.", {"method": str(f.method), "worst": worst or known[0]})]


def _named(known: list[Overall], of: str) -> Overall | None:
    """The worst judge of those with votes enough to be named; nobody among very many."""
    return next((o for o in known if o.labels[of] >= ENOUGH), None) if len(known) <= JUDGES else None


_SAY = {"place": _place, "consistency": _consistency, "with_others": _with_others}
