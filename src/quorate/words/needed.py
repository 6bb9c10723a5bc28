"""How many judges or votes it takes, in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence

from quorate.inference.results import Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.outputs import OutputDesign
from quorate.words.influence import About, on_criterion
from quorate.words.numbers import about, rough, share
from quorate.words.trust_notes import notes as notes
from quorate.words.wording import brief, ci, judges_of_tasks

NAMED = 5  # items that are named
OWN = {"tasks": "on a task of its own", "judges": "by a judge of its own", "items": "", "votes": ""}  # what is drawn


def takes(goal: str, e: Overall, what: str, there: str, each: str = "") -> str:
    """How many judges or votes a goal takes, with an interval, and how many there are."""
    number = many(rough(e.value), what)
    return f"{goal} it takes about {number}{each}{_ends(e)}; there {'is' if there == '1' else 'are'} {there}."


def _ends(e: Overall) -> str:
    """The interval of a number; where it has no upper end, that. Where both ends are the same number, nothing."""
    if e.interval is None:
        return ""
    low = f"{rough(e.interval.low):,}"
    if math.isinf(e.interval.high):
        least = f"at least {low}; " if e.interval.low > 1 else ""
        return f" ({least}how many at most cannot be told from so few)"
    same = rough(e.interval.low) == rough(e.interval.high)
    return "" if same else ci(e, lambda end: f"{rough(end):,}")


def judges_of_orders(panel: Panel, f: Finding) -> Iterator[str]:
    """Of orderings: for another panel to give much the same order."""
    e, sizes = f.overall[0], judges_of_tasks(panel)
    low, high, target = int(sizes.min()), int(sizes.max()), f"{e.labels['target']:g}"
    there = f"{low} to {high}" if low < high else f"{panel.drawn_from or high:,}"
    if high < 2:
        yield "How many judges it takes cannot be told from one: at least two are needed on a task."
    elif math.isnan(e.labels["one_judge"]):
        yield "How many judges it takes cannot be told: no two judges have orders, not all tied, of the same items."
    elif math.isnan(e.value) or (e.interval is not None and math.isinf(e.interval.low)):
        yield f"No number of such judges brings the consensus to {target}: on average two orders do not go together."
    elif math.isinf(e.value):
        least = f": at least {many(rough(e.interval.low), 'judge')}, as far as they tell" if e.interval else ""
        yield f"How many judges a correlation of {target} takes cannot be told from so few{least}; there are {there}."
    else:
        yield takes(f"For a consensus that correlates {target} with another panel's", e, "judge", there)


def judges_of_groups(panel: Panel, f: Finding) -> Iterator[str]:
    """Of groupings: for another panel to make much the same groups."""
    e, there = f.overall[0], f"{panel.drawn_from or f.overall[0].labels['judges']:,}"
    goal = f"For another panel to make much the same groups (adjusted Rand {e.labels['target']:g})"
    if math.isnan(e.value):
        why = "there is one item only" if len(panel.items) == 1 else "no two judges used the same items"
        yield f"How many judges it takes for the same groups cannot be told: {why}."
    elif math.isinf(e.value):
        least = f": at least {e.interval.low:,.0f}" if e.interval and math.isfinite(e.interval.low) else ""
        yield f"{goal} how many judges it takes cannot be told from so few{least}; there are {there}."
    else:
        yield takes(goal, e, "judge", there)
    yield from of_two_groups([item for fact in f.about for item in fact.get("of_two", ())], "judges")


def of_two_groups(items: Sequence[Hashable], people: str) -> Iterator[str]:
    """Items about which judges are of two minds: they are why so many are needed, or none are enough."""
    if items:
        seems, each = ("it seems", "it") if len(items) == 1 else ("they seem", "each")
        named = listed([brief(i, what="item") for i in items], NAMED)
        yield (
            f"{people.capitalize()} are of two minds about {named}: {seems} to belong to two groups, and {each} may be "
            f"in either with another panel, even a large one."
        )


def judges_of_scores(f: Finding, made: OutputDesign, fact: About, rows: Sequence[Overall]) -> Iterator[str]:
    """Of scores: for item means that another panel would give too."""
    target, there, where = fact["target"], about(fact["judges_per_item"]), on_criterion(fact)
    goal = f"For item means that correlate {target:g} with another panel's{where}"
    if fact.get("labels"):
        goal = f"For the majority to be that of all judges on {share(target)} of items{where}"
    for e in rows:
        if not math.isnan(e.value):
            yield takes(goal, e, "judge", there, " an item")
        elif fact.get("alone"):
            yield f"How many judges it takes{where} cannot be told: no item has two labels."
        elif fact.get("labels"):
            yield f"{goal} it takes more judges an item than can be told; there are {there}."
        elif math.isnan(fact["one_judge"]):
            yield f"How many judges it takes{where} cannot be told: {why_none(made)}."
        else:
            none = f"No number of such judges brings their means to correlate {target:g}{where}"
            yield f"{none}: on average two of them do not go together."


def why_none(made: OutputDesign) -> str:
    """Why nothing is known of another panel: one judge, one item, equal scores, or nothing that two judges scored."""
    found = made.moments
    if "judge" not in found.facets:
        return "there is one judge only"
    if found.units == 1:
        return "there is one item only"
    if found.most_judges == 1:
        return "no two judges scored the same items"
    return "the scores that judges can be compared by do not vary"


def more_votes(systems: str, votes: float, there: int, power: float, over: str) -> str:
    """How many votes more would tell two systems apart, and what that rests on."""
    if math.isnan(votes):
        return f"Nobody compared {systems}, not even by way of other systems."
    if math.isinf(votes):
        return f"{systems} are level: no number of votes would tell them apart."
    if not votes:
        return f"{systems} are told apart by the votes there are."
    own = " and ".join(OWN[unit] for unit in over.split("x"))
    more = f"about {many(rough(votes), 'more vote')} on the two{own and f', each {own},'}"
    so_far = f"there {'is' if there == 1 else 'are'} {there:,} between them"
    told = f"{more} would tell them apart ({share(power)} power)"
    return f"If {systems} differ by as much as they seem to, {told}; {so_far}."


def votes_of_pairs(f: Finding) -> Iterator[tuple[str, Overall]]:
    """The same of every two leading systems."""
    for e in f.overall:
        there = sum(e.labels[n] for n in ("wins", "ties", "losses"))
        yield more_votes(e.labels["systems"], e.value, there, float(str(f.method["power"])), f.about[0]["over"]), e


def judges_of_votes(panel: Panel, f: Finding) -> Iterator[str]:
    """Of votes: for a majority that is that of all such judges."""
    e, often = f.overall[0], share(float(str(f.method["target"])))
    if math.isnan(e.value):
        return  # nobody voted on the same pair: said where agreement is
    if not math.isfinite(e.value):
        yield "Two judges choose alike no more often than by chance: no number of judges would settle a pair."
        return
    judges = f"{many(rough(e.value), 'judge')} on a pair of a task{_ends(e)}"
    yield f"For a majority that is that of all such judges {often} of the time it takes about {judges}."
