"""A plan as it is shown: sentences, studies that reach each goal, and the trade-off between judges and tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.result import Told
from quorate.inference.results import Finding, clean
from quorate.reports.card_plan import CardNeed
from quorate.scores.plan import Need, Widths
from quorate.words.facts import Fact


@dataclass(frozen=True)
class Line:
    """A study that reaches a goal; none is large enough where it has no tasks."""

    goal: str
    wanted: float
    judges: int | None
    tasks: int | None
    repeats: int
    judgments: int | None
    figure: float | None
    cost: float | None

    @property
    def per_pair(self) -> int | None:
        """Votes on every two systems, where judgments are votes."""
        return self.judges * self.tasks * self.repeats if self.judges and self.tasks else None


@dataclass(frozen=True)
class Plan(Told):
    """What a study needs; ``facts`` say it in words."""

    called: ClassVar[str] = "a plan"

    kind: str
    source: str  # pilot, or assumptions
    systems: int
    tasks: bool  # whether tasks are planned, or judges only
    lines: tuple[Line, ...]
    trade_off: tuple[Mapping[str, Any], ...]  # the first goal's figure by judges and tasks
    assumed: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)  # top, difference
    widths: Widths | None = None  # of scores: duplicates and items for alpha
    cards: tuple[CardNeed, ...] = ()
    span: tuple[int | None, int | None] | None = None  # judgments, judges differing as little, and as much, as may be
    leaders: Finding | None = None  # of a pilot of votes: votes more on its first two systems
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[Need, ...]:
        """Of scores: duplicates, items and tasks for intervals of the width."""
        return self.widths.needs if self.widths else ()

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts."""
        out = {
            "kind": self.kind,
            "source": self.source,
            "systems": self.systems,
            "assumed": dict(self.assumed),
            "settings": dict(self.settings),
            "studies": self.rows(),
            "trade_off": [dict(row) for row in self.trade_off],
            "needs": [{"what": n.what, "judges": n.judges, "needed": n.needed, "width": n.width} for n in self.needs],
            "cards": [n.row() for n in self.cards],
            "span": None if self.span is None else list(self.span),
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }
        return dict(clean(out))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per goal and number of judges; of a card sort per goal."""
        if self.cards:
            return [n.row() for n in self.cards]
        names: tuple[str, ...] = ("goal", "wanted", "judges", "tasks", "repeats", "judgments", "figure", "cost")
        names = (*names, "per_pair") if self.kind == "votes" else names
        return [{n: getattr(line, n) for n in names} for line in self.lines]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """Sentences, studies that reach each goal, the trade-off as a picture, and what is assumed."""
        found: list[Block] = [Text(self.sentences, "lead"), *self._studies(), *self._picture(), *self._widths()]
        found += [self._assumed()] if self.assumed else []
        yield from with_notes([b for b in found if not isinstance(b, Table) or b.rows], self.notes)

    def _studies(self) -> Iterator[Table]:
        if self.cards:
            rows = tuple(tuple(n.row()[c.key] for c in CARDS) for n in self.cards)
            shown = CARDS if any(n.cost is not None for n in self.cards) else CARDS[:-1]
            yield Table("Studies", shown, tuple(row[: len(shown)] for row in rows), name="studies", keys=1)
        for name in dict.fromkeys(line.goal for line in self.lines):
            some = [line for line in self.lines if line.goal == name]
            if all(line.tasks is None for line in some):
                continue
            columns = (
                Column("judges", "judges", "count"),
                *([Column("tasks", "tasks", "count")] if self.tasks else []),
                *([Column("tasks", "items", "count")] if self.kind == "labels" else []),
                *([Column("repeats", "repeats", "count")] if any(line.repeats > 1 for line in some) else []),
                Column("judgments", JUDGMENTS[self.kind], "count"),
                *([Column("per_pair", "per pair", "count")] if self.kind == "votes" else []),
                Column("figure", _figure(name), "figure" if name in ("width", "share") else "share"),
                *([Column("cost", "cost", "place")] if any(line.cost is not None for line in some) else []),
            )
            rows = tuple(tuple(getattr(line, c.key) for c in columns) for line in some)
            yield Table(f"{name.capitalize()}: studies that are large enough", columns, rows, name=name, keys=1)

    def _picture(self) -> Iterator[Block]:
        if self.cards and len(self.trade_off) > 1:
            yield self.picture()
        if not any(line.tasks for line in self.lines if line.goal == self.lines[0].goal) or not self.trade_off:
            return
        judges = sorted({row["judges"] for row in self.trade_off})
        tasks = sorted({row["tasks"] for row in self.trade_off})
        value = {(row["judges"], row["tasks"]): row["value"] for row in self.trade_off}
        name = self.lines[0].goal
        form = "figure" if name == "width" else "share"
        if self.tasks:
            columns = (
                Column("judges", "judges", "count"),
                *(Column(f"t{t}", f"{t:,} task{'s' if t > 1 else ''}", form) for t in tasks),
            )
            rows = tuple((j, *(value.get((j, t)) for t in tasks)) for j in judges)
            yield Table(f"{_figure(name).capitalize()} by judges and tasks", columns, rows, name="trade-off", keys=1)
        elif self.kind == "labels" and self.source == "assumptions":
            columns = (Column("judges", "judges", "count"), *(Column(g, g, "share") for g in BY_LABELS))
            rows = tuple(tuple(row[c.key] for c in columns) for row in self.trade_off)
            yield Table("Right labels by judges an item", columns, rows, name="trade-off", keys=1)
        yield self.picture()

    def picture(self) -> Chart:
        """The trade-off as lines: the first goal's figure by tasks, a line for every number of judges."""
        first = self.cards[0] if self.cards else self.lines[0]
        name, along = first.goal, "tasks" if self.tasks else "judges"
        said = {row["judges"] for row in self.trade_off}
        rows = tuple(
            {"line": f"{row['judges']} judges" if self.tasks and len(said) > 1 else name, along: row[along]}
            | {"value": row["value"]}
            for row in self.trade_off
        )
        title = f"{_figure(name).capitalize()} by {along}"
        told = f"What studies of so many {along} would reach; {first.wanted:g} is wanted."
        settings = {"x": along, "along": along, "up": _figure(name), "whole": True, "log": True}
        return Chart("trade-off", "trust", "curves", title, told, rows, settings)

    def _widths(self) -> Iterator[Table]:
        for what, title in WIDTHS.items():
            rows = tuple((n.judges, n.needed, n.width) for n in self.needs if n.what == what)
            columns = (
                Column("judges", "judges", "count"),
                Column("needed", what, "count"),
                Column("width", "width", "figure"),
            )
            yield Table(title, columns, rows, name=what, keys=1)

    def _assumed(self) -> Table:
        columns = (Column("name", ""), Column("value", "value", "place"))
        title = "As the pilot has it" if self.source == "pilot" else "Assumed"
        return Table(title, columns, tuple(self.assumed.items()), name="assumed", keys=1)


CARDS = (
    Column("goal", "goal"),
    Column("wanted", "wanted", "figure"),
    Column("judges", "people", "count"),
    Column("interval", "interval", "interval:count"),
    Column("cards", "cards each", "count"),
    Column("cost", "cost", "place"),
)
JUDGMENTS = {"orderings": "orders", "scores": "scores", "votes": "votes", "groupings": "sorts", "labels": "labels"}
BY_LABELS = ("majority", "model")
FIGURES = {
    "the same groups": "agreement of two panels",
    "winner": "certainty",
    "top": "certainty",
    "difference": "power",
    "width": "width",
    "majority": "right majorities",
    "model": "right labels",
    "share": "width",
}
WIDTHS = {
    "duplicates": "Planted duplicates, for the self-consistency of one judge",
    "items": "Items that all judges score, for alpha between judges",
    "tasks": "Tasks, for the mean score of a system (width in points)",
}


def _figure(goal: str) -> str:
    """What a study reaches, by its goal, which may be of one criterion."""
    return FIGURES.get(goal) or FIGURES[goal.partition(" on ")[0]]
