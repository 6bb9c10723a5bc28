"""autoPyramid: annotate each item by the words that its judge accepted in other items, and compare.

A string that a judge took for a unit in one item says the same in another. Searching an item for the strings of all
others of the task gives an automatic annotation; its score minus the manual one shows whether the judge missed what
they accepted elsewhere. ``manual - auto`` is at or above 0 for a consistent judge (above where wording occurs nowhere
else) and below 0 for one who misses things. Owczarzak, Rankel, Dang, Conroy 2012, Figure 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.summaries.declarations import AUTO, LEAVE_OUT
from quorate.summaries.units.gaps import AutoPyramid, Gap, Missed
from quorate.summaries.units.model import ContentUnits, Span
from quorate.summaries.units.pyramid import Pyramid, pyramids, rounded
from quorate.summaries.units.string_search import BREAK, Search, words

Array = NDArray[Any]
MODEL = -1  # the judge of what a model says; its item is the number of the contributor


@dataclass(frozen=True, eq=False)
class Accepted:
    """Strings of tasks, and a row for each time one was accepted for a unit, in the order of strings."""

    strings: Sequence[tuple[str, ...]]  # several where a mention is interrupted
    task: Array  # [string] number of the task
    starts: Array  # [string + 1] where its rows begin
    unit: Array  # [row]
    judge: Array  # [row]
    item: Array  # [row]

    def searches(self, table: ContentUnits, items: Sequence[Array], by_words: bool) -> list[tuple[Array, Search]]:
        """For each task its strings' numbers, and where they are in its items."""
        order = np.argsort(self.task, kind="stable")
        ends = np.searchsorted(self.task[order], np.arange(len(items) + 1)).tolist()
        out = []
        for listed, a, b in zip(items, ends, ends[1:], strict=False):
            numbers = order[a:b]
            texts = [table.items[i].text or "" for i in listed.tolist()]
            out.append((numbers, Search(texts, [self.strings[n] for n in numbers.tolist()], by_words)))
        return out


def accepted(
    table: ContentUnits, tasks: Sequence[Hashable], *, peers: bool, models: bool, interrupted: bool, by_words: bool
) -> Accepted:
    """The strings of items (``peers``) and of ``models``; of ``interrupted`` mentions too."""
    number = {t: k for k, t in enumerate(tasks)}
    task = np.array([number.get(u.task, -1) for u in table.units], np.int64)
    rows: list[tuple[int, int, int]] = []
    spans: list[tuple[Span, ...]] = []
    if models:
        for u, unit in enumerate(table.units):
            rows += [(u, MODEL, k) for k in range(len(unit.said))]
            spans += unit.said
    unit_of, judge, item = np.array(rows, np.int64).reshape(-1, 3).T
    if peers:
        said = np.flatnonzero(table.support > 0)
        unit_of, judge, item = (
            np.concatenate([a, b[said]]) for a, b in ((unit_of, table.unit), (judge, table.judge), (item, table.item))
        )
        spans += [table.spans[r] for r in said.tolist()]
    numbers = _Numbers(interrupted, by_words)
    string = np.array(numbers.of(task[unit_of].tolist(), spans), np.int64)
    order = np.argsort(string, kind="stable")
    order = order[np.searchsorted(string[order], 0) :]
    starts = np.searchsorted(string[order], np.arange(len(numbers.known) + 1))
    tasks_of = np.array([t for t, _ in numbers.known], np.int64)
    strings = [s for _, s in numbers.known]
    return Accepted(strings, tasks_of, starts, unit_of[order], judge[order], item[order])


class _Numbers:
    """Numbers of strings by task, in order of first appearance."""

    def __init__(self, interrupted: bool, by_words: bool) -> None:
        self.interrupted, self.by_words = interrupted, by_words
        self.known: dict[tuple[int, tuple[str, ...]], int] = {}

    def of(self, tasks: Sequence[int], spans: Sequence[tuple[Span, ...]]) -> list[int]:
        """The number of what each mention says; -1 of what is not searched for."""
        made: dict[Any, int] = {}
        out = []
        for task, said in zip(tasks, spans, strict=True):
            if len(said) != 1:
                out.append(self._number(task, said))
                continue
            (span,) = said  # nearly all are of one part, and most have been seen before
            key = task, span.text, span.label
            number = made.get(key)
            if number is None:
                number = made[key] = self._number(task, said)
            out.append(number)
        return out

    def _number(self, task: int, spans: Sequence[Span]) -> int:
        """DUCView searched for labels; words are of the text, which has its line ends still."""
        if task < 0 or not spans or (len(spans) > 1 and not self.interrupted):
            return -1
        texts = tuple([words(s.text) if self.by_words else s.noted for s in spans])
        if any(BREAK in t or not t.strip() for t in texts):
            return -1
        return self.known.setdefault((task, texts), len(self.known))


