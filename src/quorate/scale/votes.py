"""Votes in files: every piece gives its votes in small integers, about ten bytes each, and these are held together.

A task of an arena has one or two votes, so a table of wins for every task would be larger than the votes themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import Options
from quorate.panel.by_name import name_order, ordered_ids
from quorate.panel.columns import narrow, small
from quorate.panel.design import Design
from quorate.panel.packed_votes import PackedVotes
from quorate.panel.votes import CHANGED, Votes, left_aside, said_changed
from quorate.scale.jobs import Ask, Facts, named, numbers
from quorate.scale.source import Piece, Source
from quorate.table import Method

Array = NDArray[Any]
CODES = ("task", "judge", "first", "second", "halves")


@dataclass(frozen=True, eq=False)
class SomeVotes:
    """The votes of a piece in small integers, and the names behind them."""

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    systems: tuple[Hashable, ...]
    codes: dict[str, Array]  # of CODES
    changed: Array  # [vote] whether the verdict changed with the order
    aside: int  # votes without a winner


def votes_of(source: Source, piece: Piece, ask: Ask) -> SomeVotes:
    """The votes of a piece."""
    whole = source.panel([source.part(piece)])
    panel = cast(Votes, named(whole, ask))
    place, systems = {s: k for k, s in enumerate(panel.systems)}, len(panel.systems)
    codes = {"task": panel.task.codes, "judge": panel.judge.codes, "halves": narrow(np.rint(2 * panel.value), 3)}
    for role, label in (("first", "model_a"), ("second", "model_b")):
        column = panel.labels[label]
        codes[role] = narrow(numbers(column.ids, place)[column.codes], systems)
    changed = np.zeros(len(panel), bool)
    if "swapped" in panel.labels:
        said = panel.labels["swapped"]
        changed = np.array([word == CHANGED for word in said.ids])[said.codes]
    return SomeVotes(panel.tasks, panel.judges, panel.systems, codes, changed, piece.rows - len(whole))


class VoteRows:
    """What :class:`~quorate.scale.elsewhere.Elsewhere` is of other kinds, of votes: see there."""

    scan: Any
    judges: Any
    without: tuple[Hashable, ...]
    _plain: tuple[str, ...]
    _each: Any

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """Votes serve all that is asked."""

    @cached_property
    def _gathered(self) -> tuple[PackedVotes, tuple[str, ...]]:
        """All votes, and what was repaired."""
        ask = Ask("votes", "", (), plain=self._plain, without=self.without)
        given = self.scan.survey.tasks
        every = tuple(given[k] for k in name_order(given))
        number = {"task": {t: k for k, t in enumerate(every)}, "judge": {j: k for k, j in enumerate(self.judges)}}
        found: dict[int, SomeVotes] = {}
        for k, one in self._each("votes", votes_of, ask):
            for role, names in (("task", one.tasks), ("judge", one.judges)):
                one.codes[role] = narrow(numbers(names, number[role])[one.codes[role]], len(number[role]))
            one.codes["task"] = one.codes["task"].astype(small(len(every)))  # of which products are made
            found[k] = SomeVotes((), (), *(getattr(one, n) for n in ("systems", "codes", "changed", "aside")))
        pieces = [found[k] for k in sorted(found)]
        aside = sum(one.aside for one in pieces)
        systems = ordered_ids([s for one in pieces for s in one.systems])
        place = {s: k for k, s in enumerate(systems)}
        votes = {}
        for role in CODES:
            columns = [one.codes.pop(role) for one in pieces]
            if role in ("first", "second"):
                own = [numbers(one.systems, place) for one in pieces]
                columns = [narrow(o[c], len(systems)) for o, c in zip(own, columns, strict=True)]
            votes[role] = np.concatenate(columns)
        changed = np.concatenate([one.changed for one in pieces])
        if (votes["task"][1:] < votes["task"][:-1]).any():
            order = np.argsort(votes["task"], kind="stable")
            votes, changed = {n: column[order] for n, column in votes.items()}, changed[order]
        votes["changed"] = _verdicts(votes["judge"], changed, len(self.judges))
        size = np.bincount(votes["task"], minlength=len(every))
        if not size.all():  # tasks whose votes were all left aside
            votes["task"] = (np.cumsum(size > 0) - 1)[votes["task"]].astype(votes["task"].dtype)
            every = tuple(t for t, n in zip(every, size.tolist(), strict=True) if n)
            size = size[size > 0]
        names = {"tasks": every, "judges": self.judges, "systems": systems}
        return PackedVotes.of_arrays(names, votes, np.append(0, np.cumsum(size))), tuple(_repaired(aside, changed))

    @property
    def votes(self) -> PackedVotes:
        """All votes."""
        return self._gathered[0]

    @property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names, those that have a vote."""
        return self.votes.tasks

    @cached_property
    def facts(self) -> Facts:
        """What all kinds know of themselves."""
        votes, notes = self._gathered
        return Facts(votes.units, votes.judges_of_task, np.arange(votes.pairs), notes=notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left aside, of all pieces together."""
        return self.facts.notes

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all votes."""
        return [self.votes]


def _repaired(aside: int, changed: Array) -> Iterator[str]:
    """What was left aside, or taken for a tie."""
    if aside:
        yield left_aside(aside)
    if changed.any():
        yield said_changed(int(changed.sum()), len(changed))


def _verdicts(judge: Array, changed: Array, judges: int) -> Array:
    """Of judges who give one verdict on both orders whether it changed, 1 or 0; of all others -1."""
    if not changed.any():
        return np.broadcast_to(np.int8(-1), len(judge))
    both = np.bincount(judge[changed], minlength=judges) > 0
    return np.where(both[judge], changed.astype(np.int8), np.int8(-1))
