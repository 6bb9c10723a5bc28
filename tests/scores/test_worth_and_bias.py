"""What a model is worth, what it favours that people do not, and what its scores mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import InputError
from quorate.kernels import people_worth, slopes
from quorate.scores.calibration import bins, cuts, threshold
from tests.reference import models as plain

pytestmark = pytest.mark.usefixtures("in_small")

SCORE = st.integers(1, 5)


@given(
    st.lists(st.tuples(st.lists(SCORE, min_size=1, max_size=4), st.one_of(st.none(), SCORE)), min_size=3, max_size=9)
)
def test_what_a_model_is_worth_equals_its_plain_twin(units):
    people, model = zip(*units, strict=True)
    assume(sum(len(xs) > 1 and y is not None for xs, y in units) > 1)
    unit = np.repeat(np.arange(len(units)), [len(xs) for xs in people])
    x = np.array([v for xs in people for v in xs], float)[:, None]
    own = np.array([math.nan if y is None else y for y in model], float)[:, None]
    sums, _ = people_worth.features(unit, x, own)
    found = people_worth.number(float(people_worth.share(people_worth.covariances(sums.sum(axis=0, keepdims=True)))[0]))
    expected = plain.worth(people, model)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6, nan_ok=True)


@given(st.lists(st.tuples(st.lists(SCORE, min_size=2, max_size=4), SCORE, st.integers(0, 9)), min_size=5, max_size=12))
def test_what_a_column_adds_equals_its_plain_twin(units):
    people, model, z = zip(*units, strict=True)
    n, s, q_ = (np.array([f(xs) for xs in people], float) for f in (len, sum, lambda xs: sum(x * x for x in xs)))
    totals = slopes.features(n, s, q_, np.array(model, float), np.array(z, float)).sum(axis=0, keepdims=True)
    found = float(slopes.covariate_slope(totals)[0])
    assume(not math.isnan(found) and abs(found) < 1e3)
    assert found == pytest.approx(plain.slope(people, model, z), rel=1e-5, abs=1e-6)


def judged(seed=0, tasks=60, shift=0.0, length=0.0, noise=0.5, own=0.0):
    """Three people and a model on two systems a task: longer outputs are better, and the model may favour more."""
    rng, rows = np.random.default_rng(seed), []
    for t in range(tasks):
        for s in ("ours", "theirs"):
            long = int(rng.integers(20, 200))
            true = rng.normal() + 0.005 * (long - 110)
            about = {"task": t, "item": f"{t}-{s}", "system": s, "family": s, "length": long}
            for j in "abc":
                rows.append(
                    {**about, "judge": j, "judge_kind": "human", "judge_family": "", "score": true + rng.normal()}
                )
            favoured = length * (long - 110) / 50 + own * (s == "ours")
            said = 0.6 * true + shift + favoured + noise * rng.normal()
            rows.append({**about, "judge": "bot", "judge_kind": "llm", "judge_family": "ours", "score": said})
    return q.Scores.build({n: [r[n] for r in rows] for n in rows[0]})


def trusted(panel, method, **how):
    return q.trust(panel, method, resamples=200, **how).findings[0]


def test_a_model_with_a_quarter_of_the_error_is_worth_four_people_or_so():
    found = trusted(judged(noise=0.3), "people_worth").overall[0]  # 0.3 beside a slope of 0.6: half of a person's error
    assert found.interval.low < 4 < found.interval.high
    assert found.value > 2
    assert trusted(judged(noise=5.0), "people_worth").overall[0].value < 0.2


def test_length_is_no_bias_where_it_makes_outputs_better_and_is_one_where_it_does_not():
    honest = {o.labels["column"]: o for o in trusted(judged(1), "model_bias").overall}
    assert honest["length"].labels["p_holm"] > 0.05
    biased = {o.labels["column"]: o for o in trusted(judged(1, length=0.4), "model_bias").overall}
    assert biased["length"].labels["p_holm"] < 0.001
    assert biased["length"].interval.low < 0.4 < biased["length"].interval.high


def test_its_own_family_is_favoured_and_told_once_though_three_columns_say_it():
    rows = trusted(judged(2, own=0.8), "model_bias").overall
    assert [o.labels["column"] for o in rows if o.labels["p_holm"] < 0.05] == ["own family"]
    assert rows[0].interval.low < 0.8 < rows[0].interval.high
    assert len(rows) == 2  # and length: systems and families say the same


def test_columns_are_chosen_and_an_unknown_one_is_an_error():
    assert {o.labels["column"] for o in trusted(judged(), "model_bias(columns=length)").overall} == {"length"}
    with pytest.raises(InputError, match="no column 'lenght'"):
        trusted(judged(), "model_bias(columns=lenght)")


def test_a_shifted_model_is_told_score_by_score_and_a_threshold_puts_it_right():
    found = trusted(judged(3, shift=2.0, noise=0.2), "calibration")
    assert all(o.value > 0 for o in found.overall if o.labels["p_holm"] < 0.05)
    middle = len(found.values) // 2
    assert found.values[middle] > found.keys["at_least"][middle] + 1
    assert found.details["right"][middle] > found.details["same_cut"][middle] + 0.2


@given(st.lists(st.tuples(SCORE, st.booleans()), min_size=1, max_size=20))
def test_a_threshold_is_as_good_as_any(pairs):
    scores, wanted = (np.array(c) for c in zip(*pairs, strict=True))
    best = threshold(scores.astype(float), wanted, 3.0)
    right = [int(((scores >= cut) == wanted).sum()) for cut in (best, *np.arange(0.5, 6))]
    assert right[0] == max(right)


def test_bins_hold_every_score_and_cuts_lie_between_levels():
    place, names = bins(np.linspace(0, 1, 101))
    assert len(names) == 5
    assert np.bincount(place).min() >= 20
    assert cuts(np.array([1.0, 2.0, 4.0])) == [(2.0, 1.5), (4.0, 3.0)]
    assert bins(np.full(4, 2.0))[1] == ["2"]


@pytest.mark.parametrize("method", ["people_worth", "model_bias", "calibration"])
def test_without_people_and_models_nothing_is_told_but_how_to_tell_them_apart(method):
    rows = {"judge": ["a", "b"], "item": ["x", "x"], "score": [1.0, 2.0]}
    answer = q.trust(q.Scores.build(rows), method)
    assert not answer.findings[0].overall
    assert any("--models" in f for f in answer.findings[0].notes)


@pytest.mark.parametrize("method", ["people_worth", "model_bias", "calibration"])
def test_the_order_of_rows_makes_no_difference(method):
    columns = judged(tasks=20).columns()
    order = np.random.default_rng(0).permutation(len(columns["judge"]))
    mixed = q.Scores.build({n: [c[k] for k in order] for n, c in columns.items()})
    one, other = (trusted(p, method) for p in (judged(tasks=20), mixed))
    assert [(e.labels, e.value, e.interval) for e in one.overall] == [
        (e.labels, e.value, e.interval) for e in other.overall
    ]


def test_people_who_share_nothing_or_one_item_make_no_figure():
    rng = np.random.default_rng(0)
    rows = [(f"i{k}", j, kind, 3.0) for k in range(12) for j, kind in (("a", "human"), ("b", "human"), ("m", "llm"))]
    columns = dict(zip(("item", "judge", "judge_kind", "score"), map(list, zip(*rows, strict=True)), strict=True))
    assert not q.trust(q.Scores.build(columns), "people_worth").findings[0].overall
    columns["score"] = rng.normal(size=len(rows)).tolist()
    one = {n: c[:3] for n, c in columns.items()}
    assert not q.trust(q.Scores.build(one), "people_worth").findings[0].overall


def hardly(seed=0, noise=8.0):
    """The same panel with people who share next to nothing."""
    columns, rng = judged(seed).columns(), np.random.default_rng(5)
    more = [noise * rng.normal() * (kind == "human") for kind in columns["judge_kind"]]
    return q.Scores.build({**columns, "score": [s + x for s, x in zip(columns["score"], more, strict=True)]})


@pytest.mark.parametrize("method", ["people_worth", "model_bias"])
def test_people_who_hardly_agree_tell_nothing_of_a_model_and_it_is_said(method):
    found = q.trust(hardly(), method, resamples=200)
    assert not found.findings[0].overall
    (fact,) = (f for f in found.facts if f.name == "not_identified")
    assert fact.data["judge"] == "bot"
    assert fact.data["why"] == "people"
    assert "cannot be told from these people" in fact.text
    clear = q.trust(judged(), method, resamples=200)
    assert clear.findings[0].overall
    assert not any(f.name == "not_identified" for f in clear.facts)


def test_the_page_of_models_says_so_too():
    text = " ".join(q.model_judges(hardly(), resamples=200).text().split())
    assert "any number" not in text
    assert text.count("cannot be told from these people") == 2


def test_what_is_left_of_what_people_share_is_their_covariance_beside_the_column():
    rng = np.random.default_rng(1)
    z, common = rng.normal(size=4000), rng.normal(size=4000)
    two = np.stack([0.5 * z + common + rng.normal(size=4000) for _ in range(2)])
    features = slopes.features(np.full(4000, 2.0), two.sum(axis=0), (two**2).sum(axis=0), common, z)
    assert slopes.shared_beside(features.sum(axis=0, keepdims=True))[0] == pytest.approx(1.0, abs=0.1)


def test_a_score_that_no_model_gives_is_no_threshold():
    rng, rows = np.random.default_rng(2), []
    for k in range(80):
        true = int(rng.integers(1, 6))
        rows += [(f"i{k}", j, "human", true) for j in "ab"] + [(f"i{k}", "bot", "llm", 3 + k % 2)]
    columns = dict(zip(("item", "judge", "judge_kind", "score"), map(list, zip(*rows, strict=True)), strict=True))
    found = trusted(q.Scores.build(columns), "calibration")
    assert all(3 < cut <= 4 for cut in found.values)
