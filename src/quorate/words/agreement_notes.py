"""Agreement: what was left aside, limited, or cannot be said, in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from operator import ne
from typing import Any

import numpy as np

from quorate.inference import judge_groups
from quorate.inference.results import Answer, Finding, Overall
from quorate.inference.samples import TASKS
from quorate.kernels.defined import quotient
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Orderings, Scores
from quorate.panel.partitions import UNSHOWN, absence, sheets
from quorate.panel.score_design import VALUES
from quorate.panel.score_facts import ScoreFacts, rare, score_facts
from quorate.panel.sheets import Sheets
from quorate.panel.units import criteria, repeats
from quorate.table import Method
from quorate.words.notes import about_panel, fewer_draws, need_numbers, of_some
from quorate.words.numbers import share, two
from quorate.words.wording import (
    are,
    called,
    criterion,
    judges_of_tasks,
    on,
    voters,
)

FEW_ITEMS = 0.5  # of the usual share of items used, below which a judge used few
NAMED = 5  # judges named
UNITS = 20  # below which an interval over units is rough
COUNTED = 20  # judges, from which on the interval of a count of their common patterns is too narrow
COUNTS = ("alpha", "percent", "fleiss", "gwet", "label_sets")  # know of a row that stands for several judges
SAME = "no judge left an item out: singletons, bucket and common are the same"
COMPONENTS = {"unit": "units", "judge": "judges", "residual": "what is left"}  # of the variance


def notes(panel: Panel, answer: Answer) -> list[str]:
    """What was left aside, limited, or cannot be said."""
    own: dict[str, Callable[..., Iterator[str]]]
    own = {"orderings": _of_orderings, "groupings": _of_groupings, "scores": _of_scores}
    out = [*about_panel(panel, answer), *(own[panel.kind](panel, answer) if panel.kind in own else ())]
    return list(dict.fromkeys([*out, *fewer_draws(answer)]))


def _of_orderings(panel: Orderings, answer: Answer) -> Iterator[str]:
    tasks, single = len(panel.tasks), int((judges_of_tasks(panel) == 1).sum())
    by: dict[int, list[str]] = {}
    for f in answer.findings:
        undefined = sum(map(ne, f.values, f.values)) - (single if single < tasks else 0)
        by.setdefault(undefined, []).append(str(f.method))
    for undefined, methods in by.items():
        rest = f", which {are(undefined)} left out of the mean" if undefined < tasks else ""
        if undefined:
            yield f"{', '.join(methods)}: undefined {on(undefined, tasks)}{rest}"
    counted = [str(f.method) for f in answer.findings if f.method.name == "kappa" and f.interval is not None]
    if counted and panel.nesting and answer.options.over in (None, "tasks"):
        over = f"intervals over {panel.nesting[0]}s are too narrow"
        yield f"{', '.join(counted)}: {over}, since a few of them carry the mean of a count"
    over_judges = [f for f in answer.findings if f.interval is not None and f.interval.over == "judges"]
    short = [str(f.method) for f in over_judges if f.method.name == "kendall_w" or _many_counted(f, panel)]
    if short:
        yield f"{', '.join(short)}: intervals over judges are a little too narrow"
    yield from of_some(answer)


def _many_counted(f: Finding, panel: Panel) -> bool:
    """Whether patterns of many judges are counted: of few their interval is wide enough."""
    return f.method.name == "kappa" and voters(panel) >= COUNTED


def _of_groupings(panel: Groupings, answer: Answer) -> Iterator[str]:
    from quorate.groupings import q_support

    found, unshown = sheets(panel), absence(panel, answer.options.absent) == UNSHOWN
    nothing = int((found.used == 0).sum())
    if nothing:
        yield f"{many(nothing, 'grouping')} left out every item"
    if not found.left_out(unshown):
        yield SAME
    yield from _used_few(panel, found, unshown)
    _, judges = np.unique(found.task[found.items > q_support.ITEMS], return_counts=True)
    if len(judges) and any(f.method.name == "together" for f in answer.findings):
        told = f"{many(len(judges), 'task')} with more than {q_support.ITEMS:,} items"
        drawn = min(map(q_support.sample, judges.tolist()))
        yield f"together: on {told}, from {drawn:,} pairs of each judge drawn at random"
    if (judges_of_tasks(panel) == 1).all():
        return
    if "by_pair" in answer.more and len(panel.tasks) > TASKS:
        yield f"every two judges are compared on {TASKS:,} of {len(panel.tasks):,} tasks, drawn at random"
    if any(o.interval and o.interval.over == "judges" for f in answer.findings for o in f.overall):
        yield "where one judge in ten or more answers at random, intervals over judges are too narrow"
    out: dict[str, list[str]] = {}
    for f in answer.findings:
        undefined = int(np.isnan(np.array(f.values, float)).sum())
        if undefined and "pair" in f.keys:
            some = "every pair" if undefined == len(f.values) else f"{undefined:,} of {len(f.values):,} pairs"
            rest = "" if undefined == len(f.values) else ", left out of the mean"
            out.setdefault(f"undefined for {some}{rest}", []).append(str(f.method))
        elif "pair" not in f.keys and f.overall and math.isnan(f.overall[0].value):
            out.setdefault("undefined, no judge put two items together", []).append(str(f.method))
    yield from (f"{', '.join(methods)}: {why}" for why, methods in out.items())
    yield from of_some(answer)


def _used_few(panel: Groupings, found: Sheets, unshown: bool) -> Iterator[str]:
    """Judges who used less than half as large a share of the items as the others: what they left out decides."""
    used, shown = (np.bincount(found.judge, n, len(panel.judges)) for n in (found.used, found.shown(unshown)))
    part = quotient(used, shown)
    usual = float(np.nanmedian(part))
    few = [k for k in np.flatnonzero(part < FEW_ITEMS * usual).tolist() if used[k] > 0]
    if few and len(part) > 2:
        named = [f"{called(panel.judges[k])} ({share(float(part[k]))})" for k in few]
        told = (
            listed(named, NAMED) if len(part) <= judge_groups.JUDGES else many(len(few), "judge")
        )  # of so many nobody is named
        said = f"{told} used few items, a judge usually {share(usual)}"
        yield f"{said}: what was left out decides their figures; left_out=common compares what both used"


def rare_labels(panel: Scores, answer: Answer) -> Iterator[str]:
    """Criteria on which hardly any unit has another label than the usual one, where intervals are over units."""
    over = {o.interval.over for f in answer.findings for o in f.overall if o.interval}
    if not panel.scale or all("tasks" in unit or "judges" in unit for unit in over):
        return
    for facts in score_facts(panel):
        if facts.apart and rare(facts.apart, facts.shared):
            where = "" if facts.criterion is None else f" on {called(facts.criterion, 'criterion')}"
            few = f"on {facts.apart:,} of {many(facts.shared, 'unit')}{where} somebody gives another label"
            yield f"only {few} than the usual one: intervals over units rest on these few and are rough"


def _of_scores(panel: Scores, answer: Answer) -> Iterator[str]:
    parts = score_facts(panel)
    yield from need_numbers(panel, answer.left)
    missing = panel.missing
    if missing:
        yield f"{many(missing, 'missing score')} left out"
    again = 0 if panel.elsewhere is not None else _repeated(panel)
    if again:
        yield f"{many(again, 'repeat')} {are(again)} not compared with other judges; see self-agreement"
    for facts in parts:
        where = "" if facts.criterion is None else f" on {called(facts.criterion, 'criterion')}"
        yield from _of_units(facts, where, panel.scale)
    yield from rare_labels(panel, answer)
    apart = [str(f.method) for f in answer.findings if not _counts(f.method)]
    if apart and any(u.counted for u in parts):
        yield f"{', '.join(apart)}: a row that stands for several judges is taken as one"
    if any(u.values > VALUES for u in parts) and any(o.null for f in answer.findings for o in f.overall):
        yield f"chance and p are from about {VALUES:,} scores of units drawn at random"
    for f in answer.findings:
        undefined = sum(map(ne, f.values, f.values))
        if undefined and len(f.values) > 1:
            yield f"{f.method}: undefined {on(undefined, len(f.values))}"
        yield from (note for o in f.overall for note in _rests_on(f, o))


def _rests_on(f: Finding, o: Overall) -> Iterator[str]:
    """What a method could not use, or only in part."""
    told = o.labels
    if told.get("components"):
        shares = ", ".join(f"{two(v)} of {COMPONENTS[name]}" for name, v in told["components"].items())
        if not math.isnan(o.value):
            yield f"{f.method}{criterion(o)}: judges scored different units, so it rests on variances: {shares}"
    elif "complete_units" in told and told["complete_units"] < told["units"]:
        used, of = told["complete_units"], told["units"]
        yield f"{f.method}{criterion(o)}: rests on the {used:,} of {of:,} units that every judge scored"
    if told.get("pairs_sampled"):
        yield f"{f.method}: over {told['pairs']:,} pairs of judges drawn at random"


def _counts(method: Method) -> bool:
    """Whether a method knows of a row that stands for several judges."""
    return method.name in COUNTS or (method.name == "icc" and method["model"] == 1)


def _repeated(panel: Scores) -> int:
    """Scores of units that the judge had scored before."""
    every = (row for _, rows in criteria(panel) for row in repeats(panel, rows))
    return sum(len(mine) - int(unit.max()) - 1 for _, unit, mine in every)


def _of_units(facts: ScoreFacts, where: str, scale: Sequence[Any]) -> Iterator[str]:
    """That units have one score, that scores do not vary, or that units are few."""
    if facts.single:
        some = "every unit" if facts.single == facts.size else f"{facts.single:,} of {many(facts.size, 'unit')}"
        has = "has" if facts.single in (1, facts.size) else "have"
        yield f"{some}{where} {has} one score only: there is nothing to agree with"
    if facts.same is not None:
        same = f"'{scale[int(facts.same)]}'" if scale else f"{facts.same:g}"
        yield f"no variation{where}: every score is {same}, so agreement beyond chance is undefined"
    elif 1 < facts.shared < UNITS:
        yield f"{facts.shared} units{where} are few: the intervals are rough"
