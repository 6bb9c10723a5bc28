"""Of very many judges who are all alike hardly any is flagged, and one who is off still is."""

import numpy as np
import pytest

import quorate as q


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(0)
    unit, judge = (x.ravel() for x in np.indices((60, 100)))
    some = rng.random(unit.size) < 0.3
    unit, judge = unit[some], judge[some]
    score = rng.normal(size=60)[unit] + 2 * rng.normal(size=len(unit))
    odd = np.where(judge == 7, -rng.normal(size=60)[unit] - 3 * score, score)
    panels = [{"judge": judge, "item": unit, "score": s.round(2)} for s in (score, odd)]
    return [q.judges(q.Scores.build(p), "peer_correlation", resamples=0, permutations=0) for p in panels]


def flagged(answer):
    return [f["judge"] for f in answer.more["flagged"]]


def test_of_a_hundred_alike_hardly_any_is_flagged(answers):
    assert len(flagged(answers[0])) <= 2


def test_one_who_scores_the_wrong_way_round_is_flagged(answers):
    assert 7 in flagged(answers[1])
