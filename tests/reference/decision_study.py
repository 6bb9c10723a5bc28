"""Studies simulated judgment by judgment: how often is the first system the true first one, and are two told apart?"""

from __future__ import annotations

import math
import random


def study(levels, by_task, by_judge, rest, judges, tasks, rng):
    """Every system's mean over tasks and judges, all effects resampled."""
    means = []
    for level in levels:
        judge_effects = [rng.gauss(0, math.sqrt(by_judge)) for _ in range(judges)]
        total = 0.0
        for _ in range(tasks):
            task_effect = rng.gauss(0, math.sqrt(by_task))
            total += sum(level + task_effect + e + rng.gauss(0, math.sqrt(rest)) for e in judge_effects)
        means.append(total / (judges * tasks))
    return means


def certainty(levels, by_task, by_judge, rest, judges, tasks, top=1, studies=400, seed=0):
    """The share of studies whose first systems are the true ones."""
    rng = random.Random(seed)
    true = set(sorted(range(len(levels)), key=lambda k: -levels[k])[:top])
    hits = 0
    for _ in range(studies):
        found = study(levels, by_task, by_judge, rest, judges, tasks, rng)
        hits += set(sorted(range(len(levels)), key=lambda k: -found[k])[:top]) == true
    return hits / studies
