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
        out.append(f"{panel.repeats} repeats are not compared with other judges; see self-agreement")
    if (panel.count != 1).any():
        out.append(COUNTED)
    single = sum(len(p.judges) == 1 for p in parts)
    if single:
        out.append(f"{single} of {len(parts)} tasks have one judge only: there is nothing to agree with")
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
    for f in findings:
        undefined = int(np.isnan(np.array(f.values, float)).sum())
        if undefined:
            out.append(f"{f.method}: undefined for {undefined} of {len(f.values)} pairs, left out of the mean")
        elif not f.values and f.overall and math.isnan(f.overall[0].value):
            out.append(f"{f.method}: undefined, no judge put two items together")
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
    said = f"{many(len(panel.judges), 'judge')} grouped {many(len(panel.items), 'item')} on "
    left = f"; of the items a judge left out {gone:.0%} on average" if gone else ""
    out = [f"{said}{many(len(parts), 'task')}{left}."]
    by_name: dict[str, list[Finding]] = {}
    for f in findings:
        by_name.setdefault(f.method.name, []).append(f)
    first = next((fs for n, fs in by_name.items() if n in MEASURES), [])
    if first and not math.isnan(first[0].overall[0].value):
        out.append(_say_measure(first if gone else first[:1], bool(gone)))
        out += _say_pairs(first[-1], random_number(parts, options))
    for f in by_name.get("together", [])[:1]:
        o = f.overall[0]
        if not math.isnan(o.value):
            q = f.method["q"]
            most = f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"
            out.append(f"Of the pairs that a judge puts together, {o.value:.0%} are put together by {most}{_p(o)}.")
    return out


def _say_measure(findings: Sequence[Finding], treatments: bool) -> str:
    words = {"singletons": "as singletons", "bucket": "in one bucket", "common": "set aside"}
    pieces = []
    for f in findings:
        o = f.overall[0]
        how = f" with left-out items {words[str(f.method['left_out'])]}" if treatments else ""
        pieces.append(f"{o.value:.2f}{how}{f' (random clusterings {o.chance.value:.2f})' if o.chance else ''}")
    return f"Two judges agree by {findings[0].method.name} {', '.join(pieces)}{_p(findings[0].overall[0])}."


def _p(o: Overall) -> str:
    if o.chance is None:
        return ""
    return f", {'more' if o.chance.p <= 0.05 else 'no more'} than by chance (p = {o.chance.p:.2g})"


def _say_pairs(f: Finding, number: int) -> list[str]:
    """How many pairs are no better than the random baseline."""
    sign = measure_of(f.method).sign
    above = sign * (np.array(f.values, float) - np.array(f.details["chance"], float))
    known = np.flatnonzero(~np.isnan(above))
    below = known[above[known] <= 0].tolist()
    if not len(known):
        return []
    sure = int((np.array(f.details["p_holm"], float) <= 0.05).sum())
    word = "all" if sure == len(known) else str(sure or "none")
    few = bool(_too_many([f], number))  # then it is a note that none can be
    if not below:
        told = "" if few else f", {word} of them significantly by Holm's correction"
        return [f"All {len(known):,} pairs agree more than random clusterings{told} ({f.method})."]
    pairs: dict[tuple[Any, frozenset[Any]], str] = {}
    several = f.keys["task"][0] != f.keys["task"][-1]
    for i in below:
        task, pair = f.keys["task"][i], f.keys["pair"][i]
        where = f"{task}: " if several else ""
        pairs.setdefault((task, frozenset(pair)), where + "-".join(map(str, pair)))
    shown = ", ".join(list(pairs.values())[:3])
    more = ", ..." if len(pairs) > 3 else ""
    said = f"{len(below):,} of {len(known):,} pairs agree no more than random clusterings do: {shown}{more}"
    told = "" if few else f"; {word} agree significantly more, by Holm's correction"
    return [f"{said}{told} ({f.method})."]