BLOCK = 1 << 20  # rows looked at together


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
    found = _Annotation(table, chosen, teams or {})
    known = pyramids(table, weight)
    weights = np.array([known[u.task].units.get(u.id, 0.0) for u in table.units], float)
    best = np.array([_best(known[t], rounding) for t in found.tasks], float)[found.task[found.item]]
    manual, auto = (
        np.divide(_sums(weights, pair, unit, len(best)), best, out=np.full(len(best), np.nan), where=best > 0)
        for pair, unit in (found.by_hand, found.by_strings)
    )
    names, judges = [i.id for i in table.items], table.judges
    rows = zip(found.item.tolist(), found.judge.tolist(), manual.tolist(), auto.tolist(), strict=True)
    gaps = tuple([Gap(table.items[i].task, names[i], judges[j], m, a) for i, j, m, a in rows])
    return AutoPyramid(gaps, lambda: found.missed(weights, best), found.annotation, table, table.notes)


def _best(pyramid: Pyramid, rounding: str) -> float:
    return pyramid.ideal.best(pyramid.ideal.average(pyramid.models, rounding)) if pyramid.models else 0.0


def _sums(weights: Array, pair: Array, unit: Array, pairs: int) -> Array:
    return np.bincount(pair, weights[unit], pairs)


class _Annotation:
    """The automatic annotation of a table, as arrays: *pairs* of an item and a judge who looked through it."""

    def __init__(self, table: ContentUnits, chosen: Choices, teams: Mapping[Hashable, Hashable]) -> None:
        self.table, self.chosen = table, chosen
        number: dict[Hashable, int] = {}
        self.task = np.array([number.setdefault(i.task, len(number)) for i in table.items], np.int64)  # [item]
        self.tasks = list(number)
        code: dict[Hashable, int] = {}
        team = [code.setdefault(teams.get(i.id, i.id), len(code)) for i in table.items]
        self.team = np.array(team, np.int64) if chosen.leave_out == "team" else None
        self._pairs()
        self.accepted = accepted(
            table,
            self.tasks,
            peers=chosen.sources != "pyramid",
            models=chosen.sources != "peers",
            interrupted=chosen.multi_part == "all-parts",
            by_words=chosen.match == "normalised",
        )

    def _pairs(self) -> None:
        """Every judged item: task by task, item by item, a judge who came first before the others."""
        table, judges = self.table, max(len(self.table.judges), 1)
        key = table.item * judges + table.judge
        known, first = np.unique(key, return_index=True)
        order = np.lexsort((first, known // judges, self.task[known // judges]))
        self.item, self.judge = known[order] // judges, known[order] % judges  # [pair]
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        said = np.flatnonzero(table.support > 0)
        units = max(len(table.units), 1)
        self.manual = _different(place[np.searchsorted(known, key[said])] * units + table.unit[said])
        self.by_hand = np.divmod(self.manual, units)

    @cached_property
    def searches(self) -> list[tuple[Array, Array, Search]]:
        """For each task its items, its strings, and where these are."""
        order = np.argsort(self.task, kind="stable")
        ends = np.searchsorted(self.task[order], np.arange(len(self.tasks) + 1)).tolist()
        items = [order[a:b] for a, b in pairwise(ends)]
        found = self.accepted.searches(self.table, items, self.chosen.match == "normalised")
        return [(listed, *rest) for listed, rest in zip(items, found, strict=True)]

    @cached_property
    def rows(self) -> tuple[Array, Array, Array]:
        """Pair, unit and string of what was found: strings of an item that were accepted elsewhere, sorted."""
        empty = np.zeros(0, np.int64)
        string = np.concatenate([empty, *(numbers[s.string] for _, numbers, s in self.searches)])
        item = np.concatenate([empty, *(items[s.text] for items, _, s in self.searches)])
        order = np.argsort(self.item, kind="stable")
        first = np.searchsorted(self.item[order], item)
        hit, turn = _expanded(np.searchsorted(self.item[order], item, side="right") - first)
        pair, string = order[first[hit] + turn], string[hit]
        units, strings = max(len(self.table.units), 1), max(len(self.accepted.strings), 1)
        kept = [self._keys(pair[p], string[p], units, strings) for p in self._blocks(string)]
        keys = _different(np.concatenate([empty, *kept]))
        found = keys // strings // units, keys // strings % units, keys % strings
        return self._unblocked(*found) if self.chosen.uid0 == "block" else found

    def _blocks(self, string: Array) -> Iterator[slice]:
        """Parts of the rows that do not become too many when every source of a string is looked at."""
        often = np.cumsum(np.diff(self.accepted.starts)[string])
        ends = np.flatnonzero(np.diff(often // BLOCK)) + 1
        return (slice(a, b) for a, b in zip([0, *ends.tolist()], [*ends.tolist(), len(string)], strict=True))

    def _keys(self, pair: Array, string: Array, units: int, strings: int) -> Array:
        row, source = self.sources(pair, string)
        return _different((pair[row] * units + self.accepted.unit[source]) * strings + string[row])

    def sources(self, pair: Array, string: Array) -> tuple[Array, Array]:
        """Where a string was accepted, other than by this pair (and its team): the place asked about, and the row."""
        known: Accepted = self.accepted
        row, turn = _expanded(known.starts[string + 1] - known.starts[string])
        source = known.starts[string][row] + turn
        item, judge = self.item[pair][row], self.judge[pair][row]
        other_item, same_judge = known.item[source] != item, known.judge[source] == judge
        good = same_judge & other_item if self.chosen.by == "same" else ~same_judge | other_item
        if self.team is not None:
            theirs = np.where(known.judge[source] == MODEL, 0, known.item[source])
            good &= ~other_item | (self.team[theirs] != self.team[item])
        good |= known.judge[source] == MODEL
        return row[good], source[good]

    def _unblocked(self, pair: Array, unit: Array, string: Array) -> tuple[Array, Array, Array]:
        """Without strings that were elsewhere said to be no unit."""
        outside = self.table.outside[unit]
        key = pair * max(len(self.accepted.strings), 1) + string
        left = outside | ~np.isin(key, key[outside])
        return pair[left], unit[left], string[left]

    @property
    def by_strings(self) -> tuple[Array, Array]:
        """Pair and unit of what was found, each once."""
        pair, unit, _ = self.rows
        new = np.ones(len(pair), bool)
        new[1:] = (pair[1:] != pair[:-1]) | (unit[1:] != unit[:-1])
        return pair[new], unit[new]

    # -- what is said of it ------------------------------------------------------------------------------------------

    def _places(self, pair: Array, string: Array) -> Iterator[tuple[str, Any]]:
        """Text of the item, and where the string is in it, row by row."""
        inside = np.empty(len(self.task), np.int64)
        of_task = np.empty(len(self.accepted.strings), np.int64)
        for items, numbers, _ in self.searches:
            inside[items], of_task[numbers] = np.arange(len(items)), np.arange(len(numbers))
        task = self.task[self.item[pair]].tolist()
        item = self.item[pair]
        for t, i, k, s in zip(task, item.tolist(), inside[item].tolist(), of_task[string].tolist(), strict=True):
            yield self.table.items[i].text or "", self.searches[t][2].places(k, s)

    def missed(self, weights: Array, best: Array) -> tuple[Missed, ...]:
        """Strings of units that were not found by hand: those that would add most first."""
        table = self.table
        pair, unit, string = self.rows
        key = pair * max(len(table.units), 1) + unit
        by_hand = np.searchsorted(self.manual, key, side="right") > np.searchsorted(self.manual, key)
        gone = ~by_hand & (weights[unit] > 0)
        pair, unit, string = pair[gone], unit[gone], string[gone]
        gain = np.divide(weights[unit], best[pair], out=np.zeros(len(pair)), where=best[pair] > 0)
        where = self._accepted_in(pair, unit, string)
        out = []
        rows = zip(self.item[pair].tolist(), self.judge[pair].tolist(), unit.tolist(), gain.tolist(), strict=True)
        for (i, j, u, g), (text, places), names in zip(rows, self._places(pair, string), where, strict=True):
            spans, said = places[0], table.units[u]
            string_here = "...".join([text[a:b] for a, b in spans])
            ends = min([a for a, _ in spans]), max([b for _, b in spans])
            item = table.items[i]
            head = (item.task, item.id, table.judges[j], said.id, said.text, said.weight, g, string_here)
            out.append(Missed(*head, *ends, names))
        out.sort(key=lambda m: (-m.gain, str(m.task), str(m.item), str(m.judge), str(m.unit), m.start))
        return tuple(out)

    def _accepted_in(self, pair: Array, unit: Array, string: Array) -> list[tuple[str, ...]]:
        """Names of items and models in which each string was accepted for that unit."""
        row, source = self.sources(pair, string)
        same = self.accepted.unit[source] == unit[row]
        row, source = row[same], source[same]
        names = [str(i.id) for i in self.table.items]
        out: list[dict[str, None]] = [{} for _ in range(len(pair))]
        known = self.accepted
        listed = (row, known.item[source], known.judge[source], known.unit[source])
        for r, i, j, u in zip(*(a.tolist() for a in listed), strict=True):
            out[r][names[i] if j != MODEL else f"model {self.table.units[u].models[i]}"] = None
        return [tuple(found) for found in out]

    def annotation(self) -> ContentUnits:
        """The automatic annotation as a table: every place of every string is a mention."""
        pair, unit, string = self.rows
        rows, spans = [], []
        listed = zip(unit.tolist(), self.item[pair].tolist(), self.judge[pair].tolist(), strict=True)
        for (u, i, j), (text, places) in zip(listed, self._places(pair, string), strict=True):
            for mention in places:
                rows.append((u, i, j, 1.0))
                spans.append(tuple([Span(text[a:b], a, b) for a, b in mention]))
        return self.table.with_rows(rows, spans)


def _different(keys: Array) -> Array:
    """The different keys, sorted; quicker than ``np.unique`` for keys that are nearly in order."""
    keys = np.sort(keys)
    new = np.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    return keys[new]


def _expanded(counts: Array) -> tuple[Array, Array]:
    """A row for each of ``counts[k]`` turns of k: k, and the turn from 0."""
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
