"""What judges of scores agree on, in words."""

from __future__ import annotations

from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import listed
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.limits import fewer_draws
from quorate.words.scores_labels import left_out
from quorate.words.scores_systems import SHOWN, about_methods, about_scores, how_many, who_leads

FIRST = 5  # disputed units that are named


def notes(panel: Scores, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    if panel.scale:
        return [*panel.notes, *left_out(panel, answer.left)]
    about = about_scores(panel, OutputDesign.every(panel))
    return list(dict.fromkeys([*panel.notes, *about, *about_methods(answer), *fewer_draws(answer)]))


def facts(panel: Scores, answer: Answer) -> list[Fact]:
    """The answer for people who read no table."""
    if panel.scale:
        found = answer.findings[0] if answer.findings else None
        said = [Fact("first", _label(o)) for o in (found.overall if found else ())[:SHOWN]]
        return [*said, *_disputed(found)] if found and said else [Fact("nothing", "There are no scores.")]
    made = OutputDesign.every(panel)
    return [how_many(panel, made), *who_leads(made, answer)]


def _disputed(f: Finding) -> list[Fact]:
    """The units to adjudicate first: those on which the fewest of the judges gave the label that most gave."""
    votes, judges = f.details["votes"], f.details["judges"]
    open_ = [k for k in range(len(votes)) if votes[k] < judges[k]]
    open_.sort(key=lambda k: (votes[k] / judges[k], -judges[k]))
    if not open_:
        return []
    keys = [n for n in ("item", "task", "criterion") if n in f.keys and (n == "item" or len(set(f.keys[n])) > 1)]
    named = [f"{' of '.join(str(f.keys[n][k]) for n in keys)} ({votes[k]} of {judges[k]})" for k in open_[:FIRST]]
    rest = f"; {len(open_):,} units are disputed" if len(open_) > FIRST else ""
    data = {"units": [{n: f.keys[n][k] for n in f.keys} | {"votes": votes[k], "judges": judges[k]} for k in open_]}
    return [Fact("first", f"Adjudicate first: {', '.join(named)}{rest}.", data)]


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
