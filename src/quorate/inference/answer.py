"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`). What only a cell has, it says in functions of its file: ``fitting`` (the methods
that a panel allows), ``shown`` (whether a finding says anything), ``more`` (repeats, weights of judges), ``unasked``
(methods whose figures are told beside the usual ones).
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate import table
from quorate.inference import findings, flags
from quorate.inference.core import Core
from quorate.inference.mean_ranks import mean_ranks
from quorate.inference.results import Answer, Finding, Options, estimate_dict
from quorate.panel.base import Panel
from quorate.panel.clusterings import clustering_design
from quorate.panel.design import Design, PanelDesign
from quorate.panel.group_ranks import RankedDesign
from quorate.panel.lists import list_design, with_lists
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.partitions import GroupingDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

DESIGNS: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel: [OrderingDesign.of(panel)],
    "groupings": lambda panel: [GroupingDesign.of(panel)],
    "groupings consensus": lambda panel: [RankedDesign.of(panel)],
    "scores": ScoreDesign.of,
    "votes": lambda panel: [VoteDesign.of(panel)],
    "scores consensus": OutputDesign.every,
    "scores quality": OutputDesign.every,
    "scores trust": OutputDesign.every,
}
BESIDE: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel, systems, seed: [list_design(panel, systems, seed)],
    "orderings trust": lambda panel, systems, seed: [with_lists(panel, systems, seed)],
    "groupings": lambda panel, systems, seed: [clustering_design(panel, systems, seed)],
    "scores": OutputDesign.every,
}
SHAPES: Mapping[str, Callable[[Method, Any, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
    "quality": findings.quality,
    "consensus": findings.consensus,
    "trust": findings.trust,
    "scores consensus": findings.unit_consensus,
    "votes consensus": findings.order_consensus,
}
MISSING = {"below": "below", "left-out": "unknown", "not-shown": "unknown", "unknown": "unknown"}  # of orderings


def answer(
    question: str, panel: Panel, methods: Sequence[Method], options: Options, systems: Panel | None = None
) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    methods = [m.with_default(missing=MISSING[options.absent]) for m in methods] if options.absent else methods
    chosen = fitting(panel, question, methods)
    own = f"{panel.kind} {question}"  # where a cell has a design or a shape of its own
    shape = SHAPES.get(own, SHAPES[question])
    if systems is None:
        designs = DESIGNS.get(own, DESIGNS[panel.kind])(panel)
    else:
        designs = BESIDE.get(own, BESIDE[panel.kind])(panel, systems, options.seed)
    found, made = [], dict[tuple[str, int], Finding]()  # methods that say the same of a design are computed once
    for done, method in enumerate(chosen):
        options.tell(question, done, len(chosen))
        own_way = [(design.canonical(method), k) for k, design in enumerate(designs)]
        made |= {(str(m), k): shape(m, designs[k], options) for m, k in own_way if (str(m), k) not in made}
        found.append(replace(findings.joined(method, [made[str(m), k] for m, k in own_way]), method=method))
    options.tell(question, len(chosen), len(chosen))
    if hasattr(cell, "shown") and len(found) > 1:
        found = [f for f in found if cell.shown(f)]
    more = dict(cell.more(panel, chosen, Core(options))) if hasattr(cell, "more") else {}
    for method in cell.unasked(panel, chosen) if hasattr(cell, "unasked") else ():
        told = findings.joined(method, [shape(method, design, options) for design in designs])
        more[method.name] = [estimate_dict(e, method) for e in told.overall if not math.isnan(e.value)]
    more |= _blocks(found)
    if question == "consensus":
        compared = [row for m in chosen for design in designs for row in findings.without_outliers(m, design, options)]
        more |= {"without_outliers": compared} if compared else {}
    if question == "judges":
        off = (who_is_off(panel, design, options) for design in designs if isinstance(design, PanelDesign))
        more["flagged"] = [row for rows in off for row in rows]
        ranks = mean_ranks(found, designs[0], options, more.get("description", ())) if designs else []
        more |= {"ranks": ranks} if ranks else {}
    there = {str(f.method) for f in found}
    left = tuple(m for m in (*methods, *chosen) if str(m) not in there)
    tasks = panel.tasks if systems is None or question == "trust" else designs[0].tasks
    sizes = len(tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=more, options=options, left=left)


def fitting(panel: Panel, question: str, methods: Sequence[Method]) -> Sequence[Method]:
    """The methods that a panel allows, of those asked for or instead of them."""
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    return cell.fitting(panel, methods) if hasattr(cell, "fitting") else methods


def _blocks(found: Sequence[Finding]) -> dict[str, Any]:
    """The rows of further blocks, those of all methods together."""
    out: dict[str, Any] = {}
    for f in found:
        for name, rows in f.blocks.items():
            out.setdefault(name, []).extend({**row, "method": str(f.method)} for row in rows)
    return out


def who_is_off(panel: Panel, design: PanelDesign, options: Options) -> list[dict[str, Any]]:
    """The judges who are off, by the method of agreement declared for it, or the first default one.

    Who, how, how surely, and where it shows.
    """
    usual = fitting(panel, "agreement", table.methods(panel.kind, "agreement", default=True))
    method = next((m for m in usual if m.declaration.properties.get("flags")), usual[0])
    found = {f.judge: f for f in flags.flagged(method, design, options.seed)}  # of several of one name, once
    return [
        {
            "judge": design.judges[f.judge],
            **design.labels,
            "diagnosis": f.diagnosis,
            "p": f.p,
            "evidence": {
                "method": str(method),
                "value": f.value,
                "without": f.without,
                "tasks": [design.tasks[t] for t in f.tasks],
            },
        }
        for f in found.values()
    ]
