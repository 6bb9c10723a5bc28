"""What trust methods' intervals are over, and what absent items mean to them: as asked, or an error with a hint."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter
from quorate.orderings.discriminativeness import Differences
from quorate.orderings.simulate import simulate
from quorate.panel.design import Weights
from quorate.panel.stacks import Stack

FEW = {"resamples": 60, "permutations": 0}
OF = "average_correlation(measure=tau)"
METHODS = [
    f"discriminativeness(of={OF})",
    f"noise(of={OF}, repeats=2)",
    "split_half",
    "judges_needed(target=0.5)",
    f"bootstrap(of=discriminativeness(of={OF}), resamples=20)",
    "bootstrap(of=kendall_w)",
    f"tune(of={OF})",
]


@pytest.fixture(scope="module")
def panel():
    return simulate(judges=6, items=5, tasks=4, dispersion=0.5, seed=1)


@pytest.mark.parametrize("over", ["tasks", "judges", "tasksxjudges"])
@pytest.mark.parametrize("method", METHODS)
def test_the_interval_is_over_what_is_asked_for(panel, method, over):
    answer = q.trust(panel, method, over=over, **FEW)
    between = answer.findings[0].overall[0].interval
    if method.startswith("judges_needed") and over == "tasks":  # how many it takes is a matter of judges: said so
        assert any("not tasks" in note for note in answer.notes)
        over = "tasksxjudges"
    assert between.over == over
    assert between.low <= answer.findings[0].overall[0].value <= between.high


@pytest.mark.parametrize("over", ["tasks", "judges", "tasksxjudges"])
def test_the_steps_of_a_sweep_are_over_what_is_asked_for(panel, over):
    few = panel.select(tasks=list(panel.tasks)[:2])
    found = q.trust(few, "sweep(ratio=0)", over=over, **FEW).findings[0]
    assert any(ends is not None for ends in found.details["interval"])
    widths = {
        o: q.trust(few, "sweep(ratio=0)", over=o, **FEW).findings[0].details["interval"] for o in {over, "judges"}
    }
    assert (widths[over] == widths["judges"]) == (over == "judges")


@pytest.mark.parametrize("method", [*METHODS, "sweep"])
def test_what_cannot_be_drawn_is_an_error_with_a_hint(panel, method):
    with pytest.raises(BadParameter, match="has no interval over that") as told:
        q.trust(panel, method, over="items", **FEW)
    assert "it has one over" in str(told.value)


def test_two_ways_to_say_what_is_drawn_must_not_contradict(panel):
    with pytest.raises(BadParameter, match="contradict"):
        q.trust(panel, "bootstrap(of=kendall_w, over=tasks)", over="judges", **FEW)
    same = q.trust(panel, "bootstrap(of=kendall_w, over=tasks)", over="tasks", **FEW).findings[0].overall[0]
    assert same.interval.over == "tasks"


@pytest.mark.parametrize("method", ["discriminativeness", "noise", "tune", "bootstrap"])
def test_absent_items_are_as_asked(method):
    panel = q.Orderings.from_orders({"t": {"a": "abc", "b": "abd", "c": "bae", "d": "acb"}})
    text = f"{method}(of={OF})" if method != "bootstrap" else "bootstrap(of=tau_b)"
    values = {a: q.trust(panel, text, absent=a, **FEW).findings[0].overall[0] for a in ("below", "unknown")}
    named = q.trust(panel, text.replace("tau)", "tau; missing=below)").replace("tau_b", "tau_b(missing=below)"), **FEW)
    assert values["below"].value == named.findings[0].overall[0].value
    assert values["below"].value != values["unknown"].value


def test_fewer_splits_than_asked_for_are_said(panel, monkeypatch):
    monkeypatch.setattr("quorate.inference.budget.SECOND", 10**4)
    answer = q.trust(panel, "split_half", **FEW)
    assert any("20 splits, not 100" in note for note in answer.notes)


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_ed_of_panels_drawn_equals_its_plain_form(seed, by_judges, by_tasks):
    rng = np.random.default_rng(seed)
    tasks, judges = 3, 4
    who = np.stack([rng.permutation(judges) for _ in range(tasks)])
    who[:, -1] = np.where(rng.random(tasks) < 0.3, -1, who[:, -1])  # a random judge, who is there always
    counts, values = rng.integers(0, 3, who.shape), rng.normal(size=who.shape)
    values[rng.random(who.shape) < 0.2] = math.nan
    part = Stack(np.arange(tasks), who, np.zeros((tasks, 2), int), np.zeros((*who.shape, 2), int), counts)
    often = rng.integers(0, 3, (2, judges)) if by_judges else None
    times = rng.integers(0, 3, (2, tasks)) if by_tasks else None
    found = Differences([(part, values)]).drawn(Weights(2, often, times))

    def mean(draw, weigh):
        cells, number = [], 0
        for t in range(tasks):
            row = [
                (values[t, k], counts[t, k] * (often[draw, who[t, k]] if weigh and who[t, k] >= 0 else 1))
                for k in range(judges)
                if not math.isnan(values[t, k])
            ]
            if sum(w for _, w in row):
                n = 1 if times is None else times[draw, t]
                cells.append(n * sum(v * w for v, w in row) / sum(w for _, w in row))
                number += n
        return sum(cells) / number if number else math.nan

    for draw in range(2):
        plain = mean(draw, False)
        plain = plain + 2 * (mean(draw, True) - plain) if by_judges else plain
        assert found[draw] == pytest.approx(plain, nan_ok=True)
