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
from quorate.inference.board import ALPHA, Board, holm_pairs, letters
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.inference.student import beyond
from quorate.kernels.additive import parts
from quorate.panel.base import many
from quorate.panel.kinds import Panel, Scores
from quorate.scores.averages import OF
from quorate.scores.bradley_terry import comparisons, rated, table_of_wins
from quorate.scores.consensus import estimate, every_output, said_of_systems, shared_notes
from quorate.scores.labels import fitting
from quorate.scores.systems import Outputs, leaderboard, overall
from quorate.table import Method, method, number, parse
from quorate.words.leading import too_few

__all__ = ["answer", "bradley_terry", "mean_score"]

Array = NDArray[Any]
SAME = 1e-9  # strengths that differ by rounding alone


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
    made_of = comparisons(panel, made)
    values, inside, drawn, games, units = rated(panel, made, made_of, max(prior, 1e-9), options)
    met = table_of_wins(made_of.one, made_of.two, made_of.score, len(games))
    part = parts(met + met.T > 0, games > 0)
    p = _differ(values, drawn, units.number)
    p = holm_pairs(np.where(part[:, None] == part, p, np.nan))  # nothing but the prior links two parts
    least = 2.0 ** (1 - units.number) * int(np.isfinite(p).sum()) / 2
    few = units.by == "judges" and (units.few or least >= ALPHA)
    if few:
        p = np.full(p.shape, np.nan)
    order = np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable").tolist()
    tasks = np.where(games > 0, len(made.inputs), 0)
    ranking = Board(values, tasks, inside, p, letters(p < ALPHA, order), 0.0 if few else least)
    score = made_of.score
    notes = [f"{len(score):,} comparisons, {int((score == 0.5).sum()):,} of them ties"]
    if few and len(score):
        notes.append(f"one task and {many(units.number, 'judge')}: too few to tell any two systems apart for sure")
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

    None is below that of a sign test where every unit says the same: few units that agree by luck give draws that
    hardly spread. Counting draws instead would need far more of them to survive the correction for many pairs.
    """
    out = np.full((len(values),) * 2, np.nan)
    if len(drawn) < 2 or units < 2:
        return out
    least = 2.0 ** (1 - units)
    few = math.sqrt(units / (units - 1))  # draws from few units spread less than the units do
    for a in range(len(values)):
        spread = (drawn[:, a, None] - drawn).std(axis=0, ddof=1) * few
        for b in np.flatnonzero(np.isfinite(spread)).tolist():
            apart = abs(values[a] - values[b])
            if a == b:
                continue
            if spread[b] <= SAME:
                out[a, b] = least if apart > SAME else 1.0
                continue
            t = apart / spread[b]
            # The normal distribution's is above 0 however large t is.
            out[a, b] = max(beyond(t, units - 1), math.erfc(t / math.sqrt(2)), least)
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
    rows: list[Overall] = []
    notes: list[str] = []
    for out in made:
        found: Rated = m(panel, out, options)
        here = overall(out, found.board)
        rows += here
        notes += filter(None, [too_few(here, "system" if out.named else "item", out.by[:-1])])
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
