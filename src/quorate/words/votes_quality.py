"""What is said of systems by their votes."""

from __future__ import annotations

from quorate.inference.results import Answer, Finding
from quorate.panel.pairs import VoteDesign
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.leading import leader, too_few
from quorate.words.limits import fewer_draws
from quorate.words.numbers import plain, two
from quorate.words.votes_agreement import size
from quorate.words.votes_consensus import apart

UNITS = {"tasks": "task", "judges": "judge", "items": "vote"}  # what is drawn, and what systems are compared on
OTHERWISE = {
    "judges": "there is one task only, or none: intervals and differences are over judges",
    "items": "there is one task only, or none, and too few judges to draw: votes are drawn as if each stood for itself",
}


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out, over = list(panel.notes), _over(panel, answer)
    for f in answer.findings:
        out += [*apart(f), *modelled(panel, f)]
        out += filter(None, [too_few(f.overall, by=UNITS.get(over, "task"))])
    if over in OTHERWISE and any(o.interval for f in answer.findings for o in f.overall):
        out.append(OTHERWISE[over])
    return [*dict.fromkeys(out), *fewer_draws(answer)]


def modelled(panel: Votes, f: Finding) -> list[str]:
    """What the model of votes holds beside strengths: a place, and a prior where votes set no limit."""
    about, out = f.about[0], []
    if about.get("placed"):
        out.append(
            f"{f.method}: strengths are free of what the first place is worth, {two(about['place'])} in log odds"
        )
    elif "placed" in about and f.method["place"] == "auto" and not VoteDesign.of(panel).both_ways:
        out.append(
            f"{f.method}: every pair is shown in one order only: what the first place is worth is in the strengths"
        )
    if about.get("prior"):
        given = f"given {plain(about['prior'], 2)} wins and as many losses more"
        out.append(f"{f.method}: the votes alone set no limit to some strengths: every system is {given}")
    return out


def _over(panel: Votes, answer: Answer) -> str:
    return answer.options.over or VoteDesign.of(panel).over


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """Who leads, for people who read no table."""
    by = UNITS.get(_over(panel, answer), "task")
    return [size(panel), *(leader(f, by=by) for f in answer.findings)]
