"""What came out, typed: a leaderboard, an order, orders of several tasks, groups, or labels. Read from estimates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel
from quorate.panel.kinds import Scores
from quorate.words.numbers import finite
from quorate.words.wording import FIGURES

SAME = 1e-12  # values that differ by rounding alone
STEADY = 0.8  # how often the first stays first, from which on it leads
FEW = 3  # who cannot be told apart at the top and are named
OPEN = 0.5  # share of an item's judges up to which a label is open
MIXED = 0.1  # share of answers, from which on two labels that are mixed up are worth a word


@dataclass(frozen=True)
class Result:
    """What came out: a leaderboard, an order, orders of several tasks, groups, or labels."""

    form: str = "nothing"  # board, order, orders, groups, labels
    question: str = "consensus"
    what: str = "item"
    state: str = ""  # of a board or order: one, level, shared, leads, tied, untested
    rows: tuple[Estimate, ...] = ()  # of a board, best first
    leaders: tuple[str, ...] = ()  # the first, and who cannot be told from it
    second: tuple[str, ...] = ()  # behind a leader for sure: the next, and who cannot be told from it
    criterion: str | None = None
    criteria: int = 1
    stays: float | None = None  # how often the first stays first; how much of its group an item keeps
    over: str = "judges"  # in panels of which others
    places: tuple[tuple[str, float, float | None, float | None], ...] = ()  # items with place and interval
    counts: tuple[tuple[str, int], ...] = ()  # labels, or groups, and how many items each has
    number: int = 0  # tasks with a sole leader, groups, items with a majority
    alone: int = 0  # items of the only task that are in no group with another
    of: int = 0
    open: tuple[str, ...] = ()  # items to adjudicate
    figure: str = ""  # what the figures of a board are, in words
    few_tasks: int = 0  # tasks there are, where no difference could be significant on so few
    tested: bool = False  # whether the first was tested against the next, and a difference could have been found
    confused: tuple[str, str] | None = None  # the two of several labels that are mixed up most, and not seldom
    parts: int = 1  # into which systems fall that nobody compared, not even by way of others

    @property
    def open_top(self) -> bool:
        """Whether all, or more than half of several, cannot be told from the first of a board."""
        return self.state == "tied" and len(self.leaders) > min(len(self.rows) - 1, max(FEW, len(self.rows) / 2))


def result_of(panel: Panel, answers: Mapping[str, Answer | None]) -> Result:
    """What the answers say came out: of quality, or else of consensus."""
    for question in ("quality", "consensus"):
        answer = answers.get(question)
        if answer is not None and answer.findings:
            finding = answer.findings[0]
            if any("system" in e.labels for e in finding.overall):
                return _board(panel, finding, question)
            if question == "consensus":
                return _agreed_on(panel, finding, answers.get("agreement"))
    return Result()


def _board(panel: Panel, finding: Finding, question: str) -> Result:
    criteria = list(dict.fromkeys(e.labels.get("criterion") for e in finding.overall))
    rows = tuple(e for e in finding.overall if e.labels.get("criterion") == criteria[0] and finite(e.value))
    what = "item" if isinstance(panel, Scores) and not panel.of_systems else "system"
    on = None if criteria[0] is None else str(criteria[0])
    if not rows:
        return Result("board", question, what, criterion=on, criteria=len(criteria))
    names = [str(e.labels["system"]) for e in rows]
    top, others = rows[0], rows[1:]
    equal = [n for n, e in zip(names, rows, strict=True) if abs(e.value - top.value) <= SAME * max(abs(top.value), 1)]
    p = [e.labels.get("p_best") for e in others]
    near = [n for n, x in zip(names[1:], p, strict=True) if x is None or x >= ALPHA]
    if panel.kind == "groupings" and top.null is not None and top.null.p >= ALPHA:
        near = names[1:]  # no better than its own groups permuted: it leads nobody
    few = max((e.least for e in rows), default=0.0) >= ALPHA and len({e.labels.get("group") for e in rows}) == 1
    state = "leads"
    if not others:
        state = "one"
    elif len(equal) > 1:
        state = "level" if len(equal) == len(rows) else "shared"
    elif few or all(x is None for x in p):
        state = "untested"
    elif near:
        state = "tied"
    second = _second(rows, names) if state == "leads" and len(rows) > 2 else ()
    tasks = int(max(e.labels.get("tasks", 0) for e in rows))
    return Result(
        "board",
        question,
        what,
        state,
        rows,
        tuple(equal) if state == "shared" else (names[0], *near),
        second,
        on,
        len(criteria),
        top.labels.get("first"),
        top.interval.over if top.interval else "judges" if len(panel.tasks) == 1 else "tasks",
        figure=FIGURES.get(finding.method.name, f"a higher figure is {finding.method.declaration.higher}"),
        few_tasks=tasks if few and what == "system" and len(panel.tasks) > 1 else 0,
        tested=not few and any(x is not None for x in p),
        parts=len({*np.asarray(finding.about[0].get("part", (0,))).tolist()}) if finding.about else 1,
    )


def _second(rows: Sequence[Estimate], names: Sequence[str]) -> tuple[str, ...]:
    """The second, and those behind it who share a letter with it."""
    letters = set(str(rows[1].labels.get("group") or ""))
    return tuple(n for n, e in zip(names[1:], rows[1:], strict=True) if letters & set(str(e.labels.get("group") or "")))


def _agreed_on(panel: Panel, finding: Finding, agreement: Answer | None) -> Result:
    if finding.called == "ranking":
        return _orders(finding)
    if finding.called == "groups":
        return _groups(finding)
    if finding.overall and "decided" in finding.overall[0].labels:
        return _labels(panel, finding, agreement)
    return Result()


def _orders(f: Finding) -> Result:
    first = f.details.get("first") or [None] * len(f.values)
    if len(f.values) != 1:
        alone = [(order[0][0], seen) for order, seen in zip(f.values, first, strict=True) if _leads(order)]
        shares = [seen.get(str(item), 0.0) for item, seen in alone if seen]
        mean = math.fsum(shares) / len(shares) if shares else None
        return Result("orders", number=len(alone), of=len(f.values), stays=mean)
    order, seen = f.values[0], first[0]
    if not order:
        return Result()
    top = tuple(map(str, order[0]))
    rank, ends = f.details["rank"][0], f.details["rank_interval"][0] or {}
    items = sorted(rank, key=lambda i: (rank[i], str(i)))
    places = tuple((str(i), float(rank[i]), *(ends.get(i) or ends.get(str(i)) or (None, None))) for i in items)
    state = "one" if len(items) == 1 else "level" if len(order) == 1 else "shared" if len(top) > 1 else "leads"
    stays = min(seen.get(i, 0.0) for i in top) if seen and state == "leads" else None
    if state == "leads" and stays is not None and stays < 1 - ALPHA:
        state = "tied" if stays < STEADY else "leads"
    second = tuple(map(str, order[1])) if len(order) > 1 else ()
    return Result("order", state=state, leaders=top, second=second, stays=stays, places=places, of=1)


def _leads(order: Sequence[Sequence[Any]]) -> bool:
    return len(order) > 1 and len(order[0]) == 1


def _groups(f: Finding) -> Result:
    stays = [own["stays"] for items in f.details.get("items", ()) for own in items.values()]
    known = [s for s in stays if s is not None]
    mean = math.fsum(known) / len(known) if known else None
    several = [[len(g) for g in groups if len(g) > 1] for groups in f.values]
    number = sum(map(len, several))
    counts: tuple[tuple[str, int], ...] = ()
    if len(f.values) == 1:
        counts = tuple((str(k), size) for k, size in enumerate(sorted(several[0], reverse=True), 1))
    alone = sum(len(g) == 1 for g in f.values[0]) if len(f.values) == 1 else 0
    state = "one" if [sum(map(len, groups)) for groups in f.values] == [1] else ""
    return Result("groups", state=state, stays=mean, number=number, alone=alone, of=len(f.values), counts=counts)


def _labels(panel: Panel, f: Finding, agreement: Answer | None) -> Result:
    told = f.overall[0].labels
    criterion = told.get("criterion")
    mixed = [r for r in (agreement.more.get("confused", ()) if agreement else ()) if r.get("criterion") == criterion]
    worst = mixed[0] if len(mixed) > 1 and mixed[0]["value"] >= MIXED else None  # of two labels there is one pair only
    rows = []
    for row in f.rows():
        votes, judges = row["details"].get("votes"), row["details"].get("judges")
        if row.get("criterion") == criterion and votes is not None and judges:
            name = f"{row['task']}: {row['item']}" if len(panel.tasks) > 1 else str(row["item"])
            rows.append((votes / judges, row[f.called] is None, judges, name))
    several = [r for r in rows if r[2] > 1]
    unsure = sorted((share, name) for share, tied, _, name in several if tied or share <= OPEN)
    mean = math.fsum(r[0] for r in several) / len(several) if several else None
    counts = tuple(sorted(((str(k), int(n)) for k, n in told["labels"].items()), key=lambda kn: (-kn[1], kn[0])))
    return Result(
        "labels",
        criterion=None if criterion is None else str(criterion),
        criteria=len(f.overall),
        counts=counts,
        number=int(told["decided"]),
        of=int(told["units"]),
        stays=mean,
        open=tuple(name for _, name in unsure),
        confused=(str(worst["label"]), str(worst["other_label"])) if worst else None,
    )
