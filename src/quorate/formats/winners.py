"""Whether a winner is told by name or by place, where systems are called as places are: ``a``, ``left``, ``1``.

Where every winner is one of the two names of its vote, winners are names; that is told as a guess where a place would
say otherwise. Where some winners can only be places, those that could be either are asked about.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quorate.formats.file_parts import Part
from quorate.formats.registry import Option, choice
from quorate.panel.columns import Coded, encode, is_blank
from quorate.panel.reading import Guess
from quorate.panel.votes import by_name, by_place

WINNER = Option(
    "winner",
    "what a winner such as a or b is: name (of a system) or place (the first of the two)",
    choice("name", "place"),
)


def settled(part: Part, told: str | None) -> Part:
    """The part with winners that are names wherever they could be names or places."""
    first, second, winner = (encode(part.raw[n]) for n in ("model_a", "model_b", "winner"))
    place, name = by_place(winner), by_name(first, second, winner)
    if told == "place":
        return replace(part, raw=part.raw | {"winner": _names(first, second, winner, place)})
    only_places = np.isnan(name) & ((place == 0) | (place == 1))
    if told == "name" and only_places.any():
        rows = np.flatnonzero(only_places)
        what = (f"winner {winner[r]!r} of {first[r]!r} and {second[r]!r}" for r in rows.tolist())
        raise part.source.error("not the name of a system", rows, what, "--winner place: a is the first of the two.")
    two = (name == 1) & (place == 0) | (name == 0) & (place == 1)
    if told or not two.any() or only_places.any():  # the panel asks about the last
        return part
    row = int(np.flatnonzero(two)[0])
    said = f"the winner is taken as a name, not as a place: '{winner[row]}' of '{first[row]}' and '{second[row]}'"
    other = " (if it is a place: --winner place)"
    return replace(part, guesses=(*part.guesses, Guess(said + other, "--winner name")))


def _names(first: Coded, second: Coded, winner: Coded, place: np.ndarray) -> list[object]:
    """The name of the one in the winning place; ties, and winners that are told otherwise, as they stand."""
    rows = zip(first.values(), second.values(), winner.values(), place.tolist(), strict=True)
    return [w if is_blank(w) else a if p == 1 else b if p == 0 else w for a, b, w, p in rows]
