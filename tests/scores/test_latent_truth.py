"""The label behind the judges' labels: against plain loops, on planted truths, and at the edges."""

from __future__ import annotations

import csv
import json
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma

import quorate as q
from quorate.cli import main
from quorate.inference.adjudication import adjudication, gold
from quorate.kernels import latent_labels as kernel
from quorate.kernels import ordered_labels
from quorate.scores import consensus_scores
from quorate.scores.latent_truth import METHODS, some_steps
from tests.family import LONG
from tests.reference import latent_truth as plain

pytestmark = [] if LONG else [pytest.mark.usefixtures("in_small")]

NOMINAL = [name for name in METHODS if name != "ordinal"]  # of labels in any order
label = st.one_of(st.none(), st.integers(0, 2))


@st.composite
def tables(draw):
    judges, items = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    rows = [[draw(label) for _ in range(items)] for _ in range(judges)]
    rows[0] = [0 if v is None else v for v in rows[0]]  # every unit has an answer
    return rows


def answers(rows):
    told = [
        (u, j, v) for u, column in enumerate(zip(*rows, strict=True)) for j, v in enumerate(column) if v is not None
    ]
    unit, judge, value = (np.array(column) for column in zip(*told, strict=True))
    known, code = np.unique(value, return_inverse=True)
    lists = [[(j, v) for u, j, v in told if u == k] for k in range(len(rows[0]))]
    made = kernel.Answers(unit, judge, code.ravel(), np.ones(len(unit)), len(rows[0]), len(rows), len(known))
    return made, lists, known.tolist()


def crowd(seed, units=150, judges=9, labels=3, each=4, accuracy=None):
    """A crowd whose truth is known: columns of a panel, the truth, and how often each judge is right."""
    rng = np.random.default_rng(seed)
    accuracy = rng.uniform(0.4, 0.95, judges) if accuracy is None else np.array(accuracy)
    truth = rng.integers(labels, size=units)
    columns: dict[str, list] = {"judge": [], "item": [], "label": []}
    for u in range(units):
        for j in np.sort(rng.choice(judges, each, replace=False)):
            right = rng.random() < accuracy[j]
            said = truth[u] if right else (truth[u] + rng.integers(1, labels)) % labels
            for name, value in zip(columns, (f"w{j}", f"i{u:03d}", "abc"[said]), strict=True):
                columns[name].append(value)
    return columns, ["abc"[t] for t in truth], accuracy


@given(rows=tables(), steps=st.integers(1, 4))
def test_steps_are_those_of_plain_loops(rows, steps):
    made, lists, known = answers(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "STEPS", steps)
        patch.setattr(kernel, "NEAR", 0.0)
        found = kernel.dawid_skene(made, 0.0).belief
        np.testing.assert_allclose(found, plain.dawid_skene(lists, known, steps), atol=1e-7)
        for prior in (0.0, 3.0):
            found = kernel.one_coin(made, prior).belief
            np.testing.assert_allclose(found, plain.one_coin(lists, known, steps, prior), atol=1e-7)


