"""What annotators missed, as a document to send to them: for each the units, the words, and where they accepted these.

Built from what autoPyramid found; a page of it needs nothing else, and a report may have it as a section.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from quorate.document.blocks import Block, Column, Document, Section, Table, Text, columns, with_notes
from quorate.errors import UnknownId, suggest
from quorate.inference.estimate import Estimate
from quorate.panel.base import ONE_TASK, many
from quorate.words.numbers import shown, three

if TYPE_CHECKING:
    from quorate.summaries.units.gaps import AutoPyramid, Missed

AROUND = 60  # characters of the item before and after a string
MOST = 1000  # units of a judge
COUNTED = ("missed", "open", "accidental")
COLUMNS = (
    Column("item", "item"),
    Column("unit", "unit", "text"),
    Column("said", "what the item says", "marked", "the words that were accepted elsewhere, and those around them"),
    Column("accepted", "accepted in", "text"),
    Column("marked", "marked", "name", "in how many of the items with these words the unit is marked"),
    Column("weight", "weight", "place"),
    Column("gain", "would add", "figure", "what the unit would add to the score"),
)
EXPLAINED = (
    "Each row is a unit that is not marked in an item, though words of that item were accepted for the same unit "
    "elsewhere in the task. The words are shown in their context. Please look at each row again: mark the unit here, "
    "or, if the words do not say it, take them out where they were accepted. Where the unit is marked in most items "
    "with these words it was probably missed here; where in few, it was probably accepted there by accident."
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
        return m.item, unit, said, ", ".join(where), f"{m.marked} of {m.there}", m.weight, m.gain


class TaskMissed(NamedTuple):
    """What one judge missed in one task, the heaviest units first."""

    about: Estimate
    units: tuple[MissedUnit, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores of the task."""
        said = f"{many(len(self.units), 'unit')} not marked in {many(self.about.n, 'item')}"
        apart = _side(self.about, " those by accepted words")
        return said if math.isnan(self.about.value) else f"{said}, scores by hand {apart}"


class JudgeMissed(NamedTuple):
    """What one judge missed, the task with the lowest scores by hand first."""

    about: Estimate
    tasks: tuple[TaskMissed, ...]

    @property
    def sentence(self) -> str:
        """How many units, and what that does to the scores."""
        told, said = self.about.labels, f"scores by hand lie {_side(self.about, ' what accepted words give')}"
        said = "no score can be compared" if math.isnan(self.about.value) else said
        where = f"{many(told['items'], 'item')} of {many(told['tasks'], 'task')}"
        units = f"{many(told['missed'], 'unit')} missed, {told['open']:,} open and {told['accidental']:,} accidental"
        return f"{units} in {where}; {said}."

    def blocks(self, most: int) -> Iterator[Block]:
        """The sentence, and a table for each task; at most so many units in all."""
        yield Text((self.sentence,))
        left, every = most, sum(len(t.units) for t in self.tasks)
        for t in self.tasks:
            alone = len(self.tasks) == 1 and t.about.labels["task"] == ONE_TASK
            title = t.sentence if alone else f"Task {t.about.labels['task']}: {t.sentence}"
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
        counted = ("judge", *COUNTED)
        return {"judges": [{"gap": j.about.value, **{n: j.about.labels[n] for n in counted}} for j in self.judges]}

    def lines(self) -> list[str]:
        """A line for each judge."""
        return [f"{j.about.labels['judge']}: {j.sentence}" for j in self.judges]

    def blocks(self, most: int = MOST) -> list[Block]:
        """All judges at a glance, then a section for each; at most so many units of a judge."""
        out: list[Block] = [Text((EXPLAINED,))]
        if len(self.judges) > 1:
            every = [j.about for j in self.judges]
            level = next((e.interval.level for e in every if e.interval), None)
            inside = f"difference ({level:.0%} CI)" if level else "difference"
            heads = columns("judge", Column("gap", inside, "whisker"), *(f"{name}:count" for name in COUNTED))
            rows = tuple((e.labels["judge"], e, *(e.labels[n] for n in COUNTED)) for e in every)
            said = "Below are scores by hand minus scores by accepted words: below 0 a judge missed what they accepted."
            out += [Text((said,)), Table("All judges, who missed most first", heads, rows)]
        for k, j in enumerate(self.judges):
            out.append(Section(f"Judge {j.about.labels['judge']}", tuple(j.blocks(most)), f"missed-{k}"))
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
    names = [str(e.labels["judge"]) for e in listed]
    for name in judges:
        if str(name) not in names:
            raise UnknownId(f"no judge '{name}'.", suggest(str(name), names, "Judges"))
    wanted = [e for e in listed if not judges or str(e.labels["judge"]) in set(map(str, judges))]
    texts = {(i.task, i.id): i.text or "" for i in found.table.items}
    units: dict[Any, dict[Any, list[Missed]]] = {}
    for m in found.missed:
        units.setdefault((m.judge, m.task), {}).setdefault((m.item, m.unit), []).append(m)
    tasks: dict[Hashable, list[TaskMissed]] = {e.labels["judge"]: [] for e in wanted}
    for about in found.tasks(**how):
        judge, task = about.labels["judge"], about.labels["task"]
        if judge in tasks and (judge, task) in units:
            here = [_unit(u, texts) for u in units[judge, task].values()]
            here.sort(key=lambda u: (-u.first.gain, natural(u.first.unit), natural(u.first.item)))
            tasks[judge].append(TaskMissed(about, tuple(here)))
    for by_task in tasks.values():
        by_task.sort(key=lambda t: (math.isnan(t.about.value), t.about.value, natural(t.about.labels["task"])))
    return MissedStrings(tuple(JudgeMissed(e, tuple(tasks[e.labels["judge"]])) for e in wanted), found.notes)


def natural(name: object) -> list[tuple[bool, int, str]]:
    """Names in the order in which people look for them.

    >>> sorted(["10", "b", "9"], key=natural)
    ['9', '10', 'b']
    """
    pieces = re.split(r"(\d+)", str(name))
    return [(not p.isdecimal(), int(p) if p.isdecimal() and len(p) < 19 else 0, p) for p in pieces if p]


def _side(about: Estimate, what: str) -> str:
    """How far scores by hand lie below or above, with the interval of the difference."""
    said = f"{three(abs(about.value))} {'below' if about.value < 0 else 'above'}{what}"
    inside = about.interval
    if not inside:
        return said
    ends = shown(inside, "interval")
    return f"{said} ({inside.level:.0%} CI of the difference {ends}, over {inside.over})"


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
