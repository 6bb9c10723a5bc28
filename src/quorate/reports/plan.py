"""How large must a study be? Judges, tasks and repeats for a certainty, a power or a width that is wanted.

From a pilot panel or from assumptions; the statistics are in :mod:`quorate.inference.decision_study`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from quorate.document.blocks import Block, Chart, Column, Table, Text, with_notes
from quorate.document.result import Result
from quorate.errors import BadParameter, InputError, suggest
from quorate.inference.decision_study import Goal, Population, Study, goal, smallest
from quorate.inference.pilots import assumed_orderings, assumed_scores, assumed_votes, judgments, pilot
from quorate.inference.results import clean
from quorate.inference.weights import stream
from quorate.panel.kinds import Panel, Scores
from quorate.reports.card_plan import CardNeed, card_needs
from quorate.scores import plan as widths_of_scores
from quorate.words.facts import Fact
from quorate.words.plan import plan_facts

JUDGES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
TASKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
WANTS = ("winner", "top", "difference", "width")
KINDS = ("orderings", "groupings", "scores", "votes")


@dataclass(frozen=True)
class Costs:
    """What a study costs: each judge, each task, each judgment."""

    judge: float = 0.0
    task: float = 0.0
    judgment: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.judge or self.task or self.judgment)

    def of(self, study: Study, number: int) -> float:
        """Of a study with so many judgments."""
        return study.judges * self.judge + study.tasks * self.task + number * self.judgment


FREE = Costs()


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
class Plan(Result):
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
    widths: widths_of_scores.Widths | None = None  # of scores: duplicates and items for alpha
    cards: tuple[CardNeed, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts' sentences."""
        return tuple(map(str, self.facts))

    @property
    def needs(self) -> tuple[widths_of_scores.Need, ...]:
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
            "facts": [f.to_dict() for f in self.facts],
            "notes": list(self.notes),
        }
        return dict(clean(out))

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per goal and number of judges; of a card sort per goal."""
        if self.cards:
            return [n.row() for n in self.cards]
        names = ("goal", "wanted", "judges", "tasks", "repeats", "judgments", "figure", "cost")
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
                *([Column("repeats", "repeats", "count")] if any(line.repeats > 1 for line in some) else []),
                Column("judgments", JUDGMENTS[self.kind], "count"),
                *([Column("per_pair", "per pair", "count")] if self.kind == "votes" else []),
                Column("figure", FIGURES[name], "figure" if name == "width" else "share"),
                *([Column("cost", "cost", "place")] if any(line.cost is not None for line in some) else []),
            )
            rows = tuple(tuple(getattr(line, c.key) for c in columns) for line in some)
            yield Table(f"{name.capitalize()}: studies that are large enough", columns, rows, name=name, keys=1)

    def _picture(self) -> Iterator[Block]:
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
            yield Table(f"{FIGURES[name].capitalize()} by judges and tasks", columns, rows, name="trade-off", keys=1)
        yield self.picture()

    def picture(self) -> Chart:
        """The trade-off as lines: the first goal's figure by tasks, a line for every number of judges."""
        name = self.lines[0].goal
        along = "tasks" if self.tasks else "judges"
        said = {row["judges"] for row in self.trade_off}
        rows = tuple(
            {"line": f"{row['judges']} judges" if self.tasks and len(said) > 1 else name, along: row[along]}
            | {"value": row["value"]}
            for row in self.trade_off
        )
        title = f"{FIGURES[name].capitalize()} by {along}"
        told = f"What studies of so many {along} would reach; {self.lines[0].wanted:g} is wanted."
        settings = {"x": along, "along": along, "up": FIGURES[name], "whole": True, "log": True}
        return Chart("trade-off", "trust", "curves", title, told, rows, settings)

    def plot(self) -> Any:
        """The picture as an Altair chart."""
        from quorate.document.charts import alone

        return alone(self.picture())

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
JUDGMENTS = {"orderings": "orders", "scores": "scores", "votes": "votes", "groupings": "sorts"}
FIGURES = {"winner": "certainty", "top": "certainty", "difference": "power", "width": "width"}
WIDTHS = {
    "duplicates": "Planted duplicates, for the self-consistency of one judge",
    "items": "Items that all judges score, for alpha between judges",
    "tasks": "Tasks, for the mean score of a system (width in points)",
}


