"""What the agreement of votes is, in words."""

from __future__ import annotations

import math

from quorate.inference.engine import TASKS
from quorate.inference.results import Answer, Finding
from quorate.panel.base import many
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.generic import said_of_any
from quorate.words.limits import fewer_draws
from quorate.words.numbers import share
from quorate.words.wording import by_chance, voters

FEW = 10  # tasks, below which an interval over tasks is rough


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *repeats(panel)]
    tasks = len(panel.tasks)
    if 1 < tasks < FEW:
        out.append(f"{tasks} tasks are few: the intervals over tasks are rough")
    if tasks > TASKS and any(o.null for f in answer.findings for o in f.overall):
        out.append(f"chance and p are from {TASKS:,} of {tasks:,} tasks, drawn at random")
    return out + fewer_draws(answer)


def repeats(panel: Votes) -> list[str]:
    """That only a judge's first vote on a pair of a task is compared with the others'."""
    if not panel.repeats:
        return []
    again = "1 repeated vote is" if panel.repeats == 1 else f"{panel.repeats:,} repeated votes are"
    return [f"{again} not compared with other judges: of a judge's votes on a pair of a task the first counts"]


def size(panel: Votes) -> Fact:
    """How many judges voted how often on what."""
    votes = many(int(panel.count.sum()), "vote")
    between = f"{votes} by {many(voters(panel), 'judge')} between {many(len(panel.systems), 'system')}"
    return Fact("size", f"{between} on {many(len(panel.tasks), 'task')}.")


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """How much the judges agree, for people who read no table."""
    out = [size(panel)]
    if voters(panel) == 1:
        return [*out, Fact("nothing", "There is one judge only: nobody to agree with.")]
    if all(math.isnan(o.value) for f in answer.findings for o in f.overall):
        said = "No pair of systems has two judges on a task: there is nothing to agree on."
        if any(sum(f.details.get("pairs", ())) for f in answer.findings):
            said = "Every vote is a tie: there is nothing to agree on."
        return [*out, Fact("nothing", said)]
    for f in answer.findings:
        o = f.overall[0]
        if not math.isnan(o.value):
            said = _same(f) if f.method.name == "same_choice" else said_of_any(f, o)[0]
            out.append(Fact("agreement", said, {"method": str(f.method), "estimate": o, "interval": True}))
    return out


def _same(f: Finding) -> str:
    o = f.overall[0]
    alike, pairs, same, decided = (sum(f.details[n]) for n in ("alike", "pairs", "decided_alike", "decided_pairs"))
    ends = f"; 95% CI {share(o.interval.low)} to {share(o.interval.high)}" if o.interval else ""
    said = f"Two judges of the same pair choose alike {share(o.value)} of the time ({alike:,.0f} of {pairs:,.0f}{ends})"
    less = f", and {share(same / decided)} with ties left out" if 0 < decided < pairs else ""
    return f"{said}{less}{f', {by_chance(o.null.p)}' if o.null else ''}."
