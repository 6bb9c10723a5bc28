"""What annotators missed, as a document to send to them: for each the units, the words, and where they accepted these.

Built from what autoPyramid found; a page of it needs nothing else, and a report may have it as a section.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quorate.document.blocks import Block, Column, Document, Section, Table, Text, with_notes
from quorate.errors import UnknownId, suggest
from quorate.inference.estimate import Estimate
from quorate.panel.base import ONE_TASK, many
from quorate.words.numbers import shown, three

if TYPE_CHECKING:
    from quorate.summaries.units.gaps import AutoPyramid, JudgeGap, Missed, TaskGap

AROUND = 60  # characters of the item before and after a string
MOST = 1000  # units of a judge
COLUMNS = (
    Column("item", "item"),
    Column("unit", "unit", "text"),
    Column("said", "what the item says", "marked", "the words that were accepted elsewhere, and those around them"),
    Column("accepted", "accepted in", "text"),
    Column("weight", "weight", "place"),
    Column("gain", "would add", "figure", "what the unit would add to the score"),
)
EXPLAINED = (
    "Each row is a unit that is not marked in an item, though words of that item were accepted for the same unit "
    "elsewhere in the task. The words are shown in their context. Please look at each row again: mark the unit here, "
    "or, if the words do not say it, take them out where they were accepted."
)


@dataclass(frozen=True)
class MissedUnit:
    """A unit that a judge did not mark in an item, with the strings by which it is there."""

    strings: tuple[Missed, ...]
    around: tuple[tuple[str, str], ...]  # of each string the text before and after

    @property
    def first(self) -> Missed:
        """The string that says which task, item and unit it is."""
        return self.strings[0]

    def cells(self) -> tuple[Any, ...]:
        """Its row of the table."""
        m = self.first
        said = [(before, s.string, after) for s, (before, after) in zip(self.strings, self.around, strict=True)]
        where = sorted({name for s in self.strings for name in s.accepted_in}, key=natural)
        unit = f"{m.text} ({m.unit})" if m.text else str(m.unit)
        return m.item, unit, said, ", ".join(where), m.weight, m.gain


@dataclass(frozen=True)
class TaskMissed:
    """What one judge missed in one task, the heaviest units first."""

    about: TaskGap
    units: tuple[MissedUnit, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores of the task."""
        said = f"{many(len(self.units), 'unit')} missed in {many(self.about.items, 'item')}"
        if math.isnan(self.about.gap):
            return said
        return f"{said}, scores by hand {_side(self.about, ' those by accepted words')}"


@dataclass(frozen=True)
class JudgeMissed:
    """What one judge missed, the task with the lowest scores by hand first."""

    about: JudgeGap
    tasks: tuple[TaskMissed, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores."""
        a = self.about
        said = "no score can be compared"
        if not math.isnan(a.gap):
            said = f"scores by hand lie {_side(a, ' what accepted words give')}"
        where = f"{many(a.items, 'item')} of {many(a.tasks, 'task')}"
        return f"{many(a.missed, 'unit')} missed in {where}; {said}."

    def blocks(self, most: int) -> Iterator[Block]:
        """The sentence, and a table for each task; at most so many units in all."""
        yield Text((self.sentence,))
        left, every = most, sum(len(t.units) for t in self.tasks)
        for t in self.tasks:
            alone = len(self.tasks) == 1 and t.about.task == ONE_TASK
            title = t.sentence if alone else f"Task {t.about.task}: {t.sentence}"
            if left > 0:
                yield Table(title, COLUMNS, tuple(u.cells() for u in t.units[:left]))
            left -= len(t.units)
        if every > most:
            yield Text((f"{most:,} of {every:,} units; all are in --format csv.",))


@dataclass(frozen=True)
class MissedStrings:
    """Judge by judge, who missed most first; built by :func:`missed_strings`."""

    judges: tuple[JudgeMissed, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Counts by judge; the strings themselves are in ``AutoPyramid.to_dict``."""
        return {"judges": [{"judge": j.about.judge, "gap": j.about.gap, "units": j.about.missed} for j in self.judges]}

    def lines(self) -> list[str]:
        """A line for each judge."""
        return [f"{j.about.judge}: {j.sentence}" for j in self.judges]

    def blocks(self, most: int = MOST) -> list[Block]:
        """All judges at a glance, then a section for each; at most so many units of a judge."""
        out: list[Block] = [Text((EXPLAINED,))]
        if len(self.judges) > 1:
            level = next((j.about.interval.level for j in self.judges if j.about.interval), None)
            inside = f"difference ({level:.0%} interval)" if level else "difference"
            heads = (Column("judge", "judge"), Column("gap", inside, "whisker"), Column("missed", "missed", "count"))
            rows = tuple((j.about.judge, Estimate(j.about.gap, j.about.interval), j.about.missed) for j in self.judges)
            said = "Below are scores by hand minus scores by accepted words: below 0 a judge missed what they accepted."
            out += [Text((said,)), Table("All judges, who missed most first", heads, rows)]
        for k, j in enumerate(self.judges):
            out.append(Section(f"Judge {j.about.judge}", tuple(j.blocks(most)), f"missed-{k}"))
        return with_notes(out, self.notes)

    def document(self) -> Document:
        """The whole as a document of its own."""
        return Document("Units accepted elsewhere and missed here", tuple(self.blocks()))


def missed_strings(found: AutoPyramid, judges: Sequence[Hashable] = (), **how: Any) -> MissedStrings:
    """What was missed by each judge, or by the ``judges`` named; options are those of ``AutoPyramid.judges``.

    >>> from quorate.summaries.units.auto_pyramid import auto_pyramid
    >>> from quorate.summaries.units.model import ContentUnits
    >>> raw = {"unit": ["a", "a"], "item": ["x", "y"], "support": [1, 0], "evidence": ["A dam", None]}
    >>> raw |= {"models": ["P", "P"]}
    >>> found = auto_pyramid(ContentUnits.build(raw, texts={"x": "A dam broke.", "y": "So: A dam broke."}))
    >>> missed_strings(found).judges[0].tasks[0].units[0].around
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
    for about in found.tasks(**how):
        if about.judge in tasks and (about.judge, about.task) in units:
            here = [_unit(u, texts) for u in units[about.judge, about.task].values()]
            here.sort(key=lambda u: (-u.first.gain, natural(u.first.unit), natural(u.first.item)))
            tasks[about.judge].append(TaskMissed(about, tuple(here)))
    for by_task in tasks.values():
        by_task.sort(key=lambda t: (math.isnan(t.about.gap), t.about.gap, natural(t.about.task)))
    return MissedStrings(tuple(JudgeMissed(j, tuple(tasks[j.judge])) for j in wanted), found.notes)


def natural(name: object) -> list[tuple[bool, int, str]]:
    """Names in the order in which people look for them.

    >>> sorted(["10", "b", "9"], key=natural)
    ['9', '10', 'b']
    """
    pieces = re.split(r"(\d+)", str(name))
    return [(not p.isdecimal(), int(p) if p.isdecimal() and len(p) < 19 else 0, p) for p in pieces if p]


def _side(about: JudgeGap | TaskGap, what: str) -> str:
    """How far scores by hand lie below or above, with the interval of the difference."""
    said = f"{three(abs(about.gap))} {'below' if about.gap < 0 else 'above'}{what}"
    inside = about.interval
    if not inside:
        return said
    ends = shown(inside, "interval")
    return f"{said} ({inside.level:.0%} interval of the difference {ends}, over {inside.over})"


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
