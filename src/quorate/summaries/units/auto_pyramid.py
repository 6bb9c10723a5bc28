"""autoPyramid: annotate each item by the words that its judge accepted in other items, and compare.

A string that a judge took for a unit in one item says the same in another. Searching an item for the strings of all
others of the task gives an automatic annotation; its score minus the manual one shows whether the judge missed what
they accepted elsewhere. ``manual - auto`` is at or above 0 for a consistent judge (above where wording occurs nowhere
else) and below 0 for one who misses things. Owczarzak, Rankel, Dang, Conroy 2012, Figure 1.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.kernels.defined import quotient
from quorate.kernels.substrings import expanded, occurrences
from quorate.summaries.declarations import AUTO, LEAVE_OUT
from quorate.summaries.units.gaps import AutoPyramid, Gap, Missed
from quorate.summaries.units.model import ContentUnits, Span
from quorate.summaries.units.pyramid import Pyramid, pyramids, rounded

MODEL = -1  # the judge of what a model says; its item is the number of the contributor
BREAK = "\0"  # between texts; no XML text has it
WORD = re.compile(r"\w+")
Array = NDArray[Any]
String = tuple[str, ...]  # several parts where a mention is interrupted
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
        by_words = self.match == "normalised"
        parts = tuple([words(s.text) if by_words else s.noted for s in spans])
        for part in parts:
            if BREAK in part or not part.strip():
                return None
        return parts

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
    weights = np.array([known[u.task].units.get(u.id, 0.0) for u in table.units], float)
    made = _Annotation(table, chosen, teams or {})
    reached = {task: _best(pyramid, rounding) for task, pyramid in known.items()}
    best = np.array([reached[table.items[i].task] for i in made.item.tolist()], float)  # [pair]
    manual, auto = (quotient(made.sums(found, weights), best) for found in (made.manual, made.by_string))
    rows = zip(made.item.tolist(), made.judge.tolist(), manual.tolist(), auto.tolist(), strict=True)
    gaps = [Gap(table.items[i].task, table.items[i].id, table.judges[j], m, a) for i, j, m, a in rows]
    return AutoPyramid(tuple(gaps), lambda: made.missed(weights, best), made.annotation, table, table.notes)


def _best(pyramid: Pyramid, rounding: str) -> float:
    return pyramid.ideal.best(pyramid.ideal.average(pyramid.models, rounding)) if pyramid.models else 0.0


class _Annotation:
    """The automatic annotation of a table: what was found where, and what of it was not marked by hand.

    A *pair* is an item and a judge who looked through it; a *claim* is that a string says a unit, and its *sources* are
    the pairs, and the models, where that was accepted.
    """

    def __init__(self, table: ContentUnits, chosen: Choices, teams: Mapping[Hashable, Hashable]) -> None:
        self.table, self.chosen = table, chosen
        number: dict[Hashable, int] = {}
        self.team = np.array([number.setdefault(teams.get(i.id, i.id), len(number)) for i in table.items], np.int64)
        self._read_pairs()
        self._read_claims()
        self.there = self._search()
        self.pair, self.claim = self._hits(*self.there)
        self.by_string = _different(self._key(self.pair, self.unit[self.claim]))

    def _key(self, pair: Array, unit: Array) -> Array:
        return pair * max(len(self.table.units), 1) + unit

    def sums(self, found: Array, weights: Array) -> Array:
        """By pair the weight of units that were found, of which the keys are given."""
        pair, unit = np.divmod(found, max(len(self.table.units), 1))
        return np.bincount(pair, weights[unit], len(self.item))

    def _read_pairs(self) -> None:
        """Every judged item, task by task, item by item, a judge who came first before the others; units by hand."""
        table, judges = self.table, max(len(self.table.judges), 1)
        number: dict[Hashable, int] = {}
        task = np.array([number.setdefault(i.task, len(number)) for i in table.items], np.int64)
        known, first, row = np.unique(table.item * judges + table.judge, return_index=True, return_inverse=True)
        order = np.lexsort((first, known // judges, task[known // judges]))
        self.item, self.judge = np.divmod(known[order], judges)  # [pair]
        said = table.support > 0
        self.manual = _different(self._key(np.argsort(order)[row[said]], table.unit[said]))

    def _read_claims(self) -> None:
        """The strings of each task, and claims and sources in the order of strings."""
        table, sources = self.table, self.chosen.sources
        said = [(u, k) for u, unit in enumerate(table.units) for k in range(len(unit.said)) if sources != "peers"]
        rows = np.flatnonzero((table.support > 0) & (sources != "pyramid"))
        spans = [table.units[u].said[k] for u, k in said] + [table.spans[r] for r in rows.tolist()]
        models = np.array([(u, k, MODEL) for u, k in said], np.int64).reshape(-1, 3)
        peers = np.stack([table.unit, table.item, table.judge], axis=1)[rows]
        unit, item, judge = np.concatenate([models, peers]).T
        string = np.array(self._numbers(unit.tolist(), spans), np.int64)
        there = np.flatnonzero(string >= 0)
        claim, first, number = np.unique(self._key(string, unit)[there], return_index=True, return_inverse=True)
        strings, units = np.divmod(claim, max(len(table.units), 1))
        order = np.lexsort((first, strings))  # of one string, the unit that was first before the others
        self.string, self.unit = strings[order], units[order]  # [claim]
        number = np.argsort(order)[number]
        order = np.argsort(number, kind="stable")
        self.source_item, self.source_judge = item[there[order]], judge[there[order]]
        self.starts = np.searchsorted(number[order], np.arange(len(claim) + 1))  # [claim + 1] of its sources

    def _numbers(self, units: Sequence[int], spans: Sequence[Sequence[Span]]) -> list[int]:
        """The number of what each mention is searched for by, -1 of one that is not."""
        strings: dict[tuple[Hashable, String], int] = {}
        task = [u.task for u in self.table.units]
        seen: dict[Hashable, int] = {}  # the same words come again and again
        out = []
        for u, parts in zip(units, spans, strict=True):
            if len(parts) == 1:  # nearly all are
                said: Hashable = (task[u], parts[0].text, parts[0].label)
            else:
                said = (task[u], *[(s.text, s.label) for s in parts])
            number = seen.get(said)
            if number is None:
                string = self.chosen.string(parts)
                number = -1 if string is None else strings.setdefault((task[u], string), len(strings))
                seen[said] = number
            out.append(number)
        self.strings = list(strings)
        return out

    def _search(self) -> tuple[Array, Array]:
        """Pairs and claims of which the item has the string, whoever accepted it."""
        pairs: dict[Hashable, list[int]] = {}
        for pair, i in enumerate(self.item.tolist()):
            pairs.setdefault(self.table.items[i].task, []).append(pair)
        wanted: dict[Hashable, list[int]] = {task: [] for task in pairs}
        for number, (task, _) in enumerate(self.strings):
            wanted.setdefault(task, []).append(number)
        found = [np.zeros((2, 0), np.int64)]
        for task, here in pairs.items():
            texts = [self.chosen.searched(self.table.items[i].text or "") for i in self.item[here].tolist()]
            string, text = _texts_with(texts, [self.strings[n][1] for n in wanted[task]])
            found.append(np.stack([np.array(here)[text], np.array(wanted[task], np.int64)[string]]))
        pair, string = np.concatenate(found, axis=1)
        first, last = (np.searchsorted(self.string, string, side=side) for side in ("left", "right"))
        row, turn = expanded(last - first)
        return pair[row], first[row] + turn

    def _hits(self, pair: Array, claim: Array) -> tuple[Array, Array]:
        """Those pairs and claims that have a source which may be used: by pair, in the order of claims."""
        used, left, source = np.zeros(len(pair), bool), np.arange(len(pair)), self.starts[claim]
        while len(left):  # the first sources of all, then the second of those still without
            good = self._allowed(pair[left], source[left])
            used[left[good]] = True
            left = left[~good]
            source[left] += 1
            left = left[source[left] < self.starts[claim[left] + 1]]
        pair, claim = np.divmod(np.sort(pair[used] * max(len(self.unit), 1) + claim[used]), max(len(self.unit), 1))
        if self.chosen.uid0 == "block":
            outside = self.table.outside[self.unit[claim]]
            said = pair * max(len(self.strings), 1) + self.string[claim]
            free = outside | ~np.isin(said, said[outside])
            pair, claim = pair[free], claim[free]
        return pair, claim

    def _allowed(self, pair: Array, source: Array) -> Array:
        """Whether what was accepted there may be used here."""
        item, other, theirs = self.item[pair], self.source_item[source], self.source_judge[source]
        same_item, same_judge, model = other == item, theirs == self.judge[pair], theirs == MODEL
        good = same_judge & ~same_item if self.chosen.by == "same" else ~(same_judge & same_item)
        if self.chosen.leave_out == "team":
            good &= same_item | (self.team[np.where(model, 0, other)] != self.team[item])
        return np.asarray(good | model)

    def _marked(self, pair: Array, claim: Array) -> tuple[Array, Array]:
        """In how many items that have the string the unit was marked, by this judge or by all, and of how many."""
        judges = len(self.table.judges) if self.chosen.by == "same" else 0

        def keys(pair: Array, claim: Array) -> Array:
            return claim * judges + self.judge[pair] if judges else claim

        marked = _times(self.manual, self._key(self.there[0], self.unit[self.there[1]])) > 0
        there, asked = keys(*self.there), keys(pair, claim)
        return _times(np.sort(there[marked]), asked), _times(np.sort(there), asked)

    def _accepted_in(self, pair: Array, claim: Array) -> list[tuple[str, ...]]:
        """Names of the items and models where each claim was accepted and may be used."""
        row, turn = expanded(self.starts[claim + 1] - self.starts[claim])
        source = self.starts[claim][row] + turn
        good = self._allowed(pair[row], source)
        row, source = row[good], source[good]
        names: list[dict[str, None]] = [{} for _ in range(len(pair))]
        listed = (row, self.source_item[source], self.source_judge[source], self.unit[claim][row])
        for r, i, j, u in zip(*(a.tolist() for a in listed), strict=True):
            name = f"model {self.table.units[u].models[i]}" if j == MODEL else str(self.table.items[i].id)
            names[r][name] = None
        return [tuple(n) for n in names]

    def missed(self, weights: Array, best: Array) -> tuple[Missed, ...]:
        """Strings of units that were not found by hand: those that would add most first."""
        table, unit = self.table, self.unit[self.claim]
        gone = (_times(self.manual, self._key(self.pair, unit)) == 0) & (weights[unit] > 0)
        pair, claim, unit = self.pair[gone], self.claim[gone], unit[gone]
        gain = quotient(weights[unit], best[pair], otherwise=0.0)
        listed = (self.item[pair], self.judge[pair], unit, self.string[claim], gain, *self._marked(pair, claim))
        rows, out = zip(*(a.tolist() for a in listed), strict=True), []
        for (i, j, u, s, g, *times), names in zip(rows, self._accepted_in(pair, claim), strict=True):
            item, about = table.items[i], table.units[u]
            text = item.text or ""
            parts = self.chosen.places(text, self.strings[s][1])[0]
            said = "...".join([text[a:b] for a, b in parts])
            ends = min([a for a, _ in parts]), max([b for _, b in parts])
            head = (item.task, item.id, table.judges[j], about.id, about.text, about.weight, g, said)
            out.append(Missed(*head, *ends, names, *times))
        out.sort(key=lambda m: (-m.gain, str(m.task), str(m.item), str(m.judge), str(m.unit), m.start))
        return tuple(out)

    def annotation(self) -> ContentUnits:
        """The automatic annotation as a table: every place of every string is a mention."""
        rows, spans = [], []
        listed = (self.item[self.pair], self.judge[self.pair], self.unit[self.claim], self.string[self.claim])
        for i, j, u, s in zip(*(a.tolist() for a in listed), strict=True):
            text = self.table.items[i].text or ""
            for mention in self.chosen.places(text, self.strings[s][1]):
                rows.append((u, i, j, 1.0))
                spans.append(tuple(Span(text[a:b], a, b) for a, b in mention))
        return self.table.with_rows(rows, spans)


def _different(keys: Array) -> Array:
    """The different keys, sorted; quicker than ``np.unique`` where they are nearly so."""
    keys = np.sort(keys)
    return keys[np.diff(keys, prepend=-1) > 0]


def _times(sorted_keys: Array, asked: Array) -> Array:
    """How often each key that is asked for is among others."""
    return np.searchsorted(sorted_keys, asked, side="right") - np.searchsorted(sorted_keys, asked)


def _texts_with(texts: Sequence[str], strings: Sequence[String]) -> tuple[Array, Array]:
    """Numbers of strings and of texts that have all parts of the string: the texts are read once for all strings.

    >>> [a.tolist() for a in _texts_with(["a dam", "dams"], [("dam",), ("a", " ")])]
    [[0, 0, 1], [0, 1, 0]]
    """
    parts = list(dict.fromkeys(chain.from_iterable(strings)))
    starts = np.cumsum([0, *(len(t) + 1 for t in texts)])
    number, at = occurrences(BREAK.join(texts), parts)
    text = np.searchsorted(starts, at, side="right") - 1
    new = np.ones(len(number), bool)
    new[1:] = (number[1:] != number[:-1]) | (text[1:] != text[:-1])
    number, text = number[new], text[new]
    ends = np.searchsorted(number, np.arange(len(parts) + 1)).tolist()
    known = {part: text[a:b] for part, a, b in zip(parts, ends, ends[1:], strict=False)}
    listed = [known[string[0]] for string in strings]
    for k, string in enumerate(strings):
        for part in string[1:]:
            listed[k] = listed[k][np.isin(listed[k], known[part])]
    return np.repeat(np.arange(len(strings)), [len(t) for t in listed]), np.concatenate([text[:0], *listed])


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
