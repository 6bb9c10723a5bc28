"""Consensus of very many items, without a table of all pairs: the same as with it."""

from __future__ import annotations

import itertools
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

import quorate as q
from quorate import table
from quorate.errors import LimitReached
from quorate.groupings import association, consensus_partition, large_partition, median_partition
from quorate.groupings.consensus import fitting
from quorate.groupings.consensus_partition import consensus, solved
from quorate.groupings.linkage_tree import average_linkage, sparse_linkage
from quorate.inference import usual_methods
from quorate.kernels.median_partition import mean_agreement
from quorate.panel import permuted_groups
from quorate.panel.partitions import treated

METHODS = (
    "pairs",
    "pairs(left_out=singletons)",
    "quorum(q=0.5)",
    "quorum(q=0.8)",
    "quorum(q=2)",
    "quorum(q=0.4,join=cliques)",
)


@st.composite
def sorts(draw: Any) -> tuple[Any, Any]:
    """Labels of a task, of which judges may leave out some or were not shown them, and how often judges count."""
    seed, judges, items = draw(st.integers(0, 10**6)), draw(st.integers(2, 7)), draw(st.integers(2, 90))
    rng = np.random.default_rng(seed)
    groups, noise = int(rng.integers(1, 8)), rng.choice([0.0, 0.1, 0.4, 1.0])
    labels = np.tile(rng.integers(groups, size=items), (judges, 1))
    labels = np.where(rng.random(labels.shape) < noise, rng.integers(groups, size=labels.shape), labels)
    labels[rng.random(labels.shape) < rng.choice([0.0, 0.0, 0.2])] = -1
    labels[rng.random(labels.shape) < rng.choice([0.0, 0.0, 0.3])] = -2
    return labels, rng.integers(1, 3, size=judges) * rng.choice([1, 2])


def sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """No task is small enough for a table of all pairs; parts of it may be."""
    monkeypatch.setattr(consensus_partition, "ITEMS", 0)
    monkeypatch.setattr(median_partition, "ITEMS", 0)


@pytest.mark.parametrize("text", METHODS)
@given(sorts())
def test_pairs_and_quorum_are_those_of_a_table_of_all_pairs(text: str, given: tuple[Any, Any]) -> None:
    labels, counts = given
    method = table.parse(text, "groupings", "consensus")
    (dense,) = solved(method, labels[None], counts[None])
    with pytest.MonkeyPatch.context() as patch:
        sparse(patch)
        patch.setattr(large_partition, "ITEMS", 100)
        (found,) = solved(method, labels[None], counts[None])
        again = consensus(method, labels[None], counts[None, None], dense.array[None])[0, 0]
    assert found.array.tolist() == dense.array.tolist()
    assert found.about == dense.about
    if dense.facts.get("optimal"):
        assert dict(found.facts) == dict(dense.facts)
    drawn = consensus(method, labels[None], counts[None, None], dense.array[None])[0, 0]
    assert median_partition.dense(again).tolist() == median_partition.dense(drawn).tolist()


