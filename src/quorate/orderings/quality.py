"""How good is a system, by the judges' lights? A leaderboard of systems' lists on the judges' tasks.

By correlation with the judges or with their consensus (:mod:`~quorate.orderings.correlated`), or by the frequent
patterns of the judges that a list keeps (:mod:`~quorate.orderings.frespa`). Higher is better throughout. The systems
come as a panel of their own, whose judges are the systems.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, UnknownId, suggest
from quorate.inference.board import Board, board, drawn_board
from quorate.inference.resample import resampled_counts, stream
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.kernels.inversions import LONG
from quorate.orderings import lucky_lists
from quorate.orderings.correlated import average_correlation, rank_based, weighted_correlation
from quorate.orderings.frespa import (
    Explanation,
    affordable_panels,
    by_patterns,
    explain,
    explained,
    frequent_patterns,
    frequent_sets,
    frespa,
)
from quorate.orderings.lists import Lists, Part, beside
from quorate.orderings.measured import OneTask
from quorate.orderings.scored import Scored, limits, seeded
from quorate.panel.base import many
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method
from quorate.words.leading import leads, too_few
from quorate.words.wording import on, voters

__all__ = [
    "Scored",
    "answer",
    "average_correlation",
    "explain",
    "frequent_patterns",
    "frequent_sets",
    "frespa",
    "rank_based",
    "weighted_correlation",
]

Array = NDArray[Any]
WORK = 5 * 10**9  # system x item-pair comparisons of panels of judges drawn anew, of a task with long rankings, about
LEAST = 100  # such panels
CELLS = 1 << 24  # task x system x item cells given to a method at a time
BATCH = 1 << 21  # resample x system x item cells at a time


def answer(panel: Orderings, systems: Panel, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and system, and the leaderboard over tasks, best first."""
    if not isinstance(systems, Orderings):
        raise InputError(f"the systems are {systems.kind}.", "judges' orderings need systems' lists: orderings too.")
    lists = beside(panel, systems)
    findings, notes = [], []
    for done, method in enumerate(methods):
        options.tell("quality", done, len(methods))
        finding, found = _finding(panel, systems, lists, method, options)
        findings.append(finding)
        notes += [*found, *filter(None, [too_few(finding.overall)])]
    options.tell("quality", len(methods), len(methods))
    return Answer(
        "orderings",
        "quality",
        lists.tasks,
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, systems, lists, findings)),
        (*panel.notes, *systems.notes, *_notes(panel, systems, lists), *dict.fromkeys(notes)),
    )


def _finding(
    panel: Orderings, systems: Orderings, lists: Lists, method: Method, options: Options
) -> tuple[Finding, list[str]]:
    tasks = np.concatenate([p.tasks for p in lists.parts])
    order = np.argsort(tasks, kind="stable")
    there = np.concatenate([p.there for p in lists.parts])[order]
    values, details = _scored(lists, method, order, options)
    values[~there] = np.nan
    t, s = np.nonzero(there)
    keys = {
        "task": [panel.tasks[k] for k in tasks[order][t].tolist()],
        "system": [systems.judges[k] for k in s.tolist()],
    }
    redraws = _redraws(lists.parts[0], method, options)
    inside = limits(method, bool(np.any(details.get("negative_weights", 0))))
    ranking = _board(lists, values, method, options, redraws, inside)
    chances, looked = lucky_lists.chance(lists.parts, method, options, **seeded(method, options.seed))
    overall = [
        Overall(
            float(ranking.means[k]),
            ranking.intervals[k],
            chances[k],
            {
                "system": systems.judges[k],
                "group": ranking.letters[k],
                "tasks": int(ranking.tasks[k]),
                "p_best": _p(ranking, k),
            },
            least=ranking.least,
        )
        for k in ranking.order
    ]
    told = {name: (v[t, s] if v.ndim == 2 else v[t]).tolist() for name, v in details.items()}
    finding = Finding(method, keys, values[t, s].tolist(), told, tuple(overall))
    notes = _method_notes(method, values[there], details, there, voters(panel))
    if len(there) == 1 and redraws < options.resamples:
        notes.append(f"{method}: long rankings; intervals are of {redraws:,} resamples, not {options.resamples:,}")
    if any(chances) and looked < len(there):
        notes.append(f"{method}: what chance gives is told from {looked:,} of {len(there):,} tasks, drawn at random")
    return finding, notes


def _p(ranking: Board, system: int) -> float | None:
    """The corrected p-value of the comparison with the best system."""
    p = float(ranking.p[ranking.order[0], system])
    return None if math.isnan(p) else p


