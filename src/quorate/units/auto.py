"""autoPyramid: annotate each item by the words that its judge accepted in other items, and compare.

A string that a judge took for a unit in one item says the same in another. Searching an item for the strings of all
others of the task gives an automatic annotation; its score minus the manual one shows whether the judge missed what
they accepted elsewhere. ``manual - auto`` is at or above 0 for a consistent judge (above where wording occurs nowhere
else) and below 0 for one who misses things. Owczarzak, Rankel, Dang, Conroy 2012, Figure 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from quorate.errors import BadParameter, InputError, suggest
from quorate.kernels.substrings import occurrences
from quorate.units.gaps import AutoPyramid, Gap, Missed
from quorate.units.model import OUTSIDE, ContentUnits, Span
from quorate.units.pyramid import pyramids, rounded

BREAK = "\0"  # between items; no XML text and no string has it
WORD = re.compile(r"\w+")
CHOICES = {
    "sources": ("peers", "pyramid", "both"),
    "leave_out": ("item", "team"),
    "match": ("ducview", "normalised"),
    "multi_part": ("skip", "all-parts"),
    "uid0": ("ignore", "block"),
    "by": ("same", "all"),
}
Source = tuple[int, int]  # item and judge; the judge -1 is a model, the item its number
Places = list[tuple[tuple[int, int], ...]]  # where a string is, each time: start and end of its parts


@dataclass(frozen=True, slots=True)
class Choices:
    """What is searched for and how; see :func:`auto_pyramid`."""

    sources: str = "peers"
    leave_out: str = "item"
    match: str = "ducview"
    multi_part: str = "skip"
    uid0: str = "ignore"
    by: str = "same"

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                raise BadParameter(f"{name}={value} is not known.", suggest(str(value), allowed, "Choices"))


def auto_pyramid(
    table: ContentUnits,
    *,
    rounding: str = "half_up",
    weight: str = "contributors",
    teams: Mapping[Hashable, Hashable] | None = None,
    **choices: str,
) -> AutoPyramid:
    """Every item annotated by the strings of the others of its task, and scored like the manual annotation.

    - ``sources``: strings of the other ``peers``, of the ``pyramid``'s models, or ``both``;
    - ``leave_out``: strings of this ``item``, or of all items of its ``team`` (``teams`` by item id), are not used;
    - ``match``: ``ducview`` searches as DUCView 1.4 did, exactly and inside words too; ``normalised`` without regard to
      case, blanks and punctuation, and for whole words only;
    - ``multi_part``: ``skip`` interrupted mentions, or find ``all-parts``;
    - ``uid0``: ``block`` strings that were elsewhere said to be no unit;
    - ``by``: strings of the ``same`` judge, or of ``all`` judges.

    >>> raw = {"unit": ["a", "b", "a", "b"], "item": ["x", "x", "y", "y"], "support": [1, 1, 1, 0], "weight": [1] * 4,
    ...        "models": ["P"] * 4, "evidence": ["A dam broke", "on Monday", "A dam broke", None]}
    >>> texts = {"x": "A dam broke on Monday.", "y": "A dam broke on Monday."}
    >>> found = auto_pyramid(ContentUnits.build(raw, texts=texts))
    >>> [(g.item, g.manual, g.auto) for g in found.items], found.missed[0].string
    ([('x', 1.0, 0.5), ('y', 0.5, 1.0)], 'on Monday')
    """
    chosen = Choices(**choices)
    rounded(0.0, rounding)
    if chosen.leave_out == "team" and not teams:
        raise BadParameter("leave_out=team needs the teams.", "teams={item: team}; on the command line --teams FILE.")
    if any(i.text is None for i in table.items):
        raise InputError("autoPyramid searches the items' texts, and some have none.", "ContentUnits.build(texts=...).")
    known = pyramids(table, weight)
    gaps: list[Gap] = []
    missed: list[Missed] = []
    tasks = _tasks(table, chosen, teams or {})
    for task in tasks:
        pyramid = known[task.name]
        best = pyramid.ideal.best(pyramid.ideal.average(pyramid.models, rounding)) if pyramid.models else 0.0
        weights = {u: pyramid.units.get(table.units[u].id, 0.0) for u in task.units}
        for item, judge, manual, auto in task.annotated():
            m, a = (sum(weights[u] for u in sorted(found)) for found in (manual, auto))
            both = (m / best, a / best) if best > 0 else (math.nan, math.nan)
            gaps.append(Gap(task.name, table.items[item].id, table.judges[judge], *both))
            for u in auto.keys() - manual:
                if weights[u] > 0:
                    missed += _missed(table, task, item, judge, u, auto[u], weights[u] / best if best > 0 else 0.0)
    missed.sort(key=lambda m: (-m.gain, str(m.task), str(m.item), str(m.judge), str(m.unit), m.start))
    return AutoPyramid(tuple(gaps), tuple(missed), lambda: _annotation(table, tasks), table.notes)


@dataclass
class _Task:
    """One task: its items, what was found in them by hand, and the strings that were accepted for units."""

    name: Hashable
    chosen: Choices
    team: Sequence[Hashable] | None
    outside: set[int] = field(default_factory=set)  # the unit that stands for no unit
    units: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    manual: dict[Source, set[int]] = field(default_factory=dict)  # (item, judge) -> units
    strings: dict[tuple[str, ...], dict[int, dict[int, list[int]]]] = field(default_factory=dict)
    # string -> unit -> judge -> items in which that judge accepted it; judge -1 are the models, by number

    def accept(self, unit: int, item: int, judge: int, spans: Sequence[Span]) -> None:
        """A mention as a string to search for."""
        if not spans or (len(spans) > 1 and self.chosen.multi_part == "skip"):
            return
        if self.chosen.match == "normalised":
            texts = tuple([_words(s.text)[0] for s in spans])
        else:
            texts = tuple([s.noted for s in spans])
        units = self.strings.get(texts)
        if units is None:
            if not all(t.strip() and BREAK not in t for t in texts):
                return
            units = self.strings[texts] = {}
        by_judge = units.get(unit)
        if by_judge is None:
            units[unit] = {judge: [item]}
        elif item not in (listed := by_judge.setdefault(judge, [])):
            listed.append(item)

    @cached_property
    def listed(self) -> list[tuple[str, ...]]:
        """The strings, numbered."""
        return list(self.strings)

    @cached_property
    def search(self) -> Search:
        """Where the strings are in the items."""
        return Search(self.texts, self.listed, self.chosen.match)

    def annotated(self) -> Iterator[tuple[int, int, set[int], dict[int, list[int]]]]:
        """Every judged item: item, judge, units found by hand, and units found by strings with these strings."""
        judges: dict[int, list[int]] = {}
        for item, judge in self.manual:
            judges.setdefault(item, []).append(judge)
        sources = list(self.strings.values())
        plain = self.chosen.by == "same" and self.team is None
        for item, hits in zip(self.items, self.search.found, strict=True):
            for judge in judges.get(item, ()):
                auto: dict[int, list[int]] = {}
                for number in hits:
                    for unit, by_judge in sources[number].items():
                        if plain:
                            mine = by_judge.get(judge, ())
                            good = len(mine) > 1 or (len(mine) == 1 and mine[0] != item) or -1 in by_judge
                        else:
                            good = bool(self.sources(number, unit, item, judge))
                        if good:
                            auto.setdefault(unit, []).append(number)
                if self.chosen.uid0 == "block":
                    auto = self._blocked(auto)
                yield item, judge, self.manual[item, judge], auto

    def _blocked(self, auto: dict[int, list[int]]) -> dict[int, list[int]]:
        """Without strings that were elsewhere said to be no unit."""
        bad = {n for u in self.outside for n in auto.get(u, ())}
        left = {u: [n for n in numbers if n not in bad or u in self.outside] for u, numbers in auto.items()}
        return {u: numbers for u, numbers in left.items() if numbers}

    def sources(self, number: int, unit: int, item: int, judge: int) -> list[Source]:
        """Where the string was accepted, other than here (and by this item's team): item and judge."""
        out = []
        for j, items in self.strings[self.listed[number]][unit].items():
            for i in items:
                here = j >= 0 and i == item and (j == judge or self.chosen.by == "same")
                other = j >= 0 and j != judge and self.chosen.by == "same"
                team = j >= 0 and i != item and self.team is not None and self.team[i] == self.team[item]
                if not (here or other or team):
                    out.append((i, j))
        return out


def _tasks(table: ContentUnits, chosen: Choices, teams: Mapping[Hashable, Hashable]) -> list[_Task]:
    tasks: dict[Hashable, _Task] = {}
    team = [teams.get(i.id, i.id) for i in table.items] if chosen.leave_out == "team" else None
    of_item = []
    for number, item in enumerate(table.items):
        task = tasks.setdefault(item.task, _Task(item.task, chosen, team))
        task.items.append(number)
        task.texts.append(item.text or "")
        of_item.append(task)
    for number, unit in enumerate(table.units):
        if unit.task in tasks:
            task = tasks[unit.task]
            task.units.append(number)
            if unit.id == OUTSIDE:
                task.outside.add(number)
            if chosen.sources != "peers":
                for k, spans in enumerate(unit.said):
                    task.accept(number, k, -1, spans)
    for u, i, j, support, spans in table.rows():
        said = of_item[i].manual.setdefault((i, j), set())
        if support > 0:
            said.add(u)
            if chosen.sources != "pyramid":
                of_item[i].accept(u, i, j, spans)
    return list(tasks.values())


def _missed(
    table: ContentUnits, task: _Task, item: int, judge: int, unit: int, numbers: Sequence[int], gain: float
) -> Iterator[Missed]:
    about, u = table.items[item], table.units[unit]
    place = task.items.index(item)
    for number in numbers:
        where = [
            str(table.items[i].id) if j >= 0 else f"model {u.models[i]}"
            for i, j in task.sources(number, unit, item, judge)
        ]
        spans = task.search.places(place, number)[0]
        ends = (min(a for a, _ in spans), max(b for _, b in spans))
        string = "...".join((about.text or "")[a:b] for a, b in spans)
        head = (about.task, about.id, table.judges[judge], u.id, u.text, u.weight, gain, string)
        yield Missed(*head, *ends, tuple(dict.fromkeys(where)))


def _annotation(table: ContentUnits, tasks: Sequence[_Task]) -> ContentUnits:
    """The automatic annotation as a table: every place of every string is a mention."""
    rows, spans = [], []
    for task in tasks:
        place = {item: k for k, item in enumerate(task.items)}
        for item, judge, _, auto in task.annotated():
            text = table.items[item].text or ""
            for unit, numbers in auto.items():
                for mention in (m for n in numbers for m in task.search.places(place[item], n)):
                    rows.append((unit, item, judge, 1.0))
                    spans.append(tuple(Span(text[a:b], a, b) for a, b in mention))
    return table.with_rows(rows, spans)


# -- searching ---------------------------------------------------------------------------------------------------------


class Search:
    """Where strings are in texts: of one string no two places overlap, those of different strings may.

    ``found[text]`` has the strings of that text; where they begin is for :meth:`places` to say. A string of several
    parts is there when all its parts are, each where it is first.
    """

    def __init__(self, texts: Sequence[str], strings: Sequence[tuple[str, ...]], match: str) -> None:
        self.strings = strings
        self._offsets = [_words(t) for t in texts] if match == "normalised" else None
        searched = [f for f, _ in self._offsets] if self._offsets else texts
        self._parts = list(dict.fromkeys(p for s in strings for p in s))
        self.found: list[dict[int, list[int]]] = _find(searched, self._parts, 1 if self._offsets else 0)
        self._whole = len(self._parts) == len(strings) and all(len(s) == 1 for s in strings)
        if not self._whole:
            self._hits = self.found
            number = {p: k for k, p in enumerate(self._parts)}
            self._wanted = [[number[p] for p in s] for s in strings]
            listed = list(enumerate(self._wanted))
            self.found = [{k: [] for k, w in listed if all(p in hits for p in w)} for hits in self._hits]

    def places(self, text: int, string: int) -> Places:
        """Start and end of each part, each time the string is there."""
        if self._whole:
            return [(self._ends(text, string, a),) for a in self.found[text][string]]
        wanted, hits = self._wanted[string], self._hits[text]
        if len(wanted) == 1:
            return [(self._ends(text, wanted[0], a),) for a in hits[wanted[0]]]
        return [tuple(self._ends(text, p, hits[p][0]) for p in wanted)]

    def _ends(self, text: int, part: int, start: int) -> tuple[int, int]:
        long = len(self._parts[part])
        if self._offsets is None:
            return start, start + long
        begins, ends = self._offsets[text][1]
        return begins[start], ends[start + long - 1]


def _find(texts: Sequence[str], strings: Sequence[str], shared: int) -> list[dict[int, list[int]]]:
    """For each text the strings in it and where they begin; ``shared`` characters at the end may begin the next."""
    ends = np.cumsum([len(t) + 1 for t in texts])
    number, at = occurrences(BREAK.join(texts), strings)
    out: list[dict[int, list[int]]] = [{} for _ in texts]
    inside = np.searchsorted(ends, at, side="right")
    at = at - np.concatenate([[0], ends])[inside]
    for s, text, place in zip(number.tolist(), inside.tolist(), at.tolist(), strict=True):
        here = out[text]
        if s not in here:
            here[s] = [place]
        elif place >= here[s][-1] + len(strings[s]) - shared:
            here[s].append(place)
    return out


def _words(text: str) -> tuple[str, tuple[dict[int, int], dict[int, int]]]:
    """A text in small letters, its words between single blanks; and for places in that where they are in the text.

    >>> _words("The dam - it BROKE.")[0]
    ' the dam it broke '
    """
    out, begins, ends, at = [" "], {}, {}, 1
    for m in WORD.finditer(text):
        word = m.group().lower()
        begins[at - 1], at = m.start(), at + len(word) + 1
        ends[at - 1] = m.end()
        out += (word, " ")
    return "".join(out), (begins, ends)
