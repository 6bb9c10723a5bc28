"""Pairwise votes in a terminal: what the place of an output does, judge by judge, and how often judges agree."""

from __future__ import annotations

import math
from typing import Any

from quorate.panel.base import many
from quorate.terminal.page import page_text
from quorate.terminal.text import TASKS, plain_table


def votes_text(found: dict[str, Any], width: int = 80) -> str:
    """The sentences, then a row per judge with most votes first."""
    pieces: list[Any] = []
    pieces += _sentences(found)
    listed = sorted(found["judges"], key=lambda j: -j["votes"])
    title = "By judge" if len(listed) <= TASKS else f"The {TASKS} of {len(listed):,} judges with most votes"
    table = plain_table(f"{title}: how often the first shown wins (0.5 is even), verdicts flip, votes tie")
    table.add_column("judge", overflow="fold")
    for name in ("votes", "first shown", "95% interval", "flips", "ties"):
        table.add_column(name, justify="right")
    for j in listed[:TASKS]:
        first = j["first"]
        between = "-" if first["interval"] is None else "{:.2f} to {:.2f}".format(*first["interval"])
        cells = (_of(first), between, _of(j["flips"]), _of(j["ties"]))
        table.add_row(str(j["judge"]), f"{j['votes']:,}", *cells)
    pieces.append("")
    pieces.append(table)
    for note in found["notes"]:
        pieces.append(f"\nNote: {note}.")
    return page_text(pieces, width)


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


def _of(rate: dict[str, Any]) -> str:
    return "-" if math.isnan(rate["value"]) else f"{rate['value']:.2f} ({rate['hits']}/{rate['of']})"


def _rate(rate: dict[str, Any], what: str = "of the time") -> str:
    if math.isnan(rate["value"]):
        return "never (0 of 0)"
    low, high = rate["interval"]
    return f"{rate['value']:.0%} {what} ({rate['hits']:,} of {rate['of']:,}; interval {low:.0%} to {high:.0%})"
