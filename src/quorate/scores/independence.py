"""Are the judges independent? Near-duplicates, errors made together, and how many independent judges a panel is worth.

An error is a judge's score less the mean of a reference: the humans where ``judge_kind`` tells them, else the judges
other than the two compared. The reference's own noise, which would pass for a shared error, is taken out. Without
humans an error that all judges share cannot be seen.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels import reliability as kernel
from quorate.panel.coefficient import Coefficient
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units, kinds
from quorate.table import Note, method, share

Array = NDArray[Any]
TYPICAL = 0.8  # where two judges usually agree more often than this, equal scores tell nothing
ALL = 5000  # judges whose scores are compared, two by two
ENOUGH = 5  # shared units, of fewer nothing is said of two judges
MOST = 200  # judges whose errors are compared, two by two
SAMPLE = (0, 341789940)  # the same judges whatever the seed: they are part of the formula


def _nearest(units: Units) -> tuple[Array, Array, Array, Array]:
    """``[judge, judge]`` shares of equal scores (NaN of too few), who is most alike, equal scores and shared units."""
    if len(units.judges) > ALL:
        raise LimitReached(
            f"{len(units.judges):,} judges are too many to compare two by two.", f"at most {ALL:,}: leave some out."
        )
    same, both = equal_scores(units)
    rate = np.divide(same, both, out=np.full(same.shape, math.nan), where=both >= ENOUGH)
    np.fill_diagonal(rate, math.nan)
    return rate, np.argmax(np.where(np.isnan(rate), -1.0, rate), axis=1), same, both


def _equal_shares(design: ScoreDesign, core: Any, **others: Any) -> dict[str, list[Any]]:
    """Wilson's interval of the share of equal scores."""
    rate, nearest, same, both = _nearest(design.scores)
    ends = [
        core.share(int(same[j, k]), int(both[j, k])) if not math.isnan(rate[j, k]) else None
        for j, k in enumerate(nearest.tolist())
    ]
    return {"interval": ends}


@method(
    "scores",
    "judges",
    "copies",
    range=(0, 1),
    higher="more like another judge",
    parameters={"least": share("share of equal scores from which two judges are called near-duplicates")},
    sign=-1,
    everyone=True,
    more=_equal_shares,
    note=Note(
        "Copied work, doubled accounts, or two names of one model.",
        "With few values on the scale honest judges are often equal: look at the number of shared units.",
        "largest share of equal scores with another judge",
    ),
)
def copies(units: Units, *, least: float = 0.95) -> Coefficient:
    """Share of equal scores with the judge most alike, on the units that both scored."""
    rate, nearest, _, both = _nearest(units)
    judges = np.arange(len(rate))
    values = rate[judges, nearest]
    known = rate[np.isfinite(rate)]
    others = known[known < least]
    varies = np.array([len(np.unique(units.value[rows])) > 1 for rows in units.by_judge()])
    # Where everybody agrees with everybody that is agreement, not copying.
    told = len(others) > 0 and float(np.median(others)) < TYPICAL
    defined = np.isfinite(values)
    details: dict[str, list[Any]] = {
        "nearest": [units.judges[k] if d else None for k, d in zip(nearest.tolist(), defined.tolist(), strict=True)],
        "units": np.where(defined, both[judges, nearest], 0).astype(int).tolist(),
        "median_pair": [float(np.median(known)) if len(known) else math.nan] * len(rate),
        "flag": ((values >= least) & varies & told).tolist(),
    }
    return Coefficient(lambda weights: np.tile(values, (len(weights), 1)), units.size, details)


def equal_scores(units: Units) -> tuple[Array, Array]:
    """``[judge, judge]``: units that both gave the same score, and units that both scored."""
    from scipy.sparse import csr_array

    judges = len(units.judges)
    known, code = kernel.codes(units.value)
    _, cell = np.unique(units.unit * np.int64(max(len(known), 1)) + code, return_inverse=True)
    one = np.ones(len(units))
    size = int(cell.max(initial=-1)) + 1
    at_value = csr_array((one, (units.judge, cell.ravel())), shape=(judges, size))
    at_unit = csr_array((one, (units.judge, units.unit)), shape=(judges, max(units.size, 1)))
    return (at_value @ at_value.T).toarray(), (at_unit @ at_unit.T).toarray()


def _effective(design: ScoreDesign, core: Any) -> dict[str, list[Any]]:
    """The interval of the effective number of judges, over units drawn with replacement."""
    units, judges = design.scores, len(design.judges)
    of, humans, _ = _compared(units)
    pairs = _pairs(units, of, humans)
    around = None
    if pairs:
        value = float(_worth(pairs, np.ones((1, units.size)), len(of))[0])
        often = core.drawn(units.size, 8 * sum(len(unit) for _, _, unit, _ in pairs))
        around = core.interval(value, _worth(pairs, often, len(of)), "items", units.size, (1.0, float(len(of))))
    return {
        "effective_interval": [around and [around.low, around.high]] * judges,
        "interval": [None] * judges,
    }


