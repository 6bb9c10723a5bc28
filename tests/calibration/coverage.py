"""Whether intervals hold the true value: that of very many tasks, or of very many panels, like these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

import quorate as q
from quorate.panel.nesting import nested
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import MAKE, columns_of

How = tuple[tuple[str, Any], ...]
TRUST = {  # figures that are means over tasks
    "orderings": ("discriminativeness",),
    "groupings": ("agreement_stability",),
    "scores": (),
    "votes": ("place",),
}
CONSENSUS = {"groupings": ()}  # the others' consensus has no figure of its own


def figures(panel: Any, question: str, *methods: str, **options: Any) -> dict[str, Mapping[str, Any]]:
    """The first figure of every method and of what it is about; of judges the first one, of systems all."""
    beside = []
    if question == "quality" and panel.kind in ("orderings", "groupings"):  # the last two judges are the systems
        systems = panel.judges[-2:]
        beside = [panel.drop_judges(*(j for j in panel.judges if j not in systems))]
        panel = panel.drop_judges(*systems)
    methods = methods or (TRUST[panel.kind] if question == "trust" else ())
    out: dict[str, Mapping[str, Any]] = {}
    for o in getattr(q, question)(panel, *beside, *methods, **options).to_dict()["overall"]:
        if o.get("judge", "j0") == "j0":
            about = next((f" of {o[n]}" for n in ("of", "by", "system") if o.get(n) is not None), "")
            out.setdefault(f"{o['method']}{about}", o)
    return out


@lru_cache(maxsize=64)
def truth(kind: str, question: str, how: How) -> dict[str, float]:
    """What each method is on average over very many tasks like these."""
    given = dict(how)
    # Of 600 tasks the strength of a system was off by a third of the error of 60, and intervals seemed too narrow.
    many = (12_000 if question == "agreement" or kind == "votes" else 3_000) // given["judges"]
    panel = MAKE[kind](np.random.default_rng(7), **{**given, "tasks": many})
    return {n: o["value"] for n, o in figures(panel, question, resamples=0, permutations=0).items()}


@lru_cache(maxsize=64)
def mean_truth(kind: str, question: str, how: How, *methods: str, panels: int = 150) -> dict[str, float]:
    """The same of figures that are no means over tasks: on average over very many panels."""
    total: dict[str, list[float]] = {}
    for k in range(panels):
        panel = MAKE[kind](np.random.default_rng([9, k]), **dict(how))
        for n, o in figures(panel, question, *methods, resamples=0, permutations=0).items():
            total.setdefault(n, []).append(math.nan if o["value"] is None else o["value"])
    return {n: float(np.nanmean(v)) for n, v in total.items()}


def held(
    seed: int, kind: str, question: str, over: str | None = None, methods: tuple[str, ...] = (), **how: Any
) -> dict[str, float]:
    """Which methods' intervals hold the true value."""
    panel = MAKE[kind](rng(seed), **how)
    known = mean_truth if methods or (kind == "scores" and how["tasks"] == 1) else truth
    real = known(kind, question, tuple(sorted(how.items())), *methods)
    out = {}
    for n, o in figures(panel, question, *methods, permutations=0, resamples=400, over=over, seed=seed).items():
        low, high = o["interval"] or (None, None)
        if low is not None and high is not None and real.get(n) is not None and math.isfinite(real[n]):
            out[n] = low - 1e-9 <= real[n] <= high + 1e-9
    return out


TOPIC_METHODS = ("tau_b", "kendall_w", "kappa")
QUERIES = 3  # in a topic


def topics(generator: np.random.Generator, number: int, judges: int) -> q.Orderings:
    """Queries in topics; on some topics judges see the one order with more noise than on others."""
    noise = np.repeat(2 * np.exp(0.6 * generator.normal(size=number)), QUERIES)
    seen = np.arange(8) + noise[:, None, None] * generator.normal(size=(len(noise), judges, 8))
    columns = columns_of(seen.argsort(axis=2).argsort(axis=2) + 1, "position")
    return q.Orderings.build({**columns, "topic": [f"p{int(t[1:]) // QUERIES}" for t in columns["task"]]})


@lru_cache(maxsize=4)
def topics_truth(judges: int) -> dict[str, float]:
    """What each method is on average over very many topics."""
    panel = topics(np.random.default_rng(7), 800, judges)
    return {n: o["value"] for n, o in figures(panel, "agreement", *TOPIC_METHODS, resamples=0, permutations=0).items()}


