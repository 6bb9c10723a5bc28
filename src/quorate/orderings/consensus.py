"""What do the judges agree on? One order of the items, ties kept, by points, majorities, patterns or models.

Points and majorities are in :mod:`~quorate.orderings.voting`, the order that contradicts the judges least in
:mod:`~quorate.orderings.kemeny`, patterns in :mod:`~quorate.orderings.extension`, models of judges who err in
:mod:`~quorate.orderings.models`; what they share is in :mod:`~quorate.orderings.agreed`. Where majorities go round in a
circle, every method says so.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import InputError
from quorate.inference.resample import resampled_counts, stream
from quorate.inference.results import Answer, Finding, Options
from quorate.kernels import ranks, similar
from quorate.orderings import extension, models, voting  # noqa: F401  (they declare their methods)
from quorate.orderings import kemeny as _kemeny  # noqa: F401
from quorate.orderings.agreed import Agreed
from quorate.orderings.long_orders import ITEMS
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.pairwise import tau_b
from quorate.panel.base import many
from quorate.panel.kinds import Orderings, Panel, Scores
from quorate.panel.stacks import Stack, stacks
from quorate.table import Method
from quorate.words.numbers import share
from quorate.words.wording import listed, on, voters

__all__ = ["answer", "as_panel", "consensus_order"]

Array = NDArray[Any]
WORK = 2 * 10**9  # judge x item-pair comparisons spent on the intervals of a method, about
PASSES = 40  # over them that Plackett-Luce takes
SLOW = 20_000  # resampled panels, over all tasks, for methods that solve them one by one
FEWEST = 50  # resampled panels that an interval needs
MOST = 10**6  # resampled panels over all tasks
LIGHT = 100  # of a task at most, with less effort
PANELS = 100_000  # resampled panels of all tasks, times the effort
CELLS = 1 << 22
SHOWN = 3  # circles in a sentence


def consensus_order(rankings: Rankings, method: str = "kemeny") -> list[list[Hashable]]:
    """The consensus of some rankings by a method, as tie groups, best first.

    >>> consensus_order(["abc", "acb", "bac"])
    [['a'], ['b'], ['c']]
    >>> consensus_order(["abc", "bca", "cab"])  # majorities go round in a circle
    [['a', 'b', 'c']]
    """
    task = one_task(rankings)
    chosen = table.parse(method, "orderings", "consensus")
    found: list[Agreed] = chosen(task.positions, task.counts)
    return found[0].ranking(task.items)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The consensus of resampled panels of one task: mid-ranks and dense positions, ``[resample, item]``."""

    ranks: Array
    positions: Array