def _compared(units: Units) -> tuple[Array, Array | None, bool]:
    """The judges whose errors are compared, the humans they are measured against, where there are any, and whether
    the judges are only some."""
    humans, of = None, np.arange(len(units.judges))
    if units.panel is not None and "judge_kind" in units.panel.labels:
        humans, of = kinds(units.panel)
    if len(of) > MOST:
        return np.sort(np.random.default_rng(SAMPLE).choice(of, MOST, replace=False)), humans, True
    return of, humans, False


@method(
    "scores",
    "judges",
    "independence",
    range=(-1, 1),
    higher="errors shared with the other judges",
    chance="0",
    reference="effective number of judges: Kish 1965",
    sign=-1,
    everyone=True,
    more=_effective,
    note=Note(
        "Several models as judges: how many independent opinions are they worth?",
        "Without human judges errors are taken against the other judges, so a panel that errs as one looks "
        "independent.",
        "r = mean correlation of the judge's errors with those of the others, an error being a score less the mean "
        "of the humans (without them: of the judges not compared); effective number of judges N / (1 + (N - 1) mean "
        "r)",
    ),
)
def independence(units: Units) -> Coefficient:
    """Mean correlation of a judge's errors with those of the other judges; the panel's effective number of judges."""
    of, humans, sampled = _compared(units)
    pairs = _pairs(units, of, humans)
    one = np.ones((1, units.size))
    r = np.full((len(units.judges),) * 2, math.nan)
    for a, b, unit, features in pairs:
        r[a, b] = r[b, a] = error_correlation(one[:, unit] @ features)[0]
    known = np.isfinite(r)
    count = known.sum(axis=1)
    values = np.divide(np.where(known, r, 0).sum(axis=1), count, out=np.full(len(r), math.nan), where=count > 0)
    details: dict[str, list[Any]] = {
        "pairs": count.tolist(),
        "panel": [len(of)] * len(r),
        "against": ["humans" if humans is not None else "other judges"] * len(r),
        "effective_judges": [float(_worth(pairs, one, len(of))[0]) if pairs else math.nan] * len(r),
    }
    about = {"humans": humans is not None, "pairs": len(pairs), "sampled": sampled}
    return Coefficient(lambda weights: np.tile(values, (len(weights), 1)), units.size, details, about=about)


def _pairs(units: Units, of: Array, humans: Array | None) -> list[tuple[int, int, Array, Array]]:
    """Of every two judges: shared units with a reference of at least two values, and what their errors add up to."""
    matrix_rows = {int(j): np.flatnonzero(units.judge == j) for j in of.tolist()}
    base = units if humans is None else units.of_judges(humans)
    shift = kernel.centre(base.value)
    x = base.value - shift
    n = np.bincount(base.unit, minlength=units.size).astype(float)
    s, q = np.bincount(base.unit, x, units.size), np.bincount(base.unit, x * x, units.size)
    out = []
    judges = [j for j in matrix_rows if len(matrix_rows[j])]
    for k, a in enumerate(judges):
        for b in judges[k + 1 :]:
            unit, at, bt = np.intersect1d(
                units.unit[matrix_rows[a]], units.unit[matrix_rows[b]], True, return_indices=True
            )
            va, vb = units.value[matrix_rows[a][at]] - shift, units.value[matrix_rows[b][bt]] - shift
            m, t, p = n[unit], s[unit], q[unit]
            if humans is None:
                m, t, p = m - 2, t - va - vb, p - va**2 - vb**2
            keep = np.flatnonzero(m > 1)
            if len(keep) < 3:
                continue
            m, t, p, va, vb = m[keep], t[keep], p[keep], va[keep], vb[keep]
            mean = t / m
            wobble = np.maximum(p - t * mean, 0) / (m - 1) / m
            ea, eb = va - mean, vb - mean
            features = np.stack([np.ones(len(ea)), ea, eb, ea * ea, eb * eb, ea * eb, wobble], axis=1)
            out.append((a, b, unit[keep], features))
    return out


def error_correlation(totals: Array) -> Array:
    """Correlation of errors from their totals, less what the reference's noise adds to both."""
    n = np.maximum(totals[:, 0], 1.0)
    a, b, aa, bb, ab, wobble = (totals[:, 1:] / n[:, None]).T
    va, vb, cov = aa - a * a - wobble, bb - b * b - wobble, ab - a * b - wobble
    ok = (totals[:, 0] > 2) & (va > 1e-9 * aa) & (vb > 1e-9 * bb)
    return np.where(ok, np.clip(cov / np.sqrt(np.where(ok, va * vb, 1.0)), -1, 1), math.nan)


def _worth(pairs: list[tuple[int, int, Array, Array]], weights: Array, judges: int) -> Array:
    each = np.array([error_correlation(weights[:, unit] @ features) for _, _, unit, features in pairs])
    known = np.isfinite(each)
    mean = np.where(known, each, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    worth = np.clip(judges / np.maximum(1 + (judges - 1) * mean, 1e-9), 1.0, float(judges))
    return np.where(known.any(axis=0), worth, math.nan)
