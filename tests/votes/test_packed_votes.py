"""Votes counted by cells, where only tasks are drawn, beside the formulas that look at every vote."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.panel.design import Weights
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_cells import tasks_of_judges

PACKED = [m for question in ("agreement", "judges", "consensus", "quality") for m in table.methods("votes", question)]
PACKED = [m for m in PACKED if "packed" in m.declaration.properties]


def design(seed: int) -> VoteDesign:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(150):
        a, b = rng.choice(5, 2, replace=False).tolist()
        said = ("a", "b", "tie")[int(rng.integers(3))]
        row = {"task": f"t{rng.integers(9)}", "judge": f"j{rng.integers(6)}", "model_a": f"s{a}", "model_b": f"s{b}"}
        rows.append({**row, "winner": said})
    return VoteDesign.of(q.Votes.from_votes(rows).by_name)


@pytest.mark.parametrize("method", PACKED, ids=lambda m: f"{m.question} {m}")
@pytest.mark.parametrize("seed", [0, 1])
def test_counts_of_cells_say_what_votes_do(method, seed):
    v = design(seed)
    drawn = Weights(5, tasks=np.random.default_rng(seed).integers(0, 3, (5, len(v.tasks))).astype(float))
    for weights in (Weights(), drawn):
        often = v.often(weights)
        found, general = method(v, often), method(design(seed), replace(often, whole=False))
        assert np.allclose(found.values, general.values, rtol=1e-9, atol=1e-9, equal_nan=True)
        if weights.plain:
            assert {**found.details} == {**general.details}
            assert all(np.array_equal(found.rests[n], general.rests[n]) for n in general.rests)


def test_tasks_that_reach_into_the_next_votes(monkeypatch):
    v = design(2)
    expected = tasks_of_judges(v.task, v.judge, len(v.judges))
    for chunk in (1, 2, 7):
        monkeypatch.setattr("quorate.panel.vote_cells.CHUNK", chunk)
        assert np.array_equal(tasks_of_judges(v.task, v.judge, len(v.judges)), expected)
    assert np.array_equal(expected, np.bincount(v._done[1], minlength=len(v.judges)))
