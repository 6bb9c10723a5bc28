"""What the agreement of groupings is, in words: sentences, and notes on what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.groupings import support
from quorate.groupings.comparisons import random_number
from quorate.groupings.measures import MEASURES, measure_of
from quorate.groupings.partitions import Partitions
from quorate.panel import many
from quorate.panels import Groupings
from quorate.results import Finding, Options, Overall
from quorate.wording import all_of, by_chance, listed, on, share, two, voters

COUNTED = "a row with a count stands for so many judges, in all means; they are compared with one another too"
FEW = 10  # tasks, below which an interval over tasks is rough


def notes(panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding], options: Options) -> list[str]:
    """What was left aside, done less of, or cannot be said."""
    number, usual = (random_number(parts, o) for o in (options, replace(options, effort=1.0)))
    out = []
    if number < usual and any(f.method.name in MEASURES for f in findings):
        less = f"judges are compared with {number} random clusterings a task instead of {usual}"
        out.append(f"{less} to keep the page quick; `--effort 1` draws all")
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
    if not any((p.labels < 0).any() for p in parts):
        out.append("no judge left an item out: singletons, bucket and common are the same")
    large = sum(p.labels.shape[1] > support.ITEMS for p in parts)
    if large and any(f.method.name == "together" for f in findings):
        told = f"{many(large, 'task')} with more than {support.ITEMS:,} items"
        out.append(f"together: on {told}, from {support.SAMPLE:,} pairs of each judge drawn at random")
    out += _too_many(findings, number)
    if single < len(parts):
        out += [f"{', '.join(methods)}: {why}" for why, methods in _undefined(findings).items()]
    return out


def _alone(parts: Sequence[Partitions]) -> int:
    """On how many tasks there is one judge only."""
    return sum(int(p.counts.sum()) == 1 for p in parts)


def _undefined(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """What is undefined and why, with the methods."""
    out: dict[str, list[str]] = {}
    for f in findings:
        undefined = int(np.isnan(np.array(f.values, float)).sum())
        if undefined:
            some = "every pair" if undefined == len(f.values) else f"{undefined:,} of {len(f.values):,} pairs"
            rest = "" if undefined == len(f.values) else ", left out of the mean"
            out.setdefault(f"undefined for {some}{rest}", []).append(str(f.method))
        elif not f.values and f.overall and math.isnan(f.overall[0].value):
            out.setdefault("undefined, no judge put two items together", []).append(str(f.method))
    return out


def _too_many(findings: Sequence[Finding], number: int) -> list[str]:
    """That no pair can be significant, where there are more of them than random clusterings can tell."""
    for f in findings:
        tested = int((~np.isnan(np.array(f.details.get("p_value", ()), float))).sum())
        if tested and number and tested / (2 * number + 1) > 0.05:
            enough = math.ceil((tested / 0.05 - 1) / 2)
            few = f"{number} random clusterings are too few for {tested:,} pairs"
            return [f"{few} to be significant by Holm's correction; --permutations {enough} would do"]
    return []


def sentences(
    panel: Groupings, parts: Sequence[Partitions], findings: Sequence[Finding], options: Options
) -> list[str]:
    """The answer for people who read no table."""
    cells = sum(p.labels.size for p in parts)
    gone = 1 - sum(int(p.used.sum()) for p in parts) / cells
    judges = voters(panel)
    said = f"{many(judges, 'judge')} grouped {many(len(panel.items), 'item')} on {many(len(parts), 'task')}"
    left = f"; a judge left out {share(gone)} of the items on average" if gone else ""
    out = [f"{said}{left}."]
    if judges == 1:
        return [*out, "There is one judge only: nobody to agree with."]
    if _alone(parts) == len(parts):
        return [*out, "No task has two judges: there is nothing to agree on."]
    if all(p.labels.shape[1] == 1 for p in parts):
        return [*out, "There is one item only: it cannot be grouped with another."]
    by_name: dict[str, list[Finding]] = {}
    for f in findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].overall[0].value):
        out.append(_say_measure(first if gone else first[:1], bool(gone)))
        out += _say_pairs(first[-1], random_number(parts, options))
    most = max(int(p.counts.sum()) for p in parts)
    for f in by_name.get("together", [])[:1]:
        o, q = f.overall[0], f.method["q"]
        # A quorum of one judge is met by everything that a judge puts together.
        if not math.isnan(o.value) and support.quorum_of(q, most) > 1:  # type: ignore[arg-type]
            enough = f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"
            some = f"Of the pairs that a judge puts together, {share(o.value)}"
            out.append(f"{some} are put together by {enough}{_p(o)}.")
    return out


def _say_measure(findings: Sequence[Finding], treatments: bool) -> str:
    words = {"singletons": "as singletons", "bucket": "in one bucket", "common": "set aside"}
    pieces = []
    for k, f in enumerate(findings):
        o = f.overall[0]
        random = f" ({'random' if k else 'random clusterings'} {two(o.chance.value)})" if o.chance else ""
        them = "them" if k else "left-out items"
        how = f" with {them} {words[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{two(o.value)}{random}{how}")
    name, sure = findings[0].method.name, _p(findings[0].overall[0])
    if measure_of(findings[0].method).sign < 0:  # a distance: less is more agreement
        return f"Two judges differ by {name} {listed(pieces)}{sure.replace(', ', ': they agree ', 1)}."
    return f"Two judges agree by {name} {listed(pieces)}{sure}."


def _p(o: Overall) -> str:
    if o.chance is None:
        return ""
    return f", {by_chance(o.chance.p)}"


def _say_pairs(f: Finding, number: int) -> list[str]:
    """How many pairs are no better than the random baseline."""
    sign = measure_of(f.method).sign
    above = sign * (np.array(f.values, float) - np.array(f.details["chance"], float))
    known = np.flatnonzero(~np.isnan(above))
    below = known[above[known] <= 0].tolist()
    if len(_first_pairs(f, known.tolist(), 2)) < 2:  # of one pair all is said
        return []
    sure = int((np.array(f.details["p_holm"], float) <= 0.05).sum())
    few = bool(_too_many([f], number))  # then it is a note that none can be
    told = "" if few else _significant(sure, len(known), len(below))
    if not below:
        pairs = f"{all_of(len(known)).capitalize()} pairs"
        return [f"{pairs} agree more than random clusterings do{told} ({f.method})."]
    if len(below) == len(known):
        return [f"No pair agrees more than random clusterings do ({f.method})."]
    verb = "agrees" if len(below) == 1 else "agree"
    said = f"{len(below):,} of {len(known):,} pairs {verb} no more than random clusterings do: {_named(f, below)}"
    return [f"{said}{told} ({f.method})."]


def _significant(sure: int, known: int, below: int) -> str:
    """How many pairs agree significantly more than random clusterings, after what was said of those that do not."""
    if not below:
        some = "all" if sure == known else f"{sure:,}" if sure else "none"
        return f", {some} of them significantly by Holm's correction"
    return f"; {sure or 'none'} {'agrees' if sure < 2 else 'agree'} significantly more, by Holm's correction"


def _named(f: Finding, rows: Sequence[int]) -> str:
    """The first pairs of these rows, with their tasks where there are several."""
    several = f.keys["task"][0] != f.keys["task"][-1]
    pairs = [
        (f"{f.keys['task'][i]}: " if several else "") + "-".join(map(str, f.keys["pair"][i]))
        for i in _first_pairs(f, rows, 4)
    ]
    return ", ".join(pairs[:3]) + (", ..." if len(pairs) > 3 else "")


def _first_pairs(f: Finding, rows: Sequence[int], number: int) -> list[int]:
    """The rows of the first so many different pairs: there may be millions."""
    seen: dict[tuple[Any, frozenset[Any]], int] = {}
    for i in rows:
        seen.setdefault((f.keys["task"][i], frozenset(f.keys["pair"][i])), i)
        if len(seen) == number:
            break
    return list(seen.values())