def plan(
    panel: Panel | None = None,
    *,
    kind: str | None = None,
    want: Sequence[str] = (),
    certainty: float = 0.9,
    power: float = 0.8,
    width: float | None = None,
    top: int | None = None,
    difference: float | None = None,
    agreement: float | None = None,
    items: int | None = None,
    points: int | None = None,
    deviation: float | None = None,
    share: float = 0.6,
    judges: Sequence[int] = JUDGES,
    repeats: int = 1,
    own: float = 0.5,
    cards: int | None = None,
    groups: int = 5,
    costs: Costs = FREE,
    studies: int = 1000,
    seed: int = 0,
) -> Plan:
    """How large must a study be? From a pilot panel, or from assumptions about one of a ``kind``.

    ``want`` names goals: ``winner`` (the first system is the true first one), ``top`` (so are the first ``top``), both
    with this ``certainty``; ``difference`` (two systems so far apart are told apart with this ``power``); ``width``
    (the 95 % interval of a difference is at most so wide). Assumptions: ``agreement`` of two judges (orderings tau,
    scores alpha, groupings adjusted Rand), ``items`` (or systems) compared, a scale of ``points``, the ``deviation`` of
    a system from task to task, the ``share`` of votes that a system wins against the next one. ``own`` is the share of
    what is left that is a judge's own inconsistency, which ``repeats`` average out.

    >>> found = plan(kind="votes", items=2, share=0.6, want=["winner"], certainty=0.95)
    >>> 60 < found.lines[0].judgments < 75
    True
    """
    if panel is None and kind is None:
        kind = "scores"
    of = panel.kind if panel is not None else str(kind)
    if of not in KINDS:
        raise BadParameter(f"kind={of} is not known.", suggest(of, KINDS, "Kinds"))
    _check(want, certainty, power, width, repeats, own, judges, items, top, share, agreement, deviation)
    if of == "groupings":
        return _cards(panel, agreement, items or 30, groups, certainty, width, cards, costs, seed)
    source, rng, notes = "pilot" if panel is not None else "assumptions", stream(seed, "plan", of), []
    alphas = _expected(panel, agreement, points, deviation, studies) if of == "scores" else None
    if panel is not None:
        populations = pilot(panel, rng, own=own if repeats > 1 else 0.0, criterion=alphas[2] if alphas else None)
    else:
        populations = [_assumed(of, agreement, items, points, difference, deviation, share, own, rng)]
    systems = max(p.levels.shape[1] for p in populations)
    if difference is None:
        difference = sum(map(_apart, populations)) / len(populations)
    names = tuple(want) or tuple(
        n for n in WANTS if (n != "width" or width) and (n != "top" or (top and top < systems))
    )
    wanted = {"winner": certainty, "top": certainty, "difference": power, "width": width or 0.2}
    if "top" in names and not (top and 1 <= top < systems):
        raise BadParameter(f"top={top} of {systems} systems says nothing.", "from 1 to one fewer than there are.")
    goals = [
        goal(n, wanted[n], populations, rng, top=top if n == "top" and top else 1, difference=difference) for n in names
    ]
    tasks = populations[0].tasks
    lines = tuple(line for g in goals for line in _lines(of, g, judges, repeats, tasks, systems, costs))
    known = [line.tasks for line in lines if line.goal == names[0] and line.tasks]
    trade_off = _trade_off(goals[0], judges, repeats, tasks, max(known, default=100))
    first = populations[0]
    assumed = {
        "systems": systems,
        "variance of systems": round(first.spread, 6),
        "variance of task x system": round(first.by_task, 6),
        "variance of judge x system": round(first.by_judge, 6),
        "variance of the rest": round(first.rest, 6),
    }
    if panel is not None and len(populations) > 1:
        notes.append(f"every task has items of its own: certainty is the mean over {len(populations):,} tasks")
    widths = None
    if alphas is not None and (width is not None or not want):
        alpha, scale, *_ = alphas
        widths = widths_of_scores.widths(
            alpha, width or 0.2, points=scale, deviation=alphas[4], studies=studies, seed=seed
        )
    settings = {"top": top, "difference": difference, "certainty": certainty, "power": power, "width": width or 0.2}
    settings |= (
        {"criterion": alphas[2], "criteria": alphas[3], "alpha": alphas[0], "points": alphas[1]} if alphas else {}
    )
    made = Plan(of, source, systems, tasks, lines, trade_off, assumed, settings, widths, notes=tuple(notes))
    return _told(made)


def _told(made: Plan) -> Plan:
    return replace(made, facts=tuple(plan_facts(made)))


