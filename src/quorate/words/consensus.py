"""What the judges agree on, in words: an order, groups, labels, or a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.adjudication import certainty, differ, to_decide
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import Panel, listed, many
from quorate.panel.kinds import Groupings, Scores, Votes
from quorate.panel.outputs import OutputDesign
from quorate.words.facts import Fact
from quorate.words.notes import about_panel, fewer_draws, need_numbers, of_some
from quorate.words.numbers import share
from quorate.words.quality import SHOWN, how_many, who_leads
from quorate.words.quality_notes import about_methods, about_scores, apart
from quorate.words.wording import called, criterion, on, those, voters

CIRCLES = 3  # in a sentence
PAIRS = 5  # in a sentence
ALONE = 12  # items that stand alone, at most
DISPUTED = 5  # items that are named
ROUGH = 20  # resampled panels, of fewer it is said roughly how often an item stays


def facts(panel: Panel, answer: Answer) -> list[Fact]:
    """What comes first, which groups there are, or which label each item has."""
    results = {f.called for f in answer.findings}
    if results == {"ranking"}:
        return [*_orders(panel, answer), *_circles(panel, answer), *map(_optima, filter(_several, answer.findings))]
    if results == {"groups"}:
        return [*map(_groups, answer.findings), *_alone(answer.findings[0]), *_agreed(answer.findings[0])]
    if isinstance(panel, Scores) and panel.scale:
        said = [Fact("first", _label(o, f)) for f in answer.findings[:1] for o in f.overall[:SHOWN]]
        if not said:
            return [Fact("nothing", "There are no scores.")]
        return [*said, *_latent(answer), *_disputed(answer.findings)]
    made = OutputDesign.every(panel)  # type: ignore[arg-type]
    return [how_many(panel, made, answer), *who_leads(made, answer)]


# -- orders ------------------------------------------------------------------------------------------------------------


def _orders(panel: Panel, answer: Answer) -> Iterator[Fact]:
    """What comes first by the methods that agree on it, and how often it stays first."""
    alike: dict[str, list[Finding]] = {}
    tasks = max(len(f.values) for f in answer.findings)  # votes have one order over all tasks
    parted, what = any(any(apart(f)) for f in answer.findings), _what(panel)
    for f in answer.findings:
        alike.setdefault(_first_of_tasks(f) if tasks > 1 else _first(panel, f, parted), []).append(f)
    for said, fs in alike.items():
        methods = [str(f.method) for f in fs]
        equal = all(len(ranking) == 1 for f in fs for ranking in f.values)
        yield Fact("first", f"{said} ({', '.join(methods)}){_stays(fs, what)}.", {"methods": methods, "equal": equal})


def _what(panel: Panel) -> str:
    return "system" if isinstance(panel, Votes) else "item"


def _first(panel: Panel, f: Finding, parted: bool) -> str:
    """Who puts what first; ``parted``: some systems were not compared with others."""
    order, votes = f.values[0], voters(panel)
    first, dropped = order[0], f.details.get("dropped", [()])[0]
    who, put = (f"All {votes:,} judges together", "put") if votes > 1 else ("The only judge", "puts")
    if isinstance(panel, Votes):
        who, put = "Though not all systems were compared with one another, the votes" if parted else "The votes", "put"
    elif dropped:
        who, put = f"Without {those(dropped)}, the other judges together", "put"
    elif votes == 2:
        who = "Both judges together"
    if len(order) == 1 and isinstance(panel, Votes):
        return f"{who} {put} all systems level"
    if len(order) == 1 and len(first) == 1:
        return f"There is one item only, {called(first[0], 'item')}"
    if len(order) == 1:
        return f"{who} {put} all items in one place"
    return f"{who} {put} {those(first, _what(panel))} first{', tied' if len(first) > 1 else ''}"


def _first_of_tasks(f: Finding) -> str:
    """On how many tasks one item is first, alone, and another is behind it."""
    alone = sum(len(r[0]) == 1 and len(r) > 1 for r in f.values)
    if not alone:
        return "Several items share the first place on every task"
    return f"{on(alone, len(f.values)).capitalize()} one item is first, alone"


def _stays(findings: Sequence[Finding], what: str) -> str:
    """How often what is first stays first in resampled panels, on average over tasks; from least to most by method."""
    shares: dict[str, float] = {}
    who = "it"
    for f in findings:
        if len(f.values) == 1:
            top, seen = f.values[0][0], f.details["first"][0]
            if seen and len(f.values[0]) > 1:
                shares[str(f.method)] = min(seen.get(str(i), 0.0) for i in top)
                who = those(top, what) if len(top) == 1 else "each of them"
        else:
            alone = [(r[0][0], seen) for r, seen in zip(f.values, f.details["first"], strict=True) if len(r[0]) == 1]
            if known := [seen.get(str(item), 0.0) for item, seen in alone if seen]:
                shares[str(f.method)] = sum(known) / len(known)
    if not shares:
        return ""
    low, high = share(min(shares.values())), share(max(shares.values()))
    by = f" ({', '.join(shares)})" if len(shares) < len(findings) else ""
    return f"; {who} stays first in {low if low == high else f'{low} to {high}'} of resampled panels{by}"


def _circles(panel: Panel, answer: Answer) -> Iterator[Fact]:
    """That majorities go round in a circle."""
    circles = [c for f in answer.findings[:1] for c in f.details.get("cycles", ()) if c]
    if circles and len(panel.tasks) == 1:
        shown = "; ".join(those(c, _what(panel)) for c in circles[0][:CIRCLES])
        said = f"No order agrees with every majority: they go round in a circle among {shown}."
        yield Fact("circle", said, {"circles": circles[0]})
    elif circles:
        where = on(len(circles), len(panel.tasks)).capitalize()
        yield Fact("circle", f"{where} no order agrees with every majority: they go round in a circle.")


def _several(f: Finding) -> bool:
    return any(f.details.get("several", ()))


def _optima(f: Finding) -> Fact:
    """How many orders are equally good, and what all of them share."""
    method, several = str(f.method), list(map(bool, f.details["several"]))
    shown = f"orders are equally good ({method}); shown is the one nearest the rank sums"
    if len(several) > 1:
        where = on(sum(several), len(several)).capitalize()
        return Fact("optima", f"{where} several {shown}.", {"method": method, "tasks": sum(several)}, expert=True)
    told = {n: f.details[n][0] for n in ("optima", "optima_at_least", "shared", "shared_complete") if n in f.details}
    number, pairs, complete = told["optima"], told.get("shared"), told.get("shared_complete")
    text = f"{number:,} {shown}" if number is not None else f"At least {told['optima_at_least']:,} {shown}"
    if pairs:
        before = [f"{called(a, 'item')} before {called(b, 'item')}" for a, b in pairs]
        few = f"All of them put {listed(before, PAIRS)}"
        text += f". {few if len(pairs) <= PAIRS else f'What all of them share is told by {len(pairs):,} pairs'}"
    elif pairs is not None and complete:
        text += ", and there is no pair that all of them order alike"
    if pairs is not None and not complete:
        text += "; more may be shared, which is not proven" if pairs else "; what they share is not known"
    keys = ("optima", "optima_at_least", "shared", "shared_complete")
    return Fact("optima", f"{text}.", {"method": method, **{n: told.get(n) for n in keys}}, expert=True)


# -- groups ------------------------------------------------------------------------------------------------------------


def _groups(f: Finding) -> Fact:
    """How many groups there are, and how much of its group an item keeps with other judges."""
    seen = [own["stays"] for items in f.details.get("items", ()) for own in items.values() if own["stays"] is not None]
    kept = sum(seen) / len(seen) if seen else math.nan
    stay = f"; with other judges like these an item keeps {share(kept)} of its group" if seen else ""
    if len(f.values) == 1:
        groups, left = f.values[0], f.keys["left_out"][0]
        alone = sum(len(g) == 1 for g in groups)
        several = len(groups) - alone
        said = [f"{many(several, 'group')} of two items or more" if several else "No two items together"]
        said += [f"{many(alone, 'item')} alone"] if alone else []
        said += [f"{len(left)} left out"] if left else []
        text = ", ".join(said)
    else:
        mean = sum(sum(len(g) > 1 for g in groups) for groups in f.values) / len(f.values)
        text = f"A task has {mean:.1f} groups of two items or more on average"
    return Fact("first", f"{text}{stay} ({f.method}).", {"method": str(f.method), "stays": kept})


def _alone(f: Finding) -> Iterator[Fact]:
    """Which items stand alone: no majority puts them with the others of any group."""
    alone = {task: [g[0] for g in groups if len(g) == 1] for task, groups in zip(f.keys["task"], f.values, strict=True)}
    number = sum(map(len, alone.values()))
    if not number:
        return
    who = those(next(iter(alone.values())), "item", ALONE)
    if len(alone) > 1:
        who = f"{many(number, 'item')} on {many(sum(map(bool, alone.values())), 'task')}"
    them = "it" if number == 1 else "them"
    said = (
        f"{who} stand{'s' if number == 1 else ''} alone: most judges keep {them} apart from every group ({f.method})."
    )
    data = [{"task": task, "items": items} for task, items in alone.items() if items]
    yield Fact("first", said, {"method": str(f.method), "alone": data}, expert=True)


def _agreed(f: Finding) -> Iterator[Fact]:
    if not math.isnan(f.value):
        said = f"The consensus by {f.method} and a judge agree on {share(f.value)} of the pairs of items."
        yield Fact("first", said, {"method": str(f.method), "estimate": f.overall[0]})


# -- labels ------------------------------------------------------------------------------------------------------------


def _label(o: Overall, f: Finding) -> str:
    """How many items have a label, and which is the most frequent."""
    by = "is likelier than any other" if "certainty" in f.details else "more judges gave than any other"
    decided, units, times = o.labels["decided"], o.labels["units"], o.labels["times"]
    if not decided:
        return f"No item{criterion(o)} has a label that {by}."
    some = "The only item" if units == 1 else f"{decided:,} of {units:,} items"
    often = [f"'{label}'" for label, number in o.labels["labels"].items() if number == times]
    how = f"{listed(often)} ({times:,}{' each' if len(often) > 1 else ''})"
    has = "has" if decided == 1 else "have"
    return f"{some}{criterion(o)} {has} a label that {by}, most often {how}."


def _latent(answer: Answer) -> Iterator[Fact]:
    """By methods that weigh judges: how many labels are expected to be right, and differ from the majority's."""
    usual = next((f for f in answer.findings if f.method.name == "majority"), None)
    for f in answer.findings:
        if "certainty" not in f.details:
            continue
        for o in f.overall[:SHOWN]:
            said = f"Weighing judges by how often they are right ({f.method}){criterion(o)}, {share(o.value)} of "
            said += "the labels are expected to be right"
            yield Fact("latent", f"{said}.", {"method": str(f.method), "estimate": o})
        if usual is not None and usual is not f:
            other = [k for k, (a, b) in enumerate(zip(usual.values, f.values, strict=True)) if a != b]
            open_ = sum(usual.values[k] is None for k in other)
            if other:
                text = (
                    f"{many(len(other), 'item')} get{'s' if len(other) == 1 else ''} another label than the majority's"
                )
                text += f", {open_:,} of them because no label had a majority" if 0 < open_ < len(other) else ""
                text += ": no label had a majority" if open_ == len(other) else ""
                yield Fact("latent", f"{text} ({f.method}).", {"method": str(f.method), "units": other})


