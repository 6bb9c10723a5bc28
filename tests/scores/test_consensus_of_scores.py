"""Consensus and quality of scores: every item's score by all its judges, leaderboards, votes."""

from __future__ import annotations

import json
import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import InputError
from quorate.inference.letters import clusters
from quorate.panel.units import from_table
from quorate.scores import consensus_scores
from quorate.scores.averages import METHODS
from tests.reference import score_trust as plain

score = st.one_of(st.none(), st.integers(1, 5))


@st.composite
def tables(draw):
    judges, items = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    return [[draw(score) for _ in range(items)] for _ in range(judges)]


def columns(rows):
    return [[v for v in column if v is not None] for column in zip(*rows, strict=True)]


def same(found, expected):
    assert found.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(rows=tables())
def test_means_and_medians_are_those_of_the_statistics_module(rows):
    same(consensus_scores(rows), [statistics.mean(c) if c else math.nan for c in columns(rows)])
    same(consensus_scores(rows, "median"), [statistics.median(c) if c else math.nan for c in columns(rows)])


@given(rows=tables(), share=st.sampled_from([0.0, 0.1, 0.25, 0.4, 0.5]))
def test_the_trimmed_mean_leaves_off_both_ends(rows, share):
    def trimmed(c):
        off = min(int(share * len(c) + 1e-9), (len(c) - 1) // 2)
        return statistics.mean(sorted(c)[off : len(c) - off]) if c else math.nan

    same(consensus_scores(rows, "trimmed_mean", share=share), [trimmed(c) for c in columns(rows)])


@given(rows=tables(), data=st.data())
def test_the_order_of_judges_does_not_matter(rows, data):
    order = data.draw(st.permutations(range(len(rows))))
    for name in METHODS:
        same(consensus_scores([rows[k] for k in order], name), consensus_scores(rows, name).tolist())


def test_the_additive_model_takes_severity_out():
    truth = np.array([1.0, 2, 3, 4, 5])
    rows = np.full((3, 5), np.nan)
    rows[0, :3] = truth[:3] - 1  # a severe judge saw the bad ones
    rows[1, 2:] = truth[2:] + 1
    rows[2, 1:4] = truth[1:4]
    found = consensus_scores(rows, "additive")
    assert found - found.mean() == pytest.approx(truth - truth.mean())
    assert consensus_scores(rows)[0] - consensus_scores(rows)[4] != pytest.approx(-4)


def test_judges_who_share_no_item_are_said_to():
    panel = q.Scores.build({"judge": ["a", "b"], "item": ["x", "y"], "score": [1, 5]})
    answer = q.consensus(panel, "additive")
    assert any("2 parts that share no unit" in note for note in answer.notes)


def test_a_judge_who_contradicts_the_others_weighs_nothing():
    good = [1, 2, 3, 4, 5, 3]
    found = METHODS["consistency_weighted"](from_table([good, [2, 2, 3, 4, 4, 3], good[::-1]]))
    assert found.judges["weight"][2] == 0
    assert found.array[0] == pytest.approx(
        (1 * found.judges["weight"][0] + 2 * found.judges["weight"][1]) / found.judges["weight"][:2].sum()
    )


def test_weights_by_self_consistency_need_repeats_and_say_so():
    base = {"judge": ["a", "a", "b", "b"] * 2, "item": ["x", "y"] * 4, "score": [1, 5, 5, 1, 1, 5, 1, 4]}
    panel = q.Scores.build({**base, "occasion": [1] * 4 + [2] * 4})
    answer = q.consensus(panel, "consistency_weighted(weights=consistency)")
    weights = {r["judge"]: r["value"] for r in answer.to_dict()["weights_and_effects_of_judges"]}
    assert weights == {"a": 1.0, "b": 0.0}
    assert answer.findings[0].values == [1.0, 5.0]
    once = q.Scores.build({k: v[:4] for k, v in base.items()})
    assert any(
        "no judge has a weight" in n for n in q.consensus(once, "consistency_weighted(weights=consistency)").notes
    )


@pytest.fixture(scope="module")
def summeval(data):
    return q.read(data / "summeval" / "summeval_experts.csv")


def test_summeval_is_read_without_any_option(summeval, data):
    told = q.read(
        data / "summeval" / "summeval_experts.csv",
        rename={"doc": "task"},
        criteria=["coherence", "consistency", "fluency", "relevance"],
    )
    assert summeval == told
    assert "taken as criteria" in " ".join(map(str, summeval.reading.guesses))


def test_summeval_leaderboards_are_plain_means(summeval):
    answer = q.quality(summeval)
    sums: dict = {}
    for criterion, system, value in zip(
        summeval.labels["criterion"].values(), summeval.labels["system"].values(), summeval.value.tolist(), strict=True
    ):
        sums.setdefault((criterion, system), []).append(value)
    assert len(answer.findings[0].overall) == 4 * 16
    for o in answer.findings[0].overall:
        expected = sum(v := sums[o.labels["criterion"], o.labels["system"]]) / len(v)
        assert o.value == pytest.approx(expected)
        assert o.interval.low <= o.value <= o.interval.high
        assert o.labels["group"]
    best = [o for o in answer.findings[0].overall if o.labels["criterion"] == "coherence"]
    assert [o.value for o in best] == sorted((o.value for o in best), reverse=True)


def test_consensus_rows_have_task_item_criterion_and_value(summeval):
    answer = json.loads(q.consensus(summeval.select(criterion=["fluency"]), "mean").to_json())
    assert len(answer["results"]) == 1600
    assert {"task", "item", "criterion", "method", "value", "details"} <= set(answer["results"][0])
    assert {"system", "criterion", "method", "value", "interval", "group"} <= set(answer["overall"][0])


def test_a_single_task_is_resampled_over_judges():
    rng = np.random.default_rng(0)
    panel = q.Scores.from_matrix(rng.normal(size=(9, 3)) + np.array([0, 0, 4]), items=["x", "y", "z"])
    found = q.quality(panel).findings[0].overall
    assert found[0].labels["system"] == "z"
    assert found[0].interval.by == "judges"
    assert found[0].labels["group"] != found[1].labels["group"]


def test_systems_on_a_single_task_are_compared_as_by_a_paired_t_test_over_judges():
    from scipy.stats import t, ttest_rel

    scores = np.random.default_rng(3).normal([0.0, 2.0], 1.0, size=(5, 2))
    best, second = q.quality(q.Scores.from_matrix(scores, items=["x", "y"]), resamples=300).findings[0].overall
    assert best.labels["system"] == "y"
    # 300 draws tell a spread to 4 %; as if there were many judges the interval would be less than two thirds as wide.
    assert second.labels["p_best"] == pytest.approx(ttest_rel(*scores.T).pvalue, rel=0.2)
    half = t.ppf(0.975, 4) * scores[:, 0].std(ddof=1) / math.sqrt(5)
    assert second.interval.high - second.interval.low == pytest.approx(2 * half, rel=0.2)


def test_a_count_on_a_single_task_is_so_many_judges():
    scores = {"a": [5.0, 1.0, 4.0], "b": [4.0, 2.0, 5.0], "c": [1.0, 5.0, 2.0]}
    counts = {"a": 3, "b": 1, "c": 2}
    cells = [(j, i, v, counts[j]) for j, own in scores.items() for i, v in zip("xyz", own, strict=True)]
    rows = dict(zip(("judge", "item", "score", "count"), map(list, zip(*cells, strict=True)), strict=True))
    each = q.Scores.from_matrix([scores[j] for j in "abc" for _ in range(counts[j])], items=list("xyz"))
    once, again = (q.quality(p, resamples=200).findings[0].overall for p in (q.Scores.build(rows), each))
    for one, two in zip(once, again, strict=True):
        assert (one.value, one.labels["p_best"]) == pytest.approx((two.value, two.labels["p_best"]), nan_ok=True)
        ends = (two.interval.low, two.interval.high)
        assert (one.interval.low, one.interval.high) == pytest.approx(ends, abs=0.3)  # other draws of the same judges


def test_a_system_with_one_judge_on_a_single_task_has_no_interval_and_no_p():
    panel = q.Scores.from_matrix([[5, 1, None], [4, 2, None], [5, 2, 3]], items=list("xyz"))
    found = {o.labels["system"]: o for o in q.quality(panel, resamples=200).findings[0].overall}
    assert found["z"].interval is None
    assert found["z"].labels["p_best"] is None
    assert found["y"].interval is not None
    assert found["y"].labels["p_best"] is not None


def test_items_are_inputs_where_systems_share_them():
    rows = [(f"d{k}", s, k + (s == "good") * 2.0) for k in range(8) for s in ("good", "bad")]
    item, system, score = zip(*rows, strict=True)
    panel = q.Scores.build({"judge": ["j"] * 16, "item": item, "system": system, "score": score})
    found = q.quality(panel).findings[0].overall
    assert [o.labels["system"] for o in found] == ["good", "bad"]
    assert [o.labels["group"] for o in found] == ["a", "b"]


def test_scores_take_no_second_panel_and_orderings_need_one():
    panel = q.Scores.from_matrix([[1, 2]])
    with pytest.raises(InputError, match="no second file"):
        q.quality(panel, panel)
    with pytest.raises(InputError, match="which systems"):
        q.quality(q.Orderings.from_orders(["ab"]))


def test_clusters_begin_where_every_test_above_and_below_says_so():
    p = np.array([[1, 0.01, 0.01], [0.01, 1, 0.2], [0.01, 0.2, 1]])
    assert clusters(p, [0, 1, 2]) == [1, 2, 2]
    p[0, 2] = p[2, 0] = 0.3
    assert clusters(p, [0, 1, 2]) == [1, 1, 1]


def test_mtbench_votes_give_win_rates_and_strengths(data):
    votes = [json.loads(line) for line in (data / "mtbench" / "human.jsonl").read_text().splitlines()]
    panel = q.read(data / "mtbench" / "human.jsonl", kind="scores")
    names = panel.labels["system"].ids
    code = {n: k for k, n in enumerate(names)}
    wins = np.zeros((len(names),) * 2)
    seen = set()
    for v in votes:
        key = (v["judge"], v["question_id"], v["turn"], *sorted((v["model_a"], v["model_b"])))
        if key in seen:  # a judge's second vote on the same pair is a repeat
            continue
        seen.add(key)
        a, b = code[v["model_a"]], code[v["model_b"]]
        won = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}[v["winner"]]
        wins[a, b] += won
        wins[b, a] += 1 - won
    expected = dict(zip(names, plain.bradley_terry(wins.tolist(), 0.0), strict=True))
    found = q.quality(panel, "bradley_terry", resamples=100, copies="apart").findings[0].overall
    assert {o.labels["system"]: o.value for o in found} == pytest.approx(expected, abs=1e-6)
    assert found[0].labels["system"] == "gpt-4"
    assert all(o.interval.low <= o.value <= o.interval.high for o in found)


