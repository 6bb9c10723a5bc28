"""Differences of systems by judges resampled: as pair by pair, and for thousands of systems."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.inference.board import drawn_differences
from quorate.inference.letters import clusters
from quorate.kernels.tails import beyond, beyond_each
from tests.reference import score_trust as plain

NAN = math.nan


@given(data=st.data())
def test_differences_are_those_of_every_pair_alone(data):
    systems, draws = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 6))
    cell = st.one_of(st.sampled_from([0.1, 0.3, 1e3, NAN]), st.floats(-5, 5, width=16))
    drawn = [[data.draw(cell) for _ in range(systems)] for _ in range(draws)]
    if data.draw(st.booleans()):  # some systems move together
        drawn = [[row[0] + k // 2 for k in range(systems)] for row in drawn]
    judges = [data.draw(st.integers(1, 6)) for _ in range(systems)]
    values = [data.draw(st.sampled_from([0.0, 0.5, 2.0, NAN])) for _ in range(systems)]
    found = drawn_differences(np.array(values), np.array(drawn), np.array(judges))
    for a in range(systems):
        for b in range(systems):
            expected = NAN if a == b else plain.drawn_p(values, drawn, judges, a, b)
            assert found[a, b] == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_items_that_all_judges_score_alike_do_not_differ_by_rounding():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(5, 1)) * 1e3 + np.array([0.0, 0.1, 0.1])  # the three move together, far
    drawn = (rng.multinomial(5, [0.2] * 5, size=300) / 5) @ scores
    p = drawn_differences(scores.mean(axis=0), drawn, np.full(3, 5))
    assert p[1, 2] == 1
    assert p[0, 1] == pytest.approx(2.0**-4)


def test_a_thousand_systems_are_compared_at_once():
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(100, 1000))
    start = time.process_time()
    p = drawn_differences(drawn.mean(axis=0), drawn, np.full(1000, 5))
    assert time.process_time() - start < 5  # pair by pair it took over ten times as long as at once
    assert p[3, 5] == pytest.approx(plain.drawn_p(drawn.mean(axis=0), drawn, [5] * 1000, 3, 5))


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 40, 2500])
def test_many_p_values_are_those_one_by_one(freedom):
    values = np.array([0.0, 0.2, 1.0, 3.0, 30.0])
    assert beyond_each(values, freedom).tolist() == pytest.approx([beyond(v, freedom) for v in values], abs=1e-12)


@given(data=st.data(), size=st.integers(1, 6))
def test_clusters_are_those_of_every_split(data, size):
    p = np.full((size, size), NAN)
    for a in range(size):
        for b in range(a + 1, size):
            p[a, b] = p[b, a] = data.draw(st.sampled_from([0.01, 0.04, 0.2, NAN]))
    order = data.draw(st.permutations(range(size)))
    assert clusters(p, order) == plain.clusters(p.tolist(), order)
