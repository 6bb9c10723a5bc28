"""What came out, beside what would have come out without some judges: does the result hang on those who are off?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from quorate.inference.results import Finding
from quorate.panel.base import Panel
from quorate.panel.kinds import Groupings

ROWS = 50_000  # judgments up to which it is told
CARDS = 300  # and items of groupings, whose consensus is searched for
NEAR = 1e-9  # means that differ by rounding alone


def _small(panel: Panel) -> Panel | None:
    """The panel, in memory if it is in files; None where a consensus of it takes much beside what judges are asked."""
    if panel.elsewhere is not None:
        scan = panel.elsewhere.scan
        return None if scan.size[0] > ROWS or scan.skipped else _small(scan.in_memory.by_name)
    large = len(panel) > ROWS or (isinstance(panel, Groupings) and len(panel.items) > CARDS)
    return None if large else panel


def result_without(
    panel: Panel, judges: Sequence[Hashable], consensus: Callable[[Panel], Finding | None]
) -> dict[str, Any] | None:
    """How the consensus changes without these judges; None where nobody is left to agree, or it costs too much.

    ``form`` says what it is: ``board`` (``of`` systems or items), ``order`` (of one task), ``orders``, ``groups``,
    ``labels`` or ``means``; ``same`` whether nothing of that changes, ``first`` what is first with and without them, if
    that is one.
    """
    some = _small(panel) if judges and len(set(panel.judges) - set(judges)) > 1 else None
    if some is None:
        return None
    whole, less = consensus(some), consensus(some.drop_judges(*judges))
    if whole is None or less is None:
        return None
    found = _compared(whole, less)
    if found and panel.kind == "votes":
        found["form"] = "board"
    if found and found["form"] == "board":
        found["of"] = "systems" if getattr(panel, "of_systems", True) else "items"
    return found and {"judges": [str(name) for name in judges], "method": str(whole.method), **found}


def _compared(whole: Finding, less: Finding) -> dict[str, Any] | None:
    if whole.overall and "system" in whole.overall[0].labels:
        return _boards(_orders_of(whole), _orders_of(less))
    if "item" in whole.keys:
        return _values(*(dict(zip(_names(f), f.values, strict=True)) for f in (whole, less)))
    if "left_out" in whole.keys:
        return _groups(*(_by_task(f) for f in (whole, less)))
    return _orders(*(_by_task(f) for f in (whole, less)))


def _orders_of(f: Finding) -> dict[Hashable, list[str]]:
    """The systems of every criterion, best first."""
    out: dict[Hashable, list[str]] = {}
    for o in f.overall:
        out.setdefault(o.labels.get("criterion"), []).append(str(o.labels["system"]))
    return out


def _names(f: Finding) -> list[tuple[Hashable, ...]]:
    return list(zip(*(f.keys[n] for n in ("task", "item", "criterion") if n in f.keys), strict=True))


def _by_task(f: Finding) -> dict[Hashable, Any]:
    return dict(zip(f.keys["task"], f.values, strict=True))


def _boards(whole: Mapping[Hashable, list[str]], less: Mapping[Hashable, list[str]]) -> dict[str, Any]:
    ends = [[order[name][0] for order in (whole, less)] for name in whole if name in less]
    return {"form": "board", "same": whole == less, "first": ends[0] if len(ends) == 1 else None}


def _orders(whole: Mapping[Hashable, Any], less: Mapping[Hashable, Any]) -> dict[str, Any] | None:
    shared = [t for t in whole if t in less and whole[t] and less[t]]
    if not shared:
        return None
    same, stay = (sum(f(whole[t]) == f(less[t]) for t in shared) for f in (_whole, _leaders))
    out = {"same": same == len(shared), "tasks": len(shared), "first_stays": stay}
    if len(shared) > 1:
        return {"form": "orders", **out}
    ends = [_leaders(each[shared[0]]) for each in (whole, less)]
    alone = all(len(e) == 1 for e in ends)
    return {"form": "order", **out, "first": [min(e) for e in ends] if alone else None}


def _whole(order: Sequence[Sequence[Any]]) -> list[frozenset[str]]:
    return [frozenset(map(str, group)) for group in order]


def _leaders(order: Sequence[Sequence[Any]]) -> frozenset[str]:
    return frozenset(map(str, order[0]))


def _groups(whole: Mapping[Hashable, Any], less: Mapping[Hashable, Any]) -> dict[str, Any] | None:
    shared = [t for t in whole if t in less]
    items = sum(len(group) for t in shared for group in whole[t])
    moved = sum(_moved(whole[t], less[t]) for t in shared)
    return {"form": "groups", "same": not moved, "items": items, "moved": moved} if items else None


def _moved(whole: Sequence[Sequence[Any]], less: Sequence[Sequence[Any]]) -> int:
    """How many items of the one partition are not in the group that answers to theirs in the other."""
    from scipy.optimize import linear_sum_assignment

    if not whole or not less:
        return sum(map(len, whole))
    table = np.array([[len(set(a) & set(b)) for b in less] for a in whole])
    rows, columns = linear_sum_assignment(-table)
    return int(sum(map(len, whole)) - table[rows, columns].sum())


def _values(whole: Mapping[Any, Any], less: Mapping[Any, Any]) -> dict[str, Any] | None:
    shared = [n for n in whole if n in less]
    if any(isinstance(whole[n], str) for n in shared):
        moved = sum(whole[n] != less[n] for n in shared)
        return {"form": "labels", "same": not moved, "items": len(shared), "moved": moved}
    pairs = np.array([(whole[n], less[n]) for n in shared if whole[n] is not None and less[n] is not None], float)
    pairs = pairs[np.isfinite(pairs).all(axis=1)] if len(pairs) else pairs
    if len(pairs) < 3 or not pairs.std(axis=0).all():
        return None
    alike = float(np.corrcoef(pairs.T)[0, 1])
    return {"form": "means", "same": alike > 1 - NEAR, "items": len(pairs), "correlation": alike}