@given(rows=tables(), steps=st.integers(1, 2))
def test_labels_in_order_are_those_of_plain_loops(rows, steps):
    made, lists, known = answers(rows)
    shifts, noises, guesses = np.array([-1.0, 0.0, 1.0]), np.array([0.2, 1.0]), np.array([0.1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "STEPS", steps)
        patch.setattr(kernel, "NEAR", 0.0)
        for name, grid in (("SHIFTS", shifts), ("NOISES", noises), ("GUESSES", guesses)):
            patch.setattr(ordered_labels, name, grid)
        ordered_labels.ordered_judges.cache_clear()
        found = kernel.dawid_skene(made, 3.0, ordered_labels.ordered_confusion).belief
    ordered_labels.ordered_judges.cache_clear()
    grid = list(product(shifts.tolist(), noises.tolist(), guesses.tolist()))
    np.testing.assert_allclose(found, plain.ordinal(lists, known, steps, 3.0, grid), atol=1e-7)


def steps_of_a_scale(seed, units=200, judges=12, each=4, labels=5):
    """Judges who see the true step with a shift and noise of their own: columns of a panel and the truth."""
    rng = np.random.default_rng(seed)
    truth, shift, noise = rng.integers(labels, size=units), rng.normal(0, 0.4, judges), rng.uniform(0.2, 0.6, judges)
    shift[0] = 1.2
    shift -= shift.mean()  # what all have in common nobody can tell
    columns: dict[str, list] = {"judge": [], "item": [], "label": []}
    for u in range(units):
        for j in np.sort(rng.choice(judges, each, replace=False)):
            said = int(np.clip(np.rint(truth[u] + shift[j] + noise[j] * rng.logistic()), 0, labels - 1))
            for name, value in zip(columns, (f"w{j}", f"i{u:03d}", "abcde"[said]), strict=True):
                columns[name].append(value)
    return columns, ["abcde"[t] for t in truth]


def test_labels_on_a_scale_are_weighed_by_their_order():
    columns, truth = steps_of_a_scale(2)
    panel = q.Scores.build(columns).with_scale([*"abcde"])
    usual = q.consensus(panel, resamples=0)
    assert [str(f.method) for f in usual.findings] == ["majority", "ordinal"]
    plainly = q.consensus(panel, "dawid_skene", resamples=0).findings[0]
    majority, ordinal = usual.findings
    right = [np.mean([a == b for a, b in zip(f.values, truth, strict=True)]) for f in (majority, plainly, ordinal)]
    assert right[2] > max(right[:2])
    assert abs(np.mean(ordinal.details["certainty"]) - right[2]) < 0.12  # of ten such panels the means are equal
    said = {(r["truth"], r["label"]): r["share"] for r in usual.more["confusion_by_truth"] if r["judge"] == "w0"}
    assert said["b", "c"] > 0.4 > said["b", "a"] + 0.3  # one step up


def test_labels_without_an_order_have_no_such_model():
    columns, _ = steps_of_a_scale(1, units=20)
    with pytest.raises(q.QuorateError, match="ordinal needs labels in order"):
        q.consensus(q.Scores.build(columns), "ordinal")


@given(rows=tables())
def test_beliefs_are_probabilities_whoever_comes_first(rows):
    made, _, _ = answers(rows)
    back, _, _ = answers(rows[::-1])
    models = [lambda a: kernel.dawid_skene(a, 10.0), lambda a: kernel.one_coin(a, 4.0)]
    models += [lambda a: kernel.mace(a, digamma), lambda a: kernel.glad(a, some_steps)]
    for model in models:
        belief = model(made).belief
        assert np.allclose(belief.sum(axis=1), 1)
        assert belief.min() >= 0
        np.testing.assert_allclose(model(back).belief, belief, atol=2e-3)


def test_what_a_minority_of_good_judges_says_is_believed():
    columns, truth, _ = crowd(3, accuracy=[0.97, 0.97, 0.97, 0.97, 0.4, 0.4, 0.4, 0.4, 0.4], each=5)
    panel = q.Scores.build(columns)
    answer = q.consensus(panel, "majority", *NOMINAL, resamples=0)
    right = {str(f.method): np.mean([a == b for a, b in zip(f.values, truth, strict=True)]) for f in answer.findings}
    assert all(right[m] > right["majority"] + 0.05 for m in NOMINAL)
    told = {
        row["judge"]: row["value"] for row in answer.more["weights_and_effects_of_judges"] if row["method"] == "glad"
    }
    assert max(told[f"w{j}"] for j in range(4, 9)) < min(told[f"w{j}"] for j in range(4))


def test_a_judge_who_takes_one_label_for_another_is_seen():
    columns, truth, _ = crowd(5, accuracy=[0.9] * 9, each=6)
    at = dict(zip(sorted(set(columns["item"])), truth, strict=True))
    rows = list(zip(*columns.values(), strict=True))
    rows = [(j, i, "b" if j == "w0" and at[i] == "a" else said) for j, i, said in rows]
    panel = q.Scores.build(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    confused = q.consensus(panel, "dawid_skene").more["confusion_by_truth"]
    share = {(r["judge"], r["truth"], r["label"]): r["share"] for r in confused}
    assert share["w0", "a", "b"] > 0.6 > share["w0", "b", "a"] + 0.3
    assert share["w1", "a", "a"] > 0.75


def test_a_prior_keeps_a_judge_of_few_answers_from_being_believed_beyond_them():
    """Plain maximum likelihood is far surer than it is right; the prior makes it less so."""
    gap = {0.0: [], 10.0: []}
    for seed in range(4 if LONG else 1):
        columns, truth, _ = crowd(seed, units=120, judges=60, each=3)
        for prior, gaps in gap.items():
            f = q.consensus(q.Scores.build(columns), f"dawid_skene(prior={prior})", resamples=0).findings[0]
            right = np.mean([a == b for a, b in zip(f.values, truth, strict=True)])
            gaps.append(np.mean([max(row.values()) for row in f.details["posterior"]]) - right)
    assert np.mean(gap[0.0]) > 0.08
    assert abs(np.mean(gap[10.0])) < np.mean(gap[0.0]) / 2


def test_a_majority_of_five_items_is_not_overruled_by_what_so_few_tell():
    """Five judges of five items, two labels: nearly as many labels are right as of the majority; plainly fewer."""
    right: dict[object, list[float]] = {"majority": [], 0.0: [], 20.0: []}
    for seed in range(100):
        columns, truth, _ = crowd(seed, units=5, judges=5, labels=2, each=5, accuracy=[0.9, 0.85, 0.8, 0.7, 0.65])
        said = np.array(columns["label"]).reshape(5, 5).T.tolist()
        made, _, known = answers(said)
        wanted = [known.index(t) if t in known else -1 for t in truth]
        right["majority"].append(np.mean(made.shares().argmax(axis=1) == wanted))
        for prior in (0.0, 20.0):
            right[prior].append(np.mean(kernel.dawid_skene(made, prior).belief.argmax(axis=1) == wanted))
    assert abs(np.mean(right[20.0]) - np.mean(right["majority"])) < 0.025
    assert np.mean(right[0.0]) < np.mean(right["majority"]) - 0.03


def test_counted_judges_are_as_many_judges():
    once = {"judge": ["a", "b", "c", "a", "b", "c"], "item": [*"xxxyyy"], "label": ["p", "p", "r", "r", "r", "p"]}
    thrice = {**once, "count": [3] * 6}
    panels = [q.Scores.build(columns) for columns in (once, thrice)]
    one, three = (q.consensus(p, "one_coin(prior=0)", copies="apart").findings[0] for p in panels)
    assert one.values == three.values
    assert [c >= o - 1e-9 for c, o in zip(three.details["certainty"], one.details["certainty"], strict=True)]


@pytest.mark.parametrize("name", METHODS)
def test_edges(name):
    def build(columns):
        panel = q.Scores.build(columns)
        return panel.with_scale(panel.scale) if name == "ordinal" else panel

    one = build({"judge": ["a"], "item": ["x"], "label": ["yes"]})
    assert q.consensus(one, name).findings[0].values == ["yes"]
    same = build({"judge": [*"ab"] * 3, "item": [*"xxyyzz"], "label": ["ja"] * 6})
    assert q.consensus(same, name).findings[0].values == ["ja"] * 3
    apart = build({"judge": [*"ab"], "item": [*"xy"], "label": ["ü", "日本"]})
    assert q.consensus(apart, name).findings[0].values == ["ü", "日本"]
    level = build({"judge": [*"ab"], "item": [*"xx"], "label": ["p", "r"]})
    assert q.consensus(level, name).findings[0].values == [None]
    assert np.isnan(consensus_scores([[1, 0], [0, 1]], name)).all()


@pytest.mark.long
def test_a_hundred_thousand_labels():
    columns, truth, _ = crowd(1, units=20_000, judges=50, each=5)
    f = q.consensus(q.Scores.build(columns), "dawid_skene", resamples=0).findings[0]
    assert np.mean([a == b for a, b in zip(f.values, truth, strict=True)]) > 0.85


def test_gold_and_the_list_to_adjudicate(tmp_path):
    columns, _, _ = crowd(2, units=60)
    panel = q.Scores.build(columns)
    file = tmp_path / "labels.csv"
    q.write(panel, file)
    gold_file, list_file = tmp_path / "gold.csv", tmp_path / "list.csv"
    run = CliRunner().invoke(main, ["consensus", str(file), "--gold", str(gold_file), "--adjudicate", str(list_file)])
    assert run.exit_code == 0, run.output
    answer = q.consensus(q.read(file))
    written = list(csv.DictReader(gold_file.read_text().splitlines()))
    assert [row["label"] for row in written] == gold(answer)["label"]
    assert {row["method"] for row in written} == {"dawid_skene"}
    listed = list(csv.DictReader(list_file.read_text().splitlines()))
    gains = [float(row["gain"]) for row in listed]
    assert gains == sorted(gains, reverse=True)
    assert [row["item"] for row in listed] == adjudication(answer)["item"]
    assert listed[0]["said"].count(": ") == 4
    assert "Weighing judges by how often they are right" in run.output


def test_an_item_is_to_be_decided_where_all_who_labelled_it_are_known_to_be_wrong():
    rng, labels = np.random.default_rng(0), {judge: {} for judge in "abcdz"}
    for k, true in enumerate(rng.integers(2, size=60).tolist()):
        for judge, of in labels.items():
            of[f"i{k}"] = "xy"[true ^ (rng.random() < (0.95 if judge == "z" else 0.05))]
    labels["z"]["odd"] = "x"
    found = adjudication(q.consensus(q.Scores.from_labels(labels), resamples=0, permutations=0))
    row = found["item"].index("odd")
    assert (found["label"][row], found["said"][row]) == ("y", "z: x")


def test_labels_alone_have_a_gold_standard(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("judge,item,score\na,x,1\nb,x,2\n")
    run = CliRunner().invoke(main, ["consensus", str(file), "--gold", str(tmp_path / "gold.csv")])
    assert run.exit_code != 0
    assert "for labels" in run.output


def test_json_has_every_label_s_probability(tmp_path):
    columns, _, _ = crowd(2, units=10)
    found = json.loads(q.consensus(q.Scores.build(columns), "dawid_skene").to_json())
    latent = [row for row in found["results"] if row["method"] == "dawid_skene"]
    assert all(abs(sum(row["details"]["posterior"].values()) - 1) < 1e-9 for row in latent)
    told = sorted((max(row["details"]["posterior"].values()), row["details"]["certainty"]) for row in latent)
    assert [sure for _, sure in told] == sorted(sure for _, sure in told)  # put right, and in the same order
