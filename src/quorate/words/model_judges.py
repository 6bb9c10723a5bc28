"""People and models in words: who may stand in for people and why, what a model is worth, favours and means."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.inference.results import Finding, Overall
from quorate.panel.as_scores import OWN, PLACE
from quorate.panel.base import listed, many
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.numbers import plain, share, two
from quorate.words.wording import as_odds, brief, called, ci, upper

NAMED = 3  # models, or biases, in a sentence
FAR = 0.25  # of the spread of people's scores: a difference in level that is worth a word
GAIN = 0.05  # of units, from which on a threshold is worth a word
MOST = 10.0  # people, from which on no tenths are told
WHO = {"people": "two people", "models": "two models", "people and models": "a model and a person"}
CANNOT = {  # why a figure is none
    "people": "cannot be told from these people, whose agreement is too weak or too unsure",
    "few": "cannot be told from so few: nearly any number fits",
}
UNSURE = "people's own agreement is too weak or too unsure"
UNTOLD = {  # why nobody can say whether a model may stand in
    "one person": "there is one person only",
    "chance": "people themselves do not clearly agree more than by chance",
}


# -- what the methods say, for answers ---------------------------------------------------------------------------------


def worth(f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]) -> Iterator[Fact]:
    """How many people each model is worth, or that it cannot be told."""
    for o in rows[:NAMED]:
        on = f" on {called(o.labels['criterion'], 'criterion')}" if "criterion" in o.labels else ""
        said = f"{_model(o.labels['judge'])} is worth {people(o)}{on}: {_went(o.labels)}."
        yield Fact("trust", said, {"method": str(f.method), "estimate": o})
    for row in fact.get("untold", ())[:NAMED]:
        on = f" on {called(row['criterion'], 'criterion')}" if "criterion" in row else ""
        why = f"{CANNOT[row['why']]}: {_went(row)}"
        said = f"How many people {_model(row['judge'])} is worth{on} {why}."
        yield Fact("not_identified", said, {"method": str(f.method), **row})


def _went(told: Mapping[str, Any]) -> str:
    return f"it correlates {two(told['with_people'])} with a person, two people {two(told['two_people'])}"


def people(o: Estimate) -> str:
    """A number of people with its interval."""
    if math.isinf(o.value):
        least = f" (at least {people_number(o.interval.low)})" if o.interval else ""
        return f"more people than can be told{least}"
    said = people_number(o.value)
    return f"{said} {'person' if said == '1.0' else 'people'}{ci(o, people_number)}"


def people_number(value: float) -> str:
    """How many people, without the word."""
    if math.isinf(value):
        return "any number"
    return plain(value, 1) if value < MOST else f"{value:,.0f}"


def model_bias(
    f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]
) -> Iterator[str | Fact]:
    """What models favour that people do not; that nothing was found, where nothing was, or could not be."""
    found = [o for o in rows if o.labels["p_holm"] < ALPHA]
    for o in found[:NAMED]:
        on = f" on {called(o.labels['criterion'], 'criterion')}" if "criterion" in o.labels else ""
        yield Fact("trust", f"{upper(favours(o))}{on}.", {"method": str(f.method), "estimate": o})
    if rows and not found:
        yield f"No bias of a model is seen: of {many(len(rows), 'test')} none is significant after correction."
    untold: dict[str, list[Mapping[str, Any]]] = {}
    for row in fact.get("untold", ()):
        untold.setdefault(str(row["judge"]), []).append(row)
    for judge, those in list(untold.items())[:NAMED]:
        on = f" on {called(fact['criterion'], 'criterion')}" if "criterion" in fact else ""
        columns = listed(list(dict.fromkeys(str(r["column"]) for r in those)), NAMED)
        said = f"Whether {_model(judge)} favours anything by {columns}{on} {CANNOT['people']}."
        yield Fact("not_identified", said, {"method": str(f.method), "judge": judge, "why": "people", "rows": those})


def favour(o: Estimate) -> str:
    """What a model favours, to follow its name."""
    column, value, up = o.labels["column"], o.labels["favours"], o.value > 0
    if column == OWN:
        return "favours its own family" if up else "scores its own family lower"
    if column == PLACE:
        return f"favours what is shown {'first' if up else 'second'}"
    if value is None and column == "length":
        return f"favours {'long' if up else 'short'} answers"
    if value is None:
        return f"favours {'higher' if up else 'lower'} {column}"
    return f"{'favours' if up else 'scores'} {column} {value}{'' if up else ' lower'}"


def favours(o: Estimate, *, figures: bool = True) -> str:
    """What a model favours, with how much."""
    what, judge = favour(o), _model(o.labels["judge"])
    if not figures:
        return f"{judge} {what}"
    if o.labels.get("odds"):
        odds = as_odds(o)
        return f"{judge} {what}: its odds of winning are {two(odds.value)} times what others give it{ci(odds)}"
    number = o.labels["favours"] is None and o.labels["column"] not in (OWN, PLACE)
    unit = " for a standard deviation" if number else ""
    return f"{judge} {what}{than_people(o)}: {two(o.value)} points{unit}{ci(o)}"


def than_people(o: Estimate) -> str:
    """The end of a sentence about what a model favours."""
    lower = o.value < 0 and (o.labels["column"] == OWN or o.labels["favours"] is not None)
    return " than people do" if lower else " more than people do"


def calibration(
    f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]
) -> Iterator[str | Fact]:
    """Of each model the score that is farthest from people's; and the threshold that pays most."""
    for judge in list(dict.fromkeys(o.labels["judge"] for o in rows))[:NAMED]:
        mine = [o for o in rows if o.labels["judge"] == judge and o.labels["p_holm"] < ALPHA]
        on = f" on {called(fact['criterion'], 'criterion')}" if "criterion" in fact else ""
        if mine:
            far = max(mine, key=lambda o: abs(o.value))
            said = f"Where {_model(judge)} says {far.labels['says']}, people say {two(far.labels['people_say'])}{on}."
            yield Fact("trust", said, {"method": str(f.method), "estimate": far})
    cut = best_threshold(f, fact.get("criterion"))
    if cut:
        right = f"that agrees with people on {share(cut['right'])} of the units it was not chosen on"
        yield f"{take(cut)}: {right}; the same number for both would on {share(cut['same_cut'])}."


