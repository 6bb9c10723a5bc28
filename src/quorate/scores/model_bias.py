"""What does a model favour that people do not? Length, place, its own family, a system: any column of the file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, suggest
from quorate.kernels import slopes as kernel
from quorate.panel.as_scores import OWN as OWN_FAMILY
from quorate.panel.as_scores import PLACE
from quorate.panel.columns import Coded, is_blank
from quorate.panel.design import Trusted
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import Units, both_kinds, kinds
from quorate.scores.people_and_models import hardly_agree, usual_over
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note, Parameter

if TYPE_CHECKING:
    from quorate.inference.core import Core

Array = NDArray[Any]
FEW = 20  # units of a model and two people, of fewer nothing is told
LEVELS = 12  # values of a column, up to which each is held against the others
APART = ("judge_kind", "judge_family", "criterion", "year", "time", "occasion", "auto")  # columns that say other things
OWN = ("judge_family", "family")  # columns of the model's family and of whoever made the unit

Covariate = tuple[str, Any, Array]  # the column, its value (None: a number), and z of every row, NaN where not told


def covariates(units: Units, rows: Array, wanted: tuple[str, ...]) -> Iterator[Covariate]:
    """What is known of a model's rows: its own family or not, numbers, lengths of texts, values of few."""
    panel = units.panel
    if panel is None or units.row is None:
        return
    at = units.row[rows]
    if all(n in panel.labels for n in OWN) and (not wanted or "own" in wanted):
        mine, made = (panel.labels[n] for n in OWN)
        same = [str(mine[r]) == str(made[r]) and not is_blank(made[r]) for r in at.tolist()]
        yield OWN_FAMILY, None, np.array(same, float)
    for name, column in panel.labels.items():
        if name in APART or (wanted and name not in wanted):
            continue
        codes = column.codes[at]
        if name == "text":
            words = np.array([math.nan if is_blank(i) else len(str(i).split()) for i in column.ids], float)
            yield "length", None, words[codes]
        elif (numbers := _numbers(column)) is not None:
            yield name, None, numbers[codes]
        elif 1 < len(used := np.unique(codes)) <= LEVELS:
            named = [c for c in used.tolist() if not is_blank(column.ids[c])]
            yield from ((name, column.ids[c], (codes == c).astype(float)) for c in named)


def _distinct(given: Sequence[Covariate]) -> Iterator[Covariate]:
    """Without those that say of every row what one before them says: systems that are families, yes beside no."""
    seen = set[bytes]()
    for column, value, z in given:
        left = z - np.nanmean(z) if np.isfinite(z).any() else z
        first = left[np.flatnonzero(np.nan_to_num(left))[:1]]
        key = np.round(left * np.sign(first), 9).tobytes() if len(first) else b""
        if len(first) and key not in seen:
            seen.add(key)
            yield column, value, z


def _other(given: Sequence[Covariate], column: str, value: Any, z: Array) -> Covariate | None:
    """Of a column of two values the other one; None of more, or of a number."""
    same = [c for c in given if c[0] == column and c[1] != value]
    return same[0] if value is not None and len(same) == 1 and bool((same[0][2] == 1 - z).all()) else None


def _numbers(column: Coded) -> Array | None:
    """The column as numbers; None where it has words."""
    try:
        return np.array([math.nan if is_blank(i) else float(str(i)) for i in column.ids])
    except ValueError:
        return None


def _wanted(panel: Scores, columns: str | None) -> tuple[str, ...]:
    """The columns named, with a bar between; one that is not there is an error."""
    names = tuple(n.strip() for n in (columns or "").split("|") if n.strip())
    known = [*panel.labels, *(["own"] if all(n in panel.labels for n in OWN) else [])]
    for name in names:
        if name not in known:
            raise InputError(f"no column '{name}'.", suggest(name, known, "Columns of the panel"))
    return names


