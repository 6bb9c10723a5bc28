"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`); what a kind adds of its own (repeats, pairs of judges) is named in :data:`MORE`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate import table
from quorate.inference import findings, flags
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import Panel
from quorate.panel.design import Design, PanelDesign
from quorate.panel.lists import list_design
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

DESIGNS: Mapping[str, Callable[..., Design]] = {"orderings": OrderingDesign.of}
BESIDE: Mapping[str, Callable[..., Design]] = {"orderings": list_design}
SHAPES: Mapping[str, Callable[[Method, Design, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
    "quality": findings.quality,
    "consensus": findings.consensus,
    "trust": findings.trust,
}
MORE: Mapping[str, Sequence[str]] = {"agreement": ("self_agreement",)}  # functions of a cell, for what only it has


def answer(
    question: str, panel: Panel, methods: Sequence[Method], options: Options, systems: Panel | None = None
) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    design = DESIGNS[panel.kind](panel) if systems is None else BESIDE[panel.kind](panel, systems, options.seed)
    found = []
    for done, method in enumerate(methods):
        options.tell(question, done, len(methods))
        found.append(SHAPES[question](method, design, options))
    options.tell(question, len(methods), len(methods))
    more = _more(question, panel, methods)
    if question == "consensus":
        compared = [row for m in methods for row in findings.without_outliers(m, design, options)]
        more |= {"without_outliers": compared} if compared else {}
    if question == "judges" and isinstance(design, PanelDesign):
        more["flagged"] = who_is_off(panel.kind, design, options)
    sizes = len(design.tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=more, options=options)


def who_is_off(kind: str, design: PanelDesign, options: Options) -> list[dict[str, Any]]:
    """The judges who are off, by the first default method of agreement: who, how, how surely, and where it shows."""
    method = table.methods(kind, "agreement", default=True)[0]
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


def _more(question: str, panel: Panel, methods: Sequence[Method]) -> dict[str, Any]:
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    found = {name: getattr(cell, name)(panel, methods) for name in MORE.get(question, ())}
    return {name: rows for name, rows in found.items() if rows}
