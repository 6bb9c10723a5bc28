"""What else decides a vote beside the systems: places, lengths, styles, the judge's own family and care, by the one
model."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from quorate.kernels.group_sums import counts
from quorate.panel.design import Measured, Trusted
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_columns import covariates
from quorate.panel.vote_counts import Often
from quorate.votes.bradley_terry import OWN_BY_JUDGE, Fitted, FittedByJudge, fitted, named
from quorate.votes.draws import Draws

FULL = (-math.inf, math.inf)
PRIOR = 0.5


def decides_more(v: VoteDesign) -> bool:
    """Whether votes have covariates, or judges who vote on their own family."""
    return bool(covariates(v.columns)) or v.own_family is not None


def effects(v: VoteDesign, core: Any, text: str | None, ties: str) -> Trusted:
    """Every covariate's effect on the log odds of winning, with its interval; NaN of one that is not identified."""
    found = fitted(v, ties, "auto", PRIOR, named(v, text))
    draws, every = Draws(v, core, "effects"), np.ones(len(v.judge), bool)
    drawn = draws.figures(lambda often: found.drawn(often).effects) if found.votes.effects else np.zeros((0, 0))
    told = []
    for k, (name, value) in enumerate(zip(found.votes.effects, found.found.effects[0].tolist(), strict=True)):
        between = draws.interval(value, drawn[:, k], every, FULL) if len(drawn) else None
        told.append(core.figure(value, {"effect": name, "odds": math.exp(value)}, between))
    told += [core.figure(math.nan, {"effect": name, "odds": None}) for name in found.votes.unidentified]
    return Trusted({}, (), told, about={"moved": _moved(v, found, ties)})


def _moved(v: VoteDesign, found: Fitted, ties: str) -> list[dict[str, Any]]:
    """Systems whose rank is another once covariates are part of the model: before and after."""
    plain = fitted(v, ties, "auto", PRIOR, ()).found.strengths[0]
    before, after = (np.argsort(np.argsort(-s.round(9), kind="stable")) + 1 for s in (plain, found.found.strengths[0]))
    moved = np.flatnonzero(before != after)
    return [{"system": v.systems[k], "before": int(before[k]), "after": int(after[k])} for k in moved.tolist()]


def self_preference(v: VoteDesign, often: Often) -> Measured:
    """What its own family is worth to each judge in log odds, ``[draw, judge]``, beyond what systems are to all."""
    found = fitted(v, "davidson", "auto", PRIOR, (*covariates(v.columns), OWN_BY_JUDGE))
    number = {f"own of {name}": j for j, name in enumerate(v.judges)}
    at = [k for k, name in enumerate(found.votes.effects) if name in number]
    who = [number[found.votes.effects[k]] for k in at]
    every = found.drawn(often).effects if often.drawn else found.found.effects
    out = np.full((len(every), len(v.judges)), math.nan)
    out[:, who] = every[:, at]
    if often.drawn:
        return Measured(out)
    own = np.asarray(v.own_family) != 0
    votes = np.bincount(v.judge, v.count * own, len(v.judges))
    return Measured(out, {"own_votes": counts(votes)}, rests=v.tasks_behind(np.flatnonzero(own)))


def discriminations(v: VoteDesign, often: Often, ties: str) -> Measured:
    """How much every judge's votes follow the strengths, ``[draw, judge]``: 1 on average."""
    found = cast(FittedByJudge, fitted(v, ties, "auto", PRIOR, (), "judge"))
    if often.drawn:
        return Measured(found.drawn_by_judge(often)[1])
    return Measured(found.d[None], {"votes": counts(np.bincount(v.judge, v.count, len(v.judges)))})
