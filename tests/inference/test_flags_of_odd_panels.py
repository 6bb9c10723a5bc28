"""Who is off on odd panels whose judges are all alike: hardly anybody. Each family had more flags than luck makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import quorate as q
from quorate.inference.noise import fitted_noise, nearest
from quorate.panel.score_manners import ScoreManners
from quorate.panel.units import by_criterion
from tests.calibration.simulated import columns_of

PANELS, MOST = 20, 3  # at 5 % more than 3 of 20 have a flag twice in a hundred times


def wild(rng: np.random.Generator) -> Any:
    """Scores without ends, with errors of heavy tails."""
    return q.Scores.build(columns_of(rng.normal(size=(1, 1, 20)) + 0.6 * rng.standard_t(2, (1, 8, 20)), "score"))


def slips(rng: np.random.Generator) -> Any:
    """Scores from 1 to 7 of which one in twenty is any."""
    seen = 4 + 1.3 * rng.normal(size=(1, 1, 20)) + 0.7 * rng.normal(size=(1, 8, 20))
    value = np.clip(np.rint(seen), 1, 7)
    return q.Scores.build(
        columns_of(np.where(rng.random(value.shape) < 0.05, rng.integers(1, 8, value.shape), value), "score")
    )


@pytest.mark.parametrize("make", [wild, pytest.param(slips, marks=pytest.mark.long)])
def test_hardly_anybody_is_off(make):
    found = [q.judges(make(np.random.default_rng([23, k])), resamples=0, permutations=0).flagged for k in range(PANELS)]
    assert sum(map(bool, found)) <= MOST  # 6 and 4 were


@pytest.mark.parametrize(
    ("kind", "name", "answers"),
    [
        (q.Groupings, "group", ("0001000", "0001000", "0011100")),  # others who agree fully are not taken for no noise
        (q.Groupings, "group", ("0101001", "0101001", "0100000")),  # nor a coarse judge for one who makes no groups
        (q.Groupings, "group", ("0001000", "0001110", "0110110")),
        (q.Orderings, "position", ("11112223", "12112222", "11222223")),
    ],
)
def test_of_three_judges_on_few_items_nobody_is_off_by_one_or_two_answers(kind, name, answers):
    values = np.array([[[int(x) for x in row] for row in answers]])
    assert q.judges(kind.build(columns_of(values, name)), resamples=0, permutations=0).flagged == []


def test_agreement_that_differs_by_rounding_alone_is_the_same():
    assert fitted_noise(lambda noise: 1 - 1e-15 if noise < 4 else 0.0, 1.0, 30.0) == pytest.approx(4.0, rel=0.01)
    found = nearest(
        lambda noise, panels: (np.full(panels, 1 - noise * 1e-16), np.full(panels, noise)), range(9), 1.0, 9
    )
    assert sorted(found.tolist()) == list(range(9))


@pytest.mark.parametrize("seed", [4, 10])
def test_a_judge_of_yes_and_no_who_never_says_the_rare_one_is_not_off_for_it(seed):
    rng = np.random.default_rng([24, seed])
    seen = rng.normal(size=(1, 1, 20)) + 0.7 * rng.normal(size=(1, 10, 20))
    panel = q.Scores.build(columns_of((seen > -1.2).astype(float), "score"))
    assert q.judges(panel, resamples=0, permutations=0).flagged == []  # "constant", p 0.00001


def test_wild_scores_are_brought_in_where_there_are_no_ends_and_a_level_of_luck_is_given_back():
    rng = np.random.default_rng(5)
    value = rng.normal(size=(1, 6, 30))
    wilder = value.copy()
    wilder[0, 2, 7] = 1e6
    levels = [ScoreManners.of(by_criterion(q.Scores.build(columns_of(v, "score")))[0]) for v in (value, wilder)]
    assert np.abs(levels[0].level - levels[1].level).max() < 0.2
    again = levels[0].of_luck()
    own = np.array([again.value[again.judge == j].mean() for j in range(6)])
    assert 0.5 < own.var() / (1 / 30) < 2  # as far apart as thirty answers make them


def test_of_fifty_who_score_five_items_one_gives_the_same_score_to_all_by_luck():
    """Two ways to be flagged, each at 1 of 20, flagged somebody in every sixth panel of such judges, all alike."""
    rng = np.random.default_rng([11, 47, 8])  # exchanged names make such a judge in 3 panels of 100
    rng.normal(size=50)
    worth = 1.3 * rng.normal(size=5)
    rows = []
    for j in range(50):
        for i in range(5):
            rng.random()
            rows.append((f"j{j}", f"i{i}", float(np.clip(round(4 + worth[i] + rng.normal()), 1, 7))))
    panel = q.Scores.build(dict(zip(("judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    assert {v for j, _, v in rows if j == "j5"} == {3.0}
    assert q.judges(panel, "bias", resamples=0, permutations=0).to_dict()["flagged"] == []
