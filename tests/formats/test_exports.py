"""Exports of tools are read for what they hold, told without options, and nothing is left out without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

import quorate as q
from quorate.formats import EXPORTS as FORMATS
from tests.formats.made_after_sources import EXPORTS


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_read_for_what_it_holds(name, tmp_path):
    made = EXPORTS[name]
    panel = q.read(made.put(tmp_path), **made.options)
    assert panel.reading.format == name.partition("/")[0]
    held = (panel.kind, len(panel.judges), len(panel.items), len(panel.tasks))
    assert held == (made.kind, made.judges, made.items, made.tasks), (panel, panel.notes)
    for part in made.notes:
        assert any(part in note for note in panel.notes), panel.notes


def test_every_format_has_an_export():
    assert {f.name for f in FORMATS} == {name.partition("/")[0] for name in EXPORTS}


SCORES = q.Scores.build(
    {
        "judge": ["ann", "ann", "bob", "bob"] * 2,
        "item": ["x", "y"] * 4,
        "criterion": ["clear"] * 4 + ["true"] * 4,
        "score": [1.0, 2.5, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0],
    }
)
LABELS = q.Scores.from_labels({"ann": {"x": "yes", "y": "no"}, "bob": {"x": "no", "y": 'nö, "really"'}})
VOTES = q.Votes.from_votes([("q1", "ann", "old", "new", "new"), ("q2", "bob", "new", "old", "tie")])
GROUPS = q.Groupings.from_groups({"ann": {"x": "a", "y": "a", "z": None}, "bob": {"x": "a", "y": "b", "z": "b"}})
SEGMENTS = q.Scores.build(
    {
        "judge": ["mqm"] * 4,
        "task": ["1", "2"] * 2,
        "item": ["1: A", "2: A", "1: B", "2: B"],
        "system": ["A", "A", "B", "B"],
        "score": [-1.0, -0.1, 0.0, -25.0],
    }
)


@pytest.mark.parametrize(
    ("format", "name", "panel"),
    [
        ("labelstudio", "x.json", SCORES),
        ("labelstudio", "x.json", LABELS),
        ("argilla", "x.json", SCORES),
        ("argilla", "x.json", LABELS),
        ("crowdkit", "x.csv", LABELS),
        ("arena", "x.json", VOTES),
        ("mtme", "en-de.mqm.seg.score", SEGMENTS),
        ("cardsort", "x.csv", GROUPS),
    ],
)
def test_what_is_written_is_read_back(format, name, panel, tmp_path):
    q.write(panel, tmp_path / name, format=format)
    read = q.read(tmp_path / name)
    assert read.reading.format == format
    named = {n: c for n, c in read.labels.items() if n in panel.labels}  # a criterion or category may get a name
    assert len(read.labels) - len(named) <= 1
    read = replace(read, labels=named)
    assert read == panel


@pytest.mark.parametrize("format", [f for f in FORMATS if f.name in ("labelstudio", "argilla", "crowdkit", "mtme")])
def test_what_a_format_cannot_hold_is_refused(format, tmp_path):
    with pytest.raises(q.InputError, match=r"holds|cannot hold"):
        q.write(VOTES, tmp_path / "x", format=format.name)
    assert not (tmp_path / "x").exists()


def test_scorers_letters_are_kept_as_labels_where_asked(tmp_path):
    path = EXPORTS["inspect/json"].put(tmp_path)
    assert q.read(path).value.tolist()[:2] == [1.0, 1.0]
    assert "C" in q.read(path, labels=True).scale


def test_weights_of_errors_can_be_set(tmp_path):
    path = EXPORTS["mqm/errors"].put(tmp_path)
    assert sorted(set(q.read(path).value.tolist())) == [-5.1, 0.0]
    assert sorted(set(q.read(path, weights="major=10,minor/fluency/punctuation=1").value.tolist())) == [-11.0, 0.0]
    path.write_text(path.read_text().replace("Major", "Critical"))
    with pytest.raises(q.InputError, match=r"weights=critical=10"):
        q.read(path)
    assert q.read(path, weights={"critical": 10}).value.min() == -10.1


def test_both_games_of_a_pair_are_two_votes_in_their_own_order(tmp_path):
    panel = q.read(EXPORTS["mtbench/pairs"].put(tmp_path))
    first = panel.select(tasks=["81-1"]).columns()
    assert first["model_a"] == ["alpha", "beta"]
    assert first["winner"] == ["model_a", "model_b"]  # alpha wins both games
    assert panel.select(tasks=["82-1"]).columns()["winner"] == ["model_a", "model_a"]  # the first one shown wins


def test_several_choices_are_criteria_with_yes_and_no(tmp_path):
    panel = q.read(EXPORTS["labelstudio/several choices"].put(tmp_path))
    assert set(panel.labels["criterion"].ids) == {"topics: a", "topics: b"}
    assert panel.scale == ("no", "yes")
    assert panel.select(criterion=["topics: a"]).value.tolist() == [1.0] * 12


def test_ranks_that_are_equal_are_ties(tmp_path):
    panel = q.read(EXPORTS["argilla/ranking"].put(tmp_path))
    assert panel.orders("r0")["ann"] == [["a", "b"], ["c"]]