@pytest.mark.parametrize("text", ["pairs", "quorum(q=0.4,join=cliques)"])
@given(sorts())
def test_items_that_are_alike_are_looked_at_once(text: str, given: tuple[Any, Any]) -> None:
    labels, counts = given
    labels, method = labels.repeat(3, axis=1), table.parse(text, "groupings", "consensus")
    (dense,) = solved(method, labels[None], counts[None])
    with pytest.MonkeyPatch.context() as patch:
        sparse(patch)
        patch.setattr(large_partition, "ITEMS", max(labels.shape[1] // 3, 1))
        (found,) = solved(method, labels[None], counts[None])
    if dense.facts["optimal"] and found.facts["optimal"]:
        assert found.facts["worth"] == dense.facts["worth"]
    assert found.facts["worth"] <= dense.facts["bound"]
    assert dense.facts["worth"] <= found.facts["bound"]


def worth(labels: Any, counts: Any, partition: Any, left_out: str) -> int:
    """Judges for together less judges for apart, of every two items in one group: by looking at each pair."""
    out, least = 0, -1 if left_out == "singletons" else 0
    for a, b in itertools.combinations(range(len(partition)), 2):
        if partition[a] == partition[b] >= 0:
            for own, times in zip(labels.tolist(), counts.tolist(), strict=True):
                if own[a] >= least and own[b] >= least:
                    out += times if own[a] == own[b] >= 0 else -times
    return out


@pytest.mark.parametrize("left_out", ["common", "singletons"])
@given(sorts())
def test_parts_without_a_table_of_pairs_are_searched_until_no_item_gains(left_out: str, given: tuple[Any, Any]) -> None:
    labels, counts = (given[0][:, :25], given[1])
    method = table.parse(f"pairs(left_out={left_out})", "groupings", "consensus")
    (dense,) = solved(method, labels[None], counts[None])
    with pytest.MonkeyPatch.context() as patch:
        sparse(patch)
        patch.setattr(large_partition, "ITEMS", 3)
        (found,) = solved(method, labels[None], counts[None])
        again = consensus(method, labels[None], counts[None, None], found.array[None])[0, 0]
    value = worth(labels, counts, found.array, left_out)
    assert value == found.facts["worth"] <= dense.facts["bound"]
    assert found.facts["bound"] >= dense.facts["worth"]
    assert worth(labels, counts, again, left_out) >= value
    several = {g for g in found.array.tolist() if (found.array == g).sum() > 1 and g >= 0}
    for item in np.flatnonzero(found.array >= 0).tolist():
        for group in (*several, len(found.array)):
            moved = np.where(np.arange(len(found.array)) == item, group, found.array)
            assert worth(labels, counts, moved, left_out) <= value


@pytest.mark.parametrize("left_out", ["common", "singletons"])
@given(sorts())
def test_the_median_partition_by_pairs_is_that_of_pairs(left_out: str, given: tuple[Any, Any]) -> None:
    labels, counts = given
    for items in (10**6, 0):
        with pytest.MonkeyPatch.context() as patch:
            if not items:
                sparse(patch)
            texts = (f"median_partition(loss=pairs, left_out={left_out})", f"pairs(left_out={left_out})")
            median, pairs = (
                solved(table.parse(text, "groupings", "consensus"), labels[None], counts[None])[0] for text in texts
            )
        assert median.array.tolist() == pairs.array.tolist()
        inside = pairs.array >= 0
        own = treated(labels, left_out)[:, inside]
        if inside.any():
            mean = mean_agreement(own, counts, pairs.array[inside][None], "pairs")[0]
            assert median.facts["mean"] == pytest.approx(mean)


@given(st.integers(0, 10**6), st.integers(1, 60), st.booleans())
def test_linkage_is_that_of_all_distances(seed: int, items: int, gaps: bool) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(rng.integers(1, 6), size=(5, items))
    labels[rng.random(labels.shape) < 0.1 * gaps] = -1
    counts = rng.integers(10**5, 10**6, size=5)  # no two joins are equally high, but for those of equal items
    share = association.Association.of(labels, counts).share
    assume(not gaps or (share == 1).sum() <= items)  # who is like two others that differ may go with either
    dense, found = average_linkage(1 - share), sparse_linkage(labels, counts)
    assert np.allclose(found.heights, dense.heights, atol=1e-8)
    clear = np.diff(dense.heights, append=1.0) > 1e-7
    for joins in np.flatnonzero(clear).tolist():
        assert found.cut(items - joins - 1).tolist() == dense.cut(items - joins - 1).tolist()


def test_what_has_no_room_is_told_before_work(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    labels, one = rng.integers(3, size=(1, 4, 300)), np.ones((1, 4), np.int64)
    sparse(monkeypatch)
    monkeypatch.setattr(large_partition, "ITEMS", 20)
    with pytest.raises(LimitReached, match="different items hang together") as found:
        solved(table.parse("quorum(q=0.3,join=cliques)", "groupings", "consensus"), labels, one)
    assert "join=components takes more" in str(found.value)
    monkeypatch.setattr(large_partition, "STORED", 100)
    with pytest.raises(LimitReached, match="79 different items together in about") as found:
        solved(table.parse("linkage", "groupings", "consensus"), labels, one)
    monkeypatch.setattr(large_partition, "EFFORT", 100)
    with pytest.raises(LimitReached, match="79 different items are so large"):
        solved(table.parse("quorum(q=3)", "groupings", "consensus"), labels, one)


@pytest.fixture(scope="module")
def many() -> tuple[q.Groupings, list[int]]:
    """Four judges who put 5,100 items into 700 groups, and the groups that they have in mind."""
    rng = np.random.default_rng(2)
    core = rng.integers(700, size=5100)
    labels = np.where(rng.random((4, 5100)) < 0.1, rng.integers(700, size=(4, 5100)), core)
    columns = {"judge": np.repeat(["ann", "bob", "cem", "dee"], 5100), "item": np.tile(np.arange(5100), 4)}
    told = {name: values.tolist() for name, values in columns.items()}
    return q.Groupings.build({**told, "group": labels.ravel().tolist()}), core.tolist()


def test_methods_answer_beyond_a_table_of_all_pairs(many: tuple[q.Groupings, list[int]]) -> None:
    found = q.consensus(many[0], "pairs", "quorum(q=3)", "linkage(groups=650)")
    assert min(f.details["agreement"][0] for f in found.findings) > 0.99
    assert len(found.findings[2].values[0]) == 650
    assert all(f.details["resamples"] == [0] for f in found.findings)  # more seconds draw them
    assert any("too many items, for how often items stay" in note for note in found.notes)


def test_quality_against_such_a_consensus(many: tuple[q.Groupings, list[int]]) -> None:
    truth = q.Groupings.from_groups({"truth": dict(enumerate(many[1]))})
    found = q.quality(many[0], truth, "against_consensus(consensus=quorum)")
    assert found.findings[0].values[0] > 0.9


def test_of_the_usual_methods_those_answer_that_have_room(
    many: tuple[q.Groupings, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_partition, "EFFORT", 5)
    pairs, median = (table.parse(m, "groupings", "consensus") for m in ("pairs", "median_partition"))
    usual = table.methods("groupings", "consensus", default=True)
    assert fitting(many[0], usual) == [median]
    with pytest.raises(LimitReached, match="are so large"):
        fitting(many[0], [pairs])


def test_usual_methods_that_take_minutes_are_left_out_and_those_without_room_refused(monkeypatch):
    items = np.arange(6000)
    columns = {"judge": np.repeat(["a", "b"], 6000), "item": np.tile(items, 2), "group": np.tile(items % 10, 2)}
    panel = q.Groupings.build(columns)
    usual = table.methods("groupings", "consensus", default=True)
    assert [m.name for m in usual_methods.fitting(panel, "consensus", usual)] == ["median_partition", "pairs"]
    monkeypatch.setattr(consensus_partition, "PAIRS", 10**6)
    assert [m.name for m in usual_methods.fitting(panel, "consensus", usual)] == ["median_partition"]
    assert [m.name for m in usual_methods.fitting(panel, "consensus", usual[1:])] == ["pairs"]  # named
    monkeypatch.setattr(consensus_partition, "MOVES", 10**4)
    assert [m.name for m in usual_methods.fitting(panel, "consensus", usual)] == [
        "median_partition",
        "pairs",
    ]  # better than none
    monkeypatch.setattr(consensus_partition, "TABLES", 100)
    with pytest.raises(LimitReached, match="10 groups of 6,000 items"):
        usual_methods.fitting(panel, "consensus", usual[:1])


def test_sensitivity_of_very_many_items_is_not_usual():
    columns = {"judge": ["a"] * 21_000, "item": np.arange(21_000), "group": np.arange(21_000) % 10}
    panel = q.Groupings.build(columns)
    usual = table.methods("groupings", "trust", default=True)
    assert "sensitivity" not in {m.name for m in usual_methods.fitting(panel, "trust", usual)}
    named = [m for m in usual if m.name == "sensitivity"]
    assert [m.name for m in usual_methods.fitting(panel, "trust", named)] == ["sensitivity"]


@given(sorts())
def test_items_that_could_as_well_be_elsewhere_are_those_of_a_table_of_all_groups(given: tuple[Any, Any]) -> None:
    labels, counts = given
    labels = np.maximum(labels, -1)
    for own in (labels[0] + 1, np.arange(labels.shape[1]), np.zeros(labels.shape[1], np.int64)):
        partition = np.unique(own, return_inverse=True)[1].ravel()
        items = large_partition.Items(labels, counts, labels >= -1, lambda same, of: 2 * same > of)
        assert items.held.all()
        found = large_partition.level(items, partition)
        assert found.tolist() == large_partition.level_by_table(items, partition).tolist()


def test_labels_of_very_many_judges_are_permuted_by_sorting(monkeypatch) -> None:
    """Every row keeps its labels, every place gets each of them as often, and what was not shown stays where it is."""
    monkeypatch.setattr(permuted_groups, "MANY", 0)
    labels = np.tile(np.array([[[0, 1, 2, -1]]]), (1, 4000, 1))
    found = permuted_groups.shuffled(labels, np.random.default_rng(0))
    assert found.dtype == labels.dtype
    assert (np.sort(found) == [-1, 0, 1, 2]).all()
    often = [(found[0] == k).mean(axis=0) for k in (-1, 0, 1, 2)]
    assert np.allclose(often, 0.25, atol=0.03)
    assert (found == permuted_groups.shuffled(labels, np.random.default_rng(0))).all()
