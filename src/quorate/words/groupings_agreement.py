"""What the agreement of groupings is, in words: sentences, and notes on what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate.groupings import q_support
from quorate.groupings.pairwise import MEASURES
from quorate.inference.engine import TASKS
from quorate.inference.judge_pairs import SIGNIFICANT, beyond
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import listed, many
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import NOWHERE, UNSHOWN, Partitions, partitions
from quorate.words.facts import Fact
from quorate.words.generic import said_of_any
from quorate.words.limits import fewer_draws
from quorate.words.numbers import share, two
from quorate.words.wording import LEFT_OUT, all_of, by_chance, on, voters

COUNTED = "a row with a count stands for so many judges, in all means; they are compared with one another too"
SHOWN = 3  # pairs of judges named
SAME = "no judge left an item out: singletons, bucket and common are the same"
FEW = 10  # tasks, below which an interval over tasks is rough


def notes(panel: Groupings, answer: Answer) -> list[str]:
    """What was left aside, done less of, or cannot be said."""
    parts, findings = partitions(panel, answer.options.absent), answer.findings
    out = [*panel.notes, *absent_items(panel, answer)]
    if panel.repeats:
        verb = "is" if panel.repeats == 1 else "are"
        out.append(f"{many(panel.repeats, 'repeat')} {verb} not compared with other judges; see self-agreement")
    if (panel.count != 1).any():
        out.append(COUNTED)
    single = _alone(parts)
    if single and single < len(parts):
        out.append(f"{on(single, len(parts))} there is one judge only and nothing to agree with")
    if 1 < len(parts) < FEW:
        out.append(f"{len(parts)} tasks are few: the intervals over tasks are rough")
    nothing = sum(int((p.used == 0).sum()) for p in parts)
    if nothing:
        out.append(f"{many(nothing, 'grouping')} left out every item")
    if not any((p.labels == -1).any() for p in parts):
        out.append(SAME)
    large = sum(p.labels.shape[1] > q_support.ITEMS for p in parts)
    if large and any(f.method.name == "together" for f in findings):
        told = f"{many(large, 'task')} with more than {q_support.ITEMS:,} items"
        drawn = min(q_support.sample(len(p.labels)) for p in parts if p.labels.shape[1] > q_support.ITEMS)
        out.append(f"together: on {told}, from {drawn:,} pairs of each judge drawn at random")
    if len(parts) > TASKS and any(o.null for f in findings for o in f.overall):
        out.append(f"chance and p of all tasks together are from {TASKS:,} of {len(parts):,} tasks, drawn at random")
    out += fewer_draws(answer)
    if single < len(parts):
        out += [f"{', '.join(methods)}: {why}" for why, methods in _undefined(findings).items()]
    return out


def absent_items(panel: Groupings, answer: Answer) -> list[str]:
    """What an item without a row was taken for, and the option that says otherwise."""
    parts = partitions(panel, answer.options.absent)
    cells = sum(p.labels.size for p in parts)
    gone = sum(int((p.labels == NOWHERE).sum()) for p in parts)
    if gone:
        seen = f"a judge was shown {share(1 - gone / cells)} of a task's items on average, those with a row"
        rest = "two judges are compared on items shown to both; if they saw the others and put them nowhere: "
        return [f"{seen}: {rest}--absent left-out"]
    if all((p.labels > NOWHERE).all() for p in partitions(panel, UNSHOWN)):
        return []
    return ["items without a row count as left out; if they were not shown to the judge: --absent not-shown"]


def _alone(parts: Sequence[Partitions]) -> int:
    """On how many tasks there is one judge only."""
    return sum(int(p.counts.sum()) == 1 for p in parts)


def _undefined(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """What is undefined and why, with the methods."""
    out: dict[str, list[str]] = {}
    for f in findings:
        undefined = int(np.isnan(np.array(f.values, float)).sum())
        if undefined and "pair" in f.keys:
            some = "every pair" if undefined == len(f.values) else f"{undefined:,} of {len(f.values):,} pairs"
            rest = "" if undefined == len(f.values) else ", left out of the mean"
            out.setdefault(f"undefined for {some}{rest}", []).append(str(f.method))
        elif "pair" not in f.keys and f.overall and math.isnan(f.overall[0].value):
            out.setdefault("undefined, no judge put two items together", []).append(str(f.method))
    return out


def facts(panel: Groupings, answer: Answer) -> list[Fact]:
    """How much the judges agree, for people who read no table."""
    parts, findings = partitions(panel, answer.options.absent), answer.findings
    gone = 1 - sum(int(p.used.sum()) for p in parts) / sum(int(p.shown.sum()) for p in parts)
    judges = voters(panel)
    said = f"{many(judges, 'judge')} grouped {many(len(panel.items), 'item')} on {many(len(parts), 'task')}"
    left = f"; a judge left out {share(gone)} of the items on average" if gone else ""
    out = [Fact("size", f"{said}{left}.")]
    if judges == 1:
        return [*out, Fact("nothing", "There is one judge only: nobody to agree with.")]
    if _alone(parts) == len(parts):
        return [*out, Fact("nothing", "No task has two judges: there is nothing to agree on.")]
    if all(p.labels.shape[1] == 1 for p in parts):
        return [*out, Fact("nothing", "There is one item only: it cannot be grouped with another.")]
    by_name: dict[str, list[Finding]] = {}
    for f in findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].value):
        out.append(_fact(_say_measure(first if gone else first[:1], bool(gone)), first[0]))
        told = first[-1]
        by_pair = [r for r in answer.more.get("by_pair", ()) if r["method"] == str(told.method)]
        how = f" with left-out items {LEFT_OUT[str(told.method['left_out'])]}" if gone else ""
        pairs = _say_pairs(by_pair or _single(told), len(parts) > 1, f"by {told.method.name}{how}")
        out += [_fact(sentence, told) for sentence in pairs]
    out += [_fact(sentence, f) for f in by_name.get("together", [])[:1] for sentence in _say_together(f, parts)]
    others = [fs[0] for n, fs in by_name.items() if n not in MEASURES and n != "together"]
    return [*out, *(_fact(said, f) for f in others if f.value == f.value for said in said_of_any(f, f.overall[0]))]


def _fact(sentence: str, f: Finding) -> Fact:
    return Fact("agreement", sentence, {"method": str(f.method), "estimate": f.overall[0]})


def _say_together(f: Finding, parts: Sequence[Partitions]) -> list[str]:
    o, q = f.overall[0], f.method["q"]
    most = max(int(p.counts.sum()) for p in parts)
    # A quorum of one judge is met by everything that a judge puts together.
    if math.isnan(o.value) or q_support.quorum_of(q, most) < 2:  # type: ignore[arg-type]
        return []
    enough = f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"
    return [f"Of the pairs that a judge puts together, {share(o.value)} are put together by {enough}{_p(o)}."]


def _say_measure(findings: Sequence[Finding], treatments: bool) -> str:
    pieces = []
    for k, f in enumerate(findings):
        o = f.overall[0]
        random = f" ({'random' if k else 'random clusterings'} {two(o.null.value)})" if o.null else ""
        them = "them" if k else "left-out items"
        how = f" with {them} {LEFT_OUT[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{two(o.value)}{random}{how}")
    name, sure = findings[0].method.name, _p(findings[0].overall[0])
    if findings[0].method.sign < 0:  # a distance: less is more agreement
        return f"Two judges differ by {name} {listed(pieces)}{sure.replace(', ', ': they agree ', 1)}."
    return f"Two judges agree by {name} {listed(pieces)}{sure}."


def _p(o: Overall) -> str:
    if o.null is None:
        return ""
    return f", {by_chance(o.null.p)}"


def _single(f: Finding) -> list[dict[str, Any]]:
    """The rows of one task, counted like those of two judges over several."""
    above = beyond(f.method, np.array(f.values, float), np.array(f.details["chance"], float))
    columns = above > 0, above <= 0, np.array(f.details["p_holm"], float) <= SIGNIFICANT
    return [
        {"pair": pair, "more_than_chance": more, "no_more_than_chance": below, "significant": sure}
        for pair, more, below, sure in zip(f.keys["pair"], *(c.astype(int).tolist() for c in columns), strict=True)
    ]


def _say_pairs(rows: Sequence[Mapping[str, Any]], several: bool, how: str) -> list[str]:
    """How often two judges agree no more than random clusterings do, and who most often."""
    counts = ("more_than_chance", "no_more_than_chance", "significant")
    above, below, sure = (sum(r[name] for r in rows) for name in counts)
    known = above + below
    pairs = {frozenset(r["pair"]) for r in rows if r["more_than_chance"] + r["no_more_than_chance"]}
    if known < 2 or (len(pairs) < 2 and not several):  # of one pair all is said
        return []
    told = _significant(sure, known, below)
    if below == known:
        return [f"No two judges agree more than random clusterings do{' on any task' if several else ''} ({how})."]
    whom = "comparisons of two judges on a task they agree" if several else "pairs agree"
    start = "In " if several else ""
    if not below:
        everyone = f"{start}{all_of(known)} {whom}"
        return [f"{everyone[0].upper()}{everyone[1:]} more than random clusterings do{told} ({how})."]
    if below == 1 and not several:
        whom = "pairs agrees"
    said = f"{start}{below:,} of {known:,} {whom} no more than random clusterings do{_most(rows)}"
    return [f"{said}{told} ({how})."]


def _most(rows: Sequence[Mapping[str, Any]]) -> str:
    """The two judges who most often agree no more than chance, the first three such pairs."""
    often: dict[frozenset[Any], int] = {}
    names: dict[frozenset[Any], str] = {}
    for r in rows:
        if r["no_more_than_chance"]:
            two = frozenset(r["pair"])
            names.setdefault(two, "-".join(map(str, r["pair"])))
            often[two] = often.get(two, 0) + r["no_more_than_chance"]
    if len({frozenset(r["pair"]) for r in rows}) < 2:
        return ""
    first = sorted(often, key=lambda two: -often[two])[:SHOWN]
    more = ", ..." if len(often) > SHOWN else ""
    if often[first[0]] == 1:
        return f": {', '.join(names[two] for two in first)}{more}"
    times = (f"{names[two]} ({often[two]:,}{'' if k else ' times'})" for k, two in enumerate(first))
    return f", most often {', '.join(times)}{more}"


def _significant(sure: int, known: int, below: int) -> str:
    """How many pairs agree significantly more than random clusterings, after what was said of those that do not."""
    if not below:
        some = "all" if sure == known else f"{sure:,}" if sure else "none"
        return f", {some} of them significantly by Holm's correction"
    some = f"{sure:,}" if sure else "none"
    return f"; {some} {'agrees' if sure < 2 else 'agree'} significantly more, by Holm's correction"
