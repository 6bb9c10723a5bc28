"""What do the judges agree on? A partition of the items, with how well each item and group is supported.

The methods are in :mod:`~quorate.groupings.voted_groups`, the counts that they work on in
:mod:`~quorate.groupings.association`, the proof in :mod:`~quorate.groupings.partition_program`, and the order of groups
by importance in :mod:`~quorate.groupings.importance`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.groupings.association import Association
from quorate.groupings.importance import Ranked, group_ranks, places
from quorate.groupings.sheets import Sheet, sheets
from quorate.groupings.voted_groups import Grouped, pairs, quorum_groups
from quorate.panels import Groupings
from quorate.resample import Interval, mean_interval, resampled_counts, stream
from quorate.results import Answer, Finding, Options, Overall
from quorate.table import Method

__all__ = ["Association", "answer", "as_panel", "consensus_groups", "pairs", "quorum_groups"]

Array = NDArray[Any]
WORK = 4 * 10**8  # judge x item-pair counts spent on resampled panels of a method, about
DRAWS = 200  # resampled panels of a task at most: each is solved anew
SOLVED = 10_000  # resampled panels of all tasks together, about
FEWEST = 10  # resampled panels that say how often an item stays
ROUGH = 20  # below which they say it roughly
PAIRS = 5000  # pairs of one task listed in the details


def consensus_groups(groupings: Mapping[Any, Any] | Groupings, method: str = "pairs") -> list[list[Hashable]]:
    """The consensus of some groupings of one task by a method, as groups of items, larger ones first.

    >>> consensus_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 2, "z": 2}, "cat": {"x": 7, "y": 7}})
    [['x', 'y'], ['z']]
    """
    panel = groupings if isinstance(groupings, Groupings) else Groupings.from_groups(groupings)
    sheet = next(iter(sheets(panel)))
    solved = solved_sheet(sheet, table.parse(method, "groupings", "consensus"))
    return [[sheet.items[i] for i in group] for group in solved.groups()]


def solved_sheet(sheet: Sheet, method: Method, counts: Array | None = None, start: Array | None = None) -> Grouped:
    """The consensus of one task; with a start only the best partition found from there, for resampled panels."""
    if start is None and counts is None and str(method) in sheet.solved:
        known: Grouped = sheet.solved[str(method)]
        return known
    votes = Association.of(sheet.labels, sheet.counts if counts is None else counts, sheet.items)
    if start is not None:
        found: Grouped = method(votes, [start], brief=True)
        return found
    found = method(votes, list(sheet.labels))
    found = Grouped(by_size(found.labels), found.facts, found.about)
    if counts is None:
        sheet.solved[str(method)] = found
    return found


def by_size(labels: Array) -> Array:
    """The groups numbered anew: larger ones first, of equal ones the one with the first item."""
    groups = int(labels.max(initial=-1)) + 1
    size = np.bincount(labels[labels >= 0], minlength=groups)
    first = np.array([int(np.argmax(labels == g)) for g in range(groups)], np.int64)
    return renumbered(labels, np.lexsort((first, -size)))


def renumbered(labels: Array, order: Array) -> Array:
    """The same groups, the one at ``order[k]`` now numbered k."""
    name = np.empty(len(order) + 1, np.int64)
    name[order] = np.arange(len(order))
    name[-1] = -1
    return name[labels]


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task: groups, left-out items, support, and how often they stay with other judges."""
    tasks = list(sheets(panel))
    ranked = Ranked(panel) if "importance" in panel.labels else None
    findings, notes = [], list(panel.notes)
    for done, method in enumerate(methods):
        solutions = []
        for k, sheet in enumerate(tasks):
            options.tell(f"consensus by {method}", k, len(tasks))
            solutions.append(_solution(sheet, method, ranked, len(tasks), options))
        options.tell("consensus", done + 1, len(methods))
        findings.append(_finding(tasks, method, solutions, options))
        notes += [f"{method}: {said}" for said in _remarks(solutions)]
    if panel.repeats:
        notes.append(f"{panel.repeats} repeats are left out: of each judge the first grouping of a task counts")
    return Answer(
        "groupings",
        "consensus",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings)),
        tuple(notes),
    )


