"""autoPyramid: annotate each item by the words that its judge accepted in other items, and compare.

A string that a judge took for a unit in one item says the same in another. Searching an item for the strings of all
others of the task gives an automatic annotation; its score minus the manual one shows whether the judge missed what
they accepted elsewhere. ``manual - auto`` is at or above 0 for a consistent judge (above where wording occurs nowhere
else) and below 0 for one who misses things. Owczarzak, Rankel, Dang, Conroy 2012, Figure 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from quorate.errors import BadParameter, InputError
from quorate.kernels.substrings import occurrences
from quorate.summaries.declarations import AUTO, LEAVE_OUT
from quorate.summaries.units.gaps import AutoPyramid, Gap, Missed
from quorate.summaries.units.model import OUTSIDE, ContentUnits, Span
from quorate.summaries.units.pyramid import Pyramid, pyramids, rounded

MODEL = -1  # the judge of what a model says; its item is the number of the contributor
BREAK = "\0"  # between texts; no XML text has it
WORD = re.compile(r"\w+")
String = tuple[str, ...]  # several parts where a mention is interrupted
Pair = tuple[int, int]  # an item, and a judge who looked through it
Places = list[list[tuple[int, int]]]  # where a string is, each time: start and end of its parts


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
        for name, parameter in (AUTO | LEAVE_OUT).items():
            parameter.check(getattr(self, name))

    def string(self, spans: Sequence[Span]) -> String | None:
        """What a mention is searched for by: DUCView took its label, which has no line ends; words are of the text."""
        if not spans or (len(spans) > 1 and self.multi_part == "skip"):
            return None
        parts = tuple(self.searched(s.text if self.match == "normalised" else s.noted) for s in spans)
        return None if any(BREAK in p or not p.strip() for p in parts) else parts

    def searched(self, text: str) -> str:
        """A text as it is searched."""
        return words(text) if self.match == "normalised" else text

    def places(self, text: str, string: String) -> Places:
        """Where a string is in a text: each time, without overlaps; one of several parts, where each is first."""
        searched, shared = self.searched(text), int(self.match == "normalised")
        if len(string) > 1:
            found = [[(at, at + len(p)) for p in string for at in [searched.index(p)]]]
        else:
            found = [[ends] for ends in _everywhere(searched, string[0], shared)]
        if not shared:
            return found
        begins, ends = _word_places(text)
        return [[(begins[a], ends[b - 1]) for a, b in parts] for parts in found]


class Hit(NamedTuple):
    """A string of an item that was accepted elsewhere, for a unit."""

    pair: Pair
    unit: int
    string: String


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
        raise InputError(
            "autoPyramid searches the items' texts, and some have none.", "--texts FILE; build(texts=...)."
        )
    known = pyramids(table, weight)
    weights = [known[u.task].units.get(u.id, 0.0) for u in table.units]
    best = {task: _best(pyramid, rounding) for task, pyramid in known.items()}
    made = _Annotation(table, chosen, teams or {})
    by_string: dict[Pair, set[int]] = {}
    for hit in made.hits:
        by_string.setdefault(hit.pair, set()).add(hit.unit)

    def score(units: set[int], task: Hashable) -> float:
        return sum(weights[u] for u in sorted(units)) / best[task] if best[task] > 0 else math.nan

    gaps = []
    for (i, j), by_hand in made.manual.items():
        item = table.items[i]
        scores = (score(units, item.task) for units in (by_hand, by_string.get((i, j), set())))
        gaps.append(Gap(item.task, item.id, table.judges[j], *scores))
    return AutoPyramid(tuple(gaps), lambda: made.missed(weights, best), made.annotation, table, table.notes)


def _best(pyramid: Pyramid, rounding: str) -> float:
    return pyramid.ideal.best(pyramid.ideal.average(pyramid.models, rounding)) if pyramid.models else 0.0


@dataclass(eq=False)
class _Annotation:
    """The automatic annotation of a table: what was found where, and what of it was not marked by hand."""

    table: ContentUnits
    chosen: Choices
    teams: Mapping[Hashable, Hashable]
    manual: dict[Pair, set[int]] = field(default_factory=dict)  # units found by hand, task by task, item by item
    accepted: dict[Hashable, dict[String, dict[int, list[Pair]]]] = field(default_factory=dict)  # by task, string, unit
    there: dict[Pair, list[String]] = field(default_factory=dict)  # strings of its task that are in the item
    hits: list[Hit] = field(default_factory=list)
    _strings: dict[tuple[tuple[str, str | None], ...], String | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._read()
        for pair, strings in self.there.items():
            self.hits += self._hits(pair, strings)

    def _read(self) -> None:
        """What was marked by hand, the strings that were accepted, and the items that have them."""
        table, first = self.table, dict[Hashable, int]()
        for item in table.items:
            first.setdefault(item.task, len(first))
        judged = dict.fromkeys(zip(table.item.tolist(), table.judge.tolist(), strict=True))
        self.manual = {p: set() for p in sorted(judged, key=lambda p: (first[table.items[p[0]].task], p[0]))}
        if self.chosen.sources != "peers":
            for u, unit in enumerate(table.units):
                for k, spans in enumerate(unit.said):
                    self._accept(u, (k, MODEL), spans)
        for u, i, j, support, spans in table.rows():
            if support > 0:
                self.manual[i, j].add(u)
                if self.chosen.sources != "pyramid":
                    self._accept(u, (i, j), spans)
        pairs_of: dict[Hashable, list[Pair]] = {}
        for pair in self.manual:
            self.there[pair] = []
            pairs_of.setdefault(table.items[pair[0]].task, []).append(pair)
        for task, strings in self.accepted.items():
            pairs = pairs_of.get(task, [])
            texts = [self.chosen.searched(table.items[i].text or "") for i, _ in pairs]
            for string, listed in _texts_with(texts, strings):
                for k in listed:
                    self.there[pairs[k]].append(string)

    def _accept(self, unit: int, where: Pair, spans: tuple[Span, ...]) -> None:
        said = tuple([(span.text, span.label) for span in spans])  # the same words come again and again
        if said not in self._strings:
            self._strings[said] = self.chosen.string(spans)
        string = self._strings[said]
        if string is not None:
            units = self.accepted.setdefault(self.table.units[unit].task, {}).setdefault(string, {})
            units.setdefault(unit, []).append(where)

    def _hits(self, pair: Pair, strings: Sequence[String]) -> Iterator[Hit]:
        accepted = self.accepted.get(self.table.items[pair[0]].task, {})
        for string in strings:
            units = [u for u, sources in accepted[string].items() if any(self._allowed(pair, s) for s in sources)]
            if self.chosen.uid0 == "block":
                units = [u for u in units if self.table.units[u].id == OUTSIDE] or units
            for u in units:
                yield Hit(pair, u, string)

    def _allowed(self, pair: Pair, source: Pair) -> bool:
        """Whether a string that was accepted there may be used here."""
        (item, judge), (other, theirs) = pair, source
        if theirs == MODEL:
            return True
        if source == pair or (self.chosen.by == "same" and (theirs != judge or other == item)):
            return False
        if self.chosen.leave_out == "item" or other == item:
            return True
        one, two = (self.table.items[i].id for i in (item, other))
        return self.teams.get(one, one) != self.teams.get(two, two)

    def _marked(self) -> dict[tuple[Hashable, ...], tuple[int, int]]:
        """Of every string and unit, by judge, in how many items that have the string it was marked, and of how many."""
        there: Counter[tuple[Hashable, ...]] = Counter()
        marked: Counter[tuple[Hashable, ...]] = Counter()
        for pair, strings in self.there.items():
            task = self.table.items[pair[0]].task
            for string in strings:
                for u in self.accepted[task][string]:
                    key = (string, u, pair[1] if self.chosen.by == "same" else MODEL)
                    there[key] += 1
                    marked[key] += u in self.manual[pair]
        return {key: (marked[key], n) for key, n in there.items()}

    def missed(self, weights: Sequence[float], best: Mapping[Hashable, float]) -> tuple[Missed, ...]:
        """Strings of units that were not found by hand: those that would add most first."""
        table, marked, out = self.table, self._marked(), []
        for pair, u, string in self.hits:
            if u in self.manual[pair] or not weights[u] > 0:
                continue
            item, judge, unit = table.items[pair[0]], table.judges[pair[1]], table.units[u]
            text = item.text or ""
            parts = self.chosen.places(text, string)[0]
            said = "...".join(text[a:b] for a, b in parts)
            ends = min(a for a, _ in parts), max(b for _, b in parts)
            gain = weights[u] / best[item.task] if best[item.task] > 0 else 0.0
            names = dict.fromkeys(
                f"model {unit.models[i]}" if j == MODEL else str(table.items[i].id)
                for i, j in self.accepted[item.task][string][u]
                if self._allowed(pair, (i, j))
            )
            times = marked[string, u, pair[1] if self.chosen.by == "same" else MODEL]
            head = (item.task, item.id, judge, unit.id, unit.text, unit.weight, gain, said)
            out.append(Missed(*head, *ends, tuple(names), *times))
        out.sort(key=lambda m: (-m.gain, str(m.task), str(m.item), str(m.judge), str(m.unit), m.start))
        return tuple(out)

    def annotation(self) -> ContentUnits:
        """The automatic annotation as a table: every place of every string is a mention."""
        rows, spans = [], []
        for (i, j), u, string in self.hits:
            text = self.table.items[i].text or ""
            for mention in self.chosen.places(text, string):
                rows.append((u, i, j, 1.0))
                spans.append(tuple(Span(text[a:b], a, b) for a, b in mention))
        return self.table.with_rows(rows, spans)


def _texts_with(texts: Sequence[str], strings: Iterable[String]) -> Iterator[tuple[String, list[int]]]:
    """For every string the texts that have all its parts: the texts are read once for all strings.

    >>> list(_texts_with(["a dam", "dams"], [("dam",), ("a", " ")]))
    [(('dam',), [0, 1]), (('a', ' '), [0])]
    """
    wanted = list(strings)
    parts = list(dict.fromkeys(chain.from_iterable(wanted)))
    starts = np.cumsum([0, *(len(t) + 1 for t in texts)])
    number, at = occurrences(BREAK.join(texts), parts)
    text = np.searchsorted(starts, at, side="right") - 1
    new = np.ones(len(number), bool)
    new[1:] = (number[1:] != number[:-1]) | (text[1:] != text[:-1])
    ends = np.searchsorted(number[new], np.arange(len(parts) + 1)).tolist()
    found = text[new].tolist()
    known = {part: found[a:b] for part, a, b in zip(parts, ends, ends[1:], strict=False)}
    for string in wanted:
        yield string, [k for k in known[string[0]] if all(k in known[part] for part in string[1:])]


def words(text: str) -> str:
    """A text in small letters, its words between single blanks.

    >>> words("The dam - it BROKE.")
    ' the dam it broke '
    """
    return " ".join(["", *(w.lower() for w in WORD.findall(text)), ""])


def _word_places(text: str) -> tuple[dict[int, int], dict[int, int]]:
    """For places in :func:`words` of a text where they are in the text itself: of begins, and of ends."""
    begins, ends, at = {}, {}, 1
    for m in WORD.finditer(text):
        begins[at - 1], at = m.start(), at + len(m.group().lower()) + 1
        ends[at - 1] = m.end()
    return begins, ends


def _everywhere(text: str, string: str, shared: int) -> Iterator[tuple[int, int]]:
    """Start and end each time, from left to right; ``shared`` characters at the end may begin the next."""
    at = text.find(string)
    while at >= 0:
        yield at, at + len(string)
        at = text.find(string, at + len(string) - shared)
