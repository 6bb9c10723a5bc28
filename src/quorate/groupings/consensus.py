"""What do the judges agree on? A partition of the items, with how well each item and group is supported.

The methods are in :mod:`~quorate.groupings.consensus_partition`, the counts that they work on in
:mod:`~quorate.groupings.association`, the proof in :mod:`~quorate.groupings.partition_program`, and the order of groups
by importance in :mod:`~quorate.groupings.importance`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.groupings.association import Association
from quorate.groupings.consensus_bootstrap import drawn, draws, stays
from quorate.groupings.consensus_partition import Grouped, pairs, quorum_groups
from quorate.groupings.consensus_support import PAIRS, Supported, columns, supported
from quorate.groupings.importance import Ranked, group_ranks, places
from quorate.groupings.sheets import Sheet, sheets
from quorate.groupings.task_consensus import agreed, renumbered, solved_sheets
from quorate.inference.resample import Interval, centred, mean_interval, resampled_counts, stream
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import blocks
from quorate.table import Method
from quorate.words.numbers import share
from quorate.words.wording import on

__all__ = ["Association", "answer", "as_panel", "consensus_groups", "pairs", "quorum_groups"]

Array = NDArray[Any]
SHARE = (0.0, 1.0)
ROUGH = 20  # below which they say it roughly
MANY = 10_000  # judges up to which an interval draws them one by one


def consensus_groups(groupings: Mapping[Any, Any] | Groupings, method: str = "pairs") -> list[list[Hashable]]:
    """The consensus of some groupings of one task by a method, as groups of items, larger ones first.

    >>> consensus_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 2, "z": 2}, "cat": {"x": 7, "y": 7}})
    [['x', 'y'], ['z']]
    """
    panel = groupings if isinstance(groupings, Groupings) else Groupings.from_groups(groupings)
    sheet = next(iter(sheets(panel)))
    (solved,) = solved_sheets([sheet], table.parse(method, "groupings", "consensus"))
    return [[sheet.items[i] for i in group] for group in solved.groups()]


def answer(panel: Groupings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task: groups, left-out items, support, and how often they stay with other judges."""
    tasks = sheets(panel)
    ranked = Ranked(panel) if "importance" in panel.labels else None
    findings, notes, kept = [], list(panel.notes), []
    for done, method in enumerate(methods):
        options.tell(f"consensus by {method}", done, len(methods))
        solutions = _solutions(tasks, method, ranked, options)
        options.tell("consensus", done + 1, len(methods))
        findings.append(_finding(tasks, method, solutions, options))
        notes += [f"{method}: {said}" for said in _remarks(solutions)]
        kept.append(_kept(solutions))
    if options.effort < 1 and (fewer := _fewer(tasks, options)):
        notes.append(fewer)
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left out: of each judge the first grouping of a task counts")
    return Answer(
        "groupings",
        "consensus",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(findings, kept)),
        tuple(notes),
    )


def _fewer(tasks: Sequence[Sheet], options: Options) -> str:
    """That fewer panels were drawn than with all effort, in words."""
    judges, items = max((t.labels.shape for t in tasks), key=lambda shape: shape[0] * shape[1])
    now, all_of_them = (draws(replace(options, effort=e), len(tasks), judges, items) for e in (options.effort, 1.0))
    if now >= all_of_them:
        return ""
    return (
        f"how often items stay: {now} panels of each task are drawn instead of {all_of_them} to keep the page quick; "
        "`--effort 1` draws all"
    )


@dataclass(frozen=True, eq=False)
class Solution:
    """The consensus of one task with all that is told of it."""

    groups: list[list[Hashable]]
    left_out: list[Hashable]
    agreed: Array  # share of pairs on which each judge agrees with it
    details: dict[str, Any]
    behind: Supported


