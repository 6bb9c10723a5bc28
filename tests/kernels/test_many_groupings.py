"""Kernels that take many small groupings at once, beside the plain ones that take one."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.groupings import support
from quorate.groupings.association import Association
from quorate.groupings.partition_program import Proofs, solve_many
from quorate.groupings.votes import Votes
from quorate.kernels import all_partitions, clique_bound, clique_partition, many_partitions
from quorate.kernels.association import components
from quorate.kernels.bit_tables import FIELDS, ITEMS, Bits, fields
from quorate.kernels.contingency import dense_labels, pair_sums, tables

quick = settings(max_examples=30, deadline=None)


@st.composite
def labels(draw, rows=3, most=9):
    items = draw(st.integers(1, most))
    row = st.lists(st.integers(-1, draw(st.integers(0, most))), min_size=items, max_size=items)
    return dense_labels(np.array(draw(st.lists(row, min_size=rows, max_size=rows))))


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


@quick
@given(labels())
def test_bit_sets_give_the_sums_of_contingency_tables(found):
    left, right = (np.array(x) for x in zip(*itertools.product(range(len(found)), repeat=2), strict=True))
    bits = Bits.of(found)
    quickly = fields(bits, bits, left, right)
    for k, (a, b) in enumerate(zip(left, right, strict=True)):
        sums = tables(found[a][None], found[b][None]).sums()
        for name in FIELDS:
            assert abs(quickly[name][k] - getattr(sums, name)[0]) < 1e-12, name


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


@quick
@given(
    labels(rows=4), st.sampled_from(["singletons", "bucket", "common"]), st.sampled_from([1, 2, 0.5, 1.0]), st.data()
)
def test_what_most_put_together_is_the_same_for_many_panels_and_for_one(found, way, q_, data):
    panels = found.reshape(2, 2, -1)
    counts = np.array(data.draw(st.lists(st.integers(1, 3), min_size=4, max_size=4))).reshape(2, 2)
    many = support.many(panels, counts, q_, way)
    for k in range(2):
        one = support.measure(panels[k], q_, way, counts[k])
        for name, value in one.items():
            np.testing.assert_allclose(many[name][k], value, rtol=1e-12, err_msg=name)


@quick
@given(weights())
def test_small_parts_are_solved_by_looking_at_all_partitions(given_):
    best = many_partitions.worth(given_, all_partitions.best(given_))
    for k, own in enumerate(given_):
        assert best[k] == max(clique_partition.worth(own, np.array(p)) for p in partitions(len(own)))


@quick
@given(weights(most=8))
def test_local_search_stays_below_the_best_and_the_bound_above(given_):
    best = many_partitions.worth(given_, all_partitions.best(given_))
    searched = many_partitions.agglomerate(given_.astype(np.float32))
    assert (many_partitions.worth(given_, searched) <= best).all()
    assert (many_partitions.bound(given_) >= best - 1e-9).all()
    for k, own in enumerate(given_):
        assert clique_bound.bound(own) >= best[k] - 1e-9
        assert np.array_equal(clique_partition.descend(own, searched[k]), many_partitions.dense(searched)[k])


@quick
@given(weights(most=8))
def test_connected_parts_are_those_of_one_problem(given_):
    found = many_partitions.components(given_ > 0)
    for k, own in enumerate(given_):
        assert np.array_equal(many_partitions.dense(found)[k], components(own > 0))


def test_parts_beyond_the_proofs_have_a_partition_and_a_bound():
    rng = np.random.default_rng(3)
    noisy = np.triu(rng.integers(-5, 6, size=(3, 14, 14)), 1)
    noisy = noisy + noisy.transpose(0, 2, 1)
    none = np.zeros((3, 0, 14), np.int64)
    labels_, worth, bound = solve_many(noisy, none, proofs=Proofs(0))
    _, proven, highest = solve_many(noisy, none)
    assert (worth <= proven).all()
    assert (bound >= proven).all()
    assert (highest == proven).all()
    assert (bound > worth).any()
    assert (many_partitions.worth(noisy, labels_) == worth).all()


@quick
@given(labels(rows=4), st.data())
def test_votes_of_many_tasks_are_those_of_each(found, data):
    tasks = found.reshape(2, 2, -1)
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))).reshape(2, 2, 2)
    many = Votes.of(tasks, counts)  # two tasks, two panels each
    for k, (task, panel) in enumerate(itertools.product(range(2), repeat=2)):
        one = Association.of(tasks[task], counts[task, panel])
        assert np.array_equal(many.together[k], one.together)
        assert np.array_equal(many.both[k], one.both)
        assert many.left_out[k].tolist() == one.left_out.tolist()


def test_votes_of_many_items_are_counted_some_judges_at_a_time(monkeypatch):
    rng = np.random.default_rng(9)
    labels, counts = rng.integers(-1, 3, size=(2, 5, 6)), rng.integers(0, 4, size=(2, 3, 5))
    for some in (labels, np.abs(labels)):  # with and without left-out items
        whole = Votes.of(some, counts)
        with monkeypatch.context() as few:
            few.setattr("quorate.groupings.votes.CELLS", 2 * 6 * 6)  # two judges
            apart = Votes.of(some, counts)
        assert (whole.together == apart.together).all()
        assert (whole.both == apart.both).all()
        plain = (some[0, :, 1] == some[0, :, 4]) & (some[0, :, 1] >= 0)
        assert whole.together[1, 1, 4] == (plain * counts[0, 1]).sum()
