"""Scores that are labels: read, written back, and asked what labels can answer."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter, InputError, UnknownId
from quorate.reports.plan import Costs, plan
from quorate.scores.consensus import consensus_scores
from quorate.scores.labels import NOMINAL, ORDERED
from quorate.scores.plan import pilot
from tests.reference import scores as plain
from tests.without import without_flags

LONG = (
    "judge,item,label\nann,x,yes\nann,y,no\nann,z,yes\nbob,x,yes\nbob,y,no\nbob,z,no\ncat,x,yes\ncat,y,no\ncat,z,yes\n"
)
LEVELS = {
    "ann": {"x": "low", "y": "high", "z": "medium", "w": "low"},
    "bob": {"x": "low", "y": "medium", "z": "medium", "w": "high"},
    "cat": {"x": "medium", "y": "high", "z": None, "w": "low"},
}
words = st.sampled_from(["jà", "nein", "vielleicht", None])
grids = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(words, min_size=k, max_size=k), min_size=2, max_size=8).map(
        lambda rows: [list(column) for column in zip(*rows, strict=True)]
    )
)


def panel_of(grid):
    return q.Scores.from_labels({f"j{j}": dict(enumerate(row)) for j, row in enumerate(grid)})


def asked(path, question, *more):
    found = CliRunner().invoke(main, [question, str(path), "--format", "json", *more])
    assert found.exit_code == 0, found.output
    return json.loads(found.output)


def overall(answer):
    return {o["method"]: o["value"] for o in answer["overall"]}


@given(grid=grids)
def test_nominal_methods_of_a_panel_equal_their_plain_twins(grid):
    if all(v is None for row in grid for v in row):
        return
    found = {str(f.method): f.overall[0].value for f in q.agreement(panel_of(grid), permutations=0).findings}
    close = {"abs": 1e-9, "nan_ok": True}
    assert found["alpha(level=nominal)"] == pytest.approx(plain.alpha(grid, "nominal"), **close)
    assert found["percent"] == pytest.approx(plain.percent(grid), **close)
    assert found["fleiss"] == pytest.approx(plain.fleiss(grid), **close)
    assert found["cohen"] == pytest.approx(plain.cohen(grid), **close)


@given(grid=grids)
def test_the_majority_is_the_one_label_given_most_often(grid):
    if all(v is None for row in grid for v in row):
        return
    finding = q.consensus(panel_of(grid))["majority"]
    found = dict(zip(finding.keys["item"], finding.values, strict=True))
    for item, labels in enumerate(zip(*grid, strict=True)):
        assert found.get(item) == plain.majority(labels)


@given(grid=grids)
@without_flags
def test_peer_agreement_is_the_share_of_others_with_the_same_label(grid):
    if all(v is None for row in grid for v in row):
        return
    finding = q.judges(panel_of(grid), "peer_agreement").findings[0]
    found = {o.labels["judge"]: o.value for o in finding.overall}
    for j in range(len(grid)):
        assert found.get(f"j{j}", math.nan) == pytest.approx(plain.peer_agreement(grid, j), nan_ok=True)


def test_published_values_of_the_irr_package_from_the_command_line(data):
    diagnoses = overall(asked(data / "irr" / "diagnoses.csv", "agreement", "--kind", "scores"))
    assert round(diagnoses["fleiss"], 3) == 0.430  # kappam.fleiss
    assert round(diagnoses["cohen"], 3) == 0.459  # kappam.light
    anxiety = asked(
        data / "irr" / "anxiety.csv", "agreement", "--kind", "scores", "--method", "icc", "--method", "kendall_w"
    )
    values = overall(anxiety)
    assert round(values["icc(model=2, unit=single)"], 3) == 0.198
    assert round(values["kendall_w"], 2) == 0.54
    video = data / "irr" / "video.csv"
    rows = [line.split(",") for line in video.read_text().split()[1:]]
    columns = [list(map(float, column)) for column in zip(*rows, strict=True)]
    for level in ("nominal", "ordinal", "interval", "ratio"):
        name = f"alpha(level={level})"
        value = overall(asked(video, "agreement", "--kind", "scores", "--method", name))[name]
        assert value == pytest.approx(plain.alpha(columns, level))
    as_labels = overall(asked(video, "agreement", "--labels", "--method", "fleiss"))
    assert as_labels["fleiss"] == pytest.approx(plain.fleiss(columns))


@pytest.mark.parametrize("end", ["csv", "tsv", "jsonl", "parquet"])
def test_labels_are_written_and_read_back(end, tmp_path):
    panel = q.Scores.from_labels({"ann": {"x": "jà", "y": None}, "bob": {"x": "no, never", "y": 'a "b"'}})
    q.write(panel, tmp_path / f"out.{end}")
    again = q.read(tmp_path / f"out.{end}")
    assert again == panel
    assert again.columns()["label"] == panel.columns()["label"]


def test_a_wide_table_without_any_number_holds_labels(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("item,ann,bob\nx,yes,yes\ny,no,\n")
    panel = q.read(path, kind="scores")
    assert panel.columns()["label"] == ["yes", "no", "yes", None]
    assert any("taken as labels" in note for note in panel.notes)
    q.write(panel, tmp_path / "again.csv", wide=True)
    assert (tmp_path / "again.csv").read_text() == "item,ann,bob\nx,yes,yes\ny,no,\n"
    path.write_text("item,ann,bob\nx,1,2\ny,2,yes\n")
    with pytest.raises(InputError, match="line 3: judge 'bob': score 'yes'") as caught:
        q.read(path, kind="scores")
    assert "labels=yes" in caught.value.hint


def test_columns_of_criteria_may_hold_labels(tmp_path):
    path = tmp_path / "criteria.csv"
    path.write_text("task,system,judge,true,fluent\nt,S,ann,yes,poor\nt,S,bob,no,poor\nt,R,ann,yes,good\n")
    panel = q.read(path, criteria="true,fluent", labels=True)
    finding = q.agreement(panel, "percent").findings[0]
    assert [(o.labels["criterion"], o.value) for o in finding.overall] == [("true", 0.0), ("fluent", 1.0)]


def test_scores_that_are_no_numbers_are_an_error_with_a_hint_unless_called_labels(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(LONG.replace("label", "score"))
    with pytest.raises(InputError, match="line 2: score 'yes'") as caught:
        q.read(path)
    assert "--labels" in caught.value.hint
    assert q.read(path, labels="yes").scale == ("no", "yes")
    assert q.read(path, rename="score=label").scale == ("no", "yes")


def test_a_column_label_beside_a_score_is_only_a_column():
    panel = q.read(__import__("pandas").DataFrame({"judge": ["a"], "item": ["x"], "score": [3], "label": ["new"]}))
    assert panel.scale == ()
    assert panel.labels["label"].values() == ["new"]


def test_an_ordered_scale_makes_ordinal_methods_legal():
    panel = q.Scores.from_labels(LEVELS, ["low", "medium", "high"])
    places = {"low": 1, "medium": 2, "high": 3, None: math.nan}
    grid = [[places[label] for label in items.values()] for items in LEVELS.values()]
    found = q.agreement(panel, "alpha(level=ordinal)", "cohen(weights=linear)", "kendall_w", permutations=0)
    assert found["alpha"].overall[0].value == pytest.approx(plain.alpha(grid, "ordinal"))
    assert found["cohen"].overall[0].value == pytest.approx(plain.cohen(grid, "linear"))
    assert found["kendall_w"].overall[0].value == pytest.approx(plain.kendall_w(grid))
    part = panel.select(judges=["ann", "bob"])
    assert part.ordered
    assert part.scale == ("low", "medium", "high")


@pytest.mark.parametrize("scale", [[], ["low", "medium", "high"]], ids=["nominal", "ordered"])
def test_what_needs_numbers_is_left_out_with_a_note_and_an_error_by_name(scale):
    panel = q.Scores.from_labels(LEVELS, scale)
    known = ORDERED if scale else NOMINAL
    answer = q.agreement(panel, permutations=0)
    assert [str(f.method) for f in answer.findings] == list(known["agreement"])
    assert any("left out" in note and "icc" in note for note in answer.notes)
    for question, method in [("agreement", "icc"), ("judges", "bias"), ("consensus", "mean")]:
        with pytest.raises(InputError, match=r"needs? numbers"):
            getattr(q, question)(panel, method)
    for ask in (lambda: q.quality(panel), lambda: q.trust(panel, "without_worst")):
        with pytest.raises(InputError, match=r"needs? numbers"):
            ask()
    assert q.judges(panel, resamples=50, permutations=20).findings
    assert [str(f.method) for f in q.trust(panel, resamples=50, permutations=20).findings] == list(known["trust"])
    assert q.consensus(panel)["majority"].values


def test_the_most_disputed_items_are_to_be_adjudicated_first():
    given = {"1": "yyyyy", "2": "yyynn", "3": "yynno", "4": "yyyyn"}
    rows = [
        (judge, item, label) for item, labels in given.items() for judge, label in zip("abcde", labels, strict=True)
    ]
    judge, item, label = zip(*rows, strict=True)
    said = q.consensus(q.Scores.build({"judge": judge, "item": item, "label": label})).sentences
    assert said[1] == "Adjudicate first: 3 (2 of 5), 2 (3 of 5), 4 (4 of 5)."
    agreed = q.Scores.build({"judge": list("ab"), "item": [1, 1], "label": ["y", "y"]})
    assert len(q.consensus(agreed).sentences) == 1


def test_the_scale_must_hold_every_label(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(LONG)
    with pytest.raises(InputError, match="line 3: label 'no'"):
        q.read(path, scale="yes,maybe")
    with pytest.raises(UnknownId, match="not on the scale"):
        q.read(path).with_scale(["yes"])
    with pytest.raises(InputError, match="numbers"):
        q.Scores.from_matrix([[1, 2]]).with_scale([1, 2])
    with pytest.raises(InputError, match="twice"):
        q.read(path).with_scale(["yes", "no", "no"])


def test_the_command_line_takes_a_scale(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(LONG.replace("label", "score"))
    values = overall(asked(path, "agreement", "--scale", "no,yes"))
    assert values["alpha(level=ordinal)"] == pytest.approx(values["alpha(level=nominal)"])  # two labels: the same
    refused = CliRunner().invoke(main, ["agreement", str(path), "--scale", "no,yes", "--method", "icc"])
    assert refused.exit_code == 2
    assert "icc" in refused.output


def test_one_judge_one_item_and_one_label_are_undefined_not_one():
    alone = q.agreement(q.Scores.from_labels({"ann": {"x": "a", "y": "b"}}), permutations=0)
    assert all(math.isnan(f.overall[0].value) for f in alone.findings)
    same = q.agreement(q.Scores.from_labels({j: {"x": "a", "y": "a"} for j in ("ann", "bob")}), permutations=0)
    values = {str(f.method): f.overall[0].value for f in same.findings}
    assert values.pop("percent") == 1.0
    assert all(math.isnan(v) for v in values.values())
    assert any("no variation" in note and "'a'" in note for note in same.notes)


def test_a_report_of_labels_says_what_it_cannot_answer(tmp_path):
    from quorate.reports.model import report

    page = report(q.Scores.from_labels(LEVELS), resamples=100, permutations=5)
    assert "labels" in page.text()
    assert "majority" in page.text()


def test_the_majority_of_numbers_is_a_plain_consensus_too():
    assert np.array_equal(consensus_scores([[1, 1], [1, 2], [3, 3]], "majority"), [1, math.nan], equal_nan=True)


def test_labels_are_no_metrics_and_no_pilot():
    numbers = q.Scores.from_matrix([[1, 2, 3], [1, 3, 2]])
    words = q.Scores.from_labels({"m": {1: "a", 2: "b", 3: "c"}})
    with pytest.raises(InputError, match="metrics are labels"):
        q.trust(numbers, metrics=words)
    with pytest.raises(InputError, match="holds labels"):
        pilot(words)


def test_a_pilot_of_labels_plans_what_trust_says_an_item_takes():
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=60)
    said = {j: ["abc"[t if rng.random() < 0.7 else rng.integers(3)] for t in truth] for j in "pqrs"}
    panel = q.Scores.from_labels({j: dict(enumerate(row)) for j, row in said.items()})
    found = plan(panel, want=["winner"], certainty=0.85, costs=Costs(judgment=0.5))
    needed = q.trust(panel, "judges_needed(target=0.85)")
    (line,), (estimate,) = found.lines, needed["judges_needed"].overall
    assert line.judges == estimate.value > 4
    assert (line.judgments, line.cost) == (60 * line.judges, 30 * line.judges)
    assert line.figure >= 0.85
    assert found.sentences == tuple(s for s in needed.sentences if "majority" in s)
    assert "Right majorities" in found.picture().title
    assert [line.goal for line in plan(panel, certainty=0.85).lines] == ["majority", "share"]
    with pytest.raises(BadParameter, match="labels compare no systems"):
        plan(panel, want=["difference"])


def test_a_judge_who_gives_labels_twice_is_held_against_himself():
    rows = [("ann", i, o, "no" if i == "z" else "yes") for i in "xyz" for o in (1, 2)]
    rows += [("bob", i, 1, "yes") for i in "xyz"]
    judge, item, occasion, label = zip(*rows, strict=True)
    panel = q.Scores.build({"judge": judge, "item": item, "occasion": occasion, "label": label})
    own = q.agreement(panel, permutations=0).more["self_agreement"]
    assert [(r["judge"], r["method"], r["value"], r["units"]) for r in own] == [("ann", "alpha(level=nominal)", 1.0, 3)]