def answer(panel: Orderings, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task: the order, each item's rank interval, and what is worth knowing of it."""
    parts = list(stacks(panel))
    findings, comparison, notes = [], [], list(panel.notes)
    for done, method in enumerate(methods):
        options.tell("consensus", done, len(methods))
        finding, compared = _finding(panel, parts, method, options)
        findings.append(finding)
        comparison += compared
    options.tell("consensus", len(methods), len(methods))
    return Answer(
        "orderings",
        "consensus",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(_sentences(panel, findings)),
        (*notes, *_notes(panel, parts, findings), *_said_of_resamples(parts, methods, options)),
        {"without_outliers": comparison} if comparison else {},
    )


def _finding(
    panel: Orderings, parts: Sequence[Stack], method: Method, options: Options
) -> tuple[Finding, list[dict[str, Any]]]:
    rows: dict[int, tuple[list[list[Hashable]], dict[str, Any]]] = {}
    compared: list[dict[str, Any]] = []
    number, most = _resamples(parts, method, options)
    for part in parts:
        found: list[Agreed] = method(part.positions, part.counts)
        for t, agreed in enumerate(found):
            items = [panel.items[i] for i in part.items[t]]
            judges = [panel.judges[j] for j in part.judges[t]]
            details = agreed.details(items, judges)
            drawn = _drawn(part, t, method, number if part.tasks[t] < most else 0, options)
            details |= _certainty(agreed, drawn, items, options.level)
            rows[int(part.tasks[t])] = (agreed.ranking(items), details)
            if method["outliers"] == "drop":
                compared += _compare(panel, part, t, method, agreed, drawn, number, options)
    ordered = [rows[t] for t in sorted(rows)]
    names = dict.fromkeys(name for _, details in ordered for name in details)
    columns = {name: [details.get(name) for _, details in ordered] for name in names}
    tasks = {"task": [panel.tasks[t] for t in sorted(rows)]}
    return Finding(method, tasks, [ranking for ranking, _ in ordered], columns, called="ranking"), compared


# -- how sure: panels drawn anew from the same judges ---------------------------------------------------------------


def _resamples(parts: Sequence[Stack], method: Method, options: Options) -> tuple[int, int]:
    """How many panels to draw per task (0 when too few could be), and for how many tasks, the first ones."""
    if options.effort < 1:
        return _fewer(parts, method, options)
    tasks = sum(p.shape[0] for p in parts)
    _, judges, items = max((p.shape for p in parts), key=lambda shape: shape[1] * shape[2] ** 2)
    each = judges * items**2 * (PASSES if method.name == "plackett_luce" else 1)
    each += items**3 // 4 if method.name == "schulze" else 0  # every item as a step of every path
    number = min(options.resamples, WORK // max(tasks * each, 1), max(MOST // tasks, FEWEST))
    if method.declaration.properties.get("slow"):
        number = min(number, 200, int(SLOW // (tasks * max(1.0, (items / 60) ** 2))))
    return (number if number >= min(FEWEST, options.resamples) else 0), tasks


def _said_of_resamples(parts: Sequence[Stack], methods: Sequence[Method], options: Options) -> list[str]:
    """That rank intervals are of fewer panels than asked for; methods that solve panels one by one never draw many."""
    by_number: dict[int, list[str]] = {}
    for m in methods:
        number, _ = _resamples(parts, m, options)
        if 0 < number < options.resamples and options.effort >= 1 and not m.declaration.properties.get("slow"):
            by_number.setdefault(number, []).append(str(m))
    return [
        f"{', '.join(names)}: rank intervals are of {number:,} resamples a task, not {options.resamples:,}"
        for number, names in by_number.items()
    ]


def _fewer(parts: Sequence[Stack], method: Method, options: Options) -> tuple[int, int]:
    """With less effort: fewer panels, of the first tasks, and rank sums alone are drawn anew: the others cost more."""
    if method.name != "rank_sum":
        return 0, 0
    number = min(options.resamples, LIGHT)
    each = max(p.shape[1] * int((p.positions > 0).sum(axis=2).max()) ** 2 for p in parts)
    most = min(PANELS, WORK // each) * options.effort / max(number, 1)
    return number, max(int(most), 1)


def _drawn(part: Stack, t: int, method: Method, number: int, options: Options) -> Drawn | None:
    counts = part.counts[t]
    if int(counts.sum()) < 3 or not number:
        return None
    rng = stream(options.seed, "consensus", method, int(part.tasks[t]))
    _, judges, items = part.shape
    found: list[Array] = []
    drawn = resampled_counts(counts, rng, number)
    for block in np.array_split(drawn, max(1, number * items * items // CELLS)):
        rankings = np.broadcast_to(part.positions[t : t + 1], (len(block), judges, items))
        found += [a.positions for a in method(rankings, block, alike=bool((counts > 1).any()), brief=True)]
    positions = np.stack(found)
    return Drawn(ranks.mid_ranks(positions[None])[0], positions)


def _certainty(agreed: Agreed, drawn: Drawn | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """Each item's rank, where it lies in resampled panels, and how often each item is first there, alone or tied."""
    rank = ranks.mid_ranks(agreed.positions[None, None])[0, 0]
    out: dict[str, Any] = {"rank": {str(i): r for i, r in zip(items, rank.tolist(), strict=True)}}
    if drawn is None:
        return {**out, "rank_interval": None, "first": None, "resamples": 0}
    number = len(drawn.ranks)
    ends = [max(math.ceil(number * share - 1), 0) for share in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.partition(drawn.ranks, ends, axis=0)[ends]  # ranks that occur, so that none lies between places
    first = (drawn.positions == 1).mean(axis=0)
    out["rank_interval"] = {str(i): [a, b] for i, a, b in zip(items, low.tolist(), high.tolist(), strict=True)}
    out["first"] = {str(i): s for i, s in zip(items, first.tolist(), strict=True) if s > 0}
    out["resamples"] = len(drawn.positions)
    return out


def _compare(
    panel: Orderings, part: Stack, t: int, method: Method, without: Agreed, drawn: Drawn | None, number: int, o: Options
) -> list[dict[str, Any]]:
    """Does leaving out the outliers make a better consensus? Both orders against all judges and those kept."""
    if not without.dropped:
        return []
    everyone = method.with_(outliers="keep")
    positions, counts = part.positions[t : t + 1], part.counts[t : t + 1]
    whole: Agreed = everyone(positions, counts)[0]
    kept = counts[0].copy()
    kept[list(without.dropped)] = 0
    again = _drawn(part, t, everyone, number, o)
    out = []
    for by, agreed, sample in ((everyone, whole, again), (method, without, drawn)):
        own = mean_tau(positions[0], kept, agreed.positions)
        out.append(
            {
                "task": panel.tasks[int(part.tasks[t])],
                "method": str(by),
                "judges": int(kept.sum()) if by is method else int(counts.sum()),
                "tau_all": mean_tau(positions[0], counts[0], agreed.positions),
                "tau_kept": own,
                "tau_resampled": None if sample is None else _steadiness(agreed.positions, sample.positions),
            }
        )
    return out


def mean_tau(positions: Array, counts: Array, candidate: Array) -> float:
    """Mean tau-b of a ranking with the judges, over the items each has ranked."""
    values = np.array([tau_b.square(np.stack([row, candidate])[None])[0, 0, 1] for row in positions])
    use = ~np.isnan(values) & (counts > 0)
    return float(np.average(values[use], weights=counts[use])) if use.any() else float("nan")


def _steadiness(positions: Array, drawn: Array) -> float | None:
    """Mean tau-b of the consensus with those of resampled panels."""
    pairs = np.stack([np.broadcast_to(positions, drawn.shape), drawn], axis=1)
    values = similar.tau_b(pairs)[:, 0, 1]
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else None


# -- in words -------------------------------------------------------------------------------------------------------


def _sentences(panel: Orderings, findings: Sequence[Finding]) -> list[str]:
    votes = voters(panel)
    alike: dict[str, list[Finding]] = {}
    for f in findings:
        alike.setdefault(_several(f) if len(panel.tasks) > 1 else _first(f, votes), []).append(f)
    stays = _stay_on_tasks if len(panel.tasks) > 1 else _stays
    out = [f"{said} ({', '.join(str(f.method) for f in fs)}){stays(fs)}." for said, fs in alike.items()]
    circles = [c for f in findings[:1] for c in f.details.get("cycles", ()) if c]
    if circles and len(panel.tasks) == 1:
        shown = "; ".join(listed(c) for c in circles[0][:SHOWN])
        out.append(f"No order agrees with every majority: they go round in a circle among {shown}.")
    elif circles:
        where = on(len(circles), len(panel.tasks)).capitalize()
        out.append(f"{where} no order agrees with every majority: they go round in a circle.")
    return out


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


def _notes(panel: Orderings, parts: Sequence[Stack], findings: Sequence[Finding]) -> list[str]:
    notes = []
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left out: of each judge the first ordering of a task counts")
    if any((p.positions == 0).any() for p in parts):
        for policy in dict.fromkeys(str(f.method["missing"]) for f in findings):
            names = ", ".join(f.method.name for f in findings if f.method["missing"] == policy)
            notes.append(f"some judges left items out; an absent item means {policy} ({names})")
    remarks: dict[str, list[str]] = {}
    for f in findings:
        for said in _remarks(f):
            remarks.setdefault(said, []).append(str(f.method))
    return notes + [f"{', '.join(methods)}: {said}" for said, methods in remarks.items()]


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
    several = d.get("several", ())
    if any(several):
        yield f"several orders are equally good{where(several)}; this one is nearest the rank sums"
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


# -- as a panel -----------------------------------------------------------------------------------------------------


def as_panel(found: Answer, name: str = "") -> Orderings:
    """The consensus orders as a panel in which every method is a judge, to be written in any format.

    >>> import quorate as q
    >>> panel = q.Orderings.from_orders(["abc", "acb", "bac"])
    >>> as_panel(q.consensus(panel, "copeland")).orders()
    {'copeland': [['a'], ['b'], ['c']]}
    """
    orders: dict[Any, dict[Any, Any]] = {}
    for f in found.findings:
        judge = name or str(f.method).replace(", ", ",")  # search runs have no blanks in names
        for task, ranking in zip(f.keys["task"], f.values, strict=True):
            orders.setdefault(task, {})[judge] = ranking
    return Orderings.from_orders(orders)


def as_grades(found: Answer, judge: str) -> Panel:
    """The consensus of one method as grades, the last place 1: what a qrels file holds."""
    if len(found.findings) != 1:
        raise InputError(f"qrels hold one order, there are {len(found.findings)}.", "name one --method.")
    panel = as_panel(found, judge)
    last = np.repeat(panel.value[panel.starts[1:] - 1].astype(np.int64), np.diff(panel.starts))
    grade = (last - panel.value + 1).astype(float)
    return Scores.build({"task": panel.task, "judge": panel.judge, "item": panel.item, "score": grade})
