"""The five verbs: each asks one question of a panel of any kind."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from quorate import table
from quorate.errors import UnknownMethod
from quorate.panels import Panel
from quorate.results import Answer, Options
from quorate.table import Method


def agreement(panel: Panel, *methods: str | Method, **options: Any) -> Answer:
    """How much do the judges agree? Every default method of the panel's kind, or the methods named.

    Options: ``seed``, ``level`` of intervals, ``resamples``, ``permutations``, ``progress``.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders(["abcd", "abdc", "bacd"])
    >>> agreement(panel, "tau").findings[0].overall[0].value
    0.5555555555555555
    """
    return ask("agreement", panel, methods, options)


def ask(question: str, panel: Panel, methods: tuple[str | Method, ...], options: dict[str, Any]) -> Answer:
    """Ask a question of a panel by the methods named, or the cell's defaults."""
    chosen = [table.as_method(m, panel.kind, question) for m in methods]
    chosen = chosen or table.methods(panel.kind, question, default=True)
    if not chosen:
        raise UnknownMethod(f"no method answers {panel.kind} x {question} yet.", "`quorate table` shows what there is.")
    answer: Callable[..., Answer] = importlib.import_module(f"quorate.{panel.kind}.{question}").answer
    return answer(panel, chosen, Options(**options))
