"""People and models in words: who may stand in for people and why, what a model is worth, favours and means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.inference.results import Finding, Overall
from quorate.panel.as_scores import OWN, PLACE
from quorate.panel.base import listed, many
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.headline import LONGEST
from quorate.words.numbers import plain, share, two
from quorate.words.screen import FirstScreen, Picture, Step, Tile
from quorate.words.wording import as_odds, brief, ci, upper

NAMED = 3  # models, or biases, in a sentence
FAR = 0.25  # of the spread of people's scores: a difference in level that is worth a word
GAIN = 0.05  # of units, from which on a threshold is worth a word
MOST = 10.0  # people that a picture shows
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


def worth(f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]) -> Iterator[str | Fact]:
    """How many people each model is worth, or that it cannot be told."""
    for o in rows[:NAMED]:
        on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
        yield f"{o.labels['judge']} is worth {people(o)}{on}: {_went(o.labels)}."
    for row in fact.get("untold", ())[:NAMED]:
        on = f" on {row['criterion']}" if "criterion" in row else ""
        why = f"{CANNOT[row['why']]}: {_went(row)}"
        said = f"How many people {row['judge']} is worth{on} {why}."
        yield Fact("not_identified", said, {"method": str(f.method), **row})


def _went(told: Mapping[str, Any]) -> str:
    return f"it correlates {two(told['with_people'])} with a person, two people {two(told['two_people'])}"


def people(o: Estimate) -> str:
    """A number of people with its interval."""
    if math.isinf(o.value):
        least = f" (at least {_number(o.interval.low)})" if o.interval else ""
        return f"more people than can be told{least}"
    said = _number(o.value)
    return f"{said} {'person' if said == '1.0' else 'people'}{ci(o, _number)}"


def _number(value: float) -> str:
    if math.isinf(value):
        return "any number"
    return plain(value, 1) if value < MOST else f"{value:,.0f}"


def model_bias(
    f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]
) -> Iterator[str | Fact]:
    """What models favour that people do not; that nothing was found, where nothing was, or could not be."""
    found = [o for o in rows if o.labels["p_holm"] < ALPHA]
    for o in found[:NAMED]:
        on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
        yield f"{upper(favours(o))}{on}."
    if rows and not found:
        yield f"No bias of a model is seen: of {many(len(rows), 'test')} none is significant after correction."
    untold: dict[str, list[Mapping[str, Any]]] = {}
    for row in fact.get("untold", ()):
        untold.setdefault(str(row["judge"]), []).append(row)
    for judge, those in list(untold.items())[:NAMED]:
        on = f" on {fact['criterion']}" if "criterion" in fact else ""
        columns = listed(list(dict.fromkeys(str(r["column"]) for r in those)), NAMED)
        said = f"Whether {judge} favours anything by {columns}{on} {CANNOT['people']}."
        yield Fact("not_identified", said, {"method": str(f.method), "judge": judge, "why": "people", "rows": those})


def favours(o: Estimate, *, figures: bool = True) -> str:
    """What a model favours, with how much."""
    column, value, judge = o.labels["column"], o.labels["favours"], o.labels["judge"]
    up = o.value > 0
    if column == OWN:
        what = "favours its own family" if up else "scores its own family lower"
    elif column == PLACE:
        what = f"favours what is shown {'first' if up else 'second'}"
    elif value is None:
        what = (
            f"favours {'higher' if up else 'lower'} {column}"
            if column != "length"
            else (f"favours {'long' if up else 'short'} answers")
        )
    else:
        what = f"{'favours' if up else 'scores'} {column} {value}{'' if up else ' lower'}"
    if not figures:
        return f"{judge} {what}"
    if o.labels.get("odds"):
        odds = as_odds(o)
        return f"{judge} {what}: its odds of winning are {two(odds.value)} times what others give it{ci(odds)}"
    unit = " for a standard deviation" if value is None and column not in (OWN, PLACE) else ""
    return f"{judge} {what}{_than_people(what)}: {two(o.value)} points{unit}{ci(o)}"


def _than_people(what: str) -> str:
    return " than people do" if what.endswith(" lower") else " more than people do"


def calibration(f: Finding, made: OutputDesign, fact: Mapping[str, Any], rows: Sequence[Overall]) -> Iterator[str]:
    """Of each model the score that is farthest from people's; and the threshold that pays most."""
    for judge in list(dict.fromkeys(o.labels["judge"] for o in rows))[:NAMED]:
        mine = [o for o in rows if o.labels["judge"] == judge and o.labels["p_holm"] < ALPHA]
        on = f" on {fact['criterion']}" if "criterion" in fact else ""
        if mine:
            far = max(mine, key=lambda o: abs(o.value))
            yield f"Where {judge} says {far.labels['says']}, people say {two(far.labels['people_say'])}{on}."
    cut = best_threshold(f, fact.get("criterion"))
    if cut:
        right = f"that agrees with people on {share(cut['right'])} of the units it was not chosen on"
        yield f"{take(cut)}: {right}; the same number for both would on {share(cut['same_cut'])}."


