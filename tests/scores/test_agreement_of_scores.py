"""Agreement of scores: against plain twins, against other packages, against textbooks."""

from __future__ import annotations

import csv
import itertools
import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from quorate import Scores, agreement, table
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.kernels import reliability as kernel
from quorate.panel.units import by_criterion, from_table
from quorate.scores import alpha, alpha_without, cohen, fleiss, gwet, icc, kendall_w, percent
from quorate.scores.alpha import coefficient, without_each
from tests.reference import scores as plain

NAN = float("nan")
LEVELS = ("nominal", "ordinal", "interval", "ratio")
METHODS = list(table.declarations("scores", "agreement"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)
defined = pytest.mark.parametrize("declared", [d for d in METHODS if d.name != "across"], ids=lambda d: d.name)
close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
# Krippendorff's own example: 4 judges, 12 units, with gaps.
TEXTBOOK = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


@st.composite
def tables(draw, judges=(1, 4), items=(1, 8), gaps=True, values=None):
    """Judges x items; few values, many, or real ones; with gaps any pattern."""
    if values is None:
        real = st.floats(0, 9, allow_subnormal=False).map(lambda x: round(x, 3))
        values = draw(st.sampled_from([st.integers(0, 3), st.integers(1, 60), real]))
    cell = (values | st.just(NAN)) if gaps else values
    wide, long = draw(st.integers(*judges)), draw(st.integers(*items))
    rows = st.lists(cell.map(float), min_size=long, max_size=long)
    return draw(st.lists(rows, min_size=wide, max_size=wide))


@pytest.mark.parametrize("level", LEVELS)
@given(scores=tables())
@example(scores=[[1.0, 1.0], [1.0, 1.0]])
def test_alpha_equals_the_sum_over_all_pairs(level, scores):
    assert alpha(scores, level) == pytest.approx(plain.alpha(scores, level), **close)


@pytest.mark.parametrize("level", LEVELS)
@given(scores=tables(judges=(2, 4), items=(2, 9)), data=st.data())
def test_alpha_of_weights_and_without_each_judge_is_alpha_of_the_parts(level, scores, data):
    items = len(scores[0])
    often = data.draw(st.lists(st.integers(0, 3), min_size=items, max_size=items))
    copied = [[v for v, n in zip(row, often, strict=True) for _ in range(n)] for row in scores]
    assert alpha(scores, level, unit_weights=often) == pytest.approx(
        plain.alpha(copied, level) if copied[0] else NAN, **close
    )
    for judge, value in alpha_without(scores, level).items():
        assert value == pytest.approx(plain.alpha(scores[:judge] + scores[judge + 1 :], level), **close)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "ratio"])
def test_copies_with_other_values_are_copies_one_by_one(level):
    rng = np.random.default_rng(3)
    scores = from_table(rng.integers(1, 4, size=(4, 7)).astype(float))
    kept = rng.random(len(scores)) < 0.7  # units of one, two and more values
    some = replace(scores, unit=scores.unit[kept], judge=scores.judge[kept], value=scores.value[kept])
    copies = [replace(some, value=some.value * k) for k in (1, 2, 1, 5)]
    alone = [without_each([copy], level)[0] for copy in copies]
    assert without_each(copies, level) == pytest.approx(np.stack(alone), abs=1e-12, nan_ok=True)
    for copy, found in zip(copies, alone, strict=True):
        left = [coefficient(copy.of_judges(np.delete(np.arange(4), j)), level).value for j in range(4)]
        assert found == pytest.approx(left, abs=1e-12, nan_ok=True)


def test_alpha_equals_the_krippendorff_package():
    peer = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(1)
    for kinds, level in itertools.product((3, 40), LEVELS):
        scores = rng.integers(0, kinds, (5, 40)).astype(float)
        scores[rng.random(scores.shape) < 0.4] = NAN
        assert alpha(scores, level) == pytest.approx(peer.alpha(scores, level_of_measurement=level), abs=1e-12)


def test_krippendorffs_own_example_gives_the_printed_values():
    assert [round(alpha(TEXTBOOK, level), 3) for level in LEVELS] == [0.743, 0.815, 0.849, 0.797]


