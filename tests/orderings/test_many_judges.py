"""Very large panels: where work grows with the square of the judges, some of them are drawn, and it is said."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate.inference.results import Options
from quorate.orderings import believed
from quorate.orderings.believed import Tasks
from quorate.orderings.discriminate import tried
from quorate.panel.stacks import stacks

OPTIONS = {"resamples": 100, "permutations": 0}


def panel(judges, items=6, tasks=1, seed=0):
    rng = np.random.default_rng(seed)
    raw = {"task": [], "judge": [], "item": [], "position": []}
    for t in range(tasks):
        for j in range(judges):
            order = np.argsort(np.arange(items) + rng.normal(0, 2, items))
            raw["task"] += [f"t{t}"] * items
            raw["judge"] += [f"j{j}"] * items
            raw["item"] += [f"i{i}" for i in order]
            raw["position"] += list(range(1, items + 1))
    return q.Orderings.build(raw)


@pytest.mark.parametrize("effort", [0.05, 1.0])
def test_at_most_so_many_judges_of_a_task_are_kept(effort, monkeypatch):
    monkeypatch.setattr(believed, "JUDGES", 30)
    monkeypatch.setattr(believed, "FEW", 10)
    tasks = Tasks.of(panel(50, tasks=2))
    most = 30 if effort == 1 else 10
    some, notes = tasks.fewer("ED", Options(effort=effort))
    again, _ = tasks.fewer("noise", Options(effort=effort))
    for before, part, same in zip(tasks.parts, some.parts, again.parts, strict=True):
        assert part.shape == (before.shape[0], most, before.shape[2])
        assert (part.judges == same.judges).all()  # all methods look at the same judges
        for t in range(before.shape[0]):
            rows = dict(zip(before.judges[t].tolist(), before.positions[t].tolist(), strict=True))
            drawn = dict(zip(part.judges[t].tolist(), part.positions[t].tolist(), strict=True))
            assert len(drawn) == most
            assert drawn.items() <= rows.items()
    assert notes[0].startswith(f"ED: with {most} of 50 judges on a task, drawn at random")


def test_small_panels_are_left_alone():
    tasks = Tasks.of(panel(20))
    some, notes = tasks.fewer("ED", Options(effort=0.05))
    assert some is tasks
    assert notes == ()


def test_a_judge_who_counts_for_nobody_is_not_drawn_before_others():
    (part,) = stacks(panel(6))
    part.counts[0, :3] = 0
    kept = believed._drawn(part, 3, np.random.default_rng(0))
    assert kept.judges.tolist() == part.judges[:, 3:].tolist()


@pytest.mark.parametrize("method", ["discriminativeness", "noise", "judges_needed"])
def test_answers_of_large_panels_say_it_and_come_near(method, monkeypatch):
    large = panel(80, seed=1)
    whole = q.trust(large, method, **OPTIONS)
    monkeypatch.setattr(believed, "JUDGES", 40)
    drawn = q.trust(large, method, **OPTIONS)
    assert any("40 of 80 judges" in note for note in drawn.notes)
    assert not any("of 80 judges on a task" in note for note in whole.notes)
    if method == "discriminativeness":
        for a, b in zip(whole.findings[0].overall, drawn.findings[0].overall, strict=True):
            assert a.value == pytest.approx(b.value, abs=0.1)
    assert drawn.to_json() == q.trust(large, method, **OPTIONS).to_json()


def test_with_less_effort_fewer_orders_are_tried():
    counts = np.ones((1, 500), np.int64)
    every, some = (tried(counts, 20, effort=e).sum() for e in (1.0, 0.05))
    assert (every, some) == (250, 25)
    assert tried(np.ones((1, 15), np.int64), 100, effort=0.05).all()  # few judges are all tried