def best_threshold(f: Finding, criterion: Any = None) -> dict[str, Any] | None:
    """The threshold that gains most over taking the model's score for people's; None where none gains.

    Nor where saying the same of all units would be right as often.
    """
    rows = [
        {**{n: c[k] for n, c in f.keys.items()}, **{n: c[k] for n, c in f.details.items()}, "cut": f.values[k]}
        for k in range(len(f.values))
    ]
    mine = [r for r in rows if r.get("criterion") == criterion and r["right"] - r["same_cut"] >= GAIN]
    mine = [r for r in mine if r["right"] > max(r["often"], 1 - r["often"])]
    return max(mine, key=lambda r: r["right"] - r["same_cut"], default=None)


def take(cut: Mapping[str, Any]) -> str:
    """A threshold, as something to do."""
    return f"Read {cut['judge']}'s scores of {cut['cut']:g} and more as people's {cut['at_least']:g} and more"


# -- all about the models ----------------------------------------------------------------------------------------------


def reasons(v: Any, *, most: int = 2) -> list[str]:
    """Why a model may or may not stand in, the heaviest first."""
    out = []
    if v.replaces is None:
        return [UNTOLD.get(v.untold, f"it shares too few {v.what}s with two people")]
    if v.replaces:
        out.append(f"it comes as near to the other people as a person does (against {v.won} of {v.humans})")
        return out
    if v.level is not None and abs(v.level) >= FAR * v.spread:
        out.append(f"it scores {two(abs(v.level))} points {'above' if v.level > 0 else 'below'} people")
    if unsettled(v):
        out.append(f"it is not yet shown to come as near to people as a person does, worth {people(v.worth)}")
    elif v.worth is not None and v.worth.value < 1:
        out.append(f"it goes with people less than a person does, worth {people(v.worth)}")
    out += [favours(o, figures=False).removeprefix(f"{v.judge} ").replace("favours", "it favours", 1) for o in v.biases]
    out.append(f"it is as near to the others as a person on {share(v.advantage)} of {v.what}s only")
    return out[:most]


def unsettled(v: Any) -> bool:
    """Whether a model that may not stand in may be worth a person all the same: there are too few units to tell."""
    e = v.worth
    return bool(e is not None and e.value < 1 and e.interval is not None and e.interval.high >= 1)


def verdict(v: Any) -> str:
    """Whether a model may stand in, with the reasons."""
    on = f" on {v.criterion}" if v.criterion is not None else ""
    can = "cannot be said to stand in" if v.replaces is None else f"may{'' if v.replaces else ' not'} stand in"
    return f"{brief(v.judge)} {can} for people{on}, because {' and '.join(reasons(v))}"


def model_facts(found: Any) -> Iterator[Fact]:
    """All facts, the most important first."""
    for v in found.verdicts[: 2 * NAMED]:
        but = [favours(o, figures=False).removeprefix(f"{v.judge} ") for o in v.biases] if v.replaces else []
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
        on = f" on {criterion}" if criterion is not None else ""
        if told:
            yield Fact("judge_kinds", f"Agreement{on} (alpha): {', '.join(told)}.", {"rows": rows})


# -- the first screen of its page --------------------------------------------------------------------------------------


def first_screen(found: Any, usual: FirstScreen) -> FirstScreen:
    """The first screen of models as judges: who may stand in and why, what they are worth, and what to do."""
    tiles = (_stand_in_tile(found), _agreement_tile(found, usual), _worth_tile(found), _bias_tile(found))
    own, off = tuple(_steps(found)), tuple(s for s in usual.steps if s.anchor.startswith("off"))[:2]
    steps = (*own[: 4 - len(off)], *off) or usual.steps
    return FirstScreen(headline(found), _sub(found), tiles, steps)


def headline(found: Any) -> str:
    """Who may stand in for people here, and why or why not."""
    said = list(_headlines(found))
    return next((s for s in said if len(s) <= LONGEST), said[-1])


