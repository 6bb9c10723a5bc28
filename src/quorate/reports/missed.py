"""What annotators missed, as a page to mail to them: for each the units, the words, and where they accepted these.

Built from what autoPyramid found. The page needs nothing else: no script, no request, and it prints well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from quorate.errors import UnknownId, suggest
from quorate.inference.resample import Interval
from quorate.panel.base import ONE_TASK, many
from quorate.summaries.units.gaps import AutoPyramid, JudgeGap, Missed

AROUND = 60  # characters of the item before and after a string
HEADS = ("Item", "Unit", "What the item says", "Accepted in")
STYLE = """
.missed h4 { font-size: 1rem; margin: 1.4rem 0 .2rem; } .missed table { width: 100%; table-layout: fixed; }
.missed th:nth-child(1) { width: 9%; } .missed th:nth-child(2) { width: 31%; } .missed th:nth-child(4) { width: 16%; }
.missed mark { background: #ffe08a; color: #1c2430; padding: 0 .1em; }
.missed td { white-space: normal; overflow-wrap: anywhere; }
.missed td p { margin: 0 0 .4rem; }
.missed .weight { color: var(--soft); font-size: .92em; display: block; }
.gaps { width: 100%; margin: 1rem 0; } .gaps caption { text-align: left; padding-bottom: .3rem; }
.gaps th { white-space: normal; } .gaps td.bar { width: 55%; padding-right: 1rem; }
.gaps svg { display: block; overflow: visible; margin-top: .2rem; }
.gaps .zero { stroke: var(--soft); stroke-dasharray: 2 2; }
.gaps .whisker { stroke: var(--main); stroke-width: 2; } .gaps circle { fill: var(--main); }
@media (max-width: 40rem) {
  .missed thead { position: absolute; left: -99rem; }
  .missed table, .missed tbody, .missed tr, .missed td { display: block; }
  .missed tr { border-top: 2px solid var(--line); padding: .5rem 0; } .missed td { border: 0; padding: .1rem 0; }
  .missed td::before { content: attr(data-head); display: block; color: var(--soft); font-size: .8em; }
  .gaps .within, .gaps th.within { display: none; } .gaps td.bar { width: 40%; }
}
.missed-by > summary h3 { display: inline; }
@media print {
  .missed h4, .missed h4 + p { break-after: avoid; }
  .missed mark { background: none; color: inherit; font-weight: 700; text-decoration: underline; }
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
class TaskMissed:
    """What one judge missed in one task, the heaviest units first."""

    task: Hashable
    gap: float
    interval: Interval | None
    items: int
    units: tuple[MissedUnit, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores of the task."""
        said = f"{many(len(self.units), 'unit')} missed in {many(self.items, 'item')}"
        if math.isnan(self.gap):
            return said
        return f"{said}, scores by hand {_side(self.gap, self.interval, ' those by accepted words')}"


@dataclass(frozen=True)
class JudgeMissed:
    """What one judge missed, the task with the lowest scores by hand first."""

    about: JudgeGap
    tasks: tuple[TaskMissed, ...]

    @property
    def units(self) -> tuple[MissedUnit, ...]:
        """Of all tasks."""
        return tuple(u for t in self.tasks for u in t.units)

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores."""
        a = self.about
        if math.isnan(a.gap):
            said = "no score can be compared"
        else:
            said = f"scores by hand lie {_side(a.gap, a.interval, ' what accepted words give')}"
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
        """The HTML that stands inside a report: all judges at a glance, and each one's units to be opened."""
        how = " open" if len(self.judges) == 1 else ""
        found = "".join(
            f'<details class="missed-by"{how}><summary><h3>Judge {_e(j.about.judge)}</h3>: '
            f'{many(j.about.missed, "unit")} missed</summary><div id="j{k}">{_judge(j, most)}</div></details>\n'
            for k, j in enumerate(self.judges)
        )
        notes = "".join(f'<p class="note">Note: {_e(n)}.</p>' for n in self.notes)
        return f"<p>{EXPLAINED}</p>\n{_gaps(self.judges)}{found}{notes}"

    def page(self, title: str = "Units accepted elsewhere and missed here", most: int = 1000) -> str:
        """One self-contained page."""
        style = (resources.files("quorate.document") / "page" / "page.css").read_text("utf-8")
        safe = "default-src 'none'; style-src 'unsafe-inline'"
        body = "".join(
            f'<section id="j{k}"><h2>Judge {_e(j.about.judge)}</h2>{_judge(j, most)}</section>\n'
            for k, j in enumerate(self.judges)
        )
        notes = "".join(f'<p class="note">Note: {_e(n)}.</p>' for n in self.notes)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{safe}">\n'
            f'<meta name="color-scheme" content="light dark">\n<title>{_e(title)}</title>\n'
            f"<style>{style}{STYLE}</style>\n</head>\n<body>\n"
            f"<header><h1>{_e(title)}</h1></header>\n<main>\n<p>{EXPLAINED}</p>\n{_gaps(self.judges)}{body}{notes}</main>\n"
            "</body>\n</html>\n"
        )


EXPLAINED = (
    "Each row is a unit that is not marked in an item, though words of that item were accepted for the same unit "
    "elsewhere in the task. The words are shown in their context. Please look at each row again: mark the unit here, "
    "or, if the words do not say it, take them out where they were accepted."
)


def missed_strings(found: AutoPyramid, judges: Sequence[Hashable] = (), **how: Any) -> MissedStrings:
    """What was missed by each judge, or by the ``judges`` named; options are those of ``AutoPyramid.judges``.

    >>> from quorate.summaries.units.auto_pyramid import auto_pyramid
    >>> from quorate.summaries.units.model import ContentUnits
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
    units: dict[Any, dict[Any, list[Missed]]] = {}
    for m in found.missed:
        units.setdefault((m.judge, m.task), {}).setdefault((m.item, m.unit), []).append(m)
    tasks: dict[Hashable, list[TaskMissed]] = {j.judge: [] for j in wanted}
    for (task, judge, gap, items), inside in zip(found.tasks(), found.task_intervals(**how), strict=True):
        if judge in tasks and (judge, task) in units:
            listed_here = [_unit(u, texts) for u in units[judge, task].values()]
            listed_here.sort(key=lambda u: (-u.first.gain, natural(u.first.unit), natural(u.first.item)))
            tasks[judge].append(TaskMissed(task, gap, inside, items, tuple(listed_here)))
    for by_task in tasks.values():
        by_task.sort(key=lambda t: (math.isnan(t.gap), t.gap, natural(t.task)))
    return MissedStrings(tuple(JudgeMissed(j, tuple(tasks[j.judge])) for j in wanted), found.notes)


def natural(name: object) -> list[tuple[bool, int, str]]:
    """Names in the order in which people look for them.

    >>> sorted(["10", "b", "9"], key=natural)
    ['9', '10', 'b']
    """
    pieces = re.split(r"(\d+)", str(name))
    return [(not p.isdecimal(), int(p) if p.isdecimal() and len(p) < 19 else 0, p) for p in pieces if p]


def _side(gap: float, interval: Interval | None, what: str = "") -> str:
    said = f"{abs(gap):.3f} {'below' if gap < 0 else 'above'}{what}"
    if not interval:
        return said
    ends = f"{interval.low:.3f} to {interval.high:.3f}"
    return f"{said} ({interval.level:.0%} interval of the difference {ends}, over {interval.by})"


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


def _judge(found: JudgeMissed, most: int) -> str:
    name = _e(found.about.judge)
    out = [f"<p>{_e(found.sentence)}</p>"]
    left = most
    for t in found.tasks:
        if left > 0:
            out.append(_task(t, name, left, alone=len(found.tasks) == 1 and t.task == ONE_TASK))
        left -= len(t.units)
    if len(found.units) > most:
        out.append(f'<p class="small">{most:,} of {len(found.units):,} units; all are in --format csv.</p>')
    return "".join(out) + "\n"


def _task(found: TaskMissed, judge: str, most: int, alone: bool) -> str:
    head = "".join(f'<th scope="col" role="columnheader">{h}</th>' for h in HEADS)
    rows = "".join(_row(u) for u in found.units[:most])
    about = "" if alone else f'<h4>Task {_e(found.task)}</h4><p class="small">{_e(found.sentence)}.</p>'
    label = f"Missed by judge {judge} in task {_e(found.task)}"
    return (
        f'<div class="missed">{about}<table role="table" aria-label="{label}"><thead role="rowgroup">'
        f'<tr role="row">{head}</tr></thead><tbody role="rowgroup">\n{rows}</tbody></table></div>'
    )


def _gaps(judges: Sequence[JudgeMissed]) -> str:
    """Every judge's difference with its interval, as a table with a picture in it; the names lead to the sections."""
    known = [j.about for j in judges if not math.isnan(j.about.gap)]
    if len(judges) < 2 or not known:
        return ""
    ends = [0.0, *(j.gap for j in known), *(x for j in known if j.interval for x in (j.interval.low, j.interval.high))]
    low, wide = min(ends), max(max(ends) - min(ends), 1e-9)

    def at(value: float) -> str:
        return f"{2 + 96 * (value - low) / wide:.1f}%"

    rows = []
    for k, j in enumerate(j.about for j in judges):
        bar = f'<line class="zero" x1="{at(0)}" x2="{at(0)}" y1="0" y2="16"/>'
        said = "no score can be compared" if math.isnan(j.gap) else f"{j.gap:.3f}"
        within = f"{j.interval.low:.3f} to {j.interval.high:.3f}" if j.interval else "-"
        if j.interval:
            bar += f'<line class="whisker" x1="{at(j.interval.low)}" x2="{at(j.interval.high)}" y1="8" y2="8"/>'
        if not math.isnan(j.gap):
            bar += f'<circle cx="{at(j.gap)}" cy="8" r="4"/>'
        picture = f'<svg width="100%" height="16" aria-hidden="true">{bar}</svg>'
        cells = f'<td class="n">{said}</td><td class="n within">{within}</td><td class="n">{j.missed:,}</td>'
        rows.append(f'<tr><td><a href="#j{k}">{_e(j.judge)}</a></td><td class="bar">{picture}</td>{cells}</tr>\n')
    level = next((j.interval for j in known if j.interval), None)
    head = f'<th class="n within">{level.level:.0%} interval</th>' if level else '<th class="n within">Interval</th>'
    return (
        '<table class="gaps"><caption class="small">Scores by hand minus scores by accepted words: left of the '
        "dotted line (0) a judge missed what they accepted elsewhere</caption><thead><tr><th>Judge</th>"
        f'<th>Lower or higher</th><th class="n">Difference</th>{head}<th class="n">Missed</th></tr></thead>'
        f"<tbody>\n{''.join(rows)}</tbody></table>\n"
    )


def _row(unit: MissedUnit) -> str:
    m = unit.first
    said = "".join(
        f"<p>{_e(before)}<mark>{_e(s.string)}</mark>{_e(after)}</p>"
        for s, (before, after) in zip(unit.strings, unit.around, strict=True)
    )
    where = sorted({name for s in unit.strings for name in s.accepted_in}, key=natural)
    weight = f'<span class="weight">weight {m.weight:g}, would add {m.gain:.3f}; unit {_e(m.unit)}</span>'
    cells = (_e(m.item), f"{_e(m.text or m.unit)} {weight}", said, _e(", ".join(where)))
    row = "".join(f'<td role="cell" data-head="{h}">{c}</td>' for h, c in zip(HEADS, cells, strict=True))
    return f'<tr role="row">{row}</tr>\n'


def _e(text: object) -> str:
    return escape(str(text))