@given(pairs=tables(judges=(2, 2), items=(2, 12), gaps=False))
def test_alpha_of_pairs_has_a_closed_form(pairs):
    a, b = map(np.array, pairs)
    spread = np.concatenate([a, b]).var(ddof=1)
    expected = 1 - ((a - b) ** 2).mean() / (2 * spread) if spread > 1e-12 else NAN
    assert alpha(pairs) == pytest.approx(expected, **close)


def test_three_copies_are_one_unit_of_three_values():
    pairs = [[1, 1, 2], [2, 2, 2], [2, 2, 2]]  # as pairs of the first unit: (1,2), (1,2), (2,2)
    assert alpha([[1, 5], [2, 5], [2, None]]) != pytest.approx(alpha(pairs))
    assert alpha([[1, 5], [2, 5], [2, None]]) == pytest.approx(plain.alpha([[1, 5], [2, 5], [2, NAN]]))


@pytest.mark.parametrize("level", LEVELS)
def test_no_variation_is_undefined_never_one(level):
    assert math.isnan(alpha([[0.1] * 50] * 3, level))
    answer = agreement(Scores.from_matrix([[4, 4, 4], [4, 4, 4]]), f"alpha(level={level})")
    assert answer.to_dict()["overall"][0]["value"] is None
    assert any("no variation" in note for note in answer.notes)


@given(scores=tables(judges=(2, 4), items=(2, 8)))
def test_weights_of_one_change_nothing_and_a_judge_of_weight_nothing_is_not_there(scores):
    for level in ("interval", "nominal", "ordinal"):
        assert alpha(scores, level, judge_weights=[1] * len(scores)) == pytest.approx(alpha(scores, level), **close)
        gone = alpha(scores, level, judge_weights=[0] + [1] * (len(scores) - 1))
        assert gone == pytest.approx(plain.alpha(scores[1:], level), **close)


def test_alpha_far_from_zero_is_as_exact():
    rng = np.random.default_rng(3)
    scores = rng.integers(1, 6, (4, 30)).astype(float)
    assert alpha(scores + 1e9) == pytest.approx(alpha(scores), abs=1e-12)


@pytest.mark.parametrize(
    ("ours", "twin"),
    [
        (percent, plain.percent),
        (fleiss, plain.fleiss),
        (gwet, plain.gwet),
        (lambda t: gwet(t, "linear"), lambda t: plain.gwet(t, "linear")),
        (lambda t: gwet(t, "quadratic"), lambda t: plain.gwet(t, "quadratic")),
        (cohen, plain.cohen),
        (lambda t: cohen(t, "linear"), lambda t: plain.cohen(t, "linear")),
        (lambda t: cohen(t, "quadratic"), lambda t: plain.cohen(t, "quadratic")),
        (kendall_w, plain.kendall_w),
    ],
    ids=["percent", "fleiss", "ac1", "ac2-linear", "ac2-quadratic", "cohen", "cohen-linear", "cohen-quadratic", "w"],
)
@given(scores=tables())
def test_coefficients_equal_their_plain_twins(ours, twin, scores):
    assert ours(scores) == pytest.approx(twin(scores), **close)


