"""Leaderboards of scores in files: each piece gives what judges agree on of every output of its tasks, by system.

A method whose value of a unit rests on that unit's scores alone (``by_unit=`` of its declaration) is known from the
piece that holds the task; means over tasks, intervals and tests follow as they do in memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import BadParameter
from quorate.panel.by_name import name_order
from quorate.panel.design import ONCE, Values, Weights
from quorate.panel.kinds import Scores
from quorate.panel.one_by_one import OneByOne
from quorate.panel.outputs import OutputDesign
from quorate.panel.score_moments import ScoreMoments
from quorate.scale.designs import put_together
from quorate.scale.jobs import Ask, Facts, Found, named
from quorate.scale.moments import MomentRows
from quorate.scale.source import Piece, Source
from quorate.table import Method

Array = NDArray[Any]
Told = tuple[dict[str, list[Any]], list[Any], dict[str, list[Any]]]  # keys, values and details of units


@dataclass(frozen=True, eq=False)
class Outputs(Found):
    """What a piece gives: rows of tasks and systems, and who scored which system."""

    judged: tuple[tuple[int, int], ...] = ()  # numbers of system and judge
    scores: int = 0
    told: Mapping[str, Told] = field(default_factory=dict)  # of every unit, where that is asked for


def by_unit(method: Method) -> Method | None:
    """How judges become one score by a method of quality or consensus, where a unit's own scores are all it needs."""
    if method.question == "quality" and method.name != "mean_score":
        return None
    found = table.parse(str(method["of"]), "scores", "consensus") if method.question == "quality" else method
    return found if found.declaration.properties.get("by_unit") else None


def outputs_of(source: Source, piece: Piece, ask: Ask) -> Outputs:
    """What is agreed on of every output of a piece's tasks."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    facts = Facts(len(panel), np.zeros(0), np.zeros(0))
    made = OutputDesign.every(panel)
    if not made:
        return Outputs(panel.tasks, panel.judges, {}, facts)
    (design,) = made
    methods = {text: table.parse(text, "scores", "consensus") for text in ask.methods}
    values = {text: design.values(m) for text, m in methods.items()}
    told = {text: design.told(m) for text, m in methods.items()} if ask.question == "consensus" else {}
    pairs = np.unique(np.stack([design.system[design.scores.unit], design.scores.judge]), axis=1)
    judged = tuple(zip(*pairs.tolist(), strict=True))
    more: dict[str, Any] = {
        "systems": design.systems,
        "listed": design.tasks,
        "judged": judged,
        "scores": len(design.scores),
    }
    return Outputs(panel.tasks, panel.judges, values, facts, **more, told=told)


@dataclass(frozen=True, eq=False)
class ScannedOutputs(OneByOne, OutputDesign):
    """Scores of systems' outputs in files."""

    elsewhere: Any = None

    @property
    def number_of_scores(self) -> int:
        """All scores."""
        found = self.elsewhere.moments if self.elsewhere.rated_for == "trust" else self.elsewhere.board
        return int(found.scores)

    @property
    def drawn_systems(self) -> int:
        """Systems of a scan cannot be drawn."""
        return 0

    @property
    def labelled(self) -> bool:
        """Labels are not scanned."""
        return False

    @cached_property
    def moments(self) -> ScoreMoments:
        """What the scores add up to, where variances come from."""
        found: ScoreMoments = self.elsewhere.moments
        return found

    @cached_property
    def judges_of_system(self) -> Array:
        """How many judges scored each system."""
        return np.asarray(self.elsewhere.board.judges)

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of every task and system."""
        if weights.judges is not None or weights.units is not None or weights.systems is not None:
            raise BadParameter("judges or systems of a scan cannot be drawn.", "over=tasks, or read it into memory.")
        found: Values = self.elsewhere.board.values(str(method))
        there = np.unique(found.keys["system"])
        return Values(found.array, found.keys, rests={"judges": self.judges_of_system[there]})

    def told(self, method: Method) -> Told:
        """The units by their names, what a method says of each, and how many judges it rests on."""
        found: Told = self.elsewhere.board.told(str(method))
        return found


class Board:
    """The rows of all pieces, put together."""

    def __init__(self, found: list[Outputs], tasks: tuple[Hashable, ...], judges: tuple[Hashable, ...]) -> None:
        self.found = found
        self.tasks: Mapping[Hashable, int] = {name: k for k, name in enumerate(tasks)}
        names = list(dict.fromkeys(name for one in found for name in one.systems))
        self.systems: tuple[Hashable, ...] = tuple(names[k] for k in name_order(names))
        self.place = {name: k for k, name in enumerate(self.systems)}
        self.scores = sum(one.scores for one in found)
        of = {name: k for k, name in enumerate(judges)}
        pairs = {(self.place[one.systems[s]], of[one.judges[j]]) for one in found for s, j in one.judged}
        self.judges = np.bincount([s for s, _ in pairs], minlength=len(self.systems))
        self._known: dict[str, Values] = {}

    def values(self, text: str) -> Values:
        """The rows of a method, by task and system."""
        if text not in self._known:
            self._known[text] = put_together(self.found, text, self.tasks, {}, self.place)
        return self._known[text]

    def told(self, text: str) -> Told:
        """What a method says of every unit, by task and item."""
        found = [one.told[text] for one in self.found if text in one.told]
        task = np.concatenate([np.array([self.tasks[t] for t in keys["task"]], np.int64) for keys, *_ in found])
        order = np.argsort(task, kind="stable").tolist()  # in a piece they are in the order of items

        def together(columns: list[list[Any]]) -> list[Any]:
            every = [v for column in columns for v in column]
            return [every[k] for k in order]

        keys, _, details = found[0]
        return (
            {n: together([keys[n] for keys, *_ in found]) for n in keys},
            together([values for _, values, _ in found]),
            {n: together([details[n] for *_, details in found]) for n in details},
        )


class OutputRows(MomentRows):
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` knows of systems' outputs: see there."""

    tasks: Any
    scan: Any
    rated: tuple[str, ...] = ("mean",)  # ways in which judges become one score that will be asked for
    rated_for: str = "quality"  # or consensus, where every unit is told of; or trust

    @cached_property
    def board(self) -> Board:
        """What judges agree on of every task and system."""
        ask = Ask("scores", self.rated_for, self.rated, plain=self._plain, without=self.without)
        return Board(self._run("outputs", outputs_of, ask), self.tasks, self.judges)

    @cached_property
    def outputs(self) -> list[OutputDesign]:
        """The design of all outputs, without their scores."""
        found = self.moments if self.rated_for == "trust" else self.board
        if found is None or not found.scores:
            return []
        label = self.scan.survey.source.column("system") is not None
        given: dict[str, Any] = {"systems": found.systems, "named": label, "elsewhere": self}
        return [ScannedOutputs(self.tasks, self.judges, (), (), **given)]
