"""What an absent item means: as the panel's format has it, unless told otherwise, in every question."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.panel.stacks import OrderingDesign

RUNS = {  # x is first in one run alone; a is high in all
    "one": ["x", "a", "b"],
    "two": ["a", "b", "c"],
    "three": ["a", "c", "b"],
    "four": ["b", "a", "d"],
}


@pytest.fixture
def runs(tmp_path):
    files = []
    for name, documents in RUNS.items():
        file = tmp_path / f"{name}.run"
        rows = (f"q1 Q0 {d} {k} {10 - k} {name}\n" for k, d in enumerate(documents, 1))
        file.write_text("".join(rows), encoding="utf-8")
        files.append(str(file))
    return q.read(*files)


def first(panel, method="rank_sum", **more):
    return q.consensus(panel, method, resamples=0, **more).findings[0].values[0][0]


def test_what_a_single_run_found_is_not_first(runs):
    assert runs.absent == runs.by_name.absent == runs.select(judges=["one", "two", "four"]).absent == "below"
    assert first(runs) == ["a"]
    assert first(runs, absent="unknown") == ["x"]
    assert first(runs, "rank_sum(missing=unknown)") == ["x"]  # what the method says itself goes first
    assert first(runs, "rank_sum(missing=below)", absent="unknown") == ["a"]


def test_other_panels_are_as_they_were():
    panel = q.Orderings.from_orders(RUNS)
    assert panel.absent == ""
    assert first(panel) == ["x"]
    assert first(panel, absent="below") == ["a"]


def test_every_question_obeys_and_says_so(runs):
    for ask, name in ((q.agreement, "tau_b"), (q.judges, "peer_correlation"), (q.judges, "influence")):
        usual, below, unknown = (
            ask(runs, name, resamples=0, permutations=0, **more).findings[0]
            for more in ({}, {"absent": "below"}, {"absent": "unknown"})
        )
        assert usual.values == below.values != unknown.values
        assert str(usual.method) == f"{name}(missing=below)"
    filled = OrderingDesign.of(runs).compared.parts[0].positions
    assert filled.min() == 1
    assert (OrderingDesign.of(runs, "unknown").compared.parts[0].positions == 0).any()
    said = "some judges left items out; an absent item means: below; a run puts last what it lacks"
    assert any(note.startswith(said) for note in q.agreement(runs, "tau_b").notes)
    assert not any("puts last" in note for note in q.agreement(runs, "tau_b", absent="unknown").notes)
    page = q.report(runs).to_dict()
    ranking = page["sections"]["consensus"]["answer"]["results"][0]
    assert (ranking["method"], ranking["ranking"][0]) == ("rank_sum(missing=below)", ["a"])
