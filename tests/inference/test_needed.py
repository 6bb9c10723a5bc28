"""How many judges a repeatable consensus takes, against what drawing from a large population gives."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from quorate.inference import needed
from quorate.inference.crossing import smallest
from quorate.inference.item_means import Answers
from quorate.inference.needed import _added, _counted, pearson, repeatability, spearman


def streams(seed: int) -> Callable[..., np.random.Generator]:
    return lambda *names: np.random.default_rng([seed, *(zlib.crc32(str(n).encode()) for n in names)])


def judges(number: int, items: int, noise: float, seed: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng([seed, number])
    return np.argsort(np.argsort(np.arange(items) + noise * rng.normal(size=(number, items)), axis=1), axis=1) + 1.0


@given(st.integers(1, 9), st.integers(0, 999), st.integers(0, 2))
def test_rho_without_gaps_is_that_of_the_same_items_beside_a_gap(items, seed, digits):
    two = np.random.default_rng(seed).normal(size=(2, 4, items)).round(digits)
    beside = np.concatenate([two, np.full((2, 4, 1), np.nan)], axis=2)
    assert np.array_equal(spearman(*two), spearman(*beside), equal_nan=True)


def test_pairs_looked_at_some_at_a_time_agree_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    two = np.random.default_rng(1).normal(size=(2, 9, 40)).round(1)
    two[0, :, :5] = two[1, 3:, 30:] = np.nan
    plain = spearman(*two)
    for row, (a, b) in enumerate(zip(*two, strict=True)):
        both = ~np.isnan(a) & ~np.isnan(b)
        assert plain[row] == pytest.approx(stats.spearmanr(a[both], b[both]).statistic)
    monkeypatch.setattr(needed, "BLOCK", 80)
    assert spearman(*two).tolist() == plain.tolist()


def truth(items: int, noise: float, target: float = 0.9) -> float:
    voters, rng = judges(20_000, items, noise, 7), np.random.default_rng(1)

    def agreed(k: int) -> float:
        two = voters[rng.integers(len(voters), size=(2, 1000, k))].mean(axis=2)
        return float(spearman(*two).mean())

    return smallest(agreed, target)


@pytest.mark.parametrize(("items", "noise"), [(5, 1.5), pytest.param(8, 3.0, marks=pytest.mark.long)])
def test_the_number_is_that_of_the_population(items: int, noise: float) -> None:
    wanted, hits = truth(items, noise), 0
    for seed in range(6):
        needed = repeatability([Answers.of(judges(12, items, noise, seed))], spearman, streams(seed)).needed(0.9)
        hits += needed.low <= wanted <= needed.high
        assert needed.low <= needed.value <= needed.high
    assert hits >= 5
    many = repeatability([Answers.of(judges(300, items, noise, 1))], spearman, streams(1)).needed(0.9)
    assert wanted / 1.5 <= many.value <= wanted * 1.5 + 1


def test_the_interval_of_very_many_judges_is_narrow() -> None:
    wanted = truth(8, 3.0)
    needed = repeatability([Answers.of(judges(2_000, 8, 3.0, 1))], spearman, streams(1)).needed(0.9)
    assert needed.low <= wanted <= needed.high
    assert needed.high / needed.low < 1.6  # one pair of panels for each population made it 4 and more


@given(st.integers(1, 3), st.integers(1, 4), st.integers(2, 9), st.integers(0, 99))
def test_judges_drawn_one_by_one_add_up_as_those_that_are_counted(tasks: int, k: int, number: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((tasks, number, 4)) < 0.2, np.nan, rng.integers(1, 5, (tasks, number, 4)))
    rows = np.broadcast_to(np.arange(number), (tasks, number))
    part = Answers(values, np.ones((tasks, number), np.int64), rows)
    drawn = rng.integers(number, size=(k, 2, 3, tasks))
    for one, other in zip(_added(part, drawn), _counted(part, drawn), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_counted_rows_are_their_judges() -> None:
    values = judges(6, 5, 2.0, 3)
    counts = np.array([3, 1, 2, 5, 1, 4])
    whole = repeatability([Answers.of(np.repeat(values, counts, axis=0))], spearman, streams(1))
    rows = np.arange(6)[None]
    counted = repeatability([Answers(values[None], counts[None], rows)], spearman, streams(2))
    assert [counted.at(k) for k in (1, 4, 8)] == pytest.approx([whole.at(k) for k in (1, 4, 8)], abs=0.03)
    assert counted.judges == whole.judges == 16


def test_judges_at_random_never_agree() -> None:
    rng = np.random.default_rng(5)
    found = repeatability([Answers.of(rng.permuted(np.tile(np.arange(6.0), (8, 1)), axis=1))], spearman, streams(0))
    assert found.needed(0.9).high == np.inf
    low, high = found.between(8)
    assert low < 0.3 < high


def test_gaps_equal_judges_and_nothing_to_compare() -> None:
    values = judges(10, 6, 1.0, 1)
    values[::3, 2] = np.nan
    assert 0 < repeatability([Answers.of(values)], pearson, streams(0)).at(4) <= 1
    assert repeatability([Answers.of(np.tile(np.arange(5.0), (4, 1)))], spearman, streams(0)).needed(0.9).value == 1
    for nothing in (np.ones((4, 5)), np.arange(5.0)[None], np.arange(3.0)[:, None]):
        assert not repeatability([Answers.of(nothing)], spearman, streams(0))


def test_tasks_count_the_same_whatever_their_judges() -> None:
    """The mean over tasks, also where one task has so many judges that panels can be drawn and another not."""
    few, many = Answers.of(judges(4, 6, 0.5, 1)), Answers.of(judges(40, 6, 3.0, 2))
    alone = [repeatability([part], spearman, streams(0)).at(5) for part in (few, many)]
    both = repeatability([few, many], spearman, streams(0)).at(5)
    assert both == pytest.approx(sum(alone) / 2, abs=0.12)
