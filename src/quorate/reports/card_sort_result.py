"""What a card sort says: its groups, cards, tree and schools, as tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from numpy.typing import NDArray

from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.columns import ci_column
from quorate.document.result import Result, Told
from quorate.errors import InputError
from quorate.groupings.group_names import Suggestion
from quorate.groupings.linkage_tree import Tree
from quorate.inference.camps import Camps
from quorate.inference.estimate import Estimate, Interval
from quorate.inference.results import Answer, clean
from quorate.words.facts import Fact

Array = NDArray[Any]
SHOWN = 60  # cards of a picture
PLACED = "of the judges who placed the card"
BETWEEN = 0.8  # of the share with its own group, from which on a card could as well be in another


@dataclass(frozen=True)
class Card:
    """One card: where it belongs, how firmly, and how far judges agree on it."""

    item: Hashable
    group: int | None  # of the consensus, from 1; None where it is left out
    agreement: float  # of two judges, what they put with it: overlap over union
    interval: Interval | None  # over judges
    own: float | None  # share of judges who put it with the others of its group
    other: int | None  # the group that it would fit best otherwise
    with_other: float
    left_out: float  # share of the judges who were shown it
    stays: float | None  # how much of its group it keeps with other judges
    of_two: bool = False  # whether some judges put it into another group, more than err

    @property
    def between(self) -> bool:
        """Whether it could be in another group, too; one that is alone could, unless it belongs nowhere."""
        known = self.other is not None and self.group is not None
        near = self.with_other > 0 and self.with_other >= BETWEEN * (self.own or 0.0)
        return known and (near or self.of_two)


@dataclass(frozen=True)
class Group:
    """One group of the consensus, with names from the judges' own."""

    number: int
    items: tuple[Hashable, ...]
    support: float | None
    stays: float | None
    names: tuple[Suggestion, ...]

    @property
    def called(self) -> str:
        """Its first suggestion; else its number."""
        return self.names[0].name if self.names else f"group {self.number}"


