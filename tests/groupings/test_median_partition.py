"""The median partition: as good as the best of all partitions, never farther than linkage, for any number of items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter
from quorate.groupings import linkage_tree, median_partition
from quorate.groupings.linkage_tree import average_linkage, average_linkages
from quorate.groupings.median_partition import median_groups
from quorate.kernels import median_partition as kernel
from quorate.kernels.median_partition import improved, mean_agreement
from quorate.kernels.partition_labels import dense
from tests.groupings.test_consensus import judges, solved
from tests.reference import group_consensus as plain

LOSSES = {"adjusted_rand": plain.mean_adjusted_rand, "vi": lambda j, g: -plain.mean_variation(j, g)}


@given(judges(items=5), st.sampled_from(sorted(LOSSES)))
def test_mean_is_that_of_the_plain_twin_and_nearly_the_best_of_all(found, loss):
    groups, left, details = solved(found, f"median_partition(loss={loss})")
    items = sorted(found[0])
    assert sorted(left) == sorted(plain.left_out(found, items))
    kept = [i for i in items if i not in left]
    if not any(sum(j.get(i) is not None for i in kept) > 1 for j in found):
        return  # nothing can be compared
    assert details["mean"] == pytest.approx(LOSSES[loss](found, groups), abs=1e-9)
    best = max(LOSSES[loss](found, p) for p in plain.partitions(kept))
    assert details["mean"] >= best - 0.15  # a search, not a proof; of so few items it mostly finds the best


def test_of_random_panels_the_best_is_found_nearly_always():
    rng, reached = np.random.default_rng(5), 0
    for _ in range(40):
        found = [dict(zip("abcdef", row, strict=True)) for row in rng.integers(3, size=(5, 6)).tolist()]
        best = max(plain.mean_adjusted_rand(found, p) for p in plain.partitions(list("abcdef")))
        reached += solved(found, "median_partition")[2]["mean"] > best - 1e-9
    assert reached >= 38


@given(judges(items=6), st.integers(1, 6))
def test_so_many_groups_as_are_asked_for(found, groups):
    items = sorted(found[0])
    kept = len(items) - len(plain.left_out(found, items))
    text = f"median_partition(groups={groups})"
    if groups > kept > 0:
        with pytest.raises(BadParameter, match=f"groups={groups}"):
            solved(found, text)
    elif kept:
        assert len(solved(found, text)[0]) == groups


def test_never_farther_from_the_judges_than_average_linkage():
    rng = np.random.default_rng(3)
    for _ in range(10):
        found = [dict(zip("abcdefghij", row, strict=True)) for row in rng.integers(4, size=(7, 10)).tolist()]
        linked = solved(found, "linkage")[0]
        assert solved(found, "median_partition")[2]["mean"] >= plain.mean_adjusted_rand(found, linked) - 1e-9


@given(judges(items=6), st.sampled_from(["adjusted_rand", "vi", "pairs"]), st.booleans())
def test_moves_only_ever_raise_the_mean(found, loss, fixed):
    items = sorted(found[0])
    labels = np.array([[[-1 if j[i] is None else j[i] for i in items] for j in found]])
    weights, start = np.ones(labels.shape[:2]), np.zeros((1, len(items)), int)
    after, mean = improved(labels, weights, start, loss, fixed=fixed)
    assert mean[0] >= mean_agreement(labels[0], weights[0], start, loss)[0] - 1e-9
    assert mean[0] == pytest.approx(mean_agreement(labels[0], weights[0], after, loss)[0], abs=1e-9)
    assert not fixed or after.max() == 0


def test_counts_are_judges():
    one = {"a": 1, "b": 1, "c": 2, "d": 2}
    other = {"a": 1, "b": 2, "c": 2, "d": 1}
    rows = [(j, i, g, n) for j, sheet, n in (("x", one, 1), ("y", other, 3)) for i, g in sheet.items()]
    panel = q.Groupings.build(dict(zip(("judge", "item", "group", "count"), zip(*rows, strict=True), strict=True)))
    found = q.consensus(panel, "median_partition", resamples=0).findings[0]
    assert sorted(map(sorted, found.values[0])) == [["a", "d"], ["b", "c"]]


def test_beyond_the_room_for_all_pairs(monkeypatch):
    monkeypatch.setattr("quorate.groupings.consensus_support.ITEMS", 500)
    rng = np.random.default_rng(0)
    truth = rng.integers(6, size=520)
    told = np.where(rng.random((5, 520)) < 0.1, rng.integers(6, size=(5, 520)), truth)
    columns = {"judge": np.repeat(list("vwxyz"), 520).tolist(), "item": list(range(520)) * 5}
    panel = q.Groupings.build({**columns, "group": told.ravel().tolist()})
    answer = q.consensus(panel, "median_partition", resamples=2)
    got = {i: k for k, group in enumerate(answer.findings[0].values[0]) for i in group}
    assert q.groupings.adjusted_rand(got, dict(enumerate(truth.tolist()))) > 0.95
    assert 0.5 < answer.findings[0].details["group_support"][0][0]["support"] <= 1


def test_one_judge_one_item_all_alone_and_copies():
    assert solved([{"a": 1}], "median_partition")[0] == [["a"]]
    assert solved([{"a": 1, "b": 1, "c": 2}], "median_partition")[0] == [["a", "b"], ["c"]]
    assert len(solved([{"a": 1, "b": 2, "c": 3}] * 3, "median_partition")[0]) == 3
    assert solved([{"a": None}, {"a": None}], "median_partition")[:2] == ([], ["a"])


def test_median_number_of_groups_counts_judges():
    labels = np.array([[0, 0, 0], [0, 1, 2]])
    assert median_groups(labels, np.array([3, 1])) == 1
    assert median_groups(labels, np.array([1, 3])) == 3


@given(st.integers(2, 12), st.integers(0, 999), st.booleans())
def test_average_linkage_is_that_of_scipy(items, seed, tied):
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    rng = np.random.default_rng(seed)
    flat = rng.integers(1, 4, size=items * (items - 1) // 2) / 4 if tied else rng.random(items * (items - 1) // 2)
    tree, theirs = average_linkage(squareform(flat)), hierarchy.linkage(flat, "average")
    if tied:
        assert [len(b) for b in tree.branches()][-1] == items
    else:
        assert tree.merges.tolist() == theirs[:, :2].astype(int).tolist()
        assert tree.heights == pytest.approx(theirs[:, 2])


@given(st.integers(2, 40), st.integers(0, 999), st.booleans())
def test_trees_of_many_items_are_joined_as_those_of_few(items, seed, gaps):
    labels = np.random.default_rng(seed).integers(3, size=(4, items))
    apart = (labels[:, :, None] != labels[:, None, :]).mean(axis=0)  # with many ties
    apart[gaps * (np.add.outer(labels[0], labels[0]) == 1)] = np.nan
    few = average_linkage(apart)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linkage_tree, "MANY", 0)
        many = average_linkage(apart)
    assert few.merges.tolist() == many.merges.tolist()
    assert few.heights.tolist() == many.heights.tolist()


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 999))
def test_trees_of_many_tasks_are_those_of_each_alone(items, tasks, seed):
    labels = np.random.default_rng(seed).integers(-1, 3, size=(tasks, 4, items))
    apart = np.where(labels[:, :, :, None] == labels[:, :, None, :], 0.0, 1.0).mean(axis=1)  # with many ties
    every, numbers = average_linkages(apart), sorted({1, (items + 1) // 2, items})
    cuts = every.cuts(numbers)
    for k, own in enumerate(apart):
        alone = average_linkage(own)
        assert (every[k].merges.tolist(), every[k].heights.tolist()) == (alone.merges.tolist(), alone.heights.tolist())
        assert cuts[:, k].tolist() == [alone.cut(n).tolist() for n in numbers]


@pytest.mark.parametrize("loss", kernel.LOSSES)
def test_partitions_of_many_tasks_are_held_against_their_own_judges(loss):
    rng = np.random.default_rng(8)
    labels, weights = rng.integers(-1, 4, size=(5, 6, 9)), rng.integers(0, 3, size=(5, 6))
    tried, of = dense(rng.integers(4, size=(12, 9))), np.sort(rng.integers(5, size=12))
    found = mean_agreement(labels, weights, tried, loss, of)
    each = [mean_agreement(labels[t], weights[t], tried[k : k + 1], loss)[0] for k, t in enumerate(of.tolist())]
    tables = [kernel._Tables(labels[t][None], weights[t][None], tried[k][None], loss, True) for k, t in enumerate(of)]
    assert found.tolist() == each
    assert found == pytest.approx([float(one.mean[0]) for one in tables])


@pytest.mark.parametrize("loss", kernel.LOSSES)
def test_a_consensus_does_not_depend_on_the_tasks_beside_it(loss):
    rng = np.random.default_rng(9)
    labels, counts = rng.integers(-1, 4, size=(6, 5, 8)), np.ones((6, 5), np.int64)
    how = {"loss": loss, "groups": None, "left_out": "common"}
    every = median_partition.solved_median(labels, counts, how)
    for t, one in enumerate(every):
        (alone,) = median_partition.solved_median(labels[t : t + 1], counts[t : t + 1], how)
        assert alone.array.tolist() == one.array.tolist()
        assert alone.facts["mean"] == pytest.approx(one.facts["mean"], abs=1e-12)


def _moved(labels, weights, start, loss, groups):
    """The mean when each item goes to each other group, ``[item, group]``, by looking at each such partition."""
    out = np.full((start.shape[1], groups), -np.inf)
    for item, group in np.ndindex(*out.shape):
        if group != start[0, item]:
            tried = np.where(np.arange(len(out)) == item, group, start[0])
            out[item, group] = mean_agreement(labels[0], weights[0], dense(tried[None]), loss)[0]
    return out


ANY_LOSS = st.sampled_from(["adjusted_rand", "vi", "pairs"])


@given(st.integers(0, 999), ANY_LOSS, st.sampled_from(["alone", "some", "together"]), st.booleans(), st.booleans())
def test_no_move_of_a_large_problem_gains_more_than_is_said_to_be_possible(seed, loss, begin, same, gaps):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-gaps, 3, size=(1, 5, 9)) if not same else np.zeros((1, 5, 9), np.int64)
    start = {"alone": np.arange(9), "some": rng.integers(3, size=9), "together": np.zeros(9, np.int64)}[begin][None]
    weights = rng.integers(3, size=(1, 5))
    tables = kernel._Tables(labels, weights, start, loss, False)
    most = tables._at_most(0, np.arange(9), start[0], np.arange(tables.table.shape[2]))
    exact = _moved(labels, weights, start, loss, most.shape[1])
    assert (most >= exact - 1e-9).all()
    if loss != "adjusted_rand":
        assert most[exact > -np.inf] == pytest.approx(exact[exact > -np.inf])


@pytest.mark.parametrize("loss", kernel.LOSSES)
@pytest.mark.parametrize(("joins", "fixed"), [(False, False), (True, False), (False, True)])
def test_of_very_many_groups_those_met_and_one_of_each_size_say_how_much_a_move_can_gain(loss, joins, fixed):
    rng = np.random.default_rng(2)
    common = rng.integers(80, size=300)
    labels = np.where(rng.random((3, 300)) < 0.4, rng.integers(80, size=(3, 300)), common)[None]
    tables = kernel._Tables(labels, np.array([[1, 2, 1]]), labels[:, 0], loss, fixed)
    block, size = np.arange(40, 100), tables.members[0]
    own, to = tables.partition[0, block], np.flatnonzero(size == 1 if joins else size != 1)
    every = tables._at_most(0, block, own, to)
    every[own[:, None] == to] = -np.inf
    assert tables._met(0, np.arange(3), block) is not None
    assert np.array_equal(tables._best(0, block, own, to), every.max(axis=1))


@pytest.mark.parametrize("gaps", [0, 1])
def test_what_a_move_can_gain_is_bounded_closely_where_groups_are_large(gaps):
    rng = np.random.default_rng(1)
    common = np.arange(90) % 3
    labels = np.where(rng.random((4, 90)) < 0.5, common, rng.integers(-gaps, 3, size=(4, 90)))[None]
    tables = kernel._Tables(labels, np.ones((1, 4)), common[None], "adjusted_rand", False)
    most = tables._at_most(0, np.arange(90), common, np.arange(4))
    exact = _moved(labels, np.ones((1, 4)), common[None], "adjusted_rand", 4)
    far = np.where(exact > -np.inf, most - exact, 0)
    assert far.max() < 0.15 * np.abs(exact[exact > -np.inf] - tables.mean[0]).max()


@given(st.integers(0, 999), st.sampled_from(["adjusted_rand", "vi", "pairs"]), st.booleans(), st.booleans())
def test_a_large_problem_on_its_own_ends_where_no_item_gains_as_any_other(seed, loss, fixed, gaps):
    rng = np.random.default_rng(seed)
    common = rng.integers(4, size=30)
    labels = np.where(rng.random((6, 30)) < 0.6, common, rng.integers(-gaps, 4, size=(6, 30)))[None]
    weights, start = np.ones((1, 6)), rng.integers(4, size=(1, 30))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "LARGE", 0)
        found, mean = improved(labels, weights, start, loss, fixed=fixed)
    again, same = improved(labels, weights, found, loss, fixed=fixed)
    assert again.tolist() == found.tolist()
    assert mean == pytest.approx(same, abs=1e-12)


@pytest.mark.parametrize("large", [0, 10**9])
def test_as_many_items_stand_alone_as_want_to(large, monkeypatch):
    monkeypatch.setattr(kernel, "LARGE", large)
    labels = np.tile(np.r_[[0] * 10, 1:31], (1, 3, 1))  # ten together, thirty alone
    found, mean = improved(labels, np.ones((1, 3)), np.zeros((1, 40), np.int64), "pairs")
    assert dense(found).tolist() == dense(labels[:, 0]).tolist()
    assert mean[0] == mean_agreement(labels[0], np.ones(3), labels[0, :1], "pairs")[0]


@pytest.mark.parametrize("loss", ["adjusted_rand", "vi", "pairs"])
@pytest.mark.parametrize("groups", [None, 5])
def test_starts_of_very_many_items_are_chosen_by_some_of_them(loss, groups, monkeypatch):
    monkeypatch.setattr(median_partition, "SAMPLE", 60)
    rng = np.random.default_rng(4)
    truth = rng.integers(5, size=300)
    labels = np.where(rng.random((9, 300)) < 0.2, rng.integers(5, size=(9, 300)), truth)
    how = {"loss": loss, "groups": groups, "left_out": "common"}
    (found,) = median_partition.solved_median(labels[None], np.ones((1, 9), np.int64), how)
    assert q.groupings.adjusted_rand(dict(enumerate(found.array.tolist())), dict(enumerate(truth.tolist()))) > 0.95
    assert groups is None or int(found.array.max()) + 1 == groups


def test_large_problems_are_searched_together_as_each_on_its_own(monkeypatch):
    rng = np.random.default_rng(5)
    common = rng.integers(5, size=60)
    labels = np.where(rng.random((8, 60)) < 0.6, common, rng.integers(5, size=(8, 60)))
    many, weights = np.broadcast_to(labels, (7, 8, 60)), rng.integers(1, 4, size=(7, 8))
    start = rng.integers(5, size=(7, 60))
    monkeypatch.setattr(kernel, "LARGE", 0)
    found, mean = improved(many, weights, start)
    for k in range(7):
        alone, same = improved(many[k : k + 1], weights[k : k + 1], start[k : k + 1])
        assert dense(alone).tolist() == dense(found[k : k + 1]).tolist()
        assert same == pytest.approx(mean[k : k + 1], abs=1e-12)


def test_judges_who_do_not_count_change_no_search_of_a_large_problem(monkeypatch):
    rng = np.random.default_rng(3)
    common = rng.integers(6, size=120)
    labels = np.where(rng.random((12, 120)) < 0.6, common, rng.integers(6, size=(12, 120)))[None]
    weights, start = rng.integers(3, size=(1, 12)), rng.integers(6, size=(1, 120))
    monkeypatch.setattr(kernel, "BLOCK", 4000)
    monkeypatch.setattr(kernel, "LARGE", 4000)
    with_all, mean = improved(labels, np.where(weights > 0, weights, 1e-300), start)
    without, same = improved(labels, weights, start)
    assert with_all.tolist() == without.tolist()
    assert mean == pytest.approx(same)


def test_panels_drawn_from_judges_of_many_items_are_as_near_as_from_a_tree_of_all(monkeypatch):
    rng = np.random.default_rng(2)
    common = rng.integers(5, size=120)
    labels = np.where(rng.random((12, 120)) < 0.5, common, rng.integers(5, size=(12, 120)))[None]
    weights = rng.multinomial(12, np.full(12, 1 / 12), size=20)[:, None]
    how = {"loss": "adjusted_rand", "groups": None, "left_out": "common"}
    means = []
    for most in (120, 40):
        monkeypatch.setattr(median_partition, "DRAWN", most)
        found = median_partition.drawn_median(labels, weights, common[None], how)[:, 0]
        means += [np.mean([mean_agreement(labels[0], w[0], f[None])[0] for w, f in zip(weights, found, strict=True)])]
    assert means[1] > means[0] - 0.002


def test_a_tree_is_cut_and_drawn():
    distance = np.array([[0, 0.1, 0.8, 0.9], [0.1, 0, 0.7, 0.9], [0.8, 0.7, 0, 0.2], [0.9, 0.9, 0.2, 0]])
    tree = average_linkage(distance)
    assert tree.cuts([1, 2, 4]).tolist() == [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 2, 3]]
    assert [b.tolist() for b in tree.branches()] == [[0, 1], [2, 3], [0, 1, 2, 3]]
    assert sorted(tree.leaves()) == [0, 1, 2, 3]
    assert tree.heights[-1] == pytest.approx(0.825)
