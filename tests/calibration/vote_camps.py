"""Camps of votes: judges of one mind, who may each differ a little, and two planted camps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from quorate.inference.camps import camps
from quorate.inference.designs import DESIGNS
from quorate.inference.results import Options
from quorate.inference.usual_methods import deciding
from tests.calibration.experiment import Experiment, rng
from tests.votes.made import minds


def found_camps(seed: int, sizes: tuple[int, ...], **how: float) -> dict[str, float]:
    """Whether camps are found; of planted ones also the share of judges who are then in the right one."""
    panel = minds(rng(seed), sizes, **how).by_name
    (design,) = DESIGNS["votes"](panel, None)
    found = camps(deciding(panel), design, Options(seed=seed))
    several = found is not None and found.number > 1
    if len(sizes) < 2:
        return {"camps": float(several)}
    if found is None or not several:
        return {"two camps or more": 0.0}
    planted = np.array([str(name).startswith("b") for name in design.judges])
    right = float(((found.camp == 1) == planted).mean())
    return {"two camps or more": 1.0, "in the right camp": max(right, 1 - right)}


def vote_camps() -> Iterator[Experiment]:
    """Judges of one mind, alike or each with strengths that differ a little; and of two."""
    for judges, votes, own, tasks in ((12, 20, 0.0, 0), (30, 10, 0.0, 1), (12, 40, 0.0, 20), (20, 30, 1.0, 0)):
        run = partial(found_camps, sizes=(judges,), votes=votes, own=own, tasks=tasks)
        on = "one task" if tasks == 1 else f"{tasks} tasks" if tasks else "tasks of their own"
        each = f", each with a taste of {own:g}" if own else ""
        setting = f"camps of judges of one mind, {judges} x {votes} votes on {on}{each}"
        yield Experiment("null", "votes", setting, run, promise=0.05)
    for sizes, votes in (((9, 6), 20), ((12, 8), 40)):
        run = partial(found_camps, sizes=sizes, votes=votes, spread=1.5)
        yield Experiment("power", "votes", f"two camps of {sizes[0]} and {sizes[1]}, {votes} votes each", run)
