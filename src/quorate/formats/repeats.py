"""Judgments that a judge seems to have made twice, and the column that tells them apart.

``judge, query, item, position``: an item comes again because it was judged for another query. A column by whose name it
is a task, or a criterion, is taken as that, which is a guess; of another column it is asked what it is. Without such a
column, or with one whose name says so, the judge did it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.formats.column_content import had_by_several, holds_numbers, values
from quorate.formats.file_parts import Part
from quorate.formats.names import KNOWN, no_score, stands_for, taken
from quorate.formats.vote_tables import with_task
from quorate.kernels.group_sums import used
from quorate.panel.columns import Coded, encode, keys
from quorate.panel.reading import Guess, option

MANY = 0.1  # of the rows that come again, from which on a column is looked for
LEFT = 0.1  # of these that may still come again when a column tells them apart
SHARED = 0.2  # of the rows that another judge has a row for, if a column is part of what is judged, and no remark
MOST_AGAIN = 0.8  # of a judge's places that several items have, from which on they may be those of several tasks
APART = ("judge", "task", "item", "system", "criterion", "year")  # of one judgment


def told_apart(part: Part, kind: str, *, beside_scores: bool = False) -> Part:
    """The part, with a column that tells repeated judgments apart taken as what its name says.

    Where that is a column of unknown name it is asked about, unless it may be one of scores (``beside_scores``).
    """
    raw, free = part.raw, [n for n in part.raw if n not in KNOWN]
    if not free or "occasion" in raw or "judge" not in raw or not {"item", "system"} & raw.keys():
        return part
    again = _again(raw)
    if again < MANY * len(part):
        return part
    found = [n for n in free if stands_for(n, "occasion") is None and _tells(raw, [n], again)]
    if beside_scores and (again_in := next((n for n in free if _is(n, "occasion") and _tells(raw, [n], again)), None)):
        return _taken(part, again_in, "occasion")
    named = [n for n in found if _role(n, kind)]
    for name in sorted(named, key=lambda n: _role(n, kind)):
        return _taken(part, name, _role(name, kind))
    pairs = [[a, b] for a in free for b in free if _is(a, "task") and _is(b, "unit")]
    for pair in pairs if "task" not in raw else ():
        if _tells(raw, pair, again):
            return _joined(part, pair)
    if found := [n for n in found if no_score(n) or not beside_scores]:
        raise _ask(part, found, kind, again)
    return part


def placed_apart(part: Part) -> Part:
    """The part with a task: the one column within which every judge's places are 1, 2, 3, ..., where over all they come
    again and again."""
    raw, free = part.raw, [n for n in part.raw if n not in KNOWN]
    if "task" in raw or not {"judge", "position"} <= raw.keys() or not free or not holds_numbers(raw["position"]):
        return part
    judge, place = encode(raw["judge"]), raw["position"]
    place = place if isinstance(place, np.ndarray) else values(encode(place))
    if not (place == np.floor(place)).all() or not _come_again(judge, place):
        return part
    found = [n for n in free if _places(keys(judge, encode(raw[n])), place)]
    return _taken_as(part, found[0], "task") if len(found) == 1 else part


def _come_again(judge: Coded, place: NDArray[Any]) -> bool:
    """Whether nearly all of the places that judges gave, they gave to several items."""
    _, of = np.unique(np.stack([judge.codes.astype(float), place]), axis=1, return_counts=True)
    return bool(np.mean(of > 1) > MOST_AGAIN)


def _places(group: NDArray[Any], place: NDArray[Any]) -> bool:
    """Whether the places in every group are 1, 2, 3, ..., and there are several in most."""
    _, code, size = np.unique(group, return_inverse=True, return_counts=True)
    each = np.unique(np.stack([code.ravel().astype(float), place]), axis=1).shape[1]
    most = np.zeros(len(size))
    np.maximum.at(most, code.ravel(), place)
    return bool(each == len(place) >= 2 * len(size) and (most == size).all() and place.min() == 1)


def _is(name: str, role: str) -> bool:
    return stands_for(name, role) is not None


def _role(name: str, kind: str) -> str:
    """What a column is by its name; of scores also a criterion, or the system whose outputs are scored."""
    roles = ("criterion", "task", "unit", "system") if kind == "scores" else ("task", "unit")
    return next((role for role in roles if _is(name, role)), "")


def _again(raw: Mapping[str, Any], more: Sequence[str] = ()) -> int:
    """How many rows come again."""
    columns = _columns(raw, (*APART, *more))
    return len(columns[0]) - len(used(keys(*columns))) if columns else 0


def _columns(raw: Mapping[str, Any], names: Sequence[str]) -> list[Coded]:
    return [encode(raw[n]) for n in names if n in raw]


def _tells(raw: Mapping[str, Any], more: Sequence[str], again: int) -> bool:
    """Whether columns tell nearly all that comes again apart, and several judges have rows with the same in them."""
    if _again(raw, more) > LEFT * again:
        return False
    judge = encode(raw["judge"])
    if len(judge.ids) == 1:
        return True
    return had_by_several(keys(*_columns(raw, (*APART[1:], *more))), judge) >= SHARED


def _taken(part: Part, name: str, role: str) -> Part:
    """The part with a column taken as what its name says."""
    raw, item = dict(part.raw), next((g for g in part.guesses if g.role == "item"), None)
    if role == "system" and (item is None or "task" in raw):
        return replace(part, raw={**raw, role: raw.pop(name)}, guesses=(*part.guesses, taken(name, role)))
    if role not in ("criterion", "system") and "task" in raw:
        return _joined(part, ["task", name])
    if role == "system" and item is not None:  # outputs of systems for prompts
        raw["task"], raw["system"] = raw["item"], raw.pop(name)
        raw["item"] = raw["system"]
        guesses = (*(g for g in part.guesses if g is not item), taken(item.column, "task"), taken(name, "system"))
        return replace(part, raw=raw, guesses=guesses, became={**part.became, "item": "task", name: "system"})
    if role == "unit" and item is not None and "system" not in raw:  # sentences of documents
        raw["task"], raw["item"] = raw["item"], raw.pop(name)
        guesses = (*(g for g in part.guesses if g is not item), taken(item.column, "task"), taken(name, "item"))
        return replace(part, raw=raw, guesses=guesses, became={**part.became, "item": "task", name: "item"})
    return _taken_as(part, name, "task" if role == "unit" else role)


def _taken_as(part: Part, name: str, role: str) -> Part:
    raw = dict(part.raw)
    raw[role] = raw.pop(name)
    return replace(part, raw=raw, guesses=(*part.guesses, taken(name, role)), became={**part.became, name: role})


def _joined(part: Part, columns: list[str]) -> Part:
    """The part with a task that columns make together."""
    task = next((g for g in part.guesses if g.role == "task"), None)
    given = [task.column if n == "task" and task is not None else n for n in columns]
    said = f"the columns {' and '.join(map(repr, given))} together are taken as the task"
    guesses = (
        *(g for g in part.guesses if g is not task),
        Guess(said, option("input-option", f"task={','.join(given)}")),
    )
    return replace(
        part, raw=with_task(part, columns), guesses=guesses, became={**part.became, **dict.fromkeys(columns, "task")}
    )


def _ask(part: Part, found: Sequence[str], kind: str, again: int) -> InputError:
    """What is a column that tells judgments apart?"""
    name, roles = (
        found[0],
        {
            **({"system": "it is a system"} if "system" not in part.raw else {}),
            "criterion": "it is a criterion",
            "task": "it is a task",
            "occasion": "judges did it again",
        },
    )
    meant = [
        f"{option('rename', f'{name}={role}')} if {when}"
        for role, when in roles.items()
        if kind == "scores" or role not in ("criterion", "system")
    ]
    return InputError(
        f"{part.name}: judges have the same item more than once ({again:,} rows); what is the column '{name}', which "
        "tells these apart?",
        f"{', '.join(meant)}.",
    )
