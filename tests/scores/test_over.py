"""What figures generalise to is obeyed by every method of trust, or refused; it is never ignored."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.errors import BadParameter
from tests.calibration import simulated

OVER = ("tasks", "judges", "items", "systems", "tasksxjudges", "systemsxtasks")
CALLED = {"systemsxtasks": "systems and inputs", "items": "votes"}  # what some intervals call it
FEW = {"resamples": 60, "permutations": 19}


@cache
def scores(kind: str) -> q.Scores:
    """Scores of systems, or of items alone, or labels; two metrics."""
    rng = np.random.default_rng(4)
    shape = (5, 4, 5)
    worth = 0.7 * rng.normal(size=(5, 1, 5)) + np.linspace(-2.5, 2.5, 5)
    noise = 0.5 if kind == "metrics" else 1.0
    value = np.rint(4 + worth + noise * rng.normal(size=shape))
    task, judge, system = (index.ravel().tolist() for index in np.indices(shape))
    item = [f"{t}-{s}" for t, s in zip(task, system, strict=True)]
    columns: dict[str, list[Any]] = {"judge": [f"j{j}" for j in judge], "item": item, "score": value.ravel().tolist()}
    columns["task"] = [f"t{t}" for t in task]
    if kind == "labels":
        columns["label"] = [("low", "middle", "high")[int(min(max(v - 3, 0), 2))] for v in columns.pop("score")]
    else:
        columns["system"] = [f"s{s}" for s in system]
    return q.Scores.build(columns)


def asked(name: str, over: str | None, panel: str) -> list[dict[str, Any]]:
    beside = {"metrics": scores("metrics")} if panel == "systems" else {}
    return q.trust(scores(panel), name, over=over, **beside, **FEW).to_dict()["overall"]  # type: ignore[no-any-return]


BOTH = ("prediction_powered", "people_worth", "model_bias", "calibration")  # of people and models: own tests
TRUST = [
    (str(m), panel)
    for m in table.methods("scores", "trust")
    if m.name not in BOTH
    for panel in (("labels",) if m.declaration.properties["labels"] else ("systems",))
]


@pytest.mark.parametrize(("name", "over"), list(product(TRUST, OVER)), ids=str)
def test_scores_are_drawn_as_asked_or_that_is_refused(name, over):
    try:
        found = asked(name[0], over, name[1])
    except BadParameter:
        with pytest.raises(BadParameter, match=f"over={over}") as refused:
            asked(name[0], over, name[1])
        assert refused.value.hint
        return
    by = {o["interval_by"] for o in found if o["interval"]}
    units = {"inputs": "tasks", "systems and inputs": "systemsxtasks"}
    assert by
    assert {"x".join(sorted(units.get(b, b).split("x"))) for b in by} == {"x".join(sorted(over.split("x")))}


@pytest.mark.parametrize("over", ["tasks", "judges", "tasksxjudges"])
def test_the_usual_methods_of_scores_obey_tasks_and_judges(over):
    found = q.trust(scores("systems"), over=over, **FEW).to_dict()["overall"]
    assert {o["interval_by"] for o in found if o["interval"]} == {over}


@pytest.mark.parametrize("over", ["items", "tasks"])
def test_the_usual_methods_of_labels_obey_items_and_tasks(over):
    found = q.trust(scores("labels"), over=over, **FEW).to_dict()["overall"]
    assert len(found) == 2
    assert {o["interval_by"] for o in found if o["interval"]} == {over}


@pytest.mark.parametrize("name", ["metrics(resample=systems)", "metric_differences(swap=systems)"])
def test_a_method_and_an_option_that_contradict_each_other_are_an_error(name):
    assert asked(name, "systems", "systems")
    with pytest.raises(BadParameter, match="contradict"):
        asked(name, "tasks", "systems")


def test_a_leaderboard_is_of_tasks_and_judges():
    for method, over in product(("mean_score", "bradley_terry"), ("items", "systems")):
        with pytest.raises(BadParameter, match=r"has no interval over|to draw"):
            q.quality(scores("systems"), method, over=over, **FEW)


def test_a_majority_of_labels_is_drawn_by_tasks_where_asked():
    by_items, by_tasks = (
        q.consensus(scores("labels"), "majority", over=over, **FEW).to_dict()["overall"][0] for over in (None, "tasks")
    )
    assert by_items["value"] == by_tasks["value"]
    assert by_tasks["interval_by"] == "tasks"
    with pytest.raises(BadParameter, match="over=judges"):
        q.consensus(scores("labels"), "majority", over="judges", **FEW)


@cache
def votes() -> q.Votes:
    return simulated.votes(np.random.default_rng(5), tasks=12, judges=5, systems=3)


@pytest.mark.parametrize("over", [*OVER[:3], "tasksxjudges"])
@pytest.mark.parametrize("name", ["place", "judges_needed"])
def test_votes_are_drawn_as_asked(name, over):
    found = q.trust(votes(), name, over=over, **FEW).to_dict()["overall"]
    assert {o["interval_by"] for o in found if o["interval"]} == {CALLED.get(over, over)}


def test_the_error_behind_votes_needed_is_by_what_is_drawn():
    found = [q.trust(votes(), "votes_needed", over=over, **FEW)["votes_needed"].overall[0] for over in OVER[:3]]
    assert len({round(e.labels["error"], 6) for e in found}) == 3
    assert len({e.labels["apart"] for e in found}) == 1


@pytest.mark.parametrize("name", ["place", "votes_needed", "judges_needed", "swaps"])
def test_votes_have_no_systems_to_draw(name):
    with pytest.raises(BadParameter, match="no systems to draw"):
        q.trust(votes(), name, over="systems", **FEW)
