"""Variance components: the analysis of variance where a design is balanced, unbiased where it is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import anova
from quorate.kernels.variance_components import components_of_copies, variance_components


def crossed(seed: int, items: int, judges: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(items, judges)) + 2 * rng.normal(size=(items, 1)) + rng.normal(size=judges)
    return table, *np.divmod(np.arange(items * judges), judges)


def by_anova(table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    m = anova.two_way(table, weights)
    return np.stack([(m.units - m.residual) / m.k, (m.judges - m.residual) / m.n, m.residual], axis=1)


def test_a_balanced_table_gives_the_analysis_of_variance_to_the_last_digits() -> None:
    table, item, judge = crossed(1, 8, 5)
    found = variance_components(table.ravel(), [item, judge])
    assert found == pytest.approx(by_anova(table, np.ones((1, 8))), rel=1e-10)
    far = variance_components(table.ravel() * 1e-9 + 1e-3, [item, judge]) * 1e18
    assert far == pytest.approx(found, rel=1e-5)


def test_an_item_drawn_twice_is_two_items_and_its_judges_are_the_same() -> None:
    table, item, judge = crossed(2, 8, 5)
    weights = np.random.default_rng(3).multinomial(8, [1 / 8] * 8, size=4).astype(float)
    found = variance_components(table.ravel(), [item, judge], [(item, weights)])
    assert found == pytest.approx(by_anova(table, weights), rel=1e-9)


def test_two_units_drawn_crossed_are_rows_written_out() -> None:
    """Tasks with two items each, drawn with judges: every copy written out as a task, or a judge, of its own."""
    rng = np.random.default_rng(4)
    task, item, judge = (a.ravel() for a in np.meshgrid(np.arange(4), np.arange(2), np.arange(3), indexing="ij"))
    item = task * 2 + item
    value = rng.normal(size=len(task)) + rng.normal(size=4)[task] + rng.normal(size=8)[item]
    tasks, judges = np.array([[2.0, 0, 1, 1]]), np.array([[1.0, 2, 0]])
    found = variance_components(value, [task, item, judge, task * 3 + judge], [(task, tasks), (judge, judges)])
    rows = [
        (r, (task[r], a), (item[r], a), (judge[r], b), (task[r], a, judge[r], b))
        for r in range(len(value))
        for a in range(int(tasks[0, task[r]]))
        for b in range(int(judges[0, judge[r]]))
    ]
    codes = [np.array([sorted({row[k] for row in rows}).index(row[k]) for row in rows]) for k in (1, 2, 3, 4)]
    written = variance_components(value[[row[0] for row in rows]], codes)
    assert found == pytest.approx(written, rel=1e-9, abs=1e-9)


@given(st.integers(0, 2**16), st.floats(0, 0.5))
def test_components_do_not_depend_on_how_levels_are_numbered(seed: int, gaps: float) -> None:
    """Crossings that part the rows as another factor does are looked at once, whatever their numbers."""
    rng = np.random.default_rng(seed)
    task, item, judge = (a.ravel() for a in np.meshgrid(np.arange(4), np.arange(3), np.arange(3), indexing="ij"))
    kept = rng.random(len(task)) >= gaps
    kept[:2] = True
    task, item, judge = task[kept], (task * 3 + item)[kept], judge[kept]
    value, factors = rng.normal(size=len(task)), [task, judge, item, task * 3 + judge]
    units = [(task, rng.integers(0, 3, (5, 4)).astype(float)), (judge, rng.integers(0, 3, (5, 3)).astype(float))]
    others = [rng.permutation(int(f.max()) + 1)[f] for f in factors]
    for drawn in (units, units[:1], []):
        found, again = (variance_components(value, some, drawn) for some in (factors, others))
        assert found == pytest.approx(again, rel=1e-6, abs=1e-9, nan_ok=True)


def test_what_the_design_cannot_tell_apart_is_undefined() -> None:
    table, item, judge = crossed(5, 6, 3)
    whole = variance_components(table.ravel(), [item, judge])[0]
    found = variance_components(table.ravel(), [item, judge, np.arange(18)])[0]  # a level for every row: the residual
    assert np.isnan(found[2:]).all()
    assert found[:2] == pytest.approx(whole[:2])
    twice = variance_components(table.ravel(), [item, item, judge])[0]
    assert np.isnan(twice[:2]).all()
    assert twice[2:] == pytest.approx(whole[1:])


def test_nothing_varies_or_nothing_is_there() -> None:
    assert variance_components(np.full(4, 7.1), [np.array([0, 0, 1, 1])]).tolist() == [[0.0, 0.0]]
    assert np.isnan(variance_components(np.zeros(0), [np.zeros(0, int)])).all()


def test_unbiased_where_each_unit_has_one_or_two_of_many_raters() -> None:
    rng = np.random.default_rng(6)
    found = []
    for _ in range(60):
        each = 1 + (rng.random(200) < 0.5)
        unit = np.repeat(np.arange(200), each)
        rater = np.concatenate([rng.choice(15, k, replace=False) for k in each])
        value = rng.normal(size=200)[unit] + 0.5 * rng.normal(size=15)[rater] + rng.normal(size=len(unit))
        found.append(variance_components(value, [unit, rater])[0])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(60)
    assert (np.abs(mean - [1, 0.25, 1]) < 4 * error).all()
    assert (error < 0.04).all()


@given(st.integers(0, 10**6))
def test_copies_of_a_design_have_the_components_of_each_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 30))
    factors = [rng.integers(0, size, rows) for size in (8, 3)]
    values = rng.integers(0, 4, (5, rows)).astype(float)
    values[1] = 2.0  # all the same
    alone = np.concatenate([variance_components(own, factors) for own in values])
    assert components_of_copies(values, factors) == pytest.approx(alone, rel=1e-9, abs=1e-9, nan_ok=True)
