"""A report says what the commands say: only the number of resamples differs, and that is a note."""

from __future__ import annotations

import math

import numpy as np
import pytest

import quorate as q
from quorate import Groupings, Orderings, Scores


def orderings():
    rng = np.random.default_rng(0)
    orders = {
        f"t{t}": {f"j{j}": np.argsort(np.arange(6) + rng.normal(0, 2, 6)).tolist() for j in range(5)} for t in range(4)
    }
    return Orderings.from_orders(orders)


def groupings(tasks=12, judges=5, items=9):
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=(tasks, 1, items))
    noisy = np.where(rng.random((tasks, judges, items)) < 0.7, truth, rng.integers(-1, 3, size=(tasks, judges, items)))
    return Groupings.from_groups(
        {
            f"t{t}": {f"j{j}": {f"i{i}": None if g < 0 else g for i, g in enumerate(row)} for j, row in enumerate(rows)}
            for t, rows in enumerate(noisy.tolist())
        }
    )


def scores():
    rng = np.random.default_rng(2)
    task, judge, item = (x.ravel() for x in np.indices((12, 4, 5)))
    value = np.clip(np.round(3 + item / 2 + rng.normal(size=task.size)), 1, 5)
    system = np.char.add("s", item.astype(str))
    return Scores.build({"task": task, "judge": judge, "item": item + 5 * task, "system": system, "score": value})


def figures(answer):
    """Every row and overall figure that is no interval, chance or share of resamples."""
    out = {}
    for f in answer.findings:
        names = [n for n in f.keys if n != "left_out"]
        for k, value in enumerate(f.values):
            out[(str(f.method), *(str(f.keys[n][k]) for n in names))] = value
        for o in f.overall:
            out[(str(f.method), "overall", *(str(o.labels.get(n)) for n in ("judge", "system", "by", "measure")))] = (
                o.value
            )
    return out


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    return a == b


@pytest.mark.parametrize(
    "panel",
    [orderings(), pytest.param(groupings(), marks=pytest.mark.long), scores()],
    ids=["orderings", "groupings", "scores"],
)
def test_report_and_commands_give_the_same_figures(panel):
    page = q.report(panel, resamples=100, permutations=20)
    for section in page.sections:
        plain = getattr(q, section.question)(panel, resamples=100, permutations=20)
        asked, told = figures(plain), figures(section.answer)
        shared = set(asked) & set(told)
        assert shared, section.question
        assert {k: (asked[k], told[k]) for k in shared if not same(asked[k], told[k])} == {}


def notes(page, question):
    return " ".join(page.section(question).answer.notes)
