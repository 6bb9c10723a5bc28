"""Very many judges or items: answered without a number for every two of them, and what is left out is said."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import quorate as q
from quorate.errors import LimitReached
from quorate.inference import findings as leaderboard
from quorate.kernels import additive
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import from_table, redrawn
from quorate.scores import averages, bradley_terry, independence, without_worst
from tests.without import in_small

QUICK = {"resamples": 20}


def crowd(judges, items=4, seed=0):
    """Two items for each judge of so many."""
    rng = np.random.default_rng(seed)
    rows = [(f"j{j}", f"i{i}", int(rng.integers(1, 6))) for j in range(judges) for i in rng.choice(items, 2, False)]
    return q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))


@in_small()
@pytest.mark.parametrize(("question", "method"), [("judges", "noise"), ("consensus", "additive")])
def test_very_many_judges_have_no_table_of_every_two(question, method, monkeypatch):
    def refused(*data):
        raise AssertionError("a number for every two judges")

    monkeypatch.setattr(additive, "DENSE", 90)
    monkeypatch.setattr(additive, "shared", refused)
    assert getattr(q, question)(crowd(100), method, **QUICK).findings[0].overall
    with pytest.raises(AssertionError, match="every two"):
        getattr(q, question)(crowd(80), method, **QUICK)


def test_a_million_items_that_are_not_compared_two_by_two_take_no_room():
    p, least = leaderboard._differences(SimpleNamespace(value=np.zeros(10**6)), ("judges", None, None), None)
    assert (p.shape, np.isnan(p[0, 5]), least) == ((10**6, 10**6), True, 1.0)


def test_very_many_items_have_intervals_but_are_not_compared_two_by_two(monkeypatch):
    panel = q.Scores.from_matrix(np.random.default_rng(0).normal(size=(6, 12)))
    tested = q.quality(panel, **QUICK).findings[0].overall
    monkeypatch.setattr(leaderboard, "COMPARED", 11)
    answer = q.quality(panel, **QUICK)
    found = answer.findings[0].overall
    assert [(o.value, o.interval) for o in found] == [(o.value, o.interval) for o in tested]
    assert {(o.labels["group"], o.labels["p_best"], o.labels["cluster"]) for o in found} == {("", None, 1)}
    assert any("no difference between 12 items could be significant" in note for note in answer.notes)
    several = q.Scores.build({"task": list("pqpq"), "judge": ["a"] * 4, "item": list("xxyy"), "score": [1, 2, 3, 4]})
    monkeypatch.setattr(leaderboard, "COMPARED", 1)
    assert {o.labels["group"] for o in q.consensus(several, "mean", **QUICK).findings[0].overall} == {""}


def test_strengths_of_very_many_systems_are_refused_with_a_hint(monkeypatch):
    monkeypatch.setattr(bradley_terry, "SYSTEMS", 3)
    with pytest.raises(LimitReached, match=r"strengths of 4 items (.|\n)*mean_score takes any number"):
        q.quality(q.Scores.from_matrix([[1, 2, 3, 4]] * 3), "bradley_terry")


def test_copies_among_very_many_judges_are_refused(monkeypatch):
    monkeypatch.setattr(independence, "ALL", 2)
    with pytest.raises(LimitReached, match="3 judges are too many to compare two by two"):
        q.judges(q.Scores.from_matrix([[1, 2], [2, 1], [1, 1]]), "copies")


def test_of_very_many_judges_those_with_the_most_scores_are_left_out_one_by_one(monkeypatch):
    monkeypatch.setattr(without_worst, "JUDGES", 2)
    table = [[1, 2, 3], [3, None, 1], [2, 1, 3], [None, None, 2]]
    answer = q.trust(q.Scores.from_matrix(table, judges=list("abcd")), "influence", **QUICK)
    assert {o.labels["judge"] for o in answer.findings[0].overall} == {"a", "c"}
    assert "influence: of the 2 judges with the most scores" in answer.notes


def test_rows_of_each_judge_are_those_found_one_by_one():
    units = from_table([[1, None, 2], [None, None, None], [3, 1, None]])
    assert [rows.tolist() for rows in units.by_judge()] == [np.flatnonzero(units.judge == j).tolist() for j in range(3)]


def test_pairs_of_judges_for_cohen_are_every_two_in_order():
    table = np.random.default_rng(0).integers(1, 4, size=(7, 30))
    both = [q.scores.cohen(table[[a, b]]) for a in range(7) for b in range(a + 1, 7)]
    assert q.scores.cohen(table) == pytest.approx(np.mean(both))


@pytest.mark.parametrize("over", [None, "judges"])
def test_units_that_are_cells_of_their_own_are_drawn_as_means_of_cells_are(over, monkeypatch):
    rng = np.random.default_rng(2)
    table = rng.integers(1, 6, (4, 30)).astype(float)
    table[rng.random(table.shape) < 0.4] = np.nan
    panel = q.Scores.from_matrix(table)

    def told() -> list[str]:
        how = {"resamples": 60, "over": over}
        return [q.consensus(panel, "mean", "median", **how).to_json(), q.trust(panel, "without_worst", **how).to_json()]

    quick = told()
    monkeypatch.setattr(OutputDesign, "unit_of_cell", None)
    monkeypatch.setattr(without_worst, "different", lambda weights: (weights, np.arange(weights.draws)))
    assert told() == quick


@pytest.mark.parametrize(("judges", "gone"), [(3, 0.0), (5, 0.3), (6, 0.0), (4, 0.9)])
def test_medians_of_judges_drawn_are_those_of_the_panels_drawn(judges, gone):
    rng = np.random.default_rng(judges)
    table = rng.normal(size=(judges, 40)).round(1)
    table[rng.random(table.shape) < gone] = np.nan
    units, times = from_table(table), rng.multinomial(judges, np.full(judges, 1 / judges), size=50)
    assert len({len(t[t > 0]) for t in times}) > 1
    for some, often in zip(averages._medians(units, times.astype(float)), times, strict=True):
        panel = redrawn(units, np.repeat(np.arange(judges), often))
        np.testing.assert_array_equal(some, averages.median(panel).array)
