"""Which features, by which fit? Every small subset is fitted on one year and judged on the next.

The choice is the subset and fit whose predictions correlate best with the judges' scores of systems on the second year.
It is then fitted again on the second year: that is the metric. A third year tells how good it is.

Would other tasks have led to the same choice? For that the second year's tasks are resampled and the fits stay as they
are. Pearson's correlation of a line with the scores needs only the features' covariances, which are few; so that all
candidates are judged on all draws at once, and not one draw after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError, suggest
from quorate.inference.weights import drawn, stream
from quorate.kernels.correlations import COEFFICIENTS, correlate
from quorate.kernels.streams import samples
from quorate.summaries.declarations import METRIC
from quorate.summaries.trained.features import FEATURES
from quorate.summaries.trained.fits import FITS, orientation
from quorate.summaries.trained.year import Sheet

Array = NDArray[Any]
SIZE, BUDGET = 3, 4000
ENOUGH = 5  # systems for each feature
FLAT = 1e-9
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Prepared:
    """Rows to fit on: standardised features of some columns, responses, and what they were standardised by."""

    names: tuple[str, ...]
    mean: Array
    deviation: Array
    x: Array  # [row, feature]
    y: Array  # [row, criterion]
    criteria: tuple[str, ...]
    better: Array  # [feature] 1 or -1
    dropped: tuple[str, ...]  # features that are missing or do not vary here
    left: int  # rows left aside because something is missing


@dataclass(frozen=True, eq=False)
class Candidates:
    """Fitted lines: which fit, which features, and their coefficients; smaller subsets first."""

    fit: tuple[str, ...]
    subset: tuple[tuple[int, ...], ...]
    intercept: Array
    coefficients: Array  # [candidate, feature] 0 where a feature is not in the subset
    settled: Array  # [candidate] whether its fit has converged
    value: Array  # [candidate] correlation on the second year


@dataclass(frozen=True, eq=False)
class Found:
    """What the search chose, among how many, and how it stands on the year it was chosen on."""

    target: str
    fit: str
    features: tuple[str, ...]
    value: float
    candidates: Candidates
    prepared: Prepared
    level: str
    coefficient: str
    responses: tuple[str, ...]  # what canonical correlation looked at together
    complete: bool  # whether every subset was tried
    notes: tuple[str, ...]


def subsets(features: int, size: int, budget: int, seed: int = 0) -> tuple[list[Array], bool]:
    """Subsets of at most ``size`` of the features, arrays of equal size; within a budget, the small ones first.

    The size that does not fit any more is drawn at random. Second: whether that was needed not at all.

    >>> [len(s) for s in subsets(5, 2, 100)[0]], subsets(5, 2, 8)[1]
    ([5, 10], False)
    """
    METRIC["size"].check(size)
    METRIC["budget"].check(budget)
    out: list[Array] = []
    for k in range(1, min(size, features) + 1):
        number = math.comb(features, k)
        if number <= budget:
            out.append(np.array(list(combinations(range(features), k)), np.int64))
            budget -= number
            continue
        if budget:
            rng = stream(seed, "subsets", features, k)
            some: set[bytes] = set()  # numbers whose bytes sort as they do
            while len(some) < budget:
                rows = samples(rng, features, k, budget - len(some)).astype(">u4")
                some.update(rows.view(f"V{4 * k}").ravel().tolist())
            out.append(np.frombuffer(b"".join(sorted(some)), ">u4").reshape(-1, k).astype(np.int64))
        return out, False
    return out, True


def prepare(
    sheet: Sheet,
    target: str,
    level: str,
    names: Sequence[str] | None = None,
    responses: Sequence[str] | None = None,
) -> Prepared:
    """The rows of a sheet to fit on: systems' means, or single summaries; ``y`` has the responses, by default all."""
    METRIC["level"].check(level)
    wanted = list(sheet.features if names is None else names)
    x = sheet.x[:, :, [sheet.features.index(n) for n in wanted]]
    there = np.asarray(~np.isnan(x).all(axis=(0, 1)))
    criteria = sheet.criteria if responses is None else tuple(responses)
    scores = sheet.y[:, :, [sheet.criterion(c) for c in criteria]]
    scored = ~np.isnan(scores).any(axis=2)
    cells = np.asarray(~np.isnan(x[:, :, there]).any(axis=2) & scored)
    rows, y = (means(t, cells) if level == "system" else t[cells] for t in (x, scores))
    left = int((scored & ~cells).sum())
    mean, deviation = np.zeros(len(wanted)), np.zeros(len(wanted))
    if len(rows):
        mean[there], deviation[there] = rows[:, there].mean(axis=0), rows[:, there].std(axis=0)
    use = there & (deviation > FLAT * np.maximum(np.abs(mean), 1e-6))
    if not use.any() or len(rows) < 3:
        raise InputError(f"{sheet.year}, {sheet.part}: nothing to fit.", "three systems and a feature that varies.")
    kept = [n for n, u in zip(wanted, use, strict=True) if u]
    mean, deviation = mean[use], deviation[use]
    x = (rows[:, use] - mean) / deviation
    declared = np.array([FEATURES[n].better for n in kept])
    better = orientation(x, y[:, criteria.index(target)], declared)
    gone = tuple(n for n, u in zip(wanted, use, strict=True) if not u)
    return Prepared(tuple(kept), mean, deviation, x, y, criteria, better, gone, left)


