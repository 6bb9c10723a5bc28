"""From a panel to the arrays that methods are functions of: one design for each kind, or a cell's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quorate.inference.results import Options
from quorate.panel.base import Panel
from quorate.panel.clusterings import clustering_design
from quorate.panel.design import Design
from quorate.panel.group_ranks import RankedDesign
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.lists import list_design, with_lists
from quorate.panel.nesting import with_nesting
from quorate.panel.outputs import OutputDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.stacks import OrderingDesign


def _nested(make: Callable[..., Sequence[Design]]) -> Callable[..., Sequence[Design]]:
    """The same designs, with the units that the panel's tasks belong to."""
    return lambda panel, *more: [with_nesting(design, panel) for design in make(panel, *more)]


_DESIGNS: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel, absent: [OrderingDesign.of(panel, absent)],
    "groupings": lambda panel, absent: [GroupingDesign.of(panel, absent)],
    "groupings consensus": lambda panel, absent: [RankedDesign.of(panel, absent)],
    "scores": lambda panel, absent: ScoreDesign.of(panel),
    "votes": lambda panel, absent: [VoteDesign.of(panel)],
    "scores consensus": lambda panel, absent: OutputDesign.every(panel),
    "scores quality": lambda panel, absent: OutputDesign.every(panel),
    "scores trust": lambda panel, absent: OutputDesign.every(panel),
}
_BESIDE: Mapping[str, Callable[..., Sequence[Design]]] = {
    "orderings": lambda panel, systems, seed, absent: [list_design(panel, systems, seed)],
    "orderings trust": lambda panel, systems, seed, absent: [with_lists(panel, systems, seed, absent)],
    "groupings": lambda panel, systems, seed, absent: [clustering_design(panel, systems, seed, absent)],
    "scores": lambda panel, systems, seed, absent: OutputDesign.every(panel, systems, seed),
}
DESIGNS = {name: _nested(make) for name, make in _DESIGNS.items()}
BESIDE = {name: _nested(make) for name, make in _BESIDE.items()}


def designs_of(panel: Panel, absent: str | None, own: str = "") -> Sequence[Design]:
    """The designs of a panel, one for each criterion: of its kind, or of a cell that has one of its own."""
    if panel.elsewhere is not None:
        found: Sequence[Design] = panel.elsewhere.designs(own, absent)
        return found
    return DESIGNS.get(own, DESIGNS[panel.kind])(panel, absent)


def designs_beside(panel: Panel, systems: Panel, options: Options, own: str) -> Sequence[Design]:
    """The same of a panel and of systems that are held against it."""
    if panel.elsewhere is not None:
        found: Sequence[Design] = panel.elsewhere.designs(own, options.absent, systems, options.seed)
        return found
    return BESIDE.get(own, BESIDE[panel.kind])(panel, systems, options.seed, options.absent)
