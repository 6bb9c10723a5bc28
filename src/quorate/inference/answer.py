"""The only ``answer()`` there is: a question, a panel and methods become findings, the same way for every kind.

The panel becomes one design, or one for each criterion; every method becomes a finding by the shape of its question
(:mod:`~quorate.inference.findings`); what a kind adds of its own (repeats, pairs of judges) is named in :data:`MORE`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.inference import findings
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import Panel
from quorate.panel.design import Design
from quorate.panel.stacks import OrderingDesign
from quorate.table import Method

DESIGNS: Mapping[str, Callable[..., Design]] = {"orderings": OrderingDesign.of}
SHAPES: Mapping[str, Callable[[Method, Design, Options], Finding]] = {
    "agreement": findings.agreement,
    "judges": findings.judges,
}
MORE: Mapping[str, Sequence[str]] = {"agreement": ("self_agreement",)}  # functions of a cell, for what only it has


def answer(question: str, panel: Panel, methods: Sequence[Method], options: Options) -> Answer:
    """Every method on every task and overall, with intervals and what chance gives."""
    design = DESIGNS[panel.kind](panel)
    found = []
    for done, method in enumerate(methods):
        options.tell(question, done, len(methods))
        found.append(SHAPES[question](method, design, options))
    options.tell(question, len(methods), len(methods))
    sizes = len(panel.tasks), len(panel.judges), len(panel.items)
    return Answer(panel.kind, question, *sizes, tuple(found), more=_more(question, panel, methods), options=options)


def _more(question: str, panel: Panel, methods: Sequence[Method]) -> dict[str, Any]:
    cell = importlib.import_module(f"quorate.{panel.kind}.{question}")
    found = {name: getattr(cell, name)(panel, methods) for name in MORE.get(question, ())}
    return {name: rows for name, rows in found.items() if rows}
