"""What else decides votes beside the systems, and which pairs to ask about next, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quorate.inference.results import Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.votes.separation import POWER
from quorate.words.facts import Fact
from quorate.words.needed import more_votes
from quorate.words.numbers import count, share, two
from quorate.words.wording import as_odds, called, ci, those

DIFFERENCE = "a typical difference in "
NAMED = 5  # systems, or pairs, in a sentence


def effects(panel: Panel, f: Finding) -> Iterator[Fact]:
    """By how much the odds are multiplied, whose rank changes by that, and what cannot be told."""
    for o in f.overall:
        name = str(o.labels["effect"])
        if math.isnan(o.value):
            yield _fact(f, f"What {_what(name)} is worth cannot be told from what the systems are worth.", o)
            continue
        told = as_odds(o)
        odds = f"the odds of winning by {two(told.value)}{ci(told)}"
        if _decides(o):
            what = _what(name)
            yield _fact(f, f"{what[0].upper()}{what[1:]} multiplies {odds}, whichever system it is.", o, "effect")
        else:
            yield _fact(f, f"No sign that {_what(name)} decides: it multiplies {odds}.", o)
    others = [o for o in f.overall if _decides(o) and not str(o.labels["effect"]).startswith("place")]
    moved = sorted(f.about[0]["moved"], key=lambda r: -abs(r["after"] - r["before"])) if f.about else []
    if moved and others:  # the place is taken out of every board
        changes = [f"{called(r['system'], 'system')} moves from rank {r['before']} to {r['after']}" for r in moved]
        taken = listed([_what(str(o.labels["effect"])).removeprefix(DIFFERENCE) for o in others])
        data = {"moved": moved, "covariates": str(f.method["covariates"]), "taken": taken}
        said = f"With {taken} taken out of the strengths, {listed(changes, NAMED)}."
        yield Fact("effect", said, {"method": str(f.method), "estimate": others[0], **data})


def _decides(o: Overall) -> bool:
    """Whether an effect is told from none."""
    return o.interval is not None and not o.interval.low <= 0 <= o.interval.high


def next_pairs(panel: Panel, f: Finding) -> Iterator[Fact]:
    """Where the next votes should go; of two systems, how many would tell them apart."""
    o = f.overall[0]
    if math.isnan(o.value) or not f.values:
        yield _fact(f, "With one system there is no pair to ask about.", o)
        return
    if f.method["between"] is not None:
        votes, there = (f.details[n][0] for n in ("to_separate", "there"))
        yield _fact(f, more_votes(f.keys["systems"][0], votes, there, POWER, f.about[0]["over"]), o, "needed")
        return
    rows = zip(f.keys["systems"], f.details["ask"], strict=True)
    pairs = listed([f"{systems} ({ask})" for systems, ask in rows], NAMED)
    first = f.about[0]["first"]
    ahead = those(first, "system", NAMED)
    about = f" about who is {'first' if len(first) == 1 else f'among the first {count(len(first))}'}" if first else ""
    if f.about[0]["settled"]:
        yield _fact(f, f"The votes there are tell {ahead} from all behind.", o, "needed")
    said = f"Of the next {many(o.labels['votes'], 'vote')} most is learned{about} by asking about {pairs}"
    what = f"intervals between {ahead} and those behind" if first else "intervals of differences"
    gain = f"{what} would be {share(o.value)} narrower on average"
    yield _fact(f, f"{said}: {gain}, against {share(o.labels['evenly'])} if all pairs were asked alike.", o, "needed")


def _fact(f: Finding, text: str, e: Overall, name: str = "trust") -> Fact:
    return Fact(name, text, {"method": str(f.method), "estimate": e})


def _what(name: str) -> str:
    """What an effect is of, in words.

    >>> _what("length"), _what("own"), _what("own of bot")
    ('a typical difference in length', "the judge's own family", "bot's own family")
    """
    word, _, judge = name.partition(" of ")
    who = f"{judge}'s" if judge else "the judge's"
    return {"place": "the first place", "own": f"{who} own family"}.get(word, f"{DIFFERENCE}{word}")
