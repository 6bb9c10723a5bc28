"""People and models as judges: agreement across the two, so that neither hides the other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.kernels import reliability as kernel
from quorate.panel.coefficient import Coefficient
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_facts import inside
from quorate.panel.units import MODEL, Units, both_kinds, kinds
from quorate.scores.alpha import LEVEL
from quorate.table import Method, Note, choice, method

Array = NDArray[Any]
WEAK = 0.01  # p of people sharing nothing, from which on what is divided by what they share is not told


@method(
    "scores",
    "agreement",
    "across",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    reference="Krippendorff's alpha, of pairs of a person and a model only",
    parameters={"level": choice(LEVEL.meaning, "interval", "ordinal", "nominal", shown=True)},
    symmetric=True,
    interval="student",
    judges="apart",
    note=Note(
        "People and models judge the same units: do models say what people say? Beside the agreement of people.",
        "Models of one level that differs from the people's lower it, however well they order the units.",
        "1 - D_o / D_e; D_o = mean squared difference of a person's and a model's score of one unit, D_e = of any "
        "person's and any model's; ordinal: of their ranks; nominal: 1 where they differ",
    ),
)
def across(units: Units, *, level: str = "interval") -> Coefficient:
    """Alpha of pairs of a person and a model: 1 where models say what people say, 0 where no more than by chance."""
    if not both_kinds(units.panel):
        return Coefficient(lambda weights: np.full(len(weights), math.nan), units.size, inside(units))
    label = units.label("judge_kind")  # of the rows: judges may be renumbered
    model = np.array([str(i).strip().lower() in MODEL for i in label.ids])[label.codes]
    x = coordinates(units, level)

    def sums(rows: Array) -> tuple[Array, Array, Array]:
        """Of every unit how many scores, their sums and the sum of their squares."""
        unit = units.unit[rows]
        each = [np.bincount(unit, column[rows], units.size) for column in x.T]
        return np.bincount(unit, minlength=units.size), np.stack(each, axis=1), _squares(unit, x[rows], units.size)

    (n, s, q), (m, t, r) = sums(~model), sums(model)
    both = (n > 0) & (m > 0)
    seen = np.where(both, n * r + m * q - 2 * (s * t).sum(axis=1), 0.0)
    features = np.concatenate([np.stack([n * m, seen, n, q, m, r], axis=1), s, t], axis=1) * both[:, None]

    def of(weights: Array) -> Array:
        total = weights @ features
        pairs, apart, n, q, m, r = total[:, :6].T
        s, t = np.split(total[:, 6:], 2, axis=1)
        expected = n * r + m * q - 2 * (s * t).sum(axis=1)
        ok = (pairs > 0) & (expected > kernel.SAME * (n * r + m * q))
        below = np.where(ok, expected / np.where(ok, n * m, 1.0), 1.0)
        return np.where(ok, 1 - apart / np.where(ok, pairs, 1.0) / below, math.nan)

    return Coefficient(of, units.size, {**inside(units), "shared": int(both.sum())})


def _squares(unit: Array, x: Array, size: int) -> Array:
    return np.bincount(unit, (x**2).sum(axis=1), size)


def coordinates(units: Units, level: str) -> Array:
    """Points whose squared distances are the differences of values, ``[row, dimension]``."""
    if level == "nominal":
        known, code = kernel.codes(units.value)
        return np.asarray((code[:, None] == np.arange(len(known))) / math.sqrt(2))
    value = kernel.mid_ranks(units.value) if level == "ordinal" else units.value
    return np.asarray(value - kernel.centre(value))[:, None]


def usual_over(made: OutputDesign) -> str:
    """What figures of people and models generalise to: other tasks where there are several, else other items."""
    return "tasks" if len(made.tasks) > 1 else "items"


def hardly_agree(shared: float, drawn: Array, core: Any, over: str, units: int) -> bool:
    """Whether people share so little that nothing can be told by it, from the variance of what they share.

    It is divided by. Where it is not told from 0, an interval by Fieller has no ends, and one by draws has any: figures
    are arbitrary then, however many decimals they have.
    """
    return bool(len(drawn) and not core.tested(shared, drawn, over, units)[1] < WEAK)


def by_kind(panel: Scores, methods: list[Method], core: Any) -> list[dict[str, Any]]:
    """Agreement of people, of models, and across, by alpha: a row each, with its interval."""
    alpha = next((m for m in methods if m.name == "alpha" and m["level"] != "ratio"), None)
    if alpha is None or not both_kinds(panel):
        return []
    cross = table.parse(f"across(level={alpha['level']})", "scores", "agreement")
    out = []
    for design in ScoreDesign.of(panel):
        people, models = kinds(panel)
        asked = (("people", alpha, people), ("models", alpha, models), ("people and models", cross, None))
        for name, m, of in asked:
            if of is not None and len(of) < 2:
                continue
            found = core.estimate(m, design if of is None else design.some_judges(of))
            row = {"judges": name, **design.labels, "method": str(m), "value": found.value}
            out.append({**row, "interval": found.ends})
    return out
