"""Does a judge give the same output the same score? Alpha over identical outputs that one judge scored on one task.

Identical are: the same item again (occasions, or repeated runs of a model), outputs with the same text once line ends
and runs of blanks are made alike (and the text is cut to the word limit that judges saw), or outputs with the same id
in a column ``output``. Three copies are one unit of three values, not three pairs. The method of Owczarzak and others
(2012), Table 1; they give no intervals, and with 30 to 60 units a judge these are wide.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.inference.resample import centred, stream
from quorate.inference.results import Options
from quorate.inference.weights import drawn
from quorate.kernels import reliability
from quorate.kernels.clearly_worse import clearly_worse, mean_of_sums
from quorate.panel.columns import Coded, keys, narrow
from quorate.panel.kinds import Scores
from quorate.panel.score_design import Coefficient
from quorate.panel.units import Units, criteria, rows_of, unit_keys
from quorate.scores.alpha import LEVEL, coefficient
from quorate.scores.judged import Judged, others_median
from quorate.scores.systems import divided
from quorate.table import choice, method, whole

Array = NDArray[Any]
NAMED = {"text": "text", "id": "output"}  # what identity is by, and the label column that it needs


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
    },
)
def self_consistency(
    panel: Scores,
    units: Units,
    options: Options,
    *,
    same: str = "auto",
    limit: int | None = None,
    level: str = "interval",
) -> Judged:
    """Alpha of a judge with himself over identical outputs scored on the same task.

    Somebody is always the least consistent: only who is clearly so, by a permutation test, is flagged.
    """
    by = how(panel, same)
    rows = next(rows for name, rows in criteria(panel) if name == units.criterion)
    rows, group = identical(panel, rows, by, limit)
    years, rescaled = _years(panel, rows)
    value, squeezed = panel.value[rows], rescaled[rows] if rescaled is not None else panel.value[rows]
    judge = panel.judge.codes[rows]
    values, ends, count, finer = [], [], [], []
    own = rows_of(judge, len(panel.judges))
    for name, mine in zip(panel.judges, own, strict=True):
        found = _coefficient(group[mine], squeezed[mine], level)
        rng = stream(options.seed, "self consistency", units.criterion, name, level)
        values.append(found.value)
        ends.append(_interval(found, rng, options))
        count.append(found.size)
        for code, year in enumerate(years.ids):
            some = mine[years.codes[rows[mine]] == code]
            if len(some):
                part = _coefficient(group[some], value[some], level)
                rng = stream(options.seed, "self consistency", units.criterion, name, level, year)
                around = _interval(part, rng, options)
                finer.append(_row(name, year, part, around))
    whole_panel = np.array(values)
    details: dict[str, list[Any]] = {
        "units": count,
        "same": [by] * len(count),
        "variation": [bool((value[mine] != value[mine[:1]]).any()) for mine in own],
    }
    flags = None
    if level == "interval" and options.resamples:
        cells = keys(panel.judge, panel.task, years)[rows]
        rng = stream(options.seed, "clearly worse", units.criterion, level)
        chance = (1 - options.level) / len(criteria(panel))  # of naming anybody wrongly on any criterion
        p, flags = _stands_out(judge, cells, group, squeezed, whole_panel, rng, chance)
        details["p"] = [None if math.isnan(x) else x for x in p.tolist()]
    notes = _notes(panel, by, count, whole_panel, rescaled is not None)
    return Judged(whole_panel, -whole_panel, ends, details, flags, finer if "year" in panel.labels else None, notes)


def _interval(found: Coefficient, rng: np.random.Generator, options: Options) -> Any:
    if found.size < 2 or math.isnan(found.value):
        return None
    often = drawn(found.size, options.resamples, rng)
    return centred(found.value, found.of(often), options.level, "units", found.size, (-math.inf, 1.0))


def _stands_out(
    judge: Array, cell: Array, group: Array, value: Array, alphas: Array, rng: np.random.Generator, level: float
) -> tuple[Array, Array]:
    """P values and who is clearly less consistent: whose units differ more inside, by mean rank among all units.

    Ranks, so that one large slip names nobody; and not alpha itself, which is low, through no fault of the judge, where
    the tasks of a judge are much alike. Who differs more but has no lower alpha than the others is not named. What a
    judge did on a task is shuffled together; where judges had one task each, units are.
    """
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    parts = reliability.sums(unit.ravel(), value, len(first)).parts()
    differs = np.round(divided(parts[:, 0], parts[:, 1]), 12)
    rank = reliability.mid_ranks(differs)
    whose, place = judge[first].astype(np.int64), np.unique(cell[first], return_inverse=True)[1].ravel()
    if int(place.max(initial=-1)) + 1 < 2 * len(np.unique(whose)):
        place = np.arange(len(first))
    _, start = np.unique(place, return_index=True)
    sums = np.stack([np.bincount(place), np.bincount(place, -rank)], axis=1)
    p, named = clearly_worse(sums, whose[start], len(alphas), mean_of_sums, rng, level)
    return p, named & (alphas < others_median(alphas))


def _row(judge: Hashable, year: Hashable, found: Coefficient, ends: Any) -> dict[str, Any]:
    between = None if ends is None else [ends.low, ends.high]
    return {"judge": judge, "year": year, "value": found.value, "units": found.size, "interval": between}


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


def _coefficient(group: Array, value: Array, level: str) -> Coefficient:
    _, unit = np.unique(group, return_inverse=True)
    unit = unit.ravel()
    order = np.argsort(unit, kind="stable")
    size = int(unit.max(initial=-1)) + 1
    nobody, nowhere = np.zeros(len(unit), np.int64), np.zeros(size, np.int64)
    units = Units(unit[order], nobody, value[order], size, ("",), nowhere, np.arange(size))
    found: Coefficient = coefficient(units, level)
    return found


def _years(panel: Scores, rows: Array) -> tuple[Coded, Array | None]:
    """The years, and where their scales differ all scores brought to 0 to 1 by the year's lowest and highest score."""
    if "year" not in panel.labels:
        return Coded((None,), np.zeros(len(panel), np.uint8)), None
    years = panel.labels["year"]
    criterion = panel.labels["criterion"].codes if "criterion" in panel.labels else np.zeros(len(panel), np.int64)
    group = criterion.astype(np.int64) * len(years.ids) + years.codes
    size = int(group.max(initial=0)) + 1
    low, high = np.full(size, math.inf), np.full(size, -math.inf)
    there = ~np.isnan(panel.value)
    np.minimum.at(low, group[there], panel.value[there])
    np.maximum.at(high, group[there], panel.value[there])
    used = np.unique(group[rows])
    if len(used) < 2 or (np.ptp(low[used]) < 1e-12 and np.ptp(high[used]) < 1e-12):
        return years, None
    span = np.where(high > low, high - low, 1.0)
    return years, np.asarray((panel.value - low[group]) / span[group])


def _notes(panel: Scores, by: str, count: list[int], values: Array, rescaled: bool) -> list[str]:
    notes = []
    if not any(count):
        return [
            "self_consistency: no judge scored identical outputs of a task (repeats, equal texts, or a column output)"
        ]
    flat = [str(panel.judges[j]) for j in np.flatnonzero(np.isnan(values)).tolist() if count[j]]
    if flat:
        notes.append(f"self_consistency: no variation, so no alpha: {', '.join(flat)} gave all copies one score")
    if rescaled:
        notes.append("self_consistency: scales differ by year; pooled figures are of scores brought to 0 to 1")
    few = sum(1 for c in count if 0 < c < 30)
    if few:
        notes.append(f"self_consistency: {few} judges have fewer than 30 units: see the intervals")
    return notes
