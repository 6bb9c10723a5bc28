"""Pairwise votes: what the place of an output does, judge by judge, and how often judges agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from quorate.document.blocks import Block, Column, Table, Text, with_notes
from quorate.document.result import Result
from quorate.panel.base import many

COLUMNS = (
    Column("judge", "judge"),
    Column("votes", "votes", "count"),
    Column("first", "first shown", "share", "how often the output shown first wins; half is even"),
    Column("interval", "95% interval", "interval:share"),
    Column("flips", "flips", "share", "how often the verdict changes when places are swapped"),
    Column("swapped", "swapped", "count"),
    Column("ties", "ties", "share"),
)


@dataclass(frozen=True)
class Places(Result):
    """What the place of an output does, judge by judge, and how often judges agree."""

    found: dict[str, Any]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """All figures."""
        return self.found

    def blocks(self, **how: Any) -> list[Block]:
        """The sentences, then a row per judge with most votes first."""
        rows = []
        for j in sorted(self.found["judges"], key=lambda j: -j["votes"]):
            first, flips = j["first"], j["flips"]
            cells = (j["votes"], _known(first["value"]), first["interval"], _known(flips["value"]), flips["of"])
            rows.append((j["judge"], *cells, _known(j["ties"]["value"])))
        title = "By judge, most votes first: how often the first shown wins (50% is even), verdicts flip, votes tie"
        out: list[Block] = [Text(tuple(_sentences(self.found)), "lead"), Table(title, COLUMNS, tuple(rows))]
        return with_notes(out, self.found["notes"])


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _sentences(found: dict[str, Any]) -> list[str]:
    """Does the place decide, does swapping change verdicts, do judges agree?"""
    both, all_judges = found["agreement"], found["together"]
    out = [f"{many(found['votes'], 'vote')} by {many(len(found['judges']), 'judge')}."]
    first, flips = all_judges["first"], all_judges["flips"]
    if first["of"]:
        low, high = first["interval"]
        lean = "first" if low > 0.5 else "second" if high < 0.5 else ""
        verdict = f"the {lean} place is favoured" if lean else "no sign that a place is favoured"
        out.append(f"The output shown first won {_rate(first, 'of the votes that are no tie')}: {verdict}.")
    if flips["of"]:
        out.append(f"Swapping the places changed the verdict {_rate(flips)}.")
    if both["agree"]["of"]:
        out.append(
            f"Two judges of the same pair gave the same verdict {_rate(both['agree'])}; leaving ties out "
            f"{_rate(both['decided'])}."
        )
    if both["single"]:
        only = "1 pair has" if both["single"] == 1 else f"{both['single']:,} pairs have"
        out.append(f"{only} one judge only: nothing to agree with.")
    return out


def _rate(rate: dict[str, Any], what: str = "of the time") -> str:
    if math.isnan(rate["value"]):
        return "never (0 of 0)"
    low, high = rate["interval"]
    return f"{rate['value']:.0%} {what} ({rate['hits']:,} of {rate['of']:,}; interval {low:.0%} to {high:.0%})"
