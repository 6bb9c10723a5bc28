"""Units that one or two of many raters scored: reliability from variance components of all units."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from tests.family import few


def sparse(rng, units=300, raters=12):
    level, severity = rng.normal(size=units), 0.7 * rng.normal(size=raters)
    rows = [
        (f"t{u // 10}", f"r{r}", f"u{u}", level[u] + severity[r] + rng.normal())
        for u in range(units)
        for r in rng.choice(raters, 1 + (rng.random() < 0.4), replace=False).tolist()
    ]
    return q.Scores.build(dict(zip(("task", "judge", "item", "score"), zip(*rows, strict=True), strict=True)))


def test_reliability_of_units_with_one_or_two_of_many_raters():
    rng = np.random.default_rng(0)
    found = {"icc(model=2)": [], "icc(model=3)": []}
    held = 0
    for k in range(few(3, 8)):
        panel = sparse(rng)
        for name, values in found.items():
            values.append(q.agreement(panel, name, resamples=0, permutations=0).findings[0].value)
        answer = q.agreement(panel, "icc(model=2)", resamples=100, permutations=0, seed=k, over="tasksxjudges")
        inside = answer.findings[0].interval
        held += inside.low <= 1 / 2.49 <= inside.high
    assert np.mean(found["icc(model=2)"]) == pytest.approx(1 / 2.49, abs=0.05)
    assert np.mean(found["icc(model=3)"]) == pytest.approx(1 / 2, abs=0.05)
    assert held >= few(2, 7)


def test_the_note_tells_that_judges_scored_different_units_and_the_variances():
    answer = q.agreement(sparse(np.random.default_rng(1)), "icc", resamples=0, permutations=0)
    assert any("judges scored different units, so it rests on variances: " in note for note in answer.notes)
    assert set(answer.findings[0].overall[0].labels["components"]) == {"unit", "judge", "residual"}
