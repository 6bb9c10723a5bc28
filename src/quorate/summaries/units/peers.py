"""Annotated peers as one table of content units: tasks, items and judges from names, units from pyramids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.ducview import OUTSIDE, Contributor, Peer, Pyramid, Scu, said
from quorate.formats.ducview_places import IDENTIFIER
from quorate.formats.tac import SummaryId
from quorate.panel.base import ONE_TASK
from quorate.summaries.units.model import ONE_JUDGE, ContentUnits, Item, ModelsText, Span, Unit

Judges = Mapping[Any, Hashable] | Callable[[Peer], Hashable] | None  # by task or (task, item), or from the peer


def from_peers(peers: Iterable[Peer], judges: Judges = None) -> ContentUnits:
    """The table of annotated peers. A unit weighs its contributors.

    Task and item are in a peer's name (``D9901-A.M.100.K.7``). The judge is looked up in ``judges`` by (task, item) or
    task, or asked of it; without it the name's selector is taken, which is usually right. Peers of a task whose uids
    differ are matched by label; a task annotated against two pyramids becomes two tasks.
    """
    made = _Making()
    notes: dict[str, list[str]] = {}
    for peer in peers:
        made.add(peer, judges)
        for note in peer.notes:
            notes.setdefault(note, []).append(peer.name)
    if not made.items:
        raise InputError("no annotated peers.", "give .pan files, or a folder of them.")
    told = [f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {n}" for n, names in notes.items()]
    return made.done([*told, *made.notes])


@dataclass
class _Task:
    """A pyramid's place in the table being made."""

    name: Hashable
    first: Pyramid
    numbers: dict[str, int]  # unit by uid
    labels: dict[tuple[str, int], int]  # unit by bare label and which one of that label it is
    signature: Any


