"""Kernels that take many small groupings at once, beside the plain ones that take one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.groupings import q_support
from quorate.groupings.association import Association
from quorate.groupings.partition_program import Proofs, solve
from quorate.kernels import (
    co_association,
    full_tables,
    pair_support,
    partition_labels,
    partition_proof,
    partition_search,
)
from quorate.kernels.bit_tables import ITEMS, Bits, fields
from quorate.kernels.contingency import pair_sums, tables
from quorate.kernels.partition_labels import components, dense
from tests.reference import groupings as plain


@st.composite
def labels(draw, rows=3, most=9, least=-1):
    items = draw(st.integers(1, most))
    row = st.lists(st.integers(least, draw(st.integers(0, most))), min_size=items, max_size=items)
    return dense(np.array(draw(st.lists(row, min_size=rows, max_size=rows))))


@st.composite
def weights(draw, most=6):
    items = draw(st.integers(1, most))
    size = items * (items - 1) // 2
    rows = draw(st.lists(st.lists(st.integers(-4, 4), min_size=size, max_size=size), min_size=2, max_size=3))
    out = np.zeros((len(rows), items, items))
    for k, row in enumerate(rows):
        out[k][np.triu_indices(items, 1)] = row
    return out + out.transpose(0, 2, 1)


def partitions(items):
    """Every partition, as labels."""
    if not items:
        yield []
        return
    for rest in partitions(items - 1):
        for group in range(max(rest, default=-1) + 2):
            yield [*rest, group]


@given(labels())
def test_bit_sets_give_the_sums_of_contingency_tables(found):
    left, right = (np.array(x) for x in zip(*itertools.product(range(len(found)), repeat=2), strict=True))
    bits = Bits.of(found)
    quickly = fields(bits, bits, left, right)
    assert len(quickly) == 9
    for k, (a, b) in enumerate(zip(left, right, strict=True)):
        sums = tables(found[a][None], found[b][None]).sums()
        for name, values in quickly.items():
            assert abs(values[k] - getattr(sums, name)[0]) < 1e-12, name


@given(st.integers(1, 4), st.integers(1, 12), st.integers(65, 90), st.integers(0, 9))
def test_full_tables_give_the_sums_of_contingency_tables_to_the_last_bit(few, many, items, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(few, size=(9, items)), rng.integers(many, size=(9, items))
    left, right = rng.integers(9, size=(2, 70))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(full_tables, "LABELS", 16 * items)  # the last lot is a smaller one
        ((_, sums),) = pair_sums(first, second, left, right)
    quick = full_tables.fields(full_tables.Sized.of(first), full_tables.Sized.of(second), left, right)
    assert len(quick) == 11
    each = [tables(first[a][None], second[b][None]).sums() for a, b in zip(left, right, strict=True)]
    for name in (*quick, "cluster_shares", "class_means"):
        assert getattr(sums, name).tolist() == [float(getattr(one, name)[0]) for one in each], name


def test_both_sums_of_the_largest_tables_have_room_in_one_number():
    rng = np.random.default_rng(3)
    some = np.stack([np.zeros(ITEMS, np.int64), np.arange(ITEMS), *rng.integers(9, size=(9, ITEMS))])
    left, right = (x.ravel() for x in np.indices((len(some), len(some))))
    quick = fields(Bits.of(some), Bits.of(some), left, right)
    sums = tables(some[left], some[right]).sums()
    for name, values in quick.items():
        assert values.tolist() == getattr(sums, name).tolist(), name


def test_entropies_of_turned_tables_are_those_of_the_tables_turned():
    labels = np.random.default_rng(4).integers(4, size=(2, 50, 12))
    sums, turned = (tables(*pair).sums() for pair in (labels, labels[::-1]))
    sums.entropies  # noqa: B018  known before it is turned
    assert [x.tolist() for x in sums.turned().entropies] == [x.tolist() for x in turned.entropies]


def test_equal_tables_have_equal_sums_to_the_last_bit_whatever_the_order_of_groups():
    rng = np.random.default_rng(0)
    one = rng.integers(12, size=ITEMS)
    renamed = rng.permutation(12)[one]
    both = np.stack([one, renamed])
    found = fields(Bits.of(both), Bits.of(both), np.array([0, 1, 0]), np.array([0, 1, 1]))
    assert len(set(found["cell_logs"].tolist())) == 1
    assert found["cell_logs"][2] == found["cluster_logs"][0] == found["class_logs"][1]


def test_many_pairs_go_through_bit_sets_and_fall_back_where_those_do_not_reach():
    rng = np.random.default_rng(1)
    small = rng.integers(4, size=(30, 12))
    left, right = rng.integers(30, size=(2, 200))
    whole = tables(small[left], small[right]).sums(expected=True)
    for some, sums in pair_sums(small, small, left, right, expected=True):
        for name in ("cell_squares", "cluster_best", "class_means", "expected"):
            np.testing.assert_allclose(getattr(sums, name), getattr(whole, name)[some], rtol=1e-12)


@given(
    labels(rows=6, least=-2),
    st.sampled_from(["singletons", "bucket", "common"]),
    st.sampled_from([1, 2, 0.5, 1.0]),
    st.data(),
)
def test_what_most_put_together_of_many_panels_is_its_definition(found, way, q_, data):
    tasks = found.reshape(2, 3, -1)
    weights_ = np.array(data.draw(st.lists(st.integers(0, 2), min_size=12, max_size=12))).reshape(2, 2, 3)
    many = q_support.scores(tasks, weights_, q_, way)
    for draw, task in itertools.product(range(2), repeat=2):
        shown = [{i: None if x < 0 else x for i, x in enumerate(row) if x > -2} for row in tasks[task].tolist()]
        of_items, of_pairs, mean = plain.together_of_shown(shown, weights_[draw, task].tolist(), q_, way)
        np.testing.assert_allclose(many["kappa1"][draw, task], of_items, rtol=1e-12)
        np.testing.assert_allclose(many["kappa2"][draw, task], of_pairs, rtol=1e-12)
        np.testing.assert_allclose(many["value"][draw, task], mean, rtol=1e-12)


@given(labels(rows=6), st.sampled_from([1, 2, 0.5, 1.0]), st.sampled_from([1, 100]))
def test_supported_pairs_are_the_same_in_bytes_and_as_products(found, q_, cells):
    tasks, once = found.reshape(2, 3, -1), np.ones((1, 2, 3), np.int64)
    in_bytes = pair_support.supported_pairs(tasks, once, q_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_support, "ITEMS", 0)
        patch.setattr(pair_support, "CELLS", cells)
        for a, b in zip(in_bytes, pair_support.supported_pairs(tasks, once, q_), strict=True):
            assert np.array_equal(a, b)


@given(weights())
def test_small_parts_are_solved_by_looking_at_all_partitions(given_):
    best = partition_search.worth(given_, partition_proof.best(given_))
    for k, own in enumerate(given_):
        assert best[k] == max(partition_search.worth(own[None], np.array([p]))[0] for p in partitions(len(own)))


@given(weights(most=8))
def test_local_search_stays_below_the_best_and_the_bound_above(given_):
    best = partition_search.worth(given_, partition_proof.best(given_))
    searched = partition_search.from_alone(given_.astype(np.float32), each=False)
    assert (partition_search.worth(given_, searched) <= best).all()
    assert (partition_proof.bound(given_) >= best - 1e-9).all()
    for k, own in enumerate(given_[:, None]):
        assert np.array_equal(partition_search.descend(own, searched[k : k + 1], each=True)[0], dense(searched[k]))


@given(weights(most=8))
def test_connected_parts_are_those_that_a_walk_reaches(given_):
    for own, found in zip(given_ > 0, components(given_ > 0), strict=True):
        near = own | np.eye(len(own), dtype=bool)
        reached = np.linalg.matrix_power(near.astype(int), len(own)) > 0
        assert np.array_equal(found[:, None] == found, reached)
        assert np.array_equal(found, dense(found))


@given(
    st.lists(st.lists(st.integers(-2, 40), min_size=4, max_size=4), min_size=1, max_size=4), st.sampled_from([1, 10**6])
)
def test_groups_are_numbered_in_order_of_first_member(rows, far):
    given_ = np.array([[x * far if x > 0 else x for x in row] for row in rows])
    for row, found in zip(given_.tolist(), dense(given_).tolist(), strict=True):
        order = list(dict.fromkeys(x for x in row if x >= 0))
        assert found == [order.index(x) if x >= 0 else x for x in row]


@given(weights(most=8), st.integers(0, 99), st.integers(0, 2))
def test_items_moved_one_by_one_end_where_nothing_helps(given_, seed, shakes):
    starts = np.random.default_rng(seed).integers(given_.shape[1], size=(len(given_), 2, given_.shape[1]))
    best = partition_search.worth(given_, partition_proof.best(given_))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_search, "FEW", 0)
        patch.setattr(partition_search, "SPARE", 1)  # room is made when all groups have been gone to
        found = partition_search.searched(given_, starts, shakes)
        alone = partition_search.from_alone(given_[:1], each=True)
    value = partition_search.worth(given_, found)
    assert (value <= best).all()
    assert value[0] >= partition_search.worth(given_[:1], alone)[0]
    for own, row in zip(given_, found, strict=True):  # no single item gains elsewhere, or alone
        for item, group in itertools.product(range(len(row)), range(len(row))):
            moved = np.where(np.arange(len(row)) == item, group, row)
            assert partition_search.worth(own[None], moved[None])[0] <= partition_search.worth(own[None], row[None])[0]


def test_parts_beyond_the_proofs_have_a_partition_and_a_bound():
    rng = np.random.default_rng(3)
    noisy = np.triu(rng.integers(-5, 6, size=(3, 14, 14)), 1)
    noisy = noisy + noisy.transpose(0, 2, 1)
    found, whole = solve(noisy, proofs=Proofs(0)), solve(noisy)
    assert (found.worth <= whole.worth).all()
    assert (found.bound >= whole.worth).all()
    assert (whole.bound == whole.worth).all()
    assert (found.bound > found.worth).any()
    assert (partition_search.worth(noisy, found.labels) == found.worth).all()


@given(labels(rows=4, least=-2), st.data())
def test_counts_of_many_tasks_and_panels_are_plain_counts(found, data):
    tasks = found.reshape(2, 2, -1)
    weights_ = np.array(data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))).reshape(2, 2, 2)
    many = Association.of(tasks, weights_)  # two panels of two tasks
    items = range(tasks.shape[2])
    for draw, task in itertools.product(range(2), repeat=2):
        own = list(zip(tasks[task].tolist(), weights_[draw, task].tolist(), strict=True))
        for i, j in itertools.product(items, items):
            assert many.together[draw, task, i, j] == sum(w for row, w in own if row[i] == row[j] >= 0)
            assert many.both[draw, task, i, j] == sum(w for row, w in own if row[i] >= 0 and row[j] >= 0)
            assert many.shown[draw, task, i, j] == sum(w for row, w in own if row[i] >= -1 and row[j] >= -1)
        one = Association.of(tasks[task], weights_[draw, task])
        for name in ("together", "both", "shown", "kept", "left_out"):
            assert np.array_equal(getattr(many, name)[draw, task], getattr(one, name)), name


def test_counts_of_many_items_are_made_some_lines_at_a_time(monkeypatch):
    rng = np.random.default_rng(9)
    labels_, weights_ = rng.integers(-2, 3, size=(3, 5, 6)), rng.integers(0, 4, size=(2, 3, 5))
    whole = co_association.co_association(labels_, weights_)
    for cells in (1, 5 * 6 * 2, 2 * 5 * 6 * 6):  # a line, two lines, two tasks
        monkeypatch.setattr(co_association, "CELLS", cells)
        for a, b in zip(whole, co_association.co_association(labels_, weights_), strict=True):
            assert np.array_equal(a, b)


@given(weights(most=8))
def test_parts_walked_through_are_those_that_are_followed(found):
    linked = found > 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_labels, "MANY", 0)
        walked = components(linked)
    assert walked.tolist() == components(linked).tolist()


@given(weights(most=8), st.integers(0, 99))
def test_pulls_of_groups_are_sums_over_their_items(found, seed):
    groups = np.random.default_rng(seed).integers(3, size=found.shape[:2])
    member = groups[:, None, :] == np.arange(3)[:, None]
    whole = partition_search.pulls(found, groups, 3)
    assert whole.tolist() == (member @ found).tolist()
    assert partition_search.pulls(found[:1], groups[:1], 3).tolist() == whole[:1].tolist()
