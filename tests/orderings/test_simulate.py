"""Simulated judges: the models' statistics, planted judges, seeds."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from quorate import BadParameter
from quorate.kernels.rank_correlation import tau
from quorate.orderings.simulate import as_panel, mallows, plackett_luce, random_orders, simulate


def with_truth(positions):
    """Tau of each judge with the true order."""
    tasks, _, items = positions.shape
    truth = np.broadcast_to(np.arange(1, items + 1), (tasks, 1, items))
    return tau(np.concatenate([truth, positions.astype(np.int64)], axis=1))[:, 0, 1:]


def makers():
    yield "mallows", lambda shape, rng: mallows(shape, 0.6, rng)
    yield "plackett_luce", lambda shape, rng: plackett_luce(shape, 0.7, rng)
    yield "random", random_orders


@pytest.mark.parametrize(("name", "make"), list(makers()), ids=lambda x: x if isinstance(x, str) else "")
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 7), (1, 4, 2)])
def test_every_judge_gives_every_place_once(name, make, shape):
    positions = make(shape, np.random.default_rng(0))
    assert positions.shape == shape
    assert (np.sort(positions, axis=2) == np.arange(1, shape[2] + 1)).all()


def mean_tau(items, dispersion):
    """The tau of a Mallows judge with the true order, on average: 1 with dispersion 0, and 0 with dispersion 1."""
    swaps = 0.0
    for size in range(2, items + 1):
        odds = dispersion ** np.arange(float(size))
        swaps += float((np.arange(size) * odds).sum() / odds.sum())
    return 1 - 2 * swaps / math.comb(items, 2)


@pytest.mark.parametrize("dispersion", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_mallows_judges_are_as_far_from_the_truth_as_the_model_says(dispersion):
    seen = with_truth(mallows((40, 50, 6), dispersion, np.random.default_rng(1)))
    assert seen.mean() == pytest.approx(mean_tau(6, dispersion), abs=0.03)


def test_mallows_orders_are_as_likely_as_their_distance_says():
    """Every order of three items: odds fall by the dispersion with each swap."""
    drawn = mallows((1, 60_000, 3), 0.5, np.random.default_rng(2))[0]
    seen = Counter(map(tuple, drawn.tolist()))
    odds = {o: 0.5 ** sum(a > b for a, b in itertools.combinations(o, 2)) for o in itertools.permutations((1, 2, 3))}
    total = sum(odds.values())
    for order, weight in odds.items():
        assert seen[order] / 60_000 == pytest.approx(weight / total, abs=0.01)


def test_plackett_luce_picks_the_first_item_by_worth():
    drawn = plackett_luce((1, 60_000, 3), 1.0, np.random.default_rng(3))[0]
    worth = np.exp(-np.arange(3.0))
    first = [(drawn[:, i] == 1).mean() for i in range(3)]
    assert first == pytest.approx((worth / worth.sum()).tolist(), abs=0.01)


def test_a_panel_has_the_judges_that_were_asked_for():
    panel = simulate(judges=3, items=5, tasks=2, dispersion=0.8, random=2, reversed=1, lazy=2)
    assert panel.judges == (1, 2, 3, "random-1", "random-2", "reversed-1", "lazy-1", "lazy-2")
    for task in panel.tasks:
        orders = panel.orders(task)
        assert orders["reversed-1"] == [[5], [4], [3], [2], [1]]
        assert orders["lazy-1"] == orders["lazy-2"] == orders[1]


def test_the_same_seed_gives_the_same_panel_and_a_random_judge_more_leaves_the_others():
    one = simulate(judges=4, tasks=3, seed=5)
    assert simulate(judges=4, tasks=3, seed=5).columns() == one.columns()
    assert simulate(judges=4, tasks=3, seed=6).columns() != one.columns()
    more = simulate(judges=4, tasks=3, random=1, seed=5)
    assert more.drop_judges("random-1") == one


def test_absent_items_of_positions_stay_absent():
    assert as_panel(np.array([[[1, 0, 2], [1, 2, 3]]])).orders() == {1: [[1], [3]], 2: [[1], [2], [3]]}


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"model": "malows"}, "did you mean 'mallows'"),
        ({"judges": 0}, "whole number from 1"),
        ({"dispersion": 1.5}, "from 0 to 1"),
        ({"lazy": -1}, "from 0"),
        ({"steepness": -1.0}, "from 0"),
    ],
)
def test_wrong_settings_are_told_with_a_hint(wrong, hint):
    with pytest.raises(BadParameter, match=hint):
        simulate(**wrong)
