"""How good the systems are: what was left aside, limited, or cannot be said, in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.board import ALPHA, COMPARED, fewer_flips, tasks_needed
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel import clusterings, lists
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_columns import covariates
from quorate.words.notes import about_panel, fewer_draws
from quorate.words.numbers import plain, two
from quorate.words.wording import are, on

FEW = 5  # systems or tasks that are named
UNEVEN = 1.2  # times as many votes of one system as of another, from which on it is told
DRAWN = {"tasks": "task", "judges": "judge", "items": "vote"}  # of votes: what systems are compared on
OTHERWISE = {
    "judges": "there is one task only, or none: intervals and differences are over judges",
    "items": "there is one task only, or none, and too few judges to draw: votes are drawn as if each stood for itself",
}
RANKS = "ranks hold for all systems together (95%), as the letters do; one system's alone would be narrower"
ONE_TASK = "one task only: intervals and differences are over judges, not tasks"


def notes(panel: Panel, answer: Answer, systems: Panel | None = None) -> list[str]:
    """What was left aside, or cannot be said."""
    out = about_panel(panel, answer, *([systems] if systems else []))
    if isinstance(panel, Scores):
        out += _of_scores(panel, answer)
    elif isinstance(panel, Votes):
        out += _of_votes(panel, answer)
    else:
        out += [*_beside(panel, systems, answer), *(note for f in answer.findings for note in _of_lists(f, answer))]
        out += [*_fewer_flips(answer), *filter(None, (too_few(f.overall) for f in answer.findings))]
    return [*dict.fromkeys([*out, *fewer_draws(answer)])]


def _beside(panel: Panel, systems: Panel | None, answer: Answer) -> Iterator[str]:
    """What of systems' lists or clusterings does not fit the judges'."""
    if isinstance(panel, Orderings) and isinstance(systems, Orderings):
        own = lists.beside(panel, systems) if panel.elsewhere is None else panel.elsewhere.lists
        what, has = "list", "has a list on"
        aside = "places in the lists are of items that no judge ranked"
    elif isinstance(panel, Groupings) and isinstance(systems, Groupings):
        own = clusterings_of(panel, systems, answer)
        what, has = "clustering", "did"
        aside = "items in systems' groups are known to no judge and left aside"
    else:
        return
    tasks, done, undone, unjudged = own.judged, own.done, list(own.undone), list(own.unjudged)
    if own.unknown:
        yield f"{own.unknown:,} of {own.rows:,} {aside}"
    for lack, ids in ((f"no system's {what}", undone), (f"{what}s but no judge", unjudged)):
        if ids:
            yield f"{_some(ids)} {'has' if len(ids) == 1 else 'have'} {lack} and left aside"
    partly = [(s, int(n)) for s, n in zip(systems.judges, done, strict=True) if n < tasks]
    yield from (f"system {system} {has} {n} of {tasks} tasks; its mean is over those" for system, n in partly[:FEW])
    if len(partly) > FEW:
        yield f"{len(partly) - FEW} more systems lack some tasks"
    for name, repeats in (("judges", panel.repeats), ("systems", systems.repeats)):
        if repeats:
            yield f"{many(repeats, 'repeat')} of the {name} left aside: on a task the first counts"
    if tasks == 1:
        yield ONE_TASK


def _fewer_flips(answer: Answer) -> Iterator[str]:
    """That every two of very many systems are compared by fewer flips of signs."""
    most = max((len(rows) for f in answer.findings for rows in by_criterion(f).values()), default=0)
    tested = any(o.least > 0 and o.labels.get("p_best") is not None for f in answer.findings for o in f.overall[:2])
    if tested and most <= COMPARED and (flips := fewer_flips(most)):
        yield f"every two of {most:,} systems: p is from {flips:,} flips of signs, and a small one may be smaller"


def _some(ids: Sequence[Hashable]) -> str:
    return f"{many(len(ids), 'task')} ({', '.join(map(str, ids[:FEW]))}{', ...' if len(ids) > FEW else ''})"


NEGATIVE = {  # what becomes of judges whom the others contradict
    "clip": "judges who contradict the others weigh 0",
    "keep": "values may lie beyond 1, since judges who contradict the others weigh less than 0",
    "mapped": "judges who contradict the others weigh less than half of what others can",
}


def _of_lists(f: Finding, answer: Answer) -> Iterator[str]:
    """What a reader must know of a method's values."""
    what = "lists" if answer.kind == "orderings" else "clusterings"
    undefined = int(np.isnan(np.asarray(f.values, float)).sum())
    if 0 < undefined < len(f.values):  # else a sentence says it
        yield f"{f.method}: undefined for {undefined:,} of {len(f.values):,} {what}, which are left out of the means"
    said = {
        "no_pattern": "no pattern is frequent {}; every list scores 0 then",
        "estimated": "too many patterns {}; values are estimates, see low and high",
        "too_large": "more patterns than can be counted {}; set max_len",
        "negative_weights": f"{NEGATIVE.get(str(f.method.parameters.get('negative')), '')} {{}}",
        "fallback": "no judge agrees with the others {}; all count the same then",
    }
    for name, text in said.items():
        held = {task for task, v in zip(f.keys["task"], f.details.get(name, ()), strict=False) if v}
        if held and (name != "fallback" or answer.judges > 1):
            yield f"{f.method}: {text.format(on(len(held), answer.tasks))}"
    made = {(r["method"], r["by"]) for r in answer.more.get("stability", ())}
    gone = [by for by in ("judges", "items") if (str(f.method), by) not in made]
    drawn = f.method.declaration.properties.get("stability") and answer.options.resamples and len(f.overall) > 1
    if drawn and gone and answer.judges > 2:
        yield f"{f.method}: too much work to resample {' and '.join(gone)}, so their stability is not told"


