"""What judges of scores agree on, in words."""

from __future__ import annotations

from quorate.inference.results import Answer, Overall
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.limits import fewer_draws
from quorate.words.scores_labels import left_out
from quorate.words.scores_systems import SHOWN, about_methods, about_scores, how_many, who_leads
from quorate.words.wording import listed


def notes(panel: Scores, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    if panel.scale:
        return [*panel.notes, *left_out(panel, answer.left)]
    about = about_scores(panel, OutputDesign.every(panel))
    return list(dict.fromkeys([*panel.notes, *about, *about_methods(answer), *fewer_draws(answer)]))


def facts(panel: Scores, answer: Answer) -> list[Fact]:
    """The answer for people who read no table."""
    if panel.scale:
        first = answer.findings[0].overall if answer.findings else ()
        return [Fact("first", _label(o)) for o in first[:SHOWN]] or [Fact("nothing", "There are no scores.")]
    made = OutputDesign.every(panel)
    return [how_many(panel, made), *who_leads(made, answer)]


def _label(o: Overall) -> str:
    """How many units have a label, and which is the most frequent."""
    on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
    decided, units, times = o.labels["decided"], o.labels["units"], o.labels["times"]
    some = "The only unit" if units == 1 else f"{decided:,} of {units:,} units"
    if not decided:
        return f"No unit{on} has a label that more judges gave than any other."
    often = [f"'{label}'" for label, number in o.labels["labels"].items() if number == times]
    how = f"{listed(often)} ({times:,}{' each' if len(often) > 1 else ''})"
    has = "has" if decided == 1 else "have"
    return f"{some}{on} {has} a label that more judges gave than any other, most often {how}."
