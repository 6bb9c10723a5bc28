"""Variance components of scores in files: each piece gives sums that add up to the same in any order."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from quorate.kernels.moment_sums import TABLE
from quorate.panel.by_name import name_order
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.panel.score_moments import ScoreMoments, together
from quorate.scale.jobs import Ask, named, numbers
from quorate.scale.source import Piece, Source
from quorate.scale.survey import names_in

if TYPE_CHECKING:
    from quorate.scale.files import Scan


@dataclass(frozen=True)
class MomentAsk(Ask):
    """What is asked of every piece: also all judges, and between which scores all are."""

    judges: tuple[Hashable, ...] = ()
    low: float = 0.0
    high: float = 0.0


def moments_of(source: Source, piece: Piece, ask: MomentAsk) -> ScoreMoments | None:
    """What the scores of a piece add up to; None where there are none."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    for design in OutputDesign.every(panel):
        number = numbers(design.judges, {name: k for k, name in enumerate(ask.judges)})
        return ScoreMoments.of(design, ask.low, ask.high, len(ask.judges), number[design.scores.judge])
    return None


class MomentRows:
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` knows of variances of scores: see there."""

    judges: tuple[Hashable, ...]
    without: tuple[Hashable, ...]
    _looked: Any
    _plain: tuple[str, ...]
    _run: Any

    @cached_property
    def moments(self) -> ScoreMoments | None:
        """What all scores add up to."""
        low, high = min(f.low for f in self._looked), max(f.high for f in self._looked)
        given: dict[str, Any] = {"judges": self.judges, "low": low, "high": high}
        ask = MomentAsk("scores", "trust", (), plain=self._plain, without=self.without, **given)
        found = [one for one in self._run("moments", moments_of, ask) if one is not None]
        names = list(dict.fromkeys(name for one in found for name in one.systems))
        return together(found, tuple(names[k] for k in name_order(names))) if found else None


def too_many_for_tables(scan: Scan) -> str:
    """Why judges and systems are too many for a table of both; empty where they are not."""
    role = "system" if scan.source.column("system") is not None else "item"
    judges, systems = len(scan.survey.judges), len(names_in(scan.survey.source, role))
    if judges * systems <= TABLE:
        return ""
    return f"trust of scores of {systems:,} {role}s by {judges:,} judges needs all rows at once"