def means(table: Array, cells: Array, times: Array | None = None) -> Array:
    """Systems' means over the cells that are there, ``[system, column]``; systems without any are left out."""
    weight = cells.astype(float) if times is None else cells * times[:, None]
    total = np.einsum("ts,tsc->sc", weight, np.where(cells[:, :, None], np.nan_to_num(table), 0.0))
    number = weight.sum(axis=0)
    return np.asarray(total[number > 0] / number[number > 0][:, None])


def search(
    first: Sheet,
    second: Sheet,
    target: str,
    *,
    fits: Sequence[str] = tuple(FITS),
    size: int = SIZE,
    budget: int = BUDGET,
    level: str = "system",
    coefficient: str = "pearson",
    responses: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Found:
    """Fit every subset on the first year, and choose by the second. ``budget`` is the number of subsets at most.

    ``responses`` are what canonical correlation looks at together, the target among them; by default all criteria that
    are scored wherever the target is.
    """
    _check(target, fits, coefficient, responses, first.criteria)
    together = _together(target, first, second) if responses is None else tuple(responses)
    here = prepare(first, target, level, None, together)
    known = np.asarray(~np.isnan(second.x).all(axis=(0, 1)))
    both = [n for n in here.names if known[second.features.index(n)]]
    gone, only = here.dropped, [n for n in here.names if n not in both]
    if only:
        if not both:
            raise InputError(
                f"{second.year}, {second.part}: nothing that {first.year} has.", "give both what features need."
            )
        here = prepare(first, target, level, both, together)
    tried, complete = subsets(len(here.names), size, budget, seed)
    x, y = on_second(second, here, target)
    candidates = _fitted(here, tried, target, fits, progress)
    value = correlate(candidates.intercept[:, None] + candidates.coefficients @ x.T, y, coefficient)
    best = best_of(value)
    columns = candidates.subset[best]
    names = tuple(here.names[c] for c in columns)
    notes = [*first.notes, *second.notes]
    notes += [f"{first.year}, {first.part}: missing or the same throughout: {', '.join(gone)}"] if gone else []
    notes += [f"{second.year}, {second.part}: missing: {', '.join(only)}"] if only else []
    notes += _notes(first, here, tried, complete, len(x), len(names), level)
    scored = replace(candidates, value=value)
    unsettled = int((~candidates.settled).sum())
    notes += [f"{unsettled:,} of {len(value):,} fits have not converged"] if unsettled else []
    about = (target, candidates.fit[best], names, float(value[best]))
    return Found(*about, scored, here, level, coefficient, together, complete, tuple(dict.fromkeys(notes)))


def _together(target: str, *sheets: Sheet) -> tuple[str, ...]:
    """The criteria that every summary with a score for the target has too, on all sheets."""
    out = []
    for name in sheets[0].criteria:
        pairs = [
            (s.y[:, :, s.criterion(target)], s.y[:, :, s.criteria.index(name)]) for s in sheets if name in s.criteria
        ]
        if len(pairs) == len(sheets) and not any((~np.isnan(a) & np.isnan(b)).any() for a, b in pairs):
            out.append(name)
    return tuple(out)


def on_second(second: Sheet, here: Prepared, target: str, times: Array | None = None) -> tuple[Array, Array]:
    """Systems' means on the second year: features standardised as on the first, and the judges' scores."""
    x = second.x[:, :, [second.features.index(n) for n in here.names]]
    y = second.y[:, :, [second.criterion(target)]]
    cells = ~np.isnan(x).any(axis=2) & ~np.isnan(y[:, :, 0])
    return (means(x, cells, times) - here.mean) / here.deviation, means(y, cells, times)[:, 0]


def _fitted(
    here: Prepared,
    tried: list[Array],
    target: str,
    fits: Sequence[str],
    progress: Progress | None,
) -> Candidates:
    number = here.criteria.index(target)
    fit: list[str] = []
    columns: list[tuple[int, ...]] = []
    found = []
    total, done = sum(map(len, tried)) * len(fits), 0
    for some in tried:
        every = [tuple(subset) for subset in some.tolist()]
        for name in fits:
            columns += every
            for part in _parts(some):
                made = FITS[name](here.x, here.y, number, part, here.better)
                wide = np.zeros((len(part), here.x.shape[1]))
                np.put_along_axis(wide, part, made.coefficients, axis=1)
                found.append((made.intercept, wide, made.settled))
                fit += [name] * len(part)
                done += len(part)
                if progress:
                    progress("fits", done, total)
    intercept, lines, settled = (np.concatenate(some) for some in zip(*found, strict=True))
    return Candidates(tuple(fit), tuple(columns), intercept, lines, settled, np.empty(0))


def _parts(some: Array, step: int = 500) -> Iterator[Array]:
    return (some[a : a + step] for a in range(0, len(some), step))


def best_of(value: Array) -> int:
    """The first of the best: what differs by rounding only is a tie, and the smaller subset is taken."""
    if np.isnan(value).all():
        raise InputError("no fit predicts anything on the second year.", "its scores or features do not vary.")
    return int(np.nanargmax(np.round(value, 10)))


def _check(
    target: str, fits: Sequence[str], coefficient: str, responses: Sequence[str] | None, criteria: Sequence[str]
) -> None:
    for what, given, allowed in (
        ("criterion", [target, *(responses or ())], criteria),
        ("fit", fits, tuple(FITS)),
        ("coefficient", [coefficient], COEFFICIENTS),
    ):
        for one in given:
            if one not in allowed:
                raise BadParameter(f"no {what} '{one}'.", suggest(one, allowed))
    if (responses is not None and target not in responses) or not fits:
        raise BadParameter("the target is not among the responses, or there is no fit.", "responses include it.")


def _notes(
    first: Sheet, here: Prepared, tried: list[Array], complete: bool, systems: int, size: int, level: str
) -> Iterator[str]:
    if here.left:
        yield f"{first.year}, {first.part}: {here.left:,} summaries lack a feature and are left aside"
    if not complete:
        yield f"the budget ends with {sum(map(len, tried)):,} subsets; larger ones were drawn at random or not tried"
    rows = len(here.x) if level == "system" else systems
    if min(systems, rows) < ENOUGH * size:
        yield f"{min(systems, rows)} systems for {size} features are few: at least {ENOUGH * size} are wanted"


ROUNDING = 1e-12  # a variance below this share of its parts is rounding


def stability(found: Found, second: Sheet, draws: int = 200, seed: int = 0) -> dict[str, Any]:
    """How often the same choice is made when the second year's tasks are resampled; the fits stay as they are.

    ``same`` is the share of draws that choose the same features and fit, ``features`` of those that choose each
    feature, ``value`` the mean of what the choice itself reaches.
    """
    rng = stream(seed, "stability", second.year, second.part, second.population, found.target)
    lines = found.candidates
    columns = tuple(found.prepared.names.index(n) for n in found.features)
    best = next(k for k, s in enumerate(lines.subset) if s == columns and lines.fit[k] == found.fit)
    tasks = len(second.tasks)
    times = drawn(tasks, draws, rng)
    value = _pearson(found, second, times) if found.coefficient == "pearson" else _others(found, second, times)
    value = value[~np.isnan(value).all(axis=1)]
    top = [best_of(v) for v in value]
    often = np.zeros(len(found.prepared.names))
    for k in top:
        often[list(lines.subset[k])] += 1
    n = max(len(top), 1)
    named = zip(found.prepared.names, (often / n).tolist(), strict=True)
    shares = dict(sorted(((k, v) for k, v in named if v), key=lambda p: (-p[1], p[0])))
    mean = float(np.mean(value[:, best])) if len(top) else math.nan
    return {"draws": len(top), "same": top.count(best) / n, "features": shares, "value": mean}


def _others(found: Found, second: Sheet, times: Array) -> Array:
    """Any coefficient of every candidate on every draw, ``[draw, candidate]``."""
    lines, out = found.candidates, []
    for some in times:
        x, y = on_second(second, found.prepared, found.target, some)
        out.append(correlate(lines.intercept[:, None] + lines.coefficients @ x.T, y, found.coefficient))
    return np.stack(out)


def _pearson(found: Found, second: Sheet, times: Array) -> Array:
    """Pearson's correlation of every candidate on every draw, ``[draw, candidate]``."""
    lines = found.candidates.coefficients
    out = []
    for square, cross, own in zip(*_covariances(found, second, times), strict=True):
        spread, parts = (((c @ s) * c).sum(axis=1) for c, s in ((lines, square), (np.abs(lines), np.abs(square))))
        defined = (spread > ROUNDING * parts) & (own > 0)
        root = np.sqrt(np.where(defined, spread * own, 1.0))
        out.append(np.where(defined, np.clip(lines @ cross / root, -1, 1), np.nan))
    return np.stack(out)


def _covariances(found: Found, second: Sheet, times: Array) -> tuple[Array, Array, Array]:
    """Of features with one another, with the scores, and of the scores: ``[draw, feature, feature]`` and so on."""
    here = found.prepared
    x = second.x[:, :, [second.features.index(n) for n in here.names]]
    y = second.y[:, :, second.criterion(found.target)]
    cells = ~np.isnan(x).any(axis=2) & ~np.isnan(y)
    number = times @ cells.astype(float)  # [draw, system]
    there = number > 0
    both = np.concatenate([(x - here.mean) / here.deviation, y[:, :, None]], axis=2)
    total = np.tensordot(times, np.where(cells[:, :, None], both, 0.0), axes=1)  # [draw, system, column]
    mean = np.divide(total, number[:, :, None], out=np.zeros(total.shape), where=there[:, :, None])
    centre = mean.sum(axis=1, keepdims=True) / np.maximum(there.sum(axis=1), 1)[:, None, None]
    mean = np.where(there[:, :, None], mean - centre, 0.0)
    every = mean.transpose(0, 2, 1) @ mean
    return every[:, :-1, :-1], every[:, :-1, -1], every[:, -1, -1]
