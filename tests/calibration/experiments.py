"""What is measured: false flags, power, p under a true null, coverage of intervals, judges needed.

An experiment is a function of a seed that gives a few outcomes by name; their means over seeds are the measured rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

import quorate as q
from tests.calibration.simulated import MAKE, PLANTED, orderings

SEED = 20_000  # of the first panel
FIRST = {"orderings": "peer_correlation", "groupings": "peer_agreement", "scores": "bias", "votes": "with_others"}


@dataclass(frozen=True)
class Experiment:
    """One row of the page: what is promised, and a function of a seed that measures it."""

    section: str  # flags, power, null, coverage, needed
    kind: str
    setting: str
    run: Callable[[int], Mapping[str, float]]
    panels: int  # of the long form
    promise: float | None = None  # the rate that is promised


def rng(seed: int) -> np.random.Generator:
    """The random numbers of one panel."""
    return np.random.default_rng(SEED + seed)


# -- who is off --------------------------------------------------------------------------------------------------------


def flagged(panel: Any) -> dict[str, str]:
    """Who is flagged, with the diagnosis."""
    found = q.judges(panel, FIRST[panel.kind], resamples=0, permutations=0).to_dict()["flagged"]
    return {f["judge"]: f["diagnosis"] for f in found}


def false_flag(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Whether a panel of judges who are all alike has a flag."""
    return {"flagged": float(bool(flagged(MAKE[kind](rng(seed), **how))))}


def named(seed: int, kind: str, planted: str, **how: Any) -> dict[str, float]:
    """Whether the planted judge is named, rightly diagnosed, and nobody else is."""
    found = flagged(MAKE[kind](rng(seed), planted=planted, **how))
    last = f"j{how['judges'] - 1}"
    return {"named": last in found, "diagnosed": found.get(last) == planted, "others": bool(set(found) - {last})}


SIZES = ((1, 3), (1, 8), (1, 30), (2, 5), (5, 5), (5, 20), (10, 10), (20, 3), (20, 30))  # tasks, judges


def _flags() -> Iterator[Experiment]:
    for kind in MAKE:
        for tasks, judges in SIZES:
            if kind == "votes" and tasks * judges < 20:
                continue  # a handful of votes
            how = {"tasks": tasks, "judges": judges}
            yield Experiment(
                "flags", kind, f"{tasks} x {judges}", partial(false_flag, kind=kind, **how), 200, promise=0.05
            )
        for tasks, judges in ((1, 5), (1, 10), (5, 5), (20, 5)) if kind == "groupings" else ():
            run = partial(false_flag, kind=kind, tasks=tasks, judges=judges, grain=0.35)
            yield Experiment("flags", kind, f"{tasks} x {judges}, of different grain", run, 200, promise=0.05)


def _power() -> Iterator[Experiment]:
    for kind, faults in PLANTED.items():
        for fault in faults:
            for tasks, judges in ((1, 8), (6, 5)):
                how = {"tasks": tasks * (4 if kind == "votes" else 1), "judges": judges}
                how |= {"items": 30} if kind == "scores" else {"keep": 0.8} if kind == "groupings" else {}
                run = partial(named, kind=kind, planted=fault, **how)
                yield Experiment("power", kind, f"{fault}, {how['tasks']} x {judges}", run, 60)


# -- p under a true null -----------------------------------------------------------------------------------------------

NOTHING: dict[str, dict[str, Any]] = {
    "orderings": {"noise": 1e6},
    "groupings": {"keep": 0.0},
    "scores": {"noise": 30.0, "scale": 5},
    "votes": {"spread": 0.0, "differ": 0.0},
}


