"""Whether intervals of the one model of votes hold what was planted: strengths, places, lengths and the own family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

import quorate as q
from tests.calibration.experiment import Experiment, rng
from tests.votes.made import STRENGTHS, careful, panel, planted, typical

CARE = {"judges alike": (1.0,) * 6, "2 of 6 judges careless": (1.4, 1.4, 1.4, 1.4, 0.1, 0.0)}  # what they follow by


def holds(interval, value: float) -> bool:
    return interval is not None and interval.low - 1e-9 <= value <= interval.high + 1e-9


def effects_held(seed: int, tasks: int, length: float, place: float, own: float) -> dict[str, float]:
    """Which intervals hold what was planted, with covariates in the model."""
    rows = planted(rng(seed), tasks, length, place, own)
    made, given = q.Votes.from_votes(rows), {"seed": seed, "resamples": 400}
    true = {
        "place": place,
        "length": length * typical(rows) / 100,
        "own of north-judge": own,
        "own of south-judge": 0.0,
    }
    found = q.trust(made, "effects(covariates=length+own_by_judge)", **given)["effects"].overall
    out = {o.labels["effect"]: holds(o.interval, true[o.labels["effect"]]) for o in found}
    board = q.quality(made, "bradley_terry(covariates=length+own_by_judge)", **given)["bradley_terry"].overall
    mean = float(np.mean(list(STRENGTHS.values())))
    held = [holds(o.interval, STRENGTHS[o.labels["system"]] - mean) for o in board]
    order = sorted(STRENGTHS, key=lambda name: -STRENGTHS[name])
    ranks = [o.labels["ranks"][0] <= order.index(o.labels["system"]) + 1 <= o.labels["ranks"][1] for o in board]
    return {**out, "strengths": float(np.mean(held)), "all ranks": all(ranks)}


def self_preference_found(seed: int, tasks: int) -> dict[str, float]:
    """Whether a judge is said to favour its own family where none does."""
    made = q.Votes.from_votes(planted(rng(seed), tasks, 0.0, 0.3, 0.0))
    found = q.judges(made, "self_preference", seed=seed, resamples=400)["self_preference"].overall
    return {"p <= 0.05 for some judge": any(o.labels["p_holm"] <= 0.05 for o in found)}


def discrimination_held(seed: int, tasks: int, care: Sequence[float]) -> dict[str, float]:
    """Whether intervals with a discrimination of each judge hold the strengths, as the average judge follows them; and
    whether strengths come nearer to them than without, up to a common factor."""
    made, mean = panel(careful(rng(seed), tasks, care)), float(np.mean(list(STRENGTHS.values())))
    true = {name: (s - mean) * float(np.mean(care)) for name, s in STRENGTHS.items()}
    off, held = [], 0.0
    for how in ("same", "judge"):
        board = q.quality(made, f"bradley_terry(discrimination={how})", seed=seed, resamples=400).findings[0].overall
        held = float(np.mean([holds(o.interval, true[o.labels["system"]]) for o in board]))
        found = [[o.value, true[o.labels["system"]]] for o in board]
        off.append(1 - float(np.corrcoef(np.transpose(found))[0, 1]))
    return {"strengths": held, "nearer": off[1] < off[0]}


def strengths_held(seed: int, tasks: int, care: Sequence[float]) -> dict[str, float]:
    """The first of these: the other is no promise of an interval."""
    return {"strengths": discrimination_held(seed, tasks, care)["strengths"]}


def effect_coverage() -> Iterator[Experiment]:
    """95% intervals over tasks of effects, and of strengths beside them."""
    for tasks in (20, 60):
        for name, how in (("nothing planted", (0.0, 0.0, 0.0)), ("all planted", (0.5, 0.3, 0.9))):
            run = partial(effects_held, tasks=tasks, length=how[0], place=how[1], own=how[2])
            yield Experiment("coverage", "votes", f"effects, {tasks} x 4, {name}", run, promise=0.95)

    for tasks in (20, 60):
        for name, care in CARE.items():
            run = partial(strengths_held, tasks=tasks, care=care)
            yield Experiment("coverage", "votes", f"discrimination, {tasks} x {len(care)}, {name}", run, promise=0.95)


def self_preference_null() -> Iterator[Experiment]:
    """A preference for the own family that is not there."""
    for tasks in (20, 60):
        run = partial(self_preference_found, tasks=tasks)
        yield Experiment("null", "votes", f"self_preference, {tasks} x 4", run, promise=0.05)