def _solutions(tasks: Sequence[Sheet], method: Method, ranked: Ranked | None, options: Options) -> list[Solution]:
    found = solved_sheets(tasks, method)
    orders: list[Array | None] = [None] * len(tasks)
    if ranked is not None:
        for k, sheet in enumerate(tasks):
            found[k], orders[k] = _by_importance(sheet, found[k], method, ranked)
    again = drawn(tasks, method, [f.labels for f in found], options)
    shares, kept = [np.empty(0)] * len(tasks), cast(list[Array | None], [None] * len(tasks))
    for block in blocks(tasks):
        numbers = block.tasks.tolist()
        labels = np.stack([found[k].labels for k in numbers])
        for k, each in zip(numbers, agreed(block.labels, labels), strict=True):
            shares[k] = each
        seen = [n for n, k in enumerate(numbers) if again[k] is not None]
        if seen:
            for n, each in zip(seen, stays(labels[seen], np.stack([again[numbers[n]] for n in seen])), strict=True):
                kept[numbers[n]] = each
    behind = supported(tasks, [f.labels for f in found], again, kept)
    return [_solution(*each) for each in zip(tasks, found, orders, shares, behind, strict=True)]


def _by_importance(sheet: Sheet, found: Grouped, method: Method, ranked: Ranked) -> tuple[Grouped, Array]:
    """The groups in the order of their importance, and their places."""
    given = group_ranks(sheet.labels, ranked.on(sheet.code, sheet.judges, sheet.item_codes), found.labels)
    order = places(given, sheet.counts, str(method["importance"]))
    sort = np.lexsort((np.arange(len(order)), np.where(np.isnan(order), np.inf, order)))
    return Grouped(renumbered(found.labels, sort), found.facts, found.about), order[sort]


def _solution(sheet: Sheet, found: Grouped, order: Array | None, share: Array, behind: Supported) -> Solution:
    items = sheet.items
    details: dict[str, Any] = {**found.facts, **{k: _named(v, items) for k, v in found.about.items()}}
    details["judges"] = dict(zip(map(str, sheet.judge_names), share.tolist(), strict=True))
    if order is not None:
        details["importance"] = order.tolist()
    details["resamples"] = 0 if behind.drawn is None else len(behind.drawn)
    groups = [[items[i] for i in g] for g in found.groups()]
    left = [i for i, g in zip(items, found.labels.tolist(), strict=True) if g < 0]
    return Solution(groups, left, share, details, behind)


def judge_agreement(labels: Array, consensus: Array) -> Array:
    """Of the pairs that a judge used and the consensus has, the share on which both agree, ``[judge]``; else NaN."""
    return np.asarray(agreed(labels[None], consensus[None])[0])


def _named(what: Any, items: Sequence[Hashable]) -> Any:
    return [_named(w, items) for w in what] if isinstance(what, list) else items[int(what)]


# -- the answer -------------------------------------------------------------------------------------------------------


def _finding(tasks: Sequence[Sheet], method: Method, solutions: Sequence[Solution], options: Options) -> Finding:
    names = dict.fromkeys(name for s in solutions for name in s.details)
    shares = np.array([_weighted(s.agreed, t.counts) for s, t in zip(solutions, tasks, strict=True)])
    defined = shares[~np.isnan(shares)]
    told: dict[str, Any] = {n: [s.details.get(n) for s in solutions] for n in names}
    last = told.pop("resamples")
    return Finding(
        method,
        {"task": [t.task for t in tasks], "left_out": [s.left_out for s in solutions]},
        [s.groups for s in solutions],
        {"agreement": shares.tolist(), **told, **columns([s.behind for s in solutions]), "resamples": last},
        (
            Overall(
                float(defined.mean()) if len(defined) else math.nan,
                _interval(tasks, method, solutions, shares, options),
            ),
        ),
        called="groups",
    )


def _weighted(values: Array, counts: Array) -> float:
    use = ~np.isnan(values)
    return float(np.average(values[use], weights=counts[use])) if use.any() else math.nan