def best_threshold(f: Finding, criterion: Any = None, off: Collection[str] = ()) -> dict[str, Any] | None:
    """The threshold that gains most over taking the model's score for people's; None where none gains. Of judges who
    are ``off`` none is told.

    Nor where saying the same of all units would be right as often.
    """
    rows = [
        {**{n: c[k] for n, c in f.keys.items()}, **{n: c[k] for n, c in f.details.items()}, "cut": f.values[k]}
        for k in range(len(f.values))
    ]
    mine = [r for r in rows if r.get("criterion") == criterion and str(r["judge"]) not in off]
    mine = [r for r in mine if r["right"] - r["same_cut"] >= GAIN]
    mine = [r for r in mine if r["right"] > max(r["often"], 1 - r["often"])]
    return max(mine, key=lambda r: r["right"] - r["same_cut"], default=None)


def take(cut: Mapping[str, Any]) -> str:
    """A threshold, as something to do."""
    return f"Read {_model(cut['judge'])}'s scores of {cut['cut']:g} and more as people's {cut['at_least']:g} and more"


def _model(name: object) -> str:
    return called(name, "model")


# -- all about the models ----------------------------------------------------------------------------------------------


def reasons(v: Any, *, most: int = 2) -> list[str]:
    """Why a model may or may not stand in, the heaviest first."""
    if v.replaces is None:
        return [UNTOLD.get(v.untold, f"it shares too few {v.what}s with two people")]
    return [f"it {said}" for said in does(v)[:most]]


def does(v: Any) -> list[str]:
    """What a model does that lets it stand in or not, the heaviest first."""
    if v.replaces:
        margin = f", with a margin of {v.margin:g}" if v.margin else ""
        return [f"comes as near to the other people as a person does (against {v.won} of {v.humans}{margin})"]
    out = []
    if off_level(v):
        out.append(f"scores {two(abs(v.level))} points {'above' if v.level > 0 else 'below'} people")
    if unsettled(v):
        out.append(f"is not yet shown to come as near to people as a person does, worth {people(v.worth)}")
    elif v.worth is not None and v.worth.value < 1:
        out.append(f"goes with people less than a person does, worth {people(v.worth)}")
    out += [favour(o) for o in v.biases]
    return [*out, f"is as near to the others as a person on {share(v.advantage)} of {v.what}s only"]


def off_level(v: Any) -> bool:
    """Whether a model's scores lie on another level than people's."""
    return v.level is not None and abs(v.level) >= FAR * v.spread


def worth_less(v: Any) -> list[str]:
    """That a model is worth less than a person, where that is known; the margin lets it stand in all the same."""
    e = v.worth
    less = e is not None and e.interval is not None and e.interval.high < 1
    return [f"is worth less than a person, {people(e)}"] if less else []


def unsettled(v: Any) -> bool:
    """Whether a model that may not stand in may be worth a person all the same: there are too few units to tell."""
    e = v.worth
    return bool(e is not None and e.value < 1 and e.interval is not None and e.interval.high >= 1)


def verdict(v: Any) -> str:
    """Whether a model may stand in, with the reasons."""
    on = f" on {called(v.criterion, 'criterion')}" if v.criterion is not None else ""
    can = "cannot be said to stand in" if v.replaces is None else f"may{'' if v.replaces else ' not'} stand in"
    return f"{brief(v.judge, what='model')} {can} for people{on}, because {' and '.join(reasons(v))}"


def model_facts(found: Any) -> Iterator[Fact]:
    """All facts, the most important first."""
    for v in found.verdicts[: 2 * NAMED]:
        but = [*worth_less(v), *(favour(o) for o in v.biases)] if v.replaces else []
        text = f"{verdict(v)}{f', but it {listed(but)}' if but else ''}."
        yield Fact("stand_in", text, {"judge": v.judge, "replaces": v.replaces, "criterion": v.criterion})
    yield from _agreement(found)
    own = [o for v in found.verdicts for o in v.biases if o.labels.get("odds")]
    none = own and not any(o.labels["p_holm"] < ALPHA for o in found.tested)  # "no bias is seen" would be wrong
    for f in found.trust.facts if found.trust else ():
        if f.name in ("trust", "not_identified") and not (
            none and str(f.data.get("method", "")).startswith("model_bias")
        ):
            yield f
    yield from (Fact("own_family", f"{upper(favours(o))}.", {"judge": o.labels["judge"]}) for o in own[:NAMED])


def _agreement(found: Any) -> Iterator[Fact]:
    by: dict[Any, list[Mapping[str, Any]]] = {}
    for row in found.agreement:
        by.setdefault(row.get("criterion"), []).append(row)
    for criterion, rows in by.items():
        told = [f"{WHO[r['judges']]} {two(r['value'])}" for r in rows if not math.isnan(r["value"])]
        on = f" on {called(criterion, 'criterion')}" if criterion is not None else ""
        if told:
            yield Fact("judge_kinds", f"Agreement{on} (alpha): {', '.join(told)}.", {"rows": rows})
