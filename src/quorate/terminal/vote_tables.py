"""Pairwise votes in a terminal: what the place of an output does, judge by judge, and how often judges agree."""

from __future__ import annotations

import io
import math
from typing import Any

from quorate.panel import many
from quorate.terminal.text import TASKS, plain_console, plain_table


def votes_text(found: dict[str, Any], width: int = 80) -> str:
    """The sentences, then a row per judge with most votes first."""
    out = io.StringIO()
    console = plain_console(out, width)
    both = found["agreement"]
    console.print(f"{many(found['votes'], 'vote')} by {many(len(found['judges']), 'judge')}.")
    if both["agree"]["of"]:
        always, decided = _rate(both["agree"]), _rate(both["decided"])
        console.print(f"Two judges of one pair gave the same verdict {always}; without ties {decided}.")
    if both["single"]:
        console.print(f"{both['single']:,} pairs have one judge only and say nothing about agreement.")
    listed = sorted(found["judges"], key=lambda j: -j["votes"])
    title = "By judge" if len(listed) <= TASKS else f"The {TASKS} of {len(listed):,} judges with most votes"
    table = plain_table(f"{title}: first shown wins (0.5 without a bias), verdicts that change when swapped, ties")
    table.add_column("judge", overflow="fold")
    for name in ("votes", "first shown", "95% interval", "flips", "ties"):
        table.add_column(name, justify="right")
    for j in listed[:TASKS]:
        first = j["first"]
        between = "-" if first["interval"] is None else "{:.2f} to {:.2f}".format(*first["interval"])
        cells = (_of(first), between, _of(j["flips"]), _of(j["ties"]))
        table.add_row(str(j["judge"]), f"{j['votes']:,}", *cells)
    console.print()
    console.print(table)
    for note in found["notes"]:
        console.print(f"\nNote: {note}.")
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines()) + "\n"


def _of(rate: dict[str, Any]) -> str:
    return "-" if math.isnan(rate["value"]) else f"{rate['value']:.2f} ({rate['hits']}/{rate['of']})"


def _rate(rate: dict[str, Any]) -> str:
    if math.isnan(rate["value"]):
        return "never (0 of 0)"
    low, high = rate["interval"]
    return f"{rate['value']:.0%} of the time ({rate['hits']:,} of {rate['of']:,}, {low:.0%} to {high:.0%})"