def test_a_system_that_always_wins_has_a_finite_strength():
    panel = q.Scores.build(
        {"judge": ["j"] * 6, "task": [1, 1, 2, 2, 3, 3], "item": ["w", "l"] * 3, "score": [1, 0] * 3}
    )
    found = {o.labels["system"]: o.value for o in q.quality(panel, "bradley_terry").findings[0].overall}
    assert math.isfinite(found["w"])
    assert found["w"] == -found["l"] > 1


DEGENERATE = {
    "one judge, one item": [[3.0]],
    "one judge": [[1.0, 2.0, 3.0]],
    "one item": [[1.0], [2.0]],
    "all the same": [[2.0, 2.0], [2.0, 2.0]],
    "nothing in common": [[1.0, math.nan], [math.nan, 2.0]],
    "no scores": [[math.nan]],
}


@pytest.mark.parametrize("question", ["consensus", "quality"])
@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_panels_give_numbers_or_nan(question, case):
    panel = q.Scores.from_matrix(DEGENERATE[case])
    for m in table.methods("scores", question):
        answer = getattr(q, question)(panel, str(m), resamples=20)
        told = json.loads(answer.to_json())
        assert told["question"] == question
        given = [v for row in DEGENERATE[case] for v in row if v is not None and v == v]
        for o in told["overall"]:
            if m.name in ("mean", "median", "trimmed_mean", "mean_score"):
                assert min(given) <= o["value"] <= max(given)
            if o["interval"]:
                assert o["interval"][0] <= o["value"] <= o["interval"][1]
        assert answer.sentences[0] in answer.text()


