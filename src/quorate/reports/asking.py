"""Which methods a report asks for, and with which settings: all that the commands ask, but so that nobody waits.

A report spends a twentieth of what a command spends on costly methods; what that leaves out stands in its notes
and in its parameters. With ``effort=1`` it asks exactly what the commands ask. No setting depends on a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate import table
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method

EFFORT = 0.05
TASKS = 1000  # beyond which the supported order, found task by task, is left out


def chosen(question: str, panel: Panel, options: Mapping[str, Any]) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """The methods to ask by (none: the usual ones), and what a reader must know of the choice."""
    if options.get("effort", 1.0) >= 1 or not isinstance(panel, Orderings):
        return (), ()
    usual = tuple(table.methods(panel.kind, question, default=True))
    if question == "consensus":
        from quorate.orderings.kemeny import soon_proven

        slow = [] if soon_proven(panel) else ["kemeny"]
        slow += ["supported_order"] if len(panel.tasks) > TASKS else []
        said = tuple(f"{m} is left out, to be quick; `quorate consensus --method {m}` has it" for m in slow)
        return tuple(m for m in usual if m.name not in slow), said
    return (), ()
