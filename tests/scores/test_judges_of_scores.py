"""Judges of scores: against plain twins, on planted faults, and on published data."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Scores, judges, table
from quorate.errors import BadParameter, InputError
from quorate.panel.judge_kinds import with_models
from quorate.panel.units import by_criterion, from_table
from quorate.scores.scale_use import others_middle
from quorate.scores.self_consistency import identical
from tests.reference import scores as plain
from tests.without import without_flags

NAN = float("nan")
METHODS = list(table.declarations("scores", "judges"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)
close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}


def panel_of(rows, *names):
    return Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def simulated(faults=(), judges=6, items=120, seed=0, **more):
    """Judges who see the same truth with noise 0.5, and one with a fault for each of ``faults``."""
    rng = np.random.default_rng(seed)
    truth = 3 + rng.normal(size=items)
    scores = truth + 0.5 * rng.normal(size=(judges, items))
    for row, fault in enumerate(faults):
        if fault == "random":
            scores[row] = 3 + rng.normal(size=items)
        elif fault == "noisy":
            scores[row] = truth + 2 * rng.normal(size=items)
        elif fault == "harsh":
            scores[row] -= 2
        elif fault == "flat":
            scores[row] = 4
        elif fault == "copy":
            scores[row] = scores[judges - 1]
        elif fault == "drifting":
            scores[row] += np.linspace(-1.5, 1.5, items)
    return Scores.from_matrix(scores, judges=[f"j{k}" for k in range(judges)])


def of(panel, method, **options):
    """The overall rows of a method by judge."""
    found = judges(panel, method, resamples=options.pop("resamples", 200), **options)
    return {o.labels["judge"]: o for o in found.findings[0].overall}


@st.composite
def tables(draw, judges=(2, 4), items=(2, 8)):
    wide, long = draw(st.integers(*judges)), draw(st.integers(*items))
    cell = st.integers(1, 5).map(float) | st.just(NAN)
    return draw(st.lists(st.lists(cell, min_size=long, max_size=long), min_size=wide, max_size=wide))


@given(scores=tables())
@without_flags
def test_bias_is_the_mean_shift_from_the_others(scores):
    found = of(Scores.from_matrix(scores), "bias", resamples=100)
    for judge in range(len(scores)):
        assert found[judge + 1].value == pytest.approx(plain.bias(scores, judge), **close)


def test_severity_takes_the_items_into_account():
    truth = np.array([1.0, 2, 3, 4, 5, 6])
    scores = np.full((3, 6), NAN)
    scores[0], scores[1, :3], scores[2, 3:] = truth, truth[:3] - 1, truth[3:] + 1
    found = of(Scores.from_matrix(scores), "severity")
    assert [found[j].value for j in (1, 2, 3)] == pytest.approx([0, 1, -1], abs=1e-12)
    expected = -plain.effects(scores.tolist())
    assert [found[j].value for j in (1, 2, 3)] == pytest.approx(expected.tolist(), abs=1e-9)


@given(seed=st.integers(0, 10_000))
@without_flags
def test_severity_equals_least_squares_with_a_full_design(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(4, 12))
    scores[rng.random(scores.shape) < 0.3] = NAN
    scores[0] = rng.normal(size=12)  # connects the others
    found = of(Scores.from_matrix(scores), "severity", resamples=100)
    expected = -plain.effects(scores.tolist())
    for judge in found:
        if not math.isnan(found[judge].value):
            assert found[judge].value == pytest.approx(expected[judge - 1], abs=1e-9)


def test_noise_is_that_of_the_simulation():
    found = of(simulated(judges=20, items=400), "noise")
    values = [o.value for o in found.values()]
    assert np.mean(values) == pytest.approx(0.5, abs=0.02)
    assert all(o.interval.low < o.value < o.interval.high for o in found.values())


@pytest.mark.parametrize("fault", ["random", "noisy", "harsh", "flat"])
def test_a_planted_fault_is_flagged_and_nobody_else(fault):
    assert [f["judge"] for f in judges(simulated([fault]), "bias").more["flagged"]] == ["j0"]


def test_of_good_judges_nobody_is_flagged():
    assert judges(simulated(seed=1), "bias").more["flagged"] == []


def test_copies_are_named():
    found = of(simulated(["copy"]), "copies")
    assert {j for j, o in found.items() if o.labels["flag"]} == {"j0", "j5"}
    assert not any(o.labels["flag"] for o in of(simulated(seed=1), "copies").values())


def test_the_answer_names_the_bad_judge_first():
    answer = judges(simulated(["noisy"]), resamples=200)
    assert answer.sentences[0].startswith("j0's scores differ from the others' more than theirs do from each other.")
    assert answer.to_dict()["overall"][0]["judge"] in ("j0", "j1", "j2", "j3", "j4", "j5")
    assert next(o for o in answer["noise"].overall).labels["judge"] == "j0"
    good = judges(simulated(), resamples=200)
    assert good.sentences[0] == "None of the 6 judges is flagged."


@without_flags
def test_drift_needs_a_time_and_finds_the_judge_who_changes():
    panel = simulated(["drifting"])
    with pytest.raises(InputError, match="time"):
        judges(panel, "drift")
    rows = zip(panel.judge.values(), panel.item.values(), panel.value.tolist(), strict=True)
    timed = panel_of(
        [(j, i, s, f"2024-01-{1 + (i - 1) // 4:02}") for j, i, s in rows], "judge", "item", "score", "time"
    )
    found = of(timed, "drift")
    assert max(found, key=lambda j: abs(found[j].value)) == "j0"
    assert found["j0"].labels["p_holm"] < 1e-6
    assert found["j0"].value == pytest.approx(3, abs=0.5)
    assert "drift" in {f.method.name for f in judges(timed, resamples=100).findings}


@given(scores=tables())
def test_the_middle_of_the_others_is_their_median(scores):
    units = from_table(scores)
    matrix = np.array(scores)
    for unit, judge, middle in zip(units.unit, units.judge, others_middle(units), strict=True):
        rest = np.delete(matrix[:, unit], judge)
        rest = rest[~np.isnan(rest)]
        assert middle == pytest.approx(np.median(rest) if len(rest) else units.value.mean())


def test_a_judge_who_says_four_to_everything_is_told_in_numbers():
    found = of(simulated(["flat"]), "scale_use")["j0"].labels
    assert (found["distinct"], found["most_common"], found["share"]) == (1, 4.0, 1.0)


# -- self-consistency --------------------------------------------------------------------------------------------------


@st.composite
def outputs(draw):
    """Rows of judge, task, text, score, with equal texts and blanks that differ."""
    text = st.sampled_from(["a b", "a  b", "a\nb", "b", "c d e", "c d f"])
    row = st.tuples(st.sampled_from("jk"), st.sampled_from("st"), text, st.integers(1, 5).map(float))
    return draw(st.lists(row, min_size=1, max_size=14))


@given(rows=outputs())
def test_units_are_equal_texts_of_one_task_by_one_judge(rows):
    panel = panel_of([(*r, n) for n, r in enumerate(rows)], "judge", "task", "text", "score", "item")
    expected = plain.self_units(rows)
    found = of(panel, "self_consistency", resamples=100)
    for judge in found:
        assert found[judge].value == pytest.approx(plain.alpha_of_units(expected[judge]), **close)
        assert found[judge].labels["units"] == len(expected[judge])


def test_texts_are_cut_to_what_the_judges_saw():
    rows = [("j", 1, "one two three", 5), ("j", 2, "one two four", 1)]
    panel = panel_of(rows, "judge", "item", "text", "score")
    every_row = np.arange(2)
    assert len(identical(panel, every_row, "text", None)[0]) == 0
    assert len(identical(panel, every_row, "text", 2)[0]) == 2


def test_repeats_and_ids_make_units_too():
    again = panel_of([("j", "x", 1), ("j", "x", 2), ("j", "y", 4), ("j", "y", 5)], "judge", "item", "score")
    by_id = panel_of(
        [("j", n, s, o) for n, (s, o) in enumerate([(1, "x"), (2, "x"), (4, "y"), (5, "y")])],
        "judge",
        "item",
        "score",
        "output",
    )
    expected = plain.alpha([[1, 4], [2, 5]])
    assert of(again, "self_consistency")["j"].value == pytest.approx(expected)
    assert of(by_id, "self_consistency(same=id)")["j"].value == pytest.approx(expected)
    with pytest.raises(InputError, match="no column 'text'"):
        judges(by_id, "self_consistency(same=text)")


def test_one_value_throughout_is_no_variation():
    answer = judges(
        panel_of([("j", "x", 4), ("j", "x", 4), ("j", "y", 4), ("j", "y", 4)], "judge", "item", "score"),
        "self_consistency",
    )
    assert answer.to_dict()["overall"][0]["value"] is None
    assert any("no variation" in note for note in answer.notes)


def years(extreme=None):
    """Two pairs of identical outputs of a judge in each of two years; another may have one score in no pair."""
    rows = []
    for year, top in ((2008, 5), (2009, 10)):
        texts = zip("ppqqr", (1, 2, top, top - 1, 2), strict=True)
        rows += [("j", f"{year}{k}", text, year, score, top) for k, (text, score) in enumerate(texts)]
    rows += [("k", "2008k", "x", 2008, extreme, 5)] if extreme is not None else []
    names = ("judge", "item", "text", "year", "score", "top")
    return {n: list(column) for n, column in zip(names, zip(*rows, strict=True), strict=True)}


def test_an_extreme_score_in_no_pair_does_not_move_another_judges_consistency():
    """Years were brought to 0 to 1 by their lowest and highest score: alpha moved from 0.22 to 0.53."""
    near, far = (judges(Scores.build(years(extreme)), "self_consistency") for extreme in (3.0, 100.0))
    value = [next(o.value for o in a.findings[0].overall if o.labels["judge"] == "j") for a in (near, far)]
    assert value[0] == value[1]
    assert any("pooled as they are" in note for note in near.notes)


def test_scales_of_years_that_are_declared_are_made_one():
    raw = years()
    top = raw.pop("top")
    answer = judges(Scores.build({**raw, "scale_low": [1] * len(top), "scale_high": top}), "self_consistency")
    pairs = [(0, 1 / 4), (1, 3 / 4), (0, 1 / 9), (1, 8 / 9)]
    assert answer.findings[0].overall[0].value == pytest.approx(plain.alpha(list(zip(*pairs, strict=True))))
    assert any("declared scales differ" in note for note in answer.notes)
    with pytest.raises(InputError, match="outside the scale"):
        judges(Scores.build({**raw, "scale_low": [2] * len(top), "scale_high": top}), "self_consistency")


def test_scales_of_years_can_be_told_by_a_parameter():
    raw = years()
    top = raw.pop("top")
    by_column = judges(Scores.build({**raw, "scale_low": [1] * len(top), "scale_high": top}), "self_consistency")
    ends = " ".join(f"{y}=1:{t}" for y, t in dict(zip(raw["year"], top, strict=True)).items())
    told = judges(Scores.build(raw), f"self_consistency(scale={ends})")
    assert told.findings[0].overall[0].value == by_column.findings[0].overall[0].value
    one, plainly = (judges(Scores.build(raw), m) for m in (f"self_consistency(scale=1:{max(top)})", "self_consistency"))
    assert one.findings[0].overall[0].value == plainly.findings[0].overall[0].value  # one scale: years as they are
    for wrong, fact in (("1-5", "is no scale"), (ends.split()[0], "tells nothing of")):
        with pytest.raises(BadParameter, match=fact):
            judges(Scores.build(raw), f"self_consistency(scale={wrong})")
    with pytest.raises(InputError, match="outside the scale"):
        judges(Scores.build(raw), "self_consistency(scale=2:3)")


def test_a_careless_judge_is_ranked_last_on_simulated_duplicates():
    rng = np.random.default_rng(5)
    rows = []
    for j, noise in (("G", 0.2), ("D", 0.5), ("C", 1.5)):
        for t in range(20):
            for unit in range(3):
                quality = rng.normal()
                rows += [(j, f"t{t}", f"{unit}{copy}", f"text {unit}", quality + noise * rng.normal()) for copy in "xy"]
    answer = judges(panel_of(rows, "judge", "task", "item", "text", "score"), "self_consistency")
    assert [o.labels["judge"] for o in answer.findings[0].overall] == ["C", "D", "G"]
    assert all(o.labels["units"] == 60 and o.interval for o in answer.findings[0].overall)
    text = answer.text()
    assert max(map(len, text.splitlines())) <= 80
    assert text.index("G  ") > 0


# -- what every method promises ----------------------------------------------------------------------------------------


@every
def test_the_text_form_parses_back(declared):
    method = table.parse(declared.signature, "scores", "judges")
    assert method.parameters == table.Method(declared).parameters
    assert table.parse(str(method), "scores", "judges").parameters == method.parameters


@every
@pytest.mark.parametrize(
    "scores",
    [[[1]], [[1, 2, 3]], [[1], [1]], [[4, 4], [4, 4]], [[1, NAN], [NAN, 2]], [[1, 2], [2, 1], [NAN, NAN]]],
    ids=["one", "one judge", "one item", "all the same", "nothing in common", "a judge without scores"],
)
def test_degenerate_panels_are_undefined_or_a_number_never_an_error(declared, scores):
    panel = Scores.from_matrix(scores)
    raw = {**panel.columns(), "time": list(range(len(panel)))}
    panel = Scores.build(raw)
    if len(scores) > 1:
        panel = with_models(panel, [panel.judges[0]])
    elif declared.name == "alternative":
        return
    found = judges(panel, declared.name, resamples=100)
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.sentences
    low, high = declared.range
    for o in found.findings[0].overall:
        assert math.isnan(o.value) or low - 1e-9 <= o.value <= high + 1e-9
        assert len(scores) > 1 or not o.labels.get("flag")  # there is nobody to be off from


@every
def test_the_same_seed_gives_the_same_bytes_and_order_does_not_matter(declared):
    panel = simulated(items=60)
    raw = panel.columns()
    raw["time"] = [i % 7 for i in range(len(panel))]
    timed = with_models(Scores.build(raw), ["j0"])
    one, two = (judges(timed, declared.name, seed=3, resamples=100).to_json() for _ in range(2))
    assert one == two
    back = {n: v[::-1] for n, v in raw.items()}
    other = of(with_models(Scores.build(back), ["j0"]), declared.name, seed=3, resamples=100)
    for judge, o in of(timed, declared.name, seed=3, resamples=100).items():
        assert other[judge].value == pytest.approx(o.value, **close)


@every
@without_flags
def test_values_keep_their_range(declared):
    low, high = declared.range
    raw = simulated(["noisy", "flat"], items=50).columns()
    panel = with_models(Scores.build({**raw, "time": list(range(len(raw["judge"])))}), ["j0", "j1"])
    values = [o.value for o in of(panel, declared.name, resamples=100).values()]
    known = [v for v in values if not math.isnan(v)]
    assert all(low <= v <= high for v in known)
    assert known or declared.name in ("self_consistency", "auto_pyramid")  # they need repeats, or a column


def test_criteria_are_apart():
    rng = np.random.default_rng(0)
    rows = [(j, i, c, float(rng.integers(1, 6))) for j, i, c in itertools.product("abc", range(12), "xy")]
    panel = panel_of(rows, "judge", "item", "criterion", "score")
    found = judges(panel, "bias", resamples=100).to_dict()["overall"]
    assert sorted((o["judge"], o["criterion"]) for o in found) == sorted(itertools.product("abc", "xy"))
    for units in by_criterion(panel):
        scores = units.matrix().T.tolist()
        for j, judge in enumerate("abc"):
            mine = next(o for o in found if (o["judge"], o["criterion"]) == (judge, units.criterion))
            assert mine["value"] == pytest.approx(plain.bias(scores, j))


@without_flags
def test_a_hundred_thousand_rows_take_a_moment():
    answer = judges(simulated(["noisy"], judges=10, items=10_000), resamples=100)
    assert answer["noise"].overall[0].labels["judge"] == "j0"


def test_options_are_checked():
    with pytest.raises(ValueError, match="out of range"):
        judges(simulated(), "copies(least=2)")


def test_consistency_by_year_is_shown_in_the_text_with_units_and_interval():
    rows = [
        {"judge": j, "task": t, "item": f"i{k}", "occasion": o, "year": y, "score": float((k + (j == "b") * o) % 5)}
        for y in (2008, 2009)
        for t in (f"{y}-1", f"{y}-2")
        for j in "ab"
        for k in range(6)
        for o in (1, 2)
    ]
    answer = judges(Scores.build({n: [r[n] for r in rows] for n in rows[0]}), "self_consistency")
    found = {(r["judge"], r["year"]): (r["value"], r["details"]["units"]) for r in answer.findings[0].rows()}
    assert found["a", 2008] == (1.0, 12)
    text = answer.text()
    assert "by year" in text
    assert "0.375 to 0.446 12" in " ".join(text.split())
    assert f"{found['b', 2009][0]:.3f}" in text


def test_near_copies_are_told_without_asking_and_once():
    rng = np.random.default_rng(3)
    rows = np.clip(np.round(rng.normal(3, 1, 60) + rng.normal(0, 0.8, (5, 60))), 1, 5)
    rows[4] = rows[3]
    answer = judges(Scores.from_matrix(rows.tolist()), resamples=100)
    assert sum("one voice" in s for s in answer.sentences) == 1
    assert not any("near-copies" in s for s in answer.sentences)
    answer = judges(Scores.from_matrix(rows.tolist()), resamples=100, copies="apart")
    assert sum("near-copies" in s for s in answer.sentences) == 1
    assert "The 5 judges are then worth 4 at most." in answer.sentences
    rows[4] = np.clip(np.round(rng.normal(3, 1, 60)), 1, 5)
    answer = judges(Scores.from_matrix(rows.tolist()), resamples=100)
    assert not any("near-copies" in s for s in answer.sentences)


@pytest.mark.parametrize(("share", "said"), [(0.08, True), (0.4, False)])
def test_where_a_flag_rests_on_a_rare_value_it_is_said_to_be_less_sure(share, said):
    rng = np.random.default_rng(2)
    rows = np.tile((np.arange(60) < 60 * share).astype(float), (6, 1))
    rows = np.where(rng.random(rows.shape) < 0.02, 1 - rows, rows)
    rows[5] = 1 - rows[5] if not said else rng.permutation(rows[5])
    answer = judges(Scores.from_matrix(rows.tolist()), resamples=20)
    assert [f["judge"] for f in answer.flagged] == [6]
    assert any("of two values one is rare" in note for note in answer.notes) == said


# -- votes -------------------------------------------------------------------------------------------------------------