def _disputed(findings: Sequence[Finding]) -> list[Fact]:
    """The items to adjudicate first: those whose label is least certain."""
    f = findings[0]
    votes, judges = f.details["votes"], f.details["judges"]
    sure = certainty(findings)
    open_ = to_decide(findings)
    if not open_:
        return []
    disputed = sum(differ(findings))
    keys = [n for n in ("item", "task", "criterion") if n in f.keys and (n == "item" or len(set(f.keys[n])) > 1)]
    named = [f"{' of '.join(str(f.keys[n][k]) for n in keys)} ({votes[k]} of {judges[k]})" for k in open_[:DISPUTED]]
    rest = f"; {disputed:,} items are disputed" if disputed > DISPUTED else ""
    told = [{"votes": votes[k], "judges": judges[k], **({"certainty": sure[k]} if sure else {})} for k in open_]
    data = {"units": [{n: f.keys[n][k] for n in f.keys} | more for k, more in zip(open_, told, strict=True)]}
    return [Fact("first", f"Adjudicate first: {', '.join(named)}{rest}.", data)]


# -- notes -------------------------------------------------------------------------------------------------------------


def notes(panel: Panel, answer: Answer) -> list[str]:
    """What was left aside, is not proven, or cannot be said."""
    out = about_panel(panel, answer)
    if isinstance(panel, Scores):
        out += need_numbers(panel, answer.left)
        if not panel.scale:
            out += [*about_scores(panel, OutputDesign.every(panel)), *about_methods(answer)]
    if isinstance(panel, Groupings) and answer.left:
        out.append(f"{listed(list(map(str, answer.left)))} left out: groups of so many items are too large for it")
    by: dict[str, list[str]] = {}
    for f in answer.findings:
        for said in _remarks(panel, f):
            by.setdefault(said, []).append(str(f.method))
    out += [f"{', '.join(methods)}: {said}" for said, methods in by.items()]
    return list(dict.fromkeys([*out, *of_some(answer), *fewer_draws(answer)]))