@dataclass(frozen=True, eq=False)
class Solution:
    """The consensus of one task with all that is told of it."""

    groups: list[list[Hashable]]
    left_out: list[Hashable]
    agreed: Array  # share of pairs on which each judge agrees with it
    details: dict[str, Any]


def _solution(sheet: Sheet, method: Method, ranked: Ranked | None, tasks: int, options: Options) -> Solution:
    found = solved_sheet(sheet, method)
    votes = Association.of(sheet.labels, sheet.counts, sheet.items)
    order = None
    if ranked is not None:
        given = group_ranks(sheet.labels, ranked.on(sheet.code, sheet.judge_codes, sheet.item_codes), found.labels)
        order = places(given, sheet.counts, str(method["importance"]))
        sort = np.lexsort((np.arange(len(order)), np.where(np.isnan(order), np.inf, order)))
        found = Grouped(renumbered(found.labels, sort), found.facts, found.about)
        order = order[sort]
    labels = found.labels
    agreed = judge_agreement(sheet.labels, labels)
    drawn = _drawn(sheet, method, labels, tasks, options)
    details: dict[str, Any] = {**found.facts, **{k: _named(v, sheet.items) for k, v in found.about.items()}}
    details["judges"] = {str(j): v for j, v in zip(sheet.judges, agreed.tolist(), strict=True)}
    if order is not None:
        details["importance"] = order.tolist()
    details |= _supports(votes, found, drawn)
    details["resamples"] = 0 if drawn is None else len(drawn)
    groups = [[sheet.items[i] for i in g] for g in found.groups()]
    left = [i for i, g in zip(sheet.items, labels.tolist(), strict=True) if g < 0]
    return Solution(groups, left, agreed, details)


