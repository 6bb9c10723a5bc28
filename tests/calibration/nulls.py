"""p-values where there is nothing to find: judges or systems at random, and systems that are equal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import quorate as q
from quorate.inference.camps import camps
from quorate.inference.designs import DESIGNS
from quorate.inference.results import Options
from quorate.inference.usual_methods import deciding
from quorate.orderings.simulate import as_panel, mallows
from quorate.table import parse
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import MAKE

NOTHING: dict[str, dict[str, Any]] = {
    "orderings": {"noise": 1e6},
    "groupings": {"keep": 0.0},
    "scores": {"noise": 30.0, "scale": 5},
    "votes": {"spread": 0.0, "differ": 0.0},
}


def random_judges(seed: int, kind: str, question: str, **how: Any) -> dict[str, float]:
    """Which methods say that judges who answer at random, or the first of them, agree more than by chance."""
    panel = MAKE[kind](rng(seed), **NOTHING[kind], **how)
    found = getattr(q, question)(panel, resamples=0, seed=seed).to_dict()["overall"]
    first = (o for o in found if o["p_value"] is not None and o.get("judge", "j0") == "j0")
    return {o["method"]: o["p_value"] <= 0.05 for o in first}


def random_system(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Which methods say that a system that answers at random is nearer to the judges than by chance."""
    generator = rng(seed)
    panel = MAKE[kind](generator, **how)
    systems = MAKE[kind](generator, **{**how, "judges": 2}, **NOTHING[kind])
    found = q.quality(panel, systems, resamples=0, seed=seed).to_dict()["overall"]
    first = (o for o in found if o["p_value"] is not None and o["system"] == "j0")
    return {o["method"]: o["p_value"] <= 0.05 for o in first}


def equal_lists(seed: int, kind: str, systems: int, **how: Any) -> dict[str, float]:
    """Which methods tell apart any two systems that are as near to the truth as one another."""
    made = MAKE[kind](rng(seed), **{**how, "judges": how["judges"] + systems})
    judges = [f"j{k}" for k in range(how["judges"])]
    panel = made.drop_judges(*(j for j in made.judges if j not in judges))
    found = q.quality(panel, made.drop_judges(*judges), permutations=0, seed=seed).to_dict()["overall"]
    return any_difference(found)


def equal_scores(seed: int, tasks: int, judges: int, systems: int) -> dict[str, float]:
    """Whether any two systems of equal worth are told apart by their scores."""
    generator = rng(seed)
    worth = 4 + 0.8 * generator.normal(size=(tasks, 1, 1)) + 0.5 * generator.normal(size=(tasks, systems, 1))
    seen = worth + 0.4 * generator.normal(size=(1, 1, judges)) + 0.8 * generator.normal(size=(tasks, systems, judges))
    return any_difference(q.quality(q.Scores.build(system_columns(seen)), permutations=0).to_dict()["overall"])


def no_worst(seed: int, tasks: int, systems: int, judges: int) -> dict[str, float]:
    """Whether leaving out the worst of judges who are all alike moves the leaderboard more than a random drop does."""
    generator = rng(seed)
    worth = np.linspace(3, 5, systems)[:, None] + 0.5 * generator.normal(size=(tasks, systems, 1))
    seen = worth + 0.8 * generator.normal(size=(tasks, systems, judges))
    found = q.trust(q.Scores.build(system_columns(seen)), "without_worst", resamples=0, seed=seed).to_dict()["overall"]
    return {f"without_worst, {o['coefficient']}": o["p_value"] <= 0.05 for o in found if o["worst"] == 1}


def system_columns(seen: Any) -> dict[str, list[Any]]:
    """Columns of scores ``[task, system, judge]``."""
    task, system, judge = (index.ravel().tolist() for index in np.indices(seen.shape))
    columns = {"task": task, "system": system, "item": system, "judge": judge, "score": seen.ravel().tolist()}
    return {n: [f"{n}{v}" for v in c] if n != "score" else c for n, c in columns.items()}


def equal_votes(seed: int, **how: Any) -> dict[str, float]:
    """Whether any two systems of equal strength are told apart by votes; on a task one may be better."""
    panel = MAKE["votes"](rng(seed), spread=0.0, **how)
    return any_difference(q.quality(panel, permutations=0).to_dict()["overall"])


def any_difference(found: list[dict[str, Any]]) -> dict[str, float]:
    """By every method whether any system differs from the best one."""
    out: dict[str, float] = {}
    for o in found:
        p = o["p_best"]
        out[o["method"]] = bool(out.get(o["method"], False) or (p is not None and p <= 0.05))
    return out


def one_school(seed: int, **how: Any) -> dict[str, float]:
    """Whether judges of one mind are split into schools, by the test of card sorts."""
    (design,) = DESIGNS["groupings"](MAKE["groupings"](rng(seed), **how).by_name, None)
    found = camps(parse("adjusted_rand(left_out=common)", "groupings", "agreement"), design, Options(seed=seed))
    return {"schools": float(found is not None and found.number > 1)}


