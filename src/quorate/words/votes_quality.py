"""What is said of systems by their votes."""

from __future__ import annotations

from quorate.inference.results import Answer
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.leading import leader, too_few
from quorate.words.limits import fewer_draws
from quorate.words.votes_agreement import size
from quorate.words.votes_consensus import apart


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = list(panel.notes)
    for f in answer.findings:
        out += apart(f)
        out += filter(None, [too_few(f.overall, by=_by(panel))])
    if len(panel.tasks) == 1:
        out.append("one task only: intervals and differences are over judges, not tasks")
    return [*dict.fromkeys(out), *fewer_draws(answer)]


def _by(panel: Votes) -> str:
    """What systems are compared on."""
    return "judge" if len(panel.tasks) == 1 else "task"


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """Who leads, for people who read no table."""
    return [size(panel), *(leader(f, by=_by(panel)) for f in answer.findings)]
