"""How good is a system, by the judges' lights? Leaderboards of systems by criterion, from the judges' scores.

No second file is needed: the scores are of systems' outputs. Systems that share a letter do not differ significantly;
clusters are told apart by every test between them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.kernels.additive import parts
from quorate.leaderboard import ALPHA, Board, holm_pairs, letters
from quorate.panels import Panel, Scores
from quorate.results import Answer, Finding, Options
from quorate.scores.averages import OF
from quorate.scores.bradley_terry import comparisons, rated, table_of_wins
from quorate.scores.consensus import estimate, every_output, said_of_systems, shared_notes
from quorate.scores.labels import fitting
from quorate.scores.systems import Outputs, leaderboard, overall
from quorate.student import beyond
from quorate.table import Method, method, number, parse

__all__ = ["answer", "bradley_terry", "mean_score"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Rated:
    """Values ``[input, system]`` (none where a method has no value per input), and the leaderboard."""

    table: Array | None
    board: Board
    notes: tuple[str, ...] = ()


@method(
    "scores",
    "quality",
    "mean_score",
    range=(-math.inf, math.inf),
    higher="better",
    default=True,
    parameters={"of": OF},
    symmetric=True,
    relabelling=True,
)
def mean_score(panel: Scores, made: Outputs, options: Options, of: str = "mean") -> Rated:
    """The mean over tasks of what the judges agree on; of votes, the share of them that a system won."""
    how = parse(of, "scores", "consensus")
    found = estimate(panel, how, made.units)
    ranking = leaderboard(made, found.values, lambda u: estimate(panel, how, u).values, options, "mean_score", how)
    return Rated(made.table(found.values), ranking, found.notes)


@method(
    "scores",
    "quality",
    "bradley_terry",
    range=(-math.inf, math.inf),
    higher="wins more often",
    parameters={"prior": number("wins added each way between every two systems", 0.0)},
    reference="Bradley and Terry 1952",
    symmetric=True,
    relabelling=True,
)
def bradley_terry(panel: Scores, made: Outputs, options: Options, prior: float = 0.01) -> Rated:
    """Bradley and Terry's log strengths from every two systems that one judge compared; ties are half a win each way.

    Strengths add up to 0; the odds that one system beats another are exp of their difference. Without the prior a
    system that never lost has no finite strength.
    """
    values, inside, drawn, games = rated(panel, made, max(prior, 1e-9), options)
    place, one, two, score = comparisons(panel, made)
    met = table_of_wins(one, two, score, len(games))
    part = parts(met + met.T > 0, games > 0)
    p = _differ(values, drawn, len(np.unique(place)) if len(np.unique(place)) > 1 else len(score))
    p = holm_pairs(np.where(part[:, None] == part, p, np.nan))  # nothing but the prior links two parts
    order = np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable").tolist()
    ranking = Board(values, np.where(games > 0, len(made.inputs), 0), inside, p, letters(p < ALPHA, order))
    notes = [f"{len(score):,} comparisons, {int((score == 0.5).sum()):,} of them ties"]
    if part.max(initial=0) > 0:
        apart = int(part.max()) + 1
        notes.append(
            f"the systems fall into {apart} parts that nobody compared: their order is known within a part only"
        )
    never = [made.systems[s] for s in np.flatnonzero(games == 0).tolist()]
    if never:
        notes.append(f"compared with no other and left out: {', '.join(map(str, never[:5]))}")
    return Rated(None, ranking, tuple(notes))


def _differ(values: Array, drawn: Array, units: int) -> Array:
    """p-values of every two systems: their difference in units of its spread over the draws, by Student's t.

    Counting draws instead would need far more of them to survive the correction for many pairs.
    """
    out = np.full((len(values),) * 2, np.nan)
    if len(drawn) < 2 or units < 2:
        return out
    few = math.sqrt(units / (units - 1))  # draws from few units spread less than the units do
    for a in range(len(values)):
        spread = (drawn[:, a, None] - drawn).std(axis=0, ddof=1) * few
        for b in np.flatnonzero(spread > 0).tolist():
            t = abs(values[a] - values[b]) / spread[b]
            out[a, b] = max(beyond(t, units - 1), math.erfc(t / math.sqrt(2)))  # which is above 0 however large t is
    return out


def answer(panel: Scores, *asked: Any) -> Answer:
    """Every method by criterion: ``answer(panel, methods, options)``. Scores need no systems beside them."""
    *beside, methods, options = asked
    if any(isinstance(b, Panel) for b in beside):
        raise InputError(
            "scores of systems need no second file.", "name their column 'system', or the items are taken."
        )
    fitting(panel, "quality", methods)
    made = every_output(panel)
    findings, notes = [], []
    for done, m in enumerate(methods):
        options.tell("quality", done, len(methods))
        finding, more = _finding(panel, made, m, options)
        findings.append(finding)
        notes += more
    options.tell("quality", len(methods), len(methods))
    return Answer(
        "scores",
        "quality",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        tuple(findings),
        tuple(said_of_systems(panel, made, findings)),
        (*panel.notes, *shared_notes(panel, made), *dict.fromkeys(notes)),
    )


def _finding(panel: Scores, made: Sequence[Outputs], m: Method, options: Options) -> tuple[Finding, list[str]]:
    keys: dict[str, list[Any]] = {"task": [], "system": []}
    if any(out.units.criterion is not None for out in made):
        keys["criterion"] = []
    values: list[float] = []
    rows, notes = [], []
    for out in made:
        found: Rated = m(panel, out, options)
        rows += overall(out, found.board)
        about = f"{out.units.criterion}: " if out.units.criterion is not None else ""
        notes += [f"{m}: {about}{note}" for note in found.notes]
        if found.table is not None:
            t, s = np.nonzero(~np.isnan(found.table))
            values += found.table[t, s].tolist()
            keys["task"] += [out.inputs[k] for k in t.tolist()]
            keys["system"] += [out.systems[k] for k in s.tolist()]
            if "criterion" in keys:
                keys["criterion"] += [out.units.criterion] * len(t)
    return Finding(m, keys, values, {}, tuple(rows)), notes
