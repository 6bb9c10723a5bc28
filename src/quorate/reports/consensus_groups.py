"""The consensus of groups of judges side by side: what experts and crowd, people and models, each agree on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from quorate.document.blocks import Block, Column, Table, Text, with_notes
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.inference.adjudication import gold
from quorate.inference.results import Answer, Options, clean
from quorate.panel.base import many
from quorate.panel.kinds import Panel, Scores
from quorate.table import Method
from quorate.verbs import ask
from quorate.words.consensus_groups import group_facts
from quorate.words.facts import Fact

GROUPS = 20  # of one file, at most


@dataclass(frozen=True)
class ConsensusGroups(Result):
    """What each group of judges agrees on; ``facts`` say where they differ."""

    called: ClassVar[str] = "a consensus by groups"
    all_rows: ClassVar[bool] = False

    column: str
    answers: Mapping[str, Answer]
    table: tuple[dict[str, Any], ...]  # a row per item: its place, score or label in every group
    labels: bool
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """Items that two groups have."""
        return sum(len(_known(row, self.answers)) > 1 for row in self.table)

    @property
    def differ(self) -> list[dict[str, Any]]:
        """The items on which groups differ, those that differ most first."""
        found = [row for row in self.table if len(set(_known(row, self.answers))) > 1]
        return found if self.labels else sorted(found, key=lambda row: -_span(row, self.answers))

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts."""
        told = {"column": self.column, "groups": {n: a.judges for n, a in self.answers.items()}}
        return dict(clean({**told, "items": self.rows(), "facts": [f.to_dict() for f in self.facts]}))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per item."""
        return [dict(row) for row in self.table]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """What differs, and the items by group, those that differ first."""
        form = "name" if self.labels else "figure"
        keys = [k for k in ("criterion", "task", "item") if any(row.get(k) is not None for row in self.table)]
        keys = [k for k in keys if k != "task" or len({row["task"] for row in self.table}) > 1]
        columns = (*(Column(k, k) for k in keys), *(Column(n, n, form) for n in self.answers))
        first = self.differ
        rest = [row for row in self.table if row not in first]
        rows = tuple(tuple(row.get(c.key) for c in columns) for row in (*first, *rest))
        title = f"What each group agrees on, by {self.column}; where they differ first"
        found: list[Block] = [Text(tuple(map(str, self.facts)), "lead"), Table(title, columns, rows, name="by-group")]
        yield from with_notes(found, self.notes)


def _known(row: Mapping[str, Any], groups: Any) -> list[Any]:
    return [row[name] for name in groups if row.get(name) is not None]


def _span(row: Mapping[str, Any], groups: Any) -> float:
    values = _known(row, groups)
    return float(max(values) - min(values))


def consensus_groups(panel: Panel, by: str, *methods: str | Method, **options: Any) -> ConsensusGroups:
    """The consensus of every group of judges that a column tells, side by side, by the first method named.

    Of labels a label, of scores a mean, of orderings and votes a place.
    """
    column, settings = panel.label(by), Options(**options)
    names = sorted((i for i in column.ids if i is not None), key=str)
    if not 1 < len(names) <= GROUPS:
        raise InputError(f"the column '{by}' has {many(len(names), 'value')}.", f"2 to {GROUPS} groups are compared.")
    if panel.kind == "groupings":
        raise InputError("groups of two consensuses have no names in common.", f"quorate compare FILE --by {by}.")
    answers = {str(n): ask("consensus", panel.select(**{by: [n]}), methods, settings) for n in names}
    table = _table(answers)
    labels = isinstance(panel, Scores) and bool(panel.scale)
    found = ConsensusGroups(by, answers, table, labels)
    return ConsensusGroups(by, answers, table, labels, tuple(group_facts(found)), _notes(answers))


def _table(answers: Mapping[str, Answer]) -> tuple[dict[str, Any], ...]:
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for name, answer in answers.items():
        for keys, value in _values(answer):
            row = rows.setdefault(tuple(keys.values()), dict(keys))
            row[name] = value
    return tuple(rows[key] for key in sorted(rows, key=lambda key: tuple(map(str, key))))


def _values(answer: Answer) -> Iterator[tuple[dict[str, Any], Any]]:
    """Items by criterion and task, with what the group says of each."""
    f = answer.findings[0]
    if f.called == "ranking":
        for task, order in zip(f.keys.get("task", [None] * len(f.values)), f.values, strict=True):
            place = 1
            for tied in order:
                for item in tied:
                    yield {"task": task, "item": item}, place + (len(tied) - 1) / 2
                place += len(tied)
        return
    labels = gold(answer) if "votes" in f.details else {**f.keys, "label": list(f.values)}
    keys = [k for k in ("criterion", "task", "item", "system") if k in f.keys]
    for *about, value in zip(*(labels[k] for k in keys), labels["label"], strict=True):
        yield dict(zip(keys, about, strict=True)), value


def _notes(answers: Mapping[str, Answer]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{name}: {note}" for name, a in answers.items() for note in a.notes))
