"""How large must a study be? Judges, tasks and repeats for a certainty, a power or a width that is wanted.

From a pilot panel or from assumptions; the statistics are in :mod:`quorate.inference.decision_study`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate.errors import BadParameter, InputError, suggest
from quorate.inference.crossing import sizes
from quorate.inference.decision_study import FREE, Costs, Goal, Population, Study, goal, smallest
from quorate.inference.findings import trust
from quorate.inference.label_forecast import Labelling
from quorate.inference.pilots import assumed_orderings, assumed_scores, assumed_votes, judgments, pilot
from quorate.inference.results import Finding, Options
from quorate.inference.weights import stream
from quorate.panel.base import many
from quorate.panel.kinds import Panel, Scores, Votes
from quorate.panel.pairs import VoteDesign
from quorate.reports.card_plan import card_needs, shown
from quorate.reports.label_plan import assumed_label_plan, label_plan
from quorate.reports.plan_result import Line, Plan
from quorate.scores import plan as widths_of_scores
from quorate.table import parse
from quorate.words.plan import plan_facts

JUDGES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
TASKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
WANTS = ("winner", "top", "difference", "width")
TOP, GROUPS, LABELLED = 3, 5, 100  # of the first, of a card sort, and items that are labelled, where nothing is said
FEW = 4  # judges or tasks of a pilot, of fewer of which their variance is hardly known
KINDS = ("orderings", "groupings", "scores", "labels", "votes")


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
    right: float = 0.8,
    careless: float = 0.1,
    judges: Sequence[int] = JUDGES,
    repeats: int = 1,
    own: float = 0.5,
    cards: int | None = None,
    groups: int | None = None,
    costs: Costs = FREE,
    studies: int = 1000,
    seed: int = 0,
) -> Plan:
    """How large must a study be? From a pilot panel, or from assumptions about one of a ``kind``.

    ``want`` names goals: ``winner`` (the first system is the true first one), ``top`` (so are the first ``top``), both
    with this ``certainty``; ``difference`` (two systems so far apart are told apart with this ``power``); ``width``
    (the 95 % interval of a difference is at most so wide). Assumptions: ``agreement`` of two judges (orderings tau,
    scores and labels alpha, groupings adjusted Rand), ``items`` (or systems) compared, a scale of ``points``, the
    ``deviation`` of a system from task to task, the ``share`` of votes that a system wins against the next one. ``own``
    is the share of what is left that is a judge's own inconsistency, which ``repeats`` average out. Of labels, a
    ``kind`` of its own here, there are ``points``; a careful judge is ``right`` so often, unless agreement says how
    often, and the ``careless`` share of the judges guesses.

    >>> found = plan(kind="votes", items=2, share=0.6, want=["winner"], certainty=0.95)
    >>> 60 < found.lines[0].judgments < 75
    True
    """
    if panel is None and kind is None:
        kind = "scores"
    of = "labels" if isinstance(panel, Scores) and panel.scale else panel.kind if panel is not None else str(kind)
    if of not in KINDS:
        raise BadParameter(f"kind={of} is not known.", suggest(of, KINDS, "Kinds"))
    _check(want, certainty, power, width, repeats, own, judges, items, top, share, agreement, deviation)
    if of == "groupings":
        return _cards(panel, want, agreement, items or 30, groups, certainty, width, cards, costs, seed)
    if of == "labels":
        if isinstance(panel, Scores):
            return _told(label_plan(panel, want, certainty, width or 0.2, costs, seed))
        labels = 2 if points is None else points
        who = (
            Labelling(labels, right, careless) if agreement is None else Labelling.agreeing(agreement, labels, careless)
        )
        return _told(assumed_label_plan(who, items or LABELLED, want, certainty, width or 0.2, costs, seed))
    source, rng = "pilot" if panel is not None else "assumptions", stream(seed, "plan", of)
    alphas = _expected(panel, agreement, points, deviation, studies) if of == "scores" else None
    if panel is not None:
        populations = pilot(panel, rng, own=own if repeats > 1 else 0.0, criterion=alphas.criterion if alphas else None)
    else:
        populations = [_assumed(of, agreement, items, points, difference, deviation, share, own, rng)]
    if not populations and (want or alphas is None):
        raise InputError("the pilot says nothing about a larger study.", "it takes two judges and two systems.")
    systems = max((p.levels.shape[1] for p in populations), default=1)
    top = min(TOP, max(systems - 1, 1)) if top is None and "top" in want else top
    if difference is None:
        difference = sum(map(_apart, populations)) / max(len(populations), 1)
    wanted = {"winner": certainty, "top": certainty, "difference": power, "width": width or 0.2}

    def aim(name: str, of: Sequence[Population], rng: np.random.Generator) -> Goal:
        first = top if name == "top" and top else 1
        return goal(name, wanted[name], of, rng, top=first, difference=difference or 0.0)

    goals = [aim(n, populations, rng) for n in (_goals(want, width, top, systems) if populations else ())]
    tasks = bool(populations) and populations[0].tasks
    lines = tuple(line for g in goals for line in _lines(of, g, judges, repeats, tasks, systems, costs))
    settings = {"top": top, "difference": difference, "certainty": certainty, "power": power, "width": width or 0.2}
    span = None
    if lines and any(p.judge_ends[1] for p in populations):
        each = ([replace(p, by_judge=p.judge_ends[k], may=None) for p in populations] for k in (0, 1))
        ends = [aim(goals[0].name, of, stream(seed, "plan span")) for of in each]
        fewest = [_fewest(_lines(of, g, judges, repeats, tasks, systems, costs)) for g in ends]
        span = fewest[0], fewest[1]
    widths = None
    if alphas is not None and (width is not None or not want):
        widths = alphas.widths(width or 0.2, studies, seed)
        settings |= {"criterion": alphas.criterion, "criteria": alphas.criteria}
    made = Plan(
        of,
        source,
        systems,
        tasks,
        lines,
        _trade_off(goals[0], lines, judges, repeats, tasks) if goals else (),
        _variances(populations[0], systems) if populations else {},
        settings,
        widths,
        notes=(*_notes(populations), *_few(panel)),
        leaders=_leaders(panel, seed) if isinstance(panel, Votes) else None,
        span=span,
    )
    return _told(made)


def _leaders(panel: Votes, seed: int) -> Finding:
    """How many votes more on the first two systems of a pilot tell them apart: what a pilot that goes on takes."""
    return trust(parse("votes_needed(leaders=2)", "votes", "trust"), VoteDesign.of(panel.by_name), Options(seed=seed))


def _goals(want: Sequence[str], width: float | None, top: int | None, systems: int) -> Sequence[str]:
    """The goals named, or all those for which enough is known."""
    able = top is not None and 1 <= top < systems
    if "top" in want and not able:
        raise BadParameter(f"top={top} of {systems} systems says nothing.", "from 1 to one fewer than there are.")
    return tuple(want) or tuple(n for n in WANTS if (n != "width" or width) and (n != "top" or able))


def _variances(population: Population, systems: int) -> dict[str, Any]:
    """What a plan rests on."""
    return {
        "systems": systems,
        "variance of systems": round(population.spread, 6),
        "variance of task x system": round(population.by_task, 6),
        "variance of judge x system": round(population.by_judge, 6),
        "variance of the rest": round(population.rest, 6),
    }


def _notes(populations: Sequence[Population]) -> Iterator[str]:
    if not populations:
        yield "there is one system only: nothing is compared"
    if len(populations) > 1:
        yield f"every task has items of its own: certainty is the mean over {len(populations):,} tasks"


def _few(panel: Panel | None) -> Iterator[str]:
    """That a pilot is so small that a plan from it is a guess."""
    if panel is None:
        return
    for what, number in (("judge", len(panel.judges)), ("task", len(panel.tasks))):
        if number < FEW and (what == "judge" or number > 1 or panel.kind == "votes"):
            yield f"the pilot has {many(number, what)}: how far {what}s differ is hardly known, and so is the plan"


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


@dataclass(frozen=True)
class Expected:
    """What is expected of scores: alpha, the scale, the criterion with the lowest alpha, and of how many."""

    alpha: float
    points: int
    deviation: float | None
    criterion: Any = None
    criteria: int = 0

    def widths(self, width: float, studies: int, seed: int) -> widths_of_scores.Widths:
        """Duplicates, items and tasks for intervals of a width."""
        return widths_of_scores.widths(
            self.alpha, width, points=self.points, deviation=self.deviation, studies=studies, seed=seed
        )


def _expected(
    panel: Panel | None, alpha: float | None, points: int | None, deviation: float | None, studies: int
) -> Expected:
    if studies < 100:
        raise BadParameter(f"studies={studies} are too few.", "100 at least.")
    if panel is None:
        return Expected(0.7 if alpha is None else alpha, 5 if points is None else points, deviation)
    if not isinstance(panel, Scores):
        raise InputError(f"the pilot panel holds {panel.kind}.", "leave out the kind.")
    seen = widths_of_scores.pilot(panel)
    return Expected(
        seen.alpha if alpha is None else alpha,
        seen.points if points is None else points,
        seen.deviation if deviation is None else deviation,
        *widths_of_scores.lowest(panel),
    )


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


def _fewest(lines: Iterable[Line]) -> int | None:
    """The judgments of the study that takes the fewest; None where none is large enough."""
    return min((line.judgments for line in lines if line.judgments is not None), default=None)


def _trade_off(
    g: Goal, lines: Sequence[Line], judges: Sequence[int], repeats: int, tasks: bool
) -> tuple[Mapping[str, Any], ...]:
    """The figure of a goal by judges and tasks, as far as it changes."""
    most = max((line.tasks for line in lines if line.goal == g.name and line.tasks), default=100)
    if not tasks:
        enough = max((line.judges for line in lines if line.goal == g.name and line.tasks and line.judges), default=1)
        shown = sorted({*judges, *(j for j in sizes(enough) if j > max(judges))})
        return tuple({"judges": j, "tasks": 1, "value": g.figure(Study(j, 1, repeats))} for j in shown)
    shown = [t for t in TASKS if t <= 2 * most][-7:]
    return tuple(
        {"judges": j, "tasks": t, "value": g.figure(Study(j, t, repeats))}
        for j in sorted(set(judges))[:8]
        for t in shown
    )


def _cards(
    panel: Panel | None,
    want: Sequence[str],
    agreement: float | None,
    items: int,
    groups: int | None,
    certainty: float,
    width: float | None,
    cards: int | None,
    costs: Costs,
    seed: int,
) -> Plan:
    goals = {"winner": "the same groups", "width": "width of a share"}
    if not set(want) <= set(goals):
        raise BadParameter("a card sort compares no systems.", "its goals: winner (the same groups) and width.")
    groups = min(GROUPS, max(items // 2, 2)) if groups is None else groups
    each = costs.judge + costs.judgment  # a person sorts once
    needs, gained, source, assumed = card_needs(
        panel, agreement, items, groups, certainty, width or 0.2, cards, each, seed
    )
    needs = tuple(n for n in needs if not want or n.goal in [goals[w] for w in want])
    number = shown(panel)[0] if panel is not None else items
    settings = {"certainty": certainty, "width": width or 0.2, "cards": cards}
    curve = gained if needs[0].goal == goals["winner"] else ()
    return _told(Plan("groupings", source, number, False, (), curve, assumed, settings, cards=needs))
