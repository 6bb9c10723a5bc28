"""What a judge holds that most do not, in words."""

from __future__ import annotations

from collections.abc import Hashable

from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.wording import called

ALONE = "being alone is not being wrong: look at these again, and keep what you still hold"
_WHAT = {
    "orderings": ("pair of items", "pairs of items", "ordered", "put {} the other way round"),
    "groupings": ("pair of items", "pairs of items", "looked at", "see {} otherwise"),
    "scores": ("score", "scores", "gave", "are above or below {}"),
    "labels": ("label", "labels", "gave", "agree on another label for {}"),
}


def dissent_fact(kind: str, judge: Hashable, found: int, compared: int) -> Fact:
    """How much a judge holds that most of the others do not."""
    one, several, did, otherwise = _WHAT[kind]
    who = called(judge)
    data = {"judge": judge, "found": found, "compared": compared}
    if not compared:
        return Fact("dissent", f"Nobody else judged what {who} did.", data)
    of = f"Of the {compared:,} {several} that {who} {did}" if compared > 1 else f"The one {one} that {who} {did}"
    if not found:
        return Fact("dissent", f"{of}: most of the others {otherwise.format('none')}.", data)
    what = otherwise.format(f"{found:,} ({share(found / compared)})" if compared > 1 else "it")
    return Fact("dissent", f"{of}: most of the others {what}.", data)
