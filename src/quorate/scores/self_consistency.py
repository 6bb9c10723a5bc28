"""Does a judge give the same output the same score? Alpha over identical outputs that one judge scored on one task.

Identical are: the same item again (occasions, or repeated runs of a model), outputs with the same text once line ends
and runs of blanks are made alike (and the text is cut to the word limit that judges saw), or outputs with the same id
in a column ``output``. Three copies are one unit of three values, not three pairs. The method of Owczarzak and others
(2012), Table 1; they give no intervals, and with 30 to 60 units a judge these are wide.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import BadParameter, InputError
from quorate.kernels import reliability
from quorate.kernels.defined import quotient
from quorate.panel.coefficient import Coefficient
from quorate.panel.columns import Coded, keys, narrow
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units, criteria, unit_keys
from quorate.scores.alpha import LEVEL, coefficient
from quorate.scores.judge_sums import others_median
from quorate.table import Note, Parameter, choice, method, whole

Array = NDArray[Any]
DECLARED = ("scale_low", "scale_high")  # columns that tell the ends of each row's scale
NAMED = {"text": "text", "id": "output"}  # what identity is by, and the label column that it needs


def identical_units(
    units: Units, same: str = "auto", limit: int | None = None, level: str = "interval", scale: str | None = None
) -> Units:
    """Groups of identical outputs as units, each with the scores of one judge; declared scales made one."""
    panel = cast(Scores, units.panel)
    rows = next(rows for name, rows in criteria(panel) if name == units.criterion)
    rows, group = identical(panel, rows, how(panel, same), limit)
    order = np.argsort(group, kind="stable")
    rows = rows[order]
    _, first, unit = np.unique(group[order], return_index=True, return_inverse=True)
    rescaled = on_one_scale(panel, scale)
    return Units(
        unit.ravel().astype(np.int64),
        panel.judge.codes[rows].astype(np.int64),
        (panel.value if rescaled is None else rescaled)[rows],
        len(first),
        panel.judges,
        panel.task.codes[rows][first].astype(np.int64),
        panel.item.codes[rows][first].astype(np.int64),
        panel.tasks,
        panel.items,
        units.criterion,
        None,
        rows,
        panel,
    )


def identical_rows(panel: Scores, limit: int | None = None, **others: Any) -> Array:
    """The rows of a panel, or of some of its tasks, that may have an identical one, whatever that is told by."""
    every = np.arange(len(panel))
    ways = ["repeats", *(by for by, column in NAMED.items() if column in panel.labels)]
    return np.unique(np.concatenate([identical(panel, every, by, limit)[0] for by in ways]))


def _clearly_worse(design: ScoreDesign, core: Any, *, level: str, **others: Any) -> dict[str, list[Any]]:
    """Somebody is always the least consistent: only who is clearly so, by a permutation test, is flagged."""
    units = design.scores
    if level != "interval" or not core.options.resamples:
        return {}
    panel = cast(Scores, units.panel)
    cells = keys(panel.judge, panel.task, _years(panel))[units.row]
    chance = (1 - core.options.level) / len(criteria(panel))  # of naming anybody wrongly on any criterion
    alphas = _by_judge(units, level)(np.ones((1, units.size)))[0]
    p, named = core.clearly_worse(*_inside(units, cells), len(alphas), chance)
    flags = named & (alphas < others_median(alphas))  # who differs more but has no lower alpha is not named
    return {"p": [None if math.isnan(x) else x for x in p.tolist()], "flag": flags.tolist()}


def _by_year(design: ScoreDesign, core: Any, *, level: str, **others: Any) -> list[dict[str, Any]]:
    """A row per judge and year, of the scores as they are; none where there are no years."""
    units, panel = design.scores, cast(Scores, design.scores.panel)
    if "year" not in panel.labels:
        return []
    years, alpha = units.label("year"), table.parse(f"alpha(level={level})", "scores", "agreement")
    out = []
    for j, rows in enumerate(units.by_judge()):
        for code, year in enumerate(years.ids):
            mine = rows[years.codes[rows] == code]
            if len(mine):
                part = _alone(replace(units.taken(mine), value=panel.value[cast(Array, units.row)[mine]]))
                found = core.estimate(alpha, ScoreDesign.around(part))
                between = found.ends
                row = {"judge": panel.judges[j], "year": year, "value": found.value, "units": part.size}
                out.append({**row, "interval": between})
    return out


@method(
    "scores",
    "judges",
    "self_consistency",
    range=(-math.inf, 1),
    higher="more consistent",
    chance="0",
    default=True,
    reference="Owczarzak, Rankel, Dang, Conroy 2012",
    parameters={
        "same": choice(
            "identical outputs are told by repeats, text, or id (column output)", "auto", "repeats", "text", "id"
        ),
        "limit": whole("words that the judges saw of each text; the rest is cut off", optional=True),
        "level": LEVEL,
        "scale": Parameter(
            "ends of the scale, low:high; where years differ, of each: 2009=1:5 2010=1:10", "text", optional=True
        ),
    },
    prepare=identical_units,
    prepared_from=identical_rows,
    more=_clearly_worse,
    rows=_by_year,
    keys=("year",),
    note=Note(
        "Does a judge give the same score to the same thing again? Plant duplicates for it.",
        "Few units give wide intervals, and one value throughout is undefined, not perfect. Years are pooled as they "
        "are: where their scales differ, scale= or columns scale_low and scale_high tell them.",
        "alpha over units of identical outputs scored by the judge on one task",
    ),
)
def self_consistency(
    units: Units, *, same: str = "auto", limit: int | None = None, level: str = "interval", scale: str | None = None
) -> Coefficient:
    """Alpha of a judge with himself over identical outputs scored on the same task; ``units`` are groups of these."""
    panel = cast(Scores, units.panel)
    raw, own = panel.value[cast(Array, units.row)], units.by_judge()
    count = np.array([len(np.unique(units.unit[mine])) for mine in own], np.int64)
    details: dict[str, list[Any]] = {
        "units": count.tolist(),
        "same": [how(panel, same)] * len(count),
        "variation": [bool((raw[mine] != raw[mine[:1]]).any()) for mine in own],
    }
    years = len(np.unique(_years(panel).codes[cast(Array, units.row)]))
    declared = scale is not None or set(DECLARED) <= {*panel.labels}
    about = {"rescaled": on_one_scale(panel, scale) is not None, "years": years, "declared": declared}
    return Coefficient(_by_judge(units, level), units.size, details, rests={"items": count}, about=about)


def _by_judge(units: Units, level: str) -> Any:
    """``weights[draw, unit] -> alpha[draw, judge]``: every unit belongs to one judge."""
    parts = [(np.unique(units.unit[mine]), coefficient(_alone(units.taken(mine)), level)) for mine in units.by_judge()]

    def of(weights: Array) -> Array:
        return np.stack([found.of(weights[:, mine]) for mine, found in parts], axis=1)

    return of


def _alone(units: Units) -> Units:
    """Rows of one judge as units of their own, numbered from 0."""
    return units.some(np.unique(units.unit))


def own_alphas(units: Units) -> Array:
    """Interval alpha of each judge's repeats on one criterion, NaN where there are none or nothing varies.

    >>> from quorate.panel.units import by_criterion
    >>> panel = Scores.build({"judge": ["a"] * 4, "item": list("xyzw"), "text": list("ppqq"), "score": [1, 1, 5, 5]})
    >>> own_alphas(by_criterion(panel)[0]).tolist()
    [1.0]
    """
    found = identical_units(units)
    return np.asarray(_by_judge(found, "interval")(np.ones((1, found.size)))[0])


def _inside(units: Units, cell: Array) -> tuple[Array, Array]:
    """How many units each judge has on each task and how much these differ inside, by minus their ranks among all
    units, summed, ``[cell, 2]``; and the judge of each cell.

    Ranks, so that one large slip names nobody; and not alpha itself, which is low, through no fault of the judge, where
    the tasks of a judge are much alike. What a judge did on a task stays together; where judges had one task each,
    units do.
    """
    _, first = np.unique(units.unit, return_index=True)
    parts = units.sums().parts()
    differs = quotient(parts[:, 0], parts[:, 1])
    rank = reliability.mid_ranks(np.round(differs / units.spread**2, 9))
    whose, place = units.judge[first], np.unique(cell[first], return_inverse=True)[1].ravel()
    if int(place.max(initial=-1)) + 1 < 2 * len(np.unique(whose)):
        place = np.arange(len(first))
    _, start = np.unique(place, return_index=True)
    return np.stack([np.bincount(place), np.bincount(place, -rank)], axis=1), whose[start]


def how(panel: Scores, same: str) -> str:
    """What identity is told by: as asked, or repeats where there are some, else text, else id."""
    if same != "auto":
        if same in NAMED and NAMED[same] not in panel.labels:
            raise InputError(f"no column '{NAMED[same]}'.", f"--rename OLD={NAMED[same]} takes another column for it.")
        return same
    if panel.occasion.ids == (1,):
        return next((by for by, column in NAMED.items() if column in panel.labels), "repeats")
    return "repeats"


def identical(panel: Scores, rows: Array, by: str, limit: int | None) -> tuple[Array, Array]:
    """Of these rows those that have an identical one by the same judge on the same task; and their unit."""
    if by == "repeats":
        known, code = np.unique(unit_keys(panel), return_inverse=True)
        same = Coded(tuple(range(len(known))), narrow(code.ravel(), len(known)))
    else:
        same = panel.labels[NAMED[by]]
        same = texts(same, limit) if by == "text" else same
    rows = rows[np.array([i is not None for i in same.ids], bool)[same.codes[rows]]]
    more = [panel.labels["year"]] if "year" in panel.labels else []
    _, group, size = np.unique(
        keys(panel.judge, panel.task, same, *more)[rows], return_inverse=True, return_counts=True
    )
    again = size[group.ravel()] > 1
    return rows[again], group.ravel()[again]


def texts(text: Coded, limit: int | None = None) -> Coded:
    """Texts as judges saw them: line ends and runs of blanks made alike, cut after so many words.

    >>> texts(Coded(("a b\\n c", "a  b d", None), np.array([0, 1, 2])), 2).ids
    ('a b', None)
    """
    clean: dict[str | None, int] = {}
    code = [clean.setdefault(None if t is None else " ".join(str(t).split()[:limit]), len(clean)) for t in text.ids]
    return Coded(tuple(clean), narrow(np.array(code, np.int64)[text.codes], len(clean)))


def _years(panel: Scores) -> Coded:
    """The year of every row; one where there is no such column."""
    return panel.labels.get("year", Coded((None,), np.zeros(len(panel), np.uint8)))


def on_one_scale(panel: Scores, scale: str | None = None) -> Array | None:
    """The scores brought to 0 to 1 where ``scale``, or else columns ``scale_low`` and ``scale_high``, declare different
    scales; else None.

    What is declared counts, never the lowest and highest score that somebody happened to give.
    """
    if scale is not None:
        low, high = _ends(panel, scale)
    elif set(DECLARED) <= panel.labels.keys():
        low, high = (_numbers(panel.labels[name], name)[panel.labels[name].codes] for name in DECLARED)
    else:
        return None
    if not (high > low).all() or (panel.value < low).any() or (panel.value > high).any():
        raise InputError("a score lies outside the scale that is declared for it.", "low <= score <= high.")
    return None if np.ptp(low) == 0 and np.ptp(high) == 0 else np.asarray((panel.value - low) / (high - low))


def _ends(panel: Scores, scale: str) -> tuple[Array, Array]:
    """The ends of the scale of every row, as written: of all, or year by year."""
    years, ends = _years(panel), dict[str, tuple[float, float]]()
    try:
        for word in scale.split():
            year, _, both = word.rpartition("=")
            low, high = both.split(":")
            ends[year] = float(low), float(high)
    except ValueError:
        raise BadParameter(f"scale={scale} is no scale.", "write low:high, or 2009=1:5 2010=1:10.") from None
    named = [str(year) if year is not None else "" for year in years.ids]
    if missing := [year for year in named if year not in ends and "" not in ends]:
        raise BadParameter(f"scale={scale} tells nothing of {missing[0]}.", "give the scale of every year.")
    found = np.array([ends.get(year) or ends[""] for year in named])[years.codes]
    return found[:, 0], found[:, 1]


def _numbers(label: Coded, name: str) -> Array:
    try:
        return np.array([float(str(i)) for i in label.ids])
    except ValueError:
        raise InputError(f"column {name} holds what is no number.", "it ends the scale of a row.") from None
