"""The first screen as HTML: the headline, four tiles with a small picture each, and what to do next.

Pictures are drawn here, as SVG in the page's own colours, so that the first screen needs no script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape as _escape
from typing import Any

from quorate.words.direction import isolated
from quorate.words.numbers import share
from quorate.words.screen import FirstScreen, Picture, Step, Tile

WIDE, LEFT, RIGHT = 220, 8, 212  # of a picture, and where its scale begins and ends
NAMED = 80  # where the scale of named rows begins
SAID = 38  # units that a share takes behind its bar
NEAR = 40  # units from either end within which a word begins or ends there
LETTER, WIDEST = 5.6, 7.7  # units that a letter takes, and that it takes in a wide font


def escape(text: str) -> str:
    """A text for the page, names that are written from right to left held apart."""
    return _escape(isolated(text))


def first_screen(screen: FirstScreen) -> str:
    """All of it."""
    sub = f'<p class="sub">{escape(screen.sub)}</p>\n' if screen.sub else ""
    tiles = "\n".join(map(_tile, screen.tiles))
    steps = "\n".join(f"<li>{_step(s)}</li>" for s in screen.steps)
    return (
        f'<h2 id="h-verdict" class="headline">{escape(screen.headline)}</h2>\n{sub}'
        f'<div class="tiles">\n{tiles}\n</div>\n'
        f'<div class="next">\n<h3 id="next">What to do next</h3>\n<ol>\n{steps}\n</ol>\n</div>'
    )


def _step(step: Step) -> str:
    return f'<a href="#{escape(step.anchor)}">{escape(step.do)}</a>{escape(f": {step.why}" if step.why else "")}.'


def _tile(tile: Tile) -> str:
    note = f'<span class="note">{escape(tile.note)}</span>' if tile.note else ""
    return (
        f'<a class="tile {tile.tone}" id="tile-{tile.name}" href="#{escape(tile.anchor)}">'
        f'<span class="said"><span class="asks">{escape(tile.asks)}</span><span class="word">{escape(tile.word)}</span>'
        f'<span class="figure">{escape(tile.figure)}</span>{note}</span>{picture(tile.picture)}</a>'
    )


def picture(p: Picture) -> str:
    """A small picture as SVG."""
    height, marks = _FORMS[p.form](p)
    named = 'class="named" ' if len(p.rows) > 1 and p.form != "strip" else ""  # has letters that a phone must show
    told = f'{named}role="img" aria-label="{escape(p.said)}"'
    return f'<svg viewBox="0 0 {WIDE} {height}" {told}>{"".join(marks)}</svg>'


def _scale(p: Picture) -> tuple[int, list[str]]:
    """A dot with its interval on a line from one end to the other, a row each, and a mark where chance is."""
    named = len(p.rows) > 1
    left = NAMED if named else LEFT
    at = _places(p.ends, left)
    gap, top = 13, 12
    bottom = top + gap * (len(p.rows) - 1)
    out = []
    for k, row in enumerate(p.rows):
        y = top + gap * k
        out += [_line(left, RIGHT, y, "axis"), *_interval(row, at, y, 6 if not named else 4)]
        out += [_text(0, y + 4, row["name"], "start")] if named else []
    out.append(_text(RIGHT, bottom + 24, "full", "end"))
    if p.mark is not None:
        x = at(p.mark)
        out += [f'<line class="chance" x1="{x:.0f}" x2="{x:.0f}" y1="{top - 9}" y2="{bottom + 9}"/>']
        out += [_text(x, bottom + 24, "chance", "start" if x < 30 else "middle" if x < RIGHT - 60 else "end")]
    return bottom + 28, out if p.mark is None or at(p.mark) < RIGHT - 60 else [m for m in out if ">full<" not in m]


def _strip(p: Picture) -> tuple[int, list[str]]:
    """A dot per row; those that are off are diamonds with their names."""
    at = _places(p.ends, 24, RIGHT - 16)
    out = [_line(LEFT, RIGHT, 34, "axis")]
    out += [f'<circle class="dot" cx="{at(r["value"]):.0f}" cy="18" r="5"/>' for r in p.rows if not r["off"]]
    taken: list[tuple[float, float]] = []

    def name(x: float, text: object) -> None:
        """A name below the line, unless it would run into another."""
        anchor = "start" if x < NEAR else "end" if x > WIDE - NEAR else "middle"
        size = LETTER * len(str(text))
        left = x - {"start": 0.0, "middle": size / 2, "end": size}[anchor]
        if all(left > end + LETTER or left + size + LETTER < begin for begin, end in taken):
            out.append(_text(x, 48, text, anchor))
            taken.append((left, left + size))

    for row in (r for r in p.rows if r["off"]):
        x = at(row["value"])
        out.append(f'<path class="off" d="M{x:.0f} 11l7 7-7 7-7-7z"/>')
        name(x, row["name"])
    others = [at(r["value"]) for r in p.rows if not r["off"]]
    if others:
        name(sum(others) / len(others), "the others" if taken else "the judges")
    return 52, out


def _intervals(p: Picture) -> tuple[int, list[str]]:
    """A line per named row."""
    at = _places(p.ends, NAMED + 6)
    out = []
    for k, row in enumerate(p.rows):
        y = 8 + 13 * k
        out += [_text(0, y + 4, row["name"], "start"), *_interval(row, at, y, 3)]
    return 13 * len(p.rows) + 3, out


def _shares(p: Picture) -> tuple[int, list[str]]:
    """A bar per row, of the whole; a dashed one where nothing is known."""
    out = []
    named = len(p.rows) > 1
    left = _beside(p) if named else 0
    room = WIDE - left - SAID
    for k, row in enumerate(p.rows):
        y, value = 4 + 15 * k, row["value"]
        out += [_text(0, y + 9, row["name"], "start")] if named else []
        if value is None:
            out.append(f'<rect class="unknown" x="1" y="{y}" width="{WIDE - 2}" height="11" rx="5"/>')
            continue
        out.append(f'<rect class="whole" x="{left:.0f}" y="{y}" width="{room:.0f}" height="11" rx="5"/>')
        out.append(f'<rect class="part" x="{left:.0f}" y="{y}" width="{max(room * value, 3):.0f}" height="11" rx="5"/>')
        said = share(value).replace("over ", ">").replace("under ", "<")
        out.append(_text(WIDE, y + 9, row.get("said", said), "end"))
    return 15 * len(p.rows) + 6, out


def _beside(p: Picture) -> float:
    """Where bars begin beside the names of rows, so that none runs into its bar."""
    longest = max(len(str(row["name"])) for row in p.rows)
    return min(max(NAMED, WIDEST * longest), WIDE / 2)


_FORMS: Mapping[str, Callable[[Picture], tuple[int, list[str]]]] = {
    "scale": _scale,
    "strip": _strip,
    "intervals": _intervals,
    "shares": _shares,
}


def _places(ends: tuple[float, float], left: float, right: float = RIGHT) -> Callable[[float], float]:
    """Where a value is drawn; in the middle where all are the same."""
    low, high = ends

    def at(value: float) -> float:
        part = (value - low) / (high - low) if high != low else 0.5
        return left + (right - left) * min(max(part, 0.0), 1.0)

    return at


def _interval(row: Mapping[str, Any], at: Callable[[float], float], y: int, thick: int) -> list[str]:
    x = at(row["value"])
    out = [f'<circle class="dot" cx="{x:.0f}" cy="{y}" r="{thick}"/>']
    if row["low"] is not None and row["high"] is not None:
        a, b = sorted((at(row["low"]), at(row["high"])))
        out.insert(0, f'<line class="interval" x1="{a:.0f}" x2="{max(b, a + 1):.0f}" y1="{y}" y2="{y}"/>')
    return out


def _line(x1: float, x2: float, y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.0f}" x2="{x2:.0f}" y1="{y}" y2="{y}"/>'


def _text(x: float, y: float, text: object, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(str(text))}</text>'
