"""What annotators missed, as a page to mail to them: for each the units, the words, and where they accepted these.

Built from what autoPyramid found. The page needs nothing else: no script, no request, and it prints well.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from quorate.errors import UnknownId, suggest
from quorate.panel import many
from quorate.units.gaps import AutoPyramid, JudgeGap, Missed

AROUND = 60  # characters of the item before and after a string
HEADS = ("Item", "Unit", "What the item says", "Accepted in")
STYLE = """
.missed table { width: 100%; } .missed mark { background: #ffe08a; color: #1c2430; padding: 0 .1em; }
.missed td { max-width: 26rem; white-space: normal; overflow-wrap: anywhere; }
.missed td p { margin: 0 0 .4rem; }
.missed .weight { color: var(--soft); font-size: .92em; }
@media (max-width: 40rem) {
  .missed thead { position: absolute; left: -99rem; }
  .missed table, .missed tbody, .missed tr, .missed td { display: block; }
  .missed tr { border-top: 2px solid var(--line); padding: .5rem 0; } .missed td { border: 0; padding: .1rem 0; }
  .missed td::before { content: attr(data-head); display: block; color: var(--soft); font-size: .8em; }
}
"""


@dataclass(frozen=True)
class MissedUnit:
    """A unit that a judge did not mark in an item, with the strings by which it is there."""

    strings: tuple[Missed, ...]
    around: tuple[tuple[str, str], ...]  # of each string the text before and after

    @property
    def first(self) -> Missed:
        """The string that says which task, item and unit it is."""
        return self.strings[0]


@dataclass(frozen=True)
class JudgeMissed:
    """What one judge missed, the heaviest units first."""

    about: JudgeGap
    units: tuple[MissedUnit, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores."""
        a = self.about
        if math.isnan(a.gap):
            said = "no score can be compared"
        else:
            side = "below" if a.gap < 0 else "above"
            said = f"scores by hand lie {abs(a.gap):.3f} {side} what accepted words give"
            if a.interval:
                said += f" ({a.interval.level:.0%} interval of the difference {a.interval.low:.3f} to"
                said += f" {a.interval.high:.3f}, over {a.interval.by})"
        where = f"{many(a.items, 'item')} of {many(a.tasks, 'task')}"
        return f"{many(a.missed, 'unit')} missed in {where}; {said}."


@dataclass(frozen=True)
class MissedStrings:
    """Judge by judge, who missed most first; built by :func:`missed_strings`."""

    judges: tuple[JudgeMissed, ...]
    notes: tuple[str, ...] = ()

    @property
    def style(self) -> str:
        """What :meth:`section` looks like."""
        return STYLE

    def to_dict(self) -> dict[str, Any]:
        """Counts by judge; the strings themselves are in ``AutoPyramid.to_dict``."""
        return {"judges": [{"judge": j.about.judge, "gap": j.about.gap, "units": j.about.missed} for j in self.judges]}

    def lines(self) -> list[str]:
        """A line for each judge."""
        return [f"{j.about.judge}: {j.sentence}" for j in self.judges]

    def section(self, most: int = 200) -> str:
        """The HTML that stands inside a report; ``most`` units of a judge."""
        return "".join(_judge(j, most) for j in self.judges)

    def page(self, title: str = "Units accepted elsewhere and missed here", most: int = 1000) -> str:
        """One self-contained page."""
        style = (resources.files("quorate.reports") / "page.css").read_text("utf-8")
        safe = "default-src 'none'; style-src 'unsafe-inline'"
        links = "".join(f'<li><a href="#j{k}">{_e(j.about.judge)}</a></li>' for k, j in enumerate(self.judges))
        nav = f'<nav aria-label="Judges"><ul>{links}</ul></nav>' if len(self.judges) > 1 else ""
        body = "".join(
            f'<section id="j{k}"><h2>Judge {_e(j.about.judge)}</h2>{_judge(j, most, heading=False)}</section>\n'
            for k, j in enumerate(self.judges)
        )
        notes = "".join(f'<p class="note">Note: {_e(n)}.</p>' for n in self.notes)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{safe}">\n'
            f'<meta name="color-scheme" content="light dark">\n<title>{_e(title)}</title>\n'
            f"<style>{style}{STYLE}</style>\n</head>\n<body>\n"
            f"<header><h1>{_e(title)}</h1></header>\n{nav}\n<main>\n<p>{EXPLAINED}</p>\n{body}{notes}</main>\n"
            "</body>\n</html>\n"
        )


