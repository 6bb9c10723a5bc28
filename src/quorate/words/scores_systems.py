"""What is said of systems that judges scored: how many there are, who leads, and what a reader must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.leading import leader
from quorate.words.wording import voters

SHOWN = 6  # criteria that sentences speak of


def how_many(panel: Scores, made: Sequence[OutputDesign]) -> Fact:
    """How many systems there are, and by whom they were scored."""
    if not made:
        return Fact("nothing", "There are no scores.")
    first = made[0]
    inputs = many(len(first.tasks), first.by[:-1])
    systems = many(len(first.systems), first.called)
    return Fact("size", f"{systems} on {inputs}, scored by {many(voters(panel), 'judge')}.")


def who_leads(made: Sequence[OutputDesign], answer: Answer) -> list[Fact]:
    """Who leads by the first method on each criterion."""
    if not made or not answer.findings:
        return []
    first = answer.findings[0]
    named = list(by_criterion(first).items())[:SHOWN]
    return [_leads(replace(first, overall=tuple(rows)), name, made[0]) for name, rows in named]


def by_criterion(finding: Finding) -> dict[Any, list[Overall]]:
    """The leaderboard of every criterion."""
    groups: dict[Any, list[Overall]] = {}
    for o in finding.overall:
        groups.setdefault(o.labels.get("criterion"), []).append(o)
    return groups


def _leads(f: Finding, criterion: Any, made: OutputDesign) -> Fact:
    on = f" on {criterion}" if criterion is not None else ""
    return leader(f, what=made.called, by=made.by[:-1], on=on)


def about_scores(panel: Scores, made: Sequence[OutputDesign], judges: bool = True) -> list[str]:
    """What is worth knowing of the panel for every figure about systems; ``judges``: where intervals are over them."""
    out = []
    missing = int(np.isnan(panel.value).sum())
    if missing:
        out.append(f"{many(missing, 'score')} of {len(panel):,} {'is' if missing == 1 else 'are'} missing")
    again = len(panel) - missing - sum(len(m.scores) for m in made)
    if again > 0 and (panel.count == 1).all():
        out.append(f"{many(again, 'repeated score')} left aside: of a judge's repeats on an item the first counts")
    if made and len(made[0].tasks) == 1:
        out += ["one task only: intervals and differences are over judges, not tasks"] if judges else []
    elif made and not made[0].named and made[0].by == "tasks":
        out.append("no column 'system': every item is taken as a system")
    return out


def about_methods(answer: Answer) -> list[str]:
    """What methods that weigh or level judges, or count, could not do."""
    out = []
    for f in answer.findings:
        for fact in f.about:
            on = f"{fact['criterion']}: " if "criterion" in fact else ""
            out += [f"{f.method}: {on}{note}" for note in _of_method(fact)]
    return out


def _of_method(fact: Mapping[str, Any]) -> list[str]:
    out = []
    if fact.get("no_weight"):
        out.append("no judge has a weight above 0, so all count the same")
    if fact.get("mean_weight"):
        out.append(f"{fact['mean_weight']} judges have no {fact['weights']} of their own and get the mean weight")
    if fact.get("weightless_units"):
        out.append(f"{fact['weightless_units']:,} units have only judges of weight 0; these count the same there")
    if fact.get("parts", 0) > 1:
        apart = f"the judges fall into {fact['parts']} parts that share no unit"
        out.append(f"{apart}: severity is taken out within a part, not between them")
    if fact.get("tied"):
        units = fact["units"]
        some = "the only unit has" if units == 1 else f"{fact['tied']:,} of {units:,} units have"
        out.append(f"{some} no value that more judges gave than any other")
    return out
