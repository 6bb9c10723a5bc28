"""Columns of votes that are no systems: what else may decide a vote, as a difference between the two shown.

A covariate ``length`` is a pair of columns, ``length_a`` and ``length_b``, or one column that is the difference
already. It is told in typical differences (root mean square), the first less the second, so that 0 is no difference.
``own`` is 1 where only the first system is of the judge's own family, -1 where only the second is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, suggest
from quorate.panel.base import Panel, many
from quorate.panel.columns import Coded, is_blank, number_in

Array = NDArray[Any]
OWN = "own"
FAMILIES = ("judge_family", "family_a", "family_b")
APART = ("model_a", "model_b", "swapped", "question", "turn", "judge_kind")  # labels with a meaning of their own


def questions(panel: Panel) -> Array | None:
    """The question that each task is a turn of, where the panel says so and some question has several."""
    if "question" not in panel.labels:
        return None
    label, out = panel.labels["question"], np.full(len(panel.tasks), -1)
    out[panel.task.codes] = label.codes
    same = bool((out[panel.task.codes] == label.codes).all())
    return out if same and len(np.unique(out)) < len(out) else None


def covariates(columns: Mapping[str, Coded]) -> list[str]:
    """The covariates that columns tell: pairs of columns of numbers, by name."""
    names = (n[:-2] for n in columns if n.endswith("_a") and f"{n[:-2]}_b" in columns and n not in (*APART, *FAMILIES))
    return sorted(n for n in names if all(_numeric(columns[f"{n}_{side}"]) for side in "ab"))


def covariate(columns: Mapping[str, Coded], name: str, count: Array) -> Array:
    """A covariate of every vote, first less second, in typical differences; BadParameter where there is none."""
    both = [f"{name}_a", f"{name}_b"]
    if all(n in columns for n in both):
        first, second = (_numbers(columns[n], n) for n in both)
        apart = first - second
    elif name in columns and name not in APART:
        apart = _numbers(columns[name], name)
    else:
        pairs = covariates(columns)
        halves = {f"{n}_{side}" for n in pairs for side in "ab"}
        known = [*pairs, *(n for n, c in columns.items() if n not in (*APART, *halves) and _numeric(c))]
        fact = f"no columns '{both[0]}' and '{both[1]}', and no column '{name}'."
        raise BadParameter(fact, suggest(name, [*dict.fromkeys(known)], "Covariates there are"))
    typical = math.sqrt(float(np.sort(apart**2 * count).sum() / count.sum()))  # sorted: in no order of rows
    return apart / typical if typical > 0 else apart


def own_family(
    columns: Mapping[str, Coded], judges: Sequence[Hashable], systems: Sequence[Hashable], votes: Any
) -> Any:
    """1 where only the first system is of the judge's own family, -1 where only the second is, else 0, ``[vote]``.

    Families are columns, ``judge_family``, ``family_a`` and ``family_b``; without them a system is a judge's own where
    both have the same name. ``votes`` are the judge and the systems of every vote. None where no vote is about an own.
    """
    if all(n in columns for n in FAMILIES):
        judge, first, second = (_shared(columns, n)[columns[n].codes] for n in FAMILIES)
    else:
        number = {str(s): k for k, s in enumerate(systems)}
        judge = np.array([number.get(str(j), -1) for j in judges], np.int64)[votes[0]]
        first, second = votes[1:]
    own = ((first == judge).astype(np.int8) - (second == judge)) * (judge >= 0)
    return own.astype(float) if own.any() else None


def _shared(columns: Mapping[str, Coded], name: str) -> Array:
    """Numbers of a column's families that are the same in all of the three; -1: none is named."""
    every = dict.fromkeys(str(i) for n in FAMILIES for i in columns[n].ids if not is_blank(i))
    number = {family: k for k, family in enumerate(every)}
    blank = -1 if name == FAMILIES[0] else -2  # who has no family shares none
    return np.array([blank if is_blank(i) else number[str(i)] for i in columns[name].ids], np.int64)


def _numeric(column: Coded) -> bool:
    return all(math.isfinite(number_in(i)) for i in column.ids)


def _numbers(column: Coded, name: str) -> Array:
    """The numbers of a column; a cell without one is an error that counts them."""
    each = np.array([number_in(i) for i in column.ids])
    bad = ~np.isfinite(each)[column.codes]
    if bad.any():
        shown = next(i for i in column.ids if not math.isfinite(number_in(i)))
        what = "nothing" if is_blank(shown) else repr(shown)
        fact = f"the column '{name}' has no number on {many(int(bad.sum()), 'vote')}: {what}."
        raise BadParameter(fact, "a covariate needs a number on every vote; leave those votes or the covariate out.")
    return np.asarray(each[column.codes])
