"""Judges with the same answers count as one voice: each is held against the other voices, never against a copy.

Of those with the same answers one at a time stands for all, in a panel of the same voices; so every judge has figures
of their own, and the others' are those of the panel without copies.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from quorate.inference.copies import JUDGES, copies
from quorate.inference.designs import designs_of
from quorate.inference.findings import joined, worst_first
from quorate.inference.results import Finding, Options
from quorate.inference.samples import looked_at
from quorate.inference.usual_methods import deciding
from quorate.panel.base import Panel, remembered
from quorate.panel.design import PanelDesign
from quorate.panel.score_facts import labels_sorted
from quorate.table import Method

Judges = set[Hashable]


def heard(panel: Panel, options: Options) -> tuple[list[dict[str, Any]], list[tuple[Panel, Judges]]]:
    """The copies, and the panels in which nobody is one: made once for all questions."""
    name = f"_heard {options.copies} {options.absent} {options.seed}"

    def make(panel: Panel) -> tuple[list[dict[str, Any]], list[tuple[Panel, Judges]]]:
        copied = copies_in(panel, options)
        return copied, voices(panel, copied) if copied else []

    return remembered(panel, name, make)


def copies_in(panel: Panel, options: Options) -> list[dict[str, Any]]:
    """The judges who count as one voice with another; of several criteria those who do on all of them."""
    if options.copies == "apart" or not 3 <= len(panel.judges) <= JUDGES or labels_sorted(panel):
        return []
    method, found = deciding(panel, options.absent), dict[Hashable, list[dict[str, Any]]]()
    designs = [design for design in designs_of(panel, options.absent) if isinstance(design, PanelDesign)]
    for whole in designs:
        design = looked_at(whole, options.seed)
        for c in copies(method, design, options.seed):
            row = {"judge": design.judges[c.judge], "copy_of": design.judges[c.of], "same": c.same, "answers": c.cells}
            found.setdefault(row["judge"], []).append(row)
    rows = [of for of in found.values() if len(of) == len(designs) and len({r["copy_of"] for r in of}) == 1]
    return [{**of[0], **{n: sum(r[n] for r in of) for n in ("same", "answers")}} for of in rows]


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
