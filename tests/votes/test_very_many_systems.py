"""Votes between so many systems that their strengths have no room."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate.errors import LimitReached
from quorate.words.wording import apart


@pytest.fixture(scope="module")
def panel():
    rng, number, systems = np.random.default_rng(0), 2400, 1200
    first = np.tile(np.arange(systems), 2)
    second = (first + 1 + rng.integers(systems - 1, size=number)) % systems
    names = {n: np.char.add("m", x.astype(str)) for n, x in (("model_a", first), ("model_b", second))}
    columns = {"task": np.arange(number), "judge": np.arange(number) % 5, "winner": rng.choice(["a", "b"], number)}
    return q.Votes.build({**columns, **names})


def test_strengths_are_left_out_of_the_usual_methods_and_refused_where_named(panel):
    found = q.consensus(panel, resamples=0)
    assert [str(f.method) for f in found.findings] == ["win_rate"]
    assert "strengths left out: there are too many systems for it" in found.notes
    with pytest.raises(LimitReached, match="1,200 systems"):
        q.consensus(panel, "strengths")
    with pytest.raises(LimitReached, match="1,200 systems"):
        q.quality(panel)


def test_whether_judges_met_is_told_without_a_place_for_every_task_and_item(panel):
    assert apart(panel)  # 2,400 tasks x 1,200 systems, of which 2,400 are in use
    both = {n: np.tile(np.arange(30), 2) for n in ("task", "item")}
    twice = q.Scores.build({**both, "judge": np.repeat(["a", "b"], 30), "score": np.ones(60)})
    assert not apart(twice)
    orders = {f"t{t}": {"a": [f"i{t}", f"j{t}"], "b": [f"i{t}", f"j{t}"] if t == 7 else [f"k{t}"]} for t in range(40)}
    assert not apart(q.Orderings.from_orders(orders))
    assert apart(q.Orderings.from_orders({t: each for t, each in orders.items() if t != "t7"}))
