"""Stacks: tasks of one shape as one array, and stacks of several shapes padded into one."""

import random

import numpy as np
import pytest

from quorate import Orderings, agreement
from quorate.orderings import support
from quorate.panel.stacks import padded, stacks


def panel(seed: int) -> Orderings:
    rnd = random.Random(seed)
    tasks = {}
    for t in range(9):
        items = [f"i{t}-{k}" for k in range(rnd.choice([2, 5, 9, 14]))]
        judges = rnd.choice([2, 3, 5])
        tasks[f"t{t}"] = {f"j{k}": rnd.sample(items, rnd.randint(1, len(items))) for k in range(judges)}
    return Orderings.from_orders(tasks)


@pytest.mark.parametrize("seed", range(8))
def test_padding_changes_no_value_and_keeps_the_order_of_tasks(seed):
    some = panel(seed)
    found = agreement(some, "support(q=2, gamma=0.9, lam=0.8)", resamples=100, permutations=0).findings[0]
    for task, value, k1 in zip(found.keys["task"], found.values, found.details["kappa1"], strict=True):
        alone = support(some.select(tasks=[task]), q=2, gamma=0.9, lam=0.8)
        assert value == pytest.approx(alone.kappa2, abs=1e-12)
        assert k1 == pytest.approx(alone.kappa1, abs=1e-12)


def test_padded_stacks_hold_every_task_once_and_mark_what_is_padding():
    parts = list(stacks(panel(1)))
    joined = padded(parts)
    assert len(joined) < len(parts)
    assert sorted(t for p in joined for t in p.tasks.tolist()) == list(range(9))
    for p in joined:
        assert not p.positions[np.broadcast_to((p.items < 0)[:, None, :], p.positions.shape)].any()


def test_stacks_that_would_be_mostly_padding_stay_apart():
    wide = Orderings.from_orders(
        {"a": {"x": list(range(400)), "y": list(range(400))}} | {f"t{k}": {"x": "ab", "y": "ba"} for k in range(30)}
    )
    assert len(padded(list(stacks(wide)))) == 2


@pytest.mark.parametrize(
    ("items_of", "least"),
    [
        (lambda t: [f"i{k}" for k in range(6)], 6),  # every item on every task
        (lambda t: [f"i{k}" for k in range(t % 3, 9)], 3),  # most of them
        (lambda t: [f"i{t}-{k}" for k in range(6)], 3),  # its own
        (lambda t: [f"i{(7 * t + k) % 90}" for k in range(6)], 3),  # few, which other tasks have too
    ],
)
def test_stacks_hold_every_place_whatever_items_tasks_share(items_of, least):
    rnd = random.Random(5)
    tasks = {}
    for t in range(30):
        items = items_of(t)
        tasks[t] = {f"j{k}": rnd.sample(items, rnd.randint(least, len(items))) for k in range(1 + t % 3)}
    some = Orderings.from_orders(tasks)
    seen = 0
    for part in stacks(some):
        for t, judges, items, places in zip(part.tasks, part.judges, part.items, part.positions, strict=True):
            for j, row in zip(judges, places, strict=True):
                held = sorted((int(p), some.items[i]) for p, i in zip(row, items, strict=True) if p)
                assert [name for _, name in held] == tasks[some.tasks[t]][some.judges[j]]
                assert [p for p, _ in held] == list(range(1, len(held) + 1))
                seen += 1
    assert seen == sum(map(len, tasks.values()))
