"""The engine: any method of a design with interval and null, by weights."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.inference.engine import Figures
from quorate.inference.results import Options
from quorate.inference.weights import bootstrap, leave_one_out, stream
from quorate.orderings.simulate import simulate
from quorate.panel.design import Weights
from quorate.panel.outputs import OutputDesign
from quorate.panel.stacks import OrderingDesign
from tests import strategies

AGREEMENT = table.methods("orderings", "agreement")
JUDGES = table.methods("orderings", "judges")


def design(panel) -> OrderingDesign:
    return OrderingDesign.of((panel if isinstance(panel, q.Orderings) else q.Orderings.from_orders(panel)).by_name)


@pytest.mark.parametrize("method", [*AGREEMENT, *JUDGES], ids=str)
@given(panel=strategies.panels())
def test_weights_of_one_give_the_value(method, panel):
    d = design(panel)
    plain = d.values(method)
    once = d.values(method, Weights(1, np.ones((1, len(d.judges)))))
    there = np.isfinite(plain.array[0])
    if method.name == "influence":  # a judge alone on a task has none
        there &= np.isfinite(once.array[0])
    assert np.allclose(once.array[0][there], plain.array[0][there], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("method", [m for m in AGREEMENT if "without" in m.declaration.properties], ids=str)
@given(panel=strategies.panels())
def test_a_declared_closed_form_without_each_judge_equals_weights_of_zero(method, panel):
    d = design(panel)
    if d.counted:
        return
    closed = d.without_each(method)
    weighed = d.values(method, leave_one_out(d))
    for row, task in enumerate(weighed.keys["task"].tolist()):
        there = ~np.isnan(closed[task])
        assert np.allclose(weighed.array[there, row], closed[task, there], equal_nan=True, atol=1e-9)


@pytest.mark.parametrize("method", AGREEMENT, ids=str)
def test_a_weight_of_two_is_the_judge_written_twice(method):
    orders = {"ann": "abcd", "bob": "acbd", "cat": "badc"}
    d = design(q.Orderings.from_orders(orders))
    counted = q.Orderings.build(
        {
            "judge": [j for j, o in orders.items() for _ in o],
            "item": [i for o in orders.values() for i in o],
            "position": [p for o in orders.values() for p, _ in enumerate(o, 1)],
            "count": [2 if j == "ann" else 1 for j, o in orders.items() for _ in o],
        }
    )
    written = design(q.Orderings.from_orders({**orders, "dan": "abcd"}))
    assert design(counted).values(method).array[0, 0] == pytest.approx(
        written.values(method).array[0, 0], rel=1e-12, nan_ok=True
    )
    assert len(d.judges) == 3


@given(st.integers(0, 5))
@settings(max_examples=5, deadline=None)
def test_intervals_hold_their_value_and_follow_over(seed):
    d = design(simulate(judges=6, items=6, tasks=4, dispersion=0.6, seed=seed))
    figures = Figures.of(table.parse("tau_b", "orderings", "agreement"), d)
    for over in ("tasks", "judges", "tasksxjudges"):
        (found,) = figures.intervals(Options(resamples=200, over=over))
        assert found.over == over
        assert found.low <= figures.value[0] <= found.high


def test_two_crossed_are_wider_than_either():
    d = design(simulate(judges=8, items=6, tasks=8, dispersion=0.7, seed=1))
    figures = Figures.of(table.parse("tau_b", "orderings", "agreement"), d)
    wide = {o: figures.intervals(Options(resamples=2000, over=o))[0] for o in ("tasks", "judges", "tasksxjudges")}
    width = {o: i.high - i.low for o, i in wide.items()}
    assert width["tasksxjudges"] > max(width["tasks"], width["judges"])


def test_an_unknown_unit_is_named():
    with pytest.raises(q.BadParameter, match="over=moons is not known"):
        q.agreement(simulate(judges=4, items=4), over="moons")


def test_names_do_not_change_a_draw():
    orders = {"t1": {"ann": "abcd", "bob": "acbd", "cat": "badc"}, "t2": {"ann": "dcba", "bob": "dacb", "cat": "abcd"}}
    new = {"ann": "kim", "bob": "lee", "cat": "mia"}
    renamed = {
        t: {new[j]: o.translate(str.maketrans("abcd", "wxyz")) for j, o in js.items()} for t, js in orders.items()
    }
    first, again = (q.agreement(q.Orderings.from_orders(o), "tau_b", "kappa") for o in (orders, renamed))
    assert [f.overall[0].interval for f in first.findings] == [f.overall[0].interval for f in again.findings]
    assert [f.overall[0].null for f in first.findings] == [f.overall[0].null for f in again.findings]


def test_draws_of_voters_are_of_those_behind_the_rows():
    panel = q.Orderings.build(
        {"judge": ["a", "a", "b", "b"], "item": [1, 2, 2, 1], "position": [1, 2, 1, 2], "count": [9, 9, 1, 1]}
    )
    d = design(panel)
    drawn = bootstrap(d, "judges", 500, stream(0, "test")).judges * np.array([9, 1])
    assert (drawn.sum(axis=1).round(9) == 10).all()
    assert drawn[:, 0].mean() == pytest.approx(9, abs=0.2)


def test_a_figure_without_a_value_has_neither_interval_nor_null():
    found = q.agreement(q.Orderings.from_orders({"ann": "a", "bob": "a"}), "tau_b")["tau_b"]
    assert math.isnan(found.value)
    assert found.interval is None
    assert found.null is None


def test_judges_drawn_again_alike_are_not_asked_again_and_give_the_same():
    rng = np.random.default_rng(0)
    task, judge = (x.ravel() for x in np.indices((12, 3)))
    panel = q.Scores.build({"item": task, "judge": judge, "score": rng.integers(1, 6, task.size)})
    (whole,) = OutputDesign.every(panel.by_name)
    figures = Figures.of(table.methods("scores", "consensus", default=True)[-1], whole)
    asked = []
    again = replace(figures)
    object.__setattr__(again, "drawn", lambda w: asked.append(w) or figures.drawn(w))
    found = np.concatenate(list(again.in_turn("judges", [1] * 60, stream(0))))
    rng = stream(0)
    each = [figures.drawn(bootstrap(whole, "judges", 1, rng)) for _ in range(60)]
    assert np.array_equal(found, np.concatenate(each), equal_nan=True)
    assert len(asked) == len({w.judges.tobytes() for w in asked}) <= 27
