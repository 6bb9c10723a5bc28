"""Whether leaving out the worst judges pays, over collections; and that the answer can be no."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.trained.gains import MARGIN, gains
from quorate.trained.metric import refit
from quorate.trained.search import search
from quorate.trained.sheet import Sheet
from quorate.trained.table5 import evaluate


def row(difference, random=None, pearson=0.9, target="pyramid"):
    more = {} if random is None else {"random": random}
    return {"target": target, "training": "new (alpha)", "pearson": pearson, "difference": difference, **more}


small = st.floats(-0.5, 0.5)


@given(st.lists(st.lists(small, min_size=1, max_size=4), min_size=2, max_size=6))
@settings(max_examples=25, deadline=None)
def test_the_gain_is_the_mean_over_collections_of_their_means_with_students_interval(tables):
    found = gains([[row(d) for d in some] for some in tables])[0]
    means = [statistics.fmean(some) for some in tables]
    quantile = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}[len(means) - 1]  # of Student's t, tables
    half = quantile * statistics.stdev(means) / math.sqrt(len(means))
    assert found.value == pytest.approx(statistics.fmean(means), abs=1e-12)
    assert found.high - found.value == pytest.approx(half, rel=1e-4, abs=1e-12)
    assert found.collections == len(tables)


def test_a_loss_is_told_and_so_is_a_gain():
    lost = gains([[row(-0.05)], [row(-0.06)], [row(-0.055)]])[0]
    assert not lost.not_worse
    assert "not shown" in lost.sentence()
    won = gains([[row(0.05)], [row(0.06)], [row(0.055)]])[0]
    assert won.better
    level = gains([[row(0.001)], [row(-0.001)], [row(0.0)]])[0]
    assert level.not_worse
    assert not level.better
    assert f"not worse by {MARGIN}" in level.sentence()


def test_metrics_trained_without_other_judges_are_compared_too_and_targets_apart():
    tables = [[row(0.0, 0.8), row(0.0, 0.7, target="readability")], [row(0.0, 0.85), row(0.0, target="readability")]]
    found = {(g.target, g.beside): g for g in gains(tables)}
    assert found["pyramid", "random"].value == pytest.approx(0.075)
    assert found["readability", "random"].collections == 1
    assert math.isnan(found["readability", "random"].low)
    assert not found["readability", "random"].not_worse


def test_one_collection_or_none_proves_nothing():
    assert not gains([[row(0.5)]])[0].better
    assert gains([[], []])[0].collections == 0


NAMES = ("rouge_1", "rouge_2", "unended", "dateline", "redundancy", "longest")
JUDGES = "ABCDEFGH"


def year(name, rng, bad):
    """24 tasks of 8 judges and 30 systems; scores follow two features, and the scores of judge C have an error more."""
    tasks, systems = 24, 30
    good, fluent = rng.normal(size=(2, systems))
    x = rng.normal(size=(tasks, systems, len(NAMES)))
    x[:, :, 1] += 2 * good
    x[:, :, 2] -= 2 * fluent
    judges = tuple(JUDGES[k % 8] for k in range(tasks))
    error = np.array([bad if j == "C" else 0.3 for j in judges])[:, None, None]
    y = np.stack([good, good + fluent, fluent], axis=1) + error * rng.normal(size=(tasks, systems, 3))
    named = tuple(map(str, range(tasks))), tuple(map(str, range(systems)))
    return Sheet(name, "main", "NoModels", *named, judges, NAMES, x, y)


def simulated(seed, bad, dropped):
    """Table 5's row for responsiveness: without the dropped judge, beside all tasks and without two others."""
    rng = np.random.default_rng(seed)
    first, second, test = (year(n, rng, bad) for n in ("1", "2", "3"))

    def tested(*gone):
        sheets = [s.without(gone) if gone else s for s in (first, second)]
        made = refit(search(*sheets, "responsiveness", size=2), sheets[1])
        return evaluate(made, test, resamples=0)["pearson"]

    new, others = tested(dropped), [tested(j) for j in ("D", "E")]
    return row(new - tested(), float(np.mean(others)), new, "responsiveness")


def gained(dropped):
    """The gains over 24 collections when judge C's error is four times the spread of systems."""
    return {g.beside: g for g in gains([[simulated(seed, 4.0, dropped)] for seed in range(24)]) if not g.target}


def test_without_a_judge_who_scores_at_random_metrics_are_not_worse_and_more_is_gained_than_without_a_good_one():
    bad, good = gained("C"), gained("F")
    for beside in ("all", "random"):
        assert bad[beside].not_worse
        assert bad[beside].value > max(good[beside].value, 0)
    assert not good["all"].better
