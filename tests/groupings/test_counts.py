"""A row that stands for several judges (column ``count``) says the same as those judges one by one."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.groupings import MEASURES, together
from quorate.inference.results import Options
from quorate.verbs import ask
from tests.without import without_flags

NONE = {"permutations": 0, "resamples": 20}


def apart(question, panel, *methods, beside=(), **how):
    """An answer in which judges of the same answers, as here, are not taken for copies."""
    return ask(question, panel, methods, Options(copies="apart", **how), *beside)


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


@given(counted(), st.sampled_from([*MEASURES, "together(q=0.5)", "together(q=2)"]))
def test_agreement_is_that_of_the_judges_one_by_one(made, method):
    once, again = (apart("agreement", p, method, **NONE) for p in both(*made))
    for one, two in zip(once.findings, again.findings, strict=True):
        assert one.overall[0].value == pytest.approx(two.overall[0].value, nan_ok=True)
    for one, two in zip(once.more["by_task"], again.more["by_task"], strict=True):
        assert value(one["value"]) == pytest.approx(value(two["value"]), nan_ok=True)
    pairs = {(r["task"], *r["pair"]) for r in once.to_dict()["results"] if "pair" in r}
    assert all(a != b for _, a, b in pairs)  # those of one row are in the means only


@given(counted(), st.sampled_from(["peer_agreement(measure=v_half)", "leaning", "together_outliers"]))
def test_every_judge_stands_as_one_of_so_many(made, method):
    once, again = (apart("judges", p, method, **NONE) for p in both(*made))
    for one, two in zip(once.findings, again.findings, strict=True):
        wanted = dict(zip(zip(two.keys["task"], two.keys["judge"], strict=True), two.values, strict=True))
        for t, j, v in zip(one.keys["task"], one.keys["judge"], one.values, strict=True):
            assert v == pytest.approx(wanted[t, j], nan_ok=True)


@given(counted(), st.sampled_from(["pairs", "quorum(q=0.5)", "quorum(q=2)"]))
def test_the_consensus_is_that_of_the_judges_one_by_one(made, method):
    once, again = (q.consensus(p, method, resamples=0, copies="apart") for p in both(*made))
    assert once.findings[0].overall[0].value == pytest.approx(again.findings[0].overall[0].value, nan_ok=True)
    assert once.findings[0].keys["left_out"] == again.findings[0].keys["left_out"]


@given(counted())
def test_quality_and_stability_are_those_of_the_judges_one_by_one(made):
    systems = q.Groupings.from_groups({t: {"s": next(iter(of.values()))} for t, of in made[0].items()})
    for method in ("against_judges(measure=v)", "against_consensus(measure=v)"):
        once, again = (q.quality(p, systems, method, copies="apart", **NONE) for p in both(*made))
        assert once.findings[0].values == pytest.approx(again.findings[0].values, nan_ok=True)
    once, again = (apart("trust", p, "agreement_stability", **NONE) for p in both(*made))
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


EXACT = {"permutations": 30, "resamples": 200}


@pytest.mark.parametrize("method", ["v_beta(left_out=bucket)", "nvi", "together(left_out=bucket)"])
def test_the_interval_and_chance_of_agreement_are_those_of_the_judges_one_by_one(method):
    once, again = (apart("agreement", p, method, **EXACT).findings[0].overall[0] for p in both(*noisy()))
    ends = [(o.interval.low, o.interval.high) for o in (once, again)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)  # the same judges are drawn
    assert once.interval.high - once.interval.low > 0.1
    assert once.chance.value == pytest.approx(again.chance.value, abs=1e-12)
    assert once.chance.p == again.chance.p


@pytest.mark.parametrize(
    "method", ["peer_agreement(measure=v_beta, left_out=bucket)", "leaning", "together_outliers(left_out=bucket)"]
)
@without_flags
def test_the_interval_of_a_judge_is_that_of_one_judge_of_the_row(method):
    once, again = (apart("judges", p, method, **EXACT).findings[0].overall for p in both(*noisy()))
    wanted = {o.labels["judge"]: o.interval for o in again}
    for o in once:
        other = wanted[o.labels["judge"]]
        assert (o.interval.low, o.interval.high) == pytest.approx((other.low, other.high), abs=1e-12)


@without_flags
def test_chance_of_a_judge_is_that_of_one_judge_of_the_row_but_for_what_is_permuted():
    """Items are permuted for every row once, so values differ by the spread of a mean of so many permutations."""
    number, method = 400, "peer_agreement(measure=v_beta, left_out=bucket)"
    once, again = (
        apart("judges", p, method, permutations=number, resamples=20).findings[0].overall for p in both(*noisy())
    )
    wanted = {o.labels["judge"]: o.chance.value for o in again}
    alone = apart("judges", both(*noisy())[1], method, permutations=number, resamples=20, seed=1).findings[0].overall
    luck = max(abs(o.chance.value - wanted[o.labels["judge"]]) for o in alone)
    for o in once:
        assert o.chance.value == pytest.approx(wanted[o.labels["judge"]], abs=4 * luck)
    assert luck < 0.01


@pytest.mark.parametrize("method", ["against_judges(measure=v)", "against_consensus(measure=v)"])
def test_the_interval_of_a_system_is_that_of_the_judges_one_by_one(method):
    groups, counts = noisy()
    systems = q.Groupings.from_groups({"t": {"s": groups["t"]["a"], "r": groups["t"]["c"]}})
    once, again = (
        apart("quality", p, method, beside=[systems], **EXACT).findings[0].overall for p in both(groups, counts)
    )
    for one, two in zip(once, again, strict=True):
        assert (one.interval.low, one.interval.high) == pytest.approx((two.interval.low, two.interval.high), abs=1e-12)
        assert one.labels["p_best"] == pytest.approx(two.labels["p_best"], nan_ok=True)


def test_stability_with_other_judges_is_that_of_the_judges_one_by_one():
    once, again = (apart("trust", p, "agreement_stability", **EXACT).findings[0].overall for p in both(*noisy()))
    ends = [{o.labels["by"]: (o.interval.low, o.interval.high) for o in a if o.interval} for a in (once, again)]
    assert ends[0]["judges"] == pytest.approx(ends[1]["judges"], abs=1e-12)
    assert ends[0]["judges"][1] - ends[0]["judges"][0] > 0.1


def test_rows_that_stand_for_now_more_and_now_fewer_judges_are_drawn_as_they_are():
    groups, counts = noisy()
    rows = rows_of({"t": groups["t"], "u": groups["t"]}, counts)
    rows["count"] = [c + 1 if task == "u" else c for c, task in zip(rows["count"], rows["task"], strict=True)]
    found = q.trust(q.Groupings.build(rows), "agreement_stability", **EXACT).findings[0].overall
    by_judges = next(o for o in found if o.labels["by"] == "judges")
    assert by_judges.interval.low <= by_judges.value <= by_judges.interval.high


def test_a_count_of_a_million_is_no_trouble():
    groups, _ = noisy()
    panel = q.Groupings.build(rows_of(groups, {"a": 10**6, "b": 2, "c": 4}))
    found = q.agreement(panel, "v_beta", "together", permutations=20, resamples=20)
    assert found.findings[0].overall[0].value == pytest.approx(1, abs=1e-4)
    assert any("count" in n for n in found.notes)
