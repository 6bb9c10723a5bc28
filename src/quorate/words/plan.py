"""What a study needs, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quorate.panel.base import listed, many
from quorate.words.facts import Fact
from quorate.words.needed import of_two_groups, votes_of_pairs
from quorate.words.numbers import share, two

SHOWN = 3  # studies that a sentence names
HARDLY = 10  # times as many people as at least, from which on a pilot hardly tells how many
CARD_GOALS = {
    "the same groups": "Until another panel would make the same groups, by an adjusted Rand index of",
    "width of a share": "For the share of people who put two cards together to be known within",
}
LABEL_GOALS = {
    "majority": "For the label that most judges give to be the right one on",
    "model": "With a model that knows which judges guess (dawid_skene, from some 20 labels a judge on), for",
    "share": "For the share of a label to be known within",
}
JUDGMENTS = {"orderings": "order", "scores": "score", "votes": "vote"}


def plan_facts(plan: Any) -> Iterator[Fact]:
    """For every goal the smallest studies that reach it, or that none does."""
    if plan.cards:
        yield from _cards(plan)
        return
    if plan.kind == "labels":
        yield from plan.facts  # of a pilot
        yield from _labels(plan)
        return
    for name in dict.fromkeys(line.goal for line in plan.lines):
        lines = [line for line in plan.lines if line.goal == name]
        yield Fact("needed", f"{_aim(plan, name, lines[0].wanted)}: {_studies(plan, lines)}.", {"goal": name})
    if plan.span is not None and _hardly(*plan.span):
        data = {"goal": plan.lines[0].goal, "span": list(plan.span)}
        yield Fact("needed", _judges_unknown(plan, *plan.span), data)
    if plan.widths is not None:
        yield Fact("needed", _widths(plan), {"goal": "interval"})
    for said, estimate in votes_of_pairs(plan.leaders) if plan.leaders else ():
        yield Fact("needed", said, {"method": str(plan.leaders.method), "estimate": estimate})


def _aim(plan: Any, name: str, wanted: float) -> str:
    what = "items" if plan.kind == "orderings" else "systems"
    if name == "winner" or (name == "top" and plan.settings["top"] == 1):
        return f"For the first of {plan.systems:,} {what} to be the true first one with {share(wanted)} certainty"
    if name == "top":
        first = f"the first {plan.settings['top']} of {plan.systems:,} {what}"
        return f"For {first} to be the true ones with {share(wanted)} certainty"
    if name == "difference":
        if not plan.settings["difference"]:
            return f"To tell apart two {what} that differ as little as the first two of the pilot, which are level"
        apart = f"two {what} that differ by {two(plan.settings['difference'])}"
        return f"To tell apart {apart} with a power of {share(wanted)}"
    return f"For the interval of a difference to be {two(wanted)} wide"


def _studies(plan: Any, lines: Sequence[Any]) -> str:
    able = [line for line in lines if line.tasks is not None]
    if not able:
        more = "judges and tasks" if plan.tasks else "judges"
        return f"no number of {more} looked at is enough"
    if not plan.tasks:
        return many(able[0].judges, "judge") + _price(able[0])
    cheapest = min(able, key=lambda line: (line.cost if line.cost is not None else line.judgments, line.tasks))
    usual = [line for line in able if line.judges in (2, 3, 5, 10)][:SHOWN] or able[:SHOWN]
    said = listed([f"{many(line.judges, 'judge')} on {many(line.tasks, 'task')}" for line in usual], SHOWN)
    least = "cheapest" if cheapest.cost is not None else f"fewest {JUDGMENTS[plan.kind]}s"
    own = f"{many(cheapest.judges, 'judge')} on {many(cheapest.tasks, 'task')}{_price(cheapest)}"
    return f"{said}; {least}: {own}, {cheapest.judgments:,} {JUDGMENTS[plan.kind]}s"


def _labels(plan: Any) -> Iterator[Fact]:
    """Of labels: judges an item, which of a pilot are told already, and items for the share of a label."""
    for line in plan.lines:
        if line.goal != "share" and plan.source == "pilot":
            continue
        aim = (
            f"{LABEL_GOALS[line.goal]} {two(line.wanted) if line.goal == 'share' else share(line.wanted) + ' of items'}"
        )
        if line.judges is None:
            said = "no number of judges looked at is enough"
        elif line.goal == "share":
            said = many(line.tasks, "item") + _price(line)
        else:
            items = f"{line.judgments:,} labels of {many(line.tasks, 'item')}"
            said = f"{many(line.judges, 'judge')} an item{_price(line)}, {items}"
        yield Fact("needed", f"{aim}: {said}.", {"goal": line.goal})


def _hardly(low: int | None, high: int | None) -> bool:
    """Whether a pilot leaves open how many judgments it takes."""
    return low is not None and (high is None or high > HARDLY * low)


def _judges_unknown(plan: Any, low: int, high: int | None) -> str:
    what = "no number looked at" if high is None else f"{high:,}"
    return (
        f"The pilot hardly tells how far judges differ about systems: {low:,} {JUDGMENTS[plan.kind]}s are enough if as "
        f"little as may be, {what} if as much (95% limits). A pilot of more judges would tell."
    )


def _price(line: Any) -> str:
    return f" (cost {line.cost:,.0f})" if line.cost is not None else ""


def _widths(plan: Any) -> str:
    """Of scores, what intervals of alpha and of a mean take."""
    of, told = plan.widths, plan.settings
    criterion = told["criterion"]
    seen = f" (of {criterion}, the lowest of {told['criteria']} criteria)" if told["criteria"] > 1 else ""
    scale = f"{of.points} points" if of.points else "a continuous scale"
    few = {n.what: n for n in of.needs if n.judges in (1, 3)}
    said = f"If judges reach alpha {of.alpha:.2g}{seen} on {scale}, an interval {of.width:g} wide takes "
    parts = [f"{_many(of.needs[0].needed)} planted duplicates for each judge"]
    if "items" in few and "tasks" in few:
        parts.append(f"with 3 judges {_many(few['items'].needed)} items that all of them score, for their agreement")
        parts.append(f"and {_many(few['tasks'].needed)} tasks for the mean score of a system")
    return said + ", ".join(parts) + "."


def _many(number: int | None) -> str:
    return "more than can be planned" if number is None else f"{number:,}"


def _cards(plan: Any) -> Iterator[Fact]:
    for need in plan.cards:
        each = "" if need.cards >= plan.systems else f", each with {need.cards} of the {plan.systems:,} cards"
        more = []
        if need.interval is not None:
            high = "more" if need.interval[1] == float("inf") else f"{need.interval[1]:,.0f}"
            more.append(f"95% CI {need.interval[0]:,.0f} to {high}")
        more += [] if need.cost is None else [f"cost {need.cost:,.0f}"]
        ends = f" ({'; '.join(more)})" if more else ""
        aim = f"{CARD_GOALS[need.goal]} {two(need.wanted)}"
        yield Fact("needed", f"{aim}: {_people(need.judges)}{ends}{each}.", {"goal": need.goal})
        for text in of_two_groups(need.of_two, "people"):
            yield Fact("of_two", text, {"items": list(need.of_two)})
        if plan.source == "pilot" and need.interval is not None and need.interval[1] > HARDLY * need.interval[0]:
            said = "can hardly tell whether cards belong to two groups or people are careless"
            yield Fact("needed", f"So small a pilot {said}: make it larger, or plan for more.", {"goal": need.goal})


def _people(number: float) -> str:
    if number == float("inf"):
        return "no number of people is enough"
    return "1 person" if number == 1 else f"{number:,.0f} people"
