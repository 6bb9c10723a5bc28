"""The first screen of a report as data: a headline, four tiles with a small picture each, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from quorate.inference.results import clean
from quorate.words.wording import upper

Tone = Literal["plain", "good", "warn"]
Form = Literal["scale", "strip", "intervals", "shares"]


@dataclass(frozen=True)
class Picture:
    """A small picture before it is drawn; ``said`` is what it shows, for those who cannot see it.

    ``scale``: value, low and high of each row between two ends, with ``mark`` where chance is. ``strip``: a dot per
    row, those that are ``off`` in another shape. ``intervals``: a line per named row. ``shares``: a bar per named row,
    of the whole.
    """

    form: Form
    said: str
    rows: tuple[Mapping[str, Any], ...]
    ends: tuple[float, float] = (0.0, 1.0)
    mark: float | None = None


@dataclass(frozen=True)
class Tile:
    """A question, its answer in a word, the figure behind it with its interval, and what that means."""

    name: str  # agreement, judges, result, certainty
    asks: str
    word: str
    figure: str
    picture: Picture
    anchor: str  # the place on the page that has the evidence
    note: str = ""
    tone: Tone = "plain"

    def __str__(self) -> str:
        return f"{self.asks} {self.word}. {upper('; '.join(filter(None, (self.figure, self.note))))}."


@dataclass(frozen=True)
class Step:
    """Something to do: what, linked to its evidence, and why."""

    do: str
    why: str
    anchor: str
    judge: str = ""  # whom it is about, where it is about one

    def __str__(self) -> str:
        return f"{self.do}: {self.why}." if self.why else f"{self.do}."


@dataclass(frozen=True)
class FirstScreen:
    """What a reader takes away after ten seconds."""

    headline: str
    sub: str
    tiles: tuple[Tile, ...]
    steps: tuple[Step, ...] = field(default=())

    def lines(self, *, tiles: bool = False) -> Iterator[tuple[str, str]]:
        """What a terminal shows, each line with the indent of what does not fit; the four tiles on request."""
        yield from ((said, "") for said in (self.headline, self.sub) if said)
        yield from ((f"- {tile}", "  ") for tile in (self.tiles if tiles else ()))
        if self.steps:
            yield "What to do next:", ""
        yield from ((f"{number}. {step}", "   ") for number, step in enumerate(self.steps, 1))

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON."""
        return dict(clean(asdict(self)))