def _remarks(panel: Panel, f: Finding) -> Iterator[str]:
    """What must be known of a method's orders or groups."""
    d = f.details
    if f.called == "ranking":
        yield from apart(f)
        yield from _of_orders(d, len(f.values))
    if f.called == "groups":
        yield from _of_groups(d, f.values)
        if any(d.get("judges_drawn", ())):
            yield f"how much a judge agrees with it is told of {d['judges_drawn'][0]:,} judges drawn at random"


def _where(flags: Sequence[Any]) -> str:
    return "" if len(flags) == 1 else f" {on(sum(map(bool, flags)), len(flags))}"


def _of_orders(d: Mapping[str, Sequence[Any]], tasks: int) -> Iterator[str]:
    unproven = [v is False for v in d.get("optimal", ())]
    if any(unproven):
        gap = max((g for g in d.get("gap", ()) if g), default=None)
        from quorate.orderings.large_consensus import ITEMS  # here and below: other kinds stay unloaded

        far = f"; no order is better by more than {gap:.2%}" if gap else ""
        long = all(len(order) > ITEMS for order, u in zip(d["order"], unproven, strict=True) if u)
        why = ": too many items" if long else " within the limit (seconds=60 gives it a minute)"
        yield f"the best order is not proven{_where(unproven)}{why}{far}"
    if any(closed is False for closed in d.get("closed", ())):
        yield "with so many items the order rests on the supported pairs alone; some of them may be broken"
    if any(d.get("broken", ())):
        yield f"supported pairs go round in a circle{_where(d['broken'])}; the least supported were given up"
    if any(d.get("weights", ())):
        yield f"no judge agrees with the others{_where(d['weights'])}, so all count the same"
    drawn = sum(map(bool, d["resamples"]))
    if not drawn:
        yield "no rank intervals: too few judges or tasks to draw, or too much work"
    elif drawn < tasks:
        yield f"rank intervals{_where(d['resamples'])}"


