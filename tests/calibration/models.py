"""Models as judges and labels: biases where there are none, models let in that are too far off, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

import quorate as q
from tests.calibration.experiment import Experiment, rng

FAVOURS = 0.3  # points for a standard deviation of length, where a bias is planted


def judged(seed: int, tasks: int, people: int, noise: float = 0.7, length: float = 0.0, apart: float = 0.0) -> q.Scores:
    """People and a model on two outputs a task; longer ones are better, and the model may favour them more.

    The model's slope is 0.7, so that its error beside a person's of 1 is ``noise / 0.7``; ``apart`` is something else
    that it sees.
    """
    generator = rng(seed)
    size, names = (tasks, 2), [f"p{k}" for k in range(people)]
    long = generator.normal(size=size)
    true = 0.8 * generator.normal(size=size) + 0.6 * long
    said = {name: true + generator.normal(size=size) for name in names}
    own = 0.7 * true + length * long + apart * generator.normal(size=size) + noise * generator.normal(size=size)
    rows = [
        (f"t{t:03d}", f"t{t:03d}-{s}", name, "human" if name in said else "llm", long[t, s], table[t, s])
        for name, table in {**said, "bot": own}.items()
        for t in range(tasks)
        for s in range(2)
    ]
    columns = zip(*rows, strict=True)
    names = ["task", "item", "judge", "judge_kind", "length", "score"]
    return q.Scores.build(dict(zip(names, map(list, columns), strict=True)))


def no_bias(seed: int, **how: Any) -> dict[str, float]:
    """Whether a model that follows people is called biased."""
    found = q.trust(judged(seed, **how), "model_bias", resamples=400, seed=seed).findings[0].overall
    return {"called biased": any(o.labels["p_holm"] <= 0.05 for o in found)}


def too_far(seed: int, **how: Any) -> dict[str, float]:
    """Whether a model that people are nearer to one another than, by more than is granted, may stand in."""
    found = q.judges(judged(seed, **how), "alternative", resamples=0, permutations=0, seed=seed)
    return {"let in": any(o.labels.get("replaces") for o in found.findings[0].overall)}


def held(seed: int, **how: Any) -> dict[str, float]:
    """Whether intervals hold what a model is worth, and what it favours."""
    panel = judged(seed, length=FAVOURS, **how)
    plain = judged(seed, **how)
    worth = q.trust(plain, "people_worth", resamples=400, seed=seed).findings[0].overall
    bias = q.trust(panel, "model_bias", resamples=400, seed=seed).findings[0].overall
    true = (0.7 / how.get("noise", 0.7)) ** 2  # a person's error over the model's
    told = {"worth": (worth, true), "model_bias": (bias, FAVOURS)}
    return {
        n: rows[0].interval.low <= value <= rows[0].interval.high
        for n, (rows, value) in told.items()
        if rows and rows[0].interval
    }


POINTS = 5  # of the scale on which people and a model score
VERY_MANY = 200_000  # outputs that say what is true of the model


def on_a_scale(generator: np.random.Generator, outputs: int, people: int) -> tuple[Any, Any]:
    """People's scores ``[output, person]`` and a model's ``[output]``, who is lenient and spreads its scores less."""
    true = generator.normal(size=outputs)
    seen = 3 + true[:, None] + 0.7 * generator.normal(size=(outputs, people))
    own = 3.6 + 0.8 * true + 0.5 * generator.normal(size=outputs)
    return tuple(np.clip(np.rint(x), 1, POINTS) for x in (seen, own))


@lru_cache(maxsize=4)
def _of_very_many(people: int) -> tuple[Any, Any]:
    seen, own = on_a_scale(np.random.default_rng(7), VERY_MANY, people)
    return seen.mean(axis=1), own


def scored(seed: int, tasks: int, people: int) -> q.Scores:
    """So many people and a model on two outputs a task, on a scale."""
    seen, own = on_a_scale(rng(seed), 2 * tasks, people)
    said = {**{f"p{k}": seen[:, k] for k in range(people)}, "bot": own}
    rows = [
        (f"t{u // 2:03d}", f"t{u // 2:03d}-{u % 2}", name, "llm" if name == "bot" else "human", float(column[u]))
        for name, column in said.items()
        for u in range(2 * tasks)
    ]
    names = ("task", "item", "judge", "judge_kind", "score")
    return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def above(seed: int, tasks: int, people: int) -> dict[str, float]:
    """Whether intervals hold how far a model's scores lie above people's, score by score."""
    mean, model = _of_very_many(people)
    held = []
    for o in q.trust(scored(seed, tasks, people), "calibration", seed=seed).findings[0].overall:
        real = (model - mean)[model == float(o.labels["says"])].mean()
        held += [o.interval.low <= real <= o.interval.high] if o.interval else []
    return {"above people": float(np.mean(held))}


def thresholds(seed: int, tasks: int, people: int) -> dict[str, float]:
    """How often thresholds are said to be right, and how often the same thresholds are, of very many outputs."""
    f = q.trust(scored(seed, tasks, people), "calibration", seed=seed).findings[0]
    mean, model = _of_very_many(people)
    rows = zip(f.keys["at_least"], f.values, strict=True)
    real = [((model >= cut) == (mean >= level - 0.5)).mean() for level, cut in rows]
    return {"said to be right": float(np.mean(f.details["right"])), "are right": float(np.mean(real))}


def labelled(
    seed: int, items: int, judges: int, each: int, labels: int = 3, least: float = 0.5
) -> tuple[q.Scores, dict[str, str]]:
    """Judges of unequal care, each item labelled by some."""
    generator, rows, truth = rng(seed), [], {}
    skill = generator.uniform(least, 0.95, judges)
    for i in range(items):
        name, true = f"i{i:03d}", int(generator.integers(labels))
        truth[name] = str(true)
        for j in generator.choice(judges, each, replace=False).tolist():
            wrong = (true + 1 + int(generator.integers(labels - 1))) % labels
            rows.append((f"j{j}", name, str(true if generator.random() < skill[j] else wrong)))
    columns = dict(zip(("judge", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build(columns), truth


def graded(seed: int, items: int, judges: int, each: int, labels: int = 5) -> tuple[q.Scores, dict[str, str]]:
    """Judges who see the true step of a scale with a shift and noise of their own."""
    generator, rows, truth = rng(seed), [], {}
    shift, noise = generator.normal(0, 0.3, judges), generator.uniform(0.2, 0.6, judges)
    shift -= shift.mean()
    for i in range(items):
        name, true = f"i{i:03d}", int(generator.integers(labels))
        truth[name] = str(true)
        for j in generator.choice(judges, each, replace=False).tolist():
            seen = true + shift[j] + noise[j] * generator.logistic()
            rows.append((f"j{j}", name, str(int(np.clip(np.rint(seen), 0, labels - 1)))))
    columns = dict(zip(("judge", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build(columns).with_scale([str(k) for k in range(labels)]), truth


def certain(seed: int, in_order: bool = False, panels: int = 1, **how: Any) -> dict[str, float]:
    """Of labels that are said to be right in about 95 of 100 cases the share that is; of small panels several are made,
    since few of their labels are."""
    sure, right = list[float](), list[bool]()
    for k in range(panels):
        panel, truth = (graded if in_order else labelled)(panels * seed + k, **how)
        f = q.consensus(panel, "ordinal" if in_order else "dawid_skene", resamples=0, seed=seed).findings[0]
        sure += f.details["certainty"]
        right += [truth[i] == v for i, v in zip(f.keys["item"], f.values, strict=True)]
    some = np.abs(np.array(sure) - 0.95) < 0.02
    return {"said to be 95% right": float(np.mean(np.array(right)[some]))} if some.any() else {}


def no_preference(seed: int, **how: Any) -> dict[str, float]:
    """Whether some judge is said to prefer a label, where all err alike."""
    panel, _ = labelled(seed, **how)
    f = q.judges(panel, "label_bias", resamples=0, seed=seed).findings[0]
    return {"said to prefer a label": min(f.details["p_holm"]) <= 0.05}


def model_nulls() -> Iterator[Experiment]:
    """Where there is nothing to find, or nobody to let in."""
    for items, judges, each in ((60, 8, 3), (200, 20, 4)):
        run = partial(no_preference, items=items, judges=judges, each=each)
        yield Experiment("null", "scores", f"label_bias, {items} by {each} of {judges}", run, promise=0.05)
    for tasks, people, apart in ((30, 2, 1.5), (60, 3, 1.35)):  # nearer by 0.2 are people then, which is granted
        how = {"tasks": tasks, "people": people}
        about = f"{tasks} x {people} and a model"
        yield Experiment("null", "scores", f"no bias, {about}", partial(no_bias, **how), promise=0.05)
        yield Experiment(
            "null", "scores", f"a model too far off, {about}", partial(too_far, apart=apart, **how), promise=0.05
        )


def model_coverage() -> Iterator[Experiment]:
    """What a model is worth and favours, and how certain labels are."""
    for tasks, people in ((30, 2), (60, 3)):
        run = partial(held, tasks=tasks, people=people)
        yield Experiment("coverage", "scores", f"trust, {tasks} x {people} and a model", run, promise=0.95)
    for tasks, people in ((40, 3), (150, 3)):
        how, about = {"tasks": tasks, "people": people}, f"2 outputs of {tasks} tasks by {people} people"
        yield Experiment("coverage", "scores", f"a model's scores, {about}", partial(above, **how), promise=0.95)
        yield Experiment("coverage", "scores", f"a model's thresholds, {about}", partial(thresholds, **how))
    for items, judges in ((5, 5), (10, 3), (15, 5), (30, 7)):
        run = partial(certain, panels=6, items=items, judges=judges, each=judges, labels=2, least=0.6)
        yield Experiment("coverage", "scores", f"labels, {items} by all of {judges}", run, promise=0.95)
    for items, judges, each in ((60, 8, 3), (200, 20, 4)):
        run = partial(certain, items=items, judges=judges, each=each)
        yield Experiment("coverage", "scores", f"labels, {items} by {each} of {judges}", run, promise=0.95)
    run = partial(certain, in_order=True, items=200, judges=12, each=4)
    yield Experiment("coverage", "scores", "labels in order, 200 by 4 of 12", run, promise=0.95)
