"""Pairwise votes: what the place of an output does, judge by judge, and how often judges agree.

The figures are those of the questions, by the same methods: place and consistency of judges, swaps, same_choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Column, Table, Text, with_notes
from quorate.document.columns import ci_column
from quorate.document.result import Result
from quorate.inference.core import Core
from quorate.inference.engine import Figures, estimates
from quorate.inference.estimate import Estimate
from quorate.inference.results import Options, clean
from quorate.panel.base import many
from quorate.panel.pairs import VoteDesign
from quorate.panel.votes import Votes
from quorate.table import parse
from quorate.words.judges_notes import NOT_IDENTIFIED
from quorate.words.numbers import share
from quorate.words.wording import ci_of


def _columns(level: float) -> tuple[Column, ...]:
    """A row per judge."""
    return (
        Column("judge", "judge"),
        Column("votes", "votes", "count"),
        Column("first", "first shown", "share", "how often the output shown first wins, on pairs shown both ways"),
        ci_column(level, "interval:share"),
        Column("flips", "flips", "share", "how often the verdict changes when places are swapped"),
        Column("swapped", "swapped", "count"),
        Column("ties", "ties", "share"),
    )


@dataclass(frozen=True)
class Places(Result):
    """What the place of an output does, judge by judge, and how often judges agree."""

    found: dict[str, Any]
    level: float = 0.95  # of intervals

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """All figures."""
        return self.found

    def blocks(self, **how: Any) -> list[Block]:
        """The sentences, then a row per judge with most votes first."""
        rows = []
        for j in sorted(self.found["judges"], key=lambda j: -j["votes"]):
            first, flips = j["first"], j["flips"]
            cells = (j["votes"], clean(first["value"]), first["interval"], clean(flips["value"]), flips["of"])
            rows.append((j["judge"], *cells, clean(j["ties"]["value"])))
        title = "By judge, most votes first: how often the first shown wins (50% is even), verdicts flip, votes tie"
        said = Text(tuple(_sentences(self.found, self.level)), "lead")
        out: list[Block] = [said, Table(title, _columns(self.level), tuple(rows))]
        return with_notes(out, self.found["notes"])


def votes_dict(panel: Votes, options: Options) -> dict[str, Any]:
    """What places do to each judge's votes, and how often judges agree, as plain lists and dicts."""
    v = VoteDesign.of(panel.by_name)
    place, kept = (_figures("judges", name, v, options) for name in ("place", "consistency"))
    votes, tied = (np.bincount(v.judge, v.count * some, len(v.judges)) for some in (1.0, v.outcome[0] == 0.5))
    judges = [
        {
            "judge": name,
            "votes": round(float(votes[j])),
            "first": _rate(place[j], "first_won", "decided"),
            "flips": _less(_rate(kept[j], "stayed", "swapped")),
            "ties": {"value": float(tied[j] / votes[j]), "hits": round(float(tied[j])), "of": round(float(votes[j]))},
        }
        for j, name in enumerate(v.judges)
    ]
    first, swaps = (parse(name, "votes", "trust")(v, Core(options)).estimates[0] for name in ("place", "swaps"))
    flips = {"value": 1 - swaps.value, "hits": swaps.labels["changed"], "of": swaps.labels["swapped"]}
    flips["interval"] = _turned(swaps)
    same = Figures.of(parse("same_choice", "votes", "agreement"), v)
    agree = estimates(same, options, chance=[None])[0]
    sums = {n: int(np.sum(column)) for n, column in same.seen.details.items()}
    ends = agree.ends
    cells = np.bincount(v.cell[v.heard], v.count[v.heard])
    return {
        "votes": int(v.count.sum()),
        "judges": judges,
        "together": {"first": _rate(first, "first_won", "decided"), "flips": flips},
        "agreement": {
            "agree": {"value": agree.value, "hits": sums["alike"], "of": sums["pairs"], "interval": ends},
            "decided": {
                "value": sums["decided_alike"] / sums["decided_pairs"] if sums["decided_pairs"] else math.nan,
                "hits": sums["decided_alike"],
                "of": sums["decided_pairs"],
            },
            "cells": int((cells > 1).sum()),
            "single": int((cells <= 1).sum()),
        },
        "notes": list(panel.notes),
    }


def _figures(question: str, name: str, v: VoteDesign, options: Options) -> list[Estimate]:
    """A figure of each judge with its interval and its details."""
    found = Figures.of(parse(name, "votes", question), v)
    details = found.seen.details
    labels = [{n: column[j] for n, column in details.items()} for j in range(len(v.judges))]
    return estimates(found, options, chance=[None] * len(v.judges), labels=labels.__getitem__)


def _rate(e: Estimate, hits: str, of: str) -> dict[str, Any]:
    ends = e.ends
    return {"value": float(e.value), "hits": e.labels[hits], "of": e.labels[of], "interval": ends}


def _less(rate: dict[str, Any]) -> dict[str, Any]:
    """What does not stay, from what does."""
    ends = rate["interval"] and [1 - rate["interval"][1], 1 - rate["interval"][0]]
    return {**rate, "value": 1 - rate["value"], "hits": rate["of"] - rate["hits"], "interval": ends}


def _turned(e: Estimate) -> list[float] | None:
    return [1 - e.interval.high, 1 - e.interval.low] if e.interval else None


def _sentences(found: dict[str, Any], level: float) -> list[str]:
    """Does the place decide, does swapping change verdicts, do judges agree?"""
    both, all_judges = found["agreement"], found["together"]
    out = [f"{many(found['votes'], 'vote')} by {many(len(found['judges']), 'judge')}."]
    first, flips = all_judges["first"], all_judges["flips"]
    if first["of"]:
        low, high = first["interval"] or (0.0, 1.0)
        lean = "first" if low > 0.5 else "second" if high < 0.5 else ""
        verdict = f"the {lean} place is favoured" if lean else "no sign that a place is favoured"
        told = _told(first, level, "of the votes that are no tie")
        out.append(f"On pairs shown both ways the output shown first won {told}: {verdict}.")
    else:
        out.append(f"Whether a place is favoured cannot be told: {NOT_IDENTIFIED}.")
    if flips["of"]:
        out.append(f"Swapping the places changed the verdict {_told(flips, level)}.")
    if both["agree"]["of"]:
        out.append(
            f"Two judges of the same pair gave the same verdict {_told(both['agree'], level)}; leaving ties out "
            f"{_told(both['decided'], level)}."
        )
    if both["single"]:
        only = "1 pair has" if both["single"] == 1 else f"{both['single']:,} pairs have"
        out.append(f"{only} one judge only: nothing to agree with.")
    return out


def _told(rate: dict[str, Any], level: float, what: str = "of the time") -> str:
    if math.isnan(rate["value"]):
        return "never (0 of 0)"
    inside = ci_of(rate.get("interval"), level, share, sep="; ")
    return f"{share(rate['value'])} {what} ({rate['hits']:,} of {rate['of']:,}{inside})"
