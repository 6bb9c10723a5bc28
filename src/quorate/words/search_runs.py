"""The first screen of search runs: how alike they rank, which run is unlike the others, which queries are hard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quorate.panel.base import listed, many
from quorate.words.outcome import Outcome
from quorate.words.screen import FirstScreen, Step, Tile
from quorate.words.wording import brief

ASKS = {
    "agreement": "Do the runs rank alike?",
    "judges": "Is any run unlike the others?",
    "result": "What comes first?",
    "certainty": "How sure is it?",
}
GRADES = {
    "chance": "rank no more alike than by chance",
    "unclear": "may rank no more alike than by chance",
    "slightly": "rank only slightly alike",
    "trivial": "all give the same lists",
}
NAMED = 3  # runs or queries by name


def first_screen(o: Outcome, usual: FirstScreen) -> FirstScreen:
    """The usual screen with the words of who compares engines: runs, queries, lists."""
    if not o.agreed.known:
        return usual
    tiles = tuple(_tile(t) for t in usual.tiles)
    return replace(usual, headline=headline(o), tiles=tiles, steps=tuple(_steps(o, usual)))


def headline(o: Outcome) -> str:
    """How alike the runs rank, and who is unlike the others."""
    runs, queries = many(len(o.panel.judges), "run"), many(len(o.panel.tasks), "query").replace("querys", "queries")
    alike = GRADES.get(o.agreed.grade, f"rank {o.agreed.grade} alike")
    said = f"The {runs} {alike} on {queries}"
    if o.off.names:
        who = listed([brief(n, 16) for n in o.off.names], NAMED)
        return f"{said}; {who} {'ranks' if len(o.off.names) == 1 else 'rank'} unlike the others."
    if o.off.copies:
        return f"{said}; {listed([brief(n, 16) for n in o.off.copies[0]], NAMED)} give the same lists."
    return f"{said}; none is unlike the others."


def _tile(tile: Tile) -> Tile:
    return replace(tile, asks=ASKS.get(tile.name, tile.asks))


def _steps(o: Outcome, usual: FirstScreen) -> Iterator[Step]:
    if o.off.names:
        who = listed([brief(name) for name in o.off.names], NAMED)
        yield Step(f"Look at the lists of {who}", "they differ from the others' more than those do", "off-1")
    if o.hard:
        some = listed([brief(t) for t in o.hard[:NAMED]])
        yield Step(f"Look at {some}", "there the runs have least in common", "agreement")
    yield Step("Fuse the runs", "what they have in common makes one list for each query", "consensus")
    yield from (s for s in usual.steps if s.anchor.startswith("judges"))
