"""How good systems are according to judges' scores, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.inference.results import Answer
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.leading import too_few
from quorate.words.limits import fewer_draws
from quorate.words.scores_systems import about_methods, about_scores, by_criterion, how_many, who_leads


def notes(panel: Scores, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    made = OutputDesign.every(panel)
    out = [*panel.notes, *about_scores(panel, made)]
    for f in answer.findings:
        for rows in by_criterion(f).values():
            out += filter(None, [too_few(rows, made[0].called, made[0].by[:-1])])
        if f.method.name == "bradley_terry":
            for design, fact in zip(made, f.about, strict=True):
                on = f"{fact['criterion']}: " if "criterion" in fact else ""
                rows = by_criterion(f).get(fact.get("criterion"), [])
                tested = any(o.labels["p_best"] is not None for o in rows)
                out += [f"{f.method}: {on}{note}" for note in _compared(design, fact, tested)]
    return list(dict.fromkeys([*out, *about_methods(answer), *fewer_draws(answer)]))


def _compared(made: OutputDesign, fact: Mapping[str, Any], tested: bool) -> list[str]:
    """How many comparisons there are, and what they leave open."""
    out = [f"{fact['comparisons']:,} comparisons, {fact['ties']:,} of them ties"]
    judges = int(made.voters.sum())
    if len(made.tasks) == 1 and not tested and fact["comparisons"]:
        out.append(f"one task and {many(judges, 'judge')}: too few to tell any two systems apart for sure")
    apart = int(fact["part"].max(initial=0)) + 1
    if apart > 1:
        out.append(f"the systems fall into {apart} parts that nobody compared: their order is known within a part only")
    if fact["never"]:
        out.append(f"compared with no other and left out: {', '.join(map(str, fact['never'][:5]))}")
    return out


def facts(panel: Scores, answer: Answer) -> list[Fact]:
    """Who leads, for people who read no table."""
    made = OutputDesign.every(panel)
    return [how_many(panel, made), *who_leads(made, answer)]
