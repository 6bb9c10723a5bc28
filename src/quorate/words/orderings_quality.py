"""What is said of systems' lists beside the judges' orders."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from quorate.inference.results import Answer, Finding
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.panel.lists import Lists, beside
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.leading import leader, too_few
from quorate.words.limits import fewer_draws
from quorate.words.wording import on, voters


def notes(panel: Orderings, answer: Answer, systems: Orderings) -> list[str]:
    """What was left aside, or cannot be said."""
    lists = beside(panel, systems)
    out = [*panel.notes, *systems.notes, *_lists_notes(panel, systems, lists)]
    about = [n for f in answer.findings for n in (*_method_notes(f, lists.tasks, voters(panel)), too_few(f.overall))]
    return [*out, *dict.fromkeys(filter(None, about)), *fewer_draws(answer)]


def _lists_notes(panel: Orderings, systems: Orderings, lists: Lists) -> list[str]:
    notes = []
    if lists.unlisted:
        notes.append(f"{_some('task', lists.unlisted)} no system's list and left aside")
    if lists.unjudged:
        notes.append(f"{_some('task', lists.unjudged)} lists but no judge and left aside")
    there = np.concatenate([p.there for p in lists.parts])
    partly = [(s, int(n)) for s, n in zip(systems.judges, there.sum(axis=0), strict=True) if n < lists.tasks]
    for system, n in partly[:5]:
        notes.append(f"system {system} has a list on {n} of {lists.tasks} tasks; its mean is over those")
    if len(partly) > 5:
        notes.append(f"{len(partly) - 5} more systems lack lists on some tasks")
    if lists.unranked:
        notes.append(f"{lists.unranked:,} of {lists.rows:,} places in the lists are of items that no judge ranked")
    for name, repeats in (("judges", panel.repeats), ("systems", systems.repeats)):
        if repeats:
            notes.append(f"{many(repeats, 'repeat')} of the {name} left aside: on a task the first ordering counts")
    if lists.tasks == 1:
        notes.append("one task only: intervals and differences are over judges, not tasks")
    return notes


def _some(word: str, ids: Sequence[Hashable]) -> str:
    shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
    return f"{len(ids)} {word}{'' if len(ids) == 1 else 's'} ({shown}) {'has' if len(ids) == 1 else 'have'}"


def _method_notes(f: Finding, tasks: int, judges: int) -> list[str]:
    """What a reader must know of a method's values."""
    notes, method, size = [], f.method, len(f.values)
    undefined = sum(math.isnan(v) for v in f.values)
    if 0 < undefined < size:  # else a sentence says it
        notes.append(f"{method}: undefined for {undefined:,} of {size:,} lists, which are left out of the means")

    def where(name: str) -> str:
        held = {task for task, v in zip(f.keys["task"], f.details.get(name, ()), strict=False) if v}
        return on(len(held), tasks) if held else ""

    if where("no_pattern"):
        notes.append(f"{method}: no pattern is frequent {where('no_pattern')}; every list scores 0 then")
    if where("estimated"):
        notes.append(f"{method}: too many patterns {where('estimated')}; values are estimates, see low and high")
    if where("too_large"):
        notes.append(f"{method}: more patterns than can be counted {where('too_large')}; set max_len")
    if where("negative_weights"):
        notes.append(f"{method}: {_negative(method)} {where('negative_weights')}")
    if where("fallback") and judges > 1:
        notes.append(f"{method}: no judge agrees with the others {where('fallback')}; all count the same then")
    return notes


def _negative(method: Method) -> str:
    """What becomes of judges whom the others contradict."""
    return {
        "clip": "judges who contradict the others weigh 0",
        "keep": "values may lie beyond 1, since judges who contradict the others weigh less than 0",
        "mapped": "judges who contradict the others weigh less than half of what others can",
    }[str(method["negative"])]


def facts(panel: Orderings, answer: Answer, systems: Orderings) -> list[Fact]:
    """Who leads, for people who read no table."""
    said = f"{many(len(systems.judges), 'system')} on {many(answer.tasks, 'task')}"
    size = Fact("size", f"{said}, judged by {many(voters(panel), 'judge')}.")
    return [size, *map(leader, answer.findings)]