def _interval(
    tasks: Sequence[Sheet], method: Method, solutions: Sequence[Solution], shares: Array, options: Options
) -> Interval | None:
    """Of the mean agreement with the judges: over tasks, and with one task over judges."""
    rng = stream(options.seed, "interval", method)
    if len(tasks) > 1:
        return mean_interval(shares, rng, options.level, options.resamples, range=SHARE)
    values, counts = solutions[0].agreed, tasks[0].counts
    if counts.sum() <= MANY:
        return mean_interval(np.repeat(values, counts), rng, options.level, options.resamples, "judges", SHARE)
    values, counts = values[np.isfinite(values)], counts[np.isfinite(values)]
    if not len(values):
        return None
    means = resampled_counts(counts, rng, options.resamples) @ values / counts.sum()
    return centred(_weighted(values, counts), means, options.level, "judges", int(counts.sum()), SHARE)


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


def _sentences(findings: Sequence[Finding], kept: Sequence[float]) -> Iterator[str]:
    for f, same in zip(findings, kept, strict=True):
        if len(f.values) == 1:
            groups, left = f.values[0], f.keys["left_out"][0]
            yield f"{_parts(groups, left)}{_stay(same)} ({f.method})."
        else:
            several = [sum(len(g) > 1 for g in groups) for groups in f.values]
            mean = sum(several) / len(several)
            yield f"A task has {mean:.1f} groups of two items or more on average{_stay(same)} ({f.method})."
    first = findings[0].overall[0]
    if not math.isnan(first.value):
        yield f"The consensus by {findings[0].method} and a judge agree on {share(first.value)} of the pairs of items."


def _parts(groups: Sequence[Sequence[Any]], left: Sequence[Any]) -> str:
    alone = sum(len(g) == 1 for g in groups)
    several = len(groups) - alone
    said = [f"{many(several, 'group')} of two items or more" if several else "No two items together"]
    if alone:
        said.append(f"{many(alone, 'item')} alone")
    if left:
        said.append(f"{len(left)} left out")
    return ", ".join(said)


def _kept(solutions: Sequence[Solution]) -> float:
    """How much of its group an item keeps with other judges, on average; NaN where nothing was drawn."""
    seen = [s.behind.kept for s in solutions if s.behind.kept is not None]
    return float(np.concatenate(seen).mean()) if seen else math.nan


def _stay(kept: float) -> str:
    return "" if math.isnan(kept) else f"; with other judges like these an item keeps {share(kept)} of its group"


def _remarks(solutions: Sequence[Solution]) -> Iterator[str]:
    def where(flags: Sequence[bool]) -> str:
        return "" if len(flags) == 1 else f" {on(sum(flags), len(flags))}"

    unproven = [s.details.get("optimal") is False for s in solutions]
    if any(unproven):
        gaps = [s.details["gap"] / s.details["bound"] for s in solutions if s.details.get("optimal") is False]
        below = f"pair votes are {max(gaps):.0%} below a bound"
        yield f"the best partition is not proven{where(unproven)}: {below}; see gap"
    undecided = sum(len(s.details.get("undecided", ())) for s in solutions)
    if undecided:
        yield f"{many(undecided, 'item')} could be in another group and the judges agree as much: see undecided"
    chained = [bool(s.details.get("chains")) for s in solutions]
    if any(chained):
        yield f"some groups hold together by a chain only{where(chained)}: see chains, or join=cliques"
    drawn = [s.details["resamples"] for s in solutions if s.details["resamples"]]
    if drawn and min(drawn) < ROUGH:
        yield f"how often an item stays is from {min(drawn)} resampled panels a task: rough for one task"
    if not any(s.details["resamples"] for s in solutions):
        yield "too few judges, or too many items, for how often items stay"
    cut = [s.behind.pairs() > PAIRS for s in solutions]
    if any(cut):
        yield f"more than {PAIRS:,} pairs{where(cut)}: those of later groups are not listed"
