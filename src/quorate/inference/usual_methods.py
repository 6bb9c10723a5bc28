"""Which methods a question is asked by: those that a panel allows; and by which it is told who is off."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from quorate import table
from quorate.panel.base import Panel
from quorate.table import Method

MISSING = {"below": "below", "left-out": "unknown", "not-shown": "unknown", "unknown": "unknown"}  # of orderings


def cell_of(panel: Panel, question: str) -> Any:
    """The file of a kind and a question."""
    return importlib.import_module(f"quorate.{panel.kind}.{question}")


def with_absence(method: Method, absent: str | None) -> Method:
    """The method as an absent item is meant, unless the method says so itself."""
    return method.with_default(missing=MISSING[absent]) if absent else method


def fitting(panel: Panel, question: str, methods: Sequence[Method]) -> Sequence[Method]:
    """The methods that a panel allows, of those asked for or instead of them."""
    cell = cell_of(panel, question)
    found = cell.fitting(panel, methods) if hasattr(cell, "fitting") else methods
    return list({str(m): m for given in found for m in variants(given)}.values())


def variants(method: Method) -> Sequence[Method]:
    """The method; where it leaves a parameter open that it declares to be worth trying in several ways, each."""
    out = [method]
    for name, values in method.declaration.properties.get("variants", {}).items():
        if name not in dict(method.settings):
            out = [m.with_(**{name: value}) for m in out for value in values]
    return out


def deciding(panel: Panel, absent: str | None = None) -> Method:
    """The method of agreement by which it is told who is off: the one declared for it, or the first default one."""
    usual = fitting(panel, "agreement", table.methods(panel.kind, "agreement", default=True))
    chosen = next((m for m in usual if m.declaration.properties.get("flags")), usual[0])
    return with_absence(chosen, absent or panel.absent)
