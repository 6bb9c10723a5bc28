"""Very many judges of one task, of whom some are drawn at random where everybody would be held against everybody.

Drawn by what they answered, not by their names: panels of the same answers draw the same, from memory and from files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from quorate import table
from quorate.inference.judge_groups import JUDGES, drawn_judges
from quorate.inference.results import Finding
from quorate.kernels.row_marks import first_of_marks, marks
from quorate.panel.base import Panel, remembered
from quorate.panel.coefficient import by_counts
from quorate.panel.design import Design
from quorate.panel.rows import RowDesign
from quorate.table import Method

KINDS = ("orderings", "groupings")  # whose judges have a row of answers each
SOME = 1000  # of more than JUDGES judges of one task


def drawn_panel(panel: Panel, designs: Callable[[], Sequence[Design]]) -> Panel | None:
    """Some judges of a panel of very many on one task; None where there are not so many."""
    if panel.elsewhere is not None:
        found: Panel | None = panel.elsewhere.drawn_panel if hasattr(panel.elsewhere, "drawn_panel") else None
        return found
    if panel.kind not in KINDS or len(panel.tasks) != 1 or len(panel.judges) <= JUDGES or panel.repeats:
        return None
    (design,) = designs()
    if not isinstance(design, RowDesign) or design.counted:
        return None
    return remembered(panel, "_drawn", lambda panel: _drawn(panel, design))


def _drawn(panel: Panel, design: Any) -> Panel:
    part = design.parts[0]
    mark = marks(design.told_apart(part.given[0][0]))
    wanted = Counter(mark[drawn_judges(mark, SOME)].tolist())
    rows = first_of_marks(mark, wanted)
    return panel.select(judges=[design.judges[k] for k in part.judges[0][rows].tolist()]).by_name


def with_note(panel: Panel, judges: int, question: str) -> Panel:
    """The panel of the drawn judges, which says of how many they are, and what can be asked of all."""
    told = f"of {SOME:,} judges drawn at random: {judges:,} are too many to hold each against the others"
    every = [m.name for m in table.methods(panel.kind, question) if by_counts(m) is not None]
    told += f" (--method {every[0]}, asked alone, is of all)" if every else ""
    return replace(panel, notes=(*panel.notes, told), drawn_from=judges)


def drawable(method: Method) -> bool:
    """Whether a method holds every judge against others, or against all that could be agreed on: some stand for all."""
    known = method.declaration.properties
    return bool(known.get("sampled") or known.get("pairs"))


def of_some(finding: Finding) -> Finding:
    """The finding, which says that it is of some judges."""
    return replace(finding, about=(*finding.about, {"judges_sampled": SOME}))
