"""What methods of one panel share: permuted answers, and squares of judges whose names are exchanged."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.groupings.pairwise import agreements, agreements_at_once, crossed, with_others
from quorate.inference import engine, samples
from quorate.inference.engine import Figures
from quorate.inference.judge_squares import judge_squares
from quorate.inference.results import Options
from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_with_others
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.task_design import VOTERS

METHODS = [f"peer_agreement(measure={m}, left_out={w})" for m in ("v_beta", "v_half", "nvi") for w in ("bucket",)]


@pytest.fixture(scope="module")
def panel():
    rng = np.random.default_rng(2)
    rows = [(t, j, i, str(rng.integers(3))) for t in range(7) for j in range(4) for i in range(6) if rng.random() > 0.1]
    return q.Groupings.build(dict(zip(("task", "judge", "item", "group"), zip(*rows, strict=True), strict=True)))


def nulls(design, methods, **more):
    return [Figures.of(m, design).nulls(Options(permutations=30), own=True, **more) for m in methods]


def test_chance_of_judges_is_the_same_whether_measures_are_asked_together_or_alone(panel):
    methods = [table.parse(m, "groupings", "judges") for m in METHODS]
    design = GroupingDesign.of(panel)
    together = nulls(design.for_methods(methods), methods)
    alone = [nulls(design.for_methods([m]), [m])[0] for m in methods]
    assert together == alone


def test_shared_chance_is_that_of_each_judge_permuted_and_the_others_as_they_are(panel):
    methods = [table.parse(m, "groupings", "judges") for m in METHODS]
    design = GroupingDesign.of(panel).for_methods(methods)
    shared = [design.shared_permutations(m, 0, own=True)(5) for m in methods]
    permuted = design.permuted(engine.stream(0, "null", design.kind, 0), 5)
    for method, found in zip(methods, shared, strict=True):
        plain = design.one_by_one(VOTERS).values_instead(method, permuted)
        assert found.array.tolist() == plain.array.tolist()
        assert {n: c.tolist() for n, c in found.keys.items()} == {n: c.tolist() for n, c in plain.keys.items()}


def test_of_very_many_tasks_some_are_drawn_once_for_all_methods(panel, monkeypatch):
    monkeypatch.setattr(samples, "TASKS", 3)
    design = GroupingDesign.of(panel)
    assert len(samples.sampled(design, 5).tasks) == 3
    assert samples.sampled(design, 5) is samples.sampled(design, 5)
    assert samples.sampled(design, 6).tasks != samples.sampled(design, 5).tasks


def test_names_exchanged_keep_what_every_two_judges_of_a_task_agree(panel):
    squares = judge_squares(table.parse("adjusted_rand", "groupings", "agreement"), GroupingDesign.of(panel))
    found = squares.exchanged(np.random.default_rng(1))[0]
    total, number, rng = squares.total[0], squares.number[0], np.random.default_rng(1)
    order = np.argsort(rng.random(number.shape[:2]), axis=1)  # all judges did all tasks
    plain = [[t[np.ix_(o, o)] for t, o in zip(each, order, strict=True)] for each in (total, number)]
    expected = quotient(*(np.sum(each, axis=0) for each in plain))
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("shown", [0, -1, -2])  # at the least: all is used, some is left out, some was not shown
def test_means_of_single_judges_need_no_table_of_all(shown):
    """Nobody is compared with himself, and each is compared with the others only: the same means."""
    methods = [table.parse(m, "groupings", "agreement") for m in ("v_beta", "v_half", "adjusted_rand")]
    rng = np.random.default_rng(1)
    labels = rng.integers(shown, 3, (4, 5, 7))
    labels[0, 0] = shown
    own, ones = rng.permuted(np.tile(labels, (2, 1, 1)), axis=2), np.ones((4, 5), np.int64)
    for quick, plain in zip(*(f(methods, labels, ones, True) for f in (agreements_at_once, agreements)), strict=True):
        assert quick.values == pytest.approx(plain.values, nan_ok=True)
    every = crossed(methods, own, np.tile(labels, (2, 1, 1)))
    for quick, both in zip(with_others(methods, own, labels), every, strict=True):
        plain = mean_with_others(both.mean.transpose(0, 2, 1), np.ones((8, 5)), False)
        assert quick == pytest.approx(plain, nan_ok=True)