def _headlines(found: Any) -> Iterator[str]:
    yes, no = ([v for v in found.verdicts if v.replaces is kind] for kind in (True, False))
    if not (yes or no) and _at_chance(found):
        yield "People do not clearly agree more than by chance, so nobody can say whether a model may stand in."
        return
    if not yes and not no:
        yield f"Too few {found.what}s were judged by two people and a model to tell whether one may stand in."
        return
    if len(found.models) == 1 and len(found.verdicts) == 1:
        yield f"{verdict(found.verdicts[0])}."
    if yes:
        who = _those(yes, found)
        others = {v.judge for v in no} - {v.judge for v in yes}
        worst = next((v for v in no if v.judge in others), None)
        nots = f", {listed([brief(n, 16) for n in sorted(map(str, others))])} may not" if others else ""
        why = f", because {reasons(worst, most=1)[0]}" if worst and len(others) == 1 else ""
        yield f"{who} may stand in for people here{nots}{why}."
        yield f"{who} may stand in for people here{nots}."
        yield f"{len({v.judge for v in yes}):,} of {len(found.models):,} models may stand in for people here."
        return
    first = no[0]
    name = brief(first.judge, 16)
    lead = "No model" if len(found.models) > 1 else name
    best = f" the nearest, {name}," if len(found.models) > 1 else ""
    why = reasons(first, most=1)[0].removeprefix("it ") if best else reasons(first, most=1)[0]
    yield f"{lead} may stand in for people here, because{best} {why}.".replace(f"{name} may ", f"{name} may not ", 1)


def _at_chance(found: Any) -> bool:
    """Whether people do not clearly agree: to be as near to them as another person is says nothing then."""
    return any(v.untold == "chance" for v in found.verdicts)


def _those(yes: Sequence[Any], found: Any) -> str:
    """Names of those who may; with the criteria, where they may on some only."""
    by: dict[str, list[Any]] = {}
    for v in yes:
        by.setdefault(str(v.judge), []).append(v.criterion)
    out = []
    for name, on in by.items():
        some = f" (on {listed(on)})" if len(on) < found.criteria else ""
        out.append(f"{brief(name, 16)}{some}")
    return listed(out)


def _sub(found: Any) -> str:
    copied = [str(f) for f in (found.trust.facts if found.trust else ()) if f.name == "copies"]
    told = [favours(o, figures=False) for v in found.verdicts for o in v.biases][:2]
    return " ".join([*copied, *([f"{upper('; '.join(told))}{_than_people(told[-1])}."] if told else [])])


def _stand_in_tile(found: Any) -> Tile:
    asks, known = "May a model stand in?", [v for v in found.verdicts if v.replaces is not None]
    if not known:
        figure = f"no model shares {found.least} {found.what}s with two people"
        if _at_chance(found):
            figure = "people do not clearly agree more than by chance"
        return Tile("stand_in", asks, "Cannot be told", figure, _nothing(), "models", tone="warn")
    yes = list(dict.fromkeys(str(v.judge) for v in known if v.replaces))
    word = (
        f"{listed([brief(n, 16) for n in yes])}: yes" if 0 < len(yes) < NAMED else f"{len(yes)} of {len(found.models)}"
    )
    rows = tuple(
        {
            "name": brief(v.judge, 12),
            "value": v.advantage,
            "low": (v.ends or (None,) * 2)[0],
            "high": (v.ends or (None,) * 2)[1],
        }
        for v in known[:5]
    )
    first = known[0]
    figure = f"{brief(first.judge, 16)} holds its own against {first.won} of {first.humans} people"
    said = "How often a model is at least as near to the others as a person: " + ", ".join(
        f"{r['name']} {share(r['value'])}" for r in rows
    )
    picture = Picture("intervals", said, rows, (0.0, 1.0))
    return Tile("stand_in", asks, word if yes else "No", figure, picture, "models", tone="good" if yes else "warn")


def _agreement_tile(found: Any, usual: FirstScreen) -> Tile:
    rows = [r for r in found.agreement if not math.isnan(r["value"])]
    rows = [r for r in rows if r.get("criterion") == rows[0].get("criterion")] if rows else []
    asks = "Do models agree with people?"
    if len(rows) < 2:
        return next(t for t in usual.tiles if t.name == "agreement")
    drawn = tuple(
        {
            "name": r["judges"],
            "value": r["value"],
            "low": (r["interval"] or (None,) * 2)[0],
            "high": (r["interval"] or (None,) * 2)[1],
        }
        for r in rows
    )
    by = {r["judges"]: r["value"] for r in rows}
    across, among = by.get("people and models"), by.get("people")
    word = "Cannot be told"
    if across is not None and among is not None:
        word = "As people do" if across >= among - 0.05 else "Less than people do"
    figure = ", ".join(f"{WHO[r['judges']]} {two(r['value'])}" for r in rows)
    ends = (min(0.0, *(x for r in drawn for x in (r["value"], r["low"] or 0.0))), 1.0)
    picture = Picture("intervals", figure, drawn, ends)
    note = "0 is chance, 1 is full agreement"
    return Tile("across", asks, word, figure, picture, "agreement", note, "plain" if word == "As people do" else "warn")