def _of_groups(d: Mapping[str, Sequence[Any]], values: Sequence[Any]) -> Iterator[str]:
    nothing = [None] * len(values)
    unproven = [optimal is False for optimal in d.get("optimal", nothing)]
    if any(unproven):
        each = zip(d["gap"], d["bound"], unproven, strict=True)
        below = f"pair votes are {max(gap / bound for gap, bound, open_ in each if open_):.0%} below a bound"
        yield f"the best partition is not proven{_where(unproven)}: {below}; see gap"
    unseen = sum(n or 0 for n in d.get("unseen", nothing))
    if unseen:
        were = "was" if unseen == 1 else "were"
        yield f"{many(unseen, 'pair')} of items {were} shown to no judge: whether they belong together is unknown"
    undecided = sum(len(items or ()) for items in d.get("undecided", nothing))
    if undecided:
        yield f"{many(undecided, 'item')} could be in another group and the judges agree as much: see undecided"
    chained = [bool(ends) for ends in d.get("chains", nothing)]
    if any(chained):
        yield f"some groups hold together by a chain only{_where(chained)}: see chains, or join=cliques"
    drawn = [n for n in d.get("resamples", nothing) if n]
    if drawn and min(drawn) < ROUGH:
        yield f"how often an item stays is from {min(drawn)} resampled panels a task: rough for one task"
    if not drawn:
        yield "too few judges, or too many items, for how often items stay"
    elif len(drawn) < len(values):
        yield f"how often items stay is told {on(len(drawn), len(values))}, to keep within the time"
    from quorate.groupings.consensus_support import PAIRS

    cut = [sum(len(g) * (len(g) - 1) // 2 for g in groups) > PAIRS for groups in values]
    if any(cut):
        yield f"more than {PAIRS:,} pairs{_where(cut)}: those of later groups are not listed"
