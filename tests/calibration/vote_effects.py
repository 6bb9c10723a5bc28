"""Whether intervals of the one model of votes hold what was planted: strengths, places, lengths and the own family."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import quorate as q
from tests.calibration.experiment import Experiment, rng
from tests.votes.made import STRENGTHS, planted, typical


def holds(interval, value: float) -> bool:
    return interval is not None and interval.low - 1e-9 <= value <= interval.high + 1e-9


def effects_held(seed: int, tasks: int, length: float, place: float, own: float) -> dict[str, float]:
    """Which intervals hold what was planted, with covariates in the model."""
    rows = planted(rng(seed), tasks, length, place, own)
    panel, given = q.Votes.from_votes(rows), {"seed": seed, "resamples": 400}
    true = {
        "place": place,
        "length": length * typical(rows) / 100,
        "own of north-judge": own,
        "own of south-judge": 0.0,
    }
    found = q.trust(panel, "effects(covariates=length+own_by_judge)", **given)["effects"].overall
    out = {o.labels["effect"]: holds(o.interval, true[o.labels["effect"]]) for o in found}
    board = q.quality(panel, "bradley_terry(covariates=length+own_by_judge)", **given)["bradley_terry"].overall
    mean = float(np.mean(list(STRENGTHS.values())))
    held = [holds(o.interval, STRENGTHS[o.labels["system"]] - mean) for o in board]
    return {**out, "strengths": float(np.mean(held))}


def self_preference_found(seed: int, tasks: int) -> dict[str, float]:
    """Whether a judge is said to favour its own family where none does."""
    panel = q.Votes.from_votes(planted(rng(seed), tasks, 0.0, 0.3, 0.0))
    found = q.judges(panel, "self_preference", seed=seed, resamples=400)["self_preference"].overall
    return {"p <= 0.05 for some judge": any(o.labels["p_holm"] <= 0.05 for o in found)}


def effect_coverage() -> Iterator[Experiment]:
    """95% intervals over tasks of effects, and of strengths beside them."""
    for tasks in (20, 60):
        for name, how in (("nothing planted", (0.0, 0.0, 0.0)), ("all planted", (0.5, 0.3, 0.9))):
            run = partial(effects_held, tasks=tasks, length=how[0], place=how[1], own=how[2])
            yield Experiment("coverage", "votes", f"effects, {tasks} x 4, {name}", run, promise=0.95)


def self_preference_null() -> Iterator[Experiment]:
    """A preference for the own family that is not there."""
    for tasks in (20, 60):
        run = partial(self_preference_found, tasks=tasks)
        yield Experiment("null", "votes", f"self_preference, {tasks} x 4", run, promise=0.05)