class _Making:
    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.items: dict[tuple[Hashable, Hashable], int] = {}
        self.texts: list[str] = []
        self.judges: dict[Hashable, int] = {}
        self.models: dict[Hashable, tuple[str, ...]] = {}
        self.models_texts: dict[Hashable, ModelsText] = {}
        self.rows: list[tuple[int, int, int, float]] = []
        self.spans: list[tuple[Span, ...]] = []
        self.tasks: dict[str, list[_Task]] = {}
        self.notes: list[str] = []
        self._seen: set[tuple[Hashable, Hashable, Hashable]] = set()

    def add(self, peer: Peer, judges: Judges) -> None:
        found = identifier(peer.name)
        name, item = (found.task, found.summarizer) if found else (topic(peer.pyramid.text) or ONE_TASK, peer.name)
        task = self._task(name, peer)
        judge: Hashable
        if callable(judges):
            judge = judges(peer)
        else:
            fallback = found.selector if found else ONE_JUDGE
            judge = (judges or {}).get((name, item), (judges or {}).get(name, fallback))
        if (task.name, item, judge) in self._seen:
            raise InputError(
                f"{peer.name}: judge {judge} has annotated item {item} of task {name} twice.",
                "read one of them, or put each judge's files into a folder of their own.",
            )
        self._seen.add((task.name, item, judge))
        number = self.items.setdefault((task.name, item), len(self.items))
        if number == len(self.texts):
            self.texts.append(peer.text)
        elif self.texts[number] != peer.text:
            self._note(f"{peer.name}: its text is not the same for all judges; the first is shown")
        who = self.judges.setdefault(judge, len(self.judges))
        listed = {scu.uid for scu in peer.scus} | {OUTSIDE}
        for scu in (*peer.scus, *(Scu(s.uid, s.label) for s in peer.pyramid.scus if s.uid not in listed)):
            self._mentions(scu, self._unit(task, scu, peer), number, who, peer.text)
        if not peer.scus and not peer.pyramid.scus:  # looked through all the same
            self.rows.append((task.numbers[OUTSIDE], number, who, 0.0))
            self.spans.append(())

    def _task(self, name: str, peer: Peer) -> _Task:
        known = self.tasks.setdefault(name, [])
        for task in known:
            if task.first is peer.pyramid or task.first == peer.pyramid:
                return task
        signature = sorted((s.bare, len(s.contributors)) for s in peer.pyramid.scus)
        for task in known:
            if task.signature == signature:
                self._note(f"{name}: uids differ between files and are matched by label")
                return _Task(task.name, peer.pyramid, self._aligned(task, peer.pyramid), task.labels, signature)
        called: Hashable = name if not known else f"{name} ({len(known) + 1})"
        if known:
            self._note(f"{name}: annotated against {len(known) + 1} pyramids, which are kept apart as tasks")
        task = self._new(called, peer.pyramid, signature)
        known.append(task)
        return task

    def _aligned(self, task: _Task, pyramid: Pyramid) -> dict[str, int]:
        found = {s.uid: task.labels[key] for s, key in zip(pyramid.scus, _by_label(pyramid), strict=True)}
        return {**found, OUTSIDE: task.numbers[OUTSIDE]}

    def _new(self, name: Hashable, pyramid: Pyramid, signature: Any) -> _Task:
        numbers, labels = {}, {}
        for s, key in zip(pyramid.scus, _by_label(pyramid), strict=True):
            numbers[s.uid] = labels[key] = len(self.units)
            self.units.append(contributed(name, s, pyramid))
        numbers[OUTSIDE] = len(self.units)
        self.units.append(Unit(name, OUTSIDE, "", 0.0))
        self.models[name] = pyramid.models
        self.models_texts[name] = ModelsText(pyramid.text, pyramid.header)
        return _Task(name, pyramid, numbers, labels, signature)

    def _unit(self, task: _Task, scu: Scu, peer: Peer) -> int:
        if scu.uid not in task.numbers:  # not in its own pyramid: it weighs nothing
            task.numbers[scu.uid] = len(self.units)
            self.units.append(Unit(task.name, scu.uid, scu.bare, 0.0))
        return task.numbers[scu.uid]

    def _mentions(self, scu: Scu, unit: int, item: int, judge: int, text: str) -> None:
        for contributor in scu.contributors:
            self.rows.append((unit, item, judge, 1.0))
            self.spans.append(_spans(contributor, text))
        if not scu.contributors and scu.uid != OUTSIDE:
            self.rows.append((unit, item, judge, 0.0))
            self.spans.append(())

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def done(self, notes: Sequence[str]) -> ContentUnits:
        items = tuple(Item(t, i, text) for (t, i), text in zip(self.items, self.texts, strict=True))
        models = {t: m for t, m in self.models.items() if m}
        none = np.zeros(0, np.int64)
        empty = (none, none, none, np.zeros(0), ())
        about = ContentUnits(tuple(self.units), items, tuple(self.judges), *empty, models, tuple(notes))
        return about.with_rows(self.rows, self.spans).about(texts=self.models_texts)


def contributed(task: Hashable, scu: Scu, pyramid: Pyramid) -> Unit:
    """A unit of a pyramid, with which models say it and how."""
    models = tuple(pyramid.model(c) for c in scu.contributors)
    how = tuple(_spans(c, pyramid.text) for c in scu.contributors)
    return Unit(task, scu.uid, scu.label, float(len(models)), models, how)


def _by_label(pyramid: Pyramid) -> list[tuple[str, int]]:
    """Each unit's label, and how many of the same label are before it."""
    seen: dict[str, int] = {}
    out = []
    for s in pyramid.scus:
        out.append((s.bare, seen.get(s.bare, 0)))
        seen[s.bare] = seen.get(s.bare, 0) + 1
    return out


def _spans(contributor: Contributor, text: str) -> tuple[Span, ...]:
    out = []
    for p in contributor.parts:
        words = said(p, text)
        out.append(Span(words, p.start, p.end, None if words == p.label else p.label))
    return tuple(out)


def identifier(name: str) -> SummaryId | None:
    """What the name of a file says, if it is one of TAC's."""
    try:
        return SummaryId.parse(name)
    except InputError:
        return None


def topic(models: str) -> str | None:
    """What the headers in the text of a pyramid's models say the task is."""
    found = IDENTIFIER.search(models)
    return found.group().split(".")[0] if found else None
