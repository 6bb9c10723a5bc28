"""What is said of the order that votes give."""

from __future__ import annotations

from quorate.inference.results import Answer, Finding
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.wording import listed, share


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """What comes first, for people who read no table."""
    alike: dict[str, list[Finding]] = {}
    for f in answer.findings:
        alike.setdefault(_first(f), []).append(f)
    return [
        Fact("first", f"{said} ({', '.join(str(f.method) for f in fs)}).", {"methods": [str(f.method) for f in fs]})
        for said, fs in alike.items()
    ]


def _first(f: Finding) -> str:
    groups = f.values[0]
    if len(groups) == 1:
        return "The votes put all systems level"
    tied = ", tied" if len(groups[0]) > 1 else ""
    stays = f.details["first"][0]
    often = "" if tied or not stays else f"; it stays first in {share(stays.get(str(groups[0][0]), 0.0))} of resampled panels"
    return f"The votes put {listed(groups[0])} first{tied}{often}"


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = list(panel.notes)
    for f in answer.findings:
        if "part" in f.details:
            out.append(f"{f.method}: {apart(max(f.details['part'][0]) + 1)}")
        drawn = f.details["resamples"][0]
        if not drawn:
            out.append(f"{f.method}: no rank intervals: there are too few tasks or judges to draw")
        elif drawn < answer.options.resamples:
            out.append(f"{f.method}: rank intervals are of {drawn:,} resamples, to keep within the time")
    return out


def apart(parts: int) -> str:
    """That systems fall into parts that nobody compared."""
    return f"the systems fall into {parts} parts that nobody compared: their order is known within a part only"
