"""Two systems that cannot be told apart, in words: how much more it would take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.inference.board import ALPHA, POWER
from quorate.inference.results import Finding
from quorate.words.facts import Fact
from quorate.words.numbers import rough, share
from quorate.words.screen import Step
from quorate.words.wording import brief, called

FAR = 10  # times as many tasks as there are: the two are as good as equal
LITTLE = 0.5  # of what more tasks would do: more judges would help little


def tie_of(finding: Finding) -> Mapping[str, Any] | None:
    """The first two systems of a leaderboard that cannot be told apart, where it can be said what it would take.

    Of systems that are no better than their own chance it does not matter.
    """
    tie: Mapping[str, Any] | None = finding.about[0].get("tie") if finding.about else None
    if tie is None or any(
        o.null and o.null.p >= ALPHA for o in finding.overall if o.labels["system"] in tie["systems"]
    ):
        return None
    return tie


def facts(finding: Finding) -> list[Fact]:
    """How many more tasks would tell two systems apart, or that they are as good as equal."""
    tie = tie_of(finding)
    if tie is None:
        return []
    one, two = (called(name, "system") for name in tie["systems"])
    if _far(tie):
        text = (
            f"{one} and {two} are so close that it would take about {_needed(tie):,} {tie['over']} to tell them apart."
        )
    else:
        seems = f"If {one} is ahead of {two} by as much as it seems to be"
        text = f"{seems}, about {_more(tie):,} more {tie['over']} would show it ({share(POWER)} power)."
    return [Fact("needed", text, dict(tie))]


def step(tie: Mapping[str, Any], gains: Mapping[str, float], anchor: str) -> Step:
    """What to do about it; ``gains`` are by how much twice as many of something would cut the error."""
    one, two = (brief(str(name), what="system") for name in tie["systems"])
    if _far(tie):
        return Step(
            f"Treat {one} and {two} as equal", f"it would take about {_needed(tie):,} {tie['over']} to tell", anchor
        )
    why = f"to tell {one} from {two}, if they differ by as much as they seem to"
    return Step(f"Have about {_more(tie):,} more {tie['over']} judged", f"{why}{_judges_help(tie, gains)}", anchor)


def _judges_help(tie: Mapping[str, Any], gains: Mapping[str, float]) -> str:
    judges, others = gains.get("judges"), gains.get(str(tie["over"]))
    if judges is None or others is None:
        return ""
    if judges > others:
        return "; more judges would help more"
    return "; more judges would help little" if judges < LITTLE * others else "; more judges would help too"


def _far(tie: Mapping[str, Any]) -> bool:
    return int(tie["needed"]) > FAR * int(tie["tasks"])


def _needed(tie: Mapping[str, Any]) -> int:
    return rough(tie["needed"])


def _more(tie: Mapping[str, Any]) -> int:
    return rough(int(tie["needed"]) - int(tie["tasks"]))