def about_scores(panel: Scores, made: Sequence[OutputDesign], judges: bool = True) -> Iterator[str]:
    """What is worth knowing of the panel for every figure about systems; ``judges``: where intervals are over them."""
    missing = panel.missing
    if missing:
        yield f"{many(missing, 'score')} of {len(panel):,} {are(missing)} missing"
    again = len(panel) - missing - sum(m.number_of_scores for m in made)
    if again > 0 and (panel.count == 1).all():
        yield f"{many(again, 'repeated score')} left aside: of a judge's repeats on an item the first counts"
    if made and len(made[0].tasks) == 1:
        yield from [ONE_TASK] if judges else []
    elif made and not made[0].named and made[0].by == "tasks":
        yield "no column 'system': every item is taken as a system"


def _of_scores(panel: Scores, answer: Answer) -> Iterator[str]:
    made = OutputDesign.every(panel)
    yield from about_scores(panel, made)
    for f in answer.findings:
        boards = by_criterion(f)
        yield from filter(None, (too_few(rows, made[0].called, made[0].by[:-1]) for rows in boards.values()))
        for design, fact in zip(made, f.about, strict=True) if f.method.name == "bradley_terry" else ():
            where = f"{fact['criterion']}: " if "criterion" in fact else ""
            tested = any(o.labels["p_best"] is not None for o in boards.get(fact.get("criterion"), ()))
            yield from (f"{f.method}: {where}{note}" for note in _compared(design, fact, tested))
    yield from about_methods(answer)


def _compared(made: OutputDesign, fact: Mapping[str, Any], tested: bool) -> Iterator[str]:
    """How many comparisons there are, and what they leave open."""
    yield f"{fact['comparisons']:,} comparisons, {fact['ties']:,} of them ties"
    judges = int(made.voters.sum())
    if len(made.tasks) == 1 and not tested and fact["comparisons"]:
        yield f"one task and {many(judges, 'judge')}: too few to tell any two systems apart for sure"
    yield from _in_parts(fact)
    yield from _held_by_prior(fact, "comparisons")
    if fact["never"]:
        yield f"compared with no other and left out: {', '.join(map(str, fact['never'][:FEW]))}"


def _held_by_prior(fact: Mapping[str, Any], of: str) -> Iterator[str]:
    """That wins and losses were given to every system, if they were."""
    if fact.get("prior"):
        given = f"given {plain(fact['prior'], 2)} wins and as many losses more, and such intervals are too narrow"
        yield f"the {of} alone set no limit to some strengths: every system is {given}"


def _in_parts(fact: Mapping[str, Any]) -> Iterator[str]:
    """That systems fall into parts that nobody compared, if they do."""
    parts = int(fact["part"].max(initial=-1)) + 1 if "part" in fact else 1
    if parts > 1:
        yield f"the systems fall into {parts} parts that nobody compared: their order is known within a part only"


def apart(f: Finding) -> Iterator[str]:
    """The same of a method of votes."""
    yield from (_in_parts(f.about[0]) if f.about else ())


def about_methods(answer: Answer) -> Iterator[str]:
    """What methods that weigh or level judges, or count, could not do."""
    yield from _fewer_flips(answer)
    for f in answer.findings:
        for fact in f.about:
            where = f"{fact['criterion']}: " if "criterion" in fact else ""
            yield from (f"{f.method}: {where}{note}" for note in _of_method(fact))


def _of_method(fact: Mapping[str, Any]) -> Iterator[str]:
    if fact.get("no_weight"):
        yield "no judge has a weight above 0, so all count the same"
    if fact.get("mean_weight"):
        yield f"{fact['mean_weight']} judges have no {fact['weights']} of their own and get the mean weight"
    if fact.get("weightless_units"):
        yield f"{fact['weightless_units']:,} units have only judges of weight 0; these count the same there"
    if fact.get("parts", 0) > 1:
        judges = f"the judges fall into {fact['parts']} parts that share no unit"
        yield f"{judges}: severity is taken out within a part, not between them"
    if fact.get("tied"):
        some = "the only unit has" if fact["units"] == 1 else f"{fact['tied']:,} of {fact['units']:,} units have"
        yield f"{some} no value that more judges gave than any other"


