"""What is wrong with a flagged judge of scores: one value throughout, and a drift, are told as such."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from tests.family import few


def panel(seed, bad):
    rng = np.random.default_rng(seed)
    true, when = rng.normal(size=40), rng.permutation(40)
    scores = true + 0.6 * rng.normal(size=(5, 40))
    scores[4] = {"constant": 0.5, "drifting": scores[4] + 6 * (when / 40 - 0.5), "shifted": scores[4] + 3}[bad]
    rows = [(f"j{j}", f"i{i}", v, int(when[i])) for (j, i), v in np.ndenumerate(scores)]
    return q.Scores.build(dict(zip(("judge", "item", "score", "time"), zip(*rows, strict=True), strict=True)))


@pytest.mark.parametrize("bad", ["constant", "drifting", "shifted"])
def test_the_diagnosis_names_what_was_planted(bad):
    for seed in range(few(1, 2)):
        answer = q.judges(panel(seed, bad), "bias", resamples=0, permutations=0)
        assert [(f["judge"], f["diagnosis"]) for f in answer.more["flagged"]] == [("j4", bad)]