@trust_method(
    "model_bias",
    range=(-math.inf, math.inf),
    higher="the model favours it more than people do",
    note=Note(
        "Does a model judge favour long answers, a place, its own family, a system? Beside what people say of the "
        "same units, so that what is better is no bias.",
        "Each column by itself: where length goes with family, both may show one bias. It needs units that two people "
        "scored; where these hardly agree, nothing is told.",
        "c in y = a + b t + c z, t what people share of a unit, its variance the covariance of two people; z in "
        "standard deviations, or 1 where a column has a value and 0 elsewhere; Student's t from draws, Holm",
    ),
    columns=Parameter("columns to look at, with a bar between them; none: all that vary", "text", optional=True),
)
def model_bias(made: OutputDesign, core: Core, columns: str | None = None) -> Trusted:
    """By how many points a model scores higher where a column has a value, or is a standard deviation higher.

    What people say of the same units is taken out: 0 where the model follows them, whatever the column says.
    """
    units, panel = made.scores, made.scores.panel
    if panel is None or not both_kinds(panel):
        return Trusted({"judge": []}, [], [], notes=("model_bias: who is human, who is a model? --models A,B",))
    over, wanted = core.over(made, "tasks", "items", usual=usual_over(made)), _wanted(panel, columns)
    people, models = kinds(panel)
    humans = units.of_judges(people)
    n, s, q = (np.bincount(humans.unit, w, units.size) for w in (None, humans.value, humans.value**2))
    found: list[dict[str, Any]] = []
    untold: list[dict[str, Any]] = []
    for m in models.tolist():
        rows = np.flatnonzero((units.judge == m) & (n[units.unit] > 1))
        if len(rows) < FEW:
            continue
        often = made.often(
            core.bootstrap(made, over, core.budget.draws(units.size * 8), core.stream("bias", made.judges[m]))
        )
        given = list(covariates(units, rows, wanted))
        slope = partial(_slope, made, core, (n, s, q), often, rows, over)
        for column, value, z in _distinct(given):
            row = slope(z, number=value is None and column not in (OWN_FAMILY, PLACE))
            if row and row["value"] < 0 and (other := _other(given, column, value, z)):  # of two, the one favoured
                value, row = other[1], slope(other[2], number=False)
            if row:
                told = untold if row["untold"] else found
                told.append({"judge": made.judges[m], "column": column, "favours": value, **row})
    p = core.holm(np.array([row["p"] for row in found]))
    estimates = []
    for row, corrected in sorted(
        zip(found, p.tolist(), strict=True), key=lambda pair: (pair[1], -abs(pair[0]["value"]))
    ):
        labels = {**made.labels, **{k: row[k] for k in ("judge", "column", "favours", "units")}, "p_holm": corrected}
        estimates.append(core.figure(row["value"], labels, row["interval"]))
    keys = {n: [e.labels[n] for e in estimates] for n in ("judge", "column", "favours")}
    values = [float(e.value) for e in estimates]
    about = {"tested": len(values), "untold": [{k: row[k] for k in ("judge", "column", "favours")} for row in untold]}
    return Trusted({**labelled(made, len(values)), **keys}, values, estimates, about=about)


def _slope(
    made: OutputDesign,
    core: Core,
    people: tuple[Array, ...],
    often: Array,
    rows: Array,
    over: str,
    z: Array,
    number: bool,
) -> dict[str, Any] | None:
    """What one column adds to a model's scores, with its interval and p, or that people share too little to tell; None
    where the column does not vary."""
    units = made.scores
    there = np.isfinite(z)
    rows, z = rows[there], z[there]
    unit, spread = units.unit[rows], float(z.std()) if len(z) else 0.0
    if len(rows) < FEW or not spread > 0:
        return None
    z = (z - z.mean()) / (spread if number else 1.0)
    n, s, q = (column[unit] for column in people)
    centre = float(units.value.mean())  # squares of large scores would lose digits
    x, y = s - n * centre, units.value[rows] - centre
    sums = kernel.features(n, x, q - 2 * centre * s + n * centre**2, y, z)
    total, drawn = sums.sum(axis=0, keepdims=True), often[:, unit] @ sums
    value, shared = (float(of(total)[0]) for of in (kernel.covariate_slope, kernel.shared_beside))
    clusters, called = len(np.unique(made.place[unit])) if over == "tasks" else len(rows), made.called_over(over)
    if math.isnan(value) or hardly_agree(shared, kernel.shared_beside(drawn), core, called, clusters):
        return {"value": value, "untold": True}
    between, p = core.tested(value, kernel.covariate_slope(drawn), called, clusters)
    return {"value": value, "interval": between, "p": p, "units": len(rows), "untold": False}
