"""Who is off, in words: the same for every kind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from quorate.inference.flags import JUDGES
from quorate.inference.results import Answer
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Scores
from quorate.words.facts import Fact
from quorate.words.numbers import two
from quorate.words.wording import voters

NAMED = 3  # judges of whom it is said how they are off

HOW = {
    "orderings": {
        "reversed": "order is nearly the reverse of the others'",
        "random": "order agrees with the others' no more than a random one",
        "differs": "order differs from the others' more than theirs do from each other",
    },
    "groupings": {
        "reversed": "groups have less in common with the others' than random groups",
        "splits": "groups are finer: they split what most others keep together",
        "merges": "groups are coarser: they merge what most others keep apart",
        "random": "groups have no more in common with the others' than random groups",
        "differs": "groups differ from the others' more than theirs do from each other",
    },
    "votes": {
        "reversed": "choices are mostly the opposite of the others'",
        "place": "choices nearly always fall on the same place, whatever is shown there",
        "random": "choices agree with the others' no more than random ones",
        "differs": "choices differ from the others' more than theirs do from each other",
    },
    "scores": {
        "reversed": "scores run against the others'",
        "shifted": "scores go with the others' but lie on another level",
        "drifting": "scores move away from the others' as time goes on",
        "constant": "scores are one value throughout: they tell nothing about the items",
        "compressed": "scores go with the others' but hardly spread",
        "stretched": "scores go with the others' but spread much more",
        "random": "scores go with the others' no more than random ones",
        "differs": "scores differ from the others' more than theirs do from each other",
    },
}
HOW["labels"] = {diagnosis: said.replace("scores", "labels") for diagnosis, said in HOW["scores"].items()}
REVERSED = {
    "orderings": "Was the scale flipped?",
    "votes": "Were the two mixed up?",
    "scores": "Was the scale flipped?",
}


def how(panel: Panel, judge: object, diagnosis: str, on: object = "") -> str:
    """How a judge is off, as the beginning of a sentence; ``on`` names criteria."""
    said = HOW["labels" if isinstance(panel, Scores) and panel.scale else panel.kind][diagnosis]
    return f"{judge}'s {said}{f' (on {on})' if on else ''}"


def flag_facts(panel: Panel, answer: Answer) -> list[Fact]:
    """Who is off and how, or why nobody is."""
    off, copied = answer.more.get("flagged", ()), len(answer.more.get("one_voice", ()))
    number = voters(panel) - copied
    if off:
        told = [Fact("off", _how(panel, f), f) for f in off[:NAMED]]
        return [*told, Fact("judge", _in_all(panel, [f["judge"] for f in off]), {"flagged": list(off)})]
    if number == 1:
        return []  # said before
    rows = number != len(panel.judges) - copied
    said = f"None of the {len(panel.judges):,} {'rows' if rows else 'judges'} is flagged."
    if number == 2:
        said = f"With two {'voices' if copied else 'judges'} nobody can tell which of them is off."
    elif all(math.isnan(o.value) for f in answer.findings for o in f.overall):
        said = "Nobody can be told to be off: there is nothing to compare."
    elif number > JUDGES:
        said = f"Of {number:,} judges none is looked for by name."
    return [Fact("nobody", said)]


def _how(panel: Panel, flag: Mapping[str, Any]) -> str:
    evidence = flag["evidence"]
    asked = f" {REVERSED[panel.kind]}" if flag["diagnosis"] == "reversed" and panel.kind in REVERSED else ""
    without = f"Without {flag['judge']}, agreement goes from {two(evidence['value'])} to {two(evidence['without'])}."
    return f"{how(panel, flag['judge'], flag['diagnosis'], flag.get('criterion', ''))}.{asked} {without}"


def _in_all(panel: Panel, names: list[Any]) -> str:
    rows, number = len(panel.judges), voters(panel)
    several = f"{number:,} judges" if len(panel.tasks) == 1 else "several judges each"
    of = many(rows, "judge") if rows == number else f"{rows:,} rows, which stand for {several}"
    return f"Flagged: {listed(names, 10)} ({len(names)} of {of})."