@pytest.mark.parametrize("question", ["consensus", "quality"])
def test_the_same_seed_gives_the_same_bytes_and_texts_parse_back(question):
    rng = np.random.default_rng(1)
    raw = {
        "task": np.repeat(np.arange(6), 6),
        "judge": ["a", "a", "a", "b", "b", "b"] * 6,
        "item": ["x", "y", "z"] * 12,
    }
    panel = q.Scores.build({**raw, "score": rng.integers(1, 6, 36)})
    for m in table.methods("scores", question):
        assert table.parse(str(m), "scores", question) == m
        first, second = (getattr(q, question)(panel, m, seed=3, resamples=20).to_json() for _ in range(2))
        assert first == second


def test_a_hundred_thousand_rows():
    rng = np.random.default_rng(0)
    raw = {"task": np.repeat(np.arange(500), 200), "judge": np.tile(np.repeat(np.arange(10), 20), 500)}
    panel = q.Scores.build({**raw, "item": np.tile(np.arange(20), 5000), "score": rng.normal(size=100_000)})
    answer = q.consensus(panel, *METHODS, resamples=200)
    assert [len(f.values) for f in answer.findings] == [10_000] * len(METHODS)


# -- one leaderboard ---------------------------------------------------------------------------------------------------


def of_systems(rng, tasks, judges, systems, **deviations):
    """Scores of systems between 2 and 4, with effects of tasks, of judges and of both on systems."""
    d = {"task": 0.5, "judge": 0.0, "task x system": 0.5, "judge x system": 0.0, "rest": 0.5, **deviations}
    task, judge, system = (x.ravel() for x in np.indices((tasks, judges, systems)))
    score = np.linspace(2, 4, systems)[system] + d["rest"] * rng.normal(size=len(task))
    score = score + d["task"] * rng.normal(size=tasks)[task] + d["judge"] * rng.normal(size=judges)[judge]
    score = score + d["task x system"] * rng.normal(size=(tasks, systems))[task, system]
    score = score + d["judge x system"] * rng.normal(size=(judges, systems))[judge, system]
    return q.Scores.build({"task": task, "judge": judge, "item": system, "system": system, "score": score})


