"""What is said of the order that votes give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.inference.results import Answer, Finding
from quorate.panel.base import listed
from quorate.panel.votes import Votes
from quorate.words.facts import Fact
from quorate.words.numbers import share


def facts(panel: Votes, answer: Answer) -> list[Fact]:
    """What comes first, for people who read no table."""
    alike: dict[str, list[Finding]] = {}
    for f in answer.findings:
        alike.setdefault(_first(f.values[0]), []).append(f)
    out = []
    for said, fs in alike.items():
        methods = [str(f.method) for f in fs]
        data = {"methods": methods, "equal": len(fs[0].values[0]) == 1}
        out.append(Fact("first", f"{said} ({', '.join(methods)}){_stays(fs)}.", data))
    return out


def _first(groups: Sequence[Sequence[Any]]) -> str:
    if len(groups) == 1:
        return "The votes put all systems level"
    return f"The votes put {listed(groups[0])} first{', tied' if len(groups[0]) > 1 else ''}"


def _stays(findings: Sequence[Finding]) -> str:
    """How often what is first, alone, stays first in resampled panels."""
    groups = findings[0].values[0]
    seen = [f.details["first"][0] for f in findings]
    if len(groups) == 1 or len(groups[0]) > 1 or not all(seen):
        return ""
    often = [share(s.get(str(groups[0][0]), 0.0)) for s in sorted(seen, key=lambda s: s.get(str(groups[0][0]), 0.0))]
    between = often[0] if often[0] == often[-1] else f"{often[0]} to {often[-1]}"
    return f"; it stays first in {between} of resampled panels"


def notes(panel: Votes, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = list(panel.notes)
    for f in answer.findings:
        out += apart(f)
        drawn = f.details["resamples"][0]
        if not drawn:
            out.append(f"{f.method}: no rank intervals: there are too few tasks or judges to draw")
        elif drawn < answer.options.resamples:
            out.append(f"{f.method}: rank intervals are of {drawn:,} resamples, to keep within the time")
    return out


def apart(f: Finding) -> list[str]:
    """That systems fall into parts that nobody compared, if they do."""
    parts = int(f.about[0]["part"].max(initial=-1)) + 1 if "part" in f.about[0] else 1
    said = f"the systems fall into {parts} parts that nobody compared: their order is known within a part only"
    return [f"{f.method}: {said}"] if parts > 1 else []