def one_camp(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Whether judges of one mind are split into camps, as the answer to who is off does."""
    panel = MAKE[kind](rng(seed), **how).by_name
    (design, *_) = DESIGNS[kind](panel, None)
    found = camps(deciding(panel), design, Options(seed=seed))
    return {"camps": float(found is not None and found.number > 1)}


def one_mind_of_all_sorts(seed: int, sizes: tuple[int, ...], phis: tuple[float, ...], items: int) -> dict[str, float]:
    """Whether judges of one mind, some careful and some careless, are split into camps."""
    generator = rng(seed)
    made = [mallows((1, size, items), phi, generator)[0] for size, phi in zip(sizes, phis, strict=True)]
    panel = as_panel(np.concatenate(made)[None]).by_name
    (design,) = DESIGNS["orderings"](panel, None)
    found = camps(deciding(panel), design, Options(seed=seed))
    return {"camps": float(found is not None and found.number > 1)}


def two_camps(seed: int, sizes: tuple[int, int], items: int, phi: float) -> dict[str, float]:
    """Whether two camps around unrelated orders are found, and the share of judges who are then in the right one."""
    generator = rng(seed)
    made = [mallows((1, size, items), phi, generator)[0][:, generator.permutation(items)] for size in sizes]
    panel = as_panel(np.concatenate(made)[None]).by_name
    (design,) = DESIGNS["orderings"](panel, None)
    found = camps(deciding(panel), design, Options(seed=seed))
    if found is None or found.number < 2:
        return {"two camps or more": 0.0}
    planted = np.array([name > sizes[0] for name in design.judges])
    right = float(((found.camp == 1) == planted).mean())
    return {"two camps or more": 1.0, "in the right camp": max(right, 1 - right)}


def nulls() -> Iterator[Experiment]:
    """p at most 0.05 where nothing is to be found."""

    def experiment(kind: str, setting: str, run: Any) -> Experiment:
        return Experiment("null", kind, setting, run, promise=0.05)

    for judges, items in ((10, 15), (20, 24), (40, 40)):
        run = partial(one_school, judges=judges, items=items)
        yield experiment("groupings", f"schools of judges of one mind, 1 x {judges} x {items}", run)
    for tasks, judges, systems in ((10, 6, 6), (20, 8, 12)):
        run = partial(no_worst, tasks=tasks, systems=systems, judges=judges)
        yield experiment("scores", f"{systems} systems by judges who are alike, {tasks} x {judges}", run)
    for kind, sizes in {"orderings": ((1, 12, 8), (1, 30, 6), (8, 12, 6)), "scores": ((1, 12, 20), (8, 12, 5))}.items():
        for tasks, judges, items in sizes:
            run = partial(one_camp, kind=kind, tasks=tasks, judges=judges, items=items)
            yield experiment(kind, f"camps of judges of one mind, {tasks} x {judges} x {items}", run)
    for groups, phis in (
        ((10, 10), (0.2, 0.85)),
        ((7, 7, 6), (0.3, 0.6, 0.9)),
        ((5, 7), (0.2, 0.98)),
        ((11, 1), (0.5, 1.0)),
    ):
        run = partial(one_mind_of_all_sorts, sizes=groups, phis=phis, items=8)
        told = f"{' + '.join(map(str, groups))} judges of one mind, phi {', '.join(f'{phi:g}' for phi in phis)}"
        yield experiment("orderings", f"camps of {told}, 8 items", run)
    for sizes, items, phi in (((10, 6), 8, 0.5), ((12, 8), 8, 0.6), ((7, 3), 8, 0.4)):
        run = partial(two_camps, sizes=sizes, items=items, phi=phi)
        setting = f"two camps of {sizes[0]} and {sizes[1]}, {items} items, phi {phi:g}"
        yield Experiment("power", "orderings", setting, run)
    for kind in MAKE:
        sizes = ((1, 5, 6), (1, 30, 6), (1, 4, 20), (8, 5, 8))
        for tasks, judges, items in sizes if kind != "votes" else ((5, 4, 4), (10, 10, 4)):
            how = {"tasks": tasks, "judges": judges, ("systems" if kind == "votes" else "items"): items}
            run = partial(random_judges, kind=kind, question="agreement", **how)
            yield experiment(kind, f"agreement, {tasks} x {judges} x {items}", run)
        for tasks, judges in ((1, 6), (8, 6)) if kind not in ("scores", "votes") else ((8, 6),):
            run = partial(random_judges, kind=kind, question="judges", tasks=tasks, judges=judges)
            if kind != "scores":  # whose judges are held against one another without a test
                yield experiment(kind, f"judges, {tasks} x {judges}", run)
        for tasks, judges in ((1, 6), (6, 6)) if kind in ("orderings", "groupings") else ():
            run = partial(random_system, kind=kind, tasks=tasks, judges=judges)
            yield experiment(kind, f"a random system, {tasks} x {judges}", run)
        for tasks, judges, systems in ((4, 4, 3), (10, 4, 5), (30, 3, 5)):
            how = {"tasks": tasks, "judges": judges, "systems": systems}
            equal = {"scores": equal_scores, "votes": equal_votes}.get(kind, partial(equal_lists, kind=kind))
            yield experiment(kind, f"{systems} equal systems, {tasks} x {judges}", partial(equal, **how))