@pytest.mark.parametrize("model", [1, 2, 3])
@pytest.mark.parametrize("unit", ["single", "mean"])
@given(scores=tables(values=st.integers(0, 9)))
def test_icc_equals_its_plain_twin(model, unit, scores):
    expected = plain.icc(scores, model, unit)
    found = icc(scores, model, unit).value
    if math.isnan(expected) and model > 1 and any(v is None or v != v for row in scores for v in row):
        return  # with gaps some components are told where others are not
    if math.isnan(expected) or abs(expected) > 1e6:  # nothing varies between items: 0 / 0, or rounding of it
        assert math.isnan(found) or abs(found) > 1e5
    else:
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_published_values_of_the_irr_package(data):
    def ratings(name, read=float):
        with open(data / "irr" / f"{name}.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        return [[read(cell) for cell in column] for column in zip(*rows, strict=True)]

    anxiety, video, diagnoses = ratings("anxiety"), ratings("video"), ratings("diagnoses", str)
    found = icc(anxiety, 2, "single")
    assert (round(found.value, 3), round(found.f, 2), found.df[0]) == (0.198, 1.83, 19)
    assert tuple(round(x, 3) for x in found.interval) == (-0.039, 0.494)
    assert round(fleiss(diagnoses), 3) == 0.430
    assert round(cohen(anxiety[:2], "quadratic"), 3) == 0.297
    assert round(kendall_w(anxiety), 2) == 0.54
    w = agreement(Scores.from_matrix(anxiety), "kendall_w")["kendall_w"].overall[0].labels
    assert (round(w["chi2"], 1), w["df"], round(w["p"], 4)) == (30.8, 19, 0.0429)
    assert percent(video) == pytest.approx(plain.percent(video))


def test_shrout_and_fleiss_six_forms():
    scores = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    forms = [round(icc(scores, m, u).value, 2) for u in ("single", "mean") for m in (1, 2, 3)]
    assert forms == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


@pytest.mark.parametrize("model", [1, 2, 3])
def test_icc_without_error_has_no_test_and_without_spread_no_value(model):
    exact = icc([[0.1, 0.7, 0.3]] * 3, model)
    assert exact.value == pytest.approx(1.0)
    assert math.isnan(exact.p)
    assert math.isnan(icc([[0.1] * 4] * 3, model).value)


def test_icc_far_below_zero_has_no_interval_but_a_value():
    found = icc([[1, 3, 2], [3, 2, 1], [2, 1, 3]])
    assert found.value == pytest.approx(plain.icc([[1, 3, 2], [3, 2, 1], [2, 1, 3]], 2, "single"))
    json.dumps(agreement(Scores.from_matrix([[1, 2, 3], [3, 1, 2], [2, 3, 1]]), "icc").to_dict(), allow_nan=False)


def test_labels_are_for_nominal_levels():
    words = [["yes", "no", "no"], ["yes", "no", "yes"]]
    assert alpha(words, "nominal") == pytest.approx(plain.alpha(words, "nominal"))
    with pytest.raises(InputError, match="no distances"):
        alpha(words)
    with pytest.raises(BadParameter, match="level"):
        alpha([[1, 2]], "cardinal")
    with pytest.raises(InputError, match="ratio"):
        alpha([[-1, 2], [1, 2]], "ratio")


# -- what every method promises ----------------------------------------------------------------------------------------


def value_of(declared, scores):
    return (
        agreement(Scores.from_matrix(scores), table.Method(declared), resamples=20, permutations=0)
        .findings[0]
        .overall[0]
    )


@every
def test_the_text_form_parses_back(declared):
    for method in [table.Method(declared), table.parse(declared.signature, "scores", "agreement")]:
        assert table.parse(str(method), "scores", "agreement").parameters == method.parameters


@every
@given(scores=tables(judges=(1, 4), items=(1, 6)), data=st.data())
def test_values_keep_their_range_and_the_order_of_judges_does_not_matter(declared, scores, data):
    found = value_of(declared, scores)
    low, high = declared.range
    assert math.isnan(found.value) or low - 1e-9 <= found.value <= high + 1e-9
    shuffled = data.draw(st.permutations(scores))
    assert value_of(declared, shuffled).value == pytest.approx(found.value, rel=1e-6, abs=1e-6, nan_ok=True)


@every
@pytest.mark.parametrize(
    "scores",
    [[[1]], [[1, 2, 3]], [[1], [1]], [[1], [2]], [[4, 4], [4, 4]], [[1, NAN], [NAN, 2]], [[NAN, 1], [NAN, 1]]],
    ids=["one", "one judge", "one item", "one item, apart", "all the same", "nothing in common", "one shared"],
)
def test_degenerate_panels_are_undefined_or_a_number_never_an_error(declared, scores):
    found = value_of(declared, scores)
    low, high = declared.range
    assert math.isnan(found.value) or low - 1e-9 <= found.value <= high + 1e-9
    if len(scores) == 1:
        assert math.isnan(found.value)  # one judge agrees with nobody
    json.dumps(agreement(Scores.from_matrix(scores), declared.name).to_dict(), allow_nan=False)


@defined
def test_the_same_seed_gives_the_same_bytes(declared):
    rng = np.random.default_rng(2)
    panel = Scores.from_matrix(rng.integers(1, 6, (3, 25)))
    one, two = (agreement(panel, declared.name, seed=7).to_json() for _ in range(2))
    assert one == two
    assert agreement(panel, declared.name, seed=8).to_json() != one


@defined
def test_the_interval_is_that_of_resampled_units(declared):
    """Against a slow bootstrap that builds every resample."""
    rng = np.random.default_rng(4)
    truth = rng.normal(size=40)
    scores = np.clip(np.rint(3 + truth + 0.7 * rng.normal(size=(3, 40))), 1, 5)
    found = agreement(Scores.from_matrix(scores), declared.name, resamples=500).findings[0].overall[0]
    method = table.Method(declared)
    slow = [method(from_table(scores[:, rng.integers(40, size=40)])).value for _ in range(200)]
    low, high = np.nanquantile(slow, [0.025, 0.975])
    assert found.interval.low == pytest.approx(low, abs=0.08)
    assert found.interval.high == pytest.approx(high, abs=0.08)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kinds", [5, 50])
def test_resampling_units_is_resampling_their_sums(level, kinds):
    rng = np.random.default_rng(5)
    scores = rng.integers(0, kinds, (4, 30)).astype(float)
    scores[rng.random(scores.shape) < 0.3] = NAN
    drawn = rng.integers(30, size=(6, 30))
    weights = np.array([np.bincount(d, minlength=30) for d in drawn], float)
    found = coefficient(from_table(scores), level).of(weights)
    assert found == pytest.approx([alpha(scores[:, d], level) for d in drawn], abs=1e-12)


# -- panels ------------------------------------------------------------------------------------------------------------


def panel_of(rows, *names):
    return Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def test_criteria_are_apart_and_tasks_have_rows():
    rng = np.random.default_rng(6)
    rows = [
        (f"t{t}", f"j{j}", f"i{i}", c, float(rng.integers(1, 6)))
        for t, j, i, c in itertools.product(range(3), range(3), range(4), "xy")
    ]
    found = agreement(panel_of(rows, "task", "judge", "item", "criterion", "score"), "alpha(level=ordinal)", "fleiss")
    out = found.to_dict()
    assert [(o["method"], o["criterion"]) for o in out["overall"]] == [
        ("alpha(level=ordinal)", "x"),
        ("alpha(level=ordinal)", "y"),
        ("fleiss", "x"),
        ("fleiss", "y"),
    ]
    for row in out["results"]:
        mine = [r for r in rows if r[0] == row["task"] and r[3] == row["criterion"]]
        scores = [
            [next(r[4] for r in mine if r[1:3] == (j, i)) for i in ("i0", "i1", "i2", "i3")] for j in ("j0", "j1", "j2")
        ]
        twin = plain.fleiss(scores) if row["method"] == "fleiss" else plain.alpha(scores, "ordinal")
        assert row["value"] == pytest.approx(twin)
        assert row["details"]["units"] == 4
    assert len(out["results"]) == 12


def test_repeats_are_an_occasion_and_never_poured_together():
    rows = [("a", "x", 1, 1), ("a", "x", 2, 5), ("a", "y", 1, 2), ("a", "y", 2, 2), ("b", "x", 1, 1), ("b", "y", 1, 3)]
    found = agreement(panel_of(rows, "judge", "item", "occasion", "score"), "alpha")
    assert found.findings[0].overall[0].value == pytest.approx(plain.alpha([[1, 2], [1, 3]]))
    own = found.to_dict()["self_agreement"]
    assert [(r["judge"], r["units"]) for r in own] == [("a", 2)]
    assert own[0]["value"] == pytest.approx(plain.alpha([[1, 2], [5, 2]]))


def test_systems_and_years_make_units_of_their_own():
    rows = [("a", "d1", "s1", 1), ("b", "d1", "s1", 1), ("a", "d1", "s2", 4), ("b", "d1", "s2", 5)]
    panel = panel_of(rows, "judge", "item", "system", "score")
    assert by_criterion(panel)[0].size == 2
    assert agreement(panel, "alpha").findings[0].overall[0].value == pytest.approx(plain.alpha([[1, 4], [1, 5]]))


def test_a_count_stands_for_as_many_judges():
    rows = [("a", "x", 1, 2), ("a", "y", 4, 2), ("b", "x", 2, 1), ("b", "y", 5, 1)]
    found = agreement(
        panel_of(rows, "judge", "item", "score", "count"), "alpha(level=interval)", "fleiss", "percent", "cohen"
    )
    spread = [[1, 4], [1, 4], [2, 5]]
    for name, twin in (("alpha", plain.alpha), ("fleiss", plain.fleiss), ("percent", plain.percent)):
        assert found[name].overall[0].value == pytest.approx(twin(spread))
    assert any("taken as one" in note for note in found.notes)


def test_summeval_agrees_with_sums_over_all_pairs(data):
    runner = CliRunner()
    command = ["agreement", str(data / "summeval" / "summeval_experts.csv"), "--rename", "doc=task"]
    command += [
        "--criteria",
        "coherence,consistency,fluency,relevance",
        "--method",
        "alpha(level=interval)",
        "--format",
        "json",
    ]
    out = json.loads(runner.invoke(main, command, catch_exceptions=False).output)
    with open(data / "summeval" / "summeval_experts.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for o in out["overall"]:
        by: dict[str, dict[tuple[str, str], float]] = {}
        for r in rows:
            by.setdefault(r["judge"], {})[r["doc"], r["system"]] = float(r[o["criterion"]])
        units = list(by["e0"])
        values = np.array([[by[j][u] for u in units] for j in ("e0", "e1", "e2")])
        seen = np.mean([(values[a] - values[b]) ** 2 for a, b in itertools.combinations(range(3), 2)])
        assert o["value"] == pytest.approx(1 - seen / (2 * values.var(ddof=1)), abs=1e-12)
        assert o["interval"][0] < o["value"] < o["interval"][1]
    assert len(out["overall"]) == 4
    assert len(out["results"]) == 400


def test_a_hundred_thousand_rows_take_a_moment():
    rng = np.random.default_rng(8)
    truth = rng.normal(size=20_000)
    panel = Scores.from_matrix((truth + rng.normal(size=(5, 20_000))).round(3))
    start = time.process_time()
    found = agreement(panel, "alpha(level=interval)", "alpha(level=ordinal)", resamples=200, permutations=20)
    assert [round(f.overall[0].value, 1) for f in found.findings] == [0.5, 0.5]
    assert time.process_time() - start < 20


def test_text_output_fits_and_answers_first(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text(
        "judge,item,score\n"
        + "".join(
            f"{j},{i},{(i * 7 + (j == 'c') * i + (j == 'b') * (i % 4 == 1)) % 5 + 1}\n" for j in "abc" for i in range(9)
        )
    )
    result = CliRunner().invoke(main, ["agreement", str(file)], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.split("\n\n", 1)[1].startswith("3 judges scored 9 items.\nAlpha is ")
    assert max(map(len, result.output.splitlines())) <= 80


def test_a_unit_with_one_score_counts_for_nothing():
    sums = kernel.sums(np.array([0, 1, 1]), np.array([9.0, 1.0, 2.0]), 2)
    assert sums.parts()[0].tolist() == [0] * 5


def test_every_task_has_an_interval_unless_there_are_very_many():
    rng = np.random.default_rng(0)
    rows = [
        (c, t, j, i, rng.normal()) for c, n in (("x", 3), ("y", 1)) for t in range(n) for j in "ab" for i in range(8)
    ]
    criterion, task, judge, item, score = zip(*rows, strict=True)
    panel = Scores.build({"criterion": criterion, "task": task, "judge": judge, "item": item, "score": score})
    for finding in agreement(panel, permutations=0).findings:
        assert len(finding.details["interval"]) == len(finding.values) == 4
        for ends, value in zip(finding.details["interval"], finding.values, strict=True):
            if finding.method.name == "percent":  # no two scores are the same: all draws are 0, and say nothing
                assert (ends, value) == (None, 0.0)
            else:
                assert ends[0] <= value <= ends[1]
    many = np.arange(500)
    panel = Scores.build(
        {"task": many // 2, "judge": ["a", "b"] * 250, "item": many // 2, "score": rng.normal(size=500)}
    )
    assert "interval" not in agreement(panel, "percent", permutations=0).findings[0].details