def drawn_over(panel: Votes, answer: Answer) -> str:
    """What intervals of votes are over: as asked for, or as usual."""
    return answer.options.over or VoteDesign.of(panel).over


def _beside_systems(about: Mapping[str, Any]) -> Iterator[str]:
    """What else strengths are free of, what could not be told from the systems, and that orders of votes matter."""
    worth = [f"{name} {two(value)}" for name, value in about.get("effects", {}).items() if name != "place"]
    if worth:
        yield f"strengths are free of what these are worth in log odds: {listed(worth, FEW)}"
    if about.get("unidentified"):
        yield f"not told from the systems, and left out: {listed(about['unidentified'], FEW)}"
    if about.get("discrimination"):
        by = sorted(about["discrimination"].items(), key=lambda each: each[1])
        ends = " to ".join(f"{two(d)} ({judge})" for judge, d in (by[0], by[-1]))
        yield f"judges count as their votes follow the strengths, the average one 1: {ends}"
    fewest, most = about.get("votes", (0, 0))
    if most > UNEVEN * fewest:
        yield f"it counts wins, so systems with more votes come out higher: they have {fewest:,} to {most:,}"
    if "orders" in about:
        mean = f"it is the mean over {about['orders']} shuffled orders"
        yield f"it depends on the order of votes: {mean}, between which a rating differs by up to {two(about['apart'])}"


def _of_votes(panel: Votes, answer: Answer) -> Iterator[str]:
    over = drawn_over(panel, answer)
    for f in answer.findings:
        about, name = f.about[0], f.method
        yield from (f"{name}: {note}" for note in apart(f))
        if about.get("placed"):
            yield f"{name}: strengths are free of what the first place is worth, {two(about['place'])} in log odds"
        elif "placed" in about and name["place"] == "auto" and not VoteDesign.of(panel).both_ways:
            yield f"{name}: every pair is shown in one order only: what the first place is worth is in the strengths"
        if "placed" in about and name["covariates"] is None and (held := covariates(VoteDesign.of(panel).columns)):
            yield f"{name}: what {listed(held, FEW)} may be worth is in the strengths; --covariates all takes it out"
        yield from (f"{name}: {note}" for note in _beside_systems(about))
        yield from (f"{name}: {note}" for note in _held_by_prior(about, "votes"))
        yield from filter(None, [too_few(f.overall, by=DRAWN.get(over, "task"))])
    if any(len({tuple(o.labels.get("ranks", ())) for o in f.overall}) > 1 for f in answer.findings):
        yield RANKS
    if answer.options.over is None and any(o.interval for f in answer.findings for o in f.overall):
        yield from filter(None, [OTHERWISE.get(over)])


def too_few(rows: Sequence[Overall], what: str = "system", by: str = "task") -> str:
    """That no difference could be significant on so few tasks, however large; '' where one could, or was found.

    >>> labels = {"tasks": 5, "p_best": 0.1}
    >>> too_few([Overall(value, labels=labels, least=0.0625) for value in (1, 0)])
    'on 5 tasks no difference between 2 systems could be significant: it takes at least 6 tasks'
    """
    rows = [o for o in rows if not math.isnan(o.value)]
    if len(rows) < 2 or not max(o.least for o in rows) >= ALPHA:
        return ""
    found = any((p := o.labels.get("p_best")) is not None and p < ALPHA for o in rows)
    if found or len({o.labels.get("group") for o in rows}) > 1:  # between others than the best
        return ""
    tasks = [int(o.labels["tasks"]) for o in rows]
    most = "at most " if len(set(tasks)) > 1 else ""
    between = f"no difference between {many(len(rows), what)} could be significant"
    enough = tasks_needed(len(rows))
    more = f"it takes at least {many(enough, by)}" if max(tasks) < enough else f"they share too few {by}s"
    return f"on {most}{many(max(tasks), by)} {between}: {more}"


def by_criterion(finding: Finding) -> dict[Any, list[Overall]]:
    """The leaderboard of every criterion."""
    names = [o.labels.get("criterion") for o in finding.overall]
    groups: dict[Any, list[Overall]] = {name: [] for name in names}
    if len(groups) == 1:
        return {names[0]: list(finding.overall)}
    for name, o in zip(names, finding.overall, strict=True):
        groups[name].append(o)
    return groups


def clusterings_of(panel: Groupings, systems: Groupings, answer: Answer) -> Any:
    """What systems made of the judges' tasks, and what does not fit."""
    return panel.elsewhere.lists if panel.elsewhere else clusterings.beside(panel, systems, answer.options.absent)