def held_over_topics(seed: int, number: int, judges: int) -> dict[str, float]:
    """Which methods' intervals over topics hold the true value."""
    panel, real = nested(topics(rng(seed), number, judges), "topic"), topics_truth(judges)
    found = figures(panel, "agreement", *TOPIC_METHODS, resamples=400, permutations=0, seed=seed)
    return {n: o["interval"][0] - 1e-9 <= real[n] <= o["interval"][1] + 1e-9 for n, o in found.items()}


def of_items(generator: np.random.Generator, kind: str, items: int, judges: int) -> q.Orderings | q.Groupings:
    """Items drawn at random, which judges see with noise: put in order, or into four groups."""
    seen = generator.normal(size=items) + 0.7 * generator.normal(size=(1, judges, items))
    if kind == "orderings":
        return q.Orderings.build(columns_of(seen.argsort(axis=2).argsort(axis=2) + 1, "position"))
    return q.Groupings.build(columns_of(np.digitize(seen, (-0.8, 0.0, 0.8)), "group"))


ITEM_METHODS = {"orderings": ("tau_b", "rho", "kendall_w"), "groupings": ("adjusted_rand", "rand")}


@lru_cache(maxsize=4)
def items_truth(kind: str, judges: int) -> dict[str, float]:
    """What each method is on very many items."""
    panel = of_items(np.random.default_rng(7), kind, 3_000, judges)
    found = figures(panel, "agreement", *ITEM_METHODS[kind], resamples=0, permutations=0)
    return {n: o["value"] for n, o in found.items()}


def held_over_items(seed: int, kind: str, items: int, judges: int) -> dict[str, float]:
    """Which methods' intervals over items hold the true value."""
    panel, real = of_items(rng(seed), kind, items, judges), items_truth(kind, judges)
    how = {"resamples": 400, "permutations": 0, "over": "items", "seed": seed}
    found = figures(panel, "agreement", *ITEM_METHODS[kind], **how)
    return {n: o["interval"][0] - 1e-9 <= real[n] <= o["interval"][1] + 1e-9 for n, o in found.items() if n in real}


def coverage() -> Iterator[Experiment]:
    """95% intervals over tasks, judges and items."""
    uneven: dict[str, dict[str, Any]] = {"scores": {"between": 0.5}, "votes": {}}
    for kind in MAKE:
        extra = uneven.get(kind, {"uneven": 0.4})
        sizes = ((2, 5), (5, 5), (20, 5)) if kind != "votes" else ((5, 5), (20, 5), (60, 5))
        for tasks, judges in sizes:
            for question in ("agreement", "judges", "quality", "trust", "consensus"):
                asked = {"trust": TRUST[kind], "consensus": kind in CONSENSUS, "quality": kind != "scores"}
                if not asked.get(question, True) or (question != "agreement" and tasks == sizes[0][0]):
                    continue
                run = partial(held, kind=kind, question=question, tasks=tasks, judges=judges, **extra)
                setting, cheap = f"{question}, over tasks, {tasks} x {judges}", question == "agreement"
                yield Experiment("coverage", kind, setting, run, promise=0.95, cheap=cheap)
        for judges in (5, 10, 30) if kind != "votes" else ():
            fixed = {} if kind == "orderings" else {"fixed": True}
            run = partial(held, kind=kind, question="agreement", over="judges", tasks=1, judges=judges, **fixed)
            yield Experiment("coverage", kind, f"agreement, over judges, 1 x {judges}", run, promise=0.95, cheap=True)
    for kind, judges in (("orderings", 10), ("orderings", 30), ("scores", 10), ("scores", 30)):
        fixed = {} if kind == "orderings" else {"fixed": True}
        run = partial(held, kind=kind, question="trust", methods=("split_half",), tasks=1, judges=judges, **fixed)
        yield Experiment("coverage", kind, f"split_half, over judges, 1 x {judges}", run, promise=0.95)
    for number in (4, 8, 20):
        run = partial(held_over_topics, number=number, judges=5)
        setting = f"agreement, over topics of {QUERIES} queries, {number} x 5"
        yield Experiment("coverage", "orderings", setting, run, promise=0.95, cheap=True)
    for items in (6, 12, 40):
        run = partial(held, kind="scores", question="agreement", over="items", tasks=1, judges=5, items=items)
        yield Experiment("coverage", "scores", f"agreement, over items, 1 x 5 x {items}", run, promise=0.95)
    for kind in ITEM_METHODS:
        for items in (10, 40):
            run = partial(held_over_items, kind=kind, items=items, judges=5)
            yield Experiment("coverage", kind, f"agreement, over items, 1 x 5 x {items}", run, promise=0.95)