def _scored(lists: Lists, method: Method, order: Array, options: Options) -> tuple[Array, dict[str, Array]]:
    """Values ``[task, system]`` and details of all tasks, in the panel's order."""
    found: list[Scored] = []
    more = seeded(method, options.seed)
    for part in lists.parts:
        step = max(1, CELLS // max(part.lists[0].size, 1))
        found += [
            method(part.positions[a : a + step], part.counts[a : a + step], part.lists[a : a + step], **more)
            for a in range(0, len(part.tasks), step)
        ]
    names = dict.fromkeys(n for f in found for n in f.details)
    details = {n: np.concatenate([_or_missing(f, n, found) for f in found])[order] for n in names}
    return np.concatenate([f.values for f in found])[order], details


def _or_missing(f: Scored, name: str, found: Sequence[Scored]) -> Array:
    """A detail of some tasks; where only others have it, as empty as it can be."""
    if name in f.details:
        return np.asarray(f.details[name])
    like = next(g.details[name] for g in found if name in g.details)
    shape = f.values.shape if like.ndim == 2 else f.values.shape[:1]
    return np.zeros(shape, bool) if like.dtype == bool else np.full(shape, np.nan)


def _board(
    lists: Lists, values: Array, method: Method, options: Options, redraws: int, inside: tuple[float, float]
) -> Board:
    """Over tasks; of a single task, over judges drawn anew so many times. Intervals stay ``inside``."""
    if len(values) > 1:
        return board(values, method, seed=options.seed, level=options.level, resamples=options.resamples, range=inside)
    part = lists.parts[0]
    judges = int(part.counts.sum())
    drawn = (
        np.full((1, values.shape[1]), np.nan)
        if judges < 3 or not redraws
        else _other_judges(part, method, options, redraws)
    )
    return drawn_board(values[0], drawn, options.level, "judges", inside, judges)


def _redraws(part: Part, method: Method, options: Options) -> int:
    """How many panels of judges drawn anew are affordable: all that are asked for unless rankings are long."""
    number, items = options.resamples, part.positions.shape[2]
    if by_patterns(method):
        number = affordable_panels(number, *part.positions[:1].shape)
    elif items >= LONG:
        number = min(number, WORK // (part.lists.size * items))
    return max(number, min(options.resamples, LEAST))


def _other_judges(part: Part, method: Method, options: Options, number: int) -> Array:
    """Values with judges drawn with replacement, ``[resample, system]``."""
    counts = resampled_counts(part.counts[0], stream(options.seed, "judges", method), number)
    step = max(1, BATCH // max(part.lists.size, 1))
    out = []
    for a in range(0, len(counts), step):
        block = counts[a : a + step]
        out.append(
            method(
                np.broadcast_to(part.positions, (len(block), *part.positions.shape[1:])),
                block,
                np.broadcast_to(part.lists, (len(block), *part.lists.shape[1:])),
                brief=True,
                **seeded(method, options.seed),
            ).values
        )
    return np.concatenate(out)


# -- explanations ------------------------------------------------------------------------------------------------------


def explanations(
    panel: Orderings, systems: Orderings, system: Hashable, method: Method, most: int = 10, seed: int = 0
) -> dict[Hashable, Explanation]:
    """Why a system's lists score as they do, task by task."""
    known = {str(s): k for k, s in enumerate(systems.judges)}
    if str(system) not in known:
        raise UnknownId(f"no system '{system}'.", suggest(str(system), known, "Systems"))
    lists, k = beside(panel, systems), known[str(system)]
    out = {}
    for part in lists.parts:
        for t in np.flatnonzero(part.there[:, k]).tolist():
            names = tuple(lists.items[i] for i in part.items[t])
            judges = tuple(panel.judges[j] for j in part.judges[t])
            task = OneTask(part.positions[t : t + 1], part.counts[t : t + 1], judges, names)
            out[int(part.tasks[t])] = explained(task, part.lists[t : t + 1, k : k + 1], method, most, seed)
    if not out:
        raise InputError(f"system '{system}' has no list on these tasks.")
    return {panel.tasks[t]: out[t] for t in sorted(out)}


# -- words -------------------------------------------------------------------------------------------------------------


def _notes(panel: Orderings, systems: Orderings, lists: Lists) -> list[str]:
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


def _method_notes(method: Method, values: Array, details: Mapping[str, Array], there: Array, judges: int) -> list[str]:
    """What a reader must know of a method's values; ``values`` of the lists that are there."""
    notes = []
    undefined = int(np.isnan(values).sum())
    if 0 < undefined < len(values):  # else a sentence says it
        notes.append(f"{method}: undefined for {undefined:,} of {len(values):,} lists, which are left out of the means")

    def tasks(name: str) -> int:
        return int((details[name] > 0).sum()) if name in details else 0

    def where(name: str) -> str:
        return on(tasks(name), len(there))

    if tasks("no_pattern"):
        notes.append(f"{method}: no pattern is frequent {where('no_pattern')}; every list scores 0 then")
    if tasks("estimated"):
        notes.append(f"{method}: too many patterns {where('estimated')}; values are estimates, see low and high")
    if tasks("too_large"):
        notes.append(f"{method}: more patterns than can be counted {where('too_large')}; set max_len")
    if tasks("negative_weights"):
        notes.append(f"{method}: {_negative(method)} {where('negative_weights')}")
    if tasks("fallback") and judges > 1:
        notes.append(f"{method}: no judge agrees with the others {where('fallback')}; all count the same then")
    return notes


def _negative(method: Method) -> str:
    if method["negative"] == "clip":
        return "judges who contradict the others weigh 0"
    return "values may lie beyond 1, since judges who contradict the others weigh less than 0"


def _sentences(panel: Orderings, systems: Orderings, lists: Lists, findings: Sequence[Finding]) -> list[str]:
    said = f"{many(len(systems.judges), 'system')} on {many(lists.tasks, 'task')}"
    return [f"{said}, judged by {many(voters(panel), 'judge')}.", *(_best(f) for f in findings)]


def _best(f: Finding) -> str:
    """Who leads by a method, and who cannot be told from the leader."""
    return leads(f.overall, f"{f.overall[0].labels['system']} is best by {f.method}", str(f.method))
