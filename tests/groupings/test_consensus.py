"""Consensus of groupings: exact against enumeration, support, importance, and the answer."""

from __future__ import annotations

import itertools
import json
import math
import time

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import InputError, LimitReached, UnknownId
from quorate.groupings import consensus_partition
from quorate.groupings.association import Association
from quorate.groupings.consensus import as_panel, consensus_groups, judge_agreement
from quorate.groupings.consensus_support import stays
from quorate.groupings.importance import group_ranks, matched
from quorate.groupings.partition_program import solve
from quorate.kernels.median_partition import mean_agreement
from quorate.kernels.pair_support import quorum
from quorate.kernels.partition_proof import contracted, twins
from quorate.kernels.partition_search import worth
from tests.reference import group_consensus as plain

ITEMS = ["a", "b", "c", "ä ö", "文書", "7"]


@st.composite
def judges(draw, most=5, items=6):
    names = ITEMS[: draw(st.integers(1, items))]
    group = st.none() | st.integers(0, 3)
    return [{i: draw(group) for i in names} for _ in range(draw(st.integers(1, most)))]


def panel_of(found):
    return q.Groupings.from_groups({f"j{k}": sheet for k, sheet in enumerate(found)})


def solved(found, method):
    answer = q.consensus(panel_of(found), method, resamples=0)
    row = answer.to_dict()["results"][0]
    return row["groups"], row["left_out"], row["details"]


@given(judges(), st.sampled_from(["common", "singletons"]))
def test_pairs_is_worth_as_much_as_the_best_of_all_partitions(found, left_out):
    groups, left, details = solved(found, f"pairs(left_out={left_out})")
    items = sorted(found[0])
    assert sorted(left) == sorted(plain.left_out(found, items))
    assert sorted(i for g in groups for i in g) == sorted(set(items) - set(left))
    best = plain.best_worth(found, items, left_out == "singletons")
    assert plain.worth(found, groups, left_out == "singletons") == best == details["worth"] == details["bound"]
    assert details["optimal"] is True


@given(judges(), st.sampled_from([1, 2, 3, 0.5, 1.0]))
def test_quorum_by_components_is_what_supported_pairs_connect(found, q_):
    groups, _, details = solved(found, f"quorum(q={q_})")
    need = int(quorum(q_, len(found)))
    assert {frozenset(g) for g in groups} == plain.components(found, list(found[0]), need)
    chained = [g for g in groups if any(plain.counts(found, a, b)[0] < need for a, b in itertools.combinations(g, 2))]
    assert len(details["chains"]) == len(chained)
    for a, b in details["chains"]:
        assert plain.counts(found, a, b)[0] < need
        assert any(a in g and b in g for g in groups)


@given(judges(), st.sampled_from([1, 2, 0.5]))
def test_quorum_by_cliques_holds_the_most_support(found, q_):
    groups, _, details = solved(found, f"quorum(q={q_}, join=cliques)")
    need = int(quorum(q_, len(found)))
    support = [plain.counts(found, a, b)[0] for g in groups for a, b in itertools.combinations(g, 2)]
    assert all(s >= need for s in support)
    assert sum(support) == plain.best_cliques(found, list(found[0]), need)
    assert details["chains"] == []


@given(judges())
def test_the_association_counts_what_judges_did(found):
    items = sorted(found[0])
    labels = [[-1 if j[i] is None else j[i] for i in items] for j in found]
    whole = Association.of(labels, items=items)
    for a, b in itertools.combinations(items, 2):
        assert whole.pair(a, b) == plain.counts(found, a, b)
    assert whole.left_out.tolist() == [sum(j[i] is None for j in found) for i in items]
    half = len(labels) // 2
    if half:
        parts = Association.of(labels[:half], items=items) + Association.of(labels[half:], items=items)
        assert (parts.together == whole.together).all()
        assert (parts.both == whole.both).all()
        assert parts.judges == whole.judges
    assert len(whole.rows()) == len(items) * (len(items) - 1) // 2


@given(judges())
@example([{"a": 1, "b": 0}, {"a": None, "b": None}, {"a": None, "b": 2}])
def test_agreement_with_a_judge_and_staying_are_plain_counts(found):
    items = sorted(found[0])
    gold = found[0]
    consensus = np.array([-1 if gold[i] is None else gold[i] for i in items])
    groups = [[i for i in items if gold[i] == g] for g in {v for v in gold.values() if v is not None}]
    labels = np.array([[-1 if j[i] is None else j[i] for i in items] for j in found])
    for value, judge in zip(judge_agreement(labels, consensus), found, strict=True):
        want = plain.judge_agreement(judge, groups)
        assert math.isnan(value) if want is None else value == pytest.approx(want)
    drawn = [[[i for i in items if j[i] == g] for g in {v for v in j.values() if v is not None}] for j in found]
    got = stays(consensus, labels)
    assert got == pytest.approx([plain.stays(groups, drawn, i) for i in items])


