"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`); what a kind adds of its own (repeats, pairs of judges) is named in :data:`MORE`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence

from quorate.inference import findings
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import Panel
from quorate.panel.design import Design
from quorate.panel.score_design import ScoreDesign
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

DESIGNS: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel: [OrderingDesign.of(panel)],
    "scores": ScoreDesign.of,
}
SHAPES: Mapping[str, Callable[[Method, Design, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
}
MORE: Mapping[str, Sequence[str]] = {"agreement": ("self_agreement",)}  # functions of a cell, for what only it has


def answer(question: str, panel: Panel, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives.

    A cell whose methods depend on the panel has a ``fitting``: the methods that fit it, and notes on those left out.
    """
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    methods, notes = cell.fitting(panel, methods) if hasattr(cell, "fitting") else (methods, ())
    designs = DESIGNS[panel.kind](panel)
    found = []
    for done, method in enumerate(methods):
        options.tell(question, done, len(methods))
        found.append(findings.joined([SHAPES[question](method, design, options) for design in designs]))
    options.tell(question, len(methods), len(methods))
    sizes = len(panel.tasks), len(panel.judges), len(panel.items)
    more = {name: getattr(cell, name)(panel, methods, findings.Core(options)) for name in MORE.get(question, ())}
    told = {name: rows for name, rows in more.items() if rows}
    return Answer(panel.kind, question, *sizes, tuple(found), notes=tuple(notes), more=told, options=options)
