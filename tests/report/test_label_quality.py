"""The page and command of labels: what is right, what to decide, who confuses what; groups side by side."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.panel.kinds import Scores
from tests.family import LONG

pytestmark = pytest.mark.usefixtures("in_small")
QUICK = {"resamples": 50, "permutations": 0}


def crowd(seed=0, items=80, each=4, skills=(0.95, 0.9, 0.85, 0.8, 0.7, 0.35), labels="abc"):
    rng, rows, truth = np.random.default_rng(seed), [], {}
    for i in range(items):
        name, true = f"i{i:03d}", labels[rng.integers(len(labels))]
        truth[name] = true
        for j in rng.choice(len(skills), each, replace=False):
            right = rng.random() < skills[j]
            said = true if right else rng.choice([x for x in labels if x != true])
            rows.append((f"w{j}", "crowd" if j > 2 else "expert", name, str(said)))
    columns = dict(zip(("judge", "team", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return Scores.build(columns), truth


def test_what_is_expected_to_be_right_is_and_the_least_certain_come_first():
    panel, truth = crowd(1)
    found = q.label_quality(panel, **QUICK)
    right = np.mean([truth[r["item"]] == r["label"] for r in found.rows()])
    assert abs(found.right - right) < 0.06
    wrong = [truth[r["item"]] != r["label"] for r in found.disputes]
    assert np.mean(wrong[: found.first]) > np.mean(wrong[found.first :])
    assert found.right < found.after(found.first) <= 1
    assert found.judges[0]["judge"] == "w5"


def test_certainty_means_what_it_says():
    """Short form of the calibration: over some panels as many labels are right as certainties say, at each level."""
    sure, right = [], []
    for seed in range(10 if LONG else 5):
        panel, truth = crowd(seed, items=60, each=3)
        f = q.consensus(panel, "dawid_skene", resamples=0).findings[0]
        sure += f.details["certainty"]
        right += [truth[i] == v for i, v in zip(f.keys["item"], f.values, strict=True)]
    said, was = np.array(sure), np.array(right)
    assert abs(said.mean() - was.mean()) < 0.04
    for low, high in ((0.4, 0.8), (0.8, 0.95), (0.95, 1.01)):
        some = (said >= low) & (said < high)
        luck = np.sqrt((said[some] * (1 - said[some])).sum()) / some.sum()
        assert abs(said[some].mean() - was[some].mean()) < 3 * luck


def test_the_page_has_its_own_headline_tiles_and_part():
    panel, _ = crowd(1)
    page = q.report(panel, **QUICK)
    assert [p.name for p in page.parts] == ["labels"]
    assert "expected to be right" in page.first_screen.headline
    assert [t.asks for t in page.first_screen.tiles][-1] == "What to decide by hand?"
    assert {c.name for c in page.pictures} >= {"to-decide", "judge-confusion"}
    assert json.loads(page.to_json())["labels"]["right"] == pytest.approx(page.parts[0].right)


def test_the_command_writes_gold_and_list_and_puts_groups_side_by_side(tmp_path):
    panel, _ = crowd(2)
    file, gold, todo = (tmp_path / n for n in ("labels.csv", "gold.csv", "list.csv"))
    q.write(panel, file)
    words = ["labels", str(file), "--gold", str(gold), "--adjudicate", str(todo), "--by", "team", "--resamples", "50"]
    out = CliRunner().invoke(main, words)
    assert out.exit_code == 0, out.output
    assert "groups' labels differ" in " ".join(out.output.split())
    rows = list(csv.DictReader(gold.read_text("utf-8").splitlines()))
    assert len(rows) == 80
    assert all(0 < float(r["certainty"]) <= 1 for r in rows)
    assert next(iter(csv.DictReader(todo.read_text("utf-8").splitlines())))["said"]


def test_consensus_by_group_of_labels_scores_and_orders():
    panel, _ = crowd(2)
    from quorate.reports.consensus_groups import consensus_groups

    found = consensus_groups(panel, "team", **QUICK)
    assert list(found.answers) == ["crowd", "expert"]
    assert 0 < len(found.differ) < found.items <= 80
    orders = q.Orderings.build(
        {"judge": [*"aaabbb"], "item": [*"xyzxyz"], "position": [1, 2, 3, 3, 2, 1], "team": [*"mmmnnn"]}
    )
    assert {r["item"]: (r["m"], r["n"]) for r in consensus_groups(orders, "team", **QUICK).table}["x"] == (1.0, 3.0)
    groups = q.Groupings.build({"judge": [*"aabb"], "item": [*"xyxy"], "group": [*"1122"], "team": [*"mmnn"]})
    with pytest.raises(InputError, match="quorate compare"):
        consensus_groups(groups, "team")
    with pytest.raises(InputError, match="1 value"):
        consensus_groups(panel.select(team=["crowd"]), "team")


def test_all_agree_one_item_and_no_labels():
    same = Scores.from_labels({"a": {"x": "p", "y": "r"}, "b": {"x": "p", "y": "r"}})
    found = q.label_quality(same, **QUICK)
    assert not found.disputes
    assert q.report(same, **QUICK).first_screen.headline == "All judges agree on the label of both items."
    one = Scores.from_labels({"a": {"x": "p"}, "b": {"x": "r"}})
    assert q.label_quality(one, **QUICK).disputed == 1
    with pytest.raises(InputError, match="numbers"):
        q.label_quality(Scores.from_matrix([[1, 2], [2, 1]]))
    with pytest.raises(InputError, match="orderings"):
        q.label_quality(q.Orderings.from_orders(["ab", "ba"]))


def test_labels_at_random_are_not_said_to_be_right():
    """Rare labels by chance: a model of one common label explains them all, and would call nearly all of them right."""
    rng = np.random.default_rng(4)
    said = {f"j{k}": {f"i{i}": "spam" if rng.random() < 0.08 else "ham" for i in range(80)} for k in range(3)}
    found = q.report(q.Scores.from_labels(said), resamples=20)
    assert found.first_screen.headline.startswith("The judges do not clearly agree more than by chance")
    assert found.first_screen.tiles[0].word == "Cannot be told"
    assert [s.do for s in found.first_screen.steps] == ["Read the guidelines again with the judges"]
    assert "expected to be right" not in str(q.label_quality(q.Scores.from_labels(said), resamples=20).facts[0])


def test_a_judge_of_a_few_labels_is_not_said_to_be_right_most_often():
    panel, _ = crowd(1)
    sure = sorted(q.label_quality(panel, **QUICK).rows(), key=lambda r: -r["certainty"])[:5]
    few = [("new", "crowd", r["item"], r["label"]) for r in sure]
    rows = [*zip(*(panel.columns()[n] for n in ("judge", "team", "item", "label")), strict=True), *few]
    columns = dict(zip(("judge", "team", "item", "label"), map(list, zip(*rows, strict=True)), strict=True))
    found = q.label_quality(Scores.build(columns), **QUICK)
    assert found.judges[-1]["judge"] == "new"  # by the model of labels
    (said,) = (f.text for f in found.facts if f.text.startswith("Most often right"))
    assert "new" not in said


def test_of_one_judge_nobody_knows_how_many_labels_are_right():
    alone = q.label_quality(Scores.from_labels({"ann": {f"i{k}": "xy"[k % 2] for k in range(12)}}), **QUICK)
    assert str(alone.facts[0]).startswith("No two judges labelled the same item")
    assert not alone.judges


def test_one_who_labels_against_the_others_makes_no_doubt():
    rng, said = np.random.default_rng(5), {j: {} for j in ("a", "b", "c", "against")}
    for k in range(60):
        true = rng.random() < 0.5
        for judge, right in (("a", 0.9), ("b", 0.9), ("c", 0.85), ("against", 0.1)):
            said[judge][f"i{k}"] = "yes" if (rng.random() < right) == true else "no"
    found = q.label_quality(Scores.from_labels(said), resamples=20)
    assert found.reversed
    assert "expected to be right" in str(found.facts[0])
    assert min(found.certainty) >= 0.5  # of two labels


def test_judges_who_are_all_right_are_not_told_apart():
    same = q.label_quality(Scores.from_labels({j: {f"i{k}": "x" for k in range(12)} for j in "abc"}), **QUICK)
    assert not any(f.name in ("judge", "category") for f in same.facts)


def test_guidelines_are_not_asked_for_what_only_one_who_is_off_mixes_up():
    rng = np.random.default_rng(3)
    labels = {f"j{j}": {f"i{i}": "ny"[int((i % 2) ^ (rng.random() < 0.01))] for i in range(80)} for j in range(4)}
    off = {"j4": {f"i{i}": "y" for i in range(80)}}
    steps = q.report(Scores.from_labels(labels | off), resamples=20, permutations=9).first_screen.steps
    assert steps[0].do == "Look at j4"
    assert not any("guidelines" in s.do for s in steps)


def test_labels_of_camps_are_not_called_gold():
    """Five of twelve judges call b what the others call a: each camp would have a gold standard of its own."""
    rng = np.random.default_rng(3)
    true = rng.choice(list("aab"), 60)
    rows = {"judge": [], "item": [], "label": []}
    for j in range(12):
        for i, label in enumerate(true):
            own = "b" if j < 5 and i % 2 else label
            rows["judge"].append(f"w{j}")
            rows["item"].append(f"i{i}")
            rows["label"].append(str(own if rng.random() < 0.95 else rng.choice(list("ab"))))
    found = q.label_quality(Scores.build(rows), permutations=99, resamples=20)
    assert found.camps == 2
    do = [step.do for step in q.report(Scores.build(rows), permutations=99, resamples=20).first_screen.steps]
    assert any(d.startswith("Look at the camps") for d in do)
    assert "Take the labels as gold" not in do
    assert found.consensus.findings
    assert str(found.agreement.facts[0]) == "12 judges labelled 60 items."


def test_intervals_over_judges_are_those_of_agreement_and_gold_keeps_its_own():
    found = q.label_quality(crowd(6)[0], over="judges", **QUICK)
    assert "there is no interval over judges here, but over items or tasks" in found.notes
    assert {o.interval.over for o in found.agreement.findings[0].overall} == {"judges"}
    assert found.rows() == q.label_quality(crowd(6)[0], **QUICK).rows()


def test_where_few_items_have_a_rare_label_intervals_are_said_to_rest_on_these():
    labels = {j: {f"i{k:02d}": "spam" if k < 3 + (j == "a") else "ok" for k in range(40)} for j in "abc"}
    panel = Scores.from_labels(labels)
    (note,) = (n for n in q.label_quality(panel, **QUICK).notes if "rest on these few" in n)
    assert note in q.agreement(panel, **QUICK).notes