@given(st.integers(1, 7), st.integers(0, 10**6))
def test_the_program_finds_the_best_partition_for_any_weights(size, seed):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.integers(-5, 6, size=(size, size)), 1)
    weights = weights + weights.T
    found = solve(weights[None])
    names = list(range(size))
    best = max(sum(weights[a, b] for g in p for a, b in itertools.combinations(g, 2)) for p in plain.partitions(names))
    assert found.worth[0] == best == worth(weights[None], found.labels)[0]
    assert found.optimal.all()


def test_a_task_that_local_search_cannot_prove_is_proven_by_the_program():
    rng = np.random.default_rng(3)
    weights = np.triu(rng.integers(-4, 5, size=(18, 18)), 1)
    weights = weights + weights.T
    found = solve(weights[None], seconds=600)
    assert found.optimal.all()
    assert (found.worth == found.bound).all()
    stopped = solve(weights[None], seconds=0)
    assert not stopped.optimal.any()
    assert stopped.bound[0] >= found.worth[0] >= stopped.worth[0]


def test_items_that_are_alike_stay_together_in_some_best_partition():
    weights = np.array([[0, 1, 2, -1], [1, 0, 2, -1], [2, 2, 0, 3], [-1, -1, 3, 0]], float)
    assert twins(weights).tolist() == [0, 0, 1, 2]
    assert contracted(weights, twins(weights)).tolist() == [[0, 4, -2], [4, 0, 3], [-2, 3, 0]]


def test_support_of_items_groups_and_pairs():
    sheets = [{"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1, "z": 1}, {"x": 1, "y": 2, "z": None}]
    groups, left, d = solved(sheets, "pairs")
    assert (groups, left) == ([["x", "y"], ["z"]], [])
    assert d["items"]["x"]["support"] == pytest.approx(2 / 3)
    assert d["items"]["z"]["support"] is None  # alone: nobody to be with
    assert d["group_support"][0] == {"support": pytest.approx(2 / 3), "weakest": pytest.approx(2 / 3), "stays": None}
    assert d["pairs"] == [{"pair": ["x", "y"], "together": 2, "both": 3, "stays": None}]
    assert d["undecided"] == ["z"]  # one of two judges has it with x, one of two with y
    assert d["judges"]["j1"] == pytest.approx(1 / 3)


def test_items_that_most_left_out_are_left_out_with_their_support():
    _, left, d = solved([{"x": 1, "y": 1, "z": None}] * 2 + [{"x": 1, "y": 2, "z": 2}], "pairs")
    assert left == ["z"]
    assert d["items"]["z"]["support"] == pytest.approx(2 / 3)
    half, kept, _ = solved([{"x": 1, "y": 1, "z": None}, {"x": 1, "y": 1, "z": 1}], "pairs")
    assert kept == []  # half of the judges are not most
    assert half == [["x", "y", "z"]]


def test_counts_stand_for_so_many_judges():
    once = {"judge": ["a"] * 3 + ["b"] * 3, "item": ["x", "y", "z"] * 2, "group": [1, 1, 2, 1, 2, 2]}
    panel = q.Groupings.build({**once, "count": [3] * 3 + [1] * 3})
    assert consensus_groups(panel) == [["x", "y"], ["z"]]
    panel = q.Groupings.build({**once, "count": [1] * 3 + [3] * 3})
    assert consensus_groups(panel) == [["y", "z"], ["x"]]


def test_resampled_panels_say_how_often_items_stay():
    sure = q.Groupings.from_groups({f"j{k}": {"x": 1, "y": 1, "z": 2, "w": 2} for k in range(5)})
    d = q.consensus(sure, "pairs", resamples=50).to_dict()["results"][0]["details"]
    assert d["resamples"] == 50
    assert all(v == {"support": 1.0, "stays": 1.0} for v in d["items"].values())
    split = q.Groupings.from_groups({f"j{k}": {"x": 1, "y": 1 + (k > 2), "z": 3} for k in range(5)})
    d = q.consensus(split, "pairs", resamples=100).to_dict()["results"][0]["details"]
    assert 0.5 < d["pairs"][0]["stays"] < 0.95
    assert d["pairs"][0]["stays"] < d["items"]["x"]["stays"] < 1  # alone it still keeps half of its group
    assert d["items"]["z"]["stays"] == 1


# -- importance -------------------------------------------------------------------------------------------------------

RANKED = {
    "judge": ["ann"] * 4 + ["bob"] * 4 + ["cat"] * 4,
    "item": ["w", "x", "y", "z"] * 3,
    "group": ["A", "A", "B", "B", 7, 7, 9, 9, "p", "p", "p", "q"],
    "importance": [2, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 2],
}


def test_groups_come_in_the_order_of_importance():
    panel = q.Groupings.build(RANKED)
    row = q.consensus(panel, "pairs").to_dict()["results"][0]
    assert row["groups"] == [["y", "z"], ["w", "x"]]
    assert row["details"]["importance"] == [1.0, 2.0]
    made = as_panel(q.consensus(panel, "pairs"))
    assert made.columns()["importance"] == [1, 1, 2, 2]
    assert made.columns()["item"] == ["y", "z", "w", "x"]


def test_a_judges_groups_are_matched_by_the_most_items_in_common():
    own, consensus = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 1, -1])
    assert matched(own, consensus) == {0: 0, 1: 1}
    assert matched(np.array([-1, -1]), np.array([0, 0])) == {}
    ranks = np.array([[1.0, 1, 1, 2, 2, 3], [np.nan] * 6])
    got = group_ranks(np.stack([own, own]), ranks, consensus)
    assert got[0].tolist() == [1, 2]
    assert np.isnan(got[1]).all()


