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
TWO = "of two runs nobody can tell which one is unlike"
NAMED = 3  # runs or queries by name


def first_screen(o: Outcome, usual: FirstScreen) -> FirstScreen:
    """The usual screen with the words of who compares engines: runs, queries, lists."""
    if not o.agreed.known:
        return usual
    tiles = tuple(_tile(t, o) for t in usual.tiles)
    return replace(usual, headline=headline(o), tiles=tiles, steps=tuple(_steps(o, usual)))


def headline(o: Outcome) -> str:
    """How alike the runs rank, and who is unlike the others."""
    runs, queries = many(len(o.panel.judges), "run"), many(len(o.panel.tasks), "query")
    alike = GRADES.get(o.agreed.grade, f"rank {o.agreed.grade} alike")
    said = f"The {runs} {alike} on {queries}"
    if o.off.names:
        who = listed([brief(n, 16, "run") for n in o.off.names], NAMED)
        return f"{said}; {who} {'ranks' if len(o.off.names) == 1 else 'rank'} unlike the others."
    if o.off.copies:
        return f"{said}; {listed([brief(n, 16, 'run') for n in o.off.copies[0]], NAMED)} give the same lists."
    return f"{said}." if o.off.why != "none" else f"{said}; none is unlike the others."


def _tile(tile: Tile, o: Outcome) -> Tile:
    """A tile with the words of runs."""
    figure = TWO if tile.name == "judges" and o.off.why == "two" and not o.off.copies else tile.figure
    return replace(tile, asks=ASKS.get(tile.name, tile.asks), figure=figure)


def _steps(o: Outcome, usual: FirstScreen) -> Iterator[Step]:
    if o.off.names:
        who = listed([brief(name, what="run") for name in o.off.names], NAMED)
        why = "they differ from the others' more than those from each other"
        yield Step(f"Look at the lists of {who}", why, "off-1")
    if o.hard:
        some = listed([brief(t, what="query") for t in o.hard[:NAMED]])
        yield Step(f"Look at {some}", "there the runs have least in common", "agreement")
    yield Step("Fuse the runs", "what they have in common makes one list for each query", "consensus")
    for group in o.off.copies[:NAMED]:
        who = listed([brief(name, what="run") for name in group], NAMED)
        yield Step(f"Find out whether {who} are one system", "their lists are the same", "judges")
    if o.off.why == "two":
        yield Step("Add a third run", "then it can be seen which one is unlike the others", "judges")
