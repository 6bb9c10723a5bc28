"""What judges agree on, task by task, of tasks in files: each piece gives that of its own, by every method asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from quorate import table
from quorate.inference.consensus_draws import Panels, consensus_panels
from quorate.inference.consensus_findings import TaskConsensus, agreed
from quorate.inference.designs import DESIGNS
from quorate.inference.results import Options
from quorate.panel.design import Design
from quorate.scale.jobs import Ask, named, numbers
from quorate.scale.source import Piece, Source
from quorate.table import Method


@dataclass(frozen=True)
class ConsensusAsk(Ask):
    """What is asked of every piece: also how much is drawn by each method, and how answers are computed."""

    panels: tuple[Panels, ...] = ()
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, eq=False)
class Agreed:
    """What a piece's judges agree on: of each method by the task's number among all tasks."""

    by_method: Mapping[str, Mapping[int, TaskConsensus]]


def consensus_of(source: Source, piece: Piece, ask: ConsensusAsk, place: Mapping[Hashable, int]) -> Agreed:
    """What the judges of a piece's tasks agree on; ``place``: the tasks' numbers among all, on which draws depend."""
    panel = named(source.panel([source.part(piece)]), ask)
    own = f"{ask.kind} consensus"
    design: Any = DESIGNS.get(own, DESIGNS[ask.kind])(panel, ask.absent)[0]
    number = numbers(design.tasks, place)
    design = replace(design, parts=tuple(replace(p, tasks=number[np.asarray(p.tasks)]) for p in design.parts))
    found = {}
    for text, panels in zip(ask.methods, ask.panels, strict=True):
        found[text] = agreed(table.parse(text, ask.kind, "consensus"), design, ask.options, panels)
    return Agreed(found)


class ConsensusRows:
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` knows of what judges agree on: see there."""

    scan: Any
    asked: Any
    _run: Any
    agreeing: tuple[str, ...] = ()  # methods of consensus that will be asked for

    @cached_property
    def _agreed(self) -> dict[str, dict[int, TaskConsensus]]:
        return {}

    def agreed(self, method: Method, design: Design, options: Options) -> dict[int, TaskConsensus]:
        """What the judges of every task agree on, by the number of the task, in that order."""
        text = str(method)
        if text not in self._agreed:
            texts = self.agreeing if text in self.agreeing else (text,)
            parsed = [table.parse(t, self.scan.kind, "consensus") for t in texts]
            ask = ConsensusAsk(
                **{**self.asked.__dict__, "methods": texts, "sample": frozenset()},
                panels=tuple(consensus_panels(m, design, options) for m in parsed),
                options=replace(options, progress=None),
            )
            found: list[Agreed] = self._run("consensus", consensus_of, ask, self._places(design))
            for t in texts:
                known = {k: one for piece in found for k, one in piece.by_method[t].items()}
                self._agreed[t] = {k: known[k] for k in sorted(known)}
        return self._agreed[text]

    def _places(self, design: Design) -> list[dict[Hashable, int]]:
        """Of every piece the numbers that its tasks have among all."""
        found, number = self.scan.survey, {task: k for k, task in enumerate(design.tasks)}
        out: list[dict[Hashable, int]] = [{} for _ in found.pieces]
        for task, piece in zip(found.tasks, found.piece_of.tolist(), strict=True):
            if task in number:
                out[piece][task] = number[task]
        return out
