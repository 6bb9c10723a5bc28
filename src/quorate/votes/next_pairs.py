"""Which pairs to ask about next: those whose votes tell most, by the information that the one model expects of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, suggest
from quorate.panel.design import Trusted
from quorate.panel.pairs import VoteDesign
from quorate.votes.bradley_terry import fitted
from quorate.votes.information import Asked, Border
from quorate.votes.separation import PRIOR, Separation

Array = NDArray[Any]


def next_pairs(v: VoteDesign, core: Any, votes: int, between: str | None, first: int | None) -> Trusted:
    """The pairs of the next votes, most first: each vote goes where it is expected to tell most, given those before.

    With ``first`` it is what decides who is among the first so many; else all strengths together.
    """
    if first is not None and first >= len(v.systems):
        fact = f"first={first} of {len(v.systems)} systems leaves nobody behind."
        raise BadParameter(fact, f"first is 1 to {max(len(v.systems) - 1, 1)}.")
    asked = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    evenly = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    sides = [None if first is None else each.border(first) for each in (asked, evenly)]
    before, gains = asked.variances(), (sides[0] or asked).gains()
    weights = sides[0].weights if sides[0] else None
    now = _error(asked, sides[0], weights)
    known = Separation(v, core)
    chosen = np.zeros(len(before), np.int64)
    for _ in range(votes if len(before) else 0):
        pair = (sides[0] or asked).best()
        chosen[pair] += 1
        asked.ask(pair)
    evenly.ask_all(votes / max(len(before), 1))
    rows = np.flatnonzero(chosen) if between is None else _between(v, asked, between)
    rows = rows[np.lexsort((-gains[rows], -chosen[rows]))]
    names = [f"{v.systems[a]} and {v.systems[b]}" for a, b in zip(asked.first[rows], asked.second[rows], strict=True)]
    met = np.bincount(v.pair, v.count, len(v.systems) ** 2)[asked.first[rows] * len(v.systems) + asked.second[rows]]
    differences = [known.between(int(asked.first[k]), int(asked.second[k])) for k in rows.tolist()]
    details = {
        "ask": chosen[rows].tolist(),
        "there": np.rint(met).astype(np.int64).tolist(),
        "apart": [d.gap for d in differences],
        "error": [d.error for d in differences],
        "to_separate": [d.more() for d in differences],
    }
    later = [_error(after, side, weights) for after, side in zip((asked, evenly), sides, strict=True)]
    narrower, even = (1 - error / now for error in later)
    told = core.figure(narrower, {"votes": votes, "evenly": even})
    ahead = np.argsort(-asked.strength, kind="stable")[: first or 0].tolist()
    about: dict[str, Any] = {"first": [v.systems[k] for k in ahead], "over": v.drawn_as(core.options.over or v.over)}
    about["settled"] = sides[0] is not None and _settled(known, sides[0])
    return Trusted({"systems": names}, gains[rows].tolist(), [told], details, about=about)


def _settled(known: Separation, side: Border) -> bool:
    """Whether the leaderboard tells those in the first places from all behind, by the votes there are."""
    pairs = zip(side.asked.first[side.pairs].tolist(), side.asked.second[side.pairs].tolist(), strict=True)
    return all(known.between(one, two).told_apart for one, two in pairs)


def _error(asked: Asked, side: Border | None, weights: Array | None) -> float:
    """The mean standard error of differences: of all, or across a border."""
    some = asked.variances() if side is None else asked.variances()[side.pairs]
    return float(np.average(np.sqrt(np.maximum(some, 0.0)), weights=weights)) if len(some) else math.nan


def _between(v: VoteDesign, asked: Asked, between: str) -> Array:
    """The pair of two systems that a text names, with + between."""
    known = {str(s): k for k, s in enumerate(v.systems)}
    names = [name.strip() for name in between.split("+")]
    for name in names:
        if name not in known:
            raise BadParameter(f"no system '{name}'.", suggest(name, known, "The panel's systems"))
    if len(set(names)) != 2:
        raise BadParameter(f"between={between} are not two systems.", "write two names with + between.")
    low, high = sorted(known[name] for name in names)
    return np.flatnonzero((asked.first == low) & (asked.second == high))
