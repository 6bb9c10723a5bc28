"""The search for features, the lock on the test year, and the file of a metric."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter, InputError
from quorate.summaries.trained import lock
from quorate.summaries.trained.fits import FITS
from quorate.summaries.trained.material import Material
from quorate.summaries.trained.metric import Metric, refit
from quorate.summaries.trained.search import _others, _pearson, on_second, prepare, search, stability, subsets
from quorate.summaries.trained.year import CRITERIA, Sheet
from tests.reference import trained as plain

NAMES = ("rouge_1", "rouge_2", "type_token", "redundancy", "longest")


def sheet(seed, tasks=6, systems=12, year="1", judges=None):
    """Scores that follow rouge_2 and redundancy, and features of which some are noise."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=systems)
    fluent = rng.normal(size=systems)
    x = rng.normal(size=(tasks, systems, len(NAMES)))
    x[:, :, 1] += 3 * skill
    x[:, :, 3] -= 3 * fluent
    y = np.stack([skill, skill + fluent, fluent], axis=1) + 0.2 * rng.normal(size=(tasks, systems, 3))
    who = judges or ("A", "B") * (tasks // 2)
    named = tuple(f"D{k}-A" for k in range(tasks)), tuple(map(str, range(1, systems + 1)))
    return Sheet(year, "main", "NoModels", *named, tuple(who), NAMES, x, y)


@given(st.integers(1, 8), st.integers(1, 4), st.integers(1, 200))
def test_subsets_are_all_small_ones_or_as_many_as_the_budget_allows(features, size, budget):
    found, complete = subsets(features, size, budget)
    listed = [tuple(row) for some in found for row in some.tolist()]
    every = [c for k in range(1, size + 1) for c in combinations(range(features), k)]
    assert len(listed) == len(set(listed)) == min(len(every), budget)
    assert set(listed) <= set(every)
    assert complete == (len(every) <= budget)
    assert [len(c) for c in listed] == sorted(len(c) for c in listed)


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("target", CRITERIA)
def test_the_search_finds_the_features_that_scores_follow(level, target):
    found = search(sheet(0), sheet(1, year="2"), target, size=2, level=level)
    expected = {"pyramid": {"rouge_2"}, "readability": {"redundancy"}, "responsiveness": {"rouge_2", "redundancy"}}
    assert expected[target] <= set(found.features)
    assert found.value > 0.9


def test_each_candidate_is_judged_by_the_correlation_on_the_second_year():
    first, second = sheet(2), sheet(3, year="2")
    found = search(first, second, "pyramid", size=2, fits=["nonnegative"])
    here = found.prepared
    x, y = on_second(second, here, "pyramid")
    values = []
    for some in found.candidates.subset:
        b = plain.nonnegative((here.x[:, some] * here.better[list(some)]).tolist(), here.y[:, 0].tolist())
        line = np.array(b[1:]) * here.better[list(some)]
        values.append(plain.pearson((x[:, list(some)] @ line).tolist(), y.tolist()))
    assert found.candidates.value.tolist() == pytest.approx(values, nan_ok=True, abs=1e-6)
    assert found.value == pytest.approx(max(v for v in values if not math.isnan(v)))


def test_the_metric_is_fitted_again_on_the_second_year_with_its_means_and_deviations():
    first, second = sheet(0), sheet(1, year="2")
    found = search(first, second, "pyramid", size=1, fits=["canonical"], responses=["pyramid"])
    metric = refit(found, second, responses=["pyramid"])
    column = second.x[:, :, NAMES.index(found.features[0])].mean(axis=0)
    assert metric.mean[0] == pytest.approx(column.mean())
    assert metric.deviation[0] == pytest.approx(column.std())
    expected = plain.least_squares(
        ((column - column.mean()) / column.std())[:, None].tolist(), second.y[:, :, 0].mean(axis=0).tolist()
    )
    assert [metric.intercept, *metric.coefficients] == pytest.approx(expected)


def test_features_that_are_missing_or_flat_are_left_out_and_named():
    first, second = sheet(0), sheet(1, year="2")
    first.x[:, :, 0] = np.nan
    first.x[:, :, 2] = 0.3
    second.x[:, :, 4] = np.nan
    found = search(first, second, "pyramid", size=2)
    assert found.prepared.names == ("rouge_2", "redundancy")
    assert "1, main: missing or the same throughout: rouge_1, type_token" in found.notes
    assert "2, main: missing: longest" in found.notes
    assert any("rouge_1, type_token" in n for n in search(first, sheet(1), "pyramid", size=1).notes)


def test_summaries_that_lack_a_feature_are_left_aside_and_counted():
    some = sheet(0)
    some.x[0, 0, 0] = np.nan
    assert prepare(some, "pyramid", "summary").left == 1
    assert len(prepare(some, "pyramid", "summary").x) == 6 * 12 - 1


def test_few_systems_for_many_features_are_warned_about():
    few = search(sheet(0, systems=8), sheet(1, systems=8), "responsiveness", size=2)
    assert any("8 systems for 2 features" in n for n in few.notes)
    enough = search(sheet(0, systems=12), sheet(1, systems=12), "responsiveness", size=2)
    assert not any("systems for" in n for n in enough.notes)


def test_a_clear_choice_is_stable_and_the_same_seed_gives_the_same():
    first, second = sheet(0), sheet(1, year="2")
    found = search(first, second, "pyramid", size=1, fits=["robust"])
    told = stability(found, second, 40, seed=3)
    assert told["same"] == 1
    assert told["features"] == {"rouge_2": 1.0}
    assert told["draws"] == 40
    assert told == stability(found, second, 40, seed=3)


@given(st.integers(0, 500), st.integers(1, 3), st.sampled_from(["pyramid", "readability"]))
def test_all_candidates_on_all_draws_at_once_are_what_they_are_one_draw_after_the_other(seed, size, target):
    rng = np.random.default_rng(seed)
    first, second = sheet(seed), sheet(seed + 1, tasks=4, year="2")
    found = search(first, second, target, size=size)
    second.x[rng.random(second.x.shape[:2]) < 0.2] = np.nan  # some systems are not there in some draws
    times = np.stack([np.bincount(rng.integers(4, size=4), minlength=4) for _ in range(6)])
    at_once, plainly = _pearson(found, second, times), _others(found, second, times)
    assert np.isnan(at_once).tolist() == np.isnan(plainly).tolist()
    assert np.allclose(at_once, plainly, atol=1e-9, equal_nan=True)


def test_without_a_judge_their_tasks_are_gone():
    some = sheet(0)
    left = some.without(["A"])
    assert left.judges == ("B",) * 3
    assert left.x.shape[0] == 3
    with pytest.raises(InputError, match="no task is left"):
        some.without("AB")


def test_progress_is_told_up_to_the_end():
    told = []
    search(sheet(0), sheet(1), "pyramid", size=2, progress=lambda *a: told.append(a))
    assert told[-1] == ("fits", 15 * len(FITS), 15 * len(FITS))


@pytest.mark.parametrize("wrong", [{"fits": ["ridge"]}, {"coefficient": "r"}, {"level": "x"}, {"size": 0}])
def test_unknown_choices_are_refused(wrong):
    with pytest.raises(BadParameter):
        search(sheet(0), sheet(1), "pyramid", **wrong)


def test_scores_that_do_not_vary_on_the_second_year_are_an_error():
    flat = sheet(1)
    flat.y[:] = 1
    with pytest.raises(InputError, match="second year"):
        search(sheet(0), flat, "pyramid")


# -- the lock and the file ---------------------------------------------------------------------------------------------


def test_the_test_year_stays_shut_until_an_unchanged_choice_is_there(tmp_path):
    read = []
    test = lock.Sealed(lambda: read.append(1) or "year 3")
    path = tmp_path / "choice.json"
    with pytest.raises(InputError, match="shut"):
        test.open(path)
    mark = lock.write(path, {"features": ["rouge_2"], "value": 0.5})
    path.write_text(path.read_text().replace("0.5", "0.6"))
    with pytest.raises(InputError, match="hash"):
        test.open(path)
    assert not read
    path.unlink()
    assert lock.write(path, {"value": 0.5, "features": ["rouge_2"]}) == mark
    assert test.open(path) == "year 3"
    assert test.opened == mark


def test_a_choice_is_never_written_over(tmp_path):
    path = tmp_path / "choice.json"
    lock.write(path, {"a": 1})
    lock.write(path, {"a": 1})
    with pytest.raises(InputError, match="another choice"):
        lock.write(path, {"a": 2})
    assert lock.read(path)["a"] == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", "not json"])
def test_a_file_without_a_hash_is_refused(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not a file with a hash"):
        lock.read(path)


def test_a_metric_scores_the_same_after_it_was_written_and_read(tmp_path):
    first, second = sheet(0), sheet(1, year="2")
    metric = refit(search(first, second, "responsiveness", size=2), second)
    metric.save(tmp_path / "m.json")
    again = Metric.load(tmp_path / "m.json")
    assert again == metric
    assert again.table(second).tobytes() == metric.table(second).tobytes()
    body = json.loads((tmp_path / "m.json").read_text())
    assert body["provenance"]["chosen_on"] == "2"
    assert len(body["sha256"]) == 64


def test_a_metric_is_a_line_through_its_features():
    metric = Metric(
        "pyramid", "main", "NoModels", "robust", "system", ("longest", "type_token"), (2, 0), (1, 2), 1, (3, 4)
    )
    text = Material(("a b c", "a a"), stem=False)
    assert metric.score(text).tolist() == pytest.approx([1 + 3 * 1 + 2 * 1, 1 + 0 + 2 * 0.5])


def test_another_file_is_not_taken_for_a_metric(tmp_path):
    lock.write(tmp_path / "x.json", {"format": "something else"})
    with pytest.raises(InputError, match="not a trained metric"):
        Metric.load(tmp_path / "x.json")


@pytest.mark.parametrize("wrong", [{"mean": [1.0, 2.0]}, {"mean": ["a"]}, {"intercept": "a"}, {"features": None}])
def test_a_metric_that_lacks_something_is_refused(tmp_path, wrong):
    body = Metric("t", "main", "NoModels", "robust", "system", ("longest",), (1.0,), (2.0,), 0.5, (0.1,)).body()
    lock.write(tmp_path / "x.json", {**body, **wrong})
    with pytest.raises(InputError, match="incomplete as a trained metric"):
        Metric.load(tmp_path / "x.json")
    lock.write(tmp_path / "y.json", {"format": body["format"]})
    with pytest.raises(InputError, match="incomplete as a trained metric"):
        Metric.load(tmp_path / "y.json")


def test_a_figure_changed_to_nan_is_refused_and_so_is_a_folder_that_is_not_there(tmp_path):
    lock.write(tmp_path / "x.json", {"intercept": 0.5})
    changed = (tmp_path / "x.json").read_text().replace("0.5", "NaN")
    (tmp_path / "x.json").write_text(changed)
    with pytest.raises(InputError, match="not a file with a hash"):
        lock.read(tmp_path / "x.json")
    with pytest.raises(InputError, match="no such folder"):
        lock.write(tmp_path / "none" / "x.json", {"intercept": 0.5})


def test_what_a_sheet_notes_is_told_with_the_choice():
    second = replace(sheet(1, year="2"), notes=("2: 3 summaries have no scores",))
    assert "2: 3 summaries have no scores" in search(sheet(0), second, "pyramid", size=1).notes


def test_the_same_years_and_seed_give_the_same_file(tmp_path):
    marks = []
    for name in "ab":
        found = search(sheet(0), sheet(1, year="2"), "pyramid", size=3, budget=18, seed=4)
        marks.append(refit(found, sheet(1, year="2")).save(tmp_path / name))
    assert marks[0] == marks[1]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("how", ["tasks", "systems"])
def test_the_order_of_tasks_and_systems_does_not_matter(how):
    first, second = sheet(0), sheet(1, year="2")
    order = np.random.default_rng(0).permutation(len(getattr(second, how)))
    moved = {how: tuple(getattr(second, how)[k] for k in order)}
    axis = 0 if how == "tasks" else 1
    moved |= {"x": np.take(second.x, order, axis), "y": np.take(second.y, order, axis)}
    again = search(first, replace(second, **moved), "pyramid", size=2)
    found = search(first, second, "pyramid", size=2)
    assert again.features == found.features
    assert again.value == pytest.approx(found.value)
