"""Stacks: tasks of one shape as one array, and stacks of several shapes padded into one."""

import random

import numpy as np
import pytest

from quorate import Orderings, agreement
from quorate.orderings import support
from quorate.panel.residuals import Errors
from quorate.panel.stacks import OrderingDesign, padded, stacks


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


def test_errors_are_drawn_among_those_of_answers_that_are_expected_nearly_alike():
    expected, left = np.repeat([0.0, 100.0], 200), np.repeat([1.0, -1.0], 200)
    drawn = Errors.of(expected, left).drawn(np.random.default_rng(0), 3)
    assert drawn.shape == (3, 400)
    far = np.r_[:180, 220:400]  # but where the two meet
    np.testing.assert_array_equal(drawn[:, far], np.broadcast_to(left[far], (3, len(far))))
    assert Errors.of(expected, 0 * left).drawn(np.random.default_rng(0)).std() > 0.5  # none to draw: normal ones


@pytest.mark.parametrize("seed", range(4))
def test_alike_judges_rank_what_was_ranked_and_without_noise_by_mean_places(seed):
    design = OrderingDesign.of(panel(seed), None)
    still, noisy = (design.alike(noise, np.random.default_rng(seed), 2) for noise in (0.0, 3.0))
    for own, quiet, loud in zip(design.parts, still.parts, noisy.parts, strict=True):
        twice = np.concatenate([own.positions, own.positions])
        for other in (quiet, loud):
            assert np.array_equal(other.positions > 0, twice > 0)
            assert np.array_equal(np.sort(other.positions, axis=2), np.sort(twice, axis=2))
        held = (own.positions > 0).sum(axis=2, keepdims=True)
        place = np.where(own.positions > 0, (own.positions - 0.5) * own.positions.shape[2] / held, np.nan)
        mean = np.broadcast_to(np.nanmean(place, axis=1, keepdims=True), place.shape)
        for task, judge in np.ndindex(mean.shape[:2]):
            items = np.flatnonzero(own.positions[task, judge])
            there = quiet.positions[task, judge, items]
            assert (np.diff(mean[task, judge, items][np.argsort(there)]) >= -1e-9).all()
