"""Judges with the same answers count as one voice: each is held against the other voices, never against a copy.

Of those with the same answers one at a time stands for all, in a panel of the same voices; so every judge has figures
of their own, and the others' are those of the panel without copies.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from quorate.inference.findings import joined, worst_first
from quorate.inference.results import Finding
from quorate.panel.base import Panel
from quorate.table import Method

Judges = set[Hashable]


def voices(panel: Panel, copied: Sequence[Mapping[str, Any]]) -> list[tuple[Panel, Judges]]:
    """Panels in which nobody is a copy, and of whom each tells; the first is the panel without its copies."""
    groups: dict[Hashable, list[Hashable]] = {}
    for row in copied:
        groups.setdefault(row["copy_of"], [row["copy_of"]]).append(row["judge"])
    every = {judge for group in groups.values() for judge in group}
    out = list[tuple[Panel, Judges]]()
    for standing in zip_longest(*groups.values()):
        heard = {group[0] if judge is None else judge for judge, group in zip(standing, groups.values(), strict=True)}
        out.append((panel.drop_judges(*(every - heard)), {judge for judge in standing if judge is not None}))
    return out


def judged(method: Method, first: Finding, others: Sequence[tuple[Finding, Judges]]) -> Finding:
    """What is said of every judge: by the panel without copies, and of each copy by the one in which it is heard."""
    whole = joined(method, [first, *(_of(finding, judges) for finding, judges in others)])
    criteria = list(dict.fromkeys(e.labels.get("criterion") for e in whole.overall))  # one after the other
    order = sorted(
        whole.overall, key=lambda e: (criteria.index(e.labels.get("criterion")), worst_first(method, float(e.value)))
    )
    return replace(whole, overall=tuple(order), about=first.about)


def _of(finding: Finding, judges: Judges) -> Finding:
    """What is said of some judges."""
    rows = [k for k, judge in enumerate(finding.keys.get("judge", ())) if judge in judges]
    return replace(
        finding,
        keys={n: [column[k] for k in rows] for n, column in finding.keys.items()},
        values=[finding.values[k] for k in rows],
        details={n: [column[k] for k in rows] for n, column in finding.details.items()},
        overall=tuple(e for e in finding.overall if e.labels.get("judge") in judges),
    )