EXPLAINED = (
    "Each row is a unit that is not marked in an item, though words of that item were accepted for the same unit "
    "elsewhere in the task. The words are shown in their context. Please look at each row again: mark the unit here, "
    "or, if the words do not say it, take them out where they were accepted."
)


def missed_strings(found: AutoPyramid, judges: Sequence[Hashable] = (), **how: Any) -> MissedStrings:
    """What was missed by each judge, or by the ``judges`` named; options are those of ``AutoPyramid.judges``.

    >>> from quorate.units.auto import auto_pyramid
    >>> from quorate.units.model import ContentUnits
    >>> raw = {"unit": ["a", "a"], "item": ["x", "y"], "support": [1, 0], "evidence": ["A dam", None]}
    >>> raw |= {"models": ["P", "P"]}
    >>> found = auto_pyramid(ContentUnits.build(raw, texts={"x": "A dam broke.", "y": "So: A dam broke."}))
    >>> missed_strings(found).judges[0].units[0].around
    (('So: ', ' broke.'),)
    """
    listed = found.judges(**how)
    names = [str(j.judge) for j in listed]
    for name in judges:
        if str(name) not in names:
            raise UnknownId(f"no judge '{name}'.", suggest(str(name), names, "Judges"))
    wanted = [j for j in listed if not judges or str(j.judge) in set(map(str, judges))]
    texts = {(i.task, i.id): i.text or "" for i in found.table.items}
    units: dict[Hashable, dict[Any, list[Missed]]] = {j.judge: {} for j in wanted}
    for m in found.missed:
        if m.judge in units:
            units[m.judge].setdefault((m.task, m.item, m.unit), []).append(m)
    return MissedStrings(
        tuple(JudgeMissed(j, tuple(_unit(u, texts) for u in units[j.judge].values())) for j in wanted), found.notes
    )


def _unit(strings: Sequence[Missed], texts: dict[Any, str]) -> MissedUnit:
    """The longest string first, and none that lies inside one already there."""
    kept: list[Missed] = []
    for m in sorted(strings, key=lambda m: (m.start - m.end, m.start)):
        if not any(k.start <= m.start and m.end <= k.end for k in kept):
            kept.append(m)
    around = []
    for m in kept:
        text = texts[m.task, m.item]
        before, after = text[max(0, m.start - AROUND) : m.start], text[m.end : m.end + AROUND]
        if m.start > AROUND:  # no halves of words
            before = "\u2026 " + before.partition(" ")[2]
        if m.end + AROUND < len(text):
            after = after.rpartition(" ")[0] + " \u2026"
        around.append((before, after))
    return MissedUnit(tuple(kept), tuple(around))


def _judge(found: JudgeMissed, most: int, heading: bool = True) -> str:
    name = _e(found.about.judge)
    out = [f"<h3>Judge {name}</h3>"] if heading else []
    out.append(f"<p>{_e(found.sentence)}</p>")
    if found.units:
        head = "".join(f'<th scope="col" role="columnheader">{h}</th>' for h in HEADS)
        rows = "".join(_row(u) for u in found.units[:most])
        out.append(
            f'<div class="missed"><table role="table" aria-label="Missed by judge {name}"><thead role="rowgroup">'
            f'<tr role="row">{head}</tr></thead><tbody role="rowgroup">\n{rows}</tbody></table></div>'
        )
    if len(found.units) > most:
        out.append(
            f'<p class="small">{most:,} of {len(found.units):,} units, the heaviest; all are in --format csv.</p>'
        )
    return "".join(out) + "\n"


def _row(unit: MissedUnit) -> str:
    m = unit.first
    said = "".join(
        f"<p>{_e(before)}<mark>{_e(s.string)}</mark>{_e(after)}</p>"
        for s, (before, after) in zip(unit.strings, unit.around, strict=True)
    )
    where = list(dict.fromkeys(name for s in unit.strings for name in s.accepted_in))
    weight = f'<span class="weight">weight {m.weight:g}, would add {m.gain:.3f}; unit {_e(m.unit)}</span>'
    cells = (f"{_e(m.task)}, {_e(m.item)}", f"{_e(m.text or m.unit)} {weight}", said, _e(", ".join(where)))
    row = "".join(f'<td role="cell" data-head="{h}">{c}</td>' for h, c in zip(HEADS, cells, strict=True))
    return f'<tr role="row">{row}</tr>\n'


def _e(text: object) -> str:
    return escape(str(text))
