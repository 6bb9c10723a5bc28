"""How many judges are said to be needed, against how many are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import quorate as q
from quorate.groupings import adjusted_rand
from quorate.groupings.needed import agreement, together_or_not
from quorate.inference.crossing import smallest
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import orderings


def needed(seed: int, items: int, noise: float, judges: int, target: float = 0.9) -> dict[str, float]:
    """How many judges are said to be needed over how many are, and whether the interval holds the number."""
    real = _needed(items, noise, target)
    panel = orderings(rng(seed), judges=judges, items=items, noise=noise)
    (o,) = q.trust(panel, f"judges_needed(target={target})", seed=seed).to_dict()["overall"]
    return _against(real, o)


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


def reliable(seed: int, items: int, noise: float, judges: int, target: float = 0.9) -> dict[str, float]:
    """The same of scores, whose mean of k judges is as reliable as Spearman and Brown say of these items."""
    generator = rng(seed)
    worth = generator.normal(size=items)
    real = math.ceil(target / (1 - target) * noise**2 / worth.var(ddof=1))
    seen = worth + noise * generator.normal(size=(judges, items))
    (o,) = q.trust(q.Scores.from_matrix(seen), f"judges_needed(target={target})", seed=seed).to_dict()["overall"]
    return _against(real, o)


def _against(real: int, o: Mapping[str, Any]) -> dict[str, float]:
    low, high = o["interval"] or (None, None)
    said = math.inf if o["value"] is None else o["value"]
    inside = (low or 1) <= real <= (math.inf if high is None else high)
    return {"within a factor of 2": real / 2 <= said <= 2 * real + 1, "held": inside}


def planned_votes(seed: int, systems: int, share: float) -> dict[str, float]:
    """Whether the winner of a study as large as planned is the best system, 9 times of 10."""
    each = _votes_planned(systems, share)
    generator, won = rng(seed), np.zeros(systems)
    for a in range(systems):
        for b in range(a + 1, systems):
            wins = generator.binomial(each, 1 / (1 + ((1 - share) / share) ** (b - a)))
            won += [wins if k == a else each - wins if k == b else 0 for k in range(systems)]
    return {"winner": float(won[0] == won.max()) / float((won == won.max()).sum())}


@lru_cache(maxsize=16)
def _votes_planned(systems: int, share: float) -> int:
    """Votes on every two systems."""
    return int(q.plan(kind="votes", items=systems, share=share, want=["winner"], judges=(1,)).lines[0].per_pair or 1)


def planned_orders(seed: int, items: int, judges: int, noise: float) -> dict[str, float]:
    """The same of a pilot of orders, whose item levels are drawn: the rate is that of studies as large as it says."""
    generator = rng(seed)
    level = generator.normal(size=items)
    seen = level + noise * generator.normal(size=(judges, items))
    rows = [["abcdefghij"[k] for k in order] for order in (-seen).argsort(axis=1)]
    line = q.plan(q.Orderings.from_orders(rows), want=["winner"], certainty=0.8, seed=seed).lines[0]
    if line.judges is None:
        return {}
    again = level + noise * generator.normal(size=(40, min(line.judges, 2000), items))
    places = (-again).argsort(axis=2).argsort(axis=2).mean(axis=1)
    return {"winner": float((places.argmin(axis=1) == level.argmax()).mean())}


def planned_scores(
    seed: int, systems: int, judges: int, tasks: int, apart: float = 0.3, number: int = 5
) -> dict[str, float]:
    """The same of a pilot of scores, for so large a ``number`` of judges, who are so far ``apart`` about systems."""
    generator = rng(seed)
    level = 0.5 * generator.normal(size=systems)

    def study(k: int, t: int) -> Any:
        by_task, by_judge = generator.normal(size=(t, 1, systems)), generator.normal(size=(1, k, systems))
        return level + 0.6 * by_task + apart * by_judge + 0.8 * generator.normal(size=(t, k, systems))

    seen = study(judges, tasks)
    task, judge, system = (index.ravel().tolist() for index in np.indices(seen.shape))
    columns = {"task": task, "judge": judge, "system": system, "item": system, "score": seen.ravel().tolist()}
    panel = q.Scores.build({n: [f"{n}{v}" for v in c] if n != "score" else c for n, c in columns.items()})
    line = q.plan(panel, want=["winner"], certainty=0.8, judges=(number,), studies=100, seed=seed).lines[0]
    if line.tasks is None:
        return {"none is enough": 1.0}
    found = [study(number, min(line.tasks, 500)).mean(axis=(0, 1)).argmax() == level.argmax() for _ in range(20)]
    return {"winner": float(np.mean(found)), "none is enough": 0.0}


def planned_from_votes(seed: int, judges: int, tasks: int, taste: float) -> dict[str, float]:
    """The same of a pilot of votes, one a task from each judge, who have tastes of their own; and how often no study
    looked at is large enough."""
    generator, systems = rng(seed), 4
    level = -0.4 * np.arange(systems)
    pairs = np.array([(a, b) for a in range(systems) for b in range(a + 1, systems)])

    def chances(shape: tuple[int, ...]) -> NDArray[np.float64]:
        own = level + taste * generator.normal(size=(*shape, systems))
        return np.asarray(1 / (1 + np.exp(own[..., pairs[:, 1]] - own[..., pairs[:, 0]])))

    wins, rows = chances((judges,)), []
    for t in range(tasks):
        for j in range(judges):
            k = int(generator.integers(len(pairs)))
            won = bool(generator.random() < wins[j, k])
            a, b = pairs[k].tolist()
            rows.append((f"t{t}", f"j{j}", f"s{a}", f"s{b}", "model_a" if won else "model_b"))
    plan = q.plan(q.Votes.from_votes(rows), want=["winner"], certainty=0.8, seed=seed)
    able = [line for line in plan.lines if line.judgments and line.judges]
    if not able:
        return {"none is enough": 1.0}
    line = min(able, key=lambda each: each.judgments or 0)
    won = generator.binomial(line.tasks or 1, chances((100, line.judges or 1))).sum(axis=1)
    share = np.zeros((100, systems))
    for k, (a, b) in enumerate(pairs.tolist()):
        share[:, a] += won[:, k]
        share[:, b] += (line.judges or 1) * (line.tasks or 1) - won[:, k]
    return {"winner": float((share.argmax(axis=1) == 0).mean()), "none is enough": 0.0}


def planned_labels(seed: int, labels: int, right: float, careless: float, items: int = 150) -> dict[str, float]:
    """Of labels, the share of items whose label is right where as many judges label each as planned for 90 %: by the
    majority and by a model of the judges."""
    plan = q.plan(kind="labels", points=labels, right=right, careless=careless, items=items, want=["winner"])
    generator, found, pool = rng(seed), dict[str, float](), 20
    guess = generator.permutation(pool) < round(careless * pool)
    truth = generator.integers(labels, size=items)
    for line, method in zip(plan.lines, ("majority", "dawid_skene"), strict=False):
        rows = []
        for i in range(items):
            for j in generator.permutation(pool)[: line.judges].tolist():
                off = guess[j] or generator.random() > right
                other = generator.integers(labels) if guess[j] else truth[i] + 1 + generator.integers(labels - 1)
                rows.append((f"j{j:02}", f"i{i:03}", f"l{(other if off else truth[i]) % labels}"))
        judge, item, label = (list(column) for column in zip(*rows, strict=True))
        panel = q.Scores.build({"judge": judge, "item": item, "label": label})
        said = q.consensus(panel, method, resamples=0, seed=seed).findings[0]
        named = [v == f"l{truth[int(i[1:])]}" for i, v in zip(said.keys["item"], said.values, strict=True)]
        found[line.goal] = sum(named) / items
    return found


def planned_from_labels(seed: int, right: float, careless: float, items: int = 80) -> dict[str, float]:
    """Of a pilot of labels, each item by 4 of 8 judges, all items as clear: how many of very many items have the right
    majority where as many judges label each as planned for 85 %."""
    generator, found = rng(seed), np.array([right, 1 / LABELS])

    def said(judges: NDArray[Any], number: int) -> NDArray[Any]:  # 0 is right
        off = generator.random((number, judges.shape[-1])) >= judges
        return np.where(off, generator.integers(1, LABELS, size=off.shape), 0)

    skill = found[(generator.random(8) < careless).astype(int)]
    truth, rows = generator.integers(LABELS, size=items), []
    for i in range(items):
        some = generator.choice(8, 4, replace=False)
        labels = (truth[i] + said(skill[some], 1)[0]) % LABELS
        rows += [(f"j{j}", f"i{i:02}", f"l{v}") for j, v in zip(some.tolist(), labels.tolist(), strict=True)]
    columns = dict(zip(("judge", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))
    line = q.plan(q.Scores.build(columns), want=["winner"], certainty=0.85, seed=seed).lines[0]
    if line.judges is None:
        return {"none is enough": 1.0}
    judges = found[(generator.random((2000, line.judges)) < careless).astype(int)]
    votes = np.stack([(said(judges, 2000) == k).sum(axis=1) for k in range(LABELS)])
    return {"right majorities": float((votes[0] > votes[1:].max(axis=0)).mean()), "none is enough": 0.0}


MOST = 300  # people of a panel of card sorts that is made
LABELS = 3  # of a pilot


@dataclass(frozen=True)
class Sorters:
    """People who put cards where they belong, or anywhere; some cards go to another group by a share of them."""

    moved: float
    other_share: float = 0.0
    ambiguous: int = 4
    cards: int = 20
    groups: int = 4

    def sorts(self, shape: tuple[int, ...], generator: np.random.Generator) -> NDArray[np.int64]:
        """The groups of all cards, ``[..., card]``."""
        base, size = np.arange(self.cards) % self.groups, (*shape, self.cards)
        other = np.where(np.arange(self.cards) < self.ambiguous, (base + 1) % self.groups, base)
        home = np.where(generator.random(size) < self.other_share, other, base)
        return np.where(generator.random(size) < self.moved, generator.integers(self.groups, size=size), home)

    def panel(self, people: int, generator: np.random.Generator) -> q.Groupings:
        """The same as a panel."""
        made = self.sorts((people,), generator).tolist()
        return q.Groupings.from_groups({f"p{j}": {f"c{i}": g for i, g in enumerate(r)} for j, r in enumerate(made)})


@lru_cache(maxsize=16)
def _people_needed(who: Sorters, target: float) -> float:
    """The number of people by drawing two panels of so many, many times."""
    generator = np.random.default_rng(11)

    def alike(k: int) -> float:
        panels = [together_or_not(who.sorts((60, k), generator)).mean(axis=1) for _ in range(2)]
        return float(agreement(*panels).mean())

    return smallest(alike, target)


def planned_cards(seed: int, people: int, who: Sorters, target: float = 0.9) -> dict[str, float]:
    """Of a pilot of card sorts: how much the groups of two panels as large as it says agree (adjusted Rand), and
    whether the interval holds the number that it takes."""
    generator = rng(seed)

    def agreed(number: int) -> list[int]:
        found = q.consensus(who.panel(number, generator), resamples=0, permutations=0).findings[0].values[0]
        place = {item: k for k, group in enumerate(found) for item in group}
        return [place[f"c{i}"] for i in range(who.cards)]

    need = q.plan(who.panel(people, generator), want=["winner"], certainty=target, seed=seed).cards[0]
    number, (low, high) = int(min(need.judges, MOST)), need.interval or (1, math.inf)
    same = float(np.mean([adjusted_rand(agreed(number), agreed(number)) for _ in range(3)]))
    return {"same groups": same, "held": float(low <= _people_needed(who, target) <= high)}


def judges_needed() -> Iterator[Experiment]:
    """How many judges are needed."""
    for moved, other_share in ((0.3, 0.0), (0.5, 0.0), (0.3, 0.2), (0.3, 0.4)):
        torn = f", 4 also elsewhere by {other_share:.0%}" if other_share else ""
        for people in (8, 15, 30):
            run = partial(planned_cards, people=people, who=Sorters(moved, other_share))
            setting = f"plan of 0.9 for 20 cards, {moved:.0%} anywhere{torn}, pilot of {people} people"
            yield Experiment("needed", "groupings", setting, run)
    for systems, share in ((2, 0.6), (4, 0.6), (6, 0.7)):
        run = partial(planned_votes, systems=systems, share=share)
        yield Experiment("needed", "votes", f"plan of 90% certainty, {systems} systems, share {share:g}", run)
    for judges in (6, 20):
        run = partial(planned_orders, items=6, judges=judges, noise=1.2)
        yield Experiment("needed", "orderings", f"plan of 80% certainty, pilot of {judges} judges", run)
    for judges, taste in ((4, 0.0), (4, 0.3), (8, 0.6)):
        run = partial(planned_from_votes, judges=judges, tasks=60, taste=taste)
        told = f"plan of 80% certainty, pilot of {judges} judges on 60 tasks, tastes of {taste:g}"
        yield Experiment("needed", "votes", told, run)
    run = partial(planned_scores, systems=5, judges=4, tasks=12)
    yield Experiment("needed", "scores", "plan of 80% certainty, pilot of 4 judges on 12 tasks", run, cheap=True)
    run = partial(planned_scores, systems=5, judges=4, tasks=12, apart=0.5, number=4)
    yield Experiment(
        "needed",
        "scores",
        "plan of 80% certainty, pilot and study of 4 judges who differ about systems",
        run,
        cheap=True,
    )
    run = partial(planned_scores, systems=6, judges=6, tasks=20, apart=0.0, number=6)
    yield Experiment(
        "needed", "scores", "plan of 80% certainty, pilot and study of 6 judges on 20 tasks", run, cheap=True
    )
    for right, careless in ((0.75, 0.2), (0.85, 0.0)):
        run = partial(planned_from_labels, right=right, careless=careless)
        told = f"plan of 85% of majorities, pilot of 4 labels on 80 items, {right:.0%} right, {careless:.0%} guess"
        yield Experiment("needed", "scores", told, run)
    for labels, right, careless in ((2, 0.8, 0.1), (2, 0.75, 0.3), (3, 0.7, 0.2)):
        run = partial(planned_labels, labels=labels, right=right, careless=careless)
        told = f"plan of 90% right, {labels} labels, careful judges right by {right:.0%}, {careless:.0%} guess"
        yield Experiment("needed", "scores", told, run)
    for items, noise in ((5, 1.5), (8, 3.0), (10, 6.0)):
        for judges in (20, 200):
            run = partial(needed, items=items, noise=noise, judges=judges)
            setting = f"{items} items, noise {noise:g}, {judges} judges"
            yield Experiment("needed", "orderings", setting, run)
    for items, noise in ((20, 0.7), (60, 1.5)):
        for judges in (5, 20):
            setting = f"{items} items, noise {noise:g}, {judges} judges"
            run = partial(reliable, items=items, noise=noise, judges=judges)
            yield Experiment("needed", "scores", setting, run)
