"""What a comparison of panels says: sentences for people who read no table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.inference.compare import WORDS
from quorate.inference.estimate import Estimate
from quorate.panel.base import listed
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.numbers import p_is, two
from quorate.words.wording import called, ci, vacuous

ALPHA = 0.05
PRINTED = 0.0006  # differences of rounding
MANY = 3  # sentences about differences, at most
ALIKE, HALF = 0.9, 0.5  # correlations of two outcomes that are called much, or partly, the same


def difference_facts(question: str, panels: Sequence[str], found: Sequence[tuple[Method, Estimate]]) -> list[Fact]:
    """Whether the panels differ: of every two by the first method, and of systems or judges those who do."""
    if not found:
        return [Fact("nothing", f"{listed(panels)} have no figure in common: there is nothing to compare.")]
    first = str(found[0][0])
    told = [(m, e) for m, e in found if str(m) == first]
    if question == "agreement":
        return [_agreement(m, e) for m, e in told[:MANY]]
    differing = [(m, e) for m, e in told if (e.labels["p_holm"] or 1.0) <= ALPHA]
    if not differing:
        what = "judge" if question == "judges" else "system"
        text = f"By {first} no {what} can be told to have changed from {panels[0]} to {panels[-1]}."
        return [Fact("difference", text, {"method": first})]
    return [_one(m, e, "judge" if question == "judges" else "system") for m, e in differing[:MANY]]


def _minds(row: Mapping[str, Any]) -> Fact:
    """Whether two groups of judges are of one mind."""
    (a, b), (one, other) = row["panels"], row["within"]
    apart = row["p_holm"] <= ALPHA
    aside = ", levels and spreads aside" if row["levelled"] else ""
    text = f"{a} and {b} {'judge differently' if apart else 'cannot be told apart by how they judge'}{aside}: two "
    text += f"judges agree by {two(one)} within {a} and by {two(other)} within {b}, by {two(row['across'])} across"
    return Fact("minds", f"{text} ({p_is(row['p_holm'])}).", dict(row))


def difference_notes(found: Sequence[tuple[Method, Estimate]]) -> list[str]:
    """Where a difference in pairs is not that of the two figures: some tasks have a figure in one panel only."""
    apart = [str(m) for m, e in found if abs(e.labels["second"] - e.labels["first"] - e.value) > PRINTED]
    names = list(dict.fromkeys(apart))
    if not names:
        return []
    return [f"{listed(names)}: the difference is over what has a figure in both panels, the figures over all of each"]


def _agreement(m: Method, e: Estimate) -> Fact:
    """How agreement differs between two panels."""
    a, b, p = e.labels["against"], e.labels["panel"], e.labels["p_holm"]
    about = f" on {called(e.labels['criterion'], 'criterion')}" if "criterion" in e.labels else ""
    values = f"{m} is {two(e.labels['second'])} against {two(e.labels['first'])}"
    data = {"method": str(m), "estimate": e}
    if e.value != e.value:
        return Fact("difference", f"Agreement in {a} and in {b} cannot be compared{about}: {m} is undefined.", data)
    tail = f"a difference of {two(e.value)}{_within(m, e)}"
    if p is None:
        return Fact("difference", f"{values} in {b} and {a}{about}, {tail}; there is too little to test it.", data)
    if e.labels.get("smallest_p", 0.0) > ALPHA and e.interval and not e.interval.low <= 0 <= e.interval.high:
        more = "more" if e.value * m.sign > 0 else "less"
        text = f"The judges seem to agree {more} in {b} than in {a}{about}: {values}, {tail}. A test cannot "
        least = two(e.labels["smallest_p"])
        text += f"settle it: with {e.n} {e.interval.over} in pairs the smallest possible p is {least}."
        return Fact("difference", text, data)
    if p > ALPHA:
        text = f"Agreement in {b} cannot be told from that in {a}{about}: {values}, {tail}, {p_is(p)}{_how(e)}."
        return Fact("difference", text, data)
    more = "more" if e.value * m.sign > 0 else "less"
    text = f"The judges agree {more} in {b} than in {a}{about}: {values}, {tail}, {p_is(p)}{_how(e)}."
    return Fact("difference", text, data)


def _one(m: Method, e: Estimate, what: str) -> Fact:
    """A system or judge whose figure differs between two panels."""
    a, b = e.labels["against"], e.labels["panel"]
    way = "higher" if e.value > 0 else "lower"
    text = f"{e.labels[what]} is {way} in {b} than in {a}: {two(e.labels['second'])} against {two(e.labels['first'])}"
    text += f" by {m}{_within(m, e)}, {p_is(e.labels['p_holm'])}."
    return Fact("difference", text, {"method": str(m), "estimate": e})


def _within(m: Method, e: Estimate) -> str:
    if e.interval and vacuous(e, m, difference=True):
        return f" (so few {e.interval.over} that any difference fits)"
    return ci(e)


def _how(e: Estimate) -> str:
    units = (e.interval.over if e.interval else "judges") or "judges"
    return f" ({WORDS[e.labels['test']].format(units=units)})"


def verdict_facts(verdict: Sequence[Mapping[str, Any]], off: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Fact]:
    """How far the panels agree on the outcome, and who is off in one of them."""
    out = []
    for row in verdict[:MANY]:
        a, b = row["panels"]
        value = row["value"]
        if value != value:
            continue
        if "first" in row and row["first"][0] != row["first"][1]:
            lead = f"{a} puts {listed(row['first'][0])} first, {b} {listed(row['first'][1])}"
        elif "first" in row:
            lead = f"{a} and {b} both put {listed(row['first'][0])} first"
        else:
            much = "much the same verdict" if value >= ALIKE else "partly the same verdict"
            lead = f"{a} and {b} come to {much if value >= HALF else 'different verdicts'}"
        out.append(Fact("verdict", f"{lead}; their outcomes correlate {two(value)} ({row['by']}).", dict(row)))
        out += [_minds(row)] if "p_holm" in row else []
    names = {n: [r["judge"] for r in rows] for n, rows in off.items() if rows}
    if names:
        said = "; ".join(f"in {n} {listed(who)}" for n, who in names.items())
        out.append(Fact("off", f"Judges who are off: {said}.", {"flagged": names}))
    return out