def _worth_tile(found: Any) -> Tile:
    asks, known = "How many people is it worth?", [v for v in found.verdicts if v.worth is not None]
    if not known:
        why = {row["why"] for row in found.untold("people_worth")}
        figure = f"no {found.what}s were judged by two people and a model"
        if why:
            figure = UNSURE if "people" in why else f"so few {found.what}s that nearly any number fits"
        return Tile("worth", asks, "Cannot be told", figure, _nothing(), "models")
    known.sort(key=lambda v: -v.worth.value)
    first = known[0]
    rows = tuple({"name": brief(v.judge, 12), "value": min(v.worth.value, MOST), **_ends(v.worth)} for v in known[:5])
    said = ", ".join(
        f"{brief(v.judge, 12)} {_number(v.worth.value) if math.isfinite(v.worth.value) else 'any number'}"
        for v in known[:5]
    )
    most = max(2.0, *(min(x, MOST) for r in rows for x in (r["value"], r["high"]) if x is not None))
    picture = Picture("intervals", f"People that a model is worth: {said}", rows, (0.0, most), 1.0)
    word = (
        f"{brief(first.judge, 16)}: {_number(first.worth.value) if math.isfinite(first.worth.value) else 'any number'}"
    )
    figure = (
        f"the mean of {people(first.worth)} is as good"
        if math.isfinite(first.worth.value)
        else "better than the mean of any number of people"
    )
    return Tile("worth", asks, word, figure, picture, "models", "once its level and spread are put right")


def _ends(e: Estimate) -> dict[str, float | None]:
    if e.interval is None:
        return {"low": None, "high": None}
    return {"low": min(e.interval.low, MOST), "high": min(e.interval.high, MOST)}


def _bias_tile(found: Any) -> Tile:
    asks, biases = "Does a model favour anything?", [o for v in found.verdicts for o in v.biases]
    if not found.tested and found.untold("model_bias"):
        return Tile("bias", asks, "Cannot be told", UNSURE, _nothing(), "models")
    if not found.tested:
        figure = "no column tells more of the items (length, place, family)"
        return Tile("bias", asks, "Not looked for", figure, _nothing(), "models")
    rows = tuple(
        {
            "name": brief(o.labels["judge"], 12),
            "value": o.value,
            "low": o.interval and o.interval.low,
            "high": o.interval and o.interval.high,
        }
        for o in (biases or found.tested)[:5]
    )
    ends = [x for r in rows for x in (r["value"], r["low"], r["high"]) if x is not None]
    picture = Picture(
        "intervals",
        "; ".join(favours(o, figures=False) for o in biases[:5]) or "nothing is significant",
        rows,
        (min(0.0, *ends), max(0.0, *ends)),
        0.0,
    )
    if not biases:
        figure = f"of {many(len(found.tested), 'test')} none is significant"
        return Tile("bias", asks, "Not seen", figure, picture, "models", tone="good")
    who = list(dict.fromkeys(str(o.labels["judge"]) for o in biases))
    word = f"{listed([brief(n, 16) for n in who])}: yes" if len(who) < NAMED else f"{len(who)} models"
    return Tile("bias", asks, word, favours(biases[0]), picture, "models", tone="warn")


def _steps(found: Any) -> Iterator[Step]:
    known = [v for v in found.verdicts if v.replaces is not None]
    yes = list(dict.fromkeys(str(v.judge) for v in known if v.replaces))
    if not known and not _at_chance(found):
        do = f"Have two people judge at least {found.least} {found.what}s that a model judged"
        yield Step(do, "then it can be tested", "models")
    if not known and _at_chance(found):
        yield Step("Make the question sharper", "people themselves do not clearly agree", "agreement")
    elif yes:
        who = listed([brief(n) for n in yes])
        yield Step(f"Let {who} judge where people are short", "as near to the others as a person is", "models")
    cut = best_threshold(found.finding("calibration")) if found.finding("calibration") else None
    if cut:
        same = f"the same number for both would on {share(cut['same_cut'])}"
        gain = f"that agrees with people on {share(cut['right'])} of {found.what}s, {same}"
        yield Step(take(cut), gain, "models")
    for o in [o for v in found.verdicts for o in v.biases][:1]:
        those = "scores" if found.kind == "scores" else f"{found.what}s"
        yield Step(f"Mind that {favours(o, figures=False)}", f"look at those {those} before they count", "models")
    if known and not yes and unsettled(known[0]):
        why = f"so few do not tell whether {brief(known[0].judge)} is as near to them as a person is"
        yield Step(f"Have people and models judge more {found.what}s", why, "models")
    if known and not yes:
        why = "models' scores of all, put right by that part, have valid intervals"
        yield Step("Have people judge a random part", why, "models")


def _nothing() -> Picture:
    return Picture("shares", "not known", ({"name": "?", "value": None},))