@given(st.lists(st.integers(-1, 3), min_size=6, max_size=6), st.lists(st.integers(-1, 2), min_size=6, max_size=6))
def test_the_matching_is_the_best_of_all(own, consensus):
    found = matched(np.array(own), np.array(consensus))
    mine, theirs = sorted({g for g in own if g >= 0}), sorted({g for g in consensus if g >= 0})

    def common(a, b):
        return sum(x == a and y == b for x, y in zip(own, consensus, strict=True))

    slots = [*mine, *[None] * len(theirs)]
    ways = itertools.permutations(slots, len(theirs))
    best = max(sum(common(a, b) for a, b in zip(way, theirs, strict=True) if a is not None) for way in ways)
    assert sum(common(a, b) for b, a in found.items()) == best
    assert len(set(found.values())) == len(found)


def test_nobody_ranked_the_groups_means_no_place():
    panel = q.Groupings.build({**RANKED, "importance": [None, "high"] * 6})
    row = q.consensus(panel, "pairs").to_dict()["results"][0]
    assert row["details"]["importance"] == [None] * len(row["groups"])


# -- every method ------------------------------------------------------------------------------------------------------

METHODS = table.methods("groupings", "consensus")


@pytest.mark.parametrize("m", METHODS, ids=str)
def test_text_forms_parse_back(m):
    for form in (m, m.with_default(seconds=2.5, groups=3), m.with_(importance="copeland")):
        assert table.parse(str(form), "groupings", "consensus") == form


@pytest.mark.parametrize("m", METHODS, ids=str)
@given(found=judges(), random=st.randoms(use_true_random=False))
def test_the_order_of_judges_and_the_names_of_groups_do_not_matter(m, found, random):
    one = q.consensus(panel_of(found), m, resamples=0).to_dict()["results"][0]
    names = list(range(len(found)))
    random.shuffle(names)
    again = {f"j{k}": {i: None if g is None else f"g{g * 7}" for i, g in found[k].items()} for k in names}
    other = q.consensus(q.Groupings.from_groups(again), m, resamples=0).to_dict()["results"][0]
    assert {**one, "details": 0} == {**other, "details": 0}
    assert one["details"]["agreement"] == pytest.approx(other["details"]["agreement"], nan_ok=True)


DEGENERATE = {
    "one judge": {"a": {"x": 1, "y": 1, "z": 2}},
    "one item": {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": None}},
    "all the same": {k: {"x": 1, "y": 1} for k in "abc"},
    "nothing in common": {"a": {"x": 1}, "b": {"y": 1}, "c": {"z": 1}},
    "all left out": {k: {"x": None, "y": None} for k in "abc"},
    "one left out everything": {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1}, "c": {"x": None, "y": None}},
}


@pytest.mark.parametrize("m", [*METHODS, table.parse("quorum(join=cliques)", "groupings", "consensus")], ids=str)
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_panels_give_an_answer(m, name):
    answer = q.consensus(q.Groupings.from_groups(DEGENERATE[name]), m, resamples=20)
    assert answer.text()
    row = json.loads(answer.to_json())["results"][0]
    placed = [i for g in row["groups"] for i in g]
    assert sorted([*placed, *row["left_out"]]) == sorted({i for s in DEGENERATE[name].values() for i in s})
    low, high = m.declaration.range
    value = answer.findings[0].overall[0].value
    assert math.isnan(value) or low <= value <= high
    assert as_panel(answer).items


