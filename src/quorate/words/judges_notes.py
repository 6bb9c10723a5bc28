"""Who is off: what was left aside, limited, or cannot be said, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from quorate.inference.flags import TASKS
from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.pairs import VoteDesign
from quorate.panel.partitions import UNSHOWN, absence, sheets
from quorate.panel.score_facts import score_facts
from quorate.table import Method
from quorate.words.agreement_notes import SAME
from quorate.words.notes import about_panel, fewer_draws, need_numbers, undefined_judges
from quorate.words.wording import those

GROUPED = 8  # judges of groupings in a row
FEW = 30  # units, below which a judge's consistency is rough
NOT_IDENTIFIED = "every pair is shown in one order only, so that a preference for a place is not identified"
AS_ONE = ("alternative", "copies", "drift", "independence")  # do not know of a row that stands for several judges
NONE_IDENTICAL = (
    "self_consistency: no judge scored identical outputs of a task (repeats, equal texts, or a column output)"
)
YEARS = (
    "self_consistency: the scores of several years are pooled as they are; if their scales differ, declare them by "
    "scale= or in columns scale_low and scale_high"
)
RARE = 0.15  # share of the rarer of two values, up to which it is rare
RARELY = (
    "of two values one is rare: about one of ten panels of judges who are all alike has a flag there, not one of twenty"
)
NO_AUTO = "auto_pyramid: no column auto, the automatic score of each item (`quorate pyramid auto` computes it)"
BLIND = "independence: without human judges, errors that all share cannot be seen, and near-copies count too little"
APART = "severity: some judges share no unit with the rest, so they are compared among themselves only"
DECLARED = "self_consistency: declared scales differ; pooled figures are of scores brought to 0 to 1"


def notes(panel: Panel, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = about_panel(panel, answer)
    if isinstance(panel, Orderings) and panel.votes != len(panel.starts) - 1:
        out.append("a row that stands for several judges is taken out or flagged as a whole")
    if isinstance(panel, Groupings):
        found, unshown = sheets(panel), absence(panel, answer.options.absent) == UNSHOWN
        empty = dict.fromkeys(str(panel.judges[j]) for j in found.judge[found.used == 0].tolist())
        out += [f"every item of a task was left out by: {those(empty, shown=GROUPED)}"] if empty else []
        out += [] if found.left_out(unshown) else [SAME]
    every = [(f.method, about["every_judge"]) for f in answer.findings for about in f.about if "every_judge" in about]
    out += [
        f"{method}: of all {judges:,} judges, and so without intervals over other judges" for method, judges in every
    ]
    if isinstance(panel, Scores):
        out += _notes_of_scores(panel, answer)
    else:
        out += undefined_judges(answer)
    if isinstance(panel, Votes):
        undefined = [f for f in answer.findings if all(math.isnan(o.value) for o in f.overall)]
        out += [f"{f.method}: {_why(panel, f.method.name)}" for f in undefined]
    return list(dict.fromkeys([*out, *fewer_draws(answer)]))


def _why(panel: Votes, name: str) -> str:
    """Why a method says nothing of any judge of votes."""
    if name == "place" and VoteDesign.of(panel).both_ways:
        return "no judge saw a pair both ways, so that nobody's preference for a place is identified"
    return {
        "place": NOT_IDENTIFIED,
        "consistency": "no judge saw a pair in both places on a task",
        "with_others": "no other judges voted on the same pair of a task",
        "self_preference": "systems alone could explain it, so that a preference for the own family is not identified",
    }[name]


def _notes_of_scores(panel: Scores, answer: Answer) -> Iterator[str]:
    parts, methods = score_facts(panel), [f.method for f in answer.findings]
    alone = sum(of.single for of in parts)
    if alone:
        them, have = ("it", "has") if alone == 1 else ("them", "have")
        yield f"{many(alone, 'unit')} {have} one judge only: there is nobody to compare with on {them}"
    if any(of.counted for of in parts):
        yield from (f"{m}: a row that stands for several judges is taken as one" for m in methods if m.name in AS_ONE)
    if answer.more.get("flagged") and _rare(panel):
        yield RARELY
    yield from need_numbers(panel, answer.left)
    for f in answer.findings:
        yield from (note for fact in f.about for note in _of_method(panel, f, fact))
    yield from (why for m in answer.left if not need_numbers(panel, [m]) for why in _not_shown(panel, m))


def _rare(panel: Scores) -> bool:
    """Whether scores are two values, one of them rare, on few tasks: a few answers make a judge stand out."""
    if panel.elsewhere is not None or panel.scale or len(panel.tasks) >= TASKS:
        return False
    values, times = np.unique(panel.value, return_counts=True)
    return len(values) == 2 and bool(times.min() <= RARE * times.sum())


def _of_method(panel: Scores, f: Finding, fact: Mapping[str, Any]) -> Iterator[str]:
    """What must be known of a method's figures on one criterion."""
    name = f.method.name
    if name == "severity" and fact["apart"]:
        yield APART
    elif name == "alternative" and fact["skipped"]:
        names = ", ".join(sorted(map(str, fact["skipped"])))
        yield f"alternative: fewer than {fact['least']} shared units, so not tested: {names}"
    elif name == "independence":
        yield from [] if fact["humans"] else [BLIND]
        yield from ["independence: 200 judges drawn at random"] if fact["sampled"] else []
        yield from [] if fact["pairs"] else [_undefined_independence(fact["humans"])]
    elif name == "auto_pyramid" and (not fact["column"] or fact["without"]):
        without = f"{fact.get('without', 0):,} scores have no number in column auto and are left aside"
        yield f"auto_pyramid: {without}" if fact["column"] else NO_AUTO
    elif name == "self_consistency":
        mine = [o for o in f.overall if o.labels.get("criterion") == fact.get("criterion")]
        if not any(o.labels["units"] for o in mine):
            yield NONE_IDENTICAL
            return
        flat = {o.labels["judge"] for o in mine if math.isnan(o.value) and o.labels["units"]}
        if flat:
            names = ", ".join(str(j) for j in panel.judges if j in flat)
            yield f"self_consistency: no variation, so no alpha: {names} gave all copies one score"
        if fact["rescaled"]:
            yield DECLARED
        elif fact["years"] > 1 and not fact["declared"]:
            yield YEARS
        few = sum(1 for o in mine if 0 < o.labels["units"] < FEW)
        if few:
            yield f"self_consistency: {few} judges have fewer than {FEW} units: see the intervals"


def _not_shown(panel: Scores, method: Method) -> list[str]:
    """Why a method has no table."""
    if method.name == "self_consistency":
        return [NONE_IDENTICAL]
    if method.name == "auto_pyramid" and "auto" not in panel.labels:
        return [NO_AUTO]
    if method.name == "independence":
        humans = "judge_kind" in panel.labels
        return [*([] if humans else [BLIND]), _undefined_independence(humans)]
    return [f"{method}: undefined for every judge, so it is not shown"]


def _undefined_independence(humans: bool) -> str:
    needs = "two people beside two models" if humans else "four judges (without people)"
    return f"independence: undefined; at least {needs} must have scored three of the same items"
