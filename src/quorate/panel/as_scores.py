"""Any judgments as scores, so that what is asked of people and models is asked of every kind by the same formulas.

An ordering scores every item by its place in the judge's list (near 1 at the top, near 0 at the end), a grouping every
two items (1 together, 0 apart), and a vote its pair (1 where the one whose name comes first wins, 0.5 for a tie). What
a vote tells of both sides, such as ``length_a`` and ``length_b``, is the difference of the two then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, LimitReached
from quorate.panel.columns import Coded, encode, narrow
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes
from quorate.panel.partitions import partitions
from quorate.panel.units import occasion_order
from quorate.panel.vote_columns import FAMILIES, covariate, covariates, own_family

Array = NDArray[Any]
ROWS = 5_000_000  # pairs of items times judges, at most
PLACE, OWN = "first place", "own family"  # of votes: what was shown first, and what is of the judge's own family


def as_scores(panel: Panel) -> Scores:
    """The same judgments as scores; scores as they are.

    >>> panel = Orderings.from_orders({"ann": "abcd", "bob": [["a", "b"], "c", "d"]})
    >>> as_scores(panel).value.tolist()
    [0.875, 0.625, 0.375, 0.125, 0.75, 0.75, 0.375, 0.125]
    """
    if isinstance(panel, Scores):
        return panel
    if isinstance(panel, Groupings):
        return _pairs(panel)
    if isinstance(panel, Orderings):
        return _built(panel, {**_raw(panel), **panel.labels, "score": _places(panel)})
    return _built(panel, _one_side(panel, _turned(panel)))


def both_sides(panel: Votes) -> Scores:
    """Votes as scores of their pairs seen from both sides: what varies is how judges choose, whatever systems are
    called. The two sides of a pair are of one task; where there is one task only, every pair is a task. A pair that
    judges vote on again, as when it is shown the other way round, is another item of the task: all votes count.

    >>> sides = both_sides(Votes.from_votes([("ann", "x", "y", "x"), ("ann", "x", "z", "z")]))
    >>> sides.value.tolist(), len(sides.tasks), len(sides.items)
    ([1.0, 0.0, 0.0, 1.0], 2, 4)
    """
    turn = _turned(panel)
    sides = [_one_side(panel, way * turn) for way in (1, -1)]
    named = [f"{name} again {k}" if k else name for name, k in zip(panel.item.values(), _before(panel), strict=True)]
    names = [[f"{name}{mark}" for name in named] for mark in ("", " turned")]
    task = panel.item.values() if len(panel.tasks) == 1 else panel.task.values()
    both = {n: [*_values(sides[0][n]), *_values(sides[1][n])] for n in sides[0]}
    return _built(panel, {**both, "item": [*names[0], *names[1]], "task": [*task, *task]})


def _before(panel: Votes) -> list[int]:
    """How often each vote's judge voted on the pair in the task before."""
    same = (panel.item.codes, panel.judge.codes, panel.task.codes)
    order = np.lexsort((occasion_order(panel.occasion), *same))
    begins = np.diff(np.stack(same)[:, order].astype(np.int64), axis=1, prepend=-1).any(axis=0)
    place = np.arange(len(order))
    before = np.empty(len(order), np.int64)
    before[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    return before.tolist()


def _values(column: Any) -> Any:
    return column.values() if isinstance(column, Coded) else column


def _built(panel: Panel, columns: dict[str, Any]) -> Scores:
    return replace(Scores.build(columns), notes=panel.notes, reading=panel.reading)


def _raw(panel: Panel) -> dict[str, Any]:
    named = {"task": panel.task, "judge": panel.judge, "item": panel.item, "occasion": panel.occasion}
    return {**named, "count": panel.count}


def _one_side(panel: Panel, turn: Array) -> dict[str, Any]:
    """The columns of votes as scores of the system that ``turn`` says: 1 is the one shown first."""
    value = np.where(turn < 0, 1 - panel.value, panel.value)
    return {**_raw(panel), **_apart(panel, turn), "score": value}


def _places(panel: Orderings) -> Array:
    """The share of the judge's list that is below each item, ties halved."""
    sizes = np.diff(panel.starts)
    judgment = np.repeat(np.arange(len(sizes)), sizes)
    level = judgment * (int(panel.value.max()) + 1) + panel.value.astype(np.int64)
    _, first, inverse, tied = np.unique(level, return_index=True, return_inverse=True, return_counts=True)
    before = first - panel.starts[:-1][judgment[first]]  # rows lie in the order of places
    middle = (before + tied / 2)[inverse.ravel()]
    return np.asarray(1 - middle / sizes[judgment])


def _turned(panel: Panel) -> Array:
    """1 where the one whose name comes first was shown first, -1 where it was shown second."""
    a, b = panel.labels["model_a"], panel.labels["model_b"]
    return np.array([-1 if str(x) > str(y) else 1 for x, y in zip(a.values(), b.values(), strict=True)])


def _apart(panel: Panel, turn: Array) -> dict[str, Any]:
    """The labels of votes, what is told of both sides as the difference: of the one whose name comes first, less the
    other. So a bias is one of pairs, as it is in the model of votes."""
    columns, once = panel.labels, np.ones(len(panel))
    names = covariates(columns)
    gone = {*FAMILIES[1:], "model_a", "model_b", *(f"{n}_{side}" for n in names for side in "ab")}
    sides = [columns[n].codes.astype(np.int64) for n in ("model_a", "model_b")]
    every = encode([*columns["model_a"].ids, *columns["model_b"].ids])
    at = np.split(every.codes.astype(np.int64), [len(columns["model_a"].ids)])
    own = own_family(columns, panel.judges, every.ids, (panel.judge.codes, at[0][sides[0]], at[1][sides[1]]))
    told = {n: covariate(columns, n, once) * turn for n in names}
    told |= {PLACE: turn / 2} | ({} if own is None else {OWN: own * turn})
    return {n: c for n, c in columns.items() if n not in gone} | {n: encode(x.round(9)) for n, x in told.items()}


def _pairs(panel: Groupings) -> Scores:
    """Every two items that a judge was shown: together or apart."""
    parts = partitions(panel)
    rows = sum(p.labels.shape[0] * p.labels.shape[1] * (p.labels.shape[1] - 1) // 2 for p in parts)
    if rows > ROWS:
        raise LimitReached(f"{rows:,} pairs of items are too many.", "choose some tasks with --task.")
    columns: dict[str, list[Any]] = {n: [] for n in ("task", "judge", "item", "score")}
    names: list[str] = []
    for p in parts:
        i, j = np.triu_indices(p.labels.shape[1], 1)
        items = [panel.items[k] for k in p.items.tolist()]
        pair = len(names) + np.arange(len(i))
        names += [f"{items[a]} | {items[b]}" for a, b in zip(i.tolist(), j.tolist(), strict=True)]
        for judge, labels in zip(p.judges.tolist(), p.labels, strict=True):
            seen = (labels[i] > -2) & (labels[j] > -2)
            columns["score"].append(((labels[i] == labels[j]) & (labels[i] >= 0))[seen].astype(float))
            columns["item"].append(pair[seen])
            columns["judge"].append(np.full(int(seen.sum()), judge))
            columns["task"].append(np.full(int(seen.sum()), p.task))
    told = {n: np.concatenate(c) for n, c in columns.items()}
    if not len(told["score"]):
        raise InputError("no judge was shown two items of a task.", "groups are compared by which items are together.")
    coded = {"task": panel.tasks, "judge": panel.judges, "item": tuple(names)}
    raw: dict[str, Any] = {
        n: Coded(ids, narrow(told[n], len(ids))).take(np.arange(len(told[n]))) for n, ids in coded.items()
    }
    if "judge_kind" in panel.labels:
        kind: dict[int, Any] = dict(zip(panel.judge.codes.tolist(), panel.labels["judge_kind"].values(), strict=True))
        of = encode([kind.get(k) for k in range(len(panel.judges))])
        raw["judge_kind"] = Coded(of.ids, narrow(of.codes[told["judge"]], len(of.ids)))
    return replace(Scores.build({**raw, "score": told["score"]}), notes=panel.notes, reading=panel.reading)