def _check(
    want: Sequence[str],
    certainty: float,
    power: float,
    width: float | None,
    repeats: int,
    own: float,
    judges: Sequence[int],
    items: int | None,
    top: int | None,
    share: float,
    agreement: float | None,
    deviation: float | None,
) -> None:
    for name in want:
        if name not in WANTS:
            raise BadParameter(f"want={name} is not known.", suggest(name, WANTS, "Goals"))
    shares = {"certainty": certainty, "power": power}
    for name, value in shares.items():
        if not 0 < value < 1:
            raise BadParameter(f"{name}={value} is out of range.", f"{name} is a number between 0 and 1.")
    if not 0.5 < share < 1:
        raise BadParameter(f"share={share} is out of range.", "share is above one half and below 1.")
    if agreement is not None and not 0 <= agreement < 1:
        raise BadParameter(f"agreement={agreement} is out of range.", "the agreement expected, from 0 to below 1.")
    if width is not None and not width > 0:
        raise BadParameter(f"width={width} is out of range.", "the width of an interval, above 0.")
    if deviation is not None and not deviation >= 0:
        raise BadParameter(f"deviation={deviation} is out of range.", "a standard deviation, from 0.")
    if not 0 <= own <= 1:
        raise BadParameter(f"own={own} is out of range.", "own is a share, from 0 to 1.")
    if repeats < 1 or not judges or min(judges) < 1:
        raise BadParameter("a study has at least one judge, who judges once.", "judges and repeats are from 1.")
    if items is not None and items < 2:
        raise BadParameter(f"items={items} is out of range.", "two items or systems are compared at least.")


def _expected(
    panel: Panel | None, alpha: float | None, points: int | None, deviation: float | None, studies: int
) -> tuple[float, int, Any, int, float | None]:
    """Alpha, the points of the scale, the criterion with the lowest alpha of how many, and the deviation."""
    if studies < 100:
        raise BadParameter(f"studies={studies} are too few.", "100 at least.")
    if panel is None:
        return 0.7 if alpha is None else alpha, 5 if points is None else points, None, 0, deviation
    if not isinstance(panel, Scores):
        raise InputError(f"the pilot panel holds {panel.kind}.", "leave out the kind.")
    seen = widths_of_scores.pilot(panel)
    criterion, number = widths_of_scores.lowest(panel)
    alpha, points = seen.alpha if alpha is None else alpha, seen.points if points is None else points
    return alpha, points, criterion, number, seen.deviation if deviation is None else deviation


def _assumed(
    kind: str,
    agreement: float | None,
    items: int | None,
    points: int | None,
    difference: float | None,
    deviation: float | None,
    share: float,
    own: float,
    rng: Any,
) -> Population:
    if kind == "orderings":
        made = assumed_orderings(items or 8, 0.4 if agreement is None else agreement, rng, deviation or 0.0)
    elif kind == "votes":
        made = assumed_votes(items or 2, share, deviation or 0.0)
    else:
        alpha = 0.7 if agreement is None else agreement
        scale = 5 if points is None else points
        made = assumed_scores(items or 2, alpha, scale, 0.5 if difference is None else difference, deviation)
    return replace(made, own=own)


def _apart(population: Population) -> float:
    """How far the first two systems are apart, on average over what may be."""
    level = population.levels.mean(axis=0)
    order = sorted(level.tolist(), reverse=True)
    return float(order[0] - order[1])


def _lines(
    kind: str, g: Goal, judges: Sequence[int], repeats: int, tasks: bool, systems: int, costs: Costs
) -> Iterator[Line]:
    """For every number of judges the fewest tasks; where there is one task, the fewest judges."""
    numbers: Sequence[int | None] = [None] if not tasks else sorted(set(judges))
    for number in numbers:
        if number is None:
            found = smallest(lambda k: g.reached(Study(k, 1, repeats)))
            study = Study(found, 1, repeats) if found else None
        else:
            found = smallest(lambda t, number=number: g.reached(Study(number, t, repeats)))  # type: ignore[misc]
            study = Study(number, found, repeats) if found else None
        if study is None:
            yield Line(g.name, g.wanted, number, None, repeats, None, None, None)
            continue
        many = judgments(kind, study, systems)
        cost = costs.of(study, many) if costs else None
        yield Line(g.name, g.wanted, study.judges, study.tasks, repeats, many, g.figure(study), cost)


def _trade_off(g: Goal, judges: Sequence[int], repeats: int, tasks: bool, most: int) -> tuple[Mapping[str, Any], ...]:
    """The figure of a goal by judges and tasks, as far as it changes."""
    if not tasks:
        return tuple({"judges": j, "tasks": 1, "value": g.figure(Study(j, 1, repeats))} for j in sorted(set(judges)))
    shown = [t for t in TASKS if t <= 2 * most][-7:]
    return tuple(
        {"judges": j, "tasks": t, "value": g.figure(Study(j, t, repeats))}
        for j in sorted(set(judges))[:8]
        for t in shown
    )


def _cards(
    panel: Panel | None,
    agreement: float | None,
    items: int,
    groups: int,
    certainty: float,
    width: float | None,
    cards: int | None,
    costs: Costs,
    seed: int,
) -> Plan:
    needs, source, assumed = card_needs(
        panel, agreement, items, groups, certainty, width or 0.2, cards, costs.judge, seed
    )
    number = len(panel.items) if panel is not None else items
    settings = {"certainty": certainty, "width": width or 0.2, "cards": cards}
    return _told(Plan("groupings", source, number, False, (), (), assumed, settings, cards=needs))
