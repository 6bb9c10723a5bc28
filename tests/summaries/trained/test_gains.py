"""Whether leaving out the worst judges pays, over collections; and that the answer can be no."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.summaries.trained.table5 import MARGIN, gains, table_5, told
from quorate.summaries.units.made_up import MadeUp


def row(difference, random=None, pearson=0.9, target="pyramid"):
    more = {} if random is None else {"random": random}
    return {"target": target, "training": "new (alpha)", "pearson": pearson, "difference": difference, **more}


small = st.floats(-0.5, 0.5)


@given(st.lists(st.lists(small, min_size=1, max_size=4), min_size=2, max_size=6))
def test_the_gain_is_the_mean_over_collections_of_their_means_with_students_interval(tables):
    found = gains([[row(d) for d in some] for some in tables])[0]
    means = [statistics.fmean(some) for some in tables]
    quantile = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}[len(means) - 1]  # of Student's t, tables
    half = quantile * statistics.stdev(means) / math.sqrt(len(means))
    assert found.value == pytest.approx(statistics.fmean(means), abs=1e-12)
    if not found.interval:  # all collections alike: nothing is known of how far others are
        assert half == pytest.approx(0.0, abs=1e-9)
        return
    assert found.interval.high - found.value == pytest.approx(half, rel=1e-4, abs=1e-12)
    assert found.n == len(tables)


def test_a_loss_is_told_and_so_is_a_gain():
    lost = gains([[row(-0.05)], [row(-0.06)], [row(-0.055)]])[0]
    assert "not shown" in told(lost)
    won = gains([[row(0.05)], [row(0.06)], [row(0.055)]])[0]
    assert told(won).endswith("better.")
    level = gains([[row(0.001)], [row(-0.001)], [row(0.0)]])[0]
    assert told(level).endswith(f"not worse by {MARGIN}.")


def test_metrics_trained_without_other_judges_are_compared_too_and_targets_apart():
    tables = [[row(0.0, 0.8), row(0.0, 0.7, target="readability")], [row(0.0, 0.85), row(0.0, target="readability")]]
    found = {(g.labels["target"], g.labels["beside"]): g for g in gains(tables)}
    assert found["pyramid", "random"].value == pytest.approx(0.075)
    assert found["readability", "random"].n == 1
    assert found["readability", "random"].interval is None
    assert told(found["readability", "random"]).endswith("not shown.")


def test_one_collection_or_none_proves_nothing():
    assert "not shown" in told(gains([[row(0.5)]])[0])
    assert gains([[], []])[0].n == 0


FEATURES = ("rouge_1", "rouge_2", "coverage_2", "unended", "leading", "redundancy", "mean_length")
SMALL = {"features": FEATURES, "parts": ("main",), "populations": ("NoModels",), "controls": 0}


@pytest.mark.long
def test_on_a_made_up_collection_every_metric_trained_without_the_worst_judge_is_held_against_one_trained_on_all():
    rows = table_5(MadeUp(seed=200, topics=6, systems=8), seed=200, **SMALL)
    new = [r for r in rows if r["training"] != "all"]
    assert len(new) == 4
    assert all(len(judges) == 1 for r in new for judges in r["dropped"].values())
    assert gains([rows])[0].value == pytest.approx(statistics.fmean(r["difference"] for r in new))


@pytest.mark.long
def test_on_made_up_collections_metrics_trained_without_the_worst_judge_are_not_worse_by_the_margin():
    """Texts, features, search, lock and test year as in the study of the documentation, in small.

    Fixed before it was first run: seeds 200 to 202, 12 topics and 12 systems, main tasks without people, seven
    features. Three small collections are too few to show that nothing is lost (the study has sixteen larger ones): what
    is asked is that no loss beyond the margin is shown.
    """
    tables = [table_5(MadeUp(seed=seed, topics=12, systems=12), seed=seed, **SMALL) for seed in (200, 201, 202)]
    new = [r for rows in tables for r in rows if r["training"] != "all"]
    assert len(new) == 3 * 4
    assert all(len(judges) == 1 for r in new for judges in r["dropped"].values())
    found = gains(tables)[0]
    assert found.n == 3
    assert found.interval.high > -MARGIN
