"""What is said of a card sort: the groups and how firm they are, cards that belong nowhere, and camps of judges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from quorate.groupings.group_names import normal_name
from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.panel.base import listed, many
from quorate.words.camps import NUMBERS
from quorate.words.facts import Fact
from quorate.words.numbers import p_is, share, two
from quorate.words.outcome import SAME, Agreed, graded
from quorate.words.screen import FirstScreen, Picture, Step, Tile
from quorate.words.tiles import agreement
from quorate.words.wording import brief, ci

FIRM = 0.8  # how much of its group a card keeps that is called firm
NAMED = 5  # cards that are named
JOINED, SPELLED = 12, 6  # names whose spellings are told, and spellings of each


def card_facts(sort: Any) -> Iterator[Fact]:
    """All facts, the most important first."""
    yield from _groups(sort)
    yield from _agreement(sort)
    yield from _schools(sort)
    yield from sorted(sort.by.facts if sort.by else (), key=lambda fact: fact.name != "minds")
    yield from _names(sort)
    yield from _nowhere(sort)
    yield from _between(sort)


def _groups(sort: Any) -> Iterator[Fact]:
    several = [g for g in sort.groups if len(g.items) > 1]
    kept = [c.stays for c in sort.cards if c.stays is not None]
    stays = sum(kept) / len(kept) if kept else math.nan
    cards = len(sort.cards)
    if not several:
        yield Fact("groups", f"{many(sort.judges, 'judge')} sorted {cards:,} cards; no two belong together.", {})
        return
    firm = f"; with other judges like these a card keeps {share(stays)} of its group" if kept else ""
    alone = len(sort.groups) - len(several)
    comes = "comes" if len(several) == 1 else "come"
    beside = f", and {many(alone, 'card')} alone" if alone else ""
    text = (
        f"{many(sort.judges, 'judge')} sorted {cards:,} cards: {many(len(several), 'group')} {comes} out{beside}{firm}."
    )
    yield Fact("groups", text, {"groups": len(several), "stays": stays})


def grade(e: Estimate) -> str:
    """How much judges agree by the figure of the page, as a grade of every page's."""
    if e.null and abs(e.null.value - 1) < SAME:
        return "trivial"
    return "unclear" if e.null and e.null.p > ALPHA else graded(e.value)


def agrees(e: Estimate) -> str:
    """The same, in words."""
    word = grade(e)
    said = {"unclear": "do not clearly agree more than by chance", "slightly": "agree only slightly"}
    return said.get(word, f"agree {word}")


def _agreement(sort: Any) -> Iterator[Fact]:
    e = sort.agreement
    if math.isnan(e.value) or grade(e) == "trivial":
        return
    yield Fact("agreement", f"Judges {agrees(e)}: adjusted Rand {two(e.value)}{ci(e)}.", {"estimate": e})


def _schools(sort: Any) -> Iterator[Fact]:
    found = sort.schools
    if found is None or found.null is None:
        return
    if found.number == 1:
        text = f"Nothing says that the judges fall into several camps, or schools ({p_is(found.null.p)})."
        yield Fact("one_school", text, {"p": found.null.p}, expert=True)
        return
    sizes = [list(sort.school_of.values()).count(k + 1) for k in range(found.number)]
    within = [f"{n} judges who agree by {two(v)}" for n, v in zip(sizes, found.within.tolist(), strict=True)]
    text = f"The judges fall into {NUMBERS[found.number]} camps, or schools: {listed(within, 5)}"
    text += f"; across they agree by {two(found.across)}"
    yield Fact("schools", f"{text} ({p_is(found.null.p)}).", {"number": found.number, "p": found.null.p})


def _names(sort: Any) -> Iterator[Fact]:
    named = [g.called for g in sort.groups if g.names and len(g.items) > 1]
    if named:
        yield Fact("names", f"The judges' own names suggest: {listed(named, 2 * NAMED)}.", {"names": named})
    written: dict[str, dict[str, None]] = {}
    suggestions = [(s.name, s.spellings) for g in sort.groups for s in g.names]
    for name, spellings in (*suggestions, *((p["category"], p["spellings"]) for p in sort.placed)):
        written.setdefault(normal_name(name), {}).update(dict.fromkeys(spellings))
    joined = [list(own) for own in written.values() if len(own) > 1]
    if joined:
        each = [listed([f"'{name}'" for name in own], SPELLED) for own in joined[:JOINED]]
        rest = f"; and spellings of {many(len(joined) - JOINED, 'more name')}" if len(joined) > JOINED else ""
        yield Fact("spellings", f"Taken as one name: {'; '.join(each)}{rest}.", {"names": joined}, expert=True)


def _cards(items: Iterable[object], shown: int = 3) -> str:
    return listed([brief(item, what="card") for item in items], shown)


def _nowhere(sort: Any) -> Iterator[Fact]:
    if sort.nowhere:
        they = "belongs" if len(sort.nowhere) == 1 else "belong"
        text = f"{_cards(sort.nowhere, NAMED)} {they} nowhere: left out by many, or alone."
        yield Fact("nowhere", text, {"items": list(sort.nowhere)})


