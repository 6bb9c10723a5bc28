"""Items that were not shown to a judge (-2): who was not asked says nothing, neither together nor apart."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.groupings import MEASURES
from quorate.groupings.association import Association
from quorate.groupings.consensus_partition import consensus, proven
from quorate.groupings.pair_partition import groups
from quorate.groupings.pairwise import crossed, squares
from quorate.groupings.partition_program import Proofs
from tests.reference import group_consensus, groupings

WAYS = st.sampled_from(["singletons", "bucket", "common"])


@st.composite
def shown(draw, judges=3, most=6, least=-2):
    items = draw(st.integers(1, most))
    row = st.lists(st.integers(least, 3), min_size=items, max_size=items)
    return np.array(draw(st.lists(row, min_size=judges, max_size=judges)))


def as_dict(row, among=None):
    """The items a judge was shown, None where left out."""
    return {i: None if x < 0 else x for i, x in enumerate(row) if x > -2 and (among is None or among[i] > -2)}


@given(shown(), st.sampled_from(sorted(MEASURES)), WAYS)
def test_two_judges_are_compared_on_items_shown_to_both(labels, name, way):
    chosen = table.parse(f"{name}(left_out={way})", "groupings", "agreement")
    padded = np.concatenate([labels, np.full((3, 2), -2)], axis=1)  # as in an array of tasks of different sizes
    (square,), (cross,) = squares([chosen], padded[None]), crossed([chosen], labels[None], labels[None])
    for (a, one), (b, two) in itertools.product(enumerate(labels.tolist()), repeat=2):
        wanted = groupings.measure(name, as_dict(one, two), as_dict(two, one), way)
        assert square[0, a, b] == pytest.approx(wanted, abs=1e-12, nan_ok=True)
        assert cross.forward[0, b, a] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_judges_who_were_shown_nothing_in_common_have_no_value():
    labels = np.array([[0, 0, 1, -2, -2, -2], [-2, -2, -2, 0, 0, 1], [0, 1, 1, 0, 0, 1]])
    methods = [table.parse(f"{name}(left_out=bucket)", "groupings", "agreement") for name in MEASURES]
    for square in squares(methods, labels[None]):
        assert math.isnan(square[0, 0, 1])
        assert math.isfinite(square[0, 0, 2])


@given(shown())
def test_co_association_is_of_judges_who_were_shown_both(labels):
    found = Association.of(labels)
    rows = [as_dict(row) for row in labels.tolist()]
    for i, j in itertools.combinations(range(labels.shape[1]), 2):
        asked = [r for r in rows if i in r and j in r]
        together = sum(r[i] is not None and r[i] == r[j] for r in asked)
        assert (found.together[i, j], found.shown[i, j]) == (together, len(asked))
        assert found.margins("singletons")[i, j] == 2 * together - len(asked)
    left = [sum(i in r and r[i] is None for r in rows) for i in range(labels.shape[1])]
    assert found.left_out.tolist() == left


@given(shown(judges=4), st.sampled_from(["pairs", "pairs(left_out=singletons)"]))
def test_the_consensus_is_the_best_of_all_partitions_for_those_who_were_shown_both(labels, text):
    chosen = table.parse(text, "groupings", "consensus")
    (found,) = proven(chosen, labels[None], np.ones((1, 4), np.int64), Proofs())
    votes = Association.of(labels)
    kept = np.flatnonzero(votes.kept).tolist()
    assert (found.array >= 0).tolist() == votes.kept.tolist()
    margins = votes.margins(str(chosen["left_out"]))

    def worth(groups):
        return sum(margins[a, b] for g in groups for a, b in itertools.combinations(g, 2))

    assert worth(groups(found.array)) == max(map(worth, group_consensus.partitions(kept))) == found.facts["worth"]


@given(shown(judges=4), st.sampled_from([2, 0.5, 1.0]))
def test_a_share_as_quorum_is_one_of_the_judges_who_were_shown_both(labels, q):
    chosen = table.parse(f"quorum(q={q}, join=cliques)", "groupings", "consensus")
    (found,) = proven(chosen, labels[None], np.ones((1, 4), np.int64), Proofs())
    rows = [as_dict(row) for row in labels.tolist()]
    for group in groups(found.array):
        for i, j in itertools.combinations(group, 2):
            asked = [r for r in rows if i in r and j in r]
            need = q if isinstance(q, int) else max(math.ceil(q * len(asked) - 1e-9), 1)
            assert sum(r[i] is not None and r[i] == r[j] for r in asked) >= need


@given(
    shown(judges=4),
    st.sampled_from(["pairs", "quorum", "quorum(q=0.3)", "quorum(q=0.5, join=cliques)"]),
    st.lists(st.integers(0, 2), min_size=12, max_size=12),
)
def test_a_panel_with_weights_is_the_panel_of_so_many_judges(labels, text, times):
    chosen, weights = table.parse(text, "groupings", "consensus"), np.array(times).reshape(3, 1, 4)
    start = np.zeros((1, labels.shape[1]), np.int64)
    for row, found in zip(weights[:, 0], consensus(chosen, labels[None], weights, start)[:, 0], strict=True):
        if row.sum():
            spread = np.repeat(labels, row, axis=0)
            again = consensus(chosen, spread[None], np.ones((1, 1, len(spread)), np.int64), start)[0, 0]
            assert np.array_equal(found, again)


def test_panels_are_solved_a_few_at_a_time_without_changing_them(monkeypatch):
    rng = np.random.default_rng(2)
    labels, weights = rng.integers(-2, 3, size=(3, 5, 7)), rng.integers(0, 3, size=(4, 3, 5))
    chosen, start = table.parse("pairs", "groupings", "consensus"), np.zeros((3, 7), np.int64)
    whole = consensus(chosen, labels, weights, start)
    for cells in (1, 2 * 49, 8 * 49):  # a panel, two panels, two tasks
        monkeypatch.setattr("quorate.groupings.consensus_partition.CELLS", cells)
        assert np.array_equal(whole, consensus(chosen, labels, weights, start))
    monkeypatch.setattr("quorate.groupings.consensus_partition.LOCAL", 0)
    assert np.array_equal(whole, consensus(chosen, labels, weights, start))
