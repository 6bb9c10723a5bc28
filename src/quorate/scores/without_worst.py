"""The leaderboard without the worst judges, beside as many random tasks dropped; and without each judge in turn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.believed import Believed
from quorate.inference.resample import Chance, Interval, centred, percentiles, stream
from quorate.inference.results import Options, Overall
from quorate.kernels.correlations import COEFFICIENTS, correlate
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.scores.averages import OF
from quorate.scores.believed import Rows, trust_method
from quorate.scores.draws import times
from quorate.scores.systems import Estimate, Outputs
from quorate.scores.worst import (
    BY,
    DROP,
    Worst,
    agreed_by,
    how_to_drop,
    means_of,
    means_without,
    no_order,
    places,
    random_keep,
    rows_without,
    table_of,
    worst_first,
)
from quorate.table import choice, whole
from quorate.words.numbers import three, two
from quorate.words.wording import all_of

Array = NDArray[Any]
RANGE = (-1.0, 1.0)
RANDOM = 200  # random exclusions tried
NEAR = 1e-9  # values that differ by rounding alone
FEWEST = 50  # of them at least, with less effort
JUDGES = 500  # left out one at a time at most
AGAIN = 500  # bootstrap resamples of a before/after correlation
WORST = whole("how many judges to drop, one after the other", 1)
ORDER = choice("what makes a judge bad", *BY)
HOW = choice("what is dropped: the tasks a judge saw, or only the judge's scores", *DROP)


@trust_method(
    "without_worst",
    range=RANGE,
    higher="the leaderboard changes less",
    default=True,
    reference="Owczarzak, Rankel, Dang and Conroy 2012, Table 2",
    by=ORDER,
    worst=WORST,
    drop=HOW,
    of=OF,
)
def without_worst(
    panel: Scores,
    made: Sequence[Outputs],
    metrics: Scores | None,
    options: Options,
    by: str = "alpha",
    worst: int = 2,
    drop: str = "auto",
    of: str = "mean",
) -> Believed:
    """The systems' means without the worst judges against those with them; 1 when nothing moves.

    Dropping tasks moves any leaderboard, so the same number of random tasks is dropped beside it: only what lies below
    their band is the judges' doing.
    """
    rows = Rows("judges", "dropped", "random", "random_interval", "changed")
    overall: list[Overall] = []
    sentences, notes = [], []
    agreed = agreed_by(panel, of)
    for out in made:
        how = how_to_drop(out, drop)
        ranked = worst_first(panel, out, by, drop, agreed)
        said = f"{out.units.criterion}: " if out.units.criterion is not None else ""
        if not ranked.order:
            sentences.append(f"{said}{no_order(by, out)}")
            continue
        before = means_of(table_of(out, None, agreed))
        for k in range(1, worst + 1):
            judges = [out.units.judges[j] for j in ranked.order[:k]]
            keep = rows_without(out, ranked.order[:k], how)
            if k > len(ranked.order) - (how == "scores") or not keep.any():
                notes.append(f"{said}without the worst {k} nothing is left to compare")
                break
            after = means_of(table_of(out, keep, agreed))
            found = _before_after(out, keep, how, (before, after), agreed, options, (by, k))
            for c, (value, inside, chance, band) in found.items():
                keys = {**out.labels(), "worst": k, "coefficient": c}
                rows.add(
                    keys,
                    value,
                    judges=judges,
                    dropped=_dropped(out, keep, how),
                    random=chance.value if chance else None,
                    random_interval=[band.low, band.high] if band else None,
                    changed=_changed(out, before, after) if c == "kendall" else None,
                )
                more = {"judges": ", ".join(map(str, judges)), "random": chance.value if chance else math.nan}
                more |= {"random_low": band.low if band else math.nan, "random_high": band.high if band else math.nan}
                overall.append(Overall(value, inside, chance, {**keys, **more}))
            if k == 1:
                sentences.append(f"{_say_worst(out, ranked, by)} {_say_without(out, how, keep, found, before, after)}")
        notes.append(f"{said}worst by {ranked.what}; {'their tasks' if how == 'tasks' else 'their scores'} are dropped")
        if options.effort < 1:
            notes.append(f"without_worst stands beside {_tried(options)} random exclusions, to be quick")
    return Believed(rows.keys, rows.values, overall, rows.details, tuple(sentences), tuple(dict.fromkeys(notes)))


Found = dict[str, tuple[float, Interval | None, Chance | None, Interval | None]]


def _before_after(
    out: Outputs,
    keep: Array,
    how: str,
    means: tuple[Array, Array],
    agreed: Estimate | None,
    options: Options,
    names: tuple[Any, ...],
) -> Found:
    """Each coefficient: its value, a bootstrap over inputs, what random drops give, and their band."""
    rng = stream(options.seed, "random", out.units.criterion, *names)
    before, after = means
    others = _random_means(out, keep, how, rng, agreed, _tried(options))
    with_all, drawn = (_over_inputs(out, rows, options, agreed) for rows in (None, keep))
    found: Found = {}
    for c in COEFFICIENTS:
        value = float(correlate(before, after, c))
        random = correlate(before, others, c)
        random = random[np.isfinite(random)]
        band = percentiles(random, options.level, out.by)
        chance = None
        if len(random) and not math.isnan(value):
            p = (np.count_nonzero(random <= value + 1e-12) + 1) / (len(random) + 1)
            chance = Chance(float(random.mean()), float(p), len(random))
        inside = None
        if with_all is not None and drawn is not None:
            again = correlate(with_all, drawn, c)
            inside = centred(value, again, options.level, out.by, _left(out, keep), RANGE)
        found[c] = (value, inside, chance, band)
    return found


def _tried(options: Options) -> int:
    """How many random exclusions stand beside one of the worst judges."""
    return RANDOM if options.effort >= 1 else max(round(RANDOM * options.effort), FEWEST)


def _random_means(
    out: Outputs, keep: Array, how: str, rng: np.random.Generator, agreed: Estimate | None, number: int
) -> Array:
    kept = random_keep(out, ~keep, how, rng, number)
    if agreed is None:
        return means_without(out, kept)
    return np.stack([means_of(table_of(out, some, agreed)) for some in kept])


def _over_inputs(out: Outputs, keep: Array | None, options: Options, agreed: Estimate | None) -> Array | None:
    """Means of inputs drawn anew with the rows kept: ``[resample, system]``; None with one input.

    The draws are the same whoever is left out, so that judges can be compared. An easy input drawn twice counts twice
    with the judge and without, and so the two orders are more alike in the draws than they are: the interval is moved.
    """
    number = min(options.resamples, AGAIN)
    if len(out.inputs) < 2 or number < 1:
        return None
    return _redrawn(out, keep, options.seed, number, agreed)


def _left(out: Outputs, keep: Array) -> int:
    """How many inputs have a score without the judges: what the interval rests on."""
    return int(np.count_nonzero(np.bincount(out.input[out.units.unit[keep]])))


def _redrawn(out: Outputs, keep: Array | None, seed: int, number: int, agreed: Estimate | None) -> Array:
    table = table_of(out, keep, agreed)
    there = ~np.isnan(table)
    both = np.concatenate([np.where(there, table, 0.0), there], axis=1)
    total, of = np.split(np.concatenate([part @ both for part in times(seed, len(table), number)]), 2, axis=1)
    return np.asarray(np.divide(total, of, out=np.full(of.shape, np.nan), where=of > 0))


def _dropped(out: Outputs, keep: Array, how: str) -> int:
    """How many inputs, or scores, are gone."""
    if how == "scores":
        return int((~keep).sum())
    place = out.input[out.units.unit]
    return len(np.unique(place)) - len(np.unique(place[keep]))


def _changed(out: Outputs, before: Array, after: Array) -> list[dict[str, Any]]:
    """Systems whose place is another one, largest moves first."""
    old, new = places(before), places(after)
    moved = [s for s in np.argsort(-np.abs(np.nan_to_num(new - old)), kind="stable").tolist() if old[s] != new[s]]
    return [
        {"system": out.systems[s], "from": int(old[s]), "to": None if math.isnan(new[s]) else int(new[s])}
        for s in moved
        if not math.isnan(old[s])
    ]


def _on(out: Outputs) -> str:
    return f" on {out.units.criterion}" if out.units.criterion is not None else ""


def _say_worst(out: Outputs, ranked: Worst, by: str) -> str:
    """Who is worst; of judges who are all alike somebody is left out first all the same."""
    first, values = out.units.judges[ranked.order[0]], ranked.value[ranked.order]
    if np.ptp(values) <= NEAR and len(values) > 1:
        number = len(ranked.order)
        who = f"{all_of(number)} judges" if number == len(out.units.judges) else many(number, "judge")
        alike = f"{who} are alike ({two(values[0])})"
        return f"By {by}{_on(out)} {alike}; {first} is taken first."
    return f"Worst judge{_on(out)} by {by}: {first} ({two(values[0])})."


def _say_without(out: Outputs, how: str, keep: Array, found: Found, before: Array, after: Array) -> str:
    """What moves without the judge, and whether as much moves when as many are dropped at random."""
    rho, _, chance, band = found["spearman"]
    what = many(_dropped(out, keep, how), out.by[:-1] if how == "tasks" else "score")
    moved = _changed(out, before, after)
    said = f"Without this judge's {what}"
    if len(out.systems) == 1:
        return f"{said} there is still one {out.called} only: no place can change."
    if not moved:
        sure = band is None or band.low > 1 - 5e-4
        down = "as many dropped at random give correlations down to"
        random = "" if sure or band is None else f"; {down} {three(band.low)}"
        return f"{said} no {out.called} changes places{random}."
    said = f"{said} {_moves(moved, many(len(out.systems), out.called))}."
    if math.isnan(rho):
        return said
    said += f" The order correlates {three(rho)} (Spearman) with the full one"
    if chance is None or band is None:
        return said + "."
    if rho < band.low - 1e-12:
        verdict = f"these {out.by if how == 'tasks' else 'scores'} matter more than others do"
    else:
        verdict = "no more changes than by chance"
    return f"{said}; as many dropped at random give {three(band.low)} to {three(band.high)}: {verdict}."


def _moves(moved: Sequence[Mapping[str, Any]], systems: str) -> str:
    """How many systems change places, and which one moves furthest."""
    first = moved[0]
    far = f"{'most ' if len(moved) > 1 else ''}{first['system']} from place {first['from']} to {first['to'] or 'none'}"
    return f"{len(moved):,} of {systems} {'changes' if len(moved) == 1 else 'change'} places ({far})"


# -- each judge in turn ------------------------------------------------------------------------------------------------


@trust_method(
    "influence",
    range=RANGE,
    higher="the judge matters less",
    default=True,
    drop=HOW,
    of=OF,
)
def influence(
    panel: Scores,
    made: Sequence[Outputs],
    metrics: Scores | None,
    options: Options,
    drop: str = "auto",
    of: str = "mean",
) -> Believed:
    """Every place of the leaderboard without each judge in turn; tau-b of the orders with and without, 1 when alike."""
    rows = Rows("place", "mean", "mean_without")
    overall: list[Overall] = []
    sentences, told = [], []
    agreed = agreed_by(panel, of)
    for out in made:
        how = how_to_drop(out, drop)
        before = means_of(table_of(out, None, agreed))
        old, with_all = places(before), _over_inputs(out, None, options, agreed)
        found: list[Overall] = []
        every = _most_scores(out)
        if len(every) < len(out.units.judges):
            told.append(f"influence{_on(out)}: of the {many(len(every), 'judge')} with the most scores")
        for j in every:
            judge, keep = out.units.judges[j], rows_without(out, [j], how)
            if keep.all() or not keep.any():
                continue
            after = means_of(table_of(out, keep, agreed))
            new = places(after)
            keys = {**out.labels(), "judge": judge}
            for s, system in enumerate(out.systems):
                if not math.isnan(old[s]):
                    rows.add(
                        {**keys, "system": system},
                        None if math.isnan(new[s]) else int(new[s]),
                        place=int(old[s]),
                        mean=float(before[s]),
                        mean_without=float(after[s]),
                    )
            tau = float(correlate(before, after, "kendall"))
            drawn = _over_inputs(out, keep, options, agreed)
            inside = None
            if with_all is not None and drawn is not None:
                again = correlate(with_all, drawn, "kendall")
                inside = centred(tau, again, options.level, out.by, _left(out, keep), RANGE)
            moved = _changed(out, before, after)
            most = f"{moved[0]['system']} from {moved[0]['from']} to {moved[0]['to'] or 'none'}" if moved else ""
            found.append(Overall(tau, inside, None, {**keys, "moved": len(moved), "most": most}))
        found.sort(key=lambda o: (math.isnan(o.value), o.value))
        overall += found
        if found and len(out.systems) > 1:
            sentences.append(_say_most(out, found))
    told += [] if overall else ["without any one judge nothing is left, or nothing changes"]
    return Believed(rows.keys, rows.values, overall, rows.details, tuple(sentences), tuple(told))


def _most_scores(out: Outputs) -> list[int]:
    """The judges, or of very many those whose absence can matter most."""
    number = np.bincount(out.units.judge, minlength=len(out.units.judges))
    return np.sort(np.argsort(-number, kind="stable")[:JUDGES]).tolist()  # type: ignore[no-any-return]


def _say_most(out: Outputs, found: Sequence[Overall]) -> str:
    """On whom the leaderboard depends most: ``found`` by tau-b, lowest first, undefined ones (all level) last."""
    if not any(o.labels["moved"] for o in found):
        return f"Whichever judge is left out, no {out.called} changes places{_on(out)}."
    first = found[0].labels if found[0].labels["moved"] else max((o.labels for o in found), key=lambda x: x["moved"])
    number = first["moved"]
    changes = f"{number:,} of {many(len(out.systems), out.called)} {'changes' if number == 1 else 'change'} places"
    who = f"The leaderboard{_on(out)} depends most on judge {first['judge']}"
    return f"{who}: without this judge {changes} ({first['most']})."