@dataclass(frozen=True)
class CardSort(Told):
    """All that is said of a card sort; ``facts`` say it in words."""

    called: ClassVar[str] = "a card sort"
    heading: ClassVar[str] = "Groups and cards"
    name: ClassVar[str] = "cards"

    judges: int
    consensus: Answer
    agreement: Estimate  # of two judges
    groups: tuple[Group, ...]
    cards: tuple[Card, ...]
    nowhere: tuple[Hashable, ...]
    order: tuple[Hashable, ...]  # of cards: those that belong together stand side by side
    similarity: Array  # [card, card] in that order: share of the judges who placed both that put them together
    joins: tuple[Mapping[str, Any], ...]  # of the tree: items, height (share apart) and stability
    tree: Tree | None
    placed: tuple[Mapping[str, Any], ...]  # card x category
    schools: Camps | None
    school_of: Mapping[str, int] = field(default_factory=dict)  # judge -> school from 1, where there are several
    school_groups: tuple[tuple[tuple[Hashable, ...], ...], ...] = ()  # of every school its consensus
    by: Result | None = None  # groups of judges side by side
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Plain lists and dicts."""
        out = {
            "judges": self.judges,
            "agreement": {"value": self.agreement.value, "interval": _ends(self.agreement.interval)},
            "groups": [
                {
                    "group": g.number,
                    "items": list(g.items),
                    "support": g.support,
                    "stays": g.stays,
                    "names": [
                        {"name": s.name, "judges": s.judges, "overlap": s.overlap, "spellings": list(s.spellings)}
                        for s in g.names
                    ],
                }
                for g in self.groups
            ],
            "cards": self.rows(),
            "nowhere": list(self.nowhere),
            "order": list(self.order),
            "similarity": self.similarity.tolist(),
            "dendrogram": [dict(j) for j in self.joins],
            "placements": [dict(p) for p in self.placed],
            "schools": self._schools(),
            "by": self.by.to_dict() if self.by else None,
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }
        return dict(clean(out))

    def _schools(self) -> dict[str, Any] | None:
        found = self.schools
        if found is None:
            return None
        said: dict[str, Any] = {"number": found.number, "within": found.within.tolist(), "across": found.across}
        said |= {"gap": found.gap, "p_value": found.null.p if found.null else None, "judges": dict(self.school_of)}
        return said | {"groups": [[list(g) for g in one] for one in self.school_groups]}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per card, those that judges agree on least first."""
        return [
            {
                "item": c.item,
                "group": c.group,
                "agreement": c.agreement,
                "low": c.interval.low if c.interval else None,
                "high": c.interval.high if c.interval else None,
                "own": c.own,
                "other": c.other,
                "with_other": c.with_other,
                "left_out": c.left_out,
                "stays": c.stays,
            }
            for c in self.cards
        ]

    def blocks(self, show: str | None = None, **how: Any) -> Iterator[Block]:
        """Sentences, groups, cards, branches, schools; or one view of it alone."""
        views = {
            "matrix": self._matrix,
            "tree": self._branches,
            "placements": self._placements,
            "cards": self._cards,
        }
        if show:
            yield views[show]()
            return
        found: list[Block] = [Text(self.sentences, "lead"), self._groups(), self._cards(), self._branches()]
        found += [self._placements()] if self.placed else []
        found += self._camps() if self.schools is not None and self.schools.number > 1 else []
        found = [b for b in found if not isinstance(b, Table) or b.rows]
        beside = list(self.by.blocks()) if self.by else []
        found += [b for b in beside if not isinstance(b, Text) or b.role != "lead"]
        yield from with_notes(found, self.notes)

    def _groups(self) -> Table:
        columns: tuple[Column, ...] = (
            Column("group", "group", "count"),
            Column("name", "suggested name"),
            Column("by", "judges", "count", "who use the name, in any spelling, for a group like this"),
            Column("support", "support", "share"),
            Column("stays", "stays", "share"),
            Column("which", "cards", "names"),
        )
        rows = []
        for g in self.groups:
            name = (g.names[0].name, g.names[0].judges) if g.names else (None, None)
            rows.append((g.number, *name, g.support, g.stays, list(g.items)))
        if not any(g.names for g in self.groups):
            columns, rows = (columns[0], *columns[3:]), [(r[0], *r[3:]) for r in rows]
        return Table("Groups", columns, tuple(rows), name="groups", keys=1)

    def _cards(self) -> Table:
        columns = (
            Column("item", "card"),
            Column("group", "group", "count"),
            Column("agreement", "agreement", "figure", "of two judges, on what goes with the card"),
            ci_column(self.consensus.options.level, minor=2),
            Column("own", "with its group", "share", "of the judges, on average over the cards of the group"),
            Column("other", "or group", "count", "the next best"),
            Column("with_other", "with that", "share"),
            Column("left_out", "left out", "share"),
        )
        rows = tuple(
            (c.item, c.group, c.agreement, _ends(c.interval), c.own, c.other, c.with_other, c.left_out)
            for c in self.cards
        )
        return Table("Cards, least agreement first", columns, rows, name="cards", keys=1)

    def _branches(self) -> Table:
        columns = (
            Column("stays", "stays", "share", "of resampled panels that have this branch"),
            Column("together", "together", "share", "of the judges, on average over pairs of the two parts"),
            Column("which", "branch", "names"),
        )
        rows = tuple((j["stays"], 1 - j["height"], list(j["items"])) for j in self.joins[:-1])
        return Table("Branches of the tree, the closest first", columns, rows, name="branches")

    def _placements(self) -> Table:
        columns = (Column("item", "card"), Column("category", "category"), Column("judges", "judges", "count"))
        rows = tuple((p["item"], p["category"], p["judges"], p["share"]) for p in self.placed)
        title = "Cards by category, spellings of a name together"
        return Table(title, (*columns, Column("share", "share", "share", PLACED)), rows, name="placements", keys=1)

    def _matrix(self) -> Table:
        said = [str(i) for i in self.order]
        columns = (Column("item", ""), *(Column(f"c{k}", name, "share") for k, name in enumerate(said)))
        rows = tuple(
            (name, *(None if i == j else v for j, v in enumerate(row)))
            for i, (name, row) in enumerate(zip(said, self.similarity.tolist(), strict=True))
        )
        return Table(
            "Share of judges who put two cards together, of those who placed both",
            columns,
            rows,
            name="similarity",
            keys=1,
        )

    def _camps(self) -> list[Block]:
        found, size = self.schools, list(self.school_of.values())
        if found is None:
            return []
        columns = (
            Column("camp", "camp", "count"),
            Column("judges", "judges", "count"),
            Column("within", "agreement", "figure", "of two of its judges"),
            Column("which", "its groups", "text"),
        )
        rows = tuple(
            (k + 1, size.count(k + 1), value, "; ".join(", ".join(map(str, g)) for g in groups))
            for k, (value, groups) in enumerate(zip(found.within.tolist(), self.school_groups, strict=True))
        )
        return [Table("Camps of judges, or schools", columns, rows, name="schools", keys=1)]

    def pictures(self) -> tuple[Chart, ...]:
        """The square of similarities, the tree, and the cards."""
        return tuple(p for p in (self._square(), self._dendrogram(), self._firmness()) if p.rows)

    def _square(self) -> Chart:
        some = list(range(len(self.order)))[:SHOWN]
        rows = tuple(
            {"card": str(self.order[i]), "other": str(self.order[j]), "value": _number(self.similarity[i, j])}
            for i in some
            for j in some
            if i != j and not math.isnan(self.similarity[i, j])
        )
        cut = f" The first {SHOWN} of {len(self.order):,} cards." if len(self.order) > SHOWN else ""
        said = "Share of the judges who put two cards together, of those who placed both."
        said = f"{said} Cards of a block belong together.{cut}"
        settings = {"order": [str(self.order[i]) for i in some], "value": "together", "down": "card"}
        least = 120 + 18 * len(some) if len(some) > 12 else 0
        return Chart("similarity", "cards", "heat_map", "Which cards go together", said, rows, settings, least=least)

    def _dendrogram(self) -> Chart:
        from quorate.document.dendrogram import segments

        rows = segments(self.tree, self.joins, [str(i) for i in self.order]) if self.tree else ()
        said = "Cards are joined where judges put them together on average: the further left, the more of them do."
        said += " Beside a join stands how often resampled judges make the same branch."
        settings = {"order": [str(i) for i in self.order]}
        return Chart("tree", "cards", "dendrogram", "The tree of cards", said, rows, settings, ("y", "y2", "x", "x2"))

    def _firmness(self) -> Chart:
        rows = tuple(
            {
                "card": str(c.item),
                "value": _number(c.agreement),
                "low": _number(c.interval.low) if c.interval else None,
                "high": _number(c.interval.high) if c.interval else None,
            }
            for c in self.cards[:SHOWN]
            if not math.isnan(c.agreement)
        )
        low = f": {self.cards[0].item} least" if rows and len(rows) > 1 else ""
        said = "How much two judges share of what they put with a card, with its interval; the least first."
        return Chart("card-agreement", "cards", "dots", f"Agreement card by card{low}", said, rows, {"label": "card"})

    def plot(self, name: str = "similarity") -> Any:
        """A picture as an Altair chart: similarity, tree or card-agreement."""
        from quorate.document.charts import alone

        found = {p.name: p for p in self.pictures()}
        if name not in found:
            raise InputError(f"no picture '{name}'.", f"there are {', '.join(found) or 'none'}.")
        return alone(found[name])


def _ends(between: Interval | None) -> list[float] | None:
    return between.ends if between else None


def _number(value: float) -> float:
    return float(f"{value:.6g}")
