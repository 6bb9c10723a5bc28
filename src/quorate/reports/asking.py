"""Which methods a report asks for: those that the commands ask, but for a consensus that takes long to find."""

from __future__ import annotations

from quorate import table
from quorate.panel.kinds import Orderings, Panel
from quorate.table import Method

TASKS = 1000  # beyond which the supported order, found task by task, is left out


def chosen(question: str, panel: Panel) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """The methods to ask by (none: the usual ones), and what a reader must know of the choice."""
    if question != "consensus" or not isinstance(panel, Orderings):
        return (), ()
    from quorate.orderings.kemeny import soon_proven

    usual = tuple(table.methods(panel.kind, question, default=True))
    slow = [] if soon_proven(panel) else ["kemeny"]
    slow += ["supported_order"] if len(panel.tasks) > TASKS else []
    said = tuple(f"{m} is left out, to be quick; `quorate consensus --method {m}` has it" for m in slow)
    return tuple(m for m in usual if m.name not in slow), said