@pytest.mark.parametrize("over", [None, "judges", "tasksxjudges"])
@pytest.mark.parametrize("of", ["mean", "median", "additive"])
def test_quality_and_consensus_have_one_leaderboard_to_the_last_digit(of, over):
    panel = of_systems(np.random.default_rng(0), 9, 4, 3)
    (one,) = q.consensus(panel, of, over=over, resamples=50).findings
    (two,) = q.quality(panel, f"mean_score(of={of})", over=over, resamples=50).findings
    assert [e.interval for e in one.overall] == [e.interval for e in two.overall]
    assert [dict(e.labels) for e in one.overall] == [dict(e.labels) for e in two.overall]
    assert [e.value for e in one.overall] == [e.value for e in two.overall]


@pytest.mark.parametrize(
    ("tasks", "judges", "over", "effects"),
    [
        (2, 3, "tasks", {}),
        pytest.param(3, 3, "tasks", {}, marks=pytest.mark.long),
        (8, 3, "judges", {"task": 0, "task x system": 0, "judge": 0.4, "judge x system": 0.3}),
        (6, 4, "tasksxjudges", {"judge": 0.4, "judge x system": 0.3}),
    ],
)
def test_intervals_of_a_leaderboard_hold_what_other_tasks_and_judges_would_give(tasks, judges, over, effects):
    rng, held, number = np.random.default_rng(1), np.zeros(3), 60
    for k in range(number):
        panel = of_systems(rng, tasks, judges, 3, **effects)
        (found,) = q.quality(panel, "mean_score", over=over, resamples=100, seed=k).findings
        ends = {e.labels["system"]: e.interval for e in found.overall}
        held += [ends[s].low <= true <= ends[s].high for s, true in enumerate((2, 3, 4))]
    assert (held >= 0.85 * number).all()  # lowest and highest too: 95 of 100, and three standard errors


def test_letters_apart_where_all_systems_are_equally_good_are_rare():
    rng, apart = np.random.default_rng(2), 0
    for k in range(60):
        task, system = (x.ravel() for x in np.indices((10, 4)))
        score = rng.normal(size=10)[task] + rng.normal(size=len(task))
        panel = q.Scores.build({"task": task, "judge": ["j"] * 40, "item": system, "system": system, "score": score})
        (found,) = q.quality(panel, "mean_score", resamples=20, seed=k).findings
        apart += len({e.labels["group"] for e in found.overall}) > 1
    assert apart <= 8  # 3 expected
