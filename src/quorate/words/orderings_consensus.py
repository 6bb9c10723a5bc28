"""What is said of the consensus of orderings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.inference.results import Answer, Finding
from quorate.orderings.long_orders import ITEMS
from quorate.panel.base import listed, many
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.words.facts import Fact
from quorate.words.numbers import share
from quorate.words.wording import as_lists_do, on, voters

SHOWN = 3  # circles in a sentence
PAIRS = 5  # pairs in a sentence


def facts(panel: Orderings, answer: Answer) -> list[Fact]:
    """What comes first, for people who read no table."""
    votes, findings = voters(panel), answer.findings
    alike: dict[str, list[Finding]] = {}
    for f in findings:
        alike.setdefault(_several(f) if len(panel.tasks) > 1 else _first(f, votes), []).append(f)
    stays = _stay_on_tasks if len(panel.tasks) > 1 else _stays
    out = []
    for said, fs in alike.items():
        methods = [str(f.method) for f in fs]
        equal = all(len(ranking) == 1 for f in fs for ranking in f.values)
        text = f"{said} ({', '.join(methods)}){stays(fs)}."
        out.append(Fact("first", text, {"methods": methods, "equal": equal}))
    circles = [c for f in findings[:1] for c in f.details.get("cycles", ()) if c]
    if circles and len(panel.tasks) == 1:
        shown = "; ".join(listed(c) for c in circles[0][:SHOWN])
        said = f"No order agrees with every majority: they go round in a circle among {shown}."
        out.append(Fact("circle", said, {"circles": circles[0]}))
    elif circles:
        where = on(len(circles), len(panel.tasks)).capitalize()
        out.append(Fact("circle", f"{where} no order agrees with every majority: they go round in a circle."))
    return [*out, *(fact for f in findings if (fact := _optima(f)))]


def _optima(f: Finding) -> Fact | None:
    """How many orders are equally good, and what all of them share."""
    several = [bool(s) for s in f.details.get("several", ())]
    if not any(several):
        return None
    method = str(f.method)
    if len(several) > 1:
        where = on(sum(several), len(several)).capitalize()
        text = f"{where} several orders are equally good ({method}); shown is the one nearest the rank sums."
        return Fact("optima", text, {"method": method, "tasks": sum(several)}, expert=True)
    details = {n: column[0] for n, column in f.details.items()}
    number, least = details["optima"], details["optima_at_least"]
    said = f"{number:,}" if number is not None else f"At least {least:,}"
    pairs = details.get("shared")
    text = f"{said} orders are equally good ({method}); shown is the one nearest the rank sums"
    if pairs is None:
        pass
    elif not pairs and details["shared_complete"]:
        text += ", and there is no pair that all of them order alike"
    elif pairs and len(pairs) <= PAIRS:
        text += f". All of them put {listed([f'{a} before {b}' for a, b in pairs])}"
    elif pairs:
        text += f". What all of them share is told by {len(pairs):,} pairs"
    if pairs is not None and not details["shared_complete"]:
        text += "; more may be shared, which is not proven" if pairs else "; what they share is not known"
    told = {n: details.get(n) for n in ("optima", "optima_at_least", "shared", "shared_complete")}
    return Fact("optima", f"{text}.", {"method": method, **told}, expert=True)


def _first(f: Finding, votes: int) -> str:
    """Who puts what first."""
    first, dropped = f.values[0][0], f.details["dropped"][0]
    who, put = (f"All {votes:,} judges together", "put") if votes > 1 else ("The only judge", "puts")
    if votes == 2:
        who = "Both judges together"
    if dropped:
        who, put = f"Without {listed(dropped)}, the other judges together", "put"
    if len(f.values[0]) == 1:
        return f"{who} {put} all items in one place" if len(first) > 1 else f"There is one item only, {first[0]}"
    return f"{who} {put} {listed(first)} first{', tied' if len(first) > 1 else ''}"


def _stays(findings: Sequence[Finding]) -> str:
    """How often what is first stays first in resampled panels, by the methods that agree on it."""
    first = findings[0].values[0][0]
    shares = {str(f.method): min(s.get(str(i), 0.0) for i in first) for f in findings if (s := f.details["first"][0])}
    if not shares or len(findings[0].values[0]) == 1:
        return ""
    who = listed(first) if len(first) == 1 else "each of them"
    return f"; {who} stays first in {_among(shares, findings)}"


def _several(f: Finding) -> str:
    """On how many tasks one item is first, alone."""
    alone = sum(len(r[0]) == 1 for r in f.values)
    if not alone:
        return "Several items share the first place on every task"
    return f"{on(alone, len(f.values)).capitalize()} one item is first, alone"


def _stay_on_tasks(findings: Sequence[Finding]) -> str:
    """How often those who are first alone stay first, on average over tasks."""
    means = {}
    for f in findings:
        alone = [(r[0][0], seen) for r, seen in zip(f.values, f.details["first"], strict=True) if len(r[0]) == 1]
        if shares := [seen.get(str(item), 0.0) for item, seen in alone if seen]:
            means[str(f.method)] = sum(shares) / len(shares)
    return f"; it stays first in {_among(means, findings)}" if means else ""


def _among(shares: Mapping[str, float], findings: Sequence[Finding]) -> str:
    """The shares by method, from least to most; which methods they are where others draw no panels anew."""
    low, high = share(min(shares.values())), share(max(shares.values()))
    by = f" ({', '.join(shares)})" if len(shares) < len(findings) else ""
    return f"{low if low == high else f'{low} to {high}'} of resampled panels{by}"


def notes(panel: Orderings, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    notes, parts, findings = list(panel.notes), list(stacks(panel)), answer.findings
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left out: of each judge the first ordering of a task counts")
    single = sum(int((p.counts.sum(axis=1) == 1).sum()) for p in parts)
    if 0 < single < len(panel.tasks):
        notes.append(
            f"{on(single, len(panel.tasks))} there is one judge only: what is told there is that judge's order"
        )
    if any((p.positions == 0).any() for p in parts):
        for policy in dict.fromkeys(str(f.method["missing"]) for f in findings):
            names = ", ".join(f.method.name for f in findings if f.method["missing"] == policy)
            why = as_lists_do(panel, answer.options.absent)
            notes.append(f"some judges left items out; an absent item means {policy} ({names}){why}")
    remarks: dict[str, list[str]] = {}
    for f in findings:
        for said in _remarks(f):
            remarks.setdefault(said, []).append(str(f.method))
    notes += [f"{', '.join(methods)}: {said}" for said, methods in remarks.items()]
    by_number: dict[int, list[str]] = {}
    for f in findings:
        drawn = max(f.details["resamples"], default=0)
        if 0 < drawn < answer.options.resamples:
            by_number.setdefault(drawn, []).append(str(f.method))
    for number, several in by_number.items():
        asked = f"{number:,} resamples a task, not {answer.options.resamples:,}"
        notes.append(f"{', '.join(several)}: rank intervals are of {asked}, to keep within the time")
    return notes


def _remarks(f: Finding) -> Iterator[str]:
    d, tasks = f.details, len(f.values)

    def where(flags: Sequence[Any]) -> str:
        return "" if tasks == 1 else f" {on(sum(map(bool, flags)), tasks)}"

    unproven = [v is False for v in d.get("optimal", ())]
    if any(unproven):
        gap = max((g for g in d.get("gap", ()) if g), default=None)
        far = f"; no order is better by more than {gap:.2%}" if gap else ""
        long = all(len(order) > ITEMS for order, u in zip(d["order"], unproven, strict=True) if u)
        why = ": too many items" if long else " within the limit (seconds=60 gives it a minute)"
        yield f"the best order is not proven{where(unproven)}{why}{far}"
    if any(closed is False for closed in d.get("closed", ())):
        yield "with so many items the order rests on the supported pairs alone; some of them may be broken"
    broken = d.get("broken", ())
    if any(broken):
        yield f"supported pairs go round in a circle{where(broken)}; the least supported were given up"
    if any(d.get("weights", ())):
        yield f"no judge agrees with the others{where(d['weights'])}, so all count the same"
    if not any(d["resamples"]):
        yield "no rank intervals: too few judges, or too much work"
    elif tasks > sum(map(bool, d["resamples"])):
        yield f"rank intervals{where(d['resamples'])}"