def _between(sort: Any) -> Iterator[Fact]:
    found = [c for c in sort.cards if c.between and c.item not in sort.nowhere]
    if found:
        some = [f"{brief(c.item, what='card')} (group {c.group} or {c.other})" for c in found]
        text = f"{many(len(found), 'card')} could be in another group, too: {listed(some, NAMED)}."
        yield Fact("between", text, {"items": [c.item for c in found]})


# -- the first screen of its page --------------------------------------------------------------------------------------


def first_screen(sort: Any, usual: FirstScreen) -> FirstScreen:
    """The first screen of a card sort: its own headline, tiles about groups and cards, and what to do."""
    kept = {t.name: t for t in usual.tiles}
    tiles = [_agreement_tile(sort, kept.get("agreement")), _group_tile(sort), _card_tile(sort)]
    tiles += [kept["judges"]] if "judges" in kept else []
    own = tuple(_steps(sort))
    more = usual.steps if not own else tuple(step for step in usual.steps if step.anchor.startswith(("off", "judges")))
    told = {step.why for step in own}
    more = tuple(step for step in more if step.why not in told)
    return FirstScreen(headline(sort), usual.sub, tuple(t for t in tiles if t is not None), (*own, *more))


def headline(sort: Any) -> str:
    """The answer in a sentence."""
    several, found = sum(len(g.items) > 1 for g in sort.groups), sort.schools
    kept = [c.stays for c in sort.cards if c.stays is not None]
    stays = sum(kept) / len(kept) if kept else math.nan
    firm, loose = "firmly " if stays >= FIRM else "", ", but loosely" if stays < FIRM else ""
    parted = found is not None and found.number > 1
    if grade(sort.agreement) == "trivial":
        put = "all cards into one group" if several else "every card into a group of its own"
        return f"All judges put {put}: that says nothing about the cards."
    if not several:
        return f"No two of the {len(sort.cards):,} cards belong together{' for all judges' if parted else ''}."
    whole = f"The {len(sort.cards):,} cards fall {firm}into {many(several, 'group')}{loose}"
    if parted:
        return f"{whole}{' and not' if loose else ', but not'} for all judges."
    agree = "" if math.isnan(sort.agreement.value) else f"; judges {agrees(sort.agreement)}"
    return f"{whole}{agree}."


def _agreement_tile(sort: Any, usual: Tile | None) -> Tile | None:
    found, e = sort.schools, sort.agreement
    if usual is None or math.isnan(e.value):
        return usual
    if found is None or found.number < 2:  # the figure of the headline
        return usual if grade(e) == "trivial" else agreement(Agreed(grade(e), (e,), 0.0))
    rows = tuple({"name": f"camp {k + 1}", "value": v} for k, v in enumerate(found.within.tolist()))
    figure = f"{two(found.across)} across, {' and '.join(two(v) for v in found.within.tolist())} within"
    return replace(
        usual,
        word="More within camps",
        figure=figure,
        note="",
        picture=Picture("shares", figure, rows),
        anchor="cards",
        tone="warn",
    )


def _group_tile(sort: Any) -> Tile:
    several = [g for g in sort.groups if len(g.items) > 1]
    rows = tuple({"name": g.called, "value": g.stays or 0.0} for g in several[:NAMED])
    figure = listed([f"{g.called} ({len(g.items)})" for g in several], 3) if several else "every card is alone"
    said = "how much of its group a card keeps with other judges"
    return Tile("result", "Which groups?", many(len(several), "group"), figure, Picture("shares", said, rows), "cards")


def _card_tile(sort: Any) -> Tile:
    between = [c.item for c in sort.cards if c.between and c.item not in sort.nowhere]
    loose = [*sort.nowhere, *between]
    known = [c for c in sort.cards if not math.isnan(c.agreement)]
    rows = tuple({"name": brief(c.item), "value": c.agreement} for c in known[:NAMED])
    picture = Picture("shares", "agreement on the cards that judges agree on least", rows)
    asks = "Which cards are hard?"
    if grade(sort.agreement) == "trivial":
        return Tile("certainty", asks, "Cannot be told", "all cards were sorted alike", picture, "cards")
    if not loose:
        return Tile("certainty", asks, "None", "every card has one place", picture, "cards", tone="good")
    nowhere = f"{len(sort.nowhere):,} {'belongs' if len(sort.nowhere) == 1 else 'belong'} nowhere"
    figure = f"{nowhere}, {len(between):,} {'is' if len(between) == 1 else 'are'} between two groups"
    return Tile("certainty", asks, many(len(loose), "card"), figure, picture, "cards", tone="warn")


def _steps(sort: Any) -> Iterator[Step]:
    if grade(sort.agreement) == "unclear":
        why = "these do not clearly agree, so the groups may be chance"
        yield Step("Ask more people to sort the cards", why, "agreement")
        return
    if sort.schools is not None and sort.schools.number > 1:
        yield Step("Look at the camps one by one", "one consensus pleases none of them", "cards")
    if sort.nowhere:
        them = "it" if len(sort.nowhere) == 1 else "them"
        why = f"judges do not agree where to put {them}"
        yield Step(f"Reword or drop {_cards(sort.nowhere)}", why, "cards")
    between = [c for c in sort.cards if c.between and c.item not in sort.nowhere]
    if between:
        yield Step(f"Decide where {_cards([c.item for c in between])} should be found", "two places fit", "cards")