def null_p(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Which methods of agreement say that judges who answer at random agree more than by chance."""
    found = q.agreement(MAKE[kind](rng(seed), **NOTHING[kind], **how), resamples=0, seed=seed).to_dict()["overall"]
    return {o["method"]: o["p_value"] <= 0.05 for o in found if o["p_value"] is not None}


def random_system(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Whether a system that answers at random is said to be nearer to the judges than by chance, and by how many."""
    generator = rng(seed)
    panel = MAKE[kind](generator, **how)
    systems = MAKE[kind](generator, **{**how, "judges": 2}, **NOTHING[kind])
    found = q.quality(panel, systems, resamples=0, seed=seed).to_dict()["overall"]
    out: dict[str, float] = {}
    for o in found:
        if o["p_value"] is not None and o["system"] == "j0":
            out[o["method"]] = o["p_value"] <= 0.05
    return out


def equal_systems(seed: int, tasks: int, judges: int, systems: int, over: str | None) -> dict[str, float]:
    """Whether any two systems of equal worth are told apart."""
    generator = rng(seed)
    worth = 4 + 0.8 * generator.normal(size=(tasks, 1, 1)) + 0.5 * generator.normal(size=(tasks, systems, 1))
    seen = worth + 0.4 * generator.normal(size=(1, 1, judges)) + 0.8 * generator.normal(size=(tasks, systems, judges))
    task, system, judge = (index.ravel().tolist() for index in np.indices(seen.shape))
    columns = {"task": task, "system": system, "item": system, "judge": judge, "score": seen.ravel().tolist()}
    columns = {n: [f"{n}{v}" for v in c] if n != "score" else c for n, c in columns.items()}
    found = q.quality(q.Scores.build(columns), "mean_score", over=over, permutations=0).to_dict()["overall"]
    return {"any difference": min((o["p_best"] or 1.0 for o in found[1:]), default=1.0) <= 0.05}


def _nulls() -> Iterator[Experiment]:
    for kind in ("orderings", "groupings", "scores"):
        for tasks, judges, items in ((1, 5, 6), (1, 30, 6), (1, 4, 20), (8, 5, 8)):
            run = partial(null_p, kind=kind, tasks=tasks, judges=judges, items=items)
            yield Experiment("null", kind, f"agreement, {tasks} x {judges} x {items}", run, 300, promise=0.05)
    for tasks, judges in ((5, 4), (10, 10)):
        run = partial(null_p, kind="votes", tasks=tasks, judges=judges)
        yield Experiment("null", "votes", f"agreement, {tasks} x {judges}", run, 300, promise=0.05)
    for kind in ("orderings", "groupings"):
        for tasks, judges in ((1, 6), (6, 6)):
            run = partial(random_system, kind=kind, tasks=tasks, judges=judges)
            yield Experiment("null", kind, f"a random system, {tasks} x {judges}", run, 200, promise=0.05)
    for tasks, judges, systems in ((4, 4, 3), (10, 4, 5), (30, 3, 5)):
        run = partial(equal_systems, tasks=tasks, judges=judges, systems=systems, over=None)
        yield Experiment("null", "scores", f"{systems} equal systems, {tasks} x {judges}", run, 300, promise=0.05)


# -- intervals ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def truth(kind: str, how: tuple[tuple[str, Any], ...]) -> dict[str, float]:
    """What each method is on average over very many tasks like these."""
    panel = MAKE[kind](np.random.default_rng(7), **{**dict(how), "tasks": 12_000 // dict(how)["judges"]})
    found = q.agreement(panel, resamples=0, permutations=0).to_dict()["overall"]
    return {o["method"]: o["value"] for o in found}


@lru_cache(maxsize=64)
def mean_truth(kind: str, how: tuple[tuple[str, Any], ...], panels: int = 150) -> dict[str, float]:
    """The same of figures that are no means over tasks: on average over very many panels."""
    total: dict[str, list[float]] = {}
    for k in range(panels):
        panel = MAKE[kind](np.random.default_rng([9, k]), **dict(how))
        for o in q.agreement(panel, resamples=0, permutations=0).to_dict()["overall"]:
            total.setdefault(o["method"], []).append(o["value"])
    return {m: float(np.nanmean(v)) for m, v in total.items()}


def held(seed: int, kind: str, over: str | None = None, **how: Any) -> dict[str, float]:
    """Which methods' intervals hold the true value."""
    panel = MAKE[kind](rng(seed), **how)
    known = mean_truth if kind == "scores" and how["tasks"] == 1 else truth
    real = known(kind, tuple(sorted(how.items())))
    found = q.agreement(panel, permutations=0, resamples=400, over=over, seed=seed).to_dict()["overall"]
    out = {}
    for o in found:
        ends = o["interval"]
        if ends and o["value"] is not None and math.isfinite(real[o["method"]]):
            out[o["method"]] = ends[0] - 1e-9 <= real[o["method"]] <= ends[1] + 1e-9
    return out


def _coverage() -> Iterator[Experiment]:
    for kind in ("orderings", "groupings", "scores"):
        extra = {"between": 0.5} if kind == "scores" else {"uneven": 0.4}
        for tasks, judges in ((2, 5), (5, 5), (20, 5)):
            run = partial(held, kind=kind, tasks=tasks, judges=judges, **extra)
            yield Experiment("coverage", kind, f"over tasks, {tasks} x {judges}", run, 200, promise=0.95)
        for judges in (5, 10, 30):
            fixed = {} if kind == "orderings" else {"fixed": True}
            run = partial(held, kind=kind, over="judges", tasks=1, judges=judges, **fixed)
            yield Experiment("coverage", kind, f"over judges, 1 x {judges}", run, 200, promise=0.95)


# -- judges needed -----------------------------------------------------------------------------------------------------


def needed(seed: int, items: int, noise: float, judges: int, target: float = 0.9) -> dict[str, float]:
    """How many judges are said to be needed over how many are, and whether the interval holds the number."""
    real = _needed(items, noise, target)
    panel = orderings(rng(seed), judges=judges, items=items, noise=noise)
    (o,) = q.trust(panel, f"judges_needed(target={target})", seed=seed).to_dict()["overall"]
    low, high = o["interval"] or (None, None)
    said = math.inf if o["value"] is None else o["value"]
    inside = (low or 1) <= real <= (math.inf if high is None else high)
    return {"within a factor of 2": real / 2 <= said <= 2 * real + 1, "held": inside}


@lru_cache(maxsize=16)
def _needed(items: int, noise: float, target: float) -> int:
    """The smallest number by drawing two panels of so many judges, many times."""
    generator = np.random.default_rng(11)

    def stability(k: int) -> float:
        found = []
        for _ in range(max(20, min(400, 40_000 // k))):
            seen = np.arange(items) + noise * generator.normal(size=(2, k, items))
            sums = seen.argsort(axis=2).argsort(axis=2).sum(axis=1)
            found.append(_rho(sums[0], sums[1]))
        return float(np.mean(found))

    low, high = 0, 1
    while stability(high) < target:
        low, high = high, 2 * high
    while high - low > max(1, high // 20):
        middle = (low + high) // 2
        low, high = (low, middle) if stability(middle) >= target else (middle, high)
    return high


def _rho(a: Any, b: Any) -> float:
    ranks = [((x[None] < x[:, None]).sum(axis=1) + ((x[None] == x[:, None]).sum(axis=1) - 1) / 2) for x in (a, b)]
    if not (ranks[0].std() and ranks[1].std()):
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _neededs() -> Iterator[Experiment]:
    for items, noise in ((5, 1.5), (8, 3.0), (10, 6.0)):
        for judges in (20, 200):
            run = partial(needed, items=items, noise=noise, judges=judges)
            setting = f"{items} items, noise {noise:g}, {judges} judges"
            yield Experiment("needed", "orderings", setting, run, 60)


def every() -> list[Experiment]:
    """All experiments, in the order of the page."""
    return [*_flags(), *_power(), *_nulls(), *_coverage(), *_neededs()]


def outcomes(job: tuple[str, str, str, int, int]) -> list[dict[str, float]]:
    """The outcomes of some panels of one experiment: its section, kind and setting, the first seed and the last."""
    section, kind, setting, first, last = job
    (experiment,) = (e for e in every() if (e.section, e.kind, e.setting) == (section, kind, setting))
    return [dict(experiment.run(seed)) for seed in range(first, last)]
