"""Means that are equal but for the order in which they were added up are ties, and no order is read into them."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.inference.board import drawn_differences
from quorate.kernels.correlations import COEFFICIENTS, by_column, correlate
from quorate.scores import acc_eq, spa
from quorate.scores.metric_correlations import correlation


def tenths(rows):
    """Tables of tenths, which doubles cannot hold, as exact fractions."""
    return [[Fraction(v, 10) for v in row] for row in rows]


def sign(v):
    return (v > 0) - (v < 0)


def exact_tau(x, y):
    pairs = [(sign(a - c), sign(b - d)) for (a, b), (c, d) in itertools.combinations(list(zip(x, y, strict=True)), 2)]
    one, two = sum(p * p for p, _ in pairs), sum(r * r for _, r in pairs)
    return sum(p * r for p, r in pairs) / math.sqrt(one * two) if one and two else math.nan


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=3, max_size=7),
    st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=7, max_size=7),
)
def test_tau_of_system_means_equals_that_of_exact_means(metric, human):
    human = human[: len(metric)]
    x, z = np.array(metric) / 10, np.array(human) / 10
    means = [[sum(column) / len(column) for column in zip(*tenths(t), strict=True)] for t in (metric, human)]
    assert correlation(x, z, "system", "kendall") == pytest.approx(exact_tau(*means), nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_values_that_differ_by_rounding_alone_do_not_vary(coefficient):
    x = np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.6])
    assert x[0] != x[1]
    assert math.isnan(correlate(x, np.array([1.0, 2.0, 3.0]), coefficient))
    assert np.isnan(by_column(x[:, None], np.array([[1.0], [2.0], [3.0]]), np.ones((1, 3)), coefficient)).all()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=2, max_size=6))
def test_no_epsilon_parts_differences_that_are_equal(cells):
    x, z = ([c[k] for c in cells] for k in (0, 1))
    gaps = [(a - c, b - d) for (a, b), (c, d) in itertools.combinations(cells, 2)]
    best = max(
        sum((0 if abs(g) <= e else sign(g)) == sign(h) for g, h in gaps) / len(gaps)
        for e in {0} | {abs(g) for g, _ in gaps}
    )
    assert acc_eq(np.array([x]) / 10, np.array([z]) / 10)[0] == pytest.approx(best)


@given(seed=st.integers(0, 999))
def test_soft_pairwise_accuracy_does_not_depend_on_the_order_of_systems(seed):
    rng = np.random.default_rng(seed)
    x, z = rng.integers(1, 4, size=(2, 6, 5)).astype(float)
    x[0, 0] = math.nan
    order = rng.permutation(5)
    assert spa(x[:, order], z[:, order], 200) == pytest.approx(spa(x, z, 200))


def test_constant_scores_have_no_correlation_on_the_command_line(tmp_path):
    cells = [(task, system) for task in range(7) for system in "abcd"]
    panel, metrics = tmp_path / "p.csv", tmp_path / "m.csv"
    rows = [f"{judge},{task},{system},0.1" for judge in "xy" for task, system in cells if (task, system) != (2, "b")]
    panel.write_text("judge,task,system,score\n" + "\n".join(rows))
    metrics.write_text("task,system,m\n" + "\n".join(f"{t},{s},{0.3 if s == 'a' else 0.7}" for t, s in cells))
    asked = [f"metrics(coefficient={c})" for c in COEFFICIENTS]
    command = ["trust", str(panel), "--metrics", str(metrics), "--format", "json", "--resamples", "100"]
    done = CliRunner().invoke(main, [*command, *(word for m in asked for word in ("--method", m))])
    found = json.loads(done.stdout)["overall"]
    assert found
    assert all(o["value"] is None for o in found)


def test_inputs_without_a_correlation_are_counted():
    human = q.Scores.build(
        {
            "judge": ["j"] * 9,
            "task": [1, 1, 1, 2, 2, 2, 3, 3, 3],
            "system": list("abc") * 3,
            "item": list("abc") * 3,
            "score": [1, 2, 3, 4, 4, 4, 3, 1, 2],
        }
    )
    metric = q.Scores.build(
        {
            "judge": ["m"] * 9,
            "task": [1, 1, 1, 2, 2, 2, 3, 3, 3],
            "system": list("abc") * 3,
            "item": list("abc") * 3,
            "score": [1, 2, 3, 1, 2, 3, 1, 2, 3],
        }
    )
    answer = q.trust(human, "metrics", metrics=metric, resamples=100)
    (found,) = [o for o in answer.findings[0].overall if o.labels["level"] == "input" and o.labels["worst"] == 0]
    assert found.labels["undefined"] == 1
    assert found.value == pytest.approx((1 - 0.5) / 2)  # r = 1 on task 1, -1/2 on task 3
    assert any("undefined on 1 of 3 tasks" in note for note in answer.notes)


def test_without_draws_there_is_no_p_rather_than_one():
    assert np.isnan(drawn_differences(np.array([1.0, 2.0]), np.full((1, 2), np.nan), np.full(2, 5))).all()


def test_draws_that_lack_a_system_count_for_nothing():
    values = np.array([1.0, 2.0])
    drawn = np.array([[1.0, 2.0], [1.2, 1.9], [0.7, 2.2]] * 20)
    lacking = np.concatenate([drawn, np.tile([math.nan, 2.0], (50, 1))])
    found = drawn_differences(values, lacking, np.full(2, 8))
    assert 0 < found[0, 1] < 1
    assert found[0, 1] == drawn_differences(values, drawn, np.full(2, 8))[0, 1]


def test_two_systems_are_compared_by_the_judges_that_the_one_with_fewer_has():
    values, drawn = np.array([1.0, 2.0]), np.array([[1.0, 2.0], [1.4, 1.9], [0.7, 2.3]] * 20)
    found = drawn_differences(values, drawn, np.array([3, 30]))
    assert found[0, 1] == drawn_differences(values, drawn, np.full(2, 3))[0, 1]
