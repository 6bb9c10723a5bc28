"""What is said of systems' clusterings beside the judges' groupings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from quorate.inference.board import ALPHA
from quorate.inference.results import Answer, Finding, Overall
from quorate.panel.base import listed, many
from quorate.panel.clusterings import Clusterings, beside
from quorate.panel.kinds import Groupings
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.groupings_agreement import absent_items
from quorate.words.leading import leader, too_few
from quorate.words.limits import fewer_draws
from quorate.words.numbers import two
from quorate.words.wording import LEFT_OUT, voters


def notes(panel: Groupings, answer: Answer, systems: Groupings) -> list[str]:
    """What was left aside, or cannot be said."""
    found = beside(panel, systems, answer.options.absent)
    out = [*panel.notes, *systems.notes, *absent_items(panel, answer), *_left_aside(panel, systems, found)]
    about = [said for f in answer.findings for said in (*_undefined(f), too_few(f.overall))]
    return [*out, *dict.fromkeys(filter(None, about)), *_not_drawn(answer, systems), *fewer_draws(answer)]


def _not_drawn(answer: Answer, systems: Groupings) -> Iterator[str]:
    """What is not drawn anew because it would take too long."""
    made = {(r["method"], r["by"]) for r in answer.more.get("stability", ())}
    for f in answer.findings if len(systems.judges) > 1 and answer.options.resamples else ():
        gone = [by for by in ("judges", "items") if (str(f.method), by) not in made]
        if f.method.declaration.properties.get("stability") and gone and answer.judges > 2:
            yield f"{f.method}: too much work to draw {' and '.join(gone)} anew, so their stability is not told"


def _undefined(f: Finding) -> Iterator[str]:
    undefined = sum(math.isnan(v) for v in f.values)
    if 0 < undefined < len(f.values):  # else a sentence says it
        yield f"{f.method}: undefined for {undefined:,} of {len(f.values):,} clusterings, left out of the means"


def _left_aside(panel: Groupings, systems: Groupings, found: Clusterings) -> Iterator[str]:
    for what, ids in (("no system's clustering", found.undone), ("clusterings but no judge", found.unjudged)):
        if ids:
            one = len(ids) == 1
            shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
            yield f"{len(ids)} task{'' if one else 's'} ({shown}) {'has' if one else 'have'} {what} and left aside"
    if found.unknown:
        yield f"{found.unknown:,} of {found.rows:,} items in systems' groups are known to no judge and left aside"
    tasks = len(found.tasks)
    done = np.stack([there for _, _, there in found.tasks]).sum(axis=0)
    partly = [(s, int(n)) for s, n in zip(systems.judges, done, strict=True) if n < tasks]
    for system, n in partly[:5]:
        yield f"system {system} did {n} of {tasks} tasks; its mean is over those"
    if len(partly) > 5:
        yield f"{len(partly) - 5} more systems did not do every task"
    for name, repeats in (("judges", panel.repeats), ("systems", systems.repeats)):
        if repeats:
            yield f"{many(repeats, 'repeat')} of the {name} left aside: on a task the first grouping counts"
    if tasks == 1:
        yield "one task only: intervals and differences are over judges, not tasks"


def facts(panel: Groupings, answer: Answer, systems: Groupings) -> list[Fact]:
    """Who leads, for people who read no table."""
    said = f"{many(len(systems.judges), 'system')} on {many(answer.tasks, 'task')}"
    out = [Fact("size", f"{said}, judged by {many(voters(panel), 'judge')}.")]
    top = {r["method"]: r["value"] for r in answer.more.get("judges_against_each_other", ())}
    found = beside(panel, systems, answer.options.absent).tasks
    gone = any((own.labels == -1).any() or (clusters == -1).any() for own, clusters, _ in found)
    for f in answer.findings:
        reached, undefined = top.get(str(f.method), math.nan), all(math.isnan(o.value) for o in f.overall)
        judge = "" if math.isnan(reached) else f"; a judge against the others has {two(reached)}"
        out.append(_leader(f, str if undefined else partial(_words, gone=gone), judge))
    return out


def _leader(f: Finding, how: Callable[[Method], str], also: str) -> Fact:
    """Who leads of the systems that are better than their own groups dealt anew: the others cannot lead."""
    known = [o for o in f.overall if not math.isnan(o.value)]
    first = next((k for k, o in enumerate(known) if o.null is None or o.null.p < ALPHA), len(known))
    if first == 0 or not known:
        return leader(f, how=how, also=also)
    if first == len(known):
        them = f"{known[0].labels['system']} is no" if first == 1 else f"None of the {first} systems is"
        chance = "better than with its items dealt at random among its groups"
        data = {"method": str(f.method), "estimates": known[:2], "equal": True}
        return Fact("leader", f"{them} {chance}, by {how(f.method)}.", data)
    top, rest = known[first], known[first + 1 :]
    after = [replace(o, labels={**o.labels, "p_best": _apart(top, o)}) for o in rest]
    worse = listed([f"{o.labels['system']} ({two(o.value)})" for o in known[:first]])
    luck = f"{also}; {worse} {'does' if first == 1 else 'do'} no better than the same groups dealt at random"
    return leader(replace(f, overall=(top, *after)), how=how, also=luck)


def _apart(top: Overall, other: Overall) -> float | None:
    """p as far as the letters of the board tell it: below the level where the two share none."""
    if not top.labels["group"]:
        return None
    return 1.0 if set(top.labels["group"]) & set(other.labels["group"]) else 0.0


def _words(by: Method, gone: bool) -> str:
    """What a method does, in words; what becomes of left-out items only where there are some."""
    if not by.has("measure"):
        return str(by)
    left = f" with left-out items {LEFT_OUT[str(by['left_out'])]}" if gone else ""
    if by.name == "against_judges":
        return f"{by['measure']} against every judge{left}"
    made = "" if by["consensus"] == "pairs" else f" by {by['consensus']}"
    return f"{by['measure']} against the consensus{made}{left}"