def judge_agreement(labels: Array, consensus: Array) -> Array:
    """Of the pairs that a judge used and the consensus has, the share on which both agree, ``[judge]``; else NaN."""
    out = np.full(len(labels), math.nan)
    for k, own in enumerate(labels):
        use = (own >= 0) & (consensus >= 0)
        size = int(use.sum())
        if size > 1:
            key = own[use] * (int(consensus.max()) + 1) + consensus[use]
            both, mine, theirs = (_inside(x) for x in (key, own[use], consensus[use]))
            out[k] = 1 - (mine + theirs - 2 * both) / (size * (size - 1) // 2)
    return out


def _inside(labels: Array) -> int:
    """Pairs of items with the same label."""
    size = np.unique(labels, return_counts=True)[1].astype(np.int64)
    return int((size * (size - 1) // 2).sum())


# -- how sure: support, and panels drawn anew from the same judges ----------------------------------------------------


def _drawn(sheet: Sheet, method: Method, labels: Array, tasks: int, options: Options) -> Array | None:
    """Consensus partitions of resampled panels, ``[resample, item]``; None when too few judges or too much work."""
    judges, items = sheet.labels.shape
    most = max(int(SOLVED * options.effort) // tasks, FEWEST)
    number = min(options.resamples, DRAWS, most, WORK // max(tasks * judges * items * items, 1))
    if int(sheet.counts.sum()) < 3 or number < min(FEWEST, max(options.resamples, 1)):
        return None
    rng = stream(options.seed, "consensus", method, sheet.task)
    counts = resampled_counts(sheet.counts, rng, number)
    return np.stack([solved_sheet(sheet, method, c, labels).labels for c in counts])


def stays(labels: Array, drawn: Array) -> Array:
    """How much of an item's group it keeps in resampled panels, ``[item]``: the overlap over the union, on average.

    An item that is left out stays when it is left out again.
    """
    out = np.zeros(len(labels))
    same = labels[:, None] == labels[None, :]
    for one in drawn:
        again = one[:, None] == one[None, :]
        overlap = (same & again).sum(axis=1) / (same | again).sum(axis=1)
        out += np.where((labels < 0) | (one < 0), (labels < 0) & (one < 0), overlap)
    return np.asarray(out / len(drawn))


def _supports(votes: Association, found: Grouped, drawn: Array | None) -> dict[str, Any]:
    """Of each item, group and pair: how many judges are behind it, and how often it stays."""
    labels, share = found.labels, votes.share
    keep = None if drawn is None else stays(labels, drawn)
    items: dict[str, Any] = {}
    groups: list[dict[str, Any]] = []
    listed: list[dict[str, Any]] = []
    for i in np.flatnonzero(labels < 0).tolist():
        items[str(votes.items[i])] = _of(float(votes.left_out[i] / votes.judges), keep, i)
    for members in found.groups():
        inner = share[np.ix_(members, members)].copy()
        np.fill_diagonal(inner, np.nan)
        for k, i in enumerate(members):
            items[str(votes.items[i])] = _of(_mean(inner[k]), keep, i)
        first, second = np.triu_indices(len(members), 1)
        groups.append(
            {
                "support": _mean(inner[first, second]),
                "weakest": float(np.nanmin(inner)) if not np.isnan(inner).all() else math.nan,
                "stays": None if keep is None else float(keep[members].mean()),
            }
        )
        if len(listed) + len(first) <= PAIRS:
            for a, b in zip(first.tolist(), second.tolist(), strict=True):
                i, j = members[a], members[b]
                again = None if drawn is None else float(((drawn[:, i] == drawn[:, j]) & (drawn[:, i] >= 0)).mean())
                row = {"pair": [votes.items[i], votes.items[j]], "together": int(votes.together[i, j])}
                listed.append({**row, "both": int(votes.both[i, j]), "stays": again})
    order = [str(i) for i in votes.items]
    return {"items": {i: items[i] for i in order}, "group_support": groups, "pairs": listed}


def _of(support: float, keep: Array | None, item: int) -> dict[str, float | None]:
    return {"support": support, "stays": None if keep is None else float(keep[item])}


def _mean(values: Array) -> float:
    values = values[~np.isnan(values)]
    return float(values.mean()) if len(values) else math.nan


def _named(what: Any, items: Sequence[Hashable]) -> Any:
    return [_named(w, items) for w in what] if isinstance(what, list) else items[int(what)]


# -- the answer -------------------------------------------------------------------------------------------------------


def _finding(tasks: Sequence[Sheet], method: Method, solutions: Sequence[Solution], options: Options) -> Finding:
    names = dict.fromkeys(name for s in solutions for name in s.details)
    agreed = np.array([_weighted(s.agreed, t.counts) for s, t in zip(solutions, tasks, strict=True)])
    defined = agreed[~np.isnan(agreed)]
    return Finding(
        method,
        {"task": [t.task for t in tasks], "left_out": [s.left_out for s in solutions]},
        [s.groups for s in solutions],
        {"agreement": agreed.tolist(), **{n: [s.details.get(n) for s in solutions] for n in names}},
        (
            Overall(
                float(defined.mean()) if len(defined) else math.nan,
                _interval(tasks, method, solutions, agreed, options),
            ),
        ),
        called="groups",
    )


def _weighted(values: Array, counts: Array) -> float:
    use = ~np.isnan(values)
    return float(np.average(values[use], weights=counts[use])) if use.any() else math.nan


def _interval(
    tasks: Sequence[Sheet], method: Method, solutions: Sequence[Solution], agreed: Array, options: Options
) -> Interval | None:
    """Of the mean agreement with the judges: over tasks, and with one task over judges."""
    rng = stream(options.seed, "interval", method)
    if len(tasks) > 1:
        return mean_interval(agreed, rng, options.level, options.resamples)
    values = np.repeat(solutions[0].agreed, tasks[0].counts)
    return mean_interval(values, rng, options.level, options.resamples, "judges")


def as_panel(found: Answer) -> Groupings:
    """The consensus as a panel in which every method is a judge; groups are numbered, with their importance if known.

    >>> import quorate as q
    >>> panel = q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}, "bob": {"x": 1, "y": 1, "z": None}})
    >>> as_panel(q.consensus(panel, "pairs")).columns()
    {'judge': ['pairs', 'pairs', 'pairs'], 'item': ['x', 'y', 'z'], 'group': [1, 1, None]}
    """
    rows: list[tuple[Any, ...]] = []
    for f in found.findings:
        orders = f.details.get("importance", [None] * len(f.values))
        for task, left, groups, order in zip(f.keys["task"], f.keys["left_out"], f.values, orders, strict=True):
            for k, group in enumerate(groups):
                place = None if order is None or math.isnan(order[k]) else int(order[k])
                rows += [(task, str(f.method), item, k + 1, place) for item in group]
            rows += [(task, str(f.method), item, None, None) for item in left]
    columns = dict(zip(("task", "judge", "item", "group", "importance"), zip(*rows, strict=True), strict=True))
    if not any("importance" in f.details for f in found.findings):
        del columns["importance"]
    return Groupings.build(columns)


# -- in words ---------------------------------------------------------------------------------------------------------


def _sentences(panel: Groupings, findings: Sequence[Finding]) -> Iterator[str]:
    for f in findings:
        if len(f.values) == 1:
            groups, left = f.values[0], f.keys["left_out"][0]
            yield f"{_parts(groups, left)}{_stay(f)} ({f.method})."
        else:
            several = [sum(len(g) > 1 for g in groups) for groups in f.values]
            mean = sum(several) / len(several)
            yield f"On average {mean:.1f} groups of two items or more on {len(several):,} tasks{_stay(f)} ({f.method})."
    first = findings[0].overall[0]
    if not math.isnan(first.value):
        yield f"By {findings[0].method}, the consensus and a judge agree on {first.value:.0%} of the pairs of items."


def _parts(groups: Sequence[Sequence[Any]], left: Sequence[Any]) -> str:
    alone = sum(len(g) == 1 for g in groups)
    several = len(groups) - alone
    said = [f"{several} group{'' if several == 1 else 's'} of two items or more"]
    if alone:
        said.append(f"{alone} item{'' if alone == 1 else 's'} alone")
    if left:
        said.append(f"{len(left)} left out")
    return ", ".join(said)


def _stay(f: Finding) -> str:
    seen = [v["stays"] for items in f.details["items"] for v in items.values() if v["stays"] is not None]
    return f"; with other judges like these an item keeps {sum(seen) / len(seen):.0%} of its group" if seen else ""


def _remarks(solutions: Sequence[Solution]) -> Iterator[str]:
    def on(flags: Sequence[bool]) -> str:
        return "" if len(flags) == 1 else f" on {sum(flags)} of {len(flags)} tasks"

    unproven = [s.details.get("optimal") is False for s in solutions]
    if any(unproven):
        gaps = [s.details["gap"] / s.details["bound"] for s in solutions if s.details.get("optimal") is False]
        yield f"the best partition is not proven{on(unproven)}: pair votes are {max(gaps):.0%} below a bound; see gap"
    undecided = sum(len(s.details.get("undecided", ())) for s in solutions)
    if undecided:
        yield f"{undecided} items could be in another group and the judges agree as much: see undecided"
    chained = [bool(s.details.get("chains")) for s in solutions]
    if any(chained):
        yield f"some groups hold together by a chain only{on(chained)}: see chains, or join=cliques"
    drawn = [s.details["resamples"] for s in solutions if s.details["resamples"]]
    if drawn and min(drawn) < ROUGH:
        yield f"how often an item stays is from {min(drawn)} resampled panels a task: rough for one task"
    if not any(s.details["resamples"] for s in solutions):
        yield "too few judges, or too many items, for how often items stay"
    cut = [len(s.details["pairs"]) < sum(len(g) * (len(g) - 1) // 2 for g in s.groups) for s in solutions]
    if any(cut):
        yield f"more than {PAIRS:,} pairs{on(cut)}: those of later groups are not listed"
