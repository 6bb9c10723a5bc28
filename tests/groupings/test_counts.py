"""A row that stands for several judges (column ``count``) says the same as those judges one by one."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.groupings import MEASURES, together
from quorate.groupings.judge_pairs import resampled_means

quick = settings(max_examples=25, deadline=None)
NONE = {"permutations": 0, "resamples": 20}


def rows_of(groups, counts):
    rows = [(t, j, i, g, counts[j]) for t, of in groups.items() for j, own in of.items() for i, g in own.items()]
    return dict(zip(("task", "judge", "item", "group", "count"), map(list, zip(*rows, strict=True)), strict=True))


def both(groups, counts):
    """The panel with counts, and the one with each judge so many times, as ann, ann#1, ann#2."""
    again = {
        t: {f"{j}#{k}" if k else j: own for j, own in of.items() for k in range(counts[j])} for t, of in groups.items()
    }
    return q.Groupings.build(rows_of(groups, counts)), q.Groupings.from_groups(again)


@st.composite
def counted(draw):
    judges = [f"j{k}" for k in range(draw(st.integers(2, 4)))]
    counts = {j: draw(st.integers(1, 3)) for j in judges}
    groups = {}
    for t in range(draw(st.integers(1, 2))):
        items = [f"i{k}" for k in range(draw(st.integers(2, 6)))]
        groups[f"t{t}"] = {j: {i: draw(st.sampled_from(["a", "b", "c", None])) for i in items} for j in judges}
    return groups, counts


def value(x):
    return math.nan if x is None else x


@quick
@given(counted(), st.sampled_from([*MEASURES, "together(q=0.5)", "together(q=2)"]))
def test_agreement_is_that_of_the_judges_one_by_one(made, method):
    once, again = (q.agreement(p, method, **NONE) for p in both(*made))
    for one, two in zip(once.findings, again.findings, strict=True):
        assert one.overall[0].value == pytest.approx(two.overall[0].value, nan_ok=True)
    for one, two in zip(once.more["by_task"], again.more["by_task"], strict=True):
        assert value(one["value"]) == pytest.approx(value(two["value"]), nan_ok=True)
    pairs = {(r["task"], *r["pair"]) for r in once.to_dict()["results"]}
    assert all(a != b for _, a, b in pairs)  # those of one row are in the means only


@quick
@given(counted(), st.sampled_from(["peer_agreement(measure=v_half)", "leaning", "together_outliers"]))
def test_every_judge_stands_as_one_of_so_many(made, method):
    once, again = (q.judges(p, method, **NONE) for p in both(*made))
    for one, two in zip(once.findings, again.findings, strict=True):
        wanted = dict(zip(zip(two.keys["task"], two.keys["judge"], strict=True), two.values, strict=True))
        for t, j, v in zip(one.keys["task"], one.keys["judge"], one.values, strict=True):
            assert v == pytest.approx(wanted[t, j], nan_ok=True)


@quick
@given(counted(), st.sampled_from(["pairs", "quorum(q=0.5)", "quorum(q=2)"]))
def test_the_consensus_is_that_of_the_judges_one_by_one(made, method):
    once, again = (q.consensus(p, method, resamples=0) for p in both(*made))
    assert once.findings[0].overall[0].value == pytest.approx(again.findings[0].overall[0].value, nan_ok=True)
    assert once.findings[0].keys["left_out"] == again.findings[0].keys["left_out"]


@quick
@given(counted())
def test_quality_and_stability_are_those_of_the_judges_one_by_one(made):
    systems = q.Groupings.from_groups({t: {"s": next(iter(of.values()))} for t, of in made[0].items()})
    for method in ("against_judges(measure=v)", "against_consensus(measure=v)"):
        once, again = (q.quality(p, systems, method, **NONE) for p in both(*made))
        assert once.findings[0].values == pytest.approx(again.findings[0].values, nan_ok=True)
    once, again = (q.trust(p, "agreement_stability", **NONE) for p in both(*made))
    seen = [{o.labels["by"]: o.value for o in a.findings[0].overall} for a in (once, again)]
    for by in seen[0].keys() & seen[1].keys():
        assert seen[0][by] == pytest.approx(seen[1][by], nan_ok=True)


def test_supported_pairs_count_judges_not_rows():
    panel = q.Groupings.build(
        {"judge": ["ann", "ann", "bob", "bob"], "item": list("xyxy"), "group": [1, 1, 1, 2], "count": [3, 3, 1, 1]}
    )
    assert together(panel, q=3).pairs == {("x", "y"): 3}
    assert together(panel, q=0.5).q == 2


def noisy(seed=0):
    rnd = random.Random(seed)
    truth = [rnd.randrange(4) for _ in range(20)]
    judges = {j: {i: g if rnd.random() < 0.5 else rnd.randrange(4) for i, g in enumerate(truth)} for j in "abc"}
    return {"t": judges}, {"a": 1, "b": 2, "c": 4}


def test_intervals_and_chance_are_about_those_of_the_judges_one_by_one():
    how = {"permutations": 200, "resamples": 1000}
    for method in ("v_beta(left_out=bucket)", "together(left_out=bucket)"):
        once, again = (q.agreement(p, method, **how).findings[0].overall[0] for p in both(*noisy()))
        # Seven judges: what draws differ by chance is widened by half.
        assert once.interval.low == pytest.approx(again.interval.low, abs=0.08)
        assert once.interval.high == pytest.approx(again.interval.high, abs=0.08)
        assert once.chance.value == pytest.approx(again.chance.value, abs=0.03)
    method = "peer_agreement(measure=v_beta, left_out=bucket)"
    once, again = (q.judges(p, method, **how).findings[0].overall for p in both(*noisy()))
    wanted = {o.labels["judge"]: o for o in again}
    for o in once:
        other = wanted[o.labels["judge"]]
        assert o.chance.value == pytest.approx(other.chance.value, abs=0.03)
        assert o.interval.low == pytest.approx(other.interval.low, abs=0.09)


def test_of_draws_of_a_row_those_of_different_judges_are_pairs():
    matrix = np.array([[1.0, 0.5], [0.5, np.nan]])
    found = resampled_means(matrix, np.array([[2, 1]]), np.array([2, 1]))
    # Two draws of the row's two judges are different ones half of the time: 1 pair of 1.0 and 4 of 0.5, both ways.
    assert found[0] == pytest.approx((1.0 + 4 * 0.5) / 5)


def test_a_count_of_a_million_is_no_trouble():
    groups, _ = noisy()
    panel = q.Groupings.build(rows_of(groups, {"a": 10**6, "b": 2, "c": 4}))
    found = q.agreement(panel, "v_beta", "together", permutations=20, resamples=20)
    assert found.findings[0].overall[0].value == pytest.approx(1, abs=1e-4)
    assert any("count" in n for n in found.notes)