def test_the_same_seed_gives_the_same_bytes_and_another_may_not():
    rng = np.random.default_rng(0)
    found = {f"j{k}": {f"i{i}": int(rng.integers(4)) for i in range(12)} for k in range(6)}
    panel = q.Groupings.from_groups(found)
    one, again, other = (q.consensus(panel, resamples=60, seed=s).to_json() for s in (1, 1, 2))
    assert one == again
    assert one != other


def test_several_tasks_have_an_interval_over_tasks():
    rng = np.random.default_rng(2)
    tasks = {t: {j: {i: int(rng.integers(3)) for i in range(8)} for j in "abc"} for t in range(2)}
    answer = q.consensus(q.Groupings.from_groups(tasks), "pairs", resamples=100)
    overall = answer.to_dict()["overall"][0]
    assert overall["interval_by"] == "tasks"
    shares = answer.findings[0].details["agreement"]
    assert 0 <= overall["interval"][0] < min(shares) < max(shares) < overall["interval"][1] <= 1
    assert len(answer.findings[0].values) == 2
    assert "a, b" not in answer.to_csv()  # items are numbers here
    assert answer.to_csv().splitlines()[0].startswith("task,left_out,method,groups,agreement")


def test_mistakes_are_errors():
    with pytest.raises(InputError, match="dimensions"):
        Association.of([1, 2])
    with pytest.raises(LimitReached, match="6,000 items"):
        Association.of(np.zeros((1, 6000), int))
    one, other = Association.of([[0, 0]], items="xy"), Association.of([[0, 0]], items="yx")
    with pytest.raises(InputError, match="different items"):
        one + other
    with pytest.raises(UnknownId, match="no item 'q'"):
        one.pair("x", "q")


def test_real_sortings_are_nearer_to_the_usual_consensus_than_to_average_linkage(data):
    paths = sorted((data / "free-sorting").glob("*.csv"))
    assert paths
    for path in paths:
        panel = q.read(path, kind="groupings")
        labels = _labels(panel)
        counts = np.ones((1, len(labels)), np.int64)
        means = []
        for text in ("median_partition", "linkage"):
            (found,) = consensus_partition.solved(table.parse(text, "groupings", "consensus"), labels[None], counts)
            means.append(mean_agreement(labels, counts[0], found.array[None])[0])
        assert means[0] >= means[1] - 1e-9, path.name


@pytest.mark.long
def test_real_sortings_are_proven_and_quick(data):
    begun = time.process_time()
    for path in sorted((data / "free-sorting").glob("*.csv")):
        panel = q.read(path, kind="groupings")
        answer = q.consensus(panel, resamples=20)
        assert answer["pairs"].details["optimal"] == [True]
        together = answer["pairs"].overall[0].value
        best = max(np.mean(judge_agreement(_labels(panel), row)) for row in _labels(panel))
        assert together >= best - 1e-12  # no judge agrees more with the others than the consensus does
    assert time.process_time() - begun < 30


def _labels(panel):
    from quorate.panel.partitions import partitions

    return partitions(panel)[0].labels


def test_a_hundred_thousand_rows():
    rng = np.random.default_rng(5)
    truth = rng.integers(60, size=500)
    labels = np.where(rng.random((200, 500)) < 0.4, rng.integers(60, size=(200, 500)), truth)
    panel = q.Groupings.build(
        {"judge": np.repeat(np.arange(200), 500), "item": np.tile(np.arange(500), 200), "group": labels.ravel()}
    )
    assert len(panel) == 100_000
    answer = q.consensus(panel, "pairs", resamples=0)
    groups = answer["pairs"].values[0]
    assert answer["pairs"].details["optimal"] == [True]
    assert sum(len({truth[i] for i in g}) == 1 for g in groups) == len(groups)


@pytest.mark.long
def test_the_proof_reads_no_clock_unless_seconds_are_given(monkeypatch):
    from quorate.kernels import effort

    def never():
        raise AssertionError("a clock was read")

    monkeypatch.setattr(effort.time, "monotonic", never)
    weights = np.triu(np.random.default_rng(3).integers(-4, 5, size=(18, 18)), 1)
    assert solve((weights + weights.T)[None]).optimal.all()
    with pytest.raises(AssertionError, match="a clock was read"):
        solve((weights + weights.T)[None], seconds=1.0)
