"""Very large panels: where work grows with the square of the judges, some of them are drawn, and it is said."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import quorate as q
from quorate.inference.core import Core
from quorate.inference.results import Options
from quorate.panel.stacks import OrderingDesign
from tests.family import some

discriminate = importlib.import_module("quorate.orderings.discriminativeness")  # whose name is also a function's

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


def test_at_most_so_many_judges_of_a_task_are_kept(monkeypatch):
    monkeypatch.setattr(discriminate, "JUDGES", 30)
    design, core = OrderingDesign.of(panel(50, tasks=2)), Core(Options())
    some, notes = discriminate.fewer_judges(design, "ED", core)
    again, _ = discriminate.fewer_judges(design, "noise", core)
    for before, part, same in zip(design.parts, some.parts, again.parts, strict=True):
        assert part.shape == (before.shape[0], 30, before.shape[2])
        assert (part.judges == same.judges).all()  # all methods look at the same judges
        for t in range(before.shape[0]):
            rows = dict(zip(before.judges[t].tolist(), before.positions[t].tolist(), strict=True))
            drawn = dict(zip(part.judges[t].tolist(), part.positions[t].tolist(), strict=True))
            assert len(drawn) == 30
            assert drawn.items() <= rows.items()
    assert notes[0].startswith("ED: with 30 of 50 judges on a task, drawn at random")


def test_small_panels_are_left_alone():
    design = OrderingDesign.of(panel(20))
    some, notes = discriminate.fewer_judges(design, "ED", Core(Options()))
    assert some is design
    assert notes == ()


def test_a_judge_who_counts_for_nobody_is_not_drawn_before_others():
    design = OrderingDesign.of(panel(6))
    (part,) = design.parts
    part.counts[0, :3] = 0
    (kept,) = design.fewer_judges(3, np.random.default_rng(0)).parts
    assert kept.judges.tolist() == part.judges[:, 3:].tolist()


@pytest.mark.parametrize("method", some(["discriminativeness", "noise", "judges_needed"], 3))
def test_answers_of_large_panels_say_it_and_come_near(method, monkeypatch):
    large = panel(80, seed=1)
    whole = q.trust(large, method, **OPTIONS)
    monkeypatch.setattr(discriminate, "JUDGES", 40)
    drawn = q.trust(large, method, **OPTIONS)
    assert any("40 of 80 judges" in note for note in drawn.notes)
    assert not any("of 80 judges on a task" in note for note in whole.notes)
    if method == "discriminativeness":
        for a, b in zip(whole.findings[0].overall, drawn.findings[0].overall, strict=True):
            assert a.value == pytest.approx(b.value, abs=0.1)
    assert drawn.to_json() == q.trust(large, method, **OPTIONS).to_json()


def test_as_many_orders_are_tried_as_the_budget_has():
    counts = np.ones((1, 500), np.int64)
    tried = [discriminate.tried(Core(Options(seconds=s)), counts, 20).sum() for s in (1.0, 0.5, 0.001)]
    assert tried == [250, 125, discriminate.LEAST]


def test_where_orders_are_tried_one_by_one_on_very_many_tasks_some_tasks_are_drawn(monkeypatch):
    monkeypatch.setattr(discriminate, "TASKS", 3)
    found = q.trust(panel(5, tasks=6), "discriminativeness(of=frespa(min_len=1))", seconds=1e-6, **OPTIONS)
    assert "ED: on 3 of 6 tasks, drawn at random" in found.notes
    assert len(found.findings[0].values) == 3
