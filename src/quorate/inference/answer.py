"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`); what a kind adds of its own (repeats, pairs of judges) is named in :data:`MORE`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quorate import table
from quorate.inference import findings, flags
from quorate.inference.mean_ranks import mean_ranks
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import Panel
from quorate.panel.clusterings import clustering_design
from quorate.panel.design import Design, PanelDesign
from quorate.panel.lists import list_design
from quorate.panel.partitions import GroupingDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

DESIGNS: Mapping[str, Callable[..., Design]] = {"orderings": OrderingDesign.of, "groupings": GroupingDesign.of}
BESIDE: Mapping[str, Callable[..., Design]] = {"orderings": list_design, "groupings": clustering_design}
SHAPES: Mapping[str, Callable[[Method, Design, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
    "quality": findings.quality,
    "consensus": findings.consensus,
    "trust": findings.trust,
}
MORE: Mapping[str, Sequence[str]] = {  # functions of a cell, for what only it has
    "agreement": ("description", "self_agreement"),
    "judges": ("description",),
    "quality": ("judges_against_each_other",),  # of the design, which has the systems
}


def answer(
    question: str, panel: Panel, methods: Sequence[Method], options: Options, systems: Panel | None = None
) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    design = DESIGNS[panel.kind](panel) if systems is None else BESIDE[panel.kind](panel, systems, options.seed)
    chosen = list({str(m): m for given in methods for m in variants(given)}.values())
    made: dict[str, Finding] = {}
    found = []
    for done, method in enumerate(chosen):
        options.tell(question, done, len(chosen))
        same = design.canonical(method)
        made[str(same)] = made.get(str(same)) or SHAPES[question](same, design, options)
        found.append(replace(made[str(same)], method=method))
    options.tell(question, len(chosen), len(chosen))
    more = {**_more(question, panel if systems is None else design, chosen), **_blocks(found)}
    if question == "consensus":
        compared = [row for m in methods for row in findings.without_outliers(m, design, options)]
        more |= {"without_outliers": compared} if compared else {}
    if question == "judges" and (ranks := mean_ranks(found, design, options, more.get("description", ()))):
        more["ranks"] = ranks
    if question == "judges" and isinstance(design, PanelDesign):
        more["flagged"] = who_is_off(panel.kind, design, options)
    sizes = len(design.tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=more, options=options)


def variants(method: Method) -> list[Method]:
    """The method; where it leaves a parameter open that is worth trying in several ways, once in each of them."""
    out = [method]
    for name, values in method.declaration.properties.get("variants", {}).items():
        if name not in dict(method.settings):
            out = [m.with_(**{name: value}) for m in out for value in values]
    return out


def _blocks(found: Sequence[Finding]) -> dict[str, Any]:
    """The rows of further blocks, those of all methods together."""
    out: dict[str, Any] = {}
    for f in found:
        for name, rows in f.blocks.items():
            out.setdefault(name, []).extend({**row, "method": str(f.method)} for row in rows)
    return out


def who_is_off(kind: str, design: PanelDesign, options: Options) -> list[dict[str, Any]]:
    """The judges who are off, by the method of agreement declared for it: who, how, how surely, and where it shows."""
    usual = table.methods(kind, "agreement", default=True)
    method = next((m for m in usual if m.declaration.properties.get("flags")), usual[0])
    found = {f.judge: f for f in flags.flagged(method, design, options.seed)}  # of several of one name, once
    return [
        {
            "judge": design.judges[f.judge],
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


def _more(question: str, given: Panel | Design, methods: Sequence[Method]) -> dict[str, Any]:
    cell = importlib.import_module(f"quorate.{given.kind}.{question}")
    found = {name: getattr(cell, name)(given, methods) for name in MORE.get(question, ()) if hasattr(cell, name)}
    return {name: rows for name, rows in found.items() if rows}
