"""The first screen of models as judges: who may stand in for people and why, what each is worth, and what to do."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.estimate import Estimate
from quorate.panel.base import listed, many
from quorate.words.headline import LONGEST
from quorate.words.model_judges import (
    NAMED,
    UNSURE,
    UNTOLD,
    WHO,
    best_threshold,
    does,
    favours,
    off_level,
    people,
    people_number,
    reasons,
    take,
    than_people,
    unsettled,
    verdict,
    worth_less,
)
from quorate.words.numbers import share, two
from quorate.words.screen import FirstScreen, Picture, Step, Tile
from quorate.words.wording import brief, upper

MOST = 10.0  # people that a picture shows
LITTLE = 0.05  # agreement with people, by which it may be less than theirs with one another


def first_screen(found: Any, usual: FirstScreen) -> FirstScreen:
    """The first screen of models as judges: who may stand in and why, what they are worth, and what to do."""
    tiles = (_stand_in_tile(found), _agreement_tile(found, usual), _worth_tile(found), _bias_tile(found))
    off = tuple(s for s in usual.steps if s.anchor.startswith("off"))[:2]
    own = tuple(_steps(found, {step.judge for step in off}))
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
    if not yes and not no and len(found.people) < 2:
        yield "There is one person only, so nobody can say whether a model may stand in."
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
        nots = f", {listed([_short(n) for n in sorted(map(str, others))])} may not" if others else ""
        why = f", because {reasons(worst, most=1)[0]}" if worst and len(others) == 1 else ""
        yield f"{who} may stand in for people here{nots}{why}."
        yield f"{who} may stand in for people here{nots}."
        yield f"{len({v.judge for v in yes}):,} of {len(found.models):,} models may stand in for people here."
        return
    first = no[0]
    name = _short(first.judge)
    several = len(found.models) > 1
    lead, who = ("No model may", f"the nearest, {name},") if several else (f"{name} may not", "it")
    yield f"{lead} stand in for people here, because {who} {does(first)[0]}."


def _short(name: object) -> str:
    return brief(name, 16, "model")


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
        out.append(f"{_short(name)}{some}")
    return listed(out)


def _sub(found: Any) -> str:
    copied = [str(f) for f in (found.trust.facts if found.trust else ()) if f.name == "copies"]
    biases = [o for v in found.verdicts for o in v.biases][:2]
    less = [f"{brief(v.judge, what='model')} {said}" for v in found.verdicts if v.replaces for said in worth_less(v)]
    within = f"{'; '.join(less[:2])}: a margin lets it stand in all the same." if less else ""
    told = "; ".join(favours(o, figures=False) for o in biases)
    biased = f"{upper(told)}{than_people(biases[-1])}." if biases else ""
    return " ".join(filter(None, (*copied, within, biased)))


def _stand_in_tile(found: Any) -> Tile:
    asks, known = "May a model stand in?", [v for v in found.verdicts if v.replaces is not None]
    if not known:
        figure = f"no model shares {found.least} {found.what}s with two people"
        figure = UNTOLD["one person"] if len(found.people) < 2 else figure
        figure = "people do not clearly agree more than by chance" if _at_chance(found) else figure
        return Tile("stand_in", asks, "Cannot be told", figure, _nothing(), "models", tone="warn")
    yes = list(dict.fromkeys(str(v.judge) for v in known if v.replaces))
    word = f"{listed([_short(n) for n in yes])}: yes" if 0 < len(yes) < NAMED else f"{len(yes)} of {len(found.models)}"
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
    figure = f"{_short(first.judge)} holds its own against {first.won} of {first.humans} people"
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
    word = _as_people(found, {r["name"]: r for r in drawn})
    figure = ", ".join(f"{WHO[r['judges']]} {two(r['value'])}" for r in rows)
    ends = (min(0.0, *(x for r in drawn for x in (r["value"], r["low"] or 0.0))), 1.0)
    picture = Picture("intervals", figure, drawn, ends)
    note = "0 is chance, 1 is full agreement"
    return Tile("across", asks, word, figure, picture, "agreement", note, "plain" if word == "As people do" else "warn")


def _as_people(found: Any, by: Mapping[str, Mapping[str, Any]]) -> str:
    """Whether models agree with people as people do with one another; where items are too few for a verdict on any
    model, only what the intervals tell apart."""
    across, among = by.get("people and models"), by.get("people")
    if across is None or among is None or _at_chance(found):
        return "Cannot be told"
    if all(v.replaces is None for v in found.verdicts):
        below = across["high"] is not None and among["low"] is not None and across["high"] < among["low"]
        return "Less than people do" if below else "Cannot be told"
    if across["value"] >= among["value"] - LITTLE:
        return "As people do"
    some = len(found.models) > 1 and any(v.replaces for v in found.verdicts)
    return "Not all do" if some else "Less than people do"


def _worth_tile(found: Any) -> Tile:
    asks, known = "How many people is it worth?", [v for v in found.verdicts if v.worth is not None]
    if _at_chance(found):
        figure = "people do not clearly agree with each other"
        return Tile("worth", asks, "Cannot be told", figure, _nothing(), "models")
    if not known:
        why = {row["why"] for row in found.untold("people_worth")}
        figure = f"too few {found.what}s were judged by two people and a model"
        if why:
            figure = UNSURE if "people" in why else f"so few {found.what}s that nearly any number fits"
        return Tile("worth", asks, "Cannot be told", figure, _nothing(), "models")
    known.sort(key=lambda v: -v.worth.value)
    first = known[0]
    rows = tuple({"name": brief(v.judge, 12), "value": min(v.worth.value, MOST), **_ends(v.worth)} for v in known[:5])
    said = ", ".join(f"{brief(v.judge, 12)} {people_number(v.worth.value)}" for v in known[:5])
    most = max(2.0, *(min(x, MOST) for r in rows for x in (r["value"], r["high"]) if x is not None))
    picture = Picture("intervals", f"People that a model is worth: {said}", rows, (0.0, most), 1.0)
    word = f"{_short(first.judge)}: {people_number(first.worth.value)}"
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
    word = f"{listed([_short(n) for n in who])}: yes" if len(who) < NAMED else f"{len(who)} models"
    return Tile("bias", asks, word, favours(biases[0]), picture, "models", tone="warn")


def _steps(found: Any, off: Collection[str]) -> Iterator[Step]:
    """What to do; ``off`` are judges who are flagged, whom nobody is told to rely on."""
    known = [v for v in found.verdicts if v.replaces is not None]
    yes = list(dict.fromkeys(str(v.judge) for v in known if v.replaces))
    trusted = [name for name in yes if name not in off]
    if not known and _at_chance(found):
        yield Step("Make the question sharper", "people themselves do not clearly agree", "agreement")
        return
    if not known:
        who = "a second person" if len(found.people) == 1 else "two people"
        do = f"Have {who} judge at least {found.least} {found.what}s that a model judged"
        yield Step(do, "then it can be tested", "models")
    if trusted:
        who = listed([brief(n, what="model") for n in trusted])
        yield Step(f"Let {who} judge where people are short", "as near to the others as a person is", "models")
    cut = best_threshold(found.finding("calibration"), off=off) if found.finding("calibration") else None
    if cut:
        same = f"the same number for both would on {share(cut['same_cut'])}"
        gain = f"that agrees with people on {share(cut['right'])} of {found.what}s, {same}"
        yield Step(take(cut), gain, "models")
    for o in [o for v in found.verdicts for o in v.biases][:1]:
        those = "scores" if found.kind == "scores" else f"{found.what}s"
        yield Step(f"Mind that {favours(o, figures=False)}", f"look at those {those} before they count", "models")
    if known and not yes and unsettled(known[0]) and not off_level(known[0]):
        why = f"so few do not tell whether {brief(known[0].judge, what='model')} is as near to them as a person is"
        yield Step(f"Have people and models judge more {found.what}s", why, "models")
    if known and not yes:
        why = "models' scores of all, put right by that part, have valid intervals"
        yield Step("Have people judge a random part", why, "models")


def _nothing() -> Picture:
    return Picture("shares", "not known", ({"name": "?", "value": None},))
