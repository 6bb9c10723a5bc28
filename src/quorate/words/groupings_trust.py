"""How far a result from groupings can be trusted, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from quorate.inference.results import Answer, Finding
from quorate.panel.base import listed, many
from quorate.panel.kinds import Groupings
from quorate.words.facts import Fact
from quorate.words.groupings_agreement import absent_items
from quorate.words.numbers import two
from quorate.words.wording import LEFT_OUT

NAMED = 5  # measures named in a sentence
NOTHING = "sensitivity: no judge has two clusters, one of them with two items: there is nothing to split and merge"


def notes(panel: Groupings, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = [*panel.notes, *absent_items(panel, answer)]
    for f in answer.findings:
        about = f.about[0] if f.about else {}
        if f.method.name == "sensitivity" and not about["clusterings"]:
            out.append(NOTHING)
        if f.method.name == "agreement_stability":
            told = [o.labels["by"] for o in f.overall]
            if not told:
                out.append("agreement_stability: too few judges, tasks and items to draw anew")
            elif answer.options.resamples and "items" not in told and about["items"] > 3:
                out.append("agreement_stability: too many judges and items to draw half of the items anew")
        out += f.notes
    if panel.repeats:
        out.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    return out


def facts(panel: Groupings, answer: Answer) -> list[Fact]:
    """What each method says, for people who read no table."""
    say = {"agreement_stability": _stability, "judges_needed": _needed, "sensitivity": _sensitivity}
    out = []
    for f in answer.findings:
        name = {"agreement_stability": "repeatable", "judges_needed": "needed"}.get(f.method.name, "trust")
        data = {"method": str(f.method), "estimates": list(f.overall)}
        out += [Fact(name, said, data) for said in (say[f.method.name](f) if f.method.name in say else ())]
    return out


def _stability(f: Finding) -> Iterator[str]:
    if not f.overall or math.isnan(f.value):
        return
    how = f" (left-out items {LEFT_OUT[str(f.method['left_out'])]})" if f.about[0]["left_out"] else ""
    start = "The difference" if f.about[0]["sign"] < 0 else "Agreement"
    ends = [(two(o.interval.low), two(o.interval.high), o.interval.over) for o in f.overall if o.interval]
    said = [f"{low} to {high} with other {by}{'' if k else ' like these'}" for k, (low, high, by) in enumerate(ends)]
    between = f"; it would be {listed(said)}" if said else ""
    yield f"{start} of two judges by {f.method['measure']}{how} is {two(f.value)}{between}."
    order = [(o.labels["by"], o.labels["judge_order_tau"]) for o in f.overall]
    taus = [f"{two(tau)} with other {by}" for by, tau in order if tau is not None]
    if taus:
        yield f"The order of the judges by their agreement keeps a tau of {listed(taus)} (1 is the same order)."


def _needed(f: Finding) -> Iterator[str]:
    e = f.overall[0]
    between, there = e.interval, f"there are {e.labels['judges']}"
    goal = f"For another panel to make much the same groups (adjusted Rand {e.labels['target']:g})"
    if math.isnan(e.value):
        yield "How many judges it takes for the same groups cannot be told: no two judges used the same items."
    elif math.isinf(e.value):
        least = f": at least {between.low:,.0f}" if between and math.isfinite(between.low) else ""
        yield f"{goal} how many judges it takes cannot be told from these{least}; {there}."
    else:
        ends = ""
        if between is not None and math.isinf(between.high):
            ends = f", {between.low:,.0f} or more: how many at most cannot be told from so few"
        elif between is not None:
            ends = f" ({between.level:.0%} CI {between.low:,.0f}-{between.high:,.0f})"
        yield f"{goal} it takes about {many(int(e.value), 'judge')}{ends}; {there}."


def _sensitivity(f: Finding) -> Iterator[str]:
    def those(key: str, value: Any) -> str:
        """The measures of which it holds; if that is most, the others."""
        named = [o.labels["measure"] for o in f.overall if o.labels[key] == value]
        others = [o.labels["measure"] for o in f.overall if o.labels[key] != value]
        if not others and len(named) > 1:
            return f"all {len(named)} measures"
        if len(named) > NAMED and len(others) <= NAMED:
            return f"{len(named)} measures, all but {', '.join(others)}"
        return ", ".join(named[:NAMED]) + (f" and {len(named) - NAMED} more" if len(named) > NAMED else "")

    if not f.overall:
        return
    start = f"Split and merged at random from {many(f.about[0]['clusterings'], 'clustering')}"
    yield f"{start}, these fall more for merging: {those('punishes', 'merging') or 'none'}."
    if those("saturates", True):
        yield f"These hardly move for most of the way (they saturate): {those('saturates', True)}."
    if those("full_range", True):
        yield f"These use their whole range: {those('full_range', True)}."
